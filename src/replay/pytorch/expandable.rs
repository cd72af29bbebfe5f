//! Segments that grow: a range of addresses beyond all memory for each pool of a stream, to whose lowest
//! free places memory is mapped.

use super::{LARGE_BUFFER, PyTorch, Request, SMALL_BUFFER};
use crate::replay::blocks::{Block, NONE};

/// What is mapped at once in a pool: small, large.
const PAGES: [u64; 2] = [SMALL_BUFFER, LARGE_BUFFER];

impl PyTorch {
    /// The best fit where a free block in front of a range that can grow counts as large as it can become.
    pub(super) fn expandable_fit(&self, request: Request) -> Option<u32> {
        let reach = |id: u32| {
            let Block { bytes, next, .. } = self.blocks[id];
            let grows = next != NONE && !self.blocks[next].is_mapped;
            bytes + if grows { self.blocks[next].bytes } else { 0 }
        };
        let mut fits = self.pools[request.pool].fits(request.stream, request.bytes);
        let mut best = fits.next()?;
        for next in fits {
            if reach(next) >= reach(best) {
                break;
            }
            best = next;
        }
        Some(best)
    }

    /// Maps memory behind the lowest place with room, joined with what is free in front of it.
    pub(super) fn map_expandable(&mut self, request: Request) -> Option<u32> {
        let mut candidate = self.place_to_grow(request);
        if !self.blocks[candidate].is_mapped {
            let bytes = self.blocks[candidate].bytes.min(request.bytes);
            candidate = self.map(candidate, bytes)?;
        }
        while self.blocks[candidate].bytes < request.bytes {
            let missing = request.bytes - self.blocks[candidate].bytes;
            let next = self.blocks[candidate].next;
            let bytes = self.blocks[next].bytes.min(missing);
            candidate = self.map(next, bytes)?;
        }
        self.pools[request.pool].remove(&self.blocks, candidate);
        Some(candidate)
    }

    fn place_to_grow(&mut self, request: Request) -> u32 {
        let has_room = |first: u32| {
            let mut bytes = 0u64;
            for id in self.blocks.chain(first) {
                if bytes >= request.bytes || self.blocks[id].is_live {
                    break;
                }
                bytes += self.blocks[id].bytes;
            }
            bytes >= request.bytes
        };
        let found = self.pools[request.pool].unmapped(request.stream).find_map(|id| {
            let prev = self.blocks[id].prev;
            let first = if prev != NONE && !self.blocks[prev].is_live { prev } else { id };
            has_room(first).then_some(first)
        });
        found.unwrap_or_else(|| {
            let pages = PAGES[request.pool];
            let most = self.driver.capacity() + self.driver.capacity() / 8;
            let range = most.max(request.bytes).next_multiple_of(pages);
            let mut block =
                Block::new(self.driver.addresses(range), range, request.stream, request.pool);
            (block.is_mapped, block.is_expandable) = (false, true);
            let id = self.blocks.add(block);
            self.pools[request.pool].insert(&self.blocks, id);
            id
        })
    }

    /// Maps memory to the beginning of a range; the free block that has it then. What has been mapped when
    /// the driver refuses goes back.
    fn map(&mut self, id: u32, bytes: u64) -> Option<u32> {
        let Block { pool, bytes: range, .. } = self.blocks[id];
        let bytes = bytes.next_multiple_of(PAGES[pool]).min(range);
        if !self.driver.take(bytes, bytes.div_ceil(PAGES[pool])) {
            return None;
        }
        self.pools[pool].remove(&self.blocks, id);
        if bytes < range {
            let rest = self.blocks.split(id, bytes);
            self.pools[pool].insert(&self.blocks, rest);
        }
        self.blocks[id].is_mapped = true;
        self.join(id, self.blocks[id].prev);
        self.join(id, self.blocks[id].next);
        self.pool_up(id);
        Some(id)
    }

    /// Gives the whole pages of a free block back.
    pub(super) fn unmap(&mut self, id: u32) {
        let Block { address, bytes, pool, base, .. } = self.blocks[id];
        let page = PAGES[pool];
        let begin = base + (address - base).next_multiple_of(page);
        let end = base + (address + bytes - base) / page * page;
        if begin >= end {
            return;
        }
        self.pools[pool].remove(&self.blocks, id);
        let mut middle = id;
        if begin > address {
            middle = self.blocks.split(id, begin - address);
            self.pool_up(id);
        }
        if end < address + bytes {
            let after = self.blocks.split(middle, end - begin);
            self.pool_up(after);
        }
        self.blocks[middle].is_mapped = false;
        self.driver.give_back(end - begin, (end - begin) / page);
        self.join(middle, self.blocks[middle].prev);
        self.join(middle, self.blocks[middle].next);
        self.pools[pool].insert(&self.blocks, middle);
    }
}
