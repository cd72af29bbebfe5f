//! The texts that spans point into: inputs of a session, and files.

use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::{SourceId, Span};

/// A text that spans point into.
#[derive(Debug, Clone)]
pub struct Source {
    pub id: SourceId,
    /// What the user calls it: `<In 3>`, or a file's path.
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
}

impl Source {
    pub fn new(id: SourceId, name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Source { id, name: name.into(), text, line_starts }
    }

    /// The zero-based line that holds byte `at`, and the byte at which that line begins.
    pub fn line_of(&self, at: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start as usize <= at) - 1;
        (line, self.line_starts[line] as usize)
    }

    /// A line's text without its line break.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line] as usize;
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |next| *next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text that a span covers.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

/// Gives each text a number of its own, and finds it again for as long as somebody holds it: the
/// cell that runs, and what was defined in an earlier one.
#[derive(Debug, Default)]
pub struct SourceMap {
    latest: u32,
    texts: FxHashMap<SourceId, Weak<Source>>,
    kept: VecDeque<Rc<Source>>,
}

/// Texts that are kept for errors.
const KEPT: usize = 16;

impl SourceMap {
    /// Takes in a text that is about to be run.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> Rc<Source> {
        self.texts.retain(|_, text| text.strong_count() > 0);
        self.latest = self.latest.wrapping_add(1).max(1);
        let source = Rc::new(Source::new(SourceId(self.latest), name, text));
        self.texts.insert(source.id, Rc::downgrade(&source));
        source
    }

    /// Holds a text that an error points into: what was defined in it may be gone when the error is shown. The
    /// latest few are held.
    pub fn keep(&mut self, text: &Rc<Source>) {
        if self.kept.iter().any(|kept| kept.id == text.id) {
            return;
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(Rc::clone(text));
    }

    pub fn get(&self, id: SourceId) -> Option<Rc<Source>> {
        self.texts.get(&id)?.upgrade()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_while_it_is_held() {
        let mut map = SourceMap::default();
        let first = map.add("<In 1>", "x = 1");
        let second = map.add("a.gx", "y = 2");
        assert_ne!(first.id, second.id);
        assert_ne!(first.id, SourceId::default(), "the default stands for no text");
        let id = first.id;
        assert_eq!(map.get(id).unwrap().name, "<In 1>");
        drop(first);
        assert!(map.get(id).is_none());
        assert_eq!(map.get(second.id).unwrap().text, "y = 2");
        assert_ne!(map.add("<In 2>", "").id, id);
        let third = map.add("<In 3>", "z = 3");
        map.keep(&third);
        let id = third.id;
        drop(third);
        assert!(map.get(id).is_some());
        for number in 0..KEPT {
            let text = map.add(format!("<In {number}>"), "");
            map.keep(&text);
            map.keep(&text);
        }
        assert!(map.get(id).is_none(), "as many came after it");
    }

    #[test]
    fn lines_and_their_starts() {
        let source = Source::new(SourceId(0), "<In 1>", "x = 1\r\ny = 2\n");
        assert_eq!(source.line(0), "x = 1");
        assert_eq!(source.line(1), "y = 2");
        assert_eq!(source.line_of(0), (0, 0));
        assert_eq!(source.line_of(7), (1, 7));
        assert_eq!(source.line_of(13), (2, 13));
        assert_eq!(source.line(2), "");
    }
}
