//! Methods of strings. Positions count characters.

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::room;
use crate::interp::value::{Type, Value};

const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Str).doc(doc)
}

pub const BUILTINS: &[Builtin] = &[
    method("upper(s, /)", |call| map(call, str::to_uppercase), "In capitals."),
    method("lower(s, /)", |call| map(call, str::to_lowercase), "In small letters."),
    method("title(s, /)", |call| map(call, title), "Each word with a capital."),
    method("capitalize(s, /)", |call| map(call, capitalize), "The first letter as a capital."),
    method("swapcase(s, /)", |call| map(call, swapcase), "Capitals small, and small ones capital."),
    method(
        "strip(s, chars=None, /)",
        |call| strip(call, true, true),
        "Without blanks at both ends.",
    ),
    method(
        "lstrip(s, chars=None, /)",
        |call| strip(call, true, false),
        "Without blanks at the left.",
    ),
    method(
        "rstrip(s, chars=None, /)",
        |call| strip(call, false, true),
        "Without blanks at the right.",
    ),
    method("removeprefix(s, prefix, /)", removeprefix, "Without this beginning."),
    method("removesuffix(s, suffix, /)", removesuffix, "Without this end."),
    method("split(s, sep=None, maxsplit=-1)", split, "The parts between separators, or blanks."),
    method("splitlines(s, /)", splitlines, "The lines."),
    method(
        "partition(s, sep, /)",
        partition,
        "What stands before, the separator, what stands behind.",
    ),
    method("join(s, iterable, /)", join, "Strings joined, with this one between them."),
    method("replace(s, old, new, count=-1, /)", replace, "With `new` wherever `old` stands."),
    method(
        "startswith(s, prefix, /)",
        |call| affix(call, |s, x| s.starts_with(x)),
        "Whether it begins so, or so for one of a tuple.",
    ),
    method(
        "endswith(s, suffix, /)",
        |call| affix(call, |s, x| s.ends_with(x)),
        "Whether it ends so, or so for one of a tuple.",
    ),
    method(
        "find(s, sub, /)",
        |call| find(call, |s, sub| s.find(sub)),
        "Where `sub` stands first, or -1.",
    ),
    method(
        "rfind(s, sub, /)",
        |call| find(call, |s, sub| s.rfind(sub)),
        "Where `sub` stands last, or -1.",
    ),
    method("index(s, sub, /)", index, "Where `sub` stands first."),
    method("count(s, sub, /)", count, "How often `sub` stands in it."),
    method("zfill(s, width, /)", zfill, "Zeros in front, behind a sign."),
    method(
        "ljust(s, width, fillchar=' ', /)",
        |call| pad(call, |gap| (0, gap)),
        "At the left of a field.",
    ),
    method(
        "rjust(s, width, fillchar=' ', /)",
        |call| pad(call, |gap| (gap, 0)),
        "At the right of a field.",
    ),
    method(
        "center(s, width, fillchar=' ', /)",
        |call| pad(call, |gap| (gap / 2, gap - gap / 2)),
        "In the middle of a field.",
    ),
    method("isdigit(s, /)", |call| test(call, |c| c.is_numeric()), "Whether all are digits."),
    method("isnumeric(s, /)", |call| test(call, char::is_numeric), "Whether all are numbers."),
    method("isalpha(s, /)", |call| test(call, char::is_alphabetic), "Whether all are letters."),
    method(
        "isalnum(s, /)",
        |call| test(call, char::is_alphanumeric),
        "Whether all are letters or digits.",
    ),
    method("isspace(s, /)", |call| test(call, char::is_whitespace), "Whether all are blanks."),
    method("isupper(s, /)", |call| cased(call, char::is_lowercase), "Whether no letter is small."),
    method(
        "islower(s, /)",
        |call| cased(call, char::is_uppercase),
        "Whether no letter is a capital.",
    ),
    method(
        "format(s, *values, **names)",
        super::substitute::format,
        "With values in place of `{}`.",
    ),
];

fn map(call: &mut Call<'_>, change: fn(&str) -> String) -> Result<Value, Fault> {
    Ok(Value::str(change(call.str(0)?)))
}

fn test(call: &mut Call<'_>, test: fn(char) -> bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    Ok(Value::Bool(!text.is_empty() && text.chars().all(test)))
}

fn cased(call: &mut Call<'_>, forbidden: fn(char) -> bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let has_letter = text.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    Ok(Value::Bool(has_letter && !text.chars().any(forbidden)))
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    first + &chars.as_str().to_lowercase()
}

fn title(text: &str) -> String {
    let mut inside = false;
    let mut result = String::new();
    for c in text.chars() {
        match (c.is_alphabetic(), inside) {
            (true, false) => result.extend(c.to_uppercase()),
            (true, true) => result.extend(c.to_lowercase()),
            _ => result.push(c),
        }
        inside = c.is_alphabetic();
    }
    result
}

fn swapcase(text: &str) -> String {
    let mut result = String::new();
    for c in text.chars() {
        if c.is_uppercase() {
            result.extend(c.to_lowercase());
        } else {
            result.extend(c.to_uppercase());
        }
    }
    result
}

fn strip(call: &mut Call<'_>, left: bool, right: bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let chars: Option<Vec<char>> =
        if call.is_none(1) { None } else { Some(call.str(1)?.chars().collect()) };
    let is_gone = |c: char| chars.as_ref().map_or(c.is_whitespace(), |chars| chars.contains(&c));
    let text = if left { text.trim_start_matches(is_gone) } else { text };
    let text = if right { text.trim_end_matches(is_gone) } else { text };
    Ok(Value::str(text))
}

fn removeprefix(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, prefix) = (call.str(0)?, call.str(1)?);
    Ok(Value::str(text.strip_prefix(prefix).unwrap_or(text)))
}

fn removesuffix(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, suffix) = (call.str(0)?, call.str(1)?);
    Ok(Value::str(text.strip_suffix(suffix).unwrap_or(text)))
}

fn split(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let most = call.int(2)?;
    let most = usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
    let parts: Vec<Value> = if call.is_none(1) {
        let mut parts = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let end = rest.find(char::is_whitespace).filter(|_| parts.len() + 1 < most);
            let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
            parts.push(Value::str(part));
            rest = after.trim_start();
        }
        parts
    } else {
        match call.str(1)? {
            "" => return Err(call.fault_at(1, Fault::value_error("empty separator"))),
            separator => text.splitn(most, separator).map(Value::str).collect(),
        }
    };
    Ok(Value::list(parts))
}

fn splitlines(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(call.str(0)?.lines().map(Value::str).collect()))
}

fn partition(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, separator) = (call.str(0)?, call.str(1)?);
    if separator.is_empty() {
        return Err(call.fault_at(1, Fault::value_error("empty separator")));
    }
    let parts = match text.split_once(separator) {
        Some((before, after)) => [before, separator, after],
        None => [text, "", ""],
    };
    Ok(Value::tuple(parts.map(Value::str).to_vec()))
}

fn join(call: &mut Call<'_>) -> Result<Value, Fault> {
    let separator = call.str(0)?;
    let items = call.evaluator.iterate(call.value(1));
    let items = items.map_err(|error| call.fault_at(1, error))?;
    let mut text = String::new();
    let mut pace = room::Pace::new(call.engine());
    for (at, item) in items.iter().enumerate() {
        let Value::Str(part) = item else {
            let found = item.type_name();
            let message = format!("sequence item {at}: expected str instance, {found} found");
            return Err(call.fault_at(1, Fault::type_error(message)));
        };
        pace.step(separator.len() + part.len())?;
        text.push_str(if at > 0 { separator } else { "" });
        text.push_str(part);
    }
    Ok(Value::str(text))
}

fn replace(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, old, new) = (call.str(0)?, call.str(1)?, call.str(2)?);
    if new.len() > old.len() {
        let most = usize::try_from(call.int(3)?).unwrap_or(usize::MAX);
        let places = text.matches(old).count().min(most);
        room::text(call.engine(), text.len() + places.saturating_mul(new.len()))?;
    }
    Ok(Value::str(match usize::try_from(call.int(3)?) {
        Ok(count) => text.replacen(old, new, count),
        Err(_) => text.replace(old, new),
    }))
}

fn affix(call: &mut Call<'_>, holds: fn(&str, &str) -> bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    if let Value::Tuple(options) = call.value(1) {
        let any = options.iter().any(|option| matches!(option, Value::Str(x) if holds(text, x)));
        return Ok(Value::Bool(any));
    }
    Ok(Value::Bool(holds(text, call.str(1)?)))
}

fn find(call: &mut Call<'_>, search: fn(&str, &str) -> Option<usize>) -> Result<Value, Fault> {
    let (text, part) = (call.str(0)?, call.str(1)?);
    let at = search(text, part).map(|byte| text[..byte].chars().count() as i64);
    Ok(Value::Int(at.unwrap_or(-1)))
}

fn index(call: &mut Call<'_>) -> Result<Value, Fault> {
    match find(call, |s, sub| s.find(sub))? {
        Value::Int(-1) => Err(call.fault_at(1, Fault::value_error("substring not found"))),
        at => Ok(at),
    }
}

fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (text, part) = (call.str(0)?, call.str(1)?);
    Ok(Value::Int(text.matches(part).count() as i64))
}

fn zfill(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let sign = text.len() - text.trim_start_matches(['+', '-']).len();
    let (sign, digits) = text.split_at(sign.min(1));
    let gap = gap(call, text)?;
    Ok(Value::str(format!("{sign}{}{digits}", "0".repeat(gap))))
}

fn pad(call: &mut Call<'_>, sides: fn(usize) -> (usize, usize)) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let fill = call.str(2)?;
    if fill.chars().count() != 1 {
        let message = "The fill character must be exactly one character long";
        return Err(call.fault_at(2, Fault::type_error(message)));
    }
    let (left, right) = sides(gap(call, text)?);
    Ok(Value::str(format!("{}{text}{}", fill.repeat(left), fill.repeat(right))))
}

/// How many characters are missing to the width that a call asks for.
fn gap(call: &Call<'_>, text: &str) -> Result<usize, Fault> {
    let width = call.int(1)?;
    let gap = (width.max(0) as usize).saturating_sub(text.chars().count());
    room::text(call.engine(), gap).map_err(|fault| call.fault_at(1, fault))?;
    Ok(gap)
}
