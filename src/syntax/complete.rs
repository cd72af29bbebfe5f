//! Whether Enter ends the input or asks for another line.

use nom::Err;

use crate::diag::SourceId;

use super::check::check;
use super::indent::measure;
use super::input::{Input, Problem};
use super::lexer::{Ending, Lexed, lex_text};
use super::stmt::cell;
use super::token::{Keyword, Op, Token, TokenKind};

/// What more lines could do for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    Complete,
    /// More lines are needed, and the next one is best indented by so many blanks.
    Incomplete {
        indent: usize,
    },
    /// There is an error that no further line can mend.
    Invalid,
}

/// Open brackets, an open triple quote, a trailing backslash, a block without a body, a `try` and a
/// decorator without what must follow ask for more; so does a block, until an empty line ends it.
pub fn completeness(text: &str) -> Completeness {
    if text.trim_start().starts_with("%%") {
        return below_magic(text);
    }
    let lexed = lex_text(text, 0, SourceId::default());
    let is_open = lexed.ending != Ending::Clean;
    // The last tokens are the end of the line, the ends of its blocks and the end of the text; in
    // front of them stands the token that the text left open, if it did.
    let is_end = |token: &Token| matches!(token.kind, TokenKind::Dedent | TokenKind::Eof);
    let ends = lexed.tokens.iter().rev().take_while(|token| is_end(token)).count();
    let tail = lexed.tokens.len().saturating_sub(ends + 1 + usize::from(is_open));
    match cell(Input::new(&lexed)) {
        Ok((_, cell)) => match check(&cell) {
            Err(_) => Completeness::Invalid,
            Ok(()) if lexed.indent == 0 || ends_blank(text) => Completeness::Complete,
            Ok(()) => Completeness::Incomplete { indent: next_indent(&lexed, tail) },
        },
        Err(Err::Error(problem) | Err::Failure(problem)) => match problem {
            Problem::Unfinished { at, .. } if at >= tail => {
                Completeness::Incomplete { indent: next_indent(&lexed, tail) }
            }
            Problem::Expected { at, .. } | Problem::Unfinished { at, .. }
                if at >= tail && (is_open || !lexed.unclosed.is_empty()) =>
            {
                let is_text = lexed.ending == Ending::TripleQuote;
                let depth = lexed.unclosed.len();
                let indent = if is_text { 0 } else { lexed.indent + STEP * depth };
                Completeness::Incomplete { indent }
            }
            _ => Completeness::Invalid,
        },
        Err(Err::Incomplete(_)) => Completeness::Invalid,
    }
}

/// The lines below `%%name` go on until an empty one.
fn below_magic(text: &str) -> Completeness {
    let Some((_, body)) = text.trim_start().split_once('\n') else {
        return Completeness::Incomplete { indent: 0 };
    };
    match completeness(body) {
        Completeness::Complete if !ends_blank(text) => Completeness::Incomplete { indent: 0 },
        body => body,
    }
}

/// Blanks for a line that begins at this column: those of the lines above as far as they reach, so that
/// tabs go on as tabs.
pub fn indentation(text: &str, columns: usize) -> String {
    let above = text.lines().rev().filter(|line| !line.trim().is_empty());
    for line in above {
        let (width, length) = measure(line);
        if !line[..length].contains('\t') && width.columns > 0 {
            break;
        }
        if width.columns == columns {
            return line[..length].to_owned();
        }
        if width.columns < columns && length > 0 {
            return line[..length].to_owned() + "\t";
        }
    }
    " ".repeat(columns)
}

/// Whether the text ends inside of a string of three quotes.
pub fn ends_in_string(text: &str) -> bool {
    lex_text(text, 0, SourceId::default()).ending == Ending::TripleQuote
}

/// How many blanks a block is indented by.
pub const STEP: usize = 4;

/// How many columns a tab reaches at most.
const TAB: usize = 8;

/// Whether the last line is blank, which ends the blocks above it.
fn ends_blank(text: &str) -> bool {
    text.rsplit(['\n', '\r']).next().is_some_and(|line| line.trim().is_empty())
}

/// Where the line after the last one best begins: deeper behind a colon, less deep behind a
/// statement that leaves its block. `end` is the token that ends the last line.
fn next_indent(lexed: &Lexed<'_>, end: usize) -> usize {
    let before = &lexed.tokens[..end];
    let step = if lexed.indent_has_tabs { TAB } else { STEP };
    if before.last().is_some_and(|token| token.kind == TokenKind::Op(Op::Colon)) {
        return lexed.indent + step;
    }
    let is_break = |token: &Token| {
        matches!(token.kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent)
    };
    let first = before.iter().rposition(is_break).map_or(0, |at| at + 1);
    use Keyword as K;
    match before.get(first).map(|token| token.kind) {
        Some(TokenKind::Keyword(K::Return | K::Pass | K::Break | K::Continue | K::Raise)) => {
            lexed.indent.saturating_sub(step)
        }
        _ => lexed.indent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Completeness::*;

    #[test]
    fn what_asks_for_more() {
        assert_eq!(completeness("x = 1"), Complete);
        assert_eq!(completeness(""), Complete);
        assert_eq!(completeness(":mem"), Complete);
        assert_eq!(completeness("x = [1,"), Incomplete { indent: 4 });
        assert_eq!(completeness("f(a)[(\n"), Incomplete { indent: 8 });
        assert_eq!(completeness("x = [1,\n  2 # two\n"), Incomplete { indent: 4 });
        assert_eq!(completeness("'''a\nb"), Incomplete { indent: 0 });
        assert_eq!(completeness("f'''a {b}\n"), Incomplete { indent: 0 });
        assert_eq!(completeness("f('''a\nb"), Incomplete { indent: 0 });
        assert_eq!(completeness("x = 1 + \\"), Incomplete { indent: 0 });
        assert_eq!(completeness("x = 1 + \\\n"), Incomplete { indent: 0 });
        assert_eq!(completeness("x = (1 + \\"), Incomplete { indent: 4 });
        assert_eq!(completeness("x = 'a\\\n"), Incomplete { indent: 0 });
    }

    #[test]
    fn blocks_ask_for_more() {
        for (text, indent) in [
            ("if x:", 4),
            ("if x:\n", 4),
            ("for i in x: # note", 4),
            ("if x:\n    y", 4),
            ("if x:\n  y", 2),
            ("if x:\n    if y:", 8),
            ("def f(x):\n    return x", 0),
            ("while x:\n    if y:\n        break", 4),
            ("if x:\n    y = [1,", 8),
            ("if x:\n    '''a", 0),
            ("try:\n    x", 4),
            ("try:\n    pass", 0),
            ("try:\n    x\n", 4),
            ("@f", 0),
            ("@f\n", 0),
            ("if x:\n    y\nelse:", 4),
            ("def f(a,", 4),
            ("class A:\n    def f(self):\n        pass", 4),
            ("if x:\n    y\n    # note", 4),
        ] {
            assert_eq!(completeness(text), Incomplete { indent }, "{text:?}");
        }
        for text in [
            "if x: y",
            "if x:\n    y\n",
            "if x:\n    y\n    ",
            "if x:\n    y\nz",
            "for i in x:\n    if y:\n        z\n\n",
            "@f\ndef g(): pass",
            "try:\n    x\nfinally:\n    y\n",
        ] {
            assert_eq!(completeness(text), Complete, "{text:?}");
        }
    }

    #[test]
    fn tabs_go_on_as_tabs() {
        for (text, blanks) in [
            ("if x:\n\ty", "\t"),
            ("if x:\n\tif y:", "\t\t"),
            ("if x:\n\tif y:\n\t\tpass", "\t"),
            ("if x:\n    if y:", "        "),
            ("if x:", "    "),
        ] {
            let Incomplete { indent } = completeness(text) else { panic!("{text:?}") };
            assert_eq!(indentation(text, indent), blanks, "{text:?}");
        }
    }

    #[test]
    fn magics_of_a_cell() {
        for (text, indent) in [
            ("%%timeit", 0),
            ("%%timeit -n 3\nx", 0),
            ("%%time\nfor i in x:", 4),
            ("%%time\nf(", 4),
        ] {
            assert_eq!(completeness(text), Incomplete { indent }, "{text:?}");
        }
        for text in ["%timeit x", "!ls", "%%time\nx\n", "np.*sum*?"] {
            assert_eq!(completeness(text), Complete, "{text:?}");
        }
    }

    #[test]
    fn what_no_line_can_mend() {
        assert_eq!(completeness("x = 'abc"), Invalid);
        assert_eq!(completeness("x = 1 +"), Invalid);
        assert_eq!(completeness("f(a b"), Invalid);
        assert_eq!(completeness("f(a b, '''"), Invalid);
        assert_eq!(completeness("x = )"), Invalid);
        for text in ["if x", "else:", "if x:\n  y\n z", "return 1", "  x = 1", "try:\n  x\ny"] {
            assert_eq!(completeness(text), Invalid, "{text:?}");
        }
    }
}
