//! Errors in the hands of Rust.

use std::fmt;
use std::rc::Rc;

use crate::diag::{Diagnostic, Fault, Source};
use crate::report::{Markup, Report, excerpt};

/// What went wrong: the message, the place in the program, the remedy.
#[derive(Clone)]
pub struct Failure {
    text: Markup,
}

impl Failure {
    pub(super) fn new(error: &Diagnostic, sources: &[Rc<Source>]) -> Failure {
        Failure { text: excerpt(error, sources) }
    }

    /// The message with its place, for pages.
    pub fn to_report(&self) -> Report {
        Report::Text(self.text.clone())
    }

    pub fn evcxr_display(&self) {
        self.to_report().evcxr_display();
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        let mut text = Markup::new().error(fault.kind.name()).plain(format!(": {}", fault.message));
        for hint in &fault.hints {
            text = text.hint("\n  hint: ").plain(hint.as_str());
        }
        Failure { text }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text.to_plain())
    }
}

/// As it reads: this is what a notebook prints of an error that `?` returned.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}
