//! `deque`: a queue with two ends.

use std::collections::VecDeque;
use std::rc::Rc;

use super::super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::collect::{self, Container};
use crate::interp::letting_go::let_go;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room;
use crate::interp::shared::{Contents, Shared, Stepwise};
use crate::interp::value::{Module, Type, Value};
use crate::interp::vm::register::put;

const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Deque).doc(doc)
}

pub const BUILTINS: &[Builtin] = &[
    super::super::class(
        Module::Collections,
        "deque(iterable=(), maxlen=None)",
        deque,
        "A queue with two ends; with `maxlen`, what is too much falls out at the other end.",
    )
    .example("from collections import deque\nd = deque([1, 2, 3], maxlen=3)\nd.append(4)\nd"),
    method("append(self, x, /)", |call| push(call, false), "Adds an item at the right.")
        .quick_change(|evaluator, arguments, to, is_last| {
            push_at_once(evaluator, arguments, to, is_last, false)
        }),
    method("appendleft(self, x, /)", |call| push(call, true), "Adds an item at the left.")
        .quick_change(|evaluator, arguments, to, is_last| {
            push_at_once(evaluator, arguments, to, is_last, true)
        }),
    method("extend(self, iterable, /)", |call| extend(call, false), "Adds items at the right."),
    method(
        "extendleft(self, iterable, /)",
        |call| extend(call, true),
        "Adds items at the left, one by one.",
    ),
    method("pop(self, /)", |call| pop(call, false), "Takes the item at the right out.")
        .quick_change(|evaluator, arguments, to, is_last| {
            pop_at_once(evaluator, arguments, to, is_last, false)
        }),
    method("popleft(self, /)", |call| pop(call, true), "Takes the item at the left out.")
        .quick_change(|evaluator, arguments, to, is_last| {
            pop_at_once(evaluator, arguments, to, is_last, true)
        }),
    method("rotate(self, n=1, /)", rotate, "Moves so many items from the right to the left."),
    method("clear(self, /)", clear, "Takes all items out."),
    method("reverse(self, /)", reverse, "Turns the queue around."),
    method("copy(self, /)", copy, "A new queue of the same items."),
    method("count(self, x, /)", count, "How many items equal a value."),
    method(
        "index(self, x, start=0, stop=9223372036854775807, /)",
        index,
        "Where the first equal item stands.",
    ),
    method("insert(self, i, x, /)", insert, "Adds an item before a position."),
    method("remove(self, value, /)", remove, "Takes the first equal item out."),
];

struct Deque {
    items: Rc<Shared<VecDeque<Value>>>,
    most: Option<usize>,
}

impl Contents for VecDeque<Value> {
    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.iter().for_each(look);
    }

    fn bytes(&self) -> usize {
        self.len() * size_of::<Value>()
    }

    fn let_go(&mut self) {
        let_go(std::mem::take(self));
    }

    fn container(cell: &Rc<Shared<Self>>) -> Option<Container> {
        let part: Rc<dyn collect::Part> = cell.clone();
        Some(Container::Part(Rc::downgrade(&part)))
    }
}

impl Part for Deque {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let items: Vec<Value> = self.items.borrow().iter().cloned().collect();
        let items = evaluator.try_repr(&Value::list(items))?;
        Ok(match self.most {
            Some(most) => format!("deque({items}, maxlen={most})"),
            None => format!("deque({items})"),
        })
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        let Some(items) = self.items.try_borrow() else { return };
        items.iter().for_each(look);
    }

    fn shared(&self) -> Option<Rc<dyn collect::Part>> {
        Some(self.items.clone())
    }

    fn items(&self) -> Option<Vec<Value>> {
        Some(self.items.borrow().iter().cloned().collect())
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        let most = self.most.map_or(Value::None, |most| Value::Int(most as i64));
        (name == "maxlen").then_some(most)
    }

    fn assign(&self, evaluator: &Evaluator<'_>, at: usize, value: Value) -> Result<(), Fault> {
        self.items.change(&evaluator.interp.journal)[at] = value;
        Ok(())
    }
}

fn deque(call: &mut Call<'_>) -> Result<Value, Fault> {
    let most = match call.value(1) {
        Value::None => None,
        _ => {
            let most = call.int(1)?;
            let most = usize::try_from(most)
                .map_err(|_| call.fault_at(1, Fault::value_error("maxlen must be non-negative")))?;
            Some(most)
        }
    };
    let items = call
        .evaluator
        .first_items(call.value(0), usize::MAX)
        .map_err(|error| call.fault_at(0, error))?;
    let skipped = items.len() - items.len().min(most.unwrap_or(usize::MAX));
    let items: VecDeque<Value> = items.into_iter().skip(skipped).collect();
    Ok(Opaque::value(Type::Deque, Deque { items: Rc::new(items.into()), most }))
}

/// What a step changed at an end of a queue.
#[derive(Debug)]
pub enum EndStep {
    Pushed { is_left: bool },
    Popped { is_left: bool, item: Value },
}

impl Stepwise for VecDeque<Value> {
    type Step = EndStep;

    fn count(&self) -> usize {
        self.len()
    }

    fn take_back(&mut self, step: EndStep) {
        match step {
            EndStep::Pushed { is_left: true } => _ = self.pop_front(),
            EndStep::Pushed { is_left: false } => _ = self.pop_back(),
            EndStep::Popped { is_left: true, item } => self.push_front(item),
            EndStep::Popped { is_left: false, item } => self.push_back(item),
        }
    }

    fn visit_step(step: &EndStep, look: &mut dyn FnMut(&Value)) {
        if let EndStep::Popped { item, .. } = step {
            look(item);
        }
    }
}

fn of<'a>(call: &'a Call<'_>) -> Result<&'a Deque, Fault> {
    call.value(0).inside::<Deque>().ok_or_else(|| call.wrong_type(0, "a deque"))
}

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

fn push(call: &Call<'_>, is_left: bool) -> Result<Value, Fault> {
    let deque = of(call)?;
    room::items(call.engine(), 1)?;
    let item = call.value(1).clone();
    let is_full = deque.most.is_some_and(|most| deque.items.borrow().len() >= most);
    let mut items = match is_full {
        true => call.change(&deque.items)?,
        false => call.step(&deque.items, |_| EndStep::Pushed { is_left })?,
    };
    add(&mut items, deque.most, item, is_left);
    drop(items);
    Ok(Value::None)
}

/// The same where the queue has room and keeps all that it has; whether it was done.
fn push_at_once(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
    is_left: bool,
) -> Option<()> {
    let [queue, item] = arguments else { return None };
    let Deque { items, most: None } = queue.inside::<Deque>()? else { return None };
    {
        let items = items.borrow();
        if items.len() == items.capacity() {
            return None;
        }
    }
    let before = |_: &VecDeque<Value>| EndStep::Pushed { is_left };
    let mut items = evaluator.step_at_once(items, item, is_last, before);
    add(&mut items, None, item.clone(), is_left);
    put(to, Value::None);
    Some(())
}

fn extend(call: &Call<'_>, is_left: bool) -> Result<Value, Fault> {
    let deque = of(call)?;
    let items = call
        .evaluator
        .first_items(call.value(1), usize::MAX)
        .map_err(|error| call.fault_at(1, error))?;
    let mut queue = call.change(&deque.items)?;
    items.into_iter().for_each(|item| add(&mut queue, deque.most, item, is_left));
    drop(queue);
    Ok(Value::None)
}

fn pop(call: &Call<'_>, is_left: bool) -> Result<Value, Fault> {
    let deque = of(call)?;
    let end = |items: &VecDeque<Value>| {
        let item = if is_left { items.front() } else { items.back() };
        item.cloned()
    };
    let Some(item) = end(&deque.items.borrow()) else {
        return Err(Fault::new(ErrorKind::Index, "pop from an empty deque"));
    };
    let kept = item.clone();
    let mut items = call.step(&deque.items, |_| EndStep::Popped { is_left, item: kept })?;
    let gone = if is_left { items.pop_front() } else { items.pop_back() };
    drop((items, gone));
    Ok(item)
}

/// The same of a queue that has something; whether it was done.
fn pop_at_once(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
    is_left: bool,
) -> Option<()> {
    let [queue] = arguments else { return None };
    let items = &queue.inside::<Deque>()?.items;
    let end = |items: &VecDeque<Value>| {
        if is_left { items.front().cloned() } else { items.back().cloned() }
    };
    let item = end(&items.borrow())?;
    let before = |_: &VecDeque<Value>| EndStep::Popped { is_left, item: item.clone() };
    let mut items = evaluator.step_at_once(items, &Value::None, is_last, before);
    let gone = if is_left { items.pop_front() } else { items.pop_back() };
    drop(items);
    drop(gone);
    put(to, item);
    Some(())
}

fn rotate(call: &mut Call<'_>) -> Result<Value, Fault> {
    let by = call.int(1)?;
    let deque = of(call)?;
    let mut items = call.change(&deque.items)?;
    if !items.is_empty() {
        let by = by.rem_euclid(items.len() as i64) as usize;
        items.rotate_right(by);
    }
    drop(items);
    Ok(Value::None)
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&of(call)?.items)?.clear();
    Ok(Value::None)
}

fn reverse(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&of(call)?.items)?.make_contiguous().reverse();
    Ok(Value::None)
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let deque = of(call)?;
    let items = Rc::new(deque.items.borrow().clone().into());
    Ok(Opaque::value(Type::Deque, Deque { items, most: deque.most }))
}

/// The positions of items that equal the first argument.
fn places(call: &Call<'_>) -> Result<Vec<usize>, Fault> {
    let items: Vec<Value> = of(call)?.items.borrow().iter().cloned().collect();
    let mut places = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if call.evaluator.same_or_equal(item, call.value(1))? {
            places.push(at);
        }
    }
    Ok(places)
}

fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Int(places(call)?.len() as i64))
}

fn index(call: &mut Call<'_>) -> Result<Value, Fault> {
    let len = of(call)?.items.borrow().len() as i64;
    let bound = |position: usize| -> Result<usize, Fault> {
        let at = call.int(position)?;
        Ok(if at < 0 { at.saturating_add(len).max(0) } else { at } as usize)
    };
    let (start, stop) = (bound(2)?, bound(3)?);
    let found = places(call)?.into_iter().find(|at| (start..stop).contains(at));
    found.map(|at| Value::Int(at as i64)).ok_or_else(|| {
        let message = format!("{} is not in deque", call.evaluator.repr(call.value(1)));
        call.fault_at(1, Fault::value_error(message))
    })
}

fn insert(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (at, item) = (call.int(1)?, call.value(2).clone());
    let deque = of(call)?;
    let len = deque.items.borrow().len();
    if deque.most.is_some_and(|most| len >= most) {
        return Err(Fault::new(ErrorKind::Index, "deque already at its maximum size"));
    }
    let at = if at < 0 { at.saturating_add(len as i64).max(0) } else { at.min(len as i64) };
    call.change(&deque.items)?.insert(at as usize, item);
    Ok(Value::None)
}

fn remove(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(at) = places(call)?.first().copied() else {
        let message = format!("{} is not in deque", call.evaluator.repr(call.value(1)));
        return Err(call.fault_at(1, Fault::value_error(message)));
    };
    call.change(&of(call)?.items)?.remove(at);
    Ok(Value::None)
}
