//! MT19937, seeded and read as CPython does.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::interp::shared::Contents;
use crate::interp::value::Value;

const LEN: usize = 624;
const SHIFT: usize = 397;

/// A stream of random numbers.
#[derive(Clone)]
pub struct Twister {
    words: Box<[u32; LEN]>,
    /// The next word that is given out.
    at: usize,
    /// The second of two normal numbers that were made together.
    pub next_gauss: Option<f64>,
}

impl Twister {
    pub fn new(seed: u64) -> Twister {
        let low = seed as u32;
        let high = (seed >> 32) as u32;
        if high == 0 { Twister::from_key(&[low]) } else { Twister::from_key(&[low, high]) }
    }

    /// The stream of bytes, those of a text too: they and their hash are one large number.
    pub fn of_bytes(given: &[u8]) -> Twister {
        let mut bytes = given.to_vec();
        bytes.extend_from_slice(&super::sha512::sha512(given));
        let mut key: Vec<u32> = bytes
            .rchunks(4)
            .map(|part| part.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
            .collect();
        while key.len() > 1 && key.last() == Some(&0) {
            key.pop();
        }
        Twister::from_key(&key)
    }

    /// A stream that nobody can foretell.
    pub fn from_entropy() -> Twister {
        let key: Vec<u32> =
            (0..8).map(|_| RandomState::new().build_hasher().finish() as u32).collect();
        Twister::from_key(&key)
    }

    fn from_key(key: &[u32]) -> Twister {
        let mut words = Box::new([0u32; LEN]);
        words[0] = 19_650_218;
        for i in 1..LEN {
            let before = words[i - 1];
            words[i] = 1_812_433_253u32.wrapping_mul(before ^ before >> 30).wrapping_add(i as u32);
        }
        let (mut i, mut j) = (1, 0);
        let mix = |words: &mut [u32; LEN], i: usize, factor: u32| {
            let before = words[i - 1];
            words[i] ^ (before ^ before >> 30).wrapping_mul(factor)
        };
        for _ in 0..LEN.max(key.len()) {
            let mixed = mix(&mut words, i, 1_664_525);
            words[i] = mixed.wrapping_add(key[j]).wrapping_add(j as u32);
            (i, j) = (i + 1, (j + 1) % key.len());
            if i == LEN {
                words[0] = words[LEN - 1];
                i = 1;
            }
        }
        for _ in 1..LEN {
            words[i] = mix(&mut words, i, 1_566_083_941).wrapping_sub(i as u32);
            i += 1;
            if i == LEN {
                words[0] = words[LEN - 1];
                i = 1;
            }
        }
        words[0] = 1 << 31;
        Twister { words, at: LEN, next_gauss: None }
    }

    /// All words and the place of the next, and the normal number that waits.
    pub fn state(&self) -> (Vec<u32>, Option<f64>) {
        (self.words.iter().copied().chain([self.at as u32]).collect(), self.next_gauss)
    }

    /// `None` for what [`Twister::state`] can't have given.
    pub fn from_state(words: &[u32], next_gauss: Option<f64>) -> Option<Twister> {
        let (at, words) = words.split_last()?;
        let words = Box::new(words.try_into().ok()?);
        let at = usize::try_from(*at).ok().filter(|at| *at <= LEN)?;
        Some(Twister { words, at, next_gauss })
    }

    fn refill(&mut self) {
        for i in 0..LEN {
            let joined = self.words[i] & 1 << 31 | self.words[(i + 1) % LEN] & !(1 << 31);
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + SHIFT) % LEN] ^ joined >> 1 ^ twist;
        }
        self.at = 0;
    }

    fn word(&mut self) -> u32 {
        if self.at == LEN {
            self.refill();
        }
        let mut word = self.words[self.at];
        self.at += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// From 0 up to 1, which is left out, with 53 random bits.
    pub fn float(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// An integer of `count` bits, at most 64.
    pub fn bits(&mut self, count: u32) -> u64 {
        match count {
            0 => 0,
            1..=32 => u64::from(self.word() >> (32 - count)),
            _ => {
                let low = u64::from(self.word());
                low | u64::from(self.word() >> (64 - count)) << 32
            }
        }
    }

    /// An integer below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let count = u64::BITS - limit.leading_zeros();
        loop {
            let drawn = self.bits(count);
            if drawn < limit {
                return drawn;
            }
        }
    }
}

impl Contents for Twister {
    fn visit(&self, _: &mut dyn FnMut(&Value)) {}

    fn bytes(&self) -> usize {
        size_of::<Twister>() + size_of_val(&*self.words)
    }
}

impl std::fmt::Debug for Twister {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twister").field("at", &self.at).finish_non_exhaustive()
    }
}
