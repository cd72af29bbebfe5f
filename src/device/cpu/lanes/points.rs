//! Where the elements of many rows lie that are folded side by side.

use std::mem::MaybeUninit;

use super::fold::FoldKernel;

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
