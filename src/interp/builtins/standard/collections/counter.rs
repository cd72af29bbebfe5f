//! `Counter`: a dictionary of counts.

use std::cmp::Ordering;
use std::rc::Rc;

use super::super::super::{Builtin, Call, Homes, Run};
use crate::diag::{ErrorKind, Fault};
use crate::interp::builtins::entries_of;
use crate::interp::index;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::room::{self, Pace};
use crate::interp::value::{Dict, Entries, Key, Module, Type, Value};
use crate::interp::{Evaluator, Seen};
use crate::syntax::ast::{BinaryOp, UnaryOp};
use crate::tensor::Error;

const fn method(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::Counter).doc(doc)
}

pub const BUILTINS: &[Builtin] = &[
    super::super::class(
        Module::Collections,
        "Counter(iterable=None, /, **counts)",
        counter,
        "How often each item comes: a dictionary of counts, 0 for what it lacks.",
    )
    .asks_objects()
    .example("from collections import Counter\nCounter(\"banana\").most_common(2)"),
    method(
        "most_common(self, n=None)",
        most_common,
        "The items and their counts, the most common first.",
    ),
    method("elements(self, /)", elements, "Each item as often as it counts."),
    method("total(self, /)", total, "The sum of the counts."),
    method(
        "update(self, iterable=None, /, **counts)",
        |call| change(call, BinaryOp::Add),
        "Adds counts.",
    )
    .asks_objects(),
    method(
        "subtract(self, iterable=None, /, **counts)",
        |call| change(call, BinaryOp::Sub),
        "Takes counts off.",
    )
    .asks_objects(),
    method("__delitem__(self, elem, /)", forget, "Takes an item out, if it is there."),
    method(
        "fromkeys(iterable, value=None, /)",
        |_| {
            let words = "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.";
            Err(Fault::new(ErrorKind::NotImplemented, words))
        },
        "There is none: a counter counts.",
    )
    .homes(Homes::STATIC),
    method(
        "copy(self, /)",
        |call| Ok(made(room::copied_entries(call.engine(), &dict(call)?.borrow())?)),
        "A new counter of the same counts.",
    ),
];

struct Counter(Dict);

fn made(entries: Entries) -> Value {
    Opaque::value(Type::Counter, Counter(Rc::new(entries.into())))
}

fn dict(call: &Call<'_>) -> Result<Dict, Fault> {
    call.value(0).as_dict().cloned().ok_or_else(|| call.wrong_type(0, "a counter"))
}

impl Part for Counter {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        if self.0.borrow().is_empty() {
            return Ok("Counter()".to_owned());
        }
        let entries = room::copied_entries(&evaluator.interp.engine, &self.0.borrow())?;
        // Counts without an order stay in the order in which they came.
        let ordered = match by_count(evaluator, &entries) {
            Ok(ordered) => ordered,
            Err(fault) if fault.kind == ErrorKind::KeyboardInterrupt => return Err(fault),
            Err(_) => entries,
        };
        let shown = evaluator.try_repr(&Value::Dict(Rc::new(ordered.into())))?;
        Ok(format!("Counter({shown})"))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&Value::Dict(self.0.clone()));
    }

    fn dict(&self) -> Option<&Dict> {
        Some(&self.0)
    }

    fn binary(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
        is_reflected: bool,
    ) -> Result<Option<Value>, Error> {
        match other.inside::<Counter>() {
            Some(other) if !is_reflected => {
                Ok(evaluator.joined_counts(op, &self.0, &other.0)?.map(made))
            }
            _ => Ok(None),
        }
    }

    fn update(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
    ) -> Result<bool, Error> {
        let Some(other) = other.as_dict() else { return Ok(false) };
        let Some(after) = evaluator.joined_counts(op, &self.0, other)? else { return Ok(false) };
        *self.0.change(&evaluator.interp.journal) = after;
        Ok(true)
    }

    fn unary(&self, evaluator: &Evaluator<'_>, op: UnaryOp) -> Result<Option<Value>, Error> {
        let none = Rc::new(Entries::default().into());
        Ok(match op {
            UnaryOp::Pos => evaluator.joined_counts(BinaryOp::Add, &self.0, &none)?.map(made),
            UnaryOp::Neg => evaluator.joined_counts(BinaryOp::Sub, &none, &self.0)?.map(made),
            _ => None,
        })
    }

    fn equals(&self, evaluator: &Evaluator<'_>, other: &Value) -> Result<Option<bool>, Error> {
        let Some(other) = other.inside::<Counter>() else { return Ok(None) };
        self.each_pair(evaluator, other, |a, b| evaluator.same_or_equal(a, b)).map(Some)
    }

    fn order(
        &self,
        evaluator: &Evaluator<'_>,
        symbol: &str,
        other: &Value,
    ) -> Result<Option<Option<Ordering>>, Error> {
        let Some(other) = other.inside::<Counter>() else { return Ok(None) };
        let holds = |order: Ordering| {
            self.each_pair(evaluator, other, |a, b| {
                let found = evaluator.order(symbol, a, b)?;
                Ok(found == Some(order) || found == Some(Ordering::Equal))
            })
        };
        Ok(Some(match (holds(Ordering::Less)?, holds(Ordering::Greater)?) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }))
    }

    fn missing(&self, _: &Evaluator<'_>, _: &Key) -> Result<Option<Value>, Fault> {
        Ok(Some(Value::Int(0)))
    }
}

/// The largest counts first, equal ones as they came.
fn by_count(evaluator: &Evaluator<'_>, entries: &Entries) -> Result<Entries, Fault> {
    let mut pairs: Vec<(&Key, &Value)> = entries.iter().collect();
    let mut pace = Pace::new(&evaluator.interp.engine);
    let mut failure: Option<Fault> = None;
    pairs.sort_by(|(_, a), (_, b)| {
        if failure.is_some() {
            return Ordering::Equal;
        }
        let order = pace.step(0).and_then(|()| Ok(evaluator.order("<", b, a)?));
        order
            .unwrap_or_else(|fault| {
                failure = Some(fault);
                None
            })
            .unwrap_or(Ordering::Equal)
    });
    if let Some(fault) = failure {
        return Err(fault);
    }
    let mut ordered = Entries::default();
    for (key, count) in pairs {
        pace.step(0)?;
        ordered.insert(key.clone(), count.clone());
    }
    Ok(ordered)
}

/// The counts that an argument is: those of a mapping, or how often each item of an iterable comes. `is_new` says that
/// a counter without counts takes them over as a dictionary does.
fn counted(call: &Call<'_>, position: usize, is_new: bool) -> Result<Entries, Fault> {
    let (engine, evaluator) = (call.engine(), call.evaluator);
    let value = call.value(position);
    let mut entries = Entries::default();
    if matches!(value, Value::None) {
        return Ok(entries);
    }
    if evaluator.is_mapping(value)? {
        if is_new || !matches!(value, Value::Object(_)) {
            return entries_of(&evaluator, value);
        }
        for (key, count) in evaluator.pairs_of(value)? {
            let key = evaluator.known_key(evaluator.key(&key)?, || &entries)?;
            let count = match entries.get(&key).cloned() {
                Some(before) => evaluator.binary(BinaryOp::Add, &count, &before)?,
                None => count,
            };
            entries.insert(key, count);
        }
        return Ok(entries);
    }
    let mut pace = Pace::new(engine);
    let counted = evaluator.each_seen(value, |item, waits| {
        pace.step(size_of::<Value>())?;
        // What has been counted before needs nobody to say what it equals.
        if let Some(key) = plain_key(&item)
            && let Some(Value::Int(count)) = entries.get_mut(&key)
            && let Some(after) = count.checked_add(1)
        {
            *count = after;
            return Ok(Seen::More);
        }
        if !waits {
            return Ok(Seen::Aside(item));
        }
        let key = evaluator.known_key(evaluator.key(&item)?, || &entries)?;
        let before = entries.get(&key).cloned().unwrap_or(Value::Int(0));
        let after = evaluator.binary(BinaryOp::Add, &before, &Value::Int(1))?;
        entries.insert(key, after);
        Ok(Seen::More)
    });
    counted.map_err(|fault| call.fault_at(position, fault))?;
    Ok(entries)
}

/// The counts that a call gives by keywords.
fn named(call: &Call<'_>) -> Result<Entries, Fault> {
    let names =
        call.extra().iter().filter_map(|argument| Some((argument.name.as_ref()?, argument)));
    let counts = names
        .map(|(name, argument)| Ok((index::hashable(&Value::str(name))?, argument.value.clone())));
    counts.collect()
}

/// A number or a text as a key.
fn plain_key(item: &Value) -> Option<Key> {
    match item {
        Value::Int(number) => Some(Key::of_int(*number)),
        Value::Str(text) => Some(Key::of_text(text.clone())),
        _ => None,
    }
}

fn counter(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (counts, named) = (counted(call, 0, true)?, named(call)?);
    let dict = Rc::new(call.evaluator.made(counts));
    take_in(call, &dict, named, BinaryOp::Add)?;
    // Made here: nobody else has seen it.
    Ok(made(dict.empty()))
}

fn change(call: &mut Call<'_>, op: BinaryOp) -> Result<Value, Fault> {
    let dict = dict(call)?;
    let is_new = op == BinaryOp::Add && dict.borrow().is_empty();
    take_in(call, &dict, counted(call, 1, is_new)?, op)?;
    take_in(call, &dict, named(call)?, op)?;
    Ok(Value::None)
}

/// Adds counts to those of a dictionary, or takes them off.
fn take_in(call: &Call<'_>, dict: &Dict, counts: Entries, op: BinaryOp) -> Result<(), Fault> {
    let evaluator = call.evaluator;
    let mut pace = Pace::new(call.engine());
    let was_empty = dict.borrow().is_empty();
    for (key, count) in counts {
        pace.step(3 * room::ITEM)?;
        let key = evaluator.known_key(key, || dict.borrow())?;
        let before = dict.borrow().get(&key).cloned();
        let after = match (before, op) {
            (None, BinaryOp::Add) if was_empty => count,
            (before, op) => {
                let before = before.unwrap_or(Value::Int(0));
                // In CPython's order, which the values may see.
                let is_sum = op == BinaryOp::Add;
                let (a, b) = if is_sum { (&count, &before) } else { (&before, &count) };
                evaluator.binary(op, a, b)?
            }
        };
        evaluator.step(dict, false, |entries| entries.step(&key))?.insert(key, after);
    }
    Ok(())
}

fn most_common(call: &mut Call<'_>) -> Result<Value, Fault> {
    let entries = room::copied_entries(call.engine(), &dict(call)?.borrow())?;
    let entries = by_count(&call.evaluator, &entries)?;
    let most = call.optional_int(1)?.map_or(usize::MAX, |most| most.max(0) as usize);
    let pairs = entries.iter().take(most);
    let pairs = pairs.map(|(k, v)| Ok::<_, Fault>(Value::tuple([k.value().clone(), v.clone()])));
    Ok(Value::list(room::gather(call.engine(), 3 * room::ITEM, pairs)?))
}

fn elements(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut items = Vec::new();
    let mut pace = Pace::new(call.engine());
    for (key, count) in dict(call)?.borrow().iter() {
        let count = crate::interp::convert::integer(call.engine(), count)?.max(0) as usize;
        for item in std::iter::repeat_n(key.value(), count) {
            pace.step(room::ITEM)?;
            items.push(item.clone());
        }
    }
    let items = call.evaluator.iter(&Value::list(items))?;
    Ok(Value::Iterator(items))
}

fn forget(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dict = dict(call)?;
    let key = call.evaluator.key_in(&dict, call.value(1))?;
    if dict.borrow().contains_key(&key) {
        call.step(&dict, |entries| entries.step_out(&key))?.shift_remove(&key);
    }
    Ok(Value::None)
}

fn total(call: &mut Call<'_>) -> Result<Value, Fault> {
    let mut total = Value::Int(0);
    let mut pace = Pace::new(call.engine());
    for count in dict(call)?.borrow().values() {
        pace.step(0)?;
        total = call.evaluator.binary(BinaryOp::Add, &total, count)?;
    }
    Ok(total)
}

impl Counter {
    /// Whether something holds for both counts of every item.
    fn each_pair(
        &self,
        evaluator: &Evaluator<'_>,
        other: &Counter,
        mut holds: impl FnMut(&Value, &Value) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let engine = &evaluator.interp.engine;
        let a = room::copied_entries(engine, &self.0.borrow())?;
        let b =
            evaluator.aligned_entries(&self.0, room::copied_entries(engine, &other.0.borrow())?)?;
        let mut pace = Pace::new(engine);
        let zero = Value::Int(0);
        for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
            pace.step(0)?;
            if !holds(a.get(key).unwrap_or(&zero), b.get(key).unwrap_or(&zero))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Evaluator<'_> {
    /// `a + b` and its kin of counts; what is not positive is left out. `None` for other operators.
    fn joined_counts(&self, op: BinaryOp, a: &Dict, b: &Dict) -> Result<Option<Entries>, Error> {
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitOr | BinaryOp::BitAnd) {
            return Ok(None);
        }
        let engine = &self.interp.engine;
        let b = self.aligned_entries(a, room::copied_entries(engine, &b.borrow())?)?;
        let a = room::copied_entries(engine, &a.borrow())?;
        let mut pace = Pace::new(engine);
        let zero = Value::Int(0);
        let mut result = Entries::default();
        let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
        for key in keys {
            pace.step(0)?;
            let (x, y) = (a.get(key).unwrap_or(&zero), b.get(key).unwrap_or(&zero));
            let is_less = |x: &Value, y: &Value| {
                Ok::<bool, Error>(self.order("<", x, y)? == Some(Ordering::Less))
            };
            let count = match op {
                BinaryOp::Add | BinaryOp::Sub => self.binary(op, x, y)?,
                BinaryOp::BitOr => {
                    if is_less(x, y)? {
                        y.clone()
                    } else {
                        x.clone()
                    }
                }
                _ => {
                    if is_less(x, y)? {
                        x.clone()
                    } else {
                        y.clone()
                    }
                }
            };
            if is_less(&zero, &count)? {
                result.insert(key.clone(), count);
            }
        }
        Ok(Some(result))
    }
}
