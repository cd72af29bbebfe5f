//! Expressions, from the loosest binding to the tightest. Each function is the production of the
//! same name in grammar/genesis.ebnf. What repeats on one level is a loop, never recursion.

use nom::Err;

use super::ast::{BinaryOp, BoolOp, CompareOp, ExprKind, Inner, UnaryOp};
use super::define::lambda;
use super::input::{Input, Node, Parse, Problem, keyword, refuse_with_hint};
use super::primary::{atom, name, primary};
use super::target::{described, no_lone_star};
use super::token::{Keyword, Op, TokenKind};

/// What an assignment gives: a `yield`, a tuple without parentheses, or one expression.
pub fn value(input: Input<'_>) -> Parse<'_, Node> {
    match input.is_keyword(Keyword::Yield) {
        true => yield_expr(input),
        false => star_expressions(input),
    }
}

/// `yield`, `yield value`, `yield from values`
#[inline(never)]
pub fn yield_expr(input: Input<'_>) -> Parse<'_, Node> {
    let rest = input.advance();
    if rest.is_keyword(Keyword::From) {
        let (rest, node) = expression(rest.advance())?;
        let kind = ExprKind::YieldFrom(Inner::new(node.expr));
        return Ok((rest, input.node(rest, kind, node.height)?));
    }
    if !starts_expression(rest.kind()) {
        return Ok((rest, input.node(rest, ExprKind::Yield(None), 0)?));
    }
    let (rest, node) = star_expressions(rest)?;
    no_lone_star(&node.expr)?;
    let kind = ExprKind::Yield(Some(Inner::new(node.expr)));
    Ok((rest, input.node(rest, kind, node.height)?))
}

/// `a, *b, c`: a tuple without parentheses, or one expression.
pub fn star_expressions(input: Input<'_>) -> Parse<'_, Node> {
    one_or_tuple(input, star_expression)
}

/// One item, or the tuple of several that have commas between them.
pub(super) fn one_or_tuple<'a>(
    input: Input<'a>,
    one: fn(Input<'a>) -> Parse<'a, Node>,
) -> Parse<'a, Node> {
    let (mut rest, first) = one(input)?;
    if !rest.is(Op::Comma) {
        return Ok((rest, first));
    }
    let mut below = first.height;
    let mut items = vec![first.expr];
    while rest.is(Op::Comma) {
        rest = rest.advance();
        if !starts_expression(rest.kind()) {
            break;
        }
        let (after, item) = one(rest)?;
        below = below.max(item.height);
        items.push(item.expr);
        rest = after;
    }
    Ok((rest, input.node(rest, ExprKind::Tuple(items), below)?))
}

pub fn star_expression(input: Input<'_>) -> Parse<'_, Node> {
    if !input.is(Op::Star) {
        return expression(input);
    }
    let (rest, value) = bitwise_or(input.advance())?;
    Ok((rest, input.node(rest, ExprKind::Starred(Inner::new(value.expr)), value.height)?))
}

/// An element of a display: `*values`, `name := value`, or an expression.
pub fn star_named_expression(input: Input<'_>) -> Parse<'_, Node> {
    if input.is(Op::Star) { star_expression(input) } else { named_expression(input) }
}

/// `name := value`, or an expression.
pub fn named_expression(input: Input<'_>) -> Parse<'_, Node> {
    if input.kind() == TokenKind::Name && input.next_kind() == TokenKind::Op(Op::ColonEqual) {
        let (rest, name) = name(input)?;
        let (rest, node) = expression(rest.advance())?;
        let kind = ExprKind::Named { name, value: Inner::new(node.expr) };
        return Ok((rest, input.node(rest, kind, node.height)?));
    }
    let (rest, node) = expression(input)?;
    if rest.is(Op::ColonEqual) {
        let what = described(&node.expr);
        return Err(refuse_with_hint(
            node.expr.span.to(rest.span()),
            format!("`:=` gives a value to a name, not to {what}"),
            "assign in a statement of its own, with `=`",
        ));
    }
    Ok((rest, node))
}

pub fn expression(input: Input<'_>) -> Parse<'_, Node> {
    if is_lone_atom(input) {
        return atom(input);
    }
    if input.is_keyword(Keyword::Lambda) {
        return lambda(input);
    }
    let (mut rest, mut node) = disjunction(input)?;
    let mut choices: Vec<(Input<'_>, Node, Node)> = Vec::new();
    let mut start = input;
    while rest.is_keyword(Keyword::If) {
        let (after, test) = disjunction(rest.advance())?;
        let (after, _) = keyword(Keyword::Else, "`else` and the other value")(after)?;
        // A lambda takes all that follows.
        let is_lambda = after.is_keyword(Keyword::Lambda);
        let (after, orelse) = if is_lambda { lambda(after)? } else { disjunction(after)? };
        choices.push((start, std::mem::replace(&mut node, orelse), test));
        start = after;
        rest = after;
    }
    for (start, then, test) in choices.into_iter().rev() {
        let below = node.height.max(then.height).max(test.height);
        let kind = ExprKind::Conditional {
            test: Inner::new(test.expr),
            then: Inner::new(then.expr),
            orelse: Inner::new(node.expr),
        };
        node = start.node(rest, kind, below)?;
    }
    Ok((rest, node))
}

pub fn disjunction(input: Input<'_>) -> Parse<'_, Node> {
    logical(input, BoolOp::Or, Keyword::Or, conjunction)
}

pub fn conjunction(input: Input<'_>) -> Parse<'_, Node> {
    logical(input, BoolOp::And, Keyword::And, inversion)
}

pub fn inversion(input: Input<'_>) -> Parse<'_, Node> {
    let mut start = input;
    while start.is_keyword(Keyword::Not) {
        start = start.advance();
    }
    let (rest, mut node) = comparison(start)?;
    for at in (input.at..start.at).rev() {
        node = unary(Input { at, ..input }, rest, UnaryOp::Not, node)?;
    }
    Ok((rest, node))
}

pub fn comparison(input: Input<'_>) -> Parse<'_, Node> {
    let (mut rest, first) = bitwise_or(input)?;
    let mut below = first.height;
    let mut links = Vec::new();
    while let Some((op, after)) = compare_op(rest) {
        let (after, operand) = bitwise_or(after)?;
        below = below.max(operand.height);
        links.push((op, operand.expr));
        rest = after;
    }
    if links.is_empty() {
        return Ok((rest, first));
    }
    let kind = ExprKind::Compare { first: Inner::new(first.expr), rest: links };
    Ok((rest, input.node(rest, kind, below)?))
}

pub fn bitwise_or(input: Input<'_>) -> Parse<'_, Node> {
    binary(input, Level::Or)
}

pub fn bitwise_xor(input: Input<'_>) -> Parse<'_, Node> {
    binary(input, Level::Xor)
}

pub fn bitwise_and(input: Input<'_>) -> Parse<'_, Node> {
    binary(input, Level::And)
}

pub fn shift(input: Input<'_>) -> Parse<'_, Node> {
    binary(input, Level::Shift)
}

pub fn sum(input: Input<'_>) -> Parse<'_, Node> {
    binary(input, Level::Sum)
}

pub fn term(input: Input<'_>) -> Parse<'_, Node> {
    binary(input, Level::Term)
}

/// Signs in front of a power: `-x ** 2` is `-(x ** 2)`.
pub fn factor(input: Input<'_>) -> Parse<'_, Node> {
    let start = behind_signs(input);
    let (rest, node) = power(start)?;
    Ok((rest, signed(input, start, rest, node)?))
}

/// `a ** -b ** c` is `a ** (-(b ** c))`: the exponent is a `factor`, here without recursion.
pub fn power(input: Input<'_>) -> Parse<'_, Node> {
    let (mut rest, mut node) = primary(input)?;
    let mut bases = Vec::new();
    let mut start = input;
    while rest.is(Op::DoubleStar) {
        let exponent = rest.advance();
        let behind_signs = behind_signs(exponent);
        let (after, next) = primary(behind_signs)?;
        bases.push((start, std::mem::replace(&mut node, next), exponent, behind_signs));
        start = behind_signs;
        rest = after;
    }
    for (start, base, exponent, behind_signs) in bases.into_iter().rev() {
        let rhs = signed(exponent, behind_signs, rest, node)?;
        let below = base.height.max(rhs.height);
        let (lhs, rhs) = (Inner::new(base.expr), Inner::new(rhs.expr));
        node = start.node(rest, ExprKind::Binary { op: BinaryOp::Pow, lhs, rhs }, below)?;
    }
    Ok((rest, node))
}

/// Whether an expression can begin with this token; `await`, and a `yield` out of its place, count,
/// so that the message names them.
pub fn starts_expression(kind: TokenKind) -> bool {
    use TokenKind as T;
    match kind {
        T::Name | T::Number | T::Str | T::FStringStart | T::Error(_) => true,
        T::Keyword(word) => matches!(
            word,
            Keyword::None
                | Keyword::True
                | Keyword::False
                | Keyword::Not
                | Keyword::Lambda
                | Keyword::Await
                | Keyword::Yield
        ),
        T::Op(op) => matches!(
            op,
            Op::LParen
                | Op::LBracket
                | Op::LBrace
                | Op::Plus
                | Op::Minus
                | Op::Tilde
                | Op::Star
                | Op::Ellipsis
        ),
        _ => false,
    }
}

/// Most elements of a long list are one token; they need not go through every level.
fn is_lone_atom(input: Input<'_>) -> bool {
    use TokenKind as T;
    matches!(input.kind(), T::Number | T::Name | T::Str)
        && matches!(
            input.next_kind(),
            T::Newline | T::Op(Op::Comma | Op::RBracket | Op::RParen | Op::RBrace | Op::Colon)
        )
}

/// The levels of the binary operators between `comparison` and `factor`, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    Xor,
    And,
    Shift,
    Sum,
    Term,
}

/// `operand op operand op …` of one level and all tighter ones, from left to right. Only an
/// operator that is there costs a call: going down through every level for every operand would
/// multiply both the time and the stack that a bracket takes.
fn binary(input: Input<'_>, level: Level) -> Parse<'_, Node> {
    let (mut rest, mut node) = factor(input)?;
    while let Some((op, its_level)) = binary_op(rest.kind())
        && its_level >= level
    {
        let operand = match its_level {
            Level::Or => bitwise_xor,
            Level::Xor => bitwise_and,
            Level::And => shift,
            Level::Shift => sum,
            Level::Sum => term,
            Level::Term => factor,
        };
        let (after, right) = operand(rest.advance())?;
        let below = node.height.max(right.height);
        let (lhs, rhs) = (Inner::new(node.expr), Inner::new(right.expr));
        node = input.node(after, ExprKind::Binary { op, lhs, rhs }, below)?;
        rest = after;
    }
    Ok((rest, node))
}

fn binary_op(kind: TokenKind) -> Option<(BinaryOp, Level)> {
    let TokenKind::Op(op) = kind else { return None };
    Some(match op {
        Op::Bar => (BinaryOp::BitOr, Level::Or),
        Op::Caret => (BinaryOp::BitXor, Level::Xor),
        Op::Amper => (BinaryOp::BitAnd, Level::And),
        Op::LeftShift => (BinaryOp::Shl, Level::Shift),
        Op::RightShift => (BinaryOp::Shr, Level::Shift),
        Op::Plus => (BinaryOp::Add, Level::Sum),
        Op::Minus => (BinaryOp::Sub, Level::Sum),
        Op::Star => (BinaryOp::Mul, Level::Term),
        Op::Slash => (BinaryOp::Div, Level::Term),
        Op::DoubleSlash => (BinaryOp::FloorDiv, Level::Term),
        Op::Percent => (BinaryOp::Mod, Level::Term),
        Op::At => (BinaryOp::MatMul, Level::Term),
        _ => return None,
    })
}

fn logical<'a>(
    input: Input<'a>,
    op: BoolOp,
    word: Keyword,
    operand: fn(Input<'a>) -> Parse<'a, Node>,
) -> Parse<'a, Node> {
    let (mut rest, first) = operand(input)?;
    if !rest.is_keyword(word) {
        return Ok((rest, first));
    }
    let mut below = first.height;
    let mut operands = vec![first.expr];
    while rest.is_keyword(word) {
        let (after, next) = operand(rest.advance())?;
        below = below.max(next.height);
        operands.push(next.expr);
        rest = after;
    }
    Ok((rest, input.node(rest, ExprKind::Logical { op, operands }, below)?))
}

fn compare_op(input: Input<'_>) -> Option<(CompareOp, Input<'_>)> {
    let after = input.advance();
    let op = match input.kind() {
        TokenKind::Op(Op::EqEqual) => CompareOp::Eq,
        TokenKind::Op(Op::NotEqual) => CompareOp::Ne,
        TokenKind::Op(Op::Less) => CompareOp::Lt,
        TokenKind::Op(Op::LessEqual) => CompareOp::Le,
        TokenKind::Op(Op::Greater) => CompareOp::Gt,
        TokenKind::Op(Op::GreaterEqual) => CompareOp::Ge,
        TokenKind::Keyword(Keyword::In) => CompareOp::In,
        TokenKind::Keyword(Keyword::Is) if after.is_keyword(Keyword::Not) => {
            return Some((CompareOp::IsNot, after.advance()));
        }
        TokenKind::Keyword(Keyword::Is) => CompareOp::Is,
        TokenKind::Keyword(Keyword::Not) if after.is_keyword(Keyword::In) => {
            return Some((CompareOp::NotIn, after.advance()));
        }
        _ => return None,
    };
    Some((op, after))
}

fn sign(input: Input<'_>) -> Option<UnaryOp> {
    match input.kind() {
        TokenKind::Op(Op::Minus) => Some(UnaryOp::Neg),
        TokenKind::Op(Op::Plus) => Some(UnaryOp::Pos),
        TokenKind::Op(Op::Tilde) => Some(UnaryOp::Invert),
        _ => None,
    }
}

fn behind_signs(mut input: Input<'_>) -> Input<'_> {
    while sign(input).is_some() {
        input = input.advance();
    }
    input
}

/// Puts the signs between `input` and `start` around `node`, the innermost first.
fn signed<'a>(
    input: Input<'a>,
    start: Input<'a>,
    rest: Input<'a>,
    mut node: Node,
) -> Result<Node, Err<Problem>> {
    for at in (input.at..start.at).rev() {
        let here = Input { at, ..input };
        if let Some(op) = sign(here) {
            node = unary(here, rest, op, node)?;
        }
    }
    Ok(node)
}

fn unary<'a>(
    input: Input<'a>,
    rest: Input<'a>,
    op: UnaryOp,
    operand: Node,
) -> Result<Node, Err<Problem>> {
    let kind = ExprKind::Unary { op, operand: Inner::new(operand.expr) };
    input.node(rest, kind, operand.height)
}
