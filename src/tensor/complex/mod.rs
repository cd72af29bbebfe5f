//! Complex tensors and their parts. What back ends do to memory by other means than programs is done to the
//! parts here, each by itself.

mod fold;
mod matmul;
mod memory;

use super::leaf::Part;
use super::node::{Lazy, State};
use super::{BinaryOp, Engine, Error, Permission, Tensor, UnaryOp};
use crate::dtype::Scalar;
use crate::ir::MapOp;
use crate::layout::Shape;

impl Engine {
    /// The real parts: a view of a complex tensor's memory, the tensor itself of another type.
    ///
    /// # Errors
    /// What computing the tensor may bring up.
    pub fn real(&self, x: &Tensor) -> Result<Tensor, Error> {
        if x.dtype().is_complex() { self.part_view(x, Part::Real) } else { Ok(x.clone()) }
    }

    /// The imaginary parts: a view of a complex tensor's memory, zeros that nobody writes to of another
    /// type.
    ///
    /// # Errors
    /// What computing the tensor may bring up.
    pub fn imag(&self, x: &Tensor) -> Result<Tensor, Error> {
        if x.dtype().is_complex() {
            return self.part_view(x, Part::Imag);
        }
        let zero = Scalar::Int(0);
        let zeros = self.constant_on(x.device().clone(), x.shape().clone(), zero, x.dtype());
        Ok(zeros.as_scalar(x.is_scalar()).with_permission(Permission::Imaginary))
    }

    fn part_view(&self, x: &Tensor, part: Part) -> Result<Tensor, Error> {
        let number = x.number().map(Scalar::as_complex);
        if let Some(number) = number.filter(|_| x.is_scalar()) {
            let value = if part == Part::Real { number.re } else { number.im };
            return Ok(self.number_on(x.device().clone(), Scalar::Float(value), x.dtype().part()));
        }
        let view = Tensor::from_leaf(self.leaf_of(x)?.part(part));
        Ok(view.as_scalar(x.is_scalar()).permitted_as(x))
    }

    /// The complex tensor that has these parts, floats of one type, broadcast together; lazily.
    ///
    /// # Errors
    /// ValueError where the shapes do not broadcast.
    pub fn pair(&self, re: &Tensor, im: &Tensor) -> Result<Tensor, Error> {
        let dtype = re.dtype().to_complex().expect("the parts are floats");
        let (re, im) = (self.cast(re, dtype.part())?, self.cast(im, dtype.part())?);
        self.map(MapOp::Pair, &[&re, &im], dtype)
    }

    /// The complex conjugate; real numbers as they are.
    ///
    /// # Errors
    /// Only what computing a very long chain of operations may bring up.
    pub fn conjugate(&self, x: &Tensor) -> Result<Tensor, Error> {
        if !x.dtype().is_complex() {
            return self.copy(x);
        }
        let [re, im] = self.parts(x)?;
        self.pair(&re, &self.unary(UnaryOp::Neg, &im)?)
    }

    /// The angle with the positive half of the real axis, in radians.
    ///
    /// # Errors
    /// Only what computing a very long chain of operations may bring up.
    pub fn angle(&self, x: &Tensor) -> Result<Tensor, Error> {
        if x.dtype().is_complex() {
            let [re, im] = self.parts(x)?;
            return self.binary(BinaryOp::Atan2, im, re);
        }
        let zero = self.constant_on(x.device().clone(), Shape::scalar(), Scalar::Int(0), x.dtype());
        self.binary(BinaryOp::Atan2, &zero, x)
    }

    /// The sum of the squares of both parts, which is real.
    pub(super) fn squared_magnitude(&self, x: &Tensor) -> Result<Tensor, Error> {
        let [re, im] = self.parts(x)?;
        let squares = [self.unary(UnaryOp::Square, &re)?, self.unary(UnaryOp::Square, &im)?];
        self.binary(BinaryOp::Add, &squares[0], &squares[1])
    }

    /// Both parts of a complex tensor, lazily: what reads them fuses with what made them.
    pub(super) fn parts(&self, x: &Tensor) -> Result<[Tensor; 2], Error> {
        if let State::Lazy(Lazy::Map { op: MapOp::Pair, operands }) = &*x.0.state.borrow()
            && operands.iter().all(|operand| operand.shape() == x.shape())
        {
            return Ok([operands[0].clone(), operands[1].clone()]);
        }
        let part = x.dtype().part();
        Ok([self.map(MapOp::Cast, &[x], part)?, self.map(MapOp::Imag, &[x], part)?])
    }
}
