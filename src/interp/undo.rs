//! What a statement changed, so that a statement that fails has changed nothing.
//!
//! The engine keeps what storages held ([`Engine::begin`](crate::tensor::Engine::begin)); the journal
//! keeps the rest: variables, lists and dictionaries ([`Shared`]), memory that
//! the program manages by hand.

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

use super::shared::{Shared, Undo};
use super::value::Value;
use super::{Evaluator, Interp};
use crate::device::Storage;
use crate::diag::{SourceResult, Span};
use crate::tensor::Error;

/// Changes in the order in which they were made, each with what was there before.
#[derive(Default)]
pub struct Journal {
    /// The number of the transaction that is open; zero if none is.
    epoch: Cell<u64>,
    changes: RefCell<Vec<Change>>,
}

enum Change {
    Shared(Box<dyn Undo>),
    Block { address: u64, before: Option<Arc<Storage>> },
    Callback { before: Option<Value> },
}

impl Journal {
    /// The number of the transaction that is open; zero if none is. What has this number needs no
    /// copy.
    pub fn epoch(&self) -> u64 {
        self.epoch.get()
    }

    /// What something shared held.
    pub(super) fn note(&self, before: impl Undo + 'static) {
        self.push(Change::Shared(Box::new(before)));
    }

    /// A block that the program manages by hand.
    pub fn block(&self, address: u64, before: Option<Arc<Storage>>) {
        self.push(Change::Block { address, before });
    }

    /// What was called for changed memory.
    pub fn callback(&self, before: Option<Value>) {
        self.push(Change::Callback { before });
    }

    fn push(&self, change: Change) {
        if self.epoch.get() == 0 {
            return;
        }
        let mut changes = self.changes.borrow_mut();
        if changes.len() == changes.capacity() && changes.len() >= 64 {
            // A long statement makes and forgets many lists.
            changes.retain(|change| match change {
                Change::Shared(before) => before.matters(),
                Change::Block { .. } | Change::Callback { .. } => true,
            });
            if changes.len() * 2 > changes.capacity() {
                let more = changes.capacity();
                changes.reserve(more);
            }
        }
        changes.push(change);
    }
}

impl Interp {
    /// Begins a transaction: everything from here on stands or falls together. There is one at a
    /// time; what is run inside belongs to it.
    pub fn begin(&self) {
        self.journal.epoch.set(self.engine.begin());
    }

    pub fn is_in_transaction(&self) -> bool {
        self.journal.epoch.get() != 0
    }

    /// Ends the transaction; everything stands. What is lazy must have been computed
    /// ([`Engine::settle`](crate::tensor::Engine::settle)): this can't fail.
    pub fn commit(&self) {
        self.journal.epoch.set(0);
        self.journal.changes.borrow_mut().clear();
        self.engine.commit();
    }

    /// Ends the transaction; everything is again as it was when it began.
    pub fn roll_back(&self) {
        self.journal.epoch.set(0);
        let changes = self.journal.changes.take();
        for change in changes.into_iter().rev() {
            match change {
                Change::Shared(before) => before.undo(),
                Change::Block { address, before } => self.manual.restore(address, before),
                Change::Callback { before } => {
                    self.manual.set_callback(before);
                }
            }
        }
        self.engine.roll_back();
    }
}

impl Evaluator<'_> {
    /// Runs something that stands or falls as a whole: where it fails, names, lists, dictionaries,
    /// tensors and the random stream are as before. Inside a transaction it is a part of that one.
    ///
    /// # Errors
    /// Those of `run`, and of what it left lazy, at `span`.
    pub(super) fn all_or_nothing<T>(
        &self,
        span: Span,
        run: impl FnOnce() -> SourceResult<T>,
    ) -> SourceResult<T> {
        let interp = self.interp;
        if interp.is_in_transaction() {
            return run();
        }
        interp.begin();
        let result = run().and_then(|value| {
            self.place(interp.engine.settle(), span)?;
            Ok(value)
        });
        match &result {
            Ok(_) => interp.commit(),
            Err(_) => interp.roll_back(),
        }
        result
    }

    /// The contents of a list or a dictionary, to be changed. `is_last` says that nothing can fail
    /// after the change: what is lazy yet is computed before, and no copy is kept.
    ///
    /// # Errors
    /// What computing it brings up.
    pub(super) fn change<'c, T: Clone + 'static>(
        &self,
        cell: &'c Rc<Shared<T>>,
        is_last: bool,
    ) -> Result<RefMut<'c, T>, Error> {
        let journal = &self.interp.journal;
        if !is_last {
            return Ok(cell.change(journal));
        }
        self.interp.engine.settle()?;
        Ok(cell.change_last(journal))
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").field("epoch", &self.epoch).finish_non_exhaustive()
    }
}
