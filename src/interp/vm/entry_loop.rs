//! Loops over dictionaries and their views, without an iterator: how far one is stands in the registers behind the
//! dictionary.
//!
//! The first number is the place of the next entry, and a mark of the last key in its upper half; the second one how
//! many entries there were at the beginning and, in its lower half, how many of these are to come.

use super::quick::Next;
use super::register::{put, put_copy, put_int};
use crate::interp::object::view::Shown;
use crate::interp::value::{Dict, Key, Value};

/// Half of a register's number.
const HALF: u32 = 32;
const LOWER: i64 = (1 << HALF) - 1;

/// An entry, the end, or what was changed meanwhile.
pub(super) enum Entry {
    Shown,
    End,
    Changed(&'static str),
}

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
    // No memory holds as many entries as half a number counts.
    let len = dict.borrow().len() as i64;
    put_int(at, 0);
    put_int(counts, len << HALF | len);
}

/// Shows the next entry; `None` where this is no such loop. What was changed moves nothing.
#[inline]
pub(super) fn step(state: &mut [Value], see: impl FnOnce(Shown, &Key, &Value)) -> Option<Entry> {
    let [items, Value::Int(at), Value::Int(counts), ..] = state else { return None };
    let (dict, shown) = parts(items)?;
    let entries = dict.try_borrow()?;
    if entries.len() as i64 != *counts >> HALF {
        return Some(Entry::Changed("changed size"));
    }
    let (place, mark) = ((*at & LOWER) as usize, *at >> HALF);
    let is_other = |key: &Key| mark_of(key) != mark;
    // Of a few entries those behind one that is taken out move up.
    if mark != 0 && entries.key_that_moves(place - 1).is_some_and(is_other) {
        return Some(Entry::Changed("keys changed"));
    }
    let Some((place, key, value)) = entries.first_from(place) else { return Some(Entry::End) };
    if *counts & LOWER == 0 {
        return Some(Entry::Changed("keys changed"));
    }
    let mark = if entries.key_that_moves(place).is_some() { mark_of(key) } else { 0 };
    *counts -= 1;
    *at = mark << HALF | (place as i64 + 1);
    see(shown, key, value);
    Some(Entry::Shown)
}

/// What tells a key from another one, and is not zero.
#[inline]
fn mark_of(key: &Key) -> i64 {
    let mark = match key.value() {
        Value::Int(number) => *number,
        Value::Str(text) => text.as_ptr().addr() as i64 >> 3,
        other => other.identity().map_or(0, |(place, _)| place.addr() as i64 >> 3),
    };
    (mark & LOWER >> 2) << 1 | 1
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

fn of(entry: Option<Entry>) -> Next {
    match entry {
        Some(Entry::Shown) => Next::Item,
        Some(Entry::End) => Next::End,
        Some(Entry::Changed(_)) | None => Next::Unknown,
    }
}
