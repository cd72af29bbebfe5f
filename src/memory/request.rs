//! Requests that may be filled ahead of their use.
//!
//! A request that the caches or pools can serve is served at once. Any other is given to a thread
//! of its own, which talks to the upstream while the caller prepares its work. The thread never
//! runs the collector or the observers: those belong to the thread that waits, which tries once
//! more with all means if the first try failed.

use std::fmt;
use std::thread::JoinHandle;

use super::provenance::Provenance;
use super::{Allocation, Allocator, OutOfMemory, StreamId};

/// A request on its way. Dropping it gives back what it may have got.
pub struct Pending {
    allocator: Allocator,
    bytes: usize,
    stream: StreamId,
    provenance: Provenance,
    state: State,
}

enum State {
    Filled(Allocation),
    Running(JoinHandle<Option<Allocation>>),
    /// No thread could be had: `wait` does the work.
    Postponed,
}

impl Pending {
    pub(super) fn new(
        allocator: &Allocator,
        bytes: usize,
        stream: StreamId,
        provenance: Provenance,
    ) -> Pending {
        let allocator = allocator.clone();
        let state = match allocator.allocate_cached(bytes, stream, provenance) {
            Some(allocation) => State::Filled(allocation),
            None => {
                let worker = allocator.clone();
                std::thread::Builder::new()
                    .name("fill-ahead".to_string())
                    .spawn(move || worker.allocate_once(bytes, stream, provenance).ok())
                    .map_or(State::Postponed, State::Running)
            }
        };
        Pending { allocator, bytes, stream, provenance, state }
    }

    /// Whether `wait` would return at once.
    pub fn is_ready(&self) -> bool {
        match &self.state {
            State::Filled(_) => true,
            State::Running(thread) => thread.is_finished(),
            State::Postponed => false,
        }
    }

    /// The memory, when it has come.
    ///
    /// # Errors
    /// [`OutOfMemory`], as [`Allocator::allocate`].
    pub fn wait(self) -> Result<Allocation, OutOfMemory> {
        let filled = match self.state {
            State::Filled(allocation) => Some(allocation),
            State::Running(thread) => thread.join().unwrap_or(None),
            State::Postponed => None,
        };
        match filled {
            Some(allocation) => Ok(allocation),
            None => self.allocator.allocate(self.bytes, self.stream, self.provenance),
        }
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending({} bytes, ready: {})", self.bytes, self.is_ready())
    }
}
