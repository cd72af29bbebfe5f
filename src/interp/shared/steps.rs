//! Steps: changes of one item. Beside a large container the step is kept and not the container, so that
//! a loop whose turns are transactions of their own takes linear time to fill one.

use std::cell::RefMut;
use std::hash::Hash;
use std::rc::{Rc, Weak};

use indexmap::Equivalent;

use super::{Contents, Mark, Shared, Undo};
use crate::interp::Value;
use crate::interp::object::set;
use crate::interp::undo::Journal;
use crate::interp::value::{Entries, Key, Members};

/// Fewer items than these are kept whole at once.
const FEW: usize = 16;
/// One step for so many items may be kept before they are. An entry of the journal takes as much room as
/// some of them.
const ITEMS_PER_STEP: usize = 4;
/// And so many at the most for an input, which may take them back one after the other.
const MOST_FOR_INPUT: usize = 4096;

/// Contents that can take back a change of one item.
pub trait Stepwise: Contents {
    /// What a step changed, as it was before.
    type Step: 'static;

    /// How many items there are.
    fn count(&self) -> usize;

    /// Takes a step back; gives the one that takes this back.
    fn take_back(&mut self, step: Self::Step) -> Self::Step;

    /// Shows the values that a step keeps.
    fn visit_step(step: &Self::Step, look: &mut dyn FnMut(&Value));
}

/// What a step changed in a list.
#[derive(Debug)]
pub enum ItemStep {
    /// There were so many items; others came behind them.
    Len(usize),
    /// These came behind the others.
    Behind(Vec<Value>),
    /// The item at a position.
    At(usize, Value),
    /// The items at some positions.
    Several(Vec<(usize, Value)>),
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
    /// These came behind the others.
    Behind(Vec<(Key, Value)>),
    /// An entry came.
    Come(Key),
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
    /// These came behind the others.
    Behind(Vec<Key>),
    /// An element came.
    Come(Key),
    /// The element that is no longer at its position, and whether the last one stands there now.
    Gone(usize, Key, bool),
}

impl Stepwise for Vec<Value> {
    type Step = ItemStep;

    fn count(&self) -> usize {
        self.len()
    }

    fn take_back(&mut self, step: ItemStep) -> ItemStep {
        let count = self.len();
        match step {
            ItemStep::Len(len) => ItemStep::Behind(self.split_off(len.min(count))),
            ItemStep::Behind(items) => {
                self.extend(items);
                ItemStep::Len(count)
            }
            ItemStep::At(at, value) => match self.get_mut(at) {
                Some(place) => ItemStep::At(at, std::mem::replace(place, value)),
                None => ItemStep::Len(count),
            },
            ItemStep::Several(mut items) => {
                for (at, value) in items.iter_mut().filter(|(at, _)| *at < count) {
                    std::mem::swap(&mut self[*at], value);
                }
                ItemStep::Several(items)
            }
            ItemStep::Last(value) => {
                self.push(value);
                ItemStep::Len(count)
            }
            ItemStep::Gone(at, value) => {
                self.insert(at.min(count), value);
                ItemStep::Come(at.min(count))
            }
            ItemStep::Come(at) if at < count => ItemStep::Gone(at, self.remove(at)),
            ItemStep::Come(_) => ItemStep::Len(count),
            ItemStep::Turned => {
                self.reverse();
                ItemStep::Turned
            }
        }
    }

    fn visit_step(step: &ItemStep, look: &mut dyn FnMut(&Value)) {
        match step {
            ItemStep::Len(_) | ItemStep::Come(_) | ItemStep::Turned => {}
            ItemStep::Behind(items) => items.visit(look),
            ItemStep::Several(items) => items.iter().for_each(|(_, value)| look(value)),
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

    fn take_back(&mut self, step: EntryStep) -> EntryStep {
        let count = self.len();
        match step {
            EntryStep::At(key, value) => match self.get_mut(&key) {
                Some(place) => EntryStep::At(key, std::mem::replace(place, value)),
                None => EntryStep::Len(count),
            },
            EntryStep::Len(len) => {
                let gone = std::iter::from_fn(|| (self.len() > len).then(|| self.pop()).flatten());
                let mut gone: Vec<(Key, Value)> = gone.collect();
                gone.reverse();
                EntryStep::Behind(gone)
            }
            EntryStep::Behind(entries) => {
                self.extend(entries);
                EntryStep::Len(count)
            }
            EntryStep::Gone(key, value, behind) => {
                self.insert(key.clone(), value);
                if let Some(behind) = behind {
                    self.move_last_before(&behind);
                }
                EntryStep::Come(key)
            }
            EntryStep::Come(key) => {
                let step = self.step_out(&key);
                self.shift_remove(&key);
                step
            }
        }
    }

    fn visit_step(step: &EntryStep, look: &mut dyn FnMut(&Value)) {
        match step {
            EntryStep::Len(_) => {}
            EntryStep::Behind(entries) => entries.iter().for_each(|(key, value)| {
                look(key.value());
                look(value);
            }),
            EntryStep::Come(key) => look(key.value()),
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

    fn take_back(&mut self, step: MemberStep) -> MemberStep {
        let count = self.len();
        match step {
            MemberStep::Len(len) => {
                let gone = self.iter().skip(len).cloned().collect();
                self.truncate(len);
                MemberStep::Behind(gone)
            }
            MemberStep::Behind(keys) => {
                self.extend(keys);
                MemberStep::Len(count)
            }
            MemberStep::Gone(at, key, is_swapped) => {
                self.put_back(at, key.clone(), is_swapped);
                MemberStep::Come(key)
            }
            MemberStep::Come(key) => {
                let step = self.step_out(&key);
                set::discard(self, &key);
                step
            }
        }
    }

    fn visit_step(step: &MemberStep, look: &mut dyn FnMut(&Value)) {
        match step {
            MemberStep::Len(_) => {}
            MemberStep::Behind(keys) => keys.iter().for_each(|key| look(key.value())),
            MemberStep::Come(key) | MemberStep::Gone(_, key, _) => look(key.value()),
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

    /// As [`Shared::step`], by what ends the statement: only the input may want it back.
    pub fn step_last(
        self: &Rc<Self>,
        journal: &Journal,
        step: impl FnOnce(&T) -> T::Step,
    ) -> RefMut<'_, T> {
        self.step_last_to_hold(journal, &Value::Unbound, step)
    }

    /// As [`Shared::step_last`], to put a value in.
    #[inline]
    pub fn step_last_to_hold(
        self: &Rc<Self>,
        journal: &Journal,
        value: &Value,
        step: impl FnOnce(&T) -> T::Step,
    ) -> RefMut<'_, T> {
        if !self.is_kept_for_input(journal) {
            self.keep_step(journal, step);
        }
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
        let (now, input, mark) = (journal.epoch(), journal.input(), self.mark());
        let contents = self.borrow();
        let count = contents.count();
        // Whether the input will take it back by its steps.
        let is_stepwise = mark.is_for(input);
        let goes_on = mark.epoch == now || mark.is_stepwise && mark.epoch >= input;
        let steps = if goes_on { mark.steps } else { 0 };
        let most = count / ITEMS_PER_STEP;
        let most = if is_stepwise { most.min(MOST_FOR_INPUT) } else { most };
        if count < FEW || steps as usize >= most || steps == u32::MAX {
            self.set_mark(Mark { epoch: now, steps: 0, is_stepwise: false });
            self.keep(journal, mark, contents.clone());
        } else {
            self.set_mark(Mark { epoch: now, steps: steps + 1, is_stepwise });
            let step = Some(step(&contents));
            journal.note(StepBefore { cell: Rc::downgrade(self), mark, step });
        }
    }
}

/// What one step changed. It is weak, as [`Before`](super::Before) is.
struct StepBefore<T: Stepwise> {
    cell: Weak<Shared<T>>,
    /// The cell's mark before.
    mark: Mark,
    step: Option<T::Step>,
}

impl<T: Stepwise> Undo for StepBefore<T> {
    fn exchange(&mut self) {
        if let (Some(cell), Some(step)) = (self.cell.upgrade(), self.step.take()) {
            self.step = Some(cell.contents.borrow_mut().take_back(step));
        }
    }

    fn undo(mut self: Box<Self>) {
        if let (Some(cell), Some(step)) = (self.cell.upgrade(), self.step.take()) {
            cell.set_mark(self.mark);
            let after = cell.contents.borrow_mut().take_back(step);
            drop(after);
        }
    }

    fn matters(&self) -> bool {
        self.cell.strong_count() > 0
    }

    fn is_for(&self, input: u64) -> bool {
        self.mark.is_for(input)
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.step.iter().for_each(|step| T::visit_step(step, look));
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
