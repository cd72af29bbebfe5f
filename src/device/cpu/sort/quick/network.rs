//! Sorting a handful of registers without looking at what they hold.
//!
//! A key's place among `R · LANES` has bits: some of them say in which register it is, the others in
//! which lane. Keys whose places differ in a bit of the register's number are compared by one
//! instruction for a whole row of lanes; so each step of the network first brings the bit that it
//! compares into the registers' numbers, in exchange for the one that is not needed for longest.
//!
//! First every lane is sorted by itself, down the registers (Batcher's odd-even merge sort, 1968).
//! Then sorted runs are merged in pairs (his bitonic merge): level *k* brings in the bit that tells
//! the two runs apart, turns the upper run round, compares by all bits that the registers then have,
//! and brings in the other *k* bits of the runs one after the other, each in the place of the bit
//! before it.

use super::lanes::{Lanes, Register};

/// Sorts keys that fill `FULL` registers and take at most `USED`, in a network of `R`.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
pub(super) unsafe fn sort<K: Lanes, const R: usize, const FULL: usize, const USED: usize>(
    keys: &mut [K],
) {
    debug_assert!(FULL * K::LANES <= keys.len() && keys.len() <= USED * K::LANES);
    let homes = const { homes::<K, R>() };
    let len = keys.len();
    let keys = keys.as_mut_ptr();
    let count = |at: usize| len.saturating_sub(at * K::LANES).min(K::LANES);
    // SAFETY: the caller's promise; beyond the keys no lane is read or written.
    unsafe {
        let max = K::splat(K::MAX);
        let mut v = [max; R];
        for (at, register) in v.iter_mut().enumerate().take(USED) {
            *register = if at < FULL {
                K::load(keys.add(at * K::LANES))
            } else {
                K::load_first(count(at), keys.wrapping_add(at * K::LANES), max)
            };
        }
        sort_registers::<K, R>(&mut v);
        for at in 0..FULL {
            K::store(keys.add(at * K::LANES), v[homes[at]]);
        }
        for at in FULL..USED {
            K::store_first(count(at), keys.wrapping_add(at * K::LANES), v[homes[at]]);
        }
    }
}

/// Sorts every lane by itself, of as many registers as fill `columns`, at most `R`.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
pub(super) unsafe fn sort_lanes<K: Lanes, const R: usize>(columns: &mut [K]) {
    let used = columns.len() / K::LANES;
    let columns = columns.as_mut_ptr();
    // SAFETY: the caller's promise; registers lie within the columns.
    unsafe {
        let mut v = [K::splat(K::MAX); R];
        for (at, register) in v.iter_mut().enumerate() {
            if at < used {
                *register = K::load(columns.add(at * K::LANES));
            }
        }
        match R {
            2 => columns_2::<K, R>(&mut v, 0),
            4 => columns_4::<K, R>(&mut v, 0),
            8 => columns_8::<K, R>(&mut v, 0),
            _ => columns_16::<K, R>(&mut v),
        }
        for (at, register) in v.into_iter().enumerate() {
            if at < used {
                K::store(columns.add(at * K::LANES), register);
            }
        }
    }
}

/// Which register holds the keys of each row of places after [`sort_registers`].
const fn homes<K: Lanes, const R: usize>() -> [usize; R] {
    let bits = R.trailing_zeros() as usize;
    let mut homes = [0; R];
    let mut at = 0;
    while at < R * bits {
        let (register, bit) = (at / bits, at % bits);
        homes[register] |= (register >> bit & 1) << ((K::LANE_BITS + bit) % bits);
        at += 1;
    }
    homes
}

/// Sorts so that every key's place is the one that its number says: the lane and, but for what
/// [`homes`] undoes, the register.
///
/// # Safety
/// The processor has AVX-512; so for all functions below.
#[inline(always)]
unsafe fn sort_registers<K: Lanes, const R: usize>(v: &mut [Register; R]) {
    // SAFETY: the caller's promise.
    unsafe {
        match R {
            2 => columns_2::<K, R>(v, 0),
            4 => columns_4::<K, R>(v, 0),
            8 => columns_8::<K, R>(v, 0),
            _ => columns_16::<K, R>(v),
        }
        level::<K, R>(v, 1);
        level::<K, R>(v, 2);
        level::<K, R>(v, 3);
        if K::LANE_BITS == 4 {
            level::<K, R>(v, 4);
        }
        exchange::<K, R>(v, K::LANE_BITS % R.trailing_zeros() as usize, 0);
    }
}

/// Which bit of the lanes' numbers is the `nth` to be taken into those of the registers. In this
/// order they come to rest where they should.
#[inline(always)]
fn lane_bit<K: Lanes>(nth: usize) -> usize {
    if nth == 0 { 0 } else { K::LANE_BITS - nth }
}

/// Merges pairs of runs: the `level`-th time.
#[inline(always)]
unsafe fn level<K: Lanes, const R: usize>(v: &mut [Register; R], level: usize) {
    let bits = R.trailing_zeros() as usize;
    let (upper, slot) = ((level - 1) % bits, level % bits);
    // SAFETY: the caller's promise.
    unsafe {
        exchange::<K, R>(v, upper, lane_bit::<K>(level - 1));
        let lanes = (0..level).fold(0, |lanes, nth| lanes | 1 << lane_bit::<K>(nth));
        turn::<K, R>(v, upper, lanes);
        for step in 0..bits {
            compare::<K, R>(v, (upper + bits - step) % bits);
        }
        for nth in 0..level {
            exchange::<K, R>(v, slot, lane_bit::<K>(nth));
            compare::<K, R>(v, slot);
        }
    }
}

/// Exchanges a bit of the register numbers with a bit of the lane numbers.
#[inline(always)]
unsafe fn exchange<K: Lanes, const R: usize>(v: &mut [Register; R], bit: usize, lane_bit: usize) {
    for at in 0..R {
        if at >> bit & 1 == 0 {
            let other = at | 1 << bit;
            // SAFETY: the caller's promise.
            (v[at], v[other]) = unsafe { K::exchange(lane_bit, v[at], v[other]) };
        }
    }
}

/// Reverses the order in the upper half by `bit`: of the registers, and of the lanes in all `lanes`
/// bits.
#[inline(always)]
unsafe fn turn<K: Lanes, const R: usize>(v: &mut [Register; R], bit: usize, lanes: usize) {
    let old = *v;
    for (at, register) in v.iter_mut().enumerate() {
        if at >> bit & 1 == 1 {
            let mirrored = (R - 1 - at) | 1 << bit;
            // SAFETY: the caller's promise.
            *register = unsafe { K::mirror(lanes, old[mirrored]) };
        }
    }
}

/// Puts the lesser key where `bit` of the register's number is zero.
#[inline(always)]
unsafe fn compare<K: Lanes, const R: usize>(v: &mut [Register; R], bit: usize) {
    for at in 0..R {
        if at >> bit & 1 == 0 {
            // SAFETY: the caller's promise.
            unsafe { order::<K, R>(v, at, at | 1 << bit) };
        }
    }
}

#[inline(always)]
unsafe fn order<K: Lanes, const R: usize>(v: &mut [Register; R], low: usize, high: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        (v[low], v[high]) = (K::lesser(v[low], v[high]), K::greater(v[low], v[high]));
    }
}

/// Orders pairs of registers, counted from `$at`.
macro_rules! order_pairs {
    ($v:ident, $at:expr; $($low:literal $high:literal),*) => {
        // SAFETY: the caller's promise.
        unsafe { $(order::<K, R>($v, $at + $low, $at + $high);)* }
    };
}

// `columns_n` sorts every lane of the `n` registers from `at` on.

#[inline(always)]
unsafe fn columns_2<K: Lanes, const R: usize>(v: &mut [Register; R], at: usize) {
    order_pairs!(v, at; 0 1);
}

#[inline(always)]
unsafe fn columns_4<K: Lanes, const R: usize>(v: &mut [Register; R], at: usize) {
    order_pairs!(v, at; 0 1, 2 3, 0 2, 1 3, 1 2);
}

#[inline(always)]
unsafe fn columns_8<K: Lanes, const R: usize>(v: &mut [Register; R], at: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        columns_4::<K, R>(v, at);
        columns_4::<K, R>(v, at + 4);
    }
    order_pairs!(v, at; 0 4, 1 5, 2 6, 3 7, 2 4, 3 5, 1 2, 3 4, 5 6);
}

#[inline(always)]
unsafe fn columns_16<K: Lanes, const R: usize>(v: &mut [Register; R]) {
    // SAFETY: the caller's promise.
    unsafe {
        columns_8::<K, R>(v, 0);
        columns_8::<K, R>(v, 8);
    }
    order_pairs!(v, 0; 0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15);
    order_pairs!(v, 0; 4 8, 5 9, 6 10, 7 11);
    order_pairs!(v, 0; 2 4, 3 5, 6 8, 7 9, 10 12, 11 13);
    order_pairs!(v, 0; 1 2, 3 4, 5 6, 7 8, 9 10, 11 12, 13 14);
}
