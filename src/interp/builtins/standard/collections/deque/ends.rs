//! What comes to a queue's ends, and goes from there.

use std::collections::VecDeque;

use super::steps::EndStep;
use super::{Deque, of};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::builtins::Call;
use crate::interp::room;
use crate::interp::value::Value;
use crate::interp::vm::register::put;

/// So few of a queue's items come by themselves.
const FEW_OF: usize = 8;

fn add(items: &mut VecDeque<Value>, most: Option<usize>, item: Value, is_left: bool) {
    if is_left {
        items.push_front(item);
    } else {
        items.push_back(item);
    }
    if most.is_some_and(|most| items.len() > most) {
        if is_left {
            items.pop_back()
        } else {
            items.pop_front()
        };
    }
}

pub(super) fn push(call: &Call<'_>, is_left: bool) -> Result<Value, Fault> {
    let deque = of(call)?;
    room::items(call.engine(), 1)?;
    let item = call.value(1).clone();
    if deque.most() == Some(0) {
        return Ok(Value::None);
    }
    let is_full = deque.most().is_some_and(|most| deque.items.borrow().len() >= most);
    let before = |items: &VecDeque<Value>| {
        let gone = if is_left { items.back() } else { items.front() };
        match gone {
            Some(item) if is_full => EndStep::Shoved { is_left, item: item.clone() },
            _ => EndStep::Pushed { is_left },
        }
    };
    deque.turn();
    let mut items = call.step(&deque.items, before)?;
    add(&mut items, deque.most(), item, is_left);
    drop(items);
    Ok(Value::None)
}

/// The same where the queue has room and keeps all that it has; whether it was done.
pub(super) fn push_at_once(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
    is_left: bool,
) -> Option<()> {
    let [queue, item] = arguments else { return None };
    let deque = queue.inside::<Deque>()?;
    let items = &deque.items;
    if deque.most().is_some() || items.borrow().len() == items.borrow().capacity() {
        return None;
    }
    let before = |_: &VecDeque<Value>| EndStep::Pushed { is_left };
    deque.turn();
    let mut items = evaluator.step_at_once(items, item, is_last, before);
    add(&mut items, None, item.clone(), is_left);
    put(to, Value::None);
    Some(())
}

pub(super) fn extend(call: &Call<'_>, is_left: bool) -> Result<Value, Fault> {
    let deque = of(call)?;
    let items = call
        .evaluator
        .first_items(call.value(1), usize::MAX)
        .map_err(|error| call.fault_at(1, error))?;
    if items.is_empty() || deque.most() == Some(0) {
        return Ok(Value::None);
    }
    deque.turn();
    let len = deque.items.borrow().len();
    if deque.most().is_none() && items.len() <= len / FEW_OF {
        // A step for each: a long queue is not copied for a few that come.
        for item in items {
            let mut queue = call.step(&deque.items, |_| EndStep::Pushed { is_left })?;
            add(&mut queue, None, item, is_left);
        }
        return Ok(Value::None);
    }
    let mut queue = call.change(&deque.items)?;
    items.into_iter().for_each(|item| add(&mut queue, deque.most(), item, is_left));
    drop(queue);
    Ok(Value::None)
}

pub(super) fn pop(call: &Call<'_>, is_left: bool) -> Result<Value, Fault> {
    let deque = of(call)?;
    let end = |items: &VecDeque<Value>| {
        let item = if is_left { items.front() } else { items.back() };
        item.cloned()
    };
    let Some(item) = end(&deque.items.borrow()) else {
        return Err(Fault::new(ErrorKind::Index, "pop from an empty deque"));
    };
    let kept = item.clone();
    deque.turn();
    let mut items = call.step(&deque.items, |_| EndStep::Popped { is_left, item: kept })?;
    let gone = if is_left { items.pop_front() } else { items.pop_back() };
    drop((items, gone));
    Ok(item)
}

/// The same of a queue that has something; whether it was done.
pub(super) fn pop_at_once(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
    is_left: bool,
) -> Option<()> {
    let [queue] = arguments else { return None };
    let deque = queue.inside::<Deque>()?;
    let items = &deque.items;
    if items.borrow().is_empty() {
        return None;
    }
    let before = |items: &VecDeque<Value>| {
        let end = if is_left { items.front() } else { items.back() };
        EndStep::Popped { is_left, item: end.cloned().unwrap_or(Value::None) }
    };
    deque.turn();
    let mut items = evaluator.step_at_once(items, &Value::None, is_last, before);
    put(to, if is_left { items.pop_front() } else { items.pop_back() }?);
    Some(())
}
