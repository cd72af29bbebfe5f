//! What an expression is worth. Values are cheap to clone: everything large is shared, as in
//! Python, where a second name for a list is the same list.

use std::fmt;
use std::rc::Rc;

use super::builtins::Function;
pub use super::entries::Entries;
pub use super::key::Key;
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
use crate::diag::ErrorKind;
use crate::dtype::{self, DType, Scalar};
use crate::tensor::{DeviceId, Tensor};

/// A list that several names may share.
pub type List = Rc<Shared<Vec<Value>>>;
/// A dictionary that several names may share.
pub type Dict = Rc<Shared<Entries>>;

/// A value of the language.
#[derive(Clone)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    /// An integer above [`i64::MAX`].
    Wide(u64),
    Float(f64),
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
    Type(Type),
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
    /// What a variable of a function holds before it holds anything. No program sees it.
    Unbound,
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

/// The types, as values: callables, and arguments of `isinstance` and `astype`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    None,
    Bool,
    Int,
    Float,
    Str,
    Tuple,
    List,
    Dict,
    Set,
    FrozenSet,
    Keys,
    Values,
    Items,
    Slice,
    Ellipsis,
    Range,
    Iterator,
    DType,
    Device,
    Function,
    Module,
    Type,
    Tensor,
    Closure,
    Generator,
    Object,
    /// A class of exceptions.
    Error(ErrorKind),
    /// A class of NumPy's scalar types.
    Scalars(dtype::Class),
    Method,
    Property,
    StaticMethod,
    ClassMethod,
    Super,
    NotImplemented,
    Partial,
    Decorator,
    Compared,
    ItemGetter,
    AttrGetter,
    MethodCaller,
    Random,
    Deque,
    Counter,
    DefaultDict,
    OrderedDict,
    Alias,
    Stream,
    DeviceContext,
    PerformanceContext,
    File,
    Traceback,
    /// A compiled pattern of `re`.
    Searcher,
    /// What a function's `__code__` is.
    Code,
}

impl Value {
    pub fn str(text: impl AsRef<str>) -> Value {
        Value::Str(Str::from(text.as_ref()))
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
            Value::Iterator(_) => Type::Iterator,
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

    /// Whether both are one object: `is`.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Wide(a), Value::Wide(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
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
            (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
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
        }
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
            Value::Str(text) => write!(f, "{text:?}"),
            Value::Tuple(items) => write!(f, "{items:?}"),
            Value::Tensor(tensor) => write!(f, "{tensor:?}"),
            // Lists and dictionaries may hold themselves.
            _ => write!(f, "<{}>", self.type_name()),
        }
    }
}

impl Type {
    pub const ALL: [Type; 51] = [
        Type::None,
        Type::Bool,
        Type::Int,
        Type::Float,
        Type::Str,
        Type::Tuple,
        Type::List,
        Type::Dict,
        Type::Set,
        Type::FrozenSet,
        Type::Keys,
        Type::Values,
        Type::Items,
        Type::Slice,
        Type::Ellipsis,
        Type::Range,
        Type::Iterator,
        Type::DType,
        Type::Device,
        Type::Function,
        Type::Module,
        Type::Type,
        Type::Tensor,
        Type::Closure,
        Type::Generator,
        Type::Object,
        Type::Method,
        Type::Property,
        Type::StaticMethod,
        Type::ClassMethod,
        Type::Super,
        Type::NotImplemented,
        Type::Partial,
        Type::Decorator,
        Type::Compared,
        Type::ItemGetter,
        Type::AttrGetter,
        Type::MethodCaller,
        Type::Random,
        Type::Deque,
        Type::Counter,
        Type::DefaultDict,
        Type::OrderedDict,
        Type::Alias,
        Type::Stream,
        Type::DeviceContext,
        Type::PerformanceContext,
        Type::File,
        Type::Traceback,
        Type::Searcher,
        Type::Code,
    ];

    /// The type whose methods it has, too.
    pub fn base(self) -> Option<Type> {
        let is_dict = matches!(self, Type::Counter | Type::DefaultDict | Type::OrderedDict);
        is_dict.then_some(Type::Dict)
    }

    pub fn name(self) -> &'static str {
        match self {
            Type::None => "NoneType",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Float => "float",
            Type::Str => "str",
            Type::Tuple => "tuple",
            Type::List => "list",
            Type::Dict => "dict",
            Type::Set => "set",
            Type::FrozenSet => "frozenset",
            Type::Keys => Shown::Keys.name(),
            Type::Values => Shown::Values.name(),
            Type::Items => Shown::Items.name(),
            Type::Slice => "slice",
            Type::Ellipsis => "ellipsis",
            Type::Range => "range",
            Type::Iterator => "iterator",
            Type::DType => "dtype",
            Type::Device => "device",
            Type::Function => "builtin_function_or_method",
            Type::Module => "module",
            Type::Type => "type",
            Type::Tensor => "tensor",
            Type::Closure => "function",
            Type::Generator => "generator",
            Type::Object => "object",
            Type::Error(kind) => kind.class_name(),
            Type::Scalars(class) => class.name(),
            Type::Method => "method",
            Type::Property => "property",
            Type::StaticMethod => "staticmethod",
            Type::ClassMethod => "classmethod",
            Type::Super => "super",
            Type::NotImplemented => "NotImplementedType",
            Type::Partial => "partial",
            Type::Decorator => "function",
            Type::Compared => "KeyWrapper",
            Type::ItemGetter => "itemgetter",
            Type::AttrGetter => "attrgetter",
            Type::MethodCaller => "methodcaller",
            Type::Random => "Random",
            Type::Deque => "deque",
            Type::Counter => "Counter",
            Type::DefaultDict => "defaultdict",
            Type::OrderedDict => "OrderedDict",
            Type::Alias => "GenericAlias",
            Type::Stream => "Stream",
            Type::DeviceContext => "device_context",
            Type::PerformanceContext => "performance_context",
            Type::File => "TextIOWrapper",
            Type::Traceback => "traceback",
            Type::Searcher => "searcher",
            Type::Code => "code",
        }
    }

    /// Itself, and all that it is derived from, in the order in which names are looked up.
    pub fn line(self) -> Vec<Type> {
        match self {
            Type::Object => vec![Type::Object],
            Type::Bool => vec![Type::Bool, Type::Int, Type::Object],
            Type::Error(kind) => {
                kind.line().into_iter().map(Type::Error).chain([Type::Object]).collect()
            }
            of => [Some(of), of.base(), Some(Type::Object)].into_iter().flatten().collect(),
        }
    }

    /// Whether its values are of the other type, too.
    pub fn is_a(self, other: Type) -> bool {
        match (self, other) {
            (_, Type::Object) | (Type::Bool, Type::Int) => true,
            (Type::Error(kind), Type::Error(other)) => kind.is_a(other),
            (Type::Scalars(class), Type::Scalars(other)) => class.is_a(other),
            _ => self == other || self.base() == Some(other),
        }
    }

    /// Whether a class may be derived from it.
    pub fn may_be_extended(self) -> bool {
        matches!(
            self,
            Type::Object
                | Type::Error(_)
                | Type::Int
                | Type::Float
                | Type::Str
                | Type::Tuple
                | Type::List
                | Type::Dict
        )
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
