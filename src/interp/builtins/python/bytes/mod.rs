//! `bytes`: made of texts, integers and arrays, and as numbers and text again. Most methods are those of strings,
//! which are asked about characters that stand for the bytes.

mod numbers;
mod text;
mod translate;

pub use numbers::{OF_BOOLS, OF_INTS};

use super::super::{Builtin, Call, Homes, Run};
use super::cut;
use crate::diag::{ErrorKind, Fault};
use crate::interp::object::bytes::Bytes;
use crate::interp::object::file::{Codec, Errors};
use crate::interp::room;
use crate::interp::value::{Type, Value};
use crate::tensor::{Engine, Tensor};

const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Bytes).doc(doc)
}

const fn as_text(signature: &'static str, doc: &'static str) -> Builtin {
    method(signature, text::method, doc)
}

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("bytes(source=..., encoding=..., errors=...)", bytes)
        .homes(Homes::CONSTRUCTOR)
        .doc("Integers below 256 that never change: of an iterable of them, of the elements of an array as they lie in memory, of\na text under an encoding, or so many zeros.")
        .example("bytes([71, 110])"),
    method("decode(self, encoding='utf-8', errors='strict')", decode, "The text that they are."),
    method("hex(self, sep=..., bytes_per_sep=1)", hex, "Two digits each, in base 16, with something between groups."),
    method("fromhex(string, /)", from_hex, "The bytes that digits in base 16 write down.")
        .homes(Homes::STATIC),
    method("join(self, iterable, /)", join, "Other bytes, with these between them."),
    method("splitlines(self, keepends=False)", split_lines, "The lines, which `\\n`, `\\r` or both end."),
    method("isascii(self, /)", |call| Ok(Value::Bool(of(call)?.is_ascii())), "Whether all are below 128."),
    as_text("find(self, sub, start=0, stop=..., /)", "Where others, or one by its number, stand first; else -1."),
    as_text("rfind(self, sub, start=0, stop=..., /)", "Where others stand last; else -1."),
    as_text("index(self, sub, start=0, stop=..., /)", "Where others stand first; ValueError if they don't."),
    as_text("rindex(self, sub, start=0, stop=..., /)", "Where others stand last; ValueError if they don't."),
    as_text("count(self, sub, start=0, stop=..., /)", "How often others stand there."),
    as_text("startswith(self, prefix, start=0, stop=..., /)", "Whether they begin with others, or with one of a tuple of them."),
    as_text("endswith(self, suffix, start=0, stop=..., /)", "Whether they end with others, or with one of a tuple of them."),
    as_text("replace(self, old, new, count=-1, /)", "With some replaced by others."),
    as_text("split(self, sep=None, maxsplit=-1)", "The parts between others, or between blanks."),
    as_text("rsplit(self, sep=None, maxsplit=-1)", "As `split`, counted from the end."),
    as_text("strip(self, bytes=None, /)", "Without blanks, or other bytes, at both ends."),
    as_text("lstrip(self, bytes=None, /)", "Without blanks, or other bytes, at the beginning."),
    as_text("rstrip(self, bytes=None, /)", "Without blanks, or other bytes, at the end."),
    as_text("partition(self, sep, /)", "What stands before others, those, and what stands behind."),
    as_text("rpartition(self, sep, /)", "As `partition`, at their last place."),
    as_text("removeprefix(self, prefix, /)", "Without others at the beginning."),
    as_text("removesuffix(self, suffix, /)", "Without others at the end."),
    as_text("upper(self, /)", "With capitals for small letters of ASCII."),
    as_text("lower(self, /)", "With small letters for capitals of ASCII."),
    as_text("title(self, /)", "Each word with a capital."),
    as_text("capitalize(self, /)", "The first letter as a capital."),
    as_text("swapcase(self, /)", "Capitals small, and small ones capital."),
    as_text("isalpha(self, /)", "Whether all are letters of ASCII."),
    as_text("isdigit(self, /)", "Whether all are digits."),
    as_text("isalnum(self, /)", "Whether all are letters of ASCII or digits."),
    as_text("isspace(self, /)", "Whether all are blanks."),
    as_text("isupper(self, /)", "Whether no letter is small."),
    as_text("islower(self, /)", "Whether no letter is a capital."),
    as_text("istitle(self, /)", "Whether each word begins with a capital, and has no other."),
    as_text("zfill(self, width, /)", "Zeros in front, behind a sign."),
    as_text("ljust(self, width, fillchar=b' ', /)", "At the left of a field."),
    as_text("rjust(self, width, fillchar=b' ', /)", "At the right of a field."),
    as_text("center(self, width, fillchar=b' ', /)", "In the middle of a field."),
    as_text("expandtabs(self, tabsize=8)", "With blanks for tabs."),
    method("translate(self, table, /, delete=...)", translate::translate, "Without some, and each other one as a table of 256 says."),
    method("maketrans(frm, to, /)", translate::maketrans, "The table by which `translate` puts one byte in another's place.")
        .homes(Homes::STATIC),
    Builtin::new("encode(s, encoding='utf-8', errors='strict')", encode)
        .homes(Homes::NONE)
        .method_of(Type::Str)
        .doc("The text as bytes."),
];

fn of<'a>(call: &'a Call<'_>) -> Result<&'a [u8], Fault> {
    let bytes = Bytes::of(call.value(0)).map(Bytes::get);
    bytes.ok_or_else(|| call.wrong_type(0, "bytes"))
}

/// The elements of an array as they lie in memory, by rows.
pub fn of_tensor(engine: &Engine, x: &Tensor) -> Result<Vec<u8>, Fault> {
    room::bytes(engine, x.size_bytes())?;
    let mut bytes = Vec::with_capacity(x.size_bytes());
    engine.pieces(x, |piece| {
        bytes.extend_from_slice(piece);
        Ok::<(), Fault>(())
    })?;
    Ok(bytes)
}

/// The text of bytes that write a number down; any other value itself.
pub(super) fn text_or(value: &Value) -> Value {
    match Bytes::of(value) {
        Some(bytes) => Value::str(bytes.get().iter().copied().map(char::from).collect::<String>()),
        None => value.clone(),
    }
}

/// What is taken where bytes are: bytes, or an array.
fn bytes_like(call: &Call<'_>, value: &Value) -> Result<Option<Vec<u8>>, Fault> {
    match (Bytes::of(value), value) {
        (Some(bytes), _) => {
            room::bytes(call.engine(), bytes.get().len())?;
            Ok(Some(bytes.get().to_vec()))
        }
        (None, Value::Tensor(tensor)) => of_tensor(call.engine(), tensor).map(Some),
        _ => Ok(None),
    }
}

fn bytes(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (source, engine) = (call.value(0), call.engine());
    if let Value::Str(text) = source.plain() {
        if !call.given(1) {
            let fault = Fault::type_error("string argument without an encoding");
            return Err(call.fault_at(0, fault.with_hint("`text.encode()` has its bytes in UTF-8")));
        }
        return encoded(call, text, (1, 2));
    }
    for (position, name) in [(1, "encoding"), (2, "errors")] {
        if call.given(position) {
            let words = format!("{name} without a string argument");
            return Err(call.fault_at(position, Fault::type_error(words)));
        }
    }
    if !call.given(0) {
        return Ok(Bytes::value(Vec::new()));
    }
    if let Some(answer) = call.evaluator.call_special(source, "__bytes__", []) {
        let answer = answer?;
        return match Bytes::of(&answer) {
            Some(_) => Ok(answer),
            None => {
                let found = answer.type_name();
                let words = format!("__bytes__ returned non-bytes (type {found})");
                Err(call.fault_at(0, Fault::type_error(words)))
            }
        };
    }
    let is_count = match source.plain() {
        Value::Int(_) | Value::Bool(_) | Value::Wide(_) => true,
        Value::Tensor(tensor) => tensor.rank() == 0 && tensor.dtype().is_integer(),
        _ => call.evaluator.special(source, "__index__").is_some(),
    };
    if is_count {
        let count = usize::try_from(call.int(0)?)
            .map_err(|_| call.fault_at(0, Fault::value_error("negative count")))?;
        room::bytes(engine, count)?;
        return Ok(Bytes::value(vec![0; count]));
    }
    if Bytes::of(source).is_some() {
        return Ok(source.plain().clone());
    }
    if let Some(bytes) = bytes_like(call, source)? {
        return Ok(Bytes::value(bytes));
    }
    let (mut made, mut pace) = (Vec::new(), room::Pace::new(engine));
    let mut was_iterated = false;
    let looked = call.evaluator.each(source, |item| {
        was_iterated = true;
        pace.step(1)?;
        let byte = call.evaluator.as_index(&item)?;
        let byte = u8::try_from(byte);
        made.push(byte.map_err(|_| Fault::value_error("bytes must be in range(0, 256)"))?);
        Ok(true)
    });
    looked.map_err(|fault| {
        if !was_iterated && fault.kind == ErrorKind::Type {
            let found = source.type_name();
            let words = format!("cannot convert '{found}' object to bytes");
            return call.fault_at(0, Fault::type_error(words));
        }
        call.fault_at(0, fault)
    })?;
    Ok(Bytes::value(made))
}

/// An encoding and what is done with what it has not, from two arguments.
fn codec(call: &Call<'_>, (encoding, errors): (usize, usize)) -> Result<(Codec, Errors), Fault> {
    let name = |at: usize| match call.value(at) {
        Value::Ellipsis => Ok(None),
        _ => call.str(at).map(Some),
    };
    let codec = Codec::of(name(encoding)?).map_err(|fault| call.fault_at(encoding, fault))?;
    let errors = Errors::of(name(errors)?).map_err(|fault| call.fault_at(errors, fault))?;
    Ok((codec, errors))
}

fn encoded(call: &Call<'_>, text: &str, places: (usize, usize)) -> Result<Value, Fault> {
    let (codec, errors) = codec(call, places)?;
    room::bytes(call.engine(), text.len())?;
    let bytes = codec.encoded(text, errors).map_err(|fault| call.fault_at(0, fault))?;
    Ok(Bytes::value(bytes.into_owned()))
}

fn encode(call: &mut Call<'_>) -> Result<Value, Fault> {
    encoded(call, call.str(0)?, (1, 2))
}

/// A text of what a value has as bytes, under two arguments.
pub(super) fn decoded(call: &Call<'_>, places: (usize, usize)) -> Result<Value, Fault> {
    let (codec, errors) = codec(call, places)?;
    let bytes = bytes_like(call, call.value(0))?.ok_or_else(|| {
        let found = call.value(0).type_name();
        let words = format!("decoding to str: need a bytes-like object, {found} found");
        call.fault_at(0, Fault::type_error(words))
    })?;
    room::text(call.engine(), bytes.len())?;
    Ok(Value::str(codec.decoded(bytes, errors).map_err(|fault| call.fault_at(0, fault))?))
}

fn decode(call: &mut Call<'_>) -> Result<Value, Fault> {
    decoded(call, (1, 2))
}

fn hex(call: &mut Call<'_>) -> Result<Value, Fault> {
    let bytes = of(call)?;
    let separator = match call.value(1) {
        Value::Ellipsis => None,
        Value::Str(text) if text.chars().count() == 1 => text.chars().next(),
        other => match Bytes::of(other).map(Bytes::get) {
            Some([byte]) => Some(char::from(*byte)),
            None if !matches!(other, Value::Str(_)) => {
                return Err(call.fault_at(1, Fault::type_error("sep must be str or bytes.")));
            }
            _ => return Err(call.fault_at(1, Fault::value_error("sep must be length 1."))),
        },
    };
    if separator.is_some_and(|c| !c.is_ascii()) {
        return Err(call.fault_at(1, Fault::value_error("sep must be ASCII.")));
    }
    let group = call.int(2)?;
    let every = usize::try_from(group.unsigned_abs()).unwrap_or(usize::MAX);
    room::text(call.engine(), bytes.len().saturating_mul(3))?;
    let mut text = String::with_capacity(bytes.len() * 3);
    let mut pace = room::Pace::new(call.engine());
    for (at, byte) in bytes.iter().enumerate() {
        pace.step(0)?;
        // Groups of so many are counted from the end, of a negative number from the beginning.
        let done = if group < 0 { at } else { bytes.len() - at };
        if let Some(c) = separator
            && at > 0
            && every > 0
            && done % every == 0
        {
            text.push(c);
        }
        for digit in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    Ok(Value::str(text))
}

fn from_hex(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Str(text) = call.value(0) else {
        let words = format!("fromhex() argument must be str, not {}", call.value(0).type_name());
        return Err(call.fault_at(0, Fault::type_error(words)));
    };
    room::bytes(call.engine(), text.len() / 2)?;
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let (mut half, mut end) = (None, 0);
    let wrong = |at: usize| {
        let words = format!("non-hexadecimal number found in fromhex() arg at position {at}");
        call.fault_at(0, Fault::value_error(words))
    };
    let mut pace = room::Pace::new(call.engine());
    for (at, c) in text.chars().enumerate() {
        pace.step(0)?;
        end = at + 1;
        match (c.to_digit(16), half) {
            (Some(digit), None) => half = Some(digit),
            (Some(digit), Some(first)) => {
                bytes.push((first << 4 | digit) as u8);
                half = None;
            }
            (None, None) if matches!(c, ' ' | '\t'..='\r') => {}
            (None, _) => return Err(wrong(at)),
        }
    }
    match half {
        Some(_) => Err(wrong(end)),
        None => Ok(Bytes::value(bytes)),
    }
}

fn join(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (separator, engine) = (of(call)?, call.engine());
    let items = cut::items_to_join(call)?;
    let (mut joined, mut pace) = (Vec::new(), room::Pace::new(engine));
    for (at, item) in items.iter().enumerate() {
        let Some(part) = bytes_like(call, item)? else {
            let found = item.type_name();
            let words = format!("sequence item {at}: expected a bytes-like object, {found} found");
            return Err(call.fault_at(1, Fault::type_error(words)));
        };
        pace.step(separator.len() + part.len())?;
        if at > 0 {
            joined.extend_from_slice(separator);
        }
        joined.extend_from_slice(&part);
    }
    Ok(Bytes::value(joined))
}

fn split_lines(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mut rest, keeps) = (of(call)?, call.bool(1)?);
    let (mut lines, mut pace) = (Vec::new(), room::Pace::new(call.engine()));
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let mark = match &rest[end..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        let (line, after) = rest.split_at(end + mark);
        pace.step(room::SHORT_TEXT + line.len())?;
        lines.push(Bytes::value(line[..if keeps { end + mark } else { end }].to_vec()));
        rest = after;
    }
    Ok(Value::list(lines))
}
