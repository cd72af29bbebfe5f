//! Functions of the hyperbola and their inverses on float32 lanes, without branches.
//!
//! Method, with fused operations: sinh and cosh of k ln 2 + r by those of both terms, of which the first are exact.
//! The inverse functions are logarithms of a sum or quotient with what it lost, or polynomials where that would
//! cancel.

use super::math32::{EXP, LN2_HIGH, LN2_LOW, MAGIC, fma, polynomial};
use super::power32::{log_of_parts, normal_parts, reduce};
use super::wide32;

/// (cosh(r) - 1) / r² and (sinh(r) - r) / r³ in r², |r| ≤ ln 2 / 2; errors 1e-9 and 5e-10.
const COSH: [f32; 3] = [0.5, 0.04166626185, 0.001394664287];
const SINH: [f32; 3] = [0.1666666716, 0.008333288133, 0.0001990541932];

/// The odd or the even of exp(size) ± exp(-size), halved.
#[inline(always)]
fn half_sum<const FMA: bool, const ODD: bool>(size: f32) -> f32 {
    // The comparison is false for NaN, which so passes through.
    let size = if size > 90.0 { 90.0 } else { size };
    let (shifted, r, low) = reduce::<FMA>(size);
    let (k, most) = (shifted.to_bits() as i32, MAGIC.to_bits() as i32 + 16);
    let small = if k < most { k } else { most };
    // 2^-2k, and 2^-k times what is twice the function of k ln 2 and its derivative there.
    let square = f32::from_bits((127u32 << 23).wrapping_sub((small as u32) << 24));
    let square = if ODD { -square } else { square };
    let (value, slope) = (1.0 + square, 1.0 - square);
    let value_low = square - (value - 1.0);
    let z = r * r;
    let sinh = fma::<FMA>(r * z, polynomial::<3, FMA>(z, &SINH), low);
    let cosh = z * polynomial::<3, FMA>(z, &COSH);
    let sum = fma::<FMA>(slope, r, value);
    let lost = fma::<FMA>(slope, r, value - sum) + value_low;
    let sum = sum + fma::<FMA>(value, cosh, fma::<FMA>(slope, sinh, lost));
    // 2^(k - 1) may lie outside the range.
    (sum + sum) * f32::from_bits((shifted.to_bits() << 23).wrapping_add(125 << 23))
}

/// 0.94 ulp.
#[inline(always)]
pub fn sinh<const FMA: bool>(x: f32) -> f32 {
    if FMA { half_sum::<FMA, true>(x.abs()).copysign(x) } else { wide32::sinh(x) }
}

/// 0.77 ulp.
#[inline(always)]
pub fn cosh<const FMA: bool>(x: f32) -> f32 {
    if FMA { half_sum::<FMA, false>(x.abs()) } else { wide32::cosh(x) }
}

/// (tanh(x) - x) / x³ in x², |x| ≤ 1; relative error of tanh 4e-10.
const TANH: [f32; 8] = [
    -0.3333332931,
    0.1333320038,
    -0.05395309852,
    0.02178473123,
    -0.008595115388,
    0.003078594977,
    -0.0008411376476,
    0.0001214708322,
];

/// 0.96 ulp: 1 - 2 / (1 + exp(2x)) from 1 on, where an error of the quotient counts for a third at the most; the sum
/// below it is rounded once.
#[inline(always)]
pub fn tanh<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::tanh(x);
    }
    let size = x.abs();
    // The result is 1 to the last digit long before; the comparison keeps NaN.
    let twice = if size > 10.0 { 20.0 } else { size + size };
    let shifted = fma::<FMA>(twice, std::f32::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<FMA>(k, -LN2_LOW, fma::<FMA>(k, -LN2_HIGH, twice));
    let p = fma::<FMA>(r * r, polynomial::<5, FMA>(r, &EXP), r);
    let scale = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    let far = 1.0 - 2.0 / fma::<FMA>(p, scale, scale + 1.0);
    let near = odd::<8, FMA>(size, &TANH);
    (if size < 1.0 { near } else { far }).copysign(x)
}

/// x + x³ times a polynomial in x².
#[inline(always)]
fn odd<const N: usize, const FMA: bool>(x: f32, coefficients: &[f32; N]) -> f32 {
    let z = x * x;
    fma::<FMA>(x * z, polynomial::<N, FMA>(z, coefficients), x)
}

/// 1 / x within an eighth, for what is small itself.
#[inline(always)]
pub(super) fn rough_inverse(x: f32) -> f32 {
    f32::from_bits(0x7ef3_11c3u32.wrapping_sub(x.to_bits()))
}

/// What the root of `high + low` leaves out.
#[inline(always)]
fn root_low<const FMA: bool>(root: f32, high: f32, low: f32) -> f32 {
    (fma::<FMA>(-root, root, high) + low) * (0.5 * rough_inverse(root))
}

/// Beyond, x² + 1 and x² - 1 are x² and may overflow.
const LARGE: f32 = 1e8;

/// (asinh(x) - x) / x³ in x², |x| ≤ 1/2; relative error of asinh 7e-11.
const ASINH: [f32; 6] =
    [-0.1666666567, 0.07499907166, -0.04461609572, 0.03003356978, -0.02004958317, 0.009256626479];

/// 0.7 ulp.
#[inline(always)]
pub fn asinh<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::asinh(x);
    }
    let size = x.abs();
    let square = fma::<FMA>(size, size, 1.0);
    let square_low = fma::<FMA>(size, size, 1.0 - square);
    let root = square.sqrt();
    let is_large = size > LARGE;
    let sum = if is_large { size } else { size + root };
    let lost = (root - sum) + size + root_low::<FMA>(root, square, square_low);
    let (k, f, down) = normal_parts(sum);
    let lost = if is_large { 0.0 } else { lost * down };
    let k = if is_large { k + 1.0 } else { k };
    let far = log_of_parts::<FMA>(k, f, lost);
    let value = if size < 0.5 { odd::<6, FMA>(size, &ASINH) } else { far };
    (if size < f32::INFINITY { value } else { size }).copysign(x)
}

/// 0.84 ulp. NaN below 1.
#[inline(always)]
pub fn acosh<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::acosh(x);
    }
    let (below, above) = (x - 1.0, x + 1.0);
    let above_low = 1.0 - (above - x);
    let square = below * above;
    let square_low = fma::<FMA>(below, above_low, fma::<FMA>(below, above, -square));
    let root = square.sqrt();
    let root_low = root_low::<FMA>(root, square, square_low);
    let is_large = x > LARGE;
    let sum = if is_large { x } else { x + root };
    let (k, f, down) = normal_parts(sum);
    let lost = ((x - sum) + root + root_low) * down;
    // Near 1 the sum's difference from 1 is known better than the sum.
    let near = root + below;
    let is_near = k == 0.0;
    let lost = if is_near { (root - near) + below + root_low } else { lost };
    let f = if is_near { near } else { f };
    let lost = if is_large { 0.0 } else { lost };
    let k = if is_large { k + 1.0 } else { k };
    let value = log_of_parts::<FMA>(k, f, lost);
    let value = if x < f32::INFINITY { value } else { x };
    if x >= 1.0 { value } else { f32::NAN }
}

/// (atanh(x) - x) / x³ in x², |x| ≤ 1/2; relative error of atanh 2e-10.
const ATANH: [f32; 7] = [
    0.3333333731,
    0.1999962181,
    0.1429781467,
    0.1092939675,
    0.1052453667,
    0.01695641316,
    0.1851454228,
];

/// 0.7 ulp. Infinite at 1, NaN beyond.
#[inline(always)]
pub fn atanh<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::atanh(x);
    }
    let size = x.abs();
    let (below, above) = (1.0 - size, 1.0 + size);
    let above_low = size - (above - 1.0);
    let ratio = above / below;
    let ratio_low = (fma::<FMA>(-ratio, below, above) + above_low) * rough_inverse(below);
    let (k, f, down) = normal_parts(ratio);
    let far = 0.5 * log_of_parts::<FMA>(k, f, ratio_low * down);
    let value = if size < 0.5 { odd::<7, FMA>(size, &ATANH) } else { far };
    let value = if size == 1.0 { f32::INFINITY } else { value };
    if size <= 1.0 { value.copysign(x) } else { f32::NAN }
}
