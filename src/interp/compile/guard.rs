//! `try`, `with` and `raise`.
//!
//! A `finally` block, and what leaves a `with`, is code that stands once and that every way out goes
//! through. A register says how it was come to: None for the plain way, an exception, or the number
//! of a `break`, `continue` or `return` that goes on behind it.

use super::Compiler;
use super::code::{Handler, Handling};
use super::label::Label;
use super::level::Loop;
use super::op::{Op, Reg};
use crate::diag::{Span, Spanned};
use crate::interp::value::Value;
use crate::syntax::ast::{self, Block, Expr, Ident, TryStmt, WithItem};

/// Stands for no register.
pub const NONE: Reg = Reg::MAX;

/// What has to be done on every way out of a block.
#[derive(Debug)]
pub enum Cleanup {
    Code {
        /// The code's beginning.
        entry: Label,
        /// How it was come to, and behind it what is to be returned.
        state: Reg,
        exits: Vec<Exit>,
    },
    /// The name of an exception is forgotten.
    Name(Spanned<Ident>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Exit {
    Break,
    Continue,
    Return,
}

impl Compiler<'_> {
    fn here(&mut self) -> u32 {
        self.code().ops.len() as u32
    }

    pub(super) fn try_stmt(&mut self, parts: &TryStmt, span: Span) {
        if parts.finally.is_empty() {
            return self.try_except(parts, span);
        }
        let mark = self.mark();
        let state = self.temporaries(2);
        self.guarded(
            state,
            false,
            span,
            |compiler| match parts.handlers.is_empty() {
                true => {
                    compiler.block(&parts.body);
                    compiler.settle(span);
                }
                false => compiler.try_except(parts, span),
            },
            |compiler| {
                compiler.block(&parts.finally);
                compiler.emit(Op::RaiseAgain { error: state }, span);
            },
        );
        self.release(mark);
    }

    /// Code that every way out of a body goes through. `swallows` says that an exception may end there.
    fn guarded(
        &mut self,
        state: Reg,
        swallows: bool,
        span: Span,
        body: impl FnOnce(&mut Self),
        cleanup: impl FnOnce(&mut Self),
    ) {
        let entry = self.label();
        let before = self.level().bound.clone();
        self.level().cleanups.push(Cleanup::Code { entry, state, exits: Vec::new() });
        let from = self.here();
        body(self);
        let after = self.level().bound.clone();
        let to = self.here();
        self.constant_to(Value::None, state, span);
        self.place(entry);
        let target = self.here();
        self.code().handlers.push(Handler { from, to, target, error: state, may_decline: false });
        let Some(Cleanup::Code { exits, .. }) = self.level().cleanups.pop() else { return };
        self.level().bound = before;
        cleanup(self);
        let end = self.here();
        self.code().handling.push(Handling { from: target, to: end, error: state });
        let at_end = self.level().bound.clone();
        for (number, exit) in exits.into_iter().enumerate() {
            let next = self.label();
            self.emit(Op::IfExit { state, number: number as u16 }, span);
            self.jump(next, span);
            self.level().bound = at_end.clone();
            self.leave_by(exit, state + 1, span);
            self.place(next);
        }
        // Behind it holds what held behind the body, and what the cleanup bound.
        self.level().bound = match (after, at_end) {
            (_, at_end) if swallows => at_end,
            (Some(mut bound), Some(at_end)) => {
                bound.unite(&at_end);
                Some(bound)
            }
            _ => None,
        };
    }

    /// Leaves the blocks around: `value` is what is returned.
    fn leave_by(&mut self, exit: Exit, value: Reg, span: Span) {
        match exit {
            Exit::Break => self.leave_loop(true, span),
            Exit::Continue => self.leave_loop(false, span),
            Exit::Return => self.leave_function(value, span),
        }
    }

    /// `return` of what stands in a register.
    pub(super) fn leave_function(&mut self, value: Reg, span: Span) {
        self.settle_within(span);
        let mark = self.mark();
        let mut value = value;
        if !self.level().cleanups.is_empty() && value < self.code().first_temporary {
            // What is done on the way out may give the variable something else.
            let copy = self.temporary();
            self.emit(Op::Copy { to: copy, from: value }, span);
            value = copy;
        }
        if !self.leaves_through(0, Exit::Return, Some(value), span) {
            self.emit(Op::Return { value }, span);
        }
        self.level().bound = None;
        self.release(mark);
    }

    /// Whether a way out leads through a cleanup, of those behind the first `outside` ones; goes
    /// there. Names of exceptions are forgotten on the way.
    pub(super) fn leaves_through(
        &mut self,
        outside: usize,
        exit: Exit,
        value: Option<Reg>,
        span: Span,
    ) -> bool {
        for at in (outside..self.level().cleanups.len()).rev() {
            match &mut self.level().cleanups[at] {
                Cleanup::Name(name) => {
                    let name = name.clone();
                    self.forget(&name);
                }
                Cleanup::Code { entry, state, exits } => {
                    let (entry, state) = (*entry, *state);
                    let known = exits.iter().position(|known| *known == exit);
                    let number = known.unwrap_or_else(|| {
                        exits.push(exit);
                        exits.len() - 1
                    });
                    if let Some(value) = value.filter(|value| *value != state + 1) {
                        let op = self.transfer(state + 1, value);
                        self.emit(op, span);
                    }
                    self.constant_to(Value::Int(number as i64), state, span);
                    self.jump(entry, span);
                    return true;
                }
            }
        }
        false
    }

    /// As [`Compiler::leaves_through`], out of a loop.
    pub(super) fn leaves_loop_through(&mut self, around: Loop, is_break: bool, span: Span) -> bool {
        self.settle_within(span);
        let exit = if is_break { Exit::Break } else { Exit::Continue };
        self.leaves_through(around.cleanups, exit, None, span)
    }

    /// What is lazy at the end of a `try` must be computed in it, so that its errors are caught.
    fn settle(&mut self, span: Span) {
        if self.level().bound.is_some() {
            self.emit(Op::Settle, span);
        }
    }

    /// The same where a way out begins in one.
    fn settle_within(&mut self, span: Span) {
        if self.level().tries > 0 {
            self.settle(span);
        }
    }

    fn try_except(&mut self, parts: &TryStmt, span: Span) {
        if parts.takes_parts {
            return self.try_star(parts, span);
        }
        let mark = self.mark();
        let error = self.temporary();
        let (end, handler) = (self.label(), self.label());
        let before = self.level().bound.clone();
        let (from, to) = self.tried(parts, end, span);
        let mut after = self.level().bound.take();
        self.place(handler);
        let target = self.here();
        self.code().handlers.push(Handler { from, to, target, error, may_decline: true });
        self.level().bound = before.clone();
        let mut takes_all = false;
        for handler in &parts.handlers {
            let next = self.label();
            if let Some(kind) = &handler.kind {
                let inner = self.mark();
                let class = self.in_temporary(kind);
                self.emit(Op::Catches { error, class }, kind.span);
                self.jump(next, kind.span);
                self.release(inner);
            } else {
                takes_all = true;
            }
            if self.at_cell() {
                self.emit(Op::Stand, handler.span);
            }
            let bound = self.level().bound.clone();
            self.handler(handler, error);
            self.jump(end, handler.span);
            self.level().meet(after);
            after = std::mem::replace(&mut self.level().bound, bound);
            self.place(next);
        }
        if !takes_all {
            self.emit(Op::RaiseAgain { error }, span);
        }
        let last = self.here();
        self.code().handling.push(Handling { from: target, to: last, error });
        self.level().bound = after;
        self.place(end);
        // Nothing holds the exception any more.
        if self.level().bound.is_some() {
            self.emit(Op::Forget { value: error }, span);
        }
        self.release(mark);
    }

    /// The block of a `try` and the one behind it where nothing was raised. Gives from where to where errors are handled.
    fn tried(&mut self, parts: &TryStmt, end: Label, span: Span) -> (u32, u32) {
        let from = self.here();
        self.level().tries += 1;
        self.block(&parts.body);
        self.level().tries -= 1;
        self.settle(span);
        let to = self.here();
        if self.level().bound.is_some() {
            self.block(&parts.orelse);
        }
        self.jump(end, span);
        (from, to)
    }

    /// `try` with `except*`: four registers hold the exception, what is left of it, the part that is taken, and a list
    /// of what the blocks raised.
    fn try_star(&mut self, parts: &TryStmt, span: Span) {
        let mark = self.mark();
        let state = self.temporaries(4);
        let (part, raised) = (state + 2, state + 3);
        let (end, handler) = (self.label(), self.label());
        let before = self.level().bound.clone();
        let (from, to) = self.tried(parts, end, span);
        let after = self.level().bound.take();
        self.place(handler);
        let target = self.here();
        self.code().handlers.push(Handler { from, to, target, error: state, may_decline: true });
        self.level().bound = before;
        self.emit(Op::Copy { to: state + 1, from: state }, span);
        self.emit(Op::List { to: raised, first: raised, count: 0 }, span);
        for handler in &parts.handlers {
            let next = self.label();
            let Some(kind) = &handler.kind else { continue };
            let inner = self.mark();
            let class = self.in_temporary(kind);
            self.emit(Op::CatchesPart { state, class }, kind.span);
            self.jump(next, kind.span);
            self.release(inner);
            if self.at_cell() {
                self.emit(Op::Stand, handler.span);
            }
            let bound = self.level().bound.clone();
            let from = self.here();
            self.handler(handler, part);
            let to = self.here();
            self.code().handling.push(Handling { from, to, error: part });
            self.jump(next, handler.span);
            let done = self.level().bound.take();
            // What a block raises waits for the others.
            let target = self.here();
            let error = self.temporary();
            self.code().handlers.push(Handler { from, to, target, error, may_decline: false });
            self.level().bound = bound.clone();
            self.emit(Op::Append { list: raised, item: error }, handler.span);
            self.release(inner);
            self.level().meet(done);
            self.level().meet(bound);
            self.place(next);
            self.emit(Op::Forget { value: part }, handler.span);
        }
        let last = self.here();
        self.code().handling.push(Handling { from: target, to: last, error: state });
        self.emit(Op::Regroup { state }, span);
        self.emit(Op::RaiseAgain { error: state }, span);
        self.level().meet(after);
        self.place(end);
        if self.level().bound.is_some() {
            for held in [state, state + 1, raised] {
                self.emit(Op::Forget { value: held }, span);
            }
        }
        self.release(mark);
    }

    /// The block of an `except`.
    fn handler(&mut self, handler: &ast::Handler, error: Reg) {
        let Some(name) = &handler.name else {
            self.commit(handler.span);
            return self.block(&handler.body);
        };
        let mark = self.mark();
        let held = self.temporary();
        self.emit(Op::Copy { to: held, from: error }, name.span);
        self.bind(&name.node, held, true, name.span);
        self.commit(handler.span);
        self.level().cleanups.push(Cleanup::Name(name.clone()));
        let (from, bound) = (self.here(), self.level().bound.clone());
        self.block(&handler.body);
        let to = self.here();
        self.level().cleanups.pop();
        let after = self.level().bound.clone();
        let behind = self.label();
        if after.is_some() {
            self.forget(name);
        }
        let after = after.and(self.level().bound.clone());
        self.jump(behind, name.span);
        // An exception in the block forgets the name, too.
        let target = self.here();
        self.code().handlers.push(Handler { from, to, target, error: held, may_decline: false });
        self.level().bound = bound;
        self.forget(name);
        self.emit(Op::RaiseAgain { error: held }, name.span);
        self.level().bound = after;
        self.place(behind);
        self.release(mark);
    }

    /// Deletes a name, which may have been deleted before, whatever goes on.
    fn forget(&mut self, name: &Spanned<Ident>) {
        let mark = self.mark();
        let none = self.temporary();
        self.constant_to(Value::None, none, name.span);
        self.bind(&name.node, none, true, name.span);
        self.delete_name(&name.node, name.span);
        self.commit(name.span);
        self.release(mark);
    }

    pub(super) fn raise(&mut self, exception: Option<&Expr>, cause: Option<&Expr>, span: Span) {
        let mark = self.mark();
        let op = match exception {
            Some(exception) => {
                let exception = self.in_temporary(exception);
                let cause = cause.map_or(NONE, |cause| self.in_temporary(cause));
                Op::Raise { exception, cause }
            }
            None => Op::Reraise,
        };
        self.emit(op, span);
        self.level().bound = None;
        self.release(mark);
    }

    pub(super) fn with_stmt(&mut self, items: &[WithItem], body: &Block, span: Span) {
        let Some((item, inner)) = items.split_first() else { return self.block(body) };
        let mark = self.mark();
        // What leaves it, what it gave, how it is left, what is returned.
        let exit = self.temporaries(4);
        let (given, state) = (exit + 1, exit + 2);
        let context = self.in_temporary(&item.context);
        self.emit(Op::Enter { to: exit, context }, item.context.span);
        self.call_by_position(given, given, 0, item.context.span);
        self.commit(item.context.span);
        self.guarded(
            state,
            true,
            span,
            |compiler| {
                if let Some(target) = &item.target {
                    compiler.assign(target, given, item.context.span, true);
                    compiler.commit(target.span);
                }
                compiler.with_stmt(inner, body, span);
                compiler.settle(span);
            },
            |compiler| {
                let mark = compiler.mark();
                let leave = compiler.temporaries(4);
                compiler.emit(Op::Leave { to: leave, exit, state }, item.context.span);
                compiler.call_by_position(leave, leave, 3, item.context.span);
                compiler.emit(Op::Swallow { state, answer: leave }, item.context.span);
                compiler.release(mark);
                // What the way out did stands, whatever goes on.
                compiler.commit(item.context.span);
                compiler.emit(Op::RaiseAgain { error: state }, item.context.span);
            },
        );
        self.release(mark);
    }
}
