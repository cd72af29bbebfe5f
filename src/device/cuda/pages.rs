//! The GPU's memory in pieces that are mapped to reserved addresses.

use std::mem;

use cudarc::driver::sys;

use super::context::Context;
use super::upstream::{CudaUpstream, upstream_error};
use crate::memory::{Paging, Piece, StreamId, UpstreamError};

/// The smallest piece, where the device has pieces: what the driver handles best.
pub(super) fn page_bytes(context: &Context) -> Option<usize> {
    if !context.has_virtual_memory || context.bind().is_err() {
        return None;
    }
    let properties = properties(context);
    let which = sys::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
    let mut bytes = 0;
    // SAFETY: the driver reads the properties and writes one number.
    let result = unsafe { sys::cuMemGetAllocationGranularity(&mut bytes, &properties, which) };
    (result.result().is_ok() && bytes > 0 && bytes.is_power_of_two()).then_some(bytes)
}

fn location(context: &Context) -> sys::CUmemLocation {
    sys::CUmemLocation {
        type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: i32::from(context.ordinal),
    }
}

fn properties(context: &Context) -> sys::CUmemAllocationProp {
    // SAFETY: plain numbers and a pointer, for all of which nothing is a value.
    let flags = unsafe { mem::zeroed() };
    sys::CUmemAllocationProp {
        type_: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: location(context),
        win32HandleMetaData: std::ptr::null_mut(),
        allocFlags: flags,
    }
}

impl Paging for CudaUpstream {
    fn page_bytes(&self) -> usize {
        self.page.unwrap_or(2 << 20)
    }

    fn reserve(&mut self, bytes: usize) -> Result<u64, UpstreamError> {
        self.stream(StreamId::DEFAULT)?;
        let mut address = 0;
        // SAFETY: the driver writes one address.
        unsafe { sys::cuMemAddressReserve(&mut address, bytes, 0, 0, 0) }
            .result()
            .map_err(upstream_error)?;
        Ok(address)
    }

    fn unreserve(&mut self, address: u64, bytes: usize) {
        if self.stream(StreamId::DEFAULT).is_ok() {
            // SAFETY: addresses of `reserve`, given back once, with nothing behind them. A refusal
            // leaves addresses unused, of which there are plenty.
            let _ = unsafe { sys::cuMemAddressFree(address, bytes) };
        }
    }

    fn create(&mut self, bytes: usize) -> Result<Piece, UpstreamError> {
        self.stream(StreamId::DEFAULT)?;
        let properties = properties(&self.context);
        let mut handle = 0;
        // SAFETY: the driver reads the properties and writes one handle.
        unsafe { sys::cuMemCreate(&mut handle, bytes, &properties, 0) }
            .result()
            .map_err(upstream_error)?;
        Ok(Piece(handle))
    }

    fn destroy(&mut self, piece: Piece, _bytes: usize) {
        if self.stream(StreamId::DEFAULT).is_ok() {
            // SAFETY: a handle of `create`, released once. A refusal means that the context is lost,
            // and the memory with it.
            let _ = unsafe { sys::cuMemRelease(piece.0) };
        }
    }

    fn map(&mut self, piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        self.stream(StreamId::DEFAULT)?;
        // SAFETY: reserved addresses with nothing behind them, and the whole of a live piece.
        unsafe { sys::cuMemMap(address, bytes, 0, piece.0, 0) }.result().map_err(upstream_error)
    }

    fn unmap(&mut self, _piece: Piece, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        self.stream(StreamId::DEFAULT)?;
        // SAFETY: a whole mapping, and the allocator has waited for all that uses it.
        unsafe { sys::cuMemUnmap(address, bytes) }.result().map_err(upstream_error)
    }

    fn allow(&mut self, address: u64, bytes: usize) -> Result<(), UpstreamError> {
        self.stream(StreamId::DEFAULT)?;
        let flags = sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        let access = sys::CUmemAccessDesc { location: location(&self.context), flags };
        // SAFETY: mapped addresses, and one description.
        unsafe { sys::cuMemSetAccess(address, bytes, &access, 1) }.result().map_err(upstream_error)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::device::Storage;
    use crate::device::cuda::trials::{Devices, downloaded, pattern, uploaded};
    use crate::memory::{AllocatorConfig, SegmentKind};

    /// Tensors of 4 MiB, every other of which is let go of: the pages of those serve one of 32 MiB, what
    /// the others hold stays as it is, and the large one keeps what it is given.
    #[test]
    fn pages_of_the_gpu_move_and_contents_stay() {
        let config = AllocatorConfig::default().with_segments(SegmentKind::Paged);
        let Some(Devices([_, gpu])) = Devices::find_with(config) else { return };
        let allocator = gpu.allocator();
        assert!(allocator.is_paged());
        const SMALL: usize = 4 << 20;
        let mut held: Vec<_> = (0..16).map(|n| Some(uploaded(&gpu, &pattern(n, SMALL)))).collect();
        (0..16).step_by(2).for_each(|n| held[n] = None);
        let before = allocator.stats();
        let large = uploaded(&gpu, &pattern(99, 8 * SMALL));
        let after = allocator.stats();
        assert_eq!(after.now.reserved, before.now.reserved, "nothing new was asked for");
        assert_eq!(after.bytes_moved, 8 * SMALL as u64);
        for n in (1..16).step_by(2) {
            assert!(downloaded(held[n].as_ref().unwrap()) == pattern(n, SMALL), "{n}");
        }
        assert!(downloaded(&large) == pattern(99, 8 * SMALL));
        drop((held, large));
        assert!(allocator.empty_cache() >= 16 * SMALL);
        assert_eq!(allocator.stats().now.reserved, 0);
    }

    /// A tensor of 4 MiB pins a segment of 24 MiB under a limit of 32 MiB: one of 26 MiB is served, the small one
    /// keeps its address and what is in it, and both move together afterwards.
    #[test]
    fn what_is_held_keeps_its_contents_while_pages_are_gathered() {
        let Some(Devices([_, gpu])) = Devices::find_with(AllocatorConfig::default()) else {
            return;
        };
        let allocator = gpu.allocator();
        assert!(allocator.has_pages());
        assert_eq!(allocator.stats().now.reserved, 0);
        const MIB: usize = 1 << 20;
        allocator.set_limit(Some(32 * MIB));
        let make = |bytes: usize, seed: usize| {
            let data = pattern(seed, bytes);
            (uploaded(&gpu, &data), data)
        };
        let holds = |(storage, data): &(Arc<Storage>, Vec<u8>)| downloaded(storage) == *data;
        drop(make(24 * MIB, 0));
        let before = make(8 * MIB, 1);
        let held = make(4 * MIB, 2);
        drop(before);
        let address = held.0.address();
        let large = make(26 * MIB, 3);
        assert!(held.0.address() == address && allocator.stats().now.reserved <= 32 * MIB);
        assert!(holds(&held) && holds(&large));
        drop(large);
        let (one, two, three) = (make(6 * MIB, 4), make(6 * MIB, 5), make(6 * MIB, 6));
        drop(two);
        let storages = [held.0.clone(), one.0.clone(), three.0.clone()];
        assert!(gpu.compact(&storages).unwrap().bytes > 0);
        assert!(holds(&held) && holds(&one) && holds(&three));
        drop((held, one, three, storages));
        allocator.empty_cache();
        assert_eq!(allocator.stats().now.reserved, 0);
    }
}
