//! Python that the language does not have, and habits from other languages: each gets a message
//! that names it.

use nom::Err;

use crate::diag::Span;

use super::ast::{Expr, ExprKind};
use super::input::{Input, Problem, refuse, refuse_with_hint};
use super::token::{Keyword, Op, TokenKind};

type Allowed = Result<(), Err<Problem>>;

/// Refuses a statement that only Python has, at its first word.
pub fn statement(input: Input<'_>) -> Allowed {
    let construct = match input.kind() {
        TokenKind::Indent => {
            return Err(refuse_with_hint(
                input.span(),
                "unexpected indent",
                "begin the line at the left margin",
            ));
        }
        TokenKind::Op(Op::At) => "decorators",
        TokenKind::Keyword(word) => match word {
            Keyword::For => "`for` loops",
            Keyword::While => "`while` loops",
            Keyword::If => "`if` statements",
            Keyword::Def => "function definitions (`def`)",
            Keyword::Class => "`class` definitions",
            Keyword::With => "`with` statements",
            Keyword::Try => "`try` statements",
            Keyword::Async => "`async` statements",
            Keyword::Global => "`global` statements",
            Keyword::Nonlocal => "`nonlocal` statements",
            Keyword::Assert => "`assert` statements",
            Keyword::Raise => "`raise` statements",
            Keyword::Return => "`return` statements",
            Keyword::Break => "`break` statements",
            Keyword::Continue => "`continue` statements",
            Keyword::Yield => "`yield` expressions",
            Keyword::Elif | Keyword::Else | Keyword::Except | Keyword::Finally => {
                return Err(refuse(
                    input.span(),
                    format!("expected a statement, found the keyword `{}`", word.text()),
                ));
            }
            _ => return Ok(()),
        },
        _ => return Ok(()),
    };
    Err(missing(input.span(), construct))
}

/// Refuses what cannot begin an expression but was meant as one.
pub fn expression(input: Input<'_>) -> Allowed {
    let hint = match input.kind() {
        TokenKind::Keyword(Keyword::Lambda) => {
            return Err(missing(input.span(), "`lambda` expressions"));
        }
        TokenKind::Keyword(Keyword::Await) => {
            return Err(missing(input.span(), "`await` expressions"));
        }
        TokenKind::Keyword(Keyword::Yield) => {
            return Err(missing(input.span(), "`yield` expressions"));
        }
        TokenKind::Keyword(Keyword::Not) => "put the `not` expression in parentheses: `(not x)`",
        TokenKind::Op(Op::Exclaim) => "the logical negation is `not`, of an array `~`",
        TokenKind::Op(Op::Amper) if before(input) == Some(TokenKind::Op(Op::Amper)) => AND,
        TokenKind::Op(Op::Bar) if before(input) == Some(TokenKind::Op(Op::Bar)) => OR,
        TokenKind::Op(Op::Equal) => match before(input) {
            Some(TokenKind::Op(Op::EqEqual)) => "equality is `==`",
            Some(TokenKind::Op(Op::NotEqual)) => "inequality is `!=`",
            _ => return Ok(()),
        },
        TokenKind::Op(Op::Greater) => match before(input) {
            Some(TokenKind::Op(Op::Less)) => "inequality is `!=`",
            Some(TokenKind::Op(Op::Equal)) => {
                "arrow functions are not in the language; greater or equal is `>=`"
            }
            _ => return Ok(()),
        },
        TokenKind::Newline => match (before(input), twice_before(input)) {
            (Some(TokenKind::Op(Op::Plus)), Some(TokenKind::Op(Op::Plus))) => {
                "to add one, write `x += 1`"
            }
            (Some(TokenKind::Op(Op::Minus)), Some(TokenKind::Op(Op::Minus))) => {
                "to subtract one, write `x -= 1`"
            }
            _ => return Ok(()),
        },
        _ => return Ok(()),
    };
    if let TokenKind::Newline = input.kind() {
        return Err(refuse_with_hint(
            input.span(),
            "expected an expression, found the end of the line",
            hint,
        ));
    }
    let found = format!("expected an expression, found `{}`", input.text());
    Err(refuse_with_hint(input.span(), found, hint))
}

const AND: &str = "the logical operator is `and`, for arrays `&`";
const OR: &str = "the logical operator is `or`, for arrays `|`";

/// Refuses what follows an element inside brackets: comprehensions, `:=`, a lone `=`.
pub fn inside_brackets(input: Input<'_>) -> Allowed {
    match input.kind() {
        TokenKind::Keyword(Keyword::For | Keyword::Async) => {
            Err(missing(input.span(), "comprehensions"))
        }
        TokenKind::Op(Op::ColonEqual) => Err(walrus(input)),
        TokenKind::Op(Op::Equal) => Err(refuse_with_hint(
            input.span(),
            "an assignment is no expression",
            "to compare, write `==`",
        )),
        _ => habits(input),
    }
}

/// Refuses `**more` in a dict.
pub fn dict_item(input: Input<'_>) -> Allowed {
    match input.kind() {
        TokenKind::Op(Op::DoubleStar) => {
            Err(missing(input.span(), "unpackings with `**` in a dict"))
        }
        TokenKind::Op(Op::Star) => Err(missing(input.span(), "set displays")),
        _ => Ok(()),
    }
}

#[cold]
pub fn set_display(span: Span) -> Err<Problem> {
    refuse_with_hint(
        span,
        "set displays are not in the language",
        "a dict needs `key: value`; the distinct elements of an array are `unique(x)`",
    )
}

/// Refuses what follows a whole expression statement: annotations, `:=`, Python 2's `print x`.
pub fn after_expression(input: Input<'_>, first: &Expr) -> Allowed {
    match (input.kind(), &first.node) {
        (TokenKind::Op(Op::Colon), ExprKind::Name(name)) if &**name == "match" => {
            Err(missing(first.span, "`match` statements"))
        }
        (TokenKind::Op(Op::Colon), _) if input.next_kind() != TokenKind::Newline => {
            Err(missing(input.span(), "annotations"))
        }
        (TokenKind::Op(Op::ColonEqual), _) => Err(walrus(input)),
        (kind, ExprKind::Name(name))
            if super::expr::starts_expression(kind) && !matches!(kind, TokenKind::Error(_)) =>
        {
            match &**name {
                "print" => Err(refuse_with_hint(
                    first.span.to(input.span()),
                    "missing parentheses in call to `print`",
                    "write `print(…)`",
                )),
                "match" | "type" => Err(missing(first.span, &format!("`{name}` statements"))),
                "let" | "var" | "const" | "auto" => Err(refuse_with_hint(
                    first.span,
                    format!(
                        "expected the end of the statement, found {}",
                        super::error::found(input)
                    ),
                    format!("a name needs no `{name}`: assign to it"),
                )),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Refuses what follows a whole statement.
pub fn after_statement(input: Input<'_>) -> Allowed {
    match input.kind() {
        TokenKind::Keyword(Keyword::For) => Err(missing(input.span(), "comprehensions")),
        TokenKind::Op(Op::ColonEqual) => Err(walrus(input)),
        TokenKind::Op(Op::Arrow) => Err(missing(input.span(), "annotations")),
        _ => habits(input),
    }
}

/// `x++`, `a = !b` and their like, seen from the operator that does not fit.
fn habits(input: Input<'_>) -> Allowed {
    let hint = match input.kind() {
        TokenKind::Op(Op::Exclaim) => "the logical negation is `not`, of an array `~`",
        _ => return Ok(()),
    };
    Err(refuse_with_hint(input.span(), "expected an operator, found `!`", hint))
}

/// The word that Python has for what another language calls `name`.
pub fn foreign_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "true" | "TRUE" => "True",
        "false" | "FALSE" => "False",
        "null" | "nil" | "NULL" | "none" | "undefined" => "None",
        _ => return None,
    })
}

#[cold]
fn walrus(input: Input<'_>) -> Err<Problem> {
    refuse_with_hint(
        input.span(),
        "assignment expressions (`:=`) are not in the language",
        "assign in a statement of its own, with `=`",
    )
}

#[cold]
fn missing(span: Span, construct: &str) -> Err<Problem> {
    refuse(span, format!("{construct} are not in the language"))
}

/// The kind of the token in front of this one, and of the one in front of that.
fn before(input: Input<'_>) -> Option<TokenKind> {
    input.lexed.tokens.get(input.at.checked_sub(1)?).map(|token| token.kind)
}

fn twice_before(input: Input<'_>) -> Option<TokenKind> {
    input.lexed.tokens.get(input.at.checked_sub(2)?).map(|token| token.kind)
}
