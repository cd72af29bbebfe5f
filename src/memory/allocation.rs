//! What a caller holds: a piece of memory that returns itself.

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::block::BlockId;
use super::provenance::BlockKind;
use super::{ALIGNMENT, Allocator, StreamId};

/// An owned piece of an allocator's memory. Dropping it gives the memory back, in order with the
/// work on the stream it was allocated for (and on those named to
/// [`record_stream`](Allocator::record_stream)).
pub struct Allocation {
    owner: Allocator,
    /// Where the block begins, and which it is: they change together, when it is exchanged for
    /// another or let go of, which only its holder does.
    address: AtomicU64,
    block: AtomicU32,
    bytes: usize,
    stream: StreamId,
}

impl Allocation {
    pub(super) fn new(
        owner: Allocator,
        (block, address): (BlockId, u64),
        bytes: usize,
        stream: StreamId,
    ) -> Allocation {
        let (address, block) = (AtomicU64::new(address), AtomicU32::new(block.0));
        Allocation { owner, address, block, bytes, stream }
    }

    /// Where it begins: a multiple of 512, never 0. One of zero bytes has an address that must not
    /// be read.
    #[inline]
    pub fn address(&self) -> u64 {
        self.address.load(Ordering::Relaxed)
    }

    /// The bytes that were asked for.
    #[inline]
    pub fn size_bytes(&self) -> usize {
        self.bytes
    }

    /// The stream whose work may use it without waiting.
    pub fn stream(&self) -> StreamId {
        self.stream
    }

    /// The allocator that it returns to.
    pub fn allocator(&self) -> &Allocator {
        &self.owner
    }

    /// Says what it is for from here on: a temporary that a name now holds is a variable.
    pub fn set_kind(&self, kind: BlockKind) {
        let block = self.block();
        if !block.is_none() {
            self.owner.lock().blocks[block].kind = kind;
        }
    }

    /// Says whether only what was before holds it from here on: see [`BlockState::Past`].
    ///
    /// [`BlockState::Past`]: super::BlockState::Past
    pub fn set_past(&self, is_past: bool) {
        let block = self.block();
        if !block.is_none() {
            self.owner.lock().set_past(block, is_past);
        }
    }

    /// Exchanges the memory of two, whose sizes, streams and allocators are the same. Nobody may
    /// use either meanwhile.
    pub fn exchange(&self, other: &Allocation) {
        debug_assert!(self.bytes == other.bytes && self.stream == other.stream);
        debug_assert!(self.owner.is_same(&other.owner));
        let address = self.address.swap(other.address(), Ordering::Relaxed);
        other.address.store(address, Ordering::Relaxed);
        let block = self.block.swap(other.block().0, Ordering::Relaxed);
        other.block.store(block, Ordering::Relaxed);
        if !self.block().is_none() {
            self.owner.lock().blocks.exchange_makers(self.block(), other.block());
        }
    }

    /// Gives the memory back before the holder goes; nobody may use it any more.
    pub fn let_go(&self) {
        let block = BlockId(self.block.swap(BlockId::NONE.0, Ordering::Relaxed));
        self.address.store(ALIGNMENT as u64, Ordering::Relaxed);
        if !block.is_none() {
            self.owner.lock().free(block);
        }
    }

    /// Whether its memory was let go of before it.
    #[inline]
    pub fn is_gone(&self) -> bool {
        self.bytes > 0 && self.block().is_none()
    }

    /// Its block has moved, or is another one.
    pub(super) fn set_place(&self, block: BlockId, address: u64) {
        self.block.store(block.0, Ordering::Relaxed);
        self.address.store(address, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn block(&self) -> BlockId {
        BlockId(self.block.load(Ordering::Relaxed))
    }
}

impl Drop for Allocation {
    #[inline]
    fn drop(&mut self) {
        let block = BlockId(*self.block.get_mut());
        if !block.is_none() {
            self.owner.lock().free(block);
        }
    }
}

impl fmt::Debug for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Allocation({} bytes at {:#x})", self.bytes, self.address())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Provenance;

    #[test]
    fn a_block_of_the_past_looks_freed_and_comes_back() {
        let allocator = Allocator::host();
        let one = || allocator.allocate(4096, StreamId::DEFAULT, Provenance::VARIABLE).unwrap();
        let (a, b) = (one(), one());
        let places = (a.address(), b.address());
        a.set_past(true);
        let stats = allocator.stats();
        assert_eq!((stats.now.allocated, stats.now.active, stats.past), (4096, 4096, 4096));
        assert_eq!((stats.live_blocks, stats.frees), (1, 1));
        assert_eq!(stats.free() + stats.now.active + stats.past, stats.now.reserved);
        a.set_past(false);
        assert_eq!(allocator.stats().now.allocated, 8192);
        a.exchange(&b);
        assert_eq!((b.address(), a.address()), places);
        a.set_past(true);
        a.let_go();
        assert_eq!((allocator.stats().now.allocated, allocator.past()), (4096, 0));
        assert_eq!(one().address(), places.1, "its memory is free");
        drop((a, b));
        assert_eq!(allocator.stats().now.allocated, 0);
    }
}
