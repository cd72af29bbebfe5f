//! Text: escaped, each meaning with its colour.

use crate::report::{Markup, Style, human_bytes};

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

/// Pieces of text with the colours of their meanings.
pub fn spans(markup: &Markup) -> String {
    let span = |(style, text): &(Style, String)| {
        let text = escape(text);
        match css(*style) {
            Some(css) => format!("<span style=\"{css}\">{text}</span>"),
            None => text,
        }
    };
    markup.pieces().iter().map(span).collect()
}

/// Colours of a middle tone: each has a contrast of at least 3.5 to white and to near black.
fn css(style: Style) -> Option<String> {
    let color = match style {
        Style::Plain | Style::Operator => return None,
        Style::Dim | Style::Comment => "opacity:.62",
        Style::Heading => "font-weight:bold",
        Style::Name => "font-weight:600",
        Style::Keyword => "color:#a35bd6",
        Style::Command | Style::Hint => "color:#2f7fd6",
        Style::Number => "color:#16848f",
        Style::Str | Style::Good => "color:#2b8a4b",
        Style::Error => "color:#d8434a;font-weight:bold",
        Style::Warn => "color:#b06f12",
        Style::Heat(heat) => {
            let share = f64::from(heat) / 255.0 * 0.6;
            return Some(format!("background:rgba(222,82,38,{share:.2})"));
        }
    };
    Some(color.to_string())
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

    /// The share of light in a colour, as the rules for accessible pages compute it.
    fn luminance(rgb: u32) -> f64 {
        let part = |shift: u32| {
            let value = f64::from(rgb >> shift & 255) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
    }

    #[test]
    fn colours_read_on_light_and_on_dark() {
        use Style::{Error, Good, Hint, Keyword, Number, Warn};
        for style in [Keyword, Hint, Number, Good, Error, Warn] {
            let css = css(style).unwrap();
            let light = luminance(u32::from_str_radix(&css[7..13], 16).unwrap());
            let contrast = |other: f64| (light.max(other) + 0.05) / (light.min(other) + 0.05);
            assert!(contrast(1.0) >= 3.5 && contrast(luminance(0x111111)) >= 3.5, "{css}");
        }
    }
}
