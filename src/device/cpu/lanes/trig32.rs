//! Sine, cosine and tangent on float32 lanes, without branches.
//!
//! Method: Cody and Waite's reduction by π/2. With fused operations it is done in float32 with π/2 in three parts,
//! and what the rest does not hold goes into the small terms; without them it is done in doubles.

use super::math32::{MAGIC, fma, polynomial};
use super::wide32;

/// Where the reductions by π/2 end; lanes beyond are done one by one.
pub const TRIG_LIMIT: f32 = 500_000.0;

/// π/2 in three parts.
const PIO2: [f32; 3] = [std::f32::consts::FRAC_PI_2, -4.371_138_8e-8, -1.715_124_5e-15];

/// The rest of `x` after a nearest multiple of π/2, |r| ≤ 0.81, as the sum of two numbers, and which multiple that
/// is.
#[inline(always)]
fn reduce<const FMA: bool>(x: f32) -> (f32, f32, u32) {
    if !FMA {
        let (r, quadrant) = wide32::reduce(x);
        return (r as f32, 0.0, quadrant);
    }
    let shifted = fma::<FMA>(x, std::f32::consts::FRAC_2_PI, MAGIC);
    let k = shifted - MAGIC;
    // Exact, for both are multiples of 2^-23 or x itself is small.
    let first = fma::<FMA>(k, -PIO2[0], x);
    let second = k * PIO2[1];
    let second_low = fma::<FMA>(k, PIO2[1], -second);
    let r = first - second;
    let low = ((first - r) - second) - second_low;
    (r, fma::<FMA>(k, -PIO2[2], low), shifted.to_bits())
}

/// (sin(r) - r) / r³ in r², |r| ≤ 0.81; error 3e-10.
const SIN: [f32; 4] = [-0.1666666716, 0.008333376609, -0.0001985176496, 2.816753522e-6];
/// (cos(r) - 1 + r²/2) / r⁴ in r², |r| ≤ 0.81; error 2e-10.
const COS: [f32; 3] = [0.04166664556, -0.001388728153, 2.442685036e-5];

/// The sine of the point `quadrant` right angles on.
#[inline(always)]
fn sin_of<const FMA: bool>(r: f32, low: f32, quadrant: u32) -> f32 {
    let z = r * r;
    let sin = r + fma::<FMA>(r * z, polynomial::<4, FMA>(z, &SIN), low);
    let most = fma::<FMA>(-0.5, z, 1.0);
    let rest = fma::<FMA>(-r, low, fma::<FMA>(-0.5, z, 1.0 - most));
    let cos = most + fma::<FMA>(z * z, polynomial::<3, FMA>(z, &COS), rest);
    let value = if quadrant & 1 == 0 { sin } else { cos };
    f32::from_bits(value.to_bits() ^ (quadrant & 2) << 30)
}

/// 0.9 ulp for |x| ≤ [`TRIG_LIMIT`], 1.6 without fused operations.
#[inline(always)]
pub fn sin<const FMA: bool>(x: f32) -> f32 {
    let (r, low, quadrant) = reduce::<FMA>(x);
    // The reduction loses the sign of a zero.
    if x == 0.0 { x } else { sin_of::<FMA>(r, low, quadrant) }
}

/// As for the sine.
#[inline(always)]
pub fn cos<const FMA: bool>(x: f32) -> f32 {
    let (r, low, quadrant) = reduce::<FMA>(x);
    sin_of::<FMA>(r, low, quadrant.wrapping_add(1))
}

/// (tan(r) - r) / r³ in r², |r| ≤ 0.81; relative error of tan 2e-9.
const TAN: [f32; 7] = [
    0.3333335817,
    0.1333236992,
    0.05409351736,
    0.02110730298,
    0.01129172184,
    -0.0004906346439,
    0.004663100932,
];

/// 0.98 ulp for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn tan<const FMA: bool>(x: f32) -> f32 {
    if !FMA {
        return wide32::tan(x);
    }
    let (r, low, quadrant) = reduce::<FMA>(x);
    let z = r * r;
    // The low part by about 1 + tan², and the square's own rounding.
    let low = fma::<FMA>(low, 1.4 * z, low);
    let low = fma::<FMA>(0.42 * r, fma::<FMA>(r, r, -z), low);
    let tail = fma::<FMA>(r * z, polynomial::<7, FMA>(z, &TAN), low);
    let tan = r + tail;
    let lost = (r - tan) + tail;
    let inverse = -1.0 / tan;
    let rest = fma::<FMA>(inverse, lost, fma::<FMA>(inverse, tan, 1.0));
    let value = if quadrant & 1 == 0 { tan } else { fma::<FMA>(inverse, rest, inverse) };
    if x == 0.0 { x } else { value }
}
