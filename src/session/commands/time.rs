//! `:time` and `:timeit`.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::Call;
use crate::diag::{At, Diagnostic, ErrorKind, Fault, SourceResult, Span};
use crate::interp::{Again, Value};
use crate::memory::AllocatorStats;
use crate::report::{Markup, counted, human_bytes, human_count, human_duration, human_seconds};
use crate::session::Session;
use crate::session::log::bound_names;
use crate::session::progress::Ticker;
use crate::syntax::ast::Stmt;

/// How often a series is repeated unless the user says.
const REPEATS: usize = 5;

/// A series is to last at least this long.
const SERIES: Duration = Duration::from_millis(100);

/// A series that lasted so long is not asked whether it lasts so long each time.
const SURELY: Duration = Duration::from_secs(1);

/// Series that take longer than this together, in seconds, say how far they are.
const LONG: f64 = 2.0;

pub fn time(call: &mut Call<'_>) -> SourceResult<()> {
    let mut statements = Vec::new();
    if call.body.is_none() || call.args.start < call.args.end {
        statements = call.statements(call.args.start as usize)?;
    }
    if let Some(body) = call.body {
        statements.extend(call.statements_in(body)?);
    }
    call.settle()?;
    let number = call.session.next_number().saturating_sub(1);
    let allocator = call.session.engine().device().allocator().clone();
    let before = allocator.stats();
    allocator.reset_peaks();
    let begun = Instant::now();
    let mut result = Ok(None);
    for statement in &statements {
        result = call.session.statement(statement, call.source, number, call.sink);
        if result.is_err() {
            break;
        }
    }
    let finished = finish(call.session, call.args);
    let elapsed = begun.elapsed();
    let after = allocator.stats();
    allocator.raise_peaks(before.peak);
    finished?;
    if let Some(value) = result?.filter(|value| !matches!(value, Value::None)) {
        let report = call.session.try_display(&value).at(call.args)?;
        call.show(report);
    }
    let mut markup = Markup::new().dim("wall ").number(human_duration(elapsed));
    markup.append(memory(&before, &after, 1));
    call.show(markup);
    Ok(())
}

/// Waits for the work that a device does behind our back.
fn finish(session: &Session, place: Span) -> SourceResult<()> {
    let done = session.engine().device().backend().synchronize();
    done.map_err(Fault::from).at(place)
}

pub fn timeit(call: &mut Call<'_>) -> SourceResult<()> {
    let (mut runs, mut repeats) = (None, REPEATS);
    let mut start = call.args.start as usize;
    let words = call.words();
    let mut left = words.iter();
    while let Some(word) = left.next() {
        // `-n 10` and `-n10`; a word like `-x` begins a statement.
        let Some(flag) = word.text.get(..2).filter(|flag| matches!(*flag, "-n" | "-r")) else {
            break;
        };
        let value = match &word.text[2..] {
            "" => left.next().copied().ok_or_else(|| {
                call.misuse(word.span, format!("expected a number after `{flag}`"))
            })?,
            text if text.starts_with(|c: char| c.is_ascii_digit()) => {
                let mut value = *word;
                value.text = text;
                value.span.start += 2;
                value
            }
            _ => break,
        };
        let number = call.count(value, 1)?;
        if flag == "-n" {
            runs = Some(number)
        } else {
            repeats = number
        }
        start = value.span.end as usize;
    }
    // Above the lines of `%%timeit` may stand what sets the stage.
    let is_bare = call.source.slice(Span { start: start as u32, ..call.args }).trim().is_empty();
    let (setup, statements) = match call.body {
        None => (Vec::new(), call.statements(start)?),
        Some(body) if is_bare => (Vec::new(), call.statements_in(body)?),
        Some(body) => (call.statements(start)?, call.statements_in(body)?),
    };
    let names: Vec<Rc<str>> = setup.iter().chain(&statements).flat_map(bound_names).collect();
    let kept: Vec<(Rc<str>, Option<Value>)> =
        names.iter().map(|name| (name.clone(), call.session.interp.get(name))).collect();
    let position = call.session.engine().random_position();
    call.settle()?;
    // Timing each launch would slow them all.
    let profiling = call.session.engine().profiling();
    call.session.engine().set_profiling(false);
    let measured = measure(call, &setup, &statements, runs, repeats);
    call.session.engine().set_profiling(profiling);
    for (name, value) in kept {
        match value {
            Some(value) => _ = call.session.interp.set(name, value),
            None => _ = call.session.interp.remove(&name),
        }
    }
    call.session.engine().set_random_position(position);
    let report = measured?.to_markup();
    call.show(report);
    Ok(())
}

/// What came out of the runs.
struct Measured {
    /// Seconds of one run, for each series.
    seconds: Vec<f64>,
    runs: usize,
    before: AllocatorStats,
    after: AllocatorStats,
    /// Runs between `before` and `after`.
    counted: usize,
}

fn measure(
    call: &mut Call<'_>,
    setup: &[Stmt],
    statements: &[Stmt],
    runs: Option<usize>,
    repeats: usize,
) -> SourceResult<Measured> {
    call.session.begin_statement(call.source.slice(call.args), call.args, false);
    let session = &*call.session;
    let interrupt = session.interrupt();
    let allocator = session.engine().device().allocator().clone();
    let (quiet, place) = (session.quiet(), call.args);
    let series = |count: usize| -> SourceResult<Duration> {
        for statement in setup {
            quiet.statement(statement)?;
        }
        let mut codes = vec![Again::default(); statements.len()];
        let begun = Instant::now();
        for _ in 0..count {
            for (statement, code) in statements.iter().zip(&mut codes) {
                quiet.statement_again(statement, code)?;
            }
            if interrupt.is_raised() {
                let message = "interrupted";
                let kind = ErrorKind::KeyboardInterrupt;
                return Err(Box::new(Diagnostic::new(kind, place, message)));
            }
        }
        // The work counts, not how soon it was handed to the device.
        finish(session, place)?;
        Ok(begun.elapsed())
    };
    // The first run plans what later ones find planned, and fills the caches.
    series(1)?;
    let runs = match runs {
        Some(runs) => runs,
        None => fitting_count(&series)?,
    };
    let before = allocator.stats();
    allocator.reset_peaks();
    let mut seconds = Vec::new();
    let mut ticker = Ticker::new(":timeit", "series", repeats);
    let (mut failed, mut is_long) = (None, false);
    while seconds.len() < repeats && failed.is_none() {
        match series(runs) {
            Ok(elapsed) => {
                is_long |= elapsed.as_secs_f64() * repeats as f64 >= LONG;
                seconds.push(elapsed.as_secs_f64() / runs as f64);
            }
            Err(error) => failed = Some(error),
        }
        if is_long {
            ticker.tick(seconds.len(), call.sink);
        }
    }
    ticker.end(call.sink);
    if let Some(error) = failed {
        allocator.raise_peaks(before.peak);
        return Err(error);
    }
    let after = allocator.stats();
    allocator.raise_peaks(before.peak);
    Ok(Measured { seconds, runs, before, after, counted: runs.saturating_mul(repeats) })
}

/// How many runs fill a series.
fn fitting_count(series: &dyn Fn(usize) -> SourceResult<Duration>) -> SourceResult<usize> {
    let mut count = 1;
    loop {
        let mut elapsed = series(count)?;
        if elapsed >= SERIES {
            if elapsed >= SURELY {
                return Ok(count);
            }
            // What comes once, as compiling another way to run a kernel does, may have filled it.
            elapsed = series(count)?;
            if 2 * elapsed >= SERIES {
                return Ok(count);
            }
        }
        // Half again as much as should be needed, but never a leap on the word of a short series.
        let ratio = SERIES.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
        count = (count as f64 * (ratio * 1.5).clamp(1.5, 100.0)).ceil() as usize;
    }
}

impl Measured {
    fn to_markup(&self) -> Markup {
        let best = self.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let worst = self.seconds.iter().copied().fold(0.0, f64::max);
        let mean = self.seconds.iter().sum::<f64>() / self.seconds.len().max(1) as f64;
        let series = self.seconds.len();
        let mut markup = Markup::new().number(human_seconds(best)).dim(format!(
            " a run, the best of {series} series of {}",
            human_count(self.runs as u64)
        ));
        if series > 1 {
            markup = markup.dim(format!(
                " (mean {}, worst {})",
                human_seconds(mean),
                human_seconds(worst)
            ));
        }
        markup.append(memory(&self.before, &self.after, self.counted));
        markup
    }
}

/// What was allocated from `before` to `after` in each of `runs`, and how high it rose. The peaks
/// of `after` began at `before`.
fn memory(before: &AllocatorStats, after: &AllocatorStats, runs: usize) -> Markup {
    let runs = runs.max(1) as u64;
    let bytes = (after.bytes_allocated - before.bytes_allocated) / runs;
    let blocks = (after.allocations - before.allocations) / runs;
    let rise = after.peak.allocated.saturating_sub(before.now.allocated);
    if blocks == 0 {
        return Markup::new().dim(" · nothing allocated");
    }
    let blocks = counted(blocks, "block");
    Markup::new()
        .dim(" · allocated ")
        .number(human_bytes(bytes))
        .dim(format!(" in {blocks} · peak "))
        .number(format!("+{}", human_bytes(rise as u64)))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The count for runs of so many microseconds, of which each number in `slow` takes so many more once.
    fn count_for(micros: u64, slow: &[(usize, u64)]) -> usize {
        let done = Cell::new(0);
        let series = |count: usize| {
            let runs = done.get()..done.get() + count;
            done.set(runs.end);
            let once = slow.iter().filter(|(at, _)| runs.contains(at)).map(|(_, more)| more);
            Ok(Duration::from_micros(count as u64 * micros + once.sum::<u64>()))
        };
        fitting_count(&series).unwrap()
    }

    #[test]
    fn a_series_is_filled_by_runs_and_not_by_what_comes_once() {
        let plain = count_for(10, &[]);
        assert!((5_000..40_000).contains(&plain), "{plain}");
        for slow in [vec![(0, 150_000)], vec![(0, 80_000), (1, 120_000), (2, 120_000)]] {
            let count = count_for(10, &slow);
            assert!((5_000..40_000).contains(&count), "{count} with {slow:?}");
        }
        assert_eq!(count_for(100_000, &[]), 1);
        assert_eq!(count_for(60_000_000, &[]), 1);
    }
}
