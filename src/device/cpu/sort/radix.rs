//! Radix sort of items.
//!
//! Many items are first dealt by the leading digit of their keys' range into buckets, by all
//! threads; each bucket, small enough for a core's own cache, is then sorted on its own, digit by
//! digit from the lowest. A bucket that is still large is dealt again.

use std::sync::atomic::{AtomicU64, Ordering};

use super::item::Item;
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::{Error, Interrupt};

/// Fewer items are compared rather than dealt.
pub(super) const FEW: usize = 64;
/// Bytes of items that are sorted from the lowest digit: they and their spare fit a core's cache.
pub(super) const IN_CACHE: usize = 512 * 1024;
/// Bits of the leading digit, at most: so many places to write to, the processor's tables of pages
/// and lines can hold.
const LEADING_BITS: u32 = 11;
/// Bits of the other digits, at most.
const DIGIT_BITS: u32 = 11;
/// Items that one thread deals before it looks at the interrupt flag.
pub(super) const DEAL: usize = 256 * 1024;

/// Sorts `items`; `spare` is of the same length.
pub(super) fn sort<I: Item>(
    items: &mut [I],
    spare: &mut [I],
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    sort_to(items, spare, Destination::Items, None, parallel, interrupt)
}

/// Which of its two buffers a sort leaves its result in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    Items,
    Spare,
}

impl Destination {
    fn other(self) -> Destination {
        match self {
            Destination::Items => Destination::Spare,
            Destination::Spare => Destination::Items,
        }
    }
}

/// The keys from `low`, of which `bits` differ.
#[derive(Debug, Clone, Copy)]
struct Span {
    low: u64,
    bits: u32,
}

impl Span {
    fn of<I: Item>(items: &[I], parallel: bool, interrupt: &Interrupt) -> Result<Span, Error> {
        let (low, high) = (AtomicU64::new(u64::MAX), AtomicU64::new(0));
        let piece = if parallel { DEAL } else { items.len() };
        for_pieces(items.len(), piece, interrupt, &|_, range| {
            let (least, greatest) = extremes(&items[range]);
            low.fetch_min(least, Ordering::Relaxed);
            high.fetch_max(greatest, Ordering::Relaxed);
            Ok(())
        })?;
        let (low, high) = (low.into_inner(), high.into_inner());
        Ok(Span { low, bits: u64::BITS - (high - low).leading_zeros() })
    }
}

vectorized! {
    /// The least and the greatest key.
    fn extremes[I: Item](items: &[I]) -> (u64, u64) = extremes_body[I]
}

#[inline(always)]
fn extremes_body<I: Item>(items: &[I]) -> (u64, u64) {
    let (mut low, mut high) = (u64::MAX, 0);
    for item in items {
        low = low.min(item.key());
        high = high.max(item.key());
    }
    (low, high)
}

/// Sorts `items`, whose keys lie within `span` if that is known.
fn sort_to<I: Item>(
    items: &mut [I],
    spare: &mut [I],
    destination: Destination,
    span: Option<Span>,
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if interrupt.is_raised() {
        return Err(Error::Interrupted);
    }
    if items.len() < FEW {
        items.sort_unstable();
        if destination == Destination::Spare {
            spare.copy_from_slice(items);
        }
        return Ok(());
    }
    let span = match span {
        Some(span) => span,
        None => Span::of(items, parallel, interrupt)?,
    };
    let in_cache = size_of_val(items) <= IN_CACHE;
    if span.bits == 0 || in_cache && !parallel {
        return sort_from_lowest(items, spare, span, destination);
    }
    let digit = span.bits.min(LEADING_BITS);
    let ends = deal(items, spare, span.low, span.bits - digit, 1 << digit, parallel, interrupt)?;
    // Buckets that would keep one thread busy while others wait are sorted by all of them.
    let large = items.len() / (2 * rayon::current_num_threads());
    let (mut small, mut start) = (Vec::new(), 0);
    let (mut items, mut spare) = (items, spare);
    let bits = span.bits - digit;
    for (number, end) in ends.into_iter().enumerate() {
        let (bucket, rest) = spare.split_at_mut(end - start);
        let (place, rest_items) = items.split_at_mut(end - start);
        (spare, items, start) = (rest, rest_items, end);
        if bucket.len() > large && parallel && size_of_val(bucket) > IN_CACHE {
            sort_to(bucket, place, destination.other(), None, true, interrupt)?;
        } else if !bucket.is_empty() {
            // A bucket beyond the cache is worth another look at its keys.
            let within = Span { low: span.low + ((number as u64) << bits), bits };
            let known = (size_of_val(bucket) <= IN_CACHE).then_some(within);
            small.push((bucket, place, known));
        }
    }
    let (count, destination) = (small.len(), destination.other());
    let piece = if parallel { 1 } else { count };
    let small = Ptr(small.as_mut_ptr());
    for_pieces(count, piece, interrupt, &|_, numbers| {
        for number in numbers {
            // SAFETY: no two pieces share a bucket.
            let (bucket, place, span) = unsafe { &mut *small.at(number as isize) };
            sort_to(bucket, place, destination, *span, false, interrupt)?;
        }
        Ok(())
    })
}

/// Moves the items to `out`, by the digit of their keys at `shift` and within it in order. Gives
/// where each digit's bucket ends.
fn deal<I: Item>(
    items: &[I],
    out: &mut [I],
    low: u64,
    shift: u32,
    buckets: usize,
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<Vec<usize>, Error> {
    let share = items.len().div_ceil(2 * rayon::current_num_threads());
    let chunk = if parallel { share.clamp(DEAL / 8, DEAL) } else { items.len() };
    let mask = buckets - 1;
    let digit = |item: &I| ((item.key() - low) >> shift) as usize & mask;
    // The counts of the chunks, one after the other.
    let mut counts = vec![0; buckets * items.len().div_ceil(chunk)];
    let shared = Ptr(counts.as_mut_ptr());
    // SAFETY: no two chunks share a count.
    let counts_of = |number: usize| unsafe {
        std::slice::from_raw_parts_mut(shared.at((number * buckets) as isize), buckets)
    };
    for_pieces(items.len(), chunk, interrupt, &|number, range| {
        let counts = counts_of(number);
        for item in &items[range] {
            counts[digit(item)] += 1;
        }
        Ok(())
    })?;
    let (mut ends, mut at) = (Vec::with_capacity(buckets), 0);
    for bucket in 0..buckets {
        for place in counts.iter_mut().skip(bucket).step_by(buckets) {
            at += std::mem::replace(place, at);
        }
        ends.push(at);
    }
    let (shared, out) = (Ptr(counts.as_mut_ptr()), Ptr(out.as_mut_ptr()));
    // SAFETY: as above.
    let places_of = |number: usize| unsafe {
        std::slice::from_raw_parts_mut(shared.at((number * buckets) as isize), buckets)
    };
    for_pieces(items.len(), chunk, interrupt, &|number, range| {
        let places = places_of(number);
        for item in &items[range] {
            let place = &mut places[digit(item)];
            // SAFETY: the places of a chunk and digit begin where those before end, and are as many
            // as were counted there: all of them differ, and their number is that of the items.
            unsafe { *out.at(*place as isize) = *item };
            *place += 1;
        }
        Ok(())
    })?;
    Ok(ends)
}

/// Sorts digit by digit from the lowest.
fn sort_from_lowest<I: Item>(
    items: &mut [I],
    spare: &mut [I],
    span: Span,
    destination: Destination,
) -> Result<(), Error> {
    let (mut from, mut to) = (items, spare);
    let mut at_destination = destination == Destination::Items;
    // Short rows take short digits, whose counts are soon summed.
    let most = if from.len() < 4096 { DIGIT_BITS - 3 } else { DIGIT_BITS };
    let passes = span.bits.div_ceil(most);
    let width = if passes == 0 { 0 } else { span.bits.div_ceil(passes) };
    let mask = (1u64 << width) - 1;
    for pass in 0..passes {
        let digit = |item: I| ((item.key() - span.low) >> (pass * width) & mask) as usize;
        let mut places = [0u32; 1 << DIGIT_BITS];
        let places = &mut places[..1 << width];
        for item in from.iter() {
            places[digit(*item)] += 1;
        }
        let mut at = 0;
        for place in places.iter_mut() {
            at += std::mem::replace(place, at);
        }
        for item in from.iter() {
            let place = &mut places[digit(*item)];
            // SAFETY: the places of a digit begin where those of the one before end, and are as
            // many as were counted: none is beyond the items' number, which is that of `to`.
            unsafe { *to.get_unchecked_mut(*place as usize) = *item };
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
        at_destination = !at_destination;
    }
    if !at_destination {
        to.copy_from_slice(from);
    }
    Ok(())
}
