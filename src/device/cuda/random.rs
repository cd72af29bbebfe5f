//! Random numbers with the bits that the CPU gives; see `kernels/random.cu`.

use super::args::Args;
use super::context::{Context, Grid};
use super::source::{Source, kernel_source};
use super::tiles::{blocks, item, start};
use crate::device::{Error, RandomKind, View};
use crate::dtype::DType;

const RANDOM: Source = kernel_source!("random.cu", behind "tiles.cuh");

/// Threads of a block, each of which makes a quarter of a group.
const THREADS: usize = 256;

/// Blocks of the stream in a group of elements.
const GROUP_BLOCKS: usize = 16;

/// See [`crate::device::Backend::random`].
pub fn random(
    context: &Context,
    kind: RandomKind,
    seed: u64,
    counter: u64,
    out: View<'_>,
) -> Result<u64, Error> {
    let (dtype, len) = (out.dtype(), out.layout.elem_count());
    let is_float = dtype.is_float();
    let (draw, low, high) = match kind {
        RandomKind::Uniform if is_float => ("uniform", 0, 0),
        RandomKind::Normal if is_float => ("normal", 0, 0),
        RandomKind::Integer { low, high } => ("integer", low, high),
        // No integer lies within [0, 1) but zero, and a normal number is none: the callers ask for
        // floats.
        RandomKind::Uniform | RandomKind::Normal => {
            debug_assert!(false, "{kind:?} as {dtype}");
            ("integer", 0, 1)
        }
    };
    let is_wide = draw == "integer" || dtype == DType::F64;
    let (from, group) = if is_wide { ("64", 32) } else { ("32", 64) };
    let groups = len.div_ceil(group);
    if len > 0 {
        let defines = [("ITEM", item(dtype)), ("DRAW", draw), ("FROM", from)];
        let kernel = context.kernels.family(&RANDOM, "fill_random", &defines)?;
        let mut range = [0; 16];
        range[..8].copy_from_slice(&low.to_ne_bytes());
        range[8..].copy_from_slice(&(high.wrapping_sub(low) as u64).to_ne_bytes());
        let size = dtype.size();
        let is_aligned = start(out).is_multiple_of(16.min(4 * size as u64));
        let mut args = Args::new()
            .address(start(out))
            .u64(len as u64)
            .u64(seed)
            .u64(counter)
            .bytes(&range)
            .u32(u32::from(is_aligned));
        let grid = Grid::line(blocks((4 * groups).div_ceil(THREADS))?, THREADS as u32);
        context.launch(&kernel, grid, &mut args, (len * size) as u64)?;
    }
    Ok((groups * GROUP_BLOCKS) as u64)
}

#[cfg(test)]
mod tests;
