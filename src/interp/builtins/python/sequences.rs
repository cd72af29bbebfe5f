//! Sequences: making them, counting, ordering, pairing.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::value::{Entries, Key, Range, Slice, Value};
use crate::interp::{room, scalar};
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
    if let Some(entries) = value.as_dict() {
        return room::copied_entries(&evaluator.interp.engine, &entries.borrow());
    }
    if let Value::Object(_) = value
        && let Ok(keys) = evaluator.attribute(value, "keys")
    {
        // A mapping of the program's: its keys, and what it gives for each.
        let keys = evaluator.call_value(&keys, [], [])?;
        let mut entries = Entries::default();
        evaluator.each(&keys, |name| {
            let key = evaluator.known_key(evaluator.key(&name)?, || &entries)?;
            entries.insert(key, evaluator.object_item(value, &name)?);
            Ok(true)
        })?;
        return Ok(entries);
    }
    let mut entries = Entries::default();
    for (at, pair) in evaluator.iterate(value)?.into_iter().enumerate() {
        let items = evaluator.iterate(&pair).map_err(|error| match error.is_type_error() {
            true => Fault::type_error(format!(
                "cannot convert dictionary update sequence element #{at} to a sequence"
            )),
            false => error.into(),
        })?;
        let [name, value] = &items[..] else {
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
    entries.extend(given.map_err(|fault| call.fault_at(position, fault))?);
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

fn len(call: &mut Call<'_>) -> Result<Value, Fault> {
    let len = call.evaluator.len(call.value(0)).map_err(|error| call.fault_at(0, error))?;
    let len = i64::try_from(len).map_err(|_| call.fault_at(0, scalar::too_large("+")))?;
    Ok(Value::Int(len))
}

fn sorted(call: &mut Call<'_>) -> Result<Value, Fault> {
    sorted_by(call, items(call)?).map(Value::list)
}

/// The items in the order that a call asks for by its `key` and `reverse`; equal ones keep theirs,
/// also backwards.
pub(super) fn sorted_by(call: &Call<'_>, mut items: Vec<Value>) -> Result<Vec<Value>, Fault> {
    let is_reverse = call.bool("reverse")?;
    if call.is_none("key") {
        sort(call, &mut items, is_reverse, |item| item)?;
        return Ok(items);
    }
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        call.engine().interrupt().heed().map_err(Fault::from)?;
        pairs.push((call.evaluator.call_value(call.value("key"), [item.clone()], [])?, item));
    }
    sort(call, &mut pairs, is_reverse, |(key, _)| key)?;
    Ok(pairs.into_iter().map(|(_, item)| item).collect())
}

/// Sorts in place by a part of each item.
fn sort<T: Clone>(
    call: &Call<'_>,
    items: &mut [T],
    is_reverse: bool,
    key: impl Fn(&T) -> &Value,
) -> Result<(), Fault> {
    let mut pace = room::Pace::new(call.engine());
    let mut is_before = |a: &T, b: &T| {
        pace.step(0)?;
        let (a, b) = if is_reverse { (b, a) } else { (a, b) };
        let order = call.evaluator.order("<", key(a), key(b));
        Ok(order.map_err(|error| call.fault_at(0, error))? == Some(Ordering::Less))
    };
    merge_sort(items, &mut is_before)
}

/// A stable sort that ends where a comparison fails, and takes any answers for an order: with NaN
/// there is none, which the standard library may take for a mistake.
fn merge_sort<T: Clone>(
    items: &mut [T],
    is_before: &mut impl FnMut(&T, &T) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    if items.len() < 2 {
        return Ok(());
    }
    let (left, right) = items.split_at_mut(items.len() / 2);
    merge_sort(left, is_before)?;
    merge_sort(right, is_before)?;
    if !is_before(&right[0], &left[left.len() - 1])? {
        return Ok(());
    }
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut a, mut b) = (0, 0);
    while a < left.len() && b < right.len() {
        let later = is_before(&right[b], &left[a])?;
        merged.push(if later { right[b].clone() } else { left[a].clone() });
        (a, b) = if later { (a, b + 1) } else { (a + 1, b) };
    }
    merged.extend(left[a..].iter().chain(&right[b..]).cloned());
    items.clone_from_slice(&merged);
    Ok(())
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
    let looked = call.evaluator.each(call.value(0), |item| {
        was_iterated = true;
        is_found = crate::interp::convert::truth(call.engine(), &item)? == wanted;
        Ok(!is_found)
    });
    looked.map_err(|fault| if was_iterated { fault } else { call.fault_at(0, fault) })?;
    Ok(Value::Bool(is_found))
}
