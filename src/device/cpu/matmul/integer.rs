//! Products of integers, which wrap, and of bool, where a sum is "or" and a product "and".

use super::{Context, Matrix, Product};
use crate::device::Error;
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::cpu::number::Number;

/// Rows of the result that one thread makes at a time.
const ROWS: usize = 16;
/// Rows and columns of the right matrix that are used together: they fit a core's own cache.
const DEPTH: usize = 64;
const COLUMNS: usize = 512;

/// What sums and products are.
pub(super) trait Ring: Copy + Send + Sync + 'static {
    const ZERO: Self;
    fn multiply_add(sum: Self, a: Self, b: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Ring for $type {
            const ZERO: $type = 0;

            #[inline(always)]
            fn multiply_add(sum: $type, a: $type, b: $type) -> $type {
                sum.add(a.multiply(b))
            }
        }
    )*};
}

integers!(u8, i16, i32, i64);

/// A bool.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub(super) struct Logical(u8);

impl Ring for Logical {
    const ZERO: Logical = Logical(0);

    #[inline(always)]
    fn multiply_add(sum: Logical, a: Logical, b: Logical) -> Logical {
        Logical(sum.0 | (a.0 & b.0))
    }
}

pub(super) fn multiply<T: Ring>(
    product: &Product<T>,
    parallel: bool,
    context: Context<'_>,
) -> Result<(), Error> {
    let piece = if parallel { ROWS } else { product.rows };
    for_pieces(product.rows, piece, context.interrupt, &|_, rows| {
        // SAFETY: the rows of `out` follow each other without holes, and no two pieces share one.
        let out = unsafe {
            let start = product.out.at(rows.start, 0);
            std::slice::from_raw_parts_mut(start, rows.len() * product.columns)
        };
        out.fill(T::ZERO);
        let mut packed = Vec::new();
        for first in (0..product.columns).step_by(COLUMNS) {
            let columns = COLUMNS.min(product.columns - first);
            for inner in (0..product.depth).step_by(DEPTH) {
                if context.interrupt.is_raised() {
                    return Err(Error::Interrupted);
                }
                let depth = DEPTH.min(product.depth - inner);
                pack(&mut packed, product.rhs.from(inner, first), depth, columns);
                for (at, row) in rows.clone().enumerate() {
                    let start = at * product.columns + first;
                    let lhs = product.lhs.from(row, inner);
                    let lhs = (lhs.start, lhs.column);
                    add_rows(&mut out[start..start + columns], lhs, &packed);
                }
            }
        }
        Ok(())
    })
}

/// Copies a part of a matrix to lie without holes.
fn pack<T: Ring>(packed: &mut Vec<T>, matrix: Matrix<T>, rows: usize, columns: usize) {
    packed.clear();
    for row in 0..rows {
        // SAFETY: the matrix has these elements.
        packed.extend((0..columns).map(|column| unsafe { *matrix.at(row, column) }));
    }
}

vectorized! {
    /// Adds the rows of `rhs`, each times an element of `lhs`, to `out`. `lhs` is where the first
    /// element lies and the step to the next; there are as many as rows.
    fn add_rows[T: Ring](out: &mut [T], lhs: (Ptr<T>, isize), rhs: &[T]) = add_rows_body[T]
}

#[inline(always)]
fn add_rows_body<T: Ring>(out: &mut [T], (lhs, step): (Ptr<T>, isize), rhs: &[T]) {
    // SAFETY: there is an element of `lhs` for each row of `rhs`.
    let factor = |row: usize| unsafe { *lhs.at(row as isize * step) };
    let columns = out.len();
    let fours = rhs.chunks_exact(4 * columns);
    let rest = fours.remainder();
    let done = rhs.len() / columns / 4 * 4;
    for (four, rows) in fours.enumerate() {
        let factors: [T; 4] = std::array::from_fn(|i| factor(4 * four + i));
        let (a, rows) = rows.split_at(columns);
        let (b, rows) = rows.split_at(columns);
        let (c, d) = rows.split_at(columns);
        for ((((sum, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let mut local = T::multiply_add(*sum, factors[0], *a);
            local = T::multiply_add(local, factors[1], *b);
            local = T::multiply_add(local, factors[2], *c);
            *sum = T::multiply_add(local, factors[3], *d);
        }
    }
    for (row, values) in rest.chunks_exact(columns).enumerate() {
        let factor = factor(done + row);
        for (sum, value) in out.iter_mut().zip(values) {
            *sum = T::multiply_add(*sum, factor, *value);
        }
    }
}
