//! Where the elements of many rows lie that are folded side by side.

use std::mem::MaybeUninit;

use super::super::number::Number;
use super::fold::{Fold, FoldKernel};
use super::number::{Folded, Summand};
use super::with_lane_type;
use crate::ir::ReduceOp;

/// Elements of rows of which each lane has one.
#[derive(Debug, Clone, Copy)]
pub struct Points {
    /// The lanes of the first element.
    pub lanes: *const u8,
    /// How many elements there are of each row, and how many bytes the lanes of one lie behind those of the
    /// one before.
    pub count: usize,
    pub stride: isize,
    /// The position of the first in its row.
    pub position: i64,
}

impl Points {
    /// The lanes of a strip at one of the points.
    ///
    /// # Safety
    /// `from + WIDTH` lanes of `T` are there.
    #[inline(always)]
    pub(super) unsafe fn strip<T: Copy, const WIDTH: usize>(
        &self,
        point: usize,
        from: usize,
    ) -> [T; WIDTH] {
        // SAFETY: the caller's.
        unsafe {
            let lanes = self.lanes.offset(point as isize * self.stride).cast::<T>();
            lanes.add(from).cast::<[T; WIDTH]>().read()
        }
    }

    /// Folds points that lie one behind the other, of `n` lanes each, which are more than half of a strip: a strip
    /// reaches into the next point, and what it comes to there is let go of. Gives what is left.
    ///
    /// # Safety
    /// There are accumulators of `n` lanes, and lanes at every point.
    #[inline(always)]
    pub(super) unsafe fn few<K: FoldKernel>(
        self,
        acc: *mut u8,
        at: *mut i64,
        n: usize,
        flip: u64,
    ) -> Points {
        let is_dense = self.stride == (n * size_of::<K::Lane>()) as isize;
        if !is_dense || n <= NARROW_STRIP / 2 || self.count < 2 {
            return self;
        }
        let most = self.count - 1;
        let (acc, behind) = (acc.cast::<K::Acc>(), at.cast::<K::Behind>());
        // SAFETY: the caller's; a strip of any point but the last ends within the next one, and has accumulators of
        // its own.
        unsafe {
            let mut accs = [acc.read(); NARROW_STRIP];
            std::ptr::copy_nonoverlapping(acc, accs.as_mut_ptr(), n);
            let mut behinds = [const { MaybeUninit::<K::Behind>::uninit() }; NARROW_STRIP];
            let near = behinds.as_mut_ptr().cast::<K::Behind>();
            if K::HAS_BEHIND {
                (0..NARROW_STRIP).for_each(|at| near.add(at).write(behind.add(at % n).read()));
            }
            let points = Points { count: most, ..self };
            K::strip::<NARROW_STRIP>(accs.as_mut_ptr().cast(), near.cast(), 0, points, flip);
            std::ptr::copy_nonoverlapping(accs.as_ptr(), acc, n);
            if K::HAS_BEHIND {
                std::ptr::copy_nonoverlapping(near, behind, n);
            }
        }
        let lanes = self.lanes.wrapping_offset(most as isize * self.stride);
        Points { lanes, count: 1, position: self.position + most as i64, ..self }
    }
}

/// Lanes whose accumulators stay in registers while elements are folded.
pub const STRIP: usize = 32;
/// The same for what is left of them.
pub const NARROW_STRIP: usize = 8;

/// As many points of fewer lanes than a strip are folded side by side, each as if it were a row of its own.
const TOGETHER: usize = 8;
/// Bytes of a lane's accumulator and of what stands behind it, at most.
const STATE: usize = 12;

impl Fold {
    /// Bytes of an accumulator of one of many lanes.
    fn acc_bytes(&self) -> usize {
        let wide = with_lane_type!(self.dtype, T => size_of::<<T as Summand>::Wide>());
        match (self.counts, self.is_total()) {
            (true, _) => 8,
            (false, true) => wide,
            (false, false) => self.size(),
        }
    }

    /// Bytes of a sum in the lanes' type, which some totals have beside each accumulator.
    pub(super) fn near_bytes(&self) -> usize {
        let near = with_lane_type!(self.dtype, T => usize::from(T::SUMS_NEAR) * size_of::<T>());
        if self.counts { 1 } else { usize::from(self.op == ReduceOp::Sum) * near }
    }

    /// Whether elements of few rows are folded several at a time.
    pub fn is_quick(&self) -> bool {
        self.is_total() || self.is_extreme()
    }

    /// Whether an accumulator of an extreme is NaN.
    unsafe fn any_nan(&self, state: *const u8, n: usize) -> bool {
        // SAFETY: the caller's: `n` accumulators, which are lanes.
        unsafe {
            with_lane_type!(self.dtype, T => {
                std::slice::from_raw_parts(state.cast::<T>(), n).iter().any(|acc| Number::is_nan(*acc))
            })
        }
    }

    /// Nothing folded yet, of `n` rows.
    ///
    /// # Safety
    /// `state` has [`Fold::state_bytes`] of `n`.
    pub unsafe fn start_lanes(&self, state: *mut u8, n: usize) {
        // SAFETY: passed on.
        unsafe { with_lane_type!(self.dtype, T => self.start_lanes_of::<T>(state, n)) }
    }

    unsafe fn start_lanes_of<T: Summand>(&self, state: *mut u8, n: usize) {
        unsafe fn fill<N: Copy>(state: *mut u8, n: usize, value: N) {
            // SAFETY: `n` accumulators of at most 8 bytes lie at `state`.
            unsafe { std::slice::from_raw_parts_mut(state.cast::<N>(), n) }.fill(value);
        }
        let start = self.start();
        // SAFETY: the state holds `n` accumulators, and `n` positions behind them for an arg.
        unsafe {
            match self.is_total() {
                true => fill(state, n, T::Wide::of_partial(&start)),
                false => fill(state, n, T::of_partial(&start)),
            }
            if self.op.is_arg() {
                fill(state.add(n * 8), n, 0i64);
            } else if self.counts {
                fill(state.add(n * 8), n, 0u8);
            } else if self.sums_near() {
                fill(state.add(n * 8), n, T::ZERO);
            }
        }
    }

    /// Folds points that lie one behind the other, of few lanes each, several at a time; gives what is left. Places, and what
    /// is joined in another way, are left alone.
    ///
    /// # Safety
    /// As for [`Fold::points`].
    pub(super) unsafe fn points_together(
        &self,
        state: *mut u8,
        n: usize,
        points: Points,
    ) -> Points {
        let is_dense = points.stride == (n * self.size()) as isize;
        if !is_dense || n >= STRIP || !self.is_quick() || points.count < 2 * TOGETHER {
            return points;
        }
        let (lanes, count) = (n * TOGETHER, points.count / TOGETHER);
        let mut wide = [const { MaybeUninit::<u64>::uninit() }; STRIP * TOGETHER * STATE / 8];
        let mut later = [const { MaybeUninit::<u64>::uninit() }; STRIP * STATE / 8];
        let (wide, later) = (wide.as_mut_ptr().cast::<u8>(), later.as_mut_ptr().cast::<u8>());
        let stride = points.stride * TOGETHER as isize;
        let acc = n * self.acc_bytes();
        let near = n * self.near_bytes();
        // SAFETY: there is room for the state of a strip's lanes, and of so many times as many; the rest is the caller's.
        unsafe {
            self.start_lanes(wide, lanes);
            self.points_apart(wide, lanes, Points { count, stride, ..points });
            // Of several NaN the first point's stays, which these do not know.
            if self.is_extreme() && self.any_nan(wide, lanes) {
                return points;
            }
            for at in 0..TOGETHER {
                std::ptr::copy_nonoverlapping(wide.add(at * acc), later, acc);
                let behind = wide.add(8 * lanes + at * near);
                std::ptr::copy_nonoverlapping(behind, later.add(8 * n), near);
                self.merge_lanes(state, later, n);
            }
        }
        let done = count * TOGETHER;
        let lanes = points.lanes.wrapping_offset(done as isize * points.stride);
        let position = points.position + done as i64;
        Points { lanes, count: points.count - done, position, ..points }
    }
}
