//! Who uses the memory: statements that ask for much, what was live at the peak, what stays, what keeps free
//! pieces apart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::{nothing, one};
use crate::device::Device;
use crate::diag::SourceResult;
use crate::memory::{BlockInfo, BlockState, HolderName, SegmentInfo, Snapshot, StatementId};
use crate::report::{
    Column, Markup, Report, Table, counted, human_bytes, human_count, human_duration,
};
use crate::session::commands::Call;
use crate::session::commands::arguments::Word;
use crate::session::memory_view::{brief, device_label, segment_label};

/// Rows unless told otherwise.
const ROWS: usize = 10;

/// Columns of a statement.
const STATEMENT: usize = 50;

/// Columns of the names that hold a block.
const NAMES: usize = 30;

fn bytes(bytes: u64) -> Markup {
    Markup::new().number(human_bytes(bytes))
}

fn rows_or(call: &Call<'_>, rest: &[Word<'_>]) -> SourceResult<usize> {
    let Some(word) = one(call, rest)? else { return Ok(ROWS) };
    call.count(word, 1).map_err(|error| {
        let hint = format!("usage: `{}`", call.usage);
        Box::new(error.with_hint(hint))
    })
}

/// `[3] x = zeros(4)`
fn statement(call: &Call<'_>, snapshot: &Snapshot, id: StatementId) -> Markup {
    let number = call.session.input_of(id).map_or(String::new(), |number| format!("[{number}] "));
    let text = match snapshot.statements.get(&id) {
        Some(text) => text.to_string(),
        None => call.session.text_of(id).unwrap_or_else(|| snapshot.statement_text(id)),
    };
    Markup::new().dim(number).plain(brief(&text, STATEMENT))
}

/// Shows what there is instead where nothing is kept of what has happened.
pub(super) fn has_history(call: &mut Call<'_>, snapshot: &Snapshot, device: &Device) -> bool {
    if !snapshot.history.is_empty() {
        return true;
    }
    let text = match device.allocator().config().history_len {
        0 => "the history is off: `:set history 1000` keeps the last thousand events",
        _ => "nothing has happened yet",
    };
    call.show(Markup::new().dim(text));
    false
}

/// What statements may be ranked by.
pub const RANKS: [(&str, &str); 3] = [
    ("bytes", "all that they asked for"),
    ("peak", "the most that they had at once"),
    ("time", "how long they ran"),
];

pub(super) fn top(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let is_rank = |word: &&Word<'_>| RANKS.iter().any(|(name, _)| *name == word.text);
    let rank = rest.iter().find(is_rank).map_or("bytes", |word| word.text);
    let others: Vec<Word<'_>> = rest.iter().filter(|word| !is_rank(word)).copied().collect();
    let most = rows_or(call, &others)?;
    let snapshot = call.session.memory_snapshot(device);
    if !has_history(call, &snapshot, device) {
        return Ok(());
    }
    let mut asked = snapshot.asked();
    asked.extend(call.session.runners(&snapshot, &asked));
    match rank {
        "peak" => asked.sort_by_key(|asked| std::cmp::Reverse(asked.at_once)),
        "time" => asked.sort_by_key(|asked| std::cmp::Reverse(asked.time_us)),
        _ => {}
    }
    let mut table = Table::new([
        Column::left("statement"),
        Column::right("requests"),
        Column::right("bytes"),
        Column::right("at once"),
        Column::right("still live"),
        Column::right("time"),
        Column::right("share"),
    ]);
    let whole: u64 = asked.iter().map(|asked| asked.time_us).sum();
    for asked in asked.iter().take(most) {
        let share = 100.0 * asked.time_us as f64 / whole.max(1) as f64;
        table.row([
            statement(call, &snapshot, asked.statement),
            Markup::new().number(human_count(asked.allocations as u64)),
            bytes(asked.bytes),
            bytes(asked.at_once),
            bytes(asked.live),
            Markup::new().number(human_duration(Duration::from_micros(asked.time_us))),
            Markup::new().number(format!("{share:.1} %")),
        ]);
    }
    let events = counted(snapshot.history.len(), "event");
    let more = asked.len().saturating_sub(most);
    let rest = if more > 0 { format!(", and {more} more statements") } else { String::new() };
    let mut text =
        Markup::new().dim(format!("of the last {events} of {}{rest}", device_label(device)));
    if device.backend().cuda().is_some() {
        text = text.dim("; times are the host's: `:profile` has the kernels'");
    }
    call.show(Report::Stack(vec![table.into(), text.into()]));
    Ok(())
}

pub(super) fn peak(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    match one(call, rest)? {
        None => {}
        Some(word) if word.text == "reset" => {
            device.allocator().reset_peaks();
            return Ok(());
        }
        Some(word) => {
            let message = format!("expected `reset`, found `{}`", word.text);
            return Err(call.misuse(word.span, message));
        }
    }
    let snapshot = call.session.memory_snapshot(device);
    let peak = snapshot.stats.peak;
    let levels = Markup::from("live ")
        .number(human_bytes(peak.allocated as u64))
        .plain(", reserved ")
        .number(human_bytes(peak.reserved as u64))
        .plain(" at the most");
    let mut reports: Vec<Report> = vec![levels.into()];
    if !snapshot.history.is_empty() && peak.requested > 0 {
        reports.push(high_point(call, &snapshot));
    }
    call.show(Report::Stack(reports));
    Ok(())
}

/// What was live at the highest moment of the history, by the statements that made it.
fn high_point(call: &Call<'_>, snapshot: &Snapshot) -> Report {
    let high = snapshot.high_point();
    let mut of: BTreeMap<Option<StatementId>, (u64, usize, BTreeSet<&HolderName>)> =
        BTreeMap::new();
    for held in &high.blocks {
        let (sum, count, names) = of.entry(held.statement).or_default();
        *sum += held.bytes;
        *count += 1;
        if held.is_live
            && let Some(block) = snapshot.block_at(held.address)
        {
            names.extend(&block.holders);
        }
    }
    let mut table = Table::new([
        Column::left("made by"),
        Column::right("bytes"),
        Column::right("blocks"),
        Column::left("held now by"),
    ]);
    let mut found: Vec<_> = of.into_iter().collect();
    found.sort_by_key(|(id, (sum, ..))| (std::cmp::Reverse(*sum), *id));
    let more = found.len().saturating_sub(ROWS);
    for (id, (sum, count, names)) in found.into_iter().take(ROWS) {
        let made = match id {
            Some(id) => statement(call, snapshot, id),
            None => Markup::new().dim("before the history begins"),
        };
        let names = HolderName::list(names);
        let names = Markup::new().name(brief(&names, NAMES));
        table.row([made, bytes(sum), Markup::new().number(count.to_string()), names]);
    }
    let mut when = Markup::new();
    match high.reached_by {
        Some(id) => {
            when = when.dim("reached by ");
            when.append(statement(call, snapshot, id));
        }
        None => when = when.dim("before the history begins"),
    }
    when = when.dim(format!(", with {} asked for", human_bytes(high.bytes)));
    if high.bytes < snapshot.stats.peak.requested as u64 {
        when =
            when.dim("; the peak itself is older than the history: `:set history` makes it longer");
    }
    if more > 0 {
        when = when.dim(format!("; and {more} more statements"));
    }
    Report::Stack(vec![when.into(), table.into()])
}

/// Live blocks that statements of one text made.
#[derive(Default)]
struct Grown<'a> {
    bytes: u64,
    blocks: usize,
    inputs: BTreeSet<usize>,
    names: BTreeSet<&'a HolderName>,
    unheld: usize,
}

pub(super) fn leak(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let inputs = rows_or(call, rest)?;
    let snapshot = call.session.memory_snapshot(device);
    let first = call.session.next_number().saturating_sub(inputs + 1);
    let mut grown: BTreeMap<Arc<str>, Grown<'_>> = BTreeMap::new();
    let mut inputs_of: BTreeMap<StatementId, Option<usize>> = BTreeMap::new();
    for block in snapshot.blocks().filter(|block| block.is_active() && block.requested > 0) {
        let input_of = |id: &StatementId| call.session.input_of(*id);
        let number = inputs_of.entry(block.statement).or_insert_with_key(input_of);
        let Some(number) = number.filter(|number| *number >= first) else { continue };
        let text = snapshot.statements.get(&block.statement).cloned().unwrap_or_default();
        let grown = grown.entry(text).or_default();
        grown.bytes += block.bytes as u64;
        grown.blocks += 1;
        grown.inputs.insert(number);
        grown.names.extend(&block.holders);
        grown.unheld += usize::from(block.holders.is_empty());
    }
    if grown.is_empty() {
        let inputs = counted(inputs, "input");
        call.show(Markup::new().dim(format!("of what the last {inputs} made nothing is live")));
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("made by"),
        Column::right("inputs"),
        Column::right("blocks"),
        Column::right("bytes"),
        Column::left("held by"),
    ]);
    let mut grown: Vec<_> = grown.into_iter().collect();
    grown.sort_by_key(|(_, grown)| std::cmp::Reverse(grown.bytes));
    let total: u64 = grown.iter().map(|(_, grown)| grown.bytes).sum();
    let is_unheld = grown.iter().any(|(_, grown)| grown.unheld > 0);
    for (text, grown) in grown.iter().take(ROWS) {
        let names = HolderName::list(grown.names.iter().copied());
        let mut held = Markup::new().name(brief(&names, NAMES));
        if grown.unheld > 0 {
            let and = if names.is_empty() { "" } else { ", " };
            held = held.warn(format!("{and}{} by no variable", grown.unheld));
        }
        table.row([
            Markup::from(brief(text, STATEMENT)),
            Markup::new().number(grown.inputs.len().to_string()),
            Markup::new().number(grown.blocks.to_string()),
            bytes(grown.bytes),
            held,
        ]);
    }
    let text = format!("{} in the last {}", human_bytes(total), counted(inputs, "input"));
    let mut reports = vec![table.into(), Markup::new().dim(text).into()];
    if is_unheld {
        let text = "`gc.collect()` frees what only holds itself";
        reports.push(Markup::new().hint(text).into());
    }
    call.show(Report::Stack(reports));
    Ok(())
}

/// Also what only `:undo` keeps, which goes where memory is wanted.
fn is_free(state: BlockState) -> bool {
    matches!(state, BlockState::Free | BlockState::Cached | BlockState::Past)
}

/// What is free of a segment.
struct Pieces<'a> {
    at: usize,
    segment: &'a SegmentInfo,
    free: u64,
    /// Of the free bytes those that only the past keeps.
    past: u64,
    largest: u64,
    /// The blocks that keep the pieces apart.
    others: Vec<&'a BlockInfo>,
}

impl<'a> Pieces<'a> {
    fn of(at: usize, segment: &'a SegmentInfo) -> Pieces<'a> {
        let mut pieces = Pieces { at, segment, free: 0, past: 0, largest: 0, others: Vec::new() };
        let mut piece = 0;
        for block in &segment.blocks {
            if !is_free(block.state) {
                piece = 0;
                pieces.others.push(block);
                continue;
            }
            let bytes = block.bytes as u64;
            piece += bytes;
            pieces.free += bytes;
            pieces.past += if block.state == BlockState::Past { bytes } else { 0 };
            pieces.largest = piece.max(pieces.largest);
        }
        pieces
    }
}

pub(super) fn fragmentation(
    call: &mut Call<'_>,
    device: &Device,
    rest: &[Word<'_>],
) -> SourceResult<()> {
    nothing(call, rest)?;
    let snapshot = call.session.memory_snapshot(device);
    let segments = snapshot.segments.iter().enumerate();
    let mut found: Vec<Pieces<'_>> =
        segments.map(|(at, segment)| Pieces::of(at, segment)).collect();
    let free: u64 = found.iter().map(|pieces| pieces.free).sum();
    let past: u64 = found.iter().map(|pieces| pieces.past).sum();
    let largest = found.iter().map(|pieces| pieces.largest).max().unwrap_or(0);
    if free == 0 {
        let text = format!("{} has no free pieces among its segments", device_label(device));
        call.show(Markup::new().dim(text));
        return Ok(());
    }
    let lost = 100.0 * (1.0 - largest as f64 / free as f64);
    let mut head = Markup::from("the largest free piece is ")
        .number(human_bytes(largest))
        .plain(" of ")
        .number(human_bytes(free))
        .plain(format!(" free: {lost:.1} % can't be had with it"));
    if past > 0 {
        let kept = human_bytes(past);
        let text = format!("{kept} of that only `:undo` keeps: it goes when memory is wanted");
        head = head.newline().dim(text);
    }
    let mut reports: Vec<Report> = vec![head.into()];
    found.retain(|pieces| pieces.free > 0 && !pieces.others.is_empty());
    found.sort_by_key(|pieces| (std::cmp::Reverse(pieces.free), pieces.at));
    if !found.is_empty() {
        let mut table = Table::new([
            Column::left("segment"),
            Column::right("size"),
            Column::right("free"),
            Column::right("largest"),
            Column::right("pinned by"),
            Column::left("which is"),
        ]);
        for Pieces { at, segment, free, largest, others, .. } in found.iter().take(ROWS) {
            let mut names: Vec<String> = Vec::new();
            for block in others {
                if names.len() > NAMES {
                    break;
                }
                match block.holders.as_slice() {
                    [] => names.push(brief(&snapshot.statement_text(block.statement), NAMES)),
                    holders => names.extend(holders.iter().map(HolderName::to_string)),
                }
            }
            names.dedup();
            table.row([
                Markup::from(segment_label(*at, segment)),
                bytes(segment.bytes as u64),
                bytes(*free),
                bytes(*largest),
                bytes(others.iter().map(|block| block.bytes as u64).sum()),
                Markup::new().name(brief(&names.join(", "), NAMES + 10)),
            ]);
        }
        reports.push(table.into());
        let Pieces { at, segment, .. } = found[0];
        let text = format!(
            "without what pins it, {} is one piece of {}",
            segment_label(at, segment),
            human_bytes(segment.bytes as u64)
        );
        reports.push(Markup::new().hint(text).into());
    }
    reports.extend(remedy(call, device).map(Report::from));
    call.show(Report::Stack(reports));
    Ok(())
}

/// What `:mem compact` would make of the free pieces, which is tried on a copy of the allocator's tables.
fn remedy(call: &Call<'_>, device: &Device) -> Option<Markup> {
    let movable = call.session.movable(device);
    let (done, after) = device.rehearse_compaction(&movable);
    let before = device.allocator().stats();
    if !done.has_moved() || (done.emptied == 0 && after.largest_free <= before.largest_free) {
        return None;
    }
    let mut text = format!(
        "`:mem compact` would move {} and make {} the largest free piece",
        human_bytes((done.bytes + done.pages) as u64),
        human_bytes(after.largest_free as u64)
    );
    if done.emptied > 0 {
        let emptied = human_bytes(done.emptied as u64);
        text += &format!(", with {emptied} in whole segments free");
    }
    Some(Markup::new().hint(text))
}
