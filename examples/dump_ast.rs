//! Reads programs from standard input, each ended by a NUL byte, and prints for each the tree in
//! the common form, or `error: message`, ended by a NUL byte. tests/syntax/crosscheck.py compares
//! the answers with CPython's.

use std::io::{self, Read, Write};

use genesis_repl::diag::{Source, SourceId};
use genesis_repl::syntax::{dump, parse};

fn main() -> io::Result<()> {
    let mut programs = String::new();
    io::stdin().read_to_string(&mut programs)?;
    let mut out = io::stdout().lock();
    for program in programs.split_terminator('\0') {
        let source = Source::new(SourceId(0), "<program>", program);
        match parse(&source) {
            Ok(module) => write!(out, "{}\0", dump(&module))?,
            Err(error) => write!(out, "error: {}\0", error.message)?,
        }
    }
    Ok(())
}
