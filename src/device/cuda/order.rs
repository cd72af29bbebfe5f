//! Streams and GPUs that wait for each other, without the host.

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::context::{Context, driver_error};
use crate::device::Error;
use crate::memory::StreamId;

impl Context {
    /// Makes the present stream wait for what `other` has been given so far.
    pub fn wait_for(&self, other: StreamId) -> Result<(), Error> {
        let stream = self.raw_stream_of(other)?;
        self.bind()?;
        follow(self, stream, self, self.raw_stream())
    }

    /// Copies another GPU's memory to this one's, behind what the present streams of both have
    /// been given so far. The other's stream waits for it, so that what it reads stays as it is.
    pub fn copy_from_peer(
        &self,
        peer: &Context,
        from: u64,
        to: u64,
        bytes: usize,
    ) -> Result<(), Error> {
        follow(peer, peer.raw_stream(), self, self.raw_stream())?;
        self.bind()?;
        // SAFETY: the caller owns both ranges, each in the memory of its GPU; both streams are
        // ordered around the copy.
        unsafe {
            let (own, other) = (self.raw_context(), peer.raw_context());
            sys::cuMemcpyPeerAsync(to, own, from, other, bytes, self.raw_stream())
        }
        .result()
        .map_err(|error| driver_error("copying between two GPUs failed", error))?;
        follow(self, self.raw_stream(), peer, peer.raw_stream())
    }
}

/// Makes `later`, a stream of `after`, wait for what `earlier`, a stream of `before`, has been
/// given so far.
fn follow(
    before: &Context,
    earlier: sys::CUstream,
    after: &Context,
    later: sys::CUstream,
) -> Result<(), Error> {
    let failed = |error: DriverError| driver_error("ordering two streams failed", error);
    before.bind()?;
    let event =
        result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING).map_err(failed)?;
    // SAFETY: both streams live as long as their contexts; the event is of the context that
    // records it, and the driver keeps a destroyed event until its waits are done.
    unsafe {
        result::event::record(event, earlier).map_err(failed)?;
        after.bind()?;
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        result::stream::wait_event(later, event, flags).map_err(failed)?;
        result::event::destroy(event).map_err(failed)
    }
}
