//! Comprehensions: the loops behind an element, and the targets of loops.

use std::rc::Rc;

use super::ast::{Clause, Comprehension, ComprehensionKind, ExprKind, Inner};
use super::expr::{bitwise_or, disjunction, one_or_tuple};
use super::input::{Input, Node, Parse, keyword, refuse_with_hint};
use super::target;
use super::token::{Keyword, Op};
use super::unsupported;

/// `for target in iter if condition …`, once or more, with the height of the highest expression.
#[inline(never)]
pub fn clauses(input: Input<'_>) -> Parse<'_, (Vec<Clause>, u32)> {
    let mut clauses = Vec::new();
    let mut below = 0;
    let mut rest = input;
    while rest.is_keyword(Keyword::For) {
        let (after, (clause, height)) = clause(rest)?;
        below = below.max(height);
        clauses.push(clause);
        rest = after;
    }
    Ok((rest, (clauses, below)))
}

pub fn clause(input: Input<'_>) -> Parse<'_, (Clause, u32)> {
    let (rest, target) = star_targets(input.advance())?;
    let (rest, _) = keyword(Keyword::In, "`in` and what to go through")(rest)?;
    let (mut rest, iter) = disjunction(rest)?;
    let mut below = target.height.max(iter.height);
    let mut conditions = Vec::new();
    while rest.is_keyword(Keyword::If) {
        let (after, condition) = disjunction(rest.advance())?;
        below = below.max(condition.height);
        conditions.push(condition.expr);
        rest = after;
    }
    Ok((rest, (Clause { target: target.expr, iter: iter.expr, conditions }, below)))
}

/// `a, (b, *c)`: what the values of a loop are given to.
pub fn star_targets(input: Input<'_>) -> Parse<'_, Node> {
    let (rest, node) = one_or_tuple(input, star_target)?;
    target::bindable(&node.expr)?;
    Ok((rest, node))
}

/// One of them, which is read up to the word `in`.
pub fn star_target(input: Input<'_>) -> Parse<'_, Node> {
    if !input.is(Op::Star) {
        return bitwise_or(input);
    }
    let (rest, value) = bitwise_or(input.advance())?;
    Ok((rest, input.node(rest, ExprKind::Starred(Inner::new(value.expr)), value.height)?))
}

/// The comprehension of an element, from its first `for` on, with the height of what is in it. The
/// closing bracket is the caller's.
pub fn comprehension<'a>(
    input: Input<'a>,
    kind: ComprehensionKind,
    height: u32,
) -> Parse<'a, (ExprKind, u32)> {
    if let ComprehensionKind::List(element)
    | ComprehensionKind::Set(element)
    | ComprehensionKind::Generator(element) = &kind
        && let ExprKind::Starred(_) = element.node
    {
        return Err(refuse_with_hint(
            element.span,
            "an element of a comprehension cannot be unpacked with `*`",
            "add a loop over it: `for part in …`",
        ));
    }
    let (rest, (clauses, below)) = clauses(input)?;
    unsupported::inside_brackets(rest)?;
    let kind = ExprKind::Comprehension(Rc::new(Comprehension { kind, clauses }));
    Ok((rest, (kind, below.max(height))))
}
