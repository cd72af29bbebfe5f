//! `defaultdict` and `OrderedDict`.

use std::rc::Rc;

use super::super::super::python::fromkeys;
use super::super::super::{Builtin, Call, Homes, Run};
use crate::diag::Fault;
use crate::interp::Evaluator;
use crate::interp::builtins::entries_of;
use crate::interp::convert;
use crate::interp::index;
use crate::interp::object::exception::key_error;
use crate::interp::object::opaque::{Opaque, Part};
use crate::interp::shared::{EntryStep, Slot};
use crate::interp::value::{Dict, Entries, Key, Module, Sought, Type, Value};
use crate::interp::vm::register::put;
use crate::syntax::ast::BinaryOp;
use crate::tensor::Error;

pub const BUILTINS: &[Builtin] = &[
    super::super::class(
        Module::Collections,
        "defaultdict(default_factory=None, mapping=(), /, **entries)",
        defaultdict,
        "A dictionary that makes the value of a key it lacks by calling a function.",
    )
    .example("from collections import defaultdict\nd = defaultdict(list)\nd[\"a\"].append(1)\nd"),
    super::super::class(
        Module::Collections,
        "OrderedDict(mapping=(), /, **entries)",
        ordered,
        "A dictionary whose keys can be moved to its ends.",
    )
    .asks_objects(),
    Builtin::new("copy(self, /)", copy)
        .homes(Homes::NONE)
        .method_of(Type::DefaultDict)
        .doc("A new one of the same entries."),
    Builtin::new("copy(self, /)", copy)
        .homes(Homes::NONE)
        .method_of(Type::OrderedDict)
        .doc("A new one of the same entries."),
    of_default("__missing__(self, key, /)", missing, "Makes the value of a key."),
    of_default("fromkeys(iterable, value=None, /)", default_of_keys, "One with these keys.")
        .homes(Homes::STATIC),
    Builtin::new("fromkeys(iterable, value=None, /)", ordered_of_keys)
        .homes(Homes::STATIC)
        .method_of(Type::OrderedDict)
        .doc("One with these keys, all of one value."),
    Builtin::new("move_to_end(self, key, last=True)", move_to_end)
        .homes(Homes::NONE)
        .method_of(Type::OrderedDict)
        .quick_change(put_last)
        .doc("Puts a key last, or first."),
    Builtin::new("popitem(self, last=True)", popitem)
        .homes(Homes::NONE)
        .method_of(Type::OrderedDict)
        .doc("Takes the last pair out, or the first, and gives it back."),
];

const fn of_default(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(Type::DefaultDict).doc(doc)
}

struct DefaultDict {
    factory: Slot,
    dict: Dict,
}

impl DefaultDict {
    fn value(factory: Value, dict: Dict) -> Value {
        let factory = Rc::new(Some(factory).into());
        Opaque::value(Type::DefaultDict, DefaultDict { factory, dict })
    }

    fn factory(&self) -> Value {
        self.factory.borrow().clone().unwrap_or(Value::None)
    }
}

struct OrderedDict(Dict);

/// What a call gives to a dictionary: the mapping at `position`, then keywords.
pub(super) fn given(call: &Call<'_>, position: usize) -> Result<Entries, Fault> {
    let entries = entries_of(&call.evaluator, call.value(position));
    with_named(call, entries.map_err(|fault| call.fault_at(position, fault))?)
}

/// Entries with what a call gives by keywords.
fn with_named(call: &Call<'_>, mut entries: Entries) -> Result<Entries, Fault> {
    for argument in call.extra() {
        if let Some(name) = &argument.name {
            entries.insert(index::hashable(&Value::str(name))?, argument.value.clone());
        }
    }
    Ok(entries)
}

fn defaultdict(call: &mut Call<'_>) -> Result<Value, Fault> {
    let factory = call.value(0).clone();
    if !matches!(factory, Value::None) && !convert::is_callable(&call.evaluator, &factory) {
        let fault = Fault::type_error("first argument must be callable or None");
        return Err(call.fault_at(0, fault));
    }
    let dict = Rc::new(given(call, 1)?.into());
    Ok(DefaultDict::value(factory, dict))
}

fn ordered(call: &mut Call<'_>) -> Result<Value, Fault> {
    // Of an object it takes what that gives for its keys, whatever it extends.
    let told = call.evaluator.asked_entries(call.value(0));
    let entries = match told.map_err(|fault| call.fault_at(0, fault))? {
        Some(entries) => with_named(call, entries)?,
        None => given(call, 0)?,
    };
    Ok(Opaque::value(Type::OrderedDict, OrderedDict(Rc::new(entries.into()))))
}

impl Part for DefaultDict {
    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let factory = evaluator.try_repr(&self.factory())?;
        let dict = evaluator.try_repr(&Value::Dict(self.dict.clone()))?;
        Ok(format!("defaultdict({factory}, {dict})"))
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&self.factory());
        look(&Value::Dict(self.dict.clone()));
    }

    fn dict(&self) -> Option<&Dict> {
        Some(&self.dict)
    }

    fn binary(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
        is_reflected: bool,
    ) -> Result<Option<Value>, Error> {
        let joined = joined(evaluator, op, &self.dict, other, is_reflected)?;
        Ok(joined.map(|dict| DefaultDict::value(self.factory(), dict)))
    }

    fn fill(&self, evaluator: &Evaluator<'_>, from: &Value) {
        let Some(from) = from.inside::<DefaultDict>() else { return };
        let journal = &evaluator.interp.journal;
        self.factory.replace(journal, Some(from.factory()));
        let entries = from.dict.borrow().clone();
        self.dict.change(journal).extend(entries);
    }

    fn attribute(&self, name: &str) -> Option<Value> {
        (name == "default_factory").then(|| self.factory())
    }

    fn set_attribute(
        &self,
        evaluator: &Evaluator<'_>,
        name: &str,
        value: &Value,
    ) -> Option<Result<(), Fault>> {
        (name == "default_factory").then(|| {
            self.factory.replace(&evaluator.interp.journal, Some(value.clone()));
            Ok(())
        })
    }

    fn missing(&self, evaluator: &Evaluator<'_>, key: &Key) -> Result<Option<Value>, Fault> {
        let factory = self.factory();
        if matches!(factory, Value::None) {
            return Ok(None);
        }
        let made = evaluator.call_value(&factory, [], [])?;
        let before = |entries: &Entries| entries.step(key);
        self.dict.step(&evaluator.interp.journal, before).insert(key.clone(), made.clone());
        Ok(Some(made))
    }
}

/// The entries of two dictionaries, `a | b`.
fn joined(
    evaluator: &Evaluator<'_>,
    op: BinaryOp,
    own: &Dict,
    other: &Value,
    is_reflected: bool,
) -> Result<Option<Dict>, Error> {
    let (BinaryOp::BitOr, Some(other)) = (op, other.as_dict()) else { return Ok(None) };
    let (a, b) = if is_reflected { (other, own) } else { (own, other) };
    let (a, b) = (Value::Dict(a.clone()), Value::Dict(b.clone()));
    match evaluator.binary(op, &a, &b)? {
        Value::Dict(joined) => Ok(Some(joined)),
        _ => Ok(None),
    }
}

impl Part for OrderedDict {
    fn binary(
        &self,
        evaluator: &Evaluator<'_>,
        op: BinaryOp,
        other: &Value,
        is_reflected: bool,
    ) -> Result<Option<Value>, Error> {
        let joined = joined(evaluator, op, &self.0, other, is_reflected)?;
        Ok(joined.map(|dict| Opaque::value(Type::OrderedDict, OrderedDict(dict))))
    }

    fn equals(&self, evaluator: &Evaluator<'_>, other: &Value) -> Result<Option<bool>, Error> {
        let Some(other) = other.inside::<OrderedDict>() else { return Ok(None) };
        let order =
            |dict: &Dict| dict.borrow().keys().map(|key| key.value().clone()).collect::<Vec<_>>();
        // Between two of them the order counts.
        if !evaluator.equal_items(&order(&self.0), &order(&other.0))? {
            return Ok(Some(false));
        }
        let [a, b] = [self, other].map(|dict| Value::Dict(dict.0.clone()));
        evaluator.equal(&a, &b).map(Some)
    }

    fn repr(&self, evaluator: &Evaluator<'_>) -> Result<String, Fault> {
        let entries = self.0.borrow().clone();
        let pairs =
            entries.iter().map(|(key, value)| Value::tuple([key.value().clone(), value.clone()]));
        let pairs = Value::list(pairs.collect());
        Ok(match entries.is_empty() {
            true => "OrderedDict()".to_owned(),
            false => format!("OrderedDict({})", evaluator.try_repr(&pairs)?),
        })
    }

    fn visit(&self, look: &mut dyn FnMut(&Value)) {
        look(&Value::Dict(self.0.clone()));
    }

    fn dict(&self) -> Option<&Dict> {
        Some(&self.0)
    }
}

fn dict(call: &Call<'_>) -> Result<Dict, Fault> {
    call.value(0).as_dict().cloned().ok_or_else(|| call.wrong_type(0, "a dictionary"))
}

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dict = Rc::new(dict(call)?.borrow().clone().into());
    Ok(match call.value(0).inside::<DefaultDict>() {
        Some(same) => DefaultDict::value(same.factory(), dict),
        None => Opaque::value(Type::OrderedDict, OrderedDict(dict)),
    })
}

fn missing(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(own) = call.value(0).inside::<DefaultDict>() else {
        return Err(call.wrong_type(0, "a defaultdict"));
    };
    let key = call.evaluator.key_in(&own.dict, call.value(1))?;
    let made = own.missing(&call.evaluator, &key)?;
    made.ok_or_else(|| key_error(call.value(1), call.evaluator.repr(call.value(1))))
}

fn dict_of_keys(call: &mut Call<'_>) -> Result<Dict, Fault> {
    match fromkeys(call)? {
        Value::Dict(dict) => Ok(dict),
        _ => Ok(Dict::default()),
    }
}

fn default_of_keys(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(DefaultDict::value(Value::None, dict_of_keys(call)?))
}

fn ordered_of_keys(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Opaque::value(Type::OrderedDict, OrderedDict(dict_of_keys(call)?)))
}

/// `dict.move_to_end(key)` of a key that is there
fn put_last(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let [dict, key] = arguments else { return None };
    evaluator.put_last(dict.as_dict()?, &Sought::of(key)?, is_last)?;
    put(to, Value::None);
    Some(())
}

fn move_to_end(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dict = dict(call)?;
    let key = call.evaluator.key_in(&dict, call.value(1));
    let key = key.map_err(|fault| call.fault_at(1, fault))?;
    let Some(from) = dict.borrow().get_index_of(&key) else {
        let fault = key_error(call.value(1), call.evaluator.repr(call.value(1)));
        return Err(call.fault_at(1, fault));
    };
    let is_last = call.bool(2)?;
    let first = dict.borrow().iter().next().map(|(first, _)| first.clone());
    let first = first.filter(|_| !is_last);
    if first.as_ref() == Some(&key) {
        return Ok(Value::None);
    }
    let Some(first) = first else {
        let taken = call.step(&dict, |entries| entries.step_out(&key))?.take_at(from);
        if let Some((key, value)) = taken {
            call.step(&dict, |_| EntryStep::Come(key.clone()))?.insert(key, value);
        }
        return Ok(Value::None);
    };
    let mut entries = call.change(&dict)?;
    if let Some((key, value)) = entries.take_at(from) {
        entries.insert(key, value);
        entries.move_last_before(&first);
    }
    Ok(Value::None)
}

fn popitem(call: &mut Call<'_>) -> Result<Value, Fault> {
    let dict = dict(call)?;
    if dict.borrow().is_empty() {
        return Err(key_error(
            &Value::str("dictionary is empty"),
            "'dictionary is empty'".to_owned(),
        ));
    }
    let is_last = call.bool(1)?;
    let before = match is_last {
        true => Entries::step_of_pop,
        false => |entries: &Entries| match entries.iter().next() {
            Some((key, _)) => entries.step_out(key),
            None => EntryStep::Len(0),
        },
    };
    let mut entries = call.step(&dict, before)?;
    let gone = if is_last { entries.pop() } else { entries.pop_first() };
    let (key, value) = gone.map_or((Value::None, Value::None), |(k, v)| (k.value().clone(), v));
    Ok(Value::tuple([key, value]))
}
