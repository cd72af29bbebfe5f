//! Host memory as an upstream.
//!
//! Segments come from the system allocator and are never touched here, so the pages of a large one
//! cost nothing until a kernel writes them. That laziness is also the danger: the system promises
//! more than it has and kills the process that collects. So a large request is first held against
//! what is really available (`MemAvailable`, the control group's limit), less what was promised
//! before and not yet touched; a request for ten terabytes is a clean error.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::fs;

use super::ALIGNMENT;
use super::host_pages::HostPages;
use super::paging::Paging;
use super::upstream::{MemInfo, StreamId, Upstream, UpstreamError};

/// Requests below this many bytes are not held against the available memory: reading it costs
/// tens of microseconds.
const CHECK_FROM: usize = 16 << 20;

/// Segments of at least this many bytes begin at a multiple of it, so that the system can back
/// them with huge pages.
pub(super) const HUGE_PAGE: usize = 2 << 20;

/// The machine's memory. Work on it is synchronous: every event has completed.
#[derive(Debug, Default)]
pub struct HostUpstream {
    live: BTreeMap<u64, usize>,
    promised: usize,
    /// Bytes that were promised since somebody last looked at what is available.
    unseen: usize,
    pub(super) pages: HostPages,
}

impl HostUpstream {
    pub fn new() -> HostUpstream {
        HostUpstream::default()
    }

    /// Whether all of the range lies in one live segment.
    fn holds(&self, address: u64, bytes: usize) -> bool {
        let below = self.live.range(..=address).next_back();
        below.is_some_and(|(start, len)| {
            (address - start) as usize <= *len && bytes <= *len - (address - start) as usize
        })
    }

    /// Promises `bytes` more, held against what is available once enough have come together.
    pub(super) fn promise(&mut self, bytes: usize) -> Result<(), UpstreamError> {
        let unseen = self.unseen.saturating_add(bytes);
        let is_due = unseen >= CHECK_FROM;
        if is_due && self.unpromised().is_some_and(|free| bytes > free) {
            return Err(UpstreamError::OutOfMemory);
        }
        self.unseen = if is_due { 0 } else { unseen };
        self.promised += bytes;
        Ok(())
    }

    pub(super) fn take_promise_back(&mut self, bytes: usize) {
        self.promised -= bytes;
    }

    /// Available bytes that nothing has a promise of.
    fn unpromised(&self) -> Option<usize> {
        let untouched = self.promised.saturating_sub(resident().unwrap_or(self.promised));
        Some(available()?.saturating_sub(untouched))
    }
}

impl Upstream for HostUpstream {
    fn name(&self) -> &str {
        "host"
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        if bytes >= CHECK_FROM && self.unpromised().is_some_and(|free| bytes > free) {
            return Err(UpstreamError::OutOfMemory);
        }
        let layout = layout(bytes).ok_or(UpstreamError::OutOfMemory)?;
        // SAFETY: `layout` has made sure that the size is not zero.
        let pointer = unsafe { std::alloc::alloc(layout) };
        if pointer.is_null() {
            return Err(UpstreamError::OutOfMemory);
        }
        prefer_huge_pages(pointer, bytes);
        let address = pointer.expose_provenance() as u64;
        self.live.insert(address, bytes);
        self.promised += bytes;
        Ok(address)
    }

    fn deallocate(&mut self, address: u64, bytes: usize) {
        let Some(layout) = layout(bytes) else { return };
        if self.live.get(&address) != Some(&bytes) {
            return;
        }
        self.live.remove(&address);
        self.promised -= bytes;
        // SAFETY: `live` says that `allocate` returned this address for exactly this size, whose
        // layout is a function of the size, and that it has not been given back since.
        unsafe {
            std::alloc::dealloc(std::ptr::with_exposed_provenance_mut(address as usize), layout)
        }
    }

    fn paging(&mut self) -> Option<&mut dyn Paging> {
        // Elsewhere nothing moves pages.
        cfg!(target_os = "linux").then_some(self)
    }

    fn mem_info(&self) -> MemInfo {
        let total = total().unwrap_or(usize::MAX);
        MemInfo { free: self.unpromised().unwrap_or(usize::MAX).min(total), total }
    }

    fn granularity(&self) -> usize {
        64 << 10
    }

    fn fill(&mut self, address: u64, bytes: usize, byte: u8, _stream: StreamId) {
        if !self.holds(address, bytes) && !self.pages.holds(address, bytes) {
            return;
        }
        let start = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        // SAFETY: the whole range lies in a live segment or in mapped pages of ours, as just checked, and the
        // allocator fills a block only while nobody holds it.
        unsafe { start.write_bytes(byte, bytes) }
    }

    fn copy(
        &mut self,
        from: u64,
        to: u64,
        bytes: usize,
        _stream: StreamId,
    ) -> Result<(), UpstreamError> {
        let is_ours = |at| self.holds(at, bytes) || self.pages.holds(at, bytes);
        if !is_ours(from) || !is_ours(to) || from.abs_diff(to) < bytes as u64 {
            return Err(UpstreamError::Failed("a copy of what is not there".to_string()));
        }
        let source = std::ptr::with_exposed_provenance::<u8>(from as usize);
        let target = std::ptr::with_exposed_provenance_mut::<u8>(to as usize);
        // SAFETY: both ranges lie in memory of ours and are apart, as just checked; the allocator copies what
        // no work is under way on, to where nobody has anything.
        unsafe { std::ptr::copy_nonoverlapping(source, target, bytes) }
        Ok(())
    }
}

impl Drop for HostUpstream {
    fn drop(&mut self) {
        let live: Vec<(u64, usize)> = self.live.iter().map(|(at, bytes)| (*at, *bytes)).collect();
        live.into_iter().for_each(|(address, bytes)| self.deallocate(address, bytes));
    }
}

/// The layout of a segment: none for zero bytes or more than an address can name.
fn layout(bytes: usize) -> Option<Layout> {
    let align = if bytes >= HUGE_PAGE { HUGE_PAGE } else { ALIGNMENT };
    Layout::from_size_align(bytes, align).ok().filter(|layout| layout.size() > 0)
}

/// Asks the system to back a large segment with huge pages: a page fault then brings two megabytes
/// rather than four kilobytes, and far fewer pages are looked up where indices or strides jump. Only
/// whole huge pages are meant, so a segment takes no more memory than it would without.
#[cfg(target_os = "linux")]
pub(super) fn prefer_huge_pages(start: *mut u8, bytes: usize) {
    use std::ffi::{c_int, c_void};

    /// From the kernel's `mman-common.h`; the same on every architecture.
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    let whole = bytes / HUGE_PAGE * HUGE_PAGE;
    if whole > 0 {
        // SAFETY: the range is our own segment, which begins at a page, and the advice changes
        // nothing but its pages' size. A kernel without huge pages refuses, which is as good.
        unsafe { madvise(start.cast(), whole, MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_start: *mut u8, _bytes: usize) {}

/// Bytes that could be used now without swapping, within the control group's limit.
pub(super) fn available() -> Option<usize> {
    let machine = meminfo("MemAvailable:");
    let group = control_group().map(|(limit, used)| limit.saturating_sub(used));
    machine.into_iter().chain(group).min()
}

/// Bytes of memory in all, within the control group's limit.
pub(super) fn total() -> Option<usize> {
    let limit = control_group().map(|(limit, _)| limit);
    meminfo("MemTotal:").into_iter().chain(limit).min()
}

/// A line of the kernel's memory table, in bytes; none on other systems.
fn meminfo(key: &str) -> Option<usize> {
    let table = fs::read_to_string("/proc/meminfo").ok()?;
    let line = table.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Bytes of this process that are in memory.
pub(super) fn resident() -> Option<usize> {
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let resident: usize = pages.split_whitespace().nth(1)?.parse().ok()?;
    // Linux counts these in pages, which are 4 KiB or more: too few bytes err on the safe side.
    resident.checked_mul(4096)
}

/// The memory limit and the use of this process's control group, version 2 or 1.
fn control_group() -> Option<(usize, usize)> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let number = |path: String| fs::read_to_string(path).ok()?.trim().parse::<usize>().ok();
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let (folder, limit, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
            _ => return None,
        };
        // Inside a container the group's path is often not visible, and its own root stands in.
        [path.trim_end_matches('/'), ""].iter().find_map(|path| {
            let limit = number(format!("{folder}{path}/{limit}"))?;
            Some((limit, number(format!("{folder}{path}/{used}"))?))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_terabytes_are_refused_and_nothing_is_touched() {
        let mut host = HostUpstream::new();
        assert_eq!(host.allocate(10 << 40), Err(UpstreamError::OutOfMemory));
        assert_eq!(host.allocate(usize::MAX - 511), Err(UpstreamError::OutOfMemory));
    }

    #[test]
    fn promises_add_up() {
        let mut host = HostUpstream::new();
        let free = host.mem_info().free;
        if free == usize::MAX {
            return;
        }
        let half = free / 2 / 512 * 512;
        let mut given = Vec::new();
        for _ in 0..8 {
            given.extend(host.allocate(half).map(|address| (address, half)));
        }
        assert!(given.len() <= 2, "{} halves of what is free were promised", given.len());
        given.into_iter().for_each(|(address, bytes)| host.deallocate(address, bytes));
        assert!(host.live.is_empty() && host.promised == 0);
    }

    #[test]
    fn a_range_outside_every_segment_is_left_alone() {
        let mut host = HostUpstream::new();
        let address = host.allocate(4096).unwrap();
        assert!(host.holds(address + 512, 3584) && !host.holds(address + 512, 4096));
        assert!(!host.holds(address - 1, 1));
        host.fill(address, 1 << 30, 0xFF, StreamId::DEFAULT);
        host.deallocate(address + 512, 512);
        assert_eq!(host.promised, 4096);
        host.deallocate(address, 4096);
        assert_eq!(host.promised, 0);
    }

    #[test]
    fn poison_covers_a_block_on_its_way_out_and_back() {
        use crate::memory::{Allocator, AllocatorConfig, Provenance};
        let config = AllocatorConfig::default().with_poison(true);
        let allocator = Allocator::new(Box::new(HostUpstream::new()), config).unwrap();
        let allocate = || allocator.allocate(1000, StreamId(0), Provenance::TEMPORARY).unwrap();
        let (first, neighbour) = (allocate(), allocate());
        let at = |address: u64| std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        // SAFETY: both allocations are live and a thousand bytes long; poison initialised them.
        unsafe {
            assert!((0..1000).all(|n| *at(first.address()).add(n) == 0xFF));
            at(neighbour.address()).write_bytes(7, 1000);
        }
        let address = first.address();
        drop(first);
        let again = allocate();
        assert_eq!(again.address(), address);
        // SAFETY: as above; the block was poisoned again, its neighbour was not.
        unsafe {
            assert!((0..1000).all(|n| *at(again.address()).add(n) == 0xFF));
            assert!((0..1000).all(|n| *at(neighbour.address()).add(n) == 7));
        }
    }
}
