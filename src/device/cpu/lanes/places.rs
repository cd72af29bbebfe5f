//! Where in their rows the greatest and least values stand: the first of equals, or the first NaN.

use std::marker::PhantomData;

use super::super::dispatch::Level;
use super::super::number::Number;
use super::LANES;
use super::extremes::{Ordered, are_plain, best_of};
use super::fold::FoldKernel;
use super::number::Partial;
use super::points::Points;
use super::short::Short;
use crate::dtype::DType;
use crate::ir::BinaryOp;

/// Keeps the greatest value of a row, and its place.
pub(super) struct Position<T>(PhantomData<T>);

/// Whether `x` takes the place of what was the best so far: the first of equals stays, and so does the
/// first NaN.
#[inline(always)]
fn replaces<T: Number>(x: T, best: T) -> bool {
    x.exceeds(best) | (x.is_nan() & !best.is_nan())
}

/// The first lane with this value, or the first NaN if that is one.
#[inline(always)]
fn place_of<T: Number>(lanes: &[T], value: T) -> usize {
    if value.is_nan() {
        return lanes.iter().position(|x| x.is_nan()).unwrap_or(0);
    }
    first_of(lanes, |x| x == value).unwrap_or(0)
}

/// The first lane with a property, which whole pieces are asked for at once.
#[inline(always)]
fn first_of<T: Number>(lanes: &[T], has: impl Fn(T) -> bool) -> Option<usize> {
    let (pieces, rest) = lanes.as_chunks::<LANES>();
    let mut from = 0;
    for piece in pieces {
        let mut hits = [0u8; LANES];
        for at in 0..LANES {
            hits[at] = has(piece[at]) as u8;
        }
        if let Some(at) = first_hit(&hits) {
            return Some(from + at);
        }
        from += LANES;
    }
    let hits_of = |eight: &[T; 8]| {
        let mut hits = [0u8; 8];
        for at in 0..8 {
            hits[at] = has(eight[at]) as u8;
        }
        u64::from_le_bytes(hits)
    };
    let (eights, rest) = rest.as_chunks::<8>();
    for eight in eights {
        let hits = hits_of(eight);
        if hits != 0 {
            return Some(from + hits.trailing_zeros() as usize / 8);
        }
        from += 8;
    }
    if let (false, Some(last)) = (rest.is_empty(), lanes.last_chunk::<8>()) {
        // It reaches back over lanes that have not the property.
        let hits = hits_of(last);
        let first = lanes.len() - 8 + hits.trailing_zeros() as usize / 8;
        return (hits != 0).then_some(first);
    }
    // From the end, without a branch that depends on the lanes.
    let mut found = None;
    for at in (0..rest.len()).rev() {
        found = if has(rest[at]) { Some(from + at) } else { found };
    }
    found
}

/// The first byte that is not zero.
#[inline(always)]
fn first_hit(hits: &[u8; LANES]) -> Option<usize> {
    for (word, eight) in hits.as_chunks::<8>().0.iter().enumerate() {
        let bits = u64::from_le_bytes(*eight);
        if bits != 0 {
            return Some(8 * word + bits.trailing_zeros() as usize / 8);
        }
    }
    None
}

impl<T: Ordered> FoldKernel for Position<T> {
    type Lane = T;
    type Acc = T;
    type Behind = i64;
    const HAS_BEHIND: bool = true;
    type Row = T;

    #[inline(always)]
    fn are_plain(all: &[T]) -> bool {
        are_plain(all)
    }

    #[inline(always)]
    fn row(lanes: &[T], flip: u64, is_plain: bool) -> T {
        best_of(lanes, flip, is_plain).flipped(flip)
    }

    #[inline(always)]
    fn join(best: T, lanes: &[T], partial: &mut Partial, start: i64, flip: u64) {
        if replaces(best.flipped(flip), T::of_partial(partial).flipped(flip)) {
            best.to_partial(partial);
            partial.position = start + place_of(lanes, best) as i64;
        }
    }

    #[inline(always)]
    unsafe fn finish(best: T, lanes: &[T], out: *mut u8, at: usize) {
        // SAFETY: the caller has room for a position for each row.
        unsafe { out.cast::<i64>().add(at).write(place_of(lanes, best) as i64) }
    }

    #[inline(always)]
    unsafe fn strip<const WIDTH: usize>(
        acc: *mut u8,
        at: *mut i64,
        from: usize,
        points: Points,
        flip: u64,
    ) {
        // SAFETY: the plan gives accumulators, positions and, at every point, lanes of `T`.
        unsafe {
            let acc = acc.cast::<T>().add(from).cast::<[T; WIDTH]>();
            let places = at.add(from).cast::<[i64; WIDTH]>();
            let (mut best, mut position_of) = (*acc, *places);
            for lane in &mut best {
                *lane = lane.flipped(flip);
            }
            for point in 0..points.count {
                let lanes = points.strip::<T, WIDTH>(point, from);
                let position = points.position + point as i64;
                // One loop for each: together they are more than a compiler makes vectors of. So are floats
                // that are flipped in a loop of their own, and integers that are not.
                let (mut better, mut flipped) = ([false; WIDTH], lanes);
                if T::HAS_NAN {
                    for at in 0..WIDTH {
                        better[at] = replaces(lanes[at].flipped(flip), best[at]);
                    }
                    for at in 0..WIDTH {
                        best[at] = if better[at] { lanes[at].flipped(flip) } else { best[at] };
                    }
                } else {
                    for at in 0..WIDTH {
                        flipped[at] = lanes[at].flipped(flip);
                    }
                    for at in 0..WIDTH {
                        better[at] = replaces(flipped[at], best[at]);
                    }
                    for at in 0..WIDTH {
                        best[at] = if better[at] { flipped[at] } else { best[at] };
                    }
                }
                for at in 0..WIDTH {
                    position_of[at] = if better[at] { position } else { position_of[at] };
                }
            }
            for lane in &mut best {
                *lane = lane.flipped(flip);
            }
            (*acc, *places) = (best, position_of);
        }
    }

    #[inline(always)]
    unsafe fn merge(acc: *mut u8, at: *mut i64, lanes: *const u8, n: usize, flip: u64) {
        // SAFETY: an accumulator block is `n` values of `T` in as many bytes as `n` of 8, and then
        // `n` positions.
        unsafe {
            let later = std::slice::from_raw_parts(lanes.add(n * 8).cast::<i64>(), n);
            let acc = std::slice::from_raw_parts_mut(acc.cast::<T>(), n);
            let at = std::slice::from_raw_parts_mut(at, n);
            let lanes = std::slice::from_raw_parts(lanes.cast::<T>(), n);
            for (((acc, at), x), later) in acc.iter_mut().zip(at).zip(lanes).zip(later) {
                if replaces(x.flipped(flip), acc.flipped(flip)) {
                    (*acc, *at) = (*x, *later);
                }
            }
        }
    }
}

/// What finds places in short rows, if there is such.
pub(super) fn short_rows(level: Level, join: BinaryOp, dtype: DType) -> Option<Short> {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if level == Level::Avx512 {
        macro_rules! by_vectors {
            ($vector:literal $function:ident) => {{
                use vectors::$function as of;
                Some(Short::new($vector, [of::<1>, of::<2>, of::<4>, of::<8>]))
            }};
        }
        return match (dtype, join) {
            (DType::F32, BinaryOp::Max) => by_vectors!(16 greatest_of_floats),
            (DType::F32, _) => by_vectors!(16 least_of_floats),
            (DType::F64, BinaryOp::Max) => by_vectors!(8 greatest_of_doubles),
            (DType::F64, _) => by_vectors!(8 least_of_doubles),
            _ => super::short::places_of_integers(join, dtype),
        };
    }
    _ = (level, join, dtype);
    None
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod vectors {
    use std::arch::x86_64::*;

    use crate::device::cpu::dispatch::with_avx512;

    /// As many rows as a vector has lanes are compared column by column, where there are no more columns.
    const FEW_COLUMNS: usize = 8;

    /// `$name` writes the places of whole vectors of rows, and says how many rows it did. A lane of a column is picked of
    /// the vectors that the rows fill, which are as many as there are columns.
    macro_rules! columns {
        ($($name:ident $T:ident $LANES:literal $Place:ident $exceeds:ident,
            $load:ident $pick:ident $compare:ident $within:ident $choose:ident $places:ident $set:ident $store:ident;)*) => {$(
            with_avx512! {
                unsafe fn $name(out: *mut i64, lanes: *const $T, rows: usize, len: usize) -> usize {
                    let mut columns = [$set(0); FEW_COLUMNS];
                    let mut masks = [[0; FEW_COLUMNS]; FEW_COLUMNS];
                    for (column, masks) in masks[..len].iter_mut().enumerate() {
                        let place = |lane: usize| ((column + lane * len) % $LANES) as $Place;
                        // SAFETY: both have 64 bytes, any of which are good in either.
                        columns[column] = unsafe {
                            std::mem::transmute::<[$Place; $LANES], __m512i>(std::array::from_fn(place))
                        };
                        // The lanes of a column that lie in each vector follow one another.
                        let until = |end: usize| (1u32 << (end + len - 1 - column).div_euclid(len).min($LANES)) - 1;
                        let mut before = 0;
                        for (vector, mask) in masks[..len].iter_mut().enumerate() {
                            let through = until((vector + 1) * $LANES);
                            (*mask, before) = ((through ^ before) as _, through);
                        }
                    }
                    let mut row = 0;
                    while row + $LANES <= rows {
                        // SAFETY: the caller's: so many rows fill so many vectors, and have so many places.
                        unsafe {
                            let at = lanes.add(row * len);
                            let column = |number: usize| {
                                let mut column = $load(at);
                                for (vector, mask) in masks[number][..len].iter().enumerate() {
                                    let some = $load(at.add(vector * $LANES));
                                    column = $pick(column, *mask, columns[number], some);
                                }
                                column
                            };
                            let (mut best, mut place) = (column(0), $set(0));
                            let mut is_number = $compare::<_CMP_ORD_Q>(best, best);
                            for number in 1..len {
                                let next = column(number);
                                // A NaN exceeds every number, and nothing exceeds a NaN.
                                let exceeds = $within::<$exceeds>(is_number, next, best);
                                best = $choose(best, exceeds, next);
                                place = $places(place, exceeds, $set(number as $Place));
                                is_number &= $compare::<_CMP_ORD_Q>(next, next);
                            }
                            $store(out.add(row), place);
                        }
                        row += $LANES;
                    }
                    row
                }
            }
        )*};
    }

    with_avx512! {
        unsafe fn store_words(out: *mut i64, places: __m512i) {
            let (low, high) = (_mm512_castsi512_si256(places), _mm512_extracti64x4_epi64::<1>(places));
            // SAFETY: the caller has room for sixteen.
            unsafe {
                _mm512_storeu_si512(out.cast(), _mm512_cvtepi32_epi64(low));
                _mm512_storeu_si512(out.add(8).cast(), _mm512_cvtepi32_epi64(high));
            }
        }
    }

    with_avx512! {
        unsafe fn store_longs(out: *mut i64, places: __m512i) {
            // SAFETY: the caller has room for eight.
            unsafe { _mm512_storeu_si512(out.cast(), places) };
        }
    }

    columns! {
        first_greatest_of_floats f32 16 i32 _CMP_NLE_UQ, _mm512_loadu_ps _mm512_mask_permutexvar_ps _mm512_cmp_ps_mask
            _mm512_mask_cmp_ps_mask _mm512_mask_mov_ps _mm512_mask_mov_epi32 _mm512_set1_epi32 store_words;
        first_least_of_floats f32 16 i32 _CMP_NGE_UQ, _mm512_loadu_ps _mm512_mask_permutexvar_ps _mm512_cmp_ps_mask
            _mm512_mask_cmp_ps_mask _mm512_mask_mov_ps _mm512_mask_mov_epi32 _mm512_set1_epi32 store_words;
        first_greatest_of_doubles f64 8 i64 _CMP_NLE_UQ, _mm512_loadu_pd _mm512_mask_permutexvar_pd _mm512_cmp_pd_mask
            _mm512_mask_cmp_pd_mask _mm512_mask_mov_pd _mm512_mask_mov_epi64 _mm512_set1_epi64 store_longs;
        first_least_of_doubles f64 8 i64 _CMP_NGE_UQ, _mm512_loadu_pd _mm512_mask_permutexvar_pd _mm512_cmp_pd_mask
            _mm512_mask_cmp_pd_mask _mm512_mask_mov_pd _mm512_mask_mov_epi64 _mm512_set1_epi64 store_longs;
    }

    /// `$name` writes the place of each row: its lanes are read under masks, those that are not there are the worst, and
    /// what is left when all are compared with the best, or with themselves for NaN, begins at the place.
    macro_rules! rows {
        ($($name:ident $few:ident $T:ident $LANES:literal $worst:expr, $load:ident $set:ident $better:ident $best:ident $compare:ident;)*) => {$(
            with_avx512! {
                pub(super) unsafe fn $name<const VECTORS: usize>(out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
                    let (out, worst, lanes) = (out.cast::<i64>(), $set($worst), lanes.cast::<$T>());
                    // What of each vector's lanes is there.
                    let masks: [_; VECTORS] = std::array::from_fn(|number| {
                        let len = len.saturating_sub(number * $LANES).min($LANES);
                        ((1u32 << len) - 1) as _
                    });
                    let mut done = 0;
                    if VECTORS == 1 && (2..=FEW_COLUMNS).contains(&len) {
                        // SAFETY: the caller's.
                        done = unsafe { $few(out, lanes, rows, len) };
                    }
                    for row in done..rows {
                        // SAFETY: the caller's; what is not of the row is not read.
                        unsafe {
                            let row_lanes = lanes.add(row * len);
                            let mut all = [worst; VECTORS];
                            let (mut better, mut nans) = (worst, 0);
                            for number in 0..VECTORS {
                                let some = $load(worst, masks[number], row_lanes.wrapping_add(number * $LANES));
                                nans |= $compare::<_CMP_UNORD_Q>(some, some);
                                better = if number == 0 { some } else { $better(better, some) };
                                all[number] = some;
                            }
                            let best = $set($best(better));
                            let mut place = 0;
                            for number in (0..VECTORS).rev() {
                                let hits = match nans {
                                    0 => $compare::<_CMP_EQ_OQ>(all[number], best),
                                    _ => $compare::<_CMP_UNORD_Q>(all[number], all[number]),
                                };
                                let first = number as u32 * $LANES + u32::from(hits).trailing_zeros();
                                place = if hits == 0 { place } else { first };
                            }
                            out.add(row).write(place.into());
                        }
                    }
                }
            }
        )*};
    }

    rows! {
        greatest_of_floats first_greatest_of_floats f32 16 f32::NEG_INFINITY,
            _mm512_mask_loadu_ps _mm512_set1_ps _mm512_max_ps _mm512_reduce_max_ps _mm512_cmp_ps_mask;
        least_of_floats first_least_of_floats f32 16 f32::INFINITY,
            _mm512_mask_loadu_ps _mm512_set1_ps _mm512_min_ps _mm512_reduce_min_ps _mm512_cmp_ps_mask;
        greatest_of_doubles first_greatest_of_doubles f64 8 f64::NEG_INFINITY,
            _mm512_mask_loadu_pd _mm512_set1_pd _mm512_max_pd _mm512_reduce_max_pd _mm512_cmp_pd_mask;
        least_of_doubles first_least_of_doubles f64 8 f64::INFINITY,
            _mm512_mask_loadu_pd _mm512_set1_pd _mm512_min_pd _mm512_reduce_min_pd _mm512_cmp_pd_mask;
    }
}
