//! Short rows where the device's memory is the host's: written, updated, folded and computed without
//! nodes and plans. Where one of these says that it did nothing, the general way gives the same result
//! or the error.

use std::rc::Rc;
use std::sync::Arc;

use super::leaf::Leaf;
use super::node::{Lazy, State};
use super::reduce::total_type;
use super::{BinaryOp, Engine, Error, IndexItem, Operand, Reduction, Tensor};
use crate::device::line::{Line, Lines, Term};
use crate::dtype::{DType, Kind, Scalar};
use crate::ir::{MapOp, ReduceOp};
use crate::layout::{Layout, Shape};
use crate::memory::Provenance;

impl Engine {
    /// `x[items] = value` where that is a row: of numbers, or of elements that are computed. False
    /// where the general way must go, and then nothing has changed.
    ///
    /// # Errors
    /// What computing those that still want to read the old elements brings up; MemoryError.
    pub fn assign_row(
        &self,
        x: &Tensor,
        items: &[IndexItem],
        value: &Operand,
    ) -> Result<bool, Error> {
        let Some(lines) = self.lines(x).filter(|_| !x.is_read_only()) else { return Ok(false) };
        let state = x.0.state.borrow();
        let State::Real(leaf) = &*state else { return Ok(false) };
        let Some(layout) = leaf.layout.basic(items.iter().map(IndexItem::part)) else {
            return Ok(false);
        };
        let Some(to) = target(leaf, &layout, lines) else { return Ok(false) };
        match value {
            Operand::Tensor(value) if value.rank() > 0 => {
                let state = value.0.state.borrow();
                let Some(from) = operand_line(&state, value, x, &layout.shape, lines) else {
                    return Ok(false);
                };
                if from.meets(&to) {
                    return Ok(false);
                }
                self.before_row(&leaf.storage, &to)?;
                lines.copy(from, to);
            }
            value => {
                let Some(number) = value.number_as(x.dtype()) else { return Ok(false) };
                self.before_row(&leaf.storage, &to)?;
                lines.fill(to, number.to_bits(x.dtype()).0);
            }
        }
        Ok(true)
    }

    /// `x = x op value` in place, where `x` is a row and the result has its type. False as above.
    ///
    /// # Errors
    /// As [`Engine::assign_row`].
    pub fn update_row(&self, op: BinaryOp, x: &Tensor, value: &Operand) -> Result<bool, Error> {
        let is_plain = is_plain(op, x.dtype()) && !x.is_read_only();
        let Some(lines) = self.lines(x).filter(|_| is_plain) else {
            return Ok(false);
        };
        if self.common(&x.into(), value) != x.dtype() {
            return Ok(false);
        }
        let state = x.0.state.borrow();
        let State::Real(leaf) = &*state else { return Ok(false) };
        let Some(to) = target(leaf, &leaf.layout, lines) else { return Ok(false) };
        let other;
        let term = match value {
            Operand::Tensor(value) if value.rank() > 0 => {
                // Both may be the same tensor.
                other = value.0.state.borrow();
                let line = operand_line(&other, value, x, x.shape(), lines);
                let Some(line) = line.filter(|line| !line.meets(&to)) else { return Ok(false) };
                Term::Line(line)
            }
            value => match value.number_as(x.dtype()) {
                Some(number) => Term::Number(number.to_bits(x.dtype()).0),
                None => return Ok(false),
            },
        };
        self.before_row(&leaf.storage, &to)?;
        Ok(lines.combine(op, Term::Line(to), term, to))
    }

    /// What works on rows of a tensor's device, if the host may do so itself. After Ctrl-C only the
    /// general way is left, which says so.
    fn lines<'a>(&self, x: &'a Tensor) -> Option<&'a dyn Lines> {
        let is_real = !x.dtype().is_complex();
        let is_open = is_real && x.device().is_host() && !self.interrupt.is_raised();
        if is_open { x.device().backend().lines() } else { None }
    }

    /// What comes before a row is written.
    fn before_row(&self, storage: &Arc<super::Storage>, to: &Line<'_>) -> Result<(), Error> {
        if self.pending() > 0 {
            // None of those that wait is the written tensor or its value, which are computed.
            self.settle_others(&[])?;
        }
        let (low, high) = to.extent();
        self.before_write(storage, low..high)
    }

    /// What a reduction of all elements gives, where they are a row.
    pub(super) fn reduce_row(&self, op: Reduction, x: &Tensor) -> Option<Tensor> {
        let (fold, is_total) = match op {
            Reduction::Sum | Reduction::Mean => (ReduceOp::Sum, true),
            Reduction::Prod => (ReduceOp::Prod, true),
            Reduction::Max => (ReduceOp::Max, false),
            Reduction::Min => (ReduceOp::Min, false),
            Reduction::ArgMax => (ReduceOp::ArgMax, false),
            Reduction::ArgMin => (ReduceOp::ArgMin, false),
            _ => return None,
        };
        let dtype = x.dtype();
        let is_own = dtype.is_float() || total_type(dtype) == dtype && op != Reduction::Mean;
        if is_total && !is_own || !self.fusion() {
            return None;
        }
        let lines = self.lines(x).filter(|_| x.rank() > 0)?;
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

    /// The elements of plain arithmetic between rows and numbers, in new memory or in that of a row
    /// which nobody else holds.
    pub(super) fn compute_row(&self, tensor: &Tensor) -> Result<Option<Leaf>, Error> {
        let Some(lines) = self.lines(tensor) else { return Ok(None) };
        let count = tensor.elem_count();
        if count > lines.most_dense(tensor.dtype()) || !self.fusion() {
            return Ok(None);
        }
        // Of many elements, what one operation hands to the next would go through a further cache.
        let depth = if count > lines.most() { DEEPEST - 1 } else { 0 };
        if !is_arithmetic(tensor, tensor, lines, depth) {
            return Ok(None);
        }
        let (shape, dtype) = (tensor.shape(), tensor.dtype());
        let output = match dying(tensor, shape) {
            Some(leaf) => leaf,
            None => self.fresh_for(tensor, shape, dtype, Provenance::TEMPORARY)?,
        };
        let to = Line { storage: &output.storage, start: 0, step: 1, len: count };
        Ok(compute_into(tensor, to, lines).then_some(output))
    }
}

/// Deeper arithmetic than this is left to programs.
const DEEPEST: usize = 8;

/// What is computed, as a line that may be folded or combined.
fn read_line<'a>(leaf: &'a Leaf, lines: &dyn Lines) -> Option<Line<'a>> {
    let most = lines.most_dense(leaf.dtype);
    let line = Line::of(&leaf.storage, &leaf.layout, most)?;
    (line.step == 1 || line.len <= lines.most()).then_some(line)
}

/// A row that may be written: no element stands there twice.
fn target<'a>(leaf: &'a Leaf, layout: &Layout, lines: &dyn Lines) -> Option<Line<'a>> {
    let line = Line::of(&leaf.storage, layout, lines.most())?;
    (line.step != 0 || line.len == 1).then_some(line)
}

/// A computed operand's row, if it has this shape, and the type and the device of `like`.
fn operand_line<'a>(
    state: &'a State,
    value: &Tensor,
    like: &Tensor,
    shape: &Shape,
    lines: &dyn Lines,
) -> Option<Line<'a>> {
    let State::Real(leaf) = state else { return None };
    if value.dtype() != like.dtype() || value.shape() != shape || value.device() != like.device() {
        return None;
    }
    Line::of(&leaf.storage, &leaf.layout, lines.most())
}

/// Whether an operation of numbers of this type is one of the same type, and can't fail.
fn is_plain(op: BinaryOp, dtype: DType) -> bool {
    use BinaryOp::{Add, Div, Mul, Sub};
    match dtype.kind() {
        Kind::Float => dtype.compute() == dtype && matches!(op, Add | Sub | Mul | Div),
        Kind::Unsigned | Kind::Signed => dtype.size() >= 4 && matches!(op, Add | Sub | Mul),
        Kind::Bool | Kind::Complex => false,
    }
}

/// Whether a node of the type and shape of `root` is plain arithmetic as [`compute_into`] does it: of
/// the two operands of each node at most one is no row or number.
fn is_arithmetic(node: &Tensor, root: &Tensor, lines: &dyn Lines, depth: usize) -> bool {
    if node.dtype() != root.dtype() || depth > DEEPEST {
        return false;
    }
    match &*node.0.state.borrow() {
        State::Real(leaf) if depth > 0 => {
            node.shape() == root.shape() && read_line(leaf, lines).is_some()
        }
        State::Lazy(Lazy::Const(_)) => depth > 0 && node.rank() == 0,
        State::Lazy(Lazy::Map { op: MapOp::Binary(op), operands }) => {
            node.shape() == root.shape()
                && is_plain(*op, node.dtype())
                && !(is_map(&operands[0]) && is_map(&operands[1]))
                && operands.iter().all(|operand| is_arithmetic(operand, root, lines, depth + 1))
        }
        _ => false,
    }
}

/// The memory of a row that is read first, if nobody but this piece of graph holds it, and it is as large
/// as the result: each element is read where the result is written.
fn dying(tensor: &Tensor, shape: &Shape) -> Option<Leaf> {
    let state = tensor.0.state.borrow();
    let State::Lazy(Lazy::Map { operands, .. }) = &*state else { return None };
    let is_ours = |operand: &&Tensor| Rc::strong_count(&operand.0) == 1;
    if let Some(deeper) = operands.iter().find(|operand| is_map(operand)) {
        // It is computed first, while the other operand is still to be read.
        return is_ours(&deeper).then(|| dying(deeper, shape)).flatten();
    }
    operands.iter().filter(is_ours).find_map(|operand| match &*operand.0.state.borrow() {
        State::Real(leaf) => {
            let is_whole = leaf.layout == Layout::contiguous(shape.clone())
                && leaf.storage.len() == shape.elem_count()
                && leaf.storage.is_origin()
                && Arc::strong_count(&leaf.storage) == 1;
            is_whole.then(|| leaf.clone())
        }
        State::Lazy(_) => None,
    })
}

fn is_map(tensor: &Tensor) -> bool {
    matches!(&*tensor.0.state.borrow(), State::Lazy(Lazy::Map { .. }))
}

/// Computes arithmetic into `to`; false, and `to` is of no use, where that could not be done.
fn compute_into(tensor: &Tensor, to: Line<'_>, lines: &dyn Lines) -> bool {
    let state = tensor.0.state.borrow();
    let State::Lazy(Lazy::Map { op: MapOp::Binary(op), operands }) = &*state else { return false };
    if let Some(deeper) = operands.iter().find(|operand| is_map(operand))
        && !compute_into(deeper, to, lines)
    {
        return false;
    }
    let states = [operands[0].0.state.borrow(), operands[1].0.state.borrow()];
    let term = |at: usize| match &*states[at] {
        State::Real(leaf) => read_line(leaf, lines).map(Term::Line),
        State::Lazy(Lazy::Const(value)) => {
            Some(Term::Number(value.held_as(tensor.dtype()).to_bits(tensor.dtype()).0))
        }
        State::Lazy(_) => Some(Term::Line(to)),
    };
    let (Some(a), Some(b)) = (term(0), term(1)) else { return false };
    lines.combine(*op, a, b, to)
}

#[cfg(test)]
mod tests;
