//! A matrix as a product of triangles, with the largest element of a column as its pivot. The columns are divided in
//! halves (Toledo, Locality of Reference in LU Decomposition with Partial Pivoting, 1997), so that most of the work is
//! products; rows are exchanged pair by pair, column by column.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve as triangle;
use faer::{Accum, ColMut, MatMut, Par};

use super::dense::Real;
use super::systems::NARROW;
use crate::device::cpu::dispatch::vectorized;

/// Exchanges that are worth a second thread.
const MANY: usize = 1 << 14;
/// Elements that are looked at side by side for the largest.
const LANES: usize = 16;

/// Makes both triangles of a matrix, whose columns are dense, in its place, exchanges rows, and `order` with them. Gives
/// how many pairs it exchanged.
pub(super) fn divide<T: Real>(mut a: MatMut<'_, T>, order: &mut [usize], par: Par) -> i64 {
    let (rows, columns) = (a.nrows(), a.ncols());
    let short = rows.min(columns);
    let mut pivots = vec![0; short];
    let (mut square, rest) = a.as_mut().split_at_col_mut(short);
    eliminate(square.as_mut(), &mut pivots, par);
    if columns > rows {
        // What is beyond the square follows from the square.
        let mut rest = rest;
        exchange(rest.as_mut(), &pivots, par);
        triangle::solve_unit_lower_triangular_in_place(square.as_ref(), rest, par);
    }
    let mut swaps = 0;
    for (row, pivot) in pivots.into_iter().enumerate() {
        order.swap(row, pivot);
        swaps += i64::from(row != pivot);
    }
    swaps
}

/// The same of no more columns than rows; `pivots` has, for each column, the row that its own was exchanged with.
fn eliminate<T: Real>(mut a: MatMut<'_, T>, pivots: &mut [usize], par: Par) {
    let (rows, columns) = (a.nrows(), a.ncols());
    if columns <= NARROW || rows <= 1 {
        return eliminate_narrow(a, pivots);
    }
    let half = (columns / 2).next_multiple_of(NARROW.min(columns / 2));
    let (first, second) = pivots.split_at_mut(half);
    let (mut left, mut right) = a.as_mut().split_at_col_mut(half);
    eliminate(left.as_mut(), first, par);
    exchange(right.as_mut(), first, par);
    let (top_left, mut bottom_left) = left.split_at_row_mut(half);
    let (mut top_right, mut bottom_right) = right.split_at_row_mut(half);
    triangle::solve_unit_lower_triangular_in_place(top_left.as_ref(), top_right.as_mut(), par);
    matmul(
        bottom_right.as_mut(),
        Accum::Add,
        bottom_left.as_ref(),
        top_right.as_ref(),
        T::ZERO - T::ONE,
        par,
    );
    eliminate(bottom_right, second, par);
    exchange(bottom_left.as_mut(), second, par);
    second.iter_mut().for_each(|pivot| *pivot += half);
}

/// Exchanges rows, one pair after the other.
fn exchange<T: Real>(a: MatMut<'_, T>, pivots: &[usize], par: Par) {
    let columns = a.ncols();
    if columns > 1 && columns * pivots.len() > MANY && !matches!(par, Par::Seq) {
        let (left, right) = a.split_at_col_mut(columns / 2);
        rayon::join(|| exchange(left, pivots, par), || exchange(right, pivots, par));
        return;
    }
    for column in a.col_iter_mut() {
        let column = dense(column);
        for (row, pivot) in pivots.iter().enumerate() {
            column.swap(row, *pivot);
        }
    }
}

pub(super) fn dense<T: Real>(column: ColMut<'_, T>) -> &mut [T] {
    column.try_as_col_major_mut().expect("a dense column").as_slice_mut()
}

fn eliminate_narrow<T: Real>(a: MatMut<'_, T>, pivots: &mut [usize]) {
    let (rows, columns, step) = (a.nrows(), a.ncols(), a.col_stride().unsigned_abs());
    if pivots.is_empty() {
        return;
    }
    let start = a.as_ptr_mut();
    // SAFETY: columns lie behind each other, and what is between them is of the same memory and nobody else's.
    let panel = unsafe { std::slice::from_raw_parts_mut(start, step * (columns - 1) + rows) };
    if rows > LANES {
        long(panel, rows, step, pivots)
    } else {
        columns_of(panel, rows, step, pivots)
    }
}

vectorized! {
    fn long[T: Real](panel: &mut [T], rows: usize, step: usize, pivots: &mut [usize]) = columns_of[T]
}

/// Column by column. One without any pivot stays as it is.
#[inline(always)]
fn columns_of<T: Real>(panel: &mut [T], rows: usize, step: usize, pivots: &mut [usize]) {
    for (k, place) in pivots.iter_mut().enumerate() {
        let pivot = k + largest(&panel[k * step + k..][..rows - k]);
        *place = pivot;
        if pivot != k {
            panel.chunks_mut(step).for_each(|column| column.swap(k, pivot));
        }
        let (done, rest) = panel.split_at_mut(((k + 1) * step).min(panel.len()));
        let (above, below) = done[k * step..][..rows].split_at_mut(k + 1);
        let divisor = above[k];
        if divisor == T::ZERO {
            continue;
        }
        if divisor.size() < T::LEAST {
            below.iter_mut().for_each(|value| *value /= divisor);
        } else {
            let inverse = T::ONE / divisor;
            below.iter_mut().for_each(|value| *value *= inverse);
        }
        let below = &*below;
        for four in rest.chunks_mut(4 * step) {
            if four.len() <= 3 * step {
                four.chunks_mut(step).for_each(|column| subtract(&mut column[k..rows], below));
                continue;
            }
            let (two, others) = four.split_at_mut(2 * step);
            let ((a, b), (c, d)) = (two.split_at_mut(step), others.split_at_mut(step));
            let [a, b, c, d] = [a, b, c, d].map(|column| &mut column[k..rows]);
            let factors = [a[0], b[0], c[0], d[0]];
            if factors.iter().all(|factor| *factor == T::ZERO) {
                continue;
            }
            let len = below.len();
            let [a, b, c, d] = [a, b, c, d].map(|column| &mut column[1..][..len]);
            for i in 0..len {
                a[i] -= below[i] * factors[0];
                b[i] -= below[i] * factors[1];
                c[i] -= below[i] * factors[2];
                d[i] -= below[i] * factors[3];
            }
        }
    }
}

/// Takes a column's first element times the others' factors from these.
#[inline(always)]
fn subtract<T: Real>(column: &mut [T], below: &[T]) {
    let factor = column[0];
    if factor != T::ZERO {
        for (value, by) in column[1..].iter_mut().zip(below) {
            *value -= *by * factor;
        }
    }
}

/// Where the first of the largest elements is; NaN is larger than none, and none than a NaN at the first place.
#[inline(always)]
fn largest<T: Real>(values: &[T]) -> usize {
    let mut best = [T::ZERO; LANES];
    let mut blocks = values.chunks_exact(LANES);
    for block in &mut blocks {
        for (best, value) in best.iter_mut().zip(block) {
            let size = value.size();
            *best = if size > *best { size } else { *best };
        }
    }
    let sizes = blocks.remainder().iter().map(|value| value.size());
    let best = best.into_iter().chain(sizes).fold(T::ZERO, |a, b| if b > a { b } else { a });
    if best > values[0].size() {
        values.iter().position(|value| value.size() == best).unwrap_or(0)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::*;

    /// A number between -1 and 1 for each place.
    fn at(row: usize, column: usize) -> f64 {
        let mixed = (row * 2_654_435_761 + column * 40_503 + 12_345) as u64;
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn check(a: &Mat<f64>, par: Par) {
        let (rows, columns) = (a.nrows(), a.ncols());
        let mut lu = a.clone();
        let mut order: Vec<usize> = (0..rows).collect();
        divide(lu.as_mut(), &mut order, par);
        for i in 0..rows {
            for j in 0..columns {
                let left = |k: usize| if k == i { 1.0 } else { lu[(i, k)] };
                let product: f64 = (0..=i.min(j)).map(|k| left(k) * lu[(k, j)]).sum();
                let wrong = (product - a[(order[i], j)]).abs();
                assert!(wrong < 1e-12, "{rows} by {columns} at {i}, {j}: {wrong:e}");
                assert!(i <= j || lu[(i, j)].abs() <= 1.0, "no pivot at {i}, {j}");
            }
        }
    }

    #[test]
    fn triangles_make_the_matrix_again() {
        let sides = [1, 2, NARROW - 1, NARROW, NARROW + 1, 2 * LANES + 3, 70, 260];
        for rows in sides {
            for columns in sides {
                let a = Mat::from_fn(rows, columns, at);
                check(&a, Par::Seq);
                check(&a, Par::rayon(8));
            }
        }
    }

    #[test]
    fn a_column_without_a_pivot_stays() {
        for n in [3, NARROW + 1, 40] {
            let a = Mat::from_fn(n, n, |i, j| if j == 1 || i == 2 { 0.0 } else { at(i, j) });
            check(&a, Par::Seq);
            check(&Mat::zeros(n, n), Par::Seq);
        }
    }

    #[test]
    fn the_pivot_is_the_first_of_the_largest() {
        assert_eq!(largest(&[1.0, -3.0, 3.0]), 1);
        assert_eq!(largest(&[f64::NAN, 3.0]), 0);
        assert_eq!(largest(&[0.5, f64::NAN, 3.0]), 2);
        for len in [LANES - 1, LANES, LANES + 1, 3 * LANES] {
            for place in 0..len {
                let values: Vec<f32> =
                    (0..len).map(|i| if i == place { -9.0 } else { 1.0 }).collect();
                assert_eq!(largest(&values), place);
            }
        }
    }
}
