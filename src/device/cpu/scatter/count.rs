//! Counting: one number added wherever an index points, in a target that a core's caches hold.
//!
//! Whole numbers may be added in any order, so each thread counts a part of the indices for itself. Where places are
//! few it has several counters for each, which it uses in turn: equal indices in a row would else wait for each other.
//! Where they are many for so few indices, a thread counts where it should.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::{Index, PIECE, Target};
use crate::device::cpu::elements::{Elements, Ptr, for_pieces};
use crate::device::cpu::scratch::Scratch;
use crate::device::{Error, Interrupt, ScatterOp};
use crate::dtype::DType;

/// Places of which each has several counters, at most.
pub(super) const FEW_PLACES: usize = 1 << 14;
/// Counters of each place then.
const COPIES: usize = 4;
/// Places of the target, at most.
pub(super) const MOST_PLACES: usize = 1 << 20;

pub(super) struct Counting<'a> {
    target: Ptr<i64>,
    index: &'a Index,
    /// Elements from one index to the next.
    index_step: isize,
    len: usize,
    places: usize,
    /// Counters of each place.
    copies: usize,
    value: i64,
}

impl<'a> Counting<'a> {
    /// Whether a scatter is of this kind: of int64, along one axis, into more than one place, and of no more indices than
    /// a counter of four bytes can count.
    pub(super) fn of(
        op: ScatterOp,
        dims: &[usize],
        target: &Target<'_>,
        index: &'a Index,
        values: &Elements<'_>,
    ) -> Option<Counting<'a>> {
        let ([len], [step]) = (dims, &index.strides[..]) else { return None };
        let places = usize::try_from(index.extent).ok().filter(|places| *places <= MOST_PLACES)?;
        let is_one_value = values.layout.strides[..] == [0] && target.access.strides[..] == [0];
        let is_counting = matches!(op, ScatterOp::Add)
            && target.dtype == DType::I64
            && is_one_value
            && index.is_direct()
            && u32::try_from(*len).is_ok();
        let copies = if places <= FEW_PLACES && *len >= 4 * COPIES * places { COPIES } else { 1 };
        if !is_counting || places == 0 {
            return None;
        }
        // SAFETY: there is a point, so there is a value.
        let value = unsafe { *values.start::<i64>().at(0) };
        let target = Ptr(target.start.0.cast());
        Some(Counting { target, index, index_step: *step, len: *len, places, copies, value })
    }

    pub(super) fn run(&self, scratch: Scratch<'_>, interrupt: &Interrupt) -> Result<(), Error> {
        // Counters that are brought together are not to be more than what they count.
        let room = self.copies * self.places;
        let parts = rayon::current_num_threads().min(self.len.div_ceil(PIECE));
        let parts = parts.min(self.len / room).max(1);
        if self.copies == 1 && self.len < 2 * room {
            self.count_there();
            return Ok(());
        }
        let mut all = scratch.buffer::<u32>(parts * room)?;
        let parts: Vec<Mutex<&mut [u32]>> = all.chunks_mut(room).map(Mutex::new).collect();
        let piece = self.len.div_ceil(parts.len());
        for_pieces(self.len, piece, interrupt, &|number, range| {
            let mut counters = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
            counters.fill(0);
            for start in range.clone().step_by(PIECE) {
                if interrupt.is_raised() {
                    return Err(Error::Interrupted);
                }
                let range = start..range.end.min(start + PIECE);
                match self.copies {
                    COPIES => self.count::<COPIES>(&mut counters, range),
                    _ => self.count::<1>(&mut counters, range),
                }
            }
            Ok(())
        })?;
        drop(parts);
        let used = self.len.div_ceil(piece);
        let (total, later) = all.split_at_mut(room);
        for part in later.chunks(room).take(used - 1) {
            total.iter_mut().zip(part).for_each(|(total, count)| *total += count);
        }
        match self.copies {
            COPIES => self.bring::<COPIES>(total),
            _ => self.bring::<1>(total),
        }
        Ok(())
    }

    /// Adds what was counted where it should be.
    fn bring<const EACH: usize>(&self, counters: &[u32]) {
        for (place, counters) in counters.as_chunks::<EACH>().0.iter().enumerate() {
            let count: i64 = counters.iter().map(|count| i64::from(*count)).sum();
            // SAFETY: the place is that of an index within bounds.
            let target = unsafe { &mut *self.target.at(place as isize * self.index.step) };
            *target = target.wrapping_add(count.wrapping_mul(self.value));
        }
    }

    /// The place that an index means.
    #[inline(always)]
    fn place(&self, i: usize) -> usize {
        // SAFETY: there is an index for each point.
        let value = unsafe { *self.index.start.at(i as isize * self.index_step) };
        (value + ((value >> 63) & self.index.extent)) as usize
    }

    /// With so many counters of each place.
    fn count<const EACH: usize>(&self, counters: &mut [u32], range: Range<usize>) {
        let (counters, _) = counters.as_chunks_mut::<EACH>();
        let mut from = range.start;
        // Indices are read before any is counted: a counter might else be one of them, for all that is known.
        while range.end - from >= EACH {
            let places: [usize; EACH] = std::array::from_fn(|at| self.place(from + at));
            for (at, place) in places.into_iter().enumerate() {
                counters[place][at] += 1;
            }
            from += EACH;
        }
        (from..range.end).for_each(|at| counters[self.place(at)][0] += 1);
    }

    /// In the target itself: of few indices, so nobody waits for the end.
    fn count_there(&self) {
        for i in 0..self.len {
            // SAFETY: the place is that of an index within bounds.
            let target = unsafe { &mut *self.target.at(self.place(i) as isize * self.index.step) };
            *target = target.wrapping_add(self.value);
        }
    }
}
