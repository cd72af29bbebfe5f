//! What reflections make: orthonormal columns and triangles, singular values and their vectors.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::householder;
use faer::linalg::qr::no_pivoting::factor;
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::{Conj, MatMut, MatRef, Par, Spec};

use super::dense::{Real, copied, copy, is_finite, matrix, matrix_scratch, rescale, scale};

pub(super) fn qr_scratch<T: Real>([m, n]: [usize; 2], complete: bool, par: Par) -> StackReq {
    let short = m.min(n);
    let columns = if complete { m } else { short };
    let block = factor::recommended_block_size::<T>(m, n).max(1);
    let reflect = householder::apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(
        m, block, columns,
    );
    StackReq::all_of(&[
        matrix_scratch::<T>(block, short),
        matrix_scratch::<T>(m, columns),
        factor::qr_in_place_scratch::<T>(m, n, block, par, Spec::default()).or(reflect),
    ])
}

/// As many columns of `q` as it has, and `r` with as many rows.
pub(super) fn qr<T: Real>(
    a: MatRef<'_, T>,
    q: Option<MatMut<'_, T>>,
    mut r: MatMut<'_, T>,
    par: Par,
    stack: &mut MemStack,
) {
    let (m, n) = (a.nrows(), a.ncols());
    let short = m.min(n);
    let (mut reflected, stack) = copied(stack, a);
    if short > 0 {
        let block = factor::recommended_block_size::<T>(m, n).max(1);
        let (mut factors, stack) = matrix(stack, block, short);
        factor::qr_in_place(reflected.as_mut(), factors.as_mut(), par, stack, Spec::default());
        if let Some(out) = q {
            let (mut columns, stack) = matrix(stack, m, out.ncols());
            columns.as_mut().diagonal_mut().fill(T::ONE);
            householder::apply_block_householder_sequence_on_the_left_in_place_with_conj(
                reflected.as_ref().subcols(0, short),
                factors.as_ref(),
                Conj::No,
                columns.as_mut(),
                par,
                stack,
            );
            copy(columns.as_ref(), out);
        }
    } else if let Some(mut out) = q {
        out.fill(T::ZERO);
        out.diagonal_mut().fill(T::ONE);
    }
    r.fill(T::ZERO);
    copy(reflected.as_ref().subrows(0, r.nrows()), r.as_mut());
    for j in 0..n {
        for i in j + 1..r.nrows() {
            r[(i, j)] = T::ZERO;
        }
    }
}

/// What is asked for: nothing, as many vectors as values, or all.
fn wanted(full: Option<bool>) -> ComputeSvdVectors {
    match full {
        None => ComputeSvdVectors::No,
        Some(false) => ComputeSvdVectors::Thin,
        Some(true) => ComputeSvdVectors::Full,
    }
}

pub(super) fn svd_scratch<T: Real>([m, n]: [usize; 2], full: Option<bool>, par: Par) -> StackReq {
    let wanted = wanted(full);
    let [of_u, of_v] = match full {
        None => [0, 0],
        Some(true) => [m, n],
        Some(false) => [m.min(n); 2],
    };
    StackReq::all_of(&[
        matrix_scratch::<T>(m, of_u),
        matrix_scratch::<T>(n, of_v),
        svd::svd_scratch::<T>(m, n, wanted, wanted, par, Spec::default()),
    ])
}

/// Falling singular values, and `u` and `vh` where they are wanted; one if the method did not come to
/// an end. What is infinite gives NaN, as in LAPACK.
pub(super) fn svd<T: Real>(
    a: MatRef<'_, T>,
    values: &mut [T],
    vectors: Option<[MatMut<'_, T>; 2]>,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let (mut a, stack) = copied(stack, a);
    if !is_finite(a.as_ref(), None) {
        values.fill(T::NAN);
        for mut matrix in vectors.into_iter().flatten() {
            matrix.fill(T::NAN);
        }
        let is_nan = |number: T| number.partial_cmp(&number).is_none();
        let has_nan = (0..a.ncols()).any(|j| (0..a.nrows()).any(|i| is_nan(a[(i, j)])));
        return i64::from(has_nan);
    }
    let power = scale(a.as_mut(), None);
    let falling = DiagMut::from_slice_mut(values);
    let done = match vectors {
        None => svd::svd(a.as_ref(), falling, None, None, par, stack, Spec::default()),
        Some([to_u, to_vh]) => {
            let (mut u, stack) = matrix(stack, to_u.nrows(), to_u.ncols());
            let (mut v, stack) = matrix(stack, to_vh.ncols(), to_vh.nrows());
            let (sides, more) = ((Some(u.as_mut()), Some(v.as_mut())), Spec::default());
            let done = svd::svd(a.as_ref(), falling, sides.0, sides.1, par, stack, more);
            copy(u.as_ref(), to_u);
            copy(v.as_ref().transpose(), to_vh);
            done
        }
    };
    rescale(values, power);
    i64::from(done.is_err())
}
