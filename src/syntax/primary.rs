//! Atoms and what can follow them: attributes, calls, subscripts.

use crate::diag::Spanned;

use super::ast::{ComprehensionKind, DictItem, Expr, ExprKind, Ident, Inner};
use super::call::arguments;
use super::comprehension::comprehension;
use super::expr::{bitwise_or, expression, star_named_expression, starts_expression, yield_expr};
use super::fstring::strings;
use super::index::slices;
use super::input::{Input, Node, Parse, expected, op, refuse, refuse_with_hint};
use super::number;
use super::room::with_room;
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
        let value = |node: Node| (Inner::new(node.expr), node.height);
        (rest, node) = match op {
            Op::Dot => {
                let (after, name) = name(rest.advance())?;
                let (value, below) = value(node);
                (after, input.node(after, ExprKind::Attribute { value, name }, below)?)
            }
            Op::LParen => {
                let (after, (args, below)) = with_room(|| arguments(rest))?;
                let (callee, height) = value(node);
                (after, input.node(after, ExprKind::Call { callee, args }, below.max(height))?)
            }
            Op::LBracket => {
                let (after, index) = with_room(|| slices(rest))?;
                let (value, height) = value(node);
                let (index, below) = (Inner::new(index.expr), index.height.max(height));
                (after, input.node(after, ExprKind::Subscript { value, index }, below)?)
            }
            _ => return Ok((rest, node)),
        };
    }
}

#[inline(never)]
pub fn atom(input: Input<'_>) -> Parse<'_, Node> {
    let kind = match input.kind() {
        TokenKind::Name => ExprKind::Name(input.name()),
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
        TokenKind::Op(Op::LParen) => return with_room(|| group(input)),
        TokenKind::Op(Op::LBracket) => return with_room(|| list(input)),
        TokenKind::Op(Op::LBrace) => return with_room(|| braces(input)),
        _ => {
            unsupported::expression(input)?;
            return expected(input, "an expression");
        }
    };
    let rest = input.advance();
    Ok((rest, input.node(rest, kind, 0)?))
}

/// `(x)`, which leaves no trace in the tree, or `()`, `(x,)`, `(x, y)`, `(yield)`, `(x for x in y)`.
#[inline(never)]
pub fn group(input: Input<'_>) -> Parse<'_, Node> {
    let inside = input.advance();
    if inside.is(Op::RParen) {
        let rest = inside.advance();
        return Ok((rest, input.node(rest, ExprKind::Tuple(Vec::new()), 0)?));
    }
    if inside.is_keyword(Keyword::Yield) {
        let (after, node) = yield_expr(inside)?;
        let (rest, _) = op(Op::RParen, "`)`")(after)?;
        return Ok((rest, node));
    }
    let (after, first) = star_named_expression(inside)?;
    if after.is_keyword(Keyword::For) {
        let kind = ComprehensionKind::Generator(first.expr);
        return closed(input, comprehension(after, kind, first.height)?, Op::RParen, "`)`");
    }
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
    let (after, (items, below)) = elements(after, first)?;
    closed(input, (after, (ExprKind::Tuple(items), below)), Op::RParen, "`,` or `)`")
}

/// `[]`, `[x]`, `[x, *y]`, `[x for x in y]`
#[inline(never)]
pub fn list(input: Input<'_>) -> Parse<'_, Node> {
    let inside = input.advance();
    if inside.is(Op::RBracket) {
        let rest = inside.advance();
        return Ok((rest, input.node(rest, ExprKind::List(Vec::new()), 0)?));
    }
    let (after, first) = star_named_expression(inside)?;
    if after.is_keyword(Keyword::For) {
        let kind = ComprehensionKind::List(first.expr);
        return closed(input, comprehension(after, kind, first.height)?, Op::RBracket, "`]`");
    }
    let (after, (items, below)) = elements(after, first)?;
    closed(input, (after, (ExprKind::List(items), below)), Op::RBracket, "`,` or `]`")
}

/// `{}`, `{key: value, **more}`, `{x, *y}`, and their comprehensions.
#[inline(never)]
pub fn braces(input: Input<'_>) -> Parse<'_, Node> {
    let inside = input.advance();
    if matches!(inside.kind(), TokenKind::Op(Op::RBrace | Op::DoubleStar)) {
        return dict(input, inside, Vec::new(), 0);
    }
    let (after, first) = star_named_expression(inside)?;
    let is_bare_walrus = inside.next_kind() == TokenKind::Op(Op::ColonEqual);
    let is_key = !is_bare_walrus && !matches!(first.expr.node, ExprKind::Starred(_));
    if is_key && after.is(Op::Colon) {
        let (after, value) = expression(after.advance())?;
        let below = first.height.max(value.height);
        if after.is_keyword(Keyword::For) {
            let kind = ComprehensionKind::Dict(first.expr, value.expr);
            return closed(input, comprehension(after, kind, below)?, Op::RBrace, "`}`");
        }
        return dict(input, after, vec![DictItem::Pair(first.expr, value.expr)], below);
    }
    if after.is_keyword(Keyword::For) {
        let kind = ComprehensionKind::Set(first.expr);
        return closed(input, comprehension(after, kind, first.height)?, Op::RBrace, "`}`");
    }
    let (after, (items, below)) = elements(after, first)?;
    closed(input, (after, (ExprKind::Set(items), below)), Op::RBrace, "`,` or `}`")
}

/// `key: value`, or `**mapping`.
pub fn dict_item(input: Input<'_>) -> Parse<'_, (DictItem, u32)> {
    if input.is(Op::DoubleStar) {
        let (rest, mapping) = bitwise_or(input.advance())?;
        if rest.is_keyword(Keyword::For) {
            return Err(refuse_with_hint(
                input.span_to(rest),
                "an element of a comprehension cannot be unpacked with `**`",
                "add a loop over it: `for key, value in ….items()`",
            ));
        }
        return Ok((rest, (DictItem::Unpack(mapping.expr), mapping.height)));
    }
    let (after, key) = expression(input)?;
    unsupported::inside_brackets(after)?;
    let (after, _) = op(Op::Colon, "`:` and the key's value")(after)?;
    let (rest, value) = expression(after)?;
    let height = key.height.max(value.height);
    Ok((rest, (DictItem::Pair(key.expr, value.expr), height)))
}

/// The rest of a dictionary's display, from the first item or from what follows it.
fn dict<'a>(
    input: Input<'a>,
    mut rest: Input<'a>,
    mut items: Vec<DictItem>,
    mut below: u32,
) -> Parse<'a, Node> {
    let mut may_follow = items.is_empty();
    loop {
        if rest.is(Op::Comma) && !may_follow {
            rest = rest.advance();
            may_follow = true;
        }
        if !may_follow || rest.is(Op::RBrace) {
            return closed(input, (rest, (ExprKind::Dict(items), below)), Op::RBrace, "`,` or `}`");
        }
        let (after, (item, height)) = dict_item(rest)?;
        below = below.max(height);
        items.push(item);
        rest = after;
        may_follow = false;
    }
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
            let node = input.name();
            Ok((input.advance(), Spanned { node, span: input.span() }))
        }
        _ => expected(input, "a name"),
    }
}

/// All elements, of which the first is read.
fn elements(input: Input<'_>, first: Node) -> Parse<'_, (Vec<Expr>, u32)> {
    let mut below = first.height;
    let mut items = vec![first.expr];
    let mut rest = input;
    while rest.is(Op::Comma) {
        rest = rest.advance();
        if !starts_expression(rest.kind()) {
            break;
        }
        let (after, item) = star_named_expression(rest)?;
        below = below.max(item.height);
        items.push(item.expr);
        rest = after;
    }
    Ok((rest, (items, below)))
}

/// What stands between brackets as a tree, over the closing one.
fn closed<'a>(
    input: Input<'a>,
    (rest, (kind, below)): (Input<'a>, (ExprKind, u32)),
    close: Op,
    what: &'static str,
) -> Parse<'a, Node> {
    unsupported::inside_brackets(rest)?;
    let (rest, _) = op(close, what)(rest)?;
    Ok((rest, input.node(rest, kind, below)?))
}
