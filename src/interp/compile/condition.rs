//! Conditions: comparisons, and jumps that they decide.

use super::Compiler;
use super::constant::beside_comparison;
use super::label::Label;
use super::op::{Op, Reg};
use crate::syntax::ast::{BoolOp, CompareOp, Expr, ExprKind, UnaryOp};
use crate::syntax::with_room;

impl Compiler<'_> {
    /// Goes to `label` where the expression is false.
    pub(super) fn jump_unless(&mut self, test: &Expr, label: Label) {
        self.jump_on(test, label, false);
    }

    /// Goes to `label` where the expression is true.
    pub(super) fn jump_when(&mut self, test: &Expr, label: Label) {
        self.jump_on(test, label, true);
    }

    #[inline(never)]
    fn jump_on(&mut self, test: &Expr, label: Label, wanted: bool) {
        let mark = self.mark();
        match &test.node {
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                with_room(|| self.jump_on(operand, label, !wanted));
            }
            // The first operand that decides goes where all go, or behind the last one.
            ExprKind::Logical { op, operands } => {
                let goes = (*op == BoolOp::Or) == wanted;
                let Some((last, before)) = operands.split_last() else { return };
                let behind = self.label();
                let mut bound = None;
                for (at, operand) in before.iter().enumerate() {
                    match goes {
                        true => self.jump_on(operand, label, wanted),
                        false => self.jump_on(operand, behind, !wanted),
                    }
                    if at == 0 {
                        bound = self.level().bound.clone();
                    }
                }
                self.jump_on(last, label, wanted);
                self.level().meet(bound);
                self.place(behind);
            }
            ExprKind::Compare { first, rest } if rest.len() == 1 => {
                let (op, second) = &rest[0];
                let (op, a) = (*op, self.operand(first));
                let compared = match (beside_comparison(op, second), wanted) {
                    (Some(number), true) => Op::WhenInt { op, a, number },
                    (Some(number), false) => Op::UnlessInt { op, a, number },
                    (None, true) => Op::When { op, a, b: self.expr(second) },
                    (None, false) => Op::Unless { op, a, b: self.expr(second) },
                };
                self.emit(compared, test.span);
                self.jump(label, test.span);
            }
            _ => {
                let value = self.expr(test);
                let jump = match wanted {
                    true => Op::JumpIf { value, to: 0 },
                    false => Op::JumpIfNot { value, to: 0 },
                };
                self.emit_jump(jump, label, test.span);
            }
        }
        self.release(mark);
    }

    /// `first < a <= b`: each operand is computed once, and none after the first false link.
    #[inline(never)]
    pub(super) fn compare(&mut self, first: &Expr, rest: &[(CompareOp, Expr)], to: Reg) {
        let end = self.label();
        let mut a = self.operand(first);
        let mut start = first.span;
        if let [(op, second)] = rest
            && let Some(number) = beside_comparison(*op, second)
        {
            self.emit(Op::CompareInt { op: *op, to, a, number }, start.to(second.span));
            return self.place(end);
        }
        let mut bound = None;
        for (at, (op, operand)) in rest.iter().enumerate() {
            let is_last = at + 1 == rest.len();
            let b = match is_last {
                true => self.expr(operand),
                false => self.operand(operand),
            };
            let again = match is_last {
                true => b,
                false => {
                    let again = self.temporary();
                    self.emit(Op::Copy { to: again, from: b }, operand.span);
                    again
                }
            };
            let span = start.to(operand.span);
            self.emit(Op::Compare { op: *op, to, a, b }, span);
            if at == 0 {
                bound = self.level().bound.clone();
            }
            if !is_last {
                self.emit_jump(Op::JumpIfNot { value: to, to: 0 }, end, span);
            }
            (a, start) = (again, operand.span);
        }
        self.level().meet(bound);
        self.place(end);
    }
}
