//! Rows of few lanes, one behind the other: each is read under masks into a vector, or a few, and folded at once.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use self::vectors::{
    bytes, doubles, halves, longs, shorts, signed_bytes, signed_shorts, singles, unsigned_longs,
    unsigned_words, words,
};
use super::super::dispatch::Level;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::LANES;
use crate::dtype::DType;
use crate::ir::BinaryOp;

/// `(results, the lanes of rows one behind the other, how many rows, lanes of each)`
pub(super) type ShortFn = unsafe fn(*mut u8, *const u8, usize, usize);

/// What folds short rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Short {
    /// Lanes of a vector.
    vector: usize,
    /// Of rows that fill one vector at most, two, four, and eight, if there are such.
    kernels: [Option<ShortFn>; 4],
}

impl Short {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    pub fn new(vector: usize, kernels: [ShortFn; 4]) -> Short {
        Short { vector, kernels: kernels.map(Some) }
    }

    /// One kernel for rows of up to so many lanes.
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn up_to(longest: usize, kernel: ShortFn) -> Short {
        Short { vector: longest, kernels: [Some(kernel), None, None, None] }
    }

    /// What folds rows of so many lanes, at least one.
    pub fn of(&self, len: usize) -> Option<ShortFn> {
        let number = len.div_ceil(self.vector).next_power_of_two().trailing_zeros();
        self.kernels.get(number as usize).copied().flatten()
    }
}

/// What finds the extremes of short rows, if there is such.
pub(super) fn extremes(level: Level, join: BinaryOp, dtype: DType) -> Option<Short> {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if level == Level::Avx512 {
        // Longer rows have a loop of more lanes.
        let of_floats = |kernel: ShortFn| Some(Short::up_to(2 * LANES, kernel));
        return match (dtype, join == BinaryOp::Max) {
            (DType::F32, true) => of_floats(singles::extremes::<true>),
            (DType::F32, false) => of_floats(singles::extremes::<false>),
            (DType::F64, true) => of_floats(doubles::extremes::<true>),
            (DType::F64, false) => of_floats(doubles::extremes::<false>),
            _ => by_width!(join, dtype, extremes),
        };
    }
    _ = (level, join, dtype);
    None
}

/// What finds their places.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
pub(super) fn places_of_integers(join: BinaryOp, dtype: DType) -> Option<Short> {
    by_width!(join, dtype, places)
}

/// What finds the extremes of short rows of 16-bit floats, if there is such.
pub(super) fn extremes_of_halves(level: Level, join: BinaryOp, dtype: DType) -> Option<Short> {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if level == Level::Avx512 {
        let kernel: ShortFn = match (dtype, join) {
            (DType::F16, BinaryOp::Max) => halves::extremes::<0x7c00, true>,
            (DType::F16, _) => halves::extremes::<0x7c00, false>,
            (_, BinaryOp::Max) => halves::extremes::<0x7f80, true>,
            _ => halves::extremes::<0x7f80, false>,
        };
        return Some(Short::up_to(halves::LANES, kernel));
    }
    _ = (level, join, dtype);
    None
}

/// What adds up short rows of integers of 64 bits, as all integers are when they are added up, if there is such.
pub(super) fn sums_of_integers(level: Level, join: BinaryOp, dtype: DType) -> Option<Short> {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if level == Level::Avx512 && join == BinaryOp::Add && matches!(dtype, DType::I64 | DType::U64) {
        use vectors::sums as of;
        return Some(Short::new(8, [of::<1>, of::<2>, of::<4>, of::<8>]));
    }
    _ = (level, join, dtype);
    None
}

/// The functions of a type of integers, of which narrow ones are widened.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
macro_rules! by_width {
    ($join:expr, $dtype:expr, $function:ident) => {
        match ($dtype, $join == BinaryOp::Max) {
            (DType::I32, true) => by_width!(words 16 $function true),
            (DType::I32, false) => by_width!(words 16 $function false),
            (DType::U32, true) => by_width!(unsigned_words 16 $function true),
            (DType::U32, false) => by_width!(unsigned_words 16 $function false),
            (DType::I64, true) => by_width!(longs 8 $function true),
            (DType::I64, false) => by_width!(longs 8 $function false),
            (DType::U64, true) => by_width!(unsigned_longs 8 $function true),
            (DType::U64, false) => by_width!(unsigned_longs 8 $function false),
            (DType::U8, true) => by_width!(bytes 16 $function true),
            (DType::U8, false) => by_width!(bytes 16 $function false),
            (DType::I8, true) => by_width!(signed_bytes 16 $function true),
            (DType::I8, false) => by_width!(signed_bytes 16 $function false),
            (DType::U16, true) => by_width!(shorts 16 $function true),
            (DType::U16, false) => by_width!(shorts 16 $function false),
            (DType::I16, true) => by_width!(signed_shorts 16 $function true),
            (DType::I16, false) => by_width!(signed_shorts 16 $function false),
            _ => None,
        }
    };
    ($kind:ident $vector:literal $function:ident $is_max:literal) => {{
        use $kind::$function as of;
        let kernels: [ShortFn; 4] =
            [of::<1, $is_max>, of::<2, $is_max>, of::<4, $is_max>, of::<8, $is_max>];
        Some(Short::new($vector, kernels))
    }};
}
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use by_width;

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod vectors {
    use std::arch::x86_64::*;

    use crate::device::cpu::dispatch::with_avx512;

    macro_rules! integers {
        ($name:ident $T:ident in $W:ident $LANES:literal, $set:ident $max:ident $min:ident
            $greatest:ident $least:ident $equal:ident, |$worst:ident, $mask:ident, $from:ident| $load:expr) => {
            pub(in super::super) mod $name {
                use super::*;

                /// The vectors of a row, whose lanes that are not there are the worst, and the best lane.
                macro_rules! best_of_row {
                    ($row:expr, $masks:expr) => {{
                        let $worst = $set(if IS_MAX { $W::MIN } else { $W::MAX } as _);
                        let all: [_; VECTORS] = std::array::from_fn(|number| {
                            let $mask = $masks[number];
                            let $from = $row.wrapping_add(number * $LANES).cast();
                            $load
                        });
                        let better = |a, b| if IS_MAX { $max(a, b) } else { $min(a, b) };
                        let mut best = all[0];
                        for lanes in &all[1..] {
                            best = better(best, *lanes);
                        }
                        (all, if IS_MAX { $greatest(best) } else { $least(best) })
                    }};
                }

                /// Which lanes of each vector there are.
                #[inline(always)]
                pub(in super::super) fn masks<const VECTORS: usize>(len: usize) -> [u16; VECTORS] {
                    std::array::from_fn(|number| {
                        let len = len.saturating_sub(number * $LANES).min($LANES);
                        ((1u32 << len) - 1) as u16
                    })
                }

                with_avx512! {
                    pub(in super::super) unsafe fn extremes<const VECTORS: usize, const IS_MAX: bool>(
                        out: *mut u8, lanes: *const u8, rows: usize, len: usize,
                    ) {
                        let masks = masks::<VECTORS>(len).map(|mask| mask as _);
                        for row in 0..rows {
                            // SAFETY: the caller's; what is not of the row is not read.
                            unsafe {
                                let (_, best) = best_of_row!(lanes.cast::<$T>().add(row * len), masks);
                                out.cast::<$T>().add(row).write(best as $T);
                            }
                        }
                    }
                }

                with_avx512! {
                    pub(in super::super) unsafe fn places<const VECTORS: usize, const IS_MAX: bool>(
                        out: *mut u8, lanes: *const u8, rows: usize, len: usize,
                    ) {
                        let masks = masks::<VECTORS>(len).map(|mask| mask as _);
                        for row in 0..rows {
                            // SAFETY: as above.
                            unsafe {
                                let (all, best) = best_of_row!(lanes.cast::<$T>().add(row * len), masks);
                                let mut place = 0;
                                for (number, lanes) in all.into_iter().enumerate().rev() {
                                    let hits = u32::from($equal(lanes, $set(best as _)));
                                    let first = number as u32 * $LANES + hits.trailing_zeros();
                                    place = if hits == 0 { place } else { first };
                                }
                                out.cast::<i64>().add(row).write(place.into());
                            }
                        }
                    }
                }
            }
        };
    }

    integers!(words i32 in i32 16, _mm512_set1_epi32 _mm512_max_epi32 _mm512_min_epi32
        _mm512_reduce_max_epi32 _mm512_reduce_min_epi32 _mm512_cmpeq_epi32_mask,
        |worst, mask, from| _mm512_mask_loadu_epi32(worst, mask, from));
    integers!(unsigned_words u32 in u32 16, _mm512_set1_epi32 _mm512_max_epu32 _mm512_min_epu32
        _mm512_reduce_max_epu32 _mm512_reduce_min_epu32 _mm512_cmpeq_epi32_mask,
        |worst, mask, from| _mm512_mask_loadu_epi32(worst, mask, from));
    integers!(longs i64 in i64 8, _mm512_set1_epi64 _mm512_max_epi64 _mm512_min_epi64
        _mm512_reduce_max_epi64 _mm512_reduce_min_epi64 _mm512_cmpeq_epi64_mask,
        |worst, mask, from| _mm512_mask_loadu_epi64(worst, mask, from));
    integers!(unsigned_longs u64 in u64 8, _mm512_set1_epi64 _mm512_max_epu64 _mm512_min_epu64
        _mm512_reduce_max_epu64 _mm512_reduce_min_epu64 _mm512_cmpeq_epi64_mask,
        |worst, mask, from| _mm512_mask_loadu_epi64(worst, mask, from));
    /// The same of integers that 32 bits hold: `$widen` makes such of what `$read` reads.
    macro_rules! narrow_integers {
        ($($name:ident $T:ident $widen:ident $read:ident;)*) => {$(
            integers!($name $T in i32 16, _mm512_set1_epi32 _mm512_max_epi32 _mm512_min_epi32
                _mm512_reduce_max_epi32 _mm512_reduce_min_epi32 _mm512_cmpeq_epi32_mask,
                |worst, mask, from| $widen(worst, mask, $read(mask, from)));
        )*};
    }

    narrow_integers! {
        bytes u8 _mm512_mask_cvtepu8_epi32 _mm_maskz_loadu_epi8;
        signed_bytes i8 _mm512_mask_cvtepi8_epi32 _mm_maskz_loadu_epi8;
        shorts u16 _mm512_mask_cvtepu16_epi32 _mm256_maskz_loadu_epi16;
        signed_shorts i16 _mm512_mask_cvtepi16_epi32 _mm256_maskz_loadu_epi16;
    }

    macro_rules! floats {
        ($($name:ident $T:ident $LANES:literal $masks:ident, $set:ident $whole:ident $load:ident $max:ident $min:ident
            $greatest:ident $least:ident $compare:ident;)*) => {$(
            pub(super) mod $name {
                use super::*;

                with_avx512! {
                    /// The first NaN of a row is its extreme.
                    pub(in super::super) unsafe fn extremes<const IS_MAX: bool>(
                        out: *mut u8, lanes: *const u8, rows: usize, len: usize,
                    ) {
                        let worst = $set(if IS_MAX { $T::NEG_INFINITY } else { $T::INFINITY });
                        let whole = (len - 1) / $LANES;
                        let [last] = $masks::masks::<1>(len - whole * $LANES).map(|mask| mask as _);
                        for row in 0..rows {
                            // SAFETY: the caller's; what is not of the row is not read.
                            unsafe {
                                let from = lanes.cast::<$T>().add(row * len);
                                let behind = $load(worst, last, from.add(whole * $LANES));
                                // Of two of which one is NaN, the second is taken.
                                let better = |a, b| if IS_MAX { $max(a, b) } else { $min(a, b) };
                                let mut best = better(behind, worst);
                                let mut nans = $compare::<_CMP_UNORD_Q>(behind, behind);
                                for number in 0..whole {
                                    let lanes = $whole(from.add(number * $LANES));
                                    best = better(lanes, best);
                                    nans |= $compare::<_CMP_UNORD_Q>(lanes, lanes);
                                }
                                let mut found = if IS_MAX { $greatest(best) } else { $least(best) };
                                if nans != 0 {
                                    let row = std::slice::from_raw_parts(from, len);
                                    found = row.iter().copied().find(|x| x.is_nan()).unwrap_or(found);
                                }
                                out.cast::<$T>().add(row).write(found);
                            }
                        }
                    }
                }
            }
        )*};
    }

    floats! {
        singles f32 16 words, _mm512_set1_ps _mm512_loadu_ps _mm512_mask_loadu_ps _mm512_max_ps _mm512_min_ps
            _mm512_reduce_max_ps _mm512_reduce_min_ps _mm512_cmp_ps_mask;
        doubles f64 8 longs, _mm512_set1_pd _mm512_loadu_pd _mm512_mask_loadu_pd _mm512_max_pd _mm512_min_pd
            _mm512_reduce_max_pd _mm512_reduce_min_pd _mm512_cmp_pd_mask;
    }

    with_avx512! {
        pub(super) unsafe fn sums<const VECTORS: usize>(
            out: *mut u8, lanes: *const u8, rows: usize, len: usize,
        ) {
            let masks = longs::masks::<VECTORS>(len).map(|mask| mask as u8);
            for row in 0..rows {
                // SAFETY: the caller's; what is not of the row is not read.
                unsafe {
                    let from = lanes.cast::<i64>().add(row * len);
                    let mut sum = _mm512_maskz_loadu_epi64(masks[0], from);
                    for (number, mask) in masks.iter().enumerate().skip(1) {
                        let more = _mm512_maskz_loadu_epi64(*mask, from.wrapping_add(number * 8));
                        sum = _mm512_add_epi64(sum, more);
                    }
                    out.cast::<i64>().add(row).write(_mm512_reduce_add_epi64(sum));
                }
            }
        }
    }

    /// Floats of 16 bits, as the order of their bits has them: see `HalfBits`.
    pub(super) mod halves {
        use super::*;

        pub(in super::super) const LANES: usize = 32;

        with_avx512! {
            /// Lanes as integers in the order of the floats that they are, and back.
            fn turned(lanes: __m512i) -> __m512i {
                let below = _mm512_srai_epi16::<15>(lanes);
                _mm512_xor_si512(lanes, _mm512_and_si512(below, _mm512_set1_epi16(i16::MAX)))
            }
        }

        with_avx512! {
            /// Of floats whose infinity has these bits.
            pub(in super::super) unsafe fn extremes<const INFINITY: i16, const IS_MAX: bool>(
                out: *mut u8, lanes: *const u8, rows: usize, len: usize,
            ) {
                let within = u32::MAX >> (LANES - len);
                let most = _mm512_set1_epi16(i16::MAX);
                let sign = _mm512_set1_epi16(if IS_MAX { 0 } else { i16::MIN });
                for row in 0..rows {
                    // SAFETY: the caller's; what is not of the row is not read.
                    unsafe {
                        let row_lanes = lanes.cast::<i16>().add(row * len);
                        let lanes = _mm512_maskz_loadu_epi16(within, row_lanes);
                        let size = _mm512_and_si512(lanes, most);
                        let nans = _mm512_cmpgt_epi16_mask(size, _mm512_set1_epi16(INFINITY));
                        // A NaN is the greatest, what is not there the least.
                        let keys = turned(_mm512_xor_si512(lanes, sign));
                        let keys = _mm512_mask_mov_epi16(_mm512_set1_epi16(i16::MIN), within, keys);
                        let keys = _mm512_mask_mov_epi16(keys, nans, most);
                        let half = _mm256_max_epi16(
                            _mm512_castsi512_si256(keys),
                            _mm512_extracti64x4_epi64::<1>(keys),
                        );
                        let eight = _mm_max_epi16(
                            _mm256_castsi256_si128(half),
                            _mm256_extracti128_si256::<1>(half),
                        );
                        // There is an instruction for the least without a sign.
                        let least = _mm_minpos_epu16(_mm_xor_si128(eight, _mm_set1_epi16(i16::MAX)));
                        let key = _mm_extract_epi16::<0>(least) as i16 ^ i16::MAX;
                        let sign = if IS_MAX { 0 } else { i16::MIN };
                        let bits = (key ^ (key >> 15 & i16::MAX)) ^ sign;
                        out.cast::<i16>().add(row).write(bits);
                    }
                }
            }
        }
    }
}
