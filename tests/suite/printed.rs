//! What a session prints, as text.

use genesis_repl::report::Report;
use genesis_repl::session::Sink;

/// Collects what statements print.
#[derive(Default)]
pub struct Printed(pub String);

impl Sink for Printed {
    fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn report(&mut self, report: &Report) {
        self.0.push_str(&report.to_plain());
    }
}
