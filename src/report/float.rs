//! Floats as text: the fewest digits that identify a value of its type, and exact digits where a
//! fixed number of them is asked for. What NumPy calls `dragon4_positional` and
//! `dragon4_scientific` with `unique=True` follows from these two.

use num_complex::Complex64;

use crate::dtype::{DType, Scalar};

/// A finite float cut at its decimal point: `-12`, `5`, and the exponent of the scientific form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    /// The sign and the digits before the point.
    pub int: String,
    /// The digits after it.
    pub frac: String,
    /// The sign and at least two digits; empty in positional notation.
    pub exp: String,
}

/// `repr` of a Python float.
pub fn python_float(value: f64) -> String {
    scalar_float(value, DType::F64)
}

/// `str` of a NumPy scalar: what `print` shows.
pub fn scalar_str(value: Scalar, dtype: DType) -> String {
    match value {
        Scalar::Bool(true) => "True".to_string(),
        Scalar::Bool(false) => "False".to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Wide(value) => value.to_string(),
        Scalar::Float(value) => scalar_float(value, dtype),
        Scalar::Complex(value) => scalar_complex(value, dtype.part()),
    }
}

/// `repr` of a NumPy scalar: `np.float32(0.1)`, `np.True_`.
pub fn scalar_repr(value: Scalar, dtype: DType) -> String {
    match value {
        Scalar::Bool(value) => format!("np.{}_", if value { "True" } else { "False" }),
        _ => format!("np.{dtype}({})", scalar_str(value, dtype)),
    }
}

/// `(1+2j)`, or `2j` where the real part is a zero without a sign; each part has as few digits as it needs.
fn scalar_complex(value: Complex64, part: DType) -> String {
    let text = |part_of: f64| {
        let text = scalar_float(part_of, part);
        text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
    };
    let (re, im) = (text(value.re), text(value.im));
    if value.re == 0.0 && value.re.is_sign_positive() {
        return format!("{im}j");
    }
    let plus = if im.starts_with('-') { "" } else { "+" };
    format!("({re}{plus}{im}j)")
}

/// The largest magnitude, exclusive, that an array of this type prints without an exponent.
pub(super) fn array_cutoff(dtype: DType) -> f64 {
    dtype.format().map_or(f64::INFINITY, |format| format.array_cutoff)
}

/// Positional notation: the shortest digits if no more than `precision` of them stand after the
/// point, else exactly rounded to `precision`; trailing zeros trimmed.
pub(super) fn positional(value: f64, dtype: DType, precision: usize) -> Parts {
    let (digits, exponent) = shortest(value, dtype);
    // Digits after the point: the last digit stands for 10^(exponent - digits + 1).
    let frac_len = (digits.len() as i32 - 1 - exponent).max(0) as usize;
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if frac_len > precision {
        let text = format!("{value:.precision$}");
        let (int, frac) = text.split_once('.').unwrap_or((&text, ""));
        let frac = frac.trim_end_matches('0');
        return Parts { int: int.to_string(), frac: frac.to_string(), exp: String::new() };
    }
    let (int, frac) = if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1) as usize);
        ("0".to_string(), format!("{zeros}{digits}"))
    } else {
        let point = exponent as usize + 1;
        let int = format!("{:0<point$}", &digits[..point.min(digits.len())]);
        (int, digits.get(point..).unwrap_or("").to_string())
    };
    let frac = frac.trim_end_matches('0').to_string();
    Parts { int: format!("{sign}{int}"), frac, exp: String::new() }
}

/// Positional notation with this many digits after the point, each of them exact.
pub(super) fn positional_fixed(value: f64, digits: usize) -> Parts {
    let text = format!("{value:.digits$}");
    let (int, frac) = text.split_once('.').unwrap_or((&text, ""));
    Parts { int: int.to_string(), frac: frac.to_string(), exp: String::new() }
}

/// Scientific notation, trimmed likewise.
pub(super) fn scientific(value: f64, dtype: DType, precision: usize) -> Parts {
    let (digits, exponent) = shortest(value, dtype);
    if digits.len() - 1 > precision {
        let mut parts = scientific_exact(value, precision);
        parts.frac.truncate(parts.frac.trim_end_matches('0').len());
        return parts;
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    Parts {
        int: format!("{sign}{}", &digits[..1]),
        frac: digits[1..].to_string(),
        exp: exponent_text(exponent),
    }
}

/// Scientific notation with this many digits after the point, each of them exact. The shortest
/// digits win where their number is just this: they may differ from the exact ones by one unit.
pub(super) fn scientific_fixed(value: f64, dtype: DType, digits: usize) -> Parts {
    let parts = scientific(value, dtype, digits);
    if parts.frac.len() == digits { parts } else { scientific_exact(value, digits) }
}

fn scalar_float(value: f64, dtype: DType) -> String {
    if value.is_nan() {
        return "nan".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    let magnitude = value.abs();
    if dtype == DType::F64 && (1e-4..1e16).contains(&magnitude) {
        // Most numbers need no exponent, and are written as they are found.
        return zmij::Buffer::new().format_finite(value).to_string();
    }
    let cutoff = dtype.format().map_or(f64::INFINITY, |format| format.scalar_cutoff);
    if magnitude == 0.0 || (1e-4..cutoff).contains(&magnitude) {
        let Parts { int, frac, .. } = positional(value, dtype, usize::MAX);
        return format!("{int}.{}", if frac.is_empty() { "0" } else { &frac });
    }
    let Parts { int, frac, exp } = scientific(value, dtype, usize::MAX);
    if frac.is_empty() { format!("{int}e{exp}") } else { format!("{int}.{frac}e{exp}") }
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{:02}", exponent.unsigned_abs())
}

fn scientific_exact(value: f64, digits: usize) -> Parts {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (int, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exp = exponent_text(exponent.parse().unwrap_or(0));
    Parts { int: int.to_string(), frac: frac.to_string(), exp }
}

/// The fewest significant digits that identify a finite value among those of its type, and the
/// power of ten of the first. Without sign; zero is one digit `0`.
fn shortest(value: f64, dtype: DType) -> (String, i32) {
    let magnitude = value.abs();
    let mut room = zmij::Buffer::new();
    match dtype {
        DType::F8E4M3 | DType::F8E5M2 | DType::F16 | DType::BF16 => {
            let round = |v| Scalar::Float(v).held_as(dtype).as_f64();
            digits_of(&shortest_of_few_bits(magnitude, round))
        }
        DType::F32 => digits_of(room.format_finite(magnitude as f32)),
        _ => digits_of(room.format_finite(magnitude)),
    }
}

/// The significant digits of a number as it is written, and the power of ten of the first.
fn digits_of(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (int, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{int}{frac}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return ("0".to_string(), 0);
    }
    let before = int.len() as i32 - 1 - (all.len() - digits.len()) as i32;
    (digits.trim_end_matches('0').to_string(), exponent.parse().unwrap_or(0) + before)
}

/// Tries one digit more until `round` gives the value back. At a power of two the gap below is
/// half the gap above, so the digits rounded up may identify the value when the nearer ones,
/// rounded down, do not.
fn shortest_of_few_bits(magnitude: f64, round: impl Fn(f64) -> f64) -> String {
    let round_trips = |text: &str| text.parse().is_ok_and(|value: f64| round(value) == magnitude);
    for digits in 0..=6 {
        let nearest = format!("{magnitude:.digits$e}");
        if round_trips(&nearest) {
            return trim_mantissa(&nearest);
        }
        if let Some(above) = next_up(&nearest)
            && round_trips(&above)
        {
            return trim_mantissa(&above);
        }
    }
    format!("{magnitude:e}")
}

/// The last digit of a mantissa such as `1.25e-3` raised by one; `None` where that would carry.
fn next_up(text: &str) -> Option<String> {
    let (mantissa, exponent) = text.split_once('e')?;
    let last = mantissa.chars().next_back().filter(|digit| ('0'..='8').contains(digit))?;
    let raised = char::from(last as u8 + 1);
    Some(format!("{}{raised}e{exponent}", &mantissa[..mantissa.len() - 1]))
}

fn trim_mantissa(text: &str) -> String {
    match text.split_once('e') {
        Some((mantissa, exponent)) if mantissa.contains('.') => {
            format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_floats() {
        let cases = [
            (0.1, "0.1"),
            (1e-5, "1e-05"),
            (1e16, "1e+16"),
            (123456789.0, "123456789.0"),
            (1.5e300, "1.5e+300"),
            (-0.0, "-0.0"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
            (5e-324, "5e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(python_float(value), text);
        }
    }

    /// As `shortest`, from the standard library's digits. Of two texts equally near to the value it takes the upper
    /// one, NumPy and Python the one with the even last digit, as exact rounding does.
    fn digits_by_the_standard_library(magnitude: f64) -> (String, i32) {
        let text = format!("{magnitude:e}");
        let digits = text.split('e').next().unwrap_or(&text).len().saturating_sub(2);
        let exact = format!("{magnitude:.digits$e}");
        digits_of(if exact != text && exact.parse() == Ok(magnitude) { &exact } else { &text })
    }

    #[test]
    fn the_fewest_digits_are_the_nearest_and_even_where_two_are() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        let look = |value: f64| {
            if value.is_finite() {
                let value = value.abs();
                assert_eq!(
                    shortest(value, DType::F64),
                    digits_by_the_standard_library(value),
                    "{value:e}"
                );
                assert_eq!(python_float(value).parse(), Ok(value));
            }
        };
        for _ in 0..20_000 {
            let bits = random();
            look(f64::from_bits(bits));
            // Numbers as people have them, and some that lie in the middle between two short texts.
            look((bits % 10_000_000) as f64 / 1000.0);
            look((bits >> 32) as f64 / f64::from(1_u32 << (bits % 32)));
            look((bits >> 12) as f64 * 2.0_f64.powi((bits % 64) as i32 - 60));
        }
        for power in -1074..1024 {
            look(2.0_f64.powi(power));
        }
        for value in
            [5e-324, 9.5367431640625e-07, 5.684341886080802e-14, 2.0_f64.powi(-44), 1e22, 1e23]
        {
            look(value);
        }
    }

    #[test]
    fn numpy_scalars() {
        assert_eq!(scalar_repr(Scalar::Float(f64::from(0.1f32)), DType::F32), "np.float32(0.1)");
        assert_eq!(scalar_repr(Scalar::Bool(true), DType::Bool), "np.True_");
        assert_eq!(scalar_repr(Scalar::Int(3), DType::I8), "np.int8(3)");
        assert_eq!(scalar_str(Scalar::Float(65504.0), DType::F16), "6.55e+04");
        assert_eq!(scalar_str(Scalar::Float(123456789.0), DType::F32), "1.2345679e+08");
    }

    #[test]
    fn every_narrow_float_reads_back() {
        for (dtype, most) in [(DType::BF16, 4), (DType::F8E4M3, 3), (DType::F8E5M2, 3)] {
            for bits in 0..1u32 << (8 * dtype.size()) {
                let value = Scalar::from_bits(&bits.to_ne_bytes(), dtype);
                if value.as_f64().is_finite() {
                    let text = scalar_str(value, dtype);
                    let back = Scalar::Float(text.parse().unwrap()).held_as(dtype);
                    assert_eq!(back, value, "{text}");
                    let digits = shortest(value.as_f64(), dtype).0;
                    assert!(digits.len() <= most, "{text}");
                }
            }
        }
    }
}
