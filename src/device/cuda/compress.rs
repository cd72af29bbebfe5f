//! What a mask selects; see `kernels/compress.cu`.

use std::sync::Arc;

use super::args::Args;
use super::context::{Context, Grid};
use super::source::{Source, kernel_source};
use super::staging::Staging;
use super::tiles::{Axes, blocks, common_axes, is_one_run, start, unsigned};
use crate::device::{Error, Storage, View};
use crate::dtype::DType;
use crate::memory::Provenance;

const COMPRESS: Source = kernel_source!("compress.cu", behind "tiles.cuh");

const THREADS: u32 = 256;
/// Points of a tile.
const TILE: usize = 4096;
/// Points that a thread counts at a time, where they lie side by side.
const COUNTED: usize = 64;

/// See [`crate::device::Backend::count_true`].
pub fn count_true(context: &Context, staging: &Staging, mask: View<'_>) -> Result<usize, Error> {
    let points = mask.layout.elem_count();
    if points == 0 {
        return Ok(0);
    }
    let (dims, strides) = common_axes(&mask.layout.shape, [mask.layout.strides.clone()]);
    let is_direct = is_one_run(&strides[0]) && start(mask).is_multiple_of(16);
    let axes = if is_direct { one_run(points, 1) } else { Axes::new(&dims, &strides) };
    let defines = axes.defines([("PART", "COUNT"), ("DIRECT", flag(is_direct)), ("ITEM", "u8")]);
    let kernel = context.kernels.family(&COMPRESS, "count_true", &defines)?;
    let each = if is_direct { COUNTED } else { 4 } * THREADS as usize;
    let most = 8 * context.chip.multiprocessors as usize;
    let grid = Grid::line(points.div_ceil(each).min(most) as u32, THREADS);
    let count = context.receive(staging, |to| {
        let mut args = Args::new()
            .address(start(mask))
            .address(to.address)
            .address(to.flag)
            .address(context.counters())
            .u64(points as u64)
            .u32(to.ticket)
            .axes(&axes);
        context.launch(&kernel, grid, &mut args, points as u64)
    })?;
    Ok(count as usize)
}

/// See [`crate::device::Backend::compress`].
pub fn compress(
    context: &Context,
    mask: View<'_>,
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
    let tiles = points.div_ceil(TILE);
    let states = states(context, out, tiles)?;
    let mut args = Args::new()
        .address(start(mask))
        .address(start(values))
        .address(start(out))
        .address(states.address())
        .u64(points as u64)
        .u64(room as u64)
        .axes(&axes);
    let traffic = points * (1 + size) + room * size;
    context.launch(&kernel, Grid::line(blocks(tiles)?, THREADS), &mut args, traffic as u64)
}

/// See [`crate::device::Backend::positions`].
pub fn positions(context: &Context, mask: View<'_>, outs: &[View<'_>]) -> Result<(), Error> {
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
    let tiles = points.div_ceil(TILE);
    let states = states(context, outs[0], tiles)?;
    let places: Vec<u8> = outs.iter().flat_map(|out| start(*out).to_ne_bytes()).collect();
    let mut args = Args::new()
        .address(start(mask))
        .address(states.address())
        .u64(points as u64)
        .u64(room as u64)
        .bytes(&places)
        .axes(&axes);
    let traffic = points + 8 * room * outs.len();
    context.launch(&kernel, Grid::line(blocks(tiles)?, THREADS), &mut args, traffic as u64)
}

/// The axes of operands that all lie in one run, which no kernel walks.
fn one_run(points: usize, operands: usize) -> Axes {
    Axes::new(&[points], &vec![[1isize]; operands])
}

/// Zeros for the tiles to say how far they are. A tile that is alone looks at none.
fn states(context: &Context, out: View<'_>, tiles: usize) -> Result<Arc<Storage>, Error> {
    let provenance = Provenance::WORKSPACE.by("compress");
    let states = out.storage.device().allocate(DType::I64, tiles, provenance)?;
    if tiles > 1 {
        context.fill(states.address(), 0, 8 * tiles)?;
    }
    Ok(states)
}

fn flag(is_set: bool) -> &'static str {
    if is_set { "1" } else { "0" }
}

#[cfg(test)]
mod tests;
