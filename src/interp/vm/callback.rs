//! A function that a built-in one calls again and again: where it is the program's, its machine stays.

use std::fmt;
use std::rc::Rc;

use super::register::put_taken;
use super::{Machine, Stop};
use crate::diag::{Fault, SourceResult, Span};
use crate::interp::Evaluator;
use crate::interp::builtins::Quick;
use crate::interp::object::function::Closure;
use crate::interp::value::Value;

/// What [`Evaluator::calling`] lends.
pub struct Callback<'m, 'a> {
    evaluator: Evaluator<'a>,
    callee: &'m Value,
    way: Way<'m, 'a>,
}

enum Way<'m, 'a> {
    Machine(&'m mut Machine<'a>, &'m Rc<Closure>),
    /// A built-in function that may answer without binding arguments, of a receiver or of none.
    Quick(Quick, Option<Value>),
    Any,
}

impl Evaluator<'_> {
    /// Lends something that calls a value with `count` arguments as often as `run` likes.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn calling<T>(
        &self,
        callee: &Value,
        count: usize,
        run: impl FnOnce(&mut Callback<'_, '_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let evaluator = *self;
        let way = match callee {
            Value::Closure(function)
                if function.takes_plainly(count) && self.interp.is_in_transaction() =>
            {
                let mut machine = Machine::beginning(evaluator, function);
                machine.make_room();
                let result = machine.inside(Span::default(), |machine| {
                    run(&mut Callback { evaluator, callee, way: Way::Machine(machine, function) })
                });
                machine.leave_room(&result);
                return result;
            }
            Value::Function(function) => function.builtin.quick.map(|run| (run, None)),
            Value::Method(method) => {
                method.function.builtin.quick.map(|run| (run, Some(method.receiver.clone())))
            }
            Value::Type(of) => {
                let made = self.interp.registry.constructor(*of);
                made.and_then(|made| Some((made.builtin.quick?, None)))
            }
            _ => None,
        };
        let way = way.map_or(Way::Any, |(run, receiver)| Way::Quick(run, receiver));
        run(&mut Callback { evaluator, callee, way })
    }
}

impl Callback<'_, '_> {
    /// Calls it with these arguments, which it takes away.
    ///
    /// # Errors
    /// Whatever the call brings up.
    pub fn call(&mut self, arguments: &mut [Value]) -> Result<Value, Fault> {
        match &mut self.way {
            Way::Machine(machine, function) => {
                let answer = machine.call_again(function, arguments);
                return answer.map_err(|error| {
                    // It may have stopped anywhere.
                    self.way = Way::Any;
                    error.into()
                });
            }
            Way::Quick(run, receiver) => {
                let mut answer = Value::None;
                let done = match (receiver, &*arguments) {
                    (None, arguments) => run(self.evaluator, arguments, &mut answer),
                    (Some(receiver), [argument]) => {
                        let arguments = [receiver.clone(), argument.clone()];
                        run(self.evaluator, &arguments, &mut answer)
                    }
                    (Some(_), _) => None,
                };
                if done.is_some() {
                    return Ok(answer);
                }
            }
            Way::Any => {}
        }
        let arguments = arguments.iter_mut().map(|value| std::mem::replace(value, Value::None));
        self.evaluator.call_value(self.callee, arguments, [])
    }
}

impl Machine<'_> {
    /// Runs its function once more, as its only frame.
    fn call_again(
        &mut self,
        function: &Rc<Closure>,
        arguments: &mut [Value],
    ) -> SourceResult<Value> {
        self.frames.begin(function);
        self.stack.iter_mut().zip(&mut *arguments).for_each(|(to, value)| put_taken(to, value));
        self.fill_defaults(arguments.len());
        self.fill();
        let (Stop::Returned(value) | Stop::Yielded(value)) = self.run()?;
        Ok(value)
    }
}

impl fmt::Debug for Callback<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<calls of {:?}>", self.callee)
    }
}
