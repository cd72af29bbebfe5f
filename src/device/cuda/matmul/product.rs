//! The shape of a product: three extents, two strided operands, and the axes of products.

use smallvec::SmallVec;

use crate::device::{Error, View};

/// Axes of products that our own kernel takes: `AXES` of `kernels/matmul.cu`.
const AXES: usize = 4;

/// Bytes that a thread moves at once.
const VECTOR_BYTES: usize = 16;

/// Rows that a vector meets are for cuBLAS if they are longer and do not lie evenly, of four bytes an element and of
/// others, and if there is more of them than this. Measured on an H200; tests get to cuBLAS with less.
const SHORT: usize = 128;
const SHORT_OTHERS: usize = 24;
const SMALL_BYTES: usize = if cfg!(test) { 4 << 10 } else { 8 << 20 };

/// A matrix in the GPU's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matrix {
    /// Of its first element, in bytes.
    pub address: u64,
    /// From row to row, in elements.
    pub row: isize,
    /// From column to column.
    pub column: isize,
}

/// Products that follow each other: how many, and the steps between their operands and results in
/// elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    pub extent: usize,
    pub lhs: isize,
    pub rhs: isize,
    pub out: isize,
}

/// Products of (…, rows, depth) by (…, depth, columns) into a contiguous (…, rows, columns).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
    pub lhs: Matrix,
    pub rhs: Matrix,
    /// Where the first result begins, in bytes.
    pub out: u64,
    /// None of length one, and joined where both operands cross two of them evenly.
    pub axes: SmallVec<[Axis; AXES]>,
}

/// How cuBLAS, which thinks in columns, reads a matrix: as it lies, its rows are cuBLAS's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlasMatrix {
    pub address: u64,
    /// Whether its columns are contiguous, and not its rows.
    pub is_transposed: bool,
    /// From one contiguous run to the next, in elements.
    pub leading: usize,
    /// From matrix to matrix.
    pub step: isize,
}

impl Product {
    pub fn of(lhs: View<'_>, rhs: View<'_>, out: View<'_>) -> Product {
        let outer = out.layout.rank() - 2;
        let size = out.dtype().size();
        let start = |view: View<'_>| view.storage.address() + (view.layout.offset * size) as u64;
        let matrix = |view: View<'_>| Matrix {
            address: start(view),
            row: view.layout.strides[outer],
            column: view.layout.strides[outer + 1],
        };
        let shape = &out.layout.shape;
        let (rows, columns) = (shape[outer], shape[outer + 1]);
        let mut axes: SmallVec<[Axis; AXES]> = SmallVec::new();
        let mut out_step = (rows * columns) as isize;
        // From the innermost axis outwards; each joins the one before it if it can.
        for axis in (0..outer).rev() {
            let extent = shape[axis];
            if extent == 1 {
                continue;
            }
            let (lhs, rhs) = (lhs.layout.strides[axis], rhs.layout.strides[axis]);
            let reaches = |inner: &Axis| {
                let whole = inner.extent as isize;
                lhs == inner.lhs * whole && rhs == inner.rhs * whole
            };
            match axes.last_mut() {
                Some(inner) if reaches(inner) => inner.extent *= extent,
                _ => axes.push(Axis { extent, lhs, rhs, out: out_step }),
            }
            out_step *= extent as isize;
        }
        axes.reverse();
        let depth = lhs.layout.shape[outer + 1];
        let out = start(out);
        Product { rows, columns, depth, lhs: matrix(lhs), rhs: matrix(rhs), out, axes }
    }

    /// How many products there are.
    pub fn count(&self) -> usize {
        self.axes.iter().map(|axis| axis.extent).product()
    }

    /// Whether a matrix of elements of `size` bytes meets a vector along rows or columns that are contiguous, so that each
    /// result is a sum of neighbours, and a program is no slower than cuBLAS: where vectors of up to 32 bits lie evenly,
    /// where rows are short, and where launches are.
    pub fn sums_runs(&self, size: usize) -> bool {
        // The step along what is added up, that to the next of these runs, and how many there are.
        let (matrix, step, apart, count) = match (self.rows, self.columns) {
            (rows, 1) => (self.lhs, self.lhs.column, self.lhs.row, rows),
            (1, columns) => (self.rhs, self.rhs.row, self.rhs.column, columns),
            _ => return false,
        };
        let vector = VECTOR_BYTES / size;
        let is_even = size <= 4
            && matrix.address.is_multiple_of(VECTOR_BYTES as u64)
            && apart.unsigned_abs().is_multiple_of(vector)
            && self.depth.is_multiple_of(vector);
        let is_short = self.depth <= if size == 4 { SHORT } else { SHORT_OTHERS };
        let bytes = self.count() * count * self.depth * size;
        step == 1 && (is_even || is_short || bytes <= SMALL_BYTES)
    }

    /// The same as fewer, taller products: left operands that follow each other without holes and
    /// meet one right operand are one left operand. One that stands for many follows nothing: as
    /// rows that lie in one place no library reads it.
    pub fn with_joined_rows(mut self) -> Product {
        while let Some(axis) = self.axes.last() {
            let row = if self.rows == 1 { axis.lhs } else { self.lhs.row };
            let follows = axis.lhs != 0 && axis.lhs == row * self.rows as isize;
            if axis.rhs != 0 || !follows {
                break;
            }
            self.lhs.row = row;
            self.rows *= axis.extent;
            self.axes.pop();
        }
        self
    }

    /// Takes the axis with the most products away, for one call to do.
    pub fn take_longest_axis(&mut self) -> Axis {
        let longest = (0..self.axes.len()).max_by_key(|axis| self.axes[*axis].extent);
        let alone = Axis { extent: 1, lhs: 0, rhs: 0, out: 0 };
        longest.map_or(alone, |axis| self.axes.remove(axis))
    }

    /// Visits all points of the axes: where the operands and the result begin, in elements from
    /// their first.
    pub fn for_each_start(
        &self,
        mut visit: impl FnMut([isize; 3]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for number in 0..self.count() {
            let (mut starts, mut rest) = ([0; 3], number);
            for axis in self.axes.iter().rev() {
                let at = (rest % axis.extent) as isize;
                rest /= axis.extent;
                starts[0] += at * axis.lhs;
                starts[1] += at * axis.rhs;
                starts[2] += at * axis.out;
            }
            visit(starts)?;
        }
        Ok(())
    }

    /// The axes as our own kernel wants them, `struct Batch`; none where there are too many.
    pub fn axes_as_bytes(&self) -> Option<[u8; 3 * AXES * 8]> {
        let missing = AXES.checked_sub(self.axes.len())?;
        let mut words = [0i64; 3 * AXES];
        words[..AXES].fill(1);
        for (at, axis) in self.axes.iter().enumerate() {
            words[missing + at] = axis.extent as i64;
            words[AXES + missing + at] = axis.lhs as i64;
            words[2 * AXES + missing + at] = axis.rhs as i64;
        }
        let mut bytes = [0; 3 * AXES * 8];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_ne_bytes());
        }
        Some(bytes)
    }
}

impl Matrix {
    /// How cuBLAS can read a matrix of these extents where it lies; none if it can't.
    pub fn for_blas(&self, rows: usize, columns: usize) -> Option<BlasMatrix> {
        let run = |step: isize, leading: isize, len: usize, count: usize| {
            // The step along an axis of length one is never taken.
            let is_contiguous = step == 1 || len == 1;
            let leading = if count == 1 { len as isize } else { leading };
            (is_contiguous && leading >= len as isize).then_some(leading as usize)
        };
        let by_rows = run(self.column, self.row, columns, rows).map(|leading| (false, leading));
        let by_columns = run(self.row, self.column, rows, columns).map(|leading| (true, leading));
        let (is_transposed, leading) = by_rows.or(by_columns)?;
        Some(BlasMatrix { address: self.address, is_transposed, leading, step: 0 })
    }
}

impl BlasMatrix {
    /// The same of another matrix.
    pub fn at(self, address: u64, step: isize) -> BlasMatrix {
        BlasMatrix { address, step, ..self }
    }
}
