//! Python's complex numbers: arithmetic, text and hash as CPython has them. Its formulas are older than
//! C99's rules for infinite parts, so they are written down here and not taken from a library.

use std::cmp::Ordering;

use num_complex::Complex64;

use super::ops::unsupported;
use super::value::Value;
use super::{hash, scalar};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::Scalar;
use crate::report::python_float;
use crate::syntax::ast::{BinaryOp, UnaryOp};

/// The largest exponent that is done by products.
const SMALL_POWER: f64 = 100.0;

/// A number as a complex one; `None` of anything else.
pub fn of(value: &Value) -> Option<Complex64> {
    value.number().map(Scalar::as_complex)
}

/// All that tells two of them apart, the signs of zeros too.
pub fn bits(number: Complex64) -> [u64; 2] {
    [number.re.to_bits(), number.im.to_bits()]
}

/// `lhs op rhs` where a complex number takes part, or comes out: a negative number to a fractional power.
/// `None` where that is somebody else's work.
#[inline(never)]
pub fn binary(op: BinaryOp, lhs: &Value, rhs: &Value) -> Option<Result<Value, Fault>> {
    let is_complex = |value: &Value| matches!(value, Value::Complex(_));
    let (a, b) = match is_complex(lhs) || is_complex(rhs) {
        true => (of(lhs)?, of(rhs)?),
        false if op == BinaryOp::Pow => fractional_power(lhs.scalar()?, rhs.scalar()?)?,
        false => return None,
    };
    let result = match op {
        BinaryOp::Add => Ok(Complex64::new(a.re + b.re, a.im + b.im)),
        BinaryOp::Sub => Ok(Complex64::new(a.re - b.re, a.im - b.im)),
        BinaryOp::Mul => Ok(product(a, b)),
        BinaryOp::Div => quotient(a, b).ok_or_else(|| zero_division("complex division by zero")),
        BinaryOp::Pow => power(a, b),
        _ => Err(unsupported(op.symbol(), lhs, rhs).into()),
    };
    Some(result.map(Value::from))
}

/// A negative number and a power of it that is no real number.
fn fractional_power(base: Scalar, exponent: Scalar) -> Option<(Complex64, Complex64)> {
    let (a, b) = (base.as_f64(), exponent.as_f64());
    let is_complex = a < 0.0 && a.is_finite() && b.is_finite() && b.fract() != 0.0;
    is_complex.then(|| (a.into(), b.into()))
}

/// `op value`; `not` is the caller's.
pub fn unary(op: UnaryOp, number: Complex64) -> Result<Value, Fault> {
    match op {
        UnaryOp::Neg => Ok(Complex64::new(-number.re, -number.im).into()),
        UnaryOp::Pos => Ok(number.into()),
        UnaryOp::Not => Ok(Value::Bool(!is_true(number))),
        UnaryOp::Invert => Err(Fault::type_error("bad operand type for unary ~: 'complex'")),
    }
}

/// Whether both could be one object: a NaN is every NaN, as numbers have no identity here.
pub fn is_same(a: Complex64, b: Complex64) -> bool {
    let is_one = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
    is_one(a.re, b.re) && is_one(a.im, b.im)
}

pub fn is_true(number: Complex64) -> bool {
    number.re != 0.0 || number.im != 0.0
}

/// Whether two numbers are equal, of which one is complex; exact beside integers.
pub fn equal(lhs: &Value, rhs: &Value) -> Option<bool> {
    let real = |complex: Complex64, other: &Value| {
        let order = scalar::compare(Scalar::Float(complex.re), other.scalar()?);
        Some(complex.im == 0.0 && order == Some(Ordering::Equal))
    };
    match (lhs, rhs) {
        (Value::Complex(a), Value::Complex(b)) => Some(a.re == b.re && a.im == b.im),
        (Value::Complex(a), other) | (other, Value::Complex(a)) => real(**a, other),
        _ => None,
    }
}

/// The order of two numbers as NumPy has it for its own: by real parts, then by imaginary ones.
pub fn compare(a: Scalar, b: Scalar) -> Option<Ordering> {
    match (a, b) {
        (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => {
            let (a, b) = (a.as_complex(), b.as_complex());
            Some(a.re.partial_cmp(&b.re)?.then(a.im.partial_cmp(&b.im)?))
        }
        _ => scalar::compare(a, b),
    }
}

/// The size of a number.
pub fn absolute(number: Complex64) -> Result<f64, Fault> {
    let size = number.re.hypot(number.im);
    match size.is_infinite() && number.re.is_finite() && number.im.is_finite() {
        true => Err(Fault::new(ErrorKind::Overflow, "absolute value too large")),
        false => Ok(size),
    }
}

/// That of the real number where it is one.
pub fn hash_of(number: Complex64) -> i64 {
    const IMAGINARY: i64 = 1_000_003;
    let imaginary = hash::of_float(number.im).wrapping_mul(IMAGINARY);
    let hash = hash::of_float(number.re).wrapping_add(imaginary);
    if hash == -1 { -2 } else { hash }
}

/// `(1+2j)`; without a real part `2j`.
pub fn repr(number: Complex64) -> String {
    let part = |value: f64| {
        let text = python_float(value);
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    };
    let imaginary = part(number.im);
    if number.re == 0.0 && number.re.is_sign_positive() {
        return format!("{imaginary}j");
    }
    let sign = if imaginary.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{imaginary}j)", part(number.re))
}

pub fn product(a: Complex64, b: Complex64) -> Complex64 {
    Complex64::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/// By Smith's method, so that no square is too large; `None` where the divisor is zero.
pub fn quotient(a: Complex64, b: Complex64) -> Option<Complex64> {
    let (real, imaginary) = (b.re.abs(), b.im.abs());
    if real >= imaginary {
        if real == 0.0 {
            return None;
        }
        let ratio = b.im / b.re;
        let whole = b.re + b.im * ratio;
        Some(Complex64::new((a.re + a.im * ratio) / whole, (a.im - a.re * ratio) / whole))
    } else if imaginary >= real {
        let ratio = b.re / b.im;
        let whole = b.re * ratio + b.im;
        Some(Complex64::new((a.re * ratio + a.im) / whole, (a.im * ratio - a.re) / whole))
    } else {
        Some(Complex64::new(f64::NAN, f64::NAN))
    }
}

fn power(base: Complex64, exponent: Complex64) -> Result<Complex64, Fault> {
    let whole = exponent.re;
    let is_small = exponent.im == 0.0 && whole == whole.floor() && whole.abs() <= SMALL_POWER;
    let power = if is_small {
        let power = repeated(base, whole.abs() as u32);
        if whole > 0.0 { Some(power) } else { quotient(Complex64::new(1.0, 0.0), power) }
    } else {
        polar_power(base, exponent)
    };
    match power {
        None => Err(zero_division("0.0 to a negative or complex power")),
        Some(power) if power.re.is_infinite() || power.im.is_infinite() => {
            Err(Fault::new(ErrorKind::Overflow, "complex exponentiation"))
        }
        Some(power) => Ok(power),
    }
}

/// A power by squares.
fn repeated(base: Complex64, mut exponent: u32) -> Complex64 {
    let (mut power, mut square) = (Complex64::new(1.0, 0.0), base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    power
}

/// `None` where there is no value, above all for zero to a negative power.
fn polar_power(base: Complex64, exponent: Complex64) -> Option<Complex64> {
    if !is_true(exponent) {
        return Some(Complex64::new(1.0, 0.0));
    }
    if !is_true(base) {
        let is_pole = exponent.im != 0.0 || exponent.re < 0.0;
        return (!is_pole).then(Complex64::default);
    }
    let (size, angle) = (base.re.hypot(base.im), base.im.atan2(base.re));
    let (mut length, mut phase) = (size.powf(exponent.re), angle * exponent.re);
    if exponent.im != 0.0 {
        length /= (angle * exponent.im).exp();
        phase += exponent.im * size.ln();
    }
    // An angle without end has no cosine, which CPython tells in the words for zero.
    (!phase.is_infinite()).then(|| Complex64::new(length * phase.cos(), length * phase.sin()))
}

#[cold]
fn zero_division(message: &str) -> Fault {
    Fault::new(ErrorKind::ZeroDivision, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_as_cpython_writes_them() {
        for (re, im, text) in [
            (0.0, 2.0, "2j"),
            (-0.0, 2.0, "(-0+2j)"),
            (1.5, -0.0, "(1.5-0j)"),
            (1e16, 1e-5, "(1e+16+1e-05j)"),
            (f64::NAN, -f64::NAN, "(nan+nanj)"),
            (f64::NEG_INFINITY, f64::NEG_INFINITY, "(-inf-infj)"),
        ] {
            assert_eq!(repr(Complex64::new(re, im)), text);
        }
    }

    #[test]
    fn equal_numbers_have_one_hash() {
        for real in [0.0, 1.0, -1.0, 0.5, 1e300, f64::INFINITY] {
            assert_eq!(hash_of(real.into()), hash::of_float(real));
        }
        assert_eq!(hash_of(Complex64::new(1.0, 2.0)), 2_000_007);
    }
}
