//! Places among sorted elements.
//!
//! All values take the same steps of a binary search, several of them side by side: none waits for what another
//! reads, and there is no branch to be guessed.

use super::dispatch::{Level, with_avx2};
use super::elements::{Elements, Ptr, common_axes, for_pieces, for_runs};
use super::number::{Number, by_number};
use crate::device::{Error, Interrupt, View};

/// Values that are searched for side by side.
const TOGETHER: usize = 16;
/// Values of a piece, for the threads to share.
const PIECE: usize = 8192;

#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[TOGETHER, PIECE];

/// See [`crate::device::Searcher::search`].
pub(super) fn search(
    sorted: View<'_>,
    values: View<'_>,
    right: bool,
    out: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let (sorted, values): (Elements<'_>, Elements<'_>) = (sorted.into(), values.into());
    let out = Elements::from(out).start::<i64>();
    by_number!(values.dtype, T => search_of::<T>(&sorted, &values, right, out, interrupt))
}

fn search_of<T: Number>(
    sorted: &Elements<'_>,
    values: &Elements<'_>,
    right: bool,
    out: Ptr<i64>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let among =
        Among::<T> { start: sorted.start(), step: sorted.layout.strides[0], count: sorted.len() };
    let start = values.start::<T>();
    let (dims, strides) = common_axes([values.layout]);
    // What stands behind all numbers is asked for once.
    let numbers = if T::HAS_NAN && !right { among.numbers() } else { among.count };
    for_pieces(values.len(), PIECE, interrupt, &|_, range| {
        let mut done = range.start;
        for_runs(&dims, [&strides[0]], range, &mut |run| {
            let step = strides[0].last().copied().unwrap_or(0);
            for first in (0..run.len).step_by(TOGETHER) {
                let few = TOGETHER.min(run.len - first);
                let place = |at: usize| run.offsets[0] + (first + at.min(few - 1)) as isize * step;
                // SAFETY: the values' layout holds every point of the run.
                let some = std::array::from_fn(|at| unsafe { *start.at(place(at)) });
                let mut places = match right {
                    true => places::<T, true>(&among, &some),
                    false => places::<T, false>(&among, &some),
                };
                if T::HAS_NAN {
                    for (place, value) in places.iter_mut().zip(&some) {
                        *place = if value.is_nan() { numbers } else { *place };
                    }
                }
                for (at, place) in places[..few].iter().enumerate() {
                    // SAFETY: the output has a place for each value, and this one is in no other piece.
                    unsafe { *out.at((done + first + at) as isize) = *place as i64 };
                }
            }
            done += run.len;
        });
        Ok(())
    })
}

/// See [`Among::places`].
fn places<T: Number, const RIGHT: bool>(
    among: &Among<T>,
    values: &[T; TOGETHER],
) -> [usize; TOGETHER] {
    // Not by AVX-512, where a compiler takes gathers, which are slower than as many loads.
    with_avx2! {
        fn avx2<T: Number, const RIGHT: bool>(
            among: &Among<T>,
            values: &[T; TOGETHER],
        ) -> [usize; TOGETHER] {
            among.places::<RIGHT>(values)
        }
    }
    match Level::Avx2.is_available() {
        // SAFETY: the processor has these instructions.
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        true => unsafe { avx2::<T, RIGHT>(among, values) },
        _ => among.places::<RIGHT>(values),
    }
}

/// Sorted elements.
struct Among<T> {
    start: Ptr<T>,
    step: isize,
    count: usize,
}

impl<T: Number> Among<T> {
    #[inline(always)]
    fn at(&self, place: usize) -> T {
        debug_assert!(place < self.count);
        // SAFETY: the layout holds `count` elements.
        unsafe { *self.start.at(place as isize * self.step) }
    }

    /// Where numbers would stand: before their equals, or behind them if `RIGHT`. Of elements that are not
    /// sorted, some place.
    #[inline(always)]
    fn places<const RIGHT: bool>(&self, values: &[T; TOGETHER]) -> [usize; TOGETHER] {
        let (mut places, mut lasts) = ([0; TOGETHER], *values);
        let mut left = self.count;
        while left > 0 {
            let half = left.div_ceil(2);
            for (last, place) in lasts.iter_mut().zip(&places) {
                *last = self.at(*place + half - 1);
            }
            // A loop of its own is made of vectors; of a branch every other one would be guessed wrongly.
            for (place, (value, last)) in places.iter_mut().zip(values.iter().zip(&lasts)) {
                // False beside a NaN, which stands behind all numbers.
                let is_before = value.exceeds(*last) | (RIGHT & (value == last));
                *place += half & usize::from(is_before).wrapping_neg();
            }
            left -= half;
        }
        places
    }

    /// How many elements are no NaN.
    fn numbers(&self) -> usize {
        let (mut place, mut left) = (0, self.count);
        while left > 0 {
            let half = left.div_ceil(2);
            place += if self.at(place + half - 1).is_nan() { 0 } else { half };
            left -= half;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::layout::Layout;

    /// Among elements of every number and step, on both sides, for values that are there, between them, beyond
    /// them and NaN: how many elements stand before.
    #[test]
    fn places_are_counts_of_what_stands_before() {
        fn check<T: Number>(dtype: DType, number: impl Fn(i64) -> T, nans: &[T]) {
            for count in [0, 1, 2, 3, 7, 8, 9, 64, 100, 257] {
                for step in [1isize, -1, 2, 3] {
                    for values in [0, 1, 15, 16, 17, 33] {
                        let tail = nans.len().min(count);
                        let element = |at: usize| match at < count - tail {
                            true => number(at as i64 / 2),
                            false => nans[0],
                        };
                        let apart = step.unsigned_abs();
                        let mut held = vec![number(0); count.max(1) * apart];
                        let first = if step < 0 { count.max(1) * apart - 1 } else { 0 };
                        for at in 0..count {
                            held[(first as isize + at as isize * step) as usize] = element(at);
                        }
                        let mut asked: Vec<T> = (0..values as i64)
                            .map(|at| number((at * 7) % (count as i64 / 2 + 2)))
                            .collect();
                        asked.iter_mut().skip(3).step_by(5).for_each(|x| {
                            *x = nans.first().copied().unwrap_or(*x);
                        });
                        let layout = Layout {
                            offset: first,
                            strides: [step].into_iter().collect(),
                            ..Layout::contiguous([count].into())
                        };
                        let dense = Layout::contiguous([values].into());
                        let start = Ptr(held.as_mut_ptr().wrapping_add(first).cast());
                        let sorted = Elements::over(start, dtype, &layout);
                        let of = Elements::over(Ptr(asked.as_mut_ptr().cast()), dtype, &dense);
                        for right in [false, true] {
                            let mut out = vec![-1; values];
                            let places = Ptr(out.as_mut_ptr());
                            search_of::<T>(&sorted, &of, right, places, &Interrupt::default())
                                .unwrap();
                            for (value, place) in asked.iter().zip(out) {
                                let is_before = |x: T| match (x.is_nan(), value.is_nan()) {
                                    (is, true) => !is || right,
                                    (true, false) => false,
                                    _ => value.exceeds(x) || right && *value == x,
                                };
                                let before =
                                    (0..count).filter(|at| is_before(element(*at))).count();
                                assert_eq!(
                                    place, before as i64,
                                    "{dtype}, {count} {step} apart, {right}"
                                );
                            }
                        }
                    }
                }
            }
        }
        check(DType::U8, |at| at as u8, &[]);
        check(DType::I16, |at| at as i16 - 9, &[]);
        check(DType::I64, |at| at - 9, &[]);
        check(DType::F16, |at| half::f16::from_f32(at as f32 - 5.0), &[half::f16::NAN; 2]);
        check(DType::F32, |at| at as f32 - 5.0, &[f32::NAN; 3]);
        check(DType::F64, |at| at as f64 - 5.0, &[f64::NAN]);
    }
}
