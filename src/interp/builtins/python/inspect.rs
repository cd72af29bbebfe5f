//! What a value is: types, identity, names, help.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::super::{Builtin, Call, Function, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::convert::is_callable;
use crate::interp::hash;
use crate::interp::object::class::Namespace;
use crate::interp::object::instance::Bound;
use crate::interp::value::{Type, Value};
use crate::syntax::ast::Ident;

const fn python(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("type(obj, bases=..., namespace=..., /)", type_of)
        .homes(Homes::CONSTRUCTOR)
        .quick(super::quick::objects::type_of)
        .doc("The type or class of a value; with a name, bases and a dictionary, a new class.")
        .example("type(1.5)"),
    python("id(obj, /)", id).doc("A number that tells a value from all others."),
    python("hash(obj, /)", hash_of)
        .quick(super::quick::objects::hash_of)
        .doc("The number by which a dictionary finds a key."),
    Builtin::new("__get__(self, instance, owner=None, /)", method_of)
        .homes(Homes::NONE)
        .method_of(Type::Closure)
        .doc("The function as a method of an object."),
    Builtin::new("method(function, instance, /)", bound_method)
        .homes(Homes::CONSTRUCTOR)
        .method_of(Type::Method)
        .doc("A function as a method of an object."),
    python("callable(obj, /)", callable)
        .doc("Whether a value can be called.")
        .example("callable(len)"),
    python("dir(obj=..., /)", dir)
        .doc("The names that a value has; without a value, the variables.")
        .example("dir(range(3))"),
    python("hasattr(obj, name, /)", hasattr)
        .quick(super::quick::objects::hasattr)
        .doc("Whether a value has an attribute.")
        .example("hasattr([], \"append\")"),
    python("getattr(obj, name, default=..., /)", getattr)
        .quick(super::quick::objects::getattr)
        .doc("An attribute by its name.")
        .example("getattr(range(3), \"stop\")"),
    python("help(obj=..., /)", help).doc("Prints what a function does, with an example."),
];

fn type_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    if call.given(1) {
        return match call.given(2) {
            true => new_class(call),
            false => Err(Fault::type_error("type() takes 1 or 3 arguments")),
        };
    }
    Ok(call.evaluator.class_of(call.value(0)).value())
}

/// `type(name, bases, namespace)`
fn new_class(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = Ident::from(call.str(0)?);
    let bases = call.evaluator.iterate(call.value(1))?;
    let Value::Dict(entries) = call.value(2) else {
        return Err(call.wrong_type(2, "a dictionary"));
    };
    let mut names = Namespace::default();
    for (key, value) in entries.borrow().iter() {
        if let Value::Str(name) = key.value() {
            names.insert(Ident::from(name), value.clone());
        }
    }
    call.evaluator.make_class((&name, &name), &bases, Vec::new(), names, |_| {})
}

fn id(call: &mut Call<'_>) -> Result<Value, Fault> {
    let address = match call.value(0) {
        Value::Str(text) => text.as_ptr() as usize,
        Value::Tensor(tensor) => {
            call.engine().realize(&[tensor])?;
            let place = tensor.storage_and_layout();
            place.map_or(0, |(storage, layout)| {
                let mut hasher = rustc_hash::FxHasher::default();
                (storage.address(), layout).hash(&mut hasher);
                hasher.finish() as usize
            })
        }
        other if let Some((address, _)) = other.identity() => address as usize,
        other => {
            let mut hasher = rustc_hash::FxHasher::default();
            call.evaluator.repr(other).hash(&mut hasher);
            hasher.finish() as usize
        }
    };
    Ok(Value::Int((address & (i64::MAX as usize)) as i64))
}

fn hash_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0) {
        Value::Tensor(tensor) if tensor.rank() == 0 => {
            Ok(Value::Int(hash::of(&Value::from(call.engine().item(tensor)?))))
        }
        Value::Object(object) => call.evaluator.object_hash(object).map(Value::Int),
        value => {
            let key = call.evaluator.key(value).map_err(|fault| call.fault_at(0, fault))?;
            Ok(Value::Int(hash::of(key.value())))
        }
    }
}

fn method_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (function, instance) = (call.value(0).clone(), call.value(1));
    match instance {
        Value::None => Ok(function),
        _ => call.evaluator.bind(function, Some(instance), &call.evaluator.class_of(instance)),
    }
}

fn callable(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(is_callable(&call.evaluator, call.value(0))))
}

fn dir(call: &mut Call<'_>) -> Result<Value, Fault> {
    let value = call.value(0);
    if call.given(0)
        && let Some(said) = call.evaluator.call_special(value, "__dir__", [])
    {
        let sorted = call.evaluator.interp.registry.name("sorted").cloned().unwrap_or(Value::None);
        return call.evaluator.call_value(&sorted, [said?], []);
    }
    let names = if call.given(0) {
        call.evaluator.all_attributes_of(call.value(0))
    } else {
        let scope = call.evaluator.interp.scope.borrow();
        let mut names: Vec<String> = scope.names().map(str::to_owned).collect();
        names.sort();
        names
    };
    Ok(Value::list(names.into_iter().map(Value::str).collect()))
}

fn attribute_name<'c>(call: &'c Call<'_>) -> Result<&'c str, Fault> {
    if !matches!(call.value(1).plain(), Value::Str(_)) {
        let found = call.value(1).type_name();
        let message = format!("attribute name must be string, not '{found}'");
        return Err(call.fault_at(1, Fault::type_error(message)));
    }
    call.str(1)
}

fn hasattr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = attribute_name(call)?;
    let found = call.evaluator.attribute_if_any(call.value(0), name)?;
    Ok(Value::Bool(found.is_some()))
}

fn getattr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = attribute_name(call)?;
    if !call.given(2) {
        return Ok(call.evaluator.attribute(call.value(0), name)?);
    }
    let found = call.evaluator.attribute_if_any(call.value(0), name)?;
    Ok(found.unwrap_or_else(|| call.value(2).clone()))
}

fn help(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let named = match call.value(0) {
        Value::Str(path) => {
            let missing = || {
                let fault = Fault::new(ErrorKind::Name, format!("nothing is called '{path}'"));
                call.fault_at(0, fault.with_hint("`:help functions` lists all functions by topic"))
            };
            Some(evaluator.named(path.trim()).ok_or_else(missing)?)
        }
        _ => None,
    };
    let text = match named.as_ref().unwrap_or(call.value(0)) {
        Value::Function(function) => help_text(function),
        Value::Method(method) => help_text(&method.function),
        Value::Native(native) => native.help(),
        Value::Closure(closure) => closure.help(&|value| evaluator.repr(value)),
        Value::Object(_) | Value::Class(_) | Value::Bound(_) => {
            evaluator.help_of(call.value(0)).unwrap_or_default()
        }
        Value::Type(of) => match evaluator.interp.registry.constructor(*of) {
            Some(function) => help_text(function),
            None => format!("{}\n", of.name()),
        },
        value if call.given(0) => {
            let names = evaluator.attributes_of(value).join(", ");
            format!("{}\nattributes: {names}\n", value.type_name())
        }
        _ => "help(f) shows what a function does; `:help` shows the commands\n".to_owned(),
    };
    evaluator.say(&text)?;
    Ok(Value::None)
}

/// A function's signature, words and example, as plain text.
pub fn help_text(function: &Function) -> String {
    let row = function.builtin;
    let mut text = format!("{}\n", row.signature);
    if !row.aliases.is_empty() {
        text += &format!("also: {}\n", row.aliases.join(", "));
    }
    if !row.doc.is_empty() {
        text += &format!("\n{}\n", row.doc);
    }
    if !row.example.is_empty() {
        text += &format!("\nexample:\n{}\n", row.example);
    }
    text
}

/// `types.MethodType(function, instance)`
fn bound_method(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (callable, receiver) = (call.value(0).clone(), call.value(1).clone());
    if !is_callable(&call.evaluator, &callable) {
        return Err(call.fault_at(0, Fault::type_error("first argument must be callable")));
    }
    if let Value::None = receiver {
        return Err(call.fault_at(1, Fault::type_error("instance must not be None")));
    }
    Ok(Value::Bound(Rc::new(Bound { receiver, callable })))
}
