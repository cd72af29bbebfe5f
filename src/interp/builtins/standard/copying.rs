//! `copy`: copies of containers and objects, shallow and deep.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::object::class::ClassRef;
use crate::interp::object::instance::{Inner, Instance};
use crate::interp::room::{self, Pace};
use crate::interp::value::{Dict, Entries, Key, Members, Module, Value};
use crate::tensor::Tensor;

pub const BUILTINS: &[Builtin] = &[
    super::of(
        Module::Copy,
        "copy(x)",
        copy,
        "A new container of the same items, or a new object; a tensor's elements copied.",
    ),
    super::of(
        Module::Copy,
        "deepcopy(x, memo=None)",
        deepcopy,
        "A copy of a container or an object, and of all that is in it.",
    ),
];

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    shallow(call, call.value(0))
}

fn shallow(call: &Call<'_>, value: &Value) -> Result<Value, Fault> {
    Ok(match value {
        Value::List(list) => Value::list(room::copied(call.engine(), &list.borrow())?),
        Value::Dict(dict) => {
            Value::Dict(Rc::new(room::copied_entries(call.engine(), &dict.borrow())?.into()))
        }
        Value::Set(set) => Value::set(room::copied_members(call.engine(), &set.borrow())?),
        Value::Tensor(tensor) => call.engine().copy_as_it_lies(tensor)?.into(),
        Value::Opaque(_) => copied_opaque(call, value)?.unwrap_or_else(|| value.clone()),
        Value::Generator(_) => return Err(not_copied(value)),
        Value::Object(object) => match call.evaluator.call_special(value, "__copy__", []) {
            Some(copied) => copied?,
            None => {
                let inner = match &object.inner {
                    Inner::Value(plain) => Inner::Value(shallow(call, plain)?),
                    inner => inner_of(call, inner),
                };
                let made = like(call, object, inner);
                let fields = object.fields().borrow().clone();
                *made.fields().change(&call.evaluator.interp.journal) = fields;
                Value::Object(made)
            }
        },
        other => other.clone(),
    })
}

/// What a built-in base keeps in an object that holds no value.
fn inner_of(call: &Call<'_>, inner: &Inner) -> Inner {
    match inner {
        Inner::Exception(exception) => {
            let state = exception.borrow().clone();
            Inner::Exception(Rc::new(call.evaluator.made(state)))
        }
        Inner::Value(value) => Inner::Value(value.clone()),
        Inner::None => Inner::None,
    }
}

/// An object of the same class, without fields.
fn like(call: &Call<'_>, object: &Instance, inner: Inner) -> Rc<Instance> {
    let interp = call.evaluator.interp;
    let made = Instance::made_in(&interp.journal, object.class.clone(), inner);
    if let ClassRef::Program(class) = &made.class
        && class.has_end(interp.class_changes.get())
    {
        made.watch(Some(interp.watch()));
    }
    Rc::new(made)
}

#[cold]
fn not_copied(value: &Value) -> Fault {
    Fault::type_error(format!("cannot pickle '{}' object", value.type_name()))
}

/// What a `copy` method gives, of an object of Python's library.
fn copied_opaque(call: &Call<'_>, value: &Value) -> Result<Option<Value>, Fault> {
    match call.evaluator.attribute(value, "copy") {
        Ok(method) => call.evaluator.call_value(&method, [], []).map(Some),
        Err(_) => Ok(None),
    }
}

fn deepcopy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let pace = Pace::new(call.engine());
    let memo = match call.value(1) {
        Value::Dict(memo) => memo.clone(),
        _ => Rc::new(call.evaluator.made(Entries::default())),
    };
    Copier { call, memo, tensors: FxHashMap::default(), pace }.copy(call.value(0))
}

struct Copier<'a, 'b> {
    call: &'a Call<'b>,
    /// What was made of each container, by its place in memory; `__deepcopy__` gets it, too.
    memo: Dict,
    tensors: FxHashMap<usize, Tensor>,
    pace: Pace<'b>,
}

impl Copier<'_, '_> {
    fn copy(&mut self, value: &Value) -> Result<Value, Fault> {
        self.pace.step(size_of::<Value>())?;
        let evaluator = self.call.evaluator;
        evaluator.deeper("", || self.copy_whole(value))
    }

    fn copies(&mut self, items: &[Value]) -> Result<Vec<Value>, Fault> {
        items.iter().map(|item| self.copy(item)).collect()
    }

    fn entries(&mut self, entries: &Entries) -> Result<Entries, Fault> {
        let mut copies = Entries::default();
        for (key, value) in entries {
            copies.insert(self.key(key)?, self.copy(value)?);
        }
        Ok(copies)
    }

    fn key(&mut self, key: &Key) -> Result<Key, Fault> {
        match key.value() {
            Value::Object(_) | Value::Tuple(_) | Value::FrozenSet(_) => {
                let copied = self.copy(key.value())?;
                self.call.evaluator.key(&copied)
            }
            _ => Ok(key.clone()),
        }
    }

    /// Notes what is made of a value before its parts are copied, which may hold it.
    fn note(&self, value: &Value, made: &Value) {
        if let Some(key) = place(value) {
            let journal = &self.call.evaluator.interp.journal;
            self.memo.change(journal).insert(key, made.clone());
        }
    }

    fn copy_whole(&mut self, value: &Value) -> Result<Value, Fault> {
        let journal = &self.call.evaluator.interp.journal;
        if let Some(made) = place(value).and_then(|key| self.memo.borrow().get(&key).cloned()) {
            return Ok(made);
        }
        Ok(match value {
            Value::Tensor(tensor) => {
                // Two names for one tensor stay two names for one.
                if let Some(made) = self.tensors.get(&tensor.id()) {
                    return Ok(made.clone().into());
                }
                let made = self.call.engine().copy_as_it_lies(tensor)?;
                self.tensors.insert(tensor.id(), made.clone());
                made.into()
            }
            Value::Tuple(items) => {
                let copies = self.copies(items)?;
                match copies.iter().zip(items.iter()).all(|(a, b)| a.is_same(b)) {
                    true => value.clone(),
                    false => Value::tuple(copies),
                }
            }
            Value::List(list) => {
                let new = Value::list(Vec::new());
                self.note(value, &new);
                let items = room::copied(self.pace.engine(), &list.borrow())?;
                let copies = self.copies(&items)?;
                if let Value::List(new) = &new {
                    *new.change(journal) = copies;
                }
                new
            }
            Value::Dict(dict) => {
                let new: Dict = Rc::new(Entries::default().into());
                self.note(value, &Value::Dict(new.clone()));
                let entries = room::copied_entries(self.pace.engine(), &dict.borrow())?;
                let copies = self.entries(&entries)?;
                *new.change(journal) = copies;
                Value::Dict(new)
            }
            Value::Set(set) => {
                let elements = room::copied_members(self.pace.engine(), &set.borrow())?;
                let mut copies = Members::default();
                for key in &elements {
                    self.pace.step(0)?;
                    copies.insert(self.key(key)?);
                }
                Value::set(copies)
            }
            Value::Opaque(_) => self.copy_opaque(value)?,
            Value::Object(object) => {
                let memo = Value::Dict(self.memo.clone());
                if let Some(copied) =
                    self.call.evaluator.call_special(value, "__deepcopy__", [&memo])
                {
                    return copied;
                }
                let inner = match &object.inner {
                    Inner::Value(plain) => Inner::Value(self.copy(plain)?),
                    inner => inner_of(self.call, inner),
                };
                let made = like(self.call, object, inner);
                self.note(value, &Value::Object(made.clone()));
                let fields = object.fields().borrow().clone();
                let fields = self.entries(&fields)?;
                *made.fields().change(journal) = fields;
                Value::Object(made)
            }
            Value::Generator(_) => return Err(not_copied(value)),
            other => other.clone(),
        })
    }

    /// An object of Python's library: its own `copy`, with copies of what it holds.
    fn copy_opaque(&mut self, value: &Value) -> Result<Value, Fault> {
        let Some(made) = copied_opaque(self.call, value)? else { return Ok(value.clone()) };
        self.note(value, &made);
        let evaluator = self.call.evaluator;
        if let (Some(old), Some(new)) = (value.as_dict(), made.as_dict()) {
            let entries = room::copied_entries(self.pace.engine(), &old.borrow())?;
            let copies = self.entries(&entries)?;
            *new.change(&evaluator.interp.journal) = copies;
        } else if let Value::Opaque(opaque) = value
            && let Some(items) = opaque.part().items()
        {
            let copies = self.copies(&items)?;
            for (at, copied) in copies.into_iter().enumerate() {
                evaluator.assign_item(&made, &Value::Int(at as i64), copied, false)?;
            }
        }
        Ok(made)
    }
}

/// Where a container or an object lies in memory, as a key; none for what needs no noting.
fn place(value: &Value) -> Option<Key> {
    let is_noted =
        matches!(value, Value::List(_) | Value::Dict(_) | Value::Object(_) | Value::Opaque(_));
    let (at, _) = value.identity().filter(|_| is_noted)?;
    Key::new(Value::Int(at as usize as i64)).ok()
}
