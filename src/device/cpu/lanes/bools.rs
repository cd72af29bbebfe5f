//! Rows of bytes of zero and one: how many of them are one, whether any of them is, whether all are.
//!
//! A comparison with nothing makes a bit of each byte, and the bits of a row are counted at once; a vector has those of
//! several short rows.

use super::super::dispatch::Level;
use super::short::Short;
use crate::ir::BinaryOp;

/// What is asked of a row.
const COUNT: u8 = 0;
const ANY: u8 = 1;
const ALL: u8 = 2;

/// What counts the ones of short rows, in int64, if there is such.
pub(super) fn counts(level: Level) -> Option<Short> {
    short::<COUNT>(level)
}

/// What asks whether short rows have a one, for "or", which is the sum and the greatest of bools, or nothing else, for
/// "and".
pub(super) fn asks(level: Level, join: BinaryOp) -> Option<Short> {
    let is_any = matches!(join, BinaryOp::Add | BinaryOp::Max);
    if is_any { short::<ANY>(level) } else { short::<ALL>(level) }
}

fn short<const WHAT: u8>(level: Level) -> Option<Short> {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if level == Level::Avx512 {
        let far = vectors::far::<WHAT>;
        let near = if WHAT == COUNT { vectors::near_counted } else { vectors::near_asked::<WHAT> };
        return Some(Short::new(vectors::BYTES, [near, far, far, far]));
    }
    _ = level;
    None
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod vectors {
    use std::arch::x86_64::*;

    use super::{ALL, ANY, COUNT};
    use crate::device::cpu::dispatch::with_avx512;

    pub(super) const BYTES: usize = 64;

    /// Writes what is asked of a row with so many ones.
    #[inline(always)]
    unsafe fn answer<const WHAT: u8>(out: *mut u8, row: usize, ones: u32, len: usize) {
        // SAFETY: the caller has room for each row's answer.
        unsafe {
            match WHAT {
                COUNT => out.cast::<i64>().add(row).write(ones.into()),
                ANY => out.add(row).write((ones != 0).into()),
                ALL => out.add(row).write((ones as usize == len).into()),
                _ => {}
            }
        }
    }

    with_avx512! {
        /// The bits of the first bytes at a place, 64 at most.
        unsafe fn bits(at: *const u8, bytes: usize) -> u64 {
            let within = u64::MAX >> (BYTES - bytes);
            // SAFETY: the caller has so many bytes there, and no others are read.
            let bytes = unsafe { _mm512_maskz_loadu_epi8(within, at.cast()) };
            _mm512_test_epi8_mask(bytes, bytes)
        }
    }

    with_avx512! {
        /// How many ones rows of 1 to 64 bytes have.
        pub(super) unsafe fn near_counted(out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
            let (together, own) = (BYTES / len, u64::MAX >> (BYTES - len));
            for first in (0..rows).step_by(together) {
                let count = together.min(rows - first);
                // SAFETY: the caller's.
                let mut bits = unsafe { bits(lanes.add(first * len), count * len) };
                for row in first..first + count {
                    // SAFETY: the caller's.
                    unsafe { answer::<COUNT>(out, row, (bits & own).count_ones(), len) };
                    bits = bits.checked_shr(len as u32).unwrap_or(0);
                }
            }
        }
    }

    with_avx512! {
        /// Whether they have any, or nothing else: the bits of a row meet in its first one, those of several rows at a time.
        pub(super) unsafe fn near_asked<const WHAT: u8>(out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
            let together = BYTES / len;
            let firsts = (0..together).fold(0, |firsts, row| firsts | 1 << (row * len));
            for first in (0..rows).step_by(together) {
                let count = together.min(rows - first);
                // SAFETY: the caller's.
                let mut bits = unsafe { bits(lanes.add(first * len), count * len) };
                let mut met = 1;
                while met < len {
                    let by = met.min(len - met);
                    bits = if WHAT == ALL { bits & (bits >> by) } else { bits | (bits >> by) };
                    met += by;
                }
                let answers = _pext_u64(bits, firsts);
                let within = u64::MAX >> (BYTES - count);
                // SAFETY: the caller has room for each row's answer.
                unsafe {
                    let bytes = _mm512_maskz_set1_epi8(answers, 1);
                    _mm512_mask_storeu_epi8(out.add(first).cast(), within, bytes);
                }
            }
        }
    }

    with_avx512! {
        /// Longer ones.
        pub(super) unsafe fn far<const WHAT: u8>(out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
            for row in 0..rows {
                let mut ones = 0;
                for first in (0..len).step_by(BYTES) {
                    // SAFETY: the caller's.
                    let bits = unsafe { bits(lanes.add(row * len + first), BYTES.min(len - first)) };
                    ones += bits.count_ones();
                }
                // SAFETY: the caller's.
                unsafe { answer::<WHAT>(out, row, ones, len) };
            }
        }
    }
}
