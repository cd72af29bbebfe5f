//! Matrix products.
//!
//! float32 and float64 go to the crates around `gemm`, which take any strides; the half types pass
//! through float32; integers and bool have a loop of our own, and so have all floats without the
//! feature `simd`. Large products are cut in tiles by size alone, between which the interrupt flag
//! is looked at.

mod blocked;
#[cfg(feature = "simd")]
mod gemm;
mod half_types;
mod small;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod tall;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod thin;
#[cfg(feature = "simd")]
mod vector;
#[cfg(feature = "simd")]
mod wanted;

use std::ops::Range;

#[cfg(not(feature = "simd"))]
use blocked::multiply as multiply_float;
#[cfg(feature = "simd")]
use gemm::{is_by_vector, multiply as multiply_float, scratch_len};
#[cfg(feature = "simd")]
pub(super) use wanted::want_rows;

use super::elements::{Elements, INLINE, Ptr, for_pieces, offsets_at};
use super::number::Number;
use super::scratch::{Plain, Scratch};
use crate::device::{Error, Interrupt, View};
use crate::dtype::DType;

/// Products of fewer multiplications than this are done whole by one thread each.
const SMALL: usize = 1 << 20;

/// Multiplications of bytes up to which one thread does what `small` takes: others would come when all is done.
const ALONE: usize = 64 * INLINE;

/// Of lengths; those of the whole work are `SMALL` and the tile's.
#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[
    small::ROWS,
    small::COLUMNS,
    small::WIDE,
    small::NARROW,
    small::TALL,
    small::SIX,
    small::DEEP,
    small::SMALL_SIDE,
    small::COLUMNS + small::NARROW / 2,
    small::COLUMNS + small::NARROW,
    small::FLOAT_SIDE,
    small::PACKED_ROWS,
    small::SHALLOW,
    small::NOT_DEEP,
    2 * small::PACKED_ROWS,
    blocked::ROWS,
    blocked::DEPTH,
    blocked::COLUMNS,
];
/// Depths at which a product by a vector is cut in other ways.
#[cfg(test)]
pub const LONG_THRESHOLDS: &[usize] = &[INLINE / 8, 32 * 1024, 4 * INLINE, SMALL, 4 * SMALL];
#[cfg(all(test, feature = "simd"))]
pub use {
    gemm::{TILE, TILE_COLUMNS, TILE_DEPTH},
    vector::{DEEP, FEW, LONG},
};

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

/// Bytes of the buffers that [`matmul`] takes; none for stacks that take some, whose products run beside each other.
pub(super) fn workspace(lhs: View<'_>, rhs: View<'_>) -> Option<Vec<usize>> {
    let ([rows, depth], [_, columns]) = (lhs.sides(), rhs.sides());
    let sides = [rows, depth, columns];
    let steps = [lhs, rhs].map(|view| {
        let strides = &view.layout.strides;
        [strides[strides.len() - 2], strides[strides.len() - 1]]
    });
    let mut blocks = match lhs.dtype() {
        DType::F32 => vec![floats_scratch::<f32>(sides, steps)],
        DType::F64 => vec![floats_scratch::<f64>(sides, steps)],
        DType::F16 | DType::BF16 => {
            let wide = [(steps[0], [rows, depth]), (steps[1], [depth, columns])];
            let wide = wide.map(|(steps, sides)| half_types::wide_steps(steps, sides));
            let packed = scratch_len(&Product::<f32>::outline(sides, wide));
            let wide = [rows * depth, depth * columns, rows * columns, packed];
            wide.map(|len| len * size_of::<f32>()).to_vec()
        }
        DType::U8 | DType::I8 => vec![integers_scratch::<u8>(sides, steps)],
        DType::U16 | DType::I16 => vec![integers_scratch::<i16>(sides, steps)],
        DType::U32 | DType::I32 => vec![integers_scratch::<i32>(sides, steps)],
        DType::U64 | DType::I64 => vec![integers_scratch::<i64>(sides, steps)],
        DType::Bool | DType::F8E4M3 | DType::F8E5M2 | DType::C64 | DType::C128 => Vec::new(),
    };
    blocks.retain(|bytes| *bytes > 0);
    (blocks.is_empty() || lhs.layout.rank() == 2).then_some(blocks)
}

/// Bytes that a product of floats takes besides its operands.
fn floats_scratch<T: blocked::Ring>(sides: [usize; 3], steps: [[isize; 2]; 2]) -> usize {
    let product = Product::<T>::outline(sides, steps);
    if small::takes(&product) { 0 } else { scratch_len(&product) * size_of::<T>() }
}

#[cfg(not(feature = "simd"))]
fn scratch_len<T>(_: &Product<T>) -> usize {
    0
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
        DType::F32 => stacked(lhs, rhs, out, context, multiply_float::<f32>),
        DType::F64 => stacked(lhs, rhs, out, context, multiply_float::<f64>),
        DType::F16 => batches(lhs, rhs, out, context, half_types::multiply::<half::f16>, None),
        DType::BF16 => batches(lhs, rhs, out, context, half_types::multiply::<half::bf16>, None),
        DType::Bool => stacked(lhs, rhs, out, context, blocked::multiply::<blocked::Logical>),
        DType::F8E4M3 | DType::F8E5M2 => out.dtype.not_carried(),
        DType::C64 | DType::C128 => out.dtype.not_stored(),
        DType::U8 | DType::I8 => stacked(lhs, rhs, out, context, multiply_integer::<u8>),
        DType::U16 | DType::I16 => stacked(lhs, rhs, out, context, multiply_integer::<i16>),
        DType::U32 | DType::I32 => stacked(lhs, rhs, out, context, multiply_integer::<i32>),
        DType::U64 | DType::I64 => stacked(lhs, rhs, out, context, multiply_integer::<i64>),
    }
}

/// Writes a product of integers, of which those by a vector are as those of floats.
fn multiply_integer<T: Number + Plain>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    #[cfg(feature = "simd")]
    if product.depth > 0 && is_by_vector(product) {
        return vector::multiply(product, parallel, context);
    }
    blocked::multiply(product, parallel, context)
}

/// Bytes that a product of integers takes besides its operands.
fn integers_scratch<T: blocked::Ring>(sides: [usize; 3], steps: [[isize; 2]; 2]) -> usize {
    let product = Product::<T>::outline(sides, steps);
    #[cfg(feature = "simd")]
    if product.depth > 0 && is_by_vector(&product) && !small::takes(&product) {
        return vector::scratch_len(&product) * size_of::<T>();
    }
    _ = product;
    0
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

    #[cfg(feature = "simd")]
    fn transposed(self) -> Matrix<T> {
        Matrix { row: self.column, column: self.row, ..self }
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

impl<T> Product<T> {
    /// One of matrices whose elements lie nowhere yet, by its rows, depth and columns and by the operands' steps.
    fn outline([rows, depth, columns]: [usize; 3], [lhs, rhs]: [[isize; 2]; 2]) -> Product<T> {
        let matrix =
            |[row, column]: [isize; 2]| Matrix { start: Ptr(std::ptr::null_mut()), row, column };
        let out = matrix([columns as isize, 1]);
        Product { lhs: matrix(lhs), rhs: matrix(rhs), out, rows, columns, depth }
    }

    /// The product of the turned matrices, which is the turned one.
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn turned(&self) -> Product<T> {
        Product {
            lhs: self.rhs.transposed(),
            rhs: self.lhs.transposed(),
            out: self.out.transposed(),
            rows: self.columns,
            columns: self.rows,
            depth: self.depth,
        }
    }

    /// Multiplications.
    fn work(&self) -> usize {
        self.rows.saturating_mul(self.columns).saturating_mul(self.depth.max(1))
    }

    /// The product of matrices that begin so many elements further on.
    #[inline(always)]
    fn stepped(&self, [lhs, rhs, out]: [isize; 3]) -> Product<T> {
        let by =
            |matrix: Matrix<T>, step: isize| Matrix { start: matrix.start.shifted(step), ..matrix };
        Product { lhs: by(self.lhs, lhs), rhs: by(self.rhs, rhs), out: by(self.out, out), ..*self }
    }
}

type Multiply<T> = fn(&Product<T>, bool, Context<'_>) -> Result<(), Error>;
/// Does the products of a range, by their numbers; of a stack of one axis the steps say how far from each other
/// the left matrices, the right ones and the results begin.
type MultiplySmall<T> = fn(Range<usize>, Option<[isize; 3]>, &dyn Fn(usize) -> Product<T>);
/// Whether it does such products.
type TakesSmall<T> = fn(&Product<T>) -> bool;
type Small<T> = (TakesSmall<T>, MultiplySmall<T>);

/// As [`batches`], with loops of their own for small products.
fn stacked<T: blocked::Ring>(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    context: Context<'_>,
    multiply: Multiply<T>,
) -> Result<(), Error> {
    let small: Small<T> = (small::takes, small::multiply);
    batches(lhs, rhs, out, context, multiply, Some(small))
}

/// Calls `multiply` for every product of the leading axes; it is told whether it may use threads. Those that
/// `small` takes are its own.
fn batches<T>(
    lhs: Elements<'_>,
    rhs: Elements<'_>,
    out: Elements<'_>,
    context: Context<'_>,
    multiply: Multiply<T>,
    small: Option<Small<T>>,
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
    let takes = |(takes, _): &Small<T>| count > 0 && takes(&product(0));
    let small = small.filter(takes).map(|(_, multiply)| multiply);
    if work > SMALL || count == 1 {
        return (0..count).try_for_each(|number| match small {
            Some(small) => share(&product(number), small, context),
            None => multiply(&product(number), true, context),
        });
    }
    let steps = (outer == 1).then(|| [strides[0][0], strides[1][0], (rows * columns) as isize]);
    for_pieces(count, (INLINE / work.max(1)).max(1), context.interrupt, &|_, numbers| {
        if let Some(multiply) = small {
            multiply(numbers, steps, &product);
            return Ok(());
        }
        numbers.into_iter().try_for_each(|number| multiply(&product(number), false, context))
    })
}

/// How long pieces are, in steps, of which there are an even number and at least so many: none is much shorter than the
/// others.
fn even_piece(len: usize, pieces: usize, step: usize) -> usize {
    len.div_ceil(pieces.next_multiple_of(2)).next_multiple_of(step)
}

/// One product that `small` does, in pieces that threads share: of its columns, or of its rows where these are more.
fn share<T>(
    product: &Product<T>,
    small: MultiplySmall<T>,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { rows, columns, .. } = *product;
    let work = product.work();
    if work * size_of::<T>() <= ALONE {
        small(0..1, None, &|_| product.stepped([0; 3]));
        return Ok(());
    }
    // Each piece of rows packs what it needs of the right matrix; each piece of columns goes from row to row of the
    // result, which costs more than short sums.
    let is_packed = columns >= small::WIDE && small::is_far::<T>(product.depth);
    let is_wide = columns >= rows && (is_packed || rows < small::PACKED_ROWS);
    let (len, step) = match (is_wide, is_packed) {
        (true, _) => (columns, small::WIDE),
        (false, true) => (rows, 4 * small::PACKED_ROWS),
        (false, false) => (rows, small::TALL),
    };
    let piece = (INLINE / (work / len)).next_multiple_of(step).max(step);
    let piece = match is_wide {
        true => piece,
        false => even_piece(len, len.div_ceil(piece), small::ROWS),
    };
    for_pieces(len, piece, context.interrupt, &|_, range| {
        let (first, count) = (range.start, range.len());
        let part = match is_wide {
            true => Product {
                rhs: product.rhs.from(0, first),
                out: product.out.from(0, first),
                columns: count,
                ..*product
            },
            false => Product {
                lhs: product.lhs.from(first, 0),
                out: product.out.from(first, 0),
                rows: count,
                ..*product
            },
        };
        small(0..1, None, &|_| part.stepped([0; 3]));
        Ok(())
    })
}

#[cfg(test)]
mod tests;
