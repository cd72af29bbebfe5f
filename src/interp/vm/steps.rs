//! Steps of the loop over what is frequent that are more than a number: functions of their own, so that the
//! loop keeps its registers. Where one says that it was not done, nothing has happened.

use std::rc::Rc;

use super::arithmetic::Plain;
use super::register::{forget, put, put_copy, put_float, put_global, put_int, put_taken, take};
use super::{arithmetic, op, quick};
use crate::interp::compile::{CallSite, Code, Reg};
use crate::interp::object::class::ClassRef;
use crate::interp::shared::Slot;
use crate::interp::value::{Slice, Type, Value};
use crate::interp::{Evaluator, room};
use crate::syntax::ast::{BinaryOp, CompareOp};

/// A constant that is no register of its own.
#[inline(never)]
pub(super) fn constant(code: &Code, register: &mut Value, index: u32) {
    put_copy(register, &code.constants[index as usize]);
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
pub(super) fn binary(registers: &mut [Value], op: BinaryOp, to: Reg, a: Reg, b: Reg) -> bool {
    let (a, b) = (&registers[usize::from(a)], &registers[usize::from(b)]);
    let Some(plain) = Plain::binary(op, a, b) else { return false };
    let register = &mut registers[usize::from(to)];
    match plain {
        Plain::Int(value) => put_int(register, value),
        Plain::Float(value) => put_float(register, value),
    }
    true
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
    binary(registers, BinaryOp::Add, to, a, b)
}

#[inline(never)]
pub(super) fn compared_otherwise(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    match (op, a, b) {
        (CompareOp::Eq, Value::Str(a), Value::Str(b)) => Some(a == b),
        (CompareOp::Ne, Value::Str(a), Value::Str(b)) => Some(a != b),
        (CompareOp::In, element, container) => quick::contains(container, element),
        (CompareOp::NotIn, element, container) => {
            quick::contains(container, element).map(|is_there| !is_there)
        }
        _ => arithmetic::compare(op, a, b),
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
        _ => return None,
    })
}

/// The next item of what a loop goes through, where that runs nothing of the program.
#[inline(never)]
pub(super) fn next_item(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    iter: Reg,
) -> quick::Next {
    let places = [usize::from(to), usize::from(iter)];
    let Ok([place, Value::Iterator(items)]) = registers.get_disjoint_mut(places) else {
        return quick::next(registers, to, iter);
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
    let is_done = quick::item(evaluator, registers, to, (base, index));
    if is_done {
        forget(registers, code.first_temporary, base);
    }
    is_done
}

/// `base[index] = from`; whether it was done.
#[inline(never)]
pub(super) fn set_subscript(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    places: (Reg, Reg),
    from: Reg,
) -> bool {
    quick::store(evaluator, code, registers, places, from)
        || quick::put_element(evaluator, code, registers, places, from)
}

/// The next item of a comprehension, where the list has room for it; whether it was done.
#[inline(never)]
pub(super) fn append(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    list: Reg,
    item: Reg,
) -> bool {
    let Value::List(items) = &registers[usize::from(list)] else { return false };
    let items = items.clone();
    // Nobody else has it yet.
    let mut items = items.change_last(&evaluator.interp.journal);
    let has_room = items.len() < items.capacity();
    if has_room {
        items.push(take(registers, code.first_temporary, item));
    }
    has_room
}

#[inline(never)]
pub(super) fn tuple(registers: &mut [Value], to: Reg, first: Reg, count: u16) {
    let first = usize::from(first);
    let items = registers[first..first + usize::from(count)].iter_mut();
    let items = items.map(|item| std::mem::replace(item, Value::None)).collect();
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
    let value = take(registers, code.first_temporary, from);
    op::ensure(evaluator);
    op::set_cell(evaluator, cell, value);
}
