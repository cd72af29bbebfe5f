//! float16's conversions, for which processors have instructions that work on whole vectors.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::super::dispatch::Level;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::super::dispatch::{with_avx2, with_avx512};
use super::UnaryFn;

/// Lanes that are converted at a time where more than one instruction is needed for each.
const PIECE: usize = 64;

/// float32 lanes from stored ones.
pub(super) fn widen(level: Level) -> UnaryFn {
    match level {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        Level::Avx2 => avx2::widen,
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        Level::Avx512 => avx512::widen,
        _ => widen_plainly,
    }
}

/// Stored lanes from float32 ones.
pub(super) fn narrow(level: Level) -> UnaryFn {
    match level {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        Level::Avx2 => avx2::narrow,
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        Level::Avx512 => avx512::narrow,
        _ => narrow_plainly,
    }
}

/// float32 lanes rounded to what float16 can hold.
pub(super) fn round(level: Level) -> UnaryFn {
    match level {
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        Level::Avx2 => avx2::round,
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        Level::Avx512 => avx512::round,
        _ => round_plainly,
    }
}

unsafe fn widen_plainly(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the plan gives `n` float32 lanes at `out` and `n` float16 ones at `a`.
    let (out, a) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<f32>(), n),
            std::slice::from_raw_parts(a.cast::<f16>(), n),
        )
    };
    a.convert_to_f32_slice(out);
}

unsafe fn narrow_plainly(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the plan gives `n` float16 lanes at `out` and `n` float32 ones at `a`.
    let (out, a) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<f16>(), n),
            std::slice::from_raw_parts(a.cast::<f32>(), n),
        )
    };
    out.convert_from_f32_slice(a);
}

unsafe fn round_plainly(out: *mut u8, a: *const u8, n: usize) {
    // SAFETY: the plan gives `n` float32 lanes at both addresses, apart from each other.
    let (out, a) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<f32>(), n),
            std::slice::from_raw_parts(a.cast::<f32>(), n),
        )
    };
    let mut rounded = [f16::ZERO; PIECE];
    for (out, a) in out.chunks_mut(PIECE).zip(a.chunks(PIECE)) {
        let rounded = &mut rounded[..a.len()];
        rounded.convert_from_f32_slice(a);
        rounded.convert_to_f32_slice(out);
    }
}

/// A loop over whole vectors where the lanes lie; what is left over is done in room of its own.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
macro_rules! by_vector {
    ($with:ident, $name:ident, $one:ident: $From:ty => $To:ty, $lanes:ident) => {
        $with! {
            pub(super) unsafe fn $name(out: *mut u8, a: *const u8, n: usize) {
                let (out, a) = (out.cast::<$To>(), a.cast::<$From>());
                let mut at = 0;
                // SAFETY: the plan gives `n` lanes at both addresses, apart from each other; a vector is
                // read and written within them or within the room of what is left over.
                unsafe {
                    while at + $lanes <= n {
                        $one(out.add(at), a.add(at));
                        at += $lanes;
                    }
                    if at < n {
                        let mut from: [$From; $lanes] = Default::default();
                        let mut to: [$To; $lanes] = Default::default();
                        std::ptr::copy_nonoverlapping(a.add(at), from.as_mut_ptr(), n - at);
                        $one(to.as_mut_ptr(), from.as_ptr());
                        std::ptr::copy_nonoverlapping(to.as_ptr(), out.add(at), n - at);
                    }
                }
            }
        }
    };
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod avx2 {
    use std::arch::x86_64::*;

    use super::with_avx2;

    const LANES: usize = 8;

    with_avx2! {
        #[inline]
        unsafe fn widen_vector(out: *mut f32, a: *const u16) {
            // SAFETY: the caller's; addresses need no alignment.
            unsafe { _mm256_storeu_ps(out, _mm256_cvtph_ps(_mm_loadu_si128(a.cast()))) }
        }
    }

    with_avx2! {
        #[inline]
        unsafe fn narrow_vector(out: *mut u16, a: *const f32) {
            // SAFETY: as above.
            unsafe {
                let bits = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_loadu_ps(a));
                _mm_storeu_si128(out.cast(), bits);
            }
        }
    }

    with_avx2! {
        #[inline]
        unsafe fn round_vector(out: *mut f32, a: *const f32) {
            // SAFETY: as above.
            unsafe {
                let bits = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_loadu_ps(a));
                _mm256_storeu_ps(out, _mm256_cvtph_ps(bits));
            }
        }
    }

    by_vector!(with_avx2, widen, widen_vector: u16 => f32, LANES);
    by_vector!(with_avx2, narrow, narrow_vector: f32 => u16, LANES);
    by_vector!(with_avx2, round, round_vector: f32 => f32, LANES);
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod avx512 {
    use std::arch::x86_64::*;

    use super::with_avx512;

    const LANES: usize = 16;

    with_avx512! {
        #[inline]
        unsafe fn widen_vector(out: *mut f32, a: *const u16) {
            // SAFETY: the caller's; addresses need no alignment.
            unsafe { _mm512_storeu_ps(out, _mm512_cvtph_ps(_mm256_loadu_si256(a.cast()))) }
        }
    }

    with_avx512! {
        #[inline]
        unsafe fn narrow_vector(out: *mut u16, a: *const f32) {
            // SAFETY: as above.
            unsafe {
                let bits = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_loadu_ps(a));
                _mm256_storeu_si256(out.cast(), bits);
            }
        }
    }

    with_avx512! {
        #[inline]
        unsafe fn round_vector(out: *mut f32, a: *const f32) {
            // SAFETY: as above.
            unsafe {
                let bits = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_loadu_ps(a));
                _mm512_storeu_ps(out, _mm512_cvtph_ps(bits));
            }
        }
    }

    by_vector!(with_avx512, widen, widen_vector: u16 => f32, LANES);
    by_vector!(with_avx512, narrow, narrow_vector: f32 => u16, LANES);
    by_vector!(with_avx512, round, round_vector: f32 => f32, LANES);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every float16 and every float32 between two of them, in vectors and in what is left over.
    #[test]
    fn conversions_are_those_of_the_scalars() {
        let stored: Vec<u16> = (0..=u16::MAX).collect();
        let wide: Vec<f32> = stored.iter().map(|bits| f16::from_bits(*bits).to_f32()).collect();
        let mut between = wide.clone();
        between.extend(wide.iter().map(|x| f32::from_bits(x.to_bits() ^ 0x1000)));
        between.extend(wide.iter().map(|x| f32::from_bits(x.to_bits().wrapping_add(0xfff))));
        between.extend([1e9, -1e9, 65519.9, 65520.0, 1e-9, f32::MIN_POSITIVE, f32::MAX]);
        let same = |a: f32, b: f32| {
            a == b && a.is_sign_negative() == b.is_sign_negative() || a.is_nan() && b.is_nan()
        };
        for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
            for n in [0, 1, 7, 8, 9, 15, 16, 17, 63, 65, 1 << 16] {
                let mut out = vec![0f32; n];
                // SAFETY: `n` lanes at both.
                unsafe { widen(level)(out.as_mut_ptr().cast(), stored.as_ptr().cast(), n) };
                assert!(out.iter().zip(&wide).all(|(a, b)| same(*a, *b)), "{level:?} {n}");
            }
            for n in [0, 1, 7, 9, 17, 65, between.len()] {
                let (mut bits, mut rounded) = (vec![0u16; n], vec![0f32; n]);
                // SAFETY: `n` lanes at both.
                unsafe {
                    narrow(level)(bits.as_mut_ptr().cast(), between.as_ptr().cast(), n);
                    round(level)(rounded.as_mut_ptr().cast(), between.as_ptr().cast(), n);
                }
                for ((x, bits), rounded) in between.iter().zip(bits).zip(rounded) {
                    let wanted = f16::from_f32(*x).to_f32();
                    assert!(same(f16::from_bits(bits).to_f32(), wanted), "{level:?}: {x}");
                    assert!(same(rounded, wanted), "{level:?}: {x}");
                }
            }
        }
    }
}
