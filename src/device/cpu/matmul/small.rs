//! Stacks of small products: what a library asks and packs before each would cost more than the product.
//!
//! A part of the result, some rows by some columns, stays in registers while rows of the right matrix are
//! added to it, each times an element of the left one. The number of columns is a constant of each loop.

use std::marker::PhantomData;
use std::ops::Range;

use super::blocked::Ring;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use super::thin;
use super::{Matrix, Product};
use crate::device::cpu::dispatch::{Level, by_level};
use crate::device::cpu::elements::Ptr;

/// Rows, columns and depth of a small product, at most.
pub const SMALL_SIDE: usize = 32;
/// The same of floats, where columns and depth are what counts, and rows where columns are many.
pub const FLOAT_SIDE: usize = 1024;
pub const MOST_ROWS: usize = 4 * FLOAT_SIDE;
/// Bytes of the right matrix's part that is gone through for some columns, from which on it is packed: the nearest
/// cache holds it, unless its rows lie where they push each other out.
const NEAR_BYTES: usize = 16 * 1024;
/// Depths up to which the sums of up to [`NARROW`] columns, and of up to [`COLUMNS`], take less than the joining of vectors
/// and what a library packs.
pub const SHALLOW: usize = 4;
pub const NOT_DEEP: usize = 16;
/// Rows of the result from which on packing pays.
pub const PACKED_ROWS: usize = 16;

/// Rows of the result that are made together, where there are as many, and columns.
pub const ROWS: usize = 4;
pub const COLUMNS: usize = 16;
/// Columns that are made together where there are as many: more rows of accumulators wait for nothing.
pub const WIDE: usize = 2 * COLUMNS;
/// No more columns than these are made of so many rows at a time: their sums, too, wait for nothing.
pub const NARROW: usize = COLUMNS / 2;
pub const TALL: usize = 2 * ROWS;
/// Rows that are made together of [`COLUMNS`] columns of four bytes, and with sixteen registers of 32 bytes also of
/// [`NARROW`] of eight: their sums, two vectors of the right matrix and an element of the left one fill these.
pub const SIX: usize = 6;
/// Depth from which on it pays to pack what is gone through for so few columns.
pub const DEEP: usize = 32;

/// Whether as many rows of [`WIDE`] columns are packed before several rows of the left matrix go through them.
pub(super) fn is_far<T>(depth: usize) -> bool {
    depth * size_of::<[T; WIDE]>() > NEAR_BYTES
}

/// Whether [`multiply`] does such products.
pub(super) fn takes<T: Ring>(product: &Product<T>) -> bool {
    let Product { lhs, rhs, rows, columns, depth, .. } = *product;
    let are_dense = rhs.column == 1 || columns == 1;
    let is_small = rows.max(columns).max(depth) <= SMALL_SIDE;
    // Sums of few lanes wait for each other.
    let is_wide = columns >= COLUMNS && rows >= ROWS;
    let is_near = lhs.column == 1 && depth.max(columns) <= FLOAT_SIDE;
    let are_few = rows <= MOST_ROWS || columns < 2 * WIDE;
    // What lies the other way round is packed, whatever it costs.
    let is_turned = rhs.row == 1 && rows >= 2 * PACKED_ROWS;
    let is_good = T::HAS_FUSED && is_wide && is_near && are_few;
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    let is_good = is_good && !thin::takes(product);
    let shallow = if columns <= NARROW { SHALLOW } else { NOT_DEEP };
    let is_shallow = T::HAS_FUSED && (2..COLUMNS).contains(&columns) && depth <= shallow;
    are_dense && is_small
        || is_good && (are_dense || is_turned)
        || is_shallow && (are_dense || rows >= PACKED_ROWS)
}

/// Does the products of a range, which `product` gives by their numbers; where there are steps, they lead from each to
/// the next. All are of one size, and one that [`takes`] has taken.
pub(super) fn multiply<T: Ring>(
    range: Range<usize>,
    steps: Option<[isize; 3]>,
    product: &dyn Fn(usize) -> Product<T>,
) {
    multiply_by(Level::detect(), range, steps, product);
}

/// [`multiply`] by the instructions of a level, which the processor must have.
pub(super) fn multiply_by<T: Ring>(
    level: Level,
    range: Range<usize>,
    steps: Option<[isize; 3]>,
    product: &dyn Fn(usize) -> Product<T>,
) {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    let range = match level == Level::Avx512 {
        true => twos::multiply(range, steps, product),
        false => range,
    };
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    let range = match range.is_empty() || !thin::takes_vector(&product(range.start)) {
        true => range,
        false => return thin::multiply_vectors(range, product),
    };
    if !range.is_empty() {
        // SAFETY: the processor has the instructions of the level.
        unsafe { pick::<Of<T>>(level)(range, steps, most_columns::<T>(level), product) }
    }
}

/// Products of two rows by two columns whose matrices lie one behind the other: each vector has those of several.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod twos {
    use std::arch::x86_64::*;
    use std::ops::Range;

    use super::super::Product;
    use super::super::blocked::Ring;
    use crate::device::cpu::dispatch::with_avx512;

    /// Elements of a matrix.
    const FOUR: isize = 4;

    /// Does as many of the products as fill vectors, and gives the range of the others. The processor has AVX-512.
    pub(super) fn multiply<T: Ring>(
        range: Range<usize>,
        steps: Option<[isize; 3]>,
        product: &dyn Fn(usize) -> Product<T>,
    ) -> Range<usize> {
        let first = product(range.start);
        let Product { lhs, rhs, out, .. } = first;
        let has_twos = (first.rows, first.columns, first.depth) == (2, 2, 2);
        let is_dense = (lhs.row, lhs.column, rhs.row, rhs.column) == (2, 1, 2, 1);
        if !(T::HAS_FUSED && has_twos && is_dense && steps == Some([FOUR; 3])) {
            return range;
        }
        let (lhs, rhs, out) = (lhs.start.0, rhs.start.0, out.start.0);
        let together = 64 / (size_of::<T>() * FOUR as usize);
        let done = range.len() - range.len() % together;
        // SAFETY: so many matrices lie there, and the results' place is this call's alone; floats with fused products
        // have four bytes or eight.
        unsafe {
            match size_of::<T>() {
                4 => floats(out.cast(), lhs.cast(), rhs.cast(), done / together),
                _ => doubles(out.cast(), lhs.cast(), rhs.cast(), done / together),
            }
        }
        range.start + done..range.end
    }

    // In each: the left elements of a row by the upper row of the right matrix, then the right ones by the lower row.

    with_avx512! {
        unsafe fn floats(out: *mut f32, lhs: *const f32, rhs: *const f32, vectors: usize) {
            for at in (0..16 * vectors).step_by(16) {
                // SAFETY: the caller's.
                unsafe {
                    let (a, b) = (_mm512_loadu_ps(lhs.add(at)), _mm512_loadu_pd(rhs.add(at).cast()));
                    let upper = _mm512_castpd_ps(_mm512_movedup_pd(b));
                    let lower = _mm512_castpd_ps(_mm512_unpackhi_pd(b, b));
                    let sum = _mm512_fmadd_ps(_mm512_moveldup_ps(a), upper, _mm512_setzero_ps());
                    let sum = _mm512_fmadd_ps(_mm512_movehdup_ps(a), lower, sum);
                    _mm512_storeu_ps(out.add(at), sum);
                }
            }
        }
    }

    with_avx512! {
        unsafe fn doubles(out: *mut f64, lhs: *const f64, rhs: *const f64, vectors: usize) {
            for at in (0..8 * vectors).step_by(8) {
                // SAFETY: the caller's.
                unsafe {
                    let (a, b) = (_mm512_loadu_pd(lhs.add(at)), _mm512_loadu_pd(rhs.add(at)));
                    let upper = _mm512_shuffle_f64x2::<0b10_10_00_00>(b, b);
                    let lower = _mm512_shuffle_f64x2::<0b11_11_01_01>(b, b);
                    let sum = _mm512_fmadd_pd(_mm512_movedup_pd(a), upper, _mm512_setzero_pd());
                    let sum = _mm512_fmadd_pd(_mm512_unpackhi_pd(a, a), lower, sum);
                    _mm512_storeu_pd(out.add(at), sum);
                }
            }
        }
    }
}

trait Kernel {
    type Item: Ring;
}

struct Of<T>(PhantomData<T>);

impl<T: Ring> Kernel for Of<T> {
    type Item = T;
}

by_level! {
    fn pick<K: Kernel>(
        range: Range<usize>, steps: Option<[isize; 3]>, most: usize,
        product: &dyn Fn(usize) -> Product<K::Item>,
    ) = stack;
}

#[inline(always)]
unsafe fn stack<K: Kernel, const FMA: bool>(
    range: Range<usize>,
    steps: Option<[isize; 3]>,
    most: usize,
    product: &dyn Fn(usize) -> Product<K::Item>,
) {
    let first = product(range.start);
    for number in range.clone() {
        let product = match steps {
            Some(steps) => first.stepped(steps.map(|step| step * (number - range.start) as isize)),
            None => product(number),
        };
        match (product.rows, product.columns, product.depth) {
            (2, 2, 2) => _ = part::<K::Item, 2, 2, 2, FMA>(&product, 0),
            (3, 3, 3) => _ = part::<K::Item, 3, 3, 3, FMA>(&product, 0),
            (4, 4, 4) => _ = part::<K::Item, 4, 4, 4, FMA>(&product, 0),
            _ => parts::<K::Item, FMA>(&product, most),
        }
    }
}

/// How many columns are made together, at most.
fn most_columns<T: Ring>(level: Level) -> usize {
    match (level, size_of::<T>()) {
        _ if !T::HAS_FUSED => WIDE,
        (Level::Avx2, 8) => NARROW,
        (Level::Avx2, _) => COLUMNS,
        _ => WIDE,
    }
}

#[inline(always)]
fn parts<T: Ring, const FMA: bool>(product: &Product<T>, most: usize) {
    let mut packed = Vec::new();
    let mut column = 0;
    while column < product.columns {
        let left = product.columns - column;
        if T::HAS_FUSED && product.columns > NARROW && left < COLUMNS.min(most) && column > 0 {
            // The last columns reach back over some that are made again: lanes of a vector cost what one costs.
            column = product.columns - if left <= NARROW { NARROW } else { COLUMNS };
        }
        let (rhs, out) = (product.rhs.from(0, column), product.out.from(0, column));
        let strip = Product { rhs, out, ..*product };
        // Types without fused products are rare here, and do with few loops.
        column += match ((product.columns - column).min(most), T::HAS_FUSED) {
            (WIDE.., true) => columns::<T, WIDE, FMA>(strip, most, &mut packed),
            (COLUMNS.., _) => columns::<T, COLUMNS, FMA>(strip, most, &mut packed),
            (NARROW.., _) => columns::<T, NARROW, FMA>(strip, most, &mut packed),
            (4.., true) => columns::<T, 4, FMA>(strip, most, &mut packed),
            (3, true) => columns::<T, 3, FMA>(strip, most, &mut packed),
            (2, true) => columns::<T, 2, FMA>(strip, most, &mut packed),
            _ => columns::<T, 1, FMA>(strip, most, &mut packed),
        };
    }
}

/// Makes the first columns of the result, and gives how many.
#[inline(always)]
fn columns<T: Ring, const WIDTH: usize, const FMA: bool>(
    mut product: Product<T>,
    most: usize,
    packed: &mut Vec<T>,
) -> usize {
    let Product { rhs, rows, depth, .. } = product;
    let (is_turned, is_dense) = (rhs.column != 1 && WIDTH > 1, rhs.row == WIDTH as isize);
    let is_far = if most == WIDE { is_far::<T>(depth) } else { depth >= DEEP };
    let pays = WIDTH == most && rows >= PACKED_ROWS && is_far && !is_dense;
    if T::HAS_FUSED && (is_turned || pays) {
        packed.resize(packed.len().max(depth * WIDTH), T::ZERO);
        let strip = Matrix { start: Ptr(packed.as_mut_ptr()), row: WIDTH as isize, column: 1 };
        // SAFETY: the matrix has these elements, and there is room for them.
        unsafe { pack(strip, rhs, depth) };
        product.rhs = strip;
    }
    let mut row = 0;
    while row < rows {
        row += match (rows - row, T::HAS_FUSED) {
            (SIX.., true) if WIDTH == NARROW && most == NARROW => {
                part::<T, SIX, WIDTH, 0, FMA>(&product, row)
            }
            (TALL.., true) if matches!(WIDTH, 1 | NARROW) => {
                part::<T, TALL, WIDTH, 0, FMA>(&product, row)
            }
            // Sums that are one vector each wait for nothing only where they are many.
            (SIX.., true) if WIDTH == COLUMNS && size_of::<T>() == 4 => {
                part::<T, SIX, WIDTH, 0, FMA>(&product, row)
            }
            (5, true) if WIDTH == COLUMNS && size_of::<T>() == 4 => {
                part::<T, 5, WIDTH, 0, FMA>(&product, row)
            }
            // One row alone would wait for its sums.
            (5, true) if WIDTH == WIDE => part::<T, 5, WIDTH, 0, FMA>(&product, row),
            (ROWS.., true) => part::<T, ROWS, WIDTH, 0, FMA>(&product, row),
            (3, true) => part::<T, 3, WIDTH, 0, FMA>(&product, row),
            (2, true) => part::<T, 2, WIDTH, 0, FMA>(&product, row),
            _ => part::<T, 1, WIDTH, 0, FMA>(&product, row),
        };
    }
    WIDTH
}

/// Rows of a matrix that are turned at a time: they stay in the nearest cache.
const TURNED: usize = 16;

/// Copies as many columns as a row of `to` has to lie row by row.
#[inline(never)]
unsafe fn pack<T: Ring>(to: Matrix<T>, from: Matrix<T>, rows: usize) {
    let width = to.row as usize;
    // SAFETY: the caller's.
    unsafe {
        if from.column == 1 {
            for row in 0..rows {
                std::ptr::copy_nonoverlapping(from.at(row, 0), to.at(row, 0), width);
            }
            return;
        }
        for first in (0..rows).step_by(TURNED) {
            for column in 0..width {
                for row in first..rows.min(first + TURNED) {
                    *to.at(row, column) = *from.at(row, column);
                }
            }
        }
    }
}

/// Makes a part of the result, and gives its rows. `DEPTH` is that of the product, if it is not zero.
#[inline(always)]
fn part<T: Ring, const HEIGHT: usize, const WIDTH: usize, const DEPTH: usize, const FMA: bool>(
    product: &Product<T>,
    row: usize,
) -> usize {
    let Product { lhs, rhs, out, depth, .. } = *product;
    let depth = if DEPTH > 0 { DEPTH } else { depth };
    let (lhs, rhs): (Matrix<T>, Matrix<T>) = (lhs.from(row, 0), rhs);
    let mut sums = [[T::ZERO; WIDTH]; HEIGHT];
    for inner in 0..depth {
        // Left alone, a compiler makes vectors of anything but rows.
        std::hint::black_box(());
        // SAFETY: the matrices have these elements, those of a row of `rhs` side by side.
        let others = unsafe { *rhs.at(inner, 0).cast::<[T; WIDTH]>() };
        for (down, sums) in sums.iter_mut().enumerate() {
            // SAFETY: as above.
            let factor = unsafe { *lhs.at(down, inner) };
            for at in 0..WIDTH {
                sums[at] = sums[at].with_product::<FMA>(factor, others[at]);
            }
        }
    }
    if T::HAS_FUSED && WIDTH >= NARROW {
        sums = std::hint::black_box(sums);
    }
    for (down, sums) in sums.into_iter().enumerate() {
        // SAFETY: the rows of `out` follow each other without holes, and it is this call's alone.
        unsafe { out.at(row + down, 0).cast::<[T; WIDTH]>().write(sums) };
    }
    HEIGHT
}
