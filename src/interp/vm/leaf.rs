//! Numbers and functions of global names, and items of lists that are numbers: functions that call nothing, as those of
//! [`dot`](super::dot).

use std::rc::Rc;

use super::keyed;
use super::quick::position;
use super::register::{become_none, is_plain, put_bool, put_float, put_int, put_none};
use super::window::Registers;
use crate::interp::Evaluator;
use crate::interp::compile::{CallSite, Code, Reg};
use crate::interp::value::Value;

/// Puts the number, the function or the tensor that a global name holds into a register, where that is soon done; whether it
/// was.
#[inline(never)]
pub(super) fn put_global(code: &Code, register: &mut Value, global: u16) -> bool {
    let Some(global) = code.globals.get(usize::from(global)) else { return false };
    let Some(held) = global.slot.try_borrow() else { return false };
    match (&mut *register, &*held, &global.built_in) {
        // As where it was called last.
        (Value::Closure(known), Some(Value::Closure(function)), _) => Rc::ptr_eq(known, function),
        (Value::Function(known), None, Some(Value::Function(function))) => {
            Rc::ptr_eq(known, function)
        }
        (register, Some(Value::Int(number)), _) => {
            put_int(register, *number);
            true
        }
        (register, Some(Value::Float(number)), _) => {
            put_float(register, *number);
            true
        }
        (register, None, Some(Value::Function(function))) if is_plain(register) => {
            std::mem::forget(std::mem::replace(register, Value::Function(function.clone())));
            true
        }
        (register, Some(Value::Closure(function)), _) if is_plain(register) => {
            std::mem::forget(std::mem::replace(register, Value::Closure(function.clone())));
            true
        }
        (register, Some(Value::Tensor(tensor)), _) if is_plain(register) => {
            std::mem::forget(std::mem::replace(register, Value::Tensor(tensor.clone())));
            true
        }
        _ => false,
    }
}

/// Puts a number or a truth where a global name holds one, of which nothing has to be kept any more; whether it was
/// done. `is_last` is for what ends a statement.
#[inline(never)]
pub(super) fn set_global<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &R,
    from: Reg,
    global: u16,
    is_last: bool,
) -> bool {
    let interp = evaluator.interp;
    let Some(global) = code.globals.get(usize::from(global)) else { return false };
    if !is_last && !interp.is_in_transaction() || !global.slot.is_kept(&interp.journal, false) {
        return false;
    }
    match global.slot.try_borrow_mut().as_deref_mut() {
        Some(Some(place)) => put_plain(place, registers.get(from)),
        _ => false,
    }
}

/// A number, a truth or `None`.
#[inline(always)]
pub(super) fn plain(value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) => Some(Value::Int(*number)),
        Value::Float(number) => Some(Value::Float(*number)),
        Value::Bool(truth) => Some(Value::Bool(*truth)),
        Value::None => Some(Value::None),
        _ => None,
    }
}

/// Puts one of these where another one was; whether that was so.
#[inline(always)]
pub(super) fn put_plain(place: &mut Value, value: &Value) -> bool {
    match (&mut *place, value) {
        (Value::Int(known), Value::Int(number)) => *known = *number,
        (Value::Float(known), Value::Float(number)) => *known = *number,
        (Value::Bool(known), Value::Bool(truth)) => *known = *truth,
        _ => return put_other_plain(place, value),
    }
    true
}

#[inline(never)]
fn put_other_plain(place: &mut Value, value: &Value) -> bool {
    match plain(value) {
        Some(value) if is_plain(place) => {
            std::mem::forget(std::mem::replace(place, value));
            true
        }
        _ => false,
    }
}

/// The number or the truth at a position of a list, or the number under a key of a dictionary that a register
/// before `end` holds; a list that another one holds is let go of. Whether it was put.
#[inline(never)]
pub(super) fn item<R: Registers + ?Sized>(
    registers: &mut R,
    to: Reg,
    (list, index): (Reg, Reg),
    end: Reg,
) -> bool {
    let (Value::List(items), Value::Int(at)) = (registers.get(list), registers.get(index)) else {
        return list < end && keyed::item(registers, to, (list, index));
    };
    // Numbers and truths go by way of a register of the processor.
    enum Item {
        Int(i64),
        Float(f64),
        Bool(bool),
    }
    let Some(items) = items.try_borrow() else { return false };
    let found = match position(*at, items.len()).and_then(|at| items.get(at)) {
        Some(Value::Int(number)) => Item::Int(*number),
        Some(Value::Float(number)) => Item::Float(*number),
        Some(Value::Bool(truth)) => Item::Bool(*truth),
        _ => return false,
    };
    drop(items);
    let place = registers.at(to);
    match found {
        Item::Int(number) => put_int(place, number),
        Item::Float(number) => put_float(place, number),
        Item::Bool(truth) => put_bool(place, truth),
    }
    if list >= end && list != to {
        become_none(registers.at(list));
    }
    true
}

/// `list[position] = from`, or `dict[key] = from`, in what a register before `end` holds and what needs no keeping
/// any more; whether it was done.
#[inline(never)]
pub(super) fn set_item<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    registers: &R,
    (list, index): (Reg, Reg),
    from: Reg,
    end: Reg,
) -> bool {
    let interp = evaluator.interp;
    if list >= end || !interp.is_in_transaction() {
        return false;
    }
    let (Value::List(items), Value::Int(at)) = (registers.get(list), registers.get(index)) else {
        return keyed::set_item(evaluator, registers, (list, index), from);
    };
    if !items.is_kept(&interp.journal, false) {
        return false;
    }
    let Some(mut items) = items.try_borrow_mut() else { return false };
    let Some(at) = position(*at, items.len()) else { return false };
    match items.get_mut(at) {
        Some(place) => put_plain(place, registers.get(from)),
        None => false,
    }
}

/// Calls a built-in function that answers at once with what a variable holds; whether it did.
#[inline(never)]
pub(super) fn call_on<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    (to, from): (Reg, Reg),
    global: u16,
) -> bool {
    let Some(global) = code.globals.get(usize::from(global)) else { return false };
    if global.slot.try_borrow().is_none_or(|held| held.is_some()) {
        return false;
    }
    let builtin = match &global.built_in {
        Some(Value::Function(function)) => function.builtin,
        Some(Value::Type(of)) => match evaluator.interp.registry.constructor(*of) {
            Some(function) => function.builtin,
            None => return false,
        },
        _ => return false,
    };
    let Some(run) = builtin.quick else { return false };
    let Some((to, from)) = registers.pair(to, from) else { return false };
    run(evaluator, std::slice::from_ref(from), to).is_some()
}

/// Calls `list.append` with a number, where the list has room and needs no keeping any more; whether it was
/// done. The receiver has stayed where it is, as in [`there`](super::there).
#[inline(never)]
pub(super) fn append<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    (to, callee): (Reg, Reg),
    site: &CallSite,
) -> bool {
    let Some((list, _)) = site.there else { return false };
    if site.exact != 2
        || site.is_last
        || list >= code.first_temporary
        || !is_plain(registers.get(to))
    {
        return false;
    }
    let (Value::List(items), item) = (registers.get(list), registers.get(callee + 2)) else {
        return false;
    };
    let interp = evaluator.interp;
    if !interp.is_in_transaction() || !items.is_kept(&interp.journal, false) {
        return false;
    }
    let Some(mut items) = items.try_borrow_mut() else { return false };
    if items.len() == items.capacity() {
        return false;
    }
    let Some(item) = plain(item) else { return false };
    items.push(item);
    drop(items);
    put_none(registers.at(to));
    true
}

/// The next item of a list or a tuple that a loop goes through, whose position stands behind it, where that is
/// plain; whether it was done.
#[inline(never)]
pub(super) fn next_item<R: Registers + ?Sized>(registers: &mut R, to: Reg, iter: Reg) -> bool {
    let Value::Int(at) = *registers.get(iter + 1) else { return false };
    let put = |to: &mut Value, items: &[Value]| {
        items.get(at as usize).is_some_and(|item| put_plain(to, item))
    };
    let is_put = match registers.pair(to, iter) {
        Some((to, Value::List(items))) => items.try_borrow().is_some_and(|items| put(to, &items)),
        Some((to, Value::Tuple(items))) => put(to, items),
        _ => false,
    };
    if is_put && let Value::Int(position) = registers.at(iter + 1) {
        *position = at + 1;
    }
    is_put
}
