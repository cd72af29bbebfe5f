//! Which rows of a column have a value.

/// A bit for each row, the first in the lowest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Valid {
    words: Vec<u64>,
    rows: usize,
}

fn low(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

impl Valid {
    /// For so many rows that are still to come.
    pub fn with_capacity(rows: usize) -> Valid {
        Valid { words: Vec::with_capacity(rows.div_ceil(64)), rows: 0 }
    }

    /// Bits of `bytes` from one on; those beyond the bytes are zero.
    pub fn of_bits(bytes: &[u8], first: usize, rows: usize) -> Valid {
        let mut valid = Valid::with_capacity(rows);
        valid.put_bits(bytes, first, rows);
        valid
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many have a value.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many of the first so many rows have one.
    pub fn count_before(&self, row: usize) -> usize {
        let (whole, rest) = (row / 64, row % 64);
        let words = self.words[..whole].iter().map(|word| word.count_ones() as usize);
        words.sum::<usize>() + (self.bits(whole * 64) & low(rest)).count_ones() as usize
    }

    pub fn get(&self, row: usize) -> bool {
        self.bits(row) & 1 == 1
    }

    /// Those of 64 rows from one on, as far as there are any.
    pub fn bits(&self, row: usize) -> u64 {
        let (at, shift) = (row / 64, row % 64);
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        if shift == 0 { word(at) } else { word(at) >> shift | word(at + 1) << (64 - shift) }
    }

    /// Puts at most 64 rows behind the others.
    fn put(&mut self, bits: u64, count: usize) {
        let (bits, shift) = (bits & low(count), self.rows % 64);
        match self.words.last_mut().filter(|_| shift > 0) {
            None if count > 0 => self.words.push(bits),
            None => {}
            Some(last) => {
                *last |= bits << shift;
                if shift + count > 64 {
                    self.words.push(bits >> (64 - shift));
                }
            }
        }
        self.rows += count;
    }

    /// Puts so many rows that are alike behind the others.
    pub fn put_run(&mut self, is_there: bool, mut count: usize) {
        let bits = if is_there { u64::MAX } else { 0 };
        while count > 0 {
            // Whole words from the next on.
            let some = count.min(64 - self.rows % 64);
            self.put(bits, some);
            count -= some;
        }
    }

    /// Puts bits of `bytes` from one on behind the others.
    pub fn put_bits(&mut self, bytes: &[u8], mut first: usize, mut count: usize) {
        while count > 0 {
            let (from, shift) = (bytes.get(first / 8..).unwrap_or(&[]), first % 8);
            let word = match from.first_chunk::<8>() {
                Some(eight) => u64::from_le_bytes(*eight),
                None => from.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            };
            let some = count.min(64 - shift);
            self.put(word >> shift, some);
            (first, count) = (first + some, count - some);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_from_any_place() {
        let bytes: Vec<u8> = (0..60u8).map(|at| at.wrapping_mul(151) ^ (at / 2)).collect();
        let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        for first in 0..70 {
            for rows in [0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 300] {
                let valid = Valid::of_bits(&bytes, first, rows);
                assert_eq!(valid.rows(), rows);
                let expected: Vec<bool> = (first..first + rows).map(bit).collect();
                assert_eq!((0..rows).map(|row| valid.get(row)).collect::<Vec<_>>(), expected);
                assert_eq!(valid.count(), expected.iter().filter(|is| **is).count());
                let before = |row: usize| expected[..row].iter().filter(|is| **is).count();
                assert!((0..=rows).all(|row| valid.count_before(row) == before(row)));
            }
        }
    }

    #[test]
    fn runs_and_bits_stand_behind_each_other() {
        let (mut valid, mut expected) = (Valid::default(), Vec::new());
        let lengths = [0, 1, 63, 64, 65, 3, 130, 61, 7, 200];
        for (number, count) in lengths.into_iter().cycle().take(57).enumerate() {
            if number % 3 == 0 {
                valid.put_bits(&[0b1010_0110; 40], number % 5, count);
                expected
                    .extend((0..count).map(|at| 0b1010_0110 >> ((at + number % 5) % 8) & 1 == 1));
            } else {
                valid.put_run(number % 3 == 1, count);
                expected.extend(std::iter::repeat_n(number % 3 == 1, count));
            }
        }
        assert_eq!(valid.rows(), expected.len());
        assert!(expected.iter().enumerate().all(|(row, is)| valid.get(row) == *is));
        assert_eq!(valid.count(), expected.iter().filter(|is| **is).count());
    }
}
