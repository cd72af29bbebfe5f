//! What reflections make: orthonormal columns and triangles, singular values and their vectors.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::{MatMut, MatRef, Par, Spec};

use super::bidiagonal::{self, FAR, bidiagonal};
use super::chase::WIDTH;
use super::dense::{
    Real, TILE, copied, copy, is_finite, matrix, matrix_scratch, rescale, scale, zeros,
};
use super::panel;
use super::quotients::singular_values;

pub(super) fn qr_scratch<T: Real>([m, n]: [usize; 2], complete: bool) -> StackReq {
    let short = m.min(n);
    let columns = if complete { m } else { short };
    StackReq::all_of(&[
        matrix_scratch::<T>(WIDTH.min(short), short),
        matrix_scratch::<T>(m, columns),
        panel::scratch::<T>(m, WIDTH.min(short)),
        matrix_scratch::<T>(WIDTH.min(short), n.max(columns)),
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
    let (mut left, stack) = copied(stack, a);
    let (mut factors, stack) = matrix(stack, WIDTH.min(short), short);
    triangle(left.as_mut(), factors.as_mut(), par, stack);
    if let Some(out) = q {
        let (mut columns, stack) = matrix(stack, m, out.ncols());
        columns.as_mut().diagonal_mut().fill(T::ONE);
        turn_back(left.as_ref(), factors.as_ref(), columns.as_mut(), true, par, stack);
        copy(columns.as_ref(), out);
    }
    copy(left.as_ref().subrows(0, r.nrows()), r.as_mut());
    for j in 0..n {
        for i in j + 1..r.nrows() {
            r[(i, j)] = T::ZERO;
        }
    }
}

fn panels([m, n]: [usize; 2]) -> impl DoubleEndedIterator<Item = (usize, usize)> {
    let short = m.min(n);
    (0..short).step_by(WIDTH).map(move |first| (first, WIDTH.min(short - first)))
}

/// Makes of a matrix a triangle, below which the vectors of the reflections stay.
fn triangle<T: Real>(
    mut a: MatMut<'_, T>,
    mut factors: MatMut<'_, T>,
    par: Par,
    stack: &mut MemStack,
) {
    let (m, n) = (a.nrows(), a.ncols());
    for (first, count) in panels([m, n]) {
        let rest = a.as_mut().submatrix_mut(first, first, m - first, n - first);
        let (mut panel, beside) = rest.split_at_col_mut(count);
        let (made, stack) = panel::take_out(panel.as_mut(), stack);
        if beside.ncols() > 0 {
            let (images, _) = matrix(stack, count, beside.ncols());
            made.reflect(beside, images, par);
        }
        let to = factors.as_mut().submatrix_mut(0, first, count, count);
        copy(made.factors.as_ref(), to);
        for j in 0..count {
            let below = m - first - j - 1;
            let from = made.v.as_ref().submatrix(j + 1, j, below, 1);
            copy(from, panel.as_mut().submatrix_mut(j + 1, j, below, 1));
        }
    }
}

/// Reflects columns by what [`triangle`] has left, the last reflection first; `from_one` says that they are those of the
/// identity.
fn turn_back<T: Real>(
    a: MatRef<'_, T>,
    factors: MatRef<'_, T>,
    mut columns: MatMut<'_, T>,
    from_one: bool,
    par: Par,
    stack: &mut MemStack,
) {
    let (m, n) = (a.nrows(), a.ncols());
    for (first, count) in panels([m, n]).rev() {
        let of_panel = a.submatrix(first, first, m - first, count);
        let of_factors = factors.submatrix(0, first, count, count);
        let (made, stack) = panel::again(of_panel, of_factors, stack);
        // What is beside the rest is zero still.
        let beside = if from_one { first } else { 0 };
        let wide = columns.ncols() - beside;
        let (images, _) = matrix(stack, count, wide);
        let rest = columns.as_mut().submatrix_mut(first, beside, m - first, wide);
        made.reflect_back(rest, images, par);
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

/// Whether a matrix becomes a triangle before its vectors are looked for.
fn is_long([m, n]: [usize; 2]) -> bool {
    let (long, short) = (m.max(n), m.min(n));
    short > 0 && 6 * long >= 11 * short
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
    if full.is_some() && is_long([m, n]) {
        let (long, short) = (m.max(n), m.min(n));
        let wanted = ComputeSvdVectors::Full;
        let vectors = StackReq::all_of(&[
            matrix_scratch::<T>(short, short).array(3),
            svd::svd_scratch::<T>(short, short, wanted, wanted, par, Spec::default()),
        ]);
        return StackReq::all_of(&[
            matrix_scratch::<T>(TILE, short),
            matrix_scratch::<T>(WIDTH.min(short), short),
            matrix_scratch::<T>(long, if full == Some(true) { long } else { short }),
            vectors.or(panel::scratch::<T>(long, WIDTH.min(short))
                .and(matrix_scratch::<T>(WIDTH.min(short), long))),
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
    mut vectors: Option<[MatMut<'_, T>; 2]>,
    par: Par,
    stack: &mut MemStack,
) -> i64 {
    let is_far = is_far(vectors.as_ref().map(|_| true), [a.nrows(), a.ncols()]);
    let is_long = vectors.is_some() && is_long([a.nrows(), a.ncols()]);
    let is_turned = (is_far || is_long) && a.nrows() < a.ncols();
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
    if let (Some([to_u, to_vh]), true) = (&mut vectors, is_long) {
        let (to_u, to_vh) = (to_u.as_mut(), to_vh.as_mut());
        let (u, v) =
            if is_turned { (to_vh.transpose_mut(), to_u.transpose_mut()) } else { (to_u, to_vh) };
        let is_done = of_triangle(a, values, u, v, par, stack);
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

/// Falling singular values and vectors of a matrix with far more rows than columns: of its triangle.
fn of_triangle<T: Real>(
    mut a: MatMut<'_, T>,
    values: &mut [T],
    to_u: MatMut<'_, T>,
    to_vh: MatMut<'_, T>,
    par: Par,
    stack: &mut MemStack,
) -> bool {
    let (m, n) = (a.nrows(), a.ncols());
    let (mut factors, stack) = matrix(stack, WIDTH.min(n), n);
    triangle(a.as_mut(), factors.as_mut(), par, stack);
    let (mut columns, stack) = matrix(stack, m, to_u.ncols());
    // What is beside the triangle's own vectors are those of the identity.
    columns.as_mut().diagonal_mut().fill(T::ONE);
    let is_done = {
        let (mut r, stack) = matrix(stack, n, n);
        for j in 0..n {
            copy(a.as_ref().submatrix(0, j, j + 1, 1), r.as_mut().submatrix_mut(0, j, j + 1, 1));
        }
        let (mut u, stack) = matrix(stack, n, n);
        let (mut v, stack) = matrix(stack, n, n);
        let (sides, more) = ((Some(u.as_mut()), Some(v.as_mut())), Spec::default());
        let falling = DiagMut::from_slice_mut(values);
        let done = svd::svd(r.as_ref(), falling, sides.0, sides.1, par, stack, more);
        copy(u.as_ref(), columns.as_mut().submatrix_mut(0, 0, n, n));
        copy(v.as_ref().transpose(), to_vh);
        done.is_ok()
    };
    turn_back(a.as_ref(), factors.as_ref(), columns.as_mut(), false, par, stack);
    copy(columns.as_ref(), to_u);
    is_done
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

    #[test]
    fn what_is_left_of_a_column_keeps_its_digits() {
        for m in [2, 3, 50, 400] {
            let a =
                Mat::from_fn(m, 2, |i, j| at(i, 0) + if j == 1 { 1e-10 * at(i, 1) } else { 0.0 });
            let mut memory =
                MemBuffer::new(matrix_scratch::<f64>(m, 2).and(qr_scratch::<f64>([m, 2], false)));
            let [mut q, mut r] = [Mat::zeros(m, 2), Mat::zeros(2, 2)];
            qr(a.as_ref(), Some(q.as_mut()), r.as_mut(), Par::Seq, MemStack::new(&mut memory));
            let product = |j: usize, k: usize| (0..m).map(|i| at(i, j) * at(i, k)).sum::<f64>();
            let left = product(1, 1) - product(0, 1) * product(0, 1) / product(0, 0);
            let wanted = 1e-10 * left.max(0.0).sqrt();
            assert!((r[(1, 1)].abs() - wanted).abs() < 1e-4 * wanted, "{m}: {:e}", r[(1, 1)]);
            let wrong = (&q * &r - &a).norm_max();
            assert!(wrong < f64::EPSILON * a.norm_l2(), "{m}: {wrong:e}");
        }
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

    #[test]
    fn long_matrices_have_their_vectors() {
        for [m, n] in [
            [2, 1],
            [11, 6],
            [21, 12],
            [22, 12],
            [70, 32],
            [200, 33],
            [33, 200],
            [1, 9],
            [300, 150],
        ] {
            let falling: Vec<f64> = (0..m.min(n)).map(|k| (-0.5 * k as f64).exp2()).collect();
            let kinds = [
                (Mat::from_fn(m, n, at), None),
                (turned(m, n, &falling), Some(falling)),
                (Mat::from_fn(m, n, |i, j| at(i, 0) * at(1, j)), None),
                (Mat::zeros(m, n), Some(vec![0.0; m.min(n)])),
            ];
            for (kind, (a, wanted)) in kinds.iter().enumerate() {
                for full in [false, true] {
                    for par in [Par::Seq, Par::rayon(8)] {
                        let what = format!("{kind} of {m} by {n}, {full}");
                        check_vectors(a, wanted.as_deref(), full, par, &what);
                    }
                }
            }
        }
    }

    fn check_vectors(a: &Mat<f64>, wanted: Option<&[f64]>, full: bool, par: Par, what: &str) {
        let (m, n) = (a.nrows(), a.ncols());
        let short = m.min(n);
        let [of_u, of_v] = if full { [m, n] } else { [short; 2] };
        let needed = svd_scratch::<f64>([m, n], Some(full), par);
        let mut memory = MemBuffer::new(matrix_scratch::<f64>(m, n).and(needed));
        let (mut values, stack) = (vec![0.0; short], MemStack::new(&mut memory));
        let [mut u, mut vh] = [Mat::zeros(m, of_u), Mat::zeros(of_v, n)];
        let vectors = Some([u.as_mut(), vh.as_mut()]);
        assert_eq!(svd(a.as_ref(), &mut values, vectors, par, stack), 0);
        let scaled = Mat::from_fn(m, short, |i, j| u[(i, j)] * values[j]);
        let most = 1e-14 * a.norm_l2();
        assert!((&scaled * vh.subrows(0, short) - a).norm_max() <= most, "{what}");
        for turns in [u.transpose() * &u, &vh * vh.transpose()] {
            let one = Mat::<f64>::identity(turns.nrows(), turns.ncols());
            assert!((turns - one).norm_max() < 1e-14 * (m.max(n) as f64), "{what}");
        }
        for (found, wanted) in values.iter().zip(wanted.unwrap_or(&[])) {
            assert!((found - wanted).abs() <= most, "{what}: {found:e}, not {wanted:e}");
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
