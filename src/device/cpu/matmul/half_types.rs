//! Products of the half types: sums are kept in float32 and rounded once.

use half::{bf16, f16};

use super::{Context, Matrix, Product, multiply_float};
use crate::device::Error;
use crate::device::cpu::elements::{INLINE, for_pieces};
use crate::device::cpu::scratch::Buffer;

/// A type of 16 bits that is a float32 with some bits left out.
pub(super) trait Half: Copy + Send + Sync {
    fn widen(self) -> f32;
    fn narrow(wide: f32) -> Self;
}

macro_rules! halves {
    ($($type:ty),*) => {$(
        impl Half for $type {
            #[inline]
            fn widen(self) -> f32 {
                self.to_f32()
            }

            #[inline]
            fn narrow(wide: f32) -> $type {
                <$type>::from_f32(wide)
            }
        }
    )*};
}

halves!(f16, bf16);

pub(super) fn multiply<T: Half>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    let lhs = widened(lhs, rows, depth, parallel, context)?;
    let rhs = widened(rhs, depth, columns, parallel, context)?;
    let wide = context.scratch.buffer(rows * columns)?;
    let matrix = |values: &Buffer<f32>, columns: usize| Matrix {
        start: values.start(),
        row: columns as isize,
        column: 1,
    };
    let product = Product {
        lhs: matrix(&lhs, depth),
        rhs: matrix(&rhs, columns),
        out: matrix(&wide, columns),
        rows,
        columns,
        depth,
    };
    multiply_float(&product, parallel, context)?;
    for_pieces(wide.len(), INLINE, context.interrupt, &|_, range| {
        for at in range {
            // SAFETY: the rows of `out` follow each other without holes, and no two pieces share an
            // element.
            unsafe { *out.start.at(at as isize) = T::narrow(wide[at]) };
        }
        Ok(())
    })
}

/// A contiguous copy of a matrix.
fn widened<T: Half>(
    matrix: Matrix<T>,
    rows: usize,
    columns: usize,
    parallel: bool,
    context: Context<'_>,
) -> Result<Buffer<f32>, Error> {
    let wide = context.scratch.buffer(rows * columns)?;
    let shared = wide.start();
    let piece = if parallel { (INLINE / columns.max(1)).max(1) } else { rows.max(1) };
    for_pieces(rows, piece, context.interrupt, &|_, range| {
        for row in range {
            for column in 0..columns {
                let at = (row * columns + column) as isize;
                // SAFETY: the matrix has this element, and no two pieces share a row.
                unsafe { *shared.at(at) = (*matrix.at(row, column)).widen() };
            }
        }
        Ok(())
    })?;
    Ok(wide)
}
