//! Charts of one line, made of block characters.

/// Eighths of a cell, from the lowest to the full one.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Parts of a cell filled from the left, from one eighth to seven.
const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// One column for each count, the tallest for the largest. Any count above zero shows at least an
/// eighth; zero is a space, so that gaps in a distribution show.
pub fn spark(counts: &[u64]) -> String {
    let largest = counts.iter().copied().max().unwrap_or(0);
    counts
        .iter()
        .map(|count| match (*count, largest) {
            (0, _) => ' ',
            (count, largest) => {
                LEVELS[((u128::from(count) * 8).div_ceil(u128::from(largest)) - 1) as usize]
            }
        })
        .collect()
}

/// A bar that fills `part / whole` of `width` cells, padded with spaces to `width`.
pub fn bar(part: u64, whole: u64, width: usize) -> String {
    let whole = whole.max(1);
    let eighths = (u128::from(part.min(whole)) * width as u128 * 8 / u128::from(whole)) as usize;
    let mut text: String = std::iter::repeat_n('█', eighths / 8).collect();
    let mut cells = eighths / 8;
    let rest = eighths % 8;
    if rest > 0 {
        text.push(PARTS[rest - 1]);
        cells += 1;
    } else if part > 0 && cells == 0 && width > 0 {
        text.push(PARTS[0]);
        cells = 1;
    }
    text.extend(std::iter::repeat_n(' ', width - cells));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spark_scales_to_the_largest() {
        assert_eq!(spark(&[0, 1, 4, 8]), " ▁▄█");
        assert_eq!(spark(&[0, 0]), "  ");
        assert_eq!(spark(&[]), "");
        assert_eq!(spark(&[u64::MAX, 1]), "█▁");
    }

    #[test]
    fn bar_has_its_width() {
        assert_eq!(bar(1, 2, 4), "██  ");
        assert_eq!(bar(1, 1000, 4), "▏   ");
        assert_eq!(bar(9, 8, 2), "██");
        assert_eq!(bar(0, 0, 2), "  ");
        assert_eq!(bar(3, 16, 2), "▍ ");
    }
}
