//! Statements with blocks.

use std::rc::Rc;

use crate::diag::Spanned;

use super::ast::{Block, Branch, Expr, Handler, Ident, Stmt, StmtKind, TryStmt, WithItem};
use super::comprehension::{star_target, star_targets};
use super::define::{class_def, decorated, function_def};
use super::expr::{expression, named_expression, star_expressions};
use super::input::{Input, Parse, Problem, expected, keyword, op, refuse_with_hint, unfinished};
use super::primary::name;
use super::room::with_room;
use super::stmt::{simple_stmts, statement};
use super::target;
use super::token::{Keyword, Op, TokenKind};

/// Whether a statement that begins with this token has a block.
pub fn is_compound(kind: TokenKind) -> bool {
    use Keyword as K;
    match kind {
        TokenKind::Op(op) => op == Op::At,
        TokenKind::Keyword(word) => {
            matches!(word, K::If | K::While | K::For | K::With | K::Try | K::Def | K::Class)
        }
        _ => false,
    }
}

pub fn compound_stmt(input: Input<'_>) -> Parse<'_, Stmt> {
    let (rest, node) = match input.kind() {
        TokenKind::Keyword(Keyword::If) => if_stmt(input)?,
        TokenKind::Keyword(Keyword::While) => while_stmt(input)?,
        TokenKind::Keyword(Keyword::For) => for_stmt(input)?,
        TokenKind::Keyword(Keyword::With) => with_stmt(input)?,
        TokenKind::Keyword(Keyword::Try) => try_stmt(input)?,
        TokenKind::Keyword(Keyword::Def) => {
            let (rest, function) = function_def(input)?;
            (rest, StmtKind::Def(Rc::new(function)))
        }
        TokenKind::Keyword(Keyword::Class) => {
            let (rest, class) = class_def(input)?;
            (rest, StmtKind::Class(Rc::new(class)))
        }
        _ => decorated(input)?,
    };
    Ok((rest, Spanned { node, span: input.span_to(rest) }))
}

/// A colon, and indented lines or the rest of its line.
#[inline(never)]
pub fn block(input: Input<'_>) -> Parse<'_, Block> {
    let (rest, _) = op(Op::Colon, "`:`")(input)?;
    if rest.kind() != TokenKind::Newline {
        if is_compound(rest.kind()) {
            return Err(refuse_with_hint(
                rest.span(),
                format!("expected a simple statement behind `:`, found `{}`", rest.text()),
                "put it on a line of its own below, indented",
            ));
        }
        let (rest, body) = simple_stmts(rest.deeper()?)?;
        return Ok((rest.level_with(input), body));
    }
    let inside = rest.advance();
    no_command(inside)?;
    if inside.kind() != TokenKind::Indent {
        return unfinished(inside, "an indented block");
    }
    let mut rest = inside.advance().deeper()?;
    let mut body = Vec::new();
    loop {
        match rest.kind() {
            TokenKind::Dedent => return Ok((rest.advance().level_with(input), body)),
            _ => {
                no_command(rest)?;
                let (after, mut stmts) = with_room(|| statement(rest))?;
                body.append(&mut stmts);
                rest = after;
            }
        }
    }
}

/// Refuses a command inside a block.
fn no_command(input: Input<'_>) -> Result<(), nom::Err<Problem>> {
    match input.kind() {
        TokenKind::Command | TokenKind::Help if !is_at_margin(input) => Err(refuse_with_hint(
            input.span(),
            "expected a statement in the block, found a command",
            "a command stands outside of blocks, at the left margin",
        )),
        _ => Ok(()),
    }
}

fn is_at_margin(input: Input<'_>) -> bool {
    matches!(input.lexed.text[..input.start()].chars().next_back(), None | Some('\n' | '\r'))
}

#[inline(never)]
pub fn if_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let mut branches = Vec::new();
    let mut rest = input;
    while branches.is_empty() || rest.is_keyword(Keyword::Elif) {
        let (after, test) = named_expression(rest.advance())?;
        let (after, body) = block(after)?;
        branches.push(Branch { test: test.expr, body });
        rest = after;
    }
    let (rest, orelse) = else_block(rest)?;
    Ok((rest, StmtKind::If { branches, orelse }))
}

/// `else: …`, which may be missing.
pub fn else_block(input: Input<'_>) -> Parse<'_, Block> {
    match input.is_keyword(Keyword::Else) {
        true => block(input.advance()),
        false => Ok((input, Block::new())),
    }
}

#[inline(never)]
pub fn while_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (rest, test) = named_expression(input.advance())?;
    let (rest, body) = block(rest)?;
    let (rest, orelse) = else_block(rest)?;
    Ok((rest, StmtKind::While { test: test.expr, body, orelse }))
}

#[inline(never)]
pub fn for_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (rest, target) = star_targets(input.advance())?;
    let (rest, _) = keyword(Keyword::In, "`in` and what to go through")(rest)?;
    let (rest, iter) = star_expressions(rest)?;
    target::no_lone_star(&iter.expr)?;
    let (rest, body) = block(rest)?;
    let (rest, orelse) = else_block(rest)?;
    Ok((rest, StmtKind::For { target: target.expr, iter: iter.expr, body, orelse }))
}

#[inline(never)]
pub fn with_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (rest, items) = with_items(input.advance())?;
    let (rest, body) = block(rest)?;
    Ok((rest, StmtKind::With { items, body }))
}

/// `a as b, c`; around all of them may stand parentheses.
pub fn with_items(input: Input<'_>) -> Parse<'_, Vec<WithItem>> {
    // Parentheses are these if a colon follows and the items in them can be read as items; else
    // they belong to the first item's expression, as in `with (a, b)[0]:` and `with (yield):`.
    if input.is(Op::LParen)
        && let Ok((rest, items)) = several(input.advance(), true)
        && rest.is(Op::RParen)
        && rest.next_kind() == TokenKind::Op(Op::Colon)
    {
        return Ok((rest.advance(), items));
    }
    several(input, false)
}

fn several(input: Input<'_>, in_parentheses: bool) -> Parse<'_, Vec<WithItem>> {
    let mut items = Vec::new();
    let mut rest = input;
    loop {
        let (after, item) = with_item(rest)?;
        items.push(item);
        if !after.is(Op::Comma) {
            return Ok((after, items));
        }
        rest = after.advance();
        if in_parentheses && rest.is(Op::RParen) {
            return Ok((rest, items));
        }
    }
}

/// `context as target`
pub fn with_item(input: Input<'_>) -> Parse<'_, WithItem> {
    let (rest, context) = expression(input)?;
    if !rest.is_keyword(Keyword::As) {
        return Ok((rest, WithItem { context: context.expr, target: None }));
    }
    let (rest, target) = star_target(rest.advance())?;
    target::bindable(&target.expr)?;
    Ok((rest, WithItem { context: context.expr, target: Some(target.expr) }))
}

#[inline(never)]
pub fn try_stmt(input: Input<'_>) -> Parse<'_, StmtKind> {
    let (mut rest, body) = block(input.advance())?;
    let mut handlers: Vec<Handler> = Vec::new();
    let mut takes_parts = false;
    while rest.is_keyword(Keyword::Except) {
        let is_star = rest.next_kind() == TokenKind::Op(Op::Star);
        if !handlers.is_empty() && is_star != takes_parts {
            return Err(refuse_with_hint(
                rest.span(),
                "cannot have both `except` and `except*` on the same `try`",
                "`except*` takes parts of groups, and an exception alone as a group of one",
            ));
        }
        takes_parts = is_star;
        if let Some(last) = handlers.last()
            && last.kind.is_none()
        {
            return Err(refuse_with_hint(
                last.span,
                "a bare `except:` takes everything and must be the last",
                "put it behind the others, or name what it takes: `except Exception:`",
            ));
        }
        let (after, handler) = match is_star {
            true => except_star_block(rest)?,
            false => except_block(rest)?,
        };
        handlers.push(handler);
        rest = after;
    }
    let (mut rest, orelse) = match handlers.is_empty() {
        false => else_block(rest)?,
        true => (rest, Block::new()),
    };
    let mut finally = Block::new();
    if rest.is_keyword(Keyword::Finally) {
        (rest, finally) = block(rest.advance())?;
    } else if handlers.is_empty() {
        return unfinished(rest, "`except` or `finally` behind the block of `try`");
    }
    Ok((rest, StmtKind::Try(Box::new(TryStmt { body, handlers, takes_parts, orelse, finally }))))
}

/// `except kind as name: …`
#[inline(never)]
pub fn except_block(input: Input<'_>) -> Parse<'_, Handler> {
    let rest = input.advance();
    match rest.is(Op::Colon) || rest.kind() == TokenKind::Newline {
        true => handler(input, rest, None, None),
        false => named_kind(input, rest),
    }
}

/// `except* kind as name: …`
#[inline(never)]
pub fn except_star_block(input: Input<'_>) -> Parse<'_, Handler> {
    let rest = input.advance().advance();
    if rest.is(Op::Colon) {
        return Err(refuse_with_hint(
            rest.span(),
            "expected one or more exception types",
            "`except* Exception:` takes all of a group",
        ));
    }
    named_kind(input, rest)
}

fn named_kind<'a>(input: Input<'a>, rest: Input<'a>) -> Parse<'a, Handler> {
    let (rest, node) = expression(rest)?;
    if rest.is(Op::Comma) {
        return Err(refuse_with_hint(
            node.expr.span.to(rest.span()),
            "several kinds of exceptions stand in parentheses",
            "write `except (A, B):`, and `except A as b:` to give it a name",
        ));
    }
    if !rest.is_keyword(Keyword::As) {
        return handler(input, rest, Some(node.expr), None);
    }
    let (rest, word) = name(rest.advance())?;
    handler(input, rest, Some(node.expr), Some(word))
}

fn handler<'a>(
    input: Input<'a>,
    rest: Input<'a>,
    kind: Option<Expr>,
    name: Option<Spanned<Ident>>,
) -> Parse<'a, Handler> {
    let span = input.span_to(rest);
    if !rest.is(Op::Colon) {
        return expected(rest, "`:`");
    }
    let (rest, body) = block(rest)?;
    Ok((rest, Handler { span, kind, name, body }))
}
