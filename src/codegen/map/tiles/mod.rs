//! The form for operands that lie across the output, a transposed matrix for one: squares of them
//! are read along their own rows, turned in shared memory, and used along the output's rows. Where those
//! rows are short, strips take their whole length.

mod text;

pub(super) use text::render;

use smallvec::SmallVec;

use super::Chosen;
use super::geometry::{Geometry, Reached};
use super::kernel::Kernel;
use crate::codegen::index::{Step, is_near};
use crate::codegen::params::{Bytes, Fields};

/// Threads of a block.
pub const THREADS: usize = 256;

/// Bytes of static shared memory of a block.
const MAX_SHARED: usize = 48 << 10;

/// Below this extent a square would be mostly empty.
const MIN_EXTENT: usize = 16;

/// Points of a strip, about, and along its long side.
const STRIP: usize = 2048;
const STRIP_SIDES: [usize; 2] = [256, 1024];

/// Bytes along a strip's short side, at least: with fewer the plain form is as fast.
const MIN_RUN: usize = 8;

/// Below this many points the plain form is as fast.
const MIN_POINTS: usize = 4096;

const PACK_BYTES: usize = 16;
const MAX_LANES: usize = 4;

/// See the module's head.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TilesForm {
    /// Axes of the space.
    pub rank: u8,
    /// The axis along which the turned operands lie in memory.
    pub across: u8,
    /// Points of a tile along `across` and along the last axis.
    pub sides: [u16; 2],
    /// Points of a pack along the last axis.
    pub lanes: u8,
    /// Elements of a pack of the turned operands, along `across`.
    pub turned_lanes: u8,
    /// Whether places take 64 bits.
    pub wide: bool,
    /// The inputs, then the outputs that are written.
    pub operands: SmallVec<[Way; 4]>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Way {
    pub reach: Reach,
    pub steps: SmallVec<[Step; 4]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// One element for all points.
    Once,
    /// One element for each pack.
    Same,
    /// The pack's elements lie together, aligned.
    Pack,
    /// Element by element.
    Each,
    /// Through a square in shared memory.
    Turned,
}

impl TilesForm {
    pub fn last(&self) -> usize {
        self.rank as usize - 1
    }

    /// Points of a tile along one of its two axes.
    pub fn side(&self, axis: usize) -> usize {
        self.sides[usize::from(axis == self.last())] as usize
    }

    /// The axes of which each block has one coordinate.
    pub fn outer(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.last()).filter(|axis| *axis != self.across as usize)
    }
}

/// Elements from row to row of a tile in shared memory: an odd number of words, so that a column meets all banks.
pub fn pitch(side: usize, size: usize) -> usize {
    match size {
        8.. => side | 1,
        _ => ((side * size).div_ceil(4) | 1) * 4 / size,
    }
}

/// `None` where the form does not suit.
pub fn plan(kernel: &Kernel<'_>, piece: &Geometry, choice: u8) -> Option<Chosen<TilesForm>> {
    let last = piece.rank() - 1;
    let is_simple = !kernel.can_fail && !kernel.has_gathers;
    if last == 0 || !is_simple || piece.points() < MIN_POINTS {
        return None;
    }
    let (inputs, outputs) = piece.operands.split_at(kernel.inputs());
    if outputs.iter().any(|output| output.strides[last] != 1) {
        return None;
    }
    let lies_along = |input: usize, axis: usize| {
        let strides = &inputs[input].strides;
        strides[axis] == 1 && strides[last].unsigned_abs() > 1 && kernel.is_loaded(input)
    };
    let turned_bytes = |axis: usize| -> usize {
        let turned = (0..inputs.len()).filter(|input| lies_along(*input, axis));
        turned.map(|input| inputs[input].dtype.size()).sum()
    };
    let is_wide = |axis: usize| piece.dims[axis] >= MIN_EXTENT;
    let makes_strips = |axis: usize| {
        let extent = piece.dims[axis];
        extent > 1 && piece.inner() >= STRIP_SIDES[0] && extent * turned_bytes(axis) >= MIN_RUN
    };
    let suits = |axis: &usize| is_wide(last) && is_wide(*axis) || makes_strips(*axis);
    let across = (0..last).filter(suits).max_by_key(|axis| turned_bytes(*axis))?;
    let turned: SmallVec<[usize; 2]> =
        (0..inputs.len()).filter(|input| lies_along(*input, across)).collect();
    if turned.is_empty() {
        return None;
    }
    let extents = [piece.dims[across], piece.inner()];
    let fits = |sides: &[usize; 2]| -> bool {
        let sizes = turned.iter().map(|input| inputs[*input].dtype.size());
        sizes.map(|size| sides[1] * pitch(sides[0], size) * size).sum::<usize>() <= MAX_SHARED
    };
    let all = tile_sides(extents);
    let wanted = all[choice as usize % all.len()];
    let sides = [wanted, all[0], all[1]].into_iter().find(fits)?;

    let turned_lanes = common_lanes(turned.iter().map(|input| &inputs[*input]), across, piece);
    let lanes = common_lanes(outputs.iter(), last, piece);
    let reach = |operand: usize, reached: &Reached| {
        let strides = &reached.strides;
        if strides.iter().all(|stride| *stride == 0) {
            Reach::Once
        } else if operand < inputs.len() && turned.contains(&operand) {
            Reach::Turned
        } else if strides[last] == 0 {
            Reach::Same
        } else if strides[last] == 1 && is_aligned(reached, lanes, last) {
            Reach::Pack
        } else {
            Reach::Each
        }
    };
    let ways = piece.operands.iter().enumerate().map(|(operand, reached)| Way {
        reach: reach(operand, reached),
        steps: reached.strides.iter().map(|stride| Step::of(*stride)).collect(),
    });
    let form = TilesForm {
        rank: piece.rank() as u8,
        across: across as u8,
        sides: sides.map(|side| side as u16),
        lanes: lanes as u8,
        turned_lanes: turned_lanes as u8,
        wide: piece.operands.iter().any(|operand| !is_near(piece.reach(operand))),
        operands: ways.collect(),
    };
    let tiles = |axis: usize| piece.dims[axis].div_ceil(form.side(axis));
    let outer: usize = form.outer().map(|axis| piece.dims[axis]).product();
    let blocks = (outer * tiles(across) * tiles(last)) as u32;
    let mut bytes = Bytes::new();
    fields(kernel, &form, Some(piece), &mut bytes);
    let (threads, choices) = (THREADS as u32, all.len() as u8);
    Some(Chosen { form, blocks, threads, params: bytes.finish(), choices })
}

/// The sides of tiles of a plane, the likely better ones first.
fn tile_sides(extents: [usize; 2]) -> [[usize; 2]; 2] {
    let [across, _] = extents;
    if across < MIN_EXTENT {
        let [least, most] = STRIP_SIDES;
        let long = (STRIP / across).next_power_of_two().clamp(least, most);
        return [[across, long], [across, long / 2]];
    }
    // Where large squares would reach far over the edges, small ones come first.
    let area =
        |side: usize| extents.map(|extent| extent.next_multiple_of(side)).iter().product::<usize>();
    let order = if 4 * area(64) > 5 * area(32) { [32, 64] } else { [64, 32] };
    order.map(|side| [side; 2])
}

/// The most elements that all these operands can move at a time along an axis on which they lie
/// together.
fn common_lanes<'a>(
    operands: impl Iterator<Item = &'a Reached> + Clone,
    axis: usize,
    piece: &Geometry,
) -> usize {
    let widest = operands.clone().map(|operand| operand.dtype.size()).max().unwrap_or(1);
    let mut lanes = (PACK_BYTES / widest).min(MAX_LANES);
    while lanes > 1
        && !(piece.dims[axis].is_multiple_of(lanes)
            && operands.clone().all(|operand| is_aligned(operand, lanes, axis)))
    {
        lanes /= 2;
    }
    lanes
}

fn is_aligned(operand: &Reached, lanes: usize, dense: usize) -> bool {
    let is_even = |(axis, stride): (usize, &isize)| {
        axis == dense || stride.unsigned_abs().is_multiple_of(lanes)
    };
    operand.address.is_multiple_of((lanes * operand.dtype.size()) as u64)
        && operand.strides.iter().enumerate().all(is_even)
}

/// Lists the fields of `struct Params`. Text has no values.
pub fn fields(
    kernel: &Kernel<'_>,
    form: &TilesForm,
    piece: Option<&Geometry>,
    fields: &mut impl Fields,
) {
    kernel.pointers(fields, |operand| piece.map_or(0, |piece| piece.operands[operand].address));
    for axis in [form.across as usize, form.last()] {
        let extent = piece.map_or(1, |piece| piece.dims[axis]);
        fields.u32(format_args!("extent{axis}"), extent as u32);
        fields.divisor(format_args!("tiles{axis}"), extent.div_ceil(form.side(axis)));
    }
    for axis in form.outer().skip(1) {
        let extent = piece.map_or(1, |piece| piece.dims[axis]);
        fields.divisor(format_args!("dim{axis}"), extent);
    }
    for (operand, way) in form.operands.iter().enumerate() {
        for axis in (0..way.steps.len()).filter(|axis| way.steps[*axis] == Step::Any) {
            let stride = piece.map_or(0, |piece| piece.operands[operand].strides[axis]);
            let (kind, number) = kernel.name(operand);
            fields.stride(format_args!("{kind}{number}_step{axis}"), form.wide, stride);
        }
    }
    for axis in (0..form.rank as usize).filter(|axis| kernel.asked >> axis & 1 == 1) {
        let start = piece.map_or(0, |piece| piece.start[axis]);
        fields.i64(format_args!("start{axis}"), start as i64);
    }
}
