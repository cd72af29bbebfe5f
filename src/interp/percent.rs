//! `"%d of %s" % values`.

use super::{Evaluator, Value, format, room, value::Key};
use crate::dtype::Scalar;
use crate::tensor::Error;

/// Formats as C's printf does, with Python's additions `%r` and `%(name)s`.
///
/// # Errors
/// Python's TypeErrors and ValueErrors.
pub(super) fn format(
    evaluator: &Evaluator<'_>,
    template: &str,
    values: &Value,
) -> Result<String, Error> {
    let single = [values.clone()];
    let items: &[Value] = match values {
        Value::Tuple(items) => items,
        _ => &single,
    };
    let mut next = items.iter();
    let mut text = String::new();
    let mut rest = template;
    let mut pace = room::Pace::new(&evaluator.interp.engine);
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut named = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let (name, after) =
                inner.split_once(')').ok_or_else(|| Error::value_error("incomplete format key"))?;
            named = Some(lookup(evaluator, values, name)?);
            rest = after;
        }
        let end = rest
            .find(|c: char| !"0123456789.+- #*".contains(c))
            .ok_or_else(|| Error::value_error("incomplete format"))?;
        let code = rest[end..].chars().next().unwrap_or('%');
        let flags = &rest[..end];
        rest = &rest[end + code.len_utf8()..];
        if code == '%' {
            text.push('%');
            continue;
        }
        let value = match named {
            Some(value) => value,
            None => next
                .next()
                .cloned()
                .ok_or_else(|| Error::type_error("not enough arguments for format string"))?,
        };
        let field = field(evaluator, flags, code, &value)?;
        pace.step(field.len())?;
        text.push_str(&field);
    }
    text.push_str(rest);
    let leftover = next.next().is_some() && !matches!(values, Value::Dict(_));
    if leftover {
        return Err(Error::type_error("not all arguments converted during string formatting"));
    }
    Ok(text)
}

fn lookup(evaluator: &Evaluator<'_>, values: &Value, name: &str) -> Result<Value, Error> {
    let Value::Dict(entries) = values else {
        return Err(Error::type_error("format requires a mapping"));
    };
    let wanted = Value::str(name);
    let found = Key::new(wanted.clone()).ok().and_then(|key| entries.borrow().get(&key).cloned());
    found.ok_or_else(|| evaluator.missing_key(values, &wanted).into())
}

/// One field, in the words of the format mini-language.
fn field(
    evaluator: &Evaluator<'_>,
    flags: &str,
    code: char,
    value: &Value,
) -> Result<String, Error> {
    let has = |flag: char| flags.chars().take_while(|c| "+- #0".contains(*c)).any(|c| c == flag);
    let size = flags.trim_start_matches(['+', '-', ' ', '#', '0']);
    let (width, precision) = match size.split_once('.') {
        Some((width, precision)) => {
            (width, Some(if precision.is_empty() { "0" } else { precision }))
        }
        None => (size, None),
    };
    let precise = precision.map_or(String::new(), |precision| format!(".{precision}"));
    let align = if has('-') { "<" } else { ">" };
    if matches!(code, 's' | 'r' | 'a') {
        let text = match code {
            's' => evaluator.try_str(value)?,
            'r' => evaluator.try_repr(value)?,
            _ => super::fstring::ascii(&evaluator.try_repr(value)?),
        };
        return Ok(format::text(&text, &format!("{align}{width}{precise}"))?);
    }
    let engine = &evaluator.interp.engine;
    let scalar = super::ops::as_scalar(engine, value).transpose()?;
    let sign = if has('+') {
        "+"
    } else if has(' ') {
        " "
    } else {
        ""
    };
    let alternate = if has('#') { "#" } else { "" };
    let zero = if has('0') && !has('-') { "0" } else { "" };
    let align = if zero.is_empty() { align } else { "" };
    let spec =
        |precise: &str, code: char| format!("{align}{sign}{alternate}{zero}{width}{precise}{code}");
    let Some(scalar) = scalar else {
        return match (code, value) {
            ('c', Value::Str(text)) if text.chars().count() == 1 => {
                Ok(format::text(text, &format!("{align}{width}"))?)
            }
            _ => Err(Error::type_error(format!(
                "%{code} format: a real number is required, not {}",
                value.type_name()
            ))),
        };
    };
    Ok(match code {
        'd' | 'i' | 'u' => {
            let whole = match scalar {
                Scalar::Float(value) if !value.is_finite() => {
                    return Err(Error::value_error("cannot convert float NaN to integer"));
                }
                other => other.as_i64(),
            };
            format::number(Scalar::Int(whole), &spec("", 'd'))?
        }
        'x' | 'X' | 'o' | 'c' => format::number(scalar, &spec("", code))?,
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => format::number(scalar, &spec(&precise, code))?,
        _ => {
            return Err(Error::value_error(format!(
                "unsupported format character '{code}' (0x{:x})",
                code as u32
            )));
        }
    })
}
