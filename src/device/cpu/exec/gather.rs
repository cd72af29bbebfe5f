//! Reads at computed indices.

use smallvec::SmallVec;

use super::super::dispatch::vectorized;
use super::geometry::{Block, Operand};
use super::{block, pattern};
use crate::device::Error;
use crate::ir::Reg;

/// An index of each lane of a block, as int64: in a register, one behind the other, or, with strides, where
/// an input has them.
#[derive(Debug, Clone, Copy)]
pub struct Indices<'a> {
    pub first: *const u8,
    pub strides: &'a [isize],
}

impl Indices<'_> {
    /// # Safety
    /// All lanes of the block can be read.
    unsafe fn lane(&self, block: &Block, lane: usize) -> i64 {
        let mut offset = 8 * lane as isize;
        if !self.strides.is_empty() {
            (offset, _) = (block.dims.iter().zip(self.strides).rev()).fold(
                (0, lane),
                |(offset, left), (extent, stride)| {
                    (offset + (left % extent) as isize * stride, left / extent)
                },
            );
        }
        // SAFETY: the caller's.
        unsafe { self.first.offset(offset).cast::<i64>().read() }
    }
}

/// Where the lanes of blocks are read, in bytes.
#[derive(Debug, Default)]
pub struct Offsets {
    lanes: Vec<i64>,
    of: Option<Columns>,
}

impl Offsets {
    /// Lets nobody take them for those of another launch.
    pub fn forget(&mut self) {
        self.of = None;
    }
}

/// The offsets of some rows of a block whose indices change along the last axis only: other blocks have the same.
#[derive(Debug, PartialEq)]
struct Columns {
    operand: *const Operand,
    /// Where indices begin, and how many bytes lie between them.
    indices: SmallVec<[(*const u8, isize); 2]>,
    /// Bytes from row to row and from lane to lane.
    strides: [isize; 2],
    width: usize,
    together: usize,
}

/// An index that points nowhere.
#[cold]
#[inline(never)]
fn out_of_bounds(instr: Reg, indices: &[Indices<'_>], operand: &Operand, block: &Block) -> Error {
    for lane in 0..block.lanes {
        for (number, (index, (extent, _))) in indices.iter().zip(&operand.gathered).enumerate() {
            // SAFETY: a lane of the block.
            let value = unsafe { index.lane(block, lane) };
            if value >= *extent as i64 || value < -(*extent as i64) {
                let (operand, extent) = (number, *extent);
                return Error::IndexOutOfBounds { instr: Some(instr), operand, value, extent };
            }
        }
    }
    unreachable!("a lane was found out of bounds")
}

vectorized! {
    /// Adds each lane's index, as bytes, to its offset, or to nothing if it is the `FIRST`; negative ones
    /// count from the end. False if one is out of bounds: its offset is then of no use, but others are right.
    fn add_offsets[const FIRST: bool](
        offsets: &mut [i64], index: &[i64], extent: usize, stride: isize,
    ) -> bool = add_offsets_body[FIRST]
}

#[inline(always)]
fn add_offsets_body<const FIRST: bool>(
    offsets: &mut [i64],
    index: &[i64],
    extent: usize,
    stride: isize,
) -> bool {
    let (extent, stride) = (extent as i64, stride as i64);
    let mut good = true;
    for (offset, index) in offsets.iter_mut().zip(index) {
        let wrapped = if *index < 0 { *index + extent } else { *index };
        good &= (wrapped as u64) < extent as u64;
        let before = if FIRST { 0 } else { *offset };
        *offset = before.wrapping_add(wrapped.wrapping_mul(stride));
    }
    good
}

vectorized! {
    /// Whether the index is the same all along each run.
    fn is_constant(index: &[i64], run: usize) -> bool = is_constant_body
}

#[inline(always)]
fn is_constant_body(index: &[i64], run: usize) -> bool {
    index.chunks_exact(run).all(|run| run.iter().fold(0, |apart, x| apart | (x ^ run[0])) == 0)
}

/// Runs shorter than this are read lane by lane.
pub(super) const SHORTEST_RUN: usize = 4;
/// Elements of as many rows as have no more than this are read at once.
pub(super) const TOGETHER: usize = 256;
/// How far ahead of the copying rows are asked for.
pub(super) const ROWS_AHEAD: usize = 8;
/// Bytes of a row that are asked for: the processor itself goes on in the same direction.
pub(super) const ASKED: usize = 512;

/// Whether a block has runs that are worth being copied whole: dense along its last axis.
pub fn has_runs(dims: &[usize], strides: &[isize], size: usize) -> bool {
    match (strides.last(), dims.last()) {
        (Some(stride), Some(run)) => *stride == size as isize && *run >= SHORTEST_RUN,
        _ => false,
    }
}

/// Runs of at most as many bytes are copied in two pieces, which overlap as they must.
pub(super) const SHORT_RUN: usize = 64;

/// Copies a run of `bytes` bytes from each offset.
unsafe fn copy_rows(out: *mut u8, base: *const u8, offsets: &[i64], bytes: usize) {
    /// Runs of `SIZE` to twice as many bytes.
    #[inline(always)]
    unsafe fn pairs<const SIZE: usize>(
        out: *mut u8,
        base: *const u8,
        offsets: &[i64],
        bytes: usize,
    ) {
        let rest = bytes - SIZE;
        for (row, offset) in offsets.iter().enumerate() {
            // SAFETY: the caller's; both pieces lie within the run.
            unsafe {
                let (to, from) = (out.add(row * bytes), base.offset(*offset as isize));
                let first = from.cast::<[u8; SIZE]>().read();
                let last = from.add(rest).cast::<[u8; SIZE]>().read();
                to.cast::<[u8; SIZE]>().write(first);
                to.add(rest).cast::<[u8; SIZE]>().write(last);
            }
        }
    }
    // SAFETY: the caller checked every offset, and gives room for all runs; the pieces are no longer than a run.
    unsafe {
        match bytes {
            0..4 => {}
            4..8 => return pairs::<4>(out, base, offsets, bytes),
            8..16 => return pairs::<8>(out, base, offsets, bytes),
            16..32 => return pairs::<16>(out, base, offsets, bytes),
            32..=SHORT_RUN => return pairs::<32>(out, base, offsets, bytes),
            _ => {}
        }
    }
    for (row, offset) in offsets.iter().enumerate() {
        if let Some(later) = offsets.get(row + ROWS_AHEAD) {
            let later = base.wrapping_offset(*later as isize);
            (0..bytes.min(ASKED)).step_by(64).for_each(|at| prefetch(later.wrapping_add(at)));
        }
        // SAFETY: the caller checked every offset, and gives room for all runs.
        unsafe {
            let from = base.offset(*offset as isize);
            pattern::copy_bytes(out.add(row * bytes), from, bytes);
        }
    }
}

#[inline(always)]
fn prefetch(_at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint; it may name any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(_at.cast());
    }
}

/// Reads `lanes` values at byte offsets from `base`. The processor overlaps the misses of
/// neighbouring lanes by itself, for no lane waits for another.
unsafe fn read<T: Copy>(out: *mut u8, base: *const u8, offsets: &[i64]) {
    // SAFETY: the caller checked every offset and gives as much room.
    unsafe {
        let out = std::slice::from_raw_parts_mut(out.cast::<T>(), offsets.len());
        for (out, offset) in out.iter_mut().zip(offsets) {
            *out = base.offset(*offset as isize).cast::<T>().read();
        }
    }
}

/// What one block of a gather takes from: `strides` are the operand's along the block's axes, `base` its place at
/// the block's first lane.
#[derive(Debug)]
pub struct Taken<'a> {
    pub operand: &'a Operand,
    pub base: *const u8,
    pub block: &'a Block,
    pub strides: &'a [isize],
    pub instr: Reg,
}

/// Reads lanes of `size` bytes at byte offsets from `base`.
///
/// # Safety
/// Every offset leads to such a lane, and there is room for all at `out`.
unsafe fn read_lanes(out: *mut u8, base: *const u8, offsets: &[i64], size: usize) {
    // SAFETY: the caller's.
    unsafe {
        match size {
            1 => read::<u8>(out, base, offsets),
            2 => read::<u16>(out, base, offsets),
            4 => read::<u32>(out, base, offsets),
            _ => read::<u64>(out, base, offsets),
        }
    }
}

/// One block of a gather whose indices change along the last axis only: they are looked at once for all rows.
///
/// # Safety
/// As for [`gather`]; the indices lie where inputs have them, with strides of zero along all axes but the last.
pub unsafe fn columns(
    out: *mut u8,
    taken: &Taken<'_>,
    indices: &[Indices<'_>],
    offsets: &mut Offsets,
) -> Result<(), Error> {
    let Taken { operand, base, block, strides, instr } = *taken;
    let last = block.dims.len() - 1;
    let width = block.dims[last];
    let rows = block.lanes / width;
    // Rows of a few elements are read several at once, where they lie at one distance.
    let together = match (&block.dims[..], strides) {
        ([_, _], [_, _]) => (TOGETHER / width.max(1)).clamp(1, rows),
        _ => 1,
    };
    let of = Columns {
        operand,
        indices: indices.iter().map(|index| (index.first, index.strides[last])).collect(),
        strides: [strides[0], strides[last]],
        width,
        together,
    };
    let room = (together + 1) * width + rows;
    let is_known = offsets.of.as_ref() == Some(&of);
    offsets.of = None;
    if offsets.lanes.len() < room {
        offsets.lanes.resize(room, 0);
    }
    let (lanes, rest) = offsets.lanes.split_at_mut(together * width);
    let (index, row_offsets) = rest.split_at_mut(width);
    // SAFETY: there is room for each lane of a row, for an index of each, and for each row; inputs have an index
    // for each lane.
    unsafe {
        if !is_known {
            let mut good = true;
            block::ramp(lanes.as_mut_ptr(), 0, &[width], &[strides[last] as i64]);
            for (at, (extent, stride)) in indices.iter().zip(&operand.gathered) {
                let room = index.as_mut_ptr().cast::<u8>();
                block::load(room, at.first, &[width], &at.strides[last..], 8);
                good &= add_offsets::<false>(&mut lanes[..width], index, *extent, *stride);
            }
            if !good {
                return Err(out_of_bounds(instr, indices, operand, block));
            }
            for lane in width..together * width {
                lanes[lane] = lanes[lane - width] + strides[0] as i64;
            }
        }
        let strides: SmallVec<[i64; 6]> = strides[..last].iter().map(|s| *s as i64).collect();
        block::ramp(row_offsets.as_mut_ptr(), 0, &block.dims[..last], &strides);
    }
    for (number, offset) in row_offsets[..rows].iter().step_by(together).enumerate() {
        let first = number * together;
        let lanes = &lanes[..together.min(rows - first) * width];
        // SAFETY: every index is in bounds, so every offset leads into the storage.
        unsafe {
            let out = out.add(first * width * operand.size);
            read_lanes(out, base.offset(*offset as isize), lanes, operand.size);
        }
    }
    offsets.of = Some(of);
    Ok(())
}

/// One block of a gather.
///
/// # Safety
/// `out` and the index registers have the block's lanes; the operand's own strides stay inside its
/// storage wherever its indices are in bounds. Indices with strides are the same all along the last axis.
pub unsafe fn gather(
    out: *mut u8,
    taken: &Taken<'_>,
    indices: &[Indices<'_>],
    offsets: &mut Offsets,
) -> Result<(), Error> {
    let Taken { operand, base, block, strides, instr } = *taken;
    let n = block.lanes;
    // SAFETY: index registers hold the block's lanes as int64.
    let all = |at: &Indices<'_>| unsafe { std::slice::from_raw_parts(at.first.cast::<i64>(), n) };
    // Whole rows of a table: dense along the last axis, where no index changes.
    let last = block.dims.len().saturating_sub(1);
    let is_same = |at: &Indices<'_>, run| !at.strides.is_empty() || is_constant(all(at), run);
    let run = match block.dims.last() {
        Some(run)
            if has_runs(&block.dims, strides, operand.size)
                && indices.iter().all(|at| is_same(at, *run)) =>
        {
            *run
        }
        _ => 1,
    };
    let (dims, strides) = match run {
        1 => (&block.dims[..], strides),
        _ => (&block.dims[..last], &strides[..last]),
    };
    let count = n / run;
    offsets.forget();
    if offsets.lanes.len() < 2 * n {
        offsets.lanes.resize(2 * n, 0);
    }
    let (offsets, rest) = offsets.lanes.split_at_mut(count);
    // A vector by index: offsets are what the index says.
    let mut is_first = !indices.is_empty() && strides.iter().all(|stride| *stride == 0);
    if !is_first {
        let strides: SmallVec<[i64; 6]> = strides.iter().map(|s| *s as i64).collect();
        // SAFETY: `offsets` has a place for every run of the block.
        unsafe { block::ramp(offsets.as_mut_ptr(), 0, dims, &strides) };
    }
    let mut good = true;
    for (at, (extent, stride)) in indices.iter().zip(&operand.gathered) {
        let of_runs = if !at.strides.is_empty() {
            let room = rest.as_mut_ptr().cast::<u8>();
            // SAFETY: the input has these lanes, and there is room for one of each run.
            unsafe { block::load(room, at.first, dims, &at.strides[..last], 8) };
            &rest[..count]
        } else if run > 1 {
            let firsts = all(at).iter().step_by(run);
            rest.iter_mut().zip(firsts).for_each(|(place, index)| *place = *index);
            &rest[..count]
        } else {
            all(at)
        };
        good &= match std::mem::take(&mut is_first) {
            true => add_offsets::<true>(offsets, of_runs, *extent, *stride),
            false => add_offsets::<false>(offsets, of_runs, *extent, *stride),
        };
    }
    if !good {
        return Err(out_of_bounds(instr, indices, operand, block));
    }
    // SAFETY: every index is in bounds, so every offset leads into the storage.
    unsafe {
        match operand.size {
            size if run > 1 => copy_rows(out, base, offsets, run * size),
            size => read_lanes(out, base, offsets, size),
        }
    }
    Ok(())
}
