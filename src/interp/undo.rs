//! What a statement changed, so that a statement that fails has changed nothing, and what of that
//! an input was the first to change, so that the input can be taken back ([`past`](super::past)).
//!
//! The engine keeps what storages held ([`Engine::begin`](crate::tensor::Engine::begin)); the journal
//! keeps the rest: variables, lists and dictionaries ([`Shared`]), memory that
//! the program manages by hand.

use std::cell::{Cell, RefCell, RefMut};
use std::hash::Hash;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use indexmap::Equivalent;

use super::collect::Changed;
use super::past::Changes;
use super::past::reach::Reach;
use super::shared::{Contents, EntryStep, Shared, Stepwise, Undo};
use super::value::{Dict, Entries, Key, Sought, Value};
use super::vm::register::put_copy;
use super::{Evaluator, Interp};
use crate::device::Storage;
use crate::diag::{SourceResult, Span};
use crate::tensor::{Error, Tensor};

/// Changes in the order in which they were made, each with what was there before.
#[derive(Default)]
pub struct Journal {
    /// The number of the transaction that is open; with none, that of the input; else zero.
    epoch: Cell<u64>,
    /// The number of the transaction that what is made now belongs to: the one that is open, or the next one,
    /// which begins where the statement that runs first changes something.
    birth: Cell<u64>,
    /// The number of the input that is open; zero if none is.
    pub(super) input: Cell<u64>,
    is_open: Cell<bool>,
    changes: RefCell<Vec<Change>>,
    /// What was there before the input.
    pub(super) kept: RefCell<Vec<Change>>,
    /// How many of those the count below knows.
    pub(super) counted: Cell<usize>,
    /// What earlier inputs changed, as far as somebody keeps it.
    pub(super) states: RefCell<Vec<Weak<RefCell<Changes>>>>,
    /// What only the past holds.
    pub(super) reach: RefCell<Reach>,
    /// What may be a part of a cycle.
    pub(super) changed: Changed,
}

pub(super) enum Change {
    Shared(Box<dyn Undo>),
    Block { address: u64, before: Option<Arc<Storage>> },
    Callback { before: Option<Value> },
}

impl Journal {
    /// The number of the transaction that is open, or else of the input; zero if neither is. What
    /// has this number needs no copy.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.epoch.get()
    }

    /// The number of the transaction that makes something now, which may begin later.
    #[inline]
    pub fn birth(&self) -> u64 {
        self.birth.get()
    }

    /// What has a lower number has not been kept for the input that is open; zero if none is.
    #[inline]
    pub fn input(&self) -> u64 {
        self.input.get()
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
        if !self.is_open.get() {
            self.kept.borrow_mut().push(change);
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

    /// The tensor that the latest change has put another value in place of, if that is all that it did and only the
    /// transaction wants it back.
    fn replaced(&self) -> Option<Tensor> {
        let changes = self.changes.borrow();
        let Some(Change::Shared(before)) = changes.last() else { return None };
        if before.is_for(self.input.get()) {
            return None;
        }
        let (mut held, mut count) = (None, 0);
        before.visit(&mut |value| {
            count += 1;
            held = match value {
                Value::Tensor(tensor) if count == 1 => Some(tensor.clone()),
                _ => None,
            };
        });
        held
    }

    fn open(&self, epoch: u64) {
        self.epoch.set(epoch);
        self.birth.set(epoch);
        self.is_open.set(true);
    }

    fn close(&self) {
        self.is_open.set(false);
        self.birth.set(self.epoch.get() + 1);
        self.epoch.set(self.input.get());
    }

    /// Changes something for the input and not for the open transaction, which keeps the change though it
    /// may be taken back.
    pub fn beside_transaction<T>(&self, run: impl FnOnce() -> T) -> T {
        let input = self.input.get();
        let (epoch, is_open) = (self.epoch.replace(input), self.is_open.replace(false));
        let birth = self.birth.replace(input);
        let result = run();
        self.epoch.set(epoch);
        self.birth.set(birth);
        self.is_open.set(is_open);
        result
    }

    /// An input begins; with zero, it ends.
    pub(super) fn set_input(&self, number: u64) {
        self.input.set(number);
        if !self.is_open.get() {
            self.epoch.set(number);
            self.birth.set(if number == 0 { 0 } else { number + 1 });
        }
    }

    /// Keeps for the input what takes it back, and forgets the rest.
    fn pass_on(&self) {
        let (mut changes, input) = (self.changes.borrow_mut(), self.input.get());
        if input == 0 {
            changes.clear();
            return;
        }
        let mut kept = self.kept.borrow_mut();
        for change in changes.drain(..) {
            let is_kept = match &change {
                Change::Shared(before) => before.is_for(input) && before.matters(),
                Change::Block { .. } | Change::Callback { .. } => true,
            };
            if is_kept {
                kept.push(change);
            }
        }
    }
}

impl Interp {
    /// Begins a transaction: everything from here on stands or falls together. There is one at a
    /// time; what is run inside belongs to it.
    pub fn begin(&self) {
        self.journal.open(self.engine.begin());
    }

    pub fn is_in_transaction(&self) -> bool {
        self.journal.is_open.get()
    }

    /// A statement has ended that has begun no transaction: what it made belongs to none that comes.
    #[inline]
    pub fn pass(&self) {
        self.journal.birth.set(self.engine.pass() + 1);
    }

    /// Computes what is lazy, where nothing comes after that but [`Interp::commit`].
    ///
    /// # Errors
    /// What that brings up; the transaction is then to be taken back.
    pub fn settle_last(&self) -> Result<(), Error> {
        self.engine.settle_last(self.journal.replaced())
    }

    /// Ends the transaction; everything stands. What is lazy must have been computed
    /// ([`Interp::settle_last`]): this can't fail.
    pub fn commit(&self) {
        self.journal.close();
        self.journal.pass_on();
        self.engine.commit();
        self.take_stock();
    }

    /// Ends the transaction; everything is again as it was when it began.
    pub fn roll_back(&self) {
        self.class_changes.set(self.class_changes.get() + 1);
        self.journal.close();
        let changes = self.journal.changes.take();
        let undo = |change| match change {
            Change::Shared(before) => before.undo(),
            Change::Block { address, before } => {
                self.manual.restore(address, before);
            }
            Change::Callback { before } => {
                self.manual.set_callback(before);
            }
        };
        self.ends.take_back(|| changes.into_iter().rev().for_each(undo));
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
            self.place(interp.settle_last(), span)?;
            Ok(value)
        });
        match &result {
            Ok(_) => interp.commit(),
            Err(_) => interp.roll_back(),
        }
        result
    }

    /// Something shared that the open transaction makes.
    pub(super) fn made<T: Contents>(&self, contents: T) -> Shared<T> {
        Shared::made_in(&self.interp.journal, contents)
    }

    /// The contents of a list or a dictionary, to be changed. `is_last` says that nothing can fail
    /// after the change: what is lazy yet is computed before, and no copy is kept but for the input.
    ///
    /// # Errors
    /// What computing it brings up.
    pub(super) fn change<'c, T: Contents>(
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

    /// As [`Evaluator::change`], for a change of one item.
    ///
    /// # Errors
    /// As there.
    pub(super) fn step<'c, T: Stepwise>(
        &self,
        cell: &'c Rc<Shared<T>>,
        is_last: bool,
        step: impl FnOnce(&T) -> T::Step,
    ) -> Result<RefMut<'c, T>, Error> {
        if !is_last {
            return Ok(cell.step(&self.interp.journal, step));
        }
        self.interp.engine.settle()?;
        Ok(cell.step_last(&self.interp.journal, step))
    }

    /// One item of something shared, to be changed to hold a value by what can't fail: in the statement's
    /// transaction, or without one where that ends the statement and nothing lazy waits.
    #[inline]
    pub(super) fn step_at_once<'c, T: Stepwise>(
        &self,
        cell: &'c Rc<Shared<T>>,
        value: &Value,
        is_last: bool,
        step: impl FnOnce(&T) -> T::Step,
    ) -> RefMut<'c, T> {
        let interp = self.interp;
        if is_last && interp.engine.pending() == 0 {
            return cell.step_last_to_hold(&interp.journal, value, step);
        }
        if !interp.is_in_transaction() {
            interp.begin();
        }
        cell.step_to_hold(&interp.journal, value, step)
    }

    /// Puts a value under a key; whether it was done. Where the dictionary lacks it, `new` gives the key, and a table
    /// that must grow is left to who asks whether there is room.
    #[inline]
    pub(super) fn put_entry<Q: Hash + Equivalent<Key>>(
        &self,
        dict: &Dict,
        sought: &Q,
        value: &Value,
        is_last: bool,
        new: impl FnOnce(&Entries) -> Option<Key>,
    ) -> bool {
        let before = |entries: &Entries| entries.step(sought);
        let mut entries = self.step_at_once(dict, value, is_last, before);
        if let Some(place) = entries.get_mut(sought) {
            put_copy(place, value);
            return true;
        }
        let has_room = entries.len() < entries.capacity();
        match new(&entries).filter(|_| has_room) {
            Some(key) => entries.insert(key, value.clone()),
            None => return false,
        };
        true
    }

    /// Puts a key last that a dictionary has; what stands there.
    pub(super) fn put_last(
        &self,
        dict: &Dict,
        sought: &Sought<'_>,
        is_last: bool,
    ) -> Option<Value> {
        let (at, key, value) = {
            let entries = dict.borrow();
            let (at, key, value) = entries.get_full(sought)?;
            if entries.first_from(at + 1).is_none() {
                return Some(value.clone());
            }
            (at, key.clone(), value.clone())
        };
        let before = |entries: &Entries| entries.step_out(&key);
        self.step_at_once(dict, &Value::None, false, before).take_at(at);
        let before = |_: &Entries| EntryStep::Come(key.clone());
        self.step_at_once(dict, &value, is_last, before).insert(key.clone(), value.clone());
        Some(value)
    }

    /// As [`Evaluator::change`], for contents that are new altogether.
    ///
    /// # Errors
    /// As there.
    pub(super) fn put<T: Contents>(
        &self,
        cell: &Rc<Shared<T>>,
        contents: T,
        is_last: bool,
    ) -> Result<(), Error> {
        if is_last {
            self.interp.engine.settle()?;
        }
        cell.put(&self.interp.journal, contents, is_last);
        Ok(())
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal").field("epoch", &self.epoch).finish_non_exhaustive()
    }
}
