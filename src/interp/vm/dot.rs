//! Fields and methods of objects of the class that a place saw last: functions that call nothing where numbers
//! are put, so that they cost little more than their work. What they don't do goes the longer way
//! ([`attribute`](super::attribute)), which sees the class.

use std::cell::Ref;
use std::rc::Rc;

use super::leaf::{plain, put_plain};
use super::register::{put, put_float, put_int, put_receiver};
use super::steps;
use super::window::Registers;
use crate::interp::Evaluator;
use crate::interp::compile::{Code, Found, Reg, Seen};
use crate::interp::object::class::Class;
use crate::interp::object::instance::Instance;
use crate::interp::object::member::Member;
use crate::interp::value::{Entries, Value};

/// Puts what a field holds into a register; whether it was done.
#[inline(never)]
pub(super) fn put_field<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    (to, object): (Reg, Reg),
    name: u16,
) -> bool {
    if to == object {
        return follow(evaluator, code, registers, object, name).is_some();
    }
    if object >= code.first_temporary {
        return false;
    }
    let Some((to, Value::Object(object))) = registers.pair(to, object) else { return false };
    let Some(value) = field(evaluator, code, object, name) else { return false };
    match &*value {
        Value::Int(number) => put_int(to, *number),
        Value::Float(number) => put_float(to, *number),
        other => steps::copy_other(to, other),
    }
    true
}

/// `object = object.name`, as it goes along a list of nodes.
#[inline(never)]
fn follow<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    object: Reg,
    name: u16,
) -> Option<()> {
    let Value::Object(held) = registers.get(object) else { return None };
    let value = field(evaluator, code, held, name)?.clone();
    put(registers.at(object), value);
    Some(())
}

/// What the field of an object holds that this place saw last.
#[inline(always)]
fn field<'o>(
    evaluator: Evaluator<'_>,
    code: &Code,
    object: &'o Instance,
    name: u16,
) -> Option<Ref<'o, Value>> {
    let Seen::Field { class, changes, name, at } = seen(code, name)? else { return None };
    if !is_as_seen(evaluator, object, class, changes) {
        return None;
    }
    let fields = object.known_fields()?.try_borrow()?;
    Ref::filter_map(fields, |fields| {
        let (key, value) = fields.few_at(at)?;
        key.is_text_at(name).then_some(value)
    })
    .ok()
}

/// Puts a number, a truth or `None` into a field that holds one, or comes where it came last, and needs no keeping any
/// more; whether it was done.
#[inline(never)]
pub(super) fn set_number<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &R,
    (object, from): (Reg, Reg),
    name: u16,
) -> bool {
    let lookup = name;
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
        match fields.few_at_mut(at) {
            Some((key, place)) => {
                (key.is_text_at(name) && put_plain(place, registers.get(from))).then_some(())
            }
            None => add(code, &mut fields, lookup, registers.get(from)),
        }
    };
    put().is_some()
}

/// The first value of the field that a place has seen.
#[inline(never)]
fn add(code: &Code, fields: &mut Entries, name: u16, value: &Value) -> Option<()> {
    let value = plain(value)?;
    let found = code.lookups[usize::from(name)].found();
    let Some(Found::Member { member: Member::Field(field), .. }) = &*found else { return None };
    field.add(fields, value);
    Some(())
}

/// Puts the receiver of a method behind the register that holds the function, if that is the one that the object
/// has under a name; whether it was done.
#[inline(never)]
pub(super) fn put_method<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut R,
    (to, object): (Reg, Reg),
    name: u16,
) -> bool {
    let is_there = is_method(evaluator, code, registers, (to, object), name);
    if is_there && let Some((to, object)) = registers.pair(to + 1, object) {
        put_receiver(to, object);
    }
    is_there
}

/// Whether a register holds the method that an object has under a name.
#[inline(always)]
fn is_method<R: Registers + ?Sized>(
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
