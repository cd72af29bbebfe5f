//! Expressions: the table of them, and operators.

use std::rc::Rc;

use super::Compiler;
use super::constant::{beside_operator, negated};
use super::op::{Op, Reg};
use crate::diag::{Diagnostic, ErrorKind, Span, Spanned};
use crate::interp::object::bytes::Bytes;
use crate::interp::value::{Slice, Value};
use crate::syntax::ast::{BinaryOp, BoolOp, Expr, ExprKind, Ident, UnaryOp};
use crate::syntax::with_room;

impl Compiler<'_> {
    /// The value of an expression, in the variable or the constant that it is, else in a temporary.
    pub(super) fn expr(&mut self, expr: &Expr) -> Reg {
        if let Some(register) = self.register_of(expr) {
            return register;
        }
        let to = self.temporary();
        self.expr_to(expr, to);
        to
    }

    /// The value of an expression in a new temporary.
    pub(super) fn in_temporary(&mut self, expr: &Expr) -> Reg {
        let to = self.temporary();
        self.expr_to(expr, to);
        to
    }

    /// As [`Compiler::expr`], where other expressions are computed before it is used.
    pub(super) fn operand(&mut self, expr: &Expr) -> Reg {
        if self.level().scope.has_walrus && matches!(expr.node, ExprKind::Name(_)) {
            return self.in_temporary(expr);
        }
        self.expr(expr)
    }

    pub(super) fn register_of(&mut self, expr: &Expr) -> Option<Reg> {
        match &expr.node {
            ExprKind::Name(name) => self.local(name, expr.span),
            ExprKind::Int(value) => self.level().constant(Value::Int(*value)),
            ExprKind::Float(value) => self.level().constant(Value::Float(*value)),
            ExprKind::Imaginary(size) => self.level().constant(Value::imaginary(*size)),
            ExprKind::Bool(value) => self.level().constant(Value::Bool(*value)),
            ExprKind::None => self.level().constant(Value::None),
            _ => None,
        }
    }

    /// Whether only the last operation of an expression writes its register, so that a variable that
    /// the expression reads may be the target.
    fn writes_last(expr: &Expr) -> bool {
        matches!(
            expr.node,
            ExprKind::Name(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Imaginary(_)
                | ExprKind::Str(_)
                | ExprKind::Bytes(_)
                | ExprKind::Bool(_)
                | ExprKind::None
                | ExprKind::Binary { .. }
                | ExprKind::Unary { .. }
                | ExprKind::Attribute { .. }
                | ExprKind::Subscript { .. }
                | ExprKind::Call { .. }
        )
    }

    /// The value of an expression in a variable of the frame.
    pub(super) fn expr_to_local(&mut self, expr: &Expr, to: Reg) {
        if Self::writes_last(expr) {
            return self.expr_to(expr, to);
        }
        let mark = self.mark();
        let from = self.in_temporary(expr);
        self.emit(Op::Move { to, from }, expr.span);
        self.release(mark);
    }

    /// Computes an expression into a register.
    pub(super) fn expr_to(&mut self, expr: &Expr, to: Reg) {
        with_room(|| self.node_to(expr, to));
    }

    fn node_to(&mut self, expr: &Expr, to: Reg) {
        let span = expr.span;
        let mark = self.mark();
        match &expr.node {
            ExprKind::None => self.constant_to(Value::None, to, span),
            ExprKind::Ellipsis => self.constant_to(Value::Ellipsis, to, span),
            ExprKind::Bool(value) => self.constant_to(Value::Bool(*value), to, span),
            ExprKind::Int(value) => self.constant_to(Value::Int(*value), to, span),
            ExprKind::Float(value) => self.constant_to(Value::Float(*value), to, span),
            ExprKind::Imaginary(size) => self.constant_to(Value::imaginary(*size), to, span),
            ExprKind::Str(text) => self.constant_to(self.interp.part(text), to, span),
            ExprKind::Bytes(bytes) => self.constant_to(Bytes::value(bytes.to_vec()), to, span),
            ExprKind::BigInt(digits) => match digits.parse() {
                Ok(value) => self.constant_to(Value::Wide(value), to, span),
                Err(_) => self.too_large(digits, span),
            },
            ExprKind::FString(parts) => self.fstring(parts, to, span),
            ExprKind::Name(name) => self.read(name, to, span),
            ExprKind::Tuple(items) => self.tuple(items, to, span),
            ExprKind::List(items) => self.list(items, to, span),
            ExprKind::Set(items) => self.set(items, to, span),
            ExprKind::Dict(items) => self.dict(items, to, span),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, to, span),
            ExprKind::Binary { op, lhs, rhs } => self.binary(*op, lhs, rhs, to, span),
            ExprKind::Logical { op, operands } => self.logical(*op, operands, to, span),
            ExprKind::Compare { first, rest } => self.compare(first, rest, to),
            ExprKind::Conditional { test, then, orelse } => {
                self.conditional(test, then, orelse, to);
            }
            ExprKind::Attribute { value, name } => self.attribute(value, name, to, span),
            ExprKind::Call { callee, args } => self.call(callee, args, to, span, false),
            ExprKind::Subscript { value, index } => self.subscript(value, index, to, span),
            ExprKind::Slice { start, stop, step } => {
                self.slice([start, stop, step].map(Option::as_deref), to, span);
            }
            ExprKind::Named { name, value } => self.named(name, value, to),
            ExprKind::Lambda(lambda) => self.lambda(lambda, to, span),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, to, span),
            ExprKind::Yield(value) => self.yields(value.as_deref(), to, span),
            ExprKind::YieldFrom(value) => self.yields_from(value, to, span),
            ExprKind::Starred(_) => self.stray_star(span),
        }
        self.release(mark);
    }

    // Deep trees are compiled on small stacks: what an arm needs stands in a function of its own.

    #[cold]
    #[inline(never)]
    fn too_large(&mut self, digits: &str, span: Span) {
        self.fail(big_int(digits, span));
    }

    #[cold]
    #[inline(never)]
    fn stray_star(&mut self, span: Span) {
        let message = "can't use starred expression here";
        self.fail(Diagnostic::new(ErrorKind::Syntax, span, message));
    }

    #[inline(never)]
    fn binary(&mut self, op: BinaryOp, lhs: &Expr, rhs: &Expr, to: Reg, span: Span) {
        if let Some(number) = beside_operator(op, rhs) {
            let a = self.operand(lhs);
            let operation = match op {
                BinaryOp::Sub => Op::SubInt { to, a, number },
                _ => Op::AddInt { to, a, number },
            };
            self.emit(operation, span);
            return;
        }
        let (a, b) = match self.is_turned(span) {
            false => (self.operand(lhs), self.expr(rhs)),
            true => {
                let b = self.operand(rhs);
                (self.expr(lhs), b)
            }
        };
        self.emit(binary(op, to, a, b), span);
    }

    /// Whether an operator's right operand comes first.
    fn is_turned(&self, span: Span) -> bool {
        self.interp.turned.borrow().contains(&span)
    }

    #[inline(never)]
    fn attribute(&mut self, value: &Expr, name: &Spanned<Ident>, to: Reg, span: Span) {
        let object = self.expr(value);
        let name = self.attribute_name(name);
        self.emit(Op::Attribute { to, object, name }, span);
    }

    #[inline(never)]
    fn subscript(&mut self, value: &Expr, index: &Expr, to: Reg, span: Span) {
        let base = self.operand(value);
        let at = self.index(index, span);
        self.emit(Op::Subscript { to, base, index: at }, span);
        self.places(index, span);
    }

    /// The register of an index, which the operation that needs it follows.
    pub(super) fn index(&mut self, index: &Expr, span: Span) -> Reg {
        let is_number = |part: &Expr| {
            use ExprKind::{Attribute, Binary, Call, Int, Name, Subscript, Unary};
            matches!(
                part.node,
                Attribute { .. }
                    | Binary { .. }
                    | Call { .. }
                    | Int(_)
                    | Name(_)
                    | Subscript { .. }
                    | Unary { .. }
            )
        };
        match &index.node {
            ExprKind::Tuple(parts)
                if (2..=4).contains(&parts.len())
                    && parts.iter().all(is_number)
                    && !parts.iter().all(|part| matches!(part.node, ExprKind::Int(_))) =>
            {
                let to = self.temporary();
                let first = self.mark();
                parts.iter().for_each(|part| _ = self.in_temporary(part));
                self.emit(Op::Element, span);
                let count = parts.len() as u16;
                self.emit(Op::Tuple { to, first, count }, index.span);
                to
            }
            _ => self.expr(index),
        }
    }

    #[inline(never)]
    fn slice(&mut self, parts: [Option<&Expr>; 3], to: Reg, span: Span) {
        if let [Some(start), Some(stop), Some(step)] = parts.map(constant_bound) {
            let slice = Value::Slice(Rc::new(Slice { start, stop, step }));
            return self.constant_to(slice, to, span);
        }
        let first = self.mark();
        for part in parts {
            let register = self.temporary();
            match part {
                Some(part) => self.expr_to(part, register),
                None => self.constant_to(Value::None, register, span),
            }
        }
        self.emit(Op::Slice { to, first }, span);
    }

    #[inline(never)]
    fn named(&mut self, name: &Spanned<Ident>, value: &Expr, to: Reg) {
        self.expr_to(value, to);
        let from = self.temporary();
        self.emit(Op::Copy { to: from, from: to }, name.span);
        self.bind(&name.node, from, false, name.span);
    }

    #[inline(never)]
    fn yields(&mut self, value: Option<&Expr>, to: Reg, span: Span) {
        let register = self.temporary();
        match value {
            Some(value) => self.expr_to(value, register),
            None => self.constant_to(Value::None, register, span),
        }
        self.emit(Op::Yield { to, value: register }, span);
    }

    #[inline(never)]
    fn yields_from(&mut self, value: &Expr, to: Reg, span: Span) {
        let iter = self.temporaries(3);
        let from = self.in_temporary(value);
        self.emit(Op::Iter { to: iter, value: from }, value.span);
        self.constant_to(Value::None, to, span);
        self.emit(Op::YieldFrom { to, iter }, span);
    }

    /// Registers in a row; the first of them.
    pub(super) fn temporaries(&mut self, count: usize) -> Reg {
        let first = self.temporary();
        (1..count).for_each(|_| _ = self.temporary());
        first
    }

    /// A register that holds None.
    pub(super) fn none(&mut self, span: Span) -> Reg {
        self.level().constant(Value::None).unwrap_or_else(|| {
            let to = self.temporary();
            self.constant_to(Value::None, to, span);
            to
        })
    }

    pub(super) fn constant_to(&mut self, value: Value, to: Reg, span: Span) {
        let index = self.constant(value);
        self.emit(Op::Const { to, index }, span);
    }

    #[inline(never)]
    fn unary(&mut self, op: UnaryOp, operand: &Expr, to: Reg, span: Span) {
        if op == UnaryOp::Neg
            && let Some(value) = negated(operand)
        {
            return self.constant_to(value, to, span);
        }
        match (op, &operand.node) {
            // The smallest integer has no positive twin.
            (UnaryOp::Neg, ExprKind::BigInt(digits)) => match smallest(digits) {
                Some(value) => self.constant_to(Value::Int(value), to, span),
                None => self.too_large(digits, operand.span),
            },
            (UnaryOp::Not, _) => {
                let (is_true, end) = (self.label(), self.label());
                self.jump_when(operand, is_true);
                self.constant_to(Value::Bool(true), to, span);
                self.jump(end, span);
                self.place(is_true);
                self.constant_to(Value::Bool(false), to, span);
                self.place(end);
            }
            _ => {
                let a = self.expr(operand);
                self.emit(Op::Unary { op, to, a }, span);
            }
        }
    }

    #[inline(never)]
    fn logical(&mut self, op: BoolOp, operands: &[Expr], to: Reg, span: Span) {
        let Some((last, before)) = operands.split_last() else { return };
        let end = self.label();
        let mut bound = None;
        for (at, operand) in before.iter().enumerate() {
            self.expr_to(operand, to);
            let jump = match op {
                BoolOp::And => Op::JumpIfNot { value: to, to: 0 },
                BoolOp::Or => Op::JumpIf { value: to, to: 0 },
            };
            self.emit_jump(jump, end, operand.span);
            if at == 0 {
                bound = self.level().bound.clone();
            }
        }
        self.expr_to(last, to);
        self.level().meet(bound);
        self.place(end);
        _ = span;
    }

    #[inline(never)]
    fn conditional(&mut self, test: &Expr, then: &Expr, orelse: &Expr, to: Reg) {
        let (otherwise, end) = (self.label(), self.label());
        self.jump_unless(test, otherwise);
        let bound = self.level().bound.clone();
        self.expr_to(then, to);
        self.jump(end, then.span);
        self.place(otherwise);
        let then_bound = std::mem::replace(&mut self.level().bound, bound);
        self.expr_to(orelse, to);
        self.level().meet(then_bound);
        self.place(end);
    }
}

#[cold]
fn smallest(digits: &str) -> Option<i64> {
    format!("-{digits}").parse().ok()
}

/// The operation for an operator.
pub(super) fn binary(op: BinaryOp, to: Reg, a: Reg, b: Reg) -> Op {
    match op {
        BinaryOp::Add => Op::Add { to, a, b },
        BinaryOp::Sub => Op::Sub { to, a, b },
        BinaryOp::Mul => Op::Mul { to, a, b },
        BinaryOp::Mod => Op::Mod { to, a, b },
        BinaryOp::FloorDiv => Op::FloorDiv { to, a, b },
        BinaryOp::Div => Op::Div { to, a, b },
        _ => Op::Binary { op, to, a, b },
    }
}

#[cold]
pub(super) fn big_int(digits: &str, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(ErrorKind::Overflow, span, "integer literal too large for 64 bits");
    diagnostic.with_hint(format!("as a float it is `{digits}.0`"))
}

/// A slice's bound that stands in the text.
fn constant_bound(part: Option<&Expr>) -> Option<Value> {
    match part.map(|part| &part.node) {
        None | Some(ExprKind::None) => Some(Value::None),
        Some(ExprKind::Int(number)) => Some(Value::Int(*number)),
        Some(ExprKind::Unary { op: UnaryOp::Neg, operand }) => match operand.node {
            ExprKind::Int(number) => Some(Value::Int(-number)),
            _ => None,
        },
        Some(_) => None,
    }
}
