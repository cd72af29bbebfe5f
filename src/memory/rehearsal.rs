//! What an allocator would answer, tried on a copy of it: the same segments, blocks and limits over
//! addresses that nothing stands behind.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::block::{Block, BlockId, BlockState};
use super::config::AllocatorConfig;
use super::events::Events;
use super::heap::Heap;
use super::history::History;
use super::paging::{Paging, Piece};
use super::provenance::{Provenance, Statements};
use super::upstream::{MemInfo, StreamId, Upstream, UpstreamError};
use super::{Allocator, Hooks, OutOfMemory, Shared};

impl Allocator {
    /// An allocator in the state that this one is in once every stream is done. It hands out addresses
    /// that must not be read; its live blocks have no holders and stay. Nobody is asked for memory but
    /// the past, which goes at once.
    pub fn rehearsal(&self) -> Allocator {
        self.rehearsal_without(&HashSet::new(), 0, &HashSet::new())
    }

    /// The same without the blocks at these addresses. They are of the past, unless they are more than
    /// `past_limit` bytes together. Those at the addresses `movable` are moved together where memory is
    /// short ([`compact`](Allocator::compact)).
    pub fn rehearsal_without(
        &self,
        gone: &HashSet<u64>,
        past_limit: usize,
        movable: &HashSet<u64>,
    ) -> Allocator {
        let heap = self.lock().rehearsal(gone, past_limit);
        let held =
            heap.ids(|block| block.state == BlockState::Live && movable.contains(&block.address));
        // Those that have moved are other ones.
        let held: Mutex<FxHashSet<BlockId>> = Mutex::new(held.into_iter().collect());
        let allocator = Allocator::of(heap);
        let weak = Arc::downgrade(&allocator.shared);
        allocator.set_collector(move |bytes| {
            let Some(shared) = weak.upgrade() else { return false };
            let allocator = Allocator { shared };
            let mut heap = allocator.lock();
            heap.forget_past() || {
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                if !heap.serves_compacted(bytes, StreamId::DEFAULT, held.clone()) {
                    return false;
                }
                let (done, moves) = heap.compact(held.clone());
                for (from, to) in moves {
                    held.remove(&from);
                    held.insert(to);
                }
                done.has_moved()
            }
        });
        allocator
    }

    /// Whether work gets several blocks that it needs at once, in this order: as of a kernel's, all go back where one is
    /// refused, before anything is done for that one.
    ///
    /// # Errors
    /// [`OutOfMemory`] for the one that found no place.
    pub fn rehearse_together(
        &self,
        sizes: &[usize],
        stream: StreamId,
        provenance: Provenance,
    ) -> Result<(), OutOfMemory> {
        loop {
            let mut held = Vec::new();
            let mut place = |bytes: &usize| {
                let allocation = self.allocate_once(*bytes, stream, provenance);
                allocation.map(|allocation| held.push(allocation)).map_err(|cause| (*bytes, cause))
            };
            let Err((bytes, cause)) = sizes.iter().try_for_each(&mut place) else { return Ok(()) };
            drop(held);
            drop(self.allocate_after_collecting(bytes, stream, provenance, cause)?);
        }
    }

    /// An allocator over more memory than there is, with nothing in it.
    pub fn on_paper() -> Allocator {
        let upstream = Box::new(Paper::new("nothing", usize::MAX));
        Allocator::of(Heap::new(upstream, AllocatorConfig::default()))
    }

    fn of(heap: Heap) -> Allocator {
        Allocator { shared: Arc::new(Shared { heap: heap.into(), hooks: Hooks::default().into() }) }
    }
}

impl Heap {
    pub(super) fn rehearsal(&self, gone: &HashSet<u64>, past_limit: usize) -> Heap {
        let info = self.upstream.mem_info();
        let granularity = self.granularity;
        let name = self.upstream.name();
        let page = self.page;
        let paper = Paper { total: info.total, granularity, page, ..Paper::new(name, info.free) };
        let mut heap = Heap {
            upstream: Box::new(paper),
            config: AllocatorConfig { history_len: 0, poison: false, ..self.config.clone() },
            limit: self.limit,
            granularity,
            page,
            paging: self.paging,
            piece: self.piece,
            blocks: self.blocks.clone(),
            segments: self.segments.clone(),
            streams: self.streams.clone(),
            events: Events::default(),
            counters: self.counters.clone(),
            history: History::new(0),
            statements: Statements::default(),
        };
        let gone =
            heap.ids(|block| block.state == BlockState::Live && gone.contains(&block.address));
        let bytes: usize = gone.iter().map(|id| heap.blocks[*id].bytes).sum();
        for id in heap.ids(|block| block.state == BlockState::Pending) {
            heap.settle(id);
        }
        for id in gone {
            match bytes > past_limit {
                true => heap.free_now(id),
                false => heap.set_past(id, true),
            }
        }
        heap.counters.reset_peaks();
        heap
    }

    /// Frees what only the past holds; whether there was anything.
    fn forget_past(&mut self) -> bool {
        let past = self.ids(|block| block.state == BlockState::Past);
        past.iter().for_each(|id| self.free_now(*id));
        !past.is_empty()
    }

    /// Frees a block that no other stream is at work on any more.
    fn free_now(&mut self, id: BlockId) {
        self.blocks[id].is_shared = false;
        self.free(id);
    }

    pub(super) fn ids(&self, is_wanted: impl Fn(&Block) -> bool) -> Vec<BlockId> {
        let chains = self.segments.iter().map(|(_, segment)| self.blocks.chain(segment.first));
        chains.flatten().filter(|id| is_wanted(&self.blocks[*id])).collect()
    }
}

/// Addresses that nothing stands behind.
struct Paper {
    name: String,
    next: u64,
    free: usize,
    total: usize,
    granularity: usize,
    page: Option<usize>,
}

/// Where they begin.
const FIRST: u64 = 1 << 56;

/// No device has more; the next address never wraps.
const MOST: usize = 1 << 52;

impl Paper {
    fn new(name: &str, free: usize) -> Paper {
        let name = name.to_string();
        Paper { name, next: FIRST, free, total: free, granularity: 2 << 20, page: None }
    }
}

impl Upstream for Paper {
    fn name(&self) -> &str {
        &self.name
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        if bytes > self.free || bytes > MOST || self.next > u64::MAX / 2 {
            return Err(UpstreamError::OutOfMemory);
        }
        let address = self.next;
        self.next += bytes as u64;
        if self.free != usize::MAX {
            self.free -= bytes;
        }
        Ok(address)
    }

    fn deallocate(&mut self, _address: u64, bytes: usize) {
        self.free = self.free.saturating_add(bytes);
    }

    fn paging(&mut self) -> Option<&mut dyn Paging> {
        self.page.is_some().then_some(self)
    }

    fn mem_info(&self) -> MemInfo {
        MemInfo { free: self.free, total: self.total }
    }

    fn granularity(&self) -> usize {
        self.granularity
    }

    fn fill(&mut self, _address: u64, _bytes: usize, _byte: u8, _stream: StreamId) {}

    fn copy(&mut self, _: u64, _: u64, _: usize, _: StreamId) -> Result<(), UpstreamError> {
        Ok(())
    }

    fn has_async_pool(&self) -> bool {
        true
    }
}

impl Paging for Paper {
    fn page_bytes(&self) -> usize {
        self.page.unwrap_or(self.granularity)
    }

    fn reserve(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        if bytes > MOST || self.next > u64::MAX / 2 {
            return Err(UpstreamError::OutOfMemory);
        }
        let address = self.next;
        self.next += bytes as u64;
        Ok(address)
    }

    fn unreserve(&mut self, _address: u64, _bytes: usize) {}

    fn create(&mut self, bytes: usize) -> Result<Piece, UpstreamError> {
        self.allocate(bytes).map(Piece)
    }

    fn destroy(&mut self, _piece: Piece, bytes: usize) {
        self.free = self.free.saturating_add(bytes);
    }

    fn map(&mut self, _piece: Piece, _address: u64, _bytes: usize) -> Result<(), UpstreamError> {
        Ok(())
    }

    fn unmap(&mut self, _piece: Piece, _address: u64, _bytes: usize) -> Result<(), UpstreamError> {
        Ok(())
    }

    fn allow(&mut self, _address: u64, _bytes: usize) -> Result<(), UpstreamError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Allocation, Provenance, SegmentKind, SimUpstream};
    use super::*;

    const MIB: usize = 1 << 20;

    fn taken(allocator: &Allocator, sizes: &[usize]) -> Vec<Allocation> {
        let one = |size: &usize| {
            allocator.allocate(*size, StreamId::DEFAULT, Provenance::VARIABLE).unwrap()
        };
        sizes.iter().map(one).collect()
    }

    #[test]
    fn it_answers_as_the_real_one_and_changes_nothing() {
        let upstream = SimUpstream::new("sim", 1000 * MIB);
        let config = AllocatorConfig::default().with_segments(SegmentKind::Plain);
        let allocator = Allocator::new(Box::new(upstream.clone()), config).unwrap();
        drop(taken(&allocator, &[904 * MIB]));
        // One segment: `a`, `p`, `b`, and what is left of it.
        let mut held = taken(&allocator, &[400 * MIB, 4 * MIB, 400 * MIB]);
        let before = (allocator.stats(), upstream.used(), upstream.calls());
        let fits = |gone: &[usize], bytes: usize| {
            let gone = gone.iter().map(|at| held[*at].address()).collect();
            let rehearsal = allocator.rehearsal_without(&gone, 0, &HashSet::new());
            rehearsal.allocate(bytes, StreamId::DEFAULT, Provenance::VARIABLE).is_ok()
        };
        assert!(!fits(&[], 500 * MIB));
        // What is free lies beside `b` alone.
        assert!(!fits(&[0], 500 * MIB) && !fits(&[1], 500 * MIB) && fits(&[2], 500 * MIB));
        assert!(!fits(&[0, 1], 501 * MIB) && fits(&[0, 1], 404 * MIB));
        assert!(!fits(&[0, 2], 905 * MIB) && fits(&[0, 1, 2], 905 * MIB));
        let bound = |gone: &HashSet<u64>| {
            allocator.rehearsal_without(gone, 0, &HashSet::new()).stats().now.allocated
        };
        assert_eq!(
            bound(&HashSet::from([held[0].address(), 7])),
            before.0.now.allocated - 400 * MIB
        );
        assert_eq!((allocator.stats(), upstream.used(), upstream.calls()), before);
        // The truth.
        let ask = |bytes| allocator.allocate(bytes, StreamId::DEFAULT, Provenance::VARIABLE);
        held.remove(0);
        assert!(ask(500 * MIB).is_err());
        held.remove(1);
        assert!(ask(500 * MIB).is_ok());
    }

    #[test]
    fn what_waits_and_what_is_of_the_past_is_free_in_it() {
        let upstream = SimUpstream::new("sim", 64 * MIB);
        let allocator =
            Allocator::new(Box::new(upstream.clone()), AllocatorConfig::default()).unwrap();
        let mut held = taken(&allocator, &[20 * MIB, 20 * MIB, 20 * MIB]);
        upstream.submit(StreamId(1));
        allocator.record_stream(&held[0], StreamId(1));
        drop(held.remove(0));
        held[0].set_past(true);
        let rehearsal = allocator.rehearsal();
        assert_eq!(rehearsal.stats().now.allocated, 20 * MIB);
        let given = rehearsal.allocate(44 * MIB, StreamId::DEFAULT, Provenance::VARIABLE);
        assert!(given.is_ok(), "{given:?}");
        assert_eq!((held[0].is_gone(), allocator.past()), (false, 20 * MIB));
        assert_eq!(upstream.progress(StreamId(1)), (1, 0));
    }
}
