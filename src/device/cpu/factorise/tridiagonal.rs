//! A symmetric matrix as a tridiagonal one with the same eigenvalues, by reflections. Those of a block of columns are put
//! off and then taken from the rest together, by products (Dongarra, Sorensen and Hammarling, Block Reduction of Matrices
//! to Condensed Forms for Eigenvalue Computations, 1989); until then the rest is only read, once for each of them. `faer`
//! writes it as often, which is as good where it lies in a near cache.

use std::ops::Range;

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};

use super::dense::{Real, matrix_scratch, zeros};
use crate::device::cpu::dispatch::vectorized;

/// The side from which a matrix goes this way.
pub(super) const FAR: usize = 768;
/// Reflections that are put off.
pub(super) const BLOCK: usize = 64;
/// In how many parts a product by a vector is cut, whatever the number of threads.
const PARTS: usize = 4;
/// The side up to which it is not cut.
pub(super) const WHOLE: usize = 256;
/// Columns that are gone through together.
const FOUR: usize = 4;
/// Partial sums side by side.
const LANES: usize = 8;

/// What [`tridiagonal`] needs.
pub(super) fn scratch<T: Real>(n: usize) -> StackReq {
    matrix_scratch::<T>(n, 2 * BLOCK + PARTS + 2)
}

/// Reads the lower triangle of a matrix with dense columns, writes over it, and gives the diagonal and what is below it.
pub(super) fn tridiagonal<T: Real>(
    mut a: MatMut<'_, T>,
    diagonal: &mut [T],
    below: &mut [T],
    par: Par,
    stack: &mut MemStack,
) {
    let (n, step) = (a.nrows(), a.col_stride().unsigned_abs());
    if n == 0 {
        return;
    }
    debug_assert!(a.row_stride() == 1 && a.ncols() == n);
    let (memory, _) = zeros::<T>(stack, n * (2 * BLOCK + PARTS + 2));
    let (reflections, memory) = memory.split_at_mut(n * BLOCK);
    let (images, memory) = memory.split_at_mut(n * BLOCK);
    let (reflection, memory) = memory.split_at_mut(n);
    let (image, sums) = memory.split_at_mut(n);
    for first in (0..n).step_by(BLOCK) {
        let width = BLOCK.min(n - first);
        // SAFETY: columns lie behind each other, and what is between them is of the same memory and nobody else's.
        let elements =
            unsafe { std::slice::from_raw_parts_mut(a.as_ptr_mut(), step * (n - 1) + n) };
        for (j, i) in (first..first + width).enumerate() {
            let column = &mut elements[i * step..][i..n];
            bring_up(column, [&*reflections, &*images], n, i, j);
            diagonal[i] = column[0];
            if i + 1 == n {
                return;
            }
            let rest = n - i - 1;
            let (v, w) = (&mut reflection[..rest], &mut image[..rest]);
            v.copy_from_slice(&column[1..]);
            let (beside, weight) = reflect(v);
            below[i] = beside;
            let corner = &elements[(i + 1) * step + i + 1..];
            multiply(corner, step, v, w, sums, par);
            correct(w, v, [&*reflections, &*images], n, i + 1, j);
            w.iter_mut().for_each(|value| *value *= weight);
            let half = T::ONE / (T::ONE + T::ONE);
            let along = half * weight * dot(w, v);
            w.iter_mut().zip(&*v).for_each(|(value, v)| *value -= *v * along);
            reflections[j * n..][i + 1..n].copy_from_slice(v);
            images[j * n..][i + 1..n].copy_from_slice(w);
        }
        let next = first + width;
        let rest = n - next;
        // SAFETY: each has `width` columns of `n` elements.
        let of = |columns: &[T]| unsafe {
            MatRef::from_raw_parts(columns.as_ptr().add(next), rest, width, 1, n as isize)
        };
        let (v, w) = (of(reflections), of(images));
        for (left, right) in [(v, w), (w, v)] {
            triangular::matmul(
                a.as_mut().submatrix_mut(next, next, rest, rest),
                BlockStructure::TriangularLower,
                Accum::Add,
                left,
                BlockStructure::Rectangular,
                right.transpose(),
                BlockStructure::Rectangular,
                T::ZERO - T::ONE,
                par,
            );
        }
    }
}

/// Makes a vector the one, beginning with 1, whose reflection leaves nothing of it but its first element, which is given
/// with the reflection's weight.
fn reflect<T: Real>(v: &mut [T]) -> (T, T) {
    let first = v[0];
    let rest = dot(&v[1..], &v[1..]);
    v[0] = T::ONE;
    if rest == T::ZERO {
        return (first, T::ZERO);
    }
    let length = (first * first + rest).root();
    let becomes = if first > T::ZERO { T::ZERO - length } else { length };
    let scale = T::ONE / (first - becomes);
    v[1..].iter_mut().for_each(|value| *value *= scale);
    (becomes, (becomes - first) / becomes)
}

vectorized! {
    /// Takes what was put off from a column, which begins at the row `at`.
    fn bring_up[T: Real](column: &mut [T], of: [&[T]; 2], n: usize, at: usize, count: usize) = bring_up_body[T]
}

#[inline(always)]
fn bring_up_body<T: Real>(column: &mut [T], [v, w]: [&[T]; 2], n: usize, at: usize, count: usize) {
    let len = column.len();
    for k in 0..count {
        let (v, w) = (&v[k * n + at..][..len], &w[k * n + at..][..len]);
        let (of_v, of_w) = (v[0], w[0]);
        for i in 0..len {
            column[i] -= v[i] * of_w + w[i] * of_v;
        }
    }
}

vectorized! {
    /// Takes from a product by `x` what was put off of the matrix, whose rows begin at `at`.
    fn correct[T: Real](product: &mut [T], x: &[T], of: [&[T]; 2], n: usize, at: usize, count: usize) = correct_body[T]
}

#[inline(always)]
fn correct_body<T: Real>(
    product: &mut [T],
    x: &[T],
    [v, w]: [&[T]; 2],
    n: usize,
    at: usize,
    count: usize,
) {
    let len = x.len();
    let product = &mut product[..len];
    for k in 0..count {
        let (v, w) = (&v[k * n + at..][..len], &w[k * n + at..][..len]);
        let (of_v, of_w) = (dot(w, x), dot(v, x));
        for i in 0..len {
            product[i] -= v[i] * of_v + w[i] * of_w;
        }
    }
}

/// The product of a symmetric matrix, of which the lower triangle is read, by `x`.
fn multiply<T: Real>(a: &[T], step: usize, x: &[T], out: &mut [T], sums: &mut [T], par: Par) {
    let n = x.len();
    if n <= WHOLE {
        out.fill(T::ZERO);
        return add_columns(a, step, 0..n, x, out);
    }
    // Parts of about the same number of elements; the first lies in `out`.
    let bound = |part: usize| {
        let left = (1.0 - part as f64 / PARTS as f64).sqrt();
        if part == PARTS { n } else { (n as f64 * (1.0 - left)) as usize / FOUR * FOUR }
    };
    let mut places = [out].into_iter().chain(sums.chunks_mut(n));
    let mut parts: [(Range<usize>, &mut [T]); PARTS] = std::array::from_fn(|part| {
        (bound(part)..bound(part + 1), places.next().expect("a place for each part"))
    });
    let one = |(columns, sums): &mut (Range<usize>, &mut [T])| {
        sums[columns.start..].fill(T::ZERO);
        add_columns(a, step, columns.clone(), x, sums);
    };
    match par {
        Par::Seq => parts.iter_mut().for_each(one),
        Par::Rayon(_) => {
            let [first, second, third, fourth] = &mut parts;
            rayon::join(
                || rayon::join(|| one(first), || one(second)),
                || rayon::join(|| one(third), || one(fourth)),
            );
        }
    }
    let [(_, out), others @ ..] = parts;
    for (columns, sums) in others {
        let from = columns.start;
        out[from..].iter_mut().zip(&sums[from..]).for_each(|(sum, part)| *sum += *part);
    }
}

vectorized! {
    /// Adds what some columns of a triangle, and the rows that they are, make of `x`.
    fn add_columns[T: Real](a: &[T], step: usize, columns: Range<usize>, x: &[T], sums: &mut [T]) = add_columns_body[T]
}

#[inline(always)]
fn add_columns_body<T: Real>(a: &[T], step: usize, columns: Range<usize>, x: &[T], sums: &mut [T]) {
    let n = x.len();
    let sums = &mut sums[..n];
    let whole = columns.start + columns.len() / FOUR * FOUR;
    for j in (columns.start..whole).step_by(FOUR) {
        let four: [&[T]; FOUR] = std::array::from_fn(|q| &a[(j + q) * step..][..n]);
        for (q, column) in four.iter().enumerate() {
            sums[j + q] += column[j + q] * x[j + q];
            for p in j + q + 1..j + FOUR {
                sums[p] += column[p] * x[j + q];
                sums[j + q] += column[p] * x[p];
            }
        }
        let first = j + FOUR;
        let (top, sums) = sums.split_at_mut(first);
        let factors: [[T; LANES]; FOUR] = std::array::from_fn(|q| [x[j + q]; LANES]);
        let (x, four) = (&x[first..], four.map(|column| &column[first..]));
        let mut rows = [[T::ZERO; LANES]; FOUR];
        let full = x.len() / LANES * LANES;
        let [first, second, third, fourth] = four.map(|column| column[..full].chunks_exact(LANES));
        let columns = first.zip(second).zip(third.zip(fourth));
        let others = x.chunks_exact(LANES).zip(sums.chunks_exact_mut(LANES));
        for (((a, b), (c, d)), (with, sum)) in columns.zip(others) {
            let with = lanes(with);
            let mut made = lanes(sum);
            for (q, column) in [a, b, c, d].into_iter().enumerate() {
                let column = lanes(column);
                made = multiplied(made, column, factors[q]);
                rows[q] = multiplied(rows[q], column, with);
            }
            sum.copy_from_slice(&made);
        }
        for i in full..x.len() {
            for q in 0..FOUR {
                sums[i] += four[q][i] * factors[q][0];
                rows[q][0] += four[q][i] * x[i];
            }
        }
        for (q, row) in rows.iter().enumerate() {
            top[j + q] += total(row);
        }
    }
    for j in whole..columns.end {
        let column = &a[j * step..][..n];
        sums[j] += column[j] * x[j];
        for i in j + 1..n {
            sums[i] += column[i] * x[j];
            sums[j] += column[i] * x[i];
        }
    }
}

#[inline(always)]
fn lanes<T: Real>(values: &[T]) -> [T; LANES] {
    values.try_into().expect("so many lanes")
}

#[inline(always)]
fn multiplied<T: Real>(sum: [T; LANES], a: [T; LANES], b: [T; LANES]) -> [T; LANES] {
    std::array::from_fn(|lane| sum[lane] + a[lane] * b[lane])
}

#[inline(always)]
fn total<T: Real>(s: &[T; LANES]) -> T {
    ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

#[inline(always)]
fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let (a, b) = (a.chunks_exact(LANES), b[..a.len()].chunks_exact(LANES));
    let rest = a.remainder().iter().zip(b.remainder());
    let none = [T::ZERO; LANES];
    let sums = a.zip(b).fold(none, |sums, (a, b)| multiplied(sums, lanes(a), lanes(b)));
    rest.fold(total(&sums), |sum, (a, b)| sum + *a * *b)
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::dyn_stack::MemBuffer;

    use super::*;

    fn made<T: Real>(n: usize, par: Par, at: impl Fn(usize, usize) -> T) -> [Vec<T>; 2] {
        let mut a = Mat::from_fn(n, n, |i, j| at(i.max(j), i.min(j)));
        let mut memory = MemBuffer::new(scratch::<T>(n));
        let [mut diagonal, mut below] = [vec![T::ZERO; n], vec![T::ZERO; n]];
        tridiagonal(a.as_mut(), &mut diagonal, &mut below, par, MemStack::new(&mut memory));
        [diagonal, below]
    }

    /// Eigenvalues that lie below `x`: so many pivots of what is left of it are negative.
    fn count([diagonal, below]: &[Vec<f64>; 2], x: f64) -> usize {
        let mut pivot = 1.0f64;
        let signs = (0..diagonal.len()).map(|i| {
            let before = if i == 0 { 0.0 } else { below[i - 1] * below[i - 1] / pivot };
            pivot = diagonal[i] - x - before;
            pivot < 0.0
        });
        signs.filter(|is_negative| *is_negative).count()
    }

    #[test]
    fn eigenvalues_stay() {
        // The second difference of a line, turned by a reflection along all of it: its eigenvalues are known.
        for n in [1, 2, 3, 9, BLOCK - 1, BLOCK, BLOCK + 1, WHOLE, WHOLE + 5, 2 * WHOLE + 3] {
            let side = n as f64;
            let line = |i: usize, j: usize| match i - j {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            };
            let sums = (0..n).map(|i| (0..n).map(|j| line(i.max(j), i.min(j))).sum());
            let rows: Vec<f64> = sums.collect();
            let all: f64 = rows.iter().sum();
            let turned = |i: usize, j: usize| {
                line(i, j) - 2.0 / side * (rows[i] + rows[j]) + 4.0 / side / side * all
            };
            let kept = made(n, Par::Seq, turned);
            for k in 0..n {
                let at = |k: f64| 2.0 - 2.0 * (std::f64::consts::PI * k / (side + 1.0)).cos();
                assert_eq!(count(&kept, at(k as f64 + 0.5)), k, "of {n}");
            }
            assert_eq!(kept, made(n, Par::rayon(8), turned), "{n}: threads change nothing");
        }
    }

    #[test]
    fn what_is_tridiagonal_stays() {
        let [diagonal, below] = made(5, Par::Seq, |i, j| match i - j {
            0 => i as f32,
            1 => -1.0,
            _ => 0.0,
        });
        assert_eq!(diagonal, [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(below, [-1.0, -1.0, -1.0, -1.0, 0.0]);
    }
}
