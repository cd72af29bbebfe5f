//! Generators: frames that are put aside and go on.

use std::cell::Cell;
use std::rc::Rc;

use super::delegate;
use super::frame::{Frame, Then};
use super::iter::Step;
use super::op::{Context, ensure};
use super::register::put;
use super::{Machine, Stop};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::interp::compile::{Op, Reg};
use crate::interp::object::ends::Watch;
use crate::interp::object::function::Closure;
use crate::interp::object::generator::{Extra, Generator, State};
use crate::interp::shared::Shared;
use crate::interp::undo::Journal;
use crate::interp::value::Value;
use crate::interp::{Evaluator, eval};

/// How a generator goes on.
#[derive(Debug)]
pub enum Resume {
    /// With this as what its `yield` gives; nothing for `None`.
    Send(Option<Value>),
    /// With this error at its `yield`.
    Throw(Box<Diagnostic>),
}

/// What somebody says of an item that a generator has given.
#[derive(Debug)]
pub enum Seen {
    More,
    Enough,
    /// It is shown again when the generator waits, because looking at it may run something of the program.
    Aside(Value),
}

/// What a generator came to.
#[derive(Debug)]
pub enum Resumed {
    Yielded(Value),
    Returned(Value),
}

impl Generator {
    pub(super) fn new(
        evaluator: Evaluator<'_>,
        function: Rc<Closure>,
        waiting: Box<Extra>,
    ) -> Generator {
        // It is new in the transaction in which it goes on, else that would keep what it was.
        ensure(evaluator);
        let journal = &evaluator.interp.journal;
        let state = Rc::new(Shared::made_in(journal, State::Waiting(waiting)));
        let has_end = !function.code.handlers.is_empty();
        let watch = has_end.then(|| Watch::new(&evaluator.interp.ends));
        Generator { function, state, watch: Cell::new(watch) }
    }

    /// Nothing comes any more.
    pub(super) fn end(&self, journal: &Journal) {
        *self.state.change(journal) = State::Done;
    }
}

impl Machine<'_> {
    /// Takes the registers and cells of the running frame out, which has not begun.
    pub(super) fn set_aside(&mut self) -> Box<Extra> {
        let registers = self.stack[self.frames.top().base..self.frames.top().end()].iter_mut();
        let mut extra = self.frames.top_mut().extra.take().unwrap_or_default();
        extra.kept = registers.map(|register| std::mem::replace(register, Value::None)).collect();
        extra.pc = self.frames.top().pc();
        extra
    }

    /// The running frame, which has not begun, as a generator.
    pub(super) fn generator_of_frame(&mut self) -> Value {
        let function = self.frames.top().function().clone();
        let waiting = self.set_aside();
        Value::Generator(Rc::new(Generator::new(self.evaluator, function, waiting)))
    }

    /// Lets a generator go on as the running frame, on registers of its own. False where it has ended
    /// before.
    pub(super) fn resume(
        &mut self,
        generator: Rc<Generator>,
        sent: Option<Value>,
        then: Then,
    ) -> SourceResult<bool> {
        let span = self.frames.top().span();
        let revived = self.evaluator.revive(&generator, sent, then, span)?;
        let Some(mut frame) = revived else { return Ok(false) };
        frame.base = self.frames.top().end();
        if let Err(error) = self.push(frame) {
            generator.end(&self.evaluator.interp.journal);
            return Err(error);
        }
        self.swap_kept();
        Ok(true)
    }

    /// The registers of the running frame, a generator's, and what is kept of them change places: where it goes on, and
    /// where it waits. Nobody needs what stood in the others.
    #[inline]
    pub(super) fn swap_kept(&mut self) {
        let Frame { base, extra: Some(extra), .. } = self.frames.top_mut() else { return };
        let registers = &mut self.stack[*base..*base + extra.kept.len()];
        registers.swap_with_slice(&mut extra.kept);
    }

    /// The next item of a generator that a loop goes through.
    pub(super) fn next_of(&mut self, generator: Rc<Generator>, to: Reg) -> SourceResult<()> {
        // Where it has ended, the jump that stands next leaves the loop.
        self.resume(generator, None, Then::Item(to)).map(|_| ())
    }

    /// The running generator gives something out.
    pub(super) fn give_out(&mut self, value: Value) -> Option<Stop> {
        loop {
            if self.keeps && self.frames.is_last() {
                return Some(Stop::Yielded(value));
            }
            if !self.wait() {
                return Some(Stop::Yielded(value));
            }
            let Some(then) = self.pop_frame() else { return Some(Stop::Yielded(value)) };
            match then {
                Then::Item(to) | Then::Store(to) | Then::Next(to) => {
                    put(&mut self.stack[self.frames.top().base + usize::from(to)], value);
                    // Past the jump out of the loop.
                    self.frames.top_mut().skip(u32::from(matches!(then, Then::Item(_))));
                    return None;
                }
                // Whoever delegates gives it out in turn, and asks again when it goes on.
                Then::Delegate(_) => self.frames.top_mut().go_back(),
                Then::Made(_)
                | Then::Keep(_)
                | Then::Answer
                | Then::Hash
                | Then::Equality
                | Then::Stop => {
                    return Some(Stop::Yielded(value));
                }
            }
        }
    }

    /// `yield from`: gives the next item out, or goes on with what the other returned.
    pub(super) fn yield_from(&mut self, to: Reg, iter: Reg) -> SourceResult<Option<Stop>> {
        let base = self.frames.top().base;
        let register = &mut self.stack[base + usize::from(to)];
        let sent = std::mem::replace(register, Value::None);
        if let Value::Generator(generator) = &self.stack[base + usize::from(iter)] {
            let generator = generator.clone();
            if self.resume(generator, Some(sent), Then::Delegate(to))? {
                self.go_inward();
            }
            return Ok(None);
        }
        let function = self.frames.top().function().clone();
        let at = self.frames.top().pc() - 1;
        let mut context = Context {
            evaluator: self.evaluator,
            code: &function.code,
            registers: &mut self.stack[base..],
            at,
        };
        let object = delegate::delegate(context.get(iter));
        let has_sent = !matches!(sent, Value::None);
        if let Some(object) = &object {
            let (method, sent) = if has_sent { ("send", Some(sent)) } else { ("__next__", None) };
            let span = context.span();
            if let Some(answer) = self.evaluator.ask_delegate(object, method, sent, span) {
                return self.take_answer(answer, to, at);
            }
        }
        if has_sent {
            let name = object.as_ref().map_or(delegate::name(context.get(iter)), Value::type_name);
            let message = format!("'{name}' object has no attribute 'send'");
            return Err(Box::new(Diagnostic::new(ErrorKind::Attribute, context.span(), message)));
        }
        match context.step(iter)? {
            Step::Item(value) => {
                // It is asked again when the generator goes on.
                self.frames.top_mut().go_to(at);
                Ok(self.give_out(value))
            }
            Step::End | Step::Resume(_) => Ok(None),
        }
    }

    /// Brings an error to the innermost generator that the running one delegates to.
    fn throw(&mut self, mut error: Box<Diagnostic>) -> SourceResult<Stop> {
        loop {
            let function = self.frames.top().function().clone();
            let Some(Op::YieldFrom { to, iter }) =
                function.code.ops.get(self.frames.top().pc()).copied()
            else {
                break;
            };
            let inner = &self.stack[self.frames.top().base + usize::from(iter)];
            let Value::Generator(inner) = inner else {
                let Some(object) = delegate::delegate(inner) else { break };
                match self.throw_to(&object, error, to) {
                    Ok(Some(stop)) => return Ok(stop),
                    Ok(None) => return self.run(),
                    Err(left) => error = left,
                }
                break;
            };
            let inner = inner.clone();
            self.frames.top_mut().skip(1);
            if error.kind == ErrorKind::GeneratorExit {
                // As in Python what is delegated to is closed, and the exit goes on here whatever that does.
                let closed = self.evaluator.close(&inner, self.frames.top().span());
                error = closed.err().unwrap_or(error);
                break;
            }
            let has_begun = matches!(&*inner.state.borrow(), State::Waiting(w) if w.has_begun);
            if !self.resume(inner, None, Then::Delegate(to))? || !has_begun {
                break;
            }
        }
        self.unwind(error)?;
        self.run()
    }
}

/// The operation at which a generator waits: `yield` is done, `yield from` is not.
fn at_yield(generator: &Generator, pc: usize) -> usize {
    match generator.function.code.ops.get(pc) {
        Some(Op::YieldFrom { .. }) => pc,
        _ => pc.saturating_sub(1),
    }
}

impl Evaluator<'_> {
    /// The frame of a generator that goes on; its registers are kept in it.
    #[inline]
    fn revive(
        &self,
        generator: &Rc<Generator>,
        sent: Option<Value>,
        then: Then,
        span: Span,
    ) -> SourceResult<Option<Frame>> {
        ensure(*self);
        let mut state = generator.state.change(&self.interp.journal);
        let fail = |kind, message: &str| Err(Box::new(Diagnostic::new(kind, span, message)));
        match &*state {
            State::Done => return Ok(None),
            State::Running => return fail(ErrorKind::Value, "generator already executing"),
            State::Waiting(waiting) => {
                let is_something = sent.as_ref().is_some_and(|v| !matches!(v, Value::None));
                if is_something && !waiting.has_begun {
                    let message = "can't send non-None value to a just-started generator";
                    return fail(ErrorKind::Type, message);
                }
            }
        }
        let before = std::mem::replace(&mut *state, State::Running);
        drop(state);
        let State::Waiting(mut waiting) = before else { return Ok(None) };
        if let Some(sent) = sent
            && waiting.has_begun
        {
            let op = generator.function.code.ops[at_yield(generator, waiting.pc)];
            if let Op::Yield { to, .. } | Op::YieldFrom { to, .. } = op {
                put(&mut waiting.kept[usize::from(to)], sent);
            }
        }
        Ok(Some(Frame::of_generator(generator.clone(), waiting, 0, then)))
    }

    /// Lets a generator go on until it gives something out or ends; what it gives after its end is
    /// `Returned(None)` again.
    ///
    /// # Errors
    /// Its own; ValueError where it runs already; TypeError where something is sent before it has
    /// begun.
    pub fn resume(
        &self,
        generator: &Rc<Generator>,
        how: Resume,
        span: Span,
    ) -> SourceResult<Resumed> {
        let (sent, error) = match how {
            Resume::Send(sent) => (sent, None),
            Resume::Throw(error) => (None, Some(error)),
        };
        if let Some(error) = &error
            && matches!(&*generator.state.borrow(), State::Waiting(w) if !w.has_begun)
        {
            generator.end(&self.interp.journal);
            let error = error.clone();
            let is_stop = error.kind == ErrorKind::StopIteration;
            return Err(if is_stop { self.stopped_inside(error) } else { error });
        }
        let Some(frame) = self.revive(generator, sent, Then::Stop, span)? else {
            return match error {
                Some(error) => Err(error),
                None => Ok(Resumed::Returned(Value::None)),
            };
        };
        let mut machine = Machine::new(*self, frame, false);
        machine.make_room();
        machine.swap_kept();
        let stop = match error {
            Some(error) => machine.throw_inside(error, span),
            None => machine.run_inside(span),
        };
        match stop {
            Ok(stop) => {
                machine.finish();
                Ok(match stop {
                    Stop::Yielded(value) => Resumed::Yielded(value),
                    Stop::Returned(value) => Resumed::Returned(value),
                })
            }
            Err(error) => {
                machine.finish_failed();
                if matches!(&*generator.state.borrow(), State::Running) {
                    generator.end(&self.interp.journal);
                }
                Err(error)
            }
        }
    }
}

impl Evaluator<'_> {
    /// Shows what a generator gives, one item after the other, until somebody has seen enough. It stays where it
    /// runs meanwhile; true where it waits, and may be asked by others.
    ///
    /// # Errors
    /// Those of the generator, and what `see` brings up.
    pub fn drive(
        &self,
        generator: &Rc<Generator>,
        mut see: impl FnMut(Value, bool) -> Result<Seen, Fault>,
    ) -> Result<(), Fault> {
        let span = Span::default();
        let Some(frame) = self.revive(generator, None, Then::Stop, span)? else { return Ok(()) };
        let mut machine = Machine::new(*self, frame, false);
        machine.keeps = true;
        machine.make_room();
        machine.swap_kept();
        let driven: SourceResult<()> = machine.inside(span, |machine| {
            let placed = |fault: Fault| eval::placed(fault, span);
            loop {
                let Stop::Yielded(item) = machine.run()? else { return Ok(()) };
                let seen = see(item, false);
                if let Ok(Seen::More) = seen {
                    continue;
                }
                machine.wait();
                let Seen::Aside(item) = seen.map_err(placed)? else { return Ok(()) };
                let Seen::More = see(item, true).map_err(placed)? else { return Ok(()) };
                let revived = self.revive(generator, None, Then::Stop, span)?;
                let Some(frame) = revived else { return Ok(()) };
                machine.frames = std::mem::take(&mut machine.frames).beginning(frame);
                machine.make_room();
                machine.swap_kept();
            }
        });
        match driven {
            Ok(()) => {
                machine.finish();
                Ok(())
            }
            Err(error) => {
                machine.finish_failed();
                if matches!(&*generator.state.borrow(), State::Running) {
                    generator.end(&self.interp.journal);
                }
                Err(error.into())
            }
        }
    }
}

impl Machine<'_> {
    /// The running frame waits, but stays where it is; whether it is a generator's.
    #[inline]
    pub(super) fn wait(&mut self) -> bool {
        self.swap_kept();
        let own = self.frames.top_mut();
        let Some(mut extra) = own.extra.take() else { return false };
        let Some(generator) = extra.generator.take() else { return false };
        (extra.pc, extra.has_begun) = (own.pc(), true);
        *generator.state.change(&self.evaluator.interp.journal) = State::Waiting(extra);
        true
    }

    fn throw_inside(&mut self, error: Box<Diagnostic>, span: Span) -> SourceResult<Stop> {
        _ = span;
        self.throw(error)
    }
}
