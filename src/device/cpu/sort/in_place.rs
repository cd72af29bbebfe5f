//! Rows whose keys are sorted in the place of a result, by wide registers.

use std::ops::Range;

use super::item::{Item, Packed};
use super::key::{Key, Order};
use super::leading;
use super::quick::{self, Bare};
use super::row::{Row, decode, make};
use crate::device::cpu::dispatch::vectorized;
use crate::device::{Error, Interrupt};

/// Sorts a row; its zeros are not in order. With places, which rise, it brings its values to these, and the row has no
/// indices.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn sort<T: Key>(
    row: &Row<T>,
    places: Option<&[usize]>,
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if row.indices.is_some() {
        // SAFETY: only the sort writes there until it ends.
        let keys = unsafe { indices_as_keys(row) };
        if size_of::<T>() == 8 {
            return leading::sort(row, keys, parallel, interrupt);
        }
        return quick::sort(&Indices(row), keys, parallel, interrupt);
    }
    match size_of::<T>() {
        4 => sort_values::<T, u32>(row, places, parallel, interrupt),
        _ => sort_values::<T, u64>(row, places, parallel, interrupt),
    }
}

/// The same of values that are as wide as a key.
fn sort_values<T: Key, K: Bare + Item>(
    row: &Row<T>,
    places: Option<&[usize]>,
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    // SAFETY: only the sort writes there until it ends.
    let keys = unsafe { values_as_keys::<T, K>(row) };
    match places {
        Some(places) => quick::select(&Values(row), keys, places, parallel, interrupt),
        None => quick::sort(&Values(row), keys, parallel, interrupt),
    }
}

/// The values of a row without indices, as keys of the same size.
///
/// # Safety
/// Nobody holds them.
#[inline]
unsafe fn values_as_keys<'a, T: Key, K: Bare>(row: &Row<T>) -> &'a mut [K] {
    assert!(size_of::<T>() == size_of::<K>(), "the keys go where the values will be");
    match row.values {
        // SAFETY: they are the row's to write, and nobody's else; they and the keys are plain
        // numbers.
        Some(values) => unsafe { std::slice::from_raw_parts_mut(values.0.cast(), row.len) },
        None => &mut [],
    }
}

impl Packed {
    /// The same memory, as numbers that have the same order.
    pub(super) fn of_bits(bits: &mut [u64]) -> &mut [Packed] {
        // SAFETY: a packed item is such a number and nothing else.
        unsafe { std::slice::from_raw_parts_mut(bits.as_mut_ptr().cast(), bits.len()) }
    }
}

/// The indices of a row, as keys with positions.
///
/// # Safety
/// Nobody holds them.
#[inline]
unsafe fn indices_as_keys<'a, T>(row: &Row<T>) -> &'a mut [u64] {
    match row.indices {
        // SAFETY: as above.
        Some(indices) => unsafe { std::slice::from_raw_parts_mut(indices.0.cast(), row.len) },
        None => &mut [],
    }
}

struct Values<'a, T>(&'a Row<T>);

impl<T: Key, K: Bare + Item> quick::Row<K> for Values<'_, T> {
    fn make(&self, range: Range<usize>, keys: &mut [K]) {
        make(self.0, range, keys);
    }

    fn finish(&self, _first: usize, keys: &mut [K]) {
        decode_in_place::<T, K>(keys, self.0.order);
    }
}

struct Indices<'a, T>(&'a Row<T>);

impl<T: Key> quick::Row<u64> for Indices<'_, T> {
    fn make(&self, range: Range<usize>, keys: &mut [u64]) {
        make(self.0, range, Packed::of_bits(keys));
    }

    fn finish(&self, first: usize, keys: &mut [u64]) {
        finish_indices(self.0, first, keys);
    }
}

/// Writes the values of sorted items, if they are wanted, and puts the positions in their place.
#[inline(always)]
fn finish_indices<T: Key>(row: &Row<T>, first: usize, keys: &mut [u64]) {
    if let Some(values) = row.values {
        let start = values.at(first as isize);
        // SAFETY: so many values are there, and they are the row's to write.
        let values = unsafe { std::slice::from_raw_parts_mut(start, keys.len()) };
        decode(Packed::of_bits(keys), row.order, values);
    }
    for key in keys {
        *key = u64::from(*key as u32);
    }
}

vectorized! {
    /// Puts elements in the place of their keys, which are of the same size.
    fn decode_in_place[T: Key, K: Item](keys: &mut [K], order: Order)
        = decode_in_place_body[T, K]
}

#[inline(always)]
fn decode_in_place_body<T: Key, K: Item>(keys: &mut [K], order: Order) {
    assert!(size_of::<T>() == size_of::<K>());
    for key in keys {
        let value = T::decode(key.key(), order);
        // SAFETY: the sizes are the same, and both are plain numbers.
        unsafe { *std::ptr::from_mut(key).cast::<T>() = value };
    }
}
