//! Products of float32 and float64 by the crates around `gemm`.

use gemm_common::Parallelism;

use super::blocked::Ring;
use super::{Context, Matrix, Product, small};
use crate::device::Error;
use crate::device::cpu::elements::{INLINE, Ptr, for_pieces};
use crate::device::cpu::number::Number;
use crate::device::cpu::scratch::Plain;

/// Multiplications in a tile: some milliseconds of work.
pub const TILE: usize = 1 << 29;
/// Inner and column extent of a tile, at most.
pub const TILE_DEPTH: usize = 4096;
pub const TILE_COLUMNS: usize = 2048;
/// A product by a vector with no more results than these has longer sums cut in parts of [`LONG`].
pub const FEW: usize = 64;
pub const LONG: usize = 32 * 1024;

/// A type whose products have a crate.
pub(super) trait Float: Ring + Number + Plain {
    /// Writes a product, or adds it to what `out` holds.
    ///
    /// # Safety
    /// All of `lhs` and `rhs` can be read, and all of `out` written by the threads of this call
    /// alone.
    unsafe fn gemm(product: &Product<Self>, add: bool, threads: Parallelism);
}

macro_rules! floats {
    ($($type:ty, $gemm:path;)*) => {$(
        impl Float for $type {
            unsafe fn gemm(product: &Product<$type>, add: bool, threads: Parallelism) {
                use $gemm as gemm;

                let Product { out, rows, columns, depth, lhs, rhs } = *product;
                // The kernels want the columns of the result to be dense: it is the transposed
                // product that they are given, unless there is but one column.
                let (rows, columns, lhs, rhs, out) = if columns > 1 {
                    (columns, rows, rhs.transposed(), lhs.transposed(), out.transposed())
                } else {
                    (rows, columns, lhs, rhs, out)
                };
                let (lhs, rhs) = forwards(lhs, rhs, depth);
                // SAFETY: the caller's promise; the matrices are described as the kernels want them.
                unsafe {
                    gemm::get_gemm_fn()(
                        rows,
                        columns,
                        depth,
                        out.start.0,
                        out.column,
                        out.row,
                        add,
                        lhs.start.0,
                        lhs.column,
                        lhs.row,
                        rhs.start.0,
                        rhs.column,
                        rhs.row,
                        1.0,
                        1.0,
                        false,
                        false,
                        false,
                        threads,
                    );
                }
            }
        }
    )*};
}

floats! {
    f32, gemm_f32::gemm::f32;
    f64, gemm_f64::gemm::f64;
}

/// The same factors, summed from the other end if the left one's columns go backwards.
fn forwards<T>(lhs: Matrix<T>, rhs: Matrix<T>, depth: usize) -> (Matrix<T>, Matrix<T>) {
    if lhs.column >= 0 {
        return (lhs, rhs);
    }
    let (left, right) = (lhs.from(0, depth - 1), rhs.from(depth - 1, 0));
    (Matrix { column: -lhs.column, ..left }, Matrix { row: -rhs.row, ..right })
}

pub(super) fn multiply<T: Float>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    if depth == 0 {
        // SAFETY: the rows of `out` follow each other without holes.
        unsafe { std::slice::from_raw_parts_mut(out.start.0, rows * columns) }
            .fill(<T as Number>::ZERO);
        return Ok(());
    }
    if rows == 1 || columns == 1 {
        return multiply_vector(product, parallel, context);
    }
    let threads = if parallel { Parallelism::Rayon(0) } else { Parallelism::None };
    let whole = rows * columns * depth <= TILE;
    let tile_depth = if whole { depth } else { depth.min(TILE_DEPTH) };
    let tile_columns = if whole { columns } else { columns.min(TILE_COLUMNS) };
    let tile_rows = if whole { rows } else { (TILE / tile_depth / tile_columns).max(64) };
    for row in (0..rows).step_by(tile_rows) {
        for column in (0..columns).step_by(tile_columns) {
            for inner in (0..depth).step_by(tile_depth) {
                if context.interrupt.is_raised() {
                    return Err(Error::Interrupted);
                }
                let tile = Product {
                    lhs: lhs.from(row, inner),
                    rhs: rhs.from(inner, column),
                    out: out.from(row, column),
                    rows: tile_rows.min(rows - row),
                    columns: tile_columns.min(columns - column),
                    depth: tile_depth.min(depth - inner),
                };
                // SAFETY: the tile lies within the operands.
                unsafe { T::gemm(&tile, inner > 0, threads) };
            }
        }
    }
    Ok(())
}

/// A vector by a matrix or a matrix by a vector: pieces of the result are independent, and what
/// limits them is the reading of the matrix.
fn multiply_vector<T: Float>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, rows, columns, depth, .. } = *product;
    let vector = if columns == 1 { (rhs.start, rhs.row) } else { (lhs.start, lhs.column) };
    let mut side_by_side = context.scratch.buffer(if vector.1 == 1 { 0 } else { depth })?;
    for (at, element) in side_by_side.iter_mut().enumerate() {
        // SAFETY: the vector has `depth` elements.
        *element = unsafe { *vector.0.at(at as isize * vector.1) };
    }
    let vector = if vector.1 == 1 { vector.0 } else { side_by_side.start() };
    let len = rows.max(columns);
    if parallel && len <= FEW && depth > LONG {
        return multiply_long(product, vector, context);
    }
    let piece = (4 * INLINE / depth).next_multiple_of(64).max(64);
    // What the crate asks before each sum would cost more than a short one.
    let is_short = columns == 1 && depth <= small::SMALL_SIDE;
    for_pieces(len, if parallel { piece } else { len }, context.interrupt, &|_, range| {
        let first = range.start;
        let part = if columns == 1 {
            let rhs = Matrix { start: vector, row: 1, column: 1 };
            Product {
                lhs: lhs.from(first, 0),
                rhs,
                out: product.out.from(first, 0),
                rows: range.len(),
                ..*product
            }
        } else {
            let lhs = Matrix { start: vector, row: 1, column: 1 };
            Product {
                lhs,
                rhs: rhs.from(0, first),
                out: product.out.from(0, first),
                columns: range.len(),
                ..*product
            }
        };
        if is_short {
            small::multiply(0..1, None, &|_| part.stepped([0; 3]));
            return Ok(());
        }
        // SAFETY: the part lies within the operands, and no two parts share a result.
        unsafe { T::gemm(&part, false, Parallelism::None) };
        Ok(())
    })
}

/// A few long sums by a vector without holes: each is cut in parts of one length, whose sums are added in order.
fn multiply_long<T: Float>(
    product: &Product<T>,
    vector: Ptr<T>,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    let (len, parts) = (rows.max(columns), depth.div_ceil(LONG));
    let sums = context.scratch.buffer(parts * len)?;
    let shared = sums.start();
    for_pieces(depth, LONG, context.interrupt, &|number, range| {
        let start = shared.shifted((number * len) as isize);
        let vector = Matrix { start: vector.shifted(range.start as isize), row: 1, column: 1 };
        let part = if columns == 1 {
            let out = Matrix { start, row: 1, column: 1 };
            Product {
                lhs: lhs.from(0, range.start),
                rhs: vector,
                out,
                depth: range.len(),
                ..*product
            }
        } else {
            let out = Matrix { start, row: len as isize, column: 1 };
            Product {
                rhs: rhs.from(range.start, 0),
                lhs: vector,
                out,
                depth: range.len(),
                ..*product
            }
        };
        // SAFETY: the part lies within the operands, and no two parts share a sum.
        unsafe { T::gemm(&part, false, Parallelism::None) };
        Ok(())
    })?;
    for at in 0..len {
        let sum = (0..parts).map(|part| sums[part * len + at]).reduce(Number::add);
        // SAFETY: there are `len` results, without holes between them.
        unsafe { *out.start.at(at as isize) = sum.unwrap_or(<T as Number>::ZERO) };
    }
    Ok(())
}
