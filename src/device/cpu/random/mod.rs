//! Random numbers that are functions of a seed, a counter and the element's position alone.
//!
//! The stream of a seed is the sequence of blocks of four 32-bit words that Philox4x32-10 makes of
//! the counters (block number, 0) under the seed as key. A fill begins at block `counter`. It is
//! cut in groups, each made from 16 blocks:
//!
//! - Types of up to 32 bits, but for integers: 64 elements a group. Element `j` of group `g` takes
//!   word `j / 16` of block `counter + 16 g + j % 16`.
//! - float64 and all integers: 32 elements a group. Element `j` of group `g` takes the words `2h`
//!   (low) and `2h + 1` (high) of the same block as one of 64 bits, where `h` is `j / 16`.
//!
//! What becomes of a word `w`:
//!
//! - uniform: its upper 24 bits · 2⁻²⁴ (float32), 53 bits · 2⁻⁵³ (float64), 11 bits · 2⁻¹¹
//!   (float16), 8 bits · 2⁻⁸ (bfloat16): each exact, and below one.
//! - normal: pairs of words make pairs of numbers as [`normal`] says: word 0 with word 1 and word 2
//!   with word 3 of a block, or its two words of 64 bits. The half types are rounded from float32.
//! - integer: `low + ⌊w · (high − low) / 2⁶⁴⌋`, or `low + w` where `high` is `low`. A value's chance differs
//!   from another's by less than one in 2⁶⁴ / (high − low).

mod normal;
mod philox;

use half::{bf16, f16};

use self::philox::{LANES, Words};
use super::dispatch::vectorized;
use super::elements::{Elements, Ptr, for_pieces};
use crate::device::{Error, Interrupt, RandomKind, View};
use crate::dtype::DType;

/// Elements that a thread makes at a time; a whole number of groups.
const PIECE: usize = 32 * 1024;

#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[2 * LANES, 4 * LANES, PIECE];

/// Fills a contiguous view from block `counter` of the stream of `seed`; gives how many blocks it
/// used.
pub(super) fn random(
    kind: RandomKind,
    seed: u64,
    counter: u64,
    out: View<'_>,
    interrupt: &Interrupt,
) -> Result<u64, Error> {
    random_elements(kind, Stream { seed, counter }, out.into(), interrupt)
}

/// Where the blocks come from.
#[derive(Debug, Clone, Copy)]
struct Stream {
    seed: u64,
    counter: u64,
}

fn random_elements(
    kind: RandomKind,
    stream: Stream,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<u64, Error> {
    debug_assert!(out.layout.is_contiguous());
    macro_rules! fill {
        ($source:expr) => {
            fill($source, stream, out, interrupt)
        };
    }
    match (kind, out.dtype) {
        (RandomKind::Uniform, DType::F16) => {
            fill!(Narrow(|w: u32| f16::from_f32((w >> 21) as f32 * (1.0 / 2_048.0))))
        }
        (RandomKind::Uniform, DType::BF16) => {
            fill!(Narrow(|w: u32| bf16::from_f32((w >> 24) as f32 * (1.0 / 256.0))))
        }
        (RandomKind::Uniform, DType::F32) => {
            fill!(Narrow(|w: u32| (w >> 8) as f32 * (1.0 / 16_777_216.0)))
        }
        (RandomKind::Uniform, DType::F64) => {
            fill!(Wide(|w: u64| (w >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)))
        }
        (RandomKind::Normal, DType::F16) => fill!(NarrowNormal(f16::from_f32)),
        (RandomKind::Normal, DType::BF16) => fill!(NarrowNormal(bf16::from_f32)),
        (RandomKind::Normal, DType::F32) => fill!(NarrowNormal(|x: f32| x)),
        (RandomKind::Normal, DType::F64) => fill!(WideNormal),
        (RandomKind::Integer { low, high }, dtype) => {
            if low == high {
                debug_assert!(out.dtype == DType::I64, "whole words as {}", out.dtype);
                return fill!(Wide(move |w: u64| low.wrapping_add(w as i64)));
            }
            let span = high.wrapping_sub(low) as u64;
            let draw =
                move |w: u64| low.wrapping_add(((u128::from(w) * u128::from(span)) >> 64) as i64);
            match dtype {
                DType::Bool | DType::U8 | DType::I8 => fill!(Wide(move |w| draw(w) as u8)),
                DType::U16 | DType::I16 => fill!(Wide(move |w| draw(w) as i16)),
                DType::U32 | DType::I32 => fill!(Wide(move |w| draw(w) as i32)),
                DType::U64 | DType::I64 => fill!(Wide(draw)),
                DType::F16 => fill!(Wide(move |w| f16::from_f32(draw(w) as f32))),
                DType::BF16 => fill!(Wide(move |w| bf16::from_f32(draw(w) as f32))),
                DType::F32 => fill!(Wide(move |w| draw(w) as f32)),
                DType::F64 => fill!(Wide(move |w| draw(w) as f64)),
                DType::F8E4M3 | DType::F8E5M2 => dtype.not_carried(),
                DType::C64 | DType::C128 => dtype.not_stored(),
            }
        }
        // No integer lies within [0, 1) but zero, and a normal number is none: the callers ask for
        // floats.
        (RandomKind::Uniform | RandomKind::Normal, _) => {
            debug_assert!(false, "{kind:?} as {}", out.dtype);
            random_elements(RandomKind::Integer { low: 0, high: 1 }, stream, out, interrupt)
        }
    }
}

/// Makes the elements of a group from its blocks.
trait Source: Copy + Sync {
    type Item: Copy + Send;
    type Group: AsRef<[Self::Item]>;
    const GROUP: usize;

    fn group(self, words: &Words) -> Self::Group;
}

/// Elements from 32 bits each.
#[derive(Clone, Copy)]
struct Narrow<F>(F);

impl<T: Copy + Send + Default, F: Fn(u32) -> T + Copy + Sync> Source for Narrow<F> {
    type Item = T;
    type Group = [T; 4 * LANES];
    const GROUP: usize = 4 * LANES;

    #[inline(always)]
    fn group(self, words: &Words) -> [T; 4 * LANES] {
        mapped(words.as_flattened(), self.0)
    }
}

/// Elements from 64 bits each.
#[derive(Clone, Copy)]
struct Wide<F>(F);

impl<T: Copy + Send + Default, F: Fn(u64) -> T + Copy + Sync> Source for Wide<F> {
    type Item = T;
    type Group = [T; 2 * LANES];
    const GROUP: usize = 2 * LANES;

    #[inline(always)]
    fn group(self, words: &Words) -> [T; 2 * LANES] {
        mapped(joined(words).as_flattened(), self.0)
    }
}

/// Normal numbers that are made as float32.
#[derive(Clone, Copy)]
struct NarrowNormal<F>(F);

impl<T: Copy + Send + Default, F: Fn(f32) -> T + Copy + Sync> Source for NarrowNormal<F> {
    type Item = T;
    type Group = [T; 4 * LANES];
    const GROUP: usize = 4 * LANES;

    #[inline(always)]
    fn group(self, words: &Words) -> [T; 4 * LANES] {
        let halves = [
            normal::transform_f32(&words[0], &words[1]),
            normal::transform_f32(&words[2], &words[3]),
        ];
        mapped(halves.as_flattened().as_flattened(), self.0)
    }
}

/// Normal numbers that are made as float64.
#[derive(Clone, Copy)]
struct WideNormal;

/// The elements of a group of float64, in two rows.
struct Rows([[f64; LANES]; 2]);

impl AsRef<[f64]> for Rows {
    fn as_ref(&self) -> &[f64] {
        self.0.as_flattened()
    }
}

impl Source for WideNormal {
    type Item = f64;
    type Group = Rows;
    const GROUP: usize = 2 * LANES;

    #[inline(always)]
    fn group(self, words: &Words) -> Rows {
        let [first, second] = joined(words);
        Rows(normal::transform_f64(&first, &second))
    }
}

/// What `to` makes of each of `N` numbers.
#[inline(always)]
fn mapped<W: Copy, T: Copy + Default, const N: usize>(from: &[W], to: impl Fn(W) -> T) -> [T; N] {
    let mut out = [T::default(); N];
    for (out, from) in out.iter_mut().zip(from) {
        *out = to(*from);
    }
    out
}

/// The words of the blocks, two by two.
#[inline(always)]
fn joined(words: &Words) -> [[u64; LANES]; 2] {
    let mut out = [[0; LANES]; 2];
    for half in 0..2 {
        for lane in 0..LANES {
            out[half][lane] =
                u64::from(words[2 * half][lane]) | u64::from(words[2 * half + 1][lane]) << 32;
        }
    }
    out
}

fn fill<S: Source>(
    source: S,
    stream: Stream,
    out: Elements<'_>,
    interrupt: &Interrupt,
) -> Result<u64, Error> {
    let start: Ptr<S::Item> = out.start();
    for_pieces(out.len(), PIECE, interrupt, &|_, range| {
        let first = (range.start / S::GROUP * LANES) as u64;
        // SAFETY: `out` is contiguous, and no two pieces share an element.
        let out =
            unsafe { std::slice::from_raw_parts_mut(start.at(range.start as isize), range.len()) };
        fill_piece(source, stream.seed, stream.counter.wrapping_add(first), out);
        Ok(())
    })?;
    Ok((out.len().div_ceil(S::GROUP) * LANES) as u64)
}

vectorized! {
    fn fill_piece[S: Source](source: S, seed: u64, block: u64, out: &mut [S::Item]) = fill_groups[S]
}

#[inline(always)]
fn fill_groups<S: Source>(source: S, seed: u64, block: u64, out: &mut [S::Item]) {
    for (number, out) in out.chunks_mut(S::GROUP).enumerate() {
        let first = block.wrapping_add((number * LANES) as u64);
        let group = source.group(&philox::blocks(seed, first));
        out.copy_from_slice(&group.as_ref()[..out.len()]);
    }
}

#[cfg(test)]
mod tests;
