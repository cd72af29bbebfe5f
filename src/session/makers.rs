//! What memory is made for: a statement, or inside blocks and functions the line that asks for it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diag::{SourceId, Span};
use crate::interp::Interp;
use crate::memory::StatementId;
use crate::tensor::Origin;

/// The statements of so many lines are known.
const KNOWN: usize = 10_000;

/// The numbers of statements and of lines in them.
#[derive(Debug, Default)]
pub(super) struct Makers {
    latest: Cell<u32>,
    statement: RefCell<Option<Statement>>,
    /// Which statement ran each line.
    outer: RefCell<BTreeMap<u32, u32>>,
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
    pub fn begin(&self, text: &Arc<str>, span: Span, is_compound: bool) -> StatementId {
        let (id, text, lines) = (self.next(), text.clone(), FxHashMap::default());
        self.statement.replace(Some(Statement { id, text, span, is_compound, lines, last: None }));
        id
    }

    /// The statement that a number belongs to, which may be a line's.
    pub fn statement_of(&self, id: StatementId) -> StatementId {
        StatementId(self.outer.borrow().get(&id.0).copied().unwrap_or(id.0))
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
        let mut outer = self.outer.borrow_mut();
        outer.insert(id.0, statement.id.0);
        if outer.len() > KNOWN {
            outer.pop_first();
        }
        Some(known)
    }
}
