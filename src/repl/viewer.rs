//! `:view` in a terminal: keys go to the view, and what it looks like goes to the second screen.

use std::time::{Duration, Instant};

use crate::report::view::{Data, Key, View, Wish};
use crate::report::{Markup, bar, human_count, human_duration};
use crate::session::Interrupt;

use super::ansi;
use super::keys::Heard;
use super::screen::Screen;
use super::second::{Second, Warden, write};
use super::typed::Typed;

/// How often the window's size is looked at.
const PERIOD: Duration = Duration::from_millis(100);

/// Work says no more often how far it is.
const PATIENCE: Duration = Duration::from_millis(200);

/// Cells of its bar, and the columns of a screen that has one.
const BAR: usize = 20;
const WIDE: usize = 60;

/// Lets the user walk through a tensor until they leave; false where there is no terminal for that.
pub fn run(view: &mut View, data: &mut dyn Data, screen: &mut Screen) -> bool {
    if std::env::var_os("TERM").is_none_or(|term| term == "dumb") {
        return false;
    }
    let interrupt = screen.interrupt.clone();
    if screen.warden.is_none() {
        screen.warden = Warden::new(interrupt.flag()).ok();
    }
    let Some(warden) = &screen.warden else { return false };
    let Some(mut second) = Second::enter(warden) else { return false };
    let mut picture = Picture { color: screen.color, size: size(), drawn: Vec::new() };
    let mut typed = Typed::default();
    loop {
        let (width, height) = picture.size;
        view.resize(width, height);
        view.refresh(data);
        interrupt.clear();
        if picture.draw(view.lines()).is_err() {
            break;
        }
        let Some(keys) = wait(&mut second, &mut picture, &mut typed, &interrupt) else { break };
        let mut is_over = false;
        for key in keys {
            if key == Key::Control('z') {
                is_over = !second.suspend();
                picture.drawn.clear();
                continue;
            }
            match view.press(key) {
                Wish::Leave => is_over = true,
                Wish::Redraw => picture.drawn.clear(),
                Wish::Nothing => continue,
                wish => {
                    view.tell(Markup::new().dim("working… Ctrl-C stops"));
                    let _ = picture.draw(view.lines());
                    view.fulfil(wish, data, &mut picture.progress());
                    // What the work has said of itself is drawn over.
                    picture.drawn.last_mut().into_iter().for_each(|last| *last = "\0".into());
                    interrupt.clear();
                }
            }
            if is_over {
                break;
            }
        }
        if is_over {
            break;
        }
    }
    interrupt.clear();
    true
}

/// The next keys; none of them where only the window has changed. `None` where no key will ever come.
fn wait(
    second: &mut Second<'_>,
    picture: &mut Picture,
    typed: &mut Typed,
    interrupt: &Interrupt,
) -> Option<Vec<Key>> {
    loop {
        second.heed_end();
        let heard = second.keys()?.read(PERIOD);
        if interrupt.is_raised() {
            interrupt.clear();
            second.heed_end();
            return Some(vec![Key::Control('c')]);
        }
        match heard {
            Heard::End => return None,
            Heard::Bytes(bytes) => match typed.take(&bytes) {
                keys if keys.is_empty() => {}
                keys => return Some(keys),
            },
            Heard::Nothing => {
                if let Some(key) = typed.rest() {
                    return Some(vec![key]);
                }
            }
        }
        let size = size();
        if size != picture.size {
            *picture = Picture { size, drawn: Vec::new(), ..*picture };
            return Some(Vec::new());
        }
    }
}

/// `working ███▌     34 % · 120,000,000 a second · 12 s left · Ctrl-C stops`, as much of it as there is room for.
fn progress(done: usize, total: usize, elapsed: Duration, width: usize) -> Markup {
    let share = done as f64 / total as f64;
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    let left = elapsed.mul_f64((1.0 - share) / share.max(1e-9));
    let mut line = Markup::new().dim("working ");
    if width >= WIDE {
        line = line.good(bar(done as u64, total as u64, BAR));
    }
    let parts = [
        format!(" {:.0} %", 100.0 * share),
        format!(" · {} left", human_duration(left)),
        " · Ctrl-C stops".to_string(),
        format!(" · {} elements a second", human_count(rate as u64)),
    ];
    for part in parts {
        if line.width() + part.chars().count() < width {
            line = line.dim(part);
        }
    }
    line
}

/// What is on the screen.
struct Picture {
    color: bool,
    /// Columns and rows.
    size: (usize, usize),
    drawn: Vec<String>,
}

impl Picture {
    /// Draws how far work is in the last line: now and then, and nothing of short work.
    fn progress(&self) -> impl FnMut(usize, usize) + use<> {
        let (mut begun, mut told, mut before) = (Instant::now(), Instant::now(), 0);
        let (color, (width, height)) = (self.color, self.size);
        move |done, total| {
            // Another round of the work begins.
            if done < before {
                begun = Instant::now();
            }
            before = done;
            if told.elapsed() < PATIENCE || done >= total {
                return;
            }
            told = Instant::now();
            let line = ansi::render(&progress(done, total, begun.elapsed(), width), color);
            // A terminal that has gone is found out by the next picture.
            let _ = write(&format!("\u{1b}[{height};1H\u{1b}[2K{line}"));
        }
    }

    /// Draws the lines that differ from those that are there.
    fn draw(&mut self, lines: Vec<Markup>) -> std::io::Result<()> {
        let lines: Vec<String> = lines.iter().map(|line| ansi::render(line, self.color)).collect();
        let mut text = String::new();
        if self.drawn.len() != lines.len() {
            text += "\u{1b}[H\u{1b}[2J";
            self.drawn = vec![String::new(); lines.len()];
        }
        for (at, (line, drawn)) in lines.iter().zip(&self.drawn).enumerate() {
            if line != drawn {
                text += &format!("\u{1b}[{};1H\u{1b}[2K{line}", at + 1);
            }
        }
        self.drawn = lines;
        if text.is_empty() { Ok(()) } else { write(&text) }
    }
}

/// Columns and rows of the window.
#[cfg(unix)]
pub fn size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(std::io::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
            (usize::from(size.ws_col), usize::from(size.ws_row))
        }
        _ => (80, 24),
    }
}

#[cfg(not(unix))]
pub fn size() -> (usize, usize) {
    (80, 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_says_how_far_it_is() {
        let line = |width| progress(25, 100, Duration::from_secs(2), width).to_plain();
        let bar = format!("{}{}", "█".repeat(5), " ".repeat(15));
        let whole =
            format!("working {bar} 25 % · 6.00 s left · Ctrl-C stops · 12 elements a second");
        assert_eq!(line(90), whole);
        assert_eq!(line(45), "working  25 % · 6.00 s left · Ctrl-C stops");
        assert_eq!(line(12), "working ");
    }
}
