//! Methods of lists, dictionaries and sets.

use super::begin;
use crate::interp::Evaluator;
use crate::interp::object::view::{Shown, View};
use crate::interp::shared::ItemStep;
use crate::interp::value::{Key, Value};

/// `list.append(item)`
pub fn append(evaluator: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let [Value::List(list), item] = arguments else { return None };
    {
        let items = list.borrow();
        // Where it must grow, somebody asks whether there is room.
        if items.len() == items.capacity() {
            return None;
        }
    }
    begin(evaluator);
    let journal = &evaluator.interp.journal;
    list.step_to_hold(journal, item, |items| ItemStep::Len(items.len())).push(item.clone());
    Some(Value::None)
}

/// `list.pop()`
pub fn pop(evaluator: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let [Value::List(list)] = arguments else { return None };
    let last = list.borrow().last()?.clone();
    begin(evaluator);
    list.step(&evaluator.interp.journal, |_| ItemStep::Last(last)).pop()
}

/// What the program has not made, and so can't say itself what it equals.
fn key(value: &Value) -> Option<Key> {
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) => {
            Key::new(value.clone()).ok()
        }
        _ => None,
    }
}

/// `dict.get(key, default)`
pub fn get(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let (entries, wanted, default) = match arguments {
        [Value::Dict(entries), key] => (entries, key, &Value::None),
        [Value::Dict(entries), key, default] => (entries, key, default),
        _ => return None,
    };
    let entries = entries.borrow();
    match entries.get(&key(wanted)?) {
        Some(found) => Some(found.clone()),
        None => (!entries.speaks()).then(|| default.clone()),
    }
}

/// `dict.setdefault(key, default)` of a key that is there
pub fn setdefault(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let [Value::Dict(entries), wanted, ..] = arguments else { return None };
    if arguments.len() > 3 {
        return None;
    }
    entries.borrow().get(&key(wanted)?).cloned()
}

/// `dict.keys()`
pub fn keys(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    view(arguments, Shown::Keys)
}

/// `dict.values()`
pub fn values(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    view(arguments, Shown::Values)
}

/// `dict.items()`
pub fn items(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    view(arguments, Shown::Items)
}

fn view(arguments: &[Value], shown: Shown) -> Option<Value> {
    match arguments {
        [Value::Dict(dict)] => Some(View::value(dict, shown)),
        _ => None,
    }
}

/// `set.add(element)`
pub fn add(evaluator: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let [Value::Set(set), element] = arguments else { return None };
    let key = key(element)?;
    {
        let elements = set.borrow();
        if elements.contains(&key) {
            return Some(Value::None);
        }
        if elements.len() == elements.capacity() || elements.speaks() {
            return None;
        }
    }
    begin(evaluator);
    let journal = &evaluator.interp.journal;
    set.step_to_hold(journal, element, |elements| elements.len()).insert(key);
    Some(Value::None)
}
