//! Compaction: blocks that are held behind each other, and the pages of free memory behind each other.

use std::collections::HashSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::block::{BlockId, BlockState};
use super::heap::Heap;
use super::pages::Loose;
use super::segment::Origin;
use super::{Allocation, Allocator, AllocatorStats, Provenance, StreamId};

/// What a compaction has done, or would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compacted {
    /// Blocks that were held and copied, and their bytes.
    pub blocks: usize,
    pub bytes: usize,
    /// Bytes of pages of free memory that are behind other addresses now.
    pub pages: usize,
    /// Bytes of segments in which something was held, and nothing is any more.
    pub emptied: usize,
}

impl Compacted {
    /// Whether anything has moved.
    pub fn has_moved(&self) -> bool {
        self.bytes + self.pages > 0
    }
}

impl Allocator {
    /// Moves what is held together, as far as it may move, and then the pages of all that is free, after
    /// waiting for all work. Where an allocation moves, its address is another afterwards. Whoever calls this
    /// knows that nobody keeps an address of those that may move, which are this allocator's.
    pub fn compact(&self, movable: &[&Allocation]) -> Compacted {
        let mut heap = self.lock();
        let mut holders: FxHashMap<BlockId, &Allocation> =
            movable.iter().map(|held| (held.block(), *held)).collect();
        let (done, moves) = heap.compact(holders.keys().copied().collect());
        for (from, to) in moves {
            if let Some(holder) = holders.remove(&from) {
                holder.set_place(to, heap.blocks[to].address);
                holders.insert(to, holder);
            }
        }
        done
    }

    /// What [`compact`](Allocator::compact) would do, and the counters after it.
    pub fn rehearse_compaction(&self, movable: &[&Allocation]) -> (Compacted, AllocatorStats) {
        let mut heap = self.lock().rehearsal(&HashSet::new(), usize::MAX);
        let (done, _) = heap.compact(movable.iter().map(|held| held.block()).collect());
        (done, heap.stats())
    }

    /// Compacts if a request that is refused now is served then; else nothing happens.
    pub fn compact_for(
        &self,
        bytes: usize,
        stream: StreamId,
        movable: &[&Allocation],
    ) -> Option<Compacted> {
        let ids = movable.iter().map(|held| held.block()).collect();
        let serves = self.lock().serves_compacted(bytes, stream, ids);
        serves.then(|| self.compact(movable)).filter(Compacted::has_moved)
    }
}

impl Heap {
    /// Compacts; also says which block is which other one now.
    pub fn compact(&mut self, movable: FxHashSet<BlockId>) -> (Compacted, Vec<(BlockId, BlockId)>) {
        let mut done = Compacted::default();
        self.settle_all();
        self.coalesce();
        self.reunite(0);
        if self.streams.is_empty() {
            return (done, Vec::new());
        }
        self.upstream.synchronize_all();
        let moves = self.relocate(movable, &mut done);
        self.upstream.synchronize_stream(self.streams[0].id);
        done.pages = self.compact_pages();
        (done, moves)
    }

    /// Whether a request that is refused now would be served after compaction.
    pub fn serves_compacted(
        &self,
        bytes: usize,
        stream: StreamId,
        movable: FxHashSet<BlockId>,
    ) -> bool {
        let mut heap = self.rehearsal(&HashSet::new(), 0);
        heap.compact(movable);
        heap.allocate(bytes.max(1), stream, Provenance::TEMPORARY).is_ok()
    }

    /// Moves all that is free to one place behind each other, as far as pieces lie in free blocks.
    /// Returns the bytes that moved.
    fn compact_pages(&mut self) -> usize {
        let Some(page) = self.page else { return 0 };
        let loose = self.loose_pieces(Some(0), None);
        let all: usize = loose.iter().map(|it| it.bytes).sum();
        let mut own: FxHashMap<BlockId, usize> = FxHashMap::default();
        for it in &loose {
            *own.entry(it.block).or_default() += it.bytes;
        }
        // Behind the free block with which the whole is longest.
        let mut best: Option<(usize, u32, u64, BlockId)> = None;
        for (at, segment) in self.segments.iter().filter(|(_, it)| it.origin == Origin::Paged) {
            for id in self.blocks.chain(segment.first) {
                let block = &self.blocks[id];
                let before = (!block.prev.is_none()).then(|| &self.blocks[block.prev]);
                let before = before.filter(|it| it.state == BlockState::Free && it.stream == 0);
                let (kept, own, bytes) = match before {
                    Some(before) => {
                        (block.prev, own.get(&block.prev).copied().unwrap_or(0), before.bytes)
                    }
                    None => (BlockId::NONE, 0, 0),
                };
                let is_gap = block.state == BlockState::Unbacked && block.bytes >= all - own;
                let whole = bytes + all - own;
                if is_gap && best.is_none_or(|(most, ..)| whole > most) {
                    best = Some((whole, at, block.address, kept));
                }
            }
        }
        let (segment, address, kept, is_new) = match best {
            Some((_, segment, address, kept)) => (segment, address, kept, false),
            None if all == 0 => return 0,
            None => match self.reserve(all, page, 0) {
                Ok((segment, address)) => (segment, address, BlockId::NONE, true),
                Err(_) => return 0,
            },
        };
        let longest = self.stats().largest_free;
        let loose: Vec<Loose> = loose.iter().filter(|it| it.block != kept).copied().collect();
        let bytes: usize = loose.iter().map(|it| it.bytes).sum();
        let whole = if kept.is_none() { bytes } else { self.blocks[kept].bytes + bytes };
        let is_done = whole > longest
            && bytes > 0
            && self.back(segment, &[(address, bytes)], loose, 0, page).is_ok();
        if is_new && !is_done {
            self.unreserve(segment);
        }
        if is_done { bytes } else { 0 }
    }
}
