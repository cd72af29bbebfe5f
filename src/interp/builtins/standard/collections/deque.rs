//! `deque`: a queue with two ends.

mod ends;
mod steps;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use super::super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::collect;
use crate::interp::object::iterator::{Iter, Stream};
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room::{self, Pace};
use crate::interp::shared::{Shared, Slot};
use crate::interp::value::{Module, Type, Value};
use crate::syntax::ast::BinaryOp;
use crate::tensor::Error;
use ends::{extend, pop, pop_at_once, push, push_at_once};
use steps::EndStep;

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
    /// How many there may be.
    most: Slot,
    /// How often items came, went or moved.
    turns: Rc<Cell<u64>>,
}

impl Deque {
    fn most(&self) -> Option<usize> {
        let Some(Value::Int(most)) = *self.most.borrow() else { return None };
        Some(most as usize)
    }
}

fn as_slot(most: Option<usize>) -> Slot {
    Rc::new(most.map(|most| Value::Int(most as i64)).into())
}

impl Part for Deque {
    fn fill(&self, evaluator: &Evaluator<'_>, from: &Value) {
        let Some(from) = from.inside::<Deque>() else { return };
        let (items, most) = (from.items.borrow().clone(), from.most.borrow().clone());
        *self.items.change(&evaluator.interp.journal) = items;
        self.most.replace(&evaluator.interp.journal, most);
    }

    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let items: Vec<Value> = self.items.borrow().iter().cloned().collect();
        let items = evaluator.try_repr(&Value::list(items))?;
        Ok(match self.most() {
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

    fn count(&self) -> Option<usize> {
        Some(self.items.borrow().len())
    }

    fn item(&self, at: usize) -> Option<Value> {
        self.items.borrow().get(at).cloned()
    }

    fn iter(&self, is_backwards: bool) -> Option<Rc<Iter>> {
        let name = if is_backwards {
            "_collections._deque_reverse_iterator"
        } else {
            "_collections._deque_iterator"
        };
        let (items, len) = (self.items.clone(), self.items.borrow().len());
        let (turns, turn) = (self.turns.clone(), self.turns.get());
        Some(Iter::over(name, Walk { items, at: 0, len, is_backwards, turns, turn }))
    }

    fn binary(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
        is_reflected: bool,
    ) -> Result<Option<Value>, Error> {
        let own = || Value::list(self.items().unwrap_or_default());
        let joined = match (op, other) {
            (BinaryOp::Add, _) if is_reflected => return Ok(None),
            (BinaryOp::Add, Value::Opaque(opaque)) if let Some(more) = opaque.inside::<Deque>() => {
                let more = Value::list(more.items().unwrap_or_default());
                evaluator.binary(op, &own(), &more)?
            }
            (BinaryOp::Add, _) => {
                let name = other.type_name();
                let message = format!("can only concatenate deque (not \"{name}\") to deque");
                return Err(Error::type_error(message));
            }
            (BinaryOp::Mul, _) if is_plain(other) => {
                let is_number = matches!(other, Value::Int(_) | Value::Bool(_) | Value::Wide(_));
                if !is_number && !is_reflected {
                    let name = other.type_name();
                    let words = format!("can't multiply sequence by non-int of type '{name}'");
                    return Err(Error::type_error(words));
                }
                evaluator.binary(op, &own(), other)?
            }
            _ => return Ok(None),
        };
        let Value::List(joined) = joined else { return Ok(None) };
        Ok(Some(Deque::value(joined.empty(), self.most())))
    }

    fn update(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
    ) -> Result<bool, Error> {
        let after = match (op, other) {
            (BinaryOp::Add, _) => {
                let more = evaluator.first_items(other, usize::MAX)?;
                let own = self.items().unwrap_or_default();
                evaluator.binary(op, &Value::list(own), &Value::list(more))?
            }
            (BinaryOp::Mul, _) if is_plain(other) => {
                let own = Value::list(self.items().unwrap_or_default());
                evaluator.binary(op, &own, other)?
            }
            _ => return Ok(false),
        };
        if let Value::List(after) = after {
            *self.items.change(&evaluator.interp.journal) = last_of(after.empty(), self.most());
        }
        Ok(true)
    }

    fn order(
        &self,
        evaluator: &Evaluator<'_>,
        symbol: &str,
        other: &Value,
    ) -> Result<Option<Option<Ordering>>, Error> {
        let Some(other) = other.inside::<Deque>() else { return Ok(None) };
        let [a, b] = [self, other].map(|deque| Value::list(deque.items().unwrap_or_default()));
        evaluator.order(symbol, &a, &b).map(Some)
    }

    fn items(&self) -> Option<Vec<Value>> {
        Some(self.items.borrow().iter().cloned().collect())
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        let most = self.most().map_or(Value::None, |most| Value::Int(most as i64));
        (name == "maxlen").then_some(most)
    }

    fn assign(&self, evaluator: &Evaluator<'_>, at: usize, value: Value) -> Result<(), Fault> {
        let before = |items: &VecDeque<Value>| EndStep::At(at, items[at].clone());
        self.items.step(&evaluator.interp.journal, before)[at] = value;
        Ok(())
    }

    fn delete(&self, evaluator: &Evaluator<'_>, at: usize) -> Result<(), Fault> {
        let before = |items: &VecDeque<Value>| EndStep::Gone(at, items[at].clone());
        self.items.step(&evaluator.interp.journal, before).remove(at);
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
    Ok(Deque::value(items, most))
}

/// Whether a value has no say of its own in an operation with a sequence.
fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Object(_) | Value::Opaque(_) | Value::Tensor(_))
}

/// The last items, where there are too many.
fn last_of(items: Vec<Value>, most: Option<usize>) -> VecDeque<Value> {
    let skipped = items.len() - items.len().min(most.unwrap_or(usize::MAX));
    items.into_iter().skip(skipped).collect()
}

impl Deque {
    /// Whoever goes through it is to notice.
    fn turn(&self) {
        self.turns.set(self.turns.get().wrapping_add(1));
    }

    /// What differs when it has been changed.
    fn state(&self) -> (usize, u64) {
        (self.items.borrow().len(), self.turns.get())
    }

    fn value(items: Vec<Value>, most: Option<usize>) -> Value {
        let items = Rc::new(last_of(items, most).into());
        Opaque::value(Type::Deque, Deque { items, most: as_slot(most), turns: Rc::default() })
    }
}

/// Goes through a queue, which must keep its length meanwhile.
struct Walk {
    items: Rc<Shared<VecDeque<Value>>>,
    at: usize,
    len: usize,
    is_backwards: bool,
    turns: Rc<Cell<u64>>,
    turn: u64,
}

impl Stream for Walk {
    fn next(&mut self, _: &Evaluator<'_>) -> Result<Option<Value>, Fault> {
        let items = self.items.borrow();
        if items.len() != self.len || self.turns.get() != self.turn {
            return Err(mutated());
        }
        self.at += 1;
        Ok(match self.is_backwards {
            true => self.len.checked_sub(self.at).and_then(|at| items.get(at).cloned()),
            false => items.get(self.at - 1).cloned(),
        })
    }

    fn is_plain(&self) -> bool {
        self.items.borrow().len() == self.len && self.turns.get() == self.turn
    }

    fn copy(&self) -> Box<dyn Stream> {
        Box::new(Walk { items: self.items.clone(), turns: self.turns.clone(), ..*self })
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        self.items.borrow().iter().for_each(look);
    }
}

fn of<'a>(call: &'a Call<'_>) -> Result<&'a Deque, Fault> {
    call.value(0).inside::<Deque>().ok_or_else(|| call.wrong_type(0, "a deque"))
}

fn rotate(call: &mut Call<'_>) -> Result<Value, Fault> {
    let by = call.int(1)?;
    let deque = of(call)?;
    let len = deque.items.borrow().len();
    if len > 0 {
        let by = by.rem_euclid(len as i64) as usize;
        deque.turn();
        call.step(&deque.items, |_| EndStep::Rotated(by))?.rotate_right(by);
    }
    Ok(Value::None)
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.change(&of(call)?.items)?.clear();
    Ok(Value::None)
}

fn reverse(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.step(&of(call)?.items, |_| EndStep::Turned)?.make_contiguous().reverse();
    Ok(Value::None)
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let deque = of(call)?;
    let items = Rc::new(deque.items.borrow().clone().into());
    let turns = Rc::default();
    Ok(Opaque::value(Type::Deque, Deque { items, most: as_slot(deque.most()), turns }))
}

/// The first position among these whose item equals the first argument. `changed` is brought up where asking an
/// item changed the queue.
fn place(
    call: &Call<'_>,
    among: Range<usize>,
    changed: fn() -> Fault,
) -> Result<Option<usize>, Fault> {
    let deque = of(call)?;
    let (before, mut pace) = (deque.state(), Pace::new(call.engine()));
    for at in among {
        pace.step(0)?;
        let Some(item) = deque.items.borrow().get(at).cloned() else { break };
        if call.evaluator.same_or_equal(&item, call.value(1))? {
            return Ok(Some(at));
        }
        if deque.state() != before {
            return Err(changed());
        }
    }
    Ok(None)
}

fn mutated() -> Fault {
    Fault::new(ErrorKind::Runtime, "deque mutated during iteration")
}

fn count(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (before, mut count, mut start) = (of(call)?.state(), 0, 0);
    while let Some(at) = place(call, start..usize::MAX, mutated)? {
        if of(call)?.state() != before {
            return Err(mutated());
        }
        (count, start) = (count + 1, at + 1);
    }
    Ok(Value::Int(count))
}

fn index(call: &mut Call<'_>) -> Result<Value, Fault> {
    let len = of(call)?.items.borrow().len() as i64;
    let bound = |position: usize| -> Result<usize, Fault> {
        let at = call.int(position)?;
        Ok(if at < 0 { at.saturating_add(len).max(0) } else { at } as usize)
    };
    let (start, stop) = (bound(2)?, bound(3)?);
    let found = place(call, start..stop, mutated)?;
    found.map(|at| Value::Int(at as i64)).ok_or_else(|| {
        let message = format!("{} is not in deque", call.evaluator.repr(call.value(1)));
        call.fault_at(1, Fault::value_error(message))
    })
}

fn insert(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (at, item) = (call.int(1)?, call.value(2).clone());
    let deque = of(call)?;
    let len = deque.items.borrow().len();
    if deque.most().is_some_and(|most| len >= most) {
        return Err(Fault::new(ErrorKind::Index, "deque already at its maximum size"));
    }
    let at =
        if at < 0 { at.saturating_add(len as i64).max(0) } else { at.min(len as i64) } as usize;
    room::items(call.engine(), 1)?;
    call.step(&deque.items, |_| EndStep::Come(at))?.insert(at, item);
    Ok(Value::None)
}

fn remove(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mutated = || Fault { kind: ErrorKind::Index, ..mutated() };
    let before = of(call)?.state();
    let Some(at) = place(call, 0..usize::MAX, mutated)? else {
        let message = format!("{} is not in deque", call.evaluator.repr(call.value(1)));
        return Err(call.fault_at(1, Fault::value_error(message)));
    };
    if of(call)?.state() != before {
        return Err(mutated());
    }
    of(call)?.delete(&call.evaluator, at).map(|()| Value::None)
}
