//! The gamma function and its logarithm by C. Lanczos's approximation with thirteen coefficients (J. Pugh's thesis
//! of 2004, the rational form in Boost), in the order of CPython's `mathmodule.c`, so that the last digits agree.

use std::f64::consts::PI;

const G: f64 = 6.024_680_040_776_73;
const G_MINUS_HALF: f64 = 5.524_680_040_776_73;

/// Of each power the coefficients above and below the fraction's line.
const COEFFICIENTS: [(f64, f64); 13] = [
    (23_531_376_880.410_76, 0.0),
    (42_919_803_642.649_1, 39_916_800.0),
    (35_711_959_237.355_67, 120_543_840.0),
    (17_921_034_426.037_21, 150_917_976.0),
    (6_039_542_586.352_028, 105_258_076.0),
    (1_439_720_407.311_721_6, 45_995_730.0),
    (248_874_557.862_054_17, 13_339_535.0),
    (31_426_415.585_400_194, 2_637_558.0),
    (2_876_370.628_935_372_5, 357_423.0),
    (186_056.265_395_223_48, 32_670.0),
    (8_071.672_002_365_816, 1_925.0),
    (210.824_277_751_579_36, 66.0),
    (2.506_628_274_631_000_2, 1.0),
];

/// Γ up to this number is a product of integers, which is exact.
const EXACT: f64 = 23.0;

/// The fraction of two polynomials; in falling powers where `x` is large, so that nothing overflows.
fn fraction(x: f64) -> f64 {
    let (above, below) = if x < 5.0 {
        let terms = COEFFICIENTS.iter().rev();
        terms.fold((0.0, 0.0), |(above, below), (a, b)| (above * x + a, below * x + b))
    } else {
        let terms = COEFFICIENTS.iter();
        terms.fold((0.0, 0.0), |(above, below), (a, b)| (above / x + a, below / x + b))
    };
    above / below
}

/// sin(πx) of a number that is no integer.
fn sine_of_half_turns(x: f64) -> f64 {
    let y = x.abs() % 2.0;
    let sine = match (2.0 * y).round() as u8 {
        0 => (PI * y).sin(),
        1 => (PI * (y - 0.5)).cos(),
        2 => (PI * (1.0 - y)).sin(),
        3 => -(PI * (y - 1.5)).cos(),
        _ => (PI * (y - 2.0)).sin(),
    };
    if x < 0.0 { -sine } else { sine }
}

/// Γ(x), where `x` is no pole.
pub fn gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return x;
    }
    if x.fract() == 0.0 && x <= EXACT {
        return (1..x as i64).map(|i| i as f64).product();
    }
    let size = x.abs();
    if size < 1e-20 {
        return 1.0 / x;
    }
    if size > 200.0 {
        return if x < 0.0 { 0.0 / sine_of_half_turns(x) } else { f64::INFINITY };
    }
    let y = size + G_MINUS_HALF;
    // What the sum has lost.
    let lost = match size > G_MINUS_HALF {
        true => (y - size) - G_MINUS_HALF,
        false => (y - G_MINUS_HALF) - size,
    };
    let lost = lost * G / y;
    // The power in two halves where the whole would be too large.
    let halves = size >= 140.0;
    let power = y.powf(if halves { size / 2.0 - 0.25 } else { size - 0.5 });
    if x < 0.0 {
        let mut r = -PI / sine_of_half_turns(size) / size * y.exp() / fraction(size);
        r -= lost * r;
        r /= power;
        if halves { r / power } else { r }
    } else {
        let mut r = fraction(size) / y.exp();
        r += lost * r;
        r *= power;
        if halves { r * power } else { r }
    }
}

/// ln |Γ(x)|, where `x` is no pole.
pub fn lgamma(x: f64) -> f64 {
    if !x.is_finite() {
        return x.abs();
    }
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let size = x.abs();
    if size < 1e-20 {
        return -size.ln();
    }
    let r = fraction(size).ln() - G;
    let r = r + (size - 0.5) * ((size + G - 0.5).ln() - 1.0);
    match x < 0.0 {
        true => PI.ln() - sine_of_half_turns(size).abs().ln() - size.ln() - r,
        false => r,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By CPython 3.11.
    #[test]
    fn last_digits_are_cpythons() {
        for (x, expected) in [
            (1e-25, 57.564627324851145),
            (1e-05, 11.512919692895824),
            (0.1, 2.2527126517342055),
            (0.5, 0.5723649429247004),
            (0.9, 0.0663762397347431),
            (1.0, 0.0),
            (1.5, -0.12078223763524543),
            (2.5, 0.2846828704729196),
            (3.7, 1.4280723266653883),
            (4.999, 3.1765478233491224),
            (5.0, 3.178053830347945),
            (10.3, 13.48203678613836),
            (23.5, 50.03349410501915),
            (30.0, 71.257038967168),
            (100.5, 361.4355404677776),
            (139.5, 547.810515479084),
            (141.2, 556.2094783474536),
            (170.9, 706.0592179039489),
            (-0.5, 1.265512123484645),
            (-1.5, 0.8600470153764812),
            (-3.3, -0.824355805017426),
            (-10.7, -15.416789096416638),
            (-30.25, -74.02239745035547),
            (-141.5, -561.5013574003531),
            (-170.3, -706.7582817976473),
            (10000000000.0, 220258509288.81058),
            (1e+300, 6.897755278982137e+302),
        ] {
            assert_eq!(lgamma(x).to_bits(), f64::to_bits(expected), "lgamma({x})");
        }
        for (x, expected) in [
            (1e-25, 9.999999999999999e+24),
            (1e-05, 99999.42279422554),
            (0.1, 9.513507698668732),
            (0.5, 1.7724538509055159),
            (0.9, 1.068628702119319),
            (1.0, 1.0),
            (1.5, 0.886226925452758),
            (2.5, 1.3293403881791372),
            (3.7, 4.170651783796603),
            (4.999, 23.963883035055535),
            (5.0, 24.0),
            (10.3, 716430.6890623765),
            (23.5, 5.361303587544413e+21),
            (30.0, 8.841761993739703e+30),
            (100.5, 9.320963104082718e+156),
            (139.5, 8.14861879182775e+237),
            (141.2, 3.619988814401909e+241),
            (170.9, 4.341324334535225e+306),
            (-0.5, -3.544907701811032),
            (-1.5, 2.3632718012073544),
            (-3.3, 0.4385173921987632),
            (-10.7, -2.0163855047883625e-07),
            (-30.25, -7.120020598361711e-33),
            (-141.5, 1.3901411520078853e-244),
            (-170.3, -1.1449279983878118e-307),
            (7.0, 720.0),
            (23.0, 1.1240007277776077e+21),
        ] {
            assert_eq!(gamma(x).to_bits(), f64::to_bits(expected), "gamma({x})");
        }
    }
}
