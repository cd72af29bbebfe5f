//! Some keys of a row at their sorted places, smaller ones before them and larger ones behind: a quicksort that
//! leaves alone what holds none of the places (Hoare, "Algorithm 65: Find", 1961).

use super::{Bare, Row, SHARED, budget, demand, divide, few, sort_few};
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::{Error, Interrupt};

/// Brings keys to these places, which rise, on a processor that has AVX-512. Where several threads may make keys, one
/// divides them all the same: which of two keys of one side comes first is then the same in every run.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn select<K: Bare>(
    row: &impl Row<K>,
    keys: &mut [K],
    places: &[usize],
    parallel: bool,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    demand();
    let (len, piece) = (keys.len(), if parallel { super::PIECE } else { keys.len() });
    let start = Ptr(keys.as_mut_ptr());
    // SAFETY: no two pieces share a key.
    let piece_of = |range: &std::ops::Range<usize>| unsafe {
        std::slice::from_raw_parts_mut(start.at(range.start as isize), range.len())
    };
    for_pieces(len, piece, interrupt, &|_, range| {
        row.make(range.clone(), piece_of(&range));
        Ok(())
    })?;
    divide_for(0, keys, places, budget(len), interrupt)?;
    for_pieces(len, piece, interrupt, &|_, range| {
        row.finish(range.start, piece_of(&range));
        Ok(())
    })
}

/// Brings keys of a part, which begins at `first`, to those of the places that lie in it.
fn divide_for<K: Bare>(
    mut first: usize,
    mut keys: &mut [K],
    mut places: &[usize],
    mut budget: u32,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    while !places.is_empty() && keys.len() > few::<K>() {
        if keys.len() >= SHARED {
            interrupt.heed()?;
        }
        if budget == 0 {
            keys.sort_unstable();
            return Ok(());
        }
        budget -= 1;
        let (below, equal) = divide(keys);
        let (low, rest) = keys.split_at_mut(below);
        let (of_low, of_rest) = places.split_at(places.partition_point(|at| *at < first + below));
        let behind = first + below + equal;
        let high = &of_rest[of_rest.partition_point(|at| *at < behind)..];
        divide_for(first, low, of_low, budget, interrupt)?;
        (first, keys, places) = (behind, &mut rest[equal..], high);
    }
    if !places.is_empty() {
        // SAFETY: `select` has asked whether the processor has AVX-512.
        unsafe { sort_few(keys) };
    }
    Ok(())
}
