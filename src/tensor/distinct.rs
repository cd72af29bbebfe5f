//! The distinct elements of a tensor, and where and how often they occur.

use super::choice::Choice;
use super::{BinaryOp, CompareOp, Engine, Error, IndexItem, Operand, ScanOp, Tensor};
use crate::dtype::{DType, Scalar};
use crate::layout::Shape;

/// The distinct elements of a flattened tensor, in order. What else is known of them is computed when it is asked for.
pub struct Distinct {
    pub values: Tensor,
    sorted: Tensor,
    /// Of each sorted element, its place in the flattened tensor.
    places: Option<Tensor>,
    /// Which sorted elements are the first of their value.
    starts: Tensor,
    choice: Choice,
}

impl Engine {
    /// The distinct elements of the flattened tensor, in order. All NaN count as one if `equal_nan`.
    ///
    /// # Errors
    /// MemoryError.
    pub fn unique(&self, x: &Tensor, equal_nan: bool) -> Result<Tensor, Error> {
        let sorted = self.sort(&self.ravel(x)?, 0, false)?;
        let starts = self.run_starts(&sorted, equal_nan)?;
        self.compress(&sorted, &starts)
    }

    /// The same with how often each occurs and, if `with_places`, where.
    ///
    /// # Errors
    /// MemoryError.
    pub fn distinct(
        &self,
        x: &Tensor,
        equal_nan: bool,
        with_places: bool,
    ) -> Result<Distinct, Error> {
        let flat = self.ravel(x)?;
        let (sorted, places) = match with_places {
            true => self
                .sort_with_places(&flat, 0, false)
                .map(|(sorted, places)| (sorted, Some(places)))?,
            false => (self.sort(&flat, 0, false)?, None),
        };
        let starts = self.run_starts(&sorted, equal_nan)?;
        self.realize_node(&starts)?;
        let choice = self.choice(&starts)?;
        let values = self.chosen(&sorted, &choice)?;
        Ok(Distinct { values, sorted, places, starts, choice })
    }

    /// Where a sorted tensor's element differs from the one before it.
    fn run_starts(&self, sorted: &Tensor, equal_nan: bool) -> Result<Tensor, Error> {
        let count = sorted.elem_count();
        let mask = self.empty_beside(sorted, &Shape::from([count]), DType::Bool)?;
        if count == 0 {
            return Ok(mask);
        }
        let before = self.narrow(sorted, 0, 0, count - 1, 1)?;
        let after = self.narrow(sorted, 0, 1, count - 1, 1)?;
        let mut differs = self.compare(CompareOp::Ne, &after, &before)?;
        if sorted.dtype().is_inexact() && equal_nan {
            let was_nan = self.unary(super::UnaryOp::IsNan, &before)?;
            let was_number = self.unary(super::UnaryOp::Not, &was_nan)?;
            differs = self.binary(BinaryOp::BitAnd, &differs, &was_number)?;
        }
        let rest = self.narrow(&mask, 0, 1, count - 1, 1)?;
        self.write(&differs, &rest.leaf().expect("a view of a leaf is a leaf"))?;
        // Else the next write would compute it a second time, for whoever held it.
        drop(differs);
        let head = self.narrow(&mask, 0, 0, 1, 1)?;
        self.assign_all(&head, Operand::Scalar(Scalar::Bool(true)))?;
        Ok(mask)
    }
}

impl std::fmt::Debug for Distinct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Distinct").field("values", &self.values).finish_non_exhaustive()
    }
}

impl Distinct {
    /// How often each value occurs: int64.
    ///
    /// # Errors
    /// MemoryError.
    pub fn counts(&self, engine: &Engine) -> Result<Tensor, Error> {
        let starts = engine.places_of(&self.choice)?.remove(0);
        let count = Scalar::Int(self.sorted.elem_count() as i64);
        let end = engine.full(&Shape::from([1]), count, DType::I64)?;
        let end = engine.to_device(&end, self.sorted.device())?;
        let ends = engine.concatenate(&[starts.clone(), end], 0)?;
        let ends = engine.narrow(&ends, 0, 1, starts.elem_count(), 1)?;
        engine.binary(BinaryOp::Sub, &ends, &starts)
    }

    /// Where each value occurs first in the flattened tensor: int64.
    ///
    /// # Errors
    /// MemoryError.
    ///
    /// # Panics
    /// Without places.
    pub fn first(&self, engine: &Engine) -> Result<Tensor, Error> {
        engine.chosen(self.places(), &self.choice)
    }

    /// Of each element of the flattened tensor, the place of its value among the distinct ones: int64.
    ///
    /// # Errors
    /// MemoryError.
    ///
    /// # Panics
    /// Without places.
    pub fn inverse(&self, engine: &Engine) -> Result<Tensor, Error> {
        let ranks = engine.scan(ScanOp::Sum, &self.starts, Some(0), None)?;
        let ranks = engine.binary(BinaryOp::Sub, &ranks, Scalar::Int(1))?;
        let inverse = engine.empty_beside(&self.sorted, self.sorted.shape(), DType::I64)?;
        engine.assign(&inverse, &[IndexItem::Tensor(self.places().clone())], &ranks)?;
        Ok(inverse)
    }

    fn places(&self) -> &Tensor {
        self.places.as_ref().expect("the places were asked for")
    }
}
