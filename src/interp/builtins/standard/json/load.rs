//! `json.loads`

use std::rc::Rc;

use super::super::super::Call;
use crate::diag::Fault;
use crate::dtype::Scalar;
use crate::interp::Evaluator;
use crate::interp::depth::{too_deep, with_room};
use crate::interp::long_text;
use crate::interp::object::bytes::Bytes;
use crate::interp::object::exception::json_error;
use crate::interp::object::file::{Codec, Errors};
use crate::interp::room::Pace;
use crate::interp::value::{Entries, Key, Str, Value};

pub(super) fn loads(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = text(call)?;
    if !call.is_none("cls") {
        return decoded(call, text);
    }
    let mut is_strict = true;
    for option in call.extra() {
        match option.name.as_deref() {
            Some("strict") => is_strict = call.evaluator.truth(&option.value)?,
            name => {
                let name = name.unwrap_or_default();
                let words =
                    format!("JSONDecoder.__init__() got an unexpected keyword argument '{name}'");
                return Err(call.fault_of(option, Fault::type_error(words)));
            }
        }
    }
    let whole = Reader::new(call, &text, is_strict).whole();
    whole.map_err(|fault| call.fault_at(0, fault))
}

/// The text of a document, which may come as its bytes.
fn text(call: &Call<'_>) -> Result<Str, Fault> {
    match call.value(0).plain() {
        Value::Str(text) => Ok(text.clone()),
        value => {
            let Some(bytes) = Bytes::of(value) else {
                let found = call.value(0).class_name();
                let message =
                    format!("the JSON object must be str, bytes or bytearray, not {found}");
                return Err(call.fault_at(0, Fault::type_error(message)));
            };
            let bytes = bytes.get();
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            let codec = Codec::of(Some(encoding(bytes)));
            let text = codec.and_then(|codec| codec.decoded(bytes.to_vec(), Errors::Strict));
            text.map(Str::from).map_err(|fault| call.fault_at(0, fault))
        }
    }
}

/// The encoding of a document, which begins with a character of ASCII.
fn encoding(bytes: &[u8]) -> &'static str {
    match *bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => "utf-32",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "utf-16",
        [0, 0, _, _, ..] => "utf-32-be",
        [_, 0, 0, 0, ..] => "utf-32-le",
        [0, _, _, _, ..] | [0, _] => "utf-16-be",
        [_, 0, _, _, ..] | [_, 0] => "utf-16-le",
        _ => "utf-8",
    }
}

/// As a decoder of another class reads it.
fn decoded(call: &Call<'_>, text: Str) -> Result<Value, Fault> {
    let names = ["object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook"];
    let given = names.into_iter().filter(|name| !call.is_none(*name));
    let given = given.map(|name| (name.into(), call.value(name).clone()));
    let extra = call.extra().iter();
    let extra = extra.filter_map(|option| Some((option.name.clone()?, option.value.clone())));
    let decoder = call.evaluator.call_value(call.value("cls"), [], given.chain(extra))?;
    let decode = call.evaluator.attribute(&decoder, "decode")?;
    call.evaluator.call_value(&decode, [Value::Str(text)], [])
}

/// `JSONDecoder.raw_decode`, without what makes an error of nothing.
pub(super) fn scanned(call: &mut Call<'_>) -> Result<Value, Fault> {
    let text = call.text(0)?;
    let start = call.int("idx")?;
    let start = usize::try_from(start).map_err(|_| Fault::value_error("idx cannot be negative"))?;
    let mut reader = Reader::new(call, text, call.bool("strict")?);
    reader.at = text.byte_of(start);
    let value = reader.value()?;
    let end = text.position_of(reader.at);
    Ok(Value::tuple([value, Value::Int(end as i64)]))
}

/// The program's functions that say what parts of the text are worth.
struct Hooks {
    object: Option<Value>,
    pairs: Option<Value>,
    float: Option<Value>,
    int: Option<Value>,
    constant: Option<Value>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    pace: Pace<'a>,
    evaluator: Evaluator<'a>,
    hooks: Hooks,
    /// Whether control characters in strings are errors.
    is_strict: bool,
}

impl<'a> Reader<'a> {
    fn new(call: &Call<'a>, text: &'a str, is_strict: bool) -> Reader<'a> {
        let hook = |name: &str| (!call.is_none(name)).then(|| call.value(name).clone());
        let hooks = Hooks {
            object: hook("object_hook"),
            pairs: hook("object_pairs_hook"),
            float: hook("parse_float"),
            int: hook("parse_int"),
            constant: hook("parse_constant"),
        };
        let (evaluator, pace) = (call.evaluator, Pace::new(call.engine()));
        Reader { text, at: 0, depth: 0, pace, evaluator, hooks, is_strict }
    }

    fn whole(&mut self) -> Result<Value, Fault> {
        if self.text.starts_with('\u{feff}') {
            return Err(self.fault("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0));
        }
        self.blanks();
        let value = self.value()?;
        self.blanks();
        match self.at == self.text.len() {
            true => Ok(value),
            false => Err(self.fault("Extra data", self.at)),
        }
    }

    /// The words, and where in the text, as CPython counts.
    fn fault(&self, words: &str, at: usize) -> Fault {
        json_error(words, self.text, self.text[..at].chars().count())
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn value(&mut self) -> Result<Value, Fault> {
        self.pace.step(size_of::<Value>())?;
        const WORDS: [(&str, Value); 6] = [
            ("null", Value::None),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        for (word, value) in WORDS {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return match (&self.hooks.constant, &value) {
                    (Some(hook), Value::Float(_)) => {
                        self.evaluator.call_value(hook, [Value::str(word)], [])
                    }
                    _ => Ok(value),
                };
            }
        }
        match self.peek() {
            Some(b'"') => Ok(Value::str(self.string()?)),
            Some(b'[') => self.nested(Reader::array),
            Some(b'{') => self.nested(Reader::object),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.fault("Expecting value", self.at)),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth >= self.evaluator.interp.depth.native_limit() {
            return Err(too_deep("while decoding a JSON document"));
        }
        self.depth += 1;
        let value = with_room(|| read(self));
        self.depth -= 1;
        value
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let sign = usize::from(bytes[0] == b'-');
        let mut end = sign
            + match digits(sign) {
                0 => return Err(self.fault("Expecting value", self.at)),
                _ if bytes[sign] == b'0' => 1,
                count => count,
            };
        let mut is_float = false;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
            is_float = true;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let count = if end + 1 + sign <= bytes.len() { digits(end + 1 + sign) } else { 0 };
            if count > 0 {
                end += 1 + sign + count;
                is_float = true;
            }
        }
        let text = &rest[..end];
        let hook = if is_float { &self.hooks.float } else { &self.hooks.int };
        if let Some(hook) = hook {
            let value = self.evaluator.call_value(hook, [Value::str(text)], [])?;
            self.at += end;
            return Ok(value);
        }
        let value = match is_float {
            true => Value::Float(text.parse().unwrap_or(f64::NAN)),
            false => match text.parse().ok().and_then(Scalar::from_i128) {
                Some(number) => number.into(),
                None => return Err(crate::interp::scalar::too_large("json")),
            },
        };
        self.at += end;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let is_strict = self.is_strict;
            let is_end = |c: char| c == '"' || c == '\\' || is_strict && c < ' ';
            let end = long_text::find_char(self.pace.engine(), rest, is_end)?;
            let Some(end) = end else {
                return Err(self.fault("Unterminated string starting at", start));
            };
            long_text::push(self.pace.engine(), &mut text, &rest[..end])?;
            self.pace.step(end)?;
            self.at += end;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape(start)?),
                _ => return Err(self.fault("Invalid control character at", self.at)),
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<char, Fault> {
        let backslash = self.at;
        let Some(code) = self.text[self.at + 1..].chars().next() else {
            return Err(self.fault("Unterminated string starting at", start));
        };
        self.at += 1 + code.len_utf8();
        Ok(match code {
            '"' | '\\' | '/' => code,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.hex(backslash)?;
                let mut code = first;
                if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
                    let second = self.at;
                    self.at += 2;
                    let low = self.hex(second)?;
                    if (0xdc00..0xe000).contains(&low) {
                        code = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
                    }
                }
                char::from_u32(code).ok_or_else(|| {
                    let words = "A lone surrogate is no text here";
                    self.fault(words, backslash)
                })?
            }
            _ => return Err(self.fault("Invalid \\escape", backslash)),
        })
    }

    fn hex(&mut self, backslash: usize) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or_else(|| {
            let words = format!("Invalid \\u{} escape", "X".repeat(4));
            self.fault(&words, backslash + 1)
        })?;
        self.at += 4;
        Ok(code)
    }

    fn array(&mut self) -> Result<Value, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::list(items));
        }
        loop {
            items.push(self.value()?);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::list(items));
                }
                _ => return Err(self.fault("Expecting ',' delimiter", self.at)),
            }
            self.blanks();
        }
    }

    fn object(&mut self) -> Result<Value, Fault> {
        const NAME: &str = "Expecting property name enclosed in double quotes";
        self.at += 1;
        let mut entries = Entries::default();
        let mut pairs = Vec::new();
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return self.made(entries, pairs);
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.fault(NAME, self.at));
            }
            let name = Value::str(self.string()?);
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.fault("Expecting ':' delimiter", self.at));
            }
            self.at += 1;
            self.blanks();
            let value = self.value()?;
            if self.hooks.pairs.is_some() {
                pairs.push(Value::tuple([name, value]));
            } else if let Ok(name) = Key::new(name) {
                entries.insert(name, value);
            }
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return self.made(entries, pairs);
                }
                _ => return Err(self.fault("Expecting ',' delimiter", self.at)),
            }
            self.blanks();
        }
    }

    /// What an object of the text is worth.
    fn made(&self, entries: Entries, pairs: Vec<Value>) -> Result<Value, Fault> {
        if let Some(hook) = &self.hooks.pairs {
            return self.evaluator.call_value(hook, [Value::list(pairs)], []);
        }
        let object = Value::Dict(Rc::new(entries.into()));
        match &self.hooks.object {
            Some(hook) => self.evaluator.call_value(hook, [object], []),
            None => Ok(object),
        }
    }
}
