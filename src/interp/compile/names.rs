//! A walk over a tree that shows every part once.

use crate::syntax::ast::{Arg, DictItem, Expr, ExprKind, FStringPart, Stmt, StmtKind};
use crate::syntax::with_room;

/// What is done with the parts. What `walk_stmt` and `walk_expr` show are the parts directly inside.
pub trait Visit {
    fn stmt(&mut self, stmt: &Stmt);
    fn expr(&mut self, expr: &Expr);
    fn target(&mut self, target: &Expr);
}

/// Shows the parts of a statement that runs in the frame around it.
pub fn walk_stmt(stmt: &Stmt, visit: &mut dyn Visit) {
    match &stmt.node {
        StmtKind::Expr(value) => visit.expr(value),
        StmtKind::Assign { targets, value } => {
            visit.expr(value);
            targets.iter().for_each(|target| visit.target(target));
        }
        StmtKind::If { branches, .. } => {
            branches.iter().for_each(|branch| visit.expr(&branch.test));
        }
        StmtKind::While { test, .. } => visit.expr(test),
        StmtKind::For { target, iter, .. } => {
            visit.expr(iter);
            visit.target(target);
        }
        StmtKind::Return(value) => value.iter().for_each(|value| visit.expr(value)),
        StmtKind::With { items, .. } => {
            for item in items {
                visit.expr(&item.context);
                item.target.iter().for_each(|target| visit.target(target));
            }
        }
        StmtKind::Try(parts) => {
            let kinds = parts.handlers.iter().filter_map(|handler| handler.kind.as_ref());
            kinds.for_each(|kind| visit.expr(kind));
        }
        StmtKind::Raise { exception: first, cause: second } => {
            [first, second].into_iter().flatten().for_each(|part| visit.expr(part));
        }
        StmtKind::Assert { test, message } => {
            visit.expr(test);
            message.iter().for_each(|message| visit.expr(message));
        }
        StmtKind::AugAssign { .. }
        | StmtKind::AnnAssign { .. }
        | StmtKind::Del(_)
        | StmtKind::Pass
        | StmtKind::Import(_)
        | StmtKind::ImportFrom { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Def(_)
        | StmtKind::Class(_)
        | StmtKind::Global(_)
        | StmtKind::Nonlocal(_) => {}
    }
    for block in stmt.node.blocks() {
        block.iter().for_each(|stmt| visit.stmt(stmt));
    }
}

/// Shows the parts of an expression that opens no scope.
pub fn walk_expr(expr: &Expr, visit: &mut dyn Visit) {
    with_room(|| walk_parts(expr, visit));
}

fn walk_parts(expr: &Expr, visit: &mut dyn Visit) {
    match &expr.node {
        ExprKind::FString(parts) => walk_fstring(parts, visit),
        ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
            items.iter().for_each(|item| visit.expr(item));
        }
        ExprKind::Dict(items) => items.iter().for_each(|item| match item {
            DictItem::Pair(key, value) => {
                visit.expr(key);
                visit.expr(value);
            }
            DictItem::Unpack(mapping) => visit.expr(mapping),
        }),
        ExprKind::Starred(value)
        | ExprKind::Unary { operand: value, .. }
        | ExprKind::Attribute { value, .. }
        | ExprKind::YieldFrom(value)
        | ExprKind::Named { value, .. } => visit.expr(value),
        ExprKind::Binary { lhs, rhs, .. } => {
            visit.expr(lhs);
            visit.expr(rhs);
        }
        ExprKind::Logical { operands, .. } => operands.iter().for_each(|part| visit.expr(part)),
        ExprKind::Compare { first, rest } => {
            visit.expr(first);
            rest.iter().for_each(|(_, operand)| visit.expr(operand));
        }
        ExprKind::Conditional { test, then, orelse } => {
            [test, then, orelse].into_iter().for_each(|part| visit.expr(part));
        }
        ExprKind::Call { callee, args } => {
            visit.expr(callee);
            walk_args(args, visit);
        }
        ExprKind::Subscript { value, index } => {
            visit.expr(value);
            visit.expr(index);
        }
        ExprKind::Slice { start, stop, step } => {
            [start, stop, step].into_iter().flatten().for_each(|part| visit.expr(part));
        }
        ExprKind::Yield(value) => value.iter().for_each(|value| visit.expr(value)),
        ExprKind::None
        | ExprKind::Ellipsis
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::BigInt(_)
        | ExprKind::Float(_)
        | ExprKind::Imaginary(_)
        | ExprKind::Str(_)
        | ExprKind::Bytes(_)
        | ExprKind::Name(_)
        | ExprKind::Lambda(_)
        | ExprKind::Comprehension(_) => {}
    }
}

pub fn walk_args(args: &[Arg], visit: &mut dyn Visit) {
    args.iter().for_each(|arg| match arg {
        Arg::Positional(value)
        | Arg::Star(value)
        | Arg::Keyword { value, .. }
        | Arg::DoubleStar(value) => visit.expr(value),
    });
}

fn walk_fstring(parts: &[FStringPart], visit: &mut dyn Visit) {
    for part in parts {
        if let FStringPart::Field { value, spec, .. } = part {
            visit.expr(value);
            walk_fstring(spec.as_deref().unwrap_or_default(), visit);
        }
    }
}
