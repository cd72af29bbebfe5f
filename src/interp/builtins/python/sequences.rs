//! Sequences: making them, counting, ordering, pairing.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use super::sort;
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::value::{Entries, Key, Range, Slice, Type, Value};
use crate::interp::{Seen, room, scalar};
use crate::tensor::Error;

const fn python(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

const fn constructor(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::CONSTRUCTOR)
}

pub const BUILTINS: &[Builtin] = &[
    constructor("list(iterable=(), /)", list)
        .doc("A new list of what a value holds.")
        .example("list(range(3))"),
    constructor("tuple(iterable=(), /)", tuple)
        .doc("A tuple of what a value holds.")
        .example("tuple([1, 2])"),
    constructor("dict(mapping=(), /, **entries)", dict)
        .doc("A new dictionary, from another, from pairs, or from keywords.")
        .example("dict(a=1, b=2)"),
    constructor("range(start, stop=None, step=1, /)", range)
        .quick(super::quick::range)
        .doc("The integers from `start` up to `stop`, which is left out.")
        .example("list(range(2, 8, 3))"),
    constructor("slice(start, stop=..., step=None, /)", slice)
        .doc("What `start:stop:step` is in an index.")
        .example("[0, 1, 2, 3][slice(1, 3)]"),
    Builtin::new("indices(self, length, /)", indices)
        .homes(Homes::NONE)
        .method_of(Type::Slice)
        .doc("(start, stop, step) of a slice in a sequence of so many items."),
    python("len(obj, /)", len)
        .quick(super::quick::len)
        .doc("The number of items; of a tensor, the length of its first axis.")
        .example("len([1, 2, 3])"),
    python("sorted(iterable, /, *, key=None, reverse=False)", sorted)
        .doc("A new list of the items in ascending order, by what `key` makes of each.")
        .example("sorted([3, 1, 2])"),
    python("any(iterable, /)", any).doc("Whether any item is true.").example("any([0, 1])"),
    python("all(iterable, /)", all).doc("Whether all items are true.").example("all([0, 1])"),
];

fn items(call: &Call<'_>) -> Result<Vec<Value>, Fault> {
    call.evaluator.iterate(call.value(0)).map_err(|error: Error| call.fault_at(0, error))
}

fn list(call: &mut Call<'_>) -> Result<Value, Fault> {
    items(call).map(Value::list)
}

fn tuple(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0) {
        same @ Value::Tuple(_) => Ok(same.clone()),
        _ => items(call).map(Value::tuple),
    }
}

fn dict(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut entries = Entries::default();
    merge(call, &mut entries)?;
    Ok(Value::Dict(Rc::new(entries.into())))
}

/// What a dictionary takes in of a mapping, or of pairs.
pub fn entries_of(evaluator: &Evaluator<'_>, value: &Value) -> Result<Entries, Fault> {
    if let Some(entries) = evaluator.plain_entries(value) {
        return room::copied_entries(&evaluator.interp.engine, &entries.borrow());
    }
    if let Some(entries) = evaluator.asked_entries(value)? {
        return Ok(entries);
    }
    let mut entries = Entries::default();
    for (at, pair) in evaluator.first_items(value, usize::MAX)?.into_iter().enumerate() {
        let gathered;
        let items = match &pair {
            Value::Tuple(items) => &**items,
            _ => {
                let items = evaluator.iterate(&pair).map_err(|error| match error.is_type_error() {
                    true => Fault::type_error(format!(
                        "cannot convert dictionary update sequence element #{at} to a sequence"
                    )),
                    false => error.into(),
                });
                gathered = items?;
                &gathered
            }
        };
        let [name, value] = items else {
            let found = items.len();
            let message = format!(
                "dictionary update sequence element #{at} has length {found}; 2 is required"
            );
            return Err(Fault::value_error(message));
        };
        let key = evaluator.known_key(evaluator.key(name)?, || &entries)?;
        entries.insert(key, value.clone());
    }
    Ok(entries)
}

fn hashable(value: Value) -> Result<Key, Fault> {
    Key::new(value).map_err(|name| Fault::type_error(format!("unhashable type: '{name}'")))
}

/// Takes in what a call gives to a dictionary: a mapping or pairs first, then keywords.
pub(super) fn merge(call: &Call<'_>, entries: &mut Entries) -> Result<(), Fault> {
    let position = call.function.signature().parameters.len().saturating_sub(2);
    let given = entries_of(&call.evaluator, call.value(position));
    let given = given.map_err(|fault| call.fault_at(position, fault))?;
    match entries.is_empty() {
        true => *entries = given,
        false => entries.extend(given),
    }
    for argument in call.extra() {
        if let Some(name) = &argument.name {
            let name = Value::str(name);
            entries.insert(hashable(name)?, argument.value.clone());
        }
    }
    Ok(())
}

fn range(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (start, stop) = match call.optional_int(1)? {
        Some(stop) => (call.int(0)?, stop),
        None => (0, call.int(0)?),
    };
    let step = call.int(2)?;
    if step == 0 {
        return Err(call.fault_at(2, Fault::value_error("range() arg 3 must not be zero")));
    }
    Ok(Value::Range(Rc::new(Range { start, stop, step })))
}

fn slice(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (first, second) = (call.value(0).clone(), call.value(1).clone());
    let (start, stop) = if call.given(1) { (first, second) } else { (Value::None, first) };
    Ok(Value::Slice(Rc::new(Slice { start, stop, step: call.value(2).clone() })))
}

/// `slice.indices(length)`: what a slice means for a sequence of so many items.
fn indices(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Slice(slice) = call.value(0).clone() else {
        return Err(call.wrong_type(0, "a slice"));
    };
    let length = call.int(1)?;
    if length < 0 {
        return Err(call.fault_at(1, Fault::value_error("length should not be negative")));
    }
    let part = |value: &Value| match value {
        Value::None => Ok(None),
        value => crate::interp::convert::integer(call.engine(), value).map(Some),
    };
    let step = part(&slice.step)?.unwrap_or(1);
    if step == 0 {
        return Err(Fault::value_error("slice step cannot be zero"));
    }
    let (low, high) = if step < 0 { (-1, length - 1) } else { (0, length) };
    let end = |value: &Value, usual: i64| {
        Ok::<i64, Fault>(match part(value)? {
            None => usual,
            Some(at) if at < 0 => at.saturating_add(length).max(low),
            Some(at) => at.min(high),
        })
    };
    let (first, last) = if step < 0 { (high, low) } else { (low, high) };
    let ends = [end(&slice.start, first)?, end(&slice.stop, last)?, step];
    Ok(Value::tuple(ends.map(Value::Int)))
}

fn len(call: &mut Call<'_>) -> Result<Value, Fault> {
    let len = call.evaluator.len(call.value(0)).map_err(|error| call.fault_at(0, error))?;
    let len = i64::try_from(len).map_err(|_| call.fault_at(0, scalar::too_large("+")))?;
    Ok(Value::Int(len))
}

fn sorted(call: &mut Call<'_>) -> Result<Value, Fault> {
    sort::sorted_by(call, items(call)?).map(Value::list)
}

fn any(call: &mut Call<'_>) -> Result<Value, Fault> {
    found(call, true)
}

fn all(call: &mut Call<'_>) -> Result<Value, Fault> {
    let has_false = found(call, false)?;
    Ok(Value::Bool(matches!(has_false, Value::Bool(false))))
}

/// Whether an item has this truth.
fn found(call: &Call<'_>, wanted: bool) -> Result<Value, Fault> {
    let (mut is_found, mut was_iterated) = (false, false);
    let looked = call.evaluator.each_seen(call.value(0), |item, waits| {
        was_iterated = true;
        if !waits && !item.holds_nothing() {
            return Ok(Seen::Aside(item));
        }
        is_found = call.evaluator.truth(&item)? == wanted;
        Ok(if is_found { Seen::Enough } else { Seen::More })
    });
    looked.map_err(|fault| if was_iterated { fault } else { call.fault_at(0, fault) })?;
    Ok(Value::Bool(is_found))
}
