//! The tree as nested lists, one statement a line: the common form in which this parser and
//! CPython's are compared (tests/syntax/crosscheck.py writes the same from `ast.parse`).

mod expr;

use std::rc::Rc;

use super::ast::{
    Block, FunctionDef, Handler, Ident, ImportName, ImportNames, Module, Parameter, Parameters,
    Stmt, StmtKind, TryStmt, WithItem,
};
use crate::diag::Spanned;
use expr::{binary_name, dump_arg, item, items, list, word};

/// The whole tree, each statement followed by a line break.
pub fn dump(module: &Module) -> String {
    let mut out = String::new();
    for stmt in &module.body {
        dump_stmt(&mut out, stmt);
        out.push('\n');
    }
    out
}

fn dump_stmt(out: &mut String, stmt: &Stmt) {
    match &stmt.node {
        StmtKind::Expr(value) => list(out, "expr", |out| item(out, value)),
        StmtKind::Assign { targets, value } => list(out, "assign", |out| {
            targets.iter().for_each(|target| item(out, target));
            item(out, value);
        }),
        StmtKind::AugAssign { target, op, value } => list(out, "augassign", |out| {
            word(out, binary_name(*op));
            item(out, target);
            item(out, value);
        }),
        StmtKind::AnnAssign { target, annotation, value } => list(out, "annassign", |out| {
            item(out, target);
            item(out, annotation);
            maybe(out, value.as_ref());
        }),
        StmtKind::Del(targets) => list(out, "del", |out| items(out, targets)),
        StmtKind::Pass => out.push_str("(pass)"),
        StmtKind::Break => out.push_str("(break)"),
        StmtKind::Continue => out.push_str("(continue)"),
        StmtKind::Return(value) => list(out, "return", |out| maybe(out, value.as_ref())),
        StmtKind::Raise { exception, cause } => list(out, "raise", |out| {
            maybe(out, exception.as_ref());
            maybe(out, cause.as_ref());
        }),
        StmtKind::Assert { test, message } => list(out, "assert", |out| {
            item(out, test);
            maybe(out, message.as_ref());
        }),
        StmtKind::Global(names) => list(out, "global", |out| dump_names(out, names)),
        StmtKind::Nonlocal(names) => list(out, "nonlocal", |out| dump_names(out, names)),
        StmtKind::Import(names) => list(out, "import", |out| aliases(out, names)),
        StmtKind::ImportFrom { module, names } => list(out, "import_from", |out| {
            word(out, &module.node);
            match names {
                ImportNames::Star => word(out, "*"),
                ImportNames::Names(names) => aliases(out, names),
            }
        }),
        StmtKind::If { branches, orelse } => {
            // CPython has an `if` in the `else` for each `elif`.
            for (at, branch) in branches.iter().enumerate() {
                out.push_str(if at == 0 { "(if" } else { " (block (if" });
                item(out, &branch.test);
                block(out, &branch.body);
            }
            block(out, orelse);
            out.push(')');
            out.push_str(&"))".repeat(branches.len().saturating_sub(1)));
        }
        StmtKind::While { test, body, orelse } => list(out, "while", |out| {
            item(out, test);
            block(out, body);
            block(out, orelse);
        }),
        StmtKind::For { target, iter, body, orelse } => list(out, "for", |out| {
            item(out, target);
            item(out, iter);
            block(out, body);
            block(out, orelse);
        }),
        StmtKind::With { items, body } => list(out, "with", |out| {
            for WithItem { context, target } in items {
                item(out, context);
                maybe(out, target.as_ref());
            }
            block(out, body);
        }),
        StmtKind::Try(parts) => dump_try(out, parts),
        StmtKind::Def(function) => dump_function(out, function),
        StmtKind::Class(class) => list(out, "class", |out| {
            word(out, &class.name.node);
            out.push(' ');
            list(out, "decorators", |out| items(out, &class.decorators));
            out.push(' ');
            list(out, "bases", |out| class.bases.iter().for_each(|base| dump_arg(out, base)));
            block(out, &class.body);
        }),
    }
}

fn dump_function(out: &mut String, function: &Rc<FunctionDef>) {
    list(out, "def", |out| {
        word(out, &function.name.node);
        out.push(' ');
        list(out, "decorators", |out| items(out, &function.decorators));
        dump_parameters(out, &function.parameters);
        maybe(out, function.returns.as_ref());
        block(out, &function.body);
    });
}

fn dump_try(out: &mut String, parts: &TryStmt) {
    list(out, if parts.takes_parts { "try_star" } else { "try" }, |out| {
        block(out, &parts.body);
        for Handler { kind, name, body, .. } in &parts.handlers {
            out.push(' ');
            list(out, "except", |out| {
                maybe(out, kind.as_ref());
                word(out, name.as_ref().map_or("_", |name| &name.node));
                block(out, body);
            });
        }
        block(out, &parts.orelse);
        block(out, &parts.finally);
    });
}

pub fn dump_parameters(out: &mut String, parameters: &Parameters) {
    let Parameters { positional_only, positional, star, keyword_only, double_star } = parameters;
    out.push(' ');
    list(out, "parameters", |out| {
        several(out, "before_slash", positional_only);
        several(out, "positional", positional);
        several(out, "star", star);
        several(out, "keyword_only", keyword_only);
        several(out, "double_star", double_star);
    });
}

fn several<'a>(out: &mut String, head: &str, parameters: impl IntoIterator<Item = &'a Parameter>) {
    out.push(' ');
    list(out, head, |out| {
        for Parameter { name, annotation, default } in parameters {
            word(out, &name.node);
            maybe(out, annotation.as_ref());
            maybe(out, default.as_ref());
        }
    });
}

fn block(out: &mut String, block: &Block) {
    out.push(' ');
    list(out, "block", |out| {
        for stmt in block {
            out.push(' ');
            dump_stmt(out, stmt);
        }
    });
}

/// An expression, or an underscore in its place.
pub fn maybe(out: &mut String, expr: Option<&super::ast::Expr>) {
    match expr {
        Some(expr) => item(out, expr),
        None => word(out, "_"),
    }
}

fn dump_names(out: &mut String, names: &[Spanned<Ident>]) {
    names.iter().for_each(|name| word(out, &name.node));
}

fn aliases(out: &mut String, names: &[ImportName]) {
    for name in names {
        word(out, &name.path.node);
        word(out, name.alias.as_ref().map_or("_", |alias| &alias.node));
    }
}
