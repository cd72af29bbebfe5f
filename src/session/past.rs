//! Inputs that can be taken back, and done again: `:undo` and `:redo`.
//!
//! Each input that changed something is a [`Step`]. The interpreter keeps what it changed; here is
//! what the session knows beside: which statements ran, and which results are the latest.

use std::collections::VecDeque;
use std::rc::Rc;

use super::{Executed, Session, Value};
use crate::interp::past::{Begun, Input, State};
use crate::report::human_bytes;

/// The inputs so far, as far as they can be taken back.
#[derive(Debug, Default)]
pub struct Past {
    done: Vec<Step>,
    /// Those that were taken back, the next to be done again last.
    undone: Vec<Step>,
    open: Option<Open>,
    end: End,
}

/// An input that changed something.
#[derive(Debug)]
pub struct Step {
    /// The number of its input.
    pub number: usize,
    pub text: Rc<str>,
    state: State,
    /// Its statements, while it is taken back.
    executed: Vec<Executed>,
    /// Which results were the latest on the other side of it.
    recent: VecDeque<usize>,
}

/// The input that is being run.
#[derive(Debug)]
struct Open {
    begun: Begun,
    number: usize,
    text: Rc<str>,
    recent: VecDeque<usize>,
}

/// Why there is nothing older.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum End {
    /// The session began there, or nothing was to be kept.
    #[default]
    Start,
    /// `:reset`.
    Reset,
    /// Memory was wanted, or asked for by `empty_cache()` or `:mem trim`.
    Wanted,
    /// An input wrote over more bytes than could be kept.
    Unkept { number: usize, bytes: usize },
}

/// The results that `Out` holds, the latest last.
pub type Outputs = VecDeque<(usize, Value)>;

impl Past {
    /// What can be taken back, the oldest first.
    pub fn done(&self) -> &[Step] {
        &self.done
    }

    /// What can be done again, the next one last.
    pub fn undone(&self) -> &[Step] {
        &self.undone
    }

    /// Why not more can be taken back.
    pub fn reason(&self) -> &'static str {
        match self.end {
            End::Start => "an input that changed no variable is none to be undone",
            End::Reset => "`:reset` can't be undone",
            End::Wanted => {
                "memory was wanted, or given back by `empty_cache()` or `:mem trim`, so older states went; `:set undo_memory` says how much they may take"
            }
            End::Unkept { .. } => {
                "it would take more memory than there was, or than `:set undo_memory` allows"
            }
        }
    }

    /// The input that could not be kept, if that is why.
    pub fn unkept(&self) -> Option<String> {
        let End::Unkept { number, bytes } = self.end else { return None };
        Some(format!("input {number} wrote over {} in place", human_bytes(bytes as u64)))
    }
}

impl Step {
    /// Bytes on the devices and of the host that it keeps.
    pub fn bytes(&self, session: &Session) -> usize {
        self.state.bytes() + session.engine().attic().bytes(self.state.number())
    }
}

impl Session {
    /// The inputs that can be taken back or done again.
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// Begins an input, unless it is a part of one. True if so.
    pub(super) fn begin_step(&mut self, number: usize, text: &str) -> bool {
        if self.past.open.is_some() || !self.engine().attic().is_open() {
            return false;
        }
        let (begun, recent) = (self.interp.begin_input(), self.desk.recent.clone());
        self.past.open = Some(Open { begun, number, text: Rc::from(text), recent });
        true
    }

    /// Ends the input. One that has only looked at a value, so that `_` and `Out` hold it now, is
    /// none to be taken back, and what was taken back before can still be done again.
    pub(super) fn end_step(&mut self, is_look: bool) {
        let Some(Open { begun, number, text, recent }) = self.past.open.take() else { return };
        match self.interp.end_input(begun) {
            Input::Unchanged => {}
            Input::Changed(state) if is_look => self.interp.forget([state]),
            Input::Changed(state) => {
                let undone = std::mem::take(&mut self.past.undone);
                self.interp.forget(undone.into_iter().map(|step| step.state));
                self.engine().attic().end_future();
                let executed = Vec::new();
                self.past.done.push(Step { number, text, state, executed, recent });
            }
            Input::Lost { unkept } => {
                self.past.end = match (unkept, self.past.end) {
                    (0, End::Reset) => End::Reset,
                    (0, _) => End::Wanted,
                    (bytes, _) => End::Unkept { number, bytes },
                };
                let steps = self.past.done.drain(..).chain(self.past.undone.drain(..));
                self.interp.forget(steps.map(|step| step.state));
            }
        }
        self.forget_lost();
        self.interp.collect_lost();
    }

    /// Whether the running input has changed anything so far; also where none can be taken back.
    pub(super) fn step_has_changed(&self) -> bool {
        self.past.open.as_ref().is_none_or(|open| self.interp.has_changed(&open.begun))
    }

    /// Takes the latest input back, or with `is_forward` does the one again that was taken back
    /// last. The running input has changed nothing so far.
    pub(super) fn step(&mut self, is_forward: bool) -> Option<&Step> {
        let open = self.past.open.take()?;
        let _ = self.interp.end_input(open.begun);
        self.forget_lost();
        let Past { done, undone, .. } = &mut self.past;
        let (from, to) = if is_forward { (undone, done) } else { (done, undone) };
        let outputs = self.outputs.borrow().clone();
        let moved = from.pop().map(|mut step| {
            let is_there = self.interp.exchange(&mut step.state, is_forward);
            debug_assert!(is_there, "lost states were forgotten");
            std::mem::swap(&mut step.recent, &mut self.desk.recent);
            if is_forward {
                self.executed.append(&mut step.executed);
            } else {
                let (of_step, others) =
                    self.executed.drain(..).partition(|executed| executed.number == step.number);
                (step.executed, self.executed) = (of_step, others);
            }
            let taken_back = (!is_forward).then_some(step.number);
            to.push(step);
            taken_back
        });
        if let Some(taken_back) = moved {
            // What was only looked at since then belongs to no step.
            self.give_back(outputs.into_iter().filter(|(number, _)| Some(*number) != taken_back));
        }
        let (begun, recent) = (self.interp.begin_input(), self.desk.recent.clone());
        let (number, text) = (open.number, open.text);
        self.past.open = Some(Open { begun, number, text, recent });
        moved?;
        if is_forward { self.past.done.last() } else { self.past.undone.last() }
    }

    /// Forgets whatever could be taken back or done again, for `:reset`; what the running input
    /// changes stays.
    pub(super) fn forget_past(&mut self) {
        self.forget_steps();
        self.past.end = End::Reset;
    }

    fn forget_steps(&mut self) {
        let steps = self.past.done.drain(..).chain(self.past.undone.drain(..));
        self.interp.forget(steps.map(|step| step.state));
        self.interp.lose_input();
    }

    /// Lets go of containers that hold each other and nobody else holds; the past goes with them if
    /// it holds any. Whether there were some.
    pub(super) fn collect_cycles(&mut self) -> bool {
        let live = self.live();
        let count = self.interp.collect_cycles();
        if self.engine().attic().lost() == self.engine().latest_number() {
            self.forget_steps();
            self.past.end = End::Wanted;
            self.interp.collect_lost();
        }
        count > 0 || self.live() < live
    }

    /// Forgets the states whose memory went, and the oldest where their lists and texts take more
    /// than the host may keep.
    fn forget_lost(&mut self) {
        let attic = self.engine().attic().clone();
        self.engine().devices().for_each(|device| attic.trim(device));
        let Some(host) = self.engine().devices().next() else { return };
        let (lost, limit) = (attic.lost(), attic.limit(host));
        let mut left: usize = self.past.done.iter().map(|step| step.state.bytes()).sum();
        let goes = |step: &&Step| {
            let is_lost = step.state.number() <= lost || left > limit;
            left -= step.state.bytes();
            is_lost
        };
        let count = self.past.done.iter().take_while(goes).count();
        let is_future_lost = |step: &Step| attic.is_future_lost(step.state.number());
        let later = self.past.undone.iter().take_while(|step| is_future_lost(step)).count();
        let mut gone: Vec<Step> = self.past.undone.drain(..later).collect();
        if self.past.undone.is_empty() {
            attic.end_future();
        }
        if count == 0 {
            self.interp.forget(gone.into_iter().map(|step| step.state));
            return;
        }
        gone.extend(self.past.done.drain(..count));
        if !matches!(self.past.end, End::Unkept { .. }) || !self.past.done.is_empty() {
            self.past.end = End::Wanted;
        }
        self.interp.forget(gone.into_iter().map(|step| step.state));
    }
}
