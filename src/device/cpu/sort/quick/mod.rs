//! Quicksort of bare keys by whole registers, with AVX-512.
//!
//! The idea is Bramas' ("A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512 on Intel
//! Skylake", 2017): a register of keys is compared with the pivot at once, one instruction brings
//! those of either side together, and what fits a few registers is sorted by a network. Keys that
//! are equal are the same, so nothing is lost by not being stable.
//!
//! A long row is dealt in two by all threads, on its way from the input to its place; from there on
//! every part is sorted in place, the two sides of a pivot by different threads as long as they are
//! long. Bad pivots are no danger: a part that was divided too often goes to the standard
//! library's sort.

mod eights;
mod lanes;
mod network;
mod partition;
mod select;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use eights::Eights;
use lanes::Lanes;
pub(super) use select::select;

use crate::device::cpu::dispatch::{Level, with_avx512};
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::{Error, Interrupt};

/// Keys that a network sorts, at most: sixteen registers of them.
pub(super) const fn few<K: Lanes>() -> usize {
    16 * K::LANES
}

/// Registers whose lanes a network sorts, each by itself.
pub(super) const COLUMN: usize = 16;
/// Keys of short rows that are sorted at once: they stay in the nearest cache, and in one page.
pub(super) const TOGETHER: usize = 512;

/// Where a row is dealt in another way; `few` is 128 or more.
#[cfg(test)]
pub const THRESHOLDS: &[usize] =
    &[3 * partition::BLOCK, partition::AHEAD, SAMPLE, DEAL, PIECE, SHARED, COLUMN, TOGETHER];

/// Keys that several threads may sort together.
const SHARED: usize = 128 * 1024;
/// Keys that a thread deals before it looks at the interrupt flag.
const PIECE: usize = 64 * 1024;
/// Keys that are dealt at once: they fit a core's innermost cache.
const DEAL: usize = 4 * 1024;
/// Keys among which the first pivot is chosen.
const SAMPLE: usize = 1024;

/// A key without a position.
pub(super) trait Bare: Lanes + Eights + Ord + Default + Send + Sync + 'static {
    /// The next greater key; the greatest has none.
    fn next(self) -> Option<Self>;
}

impl Bare for u32 {
    fn next(self) -> Option<u32> {
        self.checked_add(1)
    }
}

impl Bare for u64 {
    fn next(self) -> Option<u64> {
        self.checked_add(1)
    }
}

/// Panics unless the processor has AVX-512, on which all functions here rely.
pub(super) fn demand() {
    assert!(Level::Avx512.is_available(), "there are no such registers");
}

/// How the keys of a row are made, and what becomes of them.
pub(super) trait Row<K>: Sync {
    /// Writes the keys of the elements `range`.
    fn make(&self, range: Range<usize>, keys: &mut [K]);

    /// Takes the keys that are sorted, from the one at `first` on; they may be overwritten.
    fn finish(&self, first: usize, keys: &mut [K]);
}

/// Sorts a row whose keys will lie in `place`, on a processor that has AVX-512.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn sort<K: Bare>(
    row: &impl Row<K>,
    place: &mut [K],
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    demand();
    let len = place.len();
    let sorter = Sorter { row, parallel, interrupt };
    let budget = budget(len);
    if !parallel || len < SHARED {
        row.make(0..len, place);
        return sorter.sort(0, place, budget);
    }
    let middle = deal(row, place, interrupt)?;
    let (low, high) = place.split_at_mut(middle);
    sorter.both((0, low), (middle, high), budget)
}

/// Writes all keys of the row to `out`, those below some pivot first; gives how many these are.
fn deal<K: Bare>(row: &impl Row<K>, out: &mut [K], interrupt: &Interrupt) -> Result<usize, Error> {
    let len = out.len();
    let mut sample = [K::default(); SAMPLE];
    for (at, key) in sample.chunks_mut(1).enumerate() {
        let place = at * (len / SAMPLE);
        row.make(place..place + 1, key);
    }
    sample.sort_unstable();
    let pivot = sample[SAMPLE / 2];
    let out = Ptr(out.as_mut_ptr());
    let (left, right) = (AtomicUsize::new(0), AtomicUsize::new(len));
    for_pieces(len, PIECE, interrupt, &|_, range| {
        let mut keys = [K::default(); DEAL];
        for start in range.clone().step_by(DEAL) {
            let count = DEAL.min(range.end - start);
            let keys = &mut keys[..count];
            row.make(start..start + count, keys);
            // SAFETY: `sort` has asked whether the processor has AVX-512.
            let below = unsafe { partition_wide(keys, pivot) };
            let above = count - below;
            let low = left.fetch_add(below, Ordering::Relaxed);
            let high = right.fetch_sub(above, Ordering::Relaxed) - above;
            // SAFETY: what is taken from either end of the output belongs to this thread alone, and
            // both ends together take as many keys as there are.
            unsafe {
                out.at(low as isize).copy_from_nonoverlapping(keys.as_ptr(), below);
                out.at(high as isize).copy_from_nonoverlapping(keys.as_ptr().add(below), above);
            }
        }
        Ok(())
    })?;
    Ok(left.into_inner())
}

/// A part of the row: where it begins, and its keys.
type Part<'k, K> = (usize, &'k mut [K]);

struct Sorter<'a, R> {
    row: &'a R,
    parallel: bool,
    interrupt: &'a Interrupt,
}

impl<R> Sorter<'_, R> {
    fn sort<K: Bare>(&self, first: usize, keys: &mut [K], budget: u32) -> Result<(), Error>
    where
        R: Row<K>,
    {
        if self.interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        if keys.len() < SHARED || budget == 0 {
            sort_alone(keys, budget);
            self.row.finish(first, keys);
            return Ok(());
        }
        let (below, equal) = divide(keys);
        let (low, high) = keys.split_at_mut(below);
        let (equal, high) = high.split_at_mut(equal);
        let start = first + below + equal.len();
        self.row.finish(first + below, equal);
        self.both((first, low), (start, high), budget - 1)
    }

    fn both<K: Bare>(&self, low: Part<'_, K>, high: Part<'_, K>, budget: u32) -> Result<(), Error>
    where
        R: Row<K>,
    {
        let sort = |(first, keys): Part<'_, K>| self.sort(first, keys, budget);
        if self.parallel {
            let (low, high) = rayon::join(|| sort(low), || sort(high));
            low.and(high)
        } else {
            sort(low)?;
            sort(high)
        }
    }
}

/// Sorts keys that nobody else asks about, on a processor that has AVX-512.
pub(super) fn sort_plain<K: Bare>(keys: &mut [K]) {
    demand();
    sort_alone(keys, budget(keys.len()));
}

/// How often keys are divided at the most: twice as often as with good pivots.
fn budget(len: usize) -> u32 {
    2 * (usize::BITS - len.leading_zeros())
}

fn sort_alone<K: Bare>(mut keys: &mut [K], mut budget: u32) {
    while keys.len() > few::<K>() {
        if budget == 0 {
            return keys.sort_unstable();
        }
        budget -= 1;
        let (below, equal) = divide(keys);
        let (low, high) = keys.split_at_mut(below);
        let high = &mut high[equal..];
        let few;
        (few, keys) = if low.len() < high.len() { (low, high) } else { (high, low) };
        sort_alone(few, budget);
    }
    // SAFETY: `sort` has asked whether the processor has AVX-512.
    unsafe { sort_few(keys) };
}

/// Moves the keys below some pivot to the front, and behind them perhaps some that equal it, when
/// there are none below. Gives the number of both; it is never zero.
fn divide<K: Bare>(keys: &mut [K]) -> (usize, usize) {
    let pivot = pivot(keys);
    // SAFETY: `sort` has asked whether the processor has AVX-512.
    let below = unsafe { partition_wide(keys, pivot) };
    if below > 0 {
        return (below, 0);
    }
    let equal = match pivot.next() {
        // SAFETY: as above.
        Some(next) => unsafe { partition_wide(keys, next) },
        None => keys.len(),
    };
    (0, equal)
}

/// The middle one of some keys from all over.
fn pivot<K: Bare>(keys: &[K]) -> K {
    let registers = match keys.len() {
        ..1024 => 2,
        1024..4096 => 4,
        4096..16384 => 8,
        _ => 16,
    };
    let mut sample = [K::default(); 16 * 16];
    let sample = &mut sample[..registers * K::LANES];
    let step = keys.len() / sample.len();
    for (at, key) in sample.iter_mut().enumerate() {
        *key = keys[at * step + step / 2];
    }
    // SAFETY: `sort` has asked whether the processor has AVX-512.
    unsafe { sort_few(sample) };
    sample[sample.len() / 2]
}

with_avx512! {
    /// Sorts a few keys, at most [`few`] of them.
    ///
    /// # Safety
    /// The processor has AVX-512.
    #[inline]
    pub(super) unsafe fn sort_few<K: Bare>(keys: &mut [K]) {
        debug_assert!(keys.len() <= few::<K>());
        // SAFETY: the caller's promise; each network is given what it sorts.
        unsafe {
            match keys.len().div_ceil(K::LANES) {
                0 | 1 => network::sort::<K, 2, 0, 1>(keys),
                2 => network::sort::<K, 2, 1, 2>(keys),
                3..=4 => network::sort::<K, 4, 2, 4>(keys),
                5..=8 => network::sort::<K, 8, 4, 8>(keys),
                _ => network::sort::<K, 16, 8, 16>(keys),
            }
        }
    }
}

with_avx512! {
    /// Sorts every lane of at most [`COLUMN`] registers by itself; the columns are all lanes of the first, then of the
    /// second.
    ///
    /// # Safety
    /// The processor has AVX-512.
    #[inline]
    pub(super) unsafe fn sort_lanes<K: Bare>(columns: &mut [K]) {
        debug_assert!(columns.len() <= COLUMN * K::LANES);
        // SAFETY: the caller's promise.
        unsafe {
            match columns.len() / K::LANES {
                0 | 1 => {}
                2 => network::sort_lanes::<K, 2>(columns),
                3..=4 => network::sort_lanes::<K, 4>(columns),
                5..=8 => network::sort_lanes::<K, 8>(columns),
                _ => network::sort_lanes::<K, 16>(columns),
            }
        }
    }
}

with_avx512! {
    /// [`partition::partition`], compiled for AVX-512.
    ///
    /// # Safety
    /// The processor has AVX-512.
    unsafe fn partition_wide<K: Bare>(keys: &mut [K], pivot: K) -> usize {
        // SAFETY: the caller's promise.
        unsafe { partition::partition(keys, pivot) }
    }
}

#[cfg(test)]
mod tests;
