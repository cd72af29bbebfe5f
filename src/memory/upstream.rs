//! Where raw memory comes from.
//!
//! The allocator asks an [`Upstream`] for segments and tells it nothing else. Addresses are plain
//! numbers here: only the device that owns the memory turns one into a pointer. The allocator
//! calls an upstream under its own lock, one call at a time, from whichever thread allocates.

use std::fmt;

use super::paging::Paging;

/// A queue of work on a device. Work on one stream runs in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct StreamId(pub u32);

impl StreamId {
    /// The stream that everything uses unless told otherwise.
    pub const DEFAULT: StreamId = StreamId(0);
}

/// A point in a stream, as the upstream numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u64);

/// How much memory the upstream has, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemInfo {
    /// What could be allocated now, as far as the upstream knows.
    pub free: usize,
    /// All that there is; `usize::MAX` where it can't be known.
    pub total: usize,
}

/// Why the upstream gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpstreamError {
    /// There is not enough memory: releasing some may help.
    OutOfMemory,
    /// Anything else, in words; trying again will not help.
    Failed(String),
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UpstreamError::OutOfMemory => f.write_str("out of memory"),
            UpstreamError::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for UpstreamError {}

/// A supplier of raw memory.
///
/// Memory comes uninitialised, aligned to [`ALIGNMENT`](super::ALIGNMENT). `deallocate` gets the
/// address and the size of an earlier `allocate`. Events complete in the order in which one stream
/// recorded them.
pub trait Upstream: Send {
    /// What the user calls this memory: `host`, `cuda:0`, `cuda:0 (simulated)`.
    fn name(&self) -> &str;

    /// Reserves `bytes` (a multiple of the alignment, not 0) without touching them.
    ///
    /// # Errors
    /// `OutOfMemory` when there is not enough, checked before anything is touched.
    fn allocate(&mut self, bytes: usize) -> Result<u64, UpstreamError>;

    /// Gives a segment back. It must wait for work that still uses it, as `cuMemFree` does.
    fn deallocate(&mut self, address: u64, bytes: usize);

    /// Whether the host would wait for long if a segment went back now, because the device works.
    fn is_busy(&mut self) -> bool {
        false
    }

    /// How much there is and how much is left.
    fn mem_info(&self) -> MemInfo;

    /// The least that is worth asking for at once, in bytes: segments are multiples of it.
    fn granularity(&self) -> usize {
        2 << 20
    }

    /// Its memory in pieces that can be mapped anywhere, if it has that.
    fn paging(&mut self) -> Option<&mut dyn Paging> {
        None
    }

    /// Whether a segment of pages is as good as a whole one here, so that all are made of pages unless
    /// somebody chooses.
    fn gathers(&self) -> bool {
        false
    }

    /// Whether all work given to the stream so far has run.
    fn is_idle(&mut self, stream: StreamId) -> bool {
        let _ = stream;
        true
    }

    /// Waits until all work given to the stream so far has run.
    fn synchronize_stream(&mut self, stream: StreamId) {
        let _ = stream;
    }

    /// Waits until all work on its memory has run, whatever stream it was given to.
    fn synchronize_all(&mut self) {}

    /// Marks the present end of a stream.
    fn record_event(&mut self, stream: StreamId) -> Result<EventId, UpstreamError> {
        let _ = stream;
        Ok(EventId(0))
    }

    /// Whether everything before the event has run. An event that has completed is forgotten by
    /// the allocator after this call, so the upstream may reuse it.
    fn is_complete(&mut self, event: EventId) -> bool {
        let _ = event;
        true
    }

    /// Waits until everything before the event has run. Ends the event as `is_complete` does.
    fn synchronize(&mut self, event: EventId) {
        let _ = event;
    }

    /// Sets `bytes` bytes to `byte`, in order with the work on `stream`.
    fn fill(&mut self, address: u64, bytes: usize, byte: u8, stream: StreamId);

    /// Copies `bytes` bytes to another place that does not overlap, in order with the work on `stream`.
    ///
    /// # Errors
    /// Nothing was copied.
    fn copy(
        &mut self,
        from: u64,
        to: u64,
        bytes: usize,
        stream: StreamId,
    ) -> Result<(), UpstreamError>;

    /// Whether [`Mode::Async`](super::Mode::Async) is possible.
    fn has_async_pool(&self) -> bool {
        false
    }

    /// `allocate` in order with the work on `stream`, from the upstream's own pool.
    fn allocate_async(&mut self, bytes: usize, stream: StreamId) -> Result<u64, UpstreamError> {
        let _ = stream;
        self.allocate(bytes)
    }

    /// `deallocate` in order with the work on `stream`.
    fn deallocate_async(&mut self, address: u64, bytes: usize, stream: StreamId) {
        let _ = stream;
        self.deallocate(address, bytes);
    }
}
