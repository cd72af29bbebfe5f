//! Where the elements of many rows lie that are folded side by side.

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
}

/// Lanes whose accumulators stay in registers while elements are folded.
pub const STRIP: usize = 32;
/// The same for what is left of them.
pub const NARROW_STRIP: usize = 8;
