//! Places among items in order, for the texts of `heapq` and `bisect`: where items are compared without asking
//! anybody. Where one of these says that it was not done, nothing has happened, and the text does it.

use std::cmp::Ordering;

use super::super::{Builtin, Quick, QuickChange};
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

fn risen(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value, _: bool) -> Option<()> {
    let [Value::List(heap), item] = arguments else { return None };
    let path = {
        let items = heap.borrow();
        // Where it must grow, somebody asks whether there is room.
        if items.len() == items.capacity() {
            return None;
        }
        let mut path = vec![items.len()];
        let mut at = items.len();
        while at > 0 {
            at = (at - 1) / 2;
            if !is_less(item, &items[at])? {
                break;
            }
            path.push(at);
        }
        path
    };
    let grown = |items: &Vec<Value>| ItemStep::Len(items.len());
    evaluator.step_at_once(heap, item, false, grown).push(item.clone());
    move_along(evaluator, heap, &path, item);
    put_bool(to, true);
    Some(())
}

fn sunk(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value, _: bool) -> Option<()> {
    let [Value::List(heap), Value::Int(at), item] = arguments else { return None };
    let path = {
        let items = heap.borrow();
        let first = usize::try_from(*at).ok().filter(|at| *at < items.len())?;
        let mut path = vec![first];
        let mut below = 2 * first + 1;
        // As in CPython: down to a leaf with the smaller of the two below, then up again.
        while below < items.len() {
            if below + 1 < items.len() && !is_less(&items[below], &items[below + 1])? {
                below += 1;
            }
            path.push(below);
            below = 2 * below + 1;
        }
        while path.len() > 1 && is_less(item, &items[path[path.len() - 1]])? {
            path.pop();
        }
        path
    };
    move_along(evaluator, heap, &path, item);
    put_bool(to, true);
    Some(())
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
