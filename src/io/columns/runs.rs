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

/// Runs of one number, and numbers that are packed, until there are `count`: `put` is given each with how often it comes.
pub fn hybrid(
    bytes: &[u8],
    width: u32,
    count: usize,
    mut put: impl FnMut(u32, usize) -> Result<(), Error>,
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
            put(value, run)?;
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
        for number in 0..many {
            put(bits(packed, number * width, width) as u32, 1)?;
        }
        (at, left) = (end, left - many);
    }
    Ok(())
}

/// `count` numbers by their differences, as the lowest `size` bytes of each.
pub fn delta(bytes: &[u8], size: usize, count: usize) -> Result<Vec<u8>, Error> {
    let mut at = 0;
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
    let mut out = Vec::with_capacity(count * size);
    if count > 0 {
        out.extend_from_slice(&value.to_le_bytes()[..size]);
    }
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
                out.extend_from_slice(&value.to_le_bytes()[..size]);
            }
            at += in_part * width / 8;
            done += many;
        }
    }
    Ok(out)
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
        let found = delta(&bytes, 4, 8).unwrap();
        let found: Vec<i32> =
            found.chunks(4).map(|four| i32::from_le_bytes(four.try_into().unwrap())).collect();
        assert_eq!(found, [7, 5, 3, 1, 2, 3, 4, 5]);
        assert!(delta(&bytes, 4, 9).is_err());
        assert!(delta(&bytes[..9], 4, 8).is_err());
    }
}
