//! `copy`: copies of containers, shallow and deep.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::super::{Builtin, Call};
use crate::diag::Fault;
use crate::interp::room::Pace;
use crate::interp::value::{Dict, Entries, List, Module, Value};
use crate::tensor::Tensor;

pub const BUILTINS: &[Builtin] = &[
    super::of(
        Module::Copy,
        "copy(x)",
        copy,
        "A new container of the same items; a tensor's elements copied.",
    ),
    super::of(
        Module::Copy,
        "deepcopy(x, memo=None)",
        deepcopy,
        "A copy of a container and of all that is in it.",
    ),
];

fn copy(call: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(match call.value(0) {
        Value::List(list) => Value::list(list.borrow().clone()),
        Value::Dict(dict) => Value::Dict(Rc::new(dict.borrow().clone().into())),
        Value::Set(set) => Value::set(set.borrow().clone()),
        Value::Tensor(tensor) => call.engine().copy(tensor)?.into(),
        other => match copied_opaque(call, other)? {
            Some(copied) => copied,
            None => other.clone(),
        },
    })
}

/// What a `copy` method gives, of an object of Python's library.
fn copied_opaque(call: &Call<'_>, value: &Value) -> Result<Option<Value>, Fault> {
    let Value::Opaque(_) = value else { return Ok(None) };
    match call.evaluator.attribute(value, "copy") {
        Ok(method) => call.evaluator.call_value(&method, [], []).map(Some),
        Err(_) => Ok(None),
    }
}

fn deepcopy(call: &mut Call<'_>) -> Result<Value, Fault> {
    let pace = Pace::new(call.engine());
    Copier { call, made: FxHashMap::default(), tensors: FxHashMap::default(), pace }
        .copy(call.value(0))
}

struct Copier<'a, 'b> {
    call: &'a Call<'b>,
    /// What was made of each container, by its place in memory.
    made: FxHashMap<*const (), Value>,
    tensors: FxHashMap<usize, Tensor>,
    pace: Pace<'b>,
}

impl Copier<'_, '_> {
    fn copy(&mut self, value: &Value) -> Result<Value, Fault> {
        self.pace.step(size_of::<Value>())?;
        let evaluator = self.call.evaluator;
        evaluator.deeper("", || self.copy_whole(value))
    }

    fn copy_whole(&mut self, value: &Value) -> Result<Value, Fault> {
        Ok(match value {
            Value::Tensor(tensor) => {
                // Two names for one tensor stay two names for one.
                if let Some(made) = self.tensors.get(&tensor.id()) {
                    return Ok(made.clone().into());
                }
                let made = self.call.engine().copy(tensor)?;
                self.tensors.insert(tensor.id(), made.clone());
                made.into()
            }
            Value::Tuple(items) => {
                let copies =
                    items.iter().map(|item| self.copy(item)).collect::<Result<Vec<_>, _>>()?;
                match copies.iter().zip(items.iter()).all(|(a, b)| a.is_same(b)) {
                    true => value.clone(),
                    false => Value::tuple(copies),
                }
            }
            Value::List(list) => {
                let place = List::as_ptr(list).cast();
                if let Some(made) = self.made.get(&place) {
                    return Ok(made.clone());
                }
                let new: List = Rc::new(Vec::new().into());
                self.made.insert(place, Value::List(new.clone()));
                let items = list.borrow().clone();
                let copies =
                    items.iter().map(|item| self.copy(item)).collect::<Result<Vec<_>, _>>()?;
                *new.change(&self.call.evaluator.interp.journal) = copies;
                Value::List(new)
            }
            Value::Dict(dict) => {
                let place = Dict::as_ptr(dict).cast();
                if let Some(made) = self.made.get(&place) {
                    return Ok(made.clone());
                }
                let new: Dict = Rc::new(Entries::default().into());
                self.made.insert(place, Value::Dict(new.clone()));
                let entries = dict.borrow().clone();
                let mut copies = Entries::default();
                for (key, value) in &entries {
                    copies.insert(key.clone(), self.copy(value)?);
                }
                *new.change(&self.call.evaluator.interp.journal) = copies;
                Value::Dict(new)
            }
            Value::Set(set) => Value::set(set.borrow().clone()),
            other => match copied_opaque(self.call, other)? {
                Some(copied) => copied,
                None => other.clone(),
            },
        })
    }
}
