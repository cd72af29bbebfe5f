//! Messages about indentation: what is wrong is always between two lines, and both are shown.

use crate::diag::{Diagnostic, ErrorKind};

use super::indent::{MAX_INDENTS, Width, measure};
use super::input::Input;
use super::token::{LexError, Op, TokenKind};

/// A line that is deeper than the one above, where no block opens.
pub fn unexpected_indent(input: Input<'_>) -> Diagnostic {
    let diagnostic = Diagnostic::new(ErrorKind::Indentation, input.span(), "unexpected indent");
    match open_blocks(input).last() {
        Some(&block) => diagnostic
            .with_label(block.span(), format!("this block is indented by {}", blanks(block)))
            .with_hint("indent all lines of a block by as much"),
        None => diagnostic.with_hint("begin the line at the left margin"),
    }
}

/// Something else than an indented line behind a colon.
pub fn missing_block(input: Input<'_>) -> Diagnostic {
    let opener = line_of(Input { at: input.at.saturating_sub(1), ..input });
    let word = opener.text();
    let span = match input.kind() {
        TokenKind::Dedent | TokenKind::Eof => opener.span(),
        _ => input.span(),
    };
    let message = format!("expected an indented block behind `{word}`");
    let diagnostic = Diagnostic::new(ErrorKind::Indentation, span, message)
        .with_hint("indent its lines by four blanks; a block that does nothing is `pass`");
    match span == opener.span() {
        true => diagnostic,
        false => diagnostic.with_label(opener.span(), "this opens a block"),
    }
}

/// Blanks that the lexer refused.
pub fn wrong_indent(input: Input<'_>, error: LexError) -> Diagnostic {
    let span = input.span();
    let blocks = open_blocks(input);
    let mine = width(input);
    match error {
        LexError::Tabs => {
            let as_wide = blocks.iter().rfind(|block| width(**block).columns == mine.columns);
            let message = "inconsistent use of tabs and blanks in the indentation";
            let diagnostic = Diagnostic::new(ErrorKind::Tab, span, message)
                .with_hint("indent both lines in the same way, best by blanks alone");
            match as_wide.or(blocks.last()) {
                Some(&other) => diagnostic
                    .with_label(span, format!("this line is indented by {}", blanks(input)))
                    .with_label(other.span(), format!("and this one by {}", blanks(other))),
                None => diagnostic,
            }
        }
        LexError::TooManyIndents => Diagnostic::new(
            ErrorKind::Indentation,
            span,
            format!("blocks nest more than {MAX_INDENTS} levels deep"),
        )
        .with_hint("make a function of the inner ones"),
        _ => {
            let message = "the line is indented as deep as no block above it";
            let mut diagnostic = Diagnostic::new(ErrorKind::Indentation, span, message)
                .with_hint("indent it as deep as one of the lines above that it belongs to");
            let is_near = |block: &&Input<'_>| width(**block).columns > mine.columns;
            let deeper = blocks.iter().find(is_near);
            let less_deep = blocks.iter().rfind(|block| !is_near(block));
            for block in [less_deep, deeper].into_iter().flatten() {
                let text = format!("this block is indented by {}", blanks(*block));
                diagnostic = diagnostic.with_label(block.span(), text);
            }
            diagnostic
        }
    }
}

/// The first indents of the blocks that are open in front of this token, the outermost first.
fn open_blocks<'a>(input: Input<'a>) -> Vec<Input<'a>> {
    let mut open = Vec::new();
    for at in 0..input.at {
        match input.lexed.tokens[at].kind {
            TokenKind::Indent => open.push(Input { at, ..input }),
            TokenKind::Dedent => _ = open.pop(),
            _ => {}
        }
    }
    open
}

/// The first token of the line that this one ends.
pub fn line_of(input: Input<'_>) -> Input<'_> {
    let is_break =
        |kind| matches!(kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent);
    let before = &input.lexed.tokens[..input.at];
    let at = before.iter().rposition(|token| is_break(token.kind)).map_or(0, |at| at + 1);
    Input { at, ..input }
}

fn width(input: Input<'_>) -> Width {
    measure(input.text()).0
}

/// `4 blanks`, `1 tab and 2 blanks`
fn blanks(input: Input<'_>) -> String {
    let text = input.text();
    let count = |c: char, noun: &str| match text.matches(c).count() {
        0 => None,
        1 => Some(format!("1 {noun}")),
        many => Some(format!("{many} {noun}s")),
    };
    let parts: Vec<String> =
        [count('\t', "tab"), count(' ', "blank")].into_iter().flatten().collect();
    parts.join(" and ")
}

/// What to type where the colon of a block is missing.
pub fn missing_colon(input: Input<'_>) -> Option<&'static str> {
    let opener = line_of(input).text();
    match input.kind() {
        TokenKind::Name if input.text() == "then" => Some("there is no `then`: write `:`"),
        TokenKind::Op(Op::LBrace) => Some("a block has no braces: write `:` and indent its lines"),
        TokenKind::Keyword(_) if opener == "else" && input.text() == "if" => {
            Some("`else if` is written `elif`")
        }
        TokenKind::Newline => Some("a line that opens a block ends with `:`"),
        TokenKind::Op(Op::Equal) => Some("to compare, write `==`"),
        _ => None,
    }
}
