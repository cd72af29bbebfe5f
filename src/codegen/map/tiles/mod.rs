//! The form for operands that lie across the output, a transposed matrix for one: squares of them
//! are read along their own rows, turned in shared memory, and used along the output's rows.

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
    /// Points along each side of a square.
    pub side: u8,
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

    /// The axes of which each block has one coordinate.
    pub fn outer(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.last()).filter(|axis| *axis != self.across as usize)
    }
}

/// Elements that each row of a square is longer than its side, so that a column meets all banks of
/// shared memory.
pub fn padding(size: usize) -> usize {
    (4 / size).max(1)
}

/// `None` where the form does not suit.
pub fn plan(kernel: &Kernel<'_>, piece: &Geometry, choice: u8) -> Option<Chosen<TilesForm>> {
    let last = piece.rank() - 1;
    let is_simple = !kernel.can_fail && !kernel.has_gathers;
    if last == 0 || !is_simple || piece.inner() < MIN_EXTENT || piece.points() < MIN_POINTS {
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
    let wide_enough = (0..last).filter(|axis| piece.dims[*axis] >= MIN_EXTENT);
    let across = wide_enough.max_by_key(|axis| turned_bytes(*axis))?;
    let turned: SmallVec<[usize; 2]> =
        (0..inputs.len()).filter(|input| lies_along(*input, across)).collect();
    if turned.is_empty() {
        return None;
    }
    let shared = |side: usize| -> usize {
        let sizes = turned.iter().map(|input| inputs[*input].dtype.size());
        sizes.map(|size| side * (side + padding(size)) * size).sum()
    };
    // Where large squares would reach far over the edges, small ones come first.
    let reached = |side: usize, axis: usize| piece.dims[axis].next_multiple_of(side);
    let area = |side: usize| reached(side, across) * reached(side, last);
    let order = if 4 * area(64) > 5 * area(32) { [32, 64] } else { [64, 32] };
    let wanted = order[choice as usize % order.len()];
    let side = [wanted, 32].into_iter().find(|side| shared(*side) <= MAX_SHARED)?;

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
        side: side as u8,
        lanes: lanes as u8,
        turned_lanes: turned_lanes as u8,
        wide: piece.operands.iter().any(|operand| !is_near(piece.reach(operand))),
        operands: ways.collect(),
    };
    let tiles = |axis: usize| piece.dims[axis].div_ceil(side);
    let outer: usize = form.outer().map(|axis| piece.dims[axis]).product();
    let blocks = (outer * tiles(across) * tiles(last)) as u32;
    let mut bytes = Bytes::new();
    fields(kernel, &form, Some(piece), &mut bytes);
    let (threads, choices) = (THREADS as u32, order.len() as u8);
    Some(Chosen { form, blocks, threads, params: bytes.finish(), choices })
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
        fields.divisor(format_args!("tiles{axis}"), extent.div_ceil(form.side as usize));
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
