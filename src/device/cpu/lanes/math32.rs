//! Transcendental functions on float32 lanes, without branches.
//!
//! exp, log, sin, cos, sigmoid and, with fused operations, log1p and tanh are evaluated in float32 after an
//! exact reduction; the others go through double lanes (see `math64`), so that their error is hardly more than
//! the last rounding.
//! The polynomials are minimax fits of our own (Remez' exchange in 40 digits), with the error of
//! each fit beside it. Reductions: Cody and Waite, "Software Manual for the Elementary Functions",
//! 1980. The bounds that the tests measure stand at each function, in units of the last place; those
//! that go through double lanes keep within 1.

use super::math64::{self, fma as fma64, polynomial as polynomial64};

#[inline(always)]
fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn polynomial<const N: usize, const FMA: bool>(x: f32, coefficients: &[f32; N]) -> f32 {
    let mut value = coefficients[N - 1];
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        value = fma::<FMA>(value, x, coefficients[k]);
    }
    value
}

/// (exp(r) - 1 - r) / r² for |r| ≤ ln 2 / 2; relative error of exp 8e-9.
const EXP: [f32; 5] = [0.4999999814, 0.1666657949, 0.04166780641, 0.008362920669, 0.001382174885];
/// 1.5 · 2^23: adding it leaves the nearest integer in the low bits.
const MAGIC: f32 = 12582912.0;
/// ln 2 in two parts, the first of 9 bits so that its product with an exponent is exact.
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.121_944_4e-4;

/// 1.5 ulp.
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
    // Two factors, because 2^k alone may lie outside the normal range.
    let k = (shifted.to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32);
    let half = k >> 1;
    let scale = |k: i32| f32::from_bits((k.wrapping_add(127) as u32) << 23);
    p * scale(half) * scale(k.wrapping_sub(half))
}

/// (log(1 + f) - f + f²/2) / f³ for 1 + f between √½ and √2; error 8e-10.
const LOG: [f32; 9] = [
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

/// 1.5 ulp. Minus infinity at zero, NaN below.
#[inline(always)]
pub fn log<const FMA: bool>(x: f32) -> f32 {
    let tiny = x < f32::MIN_POSITIVE;
    let bits = if tiny { x * 8388608.0 } else { x }.to_bits() as i32;
    let above = bits.wrapping_sub(0x3f35_04f3);
    let exponent = (above >> 23) as f32 - if tiny { 23.0 } else { 0.0 };
    let f = f32::from_bits(bits.wrapping_sub(above & !0x7f_ffff) as u32) - 1.0;
    let square = f * f;
    let tail = f * square * polynomial::<9, FMA>(f, &LOG);
    let tail = fma::<FMA>(exponent, LN2_LOW, fma::<FMA>(-0.5, square, tail));
    let value = fma::<FMA>(exponent, LN2_HIGH, f + tail);
    let value = if x == f32::INFINITY { x } else { value };
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    if x >= 0.0 { value } else { f32::NAN }
}

/// 1 / (1 + exp(-x)), from the side that does not overflow; 2.5 ulp.
#[inline(always)]
pub fn sigmoid<const FMA: bool>(x: f32) -> f32 {
    let e = exp::<FMA>(-x.abs());
    (if x >= 0.0 { 1.0 } else { e }) / (1.0 + e)
}

/// Where the two-part reduction by π/2 ends; lanes beyond are done one by one.
pub const TRIG_LIMIT: f32 = 500_000.0;

const PIO2_HIGH: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
const PIO2_LOW: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);
const MAGIC64: f64 = 6755399441055744.0;
/// (sin(r) - r) / r³ in r², |r| ≤ π/4; error 5e-12.
const SIN: [f32; 4] = [-0.1666666664, 0.008333329363, -0.0001983932722, 2.718237814e-6];
/// (cos(r) - 1 + r²/2) / r⁴ in r², |r| ≤ π/4; error 1e-10.
const COS: [f32; 3] = [0.04166664675, -0.001388736144, 2.443772959e-5];

/// The rest of `x` after the nearest multiple of π/2, exact to 2^-69, and which multiple that is.
#[inline(always)]
fn reduce<const FMA: bool>(x: f32) -> (f64, u32) {
    let x = x as f64;
    let shifted = fma64::<FMA>(x, std::f64::consts::FRAC_2_PI, MAGIC64);
    let k = shifted - MAGIC64;
    let r = fma64::<FMA>(k, -PIO2_HIGH, x);
    (fma64::<FMA>(k, -PIO2_LOW, r), shifted.to_bits() as u32)
}

/// The sine of the point `quadrant` right angles on.
#[inline(always)]
fn sin_of<const FMA: bool>(r: f32, quadrant: u32) -> f32 {
    let z = r * r;
    let sin = fma::<FMA>(r * z, polynomial::<4, FMA>(z, &SIN), r);
    let cos = fma::<FMA>(z * z, polynomial::<3, FMA>(z, &COS), fma::<FMA>(-0.5, z, 1.0));
    let value = if quadrant & 1 == 0 { sin } else { cos };
    f32::from_bits(value.to_bits() ^ (quadrant & 2) << 30)
}

/// 1.5 ulp (1.6 without fused operations) for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn sin<const FMA: bool>(x: f32) -> f32 {
    let (r, quadrant) = reduce::<FMA>(x);
    // The reduction loses the sign of a zero.
    if x == 0.0 { x } else { sin_of::<FMA>(r as f32, quadrant) }
}

/// As for the sine.
#[inline(always)]
pub fn cos<const FMA: bool>(x: f32) -> f32 {
    let (r, quadrant) = reduce::<FMA>(x);
    sin_of::<FMA>(r as f32, quadrant.wrapping_add(1))
}

/// As `SIN` and `COS`, for doubles; errors 9e-15 and 8e-17.
const SIN64: [f64; 5] = [
    -0.16666666666638622,
    0.0083333333256184295,
    -0.00019841263729832975,
    2.7555301952102738e-6,
    -2.4755988730180409e-8,
];
const COS64: [f64; 5] = [
    0.041666666666601602,
    -0.0013888888878188354,
    2.4801580933321304e-5,
    -2.7555560071003424e-7,
    2.0647277858149982e-9,
];

/// 1 ulp for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn tan<const FMA: bool>(x: f32) -> f32 {
    let (r, quadrant) = reduce::<FMA>(x);
    let z = r * r;
    let sin = fma64::<FMA>(r * z, polynomial64::<5, FMA>(z, &SIN64), r);
    let cos = fma64::<FMA>(z * z, polynomial64::<5, FMA>(z, &COS64), 1.0 - 0.5 * z);
    let even = quadrant & 1 == 0;
    let value = (if even { sin } else { -cos }) / (if even { cos } else { sin });
    if x == 0.0 { x } else { value as f32 }
}

/// Below this an odd function's first two terms say all that float32 can hold.
const SMALL: f64 = 1e-4;

/// `value`, but `x + cubic · x³` where `x` is small; as a product, which keeps the sign of a zero.
#[inline(always)]
fn odd(x: f64, value: f64, cubic: f64) -> f32 {
    (if x.abs() < SMALL { x * (1.0 + cubic * x * x) } else { value }) as f32
}

#[inline(always)]
pub fn exp2<const FMA: bool>(x: f32) -> f32 {
    math64::exp::<FMA>(x as f64 * std::f64::consts::LN_2) as f32
}

#[inline(always)]
pub fn expm1<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::exp::<FMA>(x) - 1.0;
    (if x.abs() < 1e-5 { x * (1.0 + 0.5 * x) } else { value }) as f32
}

#[inline(always)]
pub fn log2<const FMA: bool>(x: f32) -> f32 {
    (math64::log::<FMA>(x as f64) * std::f64::consts::LOG2_E) as f32
}

#[inline(always)]
pub fn log10<const FMA: bool>(x: f32) -> f32 {
    (math64::log::<FMA>(x as f64) * std::f64::consts::LOG10_E) as f32
}

/// 0.9 ulp with fused operations: log(1 + f) as in [`log`], where f is what of 1 + x stands behind a power of two.
/// What the sum has lost is added with what else is small.
#[inline(always)]
pub fn log1p<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return log1p_wide::<FMA>(x);
    }
    let sum = 1.0 + x;
    let lost = if x > 1.0 { 1.0 - (sum - x) } else { x - (sum - 1.0) };
    let above = (sum.to_bits() as i32).wrapping_sub(0x3f35_04f3);
    let power = above & !0x7f_ffff;
    let exponent = (above >> 23) as f32;
    let is_near = above as u32 >> 23 == 0;
    let f = f32::from_bits((sum.to_bits() as i32).wrapping_sub(power) as u32) - 1.0;
    let f = if is_near { x } else { f };
    let lost = lost * f32::from_bits(0x3f80_0000_i32.wrapping_sub(power) as u32);
    // Far out nothing that counts is lost, and its scale is no number.
    let lost = if is_near | (x > 1e9) { 0.0 } else { lost };
    let square = f * f;
    let tail = f * square * polynomial::<9, FMA>(f, &LOG);
    let tail = fma::<FMA>(exponent, LN2_LOW, fma::<FMA>(-0.5, square, tail));
    // The square's own rounding, and what is lost by about 1 / (1 + f), whose error is below 0.03.
    let slope = fma::<FMA>(-f, fma::<FMA>(f, -0.997, 1.0608), 1.0);
    let tail = tail + fma::<FMA>(lost, slope, -0.5 * fma::<FMA>(f, f, -square));
    let high = exponent * LN2_HIGH;
    let whole = high + f;
    let value = whole + ((f - (whole - high)) + tail);
    let value = if x == f32::INFINITY { x } else { value };
    let value = if x == -1.0 { f32::NEG_INFINITY } else { value };
    let value = if x == 0.0 { x } else { value };
    if x >= -1.0 { value } else { f32::NAN }
}

#[inline(always)]
fn log1p_wide<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::log::<FMA>(1.0 + x);
    (if x.abs() < 1e-5 { x * (1.0 - 0.5 * x) } else { value }) as f32
}

#[inline(always)]
pub fn sinh<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    let e = math64::exp::<FMA>(x);
    odd(x, 0.5 * (e - 1.0 / e), 1.0 / 6.0)
}

#[inline(always)]
pub fn cosh<const FMA: bool>(x: f32) -> f32 {
    let e = math64::exp::<FMA>(x as f64);
    (0.5 * (e + 1.0 / e)) as f32
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

/// 1 ulp. With fused operations 1 - 2 / (1 + exp(2x)) from 1 on, where an error of the quotient counts for a third
/// at the most; the sum below it is rounded once.
#[inline(always)]
pub fn tanh<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return tanh_wide::<FMA>(x);
    }
    let size = x.abs();
    // The result is 1 to the last digit long before; the comparison keeps NaN.
    let twice = if size > 10.0 { 20.0 } else { size + size };
    let shifted = fma::<FMA>(twice, std::f32::consts::LOG2_E, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<FMA>(k, -LN2_LOW, fma::<FMA>(k, -LN2_HIGH, twice));
    let p = fma::<FMA>(r * r, polynomial::<5, FMA>(r, &EXP), r);
    let k = (shifted.to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32);
    let scale = f32::from_bits((k.wrapping_add(127) as u32) << 23);
    let far = 1.0 - 2.0 / fma::<FMA>(p, scale, scale + 1.0);
    let square = size * size;
    let near = fma::<FMA>(size * square, polynomial::<8, FMA>(square, &TANH), size);
    (if size < 1.0 { near } else { far }).copysign(x)
}

#[inline(always)]
fn tanh_wide<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    // Past 20 the result is 1 to the last digit; the comparisons keep NaN.
    let twice = if x > 20.0 { 40.0 } else { 2.0 * x };
    let twice = if x < -20.0 { -40.0 } else { twice };
    let e = math64::exp::<FMA>(twice);
    odd(x, (e - 1.0) / (e + 1.0), -1.0 / 3.0)
}

#[inline(always)]
pub fn asinh<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::log::<FMA>(x.abs() + fma64::<FMA>(x, x, 1.0).sqrt());
    odd(x, value.copysign(x), -1.0 / 6.0)
}

#[inline(always)]
pub fn acosh<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::log::<FMA>(x + fma64::<FMA>(x, x, -1.0).sqrt()) as f32;
    if x >= 1.0 { value } else { f32::NAN }
}

#[inline(always)]
pub fn atanh<const FMA: bool>(x: f32) -> f32 {
    let x = x as f64;
    odd(x, 0.5 * math64::log::<FMA>((1.0 + x) / (1.0 - x)), 1.0 / 3.0)
}

#[inline(always)]
pub fn cbrt<const FMA: bool>(x: f32) -> f32 {
    let wide = x as f64;
    (math64::exp::<FMA>(math64::log::<FMA>(wide.abs()) * (1.0 / 3.0)) as f32).copysign(x)
}

/// atan(x) / x in x², |x| ≤ 1; error 8e-12.
const ATAN: [f64; 13] = [
    0.99999999999163702,
    -0.33333333033758335,
    0.19999982197104794,
    -0.14285296883196262,
    0.11105987686575874,
    -0.09053022553258858,
    0.075090282562698527,
    -0.060546783857082489,
    0.044158212208485468,
    -0.026538555934173625,
    0.011779347239875638,
    -0.0033289143503174696,
    0.00044140141001608753,
];

/// The arc tangent of `y / x`, both at least zero and neither NaN, between 0 and π/2.
#[inline(always)]
fn atan_ratio<const FMA: bool>(y: f64, x: f64) -> f64 {
    let steep = y > x;
    let (small, large) = if steep { (x, y) } else { (y, x) };
    let ratio = if small == large { 1.0 } else { small / large };
    let ratio = if large == 0.0 { 0.0 } else { ratio };
    let angle = ratio * polynomial64::<13, FMA>(ratio * ratio, &ATAN);
    if steep { std::f64::consts::FRAC_PI_2 - angle } else { angle }
}

#[inline(always)]
pub fn atan<const FMA: bool>(x: f32) -> f32 {
    let angle = atan_ratio::<FMA>((x as f64).abs(), 1.0) as f32;
    if x.is_nan() { x } else { angle.copysign(x) }
}

#[inline(always)]
pub fn atan2<const FMA: bool>(y: f32, x: f32) -> f32 {
    let (wide_y, wide_x) = (y as f64, x as f64);
    let angle = atan_ratio::<FMA>(wide_y.abs(), wide_x.abs());
    let angle = if x.is_sign_negative() { std::f64::consts::PI - angle } else { angle };
    if x.is_nan() | y.is_nan() { f32::NAN } else { (angle as f32).copysign(y) }
}

/// Half the angle's tangent is x / (1 + √(1 - x²)), which never exceeds one.
#[inline(always)]
pub fn asin<const FMA: bool>(x: f32) -> f32 {
    let wide = (x as f64).abs();
    let root = ((1.0 - wide) * (1.0 + wide)).sqrt();
    let angle = 2.0 * atan_ratio::<FMA>(wide, 1.0 + root);
    if wide <= 1.0 { (angle as f32).copysign(x) } else { f32::NAN }
}

#[inline(always)]
pub fn acos<const FMA: bool>(x: f32) -> f32 {
    let wide = x as f64;
    let angle = 2.0 * atan_ratio::<FMA>((1.0 - wide).sqrt(), (1.0 + wide).sqrt());
    if wide.abs() <= 1.0 { angle as f32 } else { f32::NAN }
}

/// erf(x) / x in x², |x| ≤ 1; error 8e-13.
const ERF_NEAR: [f64; 9] = [
    1.1283791670947135,
    -0.37612638890097604,
    0.11283791318299503,
    -0.02686613401001952,
    0.0052237865192459861,
    -0.00085427028515878828,
    0.00011957328580670949,
    -1.3914051417627633e-5,
    1.060115324627804e-6,
];
/// erf(5/2 + 3/2 t), |t| ≤ 1; error 5e-10.
const ERF_FAR: [f64; 17] = [
    0.99959304774935742,
    0.0032674182183951094,
    -0.012252814400813515,
    0.028181947506690893,
    -0.043651621316956415,
    0.046448022790210004,
    -0.031868395981587983,
    0.0093029855859118703,
    0.0066407779217366406,
    -0.0097403131923054643,
    0.0046557583873356971,
    0.00066808223821900602,
    -0.0020148330162719697,
    0.00067578693881953021,
    0.00024467630588430637,
    -0.00015433479784620162,
    3.7931175443071014e-6,
];

#[inline(always)]
pub fn erf<const FMA: bool>(x: f32) -> f32 {
    let wide = x as f64;
    let size = wide.abs();
    let near = size * polynomial64::<9, FMA>(size * size, &ERF_NEAR);
    let far = polynomial64::<17, FMA>((size - 2.5) * (2.0 / 3.0), &ERF_FAR);
    let value = if size < 1.0 { near } else { far };
    let value = if size >= 4.0 { 1.0 } else { value };
    (value as f32).copysign(x)
}

/// C's rules for the special cases: anything to the power 0 is 1, and so is 1 to any power.
#[inline(always)]
pub fn pow<const FMA: bool>(x: f32, y: f32) -> f32 {
    let size = x.abs();
    let power = math64::exp::<FMA>(y as f64 * math64::log::<FMA>(size as f64)) as f32;
    let is_whole = y.trunc() == y;
    let is_odd = is_whole & ((y * 0.5).trunc() != y * 0.5);
    let power = if (size == 1.0) & !y.is_nan() { 1.0 } else { power };
    let undefined = (x < 0.0) & !is_whole & (size != f32::INFINITY);
    let power = if undefined { f32::NAN } else { power };
    let power = if is_odd & x.is_sign_negative() { -power } else { power };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { power }
}

#[inline(always)]
pub fn hypot<const FMA: bool>(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let is_infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if is_infinite { f32::INFINITY } else { (a * a + b * b).sqrt() as f32 }
}

/// Sums of logarithms below this are what cancelling terms leave; such lanes are done one by one.
pub const CANCELLED: f32 = 1e-6;

/// log(1 + e), for e from 0 to 1 or NaN.
#[inline(always)]
fn log_of_one_and<const FMA: bool>(e: f64) -> f64 {
    if e < 1e-8 { e } else { math64::log::<FMA>(1.0 + e) }
}

/// log(exp(x) + exp(y))
#[inline(always)]
pub fn log_add_exp<const FMA: bool>(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let larger = if a > b { a } else { b };
    let apart = -(a - b).abs();
    let value = larger + log_of_one_and::<FMA>(math64::exp::<FMA>(apart));
    // Equal infinities have no difference.
    (if a == b { a + std::f64::consts::LN_2 } else { value }) as f32
}

/// log2(2^x + 2^y)
#[inline(always)]
pub fn log_add_exp2<const FMA: bool>(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let larger = if a > b { a } else { b };
    let apart = -(a - b).abs() * std::f64::consts::LN_2;
    let more = log_of_one_and::<FMA>(math64::exp::<FMA>(apart)) * std::f64::consts::LOG2_E;
    (if a == b { a + 1.0 } else { larger + more }) as f32
}
