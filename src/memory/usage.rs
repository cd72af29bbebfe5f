//! Who asked for memory, and what was live at the highest moment: read from a snapshot's history.

use std::collections::HashMap;

use super::history::{Action, TraceEntry};
use super::provenance::StatementId;
use super::snapshot::Snapshot;

/// What one statement asked for since the history begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    pub statement: StatementId,
    pub allocations: usize,
    /// Bytes of all requests.
    pub bytes: u64,
    /// The most of them that were live at once.
    pub at_once: u64,
    /// What is live of them now.
    pub live: u64,
    /// How long it ran, in microseconds, while there was a history: inside blocks and functions from a line's
    /// request on until another line asks.
    pub time_us: u64,
}

/// The highest moment that the history tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighPoint {
    /// Requested bytes that were live.
    pub bytes: u64,
    /// The statement that reached it; none where it was before the first event.
    pub reached_by: Option<StatementId>,
    pub blocks: Vec<Held>,
}

/// A block that was live then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    pub address: u64,
    pub bytes: u64,
    /// Who asked for it; none where that was before the first event and it has been freed since.
    pub statement: Option<StatementId>,
    /// Whether it is live now, too.
    pub is_live: bool,
}

impl Snapshot {
    /// What each statement of the history asked for, the most first.
    pub fn asked(&self) -> Vec<Asked> {
        let mut found: HashMap<StatementId, Asked> = HashMap::new();
        let mut makers: HashMap<u64, StatementId> = HashMap::new();
        for event in &self.history {
            match event.action {
                Action::Allocate => {
                    let statement = event.statement;
                    let time_us = self.times_us.get(&statement).copied().unwrap_or(0);
                    let (allocations, bytes, at_once, live) = Default::default();
                    let nothing = Asked { statement, allocations, bytes, at_once, live, time_us };
                    let asked = found.entry(statement).or_insert(nothing);
                    asked.allocations += 1;
                    asked.bytes += event.bytes as u64;
                    asked.live += event.bytes as u64;
                    asked.at_once = asked.at_once.max(asked.live);
                    makers.insert(event.address, statement);
                }
                Action::FreeRequested => {
                    let maker = makers.remove(&event.address);
                    if let Some(asked) = maker.and_then(|statement| found.get_mut(&statement)) {
                        asked.live = asked.live.saturating_sub(event.bytes as u64);
                    }
                }
                Action::FreeCompleted
                | Action::SegmentAllocate
                | Action::SegmentFree
                | Action::SegmentMap
                | Action::SegmentUnmap
                | Action::OutOfMemory => {}
            }
        }
        let mut asked: Vec<Asked> = found.into_values().collect();
        asked.sort_by_key(|asked| (std::cmp::Reverse(asked.bytes), asked.statement));
        asked
    }

    /// What was live at the highest moment: the history is taken back from the present to it.
    pub fn high_point(&self) -> HighPoint {
        let present = || self.blocks().filter(|block| block.requested > 0 && block.is_active());
        let mut level: u64 = present().map(|block| block.requested as u64).sum();
        let (mut most, mut events) = (level, self.history.len());
        for (at, event) in self.history.iter().enumerate().rev() {
            level = level.saturating_add_signed(-change(event));
            if level > most {
                (most, events) = (level, at);
            }
        }
        let mut held: HashMap<u64, Held> = present()
            .map(|block| {
                let (address, bytes) = (block.address, block.requested as u64);
                (address, Held { address, bytes, statement: Some(block.statement), is_live: true })
            })
            .collect();
        for event in self.history[events..].iter().rev() {
            match event.action {
                Action::Allocate => drop(held.remove(&event.address)),
                Action::FreeRequested => {
                    let (address, bytes) = (event.address, event.bytes as u64);
                    held.insert(address, Held { address, bytes, statement: None, is_live: false });
                }
                _ => {}
            }
        }
        for event in self.history[..events].iter().filter(|e| e.action == Action::Allocate) {
            if let Some(block) = held.get_mut(&event.address) {
                block.statement = Some(event.statement);
            }
        }
        let mut blocks: Vec<Held> = held.into_values().collect();
        blocks.sort_by_key(|block| (std::cmp::Reverse(block.bytes), block.address));
        let reached_by = self.history[..events].last().map(|event| event.statement);
        HighPoint { bytes: most, reached_by, blocks }
    }
}

/// By how much an event changed what is live.
fn change(event: &TraceEntry) -> i64 {
    match event.action {
        Action::Allocate => event.bytes as i64,
        Action::FreeRequested => -(event.bytes as i64),
        Action::FreeCompleted
        | Action::SegmentAllocate
        | Action::SegmentFree
        | Action::SegmentMap
        | Action::SegmentUnmap
        | Action::OutOfMemory => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Allocator, AllocatorConfig, Provenance, SimUpstream};
    use super::*;

    /// An allocator whose history is a thousand events, and one in which each statement is a number.
    fn allocator() -> Allocator {
        let config = AllocatorConfig { history_len: 1000, ..AllocatorConfig::default() };
        Allocator::new(Box::new(SimUpstream::new("sim", 1 << 30)), config).unwrap()
    }

    #[test]
    fn the_highest_moment_is_found_again() {
        let allocator = allocator();
        let ask = |statement: u32, bytes: usize| {
            allocator.set_statement(StatementId(statement), format!("s{statement}").into());
            let stream = super::super::StreamId::DEFAULT;
            allocator.allocate(bytes, stream, Provenance::VARIABLE).unwrap()
        };
        let kept = ask(1, 5000);
        let (a, b) = (ask(2, 70_000), ask(2, 1_000));
        drop(a);
        let c = ask(3, 60_000);
        drop(b);
        let snapshot = allocator.snapshot();
        let high = snapshot.high_point();
        assert_eq!((high.bytes, high.reached_by), (76_000, Some(StatementId(2))));
        let blocks =
            high.blocks.iter().map(|held| (held.bytes, held.statement.unwrap().0, held.is_live));
        assert_eq!(
            blocks.collect::<Vec<_>>(),
            [(70_000, 2, false), (5000, 1, true), (1000, 2, false)]
        );
        let asked = snapshot.asked();
        let row = |at: usize| {
            let asked: Asked = asked[at];
            (asked.statement.0, asked.allocations, asked.bytes, asked.at_once, asked.live)
        };
        assert_eq!(row(0), (2, 2, 71_000, 71_000, 0));
        assert_eq!(row(1), (3, 1, 60_000, 60_000, 60_000));
        drop((kept, c));
    }
}
