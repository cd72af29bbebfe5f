//! Registers. What goes through them is most often a number, which nobody has to let go of.

use crate::interp::compile::Reg;
use crate::interp::value::Value;

/// Whether nothing has to be done where the value goes.
#[inline(always)]
fn is_plain(value: &Value) -> bool {
    matches!(value, Value::None | Value::Unbound | Value::Bool(_) | Value::Int(_) | Value::Float(_))
}

/// Puts a value where another one was.
#[inline(always)]
pub(super) fn put(register: &mut Value, value: Value) {
    if is_plain(register) {
        std::mem::forget(std::mem::replace(register, value));
    } else {
        *register = value;
    }
}

#[inline(always)]
pub(super) fn put_int(register: &mut Value, value: i64) {
    match register {
        Value::Int(known) => *known = value,
        _ => *register = Value::Int(value),
    }
}

#[inline(always)]
pub(super) fn put_float(register: &mut Value, value: f64) {
    match register {
        Value::Float(known) => *known = value,
        _ => *register = Value::Float(value),
    }
}

/// The value once more.
#[inline(always)]
pub(super) fn copy(value: &Value) -> Value {
    match value {
        Value::None => Value::None,
        Value::Unbound => Value::Unbound,
        Value::Bool(value) => Value::Bool(*value),
        Value::Int(value) => Value::Int(*value),
        Value::Float(value) => Value::Float(*value),
        other => other.clone(),
    }
}

/// What an operand holds; a temporary gives it away.
#[inline(always)]
pub(super) fn take(registers: &mut [Value], first_temporary: Reg, from: Reg) -> Value {
    let register = &mut registers[usize::from(from)];
    match from >= first_temporary {
        true => std::mem::replace(register, Value::None),
        false => copy(register),
    }
}

/// Lets go of what registers hold.
#[inline(always)]
pub(super) fn clear(registers: &mut [Value]) {
    for register in registers {
        if !is_plain(register) {
            *register = Value::None;
        }
    }
}
