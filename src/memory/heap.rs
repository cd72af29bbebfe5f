//! The heap: what stands behind the allocator's lock, and the fast path through it.
//!
//! `allocate` is a sentence: settle what other streams have finished with, look into the stream's
//! cache of exact sizes, look into its pool for the best fit, else take the slow path (`growth.rs`).
//! `free` is its mirror. Nothing here takes a lock, and no method of the facade is called.

use super::block::{Block, BlockId, BlockState, Blocks};
use super::cache::StreamCache;
use super::config::{AllocatorConfig, Mode, SMALL_LIMIT};
use super::events::Events;
use super::history::{Action, History, TraceEntry};
use super::pages::When;
use super::pool::Pool;
use super::provenance::{Provenance, Statements};
use super::segment::{Origin, Segment, Segments, SizeClass, round_size};
use super::stats::{Counters, Level, Tally};
use super::upstream::{StreamId, Upstream, UpstreamError};

/// How many waiting blocks a request asks about before it looks for memory. They are the oldest,
/// so they are the likeliest to be ready; the slow path asks about all.
const POLL: usize = 4;

/// The byte of a poisoned block. All ones is a NaN in every float format and −1 in every signed
/// integer.
const POISON: u8 = 0xFF;

/// Free blocks that one stream may use without waiting.
#[derive(Debug, Clone)]
pub(super) struct StreamHeap {
    pub id: StreamId,
    pub cache: StreamCache,
    pub pools: [Pool; 2],
}

impl StreamHeap {
    /// Whether it has a block for a request of `bytes`.
    pub fn has_fitting(&self, blocks: &Blocks, bytes: usize) -> bool {
        let pool = &self.pools[SizeClass::of(bytes) as usize];
        self.cache.has(bytes) || pool.best_fit(blocks, bytes).is_some()
    }
}

/// Everything that the lock guards.
pub(super) struct Heap {
    pub upstream: Box<dyn Upstream>,
    pub config: AllocatorConfig,
    /// The most that may be reserved, in bytes.
    pub limit: Option<usize>,
    pub granularity: usize,
    /// Bytes of a page, where the upstream has pages.
    pub page: Option<usize>,
    /// When pages move behind other addresses.
    pub paging: When,
    /// Bytes of the pieces that new segments are made of, where pages move when memory is short.
    pub piece: usize,
    pub blocks: Blocks,
    pub segments: Segments,
    pub streams: Vec<StreamHeap>,
    pub events: Events,
    pub counters: Counters,
    pub history: History,
    pub statements: Statements,
}

impl Heap {
    pub fn new(mut upstream: Box<dyn Upstream>, config: AllocatorConfig) -> Heap {
        let mut heap = Heap {
            granularity: upstream.granularity(),
            page: upstream.paging().map(|paging| paging.page_bytes()),
            paging: When::Never,
            piece: 0,
            upstream,
            limit: None,
            blocks: Blocks::default(),
            segments: Segments::default(),
            streams: Vec::new(),
            events: Events::default(),
            counters: Counters::new(config.stats_enabled),
            history: History::new(config.history_len),
            statements: Statements::default(),
            config,
        };
        heap.limit_to_fraction(heap.config.memory_fraction);
        heap.choose_segments(heap.config.segments);
        heap
    }

    /// Hands out a block of at least `bytes` (not 0) that `stream` may use at once.
    ///
    /// # Errors
    /// What the upstream said last, when every step of the slow path has failed.
    #[inline]
    pub fn allocate(
        &mut self,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Result<BlockId, UpstreamError> {
        let rounded = round_size(bytes).ok_or(UpstreamError::OutOfMemory)?;
        if !self.events.is_empty() {
            self.settle_completed(POLL);
        }
        let home = self.stream_index(stream);
        let (id, level) = match self.config.mode {
            Mode::Caching => self.find(rounded, home)?,
            Mode::Direct => (self.take_whole(rounded, home, Origin::Direct)?, Level::Slow),
            Mode::Async => (self.take_whole(rounded, home, Origin::Async)?, Level::Slow),
        };
        self.hand_out(id, bytes, provenance, level);
        Ok(id)
    }

    /// Takes a block back from its holder.
    #[inline]
    pub fn free(&mut self, id: BlockId) {
        let Block { bytes, requested, is_shared, state, .. } = self.blocks[id];
        if state == BlockState::Past {
            // Its holder let go of it before.
            self.counters.set_past(bytes, false);
            self.counters.forgotten(bytes, is_shared);
            self.blocks[id].requested = 0;
        } else {
            self.record(Action::FreeRequested, id);
            let after = if is_shared { BlockState::Pending } else { BlockState::Free };
            self.counters.freed(bytes, requested, after);
        }
        if is_shared {
            self.counters.tally(Tally::DeferredFree);
            self.blocks[id].state = BlockState::Pending;
            self.events.defer(&mut *self.upstream, id);
            return;
        }
        self.put_back(id);
        if self.config.cached_limit.is_some() {
            self.bound_cache();
        }
    }

    /// A live block looks freed from here on, though its memory stays what it is; or it is live
    /// again.
    pub fn set_past(&mut self, id: BlockId, is_past: bool) {
        let Block { bytes, requested, state, .. } = self.blocks[id];
        match (state, is_past) {
            (BlockState::Live, true) => {
                self.record(Action::FreeRequested, id);
                self.record(Action::FreeCompleted, id);
                self.blocks[id].state = BlockState::Past;
                self.counters.freed(bytes, requested, BlockState::Free);
                self.counters.set_past(bytes, true);
            }
            (BlockState::Past, false) => {
                self.blocks[id].state = BlockState::Live;
                self.counters.set_past(bytes, false);
                self.counters.revived(bytes, requested);
                self.record(Action::Allocate, id);
            }
            _ => {}
        }
    }

    /// Notes that `stream` uses a live block that belongs to another stream.
    pub fn record_stream(&mut self, id: BlockId, stream: StreamId) {
        if self.streams[usize::from(self.blocks[id].stream)].id != stream {
            self.blocks[id].is_shared = true;
            self.events.note_use(id, stream);
        }
    }

    /// Returns blocks whose events have completed, among the `look` oldest.
    pub fn settle_completed(&mut self, look: usize) {
        while let Some(id) = self.events.take_completed(&mut *self.upstream, look) {
            self.settle(id);
        }
    }

    /// Waits for every event and returns every block that waited. Says whether there were any.
    pub fn settle_all(&mut self) -> bool {
        let had_any = !self.events.is_empty();
        while let Some(id) = self.events.take_synchronized(&mut *self.upstream) {
            self.settle(id);
        }
        had_any
    }

    /// A stream's position, made on its first use.
    #[inline]
    pub fn stream_index(&mut self, stream: StreamId) -> u16 {
        if let Some(at) = self.streams.iter().position(|known| known.id == stream) {
            return at as u16;
        }
        let cache = StreamCache::new(self.config.cache_size);
        self.streams.push(StreamHeap { id: stream, cache, pools: Default::default() });
        (self.streams.len() - 1) as u16
    }

    /// The best fit of a stream's pool, cut to size.
    #[inline]
    pub fn take_fitting(&mut self, owner: u16, class: SizeClass, bytes: usize) -> Option<BlockId> {
        let pool = &self.streams[usize::from(owner)].pools[class as usize];
        let id = pool.best_fit(&self.blocks, bytes)?;
        self.cut(id, bytes);
        Some(id)
    }

    /// Takes a block out of its pool, cut to size.
    #[inline]
    pub fn cut(&mut self, id: BlockId, bytes: usize) {
        let Block { bytes: whole, stream, class, .. } = self.blocks[id];
        let pool = &mut self.streams[usize::from(stream)].pools[class as usize];
        pool.remove(&mut self.blocks, id);
        if whole > bytes {
            let rest = self.blocks.split(id, bytes);
            pool.insert(&mut self.blocks, rest);
            self.counters.tally(Tally::Split);
        }
    }

    /// Puts a free block into its stream's pool, merged with its free neighbours there. Returns
    /// the block that holds it now.
    #[inline]
    pub fn pool_up(&mut self, mut id: BlockId) -> BlockId {
        let Block { stream, class, prev, next, .. } = self.blocks[id];
        let pool = &mut self.streams[usize::from(stream)].pools[class as usize];
        let is_free = |blocks: &Blocks, id: BlockId| {
            !id.is_none() && blocks[id].state == BlockState::Free && blocks[id].stream == stream
        };
        if is_free(&self.blocks, next) {
            pool.remove(&mut self.blocks, next);
            self.blocks.merge_next(id);
            self.counters.tally(Tally::Merge);
        }
        if is_free(&self.blocks, prev) {
            pool.remove(&mut self.blocks, prev);
            self.blocks.merge_next(prev);
            self.counters.tally(Tally::Merge);
            id = prev;
        }
        self.blocks[id].state = BlockState::Free;
        pool.insert(&mut self.blocks, id);
        id
    }

    /// Writes an event about a block.
    #[inline]
    pub fn record(&mut self, action: Action, id: BlockId) {
        if self.history.is_on() {
            let block = &self.blocks[id];
            self.history.push(TraceEntry {
                action,
                address: block.address,
                bytes: block.requested,
                stream: self.streams[usize::from(block.stream)].id,
                time_us: 0,
                statement: block.statement,
                kind: block.kind,
                operation: block.operation,
            });
        }
    }

    /// Writes an event about a segment.
    pub fn record_segment(&mut self, action: Action, segment: &Segment) {
        self.record_range(action, segment.stream, segment.address, segment.bytes);
    }

    /// Writes an event about a segment of that stream, or a part of one.
    pub fn record_range(&mut self, action: Action, stream: u16, address: u64, bytes: usize) {
        self.history.tick();
        self.history.push(TraceEntry {
            action,
            address,
            bytes,
            stream: self.streams[usize::from(stream)].id,
            time_us: 0,
            statement: self.statements.current(),
            kind: Default::default(),
            operation: "",
        });
    }

    #[inline]
    fn find(&mut self, bytes: usize, home: u16) -> Result<(BlockId, Level), UpstreamError> {
        if bytes <= SMALL_LIMIT
            && let Some(id) = self.streams[usize::from(home)].cache.pop(&self.blocks, bytes)
        {
            self.counters.unparked(bytes);
            return Ok((id, Level::Cache));
        }
        match self.take_fitting(home, SizeClass::of(bytes), bytes) {
            Some(id) => Ok((id, Level::Pool)),
            None => self.find_slowly(bytes, home).map(|id| (id, Level::Slow)),
        }
    }

    #[inline]
    fn hand_out(&mut self, id: BlockId, requested: usize, provenance: Provenance, level: Level) {
        let statement = self.statements.current();
        let block = &mut self.blocks[id];
        block.state = BlockState::Live;
        block.requested = requested;
        block.is_shared = false;
        block.kind = provenance.kind;
        block.operation = provenance.operation;
        block.statement = statement;
        let bytes = block.bytes;
        self.counters.allocated(bytes, requested, level);
        self.record(Action::Allocate, id);
        if self.config.poison {
            self.poison(id);
        }
    }

    pub fn settle(&mut self, id: BlockId) {
        self.counters.settled(self.blocks[id].bytes);
        self.put_back(id);
    }

    /// Nobody uses the block any more: to the cache, the pool, or the upstream.
    #[inline]
    fn put_back(&mut self, id: BlockId) {
        if self.blocks[id].requested > 0 {
            self.record(Action::FreeCompleted, id);
        }
        if self.config.poison {
            self.poison(id);
        }
        let block = &mut self.blocks[id];
        block.requested = 0;
        let Block { bytes, stream, segment, class, is_whole, .. } = *block;
        if is_whole {
            return self.release_segment(segment);
        }
        if class == SizeClass::Large || bytes > SMALL_LIMIT || self.config.cache_size == 0 {
            self.pool_up(id);
            return;
        }
        if self.streams[usize::from(stream)].cache.is_full() {
            // The sizes in it were not asked for again: the pool makes better use of them.
            self.flush_cache(stream);
        }
        self.blocks[id].state = BlockState::Cached;
        self.streams[usize::from(stream)].cache.push(&mut self.blocks, id);
        self.counters.parked(bytes);
    }

    #[cold]
    fn poison(&mut self, id: BlockId) {
        let Block { address, bytes, stream, .. } = self.blocks[id];
        self.upstream.fill(address, bytes, POISON, self.streams[usize::from(stream)].id);
    }
}
