//! A matrix as a bidiagonal one with the same singular values, in two steps: as a band above the diagonal, by reflections
//! from both sides that are put together so that nearly all is products of matrices, and from the band, which stays in a
//! near cache, row by row (Grosser and Lang, Efficient parallel reduction to bidiagonal form, 1999). In one step the whole
//! matrix would come from memory twice for each of its columns.

use faer::dyn_stack::{MemStack, StackReq};
use faer::{MatMut, Par};

use super::chase::{self, Chase, WIDTH, one_by_one, reflect_one, rows_mut, take_out};
use super::dense::{Real, copy, matrix, matrix_scratch, zeros};
use super::panel;
use crate::device::cpu::dispatch::vectorized;

/// The side from which a matrix goes this way.
pub(super) const FAR: usize = 256;

/// What [`bidiagonal`] needs.
pub(super) fn scratch<T: Real>([m, n]: [usize; 2]) -> StackReq {
    let reflections = StackReq::all_of(&[
        matrix_scratch::<T>(WIDTH, WIDTH),
        matrix_scratch::<T>(m.max(n), WIDTH).array(3),
    ]);
    reflections.or(matrix_scratch::<f64>(Rows::len(n), 1))
}

/// Writes over a matrix with dense columns, which are no more than the rows, and gives the diagonal and what is above it.
pub(super) fn bidiagonal<T: Real>(
    mut a: MatMut<'_, T>,
    diagonal: &mut [f64],
    above: &mut [f64],
    par: Par,
    stack: &mut MemStack,
) {
    let n = a.ncols();
    if a.nrows() / 2 >= n {
        // Of a tall matrix a triangle is left, which has no columns to reflect from the right in all rows.
        for first in (0..n).step_by(WIDTH) {
            from_left(a.as_mut(), first, par, stack);
        }
        a = a.subrows_mut(0, n);
    }
    narrow(a.as_mut(), par, stack);
    let (band, _) = zeros::<f64>(stack, Rows::len(n));
    for j in 0..n {
        for i in j.saturating_sub(WIDTH)..j + 1 {
            band[Rows::at(i, j)] = a[(i, j)].wide();
        }
    }
    chase::run::<Rows>(band, n, par);
    for j in 0..n {
        diagonal[j] = band[Rows::at(j, j)];
        above[j] = if j + 1 < n { band[Rows::at(j, j + 1)] } else { 0.0 };
    }
}

/// Leaves nothing below the diagonal of some columns, and gives what is after them.
fn from_left<T: Real>(a: MatMut<'_, T>, first: usize, par: Par, stack: &mut MemStack) -> usize {
    let (n, next) = (a.ncols(), a.ncols().min(first + WIDTH));
    let rows = a.nrows() - first;
    let rest = a.submatrix_mut(first, first, rows, n - first);
    let (panel, beside) = rest.split_at_col_mut(next - first);
    let (reflections, stack) = panel::take_out(panel, stack);
    if next < n {
        let (images, _) = matrix(stack, reflections.v.ncols(), n - next);
        reflections.reflect(beside, images, par);
    }
    next
}

/// Leaves nothing below the diagonal, and nothing above the band.
fn narrow<T: Real>(mut a: MatMut<'_, T>, par: Par, stack: &mut MemStack) {
    let (m, n) = (a.nrows(), a.ncols());
    for first in (0..n).step_by(WIDTH) {
        let next = from_left(a.as_mut(), first, par, stack);
        if next == n {
            return;
        }
        // The same from the right: of columns where rows were.
        let (rest, wide) = (n - next, next - first);
        let (mut panel, stack) = matrix(stack, rest, wide);
        let mut beside = a.as_mut().submatrix_mut(first, next, wide, rest);
        copy(beside.as_ref().transpose(), panel.as_mut());
        let (reflections, stack) = panel::take_out(panel.as_mut(), stack);
        copy(panel.as_ref().transpose(), beside.as_mut());
        let (images, _) = matrix(stack, m - next, reflections.v.ncols());
        let below = a.as_mut().submatrix_mut(next, next, m - next, rest);
        reflections.reflect(below.transpose_mut(), images.transpose_mut(), par);
    }
}

/// The chase for rows: a reflection from the right leaves two elements of a row, and what it fills below the diagonal is
/// taken out of its first column from the left.
struct Rows;

/// Rows of a column from the first that a reflection from the left fills to the diagonal, and on to the last that one from
/// the right does.
const ABOVE: usize = 2 * WIDTH - 1;
/// From one column to the next: a column has one row less, so that rows stay beside each other.
const STEP: usize = ABOVE + WIDTH - 1;

impl Rows {
    fn at(row: usize, column: usize) -> usize {
        column * STEP + row + ABOVE
    }
}

impl Chase for Rows {
    const COLUMN: usize = STEP + 1;
    const BEFORE: usize = 0;

    fn step(band: &mut [f64], skipped: usize, sweep: usize, step: usize) {
        both_sides(band, skipped, sweep, step);
    }
}

vectorized! {
    /// One step: columns from the right, rows from the left.
    fn both_sides(band: &mut [f64], skipped: usize, sweep: usize, step: usize) = both_sides_body
}

/// Whatever is beyond the matrix is zero.
#[inline(always)]
fn both_sides_body(band: &mut [f64], skipped: usize, sweep: usize, step: usize) {
    let first = sweep + 1 + step * WIDTH;
    // Of a column of the block, the first of twice as many rows.
    let top = first * STEP + first + ABOVE - WIDTH - skipped;
    let row = if step == 0 { WIDTH - 1 } else { 0 };
    let block = &mut band[top..][..(2 * WIDTH - 1) * STEP + 3 * WIDTH];
    let mut v: [f64; WIDTH] = std::array::from_fn(|j| block[j * STEP + row]);
    let (becomes, weight) = take_out(&mut v);
    if weight != 0.0 {
        let mut image = [0.0; 2 * WIDTH];
        for (j, of) in v.iter().enumerate() {
            let column: &[f64; 2 * WIDTH] = column(block, j * STEP);
            for i in 0..2 * WIDTH {
                image[i] += column[i] * *of;
            }
        }
        image.iter_mut().for_each(|value| *value *= weight);
        for (j, of) in v.iter().enumerate() {
            let column: &mut [f64; 2 * WIDTH] = rows_mut(block, j * STEP);
            for i in 0..2 * WIDTH {
                column[i] -= image[i] * *of;
            }
            column[row] = if j == 0 { becomes } else { 0.0 };
        }
    }
    let mut v: [f64; WIDTH] = *column(block, WIDTH);
    let (becomes, weight) = take_out(&mut v);
    if weight != 0.0 {
        let first: &mut [f64; WIDTH] = rows_mut(block, WIDTH);
        *first = [0.0; WIDTH];
        first[0] = becomes;
        for j in 1..2 * WIDTH {
            reflect_one(rows_mut(block, one_by_one(j) * STEP + WIDTH), &v, weight);
        }
    }
}

#[inline(always)]
fn column<const ROWS: usize>(block: &[f64], at: usize) -> &[f64; ROWS] {
    block[at..][..ROWS].try_into().expect("so many rows")
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::dyn_stack::MemBuffer;

    use super::super::quotients::singular_values;
    use super::*;

    fn made<T: Real>(a: &Mat<T>, par: Par) -> [Vec<f64>; 2] {
        let (m, n) = (a.nrows(), a.ncols());
        let mut memory = MemBuffer::new(scratch::<T>([m, n]).and(matrix_scratch::<T>(m, n)));
        let (mut a_of, stack) = matrix(MemStack::new(&mut memory), m, n);
        copy(a.as_ref(), a_of.as_mut());
        let [mut diagonal, mut above] = [vec![0.0; n], vec![0.0; n]];
        bidiagonal(a_of, &mut diagonal, &mut above, par, stack);
        [diagonal, above]
    }

    /// Ones in two diagonals, turned by a reflection from each side: the singular values are known.
    fn turned<T: Real>(m: usize, n: usize) -> Mat<T> {
        let ones = |i: usize, j: usize| if i < n && (j == i || j == i + 1) { 1.0 } else { 0.0 };
        let u = |i: usize| {
            (1.0 + (i % 7) as f64)
                / (0..m).map(|i| (1.0 + (i % 7) as f64).powi(2)).sum::<f64>().sqrt()
        };
        let [u, w]: [Vec<f64>; 2] = [(0..m).map(u).collect(), vec![(1.0 / n as f64).sqrt(); n]];
        let rows: Vec<f64> = (0..m).map(|i| (0..n).map(|j| ones(i, j) * w[j]).sum()).collect();
        let columns: Vec<f64> =
            (0..n).map(|j| (j.saturating_sub(1)..j + 1).map(|i| ones(i, j) * u[i]).sum()).collect();
        let all: f64 = u.iter().zip(&rows).map(|(u, row)| u * row).sum();
        Mat::from_fn(m, n, |i, j| {
            let along = 2.0 * (u[i] * columns[j] + rows[i] * w[j]) - 4.0 * u[i] * all * w[j];
            T::narrow(ones(i, j) - along)
        })
    }

    fn check<T: Real>(m: usize, n: usize, most: f64) {
        let a = turned::<T>(m, n);
        let found = made(&a, Par::Seq);
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| made(&a, Par::rayon(8)));
            assert_eq!(found, again, "{m} by {n}: {threads} threads change nothing");
        }
        let [mut values, mut above] = found;
        assert!(singular_values(&mut values, &mut above, &mut vec![0.0; 2 * n]));
        for (k, value) in values.iter().enumerate() {
            let angle = std::f64::consts::PI * (k + 1) as f64 / (2 * n + 1) as f64;
            let wrong = (value - 2.0 * angle.cos()).abs();
            assert!(wrong < most, "{m} by {n}: {k} by {wrong:e}");
        }
    }

    #[test]
    fn singular_values_stay() {
        let sides =
            [1, 2, 3, 9, WIDTH - 1, WIDTH, WIDTH + 1, WIDTH + 2, 2 * WIDTH, 3 * WIDTH + 1, 261];
        for n in sides {
            for m in [n, n + 1, n + WIDTH, 2 * n + 5] {
                check::<f64>(m, n, 3e-14);
                check::<f32>(m, n, 2e-5);
            }
        }
        check::<f64>(700, 700, 5e-14);
    }

    #[test]
    fn what_is_bidiagonal_stays() {
        let a = Mat::from_fn(70, 70, |i, j| match (i, j) {
            _ if j == i => i as f32 + 1.0,
            _ if j == i + 1 => -1.0,
            _ => 0.0,
        });
        let [diagonal, above] = made(&a, Par::Seq);
        for i in 0..70 {
            assert_eq!(diagonal[i].abs(), i as f64 + 1.0);
            assert_eq!(above[i].abs(), if i == 69 { 0.0 } else { 1.0 });
        }
        let [diagonal, above] = made(&Mat::<f64>::zeros(40, 40), Par::Seq);
        assert_eq!([diagonal, above], [vec![0.0; 40], vec![0.0; 40]]);
    }
}
