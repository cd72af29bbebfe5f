//! Sorting along the last axis, over keys that order as the elements do.
//!
//! Every element becomes an [`Item`]: its key alone, or its key and its position. Items that are
//! equal are the same, so any way of sorting them is stable. Which way it is depends on the machine
//! and on the items: [`quick`] sorts numbers of 32 and 64 bits by whole registers, in the place of
//! the result; [`radix`] sorts everything, everywhere.
//!
//! Two values compare equal but are not the same: zero and negative zero. They are put back in the
//! order in which they came.

#[cfg(target_arch = "x86_64")]
mod in_place;
mod item;
mod key;
#[cfg(target_arch = "x86_64")]
mod quick;
mod radix;
mod row;

use item::{Item, Packed, Pair};
use key::Key;
use row::Row;

use super::elements::{Elements, INLINE, Ptr, for_pieces, offsets_at};
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
        has_wide_registers(),
        interrupt,
    )
}

#[cfg(target_arch = "x86_64")]
fn has_wide_registers() -> bool {
    quick::is_available()
}

#[cfg(not(target_arch = "x86_64"))]
fn has_wide_registers() -> bool {
    false
}

/// `wide` says whether to sort by wide registers, which the machine must then have.
fn sort_elements(
    input: Elements<'_>,
    descending: bool,
    values: Option<Elements<'_>>,
    indices: Option<Elements<'_>>,
    wide: bool,
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
    let size = input.dtype.size();
    by_number!(input.dtype, T => {
        let out = Outputs {
            values: values.map(|values| values.start::<T>()),
            indices: indices.map(|indices| indices.start::<i64>()),
        };
        let input = input.start::<T>();
        let packs = size <= 4 && len <= u32::MAX as usize;
        #[cfg(target_arch = "x86_64")]
        if wide && size >= 4 && (out.indices.is_none() || packs) {
            return job.run_in_place(input, out);
        }
        match out.indices {
            None if size <= 4 => job.run::<T, u32>(input, out),
            None => job.run::<T, u64>(input, out),
            Some(_) if packs => job.run::<T, Packed>(input, out),
            Some(_) => job.run::<T, Pair>(input, out),
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

impl Job<'_> {
    /// Sorts every row by radix.
    fn run<T: Key, I: Item>(&self, input: Ptr<T>, out: Outputs<T>) -> Result<(), Error> {
        self.for_rows(
            input,
            out,
            || (vec![I::default(); self.len], vec![I::default(); self.len]),
            |row, (items, spare), parallel| {
                let piece = if parallel { INLINE } else { self.len };
                let all = Ptr(items.as_mut_ptr());
                for_pieces(self.len, piece, self.interrupt, &|_, range| {
                    let items = all.at(range.start as isize);
                    // SAFETY: no two pieces share an item.
                    row.make(range.clone(), unsafe {
                        std::slice::from_raw_parts_mut(items, range.len())
                    });
                    Ok(())
                })?;
                radix::sort(items, spare, parallel, self.interrupt)?;
                for_pieces(self.len, piece, self.interrupt, &|_, range| {
                    row.write(range.start, &items[range]);
                    Ok(())
                })
            },
        )
    }

    /// Sorts every row by wide registers.
    #[cfg(target_arch = "x86_64")]
    fn run_in_place<T: Key>(&self, input: Ptr<T>, out: Outputs<T>) -> Result<(), Error> {
        let indices = out.indices.is_some();
        self.for_rows(
            input,
            out,
            || (),
            |row, (), parallel| match size_of::<T>() {
                _ if indices => in_place::sort_indices(row, parallel, self.interrupt),
                4 => in_place::sort_values::<T, u32>(row, parallel, self.interrupt),
                _ => in_place::sort_values::<T, u64>(row, parallel, self.interrupt),
            },
        )
    }

    /// Calls `sort` with every row, with what `scratch` makes, and whether to use several threads
    /// for the row; zeros are put in order after it.
    fn for_rows<T: Key, S>(
        &self,
        input: Ptr<T>,
        out: Outputs<T>,
        scratch: impl Fn() -> S + Sync,
        sort: impl Fn(&Row<T>, &mut S, bool) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let rows: usize = self.dims.iter().product();
        let run = |number: usize, scratch: &mut S, parallel: bool| {
            let [offset] = offsets_at(self.dims, [self.strides], number);
            let shift = (number * self.len) as isize;
            let row = Row {
                len: self.len,
                step: self.step,
                descending: self.descending,
                input: input.shifted(offset),
                values: out.values.map(|values| values.shifted(shift)),
                indices: out.indices.map(|indices| indices.shifted(shift)),
            };
            sort(&row, scratch, parallel)?;
            row.order_zeros();
            Ok(())
        };
        if self.len >= INLINE && rows < 2 * rayon::current_num_threads() {
            let mut scratch = scratch();
            return (0..rows).try_for_each(|number| run(number, &mut scratch, true));
        }
        for_pieces(rows, (INLINE / self.len).max(1), self.interrupt, &|_, mut numbers| {
            let mut scratch = scratch();
            numbers.try_for_each(|number| run(number, &mut scratch, false))
        })
    }
}

#[cfg(test)]
mod tests;
