//! Escapes and classes of patterns.

use std::fmt::Write;

use super::flags::Flags;
use super::translate::{Last, Meant, Reader, Wrong};

impl Reader {
    /// An escape outside of classes.
    pub(super) fn escape(&mut self) -> Result<Last, Wrong> {
        let (start, begin) = (self.at, self.out.len());
        let is_ascii = self.flags.has(Flags::ASCII);
        let place = match self.chars.get(self.at + 1) {
            Some('A') => "\\A",
            Some('Z') => "\\z",
            Some('b') if is_ascii => ASCII_BOUNDARY,
            Some('B') if is_ascii => NO_ASCII_BOUNDARY,
            Some('b') => "\\b",
            Some('B') => "\\B",
            Some('1'..='9') => {
                self.at += 1;
                return self.group_or_octal(start);
            }
            _ => {
                match self.escaped(false)? {
                    Meant::Char(c) => self.literal(c),
                    Meant::Kind(kind) => {
                        let is_not = kind.is_ascii_uppercase();
                        let members = members(kind.to_ascii_lowercase(), is_ascii);
                        let _ = write!(self.out, "[{}{members}]", if is_not { "^" } else { "" });
                    }
                }
                return Ok(Last::Item(begin));
            }
        };
        self.at += 2;
        self.out += place;
        Ok(Last::Place)
    }

    /// `\1`, or three octal digits.
    fn group_or_octal(&mut self, start: usize) -> Result<Last, Wrong> {
        let begin = self.out.len();
        let digits = self.chars[self.at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let octal = self.chars[self.at..].iter().take(3).take_while(|c| c.is_digit(8)).count();
        if octal == 3 {
            let code = self.digits(3, 8);
            if code > 0o377 {
                let text: String = self.chars[start..self.at].iter().collect();
                let message = format!("octal escape value {text} outside of range 0-0o377");
                return Err(self.wrong(message, start));
            }
            self.literal(char::from_u32(code).unwrap_or_default());
            return Ok(Last::Item(begin));
        }
        let group = self.digits(digits.min(2), 10) as usize;
        if group > self.groups {
            return Err(self.wrong(format!("invalid group reference {group}"), start + 1));
        }
        self.reference(group, start)?;
        Ok(Last::Item(begin))
    }

    /// A number of so many digits.
    fn digits(&mut self, count: usize, base: u32) -> u32 {
        let digits = &self.chars[self.at..self.at + count];
        self.at += count;
        digits.iter().fold(0, |sum: u32, c| {
            sum.wrapping_mul(base).wrapping_add(c.to_digit(base).unwrap_or_default())
        })
    }

    /// What an escape means that is neither a place nor a group.
    fn escaped(&mut self, in_class: bool) -> Result<Meant, Wrong> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.next() else {
            return Err(self.wrong("bad escape (end of pattern)", start));
        };
        let hexadecimal = |reader: &mut Reader, count: usize| {
            let there = reader.chars[reader.at..].iter().take(count);
            let found = there.take_while(|c| c.is_ascii_hexdigit()).count();
            let code = reader.digits(found, 16);
            let text: String = reader.chars[start..reader.at].iter().collect();
            match (found == count).then(|| char::from_u32(code)) {
                Some(Some(c)) => Ok(Meant::Char(c)),
                Some(None) => Err(reader.wrong(format!("bad escape {text}"), start)),
                None => Err(reader.wrong(format!("incomplete escape {text}"), start)),
            }
        };
        Ok(match c {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => Meant::Kind(c),
            'a' => Meant::Char('\u{7}'),
            'b' if in_class => Meant::Char('\u{8}'),
            'f' => Meant::Char('\u{c}'),
            'n' => Meant::Char('\n'),
            'r' => Meant::Char('\r'),
            't' => Meant::Char('\t'),
            'v' => Meant::Char('\u{b}'),
            'x' => hexadecimal(self, 2)?,
            'u' => hexadecimal(self, 4)?,
            'U' => hexadecimal(self, 8)?,
            '0'..='7' if in_class || c == '0' => {
                self.at -= 1;
                let there = self.chars[self.at..].iter().take(3);
                let count = there.take_while(|c| c.is_digit(8)).count();
                let code = self.digits(count, 8);
                let text: String = self.chars[start..self.at].iter().collect();
                match char::from_u32(code).filter(|_| code <= 0o377) {
                    Some(c) => Meant::Char(c),
                    None => {
                        let message = format!("octal escape value {text} outside of range 0-0o377");
                        return Err(self.wrong(message, start));
                    }
                }
            }
            c if c.is_ascii_alphanumeric() => {
                return Err(self.wrong(format!("bad escape \\{c}"), start));
            }
            c => Meant::Char(c),
        })
    }

    /// `[…]`
    pub(super) fn class(&mut self) -> Result<(), Wrong> {
        let start = self.at;
        self.at += 1;
        self.out.push('[');
        if self.takes('^') {
            self.out.push('^');
        }
        let first = self.at;
        loop {
            let at = self.at;
            if self.peek() == Some(']') && at != first {
                break;
            }
            let low = self.member(start)?;
            let is_range = self.peek() == Some('-')
                && self.chars.get(self.at + 1).is_none_or(|next| *next != ']');
            if !is_range {
                self.put_member(&low);
                continue;
            }
            self.at += 1;
            let high = self.member(start)?;
            match (low, high) {
                (Meant::Char(low), Meant::Char(high)) if low <= high => {
                    self.literal(low);
                    self.out.push('-');
                    self.literal(high);
                }
                _ => {
                    let text: String = self.chars[at..self.at].iter().collect();
                    return Err(self.wrong(format!("bad character range {text}"), at));
                }
            }
        }
        self.at += 1;
        self.out.push(']');
        Ok(())
    }

    fn member(&mut self, start: usize) -> Result<Meant, Wrong> {
        match self.peek() {
            None => Err(self.wrong("unterminated character set", start)),
            Some('\\') => self.escaped(true),
            Some(c) => {
                self.at += 1;
                Ok(Meant::Char(c))
            }
        }
    }

    fn put_member(&mut self, member: &Meant) {
        match member {
            Meant::Char(c) => self.literal(*c),
            Meant::Kind(kind) => {
                let members = members(kind.to_ascii_lowercase(), self.flags.has(Flags::ASCII));
                let _ = match kind.is_ascii_uppercase() {
                    true => write!(self.out, "[^{members}]"),
                    false => write!(self.out, "{members}"),
                };
            }
        }
    }
}

/// What `\d`, `\s` and `\w` hold, as members of a class.
fn members(kind: char, is_ascii: bool) -> &'static str {
    match (kind, is_ascii) {
        ('d', false) => "\\p{Nd}",
        ('d', true) => "0-9",
        ('s', false) => "\\s\\x{1c}-\\x{1f}",
        ('s', true) => "\\x{9}-\\x{d}\\x{20}",
        (_, false) => "\\p{L}\\p{N}_",
        (_, true) => "0-9A-Z_a-z",
    }
}

const ASCII_BOUNDARY: &str =
    "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))";
const NO_ASCII_BOUNDARY: &str =
    "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))";
