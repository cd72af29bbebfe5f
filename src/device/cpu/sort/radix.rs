//! Radix sort of items.
//!
//! Many items are first dealt by the leading digit of their keys' range into buckets, by all
//! threads; each bucket, small enough for a core's own cache, is then sorted on its own, digit by
//! digit from the lowest. A bucket that is still large is dealt again.

use rayon::prelude::*;

use super::item::Item;
use crate::device::cpu::dispatch::vectorized;
use crate::device::cpu::elements::Ptr;
use crate::device::{Error, Interrupt};

/// Fewer items are compared rather than dealt.
const FEW: usize = 64;
/// Bytes of items that are sorted from the lowest digit: they and their spare fit a core's cache.
const IN_CACHE: usize = 512 * 1024;
/// Bits of the leading digit, at most: so many places to write to, the processor's tables of pages
/// and lines can hold.
const LEADING_BITS: u32 = 11;
/// Bits of the other digits, at most.
const DIGIT_BITS: u32 = 11;
/// Items that one thread deals before it looks at the interrupt flag.
const DEAL: usize = 256 * 1024;

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
    fn of<I: Item>(items: &[I], parallel: bool) -> Span {
        let widest = |a: (u64, u64), b: (u64, u64)| (a.0.min(b.0), a.1.max(b.1));
        let (low, high) = if parallel {
            items.par_chunks(DEAL).map(extremes).reduce(|| (u64::MAX, 0), widest)
        } else {
            extremes(items)
        };
        Span { low, bits: u64::BITS - (high - low).leading_zeros() }
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
    let span = span.unwrap_or_else(|| Span::of(items, parallel));
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
        let destination = destination.other();
        if bucket.len() > large && parallel && size_of_val(bucket) > IN_CACHE {
            sort_to(bucket, place, destination, None, true, interrupt)?;
        } else if !bucket.is_empty() {
            // A bucket beyond the cache is worth another look at its keys.
            let within = Span { low: span.low + ((number as u64) << bits), bits };
            let known = (size_of_val(bucket) <= IN_CACHE).then_some(within);
            small.push((bucket, place, destination, known));
        }
    }
    let sort = |(bucket, place, destination, span): (&mut [I], &mut [I], _, _)| {
        sort_to(bucket, place, destination, span, false, interrupt)
    };
    match parallel {
        true => small.into_par_iter().try_for_each(sort),
        false => small.into_iter().try_for_each(sort),
    }
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
    let count = |chunk: &[I]| {
        let mut counts = vec![0; buckets];
        chunk.iter().for_each(|item| counts[digit(item)] += 1);
        counts
    };
    let mut counts: Vec<Vec<usize>> =
        if parallel { items.par_chunks(chunk).map(count).collect() } else { vec![count(items)] };
    let (mut ends, mut at) = (Vec::with_capacity(buckets), 0);
    for bucket in 0..buckets {
        for counts in &mut counts {
            at += std::mem::replace(&mut counts[bucket], at);
        }
        ends.push(at);
    }
    let out = Ptr(out.as_mut_ptr());
    let deal = |(chunk, places): (&[I], &mut Vec<usize>)| {
        if interrupt.is_raised() {
            return Err(Error::Interrupted);
        }
        for item in chunk {
            let place = &mut places[digit(item)];
            // SAFETY: the places of a chunk and digit begin where those before end, and are as many
            // as were counted there: all of them differ, and their number is that of the items.
            unsafe { *out.at(*place as isize) = *item };
            *place += 1;
        }
        Ok(())
    };
    if parallel {
        items.par_chunks(chunk).zip(&mut counts).try_for_each(deal)?;
    } else {
        items.chunks(chunk).zip(&mut counts).try_for_each(deal)?;
    }
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
        from.iter().for_each(|item| places[digit(*item)] += 1);
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
