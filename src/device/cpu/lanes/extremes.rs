//! Greatest and least values, and where in their rows they stand.
//!
//! There is one loop for each width of integers and each type of floats, which looks for the greatest. Bits
//! that lanes are flipped by make it that of any order: all of them turn an order round, the sign tells integers
//! without one from those that have one, and of floats the sign alone turns it round.

use std::marker::PhantomData;

use super::super::number::Number;
use super::fold::FoldKernel;
use super::number::{Folded, Partial};
use super::points::Points;
use super::total::{each_lane, join_halves, join_rest};
use super::{LANES, Mask};
use crate::dtype::DType;

/// Keeps the greatest value of a row.
pub(super) struct Extreme<T>(PhantomData<T>);
/// Keeps its place as well.
pub(super) struct Position<T>(PhantomData<T>);

/// What lanes of a type are flipped by so that the greatest, in the order of integers with a sign or of
/// floats, is the greatest or the least of them.
pub(super) fn flip_of(dtype: DType, is_max: bool) -> u64 {
    let sign = 1u64 << (8 * dtype.compute().size() - 1);
    let turned = if dtype.is_float() { sign } else { u64::MAX };
    let order = if is_max { 0 } else { turned };
    let is_unsigned = matches!(dtype, DType::U8 | DType::U16 | DType::U32 | DType::U64);
    if is_unsigned { order ^ sign } else { order }
}

/// A number whose bits can be flipped.
pub(super) trait Ordered: Folded {
    fn flipped(self, flip: u64) -> Self;

    /// What has been flipped as it was.
    #[inline(always)]
    fn restored(self, flip: u64) -> Self {
        self.flipped(flip)
    }

    /// The larger of two of which neither is NaN: one instruction.
    #[inline(always)]
    fn larger(self, x: Self) -> Self {
        if x.exceeds(self) { x } else { self }
    }
}

macro_rules! integers {
    ($($T:ident)*) => {$(
        impl Ordered for $T {
            #[inline(always)]
            fn flipped(self, flip: u64) -> $T {
                self ^ flip as $T
            }
        }
    )*};
}
integers!(i8 i16 i32 i64);

macro_rules! floats {
    ($($T:ident $Bits:ident)*) => {$(
        impl Ordered for $T {
            #[inline(always)]
            fn flipped(self, flip: u64) -> $T {
                $T::from_bits(self.to_bits() ^ flip as $Bits)
            }
        }
    )*};
}
floats!(f32 u32 f64 u64);

impl Ordered for Mask {
    #[inline(always)]
    fn flipped(self, flip: u64) -> Mask {
        Mask(self.0.min(1) ^ (flip & 1) as u8)
    }

    /// Of what has been flipped.
    #[inline(always)]
    fn larger(self, x: Mask) -> Mask {
        Mask(self.0 | x.0)
    }
}

/// A float of 16 bits, in the order of its bits: minus zero is less than zero, and NaN, flipped, the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(transparent)]
pub(super) struct HalfBits(i16);

/// As [`flip_of`], of [`HalfBits`]: their signs, and above them the bits of an infinity.
pub(super) fn flip_of_half(dtype: DType, is_max: bool) -> u64 {
    let infinity = if dtype == DType::F16 { 0x7c00 } else { 0x7f80 };
    infinity << 16 | if is_max { 0 } else { 0x8000 }
}

impl HalfBits {
    /// Bits of numbers below zero are turned round, so that integers tell which is the greater; and back.
    #[inline(always)]
    fn turned(bits: i16) -> i16 {
        bits ^ (bits >> 15 & i16::MAX)
    }
}

impl Ordered for HalfBits {
    #[inline(always)]
    fn flipped(self, flip: u64) -> HalfBits {
        let is_nan = self.0 & i16::MAX > (flip >> 16) as i16;
        HalfBits(if is_nan { i16::MAX } else { HalfBits::turned(self.0 ^ flip as i16) })
    }

    #[inline(always)]
    fn restored(self, flip: u64) -> HalfBits {
        HalfBits(HalfBits::turned(self.0) ^ flip as i16)
    }
}

impl Number for HalfBits {
    const ZERO: HalfBits = HalfBits(0);
    const ONE: HalfBits = HalfBits(1);
    const LOWEST: HalfBits = HalfBits(i16::MIN);
    const HIGHEST: HalfBits = HalfBits(i16::MAX);

    #[inline(always)]
    fn add(self, other: HalfBits) -> HalfBits {
        HalfBits(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn multiply(self, other: HalfBits) -> HalfBits {
        HalfBits(self.0.wrapping_mul(other.0))
    }

    #[inline(always)]
    fn exceeds(self, other: HalfBits) -> bool {
        self.0 > other.0
    }

    /// Flipped, it is a number like others.
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
}

impl Folded for HalfBits {
    #[inline(always)]
    fn to_partial(self, partial: &mut Partial) {
        partial.int = self.0.into();
    }

    #[inline(always)]
    fn of_partial(partial: &Partial) -> HalfBits {
        HalfBits(partial.int as i16)
    }
}

/// The larger (or smaller) of two, NaN if either is, and the first of two.
#[inline(always)]
pub(super) fn extreme<T: Number, const MAX: bool>(so_far: T, x: T) -> T {
    if beats::<T, MAX>(x, so_far) | (x.is_nan() & !so_far.is_nan()) { x } else { so_far }
}

#[inline(always)]
pub(super) fn beats<T: Number, const MAX: bool>(x: T, other: T) -> bool {
    if MAX { x.exceeds(other) } else { other.exceeds(x) }
}

/// Whether `x` takes the place of what was the best so far: the first of equals stays, and so does the
/// first NaN.
#[inline(always)]
fn replaces<T: Number>(x: T, best: T) -> bool {
    x.exceeds(best) | (x.is_nan() & !best.is_nan())
}

/// Pieces whose lanes are still in the nearest cache when they are added up, too.
pub(super) const NEAR: usize = 16;

/// The greatest of the flipped lanes of a row, flipped, or a NaN if there is one. A sum beside it tells whether there
/// may be one: a NaN makes it NaN, and else only infinities of both signs do.
#[inline(always)]
fn best_of<T: Ordered>(lanes: &[T], flip: u64, is_plain: bool) -> T {
    let (mut best, mut may_have_nan) = (T::LOWEST, false);
    for near in lanes.chunks(NEAR * LANES) {
        best = best.larger(greatest(near, flip));
        may_have_nan |= T::HAS_NAN && !is_plain && sum_of(near).is_nan();
    }
    if may_have_nan && let Some(nan) = lanes.iter().find(|x| x.is_nan()) {
        return nan.flipped(flip);
    }
    best
}

/// The greatest of flipped lanes, of which none is NaN. Where they fill no vectors, the last one reaches back.
#[inline(always)]
fn greatest<T: Ordered>(lanes: &[T], flip: u64) -> T {
    let mut eight = [T::LOWEST; 8];
    if let (Some(last), true) = (lanes.last_chunk::<LANES>(), lanes.len() >= 2 * LANES) {
        let (pieces, rest) = lanes.as_chunks::<LANES>();
        let mut acc =
            each_lane(pieces, [T::LOWEST; LANES], |acc, x: T| acc.larger(x.flipped(flip)));
        if !rest.is_empty() {
            for at in 0..LANES {
                acc[at] = acc[at].larger(last[at].flipped(flip));
            }
        }
        let (eights, _) = acc.as_chunks::<8>();
        let mut four = [[T::LOWEST; 8]; 4];
        for (pair, four) in four.iter_mut().enumerate() {
            for at in 0..8 {
                four[at] = eights[pair][at].larger(eights[pair + 4][at]);
            }
        }
        for at in 0..8 {
            let first = four[0][at].larger(four[2][at]);
            eight[at] = first.larger(four[1][at].larger(four[3][at]));
        }
    } else if let Some(last) = lanes.last_chunk::<8>() {
        let (eights, rest) = lanes.as_chunks::<8>();
        for lanes in eights {
            // Left alone, a compiler takes eight of these apart to make vectors across them, at five times the cost.
            std::hint::black_box(());
            for at in 0..8 {
                eight[at] = eight[at].larger(lanes[at].flipped(flip));
            }
        }
        if !rest.is_empty() {
            for at in 0..8 {
                eight[at] = eight[at].larger(last[at].flipped(flip));
            }
        }
    } else {
        for (eight, x) in eight.iter_mut().zip(lanes) {
            *eight = x.flipped(flip);
        }
    }
    join_halves(eight, T::larger)
}

#[inline(always)]
fn sum_of<T: Number>(lanes: &[T]) -> T {
    let (pieces, rest) = lanes.as_chunks::<LANES>();
    let sums = each_lane(pieces, [T::ZERO; LANES], T::add);
    let eight = join_rest([T::ZERO; 8], &sums, T::add, |x| x);
    join_halves(join_rest(eight, rest, T::add, |x| x), T::add)
}

/// Whether short rows, one behind the other, may be folded without looking for NaN.
#[inline(always)]
fn are_plain<T: Number>(all: &[T]) -> bool {
    !T::HAS_NAN || !sum_of(all).is_nan()
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

impl<T: Ordered> FoldKernel for Extreme<T> {
    type Lane = T;
    type Acc = T;
    type Behind = ();
    const HAS_BEHIND: bool = false;
    type Row = T;

    #[inline(always)]
    fn are_plain(all: &[T]) -> bool {
        are_plain(all)
    }

    #[inline(always)]
    fn row(lanes: &[T], flip: u64, is_plain: bool) -> T {
        best_of(lanes, flip, is_plain).restored(flip)
    }

    #[inline(always)]
    fn join(best: T, _: &[T], partial: &mut Partial, _: i64, flip: u64) {
        let so_far = T::of_partial(partial).flipped(flip);
        extreme::<T, true>(so_far, best.flipped(flip)).restored(flip).to_partial(partial);
    }

    #[inline(always)]
    unsafe fn finish(best: T, _: &[T], out: *mut u8, at: usize) {
        // SAFETY: the caller has room for a lane for each row.
        unsafe { out.cast::<T>().add(at).write(best) }
    }

    #[inline(always)]
    unsafe fn strip<const WIDTH: usize>(
        acc: *mut u8,
        _: *mut i64,
        from: usize,
        points: Points,
        flip: u64,
    ) {
        // SAFETY: the plan gives accumulators and, at every point, lanes of `T`.
        unsafe {
            let acc = acc.cast::<T>().add(from).cast::<[T; WIDTH]>();
            let mut best = *acc;
            for lane in &mut best {
                *lane = lane.flipped(flip);
            }
            for point in 0..points.count {
                let lanes = points.strip::<T, WIDTH>(point, from);
                for at in 0..WIDTH {
                    best[at] = extreme::<T, true>(best[at], lanes[at].flipped(flip));
                }
            }
            for lane in &mut best {
                *lane = lane.restored(flip);
            }
            *acc = best;
        }
    }

    #[inline(always)]
    unsafe fn merge(acc: *mut u8, _: *mut i64, lanes: *const u8, n: usize, flip: u64) {
        // SAFETY: both are `n` accumulators, which are lanes of `T`.
        let (acc, lanes) = unsafe {
            (
                std::slice::from_raw_parts_mut(acc.cast::<T>(), n),
                std::slice::from_raw_parts(lanes.cast::<T>(), n),
            )
        };
        for (acc, x) in acc.iter_mut().zip(lanes) {
            *acc = extreme::<T, true>(acc.flipped(flip), x.flipped(flip)).restored(flip);
        }
    }
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
