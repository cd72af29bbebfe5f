//! How far work is that takes long, in words, and that of statements.

use std::time::Duration;

use super::Sink;
use crate::device::{BYTES, Course};
use crate::report::{Markup, bar, human_bytes, human_count, human_duration};

pub use crate::device::{Progress, Watcher};

/// Cells of the bar.
const WIDTH: usize = 24;

impl Progress {
    /// `program.py ████▌    12 of 80 statements · 10/s · 6.80 s left`
    pub fn to_markup(&self) -> Markup {
        let bar = bar(self.done, self.total, WIDTH);
        Markup::new().dim(format!("{} ", self.label)).good(bar).dim(format!(" {}", self.figures()))
    }

    /// `1.2 GiB of 10.0 GiB · 1.1 GiB/s · 8.02 s left`
    pub fn figures(&self) -> String {
        let Progress { done, total, unit, elapsed, .. } = self;
        let is_bytes = *unit == BYTES;
        let said = |count: u64| if is_bytes { human_bytes(count) } else { human_count(count) };
        let behind = if is_bytes { String::new() } else { format!(" {unit}") };
        if done >= total {
            return format!("{}{behind} · {}", said(*total), human_duration(*elapsed));
        }
        let mut text = format!("{} of {}{behind}", said(*done), said(*total));
        let seconds = elapsed.as_secs_f64();
        if *done == 0 || seconds == 0.0 {
            return format!("{text} · {}", human_duration(*elapsed));
        }
        let rate = *done as f64 / seconds;
        text += &match is_bytes || rate >= 10.0 {
            true => format!(" · {}/s", said(rate as u64)),
            false => format!(" · {rate:.2}/s"),
        };
        let left = (*total - *done) as f64 / rate;
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        text + &format!(" · {} left", human_duration(left))
    }
}

/// Tells a sink of statements and runs.
#[derive(Debug)]
pub(super) struct Ticker {
    course: Course,
    done: u64,
}

impl Ticker {
    pub fn new(label: &str, unit: &'static str, total: usize) -> Ticker {
        Ticker { course: Course::begin(label, unit, total as u64), done: 0 }
    }

    /// So much is done.
    pub fn tick(&mut self, done: usize, sink: &mut dyn Sink) {
        self.done = done as u64;
        if let Some(progress) = self.course.told(self.done) {
            sink.progress(&progress);
        }
    }

    /// Nothing more will be done.
    pub fn end(self, sink: &mut dyn Sink) {
        if let Some(progress) = self.course.over(self.done) {
            sink.progress(&progress);
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
        let figures = "1,200 of 2,400 statements · 600/s · 2.00 s left";
        assert_eq!(text, format!("a.py {}{} {figures}", "█".repeat(12), " ".repeat(12)));
        progress.done = 2400;
        let text = progress.to_markup().to_plain();
        assert_eq!(text, format!("a.py {} 2,400 statements · 2.00 s", "█".repeat(24)));
        (progress.unit, progress.done, progress.total) = (BYTES, 1 << 30, 10 << 30);
        assert_eq!(progress.figures(), "1.0 GiB of 10.0 GiB · 512.0 MiB/s · 18.0 s left");
        progress.done = 0;
        assert_eq!(progress.figures(), "0 B of 10.0 GiB · 2.00 s");
        (progress.unit, progress.done, progress.total) = ("series", 1, 5);
        assert_eq!(progress.figures(), "1 of 5 series · 0.50/s · 8.00 s left");
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
