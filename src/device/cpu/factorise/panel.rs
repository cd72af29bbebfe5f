//! Reflections that make some columns a triangle, put together as `I - V / F * V'` with a triangle `F` (Puglisi, Modification
//! of the Householder method based on the compact WY representation, 1992). faer drops a column of which little
//! is left, and with it digits of small singular values.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef, Par};

use super::dense::{Real, copy, matrix, matrix_scratch};
use super::lu::dense;
use crate::device::cpu::dispatch::vectorized;

/// Partial sums side by side.
const LANES: usize = 16;
/// Columns that are reflected together.
const TOGETHER: usize = 4;
/// Rows that are too few for products.
const TINY: usize = 4;
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
        factors[(j, j)] =
            if square == T::ZERO { T::ONE / T::ZERO } else { square / (T::ONE + T::ONE) };
        factors.as_mut().col_mut(j).subrows_mut(j + 1, count - j - 1).fill(T::ZERO);
    }
    (Reflections { v, factors }, stack)
}

/// What [`take_out`] or [`again`] needs.
pub(super) fn scratch<T: Real>(rows: usize, columns: usize) -> StackReq {
    matrix_scratch::<T>(rows, columns).and(matrix_scratch::<T>(columns, columns))
}

/// The reflections whose vectors are below the diagonal of a panel, and whose factors are known.
pub(super) fn again<'a, T: Real>(
    panel: MatRef<'_, T>,
    of: MatRef<'_, T>,
    stack: &'a mut MemStack,
) -> (Reflections<'a, T>, &'a mut MemStack) {
    let (rows, count) = (panel.nrows(), of.ncols());
    let (mut v, stack) = matrix(stack, rows, count);
    let (mut factors, stack) = matrix(stack, count, count);
    copy(of, factors.as_mut());
    for j in 0..count {
        v[(j, j)] = if factors[(j, j)].is_finite() { T::ONE } else { T::ZERO };
        let below = rows - j - 1;
        copy(panel.submatrix(j + 1, j, below, 1), v.as_mut().submatrix_mut(j + 1, j, below, 1));
    }
    (Reflections { v, factors }, stack)
}

impl<T: Real> Reflections<'_, T> {
    /// Reflects the columns of a matrix; `images` has as many columns, and a row for each reflection. The parts are done
    /// by threads.
    pub fn reflect(&self, a: MatMut<'_, T>, images: MatMut<'_, T>, par: Par) {
        if self.v.nrows() <= TINY && a.row_stride() == 1 {
            return self.one_by_one(a, false);
        }
        let factors = self.factors.as_ref().transpose();
        self.all(a, images, par, &|images| {
            solve_lower_triangular_in_place(factors, images, Par::Seq);
        });
    }

    /// The same, the last reflection first.
    pub fn reflect_back(&self, a: MatMut<'_, T>, images: MatMut<'_, T>, par: Par) {
        if self.v.nrows() <= TINY && a.row_stride() == 1 {
            return self.one_by_one(a, true);
        }
        let factors = self.factors.as_ref();
        self.all(a, images, par, &|images| {
            solve_upper_triangular_in_place(factors, images, Par::Seq);
        });
    }

    /// Of so few rows that products take longer to begin than to be made.
    fn one_by_one(&self, a: MatMut<'_, T>, is_back: bool) {
        let count = self.v.ncols();
        for column in a.col_iter_mut() {
            let column = dense(column);
            for turn in 0..count {
                let j = if is_back { count - 1 - turn } else { turn };
                let v = &of_column(&self.v, j)[j..];
                let column = &mut column[j..];
                let sum = v.iter().zip(&*column).fold(T::ZERO, |sum, (v, a)| sum + *v * *a);
                let along = sum / self.factors[(j, j)];
                column.iter_mut().zip(v).for_each(|(a, v)| *a -= *v * along);
            }
        }
    }

    fn all(
        &self,
        a: MatMut<'_, T>,
        images: MatMut<'_, T>,
        par: Par,
        divide: &(dyn Fn(MatMut<'_, T>) + Sync),
    ) {
        let v = self.v.as_ref();
        parts(a, images, PARTS, par, &|mut a, mut images| {
            let less = T::ZERO - T::ONE;
            matmul(images.as_mut(), Accum::Replace, v.transpose(), a.as_ref(), T::ONE, Par::Seq);
            divide(images.as_mut());
            matmul(a.as_mut(), Accum::Add, v, images.as_ref(), less, Par::Seq);
        });
    }
}

fn of_column<'a, T: Real>(v: &'a MatMut<'_, T>, j: usize) -> &'a [T] {
    v.as_ref().col(j).try_as_col_major().expect("a dense column").as_slice()
}

/// Cuts the columns of two matrices at the same places.
fn parts<T: Real>(
    a: MatMut<'_, T>,
    b: MatMut<'_, T>,
    count: usize,
    par: Par,
    work: &(dyn Fn(MatMut<'_, T>, MatMut<'_, T>) + Sync),
) {
    if count == 1 || a.ncols() <= LANES {
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
    let most = T::ONE / T::LEAST;
    let least = T::LEAST.root();
    for (j, v) in v.chunks_mut(step_of_v).take(count).enumerate() {
        let (done, rest) = panel.split_at_mut(((j + 1) * step).min(panel.len()));
        let (column, v) = (&mut done[j * step + j..][..rows - j], &mut v[j..rows]);
        let mut square = dot(&column[1..], &column[1..]);
        let mut unit = T::ONE;
        if square < least || square > most {
            // Squares that are too small or too large say little.
            unit = power_of_two(column);
            column.iter_mut().for_each(|value| *value *= unit);
            square = dot(&column[1..], &column[1..]);
            if square == T::ZERO {
                column[0] /= unit;
                continue;
            }
        }
        let first = column[0];
        let length = (first * first + square).root();
        let becomes = if first >= T::ZERO { T::ZERO - length } else { length };
        let scale = T::ONE / (first - becomes);
        v[0] = T::ONE;
        for (v, value) in v[1..].iter_mut().zip(&column[1..]) {
            *v = *value * scale;
        }
        let weight = (becomes - first) / becomes;
        let becomes = becomes / unit;
        column.fill(T::ZERO);
        column[0] = becomes;
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

/// What brings the largest of some numbers close to one.
#[cold]
fn power_of_two<T: Real>(column: &[T]) -> T {
    let sizes = column.iter().map(|value| value.size());
    let largest = sizes.fold(T::ZERO, |most, size| if size > most { size } else { most });
    let end = -T::LEAST.exponent() - 2;
    if largest == T::ZERO { T::ONE } else { T::two_to(-largest.exponent().clamp(-end, end)) }
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
        for rows in [1, 2, TINY, TINY + 1, LANES - 1, LANES, LANES + 1, 2 * LANES + 3, 70] {
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
    fn triangle<T: Real>(a: &Mat<T>) -> Mat<T> {
        let mut memory = MemBuffer::new(scratch::<T>(a.nrows(), a.ncols()));
        let mut left = a.clone();
        take_out(left.as_mut(), MemStack::new(&mut memory));
        left
    }

    fn scales_are_kept<T: Real>(large: i32) {
        let at = |i: usize, j: usize| T::narrow(((i * 31 + j * 17 + i * j) % 23) as f64 - 11.5);
        for rows in [2, 9, 40] {
            let scale = |j: usize| T::two_to([0, large, -large][j % 3]);
            let plain = triangle(&Mat::from_fn(rows, 6, at));
            let scaled = triangle(&Mat::from_fn(rows, 6, |i, j| at(i, j) * scale(j)));
            for j in 0..6 {
                for i in 0..rows {
                    assert!(plain[(i, j)] * scale(j) == scaled[(i, j)], "{rows}: {i}, {j}");
                }
            }
        }
    }

    #[test]
    fn columns_have_their_scales() {
        scales_are_kept::<f64>(600);
        scales_are_kept::<f32>(80);
    }

    #[test]
    fn what_is_no_number_ends() {
        for bad in [f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 4.0, f64::MAX] {
            let found =
                triangle(&Mat::from_fn(7, 3, |i, j| if i == 3 && j == 1 { bad } else { 0.0 }));
            let is_kept = found[(1, 1)].abs() == bad;
            assert!(if bad.is_finite() { is_kept } else { !found[(1, 1)].is_finite() }, "{bad:e}");
        }
    }
}
