//! Which operands of a product are copied before it.

use super::blocked::Ring;
#[cfg(target_arch = "x86_64")]
use super::thin;
use super::{Product, is_by_vector, small};
use crate::device::View;
use crate::dtype::DType;

/// Elements of an operand from which on a copy costs less than what kernels pay for packing them as they lie.
const LEAST_COPIED: usize = 8192;
/// Bytes of a left and of a right matrix that are copied, at most: of larger ones the copies cost more.
const MOST_COPIED: [usize; 2] = [256 * 1024, 2 * 1024 * 1024];
/// Columns of the result from which on a left matrix is copied: each of its elements is then read as often.
const LEAST_COLUMNS: usize = 96;

/// See [`crate::device::Backend::matmul_wants_rows`].
pub fn want_rows(lhs: View<'_>, rhs: View<'_>) -> [bool; 2] {
    match lhs.dtype().compute() {
        DType::F64 => wanted::<f64>(lhs, rhs),
        DType::F32 => wanted::<f32>(lhs, rhs),
        dtype => match dtype.size() {
            1 => wanted::<u8>(lhs, rhs),
            2 => wanted::<i16>(lhs, rhs),
            4 => wanted::<i32>(lhs, rhs),
            _ => wanted::<i64>(lhs, rhs),
        },
    }
}

fn wanted<T: Ring>(lhs: View<'_>, rhs: View<'_>) -> [bool; 2] {
    let ([rows, depth], [_, columns]) = (lhs.sides(), rhs.sides());
    let steps = [lhs, rhs].map(|view| {
        let outer = view.layout.rank() - 2;
        [view.layout.strides[outer], view.layout.strides[outer + 1]]
    });
    let product = Product::<T>::outline([rows, depth, columns], steps);
    if is_by_vector(&product) || is_thin(&product) {
        return [false; 2];
    }
    let is_right = product.rhs.column != 1 && may_be_copied(rhs, MOST_COPIED[1]);
    let rhs_in_rows = [steps[0], [columns as isize, 1]];
    let in_rows = [[depth as isize, 1], rhs_in_rows[1]];
    let with = |steps| Product::<T>::outline([rows, depth, columns], steps);
    // Only what our own loops take is worth it: a library packs a left matrix of either way.
    let is_left = product.lhs.column != 1
        && (product.rhs.column == 1 || is_right)
        && columns >= LEAST_COLUMNS
        && small::takes(&with(in_rows))
        && !small::takes(&with(rhs_in_rows))
        && may_be_copied(lhs, MOST_COPIED[0]);
    [is_left, is_right]
}

#[cfg(target_arch = "x86_64")]
fn is_thin<T: Ring>(product: &Product<T>) -> bool {
    thin::way(product).is_some()
}

#[cfg(not(target_arch = "x86_64"))]
fn is_thin<T: Ring>(_: &Product<T>) -> bool {
    false
}

/// Whether it is one matrix, which has neither few elements nor many, and none again.
fn may_be_copied(view: View<'_>, most: usize) -> bool {
    let (layout, count) = (view.layout, view.layout.elem_count());
    let is_again = layout.shape.iter().zip(&layout.strides).any(|(n, step)| *n > 1 && *step == 0);
    let is_one = layout.shape[..layout.rank() - 2].iter().all(|n| *n == 1);
    is_one && !is_again && count >= LEAST_COPIED && count * view.dtype().size() <= most
}
