//! Keys of dictionaries and elements of sets.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use indexmap::Equivalent;

use super::complex;
use super::depth::with_room;
use super::hash;
use super::letting_go::let_go;
use super::object::bytes::Bytes;
use super::object::instance::Instance;
use super::object::view::Shown;
use super::value::{Str, Tuple, Value};
use crate::dtype::Scalar;

/// A value that a dictionary can hold as a key: nothing in it can change.
#[derive(Debug, Clone)]
pub struct Key(Value);

impl Key {
    /// The value as a key; gives the unhashable part's type name back where it holds something
    /// that can change.
    ///
    /// An object needs the hash that its class gives it: [`Evaluator::key`](super::Evaluator::key)
    /// asks for it.
    pub fn new(value: Value) -> Result<Key, String> {
        fn check(value: &Value) -> Result<(), String> {
            match value {
                Value::List(_) | Value::Dict(_) | Value::Set(_) => {
                    Err(value.type_name().to_owned())
                }
                Value::View(view) if view.shown != Shown::Values => {
                    Err(value.type_name().to_owned())
                }
                Value::Slice(_) | Value::Tensor(_) => Err(value.type_name().to_owned()),
                Value::Opaque(opaque) if !opaque.part().is_hashable() => {
                    Err(value.type_name().to_owned())
                }
                Value::Tuple(items) => with_room(|| items.iter().try_for_each(check)),
                _ => Ok(()),
            }
        }
        check(&value)?;
        Ok(Key(value))
    }

    /// A number or a text as a key.
    #[inline]
    pub fn plain(value: &Value) -> Option<Key> {
        Some(Key(match value {
            Value::Int(number) => Value::Int(*number),
            Value::Float(number) => Value::Float(*number),
            Value::Str(text) => Value::Str(text.clone()),
            _ => return None,
        }))
    }

    pub fn of_int(number: i64) -> Key {
        Key(Value::Int(number))
    }

    pub fn of_text(text: Str) -> Key {
        Key(Value::Str(text))
    }

    /// A text as a key.
    pub fn of_name(name: &str) -> Key {
        Key(Value::str(name))
    }

    /// An object as a key, by the hash that it has.
    pub fn of_object(object: &Rc<Instance>) -> Key {
        Key(Value::Object(object.clone()))
    }

    /// Whether it is this text.
    #[inline]
    pub fn is_text(&self, other: &Str) -> bool {
        matches!(&self.0, Value::Str(text) if Str::ptr_eq(text, other) || text == other)
    }

    /// Whether it is the text that lies there.
    #[inline(always)]
    pub fn is_text_at(&self, address: *const ()) -> bool {
        matches!(&self.0, Value::Str(text) if std::ptr::eq(text.as_ptr(), address))
    }

    #[inline(always)]
    pub fn is_int(&self, number: i64) -> bool {
        matches!(self.0, Value::Int(known) if known == number)
    }

    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Whether it says itself what it equals, or holds something that does.
    #[inline]
    pub fn speaks(&self) -> bool {
        !matches!(self.0, Value::Int(_) | Value::Str(_)) && self.may_speak()
    }

    #[inline(never)]
    fn may_speak(&self) -> bool {
        fn speaks(value: &Value) -> bool {
            match value {
                Value::Object(object) => object.hash().is_some(),
                Value::Tuple(items) => with_room(|| items.iter().any(speaks)),
                Value::FrozenSet(elements) => elements.speaks(),
                _ => false,
            }
        }
        speaks(&self.0)
    }

    pub fn into_value(self) -> Value {
        let mut key = self;
        std::mem::replace(&mut key.0, Value::None)
    }
}

/// A number, a text or a short tuple of them that is looked for among keys, and no key of its own.
#[derive(Debug, Clone, Copy)]
pub enum Sought<'v> {
    Int(i64),
    Text(&'v Str),
    /// The items of a tuple, and the tuple if there is one.
    Parts(&'v [Value], Option<&'v Tuple>),
}

/// A tuple that is looked for has at the most so many items.
const MOST_PARTS: usize = 8;

impl<'v> Sought<'v> {
    #[inline(always)]
    pub fn of(value: &'v Value) -> Option<Sought<'v>> {
        match value {
            Value::Int(number) => Some(Sought::Int(*number)),
            Value::Str(text) => Some(Sought::Text(text)),
            Value::Tuple(tuple) => Sought::of_tuple(tuple),
            _ => None,
        }
    }

    #[inline(never)]
    fn of_tuple(tuple: &'v Tuple) -> Option<Sought<'v>> {
        are_sought(tuple).then_some(Sought::Parts(tuple, Some(tuple)))
    }

    /// A tuple of these.
    pub fn of_items(items: &'v [Value]) -> Option<Sought<'v>> {
        are_sought(items).then_some(Sought::Parts(items, None))
    }

    pub fn to_key(self) -> Key {
        match self {
            Sought::Int(number) => Key::of_int(number),
            Sought::Text(text) => Key::of_text(text.clone()),
            Sought::Parts(_, Some(tuple)) => Key(Value::Tuple(tuple.clone())),
            Sought::Parts(items, None) => Key(Value::Tuple(items.iter().cloned().collect())),
        }
    }
}

/// Whether a tuple of these can be looked for.
fn are_sought(items: &[Value]) -> bool {
    let is_plain = |item: &Value| {
        matches!(
            item,
            Value::Int(_) | Value::Str(_) | Value::Float(_) | Value::Bool(_) | Value::None
        )
    };
    items.len() <= MOST_PARTS && items.iter().all(is_plain)
}

/// Whether two tuples hold the same numbers and texts; nothing where one holds anything else.
fn are_same(a: &[Value], b: &[Value]) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    for (a, b) in a.iter().zip(b) {
        let is_same = match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Int(_), Value::Str(_)) | (Value::Str(_), Value::Int(_)) => false,
            _ => return None,
        };
        if !is_same {
            return Some(false);
        }
    }
    Some(true)
}

impl Hash for Sought<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = match self {
            Sought::Int(number) => hash::of_int(*number),
            Sought::Text(text) => hash::of_text(text),
            Sought::Parts(items, _) => hash::of_items(items),
        };
        hash.hash(state);
    }
}

impl Equivalent<Key> for Sought<'_> {
    #[inline]
    fn equivalent(&self, key: &Key) -> bool {
        match (self, &key.0) {
            (Sought::Int(a), Value::Int(b)) => a == b,
            (Sought::Text(a), Value::Str(b)) => *a == b,
            (Sought::Parts(a, _), Value::Tuple(b)) => {
                are_same(a, b).unwrap_or_else(|| self.to_key().equals(key))
            }
            (sought, _) => sought.to_key().equals(key),
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        if let Value::FrozenSet(_) = self.0 {
            let_go(std::mem::replace(&mut self.0, Value::None));
        }
    }
}

impl PartialEq for Key {
    #[inline]
    fn eq(&self, other: &Key) -> bool {
        match (&self.0, &other.0) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            _ => self.equals(other),
        }
    }
}

impl Key {
    fn equals(&self, other: &Key) -> bool {
        // What says itself what it equals is asked by whoever looks for keys.
        fn plain(value: &Value) -> &Value {
            match value {
                Value::Object(object) if object.hash().is_some() => value,
                _ => value.plain(),
            }
        }
        fn equal(a: &Value, b: &Value) -> bool {
            match (plain(a), plain(b)) {
                (Value::Str(a), Value::Str(b)) => a == b,
                (Value::Tuple(a), Value::Tuple(b)) => {
                    let equal = || a.iter().zip(b.iter()).all(|(a, b)| equal(a, b));
                    a.len() == b.len() && with_room(equal)
                }
                (Value::Range(a), Value::Range(b)) => a == b,
                (Value::Opaque(one), other) if let Some(bytes) = one.inside::<Bytes>() => {
                    other.inside::<Bytes>() == Some(bytes)
                }
                (Value::FrozenSet(a), Value::FrozenSet(b)) => {
                    Rc::ptr_eq(a, b) || {
                        a.len() == b.len() && with_room(|| a.iter().all(|key| b.contains(key)))
                    }
                }
                // As in lists: what is the same NaN is equal, and numbers have no identity of their own.
                (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
                (Value::Complex(a), Value::Complex(b)) => complex::is_same(**a, **b),
                (x @ Value::Complex(_), y) | (x, y @ Value::Complex(_)) => {
                    complex::equal(x, y).unwrap_or(false)
                }
                (x, y) => match (x.scalar(), y.scalar()) {
                    (Some(Scalar::Float(a)), Some(b)) | (Some(b), Some(Scalar::Float(a))) => {
                        a == b.as_f64()
                    }
                    (Some(a), Some(b)) => a.as_i128() == b.as_i128(),
                    _ => x.is_same_or_method(y),
                },
            }
        }
        equal(&self.0, &other.0)
    }
}

impl Eq for Key {}

/// Equal keys hash alike, so `1`, `1.0` and `True` do, and an object with a number that it says it equals.
impl Hash for Key {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = match &self.0 {
            Value::Int(number) => hash::of_int(*number),
            Value::Str(text) => hash::of_text(text),
            other => hash::of(other),
        };
        hash.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::value::Entries;

    #[test]
    fn numbers_that_are_equal_are_one_key() {
        let mut entries = Entries::default();
        entries.insert(Key::new(Value::Int(1)).unwrap(), Value::str("a"));
        entries.insert(Key::new(Value::Float(1.0)).unwrap(), Value::str("b"));
        entries.insert(Key::new(Value::Bool(true)).unwrap(), Value::str("c"));
        assert_eq!(entries.len(), 1);
        assert_eq!(Key::new(Value::list(Vec::new())).unwrap_err(), "list");
    }
}
