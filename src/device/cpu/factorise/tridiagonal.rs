//! A symmetric matrix as a tridiagonal one with the same eigenvalues, in two steps: as a band, by reflections that are put
//! together so that nearly all is products of matrices, and from the band, which stays in a near cache, column by column
//! (Bischof, Lang and Sun, A Framework for Symmetric Band Reduction, 2000). In one step the whole matrix would come from
//! memory once for each of its columns.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};

use super::chase::{self, Chase, WIDTH, dot, one_by_one, reflect_one, rows_mut, take_out};
use super::dense::{Real, matrix, matrix_scratch, zeros};
use super::lu::dense;
use super::panel::{self, Reflections};
use crate::device::cpu::dispatch::vectorized;

/// The side from which a matrix goes this way.
pub(super) const FAR: usize = 768;
/// From one column of the band's memory to the next. A column reaches down to the second band, which is filled for a
/// while, and has one row less, so that rows stay beside each other.
const STEP: usize = 2 * WIDTH - 1;
/// In how many parts products are cut, whatever the number of threads.
const PARTS: usize = 4;
/// Columns of a part that are multiplied together.
const TILE: usize = 256;
/// Parts begin at multiples of it.
const LANES: usize = 8;
const WHOLE: BlockStructure = BlockStructure::Rectangular;

/// What [`tridiagonal`] needs.
pub(super) fn scratch<T: Real>(n: usize) -> StackReq {
    let reflections = StackReq::all_of(&[
        matrix_scratch::<T>(WIDTH, WIDTH).array(2),
        matrix_scratch::<T>(n, 2 * WIDTH).array(2),
        matrix_scratch::<T>(n, (PARTS + 1) * WIDTH),
    ]);
    reflections.or(matrix_scratch::<f64>(Columns::len(n), 1))
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
    let (band, _) = zeros::<f64>(stack, Columns::len(n));
    for j in 0..n {
        for i in j..n.min(j + WIDTH + 1) {
            band[Columns::at(i, j)] = a[(i, j)].wide();
        }
    }
    chase::run::<Columns>(band, n, par);
    for j in 0..n {
        diagonal[j] = band[Columns::at(j, j)];
        below[j] = if j + 1 < n { band[Columns::at(j + 1, j)] } else { 0.0 };
    }
}

/// Leaves nothing below the band.
fn narrow<T: Real>(mut a: MatMut<'_, T>, par: Par, stack: &mut MemStack) {
    let n = a.nrows();
    let half = T::ONE / (T::ONE + T::ONE);
    for first in (0..n.saturating_sub(WIDTH + 1)).step_by(WIDTH) {
        let next = first + WIDTH;
        let rest = n - next;
        let panel = a.as_mut().submatrix_mut(next, first, rest, WIDTH);
        let (Reflections { v: of_panel, factors }, stack) = panel::take_out(panel, stack);
        let count = of_panel.ncols();
        // Reflections and their images beside each other, in both orders.
        let (mut left, stack) = matrix(stack, rest, 2 * count);
        let (mut right, stack) = matrix(stack, rest, 2 * count);
        let (mut v, mut w) = left.as_mut().split_at_col_mut(count);
        v.copy_from(of_panel.as_ref());
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

/// The chase for columns: a reflection from both sides leaves two elements of a column, and what it fills below the band,
/// one of the next block takes out of its first column, but for what the next sweep finds there.
struct Columns;

impl Columns {
    fn at(row: usize, column: usize) -> usize {
        column * STEP + row
    }
}

impl Chase for Columns {
    const COLUMN: usize = STEP + 1;
    const BEFORE: usize = WIDTH;

    fn step(band: &mut [f64], skipped: usize, sweep: usize, step: usize) {
        both_sides(band, skipped, sweep, step);
    }
}

vectorized! {
    /// One step: a reflection of a block's rows and columns.
    fn both_sides(band: &mut [f64], skipped: usize, sweep: usize, step: usize) = both_sides_body
}

/// Whatever is beyond the matrix is zero.
#[inline(always)]
fn both_sides_body(band: &mut [f64], skipped: usize, sweep: usize, step: usize) {
    let first = sweep + 1 + step * WIDTH;
    // The column that is taken out, and how many columns it has beside it.
    let (column, others) = if step == 0 { (sweep, 0) } else { (first - WIDTH, WIDTH - 1) };
    let before = &mut band[Columns::at(first, column) - skipped..];
    let taken: &mut [f64; WIDTH] = rows_mut(before, 0);
    let mut v = *taken;
    let (becomes, weight) = take_out(&mut v);
    if weight == 0.0 {
        return;
    }
    *taken = [0.0; WIDTH];
    taken[0] = becomes;
    for j in 1..others + 1 {
        reflect_one(rows_mut(before, one_by_one(j) * STEP), &v, weight);
    }
    let block = &mut band[Columns::at(first, first) - skipped..];
    around(block, &v, weight);
    // The rows below.
    let mut image = [0.0; WIDTH];
    for (j, of) in v.iter().enumerate() {
        let rows: &mut [f64; WIDTH] = rows_mut(block, j * STEP + WIDTH);
        for i in 0..WIDTH {
            image[i] += rows[i] * *of;
        }
    }
    image.iter_mut().for_each(|value| *value *= weight);
    for (j, of) in v.iter().enumerate() {
        let rows: &mut [f64; WIDTH] = rows_mut(block, j * STEP + WIDTH);
        for i in 0..WIDTH {
            rows[i] -= image[i] * *of;
        }
    }
}

/// A reflection from both sides of a symmetric block, of which the lower triangle is there.
#[inline(always)]
fn around(block: &mut [f64], v: &[f64; WIDTH], weight: f64) {
    let (mut down, mut across) = ([0.0; WIDTH], [0.0; WIDTH]);
    let mut lower = [[0.0; WIDTH]; WIDTH];
    for j in 0..WIDTH {
        let rows: &mut [f64; WIDTH] = rows_mut(block, one_by_one(j) * STEP);
        let lower = &mut lower[j];
        for i in 0..WIDTH {
            lower[i] = if i >= j { rows[i] } else { 0.0 };
            down[i] += lower[i] * v[j];
        }
        across[j] = dot(lower, v) - lower[j] * v[j];
    }
    let mut image: [f64; WIDTH] = std::array::from_fn(|i| (down[i] + across[i]) * weight);
    let along = weight * dot(&image, v) / 2.0;
    for i in 0..WIDTH {
        image[i] -= v[i] * along;
    }
    for j in 0..WIDTH {
        let rows: &mut [f64; WIDTH] = rows_mut(block, j * STEP);
        let (of_v, of_w) = (v[j], image[j]);
        for i in 0..WIDTH {
            let less = v[i] * of_w + image[i] * of_v;
            rows[i] = if i >= j { lower[j][i] - less } else { rows[i] };
        }
    }
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
