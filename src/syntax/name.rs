//! What a name is, as Python has it: Unicode's identifiers, compared in their compatibility form.

use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::UnicodeNormalization;

/// Whether a name can begin with this character.
pub fn starts_name(c: char) -> bool {
    c == '_' || is_xid_start(c)
}

/// Whether a name can go on with this character.
pub fn continues_name(c: char) -> bool {
    // The underscore is among them. Later versions of Unicode let names have joiners, which nobody
    // sees, and middle dots.
    is_xid_continue(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '・' | '･')
}

/// Whether Python takes the text for a name; keywords are such texts, too.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}

/// The name that a text means: `ﬁt` is `fit`, and a micro sign the Greek letter.
pub fn normalized<S: for<'a> From<&'a str>>(text: &str) -> S {
    match text.is_ascii() {
        true => S::from(text),
        false => S::from(&text.nfkc().collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a of 64 bits.
    fn hash(mut state: u64, bytes: &[u8]) -> u64 {
        for byte in bytes {
            state = (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        state
    }

    fn ranges(line: &str) -> Vec<(u32, u32)> {
        let mut at = 0;
        let numbers = line.split(' ').map(|gap| {
            at += u32::from_str_radix(gap, 16).unwrap();
            at
        });
        let ends: Vec<u32> = numbers.collect();
        ends.chunks(2).map(|pair| (pair[0], pair[1])).collect()
    }

    fn holds(ranges: &[(u32, u32)], point: u32) -> bool {
        let next = ranges.partition_point(|(start, _)| *start <= point);
        next > 0 && point < ranges[next - 1].1
    }

    /// `tests/syntax/identifiers.py` wrote CPython's answers down.
    #[test]
    fn every_character_is_what_it_is_in_cpython() {
        let golden = include_str!("../../tests/syntax/identifiers.txt");
        let mut lines = golden.lines().filter(|line| !line.starts_with('#'));
        let mut next = |name: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(name)).map(str::trim);
            line.unwrap_or_else(|| panic!("no line `{name}`")).to_owned()
        };
        let [start, goes_on, unassigned] =
            ["start", "continue", "unassigned"].map(|name| ranges(&next(name)));
        for plane in 0..17 {
            let (mut digest, mut count) = (0xcbf2_9ce4_8422_2325, 0);
            for point in plane << 16..(plane + 1) << 16 {
                let Some(c) = char::from_u32(point) else { continue };
                // Unicode goes on to assign characters; an older Python has not heard of them.
                if holds(&unassigned, point) {
                    continue;
                }
                assert_eq!(starts_name(c), holds(&start, point), "{point:04X} begins a name");
                assert_eq!(continues_name(c), holds(&goes_on, point), "{point:04X} in a name");
                let name: String = normalized(c.encode_utf8(&mut [0; 4]));
                digest = hash(hash(digest, name.as_bytes()), &[0]);
                count += 1;
            }
            assert_eq!(format!("{count} {digest:016x}"), next(&format!("nfkc {plane}")));
        }
    }

    #[test]
    fn names() {
        for name in ["x", "_", "x1", "α", "变量", "ªb", "naïve", "nai\u{308}ve", "x·y", "ℯ"]
        {
            assert!(is_identifier(name), "{name}");
        }
        for text in ["", "1", "x²", "x₂", "½", "x y", "\u{308}a", "a-b", "€", "x٫", "①"] {
            assert!(!is_identifier(text), "{text}");
        }
        let same = [("ﬁt", "fit"), ("µ", "μ"), ("nai\u{308}ve", "naïve"), ("𝐱1", "x1"), ("ℯ", "e")];
        for (written, meant) in same {
            assert_eq!(normalized::<String>(written), meant);
        }
    }
}
