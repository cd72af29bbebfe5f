//! Python that the language does not have, and habits from other languages: each gets a message
//! that names it.

use nom::Err;

use crate::diag::Span;

use super::ast::{Expr, ExprKind};
use super::input::{Input, Problem, refuse, refuse_with_hint};
use super::token::{Keyword, Op, TokenKind};

type Allowed = Result<(), Err<Problem>>;

/// Refuses a statement that only Python has, and the second half of one, at its first word.
pub fn statement(input: Input<'_>) -> Allowed {
    let TokenKind::Keyword(word) = input.kind() else { return Ok(()) };
    let first = match word {
        Keyword::Async => return Err(missing(input.span(), "`async` statements")),
        Keyword::Elif => "an `if`",
        Keyword::Else => "an `if`, a loop or a `try`",
        Keyword::Except | Keyword::Finally => "a `try`",
        _ => return Ok(()),
    };
    Err(refuse_with_hint(
        input.span(),
        format!("`{}` without {first} above it at the same indentation", word.text()),
        "indent it as deep as the line that begins the statement it belongs to",
    ))
}

/// Refuses `def f[T](…)` and `class A[T]:`.
pub fn type_parameters(input: Input<'_>) -> Allowed {
    match input.is(Op::LBracket) {
        true => Err(missing(input.span(), "type parameters")),
        false => Ok(()),
    }
}

/// Refuses what cannot begin an expression but was meant as one.
pub fn expression(input: Input<'_>) -> Allowed {
    let hint = match input.kind() {
        TokenKind::Keyword(Keyword::Lambda) => "put the lambda in parentheses: `(lambda …)`",
        TokenKind::Keyword(Keyword::Yield) => "put the `yield` in parentheses: `(yield …)`",
        TokenKind::Keyword(Keyword::Await) => {
            return Err(missing(input.span(), "`await` expressions"));
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

/// Refuses what follows an element inside brackets: `async for`, a misplaced `:=`, a lone `=`.
pub fn inside_brackets(input: Input<'_>) -> Allowed {
    match input.kind() {
        TokenKind::Keyword(Keyword::Async) => {
            Err(missing(input.span(), "asynchronous comprehensions"))
        }
        TokenKind::Op(Op::ColonEqual) => Err(walrus(input)),
        TokenKind::Op(Op::Equal) => Err(refuse_with_hint(
            input.span(),
            "an assignment is no expression",
            "to compare, write `==`; to give a name a value inside an expression, `:=`",
        )),
        _ => habits(input),
    }
}

/// Refuses what follows the expression that begins a statement at `start`: `match`, a misplaced
/// `:=`, Python 2's `print x`, words of other languages.
pub fn after_expression(start: Input<'_>, input: Input<'_>, first: &Expr) -> Allowed {
    match (input.kind(), &first.node) {
        (TokenKind::Op(Op::Colon), _)
            if start.text() == "match" && input.next_kind() == TokenKind::Newline =>
        {
            Err(missing(start.span(), "`match` statements"))
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
                "function" | "func" | "fn" | "fun" | "sub" => Err(refuse_with_hint(
                    first.span,
                    format!("expected a statement, found `{name}`"),
                    "a function is defined with `def name(parameters):`",
                )),
                "elseif" | "elsif" => Err(refuse_with_hint(
                    first.span,
                    format!("expected a statement, found `{name}`"),
                    "write `elif`",
                )),
                "switch" | "case" => Err(refuse_with_hint(
                    first.span,
                    format!("expected a statement, found `{name}`"),
                    "choose with `if`, `elif` and `else`, or by a dictionary",
                )),
                "let" | "var" | "const" | "auto" | "int" | "float" | "double" | "bool" | "char"
                | "string" | "String" | "long" | "my" | "local"
                    if kind == TokenKind::Name =>
                {
                    Err(refuse_with_hint(
                        first.span,
                        format!(
                            "expected the end of the statement, found {}",
                            super::error::found(input)
                        ),
                        format!("a name needs no `{name}`: assign to it"),
                    ))
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Refuses what follows a whole statement.
pub fn after_statement(input: Input<'_>) -> Allowed {
    match input.kind() {
        TokenKind::Keyword(word @ (Keyword::For | Keyword::While | Keyword::With)) => {
            Err(refuse_with_hint(
                input.span(),
                format!("expected the end of the statement, found `{}`", word.text()),
                match word {
                    Keyword::For => "a comprehension stands in brackets: `[x for x in y]`",
                    _ => "a statement with a block begins a line of its own",
                },
            ))
        }
        TokenKind::Op(Op::ColonEqual) => Err(walrus(input)),
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
        "`:=` stands in parentheses here, or is `=`",
        "a statement is `x = …`; inside an expression it is `(x := …)`",
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
