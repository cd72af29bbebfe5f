//! Sorting along the last axis: rows of a few elements by a network of comparisons in the registers
//! of some lanes, rows that fit a block's shared memory by a block each, and long rows by radix
//! passes over memory (`radix.rs`).

mod radix;

use std::sync::Arc;

pub use radix::sort_pairs;

use super::args::Args;
use super::context::{Context, Grid};
use super::copy;
use super::run::Runner;
use super::source::{Source, kernel_source};
use crate::device::{Error, Storage, View};
use crate::dtype::DType;

/// Elements that may be read where they lie, however far apart; more are worth a copy first, which
/// reads whole lines.
const SCATTERED: usize = 1 << 16;

const ROWS: Source = kernel_source!("sort_rows.cu", behind "sort.cuh");

const NETWORK: Source = kernel_source!("sort_network.cu", behind "sort.cuh");

/// Threads of a block and elements of a thread, for rows that fit: their product is the longest
/// row. They fill at most 32 KiB of shared memory, so the last is for elements of up to 4 bytes.
const BLOCKS: [(u32, u32); 7] =
    [(32, 4), (32, 8), (64, 8), (128, 8), (256, 8), (256, 16), (512, 16)];

/// What the kernels need to know of a type: the macros of `sort.cuh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyType {
    /// Bytes of an element.
    pub size: usize,
    pub item: &'static str,
    pub key: &'static str,
    pub infinity: &'static str,
}

impl KeyType {
    /// Unsigned numbers of 4 or 8 bytes.
    pub fn unsigned(size: usize) -> KeyType {
        let item = if size == 8 { "u64" } else { "u32" };
        KeyType { size, item, key: "0", infinity: "0" }
    }

    fn of(dtype: DType) -> KeyType {
        let (item, key, infinity) = match dtype {
            DType::Bool | DType::U8 => ("u8", "0", "0"),
            DType::U16 => ("u16", "0", "0"),
            DType::U32 => ("u32", "0", "0"),
            DType::U64 => ("u64", "0", "0"),
            DType::I8 => ("u8", "1", "0"),
            DType::I16 => ("u16", "1", "0"),
            DType::I32 => ("u32", "1", "0"),
            DType::I64 => ("u64", "1", "0"),
            DType::F16 => ("u16", "2", "0x7c00"),
            DType::BF16 => ("u16", "2", "0x7f80"),
            DType::F32 => ("u32", "2", "0x7f800000"),
            DType::F64 => ("u64", "2", "0x7ff0000000000000"),
            DType::F8E4M3 | DType::F8E5M2 => dtype.not_carried(),
            DType::C64 | DType::C128 => dtype.not_stored(),
        };
        KeyType { size: dtype.size(), item, key, infinity }
    }

    fn is_float(self) -> bool {
        self.key == "2"
    }

    /// The macros, and some more.
    pub fn defines<'a, const N: usize>(
        self,
        more: [(&'static str, &'a str); N],
    ) -> Vec<(&'static str, &'a str)> {
        let own = [("ITEM", self.item), ("KEY", self.key), ("INFINITY_BITS", self.infinity)];
        own.into_iter().chain(more).collect()
    }
}

/// Rows to sort, evenly spaced.
#[derive(Debug, Clone, Copy)]
struct Rows {
    /// Of the first row's first element, in bytes.
    pub address: u64,
    pub count: usize,
    /// Elements of a row.
    pub len: usize,
    /// From row to row, in elements.
    pub row_step: isize,
    /// From element to element.
    pub step: isize,
}

/// Where sorted rows go, without holes. Either may be missing.
#[derive(Debug, Clone, Copy)]
struct Outputs {
    pub values: Option<u64>,
    pub indices: Option<u64>,
}

/// See [`crate::device::Backend::sort`].
pub fn sort(
    context: &Context,
    runner: &Runner,
    input: View<'_>,
    descending: bool,
    values: Option<View<'_>>,
    indices: Option<View<'_>>,
) -> Result<(), Error> {
    if input.layout.elem_count() == 0 || values.is_none() && indices.is_none() {
        return Ok(());
    }
    let key = KeyType::of(input.dtype());
    let start =
        |view: View<'_>| view.storage.address() + (view.layout.offset * view.dtype().size()) as u64;
    let out = Outputs { values: values.map(start), indices: indices.map(start) };
    let (rows, _copied) = rows_of(context, runner, input)?;
    let flip = if descending { u64::MAX } else { 0 };
    if rows.len <= most_in_network(key) {
        sort_network(context, key, rows, flip, out)
    } else if rows.len <= longest_in_block(key.size) {
        sort_rows(context, key, rows, flip, out)
    } else {
        radix::sort_long(context, input.storage.device(), key, rows, flip, out)
    }
}

/// The blocks, in bytes, that [`sort`] takes besides its operands.
pub fn workspace(input: View<'_>, has_values: bool, has_indices: bool) -> Vec<usize> {
    let layout = input.layout;
    let (total, len) = (layout.elem_count(), layout.shape.last().copied().unwrap_or(1));
    if total == 0 || !has_values && !has_indices {
        return Vec::new();
    }
    let size = KeyType::of(input.dtype()).size;
    let mut blocks = Vec::new();
    blocks.extend(in_place(input).is_none().then_some(total * size));
    if len > longest_in_block(size) {
        blocks.extend(radix::workspace(size, total / len, len, (has_values, has_indices)));
    }
    blocks
}

/// The longest row that the lanes of a warp sort. A block makes a pass for each byte in which keys
/// differ: those of integers do in few.
fn most_in_network(key: KeyType) -> usize {
    match (key.is_float(), key.size) {
        (true, 4) => 512,
        (true, _) => 256,
        (false, 8) => 64,
        (false, _) => 128,
    }
}

/// Elements that a lane holds of a row of so many, a power of two. With more of them fewer steps go
/// from lane to lane; with fewer, more rows are under way.
fn items_of_lane(width: usize, has_positions: bool) -> usize {
    match width {
        ..=4 if has_positions => width.min(2),
        ..=16 => width.min(4),
        32..=256 => 8,
        _ => width / 32,
    }
}

/// The longest row that a block sorts in shared memory.
fn longest_in_block(size: usize) -> usize {
    if size == 8 { 4096 } else { 8192 }
}

/// The steps from row to row and within a row, where rows are sorted from where they lie.
fn in_place(input: View<'_>) -> Option<(isize, isize)> {
    let layout = input.layout;
    let len = layout.shape.last().copied().unwrap_or(1);
    let step = layout.strides.last().copied().unwrap_or(1);
    let step = if len == 1 { 1 } else { step };
    let outer = layout.rank().saturating_sub(1);
    let is_near = step == 1 || layout.elem_count() <= SCATTERED && len <= 4096;
    let row_step = even_step(&layout.shape[..outer], &layout.strides[..outer])?;
    is_near.then_some((row_step, step))
}

/// The rows where they lie, or in a copy that must live until the launches are made.
fn rows_of(
    context: &Context,
    runner: &Runner,
    input: View<'_>,
) -> Result<(Rows, Option<Arc<Storage>>), Error> {
    let layout = input.layout;
    let len = layout.shape.last().copied().unwrap_or(1);
    let count = layout.elem_count() / len;
    if let Some((row_step, step)) = in_place(input) {
        let address = input.storage.address() + (layout.offset * input.dtype().size()) as u64;
        return Ok((Rows { address, count, len, row_step, step }, None));
    }
    let copied = copy::contiguous(context, runner, input, "sort")?;
    let row_step = len as isize;
    Ok((Rows { address: copied.address(), count, len, row_step, step: 1 }, Some(copied)))
}

/// The one step that leads through all points of some axes in order, if there is one.
fn even_step(dims: &[usize], strides: &[isize]) -> Option<isize> {
    let mut axes = dims.iter().zip(strides).rev().filter(|(dim, _)| **dim != 1);
    let Some((dim, step)) = axes.next() else { return Some(0) };
    let mut reach = *dim as isize * step;
    for (dim, stride) in axes {
        if *stride != reach {
            return None;
        }
        reach *= *dim as isize;
    }
    Some(*step)
}

fn sort_network(
    context: &Context,
    key: KeyType,
    rows: Rows,
    flip: u64,
    out: Outputs,
) -> Result<(), Error> {
    let width = rows.len.next_power_of_two();
    let items = items_of_lane(width, out.indices.is_some());
    let lanes = width / items;
    let [lanes_text, items_text] = [lanes, items].map(|number| number.to_string());
    let pairs = if out.indices.is_some() { "1" } else { "0" };
    let more = [("LANES", &*lanes_text), ("ITEMS", &items_text), ("PAIRS", pairs)];
    let kernel = context.kernels.family(&NETWORK, "sort_network", &key.defines(more))?;
    let mut args = Args::new()
        .address(rows.address)
        .address(out.values.unwrap_or(0))
        .address(out.indices.unwrap_or(0))
        .u64(rows.count as u64)
        .u32(rows.len as u32)
        .stride(rows.row_step)
        .stride(rows.step)
        .u64(flip);
    let grid = Grid::line(blocks(rows.count.saturating_mul(lanes).div_ceil(256))?, 256);
    context.launch(&kernel, grid, &mut args, traffic(key, rows, out))
}

fn sort_rows(
    context: &Context,
    key: KeyType,
    rows: Rows,
    flip: u64,
    out: Outputs,
) -> Result<(), Error> {
    let fits = |(threads, items): &&(u32, u32)| (threads * items) as usize >= rows.len;
    let (threads, items) =
        *BLOCKS.iter().find(fits).expect("the last holds the longest row that comes here");
    // As many blocks as leave a thread the registers for its elements and their positions.
    let resident = if key.size == 8 { 512 } else { 768 } / threads;
    let [threads_text, items_text, resident] =
        [threads, items, resident.max(1)].map(|number| number.to_string());
    let pairs = if out.indices.is_some() { "1" } else { "0" };
    let more = [
        ("THREADS", &*threads_text),
        ("ITEMS", &items_text),
        ("BLOCKS", &resident),
        ("PAIRS", pairs),
    ];
    let kernel = context.kernels.family(&ROWS, "sort_rows", &key.defines(more))?;
    let mut args = Args::new()
        .address(rows.address)
        .address(out.values.unwrap_or(0))
        .address(out.indices.unwrap_or(0))
        .u32(rows.len as u32)
        .stride(rows.row_step)
        .stride(rows.step)
        .u64(flip);
    let grid = Grid::line(blocks(rows.count)?, threads);
    context.launch(&kernel, grid, &mut args, traffic(key, rows, out))
}

/// Bytes that are read and written.
fn traffic(key: KeyType, rows: Rows, out: Outputs) -> u64 {
    let written = out.values.map_or(0, |_| key.size) + out.indices.map_or(0, |_| 8);
    (rows.count * rows.len * (key.size + written)) as u64
}

/// The number of blocks of a grid.
///
/// # Errors
/// More than CUDA has.
fn blocks(count: usize) -> Result<u32, Error> {
    let count = u32::try_from(count).ok().filter(|count| *count <= i32::MAX as u32);
    count.ok_or_else(|| Error::Driver("too many rows to sort at once".to_string()))
}

#[cfg(test)]
mod tests;
