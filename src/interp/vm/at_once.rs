//! Calls and returns of the program's functions, and steps of its generators, that need nothing but a frame.

use std::rc::Rc;

use super::Machine;
use super::bind::{placed, put_default};
use super::frame::{Frame, Running, Then, fill_by};
use super::op::ensure;
use super::operator::question_of;
use super::register::{clear, put, put_copy, put_taken};
use crate::interp::compile::{ArgumentAt, ArgumentKind, CallSite, Code, Op, Reg};
use crate::interp::object::function::Closure;
use crate::interp::object::generator::{Generator, State};
use crate::interp::value::{Entries, Tuple, Value};

/// What a function's variables and constants behind its parameters hold at first.
#[inline(never)]
fn fill(code: &Code, registers: &mut [Value]) {
    fill_by(&mut registers[code.first_variable..], &code.template);
}

impl Machine<'_> {
    /// Calls a function of the program that takes the arguments from `first` on as they stand there, and has no
    /// parameter more, nor cells: the frame that runs now. `function` runs and waits at `pc`; it is given back
    /// where that was not done.
    #[inline(always)]
    pub(super) fn call_exactly(
        &mut self,
        (callee, first, to): (Reg, Reg, Reg),
        function: Rc<Closure>,
        pc: usize,
    ) -> Result<Running, Rc<Closure>> {
        let entered = self.put_over(callee, usize::from(first), to, |function, _, registers| {
            if !function.code.template.is_empty() {
                fill(&function.code, registers);
            }
        });
        let Some((around, own)) = entered else { return Err(function) };
        around.stop_at(function, pc);
        Ok(own.run())
    }

    /// As [`Machine::call`], of a function of the program whose parameters the arguments from `first` on go to
    /// past defaults or by name; whether it was done.
    #[inline(never)]
    pub(super) fn call_at_once(&mut self, callee: Reg, first: Reg, to: Reg, site: u16) -> bool {
        let own = self.frames.top().function().clone();
        let site = &own.code.sites[usize::from(site)];
        self.call_past_defaults(callee, first, site.arguments.len(), to, site, 0)
    }

    /// The same behind a method, whose receiver stands in front of the arguments if it has one.
    #[inline(never)]
    pub(super) fn call_method_at_once(
        &mut self,
        callee: Reg,
        first: Reg,
        to: Reg,
        site: u16,
    ) -> bool {
        let own = self.frames.top().function().clone();
        let site = &own.code.sites[usize::from(site)];
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
            return self.enter(callee, first, to, count);
        }
        if site.is_plain && function.makes_generator(count) && self.watches(function) {
            let function = function.clone();
            self.make_generator(function, (callee, first, to), count);
            return true;
        }
        if site.is_plain && to <= callee && function.results().is_some() {
            let function = function.clone();
            if self.call_keeping(&function, (callee, first, to), count) {
                return true;
            }
        }
        let Value::Closure(function) = &self.stack[at] else { return false };
        let is_star =
            |kind: &ArgumentKind| matches!(kind, ArgumentKind::Star | ArgumentKind::DoubleStar);
        let has_star = matches!(site.arguments.last(), Some(last) if is_star(&last.kind));
        let parameters = &function.code.parameters;
        let gathers = has_star || parameters.star.is_some() || parameters.double_star.is_some();
        let placed = if gathers { None } else { placed(function, site, given) };
        let Some(placed) = placed else {
            let function = function.clone();
            return self.call_gathering(&function, callee, first, to, site, given);
        };
        let (first, behind) = (usize::from(first), self.frames.top().function().code.registers);
        self.enter_at(callee, behind, to, |function, given, registers| {
            for (place, value) in placed.places.iter().zip(&mut given[first..]) {
                put_taken(&mut registers[usize::from(*place)], value);
            }
            for at in placed.missing.iter().map(|at| usize::from(*at)) {
                put_default(&mut registers[at], function, at);
            }
            fill(&function.code, registers);
        })
    }

    /// Whether the loop that runs looks for the ends of what a function of a generator makes, if they matter.
    fn watches(&self, function: &Closure) -> bool {
        function.code.handlers.is_empty() || self.evaluator.interp.ends.is_watching()
    }

    /// Calls the function of a generator, which stands in `callee`, with `count` arguments, from the register `first`
    /// on.
    fn make_generator(
        &mut self,
        function: Rc<Closure>,
        (callee, first, to): (Reg, Reg, Reg),
        count: usize,
    ) {
        let own = self.frames.top().base;
        if function.holds_values() {
            self.stack[own + usize::from(callee)] = Value::None;
        }
        ensure(self.evaluator);
        self.push_at_once(Frame::new(function, own + usize::from(first), Then::Store(to)));
        self.fill_defaults(count);
        self.fill();
        let generator = self.generator_of_frame();
        self.pop();
        put(&mut self.stack[own + usize::from(to)], generator);
    }

    /// Calls a function whose parameters take arguments by position only, past a star at the end of the call, stars
    /// of the function's or defaults; whether it was done.
    #[inline(never)]
    fn call_gathering(
        &mut self,
        function: &Rc<Closure>,
        callee: Reg,
        first: Reg,
        to: Reg,
        site: &CallSite,
        given: usize,
    ) -> bool {
        let parameters = &function.code.parameters;
        let has_defaults = function.keyword_defaults.iter().all(Option::is_some);
        let is_plain = has_defaults && !function.code.is_generator;
        let (own, at) = (self.frames.top(), usize::from(first) + given);
        let is_empty = |at: usize| match &self.stack[own.base + at] {
            Value::Dict(entries) => entries.borrow().is_empty(),
            _ => false,
        };
        // Names that are none.
        let arguments = match site.arguments.as_slice() {
            [before @ .., last]
                if last.kind == ArgumentKind::DoubleStar && is_empty(at + before.len()) =>
            {
                before
            }
            all => all,
        };
        let (has_star, before) = match arguments {
            [before @ .., last] if last.kind == ArgumentKind::Star => (true, before),
            before => (false, before),
        };
        let stars = site.arguments.len() - before.len();
        let is_positional = |argument: &ArgumentAt| argument.kind == ArgumentKind::Positional;
        if !is_plain || !before.iter().all(is_positional) {
            return false;
        }
        let (base, end) = (own.base, own.function().code.registers);
        let (first, behind) = (usize::from(first), given + before.len());
        let spread = match (has_star, &self.stack[base + first + behind]) {
            (false, _) => None,
            (true, Value::Tuple(items)) => Some(items.clone()),
            (true, _) => return false,
        };
        let count = behind + spread.as_ref().map_or(0, |items| items.len());
        let positional = parameters.positional;
        let missing = positional.saturating_sub(count);
        if missing > function.defaults.len() || count > positional && parameters.star.is_none() {
            return false;
        }
        self.enter_at(callee, end, to, |function, own, registers| {
            let (given, behind_them) = own[first..].split_at_mut(behind);
            let (plain, more) = given.split_at_mut(behind.min(positional));
            let (places, others) = registers.split_at_mut(plain.len());
            places.iter_mut().zip(plain).for_each(|(place, value)| put_taken(place, value));
            let items = spread.as_ref().map_or(&[][..], |items| &**items);
            let (items, rest) = items.split_at(positional.saturating_sub(behind).min(items.len()));
            others.iter_mut().zip(items).for_each(|(place, item)| put_copy(place, item));
            if let Some(star) = function.code.parameters.star {
                let gathered = match &spread {
                    Some(whole) if more.is_empty() && items.is_empty() => whole.clone(),
                    _ if rest.is_empty() => Tuple::taking(more),
                    _ => {
                        let more = more.iter_mut().map(|v| std::mem::replace(v, Value::None));
                        more.chain(rest.iter().cloned()).collect()
                    }
                };
                put(&mut registers[usize::from(star)], Value::Tuple(gathered));
            }
            let parameters = &function.code.parameters;
            let defaults = positional - missing..positional + parameters.keyword_only;
            for (place, at) in registers[defaults.clone()].iter_mut().zip(defaults) {
                put_default(place, function, at);
            }
            if let Some(double_star) = parameters.double_star {
                let none = Value::Dict(Rc::new(Entries::default().into()));
                put(&mut registers[usize::from(double_star)], none);
            }
            clear(&mut behind_them[..stars]);
            fill(&function.code, registers);
        })
    }

    /// As [`Machine::leave_to`], of a function that has cells, is an `__init__` or answers an operation; whether it was done.
    #[inline(never)]
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
            (Then::Answer, answer) => {
                let posed = question_of(around);
                let Some(question) = &posed else { return false };
                if !self.takes(around, question, answer) {
                    return false;
                }
                let answer = std::mem::replace(&mut self.stack[at], Value::None);
                self.pop();
                self.use_answer(question, answer);
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

    /// As [`Machine::next_of`] of what stands in `iter`, where that is a generator that waits; whether it was
    /// done.
    #[inline(never)]
    pub(super) fn resume_at_once(&mut self, iter: Reg, to: Reg) -> bool {
        let own = self.frames.top();
        let Value::Generator(generator) = &self.stack[own.base + usize::from(iter)] else {
            return false;
        };
        let generator = generator.clone();
        ensure(self.evaluator);
        let goes_on = self.go_on_at_once(generator, Then::Item(to));
        if goes_on {
            self.go_inward();
        }
        goes_on
    }

    /// A frame for a generator that waits; whether it does, and one more frame may be put over the running one.
    #[inline]
    fn go_on_at_once(&mut self, generator: Rc<Generator>, then: Then) -> bool {
        if !self.can_push() {
            return false;
        }
        let waiting = {
            let mut state = generator.state.change(&self.evaluator.interp.journal);
            if !matches!(*state, State::Waiting(_)) {
                return false;
            }
            std::mem::replace(&mut *state, State::Running)
        };
        let State::Waiting(waiting) = waiting else { return false };
        let base = self.frames.top().end();
        self.push_at_once(Frame::of_generator(generator, waiting, base, then));
        self.swap_kept();
        true
    }

    /// Where the running frame is at a `yield from` of a generator that waits, that one goes on, and so further in.
    pub(super) fn go_inward(&mut self) {
        loop {
            let own = self.frames.top();
            let Some(Op::YieldFrom { to, iter }) = own.function().code.ops.get(own.pc()) else {
                return;
            };
            let (to, registers) = (*to, &self.stack[own.base..]);
            let (Value::Generator(inner), Value::None) =
                (&registers[usize::from(*iter)], &registers[usize::from(to)])
            else {
                return;
            };
            // Where it does not go on, the operation sees to it.
            let (inner, outer) = (inner.clone(), self.frames.count - 1);
            if !self.go_on_at_once(inner, Then::Delegate(to)) {
                return;
            }
            self.frames.places[outer].skip(1);
        }
    }

    /// As [`Machine::give_out`] of what stands in `value`, to a loop that waits for it, past generators that delegate;
    /// whether it was done.
    #[inline(never)]
    pub(super) fn give_out_at_once(&mut self, value: Reg, to: Reg) -> bool {
        let frames = &self.frames.places[..self.frames.count];
        let inward = frames.iter().rev();
        let delegates = inward.take_while(|frame| matches!(frame.then, Then::Delegate(_))).count();
        let Some([.., around, outermost]) = frames.get(..frames.len() - delegates) else {
            return false;
        };
        let (Then::Item(item), Some(_)) = (outermost.then, outermost.generator()) else {
            return false;
        };
        let item = around.base + usize::from(item);
        let own = self.frames.top();
        let (before, registers) = self.stack.split_at_mut(own.base);
        match value >= own.function().code.first_temporary {
            true => put_taken(&mut before[item], &mut registers[usize::from(value)]),
            false => put_copy(&mut before[item], &registers[usize::from(value)]),
        }
        put(&mut registers[usize::from(to)], Value::None);
        self.wait();
        self.pop_frame();
        for _ in 0..delegates {
            // It asks again when it goes on.
            self.frames.top_mut().go_back();
            self.wait();
            self.pop_frame();
        }
        // Past the jump out of the loop.
        self.frames.top_mut().skip(1);
        true
    }
}
