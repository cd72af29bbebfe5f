//! Types of elements, and what blocks of few bits stand for.
//!
//! The formulas are those of ggml's reference, in float32 and in its order of operations, so that the numbers
//! are the same to the last bit.

use half::f16;

use crate::dtype::DType;

/// Makes the numbers of a block.
type Widen = fn(&[u8], &mut [f32]);

/// A type of elements.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    code: u32,
    /// Elements of a block, and its bytes.
    pub block: usize,
    pub size: usize,
    /// The type of tensors that has the same elements.
    pub plain: Option<DType>,
    /// What blocks are made into numbers by; types without this and without that are not read.
    pub widen: Option<Widen>,
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.code == other.code
    }
}

const fn plain(code: u32, name: &'static str, dtype: DType, size: usize) -> Kind {
    Kind { name, code, block: 1, size, plain: Some(dtype), widen: None }
}

const fn blocks(code: u32, name: &'static str, block: usize, size: usize, widen: Widen) -> Kind {
    Kind { name, code, block, size, plain: None, widen: Some(widen) }
}

const fn other(code: u32, name: &'static str, block: usize, size: usize) -> Kind {
    Kind { name, code, block, size, plain: None, widen: None }
}

const KINDS: &[Kind] = &[
    plain(0, "F32", DType::F32, 4),
    plain(1, "F16", DType::F16, 2),
    blocks(2, "Q4_0", 32, 18, q4_0),
    blocks(3, "Q4_1", 32, 20, q4_1),
    blocks(6, "Q5_0", 32, 22, q5_0),
    blocks(7, "Q5_1", 32, 24, q5_1),
    blocks(8, "Q8_0", 32, 34, q8_0),
    other(9, "Q8_1", 32, 36),
    blocks(10, "Q2_K", 256, 84, q2_k),
    blocks(11, "Q3_K", 256, 110, q3_k),
    blocks(12, "Q4_K", 256, 144, q4_k),
    blocks(13, "Q5_K", 256, 176, q5_k),
    blocks(14, "Q6_K", 256, 210, q6_k),
    blocks(15, "Q8_K", 256, 292, q8_k),
    other(16, "IQ2_XXS", 256, 66),
    other(17, "IQ2_XS", 256, 74),
    other(18, "IQ3_XXS", 256, 98),
    other(19, "IQ1_S", 256, 50),
    other(20, "IQ4_NL", 32, 18),
    other(21, "IQ3_S", 256, 110),
    other(22, "IQ2_S", 256, 82),
    other(23, "IQ4_XS", 256, 136),
    plain(24, "I8", DType::I8, 1),
    plain(25, "I16", DType::I16, 2),
    plain(26, "I32", DType::I32, 4),
    plain(27, "I64", DType::I64, 8),
    plain(28, "F64", DType::F64, 8),
    other(29, "IQ1_M", 256, 56),
    plain(30, "BF16", DType::BF16, 2),
    other(34, "TQ1_0", 256, 54),
    other(35, "TQ2_0", 256, 66),
    other(39, "MXFP4", 32, 17),
    other(40, "NVFP4", 64, 36),
    other(41, "Q1_0", 128, 18),
];

/// The type that a file means by a number.
pub fn kind_of(code: u32) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.code == code)
}

impl Kind {
    /// The type of a name.
    pub fn of_name(name: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.name == name)
    }
}

fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

fn q4_0(block: &[u8], out: &mut [f32]) {
    let d = half_at(block, 0);
    for (at, byte) in block[2..].iter().enumerate() {
        out[at] = d * f32::from((byte & 15) as i8 - 8);
        out[at + 16] = d * f32::from((byte >> 4) as i8 - 8);
    }
}

fn q4_1(block: &[u8], out: &mut [f32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (at, byte) in block[4..].iter().enumerate() {
        out[at] = d * f32::from(byte & 15) + m;
        out[at + 16] = d * f32::from(byte >> 4) + m;
    }
}

/// Numbers of five bits: four of each in nibbles, the fifth of all in a word.
fn fives(high: &[u8], low: &[u8]) -> [u8; 32] {
    std::array::from_fn(|at| {
        let nibble = if at < 16 { low[at] & 15 } else { low[at - 16] >> 4 };
        nibble | (high[at / 8] >> (at % 8) & 1) << 4
    })
}

fn q5_0(block: &[u8], out: &mut [f32]) {
    let d = half_at(block, 0);
    for (number, q) in out.iter_mut().zip(fives(&block[2..6], &block[6..])) {
        *number = d * f32::from(q as i8 - 16);
    }
}

fn q5_1(block: &[u8], out: &mut [f32]) {
    let (d, m) = (half_at(block, 0), half_at(block, 2));
    for (number, q) in out.iter_mut().zip(fives(&block[4..8], &block[8..])) {
        *number = d * f32::from(q) + m;
    }
}

fn q8_0(block: &[u8], out: &mut [f32]) {
    let d = half_at(block, 0);
    for (number, q) in out.iter_mut().zip(&block[2..]) {
        *number = f32::from(*q as i8) * d;
    }
}

/// Two bits of an element: 128 of them lie in 32 bytes, the first 32 lowest.
fn pair(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 128 * 32 + at % 32] >> (at % 128 / 32 * 2) & 3
}

fn q2_k(block: &[u8], out: &mut [f32]) {
    let (scales, qs) = (&block[..16], &block[16..80]);
    let (d, least) = (half_at(block, 80), half_at(block, 82));
    for (at, number) in out.iter_mut().enumerate() {
        let scale = scales[at / 16];
        let (dl, ml) = (d * f32::from(scale & 15), least * f32::from(scale >> 4));
        *number = dl * f32::from(pair(qs, at)) - ml;
    }
}

fn q3_k(block: &[u8], out: &mut [f32]) {
    let (mask, qs, scales) = (&block[..32], &block[32..96], &block[96..108]);
    let d = half_at(block, 108);
    for (at, number) in out.iter_mut().enumerate() {
        let group = at / 16;
        let low = if group < 8 { scales[group] & 15 } else { scales[group - 8] >> 4 };
        let high = scales[8 + group % 4] >> (group / 4 * 2) & 3;
        let scale = (low | high << 4) as i8 - 32;
        // The third bit takes four away where it is not set.
        let less = if mask[at % 32] >> (at / 32) & 1 == 0 { 4 } else { 0 };
        *number = d * f32::from(scale) * f32::from(pair(qs, at) as i8 - less);
    }
}

/// A group's scale and offset, six bits each, of which twelve bytes hold eight.
fn scale_and_least(scales: &[u8], group: usize) -> (u8, u8) {
    if group < 4 {
        return (scales[group] & 63, scales[group + 4] & 63);
    }
    let (d, m, both) = (scales[group - 4], scales[group], scales[group + 4]);
    ((both & 15) | (d >> 2 & 0x30), (both >> 4) | (m >> 2 & 0x30))
}

/// What the types of four and five bits have in common; `high` gives an element's fifth bit.
fn fours(block: &[u8], qs: &[u8], out: &mut [f32], high: impl Fn(usize, usize) -> u8) {
    let (d, least) = (half_at(block, 0), half_at(block, 2));
    for (group, numbers) in out.chunks_exact_mut(32).enumerate() {
        let (scale, offset) = scale_and_least(&block[4..16], group);
        let (dl, ml) = (d * f32::from(scale), least * f32::from(offset));
        for (at, number) in numbers.iter_mut().enumerate() {
            let low = qs[group / 2 * 32 + at] >> (group % 2 * 4) & 15;
            *number = dl * f32::from(low | high(group, at) << 4) - ml;
        }
    }
}

fn q4_k(block: &[u8], out: &mut [f32]) {
    fours(block, &block[16..], out, |_, _| 0);
}

fn q5_k(block: &[u8], out: &mut [f32]) {
    fours(block, &block[48..], out, |group, at| block[16 + at] >> group & 1);
}

fn q6_k(block: &[u8], out: &mut [f32]) {
    let (low, high, scales) = (&block[..128], &block[128..192], &block[192..208]);
    let d = half_at(block, 208);
    for (at, number) in out.iter_mut().enumerate() {
        let nibble = low[at / 128 * 64 + at % 64] >> (at % 128 / 64 * 4) & 15;
        let q = (nibble | pair(high, at) << 4) as i8 - 32;
        *number = d * f32::from(scales[at / 16] as i8) * f32::from(q);
    }
}

fn q8_k(block: &[u8], out: &mut [f32]) {
    let d = f32::from_le_bytes([block[0], block[1], block[2], block[3]]);
    for (number, q) in out.iter_mut().zip(&block[4..260]) {
        *number = d * f32::from(*q as i8);
    }
}
