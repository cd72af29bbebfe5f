//! The arrows up and down: through the lines of an input, and at its ends through former inputs that
//! begin as what was typed.

use std::sync::{Arc, Mutex, PoisonError};

use rustyline::{Cmd, ConditionalEventHandler, Event, EventContext, Movement, RepeatCount};

/// Former inputs, and the search through them.
#[derive(Debug, Default)]
pub struct Past {
    entries: Vec<String>,
    search: Option<Search>,
}

/// What the arrows found so far.
#[derive(Debug)]
struct Search {
    /// What entries begin with: what stood before the cursor.
    prefix: String,
    /// The line that was being typed.
    typed: String,
    /// The entry that is shown; behind the last one for the line itself.
    at: usize,
    shown: String,
}

/// What both arrows and the conversation share.
pub type SharedPast = Arc<Mutex<Past>>;

impl Past {
    pub fn push(&mut self, entry: &str) {
        self.search = None;
        if self.entries.last().is_none_or(|last| last != entry) {
            self.entries.push(entry.to_owned());
        }
    }

    /// The text to show instead of `line`, whose cursor is behind `before`; none at the end.
    fn go(&mut self, line: &str, before: &str, is_back: bool) -> Option<String> {
        let is_old = self.search.as_ref().is_some_and(|search| search.shown == line);
        if !is_old && !is_back {
            return None;
        }
        let search = self.search.take().filter(|_| is_old);
        let mut search = search.unwrap_or_else(|| Search {
            prefix: before.to_owned(),
            typed: line.to_owned(),
            at: self.entries.len(),
            shown: line.to_owned(),
        });
        let fits = |entry: &String| entry.starts_with(&search.prefix) && **entry != search.shown;
        let found = match is_back {
            true => self.entries[..search.at].iter().rposition(fits),
            false => {
                let from = (search.at + 1).min(self.entries.len());
                let later = self.entries[from..].iter().position(fits).map(|at| from + at);
                later.or((search.at < self.entries.len()).then_some(self.entries.len()))
            }
        };
        if let Some(at) = found {
            search.at = at;
            search.shown = self.entries.get(at).unwrap_or(&search.typed).clone();
        }
        let shown = found.map(|_| search.shown.clone());
        self.search = Some(search);
        shown
    }
}

/// One of the two arrows.
pub struct Arrow {
    pub past: SharedPast,
    pub is_up: bool,
}

impl ConditionalEventHandler for Arrow {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let (line, at) = (ctx.line(), ctx.pos());
        let (before, after) = line.split_at(at);
        match self.is_up {
            true if before.contains('\n') => return Some(Cmd::LineUpOrPreviousHistory(1)),
            false if after.contains('\n') => return Some(Cmd::LineDownOrNextHistory(1)),
            _ => {}
        }
        let mut past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(text) = past.go(line, before, self.is_up) else { return Some(Cmd::Noop) };
        Some(Cmd::Replace(Movement::WholeBuffer, Some(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_as_it_was_typed() {
        let mut past = Past::default();
        for entry in ["x = 1", "y = 2", "x = 3", "x = 3", "z"] {
            past.push(entry);
        }
        let mut line = "x".to_owned();
        let mut press = |is_back: bool| {
            let before = line.clone();
            if let Some(text) = past.go(&line, &before, is_back) {
                line = text;
            }
            line.clone()
        };
        assert_eq!([press(true), press(true), press(true)], ["x = 3", "x = 1", "x = 1"]);
        assert_eq!([press(false), press(false), press(false)], ["x = 3", "x", "x"]);
        assert_eq!(press(true), "x = 3");
    }

    #[test]
    fn an_edited_line_begins_a_search_of_its_own() {
        let mut past = Past::default();
        ["a1", "b1", "a2"].into_iter().for_each(|entry| past.push(entry));
        assert_eq!(past.go("", "", true).as_deref(), Some("a2"));
        assert_eq!(past.go("a2", "a2", true).as_deref(), Some("b1"));
        assert_eq!(past.go("a", "a", true).as_deref(), Some("a2"));
        assert_eq!(past.go("q", "q", true), None);
        assert_eq!(past.go("q", "q", false), None);
    }
}
