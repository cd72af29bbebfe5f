//! The module `dataclasses`.

use std::rc::Rc;

use super::super::{Argument, Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::object::class::ClassRef;
use crate::interp::object::dataclass::{FIELDS, Options, new_field};
use crate::interp::object::instance::Bound;
use crate::interp::value::{Entries, Key, Value};
use crate::syntax::ast::Ident;

const fn row(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::DATACLASSES)
}

pub const BUILTINS: &[Builtin] = &[
    row(
        "dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False)",
        dataclass,
    )
    .doc("Gives a class an `__init__`, a `__repr__`, `__eq__` and more from its annotated names.")
    .example("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 0\nP(1)"),
    row(
        "field(*, default=..., default_factory=..., init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=None)",
        field,
    )
    .doc("What is said of one field of a data class: how its default is made, what it takes part in.")
    .example("from dataclasses import dataclass, field\n@dataclass\nclass P:\n    x: list = field(default_factory=list)\nP()"),
    row("fields(class_or_instance, /)", fields)
        .doc("The fields of a data class as a tuple; each has `name`, `type` and `default`.")
        .example("from dataclasses import dataclass, fields\n@dataclass\nclass P:\n    x: int\n[f.name for f in fields(P)]"),
    row("asdict(obj, /, *, dict_factory=None)", |call| converted(call, false))
        .doc("The fields of an object as a dictionary, and so the objects inside.")
        .example("from dataclasses import dataclass, asdict\n@dataclass\nclass P:\n    x: int\nasdict(P(1))"),
    row("astuple(obj, /, *, tuple_factory=None)", |call| converted(call, true))
        .doc("The fields of an object as a tuple, and so the objects inside.")
        .example("from dataclasses import dataclass, astuple\n@dataclass\nclass P:\n    x: int\nastuple(P(1))"),
    row("replace(obj, /, **changes)", replace)
        .doc("A new object of the same class with some fields changed.")
        .example("from dataclasses import dataclass, replace\n@dataclass\nclass P:\n    x: int\n    y: int\nreplace(P(1, 2), y=3)"),
    row("is_dataclass(obj, /)", |call| {
        let found = fields_of(call.evaluator, call.value(0));
        Ok(Value::Bool(found.is_some()))
    })
    .doc("Whether a value is a data class or an object of one.")
    .example("from dataclasses import is_dataclass\nis_dataclass(3)"),
];

fn dataclass(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0).clone() {
        // `@dataclass(order=True)`: the class comes in the next call.
        Value::None => {
            let flags = (1..10).map(|at| call.bool(at).map(Value::Bool));
            let flags = flags.collect::<Result<Vec<_>, _>>()?;
            let registry = &call.evaluator.interp.registry;
            let apply = registry.hidden("apply_dataclass").cloned().unwrap_or(Value::None);
            let receiver = Value::tuple(flags);
            Ok(Value::Bound(Rc::new(Bound { receiver, callable: apply })))
        }
        class => {
            let flags: Vec<bool> = (1..10).map(|at| call.bool(at)).collect::<Result<_, _>>()?;
            made(call, 0, class, &flags)
        }
    }
}

/// What `dataclass(…)` with options gives: it takes the options and the class.
pub const APPLY: Builtin = Builtin::new("apply_dataclass(options, cls, /)", |call| {
    let flags: Vec<bool> = match call.value(0) {
        Value::Tuple(flags) => flags.iter().map(|flag| matches!(flag, Value::Bool(true))).collect(),
        _ => return Err(call.wrong_type(0, "options")),
    };
    made(call, 1, call.value(1).clone(), &flags)
})
.homes(Homes::NONE)
.doc("Makes a class a data class, as `dataclass` with options does.");

fn made(call: &Call<'_>, at: usize, class: Value, flags: &[bool]) -> Result<Value, Fault> {
    let Value::Class(of) = &class else {
        return Err(call.wrong_type(at, "a class of the program"));
    };
    let &[init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots] = flags else {
        return Err(call.wrong_type(at, "a class"));
    };
    let options =
        Options { init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots };
    call.evaluator.make_dataclass(of, options)?;
    Ok(class)
}

fn field(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.given("default") && call.given("default_factory") {
        return Err(Fault::value_error("cannot specify both default and default_factory"));
    }
    let names =
        ["default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only"];
    let given = names.into_iter().filter(|name| call.given(*name));
    Ok(new_field(
        call.evaluator.interp,
        given.map(|name| (name, call.value(name).clone())).collect(),
    ))
}

/// The fields that a data class or an object of one keeps.
fn fields_of(evaluator: Evaluator<'_>, value: &Value) -> Option<Entries> {
    let class = match value {
        Value::Class(class) => ClassRef::Program(class.clone()),
        Value::Object(object) => object.class.clone(),
        _ => return None,
    };
    match evaluator.find_in(&class, FIELDS)? {
        Value::Dict(fields) => {
            let fields = fields.borrow();
            let is_real = |field: &Value| !matches!(field, Value::Object(f) if f.field("_is_argument").is_some());
            let real = fields.iter().filter(|(_, field)| is_real(field));
            Some(real.map(|(key, field)| (key.clone(), field.clone())).collect())
        }
        _ => None,
    }
}

fn fields(call: &mut Call<'_>) -> Result<Value, Fault> {
    match fields_of(call.evaluator, call.value(0)) {
        Some(fields) => Ok(Value::tuple(fields.into_values().collect::<Vec<_>>())),
        None => {
            let fault = Fault::type_error("must be called with a dataclass type or instance");
            Err(call.fault_at(0, fault))
        }
    }
}

fn converted(call: &mut Call<'_>, as_tuple: bool) -> Result<Value, Fault> {
    let value = call.value(0).clone();
    if !matches!(value, Value::Object(_)) || fields_of(call.evaluator, &value).is_none() {
        let name = call.name().to_owned();
        let message = format!("{name}() should be called on dataclass instances");
        return Err(call.fault_at(0, Fault::type_error(message)));
    }
    convert(call.evaluator, &value, (as_tuple, call.value(1)))
}

/// Objects inside a value become tuples or dictionaries, or what a factory makes.
fn convert(
    evaluator: Evaluator<'_>,
    value: &Value,
    (as_tuple, factory): (bool, &Value),
) -> Result<Value, Fault> {
    let inner =
        |value: &Value| evaluator.deeper("", || convert(evaluator, value, (as_tuple, factory)));
    match value {
        Value::Object(_) => {
            let Some(fields) = fields_of(evaluator, value) else { return Ok(value.clone()) };
            let mut entries = Entries::default();
            for (key, _) in fields {
                let Value::Str(name) = key.value() else { continue };
                let held = evaluator.attribute(value, name)?;
                let converted = inner(&held)?;
                entries.insert(key, converted);
            }
            if !matches!(factory, Value::None) {
                let items = entries.into_iter().map(|(key, value)| match as_tuple {
                    true => value,
                    false => Value::tuple([key.value().clone(), value]),
                });
                return evaluator.call_value(factory, [Value::list(items.collect())], []);
            }
            Ok(match as_tuple {
                true => Value::tuple(entries.into_values().collect::<Vec<_>>()),
                false => Value::Dict(Rc::new(entries.into())),
            })
        }
        Value::List(items) => {
            let items = items.borrow().clone();
            Ok(Value::list(items.iter().map(inner).collect::<Result<_, _>>()?))
        }
        Value::Tuple(items) => {
            let items: Vec<Value> = items.iter().map(inner).collect::<Result<_, _>>()?;
            Ok(Value::tuple(items))
        }
        Value::Dict(entries) => {
            let entries = entries.borrow().clone();
            let converted = entries.iter().map(|(key, value)| Ok((key.clone(), inner(value)?)));
            let converted: Entries = converted.collect::<Result<_, Fault>>()?;
            Ok(Value::Dict(Rc::new(converted.into())))
        }
        _ => Ok(value.clone()),
    }
}

fn replace(call: &mut Call<'_>) -> Result<Value, Fault> {
    let value = call.value(0).clone();
    let (evaluator, changes) = (call.evaluator, call.extra().to_vec());
    let Some(fields) = fields_of(evaluator, &value).filter(|_| matches!(value, Value::Object(_)))
    else {
        let fault = Fault::type_error("replace() should be called on dataclass instances");
        return Err(call.fault_at(0, fault));
    };
    let change =
        |name: &str| changes.iter().find(|change: &&Argument| change.name.as_deref() == Some(name));
    let mut given: Vec<(Ident, Value)> = Vec::new();
    for (key, field) in &fields {
        let Value::Str(name) = key.value() else { continue };
        let is_argument = !matches!(field, Value::Object(f) if matches!(f.field("init"), Some(Value::Bool(false))));
        match (change(name), is_argument) {
            (Some(change), true) => given.push((Ident::from(name), change.value.clone())),
            (Some(change), false) => {
                let message = format!(
                    "field {name} is declared with init=False, it cannot be specified with replace()"
                );
                return Err(call.fault_of(change, Fault::value_error(message)));
            }
            (None, true) => given.push((Ident::from(name), evaluator.attribute(&value, name)?)),
            (None, false) => {}
        }
    }
    let known = |name: &str| Key::new(Value::str(name)).is_ok_and(|key| fields.contains_key(&key));
    for change in &changes {
        if let Some(name) = change.name.as_ref().filter(|name| !known(name)) {
            given.push((name.clone(), change.value.clone()));
        }
    }
    evaluator.call_value(&evaluator.class_of(&value).value(), [], given)
}
