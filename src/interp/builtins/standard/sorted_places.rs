//! Places among items in order, for the texts of `heapq` and `bisect`: where items are compared without asking
//! anybody, and in heaps also where they are objects of one class of the program, whose method is called again and
//! again. Where one of these says that it was not done, nothing has happened, and the text does it.

use std::cmp::Ordering;

use super::super::{Builtin, Call, Quick, QuickChange};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::compare::plain_order;
use crate::interp::shared::ItemStep;
use crate::interp::value::{List, Value};
use crate::interp::vm::register::{put, put_bool, put_int};

pub const HIDDEN: &[Builtin] = &[
    changing("risen(heap, item, /)", risen, "Puts an item into a heap; whether it was done."),
    changing(
        "sunk(heap, at, item, /)",
        sunk,
        "Puts an item in the place of one in a heap that is a heap from there on; whether it was done.",
    ),
    Builtin::hidden(
        "moved(heap, at, is_down, /)",
        |call| moved(call),
        "Moves an item of a heap up or down to where it belongs; whether it was done.",
    ),
    Builtin::hidden(
        "place_of(items, item, low, high, behind, /)",
        |_| Ok(Value::None),
        "Where an item goes among items in order, in front of its equals or behind them.",
    )
    .quick(place_of as Quick),
];

const fn changing(signature: &'static str, quick: QuickChange, doc: &'static str) -> Builtin {
    Builtin::hidden(signature, |_| Ok(Value::Bool(false)), doc).quick_change(quick)
}

fn is_less(a: &Value, b: &Value) -> Option<bool> {
    plain_order(a, b).map(Ordering::is_lt)
}

/// Why a path is not found: a comparison failed, or nobody here can compare.
type Stop = Option<Fault>;

/// The places of a heap that an item passes on its way up from `at`, which comes first.
fn way_up(
    heap: &List,
    at: usize,
    item: &Value,
    mut is_less: impl FnMut(&Value, &Value) -> Result<bool, Stop>,
) -> Result<Vec<usize>, Stop> {
    let mut path = vec![at];
    let mut at = at;
    while at > 0 {
        at = (at - 1) / 2;
        if !is_less(item, &item_of(heap, at)?)? {
            break;
        }
        path.push(at);
    }
    Ok(path)
}

/// The places that an item passes on its way down from `first`.
fn way_down(
    heap: &List,
    first: usize,
    item: &Value,
    mut is_less: impl FnMut(&Value, &Value) -> Result<bool, Stop>,
) -> Result<Vec<usize>, Stop> {
    let end = heap.borrow().len();
    let mut path = vec![first];
    let mut below = 2 * first + 1;
    // As in CPython: down to a leaf with the smaller of the two below, then up again.
    while below < end {
        if below + 1 < end && !is_less(&item_of(heap, below)?, &item_of(heap, below + 1)?)? {
            below += 1;
        }
        path.push(below);
        below = 2 * below + 1;
    }
    while path.len() > 1 && is_less(item, &item_of(heap, path[path.len() - 1])?)? {
        path.pop();
    }
    Ok(path)
}

/// An item, where no comparison has taken it away.
fn item_of(heap: &List, at: usize) -> Result<Value, Stop> {
    heap.borrow().get(at).cloned().ok_or_else(|| Some(changed()))
}

fn changed() -> Fault {
    Fault::new(ErrorKind::Runtime, "list changed size during iteration")
}

fn plainly(a: &Value, b: &Value) -> Result<bool, Stop> {
    is_less(a, b).ok_or(None)
}

fn risen(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value, _: bool) -> Option<()> {
    let [Value::List(heap), item] = arguments else { return None };
    let (len, capacity) = (heap.borrow().len(), heap.borrow().capacity());
    // Where it must grow, somebody asks whether there is room.
    if len == capacity {
        return None;
    }
    let path = way_up(heap, len, item, plainly).ok()?;
    let grown = |items: &Vec<Value>| ItemStep::Len(items.len());
    evaluator.step_at_once(heap, item, false, grown).push(item.clone());
    move_along(evaluator, heap, &path, item);
    put_bool(to, true);
    Some(())
}

fn sunk(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value, _: bool) -> Option<()> {
    let [Value::List(heap), Value::Int(at), item] = arguments else { return None };
    let first = usize::try_from(*at).ok().filter(|at| *at < heap.borrow().len())?;
    let path = way_down(heap, first, item, plainly).ok()?;
    move_along(evaluator, heap, &path, item);
    put_bool(to, true);
    Some(())
}

/// Moves an item up or down through a heap where it and what it meets are objects of one class of the program; whether
/// that was done. It stays where it is when a comparison fails.
fn moved(call: &Call<'_>) -> Result<Value, Fault> {
    let (Value::List(heap), evaluator) = (call.value("heap"), call.evaluator) else {
        return Ok(Value::Bool(false));
    };
    let (at, len) = (call.int("at")? as usize, heap.borrow().len());
    let item = item_of(heap, at).map_err(|_| changed())?;
    let Value::Object(object) = &item else { return Ok(Value::Bool(false)) };
    let Some(method @ Value::Closure(_)) = evaluator.find_in(&object.class, "__lt__") else {
        return Ok(Value::Bool(false));
    };
    let is_of_it = |value: &Value| matches!(value, Value::Object(of) if of.class == object.class);
    let path = evaluator.calling(&method, 2, |method| {
        let is_less = |a: &Value, b: &Value| {
            if !is_of_it(a) || !is_of_it(b) {
                return Err(None);
            }
            match method.call(&mut [a.clone(), b.clone()])? {
                Value::Bool(is_less) => Ok(is_less),
                Value::NotImplemented => Err(None),
                answer => Ok(evaluator.truth(&answer).map_err(Fault::from)?),
            }
        };
        let path = match call.bool("is_down")? {
            true => way_down(heap, at, &item, is_less),
            false => way_up(heap, at, &item, is_less),
        };
        path.map_or_else(|stop| stop.map_or(Ok(None), Err), |path| Ok(Some(path)))
    })?;
    if heap.borrow().len() != len {
        return Err(changed());
    }
    if let Some(path) = &path {
        move_along(evaluator, heap, path, &item);
    }
    Ok(Value::Bool(path.is_some()))
}

/// Each place of a path takes what stands in the next one, and the last one takes `item`.
fn move_along(evaluator: Evaluator<'_>, heap: &List, path: &[usize], item: &Value) {
    let before = |items: &Vec<Value>| {
        ItemStep::Several(path.iter().map(|at| (*at, items[*at].clone())).collect())
    };
    let mut items = evaluator.step_at_once(heap, item, false, before);
    for places in path.windows(2) {
        items.swap(places[0], places[1]);
    }
    if let Some(last) = path.last() {
        put(&mut items[*last], item.clone());
    }
}

fn place_of(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [items, item, Value::Int(low), Value::Int(high), Value::Bool(is_behind)] = arguments else {
        return None;
    };
    let list;
    let items = match items {
        Value::List(items) => {
            list = items.borrow();
            list.as_slice()
        }
        Value::Tuple(items) => items,
        _ => return None,
    };
    let (mut low, mut high) = (usize::try_from(*low).ok()?, usize::try_from(*high).ok()?);
    if high > items.len() {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        let goes_behind = match is_behind {
            true => !is_less(item, &items[middle])?,
            false => is_less(&items[middle], item)?,
        };
        match goes_behind {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    put_int(to, low as i64);
    Some(())
}
