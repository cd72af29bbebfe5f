//! Segments: what the upstream gives, and how large each should be.

use std::collections::BTreeMap;

use super::block::BlockId;
use super::paging::Piece;
use super::provenance::StatementId;
use super::{ALIGNMENT, SMALL_LIMIT};

/// Segments for small blocks hold this many bytes: enough that a program of scalars and short
/// vectors needs one, little enough that one costs nothing.
pub(super) const SMALL_SEGMENT: usize = 2 << 20;

/// Which pool a block belongs to. Small blocks never share a segment with large ones: a scalar
/// that lives on would pin a gigabyte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeClass {
    Small,
    Large,
}

impl SizeClass {
    #[inline]
    pub fn of(bytes: usize) -> SizeClass {
        if bytes <= SMALL_LIMIT { SizeClass::Small } else { SizeClass::Large }
    }
}

/// How a segment came to be, and so how it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Cut into blocks and kept.
    Pooled,
    /// One block, given back with it.
    Direct,
    /// One block from the upstream's stream-ordered pool.
    Async,
    /// A range of addresses, behind parts of which there are pieces of memory.
    Paged,
}

/// One piece of memory from the upstream.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub address: u64,
    pub bytes: usize,
    /// The block at its beginning.
    pub first: BlockId,
    pub class: SizeClass,
    pub origin: Origin,
    /// The stream it was allocated for, by position.
    pub stream: u16,
    /// The statement that needed it.
    pub statement: StatementId,
    /// Of a paged segment: what stands behind its addresses, by where it begins.
    pub pieces: BTreeMap<u64, (Piece, usize)>,
}

/// The segments, by a number that stays theirs.
#[derive(Debug, Default, Clone)]
pub(super) struct Segments {
    entries: Vec<Option<Segment>>,
    vacant: Vec<u32>,
}

impl Segments {
    pub fn add(&mut self, segment: Segment) -> u32 {
        match self.vacant.pop() {
            Some(at) => {
                self.entries[at as usize] = Some(segment);
                at
            }
            None => {
                self.entries.push(Some(segment));
                self.entries.len() as u32 - 1
            }
        }
    }

    pub fn remove(&mut self, at: u32) -> Option<Segment> {
        let segment = self.entries.get_mut(at as usize)?.take()?;
        self.vacant.push(at);
        Some(segment)
    }

    #[inline]
    pub fn get(&self, at: u32) -> Option<&Segment> {
        self.entries.get(at as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, at: u32) -> Option<&mut Segment> {
        self.entries.get_mut(at as usize)?.as_mut()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Segment)> {
        (0..).zip(&self.entries).filter_map(|(at, segment)| Some((at, segment.as_ref()?)))
    }
}

/// `bytes` up to a whole number of alignment units; none beyond what a number can hold.
#[inline]
pub(super) fn round_size(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(ALIGNMENT)
}

/// How much to ask the upstream for, to serve a request for `bytes`: the request itself in whole
/// granules. Larger segments would be reserved memory that perhaps nobody ever asks for; that is
/// what makes other allocators hold five times what they hand out.
pub(super) fn segment_size(bytes: usize, granularity: usize, least: usize) -> Option<usize> {
    match SizeClass::of(bytes) {
        SizeClass::Small => Some(SMALL_SEGMENT),
        SizeClass::Large => bytes.max(least).checked_next_multiple_of(granularity.max(ALIGNMENT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_fit_their_requests() {
        const MIB: usize = 1 << 20;
        assert_eq!(segment_size(512, 2 * MIB, 0), Some(2 * MIB));
        assert_eq!(segment_size(4 * MIB, 2 * MIB, 0), Some(4 * MIB));
        assert_eq!(segment_size(4 * MIB + 512, 2 * MIB, 0), Some(6 * MIB));
        assert_eq!(segment_size(4 * MIB, 2 * MIB, 64 * MIB), Some(64 * MIB));
        assert_eq!(segment_size(usize::MAX - 511, 2 * MIB, 0), None);
        assert_eq!(round_size(usize::MAX), None);
        assert_eq!(round_size(513), Some(1024));
    }
}
