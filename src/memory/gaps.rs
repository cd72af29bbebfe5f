//! Ranges of addresses and the gaps in them: blocks without memory.

use super::block::{Block, BlockId, BlockState, Blocks};
use super::heap::Heap;
use super::history::Action;
use super::segment::{Origin, Segment, SizeClass};
use super::upstream::UpstreamError;

/// The most addresses that a segment has, in bytes.
const ROOM: usize = 1 << 42;

impl Heap {
    /// A new segment of addresses alone: as many as the device has memory, so that what lies in it can
    /// grow, or just enough. Says which it is and where it begins.
    pub fn reserve(
        &mut self,
        bytes: usize,
        page: usize,
        home: u16,
    ) -> Result<(u32, u64), UpstreamError> {
        let room = self.upstream.mem_info().total.min(ROOM).next_multiple_of(page).max(bytes);
        self.reserve_room(bytes, room, home)
    }

    /// The same for `room` bytes, or as few as `bytes` where there are not so many.
    pub fn reserve_room(
        &mut self,
        bytes: usize,
        room: usize,
        home: u16,
    ) -> Result<(u32, u64), UpstreamError> {
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
    pub fn unreserve(&mut self, at: u32) {
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
    pub fn punch(&mut self, id: BlockId, address: u64, bytes: usize) {
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
    pub fn fill_gap(&mut self, segment: u32, address: u64, bytes: usize, home: u16) {
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
    pub fn block_at(&self, segment: u32, address: u64) -> Option<BlockId> {
        let first = self.segments.get(segment)?.first;
        let end = |id: &BlockId| self.blocks[*id].address + self.blocks[*id].bytes as u64;
        self.blocks.chain(first).find(|id| address < end(id))
    }

    pub fn record_part(&mut self, action: Action, segment: u32, address: u64, bytes: usize) {
        if let Some(segment) = self.segments.get(segment) {
            self.record_range(action, segment.stream, address, bytes);
        }
    }

    /// How many of a block's neighbours have memory behind them.
    pub fn backed_sides(&self, id: BlockId) -> usize {
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
