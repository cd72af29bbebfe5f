//! Who made a block, and why.
//!
//! A block remembers the statement that was running when it was handed out, what it is for, and
//! which operation asked. Only numbers and static words are stored in it, so that provenance costs
//! two stores. Which variables hold a block is asked when somebody looks (see
//! [`Snapshot::set_holders`](super::Snapshot::set_holders)): names come and go with every
//! assignment, and the scope that owns them always knows the truth.

use std::collections::VecDeque;
use std::sync::Arc;

/// The number of a statement in its session: its `In [n]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct StatementId(pub u32);

/// What a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BlockKind {
    /// A name holds it, or is about to.
    Variable,
    /// It lives inside one statement.
    #[default]
    Temporary,
    /// Scratch space of one kernel.
    Workspace,
}

impl BlockKind {
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Variable => "variable",
            BlockKind::Temporary => "temporary",
            BlockKind::Workspace => "workspace",
        }
    }
}

/// What the caller says about a request. The statement is the allocator's context
/// ([`set_statement`](super::Allocator::set_statement)) and needs no saying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Provenance {
    pub kind: BlockKind,
    /// The operation that asked: `matmul`, `sort`. Empty where there is nothing to say.
    pub operation: &'static str,
}

impl Provenance {
    pub const VARIABLE: Provenance = Provenance { kind: BlockKind::Variable, operation: "" };
    pub const TEMPORARY: Provenance = Provenance { kind: BlockKind::Temporary, operation: "" };
    pub const WORKSPACE: Provenance = Provenance { kind: BlockKind::Workspace, operation: "" };

    /// The same, said to come from `operation`.
    pub const fn by(self, operation: &'static str) -> Provenance {
        Provenance { kind: self.kind, operation }
    }
}

/// Where a statement stands, as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// An input, `<In 3>`, or a file.
    pub file: Arc<str>,
    /// From one on.
    pub line: u32,
}

/// The texts of the statements that blocks may still name.
#[derive(Debug, Default)]
pub(super) struct Statements {
    current: StatementId,
    texts: VecDeque<(StatementId, Arc<str>)>,
    /// The number of texts at which the next one asks for a sweep.
    sweep_at: usize,
}

/// Fewer texts than this are never worth a sweep.
const SWEEP_FLOOR: usize = 1024;

impl Statements {
    /// Makes `id` the statement of everything allocated from here on.
    pub(super) fn set(&mut self, id: StatementId, text: Arc<str>) {
        self.current = id;
        match self.texts.back_mut() {
            Some(last) if last.0 == id => last.1 = text,
            _ => self.texts.push_back((id, text)),
        }
    }

    #[inline]
    pub(super) fn current(&self) -> StatementId {
        self.current
    }

    /// Whether enough texts have gathered that dropping the unused ones pays.
    pub(super) fn wants_sweep(&self) -> bool {
        self.texts.len() >= self.sweep_at.max(SWEEP_FLOOR)
    }

    /// Forgets every text that `is_used` does not claim, except the current one.
    pub(super) fn sweep(&mut self, is_used: impl Fn(StatementId) -> bool) {
        let current = self.current;
        self.texts.retain(|(id, _)| *id == current || is_used(*id));
        // Doubling makes the sweeps cost a constant per statement, however many stay alive.
        self.sweep_at = 2 * self.texts.len();
    }

    /// The text of a statement that is still known. The newest wins where a number was reused.
    pub(super) fn text(&self, id: StatementId) -> Option<Arc<str>> {
        self.texts.iter().rev().find(|(known, _)| *known == id).map(|(_, text)| text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_keeps_what_is_used_and_what_is_current() {
        let mut statements = Statements::default();
        for n in 0..2000 {
            statements.set(StatementId(n), Arc::from(format!("x = {n}")));
        }
        assert!(statements.wants_sweep());
        statements.sweep(|id| id.0 == 7);
        assert_eq!(statements.text(StatementId(7)).as_deref(), Some("x = 7"));
        assert_eq!(statements.text(StatementId(1999)).as_deref(), Some("x = 1999"));
        assert_eq!(statements.text(StatementId(8)), None);
        assert!(!statements.wants_sweep());
    }

    #[test]
    fn setting_the_same_statement_again_replaces_its_text() {
        let mut statements = Statements::default();
        statements.set(StatementId(1), Arc::from("a"));
        statements.set(StatementId(1), Arc::from("b"));
        assert_eq!(statements.text(StatementId(1)).as_deref(), Some("b"));
    }
}
