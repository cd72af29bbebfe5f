//! Places among sorted elements; see `kernels/search.cu`.

use super::args::Args;
use super::context::{Context, Grid};
use super::copy;
use super::run::Runner;
use super::source::{Source, kernel_source};
use super::tiles::{Axes, common_axes, is_one_run, item, start};
use crate::device::{Error, View};

const SEARCH: Source = kernel_source!("search.cu", behind "tiles.cuh");

const THREADS: usize = 512;
/// Values of a thread: `NEAR`.
const NEAR: usize = 4;
/// Bytes of samples that a block holds at most.
const SAMPLE_BYTES: usize = 32 << 10;
/// Samples that are read whatever a block has to do.
const FEW_SAMPLES: usize = 256;
/// Blocks of a multiprocessor.
const BLOCKS: usize = 3;

/// See [`crate::device::Searcher::search`].
pub fn search(
    context: &Context,
    runner: &Runner,
    sorted: View<'_>,
    values: View<'_>,
    right: bool,
    out: View<'_>,
) -> Result<(), Error> {
    let (count, points) = (sorted.layout.elem_count(), values.layout.elem_count());
    if points == 0 {
        return Ok(());
    }
    if !is_one_run(&sorted.layout.strides) && count > 1 {
        let copied = copy::contiguous(context, runner, sorted, "search")?;
        let layout = crate::layout::Layout::contiguous(sorted.layout.shape.clone());
        let sorted = View { storage: &copied, layout: &layout };
        return search(context, runner, sorted, values, right, out);
    }
    let (dims, strides) = common_axes(&values.layout.shape, [values.layout.strides.clone()]);
    let axes = Axes::new(&dims, &strides);
    let side = if right { "1" } else { "0" };
    let defines = axes.defines([("ITEM", item(sorted.dtype())), ("RIGHT", side)]);
    let kernel = context.kernels.family(&SEARCH, "search", &defines)?;

    let most = BLOCKS * context.chip.multiprocessors as usize;
    let blocks = points.div_ceil(THREADS * NEAR).min(most);
    // A block reads no more samples than it has values, but for a few.
    let size = sorted.dtype().size();
    let nodes = points.div_ceil(blocks).max(FEW_SAMPLES).min(SAMPLE_BYTES / size);
    let most = (nodes + 1).next_power_of_two() / 2 - 1;
    // The last bucket needs none.
    let bucket = count.div_ceil(most + 1).max(1).next_power_of_two();
    let sampled = count.saturating_sub(1) / bucket;
    let levels = (sampled + 1).next_power_of_two().trailing_zeros();
    let mut args = Args::new()
        .address(start(sorted))
        .address(start(values))
        .address(start(out))
        .u64(count as u64)
        .u64(bucket as u64)
        .u32(sampled as u32)
        .u32(levels)
        .u64(points as u64)
        .axes(&axes);
    let traffic = count * size + points * (size + 8);
    context.launch(&kernel, Grid::line(blocks as u32, THREADS as u32), &mut args, traffic as u64)
}

#[cfg(test)]
mod tests;
