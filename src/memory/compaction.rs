//! Compaction: the pages of free memory behind each other.

use rustc_hash::FxHashMap;

use super::block::{BlockId, BlockState};
use super::heap::Heap;
use super::pages::Loose;
use super::segment::Origin;

impl Heap {
    /// Moves all that is free to one place behind each other, as far as pieces lie in free blocks.
    /// Returns the bytes that moved.
    pub fn compact(&mut self) -> usize {
        self.coalesce();
        self.settle_all();
        self.reunite(0);
        if self.streams.is_empty() {
            return 0;
        }
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
