//! The line of the terminal that shows how far some work is, drawn over itself until the next output takes it
//! away. Any thread may draw it.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};

use super::output;
use crate::session::{Interrupt, Progress};

/// Cells of the bar, where the window is wide.
const WIDTH: usize = 24;
/// Columns of `^C`, and one that keeps the cursor on the line.
const ECHO: usize = 3;
/// Draws that indicatif lets through in a second: far more than there are.
const DRAWS: u8 = 255;

/// The line, where one is drawn.
#[derive(Debug)]
pub struct Bar {
    color: bool,
    pub interrupt: Interrupt,
    /// Whether the last line that was written is still open: then no bar stands behind it.
    pub is_amid_line: bool,
    shown: Option<ProgressBar>,
    /// What stands on both sides of the bar.
    words: Arc<Mutex<(String, String)>>,
}

impl Bar {
    pub fn new(color: bool, interrupt: Interrupt) -> Bar {
        Bar { color, interrupt, is_amid_line: false, shown: None, words: Arc::default() }
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
        // A line that wraps could not be taken away whole.
        let width = width();
        let cells = WIDTH.min(width / 5);
        let room = width.saturating_sub(cells + 3);
        let label = cut(&progress.label, room / 2);
        let figures = cut(&progress.figures(), room.saturating_sub(label.chars().count()));
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = (label, figures);
        let (color, interrupt, words) = (self.color, self.interrupt.clone(), self.words.clone());
        let bar = self.shown.get_or_insert_with(|| begin((color, cells), interrupt, words));
        if bar.length() != Some(progress.total) {
            bar.set_length(progress.total);
        }
        bar.set_position(progress.done);
    }

    /// Takes the line away.
    pub fn erase(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

/// Columns of the line, which indicatif fills with blanks: behind it, the `^C` that a terminal echoes has room, or the
/// line would not be the one that is taken away.
fn width() -> usize {
    super::viewer::size().0.saturating_sub(ECHO).max(1)
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn begin(
    (color, cells): (bool, usize),
    interrupt: Interrupt,
    words: Arc<Mutex<(String, String)>>,
) -> ProgressBar {
    let template = match color {
        true => format!("{{label:.dim}} {{bar:{cells}.green}} {{figures:.dim}}"),
        false => format!("{{label}} {{bar:{cells}}} {{figures}}"),
    };
    let style = ProgressStyle::with_template(&template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let label = words.clone();
    let style = style
        .progress_chars("█▉▊▋▌▍▎▏ ")
        .with_key("label", move |_: &ProgressState, to: &mut dyn Write| {
            // Nobody is told of a line that can't be drawn.
            let _ = to.write_str(&label.lock().unwrap_or_else(PoisonError::into_inner).0);
        })
        .with_key("figures", move |_: &ProgressState, to: &mut dyn Write| {
            let _ = to.write_str(&words.lock().unwrap_or_else(PoisonError::into_inner).1);
        });
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(Out(interrupt)), DRAWS);
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    bar.set_style(style);
    bar.set_draw_target(target);
    bar
}

/// Standard output, which Ctrl-C interrupts.
#[derive(Debug)]
struct Out(Interrupt);

impl TermLike for Out {
    fn width(&self) -> u16 {
        u16::try_from(width()).unwrap_or(u16::MAX)
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
