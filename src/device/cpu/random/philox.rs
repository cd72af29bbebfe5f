//! Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
//! numbers: as easy as 1, 2, 3" (2011): a block of four 32-bit words for every counter and key.

const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
const ROUNDS: usize = 10;

/// Blocks that are made together, one in each lane.
pub(super) const LANES: usize = 16;

/// The words of [`LANES`] blocks: `words[w][lane]` is word `w` of block `lane`.
pub(super) type Words = [[u32; LANES]; 4];

/// Encrypts [`LANES`] counters. Word `w` of the counter of `lane` is `counters[w][lane]`.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "a lane is the same position of eight arrays")]
pub(super) fn encrypt(mut counters: Words, mut key: [u32; 2]) -> Words {
    for _ in 0..ROUNDS {
        let [c0, c1, c2, c3] = counters;
        for lane in 0..LANES {
            let first = u64::from(c0[lane]) * u64::from(MULTIPLIERS[0]);
            let second = u64::from(c2[lane]) * u64::from(MULTIPLIERS[1]);
            counters[0][lane] = (second >> 32) as u32 ^ c1[lane] ^ key[0];
            counters[1][lane] = second as u32;
            counters[2][lane] = (first >> 32) as u32 ^ c3[lane] ^ key[1];
            counters[3][lane] = first as u32;
        }
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    counters
}

/// The blocks `first`, `first + 1`, … of the stream of `seed`: the low half of the counter is the
/// block's number, the high half is zero, and the key is the seed.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "a lane is the same position of two arrays")]
pub(super) fn blocks(seed: u64, first: u64) -> Words {
    let mut counters = [[0; LANES]; 4];
    for lane in 0..LANES {
        let block = first.wrapping_add(lane as u64);
        counters[0][lane] = block as u32;
        counters[1][lane] = (block >> 32) as u32;
    }
    encrypt(counters, [seed as u32, (seed >> 32) as u32])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers that the authors publish with their Random123 library.
    #[test]
    fn gives_the_published_answers() {
        let cases = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([!0; 4], [!0; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (counter, key, expected) in cases {
            let words = encrypt(counter.map(|word| [word; LANES]), key);
            for lane in 0..LANES {
                assert_eq!(words.map(|word| word[lane]), expected);
            }
        }
    }

    #[test]
    fn lanes_are_consecutive_blocks() {
        let seed = 0x1234_5678_9abc_def0;
        let first = u64::from(u32::MAX) - 3;
        let words = blocks(seed, first);
        for lane in 0..LANES as u64 {
            let alone = blocks(seed, first + lane);
            assert_eq!(words.map(|word| word[lane as usize]), alone.map(|word| word[0]));
        }
    }
}
