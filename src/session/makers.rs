//! What memory is made for: a statement, or inside blocks and functions the line that asks for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::diag::{Source, SourceId, Span};
use crate::interp::Interp;
use crate::memory::{Place, StatementId};
use crate::syntax::continues_name;
use crate::tensor::Origin;

/// So many statements and lines are known.
const KNOWN: usize = 10_000;

/// So many turns of lines are kept of a statement.
const TURNS: usize = 1 << 20;

/// The numbers of statements and of lines in them.
#[derive(Debug, Default)]
pub(super) struct Makers {
    latest: Cell<u32>,
    statement: RefCell<Option<Statement>>,
    /// What each number stands for.
    made: RefCell<BTreeMap<u32, Made>>,
    /// The text that a name was asked for last.
    file: RefCell<(SourceId, Arc<str>)>,
    /// From when on which line ran, while somebody profiles.
    turns: RefCell<Option<Vec<(Instant, StatementId)>>>,
}

/// A statement, or a line and the statement that ran it.
#[derive(Debug)]
struct Made {
    statement: StatementId,
    text: Arc<str>,
    file: Arc<str>,
    source: SourceId,
    /// From zero on.
    line: usize,
}

#[derive(Debug)]
struct Statement {
    id: StatementId,
    text: Arc<str>,
    span: Span,
    is_compound: bool,
    /// The lines met so far, by their text's number and where they begin.
    lines: FxHashMap<(u32, u32), (StatementId, Arc<str>)>,
    /// The place that asked last, which in a loop asks again.
    last: Option<(Origin, (StatementId, Arc<str>))>,
}

impl Makers {
    fn next(&self) -> StatementId {
        self.latest.set(self.latest.get().wrapping_add(1));
        StatementId(self.latest.get())
    }

    /// A statement begins. Its parts have lines of their own where it is compound.
    pub fn begin(
        &self,
        interp: &Interp,
        text: &Arc<str>,
        span: Span,
        is_compound: bool,
    ) -> StatementId {
        let (id, lines) = (self.next(), FxHashMap::default());
        if let Some(source) = interp.sources.borrow().get(span.source) {
            let line = source.line_of(span.start as usize).0;
            self.note(id, id, text.clone(), &source, line);
        }
        let text = text.clone();
        self.statement.replace(Some(Statement { id, text, span, is_compound, lines, last: None }));
        id
    }

    /// The statement that a number belongs to, which may be a line's.
    pub fn statement_of(&self, id: StatementId) -> StatementId {
        self.made.borrow().get(&id.0).map_or(id, |made| made.statement)
    }

    pub fn text_of(&self, id: StatementId) -> Option<Arc<str>> {
        self.made.borrow().get(&id.0).map(|made| made.text.clone())
    }

    /// Whether it is noted when lines run.
    pub fn keep_turns(&self, keeps: bool) {
        self.turns.replace(keeps.then(Vec::new));
    }

    /// From when on which line ran since somebody asked last.
    pub fn take_turns(&self) -> Vec<(Instant, StatementId)> {
        self.turns.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Where a statement or a line stands, as far as it is known, and in which function as far as the text is
    /// still there.
    pub fn place_of(&self, interp: &Interp, id: StatementId) -> Option<Place> {
        let made = self.made.borrow();
        let here = made.get(&id.0)?;
        let caller = made.get(&here.statement.0).filter(|_| here.statement != id);
        let source = interp.sources.borrow().get(here.source);
        let place = |made: &Made| Place {
            file: made.file.clone(),
            line: made.line as u32 + 1,
            function: None,
            run_by: None,
        };
        let function = source.filter(|_| caller.is_some());
        Some(Place {
            function: function.and_then(|source| function_at(&source, here.line)),
            run_by: caller.map(|caller| Box::new((caller.text.clone(), place(caller)))),
            ..place(here)
        })
    }

    fn note(
        &self,
        id: StatementId,
        statement: StatementId,
        text: Arc<str>,
        source: &Source,
        line: usize,
    ) {
        let mut known = self.file.borrow_mut();
        if known.0 != source.id {
            *known = (source.id, Arc::from(&*source.name));
        }
        let mut made = self.made.borrow_mut();
        let (file, source) = (known.1.clone(), source.id);
        made.insert(id.0, Made { statement, text, file, source, line });
        if made.len() > KNOWN {
            made.pop_first();
        }
    }

    /// The line of an origin, or the statement itself.
    pub fn line(&self, interp: &Interp, origin: Origin) -> Option<(StatementId, Arc<str>)> {
        let found = self.find_line(interp, origin);
        if let (Some(turns), Some((id, _))) = (&mut *self.turns.borrow_mut(), &found)
            && turns.len() < TURNS
            && turns.last().is_none_or(|(_, last)| last != id)
        {
            turns.push((Instant::now(), *id));
        }
        found
    }

    fn find_line(&self, interp: &Interp, origin: Origin) -> Option<(StatementId, Arc<str>)> {
        let mut statement = self.statement.borrow_mut();
        let statement = statement.as_mut()?;
        if let Some((place, known)) = &statement.last
            && *place == origin
        {
            return Some(known.clone());
        }
        let Origin([source, start, end]) = origin;
        let is_inside = statement.span.source.0 == source
            && (statement.span.start..=statement.span.end).contains(&start);
        let own = Some((statement.id, statement.text.clone()));
        if origin == Origin::default() || is_inside && !statement.is_compound || start > end {
            return own;
        }
        let sources = interp.sources.borrow();
        let Some(source_text) = sources.get(SourceId(source)) else { return own };
        let (line, begin) = source_text.line_of(start as usize);
        if let Some(known) = statement.lines.get(&(source, begin as u32)) {
            statement.last = Some((origin, known.clone()));
            return Some(known.clone());
        }
        let id = self.next();
        let known = (id, Arc::from(source_text.line(line).trim()));
        statement.lines.insert((source, begin as u32), known.clone());
        self.note(id, statement.id, known.1.clone(), &source_text, line);
        Some(known)
    }
}

/// The function around a line, with the classes and functions around that, found by indents.
fn function_at(source: &Source, line: usize) -> Option<Arc<str>> {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let named = |text: &str, keyword: &str| {
        let rest = text.trim_start().strip_prefix(keyword)?;
        let end = rest.find(|c: char| !continues_name(c)).unwrap_or(rest.len());
        (end > 0).then(|| rest[..end].to_owned())
    };
    // A line that asks for memory and begins a function is all of it: `def f(n): return ones(n)`.
    let mut names: Vec<String> = named(source.line(line), "def ").into_iter().collect();
    let mut least = indent(source.line(line));
    for text in (0..line).rev().map(|line| source.line(line)) {
        if least == 0 {
            break;
        }
        if text.trim().is_empty() || indent(text) >= least {
            continue;
        }
        least = indent(text);
        let is_function = named(text, "def ").or_else(|| named(text, "async def "));
        names.extend(is_function.or_else(|| named(text, "class ")));
    }
    names.reverse();
    (!names.is_empty()).then(|| Arc::from(names.join(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_around_a_line() {
        let text = "class A:\n    def f(self):\n\n        if x:\n            return ones(3)\n    y = 1\n\
                    def g(n): return ones(n)\nfor i in x:\n    z = ones(2)";
        let source = Source::new(SourceId(1), "a.py", text);
        let of = |line| function_at(&source, line).map(|name| name.to_string());
        assert_eq!(of(4).as_deref(), Some("A.f"));
        assert_eq!(of(5).as_deref(), Some("A"));
        assert_eq!(of(6).as_deref(), Some("g"));
        assert_eq!(of(8), None);
    }
}
