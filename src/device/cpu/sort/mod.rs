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
mod leading;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod quick;
mod radix;
mod row;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
mod short;

use std::marker::PhantomData;
use std::ops::Range;

use item::{Item, Items, Packed, Pair};
use key::{Key, Order};
use row::Row;

use super::dispatch::Level;
use super::elements::{Elements, INLINE, for_pieces, offsets_at};
use super::number::by_bits;
use super::scratch::Scratch;
use crate::device::{Error, Interrupt, View};

/// The first four are those of a register's width and of a network's; the last of threads.
#[cfg(test)]
pub const THRESHOLDS: &[usize] =
    &[8, 16, SHORT, 256, radix::FEW, INLINE, radix::DEAL, radix::IN_CACHE];
#[cfg(all(test, target_arch = "x86_64", feature = "simd"))]
pub const QUICK_THRESHOLDS: &[usize] = quick::THRESHOLDS;
#[cfg(all(test, not(all(target_arch = "x86_64", feature = "simd"))))]
pub const QUICK_THRESHOLDS: &[usize] = &[];

/// Elements of a row that is done with others: a network sorts it.
const SHORT: usize = 128;

/// Sorts along the last axis, stably, NaN last in either direction.
pub(super) fn sort(
    input: View<'_>,
    descending: bool,
    values: Option<View<'_>>,
    indices: Option<View<'_>>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let scratch = Scratch::new(input.storage.device(), "sort");
    let (values, indices) = (values.map(Into::into), indices.map(Into::into));
    let rows = Rows { input: input.into(), descending, values, indices, places: None };
    sort_elements(rows, Level::Avx512.is_available(), scratch, interrupt)
}

/// Brings elements along the last axis to these places, which rise and lie in it, smaller ones before them and larger
/// ones behind, NaN last.
pub(super) fn partition(
    input: View<'_>,
    places: &[usize],
    values: View<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let scratch = Scratch::new(input.storage.device(), "partition");
    let (input, values, places) = (input.into(), Some(values.into()), Some(places));
    let rows = Rows { input, descending: false, values, indices: None, places };
    sort_elements(rows, Level::Avx512.is_available(), scratch, interrupt)
}

/// Bytes of the buffers that [`sort`] takes: two, between which the elements go to and fro.
pub(super) fn workspace(input: View<'_>, has_indices: bool) -> Vec<usize> {
    let shape = &input.layout.shape;
    let outer = shape.rank().saturating_sub(1);
    let (len, rows) = (shape.last().copied().unwrap_or(1), shape[..outer].iter().product());
    let way = Way::of(input.dtype().size(), len, has_indices, Level::Avx512.is_available());
    if matches!(way, Way::InPlace | Way::Short) || input.layout.elem_count() == 0 {
        return Vec::new();
    }
    let at_once = match takes_all_threads(len, rows) {
        true => 1,
        false => rows.div_ceil(piece(len)).min(rayon::current_num_threads()),
    };
    vec![len * way.item(); 2 * at_once]
}

/// How rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By wide registers, in the place of the result.
    InPlace,
    /// By wide registers, many rows at a time.
    Short,
    /// By radix: keys alone, or with their positions.
    Narrow,
    Wide,
    Packed,
    Pairs,
}

impl Way {
    fn of(size: usize, len: usize, has_indices: bool, wide: bool) -> Way {
        // A position is half of a number at most.
        let fits = len <= u32::MAX as usize;
        let packs = size <= 4 && fits;
        let has_registers = cfg!(all(target_arch = "x86_64", feature = "simd"));
        if has_registers && wide && (!has_indices || fits) {
            match len {
                1..=SHORT => return Way::Short,
                _ if size >= 4 => return Way::InPlace,
                _ => {}
            }
        }
        match (has_indices, packs) {
            (false, _) if size <= 4 => Way::Narrow,
            (false, _) => Way::Wide,
            (true, true) => Way::Packed,
            (true, false) => Way::Pairs,
        }
    }

    /// Bytes of an item.
    fn item(self) -> usize {
        match self {
            Way::InPlace | Way::Short => 0,
            Way::Narrow => size_of::<u32>(),
            Way::Wide => size_of::<u64>(),
            Way::Packed => size_of::<Packed>(),
            Way::Pairs => size_of::<Pair>(),
        }
    }
}

/// Whether all threads share each row, one row after the other.
fn takes_all_threads(len: usize, rows: usize) -> bool {
    len >= INLINE && rows < 2 * rayon::current_num_threads()
}

/// Rows that one thread sorts at a time.
fn piece(len: usize) -> usize {
    (INLINE / len).max(1)
}

/// What is sorted, and what comes of it.
struct Rows<'a> {
    input: Elements<'a>,
    descending: bool,
    values: Option<Elements<'a>>,
    indices: Option<Elements<'a>>,
    /// Which places are all that has to be right, where indices are not asked for.
    places: Option<&'a [usize]>,
}

/// `wide` says whether to sort by the registers of AVX-512, which the machine must then have.
fn sort_elements(
    rows: Rows<'_>,
    wide: bool,
    scratch: Scratch<'_>,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let Rows { input, descending, values, indices, places } = rows;
    if input.len() == 0 {
        return Ok(());
    }
    debug_assert!(values.iter().chain(&indices).all(|out| out.layout.is_contiguous()));
    let outer = input.layout.rank().saturating_sub(1);
    let len = input.layout.shape.last().copied().unwrap_or(1);
    let typed: &dyn Typed = by_bits!(input.dtype, T => &Of::<T>::NEW);
    Job {
        typed,
        size: input.dtype.size(),
        dims: &input.layout.shape[..outer],
        strides: &input.layout.strides[..outer],
        first: Row {
            len,
            step: input.layout.strides.last().copied().unwrap_or(0),
            order: Order::of(input.dtype, descending),
            input: input.start(),
            values: values.map(|values| values.start()),
            indices: indices.map(|indices| indices.start()),
        },
        places,
        scratch,
        interrupt,
    }
    .run(wide)
}

/// Rows to sort: one for each point of `dims`. The sorted rows go one after the other.
struct Job<'a> {
    typed: &'a dyn Typed,
    /// Bytes of an element.
    size: usize,
    dims: &'a [usize],
    strides: &'a [isize],
    /// The row at the first point.
    first: Row<u8>,
    /// See [`Rows::places`].
    places: Option<&'a [usize]>,
    scratch: Scratch<'a>,
    interrupt: &'a Interrupt,
}

impl Job<'_> {
    fn run(&self, wide: bool) -> Result<(), Error> {
        match Way::of(self.size, self.first.len, self.first.indices.is_some(), wide) {
            #[cfg(all(target_arch = "x86_64", feature = "simd"))]
            Way::InPlace => self.run_in_place(),
            #[cfg(all(target_arch = "x86_64", feature = "simd"))]
            Way::Short => self.run_short(),
            #[cfg(not(all(target_arch = "x86_64", feature = "simd")))]
            Way::InPlace | Way::Short => unreachable!("there are no such registers"),
            Way::Narrow => self.run_by_radix::<u32>(),
            Way::Wide => self.run_by_radix::<u64>(),
            Way::Packed => self.run_by_radix::<Packed>(),
            Way::Pairs => self.run_by_radix::<Pair>(),
        }
    }

    #[inline]
    fn row(&self, number: usize) -> Row<u8> {
        let [offset] = offsets_at(self.dims, [self.strides], number);
        let (shift, size) = ((number * self.first.len) as isize, self.size as isize);
        Row {
            input: self.first.input.shifted(offset * size),
            values: self.first.values.map(|values| values.shifted(shift * size)),
            indices: self.first.indices.map(|indices| indices.shifted(shift)),
            ..self.first
        }
    }

    fn run_by_radix<I: Item>(&self) -> Result<(), Error> {
        let len = self.first.len;
        self.for_rows(&|numbers, parallel| {
            let mut items = self.scratch.buffer::<I>(len)?;
            let mut spare = self.scratch.buffer::<I>(len)?;
            let piece = if parallel { INLINE } else { len };
            for number in numbers {
                let row = self.row(number);
                let all = items.start();
                // SAFETY: no two pieces share an item.
                let items_of = |range: &Range<usize>| unsafe {
                    let start = all.at(range.start as isize);
                    std::slice::from_raw_parts_mut(start, range.len())
                };
                for_pieces(len, piece, self.interrupt, &|_, range| {
                    let items = items_of(&range);
                    self.typed.make(&row, range, I::any(items));
                    Ok(())
                })?;
                match self.places {
                    Some(places) => select(&mut items, places),
                    None => radix::sort(&mut items, &mut spare, parallel, self.interrupt)?,
                }
                for_pieces(len, piece, self.interrupt, &|_, range| {
                    self.typed.write(&row, range.start, I::any(items_of(&range)));
                    Ok(())
                })?;
                if self.places.is_none() {
                    self.typed.order_zeros(&row);
                }
            }
            Ok(())
        })
    }

    /// Sorts the rows by wide registers.
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn run_in_place(&self) -> Result<(), Error> {
        self.for_rows(&|numbers, parallel| {
            for number in numbers {
                let row = self.row(number);
                self.typed.sort_in_place(&row, self.places, parallel, self.interrupt)?;
                if self.places.is_none() {
                    self.typed.order_zeros(&row);
                }
            }
            Ok(())
        })
    }

    fn rows(&self) -> usize {
        self.dims.iter().product()
    }

    fn piece(&self) -> usize {
        piece(self.first.len)
    }

    /// Calls `sort` with rows, and whether to use several threads for each.
    fn for_rows(
        &self,
        sort: &(dyn Fn(Range<usize>, bool) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        if takes_all_threads(self.first.len, self.rows()) {
            return sort(0..self.rows(), true);
        }
        for_pieces(self.rows(), self.piece(), self.interrupt, &|_, numbers| sort(numbers, false))
    }
}

/// Brings items to these places, which rise.
fn select<I: Item>(mut items: &mut [I], places: &[usize]) {
    let mut first = 0;
    for place in places {
        items = items.select_nth_unstable(place - first).2;
        first = place + 1;
    }
}

/// What a sort does with elements of one type, whose rows are given as bytes.
trait Typed: Sync {
    /// Makes the items of the elements `range`.
    fn make(&self, row: &Row<u8>, range: Range<usize>, items: Items<'_>);

    /// Writes the results of sorted items, from the one at `first` on.
    fn write(&self, row: &Row<u8>, first: usize, items: Items<'_>);

    /// See [`Key::zero`].
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn zero(&self, order: Order) -> Option<u64>;

    /// Puts the zeros of a sorted row in order.
    fn order_zeros(&self, row: &Row<u8>);

    /// See [`leading`]: makes the numbers of a row.
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn lead(&self, row: &Row<u8>, numbers: &mut [u64]) -> leading::Leading;

    /// Writes the results of the numbers of a row, which are sorted.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn place(
        &self,
        row: &Row<u8>,
        leading: leading::Leading,
        numbers: &mut [u64],
        interrupt: &Interrupt,
    ) -> Result<(), Error>;

    /// Sorts a row by wide registers, all but its zeros, or brings its values to some places.
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn sort_in_place(
        &self,
        row: &Row<u8>,
        places: Option<&[usize]>,
        parallel: bool,
        interrupt: &Interrupt,
    ) -> Result<(), Error>;
}

/// Elements of a type.
struct Of<T>(PhantomData<fn(T)>);

impl<T> Of<T> {
    const NEW: Of<T> = Of(PhantomData);
    /// Which items there are besides pairs.
    const NARROW: bool = size_of::<T>() <= 4;
}

/// Runs `$body` with `$items` standing for the slice of items, of the kinds that elements of the type
/// have.
macro_rules! with_items {
    ($items:ident => $body:expr) => {
        if Self::NARROW {
            match $items {
                Items::Narrow($items) => $body,
                Items::Packed($items) => $body,
                Items::Pairs($items) => $body,
                Items::Wide(_) => {}
            }
        } else {
            match $items {
                Items::Wide($items) => $body,
                Items::Pairs($items) => $body,
                Items::Narrow(_) | Items::Packed(_) => {}
            }
        }
    };
}

impl<T: Key> Typed for Of<T> {
    fn make(&self, row: &Row<u8>, range: Range<usize>, items: Items<'_>) {
        let row = &row.cast::<T>();
        with_items!(items => row::make(row, range, items));
    }

    fn write(&self, row: &Row<u8>, first: usize, items: Items<'_>) {
        let row = &row.cast::<T>();
        with_items!(items => row.write(first, items));
    }

    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn zero(&self, order: Order) -> Option<u64> {
        T::zero(order)
    }

    fn order_zeros(&self, row: &Row<u8>) {
        row.cast::<T>().order_zeros();
    }

    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn lead(&self, row: &Row<u8>, numbers: &mut [u64]) -> leading::Leading {
        leading::lead(&row.cast::<T>(), numbers)
    }

    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn place(
        &self,
        row: &Row<u8>,
        leading: leading::Leading,
        numbers: &mut [u64],
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        leading::place(&row.cast::<T>(), leading, numbers, interrupt)
    }

    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    fn sort_in_place(
        &self,
        row: &Row<u8>,
        places: Option<&[usize]>,
        parallel: bool,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        in_place::sort(&row.cast::<T>(), places, parallel, interrupt)
    }
}

#[cfg(test)]
mod tests;
