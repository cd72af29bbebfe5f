//! Short rows where the device's memory is the host's: written, updated, folded and computed without
//! nodes and plans. Where one of these says that it did nothing, the general way gives the same result
//! or the error.

mod fold;

use std::rc::Rc;
use std::sync::Arc;

use smallvec::SmallVec;

use super::leaf::{Leaf, width};
use super::node::{Lazy, State};
use super::{BinaryOp, Engine, Error, IndexItem, Operand, Tensor};
use crate::device::line::{Line, Lines, Term};
use crate::dtype::{DType, Kind};
use crate::ir::MapOp;
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
        let is_open = !x.is_read_only() && !x.dtype().is_complex();
        let Some(lines) = self.lines(x).filter(|_| is_open) else { return Ok(false) };
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
        let is_plain = keeps_type(op, x.dtype()) && !x.is_read_only();
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
                Some(number) => Term::Number(number.to_bits(x.dtype()).0, x.dtype()),
                None => return Ok(false),
            },
        };
        self.before_row(&leaf.storage, &to)?;
        lines.map(MapOp::Binary(op), &[Term::Line(to), term], to);
        Ok(true)
    }

    /// What works on rows of a tensor's device, if the host may do so itself. After Ctrl-C only the
    /// general way is left, which says so.
    fn lines<'a>(&self, x: &'a Tensor) -> Option<&'a dyn Lines> {
        let is_open = x.device().is_host() && !self.interrupt.is_raised();
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

    /// The elements of elementwise operations on rows and numbers, in new memory or in that of a row
    /// which nobody else holds.
    pub(super) fn compute_row(&self, tensor: &Tensor) -> Result<Option<Leaf>, Error> {
        match &*tensor.0.state.borrow() {
            State::Lazy(Lazy::Reduce { .. }) => return self.fold_rows(tensor),
            // Means are made of sums of their own shape.
            State::Lazy(Lazy::Map { operands, .. }) => {
                for operand in operands.iter().filter(|it| it.shape() == tensor.shape()) {
                    if let Some(folded) = self.fold_rows(operand)? {
                        self.settle_as(operand, folded);
                    }
                }
            }
            State::Lazy(_) | State::Real(_) => {}
        }
        let Some(lines) = self.row_work(tensor) else { return Ok(None) };
        let (shape, dtype) = (tensor.shape(), tensor.dtype());
        let output = match dying(tensor, shape) {
            Some(leaf) => leaf,
            None => self.fresh_for(tensor, shape, dtype, Provenance::TEMPORARY)?,
        };
        let is_done = compute_into(tensor, dense_line(&output), lines);
        Ok(is_done.then_some(output))
    }

    /// Writes such elements to where `target` lies, in other memory. False where the general way must go, and then
    /// nothing has changed.
    ///
    /// # Errors
    /// MemoryError, where the old elements are kept.
    pub(super) fn write_row(&self, tensor: &Tensor, target: &Leaf) -> Result<bool, Error> {
        let is_like = tensor.shape() == &target.layout.shape && target.layout.is_contiguous();
        let lines = if is_like { self.row_work(tensor) } else { None };
        let Some(lines) = lines.filter(|_| is_elsewhere(tensor, target)) else { return Ok(false) };
        self.before_write(&target.storage, target.extent())?;
        Ok(compute_into(tensor, dense_line(target), lines))
    }

    /// What computes the tensor's elements, if they are elementwise operations on rows and numbers.
    fn row_work<'a>(&self, tensor: &'a Tensor) -> Option<&'a dyn Lines> {
        let lines = self.lines(tensor).filter(|_| self.fusion())?;
        let count = tensor.elem_count() * width(tensor.dtype());
        if !(1..=lines.most_dense(tensor.dtype().part())).contains(&count) {
            return None;
        }
        // Of many elements, what one operation hands to the next would go through a further cache.
        let depth = if count > lines.most() { DEEPEST - 1 } else { 0 };
        is_row_work(tensor, tensor, lines, depth).then_some(lines)
    }
}

/// Deeper work than this is left to programs.
const DEEPEST: usize = 8;

/// What is computed, as a line that may be folded or mapped; of complex elements both parts.
fn read_line<'a>(leaf: &'a Leaf, lines: &dyn Lines) -> Option<Line<'a>> {
    let most = lines.most_dense(leaf.dtype.part());
    let line = Line::of(&leaf.storage, &leaf.layout, most)?;
    if leaf.dtype.is_complex() {
        let is_dense = line.step == 1 || line.len == 1;
        return is_dense.then_some(Line {
            start: 2 * line.start,
            step: 1,
            len: 2 * line.len,
            ..line
        });
    }
    (line.step == 1 || line.len <= lines.most()).then_some(line)
}

/// Dense elements; of complex ones both parts.
fn dense_line(leaf: &Leaf) -> Line<'_> {
    let width = width(leaf.dtype);
    let (start, len) = (leaf.layout.offset * width, leaf.layout.elem_count() * width);
    Line { storage: &leaf.storage, start, step: 1, len }
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
fn keeps_type(op: BinaryOp, dtype: DType) -> bool {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Max, Min, Mul, Sub};
    match dtype.kind() {
        Kind::Float => matches!(op, Add | Sub | Mul | Div | Max | Min),
        Kind::Unsigned | Kind::Signed => {
            matches!(op, Add | Sub | Mul | Max | Min | BitAnd | BitOr | BitXor)
        }
        Kind::Bool => matches!(op, BitAnd | BitOr | BitXor),
        Kind::Complex => false,
    }
}

/// Whether a node is a row of the shape of `root`, a number, or work that [`compute_into`] does: of the root's type, and
/// of its operands at most one is work itself.
fn is_row_work(node: &Tensor, root: &Tensor, lines: &dyn Lines, depth: usize) -> bool {
    let (is_like, is_complex) = (node.shape() == root.shape(), root.dtype().is_complex());
    if node.dtype().is_complex() != is_complex {
        return false;
    }
    let state = node.0.state.borrow();
    let (op, operands) = match &*state {
        State::Lazy(Lazy::Map { op, operands }) => (op, operands),
        State::Lazy(Lazy::Iota { .. }) => return is_like && node.rank() == 1,
        State::Lazy(Lazy::Const(_)) => {
            return (node.rank() == 0 || node.is_same(root)) && !is_complex;
        }
        State::Real(leaf) => return is_like && read_line(leaf, lines).is_some(),
        State::Lazy(_) => return false,
    };
    // Of dear work, programs give a part to each core.
    let is_cheap = || op.cost(node.dtype()) == 0;
    is_like
        && depth <= DEEPEST
        && node.dtype() == root.dtype()
        && operands.iter().filter(|operand| is_map(operand)).count() <= 1
        && (!is_complex || op.is_alike_for_parts())
        && !Engine::can_be_wrong(*op, operands.last())
        && (root.elem_count() <= lines.most() || is_cheap())
        && operands.iter().all(|operand| is_row_work(operand, root, lines, depth + 1))
}

/// Whether nothing that a piece of row work reads lies in the memory of `target`.
fn is_elsewhere(node: &Tensor, target: &Leaf) -> bool {
    match &*node.0.state.borrow() {
        State::Real(leaf) => !leaf.storage.is_with(&target.storage),
        State::Lazy(Lazy::Map { operands, .. }) => {
            operands.iter().all(|operand| is_elsewhere(operand, target))
        }
        State::Lazy(_) => true,
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
            let is_whole = leaf.dtype == tensor.dtype()
                && leaf.layout == Layout::contiguous(shape.clone())
                && leaf.has_all_of(shape.elem_count())
                && Arc::strong_count(&leaf.storage) == 1;
            is_whole.then(|| leaf.clone())
        }
        State::Lazy(_) => None,
    })
}

fn is_map(tensor: &Tensor) -> bool {
    matches!(&*tensor.0.state.borrow(), State::Lazy(Lazy::Map { .. }))
}

/// Computes what [`is_row_work`] allows into `to`; false, and `to` is of no use, where that could not be done.
fn compute_into(tensor: &Tensor, to: Line<'_>, lines: &dyn Lines) -> bool {
    let state = tensor.0.state.borrow();
    let State::Lazy(Lazy::Map { op, operands }) = &*state else {
        let term = term_of(tensor, &state, to, lines);
        return term.map(|term| lines.map(MapOp::Cast, &[term], to)).is_some();
    };
    if let Some(deeper) = operands.iter().find(|operand| is_map(operand))
        && !compute_into(deeper, to, lines)
    {
        return false;
    }
    let states: [_; 3] =
        std::array::from_fn(|at| operands.get(at).map(|operand| operand.0.state.borrow()));
    let mut terms: SmallVec<[Term<'_>; 3]> = SmallVec::new();
    for (operand, state) in operands.iter().zip(states.iter().flatten()) {
        let Some(term) = term_of(operand, state, to, lines) else { return false };
        terms.push(term);
    }
    lines.map(*op, &terms, to);
    true
}

/// An operand of an operation; what is still to be computed stands in `to` already.
fn term_of<'a>(
    tensor: &Tensor,
    state: &'a State,
    to: Line<'a>,
    lines: &dyn Lines,
) -> Option<Term<'a>> {
    match state {
        State::Real(leaf) => read_line(leaf, lines).map(Term::Line),
        State::Lazy(Lazy::Const(value)) => {
            let dtype = tensor.dtype();
            Some(Term::Number(value.held_as(dtype).to_bits(dtype).0, dtype))
        }
        State::Lazy(Lazy::Iota { .. }) => Some(Term::Count(0)),
        State::Lazy(_) => Some(Term::Line(to)),
    }
}

#[cfg(test)]
mod tests;
