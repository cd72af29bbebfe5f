//! What CPython says of a call whose arguments do not fit. What it has in C words that in ways of its own, by how
//! many arguments there are and whether they may be named.

use super::signature::{Argument, Misfit, Parameter, ParameterKind, Signature};
use super::{Builtin, Function, Homes};
use crate::diag::{Fault, did_you_mean};
use crate::interp::value::{Module, Type, Value};

/// Modules whose functions CPython has in C, and what it calls them there.
const MODULES: [(Module, &str); 6] = [
    (Module::Math, "math"),
    (Module::Cmath, "cmath"),
    (Module::Operator, "_operator"),
    (Module::Itertools, "itertools"),
    (Module::Time, "time"),
    (Module::Gc, "gc"),
];

/// Methods of texts that read their arguments by a format.
const READ_BY_FORMAT: [&str; 7] =
    ["find", "rfind", "index", "rindex", "count", "startswith", "endswith"];

/// Special methods that are functions of their own and no slots of a type.
const NO_SLOTS: [&str; 13] = [
    "__ceil__",
    "__complex__",
    "__dir__",
    "__enter__",
    "__exit__",
    "__floor__",
    "__format__",
    "__init_subclass__",
    "__missing__",
    "__reversed__",
    "__round__",
    "__subclasscheck__",
    "__trunc__",
];

/// Methods that make an object or a class, and take what they are of before it is one.
const MAKERS: [&str; 4] = ["__new__", "__init__", "__init_subclass__", "__class_getitem__"];

/// A call of a function that CPython has in C.
struct Called<'a> {
    function: &'a Function,
    parameters: &'a [Parameter],
    /// But for the receiver.
    positional: usize,
    named: &'a [&'a Argument],
}

/// What is wrong with the arguments of a call, where the function is one of CPython's in C and does not take them.
pub(super) fn misfit(
    function: &Function,
    signature: &Signature,
    arguments: &[Argument],
) -> Option<Misfit> {
    let row = function.builtin;
    if !is_in_c(row) {
        return None;
    }
    let named: Vec<&Argument> = arguments.iter().filter(|given| given.name.is_some()).collect();
    let receivers = usize::from(has_receiver(row));
    let Some(positional) = (arguments.len() - named.len()).checked_sub(receivers) else {
        let words = format!("unbound method {}() needs an argument", qualified(row, function));
        return Some(Box::new((Fault::type_error(words), None)));
    };
    let parameters = &signature.parameters[receivers.min(signature.parameters.len())..];
    let called = Called { function, parameters, positional, named: &named };
    let is_plain = |p: &Parameter| {
        matches!(
            p.kind,
            ParameterKind::PositionalOnly | ParameterKind::Star | ParameterKind::DoubleStar
        )
    };
    let words = match parameters.iter().all(is_plain) {
        true => called.unlike_plain(),
        false => called.unlike_named(),
    }?;
    let surplus = named.first().copied().or_else(|| arguments.get(receivers + parameters.len()));
    let names = || signature.parameters.iter().map(|parameter| parameter.name);
    let mut unknown = named.iter().filter_map(|given| given.name.as_deref());
    let unknown = unknown.find(|name| signature.position(name).is_none());
    let mut fault = Fault::type_error(words);
    if let Some(near) = unknown.and_then(|name| did_you_mean(name, names())) {
        fault = fault.with_hint(format!("did you mean `{near}`?"));
    }
    let fault = fault.with_hint(signature.as_hint());
    Some(Box::new((fault, surplus.map(|given| given.span))))
}

impl Called<'_> {
    /// Of functions whose arguments have no names.
    fn unlike_plain(&self) -> Option<String> {
        let (row, name, given) = (self.function.builtin, &self.function.name, self.positional);
        let has = |kind| self.parameters.iter().any(|parameter| parameter.kind == kind);
        let is_slot = is_slot(row);
        let is_read = READ_BY_FORMAT.contains(&row.name)
            && matches!(row.method_of, Some(Type::Str | Type::Bytes))
            && self.parameters.len() > 1;
        let takes_any = !self.parameters.is_empty() || !is_class(self.function);
        if !self.named.is_empty() && !has(ParameterKind::DoubleStar) && takes_any {
            return Some(match (is_slot, is_class(self.function)) {
                (true, _) => format!("wrapper {name}() takes no keyword arguments"),
                (_, true) => format!("{name}() takes no keyword arguments"),
                _ => format!("{}() takes no keyword arguments", qualified(row, self.function)),
            });
        }
        let single = |p: &&Parameter| p.kind == ParameterKind::PositionalOnly;
        let most = self.parameters.iter().filter(single).count();
        let least = self.parameters.iter().filter(single).filter(|p| p.default.is_none()).count();
        let is_open = has(ParameterKind::Star);
        if given >= least && (given <= most || is_open) && (takes_any || self.named.is_empty()) {
            return None;
        }
        let bound = if given < least { least } else { most };
        let plural = if bound == 1 { "" } else { "s" };
        let limit = match (least == most && !is_open, given < least) {
            (true, _) => "",
            (_, true) => "at least ",
            (_, false) => "at most ",
        };
        let is_function = !is_class(self.function);
        Some(match (least, most) {
            _ if is_slot => format!("expected {limit}{bound} argument{plural}, got {given}"),
            _ if is_read => {
                format!("{name}() takes {limit}{bound} argument{plural} ({given} given)")
            }
            (0, 0) if !is_function => format!("{name}() takes no arguments"),
            (0, 0) => {
                format!("{}() takes no arguments ({given} given)", qualified(row, self.function))
            }
            (1, 1) if is_function && !is_open => {
                let name = qualified(row, self.function);
                format!("{name}() takes exactly one argument ({given} given)")
            }
            _ => format!("{name} expected {limit}{bound} argument{plural}, got {given}"),
        })
    }

    /// Of functions whose arguments may have names.
    fn unlike_named(&self) -> Option<String> {
        let name = &self.function.name;
        let kinds = || self.parameters.iter().map(|parameter| parameter.kind);
        let is_open = kinds().any(|kind| kind == ParameterKind::Star);
        let count = |wanted: &[ParameterKind]| kinds().filter(|kind| wanted.contains(kind)).count();
        let alone = count(&[ParameterKind::PositionalOnly]);
        let in_order = alone + count(&[ParameterKind::Normal]);
        let all = in_order + count(&[ParameterKind::KeywordOnly]);
        let singles =
            || self.parameters.iter().filter(|parameter| parameter.kind != ParameterKind::Star);
        let least = singles().take(in_order).filter(|p| p.default.is_none()).count();
        let (positional, given) = (self.positional, self.positional + self.named.len());
        let plural = |count| if count == 1 { "" } else { "s" };
        // It asks for its iterable before it hands the rest on.
        if name == "sorted" && positional != 1 {
            return Some(format!("sorted expected 1 argument, got {positional}"));
        }
        if !is_open && given > all {
            let kind = if positional == 0 { "keyword " } else { "" };
            return Some(format!(
                "{name}() takes at most {all} {kind}argument{} ({given} given)",
                plural(all)
            ));
        }
        if !is_open && positional > in_order {
            let limit = if least < in_order { "at most" } else { "exactly" };
            return Some(match in_order {
                0 => format!("{name}() takes no positional arguments"),
                _ => format!(
                    "{name}() takes {limit} {in_order} positional argument{} ({positional} given)",
                    plural(in_order)
                ),
            });
        }
        let unnamed = alone.min(least);
        if positional < unnamed {
            let limit = if unnamed < in_order { "at least" } else { "exactly" };
            return Some(format!(
                "{name}() takes {limit} {unnamed} positional argument{} ({positional} given)",
                plural(unnamed)
            ));
        }
        let is_given = |parameter: &Parameter| {
            self.named.iter().any(|given| given.name.as_deref() == Some(parameter.name))
        };
        let lacks = |(at, parameter): &(usize, &Parameter)| {
            *at >= positional && parameter.default.is_none() && !is_given(parameter)
        };
        if let Some((at, parameter)) = singles().enumerate().take(in_order).find(lacks) {
            let missing = parameter.name;
            return Some(format!(
                "{name}() missing required argument '{missing}' (pos {})",
                at + 1
            ));
        }
        self.named.iter().find_map(|given| {
            let keyword = given.name.as_deref().unwrap_or_default();
            let at = singles().position(|parameter| {
                parameter.name == keyword && parameter.kind != ParameterKind::PositionalOnly
            });
            match at {
                None => {
                    let name = if name == "sorted" { "sort" } else { name };
                    Some(format!("'{keyword}' is an invalid keyword argument for {name}()"))
                }
                Some(at) if at < positional.min(in_order) => Some(format!(
                    "argument for {name}() given by name ('{keyword}') and position ({})",
                    at + 1
                )),
                Some(_) => None,
            }
        })
    }
}

/// Whether CPython has it in C.
fn is_in_c(row: &Builtin) -> bool {
    let of_others = |of: Type| {
        matches!(
            of,
            Type::Tensor
                | Type::DType
                | Type::Device
                | Type::Scalars(_)
                | Type::Error(_)
                | Type::Counter
                | Type::Random
                | Type::Stream
                | Type::DeviceContext
                | Type::PerformanceContext
                | Type::File
                | Type::Searcher
        )
    };
    match row.method_of {
        Some(of) => !of_others(of),
        None if row.homes.holds(Homes::CONSTRUCTOR.and(Homes::CLASS)) => {
            let of = Type::ALL.into_iter().find(|of| of.name() == row.name);
            of.is_some_and(|of| !of_others(of))
        }
        None => {
            row.homes.holds(Homes::PYTHON)
                || MODULES.iter().any(|(module, _)| row.homes.holds(Homes::of(*module)))
        }
    }
}

fn has_receiver(row: &Builtin) -> bool {
    row.method_of.is_some() && !row.homes.holds(Homes::STATIC.and(Homes::CONSTRUCTOR))
}

/// Whether it stands for an operator of its type, and is no function of its own.
fn is_slot(row: &Builtin) -> bool {
    let is_function = match (row.name, row.method_of) {
        ("__getitem__", of) => matches!(of, Some(Type::List | Type::Dict)),
        ("__contains__", of) => matches!(of, Some(Type::Dict | Type::Set | Type::FrozenSet)),
        (name, _) => NO_SLOTS.contains(&name),
    };
    has_receiver(row) && row.name.starts_with("__") && !is_function
}

/// What is wrong with the receiver of a method that is called as a function of its type: `list.append(3, 4)`.
#[cold]
pub(super) fn wrong_receiver(function: &Function, receiver: &Value) -> Option<Fault> {
    let (row, of) = (function.builtin, function.builtin.method_of?);
    let is_plain = matches!(
        of,
        Type::Bool
            | Type::Int
            | Type::Float
            | Type::Complex
            | Type::Str
            | Type::Bytes
            | Type::Tuple
            | Type::List
            | Type::Dict
            | Type::Set
            | Type::FrozenSet
    );
    if !is_plain || !has_receiver(row) || MAKERS.contains(&row.name) {
        return None;
    }
    let kind = receiver.plain().type_of();
    let is_one = kind == of
        || kind.base() == Some(of)
        || matches!((of, kind), (Type::Int, Type::Bool) | (Type::Bool, Type::Int))
        || matches!((of, kind), (Type::Set, Type::FrozenSet) | (Type::FrozenSet, Type::Set));
    if is_one {
        return None;
    }
    let (of, found) = (if of == Type::Bool { "int" } else { of.name() }, receiver.type_name());
    let name = row.name;
    Some(Fault::type_error(match is_slot(row) {
        true => format!("descriptor '{name}' requires a '{of}' object but received a '{found}'"),
        false => {
            format!("descriptor '{name}' for '{of}' objects doesn't apply to a '{found}' object")
        }
    }))
}

/// Whether calling it makes an object of a class that it is.
fn is_class(function: &Function) -> bool {
    let homes = function.builtin.homes;
    homes.holds(Homes::CONSTRUCTOR.and(Homes::CLASS)) || function.walker().is_some()
}

/// `dict.get`, `math.sqrt`, `len`
fn qualified(row: &Builtin, function: &Function) -> String {
    let name = &function.name;
    let module = MODULES.iter().find(|(module, _)| row.homes.holds(Homes::of(*module)));
    match (row.method_of, module) {
        // A bool has its methods from the integers.
        (Some(Type::Bool), _) => format!("int.{name}"),
        (Some(of), _) => format!("{}.{name}", of.name()),
        (None, Some((_, module))) => format!("{module}.{name}"),
        (None, None) => name.clone(),
    }
}
