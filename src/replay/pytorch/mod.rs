//! PyTorch's allocator as a model: `c10/cuda/CUDACachingAllocator.cpp` without memory.
//!
//! - Sizes are rounded up to 512 bytes. Requests of up to 1 MiB are small and come from segments of
//!   2 MiB; below 10 MiB from segments of 20 MiB; any other has a segment of its own, in steps of 2 MiB.
//! - The best fitting free block of the stream serves a request. It is split where 512 bytes (small) or more
//!   than 1 MiB (large) are left; a freed block is joined with free neighbours.
//! - Blocks of `max_split_size` and more are neither split nor given to smaller requests.
//! - When the driver refuses: blocks of `max_split_size` and more go back as far as they are needed, then
//!   every segment that is free as a whole. Nothing is searched again after that: only the driver is asked.
//! - With `expandable_segments`, a pool of a stream is one range of addresses, to which memory is mapped
//!   in pieces of 2 or 20 MiB (`expandable.rs`).
//!
//! Blocks that other streams use come back when the trace says so; pools of CUDA graphs are streams of their own.

mod expandable;
mod settings;

pub use settings::Settings;

use rustc_hash::FxHashMap;

use super::blocks::{Block, Blocks, NONE, Pool, layout};
use super::driver::Driver;
use super::policy::{Figures, Policy};
use super::trace::{Segment, Site};

const MIN_BLOCK: u64 = 512;
const SMALL_SIZE: u64 = 1 << 20;
const SMALL_BUFFER: u64 = 2 << 20;
const LARGE_BUFFER: u64 = 20 << 20;
const MIN_LARGE_ALLOC: u64 = 10 << 20;
const ROUND_LARGE: u64 = 2 << 20;

pub(super) struct PyTorch {
    settings: Settings,
    driver: Driver,
    blocks: Blocks,
    /// Small, large.
    pools: [Pool; 2],
    held: FxHashMap<u32, u32>,
    live: u64,
    retries: u64,
}

/// A request as the steps of `allocate` see it.
#[derive(Debug, Clone, Copy)]
struct Request {
    /// Rounded.
    bytes: u64,
    stream: u32,
    /// Which pool.
    pool: usize,
}

impl PyTorch {
    pub fn new(driver: Driver, settings: Settings) -> PyTorch {
        PyTorch {
            settings,
            driver,
            blocks: Blocks::default(),
            pools: [Pool::default(), Pool::default()],
            held: FxHashMap::default(),
            live: 0,
            retries: 0,
        }
    }

    fn max_split(&self) -> u64 {
        self.settings.max_split_size.unwrap_or(u64::MAX)
    }

    fn round(&self, bytes: u64) -> u64 {
        if bytes < MIN_BLOCK {
            return MIN_BLOCK;
        }
        let divisions = self.settings.divisions(bytes);
        if divisions > 1 && bytes > MIN_BLOCK * divisions {
            let floor = 1 << bytes.ilog2();
            return match floor >> divisions.ilog2() {
                _ if bytes == floor => bytes,
                0 => floor << 1,
                step => bytes.next_multiple_of(step),
            };
        }
        bytes.next_multiple_of(MIN_BLOCK)
    }

    /// The best fitting free block, taken out of its pool.
    fn free_block(&mut self, request: Request) -> Option<u32> {
        self.pools[request.pool].searches += 1;
        let pool = &self.pools[request.pool];
        let found = match self.settings.expandable_segments {
            true => self.expandable_fit(request)?,
            false => pool.best_fit(request.stream, request.bytes)?,
        };
        let (size, max_split) = (self.blocks[found].bytes, self.max_split());
        let is_kept_for_larger = request.bytes < max_split && size >= max_split;
        let is_much_too_large =
            request.bytes >= max_split && size >= request.bytes.saturating_add(LARGE_BUFFER);
        if is_kept_for_larger || is_much_too_large {
            return None;
        }
        self.pools[request.pool].remove(&self.blocks, found);
        Some(found)
    }

    /// A new block from the driver.
    fn new_block(&mut self, request: Request) -> Option<u32> {
        if self.settings.expandable_segments {
            return self.map_expandable(request);
        }
        let bytes = match request.bytes {
            bytes if bytes <= SMALL_SIZE => SMALL_BUFFER,
            bytes if bytes < MIN_LARGE_ALLOC => LARGE_BUFFER,
            bytes => bytes.next_multiple_of(ROUND_LARGE),
        };
        let address = self.driver.allocate(bytes)?;
        Some(self.blocks.add(Block::new(address, bytes, request.stream, request.pool)))
    }

    /// Gives segments back that have been free for longer than others, once more is reserved than the threshold.
    fn collect_garbage(&mut self) {
        let threshold = self.settings.garbage_collection_threshold * self.driver.capacity() as f64;
        let Some(target) = self.driver.used().checked_sub(threshold as u64).filter(|n| *n > 0)
        else {
            return;
        };
        let searches = self.pools[1].searches;
        let whole: Vec<u32> =
            self.pools[1].free().filter(|id| self.blocks[*id].is_whole()).collect();
        let mut ages: Vec<(u32, u64)> =
            whole.iter().map(|id| (*id, searches - self.blocks[*id].freed_at)).collect();
        let mut reclaimed = 0;
        while reclaimed < target && !ages.is_empty() {
            let mut total: u64 = ages.iter().map(|(_, age)| *age).sum();
            let threshold = total as f64 / ages.len() as f64;
            let before = ages.len();
            let old: Vec<(u32, u64)> =
                ages.iter().copied().filter(|(_, age)| *age as f64 >= threshold).collect();
            ages.retain(|(_, age)| (*age as f64) < threshold);
            for (id, age) in old {
                reclaimed += self.blocks[id].bytes;
                total -= age;
                self.release(id);
            }
            if ages.len() == before {
                break;
            }
        }
    }

    /// Gives blocks back that are not split by rule, as many as the request needs; whether they suffice.
    fn release_available(&mut self, request: Request) -> bool {
        let Some(max_split) = self.settings.max_split_size else { return false };
        let wanted = request.bytes.max(max_split);
        let pool = &self.pools[request.pool];
        let fits = |id: &u32| self.blocks[*id].is_whole() && !self.blocks[*id].is_expandable;
        if let Some(id) = pool.best_fit(request.stream, wanted).filter(fits) {
            self.release(id);
            return true;
        }
        let oversize = pool.below(request.stream, wanted).filter(fits);
        let mut largest = Vec::new();
        let mut sum = 0;
        for id in oversize {
            let bytes = self.blocks[id].bytes;
            if sum >= wanted || bytes < max_split {
                break;
            }
            sum += bytes;
            largest.push(id);
        }
        largest.into_iter().for_each(|id| self.release(id));
        sum >= wanted
    }

    /// Gives every segment back that is free as a whole, and every page of expandable ones.
    fn release_cached(&mut self) {
        for pool in [1, 0] {
            let free: Vec<u32> = self.pools[pool].free().collect();
            for id in free {
                if self.blocks[id].is_expandable {
                    self.unmap(id);
                } else if self.blocks[id].is_whole() {
                    self.release(id);
                }
            }
        }
    }

    fn release(&mut self, id: u32) {
        let Block { bytes, pool, .. } = self.blocks[id];
        self.pools[pool].remove(&self.blocks, id);
        self.driver.give_back(bytes, 1);
        self.blocks.remove(id);
    }

    /// Puts a free block into its pool.
    fn pool_up(&mut self, id: u32) {
        let pool = self.blocks[id].pool;
        self.blocks[id].freed_at = self.pools[pool].searches;
        self.pools[pool].insert(&self.blocks, id);
    }

    /// Joins a free block with a neighbour, if that is free and both are mapped or neither is.
    fn join(&mut self, id: u32, other: u32) {
        if other == NONE
            || self.blocks[other].is_live
            || self.blocks[other].is_mapped != self.blocks[id].is_mapped
        {
            return;
        }
        let pool = self.blocks[other].pool;
        self.pools[pool].remove(&self.blocks, other);
        self.blocks.join(id, other);
    }

    fn should_split(&self, id: u32, bytes: u64) -> bool {
        let Block { bytes: size, pool, .. } = self.blocks[id];
        let rest = size - bytes;
        match pool == 0 || self.settings.expandable_segments {
            true => rest >= MIN_BLOCK,
            false => bytes < self.max_split() && rest > SMALL_SIZE,
        }
    }
}

impl Policy for PyTorch {
    fn allocate(&mut self, id: u32, bytes: u64, stream: u32) -> bool {
        if bytes == 0 {
            return true;
        }
        let bytes = self.round(bytes);
        let request = Request { bytes, stream, pool: usize::from(bytes > SMALL_SIZE) };
        let mut found = self.free_block(request);
        if found.is_none() {
            if self.settings.garbage_collection_threshold > 0.0 && self.driver.limit().is_some() {
                self.collect_garbage();
            }
            found = self.new_block(request);
        }
        if found.is_none() && self.release_available(request) {
            found = self.new_block(request);
        }
        if found.is_none() {
            self.release_cached();
            self.retries += 1;
            found = self.new_block(request);
        }
        let Some(block) = found else { return false };
        if self.should_split(block, bytes) {
            let rest = self.blocks.split(block, bytes);
            self.pool_up(rest);
        }
        self.blocks[block].is_live = true;
        self.blocks[block].holder = id;
        self.live += self.blocks[block].bytes;
        self.held.insert(id, block);
        true
    }

    fn free(&mut self, id: u32) {
        let Some(block) = self.held.remove(&id) else { return };
        self.live -= self.blocks[block].bytes;
        self.blocks[block].is_live = false;
        self.join(block, self.blocks[block].prev);
        self.join(block, self.blocks[block].next);
        self.pool_up(block);
    }

    fn figures(&self) -> Figures {
        self.driver.figures(self.live, self.retries)
    }

    fn layout(&self, site: &dyn Fn(u32) -> Site) -> Vec<Segment> {
        layout(&self.blocks, site)
    }
}

#[cfg(test)]
mod tests;
