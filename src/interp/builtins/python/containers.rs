//! Methods of lists, tuples and ranges.

use super::super::{Builtin, Call, Homes, Run};
use super::{numbers, sort};
use crate::diag::{ErrorKind, Fault};
use crate::interp::room;
use crate::interp::shared::ItemStep;
use crate::interp::value::{List, Type, Value};
use crate::syntax::ast::CompareOp;

const fn of_list(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::List).doc(doc)
}

const fn of_tuple(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Tuple).doc(doc)
}

const fn of_range(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Range).doc(doc)
}

pub const LISTS: &[Builtin] = &[
    of_list("append(self, object, /)", append, "Adds an item at the end.")
        .quick_change(super::quick::containers::append),
    of_list("extend(self, iterable, /)", extend, "Adds items at the end."),
    of_list("insert(self, index, object, /)", insert, "Adds an item before a position.")
        .quick_change(super::quick::containers::insert),
    of_list("pop(self, index=-1, /)", pop, "Takes an item out and gives it back.")
        .quick_change(super::quick::containers::pop),
    of_list("remove(self, value, /)", remove, "Takes the first equal item out."),
    of_list(
        "index(self, value, start=0, stop=9223372036854775807, /)",
        index,
        "The position of the first equal item, from `start` on and before `stop`.",
    )
    .quick(super::quick::containers::index),
    of_list("count(self, value, /)", count, "How many items are equal to a value."),
    of_list(
        "sort(self, *, key=None, reverse=False)",
        sort,
        "Sorts the list itself, by what `key` makes of each item.",
    )
    .quick_change(super::quick::containers::sort),
    of_list("reverse(self, /)", reverse, "Turns the list itself around.")
        .quick_change(super::quick::containers::reverse),
    of_list("copy(self, /)", copy, "A new list of the same items.")
        .quick(super::quick::containers::copy),
    of_list("clear(self, /)", clear, "Takes all items out."),
    of_tuple(
        "index(self, value, start=0, stop=9223372036854775807, /)",
        index,
        "The position of the first equal item, from `start` on and before `stop`.",
    ),
    of_tuple("count(self, value, /)", count, "How many items are equal to a value."),
    of_range("index(self, value, /)", index, "The position of a number."),
    of_range("count(self, value, /)", count, "Whether a number is in it: 1 or 0."),
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
    call.step(&list(call)?, |items| ItemStep::Len(items.len()))?.push(item);
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
    let len = list.borrow().len() as i64;
    let at = if at < 0 { at.saturating_add(len).max(0) } else { at.min(len) } as usize;
    room::items(call.engine(), 1)?;
    call.step(&list, |_| ItemStep::Come(at))?.insert(at, item);
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
    take(call, position as usize)
}

/// Takes the item out that stands at a position.
fn take(call: &Call<'_>, at: usize) -> Result<Value, Fault> {
    let before = |items: &Vec<Value>| ItemStep::Gone(at, items[at].clone());
    Ok(call.step(&list(call)?, before)?.remove(at))
}

/// Where the first equal item stands, from `start` on and before `stop`.
fn position(call: &Call<'_>, start: usize, stop: usize) -> Result<Option<usize>, Fault> {
    if let (Value::Range(range), Value::Int(number)) = (call.value(0), call.value(1)) {
        return Ok(range.position(*number));
    }
    let (mut at, mut found) = (0, None);
    each_compared(call, |is_equal| {
        if at >= stop {
            return Ok(false);
        }
        if at >= start && is_equal()? {
            found = Some(at);
        }
        at += 1;
        Ok(found.is_none())
    })?;
    Ok(found)
}

/// Shows, for each item of the first argument, what says whether it is the second, until somebody has seen enough.
fn each_compared(
    call: &Call<'_>,
    mut see: impl FnMut(&mut dyn FnMut() -> Result<bool, Fault>) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let sought = call.value(1);
    call.evaluator.comparing(CompareOp::Eq, sought, |equal| {
        call.evaluator.each(call.value(0), |item| {
            see(&mut || match &item {
                item if item.is_same(sought) => Ok(true),
                Value::Object(_) => equal(&item, sought),
                item => numbers::equals(call, item, sought),
            })
        })
    })
}

fn remove(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(at) = position(call, 0, usize::MAX)? else {
        return Err(call.fault_at(1, Fault::value_error("list.remove(x): x not in list")));
    };
    take(call, at).map(|_| Value::None)
}

fn index(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (mut start, mut stop) = (0, usize::MAX);
    if !matches!(call.value(0), Value::Range(_)) {
        let len = call.evaluator.len(call.value(0))? as i64;
        let bound = |key: usize| -> Result<usize, Fault> {
            let at = call.int(key)?;
            Ok(if at < 0 { at.saturating_add(len).max(0) } else { at } as usize)
        };
        (start, stop) = (bound(2)?, bound(3)?);
    }
    match position(call, start, stop)? {
        Some(at) => Ok(Value::Int(at as i64)),
        None => {
            let message = match call.value(0) {
                Value::Tuple(_) => "tuple.index(x): x not in tuple".to_owned(),
                Value::Range(_) if call.value(1).number().is_none() => {
                    "sequence.index(x): x not in sequence".to_owned()
                }
                Value::Range(_) => {
                    format!("{} is not in range", call.evaluator.repr(call.value(1)))
                }
                _ => format!("{} is not in list", call.evaluator.repr(call.value(1))),
            };
            Err(call.fault_at(1, Fault::value_error(message)))
        }
    }
}

fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    if let (Value::Range(range), Value::Int(number)) = (call.value(0), call.value(1)) {
        return Ok(Value::Int(i64::from(range.contains(*number))));
    }
    let mut count = 0;
    each_compared(call, |is_equal| {
        count += i64::from(is_equal()?);
        Ok(true)
    })?;
    Ok(Value::Int(count))
}

fn sort(call: &mut Call<'_>) -> Result<Value, Fault> {
    let items = room::copied(call.engine(), &list(call)?.borrow())?;
    let count = items.len();
    let items = sort::sorted_by(call, items)?;
    if list(call)?.borrow().len() != count {
        return Err(Fault::value_error("list modified during sort"));
    }
    call.put(&list(call)?, items)?;
    Ok(Value::None)
}

fn reverse(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.step(&list(call)?, |_| ItemStep::Turned)?.reverse();
    Ok(Value::None)
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let items = room::copied(call.engine(), &list(call)?.borrow())?;
    Ok(Value::list(items))
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.put(&list(call)?, Vec::new())?;
    Ok(Value::None)
}
