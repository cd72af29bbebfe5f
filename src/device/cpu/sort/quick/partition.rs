//! Moving the keys below a pivot in front of the others, eight at a time.

use std::arch::x86_64::_mm_prefetch;
use std::mem::MaybeUninit;

use super::eights::{EIGHT, Eights};

/// Keys that are read at once, before any of them is written back.
pub(super) const BLOCK: usize = 128;
/// Keys between those that are being read and those that are fetched to be read next.
pub(super) const AHEAD: usize = 4 * BLOCK;
/// Bytes that the processor fetches at once.
const LINE: usize = 64;

/// Where the next keys go: those below the pivot from `left` on, the others to before `right`.
/// What lies between is free.
struct Gap<K> {
    left: *mut K,
    right: *mut K,
}

impl<K: Eights> Gap<K> {
    /// Writes eight keys. A whole register is stored at either end, and what is not meant to stay
    /// there is overwritten later.
    ///
    /// # Safety
    /// The processor has AVX-512, the gap belongs to the caller, and each end has room for a
    /// register: all of it if the gap is eight keys long, and otherwise without touching the other.
    #[inline(always)]
    unsafe fn put(&mut self, keys: K::Register, pivot: K::Register) {
        // SAFETY: the caller's promise.
        unsafe {
            let below = K::less(keys, pivot);
            let parted = K::part(below, keys);
            let count = below.count_ones() as usize;
            K::store(self.left, parted);
            K::store(self.right.sub(EIGHT), parted);
            self.left = self.left.add(count);
            self.right = self.right.sub(EIGHT - count);
        }
    }

    /// Writes the first `count` keys, at most eight, and nothing else.
    ///
    /// # Safety
    /// The processor has AVX-512, the gap belongs to the caller and is so long or longer.
    #[inline(always)]
    unsafe fn put_first(&mut self, count: usize, keys: K::Register, pivot: K::Register) {
        let lanes = |count: usize| ((1u32 << count) - 1) as u8;
        // SAFETY: the caller's promise; only the lanes that are written need room.
        unsafe {
            let below = K::less(keys, pivot) & lanes(count);
            let parted = K::part(below, keys);
            let below = below.count_ones() as usize;
            self.right = self.right.sub(count - below);
            K::store_lanes(lanes(below), self.left, parted);
            K::store_lanes(lanes(count) & !lanes(below), self.right.wrapping_sub(below), parted);
            self.left = self.left.add(below);
        }
    }
}

/// Moves the keys that are less than `pivot` to the front, in any order; gives how many.
///
/// Both ends are set aside first. That leaves a gap on either side, which the keys between fill from
/// the outside in: each block is read from the side with the smaller gap, so that after it both
/// gaps could take all of it, whichever way its keys go.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
pub(super) unsafe fn partition<K: Eights>(keys: &mut [K], pivot: K) -> usize {
    let len = keys.len();
    let keys = keys.as_mut_ptr();
    let mut held = [const { MaybeUninit::<K>::uninit() }; 3 * BLOCK];
    let held = held.as_mut_ptr().cast::<K>();
    // SAFETY: the caller's promise. All that is read and written lies in the keys and in `held`,
    // for the reasons that the comments give; a fetch ahead may go beyond, for it is only a hint.
    unsafe {
        let pivot = K::splat(pivot);
        let mut gap = Gap { left: keys, right: keys.add(len) };
        // What is still to be read.
        let (mut from, mut to) = (keys, keys.add(len));
        let mut count = 0;
        if len >= 2 * BLOCK {
            (from, to) = (keys.add(BLOCK), to.sub(BLOCK));
            held.copy_from_nonoverlapping(keys, BLOCK);
            held.add(BLOCK).copy_from_nonoverlapping(to, BLOCK);
            count = 2 * BLOCK;
            while to.offset_from_unsigned(from) >= BLOCK {
                let of_left = from.offset_from_unsigned(gap.left);
                let of_right = gap.right.offset_from_unsigned(to);
                let is_left = of_left <= of_right;
                let block = if is_left { from } else { to.sub(BLOCK) };
                from = from.add(if is_left { BLOCK } else { 0 });
                to = to.sub(if is_left { 0 } else { BLOCK });
                for line in 0..BLOCK * size_of::<K>() / LINE {
                    let ahead = AHEAD + line * (LINE / size_of::<K>());
                    _mm_prefetch::<3>(from.wrapping_add(ahead).cast());
                    _mm_prefetch::<3>(to.wrapping_sub(ahead).cast());
                }
                let mut read = [pivot; BLOCK / EIGHT];
                for (at, read) in read.iter_mut().enumerate() {
                    *read = K::load(block.add(at * EIGHT));
                }
                // The gaps are apart, and each is as long as what is left of this block or longer.
                for read in read {
                    gap.put(read, pivot);
                }
            }
        }
        // Less than a block is left, or less than two were there; `held` has room for three.
        let rest = to.offset_from_unsigned(from);
        held.add(count).copy_from_nonoverlapping(from, rest);
        count += rest;
        // Now there is one gap, as long as what is held. Two registers fit it side by side, or it
        // is filled key by key.
        let mut at = 0;
        while count - at >= 2 * EIGHT {
            gap.put(K::load(held.add(at)), pivot);
            at += EIGHT;
        }
        while at < count {
            let some = (count - at).min(EIGHT);
            let read = K::load_lanes(((1u32 << some) - 1) as u8, held.add(at));
            gap.put_first(some, read, pivot);
            at += some;
        }
        gap.left.offset_from_unsigned(keys)
    }
}
