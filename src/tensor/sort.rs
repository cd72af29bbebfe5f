//! Order: sorting, searching, distinct values, places of the true ones. All run at once.

use super::graph::same_device;
use super::leaf::Leaf;
use super::{BinaryOp, CompareOp, Engine, Error, IndexItem, Reduction, Tensor};
use crate::dtype::{DType, Scalar, comparable};
use crate::layout::Shape;
use crate::memory::Provenance;

/// Steps of a binary search that become one program.
const SEARCH_STEPS: u32 = 8;

impl Engine {
    /// Along an axis, NaN last; equal elements keep their order.
    ///
    /// # Errors
    /// ValueError for an axis that is not there; MemoryError.
    pub fn sort(&self, x: &Tensor, axis: i64, descending: bool) -> Result<Tensor, Error> {
        let (values, _) = self.sort_along(x, axis, descending, true, false)?;
        Ok(values.expect("values were asked for"))
    }

    /// The places that the elements have before sorting: int64.
    ///
    /// # Errors
    /// As [`Engine::sort`].
    pub fn argsort(&self, x: &Tensor, axis: i64, descending: bool) -> Result<Tensor, Error> {
        let (_, places) = self.sort_along(x, axis, descending, false, true)?;
        Ok(places.expect("places were asked for"))
    }

    /// The elements along an axis with those at these places where sorting puts them, smaller ones before and larger ones
    /// behind, NaN last. All places lie in the axis.
    ///
    /// # Errors
    /// As [`Engine::sort`].
    pub fn partition(&self, x: &Tensor, places: &[usize], axis: i64) -> Result<Tensor, Error> {
        if x.dtype().is_complex() {
            return self.sort(x, axis, false);
        }
        let axis = x.shape().axis(axis)? as i64;
        let moved = self.swapaxes(x, axis, -1)?;
        let moved = self.cast(&moved, x.dtype().carrier())?;
        let input = self.leaf_of(&moved)?;
        let provenance = Provenance::TEMPORARY.by("partition");
        let out = self.fresh(&moved, moved.shape(), moved.dtype(), provenance)?;
        let mut places = places.to_vec();
        places.sort_unstable();
        places.dedup();
        let device = x.device();
        self.with_relief(device, || device.backend().partition(input.view(), &places, out.view()))?;
        let parted = self.swapaxes(&Tensor::from_leaf(out), axis, -1)?;
        self.cast(&self.contiguous(&parted)?, x.dtype())
    }

    /// Both at once.
    ///
    /// # Errors
    /// As [`Engine::sort`].
    pub fn sort_with_places(
        &self,
        x: &Tensor,
        axis: i64,
        descending: bool,
    ) -> Result<(Tensor, Tensor), Error> {
        let (values, places) = self.sort_along(x, axis, descending, true, true)?;
        Ok((values.expect("values were asked for"), places.expect("places were asked for")))
    }

    /// The coordinates of the elements that are not zero, in row-major order: one int64 tensor for
    /// each axis.
    ///
    /// # Errors
    /// ValueError for a tensor without axes; MemoryError.
    pub fn nonzero(&self, x: &Tensor) -> Result<Vec<Tensor>, Error> {
        if x.rank() == 0 {
            return Err(Error::value_error(
                "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.",
            ));
        }
        self.positions(&self.nonzero_mask(x)?)
    }

    /// The coordinates of the elements that are not zero, one row each: int64.
    ///
    /// # Errors
    /// MemoryError.
    pub fn argwhere(&self, x: &Tensor) -> Result<Tensor, Error> {
        if x.rank() == 0 {
            let count = usize::from(self.item(&self.nonzero_mask(x)?)?.as_bool());
            return self.empty_beside(x, &Shape::from([count, 0]), DType::I64);
        }
        self.transpose(&self.stack(&self.nonzero(x)?, 0)?)
    }

    /// The `count` largest (or smallest) elements along an axis in order, and their places.
    ///
    /// # Errors
    /// ValueError where the axis is shorter; MemoryError.
    pub fn topk(
        &self,
        x: &Tensor,
        count: usize,
        axis: i64,
        largest: bool,
    ) -> Result<(Tensor, Tensor), Error> {
        let at = x.shape().axis(axis)?;
        if count > x.shape()[at] {
            return Err(Error::value_error(format!(
                "k = {count} is out of range for an axis of length {}",
                x.shape()[at]
            )));
        }
        let (values, places) = self.sort_with_places(x, axis, largest)?;
        Ok((self.narrow(&values, at, 0, count, 1)?, self.narrow(&places, at, 0, count, 1)?))
    }

    /// Where each value would be inserted into the sorted one-axis tensor to keep it sorted; behind
    /// equal elements if `right`. int64, of the shape of `values`.
    ///
    /// # Errors
    /// ValueError where `sorted` has not one axis; MemoryError.
    pub fn searchsorted(
        &self,
        sorted: &Tensor,
        values: &Tensor,
        right: bool,
    ) -> Result<Tensor, Error> {
        if sorted.rank() != 1 {
            return Err(Error::value_error("object too deep for desired array"));
        }
        let dtype = comparable(sorted.dtype(), values.dtype());
        if !dtype.is_complex()
            && let Some(searcher) = values.device().backend().searcher()
        {
            let dtype = dtype.carrier();
            let (sorted, values) = (self.cast(sorted, dtype)?, self.cast(values, dtype)?);
            same_device(&[&sorted, &values])?;
            let (among, of) = (self.leaf_of(&sorted)?, self.leaf_of(&values)?);
            let provenance = Provenance::TEMPORARY.by("search");
            let out = self.fresh(&values, values.shape(), DType::I64, provenance)?;
            self.with_relief(values.device(), || {
                searcher.search(among.view(), of.view(), right, out.view())
            })?;
            return Ok(Tensor::from_leaf(out));
        }
        let (sorted, values) = (&self.cast(sorted, dtype)?, &self.cast(values, dtype)?);
        self.realize_node(sorted)?;
        let count = sorted.elem_count() as i64;
        let constant = |value, dtype| {
            self.constant_on(values.device().clone(), values.shape().clone(), value, dtype)
        };
        // Numbers of half the width are half the work, wherever they can count the elements.
        let counting = if count < i64::from(i32::MAX) { DType::I32 } else { DType::I64 };
        let mut place = constant(Scalar::Int(0), counting);
        // A binary search for all values at once: of those that are left, a place moves behind the first half
        // if that ends before where the value belongs. NaN, behind all numbers, ends no half before one.
        let op = if right { CompareOp::Ge } else { CompareOp::Gt };
        let (mut left, mut steps) = (count, 0);
        while left > 0 {
            let half = (left + 1) / 2;
            let last = self.binary(BinaryOp::Add, &place, Scalar::Int(half - 1))?;
            let element = self.index(sorted, &[IndexItem::Tensor(last)])?;
            let moves = self.compare(op, values, &element)?;
            let behind = self.binary(BinaryOp::Add, &place, Scalar::Int(half))?;
            place = self.select(&moves, &behind, &place)?;
            left -= half;
            steps += 1;
            if steps % SEARCH_STEPS == 0 {
                self.realize_node(&place)?;
            }
        }
        let place = self.cast(&place, DType::I64)?;
        if !dtype.is_inexact() || count == 0 {
            return Ok(place);
        }
        // As a value NaN stands behind all numbers and, on the right, behind other NaN.
        let end = match right {
            true => constant(Scalar::Int(count), DType::I64),
            false => {
                let numbers = self.compare(CompareOp::Eq, sorted, sorted)?;
                self.reduce(Reduction::Sum, &numbers, None, false)?
            }
        };
        let is_number = self.compare(CompareOp::Eq, values, values)?;
        self.select(&is_number, &place, &end)
    }

    pub(super) fn empty_beside(
        &self,
        like: &Tensor,
        shape: &Shape,
        dtype: DType,
    ) -> Result<Tensor, Error> {
        Ok(Tensor::from_leaf(self.fresh(like, shape, dtype, Provenance::TEMPORARY)?))
    }

    fn sort_along(
        &self,
        x: &Tensor,
        axis: i64,
        descending: bool,
        values: bool,
        places: bool,
    ) -> Result<(Option<Tensor>, Option<Tensor>), Error> {
        let axis = x.shape().axis(axis)? as i64;
        let moved = self.swapaxes(x, axis, -1)?;
        // In row-major order, as NumPy's are: a reshaped result shares its memory.
        let back = |sorted: Tensor| self.contiguous(&self.swapaxes(&sorted, axis, -1)?);
        if x.dtype().is_complex() {
            let order = self.complex_order(&moved, descending)?;
            let values = values.then(|| back(self.along_last(&moved, &order)?)).transpose()?;
            return Ok((values, places.then(|| back(order)).transpose()?));
        }
        let moved = self.cast(&moved, x.dtype().carrier())?;
        let input = self.leaf_of(&moved)?;
        let provenance = Provenance::TEMPORARY.by("sort");
        let fresh = || self.fresh(&moved, moved.shape(), moved.dtype(), provenance);
        let values = values.then(fresh).transpose()?;
        let places = places
            .then(|| self.fresh(&moved, moved.shape(), DType::I64, provenance))
            .transpose()?;
        let device = x.device();
        self.with_relief(device, || {
            let (values, places) = (values.as_ref(), places.as_ref());
            let backend = device.backend();
            backend.sort(input.view(), descending, values.map(Leaf::view), places.map(Leaf::view))
        })?;
        let back = |leaf: Option<Leaf>| leaf.map(|leaf| back(Tensor::from_leaf(leaf))).transpose();
        let values = back(values)?.map(|values| self.cast(&values, x.dtype())).transpose()?;
        Ok((values, back(places)?))
    }

    /// The middle value along axes, or the mean of the two middle ones; NaN where there is one.
    ///
    /// # Errors
    /// ValueError for axes that are not there; MemoryError.
    pub fn median(&self, x: &Tensor, axis: Option<i64>, keepdims: bool) -> Result<Tensor, Error> {
        let rank = x.rank();
        let flat = axis.is_none();
        let work = if flat { self.ravel(x)? } else { x.clone() };
        let at = work.shape().axis(axis.unwrap_or(0))?;
        let len = work.shape()[at];
        let dtype = crate::dtype::default_for_integers(x.dtype(), self.default_float());
        if len == 0 {
            let mean =
                self.reduce(Reduction::Mean, x, axis.map(|axis| vec![axis]).as_deref(), keepdims)?;
            return Ok(mean);
        }
        let places = [(len - 1) / 2, len / 2];
        let parted = self.partition(&work, &places, at as i64)?;
        let [low, high] = places.map(|place| self.narrow(&parted, at, place, 1, 1));
        let (low, high) = (self.cast(&low?, dtype)?, self.cast(&high?, dtype)?);
        let middle = match len % 2 {
            0 => {
                let sum = self.binary(BinaryOp::Add, &low, &high)?;
                self.binary(BinaryOp::Mul, &sum, Scalar::Float(0.5))?
            }
            _ => low,
        };
        let middle = match work.dtype().is_inexact() {
            true => {
                let largest = self.reduce(Reduction::Max, &work, Some(&[at as i64]), true)?;
                let largest = self.cast(&largest, dtype)?;
                let is_nan = self.unary(super::UnaryOp::IsNan, &largest)?;
                self.select(&is_nan, &largest, &middle)?
            }
            false => middle,
        };
        match (flat, keepdims) {
            (true, true) => self.reshape(&middle, &vec![1; rank]),
            (false, true) => Ok(middle),
            _ => self.squeeze(&middle, Some(&[at as i64])),
        }
    }
}
