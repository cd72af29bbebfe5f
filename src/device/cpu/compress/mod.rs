//! What a mask selects: how many, which values, which positions.
//!
//! The points are cut in pieces of a fixed size. Who counts the true elements of every piece says by a running sum where
//! each piece's output begins, so that a second sweep writes all pieces independently of each other.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod avx512;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::dispatch::vectorized;
use super::elements::{Elements, Ptr, Run, by_width, common_axes, for_pieces, for_runs};
use crate::device::selection::Kept;
use crate::device::{Error, Interrupt, Mask, Selection, View};

/// Points in a piece: their masks and values stay in a core's own cache between the sweeps.
const PIECE: usize = 64 * 1024;

#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[8, 16, 32, 64, PIECE];

/// How many elements of a mask are true.
pub(super) fn count_true(mask: Mask<'_>, interrupt: &Interrupt) -> Result<Selection, Error> {
    let begins = begins_of_pieces(elements(mask)?, interrupt)?;
    Ok(Selection { count: total(&begins), kept: Kept::Begins(begins) })
}

/// Writes the elements of `values` where `mask` is true to the contiguous `out`.
pub(super) fn compress(
    mask: Mask<'_>,
    selection: &Selection,
    values: View<'_>,
    out: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    compress_elements(elements(mask)?, selection.begins(), values.into(), out.into(), interrupt)
}

/// Writes the coordinates of the true elements, one contiguous int64 view for each axis.
pub(super) fn positions(
    mask: Mask<'_>,
    selection: &Selection,
    outs: &[View<'_>],
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let outs: Vec<Elements<'_>> = outs.iter().map(|out| (*out).into()).collect();
    positions_elements(elements(mask)?, selection.begins(), &outs, interrupt)
}

fn elements(mask: Mask<'_>) -> Result<Elements<'_>, Error> {
    match mask {
        Mask::Elements(view) => Ok(view.into()),
        Mask::Bits { .. } => Err(Error::Driver("the CPU reads no masks of bits".to_string())),
    }
}

/// Where the output of each piece begins, and at the end the number of all.
fn begins_of_pieces(mask: Elements<'_>, interrupt: &Interrupt) -> Result<Vec<usize>, Error> {
    let (dims, [strides]) = common_axes([mask.layout]);
    let start = mask.start();
    let pieces = mask.len().div_ceil(PIECE);
    let counts: Vec<AtomicUsize> = (0..pieces).map(|_| AtomicUsize::new(0)).collect();
    for_pieces(mask.len(), PIECE, interrupt, &|piece, range| {
        counts[piece].store(count_range(start, &dims, &strides, range), Ordering::Relaxed);
        Ok(())
    })?;
    let mut begins = vec![0];
    begins.extend(counts.into_iter().map(AtomicUsize::into_inner).scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    }));
    Ok(begins)
}

fn total(begins: &[usize]) -> usize {
    begins.last().copied().unwrap_or(0)
}

fn compress_elements(
    mask: Elements<'_>,
    begins: &[usize],
    values: Elements<'_>,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (dims, [mask_strides, value_strides]) = common_axes([mask.layout, values.layout]);
    let mask_start = mask.start();
    debug_assert_eq!(total(begins), out.len());
    by_width!(values.dtype.size(), T => {
        let (value_start, out_start) = (values.start::<T>(), out.start::<T>());
        let last = |strides: &[isize]| strides.last().copied().unwrap_or(0);
        let steps = (last(&mask_strides), last(&value_strides));
        for_pieces(mask.len(), PIECE, interrupt, &|piece, range| {
            let (mut at, end) = (begins[piece], begins[piece + 1]);
            for_runs(&dims, [&mask_strides, &value_strides], range, &mut |run: Run<'_, 2>| {
                let mask = mask_start.shifted(run.offsets[0]);
                let values = value_start.shifted(run.offsets[1]);
                // SAFETY: the run lies within both layouts, and the places from `at` to `end` of
                // the output belong to this piece alone.
                at += unsafe { T::select(mask, values, steps, run.len, out_start.at(at as isize), end - at) };
            });
            Ok(())
        })
    })
}

fn positions_elements(
    mask: Elements<'_>,
    begins: &[usize],
    outs: &[Elements<'_>],
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (dims, strides) = (&mask.layout.shape, &mask.layout.strides);
    let Some((inner, outer)) = outs.split_last() else {
        return Ok(());
    };
    let start = mask.start();
    debug_assert!(outs.iter().all(|out| total(begins) == out.len()));
    let step = strides[outer.len()];
    for_pieces(mask.len(), PIECE, interrupt, &|piece, range| {
        let (mut at, end) = (begins[piece], begins[piece + 1]);
        for_runs(dims, [strides], range, &mut |run: Run<'_, 1>| {
            let mask = start.shifted(run.offsets[0]);
            let first = run.coordinates[outer.len()] as i64;
            let room = end - at;
            let place = inner.start::<i64>().at(at as isize);
            // SAFETY: the run lies within the mask, and the places from `at` to `end` of each
            // output belong to this piece alone.
            let found = unsafe { select_positions(mask, step, first, run.len, place, room) };
            for (axis, out) in outer.iter().enumerate() {
                let place = out.start::<i64>().at(at as isize);
                // SAFETY: as above.
                let places = unsafe { std::slice::from_raw_parts_mut(place, found) };
                places.fill(run.coordinates[axis] as i64);
            }
            at += found;
        });
        Ok(())
    })
}

fn count_range(start: Ptr<u8>, dims: &[usize], strides: &[isize], range: Range<usize>) -> usize {
    let step = strides.last().copied().unwrap_or(0);
    let mut total = 0;
    for_runs(dims, [strides], range, &mut |run: Run<'_, 1>| {
        let mask = start.shifted(run.offsets[0]);
        total += if step == 1 {
            // SAFETY: the run lies within the mask's layout, whose elements are bytes side by side.
            count_bytes(unsafe { std::slice::from_raw_parts(mask.0, run.len) })
        } else {
            // SAFETY: the run lies within the mask's layout.
            (0..run.len as isize).filter(|i| unsafe { *mask.at(i * step) } != 0).count()
        };
    });
    total
}

vectorized! {
    fn count_bytes(bytes: &[u8]) -> usize = count_bytes_body
}

#[inline(always)]
fn count_bytes_body(bytes: &[u8]) -> usize {
    // A byte holds the counts of up to 255 bytes, so that the inner sum needs no widening.
    let sum = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(*byte != 0)).sum::<u8>() as usize;
    let (chunks, rest) = bytes.as_chunks::<192>();
    chunks.iter().map(|chunk| sum(chunk)).sum::<usize>() + sum(rest)
}

/// A width of elements that can be picked out by a mask.
trait Select: Copy {
    /// Writes the values under true masks to `out`, where at most `room` may be written, and gives
    /// their number.
    ///
    /// # Safety
    /// `len` masks and values, `steps` apart, can be read, and `room` elements from `out` can be
    /// written by this thread alone.
    unsafe fn select(
        mask: Ptr<u8>,
        values: Ptr<Self>,
        steps: (isize, isize),
        len: usize,
        out: *mut Self,
        room: usize,
    ) -> usize;
}

macro_rules! select {
    ($($type:ty, $wide:ident;)*) => {$(
        impl Select for $type {
            #[inline]
            unsafe fn select(
                mask: Ptr<u8>,
                values: Ptr<Self>,
                steps: (isize, isize),
                len: usize,
                out: *mut Self,
                room: usize,
            ) -> usize {
                #[cfg(all(target_arch = "x86_64", feature = "simd"))]
                if steps == (1, 1) && len >= 16 && avx512::available() {
                    // SAFETY: the processor has the features, and the caller's promise is ours.
                    return unsafe { avx512::$wide(mask.0, values.0, len, out, room) };
                }
                // SAFETY: the caller's promise.
                unsafe {
                    select_with(mask, steps.0, len, out, room, |i| *values.at(i as isize * steps.1))
                }
            }
        }
    )*};
}

select! {
    u8, select_u8;
    u16, select_u16;
    u32, select_u32;
    u64, select_u64;
}

/// The coordinates `first + i` of the true masks. The contract is [`Select::select`]'s.
unsafe fn select_positions(
    mask: Ptr<u8>,
    step: isize,
    first: i64,
    len: usize,
    out: *mut i64,
    room: usize,
) -> usize {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if step == 1 && len >= 16 && avx512::available() {
        // SAFETY: the processor has the features, and the caller's promise is ours.
        return unsafe { avx512::select_positions(mask.0, first, len, out, room) };
    }
    // SAFETY: the caller's promise.
    unsafe { select_with(mask, step, len, out, room, |i| first + i as i64) }
}

/// Writes every value and moves on only past those that stay: no branch depends on the mask.
#[inline(always)]
unsafe fn select_with<T>(
    mask: Ptr<u8>,
    step: isize,
    len: usize,
    out: *mut T,
    room: usize,
    value: impl Fn(usize) -> T,
) -> usize {
    let mut written = 0;
    for i in 0..len {
        if written == room {
            break;
        }
        // SAFETY: `i < len` and `written < room`, which the caller promised.
        unsafe {
            out.add(written).write(value(i));
            written += usize::from(*mask.at(i as isize * step) != 0);
        }
    }
    written
}

#[cfg(test)]
mod tests;
