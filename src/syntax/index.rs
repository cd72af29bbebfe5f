//! What stands between the brackets of a subscript.

use super::ast::{ExprKind, Inner};
use super::expr::{expression, named_expression, starts_expression};
use super::input::{Input, Node, Parse, expected, op};
use super::token::{Op, TokenKind};
use super::unsupported;

/// `[index]`: one item, or a tuple of items if a comma is there.
#[inline(never)]
pub fn slices(input: Input<'_>) -> Parse<'_, Node> {
    let inside = input.advance();
    if inside.is(Op::RBracket) {
        return expected(inside, "an index");
    }
    let (mut rest, first) = slice(inside)?;
    let is_starred = matches!(first.expr.node, ExprKind::Starred(_));
    if !rest.is(Op::Comma) && !is_starred {
        unsupported::inside_brackets(rest)?;
        let (after, _) = op(Op::RBracket, "`,` or `]`")(rest)?;
        return Ok((after, first));
    }
    let mut below = first.height;
    let mut items = vec![first.expr];
    while rest.is(Op::Comma) {
        rest = rest.advance();
        if !starts_expression(rest.kind()) && !rest.is(Op::Colon) {
            break;
        }
        let (after, item) = slice(rest)?;
        below = below.max(item.height);
        items.push(item.expr);
        rest = after;
    }
    let node = inside.node(rest, ExprKind::Tuple(items), below)?;
    unsupported::inside_brackets(rest)?;
    let (rest, _) = op(Op::RBracket, "`,` or `]`")(rest)?;
    Ok((rest, node))
}

/// `start:stop:step`, `*items`, `name := index`, or an expression.
pub fn slice(input: Input<'_>) -> Parse<'_, Node> {
    if input.is(Op::Star) {
        let (rest, value) = expression(input.advance())?;
        return Ok((
            rest,
            input.node(rest, ExprKind::Starred(Inner::new(value.expr)), value.height)?,
        ));
    }
    if input.next_kind() == TokenKind::Op(Op::ColonEqual) {
        return named_expression(input);
    }
    let (rest, start) = bound(input)?;
    let start = match start {
        Some(node) if !rest.is(Op::Colon) => return Ok((rest, node)),
        None if !rest.is(Op::Colon) => return expected(rest, "an index"),
        start => start,
    };
    let (mut rest, stop) = bound(rest.advance())?;
    let mut step = None;
    if rest.is(Op::Colon) {
        (rest, step) = bound(rest.advance())?;
    }
    let below = [&start, &stop, &step].into_iter().flatten().map(|node| node.height).max();
    let boxed = |node: Option<Node>| node.map(|node| Inner::new(node.expr));
    let kind = ExprKind::Slice { start: boxed(start), stop: boxed(stop), step: boxed(step) };
    Ok((rest, input.node(rest, kind, below.unwrap_or(0))?))
}

/// One number of a slice, which may be missing.
pub fn bound(input: Input<'_>) -> Parse<'_, Option<Node>> {
    match input.kind() {
        TokenKind::Op(Op::Colon | Op::Comma | Op::RBracket) => Ok((input, None)),
        _ => expression(input).map(|(rest, node)| (rest, Some(node))),
    }
}
