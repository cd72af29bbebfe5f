//! `target op= value`: tensors and containers change in place, and every name and view sees
//! it; everything else gives way to another value.

use super::builtins::entries_of;
use super::compile::Places;
use super::index::TensorIndex;
use super::value::Type;
use super::{Evaluator, Value, assign, ops};
use crate::diag::{SourceResult, Span};
use crate::syntax::ast::BinaryOp;
use crate::tensor::{Error, ErrorCause, Tensor};

impl Evaluator<'_> {
    /// What `container[at] op= …` changes: of a tensor the part, which is a view where it can be.
    pub(super) fn item_to_update(
        &self,
        container: &Value,
        at: &Value,
        places: &Places,
        span: Span,
    ) -> SourceResult<Value> {
        let Value::Tensor(tensor) = container else {
            return self.place(self.container_index(container, at), places.whole);
        };
        let index = self.tensor_index(at, places)?;
        self.note_index(tensor, &index);
        self.set_place(span);
        let engine = &self.interp.engine;
        let read = engine.index_at(tensor, &index.items, &index.origins());
        let part = read.map_err(|error| self.blame(&index, error))?;
        if !index.is_element(tensor.rank()) {
            return Ok(Value::Tensor(part));
        }
        // One element is a number, which the operand's work does not change any more.
        self.place(engine.as_it_is(&part), span).map(Value::Tensor)
    }

    /// `container[at] op= operand`, `before` being what stands there. `is_last` says that nothing in
    /// the statement can fail afterwards.
    pub(super) fn update_item(
        &self,
        container: &Value,
        at: Value,
        (op, before, operand): (BinaryOp, Value, Value),
        places: &Places,
        span: Span,
        is_last: bool,
    ) -> SourceResult<()> {
        if let (Value::Tensor(tensor), Value::Tensor(part)) = (container, before.clone()) {
            self.place(assign::changeable(tensor, "assignment"), places.whole)?;
            drop(before);
            let index = self.tensor_index(&at, places)?;
            drop(at);
            return self.update_elements(tensor, &index, (op, part, operand), span, is_last);
        }
        // Storing what is there already changes nothing, where it can be stored at all.
        let may_change = match &before {
            Value::List(_) | Value::Set(_) | Value::Dict(_) | Value::Tensor(_) => true,
            // Of two objects the one that is changed speaks before the key.
            Value::Object(_) | Value::Opaque(_) => !matches!(at, Value::Object(_)),
            _ => false,
        };
        let is_stored = may_change
            && matches!(container, Value::List(_) | Value::Dict(_))
            && self.container_index(container, &at).is_ok_and(|now| now.is_same(&before));
        let after = self.place(self.updated(op, &before, operand, is_last && is_stored), span)?;
        if after.is_none() && is_stored {
            return Ok(());
        }
        let after = after.unwrap_or(before);
        self.place(self.assign_item(container, &at, after, is_last), places.whole)
    }

    /// `before op= operand`. `None` where `before` changed in place; else what the target holds
    /// from now on. `is_last` says that nothing can fail after a change in place.
    pub(in crate::interp) fn updated(
        &self,
        op: BinaryOp,
        before: &Value,
        operand: Value,
        is_last: bool,
    ) -> Result<Option<Value>, Error> {
        // A list is no number, so an object that adds itself to others goes first, as in CPython.
        if let (Value::List(_), Value::Object(_)) = (before, &operand)
            && let Some(name) = match op {
                BinaryOp::Add => Some("__radd__"),
                BinaryOp::Mul => Some("__rmul__"),
                _ => None,
            }
            && let Some(answer) = self.call_special(&operand, name, [before])
        {
            match answer? {
                Value::NotImplemented => {}
                answer => return Ok(Some(answer)),
            }
        }
        match (before, op) {
            // As NumPy's, a tensor takes over what it meets; a scalar says how often a list is repeated.
            (Value::Tensor(_), _) => {}
            _ if matches!(&operand, Value::Tensor(it) if op != BinaryOp::Mul || !it.is_scalar()) => {
            }
            (Value::List(list), BinaryOp::Add) => {
                let items = self.iterate(&operand)?;
                self.change(list, is_last)?.extend(items);
                return Ok(None);
            }
            (Value::List(list), BinaryOp::Mul) => {
                let repeated = self.binary(op, before, &operand)?;
                if let Value::List(repeated) = &repeated {
                    *self.change(list, is_last)? = repeated.empty();
                }
                return Ok(None);
            }
            (Value::Opaque(opaque), _) if opaque.part().update(self, op, &operand)? => {
                return Ok(None);
            }
            (Value::Dict(_) | Value::Opaque(_), BinaryOp::BitOr) if before.as_dict().is_some() => {
                let Some(dict) = before.as_dict() else { return Ok(None) };
                let entries = self.aligned_entries(dict, entries_of(self, &operand)?)?;
                self.change(dict, is_last)?.extend(entries);
                return Ok(None);
            }
            (Value::Set(set), BinaryOp::BitOr | BinaryOp::Sub | BinaryOp::BitXor)
                if matches!(operand, Value::Set(_) | Value::FrozenSet(_)) =>
            {
                self.update_set(set, op, &operand, is_last)?;
                return Ok(None);
            }
            (Value::Set(set), _) if matches!(operand, Value::Set(_) | Value::FrozenSet(_)) => {
                if let Some(Value::Set(after)) = self.set_binary(op, before, &operand)? {
                    let after = after.borrow().clone();
                    *self.change(set, is_last)? = after;
                    return Ok(None);
                }
            }
            // What has a length and can't be repeated does not ask the other side, as in CPython.
            (
                Value::Set(_) | Value::FrozenSet(_) | Value::Dict(_) | Value::Range(_),
                BinaryOp::Mul,
            ) if matches!(operand, Value::Str(_) | Value::List(_) | Value::Tuple(_)) => {
                return Err(ops::unsupported("*=", before, &operand));
            }
            _ => {}
        }
        if let Some(after) = self.update_object(op, before, &operand)? {
            return Ok(Some(after));
        }
        // A container that a class extends changes, and the object stays who it is.
        if let Value::Object(_) = before
            && has_own(op, before.plain())
        {
            return match self.updated(op, before.plain(), operand.clone(), is_last) {
                Ok(None) => Ok(None),
                Ok(Some(_)) => self.binary(op, before, &operand).map(Some),
                Err(error) => Err(rename(error, op, before, &operand)),
            };
        }
        match before {
            Value::Tensor(tensor) if !tensor.is_scalar() => {
                self.update(op, tensor, operand, is_last)?;
                Ok(None)
            }
            _ => {
                let result = self.binary(op, before, &operand);
                result.map(Some).map_err(|error| rename(error, op, before, &operand))
            }
        }
    }

    /// The elements of `tensor` become `tensor op operand`.
    fn update(
        &self,
        op: BinaryOp,
        tensor: &Tensor,
        operand: Value,
        is_last: bool,
    ) -> Result<(), Error> {
        let engine = &self.interp.engine;
        let is_operand = matches!(operand, Value::Tensor(_))
            || operand.number().is_some()
            || operand.is_sequence();
        let Some(engine_op) = ops::engine_op(op).filter(|_| is_operand) else {
            // `@=`, and operands of a wrong type: the result is stored, if there is one.
            let target = Value::Tensor(tensor.clone());
            let result = self.binary(op, &target, &operand);
            let result = result.map_err(|error| rename(error, op, &target, &operand))?;
            let Value::Tensor(result) = result else { return Ok(()) };
            drop(operand);
            return engine.last_write(is_last, || engine.replace("matmul", tensor, result));
        };
        let made = ops::operand(engine, &operand, &Value::Tensor(tensor.clone()))?;
        // What the statement has computed for this alone becomes a part of the write.
        drop(operand);
        engine.last_write(is_last, || engine.update(engine_op, tensor, made))
    }

    /// `tensor[index] op= operand`, `part` being what stands there.
    fn update_elements(
        &self,
        tensor: &Tensor,
        index: &TensorIndex,
        (op, part, operand): (BinaryOp, Tensor, Value),
        span: Span,
        is_last: bool,
    ) -> SourceResult<()> {
        let engine = &self.interp.engine;
        self.set_place(span);
        if index.is_element(tensor.rank()) {
            // One element is a number: it is computed apart and stored with a cast.
            let part = Value::Tensor(part);
            let result = self.binary(op, &part, &operand);
            let result = result.map_err(|error| rename(error, op, &part, &operand));
            let Value::Tensor(result) = self.place(result, span)? else { return Ok(()) };
            drop((part, operand));
            let write = || engine.assign(tensor, &index.items, result);
            return self.place(engine.last_write(is_last, write), span);
        }
        let is_basic = index.is_basic();
        self.place(self.update(op, &part, operand, is_basic && is_last), span)?;
        if is_basic {
            return Ok(());
        }
        // Elements gathered in a copy go back; of those named twice the last one stays.
        let write = || engine.assign(tensor, &index.items, part);
        let stored = engine.last_write(is_last, write);
        stored.map_err(|error| self.blame(index, error))
    }
}

/// Whether containers of this type change in place by the operator.
fn has_own(op: BinaryOp, container: &Value) -> bool {
    match container {
        Value::List(_) => matches!(op, BinaryOp::Add | BinaryOp::Mul),
        Value::Dict(_) => op == BinaryOp::BitOr,
        Value::Set(_) => {
            matches!(op, BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::Sub | BinaryOp::BitXor)
        }
        Value::Opaque(opaque) => match opaque.of {
            Type::Deque => matches!(op, BinaryOp::Add | BinaryOp::Mul),
            Type::Counter => {
                matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitAnd | BinaryOp::BitOr)
            }
            _ => op == BinaryOp::BitOr && opaque.part().dict().is_some(),
        },
        _ => false,
    }
}

/// Python names the augmented operator.
#[cold]
pub(in crate::interp) fn rename(
    error: Error,
    op: BinaryOp,
    before: &Value,
    operand: &Value,
) -> Error {
    match error.cause {
        ErrorCause::Operands(_) => ops::unsupported(&format!("{}=", op.symbol()), before, operand),
        _ => error,
    }
}
