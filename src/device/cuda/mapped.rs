//! Memory of the host that the GPU reads and writes, too.

use std::ffi::c_void;
use std::ptr;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::context::Handle;

/// Some bytes of pinned memory. Whoever owns them waits for the GPU before they go.
#[derive(Debug)]
pub struct Mapped {
    pub host: Handle<u8>,
    /// Where the GPU finds it.
    pub address: u64,
}

impl Mapped {
    /// The context must be bound.
    pub fn new(bytes: usize) -> Result<Mapped, DriverError> {
        // SAFETY: a fresh allocation; the device's address of it is asked for while it is live.
        unsafe {
            let host = result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_DEVICEMAP)?.cast::<u8>();
            ptr::write_bytes(host, 0, bytes);
            let mut mapped = Mapped { host: Handle(host), address: 0 };
            let address = &raw mut mapped.address;
            sys::cuMemHostGetDevicePointer_v2(address, host.cast::<c_void>(), 0).result()?;
            Ok(mapped)
        }
    }

    /// For launches that never run.
    pub fn nowhere() -> Mapped {
        Mapped { host: Handle(ptr::null_mut()), address: 0 }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        if !self.host.0.is_null() {
            // SAFETY: an allocation of `new`, freed once; its owner saw to it that nobody uses it.
            // A refusal means that the driver has ended, and the memory with it.
            let _ = unsafe { result::free_host(self.host.0.cast()) };
        }
    }
}
