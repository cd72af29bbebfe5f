//! Where a program runs, and how it reaches each operand. Geometry only: no pointers.

use smallvec::SmallVec;

use crate::layout::Strides;

/// The axes a program runs over: the kept ones first, then those that its reductions fold.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Space {
    pub dims: SmallVec<[usize; 6]>,
    /// How many of `dims`, from the left, are kept. All of them in a map.
    pub kept: usize,
}

impl Space {
    /// The number of rows: points of the kept axes.
    pub fn rows(&self) -> usize {
        self.dims[..self.kept].iter().product()
    }

    /// The number of elements in a row: points of the reduced axes.
    pub fn row_len(&self) -> usize {
        self.dims[self.kept..].iter().product()
    }
}

/// How one operand is reached: element `offset + Σ coordinate · stride (+ Σ index · stride)` of its
/// storage, counted in elements of its type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Access {
    pub offset: usize,
    /// One for each axis of the space. For a value of the row domain those of the reduced axes are
    /// zero.
    pub strides: Strides,
    /// Extent and stride of each axis that a `Gather` reaches by a computed index, in the order of
    /// the indices. Empty for a `Load`.
    pub gathered: SmallVec<[(usize, isize); 2]>,
}

/// Drops axes of length one and joins neighbours which every operand crosses evenly, so that a
/// contiguous tensor of any rank becomes one long axis. Kept axes never join reduced ones. Axes
/// whose bit is set in `pinned` (because the program asks for the coordinate along them) stay as
/// they are; the returned list says which old axis each remaining axis is the last part of.
pub fn collapse(space: &mut Space, operands: &mut [Access], pinned: u64) -> SmallVec<[u8; 6]> {
    let is_pinned = |axis: u8| pinned >> axis & 1 == 1;
    let mut names: SmallVec<[u8; 6]> = (0..space.dims.len() as u8).collect();
    for axis in (0..space.dims.len()).rev() {
        if space.dims[axis] == 1 && !is_pinned(names[axis]) {
            remove_axis(space, operands, axis);
            names.remove(axis);
        }
    }
    for axis in (1..space.dims.len()).rev() {
        let (outer, inner) = (axis - 1, axis);
        let crosses_groups = inner == space.kept;
        let even = |operand: &Access| {
            operand.strides[outer] == operand.strides[inner] * space.dims[inner] as isize
        };
        if crosses_groups
            || is_pinned(names[outer])
            || is_pinned(names[inner])
            || !operands.iter().all(even)
        {
            continue;
        }
        space.dims[inner] *= space.dims[outer];
        remove_axis(space, operands, outer);
        names.remove(outer);
    }
    names
}

fn remove_axis(space: &mut Space, operands: &mut [Access], axis: usize) {
    space.dims.remove(axis);
    if axis < space.kept {
        space.kept -= 1;
    }
    for operand in operands {
        operand.strides.remove(axis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(strides: &[isize]) -> Access {
        Access { strides: strides.into(), ..Access::default() }
    }

    #[test]
    fn contiguous_map_becomes_one_axis() {
        let mut space = Space { dims: [2, 1, 3, 4].as_slice().into(), kept: 4 };
        let mut operands = [access(&[12, 12, 4, 1]), access(&[12, 0, 4, 1])];
        collapse(&mut space, &mut operands, 0);
        assert_eq!((space.dims.as_slice(), space.kept), ([24].as_slice(), 1));
        assert_eq!(operands[0].strides.as_slice(), [1]);
    }

    #[test]
    fn rows_and_elements_stay_apart() {
        let mut space = Space { dims: [2, 3, 4].as_slice().into(), kept: 2 };
        let mut operands = [access(&[12, 4, 1]), access(&[3, 1, 0])];
        collapse(&mut space, &mut operands, 0);
        assert_eq!((space.dims.as_slice(), space.kept), ([6, 4].as_slice(), 1));
    }

    #[test]
    fn broadcast_and_pinned_axes_stay() {
        let mut space = Space { dims: [3, 4].as_slice().into(), kept: 2 };
        let mut operands = [access(&[4, 1]), access(&[0, 1])];
        collapse(&mut space, &mut operands, 0);
        assert_eq!(space.dims.as_slice(), [3, 4]);
        let mut space = Space { dims: [3, 4].as_slice().into(), kept: 2 };
        let names = collapse(&mut space, &mut [access(&[4, 1])], 0b01);
        assert_eq!(
            (space.dims.as_slice(), names.as_slice()),
            ([3, 4].as_slice(), [0, 1].as_slice())
        );
    }
}
