//! Expressions, and the errors' places. Every kind of construct has its own file; here is the
//! table of them.

use super::value::Slice;
use super::{Evaluator, Value, missing};
use crate::diag::{Diagnostic, ErrorKind, Fault, SourceId, SourceResult, Span, undefined};
use crate::syntax::ast::{BoolOp, Expr, ExprKind, UnaryOp};
use crate::tensor::{Error, Origin};
use std::rc::Rc;

impl Evaluator<'_> {
    /// The value of an expression; its tensors may be lazy.
    ///
    /// # Errors
    /// Whatever Python or NumPy would raise, placed under the part that it is about.
    pub fn expr(&self, expr: &Expr) -> SourceResult<Value> {
        if self.interp.engine.interrupt().is_raised() {
            return Err(self.interrupted(expr.span));
        }
        match &expr.node {
            ExprKind::None => Ok(Value::None),
            ExprKind::Ellipsis => Ok(Value::Ellipsis),
            ExprKind::Bool(value) => Ok(Value::Bool(*value)),
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Float(value) => Ok(Value::Float(*value)),
            ExprKind::Str(text) => Ok(Value::str(text)),
            ExprKind::BigInt(digits) => Err(big_int(digits, expr.span)),
            ExprKind::FString(parts) => self.fstring(parts),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Tuple(items) => self.items(items).map(Value::tuple),
            ExprKind::List(items) => self.items(items).map(Value::list),
            ExprKind::Dict(entries) => self.dict(entries),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, expr.span),
            ExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = (self.expr(lhs)?, self.expr(rhs)?);
                self.set_place(expr.span);
                self.place(self.binary(*op, &left, &right), expr.span)
            }
            ExprKind::Logical { op, operands } => self.logical(*op, operands),
            ExprKind::Compare { first, rest } => self.compare_chain(first, rest),
            ExprKind::Conditional { test, then, orelse } => {
                self.expr(if self.test(test)? { then } else { orelse })
            }
            ExprKind::Attribute { value, name } => {
                let receiver = self.expr(value)?;
                self.set_place(expr.span);
                self.place(self.attribute(&receiver, &name.node), name.span)
            }
            ExprKind::Call { callee, args } => self.call(expr.span, callee, args, false),
            ExprKind::Subscript { value, index } => self.subscript(value, index, expr.span),
            ExprKind::Slice { start, stop, step } => {
                let part = |part: &Option<Box<Expr>>| match part {
                    Some(part) => self.expr(part),
                    None => Ok(Value::None),
                };
                let (start, stop, step) = (part(start)?, part(stop)?, part(step)?);
                Ok(Value::Slice(Rc::new(Slice { start, stop, step })))
            }
            ExprKind::Set(items) => {
                let items = self.items(items)?;
                let set = self.set_of(items).map(Value::set);
                set.map_err(|fault| placed(fault, expr.span))
            }
            ExprKind::Named { .. }
            | ExprKind::Lambda(_)
            | ExprKind::Comprehension(_)
            | ExprKind::Yield(_)
            | ExprKind::YieldFrom(_) => Err(not_run(expr.span)),
            ExprKind::Starred(_) => Err(Box::new(Diagnostic::new(
                ErrorKind::Syntax,
                expr.span,
                "can't use starred expression here",
            ))),
        }
    }

    /// Python's truth of an expression.
    pub(super) fn test(&self, expr: &Expr) -> SourceResult<bool> {
        let value = self.expr(expr)?;
        self.place(self.truth(&value), expr.span)
    }

    /// Python's truth of a value.
    pub(super) fn truth(&self, value: &Value) -> Result<bool, Error> {
        Ok(super::convert::truth(&self.interp.engine, value)?)
    }

    fn name(&self, name: &str, span: Span) -> SourceResult<Value> {
        if let Some(value) = self.interp.get(name) {
            return Ok(value);
        }
        match self.interp.registry.name(name) {
            Some(value) => Ok(value.clone()),
            None => Err(self.unknown_name(name, span)),
        }
    }

    #[cold]
    pub(super) fn unknown_name(&self, name: &str, span: Span) -> Box<Diagnostic> {
        if let Some(remedy) = missing::instead_of_name(name) {
            let message = format!("name '{name}' is not defined");
            return placed(Fault::new(ErrorKind::Name, message).with_hint(remedy), span);
        }
        let scope = self.interp.scope.borrow();
        placed(undefined(name, scope.names().chain(self.interp.registry.names())), span)
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, span: Span) -> SourceResult<Value> {
        if op == UnaryOp::Not {
            return Ok(Value::Bool(!self.test(operand)?));
        }
        if op == UnaryOp::Neg
            && let ExprKind::BigInt(digits) = &operand.node
        {
            // The smallest integer has no positive twin.
            let negative = format!("-{digits}").parse();
            return negative.map(Value::Int).map_err(|_| big_int(digits, operand.span));
        }
        let value = self.expr(operand)?;
        self.set_place(span);
        self.place(self.unary_value(op, &value), span)
    }

    fn logical(&self, op: BoolOp, operands: &[Expr]) -> SourceResult<Value> {
        let Some((last, before)) = operands.split_last() else {
            return Ok(Value::None);
        };
        for operand in before {
            let value = self.expr(operand)?;
            if self.place(self.truth(&value), operand.span)? == (op == BoolOp::Or) {
                return Ok(value);
            }
        }
        self.expr(last)
    }

    /// Nodes made from here on are about this place.
    pub(super) fn set_place(&self, span: Span) {
        self.interp.engine.set_origin(origin(span));
    }

    /// Gives an error its place: that of the node that failed where the error knows it, else
    /// `span`.
    pub(super) fn place<T>(&self, result: Result<T, Error>, span: Span) -> SourceResult<T> {
        result.map_err(|error| {
            let known = error.origin.filter(|origin| *origin != Origin::default());
            let origin =
                |Origin([source, start, end])| Span { source: SourceId(source), start, end };
            placed(error.into(), known.map_or(span, origin))
        })
    }

    #[cold]
    fn interrupted(&self, span: Span) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(ErrorKind::KeyboardInterrupt, span, "stopped by the user"))
    }
}

/// The answer to what is read and not executed so far.
#[cold]
pub(super) fn not_run(span: Span) -> Box<Diagnostic> {
    let message = "this part of the language is read but cannot be executed yet";
    Box::new(Diagnostic::new(ErrorKind::Runtime, span, message))
}

/// A place as nodes carry it.
pub(super) fn origin(Span { source, start, end }: Span) -> Origin {
    Origin([source.0, start, end])
}

/// A fault at its place.
#[cold]
pub(super) fn placed(fault: Fault, span: Span) -> Box<Diagnostic> {
    fault.placed(span)
}

#[cold]
fn big_int(digits: &str, span: Span) -> Box<Diagnostic> {
    let diagnostic =
        Diagnostic::new(ErrorKind::Overflow, span, "integer literal too large for 64 bits");
    Box::new(diagnostic.with_hint(format!("as a float it is `{digits}.0`")))
}
