//! Transcendental functions on float32 lanes, without branches; those of the circle, of the hyperbola, inverse ones
//! and powers are in `trig32`, `hyperbolic32`, `inverse32` and `power32`.
//!
//! With fused operations all are evaluated in float32 after an exact reduction, and most carry what the larger
//! roundings left out; only powers, sums of logarithms and lengths of two sides go through double lanes. Without fused
//! operations most do (see `wide32`), so that their error is hardly more than the last rounding.
//! The polynomials are minimax fits of our own (Remez' exchange in 40 digits), with the error that each fit has after
//! its coefficients were rounded beside it. Reductions: Cody and Waite, "Software Manual for the Elementary
//! Functions", 1980. The errors at the functions, in units of the last place, are those of all float32 numbers; without
//! another word they are for fused operations, and within 1 for others.

pub use super::hyperbolic32::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use super::inverse32::{acos, asin, atan, atan2};
pub use super::power32::{cbrt, exp2, expm1, log_add_exp, log_add_exp2, log1p, log2, log10, pow};
pub use super::trig32::{TRIG_LIMIT, cos, sin, tan};
use super::wide32;

#[inline(always)]
pub(super) fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
pub(super) fn polynomial<const N: usize, const FMA: bool>(x: f32, coefficients: &[f32; N]) -> f32 {
    let mut value = coefficients[N - 1];
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        value = fma::<FMA>(value, x, coefficients[k]);
    }
    value
}

/// (exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2; relative error of exp 8e-9.
pub(super) const EXP: [f32; 5] =
    [0.4999999814, 0.1666657949, 0.04166780641, 0.008362920669, 0.001382174885];
/// 1.5 · 2^23: adding it leaves the nearest integer in the low bits.
pub(super) const MAGIC: f32 = 12582912.0;
/// ln 2 in two parts, the first of 9 bits so that its product with an exponent is exact.
pub(super) const LN2_HIGH: f32 = 0.693359375;
pub(super) const LN2_LOW: f32 = -2.121_944_4e-4;

/// 1.5 ulp, also without fused operations.
#[inline(always)]
pub fn exp<const FMA: bool>(x: f32) -> f32 {
    // The comparisons are false for NaN, which so passes through.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let shifted = fma::<FMA>(x, std::f32::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<FMA>(k, -LN2_HIGH, x);
    let r = fma::<FMA>(k, -LN2_LOW, r);
    let p = fma::<FMA>(r * r, polynomial::<5, FMA>(r, &EXP), r) + 1.0;
    scaled(p, shifted)
}

/// `p` times 2 to the integer that was added to [`MAGIC`].
#[inline(always)]
pub(super) fn scaled(p: f32, shifted: f32) -> f32 {
    // Two factors, because one alone may lie outside the normal range.
    let (bias, rest) = if shifted >= MAGIC {
        (127 - 64, 18446744073709551616.0)
    } else {
        (127 + 64, 1.0 / 18446744073709551616.0)
    };
    p * f32::from_bits((shifted.to_bits() << 23).wrapping_add(bias << 23)) * rest
}

/// (log(1 + f) - f + f²/2) / f³ for 1 + f between √½ and √2; error 8e-10.
pub(super) const LOG: [f32; 9] = [
    0.3333331253,
    -0.2500000952,
    0.2000212412,
    -0.1666800607,
    0.1421944167,
    -0.1240531154,
    0.118887425,
    -0.1167772122,
    0.06747901362,
];
pub(super) const SQRT_HALF_BITS: i32 = 0x3f35_04f3;

/// k and f of a number 2^k (1 + f) above zero, 1 + f between √½ and √2.
#[inline(always)]
pub(super) fn split(x: f32) -> (f32, f32) {
    let tiny = x < f32::MIN_POSITIVE;
    let bits = if tiny { x * 8388608.0 } else { x }.to_bits() as i32;
    let above = bits.wrapping_sub(SQRT_HALF_BITS);
    let k = (above >> 23) as f32 - if tiny { 23.0 } else { 0.0 };
    (k, f32::from_bits(bits.wrapping_sub(above & !0x7f_ffff) as u32) - 1.0)
}

/// What a logarithm is where it is not `value`: minus infinity at zero, NaN below.
#[inline(always)]
pub(super) fn logarithm(x: f32, value: f32) -> f32 {
    let other = if x > 0.0 { f32::INFINITY } else { f32::NAN };
    let other = if x == 0.0 { f32::NEG_INFINITY } else { other };
    // By the bits: of comparisons that together ask for a class of numbers the compiler makes a dozen instructions.
    let is_ordinary = x.to_bits().wrapping_sub(1) < f32::INFINITY.to_bits() - 1;
    if is_ordinary { value } else { other }
}

/// 1.5 ulp, also without fused operations. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log<const FMA: bool>(x: f32) -> f32 {
    let (k, f) = split(x);
    let square = f * f;
    let tail = f * square * polynomial::<9, FMA>(f, &LOG);
    let tail = fma::<FMA>(k, LN2_LOW, fma::<FMA>(-0.5, square, tail));
    logarithm(x, fma::<FMA>(k, LN2_HIGH, f + tail))
}

/// 1 / (1 + exp(-x)), from the side that does not overflow; 2.5 ulp, also without fused operations.
#[inline(always)]
pub fn sigmoid<const FMA: bool>(x: f32) -> f32 {
    let e = exp::<FMA>(-x.abs());
    (if x >= 0.0 { 1.0 } else { e }) / (1.0 + e)
}

#[inline(always)]
pub fn hypot<const FMA: bool>(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let is_infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if is_infinite { f32::INFINITY } else { (a * a + b * b).sqrt() as f32 }
}

/// Sums of logarithms below this are what cancelling terms leave; such lanes are done one by one.
pub const CANCELLED: f32 = 1e-6;

/// 2 / √π, which is erf(x) / x at 0, in two parts, and what there is more in x², |x| ≤ 3/4; relative error 2e-9.
const ERF_SLOPE: [f32; 2] = [1.12837922573, -5.863538342e-8];
const ERF_NEAR: [f32; 5] =
    [-0.3761262596, 0.1128345355, -0.02683785185, 0.005120175891, -0.0006787544698];
/// erf(1) in two parts, and (erf(1 + u) - erf(1)) / u for u between -1/4 and 5/16; error 7e-9.
const ERF_1: [f32; 2] = [0.8427007794, 1.4376862e-8];
const ERF_MIDDLE: [f32; 7] = [
    0.4151075482,
    -0.4151078463,
    0.1383643746,
    0.06920995563,
    -0.0690279901,
    0.004006890114,
    0.01360459067,
];
/// The same of 5/2, for u between -1.19 and 1.42; error 5e-9.
const ERF_5_2: [f32; 2] = [0.9995930791, -2.9379278e-8];
const ERF_FAR: [f32; 13] = [
    0.002178284107,
    -0.005445818882,
    0.008350104094,
    -0.008621266112,
    0.006117073353,
    -0.002802760107,
    0.0005439576926,
    0.0002684759384,
    -0.0002540616551,
    7.163043483e-5,
    9.65414165e-6,
    -1.110864923e-5,
    2.043260793e-6,
];

/// 1 ulp at the smallest normal numbers, 0.9 elsewhere.
#[inline(always)]
pub fn erf<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::erf(x);
    }
    let size = x.abs();
    let z = size * size;
    let more = polynomial::<5, FMA>(z, &ERF_NEAR);
    let more = fma::<FMA>(size * z, more, size * ERF_SLOPE[1]);
    let near = fma::<FMA>(size, ERF_SLOPE[0], more);
    let u = size - 1.0;
    let middle = ERF_1[0] + fma::<FMA>(u, polynomial::<7, FMA>(u, &ERF_MIDDLE), ERF_1[1]);
    let u = size - 2.5;
    let far = ERF_5_2[0] + fma::<FMA>(u, polynomial::<13, FMA>(u, &ERF_FAR), ERF_5_2[1]);
    let value = if size < 0.75 { near } else { middle };
    let value = if size < 1.3125 { value } else { far };
    (if size >= 3.92 { 1.0 } else { value }).copysign(x)
}
