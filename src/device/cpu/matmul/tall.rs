//! Products of a vector and a tall dense matrix, with vectors of 512 bits: sums of its rows, and rows of two elements.
//!
//! Of few columns none fills a vector. So the matrix is read as one run: after as many vectors as it has columns, lanes
//! come back to the columns that they began with, each of these vectors has sums of its own, and a permutation gives each
//! lane its row's element.

use std::arch::x86_64::*;

use super::blocked::Ring;
use super::thin::{height, is_available};
use crate::device::cpu::dispatch::with_avx512;
use crate::device::cpu::elements::Ptr;

/// Columns at most: each has a register for its sums, and one for its permutation.
pub const COLUMNS: usize = 8;

/// Whether [`sum_up`] sums so many rows of so many elements.
pub(super) fn takes<T: Ring>(depth: usize, columns: usize) -> bool {
    T::HAS_FUSED && (2..=COLUMNS).contains(&columns) && depth >= height::<T>() && is_available()
}

/// Writes the sums of `columns` columns of dense rows, one row for each of `depth` elements of the vector.
///
/// # Safety
/// They are all there, there is room for the sums, and [`takes`] has taken them.
pub(super) unsafe fn sum_up<T: Ring>(
    matrix: Ptr<T>,
    vector: Ptr<T>,
    (depth, columns): (usize, usize),
    out: Ptr<T>,
) {
    /// The function of so many columns.
    macro_rules! by_columns {
        ($floats:ident) => {{
            let sum = match columns {
                2 => $floats::sum_up::<2, 2>,
                3 => $floats::sum_up::<3, 2>,
                4 => $floats::sum_up::<4, 2>,
                5 => $floats::sum_up::<5, 1>,
                6 => $floats::sum_up::<6, 1>,
                7 => $floats::sum_up::<7, 1>,
                _ => $floats::sum_up::<8, 1>,
            };
            sum(matrix.0.cast(), vector.0.cast(), depth, out.0.cast())
        }};
    }
    // SAFETY: the caller's; floats with fused products have four bytes or eight.
    unsafe {
        match size_of::<T>() {
            4 => by_columns!(floats),
            _ => by_columns!(doubles),
        }
    }
}

/// Whether [`by_pairs`] makes so many results.
pub(super) fn takes_pairs<T: Ring>(len: usize) -> bool {
    T::HAS_FUSED && len >= height::<T>() && is_available()
}

/// Writes the products of dense rows of two elements and a vector.
///
/// # Safety
/// They are all there, there is room for as many results, and [`takes_pairs`] has taken them.
pub(super) unsafe fn by_pairs<T: Ring>(matrix: Ptr<T>, vector: Ptr<T>, len: usize, out: Ptr<T>) {
    // SAFETY: as in `sum_up`.
    unsafe {
        match size_of::<T>() {
            4 => floats::by_pairs(matrix.0.cast(), vector.0.cast(), len, out.0.cast()),
            _ => doubles::by_pairs(matrix.0.cast(), vector.0.cast(), len, out.0.cast()),
        }
    }
}

macro_rules! kernel {
    ($name:ident $T:ident $Place:ident, $zero:ident $load:ident $store:ident $pick:ident $add_product:ident
        $splat:ident $pick_of_two:ident $multiply:ident) => {
        mod $name {
            use super::*;

            const LANES: usize = height::<$T>();

            with_avx512! {
                pub(super) unsafe fn by_pairs(matrix: *const $T, vector: *const $T, len: usize, out: *mut $T) {
                    let [even, odd] = [0, 1].map(|first| {
                        let place = |lane: usize| (2 * lane + first) as $Place;
                        // SAFETY: both have 64 bytes, any of which are good in either.
                        unsafe {
                            std::mem::transmute::<[$Place; LANES], __m512i>(std::array::from_fn(place))
                        }
                    });
                    // SAFETY: the caller's; the last vectors reach back over results that are made again.
                    unsafe {
                        let (first, second) = ($splat(*vector), $splat(*vector.add(1)));
                        for row in (0..len).step_by(LANES) {
                            let row = row.min(len - LANES);
                            let pairs = matrix.add(2 * row);
                            let (near, far) = ($load(pairs), $load(pairs.add(LANES)));
                            let product = $multiply($pick_of_two(near, even, far), first);
                            let sum = $add_product($pick_of_two(near, odd, far), second, product);
                            $store(out.add(row), sum);
                        }
                    }
                }
            }

            with_avx512! {
                /// With so many sums of each lane, which take turns.
                pub(super) unsafe fn sum_up<const COLUMNS: usize, const TURNS: usize>(
                    matrix: *const $T,
                    vector: *const $T,
                    depth: usize,
                    out: *mut $T,
                ) {
                    let places: [__m512i; COLUMNS] = std::array::from_fn(|number| {
                        let row = |lane: usize| ((number * LANES + lane) / COLUMNS) as $Place;
                        // SAFETY: both have 64 bytes, any of which are good in either.
                        unsafe {
                            std::mem::transmute::<[$Place; LANES], __m512i>(std::array::from_fn(row))
                        }
                    });
                    let mut sums = [[$zero(); COLUMNS]; TURNS];
                    let mut row = 0;
                    // SAFETY: the caller's; whole vectors lie within the rows.
                    unsafe {
                        while row + TURNS * LANES <= depth {
                            for sums in &mut sums {
                                let factors = $load(vector.add(row));
                                for (number, sum) in sums.iter_mut().enumerate() {
                                    let lanes = $load(matrix.add(row * COLUMNS + number * LANES));
                                    *sum = $add_product(lanes, $pick(places[number], factors), *sum);
                                }
                                row += LANES;
                            }
                        }
                        let mut total = [0.0; COLUMNS];
                        let mut lanes = [0.0; LANES];
                        for sums in sums {
                            for (number, sum) in sums.into_iter().enumerate() {
                                $store(lanes.as_mut_ptr(), sum);
                                for (lane, value) in lanes.into_iter().enumerate() {
                                    total[(number * LANES + lane) % COLUMNS] += value;
                                }
                            }
                        }
                        for row in row..depth {
                            for (column, total) in total.iter_mut().enumerate() {
                                let product = *matrix.add(row * COLUMNS + column);
                                *total = product.mul_add(*vector.add(row), *total);
                            }
                        }
                        out.cast::<[$T; COLUMNS]>().write(total);
                    }
                }
            }
        }
    };
}

kernel!(floats f32 i32, _mm512_setzero_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_permutexvar_ps _mm512_fmadd_ps
    _mm512_set1_ps _mm512_permutex2var_ps _mm512_mul_ps);
kernel!(doubles f64 i64, _mm512_setzero_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_permutexvar_pd _mm512_fmadd_pd
    _mm512_set1_pd _mm512_permutex2var_pd _mm512_mul_pd);
