//! What lists, tuples, dictionaries and built-in functions do without asking anybody. Where one of
//! these says nothing, nothing has happened, and the operation goes the general way.

use super::arithmetic::Plain;
use super::op::ensure;
use super::register::{clear, copy, put, take};
use crate::interp::Evaluator;
use crate::interp::compile::{CallSite, Code, Reg};
use crate::interp::value::{Key, Value};
use crate::syntax::ast::BinaryOp;

/// What a call of a built-in function gives that needs no binding of arguments, if it is one. The
/// first register holds it; the arguments stand from `first` on, the second register between holding
/// a receiver, if there is one.
#[inline]
pub(super) fn call(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    first: usize,
    site: &CallSite,
) -> Option<Value> {
    let function = match &registers[0] {
        Value::Function(function) => function,
        Value::Type(of) => evaluator.interp.registry.constructor(*of)?,
        _ => return None,
    };
    let run = function.builtin.quick.filter(|_| site.is_plain)?;
    let end = first + site.arguments.len();
    let begin = match first {
        2 if !matches!(registers[1], Value::Unbound) => 1,
        _ => first,
    };
    let value = run(evaluator, &registers[begin..end])?;
    clear(&mut registers[..end]);
    Some(value)
}

/// The position that an index means, if something stands there.
#[inline(always)]
fn position(index: i64, len: usize) -> Option<usize> {
    let at = if index < 0 { index.wrapping_add(len as i64) } else { index };
    usize::try_from(at).ok().filter(|at| *at < len)
}

/// A number or a text as a key.
#[inline(always)]
fn key(value: &Value) -> Option<Key> {
    match value {
        Value::Int(_) | Value::Str(_) => Key::new(copy(value)).ok(),
        _ => None,
    }
}

/// `container[index]`
#[inline(always)]
pub(super) fn item(container: &Value, index: &Value) -> Option<Value> {
    match (container, index) {
        (Value::List(items), Value::Int(at)) => {
            let items = items.borrow();
            Some(copy(&items[position(*at, items.len())?]))
        }
        (Value::Tuple(items), Value::Int(at)) => Some(copy(&items[position(*at, items.len())?])),
        (Value::Dict(entries), _) => {
            let key = key(index)?;
            entries.borrow().get(&key).map(copy)
        }
        _ => None,
    }
}

/// `container[index] = from`; whether it was done.
#[inline]
pub(super) fn store(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (container, index): (Reg, Reg),
    from: Reg,
) -> bool {
    let journal = &evaluator.interp.journal;
    let at = &registers[usize::from(index)];
    match (&registers[usize::from(container)], at) {
        (Value::List(items), Value::Int(at)) => {
            let Some(at) = position(*at, items.borrow().len()) else { return false };
            let value = take(registers, code.first_temporary, from);
            if let Value::List(items) = &registers[usize::from(container)] {
                ensure(evaluator);
                put(&mut items.change(journal)[at], value);
            }
            true
        }
        (Value::Dict(entries), at) => {
            let Some(key) = key(at) else { return false };
            // Where it must grow, somebody asks whether there is room.
            if !entries.borrow().contains_key(&key) {
                return false;
            }
            let value = take(registers, code.first_temporary, from);
            if let Value::Dict(entries) = &registers[usize::from(container)] {
                ensure(evaluator);
                if let Some(known) = entries.change(journal).get_mut(&key) {
                    put(known, value);
                }
            }
            true
        }
        _ => false,
    }
}

/// `container[index] op= operand` of numbers: the container, the index, what stood there and the
/// operand are in registers in a row from `first` on. Whether it was done.
#[inline]
pub(super) fn update(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    op: BinaryOp,
    first: Reg,
) -> bool {
    let at = usize::from(first);
    let after = match Plain::binary(op, &registers[at + 2], &registers[at + 3]) {
        Some(Plain::Int(after)) => Value::Int(after),
        Some(Plain::Float(after)) => Value::Float(after),
        None => return false,
    };
    let before = std::mem::replace(&mut registers[at + 2], after);
    let is_stored = store(evaluator, code, registers, (first, first + 1), first + 2);
    if !is_stored {
        put(&mut registers[at + 2], before);
        return false;
    }
    clear(&mut registers[at..at + 4]);
    true
}

/// The next item of a list or a tuple that a loop goes through, if it is one: its position stands
/// behind it.
#[inline(always)]
pub(super) fn next(registers: &mut [Value]) -> Option<Option<Value>> {
    match registers {
        [Value::List(items), Value::Int(at), ..] => {
            let item = items.borrow().get(*at as usize).map(copy);
            // What is appended after the end does not count.
            *at = if item.is_some() { *at + 1 } else { i64::MAX };
            Some(item)
        }
        [Value::Tuple(items), Value::Int(at), ..] => {
            let item = items.get(*at as usize).map(copy);
            *at += 1;
            Some(item)
        }
        _ => None,
    }
}
