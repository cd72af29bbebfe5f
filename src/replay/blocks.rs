//! Blocks of the models, and the orders in which free ones are found.

use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};

use super::trace::{Piece, Segment, Site};

/// No block.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub address: u64,
    pub bytes: u64,
    pub stream: u32,
    pub pool: usize,
    pub prev: u32,
    pub next: u32,
    /// Where its segment begins.
    pub base: u64,
    pub is_live: bool,
    pub is_mapped: bool,
    pub is_expandable: bool,
    /// Who was given it.
    pub holder: u32,
    /// The searches of the pool when it came back.
    pub freed_at: u64,
}

impl Block {
    pub fn new(address: u64, bytes: u64, stream: u32, pool: usize) -> Block {
        Block {
            address,
            bytes,
            stream,
            pool,
            prev: NONE,
            next: NONE,
            base: address,
            is_live: false,
            is_mapped: true,
            is_expandable: false,
            holder: 0,
            freed_at: 0,
        }
    }

    /// Whether it is all of its segment.
    pub fn is_whole(&self) -> bool {
        self.prev == NONE && self.next == NONE
    }
}

#[derive(Debug, Default)]
pub(super) struct Blocks {
    entries: Vec<Block>,
    vacant: Vec<u32>,
    /// Numbers of blocks that are there, in address order of their segments' beginnings.
    firsts: BTreeSet<(u64, u32)>,
}

impl Blocks {
    pub fn add(&mut self, block: Block) -> u32 {
        let id = match self.vacant.pop() {
            Some(id) => {
                self.entries[id as usize] = block;
                id
            }
            None => {
                self.entries.push(block);
                self.entries.len() as u32 - 1
            }
        };
        if block.prev == NONE {
            self.firsts.insert((block.address, id));
        }
        id
    }

    /// Forgets a block that is the whole of a segment.
    pub fn remove(&mut self, id: u32) {
        self.firsts.remove(&(self[id].address, id));
        self.vacant.push(id);
    }

    /// Cuts a block after `bytes`; the rest is a free block of the same kind.
    pub fn split(&mut self, id: u32, bytes: u64) -> u32 {
        let whole = self[id];
        let rest = Block {
            address: whole.address + bytes,
            bytes: whole.bytes - bytes,
            prev: id,
            is_live: false,
            ..whole
        };
        let rest = self.add(rest);
        self[id].bytes = bytes;
        self[id].next = rest;
        if whole.next != NONE {
            self[whole.next].prev = rest;
        }
        rest
    }

    /// Makes a block and its neighbour one, which keeps the number of the first named.
    pub fn join(&mut self, id: u32, other: u32) {
        let (this, that) = (self[id], self[other]);
        if that.next == id {
            if that.prev == NONE {
                self.firsts.remove(&(that.address, other));
                self.firsts.insert((that.address, id));
            } else {
                self[that.prev].next = id;
            }
            self[id].address = that.address;
            self[id].prev = that.prev;
        } else {
            self[id].next = that.next;
            if that.next != NONE {
                self[that.next].prev = id;
            }
        }
        self[id].bytes = this.bytes + that.bytes;
        self.vacant.push(other);
    }

    /// The first block of every segment.
    pub fn firsts(&self) -> impl Iterator<Item = u32> + '_ {
        self.firsts.iter().map(|(_, id)| *id)
    }

    /// The blocks from one on, in address order.
    pub fn chain(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |id: u32| (id != NONE).then_some(id);
        std::iter::successors(some(first), move |id| some(self[*id].next))
    }
}

impl Index<u32> for Blocks {
    type Output = Block;

    fn index(&self, id: u32) -> &Block {
        &self.entries[id as usize]
    }
}

impl IndexMut<u32> for Blocks {
    fn index_mut(&mut self, id: u32) -> &mut Block {
        &mut self.entries[id as usize]
    }
}

/// Free blocks of one kind.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// By stream, size and address.
    free: BTreeSet<(u32, u64, u64, u32)>,
    /// By stream and address: ranges of expandable segments without memory.
    unmapped: BTreeSet<(u32, u64, u32)>,
    /// How often a block was looked for: what the age of a free block is measured in.
    pub searches: u64,
}

impl Pool {
    pub fn insert(&mut self, blocks: &Blocks, id: u32) {
        let Block { stream, bytes, address, is_mapped, .. } = blocks[id];
        match is_mapped {
            true => self.free.insert((stream, bytes, address, id)),
            false => self.unmapped.insert((stream, address, id)),
        };
    }

    pub fn remove(&mut self, blocks: &Blocks, id: u32) {
        let Block { stream, bytes, address, is_mapped, .. } = blocks[id];
        match is_mapped {
            true => self.free.remove(&(stream, bytes, address, id)),
            false => self.unmapped.remove(&(stream, address, id)),
        };
    }

    /// The smallest free block of the stream that has so many bytes; of several the lowest.
    pub fn best_fit(&self, stream: u32, bytes: u64) -> Option<u32> {
        self.fits(stream, bytes).next()
    }

    /// Free blocks of the stream that have so many bytes, the smallest first.
    pub fn fits(&self, stream: u32, bytes: u64) -> impl Iterator<Item = u32> + '_ {
        self.free.range((stream, bytes, 0, 0)..(stream + 1, 0, 0, 0)).map(|(.., id)| *id)
    }

    /// Free blocks of the stream that have fewer bytes, the largest first.
    pub fn below(&self, stream: u32, bytes: u64) -> impl Iterator<Item = u32> + '_ {
        self.free.range((stream, 0, 0, 0)..(stream, bytes, 0, 0)).rev().map(|(.., id)| *id)
    }

    /// All free blocks with memory.
    pub fn free(&self) -> impl Iterator<Item = u32> + '_ {
        self.free.iter().map(|(.., id)| *id)
    }

    /// Ranges of the stream without memory, the lowest first.
    pub fn unmapped(&self, stream: u32) -> impl Iterator<Item = u32> + '_ {
        self.unmapped.range((stream, 0, 0)..(stream + 1, 0, 0)).map(|(.., id)| *id)
    }
}

/// The segments: ranges with memory, in address order.
pub(super) fn layout(blocks: &Blocks, site: &dyn Fn(u32) -> Site) -> Vec<Segment> {
    let mut segments = Vec::new();
    for first in blocks.firsts() {
        let mut segment = Segment::default();
        for id in blocks.chain(first) {
            let block = &blocks[id];
            if !block.is_mapped {
                segments.extend(Some(std::mem::take(&mut segment)).filter(|it| it.bytes > 0));
                continue;
            }
            segment.bytes += block.bytes;
            let holder = block.is_live.then(|| site(block.holder));
            segment.blocks.push(Piece { bytes: block.bytes, holder });
        }
        segments.extend(Some(segment).filter(|it| it.bytes > 0));
    }
    segments
}
