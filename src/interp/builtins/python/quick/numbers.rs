//! Numbers: what is divided, rounded, read from texts, or found among several.

use std::fmt::{self, Write};

use super::super::numbers::{power, round_float};
use crate::interp::Evaluator;
use crate::interp::value::{Str, Value};
use crate::interp::vm::plain_truth;
use crate::interp::vm::register::{put, put_bool, put_float, put_int};

/// Items that are looked at without a look at Ctrl-C.
const MANY: usize = 1 << 20;

/// Bytes of a text whose number fits.
const DIGITS: usize = 18;

/// `bool(value)` of numbers, texts and containers
pub fn bool(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [value] = arguments else { return None };
    put_bool(to, plain_truth(value)?);
    Some(())
}

/// `chr(code)`
pub fn chr(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Int(code)] = arguments else { return None };
    let letter = u32::try_from(*code).ok().and_then(char::from_u32)?;
    put(to, evaluator.interp.letter(letter));
    Some(())
}

/// `number.bit_length()`
pub fn bit_length(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Int(number)] = arguments else { return None };
    let magnitude = number.unsigned_abs();
    put_int(to, i64::from(u64::BITS - magnitude.leading_zeros()));
    Some(())
}

/// `hex(number)`
pub fn hex(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    in_base(arguments, to, |text, size| write!(text, "{size:#x}"))
}

/// `oct(number)`
pub fn oct(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    in_base(arguments, to, |text, size| write!(text, "{size:#o}"))
}

/// `bin(number)`
pub fn bin(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    in_base(arguments, to, |text, size| write!(text, "{size:#b}"))
}

fn in_base(
    arguments: &[Value],
    to: &mut Value,
    write: fn(&mut dyn Write, u64) -> fmt::Result,
) -> Option<()> {
    let [Value::Int(number)] = arguments else { return None };
    let text = Str::built(|text| {
        if *number < 0 {
            text.push('-');
        }
        // A text takes whatever is written.
        _ = write(text, number.unsigned_abs());
    });
    put(to, Value::Str(text));
    Some(())
}

/// `pow(base, exponent, modulus)` of integers that need no look at signs
pub fn pow(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Int(base), Value::Int(exponent), Value::Int(modulus)] = arguments else {
        return None;
    };
    if *modulus <= 0 {
        return None;
    }
    let (exponent, modulus) = (u64::try_from(*exponent).ok()?, i128::from(*modulus));
    put_int(to, power(i128::from(*base).rem_euclid(modulus), exponent, modulus) as i64);
    Some(())
}

/// `divmod(a, b)` of integers
pub fn divmod(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Int(a), Value::Int(b)] = arguments else { return None };
    if *b <= 0 {
        return None;
    }
    put(to, Value::tuple([Value::Int(a.div_euclid(*b)), Value::Int(a.rem_euclid(*b))]));
    Some(())
}

/// `round(number)`, `round(number, digits)`
pub fn round(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    match arguments {
        [Value::Int(number)] => put_int(to, *number),
        // Every float below has an integer of 64 bits.
        [Value::Float(number)] if number.abs() < 9e18 => {
            put_int(to, number.round_ties_even() as i64);
        }
        [Value::Float(number), Value::Int(digits)] if (0..20).contains(digits) => {
            put_float(to, round_float(*number, *digits));
        }
        _ => return None,
    }
    Some(())
}

/// An integer that a text of ASCII writes down.
pub fn read_int(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain && text.len() <= DIGITS { text.parse().ok() } else { None }
}

/// A float that a text of ASCII writes down.
pub fn read_float(text: &str) -> Option<f64> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e');
    if text.len() < 64 && text.bytes().all(is_plain) { text.parse().ok() } else { None }
}

/// The item of a list of integers or of floats that comes before the others, the first of equal ones.
fn foremost(
    items: &[Value],
    to: &mut Value,
    of_ints: impl Fn(i64, i64) -> bool,
    of_floats: impl Fn(f64, f64) -> bool,
) -> Option<()> {
    if items.len() > MANY {
        return None;
    }
    match items.first()? {
        Value::Int(first) => {
            let mut found = *first;
            for item in items {
                let Value::Int(item) = item else { return None };
                found = if of_ints(*item, found) { *item } else { found };
            }
            put_int(to, found);
        }
        Value::Float(first) => {
            let mut found = *first;
            for item in items {
                let Value::Float(item) = item else { return None };
                found = if of_floats(*item, found) { *item } else { found };
            }
            put_float(to, found);
        }
        _ => return None,
    }
    Some(())
}

/// `min(a, b)` of numbers of one type, `min(list)` of such numbers
pub fn min(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let (of_ints, of_floats) = (|a: i64, b: i64| a < b, |a: f64, b: f64| a < b);
    match arguments {
        [Value::List(items)] => foremost(&items.borrow(), to, of_ints, of_floats),
        [_, _, ..] => foremost(arguments, to, of_ints, of_floats),
        _ => None,
    }
}

/// `max(a, b)` of numbers of one type, `max(list)` of such numbers
pub fn max(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let (of_ints, of_floats) = (|a: i64, b: i64| a > b, |a: f64, b: f64| a > b);
    match arguments {
        [Value::List(items)] => foremost(&items.borrow(), to, of_ints, of_floats),
        [_, _, ..] => foremost(arguments, to, of_ints, of_floats),
        _ => None,
    }
}

/// `sum(list)` of integers and floats
pub fn sum(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::List(items)] = arguments else { return None };
    let items = items.borrow();
    if items.len() > MANY {
        return None;
    }
    let mut total = 0i64;
    let mut items = items.iter();
    let mut float = loop {
        match items.next() {
            None => {
                put_int(to, total);
                return Some(());
            }
            Some(Value::Int(item)) => total = total.checked_add(*item)?,
            Some(Value::Float(item)) => break total as f64 + item,
            Some(_) => return None,
        }
    };
    for item in items {
        float += match item {
            Value::Float(item) => *item,
            Value::Int(item) => *item as f64,
            _ => return None,
        };
    }
    put_float(to, float);
    Some(())
}
