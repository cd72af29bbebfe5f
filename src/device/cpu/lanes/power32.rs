//! Powers, roots and logarithms to other bases on float32 lanes, without branches.
//!
//! Method, with fused operations: as exp and log in `math32`, with what the reductions, products and squares left
//! out. A cube root is the inverse one from a third of the number's bits, one step of the fifth order, and a last
//! one with the cube in two parts. A power with any exponent takes the logarithm through double lanes, to 36 bits,
//! and so do sums of logarithms, whose terms may cancel.

use super::math32::{
    LN2_HIGH, LN2_LOW, LOG, MAGIC, SQRT_HALF_BITS, fma, logarithm, polynomial, scaled, split,
};
use super::math64::{MAGIC as MAGIC64, fma as fma64, polynomial as polynomial64};
use super::wide32;

/// (2^r - 1) / r for |r| ≤ 1/2; relative error of 2^r 7e-9.
const EXP2: [f32; 6] =
    [0.6931472421, 0.2402265221, 0.05550312996, 0.009618233889, 0.001339887385, 0.000153532339];

/// 0.9 ulp.
#[inline(always)]
pub fn exp2<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::exp2(x);
    }
    // The comparisons are false for NaN, which so passes through.
    let x = if x > 129.0 { 129.0 } else { x };
    let x = if x < -151.0 { -151.0 } else { x };
    let shifted = x + MAGIC;
    let r = x - (shifted - MAGIC);
    scaled(fma::<FMA>(r, polynomial::<6, FMA>(r, &EXP2), 1.0), shifted)
}

/// (exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2; relative error of exp(r) - 1 3e-9.
const EXPM1: [f32; 6] =
    [0.5, 0.1666666567, 0.04166635871, 0.008333389647, 0.001394071849, 0.0001984579576];

/// What of `x` is no multiple of ln 2, as the sum of two numbers, behind the multiple plus [`MAGIC`].
#[inline(always)]
pub(super) fn reduce<const FMA: bool>(x: f32) -> (f32, f32, f32) {
    let shifted = fma::<FMA>(x, std::f32::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let first = fma::<FMA>(k, -LN2_HIGH, x);
    let r = fma::<FMA>(k, -LN2_LOW, first);
    (shifted, r, fma::<FMA>(k, -LN2_LOW, first - r))
}

/// 0.89 ulp.
#[inline(always)]
pub fn expm1<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::expm1(x);
    }
    let near = if x > 89.0 { 89.0 } else { x };
    let near = if near < -18.0 { -18.0 } else { near };
    let (shifted, r, low) = reduce::<FMA>(near);
    let tail = fma::<FMA>(r * r, polynomial::<6, FMA>(r, &EXPM1), fma::<FMA>(low, r, low));
    // 2^k (1 - 2^-k + r + tail), of which the first sum is not always one number.
    let power = shifted.to_bits() << 23;
    let twice = f32::from_bits((128u32 << 23).wrapping_sub(power));
    let base = fma::<FMA>(-0.5, twice, 1.0);
    let base_low = fma::<FMA>(-0.5, twice, 1.0 - base);
    let sum = base + r;
    let value = sum + (((base - sum) + r) + (base_low + tail));
    ((value + value) * f32::from_bits(power.wrapping_add(126 << 23))).copysign(x)
}

/// (log2(1 + f) - f / ln 2) / f² for 1 + f between √½ and √2; relative error of log2 9e-10.
const LOG2: [f32; 10] = [
    -0.7213475108,
    0.4808979928,
    -0.3606751859,
    0.2885733247,
    -0.2404208928,
    0.2050456405,
    -0.1796256006,
    0.1727527529,
    -0.1654386073,
    0.09137700498,
];
/// The same of log10; 2e-9.
const LOG10: [f32; 10] = [
    -0.217147246,
    0.1447646618,
    -0.1085725799,
    0.08687259257,
    -0.07243968546,
    0.06170454249,
    -0.05301203206,
    0.05116152018,
    -0.055449754,
    0.03593533486,
];
/// 1 / ln 2, 1 / ln 10 and log10(2) in two parts, the last's first of 15 bits so that its product with an exponent is
/// exact.
const LOG2_E: [f32; 2] = [std::f32::consts::LOG2_E, 1.925_963e-8];
const LOG10_E: [f32; 2] = [std::f32::consts::LOG10_E, -1.010_305_2e-8];
const LOG10_2: [f32; 2] = [0.301025390625, 4.605_039e-6];

/// The logarithm of a number above zero to a base, of which `unit` is that of e and `two` that of 2.
#[inline(always)]
fn log_to<const FMA: bool>(x: f32, unit: [f32; 2], two: [f32; 2], more: &[f32; 10]) -> f32 {
    let (k, f) = split(x);
    let first = f * unit[0];
    let first_low = fma::<FMA>(f, unit[1], fma::<FMA>(f, unit[0], -first));
    let tail = fma::<FMA>(f * f, polynomial::<10, FMA>(f, more), first_low);
    let high = k * two[0];
    let sum = high + first;
    let lost = fma::<FMA>(k, two[1], (high - sum) + first);
    logarithm(x, sum + (lost + tail))
}

/// 0.96 ulp. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log2<const FMA: bool>(x: f32) -> f32 {
    if FMA { log_to::<FMA>(x, LOG2_E, [1.0, 0.0], &LOG2) } else { wide32::log2(x) }
}

/// 0.84 ulp. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log10<const FMA: bool>(x: f32) -> f32 {
    if FMA { log_to::<FMA>(x, LOG10_E, LOG10_2, &LOG10) } else { wide32::log10(x) }
}

/// k, f and 2^-k of a normal number 2^k (1 + f) above zero, 1 + f between √½ and √2.
#[inline(always)]
pub(super) fn normal_parts(x: f32) -> (f32, f32, f32) {
    let above = (x.to_bits() as i32).wrapping_sub(SQRT_HALF_BITS);
    let power = above & !0x7f_ffff;
    let f = f32::from_bits((x.to_bits() as i32).wrapping_sub(power) as u32) - 1.0;
    ((above >> 23) as f32, f, f32::from_bits(0x3f80_0000_i32.wrapping_sub(power) as u32))
}

/// k ln 2 + log(1 + f + lost), with fused operations.
#[inline(always)]
pub(super) fn log_of_parts<const FMA: bool>(k: f32, f: f32, lost: f32) -> f32 {
    let square = f * f;
    let tail = f * square * polynomial::<9, FMA>(f, &LOG);
    let tail = fma::<FMA>(k, LN2_LOW, fma::<FMA>(-0.5, square, tail));
    // The square's own rounding, and what is lost by about 1 / (1 + f), whose error is below 0.03.
    let slope = fma::<FMA>(-f, fma::<FMA>(f, -0.997, 1.0608), 1.0);
    let tail = tail + fma::<FMA>(lost, slope, -0.5 * fma::<FMA>(f, f, -square));
    let high = k * LN2_HIGH;
    let whole = high + f;
    whole + ((f - (whole - high)) + tail)
}

/// 0.9 ulp. Minus infinity at -1, NaN below.
#[inline(always)]
pub fn log1p<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::log1p(x);
    }
    let sum = 1.0 + x;
    let lost = if x > 1.0 { 1.0 - (sum - x) } else { x - (sum - 1.0) };
    let (k, f, down) = normal_parts(sum);
    let is_near = k == 0.0;
    let f = if is_near { x } else { f };
    // Far out nothing that counts is lost, and its scale is no number.
    let lost = if is_near | (x > 1e9) { 0.0 } else { lost * down };
    let value = log_of_parts::<FMA>(k, f, lost);
    let value = if x == f32::INFINITY { x } else { value };
    let value = if x == -1.0 { f32::NEG_INFINITY } else { value };
    let value = if x == 0.0 { x } else { value };
    if x >= -1.0 { value } else { f32::NAN }
}

/// What a third of the bits is taken from for the inverse cube root, with an error of at most 3.5 %.
const THIRD: f32 = 8388608.0 + 5546470.0;
/// ((1 - d)^(-2/3) - 1) / d for |d| ≤ 0.1035; relative error 4e-7.
const CBRT: [f32; 4] = [0.6666514874, 0.555536449, 0.4995254576, 0.4585785866];

/// 0.53 ulp.
#[inline(always)]
pub fn cbrt<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::cbrt(x);
    }
    let size = x.abs();
    // What the last step takes off stays in the range of normal numbers.
    let (up, down) =
        if size < 1e-20 { (1152921504606846976.0, 1.0 / 1048576.0) } else { (1.0, 1.0) };
    let a = size * up;
    let third = fma::<FMA>((a.to_bits() >> 8) as i32 as f32, -1.0 / 3.0, THIRD);
    let inverse = f32::from_bits(third.to_bits() << 8);
    let square = inverse * inverse;
    let y = a * square;
    let d = fma::<FMA>(-y, inverse, 1.0);
    let y = fma::<FMA>(y * d, polynomial::<4, FMA>(d, &CBRT), y);
    // By the derivative, 1 / 3y².
    let slope = fma::<FMA>(square * d, 2.0 / 9.0, square * (1.0 / 3.0));
    let square = y * y;
    let square_low = fma::<FMA>(y, y, -square);
    let rest = fma::<FMA>(-square_low, y, fma::<FMA>(-square, y, a));
    let root = fma::<FMA>(rest, slope, y) * down;
    (if size < f32::INFINITY { root } else { size }).copysign(x)
}

/// log2((1 + s) / (1 - s)) / s in s², for 1 + f between √½ and √2; error 2e-11.
const LOG2_WIDE: [f64; 5] = [
    2.8853900817900862,
    0.96179667334179749,
    0.57708358496515137,
    0.41167271899777669,
    0.34073010658534338,
];

/// 0.9 ulp. C's rules for the special cases: anything to the power 0 is 1, and so is 1 to any power.
#[inline(always)]
pub fn pow<const FMA: bool>(x: f32, y: f32) -> f32 {
    if !FMA {
        return wide32::pow(x, y);
    }
    let size = x.abs();
    let (k, f) = split(size);
    let k = if size < f32::INFINITY { k } else { size };
    let k = if size == 0.0 { f32::NEG_INFINITY } else { k };
    // log2(1 + f) by s = f / (2 + f).
    let inverse = (1.0 / (2.0 + f)) as f64;
    let f = f as f64;
    let s = f * inverse;
    let s = fma64::<FMA>(fma64::<FMA>(-s, 2.0 + f, f), inverse, s);
    let log = fma64::<FMA>(s, polynomial64::<5, FMA>(s * s, &LOG2_WIDE), k as f64);
    // An infinite power of ±1 is 1.
    let exponent = if y > f32::MAX { f32::MAX } else { y };
    let exponent = if exponent < f32::MIN { f32::MIN } else { exponent };
    let t = log * exponent as f64;
    let t = if t > 129.0 { 129.0 } else { t };
    let t = if t < -151.0 { -151.0 } else { t };
    let k = (t + MAGIC64) - MAGIC64;
    let r = t - k;
    let q = polynomial::<6, FMA>(r as f32, &EXP2);
    let power = scaled(fma64::<FMA>(r, q as f64, 1.0) as f32, k as f32 + MAGIC);
    let is_whole = y.trunc() == y;
    let is_odd = is_whole & ((y * 0.5).trunc() != y * 0.5);
    let sign = if is_odd { x.to_bits() & 0x8000_0000 } else { 0 };
    let power = f32::from_bits(power.to_bits() ^ sign);
    // By the bits, as in `logarithm`.
    let is_below_zero = x.to_bits().wrapping_sub(0x8000_0001) < f32::INFINITY.to_bits() - 1;
    let power = if is_below_zero & !is_whole { f32::NAN } else { power };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { power }
}

/// (exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2; relative error of exp 2e-14.
const EXP_WIDE: [f64; 8] = [
    0.49999999999664905,
    0.1666666666726932,
    0.041666666962057257,
    0.0083333330937284089,
    0.001388881116153382,
    0.00019841540510345762,
    2.4880805306309078e-5,
    2.7492590128222595e-6,
];
/// (2 artanh(s) - 2 s) / s³ in s², |s| ≤ 1/3; error 4e-15.
const LOG1P_WIDE: [f64; 8] = [
    0.66666666666329361,
    0.40000000097541858,
    0.28571418948338998,
    0.22222679977487551,
    0.18169830565277848,
    0.15565984943939736,
    0.11768840178488588,
    0.18708299093460388,
];

/// log(1 + exp(-apart)), for what is at least zero or NaN.
#[inline(always)]
fn above_larger<const FMA: bool>(apart: f64) -> f64 {
    let apart = if apart > 150.0 { 150.0 } else { apart };
    let shifted = fma64::<FMA>(apart, -std::f64::consts::LOG2_E, MAGIC64);
    let r = fma64::<FMA>(shifted - MAGIC64, -std::f64::consts::LN_2, -apart);
    let p = fma64::<FMA>(r * r, polynomial64::<8, FMA>(r, &EXP_WIDE), r) + 1.0;
    let e = p * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    let s = e / (2.0 + e);
    let z = s * s;
    fma64::<FMA>(s * z, polynomial64::<8, FMA>(z, &LOG1P_WIDE), s + s)
}

/// log(exp(x) + exp(y)); 0.6 ulp but below [`CANCELLED`](super::math32::CANCELLED).
#[inline(always)]
pub fn log_add_exp<const FMA: bool>(x: f32, y: f32) -> f32 {
    if !FMA {
        return wide32::log_add_exp(x, y);
    }
    let (a, b) = (x as f64, y as f64);
    let larger = if a > b { a } else { b };
    let value = larger + above_larger::<FMA>((a - b).abs());
    // Equal infinities have no difference.
    (if a == b { a + std::f64::consts::LN_2 } else { value }) as f32
}

/// log2(2^x + 2^y), as exact.
#[inline(always)]
pub fn log_add_exp2<const FMA: bool>(x: f32, y: f32) -> f32 {
    if !FMA {
        return wide32::log_add_exp2(x, y);
    }
    let (a, b) = (x as f64, y as f64);
    let larger = if a > b { a } else { b };
    let more = above_larger::<FMA>((a - b).abs() * std::f64::consts::LN_2);
    (if a == b { a + 1.0 } else { fma64::<FMA>(more, std::f64::consts::LOG2_E, larger) }) as f32
}
