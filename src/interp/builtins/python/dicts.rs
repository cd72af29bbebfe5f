//! Methods of dictionaries and of their views.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use super::{iterators, sequences};
use crate::diag::Fault;
use crate::interp::object::exception::key_error;
use crate::interp::object::set;
use crate::interp::object::view::{Shown, View};
use crate::interp::room;
use crate::interp::value::{Dict, Entries, Key, Type, Value};

const fn method(of: Type, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(of).doc(doc)
}

const fn of_dict(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    method(Type::Dict, signature, run, doc)
}

pub const DICTS: &[Builtin] = &[
    of_dict("keys(self, /)", |call| view(call, Shown::Keys), "A view of the keys.")
        .quick(super::quick::containers::keys),
    of_dict("values(self, /)", |call| view(call, Shown::Values), "A view of the values.")
        .quick(super::quick::containers::values),
    of_dict("items(self, /)", |call| view(call, Shown::Items), "A view of pairs of key and value.")
        .quick(super::quick::containers::items),
    of_dict("get(self, key, default=None, /)", get, "The value of a key, or `default`.")
        .quick(super::quick::containers::get),
    of_dict("pop(self, key, default=..., /)", pop, "Takes a key out and gives its value back."),
    of_dict("popitem(self, /)", popitem, "Takes the last pair out and gives it back."),
    of_dict("update(self, mapping=(), /, **entries)", update, "Takes another's entries in."),
    of_dict(
        "setdefault(self, key, default=None, /)",
        setdefault,
        "The value of a key, which gets `default` if it has none.",
    )
    .quick(super::quick::containers::setdefault),
    of_dict("copy(self, /)", copy, "A new dictionary of the same entries."),
    of_dict("clear(self, /)", clear, "Takes all entries out."),
    of_dict("__reversed__(self, /)", iterators::reversed, "The keys, the last one first."),
    of_dict(
        "fromkeys(iterable, value=None, /)",
        fromkeys,
        "A new dictionary with these keys, all of one value.",
    )
    .homes(Homes::STATIC)
    .asks_objects(),
];

pub const VIEWS: &[Builtin] = &[
    method(Type::Keys, "isdisjoint(self, other, /)", isdisjoint, "Whether they share no key."),
    method(Type::Items, "isdisjoint(self, other, /)", isdisjoint, "Whether they share no pair."),
];

fn dict(call: &Call<'_>) -> Result<Dict, Fault> {
    call.value(0).as_dict().cloned().ok_or_else(|| call.wrong_type(0, "a dictionary"))
}

fn key(call: &Call<'_>) -> Result<Key, Fault> {
    let key = call.evaluator.key_in(&dict(call)?, call.value(1));
    key.map_err(|fault| call.fault_at(1, fault))
}

fn view(call: &Call<'_>, shown: Shown) -> Result<Value, Fault> {
    Ok(View::value(&dict(call)?, shown))
}

fn get(call: &mut Call<'_>) -> Result<Value, Fault> {
    let key = key(call)?;
    let found = dict(call)?.borrow().get(&key).cloned();
    Ok(found.unwrap_or_else(|| call.value(2).clone()))
}

fn pop(call: &mut Call<'_>) -> Result<Value, Fault> {
    // Nobody asks of an empty one whether the key is hashable, as in CPython.
    if !dict(call)?.borrow().is_empty() {
        let key = key(call)?;
        if dict(call)?.borrow().contains_key(&key) {
            let gone =
                call.step(&dict(call)?, |entries| entries.step_out(&key))?.shift_remove(&key);
            return Ok(gone.unwrap_or(Value::None));
        }
    }
    if call.given(2) {
        return Ok(call.value(2).clone());
    }
    let fault = call.evaluator.missing_key(call.value(0), call.value(1));
    Err(call.fault_at(1, fault))
}

fn popitem(call: &mut Call<'_>) -> Result<Value, Fault> {
    if dict(call)?.borrow().is_empty() {
        return Err(key_error(
            &Value::str("popitem(): dictionary is empty"),
            "'popitem(): dictionary is empty'".to_owned(),
        ));
    }
    let gone = call.step(&dict(call)?, Entries::step_of_pop)?.pop();
    let (key, value) = gone.map_or((Value::None, Value::None), |(k, v)| (k.value().clone(), v));
    Ok(Value::tuple([key, value]))
}

fn update(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut entries = Entries::default();
    sequences::merge(call, &mut entries)?;
    let dict = dict(call)?;
    let entries = call.evaluator.aligned_entries(&dict, entries)?;
    call.change(&dict)?.extend(entries);
    Ok(Value::None)
}

fn setdefault(call: &mut Call<'_>) -> Result<Value, Fault> {
    let key = key(call)?;
    if let Some(found) = dict(call)?.borrow().get(&key) {
        return Ok(found.clone());
    }
    let value = call.value(2).clone();
    call.step(&dict(call)?, |entries| entries.step(&key))?.insert(key, value.clone());
    Ok(value)
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let entries = room::copied_entries(call.engine(), &dict(call)?.borrow())?;
    Ok(Value::Dict(Rc::new(entries.into())))
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&dict(call)?)?.clear();
    Ok(Value::None)
}

pub fn fromkeys(call: &mut Call<'_>) -> Result<Value, Fault> {
    let value = call.value(1).clone();
    let keys = call.evaluator.gathered(call.value(0));
    let keys = keys.map_err(|fault| call.fault_at(0, fault))?;
    let entries: Entries = keys.into_iter().map(|key| (key, value.clone())).collect();
    Ok(Value::Dict(Rc::new(entries.into())))
}

fn isdisjoint(call: &mut Call<'_>) -> Result<Value, Fault> {
    let shares = call.evaluator.with_both(call.value(0), call.value(1), set::share);
    Ok(Value::Bool(!shares.map_err(|fault| call.fault_at(1, fault))?))
}
