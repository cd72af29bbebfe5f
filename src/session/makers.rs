//! What memory is made for: a statement, or inside blocks and functions the line that asks for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diag::{Source, SourceId, Span};
use crate::interp::Interp;
use crate::memory::{Place, StatementId};
use crate::tensor::Origin;

/// So many statements and lines are known.
const KNOWN: usize = 10_000;

/// The numbers of statements and of lines in them.
#[derive(Debug, Default)]
pub(super) struct Makers {
    latest: Cell<u32>,
    statement: RefCell<Option<Statement>>,
    /// What each number stands for.
    made: RefCell<BTreeMap<u32, Made>>,
    /// The text that a name was asked for last.
    file: RefCell<(SourceId, Arc<str>)>,
}

/// A statement, or a line and the statement that ran it.
#[derive(Debug)]
struct Made {
    statement: StatementId,
    place: Place,
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
        let (id, text, lines) = (self.next(), text.clone(), FxHashMap::default());
        if let Some(source) = interp.sources.borrow().get(span.source) {
            self.note(id, id, &source, source.line_of(span.start as usize).0);
        }
        self.statement.replace(Some(Statement { id, text, span, is_compound, lines, last: None }));
        id
    }

    /// The statement that a number belongs to, which may be a line's.
    pub fn statement_of(&self, id: StatementId) -> StatementId {
        self.made.borrow().get(&id.0).map_or(id, |made| made.statement)
    }

    /// Where a statement or a line stands, as far as it is known.
    pub fn place_of(&self, id: StatementId) -> Option<Place> {
        self.made.borrow().get(&id.0).map(|made| made.place.clone())
    }

    fn note(&self, id: StatementId, statement: StatementId, source: &Source, line: usize) {
        let mut known = self.file.borrow_mut();
        if known.0 != source.id {
            *known = (source.id, Arc::from(&*source.name));
        }
        let place = Place { file: known.1.clone(), line: line as u32 + 1 };
        let mut made = self.made.borrow_mut();
        made.insert(id.0, Made { statement, place });
        if made.len() > KNOWN {
            made.pop_first();
        }
    }

    /// The line of an origin, or the statement itself.
    pub fn line(&self, interp: &Interp, origin: Origin) -> Option<(StatementId, Arc<str>)> {
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
        self.note(id, statement.id, &source_text, line);
        Some(known)
    }
}
