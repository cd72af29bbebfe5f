//! Tensors joined into one, and plain copies.

use super::node::MapOp;
use super::view::Rearrange;
use super::{Engine, Error, Tensor};
use crate::dtype::promote;
use crate::layout::Shape;
use crate::memory::Provenance;

impl Engine {
    /// One behind the other along an axis. Of their common type.
    ///
    /// # Errors
    /// ValueError where there are none, or where the other axes differ.
    pub fn concatenate(&self, tensors: &[Tensor], axis: i64) -> Result<Tensor, Error> {
        let Some(first) = tensors.first() else {
            return Err(Error::shape_error("need at least one array to concatenate"));
        };
        if first.rank() == 0 {
            return Err(Error::shape_error("zero-dimensional arrays cannot be concatenated")
                .with_hint("`stack` joins along a new axis"));
        }
        let axis = first.shape().axis(axis)?;
        let mut extents: Vec<u128> = first.shape().iter().map(|n| *n as u128).collect();
        let mut dtype = first.dtype();
        for (position, tensor) in tensors.iter().enumerate().skip(1) {
            self.interrupt.heed()?;
            check_joins(first.shape(), tensor.shape(), axis, position)?;
            extents[axis] += tensor.shape()[axis] as u128;
            dtype = promote(dtype, tensor.dtype());
        }
        super::graph::same_device(&tensors.iter().collect::<Vec<_>>())?;
        let shape = Shape::of_sums(&extents)?;
        let joined = self.fresh(first, &shape, dtype, Provenance::TEMPORARY.by("concatenate"))?;
        let mut start = 0;
        for tensor in tensors {
            let len = tensor.shape()[axis];
            let layout = joined.layout.narrow(axis, start, len, 1);
            let part = joined.with(layout);
            self.write(&self.cast(tensor, dtype)?, &part)?;
            start += len;
        }
        Ok(Tensor::from_leaf(joined))
    }

    /// Side by side along a new axis.
    ///
    /// # Errors
    /// ValueError where there are none, or where the shapes differ.
    pub fn stack(&self, tensors: &[Tensor], axis: i64) -> Result<Tensor, Error> {
        let Some(first) = tensors.first() else {
            return Err(Error::shape_error("need at least one array to stack"));
        };
        if tensors.iter().any(|tensor| tensor.shape() != first.shape()) {
            return Err(Error::shape_error("all input arrays must have the same shape"));
        }
        let axis = crate::layout::normalize_axis(axis, first.rank() + 1)?;
        let lifted = tensors.iter().map(|tensor| {
            self.interrupt.heed()?;
            self.rearrange(tensor, Rearrange::ExpandDims(axis))
        });
        self.concatenate(&lifted.collect::<Result<Vec<_>, _>>()?, axis as i64)
    }

    /// The same elements in row-major order without holes; the tensor itself if they lie so.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn contiguous(&self, tensor: &Tensor) -> Result<Tensor, Error> {
        let leaf = self.contiguous_leaf(tensor)?;
        if tensor.leaf().is_some_and(|own| own.layout == leaf.layout) {
            return Ok(tensor.clone());
        }
        Ok(Tensor::from_leaf(leaf))
    }

    /// The elements as they are now, lazily: a later write to the tensor does not change them.
    ///
    /// # Errors
    /// Only what computing a very long chain of operations may bring up.
    pub fn as_it_is(&self, tensor: &Tensor) -> Result<Tensor, Error> {
        self.map(MapOp::Cast, &[tensor], tensor.dtype())
    }

    /// The same elements in memory of their own.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn copy(&self, tensor: &Tensor) -> Result<Tensor, Error> {
        let copy = match tensor.leaf() {
            Some(_) => Tensor::from_leaf(self.compute(tensor)?),
            // Another node, because somebody else may hold this one.
            None => self.as_it_is(tensor)?,
        };
        Ok(copy.as_scalar(tensor.is_scalar()))
    }
}

fn check_joins(first: &Shape, other: &Shape, axis: usize, position: usize) -> Result<(), Error> {
    if first.rank() != other.rank() {
        return Err(Error::shape_error(format!(
            "all the input arrays must have same number of dimensions, \
             but the array at index 0 has {} dimension(s) and the array at index {position} has {} dimension(s)",
            first.rank(),
            other.rank(),
        )));
    }
    match (0..first.rank()).find(|at| *at != axis && first[*at] != other[*at]) {
        None => Ok(()),
        Some(at) => Err(Error::shape_error(format!(
            "all the input array dimensions except for the concatenation axis must match exactly, \
             but along dimension {at}, the array at index 0 has size {} and the array at index {position} has size {}",
            first[at], other[at],
        ))),
    }
}
