//! A symmetric matrix as one of three diagonals between reflections (Dongarra, Hammarling and Sorensen, Block
//! Reduction of Matrices to Condensed Forms for Eigenvalue Computations, 1989). Columns are reflected in panels: what
//! a panel does to the columns behind it is one product at its end, so that each of its columns only reads them,
//! once, for the product of the triangle and the reflection. `faer` writes all of them at each column.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::householder;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};

use super::dense::{Real, matrix, matrix_scratch, zeros};
use crate::device::Interrupt;
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::{Ptr, for_pieces};

/// Columns of a panel.
pub(super) const PANEL: usize = 32;
/// Columns from which on threads share a product, and the parts that it is then cut in.
pub(super) const SHARED: usize = 256;
const PARTS: usize = 8;
/// Columns that go through the product together, and rows at a time.
pub(super) const TOGETHER: usize = 4;
const LANES: usize = 8;

pub(super) fn scratch<T>(n: usize) -> StackReq {
    let panel = matrix_scratch::<T>(n, 2 * PANEL);
    StackReq::all_of(&[panel, panel, matrix_scratch::<T>(n, PARTS), matrix_scratch::<T>(n, 2)])
}

/// Makes three diagonals of the lower triangle of `a`, column by column in memory: `diagonal`, `beside`, and below the
/// second of them the reflections, whose factors are `taus`, as `faer` has them.
pub(super) fn reduce<T: Real>(
    mut a: MatMut<'_, T>,
    diagonal: &mut [T],
    beside: &mut [T],
    taus: &mut [T],
    par: Par,
    stack: &mut MemStack,
) {
    let n = a.nrows();
    let (mut left, stack) = matrix::<T>(stack, n, 2 * PANEL);
    let (mut right, stack) = matrix::<T>(stack, n, 2 * PANEL);
    let (mut sums, stack) = matrix::<T>(stack, n, PARTS);
    let (row, _) = zeros::<T>(stack, 2 * PANEL);
    for first in (0..n).step_by(PANEL) {
        let width = PANEL.min(n - first);
        for at in 0..width {
            let k = first + at;
            // What the reflections of this panel do to its column: left @ right.T, row by row.
            let done = 2 * at;
            if at > 0 {
                let (of_left, of_right) = (left.as_ref(), right.as_ref());
                matmul(
                    a.as_mut().subcols_mut(k, 1).subrows_mut(k, n - k),
                    Accum::Add,
                    of_left.submatrix(k, 0, n - k, done),
                    of_right.submatrix(k, 0, 1, done).transpose(),
                    -T::ONE,
                    Par::Seq,
                );
            }
            diagonal[k] = a[(k, k)];
            let rest = n - k - 1;
            if rest == 0 {
                beside[k] = T::ZERO;
                break;
            }
            let column = a.as_mut().col_mut(k).subrows_mut(k + 1, rest);
            let (mut head, tail) = column.split_at_row_mut(1);
            let tau = householder::make_householder_in_place(&mut head[0], tail).tau;
            (beside[k], taus[k]) = (head[0], tau);
            let v = |row: usize| if row == k + 1 { T::ONE } else { a[(row, k)] };
            for row in k + 1..n {
                left[(row, done)] = v(row);
                right[(row, done + 1)] = v(row);
            }
            let mut w = product(a.as_ref(), k + 1, left.as_ref().col(done), sums.as_mut(), par);
            let v = left.as_ref().submatrix(k + 1, done, rest, 1);
            if at > 0 {
                let mut inner = MatMut::from_column_major_slice_mut(&mut row[..done], done, 1);
                let before = right.as_ref().submatrix(k + 1, 0, rest, done);
                matmul(inner.as_mut(), Accum::Replace, before.transpose(), v, T::ONE, Par::Seq);
                let before = left.as_ref().submatrix(k + 1, 0, rest, done);
                matmul(w.as_mut(), Accum::Add, before, inner.as_ref(), -T::ONE, Par::Seq);
            }
            let factor = T::ONE / tau;
            let (v, mut meet) = (v.col(0), T::ZERO);
            for row in 0..rest {
                w[(row, 0)] *= factor;
                meet += w[(row, 0)] * v[row];
            }
            let half = meet * factor * T::two_to(-1);
            for row in 0..rest {
                let value = w[(row, 0)] - half * v[row];
                w[(row, 0)] = value;
            }
            for row in 0..rest {
                let value = w[(row, 0)];
                left[(k + 1 + row, done + 1)] = value;
                right[(k + 1 + row, done)] = value;
            }
        }
        let behind = first + width;
        let rest = n - behind;
        if rest > 0 {
            triangular::matmul(
                a.as_mut().submatrix_mut(behind, behind, rest, rest),
                BlockStructure::TriangularLower,
                Accum::Add,
                left.as_ref().subrows(behind, rest),
                BlockStructure::Rectangular,
                right.as_ref().subrows(behind, rest).transpose(),
                BlockStructure::Rectangular,
                -T::ONE,
                par,
            );
            // Above its first row a later reflection is zero.
            left.as_mut().subrows_mut(behind, rest).fill(T::ZERO);
            right.as_mut().subrows_mut(behind, rest).fill(T::ZERO);
        }
    }
}

/// The symmetric matrix from row and column `first` on, of which the lower triangle is read, times a column.
fn product<'a, T: Real>(
    a: MatRef<'_, T>,
    first: usize,
    v: faer::ColRef<'_, T>,
    sums: MatMut<'a, T>,
    par: Par,
) -> MatMut<'a, T> {
    let rest = a.nrows() - first;
    let start = Ptr(a.as_ptr().cast_mut()).shifted(first as isize * (1 + a.col_stride()));
    let lower = Lower { start, step: a.col_stride(), n: rest };
    // SAFETY: a column's elements lie side by side.
    let v = unsafe { std::slice::from_raw_parts(v.as_ptr().wrapping_add(first), rest) };
    let parts = if rest < SHARED { 1 } else { PARTS };
    let (to, step) = (Ptr(sums.as_ptr_mut()), sums.col_stride());
    let part = |number: usize| {
        // SAFETY: each part has a column of its own, whose elements lie side by side.
        let to = unsafe { std::slice::from_raw_parts_mut(to.at(number as isize * step), rest) };
        let [from, end] = [number, number + 1].map(|end| boundary(rest, end, parts));
        to.fill(T::ZERO);
        add_lower(lower, from, end, v, to);
        Ok(())
    };
    let work = &|number, _: std::ops::Range<usize>| part(number);
    match par {
        Par::Seq => (0..parts).for_each(|number| drop(part(number))),
        // Nobody interrupts it, so that it comes to an end.
        _ => drop(for_pieces(parts, 1, &Interrupt::default(), work)),
    }
    let mut sums = sums;
    for number in 1..parts {
        for row in 0..rest {
            let value = sums[(row, 0)] + sums[(row, number)];
            sums[(row, 0)] = value;
        }
    }
    sums.submatrix_mut(0, 0, rest, 1)
}

/// The column with which a part of a triangle begins: all parts have as many elements.
fn boundary(n: usize, number: usize, parts: usize) -> usize {
    let rest = 1.0 - number as f64 / parts as f64;
    let column = (n as f64 * (1.0 - rest.sqrt())) as usize;
    if number == parts { n } else { column / TOGETHER * TOGETHER }
}

/// A lower triangle, column by column.
#[derive(Debug, Clone, Copy)]
struct Lower<T> {
    start: Ptr<T>,
    step: isize,
    n: usize,
}

impl<T> Lower<T> {
    /// A column from the diagonal's `below`-th row below on.
    #[inline(always)]
    fn column<'a>(self, column: usize, below: usize) -> &'a [T] {
        let row = column + below;
        let start = self.start.at(column as isize * self.step + row as isize);
        // SAFETY: the elements of a column lie side by side, and are read alone while a product is made.
        unsafe { std::slice::from_raw_parts(start, self.n - row) }
    }
}

vectorized! {
    /// Adds what these columns of a triangle, and the rows that mirror them, make of `v`.
    fn add_lower[T: Real](a: Lower<T>, first: usize, end: usize, v: &[T], to: &mut [T]) = add_columns[T]
}

#[inline(always)]
fn add_columns<T: Real>(a: Lower<T>, first: usize, end: usize, v: &[T], to: &mut [T]) {
    let mut column = first;
    while column + TOGETHER <= end {
        for j in column..column + TOGETHER {
            let own = a.column(j, 0);
            to[j] += own[0] * v[j];
            for row in j + 1..column + TOGETHER {
                to[row] += own[row - j] * v[j];
                to[j] += own[row - j] * v[row];
            }
        }
        let below = column + TOGETHER;
        let columns: [&[T]; TOGETHER] =
            std::array::from_fn(|at| a.column(column + at, TOGETHER - at));
        let factors: [T; TOGETHER] = std::array::from_fn(|at| v[column + at]);
        let dots = add_together(columns, factors, &v[below..], &mut to[below..]);
        for (at, dot) in dots.into_iter().enumerate() {
            to[column + at] += dot;
        }
        column = below;
    }
    for j in column..end {
        let own = a.column(j, 0);
        let mut dot = own[0] * v[j];
        for row in j + 1..v.len() {
            to[row] += own[row - j] * v[j];
            dot += own[row - j] * v[row];
        }
        to[j] += dot;
    }
}

/// Adds columns times their factors to `to`, and gives their products with `v`.
#[inline(always)]
fn add_together<T: Real>(
    columns: [&[T]; TOGETHER],
    factors: [T; TOGETHER],
    v: &[T],
    to: &mut [T],
) -> [T; TOGETHER] {
    let len = to.len();
    let (v, columns) = (&v[..len], columns.map(|column| &column[..len]));
    let mut sums = [[T::ZERO; LANES]; TOGETHER];
    let whole = len / LANES * LANES;
    for start in (0..whole).step_by(LANES) {
        let to = &mut to[start..start + LANES];
        let v = &v[start..start + LANES];
        let columns = columns.map(|column| &column[start..start + LANES]);
        for lane in 0..LANES {
            let mut sum = to[lane];
            for at in 0..TOGETHER {
                let a = columns[at][lane];
                sum += a * factors[at];
                sums[at][lane] += a * v[lane];
            }
            to[lane] = sum;
        }
    }
    for row in whole..len {
        for at in 0..TOGETHER {
            to[row] += columns[at][row] * factors[at];
            sums[at][0] += columns[at][row] * v[row];
        }
    }
    sums.map(|lanes| lanes.into_iter().fold(T::ZERO, |sum, lane| sum + lane))
}

#[cfg(test)]
mod tests {
    use faer::dyn_stack::MemBuffer;
    use faer::{Mat, Par};

    use super::{PANEL, SHARED, reduce, scratch};

    /// Sums of eigenvalues, of their squares and of their cubes stay what they are, whoever shares the work.
    #[test]
    fn what_reflections_keep() {
        for n in [1, 2, 3, PANEL - 1, PANEL, PANEL + 1, 2 * PANEL + 7, SHARED + PANEL + 5] {
            let a = Mat::from_fn(n, n, |i, j| ((i * j + 3 * (i + j)) % 17) as f64 - 8.0);
            let kept = |a: &Mat<f64>| {
                let square = a * a;
                let cube = &square * a;
                [a, &square, &cube].map(|a| (0..n).map(|at| a[(at, at)]).sum::<f64>())
            };
            let wanted = kept(&a);
            let mut bits = Vec::new();
            for par in [Par::Seq, Par::rayon(3)] {
                let mut own = a.clone();
                let mut memory = MemBuffer::new(scratch::<f64>(n.max(64)));
                let stack = faer::dyn_stack::MemStack::new(&mut memory);
                let mut parts = [0; 3].map(|_| vec![0.0; n]);
                let [diagonal, beside, taus] = &mut parts;
                reduce(own.as_mut(), diagonal, beside, taus, par, stack);
                let made = Mat::from_fn(n, n, |i, j| match i.abs_diff(j) {
                    0 => diagonal[i],
                    1 => beside[i.min(j)],
                    _ => 0.0,
                });
                for (found, wanted) in kept(&made).into_iter().zip(wanted) {
                    let scale = (n as f64 * 64.0).powi(2) * n as f64;
                    assert!(
                        (found - wanted).abs() < 1e-15 * scale * n as f64,
                        "{n}: {found} {wanted}"
                    );
                }
                bits.push(made);
            }
            assert_eq!(bits[0], bits[1], "{n}");
        }
    }
}
