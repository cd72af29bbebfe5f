//! The same selections with the compressing instructions of AVX-512: 64 masks at a time.

use std::arch::x86_64::*;

/// Whether this processor has what the functions below are compiled with.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("popcnt")
}

/// Whether it compresses 8- and 16-bit lanes, too.
fn compresses_narrow() -> bool {
    is_x86_feature_detected!("avx512vbmi2")
}

/// A whole register is stored while there is room for one; what lies past the selected elements is
/// overwritten by the next store.
macro_rules! selection {
    ($features:literal, $name:ident, $type:ty, $lanes:literal, $bits:ty, $load:ident, $compress:ident, $store:ident, $store_some:ident, $cast:ty) => {
        /// Its contract is `Select::select`'s, with both steps one.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name(
            mask: *const u8,
            values: *const $type,
            len: usize,
            out: *mut $type,
            room: usize,
        ) -> usize {
            let mut written = 0;
            let mut base = 0;
            while base < len {
                let left = (len - base).min(64);
                // SAFETY: `left` masks can be read at `base`.
                let mut bits = unsafe { mask_bits(mask.add(base), left) };
                let mut lane = 0;
                while bits != 0 {
                    let some = bits as $bits;
                    let count = some.count_ones() as usize;
                    let in_reach = (len - base - lane).min($lanes);
                    // SAFETY: only lanes within `len` are read, and at most `room` are written:
                    // the selected lanes of all masks fit it, and a whole register is stored only
                    // where it fits.
                    unsafe {
                        let read = (<$bits>::MAX) >> ($lanes - in_reach);
                        let chosen =
                            $compress(some, $load(read, values.add(base + lane) as *const $cast));
                        let place = out.add(written) as *mut $cast;
                        if written + $lanes <= room {
                            $store(place, chosen);
                        } else if count > 0 {
                            $store_some(place, (<$bits>::MAX) >> ($lanes - count), chosen);
                        }
                    }
                    written += count;
                    lane += $lanes;
                    bits = bits.checked_shr($lanes).unwrap_or(0);
                }
                base += 64;
            }
            written
        }
    };
}

selection!(
    "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt",
    compress_u8,
    u8,
    64,
    u64,
    _mm512_maskz_loadu_epi8,
    _mm512_maskz_compress_epi8,
    store_8,
    _mm512_mask_storeu_epi8,
    i8
);
selection!(
    "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt",
    compress_u16,
    u16,
    32,
    u32,
    _mm512_maskz_loadu_epi16,
    _mm512_maskz_compress_epi16,
    store_16,
    _mm512_mask_storeu_epi16,
    i16
);
selection!(
    "avx512f,avx512bw,avx512vl,popcnt",
    select_u32,
    u32,
    16,
    u16,
    _mm512_maskz_loadu_epi32,
    _mm512_maskz_compress_epi32,
    store_32,
    _mm512_mask_storeu_epi32,
    i32
);
selection!(
    "avx512f,avx512bw,avx512vl,popcnt",
    select_u64,
    u64,
    8,
    u8,
    _mm512_maskz_loadu_epi64,
    _mm512_maskz_compress_epi64,
    store_64,
    _mm512_mask_storeu_epi64,
    i64
);

selection!(
    "avx512f,avx512bw,avx512vl,popcnt",
    widened_u8,
    u8,
    16,
    u16,
    load_wide_8,
    _mm512_maskz_compress_epi32,
    store_wide_8,
    _mm512_mask_cvtepi32_storeu_epi8,
    i8
);
selection!(
    "avx512f,avx512bw,avx512vl,popcnt",
    widened_u16,
    u16,
    16,
    u16,
    load_wide_16,
    _mm512_maskz_compress_epi32,
    store_wide_16,
    _mm512_mask_cvtepi32_storeu_epi16,
    i16
);

macro_rules! narrow {
    ($($name:ident, $type:ty, $compressed:ident, $widened:ident;)*) => {$(
        /// Its contract is `Select::select`'s, with both steps one.
        pub(super) unsafe fn $name(
            mask: *const u8,
            values: *const $type,
            len: usize,
            out: *mut $type,
            room: usize,
        ) -> usize {
            // SAFETY: passed on; the processor has the features.
            unsafe {
                match compresses_narrow() {
                    true => $compressed(mask, values, len, out, room),
                    false => $widened(mask, values, len, out, room),
                }
            }
        }
    )*};
}

narrow! {
    select_u8, u8, compress_u8, widened_u8;
    select_u16, u16, compress_u16, widened_u16;
}

/// Narrow lanes as 32-bit ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn load_wide_8(read: u16, at: *const i8) -> __m512i {
    // SAFETY: lanes that are switched off are not read.
    _mm512_cvtepu8_epi32(unsafe { _mm_maskz_loadu_epi8(read, at) })
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn load_wide_16(read: u16, at: *const i16) -> __m512i {
    // SAFETY: lanes that are switched off are not read.
    _mm512_cvtepu16_epi32(unsafe { _mm256_maskz_loadu_epi16(read, at) })
}

#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn store_wide_8(place: *mut i8, value: __m512i) {
    // SAFETY: the caller has room for sixteen lanes at `place`.
    unsafe { _mm_storeu_si128(place.cast(), _mm512_cvtepi32_epi8(value)) }
}

#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn store_wide_16(place: *mut i16, value: __m512i) {
    // SAFETY: the caller has room for sixteen lanes at `place`.
    unsafe { _mm256_storeu_si256(place.cast(), _mm512_cvtepi32_epi16(value)) }
}

macro_rules! stores {
    ($($name:ident, $type:ty;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f")]
        unsafe fn $name(place: *mut $type, value: __m512i) {
            // SAFETY: the caller has room for a register at `place`.
            unsafe { _mm512_storeu_si512(place.cast(), value) }
        }
    )*};
}

stores! {
    store_8, i8;
    store_16, i16;
    store_32, i32;
    store_64, i64;
}

/// The coordinates `first + i` of the true masks; its contract is `Select::select`'s.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,popcnt")]
pub(super) unsafe fn select_positions(
    mask: *const u8,
    first: i64,
    len: usize,
    out: *mut i64,
    room: usize,
) -> usize {
    let mut written = 0;
    let mut base = 0;
    while base < len {
        // SAFETY: so many masks can be read at `base`.
        let mut bits = unsafe { mask_bits(mask.add(base), (len - base).min(64)) };
        let ramp = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
        let mut here = _mm512_add_epi64(ramp, _mm512_set1_epi64(first + base as i64));
        while bits != 0 {
            let some = bits as u8;
            let count = some.count_ones() as usize;
            let chosen = _mm512_maskz_compress_epi64(some, here);
            // SAFETY: as in the selections above.
            unsafe {
                let place = out.add(written);
                if written + 8 <= room {
                    _mm512_storeu_si512(place.cast(), chosen);
                } else if count > 0 {
                    _mm512_mask_storeu_epi64(place, u8::MAX >> (8 - count), chosen);
                }
            }
            written += count;
            here = _mm512_add_epi64(here, _mm512_set1_epi64(8));
            bits >>= 8;
        }
        base += 64;
    }
    written
}

/// One bit for each of the `count` masks, at most 64, at `mask`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn mask_bits(mask: *const u8, count: usize) -> u64 {
    // SAFETY: lanes that are switched off are not read.
    let bytes = unsafe { _mm512_maskz_loadu_epi8(u64::MAX >> (64 - count), mask.cast()) };
    _mm512_test_epi8_mask(bytes, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::trials::Dice;

    type Selection<T> = unsafe fn(*const u8, *const T, usize, *mut T, usize) -> usize;

    fn check<T: Copy + PartialEq + std::fmt::Debug>(
        dice: &mut Dice,
        select: Selection<T>,
        of: impl Fn(usize) -> T,
    ) {
        for len in [1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1_000] {
            let sparse = 1 + dice.below(9);
            let mask: Vec<u8> = (0..len).map(|_| u8::from(dice.below(sparse) == 0)).collect();
            let values: Vec<T> = (0..len).map(|_| of(dice.below(1 << 16))).collect();
            let wanted: Vec<T> =
                mask.iter().zip(&values).filter(|(keep, _)| **keep != 0).map(|(_, x)| *x).collect();
            let mut out = vec![of(7); wanted.len() + 64];
            // SAFETY: there are so many masks and values, and room for what is selected.
            let count = unsafe {
                select(mask.as_ptr(), values.as_ptr(), len, out.as_mut_ptr(), wanted.len())
            };
            assert_eq!((count, &out[..count]), (wanted.len(), &wanted[..]));
            assert!(out[count..].iter().all(|x| *x == of(7)), "there was no room");
        }
    }

    #[test]
    fn narrow_lanes_are_selected_on_every_processor() {
        if !available() {
            return;
        }
        let mut dice = Dice(4);
        for _ in 0..20 {
            check(&mut dice, widened_u8, |x| x as u8);
            check(&mut dice, widened_u16, |x| x as u16);
            if compresses_narrow() {
                check(&mut dice, compress_u8, |x| x as u8);
                check(&mut dice, compress_u16, |x| x as u16);
            }
        }
    }
}
