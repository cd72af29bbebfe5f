//! Greatest and least values. Where in their rows they stand is in `places`.
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
    /// Whether NaN lie at both ends of the order of keys, so that the extremes of these tell of them.
    const HAS_ENDS: bool = false;

    fn flipped(self, flip: u64) -> Self;

    /// The same where NaN need not be the greatest.
    #[inline(always)]
    fn key(self, flip: u64) -> Self {
        self.flipped(flip)
    }

    /// Whether a NaN is among those of which these are the greatest key and the least.
    #[inline(always)]
    fn are_beyond(_most: Self, _least: Self, _flip: u64) -> bool {
        false
    }

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

    /// The smaller of two of which neither is NaN.
    #[inline(always)]
    fn smaller(self, x: Self) -> Self {
        if self.exceeds(x) { x } else { self }
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
    const HAS_ENDS: bool = true;

    #[inline(always)]
    fn flipped(self, flip: u64) -> HalfBits {
        let is_nan = self.0 & i16::MAX > (flip >> 16) as i16;
        HalfBits(if is_nan { i16::MAX } else { HalfBits::turned(self.0 ^ flip as i16) })
    }

    #[inline(always)]
    fn key(self, flip: u64) -> HalfBits {
        HalfBits(HalfBits::turned(self.0 ^ flip as i16))
    }

    #[inline(always)]
    fn are_beyond(most: HalfBits, least: HalfBits, flip: u64) -> bool {
        let infinity = (flip >> 16) as i16;
        most.0 > infinity || least.0 < !infinity
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

/// Pieces whose lanes are still in the nearest cache when they are added up, too.
pub(super) const NEAR: usize = 16;

/// The greatest of the flipped lanes of a row, flipped, or a NaN if there is one. A sum beside it tells whether there
/// may be one: a NaN makes it NaN, and else only infinities of both signs do.
#[inline(always)]
pub(super) fn best_of<T: Ordered>(lanes: &[T], flip: u64, is_plain: bool) -> T {
    if !T::HAS_NAN || is_plain {
        return greatest(lanes, flip);
    }
    let (best, sum) = match lanes.len() < LANES {
        true => (greatest(lanes, flip), sum_of(lanes)),
        false => best_and_sum(lanes, flip),
    };
    if sum.is_nan()
        && let Some(nan) = lanes.iter().find(|x| x.is_nan())
    {
        return nan.flipped(flip);
    }
    best
}

/// The greatest of at least [`LANES`] flipped floats, and their sum, some of them counted twice. Floats are compared as
/// they are: to flip them would cost as much as to compare them.
#[inline(always)]
fn best_and_sum<T: Ordered>(lanes: &[T], flip: u64) -> (T, T) {
    match flip {
        0 => best_and_sum_by(lanes, T::LOWEST, T::larger),
        _ => {
            let (least, sum) = best_and_sum_by(lanes, T::HIGHEST, T::smaller);
            (least.flipped(flip), sum)
        }
    }
}

#[inline(always)]
fn best_and_sum_by<T: Ordered>(lanes: &[T], worst: T, better: impl Fn(T, T) -> T) -> (T, T) {
    let (pieces, rest) = lanes.as_chunks::<LANES>();
    let (mut best, mut sums) = ([worst; LANES], [T::ZERO; LANES]);
    let mut fold = |piece: &[T; LANES]| {
        for at in 0..LANES {
            best[at] = better(best[at], piece[at]);
        }
        for at in 0..LANES {
            sums[at] = sums[at].add(piece[at]);
        }
    };
    pieces.iter().for_each(&mut fold);
    // The last piece reaches back.
    if let (false, Some(last)) = (rest.is_empty(), lanes.last_chunk::<LANES>()) {
        fold(last);
    }
    let (mut eight, mut sum) = ([worst; 8], [T::ZERO; 8]);
    for (best, sums) in best.as_chunks::<8>().0.iter().zip(sums.as_chunks::<8>().0) {
        for at in 0..8 {
            eight[at] = better(eight[at], best[at]);
        }
        for at in 0..8 {
            sum[at] = sum[at].add(sums[at]);
        }
    }
    (join_halves(eight, better), join_halves(sum, T::add))
}

/// The greatest of flipped lanes, of which none is NaN unless [`HAS_ENDS`](Ordered::HAS_ENDS).
#[inline(always)]
fn greatest<T: Ordered>(lanes: &[T], flip: u64) -> T {
    // Of other widths a compiler makes loops over single lanes, which take several times as long.
    let many = if size_of::<T>() == 1 { LANES } else { 2 * LANES };
    let eight = match lanes.len() {
        len if len >= many => greatest_of_vectors::<T, LANES>(lanes, flip),
        len if len >= LANES / 2 && T::HAS_ENDS => {
            greatest_of_vectors::<T, { LANES / 2 }>(lanes, flip)
        }
        8.. => greatest_of_vectors::<T, 8>(lanes, flip),
        _ => {
            let mut eight = [T::LOWEST; 8];
            for (eight, x) in eight.iter_mut().zip(lanes) {
                *eight = x.flipped(flip);
            }
            eight
        }
    };
    join_halves(eight, T::larger)
}

/// Eight of which the greatest is that of lanes, which fill a vector at least: the last vector reaches back.
#[inline(always)]
fn greatest_of_vectors<T: Ordered, const WIDTH: usize>(lanes: &[T], flip: u64) -> [T; 8] {
    let (vectors, rest) = lanes.as_chunks::<WIDTH>();
    let (mut most, mut least) = ([T::LOWEST; WIDTH], [T::HIGHEST; WIDTH]);
    let mut take = |lanes: &[T; WIDTH]| {
        // Left alone, a compiler takes several of these apart to make vectors across them, at five times the cost.
        std::hint::black_box(());
        for at in 0..WIDTH {
            let key = lanes[at].key(flip);
            most[at] = most[at].larger(key);
            if T::HAS_ENDS {
                least[at] = least[at].smaller(key);
            }
        }
    };
    vectors.iter().for_each(&mut take);
    if let (false, Some(last)) = (rest.is_empty(), lanes.last_chunk::<WIDTH>()) {
        take(last);
    }
    let mut has_nan = false;
    for at in 0..WIDTH {
        has_nan |= T::are_beyond(most[at], least[at], flip);
    }
    if has_nan {
        return [T::HIGHEST; 8];
    }
    let (eights, _) = most.as_chunks::<8>();
    let mut eight = eights[0];
    for others in &eights[1..] {
        for at in 0..8 {
            eight[at] = eight[at].larger(others[at]);
        }
    }
    eight
}

#[inline(always)]
fn sum_of<T: Number>(lanes: &[T]) -> T {
    let (pieces, rest) = lanes.as_chunks::<LANES>();
    let sums = each_lane(pieces, [T::ZERO; LANES], T::add);
    let eight = join_rest([T::ZERO; 8], &sums, T::ZERO, T::add, |x| x);
    join_halves(join_rest(eight, rest, T::ZERO, T::add, |x| x), T::add)
}

/// Whether short rows, one behind the other, may be folded without looking for NaN.
#[inline(always)]
pub(super) fn are_plain<T: Number>(all: &[T]) -> bool {
    !T::HAS_NAN || !sum_of(all).is_nan()
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
