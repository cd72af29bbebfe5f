//! From "this token does not fit" to a message: what is wrong with a token that is none, which
//! bracket was never closed, what was found.

use crate::diag::{Diagnostic, ErrorKind, Span};

use super::input::{Input, Problem};
use super::lexer::{Lexed, MAX_NESTING};
use super::misindent;
use super::token::{Keyword, LexError, NumberError, Op, TokenKind};

impl Problem {
    #[cold]
    pub fn into_diagnostic(self, lexed: &Lexed<'_>) -> Box<Diagnostic> {
        match self {
            Problem::Said(diagnostic) => diagnostic,
            Problem::Expected { at, what } | Problem::Unfinished { at, what } => {
                Box::new(unexpected(Input { at, ..Input::new(lexed) }, what))
            }
        }
    }
}

/// Something else than `what` stands here.
fn unexpected(input: Input<'_>, what: &str) -> Diagnostic {
    if let TokenKind::Error(error) = input.kind()
        && !matches!(error, LexError::BackslashAtEnd)
    {
        return wrong_token(input, error);
    }
    if let Some(diagnostic) = never_closed(input) {
        return diagnostic;
    }
    match input.kind() {
        _ if what == "an indented block" => return misindent::missing_block(input),
        TokenKind::Indent => return misindent::unexpected_indent(input),
        _ => {}
    }
    let message = format!("expected {what}, found {}", found(input));
    let diagnostic = Diagnostic::new(ErrorKind::Syntax, input.span(), message);
    match hint(input, what) {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    }
}

/// If a bracket that nobody closes opens on an earlier line, it is the one to show.
fn never_closed(input: Input<'_>) -> Option<Diagnostic> {
    let lexed = input.lexed;
    let &(at, open) = lexed.unclosed.iter().rfind(|(at, _)| *at < input.start())?;
    let is_later_line = lexed.text[at..input.start()].contains(['\n', '\r']);
    let is_end = matches!(
        input.kind(),
        TokenKind::Newline | TokenKind::Eof | TokenKind::Error(LexError::BackslashAtEnd)
    );
    (is_later_line || is_end).then(|| {
        let span = Span::new(lexed.source, at, at + 1);
        let close = open.closing().map_or("", Op::text);
        Diagnostic::new(ErrorKind::Syntax, span, format!("`{}` was never closed", open.text()))
            .with_hint(format!("expected `{close}` before {}", found(input)))
    })
}

fn hint(input: Input<'_>, what: &str) -> Option<&'static str> {
    use TokenKind as T;
    let ends_operand = |kind| {
        matches!(
            kind,
            T::Name
                | T::Number
                | T::Str
                | T::FStringEnd
                | T::Op(Op::RParen | Op::RBracket | Op::RBrace)
        )
    };
    let before = input.at.checked_sub(1).map(|at| input.lexed.tokens[at].kind);
    if what == "`:`" {
        return misindent::missing_colon(input);
    }
    let first = line_start(input);
    let is_import = matches!(first, T::Keyword(Keyword::Import | Keyword::From));
    match before {
        Some(T::Keyword(Keyword::As)) if is_import => {
            return Some("a name for it follows: `import numpy as np`");
        }
        Some(T::Keyword(Keyword::Import)) if first == T::Keyword(Keyword::From) => {
            return Some("names follow, or `*` for all: `from numpy import *`");
        }
        Some(T::Keyword(Keyword::Import)) => return Some("a module follows: `import numpy as np`"),
        Some(T::Name) if is_import && input.kind() == T::Name => {
            return Some("another name for it stands behind `as`: `import numpy as np`");
        }
        _ => {}
    }
    match input.kind() {
        T::Name | T::Number | T::Str | T::FStringStart
            if before.is_some_and(ends_operand) && !what.starts_with("an ") =>
        {
            Some("a comma or an operator may be missing between the two")
        }
        T::Op(Op::Equal) => Some("to compare, write `==`"),
        T::Op(Op::Colon) if what == "a statement" => Some("a command stands on a line of its own"),
        _ => None,
    }
}

/// The first token of the line that this one is in.
fn line_start(input: Input<'_>) -> TokenKind {
    let before = &input.lexed.tokens[..input.at];
    let ends = |token: &super::token::Token| {
        matches!(
            token.kind,
            TokenKind::Newline
                | TokenKind::Indent
                | TokenKind::Dedent
                | TokenKind::Op(Op::Semicolon)
        )
    };
    let first = before.iter().rposition(ends).map_or(0, |at| at + 1);
    input.lexed.tokens[first].kind
}

/// A token in the words of a message.
pub fn found(input: Input<'_>) -> String {
    let text = input.text();
    let quoted = || match text.char_indices().nth(24) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    };
    match input.kind() {
        TokenKind::Newline if !is_last(input) => "the end of the line".into(),
        TokenKind::Dedent if !is_last(input) => "the end of the block".into(),
        TokenKind::Newline | TokenKind::Dedent | TokenKind::Eof => "the end of the text".into(),
        TokenKind::Error(LexError::BackslashAtEnd) => {
            "the end of the text after a line continuation".into()
        }
        TokenKind::Indent => "an indent".into(),
        TokenKind::Keyword(word) => format!("the keyword `{}`", word.text()),
        TokenKind::Str | TokenKind::FStringStart => "a string".into(),
        TokenKind::Command => "a command".into(),
        _ => quoted(),
    }
}

/// Whether only ends follow.
fn is_last(input: Input<'_>) -> bool {
    let after = &input.lexed.tokens[input.at + 1..];
    after.iter().all(|token| matches!(token.kind, TokenKind::Dedent | TokenKind::Eof))
}

/// What is wrong with a token that is none.
fn wrong_token(input: Input<'_>, error: LexError) -> Diagnostic {
    let text = input.text();
    let first = text.chars().next().unwrap_or(' ');
    let code = first as u32;
    let mut span = input.span();
    let (message, hint): (String, &str) = match error {
        LexError::UnterminatedString => (
            "a string literal has no closing quote on its line".into(),
            "a string over several lines has three quotes",
        ),
        LexError::UnterminatedTriple => {
            ("a string literal with three quotes is never closed".into(), "")
        }
        LexError::UnterminatedFString => {
            span = fstring_start(input);
            ("an f-string has no closing quote".into(), "")
        }
        LexError::SingleBrace => (
            "a single `}` is not allowed in an f-string".into(),
            "for a brace in the text, write it twice: `}}`",
        ),
        LexError::Number(error) => number_message(error),
        LexError::Unmatched => (format!("unmatched `{first}`"), ""),
        LexError::Mismatched => {
            let open = open_bracket(input);
            let label = open.map(|(span, text)| (span, format!("`{text}` opens here")));
            let message = match open {
                Some((_, open)) => {
                    format!("closing `{first}` does not match opening `{open}`")
                }
                None => format!("unmatched `{first}`"),
            };
            let diagnostic = Diagnostic::new(ErrorKind::Syntax, span, message);
            return match label {
                Some((span, text)) => diagnostic.with_label(span, text),
                None => diagnostic,
            };
        }
        LexError::Tabs | LexError::Unindent | LexError::TooManyIndents => {
            return misindent::wrong_indent(input, error);
        }
        LexError::TooDeep => (format!("brackets nest more than {MAX_NESTING} levels deep"), ""),
        LexError::StrayBackslash => {
            ("expected the end of the line after the line continuation `\\`".into(), "")
        }
        LexError::BackslashAtEnd => ("expected a line after the line continuation `\\`".into(), ""),
        LexError::SmartQuote => (
            format!("invalid character `{first}` (U+{code:04X})"),
            "this is a typographic quote; a string has straight ones, `\"` or `'`",
        ),
        LexError::Blank => (
            format!("invalid blank character U+{code:04X}"),
            "replace it by an ordinary space, or delete it",
        ),
        LexError::Control => (format!("invalid control character U+{code:04X}"), ""),
        LexError::Character => (
            format!("invalid character `{first}` (U+{code:04X})"),
            match first {
                '?' => "help is a line of its own: `name?`",
                '−' | '–' | '—' => "minus is `-`",
                '×' | '·' | '⋅' => "the product is `*`, of matrices `@`",
                '÷' => "the quotient is `/`",
                '≤' => "write `<=`",
                '≥' => "write `>=`",
                '≠' => "write `!=`",
                '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => "a power is `**`: `x**2`",
                '₀'..='₉' => "a name has ordinary digits: `x1`",
                '½' | '⅓' | '¼' | '¾' => "a fraction is written out: `1/2`",
                '√' => "the square root is `sqrt(x)`",
                '∞' => "infinity is `inf`",
                '∆' => "this is the sign of an increment; the Greek letter is `Δ`",
                '∑' => "the sum is `sum(x)`; the Greek letter is `Σ`",
                '∏' => "the product is `prod(x)`; the Greek letter is `Π`",
                c if c.is_ascii() => "",
                _ => "a name is made of letters, digits and `_`",
            },
        ),
    };
    let diagnostic = Diagnostic::new(ErrorKind::Syntax, span, message);
    if hint.is_empty() { diagnostic } else { diagnostic.with_hint(hint) }
}

fn number_message(error: NumberError) -> (String, &'static str) {
    let invalid = |what: &str| format!("invalid {what} literal");
    match error {
        NumberError::Decimal => {
            (invalid("decimal"), "underscores stand between digits; a name begins with a letter")
        }
        NumberError::Hexadecimal => (invalid("hexadecimal"), "its digits are 0 to 9 and a to f"),
        NumberError::Octal => (invalid("octal"), "its digits are 0 to 7"),
        NumberError::Binary => (invalid("binary"), "its digits are 0 and 1"),
        NumberError::LeadingZeros => (
            "leading zeros in decimal integer literals are not permitted".into(),
            "an octal number begins with `0o`",
        ),
    }
}

/// Where the f-string begins that is still open at this token.
fn fstring_start(input: Input<'_>) -> Span {
    let mut closed = 0;
    for at in (0..input.at).rev() {
        let here = Input { at, ..input };
        match here.kind() {
            TokenKind::FStringEnd | TokenKind::Error(LexError::UnterminatedFString) => closed += 1,
            TokenKind::FStringStart if closed == 0 => return here.span(),
            TokenKind::FStringStart => closed -= 1,
            _ => {}
        }
    }
    input.span()
}

/// The innermost bracket that is open at this token.
fn open_bracket<'a>(input: Input<'a>) -> Option<(Span, &'a str)> {
    let mut closed = 0;
    for at in (0..input.at).rev() {
        let here = Input { at, ..input };
        match here.kind() {
            TokenKind::Op(Op::RParen | Op::RBracket | Op::RBrace) => closed += 1,
            TokenKind::Op(Op::LParen | Op::LBracket | Op::LBrace) if closed == 0 => {
                return Some((here.span(), here.text()));
            }
            TokenKind::Op(Op::LParen | Op::LBracket | Op::LBrace) => closed -= 1,
            _ => {}
        }
    }
    None
}
