//! Text tagged by meaning. Which colour a meaning has is a front end's business.

use std::borrow::Cow;

use crate::diag::visible;

use super::heat::Color;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Style {
    #[default]
    Plain,
    /// Said in passing: headers, units, line numbers.
    Dim,
    /// A section's title.
    Heading,
    /// A name that the user or the library gave.
    Name,
    /// A word of the language.
    Keyword,
    /// A `:command`.
    Command,
    Number,
    Str,
    Operator,
    Comment,
    Error,
    Warn,
    Hint,
    /// Something that went well.
    Good,
    /// A quantity between nothing (0) and everything (255).
    Heat(u8),
    /// A cell of a heat map: nothing is seen of it but its colour.
    Tint(Color),
    /// What is no finite number, among numbers.
    Odd,
    /// Where a view's cursor is.
    Cursor,
}

/// A sequence of pieces, each text with one meaning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Markup {
    pieces: Vec<(Style, String)>,
}

impl Markup {
    pub fn new() -> Markup {
        Markup::default()
    }

    /// One piece.
    pub fn of(style: Style, text: impl Into<String>) -> Markup {
        Markup::new().with(style, text)
    }

    /// This and one more piece.
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Markup {
        self.push(style, text);
        self
    }

    /// What would move the cursor or turn the text around it is escaped: texts are told, not obeyed.
    pub fn push(&mut self, style: Style, text: impl Into<String>) {
        let text = text.into();
        let text = match visible(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(escaped) => escaped,
        };
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some((last, tail)) if *last == style => tail.push_str(&text),
            _ => self.pieces.push((style, text)),
        }
    }

    /// This, then all of `other`.
    pub fn append(&mut self, other: Markup) {
        for (style, text) in other.pieces {
            self.push(style, text);
        }
    }

    pub fn plain(self, text: impl Into<String>) -> Markup {
        self.with(Style::Plain, text)
    }

    pub fn dim(self, text: impl Into<String>) -> Markup {
        self.with(Style::Dim, text)
    }

    pub fn heading(self, text: impl Into<String>) -> Markup {
        self.with(Style::Heading, text)
    }

    pub fn name(self, text: impl Into<String>) -> Markup {
        self.with(Style::Name, text)
    }

    pub fn keyword(self, text: impl Into<String>) -> Markup {
        self.with(Style::Keyword, text)
    }

    pub fn command(self, text: impl Into<String>) -> Markup {
        self.with(Style::Command, text)
    }

    pub fn number(self, text: impl Into<String>) -> Markup {
        self.with(Style::Number, text)
    }

    pub fn error(self, text: impl Into<String>) -> Markup {
        self.with(Style::Error, text)
    }

    pub fn hint(self, text: impl Into<String>) -> Markup {
        self.with(Style::Hint, text)
    }

    pub fn warn(self, text: impl Into<String>) -> Markup {
        self.with(Style::Warn, text)
    }

    pub fn good(self, text: impl Into<String>) -> Markup {
        self.with(Style::Good, text)
    }

    pub fn newline(self) -> Markup {
        self.plain("\n")
    }

    /// The pieces in order; neighbours differ in style and none is empty.
    pub fn pieces(&self) -> &[(Style, String)] {
        &self.pieces
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The pieces of every line, line breaks left out.
    pub fn lines(&self) -> Vec<Markup> {
        let mut lines = vec![Markup::new()];
        for (style, text) in &self.pieces {
            for (at, part) in text.split('\n').enumerate() {
                if at > 0 {
                    lines.push(Markup::new());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(*style, part);
                }
            }
        }
        lines
    }
}

impl From<&str> for Markup {
    fn from(text: &str) -> Markup {
        Markup::new().plain(text)
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Markup {
        Markup::new().plain(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_style_join() {
        let markup = Markup::new().name("a").name("b").plain("").plain(" = ").number("1");
        assert_eq!(markup.pieces().len(), 3);
        assert_eq!(markup.pieces()[0], (Style::Name, "ab".to_string()));
    }

    #[test]
    fn no_text_turns_its_line_around() {
        let markup = Markup::new().name("a\u{202e}b\u{1b}[2J").plain("é 名\n");
        assert_eq!(markup.to_plain(), "a\\u202eb\\x1b[2Jé 名\n");
    }

    #[test]
    fn lines_keep_their_styles() {
        let markup = Markup::new().dim("a\nb").name("c\n");
        let lines = markup.lines();
        assert_eq!(lines[0], Markup::new().dim("a"));
        assert_eq!(lines[1], Markup::new().dim("b").name("c"));
        assert!(lines[2].is_empty());
    }
}
