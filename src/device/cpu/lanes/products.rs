//! Sums of products of two inputs, where each lane is a row: nothing between the loads and the accumulators is
//! written to memory. What is added is what a multiplication and a sum one after the other would add, in the same
//! order.

use super::super::dispatch::{Level, by_level};
use super::super::number::Number;
use super::number::Summand;
use super::points::{Points, STRIP};
use super::total::NEAR;
use crate::dtype::DType;

/// The points of two factors, as many and at the same positions, of rows of lanes that all have the same right one.
#[derive(Debug, Clone, Copy)]
pub struct Factors {
    pub left: Points,
    pub right: Points,
    /// Whether the left one is the same in all lanes of a row.
    pub is_left_one: bool,
    /// How many rows there are, and how many bytes the left factor of one lies behind that of the one before.
    pub rows: usize,
    pub step: isize,
}

impl Factors {
    fn left(&self, row: usize) -> Points {
        let lanes = self.left.lanes.wrapping_offset(row as isize * self.step);
        Points { lanes, ..self.left }
    }
}

/// `(totals, near sums, how many lanes of a row, factors)`: those of the second row lie behind those of the first.
pub type ProductsFn = unsafe fn(*mut u8, *mut u8, usize, &Factors);

/// Some lanes of some rows.
struct Strip {
    row: usize,
    from: usize,
    /// Lanes from a row's accumulators to those of the next.
    apart: usize,
}

/// What is added waits for what was added before, so that one strip alone leaves the adders idle: those of several
/// rows don't wait for each other, and read the right factor once. `acc` and `near` are those of the strip's first lane.
#[inline(always)]
unsafe fn strip<T: Summand, const ROWS: usize, const WIDTH: usize, const ONE: bool>(
    acc: *mut T::Wide,
    near: *mut T,
    strip: &Strip,
    factors: &Factors,
) {
    let right = &factors.right;
    let lefts: [Points; ROWS] = std::array::from_fn(|row| factors.left(strip.row + row));
    // SAFETY: the caller gives accumulators of the wide type and, if `T` has them, sums in `T`; there are lanes
    // of both factors at every point.
    unsafe {
        let acc = |row: usize| acc.add(row * strip.apart).cast::<[T::Wide; WIDTH]>();
        let near = |row: usize| near.wrapping_add(row * strip.apart).cast::<[T; WIDTH]>();
        let ones = |row: usize, point: usize| match ONE {
            true => [lefts[row].strip::<T, 1>(point, 0)[0]; WIDTH],
            false => lefts[row].strip::<T, WIDTH>(point, strip.from),
        };
        if !T::SUMS_NEAR {
            let mut wide: [[T::Wide; WIDTH]; ROWS] = std::array::from_fn(|row| *acc(row));
            for point in 0..right.count {
                let others = right.strip::<T, WIDTH>(point, strip.from);
                for (row, wide) in wide.iter_mut().enumerate() {
                    let ones = ones(row, point);
                    for at in 0..WIDTH {
                        wide[at] = wide[at].add(ones[at].multiply(others[at]).widen());
                    }
                }
            }
            (0..ROWS).for_each(|row| *acc(row) = wide[row]);
            return;
        }
        // Totals stay where they are until there is something for them.
        let mut sums: [[T; WIDTH]; ROWS] = std::array::from_fn(|row| *near(row));
        for point in 0..right.count {
            let others = right.strip::<T, WIDTH>(point, strip.from);
            for (row, sums) in sums.iter_mut().enumerate() {
                let ones = ones(row, point);
                for at in 0..WIDTH {
                    sums[at] = sums[at].add(ones[at].multiply(others[at]));
                }
            }
            if (right.position + point as i64) % NEAR == NEAR - 1 {
                for (row, sums) in sums.iter_mut().enumerate() {
                    let totals = &mut *acc(row);
                    for (total, sum) in totals.iter_mut().zip(sums) {
                        *total = total.add(sum.widen());
                        *sum = T::ZERO;
                    }
                }
            }
        }
        (0..ROWS).for_each(|row| *near(row) = sums[row]);
    }
}

/// Lanes of types that are summed near: additions wait for each other, so that there are more of them.
pub const WIDE_STRIP: usize = 2 * STRIP;
/// Rows that are summed side by side.
pub const ROWS_TOGETHER: usize = 4;

/// The last lanes of rows, fewer than a strip has: with lanes before them, of which nothing is kept. Two or three alone
/// would be gathered from the rows one by one.
#[inline(always)]
unsafe fn last_lanes<T: Summand, const ROWS: usize, const WIDTH: usize, const ONE: bool>(
    acc: *mut T::Wide,
    near: *mut T,
    at: &Strip,
    factors: &Factors,
) {
    let back = at.from + WIDTH - at.apart;
    let whole = Strip { from: at.from - back, apart: WIDTH, ..*at };
    // SAFETY: the caller has as many lanes before these; accumulators are copied there and back.
    unsafe {
        let (acc, near) = (acc.sub(back), near.wrapping_sub(back));
        let mut wide: [[T::Wide; WIDTH]; ROWS] =
            std::array::from_fn(|row| acc.add(row * at.apart).cast::<[T::Wide; WIDTH]>().read());
        let mut sums = [[T::ZERO; WIDTH]; ROWS];
        if T::SUMS_NEAR {
            for (row, sums) in sums.iter_mut().enumerate() {
                *sums = near.add(row * at.apart).cast::<[T; WIDTH]>().read();
            }
        }
        let (first, first_sum) = (wide.as_mut_ptr().cast(), sums.as_mut_ptr().cast());
        strip::<T, ROWS, WIDTH, ONE>(first, first_sum, &whole, factors);
        for lane in back..WIDTH {
            for row in 0..ROWS {
                *acc.add(row * at.apart + lane) = wide[row][lane];
                if T::SUMS_NEAR {
                    *near.add(row * at.apart + lane) = sums[row][lane];
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn strips<T: Summand, const ROWS: usize, const ONE: bool>(
    acc: *mut u8,
    near: *mut u8,
    (row, n): (usize, usize),
    factors: &Factors,
) {
    let mut at = Strip { row, from: 0, apart: n };
    let acc = acc.cast::<T::Wide>().wrapping_add(row * n);
    let near = near.cast::<T>().wrapping_add(row * n);
    macro_rules! widths {
        ($($width:expr),*) => {$(
            while n - at.from >= $width {
                let (acc, near) = (acc.wrapping_add(at.from), near.wrapping_add(at.from));
                // SAFETY: passed on; strips end at `n` at the latest.
                unsafe { strip::<T, ROWS, { $width }, ONE>(acc, near, &at, factors) };
                at.from += $width;
            }
        )*};
    }
    if ROWS == 1 && T::SUMS_NEAR {
        widths!(WIDE_STRIP);
    }
    widths!(STRIP, 16, 8);
    if n < 8 {
        widths!(4, 2, 1);
    } else if matches!(n - at.from, 1 | 4) {
        widths!(4, 1);
    }
    if at.from < n {
        let (acc, near) = (acc.wrapping_add(at.from), near.wrapping_add(at.from));
        // SAFETY: as above; a row has as many lanes.
        unsafe { last_lanes::<T, ROWS, 8, ONE>(acc, near, &at, factors) };
    }
}

#[inline(always)]
unsafe fn products_loop<T: Summand, const FMA: bool>(
    acc: *mut u8,
    near: *mut u8,
    n: usize,
    factors: &Factors,
) {
    let mut row = 0;
    // SAFETY: passed on.
    unsafe {
        while factors.is_left_one && factors.rows - row >= ROWS_TOGETHER {
            strips::<T, ROWS_TOGETHER, true>(acc, near, (row, n), factors);
            row += ROWS_TOGETHER;
        }
        for row in row..factors.rows {
            match factors.is_left_one {
                true => strips::<T, 1, true>(acc, near, (row, n), factors),
                false => strips::<T, 1, false>(acc, near, (row, n), factors),
            }
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
