//! Which characters show themselves. Others move the cursor, turn the direction of a line around or
//! hide, and are written as escapes wherever a text is quoted.

use std::borrow::Cow;
use std::fmt::Write;

/// Format characters, private ones and separators other than the blank: Unicode's categories Cf, Co,
/// Zl, Zp and Zs.
const HIDDEN: [(u32, u32); 27] = [
    (0xA0, 0xA0),
    (0xAD, 0xAD),
    (0x600, 0x605),
    (0x61C, 0x61C),
    (0x6DD, 0x6DD),
    (0x70F, 0x70F),
    (0x890, 0x891),
    (0x8E2, 0x8E2),
    (0x1680, 0x1680),
    (0x180E, 0x180E),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x205F, 0x2064),
    (0x2066, 0x206F),
    (0x3000, 0x3000),
    (0xE000, 0xF8FF),
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0001, 0xE0001),
    (0xE0020, 0xE007F),
    (0xF0000, 0xFFFFD),
    (0x10_0000, 0x10_FFFF),
];

/// Whether a character shows itself, as Python's `str.isprintable` has it.
pub fn is_printable(c: char) -> bool {
    let code = c as u32;
    !c.is_control() && (code < 0xA0 || !HIDDEN.iter().any(|(a, b)| (*a..=*b).contains(&code)))
}

/// Whether a character may stand as it is in what is told: all but those that would change how the
/// text around them is seen. Blanks of other widths and the joiners of scripts and emoji may.
pub fn is_harmless(c: char) -> bool {
    match c {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => true,
        '\u{200c}' | '\u{200d}' => true,
        // Pictures of a font, and what tables are drawn with on the way.
        '\u{e000}'..='\u{f8ff}' | '\u{e0100}'..='\u{e01ef}' => true,
        c => is_printable(c),
    }
}

/// A character as Python escapes it: `\\x1b`, `\\u202e`, `\\U000e0001`.
pub fn escape(c: char, out: &mut String) {
    let code = c as u32;
    // Writing to a string does not fail.
    let _ = match code {
        0..=0xFF => write!(out, "\\x{code:02x}"),
        0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// A text that may be told: line breaks stay, what would do harm is escaped.
pub fn visible(text: &str) -> Cow<'_, str> {
    let may_stay = |c: char| c == '\n' || is_harmless(c);
    if text.is_ascii() && !text.bytes().any(|b| b.is_ascii_control() && b != b'\n')
        || text.chars().all(may_stay)
    {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\t' => shown.push_str("    "),
            '\r' => shown.push_str("\\r"),
            c if may_stay(c) => shown.push(c),
            c => escape(c, &mut shown),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_change_the_text_around_it_is_escaped() {
        assert_eq!(visible("a\nλ 名前 é 👩‍🚀"), "a\nλ 名前 é 👩‍🚀");
        assert_eq!(visible("\u{202e}x\u{2066}\u{1b}[31m"), "\\u202ex\\u2066\\x1b[31m");
        assert_eq!(visible("a\r\tb\u{e0001}\u{85}"), "a\\r    b\\U000e0001\\x85");
        assert!(matches!(visible("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn printable_as_in_python() {
        for c in [' ', 'a', 'é', '名', '\u{301}'] {
            assert!(is_printable(c), "{c:?}");
        }
        for c in
            ['\n', '\u{7f}', '\u{a0}', '\u{ad}', '\u{200b}', '\u{202e}', '\u{feff}', '\u{e000}']
        {
            assert!(!is_printable(c), "{c:?}");
        }
    }
}
