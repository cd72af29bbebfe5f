//! A snapshot as JSON.

use serde_json::{Value, json};

use super::block::BlockState;
use super::history::TraceEntry;
use super::provenance::StatementId;
use super::snapshot::{BlockInfo, SegmentInfo, Snapshot};
use super::stats::AllocatorStats;

impl Snapshot {
    /// One device's facts as [`Snapshot::to_json`] has them, several devices' in a list under `devices`.
    pub fn json_of(snapshots: &[Snapshot]) -> Value {
        match snapshots {
            [only] => only.to_json(),
            several => {
                json!({ "devices": several.iter().map(Snapshot::to_json).collect::<Vec<_>>() })
            }
        }
    }

    /// The same facts as JSON, under this project's own names.
    pub fn to_json(&self) -> Value {
        let text = |id: StatementId| self.statements.get(&id).map(|text| &**text);
        let place = |id: StatementId| {
            self.places.get(&id).map(|place| format!("{}:{}", place.file, place.line))
        };
        let block = |block: &BlockInfo| {
            json!({
                "address": block.address, "bytes": block.bytes, "requested": block.requested,
                "state": state_name(block.state), "stream": block.stream.0,
                "kind": block.kind.name(), "statement": block.statement.0,
                "text": text(block.statement), "place": place(block.statement),
                "operation": block.operation, "holders": block.holders,
            })
        };
        let segment = |segment: &SegmentInfo| {
            json!({
                "address": segment.address, "bytes": segment.bytes, "small": segment.is_small, "paged": segment.is_paged,
                "stream": segment.stream.0, "statement": segment.statement.0,
                "text": text(segment.statement), "place": place(segment.statement), "blocks": segment.blocks.iter().map(block).collect::<Vec<_>>(),
            })
        };
        let event = |event: &TraceEntry| {
            json!({
                "action": event.action.name(), "address": event.address, "bytes": event.bytes,
                "stream": event.stream.0, "time_us": event.time_us, "statement": event.statement.0,
                "text": text(event.statement), "place": place(event.statement),
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
        BlockState::Unbacked => "unbacked",
    }
}
