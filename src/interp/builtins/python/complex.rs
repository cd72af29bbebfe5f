//! `complex`: made of numbers, texts and objects that say which number they are.

use num_complex::Complex64;

use super::super::{Builtin, Call, Homes};
use super::letters;
use super::numeric::{plain_digits, well_formed};
use crate::diag::Fault;
use crate::interp::value::{Type, Value};
use crate::interp::{complex, convert};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("complex(real=0, imag=0)", complex)
        .homes(Homes::CONSTRUCTOR)
        .doc("A complex number, of its parts or of a string.")
        .example("complex(\"1+2j\")"),
    Builtin::new("conjugate(self, /)", conjugate)
        .homes(Homes::NONE)
        .method_of(Type::Complex)
        .doc("The same number with the other sign of its imaginary part."),
];

fn conjugate(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0).plain() {
        Value::Complex(number) => Ok(number.conj().into()),
        _ => Err(call.wrong_type(0, "a complex number")),
    }
}

fn complex(call: &mut Call<'_>) -> Result<Value, Fault> {
    let is_text = |at: usize| matches!(call.value(at).plain(), Value::Str(_));
    if let Value::Str(text) = call.value(0).plain() {
        if call.given(1) {
            let words = "complex() can't take second arg if first is a string";
            return Err(call.fault_at(1, Fault::type_error(words)));
        }
        let number = parse(text).ok_or_else(|| {
            if text.contains('_') && well_formed(text).is_none() {
                let mut shown = String::new();
                crate::interp::quote(text, &mut shown);
                let words = format!("could not convert string to complex: {shown}");
                return call.fault_at(0, Fault::value_error(words));
            }
            let fault = Fault::value_error("complex() arg is a malformed string");
            call.fault_at(0, fault.with_hint("it looks like `1+2j`, without blanks inside"))
        });
        return number.map(Value::from);
    }
    if is_text(1) {
        let fault = Fault::type_error("complex() second arg can't be a string");
        return Err(call.fault_at(1, fault));
    }
    let real = complex_of(call, 0)?.ok_or_else(|| {
        let found = call.value(0).type_name();
        let words = format!("complex() first argument must be a string or a number, not '{found}'");
        call.fault_at(0, Fault::type_error(words))
    })?;
    if !call.given(1) {
        return Ok(real.into());
    }
    let imaginary = number(call, 1)?.ok_or_else(|| {
        let found = call.value(1).type_name();
        let words = format!("complex() second argument must be a number, not '{found}'");
        call.fault_at(1, Fault::type_error(words))
    })?;
    let mut whole = real;
    // Parts that are real numbers leave the signs of zeros alone.
    if is_complex(call.value(1)) {
        whole.re -= imaginary.im;
    }
    match has_imaginary_part(call, 0) {
        true => whole.im += imaginary.re,
        false => whole.im = imaginary.re,
    }
    Ok(whole.into())
}

fn is_complex(value: &Value) -> bool {
    match value.plain() {
        Value::Complex(_) => true,
        Value::Tensor(tensor) => tensor.dtype().is_complex(),
        _ => false,
    }
}

fn has_imaginary_part(call: &Call<'_>, at: usize) -> bool {
    let value = call.value(at);
    is_complex(value) || call.evaluator.special(value, "__complex__").is_some()
}

/// A number, or what an object's `__complex__` says it is; `None` of anything else.
pub fn complex_of(call: &Call<'_>, at: usize) -> Result<Option<Complex64>, Fault> {
    let Some(answer) = call.evaluator.call_special(call.value(at), "__complex__", []) else {
        return number(call, at);
    };
    let answer = answer?;
    match answer.plain() {
        Value::Complex(number) => Ok(Some(**number)),
        _ => {
            let found = answer.type_name();
            let words = format!("__complex__ returned non-complex (type {found})");
            Err(call.fault_at(at, Fault::type_error(words)))
        }
    }
}

/// A number, a tensor of one element, an object with `__float__` or `__index__`; `None` of anything else.
fn number(call: &Call<'_>, at: usize) -> Result<Option<Complex64>, Fault> {
    let value = call.value(at);
    let evaluator = call.evaluator;
    if let Value::Object(object) = value {
        for method in ["__float__", "__index__"] {
            let Some(answer) = evaluator.call_special(value, method, []) else { continue };
            let answer = answer?;
            return match (method, answer.plain()) {
                ("__float__", Value::Float(real)) => Ok(Some((*real).into())),
                ("__index__", Value::Int(_) | Value::Wide(_) | Value::Bool(_)) => {
                    Ok(complex::of(answer.plain()))
                }
                (_, other) => {
                    let kind = if method == "__float__" { "float" } else { "int" };
                    let (class, found) = (object.class.name(), other.type_name());
                    let of = if kind == "float" { format!("{class}.") } else { String::new() };
                    let words = format!("{of}{method} returned non-{kind} (type {found})");
                    Err(call.fault_at(at, Fault::type_error(words)))
                }
            };
        }
    }
    match value.plain() {
        Value::Tensor(tensor) => {
            let number = convert::single(call.engine(), tensor);
            let number = number.map_err(|fault| call.fault_at(at, fault))?;
            Ok(Some(number.as_complex()))
        }
        plain => Ok(complex::of(plain)),
    }
}

/// A complex number as Python reads it: `1+2j`, `(1+2j)`, `-j`, `nan`.
fn parse(text: &str) -> Option<Complex64> {
    let text = plain_digits(text);
    let text = well_formed(text.trim_matches(letters::is_space))?;
    let inner = match text.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')')?.trim_matches(letters::is_space),
        None => &text,
    };
    let is_unit = |c: char| matches!(c, 'j' | 'J');
    let (first, rest) = leading_float(inner);
    let (real, imaginary, rest) = match (first, rest.chars().next()) {
        (Some(real), Some(sign @ ('+' | '-'))) => {
            let (second, after) = leading_float(rest);
            let one = if sign == '+' { 1.0 } else { -1.0 };
            let (size, after) = second.map_or((one, &rest[1..]), |size| (size, after));
            (real, size, after.strip_prefix(is_unit)?)
        }
        (Some(size), Some('j' | 'J')) => (0.0, size, &rest[1..]),
        (Some(real), _) => (real, 0.0, rest),
        (None, _) => {
            let (sign, after) = match rest.strip_prefix('-') {
                Some(after) => (-1.0, after),
                None => (1.0, rest.strip_prefix('+').unwrap_or(rest)),
            };
            (0.0, sign, after.strip_prefix(is_unit)?)
        }
    };
    rest.is_empty().then_some(Complex64::new(real, imaginary))
}

/// The longest float at the start of a text, and what is behind it.
fn leading_float(text: &str) -> (Option<f64>, &str) {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let begins = |word: &str| {
        unsigned.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if let Some(word) = ["infinity", "inf", "nan"].into_iter().find(|word| begins(word)) {
        let (number, rest) = text.split_at(sign + word.len());
        return (number.parse().ok(), rest);
    }
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(sign);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(signed).is_some_and(u8::is_ascii_digit) {
            end = digits(signed);
        }
    }
    let (number, rest) = text.split_at(end);
    match number.parse() {
        Ok(value) => (Some(value), rest),
        Err(_) => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_as_cpython_reads_them() {
        for (text, parts) in [
            ("1+2j", Some((1.0, 2.0))),
            (" ( -1.5e3-j ) ", Some((-1500.0, -1.0))),
            ("j", Some((0.0, 1.0))),
            ("-J", Some((0.0, -1.0))),
            (".5", Some((0.5, 0.0))),
            ("1_0j", Some((0.0, 10.0))),
            ("-inf+infinityj", Some((f64::NEG_INFINITY, f64::INFINITY))),
            ("1e5e5j", None),
            ("1 + 2j", None),
            ("1+2", None),
            ("1+j2", None),
            ("(1+2j", None),
            ("1__0j", None),
            ("", None),
            (".", None),
        ] {
            let parts = parts.map(|(re, im)| Complex64::new(re, im));
            assert_eq!(parse(text), parts, "{text}");
        }
    }
}
