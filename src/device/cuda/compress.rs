//! What a mask selects; see `kernels/compress.cu`.

use super::args::Args;
use super::context::{Context, Grid};
use super::source::{Source, kernel_source};
use super::staging::Staging;
use super::tiles::{Axes, blocks, common_axes, is_one_run, start, unsigned};
use crate::device::selection::Kept;
use crate::device::{Error, Mask, Selection, View};
use crate::dtype::DType;
use crate::layout::Shape;
use crate::memory::Provenance;

const COMPRESS: Source = kernel_source!("compress.cu", behind "tiles.cuh");

const THREADS: u32 = 256;
/// Points of a tile.
const TILE: usize = 4096;
/// Blocks that count, for each multiprocessor: as many as it has room for.
const COUNTING_BLOCKS: usize = 8;

/// See [`crate::device::Backend::count_true`].
pub fn count_true(
    context: &Context,
    staging: &Staging,
    mask: Mask<'_>,
) -> Result<Selection, Error> {
    count_by(context.chip.multiprocessors, context, staging, mask)
}

/// As so many multiprocessors are best kept busy, which results do not tell.
fn count_by(
    multiprocessors: u32,
    context: &Context,
    staging: &Staging,
    mask: Mask<'_>,
) -> Result<Selection, Error> {
    let points = mask.shape().elem_count();
    if points == 0 {
        return Ok(Selection::default());
    }
    let allocate = |dtype, len| {
        let provenance = Provenance::WORKSPACE.by("compress");
        mask.storage().device().allocate(dtype, len, provenance)
    };
    let (lies, axes, from, bits) = match mask {
        Mask::Bits { bits, .. } => ("BITS", one_run(points), bits.address(), bits.clone()),
        Mask::Elements(view) => {
            let (dims, strides) = common_axes(&view.layout.shape, [view.layout.strides.clone()]);
            let is_direct = is_one_run(&strides[0]) && start(view).is_multiple_of(16);
            let (lies, axes) = match is_direct {
                true => ("BYTES", one_run(points)),
                false => ("STRIDED", Axes::new(&dims, &strides)),
            };
            (lies, axes, start(view), allocate(DType::U32, points.div_ceil(32))?)
        }
    };
    let defines = axes.defines([("PART", "COUNT"), ("MASK", lies)]);
    let kernel = context.kernels.family(&COMPRESS, "count_true", &defines)?;
    let tiles = points.div_ceil(TILE);
    let each = tiles.div_ceil(COUNTING_BLOCKS * multiprocessors as usize);
    let counting = tiles.div_ceil(each);
    let kept = Kept::Device { bits, begins: allocate(DType::U8, 8 * counting + 4 * tiles)?, each };
    let grid = Grid::line(blocks(counting)?, THREADS);
    let count = context.receive(staging, |to| {
        let mut args = with_kept(Args::new().address(from), &kept, points)?
            .address(to.address)
            .address(to.flag)
            .address(context.counters())
            .u64(points as u64)
            .u32(to.ticket)
            .axes(&axes);
        context.launch(&kernel, grid, &mut args, mask.bytes() as u64)
    })?;
    Ok(Selection { count: count as usize, kept })
}

/// The parameters `bits`, `shares`, `tiles` and `each`: where the output of each block's tiles begins lies before where
/// each tile's begins among these.
fn with_kept<'a>(args: Args<'a>, kept: &Kept, points: usize) -> Result<Args<'a>, Error> {
    let Kept::Device { bits, begins, each } = kept else {
        return Err(Error::Driver("a mask was not counted on this GPU".to_string()));
    };
    let (shares, counting) = (begins.address(), points.div_ceil(TILE).div_ceil(*each));
    let tiles = shares + 8 * counting as u64;
    Ok(args.address(bits.address()).address(shares).address(tiles).u32(*each as u32))
}

/// See [`crate::device::Backend::compress`]; the mask has the values' shape.
pub fn compress(
    context: &Context,
    selection: &Selection,
    values: View<'_>,
    out: View<'_>,
) -> Result<(), Error> {
    let (points, room) = (values.layout.elem_count(), out.layout.elem_count());
    if room == 0 {
        return Ok(());
    }
    let size = values.dtype().size();
    let (dims, strides) = common_axes(&values.layout.shape, [values.layout.strides.clone()]);
    let is_direct =
        is_one_run(&strides[0]) && start(values).is_multiple_of(16.min(4 * size as u64));
    let axes = if is_direct { one_run(points) } else { Axes::new(&dims, &strides) };
    let direct = if is_direct { "1" } else { "0" };
    let defines = axes.defines([("PART", "SELECT"), ("DIRECT", direct), ("ITEM", unsigned(size))]);
    let kernel = context.kernels.family(&COMPRESS, "compress", &defines)?;
    let operands = Args::new().address(start(values)).address(start(out));
    let mut args = with_kept(operands, &selection.kept, points)?
        .u64(points as u64)
        .u64(room as u64)
        .axes(&axes);
    let traffic = points / 8 + points * size + room * size;
    let grid = Grid::line(blocks(points.div_ceil(TILE))?, THREADS);
    context.launch(&kernel, grid, &mut args, traffic as u64)
}

/// See [`crate::device::Backend::positions`].
pub fn positions(
    context: &Context,
    shape: &Shape,
    selection: &Selection,
    outs: &[View<'_>],
) -> Result<(), Error> {
    let points = shape.elem_count();
    let room = outs.first().map_or(0, |out| out.layout.elem_count());
    if room == 0 {
        return Ok(());
    }
    let axes = Axes::new(shape, &[shape.contiguous_strides()]);
    let defines = axes.defines([("PART", "POSITIONS")]);
    let kernel = context.kernels.family(&COMPRESS, "positions", &defines)?;
    let places: Vec<u8> = outs.iter().flat_map(|out| start(*out).to_ne_bytes()).collect();
    let mut args = with_kept(Args::new(), &selection.kept, points)?
        .u64(points as u64)
        .u64(room as u64)
        .bytes(&places)
        .axes(&axes);
    let traffic = points / 8 + 8 * room * outs.len();
    let grid = Grid::line(blocks(points.div_ceil(TILE))?, THREADS);
    context.launch(&kernel, grid, &mut args, traffic as u64)
}

/// The axes of an operand that lies in one run, which no kernel walks.
fn one_run(points: usize) -> Axes {
    Axes::new(&[points], &[[1isize]])
}

#[cfg(test)]
mod tests;
