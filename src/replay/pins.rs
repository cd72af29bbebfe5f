//! What keeps free memory in pieces, and who holds what there is.

use rustc_hash::FxHashMap;

use super::trace::{Segment, Site};

/// A segment with free memory that nobody else can have, because something lives in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pinned {
    pub bytes: u64,
    pub free: u64,
    /// The longest free piece.
    pub largest: u64,
    /// What lives in it, by who asked: bytes and blocks, the most first.
    pub by: Vec<(Site, u64, usize)>,
}

/// What is free in segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Free {
    pub bytes: u64,
    /// The longest piece.
    pub largest: u64,
    pub pieces: usize,
    pub segments: usize,
}

/// How long each free piece is.
fn pieces(segment: &Segment) -> Vec<u64> {
    let (mut found, mut piece) = (Vec::new(), 0);
    for block in &segment.blocks {
        match block.holder {
            None => piece += block.bytes,
            Some(_) => found.extend(Some(std::mem::take(&mut piece)).filter(|bytes| *bytes > 0)),
        }
    }
    found.extend(Some(piece).filter(|bytes| *bytes > 0));
    found
}

/// What is free in all of them.
pub fn free(segments: &[Segment]) -> Free {
    let mut free = Free::default();
    for segment in segments {
        let pieces = pieces(segment);
        free.bytes += pieces.iter().sum::<u64>();
        free.largest = pieces.iter().copied().fold(free.largest, u64::max);
        free.pieces += pieces.len();
        free.segments += usize::from(!pieces.is_empty());
    }
    free
}

/// Segments that are neither full nor empty, those with most free memory first.
pub fn pinned(segments: &[Segment]) -> Vec<Pinned> {
    let pinned = segments.iter().filter_map(|segment| {
        let pieces = pieces(segment);
        let is_held = segment.blocks.iter().any(|block| block.holder.is_some());
        (is_held && !pieces.is_empty()).then(|| Pinned {
            bytes: segment.bytes,
            free: pieces.iter().sum(),
            largest: pieces.iter().copied().max().unwrap_or(0),
            by: held_by(std::slice::from_ref(segment)),
        })
    });
    let mut pinned: Vec<Pinned> = pinned.collect();
    pinned.sort_by_key(|segment| std::cmp::Reverse(segment.free));
    pinned
}

/// Bytes and blocks by who asked for them, the most first.
pub fn held_by(segments: &[Segment]) -> Vec<(Site, u64, usize)> {
    let mut held: FxHashMap<Site, (u64, usize)> = FxHashMap::default();
    for block in segments.iter().flat_map(|segment| &segment.blocks) {
        if let Some(site) = block.holder {
            let (bytes, count) = held.entry(site).or_default();
            *bytes += block.bytes;
            *count += 1;
        }
    }
    let mut held: Vec<_> = held.into_iter().map(|(site, (b, count))| (site, b, count)).collect();
    held.sort_by_key(|(site, bytes, _)| (std::cmp::Reverse(*bytes), *site));
    held
}
