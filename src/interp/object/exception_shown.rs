//! What exceptions say of themselves: as texts, and by attributes.

use super::bytes::Bytes;
use super::exception::Exception;
use super::traceback::Traceback;
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::value::{Tuple, Value};

impl Evaluator<'_> {
    /// `str(exception)` of a class that says nothing else.
    pub(super) fn exception_text(&self, state: &Exception) -> Result<String, Fault> {
        match &*state.args {
            [] => Ok(String::new()),
            // A key is shown as it is written, so that an empty one can be seen.
            [key] if state.kind.is_a(ErrorKind::Key) => Ok(self.try_repr(key)?),
            [only] => Ok(self.try_str(only)?),
            [axis, rank, before @ ..] if state.kind == ErrorKind::Axis => {
                let before = match before.first() {
                    None | Some(Value::None) => String::new(),
                    Some(words) => format!("{}: ", self.try_str(words)?),
                };
                let (axis, rank) = (self.try_str(axis)?, self.try_str(rank)?);
                Ok(format!("{before}axis {axis} is out of bounds for array of dimension {rank}"))
            }
            [number, words] if state.kind.is_a(ErrorKind::Os) => {
                Ok(format!("[Errno {}] {}", self.try_str(number)?, self.try_str(words)?))
            }
            [number, words, file, ..] if state.kind.is_a(ErrorKind::Os) => {
                let (number, words) = (self.try_str(number)?, self.try_str(words)?);
                Ok(format!("[Errno {number}] {words}: {}", self.try_repr(file)?))
            }
            args => match unicode_text(args).filter(|_| state.kind.is_a(ErrorKind::Unicode)) {
                Some(text) => Ok(text),
                None => Ok(self.try_repr(&Value::Tuple(state.args.clone()))?),
            },
        }
    }

    /// `repr(exception)` of a class that says nothing else.
    pub(super) fn exception_repr(&self, name: &str, state: &Exception) -> Result<String, Fault> {
        let args = Value::Tuple(shown_args(state));
        match &*state.args {
            [only] => Ok(format!("{name}({})", self.try_repr(only)?)),
            _ => Ok(format!("{name}{}", self.try_repr(&args)?)),
        }
    }

    /// An exception's attribute that is no field of it.
    pub(super) fn exception_attribute(&self, state: &Exception, name: &str) -> Option<Value> {
        let held = |at: usize| state.args.get(at).cloned().unwrap_or(Value::None);
        let is_a = |kind| state.kind.is_a(kind);
        Some(match name {
            "args" => Value::Tuple(shown_args(state)),
            "__cause__" => state.cause.clone(),
            "__context__" => state.context.clone(),
            "__suppress_context__" => Value::Bool(state.hides_context),
            "__traceback__" => Traceback::of(self, state),
            "value" if state.kind == ErrorKind::StopIteration => held(0),
            "code" if state.kind == ErrorKind::SystemExit => match state.args.len() {
                0 | 1 => held(0),
                _ => Value::Tuple(state.args.clone()),
            },
            "name"
                if is_a(ErrorKind::Name)
                    || is_a(ErrorKind::Attribute)
                    || is_a(ErrorKind::Import) =>
            {
                match &state.about {
                    Some(about) => about[0].clone(),
                    None => name_in_words(state).map_or(Value::None, Value::str),
                }
            }
            "obj" if is_a(ErrorKind::Attribute) => second(state),
            "path" if is_a(ErrorKind::Import) => second(state),
            "msg" if is_a(ErrorKind::Import) => match state.args.len() {
                1 => held(0),
                _ => Value::None,
            },
            "encoding" | "object" | "start" | "end" | "reason"
                if matches!(state.kind, ErrorKind::UnicodeDecode | ErrorKind::UnicodeEncode) =>
            {
                let parts = ["encoding", "object", "start", "end", "reason"];
                held(parts.iter().position(|part| *part == name)?)
            }
            "axis" | "ndim" if state.kind == ErrorKind::Axis => match &*state.args {
                [axis, rank, ..] => (if name == "axis" { axis } else { rank }).clone(),
                _ => Value::None,
            },
            "errno" | "strerror" | "filename" | "filename2" if is_a(ErrorKind::Os) => {
                // What stands between the two names only Windows has.
                let at = match name {
                    "errno" => 0,
                    "strerror" => 1,
                    "filename" => 2,
                    _ => 4,
                };
                if state.args.len() > 1 { held(at) } else { Value::None }
            }
            _ => return None,
        })
    }
}

fn second(state: &Exception) -> Value {
    state.about.as_ref().map_or(Value::None, |about| about[1].clone())
}

/// The name that an error is about which no program raised, where its words alone tell it.
fn name_in_words(state: &Exception) -> Option<&str> {
    let words = &state.error.as_ref()?.message;
    let mut quoted = words.split('\'').skip(1).step_by(2);
    match state.kind {
        ErrorKind::Name | ErrorKind::ModuleNotFound => quoted.next(),
        ErrorKind::Import => quoted.last(),
        _ => None,
    }
}

/// The arguments of an exception as programs see them: an OSError keeps the file's name apart.
fn shown_args(state: &Exception) -> Tuple {
    match &*state.args {
        [number, words, _, ..] if state.kind.is_a(ErrorKind::Os) => {
            [number.clone(), words.clone()].into()
        }
        _ => state.args.clone(),
    }
}

/// What a UnicodeDecodeError or a UnicodeEncodeError with such arguments says.
pub fn unicode_text(args: &[Value]) -> Option<String> {
    let [Value::Str(codec), object, Value::Int(start), Value::Int(end), Value::Str(why)] = args
    else {
        return None;
    };
    let place = usize::try_from(*start).ok().filter(|_| *end == start + 1);
    let last = end - 1;
    let what = match (object, Bytes::of(object)) {
        (_, Some(bytes)) => match place.and_then(|at| bytes.get().get(at)) {
            Some(byte) => format!("decode byte {byte:#04x} in position {start}"),
            None => format!("decode bytes in position {start}-{last}"),
        },
        (Value::Str(text), None) => match place.and_then(|at| text.chars().nth(at)) {
            Some(c) => {
                let code = u32::from(c);
                let shown = match code {
                    0..=0xff => format!("x{code:02x}"),
                    0x100..=0xffff => format!("u{code:04x}"),
                    _ => format!("U{code:08x}"),
                };
                format!("encode character '\\{shown}' in position {start}")
            }
            None => format!("encode characters in position {start}-{last}"),
        },
        _ => return None,
    };
    Some(format!("'{codec}' codec can't {what}: {why}"))
}
