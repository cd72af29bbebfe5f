//! Frames: a function that runs, or waits for one that it has called.

use std::rc::Rc;

use smallvec::SmallVec;

use super::Machine;
use super::op::look_around;
use super::register::{clear, put_copy};
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
        let code = &*self.frame.function.code;
        if !code.template.is_empty() {
            let first = self.frame.base + code.parameters.count();
            for (register, value) in self.stack[first..].iter_mut().zip(&code.template) {
                put_copy(register, value);
            }
        }
        if !code.cells.is_empty() {
            self.make_cells();
        }
    }

    fn make_cells(&mut self) {
        let code = &self.frame.function.code;
        let journal = &self.evaluator.interp.journal;
        let cells = code.cells.iter().map(|_| Slot::new(Shared::made_in(journal, None)));
        let mut cells: SmallVec<[Slot; 4]> = cells.collect();
        for (parameter, cell) in &code.cell_parameters {
            let register = &mut self.stack[self.frame.base + usize::from(*parameter)];
            let value = std::mem::replace(register, Value::Unbound);
            let made = Rc::new(Shared::made_in(journal, Some(value)));
            cells[usize::from(*cell)] = made;
        }
        self.frame.extra = Some(Box::new(Extra { cells, generator: None }));
    }

    /// Puts the running frame aside for another one.
    #[inline(always)]
    pub(super) fn push(&mut self, frame: Frame) -> SourceResult<()> {
        let limit = self.evaluator.interp.depth.limit();
        let depth = &self.evaluator.interp.depth.frames;
        if depth.get() >= limit {
            return Err(too_deep("").placed(self.frame.span()));
        }
        // Loops and recursions take this step: now and then the machine looks around.
        self.turns += 1;
        if self.turns >= TURNS {
            self.turns = 0;
            look_around(self.evaluator, self.frame.span())?;
        }
        depth.set(depth.get() + 1);
        let Frame { function, base, pc, then, extra } = frame;
        let own = &mut self.frame;
        self.waiting.push(Frame {
            function: std::mem::replace(&mut own.function, function),
            base: std::mem::replace(&mut own.base, base),
            pc: std::mem::replace(&mut own.pc, pc),
            then: std::mem::replace(&mut own.then, then),
            extra: std::mem::replace(&mut own.extra, extra),
        });
        self.make_room();
        Ok(())
    }

    /// The running frame's registers are there.
    #[inline(always)]
    fn make_room(&mut self) {
        let end = self.frame.end();
        if self.stack.len() < end {
            self.stack.resize(end, Value::None);
        }
    }

    /// Leaves the running frame for the one that waits, and lets go of what it holds. Gives what is
    /// to be done with its result; nothing where it was the first.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Then> {
        match self.frame.generator() {
            None => clear(&mut self.stack[self.frame.base..self.frame.end()]),
            Some(_) => self.stack = self.below.pop().unwrap_or_default(),
        }
        self.pop_frame()
    }

    /// As [`Machine::pop`], where the registers have been taken.
    #[inline(always)]
    pub(super) fn pop_frame(&mut self) -> Option<Then> {
        let then = self.frame.then;
        let Frame { function, base, pc, then: own, extra } = self.waiting.pop()?;
        let frame = &mut self.frame;
        frame.function = function;
        (frame.base, frame.pc, frame.then) = (base, pc, own);
        if frame.extra.is_some() || extra.is_some() {
            frame.extra = extra;
        }
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
