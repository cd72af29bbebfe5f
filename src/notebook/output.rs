//! What came of a cell.

use std::cell::Cell;
use std::fmt;
use std::io::Write;

use super::{Failure, FromValue};
use crate::diag::Fault;
use crate::report::Report;
use crate::session::host::Kept;
use crate::session::{Session, Sink, Value};

/// Reports, results and perhaps an error. An error that nobody looks at is written to standard
/// error when the output goes, so that no failed line passes unseen.
#[derive(Default)]
pub struct Output {
    reports: Vec<Report>,
    failure: Option<Failure>,
    /// The value of the last statement.
    value: Option<Kept>,
    is_seen: Cell<bool>,
    /// Whether `print` left a line open.
    is_amid_line: bool,
}

impl Output {
    pub(super) fn of(report: Report) -> Output {
        let mut output = Output::default();
        output.reports.push(report);
        output
    }

    pub(super) fn failed(failure: Failure) -> Output {
        let mut output = Output::default();
        output.failure = Some(failure);
        output
    }

    pub(super) fn push(&mut self, report: Report) {
        self.reports.push(report);
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        self.failure = Some(failure);
    }

    pub(super) fn keep(&mut self, session: &Session, value: &Value) {
        self.value = Some(Kept::new(session, value));
    }

    /// Ends a line that `print` left open.
    pub(super) fn end_line(&mut self) {
        if std::mem::take(&mut self.is_amid_line) {
            self.text("\n");
            self.is_amid_line = false;
        }
    }

    /// The error, if there is one.
    pub fn failure(&self) -> Option<&Failure> {
        self.is_seen.set(true);
        self.failure.as_ref()
    }

    /// Nothing, or the error: `g.run("…").check()?` stops a cell of Rust.
    ///
    /// # Errors
    /// The output's own.
    pub fn check(&self) -> Result<(), Failure> {
        self.failure().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// The value of the last statement as one of Rust.
    ///
    /// # Errors
    /// The output's own error, or the value is no such thing.
    pub fn get<T: FromValue>(&self) -> Result<T, Failure> {
        self.check()?;
        match &self.value {
            Some(value) => Ok(value.get()?),
            None => Err(Fault::type_error("there is no value to get").into()),
        }
    }

    /// Everything to show, one under the other.
    pub fn to_report(&self) -> Report {
        self.is_seen.set(true);
        let failure = self.failure.iter().map(Failure::to_report);
        let mut reports: Vec<Report> = self.reports.iter().cloned().chain(failure).collect();
        match reports.len() {
            1 => reports.remove(0),
            _ => Report::Stack(reports),
        }
    }

    /// As text and as a page.
    pub fn evcxr_display(&self) {
        let report = self.to_report();
        if !matches!(&report, Report::Stack(reports) if reports.is_empty()) {
            report.evcxr_display();
        }
    }
}

impl Sink for Output {
    fn text(&mut self, text: &str) {
        let mut out = std::io::stdout().lock();
        // Where nobody reads, nothing is lost that somebody could see.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if !text.is_empty() {
            self.is_amid_line = !text.ends_with('\n');
        }
    }

    fn report(&mut self, report: &Report) {
        self.reports.push(report.clone());
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(failure) = self.failure.take().filter(|_| !self.is_seen.get()) {
            let text = format!("{failure}\n");
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
        }
    }
}

/// The text of everything to show.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_report().to_plain())
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
