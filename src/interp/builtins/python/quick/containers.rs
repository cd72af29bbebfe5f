//! Methods of lists, dictionaries and sets.

use std::rc::Rc;

use crate::interp::Evaluator;
use crate::interp::object::set;
use crate::interp::object::view::{Shown, View};
use crate::interp::shared::{ItemStep, MemberStep};
use crate::interp::value::{Key, Members, Sought, Value};
use crate::interp::vm::register::{copied, put, put_copy};

/// Items that are copied without asking for room.
const FEW: usize = 256;

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
