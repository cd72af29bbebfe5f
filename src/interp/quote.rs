//! Texts in quotes, and texts in ASCII, as Python escapes them.

use super::long_text;
use super::room::{PIECE, Pace};
use crate::diag::{Fault, escape, is_printable};
use crate::tensor::Engine;

/// A string in quotes, as Python chooses and escapes them.
pub fn quote(text: &str, out: &mut String) {
    let mark = mark(text.contains('\''), text.contains('"'));
    out.reserve(text.len() + 2);
    out.push(mark);
    escaped(text, mark, out);
    out.push(mark);
}

/// As [`quote`], of a text of any length.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub(super) fn quoted(engine: &Engine, text: &str, out: &mut String) -> Result<(), Fault> {
    if text.len() <= PIECE {
        quote(text, out);
        return Ok(());
    }
    let holds = |mark| long_text::find(engine, text, mark).map(|at| at.is_some());
    let mark = mark(holds("'")?, holds("\"")?);
    let mut pace = Pace::new(engine);
    out.push(mark);
    for piece in long_text::pieces(text) {
        let before = out.len();
        escaped(piece, mark, out);
        pace.step(out.len() - before)?;
    }
    out.push(mark);
    Ok(())
}

/// A text with everything beyond ASCII escaped.
///
/// # Errors
/// MemoryError, Ctrl-C.
pub(super) fn ascii(engine: &Engine, text: &str) -> Result<String, Fault> {
    let escaped = |text: &str| {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if c.is_ascii() { out.push(c) } else { escape(c, &mut out) }
        }
        out
    };
    long_text::mapped(engine, text, escaped)
}

/// What stands around a text that holds single quotes, or double ones.
fn mark(holds_single: bool, holds_double: bool) -> char {
    if holds_single && !holds_double { '"' } else { '\'' }
}

fn escaped(text: &str, mark: char, out: &mut String) {
    // Long texts seldom hold what must be escaped.
    let mut rest = text;
    let is_escaped = |c: char| c == mark || c == '\\' || !is_printable(c);
    while let Some(at) = rest.find(is_escaped) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut tail = tail.chars();
        match tail.next().unwrap_or_default() {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == mark => {
                out.push('\\');
                out.push(c);
            }
            c => escape(c, out),
        }
        rest = tail.as_str();
    }
    out.push_str(rest);
}
