//! A snapshot as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::block::BlockState;
use super::history::TraceEntry;
use super::holder_name::HolderName;
use super::provenance::StatementId;
use super::snapshot::{BlockInfo, SegmentInfo, Snapshot};
use super::stats::AllocatorStats;

impl Snapshot {
    /// Facts of one device, or of several in a list under `devices`, as the text of JSON under this project's
    /// own names. What there may be a hundred thousand of, blocks and events, is written one by one.
    pub fn to_json(snapshots: &[Snapshot]) -> Vec<u8> {
        let mut text = String::new();
        match snapshots {
            [only] => only.write_json(&mut text),
            several => {
                text.push_str("{\"devices\":");
                list(&mut text, several, |text, snapshot| snapshot.write_json(text));
                text.push('}');
            }
        }
        text.into_bytes()
    }

    fn write_json(&self, text: &mut String) {
        let AllocatorStats { now, peak, .. } = self.stats;
        open(
            text,
            &json!({
                "device": self.device,
                "total": (self.memory.total != usize::MAX).then_some(self.memory.total),
                "allocated": now.allocated, "requested": now.requested, "active": now.active,
                "reserved": now.reserved, "peak_allocated": peak.allocated, "peak_reserved": peak.reserved,
            }),
        );
        text.push_str(",\"segments\":");
        list(text, &self.segments, |text, segment| {
            open(text, &self.segment_facts(segment));
            text.push_str(",\"blocks\":");
            list(text, &segment.blocks, |text, block| put(text, &self.block_facts(block)));
            text.push('}');
        });
        text.push_str(",\"history\":");
        list(text, &self.history, |text, event| put(text, &self.event_facts(event)));
        text.push('}');
    }

    fn text_at(&self, id: StatementId) -> Option<&str> {
        self.statements.get(&id).map(|text| &**text)
    }

    fn place_at(&self, id: StatementId) -> Option<String> {
        self.places.get(&id).map(|place| format!("{}:{}", place.file, place.line))
    }

    fn block_facts(&self, block: &BlockInfo) -> Value {
        json!({
            "address": block.address, "bytes": block.bytes, "requested": block.requested,
            "state": state_name(block.state), "stream": block.stream.0,
            "kind": block.kind.name(), "statement": block.statement.0,
            "text": self.text_at(block.statement), "place": self.place_at(block.statement),
            "operation": block.operation, "holders": block.holders.iter().map(HolderName::to_string).collect::<Vec<_>>(),
        })
    }

    fn segment_facts(&self, segment: &SegmentInfo) -> Value {
        json!({
            "address": segment.address, "bytes": segment.bytes, "small": segment.is_small,
            "paged": segment.is_paged, "stream": segment.stream.0,
            "statement": segment.statement.0,
            "text": self.text_at(segment.statement), "place": self.place_at(segment.statement),
        })
    }

    fn event_facts(&self, event: &TraceEntry) -> Value {
        json!({
            "action": event.action.name(), "address": event.address, "bytes": event.bytes,
            "stream": event.stream.0, "time_us": event.time_us, "statement": event.statement.0,
            "text": self.text_at(event.statement), "place": self.place_at(event.statement),
            "kind": event.kind.name(), "operation": event.operation,
        })
    }
}

fn put(text: &mut String, facts: &Value) {
    // Writing to a text does not fail.
    let _ = write!(text, "{facts}");
}

/// Writes an object, and leaves it open for more.
fn open(text: &mut String, facts: &Value) {
    put(text, facts);
    text.pop();
}

fn list<T>(text: &mut String, items: &[T], write: impl Fn(&mut String, &T)) {
    text.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        write(text, item);
    }
    text.push(']');
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
