//! From meaning to colour: the only place where colours are chosen. The sixteen colours of the
//! terminal's own theme, so that they fit light and dark ones; more only for heat.

use owo_colors::{AnsiColors, DynColors, OwoColorize, Style as Ansi, XtermColors};

use crate::report::{Color, Markup, Style};

/// The ramp of heat, from nothing to everything, in the colour cube of 256-colour terminals.
const HEAT: [u8; 6] = [25, 31, 37, 178, 208, 196];

/// The text, with escape sequences if `color`.
pub fn render(markup: &Markup, color: bool) -> String {
    markup.pieces().iter().map(|(style, text)| paint(text, *style, color)).collect()
}

/// One piece of text. A style ends before each line break, so that a background or an underline
/// never runs to the screen's edge.
pub fn paint(text: &str, style: Style, color: bool) -> String {
    let ansi = ansi(style);
    if !color || ansi.is_plain() {
        return text.to_string();
    }
    let mut painted = String::with_capacity(text.len() + 16);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            painted.push('\n');
        }
        if !line.is_empty() {
            painted += &line.style(ansi).to_string();
        }
    }
    painted
}

fn ansi(style: Style) -> Ansi {
    let plain = Ansi::new();
    match style {
        Style::Plain => plain,
        Style::Name | Style::Operator => plain,
        Style::Dim | Style::Comment => plain.color(AnsiColors::BrightBlack),
        Style::Heading => plain.bold(),
        Style::Keyword => plain.color(AnsiColors::Magenta),
        Style::Command => plain.color(AnsiColors::Blue),
        Style::Number => plain.color(AnsiColors::Cyan),
        Style::Str | Style::Good => plain.color(AnsiColors::Green),
        Style::Error => plain.color(AnsiColors::Red).bold(),
        Style::Warn => plain.color(AnsiColors::Yellow),
        Style::Hint => plain.color(AnsiColors::Blue),
        Style::Odd => plain.color(AnsiColors::Magenta).bold(),
        Style::Cursor => plain.reversed(),
        // What fades into the page has the page behind it: its text says how much of it there is.
        Style::Tint(Color { rgb, alpha }) => match DynColors::Xterm(nearest(rgb)) {
            color if alpha == u8::MAX => plain.color(color).on_color(color),
            color => plain.color(color),
        },
        Style::Heat(heat) => {
            let step = usize::from(heat) * HEAT.len() / 256;
            plain.color(DynColors::Xterm(XtermColors::from(HEAT[step])))
        }
    }
}

/// The nearest colour of the cube of 256-colour terminals.
fn nearest(rgb: [u8; 3]) -> XtermColors {
    // Its steps are 0, 95, 135, 175, 215 and 255.
    let [r, g, b] = rgb.map(|part| match part {
        0..48 => 0,
        48..115 => 1,
        _ => (part - 35) / 40,
    });
    XtermColors::from(16 + 36 * r + 6 * g + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_where_asked() {
        let markup = Markup::new().error("no").plain(": x\n").dim("a\nb");
        assert_eq!(render(&markup, false), "no: x\na\nb");
        let expected = "\u{1b}[31;1mno\u{1b}[0m: x\n\u{1b}[90ma\u{1b}[0m\n\u{1b}[90mb\u{1b}[0m";
        assert_eq!(render(&markup, true), expected);
    }

    #[test]
    fn heat_has_a_colour_at_both_ends() {
        assert!(paint("x", Style::Heat(0), true).contains("38;5;25m"));
        assert!(paint("x", Style::Heat(255), true).contains("38;5;196m"));
    }

    #[test]
    fn colours_of_the_cube_are_their_own_nearest() {
        let steps = [0u8, 95, 135, 175, 215, 255];
        for (r, g, b) in [(0, 0, 0), (5, 5, 5), (1, 2, 3), (4, 0, 1)] {
            let found = nearest([steps[r], steps[g], steps[b]]);
            assert_eq!(found, XtermColors::from((16 + 36 * r + 6 * g + b) as u8));
        }
    }
}
