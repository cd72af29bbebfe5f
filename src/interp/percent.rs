//! `"%d of %s" % values`, and the same of bytes.

use super::object::bytes::Bytes;
use super::value::Type;
use super::{Evaluator, Value, format, long_text, room};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::Scalar;
use crate::tensor::Error;

/// As long as an integer gets.
const NUMBER: usize = 20;

/// What is formatted. Bytes are a text of the characters that stand for them meanwhile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Bytes,
}

/// Formats as C's printf does, with Python's additions `%r` and `%(name)s`.
///
/// # Errors
/// Python's TypeErrors and ValueErrors.
pub(super) fn format(
    evaluator: &Evaluator<'_>,
    template: &str,
    values: &Value,
) -> Result<String, Error> {
    formatted(evaluator, Kind::Text, template, values)
}

/// The same of bytes, where `%s` and `%b` take bytes.
///
/// # Errors
/// Python's TypeErrors and ValueErrors.
pub(super) fn format_bytes(
    evaluator: &Evaluator<'_>,
    template: &[u8],
    values: &Value,
) -> Result<Value, Error> {
    let template = Bytes::as_text(&evaluator.interp.engine, template)?;
    Ok(Bytes::of_text(&formatted(evaluator, Kind::Bytes, &template, values)?))
}

fn formatted(
    evaluator: &Evaluator<'_>,
    kind: Kind,
    template: &str,
    values: &Value,
) -> Result<String, Error> {
    let single = [values.clone()];
    let items: &[Value] = match values.plain() {
        Value::Tuple(items) => items,
        _ => &single,
    };
    let is_mapping = is_mapping(evaluator, kind, values);
    let mut next = items.iter();
    let mut text = String::new();
    let mut rest = template;
    let engine = &evaluator.interp.engine;
    let mut pace = room::Pace::new(engine);
    while let Some(at) = rest.find('%') {
        long_text::push(engine, &mut text, &rest[..at])?;
        rest = &rest[at + 1..];
        if let (Some(code @ (b'd' | b's')), Some(value)) =
            (rest.bytes().next(), next.as_slice().first())
            && kind == Kind::Text
            && push_plain(&mut text, code, value)
        {
            pace.step(NUMBER)?;
            next.next();
            rest = &rest[1..];
            continue;
        }
        let mut named = None;
        if rest.starts_with('(') {
            if !is_mapping {
                return Err(Error::type_error("format requires a mapping"));
            }
            let (name, after) =
                key(rest).ok_or_else(|| Error::value_error("incomplete format key"))?;
            let name = if kind == Kind::Bytes { Bytes::of_text(name) } else { Value::str(name) };
            named = Some(evaluator.container_index(values, &name)?);
            // The mapping itself is no value any more.
            next = [].iter();
            rest = after;
        }
        let end = rest
            .find(|c: char| !"0123456789.+- #*".contains(c))
            .ok_or_else(|| Error::value_error("incomplete format"))?;
        // How long the number is in C means nothing.
        let skipped = usize::from(rest[end..].starts_with(['h', 'l', 'L']));
        let code = rest[end + skipped..]
            .chars()
            .next()
            .ok_or_else(|| Error::value_error("incomplete format"))?;
        let mut flags = rest[..end].to_owned();
        let at = template.len() - rest.len() + end + skipped;
        rest = &rest[end + skipped + code.len_utf8()..];
        while flags.contains('*') {
            let Value::Int(width) = next.next().ok_or_else(too_few)?.plain() else {
                return Err(Error::type_error("* wants int"));
            };
            // A negative width stands at the left; a negative precision is none.
            let is_precision = flags.find('.') < flags.find('*') && flags.contains('.');
            let shown = if is_precision { (*width).max(0).to_string() } else { width.to_string() };
            flags = flags.replacen('*', &shown, 1);
        }
        // With anything between the two it is a field, and no kind of one.
        if code == '%' && flags.is_empty() && named.is_none() && skipped == 0 {
            text.push('%');
            continue;
        }
        let value = match named {
            Some(value) => value,
            None => next.next().cloned().ok_or_else(too_few)?,
        };
        if !"diouxXeEfFgGcrsa".contains(code) && (code, kind) != ('b', Kind::Bytes) {
            let index = template[..at].chars().count();
            let message = format!(
                "unsupported format character '{code}' (0x{:x}) at index {index}",
                code as u32
            );
            return Err(Error::value_error(message));
        }
        let field = field(evaluator, kind, &flags, code, &value)?;
        pace.step(field.len())?;
        long_text::push(engine, &mut text, &field)?;
    }
    long_text::push(engine, &mut text, rest)?;
    // Of a mapping not all need be asked for.
    if next.next().is_some() && !is_mapping {
        let what = if kind == Kind::Bytes { "bytes" } else { "string" };
        let words = format!("not all arguments converted during {what} formatting");
        return Err(Error::type_error(words));
    }
    Ok(text)
}

/// Adds a plain `%d` or `%s` of an integer or a short text; whether it was one.
fn push_plain(text: &mut String, code: u8, value: &Value) -> bool {
    match (code, value) {
        (_, Value::Int(number)) => text.push_str(itoa::Buffer::new().format(*number)),
        (b's', Value::Str(part)) if part.len() <= NUMBER => text.push_str(part),
        _ => return false,
    }
    true
}

fn too_few() -> Error {
    Error::type_error("not enough arguments for format string")
}

/// Whether values are asked for by their names: of whatever has brackets but tuples and texts.
fn is_mapping(evaluator: &Evaluator<'_>, kind: Kind, values: &Value) -> bool {
    match values.plain() {
        Value::Tuple(_) | Value::Str(_) => false,
        Value::List(_) | Value::Dict(_) | Value::Range(_) | Value::Tensor(_) => true,
        value @ Value::Opaque(opaque) => {
            opaque.part().dict().is_some() || Bytes::of(value).is_some() && kind == Kind::Text
        }
        value => evaluator.special(value, "__getitem__").is_some(),
    }
}

/// What stands between the brackets that a text begins with, which may hold others, and what stands behind them.
fn key(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    Some((&text[1..end], &text[end + 1..]))
}

/// What `%s` and `%b` of bytes take.
fn as_bytes(evaluator: &Evaluator<'_>, value: &Value) -> Result<String, Error> {
    let engine = &evaluator.interp.engine;
    if let Some(bytes) = Bytes::of(value) {
        return Ok(Bytes::as_text(engine, bytes.get())?);
    }
    if let Value::Tensor(tensor) = value {
        let bytes = super::builtins::bytes_of_tensor(engine, tensor)?;
        return Ok(Bytes::as_text(engine, &bytes)?);
    }
    let found = value.type_name();
    let Some(answer) = evaluator.call_special(value, "__bytes__", []) else {
        return Err(Error::type_error(format!(
            "%b requires a bytes-like object, or an object that implements __bytes__, not '{found}'"
        )));
    };
    let answer = answer?;
    match Bytes::of(&answer) {
        Some(bytes) => Ok(Bytes::as_text(engine, bytes.get())?),
        None => {
            let found = answer.type_name();
            Err(Error::type_error(format!("__bytes__ returned non-bytes (type {found})")))
        }
    }
}

/// The number that an object says it is, where a field is for one.
fn number_of(evaluator: &Evaluator<'_>, code: char, value: &Value) -> Result<Option<Value>, Error> {
    let is_number = match value.plain() {
        Value::Int(_) | Value::Bool(_) | Value::Wide(_) => true,
        Value::Float(_) => !"diu".contains(code),
        _ => false,
    };
    if is_number || !matches!(value, Value::Object(_)) {
        return Ok(None);
    }
    let says = |method: &str| evaluator.special(value, method).is_some();
    let of = |of: Type| evaluator.call_value(&Value::Type(of), [value.clone()], []);
    match code {
        'd' | 'i' | 'u' if says("__int__") || says("__index__") => Ok(Some(of(Type::Int)?)),
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' if says("__float__") || says("__index__") => {
            Ok(Some(of(Type::Float)?))
        }
        'x' | 'X' | 'o' | 'c' if says("__index__") => {
            Ok(Some(Value::Int(evaluator.as_index(value)?)))
        }
        _ => Ok(None),
    }
}

/// One field, in the words of the format mini-language.
fn field(
    evaluator: &Evaluator<'_>,
    kind: Kind,
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
    if matches!(code, 's' | 'r' | 'a' | 'b') {
        let text = match (code, kind) {
            ('s' | 'b', Kind::Bytes) => as_bytes(evaluator, value)?,
            ('s', _) => evaluator.try_str(value)?,
            ('r', Kind::Text) => evaluator.try_repr(value)?,
            _ => super::ascii(&evaluator.interp.engine, &evaluator.try_repr(value)?)?,
        };
        if flags.is_empty() {
            return Ok(text);
        }
        return Ok(format::text(&text, &format!("{align}{width}{precise}"))?);
    }
    let engine = &evaluator.interp.engine;
    let number = number_of(evaluator, code, value)?;
    let value = number.as_ref().unwrap_or(value);
    let scalar = super::ops::as_scalar(engine, value.plain()).transpose()?;
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
        let character = match (&scalar, value.plain()) {
            (Some(code @ (Scalar::Int(_) | Scalar::Bool(_))), _) if kind == Kind::Bytes => {
                let byte = u8::try_from(code.as_i64());
                let words = "%c arg not in range(256)";
                let byte = byte.map_err(|_| Fault::new(ErrorKind::Overflow, words))?;
                Bytes::as_text(engine, &[byte])?.chars().next().unwrap_or(' ')
            }
            (_, value) if kind == Kind::Bytes => match Bytes::of(value).map(Bytes::get) {
                Some(byte @ [_]) => Bytes::as_text(engine, byte)?.chars().next().unwrap_or(' '),
                _ => {
                    let words = "%c requires an integer in range(256) or a single byte";
                    return Err(Error::type_error(words));
                }
            },
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
            true if kind == Kind::Bytes => format!("float argument required, not {found}"),
            true => format!("must be real number, not {found}"),
            false => format!("%{code} format: {wanted} is required, not {found}"),
        };
        return Err(Error::type_error(message));
    };
    if "diuxXo".contains(code) {
        let whole = match scalar {
            Scalar::Float(_) if "xXo".contains(code) => {
                let found = value.type_name();
                let message = format!("%{code} format: an integer is required, not {found}");
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
