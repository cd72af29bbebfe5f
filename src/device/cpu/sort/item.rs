//! What a sort moves about.

use super::key::Key;
use crate::device::cpu::scratch::Plain;

/// A key, with or without the position it came from. The order is that of the keys and then that of
/// the positions.
pub(super) trait Item: Plain + Ord + Send + Sync + 'static {
    fn of<T: Key>(value: T, descending: bool, index: usize) -> Self;
    fn key(self) -> u64;
    /// Where it came from; zero where that was not kept.
    fn index(self) -> usize;
}

impl Item for u32 {
    #[inline(always)]
    fn of<T: Key>(value: T, descending: bool, _index: usize) -> u32 {
        value.encode_apart(descending) as u32
    }

    #[inline(always)]
    fn key(self) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn index(self) -> usize {
        0
    }
}

impl Item for u64 {
    #[inline(always)]
    fn of<T: Key>(value: T, descending: bool, _index: usize) -> u64 {
        value.encode_apart(descending)
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self
    }

    #[inline(always)]
    fn index(self) -> usize {
        0
    }
}

/// A key of 32 bits over a position of 32 bits.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Packed(u64);

// SAFETY: it is a number.
unsafe impl Plain for Packed {}

impl Item for Packed {
    #[inline(always)]
    fn of<T: Key>(value: T, descending: bool, index: usize) -> Packed {
        Packed(value.encode(descending) << 32 | index as u64)
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.0 >> 32
    }

    #[inline(always)]
    fn index(self) -> usize {
        (self.0 & u64::from(u32::MAX)) as usize
    }
}

/// A key and a position, of 64 bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Pair {
    key: u64,
    index: u64,
}

// SAFETY: it is two numbers.
unsafe impl Plain for Pair {}

impl Item for Pair {
    #[inline(always)]
    fn of<T: Key>(value: T, descending: bool, index: usize) -> Pair {
        Pair { key: value.encode(descending), index: index as u64 }
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn index(self) -> usize {
        self.index as usize
    }
}
