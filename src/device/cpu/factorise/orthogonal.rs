//! What reflections make: orthonormal columns and triangles, singular values and their vectors.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::householder;
use faer::linalg::qr::no_pivoting::factor;
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::{Conj, MatMut, MatRef, Par, Spec};

use super::bidiagonal::{self, FAR, bidiagonal};
use super::dense::{
    Real, TILE, copied, copy, is_finite, matrix, matrix_scratch, rescale, scale, zeros,
};
use super::quotients::singular_values;

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

/// Whether the values alone of a matrix with such sides come by way of a band.
fn is_far(full: Option<bool>, [m, n]: [usize; 2]) -> bool {
    full.is_none() && m.min(n) >= FAR
}

pub(super) fn svd_scratch<T: Real>([m, n]: [usize; 2], full: Option<bool>, par: Par) -> StackReq {
    if is_far(full, [m, n]) {
        let (long, short) = (m.max(n), m.min(n));
        return StackReq::all_of(&[
            // Columns that are aligned are longer, and where the copy is turned they are others.
            matrix_scratch::<T>(TILE, short),
            matrix_scratch::<f64>(short, 4),
            bidiagonal::scratch::<T>([long, short]),
        ]);
    }
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
    let is_far = is_far(vectors.as_ref().map(|_| true), [a.nrows(), a.ncols()]);
    let is_turned = is_far && a.nrows() < a.ncols();
    let (mut a, stack) = copied(stack, if is_turned { a.transpose() } else { a });
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
    if is_far {
        let is_done = values_alone(a, values, par, stack);
        rescale(values, power);
        return i64::from(!is_done);
    }
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

/// Falling singular values of a matrix with no more columns than rows.
fn values_alone<T: Real>(
    a: MatMut<'_, T>,
    values: &mut [T],
    par: Par,
    stack: &mut MemStack,
) -> bool {
    let n = a.ncols();
    let (diagonal, stack) = zeros::<f64>(stack, n);
    let (above, stack) = zeros::<f64>(stack, n);
    let (memory, stack) = zeros::<f64>(stack, 2 * n);
    match par {
        Par::Seq => bidiagonal(a, diagonal, above, par, stack),
        // From one of the threads that share the work, as each of many products is one.
        Par::Rayon(_) => rayon::scope(|_| bidiagonal(a, diagonal, above, par, stack)),
    }
    let is_done = singular_values(diagonal, above, memory);
    values.iter_mut().zip(&*diagonal).for_each(|(value, found)| *value = T::narrow(*found));
    is_done
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::dyn_stack::MemBuffer;

    use super::*;

    fn values(a: &Mat<f64>, with_vectors: bool, par: Par) -> Vec<f64> {
        let sides = [a.nrows(), a.ncols()];
        let short = sides[0].min(sides[1]);
        let full = with_vectors.then_some(false);
        let needed = svd_scratch::<f64>(sides, full, par);
        let mut memory = MemBuffer::new(matrix_scratch::<f64>(sides[0], sides[1]).and(needed));
        let mut found = vec![0.0; short];
        let [mut u, mut vh] = [Mat::zeros(sides[0], short), Mat::zeros(short, sides[1])];
        let vectors = with_vectors.then(|| [u.as_mut(), vh.as_mut()]);
        assert_eq!(svd(a.as_ref(), &mut found, vectors, par, MemStack::new(&mut memory)), 0);
        found
    }

    /// A number between -1 and 1 for each place.
    fn at(row: usize, column: usize) -> f64 {
        let mixed = (row * 2_654_435_761 + column * 40_503 + 12_345) as u64;
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn values_alone_are_right() {
        let square = |n| [n, n];
        let shapes =
            [square(FAR - 1), square(FAR), square(FAR + 1), [FAR, FAR + 1], [FAR + 1, FAR]];
        let long = [[2 * FAR - 1, FAR], [2 * FAR, FAR], [FAR, 2 * FAR + 7], [5 * FAR, FAR + 3]];
        let kinds: [&dyn Fn(usize, usize) -> f64; 7] = [
            &at,
            &|i, j| at(i, j) * 1e-200,
            &|i, j| at(i, j) * 1e200,
            // Of rank two, and less.
            &|i, j| at(i, 0) * at(1, j) + at(i, 5) * at(7, j),
            &|_, _| 0.0,
            &|i, j| f64::from(i == j),
            &|i, j| if j == i / 3 { at(i, j) } else { 0.0 },
        ];
        for [m, n] in shapes.into_iter().chain(long) {
            for (kind, at) in kinds.iter().enumerate() {
                let a = Mat::from_fn(m, n, at);
                let wanted = values(&a, true, Par::Seq);
                check(&a, &wanted, &format!("{kind} of {m} by {n}"));
            }
            for step in [0.0, 0.01, 0.25, 3.0] {
                let falling: Vec<f64> = (0..m.min(n)).map(|k| (-step * k as f64).exp2()).collect();
                check(&turned(m, n, &falling), &falling, &format!("{step} of {m} by {n}"));
            }
        }
    }

    /// A diagonal, turned by a reflection from each side.
    fn turned(m: usize, n: usize, diagonal: &[f64]) -> Mat<f64> {
        let unit = |side: usize, step: usize| {
            let some = (0..side).map(|i| 1.0 + (i % step) as f64);
            let length = some.clone().map(|value| value * value).sum::<f64>().sqrt();
            some.map(|value| value / length).collect::<Vec<f64>>()
        };
        let (u, w) = (unit(m, 7), unit(n, 5));
        let all: f64 = diagonal.iter().zip(u.iter().zip(&w)).map(|(d, (u, w))| d * u * w).sum();
        let d = |k: usize| diagonal.get(k).copied().unwrap_or(0.0);
        Mat::from_fn(m, n, |i, j| {
            let along = 2.0 * u[i] * d(j) * u.get(j).unwrap_or(&0.0)
                + 2.0 * d(i) * w.get(i).unwrap_or(&0.0) * w[j]
                - 4.0 * u[i] * all * w[j];
            if i == j { d(i) - along } else { 0.0 - along }
        })
    }

    fn check(a: &Mat<f64>, wanted: &[f64], what: &str) {
        let found = values(a, false, Par::Seq);
        let most = 1e-13 * wanted[0];
        for (k, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            let wrong = (found - wanted).abs();
            assert!(wrong <= most, "{what}: {k} by {wrong:e}");
        }
        if is_far(None, [a.nrows(), a.ncols()]) {
            // The same whichever way it lies, whoever does it.
            if a.nrows() != a.ncols() {
                assert_eq!(
                    found,
                    values(&a.transpose().to_owned(), false, Par::rayon(8)),
                    "{what}"
                );
            }
            assert_eq!(found, values(a, false, Par::rayon(8)), "{what}");
        }
    }
}
