//! `for`, `while`, `break` and `continue`.

use super::Compiler;
use super::label::Label;
use super::level::{Loop, Place};
use super::op::{Op, Reg};
use crate::diag::Span;
use crate::syntax::ast::{Block, Expr, ExprKind};

impl Compiler<'_> {
    pub(super) fn for_loop(
        &mut self,
        target: &Expr,
        iter: &Expr,
        body: &Block,
        orelse: &Block,
        span: Span,
    ) {
        let mark = self.mark();
        let state = self.temporaries(3);
        let value = self.expr(iter);
        self.emit(Op::Iter { to: state, value }, iter.span);
        self.release(state + 3);
        self.commit(iter.span);
        let (next, otherwise, end) = (self.label(), self.label(), self.label());
        let before = self.level().bound.clone();
        self.place(next);
        let item = self.loop_target(target);
        self.emit(Op::Next { to: item, iter: state }, iter.span);
        self.jump(otherwise, iter.span);
        self.bind_loop_target(target, item);
        self.commit(target.span);
        self.body(body, next, end);
        self.again(item, state, next, span);
        self.place(otherwise);
        self.commit(iter.span);
        self.level().bound = before.clone();
        self.block(orelse);
        self.place(end);
        self.emit(Op::Forget { value: state }, iter.span);
        self.level().meet(before);
        self.release(mark);
    }

    pub(super) fn while_loop(&mut self, test: &Expr, body: &Block, orelse: &Block, span: Span) {
        let (next, otherwise, end) = (self.label(), self.label(), self.label());
        let is_endless = matches!(test.node, ExprKind::Bool(true) | ExprKind::Int(1));
        let before = self.level().bound.clone();
        self.place(next);
        if !is_endless {
            self.jump_unless(test, otherwise);
        }
        let after_test = self.level().bound.clone();
        self.commit_if_acting(test);
        let has_break = self.body(body, next, end);
        self.emit_jump(Op::JumpBack { to: 0 }, next, span);
        self.place(otherwise);
        if !is_endless {
            self.commit_if_acting(test);
            self.level().bound = after_test;
            self.block(orelse);
        } else {
            self.level().bound = None;
        }
        self.place(end);
        if has_break {
            self.level().meet(before);
        }
    }

    /// Goes back to the `Next` at a label.
    pub(super) fn again(&mut self, to: Reg, iter: Reg, next: Label, span: Span) {
        let here = self.code().ops.len();
        if let Some(back) = self.level().labels.since(next, here) {
            self.emit(Op::Again { to, iter, back }, span);
        } else {
            self.emit_jump(Op::JumpBack { to: 0 }, next, span);
        }
    }

    /// A loop's body; whether something in it leaves the loop.
    fn body(&mut self, body: &Block, next: Label, end: Label) -> bool {
        let cleanups = self.level().cleanups.len();
        self.level().loops.push(Loop { next, end, cleanups });
        let breaks = self.level().breaks;
        self.block(body);
        let has_break = self.level().breaks != breaks;
        self.level().loops.pop();
        has_break
    }

    /// The register that a loop's items go to: the variable itself, or a temporary.
    pub(super) fn loop_target(&mut self, target: &Expr) -> Reg {
        if let ExprKind::Name(name) = &target.node
            && let Place::Local(local) = self.find(name)
        {
            return local;
        }
        self.temporary()
    }

    pub(super) fn bind_loop_target(&mut self, target: &Expr, item: Reg) {
        self.assign(target, item, target.span, true);
        if item >= self.code().first_temporary {
            self.release(item);
        }
    }

    pub(super) fn leave_loop(&mut self, is_break: bool, span: Span) {
        let Some(around) = self.level().loops.last().copied() else { return };
        if is_break {
            self.level().breaks += 1;
        }
        if self.leaves_loop_through(around, is_break, span) {
            self.level().bound = None;
            return;
        }
        if is_break {
            self.jump(around.end, span);
        } else {
            self.emit_jump(Op::JumpBack { to: 0 }, around.next, span);
        }
        self.level().bound = None;
    }
}
