//! Statements: all or nothing.

use super::{Evaluator, Value};
use crate::diag::SourceResult;
use crate::syntax::ast::{ExprKind, Ident, Stmt, StmtKind};

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

/// Statements without a value.
trait NoValue {
    fn none(self) -> SourceResult<Option<Value>>;
}

impl NoValue for SourceResult<()> {
    fn none(self) -> SourceResult<Option<Value>> {
        self.map(|()| None)
    }
}
