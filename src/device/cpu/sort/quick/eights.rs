//! Eight keys in a register: what the partition asks of them, for keys of 32 and of 64 bits.
//!
//! Eight comparisons make a byte, and a table knows for each byte how the keys have to be permuted:
//! one instruction where the compressing ones, of which two would be needed, take four.
//!
//! As in [`super::lanes`], every function has the condition that the processor has AVX-512.

use std::arch::x86_64::*;

/// Keys in a register of the partition.
pub(super) const EIGHT: usize = 8;

/// A key of which registers hold eight.
pub(in super::super) trait Eights: Copy {
    type Register: Copy;

    unsafe fn splat(key: Self) -> Self::Register;
    /// # Safety
    /// Eight keys can be read at `from`.
    unsafe fn load(from: *const Self) -> Self::Register;
    /// The lanes whose bits are set from memory, the others zero.
    ///
    /// # Safety
    /// These keys can be read at `from`.
    unsafe fn load_lanes(lanes: u8, from: *const Self) -> Self::Register;
    /// # Safety
    /// Eight keys can be written at `to`.
    unsafe fn store(to: *mut Self, keys: Self::Register);
    /// # Safety
    /// The keys whose bits are set in `lanes` can be written at `to`.
    unsafe fn store_lanes(lanes: u8, to: *mut Self, keys: Self::Register);
    /// A bit for each lane in which `a` is less than `b`.
    unsafe fn less(a: Self::Register, b: Self::Register) -> u8;
    /// Moves the lanes whose bits are set in front of the others.
    unsafe fn part(lanes: u8, keys: Self::Register) -> Self::Register;
}

/// For each byte: the numbers of its bits that are set, then those of the others.
const PARTS: [[u32; EIGHT]; 256] = {
    let mut parts = [[0; EIGHT]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut front, mut back) = (0, (lanes as u32).count_ones() as usize);
        let mut lane = 0;
        while lane < EIGHT {
            let place = if lanes >> lane & 1 == 1 { &mut front } else { &mut back };
            parts[lanes][*place] = lane as u32;
            *place += 1;
            lane += 1;
        }
        lanes += 1;
    }
    parts
};

macro_rules! eights {
    (
        $key:ty, $signed:ty, $register:ty, $splat:ident, $load:ident, $load_lanes:ident,
        $store:ident, $store_lanes:ident, $less:ident, |$keys:ident, $order:ident| $permute:expr
    ) => {
        impl Eights for $key {
            type Register = $register;

            #[inline(always)]
            unsafe fn splat(key: $key) -> $register {
                // SAFETY: the processor has AVX-512.
                unsafe { $splat(key as $signed) }
            }

            #[inline(always)]
            unsafe fn load(from: *const $key) -> $register {
                // SAFETY: as above, and the caller's promise.
                unsafe { $load(from.cast()) }
            }

            #[inline(always)]
            unsafe fn load_lanes(lanes: u8, from: *const $key) -> $register {
                // SAFETY: as above; lanes that are switched off are not read.
                unsafe { $load_lanes(lanes, from.cast()) }
            }

            #[inline(always)]
            unsafe fn store(to: *mut $key, keys: $register) {
                // SAFETY: as above.
                unsafe { $store(to.cast(), keys) }
            }

            #[inline(always)]
            unsafe fn store_lanes(lanes: u8, to: *mut $key, keys: $register) {
                // SAFETY: as above; lanes that are switched off are not written.
                unsafe { $store_lanes(to.cast(), lanes, keys) }
            }

            #[inline(always)]
            unsafe fn less(a: $register, b: $register) -> u8 {
                // SAFETY: as above.
                unsafe { $less(a, b) }
            }

            #[inline(always)]
            unsafe fn part(lanes: u8, $keys: $register) -> $register {
                // SAFETY: as above; a row of the table is eight numbers.
                unsafe {
                    let $order = _mm256_loadu_si256(PARTS[lanes as usize].as_ptr().cast());
                    $permute
                }
            }
        }
    };
}

eights!(
    u32,
    i32,
    __m256i,
    _mm256_set1_epi32,
    _mm256_loadu_si256,
    _mm256_maskz_loadu_epi32,
    _mm256_storeu_si256,
    _mm256_mask_storeu_epi32,
    _mm256_cmplt_epu32_mask,
    |keys, order| _mm256_permutexvar_epi32(order, keys)
);
eights!(
    u64,
    i64,
    __m512i,
    _mm512_set1_epi64,
    _mm512_loadu_si512,
    _mm512_maskz_loadu_epi64,
    _mm512_storeu_si512,
    _mm512_mask_storeu_epi64,
    _mm512_cmplt_epu64_mask,
    |keys, order| _mm512_permutexvar_epi64(_mm512_cvtepu32_epi64(order), keys)
);
