use std::ops::Range;

use super::*;
use crate::device::cpu::trials::Dice;

/// Bare keys as a test sees them.
trait Trial: Bare + std::fmt::Debug {
    fn of(word: u64) -> Self;
}

impl Trial for u32 {
    fn of(word: u64) -> u32 {
        word as u32
    }
}

impl Trial for u64 {
    fn of(word: u64) -> u64 {
        word
    }
}

/// A row that is its keys, and takes them back where they stay.
struct Plain<'a, K>(&'a [K]);

impl<K: Trial> Row<K> for Plain<'_, K> {
    fn make(&self, range: Range<usize>, keys: &mut [K]) {
        keys.copy_from_slice(&self.0[range]);
    }

    fn finish(&self, first: usize, keys: &mut [K]) {
        assert!(first + keys.len() <= self.0.len());
    }
}

fn check_sort<K: Trial>(keys: &[K]) {
    let mut expected = keys.to_vec();
    expected.sort_unstable();
    for parallel in [false, true] {
        let mut place = vec![K::default(); keys.len()];
        sort(&Plain(keys), &mut place, parallel, &Interrupt::default()).expect("not interrupted");
        assert!(place == expected, "{} keys, parallel: {parallel}", keys.len());
    }
    for budget in [0, 1, 3] {
        let mut place = keys.to_vec();
        sort_alone(&mut place, budget);
        assert!(place == expected, "{} keys, {budget} divisions", keys.len());
    }
}

/// Orders that sorts have been known to dislike, of `len` keys.
fn patterns(len: usize, dice: &mut Dice) -> Vec<Vec<u64>> {
    let count = len as u64;
    let of = |key: &mut dyn FnMut(u64) -> u64| (0..count).map(key).collect::<Vec<u64>>();
    let scale = u64::MAX / count.max(1);
    let mut all = vec![
        of(&mut |_| 7),
        of(&mut |_| u64::MAX),
        of(&mut |at| at * scale),
        of(&mut |at| (count - at) * scale),
        of(&mut |at| at.min(count - at) * scale),
        of(&mut |at| at % 17),
        of(&mut |at| (at % 64) * scale),
        of(&mut |_| dice.word()),
        of(&mut |_| dice.word() % 2),
        of(&mut |_| [0, u64::MAX][dice.below(2)]),
        of(&mut |_| dice.word() % 100),
        of(&mut |at| if dice.below(50) == 0 { dice.word() } else { at }),
        of(&mut |_| if dice.below(3) == 0 { dice.word() } else { 5 }),
    ];
    // The keys that the first pivot is chosen among are the least.
    let step = (len / 32).max(1);
    all.push(of(&mut |at| if at as usize % step == step / 2 { at } else { u64::MAX - at * 3 }));
    all
}

fn check_patterns<K: Trial>(len: usize) {
    let mut dice = Dice(len as u64);
    for pattern in patterns(len, &mut dice) {
        // The upper bits count for narrow keys too.
        let keys: Vec<K> = pattern.iter().map(|key| K::of(key ^ key >> 32)).collect();
        check_sort(&keys);
    }
}

#[test]
fn every_pattern_at_every_border() {
    if !Level::Avx512.is_available() {
        return;
    }
    let few = 0..140;
    let borders = [255, 256, 257, 383, 384, 385, 511, 640, 1_023, 1_024, 4_096, 5_000, 20_000];
    let long = [SHARED - 1, SHARED, SHARED + 1, 3 * SHARED + 77];
    for len in few.chain(borders).chain(long) {
        check_patterns::<u32>(len);
        check_patterns::<u64>(len);
    }
}

/// A network that sorts all zeros and ones sorts everything (Knuth, volume 3, 5.3.4).
fn check_zeros_and_ones<K: Trial, const R: usize, const FULL: usize>() {
    let len = R * K::LANES;
    let mut dice = Dice(R as u64);
    let words: Vec<[u64; 4]> = if len <= 16 {
        (0..1 << len).map(|bits| [bits, 0, 0, 0]).collect()
    } else {
        // Few ones, few zeros, and anything between.
        let mut word = |at: usize| match at % 3 {
            0 => dice.word() & dice.word() & dice.word(),
            1 => dice.word(),
            _ => dice.word() | dice.word() | dice.word(),
        };
        (0..20_000).map(|at| std::array::from_fn(|_| word(at))).collect()
    };
    for words in words {
        let bit = |at: usize| words[at / 64] >> (at % 64) & 1;
        let mut keys: Vec<K> = (0..len).map(|at| K::of(bit(at))).collect();
        let ones = (0..len).map(bit).sum::<u64>() as usize;
        with_avx512! {
            unsafe fn run<K: Trial, const R: usize, const FULL: usize>(keys: &mut [K]) {
                // SAFETY: the caller has asked for AVX-512.
                unsafe { network::sort::<K, R, FULL, R>(keys) }
            }
        }
        // SAFETY: the test has asked for AVX-512.
        unsafe { run::<K, R, FULL>(&mut keys) };
        let sorted = (0..len).map(|at| K::of(u64::from(at >= len - ones)));
        assert!(sorted.eq(keys.iter().copied()), "{R} registers, {words:x?}: {keys:?}");
    }
}

#[test]
fn networks_sort_zeros_and_ones() {
    if !Level::Avx512.is_available() {
        return;
    }
    check_zeros_and_ones::<u32, 2, 0>();
    check_zeros_and_ones::<u32, 4, 2>();
    check_zeros_and_ones::<u32, 8, 4>();
    check_zeros_and_ones::<u32, 16, 8>();
    check_zeros_and_ones::<u64, 2, 1>();
    check_zeros_and_ones::<u64, 4, 2>();
    check_zeros_and_ones::<u64, 8, 4>();
    check_zeros_and_ones::<u64, 16, 8>();
}

fn check_partition<K: Trial>(len: usize, dice: &mut Dice) {
    let keys: Vec<K> = (0..len).map(|_| K::of(dice.word() % 1_000)).collect();
    for pivot in [0, 1, 10, 500, 999, 1_000] {
        let pivot = K::of(pivot);
        // Keys on either side must stay as they are.
        let mut fenced = vec![K::of(3_000); len + 16];
        fenced[8..8 + len].copy_from_slice(&keys);
        // SAFETY: the test has asked for AVX-512.
        let below = unsafe { partition_wide(&mut fenced[8..8 + len], pivot) };
        let parted = &fenced[8..8 + len];
        assert!(parted[..below].iter().all(|key| *key < pivot), "{len}");
        assert!(parted[below..].iter().all(|key| *key >= pivot), "{len}");
        let (mut before, mut after) = (keys.clone(), parted.to_vec());
        before.sort_unstable();
        after.sort_unstable();
        assert_eq!(before, after, "{len}");
        let fences = fenced[..8].iter().chain(&fenced[8 + len..]);
        assert!(fences.copied().all(|key| key == K::of(3_000)), "{len}");
    }
}

#[test]
fn a_partition_keeps_all_keys_and_touches_no_others() {
    if !Level::Avx512.is_available() {
        return;
    }
    let mut dice = Dice(5);
    for len in (0..700).chain([1_000, 1_023, 1_024, 1_025, 5_000]) {
        check_partition::<u32>(len, &mut dice);
        check_partition::<u64>(len, &mut dice);
    }
}

#[test]
fn an_interrupt_stops_it() {
    if !Level::Avx512.is_available() {
        return;
    }
    let keys: Vec<u32> = (0..3 * SHARED as u32).rev().collect();
    let flag = Interrupt::default();
    flag.raise();
    for parallel in [false, true] {
        let mut place = keys.clone();
        let stopped = sort(&Plain(&keys), &mut place, parallel, &flag);
        assert_eq!(stopped, Err(Error::Interrupted));
    }
}
