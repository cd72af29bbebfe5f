//! Tensors joined into one, and plain copies.

use std::rc::Rc;

use super::anchor::find_anchor;
use super::leaf::Leaf;
use super::schedule::Walk;
use super::view::Rearrange;
use super::{Engine, Error, Tensor};
use crate::dtype::promote;
use crate::ir::MapOp;
use crate::layout::Shape;
use crate::memory::Provenance;

/// Tensors that one program writes, at most: it has as many operands, and as many again.
const TOGETHER: usize = 4;

/// Bytes of a part that lie side by side, from which on one program for all parts is faster where launches cost nothing:
/// a vector of the widest.
const LONG_RUN: usize = 64;

/// Whether one program writes all parts: tensors of one shape, each once and with no reduction to be made for it, which lie
/// in long runs, in turn, or where launches cost something.
fn can_go_together(tensors: &[Tensor], axis: usize) -> bool {
    let first = &tensors[0];
    let run = first.shape().iter().skip(axis).product::<usize>() * first.dtype().size();
    let is_again =
        |at: usize| tensors[..at].iter().any(|other| Rc::ptr_eq(&other.0, &tensors[at].0));
    let are_in_turn = run == first.dtype().size();
    (2..=TOGETHER).contains(&tensors.len())
        && (run >= LONG_RUN || are_in_turn || first.device().backend().launches_cost())
        && tensors.iter().all(|tensor| tensor.shape() == first.shape())
        && tensors.iter().all(|tensor| tensor.is_realized() || find_anchor(tensor).is_none())
        && !(1..tensors.len()).any(is_again)
}

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
        let mut parts = Vec::with_capacity(tensors.len());
        for tensor in tensors {
            let len = tensor.shape()[axis];
            parts.push(joined.with(joined.layout.narrow(axis, start, len, 1)));
            start += len;
        }
        if can_go_together(tensors, axis) && joined.layout.elem_count() > 0 {
            let cast = tensors.iter().map(|tensor| self.cast(tensor, dtype));
            let cast = cast.collect::<Result<Vec<_>, _>>()?;
            let (roots, targets): (Vec<&Tensor>, Vec<&Leaf>) = cast.iter().zip(&parts).unzip();
            let mut walk = Walk::new(self, &roots, first.shape())?;
            self.before_write(&joined.storage, joined.extent())?;
            self.launch(&mut walk, &roots, &targets)?;
            return Ok(Tensor::from_leaf(joined));
        }
        for (tensor, part) in tensors.iter().zip(&parts) {
            self.write(&self.cast(tensor, dtype)?, part)?;
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

    /// The elements as they are now, lazily, in row-major order: a later write to the tensor does not change them.
    ///
    /// # Errors
    /// Only what computing a very long chain of operations may bring up.
    pub fn as_it_is(&self, tensor: &Tensor) -> Result<Tensor, Error> {
        self.map_by_rows(MapOp::Cast, &[tensor], tensor.dtype(), tensor.shape().clone())
    }

    /// One element as a scalar, which nobody's write changes: lazily where a launch costs something, so that it is read
    /// by the program that uses it.
    ///
    /// # Errors
    /// As [`Engine::copy`].
    pub fn scalar_of(&self, element: &Tensor) -> Result<Tensor, Error> {
        let scalar = match element.device().backend().launches_cost() {
            true => self.as_it_is(element)?,
            false => self.copy(element)?,
        };
        Ok(scalar.as_scalar(true))
    }

    /// The same elements in memory of their own.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn copy(&self, tensor: &Tensor) -> Result<Tensor, Error> {
        let copy = match tensor.leaf() {
            Some(_) if !self.is_in_transaction() => Tensor::from_leaf(self.compute(tensor)?),
            // Another node, because somebody else may hold this one.
            _ => self.as_it_is(tensor)?,
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

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::super::trials::{on_gpus, simulated};
    use super::Engine;
    use crate::dtype::{DType, Scalar};

    #[test]
    fn parts_that_go_together_are_where_they_belong() {
        let (e, _) = simulated();
        // Fewer than a vector has and more than a block, and more than the caches hold.
        for sizes in [[37, 12], [1, 1], [2, 33], [3, 70], [1, 2057], [100, 4001]] {
            check(&e, sizes);
        }
    }

    #[test]
    fn parts_that_go_together_are_where_they_belong_on_cuda() {
        let Some(e) = on_gpus() else { return };
        check(&e, [37, 12]);
    }

    /// Of each type, along each axis, with tensors that lie apart, are cast, or stand there twice.
    fn check(e: &Engine, [rows, columns]: [usize; 2]) {
        for (first, second) in [
            (DType::F32, DType::F32),
            (DType::I16, DType::I16),
            (DType::U8, DType::F16),
            (DType::F64, DType::C128),
            (DType::Bool, DType::Bool),
            (DType::C64, DType::C64),
        ] {
            let made = |dtype, from: i64| {
                let places = e.iota(&[rows, columns].into(), 1).unwrap();
                let down = e.iota(&[rows, columns].into(), 0).unwrap();
                let sum = e.binary(crate::ir::BinaryOp::Add, &places, &down).unwrap();
                let sum = e.binary(crate::ir::BinaryOp::Add, &sum, Scalar::Int(from)).unwrap();
                let made = e.cast(&sum, dtype).unwrap();
                e.realize(&[&made]).unwrap();
                made
            };
            let (x, y) = (made(first, 0), made(second, 1));
            let apart = e.narrow(&made(second, 2), 1, 0, columns / 2, 2).unwrap();
            let other = e.narrow(&x, 1, columns.min(4) - 1, columns / 2, 1).unwrap();
            let (third, fourth) = (made(first, 3), made(first, 4));
            let mut lists = vec![
                vec![x.clone(), y.clone()],
                vec![x.clone(), y.clone(), third.clone()],
                vec![third.clone(), x.clone(), fourth.clone(), y.clone()],
                vec![x.clone(), x.clone(), y.clone()],
                vec![other, apart],
            ];
            // More than lie in turn; the largest would not leave the device room for their parts.
            if rows * columns < 10_000 {
                lists.push(vec![third, x.clone(), fourth, y, x.clone()]);
            }
            for tensors in lists {
                for axis in 0..3 {
                    let joined = e.stack(&tensors, axis).unwrap();
                    for (at, tensor) in tensors.iter().enumerate() {
                        let part = e.narrow(&joined, axis as usize, at, 1, 1).unwrap();
                        let part = e.squeeze(&part, Some(&[axis])).unwrap();
                        let tensor = e.cast(tensor, joined.dtype()).unwrap();
                        let [part, tensor] = [part, tensor].map(|x| e.to_host(&x).unwrap().bytes);
                        assert!(part == tensor, "{first} {second} {axis}: {at}");
                    }
                }
            }
        }
    }
}
