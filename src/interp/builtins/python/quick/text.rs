//! Methods of short texts: so short that nobody has to ask for room or look at Ctrl-C.

use super::super::letters;
use crate::interp::Evaluator;
use crate::interp::value::{Str, Value};
use crate::interp::vm::register::{put, put_bool, put_copy, put_int};

/// Texts from here on go the general way, bytes.
const LONG: usize = 1024;

/// A text that is short.
#[inline]
fn short(value: &Value) -> Option<&Str> {
    match value {
        Value::Str(text) if text.len() < LONG => Some(text),
        _ => None,
    }
}

/// `text.split()`, `text.split(separator)`
pub fn split(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let part = |part| evaluator.interp.part(part);
    let parts: Vec<Value> = match arguments {
        [text] => {
            let parts = short(text)?.split(letters::is_space);
            parts.filter(|part| !part.is_empty()).map(part).collect()
        }
        [text, Value::Str(separator)] => {
            let text = short(text)?;
            match separator.as_bytes() {
                [] => return None,
                [one] if one.is_ascii() => text.split(char::from(*one)).map(part).collect(),
                _ => text.split(&**separator).map(part).collect(),
            }
        }
        _ => return None,
    };
    put(to, Value::list(parts));
    Some(())
}

/// `separator.join(texts)` of a list or a tuple
pub fn join(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Str(separator), items] = arguments else { return None };
    let join = |items: &[Value]| {
        let mut bytes = items.len().saturating_mul(separator.len());
        for item in items {
            let Value::Str(text) = item else { return None };
            bytes = bytes.saturating_add(text.len());
            if bytes >= LONG {
                return None;
            }
        }
        let mut whole = String::with_capacity(bytes);
        for (at, item) in items.iter().enumerate() {
            let Value::Str(text) = item else { return None };
            whole.push_str(if at > 0 { separator } else { "" });
            whole.push_str(text);
        }
        Some(Value::Str(whole.into()))
    };
    let whole = match items {
        Value::List(items) => join(&items.borrow()),
        Value::Tuple(items) => join(items),
        _ => None,
    };
    put(to, whole?);
    Some(())
}

/// `text.startswith(prefix)`
pub fn startswith(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Str(text), Value::Str(prefix)] = arguments else { return None };
    put_bool(to, text.as_bytes().starts_with(prefix.as_bytes()));
    Some(())
}

/// `text.endswith(suffix)`
pub fn endswith(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Str(text), Value::Str(suffix)] = arguments else { return None };
    put_bool(to, text.as_bytes().ends_with(suffix.as_bytes()));
    Some(())
}

/// What a method without arguments makes of a short text, which stays the same value where it says so.
#[inline]
fn trimmed(arguments: &[Value], to: &mut Value, trim: impl Fn(&str) -> &str) -> Option<()> {
    let [value] = arguments else { return None };
    let text = short(value)?;
    let part = trim(text);
    match part.len() == text.len() {
        true => put_copy(to, value),
        false => put(to, Value::str(part)),
    }
    Some(())
}

/// `text.strip()`
pub fn strip(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    trimmed(arguments, to, |text| text.trim_matches(letters::is_space))
}

/// `text.lstrip()`
pub fn lstrip(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    trimmed(arguments, to, |text| text.trim_start_matches(letters::is_space))
}

/// `text.rstrip()`
pub fn rstrip(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    trimmed(arguments, to, |text| text.trim_end_matches(letters::is_space))
}

/// `text.upper()` in ASCII
pub fn upper(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [text] = arguments else { return None };
    let text = short(text)?;
    if !text.is_all_ascii() {
        return None;
    }
    put(to, Value::Str(text.to_ascii_uppercase().into()));
    Some(())
}

/// `text.lower()` in ASCII
pub fn lower(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [text] = arguments else { return None };
    let text = short(text)?;
    if !text.is_all_ascii() {
        return None;
    }
    put(to, Value::Str(text.to_ascii_lowercase().into()));
    Some(())
}

/// `text.replace(old, new)`
pub fn replace(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [text, Value::Str(old), Value::Str(new)] = arguments else { return None };
    let text = short(text)?;
    if old.is_empty() || new.len() > old.len() && (text.len() / old.len()) * new.len() > LONG {
        return None;
    }
    put(to, Value::Str(text.replace(&**old, new).into()));
    Some(())
}

/// Where a part stands, by `search` for a byte of it; positions of ASCII are those of bytes.
#[inline]
fn found(arguments: &[Value], search: impl Fn(&str, &str) -> Option<usize>) -> Option<i64> {
    let [text, Value::Str(part)] = arguments else { return None };
    let text = short(text)?;
    Some(match search(text, part) {
        Some(at) if text.is_all_ascii() => at as i64,
        Some(at) => text[..at].chars().count() as i64,
        None => -1,
    })
}

/// `text.find(part)`
pub fn find(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    put_int(to, found(arguments, |text, part| text.find(part))?);
    Some(())
}

/// `text.rfind(part)`
pub fn rfind(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    put_int(to, found(arguments, |text, part| text.rfind(part))?);
    Some(())
}

/// `text.index(part)` where it stands there
pub fn index(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let at = found(arguments, |text, part| text.find(part))?;
    (at >= 0).then(|| put_int(to, at))
}

/// `text.count(part)`
pub fn count(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [text, Value::Str(part)] = arguments else { return None };
    put_int(to, short(text)?.matches(&**part).count() as i64);
    Some(())
}

/// Whether a short text of ASCII is something, each byte by itself.
#[inline]
fn all(arguments: &[Value], to: &mut Value, is_so: impl Fn(&u8) -> bool) -> Option<()> {
    let [text] = arguments else { return None };
    let text = short(text)?;
    let holds = || !text.is_empty() && text.as_bytes().iter().all(is_so);
    text.is_all_ascii().then(|| put_bool(to, holds()))
}

/// `text.isdigit()`, `text.isdecimal()`, `text.isnumeric()` in ASCII
pub fn is_digit(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    all(arguments, to, u8::is_ascii_digit)
}

/// `text.isalpha()` in ASCII
pub fn is_alpha(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    all(arguments, to, u8::is_ascii_alphabetic)
}

/// `text.isalnum()` in ASCII
pub fn is_alnum(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    all(arguments, to, u8::is_ascii_alphanumeric)
}

/// `ord(character)`
pub fn ord(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Str(text)] = arguments else { return None };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => put_int(to, i64::from(u32::from(c))),
        _ => return None,
    }
    Some(())
}
