//! Running sums, products, maxima and minima along one axis.
//!
//! Three ways through memory give the same answer for any number of threads, because sizes alone
//! choose among them. Axes beside the scanned one that lie contiguously are crossed together, a
//! block of columns at a time. A short line is folded from its start. A long line is cut in chunks:
//! their totals are folded first, which says what each chunk begins with, and then all chunks are
//! independent; several at a time share a loop, since one alone would wait for its own additions.

mod fold;
mod steps;

use std::ops::Range;

use smallvec::SmallVec;
use steps::{Carry, Of, Steps};

use super::elements::{Elements, INLINE, Ptr, common_axes, for_pieces, offsets_at};
use crate::device::{Error, Interrupt, View};
use crate::ir::ScanOp;
use crate::layout::Strides;

/// Elements in a chunk of a long line. No multiple of 4096 bytes, so that the chunks of a group do
/// not compete for the same cache sets.
const CHUNK: usize = 4032;
/// Chunks that share a loop, and short lines.
const GROUP: usize = 8;
/// Lines longer than this are cut in chunks.
const LONG: usize = CHUNK * GROUP;
/// Elements of each of [`GROUP`] lines that are put side by side, where lines lie so far apart that all at one place fall
/// on the same few lines of the cache.
const STAGED: usize = 64;
/// Lines of as many elements are scanned one by one where none waits for another: sums of integers.
const ALONE: usize = 64;
/// Columns that are crossed together: their running values stay in the first cache.
const COLUMNS: usize = 256;
/// Fewer columns than this are rather scanned one by one.
const LEAST_COLUMNS: usize = 4;

#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[GROUP, LEAST_COLUMNS, COLUMNS, CHUNK, LONG, STAGED, ALONE];

/// Folds along `axis` and keeps every step. Sums of float32 and the half types are carried in
/// float64, those of float64 with the rounding errors of all additions.
pub(super) fn scan(
    op: ScanOp,
    input: View<'_>,
    axis: usize,
    out: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    scan_elements(op, input.into(), axis, out.into(), interrupt)
}

fn scan_elements(
    op: ScanOp,
    input: Elements<'_>,
    axis: usize,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    debug_assert_eq!((input.dtype, &input.layout.shape), (out.dtype, &out.layout.shape));
    if input.len() == 0 {
        return Ok(());
    }
    let fold: &dyn Steps = fold::by_fold!(op, input.dtype, F => &Of::<F>::NEW);
    Job::new(fold, &input, &out, axis, interrupt).run()
}

/// The lines of a scan: one for each point of `dims`.
struct Job<'a> {
    fold: &'a dyn Steps,
    interrupt: &'a Interrupt,
    dims: SmallVec<[usize; 6]>,
    strides: [Strides; 2],
    /// The line at the first point.
    first: Line,
    /// Elements in a line.
    len: usize,
}

impl<'a> Job<'a> {
    fn new(
        fold: &'a dyn Steps,
        input: &Elements<'_>,
        out: &Elements<'_>,
        axis: usize,
        interrupt: &'a Interrupt,
    ) -> Job<'a> {
        let (start, from, to) = ([input.start(), out.start()], input.layout, out.layout);
        let (dims, strides) = common_axes([&from.select(axis, 0), &to.select(axis, 0)]);
        let steps = [from.strides[axis], to.strides[axis]];
        let first = Line { input: start[0], out: start[1], steps, size: input.dtype.size() };
        Job { fold, interrupt, dims, strides, first, len: from.shape[axis] }
    }

    fn run(&self) -> Result<(), Error> {
        let inner = self.dims.last().copied().unwrap_or(1);
        let side_by_side = self.strides.iter().all(|strides| strides.last() == Some(&1));
        if side_by_side && inner >= LEAST_COLUMNS {
            return self.run_columns(inner);
        }
        let lines: usize = self.dims.iter().product();
        let line = |number| {
            let strides = [&self.strides[0][..], &self.strides[1][..]];
            self.first.moved(offsets_at(&self.dims, strides, number))
        };
        if self.len <= LONG || !self.fold.splits() {
            let is_alone = !self.fold.waits() && self.len >= ALONE;
            // Whole groups, even where fewer lines would be enough for a task.
            let piece = (INLINE / self.len / GROUP).max(1) * GROUP;
            let apart = [&self.strides[0], &self.strides[1]].map(|strides| strides.last());
            let apart = apart.map(|stride| stride.copied().unwrap_or(0));
            return for_pieces(lines, piece, self.interrupt, &|_, numbers| {
                let mut number = numbers.start;
                while number < numbers.end {
                    // Lines that begin at one distance share a loop.
                    let left = (inner - number % inner).min(numbers.end - number);
                    if left < GROUP || self.len > LONG || is_alone {
                        // SAFETY: the line lies within both layouts, and no other thread has it.
                        unsafe { self.run_short(line(number))? };
                        number += 1;
                        continue;
                    }
                    let first = line(number);
                    for group in 0..(left / GROUP) as isize {
                        let first = first.moved(apart.map(|apart| group * GROUP as isize * apart));
                        // SAFETY: as above, of each line.
                        unsafe { self.fold.lines(&first, apart, self.len) };
                    }
                    number += left - left % GROUP;
                }
                Ok(())
            });
        }
        for number in 0..lines {
            // SAFETY: as above.
            unsafe { self.run_long(line(number))? };
        }
        Ok(())
    }

    /// All lines, `inner` at a time, which lie side by side.
    fn run_columns(&self, inner: usize) -> Result<(), Error> {
        let outer = self.dims.len() - 1;
        let dims = &self.dims[..outer];
        let strides = [&self.strides[0][..outer], &self.strides[1][..outer]];
        let blocks = inner.div_ceil(COLUMNS);
        let piece = (INLINE / (self.len * inner.min(COLUMNS))).max(1);
        let tasks = dims.iter().product::<usize>() * blocks;
        for_pieces(tasks, piece, self.interrupt, &|_, tasks| {
            let mut carries = [Carry::default(); COLUMNS];
            for task in tasks {
                let first = task % blocks * COLUMNS;
                let carries = &mut carries[..COLUMNS.min(inner - first)];
                let line = self.first.moved(offsets_at(dims, strides, task / blocks));
                let line = line.moved([first as isize; 2]);
                for start in (0..self.len).step_by(CHUNK) {
                    if self.interrupt.is_raised() {
                        return Err(Error::Interrupted);
                    }
                    let rows = start..self.len.min(start + CHUNK);
                    // SAFETY: the rows and columns lie within both layouts, and no other task has
                    // them.
                    unsafe { self.fold.columns(carries, &line, rows) };
                }
            }
            Ok(())
        })
    }

    /// Folds a line from its start.
    ///
    /// # Safety
    /// Its elements can be read from the input, and written to the output by this thread alone.
    unsafe fn run_short(&self, line: Line) -> Result<(), Error> {
        let mut carry = [Carry::default()];
        self.fold.begin(&mut carry);
        for start in (0..self.len).step_by(LONG) {
            if self.interrupt.is_raised() {
                return Err(Error::Interrupted);
            }
            let len = LONG.min(self.len - start);
            // SAFETY: the caller's promise, for a part of the line.
            unsafe { self.fold.keep(Ptr(carry.as_mut_ptr()), 0..1, &line.from(start), len) };
        }
        Ok(())
    }

    /// Folds a line in chunks.
    ///
    /// # Safety
    /// As [`Job::run_short`], for all threads of this call.
    unsafe fn run_long(&self, line: Line) -> Result<(), Error> {
        let mut carries = vec![Carry::default(); self.len.div_ceil(CHUNK)];
        self.fold.begin(&mut carries);
        let shared = Ptr(carries.as_mut_ptr());
        // SAFETY: every group writes the totals of its own chunks.
        self.for_groups(&|chunks, range| unsafe {
            self.fold.totals(shared, chunks, &line.from(range.start), range.len());
        })?;
        if !self.fold.join(&mut carries) {
            // SAFETY: the caller's promise.
            return unsafe { self.run_short(line) };
        }
        let shared = Ptr(carries.as_mut_ptr());
        // SAFETY: every group writes the elements, and uses the carries, of its own chunks.
        self.for_groups(&|chunks, range| unsafe {
            self.fold.keep(shared, chunks, &line.from(range.start), range.len());
        })
    }

    /// Calls `work` with the chunks and the elements of every group of a line.
    fn for_groups(&self, work: &(dyn Fn(Range<usize>, Range<usize>) + Sync)) -> Result<(), Error> {
        for_pieces(self.len, LONG, self.interrupt, &|group, range| {
            let first = group * GROUP;
            work(first..first + range.len().div_ceil(CHUNK), range);
            Ok(())
        })
    }
}

/// One line, from one of its elements on.
#[derive(Debug, Clone, Copy)]
struct Line {
    input: Ptr<u8>,
    out: Ptr<u8>,
    /// From one element to the next, in elements.
    steps: [isize; 2],
    /// Bytes of an element.
    size: usize,
}

impl Line {
    /// The line that begins so many elements further on.
    fn moved(self, [from, to]: [isize; 2]) -> Line {
        let size = self.size as isize;
        Line { input: self.input.shifted(from * size), out: self.out.shifted(to * size), ..self }
    }

    /// The same line from this element on.
    fn from(self, start: usize) -> Line {
        self.moved([start as isize * self.steps[0], start as isize * self.steps[1]])
    }
}

#[cfg(test)]
mod tests;
