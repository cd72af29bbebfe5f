//! Keys in registers of 512 bits: what the network asks of them, for keys of 32 and of 64 bits.
//!
//! All of it is inlined into functions that are compiled for AVX-512. Every function here has this
//! one condition: that the processor has it.

use std::arch::x86_64::*;

/// A row of keys, [`Lanes::LANES`] of them.
pub(super) type Register = __m512i;

/// A key that registers hold.
pub(in super::super) trait Lanes: Copy {
    /// Keys in a register.
    const LANES: usize;
    /// Bits of a lane's number.
    const LANE_BITS: usize;
    /// The greatest key.
    const MAX: Self;

    unsafe fn splat(key: Self) -> Register;
    /// # Safety
    /// A register of keys can be read at `from`.
    unsafe fn load(from: *const Self) -> Register;
    /// The first `count` lanes from memory, the others from `rest`.
    ///
    /// # Safety
    /// `count` keys can be read at `from`.
    unsafe fn load_first(count: usize, from: *const Self, rest: Register) -> Register;
    /// # Safety
    /// A register of keys can be written at `to`.
    unsafe fn store(to: *mut Self, keys: Register);
    /// # Safety
    /// `count` keys can be written at `to`.
    unsafe fn store_first(count: usize, to: *mut Self, keys: Register);

    unsafe fn lesser(a: Register, b: Register) -> Register;
    unsafe fn greater(a: Register, b: Register) -> Register;
    /// Swaps the lanes of `a` whose number has the bit number `bit` with those of `b` that lack it.
    unsafe fn exchange(bit: usize, a: Register, b: Register) -> (Register, Register);
    /// Lane `i` of the result is lane `i ^ bits`.
    unsafe fn mirror(bits: usize, keys: Register) -> Register;
}

macro_rules! lanes {
    (
        $key:ty, $signed:ty, $lanes:literal, $lane_bits:literal, $mask:ty, $splat:ident,
        $load:ident, $store:ident, $min:ident, $max:ident, $permute:ident, $permute_two:ident
    ) => {
        impl Lanes for $key {
            const LANES: usize = $lanes;
            const LANE_BITS: usize = $lane_bits;
            const MAX: $key = <$key>::MAX;

            #[inline(always)]
            unsafe fn splat(key: $key) -> Register {
                // SAFETY: the processor has AVX-512.
                unsafe { $splat(key as $signed) }
            }

            #[inline(always)]
            unsafe fn load(from: *const $key) -> Register {
                // SAFETY: as above, and the caller's promise.
                unsafe { _mm512_loadu_si512(from.cast()) }
            }

            #[inline(always)]
            unsafe fn load_first(count: usize, from: *const $key, rest: Register) -> Register {
                // SAFETY: as above; lanes that are switched off are not read.
                unsafe { $load(rest, ((1u32 << count) - 1) as $mask, from.cast()) }
            }

            #[inline(always)]
            unsafe fn store(to: *mut $key, keys: Register) {
                // SAFETY: as above.
                unsafe { _mm512_storeu_si512(to.cast(), keys) }
            }

            #[inline(always)]
            unsafe fn store_first(count: usize, to: *mut $key, keys: Register) {
                // SAFETY: as above; lanes that are switched off are not written.
                unsafe { $store(to.cast(), ((1u32 << count) - 1) as $mask, keys) }
            }

            #[inline(always)]
            unsafe fn lesser(a: Register, b: Register) -> Register {
                // SAFETY: as above.
                unsafe { $min(a, b) }
            }

            #[inline(always)]
            unsafe fn greater(a: Register, b: Register) -> Register {
                // SAFETY: as above.
                unsafe { $max(a, b) }
            }

            #[inline(always)]
            unsafe fn exchange(bit: usize, a: Register, b: Register) -> (Register, Register) {
                // Where each lane comes from; those of `b` are counted on from those of `a`.
                const FIRST: [[$key; $lanes]; $lane_bits] = {
                    let mut from = [[0; $lanes]; $lane_bits];
                    let mut at = 0;
                    while at < $lane_bits * $lanes {
                        let (bit, lane) = (at / $lanes, at % $lanes);
                        let is_swapped = lane >> bit & 1 == 1;
                        from[bit][lane] =
                            if is_swapped { lane ^ 1 << bit | $lanes } else { lane } as $key;
                        at += 1;
                    }
                    from
                };
                const SECOND: [[$key; $lanes]; $lane_bits] = {
                    let mut from = FIRST;
                    let mut at = 0;
                    while at < $lane_bits * $lanes {
                        from[at / $lanes][at % $lanes] ^= 1 << (at / $lanes);
                        at += 1;
                    }
                    from
                };
                // SAFETY: as above; the rows of the tables are a register long.
                unsafe {
                    let first = Self::load(FIRST[bit].as_ptr());
                    let second = Self::load(SECOND[bit].as_ptr());
                    ($permute_two(a, first, b), $permute_two(a, second, b))
                }
            }

            #[inline(always)]
            unsafe fn mirror(bits: usize, keys: Register) -> Register {
                const FROM: [[$key; $lanes]; $lanes] = {
                    let mut from = [[0; $lanes]; $lanes];
                    let mut at = 0;
                    while at < $lanes * $lanes {
                        from[at / $lanes][at % $lanes] = (at / $lanes ^ at % $lanes) as $key;
                        at += 1;
                    }
                    from
                };
                // SAFETY: as above.
                unsafe { $permute(Self::load(FROM[bits].as_ptr()), keys) }
            }
        }
    };
}

lanes!(
    u32,
    i32,
    16,
    4,
    u16,
    _mm512_set1_epi32,
    _mm512_mask_loadu_epi32,
    _mm512_mask_storeu_epi32,
    _mm512_min_epu32,
    _mm512_max_epu32,
    _mm512_permutexvar_epi32,
    _mm512_permutex2var_epi32
);
lanes!(
    u64,
    i64,
    8,
    3,
    u8,
    _mm512_set1_epi64,
    _mm512_mask_loadu_epi64,
    _mm512_mask_storeu_epi64,
    _mm512_min_epu64,
    _mm512_max_epu64,
    _mm512_permutexvar_epi64,
    _mm512_permutex2var_epi64
);
