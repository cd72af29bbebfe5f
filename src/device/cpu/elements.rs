//! Operands as the hand-written kernels see them: an address, a type, and a way through memory;
//! and how the kernels cut their work in pieces.
//!
//! Pieces are cut by size alone, never by the number of threads, so that results do not depend on
//! it. The user's Ctrl-C is seen between two pieces.

use std::ops::Range;

use smallvec::SmallVec;

use super::team;
use crate::device::{Error, Interrupt, View};
use crate::dtype::DType;
use crate::ir::{Access, Space, collapse};
use crate::layout::{Layout, Strides};

/// Work on fewer elements than this is done on the calling thread: waking others costs more.
pub(super) const INLINE: usize = 32 * 1024;

/// Some elements in host memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements<'a> {
    pub dtype: DType,
    pub layout: &'a Layout,
    /// Where the element at index (0, …, 0) lies.
    start: Ptr<u8>,
}

impl<'a> From<View<'a>> for Elements<'a> {
    fn from(view: View<'a>) -> Elements<'a> {
        debug_assert!(
            view.layout.extent().end <= view.storage.len() || view.layout.elem_count() == 0
        );
        let base = std::ptr::with_exposed_provenance_mut::<u8>(view.storage.address() as usize);
        let start = base.wrapping_add(view.layout.offset * view.dtype().size());
        Elements { dtype: view.dtype(), layout: view.layout, start: Ptr(start) }
    }
}

impl Elements<'_> {
    /// Where the element at index (0, …, 0) lies.
    pub fn start<T>(&self) -> Ptr<T> {
        Ptr(self.start.0.cast())
    }

    /// Elements that no storage holds.
    #[cfg(any(test, feature = "linalg"))]
    pub fn over(start: Ptr<u8>, dtype: DType, layout: &Layout) -> Elements<'_> {
        Elements { dtype, layout, start }
    }

    pub fn len(&self) -> usize {
        self.layout.elem_count()
    }
}

/// A pointer that several threads may hold. It only computes addresses; whoever reads or writes
/// there says why that is sound.
#[derive(Debug)]
pub(super) struct Ptr<T>(pub *mut T);

impl<T> Clone for Ptr<T> {
    fn clone(&self) -> Ptr<T> {
        *self
    }
}

impl<T> Copy for Ptr<T> {}

// SAFETY: holding an address on another thread touches no memory.
unsafe impl<T> Send for Ptr<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Ptr<T> {}

impl<T> Ptr<T> {
    /// The address of the element `offset` elements away.
    #[inline(always)]
    pub fn at(self, offset: isize) -> *mut T {
        self.0.wrapping_offset(offset)
    }

    /// Counts from the element `offset` elements away.
    #[inline(always)]
    pub fn shifted(self, offset: isize) -> Ptr<T> {
        Ptr(self.at(offset))
    }
}

/// Whether places so many bytes apart, no fewer than a set of the nearest cache covers, are those of one set, which has
/// few of them.
pub fn meets(apart: isize) -> bool {
    const LINE: usize = 64;
    /// Bytes from one place of a set to the next.
    const SET: usize = 4096;
    let apart = apart.unsigned_abs();
    let off = apart % SET;
    apart > SET - LINE && off.min(SET - off) < LINE
}

/// Runs `$body` with `$T` as an unsigned integer of `$size` bytes: for kernels that only move.
macro_rules! by_width {
    ($size:expr, $T:ident => $body:expr) => {
        match $size {
            1 => {
                type $T = u8;
                $body
            }
            2 => {
                type $T = u16;
                $body
            }
            4 => {
                type $T = u32;
                $body
            }
            8 => {
                type $T = u64;
                $body
            }
            size => unreachable!("no element has {size} bytes"),
        }
    };
}
pub(super) use by_width;

/// Calls `work` with the number and the range of every piece of `0..len`, on all threads of the
/// current pool if there is enough to do.
///
/// # Errors
/// The first that `work` gives, or [`Error::Interrupted`]; some pieces are then left out.
pub(super) fn for_pieces(
    len: usize,
    piece: usize,
    interrupt: &Interrupt,
    work: &(dyn Fn(usize, Range<usize>) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    // A caller that divides a budget by the work of an element may have come to none.
    let piece = piece.max(1);
    let run = |number: usize| {
        if interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        let start = number * piece;
        work(number, start..len.min(start + piece))
    };
    let threads = rayon::current_num_threads();
    team::each(len.div_ceil(piece), threads, &|| (), &|(), number| run(number), &|()| ())
}

/// The axes of several operands of one shape, with as few as all of them can be crossed by.
pub(super) fn common_axes<const N: usize>(
    layouts: [&Layout; N],
) -> (SmallVec<[usize; 6]>, [Strides; N]) {
    let dims: SmallVec<[usize; 6]> = SmallVec::from_slice(&layouts[0].shape);
    let mut space = Space { kept: dims.len(), dims };
    let mut operands = layouts.map(|layout| Access {
        offset: layout.offset,
        strides: layout.strides.clone(),
        ..Access::default()
    });
    collapse(&mut space, &mut operands, 0);
    (space.dims, operands.map(|operand| operand.strides))
}

/// Walks the points `range`, counted in row-major order, of a space: calls `run` for every stretch
/// of points along the last axis with where it begins and its length.
pub(super) fn for_runs<const N: usize>(
    dims: &[usize],
    strides: [&[isize]; N],
    range: Range<usize>,
    run: &mut dyn FnMut(Run<'_, N>),
) {
    if range.is_empty() {
        return;
    }
    let Some(last) = dims.len().checked_sub(1) else {
        return run(Run { coordinates: &[], offsets: [0; N], len: 1 });
    };
    let mut at: SmallVec<[usize; 6]> = SmallVec::from_elem(0, dims.len());
    let mut offsets = [0; N];
    let mut rest = range.start;
    for axis in (0..dims.len()).rev() {
        at[axis] = rest % dims[axis];
        rest /= dims[axis];
        for (offset, strides) in offsets.iter_mut().zip(&strides) {
            *offset += at[axis] as isize * strides[axis];
        }
    }
    let mut left = range.len();
    loop {
        let len = left.min(dims[last] - at[last]);
        run(Run { coordinates: &at, offsets, len });
        left -= len;
        if left == 0 {
            return;
        }
        for (offset, strides) in offsets.iter_mut().zip(&strides) {
            *offset -= at[last] as isize * strides[last];
        }
        at[last] = 0;
        for axis in (0..last).rev() {
            at[axis] += 1;
            let wraps = at[axis] == dims[axis];
            let back = if wraps { dims[axis] as isize - 1 } else { -1 };
            for (offset, strides) in offsets.iter_mut().zip(&strides) {
                *offset -= back * strides[axis];
            }
            if !wraps {
                break;
            }
            at[axis] = 0;
        }
    }
}

/// A stretch of points along the last axis.
#[derive(Debug)]
pub(super) struct Run<'a, const N: usize> {
    /// Of its first point.
    pub coordinates: &'a [usize],
    /// Of its first point, from each operand's start.
    pub offsets: [isize; N],
    pub len: usize,
}

/// Where the point with this row-major number lies, from each operand's start.
#[inline]
pub(super) fn offsets_at<const N: usize>(
    dims: &[usize],
    strides: [&[isize]; N],
    point: usize,
) -> [isize; N] {
    let mut offsets = [0; N];
    if let [_] = dims {
        for (offset, strides) in offsets.iter_mut().zip(&strides) {
            *offset = point as isize * strides[0];
        }
        return offsets;
    }
    let mut rest = point;
    for axis in (0..dims.len()).rev() {
        let index = (rest % dims[axis]) as isize;
        rest /= dims[axis];
        for (offset, strides) in offsets.iter_mut().zip(&strides) {
            *offset += index * strides[axis];
        }
    }
    offsets
}
