//! One input of the session: its text, and where its lines begin.

use super::{SourceId, Span};

/// A text that spans point into.
#[derive(Debug, Clone)]
pub struct Source {
    pub id: SourceId,
    /// What the user calls it: `<In 3>`, or a file's path.
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
}

impl Source {
    pub fn new(id: SourceId, name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Source { id, name: name.into(), text, line_starts }
    }

    /// The zero-based line that holds byte `at`, and the byte at which that line begins.
    pub fn line_of(&self, at: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start as usize <= at) - 1;
        (line, self.line_starts[line] as usize)
    }

    /// A line's text without its line break.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line] as usize;
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |next| *next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text that a span covers.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_starts() {
        let source = Source::new(SourceId(0), "<In 1>", "x = 1\r\ny = 2\n");
        assert_eq!(source.line(0), "x = 1");
        assert_eq!(source.line(1), "y = 2");
        assert_eq!(source.line_of(0), (0, 0));
        assert_eq!(source.line_of(7), (1, 7));
        assert_eq!(source.line_of(13), (2, 13));
        assert_eq!(source.line(2), "");
    }
}
