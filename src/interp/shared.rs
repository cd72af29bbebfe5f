//! What several names may share and a statement may change: lists, dictionaries, variables.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::fmt;
use std::rc::Rc;

use super::Value;
use super::undo::Journal;

/// Contents that change through a journal only, so that no change can be forgotten when a statement
/// fails.
pub struct Shared<T> {
    /// The last transaction that has kept the contents or made this.
    epoch: Cell<u64>,
    contents: RefCell<T>,
}

/// A variable: what a name holds, if it holds anything.
pub type Slot = Rc<Shared<Option<Value>>>;

impl<T> Shared<T> {
    /// As [`Shared::from`], made in the transaction that `journal` is open for: a failure lets go of
    /// it, so that its changes need no copies.
    pub fn made_in(journal: &Journal, contents: T) -> Shared<T> {
        Shared { epoch: Cell::new(journal.epoch()), contents: RefCell::new(contents) }
    }

    pub fn borrow(&self) -> Ref<'_, T> {
        self.contents.borrow()
    }

    /// `None` while somebody changes it.
    pub fn try_borrow(&self) -> Option<Ref<'_, T>> {
        self.contents.try_borrow().ok()
    }
}

impl<T: Clone + 'static> Shared<T> {
    /// The contents, to be changed: what they were is kept first, once a transaction.
    pub fn change(self: &Rc<Self>, journal: &Journal) -> RefMut<'_, T> {
        if self.needs_keeping(journal) {
            journal.note(Before { cell: Rc::downgrade(self), contents: self.borrow().clone() });
        }
        self.contents.borrow_mut()
    }

    /// As [`Shared::change`]; `None` while somebody else looks at it or changes it.
    pub fn try_change(self: &Rc<Self>, journal: &Journal) -> Option<RefMut<'_, T>> {
        drop(self.contents.try_borrow_mut().ok()?);
        Some(self.change(journal))
    }

    /// The contents, to be changed by what ends the statement: whatever can fail has been done, so
    /// they need not be kept.
    pub fn change_last(&self, _: &Journal) -> RefMut<'_, T> {
        self.contents.borrow_mut()
    }

    /// Other contents; gives back what they were.
    pub fn replace(self: &Rc<Self>, journal: &Journal, contents: T) -> T {
        let before = self.contents.replace(contents);
        if self.needs_keeping(journal) {
            journal.note(Before { cell: Rc::downgrade(self), contents: before.clone() });
        }
        before
    }

    fn needs_keeping(&self, journal: &Journal) -> bool {
        let epoch = journal.epoch();
        epoch != 0 && self.epoch.replace(epoch) != epoch
    }
}

impl<T> From<T> for Shared<T> {
    fn from(contents: T) -> Shared<T> {
        Shared { epoch: Cell::new(0), contents: RefCell::new(contents) }
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Shared<T> {
        T::default().into()
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared")
    }
}

/// What something shared held. It is weak: what nobody can reach needs no undoing.
struct Before<T> {
    cell: std::rc::Weak<Shared<T>>,
    contents: T,
}

/// An entry of the journal.
pub(super) trait Undo {
    /// Puts back what was there.
    fn undo(self: Box<Self>);

    /// Whether anybody can still see the difference.
    fn matters(&self) -> bool;
}

impl<T: 'static> Undo for Before<T> {
    fn undo(self: Box<Self>) {
        if let Some(cell) = self.cell.upgrade() {
            let Before { contents, .. } = *self;
            drop(cell.contents.replace(contents));
        }
    }

    fn matters(&self) -> bool {
        self.cell.strong_count() > 0
    }
}
