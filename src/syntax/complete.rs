//! Whether Enter ends the input or asks for another line.

use nom::Err;

use crate::diag::SourceId;

use super::input::{Input, Problem};
use super::lexer::{Ending, lex_text};
use super::stmt::cell;

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

/// Open brackets, an open triple quote and a trailing backslash ask for more.
pub fn completeness(text: &str) -> Completeness {
    let lexed = lex_text(text, 0, SourceId::default());
    let problem = match cell(Input { lexed: &lexed, at: 0 }) {
        Ok(_) => return Completeness::Complete,
        Err(Err::Error(problem) | Err::Failure(problem)) => problem,
        Err(Err::Incomplete(_)) => return Completeness::Invalid,
    };
    // The last tokens are the end of the line and the end of the text; in front of them stands the
    // token that the text left open, if it did.
    let is_open = lexed.ending != Ending::Clean;
    let tail = lexed.tokens.len().saturating_sub(if is_open { 3 } else { 2 });
    match problem {
        Problem::Expected { at, .. } if at >= tail && (is_open || !lexed.unclosed.is_empty()) => {
            let is_text = lexed.ending == Ending::TripleQuote;
            let depth = if is_text { 0 } else { lexed.unclosed.len() };
            Completeness::Incomplete { indent: 4 * depth }
        }
        _ => Completeness::Invalid,
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
    fn what_no_line_can_mend() {
        assert_eq!(completeness("x = 'abc"), Invalid);
        assert_eq!(completeness("x = 1 +"), Invalid);
        assert_eq!(completeness("f(a b"), Invalid);
        assert_eq!(completeness("f(a b, '''"), Invalid);
        assert_eq!(completeness("x = )"), Invalid);
        assert_eq!(completeness("for i in range(3):"), Invalid);
    }
}
