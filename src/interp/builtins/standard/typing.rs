//! `typing`: names for annotations. They say something to readers; to the program only where types are called.

use super::super::{Argument, Arguments, Builtin, Call, Run};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::value::{Module, Type, Value};

const fn typing(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Typing, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    typing("TypeVar(name, *constraints, bound=None)", variable, "A name that stands for a type."),
    typing("cast(typ, val)", |call| Ok(call.value("val").clone()), "The value as it is."),
    typing("ParamSpec(name, *, bound=None)", variable, "A name that stands for parameters."),
    typing("TypeVarTuple(name)", variable, "A name that stands for several types."),
    typing("NewType(name, tp)", |call| Ok(call.value("tp").clone()), "The type itself."),
];

/// What can be imported, and followed by brackets.
const FORMS: &[&str] = &[
    "Any",
    "AnyStr",
    "Callable",
    "ClassVar",
    "Collection",
    "Container",
    "Deque",
    "Dict",
    "Final",
    "FrozenSet",
    "Generator",
    "Hashable",
    "Iterable",
    "Iterator",
    "List",
    "Literal",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "NoReturn",
    "Optional",
    "Self",
    "Sequence",
    "Set",
    "Sized",
    "Tuple",
    "Type",
    "Union",
    "Annotated",
    "DefaultDict",
    "Counter",
    "OrderedDict",
    "SupportsFloat",
    "SupportsInt",
    "TypeAlias",
    "Never",
    "AbstractSet",
    "Awaitable",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "BinaryIO",
    "ByteString",
    "ChainMap",
    "Concatenate",
    "ContextManager",
    "Coroutine",
    "IO",
    "ItemsView",
    "KeysView",
    "LiteralString",
    "MappingView",
    "Match",
    "MutableSet",
    "NotRequired",
    "Pattern",
    "Required",
    "Reversible",
    "SupportsAbs",
    "SupportsBytes",
    "SupportsComplex",
    "SupportsIndex",
    "SupportsRound",
    "Text",
    "TextIO",
    "TypeGuard",
    "Unpack",
    "ValuesView",
];

pub fn constants() -> Vec<(Module, &'static str, Value)> {
    let form = |name: &&'static str| (Module::Typing, *name, Alias::form(format!("typing.{name}")));
    let mut forms: Vec<_> = FORMS.iter().map(form).collect();
    forms.push((Module::Dataclasses, "InitVar", Alias::form("dataclasses.InitVar")));
    forms.push((Module::Typing, "TYPE_CHECKING", Value::Bool(false)));
    forms
}

/// `typing.List[int]`, `list[int]`, `int | None`
#[derive(Default)]
pub struct Alias {
    text: String,
    /// The types that a union joins.
    members: Vec<Value>,
    /// `__origin__`: what brackets follow, and what is in them.
    origin: Option<Value>,
    arguments: Vec<Value>,
}

impl Alias {
    fn value(self) -> Value {
        Opaque::value(Type::Alias, self)
    }

    /// A name without brackets.
    fn form(text: impl Into<String>) -> Value {
        Alias { text: text.into(), ..Alias::default() }.value()
    }

    /// What `List` and `Deque[int]` are in `typing`, with or without brackets.
    fn name_in_typing(&self) -> Option<&str> {
        self.text.split('[').next()?.strip_prefix("typing.")
    }

    /// The type that a call of it makes values of.
    fn made(&self) -> Option<Type> {
        match &self.origin {
            Some(Value::Type(of)) => Some(*of),
            Some(_) => None,
            None => type_of_form(self.name_in_typing()?),
        }
    }
}

impl Part for Alias {
    fn repr(&self, _: &Evaluator<'_>) -> Result<String, Fault> {
        Ok(self.text.clone())
    }

    fn subscript(&self, evaluator: &Evaluator<'_>, index: &Value) -> Option<Result<Value, Fault>> {
        let text = format!("{}[{}]", self.text, parameters(evaluator, index));
        let name = self.text.strip_prefix("typing.").unwrap_or_default();
        let form = |name: &str| {
            evaluator.interp.registry.attribute_of_module(Module::Typing, name).cloned()
        };
        let mut arguments = arguments_of(index);
        let origin = match name {
            "Optional" => {
                arguments.push(Value::Type(Type::None));
                form("Union")
            }
            name => type_of_form(name).map(Value::Type).or_else(|| form(name)),
        };
        let members =
            if matches!(name, "Optional" | "Union") { arguments.clone() } else { Vec::new() };
        Some(Ok(Alias { text, members, origin, arguments }.value()))
    }

    fn is_callable(&self) -> bool {
        self.made().is_some()
    }

    fn call(&self, evaluator: &Evaluator<'_>, arguments: Arguments) -> Result<Value, Fault> {
        let Some(made) = self.made() else {
            return Err(Fault::type_error("object is not callable"));
        };
        if let Some(name @ ("List" | "Dict" | "Set" | "FrozenSet" | "Tuple" | "Type")) =
            self.name_in_typing()
        {
            let known = made.name();
            let message = format!("Type {name} cannot be instantiated; use {known}() instead");
            return Err(Fault::type_error(message));
        }
        let (mut positional, mut keywords) = (Vec::new(), Vec::new());
        for Argument { name, value, .. } in arguments {
            match name {
                None => positional.push(value),
                Some(name) => keywords.push((name, value)),
            }
        }
        evaluator.call_value(&Value::Type(made), positional, keywords)
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        Some(match name {
            "__origin__" => self.origin.clone()?,
            "__args__" if self.origin.is_some() => Value::tuple(self.arguments.clone()),
            "__name__" => {
                let text = self.text.split('[').next().unwrap_or_default();
                Value::str(text.rsplit('.').next().unwrap_or_default().trim_start_matches('~'))
            }
            _ => return None,
        })
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.members.iter().for_each(&mut *look);
        self.arguments.iter().for_each(look);
    }
}

/// The type whose brackets a name of `typing` stands for.
fn type_of_form(name: &str) -> Option<Type> {
    Some(match name {
        "List" => Type::List,
        "Dict" => Type::Dict,
        "Set" => Type::Set,
        "FrozenSet" => Type::FrozenSet,
        "Tuple" => Type::Tuple,
        "Type" => Type::Type,
        "Deque" => Type::Deque,
        "DefaultDict" => Type::DefaultDict,
        "OrderedDict" => Type::OrderedDict,
        "Counter" => Type::Counter,
        _ => return None,
    })
}

/// What stands in brackets; `None` there is a type.
fn arguments_of(index: &Value) -> Vec<Value> {
    let parts = match index {
        Value::Tuple(parts) => parts.to_vec(),
        other => vec![other.clone()],
    };
    let is_type = |value| if let Value::None = value { Value::Type(Type::None) } else { value };
    parts.into_iter().map(is_type).collect()
}

/// How a type is written in an annotation.
fn written(evaluator: &Evaluator<'_>, value: &Value) -> String {
    match value {
        Value::Type(of) => of.name().to_owned(),
        Value::Class(class) => class.qualified(),
        Value::Ellipsis => "...".to_owned(),
        Value::List(items) => {
            let items = items.borrow().clone();
            let parts: Vec<String> = items.iter().map(|item| written(evaluator, item)).collect();
            format!("[{}]", parts.join(", "))
        }
        other => evaluator.repr(other),
    }
}

fn parameters(evaluator: &Evaluator<'_>, index: &Value) -> String {
    match index {
        Value::Tuple(parts) if !parts.is_empty() => {
            let parts: Vec<String> = parts.iter().map(|part| written(evaluator, part)).collect();
            parts.join(", ")
        }
        other => written(evaluator, other),
    }
}

/// `list[int]`
pub fn alias_of(evaluator: &Evaluator<'_>, of: Type, index: &Value) -> Option<Value> {
    let is_generic = matches!(
        of,
        Type::List
            | Type::Tuple
            | Type::Dict
            | Type::Set
            | Type::FrozenSet
            | Type::Type
            | Type::Deque
            | Type::DefaultDict
            | Type::OrderedDict
            | Type::Counter
    );
    is_generic.then(|| {
        let text = format!("{}[{}]", of.name(), parameters(evaluator, index));
        let (origin, arguments) = (Some(Value::Type(of)), arguments_of(index));
        Alias { text, members: Vec::new(), origin, arguments }.value()
    })
}

/// `int | None`, of two types; `None` where one is no type.
pub fn union_of(evaluator: &Evaluator<'_>, a: &Value, b: &Value) -> Option<Value> {
    let is_type = |value: &Value| {
        matches!(value, Value::Type(_) | Value::Class(_) | Value::None)
            || value.inside::<Alias>().is_some()
    };
    if !is_type(a) || !is_type(b) || matches!((a, b), (Value::None, Value::None)) {
        return None;
    }
    let members = |value: &Value| match value.inside::<Alias>() {
        Some(alias) if !alias.members.is_empty() => alias.members.clone(),
        _ => vec![value.clone()],
    };
    let mut all = members(a);
    all.extend(members(b));
    let text: Vec<String> = all.iter().map(|member| written(evaluator, member)).collect();
    let union = evaluator.interp.registry.attribute_of_module(Module::Typing, "Union").cloned();
    let arguments = arguments_of(&Value::tuple(all.clone()));
    Some(Alias { text: text.join(" | "), members: all, origin: union, arguments }.value())
}

/// The class that a name of `typing` stands for in `isinstance`, where it does.
pub fn class_of_form(evaluator: &Evaluator<'_>, value: &Value) -> Option<Value> {
    let name = value.inside::<Alias>()?.text.strip_prefix("typing.")?;
    let kind = |name| evaluator.attribute(&Value::Module(Module::CollectionsAbc), name).ok();
    match name {
        "AbstractSet" => kind("Set"),
        name => type_of_form(name).map(Value::Type).or_else(|| kind(name)),
    }
}

/// The types that a union joins, of a value that is one.
pub fn members_of(value: &Value) -> Option<&[Value]> {
    value.inside::<Alias>().map(|alias| &alias.members[..]).filter(|members| !members.is_empty())
}

fn variable(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Alias::form(format!("~{}", call.str("name")?)))
}
