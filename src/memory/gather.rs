//! Segments of pages that stay where they are until memory is short, and are gathered then.
//!
//! A new segment is a piece of its own behind addresses of its own, which costs what a plain one costs. When
//! nothing else serves a request, pieces that are free have gone back already. What is left are pieces that a
//! block pins: the pages of that block are copied to pieces of just their size, which take over its
//! addresses, and the long piece goes back. Nobody sees it: a block that is held keeps its address.

use super::block::{BlockId, BlockState};
use super::heap::Heap;
use super::history::Action;
use super::pages::Placed;
use super::paging::Piece;
use super::segment::Origin;
use super::upstream::{StreamId, UpstreamError};

/// A piece is this part of a device's memory at the most: larger segments consist of several, so that a
/// block pins no more than that where there is no room to copy it.
const PARTS: usize = 256;

/// A piece in which something is held, and something is free.
struct Pinned {
    segment: u32,
    address: u64,
    bytes: usize,
    piece: Piece,
    /// The pages that are held: where they begin, and how many bytes.
    held: Vec<(u64, usize)>,
    /// Bytes of those.
    held_bytes: usize,
}

impl Pinned {
    fn gain(&self) -> usize {
        self.bytes - self.held_bytes
    }

    /// The pages that are free.
    fn free(&self) -> Vec<(u64, usize)> {
        let (mut free, mut at) = (Vec::new(), self.address);
        let end = (self.address + self.bytes as u64, 0);
        for (start, bytes) in self.held.iter().copied().chain([end]) {
            if start > at {
                free.push((at, (start - at) as usize));
            }
            at = start + bytes as u64;
        }
        free
    }
}

impl Heap {
    /// How long the pieces of new segments are.
    pub fn piece_bytes(&self, page: usize) -> usize {
        (self.upstream.mem_info().total / PARTS).next_multiple_of(page).max(page)
    }

    /// A new segment of pages as one block, outside every pool.
    pub fn take_pages(&mut self, bytes: usize, home: u16) -> Result<BlockId, UpstreamError> {
        let page = self.page.ok_or(UpstreamError::OutOfMemory)?;
        let bytes = bytes.checked_next_multiple_of(page).ok_or(UpstreamError::OutOfMemory)?;
        let (segment, address) = self.reserve_room(bytes, bytes, home)?;
        let (piece, end) = (self.piece.max(page) as u64, address + bytes as u64);
        let starts = (address..end).step_by(piece as usize);
        let wanted: Vec<(u64, usize)> =
            starts.map(|at| (at, piece.min(end - at) as usize)).collect();
        let made = self.create(&wanted);
        let made = made.and_then(|all| self.put(&[(address, bytes)], &all).map(|()| all));
        let pieces = match made {
            Ok(pieces) => pieces,
            Err(error) => {
                self.unreserve(segment);
                return Err(error);
            }
        };
        self.counters.segments(1);
        self.record_part(Action::SegmentMap, segment, address, bytes);
        let segment = self.segments.get_mut(segment).ok_or(UpstreamError::OutOfMemory)?;
        segment.pieces.extend(pieces.iter().map(|(piece, at, bytes)| (*at, (*piece, *bytes))));
        let id = segment.first;
        // In no pool, as a plain segment begins.
        self.blocks[id].state = BlockState::Live;
        Ok(id)
    }

    /// Makes room for a request by giving back what is free in pieces that are held in part. What is free
    /// as a whole has gone back before, and all streams have been waited for.
    #[cold]
    pub fn gather(&mut self, bytes: usize, home: u16) -> Result<BlockId, UpstreamError> {
        let page = self.page.ok_or(UpstreamError::OutOfMemory)?;
        let mut pinned = self.pinned(page as u64);
        let gain: usize = pinned.iter().map(Pinned::gain).sum();
        // What begins and ends within pages that are held in part lies beside it.
        let wanted = bytes.saturating_sub(2 * page);
        if self.room().saturating_add(gain) < wanted {
            return Err(UpstreamError::OutOfMemory);
        }
        // The least that has to be copied first; as more has gone back, more can be copied.
        pinned.sort_by_key(|it| (it.held_bytes, std::cmp::Reverse(it.gain()), it.address));
        self.upstream.synchronize_all();
        for it in &pinned {
            if it.held_bytes > self.room() {
                break;
            }
            self.thin(it)?;
            if self.room() >= bytes
                && let Ok(id) = self.grow(bytes, home)
            {
                return Ok(id);
            }
        }
        self.grow_paged(bytes, home, true)
    }

    /// Bytes that the upstream may still give.
    fn room(&self) -> usize {
        let free = self.upstream.mem_info().free;
        let reserved = self.counters.get().now.reserved;
        self.limit.map_or(free, |limit| free.min(limit.saturating_sub(reserved)))
    }

    /// Every piece in which something is held and whole pages are free.
    fn pinned(&self, page: u64) -> Vec<Pinned> {
        let mut found = Vec::new();
        for (at, segment) in self.segments.iter().filter(|(_, it)| it.origin == Origin::Paged) {
            let mut blocks = self.blocks.chain(segment.first).peekable();
            for (start, (piece, bytes)) in &segment.pieces {
                let (start, end) = (*start, *start + *bytes as u64);
                let mut held: Vec<(u64, usize)> = Vec::new();
                while let Some(id) = blocks.peek().copied() {
                    let block = &self.blocks[id];
                    let behind = block.address + block.bytes as u64;
                    let is_free = matches!(block.state, BlockState::Free | BlockState::Unbacked);
                    if !is_free && behind > start && block.address < end {
                        let from = (block.address / page * page).max(start);
                        let to = behind.next_multiple_of(page).min(end);
                        match held.last_mut() {
                            Some((last, len)) if from <= *last + *len as u64 => {
                                *len = (to - *last) as usize;
                            }
                            _ => held.push((from, (to - from) as usize)),
                        }
                    }
                    if behind > end {
                        break;
                    }
                    blocks.next();
                }
                let held_bytes = held.iter().map(|(_, bytes)| bytes).sum();
                if held_bytes > 0 && held_bytes < *bytes {
                    let (segment, address, bytes, piece) = (at, start, *bytes, *piece);
                    found.push(Pinned { segment, address, bytes, piece, held, held_bytes });
                }
            }
        }
        found
    }

    /// Puts pieces of just their size behind the pages of a piece that are held, and gives that back.
    fn thin(&mut self, it: &Pinned) -> Result<(), UpstreamError> {
        let made = self.create(&it.held)?;
        let aside = match self.upstream.paging().map(|paging| paging.reserve(it.held_bytes)) {
            Some(Ok(address)) => address,
            _ => {
                self.destroy(&made);
                return Err(UpstreamError::OutOfMemory);
            }
        };
        let mut at = aside;
        let there: Vec<Placed> = made
            .iter()
            .map(|(piece, _, bytes)| {
                at += *bytes as u64;
                (*piece, at - *bytes as u64, *bytes)
            })
            .collect();
        // Pieces that could not be put there are gone.
        let result = self.put(&[(aside, it.held_bytes)], &there);
        let result = result.and_then(|()| {
            let result =
                self.copy_held(it, &there).and_then(|()| self.take_over(it, &there, &made));
            result.inspect_err(|_| {
                self.unmap_all(&there);
                self.destroy(&made);
            })
        });
        if let Some(paging) = self.upstream.paging() {
            paging.unreserve(aside, it.held_bytes);
        }
        self.counters.called(2);
        result?;
        self.destroy(&[(it.piece, it.address, it.bytes)]);
        self.counters.moved(it.held_bytes);
        if let Some(segment) = self.segments.get_mut(it.segment) {
            segment.pieces.remove(&it.address);
            segment.pieces.extend(made.iter().map(|(piece, at, bytes)| (*at, (*piece, *bytes))));
        }
        for (start, bytes) in it.free().into_iter().rev() {
            if let Some(id) = self.block_at(it.segment, start) {
                self.punch(id, start, bytes);
                self.record_part(Action::SegmentUnmap, it.segment, start, bytes);
            }
        }
        Ok(())
    }

    fn copy_held(&mut self, it: &Pinned, there: &[Placed]) -> Result<(), UpstreamError> {
        let stream = StreamId::DEFAULT;
        for ((from, bytes), (_, to, _)) in it.held.iter().zip(there) {
            self.upstream.copy(*from, *to, *bytes, stream)?;
        }
        self.upstream.synchronize_stream(stream);
        Ok(())
    }

    /// Takes a piece away from its addresses, and gives those of what is held to the copies. Where that is
    /// refused, the piece comes back.
    fn take_over(
        &mut self,
        it: &Pinned,
        there: &[Placed],
        made: &[Placed],
    ) -> Result<(), UpstreamError> {
        let old: Placed = (it.piece, it.address, it.bytes);
        self.counters.called(2 + 2 * made.len() as u64);
        let Some(paging) = self.upstream.paging() else { return Err(UpstreamError::OutOfMemory) };
        paging.unmap(old.0, old.1, old.2)?;
        let mut mapped = 0;
        let mut result = Ok(());
        for ((piece, aside, bytes), (_, address, _)) in there.iter().zip(made) {
            result = paging.unmap(*piece, *aside, *bytes);
            result = result.and_then(|()| paging.map(*piece, *address, *bytes));
            result = result.and_then(|()| {
                mapped += 1;
                paging.allow(*address, *bytes)
            });
            if result.is_err() {
                break;
            }
        }
        if result.is_err() {
            self.unmap_all(&made[..mapped]);
            if let Some(paging) = self.upstream.paging() {
                paging.map(old.0, old.1, old.2)?;
                paging.allow(old.1, old.2)?;
            }
        }
        result
    }

    /// Takes pieces away from where they are, as far as they are there.
    fn unmap_all(&mut self, pieces: &[Placed]) {
        if let Some(paging) = self.upstream.paging() {
            pieces.iter().for_each(|(piece, at, bytes)| drop(paging.unmap(*piece, *at, *bytes)));
        }
    }
}
