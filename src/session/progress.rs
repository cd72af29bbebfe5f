//! How far work is that takes long.

use std::time::{Duration, Instant};

use super::Sink;
use crate::report::{Markup, bar, human_count, human_duration};

/// Work that is done sooner is not worth a word.
const PATIENCE: Duration = Duration::from_millis(500);

/// No more often than this.
const PERIOD: Duration = Duration::from_millis(100);

/// Cells of the bar.
const WIDTH: usize = 24;

/// How far some work is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being worked on: a file's name, `:timeit`.
    pub label: String,
    pub done: u64,
    pub total: u64,
    /// What is counted: `statements`.
    pub unit: &'static str,
    pub elapsed: Duration,
    /// Whether it has ended, at the end or before: then there is nothing more to show.
    pub is_over: bool,
}

impl Progress {
    /// `program.py ████▌    12 of 80 statements · 1.20 s`
    pub fn to_markup(&self) -> Markup {
        let Progress { label, done, total, unit, elapsed, .. } = self;
        let count = match done == total {
            true => format!("{} {unit}", human_count(*total)),
            false => format!("{} of {} {unit}", human_count(*done), human_count(*total)),
        };
        let figures = format!(" {count} · {}", human_duration(*elapsed));
        Markup::new().dim(format!("{label} ")).good(bar(*done, *total, WIDTH)).dim(figures)
    }
}

/// Tells a sink of work: nothing while it is short, and not too often.
#[derive(Debug)]
pub(super) struct Ticker {
    label: String,
    unit: &'static str,
    total: u64,
    begun: Instant,
    /// What was told last, and when.
    told: Option<Instant>,
    done: u64,
}

impl Ticker {
    pub fn new(label: &str, unit: &'static str, total: usize) -> Ticker {
        let (label, total) = (label.to_string(), total as u64);
        Ticker { label, unit, total, begun: Instant::now(), told: None, done: 0 }
    }

    /// So much is done.
    pub fn tick(&mut self, done: usize, sink: &mut dyn Sink) {
        self.done = done as u64;
        let now = Instant::now();
        let is_due = match self.told {
            None => now - self.begun >= PATIENCE,
            Some(told) => now - told >= PERIOD,
        };
        if is_due {
            self.told = Some(now);
            sink.progress(&self.progress(false));
        }
    }

    /// Nothing more will be done.
    pub fn end(self, sink: &mut dyn Sink) {
        if self.told.is_some() {
            sink.progress(&self.progress(true));
        }
    }

    fn progress(&self, is_over: bool) -> Progress {
        Progress {
            label: self.label.clone(),
            done: self.done,
            total: self.total,
            unit: self.unit,
            elapsed: self.begun.elapsed(),
            is_over,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_line_of_text() {
        let mut progress = Progress {
            label: "a.py".to_string(),
            done: 1200,
            total: 2400,
            unit: "statements",
            elapsed: Duration::from_secs(2),
            is_over: false,
        };
        let text = progress.to_markup().to_plain();
        assert_eq!(
            text,
            format!("a.py {}{} 1,200 of 2,400 statements · 2.00 s", "█".repeat(12), " ".repeat(12))
        );
        progress.done = 2400;
        let text = progress.to_markup().to_plain();
        assert_eq!(text, format!("a.py {} 2,400 statements · 2.00 s", "█".repeat(24)));
    }

    #[test]
    fn short_work_says_nothing() {
        struct Never;
        impl Sink for Never {
            fn text(&mut self, _: &str) {}
            fn report(&mut self, _: &crate::report::Report) {}
            fn progress(&mut self, progress: &Progress) {
                panic!("{progress:?}");
            }
        }
        let mut ticker = Ticker::new("a", "steps", 3);
        ticker.tick(1, &mut Never);
        ticker.end(&mut Never);
    }
}
