//! Methods of built-in types, called where their receivers stand: a variable need not be copied for a call that
//! runs nothing of the program, nor the function be looked for among registers.

use super::register::clear;
use crate::interp::Evaluator;
use crate::interp::compile::{CallSite, Code, Found, Reg};
use crate::interp::value::{Type, Value};

/// Whether a value is of a built-in type.
#[inline(always)]
fn is_of(value: &Value, of: Type) -> bool {
    match value {
        Value::List(_) => of == Type::List,
        Value::Str(_) => of == Type::Str,
        Value::Dict(_) => of == Type::Dict,
        Value::Opaque(opaque) => opaque.of == of,
        Value::Object(_) => false,
        other => other.type_of() == of,
    }
}

/// Whether this place found a method of the receiver's type before that may answer at once.
#[inline(always)]
pub(super) fn is_known(code: &Code, receiver: &Value, name: u16) -> bool {
    !matches!(receiver, Value::Object(_)) && is_found(code, receiver, name)
}

#[inline(never)]
fn is_found(code: &Code, receiver: &Value, name: u16) -> bool {
    match &*code.found[usize::from(name)].borrow() {
        Some(Found::Method(of, function)) => {
            let builtin = function.builtin;
            (builtin.quick.is_some() || builtin.quick_change.is_some()) && is_of(receiver, *of)
        }
        _ => false,
    }
}

/// Calls a method whose receiver has stayed where it is; whether it was done. The arguments stand two registers
/// behind `callee`, and the receiver comes before them for as long as the call takes.
#[inline(never)]
pub(super) fn call(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (to, callee): (Reg, Reg),
    site: &CallSite,
) -> bool {
    let Some((object, name)) = site.there else { return false };
    let (to, object, receiver) = (usize::from(to), usize::from(object), usize::from(callee) + 1);
    let found = code.found[usize::from(name)].borrow();
    // What computed the arguments may have found another one here.
    let Some(Found::Method(of, function)) = &*found else { return false };
    if to >= receiver || !is_of(&registers[object], *of) {
        return false;
    }
    let builtin = function.builtin;
    drop(found);
    // What is lazy is computed before the last change, and may fail.
    if builtin.quick.is_none() && site.is_last && evaluator.interp.engine.pending() > 0 {
        return false;
    }
    let is_apart = object != receiver;
    if is_apart {
        registers.swap(object, receiver);
    }
    let (before, behind) = registers.split_at_mut(receiver);
    let arguments = &mut behind[..=site.arguments.len()];
    let is_done = match (builtin.quick, builtin.quick_change) {
        (Some(run), _) => run(evaluator, arguments, &mut before[to]),
        (None, Some(run)) => run(evaluator, arguments, &mut before[to], site.is_last),
        (None, None) => None,
    };
    let is_done = is_done.is_some();
    if is_done {
        clear(&mut arguments[1..]);
    }
    if is_apart && !(is_done && to == object) {
        std::mem::swap(&mut before[object], &mut arguments[0]);
    } else if is_done {
        clear(&mut arguments[..1]);
    }
    is_done
}
