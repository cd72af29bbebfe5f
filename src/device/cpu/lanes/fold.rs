//! Reductions: how a block of lanes folds into one partial result (a row runs along the lanes), and
//! how a block folds lane by lane into a block of results (each lane is a row).
//!
//! Float sums and products are kept in double from block to block; within a block, 64 float32
//! accumulators see at most a few dozen additions each, and where each lane is a row of its own, 16
//! elements are summed in float32. The order is fixed by the shapes, so the result does not depend
//! on threads or on the vector instructions.

use super::super::dispatch::{Level, by_level};
use super::super::number::Number;
use super::extremes::{Extreme, HalfBits, NEAR, beats, extreme, flip_of, flip_of_half};
use super::joined::Joined;
pub use super::number::Partial;
use super::number::{Count, Folded, Summand};
use super::places::{self, Position};
use super::points::{NARROW_STRIP, Points, STRIP};
use super::short::{self, Short};
use super::total::{RUN, Total, narrow_totals};
use super::{LANES, Mask, bools, with_lane_bits, with_lane_type};
use crate::dtype::DType;
use crate::ir::{BinaryOp, ReduceOp, Way};

/// `(results, rows)`
type RowsFn = unsafe fn(*mut u8, &Rows);
/// `(accumulators, positions, how many lanes, the elements, what turns their order round)`
type PointsFn = unsafe fn(*mut u8, *mut i64, usize, Points, u64);
/// `(accumulators, positions, accumulators of later elements, how many, what turns their order round)`
type MergeFn = unsafe fn(*mut u8, *mut i64, *const u8, usize, u64);

/// Whole rows that lie one behind the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    lanes: *const u8,
    count: usize,
    len: usize,
    flip: u64,
    /// The position of the first lane of a single row, which is joined to a [`Partial`]; else each row leaves
    /// a result.
    start: Option<i64>,
}

/// A reduction of lanes of one compute type.
#[derive(Debug, Clone, Copy)]
pub struct Fold {
    pub(super) op: ReduceOp,
    pub(super) dtype: DType,
    /// The type of what is folded, which is another one where lanes are the bits of it.
    of: DType,
    /// Whether lanes are bytes of zero and one, of which the sum is one in int64.
    pub(super) counts: bool,
    kernels: Kernels,
    /// What folds short rows.
    short: Option<Short>,
}

#[derive(Debug, Clone, Copy)]
enum Kernels {
    Own {
        rows: RowsFn,
        points: PointsFn,
        merge: MergeFn,
        /// Bits that the lanes of an extreme are joined with by "exclusive or": the greatest of all orders is
        /// found by one loop.
        flip: u64,
    },
    Joined(Joined),
}

pub(super) trait FoldKernel {
    /// What lanes are.
    type Lane: Folded;
    /// What is kept of each lane that is a row of its own; and, if anything is, behind all of these.
    type Acc: Copy;
    type Behind: Copy;
    const HAS_BEHIND: bool;
    /// What a row is folded to.
    type Row: Copy;
    /// Whether short rows, which lie one behind the other, need no look at what only some rows have.
    fn are_plain(_: &[Self::Lane]) -> bool {
        true
    }
    fn row(lanes: &[Self::Lane], flip: u64, is_plain: bool) -> Self::Row;
    /// Joins a row to what is known of the lanes before it, the first of which has the position `start`.
    fn join(row: Self::Row, lanes: &[Self::Lane], partial: &mut Partial, start: i64, flip: u64);
    /// Writes the result of a whole row.
    unsafe fn finish(row: Self::Row, lanes: &[Self::Lane], out: *mut u8, at: usize);
    /// Folds points into the accumulators of `WIDTH` lanes, from lane `from` on.
    unsafe fn strip<const WIDTH: usize>(
        acc: *mut u8,
        at: *mut i64,
        from: usize,
        points: Points,
        flip: u64,
    );
    /// Folds accumulators of later elements, which lie at `lanes`, into `acc`.
    unsafe fn merge(acc: *mut u8, at: *mut i64, lanes: *const u8, n: usize, flip: u64);
}

#[inline(always)]
unsafe fn rows_loop<K: FoldKernel, const FMA: bool>(out: *mut u8, rows: &Rows) {
    // SAFETY: the caller gives `len` lanes for each row.
    let all = unsafe { std::slice::from_raw_parts(rows.lanes.cast(), rows.count * rows.len) };
    // What only some rows have is looked for in as many at once as stay in the nearest cache.
    let together = (NEAR * LANES / rows.len.max(1)).max(1);
    let (mut are_plain, mut looked) = (false, 0);
    for at in 0..rows.count {
        if at == looked && rows.len <= NEAR * LANES {
            looked = rows.count.min(at + together);
            are_plain = K::are_plain(&all[at * rows.len..looked * rows.len]);
        }
        let lanes = &all[at * rows.len..][..rows.len];
        let row = K::row(lanes, rows.flip, are_plain);
        // SAFETY: there is room for each row's result.
        unsafe {
            match rows.start {
                Some(start) => {
                    K::join(row, lanes, &mut *out.cast::<Partial>(), start, rows.flip);
                }
                None => K::finish(row, lanes, out, at),
            }
        }
    }
}

#[inline(always)]
unsafe fn points_loop<K: FoldKernel, const FMA: bool>(
    acc: *mut u8,
    at: *mut i64,
    n: usize,
    points: Points,
    flip: u64,
) {
    let mut from = 0;
    // SAFETY: passed on; strips end at `n` at the latest.
    unsafe {
        while n - from >= STRIP {
            K::strip::<STRIP>(acc, at, from, points, flip);
            from += STRIP;
        }
        while n - from >= NARROW_STRIP {
            K::strip::<NARROW_STRIP>(acc, at, from, points, flip);
            from += NARROW_STRIP;
        }
        if from == n {
            return;
        }
        if n < NARROW_STRIP {
            let points = points.few::<K>(acc, at, n, flip);
            while from < n {
                K::strip::<1>(acc, at, from, points, flip);
                from += 1;
            }
            return;
        }
        // The last strip reaches back over lanes that have been folded, and what they had come to is put back.
        let (last, done) = (n - NARROW_STRIP, from + NARROW_STRIP - n);
        let (accs, behind) = (acc.cast::<K::Acc>().add(last), at.cast::<K::Behind>().add(last));
        let saved = accs.cast::<[K::Acc; NARROW_STRIP]>().read();
        let saved_behind = K::HAS_BEHIND.then(|| behind.cast::<[K::Behind; NARROW_STRIP]>().read());
        K::strip::<NARROW_STRIP>(acc, at, last, points, flip);
        std::ptr::copy_nonoverlapping(saved.as_ptr(), accs, done);
        if let Some(saved) = saved_behind {
            std::ptr::copy_nonoverlapping(saved.as_ptr(), behind, done);
        }
    }
}

#[inline(always)]
unsafe fn merge_loop<K: FoldKernel, const FMA: bool>(
    acc: *mut u8,
    at: *mut i64,
    lanes: *const u8,
    n: usize,
    flip: u64,
) {
    // SAFETY: passed on.
    unsafe { K::merge(acc, at, lanes, n, flip) }
}

by_level! {
    fn pick_rows<K: FoldKernel>(out: *mut u8, rows: &Rows) = rows_loop;
    fn pick_points<K: FoldKernel>(
        acc: *mut u8, at: *mut i64, n: usize, points: Points, flip: u64,
    ) = points_loop;
    fn pick_merge<K: FoldKernel>(
        acc: *mut u8, at: *mut i64, lanes: *const u8, n: usize, flip: u64,
    ) = merge_loop;
}

fn kernels<K: FoldKernel>(level: Level, flip: u64) -> Kernels {
    Kernels::Own {
        rows: pick_rows::<K>(level),
        points: pick_points::<K>(level),
        merge: pick_merge::<K>(level),
        flip,
    }
}

impl Fold {
    /// The kernels for a reduction of lanes of a compute type.
    pub fn new(level: Level, op: ReduceOp, dtype: DType) -> Fold {
        fn total<const PRODUCT: bool>(level: Level, dtype: DType) -> Kernels {
            match dtype {
                // "Or" is the greatest of bools, "and" the least.
                DType::Bool => kernels::<Extreme<Mask>>(level, flip_of(dtype, !PRODUCT)),
                _ => with_lane_bits!(dtype, T => kernels::<Total<T, PRODUCT>>(level, 0)),
            }
        }
        let kernels = match op.way() {
            Way::Total(BinaryOp::Mul) => total::<true>(level, dtype),
            Way::Total(_) => total::<false>(level, dtype),
            Way::Extreme(join) => {
                let flip = flip_of(dtype, join == BinaryOp::Max);
                with_lane_bits!(dtype, T => kernels::<Extreme<T>>(level, flip))
            }
            Way::Position(join) => {
                let flip = flip_of(dtype, join == BinaryOp::Max);
                with_lane_bits!(dtype, T => kernels::<Position<T>>(level, flip))
            }
            Way::Joined(join) => {
                Kernels::Joined(Joined { join: super::binary(level, join, dtype), dtype })
            }
        };
        let short = match op.way() {
            Way::Position(join) => places::short_rows(level, join, dtype),
            Way::Total(join) | Way::Extreme(join) if dtype == DType::Bool => {
                bools::asks(level, join)
            }
            Way::Extreme(join) => short::extremes(level, join, dtype),
            Way::Total(join) => short::sums_of_integers(level, join, dtype),
            Way::Joined(_) => None,
        };
        Fold { op, dtype, of: dtype, counts: false, kernels, short }
    }

    /// The kernels for counting bytes that are one among such as are zero.
    pub fn counting(level: Level) -> Fold {
        let kernels = kernels::<Total<Count, false>>(level, 0);
        let (op, dtype) = (ReduceOp::Sum, DType::I64);
        let short = bools::counts(level);
        Fold { op, dtype, of: dtype, counts: true, kernels, short }
    }

    /// The kernels for the greatest or the least float of 16 bits, whose lanes and whose result are its bits.
    pub fn of_halves(level: Level, op: ReduceOp, dtype: DType) -> Option<Fold> {
        let (Way::Extreme(join), DType::F16 | DType::BF16) = (op.way(), dtype) else { return None };
        let flip = flip_of_half(dtype, join == BinaryOp::Max);
        let kernels = kernels::<Extreme<HalfBits>>(level, flip);
        let short = short::extremes_of_halves(level, join, dtype);
        Some(Fold { op, dtype: DType::I16, of: dtype, counts: false, kernels, short })
    }

    /// Whether the result is a position.
    pub fn is_arg(&self) -> bool {
        self.op.is_arg()
    }

    /// Whether lanes are floats that are added up.
    pub fn sums_floats(&self) -> bool {
        self.op == ReduceOp::Sum && matches!(self.dtype.compute(), DType::F32 | DType::F64)
    }

    /// Whether lanes are floats of which the greatest is looked for, or the least.
    pub fn extreme_of_floats(&self) -> Option<BinaryOp> {
        let is_float = matches!(self.dtype.compute(), DType::F32 | DType::F64);
        match self.op.way() {
            Way::Extreme(join) if is_float => Some(join),
            _ => None,
        }
    }

    /// Bytes of a lane.
    pub fn size(&self) -> usize {
        if self.counts { 1 } else { self.dtype.compute().size() }
    }

    pub(super) fn is_extreme(&self) -> bool {
        matches!(self.op.way(), Way::Extreme(_))
    }

    pub(super) fn is_total(&self) -> bool {
        matches!(self.op.way(), Way::Total(_))
    }

    /// Bytes of the accumulators of `n` lanes.
    pub fn state_bytes(&self, n: usize) -> usize {
        match self.op.way() {
            Way::Position(_) => n * 16,
            _ if self.sums_near() => n * 12,
            _ => n * 8,
        }
        .next_multiple_of(8)
    }

    pub(super) fn sums_near(&self) -> bool {
        self.near_bytes() > 0
    }

    /// Nothing folded yet.
    pub fn start(&self) -> Partial {
        let (bits, _) = self.op.identity(self.of).to_bits(self.of);
        let mut partial = Partial { float: 0.0, int: 0, position: 0 };
        // SAFETY: the bits begin with a lane of the type, which any address may hold.
        unsafe {
            with_lane_type!(self.dtype, T => {
                bits.as_ptr().cast::<T>().read_unaligned().to_partial(&mut partial);
            });
        }
        partial
    }

    /// Folds lanes that follow in the row; the first has the position `start`.
    ///
    /// # Safety
    /// `lanes` holds `n` lanes of the compute type.
    #[inline]
    pub unsafe fn row(&self, partial: &mut Partial, lanes: *const u8, n: usize, start: i64) {
        // SAFETY: passed on.
        unsafe {
            match self.kernels {
                Kernels::Own { rows, flip, .. } => {
                    let row = Rows { lanes, count: 1, len: n, flip, start: Some(start) };
                    rows((&raw mut *partial).cast(), &row);
                }
                Kernels::Joined(joined) => joined.row(partial, lanes, n),
            }
        }
    }

    /// The same, where sums of floats are those of stretches of [`RUN`] lanes.
    ///
    /// # Safety
    /// As for [`row`](Fold::row).
    pub unsafe fn stretch(&self, partial: &mut Partial, lanes: *const u8, n: usize, start: i64) {
        let run = if self.sums_floats() { RUN } else { n.max(1) };
        for first in (0..n).step_by(run) {
            let lanes = lanes.wrapping_add(first * self.size());
            // SAFETY: passed on.
            unsafe { self.row(partial, lanes, run.min(n - first), start + first as i64) };
        }
    }

    /// Folds whole rows that lie one behind the other, and writes a result for each as
    /// [`finish`](Fold::finish) does.
    ///
    /// # Safety
    /// `lanes` holds `rows · len` lanes of the compute type, `out` has room for `rows` results.
    pub unsafe fn rows(&self, out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
        if let Some(short) = self.short.filter(|_| len > 0).and_then(|short| short.of(len)) {
            // SAFETY: passed on.
            return unsafe { short(out, lanes, rows, len) };
        }
        // SAFETY: passed on.
        unsafe {
            match self.kernels {
                Kernels::Own { rows: fold, flip, .. } => {
                    fold(out, &Rows { lanes, count: rows, len, flip, start: None });
                }
                Kernels::Joined(joined) => {
                    let size = self.dtype.size();
                    for row in 0..rows {
                        let mut partial = self.start();
                        joined.row(&mut partial, lanes.add(row * len * size), len);
                        self.finish(&partial, out.add(row * size));
                    }
                }
            }
        }
    }

    /// Folds what is known of a later part of the row.
    pub fn merge(&self, partial: &mut Partial, later: &Partial) {
        fn of<T: Summand>(way: Way, partial: &mut Partial, later: &Partial) {
            let (a, b) = (T::of_partial(partial), T::of_partial(later));
            let (wide, later_wide) = (T::Wide::of_partial(partial), T::Wide::of_partial(later));
            match way {
                Way::Total(BinaryOp::Mul) => wide.multiply(later_wide).to_partial(partial),
                Way::Total(_) => wide.add(later_wide).to_partial(partial),
                Way::Extreme(BinaryOp::Max) => extreme::<T, true>(a, b).to_partial(partial),
                Way::Extreme(_) => extreme::<T, false>(a, b).to_partial(partial),
                Way::Position(join) => {
                    let beats = match join {
                        BinaryOp::Max => beats::<T, true>(b, a),
                        _ => beats::<T, false>(b, a),
                    };
                    if beats | (b.is_nan() & !a.is_nan()) {
                        *partial = *later;
                    }
                }
                Way::Joined(_) => unreachable!("its kernels do it"),
            }
        }
        match self.kernels {
            Kernels::Own { .. } if self.of != self.dtype => {
                let bits = later.int as i16;
                // SAFETY: one lane.
                unsafe { self.row(partial, (&raw const bits).cast(), 1, 0) }
            }
            Kernels::Own { .. } => {
                with_lane_type!(self.dtype, T => of::<T>(self.op.way(), partial, later));
            }
            Kernels::Joined(joined) => joined.merge(partial, later),
        }
    }

    /// Writes the result as one lane: of the compute type, or int64 for a position.
    ///
    /// # Safety
    /// `out` has room for it.
    pub unsafe fn finish(&self, partial: &Partial, out: *mut u8) {
        // SAFETY: the caller gives room for one lane, aligned as all registers are.
        unsafe {
            if self.op.is_arg() {
                out.cast::<i64>().write(partial.position);
            } else {
                with_lane_type!(self.dtype, T => {
                    out.cast::<T>().write(<T as Folded>::of_partial(partial));
                });
            }
        }
    }

    /// Folds elements of each of `n` rows, at the same positions in all of them.
    ///
    /// # Safety
    /// `state` has [`Fold::state_bytes`] of `n`, and there are `n` lanes of the compute type at every point.
    #[inline]
    pub unsafe fn points(&self, state: *mut u8, n: usize, points: Points) {
        // SAFETY: passed on.
        unsafe {
            let points = self.points_together(state, n, points);
            self.points_apart(state, n, points);
        }
    }

    /// The same, point by point.
    ///
    /// # Safety
    /// As for [`points`](Fold::points).
    pub(super) unsafe fn points_apart(&self, state: *mut u8, n: usize, points: Points) {
        // SAFETY: positions, or sums in the narrow type, stand behind `n` accumulators of 8 bytes;
        // only kernels that have them touch them.
        unsafe {
            match self.kernels {
                Kernels::Own { points: fold, flip, .. } => {
                    fold(state, state.wrapping_add(n * 8).cast(), n, points, flip);
                }
                Kernels::Joined(joined) => {
                    for point in 0..points.count {
                        let lanes = points.lanes.offset(point as isize * points.stride);
                        joined.lanes(state, lanes, n);
                    }
                }
            }
        }
    }

    /// Folds the state of later elements of the same rows.
    ///
    /// # Safety
    /// Both have [`Fold::state_bytes`] of `n`.
    pub unsafe fn merge_lanes(&self, state: *mut u8, later: *const u8, n: usize) {
        // SAFETY: as in `lanes`.
        unsafe {
            match self.kernels {
                Kernels::Own { merge, flip, .. } => {
                    merge(state, state.wrapping_add(n * 8).cast(), later, n, flip);
                }
                Kernels::Joined(joined) => joined.lanes(state, later, n),
            }
        }
    }

    /// Writes the results as lanes: of the compute type, or int64 for positions.
    ///
    /// # Safety
    /// `state` has [`Fold::state_bytes`] of `n`, `out` room for `n` lanes.
    pub unsafe fn finish_lanes(&self, state: *const u8, out: *mut u8, n: usize) {
        let sums_near = self.sums_near();
        // SAFETY: positions or near sums stand behind `n · 8` bytes; totals of float32 are kept in float64, and other
        // accumulators are lanes already.
        unsafe {
            if self.op.is_arg() {
                std::ptr::copy_nonoverlapping(state.add(n * 8), out, n * 8);
            } else if self.counts {
                for at in 0..n {
                    let near = i64::from(*state.add(n * 8 + at));
                    out.cast::<i64>().add(at).write(*state.cast::<i64>().add(at) + near);
                }
            } else if self.is_total() && self.dtype == DType::F32 {
                let near =
                    sums_near.then(|| std::slice::from_raw_parts(state.add(n * 8).cast(), n));
                let totals = std::slice::from_raw_parts(state.cast(), n);
                narrow_totals(std::slice::from_raw_parts_mut(out.cast(), n), totals, near);
            } else {
                std::ptr::copy_nonoverlapping(state, out, n * self.dtype.size());
            }
        }
    }
}
