//! What went wrong, and where.
//!
//! Lower floors return faults without a place ([`Fault`], or a typed error of their own that turns
//! into one). The interpreter, which knows the text, adds the place with [`At::at`] and the result
//! is a [`Diagnostic`].

mod fault;
mod source;
mod span;
mod suggest;
mod visible;

pub use fault::{At, ErrorKind, Fault};
pub use source::{Source, SourceMap};
pub use span::{SourceId, Span, Spanned};
pub use suggest::{did_you_mean, undefined};
pub use visible::{escape, is_harmless, is_printable, visible};

/// A message for the user, placed in a source text.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// Python's name for the class of error.
    pub kind: ErrorKind,
    /// The text that the message is about.
    pub span: Span,
    /// Lower case, no final dot, "expected …, found …", code in backticks.
    pub message: String,
    /// Further places that explain the message, each with a few words.
    pub labels: Vec<(Span, String)>,
    /// What to type instead.
    pub hints: Vec<String>,
}

impl Diagnostic {
    pub fn new(kind: ErrorKind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind, span, message: message.into(), labels: Vec::new(), hints: Vec::new() }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(hint.into());
        self
    }

    /// The texts that it points into, each once, that of the message itself first.
    pub fn sources(&self) -> Vec<SourceId> {
        let mut ids = vec![self.span.source];
        for (span, _) in &self.labels {
            if !ids.contains(&span.source) {
                ids.push(span.source);
            }
        }
        ids
    }

    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }
}

/// The result of everything that knows its place in the text. Boxed, so that the good path stays
/// small.
pub type SourceResult<T> = Result<T, Box<Diagnostic>>;
