//! Memory that holds instructions.

use std::ffi::{c_int, c_void};

// What the C library of every Linux has.
unsafe extern "C" {
    fn mmap(
        address: *mut c_void,
        bytes: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn mprotect(address: *mut c_void, bytes: usize, protection: c_int) -> c_int;
    fn munmap(address: *mut c_void, bytes: usize) -> c_int;
}

const READ: c_int = 1;
const WRITE: c_int = 2;
const EXECUTE: c_int = 4;
const PRIVATE: c_int = 2;
const ANONYMOUS: c_int = 0x20;

/// Instructions that can be run, and never be written again.
#[derive(Debug)]
pub struct Pages {
    start: *mut c_void,
    bytes: usize,
}

// SAFETY: nobody writes to the pages.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// None where the system does not allow it.
    pub fn of(code: &[u8]) -> Option<Pages> {
        // SAFETY: the pages are new, have room for the code, and are nobody else's.
        unsafe {
            let flags = PRIVATE | ANONYMOUS;
            let start = mmap(std::ptr::null_mut(), code.len(), READ | WRITE, flags, -1, 0);
            // What it gives where it fails is -1.
            if start.addr() == usize::MAX {
                return None;
            }
            let pages = Pages { start, bytes: code.len() };
            std::ptr::copy_nonoverlapping(code.as_ptr(), start.cast(), code.len());
            (mprotect(start, pages.bytes, READ | EXECUTE) == 0).then_some(pages)
        }
    }

    pub fn start(&self) -> *const c_void {
        self.start
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: they were mapped with this size, and nobody runs what is let go of.
        unsafe { munmap(self.start, self.bytes) };
    }
}
