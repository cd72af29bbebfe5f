//! Short rows, many at a time, by wide registers. What a row costs besides its keys is shared: keys of as many rows as
//! stay in the nearest cache are made at once, and elements are made of them at once.
//!
//! Of the shortest, each lane of a register is a row, and one network sorts them all: it needs no more comparisons than
//! a row has, while a network within registers pays for two registers of keys.

use std::ops::Range;

use super::item::{Item, Items, Packed};
use super::quick::{self, Bare, COLUMN, TOGETHER};
use super::row::Row;
use super::{Job, SHORT};
use crate::device::Error;
use crate::device::cpu::dispatch::with_avx512;
use crate::device::cpu::elements::for_pieces;

const _: () = assert!(SHORT <= quick::few::<u64>() && SHORT <= TOGETHER);

/// Keys of a kind, with positions or without.
trait Kept: Bare {
    fn items(keys: &mut [Self], has_indices: bool) -> Items<'_>;
    /// Whether it is this key, but for bits of a position.
    fn is(self, key: u64, bits: u32) -> bool;
    /// Counts the position in a row from the row's own begin.
    fn counted(self, from: usize) -> Self;
}

impl Kept for u32 {
    fn items(keys: &mut [u32], _: bool) -> Items<'_> {
        u32::any(keys)
    }

    #[inline(always)]
    fn is(self, key: u64, _: u32) -> bool {
        self == key as u32
    }

    #[inline(always)]
    fn counted(self, from: usize) -> u32 {
        self - from as u32
    }
}

impl Kept for u64 {
    fn items(keys: &mut [u64], has_indices: bool) -> Items<'_> {
        if has_indices { Packed::any(Packed::of_bits(keys)) } else { u64::any(keys) }
    }

    #[inline(always)]
    fn is(self, key: u64, bits: u32) -> bool {
        self >> bits == key
    }

    #[inline(always)]
    fn counted(self, from: usize) -> u64 {
        self - from as u64
    }
}

impl Job<'_> {
    /// Sorts all rows, which have at most [`SHORT`] elements.
    pub(super) fn run_short(&self) -> Result<(), Error> {
        quick::demand();
        let has_indices = self.first.indices.is_some();
        for_pieces(self.rows(), self.piece(), self.interrupt, &|_, numbers| {
            match (self.size == 8, has_indices) {
                (true, true) => return self.sort_leading(numbers),
                (false, false) => self.sort_short::<u32>(numbers),
                _ => self.sort_short::<u64>(numbers),
            }
            Ok(())
        })
    }

    /// Rows that are sorted at once: of lanes that are all taken, where there are so many.
    fn together<K: Kept>(&self) -> usize {
        match TOGETHER / self.first.len {
            rows if rows < K::LANES => rows,
            rows => rows - rows % K::LANES,
        }
    }

    /// Sorts keys of 64 bits with their positions.
    fn sort_leading(&self, numbers: Range<usize>) -> Result<(), Error> {
        let len = self.first.len;
        let together = self.together::<u64>();
        let mut near = [0; TOGETHER];
        let mut leadings = Vec::with_capacity(together);
        for first in numbers.clone().step_by(together) {
            let rows = together.min(numbers.end - first);
            let near = &mut near[..rows * len];
            leadings.clear();
            for (at, row) in near.chunks_exact_mut(len).enumerate() {
                leadings.push(self.typed.lead(&self.row(first + at), row));
            }
            // SAFETY: `run_short` has asked for the registers.
            unsafe { sort_wide(near, (len, 0), None) };
            for (at, row) in near.chunks_exact_mut(len).enumerate() {
                self.typed.place(&self.row(first + at), leadings[at], row, self.interrupt)?;
            }
        }
        Ok(())
    }

    /// Whether rows lie one behind the other.
    fn is_dense(&self) -> bool {
        let mut expected = self.first.len as isize;
        let mut axes = self.dims.iter().zip(self.strides).rev();
        (self.first.step == 1 || self.first.len == 1)
            && axes.all(|(extent, stride)| {
                let is_good = *extent == 1 || *stride == expected;
                expected *= *extent as isize;
                is_good
            })
    }

    fn sort_short<K: Kept>(&self, numbers: Range<usize>) {
        let (len, has_indices) = (self.first.len, self.first.indices.is_some());
        let together = self.together::<K>();
        let is_dense = self.is_dense();
        // Keys without positions tell the zeros apart, and are in order unless a negative one is among them.
        let zero =
            self.typed.zero(self.first.order).map(|zero| match self.first.order.descending {
                _ if has_indices => (zero, 32),
                false => (zero - 1, 0),
                true => (zero + 1, 0),
            });
        let mut near = [K::default(); TOGETHER];
        for first in numbers.clone().step_by(together) {
            let rows = together.min(numbers.end - first);
            let all = Row { len: rows * len, step: 1, ..self.row(first) };
            let keys = &mut near[..rows * len];
            if is_dense {
                self.typed.make(&all, 0..rows * len, K::items(keys, has_indices));
            } else {
                for (at, keys) in keys.chunks_exact_mut(len).enumerate() {
                    let items = K::items(keys, has_indices);
                    self.typed.make(&self.row(first + at), 0..len, items);
                }
            }
            let counted = if is_dense && has_indices { len } else { 0 };
            // SAFETY: `run_short` has asked for the registers.
            let has_zeros = unsafe { sort_wide(keys, (len, counted), zero) };
            self.typed.write(&all, 0, K::items(keys, has_indices));
            if has_zeros && self.first.values.is_some() {
                (first..first + rows).for_each(|at| self.typed.order_zeros(&self.row(at)));
            }
        }
    }
}

with_avx512! {
    /// Sorts rows of `len` keys, whose positions count on from row to row by `counted`. Says whether a key is this one,
    /// but for so many bits.
    fn sort_wide<K: Kept>(
        keys: &mut [K],
        (len, counted): (usize, usize),
        zero: Option<(u64, u32)>,
    ) -> bool {
        let has_zeros = zero.is_some_and(|(zero, bits)| {
            keys.iter().fold(false, |any, key| any | key.is(zero, bits))
        });
        if len <= COLUMN {
            sort_columns(keys, (len, counted));
        } else {
            for (row, keys) in keys.chunks_exact_mut(len).enumerate() {
                // SAFETY: the processor has the registers, or nobody comes here.
                unsafe { quick::sort_few(keys) };
                if counted > 0 {
                    keys.iter_mut().for_each(|key| *key = key.counted(row * counted));
                }
            }
        }
        has_zeros
    }
}

with_avx512! {
    /// The same where each row is a lane.
    #[inline]
    fn sort_columns<K: Kept>(keys: &mut [K], (len, counted): (usize, usize)) {
        let mut columns = [K::default(); TOGETHER];
        let lane = |row: usize| row / K::LANES * K::LANES * len + row % K::LANES;
        for (row, keys) in keys.chunks_exact(len).enumerate() {
            for (at, key) in keys.iter().enumerate() {
                columns[lane(row) + at * K::LANES] = *key;
            }
        }
        let rows = keys.len() / len;
        for group in columns[..rows.next_multiple_of(K::LANES) * len].chunks_exact_mut(len * K::LANES) {
            // SAFETY: as above.
            unsafe { quick::sort_lanes(group) };
        }
        for (row, keys) in keys.chunks_exact_mut(len).enumerate() {
            for (at, key) in keys.iter_mut().enumerate() {
                *key = columns[lane(row) + at * K::LANES].counted(row * counted);
            }
        }
    }
}
