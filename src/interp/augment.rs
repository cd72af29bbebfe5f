//! `target op= value`: tensors and lists change in place, and every name and view sees it.

use super::{Evaluator, Value, ops};
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Span};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};
use crate::tensor::{Error, Tensor};

impl Evaluator<'_> {
    pub(super) fn augment(
        &self,
        target: &Expr,
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) -> SourceResult<()> {
        match &target.node {
            ExprKind::Name(name) => {
                let before = self.expr(target)?;
                let operand = self.expr(value)?;
                self.set_place(span);
                if let Some(after) = self.place(self.updated(op, &before, &operand), span)? {
                    self.bind(name, after);
                }
                Ok(())
            }
            ExprKind::Subscript { value: base, index } => {
                let base = self.expr(base)?;
                match &base {
                    Value::Tensor(tensor) => self.augment_elements(tensor, index, op, value, span),
                    _ => {
                        let at = self.expr(index)?;
                        let before = self.place(self.container_index(&base, &at), index.span)?;
                        let operand = self.expr(value)?;
                        self.set_place(span);
                        match self.place(self.updated(op, &before, &operand), span)? {
                            Some(after) => {
                                self.place(self.assign_item(&base, &at, after, true), index.span)
                            }
                            None => Ok(()),
                        }
                    }
                }
            }
            ExprKind::Attribute { name, .. } => {
                self.expr(target)?;
                let message = format!("attribute '{}' is not writable", name.node);
                Err(Box::new(Diagnostic::new(ErrorKind::Attribute, name.span, message)))
            }
            _ => {
                let message = "this expression is no target of an augmented assignment";
                Err(Box::new(Diagnostic::new(ErrorKind::Syntax, target.span, message)))
            }
        }
    }

    /// `before op= operand`. `None` where `before` changed in place; else what the target holds
    /// from now on.
    fn updated(
        &self,
        op: BinaryOp,
        before: &Value,
        operand: &Value,
    ) -> Result<Option<Value>, Error> {
        let named = |error: Error| rename(error, op, before, operand);
        match before {
            Value::List(list) if op == BinaryOp::Add => {
                // The statement's last action: computed first, it can't fail half way.
                self.realize_value(operand)?;
                let items = self.iterate(operand)?;
                list.borrow_mut().extend(items);
                Ok(None)
            }
            Value::Tensor(tensor) if !is_scalar(tensor) => {
                self.update(op, tensor, operand).map_err(named)?;
                Ok(None)
            }
            _ => self.binary(op, before, operand).map(Some).map_err(named),
        }
    }

    /// The elements of `tensor` become `tensor op operand`. It is the statement's last action.
    fn update(&self, op: BinaryOp, tensor: &Tensor, operand: &Value) -> Result<(), Error> {
        let engine = &self.interp.engine;
        let is_operand = matches!(operand, Value::Tensor(_))
            || operand.scalar().is_some()
            || operand.is_sequence();
        let Some(engine_op) = ops::engine_op(op).filter(|_| is_operand) else {
            // `@=`, and operands of a wrong type: the result is stored, if there is one.
            let target = Value::Tensor(tensor.clone());
            let Value::Tensor(result) = self.binary(op, &target, operand)? else {
                return Ok(());
            };
            if result.shape() != tensor.shape() {
                return Err(Error::value_error(format!(
                    "non-broadcastable output operand with shape {} doesn't match the broadcast \
                     shape {}",
                    tensor.shape(),
                    result.shape()
                )));
            }
            return engine.assign_all(tensor, result);
        };
        engine.update(engine_op, tensor, ops::operand(engine, operand, tensor.dtype())?)
    }

    /// `tensor[index] op= value`
    fn augment_elements(
        &self,
        tensor: &Tensor,
        index: &Expr,
        op: BinaryOp,
        value: &Expr,
        span: Span,
    ) -> SourceResult<()> {
        let engine = &self.interp.engine;
        let index = self.tensor_index(index)?;
        self.note_index(tensor, &index);
        self.set_place(span);
        let read = engine.index_at(tensor, &index.items, &index.origins());
        let part = read.map_err(|error| self.blame(&index, error))?;
        let operand = self.expr(value)?;
        self.set_place(span);
        if index.is_element(tensor.rank()) {
            // One element is a number: it is computed apart and stored with a cast.
            let result = self.place(self.binary(op, &Value::Tensor(part), &operand), span)?;
            let Value::Tensor(result) = result else { return Ok(()) };
            let stored = engine.assign(tensor, &index.items, result);
            return self.place(stored, span);
        }
        self.place(self.update(op, &part, &operand), span)?;
        if index.is_basic() {
            return Ok(());
        }
        // Elements gathered in a copy go back; of those named twice the last one stays.
        let stored = engine.assign(tensor, &index.items, part);
        stored.map_err(|error| self.blame(&index, error))
    }
}

/// Whether a tensor plays the part of NumPy's scalars, which never change: one element that is no
/// view of others.
fn is_scalar(tensor: &Tensor) -> bool {
    tensor.rank() == 0 && tensor.storage_and_layout().is_none_or(|(storage, _)| storage.len() == 1)
}

/// Python names the augmented operator.
#[cold]
fn rename(error: Error, op: BinaryOp, before: &Value, operand: &Value) -> Error {
    let fault = crate::diag::Fault::from(error.clone());
    if fault.message.starts_with("unsupported operand type(s)") {
        return ops::unsupported(&format!("{}=", op.symbol()), before, operand);
    }
    error
}
