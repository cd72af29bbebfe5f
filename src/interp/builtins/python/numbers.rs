//! Numbers: conversions, rounding, least and largest.

use super::super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::object::bytes::Bytes;
use crate::interp::value::Value;
use crate::interp::{Seen, complex, convert, ops, scalar};
use crate::syntax::ast::{BinaryOp, CompareOp};
use crate::tensor::ErrorCause;

const fn python(signature: &'static str, run: super::super::Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

const fn constructor(signature: &'static str, run: super::super::Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::CONSTRUCTOR)
}

pub const BUILTINS: &[Builtin] = &[
    constructor("int(x=0, /, base=None)", int)
        .quick(super::quick::int)
        .doc("An integer: a number cut towards zero, or a string read in a base.")
        .example("int(\"ff\", 16)"),
    constructor("float(x=0.0, /)", float)
        .quick(super::quick::float)
        .doc("A float, from a number, a string, or a tensor of one element.")
        .example("float(\"1e-3\")"),
    constructor("bool(x=False, /)", |call| call.bool(0).map(Value::Bool))
        .quick(super::quick::numbers::bool)
        .doc("The truth of a value: False for zero, None and what is empty.")
        .example("bool([])"),
    constructor("dtype(dtype, value=None)", dtype)
        .doc("A type of elements by its name; with a value, a tensor of that type.")
        .example("np.float32(1.5)"),
    constructor("device(name, index=None, /)", device)
        .doc("A device by its name, `cpu` or `cuda:0`.")
        .example("torch.device(\"cpu\")"),
    python("abs(x, /)", abs).quick(super::quick::abs).doc("The absolute value.").example("abs(-3)"),
    python("round(number, ndigits=None)", round)
        .quick(super::quick::numbers::round)
        .doc("The nearest integer, halves to even; with `ndigits`, the nearest decimal.")
        .example("round(2.675, 2)"),
    python("divmod(a, b, /)", divmod)
        .quick(super::quick::numbers::divmod)
        .doc("The floor of the quotient, and the remainder.")
        .example("divmod(-7, 3)"),
    python("pow(base, exp, mod=None)", pow)
        .quick(super::quick::numbers::pow)
        .asks_objects()
        .doc("`base ** exp`; with `mod`, the remainder of it, computed without large numbers.")
        .example("pow(2, 10)"),
    python("min(*values, default=..., key=None)", super::extremes::min)
        .quick(super::quick::numbers::min)
        .doc("The least of several values, or of what one holds, by what `key` makes of each.")
        .example("min(3, 1, 2)"),
    python("max(*values, default=..., key=None)", super::extremes::max)
        .quick(super::quick::numbers::max)
        .doc("The largest of several values, or of what one holds, by what `key` makes of each.")
        .example("max([3, 1, 2])"),
    python("sum(iterable, /, start=0)", sum)
        .quick(super::quick::numbers::sum)
        .doc("The sum of what a value holds.")
        .example("sum([1, 2, 3])"),
    python("hex(x, /)", hex)
        .quick(super::quick::numbers::hex)
        .doc("An integer in base 16.")
        .example("hex(255)"),
    python("oct(x, /)", oct)
        .quick(super::quick::numbers::oct)
        .doc("An integer in base 8.")
        .example("oct(8)"),
    python("bin(x, /)", bin)
        .quick(super::quick::numbers::bin)
        .doc("An integer in base 2.")
        .example("bin(5)"),
    python("chr(i, /)", chr)
        .quick(super::quick::numbers::chr)
        .doc("The character of a code point.")
        .example("chr(955)"),
    python("ord(c, /)", ord)
        .quick(super::quick::text::ord)
        .doc("The code point of a character.")
        .example("ord(\"λ\")"),
];

fn int(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (value, engine) = (super::bytes::text_or(call.value(0)), call.engine());
    if let Value::Str(text) = &value {
        let base = call.optional_int(1)?.unwrap_or(10);
        return super::numeric::parse_int(text, base).map_err(|fault| call.fault_at(0, fault));
    }
    if call.given(1) && !call.is_none(1) {
        let fault = Fault::type_error("int() can't convert non-string with explicit base");
        return Err(call.fault_at(0, fault));
    }
    let number = match &value {
        Value::Tensor(tensor) => convert::single(engine, tensor).and_then(|number| match number {
            Scalar::Complex(_) => Err(no_integer("complex")),
            number => Ok(number),
        }),
        other => other.scalar().ok_or_else(|| no_integer(other.type_name())),
    };
    match number.map_err(|fault| call.fault_at(0, fault))? {
        Scalar::Float(number) => {
            float_to_int(number.trunc()).map(Value::from).map_err(|fault| call.fault_at(0, fault))
        }
        Scalar::Wide(number) => Ok(Value::Wide(number)),
        number => Ok(Value::Int(number.as_i64())),
    }
}

fn no_integer(kind: impl std::fmt::Display) -> Fault {
    let words = "int() argument must be a string, a bytes-like object or a real number";
    Fault::type_error(format!("{words}, not '{kind}'"))
}

/// An integral float as an integer.
pub fn float_to_int(number: f64) -> Result<Scalar, Fault> {
    if number.is_nan() {
        return Err(Fault::value_error("cannot convert float NaN to integer"));
    }
    if number.is_infinite() {
        let message = "cannot convert float infinity to integer";
        return Err(Fault::new(ErrorKind::Overflow, message));
    }
    Scalar::from_i128(number as i128).ok_or_else(|| scalar::too_large("int"))
}

/// A text in quotes for a message, of which a long one has the beginning only.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 200;
    let end = text.char_indices().nth(MOST).map_or(text.len(), |(at, _)| at);
    let mut shown = String::new();
    crate::interp::quote(&text[..end], &mut shown);
    if end < text.len() {
        shown.push('…');
    }
    shown
}

/// The float that a text writes down.
///
/// # Errors
/// ValueError where it writes none.
pub fn float_of(text: &str) -> Result<f64, Fault> {
    super::numeric::parse_float(text).ok_or_else(|| {
        let shown = shown(text);
        Fault::value_error(format!("could not convert string to float: {shown}"))
    })
}

fn float(call: &mut Call<'_>) -> Result<Value, Fault> {
    match &super::bytes::text_or(call.value(0)) {
        Value::Str(text) => {
            float_of(text).map(Value::Float).map_err(|fault| call.fault_at(0, fault))
        }
        Value::Tensor(tensor) if !tensor.dtype().is_complex() => call.float(0).map(Value::Float),
        value => value.scalar().map(|number| Value::Float(number.as_f64())).ok_or_else(|| {
            let is_complex = matches!(value, Value::Tensor(_));
            let name = if is_complex { "complex" } else { value.type_name() };
            let message =
                format!("float() argument must be a string or a real number, not '{name}'");
            call.fault_at(0, Fault::type_error(message))
        }),
    }
}

fn dtype(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dtype = call.dtype(0)?.unwrap_or(DType::F32);
    if !call.given(1) {
        return Ok(Value::DType(dtype));
    }
    if let Value::Str(_) = call.value(1) {
        return super::numeric::of_text(call, dtype);
    }
    let value = match call.value(1) {
        Value::Tensor(tensor) => {
            call.warn_of_parts(tensor, dtype)?;
            call.engine().cast(tensor, dtype)?
        }
        _ => call.tensor_of(1, dtype)?.as_scalar(true),
    };
    let is_given = matches!(call.value(1), Value::Tensor(given) if given.is_same(&value));
    if value.rank() > 0 || is_given && value.is_scalar() {
        return Ok(value.into());
    }
    // What NumPy makes of one number never changes.
    let value = if is_given { call.engine().as_it_is(&value)? } else { value };
    Ok(value.as_scalar(true).into())
}

fn device(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let (Some(index), Value::Str(name)) = (call.optional_int(1)?, call.value(0)) {
        let name = Value::str(format!("{name}:{index}"));
        return Ok(Value::Device(convert::device(call.engine(), &name)?.id()));
    }
    match call.device(0)? {
        Some(device) => Ok(Value::Device(device.id())),
        None => Err(call.wrong_type(0, "a device's name")),
    }
}

pub fn abs(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0).number() {
        Some(Scalar::Complex(number)) => Ok(Value::Float(complex::absolute(number)?)),
        Some(Scalar::Float(number)) => Ok(Value::Float(number.abs())),
        Some(Scalar::Int(number)) => Ok(Scalar::from_u64(number.unsigned_abs()).into()),
        Some(Scalar::Wide(number)) => Ok(Value::Wide(number)),
        Some(Scalar::Bool(flag)) => Ok(Value::Int(flag.into())),
        None => {
            let name = call.value(0).type_name();
            let fault = Fault::type_error(format!("bad operand type for abs(): '{name}'"));
            Err(call.fault_at(0, fault))
        }
    }
}

fn round(call: &mut Call<'_>) -> Result<Value, Fault> {
    let digits = call.optional_int(1)?;
    let number = match call.value(0) {
        Value::Tensor(number) if number.is_scalar() => Some(call.engine().item(number)?),
        value => value.scalar(),
    };
    match (number, digits) {
        (Some(Scalar::Float(number)), None) => {
            let whole = float_to_int(number.round_ties_even());
            whole.map(Value::from).map_err(|fault| call.fault_at(0, fault))
        }
        (Some(Scalar::Float(number)), Some(digits)) => match round_float(number, digits) {
            rounded if number.is_finite() && rounded.is_infinite() => {
                let words = "rounded value too large to represent";
                Err(call.fault_at(0, Fault::new(ErrorKind::Overflow, words)))
            }
            rounded => Ok(Value::Float(rounded)),
        },
        (Some(number), Some(digits)) if digits < 0 => {
            let unit = u32::try_from(-digits).ok().and_then(|digits| 10i128.checked_pow(digits));
            let Some(unit) = unit else { return Ok(Value::Int(0)) };
            let number = number.as_i128();
            let down = number.div_euclid(unit);
            let twice = 2 * number.rem_euclid(unit);
            let up = twice > unit || twice == unit && down % 2 != 0;
            let rounded = (down + i128::from(up)) * unit;
            let rounded = Scalar::from_i128(rounded).ok_or_else(|| scalar::too_large("round"));
            rounded.map(Value::from)
        }
        (Some(Scalar::Wide(number)), _) => Ok(Value::Wide(number)),
        (Some(number), _) => Ok(Value::Int(number.as_i64())),
        (None, _) => {
            let name = call.value(0).type_name();
            let message = format!("type {name} doesn't define __round__ method");
            Err(call.fault_at(0, Fault::type_error(message)))
        }
    }
}

/// To so many decimals, by the float's exact value, halves to even.
pub(super) fn round_float(number: f64, digits: i64) -> f64 {
    if !number.is_finite() || digits > 340 {
        return number;
    }
    if digits >= 0 {
        return format!("{number:.*}", digits as usize).parse().unwrap_or(number);
    }
    // Of the digits that the number is written with, so many stay.
    let exact = format!("{number:.1100e}");
    let (mantissa, power) = exact.split_once('e').unwrap_or((&exact, "0"));
    let kept = power.parse::<i64>().unwrap_or(0).saturating_add(digits).saturating_add(1);
    match usize::try_from(kept) {
        Ok(0) => {
            let mut written = mantissa.bytes().filter(u8::is_ascii_digit);
            let first = written.next().unwrap_or(b'0');
            let is_more = first > b'5' || first == b'5' && written.any(|digit| digit != b'0');
            let unit = format!("1e{}", -digits).parse().unwrap_or(f64::INFINITY);
            if is_more { f64::copysign(unit, number) } else { 0.0f64.copysign(number) }
        }
        Ok(kept) => format!("{number:.*e}", kept - 1).parse().unwrap_or(number),
        Err(_) => 0.0f64.copysign(number),
    }
}

fn divmod(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (a, b) = (call.value(0).clone(), call.value(1).clone());
    if [&a, &b].into_iter().any(|value| matches!(value, Value::Complex(_))) {
        return Err(ops::unsupported("divmod()", &a, &b).into());
    }
    let quotient = call.evaluator.binary(BinaryOp::FloorDiv, &a, &b);
    let quotient = quotient.map_err(|error| match error.cause {
        ErrorCause::Operands(_) => ops::unsupported("divmod()", &a, &b),
        _ => error,
    })?;
    let remainder = call.evaluator.binary(BinaryOp::Mod, &a, &b)?;
    Ok(Value::tuple(vec![quotient, remainder]))
}

fn pow(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.is_none(2) {
        let (base, exponent) = (call.value(0).clone(), call.value(1).clone());
        return Ok(call.evaluator.binary(BinaryOp::Pow, &base, &exponent)?);
    }
    let rest = [call.value(1), call.value(2)];
    if let Some(answer) = call.evaluator.call_special(call.value(0), "__pow__", rest) {
        return match answer? {
            Value::NotImplemented => {
                let [base, exponent, modulus] = [0, 1, 2].map(|at| call.value(at).type_name());
                let words = format!(
                    "unsupported operand type(s) for ** or pow(): '{base}', '{exponent}', '{modulus}'"
                );
                Err(call.fault_at(0, Fault::type_error(words)))
            }
            answer => Ok(answer),
        };
    }
    if (0..3).any(|at| matches!(call.value(at), Value::Complex(_))) {
        return Err(Fault::value_error("complex modulo"));
    }
    let (base, mut exponent, modulus) = (call.int(0)?, call.int(1)?, call.int(2)?);
    if modulus == 0 {
        return Err(call.fault_at(2, Fault::value_error("pow() 3rd argument cannot be 0")));
    }
    let modulus = i128::from(modulus);
    let mut base = i128::from(base).rem_euclid(modulus);
    if exponent < 0 {
        base = inverse(base, modulus.abs()).ok_or_else(|| {
            let message = "base is not invertible for the given modulus";
            call.fault_at(0, Fault::value_error(message))
        })?;
        exponent = exponent.checked_neg().ok_or_else(|| scalar::too_large("**"))?;
    }
    let mut result = power(base, exponent.unsigned_abs(), modulus);
    if result != 0 && (result < 0) != (modulus < 0) {
        result += modulus;
    }
    Ok(Value::Int(result as i64))
}

/// The remainder of a power, of a base that lies between zero and the modulus.
pub(super) fn power(base: i128, mut exponent: u64, modulus: i128) -> i128 {
    let (mut result, mut square) = (1i128.rem_euclid(modulus), base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        exponent >>= 1;
    }
    result
}

/// The number whose product with `number` leaves 1, by Euclid's algorithm.
fn inverse(number: i128, modulus: i128) -> Option<i128> {
    let (mut a, mut b, mut x, mut y) = (number, modulus, 1, 0);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    (a == 1).then(|| x.rem_euclid(modulus))
}

fn sum(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let mut total = call.value(1).clone();
    if let (Value::Range(range), Some(Scalar::Int(_) | Scalar::Bool(_))) =
        (call.value(0), total.scalar())
    {
        let sum = range.sum().map(Value::Int).ok_or_else(|| scalar::too_large("+"))?;
        return Ok(evaluator.binary(BinaryOp::Add, &total, &sum)?);
    }
    if matches!(total, Value::Str(_)) {
        let fault = Fault::type_error("sum() can't sum strings [use ''.join(seq) instead]");
        return Err(call.fault_at(1, fault));
    }
    if Bytes::of(&total).is_some() {
        let fault = Fault::type_error("sum() can't sum bytes [use b''.join(seq) instead]");
        return Err(call.fault_at(1, fault));
    }
    let mut is_summing = false;
    let summed = evaluator.each_seen(call.value(0), |item, waits| {
        is_summing = true;
        match (&mut total, &item) {
            (Value::Int(total), Value::Int(item)) if total.checked_add(*item).is_some() => {
                *total += item;
            }
            (Value::Float(total), Value::Float(item)) => *total += item,
            _ if !waits => return Ok(Seen::Aside(item)),
            _ => total = evaluator.binary(BinaryOp::Add, &total, &item)?,
        }
        Ok(Seen::More)
    });
    match summed {
        Ok(()) => Ok(total),
        Err(fault) if is_summing => Err(fault),
        Err(fault) => Err(call.fault_at(0, fault)),
    }
}

fn hex(call: &mut Call<'_>) -> Result<Value, Fault> {
    based(call, |size| format!("0x{size:x}"))
}

fn oct(call: &mut Call<'_>) -> Result<Value, Fault> {
    based(call, |size| format!("0o{size:o}"))
}

fn bin(call: &mut Call<'_>) -> Result<Value, Fault> {
    based(call, |size| format!("0b{size:b}"))
}

fn based(call: &mut Call<'_>, write: fn(u64) -> String) -> Result<Value, Fault> {
    let number = match call.value(0).plain() {
        Value::Wide(number) => i128::from(*number),
        Value::Tensor(tensor) if tensor.rank() == 0 && tensor.dtype().is_integer() => {
            convert::single(call.engine(), tensor)?.as_i128()
        }
        _ => i128::from(call.int(0)?),
    };
    let sign = if number < 0 { "-" } else { "" };
    let size = u64::try_from(number.unsigned_abs()).map_err(|_| scalar::too_large("abs"))?;
    Ok(Value::str(format!("{sign}{}", write(size))))
}

/// The size of an integer.
pub(super) fn magnitude(call: &Call<'_>) -> Result<u64, Fault> {
    match call.value(0).plain() {
        Value::Wide(number) => Ok(*number),
        _ => Ok(call.int(0)?.unsigned_abs()),
    }
}

fn chr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let c = u32::try_from(call.int(0)?).ok().and_then(char::from_u32);
    let fault = || Fault::value_error("chr() arg not in range(0x110000)");
    let c = c.ok_or_else(|| call.fault_at(0, fault()))?;
    Ok(call.evaluator.interp.letter(c))
}

fn ord(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let Some(bytes) = Bytes::of(call.value(0)) {
        let &[byte] = bytes.get() else {
            let length = bytes.get().len();
            let words = format!("ord() expected a character, but string of length {length} found");
            return Err(call.fault_at(0, Fault::type_error(words)));
        };
        return Ok(Value::Int(i64::from(byte)));
    }
    let Value::Str(text) = call.value(0).plain() else {
        let found = call.value(0).type_name();
        let message = format!("ord() expected string of length 1, but {found} found");
        return Err(call.fault_at(0, Fault::type_error(message)));
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(Value::Int(i64::from(u32::from(c)))),
        _ => {
            let length = text.chars().count();
            let words = format!("ord() expected a character, but string of length {length} found");
            Err(call.fault_at(0, Fault::type_error(words)))
        }
    }
}

/// Whether two values are equal, for functions that search.
pub(super) fn equals(call: &Call<'_>, a: &Value, b: &Value) -> Result<bool, Fault> {
    if let Value::Tensor(_) = a {
        let equal = call.evaluator.compare(CompareOp::Eq, a, b)?;
        return convert::truth(call.engine(), &equal);
    }
    Ok(call.evaluator.equal(a, b)?)
}
