//! Radix sort of long rows and of pairs: a histogram of all digits, then one pass for each digit
//! (`kernels/sort_radix.cu`).

use std::sync::Arc;

use super::{KeyType, Outputs, Rows, blocks};
use crate::device::cuda::args::Args;
use crate::device::cuda::context::{Context, Grid};
use crate::device::cuda::kernel::Kernel;
use crate::device::cuda::source::{Source, kernel_source};
use crate::device::{Device, Error, Storage};
use crate::dtype::DType;
use crate::memory::Provenance;

const RADIX: Source = kernel_source!("sort_radix.cu", behind "sort.cuh");

const DIGITS: usize = 256;
/// Threads of the histogram's blocks.
const COUNTING: u32 = 512;
/// Threads of a pass's blocks.
const THREADS: u32 = 384;
/// The histogram's blocks take as many elements as this at the least: each writes all digits.
const LEAST_CHUNK: usize = 8192;
/// From here on, a word of 32 bits does not hold a count beside its two flags.
const WIDE: usize = 1 << 30;

/// A sort of rows by their keys' lowest `passes` digits.
struct Job<'a> {
    context: &'a Context,
    device: &'a Device,
    key: KeyType,
    rows: Rows,
    flip: u64,
    passes: u32,
}

/// Where elements are to lie in the end, and the room for them on the way.
#[derive(Debug, Clone, Copy, Default)]
struct Places {
    out: u64,
    /// From row to row in `out`, in elements.
    out_step: usize,
    spare: u64,
}

/// What moves along with the elements.
#[derive(Debug, Clone, Copy)]
struct Payload {
    /// Where it is at first; zero for the elements' positions.
    from: u64,
    places: Places,
    /// Where positions go in the end, as int64; zero for `places.out`.
    indices: u64,
    /// Whether the elements themselves are wanted in the end.
    keeps_items: bool,
}

/// Keys in order, and the payload that came with each.
#[derive(Debug)]
pub struct Sorted {
    pub keys: Arc<Storage>,
    /// 4 bytes each, or 8 where `is_wide`.
    pub payload: Arc<Storage>,
    pub is_wide: bool,
}

/// Sorts rows of any length.
pub(super) fn sort_long(
    context: &Context,
    device: &Device,
    key: KeyType,
    rows: Rows,
    flip: u64,
    out: Outputs,
) -> Result<(), Error> {
    let job = Job { context, device, key, rows, flip, passes: key.size as u32 };
    let spare = job.room(key.size)?;
    let Some(indices) = out.indices else {
        let out = out.values.unwrap_or(0);
        let places = Places { out, out_step: rows.len, spare: spare.address() };
        return job.run(places, None);
    };
    let spare_payload = job.room(job.count_size())?;
    // The indices' own memory, 8 bytes for each element, holds what is on the way until the last
    // pass: the payload, and behind it the keys, if they are not wanted and small enough.
    let shares = out.values.is_none() && !job.is_wide() && key.size <= 4;
    let own = (out.values.is_none() && !shares).then(|| job.room(key.size)).transpose()?;
    let (address, out_step) = match (out.values, &own) {
        (Some(values), _) => (values, rows.len),
        (None, Some(own)) => (own.address(), rows.len),
        (None, None) => (indices + 4 * rows.len as u64, 8 * rows.len / key.size),
    };
    let payload = Payload {
        from: 0,
        places: Places {
            out: indices,
            out_step: 8 * rows.len / job.count_size(),
            spare: spare_payload.address(),
        },
        indices,
        keeps_items: out.values.is_some(),
    };
    job.run(Places { out: address, out_step, spare: spare.address() }, Some(payload))
}

/// Sorts `len` unsigned keys of 4 or 8 bytes stably by their lowest `bits` bits (all others must be
/// equal). `payload` is where numbers of 4 bytes lie that go with them, or of 8 bytes if there are
/// 2³⁰ or more; without it, each key's position goes with it.
///
/// # Errors
/// Out of memory; what a launch may meet.
pub fn sort_pairs(
    context: &Context,
    device: &Device,
    (keys, key_size): (u64, usize),
    payload: Option<u64>,
    len: usize,
    bits: u32,
) -> Result<Sorted, Error> {
    let key = KeyType::unsigned(key_size);
    let rows = Rows { address: keys, count: 1, len, row_step: 0, step: 1 };
    let passes = bits.clamp(1, 8 * key_size as u32).div_ceil(8);
    let job = Job { context, device, key, rows, flip: 0, passes };
    let (keys, spare) = (job.room(key_size)?, job.room(key_size)?);
    let (carried, carried_spare) = (job.room(job.count_size())?, job.room(job.count_size())?);
    let sorted = Sorted { keys, payload: carried, is_wide: job.is_wide() };
    if len == 0 {
        return Ok(sorted);
    }
    let places = Places { out: sorted.keys.address(), out_step: len, spare: spare.address() };
    let payload = Payload {
        from: payload.unwrap_or(0),
        places: Places {
            out: sorted.payload.address(),
            out_step: len,
            spare: carried_spare.address(),
        },
        indices: 0,
        keeps_items: true,
    };
    job.run(places, Some(payload))?;
    Ok(sorted)
}

/// The blocks, in bytes, that [`sort_long`] takes besides its operands.
pub(super) fn workspace(
    size: usize,
    rows: usize,
    len: usize,
    (has_values, has_indices): (bool, bool),
) -> Vec<usize> {
    let (count, total) = (count_size(len), rows * len);
    let mut blocks = vec![total * size];
    if has_indices {
        blocks.push(total * count);
        let shares = len < WIDE && size <= 4;
        blocks.extend((!has_values && !shares).then_some(total * size));
    }
    let tiles = len.div_ceil(THREADS as usize * items(len, size));
    let [zeros, words] = words(rows, tiles, size, count);
    blocks.push(zeros + words + rows * 4);
    blocks
}

/// Bytes of the counts that begin as zeros, and of a pass's own.
fn words(rows: usize, tiles: usize, passes: usize, count: usize) -> [usize; 2] {
    let (starts, words) = (rows * passes * DIGITS * count, tiles * rows * DIGITS * count);
    [(starts + words + rows * 4).next_multiple_of(8), words]
}

/// Bytes of a count, and of a payload.
fn count_size(len: usize) -> usize {
    if len >= WIDE { 8 } else { 4 }
}

/// Elements of a thread in a pass: as many as registers hold for two blocks on a multiprocessor.
fn items(len: usize, size: usize) -> usize {
    match (len >= WIDE, size) {
        (true, _) => 10,
        (false, 8) => 12,
        (false, _) => 20,
    }
}

impl Job<'_> {
    fn is_wide(&self) -> bool {
        self.rows.len >= WIDE
    }

    fn count_size(&self) -> usize {
        count_size(self.rows.len)
    }

    fn items(&self) -> usize {
        items(self.rows.len, self.key.size)
    }

    /// Memory for something of `size` bytes for each element.
    fn room(&self, size: usize) -> Result<Arc<Storage>, Error> {
        self.bytes(self.rows.count * self.rows.len * size)
    }

    fn bytes(&self, bytes: usize) -> Result<Arc<Storage>, Error> {
        self.device.allocate(DType::U8, bytes, Provenance::WORKSPACE.by("sort"))
    }

    fn run(&self, places: Places, payload: Option<Payload>) -> Result<(), Error> {
        let Job { context, rows, passes, .. } = *self;
        let items = self.items();
        let (threads_text, items_text) = (THREADS.to_string(), items.to_string());
        let tiles = rows.len.div_ceil(THREADS as usize * items);
        let grid = blocks(tiles.saturating_mul(rows.count))?;
        let pairs = if payload.is_some() { "1" } else { "0" };
        let wide = if self.is_wide() { "1" } else { "0" };
        let more = [
            ("THREADS", &*threads_text),
            ("ITEMS", &items_text),
            ("BLOCKS", "2"),
            ("PAIRS", pairs),
            ("WIDE", wide),
        ];
        let defines = self.key.defines(more);
        let histogram = context.kernels.family(&RADIX, "sort_histogram", &defines)?;
        let pass = context.kernels.family(&RADIX, "sort_pass", &defines)?;

        // One piece of scratch memory: what begins as zeros stands first.
        let count = self.count_size();
        let starts = rows.count * passes as usize * DIGITS * count;
        let [zeros, words] = words(rows.count, tiles, passes as usize, count);
        let scratch = self.bytes(zeros + words + rows.count * 4)?;
        let starts_at = scratch.address();
        let words_at = [starts_at + starts as u64, starts_at + zeros as u64];
        let done_at = words_at[0] + words as u64;
        let plan_at = words_at[1] + words as u64;
        context.fill(starts_at, 0, zeros)?;

        self.count(&histogram, starts_at, plan_at, done_at)?;
        for number in 0..passes {
            let [words, cleared] = match number % 2 {
                0 => words_at,
                _ => [words_at[1], words_at[0]],
            };
            let mut args = Args::new().address(rows.address).address(places.out);
            args = args.address(places.spare);
            if let Some(payload) = payload {
                args = args.address(payload.from).address(payload.places.out);
                args = args.address(payload.places.spare).address(payload.indices);
            }
            args = args.address(starts_at).address(plan_at).address(words).address(cleared);
            args = args.u64(rows.len as u64).u32(tiles as u32).stride(rows.row_step);
            args = args.u64(places.out_step as u64);
            if let Some(payload) = payload {
                args = args.u64(payload.places.out_step as u64);
                args = args.u32(u32::from(payload.keeps_items));
            }
            args = args.u64(self.flip).u32(number).u32(passes);
            let carried = payload.map_or(0, |_| self.count_size());
            let traffic = 2 * rows.count * rows.len * (self.key.size + carried);
            context.launch(&pass, Grid::line(grid, THREADS), &mut args, traffic as u64)?;
        }
        Ok(())
    }

    /// Launches the histogram of all digits.
    fn count(&self, kernel: &Kernel, starts: u64, plan: u64, done: u64) -> Result<(), Error> {
        let rows = self.rows;
        let blocks_wanted = 4 * self.context.chip.multiprocessors as usize;
        let most = rows.len.div_ceil(LEAST_CHUNK);
        let chunks = blocks_wanted.div_ceil(rows.count).clamp(1, most);
        let chunk = rows.len.div_ceil(chunks).next_multiple_of(16);
        let chunks = rows.len.div_ceil(chunk);
        let mut args = Args::new()
            .address(rows.address)
            .address(starts)
            .address(plan)
            .address(done)
            .u64(rows.len as u64)
            .u64(chunk as u64)
            .u32(chunks as u32)
            .stride(rows.row_step)
            .u64(self.flip)
            .u32(self.passes);
        let grid = Grid::line(blocks(chunks.saturating_mul(rows.count))?, COUNTING);
        let traffic = (rows.count * rows.len * self.key.size) as u64;
        self.context.launch(kernel, grid, &mut args, traffic)
    }
}
