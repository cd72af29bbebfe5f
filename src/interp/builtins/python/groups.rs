//! Methods of groups of exceptions.

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::{Module, Type, Value};

const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    let group = Type::Error(ErrorKind::BaseExceptionGroup);
    Builtin::new(signature, run).homes(Homes::NONE).method_of(group).doc(doc)
}

pub const BUILTINS: &[Builtin] = &[
    method(
        "split(self, condition, /)",
        split,
        "A group of what is of a class, or what a function says yes to, and one of the rest.",
    ),
    method(
        "subgroup(self, condition, /)",
        |call| match split(call)? {
            Value::Tuple(parts) => Ok(parts[0].clone()),
            other => Ok(other),
        },
        "The first of the two groups that `split` gives.",
    ),
    method("derive(self, excs, /)", derive, "A group of the same words with other exceptions."),
];

fn split(call: &mut Call<'_>) -> Result<Value, Fault> {
    let operands = [call.value(0).clone(), call.value(1).clone()];
    call.evaluator.call_text(Module::Builtins, "_split_group", operands)
}

fn derive(call: &mut Call<'_>) -> Result<Value, Fault> {
    let words = call.evaluator.attribute(call.value(0), "message")?;
    let group = Value::Type(Type::Error(ErrorKind::BaseExceptionGroup));
    call.evaluator.call_value(&group, [words, call.value(1).clone()], [])
}
