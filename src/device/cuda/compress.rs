//! What a mask selects; see `kernels/compress.cu`.

use super::args::Args;
use super::context::{Context, Grid};
use super::source::{Source, kernel_source};
use super::staging::Staging;
use super::tiles::{Axes, blocks, common_axes, is_one_run, start, unsigned};
use crate::device::selection::Begins;
use crate::device::{Error, Selection, View};
use crate::dtype::DType;
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
    mask: View<'_>,
) -> Result<Selection, Error> {
    count_by(context.chip.multiprocessors, context, staging, mask)
}

/// As so many multiprocessors are best kept busy, which results do not tell.
fn count_by(
    multiprocessors: u32,
    context: &Context,
    staging: &Staging,
    mask: View<'_>,
) -> Result<Selection, Error> {
    let points = mask.layout.elem_count();
    if points == 0 {
        return Ok(Selection::default());
    }
    let (dims, strides) = common_axes(&mask.layout.shape, [mask.layout.strides.clone()]);
    let is_direct = is_one_run(&strides[0]) && start(mask).is_multiple_of(16);
    let axes = if is_direct { one_run(points, 1) } else { Axes::new(&dims, &strides) };
    let defines = axes.defines([("PART", "COUNT"), ("DIRECT", flag(is_direct)), ("ITEM", "u8")]);
    let kernel = context.kernels.family(&COMPRESS, "count_true", &defines)?;
    let tiles = points.div_ceil(TILE);
    let each = tiles.div_ceil(COUNTING_BLOCKS * multiprocessors as usize);
    let counting = tiles.div_ceil(each);
    let provenance = Provenance::WORKSPACE.by("compress");
    let memory = mask.storage.device().allocate(DType::U8, 8 * counting + 4 * tiles, provenance)?;
    let begins = Begins::Device { memory, each };
    let grid = Grid::line(blocks(counting)?, THREADS);
    let count = context.receive(staging, |to| {
        let mut args = with_begins(Args::new().address(start(mask)), &begins, points)?
            .address(to.address)
            .address(to.flag)
            .address(context.counters())
            .u64(points as u64)
            .u32(to.ticket)
            .axes(&axes);
        context.launch(&kernel, grid, &mut args, points as u64)
    })?;
    Ok(Selection { count: count as usize, begins })
}

/// The parameters `shares`, `tiles` and `each`: where the output of each block's tiles begins lies before where each
/// tile's begins among these.
fn with_begins<'a>(args: Args<'a>, begins: &Begins, points: usize) -> Result<Args<'a>, Error> {
    let Begins::Device { memory, each } = begins else {
        return Err(Error::Driver("a mask was not counted on this GPU".to_string()));
    };
    let (shares, counting) = (memory.address(), points.div_ceil(TILE).div_ceil(*each));
    Ok(args.address(shares).address(shares + 8 * counting as u64).u32(*each as u32))
}

/// See [`crate::device::Backend::compress`].
pub fn compress(
    context: &Context,
    mask: View<'_>,
    selection: &Selection,
    values: View<'_>,
    out: View<'_>,
) -> Result<(), Error> {
    let (points, room) = (mask.layout.elem_count(), out.layout.elem_count());
    if room == 0 {
        return Ok(());
    }
    let size = values.dtype().size();
    let operands = [mask.layout.strides.clone(), values.layout.strides.clone()];
    let (dims, strides) = common_axes(&mask.layout.shape, operands);
    let is_direct = strides.iter().all(|strides| is_one_run(strides))
        && start(mask).is_multiple_of(16)
        && start(values).is_multiple_of(16.min(4 * size as u64));
    let axes = if is_direct { one_run(points, 2) } else { Axes::new(&dims, &strides) };
    let item = unsigned(size);
    let defines = axes.defines([("PART", "SELECT"), ("DIRECT", flag(is_direct)), ("ITEM", item)]);
    let kernel = context.kernels.family(&COMPRESS, "compress", &defines)?;
    let operands = Args::new().address(start(mask)).address(start(values)).address(start(out));
    let mut args = with_begins(operands, &selection.begins, points)?
        .u64(points as u64)
        .u64(room as u64)
        .axes(&axes);
    let traffic = points * (1 + size) + room * size;
    let grid = Grid::line(blocks(points.div_ceil(TILE))?, THREADS);
    context.launch(&kernel, grid, &mut args, traffic as u64)
}

/// See [`crate::device::Backend::positions`].
pub fn positions(
    context: &Context,
    mask: View<'_>,
    selection: &Selection,
    outs: &[View<'_>],
) -> Result<(), Error> {
    let points = mask.layout.elem_count();
    let room = outs.first().map_or(0, |out| out.layout.elem_count());
    if room == 0 {
        return Ok(());
    }
    let is_direct = mask.layout.is_contiguous() && start(mask).is_multiple_of(16);
    let axes = Axes::new(&mask.layout.shape, &[&mask.layout.strides]);
    let defines =
        axes.defines([("PART", "POSITIONS"), ("DIRECT", flag(is_direct)), ("ITEM", "u8")]);
    let kernel = context.kernels.family(&COMPRESS, "positions", &defines)?;
    let places: Vec<u8> = outs.iter().flat_map(|out| start(*out).to_ne_bytes()).collect();
    let mut args = with_begins(Args::new().address(start(mask)), &selection.begins, points)?
        .u64(points as u64)
        .u64(room as u64)
        .bytes(&places)
        .axes(&axes);
    let traffic = points + 8 * room * outs.len();
    let grid = Grid::line(blocks(points.div_ceil(TILE))?, THREADS);
    context.launch(&kernel, grid, &mut args, traffic as u64)
}

/// The axes of operands that all lie in one run, which no kernel walks.
fn one_run(points: usize, operands: usize) -> Axes {
    Axes::new(&[points], &vec![[1isize]; operands])
}

fn flag(is_set: bool) -> &'static str {
    if is_set { "1" } else { "0" }
}

#[cfg(test)]
mod tests;
