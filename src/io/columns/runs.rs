//! Whole numbers in few bits: runs and packed ones, and differences, as Parquet has them.

use crate::io::Error;

fn early<T>() -> Result<T, Error> {
    Error::format("a page ends before its values do")
}

/// A number that is packed, of at most 64 bits, from a bit on; what lies beyond the bytes is zero.
fn bits(bytes: &[u8], at: usize, width: usize) -> u64 {
    let (byte, shift) = (at / 8, at % 8);
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    if let Some(word) = bytes.get(byte..byte + 8)
        && shift + width <= 64
    {
        return u64::from_le_bytes(word.try_into().unwrap_or_default()) >> shift & mask;
    }
    let mut word = [0; 16];
    let there = bytes.get(byte..).unwrap_or(&[]);
    let count = there.len().min(16);
    word[..count].copy_from_slice(&there[..count]);
    (u128::from_le_bytes(word) >> shift) as u64 & mask
}

fn varint(bytes: &[u8], at: &mut usize) -> Result<u64, Error> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let Some(byte) = bytes.get(*at) else { return early() };
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Ok(number);
        }
    }
    Error::format("a page holds a number that does not end")
}

/// Some numbers one behind the other.
#[derive(Debug, Clone, Copy)]
pub enum Run<'a> {
    /// One that comes so often.
    Same(u32, usize),
    /// So many that are packed.
    Packed(&'a [u8], usize),
}

/// Runs of one number, and numbers that are packed, until there are `count`.
pub fn runs<'a>(
    bytes: &'a [u8],
    width: u32,
    count: usize,
    mut put: impl FnMut(Run<'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    if width > 32 {
        return Error::format(format!("a page holds numbers of {width} bits"));
    }
    let (mut at, mut left, width) = (0, count, width as usize);
    while left > 0 {
        let head = varint(bytes, &mut at)?;
        if head & 1 == 0 {
            let size = width.div_ceil(8);
            let Some(value) = bytes.get(at..at + size) else { return early() };
            let value =
                value.iter().rev().fold(0u32, |number, byte| number << 8 | u32::from(*byte));
            at += size;
            let run = (head >> 1).min(left as u64) as usize;
            if run == 0 {
                return Error::format("a page holds a run of nothing");
            }
            put(Run::Same(value, run))?;
            left -= run;
            continue;
        }
        let groups = head >> 1;
        let size = groups.checked_mul(width as u64).filter(|size| *size <= bytes.len() as u64);
        let Some(size) = size else { return early() };
        let end = at + size as usize;
        // The last group may be cut off where its values are.
        let Some(packed) = bytes.get(at..end.min(bytes.len())) else { return early() };
        let many = groups.saturating_mul(8).min(left as u64) as usize;
        if groups == 0 || (many * width).div_ceil(8) > packed.len() {
            return early();
        }
        put(Run::Packed(packed, many))?;
        (at, left) = (end, left - many);
    }
    Ok(())
}

/// The same, number by number: `put` is given each with how often it comes.
pub fn hybrid(
    bytes: &[u8],
    width: u32,
    count: usize,
    mut put: impl FnMut(u32, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    runs(bytes, width, count, |run| match run {
        Run::Same(value, count) => put(value, count),
        Run::Packed(packed, count) => {
            unpack(packed, width, count, |some| some.iter().try_for_each(|value| put(*value, 1)))
        }
    })
}

/// Numbers that are unpacked at once.
const BLOCK: usize = 64;

/// Numbers of at most 32 bits that are packed, a block at a time.
#[inline]
pub fn unpack(
    packed: &[u8],
    width: u32,
    count: usize,
    mut put: impl FnMut(&[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut numbers, size) = ([0; BLOCK], BLOCK / 8 * width as usize);
    for first in (0..count).step_by(BLOCK) {
        let there = packed.get(first / 8 * width as usize..).unwrap_or(&[]);
        // A word behind those of the last number is looked at, and not used.
        let mut words = [0; BLOCK / 2 + 1];
        for (word, bytes) in words.iter_mut().zip(there[..size.min(there.len())].chunks(8)) {
            *word = match bytes.first_chunk::<8>() {
                Some(eight) => u64::from_le_bytes(*eight),
                None => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            };
        }
        block_of(width, &words, &mut numbers);
        put(&numbers[..BLOCK.min(count - first)])?;
    }
    Ok(())
}

/// A block of numbers, whose shifts are known when this is compiled.
#[inline(always)]
fn block<const WIDTH: usize>(words: &[u64; BLOCK / 2 + 1], numbers: &mut [u32; BLOCK]) {
    for (number, slot) in numbers.iter_mut().enumerate() {
        let (word, shift) = (number * WIDTH / 64, number * WIDTH % 64);
        let mut bits = words[word] >> shift;
        if shift + WIDTH > 64 {
            bits |= words[word + 1] << (64 - shift);
        }
        *slot = (bits & ((1 << WIDTH) - 1)) as u32;
    }
}

macro_rules! blocks {
    ($($width:literal)*) => {
        fn block_of(width: u32, words: &[u64; BLOCK / 2 + 1], numbers: &mut [u32; BLOCK]) {
            match width {
                $($width => block::<$width>(words, numbers),)*
                _ => numbers.fill(0),
            }
        }
    };
}

blocks!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

/// Numbers by their differences, as the lowest `size` bytes of each, as many as `out` has room for.
pub fn delta(bytes: &[u8], size: usize, out: &mut [u8]) -> Result<(), Error> {
    let (mut at, count) = (0, out.len() / size);
    let zigzag = |at: &mut usize| {
        varint(bytes, at).map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    };
    let (block, parts) = (varint(bytes, &mut at)?, varint(bytes, &mut at)?);
    let total = varint(bytes, &mut at)?;
    let mut value = zigzag(&mut at)?;
    let is_sound = (1..=512).contains(&parts)
        && (8..=1 << 20).contains(&block)
        && block % parts == 0
        && (block / parts) % 8 == 0;
    if !is_sound {
        return Error::format("a page of differences is cut in an unknown way");
    }
    if total < count as u64 {
        return early();
    }
    let in_part = (block / parts) as usize;
    // A block takes bytes for the widths of its parts at least.
    let blocks = (count as u64).saturating_sub(1).div_ceil(block);
    if blocks.saturating_mul(parts) > bytes.len() as u64 {
        return early();
    }
    let mut places = out.chunks_exact_mut(size);
    let mut put = |value: i64| {
        if let Some(place) = places.next() {
            place.copy_from_slice(&value.to_le_bytes()[..size]);
        }
    };
    put(value);
    let mut done = 1;
    while done < count {
        let least = zigzag(&mut at)?;
        let Some(widths) = bytes.get(at..at + parts as usize) else { return early() };
        at += widths.len();
        for width in widths {
            if done >= count {
                break;
            }
            let width = usize::from(*width);
            if width > 64 {
                return Error::format("a page holds differences of more than 64 bits");
            }
            let many = in_part.min(count - done);
            let rest = bytes.get(at..).unwrap_or(&[]);
            if (many * width).div_ceil(8) > rest.len() {
                return early();
            }
            for number in 0..many {
                let step = bits(rest, number * width, width) as i64;
                value = value.wrapping_add(least).wrapping_add(step);
                put(value);
            }
            at += in_part * width / 8;
            done += many;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], width: u32, count: usize) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        let put = |value, run| {
            found.extend(std::iter::repeat_n(value, run));
            Ok(())
        };
        hybrid(bytes, width, count, put).ok().map(|()| found)
    }

    #[test]
    fn runs_and_packed_numbers() {
        // The format's own example: 0 to 7 in three bits.
        assert_eq!(read(&[3, 0x88, 0xc6, 0xfa], 3, 8), Some((0..8).collect()));
        assert_eq!(read(&[10, 7, 3, 0x88, 0xc6, 0xfa], 3, 7), Some(vec![7, 7, 7, 7, 7, 0, 1]));
        assert_eq!(read(&[20], 0, 10), Some(vec![0; 10]));
        assert_eq!(read(&[3, 0x88], 3, 8), None);
        assert_eq!(read(&[0, 7], 3, 8), None);
        assert_eq!(read(&[], 3, 1), None);
    }

    #[test]
    fn differences() {
        // 7, 5, 3, 1, 2, 3, 4, 5: the format's second example in a block of 128.
        let mut bytes = vec![0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        bytes.extend([0xc0, 0x3f, 0, 0, 0, 0, 0, 0]);
        let mut found = [0; 32];
        delta(&bytes, 4, &mut found).unwrap();
        let found: Vec<i32> =
            found.chunks(4).map(|four| i32::from_le_bytes(four.try_into().unwrap())).collect();
        assert_eq!(found, [7, 5, 3, 1, 2, 3, 4, 5]);
        assert!(delta(&bytes, 4, &mut [0; 36]).is_err());
        assert!(delta(&bytes[..9], 4, &mut [0; 32]).is_err());
    }

    #[test]
    fn numbers_of_any_width_and_count_are_unpacked() {
        let bytes: Vec<u8> = (0..1200u32).map(|at| (at * at / 8) as u8 ^ at as u8).collect();
        for width in 0..=32 {
            for count in [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200] {
                let packed = &bytes[..(count * width as usize).div_ceil(8)];
                let mut found = Vec::new();
                unpack(packed, width, count, |some| {
                    found.extend_from_slice(some);
                    Ok(())
                })
                .unwrap();
                let one = |at: usize| bits(packed, at * width as usize, width as usize) as u32;
                assert_eq!(found, (0..count).map(one).collect::<Vec<_>>(), "{width} {count}");
            }
        }
    }
}
