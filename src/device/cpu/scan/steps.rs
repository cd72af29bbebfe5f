//! The loops of a scan over elements of one type, behind one face for all types.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

use super::fold::Fold;
use super::{CHUNK, GROUP, LONG, Line, STAGED};
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::{Ptr, meets};

/// Room for a [`Fold::Acc`] of any fold. Many of them hold as many accumulators side by side.
pub(super) type Carry = [u64; 2];

/// The accumulators `chunks` of those that lie from `carries` on.
///
/// # Safety
/// There are so many carries, and nobody else uses these.
#[inline(always)]
unsafe fn accs<'a, F: Fold>(carries: Ptr<Carry>, chunks: Range<usize>) -> &'a mut [F::Acc] {
    const { assert!(size_of::<F::Acc>() <= size_of::<Carry>()) };
    const { assert!(align_of::<F::Acc>() <= align_of::<Carry>()) };
    let first = Ptr(carries.0.cast::<F::Acc>()).at(chunks.start as isize);
    // SAFETY: there is room, as the caller promises; any bits are a number or a pair of numbers.
    unsafe { std::slice::from_raw_parts_mut(first, chunks.len()) }
}

/// A fold over elements whose type is left open. Carries are given by the first of all; they hold
/// what [`Steps::begin`] wrote, or one of the others since.
pub(super) trait Steps: Sync {
    /// Whether a line may be cut.
    fn splits(&self) -> bool;

    /// See [`Fold::WAITS`].
    fn waits(&self) -> bool;

    /// Sets carries to what stands before any element.
    fn begin(&self, carries: &mut [Carry]);

    /// Adds the elements of chunks, which follow each other, to their carries.
    ///
    /// # Safety
    /// The first `len` elements of the line can be read; the carries of the chunks are this
    /// thread's alone.
    unsafe fn totals(&self, carries: Ptr<Carry>, chunks: Range<usize>, line: &Line, len: usize);

    /// Turns the totals of chunks into what each chunk begins with; false if they cannot be joined.
    fn join(&self, totals: &mut [Carry]) -> bool;

    /// Folds chunks, each from what its carry holds, and writes every step. A single carry goes
    /// through all elements, and holds then what they come to.
    ///
    /// # Safety
    /// The first `len` elements can be read, and written by this thread alone; the carries of the
    /// chunks are this thread's alone.
    unsafe fn keep(&self, carries: Ptr<Carry>, chunks: Range<usize>, line: &Line, len: usize);

    /// Folds [`GROUP`] lines of `len` elements, each of which begins so many elements behind the one before in the input
    /// and in the output, and writes every step.
    ///
    /// # Safety
    /// They can be read, and written by this thread alone.
    unsafe fn lines(&self, line: &Line, apart: [isize; 2], len: usize);

    /// Folds `rows` of columns that lie side by side from the line on, one for each carry, which
    /// the first row sets, and writes every step.
    ///
    /// # Safety
    /// The rows can be read, and written by this thread alone.
    unsafe fn columns(&self, carries: &mut [Carry], line: &Line, rows: Range<usize>);
}

/// The steps of a fold.
pub(super) struct Of<F>(PhantomData<fn(F)>);

impl<F> Of<F> {
    pub(super) const NEW: Of<F> = Of(PhantomData);
}

impl<F: Fold> Steps for Of<F> {
    fn splits(&self) -> bool {
        F::SPLITS
    }

    fn waits(&self) -> bool {
        F::WAITS
    }

    fn begin(&self, carries: &mut [Carry]) {
        // SAFETY: they are all there, and borrowed.
        let accs = unsafe { accs::<F>(Ptr(carries.as_mut_ptr()), 0..carries.len()) };
        accs.fill(F::IDENTITY);
    }

    unsafe fn totals(&self, carries: Ptr<Carry>, chunks: Range<usize>, line: &Line, len: usize) {
        let (input, step) = (Ptr(line.input.0.cast()), line.steps[0]);
        // SAFETY: the caller's promise; a chunk lies within the line.
        unsafe {
            let accs = accs::<F>(carries, chunks);
            match <&mut [F::Acc; GROUP]>::try_from(&mut *accs) {
                // A step that the compiler knows leaves one address for all chunks.
                Ok(accs) if len == LONG && step == 1 => totals::<F, GROUP>(accs, input, 1, CHUNK),
                _ => {
                    for (chunk, acc) in accs.iter_mut().enumerate() {
                        let start = chunk * CHUNK;
                        let input = input.shifted(start as isize * step);
                        let acc = std::array::from_mut(acc);
                        totals::<F, 1>(acc, input, step, CHUNK.min(len - start));
                    }
                }
            }
        }
    }

    fn join(&self, totals: &mut [Carry]) -> bool {
        // SAFETY: they are all there, and borrowed.
        let totals = unsafe { accs::<F>(Ptr(totals.as_mut_ptr()), 0..totals.len()) };
        for total in totals.iter() {
            if !F::can_join(*total) {
                return false;
            }
        }
        let mut carry = F::IDENTITY;
        for total in totals {
            let next = F::join(carry, *total);
            *total = carry;
            carry = next;
        }
        true
    }

    unsafe fn keep(&self, carries: Ptr<Carry>, chunks: Range<usize>, line: &Line, len: usize) {
        let (input, out) = (Ptr(line.input.0.cast()), Ptr(line.out.0.cast()));
        let steps = line.steps;
        // SAFETY: the caller's promise; a chunk lies within the line.
        unsafe {
            let accs = accs::<F>(carries, chunks);
            let chunk_len = if accs.len() == 1 { len } else { CHUNK };
            match <&mut [F::Acc; GROUP]>::try_from(&mut *accs) {
                Ok(accs) if len == LONG && steps == [1, 1] => {
                    keep_steps::<F, GROUP>(accs, (input, out), [1, 1], [CHUNK as isize; 2], CHUNK);
                }
                _ => {
                    for (chunk, acc) in accs.iter_mut().enumerate() {
                        let start = chunk * chunk_len;
                        let input = input.shifted(start as isize * steps[0]);
                        let out = out.shifted(start as isize * steps[1]);
                        let (acc, count) = (std::array::from_mut(acc), chunk_len.min(len - start));
                        keep_steps::<F, 1>(acc, (input, out), steps, [0; 2], count);
                    }
                }
            }
        }
    }

    unsafe fn lines(&self, line: &Line, apart: [isize; 2], len: usize) {
        let (input, out) = (Ptr(line.input.0.cast()), Ptr(line.out.0.cast()));
        let accs = &mut [F::IDENTITY; GROUP];
        // SAFETY: the caller's promise.
        unsafe {
            match line.steps == [1, 1]
                && apart.iter().any(|apart| meets(apart * line.size as isize))
            {
                true => keep_staged::<F>(accs, (input, out), apart, len),
                false => keep_steps::<F, GROUP>(accs, (input, out), line.steps, apart, len),
            }
        }
    }

    unsafe fn columns(&self, carries: &mut [Carry], line: &Line, rows: Range<usize>) {
        // SAFETY: they are all there, and borrowed.
        let accs = unsafe { accs::<F>(Ptr(carries.as_mut_ptr()), 0..carries.len()) };
        if rows.start == 0 {
            accs.fill(F::IDENTITY);
        }
        let (input, out) = (Ptr(line.input.0.cast()), Ptr(line.out.0.cast()));
        // The caller made sure of the rows.
        fold_columns::<F>(accs, input, out, line.steps, rows);
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

/// Folds `N` stretches of `len` elements, each of which begins so many elements behind the one before in the input and
/// in the output, from what `accs` holds, and writes every step: one alone would wait for its own additions.
///
/// # Safety
/// They can be read, and written by this thread alone.
#[inline(always)]
unsafe fn keep_steps<F: Fold, const N: usize>(
    accs: &mut [F::Acc; N],
    (input, out): (Ptr<F::Item>, Ptr<F::Item>),
    steps: [isize; 2],
    apart: [isize; 2],
    len: usize,
) {
    let mut local = *accs;
    for i in 0..len as isize {
        for (lane, acc) in local.iter_mut().enumerate() {
            let lane = lane as isize;
            // SAFETY: the caller's promise.
            unsafe {
                *acc = F::push(*acc, *input.at(lane * apart[0] + i * steps[0]));
                *out.at(lane * apart[1] + i * steps[1]) = F::value(*acc);
            }
        }
    }
    *accs = local;
}

/// As [`keep_steps`], of lines whose elements lie side by side: some of each at a time, through room in which lines do
/// not lie so far apart.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn keep_staged<F: Fold>(
    accs: &mut [F::Acc; GROUP],
    (input, out): (Ptr<F::Item>, Ptr<F::Item>),
    apart: [isize; 2],
    len: usize,
) {
    let mut from = [MaybeUninit::<[F::Item; STAGED]>::uninit(); GROUP];
    let mut to = [MaybeUninit::<[F::Item; STAGED]>::uninit(); GROUP];
    let near = [Ptr(from.as_mut_ptr().cast()), Ptr(to.as_mut_ptr().cast::<F::Item>())];
    for start in (0..len).step_by(STAGED) {
        let count = STAGED.min(len - start);
        // SAFETY: the caller's promise; so many elements of each line have room.
        unsafe {
            for line in 0..GROUP as isize {
                let far = input.at(line * apart[0] + start as isize);
                std::ptr::copy_nonoverlapping(far, near[0].at(line * STAGED as isize), count);
            }
            // A compiler that knows how far they lie apart makes vectors of elements that do not lie side by side.
            let beside = std::hint::black_box([STAGED as isize; 2]);
            keep_steps::<F, GROUP>(accs, (near[0], near[1]), [1, 1], beside, count);
            for line in 0..GROUP as isize {
                let far = out.at(line * apart[1] + start as isize);
                std::ptr::copy_nonoverlapping(near[1].at(line * STAGED as isize), far, count);
            }
        }
    }
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
        let (from, to) = (row as isize * steps[0], row as isize * steps[1]);
        let mut column = 0;
        while column < accs.len() {
            let at = column as isize;
            // SAFETY: the caller made sure of these rows and columns; `input` and `out` do not
            // overlap.
            unsafe {
                accs[column] = F::push(accs[column], *input.at(from + at));
                *out.at(to + at) = F::value(accs[column]);
            }
            column += 1;
        }
    }
}
