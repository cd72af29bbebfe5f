//! Matrix products of complex numbers as products of real ones: rows of complex numbers are rows of twice as many reals,
//! each number's parts side by side, and lie in memory so.

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::ir::MapOp;
use crate::layout::{Layout, Shape};
use crate::tensor::leaf::Leaf;
use crate::tensor::{BinaryOp, Engine, Error, Tensor, UnaryOp};

/// Columns of a right matrix whose rows are too short to be written one by one.
const NARROW: usize = 8;

/// Which factor becomes a matrix of twice as many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubled {
    Left,
    Right,
}

impl Engine {
    /// [`Engine::real_matmul`] of complex matrices.
    ///
    /// # Errors
    /// What computing the operands may bring up; MemoryError.
    pub(in crate::tensor) fn complex_matmul(
        &self,
        rows: &Tensor,
        columns: &Tensor,
        batch: &Shape,
    ) -> Result<Tensor, Error> {
        let rows = Tensor::from_leaf(self.leaf_of(rows)?);
        let columns = Tensor::from_leaf(self.leaf_of(columns)?);
        // The product of turned factors is the turned product, and a vector lies the same either way.
        let turned = |x: &Tensor| self.swapaxes(x, -1, -2);
        let factors = [turned(&columns)?, turned(&rows)?];
        let [as_they_are, as_turned] =
            [Way::of(&rows, &columns, batch), Way::of(&factors[0], &factors[1], batch)];
        let [m, n] = [rows.shape()[rows.rank() - 2], columns.shape()[columns.rank() - 1]];
        let made = [batch.elem_count(), m, n].map(|n| n as f64).iter().product::<f64>();
        let copy = if m == 1 || n == 1 { 0.0 } else { 2.0 * made };
        if as_turned.cost + copy < as_they_are.cost {
            let product = self.multiply_by(as_turned, &factors[0], &factors[1], batch)?;
            return self.contiguous(&turned(&product)?);
        }
        self.multiply_by(as_they_are, &rows, &columns, batch)
    }

    fn multiply_by(
        &self,
        way: Way,
        a: &Tensor,
        b: &Tensor,
        batch: &Shape,
    ) -> Result<Tensor, Error> {
        match way.doubled {
            Doubled::Right => self.multiply_by_doubled(a, b, batch),
            Doubled::Left => self.multiply_doubled(a, b, batch),
        }
    }

    /// a·b = re(a)·b + im(a)·(ib): the right matrix has each of its rows next to `i` times it. If it is narrow, it is made
    /// turned round, so that long rows are written.
    fn multiply_by_doubled(&self, a: &Tensor, b: &Tensor, batch: &Shape) -> Result<Tensor, Error> {
        let (dtype, part) = (a.dtype(), a.dtype().part());
        let is_narrow = b.shape()[b.rank() - 1] <= NARROW;
        let [re, im] =
            self.parts(&if is_narrow { self.swapaxes(b, -1, -2)? } else { b.clone() })?;
        let minus = self.unary(UnaryOp::Neg, &im)?;
        let both = match is_narrow {
            true => [self.pair(&re, &minus)?, self.pair(&im, &re)?],
            false => [b.clone(), self.pair(&minus, &re)?],
        };
        let doubled = self.view_as(&self.rows_together(&both, b.rank() - 1)?, part)?;
        let b = if is_narrow { self.swapaxes(&doubled, -1, -2)? } else { doubled };
        let a = self.view_as(&self.in_rows(a)?, part)?;
        Ok(of_complex(&self.real_matmul(&a, &b, batch)?, dtype))
    }

    /// The same with the real and the imaginary parts of the left matrix one below the other: what the lower half makes is
    /// multiplied by `i` afterwards.
    fn multiply_doubled(&self, a: &Tensor, b: &Tensor, batch: &Shape) -> Result<Tensor, Error> {
        let (dtype, part, m) = (a.dtype(), a.dtype().part(), a.shape()[a.rank() - 2]);
        let a = self.rows_together(&[self.real(a)?, self.imag(a)?], a.rank() - 2)?;
        let b = self.view_as(&self.in_rows(b)?, part)?;
        let both = of_complex(&self.real_matmul(&a, &b, batch)?, dtype);
        let axis = both.rank() - 2;
        let [upper, lower] = [0, m].map(|start| self.narrow(&both, axis, start, m, 1));
        let ([a, b], [c, d]) = (self.parts(&upper?)?, self.parts(&lower?)?);
        let re = self.binary(BinaryOp::Sub, &a, &d)?;
        let im = self.binary(BinaryOp::Add, &b, &c)?;
        let product = self.map(MapOp::Pair, &[&re, &im], dtype)?;
        Ok(Tensor::from_leaf(self.leaf_of(&product)?))
    }

    /// Two stacks of matrices as one of twice as many rows: those of both in turn, or of one below the other, as they are
    /// side by side along a new axis before the last one or before the rows.
    fn rows_together(&self, both: &[Tensor; 2], axis: usize) -> Result<Tensor, Error> {
        let mut extents: SmallVec<[i64; 6]> = both[0].shape().iter().map(|n| *n as i64).collect();
        extents[both[0].rank() - 2] *= 2;
        self.reshape(&self.stack(both, axis as i64)?, &extents)
    }

    /// The matrices with the elements of each row side by side.
    fn in_rows(&self, x: &Tensor) -> Result<Tensor, Error> {
        if lies_in_rows(x) { Ok(x.clone()) } else { self.contiguous(x) }
    }
}

/// The memory of a product's rows, which nobody else holds, as complex numbers of their own.
fn of_complex(product: &Tensor, dtype: DType) -> Tensor {
    let leaf = product.leaf().expect("a product is computed at once");
    let mut shape = leaf.layout.shape.clone();
    shape[product.rank() - 1] /= 2;
    Tensor::from_leaf(Leaf { layout: Layout::contiguous(shape), dtype, ..leaf })
}

/// How a product is made, and about how many elements are written and read for it besides.
#[derive(Debug, Clone, Copy)]
struct Way {
    doubled: Doubled,
    cost: f64,
}

impl Way {
    /// The cheaper one.
    fn of(a: &Tensor, b: &Tensor, batch: &Shape) -> Way {
        let count = |x: &Tensor| x.shape().elem_count() as f64;
        let copy = |x: &Tensor| if lies_in_rows(x) { 0.0 } else { 2.0 * count(x) };
        let [m, n] = [a.shape()[a.rank() - 2], b.shape()[b.rank() - 1]].map(|n| n as f64);
        let by_right = 3.0 * count(b) + copy(a);
        let by_left = 2.0 * count(a) + copy(b) + 4.0 * batch.elem_count() as f64 * m * n;
        match by_right <= by_left {
            true => Way { doubled: Doubled::Right, cost: by_right },
            false => Way { doubled: Doubled::Left, cost: by_left },
        }
    }
}

fn lies_in_rows(x: &Tensor) -> bool {
    let last = x.rank() - 1;
    x.shape()[last] <= 1 || x.leaf().is_some_and(|leaf| leaf.layout.strides[last] == 1)
}
