//! The elementary functions against mpmath (`tests/numpy/math_goldens.py`), at every level of vector
//! instructions: at the ends of ranges, next to zeros and poles, and where terms cancel.

use std::collections::BTreeMap;

use super::super::{Level, lanes};
use crate::dtype::DType;
use crate::ir::{BinaryOp, UnaryOp};

pub(super) const GOLDENS: &str = include_str!("../../../../tests/numpy/math_goldens.txt");

/// One value of one function.
struct Golden {
    arguments: Vec<f64>,
    /// The exact value is their sum.
    high: f64,
    low: f64,
}

/// By type and function.
fn goldens() -> BTreeMap<(&'static str, &'static str), Vec<Golden>> {
    let mut all: BTreeMap<(&str, &str), Vec<Golden>> = BTreeMap::new();
    for line in GOLDENS.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [dtype, name, numbers @ ..] = &words[..] else { panic!("no golden: {line}") };
        let numbers: Vec<f64> = numbers.iter().map(|word| word.parse().unwrap()).collect();
        let (arguments, exact) = numbers.split_at(numbers.len() - 2);
        let golden = Golden { arguments: arguments.to_vec(), high: exact[0], low: exact[1] };
        all.entry((*dtype, *name)).or_default().push(golden);
    }
    all
}

/// A float type, and its functions on some lanes.
trait Float: Copy + Default {
    const DTYPE: DType;
    /// Bits of the significand after its first.
    const DIGITS: i32;
    const LEAST_EXPONENT: i32;
    fn from_f64(x: f64) -> Self;
    fn to_f64(self) -> f64;
}

macro_rules! floats {
    ($($type:ty, $dtype:ident;)*) => {$(
        impl Float for $type {
            const DTYPE: DType = DType::$dtype;
            const DIGITS: i32 = <$type>::MANTISSA_DIGITS as i32 - 1;
            const LEAST_EXPONENT: i32 = <$type>::MIN_EXP - 1;

            fn from_f64(x: f64) -> $type {
                x as $type
            }

            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}

floats! {
    f32, F32;
    f64, F64;
}

fn exponent(x: f64) -> i32 {
    let bits = (x.abs().to_bits() >> 52) as i32;
    if bits == 0 { -1022 } else { bits - 1023 }
}

/// The distance from the exact value in units of the last place that the type has there.
fn ulps<T: Float>(found: T, golden: &Golden) -> f64 {
    let found = found.to_f64();
    let rounded = T::from_f64(golden.high).to_f64();
    if found == rounded && golden.low == 0.0 || found.is_infinite() && rounded.is_infinite() {
        return if found.is_sign_negative() == rounded.is_sign_negative() { 0.0 } else { f64::NAN };
    }
    let step = exponent(golden.high).max(T::LEAST_EXPONENT) - T::DIGITS;
    // In two factors: the unit itself may have no place among normal numbers.
    let scaled = |x: f64| x * 2f64.powi(-step / 2) * 2f64.powi(-step - -step / 2);
    ((scaled(found) - scaled(golden.high)) - scaled(golden.low)).abs()
}

/// What each function keeps, in units of the last place.
fn bound(level: Level, dtype: DType, name: &str, golden: f64) -> f64 {
    let is_fused = level > Level::Baseline;
    match (dtype, name) {
        // Near zero the two terms of its sum cancel.
        (DType::F64, "logaddexp" | "logaddexp2") if golden.abs() < 0.25 => 1.0,
        (DType::F64, "exp" | "log") => 1.25,
        // Rounded once as a number of all digits, and once more to those that it has.
        (DType::F64, "exp2") if golden.abs() < f64::MIN_POSITIVE => 1.0,
        (DType::F64, "cbrt" | "cosh" | "exp2" | "tan" | "pow") if is_fused => 0.55,
        (DType::F64, "pow" | "hypot" | "atan2") => 1.0,
        // Without fused operations they are the library's.
        (DType::F64, "sin" | "cos") if is_fused => 0.52,
        (DType::F64, "asin" | "acos" | "atan" | "asinh" | "acosh" | "atanh") if is_fused => 0.65,
        (DType::F64, "log2" | "log10" | "sinh") if is_fused => 0.65,
        (DType::F64, "expm1" | "log1p" | "tanh") if is_fused => 0.7,
        (DType::F64, "rsqrt") => 1.5,
        // As the manual of GNU's says.
        (DType::F64, "erfc") => 5.0,
        (DType::F64, "lgamma") => 4.0,
        // Those of the C library, which are between 0.6 and 2.1 in GNU's.
        (DType::F64, _) => 2.5,
        (_, "sigmoid") => 2.5,
        (_, "exp" | "log" | "sin" | "cos") => 1.6,
        _ => 1.0,
    }
}

/// Sums of logarithms are what is left of 1 by a difference of numbers that pairs of doubles hold to
/// 2^-105: of a result below 2^-52 that is more than a unit.
fn allowance<T: Float>(name: &str, golden: &Golden) -> f64 {
    let unit = exponent(golden.high).max(T::LEAST_EXPONENT) - T::DIGITS;
    if name.starts_with("logaddexp") { 2f64.powi(-105 - unit) } else { 0.0 }
}

fn apply<T: Float>(level: Level, name: &str, goldens: &[Golden]) -> Vec<T> {
    let lane = |at: usize| goldens.iter().map(move |g| T::from_f64(g.arguments[at])).collect();
    let first: Vec<T> = lane(0);
    let mut out = vec![T::default(); first.len()];
    let (target, a) = (out.as_mut_ptr().cast(), first.as_ptr().cast());
    if let Some(op) = UnaryOp::ALL.iter().find(|op| op.name() == name) {
        // SAFETY: both have as many lanes of the type.
        unsafe { lanes::unary(level, *op, T::DTYPE)(target, a, first.len()) };
        return out;
    }
    let op = BinaryOp::ALL.iter().find(|op| op.name() == name);
    let (op, second) = (op.unwrap_or_else(|| panic!("no function {name}")), lane(1));
    let b: *const T = second.as_ptr();
    // SAFETY: all have as many lanes of the type.
    unsafe { lanes::binary(level, *op, T::DTYPE)(target, a, b.cast(), first.len()) };
    out
}

fn check<T: Float>(name: &str, goldens: &[Golden], failures: &mut Vec<String>) {
    for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
        for (found, golden) in apply::<T>(level, name, goldens).into_iter().zip(goldens) {
            let off = ulps(found, golden);
            let is_near =
                off <= bound(level, T::DTYPE, name, golden.high) + allowance::<T>(name, golden);
            let zeros = golden.high == 0.0 && golden.low == 0.0 && found.to_f64() == 0.0;
            if !is_near
                || zeros && found.to_f64().is_sign_negative() != golden.high.is_sign_negative()
            {
                failures.push(format!(
                    "{level:?} {} {name}{:?} = {:e}, not {:e}: {off} ulp",
                    T::DTYPE,
                    golden.arguments,
                    found.to_f64(),
                    golden.high
                ));
            }
        }
    }
}

#[test]
fn functions_are_as_exact_as_they_say() {
    let mut failures = Vec::new();
    let all = goldens();
    assert!(all.len() > 50, "only {} functions", all.len());
    for ((dtype, name), goldens) in &all {
        match *dtype {
            "float64" => check::<f64>(name, goldens, &mut failures),
            _ => check::<f32>(name, goldens, &mut failures),
        }
    }
    assert!(failures.is_empty(), "{} lanes:\n{}", failures.len(), failures.join("\n"));
}
