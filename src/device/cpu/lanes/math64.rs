//! Transcendental functions on double lanes. exp and log are without branches. The float64 operations
//! use them as they are; most float32 operations are composed of them, which costs two vectors for
//! one and leaves nothing to fear from cancellation. The others call the mathematics library, lane
//! by lane.
//!
//! Method: exp reduces by Cody and Waite's two-part ln 2 ("Software Manual for the Elementary
//! Functions", 1980); log writes the significand as (1 + s) / (1 - s), as Sun's fdlibm does. The
//! polynomials are minimax fits of our own, made with Remez' exchange in 40 digits; the error of
//! each fit stands beside it.

use super::pair;
use crate::device::libm;

/// `a * b + c`, fused where that is one instruction.
#[inline(always)]
pub fn fma<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// The polynomial with these coefficients, the constant one first.
#[inline(always)]
pub fn polynomial<const N: usize, const FMA: bool>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut value = coefficients[N - 1];
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        value = fma::<FMA>(value, x, coefficients[k]);
    }
    value
}

/// (exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2; relative error of exp 8e-18.
const EXP: [f64; 10] = [
    0.50000000000000103,
    0.16666666666666675,
    0.041666666666520945,
    0.0083333333333221269,
    0.0013888888948140006,
    0.00019841269886836392,
    2.4801486965350889e-5,
    2.7557242059340426e-6,
    2.7632791582662334e-7,
    2.5110154340462049e-8,
];

/// ln 2 in two parts; the first has 32 trailing zero bits, so that its product with an exponent is
/// exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
/// 1.5 · 2^52: adding it leaves the nearest integer in the low bits.
const MAGIC: f64 = 6755399441055744.0;

/// Within 1 ulp where the result is normal.
#[inline(always)]
pub fn exp<const FMA: bool>(x: f64) -> f64 {
    // The comparisons are false for NaN, which so passes through.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let shifted = fma::<FMA>(x, std::f64::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<FMA>(k, -LN2_HIGH, x);
    let r = fma::<FMA>(k, -LN2_LOW, r);
    let p = fma::<FMA>(r * r, polynomial::<10, FMA>(r, &EXP), r) + 1.0;
    // Two factors, because 2^k alone may lie outside the normal range.
    let k = shifted.to_bits().wrapping_sub(MAGIC.to_bits());
    let half = ((k.wrapping_add(4096)) >> 1).wrapping_sub(2048);
    let rest = k.wrapping_sub(half);
    let scale = |k: u64| f64::from_bits(k.wrapping_add(1023) << 52);
    p * scale(half) * scale(rest)
}

/// (2 artanh(s) - 2 s) / s³ in z = s², for the significands between √½ and √2; error 2e-18.
const LOG: [f64; 7] = [
    0.66666666666667098,
    0.39999999999517178,
    0.28571428730011335,
    0.22222199005393076,
    0.18183576430891061,
    0.15313030178560309,
    0.14811936241135092,
];

const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_667f_3bcd;

/// Within 1 ulp. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log<const FMA: bool>(x: f64) -> f64 {
    let tiny = x < f64::MIN_POSITIVE;
    let bits = if tiny { x * 18014398509481984.0 } else { x }.to_bits();
    let above = bits.wrapping_sub(SQRT_HALF_BITS);
    let exponent = above.wrapping_add(1023 << 52) >> 52;
    // An integer below 2^52 becomes a double by its bits.
    let exponent = f64::from_bits(0x4330_0000_0000_0000 | exponent) - (4503599627370496.0 + 1023.0);
    let exponent = if tiny { exponent - 54.0 } else { exponent };
    let f = f64::from_bits(bits.wrapping_sub(above & 0xfff0_0000_0000_0000)) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let tail = s * (f - z * polynomial::<7, FMA>(z, &LOG));
    let value = fma::<FMA>(exponent, LN2_HIGH, f - (tail - exponent * LN2_LOW));
    let value = if x == f64::INFINITY { x } else { value };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x >= 0.0 { value } else { f64::NAN }
}

/// 1 / (1 + exp(-x)), from the side that does not overflow.
#[inline(always)]
pub fn sigmoid<const FMA: bool>(x: f64) -> f64 {
    let e = exp::<FMA>(-x.abs());
    (if x >= 0.0 { 1.0 } else { e }) / (1.0 + e)
}

/// No sum of logarithms is left to be done apart.
pub const CANCELLED: f64 = 0.0;

/// No angle is too large for the library.
pub const TRIG_LIMIT: f64 = f64::INFINITY;

macro_rules! library {
    ($($name:ident, $method:ident, ($($operand:ident),*);)*) => {$(
        #[inline(always)]
        pub fn $name<const FMA: bool>($($operand: f64),*) -> f64 {
            f64::$method($($operand),*)
        }
    )*};
}

library! {
    cbrt, cbrt, (x);
    exp2, exp2, (x);
    expm1, exp_m1, (x);
    log2, log2, (x);
    log10, log10, (x);
    log1p, ln_1p, (x);
    sin, sin, (x);
    cos, cos, (x);
    tan, tan, (x);
    asin, asin, (x);
    acos, acos, (x);
    atan, atan, (x);
    sinh, sinh, (x);
    cosh, cosh, (x);
    tanh, tanh, (x);
    pow, powf, (x, y);
    atan2, atan2, (y, x);
    hypot, hypot, (x, y);
}

macro_rules! c_library {
    ($($name:ident)*) => {$(
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f64) -> f64 {
            libm::$name(x)
        }
    )*};
}

c_library! { asinh acosh atanh erf }

/// log(exp(a) + exp(b)); within 1 ulp where the two terms of its sum cancel, or 2^-105 if that is
/// more.
pub fn log_add_exp<const FMA: bool>(a: f64, b: f64) -> f64 {
    let larger = if a > b { a } else { b };
    let more = match a == b {
        true => std::f64::consts::LN_2,
        false => (-(a - b).abs()).exp().ln_1p(),
    };
    match cancels(larger, more) {
        true => {
            let [high, low] = pair::log_of_sum(pair::exp([a, 0.0]), pair::exp([b, 0.0]));
            high + low
        }
        false => larger + more,
    }
}

/// log2(2^a + 2^b), as exact.
pub fn log_add_exp2<const FMA: bool>(a: f64, b: f64) -> f64 {
    let larger = if a > b { a } else { b };
    let more = match a == b {
        true => 1.0,
        false => (-(a - b).abs()).exp2().ln_1p() * std::f64::consts::LOG2_E,
    };
    match cancels(larger, more) {
        true => {
            let power = |x: f64| pair::exp(pair::product(pair::LN_2, x));
            let [high, low] = pair::times(pair::log_of_sum(power(a), power(b)), pair::LOG2_E);
            high + low
        }
        false => larger + more,
    }
}

/// Whether a sum of one number below zero and one above loses digits.
fn cancels(below: f64, above: f64) -> bool {
    below < 0.0 && below + above < above && below + above > -above
}
