//! `value[index]`, and what is stored there.

use smallvec::SmallVec;

use super::op::{Context, ensure};
use crate::diag::SourceResult;
use crate::interp::compile::{Op, Places, Reg};
use crate::interp::ops;
use crate::interp::value::Value;
use crate::layout;
use crate::syntax::ast::BinaryOp;
use crate::tensor::{IndexItem, Operand};

/// Axes of an element that integers name.
pub(super) const AXES: usize = 4;

impl<'r> Context<'_, 'r> {
    /// Where the parts of the operation's index stand.
    fn places(&self) -> &'r Places {
        match self.code.ops[self.at + 1] {
            Op::Places { index } => &self.code.places[usize::from(index)],
            _ => unreachable!("an index has its places"),
        }
    }

    pub fn subscript(&mut self, to: Reg, base: Reg, index: Reg) -> SourceResult<()> {
        if let Some(part) = self.view(base, index) {
            self.forget([base, index]);
            self.set(to, part);
            return Ok(());
        }
        self.begin();
        let (container, at) = (self.take(base), self.take(index));
        let result = self.evaluator.subscript(&container, &at, self.places(), self.span())?;
        drop((container, at));
        self.set(to, result);
        Ok(())
    }

    pub fn set_subscript(
        &mut self,
        base: Reg,
        index: Reg,
        from: Reg,
        is_last: bool,
    ) -> SourceResult<()> {
        if self.store_element(base, index, self.get(from), is_last)? {
            self.forget([base, index, from]);
            return Ok(());
        }
        if self.store_row(base, index, self.get(from), is_last)? {
            self.forget([base, index, from]);
            return Ok(());
        }
        self.begin();
        let value = self.take(from);
        let (container, at) = (self.take(base), self.take(index));
        let (places, span) = (self.places(), self.span());
        self.evaluator.set_subscript(&container, at, value, places, span, is_last)
    }

    pub fn delete_subscript(&mut self, base: Reg, index: Reg, is_last: bool) -> SourceResult<()> {
        self.begin();
        let (container, at) = (self.take(base), self.take(index));
        let deleted = self.evaluator.delete_item(&container, &at, is_last);
        self.evaluator.place(deleted, self.span())
    }

    pub fn item_to_update(&mut self, first: Reg) -> SourceResult<()> {
        if let Some(part) = self.view(first, first + 1) {
            self.set(first + 2, part);
            return Ok(());
        }
        self.begin();
        let (container, at) = (self.get(first), self.get(first + 1));
        let item = self.evaluator.item_to_update(container, at, self.places(), self.span())?;
        self.set(first + 2, item);
        Ok(())
    }

    pub fn update_item(&mut self, op: BinaryOp, first: Reg, is_last: bool) -> SourceResult<()> {
        if self.update_row(op, first, is_last)? {
            self.forget([first, first + 1, first + 2, first + 3]);
            return Ok(());
        }
        self.begin();
        if let Some(after) = self.updated_number(op, first + 2, first + 3)
            && self.store_element(first, first + 1, &after, is_last)?
        {
            self.forget([first, first + 1, first + 2, first + 3]);
            return Ok(());
        }
        let operand = self.take(first + 3);
        let before = self.take(first + 2);
        let (at, container) = (self.take(first + 1), self.take(first));
        let (places, span) = (self.places(), self.span());
        let update = (op, before, operand);
        self.evaluator.update_item(&container, at, update, places, span, is_last)
    }

    /// The part of a computed tensor that integers and slices mean.
    fn view(&self, base: Reg, index: Reg) -> Option<Value> {
        let Value::Tensor(tensor) = self.get(base) else { return None };
        if self.evaluator.is_explaining() {
            return None;
        }
        let items = plain_items(self.get(index))?;
        let view = self.evaluator.interp.engine.view(tensor, &items)?;
        // One element is a copy.
        (view.rank() > 0).then_some(Value::Tensor(view))
    }

    /// Stores a number there; false where that is another kind of assignment, or an error.
    fn store_element(
        &self,
        base: Reg,
        index: Reg,
        value: &Value,
        is_last: bool,
    ) -> SourceResult<bool> {
        let Value::Tensor(tensor) = self.get(base) else { return Ok(false) };
        let mut at = [0; AXES];
        let Some(at) = integers(self.get(index), &mut at) else { return Ok(false) };
        let number = match value {
            Value::Tensor(value) => {
                if at.len() == tensor.rank() {
                    let checked = self.evaluator.interp.engine.check_element(value, tensor.dtype());
                    self.evaluator.place(checked, self.span())?;
                }
                value.number_as(tensor.dtype())
            }
            value => value.number(),
        };
        let Some(number) = number else { return Ok(false) };
        ensure(self.evaluator);
        let engine = &self.evaluator.interp.engine;
        let stored = engine.last_write(is_last, || engine.store_element(tensor, at, number));
        self.evaluator.place(stored, self.span())
    }

    /// Stores a number, or elements that are computed, in a part of a tensor; false as above.
    fn store_row(&self, base: Reg, index: Reg, value: &Value, is_last: bool) -> SourceResult<bool> {
        let Value::Tensor(tensor) = self.get(base) else { return Ok(false) };
        let Some(operand) = plain_operand(value).filter(|_| !tensor.is_scalar()) else {
            return Ok(false);
        };
        let Some(items) = plain_items(self.get(index)) else { return Ok(false) };
        ensure(self.evaluator);
        let engine = &self.evaluator.interp.engine;
        let stored = engine.last_write(is_last, || engine.assign_row(tensor, &items, &operand));
        self.evaluator.place(stored, self.span())
    }

    /// Updates a part of a tensor in place, which is a view of it; false as above.
    fn update_row(&self, op: BinaryOp, first: Reg, is_last: bool) -> SourceResult<bool> {
        let (Value::Tensor(tensor), Value::Tensor(part)) = (self.get(first), self.get(first + 2))
        else {
            return Ok(false);
        };
        // Through any other index the part is a copy.
        let is_view = part.rank() > 0 && plain_items(self.get(first + 1)).is_some();
        let (true, Some(op)) = (is_view && !tensor.is_scalar(), ops::engine_op(op)) else {
            return Ok(false);
        };
        let Some(operand) = plain_operand(self.get(first + 3)) else { return Ok(false) };
        ensure(self.evaluator);
        let engine = &self.evaluator.interp.engine;
        let updated = engine.last_write(is_last, || engine.update_row(op, part, &operand));
        self.evaluator.place(updated, self.span())
    }

    /// `before op operand` of numbers.
    fn updated_number(&self, op: BinaryOp, before: Reg, operand: Reg) -> Option<Value> {
        let is_number = |value: &Value| match value {
            Value::Tensor(tensor) => tensor.number().is_some(),
            value => value.number().is_some(),
        };
        let (before, operand) = (self.get(before), self.get(operand));
        if !matches!(before, Value::Tensor(_)) || !is_number(before) || !is_number(operand) {
            return None;
        }
        self.evaluator.binary(op, before, operand).ok()
    }

    /// Temporaries that were used up.
    fn forget<const N: usize>(&mut self, registers: [Reg; N]) {
        let used = registers.into_iter().filter(|register| *register >= self.code.first_temporary);
        used.for_each(|register| self.registers[usize::from(register)] = Value::None);
    }
}

/// A part of an index that is an integer, or a slice between integers.
fn plain_item(part: &Value) -> Option<IndexItem> {
    let bound = |bound: &Value| match bound {
        Value::Int(at) => Some(Some(*at)),
        Value::None => Some(None),
        _ => None,
    };
    match part {
        Value::Int(at) => Some(IndexItem::Int(*at)),
        Value::Slice(slice) => {
            let (start, stop) = (bound(&slice.start)?, bound(&slice.stop)?);
            let step = bound(&slice.step)?;
            Some(IndexItem::Slice(layout::Slice { start, stop, step }))
        }
        _ => None,
    }
}

/// An index of such parts.
fn plain_items(index: &Value) -> Option<SmallVec<[IndexItem; 4]>> {
    let parts = match index {
        Value::Tuple(parts) => &**parts,
        part => std::slice::from_ref(part),
    };
    let mut items = SmallVec::new();
    for part in parts {
        items.push(plain_item(part)?);
    }
    Some(items)
}

/// A number or a tensor.
fn plain_operand(value: &Value) -> Option<Operand> {
    match value {
        Value::Tensor(tensor) => Some(tensor.into()),
        value => value.number().map(Operand::from),
    }
}

/// The integers of an index that has nothing else.
#[inline(always)]
pub(super) fn integers<'i>(index: &'i Value, room: &'i mut [i64; AXES]) -> Option<&'i [i64]> {
    match index {
        Value::Int(at) => Some(std::slice::from_ref(at)),
        Value::Tuple(parts) => all_integers(parts, room),
        _ => None,
    }
}

/// The integers that an index has as its parts.
#[inline(always)]
pub(super) fn all_integers<'i>(parts: &[Value], room: &'i mut [i64; AXES]) -> Option<&'i [i64]> {
    let room = room.get_mut(..parts.len())?;
    for (at, part) in room.iter_mut().zip(parts) {
        let Value::Int(part) = part else { return None };
        *at = *part;
    }
    Some(room)
}
