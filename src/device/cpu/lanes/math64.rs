//! Transcendental functions on double lanes, without branches; those of the circle, inverse ones and powers are in
//! `trig64`, `inverse64` and `power64`. The float64 operations use them as they are; without fused operations most
//! float32 operations are composed of exp and log, too (see `wide32`), which costs two vectors for one and leaves
//! nothing to fear from cancellation. Errors of the normal distribution, gamma functions and the logarithm of a sum of
//! powers of two call the mathematics library, lane by lane.
//!
//! All but exp and log carry what each rounding left out, so that they err by hardly more than the last rounding, and
//! no more than the libraries do. That takes fused operations; without them the library is called.
//!
//! Method: exp reduces by Cody and Waite's two-part ln 2 ("Software Manual for the Elementary
//! Functions", 1980); log writes the significand as (1 + s) / (1 - s), as Sun's fdlibm does. The
//! polynomials are minimax fits of our own, made with Remez' exchange in 40 digits; the error of
//! each fit stands beside it.

pub use super::inverse64::{acos, acosh, asin, asinh, atan, atan2, atanh, hypot};
use super::pair::{self, two_sum};
pub use super::power64::{cbrt, exp2, log2, log10, pow};
pub use super::trig64::{TRIG_LIMIT, cos, sin, tan};
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
pub(super) const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
pub(super) const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
/// 1.5 · 2^52: adding it leaves the nearest integer in the low bits.
pub(super) const MAGIC: f64 = 6755399441055744.0;

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
    scaled(p, shifted)
}

/// `p` times 2 to the integer that was added to [`MAGIC`].
#[inline(always)]
pub(super) fn scaled(p: f64, shifted: f64) -> f64 {
    // Two factors, because one alone may lie outside the normal range.
    let k = whole(shifted);
    let half = ((k.wrapping_add(4096)) >> 1).wrapping_sub(2048);
    p * two_to(half) * two_to(k.wrapping_sub(half))
}

/// The integer that was added to [`MAGIC`].
#[inline(always)]
pub(super) fn whole(shifted: f64) -> u64 {
    shifted.to_bits().wrapping_sub(MAGIC.to_bits())
}

/// 2^k within the normal range.
#[inline(always)]
pub(super) fn two_to(k: u64) -> f64 {
    f64::from_bits(k.wrapping_add(1023) << 52)
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

/// k and f of a number 2^k (1 + f) above zero, 1 + f between √½ and √2.
#[inline(always)]
pub(super) fn split(x: f64) -> (f64, f64) {
    let tiny = x < f64::MIN_POSITIVE;
    let bits = if tiny { x * 18014398509481984.0 } else { x }.to_bits();
    let above = bits.wrapping_sub(SQRT_HALF_BITS);
    let exponent = exponent_of(above);
    let exponent = if tiny { exponent - 54.0 } else { exponent };
    (exponent, f64::from_bits(bits.wrapping_sub(above & 0xfff0_0000_0000_0000)) - 1.0)
}

/// The exponent of a number's bits.
#[inline(always)]
pub(super) fn exponent_of(bits: u64) -> f64 {
    // An integer below 2^52 becomes a double by its bits.
    let exponent = bits.wrapping_add(1023 << 52) >> 52;
    f64::from_bits(0x4330_0000_0000_0000 | exponent) - (4503599627370496.0 + 1023.0)
}

/// What a logarithm is where it is not `value`: minus infinity at zero, NaN below.
#[inline(always)]
pub(super) fn logarithm(x: f64, value: f64) -> f64 {
    let value = if x == f64::INFINITY { x } else { value };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x >= 0.0 { value } else { f64::NAN }
}

/// Within 1 ulp. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log<const FMA: bool>(x: f64) -> f64 {
    let (exponent, f) = split(x);
    let s = f / (2.0 + f);
    let z = s * s;
    let tail = s * (f - z * polynomial::<7, FMA>(z, &LOG));
    logarithm(x, fma::<FMA>(exponent, LN2_HIGH, f - (tail - exponent * LN2_LOW)))
}

/// 1 / (1 + exp(-x)), from the side that does not overflow.
#[inline(always)]
pub fn sigmoid<const FMA: bool>(x: f64) -> f64 {
    let e = exp::<FMA>(-x.abs());
    (if x >= 0.0 { 1.0 } else { e }) / (1.0 + e)
}

/// No sum of logarithms is left to be done apart.
pub const CANCELLED: f64 = 0.0;

/// (exp(r) - 1 - r - r²/2) / r³ for |r| ≤ ln 2 / 2; relative error of exp(r) - 1 3e-19.
const EXPM1: [f64; 10] = [
    0.16666666666666677,
    0.04166666666666669,
    0.008333333333321612,
    0.0013888888888870094,
    0.00019841269886227423,
    2.480158735623784e-5,
    2.7557244066506386e-6,
    2.755724545653422e-7,
    2.5109098508764048e-8,
    2.092380070545412e-9,
];

/// k and exp(r) - 1 as the sum of two doubles, where exp(x + low) = 2^k exp(r).
#[inline(always)]
pub(super) fn power<const FMA: bool>(x: f64, low: f64) -> (u64, f64, f64) {
    let shifted = fma::<FMA>(x, std::f64::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let first = fma::<FMA>(k, -LN2_HIGH, x);
    let second = fma::<FMA>(k, -LN2_LOW, low);
    let r = first + second;
    let (high, low) = near_zero::<FMA>(r, (first - r) + second);
    (whole(shifted), high, low)
}

/// exp(r + low) - 1 as the sum of two doubles, |r| ≤ ln 2 / 2.
#[inline(always)]
pub(super) fn near_zero<const FMA: bool>(r: f64, r_low: f64) -> (f64, f64) {
    let square = r * r;
    let half = 0.5 * square;
    let half_low = 0.5 * fma::<FMA>(r, r, -square);
    let tail = square * r * polynomial::<10, FMA>(r, &EXPM1);
    let more = half + tail;
    let more_low = (half - more) + tail;
    let high = r + more;
    // The slope of exp at r is near enough to 1 + r for what r leaves out.
    (high, (r - high) + more + (more_low + half_low + fma::<FMA>(r_low, r, r_low)))
}

/// The quotient of two sums of doubles, as such a sum.
#[inline(always)]
pub(super) fn quotient<const FMA: bool>(above: [f64; 2], below: [f64; 2]) -> [f64; 2] {
    let inverse = 1.0 / below[0];
    let value = above[0] * inverse;
    let rest = fma::<FMA>(-value, below[0], above[0]) + fma::<FMA>(-value, below[1], above[1]);
    [value, rest * inverse]
}

/// 0.7 ulp with fused operations.
#[inline(always)]
pub fn expm1<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.exp_m1();
    }
    // The comparisons are false for NaN, which so passes through.
    let size = if x > 710.0 { 710.0 } else { x };
    let size = if size < -50.0 { -50.0 } else { size };
    let (k, high, low) = power::<FMA>(size, 0.0);
    // 2^k (exp(r) - 1) + (2^k - 1), and half of it first, because 2^k may be too large.
    let scale = two_to(k.wrapping_sub(1));
    let whole = scale - 0.5;
    let whole_low = (scale - whole) - 0.5;
    let scaled = scale * high;
    let sum = whole + scaled;
    let sum_low = (whole - sum) + scaled;
    let value = 2.0 * (sum + (sum_low + fma::<FMA>(scale, low, whole_low)));
    // Half of the least numbers would lose a bit, and zero its sign.
    if x.abs() < 1e-17 { x } else { value }
}

/// 0.6 ulp with fused operations.
#[inline(always)]
pub fn tanh<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.tanh();
    }
    // Past 22 the result is 1 to the last digit; the comparison keeps NaN.
    let size = x.abs();
    let size = if size > 22.0 { 22.0 } else { size };
    // -t / (2 + t) of t = exp(-2 |x|) - 1.
    let (k, high, low) = power::<FMA>(-2.0 * size, 0.0);
    let scale = two_to(k);
    let whole = scale - 1.0;
    let scaled = scale * high;
    let t = whole + scaled;
    let t_low = (whole - t) + scaled + (scale - (whole + 1.0));
    let t_low = fma::<FMA>(scale, low, t_low);
    let below = 2.0 + t;
    let below_low = (2.0 - below) + t + t_low;
    let [value, low] = quotient::<FMA>([t, t_low], [below, below_low]);
    (value + low).copysign(x)
}

/// A quarter of exp(|x|), as the sum of two doubles, and |x|, which is at most where both hyperbolic functions are
/// infinite.
#[inline(always)]
fn quarter<const FMA: bool>(x: f64) -> (f64, [f64; 2], f64) {
    let size = x.abs();
    let size = if size > 710.5 { 710.5 } else { size };
    let (k, high, low) = power::<FMA>(size, 0.0);
    // A quarter, because 2^k may be too large.
    let scale = two_to(k.wrapping_sub(2));
    (size, [scale * high, scale * low], scale)
}

/// 0.6 ulp with fused operations.
#[inline(always)]
pub fn sinh<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.sinh();
    }
    // Of t = exp(|x|) - 1: t / 2 + t / (2 + 2 t), and a quarter of t first.
    let (size, [more, low], scale) = quarter::<FMA>(x);
    let one = scale - 0.25;
    let high = one + more;
    let low = (one - high) + more + ((scale - one) - 0.25 + low);
    let below = 1.0 + 4.0 * high;
    let below_low = (4.0 * high - (below - 1.0)) + 4.0 * low;
    let [other, other_low] = quotient::<FMA>([high, low], [below, below_low]);
    let is_large = size > 40.0;
    let other = if is_large { 0.0 } else { other };
    let other_low = if is_large { 0.0 } else { other_low };
    let sum = high + other;
    let value = 2.0 * (sum + ((high - sum) + other + (low + other_low)));
    (if x.abs() < 1e-17 { x.abs() } else { value }).copysign(x)
}

/// 0.6 ulp with fused operations.
#[inline(always)]
pub fn cosh<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.cosh();
    }
    let (_, [more, low], scale) = quarter::<FMA>(x);
    let high = scale + more;
    let low = (scale - high) + more + low;
    // The sixteenth of exp(-|x|) is the inverse of four quarters of exp(|x|) by four.
    let [other, other_low] = quotient::<FMA>([0.0625, 0.0], [high, low]);
    let sum = high + other;
    2.0 * (sum + ((high - sum) + other + (low + other_low)))
}

/// As `LOG`, one term more; error 2e-18.
pub(super) const LOG1P: [f64; 8] = [
    0.6666666666666666,
    0.4000000000000089,
    0.2857142857079476,
    0.22222222393604651,
    0.18181795448212246,
    0.153862496828907,
    0.1326851626746975,
    0.13089219155374548,
];

/// log(1 + x): 0.7 ulp with fused operations. Minus infinity at -1, NaN below.
#[inline(always)]
pub fn log1p<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.ln_1p();
    }
    let value = log_of_one_and::<FMA>(x, 0.0, 0.0);
    let value = if x == f64::INFINITY { x } else { value };
    let value = if x == -1.0 { f64::NEG_INFINITY } else { value };
    // The sum loses the sign of a zero.
    let value = if x.abs() < 1e-17 { x } else { value };
    if x >= -1.0 { value } else { f64::NAN }
}

/// log(1 + x + low) with fused operations, and log(2 `large`) if that is more than zero.
#[inline(always)]
pub(super) fn log_of_one_and<const FMA: bool>(x: f64, low: f64, large: f64) -> f64 {
    let is_large = large > 0.0;
    let sum = 1.0 + x;
    let part = sum - x;
    let lost = (1.0 - part) + (x - (sum - part)) + low;
    let sum = if is_large { large } else { sum };
    let above = sum.to_bits().wrapping_sub(SQRT_HALF_BITS);
    let power = above & 0xfff0_0000_0000_0000;
    let k = exponent_of(above);
    let is_near = k == 0.0;
    let f = f64::from_bits(sum.to_bits().wrapping_sub(power)) - 1.0;
    let f = if is_near { x } else { f };
    let lost = if is_near { low } else { lost };
    // What the sum has lost is nothing beside the logarithm of a large one, whose 2^-k may be too small.
    let down = f64::from_bits((1023u64 << 52).wrapping_sub(power));
    let lost = if is_large | (k > 100.0) { 0.0 } else { lost * down };
    let k = if is_large { k + 1.0 } else { k };
    // f - f²/2 + s (f²/2 + …), s = f / (2 + f), and k ln 2.
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    let half_low = fma::<FMA>(0.5 * f, f, -half);
    let tail = s * fma::<FMA>(z, polynomial::<8, FMA>(z, &LOG1P), half);
    // By the slope 1 / (1 + f) = (1 - s) / (1 + s).
    let lost = lost * (1.0 - s) * fma::<FMA>(s, s, 1.0 - s);
    let ln = k * LN2_HIGH;
    let first = ln + f;
    let first_low = (ln - first) + f;
    let second = first - half;
    let second_low = (first - second) - half;
    let low = first_low + second_low + lost - half_low;
    second + (fma::<FMA>(k, LN2_LOW, low) + tail)
}

macro_rules! c_library {
    ($($name:ident)*) => {$(
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f64) -> f64 {
            libm::$name(x)
        }
    )*};
}

c_library! { erf }

/// log(exp(a) + exp(b)); within 1 ulp where the two terms of its sum cancel, or 2^-105 if that is
/// more.
///
/// With fused operations NaN where little is left of them, and where the lesser one is next to nothing: what these are
/// [`log_add_exp`] says without.
#[inline(always)]
pub fn log_add_exp<const FMA: bool>(a: f64, b: f64) -> f64 {
    if !FMA {
        return log_add_exp_exactly(a, b);
    }
    let (larger, lesser) = if a > b { (a, b) } else { (b, a) };
    let apart = lesser - larger;
    let is_near = apart > -700.0;
    let (k, high, low) = power::<FMA>(if is_near { apart } else { 0.0 }, 0.0);
    let one = 1.0 + high;
    let scale = two_to(k);
    let more = log_of_one_and::<FMA>(scale * one, scale * ((1.0 - one) + high + low), 0.0);
    let more = if is_near { more } else { 0.0 };
    let left =
        if cancels(larger, more) { log_of_powers::<FMA>(larger, lesser) } else { larger + more };
    let is_much = !cancels(larger, more) | (left.abs() > 1.0 / 64.0);
    // The comparison is false for NaN, and for two infinities.
    let is_told = (apart <= 0.0) & (is_near | (larger.abs() > 1e-200)) & is_much;
    if is_told { left } else { f64::NAN }
}

/// log(exp(a) + exp(b)) by what the sum exceeds one by, for a from -2 to 0 and b no more than a: to 2^-60, and 0.8 ulp.
#[inline(always)]
fn log_of_powers<const FMA: bool>(a: f64, b: f64) -> f64 {
    let within = |x: f64, least: f64| if x > least { x } else { least };
    let (a, b) = (
        if a < 0.0 { within(a, -2.0) } else { 0.0 },
        if b < 0.0 { within(b, -700.0) } else { 0.0 },
    );
    let [(k_a, high_a, low_a), (k_b, high_b, low_b)] = [a, b].map(|x| power::<FMA>(x, 0.0));
    let (scale_a, scale_b) = (two_to(k_a), two_to(k_b));
    let [whole, whole_low] = two_sum(scale_a - 1.0, scale_b);
    let [part, part_low] = two_sum(scale_a * high_a, scale_b * high_b);
    let [sum, sum_low] = two_sum(whole, part);
    let low = sum_low + (whole_low + part_low + fma::<FMA>(scale_a, low_a, scale_b * low_b));
    let more = sum + low;
    log_of_one_and::<FMA>(more, (sum - more) + low, 0.0)
}

fn log_add_exp_exactly(a: f64, b: f64) -> f64 {
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
#[inline(always)]
fn cancels(below: f64, above: f64) -> bool {
    (below < 0.0) & (below + above < above) & (below + above > -above)
}
