//! The inverse functions of the circle on float32 lanes, without branches.
//!
//! Method, with fused operations: a polynomial where the result is small, and right angles less or more one of a
//! smaller number elsewhere, with what the root or the quotient that gives it left out.

use super::hyperbolic32::rough_inverse;
use super::math32::{fma, polynomial};
use super::wide32;

/// π/2 in two parts.
const PIO2: [f32; 2] = [std::f32::consts::FRAC_PI_2, -4.371_138_8e-8];

/// `base + part + rest`, the last of which is small.
#[inline(always)]
fn sum_of(base: f32, part: f32, rest: f32) -> f32 {
    let sum = base + part;
    sum + (((base - sum) + part) + rest)
}

/// (asin(x) - x) / x³ in x², |x| ≤ 1/2; relative error of asin 3e-10.
const ASIN: [f32; 6] =
    [0.1666665971, 0.07500523329, 0.04451289028, 0.03184443712, 0.01429046411, 0.03773619607];

/// `value`, with the other sign where `x` has one.
#[inline(always)]
fn signed(value: f32, x: f32) -> f32 {
    f32::from_bits(value.to_bits() ^ (x.to_bits() & 0x8000_0000))
}

/// For the size of a sine: whether it is at most a half, √((1 - size) / 2) with twice what that leaves out, and the
/// square of what is small of both.
#[inline(always)]
fn halved<const FMA: bool>(size: f32) -> (bool, f32, f32, f32) {
    let half = fma::<FMA>(-0.5, size, 0.5);
    let root = half.sqrt();
    let is_near = size <= 0.5;
    let z = if is_near { size * size } else { half };
    (is_near, root, fma::<FMA>(-root, root, half) * rough_inverse(root), z)
}

/// 0.63 ulp. NaN beyond 1.
#[inline(always)]
pub fn asin<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::asin(x);
    }
    let size = x.abs();
    let (is_near, root, low, z) = halved::<FMA>(size);
    let (angles, part) = if is_near { (0.0, size) } else { (1.0, -(root + root)) };
    let low = if is_near { 0.0 } else { PIO2[1] - low };
    let rest = fma::<FMA>(part * z, polynomial::<6, FMA>(z, &ASIN), low);
    sum_of(angles * PIO2[0], part, rest).copysign(x)
}

/// 0.62 ulp. NaN beyond 1.
#[inline(always)]
pub fn acos<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::acos(x);
    }
    let (is_near, root, low, z) = halved::<FMA>(x.abs());
    let far = if x > 0.0 { 0.0 } else { 2.0 };
    let angles = if is_near { 1.0 } else { far };
    let part = if is_near { -x } else { (root + root).copysign(x) };
    let low = if is_near { 0.0 } else { signed(low, x) };
    let low = fma::<FMA>(angles, PIO2[1], low);
    let rest = fma::<FMA>(part * z, polynomial::<6, FMA>(z, &ASIN), low);
    sum_of(angles * PIO2[0], part, rest)
}

/// (atan(x) - x) / x³ in x², |x| ≤ 1; relative error of atan 5e-10.
const ATAN: [f32; 10] = [
    -0.3333332837,
    0.1999971569,
    -0.1428034306,
    0.1106123328,
    -0.08821462095,
    0.06763648987,
    -0.04498326033,
    0.02277762815,
    -0.007425374351,
    0.001134525868,
];

/// `base`, the arc tangent of `part`, at most 1, and `low`.
#[inline(always)]
fn atan_of<const FMA: bool>(base: f32, part: f32, low: f32) -> f32 {
    let z = part * part;
    // The cube's own rounding.
    let cube = part * z;
    let cube_low = fma::<FMA>(part, fma::<FMA>(part, part, -z), fma::<FMA>(part, z, -cube));
    let low = fma::<FMA>(-0.25, cube_low, low);
    sum_of(base, part, fma::<FMA>(cube, polynomial::<10, FMA>(z, &ATAN), low))
}

/// What is lost of the argument of an arc tangent, by about its derivative there.
#[inline(always)]
fn lost_of<const FMA: bool>(part: f32, lost: f32) -> f32 {
    fma::<FMA>(part * lost, -0.5 * part, lost)
}

/// 0.64 ulp: from π/4 on both sides of one, and from π/2 beyond two.
#[inline(always)]
pub fn atan<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::atan(x);
    }
    // The comparisons keep NaN.
    let size = x.abs();
    let size = if size > 1e12 { 1e12 } else { size };
    let (is_mid, is_steep) = (size > 0.5, size > 2.0);
    let next = size + 1.0;
    let (above, below, base) =
        if is_mid { (size - 1.0, next, PIO2[0] / 2.0) } else { (size, 1.0, 0.0) };
    let (above, below, base) = if is_steep { (-1.0, size, PIO2[0]) } else { (above, below, base) };
    let part = above / below;
    // What the quotient leaves out, by the inverse of what is below: of one nothing is.
    let next_low = if is_mid { size - (next - 1.0) } else { 0.0 };
    let below_low = if is_steep { 0.0 } else { next_low };
    let inverse = if is_steep { -part } else { fma::<FMA>(-0.5, part, 0.5) };
    let lost = fma::<FMA>(-part, below_low, fma::<FMA>(-part, below, above)) * inverse;
    let low = fma::<FMA>(base, PIO2[1] / PIO2[0], lost_of::<FMA>(part, lost));
    atan_of::<FMA>(base, part, low).copysign(x)
}

/// 0.98 ulp of a billion pairs.
#[inline(always)]
pub fn atan2<const FMA: bool>(y: f32, x: f32) -> f32 {
    if !FMA {
        return wide32::atan2(y, x);
    }
    let (height, width) = (y.abs(), x.abs());
    let is_steep = height > width;
    let (small, large) = if is_steep { (width, height) } else { (height, width) };
    let ratio = if small == large { 1.0 } else { small / large };
    let ratio = if large == 0.0 { 0.0 } else { ratio };
    // What the quotient leaves out, in the range of normal numbers; of a small one it does not count.
    let scale = if large > 1.0 { 1.0 / 16777216.0 } else { 18446744073709551616.0 };
    let (a, b) = (small * scale, large * scale);
    let lost = fma::<FMA>(-ratio, b, a) * rough_inverse(b);
    let lost = if (ratio > 1e-5) & (ratio < 1.0) { lost } else { 0.0 };
    let side = if is_steep { -x } else { x };
    let half_turn = if x.is_sign_negative() { 2.0 } else { 0.0 };
    let angles = if is_steep { 1.0 } else { half_turn };
    let low = fma::<FMA>(angles, PIO2[1], lost_of::<FMA>(ratio, signed(lost, side)));
    let angle = atan_of::<FMA>(angles * PIO2[0], ratio.copysign(side), low).copysign(y);
    if x.is_nan() | y.is_nan() { f32::NAN } else { angle }
}
