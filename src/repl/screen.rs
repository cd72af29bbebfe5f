//! Where everything that a user sees goes: standard output, with colours or without.

use std::io::{ErrorKind, IsTerminal, Write};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::diag::{Diagnostic, Fault, Source};
use crate::report::view::{Data, View};
use crate::report::{Markup, Report, Style, excerpt};
use crate::session::{Interrupt, Progress, Sink, Watcher};

use super::bar::Bar;
use super::graphics::Protocol;
use super::second::Warden;
use super::{ansi, ask, output, table, viewer};

/// Standard output. Once its reader has gone, what is written goes nowhere.
#[derive(Debug)]
pub struct Screen {
    pub color: bool,
    /// Columns and rows.
    pub width: usize,
    pub height: usize,
    /// Whether words move to the next line where a line is full: for people.
    wraps: bool,
    is_closed: bool,
    /// Why a write failed, unless it was only that the reader has gone.
    failure: Option<std::io::Error>,
    /// The line that shows how far some work is, which any thread draws.
    bar: Arc<Mutex<Bar>>,
    /// Where notices go that are no part of a program's output: none for here.
    aside: Option<Aside>,
    /// How it shows pictures, where it does.
    graphics: Option<Protocol>,
    /// What Ctrl-C raises.
    pub interrupt: Interrupt,
    /// What sees to the second screen, from the first time on.
    pub warden: Option<Warden>,
    /// How long views were looked at: that is no time that a statement took.
    viewed: Duration,
}

/// Standard error, and whether it has colours.
#[derive(Debug, Clone, Copy)]
struct Aside {
    color: bool,
}

impl Screen {
    pub fn new(color: bool, width: usize) -> Screen {
        let interrupt = Interrupt::default();
        let (is_closed, bar) = (false, Arc::new(Mutex::new(Bar::new(color, interrupt.clone()))));
        let (height, wraps) = (24, true);
        let (failure, aside, graphics, warden) = (None, None, None, None);
        Screen {
            color,
            width,
            height,
            wraps,
            is_closed,
            failure,
            bar,
            aside,
            graphics,
            interrupt,
            warden,
            viewed: Duration::ZERO,
        }
    }

    /// The same, of a session with that interrupt.
    pub fn heeding(self, interrupt: Interrupt) -> Screen {
        self.bar().interrupt = interrupt.clone();
        Screen { interrupt, ..self }
    }

    /// The same, of a terminal that may show pictures.
    pub fn of_terminal(self) -> Screen {
        let is_one = self.color && std::io::stdout().is_terminal();
        let graphics = Protocol::of(|name| std::env::var(name).ok()).filter(|_| is_one);
        Screen { graphics, ..self }
    }

    /// A screen whose notices go to standard error: programs read what is written here.
    pub fn for_program(color: bool, error_color: bool) -> Screen {
        let aside = Some(Aside { color: error_color });
        Screen { aside, wraps: false, ..Screen::new(color, 80) }
    }

    /// How long views were looked at since this was last asked.
    pub fn take_viewed(&mut self) -> Duration {
        std::mem::take(&mut self.viewed)
    }

    /// Whether a write failed: nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Why output was lost: a full disk, say. A reader who has gone, such as `head`, is no loss.
    pub fn failure(&self) -> Option<&std::io::Error> {
        self.failure.as_ref()
    }

    pub fn write(&mut self, text: &str) {
        if self.is_closed || text.is_empty() {
            return;
        }
        {
            let mut bar = self.bar();
            bar.erase();
            bar.is_amid_line = !text.ends_with('\n');
        }
        self.put(text);
    }

    fn bar(&self) -> MutexGuard<'_, Bar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&mut self, text: &str) {
        if let Err(error) = output::write(text.as_bytes(), &self.interrupt) {
            self.is_closed = true;
            self.failure = Some(error).filter(|error| error.kind() != ErrorKind::BrokenPipe);
        }
    }

    /// Ends a line that a `print` left open.
    pub fn end_line(&mut self) {
        let is_amid_line = self.bar().is_amid_line;
        if is_amid_line {
            self.write("\n");
        }
    }

    /// Takes away the `^C` that a terminal echoes, or goes to the next line where that can't be.
    pub fn hide_echo(&mut self) {
        let is_amid_line = self.bar().is_amid_line;
        let erase = if self.color && !is_amid_line { "\r\u{1b}[K" } else { "\n" };
        self.write(erase);
        self.bar().is_amid_line = false;
    }

    pub fn line(&mut self, markup: &Markup) {
        let text = ansi::render(markup, self.color);
        self.write(&(text + "\n"));
    }

    /// A report under a name such as `Out[3]: `. What has several lines begins on one of its own,
    /// unless its first line is a header already.
    pub fn named(&mut self, name: &Markup, report: &Report) {
        let text = self.draw(report);
        let gap = match report {
            Report::Array(_) => "",
            // A picture may be a single sequence for the terminal.
            Report::Figure(_) => "\n",
            _ if text.contains('\n') => "\n",
            _ => "",
        };
        let name = ansi::render(name, self.color);
        self.write(&format!("{name}{gap}{text}\n"));
    }

    /// A message and its place.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &[Rc<Source>]) {
        let excerpt = excerpt(diagnostic, sources);
        // Carets stand under the text that they are about, so that its lines stay as they are.
        let is_source = |line: &Markup| {
            let text = line.to_plain();
            text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" |")
                || text.trim_start().starts_with('|')
        };
        let lines = excerpt.lines().into_iter().map(|line| match is_source(&line) {
            true => line,
            false => line.wrapped(self.width),
        });
        lines.collect::<Vec<_>>().iter().for_each(|line| self.line(line));
    }

    /// The text of a report, without a line break at its end.
    pub fn draw(&self, report: &Report) -> String {
        let text = match report {
            Report::Text(markup) => ansi::render(markup, self.color),
            Report::Table(rows) => table::draw(rows, self.color),
            Report::Array(array) => {
                // Beside a name such as `Out[12]: `.
                let columns = self.width.saturating_sub(9);
                let header = array.header_within(columns).wrapped(columns);
                let header = ansi::render(&header, self.color);
                format!("{header}\n{}", array.text)
            }
            Report::Map(map) => {
                // What stands before the cells: a label, a size and the frame.
                let cells = self.width.saturating_sub(36).clamp(16, 120);
                ansi::render(&map.to_markup(cells), self.color)
            }
            Report::Gauge(gauge) => ansi::render(&gauge.to_markup(), self.color),
            Report::Chart(chart) => ansi::render(&chart.to_markup(self.width), self.color),
            Report::Figure(figure) => match self.graphics {
                Some(protocol) => protocol.draw(figure, self.width),
                None => ansi::render(&figure.to_markup(self.width), self.color),
            },
            Report::Page(page) => ansi::render(&page.to_markup(), self.color),
            Report::Group(group) => group.text.clone(),
            Report::Rich(rich) => rich.text.clone(),
            Report::Slides(slides) => ansi::render(&slides.text, self.color),
            Report::Stack(reports) => {
                reports.iter().map(|report| self.draw(report)).collect::<Vec<_>>().join("\n")
            }
        };
        text.trim_end_matches('\n').to_string()
    }
}

impl Sink for Screen {
    fn text(&mut self, text: &str) {
        self.write(text);
    }

    fn report(&mut self, report: &Report) {
        let text = match self.wraps {
            true => self.draw(&report.wrapped(self.width)),
            false => self.draw(report),
        };
        self.write(&(text + "\n"));
    }

    fn input(&mut self, prompt: &str) -> Result<String, Fault> {
        self.write(prompt);
        let line = ask::line(&self.interrupt);
        // Where a terminal echoes what is typed, its line break ended the line.
        self.bar().is_amid_line &= line.is_err() || !std::io::stdin().is_terminal();
        line
    }

    fn keys(&self) -> &'static [(&'static str, &'static str)] {
        if self.wraps { super::terminal::KEYS } else { &[] }
    }

    fn view(&mut self, view: &mut View, data: &mut dyn Data) -> bool {
        let begun = Instant::now();
        let is_shown = self.wraps && viewer::run(view, data, self);
        self.viewed += begun.elapsed();
        is_shown
    }

    fn clear(&mut self, _wait: bool) {
        if std::io::stdout().is_terminal() {
            self.write("\u{1b}[H\u{1b}[2J");
            self.bar().is_amid_line = false;
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.bar().show(progress);
    }

    fn watcher(&self) -> Option<Watcher> {
        let bar = self.bar.clone();
        Bar::can_be_seen().then(|| -> Watcher {
            Box::new(move |progress| {
                bar.lock().unwrap_or_else(PoisonError::into_inner).show(progress);
            })
        })
    }

    fn notice(&mut self, notice: &Markup) {
        self.bar().erase();
        match self.aside {
            Some(Aside { color }) => complain(notice, color),
            None => self.line(&notice.wrapped(self.width)),
        }
    }
}

/// Writes to standard error: `warning: …`.
pub fn warn(message: &str, color: bool) {
    let markup = Markup::of(Style::Warn, "warning").plain(format!(": {message}"));
    complain(&markup, color);
}

/// Writes a line to standard error.
pub fn complain(markup: &Markup, color: bool) {
    let text = ansi::render(markup, color) + "\n";
    // Nothing is left to tell a user whose standard error is closed.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
