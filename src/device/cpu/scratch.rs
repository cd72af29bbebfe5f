//! Memory that a kernel needs besides its operands. It comes from the device's allocator, so that
//! the figures of memory tell the truth, and too little of it is an error like any other.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::elements::Ptr;
use crate::device::{Device, Error, Storage};
use crate::dtype::DType;
use crate::memory::Provenance;

/// Where a kernel gets its scratch memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scratch<'a> {
    device: &'a Device,
    provenance: Provenance,
}

impl<'a> Scratch<'a> {
    /// Said to be for `operation`.
    pub fn new(device: &'a Device, operation: &'static str) -> Scratch<'a> {
        Scratch { device, provenance: Provenance::WORKSPACE.by(operation) }
    }

    /// Room for `len` items, which hold anything at first.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn buffer<T: Plain>(self, len: usize) -> Result<Buffer<T>, Error> {
        let bytes = len.saturating_mul(size_of::<T>());
        let storage = self.device.allocate(DType::U8, bytes, self.provenance)?;
        debug_assert!(bytes == 0 || storage.address().is_multiple_of(align_of::<T>() as u64));
        Ok(Buffer { storage, len, item: PhantomData })
    }
}

/// A type of which any bits are a value.
///
/// # Safety
/// They are, and nothing has to be done when one is overwritten.
pub(super) unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($type:ty),*) => {$(
        // SAFETY: it is a number.
        unsafe impl Plain for $type {}
    )*};
}

plain!(u8, i16, u32, i32, u64, i64, f32, f64);

/// Scratch memory: it goes back when this is dropped.
#[derive(Debug)]
pub(super) struct Buffer<T> {
    storage: Arc<Storage>,
    len: usize,
    item: PhantomData<T>,
}

impl<T: Plain> Buffer<T> {
    /// Its first item.
    pub fn start(&self) -> Ptr<T> {
        match self.len {
            0 => Ptr(std::ptr::dangling_mut()),
            _ => Ptr(std::ptr::with_exposed_provenance_mut(self.storage.address() as usize)),
        }
    }
}

impl<T: Plain> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the memory is this buffer's alone and so long; any bits are a value.
        unsafe { std::slice::from_raw_parts(self.start().0, self.len) }
    }
}

impl<T: Plain> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.start().0, self.len) }
    }
}
