//! Methods of short texts: so short that nobody has to ask for room or look at Ctrl-C.

use std::rc::Rc;

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

/// Whether a character of ASCII is a blank: see [`letters::is_space`].
#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, 9..=13 | 28..=32)
}

/// Where a part begins each time in a text, none reaching into another; the part is not empty.
///
/// What sets out to find a part in a text of any length takes longer to set out than a short text takes to be
/// looked through.
struct Matches<'t> {
    text: &'t [u8],
    part: &'t [u8],
    at: usize,
}

impl<'t> Matches<'t> {
    fn of(text: &'t str, part: &'t str) -> Matches<'t> {
        Matches { text: text.as_bytes(), part: part.as_bytes(), at: 0 }
    }
}

impl Iterator for Matches<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let (first, others) = self.part.split_first()?;
        while let Some((byte, behind)) = self.text.get(self.at..)?.split_first() {
            let at = self.at;
            self.at += 1;
            if byte == first && behind.starts_with(others) {
                self.at += others.len();
                return Some(at);
            }
        }
        None
    }
}

/// `text.split()`, `text.split(separator)`
pub fn split(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let mut parts = Vec::with_capacity(4);
    let mut keep = |part| parts.push(evaluator.interp.part(part));
    match arguments {
        [text] => {
            let text = short(text)?;
            if !text.is_all_ascii() {
                text.split(letters::is_space).filter(|part| !part.is_empty()).for_each(keep);
            } else {
                let mut rest = &**text;
                while let Some(start) = rest.bytes().position(|byte| !is_blank(byte)) {
                    let (part, behind) = cut(&rest[start..]);
                    keep(part);
                    rest = behind;
                }
            }
        }
        [text, Value::Str(separator)] if !separator.is_empty() => {
            let text = short(text)?;
            let mut done = 0;
            for at in Matches::of(text, separator) {
                keep(&text[done..at]);
                done = at + separator.len();
            }
            keep(&text[done..]);
        }
        _ => return None,
    }
    put(to, Value::List(Rc::new(evaluator.made(parts))));
    Some(())
}

/// A text of ASCII up to its first blank, and from there on.
#[inline]
fn cut(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().position(is_blank).unwrap_or(text.len()))
}

/// Adds a text that is most often one letter.
#[inline]
fn push(whole: &mut String, text: &str) {
    match text.as_bytes() {
        [letter] => whole.push(char::from(*letter)),
        _ => whole.push_str(text),
    }
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
            if at > 0 {
                push(&mut whole, separator);
            }
            push(&mut whole, text);
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

/// What blanks are taken from, or letters of another text: a short one, which stays the same value where there are
/// none at its ends.
#[inline]
fn trimmed(
    arguments: &[Value],
    to: &mut Value,
    trim: impl Fn(&str) -> &str,
    trim_of: impl for<'t> Fn(&'t str, &str) -> &'t str,
) -> Option<()> {
    let (value, letters) = match arguments {
        [value] => (value, None),
        [value, letters @ Value::Str(_)] => (value, Some(short(letters)?)),
        _ => return None,
    };
    let text = short(value)?;
    let part = match letters {
        None => trim(text),
        Some(letters) => trim_of(text, letters),
    };
    match part.len() == text.len() {
        true => put_copy(to, value),
        false => put(to, Value::str(part)),
    }
    Some(())
}

#[inline]
fn trim_start(text: &str) -> &str {
    match text.bytes().position(|byte| !is_blank(byte)) {
        Some(at) if text.as_bytes()[at].is_ascii() => &text[at..],
        _ => text.trim_start_matches(letters::is_space),
    }
}

#[inline]
fn trim_end(text: &str) -> &str {
    match text.bytes().rposition(|byte| !is_blank(byte)) {
        Some(at) if text.as_bytes()[at].is_ascii() => &text[..=at],
        _ => text.trim_end_matches(letters::is_space),
    }
}

fn trim_start_of<'t>(text: &'t str, letters: &str) -> &'t str {
    text.trim_start_matches(|letter| letters.contains(letter))
}

fn trim_end_of<'t>(text: &'t str, letters: &str) -> &'t str {
    text.trim_end_matches(|letter| letters.contains(letter))
}

fn trim_both(text: &str) -> &str {
    trim_start(trim_end(text))
}

fn trim_both_of<'t>(text: &'t str, letters: &str) -> &'t str {
    trim_start_of(trim_end_of(text, letters), letters)
}

/// `text.strip(letters)`
pub fn strip(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    trimmed(arguments, to, trim_both, trim_both_of)
}

/// `text.lstrip(letters)`
pub fn lstrip(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    trimmed(arguments, to, trim_start, trim_start_of)
}

/// `text.rstrip(letters)`
pub fn rstrip(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    trimmed(arguments, to, trim_end, trim_end_of)
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
    let mut places = Matches::of(text, old).peekable();
    if places.peek().is_none() {
        put_copy(to, &arguments[0]);
        return Some(());
    }
    let mut whole = String::with_capacity(text.len() + 2 * new.len());
    let mut done = 0;
    for at in places {
        push(&mut whole, &text[done..at]);
        push(&mut whole, new);
        done = at + old.len();
    }
    push(&mut whole, &text[done..]);
    put(to, Value::Str(whole.into()));
    Some(())
}

/// Where a part stands, by `search` for a byte of it; positions of ASCII are those of bytes.
#[inline]
fn found(arguments: &[Value], search: impl Fn(&str, &str) -> Option<usize>) -> Option<i64> {
    let [text, Value::Str(part)] = arguments else { return None };
    let text = short(text)?;
    Some(match search(text, part) {
        Some(at) => text.position_of(at) as i64,
        None => -1,
    })
}

fn first(text: &str, part: &str) -> Option<usize> {
    if part.is_empty() { Some(0) } else { Matches::of(text, part).next() }
}

/// `text.find(part)`
pub fn find(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    put_int(to, found(arguments, first)?);
    Some(())
}

/// `text.rfind(part)`
pub fn rfind(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    put_int(to, found(arguments, |text, part| text.rfind(part))?);
    Some(())
}

/// `text.index(part)` where it stands there
pub fn index(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let at = found(arguments, first)?;
    (at >= 0).then(|| put_int(to, at))
}

/// `text.count(part)`
pub fn count(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [text, Value::Str(part)] = arguments else { return None };
    let text = short(text)?;
    let count = match part.is_empty() {
        true => text.count() + 1,
        false => Matches::of(text, part).count(),
    };
    put_int(to, count as i64);
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
