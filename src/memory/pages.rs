//! Paged segments: a range of addresses each, behind parts of which there are pieces of memory.
//!
//! Pieces stay where they are while blocks come and go. A request that no free block can serve gets a
//! place where least is missing (`spots.rs`): beside free blocks, whose neighbours have no memory.
//! What is missing comes from pieces that lie in free blocks elsewhere, and only then from the
//! upstream. A piece moves whole, and only when nothing on its stream is at work any more.

use super::block::{BlockId, BlockState};
use super::config::SegmentKind;
use super::heap::Heap;
use super::history::Action;
use super::paging::Piece;
use super::segment::Origin;
use super::spots::{Part, Spot, best_spot};
use super::upstream::UpstreamError;

/// A request that is new altogether comes in about so many pieces: a call of the driver takes tens of
/// microseconds however large the piece is, and what moves later moves whole.
const PIECES: usize = 64;

/// When pages move behind other addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// There are none, or nobody wants it.
    Never,
    /// Nothing else serves a request.
    Short,
    /// A large request misses.
    Missed,
}

/// A piece that lies in a free block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loose {
    pub block: BlockId,
    pub segment: u32,
    pub address: u64,
    pub bytes: usize,
    pub piece: Piece,
}

/// A piece and the place that it is to have.
pub(super) type Placed = (Piece, u64, usize);

impl Heap {
    /// Chooses what new segments for large requests are made of.
    pub fn choose_segments(&mut self, kind: SegmentKind) {
        self.config.segments = kind;
        self.paging = match (kind, self.page) {
            (SegmentKind::Plain, _) | (_, None) => When::Never,
            (SegmentKind::Auto, _) if !self.upstream.gathers() => When::Never,
            (SegmentKind::Auto, Some(page)) => {
                self.piece = self.piece_bytes(page);
                When::Short
            }
            (SegmentKind::Paged, _) => When::Missed,
        };
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
    pub fn back(
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
    pub fn create(&mut self, wanted: &[(u64, usize)]) -> Result<Vec<Placed>, UpstreamError> {
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
    pub fn destroy(&mut self, pieces: &[Placed]) {
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
    pub fn put(&mut self, gaps: &[(u64, usize)], pieces: &[Placed]) -> Result<(), UpstreamError> {
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

    /// Pieces that lie in a block of a segment.
    pub fn pieces_in(&self, at: u32, id: BlockId) -> impl Iterator<Item = Loose> + '_ {
        let block = &self.blocks[id];
        let end = block.address + block.bytes as u64;
        let pieces = self.segments.get(at).map(|segment| segment.pieces.range(block.address..end));
        let pieces = pieces.into_iter().flatten();
        pieces.filter(move |(address, (_, bytes))| *address + *bytes as u64 <= end).map(
            move |(address, (piece, bytes))| {
                let (address, bytes, piece) = (*address, *bytes, *piece);
                Loose { block: id, segment: at, address, bytes, piece }
            },
        )
    }

    /// Pieces that lie in free blocks of a stream, or of all, but for those of a place.
    pub fn loose_pieces(&self, owner: Option<u16>, but: Option<(u32, &Spot)>) -> Vec<Loose> {
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
                found.extend(self.pieces_in(at, id));
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
        self.give_back(loose)
    }

    /// Gives these pieces of free blocks back. Returns how many bytes went.
    pub fn give_back(&mut self, mut loose: Vec<Loose>) -> usize {
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
}
