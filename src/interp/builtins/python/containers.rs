//! Methods of lists, tuples, ranges and dictionaries.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use super::{numbers, sequences};
use crate::diag::{ErrorKind, Fault};
use crate::interp::room;
use crate::interp::value::{Dict, Key, List, Type, Value};

const fn of_list(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::List).doc(doc)
}

const fn of_tuple(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Tuple).doc(doc)
}

const fn of_range(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Range).doc(doc)
}

const fn of_dict(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Dict).doc(doc)
}

pub const LISTS: &[Builtin] = &[
    of_list("append(self, object, /)", append, "Adds an item at the end."),
    of_list("extend(self, iterable, /)", extend, "Adds items at the end."),
    of_list("insert(self, index, object, /)", insert, "Adds an item before a position."),
    of_list("pop(self, index=-1, /)", pop, "Takes an item out and gives it back."),
    of_list("remove(self, value, /)", remove, "Takes the first equal item out."),
    of_list("index(self, value, /)", index, "The position of the first equal item."),
    of_list("count(self, value, /)", count, "How many items are equal to a value."),
    of_list("sort(self, *, reverse=False)", sort, "Sorts the list itself."),
    of_list("reverse(self, /)", reverse, "Turns the list itself around."),
    of_list("copy(self, /)", copy, "A new list of the same items."),
    of_list("clear(self, /)", clear, "Takes all items out."),
    of_tuple("index(self, value, /)", index, "The position of the first equal item."),
    of_tuple("count(self, value, /)", count, "How many items are equal to a value."),
    of_range("index(self, value, /)", index, "The position of a number."),
    of_range("count(self, value, /)", count, "Whether a number is in it: 1 or 0."),
];

pub const DICTS: &[Builtin] = &[
    of_dict("keys(self, /)", keys, "A list of the keys."),
    of_dict("values(self, /)", values, "A list of the values."),
    of_dict("items(self, /)", items, "A list of pairs of key and value."),
    of_dict("get(self, key, default=None, /)", get, "The value of a key, or `default`."),
    of_dict(
        "pop(self, key, default=..., /)",
        dict_pop,
        "Takes a key out and gives its value back.",
    ),
    of_dict("popitem(self, /)", popitem, "Takes the last pair out and gives it back."),
    of_dict("update(self, mapping=(), /, **entries)", update, "Takes another's entries in."),
    of_dict(
        "setdefault(self, key, default=None, /)",
        setdefault,
        "The value of a key, which gets `default` if it has none.",
    ),
    of_dict("copy(self, /)", dict_copy, "A new dictionary of the same entries."),
    of_dict("clear(self, /)", dict_clear, "Takes all entries out."),
];

fn list(call: &Call<'_>) -> Result<List, Fault> {
    match call.value(0) {
        Value::List(list) => Ok(list.clone()),
        _ => Err(call.wrong_type(0, "a list")),
    }
}

fn append(call: &mut Call<'_>) -> Result<Value, Fault> {
    let item = call.value(1).clone();
    room::items(call.engine(), 1)?;
    call.change(&list(call)?)?.push(item);
    Ok(Value::None)
}

fn extend(call: &mut Call<'_>) -> Result<Value, Fault> {
    let items = call.evaluator.iterate(call.value(1));
    let items = items.map_err(|error| call.fault_at(1, error))?;
    call.change(&list(call)?)?.extend(items);
    Ok(Value::None)
}

fn insert(call: &mut Call<'_>) -> Result<Value, Fault> {
    let at = call.int(1)?;
    let item = call.value(2).clone();
    let list = list(call)?;
    let mut list = call.change(&list)?;
    let len = list.len() as i64;
    let at = if at < 0 { at.saturating_add(len).max(0) } else { at.min(len) };
    list.insert(at as usize, item);
    Ok(Value::None)
}

fn pop(call: &mut Call<'_>) -> Result<Value, Fault> {
    let at = call.int(1)?;
    let len = list(call)?.borrow().len() as i64;
    let position = if at < 0 { at.saturating_add(len) } else { at };
    if len == 0 {
        return Err(Fault::new(ErrorKind::Index, "pop from empty list"));
    }
    if !(0..len).contains(&position) {
        return Err(call.fault_at(1, Fault::new(ErrorKind::Index, "pop index out of range")));
    }
    Ok(call.change(&list(call)?)?.remove(position as usize))
}

/// Where the first equal item stands.
fn position(call: &Call<'_>) -> Result<Option<usize>, Fault> {
    if let (Value::Range(range), Value::Int(number)) = (call.value(0), call.value(1)) {
        return Ok(range.position(*number));
    }
    let (mut at, mut is_found) = (0, false);
    call.evaluator.each(call.value(0), |item| {
        is_found = item.is_same(call.value(1)) || numbers::equals(call, &item, call.value(1))?;
        at += usize::from(!is_found);
        Ok(!is_found)
    })?;
    Ok(is_found.then_some(at))
}

fn remove(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(at) = position(call)? else {
        return Err(call.fault_at(1, Fault::value_error("list.remove(x): x not in list")));
    };
    call.change(&list(call)?)?.remove(at);
    Ok(Value::None)
}

fn index(call: &mut Call<'_>) -> Result<Value, Fault> {
    match position(call)? {
        Some(at) => Ok(Value::Int(at as i64)),
        None => {
            let shown = call.evaluator.repr(call.value(1));
            let kind = call.value(0).type_name();
            let fault = Fault::value_error(format!("{shown} is not in {kind}"));
            Err(call.fault_at(1, fault))
        }
    }
}

fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let (Value::Range(range), Value::Int(number)) = (call.value(0), call.value(1)) {
        return Ok(Value::Int(i64::from(range.contains(*number))));
    }
    let mut count = 0;
    call.evaluator.each(call.value(0), |item| {
        count += i64::from(numbers::equals(call, &item, call.value(1))?);
        Ok(true)
    })?;
    Ok(Value::Int(count))
}

fn sort(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut items = list(call)?.borrow().clone();
    sequences::sort(call, &mut items, call.bool("reverse")?)?;
    *call.change(&list(call)?)? = items;
    Ok(Value::None)
}

fn reverse(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&list(call)?)?.reverse();
    Ok(Value::None)
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let items = list(call)?.borrow().clone();
    Ok(Value::list(items))
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&list(call)?)?.clear();
    Ok(Value::None)
}

fn dict(call: &Call<'_>) -> Result<Dict, Fault> {
    match call.value(0) {
        Value::Dict(dict) => Ok(dict.clone()),
        _ => Err(call.wrong_type(0, "a dictionary")),
    }
}

fn key(call: &Call<'_>) -> Result<Key, Fault> {
    Key::new(call.value(1).clone())
        .map_err(|name| call.fault_at(1, Fault::type_error(format!("unhashable type: '{name}'"))))
}

fn keys(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(dict(call)?.borrow().keys().map(|key| key.value().clone()).collect()))
}

fn values(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::list(dict(call)?.borrow().values().cloned().collect()))
}

fn items(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dict = dict(call)?;
    let dict = dict.borrow();
    let pairs = dict.iter().map(|(k, v)| Value::tuple(vec![k.value().clone(), v.clone()]));
    Ok(Value::list(pairs.collect()))
}

fn get(call: &mut Call<'_>) -> Result<Value, Fault> {
    let found = dict(call)?.borrow().get(&key(call)?).cloned();
    Ok(found.unwrap_or_else(|| call.value(2).clone()))
}

fn dict_pop(call: &mut Call<'_>) -> Result<Value, Fault> {
    let key = key(call)?;
    if dict(call)?.borrow().contains_key(&key) {
        let gone = call.change(&dict(call)?)?.shift_remove(&key);
        return Ok(gone.unwrap_or(Value::None));
    }
    if call.given(2) {
        return Ok(call.value(2).clone());
    }
    let fault = call.evaluator.missing_key(call.value(0), call.value(1));
    Err(call.fault_at(1, fault))
}

fn popitem(call: &mut Call<'_>) -> Result<Value, Fault> {
    if dict(call)?.borrow().is_empty() {
        return Err(Fault::new(ErrorKind::Key, "popitem(): dictionary is empty"));
    }
    let gone = call.change(&dict(call)?)?.pop();
    let (key, value) = gone.map_or((Value::None, Value::None), |(k, v)| (k.value().clone(), v));
    Ok(Value::tuple(vec![key, value]))
}

fn update(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut entries = dict(call)?.borrow().clone();
    sequences::merge(call, &mut entries)?;
    *call.change(&dict(call)?)? = entries;
    Ok(Value::None)
}

fn setdefault(call: &mut Call<'_>) -> Result<Value, Fault> {
    let key = key(call)?;
    if let Some(found) = dict(call)?.borrow().get(&key) {
        return Ok(found.clone());
    }
    let value = call.value(2).clone();
    call.change(&dict(call)?)?.insert(key, value.clone());
    Ok(value)
}

fn dict_copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let entries = dict(call)?.borrow().clone();
    Ok(Value::Dict(Rc::new(entries.into())))
}

fn dict_clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&dict(call)?)?.clear();
    Ok(Value::None)
}
