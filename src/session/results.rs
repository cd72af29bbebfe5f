//! What earlier inputs gave: `_`, `__`, `_3` and `Out[3]`, as in IPython.

use std::rc::Rc;

use super::past::Outputs;
use super::run::Dropped;
use super::{Session, Value};
use crate::interp::Interp;
use crate::interp::value::{Entries, Key};

/// The latest result, the one before, and the one before that.
const LATEST: [&str; 3] = ["_", "__", "___"];

/// Binds `Out`.
pub(super) fn show_outputs(interp: &Interp, outputs: &Outputs) {
    let entries: Entries = outputs
        .iter()
        .filter_map(|(number, value)| {
            Some((Key::new(Value::Int(*number as i64)).ok()?, value.clone()))
        })
        .collect();
    interp.set(Rc::from("Out"), Value::Dict(Rc::new(entries.into())));
}

impl Session {
    /// Binds `_`, `__`, `_1` and `Out`.
    pub(super) fn remember(&mut self, number: usize, value: &Value) {
        if matches!(value, Value::None) {
            return;
        }
        let last = self.executed.last_mut();
        if let Some(last) = last.filter(|last| last.number == number && last.statement.is_some()) {
            last.is_result = true;
        }
        let before = self.live();
        self.outputs.change(&self.interp.journal).push_back((number, value.clone()));
        for at in (1..LATEST.len()).rev() {
            if let Some(older) = self.interp.get(LATEST[at - 1]) {
                self.interp.set(Rc::from(LATEST[at]), older);
            }
        }
        self.interp.set(Rc::from(LATEST[0]), value.clone());
        if self.config.kept_outputs > 0 {
            self.interp.set(Rc::from(format!("_{number}")), value.clone());
        }
        let mut numbers = self.keep_outputs();
        // What `___` held before goes only now.
        self.desk.recent.push_back(number);
        let latest = if self.config.kept_outputs == 0 { 1 } else { LATEST.len() };
        let leaving = self.desk.recent.len().saturating_sub(latest);
        numbers.extend(self.desk.recent.drain(..leaving));
        let stays = |number: &usize| {
            self.desk.recent.contains(number)
                || self.outputs.borrow().iter().any(|(kept, _)| kept == number)
        };
        numbers.retain(|number| !stays(number));
        numbers.sort_unstable();
        numbers.dedup();
        self.interp.take_stock();
        let bytes = before.saturating_sub(self.live());
        if bytes > 0 {
            self.desk.dropped = Some(Dropped { numbers, bytes, kept: self.config.kept_outputs });
        }
    }

    /// Puts results back that are not there any more, and binds the latest to their names.
    pub(super) fn give_back(&mut self, results: impl Iterator<Item = (usize, Value)>) {
        let known: Vec<usize> = self.outputs.borrow().iter().map(|(number, _)| *number).collect();
        let lost: Vec<_> = results.filter(|(number, _)| !known.contains(number)).collect();
        if lost.is_empty() {
            return;
        }
        for (number, value) in &lost {
            self.interp.set(Rc::from(format!("_{number}")), value.clone());
        }
        let mut outputs = self.outputs.change(&self.interp.journal);
        outputs.extend(lost);
        outputs.make_contiguous().sort_by_key(|(number, _)| *number);
        let latest: Vec<_> = outputs.iter().rev().take(LATEST.len()).cloned().collect();
        drop(outputs);
        self.keep_outputs();
        for (name, (_, value)) in LATEST.iter().zip(&latest) {
            self.interp.set(Rc::from(*name), value.clone());
        }
        self.desk.recent = latest.iter().rev().map(|(number, _)| *number).collect();
    }

    /// Forgets the oldest results beyond as many as are kept; with none kept, all but the last.
    /// Gives the numbers of those that went.
    pub(super) fn keep_outputs(&mut self) -> Vec<usize> {
        let kept = self.config.kept_outputs;
        let mut gone: Vec<usize> = Vec::new();
        if self.outputs.borrow().len() > kept {
            let mut outputs = self.outputs.change(&self.interp.journal);
            let beyond = outputs.len() - kept;
            gone.extend(outputs.drain(..beyond).map(|(number, _)| number));
        }
        gone.iter().for_each(|old| _ = self.interp.remove(&format!("_{old}")));
        if kept == 0 {
            LATEST[1..].iter().for_each(|name| _ = self.interp.remove(name));
        }
        show_outputs(&self.interp, &self.outputs.borrow());
        gone
    }

    /// `del Out[3]` lets go of a result under all its names.
    pub(super) fn forget_deleted_results(&mut self) {
        let out = match self.interp.get("Out") {
            Some(Value::Dict(out)) => out,
            Some(_) => return,
            None => Rc::default(),
        };
        if out.borrow().len() >= self.outputs.borrow().len() {
            return;
        }
        let is_there = |number: usize| {
            Key::new(Value::Int(number as i64)).is_ok_and(|key| out.borrow().contains_key(&key))
        };
        let mut gone: Vec<(usize, Value)> = Vec::new();
        self.outputs.change(&self.interp.journal).retain(|(number, value)| {
            let stays = is_there(*number);
            if !stays {
                gone.push((*number, value.clone()));
            }
            stays
        });
        for (number, value) in &gone {
            self.interp.remove(&format!("_{number}"));
            for name in LATEST {
                if self.interp.get(name).is_some_and(|latest| latest.is_same(value)) {
                    self.interp.remove(name);
                }
            }
        }
    }

    /// What `del` takes to let go of the result that a name such as `_` or `_3` holds.
    pub(super) fn unit_of_result(&self, name: &str) -> String {
        let held = self.interp.get(name);
        let is_held = |value: &Value| held.as_ref().is_some_and(|held| held.is_same(value));
        let outputs = self.outputs.borrow();
        let same = outputs.iter().rev().find(|(_, value)| is_held(value));
        same.map_or_else(|| name.to_string(), |(number, _)| format!("Out[{number}]"))
    }

    /// Live memory of all devices together, in bytes.
    pub(super) fn live(&self) -> u64 {
        self.engine().devices().map(|device| device.allocator().stats().now.allocated as u64).sum()
    }
}
