//! Loops over dictionaries and their views, without an iterator: how far one is stands in the registers behind the
//! dictionary, as the two numbers of a [`Walk`].

use super::quick::Next;
use super::register::{put, put_copy, put_int};
use crate::interp::object::view::{Shown, Walk};
use crate::interp::value::{Dict, Key, Value};
use crate::tensor::Error;

fn parts(value: &Value) -> Option<(&Dict, Shown)> {
    match value {
        Value::Dict(dict) => Some((dict, Shown::Keys)),
        Value::View(view) => Some((&view.dict, view.shown)),
        _ => None,
    }
}

/// Begins a loop over the dictionary or view that stands in the first of three registers.
pub(super) fn begin(state: &mut [Value]) {
    let [items, at, counts, ..] = state else { return };
    let Some((dict, _)) = parts(items) else { return };
    let [first, second] = Walk::new(&dict.borrow(), false).packed();
    put_int(at, first);
    put_int(counts, second);
}

/// Shows the next entry, if there is one, and says whether there was; `None` where this is no such loop. An error moves
/// nothing.
#[inline]
pub(super) fn step(
    state: &mut [Value],
    see: impl FnOnce(Shown, &Key, &Value),
) -> Option<Result<bool, Error>> {
    let [items, Value::Int(at), Value::Int(counts), ..] = state else { return None };
    let (dict, shown) = parts(items)?;
    let entries = dict.try_borrow()?;
    let mut walk = Walk::unpacked([*at, *counts]);
    let entry = match walk.step(&entries) {
        Ok(entry) => entry,
        Err(error) => return Some(Err(error)),
    };
    [*at, *counts] = walk.packed();
    if let Some((key, value)) = entry {
        see(shown, key, value);
    }
    Some(Ok(entry.is_some()))
}

/// Puts what a loop meets next where it is wanted.
#[inline]
pub(super) fn next(registers: &mut [Value], to: usize, iter: usize) -> Next {
    let Ok([to, state]) = registers.get_disjoint_mut([to..to + 1, iter..iter + 3]) else {
        return Next::Unknown;
    };
    of(step(state, |shown, key, value| match shown {
        Shown::Keys => put_copy(&mut to[0], key.value()),
        Shown::Values => put_copy(&mut to[0], value),
        Shown::Items => put(&mut to[0], shown.of((key, value))),
    }))
}

/// The same of pairs, each part to its own place.
#[inline]
pub(super) fn next_parts(state: &mut [Value], targets: &mut [Value]) -> Next {
    let ([first, second], [Value::View(view), ..]) = (targets, &*state) else {
        return Next::Unknown;
    };
    if view.shown != Shown::Items {
        return Next::Unknown;
    }
    of(step(state, |_, key, value| {
        put_copy(first, key.value());
        put_copy(second, value);
    }))
}

fn of(entry: Option<Result<bool, Error>>) -> Next {
    match entry {
        Some(Ok(true)) => Next::Item,
        Some(Ok(false)) => Next::End,
        Some(Err(_)) | None => Next::Unknown,
    }
}
