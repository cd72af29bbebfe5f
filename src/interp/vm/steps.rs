//! Steps of the loop over what is frequent that are more than a number: functions of their own, so that the
//! loop keeps its registers. Where one says that it was not done, nothing has happened.

use std::rc::Rc;

use super::arithmetic::Plain;
use super::inline::put_number;
use super::register::{forget, is_plain, put, put_copy, put_global, put_taken, take};
use super::{arithmetic, entry_loop, number, op, quick};
use crate::interp::compare::plain_order;
use crate::interp::compile::{CallSite, Code, Op, Reg};
use crate::interp::object::class::ClassRef;
use crate::interp::shared::Slot;
use crate::interp::value::{Slice, Str, Tuple, Type, Value};
use crate::interp::{Evaluator, complex, room};
use crate::syntax::ast::{BinaryOp, CompareOp};

/// Bytes of a text that is made without asking for room.
const SHORT: usize = 256;
const SHORT_TIMES: i64 = SHORT as i64;

/// A constant that is no register of its own.
#[inline(never)]
pub(super) fn constant(code: &Code, register: &mut Value, index: u32) {
    let value = &code.constants[index as usize];
    match (&*register, value) {
        (Value::Str(known), Value::Str(text)) if Str::ptr_eq(known, text) => {}
        (Value::Slice(known), Value::Slice(slice)) if Rc::ptr_eq(known, slice) => {}
        _ => put_copy(register, value),
    }
}

/// What stands in a register goes to another one as well, where it is no number.
#[inline(never)]
pub(super) fn copy_other(to: &mut Value, from: &Value) {
    put_copy(to, from);
}

/// What stands in a register goes to another one, where it is no number.
#[inline(never)]
pub(super) fn move_other(to: &mut Value, from: &mut Value) {
    put_taken(to, from);
}

/// What a global name holds, or is built in under it; whether there is anything.
#[inline(never)]
pub(super) fn global(code: &Code, register: &mut Value, index: u16) -> bool {
    let global = &code.globals[usize::from(index)];
    match (&*global.slot.borrow(), &global.built_in) {
        (Some(value), _) | (None, Some(value)) => put_global(register, value),
        (None, None) => return false,
    }
    true
}

/// `to = a op b` of numbers; whether it was done.
#[inline(never)]
pub(super) fn binary(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    op: BinaryOp,
    to: Reg,
    (a, b): (Reg, Reg),
) -> bool {
    let (left, right) = (&registers[usize::from(a)], &registers[usize::from(b)]);
    let Some(plain) = Plain::binary(op, left, right) else {
        let Some(made) = joined(op, left, right).or_else(|| of_complex(op, left, right)) else {
            return number::binary(evaluator, registers, op, to, (a, b));
        };
        put(&mut registers[usize::from(to)], made);
        return true;
    };
    put_number(&mut registers[usize::from(to)], &plain);
    true
}

/// `a + b` of short texts, and `a * n`.
fn joined(op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    if let (BinaryOp::Mul, Value::Str(text), Value::Int(times @ 0..=SHORT_TIMES)) = (op, a, b) {
        let is_short = text.len() * *times as usize <= SHORT;
        return is_short.then(|| {
            Value::Str(Str::built(|whole| (0..*times).for_each(|_| whole.push_str(text))))
        });
    }
    let (BinaryOp::Add, Value::Str(a), Value::Str(b)) = (op, a, b) else { return None };
    if a.len() + b.len() > SHORT {
        return None;
    }
    let text = Str::built(|whole| {
        whole.push_str(a);
        whole.push_str(b);
    });
    Some(Value::Str(text))
}

/// `a op b` of complex numbers, or of one and a float or an integer, where it can't fail.
fn of_complex(op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
    use Value::{Complex, Float, Int};
    match (a, b) {
        (Complex(_), Complex(_) | Float(_) | Int(_)) | (Float(_) | Int(_), Complex(_)) => {
            complex::binary(op, a, b)?.ok()
        }
        _ => None,
    }
}

/// `to += b` of numbers, and of texts where nobody else has the first; whether it was done.
#[inline(never)]
pub(super) fn add_to(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    a: Reg,
    b: Reg,
) -> bool {
    let pair = [usize::from(a), usize::from(b)];
    if let Ok([Value::Str(whole), Value::Str(more)]) = registers.get_disjoint_mut(pair) {
        let engine = &evaluator.interp.engine;
        return to == a
            && matches!(whole.append(more, |bytes| room::text(engine, bytes)), Ok(true));
    }
    binary(evaluator, registers, BinaryOp::Add, to, (a, b))
}

#[inline(never)]
pub(super) fn compared_otherwise(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    match (op, a, b) {
        (CompareOp::Eq, Value::Str(a), Value::Str(b)) => Some(is_same_text(a, b)),
        (CompareOp::Ne, Value::Str(a), Value::Str(b)) => Some(!is_same_text(a, b)),
        (CompareOp::In, element, container) => quick::contains(container, element),
        (CompareOp::NotIn, element, container) => {
            quick::contains(container, element).map(|is_there| !is_there)
        }
        (_, Value::Str(a), Value::Str(b)) => arithmetic::holds(op, a.cmp(b)),
        (_, Value::Tuple(_), Value::Tuple(_)) => compared_tuples(op, a, b),
        _ => arithmetic::compare(op, a, b),
    }
}

#[inline]
fn is_same_text(a: &Str, b: &Str) -> bool {
    if Str::ptr_eq(a, b) {
        return true;
    }
    match (a.as_bytes(), b.as_bytes()) {
        ([a], [b]) => a == b,
        (a, b) => a == b,
    }
}

/// Whether a comparison of tuples holds, where their first items that differ are of one plain type.
fn compared_tuples(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    match op {
        CompareOp::Is | CompareOp::IsNot => None,
        _ => arithmetic::holds(op, plain_order(a, b)?),
    }
}

/// Whether a value is true that is no number, of those that need nobody to say so.
#[inline(never)]
pub(super) fn other_truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Float(number) => *number != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::List(items) => !items.borrow().is_empty(),
        Value::Tuple(items) => !items.is_empty(),
        Value::Dict(entries) => !entries.borrow().is_empty(),
        Value::Set(elements) => !elements.borrow().is_empty(),
        Value::Tensor(tensor) => tensor.number()?.as_bool(),
        _ => return None,
    })
}

/// The next item of what a loop goes through, where that runs nothing of the program, and how many operations
/// that did: an item that the one behind the loop's jump takes apart need not be made.
#[inline(never)]
pub(super) fn next(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    pc: usize,
    (to, iter): (Reg, Reg),
) -> (quick::Next, usize) {
    if let Value::Generator(_) = registers[usize::from(iter)] {
        return (quick::Next::Unknown, 0);
    }
    if let Some(&Op::Unpack { from, first, count }) = code.ops.get(pc + 1)
        && from == to
        && from >= code.first_temporary
    {
        match quick::next_parts(evaluator, registers, iter, first, count) {
            quick::Next::Unknown => {}
            next => return (next, 2),
        }
    }
    (next_item(evaluator, registers, to, iter), 1)
}

#[inline]
fn next_item(evaluator: Evaluator<'_>, registers: &mut [Value], to: Reg, iter: Reg) -> quick::Next {
    match registers[usize::from(iter)] {
        Value::List(_) | Value::Tuple(_) => return quick::next(registers, to, iter),
        Value::Str(_) => return next_letter(evaluator, registers, to, iter),
        Value::Dict(_) | Value::View(_) => {
            return entry_loop::next(registers, usize::from(to), usize::from(iter));
        }
        Value::Tensor(_) => return number::next(evaluator, registers, to, iter),
        _ => {}
    }
    let places = [usize::from(to), usize::from(iter)];
    let Ok([place, Value::Iterator(items)]) = registers.get_disjoint_mut(places) else {
        return quick::Next::Unknown;
    };
    if !items.is_plain() {
        return quick::Next::Unknown;
    }
    op::ensure(evaluator);
    match evaluator.next(items) {
        Ok(Some(item)) => {
            put(place, item);
            quick::Next::Item
        }
        Ok(None) => quick::Next::End,
        Err(_) => quick::Next::Unknown,
    }
}

/// The next letter of a text that a loop goes through: where it begins stands behind it.
fn next_letter(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    iter: Reg,
) -> quick::Next {
    let places = [to, iter, iter + 1].map(usize::from);
    let Ok([to, Value::Str(text), Value::Int(at)]) = registers.get_disjoint_mut(places) else {
        return quick::Next::Unknown;
    };
    let letter = match text.as_bytes().get(*at as usize) {
        None => return quick::Next::End,
        Some(byte) if byte.is_ascii() => char::from(*byte),
        Some(_) => match text[*at as usize..].chars().next() {
            Some(letter) => letter,
            None => return quick::Next::End,
        },
    };
    *at += letter.len_utf8() as i64;
    evaluator.interp.put_letter(to, letter);
    quick::Next::Item
}

/// What a loop goes through; whether it is something plain.
#[inline(never)]
pub(super) fn iter(registers: &mut [Value], first_temporary: Reg, to: Reg, from: Reg) -> bool {
    quick::iter(registers, first_temporary, to, from)
}

/// `first = from[0]; …` of a tuple, which is let go of where it is a temporary; whether it was done.
#[inline(never)]
pub(super) fn unpack(
    registers: &mut [Value],
    first_temporary: Reg,
    (from, first): (Reg, Reg),
    count: u16,
) -> bool {
    let is_done = quick::unpack(registers, from, first, count);
    if is_done {
        forget(registers, first_temporary, from);
    }
    is_done
}

/// `to = base[index]` of a list, a tuple, a text or a dictionary, which is let go of where it is a temporary;
/// whether it was done.
#[inline(never)]
pub(super) fn subscript(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    to: Reg,
    (base, index): (Reg, Reg),
) -> bool {
    let is_done = item(evaluator, registers, to, (base, index));
    if is_done {
        forget(registers, code.first_temporary, base);
    }
    is_done
}

/// The same of what stays where it is.
#[inline(never)]
pub(super) fn item(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    places: (Reg, Reg),
) -> bool {
    quick::item(evaluator, registers, to, places)
        || number::element(evaluator, registers, to, places)
}

/// `base[index] = from` of a list or a dictionary; whether it was done. `is_last`: nothing in the statement can fail
/// afterwards.
#[inline(never)]
pub(super) fn set_subscript(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    places: (Reg, Reg),
    from: Reg,
    is_last: bool,
) -> bool {
    quick::store(evaluator, code, registers, places, from, is_last)
}

#[inline(never)]
pub(super) fn tuple(registers: &mut [Value], to: Reg, first: Reg, count: u16) {
    let first = usize::from(first);
    let items = Tuple::taking(&mut registers[first..first + usize::from(count)]);
    put(&mut registers[usize::from(to)], Value::Tuple(items));
}

#[inline(never)]
pub(super) fn list(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    first: Reg,
    count: u16,
) {
    let first = usize::from(first);
    let items = registers[first..first + usize::from(count)].iter_mut();
    let items = items.map(|item| std::mem::replace(item, Value::None)).collect();
    put(&mut registers[usize::from(to)], Value::List(Rc::new(evaluator.made(items))));
}

/// `start:stop:step`
#[inline(never)]
pub(super) fn slice(registers: &mut [Value], to: Reg, first: Reg) {
    let mut part =
        |at: Reg| std::mem::replace(&mut registers[usize::from(first + at)], Value::None);
    let slice = Slice { start: part(0), stop: part(1), step: part(2) };
    put(&mut registers[usize::from(to)], Value::Slice(Rc::new(slice)));
}

/// Calls a built-in function that answers at once; whether it did.
#[inline(never)]
pub(super) fn call(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    places: (Reg, Reg),
    first: usize,
    site: &CallSite,
) -> bool {
    if let Value::Method(_) = registers[usize::from(places.1)] {
        return quick::call_method(evaluator, registers, places, first, site);
    }
    quick::call(evaluator, registers, places, first, site)
}

/// Whether `except class` takes an exception, where that is one class.
#[inline(never)]
pub(super) fn catches(registers: &[Value], error: Reg, class: Reg) -> Option<bool> {
    let Value::Object(object) = &registers[usize::from(error)] else { return None };
    let class = match &registers[usize::from(class)] {
        Value::Type(of @ Type::Error(_)) => ClassRef::Native(*of),
        _ => return None,
    };
    Some(object.class.is_a(&class))
}

#[inline(never)]
pub(super) fn set_global(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    from: Reg,
    index: u16,
    is_last: bool,
) {
    let value = take(registers, code.first_temporary, from);
    if !is_last {
        op::ensure(evaluator);
    }
    // Where nothing else in the statement has changed and nothing can fail, there is nothing to keep for
    // the case that it does.
    code.globals[usize::from(index)].slot.replace(&evaluator.interp.journal, Some(value));
}

/// The function of a `def` or a `lambda`, with the variables of the frame and those around its function.
#[inline(never)]
pub(super) fn function(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (to, first): (Reg, Reg),
    index: u16,
    (cells, captured): (&[Slot], &[Slot]),
) {
    let mut context = op::Context { evaluator, code, registers, at: 0 };
    context.function(to, first, index, cells, captured);
}

/// What a variable holds that functions share; whether it holds anything.
#[inline(never)]
pub(super) fn shared(cell: &Slot, register: &mut Value) -> bool {
    let value = cell.borrow();
    if let Some(value) = &*value {
        put_copy(register, value);
    }
    value.is_some()
}

#[inline(never)]
pub(super) fn set_shared(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    from: Reg,
    cell: &Slot,
) {
    // A number where a number stood, and nothing to keep.
    let (journal, value) = (&evaluator.interp.journal, &registers[usize::from(from)]);
    if is_plain(value)
        && evaluator.interp.is_in_transaction()
        && cell.is_kept(journal, false)
        && let Some(Some(held)) = cell.try_borrow_mut().as_deref_mut()
    {
        return put_copy(held, value);
    }
    let value = take(registers, code.first_temporary, from);
    op::ensure(evaluator);
    op::set_cell(evaluator, cell, value);
}
