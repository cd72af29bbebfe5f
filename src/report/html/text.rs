//! Text: escaped, each meaning with its colour.

use crate::report::{Markup, Style, human_bytes};

/// The share of light in a colour, as the rules for accessible pages (WCAG 2) compute it.
pub fn luminance([r, g, b]: [u8; 3]) -> f64 {
    let part = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}

/// How well one colour is seen on another, from 1 to 21.
#[cfg(test)]
pub fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The look of what is said in passing: text of the page's own colour, which keeps a contrast of 4.5.
pub const DIM: &str = "opacity:.66";

/// Bytes of text that a page shows: pages of millions of characters can't be scrolled. The same
/// report's plain text is whole.
const LONGEST: usize = 64 << 10;

/// Text that may stand between tags and inside a quoted attribute. Control characters, which HTML
/// has no place for, become the sign for what can't be shown.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Running text as a page shows it: of one that is too long to look at, the beginning.
pub fn beginning(markup: &Markup) -> String {
    let bytes: usize = markup.pieces().iter().map(|(_, text)| text.len()).sum();
    if bytes <= LONGEST {
        return spans(markup);
    }
    let mut shown = Markup::new();
    let mut room = LONGEST;
    for (style, text) in markup.pieces() {
        let fits = |end: &usize| text.is_char_boundary(*end);
        let end = (0..=room.min(text.len())).rev().find(fits).unwrap_or(0);
        shown.push(*style, &text[..end]);
        room -= end;
        if end < text.len() {
            break;
        }
    }
    let [shown_bytes, bytes] = [LONGEST - room, bytes].map(|bytes| human_bytes(bytes as u64));
    let note = format!("the first {shown_bytes} of {bytes}; `print` shows all of a text");
    spans(&shown.plain("…\n").hint(note))
}

impl Markup {
    /// Pieces of text for a page, with the colours of their meanings.
    pub fn to_spans(&self) -> String {
        spans(self)
    }
}

/// Pieces of text with the colours of their meanings.
pub fn spans(markup: &Markup) -> String {
    let span = |(style, text): &(Style, String)| {
        let text = escape(text);
        match look(*style) {
            Some(look) => format!("<span {look}>{text}</span>"),
            None => text,
        }
    };
    markup.pieces().iter().map(span).collect()
}

/// The attributes of a span. No colour has a contrast of 4.5 to white and to near black at once, so text
/// has the page's own colour until the style sheet knows which of the two the page is.
fn look(style: Style) -> Option<String> {
    let look = match style {
        // Shades read without colours, too.
        Style::Plain | Style::Operator | Style::Tint(_) => return None,
        Style::Dim | Style::Comment => return Some(format!("style=\"{DIM}\"")),
        Style::Heading => "style=\"font-weight:bold\"",
        Style::Name => "style=\"font-weight:600\"",
        Style::Keyword => "class=\"ink-keyword\"",
        Style::Command | Style::Hint => "class=\"ink-hint\"",
        Style::Number => "class=\"ink-number\"",
        Style::Str | Style::Good => "class=\"ink-good\"",
        Style::Cursor => "style=\"font-weight:bold;text-decoration:underline\"",
        Style::Error | Style::Odd => "class=\"ink-error\" style=\"font-weight:bold\"",
        Style::Warn => "class=\"ink-warn\"",
        Style::Heat(heat) => {
            let share = f64::from(heat) / 255.0 * 0.55;
            return Some(format!("style=\"background:rgba(222,82,38,{share:.2})\""));
        }
    };
    Some(look.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(escape("a<b>&\"'\u{1b}[0m\n"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}[0m\n");
        let markup = Markup::new().name("<script>").plain(" x");
        assert_eq!(spans(&markup), "<span style=\"font-weight:600\">&lt;script&gt;</span> x");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = |count: usize| Markup::new().dim("ab").plain("é".repeat(count));
        let whole = text(LONGEST / 2 - 1);
        assert_eq!(beginning(&whole), spans(&whole));
        let html = beginning(&text(LONGEST));
        assert_eq!(html.matches('é').count(), LONGEST / 2 - 1);
        assert!(html.contains("…\n<span") && html.contains("64.0 KiB of 128.0 KiB"), "{html}");
    }
}
