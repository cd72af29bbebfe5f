//! Numbers in dictionaries, by keys that are numbers or texts: the frequent case of a program that counts, done by
//! functions that call little, as those of [`leaf`](super::leaf). What they don't do goes the longer way.

use super::arithmetic::Plain;
use super::inline::{let_go, put_number};
use super::leaf::put_plain;
use super::window::Registers;
use crate::interp::Evaluator;
use crate::interp::compile::{CallSite, Code, Reg};
use crate::interp::value::{Entries, Sought, Value};

/// The number that stands under a key, or would if nothing does.
#[inline(always)]
fn number(entries: &Entries, key: &Value, otherwise: &Value) -> Option<Plain> {
    let sought = Sought::of(key)?;
    let counted = match sought {
        Sought::Int(number) => entries.counted(number),
        Sought::Text(_) | Sought::Parts(..) => None,
    };
    let found = match counted {
        Some(found) => found,
        None => match entries.get(&sought) {
            Some(found) => found,
            // A key of the program may say that it is this one.
            None if entries.speaks() => return None,
            None => otherwise,
        },
    };
    match found {
        Value::Int(number) => Some(Plain::Int(*number)),
        Value::Float(number) => Some(Plain::Float(*number)),
        _ => None,
    }
}

/// `to = dict[key]`; whether it was done.
#[inline(never)]
pub(super) fn item<R: Registers + ?Sized>(
    registers: &mut R,
    to: Reg,
    (dict, key): (Reg, Reg),
) -> bool {
    let (Value::Dict(entries), key) = (registers.get(dict), registers.get(key)) else {
        return false;
    };
    let Some(entries) = entries.try_borrow() else { return false };
    let found = number(&entries, key, &Value::Unbound);
    drop(entries);
    if let Some(number) = &found {
        put_number(registers.at(to), number);
    }
    found.is_some()
}

/// `dict[key] = from` of a number in the place of another one, where the dictionary needs no keeping any more, in a
/// transaction; whether it was done.
#[inline(never)]
pub(super) fn set_item<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    registers: &R,
    (dict, key): (Reg, Reg),
    from: Reg,
) -> bool {
    let Value::Dict(entries) = registers.get(dict) else { return false };
    let Some(key) = Sought::of(registers.get(key)) else { return false };
    if !entries.is_kept(&evaluator.interp.journal, false) {
        return false;
    }
    let Some(mut entries) = entries.try_borrow_mut() else { return false };
    let value = registers.get(from);
    if let Sought::Int(number) = key
        && let Some(place) = entries.counted_mut(number)
    {
        return put_plain(place, value);
    }
    match entries.get_mut(&key) {
        Some(place) => put_plain(place, value),
        None => false,
    }
}

/// Calls `dict.get`, where it is known, of a dictionary that a variable holds. The receiver has stayed where it is,
/// as in [`there`](super::there); whether it was done.
#[inline(never)]
pub(super) fn get<R: Registers + ?Sized>(
    code: &Code,
    registers: &mut R,
    (to, callee): (Reg, Reg),
    site: &CallSite,
) -> bool {
    let Some((dict, _)) = site.there else { return false };
    let otherwise = match site.exact {
        2 => &Value::None,
        3 => registers.get(callee + 3),
        _ => return false,
    };
    let (Value::Dict(entries), key) = (registers.get(dict), registers.get(callee + 2)) else {
        return false;
    };
    if dict >= code.first_temporary {
        return false;
    }
    let Some(entries) = entries.try_borrow() else { return false };
    let found = number(&entries, key, otherwise);
    drop(entries);
    if let Some(number) = &found {
        (2..=site.exact).for_each(|at| let_go(registers.at(callee + at)));
        put_number(registers.at(to), number);
    }
    found.is_some()
}
