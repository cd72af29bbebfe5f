//! Products of a matrix and a vector, whose limit is the reading of the matrix.
//!
//! Each result is the sum of a row's elements times the vector's. Where rows are dense, some of them are read beside
//! each other, each into sums of its own; where columns are, these are added up, each times an element of the vector,
//! several at a time.

use std::marker::PhantomData;

use super::blocked::Ring;
use super::{Context, Matrix, Product, even_piece, small};
#[cfg(target_arch = "x86_64")]
use super::{tall, thin};
use crate::device::Error;
use crate::device::cpu::dispatch::{Level, by_level};
use crate::device::cpu::elements::{INLINE, Ptr, for_pieces};
use crate::device::cpu::number::Number;
use crate::device::cpu::scratch::Plain;

/// A product with no more results than these has longer sums cut in parts of [`LONG`].
pub const FEW: usize = 64;
pub const LONG: usize = 32 * 1024;

/// Rows up to this length are read many beside each other.
pub const DEEP: usize = INLINE / 8;

/// Lanes of a sum, or of sums that are made side by side: two vectors of float32.
pub(super) const LANES: usize = 32;
/// Rows that are read beside each other.
pub(super) const ROWS: usize = 4;
/// Columns that are added at a time.
pub(super) const COLUMNS: usize = 8;

/// A product whose results are `len` sums of `depth` elements: the matrix, one row for each of them, the vector, which is
/// dense, and the results.
#[derive(Clone, Copy)]
struct Sums<T> {
    matrix: Matrix<T>,
    vector: Ptr<T>,
    out: Ptr<T>,
    len: usize,
    depth: usize,
}

impl<T> Sums<T> {
    /// The results of a range alone.
    fn part(&self, range: std::ops::Range<usize>) -> Sums<T> {
        Sums {
            matrix: self.matrix.from(range.start, 0),
            out: self.out.shifted(range.start as isize),
            len: range.len(),
            ..*self
        }
    }
}

/// Elements of a vector that do not lie side by side, and are put so.
pub(super) fn scratch_len<T>(product: &Product<T>) -> usize {
    let Product { lhs, rhs, columns, depth, .. } = *product;
    let step = if columns == 1 { rhs.row } else { lhs.column };
    if step == 1 { 0 } else { depth }
}

pub(super) fn multiply<T: Number + Plain>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    let (matrix, (vector, step)) = match columns {
        1 => (lhs, (rhs.start, rhs.row)),
        _ => (rhs.transposed(), (lhs.start, lhs.column)),
    };
    let mut side_by_side = context.scratch.buffer(scratch_len(product))?;
    for (at, element) in side_by_side.iter_mut().enumerate() {
        // SAFETY: the vector has `depth` elements.
        *element = unsafe { *vector.at(at as isize * step) };
    }
    let vector = if step == 1 { vector } else { side_by_side.start() };
    let len = rows.max(columns);
    let sums = Sums { matrix, vector, out: out.start, len, depth };
    if parallel && len <= FEW && depth > LONG {
        return multiply_long(sums, context);
    }
    let step = match matrix.column {
        1 if depth <= DEEP => 4 * ROWS,
        1 => ROWS,
        _ => 2 * LANES,
    };
    let work = len.saturating_mul(depth);
    let piece = match parallel && work > 2 * INLINE {
        true => even_piece(len, work.div_ceil(INLINE), step),
        false => len,
    };
    for_pieces(len, piece, context.interrupt, &|_, range| {
        sum_up(sums.part(range));
        Ok(())
    })
}

/// A few long sums: each is cut in parts of one length, whose sums are added in order.
fn multiply_long<T: Number + Plain>(sums: Sums<T>, context: Context<'_>) -> Result<(), Error> {
    let Sums { matrix, vector, out, len, depth } = sums;
    let parts = depth.div_ceil(LONG);
    let found = context.scratch.buffer(parts * len)?;
    let shared = found.start();
    for_pieces(depth, LONG, context.interrupt, &|number, range| {
        sum_up(Sums {
            matrix: matrix.from(0, range.start),
            vector: vector.shifted(range.start as isize),
            out: shared.shifted((number * len) as isize),
            len,
            depth: range.len(),
        });
        Ok(())
    })?;
    for at in 0..len {
        let sum = (0..parts).map(|part| found[part * len + at]).reduce(Number::add);
        // SAFETY: there are `len` results, without holes between them.
        unsafe { *out.at(at as isize) = sum.unwrap_or(<T as Number>::ZERO) };
    }
    Ok(())
}

/// Makes the results on this thread.
fn sum_up<T: Number>(sums: Sums<T>) {
    let level = Level::detect();
    // What is asked before each sum would cost more than a short one.
    let is_short = sums.depth <= small::SMALL_SIDE && sums.matrix.column == 1;
    #[cfg(target_arch = "x86_64")]
    if sum_few(&sums) {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    let sums = sum_beside(sums, is_short);
    let Sums { matrix, vector, out, len, depth } = sums;
    if len == 0 {
        return;
    }
    // SAFETY: the processor has the instructions of the level.
    unsafe {
        match (matrix.row, matrix.column) {
            (_, 1) if !is_short => pick_rows::<Of<T>>(level)(sums),
            (1, _) => pick_columns::<Of<T>>(level)(sums),
            _ => {
                let rhs = Matrix { start: vector, row: 1, column: 1 };
                let out = Matrix { start: out, row: 1, column: 1 };
                let product = Product { lhs: matrix, rhs, out, rows: len, columns: 1, depth };
                small::multiply(0..1, None, &|_| product.stepped([0; 3]));
            }
        }
    }
}

/// Makes all results, if the matrix is read as one run: few columns, or rows of two; says whether it is.
#[cfg(target_arch = "x86_64")]
fn sum_few<T: Ring>(sums: &Sums<T>) -> bool {
    let Sums { matrix, vector, out, len, depth } = *sums;
    if (matrix.row, matrix.column, depth) == (2, 1, 2) && tall::takes_pairs::<T>(len) {
        // SAFETY: there are so many rows of two elements, and results.
        unsafe { tall::by_pairs(matrix.start, vector, len, out) };
        return true;
    }
    let is_run = matrix.row == 1 && matrix.column == len as isize;
    let takes = is_run && tall::takes::<T>(depth, len);
    if takes {
        // SAFETY: there are so many rows of so many elements, and results.
        unsafe { tall::sum_up(matrix.start, vector, (depth, len), out) };
    }
    takes
}

/// Makes the results of rows that are read many beside each other, and gives the others.
#[cfg(target_arch = "x86_64")]
fn sum_beside<T: Ring>(sums: Sums<T>, is_short: bool) -> Sums<T> {
    let Sums { matrix, vector, out, len, depth } = sums;
    let is_possible = T::HAS_FUSED && thin::is_available();
    if matrix.column != 1 || depth > DEEP || !is_possible {
        return sums;
    }
    let height = thin::height::<T>();
    let (rest, has_some) = (len % height, len >= height);
    // Some are made again for the last ones; those that are few and long come as cheaply alone.
    let made = if is_short || has_some && 2 * rest > height { len } else { len - rest };
    let rhs = Matrix { start: vector, row: 1, column: 1 };
    let out = Matrix { start: out, row: 1, column: 1 };
    let product = Product { lhs: matrix, rhs, out, rows: len, columns: 1, depth };
    // SAFETY: the processor has the instructions, and the results are the caller's alone.
    unsafe { thin::make_rows(&product, 0..made) };
    sums.part(made..len)
}

trait Kernel {
    type Item: Ring + Number;
}

struct Of<T>(PhantomData<T>);

impl<T: Ring + Number> Kernel for Of<T> {
    type Item = T;
}

by_level! {
    fn pick_rows<K: Kernel>(sums: Sums<K::Item>) = rows;
    fn pick_columns<K: Kernel>(sums: Sums<K::Item>) = columns;
}

/// # Safety
/// The matrix has dense rows; the results are the caller's alone.
#[inline(always)]
unsafe fn rows<K: Kernel, const FMA: bool>(sums: Sums<K::Item>) {
    let mut row = 0;
    while row < sums.len {
        let part = sums.part(row..sums.len);
        // SAFETY: the caller's; there are so many rows.
        row += unsafe {
            match part.len {
                ROWS.. => some_rows::<K::Item, ROWS, LANES, FMA>(part),
                // One alone has as many sums as several together.
                _ => some_rows::<K::Item, 1, { ROWS * LANES }, FMA>(part),
            }
        };
    }
}

/// The sums of the first rows; gives how many.
#[inline(always)]
unsafe fn some_rows<T: Ring + Number, const HEIGHT: usize, const WIDTH: usize, const FMA: bool>(
    sums: Sums<T>,
) -> usize {
    let Sums { matrix, vector, out, depth, .. } = sums;
    let mut acc = [[<T as Ring>::ZERO; WIDTH]; HEIGHT];
    let mut last = [[<T as Ring>::ZERO; 8]; HEIGHT];
    let mut at = 0;
    // SAFETY: the caller's, here and below.
    unsafe {
        while at + WIDTH <= depth {
            let factors = *vector.at(at as isize).cast::<[T; WIDTH]>();
            for (row, acc) in acc.iter_mut().enumerate() {
                // Left alone, a compiler makes vectors of anything but these lanes.
                std::hint::black_box(());
                let lanes = *matrix.at(row, at).cast::<[T; WIDTH]>();
                for lane in 0..WIDTH {
                    acc[lane] = acc[lane].with_product::<FMA>(lanes[lane], factors[lane]);
                }
            }
            at += WIDTH;
        }
        while at + 8 <= depth {
            let factors = *vector.at(at as isize).cast::<[T; 8]>();
            for (row, last) in last.iter_mut().enumerate() {
                std::hint::black_box(());
                let lanes = *matrix.at(row, at).cast::<[T; 8]>();
                for lane in 0..8 {
                    last[lane] = last[lane].with_product::<FMA>(lanes[lane], factors[lane]);
                }
            }
            at += 8;
        }
        for at in at..depth {
            let factor = *vector.at(at as isize);
            for (row, last) in last.iter_mut().enumerate() {
                last[0] = last[0].with_product::<FMA>(*matrix.at(row, at), factor);
            }
        }
        for (row, (acc, mut last)) in acc.into_iter().zip(last).enumerate() {
            for first in (0..WIDTH).step_by(8) {
                for lane in 0..8 {
                    last[lane] = last[lane].sum(acc[first + lane]);
                }
            }
            let four: [T; 4] = std::array::from_fn(|lane| last[lane].sum(last[lane + 4]));
            *out.at(row as isize) = four[0].sum(four[2]).sum(four[1].sum(four[3]));
        }
    }
    HEIGHT
}

/// # Safety
/// The matrix has dense columns; the results are the caller's alone.
#[inline(always)]
unsafe fn columns<K: Kernel, const FMA: bool>(sums: Sums<K::Item>) {
    let mut column = 0;
    // SAFETY: the caller's; there are so many columns.
    unsafe {
        // The results begin with the first column, or with the first several.
        column += match sums.depth {
            COLUMNS.. => some_columns::<K::Item, COLUMNS, true, FMA>(sums, 0),
            4.. => some_columns::<K::Item, 4, true, FMA>(sums, 0),
            2.. => some_columns::<K::Item, 2, true, FMA>(sums, 0),
            _ => some_columns::<K::Item, 1, true, FMA>(sums, 0),
        };
        while column < sums.depth {
            column += match sums.depth - column {
                COLUMNS.. => some_columns::<K::Item, COLUMNS, false, FMA>(sums, column),
                4.. => some_columns::<K::Item, 4, false, FMA>(sums, column),
                2.. => some_columns::<K::Item, 2, false, FMA>(sums, column),
                _ => some_columns::<K::Item, 1, false, FMA>(sums, column),
            };
        }
    }
}

/// Adds some columns, each times its element of the vector, to the results, or makes these of them; gives how many.
#[inline(always)]
unsafe fn some_columns<T: Ring, const COUNT: usize, const IS_FIRST: bool, const FMA: bool>(
    sums: Sums<T>,
    first: usize,
) -> usize {
    let Sums { matrix, vector, out, len, .. } = sums;
    let mut at = 0;
    // SAFETY: the caller's; the matrix has these columns.
    unsafe {
        let factors = *vector.at(first as isize).cast::<[T; COUNT]>();
        while at + LANES <= len {
            lanes::<T, COUNT, LANES, IS_FIRST, FMA>(
                out.at(at as isize),
                matrix.from(at, first),
                factors,
            );
            at += LANES;
        }
        while at + 8 <= len {
            lanes::<T, COUNT, 8, IS_FIRST, FMA>(
                out.at(at as isize),
                matrix.from(at, first),
                factors,
            );
            at += 8;
        }
        while at < len {
            lanes::<T, COUNT, 1, IS_FIRST, FMA>(
                out.at(at as isize),
                matrix.from(at, first),
                factors,
            );
            at += 1;
        }
    }
    COUNT
}

#[inline(always)]
unsafe fn lanes<
    T: Ring,
    const COUNT: usize,
    const WIDTH: usize,
    const IS_FIRST: bool,
    const FMA: bool,
>(
    out: *mut T,
    columns: Matrix<T>,
    factors: [T; COUNT],
) {
    // SAFETY: the caller's.
    unsafe {
        let out = out.cast::<[T; WIDTH]>();
        let mut sums = if IS_FIRST { [T::ZERO; WIDTH] } else { *out };
        for (column, factor) in factors.into_iter().enumerate() {
            std::hint::black_box(());
            let lanes = *columns.at(0, column).cast::<[T; WIDTH]>();
            for lane in 0..WIDTH {
                sums[lane] = sums[lane].with_product::<FMA>(factor, lanes[lane]);
            }
        }
        *out = sums;
    }
}
