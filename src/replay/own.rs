//! This program's own allocator, over a device without memory.

use rustc_hash::FxHashMap;

use super::driver::Driver;
use super::policy::{Figures, Policy};
use super::trace::{Piece, Segment, Site};
use crate::memory::{
    Allocation, Allocator, AllocatorConfig, Mode, Provenance, SegmentKind, SimUpstream, StreamId,
};

pub(super) struct Own {
    allocator: Allocator,
    upstream: SimUpstream,
    held: FxHashMap<u32, Allocation>,
}

impl Own {
    pub fn new(driver: Driver, mode: Mode, segments: SegmentKind) -> Own {
        let capacity = usize::try_from(driver.capacity()).unwrap_or(usize::MAX);
        let upstream = SimUpstream::unbacked("replay", capacity);
        let config = AllocatorConfig::default().with_mode(mode).with_segments(segments);
        let allocator = match Allocator::new(Box::new(upstream.clone()), config) {
            Ok(allocator) => allocator,
            // Only the mode `async` can be refused, and it is not among those that are made here.
            Err(_) => Allocator::host(),
        };
        Own { allocator, upstream, held: FxHashMap::default() }
    }
}

impl Policy for Own {
    fn allocate(&mut self, id: u32, bytes: u64, stream: u32) -> bool {
        let Ok(bytes) = usize::try_from(bytes) else { return false };
        match self.allocator.allocate(bytes, StreamId(stream), Provenance::TEMPORARY) {
            Ok(allocation) => {
                self.held.insert(id, allocation);
                true
            }
            Err(_) => false,
        }
    }

    fn free(&mut self, id: u32) {
        self.held.remove(&id);
    }

    fn figures(&self) -> Figures {
        let (stats, calls) = (self.allocator.stats(), self.upstream.calls());
        Figures {
            live: stats.now.allocated as u64,
            reserved: self.upstream.used() as u64,
            calls: calls.allocations + calls.deallocations + calls.refusals,
            retries: stats.retries,
        }
    }

    fn layout(&self, site: &dyn Fn(u32) -> Site) -> Vec<Segment> {
        let holders: FxHashMap<u64, u32> =
            self.held.iter().map(|(id, allocation)| (allocation.address(), *id)).collect();
        let snapshot = self.allocator.snapshot();
        let segments = snapshot.segments.iter().map(|segment| {
            let blocks = segment.blocks.iter().map(|block| {
                let holder = holders.get(&block.address).filter(|_| block.is_active());
                Piece { bytes: block.bytes as u64, holder: holder.map(|id| site(*id)) }
            });
            Segment { bytes: segment.bytes as u64, blocks: blocks.collect() }
        });
        segments.collect()
    }
}
