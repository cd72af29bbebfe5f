//! Steps: changes of one item. Beside a large container the step is kept and not the container, so that
//! a loop whose turns are transactions of their own takes linear time to fill one.

use std::cell::RefMut;
use std::hash::Hash;
use std::rc::{Rc, Weak};

use indexmap::Equivalent;

use super::{Contents, Shared, Undo};
use crate::interp::Value;
use crate::interp::undo::Journal;
use crate::interp::value::{Entries, Key, Members};

/// Fewer items than these are kept whole at once.
const FEW: usize = 16;
/// One step for so many items may be kept before they are. An entry of the journal takes as much room as
/// some of them.
const ITEMS_PER_STEP: usize = 4;

/// Contents that can take back a change of one item.
pub trait Stepwise: Contents {
    /// What a step changed, as it was before.
    type Step: 'static;

    /// How many items there are.
    fn count(&self) -> usize;

    fn take_back(&mut self, step: Self::Step);

    /// Shows the values that a step keeps.
    fn visit_step(step: &Self::Step, look: &mut dyn FnMut(&Value));
}

/// What a step changed in a list.
#[derive(Debug)]
pub enum ItemStep {
    /// There were so many items; others came behind them.
    Len(usize),
    /// The item at a position.
    At(usize, Value),
    /// The last item, which is no longer there.
    Last(Value),
    /// An item that is no longer at its position.
    Gone(usize, Value),
    /// An item came to a position.
    Come(usize),
    /// The list was turned around.
    Turned,
}

/// What a step changed in a dictionary.
#[derive(Debug)]
pub enum EntryStep {
    /// There were so many entries; others came behind them.
    Len(usize),
    /// The value of a key.
    At(Key, Value),
    /// An entry that is no longer where it was, and the key behind it.
    Gone(Key, Value, Option<Key>),
}

/// What a step changed in a set.
#[derive(Debug)]
pub enum MemberStep {
    /// There were so many elements; others came behind them.
    Len(usize),
    /// The element that is no longer at its position, and whether the last one stands there now.
    Gone(usize, Key, bool),
}

impl Stepwise for Vec<Value> {
    type Step = ItemStep;

    fn count(&self) -> usize {
        self.len()
    }

    fn take_back(&mut self, step: ItemStep) {
        match step {
            ItemStep::Len(len) => self.truncate(len),
            ItemStep::At(at, value) => {
                if let Some(place) = self.get_mut(at) {
                    *place = value;
                }
            }
            ItemStep::Last(value) => self.push(value),
            ItemStep::Gone(at, value) => self.insert(at.min(self.len()), value),
            ItemStep::Come(at) => {
                if at < self.len() {
                    self.remove(at);
                }
            }
            ItemStep::Turned => self.reverse(),
        }
    }

    fn visit_step(step: &ItemStep, look: &mut dyn FnMut(&Value)) {
        match step {
            ItemStep::Len(_) | ItemStep::Come(_) | ItemStep::Turned => {}
            ItemStep::At(_, value) | ItemStep::Last(value) | ItemStep::Gone(_, value) => {
                look(value);
            }
        }
    }
}

impl Stepwise for Entries {
    type Step = EntryStep;

    fn count(&self) -> usize {
        self.len()
    }

    fn take_back(&mut self, step: EntryStep) {
        match step {
            EntryStep::At(key, value) => {
                if let Some(place) = self.get_mut(&key) {
                    *place = value;
                }
            }
            EntryStep::Len(len) => {
                while self.len() > len {
                    self.pop();
                }
            }
            EntryStep::Gone(key, value, behind) => {
                self.insert(key, value);
                if let Some(behind) = behind {
                    self.move_last_before(&behind);
                }
            }
        }
    }

    fn visit_step(step: &EntryStep, look: &mut dyn FnMut(&Value)) {
        match step {
            EntryStep::Len(_) => {}
            EntryStep::At(key, value) => {
                look(key.value());
                look(value);
            }
            EntryStep::Gone(key, value, behind) => {
                look(key.value());
                look(value);
                behind.iter().for_each(|key| look(key.value()));
            }
        }
    }
}

impl Entries {
    /// What putting a value under a key changes.
    pub fn step<Q>(&self, key: &Q) -> EntryStep
    where
        Q: ?Sized + Hash + Equivalent<Key>,
    {
        match self.get_key_value(key) {
            Some((key, value)) => EntryStep::At(key.clone(), value.clone()),
            None => EntryStep::Len(self.len()),
        }
    }

    /// What taking the last entry out changes.
    pub fn step_of_pop(&self) -> EntryStep {
        let gone = |(key, value): (&Key, &Value)| EntryStep::Gone(key.clone(), value.clone(), None);
        self.iter().next_back().map_or(EntryStep::Len(0), gone)
    }

    /// What taking a key out changes.
    pub fn step_out<Q>(&self, key: &Q) -> EntryStep
    where
        Q: ?Sized + Hash + Equivalent<Key>,
    {
        match self.get_key_value(key) {
            Some((known, value)) => {
                EntryStep::Gone(known.clone(), value.clone(), self.key_behind(key).cloned())
            }
            None => EntryStep::Len(self.len()),
        }
    }
}

impl Stepwise for Members {
    type Step = MemberStep;

    fn count(&self) -> usize {
        self.iter().len()
    }

    fn take_back(&mut self, step: MemberStep) {
        match step {
            MemberStep::Len(len) => self.truncate(len),
            MemberStep::Gone(at, key, is_swapped) => self.put_back(at, key, is_swapped),
        }
    }

    fn visit_step(step: &MemberStep, look: &mut dyn FnMut(&Value)) {
        if let MemberStep::Gone(_, key, _) = step {
            look(key.value());
        }
    }
}

impl<T: Stepwise> Shared<T> {
    /// As [`Shared::change`], for a change of one item: where there are many, the item is kept and not
    /// they.
    #[inline]
    pub fn step(
        self: &Rc<Self>,
        journal: &Journal,
        step: impl FnOnce(&T) -> T::Step,
    ) -> RefMut<'_, T> {
        self.keep_step(journal, step);
        self.note_change(journal);
        self.contents.borrow_mut()
    }

    /// As [`Shared::change_to_hold`], for one item.
    #[inline]
    pub fn step_to_hold(
        self: &Rc<Self>,
        journal: &Journal,
        value: &Value,
        step: impl FnOnce(&T) -> T::Step,
    ) -> RefMut<'_, T> {
        self.keep_step(journal, step);
        if !value.holds_nothing() {
            self.note_change(journal);
        }
        self.contents.borrow_mut()
    }

    #[inline]
    fn keep_step(self: &Rc<Self>, journal: &Journal, step: impl FnOnce(&T) -> T::Step) {
        if self.lacks_keeping(journal) {
            self.keep_step_or_whole(journal, step);
        }
    }

    #[cold]
    fn keep_step_or_whole(self: &Rc<Self>, journal: &Journal, step: impl FnOnce(&T) -> T::Step) {
        let (now, epoch) = (journal.epoch(), self.epoch.get());
        let steps = if epoch == now { self.steps.get() } else { 0 };
        let contents = self.borrow();
        let count = contents.count();
        // What the input takes back it takes back as a whole.
        let is_whole = epoch < journal.input()
            || count < FEW
            || steps as usize >= count / ITEMS_PER_STEP
            || steps == u32::MAX;
        self.epoch.set(now);
        if is_whole {
            self.steps.set(0);
            self.keep(journal, epoch, contents.clone());
        } else {
            self.steps.set(steps + 1);
            let step = Some(step(&contents));
            journal.note(StepBefore { cell: Rc::downgrade(self), epoch, step });
        }
    }
}

/// What one step changed. It is weak, as [`Before`](super::Before) is.
struct StepBefore<T: Stepwise> {
    cell: Weak<Shared<T>>,
    /// The cell's epoch before.
    epoch: u64,
    step: Option<T::Step>,
}

impl<T: Stepwise> Undo for StepBefore<T> {
    fn exchange(&mut self) {
        debug_assert!(false, "an input keeps the whole first");
    }

    fn undo(mut self: Box<Self>) {
        if let (Some(cell), Some(step)) = (self.cell.upgrade(), self.step.take()) {
            cell.epoch.set(self.epoch);
            cell.steps.set(0);
            cell.contents.borrow_mut().take_back(step);
        }
    }

    fn matters(&self) -> bool {
        self.cell.strong_count() > 0
    }

    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.step.iter().for_each(|step| T::visit_step(step, look));
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
