//! Powers with a small whole exponent that is the same for all lanes, by products: of float32 in doubles, which are
//! rounded once more, of float64 as the sum of two doubles.

use std::marker::PhantomData;

use super::super::dispatch::Level;
use super::UnaryFn;
use super::arith::{UnaryKernel, pick_unary};
use super::math64::fma;
use crate::dtype::DType;

struct Power<T, const N: i8>(PhantomData<T>);

impl<const N: i8> UnaryKernel for Power<f32, N> {
    type In = f32;
    type Out = f32;
    /// 0.51 ulp.
    #[inline(always)]
    fn apply<const FMA: bool>(x: f32) -> f32 {
        let x = x as f64;
        let square = x * x;
        let power = match N {
            3 => square * x,
            4 => square * square,
            5 => square * square * x,
            6 => (square * x) * (square * x),
            _ => 1.0 / square,
        };
        power as f32
    }
}

impl<const N: i8> UnaryKernel for Power<f64, N> {
    type In = f64;
    type Out = f64;
    const HAS_RARE: bool = true;
    /// 0.51 ulp with fused operations; without them the library is called.
    #[inline(always)]
    fn apply<const FMA: bool>(x: f64) -> f64 {
        if !FMA {
            return x.powf(N.into());
        }
        let two = times::<FMA>([x, 0.0], [x, 0.0]);
        let [high, low] = match N {
            3 => times::<FMA>(two, [x, 0.0]),
            4 => times::<FMA>(two, two),
            5 => times::<FMA>(times::<FMA>(two, two), [x, 0.0]),
            6 => {
                let three = times::<FMA>(two, [x, 0.0]);
                times::<FMA>(three, three)
            }
            _ => {
                let inverse = 1.0 / two[0];
                let rest = fma::<FMA>(-inverse, two[0], 1.0);
                [inverse, inverse * fma::<FMA>(-inverse, two[1], rest)]
            }
        };
        // Infinities have no low part, and that of a zero has another sign.
        if (low.abs() < f64::INFINITY) & (high != 0.0) { high + low } else { high }
    }
    /// Where low parts may lie below the range of numbers, or an inverse power may.
    #[inline(always)]
    fn is_rare(x: f64) -> bool {
        let size = x.abs();
        (size < FAR.recip()) & (size > 0.0) | (size > FAR) & (size < f64::INFINITY)
    }
    fn rare(x: f64) -> f64 {
        x.powf(N.into())
    }
}

/// 2^150
const FAR: f64 = f64::from_bits((1023 + 150) << 52);

/// The product of two sums of two numbers.
#[inline(always)]
fn times<const FMA: bool>([a, a_low]: [f64; 2], [b, b_low]: [f64; 2]) -> [f64; 2] {
    let high = a * b;
    [high, fma::<FMA>(a, b, -high) + fma::<FMA>(a, b_low, a_low * b)]
}

/// The kernel of powers with this exponent, if products make them.
pub fn small_power(level: Level, exponent: f64, dtype: DType) -> Option<UnaryFn> {
    macro_rules! table {
        ($($n:literal)*) => {
            match (exponent, dtype) {
                $((exponent, DType::F32) if exponent == f64::from($n) => {
                    Some(pick_unary::<Power<f32, $n>>(level))
                })*
                $((exponent, DType::F64) if exponent == f64::from($n) => {
                    Some(pick_unary::<Power<f64, $n>>(level))
                })*
                _ => None,
            }
        };
    }
    table!(-2 3 4 5 6)
}
