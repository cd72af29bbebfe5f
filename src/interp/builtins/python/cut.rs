//! Methods of strings that look for parts, and cut and join.

use std::ops::Range;

use super::super::{Builtin, Call};
use super::letters;
use super::text::method;
use crate::diag::Fault;
use crate::interp::value::Value;
use crate::interp::{long_text, room};
use crate::tensor::Engine;

pub const BUILTINS: &[Builtin] = &[
    method(
        "strip(s, chars=None, /)",
        |call| strip(call, true, true),
        "Without blanks at both ends.",
    )
    .quick(super::quick::text::strip),
    method(
        "lstrip(s, chars=None, /)",
        |call| strip(call, true, false),
        "Without blanks at the left.",
    )
    .quick(super::quick::text::lstrip),
    method(
        "rstrip(s, chars=None, /)",
        |call| strip(call, false, true),
        "Without blanks at the right.",
    )
    .quick(super::quick::text::rstrip),
    method("removeprefix(s, prefix, /)", removeprefix, "Without this beginning."),
    method("removesuffix(s, suffix, /)", removesuffix, "Without this end."),
    method("split(s, sep=None, maxsplit=-1)", split, "The parts between separators, or blanks.")
        .quick(super::quick::text::split),
    method(
        "rsplit(s, sep=None, maxsplit=-1)",
        rsplit,
        "As `split`; with `maxsplit`, the last separators count.",
    ),
    method("splitlines(s, keepends=False)", splitlines, "The lines."),
    method(
        "partition(s, sep, /)",
        |call| partition(call, false),
        "What stands before, the separator, what stands behind.",
    ),
    method(
        "rpartition(s, sep, /)",
        |call| partition(call, true),
        "As `partition`, at the last separator.",
    ),
    method("join(s, iterable, /)", join, "Strings joined, with this one between them.")
        .quick(super::quick::text::join),
    method("replace(s, old, new, count=-1, /)", replace, "With `new` wherever `old` stands.")
        .quick(super::quick::text::replace),
    method(
        "startswith(s, prefix, start=None, end=None, /)",
        |call| affix(call, |s, x| s.starts_with(x)),
        "Whether it begins so, or so for one of a tuple.",
    )
    .quick(super::quick::text::startswith),
    method(
        "endswith(s, suffix, start=None, end=None, /)",
        |call| affix(call, |s, x| s.ends_with(x)),
        "Whether it ends so, or so for one of a tuple.",
    )
    .quick(super::quick::text::endswith),
    method(
        "find(s, sub, start=None, end=None, /)",
        |call| find(call, long_text::find),
        "Where `sub` stands first, or -1.",
    )
    .quick(super::quick::text::find),
    method(
        "rfind(s, sub, start=None, end=None, /)",
        |call| find(call, long_text::rfind),
        "Where `sub` stands last, or -1.",
    )
    .quick(super::quick::text::rfind),
    method(
        "index(s, sub, start=None, end=None, /)",
        |call| index(call, long_text::find),
        "Where `sub` stands first.",
    )
    .quick(super::quick::text::index),
    method(
        "rindex(s, sub, start=None, end=None, /)",
        |call| index(call, long_text::rfind),
        "Where `sub` stands last.",
    ),
    method("count(s, sub, start=None, end=None, /)", count, "How often `sub` stands in it.")
        .quick(super::quick::text::count),
];

fn strip(call: &mut Call<'_>, left: bool, right: bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let chars: Option<Vec<char>> = match call.value(1).plain() {
        Value::None => None,
        Value::Str(chars) => Some(chars.chars().collect()),
        _ => {
            let message = format!("{} arg must be None or str", call.name());
            return Err(call.fault_at(1, Fault::type_error(message)));
        }
    };
    let is_gone = |c: char| chars.as_ref().map_or(letters::is_space(c), |chars| chars.contains(&c));
    let kept = long_text::trimmed(call.engine(), text, (left, right), is_gone)?;
    part(call, kept)
}

fn removeprefix(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, prefix) = (call.str(0)?, call.str(1)?);
    part(call, text.strip_prefix(prefix).unwrap_or(text))
}

fn removesuffix(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, suffix) = (call.str(0)?, call.str(1)?);
    part(call, text.strip_suffix(suffix).unwrap_or(text))
}

/// A part of the text of a call, which is itself where that is all of it.
fn part(call: &Call<'_>, part: &str) -> Result<Value, Fault> {
    match call.value(0) {
        whole @ Value::Str(text) if text.len() == part.len() => Ok(whole.clone()),
        _ => Ok(Value::str(long_text::joined(call.engine(), &[part])?)),
    }
}

/// Parts of a text, in a list.
struct Parts<'a> {
    engine: &'a Engine,
    pace: room::Pace<'a>,
    found: Vec<Value>,
}

impl<'a> Parts<'a> {
    fn new(engine: &'a Engine) -> Parts<'a> {
        Parts { engine, pace: room::Pace::new(engine), found: Vec::new() }
    }

    fn push(&mut self, part: &str) -> Result<(), Fault> {
        self.pace.step(room::SHORT_TEXT)?;
        let part = match part.len() {
            0..room::PIECE => part.to_owned(),
            _ => long_text::joined(self.engine, &[part])?,
        };
        self.found.push(Value::str(part));
        Ok(())
    }
}

/// The most parts that a call asks for.
fn most_parts(call: &Call<'_>) -> Result<usize, Fault> {
    Ok(usize::try_from(call.int(2)?).map_or(usize::MAX, |most| most.saturating_add(1)))
}

fn separator<'a>(call: &'a Call<'_>) -> Result<&'a str, Fault> {
    match call.value(1).plain() {
        Value::Str(separator) if separator.is_empty() => {
            Err(call.fault_at(1, Fault::value_error("empty separator")))
        }
        Value::Str(separator) => Ok(separator),
        _ => {
            let message = format!("must be str or None, not {}", call.value(1).type_name());
            Err(call.fault_at(1, Fault::type_error(message)))
        }
    }
}

fn split(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, most) = (call.str(0)?, most_parts(call)?);
    let engine = call.engine();
    let mut parts = Parts::new(engine);
    if !call.is_none(1) {
        let separator = separator(call)?;
        let mut done = 0;
        if most > 1 {
            long_text::each_match(engine, text, separator, |at| {
                parts.push(&text[done..at])?;
                done = at + separator.len();
                Ok(parts.found.len() + 1 < most)
            })?;
        }
        parts.push(&text[done..])?;
        return Ok(Value::list(parts.found));
    }
    let trimmed = |rest| long_text::trimmed(engine, rest, (true, false), letters::is_space);
    let mut rest = trimmed(text)?;
    while !rest.is_empty() {
        let is_last = parts.found.len() + 1 >= most;
        let end = match is_last {
            true => None,
            false => long_text::find_char(engine, rest, letters::is_space)?,
        };
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        parts.push(part)?;
        rest = trimmed(after)?;
    }
    Ok(Value::list(parts.found))
}

fn rsplit(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, most) = (call.str(0)?, most_parts(call)?);
    let engine = call.engine();
    let mut parts = Parts::new(engine);
    if !call.is_none(1) {
        let separator = separator(call)?;
        let mut rest = text;
        while parts.found.len() + 1 < most
            && let Some(at) = long_text::rfind(engine, rest, separator)?
        {
            parts.push(&rest[at + separator.len()..])?;
            rest = &rest[..at];
        }
        parts.push(rest)?;
    } else {
        let trimmed = |rest| long_text::trimmed(engine, rest, (false, true), letters::is_space);
        let mut rest = trimmed(text)?;
        while !rest.is_empty() {
            let is_last = parts.found.len() + 1 >= most;
            let start = match is_last {
                true => None,
                false => long_text::end_of_last_char(engine, rest, letters::is_space)?,
            };
            let (before, part) = rest.split_at(start.unwrap_or(0));
            parts.push(part)?;
            rest = trimmed(before)?;
        }
    }
    parts.found.reverse();
    Ok(Value::list(parts.found))
}

fn splitlines(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, keeps) = (call.str(0)?, call.bool(1)?);
    let engine = call.engine();
    let mut lines = Parts::new(engine);
    let mut rest = text;
    while !rest.is_empty() {
        let end = long_text::find_char(engine, rest, letters::is_line_end)?.unwrap_or(rest.len());
        let mark = match rest[end..].chars().next() {
            Some('\r') if rest[end..].starts_with("\r\n") => 2,
            Some(c) => c.len_utf8(),
            None => 0,
        };
        lines.push(&rest[..if keeps { end + mark } else { end }])?;
        rest = &rest[end + mark..];
    }
    Ok(Value::list(lines.found))
}

fn partition(call: &mut Call<'_>, is_last: bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let Value::Str(mark) = call.value(1).plain() else {
        let message = format!("must be str, not {}", call.value(1).type_name());
        return Err(call.fault_at(1, Fault::type_error(message)));
    };
    let separator = separator(call)?;
    let search = if is_last { long_text::rfind } else { long_text::find };
    let parts = match search(call.engine(), text, separator)? {
        Some(at) => [&text[..at], mark, &text[at + separator.len()..]],
        None if is_last => ["", "", text],
        None => [text, "", ""],
    };
    let parts = parts.map(|part| long_text::joined(call.engine(), &[part]).map(Value::str));
    Ok(Value::tuple(parts.into_iter().collect::<Result<Vec<Value>, Fault>>()?))
}

/// The items that `separator.join` is given.
pub(super) fn items_to_join(call: &Call<'_>) -> Result<Vec<Value>, Fault> {
    call.evaluator.first_items(call.value(1), usize::MAX).map_err(|error| {
        match error.is_type_error() {
            true => call.fault_at(1, Fault::type_error("can only join an iterable")),
            false => call.fault_at(1, error),
        }
    })
}

fn join(call: &mut Call<'_>) -> Result<Value, Fault> {
    let separator = call.str(0)?;
    let texts = match call.value(1) {
        Value::List(items) => joined(call, separator, &items.borrow())?,
        Value::Tuple(items) => joined(call, separator, items)?,
        _ => None,
    };
    if let Some(text) = texts {
        return Ok(Value::Str(text.into()));
    }
    let items = items_to_join(call)?;
    let mut text = String::new();
    let mut pace = room::Pace::new(call.engine());
    for (at, item) in items.iter().enumerate() {
        let Value::Str(part) = item.plain() else {
            let found = item.type_name();
            let message = format!("sequence item {at}: expected str instance, {found} found");
            return Err(call.fault_at(1, Fault::type_error(message)));
        };
        pace.step(separator.len() + part.len())?;
        long_text::push(call.engine(), &mut text, if at > 0 { separator } else { "" })?;
        long_text::push(call.engine(), &mut text, part)?;
    }
    Ok(Value::str(text))
}

/// Texts joined where they lie; none where there is something else among them.
fn joined(call: &Call<'_>, separator: &str, items: &[Value]) -> Result<Option<String>, Fault> {
    let mut bytes = separator.len().saturating_mul(items.len());
    for item in items {
        let Value::Str(text) = item else { return Ok(None) };
        bytes = bytes.saturating_add(text.len());
    }
    room::text(call.engine(), bytes)?;
    let mut whole = String::with_capacity(bytes);
    let mut pace = room::Pace::new(call.engine());
    for (at, item) in items.iter().enumerate() {
        let Value::Str(text) = item else { return Ok(None) };
        pace.step(0)?;
        long_text::push(call.engine(), &mut whole, if at > 0 { separator } else { "" })?;
        long_text::push(call.engine(), &mut whole, text)?;
    }
    Ok(Some(whole))
}

fn replace(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    for position in [1, 2] {
        if !matches!(call.value(position).plain(), Value::Str(_)) {
            let found = call.value(position).type_name();
            let message = format!("replace() argument {position} must be str, not {found}");
            return Err(call.fault_at(position, Fault::type_error(message)));
        }
    }
    let (old, new) = (call.str(1)?, call.str(2)?);
    let most = usize::try_from(call.int(3)?).unwrap_or(usize::MAX);
    Ok(Value::str(long_text::replaced(call.engine(), text, (old, new), most)?))
}
/// The bytes from the character at `start` up to that at `end`, and how many characters lie before
/// them; none where they begin behind the text.
fn window(call: &Call<'_>) -> Result<Option<(Range<usize>, usize)>, Fault> {
    let text = call.text(0)?;
    if call.is_none(2) && call.is_none(3) {
        return Ok(Some((0..text.len(), 0)));
    }
    let len = text.count() as i64;
    let bound = |position: usize, or: i64| -> Result<i64, Fault> {
        Ok(match call.optional_int(position)? {
            None => or,
            Some(at) if at < 0 => at.saturating_add(len).max(0),
            Some(at) => at,
        })
    };
    let (start, end) = (bound(2, 0)?, bound(3, len)?.min(len));
    if start > len || start > end {
        return Ok(None);
    }
    Ok(Some((text.byte_of(start as usize)..text.byte_of(end as usize), start as usize)))
}

fn affix(call: &mut Call<'_>, holds: fn(&str, &str) -> bool) -> Result<Value, Fault> {
    let wrong = |value: &Value, of: &str| {
        let (name, found) = (call.name(), value.type_name());
        let message = match of {
            "" => format!("{name} first arg must be str or a tuple of str, not {found}"),
            _ => format!("tuple for {name} must only contain str, not {found}"),
        };
        call.fault_at(1, Fault::type_error(message))
    };
    let options = match call.value(1).plain() {
        Value::Tuple(options) => &options[..],
        option @ Value::Str(_) => std::slice::from_ref(option),
        _ => return Err(wrong(call.value(1), "")),
    };
    // Where there is no such part, nothing stands in it, and what is no text is wrong still.
    let part = window(call)?.map(|(bytes, _)| call.str(0).map(|text| &text[bytes])).transpose()?;
    for option in options {
        let Value::Str(option) = option.plain() else { return Err(wrong(option, "tuple")) };
        if part.is_some_and(|part| holds(part, option)) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn wanted<'a>(call: &'a Call<'_>) -> Result<&'a str, Fault> {
    match call.value(1).plain() {
        Value::Str(text) => Ok(text),
        _ => {
            let message = format!("must be str, not {}", call.value(1).type_name());
            Err(call.fault_at(1, Fault::type_error(message)))
        }
    }
}

type Search = fn(&Engine, &str, &str) -> Result<Option<usize>, Fault>;

fn find(call: &mut Call<'_>, search: Search) -> Result<Value, Fault> {
    let part = wanted(call)?;
    let Some((bytes, _)) = window(call)? else { return Ok(Value::Int(-1)) };
    let (text, first) = (call.text(0)?, bytes.start);
    let at = search(call.engine(), &text[bytes], part)?;
    let at = at.map(|byte| text.position_of(first + byte) as i64);
    Ok(Value::Int(at.unwrap_or(-1)))
}

fn index(call: &mut Call<'_>, search: Search) -> Result<Value, Fault> {
    match find(call, search)? {
        Value::Int(-1) => Err(call.fault_at(1, Fault::value_error("substring not found"))),
        at => Ok(at),
    }
}

fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    let part = wanted(call)?;
    let Some((bytes, _)) = window(call)? else { return Ok(Value::Int(0)) };
    let text = &call.str(0)?[bytes];
    if part.is_empty() {
        return Ok(Value::Int(text.chars().count() as i64 + 1));
    }
    if let [byte] = part.as_bytes() {
        let mut count = 0;
        for piece in text.as_bytes().chunks(room::PIECE) {
            call.engine().interrupt().heed().map_err(Fault::from)?;
            count += piece.iter().filter(|other| *other == byte).count();
        }
        return Ok(Value::Int(count as i64));
    }
    let mut count = 0;
    long_text::each_match(call.engine(), text, part, |_| {
        count += 1;
        Ok(true)
    })?;
    Ok(Value::Int(count))
}
