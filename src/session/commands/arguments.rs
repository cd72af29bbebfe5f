//! The rest of a command's line, cut into words that know their places.

use super::Call;
use crate::diag::{At, Fault, SourceResult, Span};
use crate::syntax::{self, ast::Stmt};

/// A word without the quotes around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    pub text: &'a str,
    /// With the quotes.
    pub span: Span,
}

/// Cuts `text` at blanks; quotes keep blanks together. `base` is where the text stands.
pub fn words(text: &str, base: Span) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(skip) = text[at..].find(|c: char| !c.is_whitespace()) {
        let start = at + skip;
        let rest = &text[start..];
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let closed = quote.and_then(|quote| rest[1..].find(quote).map(|len| len + 2));
        let len = closed.unwrap_or_else(|| rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let word = if closed.is_some() { &rest[1..len - 1] } else { &rest[..len] };
        let place = base.start as usize + start;
        words.push(Word { text: word, span: Span::new(base.source, place, place + len) });
        at = start + len;
    }
    words
}

impl<'a> Call<'a> {
    /// The arguments as words.
    pub fn words(&self) -> Vec<Word<'a>> {
        let source: &'a crate::diag::Source = self.source;
        words(source.slice(self.args), self.args)
    }

    /// The statements of the argument from byte `start` on; at least one.
    pub fn statements(&self, start: usize) -> SourceResult<Vec<Stmt>> {
        // Blanks in front of a statement would be an indent.
        let end = self.args.end as usize;
        let blanks = self.source.text[start..end].trim_start().len();
        let module = syntax::parse_range(self.source, end - blanks..end)?;
        if module.body.is_empty() {
            let message = format!("expected a statement after `:{}`", self.command.name);
            return Err(self.misuse(self.place(), message));
        }
        Ok(module.body)
    }

    /// The statements in the lines below the first.
    pub fn statements_in(&self, body: Span) -> SourceResult<Vec<Stmt>> {
        let module = syntax::parse_range(self.source, body.range())?;
        if module.body.is_empty() {
            let message = "expected statements below this line";
            return Err(self.misuse(self.name, message));
        }
        Ok(module.body)
    }

    /// A whole number from `low` on.
    pub fn count(&self, word: Word<'_>, low: usize) -> SourceResult<usize> {
        let number = word.text.replace('_', "").parse::<usize>().ok();
        number
            .filter(|number| *number >= low)
            .ok_or_else(|| {
                let found = word.text;
                Fault::value_error(format!(
                    "expected a whole number from {low} on, found `{found}`"
                ))
            })
            .at(word.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::SourceId;

    #[test]
    fn quotes_keep_blanks_together() {
        let base = Span::new(SourceId(1), 10, 10);
        let of = |text| -> Vec<(String, u32, u32)> {
            let words = words(text, base);
            words.into_iter().map(|w| (w.text.to_string(), w.span.start, w.span.end)).collect()
        };
        assert_eq!(of("a  bc"), [("a".into(), 10, 11), ("bc".into(), 13, 15)]);
        assert_eq!(of("\"a b\" 'c'"), [("a b".into(), 10, 15), ("c".into(), 16, 19)]);
        assert_eq!(of("'open end"), [("'open".into(), 10, 15), ("end".into(), 16, 19)]);
        assert_eq!(of("  "), []);
        assert_eq!(of("名 x"), [("名".into(), 10, 13), ("x".into(), 14, 15)]);
    }
}
