//! Which bin an element lies in.

use super::{BinaryOp, CompareOp, Engine, Error, IndexItem, Tensor};
use crate::dtype::{DType, Scalar};

impl Engine {
    /// The number of each element's bin between rising `edges`, and whether it lies in any. The
    /// last bin holds its upper edge, too.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError.
    pub fn bins_of(&self, x: &Tensor, edges: &Tensor) -> Result<(Tensor, Tensor), Error> {
        let bins = edges.elem_count() as i64 - 1;
        if bins < 1 {
            let place = self.full(x.shape(), Scalar::Int(0), DType::I64)?;
            return Ok((place, self.full(x.shape(), Scalar::Bool(false), DType::Bool)?));
        }
        let last = self.narrow(edges, 0, bins as usize, 1, 1)?;
        let first = self.narrow(edges, 0, 0, 1, 1)?;
        // The bin's number is the count of edges not above.
        let place = self.searchsorted(edges, x, true)?;
        let place = self.binary(BinaryOp::Sub, &place, Scalar::Int(1))?;
        let at_end = self.compare(CompareOp::Eq, x, &last)?;
        let place = self.select(&at_end, Scalar::Int(bins - 1), &place)?;
        let above = self.compare(CompareOp::Ge, x, &first)?;
        let below = self.compare(CompareOp::Le, x, &last)?;
        let inside = self.binary(BinaryOp::BitAnd, &above, &below)?;
        Ok((place, inside))
    }

    /// The number of each element's bin, of those into which `edges` cut the range from `low` to `high`,
    /// where all elements lie, in equal parts. The last bin holds its upper edge, too.
    ///
    /// The number is guessed from the element's place in the range and set right by one where the edges, which
    /// are rounded, say so: `numpy.histogram`'s way. Where bins are as narrow as the rounding, the edges are
    /// searched.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError.
    pub fn equal_bins_of(
        &self,
        x: &Tensor,
        edges: &Tensor,
        (low, high): (f64, f64),
    ) -> Result<Tensor, Error> {
        let bins = edges.elem_count().saturating_sub(1);
        let unit = match x.dtype() {
            DType::F32 => f64::from(f32::EPSILON),
            DType::F64 => f64::EPSILON,
            // Of narrower floats a few steps may be a bin.
            _ => 1.0,
        };
        let width = (high - low) / bins as f64;
        let rounding = unit * low.abs().max(high.abs());
        let scale = 1.0 / width;
        let is_guessed =
            width > 8.0 * rounding && unit * (bins as f64) < 1.0 / 16.0 && scale.is_finite();
        if !is_guessed {
            return Ok(self.bins_of(x, edges)?.0);
        }
        let last = Scalar::Int(bins as i64 - 1);
        let guess = self.binary(BinaryOp::Sub, x, Scalar::Float(low))?;
        let guess = self.binary(BinaryOp::Mul, &guess, Scalar::Float(scale))?;
        let guess = self.cast(&guess, DType::I64)?;
        let guess = self.binary(BinaryOp::Max, &guess, Scalar::Int(0))?;
        let guess = self.binary(BinaryOp::Min, &guess, last)?;
        let edge = |place: Tensor| self.index(edges, &[IndexItem::Tensor(place)]);
        let lower = edge(guess.clone())?;
        let upper = edge(self.binary(BinaryOp::Add, &guess, Scalar::Int(1))?)?;
        let is_below = self.compare(CompareOp::Lt, x, &lower)?;
        let is_above = self.compare(CompareOp::Ge, x, &upper)?;
        let place = self.binary(BinaryOp::Sub, &guess, &self.cast(&is_below, DType::I64)?)?;
        let place = self.binary(BinaryOp::Add, &place, &self.cast(&is_above, DType::I64)?)?;
        // The last bin holds its upper edge. So no place needs a check, either, when it is counted.
        let place = self.binary(BinaryOp::Max, &place, Scalar::Int(0))?;
        self.binary(BinaryOp::Min, &place, last)
    }
}
