//! Built-in functions of objects: `abs(x)` asks `x.__abs__`, and what no method answers is done with
//! the built-in value that the object extends.

use super::protocol::{hash_given, no_truth};
use super::text::shown;
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::builtins::{Arguments, Builtin, Function, Homes};
use crate::interp::value::{Module, Type, Value};

/// Functions whose whole answer a method gives: the first of these that the class has. What they do
/// without is done with the value that the object extends.
const METHODS: &[(&str, &[&str])] = &[
    ("abs", &["__abs__"]),
    ("round", &["__round__"]),
    ("int", &["__int__", "__index__", "__trunc__"]),
    ("float", &["__float__", "__index__"]),
    ("divmod", &["__divmod__"]),
    ("reversed", &["__reversed__"]),
    ("iter", &["__iter__"]),
    ("next", &["__next__"]),
    ("floor", &["__floor__"]),
    ("ceil", &["__ceil__"]),
    ("trunc", &["__trunc__"]),
    ("bin", &[]),
    ("hex", &[]),
    ("oct", &[]),
    ("chr", &[]),
    ("ord", &[]),
    ("pow", &[]),
];

/// A method that is asked, and the one that is where there is none.
pub type Methods = (&'static str, Option<&'static str>);

/// What `str(x)` asks.
pub const STR: Methods = ("__str__", Some("__repr__"));

/// The method that a built-in function of one value asks an object for, and whose answer is its own.
pub fn asked(function: &Builtin) -> Option<Methods> {
    let is_python = function.homes.holds(Homes::PYTHON.and(Homes::CONSTRUCTOR));
    if !is_python || function.method_of.is_some() {
        return None;
    }
    let method = match function.name {
        "len" => "__len__",
        "abs" => "__abs__",
        "next" => "__next__",
        "hash" => "__hash__",
        "repr" => "__repr__",
        "int" => "__int__",
        "float" => "__float__",
        "bool" => "__bool__",
        "str" => return Some(STR),
        _ => return None,
    };
    Some((method, None))
}

/// Whether what such a method gave is what the function gives.
pub fn takes(function: &str, answer: &Value) -> bool {
    match function {
        "len" => matches!(answer, Value::Int(0..)),
        "hash" | "int" => matches!(answer, Value::Int(_)),
        "float" => matches!(answer, Value::Float(_)),
        "bool" => matches!(answer, Value::Bool(_)),
        "str" | "repr" => matches!(answer, Value::Str(_)),
        _ => true,
    }
}

/// What an object is not whose class says by None that it has no such method.
fn refused(name: &str) -> Option<&'static str> {
    match name {
        "iter" => Some("iterable"),
        "reversed" => Some("reversible"),
        _ => None,
    }
}

impl Evaluator<'_> {
    /// What a built-in function gives of an object whose method gave this.
    pub(crate) fn builtin_answered(
        &self,
        function: &str,
        object: &Value,
        answer: Value,
    ) -> Result<Value, Fault> {
        match function {
            "len" => Ok(Value::Int(self.length(&answer)? as i64)),
            "hash" => hash_given(&answer).map(Value::Int),
            "int" => of_kind(answer, "__int__", "int"),
            "float" => of_kind(answer, &format!("{}.__float__", object.type_name()), "float"),
            "bool" => match answer {
                Value::Bool(_) => Ok(answer),
                other => Err(no_truth(&other)),
            },
            "str" => shown(answer, "__str__"),
            "repr" => shown(answer, "__repr__"),
            _ => Ok(answer),
        }
    }

    /// What a built-in function gives for an object; `None` where it looks at objects itself.
    pub(crate) fn builtin_of_object(
        &self,
        function: &Function,
        arguments: &mut Arguments,
    ) -> Option<Result<Value, Fault>> {
        let first = arguments.first()?.value.clone();
        let name = function.builtin.name;
        let is_of_objects =
            matches!(function.builtin.method_of, Some(Type::Object | Type::Error(_)));
        if is_of_objects || matches!(name, "complex" | "copied_in_class" | "__getitem__" | "deque")
        {
            return None;
        }
        if function.builtin.homes.holds(Homes::PYTHON.and(Homes::CONSTRUCTOR)) {
            let mut methods = METHODS.iter().find(|(known, _)| *known == name)?.1;
            // A number is converted by its value, unless its class says how.
            if matches!(name, "int" | "float") && first.plain().number().is_some() {
                methods = &methods[..1];
            }
            for method in methods {
                let Some(found) = self.special(&first, method) else { continue };
                if let (Value::None, Some(kind)) = (&found, refused(name)) {
                    let message = format!("'{}' object is not {kind}", first.type_name());
                    return Some(Err(Fault::type_error(message)));
                }
                let bound = self.bind(found, Some(&first), &self.class_of(&first));
                let rest = arguments.iter().skip(1).map(|argument| argument.value.clone());
                let rest: Vec<Value> = if name == "next" { Vec::new() } else { rest.collect() };
                let answer = bound.and_then(|method| self.call_value(&method, rest, []));
                return Some(match (name, answer) {
                    ("next", Err(fault))
                        if fault.kind == ErrorKind::StopIteration && arguments.len() > 1 =>
                    {
                        Ok(arguments[1].value.clone())
                    }
                    ("int", Ok(answer)) => of_kind(answer, method, "int"),
                    ("float", Ok(answer)) => {
                        let method = format!("{}.{method}", first.type_name());
                        of_kind(answer, &method, "float")
                    }
                    ("iter", Ok(answer)) => self.as_iterator(answer),
                    (_, answer) => answer,
                });
            }
        } else if let Some(methods) = METHODS.iter().find(|(known, _)| *known == name)
            && let [method] = methods.1
            && let Some(answer) = self.call_special(&first, method, [])
        {
            return Some(answer);
        }
        // These hand objects on as they are.
        let hands_on = Homes::of(Module::Copy).and(Homes::of(Module::Itertools));
        if function.builtin.asks_objects || function.builtin.homes.holds(hands_on) {
            return None;
        }
        for argument in arguments.iter_mut() {
            argument.value = argument.value.plain().clone();
        }
        None
    }
}

impl Evaluator<'_> {
    /// What functions of arrays see in an object, or in a tuple of some: a named tuple is a shape, and what has
    /// `__index__` an integer. `None` of anything else.
    ///
    /// # Errors
    /// Those of that method.
    pub(crate) fn seen_by_arrays(&self, value: &Value) -> Result<Option<Value>, Fault> {
        let is_object = |value: &Value| matches!(value, Value::Object(_));
        match value.plain() {
            plain @ Value::Object(_) => {
                let has = |name: &str| self.special(plain, name).is_some();
                let is_number = has("__index__") && !has("__array__");
                is_number.then(|| self.as_index(plain).map(Value::Int)).transpose()
            }
            Value::Tuple(items) if items.iter().any(is_object) => {
                let seen =
                    |item: &Value| Ok(self.seen_by_arrays(item)?.unwrap_or_else(|| item.clone()));
                items
                    .iter()
                    .map(seen)
                    .collect::<Result<_, Fault>>()
                    .map(|items| Some(Value::Tuple(items)))
            }
            plain => Ok(is_object(value).then(|| plain.clone())),
        }
    }

    /// What an `__iter__` gives must have items to give.
    fn as_iterator(&self, answer: Value) -> Result<Value, Fault> {
        match &answer {
            Value::Iterator(_) | Value::Generator(_) | Value::Opaque(_) => Ok(answer),
            Value::Object(_) if self.special(&answer, "__next__").is_some() => Ok(answer),
            other => {
                let found = other.type_name();
                let message = format!("iter() returned non-iterator of type '{found}'");
                Err(Fault::type_error(message))
            }
        }
    }
}

/// What `__int__` and `__float__` give must be such a number.
fn of_kind(answer: Value, method: &str, kind: &str) -> Result<Value, Fault> {
    match (kind, answer.plain()) {
        ("int", number @ (Value::Int(_) | Value::Wide(_)))
        | ("float", number @ Value::Float(_)) => Ok(number.clone()),
        ("int", Value::Bool(flag)) => Ok(Value::Int(i64::from(*flag))),
        ("float", Value::Int(number)) if method.ends_with("__index__") => {
            Ok(Value::Float(*number as f64))
        }
        _ => {
            let found = answer.type_name();
            Err(Fault::type_error(format!("{method} returned non-{kind} (type {found})")))
        }
    }
}
