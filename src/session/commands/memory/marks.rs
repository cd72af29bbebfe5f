//! Moments to compare with.

use rustc_hash::FxHashMap;

use super::one;
use crate::device::Device;
use crate::diag::{Diagnostic, ErrorKind, SourceResult, did_you_mean};
use crate::memory::{AllocatorStats, HolderName};
use crate::report::{Column, Markup, Report, Table, human_bytes, human_count, signed_bytes};
use crate::session::commands::Call;
use crate::session::commands::arguments::Word;
use crate::session::memory_view::{Mark, device_label};

pub(super) fn mark(call: &mut Call<'_>, _: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let name = one(call, rest)?.map_or("", |word| word.text).to_string();
    let mark = call.session.memory_mark();
    set(call, &name, mark);
    Ok(())
}

/// Remembers a moment.
pub(super) fn set(call: &mut Call<'_>, name: &str, mark: Mark) {
    call.session.desk.marks.insert(name.to_string(), mark);
}

pub(super) fn diff(call: &mut Call<'_>, _: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let name = one(call, rest)?;
    let marks = &call.session.desk.marks;
    let Some(before) = marks.get(name.map_or("", |word| word.text)).cloned() else {
        let Some(word) = name else {
            let error = call.misuse(call.args, "there is nothing to compare with yet");
            return Err(Box::new(error.with_hint("`:mem mark` remembers the present state")));
        };
        let message = format!("no mark is called `{}`", word.text);
        let diagnostic = Diagnostic::new(ErrorKind::Name, word.span, message);
        let known = marks.keys().map(String::as_str);
        return Err(Box::new(match did_you_mean(word.text, known) {
            Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
            None => diagnostic.with_hint(format!("`:mem mark {}` sets it", word.text)),
        }));
    };
    let now = call.session.memory_mark();
    let mut reports = vec![levels(call, &before, &now)];
    reports.extend(changes(&before, &now));
    call.show(Report::Stack(reports));
    if name.is_none() {
        call.session.desk.marks.insert(String::new(), now);
    }
    Ok(())
}

/// How the figures of each device changed.
fn levels(call: &Call<'_>, before: &Mark, now: &Mark) -> Report {
    let mut table = Table::new([
        Column::left("device"),
        Column::right("live"),
        Column::right("reserved"),
        Column::right("peak"),
        Column::right("allocations"),
        Column::right("frees"),
    ]);
    let zero = AllocatorStats::default();
    for (id, now) in &now.stats {
        let before = before.stats.iter().find(|(other, _)| other == id);
        let before = before.map_or(&zero, |(_, stats)| stats);
        let Some(device) = call.session.engine().devices().find(|device| device.id() == *id) else {
            continue;
        };
        let change = |now: usize, before: usize| {
            let change = now as i64 - before as i64;
            if change == 0 { Markup::new().dim("0 B") } else { signed_bytes(change).into() }
        };
        let count = |now: u64, before: u64| Markup::from(human_count(now.saturating_sub(before)));
        table.row([
            Markup::new().name(device_label(device)),
            change(now.now.allocated, before.now.allocated),
            change(now.now.reserved, before.now.reserved),
            change(now.peak.allocated, before.peak.allocated),
            count(now.allocations, before.allocations),
            count(now.frees, before.frees),
        ]);
    }
    table.into()
}

/// Which variables came, went, or hold something else.
fn changes(before: &Mark, now: &Mark) -> Option<Report> {
    let mut table =
        Table::new([Column::left(""), Column::left("variable"), Column::right("bytes")]);
    let by_name = |mark: &Mark| -> FxHashMap<HolderName, (u64, u64)> {
        let holders = mark.holders.iter();
        holders.map(|(name, bytes, address)| (name.clone(), (*bytes, *address))).collect()
    };
    let (then, still) = (by_name(before), by_name(now));
    for (name, bytes, address) in &now.holders {
        let (sign, amount) = match then.get(name).copied() {
            None => (Markup::new().good("+"), human_bytes(*bytes)),
            Some((old, at)) if old != *bytes || at != *address => {
                (Markup::new().warn("~"), format!("{} → {}", human_bytes(old), human_bytes(*bytes)))
            }
            Some(_) => continue,
        };
        table.row([sign, Markup::new().name(name.to_string()), Markup::new().number(amount)]);
    }
    for (name, bytes, _) in &before.holders {
        if !still.contains_key(name) {
            let amount = human_bytes(*bytes);
            table.row([
                Markup::new().error("−"),
                Markup::new().name(name.to_string()),
                amount.into(),
            ]);
        }
    }
    (!table.rows.is_empty()).then(|| table.into())
}
