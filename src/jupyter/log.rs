//! What the kernel says beside the protocol. Nothing here can fail: `println!` and `eprintln!` panic
//! where the terminal or the pipe has died, and would take along what should have come after them.

use std::fmt::Arguments;
use std::io::Write;

/// A line on standard error.
pub fn complain(line: Arguments<'_>) {
    // Where nobody reads, there is nobody to tell.
    let _ = std::io::stderr().lock().write_all(format!("genesis-repl: {line}\n").as_bytes());
}

/// A line on standard output.
pub fn say(line: Arguments<'_>) {
    let _ = std::io::stdout().lock().write_all(format!("{line}\n").as_bytes());
}
