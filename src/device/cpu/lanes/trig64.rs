//! Sine, cosine and tangent on double lanes, without branches.
//!
//! Method: the reduction by three parts of π/2 (Cody and Waite, "Software Manual for the Elementary Functions", 1980)
//! leaves an angle as the sum of two doubles; products and sums of the first terms carry what their rounding left out
//! (Dekker, "A floating-point technique for extending the available precision", 1971). The polynomials are minimax
//! fits of our own, made with Remez' exchange in 50 digits.

use super::math64::{MAGIC, fma, polynomial, quotient};

/// Where the reduction ends; lanes beyond are done one by one.
pub const TRIG_LIMIT: f64 = 1e9;

const PIO2: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3c91_a626_3314_5c07),
    f64::from_bits(0xb91f_1976_b7ed_8fbc),
];

/// (sin(r) - r + r³/6) / r⁵ in r², |r| ≤ π/4; relative error of the sine 3e-21.
const SIN: [f64; 6] = [
    0.00833333333333333,
    -0.00019841269841262352,
    2.7557319217509597e-6,
    -2.505210568408908e-8,
    1.6058455795941726e-10,
    -7.582747986896991e-13,
];
/// (cos(r) - 1 + r²/2 - r⁴/24) / r⁶ in r², |r| ≤ π/4; error of the cosine 9e-20.
const COS: [f64; 5] = [
    -0.0013888888888884251,
    2.4801587295129082e-5,
    -2.7557315834832456e-7,
    2.087590879050682e-9,
    -1.1368578626874922e-11,
];

/// 1/6 and 1/24, with what their doubles leave out.
const SIXTH: [f64; 2] = [1.0 / 6.0, 9.25185853854297e-18];
const TWENTY_FOURTH: [f64; 2] = [1.0 / 24.0, 2.3129646346357427e-18];

/// The rest of `x` after the nearest multiple of π/2, as the sum of two doubles, and which multiple that is.
#[inline(always)]
fn reduce<const FMA: bool>(x: f64) -> (f64, f64, u64) {
    let shifted = fma::<FMA>(x, std::f64::consts::FRAC_2_PI, MAGIC);
    let k = shifted - MAGIC;
    // Exact: less than one, and a multiple of the last place of π/2.
    let first = fma::<FMA>(k, -PIO2[0], x);
    let second = k * PIO2[1];
    let r = first - second;
    let back = r - first;
    let low = (first - (r - back)) - (second + back) - fma::<FMA>(k, PIO2[1], -second);
    (r, fma::<FMA>(k, -PIO2[2], low), shifted.to_bits())
}

/// The sine and the cosine of `r + low`, each as the sum of two doubles.
#[inline(always)]
fn both<const FMA: bool>(r: f64, low: f64) -> ([f64; 2], [f64; 2]) {
    let z = r * r;
    let z_low = fma::<FMA>(r, r, -z);
    // r + r v, v = z (-1/6 + …).
    let tail = z * polynomial::<6, FMA>(z, &SIN);
    let w = tail - SIXTH[0];
    let w_low = (tail - (w + SIXTH[0])) - SIXTH[1];
    let v = z * w;
    let v_low = fma::<FMA>(z, w, -v) + fma::<FMA>(z_low, w, z * w_low);
    let more = r * v;
    let more_low = fma::<FMA>(r, v, -more);
    let s = r + more;
    let s_low = (r - s) + more;
    // 1 - z/2 + z² (1/24 + …).
    let half = 0.5 * z;
    let c = 1.0 - half;
    let c_low = (1.0 - c) - half;
    let square = z * z;
    let square_low = fma::<FMA>(z, z, -square) + 2.0 * z * z_low;
    let tail = z * polynomial::<5, FMA>(z, &COS);
    let w = TWENTY_FOURTH[0] + tail;
    let w_low = (TWENTY_FOURTH[0] - w) + tail + TWENTY_FOURTH[1];
    let m = square * w;
    let m_low = fma::<FMA>(square, w, -m) + fma::<FMA>(square_low, w, square * w_low);
    // By the slopes cos r and -sin r.
    let sin_low = s_low + more_low + fma::<FMA>(r, v_low, low * c);
    let cos_low = c_low + m_low + fma::<FMA>(-0.5, z_low, -low * s) + m;
    ([s, sin_low], [c, cos_low])
}

/// The sine of the point `quadrant` right angles on from `r + low`.
#[inline(always)]
fn sin_of<const FMA: bool>(r: f64, low: f64, quadrant: u64) -> f64 {
    let (sin, cos) = both::<FMA>(r, low);
    let value = if quadrant & 1 == 0 { sin[0] + sin[1] } else { cos[0] + cos[1] };
    f64::from_bits(value.to_bits() ^ (quadrant & 2) << 62)
}

/// 0.51 ulp for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn sin<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.sin();
    }
    let (r, low, quadrant) = reduce::<FMA>(x);
    // The reduction loses the sign of a zero.
    if x == 0.0 { x } else { sin_of::<FMA>(r, low, quadrant) }
}

/// As for the sine.
#[inline(always)]
pub fn cos<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.cos();
    }
    let (r, low, quadrant) = reduce::<FMA>(x);
    sin_of::<FMA>(r, low, quadrant.wrapping_add(1))
}

/// 0.6 ulp for |x| ≤ [`TRIG_LIMIT`].
#[inline(always)]
pub fn tan<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.tan();
    }
    let (r, low, quadrant) = reduce::<FMA>(x);
    let (sin, cos) = both::<FMA>(r, low);
    let sum = cos[0] + cos[1];
    let cos = [sum, (cos[0] - sum) + cos[1]];
    let is_odd = quadrant & 1 == 1;
    let turned = |part: usize| match is_odd {
        true => (-cos[part], sin[part]),
        false => (sin[part], cos[part]),
    };
    let ((above, below), (above_low, below_low)) = (turned(0), turned(1));
    let [value, low] = quotient::<FMA>([above, above_low], [below, below_low]);
    if x == 0.0 { x } else { value + low }
}
