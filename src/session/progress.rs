//! How far statements and runs are that take long.

use super::Sink;
use crate::device::Course;

pub use crate::device::{Progress, Watcher};

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
