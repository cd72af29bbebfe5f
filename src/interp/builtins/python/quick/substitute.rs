//! `"{} of {1:>8}".format(…)` of numbers and texts.

use super::super::super::Quick;
use crate::interp::Evaluator;
use crate::interp::format;
use crate::interp::value::Value;
use crate::interp::vm::register::put;
use crate::report::python_float;

/// Templates from here on go the general way, bytes.
const LONG: usize = 256;

/// Specifications from here on, bytes: nobody has to ask for room for the widths of shorter ones.
const LONG_SPECIFICATION: usize = 7;

pub const FORMAT: Quick = |_: Evaluator<'_>, arguments, to| {
    let [Value::Str(template), values @ ..] = arguments else { return None };
    if template.len() >= LONG {
        return None;
    }
    put(to, Value::str(filled(template, values)?));
    Some(())
};

/// A template with values in the place of its fields, where these are plain.
fn filled(template: &str, values: &[Value]) -> Option<String> {
    let mut text = String::with_capacity(template.len() + 8 * values.len());
    let (mut rest, mut next, mut has_numbers) = (template, 0, None);
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'{' | b'}')) {
        text.push_str(&rest[..at]);
        let (brace, after) = rest[at..].split_at(1);
        if let Some(after) = after.strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
            continue;
        }
        if brace == "}" {
            return None;
        }
        let end = after.bytes().position(|byte| matches!(byte, b'{' | b'}'))?;
        let (field, after) = after.split_at(end);
        rest = after.strip_prefix('}')?;
        let (place, specification) = field.split_once(':').unwrap_or((field, ""));
        let is_number = !place.is_empty();
        if *has_numbers.get_or_insert(is_number) != is_number {
            return None;
        }
        let at = match place.as_bytes() {
            [] => {
                next += 1;
                next - 1
            }
            [digit @ b'0'..=b'9'] => usize::from(digit - b'0'),
            _ => return None,
        };
        push(&mut text, values.get(at)?, specification)?;
    }
    text.push_str(rest);
    Some(text)
}

fn push(text: &mut String, value: &Value, specification: &str) -> Option<()> {
    match (value, specification) {
        (Value::Str(part), "") if part.len() < LONG => text.push_str(part),
        (Value::Int(number), "") => text.push_str(itoa::Buffer::new().format(*number)),
        (Value::Float(number), "") => text.push_str(&python_float(*number)),
        _ if specification.len() >= LONG_SPECIFICATION => return None,
        (Value::Str(part), _) if part.len() < LONG => {
            text.push_str(&format::text(part, specification).ok()?);
        }
        (Value::Int(_) | Value::Float(_), _) => {
            text.push_str(&format::number(value.scalar()?, specification).ok()?);
        }
        _ => return None,
    }
    Some(())
}
