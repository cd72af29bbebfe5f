//! One row: its elements as items, and sorted items as elements.

use std::ops::Range;

use super::item::Item;
use super::key::{Key, Order};
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::Ptr;

/// A row of the input, with steps in elements, and the places of its results. Whoever makes one
/// vouches for this: the `len` elements from `input` on, `step` apart, can be read; the results lie
/// side by side from `values` and `indices` on, and nobody else touches them.
pub(super) struct Row<T> {
    pub len: usize,
    pub step: isize,
    pub order: Order,
    pub input: Ptr<T>,
    pub values: Option<Ptr<T>>,
    pub indices: Option<Ptr<i64>>,
}

impl Row<u8> {
    /// The row of elements whose bytes these are.
    #[inline]
    pub(super) fn cast<T>(&self) -> Row<T> {
        Row {
            len: self.len,
            step: self.step,
            order: self.order,
            input: Ptr(self.input.0.cast()),
            values: self.values.map(|values| Ptr(values.0.cast())),
            indices: self.indices,
        }
    }
}

impl<T: Key> Row<T> {
    #[inline(always)]
    pub(super) fn value(&self, index: usize) -> T {
        debug_assert!(index < self.len);
        // SAFETY: the row can be read.
        unsafe { *self.input.at(index as isize * self.step) }
    }

    /// Writes the results of the sorted items from the one at `first` on.
    pub(super) fn write<I: Item>(&self, first: usize, items: &[I]) {
        debug_assert!(first + items.len() <= self.len);
        if let Some(values) = self.values {
            let start = values.at(first as isize);
            // SAFETY: the results are ours to write, and so many are there.
            let values = unsafe { std::slice::from_raw_parts_mut(start, items.len()) };
            decode(items, self.order, values);
        }
        if let Some(indices) = self.indices {
            let start = indices.at(first as isize);
            // SAFETY: as above.
            let indices = unsafe { std::slice::from_raw_parts_mut(start, items.len()) };
            let mut at = 0;
            while at < items.len() {
                indices[at] = items[at].index() as i64;
                at += 1;
            }
        }
    }

    /// Puts the zeros of a sorted row in the order in which they came, if there are both kinds.
    #[inline]
    pub(super) fn order_zeros(&self) {
        let (Some(values), Some(zero)) = (self.values, T::zero(self.order)) else {
            return;
        };
        // SAFETY: the values are written, and ours.
        let values = unsafe { std::slice::from_raw_parts_mut(values.at(0), self.len) };
        let is_zero = |value: &T| value.encode(self.order) == zero;
        // In a short row a look at every value costs less than the guesses of a search.
        if self.len <= 64 && !values.iter().fold(false, |any, value| any | is_zero(value)) {
            return;
        }
        let first = values.partition_point(|value| value.encode(self.order) < zero);
        let count = values[first..].partition_point(|value| value.encode(self.order) == zero);
        let zeros = &mut values[first..first + count];
        if let Some(indices) = self.indices {
            for (at, value) in zeros.iter_mut().enumerate() {
                // SAFETY: the indices are written, and ours.
                let index = unsafe { *indices.at((first + at) as isize) };
                *value = self.value(index as usize);
            }
            return;
        }
        // Sorted by their signs: if the outermost are alike, all are.
        let sign = |value: Option<&T>| value.map(|value| value.encode_apart(self.order));
        if sign(zeros.first()) != sign(zeros.last()) {
            let all = (0..self.len).map(|index| self.value(index));
            let in_order = all.filter(|value| value.encode(self.order) == zero);
            zeros.iter_mut().zip(in_order).for_each(|(zero, value)| *zero = value);
        }
    }
}

vectorized! {
    /// Makes the items of the elements `range`.
    pub(super) fn make[T: Key, I: Item](row: &Row<T>, range: Range<usize>, items: &mut [I])
        = make_body[T, I]
}

#[inline(always)]
pub(super) fn make_body<T: Key, I: Item>(row: &Row<T>, range: Range<usize>, items: &mut [I]) {
    debug_assert!(range.end <= row.len && range.len() == items.len());
    if row.step == 1 {
        let start = row.input.at(range.start as isize);
        // SAFETY: the row can be read, and its elements lie side by side.
        let values = unsafe { std::slice::from_raw_parts(start, range.len()) };
        let items = &mut items[..values.len()];
        let mut at = 0;
        while at < values.len() {
            items[at] = I::of(values[at], row.order, range.start + at);
            at += 1;
        }
    } else {
        for (item, index) in items.iter_mut().zip(range) {
            *item = I::of(row.value(index), row.order, index);
        }
    }
}

vectorized! {
    /// Makes elements of items again.
    pub(super) fn decode[T: Key, I: Item](items: &[I], order: Order, values: &mut [T])
        = decode_body[T, I]
}

#[inline(always)]
pub(super) fn decode_body<T: Key, I: Item>(items: &[I], order: Order, values: &mut [T]) {
    let values = &mut values[..items.len()];
    let mut at = 0;
    while at < items.len() {
        values[at] = T::decode(items[at].key(), order);
        at += 1;
    }
}
