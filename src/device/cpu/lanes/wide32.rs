//! float32 functions by way of double lanes (see `math64`): for levels without fused operations, where float32 alone
//! would lose too much. Hardly more than the last rounding is left of their errors.

use super::math64::{self, MAGIC, fma, polynomial};

const PIO2_HIGH: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
const PIO2_LOW: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);

/// The rest of `x` after the nearest multiple of π/2, exact to 2^-69, and which multiple that is.
#[inline(always)]
pub fn reduce(x: f32) -> (f64, u32) {
    let x = x as f64;
    let shifted = fma::<false>(x, std::f64::consts::FRAC_2_PI, MAGIC);
    let k = shifted - MAGIC;
    let r = fma::<false>(k, -PIO2_HIGH, x);
    (fma::<false>(k, -PIO2_LOW, r), shifted.to_bits() as u32)
}

/// (sin(r) - r) / r³ and (cos(r) - 1 + r²/2) / r⁴ in r², |r| ≤ π/4; errors 9e-15 and 8e-17.
const SIN: [f64; 5] = [
    -0.16666666666638622,
    0.0083333333256184295,
    -0.00019841263729832975,
    2.7555301952102738e-6,
    -2.4755988730180409e-8,
];
const COS: [f64; 5] = [
    0.041666666666601602,
    -0.0013888888878188354,
    2.4801580933321304e-5,
    -2.7555560071003424e-7,
    2.0647277858149982e-9,
];

#[inline(always)]
pub fn tan(x: f32) -> f32 {
    let (r, quadrant) = reduce(x);
    let z = r * r;
    let sin = fma::<false>(r * z, polynomial::<5, false>(z, &SIN), r);
    let cos = fma::<false>(z * z, polynomial::<5, false>(z, &COS), 1.0 - 0.5 * z);
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
pub fn exp2(x: f32) -> f32 {
    math64::exp::<false>(x as f64 * std::f64::consts::LN_2) as f32
}

#[inline(always)]
pub fn expm1(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::exp::<false>(x) - 1.0;
    (if x.abs() < 1e-5 { x * (1.0 + 0.5 * x) } else { value }) as f32
}

#[inline(always)]
pub fn log2(x: f32) -> f32 {
    (math64::log::<false>(x as f64) * std::f64::consts::LOG2_E) as f32
}

#[inline(always)]
pub fn log10(x: f32) -> f32 {
    (math64::log::<false>(x as f64) * std::f64::consts::LOG10_E) as f32
}

#[inline(always)]
pub fn log1p(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::log::<false>(1.0 + x);
    (if x.abs() < 1e-5 { x * (1.0 - 0.5 * x) } else { value }) as f32
}

#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let x = x as f64;
    let e = math64::exp::<false>(x);
    odd(x, 0.5 * (e - 1.0 / e), 1.0 / 6.0)
}

#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let e = math64::exp::<false>(x as f64);
    (0.5 * (e + 1.0 / e)) as f32
}

#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let x = x as f64;
    // Past 20 the result is 1 to the last digit; the comparisons keep NaN.
    let twice = if x > 20.0 { 40.0 } else { 2.0 * x };
    let twice = if x < -20.0 { -40.0 } else { twice };
    let e = math64::exp::<false>(twice);
    odd(x, (e - 1.0) / (e + 1.0), -1.0 / 3.0)
}

#[inline(always)]
pub fn asinh(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::log::<false>(x.abs() + fma::<false>(x, x, 1.0).sqrt());
    odd(x, value.copysign(x), -1.0 / 6.0)
}

#[inline(always)]
pub fn acosh(x: f32) -> f32 {
    let x = x as f64;
    let value = math64::log::<false>(x + fma::<false>(x, x, -1.0).sqrt()) as f32;
    if x >= 1.0 { value } else { f32::NAN }
}

#[inline(always)]
pub fn atanh(x: f32) -> f32 {
    let x = x as f64;
    odd(x, 0.5 * math64::log::<false>((1.0 + x) / (1.0 - x)), 1.0 / 3.0)
}

#[inline(always)]
pub fn cbrt(x: f32) -> f32 {
    let wide = x as f64;
    (math64::exp::<false>(math64::log::<false>(wide.abs()) * (1.0 / 3.0)) as f32).copysign(x)
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
fn atan_ratio(y: f64, x: f64) -> f64 {
    let steep = y > x;
    let (small, large) = if steep { (x, y) } else { (y, x) };
    let ratio = if small == large { 1.0 } else { small / large };
    let ratio = if large == 0.0 { 0.0 } else { ratio };
    let angle = ratio * polynomial::<13, false>(ratio * ratio, &ATAN);
    if steep { std::f64::consts::FRAC_PI_2 - angle } else { angle }
}

#[inline(always)]
pub fn atan(x: f32) -> f32 {
    let angle = atan_ratio((x as f64).abs(), 1.0) as f32;
    if x.is_nan() { x } else { angle.copysign(x) }
}

#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (wide_y, wide_x) = (y as f64, x as f64);
    let angle = atan_ratio(wide_y.abs(), wide_x.abs());
    let angle = if x.is_sign_negative() { std::f64::consts::PI - angle } else { angle };
    if x.is_nan() | y.is_nan() { f32::NAN } else { (angle as f32).copysign(y) }
}

/// Half the angle's tangent is x / (1 + √(1 - x²)), which never exceeds one.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let wide = (x as f64).abs();
    let root = ((1.0 - wide) * (1.0 + wide)).sqrt();
    let angle = 2.0 * atan_ratio(wide, 1.0 + root);
    if wide <= 1.0 { (angle as f32).copysign(x) } else { f32::NAN }
}

#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let wide = x as f64;
    let angle = 2.0 * atan_ratio((1.0 - wide).sqrt(), (1.0 + wide).sqrt());
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
pub fn erf(x: f32) -> f32 {
    let wide = x as f64;
    let size = wide.abs();
    let near = size * polynomial::<9, false>(size * size, &ERF_NEAR);
    let far = polynomial::<17, false>((size - 2.5) * (2.0 / 3.0), &ERF_FAR);
    let value = if size < 1.0 { near } else { far };
    let value = if size >= 4.0 { 1.0 } else { value };
    (value as f32).copysign(x)
}

/// C's rules for the special cases: anything to the power 0 is 1, and so is 1 to any power.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    let size = x.abs();
    let power = math64::exp::<false>(y as f64 * math64::log::<false>(size as f64)) as f32;
    let is_whole = y.trunc() == y;
    let is_odd = is_whole & ((y * 0.5).trunc() != y * 0.5);
    let power = if (size == 1.0) & !y.is_nan() { 1.0 } else { power };
    let undefined = (x < 0.0) & !is_whole & (size != f32::INFINITY);
    let power = if undefined { f32::NAN } else { power };
    let power = if is_odd & x.is_sign_negative() { -power } else { power };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { power }
}

/// log(1 + e), for e from 0 to 1 or NaN.
#[inline(always)]
fn log_of_one_and(e: f64) -> f64 {
    if e < 1e-8 { e } else { math64::log::<false>(1.0 + e) }
}

/// log(exp(x) + exp(y))
#[inline(always)]
pub fn log_add_exp(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let larger = if a > b { a } else { b };
    let apart = -(a - b).abs();
    let value = larger + log_of_one_and(math64::exp::<false>(apart));
    // Equal infinities have no difference.
    (if a == b { a + std::f64::consts::LN_2 } else { value }) as f32
}

/// log2(2^x + 2^y)
#[inline(always)]
pub fn log_add_exp2(x: f32, y: f32) -> f32 {
    let (a, b) = (x as f64, y as f64);
    let larger = if a > b { a } else { b };
    let apart = -(a - b).abs() * std::f64::consts::LN_2;
    let more = log_of_one_and(math64::exp::<false>(apart)) * std::f64::consts::LOG2_E;
    (if a == b { a + 1.0 } else { larger + more }) as f32
}
