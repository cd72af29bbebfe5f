//! Python's `random`, so that traces are those that PyTorch's allocator was measured with.

/// The Mersenne Twister, seeded with a small whole number as `random.Random(seed)` does it.
pub struct Random {
    state: [u32; 624],
    at: usize,
}

impl Random {
    pub fn new(seed: u32) -> Random {
        let mut state = [0u32; 624];
        state[0] = 19_650_218;
        for at in 1..624 {
            let last = state[at - 1];
            state[at] = 1_812_433_253u32.wrapping_mul(last ^ last >> 30).wrapping_add(at as u32);
        }
        let mut at = 1;
        for _ in 0..624 {
            let last = state[at - 1];
            state[at] =
                (state[at] ^ (last ^ last >> 30).wrapping_mul(1_664_525)).wrapping_add(seed);
            at = next(&mut state, at);
        }
        for _ in 0..623 {
            let last = state[at - 1];
            state[at] = (state[at] ^ (last ^ last >> 30).wrapping_mul(1_566_083_941))
                .wrapping_sub(at as u32);
            at = next(&mut state, at);
        }
        state[0] = 0x8000_0000;
        Random { state, at: 624 }
    }

    fn word(&mut self) -> u32 {
        if self.at == 624 {
            for at in 0..624 {
                let mixed = self.state[at] & 0x8000_0000 | self.state[(at + 1) % 624] & 0x7fff_ffff;
                let odd = if mixed & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[at] = self.state[(at + 397) % 624] ^ mixed >> 1 ^ odd;
            }
            self.at = 0;
        }
        let mut word = self.state[self.at];
        self.at += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// `randrange(n)`.
    pub fn below(&mut self, n: u64) -> u64 {
        let bits = 64 - n.leading_zeros();
        loop {
            let drawn = u64::from(self.word() >> (32 - bits));
            if drawn < n {
                return drawn;
            }
        }
    }

    /// `randrange(low, high)`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low)
    }

    /// `uniform(low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let (high_bits, low_bits) = (f64::from(self.word() >> 5), f64::from(self.word() >> 6));
        low + (high - low) * ((high_bits * 67_108_864.0 + low_bits) / 9_007_199_254_740_992.0)
    }
}

fn next(state: &mut [u32; 624], at: usize) -> usize {
    if at + 1 < 624 {
        return at + 1;
    }
    state[0] = state[623];
    1
}
