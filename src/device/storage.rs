//! Typed memory on a device, which tensors and their views share.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Device;
use crate::dtype::DType;
use crate::memory::{Allocation, StreamId};

/// `len` elements of one type. Its memory goes back to the device's allocator when the last holder
/// drops it. The contents change through the back end only.
pub struct Storage {
    device: Device,
    dtype: DType,
    len: usize,
    allocation: Allocation,
    /// A bit for each stream whose work on this the others may still have to wait for.
    users: AtomicU64,
}

impl Storage {
    pub(super) fn new(device: Device, dtype: DType, len: usize, allocation: Allocation) -> Storage {
        Storage { device, dtype, len, allocation, users: AtomicU64::new(0) }
    }

    /// Says that the work from here on uses it on `stream`. Gives the other streams that used it
    /// before, a bit each, which that work must wait for.
    pub(super) fn enter_stream(&self, stream: StreamId) -> u64 {
        let own = 1u64 << (stream.0 % 64);
        if self.users.load(Ordering::Relaxed) == own {
            return 0;
        }
        if self.allocation.stream() != stream {
            self.allocation.allocator().record_stream(&self.allocation, stream);
        }
        self.users.swap(own, Ordering::Relaxed) & !own
    }

    pub fn device(&self) -> &Device {
        &self.device
    }

    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// In elements.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What was asked for, without the allocator's padding.
    pub fn size_bytes(&self) -> usize {
        self.len * self.dtype.size()
    }

    /// Where it begins in the device's memory; a host address on the CPU and on simulated devices.
    pub fn address(&self) -> u64 {
        self.allocation.address()
    }

    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Storage({} × {} at {:#x})", self.len, self.dtype, self.address())
    }
}
