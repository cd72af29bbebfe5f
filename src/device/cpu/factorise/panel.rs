//! Reflections that make some columns a triangle, put together as `I - V / F * V'` with a triangle `F` (Puglisi, Modification
//! of the Householder method based on the compact WY representation, 1992). The crate's own drops a column of which little
//! is left, and with it digits of small singular values.

use faer::dyn_stack::MemStack;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, Par};

use super::dense::{Real, matrix};
use crate::device::cpu::dispatch::vectorized;

/// Partial sums side by side.
const LANES: usize = 16;
/// Columns that are reflected together.
const TOGETHER: usize = 4;
/// In how many parts the columns that are reflected are cut, whatever the number of threads.
const PARTS: usize = 4;

/// The vectors of reflections, and the triangle of what they have in common.
pub(super) struct Reflections<'a, T> {
    pub v: MatMut<'a, T>,
    pub factors: MatMut<'a, T>,
}

/// Makes the columns of a panel a triangle.
pub(super) fn take_out<'a, T: Real>(
    mut panel: MatMut<'_, T>,
    stack: &'a mut MemStack,
) -> (Reflections<'a, T>, &'a mut MemStack) {
    let (rows, columns) = (panel.nrows(), panel.ncols());
    let count = rows.min(columns);
    let (mut v, stack) = matrix(stack, rows, count);
    let (mut factors, stack) = matrix(stack, count, count);
    if count > 0 {
        let steps = [panel.col_stride(), v.col_stride()].map(isize::unsigned_abs);
        let slice = |start: *mut T, columns: usize, step: usize| {
            // SAFETY: columns lie behind each other, and what is between them is of the same memory and nobody else's.
            unsafe { std::slice::from_raw_parts_mut(start, step * (columns - 1) + rows) }
        };
        let from = slice(panel.as_mut().as_ptr_mut(), columns, steps[0]);
        let to = slice(v.as_mut().as_ptr_mut(), count, steps[1]);
        columns_of(from, to, rows, count, steps);
    }
    matmul(factors.as_mut(), Accum::Replace, v.as_ref().transpose(), v.as_ref(), T::ONE, Par::Seq);
    for j in 0..count {
        // Without a vector there is no reflection.
        let square = factors[(j, j)];
        factors[(j, j)] = if square == T::ZERO { T::ONE } else { square / (T::ONE + T::ONE) };
        factors.as_mut().col_mut(j).subrows_mut(j + 1, count - j - 1).fill(T::ZERO);
    }
    (Reflections { v, factors }, stack)
}

impl<T: Real> Reflections<'_, T> {
    /// Reflects the columns of a matrix; `images` has as many columns, and a row for each reflection. The parts are done
    /// by threads.
    pub fn reflect(&self, a: MatMut<'_, T>, images: MatMut<'_, T>, par: Par) {
        let (v, factors) = (self.v.as_ref(), self.factors.as_ref());
        parts(a, images, PARTS, par, &|mut a, mut images| {
            let less = T::ZERO - T::ONE;
            matmul(images.as_mut(), Accum::Replace, v.transpose(), a.as_ref(), T::ONE, Par::Seq);
            solve_lower_triangular_in_place(factors.transpose(), images.as_mut(), Par::Seq);
            matmul(a.as_mut(), Accum::Add, v, images.as_ref(), less, Par::Seq);
        });
    }
}

/// Cuts the columns of two matrices at the same places.
fn parts<T: Real>(
    a: MatMut<'_, T>,
    b: MatMut<'_, T>,
    count: usize,
    par: Par,
    work: &(dyn Fn(MatMut<'_, T>, MatMut<'_, T>) + Sync),
) {
    if count == 1 {
        return work(a, b);
    }
    let half = a.ncols().div_ceil(2).next_multiple_of(8).min(a.ncols());
    let (first, second) = a.split_at_col_mut(half);
    let (of_first, of_second) = b.split_at_col_mut(half);
    let halves = (
        || parts(first, of_first, count / 2, par, work),
        || parts(second, of_second, count / 2, par, work),
    );
    match par {
        Par::Seq => (halves.0(), halves.1()),
        Par::Rayon(_) => rayon::join(halves.0, halves.1),
    };
}

vectorized! {
    fn columns_of[T: Real](panel: &mut [T], v: &mut [T], rows: usize, count: usize, steps: [usize; 2]) = columns_body[T]
}

/// Column by column; the vectors, which are zeros, come to `v`.
#[inline(always)]
fn columns_body<T: Real>(
    panel: &mut [T],
    v: &mut [T],
    rows: usize,
    count: usize,
    [step, step_of_v]: [usize; 2],
) {
    for (j, v) in v.chunks_mut(step_of_v).take(count).enumerate() {
        let (done, rest) = panel.split_at_mut(((j + 1) * step).min(panel.len()));
        let (column, v) = (&mut done[j * step + j..][..rows - j], &mut v[j..rows]);
        let (first, square) = (column[0], dot(&column[1..], &column[1..]));
        if square == T::ZERO {
            column[1..].fill(T::ZERO);
            continue;
        }
        let length = (first * first + square).root();
        let becomes = if first > T::ZERO { T::ZERO - length } else { length };
        let scale = T::ONE / (first - becomes);
        v[0] = T::ONE;
        for (v, value) in v[1..].iter_mut().zip(&column[1..]) {
            *v = *value * scale;
        }
        column.fill(T::ZERO);
        column[0] = becomes;
        let weight = (becomes - first) / becomes;
        for some in rest.chunks_mut(TOGETHER * step) {
            if some.len() > (TOGETHER - 1) * step {
                let mut columns = some.chunks_mut(step);
                let four =
                    std::array::from_fn(|_| &mut columns.next().expect("four columns")[j..rows]);
                reflect_four(four, v, weight);
            } else {
                some.chunks_mut(step).for_each(|column| reflect(&mut column[j..rows], v, weight));
            }
        }
    }
}

#[inline(always)]
fn reflect_four<T: Real>(columns: [&mut [T]; TOGETHER], v: &[T], weight: T) {
    let len = v.len();
    let mut columns = columns.map(|column| &mut column[..len]);
    let mut sums = [[T::ZERO; LANES]; TOGETHER];
    let whole = len / LANES * LANES;
    for at in (0..whole).step_by(LANES) {
        let v = lanes(&v[at..]);
        for (sums, column) in sums.iter_mut().zip(&columns) {
            let column = lanes(&column[at..]);
            for lane in 0..LANES {
                sums[lane] += column[lane] * v[lane];
            }
        }
    }
    let alongs: [T; TOGETHER] = std::array::from_fn(|which| {
        let rest = columns[which][whole..].iter().zip(&v[whole..]);
        rest.fold(total(&sums[which]), |sum, (a, b)| sum + *a * *b) * weight
    });
    let [a, b, c, d] = &mut columns;
    for i in 0..len {
        a[i] -= v[i] * alongs[0];
        b[i] -= v[i] * alongs[1];
        c[i] -= v[i] * alongs[2];
        d[i] -= v[i] * alongs[3];
    }
}

#[inline(always)]
fn reflect<T: Real>(column: &mut [T], v: &[T], weight: T) {
    let along = dot(column, v) * weight;
    for (value, v) in column.iter_mut().zip(v) {
        *value -= *v * along;
    }
}

#[inline(always)]
fn lanes<T: Real>(values: &[T]) -> &[T; LANES] {
    values[..LANES].try_into().expect("so many lanes")
}

#[inline(always)]
fn total<T: Real>(sums: &[T; LANES]) -> T {
    let mut sums = *sums;
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            let more = sums[lane + half];
            sums[lane] += more;
        }
        half /= 2;
    }
    sums[0]
}

#[inline(always)]
fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let whole = a.len() / LANES * LANES;
    let mut sums = [T::ZERO; LANES];
    for at in (0..whole).step_by(LANES) {
        let (a, b) = (lanes(&a[at..]), lanes(&b[at..]));
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest = a[whole..].iter().zip(&b[whole..]);
    rest.fold(total(&sums), |sum, (a, b)| sum + *a * *b)
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::dyn_stack::MemBuffer;

    use super::super::dense::matrix_scratch;
    use super::*;

    /// The triangle of a panel is right if its reflections make it of the panel, and take no lengths.
    fn check<T: Real>(rows: usize, columns: usize, most: f64, at: &dyn Fn(usize, usize) -> f64) {
        let a = Mat::from_fn(rows, columns, |i, j| T::narrow(at(i, j)));
        let one = matrix_scratch::<T>(rows + columns, rows + columns);
        let mut memory = MemBuffer::new(one.array(4));
        let stack = MemStack::new(&mut memory);
        let (mut left, stack) = matrix(stack, rows, columns);
        left.copy_from(a.as_ref());
        let (reflections, stack) = take_out(left.as_mut(), stack);
        let (mut again, stack) = matrix(stack, rows, columns + rows);
        again.as_mut().subcols_mut(0, columns).copy_from(a.as_ref());
        again.as_mut().subcols_mut(columns, rows).diagonal_mut().fill(T::ONE);
        let (images, _) = matrix(stack, rows.min(columns), columns + rows);
        reflections.reflect(again.as_mut(), images, Par::Seq);
        for j in 0..columns {
            for i in 0..rows {
                let wrong = (left[(i, j)] - again[(i, j)]).wide().abs();
                assert!(wrong <= most, "{rows} by {columns} at {i}, {j}: {wrong:e}");
                assert!(i <= j || left[(i, j)] == T::ZERO, "{rows} by {columns} at {i}, {j}");
            }
        }
        let q = again.as_ref().subcols(columns, rows);
        for i in 0..rows {
            for j in 0..rows {
                let product: f64 = (0..rows).map(|k| q[(i, k)].wide() * q[(j, k)].wide()).sum();
                let wrong = (product - f64::from(i == j)).abs();
                assert!(wrong <= most, "{rows} by {columns} turns: {wrong:e}");
            }
        }
    }

    #[test]
    fn reflections_make_the_triangle() {
        let at = |i: usize, j: usize| ((i * 31 + j * 17 + i * j) % 23) as f64 / 23.0 - 0.5;
        for rows in [1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES + 3, 70] {
            for columns in [1, 2, TOGETHER - 1, TOGETHER, TOGETHER + 1, 2 * TOGETHER + 3, 32] {
                check::<f64>(rows, columns, 1e-13, &at);
                check::<f32>(rows, columns, 1e-4, &at);
                // Columns that are others', or nothing, or nearly so.
                check::<f64>(rows, columns, 1e-13, &|i, j| at(i, j / 2));
                check::<f64>(rows, columns, 1e-13, &|i, j| if j % 3 == 0 { 0.0 } else { at(i, j) });
                check::<f64>(rows, columns, 1e-13, &|i, j| at(i, 0) + 1e-13 * at(i, j));
                check::<f64>(rows, columns, 1e-13, &|i, j| at(i, j) * (-(i as f64)).exp2());
                check::<f64>(rows, columns, 1e-13, &|_, _| 0.0);
            }
        }
    }
}
