//! Blocks: the pieces that segments are cut into.
//!
//! All blocks of an allocator live in one table and name each other by position in it, so that a
//! block costs no allocation of its own and its neighbours are one index away. The blocks of a
//! segment form a chain in address order that tiles the segment without holes.

use super::provenance::{BlockKind, StatementId};
use super::segment::SizeClass;

/// A block's place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BlockId(pub u32);

impl BlockId {
    /// No block: the end of a chain, and what an allocation of zero bytes owns.
    pub const NONE: BlockId = BlockId(u32::MAX);

    pub fn is_none(self) -> bool {
        self == BlockId::NONE
    }
}

/// Where a block is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockState {
    /// Somebody holds it.
    Live,
    /// Only what was before holds it: it comes back, or it goes when memory is wanted.
    Past,
    /// Nobody holds it, but another stream may still use it.
    Pending,
    /// Free, kept apart by its stream's cache of exact sizes; not merged with its neighbours.
    Cached,
    /// Free, in a pool, merged with every free neighbour of its stream.
    #[default]
    Free,
    /// Addresses of a paged segment with no memory behind them. No snapshot has such blocks.
    Unbacked,
}

/// A piece of a segment.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub address: u64,
    /// A multiple of the alignment.
    pub bytes: usize,
    /// What the holder asked for; 0 while nobody holds it.
    pub requested: usize,
    pub segment: u32,
    /// Neighbours in address order.
    pub prev: BlockId,
    pub next: BlockId,
    /// Neighbours in the free list or the cache stack that holds it.
    pub before: BlockId,
    pub after: BlockId,
    /// The stream that may use it without waiting, by its position in the allocator.
    pub stream: u16,
    pub state: BlockState,
    /// That of its segment: where it goes when it is free.
    pub class: SizeClass,
    pub kind: BlockKind,
    /// Whether another stream has used it since it was handed out.
    pub is_shared: bool,
    /// Whether it is the whole of a segment that goes back to the upstream with it.
    pub is_whole: bool,
    pub statement: StatementId,
    pub operation: &'static str,
}

/// The table.
#[derive(Debug, Default, Clone)]
pub(super) struct Blocks {
    entries: Vec<Block>,
    vacant: Vec<BlockId>,
}

impl Blocks {
    /// Adds a free block without neighbours.
    #[inline]
    pub fn add(
        &mut self,
        address: u64,
        bytes: usize,
        segment: u32,
        class: SizeClass,
        stream: u16,
    ) -> BlockId {
        let none = BlockId::NONE;
        let block = Block {
            address,
            bytes,
            requested: 0,
            segment,
            prev: none,
            next: none,
            before: none,
            after: none,
            stream,
            state: BlockState::Free,
            class,
            kind: BlockKind::default(),
            is_shared: false,
            is_whole: false,
            statement: StatementId::default(),
            operation: "",
        };
        match self.vacant.pop() {
            Some(id) => {
                self[id] = block;
                id
            }
            None => {
                self.entries.push(block);
                BlockId(self.entries.len() as u32 - 1)
            }
        }
    }

    /// Gives a block's place in the table away. The caller has taken it out of every chain.
    #[inline]
    pub fn remove(&mut self, id: BlockId) {
        self.vacant.push(id);
    }

    /// Cuts a block after `bytes` and returns the rest, a free block of the same stream.
    #[inline]
    pub fn split(&mut self, id: BlockId, bytes: usize) -> BlockId {
        let Block { address, bytes: whole, segment, class, stream, next, .. } = self[id];
        let rest = self.add(address + bytes as u64, whole - bytes, segment, class, stream);
        self[id].bytes = bytes;
        self[id].next = rest;
        self[rest].prev = id;
        self[rest].next = next;
        if !next.is_none() {
            self[next].prev = rest;
        }
        rest
    }

    /// Adds the block after `id` to it. The caller has taken that one out of its free list.
    #[inline]
    pub fn merge_next(&mut self, id: BlockId) {
        let next = self[id].next;
        let Block { bytes, next: after, .. } = self[next];
        self[id].bytes += bytes;
        self[id].next = after;
        if !after.is_none() {
            self[after].prev = id;
        }
        self.remove(next);
    }

    /// Cuts the part of a block out that begins at `address` and is `bytes` long. Returns it, with
    /// what was before it and behind it; the caller has taken the block out of its list.
    pub fn carve(
        &mut self,
        id: BlockId,
        address: u64,
        bytes: usize,
    ) -> (BlockId, Option<BlockId>, Option<BlockId>) {
        let before = (address - self[id].address) as usize;
        let (middle, before) = match before {
            0 => (id, None),
            before => (self.split(id, before), Some(id)),
        };
        let behind = (self[middle].bytes > bytes).then(|| self.split(middle, bytes));
        (middle, before, behind)
    }

    /// Exchanges the places of a block and the one after it. Gives the one that comes first now.
    pub fn swap_with_next(&mut self, id: BlockId) -> BlockId {
        let Block { address, prev, next, .. } = self[id];
        let after = self[next].next;
        (self[next].address, self[next].prev, self[next].next) = (address, prev, id);
        let behind = address + self[next].bytes as u64;
        (self[id].address, self[id].prev, self[id].next) = (behind, next, after);
        if !prev.is_none() {
            self[prev].next = next;
        }
        if !after.is_none() {
            self[after].prev = id;
        }
        next
    }

    /// A free block that is in no pool becomes what a block that is held is, and that one a part of a segment
    /// that nobody holds and no pool has.
    pub fn hand_over(&mut self, from: BlockId, to: BlockId, home: u16) {
        let Block { requested, stream, state, kind, is_shared, statement, operation, .. } =
            self[from].clone();
        let new = &mut self[to];
        (new.requested, new.stream, new.state, new.kind) = (requested, stream, state, kind);
        (new.is_shared, new.statement, new.operation) = (is_shared, statement, operation);
        let old = &mut self[from];
        (old.requested, old.stream, old.state, old.is_shared) = (0, home, BlockState::Live, false);
    }

    /// What is said about who made the one is said about the other.
    pub fn exchange_makers(&mut self, one: BlockId, other: BlockId) {
        let Block { kind, statement, operation, .. } = self[one].clone();
        let block = &mut self[other];
        let kind = std::mem::replace(&mut block.kind, kind);
        let statement = std::mem::replace(&mut block.statement, statement);
        let operation = std::mem::replace(&mut block.operation, operation);
        let block = &mut self[one];
        (block.kind, block.statement, block.operation) = (kind, statement, operation);
    }

    /// The blocks of a chain from `first` on, in address order.
    pub fn chain(&self, first: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let some = |id: BlockId| (!id.is_none()).then_some(id);
        std::iter::successors(some(first), move |id| some(self[*id].next))
    }
}

impl std::ops::Index<BlockId> for Blocks {
    type Output = Block;

    #[inline]
    fn index(&self, id: BlockId) -> &Block {
        &self.entries[id.0 as usize]
    }
}

impl std::ops::IndexMut<BlockId> for Blocks {
    #[inline]
    fn index_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.entries[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_and_merge_keep_the_chain() {
        let mut blocks = Blocks::default();
        let a = blocks.add(4096, 4096, 0, SizeClass::Small, 0);
        let c = blocks.split(a, 1024);
        let b = blocks.split(a, 512);
        assert_eq!(blocks.chain(a).collect::<Vec<_>>(), [a, b, c]);
        assert_eq!((blocks[b].address, blocks[b].bytes), (4608, 512));
        assert_eq!((blocks[c].address, blocks[c].bytes), (5120, 3072));
        blocks.merge_next(b);
        assert_eq!(blocks.chain(a).collect::<Vec<_>>(), [a, b]);
        assert_eq!(blocks[b].bytes, 3584);
        assert_eq!(blocks.swap_with_next(a), b);
        assert_eq!(blocks.chain(b).collect::<Vec<_>>(), [b, a]);
        assert_eq!((blocks[b].address, blocks[a].address, blocks[a].prev), (4096, 7680, b));
        blocks.merge_next(b);
        assert_eq!((blocks[b].bytes, blocks[b].next), (4096, BlockId::NONE));
    }
}
