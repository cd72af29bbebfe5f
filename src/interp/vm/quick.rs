//! What lists, tuples, dictionaries and built-in functions do without asking anybody. Where one of
//! these says that it was not done, nothing has happened, and the operation goes the general way.

use super::arithmetic::Plain;
use super::op::ensure;
use super::register::{clear, forget, put, put_copy};
use crate::dtype::Scalar;
use crate::interp::Evaluator;
use crate::interp::compile::{CallSite, Code, Reg};
use crate::interp::shared::ItemStep;
use crate::interp::value::{Entries, Key, Value};
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
    // Where nothing can fail afterwards, the general way changes without a copy.
    let copies = function.builtin.quick_changes && site.is_last;
    let run = function.builtin.quick.filter(|_| site.is_plain && !copies)?;
    let end = first + site.arguments.len();
    let begin = match first {
        2 if !matches!(registers[1], Value::Unbound) => 1,
        _ => first,
    };
    let value = run(evaluator, &registers[begin..end])?;
    // The function stays: the next call most often finds it again.
    clear(&mut registers[1..end]);
    Some(value)
}

/// The position that an index means, if something stands there.
#[inline(always)]
pub(super) fn position(index: i64, len: usize) -> Option<usize> {
    let at = if index < 0 { index.wrapping_add(len as i64) } else { index };
    usize::try_from(at).ok().filter(|at| *at < len)
}

/// A number or a text as a key.
#[inline(always)]
fn key(value: &Value) -> Option<Key> {
    match value {
        Value::Int(number) => Some(Key::of_int(*number)),
        Value::Str(text) => Some(Key::of_text(text.clone())),
        _ => None,
    }
}

/// `to = container[index]`; whether it was done.
#[inline(always)]
pub(super) fn item(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    (container, index): (Reg, Reg),
) -> bool {
    let at = [to, container, index].map(usize::from);
    let Ok([to, container, index]) = registers.get_disjoint_mut(at) else { return false };
    match (&*container, &*index) {
        (Value::List(items), Value::Int(at)) => {
            let items = items.borrow();
            let Some(at) = position(*at, items.len()) else { return false };
            put_copy(to, &items[at]);
        }
        (Value::Tuple(items), Value::Int(at)) => {
            let Some(at) = position(*at, items.len()) else { return false };
            put_copy(to, &items[at]);
        }
        (Value::Str(text), Value::Int(at)) => {
            if !text.is_all_ascii() {
                return false;
            }
            let Some(at) = position(*at, text.len()) else { return false };
            let letter = evaluator.interp.letter(char::from(text.as_bytes()[at]));
            put(to, letter);
        }
        (Value::Dict(entries), index) => {
            let Some(key) = key(index) else { return false };
            let entries = entries.borrow();
            let Some(value) = entries.get(&key) else { return false };
            put_copy(to, value);
        }
        _ => return false,
    }
    true
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
    let value = &registers[usize::from(from)];
    match (&registers[usize::from(container)], &registers[usize::from(index)]) {
        (Value::List(items), Value::Int(at)) => {
            let Some(at) = position(*at, items.borrow().len()) else { return false };
            ensure(evaluator);
            let before = |items: &Vec<Value>| ItemStep::At(at, items[at].clone());
            put_copy(&mut items.step_to_hold(journal, value, before)[at], value);
        }
        (Value::Dict(entries), index) => {
            let Some(key) = key(index) else { return false };
            ensure(evaluator);
            let before = |entries: &Entries| entries.step(&key);
            let mut entries = entries.step_to_hold(journal, value, before);
            if let Some(place) = entries.get_mut(&key) {
                put_copy(place, value);
            } else {
                // Where it must grow, somebody asks whether there is room.
                if entries.len() == entries.capacity() || entries.speaks() {
                    return false;
                }
                entries.insert(key, value.clone());
            }
        }
        _ => return false,
    }
    forget(registers, code.first_temporary, from);
    true
}

/// `tensor[index] = number` where that writes an element and has nothing else to do; whether it did.
#[inline]
pub(super) fn put_element(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (tensor, index): (Reg, Reg),
    from: Reg,
) -> bool {
    let Value::Tensor(x) = &registers[usize::from(tensor)] else { return false };
    let engine = &evaluator.interp.engine;
    let number = match &registers[usize::from(from)] {
        Value::Float(number) => Scalar::Float(*number),
        Value::Int(number) => Scalar::Int(*number),
        _ => return false,
    };
    let is_done = match &registers[usize::from(index)] {
        Value::Int(at) => engine.put_element(x, std::slice::from_ref(at), number),
        Value::Tuple(parts) => match &**parts {
            [Value::Int(row), Value::Int(column)] => {
                engine.put_element(x, &[*row, *column], number)
            }
            _ => false,
        },
        _ => false,
    };
    if is_done {
        [tensor, index].into_iter().for_each(|at| forget(registers, code.first_temporary, at));
    }
    is_done
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
    // What stood there is a number, too.
    let before = std::mem::replace(&mut registers[at + 2], after);
    if !store(evaluator, code, registers, (first, first + 1), first + 2) {
        put(&mut registers[at + 2], before);
        return false;
    }
    clear(&mut registers[at..at + 4]);
    true
}

/// How a loop goes on.
pub(super) enum Next {
    Item,
    End,
    /// It goes through something else.
    Unknown,
}

/// The next item of a list or a tuple that a loop goes through: its position stands behind it.
#[inline(always)]
pub(super) fn next(registers: &mut [Value], to: Reg, iter: Reg) -> Next {
    let (to, iter) = (usize::from(to), usize::from(iter));
    let Ok([to, items, at]) = registers.get_disjoint_mut([to, iter, iter + 1]) else {
        return Next::Unknown;
    };
    let Value::Int(at) = at else { return Next::Unknown };
    match items {
        Value::List(items) => match items.borrow().get(*at as usize) {
            Some(item) => put_copy(to, item),
            None => {
                // What is appended later does not count.
                *at = i64::MAX;
                return Next::End;
            }
        },
        Value::Tuple(items) => match items.get(*at as usize) {
            Some(item) => put_copy(to, item),
            None => return Next::End,
        },
        _ => return Next::Unknown,
    }
    *at += 1;
    Next::Item
}

/// `first = from[0]; …` of a tuple of as many items; whether it was done.
#[inline(always)]
pub(super) fn unpack(registers: &mut [Value], from: Reg, first: Reg, count: u16) -> bool {
    let (from, first) = (usize::from(from), usize::from(first));
    let Some((before, behind)) = registers.split_at_mut_checked(first) else { return false };
    let Some(Value::Tuple(items)) = before.get(from) else { return false };
    if items.len() != usize::from(count) {
        return false;
    }
    behind.iter_mut().zip(items.iter()).for_each(|(register, item)| put_copy(register, item));
    true
}
