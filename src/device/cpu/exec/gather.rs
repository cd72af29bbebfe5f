//! Reads at computed indices.

use super::block;
use super::geometry::{Block, Operand};
use crate::device::Error;
use crate::ir::Reg;

/// An index that points nowhere.
#[cold]
#[inline(never)]
fn out_of_bounds(instr: Reg, indices: &[*const u8], operand: &Operand, lanes: usize) -> Error {
    for lane in 0..lanes {
        for (number, (index, (extent, _))) in indices.iter().zip(&operand.gathered).enumerate() {
            // SAFETY: index registers hold `lanes` lanes of int64.
            let value = unsafe { *index.cast::<i64>().add(lane) };
            if value >= *extent as i64 || value < -(*extent as i64) {
                let (operand, extent) = (number, *extent);
                return Error::IndexOutOfBounds { instr: Some(instr), operand, value, extent };
            }
        }
    }
    unreachable!("a lane was found out of bounds")
}

/// Adds each lane's index, as bytes, to its offset; negative ones count from the end. False if one
/// is out of bounds: its offset is then of no use, but others are right.
fn add_offsets<const FIRST: bool>(
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
        let bytes = wrapped.wrapping_mul(stride);
        *offset = if FIRST { bytes } else { offset.wrapping_add(bytes) };
    }
    good
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

/// One block of a gather. `strides` are the operand's along the block's axes, `base` its place at
/// the block's first lane.
///
/// # Safety
/// `out` and the index registers have the block's lanes; the operand's own strides stay inside its
/// storage wherever its indices are in bounds.
pub unsafe fn gather(
    out: *mut u8,
    operand: &Operand,
    base: *const u8,
    (block, strides): (&Block, &[isize]),
    indices: &[*const u8],
    instr: Reg,
    offsets: &mut Vec<i64>,
) -> Result<(), Error> {
    let n = block.lanes;
    if offsets.len() < n {
        offsets.resize(n, 0);
    }
    let offsets = &mut offsets[..n];
    let moves = strides.iter().zip(&block.dims).any(|(stride, n)| *stride != 0 && *n > 1);
    if moves || indices.is_empty() {
        let strides: smallvec::SmallVec<[i64; 6]> = strides.iter().map(|s| *s as i64).collect();
        // SAFETY: `offsets` has a place for every lane of the block.
        unsafe { block::ramp(offsets.as_mut_ptr(), 0, &block.dims, &strides) };
    }
    let mut good = true;
    for (number, (index, (extent, stride))) in indices.iter().zip(&operand.gathered).enumerate() {
        // SAFETY: index registers hold the block's lanes as int64.
        let index = unsafe { std::slice::from_raw_parts(index.cast::<i64>(), n) };
        good &= match moves || number > 0 {
            true => add_offsets::<false>(offsets, index, *extent, *stride),
            false => add_offsets::<true>(offsets, index, *extent, *stride),
        };
    }
    if !good {
        return Err(out_of_bounds(instr, indices, operand, n));
    }
    // SAFETY: every index is in bounds, so every offset leads into the storage.
    unsafe {
        match operand.size {
            1 => read::<u8>(out, base, offsets),
            2 => read::<u16>(out, base, offsets),
            4 => read::<u32>(out, base, offsets),
            _ => read::<u64>(out, base, offsets),
        }
    }
    Ok(())
}
