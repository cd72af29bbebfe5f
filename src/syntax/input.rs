//! What the parser reads: a place among the tokens, in the shape that nom's combinators take.
//!
//! A parser looks at one or two tokens and decides; it never goes back over more than one. Its
//! error is small and cheap until it leaves the parser, where it becomes a [`Diagnostic`].

use nom::error::{ErrorKind as NomKind, ParseError};
use nom::{Err, IResult};

use crate::diag::{Diagnostic, ErrorKind, Span, Spanned};

use super::ast::{Expr, ExprKind, Ident};
use super::lexer::{Lexed, MAX_NESTING};
use super::name::normalized;
use super::token::{Keyword, Op, Token, TokenKind};

/// How deep a tree may be, blocks included. Everything that walks a tree (compile, print, copy,
/// drop) recurses with room; long chains are what is deep, and CPython takes some 2,900 links.
pub const MAX_TREE_DEPTH: u32 = 4000;

/// The tokens from one place on.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    pub lexed: &'a Lexed<'a>,
    pub at: usize,
    /// How many blocks and lambdas are around this place.
    pub depth: u32,
}

pub type Parse<'a, T> = IResult<Input<'a>, T, Problem>;

/// Why a parser stopped.
#[derive(Debug)]
pub enum Problem {
    /// At this token stands something else than what was expected.
    Expected { at: usize, what: &'static str },
    /// As `Expected`, where the text may go on: the body of a block, the second half of a `try`.
    Unfinished { at: usize, what: &'static str },
    /// A message that is complete.
    Said(Box<Diagnostic>),
}

impl<'a> ParseError<Input<'a>> for Problem {
    fn from_error_kind(input: Input<'a>, _: NomKind) -> Problem {
        Problem::Expected { at: input.at, what: "something else" }
    }

    fn append(_: Input<'a>, _: NomKind, other: Problem) -> Problem {
        other
    }
}

/// An expression under construction: the tree and its height.
#[derive(Debug)]
pub struct Node {
    pub expr: Expr,
    pub height: u32,
}

impl<'a> Input<'a> {
    /// The first token.
    pub fn new(lexed: &'a Lexed<'a>) -> Input<'a> {
        Input { lexed, at: 0, depth: 0 }
    }

    /// The same place, one block or lambda further down: what brackets do not count.
    pub fn deeper(self) -> Result<Input<'a>, Err<Problem>> {
        if self.depth as usize >= MAX_NESTING {
            let message = format!("lambdas and blocks nest more than {MAX_NESTING} levels deep");
            return Err(refuse(self.span(), message));
        }
        Ok(Input { depth: self.depth + 1, ..self })
    }

    /// The same place, as deep as `other`.
    pub fn level_with(self, other: Input<'a>) -> Input<'a> {
        Input { depth: other.depth, ..self }
    }

    pub fn token(self) -> Token {
        self.lexed.tokens[self.at]
    }

    pub fn kind(self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token after this one.
    pub fn next_kind(self) -> TokenKind {
        self.lexed.tokens.get(self.at + 1).map_or(TokenKind::Eof, |token| token.kind)
    }

    pub fn is(self, op: Op) -> bool {
        self.kind() == TokenKind::Op(op)
    }

    pub fn is_keyword(self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    /// The text of the token.
    pub fn text(self) -> &'a str {
        &self.lexed.text[self.token().range()]
    }

    /// The name that the token means.
    #[inline(never)]
    pub fn name(self) -> Ident {
        normalized(self.text())
    }

    /// Behind this token. The last token, the end of the text, stays where it is.
    pub fn advance(self) -> Input<'a> {
        Input { at: (self.at + 1).min(self.lexed.tokens.len() - 1), ..self }
    }

    pub fn start(self) -> usize {
        self.token().start as usize
    }

    /// The span of the token.
    pub fn span(self) -> Span {
        Span::new(self.lexed.source, self.start(), self.token().end as usize)
    }

    /// From this token to the last one before `rest` that is text.
    pub fn span_to(self, rest: Input<'a>) -> Span {
        let before = &self.lexed.tokens[self.at..rest.at.max(self.at + 1)];
        let is_text =
            |token: &&Token| !matches!(token.kind, TokenKind::Newline | TokenKind::Dedent);
        let last = before.iter().rfind(is_text).unwrap_or(&before[0]);
        Span::new(self.lexed.source, self.start(), last.end as usize)
    }

    /// A tree over what lies between here and `rest`, whose highest child has `below` levels.
    pub fn node(self, rest: Input<'a>, kind: ExprKind, below: u32) -> Result<Node, Err<Problem>> {
        let span = self.span_to(rest);
        if below + self.depth >= MAX_TREE_DEPTH {
            return Err(said(
                Diagnostic::new(
                    ErrorKind::Syntax,
                    span,
                    format!("the expression nests more than {MAX_TREE_DEPTH} levels deep"),
                )
                .with_hint("give parts of it a name, in statements of their own"),
            ));
        }
        Ok(Node { expr: Spanned { node: kind, span }, height: below + 1 })
    }
}

/// As [`expected`], where more lines could bring it.
#[cold]
pub fn unfinished<'a, T>(input: Input<'a>, what: &'static str) -> Parse<'a, T> {
    Err(Err::Error(Problem::Unfinished { at: input.at, what }))
}

#[cold]
pub fn expected<'a, T>(input: Input<'a>, what: &'static str) -> Parse<'a, T> {
    Err(Err::Error(Problem::Expected { at: input.at, what }))
}

/// A finished message, which no other alternative can overrule.
#[cold]
pub fn said(diagnostic: Diagnostic) -> Err<Problem> {
    Err::Failure(Problem::Said(Box::new(diagnostic)))
}

/// A syntax error at `span`.
#[cold]
pub fn refuse(span: Span, message: impl Into<String>) -> Err<Problem> {
    said(Diagnostic::new(ErrorKind::Syntax, span, message))
}

/// A syntax error at `span`, with what to type instead.
#[cold]
pub fn refuse_with_hint(
    span: Span,
    message: impl Into<String>,
    hint: impl Into<String>,
) -> Err<Problem> {
    said(Diagnostic::new(ErrorKind::Syntax, span, message).with_hint(hint))
}

/// One operator, called `what` in a message.
pub fn op<'a>(op: Op, what: &'static str) -> impl Fn(Input<'a>) -> Parse<'a, Span> {
    move |input| match input.is(op) {
        true => Ok((input.advance(), input.span())),
        false => expected(input, what),
    }
}

/// One keyword, called `what` in a message.
pub fn keyword<'a>(keyword: Keyword, what: &'static str) -> impl Fn(Input<'a>) -> Parse<'a, Span> {
    move |input| match input.is_keyword(keyword) {
        true => Ok((input.advance(), input.span())),
        false => expected(input, what),
    }
}
