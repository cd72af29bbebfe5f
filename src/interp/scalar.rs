//! Arithmetic on Python's numbers: integers that never wrap, and floats. An integer is one that some type of
//! elements holds: from that of the least int64 to that of the largest uint64.

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
        (Scalar::Wide(_), _) | (_, Scalar::Wide(_)) => {
            wide_integers(op, lhs.as_i128(), rhs.as_i128())
        }
        _ => match integers(op, lhs.as_i64(), rhs.as_i64()) {
            Some(Err(fault)) if fault.kind == ErrorKind::Overflow => {
                wide_integers(op, lhs.as_i128(), rhs.as_i128())
            }
            result => result,
        },
    };
    match result {
        Some(result) => Ok(result?),
        None => Err(unsupported(op.symbol(), &lhs.into(), &rhs.into())),
    }
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
        (UnaryOp::Neg, _) => Scalar::from_i128(-value.as_i128()).ok_or_else(|| too_large("-")),
        (UnaryOp::Pos, Scalar::Wide(_)) => Ok(value),
        (UnaryOp::Pos, _) => Ok(Scalar::Int(value.as_i64())),
        (UnaryOp::Invert, _) => Scalar::from_i128(!value.as_i128()).ok_or_else(|| too_large("~")),
    }
}

/// The order of two numbers, exact between integers and floats; `None` with NaN.
pub fn compare(lhs: Scalar, rhs: Scalar) -> Option<Ordering> {
    match (lhs, rhs) {
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        (Scalar::Float(a), b) => int_to_float(b.as_i128(), a).map(Ordering::reverse),
        (a, Scalar::Float(b)) => int_to_float(a.as_i128(), b),
        (a, b) => Some(a.as_i128().cmp(&b.as_i128())),
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

fn int_to_float(a: i128, b: f64) -> Option<Ordering> {
    if b.is_nan() {
        return None;
    }
    // Beyond all integers the cast gives one that is beyond them, too.
    let whole = b.floor();
    Some(a.cmp(&(whole as i128)).then(if b > whole { Ordering::Less } else { Ordering::Equal }))
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

/// What is no real number is done before: `complex::binary`.
fn float_pow(a: f64, b: f64) -> Result<Scalar, Fault> {
    if a == 0.0 && b < 0.0 && b.is_finite() {
        return Err(Fault::new(ErrorKind::ZeroDivision, "zero to a negative power"));
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

/// As [`integers`], where one or the result takes more than an `i64`.
#[cold]
fn wide_integers(op: BinaryOp, a: i128, b: i128) -> Option<Result<Scalar, Fault>> {
    let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod);
    if divides && b == 0 {
        return Some(Err(division_by_zero()));
    }
    let has_other_sign = || a % b != 0 && (a < 0) != (b < 0);
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div => return Some(Ok(Scalar::Float(a as f64 / b as f64))),
        BinaryOp::FloorDiv => Some(a / b - i128::from(has_other_sign())),
        BinaryOp::Mod => Some(if has_other_sign() { a % b + b } else { a % b }),
        BinaryOp::Pow if b < 0 => return Some(float_pow(a as f64, b as f64)),
        BinaryOp::Pow => match (a, u32::try_from(b)) {
            (0 | 1, _) => Some(if b == 0 { 1 } else { a }),
            (-1, _) => Some(if b % 2 == 0 { 1 } else { -1 }),
            (_, Ok(exponent)) => a.checked_pow(exponent),
            (_, Err(_)) => None,
        },
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shl | BinaryOp::Shr if b < 0 => {
            return Some(Err(Fault::value_error("negative shift count")));
        }
        BinaryOp::Shl if a == 0 => Some(0),
        // A number of up to 65 bits.
        BinaryOp::Shl => (b < 64).then(|| a.checked_mul(1 << b)).flatten(),
        BinaryOp::Shr => Some(a >> b.min(127)),
        BinaryOp::MatMul => return None,
    };
    let number = result.and_then(Scalar::from_i128);
    Some(number.ok_or_else(|| too_large(op.symbol())))
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
        let wide = binary(BinaryOp::FloorDiv, Scalar::Int(i64::MIN), Scalar::Int(-1)).unwrap();
        assert_eq!(wide, Scalar::Wide(1 << 63));
        assert_eq!(float_mod(-7.5, 2.0), 0.5);
        assert_eq!(float_floor_div(-7.5, 2.0), -4.0);
    }

    #[test]
    fn comparison_is_exact_beyond_doubles() {
        let big = Scalar::Int(9_007_199_254_740_993);
        assert_eq!(compare(big, Scalar::Float(9_007_199_254_740_992.0)), Some(Ordering::Greater));
        assert_eq!(compare(Scalar::Int(i64::MAX), Scalar::Float(9.3e18)), Some(Ordering::Less));
        assert_eq!(compare(Scalar::Int(1), Scalar::Float(f64::NAN)), None);
        let last = Scalar::Wide(u64::MAX);
        assert_eq!(
            compare(last, Scalar::Float(18_446_744_073_709_551_616.0)),
            Some(Ordering::Less)
        );
        assert_eq!(compare(last, Scalar::Float(f64::INFINITY)), Some(Ordering::Less));
        assert_eq!(compare(Scalar::Int(-1), last), Some(Ordering::Less));
    }

    #[test]
    fn integers_reach_as_far_as_a_type_of_elements() {
        let int = |op, a, b| binary(op, a, b);
        let (one, half, last) = (Scalar::Int(1), Scalar::Wide(1 << 63), Scalar::Wide(u64::MAX));
        assert_eq!(int(BinaryOp::Add, Scalar::Int(i64::MAX), one).unwrap(), half);
        assert_eq!(int(BinaryOp::Pow, Scalar::Int(2), Scalar::Int(63)).unwrap(), half);
        assert_eq!(int(BinaryOp::Shl, one, Scalar::Int(63)).unwrap(), half);
        assert_eq!(
            int(BinaryOp::Shl, Scalar::Int(3), Scalar::Int(62)).unwrap(),
            Scalar::Wide(3 << 62)
        );
        assert!(int(BinaryOp::Shl, Scalar::Int(3), Scalar::Int(63)).is_err());
        assert!(int(BinaryOp::Shl, Scalar::Int(3), Scalar::Int(127)).is_err());
        assert_eq!(int(BinaryOp::Sub, half, one).unwrap(), Scalar::Int(i64::MAX));
        assert_eq!(int(BinaryOp::FloorDiv, last, Scalar::Int(-2)).unwrap(), Scalar::Int(i64::MIN));
        assert_eq!(int(BinaryOp::Mod, last, Scalar::Int(10)).unwrap(), Scalar::Int(5));
        assert_eq!(int(BinaryOp::BitXor, last, last).unwrap(), Scalar::Int(0));
        assert_eq!(unary(UnaryOp::Neg, half).unwrap(), Scalar::Int(i64::MIN));
        assert_eq!(unary(UnaryOp::Neg, Scalar::Int(i64::MIN)).unwrap(), half);
        assert!(unary(UnaryOp::Neg, last).is_err());
        assert!(int(BinaryOp::Add, last, one).is_err());
        assert!(int(BinaryOp::Mul, last, last).is_err());
        assert!(int(BinaryOp::Pow, Scalar::Int(2), Scalar::Int(64)).is_err());
    }
}
