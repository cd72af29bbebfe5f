//! Host memory in pieces that move: the system maps the same pages to another address.
//!
//! A piece that is mapped nowhere waits at an address of its own. Where the system can't move pages
//! (Linux before 5.7), no piece ever leaves its place.

use std::collections::{BTreeMap, HashMap};

use super::host::{HUGE_PAGE, HostUpstream};
use super::paging::{Paging, Piece};
use super::upstream::UpstreamError;

/// What is reserved, mapped and waiting.
#[derive(Debug, Default)]
pub(super) struct HostPages {
    reserved: BTreeMap<u64, usize>,
    mapped: BTreeMap<u64, usize>,
    /// Where pieces wait that are mapped nowhere, and how long they are.
    waiting: HashMap<Piece, (u64, usize)>,
    last: u64,
}

impl HostPages {
    /// Whether mapped pieces lie behind all of the range.
    pub fn holds(&self, address: u64, bytes: usize) -> bool {
        let (mut at, end) = (address, address.saturating_add(bytes as u64));
        while at < end {
            match self.mapped.range(..=at).next_back() {
                Some((start, len)) if at - start < *len as u64 => at = start + *len as u64,
                _ => return false,
            }
        }
        true
    }

    fn is_reserved(&self, address: u64, bytes: usize) -> bool {
        let below = self.reserved.range(..=address).next_back();
        below.is_some_and(|(start, len)| {
            let inside = (address - start) as usize;
            inside < *len && bytes <= *len - inside
        })
    }
}

fn refused() -> UpstreamError {
    UpstreamError::Failed("the system does not move pages".to_string())
}

impl Paging for HostUpstream {
    fn page_bytes(&self) -> usize {
        HUGE_PAGE
    }

    fn reserve(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        let address = system::reserve(bytes).ok_or(UpstreamError::OutOfMemory)?;
        self.pages.reserved.insert(address, bytes);
        Ok(address)
    }

    fn unreserve(&mut self, address: u64, bytes: usize) {
        if self.pages.reserved.get(&address) == Some(&bytes) {
            self.pages.reserved.remove(&address);
            system::give_back(address, bytes);
        }
    }

    fn create(&mut self, bytes: usize) -> Result<Piece, UpstreamError> {
        self.promise(bytes)?;
        let Some(address) = system::reserve(bytes).filter(|at| system::fill(*at, bytes)) else {
            self.take_promise_back(bytes);
            return Err(UpstreamError::OutOfMemory);
        };
        self.pages.last += 1;
        let piece = Piece(self.pages.last);
        self.pages.waiting.insert(piece, (address, bytes));
        Ok(piece)
    }

    fn destroy(&mut self, piece: Piece, bytes: usize) {
        if let Some((address, _)) = self.pages.waiting.remove(&piece) {
            system::give_back(address, bytes);
            self.take_promise_back(bytes);
        }
    }

    fn map(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        let waits = self.pages.waiting.get(&piece).copied();
        let (from, _) = waits.filter(|(_, len)| *len == bytes).ok_or_else(refused)?;
        if !self.pages.is_reserved(address, bytes) || !system::move_to(from, address, bytes, false)
        {
            return Err(refused());
        }
        self.pages.waiting.remove(&piece);
        self.pages.mapped.insert(address, bytes);
        Ok(())
    }

    fn unmap(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        if self.pages.mapped.get(&address) != Some(&bytes) {
            return Err(refused());
        }
        let to = system::reserve(bytes).ok_or(UpstreamError::OutOfMemory)?;
        if !system::move_to(address, to, bytes, true) {
            system::give_back(to, bytes);
            return Err(refused());
        }
        self.pages.mapped.remove(&address);
        self.pages.waiting.insert(piece, (to, bytes));
        Ok(())
    }

    fn allow(&mut self, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        if self.pages.holds(address, bytes) { Ok(()) } else { Err(refused()) }
    }
}

impl Drop for HostPages {
    fn drop(&mut self) {
        let waiting = self.waiting.values().map(|(address, bytes)| (*address, *bytes));
        let reserved = self.reserved.iter().map(|(address, bytes)| (*address, *bytes));
        waiting.chain(reserved).for_each(|(address, bytes)| system::give_back(address, bytes));
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::{c_int, c_long, c_void};
    use std::ptr;

    use crate::memory::host::{HUGE_PAGE, prefer_huge_pages};

    // From the kernel's `mman-common.h`; these are the same on every architecture that Rust's
    // standard library knows but MIPS and PowerPC, where calls with them fail.
    const NOTHING: c_int = 0;
    const READ_WRITE: c_int = 3;
    const PRIVATE: c_int = 2;
    const FIXED: c_int = 0x10;
    const ANONYMOUS: c_int = 0x20;
    const NO_RESERVE: c_int = 0x4000;
    const MAY_MOVE: c_int = 1;
    const MOVE_FIXED: c_int = 2;
    const DONT_UNMAP: c_int = 4;

    unsafe extern "C" {
        fn mmap(
            start: *mut c_void,
            bytes: usize,
            access: c_int,
            flags: c_int,
            file: c_int,
            offset: c_long,
        ) -> *mut c_void;
        fn munmap(start: *mut c_void, bytes: usize) -> c_int;
        fn mremap(start: *mut c_void, old: usize, new: usize, flags: c_int, ...) -> *mut c_void;
        fn mprotect(start: *mut c_void, bytes: usize, access: c_int) -> c_int;
    }

    fn at(address: u64) -> *mut c_void {
        ptr::with_exposed_provenance_mut(address as usize)
    }

    /// Addresses that fault, aligned to a huge page.
    pub fn reserve(bytes: usize) -> Option<u64> {
        let more = bytes.checked_add(HUGE_PAGE)?;
        let flags = PRIVATE | ANONYMOUS | NO_RESERVE;
        // SAFETY: a new mapping at an address of the system's choice touches nothing that is there.
        let start = unsafe { mmap(ptr::null_mut(), more, NOTHING, flags, -1, 0) };
        let start = start.expose_provenance() as u64;
        if bytes == 0 || start as usize == usize::MAX {
            return None;
        }
        let aligned = start.next_multiple_of(HUGE_PAGE as u64);
        let before = (aligned - start) as usize;
        give_back(start, before);
        give_back(aligned + bytes as u64, HUGE_PAGE - before);
        Some(aligned)
    }

    /// Lets reserved addresses have memory, which comes when it is touched.
    pub fn fill(address: u64, bytes: usize) -> bool {
        // SAFETY: the range was reserved by this module, and nobody uses it yet.
        let is_done = unsafe { mprotect(at(address), bytes, READ_WRITE) } == 0;
        if is_done {
            prefer_huge_pages(at(address).cast(), bytes);
        } else {
            give_back(address, bytes);
        }
        is_done
    }

    pub fn give_back(address: u64, bytes: usize) {
        if bytes > 0 {
            // SAFETY: the range was reserved by this module, and its owner has no use for it any more.
            unsafe { munmap(at(address), bytes) };
        }
    }

    /// Moves memory to reserved addresses. Those that it had stay reserved, if that is wanted.
    pub fn move_to(from: u64, to: u64, bytes: usize, keeps: bool) -> bool {
        let flags = MAY_MOVE | MOVE_FIXED | if keeps { DONT_UNMAP } else { 0 };
        // SAFETY: both ranges were reserved by this module. The allocator moves only what nobody uses, to
        // where nobody has anything.
        let moved = unsafe { mremap(at(from), bytes, bytes, flags, at(to)) };
        if moved != at(to) {
            return false;
        }
        if keeps {
            let flags = PRIVATE | ANONYMOUS | NO_RESERVE | FIXED;
            // SAFETY: as above: what is left at the old addresses is empty.
            unsafe { mmap(at(from), bytes, NOTHING, flags, -1, 0) };
        }
        true
    }
}

/// Where the system moves no pages nothing is asked of it.
#[cfg(not(target_os = "linux"))]
mod system {
    pub fn reserve(_bytes: usize) -> Option<u64> {
        None
    }

    pub fn fill(_address: u64, _bytes: usize) -> bool {
        false
    }

    pub fn give_back(_address: u64, _bytes: usize) {}

    pub fn move_to(_from: u64, _to: u64, _bytes: usize, _keeps: bool) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn contents_move_with_their_pages() {
        let mut host = HostUpstream::new();
        let page = host.page_bytes();
        let range = host.reserve(4 * page).unwrap();
        let piece = host.create(2 * page).unwrap();
        host.map(piece, range, 2 * page).unwrap();
        host.allow(range, 2 * page).unwrap();
        let byte = |address: u64| std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        // SAFETY: the pages are mapped there, and nobody else knows them.
        unsafe { byte(range + 5).write(7) };
        assert!(host.pages.holds(range + 5, page) && !host.pages.holds(range + 5, 2 * page));
        host.unmap(piece, range, 2 * page).unwrap();
        assert!(host.allow(range, page).is_err() && host.unmap(piece, range, 2 * page).is_err());
        let to = range + 2 * page as u64;
        assert!(host.map(piece, to + page as u64, 2 * page).is_err(), "outside the range");
        host.map(piece, to, 2 * page).unwrap();
        // SAFETY: as above.
        assert_eq!(unsafe { byte(to + 5).read() }, 7);
        host.unmap(piece, to, 2 * page).unwrap();
        host.destroy(piece, 2 * page);
        host.unreserve(range, 4 * page);
        assert!(host.pages.waiting.is_empty() && host.pages.reserved.is_empty());
    }
}
