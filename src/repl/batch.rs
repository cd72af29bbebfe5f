//! Programs that are not typed: `-e`, a file, a pipe. The first error ends them.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use crate::diag::ErrorKind;
use crate::report::{Markup, excerpt};
use crate::session::Session;

use super::screen::{Screen, complain};

/// What a program that Ctrl-C ended exits with, as a shell reports it.
const INTERRUPTED: u8 = 130;

/// The name of a program that is ours: where an error stands in it says nothing to a user.
pub const OURS: &str = "<command line>";

/// Runs each text in turn. The value of a text's last expression is shown without a number.
pub fn run(
    session: &mut Session,
    texts: &[(String, String)],
    screen: &mut Screen,
    error_color: bool,
) -> ExitCode {
    let mut status = 0;
    for (name, text) in texts {
        let mut outcome = session.run_named(name, text, screen);
        if let Some(report) = session.show(&mut outcome) {
            let text = screen.draw(&report);
            screen.write(&(text + "\n"));
        }
        if let Some(error) = &outcome.error {
            let sources = if name == OURS { &[] } else { &outcome.sources[..] };
            complain(&excerpt(error, sources), error_color);
            return match error.kind {
                ErrorKind::KeyboardInterrupt => ExitCode::from(INTERRUPTED),
                _ => ExitCode::FAILURE,
            };
        }
        status = outcome.status;
        if outcome.quit || screen.is_closed() {
            break;
        }
    }
    match screen.failure() {
        None => ExitCode::from(status),
        Some(error) => lost(error, error_color),
    }
}

/// Output did not arrive: whoever waits for it must not take the run for a good one.
pub fn lost(error: &std::io::Error, color: bool) -> ExitCode {
    fail(&format!("the output was lost: {error}"), color)
}

/// A program's text from a file, or from standard input where the path is `-`.
///
/// # Errors
/// A message, where it can't be read or is not UTF-8.
pub fn read(path: &Path) -> Result<String, String> {
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        ("standard input".to_string(), read.map(|_| bytes))
    } else {
        (format!("`{}`", path.display()), std::fs::read(path))
    };
    let bytes = bytes.map_err(|error| format!("can't read {name}: {error}"))?;
    String::from_utf8(bytes).map_err(|error| {
        let (good, bad) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let byte = bad.first().copied().unwrap_or_default();
        format!("expected UTF-8 in {name}, found byte 0x{byte:02x} in line {line}")
    })
}

/// A failure without a place in a program.
pub fn fail(message: &str, color: bool) -> ExitCode {
    complain(&Markup::new().error("error").plain(format!(": {message}")), color);
    ExitCode::FAILURE
}
