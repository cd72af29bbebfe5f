//! A simulated GPU: fixed capacity, several streams, events that complete when it says so.
//!
//! Backed, its memory is host memory that is reserved when a segment is, so kernels of the CPU can
//! run on it and out-of-memory can be learnt on any machine. Unbacked, its addresses are only
//! numbers, and a trace of a hundred gibibytes replays on a laptop.
//!
//! A handle is cheap to clone: one goes into the allocator, another stays with whoever drives the
//! streams. A stream is two counters: units of work given, units done. An event is a value of the
//! first; it has completed when the second has reached it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::host::HostUpstream;
use super::paging::Paging;
use super::sim_pages::SimPages;
use super::upstream::{EventId, MemInfo, StreamId, Upstream, UpstreamError};

/// Where unbacked addresses begin: high enough that a mistake for a pointer faults.
const FIRST_ADDRESS: u64 = 0x7000_0000_0000;

/// What the simulated device was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SimCalls {
    pub allocations: u64,
    pub deallocations: u64,
    pub refusals: u64,
    pub synchronizations: u64,
    /// Calls about addresses and pieces.
    pub pagings: u64,
}

/// A handle to a simulated device.
#[derive(Debug, Clone)]
pub struct SimUpstream {
    name: Arc<str>,
    device: Arc<Mutex<SimDevice>>,
}

#[derive(Debug, Default)]
pub(super) struct SimDevice {
    pub capacity: usize,
    pub backing: Option<HostUpstream>,
    live: BTreeMap<u64, usize>,
    pub used: usize,
    next_address: u64,
    pub pages: SimPages,
    streams: BTreeMap<StreamId, Stream>,
    events: HashMap<u64, (StreamId, u64)>,
    next_event: u64,
    has_async_pool: bool,
    pub failures: Vec<String>,
    pub calls: SimCalls,
}

#[derive(Debug, Clone, Copy, Default)]
struct Stream {
    given: u64,
    done: u64,
}

impl SimDevice {
    /// Addresses that nothing had before, where there is no memory behind any.
    pub fn addresses(&mut self, bytes: usize, step: u64) -> Result<u64, UpstreamError> {
        let address = self.next_address.checked_next_multiple_of(step);
        let address = address.ok_or(UpstreamError::OutOfMemory)?;
        let end = address.checked_add(bytes as u64).ok_or(UpstreamError::OutOfMemory)?;
        self.next_address = end;
        Ok(address)
    }
}

impl SimUpstream {
    /// A device of `capacity` bytes on which kernels can run.
    pub fn new(name: &str, capacity: usize) -> SimUpstream {
        SimUpstream::with_backing(name, capacity, Some(HostUpstream::new()))
    }

    /// A device of `capacity` bytes without memory behind its addresses.
    pub fn unbacked(name: &str, capacity: usize) -> SimUpstream {
        SimUpstream::with_backing(name, capacity, None)
    }

    fn with_backing(name: &str, capacity: usize, backing: Option<HostUpstream>) -> SimUpstream {
        let device =
            SimDevice { capacity, backing, next_address: FIRST_ADDRESS, ..SimDevice::default() };
        SimUpstream { name: Arc::from(name), device: Arc::new(Mutex::new(device)) }
    }

    /// The same device with a stream-ordered pool of its own.
    pub fn with_async_pool(self) -> SimUpstream {
        self.lock().has_async_pool = true;
        self
    }

    /// Gives a stream one unit of work that does not end by itself.
    pub fn submit(&self, stream: StreamId) {
        self.lock().streams.entry(stream).or_default().given += 1;
    }

    /// Lets a stream do up to `units` of the work it was given.
    pub fn advance(&self, stream: StreamId, units: u64) {
        let mut device = self.lock();
        let stream = device.streams.entry(stream).or_default();
        stream.done = stream.done.saturating_add(units).min(stream.given);
    }

    /// The units of work that a stream was given, and those it has done.
    pub fn progress(&self, stream: StreamId) -> (u64, u64) {
        let stream = self.lock().streams.get(&stream).copied().unwrap_or_default();
        (stream.given, stream.done)
    }

    /// Whether a stream has done all its work.
    pub fn is_stream_idle(&self, stream: StreamId) -> bool {
        self.lock().streams.get(&stream).is_none_or(|stream| stream.done == stream.given)
    }

    /// Makes the next allocation fail with `reason`, as a broken driver would.
    pub fn fail_next(&self, reason: &str) {
        self.lock().failures.push(reason.to_string());
    }

    /// Bytes held by whoever allocates here.
    pub fn used(&self) -> usize {
        self.lock().used
    }

    pub fn calls(&self) -> SimCalls {
        self.lock().calls
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, SimDevice> {
        // Counters stay true even if a panic interrupted their holder.
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upstream for SimUpstream {
    fn name(&self) -> &str {
        &self.name
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        let mut device = self.lock();
        if let Some(reason) = device.failures.pop() {
            return Err(UpstreamError::Failed(reason));
        }
        if bytes > device.capacity - device.used {
            device.calls.refusals += 1;
            return Err(UpstreamError::OutOfMemory);
        }
        let address = match &mut device.backing {
            Some(host) => host.allocate(bytes)?,
            None => device.addresses(bytes, 1)?,
        };
        device.calls.allocations += 1;
        device.used += bytes;
        device.live.insert(address, bytes);
        Ok(address)
    }

    fn deallocate(&mut self, address: u64, bytes: usize) {
        let mut device = self.lock();
        if device.live.get(&address) != Some(&bytes) {
            return;
        }
        device.live.remove(&address);
        device.used -= bytes;
        device.calls.deallocations += 1;
        // Like `cuMemFree`, giving memory back waits for the whole device.
        device.streams.values_mut().for_each(|stream| stream.done = stream.given);
        if let Some(host) = &mut device.backing {
            host.deallocate(address, bytes);
        }
    }

    fn paging(&mut self) -> Option<&mut dyn Paging> {
        // Backed by a host that moves no pages, it has none either.
        let is_able = self.lock().backing.as_mut().is_none_or(|host| host.paging().is_some());
        is_able.then_some(self)
    }

    fn mem_info(&self) -> MemInfo {
        let device = self.lock();
        MemInfo { free: device.capacity - device.used, total: device.capacity }
    }

    fn is_idle(&mut self, stream: StreamId) -> bool {
        self.is_stream_idle(stream)
    }

    fn synchronize_stream(&mut self, stream: StreamId) {
        let mut device = self.lock();
        device.calls.synchronizations += 1;
        let stream = device.streams.entry(stream).or_default();
        stream.done = stream.given;
    }

    fn gathers(&self) -> bool {
        true
    }

    fn synchronize_all(&mut self) {
        let mut device = self.lock();
        device.calls.synchronizations += 1;
        device.streams.values_mut().for_each(|stream| stream.done = stream.given);
    }

    fn record_event(&mut self, stream: StreamId) -> Result<EventId, UpstreamError> {
        let mut device = self.lock();
        let given = device.streams.entry(stream).or_default().given;
        let event = device.next_event;
        device.next_event += 1;
        device.events.insert(event, (stream, given));
        Ok(EventId(event))
    }

    fn is_complete(&mut self, event: EventId) -> bool {
        let mut device = self.lock();
        let Some((stream, position)) = device.events.get(&event.0).copied() else { return true };
        let is_complete = device.streams.entry(stream).or_default().done >= position;
        if is_complete {
            device.events.remove(&event.0);
        }
        is_complete
    }

    fn synchronize(&mut self, event: EventId) {
        let mut device = self.lock();
        device.calls.synchronizations += 1;
        if let Some((stream, position)) = device.events.remove(&event.0) {
            let stream = device.streams.entry(stream).or_default();
            stream.done = stream.done.max(position);
        }
    }

    fn fill(&mut self, address: u64, bytes: usize, byte: u8, stream: StreamId) {
        if let Some(host) = &mut self.lock().backing {
            host.fill(address, bytes, byte, stream);
        }
    }

    fn copy(
        &mut self,
        from: u64,
        to: u64,
        bytes: usize,
        stream: StreamId,
    ) -> Result<(), UpstreamError> {
        match &mut self.lock().backing {
            Some(host) => host.copy(from, to, bytes, stream),
            None => Ok(()),
        }
    }

    fn has_async_pool(&self) -> bool {
        self.lock().has_async_pool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_complete_in_the_order_of_their_stream() {
        let (mut sim, stream) = (SimUpstream::unbacked("sim", 1 << 30), StreamId(3));
        sim.submit(stream);
        let first = sim.record_event(stream).unwrap();
        sim.submit(stream);
        let second = sim.record_event(stream).unwrap();
        assert!(!sim.is_complete(first) && !sim.is_idle(stream));
        sim.advance(stream, 1);
        assert!(sim.is_complete(first) && !sim.is_complete(second));
        sim.synchronize(second);
        assert!(sim.is_idle(stream));
        assert!(sim.lock().events.is_empty());
    }

    #[test]
    fn the_capacity_is_a_wall() {
        let mut sim = SimUpstream::unbacked("sim", 8 << 30);
        let address = sim.allocate(6 << 30).unwrap();
        assert_eq!(sim.allocate(3 << 30), Err(UpstreamError::OutOfMemory));
        sim.deallocate(address, 6 << 30);
        assert!(sim.allocate(8 << 30).is_ok());
        assert_eq!(sim.mem_info().free, 0);
    }
}
