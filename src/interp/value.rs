//! What an expression is worth. Values are cheap to clone: everything large is shared, as in
//! Python, where a second name for a list is the same list.

use std::fmt;
use std::rc::Rc;

use num_complex::Complex64;

use super::builtins::Function;
use super::complex;
pub use super::entries::Entries;
pub use super::key::{Key, Sought};
use super::letting_go::let_go;
pub use super::module::Module;
use super::native::Native;
use super::object::class::Class;
use super::object::function::Closure;
use super::object::generator::Generator;
use super::object::instance::{Bound, Descriptor, Inner, Instance};
use super::object::iterator::Iter;
use super::object::opaque::Opaque;
pub use super::object::set::{Members, Set};
use super::object::view::{Shown, View};
pub use super::range::Range;
use super::shared::Shared;
pub use super::thin::{Str, Tuple};
pub use super::types::{Type, Walker};
use super::undo::Journal;
use crate::dtype::{DType, Scalar};
use crate::tensor::{DeviceId, Tensor};

/// A list that several names may share.
pub type List = Rc<Shared<Vec<Value>>>;
/// A dictionary that several names may share.
pub type Dict = Rc<Shared<Entries>>;

/// A value of the language.
///
/// The tag takes eight bytes, as what stands behind it does, so that a value moves as two words. With a
/// tag of one byte it moves as that byte and fifteen others, in two words that overlap, and a processor
/// waits at each move until both have been written: 70 ns instead of 16 for an item that four functions
/// hand on.
#[derive(Clone)]
#[repr(u64)]
pub enum Value {
    // What nobody has to let go of stands first, so that one comparison tells it.
    None,
    /// What a variable of a function holds before it holds anything. No program sees it.
    Unbound,
    Bool(bool),
    Int(i64),
    /// An integer above [`i64::MAX`].
    Wide(u64),
    Float(f64),
    Type(Type),
    /// Boxed, so that a value takes 16 bytes.
    Complex(Rc<Complex64>),
    Str(Str),
    Tuple(Tuple),
    List(List),
    Dict(Dict),
    Set(Set),
    FrozenSet(Rc<Members>),
    View(Rc<View>),
    Slice(Rc<Slice>),
    Ellipsis,
    Range(Rc<Range>),
    Iterator(Rc<Iter>),
    DType(DType),
    Device(DeviceId),
    Function(Rc<Function>),
    Method(Rc<Method>),
    Native(Rc<Native>),
    /// An object of Python's library.
    Opaque(Rc<Opaque>),
    Module(Module),
    Tensor(Tensor),
    Closure(Rc<Closure>),
    Generator(Rc<Generator>),
    /// A class of the program.
    Class(Rc<Class>),
    /// An object of a class, an exception.
    Object(Rc<Instance>),
    /// A method of an object.
    Bound(Rc<Bound>),
    /// A property and its kin, `super()`.
    Descriptor(Rc<Descriptor>),
    /// What an operator's method says where it has no answer.
    NotImplemented,
}

/// `slice(start, stop, step)`, or `start:stop:step` in an index.
#[derive(Debug, Clone)]
pub struct Slice {
    pub start: Value,
    pub stop: Value,
    pub step: Value,
}

impl Drop for Slice {
    fn drop(&mut self) {
        for part in [&mut self.start, &mut self.stop, &mut self.step] {
            if part.identity().is_some() {
                let_go(std::mem::replace(part, Value::None));
            }
        }
    }
}

/// A function that already has its first argument: `x.sum`.
#[derive(Debug)]
pub struct Method {
    pub receiver: Value,
    pub function: Rc<Function>,
}

impl Drop for Method {
    fn drop(&mut self) {
        if self.receiver.identity().is_some() {
            let_go(std::mem::replace(&mut self.receiver, Value::None));
        }
    }
}

impl Value {
    pub fn str(text: impl Into<Str>) -> Value {
        Value::Str(text.into())
    }

    /// What the literal `2j` stands for.
    pub fn imaginary(size: f64) -> Value {
        Complex64::new(0.0, size).into()
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Rc::new(items.into()))
    }

    pub fn tuple(items: impl Into<Tuple>) -> Value {
        Value::Tuple(items.into())
    }

    /// A tuple of integers: shapes, strides, sizes.
    pub fn sizes(sizes: impl IntoIterator<Item = usize>) -> Value {
        Value::Tuple(sizes.into_iter().map(|size| Value::Int(size as i64)).collect())
    }

    /// A list, a dictionary or a set that somebody has just made and nobody else has is of the transaction.
    pub(super) fn claim(&self, journal: &Journal) {
        match self {
            Value::List(items) => items.claim(journal),
            Value::Dict(entries) => entries.claim(journal),
            Value::Set(members) => members.claim(journal),
            _ => {}
        }
    }

    /// A dictionary with names for keys.
    pub fn dict(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
        let entries = entries.into_iter().map(|(name, value)| (Key::of_name(name), value));
        Value::Dict(Rc::new(entries.collect::<Entries>().into()))
    }

    pub fn type_of(&self) -> Type {
        match self {
            Value::None | Value::Unbound => Type::None,
            Value::Bool(_) => Type::Bool,
            Value::Int(_) | Value::Wide(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Complex(_) => Type::Complex,
            Value::Str(_) => Type::Str,
            Value::Tuple(_) => Type::Tuple,
            Value::List(_) => Type::List,
            Value::Dict(_) => Type::Dict,
            Value::Set(_) => Type::Set,
            Value::FrozenSet(_) => Type::FrozenSet,
            Value::View(view) => match view.shown {
                Shown::Keys => Type::Keys,
                Shown::Values => Type::Values,
                Shown::Items => Type::Items,
            },
            Value::Slice(_) => Type::Slice,
            Value::Ellipsis => Type::Ellipsis,
            Value::Range(_) => Type::Range,
            Value::Iterator(iter) => Type::Iterator(Walker::of(iter.name)),
            Value::DType(_) => Type::DType,
            Value::Device(_) => Type::Device,
            Value::Function(_) | Value::Method(_) | Value::Native(_) => Type::Function,
            Value::Opaque(opaque) => opaque.of,
            Value::Module(_) => Type::Module,
            Value::Type(_) => Type::Type,
            Value::Tensor(_) => Type::Tensor,
            Value::Closure(_) => Type::Closure,
            Value::Generator(_) => Type::Generator,
            Value::Class(_) => Type::Type,
            Value::Object(_) => Type::Object,
            Value::Bound(_) => Type::Method,
            Value::Descriptor(descriptor) => descriptor.type_of(),
            Value::NotImplemented => Type::NotImplemented,
        }
    }

    /// The type's name, as Python says it in errors.
    pub fn type_name(&self) -> &str {
        match self {
            Value::Iterator(iter) => iter.name,
            Value::Object(object) => object.class.spoken_name(),
            _ => self.type_of().spoken_name(),
        }
    }

    /// The name of its class alone.
    pub fn class_name(&self) -> &str {
        match self {
            Value::Iterator(iter) => iter.name,
            Value::Object(object) => object.class.name(),
            _ => self.type_of().name(),
        }
    }

    /// The value of the built-in type that an object extends; any other value itself.
    pub fn plain(&self) -> &Value {
        match self {
            Value::Object(object) => match &object.inner {
                Inner::Value(plain) => plain,
                _ => self,
            },
            _ => self,
        }
    }

    /// A Python number as an operand of tensors; it is weak in promotion.
    pub fn number(&self) -> Option<Scalar> {
        match self {
            Value::Complex(value) => Some(Scalar::Complex(**value)),
            _ => self.scalar(),
        }
    }

    /// A real Python number.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Value::Bool(value) => Some(Scalar::Bool(*value)),
            Value::Int(value) => Some(Scalar::Int(*value)),
            Value::Wide(value) => Some(Scalar::Wide(*value)),
            Value::Float(value) => Some(Scalar::Float(*value)),
            _ => None,
        }
    }

    /// Whether NumPy would make an array of it that is no scalar: a list, a tuple, a range.
    pub fn is_sequence(&self) -> bool {
        matches!(self, Value::List(_) | Value::Tuple(_) | Value::Range(_))
    }

    /// The same, but a method of an object is made anew whenever it is asked for, and equals itself.
    pub fn is_same_or_method(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bound(a), Value::Bound(b)) => {
                a.receiver.is_same(&b.receiver) && a.callable.is_same(&b.callable)
            }
            (Value::Method(a), Value::Method(b)) => {
                a.receiver.is_same(&b.receiver) && a.function.is_same(&b.function)
            }
            _ => self.is_same(other),
        }
    }

    /// Whether both are one object: `is`.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Wide(a), Value::Wide(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Complex(a), Value::Complex(b)) => complex::bits(**a) == complex::bits(**b),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) => {
                Tuple::ptr_eq(a, b) || a.is_empty() && b.is_empty()
            }
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::Dict(a), Value::Dict(b)) => Rc::ptr_eq(a, b),
            (Value::Set(a), Value::Set(b)) => Rc::ptr_eq(a, b),
            (Value::FrozenSet(a), Value::FrozenSet(b)) => Rc::ptr_eq(a, b),
            (Value::View(a), Value::View(b)) => Rc::ptr_eq(a, b),
            (Value::Slice(a), Value::Slice(b)) => Rc::ptr_eq(a, b),
            (Value::Range(a), Value::Range(b)) => Rc::ptr_eq(a, b),
            (Value::Iterator(a), Value::Iterator(b)) => Rc::ptr_eq(a, b),
            (Value::DType(a), Value::DType(b)) => a == b,
            (Value::Device(a), Value::Device(b)) => a == b,
            // A function of several names is one.
            (Value::Function(a), Value::Function(b)) => a.is_same(b),
            (Value::Method(a), Value::Method(b)) => Rc::ptr_eq(a, b),
            (Value::Native(a), Value::Native(b)) => Rc::ptr_eq(a, b),
            (Value::Opaque(a), Value::Opaque(b)) => Rc::ptr_eq(a, b),
            (Value::Module(a), Value::Module(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a == b,
            (Value::Tensor(a), Value::Tensor(b)) => a.is_same(b),
            (Value::Closure(a), Value::Closure(b)) => Rc::ptr_eq(a, b),
            (Value::Generator(a), Value::Generator(b)) => Rc::ptr_eq(a, b),
            (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b),
            (Value::Bound(a), Value::Bound(b)) => Rc::ptr_eq(a, b),
            (Value::Descriptor(a), Value::Descriptor(b)) => Rc::ptr_eq(a, b),
            (Value::NotImplemented, Value::NotImplemented) => true,
            _ => false,
        }
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        match scalar {
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::Int(value),
            Scalar::Wide(value) => Value::Wide(value),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Complex(value) => value.into(),
        }
    }
}

impl From<Complex64> for Value {
    fn from(number: Complex64) -> Value {
        Value::Complex(Rc::new(number))
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Value {
        Value::Tensor(tensor)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Wide(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Complex(value) => f.write_str(&complex::repr(**value)),
            Value::Str(text) => write!(f, "{text:?}"),
            Value::Tuple(items) => write!(f, "{items:?}"),
            Value::Tensor(tensor) => write!(f, "{tensor:?}"),
            // Lists and dictionaries may hold themselves.
            _ => write!(f, "<{}>", self.type_name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_16_bytes() {
        assert_eq!(size_of::<Value>(), 16);
        assert_eq!(size_of::<Option<Value>>(), 16);
    }
}
