//! Who made a block, and why.
//!
//! A block remembers the statement that was running when it was handed out, what it is for, and
//! which operation asked. Only numbers and static words are stored in it, so that provenance costs
//! two stores. Which variables hold a block is asked when somebody looks (see
//! [`Snapshot::set_holders`](super::Snapshot::set_holders)): names come and go with every
//! assignment, and the scope that owns them always knows the truth.

use std::sync::Arc;

use rustc_hash::FxHashMap;

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
    /// The function that the line is in, with the classes around it: `Net.forward`.
    pub function: Option<Arc<str>>,
    /// The statement that ran the line, where it is not the statement itself.
    pub run_by: Option<Box<(Arc<str>, Place)>>,
}

/// The statements that blocks may still name.
#[derive(Debug, Default)]
pub(super) struct Statements {
    current: StatementId,
    known: FxHashMap<StatementId, Known>,
    /// The number of statements at which the next one asks for a sweep.
    sweep_at: usize,
    /// Since when the current one runs, in microseconds; none while nothing does.
    since_us: Option<u64>,
}

/// What is known of a statement.
#[derive(Debug)]
struct Known {
    text: Arc<str>,
    /// How long it was the current one.
    time_us: u64,
}

/// Fewer texts than this are never worth a sweep.
const SWEEP_FLOOR: usize = 1024;

impl Statements {
    /// Makes `id` the statement of everything allocated from `now_us` on.
    pub(super) fn set(&mut self, id: StatementId, text: Arc<str>, now_us: u64) {
        self.rest(now_us);
        self.current = id;
        self.since_us = Some(now_us);
        match self.known.get_mut(&id) {
            Some(known) => known.text = text,
            None => drop(self.known.insert(id, Known { text, time_us: 0 })),
        }
    }

    /// Nothing runs from `now_us` on; what is allocated is the last statement's all the same.
    pub(super) fn rest(&mut self, now_us: u64) {
        if let Some(since) = self.since_us.take()
            && let Some(known) = self.known.get_mut(&self.current)
        {
            known.time_us += now_us.saturating_sub(since);
        }
    }

    #[inline]
    pub(super) fn current(&self) -> StatementId {
        self.current
    }

    /// Whether enough statements have gathered that dropping the unused ones pays.
    pub(super) fn wants_sweep(&self) -> bool {
        self.known.len() >= self.sweep_at.max(SWEEP_FLOOR)
    }

    /// Forgets every statement that `is_used` does not claim, except the current one.
    pub(super) fn sweep(&mut self, is_used: impl Fn(StatementId) -> bool) {
        let current = self.current;
        self.known.retain(|id, _| *id == current || is_used(*id));
        // Doubling makes the sweeps cost a constant per statement, however many stay alive.
        self.sweep_at = 2 * self.known.len();
    }

    /// The text of a statement that is still known.
    pub(super) fn text(&self, id: StatementId) -> Option<Arc<str>> {
        self.known.get(&id).map(|known| known.text.clone())
    }

    /// How long each was the current one, in microseconds, while somebody read the clock.
    pub(super) fn times_us(&self) -> impl Iterator<Item = (StatementId, u64)> {
        let times = self.known.iter().map(|(id, known)| (*id, known.time_us));
        times.filter(|(_, time_us)| *time_us > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_keeps_what_is_used_and_what_is_current() {
        let mut statements = Statements::default();
        for n in 0..2000 {
            statements.set(StatementId(n), Arc::from(format!("x = {n}")), 0);
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
        statements.set(StatementId(1), Arc::from("a"), 0);
        statements.set(StatementId(1), Arc::from("b"), 0);
        assert_eq!(statements.text(StatementId(1)).as_deref(), Some("b"));
    }

    #[test]
    fn time_goes_to_what_runs() {
        let mut statements = Statements::default();
        let (a, b) = (StatementId(1), StatementId(2));
        for turn in 0..3 {
            statements.set(a, Arc::from("a"), 10 * turn);
            statements.set(b, Arc::from("b"), 10 * turn + 4);
        }
        statements.rest(30);
        statements.rest(1000);
        statements.set(a, Arc::from("a"), 2000);
        let mut times: Vec<_> = statements.times_us().collect();
        times.sort();
        assert_eq!(times, [(a, 12), (b, 18)]);
    }
}
