//! Plain Python beside CPython, whose answers the scripts of this folder wrote down.

mod calls;
mod classes;
mod cycles;
mod library;
mod programs;

use std::path::{Path, PathBuf};

use genesis_repl::report::Report;
use genesis_repl::session::Sink;

/// Collects what programs print.
#[derive(Default)]
struct Printed(String);

impl Sink for Printed {
    fn text(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn report(&mut self, report: &Report) {
        self.0.push_str(&report.to_plain());
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python")
}
