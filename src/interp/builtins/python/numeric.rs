//! Methods of integers and floats, and how texts become numbers.

use std::borrow::Cow;

use super::super::{Builtin, Call, Homes, Run};
use super::letters;
use super::numbers::magnitude;
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::scalar;
use crate::interp::value::{Type, Value};

const fn method(of: Type, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(of).doc(doc)
}

const fn of_int(of: Type) -> [Builtin; 4] {
    [
        method(of, "bit_length(self, /)", bit_length, "How many bits it takes, without a sign.")
            .quick(super::quick::numbers::bit_length),
        method(of, "bit_count(self, /)", bit_count, "How many of its bits are 1, without a sign."),
        method(of, "as_integer_ratio(self, /)", int_ratio, "(itself, 1)"),
        method(of, "conjugate(self, /)", |call| itself(call), "Itself."),
    ]
}

pub const OF_BOOLS: &[Builtin] = &of_int(Type::Bool);
pub const OF_INTS: &[Builtin] = &of_int(Type::Int);

pub const BUILTINS: &[Builtin] = &[
    method(
        Type::Float,
        "is_integer(self, /)",
        |call| {
            let number = call.float(0)?;
            Ok(Value::Bool(number.is_finite() && number.fract() == 0.0))
        },
        "Whether nothing stands behind its point.",
    ),
    method(
        Type::Float,
        "as_integer_ratio(self, /)",
        float_ratio,
        "Two integers whose quotient it is.",
    ),
    method(Type::Float, "conjugate(self, /)", |call| call.float(0).map(Value::Float), "Itself."),
    method(Type::Float, "hex(self, /)", hex, "Exactly, in base 16."),
    method(
        Type::Float,
        "fromhex(string, /)",
        fromhex,
        "The float that a text in base 16 writes down.",
    )
    .homes(Homes::STATIC),
];

fn bit_length(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Int(i64::from(u64::BITS - magnitude(call)?.leading_zeros())))
}

fn bit_count(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Int(i64::from(magnitude(call)?.count_ones())))
}

/// An integer; of a bool its number.
fn itself(call: &Call<'_>) -> Result<Value, Fault> {
    match call.value(0).plain() {
        Value::Wide(number) => Ok(Value::Wide(*number)),
        _ => call.int(0).map(Value::Int),
    }
}

fn int_ratio(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::tuple([itself(call)?, Value::Int(1)]))
}

/// The mantissa as an integer and the power of two that it is taken times; finite numbers only.
fn parts(number: f64) -> (u64, i32) {
    let bits = number.to_bits();
    let (mantissa, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    match exponent {
        0 => (mantissa, -1074),
        _ => (mantissa | 1 << 52, exponent - 1075),
    }
}

fn float_ratio(call: &mut Call<'_>) -> Result<Value, Fault> {
    let number = call.float(0)?;
    if number.is_nan() {
        return Err(Fault::value_error("cannot convert NaN to integer ratio"));
    }
    if number.is_infinite() {
        let message = "cannot convert Infinity to integer ratio";
        return Err(Fault::new(ErrorKind::Overflow, message));
    }
    let (mantissa, exponent) = parts(number);
    if mantissa == 0 {
        return Ok(Value::tuple([Value::Int(0), Value::Int(1)]));
    }
    let shift = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> shift, exponent + shift as i32);
    let too_large = || scalar::too_large("ratio");
    let above = exponent.max(0) as u32;
    let below = (-exponent).max(0) as u32;
    if above > mantissa.leading_zeros().saturating_sub(1) || below > 62 {
        return Err(too_large());
    }
    let sign = if number < 0.0 { -1 } else { 1 };
    let numerator = i64::try_from(mantissa << above).map_err(|_| too_large())?;
    Ok(Value::tuple([Value::Int(sign * numerator), Value::Int(1 << below)]))
}

fn hex(call: &mut Call<'_>) -> Result<Value, Fault> {
    let number = call.float(0)?;
    let sign = if number.is_sign_negative() && !number.is_nan() { "-" } else { "" };
    if !number.is_finite() {
        let word = if number.is_nan() { "nan" } else { "inf" };
        return Ok(Value::str(format!("{sign}{word}")));
    }
    if number == 0.0 {
        return Ok(Value::str(format!("{sign}0x0.0p+0")));
    }
    let (mantissa, exponent) = parts(number);
    let (whole, fraction) = (mantissa >> 52, mantissa & ((1 << 52) - 1));
    Ok(Value::str(format!("{sign}0x{whole}.{fraction:013x}p{:+}", exponent + 52)))
}

fn fromhex(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let wrong =
        || call.fault_at(0, Fault::value_error("invalid hexadecimal floating-point string"));
    let text = text.trim_matches(letters::is_space).to_ascii_lowercase();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    match rest {
        "inf" | "infinity" => return Ok(Value::Float(sign * f64::INFINITY)),
        "nan" => return Ok(Value::Float(f64::NAN)),
        _ => {}
    }
    let rest = rest.strip_prefix("0x").unwrap_or(rest);
    let (digits, power) = match rest.split_once('p') {
        Some((digits, power)) => (digits, power.parse::<i64>().map_err(|_| wrong())?),
        None => (rest, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let number = scaled(&all, power.saturating_sub(4 * fraction.len() as i64));
    let number = number.ok_or_else(|| {
        let message = "hexadecimal value too large to represent as a float";
        call.fault_at(0, Fault::new(ErrorKind::Overflow, message))
    })?;
    Ok(Value::Float(sign * number))
}

/// Digits of base 16 times a power of two, rounded once, halves to even; `None` where it is too
/// large.
fn scaled(digits: &str, power: i64) -> Option<f64> {
    let digits = digits.trim_start_matches('0');
    // What follows sixty bits only says whether it is more than a half.
    let (kept, rest) = digits.split_at(digits.len().min(15));
    let mut mantissa = u64::from_str_radix(kept, 16).unwrap_or(0);
    if mantissa == 0 {
        return Some(0.0);
    }
    let sticky = rest.bytes().any(|digit| digit != b'0');
    let power = power.saturating_add(4 * rest.len() as i64);
    let bits = i64::from(u64::BITS - mantissa.leading_zeros());
    // The last bit that a float of this size has.
    let last = (power.saturating_add(bits) - 53).max(-1074);
    let drop = last.saturating_sub(power);
    if drop > 0 {
        if drop > 62 {
            return Some(0.0);
        }
        let below = mantissa & ((1 << drop) - 1);
        let half = 1 << (drop - 1);
        mantissa >>= drop;
        if below > half || below == half && (sticky || mantissa & 1 == 1) {
            mantissa += 1;
        }
    }
    let power = power.max(last);
    if power > 1023 {
        return None;
    }
    let first = power.clamp(-1000, 1000) as i32;
    let number = mantissa as f64 * 2f64.powi(first) * 2f64.powi(power as i32 - first);
    number.is_finite().then_some(number)
}

/// The decimal digits of other scripts as those of ASCII.
pub(super) fn plain_digits(text: &str) -> String {
    let plain = |c: char| match letters::decimal(c) {
        Some(digit) => char::from_digit(digit, 10).unwrap_or(c),
        None => c,
    };
    if text.is_ascii() { text.to_owned() } else { text.chars().map(plain).collect() }
}

/// A float as Python reads it: underscores stand between digits.
pub(super) fn parse_float(text: &str) -> Option<f64> {
    let text = plain_digits(text);
    well_formed(text.trim_matches(letters::is_space))?.parse().ok()
}

/// A number's text without its underscores; `None` where one stands elsewhere than between digits.
pub(super) fn well_formed(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(text.into());
    }
    let bytes = text.as_bytes();
    let is_digit =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_between = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let marks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_');
    let is_well_formed = marks.map(|(at, _)| at).all(is_between);
    is_well_formed.then(|| text.replace('_', "").into())
}

/// The integer that a text writes down in a base, 0 for what its prefix says.
///
/// # Errors
/// ValueError where it writes none, OverflowError beyond 64 bits.
pub fn parse_int(text: &str, base: i64) -> Result<Value, Fault> {
    let shown = super::numbers::shown(text);
    let text = &plain_digits(text);
    let invalid =
        || Fault::value_error(format!("invalid literal for int() with base {base}: {shown}"));
    if base != 0 && !(2..=36).contains(&base) {
        return Err(Fault::value_error("int() base must be >= 2 and <= 36, or 0"));
    }
    let trimmed = text.trim_matches(letters::is_space);
    let (negative, digits) = match trimmed.strip_prefix(['-', '+']) {
        Some(rest) => (trimmed.starts_with('-'), rest),
        None => (false, trimmed),
    };
    let lower = digits.to_lowercase();
    let prefixed = |prefix: &str, of: i64| {
        (base == of || base == 0).then(|| lower.strip_prefix(prefix)).flatten().map(|d| (d, of))
    };
    let (digits, radix) = prefixed("0x", 16)
        .or_else(|| prefixed("0o", 8))
        .or_else(|| prefixed("0b", 2))
        .unwrap_or((&lower, if base == 0 { 10 } else { base }));
    let bad_underscore = digits.starts_with('_') && digits.len() == lower.len()
        || digits.ends_with('_')
        || digits.contains("__");
    // Without a base, only zeros begin with a zero.
    let is_octal = base == 0 && digits.len() == lower.len() && digits.starts_with('0');
    let bad_underscore = bad_underscore || is_octal && digits.contains(|c| !matches!(c, '0' | '_'));
    let plain = digits.replace('_', "");
    if bad_underscore || plain.is_empty() || !plain.chars().all(|c| c.is_digit(radix as u32)) {
        return Err(invalid());
    }
    let signed = if negative { format!("-{plain}") } else { plain };
    let number = i128::from_str_radix(&signed, radix as u32).ok().and_then(Scalar::from_i128);
    number.map(Value::from).ok_or_else(|| scalar::too_large("int"))
}

/// `float32("1e5")`: what the text says, as Python reads it, in a type of elements.
pub fn of_text(call: &mut Call<'_>, dtype: DType) -> Result<Value, Fault> {
    let text = call.value(1).clone();
    let class = match dtype {
        DType::Bool => Type::Bool,
        dtype if dtype.is_complex() => Type::Complex,
        dtype if dtype.is_integer() => Type::Int,
        _ => Type::Float,
    };
    let number = call.evaluator.call_value(&Value::Type(class), [text], [])?;
    call.evaluator.call_value(&Value::DType(dtype), [number], [])
}
