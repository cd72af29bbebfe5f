//! Memory in pages of 2 MiB, mapped to wherever a block needs them.
//!
//! A request of up to 1 MiB is a piece of a page; any other is a range of whole pages. The best fitting
//! free range of the stream serves it. Where none is long enough, free pages of several ranges are mapped
//! together, and only what is missing comes from the driver: what is free is never in pieces.

use rustc_hash::FxHashMap;

use super::blocks::{Block, Blocks, NONE, Pool, layout};
use super::driver::Driver;
use super::policy::{Figures, Policy};
use super::trace::{Segment, Site};

const PAGE: u64 = 2 << 20;
const ALIGNMENT: u64 = 512;
const SMALL: u64 = 1 << 20;

pub(super) struct Paged {
    driver: Driver,
    blocks: Blocks,
    /// Pieces of pages, ranges of pages.
    pools: [Pool; 2],
    streams: u32,
    held: FxHashMap<u32, u32>,
    live: u64,
    retries: u64,
}

impl Paged {
    pub fn new(driver: Driver) -> Paged {
        Paged {
            driver,
            blocks: Blocks::default(),
            pools: [Pool::default(), Pool::default()],
            streams: 0,
            held: FxHashMap::default(),
            live: 0,
            retries: 0,
        }
    }

    fn take(&mut self, bytes: u64, stream: u32, pool: usize) -> Option<u32> {
        let id = self.pools[pool].best_fit(stream, bytes)?;
        self.pools[pool].remove(&self.blocks, id);
        Some(id)
    }

    /// A range of pages, of those that the stream has free and then of new ones; when the driver
    /// refuses, of other streams' free ones, too.
    fn range(&mut self, bytes: u64, stream: u32, pool: usize) -> Option<u32> {
        let bytes = bytes.next_multiple_of(PAGE);
        let own = self.free_pages(stream).min(bytes);
        let mut missing = bytes - own;
        let mut from = vec![(stream, own)];
        if missing > 0 && !self.driver.take(missing, missing / PAGE) {
            self.retries += 1;
            for other in (0..self.streams).filter(|other| *other != stream) {
                let some = self.free_pages(other).min(missing);
                missing -= some;
                from.push((other, some));
            }
            if missing > 0 && !self.driver.take(missing, missing / PAGE) {
                return None;
            }
        }
        from.into_iter().for_each(|(stream, bytes)| self.gather(stream, bytes));
        let address = self.driver.addresses(bytes);
        Some(self.blocks.add(Block::new(address, bytes, stream, pool)))
    }

    /// Bytes in free pages of a stream.
    fn free_pages(&self, stream: u32) -> u64 {
        self.free_ranges(stream).map(|id| self.blocks[id].bytes).sum()
    }

    /// Free ranges of whole pages, the smallest first.
    fn free_ranges(&self, stream: u32) -> impl Iterator<Item = u32> + '_ {
        let is_page = |id: &u32| self.blocks[*id].bytes == PAGE;
        let pages = self.pools[0].fits(stream, PAGE).filter(is_page);
        pages.chain(self.pools[1].fits(stream, 0))
    }

    /// Takes pages away from free ranges: their addresses are nobody's from then on.
    fn gather(&mut self, stream: u32, bytes: u64) {
        let mut left = bytes;
        while left > 0 {
            let Some(id) = self.free_ranges(stream).next() else { return };
            let Block { bytes: size, pool, .. } = self.blocks[id];
            self.pools[pool].remove(&self.blocks, id);
            if size > left {
                let rest = self.blocks.split(id, left);
                self.pools[pool].insert(&self.blocks, rest);
            }
            self.blocks[id].is_mapped = false;
            let taken = size.min(left);
            self.driver.remap(2 * (taken / PAGE));
            left -= taken;
        }
    }

    fn join(&mut self, id: u32, other: u32) {
        if other != NONE && !self.blocks[other].is_live && self.blocks[other].is_mapped {
            let pool = self.blocks[other].pool;
            self.pools[pool].remove(&self.blocks, other);
            self.blocks.join(id, other);
        }
    }
}

impl Policy for Paged {
    fn allocate(&mut self, id: u32, bytes: u64, stream: u32) -> bool {
        if bytes == 0 {
            return true;
        }
        self.streams = self.streams.max(stream + 1);
        let (pool, bytes) = match bytes <= SMALL {
            true => (0, bytes.next_multiple_of(ALIGNMENT)),
            false => (1, bytes.next_multiple_of(PAGE)),
        };
        let found = self.take(bytes, stream, pool).or_else(|| self.range(bytes, stream, pool));
        let Some(block) = found else { return false };
        if self.blocks[block].bytes > bytes {
            let rest = self.blocks.split(block, bytes);
            self.pools[pool].insert(&self.blocks, rest);
        }
        self.blocks[block].is_live = true;
        self.blocks[block].holder = id;
        self.live += bytes;
        self.held.insert(id, block);
        true
    }

    fn free(&mut self, id: u32) {
        let Some(block) = self.held.remove(&id) else { return };
        let Block { bytes, pool, .. } = self.blocks[block];
        self.live -= bytes;
        self.blocks[block].is_live = false;
        self.join(block, self.blocks[block].prev);
        self.join(block, self.blocks[block].next);
        self.pools[pool].insert(&self.blocks, block);
    }

    fn figures(&self) -> Figures {
        self.driver.figures(self.live, self.retries)
    }

    fn layout(&self, site: &dyn Fn(u32) -> Site) -> Vec<Segment> {
        layout(&self.blocks, site)
    }
}
