//! Functions that Rust's library has not, by formulas from books.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// By the series around zero and the continued fraction beyond (Abramowitz and Stegun, 7.1.6 and
/// 7.1.14).
pub fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let z = x.abs();
    let magnitude = if z < 2.0 {
        let (mut term, mut sum, mut n) = (z, z, 0.0);
        while term > sum * 1e-18 {
            n += 1.0;
            term *= 2.0 * z * z / (2.0 * n + 1.0);
            sum += term;
        }
        sum * (-z * z).exp() * FRAC_2_SQRT_PI
    } else {
        1.0 - erfc(z)
    };
    magnitude.copysign(x)
}

pub fn erfc(x: f64) -> f64 {
    if x.is_nan() || x < 2.0 {
        return 1.0 - erf(x);
    }
    if x > 28.0 {
        return 0.0;
    }
    let fraction = (1..=120).rev().fold(x, |tail, k| x + f64::from(k) / 2.0 / tail);
    (-x * x).exp() / fraction * FRAC_2_SQRT_PI / 2.0
}

/// By Stirling's series far out and Γ(x + 1) = x Γ(x) before, by reflection below zero (Abramowitz and
/// Stegun, 6.1.40, 6.1.15 and 6.1.17).
pub fn lgamma(x: f64) -> f64 {
    if x.is_nan() || x.is_infinite() {
        return x.abs();
    }
    if x <= 0.0 {
        let whole = x == x.floor();
        let reflected = (PI / (PI * (x - x.round())).sin().abs()).ln() - lgamma(1.0 - x);
        return if whole { f64::INFINITY } else { reflected };
    }
    let (mut far, mut product) = (x, 1.0);
    while far < 12.0 {
        product *= far;
        far += 1.0;
    }
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / (far * far)) / (far * far)) / far;
    (far - 0.5) * far.ln() - far + 0.5 * (2.0 * PI).ln() + series - f64::ln(product)
}
