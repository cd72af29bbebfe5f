//! Methods of built-in types, called where their receivers stand: a variable need not be copied for a call that
//! runs nothing of the program, nor the function be looked for among registers.

use super::quick::answer;
use super::register::clear;
use super::window::Registers;
use super::{keyed, leaf};
use crate::interp::Evaluator;
use crate::interp::compile::{CallSite, Code, Leaf, Reg};
use crate::interp::value::Value;

/// Whether this place found a method of the receiver's type before that may answer at once.
#[inline(always)]
pub(super) fn is_known(code: &Code, receiver: &Value, name: u16) -> bool {
    code.lookups[usize::from(name)].there().is_some_and(|known| known.is_of(receiver))
}

/// Calls a method whose receiver has stayed where it is; whether it was done. The arguments stand two registers
/// behind `callee`.
#[inline(always)]
pub(super) fn call<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    places: (Reg, Reg),
    site: &CallSite,
) -> bool {
    let known = site.there.and_then(|(_, name)| code.lookups.get(usize::from(name)));
    let is_done = match known.and_then(|known| known.there()).and_then(|there| there.leaf) {
        Some(Leaf::Append) => leaf::append(evaluator, code, registers, places, site),
        Some(Leaf::Get) => keyed::get(code, registers, places, site),
        None => false,
    };
    is_done || call_any(evaluator, code, registers.all(), places, site)
}

/// The same of any method: the receiver comes before the arguments for as long as the call takes.
#[inline(never)]
fn call_any(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (to, callee): (Reg, Reg),
    site: &CallSite,
) -> bool {
    let Some((object, name)) = site.there else { return false };
    let (to, object, receiver) = (usize::from(to), usize::from(object), usize::from(callee) + 1);
    // What computed the arguments may have found another one here.
    let Some(known) = code.lookups[usize::from(name)].there() else { return false };
    if to >= receiver || !known.is_of(&registers[object]) {
        return false;
    }
    let builtin = known.builtin;
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
    let is_done = answer(evaluator, builtin, arguments, &mut before[to], site);
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
