//! A pool of free blocks, indexed by size.
//!
//! The index is that of TLSF (Masmano et al., 2004): sizes fall into bins, 32 to every power of
//! two, two levels of bitmaps say which bins hold something, and so the first bin whose blocks all
//! fit is found by two bit scans, whatever the number of blocks. Within a bin the smallest block
//! that fits is taken, the lowest address among equals; the look is bounded, so that a bin of ten
//! thousand equal blocks costs no more than one of sixteen. Below 16 KiB every size has a bin of
//! its own.

use super::ALIGNMENT;
use super::block::{BlockId, Blocks};

/// Bins to a power of two: a bin's blocks differ by at most 1/32 of their size.
const SUB_BINS: usize = 32;
const SUB_BITS: u32 = SUB_BINS.trailing_zeros();
/// Powers of two above the first 32 units: blocks up to 2^46 units of 512 bytes.
const LEVELS: usize = 42;
/// How many blocks of one bin are looked at.
const LOOK: usize = 16;

/// Free blocks of one stream and one size class.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    heads: Box<[BlockId]>,
    levels: u64,
    bins: [u32; LEVELS],
}

impl Default for Pool {
    fn default() -> Pool {
        let heads = vec![BlockId::NONE; LEVELS * SUB_BINS].into_boxed_slice();
        Pool { heads, levels: 0, bins: [0; LEVELS] }
    }
}

impl Pool {
    /// Adds a free block.
    #[inline]
    pub fn insert(&mut self, blocks: &mut Blocks, id: BlockId) {
        let (level, sub) = bin_of(blocks[id].bytes);
        let head = &mut self.heads[level * SUB_BINS + sub];
        let old = std::mem::replace(head, id);
        blocks[id].before = BlockId::NONE;
        blocks[id].after = old;
        if !old.is_none() {
            blocks[old].before = id;
        }
        self.bins[level] |= 1 << sub;
        self.levels |= 1 << level;
    }

    /// Takes a block of this pool out of it.
    #[inline]
    pub fn remove(&mut self, blocks: &mut Blocks, id: BlockId) {
        let (bytes, before, after) = (blocks[id].bytes, blocks[id].before, blocks[id].after);
        if !after.is_none() {
            blocks[after].before = before;
        }
        if !before.is_none() {
            blocks[before].after = after;
            return;
        }
        let (level, sub) = bin_of(bytes);
        self.heads[level * SUB_BINS + sub] = after;
        if after.is_none() {
            self.bins[level] &= !(1 << sub);
            if self.bins[level] == 0 {
                self.levels &= !(1 << level);
            }
        }
    }

    /// The smallest block of at least `bytes`, up to the width of a bin. It stays in the pool.
    #[inline]
    pub fn best_fit(&self, blocks: &Blocks, bytes: usize) -> Option<BlockId> {
        let (level, sub) = bin_of(bytes);
        if self.bins[level] & (1 << sub) != 0
            && let Some(id) = self.look(blocks, level, sub, bytes)
        {
            return Some(id);
        }
        let (level, sub) = self.bin_after(level, sub)?;
        self.look(blocks, level, sub, bytes)
    }

    /// The longest block, in bytes; 0 when there is none.
    pub fn largest(&self, blocks: &Blocks) -> usize {
        let Some(level) = self.levels.checked_ilog2() else { return 0 };
        let sub = self.bins[level as usize].ilog2() as usize;
        let mut id = self.heads[level as usize * SUB_BINS + sub];
        let mut longest = 0;
        while !id.is_none() {
            longest = longest.max(blocks[id].bytes);
            id = blocks[id].after;
        }
        longest
    }

    #[inline]
    fn look(&self, blocks: &Blocks, level: usize, sub: usize, bytes: usize) -> Option<BlockId> {
        let mut id = self.heads[level * SUB_BINS + sub];
        let mut best: Option<(usize, u64, BlockId)> = None;
        for _ in 0..LOOK {
            if id.is_none() {
                break;
            }
            let block = &blocks[id];
            let found = (block.bytes, block.address, id);
            if block.bytes >= bytes && best.is_none_or(|best| found < best) {
                best = Some(found);
            }
            id = block.after;
        }
        best.map(|(_, _, id)| id)
    }

    /// The next bin that holds something.
    #[inline]
    fn bin_after(&self, level: usize, sub: usize) -> Option<(usize, usize)> {
        // Shifting twice keeps the shift below the width of the word.
        let rest = self.bins[level] & ((u32::MAX << sub) << 1);
        if rest != 0 {
            return Some((level, rest.trailing_zeros() as usize));
        }
        let levels = self.levels & ((u64::MAX << level) << 1);
        let level = (levels != 0).then(|| levels.trailing_zeros() as usize)?;
        Some((level, self.bins[level].trailing_zeros() as usize))
    }
}

/// The level and the bin within it that hold blocks of `bytes`.
#[inline]
fn bin_of(bytes: usize) -> (usize, usize) {
    let units = bytes / ALIGNMENT;
    if units < SUB_BINS {
        return (0, units);
    }
    let log = units.ilog2();
    let level = ((log - SUB_BITS + 1) as usize).min(LEVELS - 1);
    (level, (units >> (log - SUB_BITS)) & (SUB_BINS - 1))
}

#[cfg(test)]
mod tests {
    use super::super::segment::SizeClass;
    use super::*;

    fn filled(sizes: &[usize]) -> (Pool, Blocks, Vec<BlockId>) {
        let (mut pool, mut blocks) = (Pool::default(), Blocks::default());
        let ids: Vec<BlockId> = sizes
            .iter()
            .enumerate()
            .map(|(at, n)| blocks.add((at as u64) << 40, *n, 0, SizeClass::Large, 0))
            .collect();
        ids.iter().for_each(|id| pool.insert(&mut blocks, *id));
        (pool, blocks, ids)
    }

    #[test]
    fn bins_grow_with_sizes() {
        let mut last = (0, 0);
        for shift in 0..38 {
            for step in 0..32 {
                let bin = bin_of((512 << shift) + step * (16 << shift));
                assert!(bin >= last, "{shift} {step}");
                last = bin;
            }
        }
    }

    #[test]
    fn the_smallest_fitting_block_is_found() {
        let (pool, blocks, ids) = filled(&[512, 4096, 1 << 20, 3 << 20, 1 << 30]);
        assert_eq!(pool.best_fit(&blocks, 512), Some(ids[0]));
        assert_eq!(pool.best_fit(&blocks, 1024), Some(ids[1]));
        assert_eq!(pool.best_fit(&blocks, 2 << 20), Some(ids[3]));
        assert_eq!(pool.best_fit(&blocks, (3 << 20) + 512), Some(ids[4]));
        assert_eq!(pool.best_fit(&blocks, (1 << 30) + 512), None);
        assert_eq!(pool.largest(&blocks), 1 << 30);
    }

    #[test]
    fn a_bin_whose_blocks_are_too_short_is_passed_over() {
        let (pool, blocks, ids) = filled(&[(1 << 20) + 512, 2 << 20]);
        assert_eq!(pool.best_fit(&blocks, (1 << 20) + 1024), Some(ids[1]));
    }

    #[test]
    fn equal_blocks_are_taken_by_address_and_removed_in_any_order() {
        let (mut pool, mut blocks, ids) = filled(&[4096, 4096, 4096]);
        assert_eq!(pool.best_fit(&blocks, 4096), Some(ids[0]));
        pool.remove(&mut blocks, ids[1]);
        pool.remove(&mut blocks, ids[0]);
        assert_eq!(pool.best_fit(&blocks, 4096), Some(ids[2]));
        pool.remove(&mut blocks, ids[2]);
        assert_eq!(pool.best_fit(&blocks, 512), None);
        assert_eq!(pool.largest(&blocks), 0);
    }
}
