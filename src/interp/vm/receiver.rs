//! Calls of values that hold a receiver, or the first arguments: a frame for the function behind them.

use std::rc::Rc;

use super::Machine;
use super::frame::{Frame, Then};
use super::register::{put, put_copy, put_taken};
use crate::diag::SourceResult;
use crate::interp::compile::{CallSite, Reg};
use crate::interp::object::function::Closure;
use crate::interp::value::Value;

impl Machine<'_> {
    /// Calls a method that was taken out of its object, an object by its `__call__`, a class that only makes objects, or
    /// a function with its first arguments, with the arguments as they stand there; whether it was done.
    ///
    /// # Errors
    /// RecursionError, and an interrupt.
    pub(super) fn call_receiver(
        &mut self,
        to: Reg,
        callee: Reg,
        first: Reg,
        site: &CallSite,
    ) -> SourceResult<bool> {
        let base = self.frames.top().base;
        let (receiver, function) = match &self.stack[base + usize::from(callee)] {
            Value::Bound(bound) => match &bound.callable {
                Value::Closure(function) => (bound.receiver.clone(), function.clone()),
                _ => return Ok(false),
            },
            object @ Value::Object(_) => match self.evaluator.special(object, "__call__") {
                Some(Value::Closure(function)) => (object.clone(), function),
                _ => return Ok(false),
            },
            Value::Class(class) => {
                let is_bare = class.is_bare(self.evaluator.interp.class_changes.get());
                if !is_bare || !site.arguments.is_empty() {
                    return Ok(false);
                }
                let object = self.evaluator.bare_instance(class);
                put(&mut self.stack[base + usize::from(to)], object);
                return Ok(true);
            }
            partial @ Value::Opaque(opaque) => match opaque.part().first_arguments() {
                Some((Value::Closure(function), _)) => {
                    let (partial, function) = (partial.clone(), function.clone());
                    return self.call_partial(to, first, site, &partial, function);
                }
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let count = site.arguments.len() + 1;
        if !site.is_plain || !function.takes_plainly(count) {
            return Ok(false);
        }
        // It stands before the arguments, where the callee stood or a receiver could.
        let own = first - 1;
        put(&mut self.stack[base + usize::from(own)], receiver);
        self.call_plain(function, own, count, Then::Store(to))?;
        Ok(true)
    }

    fn call_partial(
        &mut self,
        to: Reg,
        first: Reg,
        site: &CallSite,
        partial: &Value,
        function: Rc<Closure>,
    ) -> SourceResult<bool> {
        let Value::Opaque(opaque) = partial else { return Ok(false) };
        let Some((_, before)) = opaque.part().first_arguments() else { return Ok(false) };
        let count = before.len() + site.arguments.len();
        if !site.is_plain || !function.takes_plainly(count) {
            return Ok(false);
        }
        let first = self.frames.top().base + usize::from(first);
        let base = self.frames.top().end();
        self.push(Frame::new(function, base, Then::Store(to)))?;
        let (given, registers) = self.stack.split_at_mut(base);
        let (places, others) = registers.split_at_mut(before.len());
        places.iter_mut().zip(before).for_each(|(place, value)| put_copy(place, value));
        let given = &mut given[first..first + site.arguments.len()];
        others.iter_mut().zip(given).for_each(|(place, value)| put_taken(place, value));
        self.fill_defaults(count);
        self.fill();
        Ok(true)
    }
}
