//! `:mem watch`: the allocator, drawn anew until a key is pressed.

use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use crate::report::{Markup, counted};
use crate::session::Session;

use super::keys::Keys;
use super::screen::Screen;

/// From one picture to the next.
const PERIOD: Duration = Duration::from_millis(400);

/// Whether an input asks for the live view.
pub fn is_request(text: &str) -> bool {
    text.split_whitespace().eq([":mem", "watch"])
}

/// Draws until a key is pressed; once where there are no keys.
pub fn run(session: &Session, screen: &mut Screen) {
    let keys = Keys::new();
    loop {
        let text = screen.draw(&session.memory_report().wrapped(screen.width));
        let Some(keys) = &keys else {
            screen.write(&(text + "\n"));
            return;
        };
        // What has scrolled away can't be drawn over: only what fits is drawn, above the hint.
        let (shown, rows) = fitting(&text, screen.width, screen.height.saturating_sub(2));
        let hidden = text.lines().count() - shown.lines().count();
        let hint = Markup::new().dim(hint(hidden, screen.width));
        screen.write(&(shown + &screen.draw(&hint.into())));
        if keys.wait(PERIOD) || screen.is_closed() {
            // The last picture stays, the hint goes.
            screen.write("\r\u{1b}[K");
            return;
        }
        screen.write(&format!("\r\u{1b}[{rows}A\u{1b}[J"));
    }
}

/// What stands below the picture, in one row: of two it could not be drawn over.
fn hint(hidden: usize, width: usize) -> String {
    let more =
        if hidden > 0 { format!("{}; ", counted(hidden, "more line")) } else { String::new() };
    let whole = format!("{more}press any key to stop");
    if whole.width() < width {
        whole
    } else {
        "any key stops".chars().take(width.saturating_sub(1)).collect()
    }
}

/// The lines that fit so many rows, each ended, and the rows that they take.
fn fitting(text: &str, width: usize, height: usize) -> (String, usize) {
    let (mut shown, mut rows) = (String::new(), 0);
    for line in text.lines() {
        let taken = columns(line).div_ceil(width.max(1)).max(1);
        if rows + taken > height {
            break;
        }
        rows += taken;
        shown += line;
        shown.push('\n');
    }
    (shown, rows)
}

/// Columns that a line takes; the escape sequences of colours take none.
fn columns(line: &str) -> usize {
    let mut plain = String::new();
    let mut is_escape = false;
    for c in line.chars() {
        is_escape |= c == '\u{1b}';
        if !is_escape {
            plain.push(c);
        }
        is_escape &= c != 'm';
    }
    plain.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_drawn_than_fits() {
        let text = "one\n\u{1b}[31mtwo\u{1b}[0m\nthree and more";
        assert_eq!(columns("\u{1b}[31mtwo\u{1b}[0m"), 3);
        assert_eq!(fitting(text, 80, 24), (format!("{text}\n"), 3));
        assert_eq!(fitting(text, 80, 2).1, 2);
        // The last line takes two rows.
        assert_eq!(fitting(text, 10, 3).1, 2);
        assert_eq!(fitting(text, 10, 4).1, 4);
        assert_eq!(fitting(text, 80, 0), (String::new(), 0));
        assert_eq!(hint(3, 80), "3 more lines; press any key to stop");
        assert_eq!(hint(3, 20), "any key stops");
        assert_eq!(hint(0, 5), "any ");
    }
}
