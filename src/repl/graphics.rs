//! Figures as pictures, for terminals that show them: Kitty's protocol, iTerm's, and Sixel.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::report::figure::Figure;

/// How a terminal takes pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Kitty,
    Iterm,
    Sixel,
}

/// Bytes of base64 that Kitty takes at once.
const PIECE: usize = 4096;

/// Pixels that a column is taken to have: figures are no wider than the terminal.
const COLUMN: f64 = 8.0;

/// Rows of pixels that a character of Sixel stands for.
const BAND: usize = 6;

/// Levels of red, of green and of blue.
const LEVELS: usize = 6;

impl Protocol {
    /// The one that a terminal is known to have, by what it says of itself in the environment;
    /// `GENESIS_GRAPHICS` says otherwise. What runs between a program and the terminal takes no pictures.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Protocol> {
        let word = |name: &str| variable(name).unwrap_or_default();
        match word("GENESIS_GRAPHICS").as_str() {
            "kitty" => return Some(Protocol::Kitty),
            "iterm" => return Some(Protocol::Iterm),
            "sixel" => return Some(Protocol::Sixel),
            "" | "auto" => {}
            _ => return None,
        }
        let (term, program) = (word("TERM"), word("TERM_PROGRAM"));
        let is_between = ["screen", "tmux", "dumb"].iter().any(|name| term.starts_with(name));
        if is_between || !word("TMUX").is_empty() {
            return None;
        }
        let is_kitty = !word("KITTY_WINDOW_ID").is_empty()
            || term.contains("kitty")
            || term.contains("ghostty")
            || program == "ghostty";
        let is_iterm = ["iTerm.app", "WezTerm", "mintty"].contains(&program.as_str())
            || word("LC_TERMINAL") == "iTerm2";
        let is_sixel =
            ["foot", "mlterm", "contour", "yaft"].iter().any(|name| term.starts_with(name))
                || term.contains("sixel");
        match (is_kitty, is_iterm, is_sixel) {
            (true, ..) => Some(Protocol::Kitty),
            (_, true, _) => Some(Protocol::Iterm),
            (.., true) => Some(Protocol::Sixel),
            _ => None,
        }
    }

    /// What shows a figure in a terminal of so many columns.
    pub fn draw(self, figure: &Figure, columns: usize) -> String {
        let zoom = (columns as f64 * COLUMN / figure.width).clamp(0.2, 1.0);
        match self {
            Protocol::Kitty => kitty(&figure.to_png(zoom)),
            Protocol::Iterm => {
                let png = figure.to_png(zoom);
                let data = BASE64_STANDARD.encode(&png);
                format!("\u{1b}]1337;File=inline=1;size={}:{data}\u{7}", png.len())
            }
            Protocol::Sixel => {
                let (width, pixels) = figure.to_pixels(zoom);
                sixel(width, &pixels)
            }
        }
    }
}

fn kitty(png: &[u8]) -> String {
    let data = BASE64_STANDARD.encode(png);
    let pieces: Vec<&str> =
        (0..data.len()).step_by(PIECE).map(|at| &data[at..(at + PIECE).min(data.len())]).collect();
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let head = if at == 0 { "a=T,f=100,q=2," } else { "" };
        let more = u8::from(at + 1 < pieces.len());
        let _ = write!(text, "\u{1b}_G{head}m={more};{piece}\u{1b}\\");
    }
    text
}

/// Rows of red, green and blue as Sixel: bands of six rows, each a line for every colour in it.
fn sixel(width: usize, pixels: &[u8]) -> String {
    let level = |part: u8| (usize::from(part) * (LEVELS - 1) + 127) / 255;
    let color = |pixel: &[u8]| {
        level(pixel[0]) * LEVELS * LEVELS + level(pixel[1]) * LEVELS + level(pixel[2])
    };
    let colors: Vec<usize> = pixels.chunks_exact(3).map(color).collect();
    let height = colors.len() / width.max(1);
    let mut text = format!("\u{1b}Pq\"1;1;{width};{height}");
    let mut known: Vec<usize> = colors.clone();
    known.sort_unstable();
    known.dedup();
    for color in known {
        let part = |at: usize| color / LEVELS.pow(at as u32) % LEVELS * 100 / (LEVELS - 1);
        let _ = write!(text, "#{color};2;{};{};{}", part(2), part(1), part(0));
    }
    for band in colors.chunks(width.max(1) * BAND) {
        let mut there: Vec<usize> = band.to_vec();
        there.sort_unstable();
        there.dedup();
        for (at, color) in there.iter().enumerate() {
            let _ = write!(text, "{}#{color}", if at > 0 { "$" } else { "" });
            let bits = |column: usize| {
                let rows = band.chunks(width).enumerate();
                rows.filter(|(_, row)| row.get(column) == Some(color))
                    .fold(0u8, |bits, (row, _)| bits | 1 << row)
            };
            let (mut last, mut count) = (bits(0), 0);
            for column in 0..=width {
                let here = (column < width).then(|| bits(column));
                if here == Some(last) {
                    count += 1;
                    continue;
                }
                let letter = char::from(63 + last);
                match count {
                    0..=3 => text.extend(std::iter::repeat_n(letter, count)),
                    _ => {
                        let _ = write!(text, "!{count}{letter}");
                    }
                }
                (last, count) = (here.unwrap_or(0), 1);
            }
        }
        text.push('-');
    }
    text + "\u{1b}\\"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_what_they_say() {
        let of = |pairs: &[(&str, &str)]| {
            let find = |name: &str| {
                pairs.iter().find(|(known, _)| *known == name).map(|pair| pair.1.to_string())
            };
            Protocol::of(find)
        };
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Some(Protocol::Kitty));
        assert_eq!(of(&[("TERM", "xterm-ghostty")]), Some(Protocol::Kitty));
        assert_eq!(
            of(&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")]),
            Some(Protocol::Iterm)
        );
        assert_eq!(of(&[("TERM", "foot")]), Some(Protocol::Sixel));
        assert_eq!(of(&[("TERM", "xterm-256color")]), None);
        assert_eq!(of(&[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")]), None);
        assert_eq!(of(&[("TERM", "foot"), ("GENESIS_GRAPHICS", "none")]), None);
        assert_eq!(of(&[("TERM", "xterm"), ("GENESIS_GRAPHICS", "sixel")]), Some(Protocol::Sixel));
    }

    #[test]
    fn sixels_stand_for_six_rows() {
        let (black, white) = ([0u8; 3], [255u8; 3]);
        // Two columns and seven rows: black on the left, white on the right.
        let pixels: Vec<u8> = (0..7).flat_map(|_| [black, white]).flatten().collect();
        assert_eq!(
            sixel(2, &pixels),
            "\u{1b}Pq\"1;1;2;7#0;2;0;0;0#215;2;100;100;100#0~?$#215?~-#0@?$#215?@-\u{1b}\\"
        );
    }

    #[test]
    fn kitty_takes_pieces() {
        let text = kitty(&[7; 4000]);
        assert!(text.starts_with("\u{1b}_Ga=T,f=100,q=2,m=1;"), "{}", &text[..40]);
        assert_eq!((text.matches("m=1;").count(), text.matches("m=0;").count()), (1, 1));
    }
}
