//! Methods of lists, dictionaries and sets.

use std::cmp::Ordering;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::interp::Evaluator;
use crate::interp::object::set;
use crate::interp::object::view::{Shown, View};
use crate::interp::shared::{ItemStep, MemberStep};
use crate::interp::value::{Key, Members, Sought, Value};
use crate::interp::vm::register::{copied, put, put_copy, put_int};

/// Items that are copied without asking for room.
const FEW: usize = 256;

/// Items that are sorted without asking for room.
const FEW_SORTED: usize = 16;

/// `list.append(item)`
pub fn append(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [Value::List(list), item] = arguments else { return None };
    {
        let items = list.borrow();
        // Where it must grow, somebody asks whether there is room.
        if items.len() == items.capacity() {
            return None;
        }
    }
    let before = |items: &Vec<Value>| ItemStep::Len(items.len());
    evaluator.step_at_once(list, item, is_last, before).push(item.clone());
    put(to, Value::None);
    Some(())
}

/// `list.pop()`
pub fn pop(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [Value::List(list)] = arguments else { return None };
    if list.borrow().is_empty() {
        return None;
    }
    let before = |items: &Vec<Value>| ItemStep::Last(items.last().cloned().unwrap_or(Value::None));
    put(to, evaluator.step_at_once(list, &Value::None, is_last, before).pop()?);
    Some(())
}

/// `list.insert(index, item)`
pub fn insert(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [Value::List(list), Value::Int(at), item] = arguments else { return None };
    let len = {
        let items = list.borrow();
        if items.len() == items.capacity() {
            return None;
        }
        items.len() as i64
    };
    let at = if *at < 0 { at.saturating_add(len).max(0) } else { *at.min(&len) } as usize;
    let before = |_: &Vec<Value>| ItemStep::Come(at);
    evaluator.step_at_once(list, item, is_last, before).insert(at, item.clone());
    put(to, Value::None);
    Some(())
}

/// `list.reverse()`
pub fn reverse(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [Value::List(list)] = arguments else { return None };
    let before = |_: &Vec<Value>| ItemStep::Turned;
    evaluator.step_at_once(list, &Value::None, is_last, before).reverse();
    put(to, Value::None);
    Some(())
}

/// `list.sort()` of a few integers, floats or texts
pub fn sort(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [Value::List(list)] = arguments else { return None };
    let moved = {
        let items = list.borrow();
        if items.len() > FEW_SORTED
            || !items.windows(2).all(|pair| order(&pair[0], &pair[1]).is_some())
        {
            return None;
        }
        let mut sorted: SmallVec<[(usize, &Value); FEW_SORTED]> =
            items.iter().enumerate().collect();
        sorted.sort_by(|(_, a), (_, b)| order(a, b).unwrap_or(Ordering::Equal));
        let moved = sorted.iter().enumerate().filter(|(to, (from, _))| to != from);
        moved.map(|(to, (_, item))| (to, (*item).clone())).collect::<Vec<_>>()
    };
    put(to, Value::None);
    if moved.is_empty() {
        return Some(());
    }
    let before = |items: &Vec<Value>| {
        ItemStep::Several(moved.iter().map(|(at, _)| (*at, items[*at].clone())).collect())
    };
    let mut items = evaluator.step_at_once(list, &Value::None, is_last, before);
    for (at, item) in moved {
        items[at] = item;
    }
    Some(())
}

/// The order of two integers, two texts, or two floats of which none is NaN.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Str(a), Value::Str(b)) => Some((**a).cmp(&**b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        _ => None,
    }
}

/// `list.index(item)` of an integer or a text that is there, behind none but numbers and texts
pub fn index(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::List(list), item] = arguments else { return None };
    let items = list.borrow();
    let mut at = 0;
    for known in items.iter().take(FEW) {
        match (known, item) {
            (Value::Int(known), Value::Int(item)) if known == item => break,
            (Value::Str(known), Value::Str(item)) if known == item => break,
            (Value::Int(_), Value::Int(_) | Value::Str(_))
            | (Value::Str(_), Value::Str(_) | Value::Int(_)) => {}
            _ => return None,
        }
        at += 1;
    }
    if at == items.len().min(FEW) {
        return None;
    }
    put_int(to, at as i64);
    Some(())
}

/// `list.copy()` of a short list
pub fn copy(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::List(list)] = arguments else { return None };
    let items = list.borrow();
    if items.len() > FEW {
        return None;
    }
    put(to, Value::List(Rc::new(evaluator.made(copied(&items)))));
    Some(())
}

/// What the program has not made, and so can't say itself what it equals.
fn key(value: &Value) -> Option<Key> {
    match value {
        Value::Float(_) | Value::Bool(_) => Key::new(value.clone()).ok(),
        _ => Sought::of(value).map(Sought::to_key),
    }
}

/// `dict.get(key, default)`
pub fn get(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let (entries, wanted, default) = match arguments {
        [Value::Dict(entries), key] => (entries, key, &Value::None),
        [Value::Dict(entries), key, default] => (entries, key, default),
        _ => return None,
    };
    let entries = entries.borrow();
    let found = match Sought::of(wanted) {
        Some(sought) => entries.get(&sought),
        None => entries.get(&key(wanted)?),
    };
    match found {
        Some(found) => put_copy(to, found),
        None if entries.speaks() => return None,
        None => put_copy(to, default),
    }
    Some(())
}

/// `dict.setdefault(key, default)` of a key that is there
pub fn setdefault(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Dict(entries), wanted, ..] = arguments else { return None };
    if arguments.len() > 3 {
        return None;
    }
    put_copy(to, entries.borrow().get(&key(wanted)?)?);
    Some(())
}

/// `dict.keys()`
pub fn keys(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    view(arguments, to, Shown::Keys)
}

/// `dict.values()`
pub fn values(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    view(arguments, to, Shown::Values)
}

/// `dict.items()`
pub fn items(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    view(arguments, to, Shown::Items)
}

fn view(arguments: &[Value], to: &mut Value, shown: Shown) -> Option<()> {
    let [Value::Dict(dict)] = arguments else { return None };
    put(to, View::value(dict, shown));
    Some(())
}

/// `set.add(element)`
pub fn add(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [Value::Set(set), element] = arguments else { return None };
    {
        let elements = set.borrow();
        if let Some(sought) = Sought::of(element)
            && elements.contains(&sought)
        {
            put(to, Value::None);
            return Some(());
        }
    }
    let key = key(element)?;
    {
        let elements = set.borrow();
        if elements.contains(&key) {
            put(to, Value::None);
            return Some(());
        }
        if elements.len() == elements.capacity() || elements.speaks() {
            return None;
        }
    }
    let before = |elements: &Members| MemberStep::Len(elements.len());
    evaluator.step_at_once(set, element, is_last, before).insert(key);
    put(to, Value::None);
    Some(())
}

/// `set.discard(element)`
pub fn discard(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    take_out(evaluator, arguments, to, is_last, false)
}

/// `set.remove(element)` of an element that is there
pub fn remove(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    take_out(evaluator, arguments, to, is_last, true)
}

fn take_out(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
    must_be_there: bool,
) -> Option<()> {
    let [Value::Set(set), element] = arguments else { return None };
    let sought = Sought::of(element)?;
    let (is_there, speaks) = (set.borrow().contains(&sought), set.borrow().speaks());
    if is_there {
        let key = sought.to_key();
        let before = |elements: &Members| elements.step_out(&key);
        set::discard(&mut evaluator.step_at_once(set, &Value::None, is_last, before), &key);
    } else if must_be_there || speaks {
        return None;
    }
    put(to, Value::None);
    Some(())
}
