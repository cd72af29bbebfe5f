//! Methods that strings have, too.

use super::super::super::Call;
use super::{of, of_tensor};
use crate::diag::Fault;
use crate::interp::object::bytes::Bytes;
use crate::interp::value::{Type, Value};
use crate::tensor::Engine;

fn text_of(engine: &Engine, bytes: &[u8]) -> Result<Value, Fault> {
    Bytes::as_text(engine, bytes).map(Value::str)
}

/// Texts as bytes again, also those in a list or a tuple.
fn bytes_of(value: Value) -> Value {
    match value {
        Value::Str(text) => Bytes::of_text(&text),
        Value::Tuple(items) => {
            Value::tuple(items.iter().cloned().map(bytes_of).collect::<Vec<_>>())
        }
        Value::List(items) => Value::list(items.borrow().iter().cloned().map(bytes_of).collect()),
        other => other,
    }
}

/// What the string's method of the same name says.
pub fn method(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (name, engine) = (call.name(), call.engine());
    let mut given = vec![text_of(engine, of(call)?)?];
    let last = (1..4).rev().find(|at| call.given(*at)).unwrap_or(0);
    for at in 1..=last {
        let value = match call.value(at) {
            // What was left out in front of what was given by its name.
            _ if !call.given(at) => call.value(at).clone(),
            value => argument(call, at, value)?,
        };
        given.push(value);
    }
    let method = call.evaluator.interp.registry.method(Type::Str, name).cloned();
    let method = method.map_or(Value::None, Value::Function);
    let answer = call.evaluator.call_value(&method, given, []).map_err(|fault| {
        let fault = match fault.message.as_str() {
            "substring not found" => Fault::value_error("subsection not found"),
            _ => fault,
        };
        call.fault_at(usize::from(last > 0), fault)
    })?;
    Ok(bytes_of(answer))
}

/// An argument as the string's method takes it.
fn argument(call: &Call<'_>, at: usize, value: &Value) -> Result<Value, Fault> {
    let (name, engine) = (call.name(), call.engine());
    if let Some(bytes) = Bytes::of(value) {
        let is_filling = matches!(name, "ljust" | "rjust" | "center");
        if is_filling && bytes.get().len() != 1 {
            return Err(call.fault_at(at, no_filling(name, value)));
        }
        return text_of(engine, bytes.get());
    }
    let is_search = matches!(name, "find" | "rfind" | "index" | "rindex" | "count");
    let is_edge = matches!(name, "startswith" | "endswith");
    let is_padding = matches!(name, "ljust" | "rjust" | "center");
    let wants_bytes = match name {
        "replace" => at <= 2,
        "zfill" | "expandtabs" => false,
        _ => at == if is_padding { 2 } else { 1 },
    };
    if !wants_bytes {
        return Ok(value.clone());
    }
    let found = value.type_name();
    let fault = match value {
        Value::None if name.ends_with("split") || name.ends_with("strip") => {
            return Ok(Value::None);
        }
        Value::Tensor(tensor) if !is_edge && !is_padding && tensor.rank() > 0 => {
            return text_of(engine, &of_tensor(engine, tensor)?);
        }
        _ if is_edge && let Value::Tuple(prefixes) = value.plain() => {
            let text = |prefix: &Value| match Bytes::of(prefix) {
                Some(bytes) => text_of(engine, bytes.get()),
                None => {
                    let found = prefix.type_name();
                    let words = format!("a bytes-like object is required, not '{found}'");
                    Err(call.fault_at(at, Fault::type_error(words)))
                }
            };
            let texts: Result<Vec<Value>, Fault> = prefixes.iter().map(text).collect();
            return texts.map(Value::tuple);
        }
        _ if is_search => match call.evaluator.as_index(value).map(u8::try_from) {
            Ok(Ok(byte)) => return text_of(engine, &[byte]),
            Ok(Err(_)) => Fault::value_error("byte must be in range(0, 256)"),
            Err(_) => Fault::type_error(format!(
                "argument should be integer or bytes-like object, not '{found}'"
            )),
        },
        _ if is_edge => Fault::type_error(format!(
            "{name} first arg must be bytes or a tuple of bytes, not {found}"
        )),
        _ if is_padding => no_filling(name, value),
        _ => Fault::type_error(format!("a bytes-like object is required, not '{found}'")),
    };
    Err(call.fault_at(at, fault))
}

#[cold]
fn no_filling(name: &str, value: &Value) -> Fault {
    let found = if let Value::None = value { "None" } else { value.type_name() };
    let words = format!("{name}() argument 2 must be a byte string of length 1, not {found}");
    Fault::type_error(words)
}
