//! Functions without a name in the language: for values that are made with them, and for the modules
//! that are written in the language.

use super::super::{Builtin, Call, Homes, Run};
use super::dataclasses;
use crate::diag::Fault;
use crate::interp::value::{Module, Value};

const fn tool(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).doc(doc)
}

pub const HIDDEN: &[Builtin] = &[
    dataclasses::APPLY,
    tool(
        "written(name, text, /)",
        |call| call.evaluator.generated(call.str(0)?, call.str(1)?),
        "The function that a text defines; `name` is what errors call the text.",
    ),
    tool("tell(text, /)", tell, "Says a text beside a program's output."),
    tool(
        "redirect(file, /)",
        redirect,
        "Where output goes from here on; gives where it went before.",
    ),
    tool("set_in_class(cls, name, value, /)", set_in_class, "What `type.__setattr__` does."),
];

fn tell(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.evaluator.world.warn(call.str(0)?);
    Ok(Value::None)
}

fn redirect(call: &mut Call<'_>) -> Result<Value, Fault> {
    let interp = call.evaluator.interp;
    let file = match call.value(0) {
        Value::Module(Module::Stdout) => None,
        file => Some(file.clone()),
    };
    let before = interp.stdout.replace(&interp.journal, file);
    Ok(before.unwrap_or(Value::Module(Module::Stdout)))
}

fn set_in_class(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Class(class) = call.value(0) else { return Err(call.wrong_type(0, "a class")) };
    let evaluator = call.evaluator;
    evaluator.note_class_change();
    class.set(&evaluator.interp.journal, call.str(1)?.into(), call.value(2).clone());
    Ok(Value::None)
}
