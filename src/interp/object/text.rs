//! The texts of objects: `repr`, `str`, `format`.

use std::rc::Rc;

use super::bytes::Bytes;
use super::instance::Instance;
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::value::{Type, Value};

impl Evaluator<'_> {
    /// `repr(object)`
    pub(crate) fn object_repr(&self, object: &Rc<Instance>) -> Result<String, Fault> {
        let value = Value::Object(object.clone());
        let made = || match self.call_special(&value, "__repr__", []) {
            Some(text) => text_of(text?, "__repr__"),
            None => self.plain_repr(object),
        };
        // The methods that a data class is given look out for objects that hold themselves.
        match self.find_in(&object.class, "__dataclass_fields__") {
            Some(_) => self.written_once(Rc::as_ptr(object).cast(), made),
            None => made(),
        }
    }

    /// `object.__repr__()` of a class that says nothing else.
    pub(crate) fn plain_repr(&self, object: &Rc<Instance>) -> Result<String, Fault> {
        if let Some(state) = object.exception() {
            let state = state.borrow().clone();
            let class = self.class_of(&Value::Object(object.clone()));
            return self.exception_repr(class.name(), &state);
        }
        match object.plain() {
            Some(plain) if self.lists_items(object, plain) => {
                let made = || self.listed_repr(object, plain);
                self.written_once(Rc::as_ptr(object).cast(), made)
            }
            Some(plain) => {
                let (text, name) = (self.try_repr(plain)?, object.class.name());
                Ok(match plain {
                    Value::Set(set) if set.borrow().is_empty() => format!("{name}()"),
                    Value::Set(_) => format!("{name}({text})"),
                    Value::Opaque(_) if text.starts_with('<') => format!("<{name} object>"),
                    // `deque([1])` says whose it is by itself.
                    Value::FrozenSet(_) | Value::Opaque(_) => {
                        let items = text.strip_prefix(plain.type_of().name());
                        items.map(|items| format!("{name}{items}")).unwrap_or(text)
                    }
                    _ => text,
                })
            }
            None => Ok(format!("<{} object>", object.class.name())),
        }
    }

    /// Whether the text of an object is that of the list of its items, for which its class has a method of its own.
    fn lists_items(&self, object: &Rc<Instance>, plain: &Value) -> bool {
        let is_listed = matches!(plain, Value::Set(_) | Value::FrozenSet(_));
        (is_listed || plain.type_of() == Type::Deque)
            && ["__iter__", "__len__"]
                .iter()
                .any(|name| self.find_in(&object.class, name).is_some())
            && self.len(plain).is_ok_and(|len| len > 0)
    }

    fn listed_repr(&self, object: &Rc<Instance>, plain: &Value) -> Result<String, Fault> {
        let items = Value::list(self.iterate(&Value::Object(object.clone()))?);
        let (listed, name) = (self.try_repr(&items)?, object.class.name());
        if plain.type_of() != Type::Deque {
            return Ok(format!("{name}({{{}}})", &listed[1..listed.len() - 1]));
        }
        let most = self.attribute(plain, "maxlen")?;
        Ok(match most {
            Value::None => format!("{name}({listed})"),
            most => format!("{name}({listed}, maxlen={})", self.try_repr(&most)?),
        })
    }

    /// `str(object)`
    pub(crate) fn object_str(&self, object: &Rc<Instance>) -> Result<String, Fault> {
        let value = Value::Object(object.clone());
        if let Some(text) = self.call_special(&value, "__str__", []) {
            return text_of(text?, "__str__");
        }
        self.plain_str(object)
    }

    /// `object.__str__()` of a class that says nothing else.
    pub(crate) fn plain_str(&self, object: &Rc<Instance>) -> Result<String, Fault> {
        let value = Value::Object(object.clone());
        if let Some(state) = object.exception() {
            let state = state.borrow().clone();
            if let ErrorKind::BaseExceptionGroup | ErrorKind::ExceptionGroup = state.kind
                && let Some(text) = self.group_text(object)
            {
                return text;
            }
            return self.exception_text(&state);
        }
        match object.plain() {
            // They have a `__str__` of their own, which asks no `__repr__`.
            Some(text) if matches!(text, Value::Str(_)) || Bytes::of(text).is_some() => {
                Ok(self.try_str(text)?)
            }
            Some(Value::Set(_) | Value::FrozenSet(_) | Value::Opaque(_)) => {
                self.object_repr(object)
            }
            Some(plain) if self.special(&value, "__repr__").is_none() => Ok(self.try_str(plain)?),
            _ => self.object_repr(object),
        }
    }

    /// `format(object, spec)`
    pub(crate) fn object_format(&self, object: &Rc<Instance>, spec: &str) -> Result<String, Fault> {
        let value = Value::Object(object.clone());
        if let Some(text) = self.call_special(&value, "__format__", [&Value::str(spec)]) {
            return text_of(text?, "__format__");
        }
        match object.plain() {
            _ if spec.is_empty() => self.object_str(object),
            Some(plain) => Ok(self.format(plain, spec)?),
            None => {
                let found = object.class.name();
                let message = format!("unsupported format string passed to {found}.__format__");
                Err(Fault::type_error(message))
            }
        }
    }
}

/// What `__repr__` and its kin gave, as a text that is handed on.
pub(crate) fn shown(answer: Value, method: &str) -> Result<Value, Fault> {
    match answer.plain() {
        Value::Str(_) => Ok(answer),
        _ => text_of(answer, method).map(Value::str),
    }
}

/// What `__repr__` and its kin gave, which must be a text.
fn text_of(value: Value, method: &str) -> Result<String, Fault> {
    match value.plain() {
        Value::Str(text) => Ok(text.to_string()),
        other => {
            let found = other.type_name();
            let message = match method {
                "__format__" => format!("__format__ must return a str, not {found}"),
                _ => format!("{method} returned non-string (type {found})"),
            };
            Err(Fault::type_error(message))
        }
    }
}
