//! Products of float32 and float64 by the crates around `gemm`.

use gemm_common::Parallelism;

use super::blocked::Ring;
#[cfg(target_arch = "x86_64")]
use super::thin;
use super::{Context, Matrix, Product, SMALL, vector};
use crate::device::Error;
use crate::device::cpu::number::Number;
use crate::device::cpu::scratch::Plain;

/// Multiplications in a tile: some milliseconds of work.
pub const TILE: usize = 1 << 29;
/// Inner and column extent of a tile, at most.
pub const TILE_DEPTH: usize = 4096;
pub const TILE_COLUMNS: usize = 2048;

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

/// Items of scratch memory that [`multiply`] takes.
pub(super) fn scratch_len<T: Ring>(product: &Product<T>) -> usize {
    match is_by_vector(product) {
        _ if product.depth == 0 => 0,
        true => vector::scratch_len(product),
        #[cfg(target_arch = "x86_64")]
        false => thin::way(product).map_or(0, |product| thin::scratch_len(&product)),
        #[cfg(not(target_arch = "x86_64"))]
        false => 0,
    }
}

pub(super) fn is_by_vector<T>(product: &Product<T>) -> bool {
    product.rows == 1 || product.columns == 1
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
    if is_by_vector(product) {
        return vector::multiply(product, parallel, context);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(product) = thin::way(product) {
        return thin::multiply(&product, parallel, context);
    }
    let parallel = parallel && product.work() > SMALL;
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
