//! Eigenvalues, and their vectors.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::evd::tridiag::{tridiag_in_place, tridiag_in_place_scratch};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::{MatMut, MatRef, Par, Spec};

use super::dense::{Real, copied, copy, is_finite, matrix, matrix_scratch, rescale, scale, zeros};
use super::root_free::eigenvalues;
use super::tridiagonal::{self, FAR, tridiagonal};

/// Reflections that are put together where a matrix is small.
const BLOCK: usize = 16;

fn wanted(vectors: bool) -> ComputeEigenvectors {
    if vectors { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No }
}

pub(super) fn eigh_scratch<T: Real>(n: usize, vectors: bool, par: Par) -> StackReq {
    if n == 0 {
        return StackReq::EMPTY;
    }
    if !vectors {
        let near = matrix_scratch::<T>(BLOCK, n).and(tridiag_in_place_scratch::<T>(
            n,
            par,
            Spec::default(),
        ));
        let two = matrix_scratch::<f64>(n, 1).array(2);
        return two.and(if n < FAR { near } else { tridiagonal::scratch::<T>(n) });
    }
    StackReq::all_of(&[
        matrix_scratch::<T>(n, n),
        evd::self_adjoint_evd_scratch::<T>(n, wanted(vectors), par, Spec::default()),
    ])
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
    let is_done = match vectors {
        None => {
            let (diagonal, stack) = zeros::<f64>(stack, n);
            let (below, stack) = zeros::<f64>(stack, n);
            if n < FAR {
                let (mut factors, stack) = matrix(stack, BLOCK, n - 1);
                tridiag_in_place(a.as_mut(), factors.as_mut(), par, stack, Spec::default());
                for i in 0..n {
                    diagonal[i] = a[(i, i)].wide();
                    below[i] = if i + 1 < n { a[(i + 1, i)].wide() } else { 0.0 };
                }
            } else {
                match par {
                    Par::Seq => tridiagonal(a.as_mut(), diagonal, below, par, stack),
                    // From one of the threads that share the work, as each of many products is one.
                    Par::Rayon(_) => rayon::scope(|_| {
                        tridiagonal(a.as_mut(), diagonal, below, par, stack);
                    }),
                }
            }
            let is_done = eigenvalues(diagonal, below);
            values.iter_mut().zip(&*diagonal).for_each(|(value, found)| *value = T::narrow(*found));
            is_done
        }
        Some(out) => {
            let (mut u, stack) = matrix(stack, n, n);
            let (sorted, to) = (DiagMut::from_slice_mut(values), Some(u.as_mut()));
            let done = evd::self_adjoint_evd(a.as_ref(), sorted, to, par, stack, Spec::default());
            copy(u.as_ref(), out);
            done.is_ok()
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

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::dyn_stack::MemBuffer;

    use super::*;

    /// The eigenvalues of a line's second difference, turned by a reflection along all of it, are known.
    #[test]
    fn both_ways_give_the_eigenvalues() {
        for (n, size) in [(FAR - 1, 1.0), (FAR, 1.0), (FAR, 1e-200), (FAR + 1, 1e200)] {
            let line = |i: usize, j: usize| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            };
            let side = n as f64;
            let rows: Vec<f64> = (0..n).map(|i| (0..n).map(|j| line(i, j)).sum()).collect();
            let all: f64 = rows.iter().sum();
            // What is above the diagonal is not read.
            let a = Mat::from_fn(n, n, |i, j| match i < j {
                true => f64::NAN,
                false => {
                    let along = 2.0 / side * (rows[i] + rows[j]) - 4.0 / side / side * all;
                    size * (line(i, j) - along)
                }
            });
            for par in [Par::Seq, Par::rayon(8)] {
                let needed = matrix_scratch::<f64>(n, n).and(eigh_scratch::<f64>(n, false, par));
                let mut memory = MemBuffer::new(needed);
                let mut values = vec![0.0; n];
                let stack = MemStack::new(&mut memory);
                assert_eq!(eigh(a.as_ref(), false, &mut values, None, par, stack), 0);
                for (k, value) in values.iter().enumerate() {
                    let angle = std::f64::consts::PI * (k + 1) as f64 / (side + 1.0);
                    let wrong = (value / size - (2.0 - 2.0 * angle.cos())).abs();
                    assert!(wrong < 1e-13, "{n}, {size:e}: {k} by {wrong:e}");
                }
            }
        }
    }
}
