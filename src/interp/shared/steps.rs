//! Steps: changes of one item. Beside a large container the step is kept and not the container, so that
//! a loop whose turns are transactions of their own takes linear time to fill one.

use std::cell::RefMut;
use std::rc::{Rc, Weak};

use super::{Contents, Shared, Undo};
use crate::interp::Value;
use crate::interp::undo::Journal;
use crate::interp::value::{Entries, Members};

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

/// What a step changed in a list or in a dictionary. Taking back the first two twice does nothing more.
#[derive(Debug)]
pub enum ItemStep {
    /// There were so many items; others came behind them.
    Len(usize),
    /// The value of the item at a position.
    At(usize, Value),
    /// The last item of a list, which is no longer there.
    Last(Value),
}

impl ItemStep {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match self {
            ItemStep::Len(_) => {}
            ItemStep::At(_, value) | ItemStep::Last(value) => look(value),
        }
    }
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
        }
    }

    fn visit_step(step: &ItemStep, look: &mut dyn FnMut(&Value)) {
        step.visit(look);
    }
}

impl Stepwise for Entries {
    type Step = ItemStep;

    fn count(&self) -> usize {
        self.len()
    }

    fn take_back(&mut self, step: ItemStep) {
        match step {
            ItemStep::At(at, value) => {
                if let Some((_, place)) = self.get_index_mut(at) {
                    *place = value;
                }
            }
            ItemStep::Len(len) => {
                while self.len() > len {
                    self.pop();
                }
            }
            ItemStep::Last(_) => {}
        }
    }

    fn visit_step(step: &ItemStep, look: &mut dyn FnMut(&Value)) {
        step.visit(look);
    }
}

impl Entries {
    /// What putting a value under a key changes.
    pub fn step<Q>(&self, key: &Q) -> ItemStep
    where
        Q: ?Sized + std::hash::Hash + indexmap::Equivalent<crate::interp::value::Key>,
    {
        match self.get_full(key) {
            Some((at, _, value)) => ItemStep::At(at, value.clone()),
            None => ItemStep::Len(self.len()),
        }
    }
}

impl Stepwise for Members {
    /// How many there were.
    type Step = usize;

    fn count(&self) -> usize {
        self.iter().len()
    }

    fn take_back(&mut self, len: usize) {
        self.truncate(len);
    }

    fn visit_step(_: &usize, _: &mut dyn FnMut(&Value)) {}
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
