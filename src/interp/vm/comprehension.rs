//! What a comprehension adds to the list, the set or the dictionary that it makes, which nobody else has yet: where
//! that has room.

use super::quick;
use super::register::{forget, take};
use crate::interp::Evaluator;
use crate::interp::compile::{Code, Reg};
use crate::interp::value::Value;

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

/// `{item, …}` in a comprehension, where the set has room for it; whether it was done.
#[inline(never)]
pub(super) fn set_add(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    set: Reg,
    item: Reg,
) -> bool {
    let Some(key) = quick::key(&registers[usize::from(item)]) else { return false };
    let Value::Set(members) = &registers[usize::from(set)] else { return false };
    {
        let members = members.borrow();
        if members.len() == members.capacity() || members.speaks() {
            return false;
        }
    }
    members.change_last(&evaluator.interp.journal).insert(key);
    forget(registers, code.first_temporary, item);
    true
}

/// `{key: value, …}` in a comprehension, where the dictionary has room for it; whether it was done.
#[inline(never)]
pub(super) fn insert(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    dict: Reg,
    item: Reg,
) -> bool {
    let Some(key) = quick::key(&registers[usize::from(item)]) else { return false };
    let Value::Dict(entries) = &registers[usize::from(dict)] else { return false };
    let entries = entries.clone();
    {
        let entries = entries.borrow();
        if entries.len() == entries.capacity() || entries.speaks() {
            return false;
        }
    }
    let value = take(registers, code.first_temporary, item + 1);
    forget(registers, code.first_temporary, item);
    entries.change_last(&evaluator.interp.journal).insert(key, value);
    true
}
