//! Systems of equations: triangles, and what makes them. The methods divide a matrix in halves, so that most of the work
//! is products.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve as triangle;
use faer::{Accum, MatMut, MatRef, Par};

use super::dense::{Real, copied, copy};
use super::lu::divide;

/// Columns that are no longer divided.
pub(super) const NARROW: usize = 16;

pub(super) fn lu_scratch(rows: usize) -> StackReq {
    StackReq::new::<usize>(rows)
}

/// `x` of `a @ x = b`; the number of a pivot that is zero.
pub(super) fn solve<T: Real>(
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    x: MatMut<'_, T>,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let (mut lu, stack) = copied(stack, a);
    let (mut order, stack) = stack.make_with(a.nrows(), |row| row);
    divide(lu.as_mut(), &mut order, par);
    let flaw = zero_pivot(lu.as_ref());
    if flaw > 0 {
        return flaw;
    }
    let (mut right, _) = super::dense::matrix(stack, b.nrows(), b.ncols());
    for (row, from) in order.iter().enumerate() {
        for column in 0..b.ncols() {
            right[(row, column)] = b[(*from, column)];
        }
    }
    triangle::solve_unit_lower_triangular_in_place(lu.as_ref(), right.as_mut(), par);
    triangle::solve_upper_triangular_in_place(lu.as_ref(), right.as_mut(), par);
    copy(right.as_ref(), x);
    0
}

/// `x` of `a @ x = b` for one triangle of `a`; the number of a zero on its diagonal.
pub(super) fn solve_triangle<T: Real>(
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    x: MatMut<'_, T>,
    [upper, unit]: [bool; 2],
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let (a, stack) = copied(stack, a);
    let (mut right, _) = copied(stack, b);
    let (a, side) = (a.as_ref(), right.as_mut());
    match (upper, unit) {
        (false, false) => triangle::solve_lower_triangular_in_place(a, side, par),
        (false, true) => triangle::solve_unit_lower_triangular_in_place(a, side, par),
        (true, false) => triangle::solve_upper_triangular_in_place(a, side, par),
        (true, true) => triangle::solve_unit_upper_triangular_in_place(a, side, par),
    }
    copy(right.as_ref(), x);
    if unit { 0 } else { zero_pivot(a) }
}

/// Both triangles in `out`, the order of the rows and how many pairs were exchanged for it; the number
/// of a pivot that is zero.
pub(super) fn lu<T: Real>(
    a: MatRef<'_, T>,
    out: MatMut<'_, T>,
    order: &mut [i64],
    swaps: &mut i64,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let (mut lu, stack) = copied(stack, a);
    let (mut rows, _) = stack.make_with(a.nrows(), |row| row);
    *swaps = divide(lu.as_mut(), &mut rows, par);
    for (to, from) in order.iter_mut().zip(rows.iter()) {
        *to = *from as i64;
    }
    copy(lu.as_ref(), out);
    zero_pivot(lu.as_ref())
}

fn zero_pivot<T: Real>(a: MatRef<'_, T>) -> i64 {
    let size = a.nrows().min(a.ncols());
    (0..size).position(|k| a[(k, k)] == T::ZERO).map_or(0, |k| k as i64 + 1)
}

/// One triangle of a symmetric matrix as a product with itself; the number of a pivot that is not
/// positive.
pub(super) fn cholesky<T: Real>(
    a: MatRef<'_, T>,
    mut out: MatMut<'_, T>,
    upper: bool,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let (a, mut out) = if upper { (a.transpose(), out.transpose_mut()) } else { (a, out.as_mut()) };
    let (mut left, _) = copied(stack, a);
    let flaw = root(left.as_mut(), 0, par);
    for j in 1..left.ncols() {
        left.as_mut().col_mut(j).subrows_mut(0, j).fill(T::ZERO);
    }
    copy(left.as_ref(), out.as_mut());
    flaw
}

/// Makes the lower triangle in its place; `first` is the number of its first pivot.
fn root<T: Real>(mut a: MatMut<'_, T>, first: i64, par: Par) -> i64 {
    let n = a.nrows();
    if n <= NARROW {
        return root_narrow(a, first);
    }
    let half = (n / 2).next_multiple_of(NARROW.min(n / 2));
    let (mut top, _, mut bottom_left, mut bottom) = a.as_mut().split_at_mut(half, half);
    let flaw = root(top.as_mut(), first, par);
    if flaw > 0 {
        return flaw;
    }
    triangle::solve_lower_triangular_in_place(
        top.as_ref(),
        bottom_left.as_mut().transpose_mut(),
        par,
    );
    triangular::matmul(
        bottom.as_mut(),
        BlockStructure::TriangularLower,
        Accum::Add,
        bottom_left.as_ref(),
        BlockStructure::Rectangular,
        bottom_left.as_ref().transpose(),
        BlockStructure::Rectangular,
        T::ZERO - T::ONE,
        par,
    );
    root(bottom, first + half as i64, par)
}

fn root_narrow<T: Real>(mut a: MatMut<'_, T>, first: i64) -> i64 {
    let n = a.nrows();
    for k in 0..n {
        // A pivot that is no number is none that is not positive: it goes on.
        if a[(k, k)] <= T::ZERO {
            return first + k as i64 + 1;
        }
        let pivot = a[(k, k)].root();
        a[(k, k)] = pivot;
        for i in k + 1..n {
            a[(i, k)] /= pivot;
        }
        for j in k + 1..n {
            let factor = a[(j, k)];
            for i in j..n {
                a[(i, j)] = a[(i, j)] - a[(i, k)] * factor;
            }
        }
    }
    0
}
