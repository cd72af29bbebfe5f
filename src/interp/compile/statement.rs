//! Statements: the table of them.

use super::Compiler;
use super::code::Kind;
use super::names::{Visit, walk_expr};
use super::op::Op;
use crate::diag::Span;
use crate::interp::value::Value;
use crate::syntax::ast::{Block, Branch, Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::with_room;

/// Whether a statement is made of others, each of which commits by itself.
pub fn is_compound(stmt: &Stmt) -> bool {
    matches!(
        stmt.node,
        StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::With { .. }
            | StmtKind::Try(_)
    )
}

impl Compiler<'_> {
    /// The whole cell: a statement, and what it returns.
    pub(super) fn cell(&mut self, stmt: &Stmt) {
        let value = self.temporary();
        match &stmt.node {
            StmtKind::Expr(expr) => {
                self.whole_expr(expr, value);
            }
            _ => {
                self.stmt(stmt);
                self.constant_to(Value::None, value, stmt.span);
            }
        }
        self.emit(Op::Return { value }, stmt.span);
    }

    pub(super) fn block(&mut self, block: &Block) {
        for stmt in block {
            with_room(|| self.stmt(stmt));
            if !is_compound(stmt) {
                self.commit(stmt.span);
            }
        }
    }

    /// A simple statement of the cell's own ends here.
    pub(super) fn commit(&mut self, span: Span) {
        if self.at_cell() {
            self.emit(Op::Commit, span);
        }
    }

    /// As [`Compiler::commit`], behind an expression that may change something.
    pub(super) fn commit_if_acting(&mut self, expr: &Expr) {
        if self.at_cell() && acts(expr) {
            self.emit(Op::Commit, expr.span);
        }
    }

    /// An expression that is a whole statement: a call is the last thing that can fail in it.
    fn whole_expr(&mut self, expr: &Expr, to: super::Reg) {
        match &expr.node {
            ExprKind::Call { callee, args } => self.call(callee, args, to, expr.span, true),
            _ => self.expr_to(expr, to),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        let mark = self.mark();
        match &stmt.node {
            StmtKind::Expr(expr) => {
                if !matches!(expr.node, ExprKind::Str(_)) {
                    let value = self.temporary();
                    self.whole_expr(expr, value);
                    self.emit(Op::Forget { value }, span);
                }
            }
            StmtKind::Assign { targets, value } => self.assign_statement(targets, value),
            StmtKind::AugAssign { target, op, value } => self.augment(target, *op, value, span),
            StmtKind::AnnAssign { target, annotation, value } => {
                self.annotated(target, annotation, value.as_ref());
            }
            StmtKind::Del(targets) => self.delete_all(targets, true),
            StmtKind::Pass | StmtKind::Global(_) | StmtKind::Nonlocal(_) => {}
            StmtKind::Import(names) => self.import(names),
            StmtKind::ImportFrom { module, names } => self.import_from(module, names, span),
            StmtKind::If { branches, orelse } => self.branches(branches, orelse),
            StmtKind::While { test, body, orelse } => self.while_loop(test, body, orelse, span),
            StmtKind::For { target, iter, body, orelse } => {
                self.for_loop(target, iter, body, orelse, span);
            }
            StmtKind::Break => self.leave_loop(true, span),
            StmtKind::Continue => self.leave_loop(false, span),
            StmtKind::Def(function) => self.def(function, span),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(expr) => self.expr(expr),
                    None => self.none(span),
                };
                self.leave_function(value, span);
            }
            StmtKind::Assert { test, message } => self.assert(test, message.as_ref()),
            StmtKind::Class(class) => self.class(class, span),
            StmtKind::With { items, body } => self.with_stmt(items, body, span),
            StmtKind::Try(parts) => self.try_stmt(parts, span),
            StmtKind::Raise { exception, cause } => {
                self.raise(exception.as_ref(), cause.as_ref(), span);
            }
        }
        self.release(mark);
    }

    /// `target: annotation = value`. The annotation of a function's own variable is not computed.
    fn annotated(&mut self, target: &Expr, annotation: &Expr, value: Option<&Expr>) {
        if let Some(value) = value {
            self.assign_statement(std::slice::from_ref(target), value);
        }
        if let (Kind::Class, ExprKind::Name(name)) = (self.code().kind, &target.node) {
            return self.annotate(name, annotation, target.span);
        }
        if self.at_cell() || !matches!(target.node, ExprKind::Name(_)) {
            let value = self.temporary();
            self.annotation_to(annotation, value);
            self.emit(Op::Forget { value }, annotation.span);
        }
    }

    fn branches(&mut self, branches: &[Branch], orelse: &Block) {
        let end = self.label();
        let mut after = None;
        for branch in branches {
            let otherwise = self.label();
            self.jump_unless(&branch.test, otherwise);
            let bound = self.level().bound.clone();
            self.commit_if_acting(&branch.test);
            self.block(&branch.body);
            if self.level().bound.is_some() {
                self.jump(end, branch.test.span);
            }
            self.level().meet(after);
            after = std::mem::replace(&mut self.level().bound, bound);
            self.place(otherwise);
            self.commit_if_acting(&branch.test);
        }
        self.block(orelse);
        self.level().meet(after);
        self.place(end);
    }

    fn assert(&mut self, test: &Expr, message: Option<&Expr>) {
        let holds = self.label();
        self.jump_when(test, holds);
        let bound = self.level().bound.clone();
        let register = self.temporary();
        if let Some(message) = message {
            self.expr_to(message, register);
        }
        let has_message = message.is_some();
        self.emit(Op::AssertionFailed { message: register, has_message }, test.span);
        self.level().bound = bound;
        self.place(holds);
    }
}

/// Whether computing an expression may change something: a call may.
fn acts(expr: &Expr) -> bool {
    struct Acts(bool);
    impl Visit for Acts {
        fn stmt(&mut self, _: &Stmt) {}

        fn expr(&mut self, expr: &Expr) {
            match &expr.node {
                ExprKind::Call { .. }
                | ExprKind::Named { .. }
                | ExprKind::Comprehension(_)
                | ExprKind::Attribute { .. }
                | ExprKind::Subscript { .. } => self.0 = true,
                _ => walk_expr(expr, self),
            }
        }

        fn target(&mut self, _: &Expr) {}
    }
    let mut acts = Acts(false);
    acts.expr(expr);
    acts.0
}
