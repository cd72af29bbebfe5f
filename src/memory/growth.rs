//! The slow path: everything that is tried before a request fails, and giving memory back.
//!
//! The order is: what other streams have finished with, the stream's own cache merged, another
//! idle stream's blocks, a new segment. When the upstream refuses: wait for events, merge every
//! cache, wait for the other streams, give back every idle segment; and after each step look into
//! the pools again before asking the upstream again. A step that frees a fitting block is thus
//! never followed by an out-of-memory error.

use super::block::{BlockId, BlockState};
use super::heap::Heap;
use super::history::Action;
use super::pages::When;
use super::segment::{Origin, Segment, SizeClass, segment_size};
use super::stats::Tally;
use super::upstream::UpstreamError;

/// One part in this many of what is reserved may be free without being traded in. With 8 the five
/// traces of the benchmark need fewer segments than with none or less, and lose no more.
const SLACK: usize = 8;

impl Heap {
    /// The slow path of a request for `bytes`, a multiple of the alignment.
    #[cold]
    pub fn find_slowly(&mut self, bytes: usize, home: u16) -> Result<BlockId, UpstreamError> {
        let class = SizeClass::of(bytes);
        self.settle_completed(usize::MAX);
        self.flush_cache(home);
        if let Some(id) = self.take_fitting(home, class, bytes) {
            return Ok(id);
        }
        if let Some(id) = self.adopt(bytes, home) {
            return Ok(id);
        }
        match self.grow(bytes, home) {
            Err(UpstreamError::OutOfMemory) => {}
            other => return other,
        }
        let found = self.find_under_pressure(bytes, home);
        if found.is_ok() {
            self.counters.tally(Tally::Retry);
        }
        found
    }

    /// A block that is a segment of its own, for the modes without a cache.
    pub fn take_whole(
        &mut self,
        bytes: usize,
        home: u16,
        origin: Origin,
    ) -> Result<BlockId, UpstreamError> {
        let class = SizeClass::of(bytes);
        let mut taken = self.take_segment(bytes, class, home, origin);
        if taken == Err(UpstreamError::OutOfMemory) {
            self.drain(home);
            taken = self.take_segment(bytes, class, home, origin);
            if taken == Err(UpstreamError::OutOfMemory) {
                // Blocks cached in another mode may still pin a segment with room in it.
                return self.take_from_either(bytes, home);
            }
            self.counters.tally(Tally::Retry);
        }
        let id = taken?;
        self.blocks[id].is_whole = true;
        Ok(id)
    }

    /// Merges everything that a stream's cache holds into its pool.
    pub fn flush_cache(&mut self, stream: u16) {
        while let Some(id) = self.streams[usize::from(stream)].cache.pop_any(&self.blocks) {
            self.counters.unparked(self.blocks[id].bytes);
            self.pool_up(id);
        }
    }

    /// Merges every cache into its pool.
    pub fn coalesce(&mut self) {
        self.settle_completed(usize::MAX);
        (0..self.streams.len()).for_each(|stream| self.flush_cache(stream as u16));
    }

    /// Gives every stream's cache another capacity, and begins with empty ones.
    pub fn set_cache_size(&mut self, blocks: usize) {
        self.config.cache_size = blocks;
        for stream in 0..self.streams.len() {
            self.flush_cache(stream as u16);
            self.streams[stream].cache.set_capacity(blocks);
        }
    }

    /// Merges everything and gives idle segments back, the smallest first, until `bytes` have
    /// gone or none is left. Returns how many bytes went.
    pub fn trim(&mut self, bytes: usize) -> usize {
        let before = self.counters.get().now.reserved;
        // Settling may already give back blocks that are segments of their own.
        self.coalesce();
        let gone = before - self.counters.get().now.reserved;
        self.release_idle(bytes.saturating_sub(gone), true);
        before - self.counters.get().now.reserved
    }

    /// Gives idle segments back while more is free than the configuration allows.
    #[cold]
    pub fn bound_cache(&mut self) {
        let free = self.stats().free();
        if let Some(limit) = self.config.cached_limit
            && free > limit
        {
            self.trim(free - limit);
        }
    }

    /// Waits for everything that was freed and gives back every segment that nobody uses.
    pub fn empty_cache(&mut self) -> usize {
        let before = self.counters.get().now.reserved;
        self.drain(0);
        before - self.counters.get().now.reserved
    }

    /// Gives a segment back whose blocks are in no pool and no cache: one block, the whole of it.
    pub fn release_segment(&mut self, at: u32) {
        let Some(segment) = self.segments.remove(at) else { return };
        self.record_segment(Action::SegmentFree, &segment);
        self.blocks.remove(segment.first);
        self.counters.released(segment.bytes);
        self.counters.segments(-1);
        self.counters.called(1);
        let stream = self.streams[usize::from(segment.stream)].id;
        match segment.origin {
            Origin::Async => self.upstream.deallocate_async(segment.address, segment.bytes, stream),
            _ => self.upstream.deallocate(segment.address, segment.bytes),
        }
    }

    /// Limits what is reserved to a share of all that the upstream has; 1 lifts the limit.
    pub fn limit_to_fraction(&mut self, fraction: f64) {
        // Asking the upstream costs a host a hundred microseconds: too much for every start.
        self.limit =
            (fraction < 1.0).then(|| (self.upstream.mem_info().total as f64 * fraction) as usize);
    }

    /// All of that in one; what stays free belongs to `home`.
    fn drain(&mut self, home: u16) {
        self.settle_all();
        self.reunite(home);
        self.trim(usize::MAX);
    }

    fn find_under_pressure(&mut self, bytes: usize, home: u16) -> Result<BlockId, UpstreamError> {
        let class = SizeClass::of(bytes);
        if self.settle_all() {
            self.flush_cache(home);
            if let Some(id) = self.take_fitting(home, class, bytes) {
                return Ok(id);
            }
        }
        if self.reunite(home)
            && let Some(id) = self.take_fitting(home, class, bytes)
        {
            return Ok(id);
        }
        let has_pages = self.paging != When::Never && class == SizeClass::Large;
        if has_pages && let Ok(id) = self.grow_paged(bytes, home, true) {
            return Ok(id);
        }
        // Even if nothing is idle: an event may have released a block that was a whole segment.
        self.trim(usize::MAX);
        match self.grow(bytes, home) {
            Err(UpstreamError::OutOfMemory) => {}
            other => return other,
        }
        if has_pages && let Ok(id) = self.gather(bytes, home) {
            return Ok(id);
        }
        self.take_from_either(bytes, home)
    }

    /// The last resort: a request that would fail otherwise may use a segment of the other class.
    fn take_from_either(&mut self, bytes: usize, home: u16) -> Result<BlockId, UpstreamError> {
        let classes = [SizeClass::Small, SizeClass::Large];
        let found = classes.into_iter().find_map(|class| self.take_fitting(home, class, bytes));
        found.ok_or(UpstreamError::OutOfMemory)
    }

    /// Waits for every stream, after which all free blocks are as good as `home`'s, and merges
    /// them across the borders that streams had drawn. Says whether there was another stream.
    pub fn reunite(&mut self, home: u16) -> bool {
        if self.streams.len() < 2 {
            return false;
        }
        self.coalesce();
        for at in 0..self.streams.len() {
            self.upstream.synchronize_stream(self.streams[at].id);
        }
        let segments: Vec<(BlockId, SizeClass)> =
            self.segments.iter().map(|(_, segment)| (segment.first, segment.class)).collect();
        for (first, class) in segments {
            let mut id = first;
            while !id.is_none() {
                let owner = self.blocks[id].stream;
                if self.blocks[id].state == BlockState::Free && owner != home {
                    let pool = &mut self.streams[usize::from(owner)].pools[class as usize];
                    pool.remove(&mut self.blocks, id);
                    self.blocks[id].stream = home;
                    id = self.pool_up(id);
                }
                id = self.blocks[id].next;
            }
        }
        true
    }

    /// Takes a fitting block from another stream that is idle: it has no work left that could
    /// touch its free blocks.
    fn adopt(&mut self, bytes: usize, home: u16) -> Option<BlockId> {
        let class = SizeClass::of(bytes);
        for owner in (0..self.streams.len() as u16).filter(|owner| *owner != home) {
            if !self.upstream.is_idle(self.streams[usize::from(owner)].id) {
                continue;
            }
            self.flush_cache(owner);
            if let Some(id) = self.take_fitting(owner, class, bytes) {
                self.counters.tally(Tally::Adoption);
                self.blocks[id].stream = home;
                return Some(id);
            }
        }
        None
    }

    /// Gets a new segment and cuts the block from it.
    pub fn grow(&mut self, bytes: usize, home: u16) -> Result<BlockId, UpstreamError> {
        let least = self.config.segment_size;
        let wanted =
            segment_size(bytes, self.granularity, least).ok_or(UpstreamError::OutOfMemory)?;
        let exact = segment_size(bytes, self.granularity, 0).unwrap_or(wanted);
        let class = SizeClass::of(bytes);
        if class == SizeClass::Large && self.paging == When::Missed {
            match self.grow_paged(bytes, home, false) {
                // What can't be paged may still be had plain.
                Err(UpstreamError::Failed(_)) => {}
                other => return other,
            }
        }
        if class == SizeClass::Large {
            self.trade(exact);
        }
        let mut taken = self.take_new(wanted, class, home);
        if taken == Err(UpstreamError::OutOfMemory) && exact < wanted {
            taken = self.take_new(exact, class, home);
        }
        let id = taken?;
        if self.blocks[id].bytes > bytes {
            let rest = self.blocks.split(id, bytes);
            self.pool_up(rest);
        }
        Ok(id)
    }

    /// A new segment for the pools as one block, outside every pool.
    fn take_new(
        &mut self,
        bytes: usize,
        class: SizeClass,
        home: u16,
    ) -> Result<BlockId, UpstreamError> {
        if class == SizeClass::Large && self.paging == When::Short {
            match self.take_pages(bytes, home) {
                // What can't be had in pages may still be had whole.
                Err(UpstreamError::Failed(_)) => {}
                other => return other,
            }
        }
        self.take_segment(bytes, class, home, Origin::Pooled)
    }

    /// Before the heap grows it gives back as much idle memory as it is about to ask for: segments
    /// that were all too short for the request. Some may stay, or a program whose tensors grow a
    /// little with every step would meet the upstream twice in each. Nothing goes back while the device
    /// is busy for long: the host would wait, deaf to Ctrl-C.
    fn trade(&mut self, bytes: usize) {
        let now = self.counters.get().now;
        let idle = (now.reserved - now.active).saturating_sub(now.reserved / SLACK);
        let amount = bytes.min(idle);
        if amount > 0 && !self.upstream.is_busy() {
            self.release_idle(amount, self.paging == When::Missed);
        }
    }

    /// Gives idle segments back, and then, if wanted, pages of others.
    fn release_idle(&mut self, bytes: usize, also_pages: bool) {
        let mut idle = self.idle_segments();
        idle.sort_unstable();
        let mut gone = 0;
        for (size, at, id) in idle {
            if gone >= bytes {
                break;
            }
            gone += size;
            self.release_pooled(at, id);
        }
        if gone < bytes && also_pages {
            self.release_pages(bytes - gone);
        }
    }

    /// A new segment as one block, outside every pool.
    fn take_segment(
        &mut self,
        bytes: usize,
        class: SizeClass,
        home: u16,
        origin: Origin,
    ) -> Result<BlockId, UpstreamError> {
        if self.limit.is_some_and(|limit| {
            self.counters.get().now.reserved.checked_add(bytes).is_none_or(|sum| sum > limit)
        }) {
            return Err(UpstreamError::OutOfMemory);
        }
        let stream = self.streams[usize::from(home)].id;
        self.counters.called(1);
        let address = match origin {
            Origin::Async => self.upstream.allocate_async(bytes, stream)?,
            _ => self.upstream.allocate(bytes)?,
        };
        let first = BlockId::NONE;
        let statement = self.statements.current();
        let pieces = Default::default();
        let stream = home;
        let segment = Segment { address, bytes, first, class, origin, stream, statement, pieces };
        self.record_segment(Action::SegmentAllocate, &segment);
        self.counters.reserved(bytes);
        self.counters.segments(1);
        let at = self.segments.add(segment);
        let id = self.blocks.add(address, bytes, at, class, home);
        // In no pool: a neighbour that is cut from it must not take it for a free one.
        self.blocks[id].state = BlockState::Live;
        if let Some(segment) = self.segments.get_mut(at) {
            segment.first = id;
        }
        Ok(id)
    }

    /// Size and number of every segment that is one free block, and of what is one free block between
    /// addresses without memory; and that block.
    fn idle_segments(&self) -> Vec<(usize, u32, BlockId)> {
        let mut idle = Vec::new();
        for (at, segment) in self.segments.iter() {
            let first = &self.blocks[segment.first];
            if segment.origin != Origin::Paged {
                if first.state == BlockState::Free && first.bytes == segment.bytes {
                    idle.push((segment.bytes, at, segment.first));
                }
            } else if self.paging != When::Missed {
                let free = self.blocks.chain(segment.first);
                let free = free.filter(|id| self.blocks[*id].state == BlockState::Free);
                let apart = free.filter(|id| self.backed_sides(*id) == 0);
                idle.extend(apart.map(|id| (self.blocks[id].bytes, at, id)));
            }
        }
        idle
    }

    /// Gives back an idle segment of the pools, which is this free block.
    fn release_pooled(&mut self, at: u32, id: BlockId) {
        let Some(segment) = self.segments.get(at) else { return };
        if segment.origin == Origin::Paged {
            let pieces = self.pieces_in(at, id).collect();
            self.give_back(pieces);
            return;
        }
        let (first, class) = (segment.first, segment.class);
        let stream = usize::from(self.blocks[first].stream);
        self.streams[stream].pools[class as usize].remove(&mut self.blocks, first);
        self.release_segment(at);
    }
}
