//! The space of a map and the way through its operands, made simple: axes in the output's order,
//! forwards, joined where possible, and cut to pieces whose points have 32-bit numbers.

use smallvec::SmallVec;

use super::kernel::Kernel;
use crate::codegen::Operand;
use crate::codegen::index::{MAX_POINTS, reach};
use crate::dtype::DType;
use crate::ir::{Access, Space, collapse};

/// A number for each axis.
pub type Axes<T> = SmallVec<[T; 6]>;

/// One operand of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    pub dtype: DType,
    /// Of the element at the piece's first point, in bytes.
    pub address: u64,
    pub strides: Axes<isize>,
    /// Extent and stride of each gathered axis.
    pub gathered: SmallVec<[(usize, isize); 2]>,
}

impl Reached {
    /// The address of another element, which may lie before the first.
    pub fn moved(&self, elements: isize) -> u64 {
        self.address.wrapping_add_signed((elements * self.dtype.size() as isize) as i64)
    }
}

/// Where a program runs. It has at least one axis and one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Geometry {
    pub dims: Axes<usize>,
    /// The inputs, then the outputs that are written here.
    pub operands: SmallVec<[Reached; 4]>,
    /// The coordinates of the first point: not all zero in a piece of a larger space.
    pub start: Axes<usize>,
    /// The row-major number of the first point.
    pub position: usize,
}

impl Geometry {
    /// The space with these extents; `None` if it has no points.
    pub fn new(
        kernel: &Kernel<'_>,
        dims: &[usize],
        inputs: &[Operand<'_>],
        outputs: &[&Operand<'_>],
    ) -> Option<Geometry> {
        if dims.contains(&0) {
            return None;
        }
        let mut space = Space { dims: dims.into(), kept: dims.len() };
        let operands = || inputs.iter().chain(outputs.iter().copied());
        let mut accesses: SmallVec<[Access; 4]> =
            operands().map(|operand| operand.access.clone()).collect();
        for access in &mut accesses {
            access.strides.truncate(dims.len());
        }
        if kernel.asked == 0 {
            // A fault's position counts the points in their own order.
            if !kernel.can_fail {
                turn_forwards(&space, &mut accesses, inputs.len());
                sort_axes(&mut space, &mut accesses, inputs.len());
            }
            collapse(&mut space, &mut accesses, 0);
        }
        if space.dims.is_empty() {
            space.dims.push(1);
            accesses.iter_mut().for_each(|access| access.strides.push(1));
        }
        let reached = |(operand, access): (&Operand<'_>, Access)| Reached {
            dtype: operand.dtype,
            address: operand.address + (access.offset * operand.dtype.size()) as u64,
            strides: access.strides.iter().copied().collect(),
            gathered: access.gathered,
        };
        Some(Geometry {
            start: space.dims.iter().map(|_| 0).collect(),
            position: 0,
            operands: operands().zip(accesses).map(reached).collect(),
            dims: space.dims,
        })
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn points(&self) -> usize {
        self.dims.iter().product()
    }

    /// How far the last axis goes.
    pub fn inner(&self) -> usize {
        self.dims[self.rank() - 1]
    }

    /// How far an operand's elements lie before and behind the first.
    pub fn reach(&self, operand: &Reached) -> (isize, isize) {
        let strides = operand.strides.iter().copied().collect();
        reach(&self.dims, &Access { strides, ..Access::default() })
    }

    /// Row-major pieces of at most [`MAX_POINTS`] points each.
    pub fn pieces(self) -> SmallVec<[Geometry; 1]> {
        if self.points() <= MAX_POINTS {
            return SmallVec::from_iter([self]);
        }
        let longer = |axis: &usize| self.dims[*axis] > 1;
        let axis = (0..self.rank()).find(longer).expect("there is more than one point");
        let inner: usize = self.dims[axis + 1..].iter().product();
        let step = (MAX_POINTS / inner).max(1);
        let mut pieces = SmallVec::new();
        for begin in (0..self.dims[axis]).step_by(step) {
            let mut piece = self.clone();
            piece.dims[axis] = step.min(self.dims[axis] - begin);
            piece.start[axis] += begin;
            piece.position += begin * inner;
            for operand in &mut piece.operands {
                operand.address = operand.moved(begin as isize * operand.strides[axis]);
            }
            pieces.extend(piece.pieces());
        }
        pieces
    }
}

/// Along an axis on which the first output runs backwards, everything runs the other way.
fn turn_forwards(space: &Space, accesses: &mut [Access], output: usize) {
    for axis in 0..space.dims.len() {
        if accesses[output].strides[axis] >= 0 {
            continue;
        }
        for access in accesses.iter_mut() {
            let far = (space.dims[axis] - 1) as isize * access.strides[axis];
            access.offset = access.offset.wrapping_add_signed(far);
            access.strides[axis] = -access.strides[axis];
        }
    }
}

/// Brings the axes to the order in which the first output lies in memory.
fn sort_axes(space: &mut Space, accesses: &mut [Access], output: usize) {
    let mut order: Axes<usize> = (0..space.dims.len()).collect();
    order.sort_by_key(|axis| std::cmp::Reverse(accesses[output].strides[*axis].unsigned_abs()));
    if order.is_sorted() {
        return;
    }
    space.dims = order.iter().map(|axis| space.dims[*axis]).collect();
    for access in accesses {
        access.strides = order.iter().map(|axis| access.strides[*axis]).collect();
    }
}

/// The strides of elements that lie in row-major order without holes.
pub fn row_major(dims: &[usize]) -> Axes<isize> {
    let mut strides: Axes<isize> = dims.iter().map(|_| 0).collect();
    let mut next = 1;
    for axis in (0..dims.len()).rev() {
        strides[axis] = next;
        next *= dims[axis] as isize;
    }
    strides
}
