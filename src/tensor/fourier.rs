//! Fourier transforms by the device that has the lines ([`Transformer`](crate::device::Transformer)). They
//! run at once.

use super::leaf::{Leaf, width};
use super::{BinaryOp, Engine, Error, Tensor};
use crate::device::{Fourier, Rows, View};
use crate::dtype::{DType, Scalar};
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

impl Engine {
    /// What the lines along an axis become, times `scale`: lines of `n` numbers, of which there are
    /// n // 2 + 1 where the others follow from them. They are of float32, float64, complex64 or complex128,
    /// real before [`Fourier::Real`] and after [`Fourier::Conjugate`], else complex.
    ///
    /// # Errors
    /// ValueError where the lines have another length; TypeError for another type; RuntimeError where the
    /// device transforms none, with what to do about it; MemoryError.
    pub fn transform(
        &self,
        what: Fourier,
        x: &Tensor,
        axis: usize,
        n: usize,
        scale: f64,
    ) -> Result<Tensor, Error> {
        let half = n / 2 + 1;
        let (before, after, dtype) = match (what, x.dtype()) {
            (Fourier::Complex { .. }, dtype @ (DType::C64 | DType::C128)) => (n, n, dtype),
            (Fourier::Real, DType::F32) => (n, half, DType::C64),
            (Fourier::Real, DType::F64) => (n, half, DType::C128),
            (Fourier::Conjugate, dtype @ (DType::C64 | DType::C128)) => (half, n, dtype.part()),
            (_, dtype) => {
                let words = format!("{} does not take elements of {dtype}", what.name());
                return Err(Error::type_error(words));
            }
        };
        let mut shape: Shape = x.shape().clone();
        if shape.get(axis) != Some(&before) || n == 0 {
            let words = format!("{} of {n} does not fit {}", what.name(), x.shape());
            return Err(Error::shape_error(words));
        }
        let rows = Rows {
            before: shape[..axis].iter().product(),
            n,
            after: shape[axis + 1..].iter().product(),
        };
        let backend = x.device().backend();
        let transformer = backend.transformer()?;
        let is_limited = transformer.is_limited();
        if is_limited && rows.before > 1 && rows.after > 1 {
            let last = x.rank() as i64 - 1;
            let moved = self.swapaxes(x, axis as i64, last)?;
            let result = self.transform(what, &moved, x.rank() - 1, n, scale)?;
            return self.swapaxes(&result, axis as i64, last);
        }
        shape[axis] = after;
        let mut input = self.contiguous_leaf(x)?;
        if is_limited && (what == Fourier::Conjugate || input.layout.offset > 0) {
            input = self.compute(x)?;
        }
        let output = self.fresh(x, &shape, dtype, Provenance::TEMPORARY.by(what.name()))?;
        if shape.elem_count() > 0 {
            let (from, to) = (elements_of(&input), elements_of(&output));
            let from = View { storage: &input.storage, layout: &from };
            let to = View { storage: &output.storage, layout: &to };
            self.with_relief(x.device(), || transformer.transform(what, rows, scale, from, to))?;
        }
        let result = Tensor::from_leaf(output);
        match is_limited && scale != 1.0 {
            true => self.binary(BinaryOp::Mul, &result, Scalar::Float(scale)),
            false => Ok(result),
        }
    }
}

/// The real elements of a contiguous leaf, in a row.
fn elements_of(leaf: &Leaf) -> Layout {
    let width = width(leaf.dtype);
    let mut layout = Layout::contiguous(Shape::from(&[leaf.layout.elem_count() * width][..]));
    layout.offset = leaf.layout.offset * width;
    layout
}

#[cfg(all(test, feature = "fft"))]
mod tests;
