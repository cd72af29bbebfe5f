//! What a value is: types, identity, names, help.

use std::hash::{Hash, Hasher};

use super::super::{Builtin, Call, Function, Homes, Run};
use crate::diag::Fault;
use crate::interp::value::{Dict, Key, List, Type, Value};

const fn python(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("type(obj, /)", type_of)
        .homes(Homes::CONSTRUCTOR)
        .doc("The type of a value.")
        .example("type(1.5)"),
    python("isinstance(obj, classinfo, /)", isinstance)
        .doc("Whether a value is of a type, or of one of a tuple of types.")
        .example("isinstance(3, (int, float))"),
    python("id(obj, /)", id).doc("A number that tells a value from all others."),
    python("hash(obj, /)", hash).doc("The number by which a dictionary finds a key."),
    python("callable(obj, /)", callable)
        .doc("Whether a value can be called.")
        .example("callable(len)"),
    python("dir(obj=..., /)", dir)
        .doc("The names that a value has; without a value, the variables.")
        .example("dir(range(3))"),
    python("hasattr(obj, name, /)", hasattr)
        .doc("Whether a value has an attribute.")
        .example("hasattr([], \"append\")"),
    python("getattr(obj, name, default=..., /)", getattr)
        .doc("An attribute by its name.")
        .example("getattr(range(3), \"stop\")"),
    python("help(obj=..., /)", help).doc("Prints what a function does, with an example."),
];

fn type_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Type(call.value(0).type_of()))
}

fn isinstance(call: &mut Call<'_>) -> Result<Value, Fault> {
    let found = call.value(0).type_of();
    let check = |class: &Value| match class {
        // A bool is an int, too.
        Value::Type(of) => Ok(*of == found || (*of == Type::Int && found == Type::Bool)),
        Value::None => Ok(found == Type::None),
        _ => Err(call.fault_at(
            1,
            Fault::type_error("isinstance() arg 2 must be a type, a tuple of types, or a union"),
        )),
    };
    let result = match call.value(1) {
        Value::Tuple(classes) => {
            let mut any = false;
            for class in classes.iter() {
                any |= check(class)?;
            }
            any
        }
        class => check(class)?,
    };
    Ok(Value::Bool(result))
}

fn id(call: &mut Call<'_>) -> Result<Value, Fault> {
    let address = match call.value(0) {
        Value::List(list) => List::as_ptr(list).cast::<()>() as usize,
        Value::Dict(dict) => Dict::as_ptr(dict).cast::<()>() as usize,
        Value::Str(text) => text.as_ptr() as usize,
        Value::Tuple(items) => items.as_ptr() as usize,
        Value::Tensor(tensor) => {
            call.engine().realize(&[tensor])?;
            let place = tensor.storage_and_layout();
            place.map_or(0, |(storage, layout)| {
                let mut hasher = rustc_hash::FxHasher::default();
                (storage.address(), layout).hash(&mut hasher);
                hasher.finish() as usize
            })
        }
        other => {
            let mut hasher = rustc_hash::FxHasher::default();
            call.evaluator.repr(other).hash(&mut hasher);
            hasher.finish() as usize
        }
    };
    Ok(Value::Int((address & (i64::MAX as usize)) as i64))
}

fn hash(call: &mut Call<'_>) -> Result<Value, Fault> {
    let value = call.value(0);
    if let Some(crate::dtype::Scalar::Int(_) | crate::dtype::Scalar::Bool(_)) = value.scalar() {
        return call.int(0).map(Value::Int);
    }
    let key = Key::new(value.clone()).map_err(|name| {
        call.fault_at(0, Fault::type_error(format!("unhashable type: '{name}'")))
    })?;
    let mut hasher = rustc_hash::FxHasher::default();
    key.hash(&mut hasher);
    Ok(Value::Int((hasher.finish() >> 1) as i64))
}

fn callable(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Bool(crate::interp::convert::is_callable(call.value(0))))
}

fn dir(call: &mut Call<'_>) -> Result<Value, Fault> {
    let names = if call.given(0) {
        call.evaluator.attributes_of(call.value(0))
    } else {
        let scope = call.evaluator.interp.scope.borrow();
        let mut names: Vec<String> = scope.names().map(str::to_owned).collect();
        names.sort();
        names
    };
    Ok(Value::list(names.into_iter().map(Value::str).collect()))
}

fn hasattr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = call.str(1)?;
    Ok(Value::Bool(call.evaluator.attribute(call.value(0), name).is_ok()))
}

fn getattr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = call.str(1)?;
    match call.evaluator.attribute(call.value(0), name) {
        Ok(value) => Ok(value),
        Err(_) if call.given(2) => Ok(call.value(2).clone()),
        Err(error) => Err(error.into()),
    }
}

fn help(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let text = match call.value(0) {
        Value::Function(function) => help_text(function),
        Value::Method(method) => help_text(&method.function),
        Value::Native(native) => native.help(),
        Value::Closure(closure) => closure.help(&|value| evaluator.repr(value)),
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
    evaluator.world.write(&text);
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
