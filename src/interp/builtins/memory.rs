//! `genesis.cuda`: the memory of the device in use. On a machine without a GPU the figures are those
//! of the host's allocator, which is the same one over other memory.

use super::forms::Outcome;
use super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::interp::value::Value;
use crate::memory::{AllocatorStats, Mode};
use crate::tensor::{Device, DeviceId};

/// A row of this namespace.
pub(super) const fn cuda(signature: &'static str, run: super::Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::CUDA)
}

pub const BUILTINS: &[Builtin] = &[
    cuda("mem_get_info(device=None)", |call| {
        let memory = chosen(call)?.allocator().mem_info();
        Ok(Value::tuple(vec![bytes(memory.free), bytes(memory.total)]))
    })
    .doc("(free, total) bytes of the device's memory."),
    cuda("memory_allocated(device=None)", |call| level(call, |stats| stats.now.allocated))
        .doc("Bytes in blocks that tensors hold.")
        .example("cuda.memory_allocated() >= 0"),
    cuda("max_memory_allocated(device=None)", |call| level(call, |stats| stats.peak.allocated))
        .doc("The most that `memory_allocated` has been.")
        .example("cuda.max_memory_allocated() >= cuda.memory_allocated()"),
    cuda("memory_reserved(device=None)", |call| level(call, |stats| stats.now.reserved))
        .aliases(&["memory_cached"])
        .doc("Bytes in segments that the allocator holds from the device.")
        .example("cuda.memory_reserved() >= cuda.memory_allocated()"),
    cuda("max_memory_reserved(device=None)", |call| level(call, |stats| stats.peak.reserved))
        .aliases(&["max_memory_cached"])
        .doc("The most that `memory_reserved` has been.")
        .example("cuda.max_memory_reserved() >= cuda.memory_reserved()"),
    cuda("reset_peak_memory_stats(device=None)", |call| {
        chosen(call)?.allocator().reset_peaks();
        Ok(Value::None)
    })
    .aliases(&["reset_max_memory_allocated", "reset_max_memory_cached"])
    .doc("The peaks begin again at the present levels.")
    .example("cuda.reset_peak_memory_stats()"),
    cuda("empty_cache(device=None)", |call| {
        chosen(call)?.allocator().empty_cache();
        Ok(Value::None)
    })
    .aliases(&["cleanup_cache"])
    .doc("Gives back every segment that nobody uses.")
    .example("cuda.empty_cache()"),
    cuda("coalesce_free_blocks(device=None)", |call| {
        chosen(call)?.allocator().coalesce();
        Ok(Value::None)
    })
    .aliases(&["enable_aggressive_coalescing", "garbage_collect"])
    .doc("Merges the cached blocks with their free neighbours.")
    .example("cuda.coalesce_free_blocks()"),
    cuda("memory_stats(device=None)", |call| Ok(stats(&chosen(call)?)))
        .aliases(&["get_statistics"])
        .doc("The allocator's counters by name, in bytes and counts; `:mem stats` shows them.")
        .example("cuda.memory_stats()[\"fragmentation_ratio\"] >= 0"),
    cuda("memory_snapshot(device=None)", |call| Ok(snapshot(&chosen(call)?)))
        .doc("Every segment with its blocks, as a list of dictionaries.")
        .example("len(cuda.memory_snapshot()) >= 0"),
    cuda("memory_summary(device=None)", |call| {
        let device = chosen(call)?;
        let stats = device.allocator().stats();
        let line = |name: &str, now: usize, peak: usize| {
            let (now, peak) = (crate::memory::format_bytes(now), crate::memory::format_bytes(peak));
            format!("{name:<10} {now:>12}  peak {peak:>12}\n")
        };
        Ok(Value::str(format!(
            "{}\n{}{}{}",
            device.name(),
            line("allocated", stats.now.allocated, stats.peak.allocated),
            line("active", stats.now.active, stats.peak.active),
            line("reserved", stats.now.reserved, stats.peak.reserved)
        )))
    })
    .doc("The levels as a text; `:mem` shows more."),
    cuda("host_memory_stats()", |call| Ok(stats(&call.engine().find_device(DeviceId::Cpu)?)))
        .doc("The counters of the host's allocator."),
];

pub const SETTINGS: &[Builtin] = &[
    cuda("set_memory_fraction(fraction, device=None)", |call| {
        let device = chosen(call)?;
        let set = device.allocator().set_memory_fraction(call.float("fraction")?);
        set.map_err(|error| call.fault_at("fraction", Fault::value_error(error.to_string())))?;
        Ok(Value::None)
    })
    .aliases(&["set_per_process_memory_fraction"])
    .doc("Limits what may be reserved to a share of the device's memory.")
    .example("cuda.set_memory_fraction(1.0)"),
    cuda("configure_memory_manager(options=None, **settings)", |call| {
        let device = chosen_plain(call);
        let mut settings: Vec<(String, Value)> = Vec::new();
        match call.value("options") {
            Value::None => {}
            Value::Dict(entries) => {
                for (key, value) in entries.borrow().iter() {
                    let Value::Str(name) = key.value() else {
                        return Err(call.wrong_type("options", "a dictionary with names for keys"));
                    };
                    settings.push((name.to_string(), value.clone()));
                }
            }
            _ => return Err(call.wrong_type("options", "a dictionary")),
        }
        for argument in call.extra() {
            let name = argument.name.as_deref().unwrap_or_default();
            settings.push((name.to_owned(), argument.value.clone()));
        }
        for (name, value) in settings {
            configure(call, &device, &name, &value)?;
        }
        Ok(Value::None)
    })
    .aliases(&["configure"])
    .doc("Changes the allocator: mode, poison, memory_fraction, max_bytes, history_len, warmup_sizes.\nSettings that only count at the start (segment_size …) are refused with the variable to set.")
    .example("cuda.configure_memory_manager({\"poison\": False})"),
    cuda("set_allocator_mode(mode, device=None)", |call| {
        let device = chosen(call)?;
        let mode = Value::str(call.str("mode")?);
        configure(call, &device, "mode", &mode)?;
        Ok(Value::None)
    })
    .doc("Serves requests in another mode: caching, direct or async.")
    .example("cuda.set_allocator_mode(\"caching\")"),
    cuda("warm_up(sizes, device=None)", |call| {
        let device = chosen(call)?;
        let sizes = call.value("sizes").clone();
        configure(call, &device, "warmup_sizes", &sizes)?;
        Ok(Value::None)
    })
    .doc("Makes blocks of these sizes ready: a list of (bytes, count).")
    .example("cuda.warm_up([(4096, 2)])"),
    cuda("enable_memory_debugging(on=True)", |call| {
        let on = call.bool("on")?;
        let device = chosen_plain(call);
        device.allocator().set_poison(on);
        device.allocator().set_history_len(if on { 10_000 } else { 0 });
        Ok(Value::None)
    })
    .doc("Fills blocks with NaN when they are handed out and come back, and keeps a history of events.")
    .example("cuda.enable_memory_debugging(False)"),
    cuda("set_history_len(count, device=None)", |call| {
        let device = chosen(call)?;
        let count = Value::Int(call.int("count")?);
        configure(call, &device, "history_len", &count)?;
        Ok(Value::None)
    })
    .doc("Keeps the last `count` events of the allocator; 0 keeps none.")
    .example("cuda.set_history_len(0)"),
    cuda("set_cache_size(size, device=None)", |call| {
        let device = chosen(call)?;
        let size = call.value("size").clone();
        configure(call, &device, "max_bytes", &size)?;
        Ok(Value::None)
    })
    .doc("The most that may be reserved: bytes, or a text such as '2GB'; None lifts the limit.")
    .example("cuda.set_cache_size(None)"),
];

/// The device that the call names, else the session's.
pub(super) fn chosen(call: &Call<'_>) -> Result<Device, Fault> {
    Ok(call.device("device")?.unwrap_or_else(|| chosen_plain(call)))
}

fn chosen_plain(call: &Call<'_>) -> Device {
    call.engine().device()
}

pub(super) fn bytes(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn level(call: &Call<'_>, pick: fn(&AllocatorStats) -> usize) -> Outcome {
    Ok(bytes(pick(&chosen(call)?.allocator().stats())))
}

/// `memory_stats()`
pub(in crate::interp) fn stats(device: &Device) -> Value {
    let stats = device.allocator().stats();
    let count = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
    Value::dict([
        ("allocated_bytes.all.current", bytes(stats.now.allocated)),
        ("allocated_bytes.all.peak", bytes(stats.peak.allocated)),
        ("reserved_bytes.all.current", bytes(stats.now.reserved)),
        ("reserved_bytes.all.peak", bytes(stats.peak.reserved)),
        ("active_bytes.all.current", bytes(stats.now.active)),
        ("active_bytes.all.peak", bytes(stats.peak.active)),
        ("requested_bytes.all.current", bytes(stats.now.requested)),
        ("requested_bytes.all.peak", bytes(stats.peak.requested)),
        ("allocated", bytes(stats.now.allocated)),
        ("reserved", bytes(stats.now.reserved)),
        ("active", bytes(stats.now.active)),
        ("cached", bytes(stats.cached)),
        ("free", bytes(stats.free())),
        ("largest_free_block", bytes(stats.largest_free)),
        ("live_blocks", Value::Int(stats.live_blocks as i64)),
        ("segments", Value::Int(stats.segments as i64)),
        ("total_allocations", count(stats.allocations)),
        ("total_freed", count(stats.frees)),
        ("cache_hits", count(stats.cache_hits)),
        ("pool_hits", count(stats.pool_hits)),
        ("cache_misses", count(stats.misses)),
        ("cache_hit_rate", Value::Float(stats.hit_rate())),
        ("fragmentation", Value::Float(stats.fragmentation())),
        ("fragmentation_ratio", Value::Float(stats.fragmentation())),
        ("peak_fragmentation", Value::Float(stats.peak_fragmentation())),
        ("peak_memory_usage", bytes(stats.peak.allocated)),
        ("num_splits", count(stats.splits)),
        ("num_merges", count(stats.merges)),
        ("num_device_alloc", count(stats.segments_allocated)),
        ("num_device_free", count(stats.segments_released)),
        ("num_alloc_retries", count(stats.retries)),
        ("num_ooms", count(stats.out_of_memory)),
    ])
}

fn snapshot(device: &Device) -> Value {
    let snapshot = device.allocator().snapshot();
    let segments = snapshot.segments.iter().map(|segment| {
        let blocks = segment.blocks.iter().map(|block| {
            let state = if block.is_active() { "active_allocated" } else { "inactive" };
            Value::dict([
                ("address", Value::Int(block.address as i64)),
                ("size", bytes(block.bytes)),
                ("requested_size", bytes(block.requested)),
                ("state", Value::str(state)),
                ("kind", Value::str(block.kind.name())),
                ("operation", Value::str(block.operation)),
            ])
        });
        Value::dict([
            ("address", Value::Int(segment.address as i64)),
            ("total_size", bytes(segment.bytes)),
            ("segment_type", Value::str(if segment.is_small { "small" } else { "large" })),
            ("blocks", Value::list(blocks.collect())),
        ])
    });
    Value::list(segments.collect())
}

/// One setting of the allocator.
fn configure(call: &Call<'_>, device: &Device, name: &str, value: &Value) -> Result<(), Fault> {
    let (engine, allocator) = (call.engine(), device.allocator());
    let wrong = |expected: &str| {
        let found = value.type_name();
        Fault::type_error(format!("expected {expected} for `{name}`, found {found}"))
    };
    match name {
        "mode" => {
            let Value::Str(text) = value else { return Err(wrong("a string")) };
            let mode = Mode::parse(text).ok_or_else(|| {
                let words =
                    format!("expected 'caching', 'direct' or 'async' for `mode`, found '{text}'");
                Fault::value_error(words)
            })?;
            allocator.set_mode(mode).map_err(|error| Fault::value_error(error.to_string()))
        }
        "poison" => {
            allocator.set_poison(crate::interp::convert::truth(engine, value)?);
            Ok(())
        }
        "memory_fraction" => {
            let fraction = crate::interp::convert::float(engine, value)?;
            let set = allocator.set_memory_fraction(fraction);
            set.map_err(|error| Fault::value_error(error.to_string()))
        }
        "max_bytes" => {
            allocator.set_limit(match value {
                Value::None => None,
                Value::Str(text) => Some(parse_bytes(text).ok_or_else(|| {
                    Fault::value_error(format!(
                        "expected bytes such as '2GB' for `{name}`, found '{text}'"
                    ))
                })?),
                _ => Some(crate::interp::convert::integer(engine, value)?.max(0) as usize),
            });
            Ok(())
        }
        "history_len" => {
            let count = crate::interp::convert::integer(engine, value)?.clamp(0, 10_000_000);
            allocator.set_history_len(count as usize);
            Ok(())
        }
        "warmup_sizes" => {
            let mut sizes = Vec::new();
            for pair in crate::interp::array_like::to_tensors(engine, value)? {
                let numbers = super::forms::numbers(engine, &pair)?;
                let [size, count] = numbers[..] else { return Err(wrong("pairs (bytes, count)")) };
                sizes.push((size.max(0.0) as usize, count.max(0.0) as usize));
            }
            allocator
                .warm_up(&sizes)
                .map_err(crate::device::Error::from)
                .map_err(crate::tensor::Error::from)?;
            Ok(())
        }
        "enable_stats" | "enable_warmup" if matches!(value, Value::Bool(true)) => Ok(()),
        "allocation_strategy" if matches!(value, Value::Str(text) if &**text == "best_fit") => {
            Ok(())
        }
        "segment_size" | "cache_size" | "cache_sizes" | "enable_stats" | "enable_warmup" => {
            let variable = match name {
                "segment_size" => "GENESIS_CUDA_SEGMENT_SIZE",
                "enable_stats" => "GENESIS_CUDA_STATS_ENABLED",
                "enable_warmup" => "GENESIS_CUDA_WARMUP_ENABLED",
                _ => "GENESIS_CUDA_CACHE_SIZE",
            };
            let words = format!("`{name}` can't change while the session runs");
            Err(Fault::value_error(words).with_hint(format!("set {variable} before the start")))
        }
        _ => {
            let known = "the settings are mode, poison, memory_fraction, max_bytes, history_len, warmup_sizes";
            Err(Fault::value_error(format!("the allocator has no setting `{name}`"))
                .with_hint(known))
        }
    }
}

/// `2GB`, `512 MiB`, `4096`: powers of 1024 all of them.
fn parse_bytes(text: &str) -> Option<usize> {
    let text = text.trim();
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number: f64 = text[..split].parse().ok()?;
    let unit = match text[split..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" | "kib" => 1024.0,
        "m" | "mb" | "mib" => 1024.0 * 1024.0,
        "g" | "gb" | "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    Some((number * unit) as usize)
}
