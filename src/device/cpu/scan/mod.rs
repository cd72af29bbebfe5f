//! Running sums, products, maxima and minima along one axis.
//!
//! Three ways through memory give the same answer for any number of threads, because sizes alone
//! choose among them. Axes beside the scanned one that lie contiguously are crossed together, a
//! block of columns at a time. A short line is folded from its start. A long line is cut in chunks:
//! their totals are folded first, which says what each chunk begins with, and then all chunks are
//! independent; several at a time share a loop, since one alone would wait for its own additions.

mod fold;

use std::ops::Range;

use fold::Fold;
use smallvec::SmallVec;

use super::dispatch::vectorized;
use super::elements::{Elements, INLINE, Ptr, common_axes, for_pieces, offsets_at};
use crate::device::{Error, Interrupt, View};
use crate::ir::ScanOp;
use crate::layout::{Layout, Strides};

/// Elements in a chunk of a long line. No multiple of 4096 bytes, so that the chunks of a group do
/// not compete for the same cache sets.
const CHUNK: usize = 4032;
/// Chunks that share a loop.
const GROUP: usize = 8;
/// Lines longer than this are cut in chunks.
const LONG: usize = CHUNK * GROUP;
/// Columns that are crossed together: their running values stay in the first cache.
const COLUMNS: usize = 256;
/// Fewer columns than this are rather scanned one by one where they are long.
const FEW_COLUMNS: usize = 32;

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
    let job = Job::new(input.layout, out.layout, axis);
    fold::by_fold!(op, input.dtype, F => job.run::<F>(input.start(), out.start(), interrupt))
}

/// The lines of a scan: one for each point of `dims`.
struct Job {
    dims: SmallVec<[usize; 6]>,
    strides: [Strides; 2],
    /// Along a line, of the input and the output.
    steps: [isize; 2],
    /// Elements in a line.
    len: usize,
}

impl Job {
    fn new(input: &Layout, out: &Layout, axis: usize) -> Job {
        let (len, steps) = (input.shape[axis], [input.strides[axis], out.strides[axis]]);
        let (dims, strides) = common_axes([&input.select(axis, 0), &out.select(axis, 0)]);
        Job { dims, strides, steps, len }
    }

    fn run<F: Fold>(
        &self,
        input: Ptr<F::Item>,
        out: Ptr<F::Item>,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let inner = self.dims.last().copied().unwrap_or(1);
        let side_by_side = self.strides.iter().all(|strides| strides.last() == Some(&1));
        if side_by_side && (inner >= FEW_COLUMNS || (inner >= 4 && self.len <= LONG)) {
            return self.run_columns::<F>(inner, input, out, interrupt);
        }
        let lines: usize = self.dims.iter().product();
        let line = |number| {
            let [from, to] =
                offsets_at(&self.dims, self.strides.each_ref().map(|s| &s[..]), number);
            Line { input: input.shifted(from), out: out.shifted(to), steps: self.steps }
        };
        if self.len <= LONG || !F::SPLITS {
            return for_pieces(lines, (INLINE / self.len).max(1), interrupt, &|_, numbers| {
                numbers.into_iter().try_for_each(|number| {
                    // SAFETY: the line lies within both layouts, and no other thread has it.
                    unsafe { line(number).run_short::<F>(self.len, interrupt) }
                })
            });
        }
        // SAFETY: as above.
        (0..lines).try_for_each(|number| unsafe { line(number).run_long::<F>(self.len, interrupt) })
    }

    /// All lines, `inner` at a time, which lie side by side.
    fn run_columns<F: Fold>(
        &self,
        inner: usize,
        input: Ptr<F::Item>,
        out: Ptr<F::Item>,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let outer = self.dims.len() - 1;
        let dims = &self.dims[..outer];
        let strides = self.strides.each_ref().map(|strides| &strides[..outer]);
        let blocks = inner.div_ceil(COLUMNS);
        let piece = (INLINE / (self.len * inner.min(COLUMNS))).max(1);
        for_pieces(dims.iter().product::<usize>() * blocks, piece, interrupt, &|_, tasks| {
            for task in tasks {
                let first = task % blocks * COLUMNS;
                let [from, to] = offsets_at(dims, strides, task / blocks);
                let (input, out) = (input.shifted(from), out.shifted(to));
                let (input, out) = (input.shifted(first as isize), out.shifted(first as isize));
                let mut accs = [F::IDENTITY; COLUMNS];
                let accs = &mut accs[..COLUMNS.min(inner - first)];
                for start in (0..self.len).step_by(CHUNK) {
                    if interrupt.is_raised() {
                        return Err(Error::Interrupted);
                    }
                    let rows = start..self.len.min(start + CHUNK);
                    // The rows and columns lie within both layouts, and no other task has them.
                    fold_columns::<F>(accs, input, out, self.steps, rows);
                }
            }
            Ok(())
        })
    }
}

/// One line, from its first element.
struct Line<T> {
    input: Ptr<T>,
    out: Ptr<T>,
    steps: [isize; 2],
}

impl<T: Copy> Line<T> {
    /// Folds the line from its start.
    ///
    /// # Safety
    /// `len` elements can be read from the input, and written to the output by this thread alone.
    unsafe fn run_short<F: Fold<Item = T>>(
        &self,
        len: usize,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let mut acc = F::IDENTITY;
        for start in (0..len).step_by(LONG) {
            if interrupt.is_raised() {
                return Err(Error::Interrupted);
            }
            let [from, to] = self.steps.map(|step| step * start as isize);
            let mut accs = [acc];
            // SAFETY: the caller's promise, for a part of the line.
            unsafe {
                keep_steps::<F, 1>(
                    &mut accs,
                    self.input.shifted(from),
                    self.out.shifted(to),
                    self.steps,
                    LONG.min(len - start),
                );
            }
            acc = accs[0];
        }
        Ok(())
    }

    /// Folds the line in chunks.
    ///
    /// # Safety
    /// As [`Line::run_short`], for all threads of this call.
    unsafe fn run_long<F: Fold<Item = T>>(
        &self,
        len: usize,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let mut carries = vec![F::IDENTITY; len.div_ceil(CHUNK)];
        let shared = Ptr(carries.as_mut_ptr());
        // SAFETY: every group writes the totals of its own chunks.
        self.for_groups(len, interrupt, &|chunks, range| unsafe {
            let accs =
                std::slice::from_raw_parts_mut(shared.at(chunks.start as isize), chunks.len());
            let input = self.input.shifted(range.start as isize * self.steps[0]);
            match <&mut [F::Acc; GROUP]>::try_from(&mut *accs) {
                // A step that the compiler knows leaves one address for all chunks.
                Ok(accs) if range.len() == LONG && self.steps[0] == 1 => {
                    totals::<F, GROUP>(accs, input, 1, CHUNK);
                }
                _ => {
                    for (chunk, acc) in accs.iter_mut().enumerate() {
                        let start = chunk * CHUNK;
                        let input = input.shifted(start as isize * self.steps[0]);
                        let acc = std::array::from_mut(acc);
                        totals::<F, 1>(acc, input, self.steps[0], CHUNK.min(range.len() - start));
                    }
                }
            }
        })?;
        if !carries.iter().all(|total| F::can_join(*total)) {
            // SAFETY: the caller's promise.
            return unsafe { self.run_short::<F>(len, interrupt) };
        }
        let mut carry = F::IDENTITY;
        for total in &mut carries {
            let next = F::join(carry, *total);
            *total = std::mem::replace(&mut carry, next);
        }
        let shared = Ptr(carries.as_mut_ptr());
        // SAFETY: every group writes the elements, and uses the carries, of its own chunks.
        self.for_groups(len, interrupt, &|chunks, range| unsafe {
            let accs =
                std::slice::from_raw_parts_mut(shared.at(chunks.start as isize), chunks.len());
            let [from, to] = self.steps.map(|step| range.start as isize * step);
            let (input, out) = (self.input.shifted(from), self.out.shifted(to));
            match <&mut [F::Acc; GROUP]>::try_from(&mut *accs) {
                Ok(accs) if range.len() == LONG && self.steps == [1, 1] => {
                    keep_steps::<F, GROUP>(accs, input, out, [1, 1], CHUNK);
                }
                _ => {
                    for (chunk, acc) in accs.iter_mut().enumerate() {
                        let start = chunk * CHUNK;
                        let [from, to] = self.steps.map(|step| start as isize * step);
                        let (input, out) = (input.shifted(from), out.shifted(to));
                        let count = CHUNK.min(range.len() - start);
                        keep_steps::<F, 1>(
                            std::array::from_mut(acc),
                            input,
                            out,
                            self.steps,
                            count,
                        );
                    }
                }
            }
        })
    }

    /// Calls `work` with the chunks and the elements of every group of a line.
    fn for_groups(
        &self,
        len: usize,
        interrupt: &Interrupt,
        work: &(dyn Fn(Range<usize>, Range<usize>) + Sync),
    ) -> Result<(), Error> {
        for_pieces(len, LONG, interrupt, &|group, range| {
            let first = group * GROUP;
            work(first..first + range.len().div_ceil(CHUNK), range);
            Ok(())
        })
    }
}

/// Folds `N` stretches of `len` elements, which follow each other.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn totals<F: Fold, const N: usize>(
    accs: &mut [F::Acc; N],
    input: Ptr<F::Item>,
    step: isize,
    len: usize,
) {
    let mut local = *accs;
    for i in 0..len {
        for (lane, acc) in local.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *acc = F::push(*acc, unsafe { *input.at((lane * len + i) as isize * step) });
        }
    }
    *accs = local;
}

/// Folds `N` stretches of `len` elements, which follow each other, from what `accs` holds, and
/// writes every step.
///
/// # Safety
/// They can be read, and written by this thread alone.
#[inline(always)]
unsafe fn keep_steps<F: Fold, const N: usize>(
    accs: &mut [F::Acc; N],
    input: Ptr<F::Item>,
    out: Ptr<F::Item>,
    steps: [isize; 2],
    len: usize,
) {
    let mut local = *accs;
    for i in 0..len {
        for (lane, acc) in local.iter_mut().enumerate() {
            let at = (lane * len + i) as isize;
            // SAFETY: the caller's promise.
            unsafe {
                *acc = F::push(*acc, *input.at(at * steps[0]));
                *out.at(at * steps[1]) = F::value(*acc);
            }
        }
    }
    *accs = local;
}

vectorized! {
    /// Folds columns that lie side by side, one for each of `accs`, and writes every step. The
    /// elements of `rows` must lie within both operands and belong to this thread alone.
    fn fold_columns[F: Fold](
        accs: &mut [F::Acc],
        input: Ptr<F::Item>,
        out: Ptr<F::Item>,
        steps: [isize; 2],
        rows: Range<usize>,
    ) = fold_columns_body[F]
}

#[inline(always)]
fn fold_columns_body<F: Fold>(
    accs: &mut [F::Acc],
    input: Ptr<F::Item>,
    out: Ptr<F::Item>,
    steps: [isize; 2],
    rows: Range<usize>,
) {
    for row in rows {
        let [from, to] = steps.map(|step| row as isize * step);
        for (column, acc) in accs.iter_mut().enumerate() {
            // SAFETY: the caller made sure of these rows and columns; `input` and `out` do not
            // overlap.
            unsafe {
                *acc = F::push(*acc, *input.at(from + column as isize));
                *out.at(to + column as isize) = F::value(*acc);
            }
        }
    }
}

#[cfg(test)]
mod tests;
