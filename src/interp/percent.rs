//! `"%d of %s" % values`.

use super::{Evaluator, Value, format, long_text, room, value::Key};
use crate::diag::{ErrorKind, Fault};
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
    let engine = &evaluator.interp.engine;
    let mut pace = room::Pace::new(engine);
    while let Some(at) = rest.find('%') {
        long_text::push(engine, &mut text, &rest[..at])?;
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
        let mut flags = rest[..end].to_owned();
        let at = template.len() - rest.len() + end;
        rest = &rest[end + code.len_utf8()..];
        if code == '%' && flags.is_empty() {
            text.push('%');
            continue;
        }
        while flags.contains('*') {
            let Some(Value::Int(width)) = next.next() else {
                return Err(Error::type_error("* wants int"));
            };
            // A negative width stands at the left; a negative precision is none.
            let is_precision = flags.find('.') < flags.find('*') && flags.contains('.');
            let shown = if is_precision { (*width).max(0).to_string() } else { width.to_string() };
            flags = flags.replacen('*', &shown, 1);
        }
        if !"diouxXeEfFgGcrsa".contains(code) {
            let index = template[..at].chars().count();
            let message = format!(
                "unsupported format character '{code}' (0x{:x}) at index {index}",
                code as u32
            );
            return Err(Error::value_error(message));
        }
        let flags = &flags;
        let value = match named {
            Some(value) => value,
            None => next
                .next()
                .cloned()
                .ok_or_else(|| Error::type_error("not enough arguments for format string"))?,
        };
        let field = field(evaluator, flags, code, &value)?;
        pace.step(field.len())?;
        long_text::push(engine, &mut text, &field)?;
    }
    long_text::push(engine, &mut text, rest)?;
    // What has brackets may be a mapping, of which not all need be asked for.
    let is_mapping =
        values.as_dict().is_some() || matches!(values, Value::List(_) | Value::Range(_));
    let leftover = next.next().is_some() && !is_mapping;
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
            _ => super::ascii(&evaluator.interp.engine, &evaluator.try_repr(value)?)?,
        };
        if flags.is_empty() {
            return Ok(text);
        }
        return Ok(format::text(&text, &format!("{align}{width}{precise}"))?);
    }
    let engine = &evaluator.interp.engine;
    let scalar = super::ops::as_scalar(engine, value).transpose()?;
    let scalar = scalar.filter(|scalar| !matches!(scalar, Scalar::Complex(_)));
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
    if code == 'c' {
        let character = match (&scalar, value) {
            (Some(code @ (Scalar::Int(_) | Scalar::Bool(_))), _) => {
                let c = u32::try_from(code.as_i64()).ok().and_then(char::from_u32);
                c.ok_or_else(|| Fault::new(ErrorKind::Overflow, "%c arg not in range(0x110000)"))?
            }
            (_, Value::Str(text)) if text.chars().count() == 1 => {
                text.chars().next().unwrap_or(' ')
            }
            _ => return Err(Error::type_error("%c requires int or char")),
        };
        let align = if has('-') { "<" } else { ">" };
        return Ok(format::text(character.encode_utf8(&mut [0; 4]), &format!("{align}{width}"))?);
    }
    let Some(scalar) = scalar else {
        let wanted = if "xXo".contains(code) { "an integer" } else { "a real number" };
        let found = value.type_name();
        let message = match "eEfFgG".contains(code) {
            true => format!("must be real number, not {found}"),
            false => format!("%{code} format: {wanted} is required, not {found}"),
        };
        return Err(Error::type_error(message));
    };
    if "diuxXo".contains(code) {
        let whole = match scalar {
            Scalar::Float(_) if "xXo".contains(code) => {
                let message = format!("%{code} format: an integer is required, not float");
                return Err(Error::type_error(message));
            }
            Scalar::Float(value) if value.is_nan() => {
                return Err(Error::value_error("cannot convert float NaN to integer"));
            }
            Scalar::Float(value) => super::builtins::float_to_int(value.trunc())?.as_i128(),
            other => other.as_i128(),
        };
        let digits = match code {
            'x' => format!("{:x}", whole.unsigned_abs()),
            'X' => format!("{:X}", whole.unsigned_abs()),
            'o' => format!("{:o}", whole.unsigned_abs()),
            _ => whole.unsigned_abs().to_string(),
        };
        let least: usize = precision.map_or(Ok(0), str::parse).unwrap_or(0);
        let prefix = match code {
            'x' if has('#') => "0x",
            'X' if has('#') => "0X",
            'o' if has('#') => "0o",
            _ => "",
        };
        let sign = if whole < 0 { "-" } else { sign };
        room::text(engine, least)?;
        let digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
        if !zero.is_empty() {
            let taken = sign.len() + prefix.len() + digits.len();
            let width: usize = width.parse().unwrap_or(0);
            room::text(engine, width)?;
            let zeros = "0".repeat(width.saturating_sub(taken));
            return Ok(format!("{sign}{prefix}{zeros}{digits}"));
        }
        let whole = format!("{sign}{prefix}{digits}");
        return Ok(format::text(&whole, &format!("{align}{width}"))?);
    }
    Ok(format::number(scalar, &spec(&precise, code))?)
}
