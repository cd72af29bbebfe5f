//! `genesis.cuda`: the memory of the device in use. On a machine without a GPU the figures are those
//! of the host's allocator, which is the same one over other memory.

use super::forms::Outcome;
use super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::interp::value::Value;
use crate::memory::AllocatorStats;
use crate::tensor::{Device, DeviceId};

/// A row of this namespace.
pub(super) const fn cuda(signature: &'static str, run: super::Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::CUDA)
}

pub const BUILTINS: &[Builtin] = &[
    cuda("mem_get_info(device=None)", |call| {
        let memory = measured(call)?.allocator().mem_info();
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
    .acts()
    .doc("The peaks begin again at the present levels.")
    .example("cuda.reset_peak_memory_stats()"),
    cuda("empty_cache(device=None)", |call| {
        let device = chosen(call)?;
        call.engine().attic().reclaim(device.id(), usize::MAX);
        device.allocator().empty_cache();
        Ok(Value::None)
    })
    .acts()
    .doc("Gives back every segment that nobody uses.")
    .example("cuda.empty_cache()"),
    cuda("coalesce_free_blocks(device=None)", |call| {
        chosen(call)?.allocator().coalesce();
        Ok(Value::None)
    })
    .aliases(&["enable_aggressive_coalescing", "garbage_collect"])
    .acts()
    .doc("Merges the cached blocks with their free neighbours.")
    .example("cuda.coalesce_free_blocks()"),
    cuda("memory_stats(device=None)", |call| Ok(stats(&measured(call)?)))
        .aliases(&["get_statistics"])
        .doc("The allocator's counters by name, in bytes and counts; `:mem stats` shows them.")
        .example("cuda.memory_stats()[\"fragmentation_ratio\"] >= 0"),
    cuda("memory_snapshot(device=None)", |call| Ok(snapshot(&measured(call)?)))
        .doc("Every segment with its blocks, as a list of dictionaries.")
        .example("len(cuda.memory_snapshot()) >= 0"),
    cuda("memory_summary(device=None)", |call| {
        let device = measured(call)?;
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

/// The device that the call names, else the session's.
pub(super) fn chosen(call: &Call<'_>) -> Result<Device, Fault> {
    Ok(call.device("device")?.unwrap_or_else(|| chosen_plain(call)))
}

/// The same, where what waits in a function has its memory, as it would have where nothing is lazy.
fn measured(call: &Call<'_>) -> Result<Device, Fault> {
    if call.engine().is_in_transaction() {
        call.engine().settle()?;
    }
    chosen(call)
}

pub(super) fn chosen_plain(call: &Call<'_>) -> Device {
    call.engine().device()
}

pub(super) fn bytes(count: usize) -> Value {
    Value::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn level(call: &Call<'_>, pick: fn(&AllocatorStats) -> usize) -> Outcome {
    Ok(bytes(pick(&measured(call)?.allocator().stats())))
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
        ("unused_share", Value::Float(stats.unused())),
        ("peak_fragmentation", Value::Float(stats.peak_fragmentation())),
        ("peak_allocated", bytes(stats.peak.allocated)),
        ("peak_memory_usage", bytes(stats.peak.allocated)),
        ("num_splits", count(stats.splits)),
        ("num_merges", count(stats.merges)),
        ("num_device_alloc", count(stats.segments_allocated)),
        ("num_device_free", count(stats.segments_released)),
        ("num_device_calls", count(stats.upstream_calls)),
        ("bytes_moved", count(stats.bytes_moved)),
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
            ("size", bytes(segment.bytes)),
            ("total_size", bytes(segment.bytes)),
            ("segment_type", Value::str(if segment.is_small { "small" } else { "large" })),
            ("blocks", Value::list(blocks.collect())),
        ])
    });
    Value::list(segments.collect())
}
