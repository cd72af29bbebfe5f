//! `genesis.cuda`: how the allocator of the device in use serves requests, and what it may hold.

use super::memory::{chosen, chosen_plain, cuda};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::value::Value;
use crate::memory::{Mode, SegmentKind, parse_size};
use crate::tensor::{Device, Engine};

pub const BUILTINS: &[Builtin] = &[
    cuda("set_memory_fraction(fraction, device=None)", |call| {
        let device = chosen(call)?;
        let set = device.allocator().set_memory_fraction(call.float("fraction")?);
        set.map_err(|error| call.fault_at("fraction", Fault::value_error(error.to_string())))?;
        Ok(Value::None)
    })
    .aliases(&["set_per_process_memory_fraction"])
    .acts().doc("Limits what may be reserved to a share of the device's memory.")
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
    .acts().doc("Changes the allocator: mode, segments, poison, memory_fraction, max_bytes, max_cached, segment_size,\ncache_sizes, history_len, warmup_sizes. What this allocator has no dial for gives a warning that says why.")
    .example("cuda.configure_memory_manager({\"poison\": False})"),
    cuda("set_allocator_mode(mode, device=None)", |call| {
        let device = chosen(call)?;
        let mode = Value::str(call.str("mode")?);
        configure(call, &device, "mode", &mode)?;
        Ok(Value::None)
    })
    .acts().doc("Serves requests in another mode: caching, direct or async.")
    .example("cuda.set_allocator_mode(\"caching\")"),
    cuda("warm_up(sizes, device=None)", |call| {
        let device = chosen(call)?;
        let sizes = call.value("sizes").clone();
        configure(call, &device, "warmup_sizes", &sizes)?;
        Ok(Value::None)
    })
    .acts().doc("Makes blocks of these sizes ready: a list of (bytes, count).")
    .example("cuda.warm_up([(4096, 2)])"),
    cuda("enable_memory_debugging(on=True)", |call| {
        let on = call.bool("on")?;
        let device = chosen_plain(call);
        device.allocator().set_poison(on);
        device.allocator().set_history_len(if on { 10_000 } else { 0 });
        Ok(Value::None)
    })
    .acts().doc("Fills blocks with NaN when they are handed out and come back, and keeps a history of events.")
    .example("cuda.enable_memory_debugging(False)"),
    cuda("set_history_len(count, device=None)", |call| {
        let device = chosen(call)?;
        let count = Value::Int(call.int("count")?);
        configure(call, &device, "history_len", &count)?;
        Ok(Value::None)
    })
    .acts().doc("Keeps the last `count` events of the allocator; 0 keeps none.")
    .example("cuda.set_history_len(0)"),
    cuda("set_cache_size(size, device=None)", |call| {
        let device = chosen(call)?;
        let size = call.value("size").clone();
        configure(call, &device, "max_cached", &size)?;
        Ok(Value::None)
    })
    .acts().doc("The most that is kept of freed memory: bytes, or a text such as '2GB'; None lifts the limit.\nWhat is in use is not bounded: `set_memory_fraction` does that.")
    .example("cuda.set_cache_size(None)"),
];

/// One setting of the allocator.
fn configure(call: &Call<'_>, device: &Device, name: &str, value: &Value) -> Result<(), Fault> {
    let (engine, allocator) = (call.engine(), device.allocator());
    let wrong = |expected: &str| {
        let found = value.type_name();
        Fault::type_error(format!("expected {expected} for `{name}`, found {found}"))
    };
    let warn = |message: &str| call.evaluator.world.warn(message);
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
        "segments" => {
            let Value::Str(text) = value else { return Err(wrong("a string")) };
            let kind = SegmentKind::parse(text).ok_or_else(|| {
                let words =
                    format!("expected 'auto', 'plain' or 'paged' for `segments`, found '{text}'");
                Fault::value_error(words)
            })?;
            allocator.set_segments(kind);
            Ok(())
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
            allocator.set_limit(limit(engine, value)?);
            Ok(())
        }
        "max_cached" => {
            allocator.set_cached_limit(limit(engine, value)?);
            Ok(())
        }
        "history_len" => {
            let count = crate::interp::convert::integer(engine, value)?.clamp(0, 10_000_000);
            allocator.set_history_len(count as usize);
            Ok(())
        }
        "warmup_sizes" => {
            let mut sizes = Vec::new();
            for pair in crate::interp::array_like::to_tensors(engine, value, None)? {
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
        "segment_size" => {
            allocator.set_segment_size(size(engine, value)?);
            Ok(())
        }
        "cache_size" => {
            match value {
                Value::Str(text) => allocator.set_cached_limit(Some(parse_size(text)?)),
                _ => allocator.set_cache_size(count(engine, value)?),
            }
            Ok(())
        }
        "cache_sizes" => {
            let Value::Dict(levels) = value else { return Err(wrong("a dictionary")) };
            for (level, size) in levels.borrow().iter() {
                match level.value() {
                    Value::Str(level) if &**level == "stream_local" => {
                        allocator.set_cache_size(count(engine, size)?);
                    }
                    Value::Str(level) if &**level == "global" => warn(
                        "`cache_sizes['global']` has no effect: free blocks of the pools are merged with their neighbours, not counted; `max_cached` limits what they hold",
                    ),
                    _ => return Err(wrong("the levels 'stream_local' and 'global'")),
                }
            }
            Ok(())
        }
        "coalescing_threshold" => {
            crate::interp::convert::float(engine, value)?;
            warn("`coalescing_threshold` has no effect: the pools merge free neighbours at once");
            Ok(())
        }
        "enable_warmup" => {
            allocator.set_warmup(crate::interp::convert::truth(engine, value)?);
            Ok(())
        }
        "enable_stats" if matches!(value, Value::Bool(true)) => Ok(()),
        "enable_stats" => {
            let words = format!("`{name}` can't be switched off while the session runs");
            let remedy = "set GENESIS_CUDA_STATS_ENABLED=0 before the start";
            Err(Fault::value_error(words).with_hint(remedy))
        }
        "allocation_strategy" if matches!(value, Value::Str(text) if &**text == "best_fit") => {
            Ok(())
        }
        "allocation_strategy" => {
            Err(Fault::value_error("the one strategy for `allocation_strategy` is 'best_fit'"))
        }
        _ => {
            let known = "the settings are mode, segments, poison, memory_fraction, max_bytes, max_cached, segment_size, cache_sizes, history_len, warmup_sizes";
            Err(Fault::value_error(format!("the allocator has no setting `{name}`"))
                .with_hint(known))
        }
    }
}

/// A number of bytes as a limit; none for None.
fn limit(engine: &Engine, value: &Value) -> Result<Option<usize>, Fault> {
    match value {
        Value::None => Ok(None),
        _ => size(engine, value).map(Some),
    }
}

/// A number of bytes, or a text such as '2GB'.
fn size(engine: &Engine, value: &Value) -> Result<usize, Fault> {
    match value {
        Value::Str(text) => parse_size(text),
        _ => count(engine, value),
    }
}

/// A number of bytes or blocks; less than none is none.
fn count(engine: &Engine, value: &Value) -> Result<usize, Fault> {
    Ok(crate::interp::convert::integer(engine, value)?.max(0) as usize)
}
