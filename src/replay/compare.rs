//! A trace under several policies side by side, and what would have saved the run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::pins::{Free, Pinned, free, held_by, pinned};
use super::play::{Run, layout_at, play};
use super::policy::{Choice, KINDS};
use super::pytorch::Settings;
use super::trace::{Origin, Site, Trace};

const MIB: u64 = 1 << 20;

/// The share of what is reserved that a setting must save to be worth a word.
const WORTH: f64 = 0.05;

/// What is to be compared.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// What the device has; none for what the recording says, or as much as is wanted.
    pub limit: Option<u64>,
    /// None for all.
    pub policies: Vec<Choice>,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub limit: Option<u64>,
    /// Whether the limit is what the recording shows that the device had.
    pub is_recorded_limit: bool,
    /// Among them, in front, the allocator that the trace comes from.
    pub runs: Vec<Run>,
    /// The moment that is looked into.
    pub moment: Moment,
    pub free: Free,
    /// Segments that are neither full nor empty, those with most free memory first.
    pub pinned: Vec<Pinned>,
    /// What was held then, the most first.
    pub held: Vec<(Site, u64, usize)>,
    pub advice: Advice,
}

/// When the segments are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// As the recording has them at its end.
    End,
    /// Where the first policy runs out.
    RanOut,
    /// Where the first policy holds most from the driver.
    Peak,
}

/// What would have helped.
#[derive(Debug, Clone)]
pub enum Advice {
    /// The first policy serves the trace, and no setting saves much.
    Fine,
    /// The first policy serves the trace, and these hold less from the driver.
    Leaner(Vec<Run>),
    /// These serve what the first policy does not.
    Saved(Vec<Run>),
    /// No allocator could: so many bytes are asked for beyond the limit.
    TooMuch { short: u64 },
    /// It would fit without gaps, but none of the settings does it.
    NoSetting,
}

/// Compares; none if `stop` says so meanwhile.
pub fn compare(
    trace: &Trace,
    question: &Question,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Comparison> {
    let capacity = trace.recorded.and_then(|recorded| recorded.capacity);
    let limit = question.limit.or(capacity);
    let mut choices = question.policies.clone();
    if choices.is_empty() {
        choices = usual(trace);
    }
    let runs = play_all(trace, &choices, limit, stop)?;
    let first = runs.first()?;
    let advice = advise(trace, &runs, limit, stop)?;
    let (moment, layout) = match &first.ran_out {
        // The recording itself shows the moment best, where it ends there.
        _ if question.limit.is_none() && ends_refused(trace) => {
            (Moment::End, trace.segments.clone())
        }
        Some(ran_out) => (Moment::RanOut, ran_out.layout.clone()),
        None if trace.segments.iter().any(|segment| segment.bytes > 0) => {
            (Moment::End, trace.segments.clone())
        }
        None => (Moment::Peak, layout_at(trace, first.choice, limit, first.peak_at)),
    };
    Some(Comparison {
        limit,
        is_recorded_limit: question.limit.is_none() && limit.is_some(),
        moment,
        free: free(&layout),
        pinned: pinned(&layout),
        held: held_by(&layout),
        runs,
        advice,
    })
}

/// Every policy, the one that the trace comes from in front, with the settings of the recording.
fn usual(trace: &Trace) -> Vec<Choice> {
    let settings = Settings::parse(&trace.settings).unwrap_or_default();
    let home = if trace.origin == Origin::Own { "auto" } else { "pytorch" };
    let mut choices: Vec<Choice> = KINDS.iter().map(|kind| Choice::named(kind.name)).collect();
    choices.sort_by_key(|choice| choice.kind.name != home);
    if home == "pytorch" {
        choices[0] = choices[0].with(settings);
        if !settings.expandable_segments {
            let expandable = Settings { expandable_segments: true, ..settings };
            choices.insert(1, Choice::named("pytorch").with(expandable));
        }
    }
    choices
}

/// Whether a request was refused at the end of the recording, give or take what was let go of then.
fn ends_refused(trace: &Trace) -> bool {
    let refused = trace.recorded.and_then(|recorded| recorded.refused_at);
    let is_allocation = |op: &super::trace::Op| matches!(op, super::trace::Op::Allocate { .. });
    !trace.segments.is_empty()
        && refused.is_some_and(|at| !trace.ops[at..].iter().any(is_allocation))
}

/// One pass for each, on as many threads as there are processors.
fn play_all(
    trace: &Trace,
    choices: &[Choice],
    limit: Option<u64>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Run>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Option<Run>)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(choices.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(choice) = choices.get(at) else { break };
                    let run = play(trace, *choice, limit, stop);
                    if let Ok(mut found) = found.lock() {
                        found.push((at, run));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, run)| run).collect()
}

/// Settings and policies that are tried, the simplest first.
fn cures(trace: &Trace, first: Choice, limit: Option<u64>) -> Vec<Choice> {
    if trace.origin == Origin::Own {
        // What a session can be set to.
        let mut cures = ["auto", "async", "direct"].map(Choice::named).to_vec();
        cures.retain(|cure| cure.kind.name != first.kind.name);
        return cures;
    }
    let base = first.settings;
    let with = |settings: Settings| Choice::named("pytorch").with(settings);
    let mut cures = vec![with(Settings { expandable_segments: true, ..base })];
    let sizes = [64, 128, 256, 512, 1024].into_iter();
    cures.extend(sizes.map(|mib| with(Settings { max_split_size: Some(mib * MIB), ..base })));
    if limit.is_some() {
        let shares = [0.8, 0.6].into_iter();
        cures.extend(
            shares.map(|share| with(Settings { garbage_collection_threshold: share, ..base })),
        );
    }
    let divisions = [2, 4, 8, 16].into_iter();
    cures.extend(divisions.map(|divisions| {
        with(Settings { roundup: Settings::with_roundup(divisions).roundup, ..base })
    }));
    cures.retain(|cure| cure.settings != base);
    cures
}

fn advise(
    trace: &Trace,
    runs: &[Run],
    limit: Option<u64>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Advice> {
    let first = &runs[0];
    let has_run_out = first.ran_out.is_some();
    if let Some(short) = limit.and_then(|limit| trace.peaks().wanted.checked_sub(limit))
        && has_run_out
        && short > 0
    {
        return Some(Advice::TooMuch { short });
    }
    if !has_run_out && first.lost() < WORTH {
        return Some(Advice::Fine);
    }
    let cures = cures(trace, first.choice, limit);
    let mut helped = play_all(trace, &cures, limit, stop)?;
    helped.retain(|run| run.ran_out.is_none());
    if has_run_out {
        return Some(match helped.is_empty() {
            true => Advice::NoSetting,
            false => Advice::Saved(helped),
        });
    }
    let most = first.peak_reserved as f64 * (1.0 - WORTH);
    // Going to the driver each time holds least, and costs more than it saves.
    helped.retain(|run| run.peak_reserved as f64 <= most && run.choice.kind.name != "direct");
    // Of what helps about as much, the simplest stays in front.
    let step = (first.peak_reserved / 50).max(1);
    helped.sort_by_key(|run| run.peak_reserved / step);
    Some(if helped.is_empty() { Advice::Fine } else { Advice::Leaner(helped) })
}
