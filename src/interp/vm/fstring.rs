//! f-strings: fields, and the text that they are joined to.

use std::fmt::Write;

use super::op::Context;
use super::register::{clear, put};
use crate::diag::SourceResult;
use crate::interp::compile::Reg;
use crate::interp::format::fixed::write_fixed;
use crate::interp::value::{Str, Value};
use crate::interp::{fstring, long_text, room};
use crate::report::python_float;

/// About as long as a number gets.
const NUMBER: usize = 20;

/// Wider fields go the general way.
const MOST: usize = 100;

/// Bytes that nobody waits for.
const SHORT: usize = 256;

impl Context<'_, '_> {
    /// A field without a specification, which is no text and no number: those stay what they are
    /// until all are joined.
    pub fn text(&mut self, value: Reg) -> SourceResult<()> {
        self.formatted(value, value, 0, &Value::None)
    }

    /// A field, whose specification stands behind its value.
    pub fn format(&mut self, to: Reg, first: Reg, conversion: u8) -> SourceResult<()> {
        let specification = self.take(first + 1);
        self.formatted(to, first, conversion, &specification)
    }

    fn formatted(
        &mut self,
        to: Reg,
        value: Reg,
        conversion: u8,
        specification: &Value,
    ) -> SourceResult<()> {
        let value = self.take(value);
        self.begin();
        let text = fstring::converted(&self.evaluator, &value, conversion, specification);
        let text = self.evaluator.place(text, self.span())?;
        self.set(to, Value::Str(text.into()));
        Ok(())
    }

    /// One text of what stands in `count` registers.
    pub fn join(&mut self, to: Reg, first: Reg, count: u16) -> SourceResult<()> {
        let (engine, span) = (&self.evaluator.interp.engine, self.span());
        let parts = parts(self.registers, first, count);
        let bytes = bytes_of(parts);
        room::text(engine, bytes).map_err(|fault| fault.placed(span))?;
        let mut whole = String::with_capacity(bytes);
        for part in parts {
            let mut pushed = Ok(());
            push(part, |text| pushed = long_text::push(engine, &mut whole, text));
            pushed.map_err(|fault| fault.placed(span))?;
            *part = Value::None;
        }
        self.set(to, Value::Str(whole.into()));
        Ok(())
    }
}

/// As [`Context::join`], where the text is so short that nobody has to ask for room; whether it was done.
#[inline(never)]
pub(super) fn join_short(registers: &mut [Value], to: Reg, first: Reg, count: u16) -> bool {
    let parts = parts(registers, first, count);
    if bytes_of(parts) > SHORT {
        return false;
    }
    let text = Str::built(|whole| parts.iter().for_each(|part| push(part, |t| whole.push_str(t))));
    clear(parts);
    put(&mut registers[usize::from(to)], Value::Str(text));
    true
}

/// As [`Context::format`] of an integer or a float under a plain specification; whether it was done.
#[inline(never)]
pub(super) fn format_short(registers: &mut [Value], to: Reg, first: Reg) -> bool {
    let at = usize::from(first);
    let Value::Str(specification) = &registers[at + 1] else { return false };
    let Some(plain) = Plain::of(specification) else { return false };
    let (width, digits) = (plain.width, plain.precision.unwrap_or(0));
    let mut is_written = false;
    let number = match &registers[at] {
        Value::Float(x) => Some(*x),
        Value::Int(x) => Some(*x as f64),
        _ => None,
    };
    let text = Str::built(|text| {
        let written = match (&registers[at], plain.kind) {
            (_, b'f')
                if let Some(x) = number.filter(|x| x.is_finite())
                    && plain.precision.is_some() =>
            {
                let written = write_fixed(text, x, digits);
                let sign = if x.is_sign_negative() { "-" } else { "" };
                let missing = width.saturating_sub(sign.len() + text.len());
                if missing > 0 || !sign.is_empty() {
                    let number = std::mem::take(text);
                    let (blanks, zeros) = if plain.has_zeros { (0, missing) } else { (missing, 0) };
                    text.extend(std::iter::repeat_n(' ', blanks));
                    text.push_str(sign);
                    text.extend(std::iter::repeat_n('0', zeros));
                    text.push_str(&number);
                }
                written
            }
            (Value::Int(x), b'd') if plain.precision.is_none() => match plain.has_zeros {
                true => write!(text, "{x:0width$}"),
                false => write!(text, "{x:width$}"),
            },
            _ => return,
        };
        is_written = written.is_ok();
    });
    if is_written {
        put(&mut registers[usize::from(to)], Value::Str(text));
    }
    is_written
}

/// A specification of a zero, a width, a precision and a type, each if it is there.
struct Plain {
    has_zeros: bool,
    width: usize,
    precision: Option<usize>,
    kind: u8,
}

impl Plain {
    fn of(text: &str) -> Option<Plain> {
        let bytes = text.as_bytes();
        let (has_zeros, mut rest) = match bytes {
            [b'0', rest @ ..] => (true, rest),
            _ => (false, bytes),
        };
        let number = |rest: &mut &[u8]| {
            let mut number = 0;
            while let [digit @ b'0'..=b'9', behind @ ..] = *rest {
                number = number * 10 + usize::from(digit - b'0');
                *rest = behind;
                if number > MOST {
                    return None;
                }
            }
            Some(number)
        };
        let width = number(&mut rest)?;
        let precision = match rest {
            [b'.', behind @ ..] if behind.first().is_some_and(u8::is_ascii_digit) => {
                rest = behind;
                Some(number(&mut rest)?)
            }
            _ => None,
        };
        let kind = match rest {
            [kind @ (b'f' | b'd')] => *kind,
            // Without a type, only an integer is written as with one.
            [] => b'd',
            _ => return None,
        };
        Some(Plain { has_zeros, width, precision, kind })
    }
}

fn parts(registers: &mut [Value], first: Reg, count: u16) -> &mut [Value] {
    &mut registers[usize::from(first)..usize::from(first) + usize::from(count)]
}

/// About how many bytes the parts of an f-string take.
fn bytes_of(parts: &[Value]) -> usize {
    let bytes = |part: &Value| match part {
        Value::Str(text) => text.len(),
        _ => NUMBER,
    };
    parts.iter().map(bytes).sum()
}

/// Hands over what a part of an f-string is written as.
fn push(part: &Value, mut push: impl FnMut(&str)) {
    match part {
        Value::Str(text) => push(text),
        Value::Int(number) => push(itoa::Buffer::new().format(*number)),
        Value::Float(number) => push(&python_float(*number)),
        _ => {}
    }
}
