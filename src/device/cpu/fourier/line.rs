//! Lines of one length, one after the other.

use super::number::Number;
use super::plans::{Plan, Plans};
use super::{complex, complex_mut};
use crate::device::cpu::elements::Ptr;
use crate::device::cpu::scratch::{Buffer, Scratch};
use crate::device::{Error, Fourier, Interrupt};

/// How a line of one length is transformed.
pub struct Line<T> {
    plan: Plan<T>,
    what: Fourier,
    n: usize,
}

impl<T: Number> Line<T> {
    pub fn new(plans: &Plans, what: Fourier, n: usize) -> Line<T> {
        Line { plan: plans.get(what, n), what, n }
    }

    /// How many numbers a line has; the real ones, where there are such on one side.
    pub fn len(&self) -> usize {
        self.n
    }

    /// How many real elements of scratch memory a line takes.
    pub fn scratch(&self) -> usize {
        2 * self.plan.scratch()
    }

    /// What `input` becomes, times `scale`; `spare` is as long as `input`.
    pub fn run(
        &self,
        input: &[T],
        output: &mut [T],
        spare: &mut [T],
        scratch: &mut [T],
        scale: f64,
    ) {
        let scratch = complex_mut(scratch);
        match &self.plan {
            Plan::Complex(plan) => {
                plan.process_immutable_with_scratch(complex(input), complex_mut(output), scratch);
            }
            Plan::Real(plan) => {
                spare.copy_from_slice(input);
                let done = plan.process_with_scratch(spare, complex_mut(output), scratch);
                debug_assert!(done.is_ok(), "the lengths are the plan's");
            }
            Plan::Conjugate(plan) => {
                spare.copy_from_slice(input);
                let spare = complex_mut(spare);
                spare[0].im = T::default();
                if self.n.is_multiple_of(2) {
                    spare[self.n / 2].im = T::default();
                }
                let done = plan.process_with_scratch(spare, output, scratch);
                debug_assert!(done.is_ok(), "the lengths are the plan's");
            }
        }
        if scale != 1.0 {
            let scale = T::of(scale);
            output.iter_mut().for_each(|part| *part = *part * scale);
        }
    }
}

/// What a thread needs for its lines: memory for some of them before and after.
pub struct Work<'a, T> {
    line: &'a Line<T>,
    before: Buffer<T>,
    after: Buffer<T>,
    spare: Buffer<T>,
    scratch: Buffer<T>,
}

impl<'a, T: Number> Work<'a, T> {
    /// With room for as many lines.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(line: &'a Line<T>, room: usize, scratch: Scratch<'_>) -> Result<Self, Error> {
        let [input, output] = line.what.widths(line.n);
        Ok(Work {
            line,
            before: scratch.buffer(room * input)?,
            after: scratch.buffer(room * output)?,
            spare: scratch.buffer(input)?,
            scratch: scratch.buffer(line.scratch())?,
        })
    }

    /// One line that needs no room.
    pub fn line(&mut self, input: &[T], output: &mut [T], scale: f64) {
        self.line.run(input, output, &mut self.spare, &mut self.scratch, scale);
    }

    /// The room for lines, one behind the other.
    pub fn before(&mut self) -> &mut [T] {
        &mut self.before
    }

    /// What the first `count` lines of the room become.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn transform(
        &mut self,
        count: usize,
        scale: f64,
        interrupt: &Interrupt,
    ) -> Result<&mut [T], Error> {
        let [input, output] = self.line.what.widths(self.line.n);
        for at in 0..count {
            interrupt.heed()?;
            let line = &self.before[at * input..][..input];
            let result = &mut self.after[at * output..][..output];
            self.line.run(line, result, &mut self.spare, &mut self.scratch, scale);
        }
        Ok(&mut self.after)
    }
}

/// So many numbers of a line are moved before those of the next line: of all types, they fill whole parts of the memory
/// that a processor writes at once, while those of all lines together stay in the nearest cache.
const STRETCH: usize = 8;

/// Reads `count` lines of `n` numbers that lie side by side at `from`.
///
/// # Safety
/// They are there.
pub unsafe fn gather<N: Copy>(lines: &mut [N], n: usize, from: Ptr<N>, step: usize, count: usize) {
    for first in (0..n).step_by(STRETCH) {
        let len = STRETCH.min(n - first);
        for line in 0..count {
            let from = from.shifted((first * step + line) as isize);
            for (index, number) in lines[line * n + first..][..len].iter_mut().enumerate() {
                // SAFETY: as the caller says.
                *number = unsafe { *from.at((index * step) as isize) };
            }
        }
    }
}

/// Writes `count` lines of `n` numbers side by side to `to`.
///
/// # Safety
/// There is room for them, which nobody else looks at.
pub unsafe fn scatter<N: Copy>(lines: &[N], n: usize, to: Ptr<N>, step: usize, count: usize) {
    for first in (0..n).step_by(STRETCH) {
        let len = STRETCH.min(n - first);
        for line in 0..count {
            let to = to.shifted((first * step + line) as isize);
            for (index, number) in lines[line * n + first..][..len].iter().enumerate() {
                // SAFETY: as the caller says.
                unsafe { *to.at((index * step) as isize) = *number };
            }
        }
    }
}
