//! What numbers do without asking anybody. Where one of these says nothing, the operation goes the
//! general way, which gives the same result or the error.

use std::cmp::Ordering;

use crate::interp::scalar;
use crate::interp::value::Value;
use crate::syntax::ast::{BinaryOp, CompareOp};

/// A number that an operation gives.
pub(super) enum Plain {
    Int(i64),
    Float(f64),
}

/// Integers up to this size are floats exactly.
const EXACT: i64 = 1 << 53;

/// Both as floats, if at least one is a float and the other a number.
#[inline(always)]
fn floats(a: &Value, b: &Value) -> Option<(f64, f64)> {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => Some((*a, *b)),
        (Value::Float(a), Value::Int(b)) => Some((*a, *b as f64)),
        (Value::Int(a), Value::Float(b)) => Some((*a as f64, *b)),
        _ => None,
    }
}

macro_rules! simple {
    ($name:ident, $checked:ident, $float:tt) => {
        #[inline(always)]
        pub fn $name(a: &Value, b: &Value) -> Option<Plain> {
            if let (Value::Int(a), Value::Int(b)) = (a, b) {
                return a.$checked(*b).map(Plain::Int);
            }
            floats(a, b).map(|(a, b)| Plain::Float(a $float b))
        }
    };
}

impl Plain {
    simple!(add, checked_add, +);
    simple!(sub, checked_sub, -);
    simple!(mul, checked_mul, *);

    #[inline(always)]
    pub fn rem(a: &Value, b: &Value) -> Option<Plain> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) if *b > 0 => Some(Plain::Int(a.rem_euclid(*b))),
            (Value::Int(_), Value::Int(_)) => None,
            _ => floats(a, b)
                .filter(|(_, b)| *b != 0.0)
                .map(|(a, b)| Plain::Float(scalar::float_mod(a, b))),
        }
    }

    #[inline(always)]
    pub fn floor_div(a: &Value, b: &Value) -> Option<Plain> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) if *b > 0 => Some(Plain::Int(a.div_euclid(*b))),
            (Value::Int(_), Value::Int(_)) => None,
            _ => floats(a, b)
                .filter(|(_, b)| *b != 0.0)
                .map(|(a, b)| Plain::Float(scalar::float_floor_div(a, b))),
        }
    }

    #[inline(always)]
    pub fn div(a: &Value, b: &Value) -> Option<Plain> {
        let (a, b) = match (a, b) {
            (Value::Int(a), Value::Int(b)) => (*a as f64, *b as f64),
            _ => floats(a, b)?,
        };
        (b != 0.0).then(|| Plain::Float(a / b))
    }

    /// Of a negative float only whole powers are numbers that are not complex.
    #[inline(always)]
    pub fn pow(a: &Value, b: &Value) -> Option<Plain> {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return a.checked_pow(u32::try_from(*b).ok()?).map(Plain::Int);
        }
        let (a, b) = floats(a, b)?;
        if !(a > 0.0 || a < 0.0 && b.fract() == 0.0) {
            return None;
        }
        Some(a.powf(b)).filter(|power| power.is_finite()).map(Plain::Float)
    }

    #[inline]
    pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> Option<Plain> {
        match op {
            BinaryOp::Add => Plain::add(a, b),
            BinaryOp::Sub => Plain::sub(a, b),
            BinaryOp::Mul => Plain::mul(a, b),
            BinaryOp::Mod => Plain::rem(a, b),
            BinaryOp::FloorDiv => Plain::floor_div(a, b),
            BinaryOp::Div => Plain::div(a, b),
            BinaryOp::Pow => Plain::pow(a, b),
            _ => {
                let (Value::Int(a), Value::Int(b)) = (a, b) else { return None };
                match op {
                    BinaryOp::BitAnd => Some(Plain::Int(a & b)),
                    BinaryOp::BitOr => Some(Plain::Int(a | b)),
                    BinaryOp::BitXor => Some(Plain::Int(a ^ b)),
                    BinaryOp::Shr if (0..64).contains(b) => Some(Plain::Int(a >> b)),
                    BinaryOp::Shl if (0..64).contains(b) => {
                        Some(a << b).filter(|shifted| shifted >> b == *a).map(Plain::Int)
                    }
                    _ => None,
                }
            }
        }
    }
}

/// A comparison of numbers.
#[inline(always)]
pub(super) fn compare(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => ints_hold(op, *a, *b),
        (Value::Float(a), Value::Float(b)) => float_holds(op, *a, *b),
        (Value::Float(a), Value::Int(b)) if b.unsigned_abs() < EXACT.unsigned_abs() => {
            float_holds(op, *a, *b as f64)
        }
        (Value::Int(a), Value::Float(b)) if a.unsigned_abs() < EXACT.unsigned_abs() => {
            float_holds(op, *a as f64, *b)
        }
        _ => is_none(op, a, b),
    }
}

/// The orders that each comparison of integers accepts: a bit for less, one for equal, one for greater.
const ACCEPTED: [u8; 10] = {
    let mut accepted = [0; 10];
    let (less, equal, greater) = (1, 2, 4);
    accepted[CompareOp::Eq as usize] = equal;
    accepted[CompareOp::Is as usize] = equal;
    accepted[CompareOp::Ne as usize] = less | greater;
    accepted[CompareOp::IsNot as usize] = less | greater;
    accepted[CompareOp::Lt as usize] = less;
    accepted[CompareOp::Le as usize] = less | equal;
    accepted[CompareOp::Gt as usize] = greater;
    accepted[CompareOp::Ge as usize] = greater | equal;
    accepted
};

/// Whether an order is what a comparison of integers asks for.
#[inline(always)]
pub(super) fn holds(op: CompareOp, order: Ordering) -> Option<bool> {
    // A table, so that nothing branches on the comparison.
    let accepted = ACCEPTED[op as usize];
    if accepted >> (order as i8 + 1) & 1 == 1 {
        return Some(true);
    }
    if accepted == 0 { None } else { Some(false) }
}

/// Whether a comparison of two integers holds.
#[inline(always)]
pub(super) fn ints_hold(op: CompareOp, a: i64, b: i64) -> Option<bool> {
    holds(op, a.cmp(&b))
}

#[inline(always)]
#[allow(clippy::float_cmp)]
pub(super) fn float_holds(op: CompareOp, a: f64, b: f64) -> Option<bool> {
    Some(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
        _ => return None,
    })
}

/// `x is None`
#[inline]
fn is_none(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    match op {
        CompareOp::Is => Some(a.is_same(b)),
        CompareOp::IsNot => Some(!a.is_same(b)),
        _ => None,
    }
}
