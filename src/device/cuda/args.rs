//! The arguments of a launch.

use std::ffi::c_void;

use smallvec::SmallVec;

/// Values in the order of a kernel's parameters. Every parameter of our kernels is a number or a
/// pointer of at most 8 bytes, or one block of bytes.
#[derive(Debug, Default)]
pub struct Args<'a> {
    slots: SmallVec<[Slot<'a>; 16]>,
}

#[derive(Debug, Clone, Copy)]
enum Slot<'a> {
    Word(u64),
    Bytes(&'a [u8]),
}

impl<'a> Args<'a> {
    pub fn new() -> Args<'a> {
        Args::default()
    }

    /// A device address.
    pub fn address(self, address: u64) -> Args<'a> {
        self.word(address)
    }

    /// For a parameter of type `i64`.
    pub fn i64(self, value: usize) -> Args<'a> {
        self.word(value as u64)
    }

    /// For a parameter of type `i64` that may be negative.
    pub fn stride(self, value: isize) -> Args<'a> {
        self.word(value as i64 as u64)
    }

    /// For a parameter of type `u64`.
    pub fn u64(self, value: u64) -> Args<'a> {
        self.word(value)
    }

    /// For a parameter of type `u32` or `i32`.
    pub fn u32(self, value: u32) -> Args<'a> {
        self.word(u64::from(value))
    }

    /// For a struct that is passed by value.
    pub fn bytes(mut self, bytes: &'a [u8]) -> Args<'a> {
        self.slots.push(Slot::Bytes(bytes));
        self
    }

    fn word(mut self, value: u64) -> Args<'a> {
        self.slots.push(Slot::Word(value));
        self
    }

    /// Where each value lies, as the driver wants it. It reads as many bytes as the parameter has;
    /// a number of 4 bytes is the first half of its word, because CUDA's hosts are little-endian.
    pub(super) fn pointers(&mut self) -> SmallVec<[*mut c_void; 16]> {
        let pointer = |slot: &mut Slot<'_>| match slot {
            Slot::Word(value) => std::ptr::from_mut(value).cast::<c_void>(),
            Slot::Bytes(bytes) => bytes.as_ptr().cast_mut().cast::<c_void>(),
        };
        self.slots.iter_mut().map(pointer).collect()
    }
}
