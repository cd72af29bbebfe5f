//! Fields that are numbers, and methods, of objects of the class that a place saw last: functions that call
//! nothing, so that they cost little more than their work. What they don't do goes the longer way
//! ([`attribute`](super::attribute)), which sees the class.

use std::rc::Rc;

use super::arithmetic::Plain;
use super::inline;
use super::leaf::put_plain;
use super::window::Registers;
use crate::interp::Evaluator;
use crate::interp::compile::{Code, Reg, Seen};
use crate::interp::object::class::Class;
use crate::interp::object::instance::Instance;
use crate::interp::value::Value;

/// Puts the number in a field into a register; whether it was done.
#[inline(never)]
pub(super) fn put_number<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    (to, object): (Reg, Reg),
    name: u16,
) -> bool {
    let found = number(evaluator, code, registers, object, name);
    if let Some(number) = &found {
        inline::put_number(registers.at(to), number);
    }
    found.is_some()
}

#[inline(always)]
fn number<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &R,
    object: Reg,
    name: u16,
) -> Option<Plain> {
    let object = variable(code, registers, object)?;
    let Seen::Field { class, changes, name, at } = seen(code, name)? else { return None };
    if !is_as_seen(evaluator, object, class, changes) {
        return None;
    }
    let fields = object.known_fields()?.try_borrow()?;
    match fields.few_at(at)? {
        (key, Value::Int(number)) if key.is_text_at(name) => Some(Plain::Int(*number)),
        (key, Value::Float(number)) if key.is_text_at(name) => Some(Plain::Float(*number)),
        _ => None,
    }
}

/// Puts a number, a truth or `None` into a field that holds one and needs no keeping any more; whether it was
/// done.
#[inline(never)]
pub(super) fn set_number<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &R,
    (object, from): (Reg, Reg),
    name: u16,
) -> bool {
    let put = || {
        let object = variable(code, registers, object)?;
        let Seen::Field { class, changes, name, at } = seen(code, name)? else { return None };
        let interp = evaluator.interp;
        if !is_as_seen(evaluator, object, class, changes) || !interp.is_in_transaction() {
            return None;
        }
        let fields = object.known_fields()?;
        if !fields.is_kept(&interp.journal, false) {
            return None;
        }
        let mut fields = fields.try_borrow_mut()?;
        let (key, place) = fields.few_at_mut(at)?;
        (key.is_text_at(name) && put_plain(place, registers.get(from))).then_some(())
    };
    put().is_some()
}

/// Whether a register holds the method that an object has under a name.
#[inline(never)]
pub(super) fn is_method<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &R,
    (function, object): (Reg, Reg),
    name: u16,
) -> bool {
    let Some(object) = variable(code, registers, object) else { return false };
    let Value::Closure(function) = registers.get(function) else { return false };
    let Some(Seen::Method { class, changes, function: method, bit }) = seen(code, name) else {
        return false;
    };
    std::ptr::eq(Rc::as_ptr(function), method)
        && is_as_seen(evaluator, object, class, changes)
        && object
            .known_fields()
            .is_none_or(|fields| fields.try_borrow().is_some_and(|fields| !fields.may_have(bit)))
}

/// The object that a variable holds. What a temporary holds would have to be let go of.
#[inline(always)]
fn variable<'r, R: Registers + ?Sized>(
    code: &Code,
    registers: &'r R,
    register: Reg,
) -> Option<&'r Instance> {
    match registers.get(register) {
        Value::Object(object) if register < code.first_temporary => Some(object),
        _ => None,
    }
}

#[inline(always)]
fn seen(code: &Code, name: u16) -> Option<Seen> {
    code.lookups.get(usize::from(name)).map(|lookup| lookup.seen())
}

/// Whether an object's class is this one, as it was then.
#[inline(always)]
fn is_as_seen(
    evaluator: Evaluator<'_>,
    object: &Instance,
    class: *const Class,
    changes: u64,
) -> bool {
    std::ptr::eq(object.class.address(), class) && changes == evaluator.interp.class_changes.get()
}
