//! `bytes`: integers below 256 that never change.

use std::cmp::Ordering;
use std::fmt::Write;
use std::hash::Hash;
use std::rc::Rc;

use super::iterator::{Iter, Stream};
use super::opaque::{Opaque, Part};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::percent;
use crate::interp::room;
use crate::interp::value::{Range, Slice, Type, Value};
use crate::syntax::ast::BinaryOp;
use crate::tensor::{Engine, Error};

/// In front of the code of a byte that stands as a character for private use.
const PRIVATE: u32 = 0xe000;

/// Bytes of a program. Iterators share them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bytes(Rc<Vec<u8>>);

impl Bytes {
    pub fn value(bytes: Vec<u8>) -> Value {
        Opaque::value(Type::Bytes, Bytes(Rc::new(bytes)))
    }

    pub fn get(&self) -> &[u8] {
        &self.0
    }

    /// What a value is, or the object of a class derived from it is inside.
    pub fn of(value: &Value) -> Option<&Bytes> {
        value.plain().inside()
    }

    /// The characters that stand for bytes where a string's method is asked about them. A byte that is no character of
    /// ASCII, or that strings know as a blank and bytes don't, is a character for private use, of which no string's
    /// method thinks anything.
    pub fn as_text(engine: &Engine, bytes: &[u8]) -> Result<String, Fault> {
        room::text(engine, bytes.len())?;
        let character = |byte: &u8| match byte {
            0x1c..=0x1f | 0x80.. => char::from_u32(PRIVATE + u32::from(*byte)),
            _ => Some(char::from(*byte)),
        };
        Ok(bytes.iter().filter_map(character).collect())
    }

    /// The bytes for which characters stand.
    pub fn of_text(text: &str) -> Value {
        Bytes::value(text.chars().map(|c| u32::from(c) as u8).collect())
    }

    /// `self * times`
    fn repeated(&self, engine: &Engine, times: usize) -> Result<Vec<u8>, Fault> {
        let total = self.0.len().saturating_mul(times);
        room::bytes(engine, total)?;
        let mut all = Vec::with_capacity(total);
        if self.0.is_empty() {
            return Ok(all);
        }
        let at_once = (room::PIECE / self.0.len()).clamp(1, times.max(1));
        let piece = self.0.repeat(at_once);
        while all.len() < total {
            engine.interrupt().heed().map_err(Fault::from)?;
            all.extend_from_slice(&piece[..piece.len().min(total - all.len())]);
        }
        Ok(all)
    }
}

impl Part for Bytes {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let engine = &evaluator.interp.engine;
        room::text(engine, self.0.len())?;
        let quote = if self.0.contains(&b'\'') && !self.0.contains(&b'"') { b'"' } else { b'\'' };
        let mut text = format!("b{}", char::from(quote));
        let mut pace = room::Pace::new(engine);
        for byte in self.0.iter().copied() {
            pace.step(0)?;
            match byte {
                b'\t' => text.push_str("\\t"),
                b'\n' => text.push_str("\\n"),
                b'\r' => text.push_str("\\r"),
                b'\\' => text.push_str("\\\\"),
                _ if byte == quote => text.extend(['\\', char::from(byte)]),
                b' '..=b'~' => text.push(char::from(byte)),
                // Writing to a string cannot fail.
                _ => _ = write!(text, "\\x{byte:02x}"),
            }
        }
        text.push(char::from(quote));
        Ok(text)
    }

    fn is_hashable(&self) -> bool {
        true
    }

    fn count(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn item(&self, at: usize) -> Option<Value> {
        self.0.get(at).map(|byte| Value::Int(i64::from(*byte)))
    }

    fn iter(&self, is_backwards: bool) -> Option<Rc<Iter>> {
        let (name, end) = match is_backwards {
            true => ("reversed", self.0.len()),
            false => ("bytes_iterator", 0),
        };
        Some(Iter::over(name, Walk { bytes: self.clone(), at: end, is_backwards }))
    }

    fn items(&self) -> Option<Vec<Value>> {
        Some(self.0.iter().map(|byte| Value::Int(i64::from(*byte))).collect())
    }

    fn slice(&self, evaluator: &Evaluator<'_>, slice: &Slice) -> Option<Result<Value, Error>> {
        let engine = &evaluator.interp.engine;
        let part = || {
            let (start, stop, step) = evaluator.slice_bounds(slice, self.0.len())?;
            let positions = Range { start, stop, step };
            room::bytes(engine, positions.len())?;
            if step == 1 {
                let part = self.0.get(start as usize..stop.max(start) as usize);
                return Ok(Bytes::value(part.unwrap_or_default().to_vec()));
            }
            let mut part = Vec::with_capacity(positions.len());
            let mut pace = room::Pace::new(engine);
            for at in positions.iter() {
                pace.step(0)?;
                part.push(self.0[at as usize]);
            }
            Ok(Bytes::value(part))
        };
        Some(part())
    }

    fn contains(&self, evaluator: &Evaluator<'_>, value: &Value) -> Option<Result<bool, Error>> {
        if let Some(part) = Bytes::of(value) {
            return Some(Ok(find(&self.0, &part.0).is_some()));
        }
        Some(match evaluator.as_index(value) {
            Ok(byte) => match u8::try_from(byte) {
                Ok(byte) => Ok(self.0.contains(&byte)),
                Err(_) => Err(Error::value_error("byte must be in range(0, 256)")),
            },
            Err(_) => Err(Error::type_error(format!(
                "a bytes-like object is required, not '{}'",
                value.type_name()
            ))),
        })
    }

    fn assign(&self, _: &Evaluator<'_>, _: usize, _: Value) -> Result<(), Fault> {
        Err(Fault::type_error("'bytes' object does not support item assignment"))
    }

    fn delete(&self, _: &Evaluator<'_>, _: usize) -> Result<(), Fault> {
        Err(Fault::type_error("'bytes' object doesn't support item deletion"))
    }

    fn binary(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
        is_reflected: bool,
    ) -> Result<Option<Value>, Error> {
        let engine = &evaluator.interp.engine;
        match (op, other) {
            (BinaryOp::Add, _) if is_reflected => Ok(None),
            (BinaryOp::Add, _) => match Bytes::of(other) {
                Some(more) => {
                    room::bytes(engine, self.0.len() + more.0.len())?;
                    Ok(Some(Bytes::value([self.get(), more.get()].concat())))
                }
                None if matches!(other, Value::Object(_) | Value::Tensor(_)) => Ok(None),
                None => {
                    let found = other.type_name();
                    Err(Error::type_error(format!("can't concat {found} to bytes")))
                }
            },
            (BinaryOp::Mul, Value::Tensor(_) | Value::Object(_)) => match evaluator.as_index(other)
            {
                Ok(times) => {
                    let times = usize::try_from(times).unwrap_or(0);
                    Ok(Some(Bytes::value(self.repeated(engine, times)?)))
                }
                Err(_) => Ok(None),
            },
            (BinaryOp::Mul, Value::Int(_) | Value::Bool(_) | Value::Wide(_)) => {
                let times = usize::try_from(evaluator.as_index(other)?).unwrap_or(0);
                Ok(Some(Bytes::value(self.repeated(engine, times)?)))
            }
            (BinaryOp::Mul, _) => {
                let found = other.type_name();
                let words = format!("can't multiply sequence by non-int of type '{found}'");
                Err(Error::type_error(words))
            }
            (BinaryOp::Mod, _) if !is_reflected => {
                Ok(Some(percent::format_bytes(evaluator, self.get(), other)?))
            }
            _ => Ok(None),
        }
    }

    fn equals(&self, _: &Evaluator<'_>, other: &Value) -> Result<Option<bool>, Error> {
        Ok(Some(Bytes::of(other) == Some(self)))
    }

    fn order(
        &self,
        _: &Evaluator<'_>,
        _: &str,
        other: &Value,
    ) -> Result<Option<Option<Ordering>>, Error> {
        Ok(Bytes::of(other).map(|other| Some(self.0.cmp(&other.0))))
    }
}

/// Where some bytes stand in others first.
fn find(whole: &[u8], part: &[u8]) -> Option<usize> {
    match part {
        [] => Some(0),
        [byte] => whole.iter().position(|other| other == byte),
        _ => whole.windows(part.len()).position(|window| window == part),
    }
}

/// Goes through bytes; backwards `at` is behind the next one.
struct Walk {
    bytes: Bytes,
    at: usize,
    is_backwards: bool,
}

impl Stream for Walk {
    fn next(&mut self, _: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        if self.is_backwards {
            let Some(at) = self.at.checked_sub(1) else { return Ok(None) };
            self.at = at;
            return Ok(self.bytes.item(at));
        }
        let item = self.bytes.item(self.at);
        self.at += usize::from(item.is_some());
        Ok(item)
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(Walk { bytes: self.bytes.clone(), ..*self })
    }

    fn visit(&self, _: &mut dyn FnMut(&Value)) {}
}
