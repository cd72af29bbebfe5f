//! The arrows up and down: through the lines of an input, and at its ends through former inputs that
//! begin as what was typed.
//!
//! The line editor counts a step before it knows whether something is found, and forgets what was typed
//! when a search begins. So the place among former inputs is kept here, and the editor's own search
//! asks for it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rustyline::history::{History, MemHistory, SearchDirection, SearchResult};
use rustyline::{Cmd, ConditionalEventHandler, Config, Event, EventContext, RepeatCount, Result};

/// The place among former inputs, for the history, the arrows and the conversation.
#[derive(Debug, Clone, Default)]
pub struct SharedPlace(Arc<Mutex<Place>>);

impl SharedPlace {
    fn with<T>(&self, look: impl FnOnce(&mut Place) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A new line is typed.
    pub fn leave(&self) {
        self.with(|place| *place = Place::default());
    }

    /// Whoever searches now is not an arrow.
    pub fn forget_step(&self) {
        self.with(|place| place.is_wanted = false);
    }
}

#[derive(Debug, Default)]
struct Place {
    /// What was typed, and the cursor in it: inputs are looked for that begin as what is before it.
    typed: (String, usize),
    /// What the line was when an arrow or a search had been there.
    shown: Option<String>,
    /// Which former input that is; none for what was typed.
    at: Option<usize>,
    /// Whether an arrow waits for the history's answer.
    is_wanted: bool,
}

impl Place {
    /// Where an arrow leads from byte `at` of the line.
    fn go(&mut self, line: &str, at: usize, is_up: bool) -> Cmd {
        let (before, after) = line.split_at(at);
        let is_amid = if is_up { before.contains('\n') } else { after.contains('\n') };
        match (is_amid, is_up) {
            (true, true) => return Cmd::LineUpOrPreviousHistory(1),
            (true, false) => return Cmd::LineDownOrNextHistory(1),
            _ => {}
        }
        if self.shown.as_deref() != Some(line) {
            (self.typed, self.at) = ((line.to_owned(), at), None);
        }
        if self.at.is_none() && !is_up {
            return Cmd::Noop;
        }
        self.is_wanted = true;
        if is_up { Cmd::HistorySearchBackward } else { Cmd::HistorySearchForward }
    }

    /// The next input on the way, its number, and where the cursor stands in it.
    fn step(&mut self, past: &MemHistory, is_up: bool) -> Result<(String, usize, usize)> {
        let now = match self.at {
            Some(_) => self.shown.clone().unwrap_or_default(),
            None => self.typed.0.clone(),
        };
        let begin = &self.typed.0[..self.typed.1];
        let mut found = None;
        let mut at = self.at.unwrap_or(past.len());
        while found.is_none() {
            at = match is_up {
                true if at > 0 => at - 1,
                false if at + 1 < past.len() => at + 1,
                _ => break,
            };
            let entry = past.get(at, SearchDirection::Forward)?.map(|found| found.entry);
            found = entry.filter(|entry| entry.starts_with(begin) && **entry != *now);
        }
        let (line, cursor) = match found {
            Some(entry) => {
                self.at = Some(at);
                (entry.into_owned(), None)
            }
            // The oldest one stays; behind the newest one is what was typed.
            None if is_up && self.at.is_some() => (now, None),
            None => {
                self.at = None;
                (self.typed.0.clone(), Some(self.typed.1))
            }
        };
        self.shown = Some(line.clone());
        let cursor = cursor.unwrap_or(line.len());
        Ok((line, self.at.unwrap_or(past.len()), cursor))
    }
}

/// One of the two arrows.
pub struct Arrow {
    pub place: SharedPlace,
    pub is_up: bool,
}

impl ConditionalEventHandler for Arrow {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        Some(self.place.with(|place| place.go(ctx.line(), ctx.pos(), self.is_up)))
    }
}

/// Former inputs, in which arrows keep their place.
pub struct Past {
    inputs: MemHistory,
    place: SharedPlace,
}

impl Past {
    pub fn new(config: &Config, place: SharedPlace) -> Past {
        Past { inputs: MemHistory::with_config(config), place }
    }
}

impl History for Past {
    fn get(&self, index: usize, way: SearchDirection) -> Result<Option<SearchResult<'_>>> {
        self.inputs.get(index, way)
    }

    fn add(&mut self, line: &str) -> Result<bool> {
        self.inputs.add(line)
    }

    fn add_owned(&mut self, line: String) -> Result<bool> {
        self.inputs.add_owned(line)
    }

    fn len(&self) -> usize {
        self.inputs.len()
    }

    fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    fn set_max_len(&mut self, len: usize) -> Result<()> {
        self.inputs.set_max_len(len)
    }

    fn ignore_dups(&mut self, yes: bool) -> Result<()> {
        self.inputs.ignore_dups(yes)
    }

    fn ignore_space(&mut self, yes: bool) {
        self.inputs.ignore_space(yes);
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        self.inputs.save(path)
    }

    fn append(&mut self, path: &Path) -> Result<()> {
        self.inputs.append(path)
    }

    fn load(&mut self, path: &Path) -> Result<()> {
        self.inputs.load(path)
    }

    fn clear(&mut self) -> Result<()> {
        self.inputs.clear()
    }

    fn search(
        &self,
        term: &str,
        start: usize,
        way: SearchDirection,
    ) -> Result<Option<SearchResult<'_>>> {
        let found = self.inputs.search(term, start, way)?;
        if let Some(found) = &found {
            // From what Ctrl-R found the arrows lead to its neighbours.
            let (shown, at) = (Some(found.entry.clone().into_owned()), Some(found.idx));
            self.place.with(|place| *place = Place { shown, at, ..Place::default() });
        }
        Ok(found)
    }

    fn starts_with(
        &self,
        term: &str,
        start: usize,
        way: SearchDirection,
    ) -> Result<Option<SearchResult<'_>>> {
        let step = self.place.with(|place| {
            let is_wanted = std::mem::take(&mut place.is_wanted);
            is_wanted.then(|| place.step(&self.inputs, way == SearchDirection::Reverse))
        });
        let Some(step) = step else {
            return self.inputs.starts_with(term, start, way);
        };
        let (entry, idx, pos) = step?;
        // At its first input the editor would not ask again, for another text either.
        let idx = idx.max(1).min(self.inputs.len());
        Ok(Some(SearchResult { entry: Cow::Owned(entry), idx, pos }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presses arrows at a line, as the editor does; gives the line and the cursor after each.
    fn walk(past: &[&str], typed: (&str, usize), keys: &str) -> Vec<(String, usize)> {
        let mut history = Past::new(&Config::default(), SharedPlace::default());
        for input in past {
            history.add(input).unwrap();
        }
        let (mut line, mut at) = (typed.0.to_owned(), typed.1);
        let mut seen = Vec::new();
        for key in keys.chars() {
            let is_up = key == 'U';
            let command = history.place.with(|place| place.go(&line, at, is_up));
            let way = if is_up { SearchDirection::Reverse } else { SearchDirection::Forward };
            if matches!(command, Cmd::HistorySearchBackward | Cmd::HistorySearchForward) {
                let found = history.starts_with(&line[..at], 0, way).unwrap().unwrap();
                (line, at) = (found.entry.into_owned(), found.pos);
            }
            seen.push((line.clone(), at));
        }
        seen
    }

    #[test]
    fn there_and_back() {
        let past = ["x = 1", "y = 2", "x = 3", "x = 3", "z"];
        let lines = |typed, keys| -> Vec<String> {
            walk(&past, typed, keys).into_iter().map(|(line, _)| line).collect()
        };
        assert_eq!(lines(("x", 1), "UUUDDU"), ["x = 3", "x = 1", "x = 1", "x = 3", "x", "x = 3"]);
        assert_eq!(lines(("", 0), "UUUUUDDDDD")[4..], ["x = 1", "y = 2", "x = 3", "z", "", ""]);
        // What is in the history already begins others.
        assert_eq!(lines(("x = 1", 1), "UUD"), ["x = 3", "x = 1", "x = 3"]);
        // Nothing is found: the line and its cursor stay.
        assert_eq!(walk(&past, ("q1", 1), "UDU")[2], ("q1".to_owned(), 1));
        assert_eq!(walk(&["x"], ("", 0), "UUD")[2], (String::new(), 0));
        assert_eq!(walk(&past, ("x", 1), "U")[0], ("x = 3".to_owned(), 5));
    }

    #[test]
    fn inside_of_a_block_the_arrows_go_through_its_lines() {
        let go = |line: &str, at, is_up| Place::default().go(line, at, is_up);
        assert_eq!(go("if x:\n    y", 11, true), Cmd::LineUpOrPreviousHistory(1));
        assert_eq!(go("if x:\n    y", 2, false), Cmd::LineDownOrNextHistory(1));
        assert_eq!(go("if x:\n    y", 11, false), Cmd::Noop);
    }
}
