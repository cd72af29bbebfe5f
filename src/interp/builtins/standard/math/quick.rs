//! Ways around binding arguments. What is no finite number, or has none for an answer, goes the general way, which says
//! what is wrong.

use super::integers::divisor;
use crate::interp::value::Value;
use crate::interp::vm::register::{put_bool, put_float, put_int};

/// Floats below this are the same as integers.
const EXACT: f64 = (1_i64 << 53) as f64;

fn finite(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Int(number) => *number as f64,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn put(to: &mut Value, answer: f64) -> Option<()> {
    answer.is_finite().then(|| put_float(to, answer))
}

pub fn of_one(arguments: &[Value], to: &mut Value, function: fn(f64) -> f64) -> Option<()> {
    let [x] = arguments else { return None };
    put(to, function(finite(x)?))
}

pub fn of_two(arguments: &[Value], to: &mut Value, function: fn(f64, f64) -> f64) -> Option<()> {
    let [x, y] = arguments else { return None };
    put(to, function(finite(x)?, finite(y)?))
}

/// The integer that a float is rounded to.
pub fn whole(arguments: &[Value], to: &mut Value, round: fn(f64) -> f64) -> Option<()> {
    match arguments {
        [Value::Int(number)] => put_int(to, *number),
        [Value::Float(number)] if number.abs() < EXACT => put_int(to, round(*number) as i64),
        _ => return None,
    }
    Some(())
}

pub fn is_so(arguments: &[Value], to: &mut Value, is_so: fn(f64) -> bool) -> Option<()> {
    let number = match arguments {
        [Value::Float(number)] => *number,
        [Value::Int(number)] => *number as f64,
        _ => return None,
    };
    put_bool(to, is_so(number));
    Some(())
}

/// The greatest common divisor of two integers.
pub fn gcd(arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Int(a), Value::Int(b)] = arguments else { return None };
    let divisor = divisor(a.unsigned_abs(), b.unsigned_abs());
    put_int(to, i64::try_from(divisor).ok()?);
    Some(())
}
