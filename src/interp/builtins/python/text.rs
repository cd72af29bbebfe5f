//! Methods of strings that ask about them or change their letters. Positions count characters.

use super::super::{Builtin, Call, Homes, Run};
use super::letters;
use crate::diag::{ErrorKind, Fault, is_printable};
use crate::interp::value::{Entries, Key, Type, Value};
use crate::interp::{index, long_text, room};

pub(super) const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Str).doc(doc)
}

pub const BUILTINS: &[Builtin] = &[
    method("upper(s, /)", |call| map(call, str::to_uppercase), "In capitals.")
        .quick(super::quick::text::upper),
    method("lower(s, /)", lower, "In small letters.").quick(super::quick::text::lower),
    method("casefold(s, /)", |call| map(call, casefold), "In letters to compare by, without case."),
    method("title(s, /)", |call| change(call, title), "Each word with a capital."),
    method("capitalize(s, /)", |call| change(call, capitalize), "The first letter as a capital."),
    method(
        "swapcase(s, /)",
        |call| change(call, swapcase),
        "Capitals small, and small ones capital.",
    ),
    method(
        "isdecimal(s, /)",
        |call| test(call, |c| letters::decimal(c).is_some()),
        "Whether all are decimal digits.",
    )
    .quick(super::quick::text::is_digit),
    method("isdigit(s, /)", |call| test(call, letters::is_digit), "Whether all are digits.")
        .quick(super::quick::text::is_digit),
    method("isnumeric(s, /)", |call| test(call, letters::is_numeric), "Whether all are numbers.")
        .quick(super::quick::text::is_digit),
    method("isalpha(s, /)", |call| test(call, letters::is_alpha), "Whether all are letters.")
        .quick(super::quick::text::is_alpha),
    method(
        "isalnum(s, /)",
        |call| test(call, |c| letters::is_alpha(c) || letters::is_numeric(c)),
        "Whether all are letters or digits.",
    )
    .quick(super::quick::text::is_alnum),
    method("isspace(s, /)", |call| test(call, letters::is_space), "Whether all are blanks."),
    method(
        "isascii(s, /)",
        |call| Ok(Value::Bool(call.str(0)?.is_ascii())),
        "Whether all are in ASCII.",
    ),
    method(
        "isprintable(s, /)",
        |call| Ok(Value::Bool(long_text::all(call.engine(), call.str(0)?, is_printable)?)),
        "Whether all show themselves.",
    ),
    method(
        "isidentifier(s, /)",
        |call| Ok(Value::Bool(crate::syntax::is_identifier(call.str(0)?))),
        "Whether it is a name.",
    ),
    method("isupper(s, /)", |call| cased(call, char::is_lowercase), "Whether no letter is small."),
    method(
        "islower(s, /)",
        |call| cased(call, char::is_uppercase),
        "Whether no letter is a capital.",
    ),
    method("istitle(s, /)", is_title, "Whether each word begins with a capital, and has no other."),
    method("zfill(s, width, /)", zfill, "Zeros in front, behind a sign."),
    method(
        "ljust(s, width, fillchar=' ', /)",
        |call| pad(call, |gap, _| (0, gap)),
        "At the left of a field.",
    ),
    method(
        "rjust(s, width, fillchar=' ', /)",
        |call| pad(call, |gap, _| (gap, 0)),
        "At the right of a field.",
    ),
    method(
        "center(s, width, fillchar=' ', /)",
        |call| {
            pad(call, |gap, width| {
                let left = gap / 2 + (gap & width & 1);
                (left, gap - left)
            })
        },
        "In the middle of a field.",
    ),
    method("expandtabs(s, tabsize=8)", expandtabs, "With blanks for tabs."),
    method("translate(s, table, /)", translate, "With what a table has for each character's code."),
    method(
        "maketrans(x, y=..., z=..., /)",
        maketrans,
        "A table for `translate`: of characters, and of those to drop.",
    )
    .homes(Homes::STATIC)
    .asks_objects(),
    method(
        "format(s, /, *values, **names)",
        super::substitute::format,
        "With values in place of `{}`.",
    )
    .quick(super::quick::substitute::FORMAT),
    method(
        "format_map(s, mapping, /)",
        super::substitute::format_map,
        "With a mapping's values in place of `{name}`.",
    ),
];

fn map(call: &mut Call<'_>, change: fn(&str) -> String) -> Result<Value, Fault> {
    Ok(Value::str(long_text::mapped(call.engine(), call.str(0)?, change)?))
}

fn lower(call: &mut Call<'_>) -> Result<Value, Fault> {
    // This letter alone depends on what stands around it.
    if call.str(0)?.contains('Σ') {
        return change(call, lowered);
    }
    map(call, str::to_lowercase)
}

fn test(call: &mut Call<'_>, test: fn(char) -> bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    Ok(Value::Bool(!text.is_empty() && long_text::all(call.engine(), text, test)?))
}

fn is_cased(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase() || is_title_letter(c)
}

/// Letters that are a capital and a small one in one: `ǅ`.
fn is_title_letter(c: char) -> bool {
    matches!(c, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}')
        || matches!(c, '\u{1f88}'..='\u{1f8f}' | '\u{1f98}'..='\u{1f9f}' | '\u{1fa8}'..='\u{1faf}')
        || matches!(c, '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}')
}

fn cased(call: &mut Call<'_>, forbidden: fn(char) -> bool) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let is_bare = |c: char| !c.is_lowercase() && !c.is_uppercase();
    let is_pure = |c: char| !forbidden(c) && !is_title_letter(c);
    let engine = call.engine();
    let holds = long_text::all(engine, text, is_pure)? && !long_text::all(engine, text, is_bare)?;
    Ok(Value::Bool(holds))
}

fn is_title(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mut is_inside, mut has_any) = (false, false);
    let mut pace = room::Pace::new(call.engine());
    for c in call.str(0)?.chars() {
        pace.step(0)?;
        let is_capital = c.is_uppercase() || is_title_letter(c);
        if is_capital && is_inside || c.is_lowercase() && !is_inside {
            return Ok(Value::Bool(false));
        }
        is_inside = is_cased(c);
        has_any |= is_inside;
    }
    Ok(Value::Bool(has_any))
}

fn casefold(text: &str) -> String {
    let fold = |c: char| -> String {
        match c {
            'ı' => "ı".to_owned(),
            _ => c.to_uppercase().flat_map(char::to_lowercase).collect(),
        }
    };
    text.chars().map(fold).collect()
}

/// A character between those before and behind it.
struct Place {
    before: Option<char>,
    c: char,
    after: Option<char>,
}

/// A capital for the beginning of a word: of `ß` it is `Ss`.
fn titled(c: char, out: &mut String) {
    let mut upper = c.to_uppercase();
    match (c, upper.len()) {
        ('\u{1c4}'..='\u{1c6}', _) => out.push('\u{1c5}'),
        ('\u{1c7}'..='\u{1c9}', _) => out.push('\u{1c8}'),
        ('\u{1ca}'..='\u{1cc}', _) => out.push('\u{1cb}'),
        ('\u{1f1}'..='\u{1f3}', _) => out.push('\u{1f2}'),
        _ => {
            out.extend(upper.next());
            out.extend(upper.flat_map(char::to_lowercase));
        }
    }
}

/// A letter in small, as it is within its text: the `Σ` that ends a word has a form of its own.
fn lowered(place: &Place, out: &mut String) {
    let is_last = || place.before.is_some_and(is_cased) && !place.after.is_some_and(is_cased);
    match place.c {
        'Σ' if is_last() => out.push('ς'),
        c => out.extend(c.to_lowercase()),
    }
}

/// Each letter changed by its neighbours.
fn change(call: &mut Call<'_>, change: fn(&Place, &mut String)) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let mut pace = room::Pace::new(call.engine());
    let mut result = String::with_capacity(text.len());
    let (mut before, mut chars) = (None, text.chars().peekable());
    while let Some(c) = chars.next() {
        pace.step(c.len_utf8())?;
        change(&Place { before, c, after: chars.peek().copied() }, &mut result);
        before = Some(c);
    }
    Ok(Value::str(result))
}

fn capitalize(place: &Place, out: &mut String) {
    match place.before {
        None => titled(place.c, out),
        Some(_) => lowered(place, out),
    }
}

fn title(place: &Place, out: &mut String) {
    match place.before.is_some_and(is_cased) {
        false => titled(place.c, out),
        true => lowered(place, out),
    }
}

fn swapcase(place: &Place, out: &mut String) {
    match place.c {
        c if c.is_uppercase() => lowered(place, out),
        c if c.is_lowercase() => out.extend(c.to_uppercase()),
        c => out.push(c),
    }
}

fn zfill(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let sign = text.len() - text.trim_start_matches(['+', '-']).len();
    let (sign, digits) = text.split_at(sign.min(1));
    let gap = gap(call, text)?;
    let zeros = room::repeated(call.engine(), "0", gap)?;
    Ok(Value::str(long_text::joined(call.engine(), &[sign, &zeros, digits])?))
}

fn pad(call: &mut Call<'_>, sides: fn(usize, usize) -> (usize, usize)) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let fill = match call.value(2).plain() {
        Value::Str(fill) => fill,
        _ => {
            let found = call.value(2).type_name();
            let message = format!("The fill character must be a unicode character, not {found}");
            return Err(call.fault_at(2, Fault::type_error(message)));
        }
    };
    if fill.chars().count() != 1 {
        let message = "The fill character must be exactly one character long";
        return Err(call.fault_at(2, Fault::type_error(message)));
    }
    let gap = gap(call, text)?;
    let (left, right) = sides(gap, call.int(1)?.max(0) as usize);
    let engine = call.engine();
    let (left, right) = (room::repeated(engine, fill, left)?, room::repeated(engine, fill, right)?);
    Ok(Value::str(long_text::joined(engine, &[&left, text, &right])?))
}

/// How many characters are missing to the width that a call asks for.
fn gap(call: &Call<'_>, text: &str) -> Result<usize, Fault> {
    let width = call.int(1)?;
    let gap = (width.max(0) as usize).saturating_sub(text.chars().count());
    room::text(call.engine(), gap).map_err(|fault| call.fault_at(1, fault))?;
    Ok(gap)
}

fn expandtabs(call: &mut Call<'_>) -> Result<Value, Fault> {
    let size = usize::try_from(call.int(1)?).unwrap_or(0);
    let text = call.str(0)?;
    let engine = call.engine();
    let mut tabs = 0usize;
    long_text::each_match(engine, text, "\t", |_| {
        tabs += 1;
        Ok(true)
    })?;
    room::text(engine, tabs.saturating_mul(size).saturating_add(text.len()))?;
    let (mut expanded, mut column) = (String::new(), 0);
    let mut pace = room::Pace::new(engine);
    for c in text.chars() {
        pace.step(0)?;
        match c {
            '\t' => {
                let blanks = if size == 0 { 0 } else { size - column % size };
                long_text::push(engine, &mut expanded, &room::repeated(engine, " ", blanks)?)?;
                column += blanks;
            }
            _ => {
                expanded.push(c);
                column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
            }
        }
    }
    Ok(Value::str(expanded))
}

fn translate(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.str(0)?;
    let mut translated = String::new();
    let mut pace = room::Pace::new(call.engine());
    // What single characters become by a dictionary, which says the same each time.
    let mut known = [None; 128];
    let is_dict = matches!(call.value(1), Value::Dict(_));
    for c in text.chars() {
        pace.step(1)?;
        if let Some(Some(other)) = known.get(c as usize) {
            translated.push(*other);
            continue;
        }
        let code = Value::Int(i64::from(u32::from(c)));
        let found = match call.value(1) {
            Value::Dict(dict) => dict.borrow().get(&Key::of_int(i64::from(u32::from(c)))).cloned(),
            // What it lacks stays; another error is one.
            _ => match call.evaluator.container_index(call.value(1), &code).map_err(Fault::from) {
                Ok(found) => Some(found.plain().clone()),
                Err(fault) if fault.kind.is_a(ErrorKind::Lookup) => None,
                Err(fault) => return Err(call.fault_at(1, fault)),
            },
        };
        if is_dict && c.is_ascii() {
            known[c as usize] = match &found {
                None => Some(c),
                Some(Value::Int(code)) => u32::try_from(*code).ok().and_then(char::from_u32),
                Some(Value::Str(text)) if text.len() == 1 => text.chars().next(),
                Some(_) => None,
            };
        }
        match found {
            None => translated.push(c),
            Some(Value::None) => {}
            Some(Value::Str(text)) => translated.push_str(&text),
            Some(other) => {
                let wrong = || {
                    let message = "character mapping must return integer, None or str";
                    call.fault_at(1, Fault::type_error(message))
                };
                let Value::Int(code) = other else { return Err(wrong()) };
                let c = u32::try_from(code).ok().and_then(char::from_u32);
                let c = c.ok_or_else(|| {
                    let message = "character mapping must be in range(0x110000)";
                    call.fault_at(1, Fault::value_error(message))
                })?;
                translated.push(c);
            }
        }
    }
    Ok(Value::str(translated))
}

fn maketrans(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut entries = Entries::default();
    let mut pace = room::Pace::new(call.engine());
    let mut add = |c: char, value: Value| -> Result<(), Fault> {
        pace.step(0)?;
        entries.insert(index::hashable(&Value::Int(i64::from(u32::from(c))))?, value);
        Ok(())
    };
    if !call.given(1) {
        let Value::Dict(dict) = call.value(0) else {
            let message = "if you give only one argument to maketrans it must be a dict";
            return Err(call.fault_at(0, Fault::type_error(message)));
        };
        for (key, value) in dict.borrow().iter() {
            match key.value() {
                Value::Int(code) => {
                    if let Some(c) = u32::try_from(*code).ok().and_then(char::from_u32) {
                        add(c, value.clone())?;
                    }
                }
                Value::Str(text) if text.chars().count() == 1 => {
                    text.chars().try_for_each(|c| add(c, value.clone()))?;
                }
                Value::Str(_) => {
                    let message = "string keys in translate table must be of length 1";
                    return Err(call.fault_at(0, Fault::value_error(message)));
                }
                _ => {
                    let message = "keys in translate table must be strings or integers";
                    return Err(call.fault_at(0, Fault::type_error(message)));
                }
            }
        }
        return Ok(Value::Dict(std::rc::Rc::new(entries.into())));
    }
    let (from, to) = (call.str(0)?, call.str(1)?);
    if from.chars().count() != to.chars().count() {
        let message = "the first two maketrans arguments must have equal length";
        return Err(Fault::value_error(message));
    }
    let code = |c: char| Value::Int(i64::from(u32::from(c)));
    from.chars().zip(to.chars()).try_for_each(|(a, b)| add(a, code(b)))?;
    if call.given(2) {
        call.str(2)?.chars().try_for_each(|c| add(c, Value::None))?;
    }
    Ok(Value::Dict(std::rc::Rc::new(entries.into())))
}
