//! Typed memory on a device, which tensors and their views share.

use std::fmt;

use super::Device;
use crate::dtype::DType;
use crate::memory::Allocation;

/// `len` elements of one type. Its memory goes back to the device's allocator when the last holder
/// drops it. The contents change through the back end only.
pub struct Storage {
    device: Device,
    dtype: DType,
    len: usize,
    allocation: Allocation,
}

impl Storage {
    pub(super) fn new(device: Device, dtype: DType, len: usize, allocation: Allocation) -> Storage {
        Storage { device, dtype, len, allocation }
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
