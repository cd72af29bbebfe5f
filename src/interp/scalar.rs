//! Arithmetic on Python's numbers: 64-bit integers that never wrap, and floats.

use std::cmp::Ordering;

use super::ops::unsupported;
use crate::diag::{ErrorKind, Fault};
use crate::dtype::Scalar;
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::tensor::Error;

/// `lhs op rhs`.
///
/// # Errors
/// ZeroDivisionError; OverflowError where an integer leaves 64 bits; TypeError where Python has no
/// such operation.
pub fn binary(op: BinaryOp, lhs: Scalar, rhs: Scalar) -> Result<Scalar, Error> {
    let result = match (lhs, rhs) {
        (Scalar::Bool(a), Scalar::Bool(b)) if is_bitwise(op) => {
            return Ok(Scalar::Bool(match op {
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                _ => a ^ b,
            }));
        }
        (Scalar::Float(_), _) | (_, Scalar::Float(_)) => floats(op, lhs.as_f64(), rhs.as_f64()),
        _ => integers(op, lhs.as_i64(), rhs.as_i64()),
    };
    match result {
        Some(result) => Ok(result?),
        None => Err(unsupported(op.symbol(), &lhs.into(), &rhs.into())),
    }
}

/// Puts an integer behind a text, in decimal.
pub fn push_int(text: &mut String, number: i64) {
    // A sign and nineteen digits.
    let mut digits = [0; 20];
    let (mut at, mut left) = (digits.len(), number.unsigned_abs());
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    text.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}

/// `op value`; `not` is the caller's.
pub fn unary(op: UnaryOp, value: Scalar) -> Result<Scalar, Fault> {
    match (op, value) {
        (UnaryOp::Not, _) => Ok(Scalar::Bool(!value.as_bool())),
        (UnaryOp::Neg, Scalar::Float(value)) => Ok(Scalar::Float(-value)),
        (UnaryOp::Pos, Scalar::Float(_)) => Ok(value),
        (UnaryOp::Invert, Scalar::Float(_)) => {
            Err(Fault::type_error("bad operand type for unary ~: 'float'"))
        }
        (UnaryOp::Neg, _) => {
            value.as_i64().checked_neg().map(Scalar::Int).ok_or_else(|| too_large("-"))
        }
        (UnaryOp::Pos, _) => Ok(Scalar::Int(value.as_i64())),
        (UnaryOp::Invert, _) => Ok(Scalar::Int(!value.as_i64())),
    }
}

/// The order of two numbers, exact between integers and floats; `None` with NaN.
pub fn compare(lhs: Scalar, rhs: Scalar) -> Option<Ordering> {
    match (lhs, rhs) {
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        (Scalar::Float(a), b) => int_to_float(b.as_i64(), a).map(Ordering::reverse),
        (a, Scalar::Float(b)) => int_to_float(a.as_i64(), b),
        (a, b) => Some(a.as_i64().cmp(&b.as_i64())),
    }
}

/// Python's remainder of floats: it has the divisor's sign.
pub fn float_mod(a: f64, b: f64) -> f64 {
    let remainder = a % b;
    if remainder == 0.0 {
        0.0f64.copysign(b)
    } else if (remainder < 0.0) != (b < 0.0) {
        remainder + b
    } else {
        remainder
    }
}

/// Python's floor division of floats.
pub fn float_floor_div(a: f64, b: f64) -> f64 {
    let quotient = (a - float_mod(a, b)) / b;
    if quotient == 0.0 { 0.0f64.copysign(a / b) } else { quotient.round() }
}

fn int_to_float(a: i64, b: f64) -> Option<Ordering> {
    if b.is_nan() {
        return None;
    }
    // Outside this range a float is larger than every integer in size.
    if b >= 9_223_372_036_854_775_808.0 {
        return Some(Ordering::Less);
    }
    if b < -9_223_372_036_854_775_808.0 {
        return Some(Ordering::Greater);
    }
    let whole = b.floor();
    Some(a.cmp(&(whole as i64)).then(if b > whole { Ordering::Less } else { Ordering::Equal }))
}

fn floats(op: BinaryOp, a: f64, b: f64) -> Option<Result<Scalar, Fault>> {
    let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod);
    if divides && b == 0.0 {
        return Some(Err(division_by_zero()));
    }
    Some(Ok(Scalar::Float(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::FloorDiv => float_floor_div(a, b),
        BinaryOp::Mod => float_mod(a, b),
        BinaryOp::Pow => return Some(float_pow(a, b)),
        _ => return None,
    })))
}

fn float_pow(a: f64, b: f64) -> Result<Scalar, Fault> {
    if a == 0.0 && b < 0.0 {
        return Err(Fault::new(ErrorKind::ZeroDivision, "zero to a negative power"));
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b.fract() != 0.0 {
        return Err(Fault::value_error(
            "a negative number to a fractional power is complex, and complex numbers are not in \
             the language",
        ));
    }
    let power = a.powf(b);
    if power.is_infinite() && a.is_finite() && b.is_finite() {
        return Err(Fault::new(ErrorKind::Overflow, "numerical result out of range"));
    }
    Ok(Scalar::Float(power))
}

fn integers(op: BinaryOp, a: i64, b: i64) -> Option<Result<Scalar, Fault>> {
    let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod);
    if divides && b == 0 {
        return Some(Err(division_by_zero()));
    }
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => return Some(Ok(Scalar::Float(a as f64 / b as f64))),
        BinaryOp::FloorDiv => a
            .checked_div(b)
            .map(|quotient| if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }),
        BinaryOp::Mod => {
            let remainder = a.wrapping_rem(b);
            Some(if remainder != 0 && (remainder < 0) != (b < 0) {
                remainder + b
            } else {
                remainder
            })
        }
        BinaryOp::Pow if b < 0 => return Some(float_pow(a as f64, b as f64)),
        BinaryOp::Pow => power(a, b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shl | BinaryOp::Shr if b < 0 => {
            return Some(Err(Fault::value_error("negative shift count")));
        }
        BinaryOp::Shl if a == 0 => Some(0),
        BinaryOp::Shl => {
            let shifted = if b < 64 { a.wrapping_shl(b as u32) } else { 0 };
            (b < 64 && shifted >> b == a).then_some(shifted)
        }
        BinaryOp::Shr => Some(a >> b.min(63)),
        BinaryOp::MatMul => return None,
    };
    Some(result.map(Scalar::Int).ok_or_else(|| too_large(op.symbol())))
}

fn power(base: i64, exponent: i64) -> Option<i64> {
    match base {
        0 | 1 => Some(if exponent == 0 { 1 } else { base }),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

fn is_bitwise(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

#[cold]
pub(super) fn division_by_zero() -> Fault {
    Fault::new(ErrorKind::ZeroDivision, "division by zero")
}

#[cold]
pub(super) fn too_large(symbol: &str) -> Fault {
    let fault = Fault::new(ErrorKind::Overflow, "integer result too large for 64 bits");
    match symbol {
        "**" => fault.with_hint("a float base computes with floats: `2.0 ** 64`"),
        _ => fault.with_hint("integers have 64 bits here; `float(…)` makes a float of one"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_floors_as_python_does() {
        let int = |op, a, b| binary(op, Scalar::Int(a), Scalar::Int(b)).unwrap().as_i64();
        assert_eq!(int(BinaryOp::FloorDiv, -7, 2), -4);
        assert_eq!(int(BinaryOp::FloorDiv, 7, -2), -4);
        assert_eq!(int(BinaryOp::Mod, -7, 3), 2);
        assert_eq!(int(BinaryOp::Mod, 7, -3), -2);
        assert_eq!(int(BinaryOp::Mod, i64::MIN, -1), 0);
        assert!(binary(BinaryOp::FloorDiv, Scalar::Int(i64::MIN), Scalar::Int(-1)).is_err());
        assert_eq!(float_mod(-7.5, 2.0), 0.5);
        assert_eq!(float_floor_div(-7.5, 2.0), -4.0);
    }

    #[test]
    fn comparison_is_exact_beyond_doubles() {
        let big = Scalar::Int(9_007_199_254_740_993);
        assert_eq!(compare(big, Scalar::Float(9_007_199_254_740_992.0)), Some(Ordering::Greater));
        assert_eq!(compare(Scalar::Int(i64::MAX), Scalar::Float(9.3e18)), Some(Ordering::Less));
        assert_eq!(compare(Scalar::Int(1), Scalar::Float(f64::NAN)), None);
    }
}
