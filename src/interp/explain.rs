//! What a statement would do, found out without doing it: its expressions are evaluated lazily,
//! the programs that would compute them are planned, and every change is taken back.

use super::index::TensorIndex;
use super::statement::lazy_tensors;
use super::{Evaluator, Value, eval, ops};
use crate::diag::{ErrorKind, Fault, SourceResult, Span};
use crate::layout::IndexPlan;
use crate::syntax::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::tensor::{Explanation, IndexItem, Tensor};

/// What `:explain` shows of a statement.
#[derive(Debug)]
pub struct Explained {
    /// Each index of a tensor: where it stands, and its plan.
    pub indexes: Vec<(Span, IndexPlan)>,
    /// The programs that would run at the statement's end.
    pub programs: Explanation,
    /// The statement's value, if it would have one; its tensors are lazy.
    pub value: Option<Value>,
}

impl Evaluator<'_> {
    /// Explains a statement. Work that does not fuse with its neighbours (sorting, products,
    /// masks) is done, because what follows needs its result; nothing is kept of it.
    ///
    /// # Errors
    /// What the statement itself would bring up before its end, and RuntimeError for calls that
    /// write to a tensor.
    pub fn explain(&self, statement: &Stmt) -> SourceResult<Explained> {
        let engine = &self.interp.engine;
        let position = engine.random_position();
        engine.begin_statement();
        self.set_place(statement.span);
        *self.interp.explained.borrow_mut() = Some(Vec::new());
        let result = self.lazy_parts(statement);
        let indexes = self.interp.explained.borrow_mut().take().unwrap_or_default();
        self.interp.journal.borrow_mut().roll_back(self.interp);
        engine.end_statement();
        engine.set_random_position(position);
        let (value, programs) = result?;
        Ok(Explained { indexes, programs, value })
    }

    /// Whether a statement is being explained and not run.
    pub(super) fn is_explaining(&self) -> bool {
        self.interp.explained.borrow().is_some()
    }

    /// Notes the plan of an index, if a statement is being explained.
    pub(super) fn note_index(&self, tensor: &Tensor, index: &TensorIndex) {
        if let Some(noted) = &mut *self.interp.explained.borrow_mut()
            && let Ok(plan) = self.interp.engine.explain_index(tensor, &index.items)
        {
            noted.push((index.span(), plan));
        }
    }

    /// Evaluates what a statement would compute, without its effects.
    fn lazy_parts(&self, statement: &Stmt) -> SourceResult<(Option<Value>, Explanation)> {
        match &statement.node {
            StmtKind::Expr(expr) => {
                let value = self.expr(expr)?;
                let programs = self.programs_of(&value, statement.span)?;
                Ok((Some(value), programs))
            }
            StmtKind::Assign { targets, value } => {
                let value = self.expr(value)?;
                let (mut programs, mut is_held) = (Explanation::default(), false);
                for target in targets {
                    match self.explain_target(target, &value, statement.span)? {
                        Some(written) => programs.add(written),
                        None => is_held = true,
                    }
                }
                if is_held {
                    programs.add(self.programs_of(&value, statement.span)?);
                }
                Ok((Some(value), programs))
            }
            StmtKind::AugAssign { target, op, value } => {
                let (before, operand) = (self.expr(target)?, self.expr(value)?);
                self.set_place(statement.span);
                let after = self.place(self.binary(*op, &before, &operand), statement.span)?;
                let programs = match (&before, &after) {
                    (Value::Tensor(x), Value::Tensor(after)) if x.is_realized() => {
                        let whole = [IndexItem::Ellipsis];
                        let written = self.interp.engine.explain_assign(x, &whole, after);
                        self.place(written, statement.span)?
                    }
                    _ => self.programs_of(&after, statement.span)?,
                };
                Ok((Some(after), programs))
            }
            _ => Err(eval::placed(
                Fault::new(ErrorKind::Value, "this kind of statement computes nothing"),
                statement.span,
            )),
        }
    }

    fn programs_of(&self, value: &Value, span: Span) -> SourceResult<Explanation> {
        let tensors = lazy_tensors(value);
        let lazy: Vec<&Tensor> = tensors.iter().collect();
        self.place(self.interp.engine.explain(&lazy), span)
    }

    /// What giving `value` to elements of a tensor would do; `None` where the target is no part of
    /// a tensor.
    fn explain_target(
        &self,
        target: &Expr,
        value: &Value,
        span: Span,
    ) -> SourceResult<Option<Explanation>> {
        let engine = &self.interp.engine;
        match &target.node {
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                for target in targets {
                    self.explain_target(target, &Value::Int(0), span)?;
                }
                Ok(None)
            }
            ExprKind::Subscript { value: base, index } => {
                let Value::Tensor(tensor) = self.expr(base)? else { return Ok(None) };
                let index = self.tensor_index(index)?;
                let planned = engine.explain_index(&tensor, &index.items);
                planned.map_err(|error| self.blame(&index, error))?;
                self.note_index(&tensor, &index);
                let operand = self.place(ops::operand(engine, value, tensor.dtype()), span)?;
                let written = engine.explain_assign(&tensor, &index.items, operand);
                self.place(written, span).map(Some)
            }
            _ => Ok(None),
        }
    }
}
