//! The language's own types, as values.

use super::object::view::Shown;
use crate::diag::ErrorKind;
use crate::dtype;

/// The types, as values: callables, and arguments of `isinstance` and `astype`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    None,
    Bool,
    Int,
    Float,
    Complex,
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

impl Type {
    pub const ALL: [Type; 52] = [
        Type::None,
        Type::Bool,
        Type::Int,
        Type::Float,
        Type::Complex,
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
            Type::Complex => "complex",
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
                | Type::Complex
                | Type::Str
                | Type::Tuple
                | Type::List
                | Type::Dict
        )
    }
}
