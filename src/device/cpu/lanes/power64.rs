//! Powers, roots and logarithms to other bases on double lanes, without branches.
//!
//! Method: what exp and log do in `math64`, with products by ln 2 and its like as the sum of two doubles. A power
//! with any exponent takes the logarithm as such a sum, to 65 bits. A cube root is the inverse one by a polynomial
//! and one step of the fourth order, with what that leaves of the cube taken off. The polynomials are minimax fits of
//! our own, made with Remez' exchange in 50 digits.

use super::math64::{
    LN2_HIGH, LN2_LOW, LOG1P, MAGIC, exponent_of, fma, logarithm, near_zero, polynomial, power,
    quotient, scaled, split, two_to, whole,
};
use super::pair::{LN_2, LOG2_E};

/// 0.52 ulp with fused operations where the result is normal.
#[inline(always)]
pub fn exp2<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.exp2();
    }
    // The comparisons are false for NaN, which so passes through.
    let x = if x > 1025.0 { 1025.0 } else { x };
    let x = if x < -1080.0 { -1080.0 } else { x };
    let shifted = x + MAGIC;
    let part = x - (shifted - MAGIC);
    let r = part * LN_2[0];
    let r_low = fma::<FMA>(part, LN_2[1], fma::<FMA>(part, LN_2[0], -r));
    let (high, low) = near_zero::<FMA>(r, r_low);
    let sum = 1.0 + high;
    scaled(sum + ((1.0 - sum) + high + low), shifted)
}

/// 1 / ln 10 and log10(2), whose first part has eleven trailing zero bits more than an exponent has digits.
const LOG10_E: [f64; 2] = [std::f64::consts::LOG10_E, 1.098319650216765e-17];
const LOG10_2: [f64; 2] = [f64::from_bits(0x3fd3_4413_509f_6000), 3.694239077158931e-13];

/// The logarithm of a number above zero to a base, of which `unit` is that of e and `two` that of 2.
#[inline(always)]
fn log_to<const FMA: bool>(x: f64, unit: [f64; 2], two: [f64; 2]) -> f64 {
    let (k, f) = split(x);
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    let half_low = fma::<FMA>(0.5 * f, f, -half);
    let tail = s * fma::<FMA>(z, polynomial::<8, FMA>(z, &LOG1P), half);
    let high = f - half;
    let low = (f - high) - half - half_low + tail;
    let product = high * unit[0];
    let product_low =
        fma::<FMA>(high, unit[0], -product) + fma::<FMA>(high, unit[1], low * unit[0]);
    let first = k * two[0];
    let sum = first + product;
    logarithm(x, sum + ((first - sum) + product + fma::<FMA>(k, two[1], product_low)))
}

/// 0.6 ulp with fused operations. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log2<const FMA: bool>(x: f64) -> f64 {
    if FMA { log_to::<FMA>(x, LOG2_E, [1.0, 0.0]) } else { x.log2() }
}

/// As for the logarithm to base 2.
#[inline(always)]
pub fn log10<const FMA: bool>(x: f64) -> f64 {
    if FMA { log_to::<FMA>(x, LOG10_E, LOG10_2) } else { x.log10() }
}

/// The inverse cube root between 1 and 2; relative error 6e-6.
const CBRT: [f64; 6] = [
    1.7810577621357861,
    -1.566028903957523,
    1.2437857079308625,
    -0.5978728234318021,
    0.15607153191225112,
    -0.017019023308209227,
];

/// 0.51 ulp with fused operations.
#[inline(always)]
pub fn cbrt<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.cbrt();
    }
    let size = x.abs();
    let tiny = size < f64::MIN_POSITIVE;
    let bits = if tiny { size * 18014398509481984.0 } else { size }.to_bits();
    let exponent = exponent_of(bits.wrapping_sub(1023 << 52));
    let one = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 1023 << 52);
    // 3 k + 0, 1 or 2
    let shifted = fma::<FMA>(exponent - 1.0, 1.0 / 3.0, MAGIC);
    let rest = fma::<FMA>(shifted - MAGIC, -3.0, exponent);
    let double = if rest > 0.5 { 2.0 } else { 1.0 };
    let double = if rest > 1.5 { 4.0 } else { double };
    let scale = if rest > 0.5 { 0.7937005259840998 } else { 1.0 };
    let scale = if rest > 1.5 { 0.6299605249474366 } else { scale };
    let x_part = one * double;
    let r = scale * polynomial::<6, FMA>(one, &CBRT);
    let off = fma::<FMA>(-x_part * r, r * r, 1.0);
    let series = fma::<FMA>(off, fma::<FMA>(off, 14.0 / 81.0, 2.0 / 9.0), 1.0 / 3.0);
    let r = fma::<FMA>(r * off, series, r);
    let square = r * r;
    let y = x_part * square;
    let y2 = y * y;
    let cube = fma::<FMA>(y2, y, -x_part) + fma::<FMA>(y, y, -y2) * y;
    let y = fma::<FMA>(-cube, square * (1.0 / 3.0), y);
    let value = y * two_to(whole(shifted));
    let value = if tiny { value * (1.0 / 262144.0) } else { value };
    // Zero, an infinity and NaN are their own roots.
    if (size > 0.0) & (size < f64::INFINITY) { value.copysign(x) } else { x }
}

/// ((artanh(s) - s) / s³ - 1/3) / s² in s², for the significands between √½ and √2; error of artanh 1e-22.
const ARTANH: [f64; 8] = [
    0.19999999999999998,
    0.14285714285717135,
    0.11111111109897723,
    0.0909090931395588,
    0.07692285779823245,
    0.0666790463032866,
    0.05842093738049295,
    0.0595877717781295,
];
const THIRD: [f64; 2] = [1.0 / 3.0, 1.850371707708594e-17];

/// x to the power of y: 0.7 ulp with fused operations. NaN, too, for what is left to the library: operands that are
/// zero or no numbers, and results near the ends of the range.
#[inline(always)]
pub fn pow<const FMA: bool>(x: f64, y: f64) -> f64 {
    if !FMA {
        return x.powf(y);
    }
    let size = x.abs();
    let (k, f) = split(size);
    // 2 artanh(s) = 2 s + 2 s³ (1/3 + …), s = f / (2 + f)
    let below = 2.0 + f;
    let [s, s_low] = quotient::<FMA>([f, 0.0], [below, (2.0 - below) + f]);
    let z = s * s;
    let z_low = fma::<FMA>(s, s, -z) + 2.0 * s * s_low;
    let tail = z * polynomial::<8, FMA>(z, &ARTANH);
    let w = THIRD[0] + tail;
    let w_low = (THIRD[0] - w) + tail + THIRD[1];
    let cube = s * z;
    let cube_low = fma::<FMA>(s, z, -cube) + fma::<FMA>(s, z_low, s_low * z);
    let more = cube * w;
    let more_low = fma::<FMA>(cube, w, -more) + fma::<FMA>(cube, w_low, cube_low * w);
    let high = s + more;
    let low = (s - high) + more + (s_low + more_low);
    let first = k * LN2_HIGH;
    let log = first + 2.0 * high;
    let log_low = (first - log) + 2.0 * high + fma::<FMA>(k, LN2_LOW, 2.0 * low);
    let product = y * log;
    let product_low = fma::<FMA>(y, log, -product) + y * log_low;
    let (k, high, low) = power::<FMA>(product, product_low);
    let sum = 1.0 + high;
    let value = (sum + ((1.0 - sum) + high + low)) * two_to(k);
    // A number below zero has powers with integers only.
    let is_whole = y.round_ties_even() == y;
    let half = 0.5 * y;
    let sign = if is_whole & (half.round_ties_even() != half) { -value } else { value };
    let below_zero = if is_whole { sign } else { f64::NAN };
    let value = if x < 0.0 { below_zero } else { value };
    let is_plain = (size > 0.0) & (size < f64::INFINITY) & (product.abs() < 690.0);
    if is_plain { value } else { f64::NAN }
}
