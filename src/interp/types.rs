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
    Bytes,
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
    Iterator(Walker),
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
    Cell,
    Frame,
}

/// Which type of iterators one is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Walker(u8);

impl Walker {
    pub const OTHER: Walker = Walker(0);

    /// The types that CPython has, with their modules.
    const NAMES: [&str; 45] = [
        "iterator",
        "list_iterator",
        "tuple_iterator",
        "str_ascii_iterator",
        "str_iterator",
        "bytes_iterator",
        "range_iterator",
        "set_iterator",
        "tensor_iterator",
        "callable_iterator",
        "dict_keyiterator",
        "dict_valueiterator",
        "dict_itemiterator",
        "dict_reversekeyiterator",
        "dict_reversevalueiterator",
        "dict_reverseitemiterator",
        "list_reverseiterator",
        "reversed",
        "zip",
        "map",
        "filter",
        "enumerate",
        "_collections._deque_iterator",
        "_collections._deque_reverse_iterator",
        "_io.TextIOWrapper",
        "itertools.count",
        "itertools.cycle",
        "itertools.repeat",
        "itertools.chain",
        "itertools.accumulate",
        "itertools.combinations",
        "itertools.combinations_with_replacement",
        "itertools.permutations",
        "itertools.product",
        "itertools.compress",
        "itertools.dropwhile",
        "itertools.takewhile",
        "itertools.filterfalse",
        "itertools.groupby",
        "itertools._grouper",
        "itertools.islice",
        "itertools.pairwise",
        "itertools.starmap",
        "itertools._tee",
        "itertools.zip_longest",
    ];

    /// The type whose iterators are called so in errors.
    pub fn of(name: &str) -> Walker {
        let at = Walker::NAMES.iter().position(|known| *known == name);
        at.map_or(Walker::OTHER, |at| Walker(at as u8))
    }

    fn full_name(self) -> &'static str {
        Walker::NAMES[usize::from(self.0)]
    }

    fn name(self) -> &'static str {
        let name = self.full_name();
        name.split_once('.').map_or(name, |(_, name)| name)
    }
}

impl Type {
    /// Whether its objects have attributes of their own, and say which can be set.
    pub fn has_parts(self) -> bool {
        use Type::{Bool, Complex, Dict, Float, FrozenSet, Int, List, Object, Set, Str, Tuple};
        !matches!(
            self,
            Bool | Complex | Dict | Float | FrozenSet | Int | List | Object | Set | Str | Tuple
        )
    }

    pub const ALL: [Type; 55] = [
        Type::None,
        Type::Bool,
        Type::Int,
        Type::Float,
        Type::Complex,
        Type::Str,
        Type::Bytes,
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
        Type::Iterator(Walker::OTHER),
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
        Type::Cell,
        Type::Frame,
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
            Type::Bytes => "bytes",
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
            Type::Iterator(walker) => walker.name(),
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
            Type::Cell => "cell",
            Type::Frame => "frame",
        }
    }

    /// What errors call it.
    pub fn spoken_name(self) -> &'static str {
        match self {
            Type::Deque => "collections.deque",
            Type::DefaultDict => "collections.defaultdict",
            Type::OrderedDict => "collections.OrderedDict",
            Type::Partial => "functools.partial",
            Type::Compared => "functools.KeyWrapper",
            Type::ItemGetter => "operator.itemgetter",
            Type::AttrGetter => "operator.attrgetter",
            Type::MethodCaller => "operator.methodcaller",
            Type::Alias => "types.GenericAlias",
            Type::File => "_io.TextIOWrapper",
            of => of.name(),
        }
    }

    /// The module that CPython has it in.
    pub fn module(self) -> &'static str {
        match self {
            Type::Iterator(walker) => {
                walker.full_name().split_once('.').map_or("builtins", |(module, _)| module)
            }
            Type::Deque | Type::Counter | Type::DefaultDict | Type::OrderedDict => "collections",
            Type::Partial | Type::Compared => "functools",
            Type::ItemGetter | Type::AttrGetter | Type::MethodCaller => "operator",
            Type::Alias => "types",
            Type::Random => "random",
            Type::File => "_io",
            _ => "builtins",
        }
    }

    /// Its name behind its module's, as Python shows it.
    pub fn full_name(self) -> String {
        match self.module() {
            "builtins" => self.name().to_owned(),
            module => format!("{module}.{}", self.name()),
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
                | Type::Bytes
                | Type::Tuple
                | Type::FrozenSet
        ) || self.is_filled_by_init()
    }

    /// Whether its `__init__` puts in what a call is given, and not the making of the object.
    pub fn is_filled_by_init(self) -> bool {
        matches!(
            self,
            Type::List
                | Type::Dict
                | Type::Set
                | Type::Deque
                | Type::Counter
                | Type::DefaultDict
                | Type::OrderedDict
                | Type::Random
        )
    }
}
