//! The functions themselves, for finite numbers without a sum that overflows or loses what is small.

use std::f64::consts::{E, FRAC_PI_2, LN_2, LN_10};

use num_complex::Complex64;

use super::special;
use crate::device::libm;

/// Why a function has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    Domain,
    Range,
}

type Outcome = Result<Complex64, Failure>;

/// Numbers up to this size may be added to each other.
const LARGE: f64 = f64::MAX / 4.0;
/// The square root of it.
const ROOT_OF_LARGE: f64 = 6.703_903_964_971_298e153;
/// Its logarithm: `exp` of this does not overflow.
const LOG_OF_LARGE: f64 = 708.396_418_532_264_1;
/// The square root of the least normal number.
const ROOT_OF_LEAST: f64 = 1.491_668_146_240_041_3e-154;
/// A power of two with an odd exponent, and what brings a square root back that was scaled by it.
const UP: f64 = 9_007_199_254_740_992.0;
const DOWN: f64 = 1.0 / 134_217_728.0;

const fn complex(re: f64, im: f64) -> Complex64 {
    Complex64 { re, im }
}

fn is_large(z: Complex64) -> bool {
    z.re.abs() > LARGE || z.im.abs() > LARGE
}

/// The logarithm of the size of a large number.
fn log_of_large(z: Complex64) -> f64 {
    (z.re / 2.0).hypot(z.im / 2.0).ln() + LN_2 * 2.0
}

/// `i z`, by which functions of circles become those of hyperbolas.
fn turned(z: Complex64) -> Complex64 {
    complex(-z.im, z.re)
}

/// `-i z`
fn turned_back(z: Complex64) -> Complex64 {
    complex(z.im, -z.re)
}

/// A result that must be finite.
fn bounded(z: Complex64) -> Outcome {
    if z.re.is_infinite() || z.im.is_infinite() { Err(Failure::Range) } else { Ok(z) }
}

pub fn acos(z: Complex64) -> Outcome {
    if !z.is_finite() {
        return Ok(special::of(&special::ACOS, z));
    }
    if is_large(z) {
        let size = log_of_large(z);
        let im = if z.re < 0.0 { -size.copysign(z.im) } else { size.copysign(-z.im) };
        return Ok(complex(z.im.abs().atan2(z.re), im));
    }
    let a = root(complex(1.0 - z.re, -z.im));
    let b = root(complex(1.0 + z.re, z.im));
    Ok(complex(2.0 * a.re.atan2(b.re), libm::asinh(b.re * a.im - b.im * a.re)))
}

pub fn acosh(z: Complex64) -> Outcome {
    if !z.is_finite() {
        return Ok(special::of(&special::ACOSH, z));
    }
    if is_large(z) {
        return Ok(complex(log_of_large(z), z.im.atan2(z.re)));
    }
    let a = root(complex(z.re - 1.0, z.im));
    let b = root(complex(z.re + 1.0, z.im));
    Ok(complex(libm::asinh(a.re * b.re + a.im * b.im), 2.0 * a.im.atan2(b.re)))
}

pub fn asin(z: Complex64) -> Outcome {
    asinh(turned(z)).map(turned_back)
}

pub fn asinh(z: Complex64) -> Outcome {
    if !z.is_finite() {
        return Ok(special::of(&special::ASINH, z));
    }
    if is_large(z) {
        let size = log_of_large(z);
        let re = if z.im >= 0.0 { size.copysign(z.re) } else { -size.copysign(-z.re) };
        return Ok(complex(re, z.im.atan2(z.re.abs())));
    }
    let a = root(complex(1.0 + z.im, -z.re));
    let b = root(complex(1.0 - z.im, z.re));
    let re = libm::asinh(a.re * b.im - b.re * a.im);
    Ok(complex(re, z.im.atan2(a.re * b.re - a.im * b.im)))
}

pub fn atan(z: Complex64) -> Outcome {
    atanh(turned(z)).map(turned_back)
}

pub fn atanh(z: Complex64) -> Outcome {
    if !z.is_finite() {
        return Ok(special::of(&special::ATANH, z));
    }
    if z.re.is_sign_negative() {
        return atanh(-z).map(|result| -result);
    }
    let height = z.im.abs();
    if z.re > ROOT_OF_LARGE || height > ROOT_OF_LARGE {
        // About 1 / z, beside a quarter of a turn.
        let half = (z.re / 2.0).hypot(z.im / 2.0);
        return Ok(complex(z.re / 4.0 / half / half, -FRAC_PI_2.copysign(-z.im)));
    }
    if z.re == 1.0 && height < ROOT_OF_LEAST {
        if height == 0.0 {
            return Err(Failure::Domain);
        }
        let re = -(height.sqrt() / height.hypot(2.0).sqrt()).ln();
        return Ok(complex(re, (2f64.atan2(-height) / 2.0).copysign(z.im)));
    }
    let below = 1.0 - z.re;
    let re = (4.0 * z.re / (below * below + height * height)).ln_1p() / 4.0;
    let im = -(-2.0 * z.im).atan2(below * (1.0 + z.re) - height * height) / 2.0;
    Ok(complex(re, im))
}

pub fn cos(z: Complex64) -> Outcome {
    cosh(turned(z))
}

/// Infinite in both parts, with the signs of an angle's cosine and sine.
fn infinite(angle: f64) -> Complex64 {
    complex(f64::INFINITY.copysign(angle.cos()), f64::INFINITY.copysign(angle.sin()))
}

/// Whether the angle of an infinite number decides its function's signs.
fn is_ray(z: Complex64) -> bool {
    z.re.is_infinite() && z.im.is_finite() && z.im != 0.0
}

pub fn cosh(z: Complex64) -> Outcome {
    if !z.is_finite() {
        if z.im.is_infinite() && !z.re.is_nan() {
            return Err(Failure::Domain);
        }
        return Ok(match is_ray(z) {
            true if z.re > 0.0 => infinite(z.im),
            true => infinite(z.im).conj(),
            false => special::of(&special::COSH, z),
        });
    }
    if z.re.abs() > LOG_OF_LARGE {
        let x = z.re - 1f64.copysign(z.re);
        return bounded(complex(z.im.cos() * x.cosh() * E, z.im.sin() * x.sinh() * E));
    }
    bounded(complex(z.im.cos() * z.re.cosh(), z.im.sin() * z.re.sinh()))
}

pub fn exp(z: Complex64) -> Outcome {
    if !z.is_finite() {
        if z.im.is_infinite() && (z.re.is_finite() || z.re == f64::INFINITY) {
            return Err(Failure::Domain);
        }
        return Ok(match is_ray(z) {
            true if z.re > 0.0 => infinite(z.im),
            true => complex(0f64.copysign(z.im.cos()), 0f64.copysign(z.im.sin())),
            false => special::of(&special::EXP, z),
        });
    }
    if z.re > LOG_OF_LARGE {
        let size = (z.re - 1.0).exp();
        return bounded(complex(size * z.im.cos() * E, size * z.im.sin() * E));
    }
    let size = z.re.exp();
    bounded(complex(size * z.im.cos(), size * z.im.sin()))
}

pub fn log(z: Complex64) -> Outcome {
    if !z.is_finite() {
        return Ok(special::of(&special::LOG, z));
    }
    let (x, y) = (z.re.abs(), z.im.abs());
    let size = x.hypot(y);
    let re = if is_large(z) {
        (x / 2.0).hypot(y / 2.0).ln() + LN_2
    } else if x < f64::MIN_POSITIVE && y < f64::MIN_POSITIVE {
        if x == 0.0 && y == 0.0 {
            return Err(Failure::Domain);
        }
        (x * UP).hypot(y * UP).ln() - f64::from(f64::MANTISSA_DIGITS) * LN_2
    } else if (0.71..=1.73).contains(&size) {
        let (more, less) = if x > y { (x, y) } else { (y, x) };
        ((more - 1.0) * (more + 1.0) + less * less).ln_1p() / 2.0
    } else {
        size.ln()
    };
    Ok(complex(re, z.im.atan2(z.re)))
}

pub fn log10(z: Complex64) -> Outcome {
    log(z).map(|result| complex(result.re / LN_10, result.im / LN_10))
}

pub fn sin(z: Complex64) -> Outcome {
    sinh(turned(z)).map(turned_back)
}

pub fn sinh(z: Complex64) -> Outcome {
    if !z.is_finite() {
        if z.im.is_infinite() && !z.re.is_nan() {
            return Err(Failure::Domain);
        }
        return Ok(match is_ray(z) {
            true if z.re > 0.0 => infinite(z.im),
            true => -infinite(z.im).conj(),
            false => special::of(&special::SINH, z),
        });
    }
    if z.re.abs() > LOG_OF_LARGE {
        let x = z.re - 1f64.copysign(z.re);
        return bounded(complex(z.im.cos() * x.sinh() * E, z.im.sin() * x.cosh() * E));
    }
    bounded(complex(z.im.cos() * z.re.sinh(), z.im.sin() * z.re.cosh()))
}

pub fn sqrt(z: Complex64) -> Outcome {
    Ok(root(z))
}

fn root(z: Complex64) -> Complex64 {
    if !z.is_finite() {
        return special::of(&special::SQRT, z);
    }
    if z.re == 0.0 && z.im == 0.0 {
        return complex(0.0, z.im);
    }
    let (x, y) = (z.re.abs(), z.im.abs());
    let size = if x < f64::MIN_POSITIVE && y < f64::MIN_POSITIVE {
        (x * UP + (x * UP).hypot(y * UP)).sqrt() * DOWN
    } else {
        let x = x / 8.0;
        2.0 * (x + x.hypot(y / 8.0)).sqrt()
    };
    let other = y / (2.0 * size);
    match z.re >= 0.0 {
        true => complex(size, other.copysign(z.im)),
        false => complex(other, size.copysign(z.im)),
    }
}

pub fn tan(z: Complex64) -> Outcome {
    tanh(turned(z)).map(turned_back)
}

pub fn tanh(z: Complex64) -> Outcome {
    if !z.is_finite() {
        if z.im.is_infinite() && z.re.is_finite() {
            return Err(Failure::Domain);
        }
        let ray = || complex(1f64.copysign(z.re), 0f64.copysign(2.0 * z.im.sin() * z.im.cos()));
        return Ok(if is_ray(z) { ray() } else { special::of(&special::TANH, z) });
    }
    if z.re.abs() > LOG_OF_LARGE {
        let im = 4.0 * z.im.sin() * z.im.cos() * (-2.0 * z.re.abs()).exp();
        return Ok(complex(1f64.copysign(z.re), im));
    }
    let (x, y, secant) = (z.re.tanh(), z.im.tan(), 1.0 / z.re.cosh());
    let both = x * y;
    let whole = 1.0 + both * both;
    Ok(complex(x * (1.0 + y * y) / whole, y / whole * secant * secant))
}

/// The number of a size and an angle.
pub fn rect(size: f64, angle: f64) -> Outcome {
    let given = complex(size, angle);
    if !given.is_finite() {
        if size != 0.0 && !size.is_nan() && angle.is_infinite() {
            return Err(Failure::Domain);
        }
        return Ok(match is_ray(given) {
            true if size > 0.0 => infinite(angle),
            true => -infinite(angle),
            false => special::of(&special::RECT, given),
        });
    }
    Ok(match angle == 0.0 {
        true => complex(size, size * angle),
        false => complex(size * angle.cos(), size * angle.sin()),
    })
}
