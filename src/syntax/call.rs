//! The arguments of a call.

use rustc_hash::FxHashSet;

use crate::diag::Span;

use super::ast::Arg;
use super::expr::expression;
use super::input::{Input, Parse, op, refuse, refuse_with_hint};
use super::primary::name;
use super::token::{Op, TokenKind};
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
            let (rest, value) = expression(input)?;
            match rest.is(Op::Equal) {
                true => Err(no_keyword(input.span_to(rest), rest.span())),
                false => Ok((rest, (Arg::Positional(value.expr), value.height))),
            }
        }
    }
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
