//! What a program may do beside computing: print, warn, ask.

use crate::diag::Fault;
use crate::report::Report;

/// The user, as a program sees them.
pub trait World {
    /// What `print` writes.
    fn write(&self, text: &str);

    /// What a program shows that is no text: a figure.
    fn show(&self, report: &Report);

    /// Takes away what the cell has shown so far; with `wait`, only when it shows something new.
    fn clear(&self, wait: bool) {
        _ = wait;
    }

    /// What `warnings.warn` says; no part of the program's output.
    fn warn(&self, message: &str);

    /// A line that the user types, for `input`.
    ///
    /// # Errors
    /// Nobody is there, the input has ended, Ctrl-C.
    fn ask(&self, prompt: &str) -> Result<String, Fault>;
}
