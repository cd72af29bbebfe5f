//! Errors that do not know their place yet.

use std::fmt;

use super::{Diagnostic, SourceResult, Span};

/// The classes of error, by Python's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    Assertion,
    Attribute,
    Eof,
    FileNotFound,
    Indentation,
    Index,
    Key,
    KeyboardInterrupt,
    Memory,
    Name,
    Os,
    Overflow,
    Runtime,
    Syntax,
    Tab,
    Type,
    Value,
    ZeroDivision,
}

impl ErrorKind {
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Assertion => "AssertionError",
            ErrorKind::Attribute => "AttributeError",
            ErrorKind::Eof => "EOFError",
            ErrorKind::FileNotFound => "FileNotFoundError",
            ErrorKind::Indentation => "IndentationError",
            ErrorKind::Index => "IndexError",
            ErrorKind::Key => "KeyError",
            ErrorKind::KeyboardInterrupt => "KeyboardInterrupt",
            ErrorKind::Memory => "MemoryError",
            ErrorKind::Name => "NameError",
            ErrorKind::Os => "OSError",
            ErrorKind::Overflow => "OverflowError",
            ErrorKind::Runtime => "RuntimeError",
            ErrorKind::Syntax => "SyntaxError",
            ErrorKind::Tab => "TabError",
            ErrorKind::Type => "TypeError",
            ErrorKind::Value => "ValueError",
            ErrorKind::ZeroDivision => "ZeroDivisionError",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error without a place: what an operation on values returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub kind: ErrorKind,
    pub message: String,
    pub hints: Vec<String>,
}

impl Fault {
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), hints: Vec::new() }
    }

    #[cold]
    pub fn type_error(message: impl Into<String>) -> Fault {
        Fault::new(ErrorKind::Type, message)
    }

    #[cold]
    pub fn value_error(message: impl Into<String>) -> Fault {
        Fault::new(ErrorKind::Value, message)
    }

    #[cold]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Fault {
        self.hints.push(hint.into());
        self
    }
}

/// Gives an error its place.
pub trait At<T> {
    fn at(self, span: Span) -> SourceResult<T>;
}

impl<T, E: Into<Fault>> At<T> for Result<T, E> {
    fn at(self, span: Span) -> SourceResult<T> {
        self.map_err(|error| {
            let Fault { kind, message, hints } = error.into();
            Box::new(Diagnostic { kind, span, message, labels: Vec::new(), hints })
        })
    }
}
