//! Inputs that can be taken back: the state before each is what its transactions changed first.
//!
//! Whoever owns the inputs keeps their [`State`]s. To go back is to exchange what a state keeps with
//! what is there now, and to go forward is to do so once more. Elements are copied only where a
//! few pages of a large storage were kept.

pub mod reach;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use self::reach::Reach;
use super::undo::Change;
use super::{Interp, Value};
use crate::dtype::DType;
use crate::report::PrintOptions;
use crate::tensor::{Attic, Interrupt, Kept};

/// So much of what somebody alive holds, too, is looked at again at the end of each input.
const AT_ONCE: usize = 4096;

/// What an input changed, as it was on the other side of it.
pub struct State {
    number: u64,
    changes: Rc<RefCell<Changes>>,
    choices: Choices,
    bytes: usize,
}

/// What a state keeps, until memory is wanted that only the past holds.
#[derive(Default)]
pub struct Changes {
    values: Vec<Change>,
    storages: Vec<Kept>,
}

/// What an input may change besides.
#[derive(Debug, Clone, PartialEq)]
struct Choices {
    random: (u64, u64),
    print: PrintOptions,
    default_float: DType,
}

/// What came of an input.
#[derive(Debug)]
pub enum Input {
    /// It changed nothing.
    Unchanged,
    /// It can be taken back.
    Changed(State),
    /// It can't: it wrote over more bytes than could be kept, or memory was wanted before its end.
    Lost { unkept: usize },
}

/// An input that has begun.
#[derive(Debug)]
pub struct Begun {
    number: u64,
    choices: Choices,
}

impl State {
    /// States are numbered as they come.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// About how many bytes of the host's memory it takes, beside those of tensors.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Interp {
    /// Begins an input.
    pub fn begin_input(&self) -> Begun {
        let number = self.engine.begin_input();
        self.journal.set_input(number);
        Begun { number, choices: self.choices() }
    }

    /// Whether the input has changed anything so far.
    pub fn has_changed(&self, begun: &Begun) -> bool {
        !self.journal.kept.borrow().is_empty()
            || self.engine.input_has_written()
            || begun.choices != self.choices()
    }

    /// Ends the input.
    pub fn end_input(&self, begun: Begun) -> Input {
        self.files.flush();
        self.take_stock();
        let mut reach = self.journal.reach.borrow_mut();
        reach.doubt(AT_ONCE);
        reach.settle(self.engine.attic(), begun.number, Some(self.engine.interrupt()));
        drop(reach);
        self.journal.set_input(0);
        self.journal.counted.set(0);
        let storages = self.engine.end_input();
        let Begun { number, choices } = begun;
        let values = self.journal.kept.take();
        let unkept = storages.as_ref().err().copied().unwrap_or(0);
        let storages = storages.unwrap_or_default();
        let bytes = values.iter().map(Change::bytes).sum();
        let is_empty = values.is_empty() && storages.is_empty();
        let changes = Rc::new(RefCell::new(Changes { values, storages }));
        let mut states = self.journal.states.borrow_mut();
        states.retain(|state| state.strong_count() > 0);
        states.push(Rc::downgrade(&changes));
        drop(states);
        let state = State { number, changes, choices, bytes };
        if unkept > 0 || self.engine.attic().lost() >= number {
            self.forget([state]);
            return Input::Lost { unkept };
        }
        if is_empty && state.choices == self.choices() {
            return Input::Unchanged;
        }
        Input::Changed(state)
    }

    /// Puts back what a state keeps, and keeps what is there now. The states after it must be undone
    /// already, or those before it done again. False if it can't come back any more.
    pub fn exchange(&self, state: &mut State, is_forward: bool) -> bool {
        self.class_changes.set(self.class_changes.get() + 1);
        let attic = self.engine.attic();
        attic.close(true);
        let is_lost = match is_forward {
            true => attic.is_future_lost(state.number),
            false => attic.lost() >= state.number,
        };
        if is_lost {
            attic.close(false);
            return false;
        }
        // Some of them are among the changes, too.
        let now = self.choices();
        let mark = if is_forward { state.number } else { Attic::future(state.number) };
        let mut reach = self.journal.reach.borrow_mut();
        let mut changes = state.changes.borrow_mut();
        let Changes { values, storages } = &mut *changes;
        values.iter().for_each(|change| change.lose(&mut reach));
        // While what they hold is as it was when it was counted.
        reach.settle(attic, mark, None);
        let exchange = |change: &mut Change| match change {
            Change::Shared(before) => before.exchange(),
            Change::Block { address, before } => {
                *before = self.manual.restore(*address, before.take());
            }
            Change::Callback { before } => *before = self.manual.set_callback(before.take()),
        };
        match is_forward {
            true => values.iter_mut().for_each(exchange),
            false => values.iter_mut().rev().for_each(exchange),
        }
        values.iter().for_each(|change| change.gain(&mut reach, None));
        reach.doubt(AT_ONCE);
        reach.settle(attic, mark, None);
        // To go back in time ends nothing.
        reach.take_forgotten();
        drop(reach);
        self.engine.put_back(storages, mark);
        self.choose(std::mem::replace(&mut state.choices, now));
        attic.close(false);
        true
    }

    /// The running input can't be taken back, nor what was before it.
    pub fn lose_input(&self) {
        self.take_stock();
        self.engine.attic().lose(self.engine.latest_number());
        let kept = self.journal.kept.take();
        self.journal.counted.set(0);
        let mut reach = self.journal.reach.borrow_mut();
        kept.iter().for_each(|change| change.lose(&mut reach));
        drop(kept);
        reach.settle(self.engine.attic(), self.engine.latest_number(), None);
    }

    /// Forgets states; what only they held goes.
    pub fn forget(&self, states: impl IntoIterator<Item = State>) {
        self.forget_changes(states.into_iter().map(|state| state.changes.take()));
    }

    /// Forgets what all states keep, which can't come back any more.
    pub(super) fn forget_all_changes(&self) {
        self.lose_input();
        self.engine.attic().lose_future();
        let states: Vec<_> = self.journal.states.take();
        self.forget_changes(states.iter().filter_map(Weak::upgrade).map(|changes| changes.take()));
    }

    fn forget_changes(&self, changes: impl Iterator<Item = Changes>) {
        let changes: Vec<Changes> = changes.collect();
        if changes.is_empty() {
            return;
        }
        let mut reach = self.journal.reach.borrow_mut();
        let values = changes.iter().flat_map(|changes| &changes.values);
        values.for_each(|change| change.lose(&mut reach));
        self.ends.take_back(|| drop(changes));
        let interrupt = Some(self.engine.interrupt());
        reach.settle(self.engine.attic(), self.engine.latest_number(), interrupt);
    }

    /// Counts what the latest changes let go of.
    pub fn take_stock(&self) {
        let journal = &self.journal;
        let kept = journal.kept.borrow();
        if kept.len() == journal.counted.get() {
            return;
        }
        let mut reach = journal.reach.borrow_mut();
        let interrupt = Some(self.engine.interrupt());
        let latest = kept[journal.counted.get()..].iter();
        latest.for_each(|change| change.gain(&mut reach, interrupt));
        journal.counted.set(kept.len());
        reach.settle(self.engine.attic(), journal.input(), interrupt);
    }

    /// Counts anew what only the past holds, also where somebody let go without a word.
    pub fn look_again(&self) {
        self.take_stock();
        let mut reach = self.journal.reach.borrow_mut();
        reach.doubt(usize::MAX);
        reach.settle(
            self.engine.attic(),
            self.engine.latest_number(),
            Some(self.engine.interrupt()),
        );
    }

    /// How often the past holds each value that it does not count.
    pub(super) fn uncounted(&self) -> FxHashMap<*const (), usize> {
        let (states, kept) = (self.journal.states.borrow(), self.journal.kept.borrow());
        self.journal.reach.borrow().uncounted(|look| {
            kept.iter().for_each(|change| change.visit(look));
            for changes in states.iter().filter_map(Weak::upgrade) {
                changes.borrow().values.iter().for_each(|change| change.visit(look));
            }
        })
    }

    fn choices(&self) -> Choices {
        Choices {
            random: self.engine.random_position(),
            print: self.print_options.borrow().clone(),
            default_float: self.engine.default_float(),
        }
    }

    fn choose(&self, choices: Choices) {
        self.engine.set_random_position(choices.random);
        self.engine.set_default_float(choices.default_float);
        self.print_options.restore(choices.print);
    }
}

impl Change {
    /// Counts what it keeps.
    fn gain(&self, reach: &mut Reach, interrupt: Option<&Interrupt>) {
        self.visit(&mut |value| reach.gain(value, interrupt));
        if let Change::Block { before: Some(block), .. } = self {
            reach.gain_storage(block);
        }
    }

    /// Counts what it kept once less.
    fn lose(&self, reach: &mut Reach) {
        self.visit(&mut |value| reach.lose(value));
        if let Change::Block { before: Some(block), .. } = self {
            reach.lose_storage(block);
        }
    }

    /// Shows the values that it keeps.
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match self {
            Change::Shared(before) => before.visit(look),
            Change::Callback { before } => before.iter().for_each(look),
            Change::Block { .. } => {}
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Change::Shared(before) => before.bytes(),
            Change::Block { .. } | Change::Callback { .. } => size_of::<Change>(),
        }
    }
}

impl std::fmt::Debug for Changes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{} changes>", self.values.len() + self.storages.len())
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("number", &self.number).finish_non_exhaustive()
    }
}
