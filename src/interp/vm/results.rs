//! Calls that a function answers from the results of earlier ones, before it gets a frame: `functools.lru_cache`.

use std::rc::Rc;

use super::Machine;
use super::frame::Then;
use super::register::{clear, put};
use crate::diag::SourceResult;
use crate::interp::compile::Reg;
use crate::interp::object::function::{Closure, Results};
use crate::interp::shared::ItemStep;
use crate::interp::value::{Dict, Entries, List, Sought, Value};
use crate::tensor::Error;

impl Machine<'_> {
    /// Calls a function that keeps results with `count` arguments, from the register `first` on, where they are numbers
    /// and texts: what it has goes into `to`, or what it keeps the results of gets the frame. Whether that was done.
    #[inline(never)]
    pub(super) fn call_keeping(
        &mut self,
        function: &Rc<Closure>,
        (callee, first, to): (Reg, Reg, Reg),
        count: usize,
    ) -> bool {
        let Some(results) = function.results() else { return false };
        let (Some(kept), Some(counts)) = (results.kept.upgrade(), results.counts.upgrade()) else {
            return false;
        };
        let base = self.frames.top().base;
        let begin = base + usize::from(first);
        let registers = &mut self.stack[base..begin + count];
        let (before, arguments) = registers.split_at_mut(usize::from(first));
        let Some(sought) = sought(arguments) else { return false };
        if let Some(result) = self.evaluator.asked_for(results, &kept, &sought) {
            self.evaluator.count(&counts, HITS);
            clear(arguments);
            put(&mut before[usize::from(to)], result);
            return true;
        }
        let Some(of) = results.of.upgrade() else { return false };
        if !of.takes_plainly(count) || results.limit == Some(0) || kept.borrow().speaks() {
            return false;
        }
        let key = sought.to_key().into_value();
        put(&mut before[usize::from(callee)], Value::Closure(of));
        if !self.enter(callee, first, to, count) {
            put(&mut self.stack[base + usize::from(callee)], Value::Closure(function.clone()));
            return false;
        }
        self.frames.top_mut().then = Then::Keep(to);
        self.made.extend([Value::Closure(function.clone()), key]);
        self.evaluator.count(&counts, MISSES);
        true
    }

    /// The call has returned whose function and key were put aside last.
    ///
    /// # Errors
    /// There is no memory for one result more.
    pub(super) fn keep_result(&mut self, to: Reg, result: Value) -> SourceResult<()> {
        let (key, function) = (self.made.pop(), self.made.pop());
        if let (Some(key), Some(Value::Closure(function))) = (key, function)
            && let Some(results) = function.results()
            && let Some(kept) = results.kept.upgrade()
        {
            let kept = self.evaluator.keep(results, kept, &key, &result);
            self.evaluator.place(kept, self.frames.top().span())?;
        }
        put(&mut self.stack[self.frames.top().base + usize::from(to)], result);
        Ok(())
    }
}

/// Where a function counts.
const HITS: usize = 0;
const MISSES: usize = 1;

/// Arguments as the key of their result. A single integer or text is one itself: `1` and `1.0` are two keys alone, and
/// one among others, as CPython has it.
fn sought(arguments: &[Value]) -> Option<Sought<'_>> {
    match arguments {
        [one @ (Value::Int(_) | Value::Str(_))] => Sought::of(one),
        several => Sought::of_items(several),
    }
}

impl crate::interp::Evaluator<'_> {
    /// A result that is there; it stands last from now on, where that matters.
    fn asked_for(&self, results: &Results, kept: &Dict, sought: &Sought<'_>) -> Option<Value> {
        match results.limit {
            Some(_) => self.put_last(kept, sought, false),
            None => kept.borrow().get(sought).cloned(),
        }
    }

    /// Keeps one result more, and lets go of the one that nobody has asked for the longest.
    fn keep(
        &self,
        results: &Results,
        kept: Dict,
        key: &Value,
        result: &Value,
    ) -> Result<(), Error> {
        let is_full = results.limit.is_some_and(|limit| kept.borrow().len() >= limit);
        let sought = match key {
            Value::Tuple(items) => Sought::of_items(items),
            one => Sought::of(one),
        };
        let is_there = sought.is_some_and(|sought| kept.borrow().contains_key(&sought));
        if is_full && !is_there {
            let oldest = kept.borrow().first_from(0).map(|(at, key, _)| (at, key.clone()));
            if let Some((at, oldest)) = oldest {
                let before = |entries: &Entries| entries.step_out(&oldest);
                self.step_at_once(&kept, &Value::None, false, before).take_at(at);
            }
        }
        self.assign_item(&Value::Dict(kept), key, result.clone(), false)
    }

    fn count(&self, counts: &List, place: usize) {
        let before = |counts: &Vec<Value>| ItemStep::At(place, counts[place].clone());
        let mut counts = self.step_at_once(counts, &Value::None, false, before);
        if let Some(Value::Int(count)) = counts.get_mut(place) {
            *count += 1;
        }
    }
}
