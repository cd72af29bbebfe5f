//! Floats that are narrower than float32: what memory holds of them, the float32 lanes in which they are
//! computed with, and their rounding.

use std::marker::PhantomData;

use half::{bf16, f16};

use super::cast::{CastKernel, pick};
use super::{BinaryFn, UnaryFn, float16};
use crate::device::cpu::dispatch::Level;
use crate::dtype::{DType, F8E4M3, F8E5M2};

/// Round a float32 lane to bfloat16, ties to even; a NaN stays one.
#[inline(always)]
fn bf16_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    if x.is_nan() { (bits >> 16 | 0x40) as u16 } else { rounded as u16 }
}

#[inline(always)]
fn bf16_wide(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// A narrow float: its bits in memory, and float32 to compute with.
pub(super) trait Narrow: 'static {
    type Bits: Copy;
    fn narrowed(x: f32) -> Self::Bits;
    fn widened(bits: Self::Bits) -> f32;
    /// In one rounding.
    fn of_f64(x: f64) -> f32;
    /// The next number after one of the type, towards another.
    fn next_after(x: f32, towards: f32) -> f32;
}

macro_rules! narrow {
    ($($of:ty, $Bits:ty, $narrowed:expr, $widened:expr;)*) => {$(
        impl Narrow for $of {
            type Bits = $Bits;

            #[inline(always)]
            fn narrowed(x: f32) -> $Bits {
                $narrowed(x)
            }

            #[inline(always)]
            fn widened(bits: $Bits) -> f32 {
                $widened(bits)
            }

            #[inline(always)]
            fn of_f64(x: f64) -> f32 {
                <$of>::from_f64(x).to_f32()
            }

            #[inline(always)]
            fn next_after(x: f32, towards: f32) -> f32 {
                const SIGN: $Bits = 1 << (<$Bits>::BITS - 1);
                if x.is_nan() || towards.is_nan() {
                    return f32::NAN;
                }
                if x == towards {
                    return towards;
                }
                let bits = <$of>::from_f32(x).to_bits();
                let next = match bits & !SIGN {
                    0 if towards < 0.0 => SIGN | 1,
                    0 => 1,
                    _ if (towards > x) == (bits & SIGN == 0) => bits + 1,
                    _ => bits - 1,
                };
                <$of>::from_bits(next).to_f32()
            }
        }
    )*};
}
narrow! {
    bf16, u16, bf16_bits, bf16_wide;
    f16, u16, |x| f16::from_f32(x).to_bits(), |bits| f16::from_bits(bits).to_f32();
    F8E4M3, u8, |x| F8E4M3::from_f32(x).to_bits(), |bits| F8E4M3::from_bits(bits).to_f32();
    F8E5M2, u8, |x| F8E5M2::from_f32(x).to_bits(), |bits| F8E5M2::from_bits(bits).to_f32();
}

struct Narrowed<N>(PhantomData<N>);
struct Widened<N>(PhantomData<N>);
struct Rounded<N>(PhantomData<N>);
pub(super) struct RoundedOnce<N>(PhantomData<N>);

impl<N: Narrow> CastKernel for Narrowed<N> {
    type From = f32;
    type To = N::Bits;
    #[inline(always)]
    fn apply(x: f32) -> N::Bits {
        N::narrowed(x)
    }
}

impl<N: Narrow> CastKernel for Widened<N> {
    type From = N::Bits;
    type To = f32;
    #[inline(always)]
    fn apply(x: N::Bits) -> f32 {
        N::widened(x)
    }
}

impl<N: Narrow> CastKernel for Rounded<N> {
    type From = f32;
    type To = f32;
    #[inline(always)]
    fn apply(x: f32) -> f32 {
        N::widened(N::narrowed(x))
    }
}

impl<N: Narrow> CastKernel for RoundedOnce<N> {
    type From = f64;
    type To = f32;
    #[inline(always)]
    fn apply(x: f64) -> f32 {
        N::of_f64(x)
    }
}

/// Runs `$body` with `$N` as a narrow type of Rust; float16 has an expression of its own.
macro_rules! by_narrow {
    ($narrow:expr, $f16:expr, $N:ident => $body:expr) => {{
        macro_rules! as_narrow {
            ($of:ty) => {{
                type $N = $of;
                $body
            }};
        }
        match $narrow {
            DType::F16 => $f16,
            DType::BF16 => as_narrow!(bf16),
            DType::F8E4M3 => as_narrow!(F8E4M3),
            DType::F8E5M2 => as_narrow!(F8E5M2),
            other => unreachable!("{other} is computed as it is stored"),
        }
    }};
}

/// float32 lanes from stored ones of a narrow type.
pub fn from_narrow(level: Level, narrow: DType) -> UnaryFn {
    by_narrow!(narrow, float16::widen(level), N => pick::<Widened<N>>(level))
}

/// Stored lanes of a narrow type from float32 ones.
pub fn to_narrow(level: Level, narrow: DType) -> UnaryFn {
    by_narrow!(narrow, float16::narrow(level), N => pick::<Narrowed<N>>(level))
}

/// float32 lanes rounded to what a narrow type can hold.
pub fn round_narrow(level: Level, narrow: DType) -> UnaryFn {
    by_narrow!(narrow, float16::round(level), N => pick::<Rounded<N>>(level))
}

unsafe fn next_lanes<N: Narrow>(out: *mut u8, a: *const u8, b: *const u8, n: usize) {
    // SAFETY: the plan gives `n` float32 lanes at all addresses, and the output apart from the operands.
    let (out, a, b) = unsafe {
        (
            std::slice::from_raw_parts_mut(out.cast::<f32>(), n),
            std::slice::from_raw_parts(a.cast::<f32>(), n),
            std::slice::from_raw_parts(b.cast::<f32>(), n),
        )
    };
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = N::next_after(*a, *b);
    }
}

/// The numbers of a narrow type that follow others.
pub(super) fn next_after(narrow: DType) -> BinaryFn {
    by_narrow!(narrow, next_lanes::<f16>, N => next_lanes::<N>)
}
