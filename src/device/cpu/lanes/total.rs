//! Sums and products: of a block of one row, and of blocks in which each lane is a row.

use std::marker::PhantomData;

use super::super::dispatch::vectorized;
use super::super::number::Number;
use super::LANES;
use super::fold::FoldKernel;
use super::number::{Folded, Partial, Summand};
use super::points::Points;

/// Adds or multiplies, over blocks in the wide type.
pub(super) struct Total<T, const PRODUCT: bool>(PhantomData<T>);

/// Elements of one row that are summed in float32 before they go to the total in double.
pub const RUN: usize = 2048;
/// The same where each lane is a row of its own.
pub const NEAR: i64 = 16;

impl<T: Summand, const PRODUCT: bool> Total<T, PRODUCT> {
    #[inline(always)]
    fn both<N: Number>(a: N, b: N) -> N {
        if PRODUCT { a.multiply(b) } else { a.add(b) }
    }
    #[inline(always)]
    fn identity<N: Number>() -> N {
        if PRODUCT { N::ONE } else { N::ZERO }
    }

    /// Adds up pieces, and what is left of a row, in sixteen lanes of their own type, which go to the eight accumulators
    /// after every run.
    #[inline(always)]
    fn near(pieces: &[[T; LANES]], rest: &[T]) -> [T::Wide; 8] {
        const NEAR_LANES: usize = LANES / 4;
        let mut eight = [Self::identity::<T::Wide>(); 8];
        let mut near = [Self::identity::<T>(); NEAR_LANES];
        for (number, run) in pieces.chunks(RUN / LANES).enumerate() {
            if number > 0 {
                eight = join_rest(eight, &near, Self::identity(), Self::both, T::widen);
            }
            let acc = each_lane(run, [Self::identity::<T>(); LANES], Self::both);
            let (quarters, _) = acc.as_chunks::<NEAR_LANES>();
            for at in 0..NEAR_LANES {
                let first = Self::both(quarters[0][at], quarters[1][at]);
                near[at] = Self::both(first, Self::both(quarters[2][at], quarters[3][at]));
            }
        }
        let (whole, rest) = rest.as_chunks::<NEAR_LANES>();
        for lanes in whole {
            for at in 0..NEAR_LANES {
                near[at] = Self::both(near[at], lanes[at]);
            }
        }
        let (half, last) = rest.as_chunks::<8>();
        for lanes in half {
            for at in 0..8 {
                near[at] = Self::both(near[at], lanes[at]);
            }
        }
        // A compiler that sees where these lanes come from makes shuffles of what follows. It is a copy of them that goes
        // through memory, so that they themselves do not.
        let joined = |near: [T; NEAR_LANES]| {
            let near = std::hint::black_box(&near);
            join_rest(eight, near, Self::identity(), Self::both, T::widen)
        };
        if last.is_empty() {
            return joined(near);
        }
        let last = filled(last, Self::identity());
        // Each place is a constant, as in `filled`.
        match half.is_empty() {
            true => (0..8).for_each(|at| near[at] = Self::both(near[at], last[at])),
            false => (0..8).for_each(|at| near[8 + at] = Self::both(near[8 + at], last[at])),
        }
        joined(near)
    }
}

impl<T: Summand, const PRODUCT: bool> FoldKernel for Total<T, PRODUCT> {
    type Lane = T;
    type Acc = T::Wide;
    type Behind = T;
    const HAS_BEHIND: bool = !PRODUCT && T::SUMS_NEAR;
    type Row = T::Wide;

    #[inline(always)]
    fn row(lanes: &[T], _: u64, _: bool) -> T::Wide {
        let (pieces, rest) = pieces_of(lanes);
        let mut eight = [Self::identity::<T::Wide>(); 8];
        if PRODUCT {
            // In the wide type throughout: a product leaves the narrow range easily.
            let mut acc = [Self::identity::<T::Wide>(); LANES / 4];
            for piece in pieces {
                for (at, x) in piece.iter().enumerate() {
                    let acc = &mut acc[at % (LANES / 4)];
                    *acc = Self::both(*acc, x.widen());
                }
            }
            for at in 0..8 {
                eight[at] = Self::both(acc[at], acc[at + 8]);
            }
        } else {
            if T::SUMS_NEAR {
                return join_halves(Self::near(pieces, rest), Self::both);
            }
            for run in pieces.chunks(RUN / LANES) {
                let acc = each_lane(run, [Self::identity::<T>(); LANES], Self::both);
                for piece in acc.as_chunks::<8>().0 {
                    for at in 0..8 {
                        eight[at] = Self::both(eight[at], piece[at].widen());
                    }
                }
            }
        }
        join_halves(join_rest(eight, rest, Self::identity(), Self::both, T::widen), Self::both)
    }

    #[inline(always)]
    fn join(total: T::Wide, _: &[T], partial: &mut Partial, _: i64, _: u64) {
        Self::both(T::Wide::of_partial(partial), total).to_partial(partial);
    }

    #[inline(always)]
    unsafe fn finish(total: T::Wide, _: &[T], out: *mut u8, at: usize) {
        // SAFETY: the caller has room for a lane for each row.
        unsafe { out.cast::<T::Out>().add(at).write(T::narrow(total)) }
    }

    #[inline(always)]
    unsafe fn strip<const WIDTH: usize>(
        acc: *mut u8,
        near: *mut i64,
        from: usize,
        points: Points,
        _: u64,
    ) {
        // SAFETY: the plan gives accumulators of the wide type and, behind them, sums in `T` if it has them, and
        // lanes of `T` at every point.
        unsafe {
            let acc = acc.cast::<T::Wide>().add(from).cast::<[T::Wide; WIDTH]>();
            if PRODUCT || !T::SUMS_NEAR {
                let mut wide = *acc;
                for point in 0..points.count {
                    let lanes = points.strip::<T, WIDTH>(point, from);
                    for at in 0..WIDTH {
                        wide[at] = Self::both(wide[at], lanes[at].widen());
                    }
                }
                *acc = wide;
                return;
            }
            // Totals stay where they are until there is something for them.
            let near = near.cast::<T>().add(from).cast::<[T; WIDTH]>();
            let mut sums = *near;
            for point in 0..points.count {
                let lanes = points.strip::<T, WIDTH>(point, from);
                for at in 0..WIDTH {
                    sums[at] = sums[at].add(lanes[at]);
                }
                if (points.position + point as i64) % NEAR == NEAR - 1 {
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

    #[inline(always)]
    unsafe fn merge(acc: *mut u8, _: *mut i64, lanes: *const u8, n: usize, _: u64) {
        // SAFETY: both are `n` accumulators of the wide type, and then `n` sums in `T` if it has
        // them.
        unsafe {
            let acc = std::slice::from_raw_parts_mut(acc.cast::<T::Wide>(), n);
            let wide = std::slice::from_raw_parts(lanes.cast::<T::Wide>(), n);
            for (acc, x) in acc.iter_mut().zip(wide) {
                *acc = Self::both(*acc, *x);
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

vectorized! {
    /// What totals of float32 come to, each joined with what has not been added to it yet, if there is such.
    pub(super) fn narrow_totals(out: &mut [f32], totals: &[f64], near: Option<&[f32]>) = narrow_totals_body
}

#[inline(always)]
fn narrow_totals_body(out: &mut [f32], totals: &[f64], near: Option<&[f32]>) {
    match near {
        Some(near) => {
            for ((out, total), near) in out.iter_mut().zip(totals).zip(near) {
                *out = (total + f64::from(*near)) as f32;
            }
        }
        None => out.iter_mut().zip(totals).for_each(|(out, total)| *out = *total as f32),
    }
}

/// Lanes in pieces, and what is left. A single piece is left whole: it has nothing to be folded with, and goes to
/// the eight accumulators in the same order.
#[inline(always)]
pub(super) fn pieces_of<T>(lanes: &[T]) -> (&[[T; LANES]], &[T]) {
    match lanes.len() < 2 * LANES {
        true => (&[], lanes),
        false => lanes.as_chunks(),
    }
}

/// Folds pieces lane by lane. Arrays of a known length and counted loops are what the compiler keeps
/// in registers.
#[inline(always)]
pub(super) fn each_lane<T: Copy>(
    pieces: &[[T; LANES]],
    from: [T; LANES],
    join: impl Fn(T, T) -> T,
) -> [T; LANES] {
    let mut acc = from;
    for piece in pieces {
        for at in 0..LANES {
            acc[at] = join(acc[at], piece[at]);
        }
    }
    acc
}

/// Joins lanes that fill no piece to eight accumulators: all of them at once, because a chain of single steps
/// would cost a short row more than all else. Joining `identity` changes no accumulator.
#[inline(always)]
pub(super) fn join_rest<T: Copy, W: Copy>(
    mut eight: [W; 8],
    rest: &[T],
    identity: T,
    join: impl Fn(W, W) -> W,
    widen: impl Fn(T) -> W,
) -> [W; 8] {
    let (eights, rest) = rest.as_chunks::<8>();
    for lanes in eights {
        for at in 0..8 {
            eight[at] = join(eight[at], widen(lanes[at]));
        }
    }
    if !rest.is_empty() {
        let lanes = filled(rest, identity);
        for at in 0..8 {
            eight[at] = join(eight[at], widen(lanes[at]));
        }
    }
    eight
}

/// Up to seven lanes, and `with` behind them. Which place each gets is a constant: a loop that counts would write them to
/// memory one by one, and whoever reads them together there waits for longer than all of a short row takes.
#[inline(always)]
fn filled<T: Copy>(lanes: &[T], with: T) -> [T; 8] {
    let w = with;
    match *lanes {
        [] => [w; 8],
        [a] => [a, w, w, w, w, w, w, w],
        [a, b] => [a, b, w, w, w, w, w, w],
        [a, b, c] => [a, b, c, w, w, w, w, w],
        [a, b, c, d] => [a, b, c, d, w, w, w, w],
        [a, b, c, d, e] => [a, b, c, d, e, w, w, w],
        [a, b, c, d, e, f] => [a, b, c, d, e, f, w, w],
        [a, b, c, d, e, f, g, ..] => [a, b, c, d, e, f, g, w],
    }
}

/// Joins eight accumulators to one, the first half with the second and so on, in steps that a compiler makes
/// vectors of.
#[inline(always)]
pub(super) fn join_halves<W: Copy>(eight: [W; 8], join: impl Fn(W, W) -> W) -> W {
    let mut four = [eight[0]; 4];
    for at in 0..4 {
        four[at] = join(eight[at], eight[at + 4]);
    }
    let mut two = [four[0]; 2];
    for at in 0..2 {
        two[at] = join(four[at], four[at + 2]);
    }
    join(two[0], two[1])
}
