//! Frames: a function that runs, or waits for one that it has called.

use std::rc::Rc;

use smallvec::SmallVec;

use super::op::look_around;
use super::register::{become_unbound, clear, put_bool, put_float, put_int, put_none, put_taken};
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
    function: Option<Rc<Closure>>,
    /// Its first register.
    pub base: usize,
    /// The next operation.
    pub pc: usize,
    pub then: Then,
    /// What few functions have.
    pub extra: Option<Box<Extra>>,
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
        Frame { function: Some(function), base, pc, then, extra: Some(waiting) }
    }

    #[inline(always)]
    pub fn function(&self) -> &Rc<Closure> {
        self.function.as_ref().expect("nothing else has it")
    }

    /// Hands its function over to the loop that runs it.
    #[inline(always)]
    pub fn take_function(&mut self) -> Rc<Closure> {
        self.function.take().expect("nothing else has it")
    }

    /// Takes it back, and where that loop is.
    #[inline(always)]
    pub fn stop_at(&mut self, function: Rc<Closure>, pc: usize) {
        self.take_back(function);
        self.pc = pc;
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
        self.function().code.span_at(self.pc.saturating_sub(1))
    }
}

/// The frame that runs, and below it those that wait.
///
/// A frame stays where it was made: what is written in one piece and read in another soon after makes a
/// processor wait. So those that have been left stay as places for the next ones.
#[derive(Default)]
pub(super) struct Frames {
    places: Vec<Frame>,
    /// How many of them run or wait.
    count: usize,
}

impl Frames {
    /// With this frame alone.
    pub fn beginning(mut self, first: Frame) -> Frames {
        self.places.clear();
        self.places.push(first);
        self.count = 1;
        self
    }

    /// With one for this function alone, at its first operation.
    #[inline(always)]
    pub fn begin(&mut self, function: &Rc<Closure>) {
        self.count = 1;
        match self.places.first_mut() {
            Some(Frame { function: Some(known), base: 0, pc, then: Then::Stop, extra: None })
                if Rc::ptr_eq(known, function) =>
            {
                *pc = 0;
            }
            Some(place) => *place = Frame::new(function.clone(), 0, Then::Stop),
            None => self.places.push(Frame::new(function.clone(), 0, Then::Stop)),
        }
    }

    /// The first one, if there is one, keeps no value.
    #[inline(always)]
    pub fn let_go_of_first(&mut self) {
        self.count = 0;
        if let Some(first) = self.places.first_mut()
            && (first.extra.is_some() || first.function.as_ref().is_some_and(|f| f.holds_values()))
        {
            first.let_go();
        }
    }

    pub fn clear(&mut self) {
        self.places.clear();
        self.count = 0;
    }

    /// The one that runs.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        &self.places[self.count.wrapping_sub(1)]
    }

    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        &mut self.places[self.count.wrapping_sub(1)]
    }

    fn push_frame(&mut self, frame: Frame) {
        let Some(place) = self.places.get_mut(self.count) else {
            return self.push_growing(frame);
        };
        *place = frame;
        self.count += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_growing(&mut self, frame: Frame) {
        self.places.push(frame);
        self.count += 1;
    }

    /// Leaves the one that runs, if another one waits.
    #[inline(always)]
    fn pop(&mut self) -> Option<Then> {
        if self.count < 2 {
            return None;
        }
        let own = self.top_mut();
        let then = own.then;
        if own.extra.is_some() || own.function().holds_values() {
            own.let_go();
        }
        self.count -= 1;
        Some(then)
    }

    /// The one that runs, and the one that waits for it.
    #[inline(always)]
    pub fn top_two(&self) -> Option<(&Frame, &Frame)> {
        match self.places.get(..self.count)? {
            [.., around, own] => Some((own, around)),
            _ => None,
        }
    }

    /// Whether there is but one.
    pub fn is_last(&self) -> bool {
        self.count == 1
    }

    /// All of them, the one that runs first.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.places[..self.count].iter().rev()
    }
}

impl Frame {
    /// Nobody needs what it holds any more.
    #[inline(never)]
    fn let_go(&mut self) {
        let (function, extra) = (self.function.take(), self.extra.take());
        drop((function, extra));
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
            Value::Unbound => {
                if !matches!(register, Value::Unbound) {
                    become_unbound(register);
                }
            }
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
        if !self.can_push() {
            return false;
        }
        let Frames { places, count } = &mut self.frames;
        let Some([own, place, ..]) = places.get_mut(count.wrapping_sub(1)..) else { return false };
        let Some(registers) = self.stack.get_mut(own.base..) else { return false };
        let Some((before, registers)) = registers.split_at_mut_checked(first) else { return false };
        let Some(callee) = before.get_mut(usize::from(callee)) else { return false };
        let Value::Closure(function) = &*callee else { return false };
        // Where there is no room yet, the general way makes some.
        if registers.len() < function.code.registers.max(WINDOW) {
            return false;
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
        if !function.code.cells.is_empty() {
            self.make_cells();
        }
        true
    }

    /// Leaves the running frame for the one that waits, where nobody has to look at what it returns; gives its
    /// function back where that was not done.
    #[inline(always)]
    pub(super) fn leave_to(&mut self, value: Reg, function: Rc<Closure>) -> Option<Rc<Closure>> {
        let Frames { places, count } = &mut self.frames;
        let Some([around, own, ..]) = places.get_mut(count.wrapping_sub(2)..) else {
            return Some(function);
        };
        let Then::Store(to) = own.then else { return Some(function) };
        let Some((before, registers)) = self.stack.split_at_mut_checked(own.base) else {
            return Some(function);
        };
        let Some(to) = before.get_mut(around.base + usize::from(to)) else { return Some(function) };
        if own.extra.is_some() {
            return Some(function);
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
        None
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
