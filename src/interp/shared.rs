//! What several names may share and a statement may change: lists, dictionaries, variables.

mod steps;

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::VecDeque;
use std::fmt;
use std::rc::{Rc, Weak};

use super::Value;
use super::collect::Container;
use super::letting_go::let_go;
use super::undo::Journal;
use super::value::{Entries, Members};
use super::vm::register::is_plain;

pub use steps::{EntryStep, ItemStep, MemberStep, Stepwise};

/// Contents that change through a journal only, so that no change can be forgotten when a statement
/// fails or an input is taken back.
pub struct Shared<T: Contents> {
    /// The last transaction that has kept the contents or made this.
    epoch: Cell<u64>,
    /// Whether the journal knows that it was changed.
    is_changed: Cell<bool>,
    /// How many steps that transaction has kept, or its input, where it has not kept the whole.
    steps: Cell<u32>,
    /// Whether the input of that transaction has kept steps, and not the whole.
    is_stepwise: Cell<bool>,
    contents: RefCell<T>,
}

/// A variable: what a name holds, if it holds anything.
pub type Slot = Rc<Shared<Option<Value>>>;

/// What can be shared and changed.
pub trait Contents: Clone + 'static {
    /// Shows the values that it holds, each as often as it holds it: see [`Value::visit`]. Those that
    /// hold nothing may be left out.
    fn visit(&self, look: &mut dyn FnMut(&Value));

    /// About how many bytes a copy takes.
    fn bytes(&self) -> usize;

    /// Drops what it holds, where that may hold others in turn, one after the other.
    fn let_go(&mut self) {}

    /// What holds these, where that may come to hold itself.
    fn container(_: &Rc<Shared<Self>>) -> Option<Container> {
        None
    }
}

impl<T: Contents> Shared<T> {
    /// As [`Shared::from`], made in the transaction that `journal` is open for: a failure lets go of
    /// it, so that its changes need no copies.
    pub fn made_in(journal: &Journal, contents: T) -> Shared<T> {
        let made = Shared::from(contents);
        made.epoch.set(journal.birth());
        made
    }

    /// It was made just now: where the transaction that `journal` is open for fails, nobody holds it.
    pub fn made_in_transaction(&self, journal: &Journal) {
        self.set_mark(Mark { epoch: journal.birth(), steps: 0, is_stepwise: false });
    }

    /// The same where nobody but `self` has it or knows of it: nothing that was there before reaches it.
    pub fn claim(self: &Rc<Self>, journal: &Journal) {
        if Rc::strong_count(self) == 1 && Rc::weak_count(self) == 0 {
            self.made_in_transaction(journal);
        }
    }

    #[inline]
    pub fn borrow(&self) -> Ref<'_, T> {
        self.contents.borrow()
    }

    /// `None` while somebody changes it.
    pub fn try_borrow(&self) -> Option<Ref<'_, T>> {
        self.contents.try_borrow().ok()
    }
}

impl<T: Contents> Shared<T> {
    /// The contents, to be emptied where nobody looks for them any more.
    pub fn try_borrow_mut(&self) -> Option<RefMut<'_, T>> {
        self.contents.try_borrow_mut().ok()
    }

    /// Puts contents back that were there before: no change that a journal keeps.
    pub(super) fn restore(&self, contents: T) {
        drop(self.contents.replace(contents));
    }

    /// The contents, to be changed: what they were is kept first, once a transaction.
    #[inline]
    pub fn change(self: &Rc<Self>, journal: &Journal) -> RefMut<'_, T> {
        if let Some(mark) = self.needs_keeping(journal) {
            self.keep(journal, mark, self.borrow().clone());
        }
        self.note_change(journal);
        self.contents.borrow_mut()
    }

    /// As [`Shared::change`], to put a value in: one that holds nothing makes it no part of a cycle.
    #[inline]
    pub fn change_to_hold(self: &Rc<Self>, journal: &Journal, value: &Value) -> RefMut<'_, T> {
        if let Some(mark) = self.needs_keeping(journal) {
            self.keep(journal, mark, self.borrow().clone());
        }
        if !value.holds_nothing() {
            self.note_change(journal);
        }
        self.contents.borrow_mut()
    }

    #[cold]
    fn keep(self: &Rc<Self>, journal: &Journal, mark: Mark, contents: T) {
        journal.note(Before { cell: Rc::downgrade(self), mark, contents });
    }

    /// As [`Shared::change`]; `None` while somebody else looks at it or changes it.
    pub fn try_change(self: &Rc<Self>, journal: &Journal) -> Option<RefMut<'_, T>> {
        let contents = self.contents.try_borrow_mut().ok()?;
        if let Some(mark) = self.needs_keeping(journal) {
            self.keep(journal, mark, contents.clone());
        }
        self.note_change(journal);
        Some(contents)
    }

    /// The contents, to be changed by what ends the statement: whatever can fail has been done, so
    /// only the first change of an input needs to be kept.
    pub fn change_last(self: &Rc<Self>, journal: &Journal) -> RefMut<'_, T> {
        if !self.is_kept_for_input(journal) {
            return self.change(journal);
        }
        self.note_change(journal);
        self.contents.borrow_mut()
    }

    /// As [`Shared::change_last`], to put a value in: one that holds nothing makes it no part of a cycle.
    #[inline]
    pub fn change_last_to_hold(self: &Rc<Self>, journal: &Journal, value: &Value) -> RefMut<'_, T> {
        if !self.is_kept_for_input(journal) {
            return self.change_to_hold(journal, value);
        }
        if !value.holds_nothing() {
            self.note_change(journal);
        }
        self.contents.borrow_mut()
    }

    /// Other contents, without a copy of what they were. `is_last` is for what ends the statement, as
    /// in [`Shared::change_last`].
    pub fn put(self: &Rc<Self>, journal: &Journal, contents: T, is_last: bool) {
        let is_kept = is_last && self.is_kept_for_input(journal);
        let mut before = self.contents.replace(contents);
        if !is_kept && let Some(mark) = self.needs_keeping(journal) {
            self.keep(journal, mark, before);
        } else {
            before.let_go();
        }
        self.note_change(journal);
    }

    /// Other contents; gives back what they were.
    #[inline]
    pub fn replace(self: &Rc<Self>, journal: &Journal, contents: T) -> T {
        let before = self.contents.replace(contents);
        if let Some(mark) = self.needs_keeping(journal) {
            self.keep(journal, mark, before.clone());
        }
        before
    }

    /// Whether the journal has no use for what it holds: what was there before has been kept. At the
    /// end of a statement only an input may want it, as in [`Shared::change_last`].
    pub(super) fn is_kept(&self, journal: &Journal, is_last: bool) -> bool {
        !self.lacks_keeping(journal) || is_last && self.is_kept_for_input(journal)
    }

    /// Tells the journal that it was changed, once: it may be a part of a cycle from here on.
    #[inline]
    pub(in crate::interp) fn note_change(self: &Rc<Self>, journal: &Journal) {
        if !self.is_changed.replace(true) {
            self.note_first_change(journal);
        }
    }

    #[cold]
    fn note_first_change(self: &Rc<Self>, journal: &Journal) {
        if let Some(container) = T::container(self) {
            journal.changed.note(container);
        }
    }

    /// What it was marked with, if what was there must be kept, as a whole.
    #[inline]
    fn needs_keeping(&self, journal: &Journal) -> Option<Mark> {
        if !self.lacks_keeping(journal) {
            return None;
        }
        let mark = self.mark();
        self.set_mark(Mark { epoch: journal.epoch(), steps: 0, is_stepwise: false });
        Some(mark)
    }

    /// Whether the input that is open has all that it needs to take changes back.
    #[inline]
    fn is_kept_for_input(&self, journal: &Journal) -> bool {
        self.epoch.get() >= journal.input() && !self.is_stepwise.get()
    }

    #[inline]
    fn mark(&self) -> Mark {
        let (epoch, steps) = (self.epoch.get(), self.steps.get());
        Mark { epoch, steps, is_stepwise: self.is_stepwise.get() }
    }

    #[inline]
    fn set_mark(&self, Mark { epoch, steps, is_stepwise }: Mark) {
        self.epoch.set(epoch);
        self.steps.set(steps);
        self.is_stepwise.set(is_stepwise);
    }

    /// Whether what was there must be kept. Between transactions the input's own number counts: what one
    /// of them has kept as a whole is kept.
    #[inline]
    fn lacks_keeping(&self, journal: &Journal) -> bool {
        let now = journal.epoch();
        let epoch = self.epoch.get();
        let lacks = epoch < now || epoch == now && self.steps.get() != 0;
        now != 0 && (lacks || self.is_stepwise.get())
    }
}

impl<T: Contents + Default> Shared<T> {
    /// What it held, which nobody looks for any more.
    pub(super) fn empty(&self) -> T {
        self.contents
            .try_borrow_mut()
            .map(|mut held| std::mem::take(&mut *held))
            .unwrap_or_default()
    }
}

impl<T: Contents> From<T> for Shared<T> {
    fn from(contents: T) -> Shared<T> {
        let contents = RefCell::new(contents);
        let (epoch, steps) = (Cell::new(0), Cell::new(0));
        Shared { epoch, is_changed: Cell::default(), steps, is_stepwise: Cell::default(), contents }
    }
}

impl<T: Contents + Default> Default for Shared<T> {
    fn default() -> Shared<T> {
        T::default().into()
    }
}

impl<T: Contents> Drop for Shared<T> {
    fn drop(&mut self) {
        self.contents.get_mut().let_go();
    }
}

impl<T: Contents> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

impl Contents for Option<Value> {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.iter().for_each(look);
    }

    fn bytes(&self) -> usize {
        size_of::<Value>()
    }

    fn let_go(&mut self) {
        if let Some(value) = self.take_if(|value| value.identity().is_some()) {
            let_go(value);
        }
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        Some(Container::Slot(Rc::downgrade(cell)))
    }
}

impl Contents for Vec<Value> {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.iter().filter(|value| !value.holds_nothing()).for_each(look);
    }

    fn bytes(&self) -> usize {
        size_of_val(self.as_slice())
    }

    fn let_go(&mut self) {
        // As in CPython the last item goes first.
        if self.last().is_some_and(|item| !is_plain(item)) {
            self.reverse();
        }
        // Most short lists hold numbers, or texts.
        if self.len() > 64 {
            let_go(std::mem::take(self));
        } else if self.iter().all(is_plain) {
            std::mem::take(self).into_iter().for_each(std::mem::forget);
        } else if !self.iter().all(Value::holds_nothing) {
            let_go(std::mem::take(self));
        }
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        Some(Container::List(Rc::downgrade(cell)))
    }
}

/// Results by their numbers.
impl Contents for VecDeque<(usize, Value)> {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.iter().for_each(|(_, value)| look(value));
    }

    fn bytes(&self) -> usize {
        self.len() * size_of::<(usize, Value)>()
    }
}

impl Contents for Entries {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        for (key, value) in self.iter() {
            let parts = [key.value(), value].into_iter();
            parts.filter(|value| !value.holds_nothing()).for_each(&mut *look);
        }
    }

    fn bytes(&self) -> usize {
        // A hash and a place in the table beside each pair.
        self.len() * (2 * size_of::<Value>() + 2 * size_of::<usize>())
    }

    fn let_go(&mut self) {
        // The fields of most objects are a few numbers and texts.
        if !self.holds_little() {
            let_go(std::mem::take(self));
        }
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        Some(Container::Dict(Rc::downgrade(cell)))
    }
}

impl Contents for Members {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.iter().for_each(|key| look(key.value()));
    }

    fn bytes(&self) -> usize {
        // A hash and a place in the table beside each element.
        self.len() * (size_of::<Value>() + 2 * size_of::<usize>())
    }

    fn let_go(&mut self) {
        let_go(std::mem::take(self));
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        Some(Container::Set(Rc::downgrade(cell)))
    }
}

/// What something shared held. It is weak: what nobody can reach needs no undoing.
struct Before<T: Contents> {
    cell: Weak<Shared<T>>,
    /// The cell's mark before.
    mark: Mark,
    contents: T,
}

/// What a cell says of the changes that were kept: see [`Shared`].
#[derive(Debug, Clone, Copy)]
struct Mark {
    epoch: u64,
    steps: u32,
    is_stepwise: bool,
}

impl Mark {
    /// Whether the input needs what was there under this mark, and not only its transaction.
    fn is_for(self, input: u64) -> bool {
        self.epoch < input || self.is_stepwise
    }
}

/// An entry of the journal.
pub(super) trait Undo {
    /// Puts back what was there, and keeps in its place what is there now.
    fn exchange(&mut self);

    /// Puts back what was there, in a statement that failed.
    fn undo(mut self: Box<Self>) {
        self.exchange();
    }

    /// Whether anybody can still see the difference.
    fn matters(&self) -> bool;

    /// Whether the input needs it, and not only its transaction; always where each change is kept, because they are few.
    fn is_for(&self, input: u64) -> bool {
        let _ = input;
        true
    }

    /// Shows the values that it keeps.
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        let _ = look;
    }

    /// About how many bytes it keeps, beside values that are shared.
    fn bytes(&self) -> usize {
        size_of_val(self)
    }
}

impl<T: Contents> Undo for Before<T> {
    fn exchange(&mut self) {
        if let Some(cell) = self.cell.upgrade() {
            std::mem::swap(&mut *cell.contents.borrow_mut(), &mut self.contents);
        }
    }

    fn undo(self: Box<Self>) {
        if let Some(cell) = self.cell.upgrade() {
            let Before { contents, mark, .. } = *self;
            cell.set_mark(mark);
            drop(cell.contents.replace(contents));
        }
    }

    fn matters(&self) -> bool {
        self.cell.strong_count() > 0
    }

    fn is_for(&self, input: u64) -> bool {
        self.mark.is_for(input)
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.contents.visit(look);
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.contents.bytes()
    }
}
