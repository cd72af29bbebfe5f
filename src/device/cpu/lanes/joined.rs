//! Folds by an operation's own formula: the loops that apply it to two blocks of lanes also fold one, so a
//! fold of this kind has no code of its own.

use super::fold::Partial;
use super::number::Folded;
use super::{BinaryFn, LANES, with_lane_type};
use crate::dtype::DType;

/// What joins two lanes of a compute type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joined {
    pub join: BinaryFn,
    pub dtype: DType,
}

/// Room for a block of accumulators of any type.
type Block = [u64; LANES];

impl Joined {
    /// # Safety
    /// `lanes` holds `n` lanes of the type.
    pub unsafe fn row(self, partial: &mut Partial, lanes: *const u8, n: usize) {
        if n == 0 {
            return;
        }
        let size = self.dtype.size();
        let mut block: Block = [0; LANES];
        let acc = block.as_mut_ptr().cast::<u8>();
        let mut width = n.min(LANES);
        // SAFETY: no more than `width` lanes of the block are in use, and `at` stays below `n`.
        unsafe {
            std::ptr::copy_nonoverlapping(lanes, acc, width * size);
            let mut at = width;
            while at < n {
                let count = (n - at).min(LANES);
                self.block(acc, lanes.add(at * size), count);
                at += count;
            }
            while width > 1 {
                let half = width.div_ceil(2);
                self.block(acc, acc.add(half * size), width - half);
                width = half;
            }
        }
        self.take(partial, block[0]);
    }

    pub fn merge(self, partial: &mut Partial, later: &Partial) {
        self.take(partial, self.lane(later));
    }

    /// # Safety
    /// `acc` has `n` accumulators, `lanes` as many lanes or accumulators of the type.
    pub unsafe fn lanes(self, acc: *mut u8, lanes: *const u8, n: usize) {
        let size = self.dtype.size();
        let mut at = 0;
        while at < n {
            let count = (n - at).min(LANES);
            // SAFETY: `at + count` is at most `n`.
            unsafe { self.block(acc.add(at * size), lanes.add(at * size), count) };
            at += count;
        }
    }

    /// Joins lanes to as many accumulators. The result does not lie where an operand does: a loop may come
    /// back to the operands of what was rare.
    ///
    /// # Safety
    /// `acc` and `lanes` have `count` lanes of the type, no more than a block.
    unsafe fn block(self, acc: *mut u8, lanes: *const u8, count: usize) {
        let mut block: Block = [0; LANES];
        let out = block.as_mut_ptr().cast::<u8>();
        // SAFETY: a block has room for `count` lanes of any type.
        unsafe {
            (self.join)(out, acc, lanes, count);
            std::ptr::copy_nonoverlapping(out, acc, count * self.dtype.size());
        }
    }

    fn take(self, partial: &mut Partial, later: u64) {
        let mut acc = self.lane(partial);
        // SAFETY: each is one lane of at most eight bytes.
        unsafe { self.block((&raw mut acc).cast(), (&raw const later).cast(), 1) };
        self.keep(partial, acc);
    }

    /// What is known of a row, as a lane at the begin of a word.
    fn lane(self, partial: &Partial) -> u64 {
        let mut word = 0u64;
        // SAFETY: a lane has at most eight bytes, and a word's alignment.
        unsafe {
            with_lane_type!(self.dtype, T => {
                (&raw mut word).cast::<T>().write(T::of_partial(partial));
            });
        }
        word
    }

    fn keep(self, partial: &mut Partial, word: u64) {
        // SAFETY: the word begins with a lane of the type.
        unsafe {
            with_lane_type!(self.dtype, T => {
                (&raw const word).cast::<T>().read().to_partial(partial);
            });
        }
    }
}
