//! A comparison in words and tables.

use std::time::Duration;

use rustc_hash::FxHashMap;

use super::compare::{Advice, Comparison, Moment};
use super::pins::Pinned;
use super::play::{RanOut, Run};
use super::trace::{Op, Origin, Site, Trace};
use crate::report::{
    Column, Markup, Report, Table, counted, human_bytes, human_count, human_duration,
};

/// Rows of a table.
const ROWS: usize = 8;

/// Columns of who asked for something.
const SITE: usize = 56;

/// The comparison of a trace, for people.
pub fn report(trace: &Trace, comparison: &Comparison) -> Report {
    let mut reports: Vec<Report> = vec![head(trace, comparison).into()];
    reports.push(runs(trace, comparison).into());
    if has_other_end(trace, comparison) {
        let text = "the replay gets past the request that was refused: what was there before the recording \
                    begins lay elsewhere, or others took memory meanwhile";
        reports.push(Markup::new().dim(text).into());
    }
    if let Some(text) = reason(trace, comparison) {
        reports.push(text.into());
    }
    reports.extend(pinned(trace, comparison));
    if comparison.runs[0].ran_out.is_some() || comparison.pinned.is_empty() {
        reports.extend(held(trace, comparison));
    }
    reports.push(advice(trace, comparison).into());
    Report::Stack(reports)
}

fn bytes(bytes: u64) -> Markup {
    Markup::new().number(human_bytes(bytes))
}

/// Who asked, as far as it is known, in so many columns.
fn name(trace: &Trace, site: Site) -> String {
    match trace.sites.name(site) {
        "" => "unknown".to_owned(),
        name if name.chars().count() > SITE => {
            let kept: String = name.chars().take(SITE - 1).collect();
            format!("{}…", kept.trim_end())
        }
        name => name.to_owned(),
    }
}

fn head(trace: &Trace, comparison: &Comparison) -> Markup {
    let steps = trace.ops.len() - trace.before;
    let mut head = Markup::new().heading(trace.origin.words());
    if !trace.device.is_empty() {
        head = head.plain(" of ").name(&trace.device);
    }
    head = head.plain(format!(": {}", counted(steps, "step")));
    if trace.span_us > 0 {
        let span = human_duration(Duration::from_micros(trace.span_us));
        head = head.plain(format!(" in {span}"));
    }
    if trace.before > 0 {
        let sizes = trace.ops[..trace.before].iter().map(|op| match op {
            Op::Allocate { bytes, .. } => *bytes,
            _ => 0,
        });
        let (count, sum) = (counted(trace.before, "block"), human_bytes(sizes.sum()));
        head = head.newline().dim(format!("{count} ({sum}) were there before it begins"));
    }
    if steps == 0 && trace.origin == Origin::PyTorch {
        head = head.newline().hint(
            "nothing was recorded: `torch.cuda.memory._record_memory_history()` before the run records it",
        );
    }
    if !trace.settings.is_empty() {
        let settings = crate::diag::visible(&trace.settings).into_owned();
        head = head.newline().dim(format!("recorded with {settings}"));
    }
    match comparison.limit {
        None => head.newline().dim("no limit: `--limit 24GiB` shows who runs out of that"),
        Some(limit) => {
            let head = head.newline().plain("limit ").number(human_bytes(limit));
            match comparison.is_recorded_limit {
                true => head.dim(": what the process held and the device had left when it ran out"),
                false => head,
            }
        }
    }
}

/// Whether the recording ran out where the replay of the same allocator does not.
fn has_other_end(trace: &Trace, comparison: &Comparison) -> bool {
    let has_refused = trace.recorded.is_some_and(|recorded| recorded.refused_at.is_some());
    has_refused && comparison.is_recorded_limit && comparison.runs[0].ran_out.is_none()
}

fn runs(trace: &Trace, comparison: &Comparison) -> Table {
    let mut table = Table::new([
        Column::left("policy"),
        Column::right("peak live"),
        Column::right("peak reserved"),
        Column::right("unused"),
        Column::right("driver calls"),
        Column::left("runs out"),
    ]);
    if let Some(recorded) = trace.recorded.filter(|recorded| recorded.peak_reserved > 0) {
        table.row([
            Markup::new().dim("as recorded"),
            bytes(trace.peaks().live),
            bytes(recorded.peak_reserved),
            Markup::new(),
            Markup::new().number(human_count(recorded.calls)),
            match recorded.refused_at {
                Some(at) => Markup::new().error(format!("at {}", place(trace, at))),
                None => Markup::new().good("no"),
            },
        ]);
    }
    for run in &comparison.runs {
        table.row([
            Markup::new().keyword(run.choice.label()),
            bytes(run.peak_live),
            bytes(run.peak_reserved),
            Markup::new().number(format!("{:.1} %", 100.0 * run.lost())),
            Markup::new().number(human_count(run.calls)),
            match &run.ran_out {
                Some(ran_out) => Markup::new().error(format!("at {}", place(trace, ran_out.at))),
                None => Markup::new().good("no"),
            },
        ]);
    }
    table
}

/// A step as people count: of those that were recorded, from 1 on.
fn place(trace: &Trace, at: usize) -> String {
    match (at + 1).checked_sub(trace.before) {
        None | Some(0) => "the blocks of before".to_owned(),
        Some(step) => {
            let steps = human_count((trace.ops.len() - trace.before) as u64);
            format!("step {} of {steps}", human_count(step as u64))
        }
    }
}

/// Why the first policy, or the recording, ran out.
fn reason(trace: &Trace, comparison: &Comparison) -> Option<Markup> {
    let first = &comparison.runs[0];
    let free = comparison.free;
    let ran_out = match &first.ran_out {
        Some(ran_out) => ran_out,
        None if comparison.moment == Moment::End => {
            let text = format!(
                "at the end of the recording {} lie unused in {}, {} in one piece at the most",
                human_bytes(free.bytes),
                counted(free.segments, "segment"),
                human_bytes(free.largest)
            );
            return (free.bytes > 0).then(|| Markup::new().plain(text));
        }
        None => {
            let text = format!(
                "where {} holds most, {} lie unused in {}, {} in one piece at the most",
                first.choice.label(),
                human_bytes(free.bytes),
                counted(free.segments, "segment"),
                human_bytes(free.largest)
            );
            return (free.bytes > 0).then(|| Markup::new().plain(text));
        }
    };
    let RanOut { bytes, site, live, reserved, .. } = ran_out;
    let mut text = Markup::new()
        .keyword(first.choice.label())
        .plain(" runs out: ")
        .number(human_bytes(*bytes))
        .plain(" asked for");
    if *site != Site::UNKNOWN {
        text = text.plain(" by ").name(name(trace, *site));
    }
    text =
        text.plain(format!(", {} live, {} reserved; ", human_bytes(*live), human_bytes(*reserved)));
    Some(match free.bytes >= *bytes {
        true => text.warn(format!(
            "{} are free in {} of {}, none longer than {}",
            human_bytes(free.bytes),
            counted(free.pieces, "piece"),
            counted(free.segments, "segment"),
            human_bytes(free.largest)
        )),
        false => match comparison.limit.map(|limit| limit.saturating_sub(*reserved)) {
            Some(left) if left + free.bytes >= *bytes => text.warn(format!(
                "{} are free in its segments and {} at the driver: together they would do",
                human_bytes(free.bytes),
                human_bytes(left)
            )),
            _ => text.plain(format!("{} are free in its segments", human_bytes(free.bytes))),
        },
    })
}

/// The segments that something lives in, and that have room.
fn pinned(trace: &Trace, comparison: &Comparison) -> Vec<Report> {
    if comparison.pinned.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new([
        Column::right("segment"),
        Column::right("free"),
        Column::right("largest"),
        Column::right("pinned by"),
        Column::left("asked for by"),
    ]);
    let mut alike = alike(&comparison.pinned);
    let rest = alike.split_off(alike.len().min(ROWS));
    for (Pinned { bytes: size, free, largest, by }, count) in alike {
        let held: u64 = by.iter().map(|(_, bytes, _)| bytes).sum();
        let who = match by.as_slice() {
            [] => String::new(),
            [(site, _, count)] if *count > 1 => format!("{} ({count} blocks)", name(trace, *site)),
            [(site, ..)] => name(trace, *site),
            [(site, ..), rest @ ..] => {
                format!("{} and {}", name(trace, *site), counted(rest.len(), "other place"))
            }
        };
        let times = if count > 1 { format!("{count} × ") } else { String::new() };
        table.row([
            Markup::new().dim(times).number(human_bytes(*size)),
            bytes(*free),
            bytes(*largest),
            bytes(held),
            Markup::new().name(who),
        ]);
    }
    let mut reports = vec![table.into()];
    if !rest.is_empty() {
        let segments = counted(rest.iter().map(|(_, count)| *count as u64).sum::<u64>(), "segment");
        let free = rest.iter().map(|(segment, count)| segment.free * *count as u64).sum();
        let text = format!("and {segments} with {} free", human_bytes(free));
        reports.push(Markup::new().dim(text).into());
    }
    reports
}

/// Segments of which many look the same, each kind once and how many there are: those with most free memory first.
fn alike(pinned: &[Pinned]) -> Vec<(&Pinned, usize)> {
    let mut alike: Vec<(&Pinned, usize)> = Vec::new();
    let mut places: FxHashMap<&Pinned, usize> = FxHashMap::default();
    for segment in pinned {
        let at = *places.entry(segment).or_insert(alike.len());
        match alike.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => alike.push((segment, 1)),
        }
    }
    alike.sort_by_key(|(segment, count)| std::cmp::Reverse(segment.free * *count as u64));
    alike
}

fn held(trace: &Trace, comparison: &Comparison) -> Option<Report> {
    // One row that nobody knows says nothing.
    if comparison.held.iter().all(|(site, ..)| *site == Site::UNKNOWN) {
        return None;
    }
    let mut table =
        Table::new([Column::left("held then by"), Column::right("bytes"), Column::right("blocks")]);
    for (site, sum, blocks) in comparison.held.iter().take(ROWS) {
        table.row([
            Markup::new().name(name(trace, *site)),
            bytes(*sum),
            Markup::new().number(human_count(*blocks as u64)),
        ]);
    }
    Some(table.into())
}

fn advice(trace: &Trace, comparison: &Comparison) -> Markup {
    let first = &comparison.runs[0];
    let label = first.choice.label();
    match &comparison.advice {
        Advice::Fine if first.ran_out.is_none() => {
            Markup::new().dim(format!("{label} serves all of it, and no setting would hold much less"))
        }
        Advice::Fine => Markup::new(),
        Advice::TooMuch { short } => Markup::new().hint(format!(
            "no allocator can serve this: {} more are live and asked for at once than there are; less has to be \
             live, {}",
            human_bytes(*short),
            match trace.origin {
                Origin::PyTorch => {
                    "by smaller batches, activation checkpointing, or letting go of what the table names"
                }
                _ => "by letting go of what the table names",
            }
        )),
        Advice::NoSetting => Markup::new().hint(
            "without gaps it would fit, but none of the settings does it: letting go of what pins the \
             segments would",
        ),
        Advice::Saved(runs) => advised(trace, comparison, runs, "would have saved the run"),
        Advice::Leaner(runs) => advised(trace, comparison, runs, "would hold less from the driver"),
    }
}

/// The best of what helps, and the others.
fn advised(trace: &Trace, comparison: &Comparison, runs: &[Run], what: &str) -> Markup {
    let mut text = Markup::new();
    for (at, run) in runs.iter().take(4).enumerate() {
        if at > 0 {
            text = text.newline();
        }
        let settings = run.choice.settings;
        let setting = match trace.origin {
            Origin::Own => match run.choice.kind.name {
                "auto" => ":set allocator caching".to_owned(),
                mode => format!(":set allocator {mode}"),
            },
            _ => format!("PYTORCH_CUDA_ALLOC_CONF={settings}"),
        };
        let with = match settings.garbage_collection_threshold > 0.0 {
            true => " (with `torch.cuda.set_per_process_memory_fraction`)",
            false => "",
        };
        let most = human_bytes(run.peak_reserved);
        let of = match comparison.limit {
            Some(limit) => format!("{most} reserved at the most of {}", human_bytes(limit)),
            None => {
                format!(
                    "{most} at the most in place of {}",
                    human_bytes(comparison.runs[0].peak_reserved)
                )
            }
        };
        let words = if at == 0 { what } else { "would, too" };
        text = text.command(setting).hint(format!("{with} {words}: {of}"));
    }
    text
}
