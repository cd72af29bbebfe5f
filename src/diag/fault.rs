//! Errors that do not know their place yet.

use super::{Diagnostic, ErrorKind, SourceResult, Span};

/// An error without a place: what an operation on values returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub kind: ErrorKind,
    pub message: String,
    pub hints: Vec<String>,
    /// Where it comes from a program's function that was called back: all that is known of it.
    pub inner: Option<Box<Diagnostic>>,
    /// Where it arose, in the form in which work is marked with its place, where that is known.
    pub origin: Option<[u32; 3]>,
}

/// An axis that is not there, in an array of so many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAxis {
    pub axis: i64,
    pub rank: usize,
    /// The argument that named it, where several may.
    pub argument: Option<&'static str>,
}

impl From<NoAxis> for Fault {
    #[cold]
    fn from(axis: NoAxis) -> Fault {
        let argument = axis.argument.map(|name| format!("{name}: ")).unwrap_or_default();
        let NoAxis { axis: number, rank, .. } = axis;
        let words =
            format!("{argument}axis {number} is out of bounds for array of dimension {rank}");
        let mut error = Diagnostic::new(ErrorKind::Axis, Span::default(), words);
        error.axis = Some(axis);
        Box::new(error).into()
    }
}

impl Fault {
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), hints: Vec::new(), inner: None, origin: None }
    }

    #[cold]
    pub fn type_error(message: impl Into<String>) -> Fault {
        Fault::new(ErrorKind::Type, message)
    }

    #[cold]
    pub fn value_error(message: impl Into<String>) -> Fault {
        Fault::new(ErrorKind::Value, message)
    }

    /// The fault at its place. What was called back from there has a place of its own already.
    #[cold]
    pub fn placed(self, span: Span) -> Box<Diagnostic> {
        let Fault { kind, message, hints, inner, .. } = self;
        match inner {
            Some(mut inner) => {
                inner.call_from(span);
                Box::new(Diagnostic { kind, message, hints, about: Vec::new(), ..*inner })
            }
            None => Box::new(Diagnostic { hints, ..Diagnostic::new(kind, span, message) }),
        }
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
        self.map_err(|error| error.into().placed(span))
    }
}

impl From<Box<Diagnostic>> for Fault {
    /// The error of something that was called back; it keeps its place.
    #[cold]
    fn from(inner: Box<Diagnostic>) -> Fault {
        let (kind, message, hints) = (inner.kind, inner.message.clone(), inner.hints.clone());
        Fault { kind, message, hints, inner: Some(inner), origin: None }
    }
}
