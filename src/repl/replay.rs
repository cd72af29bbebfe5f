//! `genesis-repl replay FILE`: a trace of memory under other allocators, without a session.

use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::diag::{Fault, visible};
use crate::io::{path_of, write_whole};
use crate::memory::parse_size;
use crate::replay::export::{Format, of_traces};
use crate::replay::{
    Advice, Choice, Comparison, Moment, Origin, Question, RanOut, Run, Site, Trace, compare, open,
    report,
};
use crate::report::{Report, human_bytes};
use crate::session::Interrupt;

use super::screen::Screen;
use super::{batch, output};

/// What the command line asks.
#[derive(Debug)]
pub struct Asked<'a> {
    pub file: &'a str,
    pub limit: Option<&'a str>,
    pub policies: &'a [String],
    /// Of a file with several.
    pub device: Option<&'a str>,
    pub json: bool,
    /// A file that the trace is written to for other tools, and the word for its format.
    pub export: Option<&'a str>,
    pub format: Option<&'a str>,
}

/// Answers on standard output.
pub fn run(asked: &Asked<'_>, screen: &Screen, error_color: bool) -> ExitCode {
    let text = match answer(asked, screen) {
        Ok(text) => text,
        Err(message) => return batch::fail(&message, error_color),
    };
    match output::write(text.as_bytes(), &Interrupt::default()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => batch::lost(&error, error_color),
        _ => ExitCode::SUCCESS,
    }
}

fn answer(asked: &Asked<'_>, screen: &Screen) -> Result<String, String> {
    let message = |fault: Fault| {
        let parts = std::iter::once(fault.message).chain(fault.hints);
        parts.collect::<Vec<_>>().join("; ")
    };
    let limit = asked.limit.map(parse_size).transpose().map_err(message)?;
    let policies: Result<Vec<Choice>, Fault> =
        asked.policies.iter().map(|text| Choice::parse(text)).collect();
    let question =
        Question { limit: limit.map(|bytes| bytes as u64), policies: policies.map_err(message)? };
    let path = path_of(asked.file);
    let format = match (asked.export, asked.format) {
        (_, Some(name)) => Some(Format::of_name(name).map_err(message)?),
        (Some(out), None) => Some(Format::of_file(out).map_err(message)?),
        (None, None) => None,
    };
    let traces = open(&path).map_err(|error| unread(&path, error))?;
    if let (Some(out), Some(format)) = (asked.export, format) {
        return export(asked, &chosen(&traces, asked.device)?, out, format);
    }
    let mut text = String::new();
    for trace in chosen(&traces, asked.device)? {
        let Some(comparison) = compare(trace, &question, &|| false) else { continue };
        if asked.json {
            text += &format!("{}\n", facts(trace, &comparison));
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text += &(screen.draw(&spaced(report(trace, &comparison))) + "\n");
    }
    Ok(text)
}

/// Writes traces for other tools.
fn export(
    asked: &Asked<'_>,
    traces: &[&Trace],
    out: &str,
    format: &Format,
) -> Result<String, String> {
    if let (true, [_, _, ..]) = (format.is_of_one_device, traces) {
        let names: Vec<&str> = traces.iter().map(|trace| trace.device.as_str()).collect();
        return Err(format!(
            "a file of {} tells of one device; --device picks one of {}",
            format.name,
            names.join(", ")
        ));
    }
    let name = Path::new(asked.file).file_name().map(|name| name.to_string_lossy());
    let title = format!("Memory of {}", visible(&name.unwrap_or_default()));
    let bytes = format.write(&of_traces(&title, traces));
    write_whole(&path_of(out), &bytes)
        .map_err(|error| format!("can't write `{}`: {error}", visible(out)))?;
    let size = human_bytes(bytes.len() as u64);
    Ok(format!("{} written as {}, {size}\n", visible(out), format.name))
}

/// The parts of a report with an empty line between them.
fn spaced(report: Report) -> Report {
    let Report::Stack(parts) = report else { return report };
    let parts = parts.into_iter().enumerate();
    Report::Stack(
        parts
            .flat_map(|(at, part)| [(at > 0).then(|| Report::plain("")), Some(part)])
            .flatten()
            .collect(),
    )
}

fn unread(path: &Path, error: crate::io::Error) -> String {
    let words = match error {
        crate::io::Error::Format(words) => words,
        crate::io::Error::System(error) => error.to_string(),
    };
    format!("can't replay `{}`: {words}", visible(&path.display().to_string()))
}

fn chosen<'a>(traces: &'a [Trace], device: Option<&str>) -> Result<Vec<&'a Trace>, String> {
    let Some(device) = device else { return Ok(traces.iter().collect()) };
    let found: Vec<&Trace> = traces.iter().filter(|trace| trace.device == device).collect();
    if found.is_empty() {
        let names: Vec<&str> = traces.iter().map(|trace| trace.device.as_str()).collect();
        return Err(format!("the file has nothing of `{device}`; it has `{}`", names.join("`, `")));
    }
    Ok(found)
}

/// The comparison as JSON.
fn facts(trace: &Trace, comparison: &Comparison) -> Value {
    let by = |(site, bytes, blocks): &(Site, u64, usize)| json!({ "by": name(trace, *site), "bytes": bytes, "blocks": blocks });
    let list = |held: &[(Site, u64, usize)]| held.iter().map(by).collect::<Vec<_>>();
    let pinned = comparison.pinned.iter().map(|segment| {
        json!({
            "bytes": segment.bytes, "free": segment.free, "largest": segment.largest,
            "pinned_by": list(&segment.by),
        })
    });
    let runs = |runs: &[Run]| runs.iter().map(|run| run_facts(trace, run)).collect::<Vec<_>>();
    let none = Vec::new();
    let (kind, helped, short) = match &comparison.advice {
        Advice::Fine => ("fine", &none, None),
        Advice::Leaner(helped) => ("leaner", helped, None),
        Advice::Saved(helped) => ("saved", helped, None),
        Advice::TooMuch { short } => ("too much", &none, Some(short)),
        Advice::NoSetting => ("no setting", &none, None),
    };
    json!({
        "device": trace.device,
        "origin": match trace.origin {
            Origin::PyTorch => "pytorch",
            Origin::Own => "genesis-repl",
            Origin::Text => "text",
        },
        "settings": trace.settings,
        "steps": trace.ops.len() - trace.before,
        "blocks_before": trace.before,
        "peak_live": trace.peaks().live,
        "limit": comparison.limit,
        "recorded": trace.recorded.map(|recorded| json!({
            "peak_reserved": recorded.peak_reserved, "driver_calls": recorded.calls,
            "ran_out_at": recorded.refused_at.map(|at| step(trace, at)),
        })),
        "runs": runs(&comparison.runs),
        "looked_at": match comparison.moment {
            Moment::End => "the end of the recording",
            Moment::RanOut => "where the first policy runs out",
            Moment::Peak => "where the first policy holds most",
        },
        "free": {
            "bytes": comparison.free.bytes, "largest": comparison.free.largest,
            "pieces": comparison.free.pieces, "segments": comparison.free.segments,
        },
        "pinned": pinned.collect::<Vec<_>>(),
        "held": list(&comparison.held),
        "advice": { "kind": kind, "short": short, "runs": runs(helped) },
    })
}

fn run_facts(trace: &Trace, run: &Run) -> Value {
    let ran_out = run.ran_out.as_ref().map(|ran_out| {
        let RanOut { at, bytes, site, live, reserved, .. } = ran_out;
        json!({
            "step": step(trace, *at), "bytes": bytes, "by": name(trace, *site), "live": live,
            "reserved": reserved,
        })
    });
    json!({
        "policy": run.choice.kind.name, "settings": run.choice.settings.to_string(),
        "peak_live": run.peak_live, "peak_reserved": run.peak_reserved,
        "unused": (run.lost() * 1e4).round() / 1e4, "driver_calls": run.calls,
        "retries": run.retries, "ran_out": ran_out,
    })
}

/// Who asked; none where nobody knows.
fn name(trace: &Trace, site: Site) -> Option<&str> {
    Some(trace.sites.name(site)).filter(|name| !name.is_empty())
}

/// A step as people count: from 1 on, 0 for what was there before.
fn step(trace: &Trace, at: usize) -> usize {
    (at + 1).saturating_sub(trace.before)
}
