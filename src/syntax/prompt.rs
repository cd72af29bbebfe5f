//! Pasted texts: prompts go, and so does the output between them; and so does the indentation that
//! all lines share.

use std::borrow::Cow;

use crate::diag::SourceId;

use super::complete::{Completeness, completeness};
use super::lexer::{COMMANDS, lex_text};
use super::token::{Token, TokenKind};

/// A text as it would have been typed: without prompts, and at the left margin.
pub fn as_typed(text: &str) -> Cow<'_, str> {
    match strip_prompts(text) {
        Cow::Borrowed(text) => dedent(text),
        stripped => stripped,
    }
}

/// A text without the indentation of its first line, if all lines have it. Lines inside of brackets and
/// strings may have less; comments may, too.
fn dedent(text: &str) -> Cow<'_, str> {
    let is_blank = |line: &str| line.trim().is_empty();
    let Some(first) = text.lines().find(|line| !is_blank(line)) else { return Cow::Borrowed(text) };
    let margin = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
    if margin.is_empty() || first.trim_start().starts_with(COMMANDS) {
        return Cow::Borrowed(text);
    }
    let mut dedented = String::with_capacity(text.len());
    let mut begins_statement = None;
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        match line.strip_prefix(margin) {
            Some(rest) => dedented += rest,
            None if is_blank(line) => dedented += line.trim_start_matches([' ', '\t']),
            None if line.trim_start().starts_with('#') => dedented += line,
            None => {
                let begins = begins_statement.get_or_insert_with(|| statement_lines(text));
                if begins.binary_search(&at).is_ok() {
                    return Cow::Borrowed(text);
                }
                dedented += line;
            }
        }
    }
    Cow::Owned(dedented)
}

/// Where the lines begin that are not inside of brackets or strings, nor behind a backslash.
fn statement_lines(text: &str) -> Vec<usize> {
    let tokens = lex_text(text, 0, SourceId::default()).tokens;
    let is_break = |token: &&Token| token.kind == TokenKind::Newline;
    // Empty lines and comments are no tokens: a statement begins with the first one behind them.
    let firsts = tokens.split_inclusive(|token| is_break(&token)).filter_map(|line| {
        let is_text = |token: &&Token| {
            !matches!(token.kind, TokenKind::Indent | TokenKind::Dedent | TokenKind::Eof)
        };
        line.iter().find(is_text).map(|token| token.start as usize)
    });
    firsts.map(|at| text[..at].rfind('\n').map_or(0, |end| end + 1)).collect()
}

/// A text without the prompts `>>> `, `... `, `In [3]: ` and `   ...: `.
///
/// A text is a pasted session only if its first line that is not blank begins with a prompt; any
/// other text comes back as it is, whatever its strings contain. In a session, a line without a
/// prompt is output and goes too, unless what stands above it is incomplete.
fn strip_prompts(text: &str) -> Cow<'_, str> {
    let first = text.lines().find(|line| !line.trim().is_empty());
    if first.and_then(opening).is_none() {
        return Cow::Borrowed(text);
    }
    let mut stripped = String::with_capacity(text.len());
    let mut chunk_start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        if let Some(rest) = opening(content) {
            chunk_start = stripped.len();
            stripped.push_str(rest);
        } else if let Some(rest) = continuation(content) {
            stripped.push_str(rest);
        } else if is_open(&stripped[chunk_start..]) {
            stripped.push_str(content);
        } else {
            continue;
        }
        stripped.push_str(&line[content.len()..]);
    }
    Cow::Owned(stripped)
}

fn is_open(text: &str) -> bool {
    matches!(completeness(text), Completeness::Incomplete { .. })
}

/// What follows `>>> ` or `In [3]: `.
fn opening(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t']);
    if let Some(rest) = line.strip_prefix(">>>") {
        return after_blank(rest);
    }
    let number = line.strip_prefix("In [")?;
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    after_blank(rest.strip_prefix("]:")?)
}

/// What follows `... ` or `   ...: `.
fn continuation(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches([' ', '\t']).strip_prefix("...")?;
    after_blank(rest.strip_prefix(':').unwrap_or(rest))
}

/// The rest behind one blank; a prompt at the end of a line has none.
fn after_blank(rest: &str) -> Option<&str> {
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_and_output_go() {
        let pasted = ">>> x = [1,\n...      2]\n>>> x\n[1, 2]\n>>>\n";
        assert_eq!(strip_prompts(pasted), "x = [1,\n     2]\nx\n\n");
        let pasted = "In [3]: y = (1 +\n   ...:      2)\n\nIn [12]: y\nOut[12]: 3\n";
        assert_eq!(strip_prompts(pasted), "y = (1 +\n     2)\ny\n");
        assert_eq!(strip_prompts("  >>> x\n  3"), "x\n");
        assert_eq!(strip_prompts(">>> s = '''\nkept\n... '''"), "s = '''\nkept\n'''");
        assert_eq!(strip_prompts(">>> x\r\n>>> y\r\n"), "x\r\ny\r\n");
    }

    #[test]
    fn a_common_indentation_goes() {
        for (text, typed) in [
            ("    x = 1\n    y = 2\n", "x = 1\ny = 2\n"),
            ("\n  if x:\n\n    y\n  z", "\nif x:\n\n  y\nz"),
            ("\tx = [\n1]\n\ty", "x = [\n1]\ny"),
            ("  s = '''a\nb'''\n  t", "s = '''a\nb'''\nt"),
            ("    x\n# note\n    y", "x\n# note\ny"),
            ("  x", "x"),
        ] {
            assert_eq!(as_typed(text), typed, "{text:?}");
        }
        for text in ["    x\n  y", "\tx\n    y", "if x:\n    y", "   ", "  :mem\n  :who", "  x\ny"]
        {
            assert!(matches!(as_typed(text), Cow::Borrowed(kept) if kept == text), "{text:?}");
        }
    }

    #[test]
    fn other_text_stays() {
        for text in ["x = 1", "", "s = '''\n>>> x\n... y\n'''\n", "x >>> y", "...", ">>>x"] {
            assert!(matches!(strip_prompts(text), Cow::Borrowed(kept) if kept == text), "{text}");
        }
    }
}
