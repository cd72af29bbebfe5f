//! Frames: a function that runs, or waits for one that it has called.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Machine;
use super::op::look_around;
use super::register::{clear, put_copy};
use super::window::WINDOW;
use crate::diag::{SourceResult, Span};
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
    pub function: Rc<Closure>,
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
        Frame { function, base, pc: 0, then, extra: None }
    }

    /// That of a generator that goes on.
    #[inline(always)]
    pub fn of_generator(
        generator: &Rc<Generator>,
        mut waiting: Box<Extra>,
        base: usize,
        then: Then,
    ) -> Frame {
        let (function, pc) = (generator.function.clone(), waiting.pc);
        waiting.generator = Some(generator.clone());
        Frame { function, base, pc, then, extra: Some(waiting) }
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
        self.base + self.function.code.registers
    }

    /// Where the operation stands that runs.
    pub fn span(&self) -> Span {
        self.function.code.span_at(self.pc.saturating_sub(1))
    }
}

/// The frame that runs, and below it those that wait.
///
/// A frame stays where it was made: what is written in one piece and read in another soon after makes a
/// processor wait.
#[derive(Default)]
pub(super) struct Frames(Vec<Frame>);

impl Frames {
    /// With this frame alone; there is none yet.
    pub fn beginning(mut self, first: Frame) -> Frames {
        self.0.push(first);
        self
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The one that runs.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        &self.0[self.0.len() - 1]
    }

    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    #[inline(always)]
    fn push(&mut self, frame: Frame) {
        // Where there is room, nothing moves: each part is written where it stays.
        match self.0.len() < self.0.capacity() {
            true => self.0.push(frame),
            false => self.push_growing(frame),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_growing(&mut self, frame: Frame) {
        self.0.push(frame);
    }

    /// Leaves the one that runs, if another one waits.
    #[inline(always)]
    fn pop(&mut self) -> Option<Then> {
        if self.0.len() < 2 {
            return None;
        }
        // By its parts, few of which have to be let go of.
        let Frame { function, then, extra, .. } = self.0.pop()?;
        drop((function, extra));
        Some(then)
    }

    /// The one that runs, and the one that waits for it.
    #[inline(always)]
    pub fn top_two(&self) -> Option<(&Frame, &Frame)> {
        match self.0.as_slice() {
            [.., around, own] => Some((own, around)),
            _ => None,
        }
    }

    /// All of them, the one that runs first.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.0.iter().rev()
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
        let code = &*self.frames.top().function.code;
        if !code.template.is_empty() {
            let first = self.frames.top().base + code.parameters.count();
            for (register, value) in self.stack[first..].iter_mut().zip(&code.template) {
                put_copy(register, value);
            }
        }
        if !code.cells.is_empty() {
            self.make_cells();
        }
    }

    fn make_cells(&mut self) {
        let code = &self.frames.top().function.code;
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
        self.turns += 1;
        let depth = &self.evaluator.interp.depth.frames;
        depth.set(depth.get() + 1);
        self.frames.push(frame);
        self.make_room();
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
        let end = self.frames.top().end().max(self.frames.top().base + WINDOW);
        if self.stack.len() < end {
            self.stack.resize(end, Value::None);
        }
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
        depth.set(depth.get().saturating_sub(1));
        Some(then)
    }

    /// Runs a machine inside a built-in function.
    pub(super) fn run_inside(&mut self, span: Span) -> SourceResult<super::Stop> {
        let depth = &self.evaluator.interp.depth;
        let (before, machines) = (depth.frames.get(), depth.machines.get());
        if before >= depth.limit() || machines >= depth.native_limit() {
            return Err(too_deep("").placed(span));
        }
        depth.frames.set(before + 1);
        depth.machines.set(machines + 1);
        let result = with_room(|| self.run());
        depth.frames.set(before);
        depth.machines.set(machines);
        result
    }
}
