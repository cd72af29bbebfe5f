//! What went wrong, and where.
//!
//! Lower floors return faults without a place ([`Fault`], or a typed error of their own that turns
//! into one). The interpreter, which knows the text, adds the place with [`At::at`] and the result
//! is a [`Diagnostic`].

mod fault;
mod kind;
mod source;
mod span;
mod suggest;
mod trace;
mod visible;

pub use fault::{At, Fault, NoAxis};
pub use kind::ErrorKind;
pub use source::{Source, SourceMap};
pub use span::{SourceId, Span, Spanned};
pub use suggest::{did_you_mean, undefined};
pub use trace::{CallSite, ClassName, Earlier, Raised};
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
    /// The calls of the program's functions that led to the place, the innermost first.
    pub calls: Vec<CallSite>,
    /// The exception that the program raised.
    pub raised: Option<Raised>,
    /// The error that was being handled, or that this one was raised from.
    pub earlier: Option<Box<Earlier>>,
    /// What an AxisError is about.
    pub axis: Option<NoAxis>,
    /// The parameters that it is about, until the built-in that called the library's function says where they stand.
    pub about: Vec<Box<str>>,
}

impl Diagnostic {
    pub fn new(kind: ErrorKind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            kind,
            span,
            message: message.into(),
            labels: Vec::new(),
            hints: Vec::new(),
            calls: Vec::new(),
            raised: None,
            earlier: None,
            axis: None,
            about: Vec::new(),
        }
    }

    /// The name of its class.
    pub fn name(&self) -> &str {
        self.raised.as_ref().map_or(self.kind.name(), |raised| &raised.class)
    }

    /// Notes where the outermost function that it passed was called, if nobody has noted it yet.
    pub fn call_from(&mut self, span: Span) {
        if self.span == Span::default() {
            self.span = span;
        }
        if let Some(outermost) = self.calls.last_mut()
            && outermost.span == Span::default()
        {
            outermost.span = span;
        }
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hints.push(hint.into());
        self
    }

    /// The texts that it points into, each once, that of the message itself first: its own, those of
    /// the calls that led to it, and those of the error before it.
    pub fn sources(&self) -> Vec<SourceId> {
        let mut ids = self.own_sources();
        let calls = self.calls.iter().map(|call| call.span.source);
        let earlier = self.earlier.iter().flat_map(|earlier| earlier.error.sources());
        add_new(&mut ids, calls.chain(earlier));
        ids
    }

    /// The texts of the message and of its labels.
    pub fn own_sources(&self) -> Vec<SourceId> {
        let mut ids = vec![self.span.source];
        add_new(&mut ids, self.labels.iter().map(|(span, _)| span.source));
        ids
    }

    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }
}

fn add_new(ids: &mut Vec<SourceId>, more: impl Iterator<Item = SourceId>) {
    for id in more {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
}

/// The result of everything that knows its place in the text. Boxed, so that the good path stays
/// small.
pub type SourceResult<T> = Result<T, Box<Diagnostic>>;
