//! The line of the terminal that shows how far some work is, drawn over itself until the next output takes it
//! away. Any thread may draw it.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::output;
use crate::session::{Interrupt, Progress};

/// Draws that indicatif lets through in a second: work says something ten times, and each is a few changes.
const DRAWS: u8 = 255;

/// The line, where one is drawn.
#[derive(Debug)]
pub struct Bar {
    color: bool,
    pub interrupt: Interrupt,
    /// Whether the last line that was written is still open: then no bar stands behind it.
    pub is_amid_line: bool,
    shown: Option<ProgressBar>,
}

impl Bar {
    pub fn new(color: bool, interrupt: Interrupt) -> Bar {
        Bar { color, interrupt, is_amid_line: false, shown: None }
    }

    /// Whether a line can be taken away again: not in a pipe.
    pub fn can_be_seen() -> bool {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        std::io::stdout().is_terminal() && !is_dumb
    }

    pub fn show(&mut self, progress: &Progress) {
        if progress.is_over || self.is_amid_line || !Bar::can_be_seen() {
            return self.erase();
        }
        let (color, interrupt) = (self.color, self.interrupt.clone());
        let bar = self.shown.get_or_insert_with(|| begin(color, interrupt));
        bar.set_length(progress.total);
        bar.set_prefix(progress.label.clone());
        bar.set_message(progress.figures());
        bar.set_position(progress.done);
        bar.tick();
    }

    /// Takes the line away.
    pub fn erase(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

fn begin(color: bool, interrupt: Interrupt) -> ProgressBar {
    let template = match color {
        true => "{prefix:.dim} {bar:24.green} {msg:.dim}",
        false => "{prefix} {bar:24} {msg}",
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(Out(interrupt)), DRAWS);
    // Nothing is drawn before all of it is known.
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    bar.set_style(style.progress_chars("█▉▊▋▌▍▎▏ "));
    bar.set_draw_target(target);
    bar
}

/// Standard output, which Ctrl-C interrupts.
#[derive(Debug)]
struct Out(Interrupt);

impl TermLike for Out {
    fn width(&self) -> u16 {
        u16::try_from(super::viewer::size().0).unwrap_or(u16::MAX)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.turn(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.turn(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.turn(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.turn(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        output::write(text.as_bytes(), &self.0)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\u{1b}[K")
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Out {
    fn turn(&self, n: usize, to: char) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.write_str(&format!("\u{1b}[{n}{to}")) }
    }
}
