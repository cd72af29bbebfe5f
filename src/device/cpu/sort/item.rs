//! What a sort moves about.

use super::key::{Key, Order};
use crate::device::cpu::scratch::Plain;

/// A key, with or without the position it came from. The order is that of the keys and then that of
/// the positions.
pub(super) trait Item: Plain + Ord + Send + Sync + 'static {
    /// The same items, of some kind.
    fn any(items: &mut [Self]) -> Items<'_>;
    fn of<T: Key>(value: T, order: Order, index: usize) -> Self;
    fn key(self) -> u64;
    /// Where it came from; zero where that was not kept.
    fn index(self) -> usize;
}

/// Items of any kind.
pub(super) enum Items<'a> {
    /// Keys of elements of up to 32 bits, without positions.
    Narrow(&'a mut [u32]),
    /// Keys of elements of 64 bits, without positions.
    Wide(&'a mut [u64]),
    /// Keys of elements of up to 32 bits.
    Packed(&'a mut [Packed]),
    Pairs(&'a mut [Pair]),
}

impl Item for u32 {
    fn any(items: &mut [u32]) -> Items<'_> {
        Items::Narrow(items)
    }

    #[inline(always)]
    fn of<T: Key>(value: T, order: Order, _index: usize) -> u32 {
        value.encode_apart(order) as u32
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
    fn any(items: &mut [u64]) -> Items<'_> {
        Items::Wide(items)
    }

    #[inline(always)]
    fn of<T: Key>(value: T, order: Order, _index: usize) -> u64 {
        value.encode_apart(order)
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
    fn any(items: &mut [Packed]) -> Items<'_> {
        Items::Packed(items)
    }

    #[inline(always)]
    fn of<T: Key>(value: T, order: Order, index: usize) -> Packed {
        Packed(value.encode(order) << 32 | index as u64)
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
    fn any(items: &mut [Pair]) -> Items<'_> {
        Items::Pairs(items)
    }

    #[inline(always)]
    fn of<T: Key>(value: T, order: Order, index: usize) -> Pair {
        Pair { key: value.encode(order), index: index as u64 }
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
