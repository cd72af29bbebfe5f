//! Functions, classes, lambdas, and their parameters.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::diag::Span;

use super::ast::{ClassDef, ExprKind, FunctionDef, Ident, Lambda, Parameter, Parameters, StmtKind};
use super::call::bases;
use super::compound::block;
use super::expr::{expression, named_expression, star_expression};
use super::input::{
    Input, Node, Parse, Problem, expected, op, refuse, refuse_with_hint, unfinished,
};
use super::primary::name;
use super::room::with_room;
use super::token::{Keyword, Op, TokenKind};
use super::unsupported;

/// `@decorator`, once or more, and what is decorated.
#[inline(never)]
pub fn decorated(input: Input<'_>) -> Parse<'_, StmtKind> {
    let mut decorators = Vec::new();
    let mut rest = input;
    while rest.is(Op::At) {
        let (after, decorator) = named_expression(rest.advance())?;
        decorators.push(decorator.expr);
        if after.kind() != TokenKind::Newline {
            return expected(after, "the end of the decorator's line");
        }
        rest = after.advance();
    }
    match rest.kind() {
        TokenKind::Keyword(Keyword::Def) => {
            let (rest, function) = function_def(rest)?;
            Ok((rest, StmtKind::Def(Rc::new(FunctionDef { decorators, ..function }))))
        }
        TokenKind::Keyword(Keyword::Class) => {
            let (rest, class) = class_def(rest)?;
            Ok((rest, StmtKind::Class(Rc::new(ClassDef { decorators, ..class }))))
        }
        _ => {
            unsupported::statement(rest)?;
            unfinished(rest, "the `def` or `class` that is decorated")
        }
    }
}

/// `def name(parameters) -> returns: …`
#[inline(never)]
pub fn function_def(input: Input<'_>) -> Parse<'_, FunctionDef> {
    let (rest, name) = name(input.advance())?;
    unsupported::type_parameters(rest)?;
    let (rest, _) = op(Op::LParen, "`(` and the parameters")(rest)?;
    let (rest, (parameters, _)) = parameters(rest, false)?;
    let (mut rest, _) = op(Op::RParen, "`,` or `)`")(rest)?;
    let mut returns = None;
    if rest.is(Op::Arrow) {
        let (after, node) = expression(rest.advance())?;
        returns = Some(node.expr);
        rest = after;
    }
    let (rest, body) = block(rest)?;
    Ok((rest, FunctionDef { decorators: Vec::new(), name, parameters, returns, body }))
}

/// `class name(bases): …`
#[inline(never)]
pub fn class_def(input: Input<'_>) -> Parse<'_, ClassDef> {
    let (rest, name) = name(input.advance())?;
    unsupported::type_parameters(rest)?;
    let (rest, bases) = match rest.is(Op::LParen) {
        true => bases(rest)?,
        false => (rest, Vec::new()),
    };
    let (rest, body) = block(rest)?;
    Ok((rest, ClassDef { decorators: Vec::new(), name, bases, body }))
}

/// `lambda parameters: value`
#[inline(never)]
pub fn lambda(input: Input<'_>) -> Parse<'_, Node> {
    let (rest, (parameters, below)) = parameters(input.advance().deeper()?, true)?;
    let (rest, _) = op(Op::Colon, "`:` and the value of the lambda")(rest)?;
    let (rest, body) = with_room(|| expression(rest))?;
    let rest = rest.level_with(input);
    let below = below.max(body.height);
    let kind = ExprKind::Lambda(Rc::new(Lambda { parameters, body: body.expr }));
    Ok((rest, input.node(rest, kind, below)?))
}

/// What stands between the parentheses of a `def`, or between `lambda` and its colon, with the
/// height of the highest expression in it.
pub fn parameters(input: Input<'_>, is_lambda: bool) -> Parse<'_, (Parameters, u32)> {
    let end = if is_lambda { Op::Colon } else { Op::RParen };
    let mut list = List::default();
    let mut rest = input;
    while !rest.is(end) {
        rest = match rest.kind() {
            TokenKind::Op(Op::Slash) => {
                list.slash(rest.span())?;
                rest.advance()
            }
            TokenKind::Op(Op::Star) if matches!(rest.next_kind(), TokenKind::Op(op) if op == end || op == Op::Comma) =>
            {
                list.bare_star(rest.span())?;
                rest.advance()
            }
            TokenKind::Op(op @ (Op::Star | Op::DoubleStar)) => {
                let (after, (parameter, height)) = parameter(rest.advance(), is_lambda)?;
                list.below = list.below.max(height);
                list.starred(rest.span_to(after), op, parameter)?;
                after
            }
            TokenKind::Op(Op::LParen) => {
                return Err(refuse_with_hint(
                    rest.span(),
                    "a parameter cannot stand in parentheses",
                    "take the tuple as one parameter and unpack it inside",
                ));
            }
            _ => {
                let (after, (parameter, height)) = parameter(rest, is_lambda)?;
                list.below = list.below.max(height);
                list.plain(rest.span_to(after), parameter)?;
                after
            }
        };
        match rest.is(Op::Comma) {
            true => rest = rest.advance(),
            false if rest.is(end) => break,
            false if is_lambda => return expected(rest, "`,` or `:`"),
            false => return expected(rest, "`,` or `)`"),
        }
    }
    list.end().map(|parameters| (rest, parameters))
}

/// `name: annotation = default`, with the height of the higher expression. A lambda's has no
/// annotation.
pub fn parameter(input: Input<'_>, is_lambda: bool) -> Parse<'_, (Parameter, u32)> {
    let (mut rest, name) = name(input)?;
    let (mut annotation, mut default) = (None, None);
    let mut below = 0;
    if !is_lambda && rest.is(Op::Colon) {
        // `*args: *Types` is the one place for a star.
        let before = input.at.checked_sub(1).map(|at| input.lexed.tokens[at].kind);
        let is_star = before == Some(TokenKind::Op(Op::Star));
        let read = if is_star { star_expression } else { expression };
        let (after, node) = read(rest.advance())?;
        below = node.height;
        annotation = Some(node.expr);
        rest = after;
    }
    if rest.is(Op::Equal) {
        let (after, node) = expression(rest.advance())?;
        below = below.max(node.height);
        default = Some(node.expr);
        rest = after;
    }
    Ok((rest, (Parameter { name, annotation, default }, below)))
}

/// The parameters so far, and what may follow them.
#[derive(Default)]
struct List {
    done: Parameters,
    names: FxHashSet<Ident>,
    below: u32,
    slash: Option<Span>,
    star: Option<Span>,
    is_star_bare: bool,
}

type Judged = Result<(), nom::Err<Problem>>;

impl List {
    fn slash(&mut self, span: Span) -> Judged {
        if self.slash.is_some() {
            return Err(refuse(span, "`/` may appear only once among the parameters"));
        }
        if self.star.is_some() || self.done.double_star.is_some() {
            return Err(refuse(span, "`/` must stand in front of `*`"));
        }
        if self.done.positional.is_empty() {
            return Err(refuse(span, "at least one parameter must stand in front of `/`"));
        }
        self.slash = Some(span);
        self.done.positional_only = std::mem::take(&mut self.done.positional);
        Ok(())
    }

    fn bare_star(&mut self, span: Span) -> Judged {
        self.one_star(span)?;
        self.is_star_bare = true;
        Ok(())
    }

    fn one_star(&mut self, span: Span) -> Judged {
        self.not_behind_last(span)?;
        match self.star.replace(span) {
            Some(_) => Err(refuse(span, "`*` may appear only once among the parameters")),
            None => Ok(()),
        }
    }

    fn starred(&mut self, span: Span, op: Op, parameter: Parameter) -> Judged {
        self.take_name(&parameter)?;
        if let Some(default) = &parameter.default {
            let message = format!("`{}{}` cannot have a default", op.text(), parameter.name.node);
            return Err(refuse(default.span, message));
        }
        if op == Op::Star {
            self.one_star(span)?;
            self.done.star = Some(parameter);
        } else {
            self.not_behind_last(span)?;
            self.done.double_star = Some(parameter);
        }
        Ok(())
    }

    fn plain(&mut self, span: Span, parameter: Parameter) -> Judged {
        self.take_name(&parameter)?;
        self.not_behind_last(span)?;
        if self.star.is_some() {
            self.done.keyword_only.push(parameter);
            return Ok(());
        }
        let before = self.done.positional.last().or(self.done.positional_only.last());
        if parameter.default.is_none()
            && let Some(Parameter { default: Some(_), name, .. }) = before
        {
            let message = "a parameter without a default follows one with a default";
            let hint = format!("give it a default, or put it in front of `{}`", name.node);
            return Err(refuse_with_hint(span, message, hint));
        }
        self.done.positional.push(parameter);
        Ok(())
    }

    fn take_name(&mut self, parameter: &Parameter) -> Judged {
        match self.names.insert(parameter.name.node.clone()) {
            true => Ok(()),
            false => Err(refuse(
                parameter.name.span,
                format!("duplicate parameter `{}`", parameter.name.node),
            )),
        }
    }

    fn not_behind_last(&self, span: Span) -> Judged {
        match &self.done.double_star {
            Some(last) => {
                let message = format!("`**{}` must be the last parameter", last.name.node);
                Err(refuse(span, message))
            }
            None => Ok(()),
        }
    }

    fn end(self) -> Result<(Parameters, u32), nom::Err<Problem>> {
        match self.star {
            Some(span) if self.is_star_bare && self.done.keyword_only.is_empty() => {
                Err(refuse(span, "at least one named parameter must follow a bare `*`"))
            }
            _ => Ok((self.done, self.below)),
        }
    }
}
