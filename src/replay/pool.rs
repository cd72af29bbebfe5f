//! A pool such as the driver's behind `cudaMallocAsync`, as its documents describe it.
//!
//! It grows by multiples of 32 MiB and serves all streams from the best fitting free piece. What is freed
//! stays, as PyTorch and this program set it up; when the driver refuses, ranges that are free as a whole go
//! back and it is asked again.

use rustc_hash::FxHashMap;

use super::blocks::{Block, Blocks, NONE, Pool, layout};
use super::driver::Driver;
use super::policy::{Figures, Policy};
use super::trace::{Segment, Site};

const STEP: u64 = 32 << 20;
const ALIGNMENT: u64 = 512;

pub(super) struct DriverPool {
    driver: Driver,
    blocks: Blocks,
    free: Pool,
    held: FxHashMap<u32, u32>,
    live: u64,
    retries: u64,
}

impl DriverPool {
    pub fn new(driver: Driver) -> DriverPool {
        DriverPool {
            driver,
            blocks: Blocks::default(),
            free: Pool::default(),
            held: FxHashMap::default(),
            live: 0,
            retries: 0,
        }
    }

    fn grow(&mut self, bytes: u64) -> Option<u32> {
        let bytes = bytes.next_multiple_of(STEP);
        let address = self.driver.allocate(bytes)?;
        Some(self.blocks.add(Block::new(address, bytes, 0, 0)))
    }

    fn trim(&mut self) {
        let whole: Vec<u32> = self.free.free().filter(|id| self.blocks[*id].is_whole()).collect();
        for id in whole {
            self.free.remove(&self.blocks, id);
            self.driver.give_back(self.blocks[id].bytes, 1);
            self.blocks.remove(id);
        }
    }

    fn join(&mut self, id: u32, other: u32) {
        if other != NONE && !self.blocks[other].is_live {
            self.free.remove(&self.blocks, other);
            self.blocks.join(id, other);
        }
    }
}

impl Policy for DriverPool {
    fn allocate(&mut self, id: u32, bytes: u64, _: u32) -> bool {
        if bytes == 0 {
            return true;
        }
        let bytes = bytes.next_multiple_of(ALIGNMENT);
        let mut found = self.free.best_fit(0, bytes);
        match found {
            Some(block) => self.free.remove(&self.blocks, block),
            None => found = self.grow(bytes),
        }
        if found.is_none() {
            self.trim();
            self.retries += 1;
            found = self.grow(bytes);
        }
        let Some(block) = found else { return false };
        if self.blocks[block].bytes > bytes {
            let rest = self.blocks.split(block, bytes);
            self.free.insert(&self.blocks, rest);
        }
        self.blocks[block].is_live = true;
        self.blocks[block].holder = id;
        self.live += bytes;
        self.held.insert(id, block);
        true
    }

    fn free(&mut self, id: u32) {
        let Some(block) = self.held.remove(&id) else { return };
        self.live -= self.blocks[block].bytes;
        self.blocks[block].is_live = false;
        self.join(block, self.blocks[block].prev);
        self.join(block, self.blocks[block].next);
        self.free.insert(&self.blocks, block);
    }

    fn figures(&self) -> Figures {
        self.driver.figures(self.live, self.retries)
    }

    fn layout(&self, site: &dyn Fn(u32) -> Site) -> Vec<Segment> {
        layout(&self.blocks, site)
    }
}
