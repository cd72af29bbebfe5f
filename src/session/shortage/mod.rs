//! What to do when memory has run out: what `del` would let the statement through, as far as a rehearsal
//! of it shows.

mod advice;
mod order;
mod search;

use super::Session;
use crate::device::Device;
use crate::diag::{Diagnostic, ErrorKind, Source, Span};
use crate::report::human_bytes;
use crate::syntax::ast::{ExprKind, Stmt, StmtKind};
use crate::syntax::{TokenClass, highlight};

/// A statement that memory ran out for.
#[derive(Debug, Clone)]
pub struct Refused {
    statement: Stmt,
    /// The names that it reads.
    names: Vec<String>,
}

impl Session {
    /// The error, with what would help if memory ran out.
    pub(super) fn with_remedy(&mut self, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
        let refused = self.desk.refused.take();
        if error.kind.is_a(ErrorKind::Memory)
            && let Some(device) = self.newly_short_device()
        {
            let stats = device.allocator().stats();
            // What is live now outlived the statement.
            let own = stats.live_at_refusal.saturating_sub(stats.now.allocated) as u64;
            if own > 0 {
                let own = human_bytes(own);
                error.hints.push(format!("{own} of what was live then were the statement's own"));
            }
            error.hints.extend(self.advice(&device, refused.as_ref()));
            error.hints.extend(self.save_shortage());
        }
        error
    }

    /// Remembers the statement that ran out of memory: of a compound one that in its body, which is what
    /// was taken back.
    pub(super) fn note_refused(&mut self, error: &Diagnostic, statement: &Stmt, source: &Source) {
        if error.kind.is_a(ErrorKind::Memory) {
            let place = error.calls.last().map_or(error.span, |call| call.span);
            let statement = innermost(statement, place);
            let names = names_read(statement, source);
            self.desk.refused = Some(Refused { statement: statement.clone(), names });
        }
    }

    /// The device that ran out of memory since this was asked last.
    fn newly_short_device(&mut self) -> Option<Device> {
        let now = self.shortages();
        let before = self.desk.shortages.replace(now);
        self.short_device(&before)
    }
}

/// The statement in the blocks of another that holds a place.
fn innermost(statement: &Stmt, place: Span) -> &Stmt {
    let holds = |inner: &&Stmt| {
        inner.span.source == place.source
            && inner.span.start <= place.start
            && place.end <= inner.span.end
    };
    let blocks = statement.node.blocks();
    let inner = blocks.into_iter().flat_map(|block| block.iter()).find(holds);
    inner.map_or(statement, |inner| innermost(inner, place))
}

/// The names in a statement's text, but for those that it only binds.
fn names_read(statement: &Stmt, source: &Source) -> Vec<String> {
    let targets = match &statement.node {
        StmtKind::Assign { targets, .. } => targets.as_slice(),
        _ => &[],
    };
    let is_bound = |at: usize| {
        let bound = targets.iter().filter(|target| matches!(target.node, ExprKind::Name(_)));
        bound.clone().any(|target| target.span.range().contains(&at))
    };
    let start = statement.span.start as usize;
    let text = source.slice(statement.span);
    let names = highlight(text).into_iter().filter(|(range, class)| {
        matches!(class, TokenClass::Name | TokenClass::Function) && !is_bound(start + range.start)
    });
    names.map(|(range, _)| text[range].to_string()).collect()
}
