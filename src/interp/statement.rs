//! Statements: all or nothing.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::value::{Dict, List};
use super::{Evaluator, Value};
use crate::diag::SourceResult;
use crate::syntax::ast::{ExprKind, Ident, Stmt, StmtKind};
use crate::tensor::Tensor;

impl Evaluator<'_> {
    /// Runs a statement. `Some` value for an expression statement.
    ///
    /// # Errors
    /// After an error nothing has changed: names, lists, dictionaries and tensors are as before.
    pub fn statement(&self, statement: &Stmt) -> SourceResult<Option<Value>> {
        self.all_or_nothing(statement.span, || self.run(statement))
    }

    fn run(&self, statement: &Stmt) -> SourceResult<Option<Value>> {
        match &statement.node {
            StmtKind::Expr(expr) => match &expr.node {
                // The call of a whole statement is the last thing that can fail in it.
                ExprKind::Call { callee, args } => {
                    self.call(expr.span, callee, args, true).map(Some)
                }
                _ => self.expr(expr).map(Some),
            },
            StmtKind::Assign { targets, value } => self.assign_statement(targets, value).none(),
            StmtKind::AugAssign { target, op, value } => {
                self.augment(target, *op, value, statement.span).none()
            }
            StmtKind::Del(targets) => targets.iter().try_for_each(|t| self.delete(t)).none(),
            StmtKind::Pass => Ok(None),
            StmtKind::Import(names) => names.iter().try_for_each(|name| self.import(name)).none(),
            StmtKind::ImportFrom { module, names } => self.import_from(module, names).none(),
            _ => Err(super::eval::not_run(statement.span)),
        }
    }

    /// Binds a name.
    pub(super) fn bind(&self, name: &Ident, value: Value) {
        self.interp.set(name.clone(), value);
    }
}

/// A walk over the tensors in values; containers may hold themselves.
#[derive(Default)]
pub(super) struct Walk {
    seen: FxHashSet<*const ()>,
}

impl Walk {
    /// Shows every tensor to `take`. A container that was visited before is left out.
    pub(super) fn visit(&mut self, value: &Value, take: &mut dyn FnMut(&Tensor)) {
        match value {
            Value::Tensor(tensor) => take(tensor),
            Value::Tuple(items) => items.iter().for_each(|item| self.visit(item, take)),
            Value::List(items) if self.is_new(List::as_ptr(items).cast()) => {
                items.borrow().iter().for_each(|item| self.visit(item, take));
            }
            Value::Dict(entries) if self.is_new(Dict::as_ptr(entries).cast()) => {
                entries.borrow().values().for_each(|item| self.visit(item, take));
            }
            Value::Set(set) if self.is_new(Rc::as_ptr(set).cast()) => {
                set.borrow().iter().for_each(|key| self.visit(key.value(), take));
            }
            Value::FrozenSet(set) if self.is_new(Rc::as_ptr(set).cast()) => {
                set.iter().for_each(|key| self.visit(key.value(), take));
            }
            Value::View(view) => self.visit(&Value::Dict(view.dict.clone()), take),
            Value::Iterator(iter) if self.is_new(Rc::as_ptr(iter).cast()) => {
                iter.visit(&mut |item| self.visit(item, take));
            }
            Value::Slice(slice) => {
                [&slice.start, &slice.stop, &slice.step]
                    .into_iter()
                    .for_each(|part| self.visit(part, take));
            }
            _ => {}
        }
    }

    fn is_new(&mut self, container: *const ()) -> bool {
        self.seen.insert(container)
    }
}

/// Statements without a value.
trait NoValue {
    fn none(self) -> SourceResult<Option<Value>>;
}

impl NoValue for SourceResult<()> {
    fn none(self) -> SourceResult<Option<Value>> {
        self.map(|()| None)
    }
}
