//! Marked-up text with escape sequences, which notebooks show in the colours of their theme.

use crate::report::{Markup, Style};

/// The text; a style ends before each line break.
pub fn render(markup: &Markup) -> String {
    markup.lines().iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The lines of the text.
pub fn lines(markup: &Markup) -> Vec<String> {
    markup.lines().iter().map(line).collect()
}

fn line(markup: &Markup) -> String {
    let piece = |(style, text): &(Style, String)| match code(*style) {
        Some(code) => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        None => text.clone(),
    };
    markup.pieces().iter().map(piece).collect()
}

fn code(style: Style) -> Option<&'static str> {
    match style {
        Style::Plain | Style::Name | Style::Operator => None,
        // Bright black can't be read on JupyterLab's dark pages.
        Style::Dim | Style::Comment => Some("2"),
        Style::Heading => Some("1"),
        Style::Cursor => Some("7"),
        Style::Keyword => Some("35"),
        Style::Command | Style::Hint => Some("34"),
        Style::Number | Style::Tint(_) => Some("36"),
        Style::Str | Style::Good => Some("32"),
        // Bold red is dark red in JupyterLab, on dark pages as well.
        Style::Error | Style::Odd => Some("31"),
        Style::Warn | Style::Heat(171..) => Some("33"),
        Style::Heat(85..) => Some("32"),
        Style::Heat(_) => Some("34"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_end_with_their_line() {
        let markup = Markup::new().error("no").plain(": x").dim("\na\nb");
        assert_eq!(
            lines(&markup),
            ["\u{1b}[31mno\u{1b}[0m: x", "\u{1b}[2ma\u{1b}[0m", "\u{1b}[2mb\u{1b}[0m"]
        );
    }
}
