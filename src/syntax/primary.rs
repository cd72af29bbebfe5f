//! Atoms and what can follow them: attributes, calls, subscripts.

use std::rc::Rc;

use crate::diag::Spanned;

use super::ast::{ExprKind, Ident};
use super::call::arguments;
use super::expr::{expression, star_expression, starts_expression};
use super::fstring::strings;
use super::index::slices;
use super::input::{Input, Node, Parse, expected, op, refuse, refuse_with_hint};
use super::number;
use super::token::{Keyword, Op, TokenKind};
use super::unsupported;

// These functions and the ones they call stay out of line: inlined into one frame, the brackets of
// each kind would each add their locals to the stack that one level of nesting takes.

/// `atom.name(arguments)[slices]…`
#[inline(never)]
pub fn primary(input: Input<'_>) -> Parse<'_, Node> {
    let (mut rest, mut node) = atom(input)?;
    loop {
        let TokenKind::Op(op) = rest.kind() else { return Ok((rest, node)) };
        let value = |node: Node| (Box::new(node.expr), node.height);
        (rest, node) = match op {
            Op::Dot => {
                let (after, name) = name(rest.advance())?;
                let (value, below) = value(node);
                (after, input.node(after, ExprKind::Attribute { value, name }, below)?)
            }
            Op::LParen => {
                let (after, (args, below)) = arguments(rest)?;
                let (callee, height) = value(node);
                (after, input.node(after, ExprKind::Call { callee, args }, below.max(height))?)
            }
            Op::LBracket => {
                let (after, index) = slices(rest)?;
                let (value, height) = value(node);
                let (index, below) = (Box::new(index.expr), index.height.max(height));
                (after, input.node(after, ExprKind::Subscript { value, index }, below)?)
            }
            _ => return Ok((rest, node)),
        };
    }
}

#[inline(never)]
pub fn atom(input: Input<'_>) -> Parse<'_, Node> {
    let kind = match input.kind() {
        TokenKind::Name => ExprKind::Name(input.text().into()),
        TokenKind::Number => match number::value(input.text()) {
            Some(kind) => kind,
            None => {
                return Err(refuse(input.span(), "an integer literal has more than 4300 digits"));
            }
        },
        TokenKind::Str | TokenKind::FStringStart => return strings(input),
        TokenKind::Keyword(Keyword::None) => ExprKind::None,
        TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
        TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
        TokenKind::Op(Op::Ellipsis) => ExprKind::Ellipsis,
        TokenKind::Op(Op::LParen) => return group(input),
        TokenKind::Op(Op::LBracket) => return list(input),
        TokenKind::Op(Op::LBrace) => return dict(input),
        _ => {
            unsupported::expression(input)?;
            return expected(input, "an expression");
        }
    };
    let rest = input.advance();
    Ok((rest, input.node(rest, kind, 0)?))
}

/// `(x)`, which leaves no trace in the tree, or `()`, `(x,)`, `(x, y)`.
#[inline(never)]
pub fn group(input: Input<'_>) -> Parse<'_, Node> {
    let inside = input.advance();
    if inside.is(Op::RParen) {
        let rest = inside.advance();
        return Ok((rest, input.node(rest, ExprKind::Tuple(Vec::new()), 0)?));
    }
    let (after, first) = star_expression(inside)?;
    if !after.is(Op::Comma) {
        unsupported::inside_brackets(after)?;
        let (rest, _) = op(Op::RParen, "`,` or `)`")(after)?;
        if let ExprKind::Starred(_) = first.expr.node {
            return Err(refuse_with_hint(
                first.expr.span,
                "a starred expression cannot stand alone in parentheses",
                "a tuple of it is `(*x,)`, with a comma",
            ));
        }
        return Ok((rest, first));
    }
    let (rest, (items, below)) = elements(after, first, Op::RParen, "`,` or `)`")?;
    Ok((rest, input.node(rest, ExprKind::Tuple(items), below)?))
}

/// `[]`, `[x]`, `[x, *y]`
#[inline(never)]
pub fn list(input: Input<'_>) -> Parse<'_, Node> {
    let inside = input.advance();
    if inside.is(Op::RBracket) {
        let rest = inside.advance();
        return Ok((rest, input.node(rest, ExprKind::List(Vec::new()), 0)?));
    }
    let (after, first) = star_expression(inside)?;
    let (rest, (items, below)) = elements(after, first, Op::RBracket, "`,` or `]`")?;
    Ok((rest, input.node(rest, ExprKind::List(items), below)?))
}

/// `{}`, `{key: value}`
#[inline(never)]
pub fn dict(input: Input<'_>) -> Parse<'_, Node> {
    let mut rest = input.advance();
    let mut items = Vec::new();
    let mut below = 0;
    while !rest.is(Op::RBrace) {
        unsupported::dict_item(rest)?;
        let (after, key) = expression(rest)?;
        if matches!(after.kind(), TokenKind::Op(Op::Comma | Op::RBrace)) && items.is_empty() {
            return Err(unsupported::set_display(input.span_to(after)));
        }
        unsupported::inside_brackets(after)?;
        let (after, _) = op(Op::Colon, "`:` and the key's value")(after)?;
        let (after, value) = expression(after)?;
        below = below.max(key.height).max(value.height);
        items.push((key.expr, value.expr));
        rest = after;
        if !rest.is(Op::Comma) {
            unsupported::inside_brackets(rest)?;
            break;
        }
        rest = rest.advance();
    }
    let (rest, _) = op(Op::RBrace, "`,` or `}`")(rest)?;
    Ok((rest, input.node(rest, ExprKind::Dict(items), below)?))
}

/// A name that is no keyword.
pub fn name(input: Input<'_>) -> Parse<'_, Spanned<Ident>> {
    if let TokenKind::Keyword(word) = input.kind() {
        return Err(refuse(
            input.span(),
            format!("expected a name, found the keyword `{}`", word.text()),
        ));
    }
    match input.kind() {
        TokenKind::Name => {
            let node: Ident = Rc::from(input.text());
            Ok((input.advance(), Spanned { node, span: input.span() }))
        }
        _ => expected(input, "a name"),
    }
}

/// The elements after the first one, up to the closing bracket and over it.
fn elements<'a>(
    input: Input<'a>,
    first: Node,
    close: Op,
    what: &'static str,
) -> Parse<'a, (Vec<super::ast::Expr>, u32)> {
    let mut below = first.height;
    let mut items = vec![first.expr];
    let mut rest = input;
    while rest.is(Op::Comma) {
        rest = rest.advance();
        if !starts_expression(rest.kind()) {
            break;
        }
        let (after, item) = star_expression(rest)?;
        below = below.max(item.height);
        items.push(item.expr);
        rest = after;
    }
    unsupported::inside_brackets(rest)?;
    let (rest, _) = op(close, what)(rest)?;
    Ok((rest, (items, below)))
}
