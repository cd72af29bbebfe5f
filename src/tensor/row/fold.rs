//! Short rows that are folded.

use smallvec::SmallVec;

use super::read_line;
use crate::device::line::Line;
use crate::dtype::{DType, Scalar};
use crate::ir::ReduceOp;
use crate::layout::Layout;
use crate::memory::Provenance;
use crate::tensor::leaf::Leaf;
use crate::tensor::node::{Lazy, State};
use crate::tensor::reduce::total_type;
use crate::tensor::{BinaryOp, Engine, Error, Reduction, Tensor};

/// Rows that are folded one after the other: of more, a program takes several at once.
const MOST_ROWS: usize = 32;

impl Engine {
    /// What a reduction of all elements gives, where they are a row.
    pub(in crate::tensor) fn reduce_row(&self, op: Reduction, x: &Tensor) -> Option<Tensor> {
        let (fold, is_total) = match op {
            Reduction::Sum | Reduction::Mean => (ReduceOp::Sum, true),
            Reduction::Prod => (ReduceOp::Prod, true),
            Reduction::Max => (ReduceOp::Max, false),
            Reduction::Min => (ReduceOp::Min, false),
            Reduction::ArgMax => (ReduceOp::ArgMax, false),
            Reduction::ArgMin => (ReduceOp::ArgMin, false),
            Reduction::Any if x.dtype() == DType::Bool => (ReduceOp::Max, false),
            Reduction::All if x.dtype() == DType::Bool => (ReduceOp::Min, false),
            _ => return None,
        };
        let dtype = x.dtype();
        let is_own = dtype.is_float() || total_type(dtype) == dtype && op != Reduction::Mean;
        if is_total && !is_own || dtype.is_complex() || !self.fusion() {
            return None;
        }
        let lines = self.lines(x).filter(|_| x.rank() > 0)?;
        // A program adds up products of floats as they are made.
        if !(is_total && dtype.is_float()) && x.elem_count() <= lines.most() && !x.is_realized() {
            let leaf = self.compute_row(x).ok()??;
            self.settle_as(x, leaf);
        }
        let state = x.0.state.borrow();
        let State::Real(leaf) = &*state else { return None };
        let line = read_line(leaf, lines)?;
        let bytes = lines.fold(fold, line)?;
        let result = if fold.is_arg() { DType::I64 } else { dtype };
        let value = Scalar::from_bits(&bytes[..result.size()], result);
        let number = self.number_on(x.device().clone(), value, result);
        match op {
            Reduction::Mean => {
                let count = Scalar::Float(line.len as f64);
                self.binary(BinaryOp::Div, number, count).ok()
            }
            _ => Some(number),
        }
    }

    /// The folds of several rows that lie evenly, or that elementwise operations make of such.
    pub(super) fn fold_rows(&self, tensor: &Tensor) -> Result<Option<Leaf>, Error> {
        let state = tensor.0.state.borrow();
        let State::Lazy(Lazy::Reduce { op, operand, axes }) = &*state else { return Ok(None) };
        let dtype = operand.dtype();
        let made = if op.is_arg() { DType::I64 } else { dtype };
        let is_possible = dtype.compute() == dtype && !dtype.is_complex() && tensor.dtype() == made;
        let lines = self.lines(tensor).filter(|_| is_possible && self.fusion());
        let Some(lines) = lines else { return Ok(None) };
        if !(1..=lines.most()).contains(&operand.elem_count())
            || tensor.elem_count() > MOST_ROWS
            || dtype.is_float() && *op == ReduceOp::Prod
        {
            return Ok(None);
        }
        let known = operand.leaf();
        let own = || Layout::contiguous(operand.shape().clone());
        let layout = known.as_ref().map_or_else(own, |leaf| leaf.layout.clone());
        let is_folded = |axis: &usize| axes.contains(&(*axis as u8));
        let (folded, kept) = (0..operand.rank()).partition(is_folded);
        let (Some((len, step)), Some((rows, apart))) =
            (evenly(&layout, folded), evenly(&layout, kept))
        else {
            return Ok(None);
        };
        // A program adds up products of floats as they are made, and rows that lie apart side by side.
        let adds_floats = dtype.is_float() && *op == ReduceOp::Sum;
        if adds_floats && (known.is_none() || step != 1) {
            return Ok(None);
        }
        let leaf = match known {
            Some(leaf) => Some(leaf),
            None => self.compute_row(operand)?,
        };
        let Some(leaf) = leaf else { return Ok(None) };
        let output = self.fresh_for(tensor, tensor.shape(), made, Provenance::TEMPORARY)?;
        let to = Line { storage: &output.storage, start: 0, step: 1, len: rows };
        let first = Line { storage: &leaf.storage, start: leaf.layout.offset, step, len };
        Ok(lines.fold_each(*op, first, apart, to).then_some(output))
    }
}

/// How many elements these axes count, and at which distance, if it is one.
fn evenly(layout: &Layout, axes: SmallVec<[usize; 6]>) -> Option<(usize, isize)> {
    let (mut count, mut apart) = (1usize, 1isize);
    for axis in axes.into_iter().rev().filter(|axis| layout.shape[*axis] != 1) {
        let (extent, stride) = (layout.shape[axis], layout.strides[axis]);
        match count {
            1 => apart = stride,
            _ if stride != apart * count as isize => return None,
            _ => {}
        }
        count *= extent;
    }
    Some((count, apart))
}
