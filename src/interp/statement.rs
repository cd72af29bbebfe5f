//! Statements: all or nothing.

use std::rc::Rc;

use smallvec::SmallVec;

use super::value::{Dict, List};
use super::{Evaluator, Value};
use crate::diag::{SourceResult, Span};
use crate::syntax::ast::{ExprKind, Stmt, StmtKind};
use crate::tensor::{Error, Tensor};

impl Evaluator<'_> {
    /// Runs a statement. `Some` value for an expression statement.
    ///
    /// # Errors
    /// After an error nothing has changed: names, lists, dictionaries and tensors are as before.
    pub fn statement(&self, statement: &Stmt) -> SourceResult<Option<Value>> {
        self.all_or_nothing(statement.span, || self.run(statement))
    }

    /// Runs something that stands or falls as a whole.
    pub(super) fn all_or_nothing(
        &self,
        span: Span,
        run: impl FnOnce() -> SourceResult<Option<Value>>,
    ) -> SourceResult<Option<Value>> {
        let engine = &self.interp.engine;
        let position = engine.random_position();
        engine.begin_statement();
        self.set_place(span);
        let result = run().and_then(|value| {
            self.place(self.realize_changes(value.as_ref()), span)?;
            Ok(value)
        });
        let mut journal = self.interp.journal.borrow_mut();
        match &result {
            Ok(_) => journal.commit(),
            Err(_) => {
                journal.roll_back(self.interp);
                engine.set_random_position(position);
            }
        }
        engine.end_statement();
        result
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

    /// Binds a name, and notes it for undo.
    pub(super) fn bind(&self, name: &crate::syntax::ast::Ident, value: Value) {
        let before = self.interp.scope.borrow_mut().set(name.clone(), value);
        self.interp.journal.borrow_mut().name(name.clone(), before);
    }

    /// Computes what is still lazy in the statement's value and in everything it changed, and says
    /// that all of it stays.
    fn realize_changes(&self, value: Option<&Value>) -> Result<(), Error> {
        self.realize_and_keep(|look| {
            let mut walk = Walk::default();
            if let Some(value) = value {
                walk.visit(value, look);
            }
            let journal = self.interp.journal.borrow();
            journal.visit_changed(&self.interp.scope.borrow(), |value| walk.visit(value, look));
        })
    }

    /// Computes a value's tensors, also inside containers, and says that they stay.
    pub(super) fn realize_value(&self, value: &Value) -> Result<(), Error> {
        self.realize_and_keep(|look| Walk::default().visit(value, look))
    }

    fn realize_and_keep(&self, visit: impl FnOnce(&mut dyn FnMut(&Tensor))) -> Result<(), Error> {
        let mut lazy: SmallVec<[Tensor; 4]> = SmallVec::new();
        visit(&mut |tensor| match tensor.is_realized() {
            true => tensor.keep(),
            false => lazy.push(tensor.clone()),
        });
        let all: SmallVec<[&Tensor; 4]> = lazy.iter().collect();
        self.interp.engine.realize(&all)?;
        lazy.iter().for_each(Tensor::keep);
        Ok(())
    }
}

/// A walk over the tensors in values; containers may hold themselves.
#[derive(Default)]
pub(super) struct Walk {
    seen: Vec<*const ()>,
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
        let new = !self.seen.contains(&container);
        if new {
            self.seen.push(container);
        }
        new
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
