//! Keys of 64 bits and their positions, together in 64 bits: the leading bits of what a key has more than the least of
//! its row, over the position. Sorted by those, only keys may be out of order that differ in nothing but bits for which
//! there was no room. Such runs are put in order by their keys afterwards; where keys lie so near to each other that there
//! is room for all bits, as those of most integers do, there are none.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::key::Key;
use super::quick;
use super::row::Row;
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::{INLINE, Ptr, for_pieces};
use crate::device::{Error, Interrupt};

/// Sorted keys that are looked through for runs before the next look at the interrupt flag.
const LOOK: usize = 4096;

/// How a key and a position share a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leading {
    /// The least key.
    least: u64,
    /// Leading bits that nothing has that a key has more.
    free: u32,
    /// Bits of a position.
    bits: u32,
}

impl Leading {
    /// For keys from the least to the greatest, and so many positions, whose bits are at most half of a number's.
    fn new([least, greatest]: [u64; 2], positions: usize) -> Leading {
        debug_assert!(positions <= u32::MAX as usize);
        let free = (greatest - least).leading_zeros().min(u64::BITS - 1);
        Leading { least, free, bits: usize::BITS - positions.leading_zeros() }
    }

    /// What a key has more than the least, from the first bit on.
    #[inline(always)]
    fn beyond(self, key: u64) -> u64 {
        (key - self.least) << self.free
    }

    #[inline(always)]
    fn number(self, key: u64, position: usize) -> u64 {
        self.beyond(key) & !self.mask() | position as u64
    }

    /// What of a key had no room.
    fn rest(self, key: u64) -> u64 {
        self.beyond(key) & self.mask()
    }

    #[inline(always)]
    fn mask(self) -> u64 {
        (1 << self.bits) - 1
    }

    #[inline(always)]
    fn position(self, number: u64) -> usize {
        (number & self.mask()) as usize
    }

    /// Whether a number has the whole key.
    fn is_exact(self) -> bool {
        self.free >= self.bits
    }

    #[inline(always)]
    fn is_same(self, one: u64, other: u64) -> bool {
        one >> self.bits == other >> self.bits
    }
}

/// Makes the numbers of a short row.
pub(super) fn lead<T: Key>(row: &Row<T>, numbers: &mut [u64]) -> Leading {
    let leading = Leading::new(bounds(row, 0..row.len), row.len);
    make(row, 0..row.len, leading, numbers);
    leading
}

/// Writes the results of the numbers of a short row, which are sorted.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn place<T: Key>(
    row: &Row<T>,
    leading: Leading,
    numbers: &mut [u64],
    interrupt: &Interrupt,
) -> Result<(), Error> {
    order_ties(row, leading, numbers, interrupt)?;
    finish(row, leading, 0, numbers);
    if let Some(indices) = row.indices {
        // SAFETY: so many indices are there, and they are the row's to write; the numbers lie elsewhere.
        unsafe {
            indices.0.cast::<u64>().copy_from_nonoverlapping(numbers.as_ptr(), numbers.len())
        };
    }
    Ok(())
}

/// Puts the positions of the sorted elements where the row's indices go.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn sort<T: Key>(
    row: &Row<T>,
    numbers: &mut [u64],
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    let piece = if parallel { INLINE } else { row.len };
    let (least, greatest) = (AtomicU64::new(u64::MAX), AtomicU64::new(0));
    for_pieces(row.len, piece, interrupt, &|_, range| {
        let [low, high] = bounds(row, range);
        least.fetch_min(low, Ordering::Relaxed);
        greatest.fetch_max(high, Ordering::Relaxed);
        Ok(())
    })?;
    let leading = Leading::new([least.into_inner(), greatest.into_inner()], row.len);
    quick::sort(&Numbers { row, leading }, numbers, parallel, interrupt)?;
    order_ties(row, leading, numbers, interrupt)?;
    let start = Ptr(numbers.as_mut_ptr());
    for_pieces(row.len, piece, interrupt, &|_, range| {
        // SAFETY: no two pieces share a number.
        let numbers =
            unsafe { std::slice::from_raw_parts_mut(start.at(range.start as isize), range.len()) };
        finish(row, leading, range.start, numbers);
        Ok(())
    })
}

impl<T: Key> Row<T> {
    /// What orders an element.
    #[inline(always)]
    fn key(&self, index: usize) -> u64 {
        self.value(index).encode(self.order)
    }

    /// Folds the keys of the elements `range`, each with its place.
    #[inline(always)]
    fn fold_keys<A>(
        &self,
        range: Range<usize>,
        start: A,
        mut fold: impl FnMut(A, usize, u64) -> A,
    ) -> A {
        let mut acc = start;
        if self.step == 1 {
            let first = self.input.at(range.start as isize);
            // SAFETY: the row can be read, and its elements lie side by side.
            let values = unsafe { std::slice::from_raw_parts(first, range.len()) };
            for (at, value) in values.iter().enumerate() {
                acc = fold(acc, range.start + at, value.encode(self.order));
            }
        } else {
            for at in range {
                acc = fold(acc, at, self.key(at));
            }
        }
        acc
    }
}

struct Numbers<'a, T> {
    row: &'a Row<T>,
    leading: Leading,
}

impl<T: Key> quick::Row<u64> for Numbers<'_, T> {
    fn make(&self, range: Range<usize>, numbers: &mut [u64]) {
        make(self.row, range, self.leading, numbers);
    }

    fn finish(&self, _first: usize, _numbers: &mut [u64]) {}
}

vectorized! {
    /// The least and the greatest key of the elements `range`.
    fn bounds[T: Key](row: &Row<T>, range: Range<usize>) -> [u64; 2] = bounds_body[T]
}

#[inline(always)]
fn bounds_body<T: Key>(row: &Row<T>, range: Range<usize>) -> [u64; 2] {
    row.fold_keys(range, [u64::MAX, 0], |[least, greatest], _, key| {
        [least.min(key), greatest.max(key)]
    })
}

vectorized! {
    /// Makes the numbers of the elements `range`.
    fn make[T: Key](row: &Row<T>, range: Range<usize>, leading: Leading, numbers: &mut [u64])
        = make_body[T]
}

#[inline(always)]
fn make_body<T: Key>(row: &Row<T>, range: Range<usize>, leading: Leading, numbers: &mut [u64]) {
    debug_assert!(range.len() == numbers.len());
    let start = range.start;
    row.fold_keys(range, (), |(), at, key| numbers[at - start] = leading.number(key, at));
}

/// Puts runs in order whose numbers tell their keys apart no more.
///
/// # Errors
/// [`Error::Interrupted`].
fn order_ties<T: Key>(
    row: &Row<T>,
    leading: Leading,
    numbers: &mut [u64],
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if leading.is_exact() {
        return Ok(());
    }
    let mut at = 0;
    while at + 1 < numbers.len() {
        let end = numbers.len().min(at + LOOK);
        if !has_ties(&numbers[at..end], leading) {
            at = end - 1;
            continue;
        }
        if interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        while at + 1 < end {
            let first = numbers[at];
            let run =
                numbers[at..].iter().take_while(|number| leading.is_same(**number, first)).count();
            if run > 1 {
                order(row, leading, &mut numbers[at..at + run]);
            }
            at += run;
        }
    }
    Ok(())
}

/// Orders numbers whose keys differ in nothing but what had no room: there is room for that where the leading bits were.
fn order<T: Key>(row: &Row<T>, leading: Leading, run: &mut [u64]) {
    for number in &mut *run {
        let position = leading.position(*number);
        *number = leading.rest(row.key(position)) << leading.bits | position as u64;
    }
    quick::sort_plain(run);
}

vectorized! {
    /// Whether two neighbours may be out of order.
    fn has_ties[](numbers: &[u64], leading: Leading) -> bool = has_ties_body[]
}

#[inline(always)]
fn has_ties_body(numbers: &[u64], leading: Leading) -> bool {
    let pairs = numbers.iter().zip(&numbers[1..]);
    pairs.fold(false, |any, (one, next)| any | leading.is_same(*one, *next))
}

/// Puts positions in the place of their numbers, the first of which is number `first` of the row, and writes the values,
/// if they are wanted.
fn finish<T: Key>(row: &Row<T>, leading: Leading, first: usize, numbers: &mut [u64]) {
    for number in &mut *numbers {
        *number &= leading.mask();
    }
    if let Some(values) = row.values {
        for (at, number) in numbers.iter().enumerate() {
            // SAFETY: so many values are there, and they are the row's to write.
            unsafe { *values.at((first + at) as isize) = row.value(*number as usize) };
        }
    }
}
