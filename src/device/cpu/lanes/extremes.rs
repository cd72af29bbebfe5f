//! Greatest and least values, and where in their rows they stand.

use std::marker::PhantomData;

use super::super::number::Number;
use super::LANES;
use super::fold::{FoldKernel, Points};
use super::number::{Folded, Partial};
use super::total::{each_lane, join_eight, join_halves, join_rest, pieces_of};

/// Keeps the greatest (or least) value of a row.
pub(super) struct Extreme<T, const MAX: bool>(PhantomData<T>);
/// Keeps its place as well.
pub(super) struct Position<T, const MAX: bool>(PhantomData<T>);

/// The larger (or smaller) of two, NaN if either is.
#[inline(always)]
pub(super) fn extreme<T: Number, const MAX: bool>(so_far: T, x: T) -> T {
    if beats::<T, MAX>(x, so_far) | x.is_nan() { x } else { so_far }
}

#[inline(always)]
pub(super) fn beats<T: Number, const MAX: bool>(x: T, other: T) -> bool {
    if MAX { x.exceeds(other) } else { other.exceeds(x) }
}

/// Whether `x` takes the place of what was the best so far: the first of equals stays, and so does the
/// first NaN.
#[inline(always)]
fn replaces<T: Number, const MAX: bool>(x: T, best: T) -> bool {
    beats::<T, MAX>(x, best) | (x.is_nan() & !best.is_nan())
}

#[inline(always)]
fn worst<T: Number, const MAX: bool>() -> T {
    if MAX { T::LOWEST } else { T::HIGHEST }
}

/// The extreme value of a block.
#[inline(always)]
fn extreme_of<T: Number, const MAX: bool>(lanes: &[T]) -> T {
    let (pieces, rest) = pieces_of(lanes);
    let mut eight = [worst::<T, MAX>(); 8];
    if !pieces.is_empty() {
        let acc = each_lane(pieces, worst::<T, MAX>(), extreme::<T, MAX>);
        for piece in acc.as_chunks::<8>().0 {
            for at in 0..8 {
                eight[at] = extreme::<T, MAX>(eight[at], piece[at]);
            }
        }
    }
    join_eight(join_rest(eight, rest, extreme::<T, MAX>, |x| x), extreme::<T, MAX>)
}

/// The larger (or smaller) of two of which neither is NaN: one instruction.
#[inline(always)]
fn greater<T: Number, const MAX: bool>(so_far: T, x: T) -> T {
    if beats::<T, MAX>(x, so_far) { x } else { so_far }
}

/// The same as [`extreme_of`] where no lane is NaN. Of equal zeros the same one stays: in every column of eight,
/// pieces are joined in their order.
#[inline(always)]
fn greatest_of<T: Number, const MAX: bool>(lanes: &[T]) -> T {
    let (pieces, rest) = pieces_of(lanes);
    let mut eight = [worst::<T, MAX>(); 8];
    if !pieces.is_empty() {
        let acc = each_lane(pieces, worst::<T, MAX>(), greater::<T, MAX>);
        let (eights, _) = acc.as_chunks::<8>();
        let mut four = [[worst::<T, MAX>(); 8]; 4];
        for (pair, four) in four.iter_mut().enumerate() {
            for at in 0..8 {
                four[at] = greater::<T, MAX>(eights[2 * pair][at], eights[2 * pair + 1][at]);
            }
        }
        for at in 0..8 {
            let first = greater::<T, MAX>(four[0][at], four[1][at]);
            eight[at] = greater::<T, MAX>(first, greater::<T, MAX>(four[2][at], four[3][at]));
        }
    }
    join_halves(join_rest(eight, rest, greater::<T, MAX>, |x| x), greater::<T, MAX>)
}

#[inline(always)]
fn has_nan<T: Number>(lanes: &[T]) -> bool {
    let (pieces, rest) = lanes.as_chunks::<LANES>();
    let found = each_lane(pieces, T::ZERO, |so_far, x| if x.is_nan() { x } else { so_far });
    let mut any = false;
    for x in found.iter().chain(rest) {
        any |= x.is_nan();
    }
    any
}

/// What [`extreme_of`] gives. No closure is in its way: what is not inlined has no vectors.
#[inline(always)]
fn best_of<T: Number, const MAX: bool>(lanes: &[T], is_plain: bool) -> T {
    match is_plain {
        true => greatest_of::<T, MAX>(lanes),
        false => extreme_of::<T, MAX>(lanes),
    }
}

/// Whether rows may be folded without looking for NaN. Integers have none, and no need of another loop.
#[inline(always)]
fn is_plain<T: Number>(all: &[T]) -> bool {
    T::HAS_NAN && !has_nan(all)
}

/// The first lane with this value, or the first NaN if that is one.
#[inline(always)]
fn place_of<T: Number>(lanes: &[T], value: T) -> Option<usize> {
    match value.is_nan() {
        true => first_of(lanes, |x| x.is_nan()),
        false => first_of(lanes, |x| x == value),
    }
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
    let mut hits = [0u8; LANES];
    for (hit, x) in hits.iter_mut().zip(rest) {
        *hit = has(*x) as u8;
    }
    first_hit(&hits).map(|at| from + at)
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

impl<T: Folded, const MAX: bool> FoldKernel for Extreme<T, MAX> {
    type Lane = T;

    #[inline(always)]
    unsafe fn row(partial: &mut Partial, lanes: *const u8, n: usize, _: i64) {
        // SAFETY: the plan gives `n` lanes of `T`.
        let lanes = unsafe { std::slice::from_raw_parts(lanes.cast::<T>(), n) };
        let best = best_of::<T, MAX>(lanes, is_plain(lanes));
        extreme::<T, MAX>(T::of_partial(partial), best).to_partial(partial);
    }

    #[inline(always)]
    unsafe fn rows(_: &Partial, out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
        // SAFETY: the caller gives `len` lanes for each row, and room for its result.
        unsafe {
            let all = std::slice::from_raw_parts(lanes.cast::<T>(), rows * len);
            let is_plain = is_plain(all);
            for row in 0..rows {
                let best = best_of::<T, MAX>(&all[row * len..][..len], is_plain);
                out.cast::<T>().add(row).write(best);
            }
        }
    }

    #[inline(always)]
    unsafe fn strip<const WIDTH: usize>(acc: *mut u8, _: *mut i64, from: usize, points: Points) {
        // SAFETY: the plan gives accumulators and, at every point, lanes of `T`.
        unsafe {
            let acc = acc.cast::<T>().add(from).cast::<[T; WIDTH]>();
            let mut best = *acc;
            for point in 0..points.count {
                let lanes = points.strip::<T, WIDTH>(point, from);
                for at in 0..WIDTH {
                    best[at] = extreme::<T, MAX>(best[at], lanes[at]);
                }
            }
            *acc = best;
        }
    }

    #[inline(always)]
    unsafe fn merge(acc: *mut u8, _: *mut i64, lanes: *const u8, n: usize) {
        // SAFETY: both are `n` accumulators, which are lanes of `T`.
        let (acc, lanes) = unsafe {
            (
                std::slice::from_raw_parts_mut(acc.cast::<T>(), n),
                std::slice::from_raw_parts(lanes.cast::<T>(), n),
            )
        };
        for (acc, x) in acc.iter_mut().zip(lanes) {
            *acc = extreme::<T, MAX>(*acc, *x);
        }
    }
}

impl<T: Folded, const MAX: bool> FoldKernel for Position<T, MAX> {
    type Lane = T;

    #[inline(always)]
    unsafe fn finish(partial: &Partial, out: *mut u8, row: usize) {
        // SAFETY: the caller has room for a position for each row.
        unsafe { out.cast::<i64>().add(row).write(partial.position) }
    }

    #[inline(always)]
    unsafe fn row(partial: &mut Partial, lanes: *const u8, n: usize, start: i64) {
        // SAFETY: the plan gives `n` lanes of `T`.
        let lanes = unsafe { std::slice::from_raw_parts(lanes.cast::<T>(), n) };
        let so_far = T::of_partial(partial);
        let best = best_of::<T, MAX>(lanes, is_plain(lanes));
        if replaces::<T, MAX>(best, so_far) {
            let found = place_of(lanes, best);
            best.to_partial(partial);
            partial.position = start + found.unwrap_or(0) as i64;
        }
    }

    #[inline(always)]
    unsafe fn rows(_: &Partial, out: *mut u8, lanes: *const u8, rows: usize, len: usize) {
        // SAFETY: the caller gives `len` lanes for each row, and room for its position.
        unsafe {
            let all = std::slice::from_raw_parts(lanes.cast::<T>(), rows * len);
            let is_plain = is_plain(all);
            for row in 0..rows {
                let lanes = &all[row * len..][..len];
                let found = place_of(lanes, best_of::<T, MAX>(lanes, is_plain));
                out.cast::<i64>().add(row).write(found.unwrap_or(0) as i64);
            }
        }
    }

    #[inline(always)]
    unsafe fn strip<const WIDTH: usize>(acc: *mut u8, at: *mut i64, from: usize, points: Points) {
        // SAFETY: the plan gives accumulators, positions and, at every point, lanes of `T`.
        unsafe {
            let acc = acc.cast::<T>().add(from).cast::<[T; WIDTH]>();
            let places = at.add(from).cast::<[i64; WIDTH]>();
            let (mut best, mut position_of) = (*acc, *places);
            for point in 0..points.count {
                let lanes = points.strip::<T, WIDTH>(point, from);
                let position = points.position + point as i64;
                // One loop for each: together they are more than a compiler makes vectors of.
                let mut better = [false; WIDTH];
                for at in 0..WIDTH {
                    better[at] = replaces::<T, MAX>(lanes[at], best[at]);
                }
                for at in 0..WIDTH {
                    best[at] = if better[at] { lanes[at] } else { best[at] };
                }
                for at in 0..WIDTH {
                    position_of[at] = if better[at] { position } else { position_of[at] };
                }
            }
            (*acc, *places) = (best, position_of);
        }
    }

    #[inline(always)]
    unsafe fn merge(acc: *mut u8, at: *mut i64, lanes: *const u8, n: usize) {
        // SAFETY: an accumulator block is `n` values of `T` in as many bytes as `n` of 8, and then
        // `n` positions.
        unsafe {
            let later = std::slice::from_raw_parts(lanes.add(n * 8).cast::<i64>(), n);
            let acc = std::slice::from_raw_parts_mut(acc.cast::<T>(), n);
            let at = std::slice::from_raw_parts_mut(at, n);
            let lanes = std::slice::from_raw_parts(lanes.cast::<T>(), n);
            for (((acc, at), x), later) in acc.iter_mut().zip(at).zip(lanes).zip(later) {
                if replaces::<T, MAX>(*x, *acc) {
                    (*acc, *at) = (*x, *later);
                }
            }
        }
    }
}
