//! Sums and products: of a block of one row, and of blocks in which each lane is a row.

use std::marker::PhantomData;

use super::super::number::Number;
use super::LANES;
use super::fold::FoldKernel;
use super::number::{Folded, Partial, Summand};

/// Adds or multiplies, over blocks in the wide type.
pub(super) struct Total<T, const PRODUCT: bool>(PhantomData<T>);

/// Elements of one row that are summed in float32 before they go to the total in double.
pub const RUN: usize = 2048;
/// The same where each lane is a row of its own.
pub const NEAR: i64 = 16;

impl<T: Summand, const PRODUCT: bool> Total<T, PRODUCT> {
    #[inline(always)]
    fn join<N: Number>(a: N, b: N) -> N {
        if PRODUCT { a.multiply(b) } else { a.add(b) }
    }
    #[inline(always)]
    fn identity<N: Number>() -> N {
        if PRODUCT { N::ONE } else { N::ZERO }
    }
}

impl<T: Summand, const PRODUCT: bool> FoldKernel for Total<T, PRODUCT> {
    type Lane = T;

    #[inline(always)]
    unsafe fn row(partial: &mut Partial, lanes: *const u8, n: usize, _: i64) {
        // SAFETY: the plan gives `n` lanes of `T`.
        let lanes = unsafe { std::slice::from_raw_parts(lanes.cast::<T>(), n) };
        let (pieces, rest) = lanes.as_chunks::<LANES>();
        let mut eight = [Self::identity::<T::Wide>(); 8];
        if PRODUCT {
            // In the wide type throughout: a product leaves the narrow range easily.
            let mut acc = [Self::identity::<T::Wide>(); LANES / 4];
            for piece in pieces {
                for (at, x) in piece.iter().enumerate() {
                    let acc = &mut acc[at % (LANES / 4)];
                    *acc = Self::join(*acc, x.widen());
                }
            }
            for at in 0..8 {
                eight[at] = Self::join(acc[at], acc[at + 8]);
            }
        } else {
            for run in pieces.chunks(RUN / LANES) {
                let acc = each_lane(run, Self::identity::<T>(), Self::join);
                for piece in acc.as_chunks::<8>().0 {
                    for at in 0..8 {
                        eight[at] = Self::join(eight[at], piece[at].widen());
                    }
                }
            }
        }
        let total = join_rest(eight, rest, Self::join, T::widen);
        Self::join(T::Wide::of_partial(partial), total).to_partial(partial);
    }

    #[inline(always)]
    unsafe fn lane(acc: *mut u8, near: *mut i64, lanes: *const u8, n: usize, position: i64) {
        // SAFETY: the plan gives `n` accumulators of the wide type and `n` lanes of `T`.
        let (acc, lanes) = unsafe {
            (
                std::slice::from_raw_parts_mut(acc.cast::<T::Wide>(), n),
                std::slice::from_raw_parts(lanes.cast::<T>(), n),
            )
        };
        if PRODUCT || !T::SUMS_NEAR {
            for (acc, x) in acc.iter_mut().zip(lanes) {
                *acc = Self::join(*acc, x.widen());
            }
            return;
        }
        // SAFETY: behind the totals are `n` sums in `T`.
        let near = unsafe { std::slice::from_raw_parts_mut(near.cast::<T>(), n) };
        if position % NEAR == NEAR - 1 {
            for ((acc, near), x) in acc.iter_mut().zip(near).zip(lanes) {
                *acc = acc.add(near.add(*x).widen());
                *near = T::ZERO;
            }
        } else {
            for (near, x) in near.iter_mut().zip(lanes) {
                *near = near.add(*x);
            }
        }
    }

    #[inline(always)]
    unsafe fn merge(acc: *mut u8, _: *mut i64, lanes: *const u8, n: usize) {
        // SAFETY: both are `n` accumulators of the wide type, and then `n` sums in `T` if it has
        // them.
        unsafe {
            let acc = std::slice::from_raw_parts_mut(acc.cast::<T::Wide>(), n);
            let wide = std::slice::from_raw_parts(lanes.cast::<T::Wide>(), n);
            for (acc, x) in acc.iter_mut().zip(wide) {
                *acc = Self::join(*acc, *x);
            }
            if !PRODUCT && T::SUMS_NEAR {
                let near = std::slice::from_raw_parts(lanes.add(n * 8).cast::<T>(), n);
                for (acc, x) in acc.iter_mut().zip(near) {
                    *acc = acc.add(x.widen());
                }
            }
        }
    }
}

/// Folds pieces lane by lane. Arrays of a known length and counted loops are what the compiler keeps
/// in registers.
#[inline(always)]
pub(super) fn each_lane<T: Copy>(
    pieces: &[[T; LANES]],
    from: T,
    join: impl Fn(T, T) -> T,
) -> [T; LANES] {
    let mut acc = [from; LANES];
    for piece in pieces {
        for at in 0..LANES {
            acc[at] = join(acc[at], piece[at]);
        }
    }
    acc
}

/// Joins lanes that fill no piece to eight accumulators, and these to one: all of them at once, because a
/// chain of single steps would cost a short row more than all else.
#[inline(always)]
pub(super) fn join_rest<T: Copy, W: Copy>(
    mut eight: [W; 8],
    rest: &[T],
    join: impl Fn(W, W) -> W,
    widen: impl Fn(T) -> W,
) -> W {
    let (eights, rest) = rest.as_chunks::<8>();
    for lanes in eights {
        for at in 0..8 {
            eight[at] = join(eight[at], widen(lanes[at]));
        }
    }
    for (at, x) in rest.iter().enumerate() {
        eight[at] = join(eight[at], widen(*x));
    }
    let [a, b, c, d, e, f, g, h] = eight;
    join(join(join(a, e), join(c, g)), join(join(b, f), join(d, h)))
}
