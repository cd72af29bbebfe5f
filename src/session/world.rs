//! Programs reach the user through the session's sink, or reach nobody.

use std::cell::RefCell;

use super::Sink;
use crate::diag::{ErrorKind, Fault};
use crate::interp::World;
use crate::report::{Markup, Report};

/// A sink, for a program that runs.
pub struct Through<'a> {
    pub sink: RefCell<&'a mut dyn Sink>,
}

impl<'a> Through<'a> {
    pub fn new(sink: &'a mut dyn Sink) -> Through<'a> {
        Through { sink: RefCell::new(sink) }
    }
}

impl World for Through<'_> {
    fn write(&self, text: &str) {
        self.sink.borrow_mut().text(text);
    }

    fn show(&self, report: &Report) {
        self.sink.borrow_mut().report(report);
    }

    fn clear(&self, wait: bool) {
        self.sink.borrow_mut().clear(wait);
    }

    fn warn(&self, message: &str) {
        self.sink.borrow_mut().notice(&Markup::new().warn("warning").plain(format!(": {message}")));
    }

    fn ask(&self, prompt: &str) -> Result<String, Fault> {
        self.sink.borrow_mut().input(prompt)
    }
}

/// Nobody listens: what is evaluated on the side.
#[derive(Debug)]
pub struct Nobody;

impl Nobody {
    pub const WORLD: &'static &'static dyn World = &(&Nobody as &dyn World);
}

impl Sink for Nobody {
    fn text(&mut self, _text: &str) {}

    fn report(&mut self, _report: &Report) {}
}

impl World for Nobody {
    fn write(&self, _text: &str) {}

    fn show(&self, _report: &Report) {}

    fn warn(&self, _message: &str) {}

    fn ask(&self, _prompt: &str) -> Result<String, Fault> {
        Err(nobody_answers())
    }
}

/// Keeps what was shown, and hears nothing else.
#[derive(Debug, Default)]
pub struct Witness(pub RefCell<Vec<Report>>);

impl World for Witness {
    fn write(&self, _text: &str) {}

    fn show(&self, report: &Report) {
        self.0.borrow_mut().push(report.clone());
    }

    fn warn(&self, _message: &str) {}

    fn ask(&self, _prompt: &str) -> Result<String, Fault> {
        Err(nobody_answers())
    }
}

/// Why `input()` fails where a program runs by itself.
#[cold]
pub fn nobody_answers() -> Fault {
    let message = "`input()` has nobody to ask here";
    let hint = "run it in the terminal or in a notebook, or pipe the answers in";
    Fault::new(ErrorKind::Runtime, message).with_hint(hint)
}
