//! Statements and lines.

use crate::diag::Spanned;

use super::ast::{BinaryOp, StmtKind};
use super::expr::{star_expression, star_expressions, starts_expression};
use super::import::{import_from, import_name};
use super::input::{Input, Node, Parse, expected};
use super::target::{self, assignable};
use super::token::{Keyword, Op, TokenKind};
use super::{Cell, CellItem, ast::Stmt, command, unsupported};

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
                let (after, line) = simple_stmts(rest)?;
                items.extend(line.into_iter().map(CellItem::Stmt));
                after
            }
        };
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
    let (rest, node) = match input.kind() {
        TokenKind::Keyword(Keyword::Pass) => (input.advance(), StmtKind::Pass),
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

/// `a = b = value`, `a += value`, or a lone expression.
pub fn assignment(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (rest, first) = star_expressions(input)?;
    if let TokenKind::Op(op) = rest.kind() {
        if op == Op::Equal {
            return chain(rest, first);
        }
        if let Some(op) = augmented(op) {
            target::augmentable(&first.expr)?;
            let (rest, value) = star_expressions(rest.advance())?;
            target::no_lone_star(&value.expr)?;
            return Ok((rest, StmtKind::AugAssign { target: first.expr, op, value: value.expr }));
        }
    }
    unsupported::after_expression(rest, &first.expr)?;
    target::no_lone_star(&first.expr)?;
    Ok((rest, StmtKind::Expr(first.expr)))
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
        let (after, next) = star_expressions(rest.advance())?;
        targets.push(std::mem::replace(&mut last, next).expr);
        rest = after;
    }
    target::no_lone_star(&last.expr)?;
    Ok((rest, StmtKind::Assign { targets, value: last.expr }))
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
