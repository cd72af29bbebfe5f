//! Flags of patterns: which there are, and where patterns change them.

use super::translate::{BLANKS, Reader, Wrong};

/// `re.IGNORECASE` and its kin, with CPython's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags(pub i64);

impl Flags {
    pub(super) const IGNORE_CASE: i64 = 2;
    pub(super) const MULTI_LINE: i64 = 8;
    pub(super) const DOT_ALL: i64 = 16;
    pub(super) const UNICODE: i64 = 32;
    pub(super) const VERBOSE: i64 = 64;
    pub(super) const ASCII: i64 = 256;

    pub(super) fn has(self, flag: i64) -> bool {
        self.0 & flag != 0
    }

    /// The flag that a letter stands for in `(?i)`.
    pub(super) fn of(letter: char) -> Option<i64> {
        Some(match letter {
            'i' => Flags::IGNORE_CASE,
            'm' => Flags::MULTI_LINE,
            's' => Flags::DOT_ALL,
            'u' => Flags::UNICODE,
            'x' => Flags::VERBOSE,
            'a' => Flags::ASCII,
            _ => return None,
        })
    }
}

impl Reader {
    /// `(?i)` and its kin where the pattern begins.
    pub(super) fn global_flags(&mut self) -> Result<(), Wrong> {
        while self.chars[self.at..].starts_with(&['(', '?']) {
            let letters = self.chars[self.at + 2..].iter();
            let count = letters.take_while(|c| Flags::of(**c).is_some()).count();
            if count == 0 || self.chars.get(self.at + 2 + count) != Some(&')') {
                break;
            }
            for at in self.at + 2..self.at + 2 + count {
                self.flags.0 |= Flags::of(self.chars[at]).unwrap_or_default();
                if self.flags.has(Flags::ASCII) && self.flags.has(Flags::UNICODE) {
                    let message = "bad inline flags: flags 'a', 'u' and 'L' are incompatible";
                    return Err(self.wrong(message, at + 1));
                }
            }
            self.at += count + 3;
            while self.flags.has(Flags::VERBOSE) && self.peek().is_some_and(|c| BLANKS.contains(c))
            {
                self.at += 1;
            }
        }
        Ok(())
    }

    /// `(?i:…)`, `(?s-i:…)`
    pub(super) fn scoped_flags(&mut self, start: usize) -> Result<(), Wrong> {
        let before = self.flags;
        let mut is_off = false;
        loop {
            let at = self.at;
            match self.next() {
                Some('-') if !is_off => is_off = true,
                Some(':') => break,
                Some(')') if !is_off => {
                    let message = "global flags not at the start of the expression";
                    return Err(self.wrong(message, start));
                }
                Some('L') => {
                    let message = "bad inline flags: cannot use 'L' flag with a str pattern";
                    return Err(self.wrong(message, self.at));
                }
                Some(c) => match Flags::of(c) {
                    Some(Flags::ASCII | Flags::UNICODE) if is_off => {
                        let message = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'";
                        return Err(self.wrong(message, self.at));
                    }
                    Some(Flags::ASCII) => self.flags.0 = self.flags.0 & !32 | Flags::ASCII,
                    Some(Flags::UNICODE) => self.flags.0 = self.flags.0 & !256 | Flags::UNICODE,
                    Some(flag) if is_off => self.flags.0 &= !flag,
                    Some(flag) => self.flags.0 |= flag,
                    None if c.is_alphabetic() => return Err(self.wrong("unknown flag", at)),
                    None if is_off => return Err(self.wrong("missing :", at)),
                    None => return Err(self.wrong("missing -, : or )", at)),
                },
                None if is_off => return Err(self.wrong("missing flag", at)),
                None => return Err(self.wrong("missing -, : or )", at)),
            }
        }
        let case = match self.flags.has(Flags::IGNORE_CASE) {
            now if now == before.has(Flags::IGNORE_CASE) => "(?:",
            true => "(?i:",
            false => "(?-i:",
        };
        self.out += case;
        self.alternatives()?;
        self.flags = before;
        self.close(start)
    }
}
