//! Calls that a function answers from the results of earlier ones, before it gets a frame: `functools.lru_cache`.

use super::Machine;
use super::register::{clear, put};
use crate::interp::object::function::Closure;
use crate::interp::shared::{EntryStep, ItemStep};
use crate::interp::value::{Entries, Sought, Value};

impl Machine<'_> {
    /// Puts the result of a call with the `count` arguments from `first` on into the register `to`, where the function
    /// has it and they are numbers and texts.
    #[inline(never)]
    pub(super) fn answer_from_results(
        &mut self,
        function: &Closure,
        (first, count): (usize, usize),
        to: usize,
    ) -> Option<()> {
        let results = function.results()?;
        let (kept, counts) = (results.kept.upgrade()?, results.counts.upgrade()?);
        let registers = &mut self.stack[..first + count];
        let sought = match &registers[first..] {
            [one @ (Value::Int(_) | Value::Str(_))] => Sought::of(one)?,
            several => Sought::of_items(several)?,
        };
        let entries = kept.borrow();
        let (at, key, result) = entries.get_full(&sought)?;
        let is_moved = results.is_ordered && entries.first_from(at + 1).is_some();
        let moved = is_moved.then(|| key.clone());
        let result = result.clone();
        drop(entries);
        let evaluator = self.evaluator;
        if let Some(key) = moved {
            let before = |entries: &Entries| entries.step_out(&key);
            evaluator.step_at_once(&kept, &Value::None, false, before).take_at(at);
            let before = |_: &Entries| EntryStep::Come(key.clone());
            let mut entries = evaluator.step_at_once(&kept, &result, false, before);
            entries.insert(key.clone(), result.clone());
        }
        let before = |counts: &Vec<Value>| ItemStep::At(0, counts[0].clone());
        if let Some(Value::Int(hits)) =
            evaluator.step_at_once(&counts, &Value::None, false, before).first_mut()
        {
            *hits += 1;
        }
        clear(&mut registers[first..]);
        put(&mut registers[to], result);
        Some(())
    }
}
