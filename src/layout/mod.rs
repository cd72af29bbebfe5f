//! Geometry without data: shapes, signed strides, offsets, views, broadcasting, and the plan of an
//! index. Everything counts in elements, never in bytes.

mod basic;
mod broadcast;
mod error;
mod index;
mod shape;

pub use broadcast::broadcast_shapes;
pub use error::Error;
pub use index::{GatheredAxis, IndexKind, IndexPart, IndexPlan, Slice};
pub use shape::{MAX_RANK, Shape, normalize_axis};

use smallvec::SmallVec;

/// Elements from one index to the next along each axis; negative when the axis runs backwards,
/// zero when it is broadcast.
pub type Strides = SmallVec<[isize; 6]>;

/// Where the elements of a tensor lie in its storage.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    pub shape: Shape,
    pub strides: Strides,
    /// The element of the storage at index (0, …, 0).
    pub offset: usize,
}

impl Clone for Layout {
    #[inline]
    fn clone(&self) -> Layout {
        let strides = SmallVec::from_slice(&self.strides);
        Layout { shape: self.shape.clone(), strides, offset: self.offset }
    }
}

impl Layout {
    /// Row-major, without holes, from the storage's beginning.
    #[inline]
    pub fn contiguous(shape: Shape) -> Layout {
        let strides = shape.contiguous_strides();
        Layout { shape, strides, offset: 0 }
    }

    #[inline]
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    #[inline]
    pub fn elem_count(&self) -> usize {
        self.shape.elem_count()
    }

    /// Whether the elements lie in row-major order without holes. Axes of length one may have any
    /// stride; a tensor without elements is contiguous.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        for (extent, stride) in self.shape.iter().zip(&self.strides).rev() {
            if *extent != 1 && *stride != expected {
                return self.elem_count() == 0;
            }
            expected *= *extent as isize;
        }
        true
    }

    /// Whether two different indices may meet the same element (a broadcast axis).
    pub fn has_overlap(&self) -> bool {
        self.shape.iter().zip(&self.strides).any(|(extent, stride)| *extent > 1 && *stride == 0)
    }

    /// Whether steps along different axes meet, so that two indices may have one element: sliding windows.
    /// Axes that only repeat are not counted.
    pub fn has_windows(&self) -> bool {
        let axes = self.shape.iter().zip(&self.strides);
        let mut steps: Strides = SmallVec::new();
        let mut reaches: Strides = SmallVec::new();
        for (extent, stride) in axes.filter(|(extent, stride)| **extent > 1 && **stride != 0) {
            steps.push(stride.abs());
            reaches.push((*extent as isize - 1) * stride.abs());
        }
        steps.iter().enumerate().any(|(at, step)| {
            let smaller = (0..steps.len()).filter(|other| *other != at && steps[*other] <= *step);
            *step <= smaller.map(|other| reaches[other]).sum()
        })
    }

    /// The half-open range of storage elements that the layout touches.
    #[inline]
    pub fn extent(&self) -> std::ops::Range<usize> {
        if self.elem_count() == 0 {
            return self.offset..self.offset;
        }
        let (mut low, mut high) = (self.offset as isize, self.offset as isize);
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let reach = (*extent as isize - 1) * stride;
            low += reach.min(0);
            high += reach.max(0);
        }
        low as usize..high as usize + 1
    }

    /// The same elements seen under a larger shape: new and unit axes repeat.
    pub fn broadcast_to(&self, shape: &Shape) -> Result<Layout, Error> {
        let failure = || Error::BroadcastTo { from: self.shape.clone(), to: shape.clone() };
        let added = shape.rank().checked_sub(self.rank()).ok_or_else(failure)?;
        let mut strides = Strides::from_elem(0, shape.rank());
        for (axis, (extent, stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            let target = shape[added + axis];
            if *extent == target {
                strides[added + axis] = *stride;
            } else if *extent != 1 {
                return Err(failure());
            }
        }
        Ok(Layout { shape: shape.clone(), strides, offset: self.offset })
    }

    /// Axes reordered: axis `i` of the result is axis `axes[i]` of this one. `axes` must be a
    /// permutation.
    pub fn permute(&self, axes: &[usize]) -> Layout {
        Layout {
            shape: axes.iter().map(|axis| self.shape[*axis]).collect(),
            strides: axes.iter().map(|axis| self.strides[*axis]).collect(),
            offset: self.offset,
        }
    }

    /// One element along `axis`, which goes away. `index` must lie within the axis.
    pub fn select(&self, axis: usize, index: usize) -> Layout {
        let mut layout = self.clone();
        layout.offset = (self.offset as isize + index as isize * self.strides[axis]) as usize;
        layout.shape.remove(axis);
        layout.strides.remove(axis);
        layout
    }

    /// `len` elements along `axis`, the first at `start`, each `step` after the one before.
    pub fn narrow(&self, axis: usize, start: usize, len: usize, step: isize) -> Layout {
        let mut layout = self.clone();
        if len > 0 {
            layout.offset = (self.offset as isize + start as isize * self.strides[axis]) as usize;
        }
        layout.shape[axis] = len;
        layout.strides[axis] *= step;
        layout
    }

    /// A new axis of length one before `axis`.
    pub fn expand_dims(&self, axis: usize) -> Layout {
        let mut layout = self.clone();
        layout.shape.insert(axis, 1);
        layout.strides.insert(axis, 0);
        layout
    }

    /// Without `axis`, which must have length one.
    pub fn squeeze(&self, axis: usize) -> Layout {
        self.select(axis, 0)
    }

    /// The same elements in the same order under another shape, where strides can say it; `None`
    /// where a copy is needed. The element counts must be equal.
    pub fn reshape(&self, shape: &Shape) -> Option<Layout> {
        if self.elem_count() == 0 {
            return Some(Layout { offset: self.offset, ..Layout::contiguous(shape.clone()) });
        }
        let old: SmallVec<[(usize, isize); 6]> = (self.shape.iter().copied())
            .zip(self.strides.iter().copied())
            .filter(|(extent, _)| *extent != 1)
            .collect();
        let mut strides = Strides::from_elem(1, shape.rank());
        let (mut at, mut axis) = (0, 0);
        // Walk both shapes in groups that hold the same number of elements. A group is a view only
        // if the old axes in it lie as one evenly strided run.
        while at < old.len() {
            let (mut old_count, mut end) = (old[at].0, at + 1);
            let first = axis;
            let mut new_count = 1;
            while axis < shape.rank() && (new_count < old_count || shape[axis] == 1) {
                new_count *= shape[axis];
                axis += 1;
                while new_count > old_count {
                    old_count *= old.get(end)?.0;
                    end += 1;
                }
                if new_count == old_count {
                    break;
                }
            }
            while old_count < new_count {
                old_count *= old.get(end)?.0;
                end += 1;
            }
            let evenly = old[at..end].windows(2).all(|w| w[0].1 == w[1].1 * w[1].0 as isize);
            if !evenly || old_count != new_count {
                return None;
            }
            let mut stride = old[end - 1].1;
            for new_axis in (first..axis).rev() {
                strides[new_axis] = stride;
                stride *= shape[new_axis] as isize;
            }
            at = end;
        }
        Some(Layout { shape: shape.clone(), strides, offset: self.offset })
    }
}

#[cfg(test)]
mod tests;
