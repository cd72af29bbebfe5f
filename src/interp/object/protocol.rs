//! What built-in functions and statements ask of objects: length, truth, items, calls.

use std::rc::Rc;

use super::instance::{Instance, extends_container};
use super::iterator::{Iter, Stream};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::Value;
use crate::interp::{Evaluator, convert, hash};

impl Evaluator<'_> {
    /// `bool(object)`
    pub(crate) fn object_truth(&self, value: &Value) -> Result<bool, Fault> {
        if let Some(answer) = self.call_special(value, "__bool__", []) {
            return match answer? {
                Value::Bool(answer) => Ok(answer),
                other => Err(no_truth(&other)),
            };
        }
        if self.special(value, "__len__").is_some() {
            return Ok(self.object_len(value)? > 0);
        }
        match value.plain() {
            Value::Object(_) => Ok(true),
            plain => Ok(self.truth(plain)?),
        }
    }

    /// `len(object)`
    pub(crate) fn object_len(&self, value: &Value) -> Result<usize, Fault> {
        let Some(answer) = self.call_special(value, "__len__", []) else {
            return match value.plain() {
                Value::Object(_) => {
                    let message = format!("object of type '{}' has no len()", value.type_name());
                    Err(Fault::type_error(message))
                }
                plain => Ok(self.len(plain)?),
            };
        };
        self.length(&answer?)
    }

    /// The length that a `__len__` gave.
    pub(crate) fn length(&self, answer: &Value) -> Result<usize, Fault> {
        let length = self.as_index(answer)?;
        usize::try_from(length).map_err(|_| Fault::value_error("__len__() should return >= 0"))
    }

    /// What Python's `operator.index` gives.
    ///
    /// # Errors
    /// TypeError for what is no integer.
    pub fn as_index(&self, value: &Value) -> Result<i64, Fault> {
        // An integer is its own index, whatever its class says.
        if let (Value::Object(_), Value::Int(number)) = (value, value.plain()) {
            return Ok(*number);
        }
        match self.call_special(value, "__index__", []) {
            Some(answer) => match answer? {
                answer @ (Value::Int(_) | Value::Bool(_)) => {
                    convert::integer(&self.interp.engine, &answer)
                }
                other => {
                    let found = other.type_name();
                    let message = format!("__index__ returned non-int (type {found})");
                    Err(Fault::type_error(message))
                }
            },
            None => convert::integer(&self.interp.engine, value),
        }
    }

    /// A number as a float.
    ///
    /// # Errors
    /// TypeError for what is no number.
    pub fn as_float(&self, value: &Value) -> Result<f64, Fault> {
        // A float is one, whatever its class says.
        if let (Value::Object(_), Value::Float(number)) = (value, value.plain()) {
            return Ok(*number);
        }
        match self.call_special(value, "__float__", []) {
            Some(answer) => convert::float(&self.interp.engine, &answer?),
            None => convert::float(&self.interp.engine, value),
        }
    }

    /// What a loop over an object goes through.
    pub(crate) fn object_iter(&self, value: &Value) -> Result<Rc<Iter>, Fault> {
        if let Some(iterator) = self.own_iterator(value) {
            return Ok(self.iter(&iterator?)?);
        }
        if self.special(value, "__getitem__").is_some() && !extends_container(value) {
            return Ok(Iter::over("iterator", Items { object: value.clone(), at: 0 }));
        }
        match value.plain() {
            Value::Object(_) => {
                let found = value.type_name();
                Err(Fault::type_error(format!("'{found}' object is not iterable")))
            }
            plain => Ok(self.iter(plain)?),
        }
    }

    /// What an object's `__iter__` gives, an iterator or a generator, where it has one.
    pub(crate) fn own_iterator(&self, object: &Value) -> Option<Result<Value, Fault>> {
        let method = self.special(object, "__iter__")?;
        if let Value::None = method {
            let found = object.type_name();
            return Some(Err(Fault::type_error(format!("'{found}' object is not iterable"))));
        }
        let given = self.call_found(method, object, []);
        Some(given.and_then(|given| self.iterator_given(given)))
    }

    /// An iterator or a generator, of what an object's `__iter__` gave.
    pub(crate) fn iterator_given(&self, iterator: Value) -> Result<Value, Fault> {
        match &iterator {
            Value::Object(_) if self.special(&iterator, "__next__").is_some() => {
                Ok(Value::Iterator(Iter::over("iterator", Nexts { object: iterator })))
            }
            Value::Iterator(_) | Value::Generator(_) => Ok(iterator),
            other => {
                let found = other.type_name();
                let message = format!("iter() returned non-iterator of type '{found}'");
                Err(Fault::type_error(message))
            }
        }
    }

    /// `value in object`
    pub(crate) fn object_contains(&self, object: &Value, value: &Value) -> Result<bool, Fault> {
        match self.special(object, "__contains__") {
            Some(Value::None) => {
                let found = object.type_name();
                return Err(Fault::type_error(format!("'{found}' object is not a container")));
            }
            Some(method) => {
                let answer = self.call_found(method, object, [value])?;
                return Ok(self.truth(&answer)?);
            }
            None => {}
        }
        let is_sequence = !extends_container(object)
            && ["__iter__", "__getitem__"].iter().any(|name| self.special(object, name).is_some());
        match object.plain() {
            plain if !is_sequence && !matches!(plain, Value::Object(_)) => {
                Ok(self.contains(plain, value)?)
            }
            _ if !is_sequence => {
                let found = object.type_name();
                Err(Fault::type_error(format!("argument of type '{found}' is not iterable")))
            }
            _ => {
                let mut found = false;
                self.each(object, |item| {
                    found = item.is_same(value) || self.equal(&item, value)?;
                    Ok(!found)
                })?;
                Ok(found)
            }
        }
    }

    /// `object[index]`
    pub fn object_item(&self, object: &Value, index: &Value) -> Result<Value, Fault> {
        if let Some(item) = self.call_special(object, "__getitem__", [index]) {
            return item;
        }
        self.stored_item(object, index)
    }

    /// `object[index]` as the built-in type does it that an object extends.
    pub(crate) fn stored_item(&self, object: &Value, index: &Value) -> Result<Value, Fault> {
        match object.plain() {
            Value::Object(_) => {
                let found = object.type_name();
                Err(Fault::type_error(format!("'{found}' object is not subscriptable")))
            }
            // What the class says of missing keys comes before what its base does.
            plain
                if let Some(dict) = plain.as_dict()
                    && self.special(object, "__missing__").is_some() =>
            {
                // An error of the key's own is none of a missing key.
                let key = self.key_in(dict, index)?;
                let found = dict.borrow().get(&key).cloned();
                let missing = || self.call_special(object, "__missing__", [index]);
                match found.map(Ok).or_else(missing) {
                    Some(item) => item,
                    None => Err(self.missing_key(object, index)),
                }
            }
            plain => Ok(self.container_index(plain, index)?),
        }
    }

    /// `object[index] = item`; `None` where a built-in base has to do it.
    pub(crate) fn set_object_item(
        &self,
        object: &Value,
        index: &Value,
        item: &Value,
    ) -> Option<Result<(), Fault>> {
        match self.call_special(object, "__setitem__", [index, item]) {
            Some(done) => Some(done.map(drop)),
            None => match object.plain() {
                Value::Object(_) => {
                    let found = object.type_name();
                    let message = format!("'{found}' object does not support item assignment");
                    Some(Err(Fault::type_error(message)))
                }
                _ => None,
            },
        }
    }

    /// `del object[index]`; `None` where a built-in base has to do it.
    pub(crate) fn delete_object_item(
        &self,
        object: &Value,
        index: &Value,
    ) -> Option<Result<(), Fault>> {
        match self.call_special(object, "__delitem__", [index]) {
            Some(done) => Some(done.map(drop)),
            None => match object.plain() {
                Value::Object(_) => {
                    let found = object.type_name();
                    let message = format!("'{found}' object doesn't support item deletion");
                    Some(Err(Fault::type_error(message)))
                }
                _ => None,
            },
        }
    }

    /// `hash(object)`
    pub(crate) fn object_hash(&self, object: &Rc<Instance>) -> Result<i64, Fault> {
        if self.interp.is_told_hash(object) {
            return Ok(object.hash().unwrap_or_default());
        }
        let unhashable = || {
            let found = object.class.name();
            Fault::type_error(format!("unhashable type: '{found}'"))
        };
        let hash = match self.find_in(&object.class, "__hash__") {
            Some(Value::None) => return Err(unhashable()),
            Some(method) => {
                hash_given(&self.call_found(method, &Value::Object(object.clone()), [])?)?
            }
            None => match object.plain() {
                Some(plain) if is_container(plain) => return Err(unhashable()),
                Some(plain) => return Ok(hash::of(self.key(plain)?.value())),
                None => object.hash_of_place(),
            },
        };
        object.set_hash(hash);
        Ok(hash)
    }

    /// What `with value` calls before its block and behind it.
    pub(crate) fn manager(&self, value: &Value) -> Result<(Value, Value), Fault> {
        let of = value.type_name();
        let method = |name: &str, words: &str| {
            let found = match value {
                Value::Object(_) | Value::Class(_) => match self.special(value, name) {
                    Some(method) => self.bind(method, Some(value), &self.class_of(value)).ok(),
                    None => None,
                },
                _ => self.attribute(value, name).ok(),
            };
            found.ok_or_else(|| {
                let message =
                    format!("'{of}' object does not support the context manager protocol{words}");
                Fault::type_error(message)
            })
        };
        let enter = method("__enter__", "")?;
        Ok((enter, method("__exit__", " (missed __exit__ method)")?))
    }
}

/// What `__bool__` gave is no truth value.
pub(in crate::interp) fn no_truth(answer: &Value) -> Fault {
    let found = answer.type_name();
    Fault::type_error(format!("__bool__ should return bool, returned {found}"))
}

/// Whether it can change, so that it is no key.
fn is_container(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Dict(_) | Value::Set(_) => true,
        Value::Opaque(opaque) => !opaque.part().is_hashable(),
        _ => false,
    }
}

/// What `__hash__` gave, which must be an integer.
pub(crate) fn hash_given(answer: &Value) -> Result<i64, Fault> {
    match answer {
        Value::Int(hash) => Ok(*hash),
        Value::Bool(hash) => Ok(i64::from(*hash)),
        _ => Err(Fault::type_error("__hash__ method should return an integer")),
    }
}

/// What an object's `__next__` gives, until it raises StopIteration.
struct Nexts {
    object: Value,
}

impl Stream for Nexts {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        ended(
            evaluator.call_special(&self.object, "__next__", []).unwrap_or_else(|| {
                let found = self.object.type_name();
                Err(Fault::type_error(format!("'{found}' object is not an iterator")))
            }),
            ErrorKind::StopIteration,
        )
    }

    fn asked(&self) -> Option<&Value> {
        Some(&self.object)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(Nexts { object: self.object.clone() })
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.object);
    }
}

/// An object's items from 0 on, until there is none.
struct Items {
    object: Value,
    at: i64,
}

impl Stream for Items {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let at = Value::Int(self.at);
        self.at += 1;
        ended(evaluator.object_item(&self.object, &at), ErrorKind::Index)
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(Items { object: self.object.clone(), at: self.at })
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.object);
    }
}

/// An item, or the end where the program says so by an exception.
fn ended(item: Result<Value, Fault>, end: ErrorKind) -> Result<Option<Value>, Fault> {
    match item {
        Err(fault) if fault.kind.is_a(end) => Ok(None),
        item => item.map(Some),
    }
}
