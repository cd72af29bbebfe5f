//! The GPU's memory, as the allocator asks for it.

use std::collections::VecDeque;
use std::sync::Arc;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::context::{Context, Handle, driver_error};
use super::pages::page_bytes;
use crate::memory::{EventId, MemInfo, Paging, StreamId, Upstream, UpstreamError};

/// `cuMemAlloc` and `cuMemFree`, and the driver's stream-ordered pool for the mode `async`.
#[derive(Debug)]
pub struct CudaUpstream {
    pub(super) context: Arc<Context>,
    /// Bytes of a page, where the device has pages.
    pub(super) page: Option<usize>,
    name: String,
    /// Recorded and not known to be complete, by the numbers that the allocator has.
    events: VecDeque<(EventId, Handle<sys::CUevent_st>)>,
    spare: Vec<Handle<sys::CUevent_st>>,
    next_event: u64,
}

impl CudaUpstream {
    pub fn new(context: Arc<Context>) -> CudaUpstream {
        let name = format!("cuda:{}", context.ordinal);
        keep_pool_full(&context);
        let (events, spare) = (VecDeque::new(), Vec::new());
        let page = page_bytes(&context);
        CudaUpstream { context, page, name, events, spare, next_event: 0 }
    }

    pub(super) fn stream(&self, id: StreamId) -> Result<sys::CUstream, UpstreamError> {
        let bound = self.context.bind().and_then(|()| self.context.raw_stream_of(id));
        bound.map_err(|error| UpstreamError::Failed(error.to_string()))
    }

    fn take_event(&mut self, id: EventId) -> Option<Handle<sys::CUevent_st>> {
        let at = self.events.iter().position(|(known, _)| *known == id)?;
        self.events.remove(at).map(|(_, event)| event)
    }
}

/// The driver's pool gives memory back to the system at every synchronisation unless it is told
/// how much it may keep.
fn keep_pool_full(context: &Context) {
    if !context.has_pools {
        return;
    }
    let mut all = u64::MAX;
    // SAFETY: the device is the driver's own; the attribute is a 64-bit number. A pool that
    // refuses only stays slower.
    unsafe {
        if let Ok(pool) = result::device::get_default_mem_pool(context.raw_device()) {
            let which = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
            let _ = sys::cuMemPoolSetAttribute(pool, which, std::ptr::from_mut(&mut all).cast());
        }
    }
}

pub(super) fn upstream_error(error: DriverError) -> UpstreamError {
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => UpstreamError::OutOfMemory,
        _ => UpstreamError::Failed(driver_error("the driver gave no memory", error).to_string()),
    }
}

impl Drop for CudaUpstream {
    fn drop(&mut self) {
        let _ = self.context.bind();
        let recorded = self.events.drain(..).map(|(_, event)| event);
        for event in recorded.chain(self.spare.drain(..)) {
            // SAFETY: an event of this upstream's, destroyed once.
            let _ = unsafe { result::event::destroy(event.0) };
        }
    }
}

impl Upstream for CudaUpstream {
    fn name(&self) -> &str {
        &self.name
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        self.stream(StreamId::DEFAULT)?;
        // SAFETY: uninitialised memory, as the allocator expects it.
        unsafe { result::malloc_sync(bytes) }.map_err(upstream_error)
    }

    fn deallocate(&mut self, address: u64, _bytes: usize) {
        if self.stream(StreamId::DEFAULT).is_ok() {
            // SAFETY: an address of `allocate`, given back once. `cuMemFree` waits for work under
            // way. A refusal means that the context is lost, and the memory with it.
            let _ = unsafe { result::free_sync(address) };
        }
    }

    fn paging(&mut self) -> Option<&mut dyn Paging> {
        self.page.is_some().then_some(self)
    }

    fn is_busy(&mut self) -> bool {
        !self.context.rests_soon()
    }

    fn mem_info(&self) -> MemInfo {
        let (free, total) = self.context.driver_memory().unwrap_or((0, 0));
        MemInfo { free, total }
    }

    fn is_idle(&mut self, stream: StreamId) -> bool {
        self.stream(stream).is_ok_and(|stream| {
            // SAFETY: a live stream.
            let state = unsafe { sys::cuStreamQuery(stream) };
            state == sys::CUresult::CUDA_SUCCESS
        })
    }

    fn synchronize_stream(&mut self, stream: StreamId) {
        if let Ok(stream) = self.stream(stream) {
            // SAFETY: a live stream. An error of earlier work comes up where that is waited for.
            let _ = unsafe { result::stream::synchronize(stream) };
        }
    }

    fn gathers(&self) -> bool {
        true
    }

    fn synchronize_all(&mut self) {
        if self.stream(StreamId::DEFAULT).is_ok() {
            // SAFETY: the context was just bound. An error of earlier work comes up where that is waited for.
            let _ = unsafe { sys::cuCtxSynchronize() };
        }
    }

    fn record_event(&mut self, stream: StreamId) -> Result<EventId, UpstreamError> {
        let stream = self.stream(stream)?;
        let event = match self.spare.pop() {
            Some(event) => event,
            None => {
                let flags = sys::CUevent_flags::CU_EVENT_DISABLE_TIMING;
                Handle(result::event::create(flags).map_err(upstream_error)?)
            }
        };
        // SAFETY: a live event and a live stream.
        unsafe { result::event::record(event.0, stream) }.map_err(upstream_error)?;
        self.next_event += 1;
        let id = EventId(self.next_event);
        self.events.push_back((id, event));
        Ok(id)
    }

    fn is_complete(&mut self, event: EventId) -> bool {
        let Some((_, handle)) = self.events.iter().find(|(known, _)| *known == event) else {
            return true;
        };
        // SAFETY: an event that was recorded.
        let is_complete =
            unsafe { sys::cuEventQuery(handle.0) } != sys::CUresult::CUDA_ERROR_NOT_READY;
        if is_complete {
            let handle = self.take_event(event);
            self.spare.extend(handle);
        }
        is_complete
    }

    fn synchronize(&mut self, event: EventId) {
        if let Some(handle) = self.take_event(event) {
            // SAFETY: an event that was recorded.
            let _ = unsafe { result::event::synchronize(handle.0) };
            self.spare.push(handle);
        }
    }

    fn fill(&mut self, address: u64, bytes: usize, byte: u8, stream: StreamId) {
        if let Ok(stream) = self.stream(stream) {
            // SAFETY: a range of the allocator's own.
            let _ = unsafe { result::memset_d8_async(address, byte, bytes, stream) };
        }
    }

    fn copy(
        &mut self,
        from: u64,
        to: u64,
        bytes: usize,
        stream: StreamId,
    ) -> Result<(), UpstreamError> {
        let stream = self.stream(stream)?;
        // SAFETY: ranges of the allocator's own, which are apart.
        unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, bytes, stream) }
            .result()
            .map_err(upstream_error)
    }

    fn has_async_pool(&self) -> bool {
        self.context.has_pools
    }

    fn allocate_async(&mut self, bytes: usize, stream: StreamId) -> Result<u64, UpstreamError> {
        let stream = self.stream(stream)?;
        // SAFETY: uninitialised memory, to be used in order with the stream.
        unsafe { result::malloc_async(stream, bytes) }.map_err(upstream_error)
    }

    fn deallocate_async(&mut self, address: u64, _bytes: usize, stream: StreamId) {
        if let Ok(stream) = self.stream(stream) {
            // SAFETY: an address of `allocate_async`, given back once.
            let _ = unsafe { result::free_async(address, stream) };
        }
    }
}
