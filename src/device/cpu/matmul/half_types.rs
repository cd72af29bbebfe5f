//! Products of the half types: sums are kept in float32 and rounded once.

use half::{bf16, f16};

use super::{Context, Matrix, Product, multiply_float};
use crate::device::Error;
use crate::device::cpu::dispatch::Level;
use crate::device::cpu::elements::{INLINE, for_pieces};
use crate::device::cpu::lanes;
use crate::device::cpu::scratch::Buffer;
use crate::dtype::DType;

/// A type of 16 bits that is a float32 with some bits left out.
pub(super) trait Half: Copy + Send + Sync {
    const DTYPE: DType;
    fn widen(self) -> f32;
}

macro_rules! halves {
    ($($type:ty, $dtype:ident;)*) => {$(
        impl Half for $type {
            const DTYPE: DType = DType::$dtype;

            #[inline]
            fn widen(self) -> f32 {
                self.to_f32()
            }
        }
    )*};
}

halves!(f16, F16; bf16, BF16;);

pub(super) fn multiply<T: Half>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let Product { lhs, rhs, out, rows, columns, depth } = *product;
    let (_held, lhs) = widened(lhs, rows, depth, parallel, context)?;
    let (_held_too, rhs) = widened(rhs, depth, columns, parallel, context)?;
    let wide = context.scratch.buffer(rows * columns)?;
    let result = Matrix { start: wide.start(), row: columns as isize, column: 1 };
    let product = Product { lhs, rhs, out: result, rows, columns, depth };
    multiply_float(&product, parallel, context)?;
    let narrow = lanes::to_narrow(Level::detect(), T::DTYPE);
    for_pieces(wide.len(), INLINE, context.interrupt, &|_, range| {
        let (to, from) =
            (out.start.at(range.start as isize), result.start.at(range.start as isize));
        // SAFETY: the rows of `out` follow each other without holes, and no two pieces share an element.
        unsafe { narrow(to.cast(), from.cast(), range.len()) };
        Ok(())
    })
}

/// The steps of a copy, from row to row and from column to column: columns stay dense where they are.
pub(super) fn wide_steps(steps: [isize; 2], [rows, columns]: [usize; 2]) -> [isize; 2] {
    match steps {
        [1, beside] if beside != 1 => [1, rows as isize],
        _ => [columns as isize, 1],
    }
}

/// A copy of a matrix without holes.
fn widened<T: Half>(
    matrix: Matrix<T>,
    rows: usize,
    columns: usize,
    parallel: bool,
    context: Context<'_>,
) -> Result<(Buffer<f32>, Matrix<f32>), Error> {
    let buffer = context.scratch.buffer::<f32>(rows * columns)?;
    let [row, column] = wide_steps([matrix.row, matrix.column], [rows, columns]);
    let copy = Matrix { start: buffer.start(), row, column };
    // Lines along what is dense in the copy.
    let (lines, len, from) = match column {
        1 => (rows, columns, matrix),
        _ => (columns, rows, Matrix { row: matrix.column, column: matrix.row, ..matrix }),
    };
    let widen = lanes::from_narrow(Level::detect(), T::DTYPE);
    // Without holes it is one line, of which a piece is as long as it may be.
    let is_one = from.column == 1 && from.row == len as isize;
    if is_one {
        let piece = if parallel { INLINE } else { (lines * len).max(1) };
        for_pieces(lines * len, piece, context.interrupt, &|_, range| {
            let (to, from) = (copy.start.at(range.start as isize), from.at(0, range.start));
            // SAFETY: the matrix has these elements, and no two pieces share any.
            unsafe { widen(to.cast(), from.cast(), range.len()) };
            Ok(())
        })?;
        return Ok((buffer, copy));
    }
    let piece = if parallel { (INLINE / len.max(1)).max(1) } else { lines.max(1) };
    for_pieces(lines, piece, context.interrupt, &|_, range| {
        for line in range {
            let to = copy.start.at((line * len) as isize);
            // SAFETY: the matrix has these elements, and no two pieces share a line.
            unsafe {
                if from.column == 1 {
                    widen(to.cast(), from.at(line, 0).cast(), len);
                    continue;
                }
                for at in 0..len {
                    *to.add(at) = (*from.at(line, at)).widen();
                }
            }
        }
        Ok(())
    })?;
    Ok((buffer, copy))
}
