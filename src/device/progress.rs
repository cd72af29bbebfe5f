//! How far long work is, in words, and as whoever watches is told.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::report::{Markup, bar, human_bytes, human_count, human_duration};

/// Work that is done sooner is not worth a word.
const PATIENCE: Duration = Duration::from_millis(500);

/// No more often than this.
const PERIOD: Duration = Duration::from_millis(100);

/// Cells of the bar.
const WIDTH: usize = 24;

/// What counts bytes, which people say in other words than other numbers.
pub const BYTES: &str = "bytes";

/// How far some work is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being worked on: a file's name, `:timeit`.
    pub label: String,
    pub done: u64,
    pub total: u64,
    /// What is counted: `statements`, [`BYTES`].
    pub unit: &'static str,
    pub elapsed: Duration,
    /// Whether it has ended, at the end or before: then there is nothing more to show.
    pub is_over: bool,
}

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

/// Shows progress, on whichever thread gets on with the work.
pub type Watcher = Box<dyn FnMut(&Progress) + Send>;

/// Work of a known length, and when to say how far it is: not while it is short, and not too often.
#[derive(Debug, Clone)]
pub struct Course {
    label: String,
    unit: &'static str,
    total: u64,
    begun: Instant,
    /// Whether anything was said.
    has_told: bool,
    due: Instant,
}

impl Course {
    pub fn begin(label: &str, unit: &'static str, total: u64) -> Course {
        // A file's name is enough, and a line has room for it.
        let label = label.rsplit('/').next().unwrap_or(label).to_owned();
        let begun = Instant::now();
        Course { label, unit, total, begun, has_told: false, due: begun + PATIENCE }
    }

    /// What is to be said now that so much is done, if it is time to.
    pub fn told(&mut self, done: u64) -> Option<Progress> {
        let now = Instant::now();
        if now < self.due {
            return None;
        }
        (self.has_told, self.due) = (true, now + PERIOD);
        Some(self.progress(done, false))
    }

    /// What is to be said at the end, if anything was before.
    pub fn over(&self, done: u64) -> Option<Progress> {
        self.has_told.then(|| self.progress(done, true))
    }

    fn progress(&self, done: u64, is_over: bool) -> Progress {
        Progress {
            label: self.label.clone(),
            done: done.min(self.total),
            total: self.total,
            unit: self.unit,
            elapsed: self.begun.elapsed(),
            is_over,
        }
    }
}

/// The work that is under way. Loops say how far they are where they look at the interrupt, from any thread;
/// clones share it. Work within work counts for the one around it, which knows more.
#[derive(Clone, Default)]
pub struct Watch(Arc<Shared>);

#[derive(Default)]
struct Shared {
    done: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    watcher: Option<Watcher>,
    current: Option<Course>,
    /// How many works are within each other.
    depth: usize,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// Work that has begun. It ends when this goes.
#[derive(Debug)]
pub struct Task(Watch);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Watch {
    /// Who is shown progress from now on. What was under way is so no more.
    pub fn set_watcher(&self, watcher: Option<Watcher>) {
        let mut state = self.state();
        state.depth = 0;
        self.close(&mut state);
        state.watcher = watcher;
    }

    /// Work begins that is done after so many units.
    #[must_use = "the work ends when this goes"]
    pub fn begin(&self, label: &str, unit: &'static str, total: u64) -> Task {
        self.open(label, unit, total);
        Task(self.clone())
    }

    /// As [`Watch::begin`], for work that [`Watch::end`] ends.
    pub fn open(&self, label: &str, unit: &'static str, total: u64) {
        let mut state = self.state();
        state.depth += 1;
        if state.depth > 1 || state.watcher.is_none() {
            return;
        }
        self.0.done.store(0, Ordering::Relaxed);
        state.current = Some(Course::begin(label, unit, total));
    }

    pub fn end(&self) {
        let mut state = self.state();
        state.depth = state.depth.saturating_sub(1);
        if state.depth == 0 {
            self.close(&mut state);
        }
    }

    /// So much more is done.
    pub fn add(&self, count: u64) {
        let done = self.0.done.fetch_add(count, Ordering::Relaxed) + count;
        // Whoever finds another thread here has nothing to say that it does not.
        let Ok(mut state) = self.0.state.try_lock() else { return };
        let State { watcher: Some(watcher), current: Some(current), .. } = &mut *state else {
            return;
        };
        if let Some(progress) = current.told(done) {
            watcher(&progress);
        }
    }

    fn close(&self, state: &mut State) {
        let Some(current) = state.current.take() else { return };
        let progress = current.over(self.0.done.load(Ordering::Relaxed));
        if let (Some(progress), Some(watcher)) = (progress, &mut state.watcher) {
            watcher(&progress);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched() -> (Watch, Arc<Mutex<Vec<Progress>>>) {
        let (watch, told) = (Watch::default(), Arc::<Mutex<Vec<Progress>>>::default());
        let seen = told.clone();
        watch.set_watcher(Some(Box::new(move |progress| {
            seen.lock().unwrap().push(progress.clone());
        })));
        (watch, told)
    }

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
    fn long_work_is_told_until_it_ends() {
        let (watch, told) = watched();
        let task = watch.begin("a/folder/x.npy", BYTES, 10);
        watch.add(1);
        assert!(told.lock().unwrap().is_empty(), "it is short so far");
        std::thread::sleep(PATIENCE);
        let inner = watch.begin("within", BYTES, 3);
        watch.add(2);
        watch.add(3);
        drop(inner);
        {
            let told = told.lock().unwrap();
            let [first] = &told[..] else { panic!("not too often: {told:?}") };
            assert_eq!((&first.label[..], first.done, first.total), ("x.npy", 3, 10));
            assert!(!first.is_over && first.elapsed >= PATIENCE);
        }
        drop(task);
        let told = told.lock().unwrap();
        assert_eq!(told.len(), 2);
        assert!(told[1].is_over && told[1].done == 6);
    }

    #[test]
    fn work_that_is_left_behind_ends_with_its_statement() {
        let (watch, told) = watched();
        watch.open("a", BYTES, 10);
        watch.open("b", BYTES, 10);
        std::thread::sleep(PATIENCE);
        watch.add(1);
        watch.set_watcher(None);
        assert!(told.lock().unwrap().last().unwrap().is_over);
        // Nobody watches.
        let _task = watch.begin("c", BYTES, 1);
        watch.add(1);
        assert_eq!(told.lock().unwrap().len(), 2);
    }
}
