//! The memory manager under pressure: what it gives back, makes ready, and says about requests.

use std::collections::BTreeMap;

use super::forms::Outcome;
use super::memory::{bytes, chosen, cuda};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::value::{Entries, Key, Value};
use crate::memory::{Action, format_bytes};
use crate::report::counted;
use crate::tensor::Error;

pub const BUILTINS: &[Builtin] = &[
    cuda("cleanup_cache(threshold=None, force=False, device=None)", cleanup)
        .acts().doc("Gives back segments that nobody uses, all of them; with `threshold`, the smallest first, until\nwhat is reserved is no more than this share of the device's memory. `force` waits for work that\nstill uses freed memory, and lets go of what only `:undo` keeps. Gives the bytes that went.")
        .example("cuda.cleanup_cache(threshold=0.9) >= 0"),
    cuda("expand_cache_size(factor=1.5, device=None)", expand)
        .acts().doc("Lets every stream's cache hold more blocks, by a factor, and what is kept of freed memory grow\nby it where that is bounded. Gives the number of blocks.")
        .example("cuda.expand_cache_size(factor=1.0) > 0"),
    cuda("warmup_cache(sizes, counts=1, device=None)", warm_up)
        .acts().doc("Makes blocks ready: so many of each size in bytes, one count for all or a list of them. Gives\nthe bytes that were newly reserved.")
        .example("cuda.warmup_cache([4096, 65536], counts=[2, 1]) >= 0"),
    cuda("dump_allocation_trace(device=None)", dump)
        .doc("Prints the live blocks by the operation that made them, the largest first, and the history of\nevents where one is kept (`set_history_len`)."),
    cuda("analyze_allocation_patterns(device=None)", analyze)
        .doc("Prints how requests were served and which sizes are live or come again, with what would help.\nGives the sizes in bytes with their counts."),
];

fn cleanup(call: &mut Call<'_>) -> Outcome {
    let device = chosen(call)?;
    let allocator = device.allocator();
    let is_forced = call.bool("force")?;
    if is_forced {
        call.engine().attic().reclaim(device.id(), usize::MAX);
    }
    let Some(threshold) = call.optional_float("threshold")? else {
        let gone = if is_forced { allocator.empty_cache() } else { allocator.trim(usize::MAX) };
        return Ok(bytes(gone));
    };
    if !(0.0..=1.0).contains(&threshold) {
        let message = format!("expected a share from 0 to 1 as threshold, found {threshold}");
        return Err(call.fault_at("threshold", Fault::value_error(message)));
    }
    let most = (allocator.mem_info().total as f64 * threshold) as usize;
    let before = allocator.stats().now.reserved;
    allocator.trim(before.saturating_sub(most));
    if is_forced && allocator.stats().now.reserved > most {
        allocator.empty_cache();
    }
    Ok(bytes(before.saturating_sub(allocator.stats().now.reserved)))
}

fn expand(call: &mut Call<'_>) -> Outcome {
    let device = chosen(call)?;
    let factor = call.float("factor")?;
    if !(factor > 0.0 && factor <= 1e6) {
        let message = format!("expected a factor above 0, found {factor}");
        return Err(call.fault_at("factor", Fault::value_error(message)));
    }
    let config = device.allocator().config();
    let grown = |size: usize| (size as f64 * factor).ceil() as usize;
    let blocks = grown(config.cache_size).clamp(1, 1_000_000_000);
    device.allocator().set_cache_size(blocks);
    if let Some(limit) = config.cached_limit {
        device.allocator().set_cached_limit(Some(grown(limit)));
    }
    Ok(Value::Int(blocks as i64))
}

fn warm_up(call: &mut Call<'_>) -> Outcome {
    let device = chosen(call)?;
    let (sizes, counts) = (call.ints("sizes")?, call.ints("counts")?);
    if counts.len() != sizes.len() && counts.len() != 1 {
        let message =
            format!("expected a count for each of {} sizes, found {}", sizes.len(), counts.len());
        return Err(call.fault_at("counts", Fault::value_error(message)));
    }
    let natural = |number: &i64| usize::try_from(*number).ok();
    let counts = counts.iter().cycle();
    let pairs: Option<Vec<(usize, usize)>> =
        sizes.iter().zip(counts).map(|(size, count)| natural(size).zip(natural(count))).collect();
    let pairs = pairs.ok_or_else(|| {
        call.fault_at("sizes", Fault::value_error("sizes and counts must not be negative"))
    })?;
    let made = device.allocator().warm_up(&pairs).map_err(crate::device::Error::from);
    Ok(bytes(made.map_err(Error::from)?))
}

/// Live blocks by what made them: their number and bytes.
fn dump(call: &mut Call<'_>) -> Outcome {
    let device = chosen(call)?;
    let snapshot = device.allocator().snapshot();
    let mut makers: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for block in snapshot.segments.iter().flat_map(|segment| &segment.blocks) {
        if block.is_active() {
            let entry = makers.entry((block.operation, block.kind.name())).or_default();
            *entry = (entry.0 + 1, entry.1 + block.bytes);
        }
    }
    let mut rows: Vec<_> = makers.into_iter().collect();
    rows.sort_by_key(|(_, (_, bytes))| std::cmp::Reverse(*bytes));
    let mut text = format!("{}: live blocks\n", device.name());
    for ((operation, kind), (count, size)) in rows {
        let size = format_bytes(size);
        let blocks = counted(count, "block");
        text += &format!("{size:>12} in {blocks} by {operation} ({kind})\n");
    }
    let history = device.allocator().history();
    if history.is_empty() {
        text += "no history is kept: `cuda.set_history_len(1000)` keeps one from here on\n";
    }
    for event in &history {
        let (action, size) = (event.action.name(), format_bytes(event.bytes));
        text +=
            &format!("{action:<14} {size:>12} at {:#x} by {}\n", event.address, event.operation);
    }
    call.evaluator.world.write(&text);
    Ok(Value::None)
}

fn analyze(call: &mut Call<'_>) -> Outcome {
    let device = chosen(call)?;
    let allocator = device.allocator();
    let (stats, snapshot, history) = (allocator.stats(), allocator.snapshot(), allocator.history());
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    let is_traced = history.iter().any(|event| event.action == Action::Allocate);
    if is_traced {
        let requests = history.iter().filter(|event| event.action == Action::Allocate);
        requests.for_each(|event| *sizes.entry(event.bytes).or_default() += 1);
    } else {
        let blocks = snapshot.segments.iter().flat_map(|segment| &segment.blocks);
        let live = blocks.filter(|block| block.is_active());
        live.for_each(|block| *sizes.entry(block.requested).or_default() += 1);
    }
    let mut text = format!(
        "{}: {}, {:.1}% served by caches, fragmentation {:.1}%\n",
        device.name(),
        counted(stats.allocations, "request"),
        stats.hit_rate() * 100.0,
        stats.fragmentation() * 100.0
    );
    let mut rows: Vec<(usize, usize)> = sizes.iter().map(|(size, count)| (*size, *count)).collect();
    rows.sort_by_key(|(size, count)| std::cmp::Reverse((*count, *size)));
    let what = if is_traced { "requested" } else { "live" };
    for (size, count) in rows.iter().take(10) {
        let times = counted(*count, "time");
        text += &format!("{:>12} {what} {times}\n", format_bytes(*size));
    }
    if let Some((size, count)) = rows.first().filter(|(_, count)| *count > 1) {
        text +=
            &format!("`cuda.warmup_cache([{size}], counts=[{count}])` makes the commonest ready\n");
    }
    if stats.unused() > 0.3 {
        text += "`cuda.cleanup_cache()` gives back what nobody uses\n";
    }
    call.evaluator.world.write(&text);
    let entry = |(size, count): (usize, usize)| Some((Key::new(bytes(size)).ok()?, bytes(count)));
    let entries: Entries = rows.into_iter().filter_map(entry).collect();
    Ok(Value::Dict(std::rc::Rc::new(entries.into())))
}
