//! `generator.send(value)` and `next(generator)`: the generator goes on as a frame.

use super::Machine;
use super::frame::Then;
use crate::diag::{Diagnostic, SourceResult};
use crate::interp::builtins::{Homes, stopped};
use crate::interp::compile::{CallSite, Reg};
use crate::interp::value::{Type, Value};

impl Machine<'_> {
    /// Does a call that lets a generator go on, whose arguments stand from `first` on; whether it is one.
    ///
    /// # Errors
    /// StopIteration where the generator has ended, and those of [`Machine::resume`].
    pub(super) fn send(
        &mut self,
        to: Reg,
        callee: Reg,
        first: Reg,
        site: &CallSite,
    ) -> SourceResult<bool> {
        let base = self.frames.top().base;
        let at = base + usize::from(callee);
        let Value::Function(function) = &self.stack[at] else { return Ok(false) };
        let builtin = function.builtin;
        let (asked, sent) = match (builtin.method_of, builtin.name) {
            (Some(Type::Generator), "send") => (at + 1, Some(at + 2)),
            (None, "next") if builtin.homes.holds(Homes::PYTHON) => {
                (base + usize::from(first), None)
            }
            _ => return Ok(false),
        };
        let Value::Generator(generator) = &self.stack[asked] else { return Ok(false) };
        if !site.is_plain || site.arguments.len() != 1 {
            return Ok(false);
        }
        let generator = generator.clone();
        self.stack[asked] = Value::None;
        let sent = sent.map(|at| std::mem::replace(&mut self.stack[at], Value::None));
        match self.resume(generator, sent, Then::Next(to))? {
            true => Ok(true),
            false => Err(self.ended(&Value::None)),
        }
    }

    /// The generator has returned that was asked for its next item.
    #[cold]
    pub(super) fn ended(&self, value: &Value) -> Box<Diagnostic> {
        stopped(value).placed(self.frames.top().span())
    }
}
