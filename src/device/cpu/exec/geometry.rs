//! How a launch is walked: which axes the lanes of a block run along, in what order, and where each
//! operand's elements are then. Offsets and strides count bytes.

use smallvec::SmallVec;

use crate::device::Storage;
use crate::ir::{Access, Space};

/// Bytes of a line of the cache.
pub(super) const CACHE_LINE: usize = 64;

pub type Axes = SmallVec<[usize; 6]>;
pub type ByteStrides = SmallVec<[isize; 6]>;

/// An input or an output of a launch.
#[derive(Debug, Clone)]
pub struct Operand {
    /// The element at coordinate zero.
    pub base: *mut u8,
    pub size: usize,
    /// One for each axis of the space.
    pub strides: ByteStrides,
    /// Extent and stride of each axis that a gather reaches.
    pub gathered: SmallVec<[(usize, isize); 2]>,
    /// The elements that it may touch: from the lowest to the highest, counted from the one at coordinate zero. None
    /// where the space has no points.
    span: Option<(isize, isize)>,
}

// SAFETY: an operand is an address and the way through it; who reads or writes there keeps threads
// to separate elements.
unsafe impl Send for Operand {}
// SAFETY: as above.
unsafe impl Sync for Operand {}

impl Operand {
    /// A storage under an access.
    ///
    /// # Panics
    /// As [`Operand::moved`], and if the access has not one stride for each axis of the space.
    pub fn of(storage: &Storage, access: &Access, space: &Space) -> Operand {
        assert_eq!(space.dims.len(), access.strides.len(), "a stride for each axis");
        let size = storage.dtype().size();
        let (mut low, mut high) = (0i128, 0i128);
        let mut is_empty = false;
        let axes = space.dims.iter().copied().zip(access.strides.iter().copied());
        for (extent, stride) in axes.chain(access.gathered.iter().copied()) {
            is_empty |= extent == 0;
            let reach = (extent as i128 - 1) * stride as i128;
            low += reach.min(0);
            high += reach.max(0);
        }
        let clamped = |at: i128| at.clamp(isize::MIN as i128, isize::MAX as i128) as isize;
        let operand = Operand {
            base: std::ptr::null_mut(),
            size,
            strides: access.strides.iter().map(|stride| stride * size as isize).collect(),
            gathered: access
                .gathered
                .iter()
                .map(|(extent, stride)| (*extent, stride * size as isize))
                .collect(),
            span: (!is_empty).then(|| (clamped(low), clamped(high))),
        };
        operand.moved(storage, access.offset)
    }

    /// The same way through another storage, or from another of its elements on.
    ///
    /// # Panics
    /// If some point of the space lies outside the storage: the launch would break the contract of `ir`.
    pub fn moved(&self, storage: &Storage, offset: usize) -> Operand {
        let size = storage.dtype().size();
        assert_eq!(size, self.size, "elements of another size");
        if let Some((low, high)) = self.span {
            let (len, first) = (storage.len(), offset as isize);
            assert!(
                first.saturating_add(low) >= 0 && first.saturating_add(high) < len as isize,
                "an operand of {len} elements is accessed from {offset}, {low} to {high} further on"
            );
        }
        let start = std::ptr::with_exposed_provenance_mut::<u8>(storage.address() as usize);
        self.based(start.wrapping_add(offset * size))
    }

    /// The same way from another address on.
    pub fn based(&self, base: *mut u8) -> Operand {
        Operand { base, ..self.clone() }
    }

    /// The same memory as elements that are runs of so many along the last axis; all strides are multiples of a run.
    pub fn of_runs(&self, run: usize) -> Operand {
        let span = self.span.map(|(low, high)| {
            let run = run as isize;
            (low / run, (high + 1) / run - 1)
        });
        let strides = self.strides[..self.strides.len() - 1].into();
        Operand { size: self.size * run, strides, span, ..self.clone() }
    }

    /// The addresses that it may touch.
    pub fn range(&self) -> (usize, usize) {
        let (low, high) = self.span.unwrap_or((0, -1));
        let at =
            |element: isize| self.base.addr().wrapping_add_signed(element * self.size as isize);
        (at(low), at(high + 1))
    }

    /// Bytes of memory that pass through the caches for what it touches: whole lines where elements lie apart.
    pub fn reached(&self, space: &Space) -> usize {
        let (low, high) = self.range();
        if !self.gathered.is_empty() {
            return high - low;
        }
        let moving = || space.dims.iter().zip(&self.strides).filter(|(_, stride)| **stride != 0);
        let touched = moving().fold(1usize, |touched, (extent, _)| touched.saturating_mul(*extent));
        let apart = moving().map(|(_, stride)| stride.unsigned_abs()).min().unwrap_or(self.size);
        touched.saturating_mul(apart.clamp(self.size, CACHE_LINE)).min(high - low)
    }
}

/// A walk over the points of some axes, with each operand's offset at the present point.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    coords: Axes,
    pub offsets: SmallVec<[isize; 6]>,
}

impl Walk {
    /// Goes to a point by its row-major number.
    pub fn seek(&mut self, axes: &[(usize, usize)], operands: &[Operand], mut number: usize) {
        self.coords.clear();
        self.coords.resize(axes.len(), 0);
        self.offsets.clear();
        self.offsets.resize(operands.len(), 0);
        for (place, (axis, extent)) in axes.iter().enumerate().rev() {
            if number == 0 {
                break;
            }
            let coord = number % extent;
            number /= extent;
            self.coords[place] = coord;
            for (offset, operand) in self.offsets.iter_mut().zip(operands) {
                *offset += coord as isize * operand.strides[*axis];
            }
        }
    }

    /// Goes to the next point; after the last, to the first.
    pub fn step(&mut self, axes: &[(usize, usize)], operands: &[Operand]) {
        for (place, (axis, extent)) in axes.iter().enumerate().rev() {
            self.coords[place] += 1;
            let wraps = self.coords[place] == *extent;
            let by = if wraps { 1 - *extent as isize } else { 1 };
            for (offset, operand) in self.offsets.iter_mut().zip(operands) {
                *offset += by * operand.strides[*axis];
            }
            if !wraps {
                return;
            }
            self.coords[place] = 0;
        }
    }

    /// The coordinate along an axis of the space; `None` if it is not walked.
    pub fn coord(&self, axes: &[(usize, usize)], axis: usize) -> Option<usize> {
        let place = axes.iter().position(|(own, _)| *own == axis)?;
        self.coords.get(place).copied()
    }
}

/// The axes that lanes run along, cut into blocks. The innermost axes that fit a block whole are
/// taken whole; the next is cut.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// Axes of the space, outermost first.
    pub axes: Axes,
    pub dims: Axes,
    /// A block's extent along each.
    tile: Axes,
    counts: Axes,
    /// Whether blocks follow each other along the last axis but one: where the last two make tiles, an operand is dense
    /// in it.
    turned: bool,
    /// The number of blocks.
    pub blocks: usize,
    /// Lanes in a whole block.
    pub lanes: usize,
}

/// One block of a grid.
#[derive(Debug, Clone, Default)]
pub struct Block {
    pub start: Axes,
    pub dims: Axes,
    pub lanes: usize,
}

impl Block {
    /// The block of one of its lanes.
    pub fn lane(&self, mut lane: usize) -> Block {
        let mut one = Block { dims: Axes::from_elem(1, self.dims.len()), lanes: 1, ..self.clone() };
        for place in (0..self.dims.len()).rev() {
            one.start[place] += lane % self.dims[place];
            lane /= self.dims[place];
        }
        one
    }
}

impl Grid {
    /// Over `axes` of the space, in that order; blocks have at most `lanes` lanes. With `turned`,
    /// the last two axes make tiles, so that an operand which is dense along the last but one is
    /// read by whole lines.
    pub fn new(space: &Space, axes: Axes, lanes: usize, turned: bool) -> Grid {
        let dims: Axes = axes.iter().map(|axis| space.dims[*axis]).collect();
        let mut tile = Axes::from_elem(1, dims.len());
        let mut left = lanes;
        let mut place = dims.len();
        if turned && dims.len() >= 2 {
            let across = if lanes < 64 * 64 { 32 } else { 64 }.min(dims[place - 1]);
            tile[place - 1] = across;
            tile[place - 2] = (lanes / across).min(dims[place - 2]);
            left = if across == dims[place - 1] && tile[place - 2] == dims[place - 2] {
                lanes / (across * tile[place - 2]).max(1)
            } else {
                0
            };
            place -= 2;
        }
        while place > 0 && left > 0 {
            place -= 1;
            tile[place] = left.min(dims[place]).max(1);
            left = if tile[place] == dims[place] { left / tile[place] } else { 0 };
        }
        let counts: Axes =
            dims.iter().zip(&tile).map(|(extent, tile)| extent.div_ceil(*tile)).collect();
        let blocks = counts.iter().product();
        let lanes = tile.iter().product();
        Grid { axes, dims, tile, counts, turned, blocks, lanes }
    }

    /// The same blocks, with an axis before their last one of which each has one point.
    pub fn with_axis(mut self, axis: usize) -> Grid {
        let place = self.axes.len() - 1;
        self.axes.insert(place, axis);
        for of_axis in [&mut self.dims, &mut self.tile, &mut self.counts] {
            of_axis.insert(place, 1);
        }
        self
    }

    /// The same blocks, along the last axis but one first.
    pub fn down_first(self) -> Grid {
        Grid { turned: true, ..self }
    }

    pub fn block(&self, mut number: usize, block: &mut Block) {
        block.start.clear();
        block.start.resize(self.dims.len(), 0);
        block.dims.clear();
        block.dims.resize(self.dims.len(), 0);
        let mut lanes = 1;
        let rank = self.dims.len();
        for nearness in 0..rank {
            let place = match nearness {
                0 | 1 if self.turned && rank >= 2 => rank - 2 + nearness,
                _ => rank - 1 - nearness,
            };
            let at = if number == 0 { 0 } else { number % self.counts[place] };
            number /= self.counts[place].max(1);
            let start = at * self.tile[place];
            let extent = self.tile[place].min(self.dims[place] - start);
            block.start[place] = start;
            block.dims[place] = extent;
            lanes *= extent;
        }
        block.lanes = lanes;
    }

    /// The row-major number of a block's first lane, where the axes keep their order.
    pub fn position(&self, block: &Block) -> usize {
        let places = self.dims.iter().zip(&block.start);
        places.fold(0, |position, (extent, start)| position * extent + start)
    }
}

/// Sorts axes so that the operands are crossed in the order of their memory, the first operand
/// deciding: outermost the largest stride.
pub fn order_axes(axes: &mut [usize], operands: &[&Operand]) {
    let moves_further = |a: usize, b: usize| -> bool {
        for operand in operands {
            let (a, b) = (operand.strides[a].unsigned_abs(), operand.strides[b].unsigned_abs());
            if a != 0 && b != 0 && a != b {
                return a > b;
            }
        }
        false
    };
    // Insertion keeps the order of axes which nothing tells apart.
    for i in 1..axes.len() {
        let mut place = i;
        while place > 0 && moves_further(axes[place], axes[place - 1]) {
            axes.swap(place, place - 1);
            place -= 1;
        }
    }
}
