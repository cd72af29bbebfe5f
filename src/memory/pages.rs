//! Paged segments: a range of addresses each, behind parts of which there are pieces of memory.
//!
//! Pieces stay where they are while blocks come and go. A request that no free block can serve gets a
//! place where least is missing (`spots.rs`): beside free blocks, whose neighbours have no memory.
//! What is missing comes from pieces that lie in free blocks elsewhere, and only then from the
//! upstream. A piece moves whole, and only when nothing on its stream is at work any more.

use super::block::{Block, BlockId, BlockState, Blocks};
use super::config::SegmentKind;
use super::heap::Heap;
use super::history::Action;
use super::paging::Piece;
use super::segment::{Origin, Segment, SizeClass};
use super::spots::{Part, Spot, best_spot};
use super::upstream::UpstreamError;

/// A request that is new altogether comes in about so many pieces: a call of the driver takes tens of
/// microseconds however large the piece is, and what moves later moves whole.
const PIECES: usize = 64;

/// The most addresses that a segment has, in bytes.
const ROOM: usize = 1 << 42;

/// A piece that lies in a free block.
#[derive(Debug, Clone, Copy)]
struct Loose {
    block: BlockId,
    segment: u32,
    address: u64,
    bytes: usize,
    piece: Piece,
}

/// A piece and the place that it is to have.
type Placed = (Piece, u64, usize);

impl Heap {
    /// Whether new segments for large requests are paged.
    pub fn choose_segments(&mut self, kind: SegmentKind) {
        self.config.segments = kind;
        let wanted = match kind {
            SegmentKind::Auto => self.upstream.prefers_pages(),
            SegmentKind::Plain => false,
            SegmentKind::Paged => true,
        };
        self.is_paged = wanted && self.page.is_some();
    }

    /// Backs a place for `bytes` and cuts the block from it. `is_short` says that memory is: then the
    /// device may be waited for.
    pub fn grow_paged(
        &mut self,
        bytes: usize,
        home: u16,
        is_short: bool,
    ) -> Result<BlockId, UpstreamError> {
        let least = self.config.segment_size;
        let mut placed = self.place(bytes.max(least), home, is_short);
        if placed == Err(UpstreamError::OutOfMemory) && least > bytes {
            placed = self.place(bytes, home, is_short);
        }
        let (segment, start) = placed?;
        let id = self.block_at(segment, start);
        let id = id.filter(|id| {
            let block = &self.blocks[*id];
            block.state == BlockState::Free && block.bytes >= bytes
        });
        let id = id.ok_or(UpstreamError::OutOfMemory)?;
        self.cut(id, bytes);
        Ok(id)
    }

    /// Backs the best place for `bytes` and says where it is: in the segment, at or behind the address.
    fn place(
        &mut self,
        bytes: usize,
        home: u16,
        is_short: bool,
    ) -> Result<(u32, u64), UpstreamError> {
        let page = self.page.ok_or(UpstreamError::OutOfMemory)?;
        let (segment, spot, is_new) = match self.best_spot(bytes, home, page) {
            Some((segment, spot)) => (segment, spot, false),
            None => {
                let bytes = bytes.checked_next_multiple_of(page);
                let bytes = bytes.ok_or(UpstreamError::OutOfMemory)?;
                let (segment, address) = self.reserve(bytes, page, home)?;
                (segment, Spot::fresh(address, bytes), true)
            }
        };
        let mut loose = Vec::new();
        if is_short || !self.upstream.is_busy() {
            loose = self.loose_pieces(Some(home), Some((segment, &spot)));
            // The largest first, which takes the fewest calls; of equal ones those of short blocks, so
            // that long blocks stay long.
            let blocks = &self.blocks;
            loose.sort_by_key(|it| {
                (std::cmp::Reverse(it.bytes), blocks[it.block].bytes, it.address)
            });
        }
        let backed = self.back(segment, &spot.gaps, loose, home, page);
        if backed.is_err() && is_new {
            self.unreserve(segment);
        }
        backed.map(|()| (segment, spot.start))
    }

    /// Fills gaps of a segment with loose pieces, as they fit, and with new ones. Either all gaps have
    /// memory afterwards and are free blocks, or none has.
    fn back(
        &mut self,
        segment: u32,
        gaps: &[(u64, usize)],
        loose: Vec<Loose>,
        home: u16,
        page: usize,
    ) -> Result<(), UpstreamError> {
        let mut loose: Vec<Option<Loose>> = loose.into_iter().map(Some).collect();
        let (mut moved, mut fresh) = (Vec::new(), Vec::new());
        for (start, bytes) in gaps.iter().copied() {
            let (mut at, end) = (start, start + bytes as u64);
            for offered in &mut loose {
                if let Some(piece) = offered.take_if(|it| it.bytes as u64 <= end - at) {
                    moved.push((piece, at));
                    at += piece.bytes as u64;
                }
            }
            let size = (bytes.div_ceil(PIECES)).next_multiple_of(page) as u64;
            while at < end {
                let size = size.min(end - at);
                fresh.push((at, size as usize));
                at += size;
            }
        }
        let created = self.create(&fresh)?;
        let emptied: Vec<u32> = moved.iter().map(|(loose, _)| loose.segment).collect();
        let result = match self.take_away(moved) {
            Ok(moved) => {
                let all: Vec<Placed> = moved.into_iter().chain(created).collect();
                self.put(gaps, &all).map(|()| all)
            }
            Err(error) => {
                self.destroy(&created);
                Err(error)
            }
        };
        let all = match result {
            Ok(all) => all,
            Err(error) => {
                emptied.into_iter().for_each(|segment| self.unreserve(segment));
                return Err(error);
            }
        };
        for (start, bytes) in gaps {
            self.fill_gap(segment, *start, *bytes, home);
        }
        if let Some(segment) = self.segments.get_mut(segment) {
            segment.pieces.extend(all.iter().map(|(piece, at, bytes)| (*at, (*piece, *bytes))));
        }
        emptied.into_iter().for_each(|segment| self.unreserve(segment));
        Ok(())
    }

    /// New pieces of these lengths, all or none.
    fn create(&mut self, wanted: &[(u64, usize)]) -> Result<Vec<Placed>, UpstreamError> {
        let bytes: usize = wanted.iter().map(|(_, bytes)| bytes).sum();
        let reserved = self.counters.get().now.reserved;
        if self.limit.is_some_and(|limit| reserved.checked_add(bytes).is_none_or(|all| all > limit))
        {
            return Err(UpstreamError::OutOfMemory);
        }
        let mut created: Vec<Placed> = Vec::with_capacity(wanted.len());
        for (address, bytes) in wanted.iter().copied() {
            self.counters.called(1);
            let paging = self.upstream.paging().ok_or(UpstreamError::OutOfMemory)?;
            match paging.create(bytes) {
                Ok(piece) => created.push((piece, address, bytes)),
                Err(error) => {
                    self.counters.reserved(created.iter().map(|(.., bytes)| bytes).sum());
                    self.destroy(&created);
                    return Err(error);
                }
            }
        }
        self.counters.reserved(bytes);
        Ok(created)
    }

    /// Gives pieces back that are mapped nowhere.
    fn destroy(&mut self, pieces: &[Placed]) {
        for (piece, _, bytes) in pieces {
            if let Some(paging) = self.upstream.paging() {
                paging.destroy(*piece, *bytes);
            }
            self.counters.called(1);
            self.counters.released(*bytes);
        }
    }

    /// Unmaps pieces of free blocks, whose addresses have no memory from then on.
    fn take_away(&mut self, mut wanted: Vec<(Loose, u64)>) -> Result<Vec<Placed>, UpstreamError> {
        self.wait_for_owners(wanted.iter().map(|(loose, _)| *loose));
        // From the end of a block to its beginning, which keeps the block's place in the table.
        wanted.sort_by_key(|(loose, _)| std::cmp::Reverse(loose.address));
        let mut taken: Vec<Placed> = Vec::with_capacity(wanted.len());
        for (loose, address) in wanted {
            if let Err(error) = self.unmap(loose) {
                self.destroy(&taken);
                return Err(error);
            }
            self.counters.moved(loose.bytes);
            taken.push((loose.piece, address, loose.bytes));
        }
        Ok(taken)
    }

    /// Unmaps a piece of a free block.
    fn unmap(&mut self, loose: Loose) -> Result<(), UpstreamError> {
        let Loose { block, segment, address, bytes, piece } = loose;
        let Some(paging) = self.upstream.paging() else { return Ok(()) };
        self.counters.called(1);
        paging.unmap(piece, address, bytes)?;
        if let Some(segment) = self.segments.get_mut(segment) {
            segment.pieces.remove(&address);
        }
        self.punch(block, address, bytes);
        self.record_part(Action::SegmentUnmap, segment, address, bytes);
        Ok(())
    }

    /// Maps pieces and makes them usable, gap by gap, all or none.
    fn put(&mut self, gaps: &[(u64, usize)], pieces: &[Placed]) -> Result<(), UpstreamError> {
        let mut mapped = 0;
        let mut result = Ok(());
        let Some(paging) = self.upstream.paging() else { return Ok(()) };
        for (piece, address, bytes) in pieces {
            result = paging.map(*piece, *address, *bytes);
            if result.is_err() {
                break;
            }
            mapped += 1;
        }
        if result.is_ok() {
            result = gaps.iter().try_for_each(|(start, bytes)| paging.allow(*start, *bytes));
        }
        self.counters.called((pieces.len() + gaps.len()) as u64);
        if result.is_err() {
            let undo = pieces[..mapped].iter();
            undo.for_each(|(piece, at, bytes)| drop(paging.unmap(*piece, *at, *bytes)));
            self.destroy(pieces);
        }
        result
    }

    /// Pieces that lie in free blocks of a stream, or of all, but for those of a place.
    fn loose_pieces(&self, owner: Option<u16>, but: Option<(u32, &Spot)>) -> Vec<Loose> {
        let mut found = Vec::new();
        for (at, segment) in self.segments.iter().filter(|(_, it)| it.origin == Origin::Paged) {
            let but = but.filter(|(segment, _)| *segment == at).map(|(_, spot)| spot);
            for id in self.blocks.chain(segment.first) {
                let block = &self.blocks[id];
                let end = block.address + block.bytes as u64;
                let is_taken = but.is_some_and(|spot| spot.start < end && block.address < spot.end);
                let is_owned = owner.is_none_or(|owner| block.stream == owner);
                if block.state != BlockState::Free || !is_owned || is_taken {
                    continue;
                }
                for (address, (piece, bytes)) in segment.pieces.range(block.address..end) {
                    if address + *bytes as u64 <= end {
                        let (address, bytes, piece) = (*address, *bytes, *piece);
                        found.push(Loose { block: id, segment: at, address, bytes, piece });
                    }
                }
            }
        }
        found
    }

    /// Waits for what was given to the streams that have used these pieces.
    fn wait_for_owners(&mut self, pieces: impl Iterator<Item = Loose>) {
        let mut owners: Vec<u16> = pieces.map(|loose| self.blocks[loose.block].stream).collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            self.upstream.synchronize_stream(self.streams[usize::from(owner)].id);
        }
    }

    /// Gives pieces of free blocks back, those of the shortest blocks first, until `bytes` have gone or
    /// none is left. Returns how many went.
    pub fn release_pages(&mut self, bytes: usize) -> usize {
        let mut loose = self.loose_pieces(None, None);
        loose.sort_by_key(|it| (self.blocks[it.block].bytes, std::cmp::Reverse(it.address)));
        let (mut gone, mut count) = (0, 0);
        for it in &loose {
            if gone >= bytes {
                break;
            }
            gone += it.bytes;
            count += 1;
        }
        loose.truncate(count);
        self.wait_for_owners(loose.iter().copied());
        // As in `take_away`.
        loose.sort_by_key(|it| std::cmp::Reverse(it.address));
        let mut segments = Vec::new();
        let before = self.counters.get().now.reserved;
        for it in loose {
            if self.unmap(it).is_ok() {
                self.destroy(&[(it.piece, it.address, it.bytes)]);
                segments.push(it.segment);
            }
        }
        segments.dedup();
        segments.into_iter().for_each(|segment| self.unreserve(segment));
        before - self.counters.get().now.reserved
    }

    /// Moves all that is free to one place behind each other, as far as pieces lie in free blocks.
    /// Returns the bytes that moved.
    pub fn compact(&mut self) -> usize {
        self.coalesce();
        self.settle_all();
        self.reunite(0);
        if self.streams.is_empty() {
            return 0;
        }
        let Some(page) = self.page else { return 0 };
        let loose = self.loose_pieces(Some(0), None);
        let all: usize = loose.iter().map(|it| it.bytes).sum();
        let own = |id: BlockId| -> usize {
            loose.iter().filter(|it| it.block == id).map(|it| it.bytes).sum()
        };
        // Behind the free block with which the whole is longest.
        let mut best: Option<(usize, u32, u64, BlockId)> = None;
        for (at, segment) in self.segments.iter().filter(|(_, it)| it.origin == Origin::Paged) {
            for id in self.blocks.chain(segment.first) {
                let block = &self.blocks[id];
                let before = (!block.prev.is_none()).then(|| &self.blocks[block.prev]);
                let before = before.filter(|it| it.state == BlockState::Free && it.stream == 0);
                let (kept, bytes) = before.map_or((0, 0), |it| (own(block.prev), it.bytes));
                let is_gap = block.state == BlockState::Unbacked && block.bytes >= all - kept;
                let whole = bytes + all - kept;
                if is_gap && best.is_none_or(|(most, ..)| whole > most) {
                    best = Some((whole, at, block.address, block.prev));
                }
            }
        }
        let (segment, address, kept, is_new) = match best {
            Some((_, segment, address, kept)) => (segment, address, kept, false),
            None if all == 0 => return 0,
            None => match self.reserve(all, page, 0) {
                Ok((segment, address)) => (segment, address, BlockId::NONE, true),
                Err(_) => return 0,
            },
        };
        let longest = self.stats().largest_free;
        let loose: Vec<Loose> = loose.iter().filter(|it| it.block != kept).copied().collect();
        let bytes: usize = loose.iter().map(|it| it.bytes).sum();
        let whole = if kept.is_none() { bytes } else { self.blocks[kept].bytes + bytes };
        let is_done = whole > longest
            && bytes > 0
            && self.back(segment, &[(address, bytes)], loose, 0, page).is_ok();
        if is_new && !is_done {
            self.unreserve(segment);
        }
        if is_done { bytes } else { 0 }
    }

    /// The best place for a request among the segments' free blocks and gaps.
    fn best_spot(&self, bytes: usize, home: u16, page: usize) -> Option<(u32, Spot)> {
        let mut best: Option<(u32, Spot)> = None;
        let mut run: Vec<Part> = Vec::new();
        for (at, segment) in self.segments.iter().filter(|(_, it)| it.origin == Origin::Paged) {
            let mut look = |run: &mut Vec<Part>| {
                let spot = best_spot(run, bytes, page);
                run.clear();
                if let Some(spot) = spot
                    && best.as_ref().is_none_or(|(_, best)| spot.is_better_than(best))
                {
                    best = Some((at, spot));
                }
            };
            for id in self.blocks.chain(segment.first) {
                let block = &self.blocks[id];
                let is_backed = block.state == BlockState::Free && block.stream == home;
                match is_backed || block.state == BlockState::Unbacked {
                    true => {
                        let (address, bytes) = (block.address, block.bytes);
                        run.push(Part { address, bytes, is_backed });
                    }
                    false => look(&mut run),
                }
            }
            look(&mut run);
        }
        best
    }

    /// A new segment of addresses alone: as many as the device has memory, so that what lies in it can
    /// grow, or just enough. Says which it is and where it begins.
    fn reserve(
        &mut self,
        bytes: usize,
        page: usize,
        home: u16,
    ) -> Result<(u32, u64), UpstreamError> {
        let room = self.upstream.mem_info().total.min(ROOM).next_multiple_of(page).max(bytes);
        let paging = self.upstream.paging().ok_or(UpstreamError::OutOfMemory)?;
        let (address, room) = match paging.reserve(room) {
            Ok(address) => (address, room),
            Err(_) if room > bytes => (paging.reserve(bytes)?, bytes),
            Err(error) => return Err(error),
        };
        self.counters.called(1);
        let at = self.segments.add(Segment {
            address,
            bytes: room,
            first: BlockId::NONE,
            class: SizeClass::Large,
            origin: Origin::Paged,
            stream: home,
            statement: self.statements.current(),
            pieces: Default::default(),
        });
        let id = self.blocks.add(address, room, at, SizeClass::Large, home);
        self.blocks[id].state = BlockState::Unbacked;
        if let Some(segment) = self.segments.get_mut(at) {
            segment.first = id;
        }
        Ok((at, address))
    }

    /// Gives a segment's addresses back if nothing is behind any of them.
    fn unreserve(&mut self, at: u32) {
        let Some(segment) = self.segments.get(at) else { return };
        if segment.origin != Origin::Paged || self.blocks[segment.first].bytes != segment.bytes {
            return;
        }
        if self.blocks[segment.first].state != BlockState::Unbacked {
            return;
        }
        let Some(segment) = self.segments.remove(at) else { return };
        self.blocks.remove(segment.first);
        self.counters.called(1);
        if let Some(paging) = self.upstream.paging() {
            paging.unreserve(segment.address, segment.bytes);
        }
    }

    /// A part of a free block has no memory any more.
    fn punch(&mut self, id: BlockId, address: u64, bytes: usize) {
        let Block { stream, class, .. } = self.blocks[id];
        let pool = &mut self.streams[usize::from(stream)].pools[class as usize];
        pool.remove(&mut self.blocks, id);
        let (gap, before, behind) = self.blocks.carve(id, address, bytes);
        for rest in before.into_iter().chain(behind) {
            self.blocks[rest].state = BlockState::Free;
            pool.insert(&mut self.blocks, rest);
        }
        let sides = self.backed_sides(gap);
        self.counters.segments(sides as i64 - 1);
        self.blocks[gap].state = BlockState::Unbacked;
        self.join_gaps(gap);
    }

    /// A part of a gap has memory from here on: a free block.
    fn fill_gap(&mut self, segment: u32, address: u64, bytes: usize, home: u16) {
        let Some(id) = self.block_at(segment, address) else { return };
        let (filled, _, behind) = self.blocks.carve(id, address, bytes);
        if let Some(behind) = behind {
            self.blocks[behind].state = BlockState::Unbacked;
        }
        let sides = self.backed_sides(filled);
        self.counters.segments(1 - sides as i64);
        self.blocks[filled].stream = home;
        self.record_part(Action::SegmentMap, segment, address, bytes);
        self.pool_up(filled);
    }

    /// The block that holds an address of a segment.
    fn block_at(&self, segment: u32, address: u64) -> Option<BlockId> {
        let first = self.segments.get(segment)?.first;
        let end = |id: &BlockId| self.blocks[*id].address + self.blocks[*id].bytes as u64;
        self.blocks.chain(first).find(|id| address < end(id))
    }

    fn record_part(&mut self, action: Action, segment: u32, address: u64, bytes: usize) {
        if let Some(segment) = self.segments.get(segment) {
            self.record_range(action, segment.stream, address, bytes);
        }
    }

    /// How many of a block's neighbours have memory behind them.
    fn backed_sides(&self, id: BlockId) -> usize {
        let is_backed =
            |id: &BlockId| !id.is_none() && self.blocks[*id].state != BlockState::Unbacked;
        [self.blocks[id].prev, self.blocks[id].next].iter().filter(|id| is_backed(id)).count()
    }

    fn join_gaps(&mut self, id: BlockId) {
        let is_gap = |blocks: &Blocks, id: BlockId| {
            !id.is_none() && blocks[id].state == BlockState::Unbacked
        };
        if is_gap(&self.blocks, self.blocks[id].next) {
            self.blocks.merge_next(id);
        }
        let before = self.blocks[id].prev;
        if is_gap(&self.blocks, before) {
            self.blocks.merge_next(before);
        }
    }
}
