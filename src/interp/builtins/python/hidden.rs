//! Functions without a name in the language: for values that are made with them, and for the modules
//! that are written in the language.

use std::rc::{Rc, Weak};

use super::super::streams::DRAWS;
use super::super::{Builtin, Call, Run};
use super::dataclasses;
use crate::diag::Fault;
use crate::interp::object::function::Results;
use crate::interp::object::traceback::Traceback;
use crate::interp::value::{Module, Type, Value};

pub const HIDDEN: &[Builtin] = &[
    dataclasses::APPLY,
    Builtin::hidden(
        "written(name, text, /)",
        |call| call.evaluator.generated(call.str(0)?, call.str(1)?),
        "The function that a text defines; `name` is what errors call the text.",
    ),
    super::super::ENVIRONMENT,
    super::super::PARTS_OF_TIME,
    super::super::OFFSET_OF_TIME,
    DRAWS[0],
    DRAWS[1],
    DRAWS[2],
    Builtin {
        asks_machine: true,
        ..Builtin::hidden(
            "handled_exception()",
            |_| Ok(Value::None),
            "The exception that is being handled.",
        )
    },
    Builtin::hidden(
        "source_of(obj, /)",
        |call| Ok(call.evaluator.source_of(call.value(0)).map_or(Value::None, Value::str)),
        "The text that defines a function or a class.",
    ),
    Builtin::hidden(
        "answer_from(function, of, kept, counts, limit, /)",
        answer_from,
        "The function answers calls from results that it keeps: see `functools.lru_cache`.",
    ),
    Builtin::hidden(
        "parameters_of(function, /)",
        |call| match call.value(0) {
            Value::Closure(function) => Ok(function.parameters()),
            _ => Ok(Value::None),
        },
        "Of each parameter the name, the kind, and tuples with the default and the annotation.",
    ),
    Builtin::hidden(
        "is_generator_function(function, /)",
        |call| {
            let is_one = |value: &Value| matches!(value, Value::Closure(f) if f.code.is_generator);
            Ok(Value::Bool(is_one(call.value(0))))
        },
        "Whether a call of it gives a generator.",
    ),
    Builtin::hidden(
        "frames_of(traceback, /)",
        frames_of,
        "Name, line, function and text of each call.",
    ),
    Builtin::hidden(
        "next_line()",
        |call| Ok(Value::str(call.evaluator.world.ask("")?)),
        "A line of standard input, with its line break.",
    ),
    Builtin::hidden("tell(text, /)", tell, "Says a text beside a program's output."),
    Builtin::hidden(
        "redirect(file, is_aside=False, /)",
        redirect,
        "Where output goes from here on, or what is said beside it; gives where it went before.",
    ),
    Builtin::hidden(
        "strided(x, shape, strides, /)",
        strided,
        "A view of memory by steps in elements.",
    ),
    Builtin::hidden(
        "copied_in_class(object, /)",
        |call| {
            let Value::Object(object) = call.value(0) else { return Ok(call.value(0).clone()) };
            let copy = call.evaluator.attribute(call.value(0).plain(), "copy")?;
            Ok(object.with_inner(call.evaluator.call_value(&copy, [], [])?))
        },
        "What `copy` gives of an object whose class extends a container of the library.",
    ),
    Builtin::hidden(
        "set_in_class(cls, name, value, /)",
        set_in_class,
        "What `type.__setattr__` does.",
    ),
];

fn strided(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (engine, x, shape) = (call.engine(), call.tensor(0usize)?, call.shape(1usize)?);
    Ok(engine.as_strided(&x, shape, &call.ints(2usize)?)?.into())
}

fn frames_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0).inside::<Traceback>() {
        Some(traceback) => Ok(Value::list(traceback.frames())),
        None => Err(call.wrong_type(0, "a traceback")),
    }
}

/// What `super().__setitem__(…)` and its kin do in a class that extends a list or a dictionary.
macro_rules! of_containers {
    ($($of:expr;)*) => {
        pub const OF_CONTAINERS: &[Builtin] = &[$(
            special($of, "__getitem__(self, index, /)", |call| {
                call.evaluator.stored_item(call.value(0), call.value(1))
            }, "The item at an index or under a key."),
            special($of, "__setitem__(self, index, value, /)", |call| {
                let value = call.value(2).clone();
                call.evaluator.assign_item(call.value(0), call.value(1), value, false)?;
                Ok(Value::None)
            }, "Puts an item at an index or under a key."),
            special($of, "__delitem__(self, index, /)", |call| {
                call.evaluator.delete_item(call.value(0), call.value(1), call.is_last_action())?;
                Ok(Value::None)
            }, "Takes an item out."),
            special($of, "__contains__(self, value, /)", |call| {
                Ok(Value::Bool(call.evaluator.contains(call.value(0), call.value(1))?))
            }, "Whether it holds a value."),
            special($of, "__len__(self, /)", |call| {
                Ok(Value::Int(call.evaluator.len(call.value(0))? as i64))
            }, "How many items it holds."),
            special($of, "__iter__(self, /)", |call| {
                Ok(Value::Iterator(call.evaluator.iter(call.value(0))?))
            }, "An iterator over its items or keys."),
        )*];
    };
}

of_containers! {
    Type::List;
    Type::Dict;
    Type::Deque;
}

const fn special(of: Type, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::hidden(signature, run, doc).method_of(of)
}

fn tell(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.evaluator.say_aside(&format!("{}\n", call.str(0)?))?;
    Ok(Value::None)
}

fn redirect(call: &mut Call<'_>) -> Result<Value, Fault> {
    let interp = call.evaluator.interp;
    let (place, usual) = match call.bool(1)? {
        false => (&interp.stdout, Value::Module(Module::Stdout)),
        true => (&interp.stderr, Value::Module(Module::Stderr)),
    };
    let file = Some(call.value(0)).filter(|file| !file.is_same(&usual)).cloned();
    let before = place.replace(&interp.journal, file);
    Ok(before.unwrap_or(usual))
}

fn set_in_class(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Class(class) = call.value(0) else { return Err(call.wrong_type(0, "a class")) };
    let evaluator = call.evaluator;
    evaluator.note_class_change();
    class.set(&evaluator.interp.journal, call.str(1)?.into(), call.value(2).clone());
    Ok(Value::None)
}

fn answer_from(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (Value::Closure(function), Value::Dict(kept), Value::List(counts)) =
        (call.value(0), call.value(2), call.value(3))
    else {
        return Err(call.wrong_type(0, "a function, a dictionary and a list"));
    };
    let of = match call.value(1) {
        Value::Closure(of) => Rc::downgrade(of),
        _ => Weak::new(),
    };
    let limit = match call.value(4) {
        Value::Int(limit) => Some(usize::try_from(*limit).unwrap_or(0)),
        _ => None,
    };
    let (kept, counts) = (Rc::downgrade(kept), Rc::downgrade(counts));
    function.answer_from(Results { of, kept, counts, limit });
    Ok(Value::None)
}
