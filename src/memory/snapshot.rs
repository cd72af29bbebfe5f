//! A picture of an allocator: every segment, every block, and who made it.
//!
//! A snapshot is plain data, taken under the lock and looked at without it. Names of variables are
//! not known down here: whoever owns the scope adds them with [`Snapshot::set_holders`].

use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::block::{BlockId, BlockState};
use super::heap::Heap;
use super::history::TraceEntry;
use super::holder_name::HolderName;
use super::provenance::{BlockKind, Place, StatementId};
use super::segment::{Origin, Segment, SizeClass};
use super::stats::AllocatorStats;
use super::upstream::{MemInfo, StreamId};

/// The whole picture.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The upstream's name.
    pub device: String,
    pub memory: MemInfo,
    /// By the number that stays theirs while they are held: where the upstream happens to put one
    /// changes nothing.
    pub segments: Vec<SegmentInfo>,
    /// The last events, oldest first.
    pub history: Vec<TraceEntry>,
    /// The texts of the statements that blocks and events name, as far as they are still known.
    pub statements: HashMap<StatementId, Arc<str>>,
    /// How long statements ran, in microseconds, as far as there was a history meanwhile.
    pub times_us: HashMap<StatementId, u64>,
    /// Where they stand, as far as somebody has said so ([`Snapshot::set_places`]).
    pub places: HashMap<StatementId, Place>,
    pub stats: AllocatorStats,
}

/// One segment.
#[derive(Debug, Clone)]
pub struct SegmentInfo {
    pub address: u64,
    pub bytes: usize,
    /// Whether it serves small requests.
    pub is_small: bool,
    /// Whether its pages can move to other addresses. Segments of one range of addresses follow each other.
    pub is_paged: bool,
    /// The stream it was allocated for.
    pub stream: StreamId,
    /// The statement that needed it.
    pub statement: StatementId,
    /// In address order, without holes.
    pub blocks: Vec<BlockInfo>,
}

/// One block.
#[derive(Debug, Clone)]
pub struct BlockInfo {
    pub address: u64,
    pub bytes: usize,
    /// What the holder asked for; 0 while it is free, or only the past holds it.
    pub requested: usize,
    pub state: BlockState,
    pub stream: StreamId,
    pub kind: BlockKind,
    pub statement: StatementId,
    pub operation: &'static str,
    /// The variables that hold it.
    pub holders: SmallVec<[HolderName; 1]>,
}

impl BlockInfo {
    /// Whether somebody holds it or another stream may still use it.
    pub fn is_active(&self) -> bool {
        matches!(self.state, BlockState::Live | BlockState::Pending)
    }

    /// The names of the variables that hold it.
    pub fn names(&self) -> String {
        HolderName::list(&self.holders)
    }
}

impl Snapshot {
    /// Notes which variables hold which block. An address anywhere inside a block names it, so a
    /// view's own address will do.
    pub fn set_holders(&mut self, holders: impl IntoIterator<Item = (u64, HolderName)>) {
        let mut starts: Vec<(u64, usize, usize)> = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            starts
                .extend(segment.blocks.iter().enumerate().map(|(b, block)| (block.address, at, b)));
        }
        starts.sort_unstable();
        // Behind the block that was named last. What is in one list often lies in its order.
        let mut below = 0;
        for (address, name) in holders {
            let is_behind = |at: usize| {
                let before = at.checked_sub(1).and_then(|at| starts.get(at));
                before.is_some_and(|start| start.0 <= address)
                    && starts.get(at).is_none_or(|start| start.0 > address)
            };
            let near = [below + 1, below].into_iter().find(|at| is_behind(*at));
            below = near.unwrap_or_else(|| starts.partition_point(|start| start.0 <= address));
            let Some((_, segment, block)) = below.checked_sub(1).map(|at| starts[at]) else {
                continue;
            };
            let block = &mut self.segments[segment].blocks[block];
            let is_inside = address - block.address < block.bytes as u64;
            if is_inside && block.is_active() && !block.holders.contains(&name) {
                block.holders.push(name);
            }
        }
    }

    /// Notes where the statements stand that segments, blocks and events name.
    pub fn set_places(&mut self, place_of: impl Fn(StatementId) -> Option<Place>) {
        let named = self.statements.keys().filter_map(|id| Some((*id, place_of(*id)?)));
        self.places = named.collect();
    }

    /// Every block of every segment, within a segment in address order.
    pub fn blocks(&self) -> impl Iterator<Item = &BlockInfo> {
        self.segments.iter().flat_map(|segment| &segment.blocks)
    }

    /// The block that holds an address.
    pub fn block_at(&self, address: u64) -> Option<&BlockInfo> {
        let is_inside = |start: u64, bytes: usize| {
            address.checked_sub(start).is_some_and(|from| from < bytes as u64)
        };
        let segments = self.segments.iter().filter(|s| is_inside(s.address, s.bytes));
        let mut found = segments.filter_map(|segment| {
            let below = segment.blocks.partition_point(|block| block.address <= address);
            segment.blocks.get(below.checked_sub(1)?)
        });
        found.find(|block| is_inside(block.address, block.bytes))
    }

    /// The text of a statement, or its number where the text is no longer known.
    pub fn statement_text(&self, id: StatementId) -> String {
        self.statements.get(&id).map_or_else(|| format!("statement {}", id.0), ToString::to_string)
    }

    /// Pickle protocol 2 in the form of PyTorch's `torch.cuda.memory._snapshot()`, which
    /// pytorch.org/memory_viz opens: of several devices, by their numbers there.
    pub fn to_pickle(snapshots: &[Snapshot]) -> Vec<u8> {
        super::pickle::pickle_snapshots(snapshots)
    }
}

impl Heap {
    /// Takes the picture.
    pub(super) fn snapshot(&mut self) -> Snapshot {
        let mut segments: Vec<SegmentInfo> = Vec::new();
        for (_, segment) in self.segments.iter() {
            let ids: Vec<BlockId> = self.blocks.chain(segment.first).collect();
            // What lies between addresses without memory is a segment to whoever looks at it.
            let parts = ids.split(|id| self.blocks[*id].state == BlockState::Unbacked);
            let parts = parts.filter(|part| !part.is_empty());
            segments.extend(parts.map(|part| self.picture(segment, part)));
        }
        let history: Vec<TraceEntry> = self.history.entries().copied().collect();
        let blocks = segments.iter().flat_map(|segment| &segment.blocks);
        let named = blocks.map(|block| block.statement).chain(history.iter().map(|e| e.statement));
        let named = named.chain(segments.iter().map(|segment| segment.statement));
        let mut statements = HashMap::new();
        let mut latest = None;
        for id in named {
            // Neighbours are often of one statement.
            if latest.replace(id) != Some(id)
                && let std::collections::hash_map::Entry::Vacant(entry) = statements.entry(id)
                && let Some(text) = self.statements.text(id)
            {
                entry.insert(text);
            }
        }
        Snapshot {
            device: self.upstream.name().to_string(),
            memory: self.upstream.mem_info(),
            segments,
            history,
            statements,
            times_us: self.statements.times_us().collect(),
            places: HashMap::new(),
            stats: self.stats(),
        }
    }

    fn picture(&self, segment: &Segment, part: &[BlockId]) -> SegmentInfo {
        let blocks = part.iter().map(|id| {
            let block = &self.blocks[*id];
            BlockInfo {
                address: block.address,
                bytes: block.bytes,
                requested: if block.state == BlockState::Past { 0 } else { block.requested },
                state: block.state,
                stream: self.streams[usize::from(block.stream)].id,
                kind: block.kind,
                statement: block.statement,
                operation: block.operation,
                holders: SmallVec::new(),
            }
        });
        let blocks: Vec<BlockInfo> = blocks.collect();
        SegmentInfo {
            address: blocks.first().map_or(segment.address, |block| block.address),
            bytes: blocks.iter().map(|block| block.bytes).sum(),
            is_small: segment.class == SizeClass::Small,
            is_paged: segment.origin == Origin::Paged,
            stream: self.streams[usize::from(segment.stream)].id,
            statement: segment.statement,
            blocks,
        }
    }

    /// The counters, and the one figure that is looked up when somebody asks.
    pub(super) fn stats(&self) -> AllocatorStats {
        let pools = self.streams.iter().flat_map(|stream| &stream.pools);
        let largest_free = pools.map(|pool| pool.largest(&self.blocks)).max().unwrap_or(0);
        AllocatorStats { largest_free, ..*self.counters.get() }
    }
}
