//! `gc`: what holds what.

use rustc_hash::FxHashSet;

use super::super::{Builtin, Call, Run};
use crate::diag::Fault;
use crate::interp::room::{self, Pace};
use crate::interp::value::{Module, Value};

const fn of(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    super::of(Module::Gc, signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    of(
        "collect(generation=2)",
        |call| {
            call.evaluator.end_unheld()?;
            Ok(Value::Int(call.evaluator.interp.collect_cycles() as i64))
        },
        "Lets go of containers that hold each other and nobody else holds; how many there were.",
    ),
    of(
        "get_objects(generation=None)",
        |call| reached(call).map(Value::list),
        "The tensors, containers, objects, functions and classes that the session's variables reach, each once:\n\
         `[x for x in gc.get_objects() if torch.is_tensor(x)]` are the tensors.",
    ),
    of("get_referents(*objs)", referents, "What values hold, each as often as they hold it."),
    of(
        "get_referrers(*objs)",
        referrers,
        "Those of `get_objects()` that hold one of the values; variables are none.",
    ),
    of(
        "is_tracked(obj, /)",
        |call| {
            let value = call.value(0);
            let is_plain = matches!(value, Value::Tensor(_) | Value::Range(_));
            Ok(Value::Bool(value.identity().is_some() && !is_plain))
        },
        "Whether a value may be a part of what holds itself.",
    ),
];

/// What the variables reach, but for values that hold nothing and have no identity.
fn reached(call: &Call<'_>) -> Result<Vec<Value>, Fault> {
    let interp = call.evaluator.interp;
    let mut pace = Pace::new(call.engine());
    let mut seen = FxHashSet::default();
    let mut open: Vec<Value> = interp.scope.borrow().iter().map(|(_, value)| value).collect();
    let mut found = Vec::new();
    while let Some(value) = open.pop() {
        let Some((place, _)) = value.identity() else { continue };
        if seen.insert(place) {
            pace.step(room::ITEM)?;
            value.visit(&mut |part| open.push(part.clone()));
            found.push(value);
        }
    }
    Ok(found)
}

fn referents(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut pace = Pace::new(call.engine());
    let mut found = Vec::new();
    for argument in call.rest() {
        argument.value.visit(&mut |part| found.push(part.clone()));
        pace.step(room::ITEM)?;
    }
    Ok(Value::list(found))
}

fn referrers(call: &mut Call<'_>) -> Result<Value, Fault> {
    let wanted: Vec<Value> = call.rest().iter().map(|argument| argument.value.clone()).collect();
    let mut found = reached(call)?;
    found.retain(|value| {
        let mut holds = false;
        value.visit(&mut |part| holds |= wanted.iter().any(|one| one.is_same(part)));
        holds
    });
    Ok(Value::list(found))
}
