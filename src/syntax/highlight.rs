//! What each piece of a text is, for colours. Total: any text has an answer.

use std::ops::Range;

use crate::diag::SourceId;

use super::bound::parameters;
use super::lexer::lex_text;
use super::token::{Keyword, Op, Token, TokenKind};

/// The meaning of a piece of text; colours are the front end's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenClass {
    Keyword,
    /// `None`, `True`, `False`, `...`
    Constant,
    Name,
    /// A name in front of `(`.
    Function,
    /// A name behind a dot.
    Attribute,
    /// A name in front of `=` in a call.
    Argument,
    /// A parameter of the function around it.
    Parameter,
    Number,
    String,
    Operator,
    Bracket,
    Comment,
    /// A `:command` line or a `name?` line.
    Command,
    Error,
}

/// The pieces of a text in order, without overlap; between them stand blanks only.
pub fn highlight(text: &str) -> Vec<(Range<usize>, TokenClass)> {
    let lexed = lex_text(text, 0, SourceId::default());
    let parameters = parameters(&lexed);
    let mut pieces = Vec::with_capacity(lexed.tokens.len());
    let mut comments = lexed.comments.into_iter().peekable();
    let mut is_call = Vec::new();
    for (at, token) in lexed.tokens.iter().enumerate() {
        while let Some(comment) = comments.next_if(|comment| comment.start < token.start as usize) {
            pieces.push((comment, TokenClass::Comment));
        }
        let before = at.checked_sub(1).map(|at| lexed.tokens[at].kind);
        match token.kind {
            TokenKind::Op(Op::LParen) => is_call.push(ends_callee(before)),
            TokenKind::Op(Op::LBracket | Op::LBrace) => is_call.push(false),
            TokenKind::Op(Op::RParen | Op::RBracket | Op::RBrace) => {
                is_call.pop();
            }
            _ => {}
        }
        let next = lexed.tokens.get(at + 1).map(|token| token.kind);
        let in_call = is_call.last() == Some(&true);
        if let Some(class) = class(token.kind, before, next, in_call)
            && !token.range().is_empty()
        {
            let is_name = class == TokenClass::Name && parameters.contains(&at);
            let class = if is_name { TokenClass::Parameter } else { class };
            pieces.push((token.range(), class));
        }
    }
    pieces.extend(comments.map(|comment| (comment, TokenClass::Comment)));
    pieces
}

fn class(
    kind: TokenKind,
    before: Option<TokenKind>,
    next: Option<TokenKind>,
    in_call: bool,
) -> Option<TokenClass> {
    use TokenKind as T;
    Some(match kind {
        T::Newline | T::Indent | T::Dedent | T::Eof => return None,
        T::Name if next == Some(T::Op(Op::LParen)) => TokenClass::Function,
        T::Name if before == Some(T::Op(Op::Dot)) => TokenClass::Attribute,
        T::Name if in_call && next == Some(T::Op(Op::Equal)) => TokenClass::Argument,
        T::Name => TokenClass::Name,
        T::Keyword(Keyword::None | Keyword::True | Keyword::False) => TokenClass::Constant,
        T::Op(Op::Ellipsis) => TokenClass::Constant,
        T::Keyword(_) => TokenClass::Keyword,
        T::Number => TokenClass::Number,
        T::Str | T::FStringStart | T::FStringText | T::FStringEnd => TokenClass::String,
        T::Op(op) if is_bracket(op) => TokenClass::Bracket,
        T::Op(_) => TokenClass::Operator,
        T::Command | T::Help => TokenClass::Command,
        T::Error(_) => TokenClass::Error,
    })
}

/// Whether a `(` behind this token opens the arguments of a call.
fn ends_callee(before: Option<TokenKind>) -> bool {
    matches!(
        before,
        Some(TokenKind::Name | TokenKind::Op(Op::RParen | Op::RBracket) | TokenKind::Str)
    )
}

fn is_bracket(op: Op) -> bool {
    op.closing().is_some() || matches!(op, Op::RParen | Op::RBracket | Op::RBrace)
}

/// The bracket that belongs to the one at byte `at`; brackets in strings and comments are none.
pub fn matching_bracket(text: &str, at: usize) -> Option<usize> {
    if !matches!(text.as_bytes().get(at)?, b'(' | b')' | b'[' | b']' | b'{' | b'}') {
        return None;
    }
    let lexed = lex_text(text, 0, SourceId::default());
    let mut open: Vec<Token> = Vec::new();
    for token in lexed.tokens {
        let TokenKind::Op(op) = token.kind else { continue };
        if op.closing().is_some() {
            open.push(token);
        } else if is_bracket(op) {
            let opening = open.pop()?.start as usize;
            let closing = token.start as usize;
            if opening == at || closing == at {
                return Some(opening + closing - at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(&str, TokenClass)> {
        highlight(text).into_iter().map(|(range, class)| (&text[range], class)).collect()
    }

    #[test]
    fn pieces_have_their_meaning() {
        use TokenClass::*;
        assert_eq!(
            classes("x.f(axis=-1)  # why\n:mem vars\nnot 'a'"),
            [
                ("x", Name),
                (".", Operator),
                ("f", Function),
                ("(", Bracket),
                ("axis", Argument),
                ("=", Operator),
                ("-", Operator),
                ("1", Number),
                (")", Bracket),
                ("# why", Comment),
                (":mem vars", Command),
                ("not", Keyword),
                ("'a'", String),
            ]
        );
        assert_eq!(
            classes("f'a{x:.2f}' “"),
            [
                ("f'", String),
                ("a", String),
                ("{", Bracket),
                ("x", Name),
                (":", Operator),
                (".2f", String),
                ("}", Bracket),
                ("'", String),
                ("“", Error),
            ]
        );
    }

    #[test]
    fn brackets_find_each_other() {
        let text = "f(x[1], ')')";
        assert_eq!(matching_bracket(text, 1), Some(11));
        assert_eq!(matching_bracket(text, 11), Some(1));
        assert_eq!(matching_bracket(text, 3), Some(5));
        assert_eq!(matching_bracket(text, 9), None);
        assert_eq!(matching_bracket("(", 0), None);
        assert_eq!(matching_bracket("(", 7), None);
    }
}
