//! What the memory looks like now.

use std::collections::BTreeMap;

use super::nothing;
use crate::device::Device;
use crate::diag::SourceResult;
use crate::memory::{AllocatorStats, BlockInfo, BlockState, HolderName, Snapshot, StatementId};
use crate::report::{Column, Markup, Report, Table, counted, human_bytes, human_count};
use crate::session::commands::Call;
use crate::session::commands::arguments::Word;
use crate::session::memory_view::{Share, brief, device_label, map, segment_label, variables};

/// Columns of the names that hold what is in a segment.
const NAMES: usize = 40;

/// Statements that made what nothing holds, as many as are told of.
const UNHELD: usize = 4;

pub(super) fn segments(
    call: &mut Call<'_>,
    device: &Device,
    rest: &[Word<'_>],
) -> SourceResult<()> {
    nothing(call, rest)?;
    let snapshot = call.session.memory_snapshot(device);
    if snapshot.segments.is_empty() {
        call.show(Markup::new().dim(format!("{} has no segments", device_label(device))));
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("segment"),
        Column::right("size"),
        Column::right("live"),
        Column::right("free"),
        Column::right("blocks"),
        Column::left("held by"),
    ]);
    for (at, segment) in snapshot.segments.iter().enumerate() {
        let sum = |is: fn(BlockState) -> bool| -> u64 {
            let blocks = segment.blocks.iter().filter(|block| is(block.state));
            blocks.map(|block| block.bytes as u64).sum()
        };
        let mut names: Vec<&HolderName> =
            segment.blocks.iter().flat_map(|block| &block.holders).collect();
        names.dedup();
        // Each takes a column at the least.
        let names: Vec<String> = names.into_iter().take(NAMES).map(HolderName::to_string).collect();
        let number = |bytes: u64| Markup::new().number(human_bytes(bytes));
        table.row([
            Markup::from(segment_label(at, segment)),
            number(segment.bytes as u64),
            number(sum(|state| state == BlockState::Live)),
            number(sum(|state| matches!(state, BlockState::Free | BlockState::Cached))),
            Markup::new().number(segment.blocks.len().to_string()),
            Markup::new().name(brief(&names.join(", "), NAMES)),
        ]);
    }
    let map = map(&snapshot, call.session.config.pictures);
    call.show(Report::Stack(vec![table.into(), map]));
    Ok(())
}

pub(super) fn vars(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    nothing(call, rest)?;
    let (snapshot, shares) = call.session.snapshot_and_shares(device, call.session.holders());
    if shares.is_empty() {
        let text = format!("no variable holds memory of {}", device_label(device));
        let mut reports = vec![Markup::new().dim(text).into()];
        reports.extend(unheld(&snapshot));
        call.show(Report::Stack(reports));
        return Ok(());
    }
    let mut reports = vec![variables(&shares, usize::MAX), sums(&shares).into()];
    reports.extend(call.session.notes(&shares, &snapshot));
    reports.extend(unheld(&snapshot));
    call.show(Report::Stack(reports));
    Ok(())
}

pub(super) fn stats(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    nothing(call, rest)?;
    let stats: AllocatorStats = device.allocator().stats();
    let mut table =
        Table::new([Column::left("bytes"), Column::right("now"), Column::right("peak")])
            .with_title(Markup::new().heading(device_label(device)));
    let (now, peak) = (stats.now, stats.peak);
    for (name, now, peak) in [
        ("requested", now.requested, peak.requested),
        ("allocated", now.allocated, peak.allocated),
        ("active", now.active, peak.active),
        ("reserved", now.reserved, peak.reserved),
    ] {
        let number = |bytes: usize| Markup::new().number(human_bytes(bytes as u64));
        table.row([name.into(), number(now), number(peak)]);
    }
    if stats.bytes_moved > 0 {
        let moved = Markup::new().number(human_bytes(stats.bytes_moved));
        table.row(["moved in pages".into(), moved, Markup::new()]);
    }
    let mut counts = Table::new([Column::left("count"), Column::right("")]);
    for (name, count) in [
        ("live blocks", stats.live_blocks as u64),
        ("segments", stats.segments as u64),
        ("allocations", stats.allocations),
        ("frees", stats.frees),
        ("served by the cache", stats.cache_hits),
        ("served by the pools", stats.pool_hits),
        ("slow path", stats.misses),
        ("splits", stats.splits),
        ("merges", stats.merges),
        ("adoptions", stats.adoptions),
        ("segments allocated", stats.segments_allocated),
        ("segments released", stats.segments_released),
        ("device calls", stats.upstream_calls),
        ("retries", stats.retries),
        ("deferred frees", stats.deferred_frees),
        ("out of memory", stats.out_of_memory),
    ] {
        counts.row([name.into(), Markup::new().number(human_count(count))]);
    }
    let shares = Markup::new()
        .plain(format!("hit rate {:.1} %", 100.0 * stats.hit_rate()))
        .dim(" · ")
        .plain(format!("unused {:.1} %", 100.0 * stats.unused()))
        .dim(format!(" ({:.1} % at the peaks) · ", 100.0 * stats.peak_fragmentation()))
        .plain(format!("fragmentation {:.1} %", 100.0 * stats.fragmentation()));
    let mut reports = vec![table.into(), counts.into(), shares.into()];
    if !device.allocator().config().stats_enabled {
        let text = "counts stand still: statistics are switched off";
        reports.push(Markup::new().warn(text).into());
    }
    call.show(Report::Stack(reports));
    Ok(())
}

/// What all variables hold, each storage counted once, and containers of several tensors.
fn sums(shares: &[Share]) -> Markup {
    let sum = |shares: &mut dyn Iterator<Item = &Share>| {
        let storages: BTreeMap<u64, u64> =
            shares.map(|share| (share.address, share.storage_bytes)).collect();
        (storages.len(), storages.values().sum::<u64>())
    };
    let (count, bytes) = sum(&mut shares.iter().filter(|share| share.bytes > 0));
    let text = format!(" in {}, each counted once", counted(count, "storage"));
    let mut markup = Markup::from("total ").number(human_bytes(bytes)).dim(text);
    let mut of: BTreeMap<&str, Vec<&Share>> = BTreeMap::new();
    for share in shares.iter().filter(|share| !share.holder.is_result() && share.bytes > 0) {
        of.entry(share.holder.name.variable()).or_default().push(share);
    }
    for (name, shares) in of.into_iter().filter(|(_, shares)| shares.len() > 1) {
        let (count, bytes) = sum(&mut shares.into_iter());
        let text = format!(" in {}", counted(count, "storage"));
        markup = markup.newline().name(name).plain(" ").number(human_bytes(bytes)).dim(text);
    }
    markup
}

/// What is live and no name reaches.
fn unheld(snapshot: &Snapshot) -> Option<Report> {
    let is_unheld = |block: &&BlockInfo| {
        block.state == BlockState::Live && block.requested > 0 && block.holders.is_empty()
    };
    let mut of: BTreeMap<StatementId, u64> = BTreeMap::new();
    for block in snapshot.blocks().filter(is_unheld) {
        *of.entry(block.statement).or_default() += block.bytes as u64;
    }
    let mut of: Vec<_> = of.into_iter().collect();
    of.sort_by_key(|(id, bytes)| (std::cmp::Reverse(*bytes), *id));
    let mut text = Markup::new();
    for (at, (id, bytes)) in of.iter().take(UNHELD).enumerate() {
        let made = brief(&snapshot.statement_text(*id), 60);
        text = if at > 0 { text.newline() } else { text };
        text = text.warn("live, held by no variable: ").number(human_bytes(*bytes));
        text = text.plain(", made by ").name(made);
    }
    if text.is_empty() {
        return None;
    }
    Some(text.newline().hint("`gc.collect()` frees what only holds itself").into())
}
