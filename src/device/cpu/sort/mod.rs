//! Sorting along the last axis: by radix, over keys that order as the elements do.
//!
//! Every element becomes an [`Item`]: its key alone, or its key and its position. Items
//! of equal key either are the same value or differ by position, so any way of sorting them is
//! stable. Two values compare equal but are not the same: zero and negative zero; they are put back
//! in the order in which they came.

mod item;
mod key;
mod radix;

use item::{Item, Packed, Pair};
use key::Key;

use super::elements::{self, Elements, INLINE, Ptr, for_pieces, offsets_at};
use super::number::by_number;
use crate::device::{Error, Interrupt, View};

/// Sorts along the last axis, stably, NaN last in either direction.
pub(super) fn sort(
    input: View<'_>,
    descending: bool,
    values: Option<View<'_>>,
    indices: Option<View<'_>>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    sort_elements(
        input.into(),
        descending,
        values.map(Into::into),
        indices.map(Into::into),
        interrupt,
    )
}

fn sort_elements(
    input: Elements<'_>,
    descending: bool,
    values: Option<Elements<'_>>,
    indices: Option<Elements<'_>>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if input.len() == 0 {
        return Ok(());
    }
    debug_assert!(values.iter().chain(&indices).all(|out| out.layout.is_contiguous()));
    let outer = input.layout.rank().saturating_sub(1);
    let len = input.layout.shape.last().copied().unwrap_or(1);
    let job = Job {
        dims: &input.layout.shape[..outer],
        strides: &input.layout.strides[..outer],
        len,
        step: input.layout.strides.last().copied().unwrap_or(0),
        descending,
        interrupt,
    };
    let small_keys = input.dtype.size() <= 4;
    by_number!(input.dtype, T => {
        let out = Outputs {
            values: values.map(|values| values.start::<T>()),
            indices: indices.map(|indices| indices.start::<i64>()),
        };
        match (small_keys, out.indices) {
            (true, None) => job.run::<T, u32>(input.start(), out),
            (false, None) => job.run::<T, u64>(input.start(), out),
            (true, Some(_)) if len <= u32::MAX as usize => job.run::<T, Packed>(input.start(), out),
            (_, Some(_)) => job.run::<T, Pair>(input.start(), out),
        }
    })
}

/// Rows to sort: one for each point of `dims`.
struct Job<'a> {
    dims: &'a [usize],
    strides: &'a [isize],
    len: usize,
    step: isize,
    descending: bool,
    interrupt: &'a Interrupt,
}

/// Where the sorted rows go, one after the other.
struct Outputs<T> {
    values: Option<Ptr<T>>,
    indices: Option<Ptr<i64>>,
}

impl<T> Outputs<T> {
    fn row(&self, number: usize, len: usize) -> Outputs<T> {
        let shift = (number * len) as isize;
        Outputs {
            values: self.values.map(|values| values.shifted(shift)),
            indices: self.indices.map(|indices| indices.shifted(shift)),
        }
    }
}

impl Job<'_> {
    fn run<T: Key, I: Item>(&self, input: Ptr<T>, out: Outputs<T>) -> Result<(), Error> {
        let rows: usize = self.dims.iter().product();
        let row = |number| {
            let [offset] = offsets_at(self.dims, [self.strides], number);
            (input.shifted(offset), out.row(number, self.len))
        };
        if self.len >= INLINE && rows < 2 * rayon::current_num_threads() {
            let mut buffers = Buffers::new(self.len);
            // SAFETY: the rows lie within the input and the outputs.
            return (0..rows).try_for_each(|number| unsafe {
                let (input, out) = row(number);
                self.sort_row::<T, I>(input, out, &mut buffers, true)
            });
        }
        for_pieces(rows, (INLINE / self.len).max(1), self.interrupt, &|_, numbers| {
            let mut buffers = Buffers::<I>::new(self.len);
            // SAFETY: as above, and no two threads have the same row.
            numbers.into_iter().try_for_each(|number| unsafe {
                let (input, out) = row(number);
                self.sort_row::<T, I>(input, out, &mut buffers, false)
            })
        })
    }

    /// # Safety
    /// The row can be read from `input`, and written to `out` by the threads of this call alone.
    unsafe fn sort_row<T: Key, I: Item>(
        &self,
        input: Ptr<T>,
        out: Outputs<T>,
        buffers: &mut Buffers<I>,
        parallel: bool,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        let value = |index: usize| unsafe { *input.at(index as isize * self.step) };
        let Buffers { items, spare } = buffers;
        let split = if parallel { INLINE } else { self.len };
        let shared = Ptr(items.as_mut_ptr());
        for_pieces(self.len, split, self.interrupt, &|_, range| {
            // SAFETY: no two pieces share an item.
            let items = unsafe {
                std::slice::from_raw_parts_mut(shared.at(range.start as isize), range.len())
            };
            if self.step == 1 {
                // SAFETY: the row's elements lie side by side.
                let values = unsafe {
                    std::slice::from_raw_parts(input.at(range.start as isize), range.len())
                };
                encode(values, range.start, self.descending, items);
            } else {
                for (item, index) in items.iter_mut().zip(range) {
                    *item = I::new(value(index).encode(self.descending), index);
                }
            }
            Ok(())
        })?;
        radix::sort(items, spare, parallel, self.interrupt)?;
        let items = &*items;
        for_pieces(self.len, split, self.interrupt, &|_, range| {
            let sorted = &items[range.clone()];
            // SAFETY: the caller's promise; no two pieces share an output.
            unsafe {
                if let Some(indices) = out.indices {
                    let start = indices.at(range.start as isize);
                    let indices = std::slice::from_raw_parts_mut(start, range.len());
                    for (index, item) in indices.iter_mut().zip(sorted) {
                        *index = item.index() as i64;
                    }
                }
                if let Some(values) = out.values {
                    let start = values.at(range.start as isize);
                    let values = std::slice::from_raw_parts_mut(start, range.len());
                    decode(sorted, self.descending, values);
                }
            }
            Ok(())
        })?;
        if let (Some(values), Some(zero)) = (out.values, T::zero(self.descending)) {
            let first = items.partition_point(|item| item.key() < zero);
            let count = items[first..].partition_point(|item| item.key() == zero);
            // One zero is decoded without its sign as well.
            if count > 0 {
                let signed = (0..self.len).map(value);
                let zeros = signed.filter(|value| value.encode(self.descending) == zero);
                for (at, zero) in (first..first + count).zip(zeros) {
                    // SAFETY: the caller's promise.
                    unsafe { *values.at(at as isize) = zero };
                }
            }
        }
        Ok(())
    }
}

elements::vectorized! {
    /// Makes items of elements that lie side by side, the first of them at position `first`.
    fn encode[T: Key, I: Item](values: &[T], first: usize, descending: bool, items: &mut [I])
        = encode_body[T, I]
}

#[inline(always)]
fn encode_body<T: Key, I: Item>(values: &[T], first: usize, descending: bool, items: &mut [I]) {
    for (at, (item, value)) in items.iter_mut().zip(values).enumerate() {
        *item = I::new(value.encode(descending), first + at);
    }
}

elements::vectorized! {
    /// Makes elements of items again.
    fn decode[T: Key, I: Item](items: &[I], descending: bool, values: &mut [T])
        = decode_body[T, I]
}

#[inline(always)]
fn decode_body<T: Key, I: Item>(items: &[I], descending: bool, values: &mut [T]) {
    for (value, item) in values.iter_mut().zip(items) {
        *value = T::decode(item.key(), descending);
    }
}

/// Space for a row and for moving it about.
struct Buffers<I> {
    items: Vec<I>,
    spare: Vec<I>,
}

impl<I: Item> Buffers<I> {
    fn new(len: usize) -> Buffers<I> {
        Buffers { items: vec![I::default(); len], spare: vec![I::default(); len] }
    }
}

#[cfg(test)]
mod tests;
