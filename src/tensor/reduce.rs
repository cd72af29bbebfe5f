//! Reductions: over which axes, in which type, and of what they are made.

use smallvec::SmallVec;

use super::float_errors::{Along, Called, Suspect};
use super::{BinaryOp, CompareOp, Engine, Error, Operand, ScanOp, Tensor, UnaryOp};
use crate::dtype::{DType, Kind, Scalar, default_for_integers};
use crate::ir::ReduceOp;
use crate::layout::Shape;
use crate::memory::Provenance;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reduction {
    Sum,
    Prod,
    Max,
    Min,
    Mean,
    /// `ddof` is taken off the number of elements that the squares' sum is divided by.
    Var {
        ddof: f64,
    },
    Std {
        ddof: f64,
    },
    Any,
    All,
    ArgMax,
    ArgMin,
    CountNonzero,
    /// By an operation's own formula: see [`Reduction::joined`].
    Joined(ReduceOp),
}

/// Elements of a row of neighbours, and of one whose elements lie apart, that a GPU's threads keep while they go over
/// it again, at the most (`codegen/reduce/choose.rs`).
const ROW_ON_CHIP: f64 = 32_768.0;
/// The same of a row of which they move less than vectors.
const UNEVEN_ROW_ON_CHIP: f64 = 16_384.0;
const COLUMN_ON_CHIP: f64 = 2_048.0;

/// Squares whose float64 sum loses no digit that float32 has.
const MOST_SQUARES: f64 = (1u64 << 26) as f64;

impl Reduction {
    /// The fold of elements of a type by an operation, from the first element to the last, if there is one.
    pub fn joined(op: BinaryOp, dtype: DType) -> Option<Reduction> {
        ReduceOp::joined_by(op).filter(|fold| fold.takes(dtype)).map(Reduction::Joined)
    }
}

impl Engine {
    /// Folds `axes` (all of them for `None`), which go away or stay with length one. Integers sum
    /// to int64, those without a sign to uint64; means of integers are of the default float; halves are summed in float32.
    /// `ArgMax` and `ArgMin` give int64 positions along their one axis, or in row-major order.
    ///
    /// # Errors
    /// ValueError for an axis that is not there or is named twice, and for the largest or smallest
    /// of no elements.
    pub fn reduce(
        &self,
        op: Reduction,
        x: &Tensor,
        axes: Option<&[i64]>,
        keepdims: bool,
    ) -> Result<Tensor, Error> {
        let axes = self.reduced_axes(x, axes)?;
        if !keepdims
            && axes.len() == x.rank()
            && !self.float_errors.matter()
            && let Some(number) = self.reduce_row(op, x)
        {
            return Ok(number);
        }
        let is_number = !keepdims && axes.len() == x.rank();
        let folded = match op {
            Reduction::Sum => self.accumulate(ReduceOp::Sum, x, &axes)?,
            Reduction::Prod => self.accumulate(ReduceOp::Prod, x, &axes)?,
            Reduction::Max | Reduction::Min | Reduction::ArgMax | Reduction::ArgMin => {
                self.extreme(op, x, &axes)?
            }
            Reduction::Mean => {
                // A single number is divided as such, but in NumPy no half and no complex one.
                let is_scalar = is_number && x.dtype() != DType::F16 && !x.dtype().is_complex();
                let name = Called { name: "divide", is_scalar };
                self.called(Some(name), || self.mean(x, &axes))?
            }
            Reduction::Var { ddof } => self.variance(x, &axes, ddof, is_number)?,
            Reduction::Std { ddof } => {
                let variance = self.variance(x, &axes, ddof, is_number)?;
                self.unary(UnaryOp::Sqrt, &variance)?
            }
            Reduction::Any | Reduction::All => {
                let x = self.cast(x, DType::Bool)?;
                let fold = if op == Reduction::Any { ReduceOp::Max } else { ReduceOp::Min };
                self.fold(fold, &x, &axes, DType::Bool)?
            }
            Reduction::CountNonzero => {
                let nonzero = self.cast(x, DType::Bool)?;
                let ones = self.cast(&nonzero, DType::I64)?;
                self.fold(ReduceOp::Sum, &ones, &axes, DType::I64)?
            }
            Reduction::Joined(fold) => {
                // Halves in float32 until the end.
                let wide = x.dtype().compute();
                self.cast(&self.fold(fold, &self.cast(x, wide)?, &axes, wide)?, x.dtype())?
            }
        };
        let is_heard = match op {
            Reduction::Sum | Reduction::Prod => true,
            // Of nothing there is no sum, and a quotient that was heard of.
            Reduction::Mean => axes.iter().all(|axis| x.shape()[usize::from(*axis)] > 0),
            _ => false,
        };
        if is_heard {
            let operands = [x];
            let along = Along::Axes(&axes);
            self.hear(&folded, || Some(Suspect::plain("reduce", &operands, along)))?;
        }
        if keepdims {
            return Ok(folded);
        }
        let gone: SmallVec<[i64; 6]> = axes.iter().map(|axis| i64::from(*axis)).collect();
        Ok(self.squeeze(&folded, Some(&gone))?.as_scalar(true))
    }

    /// Folds along one axis and keeps every step; along the flattened tensor for `None`. Sums and
    /// products are done in `dtype`; without one, those of integers in int64. Runs at once.
    ///
    /// # Errors
    /// ValueError for an axis that is not there; MemoryError.
    pub fn scan(
        &self,
        op: ScanOp,
        x: &Tensor,
        axis: Option<i64>,
        dtype: Option<DType>,
    ) -> Result<Tensor, Error> {
        let dtype = dtype.unwrap_or(match op {
            ScanOp::Sum | ScanOp::Prod => total_type(x.dtype()),
            ScanOp::Max | ScanOp::Min => x.dtype(),
        });
        let x = self.cast(x, dtype)?;
        let x = if axis.is_none() || x.rank() == 0 { self.ravel(&x)? } else { x };
        let axis = x.shape().axis(axis.unwrap_or(0))?;
        if x.dtype().is_complex() {
            let out = self.unheard(|| self.complex_scan(op, &x, axis))?;
            let operands = [&x];
            self.hear(&out, || Some(Suspect::plain("accumulate", &operands, Along::Before(axis))))?;
            return Ok(out);
        }
        let x = self.cast(&x, dtype.carrier())?;
        let input = self.leaf_of(&x)?;
        let out = self.fresh(&x, x.shape(), x.dtype(), Provenance::TEMPORARY.by(op.name()))?;
        let device = x.device();
        self.with_relief(device, || device.backend().scan(op, input.view(), axis, out.view()))?;
        let out = self.cast(&Tensor::from_leaf(out), dtype)?;
        let operands = [&x];
        self.hear(&out, || Some(Suspect::plain("accumulate", &operands, Along::Before(axis))))?;
        Ok(out)
    }

    fn reduced_axes(&self, x: &Tensor, axes: Option<&[i64]>) -> Result<SmallVec<[u8; 4]>, Error> {
        let Some(axes) = axes else {
            return Ok((0..x.rank() as u8).collect());
        };
        let mut normal: SmallVec<[u8; 4]> = SmallVec::new();
        for axis in axes {
            let axis = x.shape().axis(*axis)? as u8;
            if normal.contains(&axis) {
                return Err(Error::shape_error("duplicate value in 'axis'"));
            }
            normal.push(axis);
        }
        normal.sort_unstable();
        Ok(normal)
    }

    fn accumulate(&self, op: ReduceOp, x: &Tensor, axes: &[u8]) -> Result<Tensor, Error> {
        if x.dtype().is_complex() && op == ReduceOp::Prod {
            return self.unheard(|| self.complex_product(x, axes));
        }
        let wide = total_type(x.dtype()).compute();
        let folded = self.fold(op, &self.cast(x, wide)?, axes, wide)?;
        self.cast(&folded, total_type(x.dtype()))
    }

    fn extreme(&self, op: Reduction, x: &Tensor, axes: &[u8]) -> Result<Tensor, Error> {
        let (fold, name) = match op {
            Reduction::Max => (ReduceOp::Max, "maximum"),
            Reduction::Min => (ReduceOp::Min, "minimum"),
            Reduction::ArgMax => (ReduceOp::ArgMax, "argmax"),
            _ => (ReduceOp::ArgMin, "argmin"),
        };
        if axes.iter().any(|axis| x.shape()[*axis as usize] == 0) {
            return Err(if fold.is_arg() {
                Error::shape_error(format!("attempt to get {name} of an empty sequence"))
            } else {
                Error::shape_error(format!(
                    "zero-size array to reduction operation {name} which has no identity"
                ))
            });
        }
        if x.dtype().is_complex() {
            return match fold.is_arg() {
                true => self.complex_position(fold, x, axes),
                false => self.complex_extreme(fold, x, axes),
            };
        }
        let carried = self.cast(x, x.dtype().carrier())?;
        if fold.is_arg() {
            return self.fold(fold, &carried, axes, DType::I64);
        }
        self.cast(&self.fold(fold, &carried, axes, carried.dtype())?, x.dtype())
    }

    fn mean(&self, x: &Tensor, axes: &[u8]) -> Result<Tensor, Error> {
        let (wide, dtype) = self.mean_types(x);
        let sum = self.fold(ReduceOp::Sum, &self.cast(x, wide)?, axes, wide)?;
        let count = Scalar::Float(count_along(x.shape(), axes));
        self.cast(&self.binary(BinaryOp::Div, sum, count)?, dtype)
    }

    /// In two passes over each row: the mean, then the mean of squared distances from it, which is real. In one
    /// where a GPU would read memory twice for that. Errors tell whether it is a single number that is divided.
    fn variance(
        &self,
        x: &Tensor,
        axes: &[u8],
        ddof: f64,
        is_number: bool,
    ) -> Result<Tensor, Error> {
        let (wide, dtype) = self.mean_types(x);
        let count = count_along(x.shape(), axes);
        if self.reads_rows_twice(x, axes, count) {
            return self.cast(&self.variance_about_first(x, axes, count, ddof)?, dtype);
        }
        let x = self.cast(x, wide)?;
        let sum = self.fold(ReduceOp::Sum, &x, axes, wide)?;
        let mean = self.binary(BinaryOp::Div, sum, Scalar::Float(count))?;
        let distance = self.binary(BinaryOp::Sub, &x, mean)?;
        let square = match wide.is_complex() {
            true => self.heard_as("square", &[&distance], || self.squared_magnitude(&distance))?,
            false => self.unary(UnaryOp::Square, &distance)?,
        };
        let sum = self.fold(ReduceOp::Sum, &square, axes, wide.part())?;
        let freedom = Scalar::Float((count - ddof).max(0.0));
        // NumPy divides by an int64, which only meets a float64 as a scalar.
        let is_scalar = is_number && dtype.part() == DType::F64;
        let name = Called { name: "divide", is_scalar };
        let quotient = self.called(Some(name), || self.binary(BinaryOp::Div, sum, freedom))?;
        self.cast(&quotient, dtype.part())
    }

    /// Whether a GPU has no room on chip for the rows of a leaf whose squares float64 can add up.
    fn reads_rows_twice(&self, x: &Tensor, axes: &[u8], count: f64) -> bool {
        let Some(leaf) = x.leaf().filter(|_| x.device().is_gpu() && !self.float_errors.matter())
        else {
            return false;
        };
        let is_run = axes.iter().any(|axis| leaf.layout.strides[*axis as usize] == 1);
        let room = match is_run {
            true if count % 4.0 == 0.0 => ROW_ON_CHIP,
            true => UNEVEN_ROW_ON_CHIP,
            false => COLUMN_ON_CHIP,
        };
        let is_narrow = x.dtype().is_float() && x.dtype().compute() == DType::F32;
        is_narrow && count > room && count <= MOST_SQUARES
    }

    /// The sums of distances from the row's first element and of their squares, in float64; the variance is
    /// what the mean square has more than the mean's square (Chan, Golub and LeVeque, "Algorithms for
    /// Computing the Sample Variance", 1983). Because that element is one of the row's `n`, the one is at most
    /// `n` times the variance, so that with `MOST_SQUARES` of them float32 is left whole even then.
    fn variance_about_first(
        &self,
        x: &Tensor,
        axes: &[u8],
        count: f64,
        ddof: f64,
    ) -> Result<Tensor, Error> {
        let mut first = x.clone();
        for axis in axes {
            first = self.narrow(&first, *axis as usize, 0, 1, 1)?;
        }
        let (x, first) = (self.cast(x, DType::F64)?, self.cast(&first, DType::F64)?);
        let distance = self.binary(BinaryOp::Sub, &x, &first)?;
        let square = self.unary(UnaryOp::Square, &distance)?;
        let sum = self.fold(ReduceOp::Sum, &distance, axes, DType::F64)?;
        let squares = self.fold(ReduceOp::Sum, &square, axes, DType::F64)?;
        let of_mean = self.binary(BinaryOp::Mul, &sum, &sum)?;
        let of_mean = self.binary(BinaryOp::Div, &of_mean, Scalar::Float(count))?;
        let around_mean = self.binary(BinaryOp::Sub, &squares, &of_mean)?;
        let freedom = Scalar::Float((count - ddof).max(0.0));
        self.binary(BinaryOp::Div, &around_mean, freedom)
    }

    /// The types in which a mean is summed and given.
    fn mean_types(&self, x: &Tensor) -> (DType, DType) {
        let dtype = default_for_integers(x.dtype(), self.default_float());
        let wide = if x.dtype().is_float() { dtype.compute() } else { dtype };
        (wide, dtype)
    }

    /// Whether any element of a bool tensor is true, now.
    pub fn any_true(&self, x: &Tensor) -> Result<bool, Error> {
        Ok(self.item(&self.reduce(Reduction::Any, x, None, false)?)?.as_bool())
    }

    /// Whether every element of a bool tensor is true, now.
    pub fn all_true(&self, x: &Tensor) -> Result<bool, Error> {
        Ok(self.item(&self.reduce(Reduction::All, x, None, false)?)?.as_bool())
    }

    /// The smallest and the largest element, now; together.
    ///
    /// # Errors
    /// ValueError where there are no elements.
    pub fn range_of(&self, x: &Tensor) -> Result<(Scalar, Scalar), Error> {
        let low = self.reduce(Reduction::Min, x, None, false)?;
        let high = self.reduce(Reduction::Max, x, None, false)?;
        let found = self.read(&[&low, &high])?;
        Ok((found[0].scalar(0), found[1].scalar(0)))
    }

    /// `x != 0`, as bool.
    pub fn nonzero_mask(&self, x: &Tensor) -> Result<Tensor, Error> {
        match x.dtype() {
            DType::Bool => Ok(x.clone()),
            _ => self.compare(CompareOp::Ne, x, Operand::Scalar(Scalar::Int(0))),
        }
    }
}

/// The type of a sum or a product of elements.
pub fn total_type(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Signed => DType::I64,
        Kind::Unsigned => DType::U64,
        Kind::Float | Kind::Complex => dtype,
    }
}

fn count_along(shape: &Shape, axes: &[u8]) -> f64 {
    axes.iter().map(|axis| shape[*axis as usize] as f64).product()
}
