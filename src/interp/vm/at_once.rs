//! Calls and returns of the program's functions that need nothing but a frame.

use super::Machine;
use super::bind::placed;
use super::frame::{Frame, Then};
use super::register::{put, put_taken};
use crate::interp::compile::{CallSite, Reg};
use crate::interp::value::Value;

impl Machine<'_> {
    /// Calls a function of the program that takes the arguments from `first` on as they stand there, and has no
    /// parameter more; whether it was done.
    #[inline(always)]
    pub(super) fn call_exactly(&mut self, callee: Reg, first: Reg, to: Reg) -> bool {
        let is_entered = self.enter(callee, first, to);
        if is_entered {
            self.fill();
        }
        is_entered
    }

    /// A frame for the function of the program in `callee`, whose registers begin with `first`; whether there is
    /// one.
    #[inline(always)]
    fn enter(&mut self, callee: Reg, first: Reg, to: Reg) -> bool {
        if !self.can_push() {
            return false;
        }
        let own = self.frames.top().base;
        let register = &mut self.stack[own + usize::from(callee)];
        let Value::Closure(function) = register else { return false };
        let function = function.clone();
        // What holds nothing may stay: the next call most often finds it again.
        if function.holds_values() {
            *register = Value::None;
        }
        let base = own + usize::from(first);
        self.push_at_once(Frame::new(function, base, Then::Store(to)));
        true
    }

    /// As [`Machine::call`], of a function of the program whose parameters the arguments from `first` on go to
    /// past defaults or by name; whether it was done.
    #[inline(never)]
    pub(super) fn call_at_once(
        &mut self,
        callee: Reg,
        first: Reg,
        to: Reg,
        site: &CallSite,
    ) -> bool {
        self.call_past_defaults(callee, first, site.arguments.len(), to, site, 0)
    }

    /// The same behind a method, whose receiver stands in front of the arguments if it has one.
    #[inline(never)]
    pub(super) fn call_method_at_once(
        &mut self,
        callee: Reg,
        first: Reg,
        to: Reg,
        site: &CallSite,
    ) -> bool {
        let given = usize::from(first == callee + 1);
        self.call_past_defaults(callee, first, site.arguments.len() + given, to, site, given)
    }

    fn call_past_defaults(
        &mut self,
        callee: Reg,
        first: Reg,
        count: usize,
        to: Reg,
        site: &CallSite,
        given: usize,
    ) -> bool {
        let at = self.frames.top().base + usize::from(callee);
        let Value::Closure(function) = &self.stack[at] else { return false };
        if !self.can_push() {
            return false;
        }
        if site.is_plain && function.takes_plainly(count) {
            if !self.enter(callee, first, to) {
                return false;
            }
            self.fill_defaults(count);
            self.fill();
            return true;
        }
        let Some(placed) = placed(function, site, given) else { return false };
        let function = function.clone();
        if function.holds_values() {
            self.stack[at] = Value::None;
        }
        self.call_placed(&function, None, first, &placed, Then::Store(to)).is_ok()
    }

    /// As [`Machine::leave`], where nobody has to look at what is returned; whether it was done.
    #[inline(always)]
    pub(super) fn leave_at_once(&mut self, value: Reg) -> bool {
        let Some((own, around)) = self.frames.top_two() else { return false };
        if own.generator().is_some() {
            return false;
        }
        let at = own.base + usize::from(value);
        match (own.then, &self.stack[at]) {
            (Then::Store(to), _) if around.base + usize::from(to) < own.base => {
                let (before, registers) = self.stack.split_at_mut(own.base);
                let to = &mut before[around.base + usize::from(to)];
                put_taken(to, &mut registers[usize::from(value)]);
                self.pop();
            }
            (Then::Made(to), Value::None) => {
                self.pop();
                let object = self.made.pop().unwrap_or(Value::None);
                put(&mut self.stack[self.frames.top().base + usize::from(to)], object);
            }
            _ => return false,
        }
        true
    }
}
