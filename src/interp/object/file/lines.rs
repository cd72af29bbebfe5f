//! Line breaks, as `open(newline=…)` says.

use std::borrow::Cow;

use crate::diag::Fault;

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newline {
    /// `None`: all kinds, each read as `\n`.
    Universal,
    /// `''`: all kinds as they are.
    Kept,
    /// `'\n'`
    Line,
    /// `'\r'`
    Return,
    /// `'\r\n'`
    Both,
}

impl Newline {
    /// # Errors
    /// ValueError for another text.
    pub fn of(text: Option<&str>) -> Result<Newline, Fault> {
        Ok(match text {
            None => Newline::Universal,
            Some("") => Newline::Kept,
            Some("\n") => Newline::Line,
            Some("\r") => Newline::Return,
            Some("\r\n") => Newline::Both,
            Some(other) => {
                return Err(Fault::value_error(format!("illegal newline value: {other}")));
            }
        })
    }

    /// A text as it is written.
    pub fn written(self, text: &str) -> Cow<'_, str> {
        match self {
            Newline::Universal if cfg!(windows) => Cow::Owned(text.replace('\n', "\r\n")),
            Newline::Both => Cow::Owned(text.replace('\n', "\r\n")),
            Newline::Return => Cow::Owned(text.replace('\n', "\r")),
            _ => Cow::Borrowed(text),
        }
    }

    /// A text as it is read.
    pub fn read(self, text: String) -> String {
        match self {
            Newline::Universal if text.contains('\r') => {
                text.replace("\r\n", "\n").replace('\r', "\n")
            }
            _ => text,
        }
    }

    /// Where the first line ends behind its break; `None` where more bytes must be seen. At the end
    /// of the file there are none.
    pub fn end(self, bytes: &[u8], is_all: bool) -> Option<usize> {
        let find = |wanted: u8| bytes.iter().position(|byte| *byte == wanted);
        match self {
            Newline::Line => find(b'\n').map(|at| at + 1),
            Newline::Return => find(b'\r').map(|at| at + 1),
            Newline::Both => bytes.windows(2).position(|pair| pair == b"\r\n").map(|at| at + 2),
            Newline::Universal | Newline::Kept => {
                let at = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
                match (bytes[at], bytes.get(at + 1)) {
                    (b'\r', Some(b'\n')) => Some(at + 2),
                    (b'\r', None) if !is_all => None,
                    _ => Some(at + 1),
                }
            }
        }
    }
}
