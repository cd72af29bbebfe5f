//! Matrices as `faer` sees them, and memory for more of them.

use std::mem::MaybeUninit;

use faer::dyn_stack::{MemStack, StackReq};
use faer::traits::RealField;
use faer::{MatMut, MatRef};

use super::Ptr;
use crate::device::View;
use crate::device::cpu::elements::{Elements, offsets_at};
use crate::dtype::DType;
use crate::layout::Layout;

/// A type whose matrices are taken apart.
pub(super) trait Real: RealField + Copy + Send + Sync + 'static {
    const DTYPE: DType;
    const ZERO: Self;
    const ONE: Self;
    const NAN: Self;
    /// The least number whose reciprocal is one, too.
    const LEAST: Self;

    fn size(self) -> Self;
    fn is_finite(self) -> bool;
    fn root(self) -> Self;
    fn wide(self) -> f64;
    fn narrow(x: f64) -> Self;
    /// Two to this power.
    fn two_to(power: i32) -> Self;
    /// The power of two below it.
    fn exponent(self) -> i32;
}

macro_rules! reals {
    ($($type:ident = $dtype:ident),*) => {$(
        impl Real for $type {
            const DTYPE: DType = DType::$dtype;
            const ZERO: $type = 0.0;
            const ONE: $type = 1.0;
            const NAN: $type = $type::NAN;
            const LEAST: $type = $type::MIN_POSITIVE;

            #[inline(always)]
            fn size(self) -> $type {
                self.abs()
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                $type::is_finite(self)
            }

            #[inline(always)]
            fn root(self) -> $type {
                self.sqrt()
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }

            #[inline(always)]
            fn narrow(x: f64) -> $type {
                x as $type
            }

            fn two_to(power: i32) -> $type {
                (2.0 as $type).powi(power)
            }

            fn exponent(self) -> i32 {
                self.log2().floor() as i32
            }
        }
    )*};
}

reals!(f32 = F32, f64 = F64);

/// A stack of matrices in memory.
#[derive(Debug)]
pub(super) struct Matrices<'a, T> {
    pub rows: usize,
    pub columns: usize,
    layout: &'a Layout,
    start: Ptr<T>,
}

impl<'a, T: Real> Matrices<'a, T> {
    pub fn read(view: &View<'a>) -> Matrices<'a, T> {
        let outer = view.layout.rank() - 2;
        let (rows, columns) = (view.layout.shape[outer], view.layout.shape[outer + 1]);
        Matrices { rows, columns, layout: view.layout, start: Elements::from(*view).start() }
    }

    /// Those of memory that no tensor holds.
    pub fn over(elements: &Elements<'_>, layout: &'a Layout) -> Matrices<'a, T> {
        let (rows, columns) = (layout.shape[0], layout.shape[1]);
        Matrices { rows, columns, layout, start: elements.start() }
    }

    /// The matrix with this row-major number.
    pub fn at(&self, number: usize) -> MatRef<'_, T> {
        let outer = self.layout.rank() - 2;
        let (stack, steps) = self.layout.strides.split_at(outer);
        let [offset] = offsets_at(&self.layout.shape[..outer], [stack], number);
        // SAFETY: these are elements of the operand, which is read alone.
        unsafe {
            MatRef::from_raw_parts(
                self.start.at(offset),
                self.rows,
                self.columns,
                steps[0],
                steps[1],
            )
        }
    }
}

/// The matrix with this number in a contiguous result whose matrices have such sides.
pub(super) fn result<'a, T: Real>(
    of: &Elements<'a>,
    number: usize,
    [rows, columns]: [usize; 2],
) -> MatMut<'a, T> {
    debug_assert!(of.layout.is_contiguous() && (number + 1) * rows * columns <= of.len());
    let start = of.start::<T>().at((number * rows * columns) as isize);
    // SAFETY: these are elements of the result, and no two calls at a time have the same number.
    unsafe { MatMut::from_raw_parts_mut(start, rows, columns, columns as isize, 1) }
}

/// The row with this number in a contiguous result whose rows are so long.
pub(super) fn row<'a, T: Copy>(of: &Elements<'a>, number: usize, len: usize) -> &'a mut [T] {
    debug_assert!(of.layout.is_contiguous() && (number + 1) * len <= of.len());
    if len == 0 {
        return &mut [];
    }
    let start = of.start::<T>().at((number * len) as isize);
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(start, len) }
}

/// Rows and columns of a tile.
pub(super) const TILE: usize = 32;

/// Copies column by column where the columns of both sides are dense, or row by row, else tile by tile, so that neither
/// side is gone through by whole lines that lie apart.
pub(super) fn copy<T: Real>(from: MatRef<'_, T>, to: MatMut<'_, T>) {
    debug_assert!(from.nrows() == to.nrows() && from.ncols() == to.ncols());
    let is_turned = from.row_stride() != 1 && from.col_stride() == 1 && to.col_stride() == 1;
    let (from, mut to) =
        if is_turned { (from.transpose(), to.transpose_mut()) } else { (from, to) };
    if from.row_stride() == 1 && to.row_stride() == 1 {
        for (from, to) in from.col_iter().zip(to.col_iter_mut()) {
            let from = from.try_as_col_major().expect("a dense column");
            let to = to.try_as_col_major_mut().expect("a dense column");
            to.as_slice_mut().copy_from_slice(from.as_slice());
        }
        return;
    }
    let (rows, columns) = (to.nrows(), to.ncols());
    for column in (0..columns).step_by(TILE) {
        for row in (0..rows).step_by(TILE) {
            let (tall, wide) = (TILE.min(rows - row), TILE.min(columns - column));
            let from = from.submatrix(row, column, tall, wide);
            let mut to = to.as_mut().submatrix_mut(row, column, tall, wide);
            for j in 0..wide {
                for i in 0..tall {
                    // SAFETY: the place is one of the tile's.
                    unsafe { *to.as_mut().get_mut_unchecked(i, j) = *from.get_unchecked(i, j) };
                }
            }
        }
    }
}

/// Bytes that a column is aligned to.
const ALIGNMENT: usize = 64;

/// From column to column of a matrix with so many rows: columns are aligned, and do not fall on the
/// same lines of a cache.
fn column_step<T>(rows: usize) -> usize {
    let line = ALIGNMENT / size_of::<T>();
    let step = rows.next_multiple_of(line);
    if rows > line && (step * size_of::<T>()).is_multiple_of(4096) { step + line } else { step }
}

/// What [`matrix`] needs.
pub(super) fn matrix_scratch<T>(rows: usize, columns: usize) -> StackReq {
    StackReq::new_aligned::<T>(column_step::<T>(rows).saturating_mul(columns), ALIGNMENT)
}

/// A matrix of zeros, column by column, and the memory behind it.
pub(super) fn matrix<T: Real>(
    stack: &mut MemStack,
    rows: usize,
    columns: usize,
) -> (MatMut<'_, T>, &mut MemStack) {
    let step = column_step::<T>(rows);
    let (elements, rest) = zeros(stack, step * columns);
    // SAFETY: the elements are there, and nobody else has them.
    let matrix = unsafe {
        MatMut::from_raw_parts_mut(elements.as_mut_ptr(), rows, columns, 1, step as isize)
    };
    (matrix, rest)
}

/// A copy of a matrix, column by column, and the memory behind it.
pub(super) fn copied<'a, T: Real>(
    stack: &'a mut MemStack,
    from: MatRef<'_, T>,
) -> (MatMut<'a, T>, &'a mut MemStack) {
    let (mut matrix, rest) = matrix(stack, from.nrows(), from.ncols());
    copy(from, matrix.as_mut());
    (matrix, rest)
}

/// So many zeros, and the memory behind them.
pub(super) fn zeros<T: Real>(stack: &mut MemStack, len: usize) -> (&mut [T], &mut MemStack) {
    let (elements, rest) = stack.make_aligned_uninit::<T>(len, ALIGNMENT);
    elements.fill(MaybeUninit::new(T::ZERO));
    // SAFETY: all were just written.
    (unsafe { &mut *(std::ptr::from_mut(elements) as *mut [T]) }, rest)
}

/// Whether all elements of a triangle are finite; of both where none is said.
pub(super) fn is_finite<T: Real>(a: MatRef<'_, T>, upper: Option<bool>) -> bool {
    (0..a.ncols()).all(|j| {
        let rows = match upper {
            None => 0..a.nrows(),
            Some(true) => 0..j + 1,
            Some(false) => j..a.nrows(),
        };
        rows.into_iter().all(|i| a[(i, j)].is_finite())
    })
}

/// Brings the largest element of a triangle, or of both, close to one by a power of two, which it
/// gives: squares of very large or very small ones would be none.
pub(super) fn scale<T: Real>(mut a: MatMut<'_, T>, upper: Option<bool>) -> i32 {
    let mut largest = T::ZERO;
    for j in 0..a.ncols() {
        let first = if upper == Some(false) { j } else { 0 };
        for i in first..a.nrows() {
            let size = a[(i, j)].size();
            largest = if size > largest { size } else { largest };
        }
    }
    if largest == T::ZERO {
        return 0;
    }
    let power = largest.exponent();
    let bits = i32::try_from(size_of::<T>()).unwrap_or(8);
    if power.abs() <= 8 * bits {
        return 0;
    }
    // In two steps, neither of which is out of range.
    let (half, rest) = (T::two_to(-(power / 2)), T::two_to(-(power - power / 2)));
    for j in 0..a.ncols() {
        for i in 0..a.nrows() {
            a[(i, j)] = a[(i, j)] * half * rest;
        }
    }
    power
}

/// Takes that power out of what was computed.
pub(super) fn rescale<T: Real>(values: &mut [T], power: i32) {
    if power != 0 {
        let (half, rest) = (T::two_to(power / 2), T::two_to(power - power / 2));
        values.iter_mut().for_each(|value| *value = *value * half * rest);
    }
}
