//! A snapshot as JSON.

use serde_json::{Value, json};

use super::block::BlockState;
use super::history::TraceEntry;
use super::snapshot::{BlockInfo, SegmentInfo, Snapshot};
use super::stats::AllocatorStats;

impl Snapshot {
    /// The same facts as JSON, under this project's own names.
    pub fn to_json(&self) -> Value {
        let block = |block: &BlockInfo| {
            json!({
                "address": block.address, "bytes": block.bytes, "requested": block.requested,
                "state": state_name(block.state), "stream": block.stream.0,
                "kind": block.kind.name(), "statement": block.statement.0,
                "text": self.statements.get(&block.statement).map(|text| &**text),
                "operation": block.operation, "holders": block.holders,
            })
        };
        let segment = |segment: &SegmentInfo| {
            json!({
                "address": segment.address, "bytes": segment.bytes, "small": segment.is_small,
                "stream": segment.stream.0, "blocks": segment.blocks.iter().map(block).collect::<Vec<_>>(),
            })
        };
        let event = |event: &TraceEntry| {
            json!({
                "action": event.action.name(), "address": event.address, "bytes": event.bytes,
                "stream": event.stream.0, "time_us": event.time_us, "statement": event.statement.0,
                "kind": event.kind.name(), "operation": event.operation,
            })
        };
        let AllocatorStats { now, peak, .. } = self.stats;
        json!({
            "device": self.device,
            "total": (self.memory.total != usize::MAX).then_some(self.memory.total),
            "allocated": now.allocated, "requested": now.requested, "active": now.active,
            "reserved": now.reserved, "peak_allocated": peak.allocated, "peak_reserved": peak.reserved,
            "segments": self.segments.iter().map(segment).collect::<Vec<_>>(),
            "history": self.history.iter().map(event).collect::<Vec<_>>(),
        })
    }
}

fn state_name(state: BlockState) -> &'static str {
    match state {
        BlockState::Live => "live",
        BlockState::Past => "past",
        BlockState::Pending => "pending",
        BlockState::Cached => "cached",
        BlockState::Free => "free",
    }
}
