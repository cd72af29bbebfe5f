//! Typed memory on a device, which tensors and their views share.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Device, Error};
use crate::dtype::DType;
use crate::memory::{Allocation, BlockKind, StreamId};

/// `len` elements of one type. Its memory goes back to the device's allocator when the last holder
/// drops it. The contents change through the back end only.
pub struct Storage {
    device: Device,
    dtype: DType,
    len: usize,
    memory: Memory,
    /// A bit for each stream whose work on this the others may still have to wait for.
    users: AtomicU64,
    /// Whether a name holds it, as far as the allocator was told.
    is_kept: AtomicBool,
    /// The transaction that made it or has kept what it held.
    epoch: AtomicU64,
    /// The state of the program that keeps it, where only the past does; else zero.
    past: AtomicU64,
    /// What a back end knows of its contents, by a number of the back end's own; else zero.
    finding: AtomicU64,
}

/// Where the elements are.
enum Memory {
    Own(Allocation),
    /// In another storage's memory, which has elements of another type. That one knows who uses and writes it.
    Of(Arc<Storage>),
}

/// Streams of one device: as many as a storage has bits for.
pub const MAX_STREAMS: u32 = 64;

impl Storage {
    pub(super) fn new(device: Device, dtype: DType, len: usize, allocation: Allocation) -> Storage {
        // The memory may have been another's, whose last work is still to come on this stream.
        let users = AtomicU64::new(1 << allocation.stream().0);
        let (is_kept, epoch, past) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
        let memory = Memory::Own(allocation);
        let finding = AtomicU64::new(0);
        Storage { device, dtype, len, memory, users, is_kept, epoch, past, finding }
    }

    /// The same bytes as elements of another type; the bytes behind the last whole one are left out.
    pub fn viewed(storage: &Arc<Storage>, dtype: DType) -> Arc<Storage> {
        let origin = storage.origin();
        if origin.dtype == dtype {
            return origin.clone();
        }
        let (users, epoch, past) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Storage {
            device: origin.device.clone(),
            dtype,
            len: origin.size_bytes() / dtype.size(),
            memory: Memory::Of(origin.clone()),
            users,
            is_kept: AtomicBool::new(true),
            epoch,
            past,
            finding: AtomicU64::new(0),
        })
    }

    /// The storage that has the memory: itself, or the one whose bytes it shows under another type.
    #[inline]
    pub fn origin(self: &Arc<Storage>) -> &Arc<Storage> {
        match &self.memory {
            Memory::Own(_) => self,
            Memory::Of(origin) => origin,
        }
    }

    #[inline]
    fn owner(&self) -> &Storage {
        match &self.memory {
            Memory::Own(_) => self,
            Memory::Of(origin) => origin,
        }
    }

    /// Whether it has memory of its own.
    #[inline]
    pub fn is_origin(&self) -> bool {
        matches!(self.memory, Memory::Own(_))
    }

    /// Whether both show the same memory.
    #[inline]
    pub fn is_with(self: &Arc<Storage>, other: &Arc<Storage>) -> bool {
        Arc::ptr_eq(self.origin(), other.origin())
    }

    /// The elements of the origin in which these lie.
    pub fn in_origin(&self, elements: &Range<usize>) -> Range<usize> {
        let (own, theirs) = (self.dtype.size(), self.owner().dtype.size());
        elements.start * own / theirs..(elements.end * own).div_ceil(theirs)
    }

    /// The state of the program that keeps it, where only the past does; else zero.
    pub fn past(&self) -> u64 {
        self.past.load(Ordering::Relaxed)
    }

    /// Says that only the past holds it, for the sake of a state of the program; with zero, that it
    /// is alive again.
    pub fn set_past(&self, state: u64) {
        let Memory::Own(allocation) = &self.memory else { return };
        let before = self.past.swap(state, Ordering::Relaxed);
        if (before == 0) != (state == 0) {
            allocation.set_past(state != 0);
        }
    }

    /// Exchanges its contents with those of another one of the same type, length and device. Nothing
    /// is copied: whoever holds the one has what the other held.
    pub fn exchange(&self, other: &Storage) {
        debug_assert!(self.dtype == other.dtype && self.len == other.len);
        debug_assert!(self.is_origin() && other.is_origin());
        self.allocation().exchange(other.allocation());
        let users = self.users.swap(other.users.load(Ordering::Relaxed), Ordering::Relaxed);
        other.users.store(users, Ordering::Relaxed);
        self.set_finding(0);
        other.set_finding(0);
    }

    /// What the back end knows of its contents, by a number of its own; zero for nothing.
    #[cfg(feature = "cuda")]
    pub(super) fn finding(&self) -> u64 {
        self.owner().finding.load(Ordering::Relaxed)
    }

    /// Whoever writes to it says zero.
    pub(super) fn set_finding(&self, number: u64) {
        self.owner().finding.store(number, Ordering::Relaxed);
    }

    /// Gives its memory back, though somebody holds it, who promises not to look at it any more.
    pub fn let_go(&self) {
        if let Memory::Own(allocation) = &self.memory {
            allocation.let_go();
        }
    }

    /// The number of the last transaction that made it or has kept what it held: that one needs no
    /// copy of it. Zero before the first.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.owner().epoch.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn set_epoch(&self, epoch: u64) {
        self.owner().epoch.store(epoch, Ordering::Relaxed);
    }

    /// Says that the work from here on uses it on `stream`. Gives the other streams that used it
    /// before, a bit each, which that work must wait for.
    #[inline]
    pub(super) fn enter_stream(&self, stream: StreamId) -> u64 {
        let own = 1u64 << stream.0;
        let users = &self.owner().users;
        if users.load(Ordering::Relaxed) == own {
            return 0;
        }
        let allocation = self.allocation();
        if allocation.stream() != stream {
            allocation.allocator().record_stream(allocation, stream);
        }
        users.swap(own, Ordering::Relaxed) & !own
    }

    /// Says that a name holds it, or is about to: it is no temporary any more.
    pub fn keep(&self) {
        let owner = self.owner();
        if !owner.is_kept.load(Ordering::Relaxed) {
            owner.is_kept.store(true, Ordering::Relaxed);
            owner.allocation().set_kind(BlockKind::Variable);
        }
    }

    /// Writes the bits of an element of the storage's type, where the host reaches the memory and all work on it is
    /// done; false elsewhere.
    ///
    /// # Panics
    /// If the storage has no such element.
    #[inline(always)]
    pub fn put(&self, place: usize, bits: u64) -> bool {
        let Some(base) = self.host_element(place) else { return false };
        // SAFETY: the element lies in the storage, whose memory is the host's; a file's may lie at any address.
        unsafe {
            match self.dtype.size() {
                1 => base.add(place).write(bits as u8),
                2 => base.cast::<u16>().add(place).write_unaligned(bits as u16),
                4 => base.cast::<u32>().add(place).write_unaligned(bits as u32),
                _ => base.cast::<u64>().add(place).write_unaligned(bits),
            }
        }
        true
    }

    /// The bits of an element of the storage's type, where the host reaches the memory and all work on it is done.
    ///
    /// # Panics
    /// If the storage has no such element.
    #[inline]
    pub fn element(&self, place: usize) -> Option<u64> {
        let base = self.host_element(place)?;
        // SAFETY: as where it is written.
        Some(unsafe {
            match self.dtype.size() {
                1 => u64::from(base.add(place).read()),
                2 => u64::from(base.cast::<u16>().add(place).read_unaligned()),
                4 => u64::from(base.cast::<u32>().add(place).read_unaligned()),
                _ => base.cast::<u64>().add(place).read_unaligned(),
            }
        })
    }

    /// Where its memory begins, if it is the host's, for whoever wants that element.
    #[inline(always)]
    fn host_element(&self, place: usize) -> Option<*mut u8> {
        if !self.device.is_host() {
            return None;
        }
        assert!(place < self.len, "element {place} of {}", self.len);
        Some(std::ptr::with_exposed_provenance_mut(self.address() as usize))
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
    ///
    /// # Panics
    /// Its memory was let go of ([`Storage::let_go`]), and somebody looks at it nevertheless.
    #[inline]
    pub fn address(&self) -> u64 {
        let allocation = self.allocation();
        assert!(!allocation.is_gone(), "memory of the past that was let go of is looked at");
        allocation.address()
    }

    /// Whether it was asked for while its device only noted what to do: nothing stands behind it.
    pub fn is_modelled(&self) -> bool {
        self.device.0.model.owns(self)
    }

    #[inline]
    pub fn allocation(&self) -> &Allocation {
        match &self.memory {
            Memory::Own(allocation) => allocation,
            Memory::Of(origin) => origin.allocation(),
        }
    }
}

/// # Errors
/// No device has a stream of that number.
pub(super) fn check_stream(stream: StreamId) -> Result<(), Error> {
    if stream.0 < MAX_STREAMS {
        return Ok(());
    }
    let message = format!("stream {} is not there: a device has {MAX_STREAMS} streams", stream.0);
    Err(Error::Driver(message))
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.allocation().address();
        write!(f, "Storage({} × {} at {address:#x})", self.len, self.dtype)
    }
}
