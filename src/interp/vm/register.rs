//! Registers. What goes through them is most often a number, which nobody has to let go of.
//!
//! A value is written as a tag and what stands behind it, and a processor waits where both are read
//! at once soon afterwards. So what is frequent goes from register to register kind by kind, tag and
//! contents apart, and never by way of a value on the stack.

use std::rc::Rc;

use crate::interp::compile::Reg;
use crate::interp::value::Value;

/// Whether nothing has to be done where the value goes.
#[inline(always)]
pub(in crate::interp) fn is_plain(value: &Value) -> bool {
    matches!(
        value,
        Value::None
            | Value::Unbound
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Wide(_)
            | Value::Float(_)
            | Value::Type(_)
    )
}

/// Puts a value where another one was.
#[inline(always)]
fn set(register: &mut Value, value: Value) {
    if is_plain(register) {
        std::mem::forget(std::mem::replace(register, value));
    } else {
        *register = value;
    }
}

/// Puts what a global name holds where it may stand already.
#[inline(always)]
pub(super) fn put_global(register: &mut Value, value: &Value) {
    match (&*register, value) {
        (Value::Function(known), Value::Function(function)) if Rc::ptr_eq(known, function) => {}
        (Value::Closure(known), Value::Closure(function)) if Rc::ptr_eq(known, function) => {}
        (_, Value::Closure(function)) => set(register, Value::Closure(function.clone())),
        _ => put_copy(register, value),
    }
}

/// Does something to a value of one of the kinds that a program has most, which `$shared` clones.
macro_rules! by_kind {
    ($value:expr, $other:ident => $otherwise:expr, $shared:ident => $do:expr, $register:expr) => {
        match $value {
            Value::Str($shared) => set($register, Value::Str($do)),
            Value::Tuple($shared) => set($register, Value::Tuple($do)),
            Value::List($shared) => set($register, Value::List($do)),
            Value::Dict($shared) => set($register, Value::Dict($do)),
            Value::Function($shared) => set($register, Value::Function($do)),
            Value::Closure($shared) => set($register, Value::Closure($do)),
            Value::Class($shared) => set($register, Value::Class($do)),
            Value::Object($shared) => set($register, Value::Object($do)),
            $other => $otherwise,
        }
    };
}

#[inline(never)]
fn put_shared(register: &mut Value, value: Value) {
    by_kind!(value, other => *register = other, shared => shared, register);
}

#[inline(never)]
fn copy_shared(register: &mut Value, value: &Value) {
    by_kind!(value, other => *register = other.clone(), shared => shared.clone(), register);
}

/// Puts a value where another one was.
#[inline(always)]
pub(in crate::interp) fn put(register: &mut Value, value: Value) {
    match value {
        Value::None => set(register, Value::None),
        Value::Bool(value) => set(register, Value::Bool(value)),
        Value::Int(value) => put_int(register, value),
        Value::Float(value) => put_float(register, value),
        value => put_shared(register, value),
    }
}

/// Puts a value that stays where it is where another one was.
#[inline(always)]
pub(in crate::interp) fn put_copy(register: &mut Value, value: &Value) {
    // The most frequent kind needs no table.
    if let Value::Int(value) = value {
        return put_int(register, *value);
    }
    match value {
        Value::None => set(register, Value::None),
        Value::Unbound => set(register, Value::Unbound),
        Value::Type(of) => set(register, Value::Type(*of)),
        Value::Bool(value) => set(register, Value::Bool(*value)),
        Value::Float(value) => put_float(register, *value),
        value => copy_shared(register, value),
    }
}

/// Moves a value out of a register that nobody reads again.
#[inline(always)]
pub(super) fn put_taken(register: &mut Value, from: &mut Value) {
    if let Value::Int(value) = from {
        return put_int(register, *value);
    }
    match from {
        Value::None => set(register, Value::None),
        Value::Bool(value) => put_bool(register, *value),
        Value::Float(value) => put_float(register, *value),
        from => put_shared(register, std::mem::replace(from, Value::None)),
    }
}

#[inline(always)]
pub(in crate::interp) fn put_int(register: &mut Value, value: i64) {
    match register {
        Value::Int(known) => *known = value,
        _ => become_int(register, value),
    }
}

#[inline(always)]
pub(in crate::interp) fn put_float(register: &mut Value, value: f64) {
    match register {
        Value::Float(known) => *known = value,
        _ => become_float(register, value),
    }
}

#[inline(always)]
pub(in crate::interp) fn put_bool(register: &mut Value, value: bool) {
    match register {
        Value::Bool(known) => *known = value,
        _ => become_bool(register, value),
    }
}

#[inline(always)]
pub(super) fn put_none(register: &mut Value) {
    if !matches!(register, Value::None) {
        become_none(register);
    }
}

#[inline(always)]
pub(super) fn put_unbound(register: &mut Value) {
    if !matches!(register, Value::Unbound) {
        become_unbound(register);
    }
}

// A register that comes to hold another kind of value: apart, so that loops stay small.

#[inline(never)]
pub(super) fn become_none(register: &mut Value) {
    *register = Value::None;
}

#[inline(never)]
fn become_unbound(register: &mut Value) {
    *register = Value::Unbound;
}

#[inline(never)]
fn become_bool(register: &mut Value, value: bool) {
    set(register, Value::Bool(value));
}

#[inline(never)]
fn become_int(register: &mut Value, value: i64) {
    set(register, Value::Int(value));
}

#[inline(never)]
fn become_float(register: &mut Value, value: f64) {
    set(register, Value::Float(value));
}

/// What stands in one register goes to another one as well.
#[inline(always)]
pub(super) fn copy(registers: &mut [Value], to: Reg, from: Reg) {
    if let Ok([to, from]) = registers.get_disjoint_mut([usize::from(to), usize::from(from)]) {
        put_copy(to, from);
    }
}

/// Lets go of what a temporary holds.
#[inline(always)]
pub(super) fn forget(registers: &mut [Value], first_temporary: Reg, register: Reg) {
    if register >= first_temporary {
        clear(&mut registers[usize::from(register)..=usize::from(register)]);
    }
}

/// What an operand holds; a temporary gives it away.
#[inline(always)]
pub(super) fn take(registers: &mut [Value], first_temporary: Reg, from: Reg) -> Value {
    let register = &mut registers[usize::from(from)];
    match from >= first_temporary {
        true => std::mem::replace(register, Value::None),
        false => register.clone(),
    }
}

/// Lets go of what registers hold.
#[inline(always)]
pub(super) fn clear(registers: &mut [Value]) {
    for register in registers {
        if !is_plain(register) {
            let_go(register);
        }
    }
}

/// Functions and receivers stand in registers most often, and somebody else has them as a rule.
#[inline(always)]
fn let_go(register: &mut Value) {
    match register {
        Value::Closure(function) if Rc::strong_count(function) > 1 => {
            if let Value::Closure(function) = std::mem::replace(register, Value::None) {
                drop(function);
            }
        }
        Value::Object(object) if Rc::strong_count(object) > 1 => {
            if let Value::Object(object) = std::mem::replace(register, Value::None) {
                drop(object);
            }
        }
        Value::Tensor(tensor) if tensor.is_held_elsewhere() => {
            if let Value::Tensor(tensor) = std::mem::replace(register, Value::None) {
                drop(tensor);
            }
        }
        other => become_none(other),
    }
}

/// Puts the receiver of a method where it may stand already.
#[inline(always)]
pub(super) fn put_receiver(register: &mut Value, receiver: &Value) {
    match (&mut *register, receiver) {
        (Value::Object(known), Value::Object(object)) if Rc::ptr_eq(known, object) => {}
        (register, Value::Object(object)) if is_plain(register) => {
            std::mem::forget(std::mem::replace(register, Value::Object(object.clone())));
        }
        (register, receiver) => put_copy(register, receiver),
    }
}

/// A copy of a few items.
pub(in crate::interp) fn copied(items: &[Value]) -> Vec<Value> {
    let mut copy = Vec::with_capacity(items.len());
    extend_by(&mut copy, items);
    copy
}

/// Takes copies of items in, numbers as a rule.
pub(in crate::interp) fn extend_by(all: &mut Vec<Value>, items: &[Value]) {
    all.extend(items.iter().map(|item| match item {
        Value::Int(number) => Value::Int(*number),
        Value::Float(number) => Value::Float(*number),
        other => other.clone(),
    }));
}
