//! A symmetric matrix as a tridiagonal one with the same eigenvalues, in two steps: as a band, by reflections that are put
//! together so that nearly all is products of matrices, and from the band, which stays in a near cache, column by column
//! (Bischof, Lang and Sun, A Framework for Symmetric Band Reduction, 2000). In one step the whole matrix would come from
//! memory once for each of its columns.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::qr::no_pivoting::factor;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par, Spec};

use super::dense::{Real, matrix, matrix_scratch, zeros};
use super::lu::dense;
use crate::device::cpu::dispatch::vectorized;

/// The side from which a matrix goes this way.
pub(super) const FAR: usize = 768;
/// Diagonals of the band below the main one.
const WIDTH: usize = 32;
/// From one column of the band's memory to the next. A column reaches down to the second band, which is filled for a
/// while, and has one row less, so that rows stay beside each other.
const STEP: usize = 2 * WIDTH - 1;
/// In how many parts products are cut, whatever the number of threads.
const PARTS: usize = 4;
/// Columns of a part that are multiplied together.
const TILE: usize = 256;
/// Partial sums side by side.
const LANES: usize = 8;
const WHOLE: BlockStructure = BlockStructure::Rectangular;

/// What [`tridiagonal`] needs.
pub(super) fn scratch<T: Real>(n: usize) -> StackReq {
    let panel = factor::qr_in_place_scratch::<T>(n, WIDTH, WIDTH, Par::Seq, Spec::default());
    let reflections = StackReq::all_of(&[
        matrix_scratch::<T>(WIDTH, WIDTH).array(2),
        matrix_scratch::<T>(n, 2 * WIDTH).array(2),
        matrix_scratch::<T>(n, PARTS * WIDTH),
        panel,
    ]);
    let band = matrix_scratch::<f64>((STEP + 1) * n + 2 * WIDTH + 2 * LANES, 1);
    reflections.or(band)
}

/// Reads the lower triangle of a matrix with dense columns, writes over it, and gives the diagonal and what is below it.
pub(super) fn tridiagonal<T: Real>(
    mut a: MatMut<'_, T>,
    diagonal: &mut [f64],
    below: &mut [f64],
    par: Par,
    stack: &mut MemStack,
) {
    let n = a.nrows();
    narrow(a.as_mut(), par, stack);
    let (band, stack) = zeros::<f64>(stack, (STEP + 1) * n);
    for j in 0..n {
        for i in j..n.min(j + WIDTH + 1) {
            band[j * STEP + i] = a[(i, j)].wide();
        }
    }
    let (memory, _) = zeros::<f64>(stack, 2 * WIDTH);
    for column in 0..n.saturating_sub(2) {
        sweep(band, n, column, memory);
    }
    for j in 0..n {
        diagonal[j] = band[j * STEP + j];
        below[j] = if j + 1 < n { band[j * STEP + j + 1] } else { 0.0 };
    }
}

/// Leaves nothing below the band.
fn narrow<T: Real>(mut a: MatMut<'_, T>, par: Par, stack: &mut MemStack) {
    let n = a.nrows();
    let half = T::ONE / (T::ONE + T::ONE);
    for first in (0..n.saturating_sub(WIDTH + 1)).step_by(WIDTH) {
        let next = first + WIDTH;
        let rest = n - next;
        let count = rest.min(WIDTH);
        let (mut factors, stack) = matrix(stack, count, count);
        let mut panel = a.as_mut().submatrix_mut(next, first, rest, WIDTH);
        factor::qr_in_place(panel.as_mut(), factors.as_mut(), Par::Seq, stack, Spec::default());
        // Reflections and their images beside each other, in both orders.
        let (mut left, stack) = matrix(stack, rest, 2 * count);
        let (mut right, stack) = matrix(stack, rest, 2 * count);
        let (mut v, mut w) = left.as_mut().split_at_col_mut(count);
        for j in 0..count {
            v[(j, j)] = T::ONE;
            for i in j + 1..rest {
                v[(i, j)] = panel[(i, j)];
                panel[(i, j)] = T::ZERO;
            }
        }
        let v = v.as_ref();
        let a = a.as_mut().submatrix_mut(next, next, rest, rest);
        let (sums, stack) = matrix(stack, rest, PARTS * count);
        multiply(a.as_ref(), v, w.as_mut(), sums, par);
        let factors = factors.as_ref().transpose();
        solve_lower_triangular_in_place(factors, w.as_mut().transpose_mut(), Par::Seq);
        let (mut s, _) = matrix(stack, count, count);
        matmul(s.as_mut(), Accum::Replace, v.transpose(), w.as_ref(), T::ONE, Par::Seq);
        solve_lower_triangular_in_place(factors, s.as_mut(), Par::Seq);
        matmul(w.as_mut(), Accum::Add, v, s.as_ref(), T::ZERO - half, Par::Seq);
        right.as_mut().subcols_mut(0, count).copy_from(w.as_ref());
        right.as_mut().subcols_mut(count, count).copy_from(v);
        subtract(a, left.as_ref(), right.as_ref(), par);
    }
}

/// Where the parts end into which the columns of a lower triangle are cut, which have about as many elements; the first
/// of these numbers is 0.
fn ends(n: usize) -> [usize; PARTS + 1] {
    std::array::from_fn(|part| {
        let left = (1.0 - part as f64 / PARTS as f64).sqrt();
        if part == PARTS { n } else { (n as f64 * (1.0 - left)) as usize / LANES * LANES }
    })
}

/// Cuts columns at these places, and does all parts, whose numbers the work is told.
fn each<'a, T: Real>(
    a: MatMut<'a, T>,
    ends: [usize; PARTS + 1],
    work: &(dyn Fn(usize, MatMut<'a, T>) + Sync),
    par: Par,
) {
    let mut rest = Some(a);
    let parts: [MatMut<'a, T>; PARTS] = std::array::from_fn(|part| {
        let all = rest.take().expect("what the parts before have left");
        let (one, others) = all.split_at_col_mut(ends[part + 1] - ends[part]);
        rest = Some(others);
        one
    });
    let [first, second, third, fourth] = parts;
    let halves = (|| (work(0, first), work(3, fourth)), || (work(1, second), work(2, third)));
    match par {
        Par::Seq => (halves.0(), halves.1()),
        Par::Rayon(_) => rayon::join(halves.0, halves.1),
    };
}

/// The product of a symmetric matrix, of which the lower triangle is read, by some columns.
fn multiply<T: Real>(
    a: MatRef<'_, T>,
    v: MatRef<'_, T>,
    mut out: MatMut<'_, T>,
    mut sums: MatMut<'_, T>,
    par: Par,
) {
    let (n, count) = (v.nrows(), v.ncols());
    let ends = ends(n);
    let add = |part: usize, mut sums: MatMut<'_, T>| {
        for at in (ends[part]..ends[part + 1]).step_by(TILE) {
            let wide = TILE.min(ends[part + 1] - at);
            let (below, tall) = (at + wide, n - at - wide);
            let (mut beside, mut under) =
                sums.as_mut().subrows_mut(at, n - at).split_at_row_mut(wide);
            let of = v.subrows(at, wide);
            let tile = a.submatrix(at, at, wide, wide);
            for (tile, structure) in [
                (tile, BlockStructure::TriangularLower),
                (tile.transpose(), BlockStructure::StrictTriangularUpper),
            ] {
                let sums = beside.as_mut();
                triangular::matmul(
                    sums,
                    WHOLE,
                    Accum::Add,
                    tile,
                    structure,
                    of,
                    WHOLE,
                    T::ONE,
                    Par::Seq,
                );
            }
            let tile = a.submatrix(below, at, tall, wide);
            matmul(under.as_mut(), Accum::Add, tile, of, T::ONE, Par::Seq);
            let of = v.subrows(below, tall);
            matmul(beside, Accum::Add, tile.transpose(), of, T::ONE, Par::Seq);
        }
    };
    each(sums.as_mut(), std::array::from_fn(|part| part * count), &add, par);
    for j in 0..count {
        let to = dense(out.as_mut().col_mut(j));
        to.fill(T::ZERO);
        for part in 0..PARTS {
            let from = &dense(sums.as_mut().col_mut(part * count + j))[ends[part]..];
            to[ends[part]..].iter_mut().zip(from).for_each(|(sum, more)| *sum += *more);
        }
    }
}

/// Takes the product of one matrix by the other's transpose from a lower triangle.
fn subtract<T: Real>(a: MatMut<'_, T>, left: MatRef<'_, T>, right: MatRef<'_, T>, par: Par) {
    let (n, less) = (a.nrows(), T::ZERO - T::ONE);
    let ends = ends(n);
    let one = |part: usize, a: MatMut<'_, T>| {
        let (from, wide) = (ends[part], a.ncols());
        let (beside, under) = a.subrows_mut(from, n - from).split_at_row_mut(wide);
        let by = right.subrows(from, wide).transpose();
        let lower = BlockStructure::TriangularLower;
        let of = left.subrows(from, wide);
        triangular::matmul(beside, lower, Accum::Add, of, WHOLE, by, WHOLE, less, Par::Seq);
        let of = left.subrows(from + wide, n - from - wide);
        matmul(under, Accum::Add, of, by, less, Par::Seq);
    };
    each(a, ends, &one, par);
}

vectorized! {
    /// Takes a column of a band out below the second diagonal. What a reflection fills below the band, one of the next
    /// block takes out, but for what the next column finds there.
    fn sweep(band: &mut [f64], n: usize, column: usize, memory: &mut [f64]) = sweep_body
}

#[inline(always)]
fn sweep_body(band: &mut [f64], n: usize, column: usize, memory: &mut [f64]) {
    let (v, image) = memory.split_at_mut(WIDTH);
    let mut first = column + 1;
    let mut len = WIDTH.min(n - first);
    // The block whose first column is taken out, and how many columns it has beside that.
    let (mut block, mut others) = (column * STEP + first, 0);
    loop {
        let weight = take_out(&mut band[block..][..len], v);
        let v = &v[..len];
        from_left(&mut band[block + STEP..], others, v, weight);
        around(&mut band[first * STEP + first..], v, &mut image[..len], weight);
        let below = first + len;
        let more = WIDTH.min(n - below);
        if more == 0 {
            return;
        }
        block = first * STEP + below;
        from_right(&mut band[block..], v, &mut image[..more], weight);
        (first, len, others) = (below, more, len - 1);
    }
}

/// Leaves of a column its first element alone, by the reflection `v`, whose weight is given.
#[inline(always)]
fn take_out(column: &mut [f64], v: &mut [f64]) -> f64 {
    let len = column.len();
    let v = &mut v[..len];
    v.copy_from_slice(column);
    let (first, rest) = (v[0], dot(&v[1..], &v[1..]));
    v[0] = 1.0;
    if rest == 0.0 {
        return 0.0;
    }
    let length = (first * first + rest).sqrt();
    let becomes = if first > 0.0 { -length } else { length };
    let scale = 1.0 / (first - becomes);
    v[1..].iter_mut().for_each(|value| *value *= scale);
    column.fill(0.0);
    column[0] = becomes;
    (becomes - first) / becomes
}

/// A reflection from both sides of a symmetric block, of which the lower triangle is there.
#[inline(always)]
fn around(block: &mut [f64], v: &[f64], image: &mut [f64], weight: f64) {
    let len = v.len();
    image.fill(0.0);
    for j in 0..len {
        let column = &block[j * STEP + j..][..len - j];
        let (of, v, image) = (v[j], &v[j..], &mut image[j..]);
        let sum = dot(&column[1..], &v[1..]);
        for i in 1..column.len() {
            image[i] += column[i] * of;
        }
        image[0] += column[0] * of + sum;
    }
    image.iter_mut().for_each(|value| *value *= weight);
    let along = weight * dot(image, v) / 2.0;
    for i in 0..len {
        image[i] -= v[i] * along;
    }
    for j in 0..len {
        let column = &mut block[j * STEP + j..][..len - j];
        let (of_v, of_w) = (v[j], image[j]);
        let (v, image) = (&v[j..], &image[j..]);
        for i in 0..column.len() {
            column[i] -= v[i] * of_w + image[i] * of_v;
        }
    }
}

/// A reflection of a block's columns.
#[inline(always)]
fn from_right(block: &mut [f64], v: &[f64], image: &mut [f64], weight: f64) {
    let rows = image.len();
    image.fill(0.0);
    for (j, of) in v.iter().enumerate() {
        let column = &block[j * STEP..][..rows];
        for i in 0..rows {
            image[i] += column[i] * *of;
        }
    }
    image.iter_mut().for_each(|value| *value *= weight);
    for (j, of) in v.iter().enumerate() {
        let column = &mut block[j * STEP..][..rows];
        for i in 0..rows {
            column[i] -= image[i] * *of;
        }
    }
}

/// A reflection of the rows of so many columns.
#[inline(always)]
fn from_left(block: &mut [f64], columns: usize, v: &[f64], weight: f64) {
    for j in 0..columns {
        let column = &mut block[j * STEP..][..v.len()];
        let along = dot(column, v) * weight;
        for i in 0..v.len() {
            column[i] -= v[i] * along;
        }
    }
}

#[inline(always)]
fn lanes(values: &[f64]) -> [f64; LANES] {
    values.try_into().expect("so many lanes")
}

#[inline(always)]
fn multiplied(sum: [f64; LANES], a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
    std::array::from_fn(|lane| sum[lane] + a[lane] * b[lane])
}

#[inline(always)]
fn total(s: &[f64; LANES]) -> f64 {
    ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(LANES), b[..a.len()].chunks_exact(LANES));
    let rest = a.remainder().iter().zip(b.remainder());
    let none = [0.0; LANES];
    let sums = a.zip(b).fold(none, |sums, (a, b)| multiplied(sums, lanes(a), lanes(b)));
    rest.fold(total(&sums), |sum, (a, b)| sum + *a * *b)
}

#[cfg(test)]
mod tests {
    use faer::Mat;
    use faer::dyn_stack::MemBuffer;

    use super::*;

    fn made<T: Real>(n: usize, par: Par, at: impl Fn(usize, usize) -> T) -> [Vec<f64>; 2] {
        let mut a = Mat::from_fn(n, n, |i, j| at(i.max(j), i.min(j)));
        let mut memory = MemBuffer::new(scratch::<T>(n));
        let [mut diagonal, mut below] = [vec![0.0; n], vec![0.0; n]];
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
        for n in [
            1,
            2,
            3,
            9,
            WIDTH,
            WIDTH + 1,
            WIDTH + 2,
            2 * WIDTH,
            3 * WIDTH + 1,
            TILE + 5,
            5 * TILE / 2 + 3,
        ] {
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
