//! Blocks that are held move, by copies on the device, to where they leave long pieces free.
//!
//! Two steps, neither of which makes the longest free piece shorter. A segment in which little is held is
//! *emptied*, if all of that finds room in free pieces of other segments, the least first. Where something
//! stays, blocks *slide* to the beginning of their segment, so that what is free lies behind them.

use rustc_hash::FxHashSet;

use super::block::{BlockId, BlockState};
use super::compaction::Compacted;
use super::heap::Heap;
use super::history::Action;
use super::segment::SizeClass;
use super::upstream::UpstreamError;

/// A block slides in no more copies than this, each as long as the free piece before it.
const STEPS: usize = 1024;

/// Whose free blocks all are after `reunite`.
const HOME: u16 = 0;

/// Blocks that may move, and which block is which other one now.
struct Moving {
    movable: FxHashSet<BlockId>,
    moves: Vec<(BlockId, BlockId)>,
    /// Out of the pools until all is done, so that nothing moves to where others have just left.
    emptied: Vec<BlockId>,
}

impl Heap {
    /// Moves what may move. All work has been waited for, and all free blocks are `HOME`'s.
    pub fn relocate(
        &mut self,
        movable: FxHashSet<BlockId>,
        done: &mut Compacted,
    ) -> Vec<(BlockId, BlockId)> {
        let mut moving = Moving { movable, moves: Vec::new(), emptied: Vec::new() };
        moving.movable.retain(|id| !id.is_none() && !self.blocks[*id].is_whole);
        if moving.movable.is_empty() {
            return moving.moves;
        }
        // What slides may leave a piece that the last of another segment finds room in.
        loop {
            let before = moving.moves.len();
            let mut rest: Vec<u32> = Vec::new();
            for (_, at) in self.partly_held() {
                match self.can_empty(at, &moving.movable) && self.empty(at, &mut moving) {
                    true => done.emptied += self.backed_bytes(at),
                    false => rest.push(at),
                }
            }
            rest.into_iter().for_each(|at| self.slide(at, &mut moving));
            if moving.moves.len() == before {
                break;
            }
        }
        for id in std::mem::take(&mut moving.emptied) {
            self.pool_up(id);
        }
        let mut moved: FxHashSet<BlockId> = FxHashSet::default();
        for (from, to) in &moving.moves {
            moved.remove(from);
            moved.insert(*to);
        }
        done.blocks = moved.len();
        done.bytes = moved.iter().map(|id| self.blocks[*id].bytes).sum();
        moving.moves
    }

    /// The segments in which something is held and something is free, by how much is held.
    fn partly_held(&self) -> Vec<(usize, u32)> {
        let mut found = Vec::new();
        for (at, segment) in self.segments.iter() {
            let (mut held, mut free) = (0, 0);
            for id in self.blocks.chain(segment.first) {
                let block = &self.blocks[id];
                match block.state {
                    BlockState::Free => free += block.bytes,
                    BlockState::Unbacked => {}
                    _ => held += block.bytes,
                }
            }
            if held > 0 && free > 0 {
                found.push((held, at));
            }
        }
        found.sort_unstable();
        found
    }

    fn can_empty(&self, at: u32, movable: &FxHashSet<BlockId>) -> bool {
        let is_open = |id: BlockId| {
            let state = self.blocks[id].state;
            matches!(state, BlockState::Free | BlockState::Unbacked) || movable.contains(&id)
        };
        let first = self.segments.get(at).map(|segment| segment.first);
        first.is_some_and(|first| self.blocks.chain(first).all(is_open))
    }

    fn backed_bytes(&self, at: u32) -> usize {
        let Some(segment) = self.segments.get(at) else { return 0 };
        let backed = |id: &BlockId| self.blocks[*id].state != BlockState::Unbacked;
        self.blocks.chain(segment.first).filter(backed).map(|id| self.blocks[id].bytes).sum()
    }

    /// Moves all that is held in a segment to other segments, if there is room for all of it.
    fn empty(&mut self, at: u32, moving: &mut Moving) -> bool {
        let Some(segment) = self.segments.get(at) else { return false };
        let class = segment.class;
        let ids: Vec<BlockId> = self.blocks.chain(segment.first).collect();
        let (free, held): (Vec<BlockId>, Vec<BlockId>) = ids
            .into_iter()
            .filter(|id| self.blocks[*id].state != BlockState::Unbacked)
            .partition(|id| self.blocks[*id].state == BlockState::Free);
        // What is longer than this segment will be stays in one piece, and nothing is won by filling
        // another one as long that is free.
        let whole: usize = free.iter().chain(&held).map(|id| self.blocks[*id].bytes).sum();
        let longest = self.longest_free(class, at).filter(|id| self.blocks[*id].bytes > whole);
        let mut kept = self.free_segments(class, at, whole);
        kept.extend(longest.filter(|id| !kept.contains(id)));
        free.iter().chain(&kept).for_each(|id| self.set_aside(*id, class));
        let mut by_size = held;
        by_size.sort_by_key(|id| (std::cmp::Reverse(self.blocks[*id].bytes), *id));
        let mut places: Vec<BlockId> = Vec::new();
        for id in &by_size {
            let Some(place) = self.take_fitting(HOME, class, self.blocks[*id].bytes) else { break };
            self.blocks[place].state = BlockState::Live;
            places.push(place);
        }
        let has_room = places.len() == by_size.len();
        let mut left: Vec<BlockId> = Vec::new();
        let mut is_empty = has_room;
        for (id, place) in by_size.into_iter().zip(places) {
            is_empty = is_empty && self.shift(id, place).is_ok();
            match is_empty {
                true => {
                    moving.movable.remove(&id);
                    moving.movable.insert(place);
                    moving.moves.push((id, place));
                    left.push(id);
                }
                false => _ = self.pool_up(place),
            }
        }
        left.extend(free);
        match is_empty {
            true => moving.emptied.extend(left),
            false => left.into_iter().for_each(|id| _ = self.pool_up(id)),
        }
        kept.into_iter().for_each(|id| _ = self.pool_up(id));
        is_empty
    }

    /// The blocks that are all of another segment, free and at least so long.
    fn free_segments(&self, class: SizeClass, but: u32, least: usize) -> Vec<BlockId> {
        let others = self.segments.iter().filter(|(at, it)| *at != but && it.class == class);
        let is_whole = |id: &BlockId| {
            let block = &self.blocks[*id];
            let is_alone = block.prev.is_none() && block.next.is_none();
            is_alone && block.state == BlockState::Free && block.bytes >= least
        };
        others.map(|(_, segment)| segment.first).filter(is_whole).collect()
    }

    /// The longest free block of a class in other segments.
    fn longest_free(&self, class: SizeClass, but: u32) -> Option<BlockId> {
        let others = self.segments.iter().filter(|(at, it)| *at != but && it.class == class);
        let all = others.flat_map(|(_, segment)| self.blocks.chain(segment.first));
        let free = all.filter(|id| self.blocks[*id].state == BlockState::Free);
        free.max_by_key(|id| self.blocks[*id].bytes)
    }

    /// Takes a free block out of its pool; no neighbour takes it for a free one meanwhile.
    fn set_aside(&mut self, id: BlockId, class: SizeClass) {
        let stream = usize::from(self.blocks[id].stream);
        self.streams[stream].pools[class as usize].remove(&mut self.blocks, id);
        self.blocks[id].state = BlockState::Live;
    }

    /// Copies a block that is held to a place of its size, which is that block from then on.
    fn shift(&mut self, id: BlockId, place: BlockId) -> Result<(), UpstreamError> {
        let (from, bytes) = (self.blocks[id].address, self.blocks[id].bytes);
        let stream = self.streams[usize::from(HOME)].id;
        self.upstream.copy(from, self.blocks[place].address, bytes, stream)?;
        self.counters.moved(bytes);
        self.record_leaving(id);
        self.blocks.hand_over(id, place, HOME);
        self.events.rename(id, place);
        self.record_coming(place);
        Ok(())
    }

    /// Moves what may move in a segment towards its beginning.
    fn slide(&mut self, at: u32, moving: &mut Moving) {
        let Some(segment) = self.segments.get(at) else { return };
        let mut id = segment.first;
        let is_free = |id: &BlockId| self.blocks[*id].state == BlockState::Free;
        if self.blocks.chain(id).filter(is_free).count() < 2 {
            return;
        }
        while !id.is_none() {
            let next = self.blocks[id].next;
            let is_gap = self.blocks[id].state == BlockState::Free;
            if is_gap && moving.movable.contains(&next) && self.slide_into(at, id).is_ok() {
                moving.moves.push((next, next));
                id = self.pool_up(id);
            } else {
                id = next;
            }
        }
    }

    /// Exchanges a free block, which is in no pool afterwards, with the one behind it that is held.
    fn slide_into(&mut self, at: u32, gap: BlockId) -> Result<(), UpstreamError> {
        let (to, step, id) =
            (self.blocks[gap].address, self.blocks[gap].bytes, self.blocks[gap].next);
        let bytes = self.blocks[id].bytes;
        if bytes.div_ceil(step) > STEPS {
            return Err(UpstreamError::OutOfMemory);
        }
        let stream = self.streams[usize::from(HOME)].id;
        for done in (0..bytes).step_by(step) {
            let (len, to) = (step.min(bytes - done), to + done as u64);
            if let Err(error) = self.upstream.copy(to + step as u64, to, len, stream) {
                // What has been copied over goes back, the last first.
                for done in (0..done).step_by(step).rev() {
                    let to = self.blocks[gap].address + done as u64;
                    let _ = self.upstream.copy(to, to + step as u64, step, stream);
                }
                return Err(error);
            }
        }
        self.counters.moved(bytes);
        self.record_leaving(id);
        let class = self.blocks[gap].class;
        self.set_aside(gap, class);
        let first = self.blocks.swap_with_next(gap);
        if let Some(segment) = self.segments.get_mut(at).filter(|it| it.first == gap) {
            segment.first = first;
        }
        self.record_coming(id);
        Ok(())
    }

    fn record_leaving(&mut self, id: BlockId) {
        if self.blocks[id].state == BlockState::Live {
            self.record(Action::FreeRequested, id);
            self.record(Action::FreeCompleted, id);
        }
    }

    fn record_coming(&mut self, id: BlockId) {
        if self.blocks[id].state == BlockState::Live {
            self.record(Action::Allocate, id);
        }
    }
}
