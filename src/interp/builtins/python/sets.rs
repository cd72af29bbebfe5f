//! Sets and frozensets: making them, and their methods.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::object::exception::key_error;
use crate::interp::object::set::{self, Members, Set};
use crate::interp::room;
use crate::interp::shared::MemberStep;
use crate::interp::value::{Type, Value};
use crate::syntax::ast::BinaryOp;
use crate::tensor::Engine;

const fn constructor(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::CONSTRUCTOR)
}

const fn method(of: Type, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(of).doc(doc)
}

const fn of_set(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    method(Type::Set, signature, run, doc)
}

/// What sets and frozensets have in common.
const fn shared(of: Type) -> [Builtin; 8] {
    [
        method(of, "copy(self, /)", copy, "A set of the same elements."),
        method(
            of,
            "union(self, *others)",
            |call| combined(call, BinaryOp::BitOr),
            "What is in any of them.",
        ),
        method(
            of,
            "intersection(self, *others)",
            |call| combined(call, BinaryOp::BitAnd),
            "What is in all of them.",
        ),
        method(
            of,
            "difference(self, *others)",
            |call| combined(call, BinaryOp::Sub),
            "What is in none of the others.",
        ),
        method(
            of,
            "symmetric_difference(self, other, /)",
            |call| {
                let elements =
                    with_other(call, |engine, a, b| set::combined(engine, BinaryOp::BitXor, a, b))?;
                Ok(like(call.value(0), elements))
            },
            "What is in just one of the two.",
        ),
        method(
            of,
            "isdisjoint(self, other, /)",
            |call| match is_set(call.value(1)) {
                true => Ok(Value::Bool(!with_other(call, set::share)?)),
                false => Ok(Value::Bool(!reaches(call, true)?)),
            },
            "Whether they share no element.",
        ),
        method(
            of,
            "issubset(self, other, /)",
            |call| Ok(Value::Bool(with_other(call, set::is_subset)?)),
            "Whether the other holds all of it.",
        ),
        method(
            of,
            "issuperset(self, other, /)",
            |call| {
                if !is_set(call.value(1).plain()) {
                    return Ok(Value::Bool(!reaches(call, false)?));
                }
                let holds = with_other(call, |engine, a, b| set::is_subset(engine, b, a))?;
                Ok(Value::Bool(holds))
            },
            "Whether it holds all of the other.",
        ),
    ]
}

pub const CONSTRUCTORS: &[Builtin] = &[
    constructor("set(iterable=(), /)", |call| Ok(Value::set(elements(call, 0)?)))
        .doc("A new set of what a value holds: each of equal values once, in the order in which\nthey came. They must not be able to change.")
        .example("set([3, 1, 3])"),
    constructor("frozenset(iterable=(), /)", frozenset)
        .doc("As `set`, but it never changes, so that it may be an element or a key itself.")
        .example("frozenset(\"aba\")"),
];

pub const SETS: &[Builtin] = &[
    of_set("add(self, elem, /)", add, "Takes an element in.")
        .quick_change(super::quick::containers::add),
    of_set("discard(self, elem, /)", discard, "Takes an element out, if it is there.")
        .quick_change(super::quick::containers::discard),
    of_set("remove(self, elem, /)", remove, "Takes an element out, which must be there.")
        .quick_change(super::quick::containers::remove),
    of_set("pop(self, /)", pop, "Takes some element out and gives it back."),
    of_set("clear(self, /)", clear, "Takes all elements out."),
    of_set(
        "update(self, *others)",
        |call| change(call, BinaryOp::BitOr),
        "Takes the elements of the others in.",
    ),
    of_set(
        "intersection_update(self, *others)",
        |call| {
            let elements = folded(call, BinaryOp::BitAnd)?;
            call.put(&set(call)?, elements)?;
            Ok(Value::None)
        },
        "Keeps what is in all others.",
    ),
    of_set(
        "difference_update(self, *others)",
        |call| change(call, BinaryOp::Sub),
        "Takes out what is in any of the others.",
    ),
    of_set(
        "symmetric_difference_update(self, other, /)",
        |call| {
            let (set, is_last) = (set(call)?, call.is_last_action());
            let changed = call.evaluator.update_set(&set, BinaryOp::BitXor, call.value(1), is_last);
            changed.map(|()| Value::None).map_err(|fault| call.fault_at(1, fault))
        },
        "Keeps what is in just one of the two.",
    ),
];

pub const OF_SETS: &[Builtin] = &shared(Type::Set);
pub const OF_FROZENSETS: &[Builtin] = &shared(Type::FrozenSet);

fn set(call: &Call<'_>) -> Result<Set, Fault> {
    match call.value(0) {
        Value::Set(set) => Ok(set.clone()),
        _ => Err(call.wrong_type(0, "a set")),
    }
}

/// The elements of any iterable among the arguments.
fn elements(call: &Call<'_>, position: usize) -> Result<Members, Fault> {
    let elements = call.evaluator.elements_of(call.value(position));
    elements.map_err(|fault| call.fault_at(position, fault))
}

/// What `look` says of the receiver and the other.
fn with_other<R>(
    call: &Call<'_>,
    look: impl FnOnce(&Engine, &Members, &Members) -> Result<R, Fault>,
) -> Result<R, Fault> {
    let looked = call.evaluator.with_both(call.value(0), call.value(1), look);
    looked.map_err(|fault| call.fault_at(1, fault))
}

fn is_set(value: &Value) -> bool {
    matches!(value, Value::Set(_) | Value::FrozenSet(_))
}

/// Whether the other gives an element that is in the receiver, or one that is not. It is asked for no
/// more than that takes.
fn reaches(call: &Call<'_>, wanted: bool) -> Result<bool, Fault> {
    let evaluator = call.evaluator;
    let mut reached = false;
    let looked = evaluator.each(call.value(1), |item| {
        let key = evaluator.key(&item)?;
        let is_in = match call.value(0) {
            Value::Set(set) => {
                let key = evaluator.known_key(key, || set.borrow())?;
                set.borrow().contains(&key)
            }
            Value::FrozenSet(set) => set.contains(&evaluator.known_key(key, || &**set)?),
            _ => return Err(call.wrong_type(0, "a set")),
        };
        reached = is_in == wanted;
        Ok(!reached)
    });
    looked.map_err(|fault| call.fault_at(1, fault))?;
    Ok(reached)
}

/// A set of the same type.
fn like(receiver: &Value, elements: Members) -> Value {
    match receiver {
        Value::FrozenSet(_) => Value::FrozenSet(Rc::new(elements)),
        _ => Value::set(elements),
    }
}

fn frozenset(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0) {
        same @ Value::FrozenSet(_) => Ok(same.clone()),
        _ => Ok(Value::FrozenSet(Rc::new(elements(call, 0)?))),
    }
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.value(0) {
        Value::Set(set) => Ok(Value::set(room::copied_members(call.engine(), &set.borrow())?)),
        frozen => Ok(frozen.clone()),
    }
}

/// What `op` makes of the receiver and all others, one after the other.
fn folded(call: &Call<'_>, op: BinaryOp) -> Result<Members, Fault> {
    let mut all = call.value(0).clone();
    if op != BinaryOp::BitAnd && !call.rest().iter().all(|argument| is_set(&argument.value)) {
        // The program's own iterators may change the receiver on the way.
        all = Value::set(call.evaluator.elements_of(&all)?);
    }
    for argument in call.rest() {
        let combine = |engine: &Engine, a: &Members, b: &Members| set::combined(engine, op, a, b);
        let elements = call.evaluator.with_both(&all, &argument.value, combine);
        all = Value::set(elements.map_err(|fault| call.fault_of(argument, fault))?);
    }
    match &all {
        // Made here: nobody else has seen it.
        Value::Set(set) if !call.rest().is_empty() => Ok(set.empty()),
        all => call.evaluator.elements_of(all),
    }
}

fn combined(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    Ok(like(call.value(0), folded(call, op)?))
}

/// As its operator in place, with each of the others.
fn change(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    let set = set(call)?;
    let others = call.rest();
    for (left, other) in (0..others.len()).rev().zip(others) {
        let is_last = left == 0 && call.is_last_action();
        let changed = call.evaluator.update_set(&set, op, &other.value, is_last);
        changed.map_err(|fault| call.fault_of(other, fault))?;
    }
    Ok(Value::None)
}

fn add(call: &mut Call<'_>) -> Result<Value, Fault> {
    let set = set(call)?;
    let evaluator = call.evaluator;
    let key =
        evaluator.key(call.value(1)).and_then(|key| evaluator.known_key(key, || set.borrow()));
    let key = key.map_err(|fault| call.fault_at(1, fault))?;
    // An element that is there is no change.
    let is_new = !set.borrow().contains(&key);
    if is_new {
        room::items(call.engine(), 3)?;
        call.step(&set, |elements| MemberStep::Len(elements.len()))?.insert(key);
    }
    Ok(Value::None)
}

/// Takes the element out that a call names; whether it was there.
fn take(call: &Call<'_>) -> Result<bool, Fault> {
    let set = set(call)?;
    let key = call.evaluator.element_key(call.value(1)).map_err(Fault::from);
    let key = key.and_then(|key| call.evaluator.known_key(key, || set.borrow()));
    let key = key.map_err(|fault| call.fault_at(1, fault))?;
    let is_there = set.borrow().contains(&key);
    Ok(is_there && {
        let mut elements = call.step(&set, |elements| elements.step_out(&key))?;
        set::discard(&mut elements, &key)
    })
}

fn discard(call: &mut Call<'_>) -> Result<Value, Fault> {
    take(call).map(|_| Value::None)
}

fn remove(call: &mut Call<'_>) -> Result<Value, Fault> {
    if take(call)? {
        return Ok(Value::None);
    }
    let fault = key_error(call.value(1), call.evaluator.repr(call.value(1)));
    Err(call.fault_at(1, fault))
}

fn pop(call: &mut Call<'_>) -> Result<Value, Fault> {
    let set = set(call)?;
    if set.borrow().is_empty() {
        return Err(key_error(
            &Value::str("pop from an empty set"),
            "'pop from an empty set'".to_owned(),
        ));
    }
    let gone = set::pop(&mut *call.step(&set, Members::step_of_pop)?);
    Ok(gone.map_or(Value::None, |key| key.value().clone()))
}

fn clear(call: &mut Call<'_>) -> Result<Value, Fault> {
    call.put(&set(call)?, Members::default())?;
    Ok(Value::None)
}
