//! Cells, lines, and the statements of one line.

use crate::diag::{Span, Spanned};

use super::ast::{BinaryOp, ExprKind, Ident, Stmt, StmtKind};
use super::compound::{compound_stmt, is_compound};
use super::expr::{expression, star_expression, star_expressions, starts_expression, value};
use super::import::{import_from, import_name};
use super::input::{Input, Node, Parse, expected, refuse, refuse_with_hint};
use super::primary::name;
use super::target::{self, assignable};
use super::token::{Keyword, Op, TokenKind};
use super::{Cell, CellItem, command, unsupported};

/// A whole text: lines of statements, and of commands.
pub fn cell(input: Input<'_>) -> Parse<'_, Cell> {
    let mut items = Vec::new();
    let mut rest = input;
    loop {
        rest = match rest.kind() {
            TokenKind::Eof => return Ok((rest, Cell { items })),
            TokenKind::Newline => rest.advance(),
            TokenKind::Command | TokenKind::Help => {
                items.push(command::item(rest));
                rest.advance()
            }
            _ => {
                let (after, stmts) = statement(rest)?;
                items.extend(stmts.into_iter().map(CellItem::Stmt));
                after
            }
        };
    }
}

/// A statement with blocks, or a line of statements without.
pub fn statement(input: Input<'_>) -> Parse<'_, Vec<Stmt>> {
    match is_compound(input.kind()) {
        true => compound_stmt(input).map(|(rest, stmt)| (rest, vec![stmt])),
        false => simple_stmts(input),
    }
}

/// `statement; statement;` and the end of the line.
pub fn simple_stmts(input: Input<'_>) -> Parse<'_, Vec<Stmt>> {
    let (mut rest, first) = simple_stmt(input)?;
    let mut line = vec![first];
    while rest.is(Op::Semicolon) {
        rest = rest.advance();
        if rest.kind() == TokenKind::Newline {
            break;
        }
        let (after, stmt) = simple_stmt(rest)?;
        line.push(stmt);
        rest = after;
    }
    match rest.kind() {
        TokenKind::Newline => Ok((rest.advance(), line)),
        _ => {
            unsupported::after_statement(rest)?;
            expected(rest, "the end of the statement")
        }
    }
}

pub fn simple_stmt(input: Input<'_>) -> Parse<'_, Stmt> {
    unsupported::statement(input)?;
    if is_compound(input.kind()) {
        return Err(refuse_with_hint(
            input.span(),
            format!("expected a simple statement, found `{}`", input.text()),
            "a statement with a block begins a line of its own",
        ));
    }
    let (rest, node) = match input.kind() {
        TokenKind::Keyword(Keyword::Pass) => (input.advance(), StmtKind::Pass),
        TokenKind::Keyword(Keyword::Break) => (input.advance(), StmtKind::Break),
        TokenKind::Keyword(Keyword::Continue) => (input.advance(), StmtKind::Continue),
        TokenKind::Keyword(Keyword::Return) => return_stmt(input)?,
        TokenKind::Keyword(Keyword::Raise) => raise_stmt(input)?,
        TokenKind::Keyword(Keyword::Assert) => assert_stmt(input)?,
        TokenKind::Keyword(Keyword::Global | Keyword::Nonlocal) => scope_stmt(input)?,
        TokenKind::Keyword(Keyword::Del) => del_stmt(input)?,
        TokenKind::Keyword(Keyword::Import) => import_name(input)?,
        TokenKind::Keyword(Keyword::From) => import_from(input)?,
        kind if starts_expression(kind) => assignment(input)?,
        _ => {
            unsupported::expression(input)?;
            return expected(input, "a statement");
        }
    };
    Ok((rest, Spanned { node, span: input.span_to(rest) }))
}

/// `a = b = value`, `a += value`, `a: type = value`, or a lone expression.
pub fn assignment(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (rest, first) = value(input)?;
    if let TokenKind::Op(op) = rest.kind() {
        if op == Op::Equal {
            return chain(rest, first);
        }
        if let Some(op) = augmented(op) {
            target::augmentable(&first.expr)?;
            let (rest, value) = value(rest.advance())?;
            target::no_lone_star(&value.expr)?;
            return Ok((rest, StmtKind::AugAssign { target: first.expr, op, value: value.expr }));
        }
    }
    unsupported::after_expression(input, rest, &first.expr)?;
    if rest.is(Op::Colon) {
        return annotated(rest, first);
    }
    target::no_lone_star(&first.expr)?;
    Ok((rest, StmtKind::Expr(first.expr)))
}

/// `return`, `return value`
pub fn return_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let rest = input.advance();
    if !starts_expression(rest.kind()) {
        return Ok((rest, StmtKind::Return(None)));
    }
    let (rest, value) = star_expressions(rest)?;
    target::no_lone_star(&value.expr)?;
    Ok((rest, StmtKind::Return(Some(value.expr))))
}

/// `raise`, `raise exception`, `raise exception from cause`
pub fn raise_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let rest = input.advance();
    if !starts_expression(rest.kind()) {
        return Ok((rest, StmtKind::Raise { exception: None, cause: None }));
    }
    let (mut rest, exception) = expression(rest)?;
    let mut cause = None;
    if rest.is_keyword(Keyword::From) {
        let (after, node) = expression(rest.advance())?;
        cause = Some(node.expr);
        rest = after;
    }
    Ok((rest, StmtKind::Raise { exception: Some(exception.expr), cause }))
}

/// `assert test, message`
pub fn assert_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (mut rest, test) = expression(input.advance())?;
    let mut message = None;
    if rest.is(Op::Comma) {
        let (after, node) = expression(rest.advance())?;
        message = Some(node.expr);
        rest = after;
    }
    Ok((rest, StmtKind::Assert { test: test.expr, message }))
}

/// `global a, b`, `nonlocal a, b`
pub fn scope_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let mut names: Vec<Spanned<Ident>> = Vec::new();
    let mut rest = input;
    loop {
        let (after, name) = name(rest.advance())?;
        names.push(name);
        rest = after;
        if !rest.is(Op::Comma) {
            break;
        }
    }
    let is_global = input.is_keyword(Keyword::Global);
    Ok((rest, if is_global { StmtKind::Global(names) } else { StmtKind::Nonlocal(names) }))
}

/// `del a, b[0], (c, d)`
pub fn del_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let mut targets = Vec::new();
    let mut rest = input.advance();
    loop {
        let (after, node) = star_expression(rest)?;
        target::deletable(&node.expr)?;
        targets.push(node.expr);
        rest = after;
        if rest.is(Op::Comma) {
            rest = rest.advance();
        }
        if rest.at == after.at || !starts_expression(rest.kind()) {
            return Ok((rest, StmtKind::Del(targets)));
        }
    }
}

/// The targets after the first one, and the value behind the last `=`.
fn chain(input: Input<'_>, first: Node) -> Parse<'_, StmtKind> {
    let mut targets = Vec::new();
    let mut last = first;
    let mut rest = input;
    while rest.is(Op::Equal) {
        assignable(&last.expr)?;
        let (after, next) = value(rest.advance())?;
        targets.push(std::mem::replace(&mut last, next).expr);
        rest = after;
    }
    target::no_lone_star(&last.expr)?;
    Ok((rest, StmtKind::Assign { targets, value: last.expr }))
}

/// What follows the target in `target: annotation = value`.
fn annotated(input: Input<'_>, first: Node) -> Parse<'_, StmtKind> {
    let target = first.expr;
    let span: Span = target.span;
    match &target.node {
        ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => {}
        ExprKind::Tuple(_) => {
            return Err(refuse(span, "only a single target (not a tuple) can be annotated"));
        }
        ExprKind::List(_) => {
            return Err(refuse(span, "only a single target (not a list) can be annotated"));
        }
        _ => {
            let what = target::described(&target);
            return Err(refuse(span, format!("{what} cannot be annotated")));
        }
    }
    let (mut rest, annotation) = expression(input.advance())?;
    let mut given = None;
    if rest.is(Op::Equal) {
        let (after, node) = value(rest.advance())?;
        target::no_lone_star(&node.expr)?;
        given = Some(node.expr);
        rest = after;
    }
    Ok((rest, StmtKind::AnnAssign { target, annotation: annotation.expr, value: given }))
}

fn augmented(op: Op) -> Option<BinaryOp> {
    Some(match op {
        Op::PlusEqual => BinaryOp::Add,
        Op::MinusEqual => BinaryOp::Sub,
        Op::StarEqual => BinaryOp::Mul,
        Op::SlashEqual => BinaryOp::Div,
        Op::DoubleSlashEqual => BinaryOp::FloorDiv,
        Op::PercentEqual => BinaryOp::Mod,
        Op::DoubleStarEqual => BinaryOp::Pow,
        Op::AtEqual => BinaryOp::MatMul,
        Op::AmperEqual => BinaryOp::BitAnd,
        Op::BarEqual => BinaryOp::BitOr,
        Op::CaretEqual => BinaryOp::BitXor,
        Op::LeftShiftEqual => BinaryOp::Shl,
        Op::RightShiftEqual => BinaryOp::Shr,
        _ => return None,
    })
}
