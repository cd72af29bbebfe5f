//! Sorting along the last axis, over keys that order as the elements do.
//!
//! Every element becomes an [`Item`]: its key alone, or its key and its position. Items that are
//! equal are the same, so any way of sorting them is stable. Which way it is depends on the machine
//! and on the items: [`quick`] sorts numbers of 32 and 64 bits by whole registers, in the place of
//! the result; [`radix`] sorts everything, everywhere.
//!
//! Two values compare equal but are not the same: zero and negative zero. They are put back in the
//! order in which they came.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod in_place;
mod item;
mod key;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod quick;
mod radix;
mod row;

use item::{Item, Packed, Pair};
use key::Key;
use row::Row;

use super::dispatch::Level;
use super::elements::{Elements, INLINE, Ptr, for_pieces, offsets_at};
use super::number::by_number;
use super::scratch::{Buffer, Scratch};
use crate::device::{Error, Interrupt, View};

/// Sorts along the last axis, stably, NaN last in either direction.
pub(super) fn sort(
    input: View<'_>,
    descending: bool,
    values: Option<View<'_>>,
    indices: Option<View<'_>>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let scratch = Scratch::new(input.storage.device(), "sort");
    sort_elements(
        input.into(),
        descending,
        values.map(Into::into),
        indices.map(Into::into),
        Level::Avx512.is_available(),
        scratch,
        interrupt,
    )
}

/// `wide` says whether to sort by the registers of AVX-512, which the machine must then have.
fn sort_elements(
    input: Elements<'_>,
    descending: bool,
    values: Option<Elements<'_>>,
    indices: Option<Elements<'_>>,
    wide: bool,
    scratch: Scratch<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if input.len() == 0 {
        return Ok(());
    }
    debug_assert!(values.iter().chain(&indices).all(|out| out.layout.is_contiguous()));
    let outer = input.layout.rank().saturating_sub(1);
    let len = input.layout.shape.last().copied().unwrap_or(1);
    by_number!(input.dtype, T => Job::<T> {
        dims: &input.layout.shape[..outer],
        strides: &input.layout.strides[..outer],
        len,
        step: input.layout.strides.last().copied().unwrap_or(0),
        descending,
        input: input.start(),
        values: values.map(|values| values.start()),
        indices: indices.map(|indices| indices.start()),
        scratch,
        interrupt,
    }.run(wide))
}

/// Rows to sort: one for each point of `dims`. The sorted rows go one after the other.
struct Job<'a, T> {
    dims: &'a [usize],
    strides: &'a [isize],
    len: usize,
    step: isize,
    descending: bool,
    input: Ptr<T>,
    values: Option<Ptr<T>>,
    indices: Option<Ptr<i64>>,
    scratch: Scratch<'a>,
    interrupt: &'a Interrupt,
}

impl<T: Key> Job<'_, T> {
    fn run(&self, wide: bool) -> Result<(), Error> {
        let size = size_of::<T>();
        let packs = size <= 4 && self.len <= u32::MAX as usize;
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if wide && size >= 4 && (self.indices.is_none() || packs) {
            return self.run_in_place();
        }
        debug_assert!(!wide || size < 4 || self.indices.is_some());
        match self.indices {
            None if size <= 4 => self.run_by_radix::<u32>(),
            None => self.run_by_radix::<u64>(),
            Some(_) if packs => self.run_by_radix::<Packed>(),
            Some(_) => self.run_by_radix::<Pair>(),
        }
    }

    fn row(&self, number: usize) -> Row<T> {
        let [offset] = offsets_at(self.dims, [self.strides], number);
        let shift = (number * self.len) as isize;
        Row {
            len: self.len,
            step: self.step,
            descending: self.descending,
            input: self.input.shifted(offset),
            values: self.values.map(|values| values.shifted(shift)),
            indices: self.indices.map(|indices| indices.shifted(shift)),
        }
    }

    fn run_by_radix<I: Item>(&self) -> Result<(), Error> {
        let buffers = || Ok((self.scratch.buffer(self.len)?, self.scratch.buffer(self.len)?));
        self.for_rows(buffers, |row, (items, spare): &mut (Buffer<I>, Buffer<I>), parallel| {
            let piece = if parallel { INLINE } else { self.len };
            let all = items.start();
            for_pieces(self.len, piece, self.interrupt, &|_, range| {
                let start = all.at(range.start as isize);
                // SAFETY: no two pieces share an item.
                let items = unsafe { std::slice::from_raw_parts_mut(start, range.len()) };
                row::make(row, range, items);
                Ok(())
            })?;
            radix::sort(items, spare, parallel, self.interrupt)?;
            for_pieces(self.len, piece, self.interrupt, &|_, range| {
                row.write(range.start, &items[range]);
                Ok(())
            })
        })
    }

    /// Sorts the rows by wide registers.
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn run_in_place(&self) -> Result<(), Error> {
        if self.len <= in_place::SHORT {
            return for_pieces(self.rows(), self.piece(), self.interrupt, &|_, numbers| {
                in_place::sort_short(numbers.map(|number| self.row(number)));
                Ok(())
            });
        }
        let nothing = || Ok(());
        self.for_rows(nothing, |row, (), parallel| in_place::sort(row, parallel, self.interrupt))
    }

    fn rows(&self) -> usize {
        self.dims.iter().product()
    }

    /// Rows that one thread sorts at a time.
    fn piece(&self) -> usize {
        (INLINE / self.len).max(1)
    }

    /// Calls `sort` with every row, with what `scratch` makes, and whether to use several threads
    /// for the row; zeros are put in order after it.
    fn for_rows<S>(
        &self,
        scratch: impl Fn() -> Result<S, Error> + Sync,
        sort: impl Fn(&Row<T>, &mut S, bool) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let run = |number: usize, scratch: &mut S, parallel: bool| {
            let row = self.row(number);
            sort(&row, scratch, parallel)?;
            row.order_zeros();
            Ok(())
        };
        if self.len >= INLINE && self.rows() < 2 * rayon::current_num_threads() {
            let mut scratch = scratch()?;
            return (0..self.rows()).try_for_each(|number| run(number, &mut scratch, true));
        }
        for_pieces(self.rows(), self.piece(), self.interrupt, &|_, mut numbers| {
            let mut scratch = scratch()?;
            numbers.try_for_each(|number| run(number, &mut scratch, false))
        })
    }
}

#[cfg(test)]
mod tests;
