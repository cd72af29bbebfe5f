//! Calls, and what is done with what they return.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::bind::{bind, placed, put_default};
use super::frame::{Frame, Then};
use super::register::{clear, put, put_copy, put_taken, take};
use super::spread::name_of;
use super::{Machine, Stop};
use crate::diag::{Fault, SourceResult, Span};
use crate::interp::builtins::{Argument, Arguments};
use crate::interp::compile::{ArgumentKind, CallSite, Kind, Op, Placed, Reg};
use crate::interp::object::function::Closure;
use crate::interp::object::generator::Generator;
use crate::interp::value::Value;
use crate::interp::{Evaluator, eval};
use crate::syntax::ast::Ident;

impl Machine<'_> {
    /// Calls what stands in `callee` with the arguments that stand from `first` on.
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        to: Reg,
        callee: Reg,
        first: Reg,
        site: &CallSite,
    ) -> SourceResult<()> {
        let at = self.frames.top().base + usize::from(callee);
        let count = site.arguments.len();
        if let Some(function) = plain_callee(&mut self.stack[at], site, count) {
            return self.call_plain(function, first, count, Then::Store(to));
        }
        if self.call_receiver(to, callee, first, site)? || self.send(to, callee, first, site)? {
            return Ok(());
        }
        let target = std::mem::replace(&mut self.stack[at], Value::None);
        self.call_bound(to, first, None, &target, site)
    }

    /// As `call`, behind [`Context::method`](super::op::Context::method): a receiver may stand before the arguments.
    #[inline(never)]
    pub(super) fn call_method(
        &mut self,
        to: Reg,
        callee: Reg,
        site: &CallSite,
    ) -> SourceResult<()> {
        let at = self.frames.top().base + usize::from(callee);
        if let Value::Unbound = self.stack[at + 1] {
            return self.call(to, callee, callee + 2, site);
        }
        let count = site.arguments.len() + 1;
        if let Some(function) = plain_callee(&mut self.stack[at], site, count) {
            return self.call_plain(function, callee + 1, count, Then::Store(to));
        }
        if self.send(to, callee, callee + 2, site)? {
            return Ok(());
        }
        let target = std::mem::replace(&mut self.stack[at], Value::None);
        let value = std::mem::replace(&mut self.stack[at + 1], Value::None);
        let receiver = Argument { name: None, value, span: site.receiver };
        self.call_bound(to, callee + 2, Some(receiver), &target, site)
    }

    /// A call whose arguments have to be bound to parameters.
    #[inline(never)]
    fn call_bound(
        &mut self,
        to: Reg,
        first: Reg,
        receiver: Option<Argument>,
        target: &Value,
        site: &CallSite,
    ) -> SourceResult<()> {
        if let Value::Closure(function) = target
            && let Some(placed) = placed(function, site, usize::from(receiver.is_some()))
        {
            let receiver = receiver.map(|receiver| receiver.value);
            return self.call_placed(function, receiver, first, &placed, Then::Store(to));
        }
        if let (Value::Class(class), None) = (target, &receiver)
            && let Some(init) = class.plain_init(self.evaluator.interp.class_changes.get())
            && let Some(()) = self.make_object(class, &init, to, first, site)?
        {
            return Ok(());
        }
        let span = self.frames.top().span();
        let arguments = self.arguments(site, first, receiver, target)?;
        self.call_value(to, target, arguments, site, span)
    }

    fn call_value(
        &mut self,
        to: Reg,
        target: &Value,
        arguments: Arguments,
        site: &CallSite,
        span: Span,
    ) -> SourceResult<()> {
        if let Value::Closure(function) = target {
            return self.call_closure(function, arguments, Then::Store(to), span);
        }
        if let Value::Function(function) = target
            && function.builtin.asks_machine
        {
            let handled = self.handled().unwrap_or(Value::None);
            self.stack[self.frames.top().base + usize::from(to)] = handled;
            return Ok(());
        }
        super::op::ensure(self.evaluator);
        if let Value::Object(_) | Value::Class(_) | Value::Bound(_) = target {
            return self.call_object(to, target, arguments, span);
        }
        let engine = &self.evaluator.interp.engine;
        let call = || self.evaluator.call_native_value(target, arguments, site, span);
        let beside = engine.has_several_devices().then(|| self.device_of_operands()).flatten();
        let called = match beside {
            Some(device) => engine.on_device(device, call)?,
            None => call()?,
        };
        self.stack[self.frames.top().base + usize::from(to)] = called;
        Ok(())
    }

    /// A frame for a function whose arguments stand in registers already, one behind the other.
    #[inline(always)]
    pub(super) fn call_plain(
        &mut self,
        function: Rc<Closure>,
        first: Reg,
        count: usize,
        then: Then,
    ) -> SourceResult<()> {
        let base = self.frames.top().base + usize::from(first);
        self.push(Frame::new(function, base, then))?;
        self.fill_defaults(count);
        self.fill();
        Ok(())
    }

    /// The running frame's parameters behind the first `count` hold their defaults.
    #[inline(always)]
    pub(super) fn fill_defaults(&mut self, count: usize) {
        let function = self.frames.top().function();
        let missing = function.code.parameters.positional - count;
        if missing == 0 {
            return;
        }
        let defaults = &function.defaults[function.defaults.len() - missing..];
        let registers = &mut self.stack[self.frames.top().base + count..];
        registers.iter_mut().zip(defaults).for_each(|(register, value)| put_copy(register, value));
    }

    /// A frame for a function whose arguments go to these parameters, the receiver first.
    pub(super) fn call_placed(
        &mut self,
        function: &Rc<Closure>,
        receiver: Option<Value>,
        first: Reg,
        placed: &Placed,
        then: Then,
    ) -> SourceResult<()> {
        let first = self.frames.top().base + usize::from(first);
        let base = self.frames.top().end();
        self.push(Frame::new(function.clone(), base, then))?;
        let (given, registers) = self.stack.split_at_mut(base);
        let mut places = placed.places.as_slice();
        if let (Some(receiver), [place, rest @ ..]) = (receiver, places) {
            put(&mut registers[usize::from(*place)], receiver);
            places = rest;
        }
        for (place, value) in places.iter().zip(&mut given[first..]) {
            put_taken(&mut registers[usize::from(*place)], value);
        }
        for at in placed.missing.iter().map(|at| usize::from(*at)) {
            put_default(&mut registers[at], function, at);
        }
        self.fill();
        Ok(())
    }

    /// A frame for a function, or its generator.
    pub(super) fn call_closure(
        &mut self,
        function: &Rc<Closure>,
        arguments: Arguments,
        then: Then,
        span: Span,
    ) -> SourceResult<()> {
        let bound = bind(function, arguments);
        let bound = bound.map_err(|(fault, place)| eval::placed(fault, place.unwrap_or(span)))?;
        let base = self.frames.top().end();
        self.push(Frame::new(function.clone(), base, then))?;
        self.stack[base..].iter_mut().zip(bound).for_each(|(register, value)| *register = value);
        self.fill();
        if function.code.is_generator {
            let value = self.generator_of_frame();
            return match self.give_back(value)? {
                None => Ok(()),
                Some(_) => unreachable!("somebody has called it"),
            };
        }
        Ok(())
    }

    /// The arguments of a call that is not plain, or not of a program's function.
    fn arguments(
        &mut self,
        site: &CallSite,
        first: Reg,
        receiver: Option<Argument>,
        target: &Value,
    ) -> SourceResult<Arguments> {
        let mut arguments = Arguments::with_capacity(site.arguments.len() + 1);
        arguments.extend(receiver);
        let mut named = Named::default();
        let base = self.frames.top().base + usize::from(first);
        for (at, argument) in site.arguments.iter().enumerate() {
            let value = std::mem::replace(&mut self.stack[base + at], Value::None);
            let span = argument.span;
            match &argument.kind {
                ArgumentKind::Positional => arguments.push(Argument { name: None, value, span }),
                ArgumentKind::Star => {
                    let Value::Tuple(items) = &value else { continue };
                    let items = items.iter().cloned();
                    arguments.extend(items.map(|value| Argument { name: None, value, span }));
                }
                ArgumentKind::Keyword(name, name_span) => {
                    // Twice in the text is no syntax: the first one came out of a mapping.
                    if !named.takes(&arguments, name) {
                        return Err(eval::placed(given_twice(target, name), *name_span));
                    }
                    arguments.push(Argument { name: Some(name.clone()), value, span });
                }
                ArgumentKind::DoubleStar => {
                    let Some(entries) = value.as_dict() else { continue };
                    for (key, value) in entries.borrow().iter() {
                        let Value::Str(name) = key.value() else { continue };
                        let name = Ident::from(name);
                        if !named.takes(&arguments, &name) {
                            return Err(eval::placed(given_twice(target, &name), span));
                        }
                        let value = value.clone();
                        arguments.push(Argument { name: Some(name), value, span });
                    }
                }
            }
        }
        Ok(arguments)
    }

    /// What the first frame returns or gives out, where nobody but the machine's owner takes it.
    #[inline(always)]
    pub(super) fn ending(&mut self) -> Option<Stop> {
        if !self.frames.is_last() {
            return None;
        }
        let own = self.frames.top();
        let code = &own.function().code;
        let registers = own.base..own.end();
        match code.ops.get(own.pc().wrapping_sub(1)) {
            Some(Op::Return { value }) if own.extra.is_none() => {
                let registers = &mut self.stack[registers];
                let value = std::mem::replace(&mut registers[usize::from(*value)], Value::None);
                clear(registers);
                Some(Stop::Returned(value))
            }
            Some(Op::Yield { to, value }) if self.keeps => {
                let registers = &mut self.stack[registers];
                let value = take(registers, code.first_temporary, *value);
                put(&mut registers[usize::from(*to)], Value::None);
                Some(Stop::Yielded(value))
            }
            _ => None,
        }
    }

    /// Runs inside a built-in function, and leaves its room to the next one that does.
    fn end_inside(mut self, span: Span) -> SourceResult<Value> {
        let stop = self.run_inside(span);
        self.leave_room(&stop);
        let (Stop::Returned(value) | Stop::Yielded(value)) = stop?;
        Ok(value)
    }

    /// The running frame returns what stands in a register.
    #[inline(never)]
    pub(super) fn leave(&mut self, value: Reg) -> SourceResult<Option<Stop>> {
        let base = self.frames.top().base;
        let value = std::mem::replace(&mut self.stack[base + usize::from(value)], Value::None);
        self.give_back(value)
    }

    /// The running frame is done. Gives the value back where it was the first.
    #[inline(never)]
    pub(super) fn give_back(&mut self, value: Value) -> SourceResult<Option<Stop>> {
        if let Some(generator) = self.frames.top().generator() {
            generator.end(&self.evaluator.interp.journal);
        }
        let Some(then) = self.pop() else { return Ok(Some(Stop::Returned(value))) };
        match then {
            Then::Store(to) | Then::Delegate(to) => {
                self.stack[self.frames.top().base + usize::from(to)] = value;
            }
            Then::Made(to) => self.object_made(to, &value)?,
            Then::Keep(to) => self.keep_result(to, value)?,
            Then::Answer => self.answered(value)?,
            Then::Hash => self.hash_said(&value)?,
            Then::Equality => self.equality_said(value)?,
            Then::Next(_) => return Err(self.ended(&value)),
            // The jump that stands next leaves the loop.
            Then::Item(_) => {}
            Then::Stop => return Ok(Some(Stop::Returned(value))),
        }
        Ok(None)
    }
}

impl Evaluator<'_> {
    /// Calls a function of the program from a built-in one.
    ///
    /// # Errors
    /// TypeError for arguments that do not fit, and whatever the function brings up.
    pub fn call_closure(
        &self,
        function: &Rc<Closure>,
        arguments: Arguments,
        span: Span,
    ) -> SourceResult<Value> {
        if self.is_alone() {
            return self.all_or_nothing(span, || self.call_closure(function, arguments, span));
        }
        let bound = bind(function, arguments);
        let mut bound =
            bound.map_err(|(fault, place)| eval::placed(fault, place.unwrap_or(span)))?;
        debug_assert_eq!(function.code.kind, Kind::Function);
        if function.code.is_generator {
            let mut machine = self.machine(function, &mut bound);
            let waiting = machine.set_aside();
            machine.finish();
            let generator = Generator::new(*self, function.clone(), waiting);
            return Ok(Value::Generator(Rc::new(generator)));
        }
        self.run_inside(function, bound, span)
    }

    /// Whether a call is nobody's statement, because what shows a value makes it. Where a compound statement runs, it
    /// is a part of that.
    fn is_alone(&self) -> bool {
        let interp = self.interp;
        if !interp.is_in_transaction() && interp.in_compound.get() {
            interp.begin();
        }
        !interp.is_in_transaction()
    }

    /// Calls a function of the program that takes these values plainly, and away.
    ///
    /// # Errors
    /// Whatever the function brings up.
    pub fn call_plainly(
        &self,
        function: &Rc<Closure>,
        values: &mut [Value],
        span: Span,
    ) -> SourceResult<Value> {
        if self.is_alone() {
            return self.all_or_nothing(span, || self.call_plainly(function, values, span));
        }
        let mut machine = Machine::beginning(*self, function);
        machine.make_room();
        machine.stack.iter_mut().zip(&mut *values).for_each(|(to, value)| put_taken(to, value));
        machine.fill_defaults(values.len());
        machine.fill();
        machine.end_inside(span)
    }

    fn run_inside(
        &self,
        function: &Rc<Closure>,
        mut parameters: Vec<Value>,
        span: Span,
    ) -> SourceResult<Value> {
        self.machine(function, &mut parameters).end_inside(span)
    }

    /// A machine that begins with a call of a function, whose parameters it takes.
    #[inline(always)]
    fn machine(&self, function: &Rc<Closure>, parameters: &mut Vec<Value>) -> Machine<'_> {
        let mut machine = Machine::beginning(*self, function);
        machine.make_room();
        machine.stack.iter_mut().zip(parameters.drain(..)).for_each(|(to, value)| put(to, value));
        machine.fill();
        machine
    }
}

/// The names of arguments, for calls with many of them: a few are found faster by a look at each.
#[derive(Default)]
struct Named(FxHashSet<Ident>);

impl Named {
    /// Whether a name is new to the arguments that are there.
    fn takes(&mut self, arguments: &[Argument], name: &Ident) -> bool {
        let mut names = arguments.iter().filter_map(|argument| argument.name.as_ref());
        if arguments.len() < 16 {
            return names.all(|known| known != name);
        }
        if self.0.is_empty() {
            self.0.extend(names.cloned());
        }
        self.0.insert(name.clone())
    }
}

/// The function of the program in a register, which gives it away, where the arguments of a call can
/// become its first registers as they are.
#[inline(always)]
fn plain_callee(register: &mut Value, site: &CallSite, count: usize) -> Option<Rc<Closure>> {
    match register {
        Value::Closure(function) if site.is_plain && function.takes_plainly(count) => {}
        _ => return None,
    }
    match std::mem::replace(register, Value::None) {
        Value::Closure(function) => Some(function),
        _ => None,
    }
}

#[cold]
fn given_twice(target: &Value, name: &str) -> Fault {
    let words = format!("{}() got multiple values for keyword argument '{name}'", name_of(target));
    Fault::type_error(words)
}
