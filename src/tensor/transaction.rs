//! All or nothing: what a transaction needs so that it can be taken back, and what waits in it.
//!
//! Every write to a storage goes through [`Engine::before_write`], which keeps what was there once a
//! transaction, before the first write. A storage that the transaction made itself needs no copy:
//! nothing that stays can reach it after a failure. Whether a storage is known is a comparison of two
//! numbers, its epoch and the transaction's. Of a large storage only those pages are kept that a write
//! meets (`parts`).
//!
//! A write reads what the graph says now. Whatever lazy tensor somebody holds may read the storage
//! too, so it is computed before the write; only what the write alone holds is taken in by it.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Weak as WeakStorage};

use smallvec::SmallVec;

use super::leaf::{Leaf, width};
use super::node::{Lazy, Node, State};
use super::parts::{Parts, Room};
use super::past::Kept;
use super::schedule::Walk;
use super::unread::Unread;
use super::{Device, Engine, Error, Storage, Tensor};
use crate::dtype::{DType, Scalar};
use crate::layout::Layout;
use crate::memory::Provenance;

#[derive(Debug, Default)]
pub(super) struct Transaction {
    /// Of the one that is open; zero if none is.
    number: Cell<u64>,
    latest: Cell<u64>,
    write: Cell<Write>,
    /// What [`Write::ButLast`] has written to last, and the elements.
    last_written: RefCell<Option<(Arc<Storage>, Range<usize>)>>,
    saved: RefCell<Vec<Saved>>,
    pub(super) parts: Parts,
    /// What was allocated since it began.
    made: RefCell<Vec<WeakStorage<Storage>>>,
    /// Nodes made since it began that may not have been computed yet.
    pub(super) pending: RefCell<Vec<Weak<Node>>>,
    pub(super) unread: Rc<Unread>,
    /// Numbers that were given memory since it began.
    settled: RefCell<Vec<(Weak<Node>, Scalar)>>,
    random: Cell<(u64, u64)>,
    /// The number from which on transactions belong to the input that is open; zero if none is.
    input: Cell<u64>,
    /// What storages contained before the input.
    pub(super) kept: RefCell<Vec<Kept>>,
    /// Bytes that the input wrote over and that could not be kept.
    unkept: Cell<usize>,
}

/// What happens to the elements that a write replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Write {
    /// They are kept until the transaction ends; where it belongs to an input, the first of it are
    /// kept on.
    #[default]
    Kept,
    /// Nothing can fail after this write, so that only an input may want to keep them.
    Last,
    /// As `Kept`, while a statement is explained whose last write needs no copy: it shows only at the
    /// end which write that was.
    ButLast,
}

/// What a storage held.
#[derive(Debug)]
struct Saved {
    storage: Arc<Storage>,
    contents: Arc<Storage>,
    /// The storage's epoch before.
    epoch: u64,
}

impl Transaction {
    pub fn note_pending(&self, node: &Rc<Node>) {
        let mut pending = self.pending.borrow_mut();
        make_room(&mut pending, |node| node.strong_count() > 0);
        pending.push(Rc::downgrade(node));
    }

    fn note_made(&self, storage: &Arc<Storage>) {
        storage.set_epoch(self.number.get());
        let mut made = self.made.borrow_mut();
        make_room(&mut made, |storage| storage.strong_count() > 0);
        made.push(Arc::downgrade(storage));
    }

    fn close(&self) {
        self.number.set(0);
        self.write.set(Write::Kept);
        self.last_written.take();
        self.parts.close();
        self.pending.borrow_mut().clear();
        self.unread.clear();
        self.made.borrow_mut().clear();
        self.settled.borrow_mut().clear();
    }
}

impl Engine {
    /// Begins a transaction and gives its number, which no other has.
    pub fn begin(&self) -> u64 {
        let transaction = &self.transaction;
        debug_assert!(!self.is_in_transaction(), "the one before was ended");
        transaction.close();
        transaction.latest.set(transaction.latest.get() + 1);
        transaction.number.set(transaction.latest.get());
        transaction.random.set(self.random_position());
        transaction.latest.get()
    }

    /// Takes a number for a transaction that has had nothing to do.
    #[inline]
    pub fn pass(&self) -> u64 {
        let number = self.transaction.latest.get() + 1;
        self.transaction.latest.set(number);
        number
    }

    /// How many lazy tensors may wait in the open transaction.
    #[inline]
    pub fn pending(&self) -> usize {
        self.transaction.pending.borrow().len() + self.transaction.unread.len()
    }

    #[inline]
    pub fn is_in_transaction(&self) -> bool {
        self.transaction.number.get() != 0
    }

    /// Ends the transaction: its effects stay. What it made and somebody holds counts as no
    /// temporary any more. Call [`Engine::settle`] before: this can't fail.
    pub fn commit(&self) {
        let made = self.transaction.made.take();
        made.iter().filter_map(WeakStorage::upgrade).for_each(|storage| storage.keep());
        let mut saved = self.transaction.saved.borrow_mut();
        let input = self.transaction.input.get();
        for Saved { storage, contents, epoch } in saved.drain(..) {
            if epoch < input {
                self.keep_for_input(&storage, contents);
            }
        }
        drop(saved);
        if input > 0 {
            for kept in self.pages_for_input(input) {
                self.attic.put(kept.contents(), input);
                self.transaction.kept.borrow_mut().push(kept);
            }
        }
        self.transaction.close();
    }

    /// Begins an input: what its transactions write over is kept until [`Engine::end_input`]. Gives
    /// its number, which is lower than theirs and higher than those before.
    pub fn begin_input(&self) -> u64 {
        let transaction = &self.transaction;
        let number = transaction.latest.get() + 1;
        transaction.latest.set(number);
        transaction.input.set(number);
        transaction.unkept.set(0);
        number
    }

    /// The highest number of a transaction or an input so far.
    pub fn latest_number(&self) -> u64 {
        self.transaction.latest.get()
    }

    /// Whether the input has written to anything that was there before it.
    pub fn input_has_written(&self) -> bool {
        !self.transaction.kept.borrow().is_empty() || self.transaction.unkept.get() > 0
    }

    /// Ends the input. Gives what storages contained before it.
    ///
    /// # Errors
    /// How many bytes it wrote over without keeping them.
    pub fn end_input(&self) -> Result<Vec<Kept>, usize> {
        self.transaction.input.set(0);
        self.transaction.parts.end_input();
        let kept = self.transaction.kept.take();
        match self.transaction.unkept.take() {
            0 => Ok(kept),
            bytes => Err(bytes),
        }
    }

    fn keep_for_input(&self, storage: &Arc<Storage>, contents: Arc<Storage>) {
        if self.undisturbed(|| self.put_input_pages_in(storage, &contents)).is_err() {
            return self.lose_input(storage);
        }
        self.attic.put(&contents, self.transaction.input.get());
        self.transaction.kept.borrow_mut().push(Kept::new(storage, contents));
    }

    /// Ends the transaction: every storage and the random stream are as they were when it began,
    /// also while an interrupt is raised.
    pub fn roll_back(&self) {
        self.undisturbed(|| {
            let saved = self.transaction.saved.take();
            for Saved { storage, contents, epoch } in saved.into_iter().rev() {
                let written = self.copy_contents(&contents, &storage);
                debug_assert!(written.is_ok(), "a plain copy needs no memory: {written:?}");
                storage.set_epoch(epoch);
            }
            self.put_pages_back();
        });
        for (node, value) in self.transaction.settled.take() {
            if let Some(node) = node.upgrade() {
                drop(node.state.replace(State::Lazy(Lazy::Const(value))));
            }
        }
        self.set_random_position(self.transaction.random.get());
        self.transaction.close();
    }

    /// Runs copies that must not end half-way, whatever the user wants meanwhile.
    pub(super) fn undisturbed<T>(&self, run: impl FnOnce() -> T) -> T {
        let interrupted = self.interrupt.is_raised();
        self.interrupt.clear();
        let result = run();
        if interrupted {
            self.interrupt.raise();
        }
        result
    }

    /// Computes every lazy tensor of this transaction that somebody holds.
    ///
    /// # Errors
    /// As [`Engine::realize`].
    pub fn settle(&self) -> Result<(), Error> {
        // What only a cycle held may have gone with it, and need not be computed any more.
        loop {
            let before = self.reliefs();
            let result = self.settle_others(&[]);
            if result.is_ok() || self.reliefs() == before {
                return result;
            }
        }
    }

    /// Runs what ends with a write to one storage. `is_last` promises that nothing can fail after
    /// that write, which therefore needs no copy of what it replaces.
    #[inline]
    pub fn last_write<T>(&self, is_last: bool, run: impl FnOnce() -> T) -> T {
        let before = self.transaction.write.get();
        if is_last && before == Write::Kept {
            self.transaction.write.set(Write::Last);
        }
        let result = run();
        self.transaction.write.set(before);
        result
    }

    /// Runs something on devices that only note what they are asked for; with `ends`, its last write needs
    /// no copy of what it replaces.
    pub fn modelled<T>(&self, ends: bool, run: impl FnOnce() -> T) -> T {
        let write = if ends { Write::ButLast } else { Write::Kept };
        let before = self.transaction.write.replace(write);
        let result = run();
        self.transaction.write.set(before);
        result
    }

    /// Makes a node a leaf. A number may be older than the transaction, which takes its memory back
    /// where it fails.
    pub(super) fn settle_as(&self, tensor: &Tensor, leaf: Leaf) {
        if let Some(value) = tensor.number().filter(|_| self.is_in_transaction()) {
            self.transaction.settled.borrow_mut().push((Rc::downgrade(&tensor.0), value));
        }
        tensor.0.settle(leaf);
    }

    /// Memory that the open transaction makes, for `len` elements of `dtype`; of a complex type it holds
    /// the parts.
    pub(super) fn allocate(
        &self,
        device: &Device,
        dtype: DType,
        len: usize,
        provenance: Provenance,
    ) -> Result<Arc<Storage>, Error> {
        let len = len.saturating_mul(width(dtype));
        let storage =
            self.with_relief(device, || device.allocate(dtype.part(), len, provenance))?;
        if self.is_in_transaction() {
            self.transaction.note_made(&storage);
        }
        Ok(storage)
    }

    /// Keeps what `storage` holds at these elements, which are about to be written, unless the
    /// transaction can do without. It comes after everything else that can fail before the write.
    #[inline]
    pub(super) fn before_write(
        &self,
        storage: &Arc<Storage>,
        elements: Range<usize>,
    ) -> Result<(), Error> {
        let transaction = &self.transaction;
        let number = transaction.number.get();
        if storage.epoch() == number && number > 0
            || transaction.parts.has_just_kept(storage, &elements)
        {
            return Ok(());
        }
        self.keep_before_write(storage, &elements)
    }

    /// Whether the open transaction has nothing more to keep before it writes an element.
    #[inline]
    pub(super) fn is_kept(&self, storage: &Arc<Storage>, place: usize) -> bool {
        let number = self.transaction.number.get();
        number > 0
            && (storage.epoch() == number
                || self.transaction.parts.has_just_kept(storage, &(place..place + 1)))
    }

    /// Whether the input that is open, too, has nothing to keep before a write after which nothing can fail.
    #[inline]
    pub(super) fn is_kept_for_input(&self, storage: &Arc<Storage>) -> bool {
        let transaction = &self.transaction;
        transaction.write.get() == Write::Kept
            && storage.origin().epoch() >= transaction.input.get()
    }

    fn keep_before_write(
        &self,
        storage: &Arc<Storage>,
        elements: &Range<usize>,
    ) -> Result<(), Error> {
        // What another type's view writes is kept where the memory is.
        let (storage, elements) = (storage.origin(), &storage.in_origin(elements));
        let transaction = &self.transaction;
        let (number, epoch) = (transaction.number.get(), storage.epoch());
        match transaction.write.get() {
            Write::ButLast => {
                let write = (storage.clone(), elements.clone());
                let before = transaction.last_written.replace(Some(write));
                let keep =
                    |(storage, elements)| self.unexplained(|| self.keep(&storage, &elements));
                return before.map_or(Ok(()), keep);
            }
            Write::Last => {
                // One write goes without a copy, whatever else the caller does.
                transaction.write.set(Write::Kept);
                return self.before_last_write(storage, elements, epoch);
            }
            Write::Kept if number == 0 => {
                return self.before_last_write(storage, elements, epoch);
            }
            Write::Kept => {}
        }
        match storage.device().is_modelled() {
            true => self.unexplained(|| self.keep(storage, elements)),
            false => self.keep(storage, elements),
        }
    }

    /// Keeps what `storage` holds, at least at these elements, until the transaction ends.
    fn keep(&self, storage: &Arc<Storage>, elements: &Range<usize>) -> Result<(), Error> {
        let transaction = &self.transaction;
        let (number, epoch) = (transaction.number.get(), storage.epoch());
        if epoch == number || self.keep_pages(storage, elements, Room::Needed)? {
            return Ok(());
        }
        let provenance = Provenance::TEMPORARY.by("undo");
        let device = storage.device();
        let contents = self
            .with_relief(device, || device.allocate(storage.dtype(), storage.len(), provenance))?;
        self.copy_contents(storage, &contents)?;
        self.put_pages_in(storage, &contents)?;
        storage.set_epoch(number);
        transaction.saved.borrow_mut().push(Saved { storage: storage.clone(), contents, epoch });
        Ok(())
    }

    /// Keeps what `storage` holds for the input that is open, the first time it writes there. Where
    /// that can't be kept the write goes on, and the input can't be taken back.
    fn before_last_write(
        &self,
        storage: &Arc<Storage>,
        elements: &Range<usize>,
        epoch: u64,
    ) -> Result<(), Error> {
        let transaction = &self.transaction;
        let input = transaction.input.get();
        if epoch >= input || transaction.unkept.get() > 0 || storage.is_empty() {
            return Ok(());
        }
        let number = transaction.number.get();
        if number > 0 && self.keep_pages(storage, elements, Room::Spare)? {
            return Ok(());
        }
        let Some(contents) = self.spare_copy(storage)? else {
            self.lose_input(storage);
            return Ok(());
        };
        match number {
            0 => {
                storage.set_epoch(input);
                self.keep_for_input(storage, contents);
            }
            _ => {
                self.put_pages_in(storage, &contents)?;
                storage.set_epoch(number);
                let saved = Saved { storage: storage.clone(), contents, epoch };
                transaction.saved.borrow_mut().push(saved);
            }
        }
        Ok(())
    }

    /// The input can't be taken back: what it writes over in `storage` was not kept.
    fn lose_input(&self, storage: &Storage) {
        self.transaction.unkept.set(storage.size_bytes());
        // Without this one the states before can't come back either.
        self.attic.lose(self.transaction.input.get());
    }

    /// Computes what somebody holds, but for handles that a write owns: `own` says them, each as
    /// often as the caller has it.
    pub(super) fn settle_others(&self, own: &[&Tensor]) -> Result<(), Error> {
        self.check_unread()?;
        let pending = self.transaction.pending.take();
        let alive = pending.iter().filter_map(Weak::upgrade).map(Tensor);
        let lazy: SmallVec<[Tensor; 8]> = alive.filter(|tensor| !tensor.is_realized()).collect();
        if lazy.is_empty() {
            return Ok(());
        }
        let held = self.held_of(&lazy, own);
        // Memory that only this graph holds may be taken over.
        drop(lazy);
        let result = match held.as_slice() {
            [] => Ok(()),
            [only] => {
                self.note_last(only);
                self.realize(&[only])
            }
            held => self.realize(&held.iter().collect::<Vec<_>>()),
        };
        // What failed is still lazy, and the write's own nodes are.
        let is_lazy =
            |node: &Weak<Node>| node.upgrade().is_some_and(|node| !Tensor(node).is_realized());
        let mut left: Vec<Weak<Node>> = pending.into_iter().filter(is_lazy).collect();
        left.append(&mut self.transaction.pending.borrow_mut());
        self.transaction.pending.replace(left);
        result
    }

    pub(super) fn copy_contents(
        &self,
        from: &Arc<Storage>,
        to: &Arc<Storage>,
    ) -> Result<(), Error> {
        if from.is_empty() {
            return Ok(());
        }
        let leaf = |storage: &Arc<Storage>| {
            Leaf::of(storage.clone(), Layout::contiguous([storage.len()].into()))
        };
        self.copy_leaf(leaf(from), &leaf(to))
    }

    pub(super) fn copy_leaf(&self, from: Leaf, to: &Leaf) -> Result<(), Error> {
        let from = Tensor::from_leaf(from);
        let mut walk = Walk::new(self, &[&from], &to.layout.shape)?;
        self.launch(&mut walk, &[&from], &[to])
    }
}

/// Lets go of what is not there any more before the list grows.
fn make_room<T>(list: &mut Vec<T>, is_alive: impl Fn(&T) -> bool) {
    if list.len() == list.capacity() && list.len() >= 64 {
        list.retain(is_alive);
        if list.len() * 2 > list.capacity() {
            list.reserve(list.capacity());
        }
    }
}
