//! Axes of charts that are made of characters: which row or column a number stands at, and the labels
//! that `ticks.rs` chooses, as far as there is room.

use unicode_width::UnicodeWidthStr;

use super::Ticks;

/// About so many labels beside a picture, and columns that one below it takes.
const BESIDE: usize = 4;
const BELOW: usize = 10;

/// How far along a range a number lies, from 0 to 1.
pub(super) fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    // Halves, because the whole may be more than a number can be.
    let half = high / 2.0 - low / 2.0;
    if half > 0.0 { ((value / 2.0 - low / 2.0) / half).clamp(0.0, 1.0) } else { 0.5 }
}

/// What stands beside a picture of so many rows, from the top down.
#[derive(Debug)]
pub(super) struct Side {
    labels: Vec<String>,
    /// Columns of the widest label.
    pub margin: usize,
    /// What the labels have in common.
    pub note: String,
}

impl Side {
    pub fn new(range: (f64, f64), rows: usize) -> Side {
        let Ticks { marks, note } = Ticks::new(range.0, range.1, BESIDE);
        let mut labels = vec![String::new(); rows];
        for (place, label) in marks {
            // As the dots of the picture: four to a row.
            let down = ((1.0 - share(place, range)) * (4 * rows - 1) as f64).round() as usize;
            let row = &mut labels[down / 4];
            if row.is_empty() {
                *row = label;
            }
        }
        let margin = labels.iter().map(|label| label.width()).max().unwrap_or(0);
        Side { labels, margin, note }
    }

    /// `0.5 ┤`, or `    │` where no label stands.
    pub fn row(&self, at: usize) -> String {
        let (label, margin) = (&self.labels[at], self.margin);
        format!("{label:>margin$} {}", if label.is_empty() { '│' } else { '┤' })
    }
}

/// The labels below a picture of so many columns, and what they have in common.
pub(super) fn below(range: (f64, f64), width: usize, is_counted: bool) -> (String, String) {
    let about = (width / BELOW).clamp(2, 7);
    if is_counted && range.1 <= range.0 {
        return ("0".to_string(), String::new());
    }
    let Ticks { marks, note } = match is_counted {
        true => Ticks::whole(range.0, range.1, about),
        false => Ticks::new(range.0, range.1, about),
    };
    let mut line = String::new();
    for (place, label) in marks {
        let column = (share(place, range) * (width - 1) as f64).round() as usize;
        let begin =
            column.saturating_sub(label.width() / 2).min(width.saturating_sub(label.width()));
        let used = line.width();
        if used == 0 || begin > used {
            line += &" ".repeat(begin - used);
            line += &label;
        }
    }
    (line, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_where_their_numbers_are() {
        let side = Side::new((-1.0, 1.0), 10);
        let rows: Vec<String> = (0..10).map(|at| side.row(at)).collect();
        let wanted = [" 1.0", "", " 0.5", "", "", " 0.0", "", "-0.5", "", "-1.0"];
        assert_eq!(rows.iter().map(|row| row[..4].trim_end()).collect::<Vec<_>>(), wanted);
        assert!(rows[0].ends_with('┤') && rows[1].ends_with('│'), "{rows:?}");
        assert_eq!(side.note, "");
        assert_eq!(Side::new((1e6, 1e6 + 1.0), 10).note, "+1e6");
    }

    #[test]
    fn labels_below_keep_to_the_picture() {
        let (line, note) = below((0.0, 99.0), 64, true);
        // 20 of 99 is column 12.7 of 63, and so on.
        let wanted = "0           20          40           60           80";
        assert_eq!((line.as_str(), note.as_str()), (wanted, ""));
        assert_eq!(below((0.0, 1e-7), 40, false).1, "×1e-7");
        assert_eq!(below((0.0, 0.0), 40, true).0, "0");
        for width in [12, 20, 64] {
            for range in [(0.0, 1.0), (-1e5, 3e5), (0.001, 0.0019), (1e300, 2e300)] {
                assert!(below(range, width, false).0.width() <= width, "{range:?} in {width}");
            }
        }
    }
}
