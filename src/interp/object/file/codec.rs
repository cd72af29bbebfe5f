//! Bytes as text: UTF-8, ASCII and Latin-1.

use std::borrow::Cow;
use std::ops::Range;

use crate::diag::{ErrorKind, Fault};
use crate::interp::object::bytes::Bytes;
use crate::interp::object::exception::unicode_error;
use crate::interp::value::Value;

/// How characters stand in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Codec {
    /// With the name that was asked for.
    Utf8(String),
    Ascii(String),
    Latin1(String),
}

/// What is done with what can't be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    Strict,
    Ignore,
    Replace,
    /// As a literal writes it.
    Backslash,
    /// As a page writes it, of characters alone.
    Reference,
}

impl Errors {
    /// # Errors
    /// LookupError for a name that stands for nothing here.
    pub fn of(name: Option<&str>) -> Result<Errors, Fault> {
        match name {
            None | Some("strict") => Ok(Errors::Strict),
            Some("ignore") => Ok(Errors::Ignore),
            Some("replace") => Ok(Errors::Replace),
            Some("backslashreplace") => Ok(Errors::Backslash),
            Some("xmlcharrefreplace") => Ok(Errors::Reference),
            Some(other) => {
                let message = format!("unknown error handler name '{other}'");
                Err(Fault::new(ErrorKind::Lookup, message).with_hint(
                    "strict, ignore, replace, backslashreplace and xmlcharrefreplace are known here",
                ))
            }
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Errors::Strict => "strict",
            Errors::Ignore => "ignore",
            Errors::Replace => "replace",
            Errors::Backslash => "backslashreplace",
            Errors::Reference => "xmlcharrefreplace",
        }
    }

    /// Writes what stands for bytes that are no text; `false` where that is an error.
    ///
    /// # Errors
    /// TypeError for what stands for characters alone.
    fn put_for(self, bytes: &[u8], text: &mut String) -> Result<bool, Fault> {
        match self {
            Errors::Strict => return Ok(false),
            Errors::Ignore => {}
            Errors::Replace => text.push(char::REPLACEMENT_CHARACTER),
            Errors::Backslash => {
                bytes.iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
            }
            Errors::Reference => {
                return Err(Fault::type_error(
                    "don't know how to handle UnicodeDecodeError in error callback",
                ));
            }
        }
        Ok(true)
    }
}

impl Codec {
    /// # Errors
    /// LookupError for an encoding that is not known here.
    pub fn of(name: Option<&str>) -> Result<Codec, Fault> {
        let Some(name) = name else { return Ok(Codec::Utf8("UTF-8".to_owned())) };
        let known = name.to_ascii_lowercase().replace('_', "-");
        let given = name.to_owned();
        match known.as_str() {
            "utf-8" | "utf8" | "u8" | "locale" => Ok(Codec::Utf8(given)),
            "ascii" | "us-ascii" | "646" => Ok(Codec::Ascii(given)),
            "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" => Ok(Codec::Latin1(given)),
            _ => {
                let fault = Fault::new(ErrorKind::Lookup, format!("unknown encoding: {name}"));
                Err(fault.with_hint("utf-8, ascii and latin-1 are known here"))
            }
        }
    }

    /// As the program named it.
    pub fn name(&self) -> &str {
        match self {
            Codec::Utf8(name) | Codec::Ascii(name) | Codec::Latin1(name) => name,
        }
    }

    /// How many of the bytes are whole characters, where more may follow.
    pub fn whole(&self, bytes: &[u8]) -> usize {
        match self {
            Codec::Utf8(_) => match std::str::from_utf8(bytes) {
                Err(error) if error.error_len().is_none() => error.valid_up_to(),
                _ => bytes.len(),
            },
            _ => bytes.len(),
        }
    }

    /// Bytes as text.
    ///
    /// # Errors
    /// UnicodeDecodeError in CPython's words.
    pub fn decoded(&self, bytes: Vec<u8>, errors: Errors) -> Result<String, Fault> {
        match self {
            Codec::Utf8(_) => match String::from_utf8(bytes) {
                Ok(text) => Ok(text),
                Err(error) => utf8_of(error.as_bytes(), errors),
            },
            Codec::Latin1(_) => Ok(bytes.into_iter().map(char::from).collect()),
            Codec::Ascii(_) => {
                let mut text = String::with_capacity(bytes.len());
                for (at, byte) in bytes.iter().enumerate() {
                    if byte.is_ascii() {
                        text.push(char::from(*byte));
                    } else if !errors.put_for(&[*byte], &mut text)? {
                        let why = "ordinal not in range(128)";
                        return Err(undecodable("ascii", &bytes, at..at + 1, why));
                    }
                }
                Ok(text)
            }
        }
    }

    /// Text as bytes.
    ///
    /// # Errors
    /// UnicodeEncodeError in CPython's words.
    pub fn encoded<'t>(&self, text: &'t str, errors: Errors) -> Result<Cow<'t, [u8]>, Fault> {
        let (name, limit) = match self {
            Codec::Utf8(_) => return Ok(Cow::Borrowed(text.as_bytes())),
            Codec::Ascii(_) => ("ascii", 128),
            Codec::Latin1(_) => ("latin-1", 256),
        };
        let mut bytes = Vec::with_capacity(text.len());
        for (at, c) in text.chars().enumerate() {
            match (u32::from(c) < limit, errors) {
                (true, _) => bytes.push(u32::from(c) as u8),
                (_, Errors::Ignore) => {}
                (_, Errors::Replace) => bytes.push(b'?'),
                (_, Errors::Reference) => bytes.extend(format!("&#{};", u32::from(c)).bytes()),
                (_, Errors::Backslash) => bytes.extend(match u32::from(c) {
                    c @ ..0x100 => format!("\\x{c:02x}").into_bytes(),
                    c @ ..0x1_0000 => format!("\\u{c:04x}").into_bytes(),
                    c => format!("\\U{c:08x}").into_bytes(),
                }),
                (_, Errors::Strict) => {
                    let others = text.chars().skip(at).take_while(|c| u32::from(*c) >= limit);
                    let (part, why) =
                        (at..at + others.count(), format!("ordinal not in range({limit})"));
                    let kind = ErrorKind::UnicodeEncode;
                    return Err(unicode_error(kind, name, Value::str(text), part, &why));
                }
            }
        }
        Ok(Cow::Owned(bytes))
    }
}

fn utf8_of(bytes: &[u8], errors: Errors) -> Result<String, Fault> {
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match std::str::from_utf8(&bytes[at..]) {
            Ok(rest) => {
                text.push_str(rest);
                break;
            }
            Err(error) => {
                let start = at + error.valid_up_to();
                text.push_str(std::str::from_utf8(&bytes[at..start]).unwrap_or_default());
                let end = error.error_len().map_or(bytes.len(), |len| start + len);
                if !errors.put_for(&bytes[start..end], &mut text)? {
                    let why = match (bytes[start], error.error_len()) {
                        (0x80..=0xc1 | 0xf5.., _) => "invalid start byte",
                        (_, None) => "unexpected end of data",
                        _ => "invalid continuation byte",
                    };
                    return Err(undecodable("utf-8", bytes, start..end, why));
                }
                at = end;
            }
        }
    }
    Ok(text)
}

fn undecodable(name: &str, bytes: &[u8], part: Range<usize>, why: &str) -> Fault {
    unicode_error(ErrorKind::UnicodeDecode, name, Bytes::value(bytes.to_vec()), part, why)
}
