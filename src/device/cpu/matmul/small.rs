//! Stacks of small products: what a library asks and packs before each would cost more than the product.
//!
//! A row of the result stays in registers while the rows of the right matrix are added to it, each times an
//! element of the left one. The number of columns is a constant of each loop.

use std::ops::Range;

use super::blocked::Ring;
use super::{Matrix, Product};
use crate::device::cpu::dispatch::vectorized;

/// Rows, columns and depth of a small product, at most.
pub const SMALL_SIDE: usize = 32;

/// Whether [`multiply`] does such products.
pub(super) fn takes<T>(product: &Product<T>) -> bool {
    let Product { rows, columns, depth, .. } = *product;
    let are_dense = product.rhs.column == 1 || columns == 1;
    are_dense && rows <= SMALL_SIDE && depth <= SMALL_SIDE && is_width(columns)
}

macro_rules! widths {
    ($($width:literal)*) => {
        /// Whether there is a loop for rows of this many columns.
        fn is_width(columns: usize) -> bool {
            matches!(columns, $($width)|*)
        }

        /// Does the products of a range, which `product` gives by their numbers. All are of one size, and
        /// one that [`takes`] has taken.
        pub(super) fn multiply<T: Ring>(range: Range<usize>, product: &dyn Fn(usize) -> Product<T>) {
            let Some(first) = range.clone().next() else { return };
            match product(first).columns {
                $($width => stack::<T, $width>(range, product),)*
                other => unreachable!("no loop for {other} columns"),
            }
        }
    };
}
widths!(1 2 3 4 5 6 7 8 9 10 12 16 20 24 32);

vectorized! {
    fn stack[T: Ring, const COLUMNS: usize](range: Range<usize>, product: &dyn Fn(usize) -> Product<T>)
        = stack_body[T, COLUMNS]
}

#[inline(always)]
fn stack_body<T: Ring, const COLUMNS: usize>(
    range: Range<usize>,
    product: &dyn Fn(usize) -> Product<T>,
) {
    for number in range {
        let Product { lhs, rhs, out, rows, depth, .. } = product(number);
        for row in 0..rows {
            let lhs: Matrix<T> = lhs.from(row, 0);
            let mut sums = [T::ZERO; COLUMNS];
            for inner in 0..depth {
                // SAFETY: the matrices have these elements, those of a row of `rhs` side by side.
                let (factor, others) =
                    unsafe { (*lhs.at(0, inner), *rhs.at(inner, 0).cast::<[T; COLUMNS]>()) };
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum = sum.sum(factor.product(other));
                }
            }
            // SAFETY: the rows of `out` follow each other without holes, and it is this call's alone.
            unsafe { out.at(row, 0).cast::<[T; COLUMNS]>().write(sums) };
        }
    }
}
