//! `:mem watch`: the allocator, drawn anew until a key is pressed.

use std::time::Duration;

use crate::report::Markup;
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
        let mut text = screen.draw(&session.memory_report());
        text.push('\n');
        let Some(keys) = &keys else {
            screen.write(&text);
            return;
        };
        let hint = screen.draw(&Markup::new().dim("press any key to stop").into());
        screen.write(&(text.clone() + &hint));
        if keys.wait(PERIOD) || screen.is_closed() {
            // The last picture stays, the hint goes.
            screen.write("\r\u{1b}[K");
            return;
        }
        let lines = text.matches('\n').count();
        screen.write(&format!("\r\u{1b}[{lines}A\u{1b}[J"));
    }
}
