//! The inverse functions of the circle and of the hyperbola on double lanes, without branches.
//!
//! Method: arguments are brought near zero by sums and differences of angles, of which π/2 and the like are kept as
//! two doubles; quotients and roots carry what their rounding left out. The polynomials are minimax fits of our own,
//! made with Remez' exchange in 50 digits.

use super::math64::{fma, log_of_one_and, polynomial, quotient};
use super::pair::two_sum;
use crate::device::libm;

const HALF_PI: [f64; 2] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17];
/// atan(1/2), atan(1) and atan(3/2).
const OF_HALF: [f64; 2] = [0.4636476090008061, 2.2698777452961687e-17];
const OF_ONE: [f64; 2] = [std::f64::consts::FRAC_PI_4, 3.061616997868383e-17];
const OF_MORE: [f64; 2] = [0.982793723247329, 1.3903311031230998e-17];

/// (atan(t) - t) / t³ in t², |t| ≤ 7/16; error of the arc tangent 4e-18.
const ATAN: [f64; 11] = [
    -0.3333333333333292,
    0.19999999999873905,
    -0.14285714272266084,
    0.11111110394569078,
    -0.09090886845872677,
    0.07691871513703233,
    -0.06661024293713967,
    0.05833245057812921,
    -0.04975539975016569,
    0.03650055611990432,
    -0.01625486346984432,
];

/// c and its arc tangent as a sum, for atan(y / x) = atan(c) + atan((y - c x) / (x + c y)), and whether c is infinite; y
/// and x are at least zero.
#[inline(always)]
fn nearest(y: f64, x: f64) -> (f64, [f64; 2], bool) {
    let (mut c, mut base) = (0.0, [0.0; 2]);
    for (from, near, of) in [
        (7.0 / 16.0, 0.5, OF_HALF),
        (11.0 / 16.0, 1.0, OF_ONE),
        (19.0 / 16.0, 1.5, OF_MORE),
        (39.0 / 16.0, 0.0, HALF_PI),
    ] {
        let is_past = y > from * x;
        c = if is_past { near } else { c };
        base = [if is_past { of[0] } else { base[0] }, if is_past { of[1] } else { base[1] }];
    }
    (c, base, y > 39.0 / 16.0 * x)
}

/// `base` and the arc tangent of a small quotient, as a sum.
#[inline(always)]
fn onward<const FMA: bool>(base: [f64; 2], above: [f64; 2], below: [f64; 2]) -> [f64; 2] {
    let [t, low] = quotient::<FMA>(above, below);
    let z = t * t;
    let tail = t * z * polynomial::<11, FMA>(z, &ATAN);
    let sum = base[0] + t;
    [sum, (base[0] - sum) + t + (base[1] + low + tail)]
}

/// 0.6 ulp with fused operations.
#[inline(always)]
pub fn atan<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.atan();
    }
    // Past 1e18 the result is π/2 to the last digit; the comparison keeps NaN.
    let size = x.abs();
    let size = if size > 1e18 { 1e18 } else { size };
    let (c, base, is_steep) = nearest(size, 1.0);
    let below = fma::<FMA>(c, size, 1.0);
    let below_low = fma::<FMA>(c, size, -(below - 1.0));
    let above = if is_steep { -1.0 } else { size - c };
    let below = if is_steep { size } else { below };
    let [angle, low] = onward::<FMA>(base, [above, 0.0], [below, below_low]);
    (angle + low).copysign(x)
}

/// Between these a square and a product neither overflow nor lose digits that count.
const LEAST: f64 = 1e-140;
const MOST: f64 = 1e150;

/// `a + c b` as a sum of doubles.
#[inline(always)]
fn with_times<const FMA: bool>(a: f64, c: f64, b: f64) -> [f64; 2] {
    let product = c * b;
    let [sum, lost] = two_sum(a, product);
    [sum, lost + fma::<FMA>(c, b, -product)]
}

/// 0.6 ulp with fused operations. NaN also for what is left to the mathematics library: where the larger size is not
/// between [`LEAST`] and [`MOST`].
#[inline(always)]
pub fn atan2<const FMA: bool>(y: f64, x: f64) -> f64 {
    if !FMA {
        return y.atan2(x);
    }
    let (up, along) = (y.abs(), x.abs());
    let larger = if up > along { up } else { along };
    let is_zero = larger == 0.0;
    let is_ordinary = (larger > LEAST) & (larger < MOST) & !(up + along).is_nan() | is_zero;
    let along = if is_zero { 1.0 } else { along };
    let (c, base, is_steep) = nearest(up, along);
    let [above, above_low] = with_times::<FMA>(up, -c, along);
    let [below, below_low] = with_times::<FMA>(along, c, up);
    let above = if is_steep { [-along, 0.0] } else { [above, above_low] };
    let below = if is_steep { [up, 0.0] } else { [below, below_low] };
    let [angle, low] = onward::<FMA>(base, above, below);
    // To the left π less the angle.
    let turn = if x.is_sign_negative() { 2.0 } else { 0.0 };
    let (angle, low) = if turn > 0.0 { (-angle, -low) } else { (angle, low) };
    let whole = turn * HALF_PI[0];
    let sum = whole + angle;
    let value = sum + ((whole - sum) + angle + fma::<FMA>(turn, HALF_PI[1], low));
    if is_ordinary { value.copysign(y) } else { f64::NAN }
}

/// The root of x² + y²: 0.6 ulp with fused operations. NaN also for what is left to the mathematics library, as in
/// [`atan2`].
#[inline(always)]
pub fn hypot<const FMA: bool>(x: f64, y: f64) -> f64 {
    if !FMA {
        return x.hypot(y);
    }
    let (x, y) = (x.abs(), y.abs());
    let (large, small) = if x > y { (x, y) } else { (y, x) };
    let is_ordinary = (large > LEAST) & (large < MOST) & (small <= large) | (large == 0.0);
    let square = large * large;
    let other = small * small;
    let sum = square + other;
    let low = (square - sum)
        + other
        + fma::<FMA>(large, large, -square)
        + fma::<FMA>(small, small, -other);
    let [value, low] = root::<FMA>([sum, low]);
    if is_ordinary { value + low } else { f64::NAN }
}

/// (asin(s) - s) / s³ in s², s² ≤ 1/4; error of the arc sine 1e-18.
const ASIN: [f64; 13] = [
    0.16666666666666763,
    0.07499999999970093,
    0.04464285717529044,
    0.03038194267509334,
    0.02237221591058589,
    0.017351595424879677,
    0.013981019343701896,
    0.0113972870997626,
    0.01078935131849088,
    0.0036720813066963595,
    0.021790878583645767,
    -0.021117021228900978,
    0.032702336949748716,
];

/// The arc sine s + low of |x| where that is at most a half, and else of √((1 - |x|) / 2), which is half the arc cosine;
/// and whether it is.
#[inline(always)]
fn half_angle<const FMA: bool>(x: f64) -> (bool, f64, f64) {
    let size = x.abs();
    let is_near = size <= 0.5;
    let z = if is_near { size * size } else { (1.0 - size) * 0.5 };
    let root = z.sqrt();
    // The root of zero leaves nothing, whatever that is divided by.
    let left = fma::<FMA>(-root, root, z) * 0.5 / (root + f64::MIN_POSITIVE);
    let s = if is_near { size } else { root };
    let left = if is_near { 0.0 } else { left };
    (is_near, s, fma::<FMA>(s * z, polynomial::<13, FMA>(z, &ASIN), left))
}

/// 0.6 ulp with fused operations; NaN outside of -1 to 1.
#[inline(always)]
pub fn asin<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.asin();
    }
    let (is_near, s, low) = half_angle::<FMA>(x);
    let right = HALF_PI[0] - 2.0 * s;
    let right_low = (HALF_PI[0] - right) - 2.0 * s + fma::<FMA>(-2.0, low, HALF_PI[1]);
    (if is_near { s + low } else { right + right_low }).copysign(x)
}

/// As for the arc sine.
#[inline(always)]
pub fn acos<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return x.acos();
    }
    let (is_near, s, low) = half_angle::<FMA>(x);
    let is_left = x < 0.0;
    // π/2 less the arc sine, twice the half of the angle, or π less that.
    let (s, low) = if is_near { (s, low) } else { (2.0 * s, 2.0 * low) };
    let (s, low) = if is_near == is_left { (s, low) } else { (-s, -low) };
    let turns = if is_left { 2.0 } else { 0.0 };
    let turns = if is_near { 1.0 } else { turns };
    let base = turns * HALF_PI[0];
    let sum = base + s;
    sum + ((base - sum) + s + fma::<FMA>(turns, HALF_PI[1], low))
}

/// The root of a sum of doubles, as such a sum.
#[inline(always)]
fn root<const FMA: bool>([value, low]: [f64; 2]) -> [f64; 2] {
    let root = value.sqrt();
    let left = fma::<FMA>(-root, root, value) + low;
    [root, left * 0.5 / (root + f64::MIN_POSITIVE)]
}

/// From here on the inverse hyperbolic functions are log(2 x) to the last digit.
const LARGE: f64 = 1e9;

/// 0.7 ulp with fused operations.
#[inline(always)]
pub fn asinh<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return libm::asinh(x);
    }
    // log(1 + x + x² / (1 + √(x² + 1)))
    let size = x.abs();
    let is_large = size > LARGE;
    let v = if is_large { LARGE } else { size };
    let square = v * v;
    let square_low = fma::<FMA>(v, v, -square);
    let sum = 1.0 + square;
    let [root, root_low] = root::<FMA>([sum, (square - (sum - 1.0)) + square_low]);
    let below = root + 1.0;
    let below_low = (root - below) + 1.0 + root_low;
    let [more, more_low] = quotient::<FMA>([square, square_low], [below, below_low]);
    let t = v + more;
    let low = (v - t) + more + more_low;
    let value = log_of_one_and::<FMA>(t, low, if is_large { size } else { 0.0 });
    // An infinity and NaN are their own.
    (if size < f64::INFINITY { value } else { size }).copysign(x)
}

/// 0.7 ulp with fused operations; NaN below 1.
#[inline(always)]
pub fn acosh<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return libm::acosh(x);
    }
    // log(1 + t + √(t (t + 2))), t = x - 1, which is exact.
    let is_large = x > LARGE;
    let v = if is_large { LARGE } else { x };
    let t = v - 1.0;
    let other = v + 1.0;
    let other_low = (v - other) + 1.0;
    let product = t * other;
    let product_low = fma::<FMA>(t, other, -product) + t * other_low;
    let [root, root_low] = root::<FMA>([product, product_low]);
    let sum = root + t;
    let low = (root - sum) + t + root_low;
    let value = log_of_one_and::<FMA>(sum, low, if is_large { x } else { 0.0 });
    let value = if x == f64::INFINITY { x } else { value };
    if x >= 1.0 { value } else { f64::NAN }
}

/// 0.7 ulp with fused operations; infinite at -1 and 1, NaN beyond.
#[inline(always)]
pub fn atanh<const FMA: bool>(x: f64) -> f64 {
    if !FMA {
        return libm::atanh(x);
    }
    // log(1 + 2 x / (1 - x)) / 2
    let size = x.abs();
    let below = 1.0 - size;
    let below_low = (1.0 - below) - size;
    let [t, low] = quotient::<FMA>([2.0 * size, 0.0], [below, below_low]);
    let value = 0.5 * log_of_one_and::<FMA>(t, low, 0.0);
    let value = if size == 1.0 { f64::INFINITY } else { value };
    (if size <= 1.0 { value } else { f64::NAN }).copysign(x)
}
