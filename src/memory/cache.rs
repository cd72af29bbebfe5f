//! A stream's cache of exact sizes: the first level, for small blocks.
//!
//! One stack per size, indexed by the size itself, so that both a hit and a return are a handful
//! of loads. The blocks in it are not merged with their neighbours: a program that asks for the
//! same sizes again and again (and scalars and short vectors come in few sizes) neither splits nor
//! merges. Large blocks never come here: one parked uncut would cost megabytes, and the pool
//! serves them in constant time as well.

use super::block::{BlockId, Blocks};
use super::{ALIGNMENT, SMALL_LIMIT};

const STACKS: usize = SMALL_LIMIT / ALIGNMENT + 1;

/// Stacks of small blocks by size in units of the alignment.
#[derive(Debug, Clone)]
pub(super) struct StreamCache {
    stacks: Box<[BlockId]>,
    /// One bit per stack that holds something, for emptying the cache without a look at all.
    filled: [u64; STACKS.div_ceil(64)],
    len: usize,
    capacity: usize,
}

impl StreamCache {
    pub fn new(capacity: usize) -> StreamCache {
        let stacks = vec![BlockId::NONE; STACKS].into_boxed_slice();
        StreamCache { stacks, filled: [0; STACKS.div_ceil(64)], len: 0, capacity }
    }

    /// The caller has emptied the cache.
    pub fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    pub fn is_full(&self) -> bool {
        self.len >= self.capacity
    }

    /// Whether a request for exactly `bytes` would hit.
    pub fn has(&self, bytes: usize) -> bool {
        self.stacks.get(bytes / ALIGNMENT).is_some_and(|top| !top.is_none())
    }

    /// Parks a small block. The caller has seen that the cache is not full.
    #[inline]
    pub fn push(&mut self, blocks: &mut Blocks, id: BlockId) {
        let units = blocks[id].bytes / ALIGNMENT;
        let top = std::mem::replace(&mut self.stacks[units], id);
        blocks[id].after = top;
        self.filled[units / 64] |= 1 << (units % 64);
        self.len += 1;
    }

    /// The block of exactly `bytes` that came last.
    #[inline]
    pub fn pop(&mut self, blocks: &Blocks, bytes: usize) -> Option<BlockId> {
        let units = bytes / ALIGNMENT;
        let stack = &mut self.stacks[units];
        let id = *stack;
        if id.is_none() {
            return None;
        }
        *stack = blocks[id].after;
        if stack.is_none() {
            self.filled[units / 64] &= !(1 << (units % 64));
        }
        self.len -= 1;
        Some(id)
    }

    /// Any block, for emptying the cache.
    pub fn pop_any(&mut self, blocks: &Blocks) -> Option<BlockId> {
        let word = self.filled.iter().position(|word| *word != 0)?;
        let units = word * 64 + self.filled[word].trailing_zeros() as usize;
        self.pop(blocks, units * ALIGNMENT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment::SizeClass;
    use super::*;

    #[test]
    fn hits_are_exact_and_last_in_first_out() {
        let (mut blocks, mut cache) = (Blocks::default(), StreamCache::new(3));
        let ids: Vec<BlockId> = [512, 512, 1 << 20]
            .into_iter()
            .map(|bytes| blocks.add(0, bytes, 0, SizeClass::Small, 0))
            .collect();
        ids.iter().for_each(|id| cache.push(&mut blocks, *id));
        assert!(cache.is_full());
        assert_eq!(cache.pop(&blocks, 1024), None);
        assert_eq!(cache.pop(&blocks, 512), Some(ids[1]));
        assert_eq!(cache.pop_any(&blocks), Some(ids[0]));
        assert_eq!(cache.pop_any(&blocks), Some(ids[2]));
        assert!(cache.len == 0 && cache.pop_any(&blocks).is_none());
    }
}
