//! A caching allocator for device memory, over any [`Upstream`].
//!
//! It knows bytes, streams and statements; it knows no tensor and no CUDA. The policy:
//!
//! - Memory comes from the upstream in *segments* and is handed out in *blocks*. Blocks begin at a
//!   multiple of 512 bytes, are a multiple of 512 long, and tile their segment.
//! - A request of up to 1 MiB is *small*, any other *large*. They use different segments, so that a
//!   scalar never pins a gigabyte. Small segments hold 2 MiB; a large one is as large as the request
//!   that made it.
//! - Free blocks belong to the stream that used them last, which may use them again without waiting.
//! - First level: each stream's cache of exact sizes for small blocks, one stack per size, not
//!   merged. Second level: the stream's small and large pools, best fit, split always, merged with
//!   free neighbours at once. Both answer in constant time.
//! - A block that other streams have used waits, when it is freed, for an event on each of them.
//! - On a miss the caches are merged and searched, then blocks of idle streams are taken over, then
//!   the heap grows. Before it grows for a large request it *trades*: idle segments that are all
//!   too short go back first, as many bytes as are about to come, but an eighth may stay free, and
//!   none goes while the device is busy for long.
//! - Where segments are *paged*, a large request that misses gets the place among the ranges of addresses
//!   that lacks least memory. Pages of free blocks elsewhere are mapped there, and only what is missing is
//!   asked for: what is free is never in pieces larger than a page. Pages stay while blocks come and
//!   go; none moves before the work of its stream is done, none of a block that is held, and none while the
//!   device is busy for long, unless memory is short. Small segments are plain always.
//! - Where they are *gathered*, which is usual on a GPU, a segment is served and traded as a plain one, and is of
//!   pages all the same, in few pieces: they move only when the upstream has refused.
//! - When the upstream refuses: wait for events, search; unite the streams' blocks, search; give
//!   every idle segment back, ask again; put pages of their own behind held blocks that pin longer pieces, give those back,
//!   ask again; run the collector, and begin again from the top, until it has nothing left.
//!   Only then [`OutOfMemory`].
//! - A block that only the past holds ([`BlockState::Past`]) looks freed: it counts as free memory that
//!   is not there yet. The collector lets such blocks go, the oldest first.
//!
//! All public methods take the lock; none is called while it is held. The collector and the
//! observers run without it, so they may drop allocations.

mod allocation;
mod block;
mod budget;
mod cache;
mod compaction;
mod config;
mod error;
mod events;
mod gaps;
mod gather;
mod growth;
mod heap;
mod history;
mod holder_name;
mod host;
mod host_pages;
#[cfg(feature = "json")]
mod json;
mod limits;
mod moves;
mod oom;
mod pages;
mod paging;
mod pickle;
mod pool;
mod process_heap;
mod provenance;
mod rehearsal;
mod request;
mod segment;
mod sim;
mod sim_pages;
mod size;
mod snapshot;
mod spots;
mod stats;
mod upstream;
mod usage;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

pub use allocation::Allocation;
pub use block::BlockState;
pub use budget::Budget;
pub use compaction::Compacted;
pub use config::{ALIGNMENT, AllocatorConfig, Mode, SMALL_LIMIT, SegmentKind};
pub use error::{ConfigError, OutOfMemory, Shortage};
pub use history::{Action, TraceEntry};
pub use holder_name::HolderName;
pub use host::HostUpstream;
pub use paging::{Paging, Piece};
pub use pickle::ALLOCATOR;
pub use process_heap::{ProcessHeap, keep_pieces};
pub use provenance::{BlockKind, Place, Provenance, StatementId};
pub use request::Pending;
pub use sim::{SimCalls, SimUpstream};
pub use size::parse_size;
pub use snapshot::{BlockInfo, SegmentInfo, Snapshot};
pub use stats::{AllocatorStats, Levels, format_bytes};
pub use upstream::{EventId, MemInfo, StreamId, Upstream, UpstreamError};
pub use usage::{Asked, Held, HighPoint};

use block::BlockId;
use heap::Heap;
use pages::When;

/// A handle to a heap. Clones share it.
#[derive(Clone)]
pub struct Allocator {
    shared: Arc<Shared>,
}

struct Shared {
    heap: Mutex<Heap>,
    hooks: RwLock<Hooks>,
}

type Collector = Arc<dyn Fn(usize) -> bool + Send + Sync>;
type Observer = Arc<dyn Fn(&OutOfMemory) + Send + Sync>;

#[derive(Default, Clone)]
struct Hooks {
    collector: Option<Collector>,
    observers: Vec<Observer>,
}

impl Allocator {
    /// An allocator over `upstream`.
    ///
    /// # Errors
    /// The mode needs what the upstream lacks, or the memory fraction is out of range.
    pub fn new(
        upstream: Box<dyn Upstream>,
        config: AllocatorConfig,
    ) -> Result<Allocator, ConfigError> {
        check_mode(&*upstream, config.mode)?;
        check_fraction(config.memory_fraction)?;
        let heap = Mutex::new(Heap::new(upstream, config));
        let shared = Shared { heap, hooks: RwLock::default() };
        Ok(Allocator { shared: Arc::new(shared) })
    }

    /// An allocator over host memory with the usual choices: what tests and the CPU device want.
    pub fn host() -> Allocator {
        let config = AllocatorConfig::default();
        let heap = Mutex::new(Heap::new(Box::new(HostUpstream::new()), config));
        Allocator { shared: Arc::new(Shared { heap, hooks: RwLock::default() }) }
    }

    /// Memory for `bytes` bytes, aligned to 512, uninitialised, for use by work on `stream`. Zero
    /// bytes are legal and cost nothing.
    ///
    /// # Errors
    /// [`OutOfMemory`] after every step of the retry order has failed.
    #[inline]
    pub fn allocate(
        &self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Result<Allocation, OutOfMemory> {
        match self.allocate_once(bytes, stream, provenance) {
            Ok(allocation) => Ok(allocation),
            Err(cause) => self.allocate_after_collecting(bytes, stream, provenance, cause),
        }
    }

    /// Several blocks at once, all or none, in the order of `sizes`. They are placed the largest
    /// first, which leaves fewer holes than the order in which they are named.
    ///
    /// # Errors
    /// [`OutOfMemory`] for the first that found no place; nothing is kept.
    pub fn allocate_batch(
        &self,
        sizes: &[usize],
        stream: StreamId,
        provenance: Provenance,
    ) -> Result<Vec<Allocation>, OutOfMemory> {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(sizes[*at]));
        let mut placed: Vec<Option<Allocation>> = sizes.iter().map(|_| None).collect();
        let mut heap = self.lock();
        let mut left = order.into_iter().peekable();
        while let Some(at) = left.peek().copied() {
            let Ok(allocation) = self.allocate_in(&mut heap, sizes[at], stream, provenance) else {
                break;
            };
            placed[at] = Some(allocation);
            left.next();
        }
        drop(heap);
        for at in left {
            placed[at] = Some(self.allocate(sizes[at], stream, provenance)?);
        }
        Ok(placed.into_iter().flatten().collect())
    }

    /// A request that may be filled ahead of its use.
    pub fn allocate_async(
        &self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Pending {
        Pending::new(self, bytes, stream, provenance)
    }

    /// Makes `count` blocks of `bytes` ready for each pair `(bytes, count)`, so that the first
    /// requests of these sizes don't meet the upstream. Returns the bytes that were newly reserved;
    /// does nothing when warm-up is switched off or nothing is cached.
    ///
    /// # Errors
    /// [`OutOfMemory`] when they don't all fit.
    pub fn warm_up(&self, sizes: &[(usize, usize)]) -> Result<usize, OutOfMemory> {
        let (before, is_on) = {
            let heap = self.lock();
            let is_on = heap.config.warmup_enabled && heap.config.mode == Mode::Caching;
            (heap.counters.get().now.reserved, is_on)
        };
        if !is_on {
            return Ok(0);
        }
        let bytes = |(bytes, count): &(usize, usize)| (*bytes).max(512).saturating_mul(*count);
        let total = sizes.iter().map(bytes).fold(0, usize::saturating_add);
        if total > self.mem_info().total {
            // More than there can be is one request, which says so.
            drop(self.allocate(total, StreamId::DEFAULT, Provenance::WORKSPACE.by("warm up"))?);
        }
        let all: Vec<usize> =
            sizes.iter().flat_map(|(bytes, count)| std::iter::repeat_n(*bytes, *count)).collect();
        let held =
            self.allocate_batch(&all, StreamId::DEFAULT, Provenance::WORKSPACE.by("warm up"))?;
        drop(held);
        Ok(self.lock().counters.get().now.reserved.saturating_sub(before))
    }

    /// Says that work on `stream` uses the allocation: when it is dropped, its memory waits for
    /// what has been given to that stream by then.
    pub fn record_stream(&self, allocation: &Allocation, stream: StreamId) {
        let block = allocation.block();
        if !block.is_none() {
            self.lock().record_stream(block, stream);
        }
    }

    /// Gives back every segment that nobody uses, after waiting for what may still be in use.
    /// Returns the bytes given back.
    pub fn empty_cache(&self) -> usize {
        self.lock().empty_cache()
    }

    /// Gives back idle segments, the smallest first, until `bytes` have gone or none is left,
    /// without waiting for anything. Returns the bytes given back.
    pub fn trim(&self, bytes: usize) -> usize {
        self.lock().trim(bytes)
    }

    /// Whether pages move at every large request that misses.
    pub fn is_paged(&self) -> bool {
        self.lock().paging == When::Missed
    }

    /// Whether new segments for large requests are of pages, which can move.
    pub fn has_pages(&self) -> bool {
        self.lock().paging != When::Never
    }

    /// Merges the caches' blocks with their free neighbours.
    pub fn coalesce(&self) {
        self.lock().coalesce();
    }

    /// The peaks begin again at the present levels.
    pub fn reset_peaks(&self) {
        self.lock().counters.reset_peaks();
    }

    /// The peaks are at least these: takes back a [`reset_peaks`](Allocator::reset_peaks) that was
    /// made to watch one piece of work.
    pub fn raise_peaks(&self, least: Levels) {
        self.lock().counters.raise_peaks(least);
    }

    /// Counts and peaks are again those of `before`, as if nothing had been asked since; the levels
    /// stay true. For work that is done only to be looked at.
    pub fn forget_since(&self, before: &AllocatorStats) {
        self.lock().counters.forget_since(before);
    }

    /// Memory for `bytes` bytes, if there is some without asking anybody to let go of any: for what
    /// is done better with it, and goes on without. Peaks do not count it.
    pub fn allocate_spare(
        &self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Option<Allocation> {
        let mut heap = self.lock();
        let peak = heap.counters.get().peak;
        let allocation = self.allocate_in(&mut heap, bytes, stream, provenance).ok();
        heap.counters.set_peaks(peak);
        allocation
    }

    /// Bytes in blocks that only what was before holds: see [`BlockState::Past`].
    pub fn past(&self) -> usize {
        self.lock().counters.get().past
    }

    /// The counters.
    pub fn stats(&self) -> AllocatorStats {
        self.lock().stats()
    }

    /// A picture of every block.
    pub fn snapshot(&self) -> Snapshot {
        self.lock().snapshot()
    }

    /// The last events, oldest first.
    pub fn history(&self) -> Vec<TraceEntry> {
        self.lock().history.entries().copied().collect()
    }

    /// Keeps the last `len` events from here on; 0 switches the history off.
    pub fn set_history_len(&self, len: usize) {
        let mut heap = self.lock();
        heap.config.history_len = len;
        heap.history.resize(len);
    }

    /// The configuration as it stands now.
    pub fn config(&self) -> AllocatorConfig {
        self.lock().config.clone()
    }

    /// The upstream's name.
    pub fn device_name(&self) -> String {
        self.lock().upstream.name().to_string()
    }

    /// How much the upstream has, and has left.
    pub fn mem_info(&self) -> MemInfo {
        self.lock().upstream.mem_info()
    }

    /// Names the statement that everything allocated from here on belongs to.
    pub fn set_statement(&self, id: StatementId, text: Arc<str>) {
        let mut heap = self.lock();
        heap.history.tick();
        heap.set_statement(id, text);
    }

    /// Nothing runs from here on: time goes to no statement. Counted while there is a history.
    pub fn rest(&self) {
        let mut heap = self.lock();
        heap.history.tick();
        let now_us = heap.history.now_us();
        heap.statements.rest(now_us);
    }

    /// Whether each event of the history has a time of its own, and not that of its statement.
    pub fn set_exact_times(&self, is_exact: bool) {
        self.lock().history.set_exact(is_exact);
    }

    /// Installs what a request asks for memory when nothing else helps: it gets the bytes that are
    /// needed and says whether it let go of anything. It is asked until the request is served or it
    /// has nothing left.
    pub fn set_collector(&self, collector: impl Fn(usize) -> bool + Send + Sync + 'static) {
        self.hooks_mut(|hooks| hooks.collector = Some(Arc::new(collector)));
    }

    /// Calls `observer` with every [`OutOfMemory`], before the caller gets it.
    pub fn observe_out_of_memory(&self, observer: impl Fn(&OutOfMemory) + Send + Sync + 'static) {
        self.hooks_mut(|hooks| hooks.observers.push(Arc::new(observer)));
    }

    /// Whether both are handles to one heap.
    pub fn is_same(&self, other: &Allocator) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// One try, without the collector.
    #[inline]
    fn allocate_once(
        &self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Result<Allocation, UpstreamError> {
        self.allocate_in(&mut self.lock(), bytes, stream, provenance)
    }

    /// A block that needs no upstream, if there is one.
    fn allocate_cached(
        &self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Option<Allocation> {
        let mut heap = self.lock();
        let is_served = bytes == 0 || heap.has_fitting(bytes, stream);
        is_served.then(|| self.allocate_in(&mut heap, bytes, stream, provenance).ok()).flatten()
    }

    #[inline]
    fn allocate_in(
        &self,
        heap: &mut Heap,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Result<Allocation, UpstreamError> {
        let place = if bytes == 0 {
            // Nobody may read it, but it is aligned and not null, as a slice of no elements needs.
            (BlockId::NONE, ALIGNMENT as u64)
        } else {
            let block = heap.allocate(bytes, stream, provenance)?;
            (block, heap.blocks[block].address)
        };
        Ok(Allocation::new(self.clone(), place, bytes, stream))
    }

    /// The last steps of the retry order.
    #[cold]
    fn allocate_after_collecting(
        &self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
        mut cause: UpstreamError,
    ) -> Result<Allocation, OutOfMemory> {
        let hooks = self.shared.hooks.read().unwrap_or_else(PoisonError::into_inner).clone();
        let collector = hooks.collector;
        let mut has_collected = false;
        while cause == UpstreamError::OutOfMemory && collector.as_ref().is_some_and(|c| c(bytes)) {
            has_collected = true;
            match self.allocate_once(bytes, stream, provenance) {
                Ok(allocation) => return Ok(allocation),
                Err(error) => cause = error,
            }
        }
        let error = self.lock().out_of_memory(bytes, stream, cause, has_collected);
        hooks.observers.iter().for_each(|observe| observe(&error));
        Err(error)
    }

    fn hooks_mut(&self, change: impl FnOnce(&mut Hooks)) {
        change(&mut self.shared.hooks.write().unwrap_or_else(PoisonError::into_inner));
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, Heap> {
        // The heap's own code does not panic; if a panic elsewhere poisoned the lock, blocks must
        // still find their way home.
        self.shared.heap.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Allocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Allocator").field("device", &self.device_name()).finish_non_exhaustive()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Every allocation holds a handle, so nothing is live now.
        self.heap.get_mut().unwrap_or_else(PoisonError::into_inner).empty_cache();
    }
}

fn check_mode(upstream: &dyn Upstream, mode: Mode) -> Result<(), ConfigError> {
    if mode == Mode::Async && !upstream.has_async_pool() {
        return Err(ConfigError::NoAsyncPool { device: upstream.name().to_string() });
    }
    Ok(())
}

fn check_fraction(fraction: f64) -> Result<(), ConfigError> {
    let is_share = fraction > 0.0 && fraction <= 1.0;
    if is_share { Ok(()) } else { Err(ConfigError::Fraction { found: fraction }) }
}
