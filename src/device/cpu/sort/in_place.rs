//! Rows whose keys are sorted in the place of a result, by wide registers.

use std::ops::Range;

use super::item::{Item, Packed};
use super::key::Key;
use super::quick::{self, Bare};
use super::row::{Row, decode};
use crate::device::cpu::elements;
use crate::device::{Error, Interrupt};

/// Sorts the keys of a row in the place of its values, which are as large; it has no indices.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn sort_values<T: Key, K: Bare + Item>(
    row: &Row<T>,
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    assert!(size_of::<T>() == size_of::<K>(), "the keys go where the values will be");
    let Some(values) = row.values else { return Ok(()) };
    // SAFETY: the values are the row's to write; they and the keys are plain numbers of one size.
    let place = unsafe { std::slice::from_raw_parts_mut(values.0.cast::<K>(), row.len) };
    quick::sort(&Values(row), place, parallel, interrupt)
}

/// Sorts the keys of a row with their positions in the place of its indices.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn sort_indices<T: Key>(
    row: &Row<T>,
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let Some(indices) = row.indices else { return Ok(()) };
    // SAFETY: the indices are the row's to write; they and the keys are plain numbers of one size.
    let place = unsafe { std::slice::from_raw_parts_mut(indices.0.cast::<u64>(), row.len) };
    quick::sort(&Indices(row), place, parallel, interrupt)
}

struct Values<'a, T>(&'a Row<T>);

impl<T: Key, K: Bare + Item> quick::Row<K> for Values<'_, T> {
    fn make(&self, range: Range<usize>, keys: &mut [K]) {
        self.0.make(range, keys);
    }

    fn finish(&self, _first: usize, keys: &mut [K]) {
        decode_in_place::<T, K>(keys, self.0.descending);
    }
}

struct Indices<'a, T>(&'a Row<T>);

impl<T: Key> quick::Row<u64> for Indices<'_, T> {
    fn make(&self, range: Range<usize>, keys: &mut [u64]) {
        self.0.make(range, Packed::of_bits(keys));
    }

    fn finish(&self, first: usize, keys: &mut [u64]) {
        let items = Packed::of_bits(keys);
        if let Some(values) = self.0.values {
            let start = values.at(first as isize);
            // SAFETY: so many values are there, and they are the row's to write.
            let values = unsafe { std::slice::from_raw_parts_mut(start, items.len()) };
            decode(items, self.0.descending, values);
        }
        for key in keys {
            *key = u64::from(*key as u32);
        }
    }
}

elements::vectorized! {
    /// Puts elements in the place of their keys, which are of the same size.
    fn decode_in_place[T: Key, K: Item](keys: &mut [K], descending: bool)
        = decode_in_place_body[T, K]
}

#[inline(always)]
fn decode_in_place_body<T: Key, K: Item>(keys: &mut [K], descending: bool) {
    assert!(size_of::<T>() == size_of::<K>());
    for key in keys {
        let value = T::decode(key.key(), descending);
        // SAFETY: the sizes are the same, and both are plain numbers.
        unsafe { *std::ptr::from_mut(key).cast::<T>() = value };
    }
}
