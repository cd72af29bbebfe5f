//! Eigenvalues, and their vectors.

use faer::diag::{DiagMut, DiagRef};
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::{householder, qr};
use faer::{Conj, MatMut, MatRef, Par, Spec};

use super::dense::{Real, copied, copy, is_finite, matrix, matrix_scratch, rescale, scale, zeros};
use super::{rational, tridiagonal};

/// The side from which on symmetric matrices are made tridiagonal here, and not by `faer`.
pub(super) const PANELS: usize = 128;

fn wanted(vectors: bool) -> ComputeEigenvectors {
    if vectors { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No }
}

pub(super) fn eigh_scratch<T: Real>(n: usize, vectors: bool, par: Par) -> StackReq {
    if n == 0 {
        return StackReq::EMPTY;
    }
    StackReq::all_of(&[
        matrix_scratch::<T>(n, if vectors { n } else { 0 }),
        evd::self_adjoint_evd_scratch::<T>(n, wanted(vectors), par, Spec::default()),
        if n < PANELS { StackReq::EMPTY } else { panels_scratch::<T>(n, vectors) },
    ])
}

fn panels_scratch<T: Real>(n: usize, vectors: bool) -> StackReq {
    let block = qr::no_pivoting::factor::recommended_block_size::<T>(n, n);
    let reflect = householder::apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(
        n - 1,
        block,
        n,
    );
    StackReq::all_of(&[
        matrix_scratch::<T>(n, 3),
        matrix_scratch::<T>(block, if vectors { n } else { 0 }),
        tridiagonal::scratch::<T>(n).or(reflect),
    ])
}

/// As `faer`'s `self_adjoint_evd`, of a matrix that it may write to; whether the method came to an end.
fn by_panels<T: Real>(
    mut a: MatMut<'_, T>,
    values: &mut [T],
    vectors: Option<MatMut<'_, T>>,
    par: Par,
    stack: &mut MemStack,
) -> bool {
    let n = a.nrows();
    let (diagonal, stack) = zeros::<T>(stack, n);
    let (beside, stack) = zeros::<T>(stack, n);
    let (taus, stack) = zeros::<T>(stack, n);
    tridiagonal::reduce(a.as_mut(), diagonal, beside, taus, par, stack);
    let Some(mut u) = vectors else {
        values.copy_from_slice(diagonal);
        return rational::eigenvalues(values, &mut beside[..n - 1]);
    };
    let [diagonal, beside] = [&*diagonal, &*beside].map(DiagRef::from_slice);
    let (to, more) = (Some(u.as_mut()), Spec::default());
    let values = DiagMut::from_slice_mut(values);
    if evd::tridiagonal_self_adjoint_evd(diagonal, beside, values, to, par, stack, more).is_err() {
        return false;
    }
    let block = qr::no_pivoting::factor::recommended_block_size::<T>(n, n);
    let (mut factors, stack) = matrix::<T>(stack, block, n - 1);
    let reflections = a.as_ref().submatrix(1, 0, n - 1, n - 1);
    for first in (0..n - 1).step_by(block) {
        let width = block.min(n - 1 - first);
        let mut factor = factors.as_mut().submatrix_mut(0, first, width, width);
        for at in 0..width {
            factor[(at, at)] = taus[first + at];
        }
        let part = reflections.submatrix(first, first, n - 1 - first, width);
        householder::upgrade_householder_factor(factor, part, width, 1, par);
    }
    householder::apply_block_householder_sequence_on_the_left_in_place_with_conj(
        reflections,
        factors.as_ref(),
        Conj::No,
        u.subrows_mut(1, n - 1),
        par,
        stack,
    );
    true
}

/// Rising eigenvalues of a symmetric matrix, of which one triangle is read, and vectors where they are
/// wanted; one if the method did not come to an end, as for what is not finite.
pub(super) fn eigh<T: Real>(
    a: MatRef<'_, T>,
    upper: bool,
    values: &mut [T],
    vectors: Option<MatMut<'_, T>>,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let n = a.nrows();
    if n == 0 {
        return 0;
    }
    let (mut a, stack) = copied(stack, if upper { a.transpose() } else { a });
    if !is_finite(a.as_ref(), Some(false)) {
        return 1;
    }
    let power = scale(a.as_mut(), Some(false));
    let is_done = if n < PANELS {
        let (sorted, more) = (DiagMut::from_slice_mut(values), Spec::default());
        match vectors {
            None => evd::self_adjoint_evd(a.as_ref(), sorted, None, par, stack, more).is_ok(),
            Some(out) => {
                let (mut u, stack) = matrix(stack, n, n);
                let to = Some(u.as_mut());
                let done = evd::self_adjoint_evd(a.as_ref(), sorted, to, par, stack, more);
                copy(u.as_ref(), out);
                done.is_ok()
            }
        }
    } else {
        match vectors {
            None => by_panels(a, values, None, par, stack),
            Some(out) => {
                let (mut u, stack) = matrix(stack, n, n);
                let is_done = by_panels(a, values, Some(u.as_mut()), par, stack);
                copy(u.as_ref(), out);
                is_done
            }
        }
    };
    rescale(values, power);
    i64::from(!is_done)
}

pub(super) fn eig_scratch<T: Real>(n: usize, vectors: bool, par: Par) -> StackReq {
    let no = ComputeEigenvectors::No;
    StackReq::all_of(&[
        matrix_scratch::<T>(n, if vectors { n } else { 0 }),
        evd::evd_scratch::<T>(n, no, wanted(vectors), par, Spec::default()),
    ])
}

/// Real and imaginary parts of the eigenvalues, and vectors of length one where they are wanted; one if
/// the method did not come to an end.
pub(super) fn eig<T: Real>(
    a: MatRef<'_, T>,
    [re, im]: [&mut [T]; 2],
    vectors: Option<MatMut<'_, T>>,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let n = a.nrows();
    if n == 0 {
        return 0;
    }
    let (mut a, stack) = copied(stack, a);
    if !is_finite(a.as_ref(), None) {
        return 1;
    }
    let power = scale(a.as_mut(), None);
    let values = (DiagMut::from_slice_mut(re), DiagMut::from_slice_mut(im));
    let more = Spec::default();
    let done = match vectors {
        None => evd::evd_real(a.as_ref(), values.0, values.1, None, None, par, stack, more),
        Some(out) => {
            let (mut u, stack) = matrix(stack, n, n);
            let to = Some(u.as_mut());
            let done = evd::evd_real(a.as_ref(), values.0, values.1, None, to, par, stack, more);
            normalise(u.as_mut(), im);
            copy(u.as_ref(), out);
            done
        }
    };
    rescale(re, power);
    rescale(im, power);
    i64::from(done.is_err() || re.iter().any(|value| !value.is_finite()))
}

/// Gives vectors the length one; two columns are one vector where eigenvalues are a complex pair.
fn normalise<T: Real>(mut u: MatMut<'_, T>, im: &[T]) {
    let mut column = 0;
    while column < u.ncols() {
        let width = if im[column] == T::ZERO { 1 } else { 2 };
        let mut part = u.as_mut().subcols_mut(column, width.min(im.len() - column));
        let length = part.norm_l2();
        if length > T::ZERO {
            for j in 0..part.ncols() {
                for i in 0..part.nrows() {
                    part[(i, j)] /= length;
                }
            }
        }
        column += width;
    }
}
