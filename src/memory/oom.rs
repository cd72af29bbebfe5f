//! What the heap says about itself when a request fails, and about the statements it serves.

use std::collections::HashSet;
use std::sync::Arc;

use super::error::{OutOfMemory, Shortage};
use super::heap::Heap;
use super::history::{Action, TraceEntry};
use super::provenance::StatementId;
use super::segment::round_size;
use super::stats::Tally;
use super::upstream::{StreamId, UpstreamError};

impl Heap {
    /// Gathers every number that explains a failed request, and counts it.
    #[cold]
    pub fn out_of_memory(
        &mut self,
        bytes: usize,
        stream: StreamId,
        cause: UpstreamError,
        has_collected: bool,
    ) -> OutOfMemory {
        self.counters.tally(Tally::OutOfMemory);
        let memory = self.upstream.mem_info();
        self.history.tick();
        self.history.push(TraceEntry {
            action: Action::OutOfMemory,
            address: memory.free as u64,
            bytes,
            stream,
            time_us: 0,
            statement: self.statements.current(),
            kind: Default::default(),
            operation: "",
        });
        let stats = self.stats();
        let reachable = stats.now.reserved.saturating_add(memory.free);
        let reachable = self.limit.map_or(reachable, |limit| limit.min(reachable));
        let needed = stats.now.allocated.saturating_add(bytes);
        let short = needed.saturating_sub(reachable);
        self.counters.refused(bytes, short);
        let mut steps = vec!["events", "pool", "trim"];
        if has_collected {
            steps.push("collect");
        }
        OutOfMemory::from(Shortage {
            device: self.upstream.name().to_string(),
            requested: bytes,
            allocated: stats.now.allocated,
            reserved: stats.now.reserved,
            free_in_pools: stats.free(),
            largest_free: stats.largest_free,
            pending: stats.now.active - stats.now.allocated,
            limit: self.limit,
            fraction: self.config.memory_fraction,
            short,
            device_free: memory.free,
            device_total: memory.total,
            steps,
            cause: Some(cause).filter(|cause| *cause != UpstreamError::OutOfMemory),
        })
    }

    /// Makes `id` the statement of what is allocated from here on.
    pub fn set_statement(&mut self, id: StatementId, text: Arc<str>) {
        self.statements.set(id, text, self.history.now_us());
        if self.statements.wants_sweep() {
            let of_events = self.history.entries().map(|entry| entry.statement);
            let mut used: HashSet<StatementId> = of_events.collect();
            for (_, segment) in self.segments.iter() {
                used.insert(segment.statement);
                used.extend(self.blocks.chain(segment.first).map(|id| self.blocks[id].statement));
            }
            self.statements.sweep(|id| used.contains(&id));
        }
    }

    /// Whether a request could be served without the slow path.
    pub fn has_fitting(&mut self, bytes: usize, stream: StreamId) -> bool {
        let Some(bytes) = round_size(bytes) else { return false };
        let home = usize::from(self.stream_index(stream));
        self.streams[home].has_fitting(&self.blocks, bytes)
    }
}
