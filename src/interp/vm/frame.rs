//! Frames: a function that runs, or waits for one that it has called.

use std::rc::Rc;

use smallvec::SmallVec;

use super::frames::Frames;
use super::op::look_around;
use super::register::{clear, put_bool, put_float, put_int, put_none, put_taken, put_unbound};
use super::window::WINDOW;
use super::{Machine, steps};
use crate::diag::{Diagnostic, SourceResult, Span};
use crate::interp::compile::Reg;
use crate::interp::depth::{too_deep, with_room};
use crate::interp::object::function::Closure;
use crate::interp::object::generator::{Extra, Generator};
use crate::interp::shared::{Shared, Slot};
use crate::interp::value::Value;

/// How often loops turn and functions are called before the machine looks at Ctrl-C and at the work
/// that waits.
pub(super) const TURNS: u32 = 64;

pub(super) struct Frame {
    /// What runs. While the loop over what is frequent runs it, it has it; where a frame has been left, a
    /// function that holds nothing may stay, because the next call most often wants it again.
    pub(super) function: Option<Rc<Closure>>,
    /// Its first register.
    pub base: usize,
    /// The next operation; shorter than the base, so that a processor has each in a register of its own.
    pc: u32,
    pub then: Then,
    /// What few functions have.
    pub extra: Option<Box<Extra>>,
}

/// What the loop that runs a frame has of it.
pub(super) struct Running {
    pub function: Rc<Closure>,
    pub base: usize,
    pub pc: u32,
}

/// What is done with what a frame returns or gives out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Then {
    /// The machine stops.
    Stop,
    /// It goes into a register of the frame that waits.
    Store(Reg),
    /// It is the `None` of an `__init__`: what goes into a register is the object that was made last.
    Made(Reg),
    /// It is the next item of a loop, whose end follows as a jump.
    Item(Reg),
    /// It is the next item, and one must come.
    Next(Reg),
    /// It is what a method says that was asked for an operation; it may be that it does not know.
    Answer,
    /// It is the hash of the key that an operation looks for.
    Hash,
    /// It says whether a key that is there is the one that an operation looks for.
    Equality,
    /// As [`Then::Store`], and a function keeps it.
    Keep(Reg),
    /// It is given out by the generator that waits; what is returned goes into a register.
    Delegate(Reg),
}

impl Frame {
    #[inline(always)]
    pub fn new(function: Rc<Closure>, base: usize, then: Then) -> Frame {
        Frame { function: Some(function), base, pc: 0, then, extra: None }
    }

    /// That of a generator that goes on.
    #[inline(always)]
    pub fn of_generator(
        generator: Rc<Generator>,
        mut waiting: Box<Extra>,
        base: usize,
        then: Then,
    ) -> Frame {
        let (function, pc) = (generator.function.clone(), waiting.pc);
        waiting.generator = Some(generator);
        Frame { function: Some(function), base, pc: pc as u32, then, extra: Some(waiting) }
    }

    /// Whether it is that of a machine for this function alone.
    #[inline(always)]
    pub fn is_first_of(&self, function: &Rc<Closure>) -> bool {
        let known = self.function.as_ref().is_some_and(|known| Rc::ptr_eq(known, function));
        known && self.base == 0 && matches!(self.then, Then::Stop) && self.extra.is_none()
    }

    #[inline(always)]
    pub fn function(&self) -> &Rc<Closure> {
        self.function.as_ref().expect("nothing else has it")
    }

    /// Hands itself over to the loop that runs it.
    #[inline(always)]
    pub fn run(&mut self) -> Running {
        let function = self.function.take().expect("nothing else has it");
        Running { function, base: self.base, pc: self.pc }
    }

    /// Takes it back, and where that loop is.
    #[inline(always)]
    pub fn stop_at(&mut self, function: Rc<Closure>, pc: usize) {
        self.take_back(function);
        self.go_to(pc);
    }

    #[inline(always)]
    pub fn pc(&self) -> usize {
        self.pc as usize
    }

    #[inline(always)]
    pub fn go_to(&mut self, pc: usize) {
        // Code has fewer operations than that.
        self.pc = pc as u32;
    }

    /// Past so many operations.
    pub fn skip(&mut self, count: u32) {
        self.pc += count;
    }

    /// The operation that ran is done again.
    pub fn go_back(&mut self) {
        self.pc -= 1;
    }

    #[inline(always)]
    fn take_back(&mut self, function: Rc<Closure>) {
        let nothing = self.function.replace(function);
        debug_assert!(nothing.is_none(), "the loop has it");
        // Nobody need look whether there is something to let go of.
        std::mem::forget(nothing);
    }

    /// The loop that runs it has no room for its registers.
    #[cold]
    #[inline(never)]
    pub fn leave_to_wider(&mut self, function: Rc<Closure>, pc: usize) -> bool {
        self.stop_at(function, pc);
        false
    }

    /// Nobody needs what it holds any more.
    #[inline(never)]
    pub fn let_go(&mut self) {
        let (function, extra) = (self.function.take(), self.extra.take());
        drop((function, extra));
    }

    /// The variables that functions inside share.
    #[inline]
    pub fn cells(&self) -> &[Slot] {
        self.extra.as_ref().map_or(&[], |extra| &extra.cells)
    }

    /// The generator that it is.
    #[inline]
    pub fn generator(&self) -> Option<&Rc<Generator>> {
        self.extra.as_ref()?.generator.as_ref()
    }

    /// Behind its last register. What stands there counts for nobody.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.base + self.function().code.registers
    }

    /// Where the operation stands that runs.
    pub fn span(&self) -> Span {
        self.function().code.span_at(self.pc().saturating_sub(1))
    }
}

/// What variables and constants hold at first: nothing, and most often integers.
#[inline(always)]
pub(super) fn fill_by(registers: &mut [Value], template: &[Value]) {
    for (register, value) in registers.iter_mut().zip(template) {
        match value {
            Value::Int(value) => put_int(register, *value),
            Value::Float(value) => put_float(register, *value),
            Value::Bool(value) => put_bool(register, *value),
            Value::None => put_none(register),
            Value::Unbound => put_unbound(register),
            value => steps::copy_other(register, value),
        }
    }
}

impl Machine<'_> {
    /// The first frame's registers and cells.
    pub(super) fn begin(&mut self) {
        self.make_room();
        self.fill();
    }

    /// Gives the running frame's variables behind the arguments what they hold at first, and makes
    /// its cells.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        let code = &*self.frames.top().function().code;
        if !code.template.is_empty() {
            let first = self.frames.top().base + code.parameters.count();
            fill_by(&mut self.stack[first..], &code.template);
        }
        if !code.cells.is_empty() {
            self.make_cells();
        }
    }

    fn make_cells(&mut self) {
        let code = &self.frames.top().function().code;
        let journal = &self.evaluator.interp.journal;
        let cells = code.cells.iter().map(|_| Slot::new(Shared::made_in(journal, None)));
        let mut cells: SmallVec<[Slot; 4]> = cells.collect();
        for (parameter, cell) in &code.cell_parameters {
            let register = &mut self.stack[self.frames.top().base + usize::from(*parameter)];
            let value = std::mem::replace(register, Value::Unbound);
            let made = Rc::new(Shared::made_in(journal, Some(value)));
            cells[usize::from(*cell)] = made;
        }
        self.frames.top_mut().extra = Some(Box::new(Extra { cells, ..Extra::default() }));
    }

    /// Whether another frame may be put over the running one, and nothing else is due then.
    #[inline(always)]
    pub(super) fn can_push(&self) -> bool {
        let depth = &self.evaluator.interp.depth;
        depth.frames.get() < depth.limit() && self.turns + 1 < TURNS
    }

    /// As [`Machine::push`], where [`Machine::can_push`] says so.
    #[inline(always)]
    pub(super) fn push_at_once(&mut self, frame: Frame) {
        self.go_deeper();
        self.frames.push_frame(frame);
        self.make_room();
    }

    #[inline(always)]
    fn go_deeper(&mut self) {
        self.turns += 1;
        let depth = &self.evaluator.interp.depth.frames;
        depth.set(depth.get() + 1);
    }

    /// A frame for the function of the program in `callee`, whose registers begin with `first`, `count`
    /// parameters among them that hold arguments; whether there is one.
    #[inline(always)]
    pub(super) fn enter(&mut self, callee: Reg, first: Reg, to: Reg, count: usize) -> bool {
        self.enter_at(callee, usize::from(first), to, |function, _, registers| {
            let missing = function.code.parameters.positional - count;
            let behind = &mut registers[count..];
            if missing == 0 {
                return fill_by(behind, &function.code.template);
            }
            let defaults = &function.defaults[function.defaults.len() - missing..];
            fill_by(behind, defaults);
            fill_by(&mut behind[missing..], &function.code.template);
        })
    }

    /// A frame for the function of the program in `callee`, whose registers begin `first` behind those of the
    /// running frame; whether there is one. `fill` puts into them what they hold at first; it sees those before
    /// them, too, from the running frame's on.
    #[inline(always)]
    pub(super) fn enter_at(
        &mut self,
        callee: Reg,
        first: usize,
        to: Reg,
        fill: impl FnOnce(&Closure, &mut [Value], &mut [Value]),
    ) -> bool {
        let Some((_, own)) = self.put_over(callee, first, to, fill) else { return false };
        if !own.function().code.cells.is_empty() {
            self.make_cells();
        }
        true
    }

    /// As [`Machine::enter_at`], of a function without cells: the frame that waits now, and that one.
    #[inline(always)]
    pub(super) fn put_over(
        &mut self,
        callee: Reg,
        first: usize,
        to: Reg,
        fill: impl FnOnce(&Closure, &mut [Value], &mut [Value]),
    ) -> Option<(&mut Frame, &mut Frame)> {
        if !self.can_push() {
            return None;
        }
        let Frames { places, count } = &mut self.frames;
        let [.., own, place] = places.get_mut(..*count + 1)? else { return None };
        let registers = self.stack.get_mut(own.base..)?;
        let (before, registers) = registers.split_at_mut_checked(first)?;
        let callee = before.get_mut(usize::from(callee))?;
        let Value::Closure(function) = &*callee else { return None };
        // Where there is no room yet, the general way makes some.
        if registers.len() < WINDOW || registers.len() < function.code.registers {
            return None;
        }
        (place.base, place.pc, place.then) = (own.base + first, 0, Then::Store(to));
        let function = match &place.function {
            Some(known) if Rc::ptr_eq(known, function) => known,
            _ => place.function.insert(function.clone()),
        };
        *count += 1;
        self.turns += 1;
        let depth = &self.evaluator.interp.depth.frames;
        depth.set(depth.get() + 1);
        // What holds nothing may stay: the next call most often finds it again.
        if function.holds_values() {
            *callee = Value::None;
        }
        fill(function, before, registers);
        Some((own, place))
    }

    /// Leaves the running frame for the one that waits, where nobody has to look at what it returns; gives its
    /// function back where that was not done.
    #[inline(always)]
    pub(super) fn leave_to(
        &mut self,
        value: Reg,
        function: Rc<Closure>,
    ) -> Result<Running, Rc<Closure>> {
        let Frames { places, count } = &mut self.frames;
        let Some([.., around, own]) = places.get_mut(..*count) else {
            return Err(function);
        };
        let Then::Store(to) = own.then else { return Err(function) };
        let Some((before, registers)) = self.stack.split_at_mut_checked(own.base) else {
            return Err(function);
        };
        let Some(to) = before.get_mut(around.base + usize::from(to)) else { return Err(function) };
        if own.extra.is_some() {
            return Err(function);
        }
        let registers = &mut registers[..function.code.registers];
        put_taken(to, &mut registers[usize::from(value)]);
        clear(registers);
        if !function.holds_values() {
            own.take_back(function);
        }
        *count -= 1;
        let depth = &self.evaluator.interp.depth.frames;
        depth.set(depth.get().wrapping_sub(1));
        Ok(around.run())
    }

    /// Puts the running frame aside for another one.
    #[inline(always)]
    pub(super) fn push(&mut self, frame: Frame) -> SourceResult<()> {
        let limit = self.evaluator.interp.depth.limit();
        let depth = &self.evaluator.interp.depth.frames;
        if depth.get() >= limit {
            return Err(too_deep("").placed(self.frames.top().span()));
        }
        // Loops and recursions take this step: now and then the machine looks around.
        if self.turns + 1 >= TURNS {
            self.turns = 0;
            look_around(self.evaluator, self.frames.top().span())?;
        }
        self.push_at_once(frame);
        Ok(())
    }

    /// The running frame's registers are there, and as many as the plain loop wants to see.
    #[inline(always)]
    pub(super) fn make_room(&mut self) {
        let own = self.frames.top();
        let end = own.base + own.function().code.registers.max(WINDOW);
        if self.stack.len() < end {
            self.grow(end);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) {
        self.stack.resize(end, Value::None);
    }

    /// Leaves the running frame for the one that waits, and lets go of what it holds. Gives what is
    /// to be done with its result; nothing where it was the first.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Then> {
        let own = self.frames.top();
        clear(&mut self.stack[own.base..own.end()]);
        self.pop_frame()
    }

    /// As [`Machine::pop`], where the registers have been taken.
    #[inline(always)]
    pub(super) fn pop_frame(&mut self) -> Option<Then> {
        let then = self.frames.pop()?;
        let depth = &self.evaluator.interp.depth.frames;
        depth.set(depth.get().wrapping_sub(1));
        Some(then)
    }

    /// Runs a machine inside a built-in function.
    pub(super) fn run_inside(&mut self, span: Span) -> SourceResult<super::Stop> {
        self.inside(span, Machine::run)
    }

    /// Does something with a machine inside a built-in function.
    pub(super) fn inside<T, E: From<Box<Diagnostic>>>(
        &mut self,
        span: Span,
        run: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let depth = &self.evaluator.interp.depth;
        let (before, machines) = (depth.frames.get(), depth.machines.get());
        if before >= depth.limit() || machines >= depth.native_limit() {
            return Err(too_deep("").placed(span).into());
        }
        depth.frames.set(before + 1);
        depth.machines.set(machines + 1);
        let result = with_room(|| run(self));
        depth.frames.set(before);
        depth.machines.set(machines);
        result
    }
}
