//! Sums of products of two inputs, where each lane is a row: nothing between the loads and the accumulators is
//! written to memory. What is added is what a multiplication and a sum one after the other would add, in the same
//! order.

use super::super::dispatch::{Level, by_level};
use super::super::number::Number;
use super::number::Summand;
use super::points::{Points, STRIP};
use super::total::NEAR;
use crate::dtype::DType;

/// The points of two factors, as many and at the same positions. The left one may be the same in all lanes.
#[derive(Debug, Clone, Copy)]
pub struct Factors {
    pub left: Points,
    pub right: Points,
    pub is_left_one: bool,
}

/// `(totals, near sums, how many lanes, factors)`
pub type ProductsFn = unsafe fn(*mut u8, *mut u8, usize, &Factors);

#[inline(always)]
unsafe fn strip<T: Summand, const WIDTH: usize, const ONE: bool>(
    acc: *mut u8,
    near: *mut u8,
    from: usize,
    factors: &Factors,
) {
    // SAFETY: the caller gives accumulators of the wide type and, if `T` has them, sums in `T`; there are lanes
    // of both factors at every point.
    unsafe {
        let acc = acc.cast::<T::Wide>().add(from).cast::<[T::Wide; WIDTH]>();
        let near = near.cast::<T>().wrapping_add(from).cast::<[T; WIDTH]>();
        let Factors { left, right, .. } = factors;
        let ones = |point: usize| match ONE {
            true => [left.strip::<T, 1>(point, 0)[0]; WIDTH],
            false => left.strip::<T, WIDTH>(point, from),
        };
        if !T::SUMS_NEAR {
            let mut wide = *acc;
            for point in 0..right.count {
                let (ones, others) = (ones(point), right.strip::<T, WIDTH>(point, from));
                for at in 0..WIDTH {
                    wide[at] = wide[at].add(ones[at].multiply(others[at]).widen());
                }
            }
            *acc = wide;
            return;
        }
        // Totals stay where they are until there is something for them.
        let mut sums = *near;
        for point in 0..right.count {
            let (ones, others) = (ones(point), right.strip::<T, WIDTH>(point, from));
            for at in 0..WIDTH {
                sums[at] = sums[at].add(ones[at].multiply(others[at]));
            }
            if (right.position + point as i64) % NEAR == NEAR - 1 {
                let totals = &mut *acc;
                for (total, sum) in totals.iter_mut().zip(&mut sums) {
                    *total = total.add(sum.widen());
                    *sum = T::ZERO;
                }
            }
        }
        *near = sums;
    }
}

/// Lanes of types that are summed near: additions wait for each other, so that there are more of them.
pub const WIDE_STRIP: usize = 2 * STRIP;

#[inline(always)]
unsafe fn strips<T: Summand, const ONE: bool>(
    acc: *mut u8,
    near: *mut u8,
    n: usize,
    factors: &Factors,
) {
    let mut from = 0;
    // SAFETY: passed on; strips end at `n` at the latest.
    unsafe {
        while T::SUMS_NEAR && n - from >= WIDE_STRIP {
            strip::<T, WIDE_STRIP, ONE>(acc, near, from, factors);
            from += WIDE_STRIP;
        }
        while n - from >= STRIP {
            strip::<T, STRIP, ONE>(acc, near, from, factors);
            from += STRIP;
        }
        while n - from >= 8 {
            strip::<T, 8, ONE>(acc, near, from, factors);
            from += 8;
        }
        while from < n {
            strip::<T, 1, ONE>(acc, near, from, factors);
            from += 1;
        }
    }
}

#[inline(always)]
unsafe fn products_loop<T: Summand, const FMA: bool>(
    acc: *mut u8,
    near: *mut u8,
    n: usize,
    factors: &Factors,
) {
    // SAFETY: passed on.
    unsafe {
        match factors.is_left_one {
            true => strips::<T, true>(acc, near, n, factors),
            false => strips::<T, false>(acc, near, n, factors),
        }
    }
}

by_level! {
    fn pick<T: Summand>(acc: *mut u8, near: *mut u8, n: usize, factors: &Factors) = products_loop;
}

/// The kernel for sums of products of lanes of a type, where there is one.
pub fn products(level: Level, dtype: DType) -> Option<ProductsFn> {
    match dtype {
        DType::F32 => Some(pick::<f32>(level)),
        DType::F64 => Some(pick::<f64>(level)),
        _ => None,
    }
}
