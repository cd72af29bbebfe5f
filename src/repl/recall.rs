//! The arrows up and down: through the lines of an input, and at its ends through former inputs that
//! begin as what was typed.

use std::sync::{Arc, Mutex, PoisonError};

use rustyline::{Cmd, ConditionalEventHandler, Event, EventContext, RepeatCount};

/// Former inputs, for the conversation and both arrows.
pub type SharedPast = Arc<Mutex<Vec<String>>>;

/// One of the two arrows.
pub struct Arrow {
    pub past: SharedPast,
    pub is_up: bool,
}

impl ConditionalEventHandler for Arrow {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        Some(go(&past, ctx.line(), ctx.pos(), self.is_up))
    }
}

/// Where an arrow leads from byte `at` of the line.
fn go(past: &[String], line: &str, at: usize, is_up: bool) -> Cmd {
    let (before, after) = line.split_at(at);
    let is_amid = if is_up { before.contains('\n') } else { after.contains('\n') };
    // A search leaves the cursor behind what was typed, so that the next arrow goes on with it. An input
    // that came back whole has the cursor at its end: there the arrows go to its neighbours.
    let is_old = past.iter().rev().any(|entry| entry == line);
    let is_whole = after.is_empty() && is_old;
    let is_search = !before.is_empty() && !is_whole && (is_up || is_old);
    match (is_up, is_search && !is_amid) {
        (true, true) => Cmd::HistorySearchBackward,
        (true, false) => Cmd::LineUpOrPreviousHistory(1),
        (false, true) => Cmd::HistorySearchForward,
        (false, false) => Cmd::LineDownOrNextHistory(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_decides() {
        let past = ["x = 1".to_owned(), "if x:\n    y".to_owned()];
        let up = |line: &str, at| go(&past, line, at, true);
        let down = |line: &str, at| go(&past, line, at, false);
        assert_eq!(up("", 0), Cmd::LineUpOrPreviousHistory(1));
        assert_eq!(up("x", 1), Cmd::HistorySearchBackward);
        // Found by a search, and come back whole.
        assert_eq!(up("x = 1", 1), Cmd::HistorySearchBackward);
        assert_eq!(down("x = 1", 1), Cmd::HistorySearchForward);
        assert_eq!(up("x = 1", 5), Cmd::LineUpOrPreviousHistory(1));
        assert_eq!(down("x = 1", 5), Cmd::LineDownOrNextHistory(1));
        assert_eq!(down("new", 3), Cmd::LineDownOrNextHistory(1));
        // Inside of a block the arrows go through its lines.
        assert_eq!(up("if x:\n    y", 11), Cmd::LineUpOrPreviousHistory(1));
        assert_eq!(down("if x:\n    y", 2), Cmd::LineDownOrNextHistory(1));
    }
}
