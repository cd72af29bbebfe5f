//! Matrix products.
//!
//! float32 and float64 go to the `gemm` crate, which takes any strides; the half types pass through
//! float32; integers and bool have a loop of their own. Large products are cut in tiles by size
//! alone, between which the interrupt flag is looked at.

mod half_types;
mod integer;

use gemm::Parallelism;

use super::elements::{Elements, INLINE, Ptr, for_pieces, offsets_at};
use super::number::Number;
use super::scratch::{Plain, Scratch};
use crate::device::{Error, Interrupt, View};
use crate::dtype::DType;

/// Multiplications in a tile: some milliseconds of work.
const TILE: usize = 1 << 29;
/// Inner and column extent of a tile, at most.
const TILE_DEPTH: usize = 4096;
const TILE_COLUMNS: usize = 2048;
/// Products of fewer multiplications than this are done whole by one thread each.
const SMALL: usize = 1 << 20;

/// Products of (…, m, k) by (…, k, n) into a contiguous (…, m, n).
pub(super) fn matmul(
    lhs: View<'_>,
    rhs: View<'_>,
    out: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let scratch = Scratch::new(out.storage.device(), "matmul");
    matmul_elements(lhs.into(), rhs.into(), out.into(), Context { scratch, interrupt })
}

/// What every product is given besides its operands.
#[derive(Clone, Copy)]
struct Context<'a> {
    scratch: Scratch<'a>,
    interrupt: &'a Interrupt,
}

fn matmul_elements(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    context: Context<'_>,
) -> Result<(), Error> {
    debug_assert!(out.layout.is_contiguous() && out.layout.rank() >= 2);
    if out.len() == 0 {
        return Ok(());
    }
    match out.dtype {
        DType::F32 => batches(lhs, rhs, out, context, multiply_float::<f32>),
        DType::F64 => batches(lhs, rhs, out, context, multiply_float::<f64>),
        DType::F16 => batches(lhs, rhs, out, context, half_types::multiply::<half::f16>),
        DType::BF16 => batches(lhs, rhs, out, context, half_types::multiply::<half::bf16>),
        DType::Bool => batches(lhs, rhs, out, context, integer::multiply::<integer::Logical>),
        DType::U8 | DType::I8 => batches(lhs, rhs, out, context, integer::multiply::<u8>),
        DType::I16 => batches(lhs, rhs, out, context, integer::multiply::<i16>),
        DType::I32 => batches(lhs, rhs, out, context, integer::multiply::<i32>),
        DType::I64 => batches(lhs, rhs, out, context, integer::multiply::<i64>),
    }
}

/// A matrix in memory: its first element and the steps from row to row and column to column.
#[derive(Debug)]
struct Matrix<T> {
    start: Ptr<T>,
    row: isize,
    column: isize,
}

impl<T> Clone for Matrix<T> {
    fn clone(&self) -> Matrix<T> {
        *self
    }
}

impl<T> Copy for Matrix<T> {}

impl<T> Matrix<T> {
    /// The matrix that begins at this element.
    fn from(self, row: usize, column: usize) -> Matrix<T> {
        let offset = row as isize * self.row + column as isize * self.column;
        Matrix { start: self.start.shifted(offset), ..self }
    }

    fn at(self, row: usize, column: usize) -> *mut T {
        self.from(row, column).start.0
    }
}

/// One product: `out` has rows without holes, and its memory is no other operand's.
struct Product<T> {
    lhs: Matrix<T>,
    rhs: Matrix<T>,
    out: Matrix<T>,
    rows: usize,
    columns: usize,
    depth: usize,
}

/// Calls `multiply` for every product of the leading axes; it is told whether it may use threads.
fn batches<T>(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    context: Context<'_>,
    multiply: impl Fn(&Product<T>, bool, Context<'_>) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let outer = out.layout.rank() - 2;
    let shape = &out.layout.shape;
    let (rows, columns, depth) = (shape[outer], shape[outer + 1], lhs.layout.shape[outer + 1]);
    let matrix = |operand: &Elements<'_>| {
        let (row, column) = (operand.layout.strides[outer], operand.layout.strides[outer + 1]);
        Matrix { start: operand.start::<T>(), row, column }
    };
    let matrices = [matrix(&lhs), matrix(&rhs)];
    // A unit axis may have any stride; the fast paths want to see a contiguous one.
    let result = Matrix { start: out.start::<T>(), row: columns as isize, column: 1 };
    let strides = [&lhs.layout.strides[..outer], &rhs.layout.strides[..outer]];
    let product = |number: usize| {
        let [left, right] = offsets_at(&shape[..outer], strides, number);
        Product {
            lhs: Matrix { start: matrices[0].start.shifted(left), ..matrices[0] },
            rhs: Matrix { start: matrices[1].start.shifted(right), ..matrices[1] },
            out: result.from(number * rows, 0),
            rows,
            columns,
            depth,
        }
    };
    let count: usize = shape[..outer].iter().product();
    let work = rows.saturating_mul(columns).saturating_mul(depth.max(1));
    if work > SMALL {
        return (0..count).try_for_each(|number| multiply(&product(number), true, context));
    }
    for_pieces(count, (INLINE / work).max(1), context.interrupt, &|_, numbers| {
        numbers.into_iter().try_for_each(|number| multiply(&product(number), false, context))
    })
}

fn multiply_float<T: Number + Plain>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    if depth == 0 {
        // SAFETY: the rows of `out` follow each other without holes.
        unsafe { std::slice::from_raw_parts_mut(out.start.0, rows * columns) }.fill(T::ZERO);
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
                unsafe { call_gemm(&tile, inner > 0, threads) };
            }
        }
    }
    Ok(())
}

/// A vector by a matrix or a matrix by a vector: pieces of the result are independent, and what
/// limits them is the reading of the matrix.
fn multiply_vector<T: Number + Plain>(
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
    let piece = (4 * INLINE / depth).next_multiple_of(64);
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
        // SAFETY: the part lies within the operands, and no two parts share a result.
        unsafe { call_gemm(&part, false, Parallelism::None) };
        Ok(())
    })
}

/// Writes a product, or adds it to what `out` holds.
///
/// # Safety
/// All of `lhs` and `rhs` can be read, and all of `out` written by the threads of this call alone.
unsafe fn call_gemm<T: Number>(product: &Product<T>, add: bool, parallelism: Parallelism) {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    // SAFETY: the caller's promise; the matrices are described as `gemm` wants them.
    unsafe {
        gemm::gemm(
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
            T::ONE,
            T::ONE,
            false,
            false,
            false,
            parallelism,
        );
    }
}

#[cfg(test)]
mod tests;
