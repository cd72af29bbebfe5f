//! Operators of the program's classes. The method of `a op b` runs as a frame of the machine, whose operands stay where
//! they are until it has answered: it may say that it does not know, and then the other side is asked.

use super::Machine;
use super::frame::{Frame, Then};
use super::op::ensure;
use super::register::{forget, put, put_copy};
use crate::diag::SourceResult;
use crate::interp::compile::{Op, Reg};
use crate::interp::object::class::ClassRef;
use crate::interp::object::operate::methods;
use crate::interp::value::Value;
use crate::syntax::ast::BinaryOp;

/// An operator between registers.
#[derive(Clone, Copy)]
struct Operation {
    op: BinaryOp,
    to: Reg,
    a: Reg,
    b: Reg,
    /// `a op= b`
    is_update: bool,
}

impl Operation {
    fn of(operation: Op) -> Option<Operation> {
        let (op, to, a, b, is_update) = match operation {
            Op::Add { to, a, b } => (BinaryOp::Add, to, a, b, false),
            Op::Sub { to, a, b } => (BinaryOp::Sub, to, a, b, false),
            Op::Mul { to, a, b } => (BinaryOp::Mul, to, a, b, false),
            Op::Mod { to, a, b } => (BinaryOp::Mod, to, a, b, false),
            Op::FloorDiv { to, a, b } => (BinaryOp::FloorDiv, to, a, b, false),
            Op::Div { to, a, b } => (BinaryOp::Div, to, a, b, false),
            Op::Binary { op, to, a, b } => (op, to, a, b, false),
            Op::Update { op, to, a, b } | Op::UpdateLast { op, to, a, b } => (op, to, a, b, true),
            _ => return None,
        };
        Some(Operation { op, to, a, b, is_update })
    }
}

impl Machine<'_> {
    /// The operator that the running frame is at.
    fn operation(&self) -> Option<Operation> {
        let frame = self.frames.top();
        Operation::of(*frame.function().code.ops.get(frame.pc().checked_sub(1)?)?)
    }

    /// A frame for the method of an operator whose left side is an object of a class of the program, and whose right
    /// side has no say before it; whether there is one.
    #[inline(never)]
    pub(super) fn operate_at_once(&mut self) -> bool {
        let Some(Operation { op, to, a, b, is_update }) = self.operation() else { return false };
        let (base, end) = (self.frames.top().base, self.frames.top().end());
        let (a, b) = (base + usize::from(a), base + usize::from(b));
        let (Value::Object(object), other) = (&self.stack[a], &self.stack[b]) else { return false };
        let ClassRef::Program(class) = &object.class else { return false };
        if let Value::Object(other) = other
            && other.class != object.class
        {
            return false;
        }
        let changes = self.evaluator.interp.class_changes.get();
        let [own, _, in_place] = methods(op);
        if is_update && class.find(in_place, changes).is_some() {
            return false;
        }
        let Some(Value::Closure(method)) = class.find(own, changes) else { return false };
        if !method.takes_plainly(2) || method.code.is_generator || !self.can_push() {
            return false;
        }
        ensure(self.evaluator);
        self.push_at_once(Frame::new(method, end, Then::Answer(to)));
        let (before, registers) = self.stack.split_at_mut(end);
        put_copy(&mut registers[0], &before[a]);
        put_copy(&mut registers[1], &before[b]);
        self.fill_defaults(2);
        self.fill();
        true
    }

    /// The method of the operator at which the running frame waits has answered.
    ///
    /// # Errors
    /// What the other side brings up where it does not know, and that no side does.
    pub(super) fn answered(&mut self, to: Reg, answer: Value) -> SourceResult<()> {
        let Some(operation) = self.operation() else { return Ok(()) };
        let base = self.frames.top().base;
        let answer = match answer {
            Value::NotImplemented => {
                let [left, right] =
                    [operation.a, operation.b].map(|at| self.stack[base + usize::from(at)].clone());
                let refused =
                    self.evaluator.refused(operation.op, &left, &right, operation.is_update);
                self.evaluator.place(refused, self.frames.top().span())?
            }
            answer => answer,
        };
        put(&mut self.stack[base + usize::from(to)], answer);
        self.forget_operands(to);
        Ok(())
    }

    /// Lets go of the operands of the operator at which the running frame waits.
    pub(super) fn forget_operands(&mut self, to: Reg) {
        let Some(operation) = self.operation() else { return };
        let frame = self.frames.top();
        let (base, first_temporary) = (frame.base, frame.function().code.first_temporary);
        for register in [operation.a, operation.b].into_iter().filter(|register| *register != to) {
            forget(&mut self.stack[base..], first_temporary, register);
        }
    }
}
