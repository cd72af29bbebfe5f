//! The arguments of a call.

use rustc_hash::FxHashSet;

use crate::diag::Span;

use super::ast::{Arg, ComprehensionKind, Expr, ExprKind};
use super::comprehension::comprehension;
use super::expr::{expression, named_expression};
use super::input::{Input, Parse, op, refuse, refuse_with_hint};
use super::primary::name;
use super::token::{Keyword, Op, TokenKind};
use super::unsupported;

/// `(a, *b, c=1, **d)`, with the height of the highest argument.
#[inline(never)]
pub fn arguments(input: Input<'_>) -> Parse<'_, (Vec<Arg>, u32)> {
    let mut rest = input.advance();
    let mut args = Vec::new();
    let mut below = 0;
    let mut order = Order::default();
    while !rest.is(Op::RParen) {
        let (after, (arg, height)) = argument(rest)?;
        if let Arg::Positional(value) = &arg
            && (!args.is_empty() || !after.is(Op::RParen))
            && is_bare_generator(value, rest, after)
        {
            return Err(refuse_with_hint(
                value.span,
                "a generator expression among several arguments needs parentheses",
                "write `f((x for x in y), …)`",
            ));
        }
        if let Some(message) = order.refuses(&arg) {
            return Err(refuse(rest.span_to(after), message));
        }
        below = below.max(height);
        args.push(arg);
        rest = after;
        if !rest.is(Op::Comma) {
            unsupported::inside_brackets(rest)?;
            break;
        }
        rest = rest.advance();
    }
    let (rest, _) = op(Op::RParen, "`,` or `)`")(rest)?;
    Ok((rest, (args, below)))
}

/// The bases of a class: arguments that are no generator.
pub fn bases(input: Input<'_>) -> Parse<'_, Vec<Arg>> {
    let (rest, (args, _)) = arguments(input)?;
    for arg in &args {
        if let Arg::Positional(value) = arg
            && is_bare_generator(value, input.advance(), rest)
        {
            let message = "expected the bases of a class, found a generator expression";
            return Err(refuse(value.span, message));
        }
    }
    Ok((rest, args))
}

pub fn argument(input: Input<'_>) -> Parse<'_, (Arg, u32)> {
    match input.kind() {
        TokenKind::Op(Op::Star) => {
            let (rest, value) = expression(input.advance())?;
            Ok((rest, (Arg::Star(value.expr), value.height)))
        }
        TokenKind::Op(Op::DoubleStar) => {
            let (rest, value) = expression(input.advance())?;
            Ok((rest, (Arg::DoubleStar(value.expr), value.height)))
        }
        TokenKind::Name if input.next_kind() == TokenKind::Op(Op::Equal) => {
            let (rest, name) = name(input)?;
            let (rest, value) = expression(rest.advance())?;
            Ok((rest, (Arg::Keyword { name, value: value.expr }, value.height)))
        }
        _ => {
            let (rest, value) = named_expression(input)?;
            if rest.is_keyword(Keyword::For) {
                let kind = ComprehensionKind::Generator(value.expr);
                let (rest, (kind, below)) = comprehension(rest, kind, value.height)?;
                let node = input.node(rest, kind, below)?;
                return Ok((rest, (Arg::Positional(node.expr), node.height)));
            }
            match rest.is(Op::Equal) {
                true => Err(no_keyword(input.span_to(rest), rest.span())),
                false => Ok((rest, (Arg::Positional(value.expr), value.height))),
            }
        }
    }
}

/// Whether what lies between the two places is a generator without parentheses of its own: its
/// `for` stands in no brackets.
fn is_bare_generator(value: &Expr, input: Input<'_>, rest: Input<'_>) -> bool {
    let is_generator = matches!(
        &value.node,
        ExprKind::Comprehension(comprehension)
            if matches!(comprehension.kind, ComprehensionKind::Generator(_))
    );
    let mut depth = 0;
    is_generator
        && input.lexed.tokens[input.at..rest.at].iter().any(|token| {
            match token.kind {
                TokenKind::Op(Op::LParen | Op::LBracket | Op::LBrace) => depth += 1,
                TokenKind::Op(Op::RParen | Op::RBracket | Op::RBrace) => depth -= 1,
                _ => {}
            }
            depth == 0 && token.kind == TokenKind::Keyword(Keyword::For)
        })
}

#[cold]
fn no_keyword(left: Span, equal: Span) -> nom::Err<super::input::Problem> {
    refuse_with_hint(
        left.to(equal),
        "expected a name in front of `=` in a call, found an expression",
        "to compare, write `==`",
    )
}

/// What Python asks of the order of arguments.
#[derive(Default)]
struct Order {
    has_keyword: bool,
    has_double_star: bool,
    names: FxHashSet<super::ast::Ident>,
}

impl Order {
    /// Why `arg` cannot follow the ones before it.
    fn refuses(&mut self, arg: &Arg) -> Option<String> {
        match arg {
            Arg::Positional(_) if self.has_double_star => {
                Some("positional argument follows keyword argument unpacking".into())
            }
            Arg::Positional(_) if self.has_keyword => {
                Some("positional argument follows keyword argument".into())
            }
            Arg::Star(_) if self.has_double_star => {
                Some("iterable argument unpacking follows keyword argument unpacking".into())
            }
            Arg::Positional(_) | Arg::Star(_) => None,
            Arg::Keyword { name, .. } => {
                self.has_keyword = true;
                let is_new = self.names.insert(name.node.clone());
                (!is_new).then(|| format!("keyword argument repeated: `{}`", name.node))
            }
            Arg::DoubleStar(_) => {
                self.has_double_star = true;
                None
            }
        }
    }
}
