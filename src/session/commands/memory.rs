//! `:mem`.

use super::arguments::Word;
use super::{Call, with_file};
use crate::device::Device;
use crate::diag::{At, Diagnostic, ErrorKind, Fault, SourceResult, did_you_mean};
use crate::io::path_of;
use crate::memory::parse_size;
use crate::memory::{Action, AllocatorStats, BlockState, Snapshot};
use crate::report::{
    Column, Markup, Report, Table, counted, human_bytes, human_count, signed_bytes,
};
use crate::session::memory_view::{Mark, brief, device_label, map, segment_label, variables};
use crate::session::settings::parse_device;
use crate::tensor::DeviceId;

/// Events that `:mem history` shows unless told otherwise.
const EVENTS: usize = 20;

/// The words that `:mem` takes first, and how each is used.
const WHATS: &[(&str, &str)] = &[
    ("segments", ":mem segments [DEVICE]"),
    ("vars", ":mem vars [DEVICE]"),
    ("stats", ":mem stats [DEVICE]"),
    ("history", ":mem history [N] [DEVICE]"),
    ("trim", ":mem trim [SIZE] [DEVICE]"),
    ("peak", ":mem peak [reset] [DEVICE]"),
    ("warmup", ":mem warmup SIZE COUNT… [DEVICE]"),
    ("mark", ":mem mark [NAME]"),
    ("diff", ":mem diff [NAME]"),
    ("save", ":mem save FILE [--last N] [DEVICE]"),
    ("watch", ":mem watch"),
    ("live", ":mem live [off]"),
];

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let mut words = call.words();
    call.settle()?;
    let mut device = call.session.engine().device();
    // A file may be called anything, so only what is no file's name can be a device.
    let is_save = words.first().is_some_and(|word| word.text == "save");
    let named = words.iter().skip(if is_save { 2 } else { 0 });
    if let Some(word) = named.copied().find(|word| DeviceId::from_name(word.text).is_some()) {
        let id = parse_device(word.text).at(word.span)?;
        device = call.session.engine().find_device(id).map_err(Fault::from).at(word.span)?;
        words.retain(|other| other.span != word.span);
    }
    let Some((what, rest)) = words.split_first() else {
        let report = call.session.memory_overview(&device);
        call.show(report);
        mark(call, "");
        return Ok(());
    };
    if let Some((_, usage)) = WHATS.iter().find(|(name, _)| *name == what.text) {
        call.usage = usage;
    }
    match what.text {
        "segments" => segments(call, &device, rest),
        "vars" => vars(call, &device, rest),
        "stats" => stats(call, &device, rest),
        "history" => history(call, &device, rest),
        "trim" => trim(call, &device, rest),
        "peak" => peak(call, &device, rest),
        "warmup" => warm_up(call, &device, rest),
        "mark" => {
            let name = one(call, rest)?.map_or("", |word| word.text).to_string();
            mark(call, &name);
            Ok(())
        }
        "diff" => diff(call, rest),
        "save" => save(call, &device, *what, rest),
        "watch" => {
            nothing(call, rest)?;
            let report = call.session.memory_overview(&device);
            call.show(report);
            call.show(Markup::new().dim("a terminal draws this anew until a key is pressed"));
            Ok(())
        }
        "live" => live(call, rest),
        other => {
            let message = format!("`:mem` knows no `{other}`");
            let diagnostic = Diagnostic::new(ErrorKind::Value, what.span, message);
            Err(Box::new(match did_you_mean(other, WHATS.iter().map(|(name, _)| *name)) {
                Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
                None => diagnostic.with_hint("`:help mem` lists what it knows"),
            }))
        }
    }
}

fn nothing(call: &Call<'_>, rest: &[Word<'_>]) -> SourceResult<()> {
    match rest.first() {
        None => Ok(()),
        Some(word) => Err(call.misuse(word.span, "expected nothing more")),
    }
}

fn one<'a>(call: &Call<'_>, rest: &[Word<'a>]) -> SourceResult<Option<Word<'a>>> {
    match rest {
        [] => Ok(None),
        [word] => Ok(Some(*word)),
        [_, more, ..] => Err(call.misuse(more.span, "expected nothing more")),
    }
}

fn mark(call: &mut Call<'_>, name: &str) {
    let mark = call.session.memory_mark();
    call.session.desk.marks.insert(name.to_string(), mark);
}

/// A front end that can't keep a picture up to date says what there is instead.
fn live(call: &mut Call<'_>, rest: &[Word<'_>]) -> SourceResult<()> {
    let is_on = match one(call, rest)?.map(|word| (word.text, word.span)) {
        None | Some(("on", _)) => true,
        Some(("off", _)) => false,
        Some((found, span)) => {
            return Err(call.misuse(span, format!("expected `off` or nothing, found `{found}`")));
        }
    };
    if !call.sink.live_memory(call.session, is_on) {
        let words = Markup::new().dim("a notebook keeps a panel up to date; in a terminal, ");
        call.show(words.command(":mem watch").dim(" draws the memory until a key is pressed"));
    }
    Ok(())
}

fn segments(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
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
        let mut names: Vec<&str> =
            segment.blocks.iter().flat_map(|block| &block.holders).map(String::as_str).collect();
        names.dedup();
        let number = |bytes: u64| Markup::new().number(human_bytes(bytes));
        table.row([
            Markup::from(segment_label(at, segment)),
            number(segment.bytes as u64),
            number(sum(|state| state == BlockState::Live)),
            number(sum(|state| matches!(state, BlockState::Free | BlockState::Cached))),
            Markup::new().number(segment.blocks.len().to_string()),
            Markup::new().name(brief(&names.join(", "), 40)),
        ]);
    }
    let map = map(&snapshot, call.session.config.pictures);
    call.show(Report::Stack(vec![table.into(), map]));
    Ok(())
}

fn vars(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    nothing(call, rest)?;
    let shares = call.session.shares(device);
    if shares.is_empty() {
        call.show(
            Markup::new().dim(format!("no variable holds memory of {}", device_label(device))),
        );
        return Ok(());
    }
    let snapshot = call.session.memory_snapshot(device);
    let mut reports = vec![variables(&shares, usize::MAX)];
    reports.extend(call.session.notes(&shares, &snapshot));
    call.show(Report::Stack(reports));
    Ok(())
}

fn stats(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
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
        ("retries", stats.retries),
        ("deferred frees", stats.deferred_frees),
        ("out of memory", stats.out_of_memory),
    ] {
        counts.row([name.into(), Markup::new().number(human_count(count))]);
    }
    let shares = Markup::new()
        .plain(format!("hit rate {:.1} %", 100.0 * stats.hit_rate()))
        .dim(" · ")
        .plain(format!("fragmentation {:.1} %", 100.0 * stats.fragmentation()))
        .dim(format!(" ({:.1} % at the peaks)", 100.0 * stats.peak_fragmentation()));
    let mut reports = vec![table.into(), counts.into(), shares.into()];
    if !device.allocator().config().stats_enabled {
        let text = "counts stand still: statistics are switched off";
        reports.push(Markup::new().warn(text).into());
    }
    call.show(Report::Stack(reports));
    Ok(())
}

fn history(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let last = match one(call, rest)? {
        Some(word) => call.count(word, 1)?,
        None => EVENTS,
    };
    let snapshot = device.allocator().snapshot();
    let events = &snapshot.history;
    if events.is_empty() {
        let text = match device.allocator().config().history_len {
            0 => "the history is off: `:set history 1000` keeps the last thousand events",
            _ => "nothing has happened yet",
        };
        call.show(Markup::new().dim(text));
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("event"),
        Column::right("bytes"),
        Column::left("address"),
        Column::left("for"),
        Column::left("statement"),
    ]);
    for event in &events[events.len().saturating_sub(last)..] {
        let number = match call.session.input_of(event.statement) {
            Some(number) => format!("[{number}] "),
            None => String::new(),
        };
        let text = snapshot.statements.get(&event.statement);
        let purpose = match event.operation {
            "" => event.kind.name(),
            operation => operation,
        };
        table.row([
            Markup::new().keyword(event.action.name()),
            Markup::new().number(human_bytes(event.bytes as u64)),
            match event.action {
                Action::OutOfMemory => {
                    Markup::new().warn(format!("{} free", human_bytes(event.address)))
                }
                _ => Markup::new().dim(format!("{:#x}", event.address)),
            },
            Markup::from(purpose),
            Markup::new().dim(number).plain(text.map_or(String::new(), |text| brief(text, 50))),
        ]);
    }
    call.show(table);
    Ok(())
}

fn trim(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let allocator = device.allocator();
    call.session.collect_cycles();
    call.session.engine().attic().reclaim(device.id(), usize::MAX);
    let returned = match one(call, rest)? {
        Some(word) => allocator.trim(parse_size(word.text).at(word.span)?),
        None => allocator.empty_cache(),
    };
    let kept = allocator.stats().now.reserved;
    let text = format!(" given back, {} still reserved", human_bytes(kept as u64));
    call.show(Markup::new().number(human_bytes(returned as u64)).plain(text));
    Ok(())
}

fn peak(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    match one(call, rest)? {
        None => {
            let peak = device.allocator().stats().peak;
            let bytes = |bytes: usize| human_bytes(bytes as u64);
            call.show(
                Markup::from("live ")
                    .number(bytes(peak.allocated))
                    .plain(", reserved ")
                    .number(bytes(peak.reserved))
                    .plain(" at the most"),
            );
            Ok(())
        }
        Some(word) if word.text == "reset" => {
            device.allocator().reset_peaks();
            Ok(())
        }
        Some(word) => {
            let message = format!("expected `reset`, found `{}`", word.text);
            Err(call.misuse(word.span, message))
        }
    }
}

fn warm_up(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    if rest.is_empty() {
        let hint = "`:mem warmup 4MiB 8` makes eight blocks of 4 MiB ready";
        let error = call.misuse(call.place(), "expected a size and a count");
        return Err(Box::new(error.with_hint(hint)));
    }
    let mut sizes = Vec::new();
    for pair in rest.chunks(2) {
        let bytes = parse_size(pair[0].text).at(pair[0].span)?;
        let count = match pair.get(1) {
            Some(word) => call.count(*word, 1)?,
            None => 1,
        };
        // What can't fit is refused before a list of that length is made.
        let most = device.allocator().mem_info().total;
        if bytes.max(1).checked_mul(count).is_none_or(|all| all > most) || count > 1_000_000 {
            let span = pair[pair.len() - 1].span;
            return Err(call.misuse(pair[0].span.to(span), "expected no more than the device has"));
        }
        sizes.push((bytes, count));
    }
    let config = device.allocator().config();
    let reserved = device.allocator().warm_up(&sizes).at(call.args)?;
    let markup = Markup::new().number(human_bytes(reserved as u64)).plain(" newly reserved");
    let off = !config.warmup_enabled || config.mode != crate::memory::Mode::Caching;
    call.show(match off {
        true => markup.warn(": warming up is off, or nothing is cached in this mode"),
        false => markup,
    });
    Ok(())
}

fn save(
    call: &mut Call<'_>,
    device: &Device,
    what: Word<'_>,
    rest: &[Word<'_>],
) -> SourceResult<()> {
    let (file, last) = match rest {
        [file] => (*file, None),
        [file, flag, count] if flag.text == "--last" => (*file, Some(call.count(*count, 0)?)),
        [] => return Err(call.misuse(what.span, "expected a file behind `save`")),
        [_, flag] if flag.text == "--last" => {
            return Err(call.misuse(flag.span, "expected a number after `--last`"));
        }
        [_, more, ..] => {
            return Err(call.misuse(more.span, "expected nothing more than `--last N`"));
        }
    };
    let mut snapshot: Snapshot = call.session.memory_snapshot(device);
    if let Some(last) = last {
        snapshot.history.drain(..snapshot.history.len().saturating_sub(last));
    }
    let path = path_of(file.text);
    let bytes = match path.extension().and_then(|extension| extension.to_str()) {
        Some("pickle" | "pkl") => snapshot.to_pickle(),
        #[cfg(feature = "json")]
        Some("json") => snapshot.to_json().to_string().into_bytes(),
        #[cfg(not(feature = "json"))]
        Some("json") => {
            let hint = "save a `.pickle`, or build genesis-repl with the feature `json`";
            let fault = call.misuse(file.span, "this build writes no JSON");
            return Err(Box::new(fault.with_hint(hint)));
        }
        _ => {
            let message =
                format!("expected a file ending in `.pickle` or `.json`, found `{}`", file.text);
            let hint = "a `.pickle` opens in pytorch.org/memory_viz";
            return Err(Box::new(call.misuse(file.span, message).with_hint(hint)));
        }
    };
    with_file(crate::session::write_whole(&path, &bytes), file.text, file.span)?;
    let (segments, events) = (snapshot.segments.len(), snapshot.history.len());
    let what = format!("{} and {}", counted(segments, "segment"), counted(events, "event"));
    call.show(Markup::new().dim(format!("{what} saved to {}", file.text)));
    Ok(())
}

fn diff(call: &mut Call<'_>, rest: &[Word<'_>]) -> SourceResult<()> {
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
    let find = |mark: &Mark, name: &str| mark.holders.iter().find(|h| h.0 == name).cloned();
    for (name, bytes, address) in &now.holders {
        let (sign, amount) = match find(before, name) {
            None => (Markup::new().good("+"), human_bytes(*bytes)),
            Some((_, old, at)) if old != *bytes || at != *address => {
                (Markup::new().warn("~"), format!("{} → {}", human_bytes(old), human_bytes(*bytes)))
            }
            Some(_) => continue,
        };
        table.row([sign, Markup::new().name(&**name), Markup::new().number(amount)]);
    }
    for (name, bytes, _) in &before.holders {
        if find(now, name).is_none() {
            let amount = human_bytes(*bytes);
            table.row([Markup::new().error("−"), Markup::new().name(&**name), amount.into()]);
        }
    }
    (!table.rows.is_empty()).then(|| table.into())
}
