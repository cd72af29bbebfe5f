//! The history: the last events, in a ring.
//!
//! Events are written in the order that a viewer replays them in: a segment is allocated before a
//! block in it, a block is freed before its segment goes. The ring drops the oldest first, so what
//! it holds always leads up to the present state and can be replayed backwards from it.
//!
//! Reading a clock costs as much as allocating. Events therefore carry the time of the last
//! statement or upstream call before them, unless somebody profiles; their order is exact.

use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

use super::provenance::{BlockKind, StatementId};
use super::upstream::StreamId;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Allocate,
    /// The holder let go; another stream may still use the block.
    FreeRequested,
    FreeCompleted,
    SegmentAllocate,
    SegmentFree,
    /// A part of a paged segment got memory, or lost it.
    SegmentMap,
    SegmentUnmap,
    /// A request failed; `address` is what the device had free.
    OutOfMemory,
}

impl Action {
    /// The name in a PyTorch memory snapshot.
    pub fn name(self) -> &'static str {
        match self {
            Action::Allocate => "alloc",
            Action::FreeRequested => "free_requested",
            Action::FreeCompleted => "free_completed",
            Action::SegmentAllocate => "segment_alloc",
            Action::SegmentFree => "segment_free",
            Action::SegmentMap => "segment_map",
            Action::SegmentUnmap => "segment_unmap",
            Action::OutOfMemory => "oom",
        }
    }
}

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceEntry {
    pub action: Action,
    pub address: u64,
    /// Requested bytes of a block, whole bytes of a segment.
    pub bytes: usize,
    pub stream: StreamId,
    /// Microseconds since 1970.
    pub time_us: u64,
    pub statement: StatementId,
    pub kind: BlockKind,
    pub operation: &'static str,
}

/// The ring.
#[derive(Debug, Default)]
pub(super) struct History {
    entries: VecDeque<TraceEntry>,
    capacity: usize,
    now_us: u64,
    /// Whether each event reads the clock.
    is_exact: bool,
}

impl History {
    pub fn new(capacity: usize) -> History {
        let mut history =
            History { entries: VecDeque::new(), capacity, now_us: 0, is_exact: false };
        history.tick();
        history
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.capacity > 0
    }

    /// Keeps the last `capacity` events from here on.
    pub fn resize(&mut self, capacity: usize) {
        self.capacity = capacity;
        self.entries.drain(..self.entries.len().saturating_sub(capacity));
        self.tick();
    }

    /// Reads the clock.
    pub fn tick(&mut self) {
        if self.is_on() {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            self.now_us = self.now_us.max(since.as_micros() as u64);
        }
    }

    /// The time last read, in microseconds since 1970.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    pub fn set_exact(&mut self, is_exact: bool) {
        self.is_exact = is_exact;
    }

    /// Adds an event at the time last read.
    #[inline]
    pub fn push(&mut self, mut entry: TraceEntry) {
        if !self.is_on() {
            return;
        }
        if self.is_exact {
            self.tick();
        }
        if self.entries.len() >= self.capacity {
            self.entries.pop_front();
        }
        entry.time_us = self.now_us;
        self.entries.push_back(entry);
    }

    /// The events, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &TraceEntry> {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_drops_the_oldest() {
        let mut history = History::new(2);
        let entry = |address| TraceEntry {
            action: Action::Allocate,
            address,
            bytes: 1,
            stream: StreamId::DEFAULT,
            time_us: 0,
            statement: StatementId(0),
            kind: BlockKind::Temporary,
            operation: "",
        };
        (1..=3).for_each(|address| history.push(entry(address)));
        assert_eq!(history.entries().map(|entry| entry.address).collect::<Vec<_>>(), [2, 3]);
        history.resize(1);
        assert_eq!(history.entries().map(|entry| entry.address).collect::<Vec<_>>(), [3]);
        history.resize(0);
        history.push(entry(4));
        assert_eq!(history.entries().count(), 0);
    }
}
