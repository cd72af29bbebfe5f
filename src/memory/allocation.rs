//! What a caller holds: a piece of memory that returns itself.

use std::fmt;

use super::block::BlockId;
use super::provenance::BlockKind;
use super::{Allocator, StreamId};

/// An owned piece of an allocator's memory. Dropping it gives the memory back, in order with the
/// work on the stream it was allocated for (and on those named to
/// [`record_stream`](Allocator::record_stream)).
pub struct Allocation {
    pub(super) owner: Allocator,
    pub(super) address: u64,
    pub(super) bytes: usize,
    pub(super) block: BlockId,
    pub(super) stream: StreamId,
}

impl Allocation {
    /// Where it begins: a multiple of 512, never 0. One of zero bytes has an address that must not
    /// be read.
    #[inline]
    pub fn address(&self) -> u64 {
        self.address
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
        if !self.block.is_none() {
            self.owner.lock().blocks[self.block].kind = kind;
        }
    }
}

impl Drop for Allocation {
    #[inline]
    fn drop(&mut self) {
        if !self.block.is_none() {
            self.owner.lock().free(self.block);
        }
    }
}

impl fmt::Debug for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Allocation({} bytes at {:#x})", self.bytes, self.address)
    }
}
