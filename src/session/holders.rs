//! Which variables hold which memory.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::commands::is_result;
use super::{Session, Value};
use crate::interp::value::{Dict, List};
use crate::memory::HolderName;
use crate::tensor::Tensor;

/// Containers inside each other that names tell apart.
const DEEP: usize = 64;

/// A tensor that a name reaches.
#[derive(Debug, Clone)]
pub struct Holder {
    pub name: HolderName,
    /// What `del` takes to let go of it: the same, or the variable or item whose tuple it is in.
    pub unit: HolderName,
    pub tensor: Tensor,
}

impl Holder {
    /// Whether it is one of the names of an earlier result.
    pub fn is_result(&self) -> bool {
        is_result(self.name.variable())
    }

    /// Where its memory begins, if it has any, with its name.
    pub fn address(&self) -> Option<(u64, HolderName)> {
        let address = self.tensor.with_storage(|storage, _| storage.address())?;
        Some((address, self.name.clone()))
    }
}

impl Session {
    /// Every tensor that the variables and the results hold, also inside containers. Sorted by name.
    pub fn holders(&self) -> Vec<Holder> {
        let scope = self.interp.scope.borrow();
        let mut names: Vec<_> = scope.iter().filter(|(name, _)| &***name != "Out").collect();
        names.sort_by(|a, b| a.0.cmp(b.0));
        let (found, open, names_of) = Default::default();
        let mut walk = Walk { session: self, found, open, depth: 0, names: names_of };
        for (name, value) in names {
            let before = walk.found.len();
            let called = HolderName::from(&**name);
            walk.visit(called.clone(), &called, &value);
            if is_result(name) {
                // A part of a result can't be let go of by itself: `Out` holds all of it.
                let unit = HolderName::from(self.unit_of_result(name));
                walk.found[before..].iter_mut().for_each(|holder| holder.unit.clone_from(&unit));
            }
        }
        // A result that `_3` holds has been named.
        for (number, value) in self.outputs.borrow().iter() {
            let named = scope.get(&format!("_{number}")).is_some_and(|held| held.is_same(value));
            if !named {
                let before = walk.found.len();
                let name = HolderName::from(format!("Out[{number}]"));
                walk.visit(name.clone(), &name, value);
                walk.found[before..].iter_mut().for_each(|holder| holder.unit.clone_from(&name));
            }
        }
        walk.found
    }

    /// For each tensor in memory the address it begins at and the name that holds it, as
    /// [`Snapshot::set_holders`](crate::memory::Snapshot::set_holders) takes them.
    pub fn held_addresses(&self) -> Vec<(u64, HolderName)> {
        self.holders().iter().filter_map(Holder::address).collect()
    }
}

struct Walk<'a> {
    session: &'a Session,
    found: Vec<Holder>,
    /// Containers on the way, because they may hold themselves.
    open: Vec<*const ()>,
    depth: usize,
    /// What containers were called first, by where they lie.
    names: FxHashMap<*const (), Arc<str>>,
}

impl Walk<'_> {
    /// After Ctrl-C nothing more is found.
    fn is_stopped(&self) -> bool {
        self.session.engine().interrupt().is_raised()
    }

    /// What a container is called, and what it was called first: by that `del` takes its items.
    fn enter(&mut self, container: *const (), name: &HolderName) -> (Arc<str>, Arc<str>) {
        let name = name.text();
        self.open.push(container);
        let first = self.names.entry(container).or_insert_with(|| name.clone()).clone();
        (name, first)
    }

    fn visit(&mut self, name: HolderName, unit: &HolderName, value: &Value) {
        if self.is_stopped() {
            return;
        }
        if self.depth == DEEP {
            return self.visit_all(&name, unit, value);
        }
        self.depth += 1;
        self.visit_one(name, unit, value);
        self.depth -= 1;
    }

    /// All that a value reaches under one name.
    fn visit_all(&mut self, name: &HolderName, unit: &HolderName, value: &Value) {
        let (mut seen, mut open) = (FxHashSet::default(), vec![value.clone()]);
        while !self.is_stopped()
            && let Some(value) = open.pop()
        {
            match value {
                Value::Tensor(tensor) if seen.insert(tensor.identity().0) => {
                    let (name, unit) = (HolderName::from(format!("{name}…")), unit.clone());
                    self.found.push(Holder { name, unit, tensor });
                }
                value if value.identity().is_some_and(|(at, _)| seen.insert(at)) => {
                    value.visit(&mut |part| open.push(part.clone()));
                    if let Value::Closure(function) = &value {
                        // Also what it shares with others.
                        let cells = function.captured.iter().filter_map(|cell| cell.try_borrow());
                        cells.for_each(|held| open.extend(held.iter().cloned()));
                    }
                }
                _ => {}
            }
        }
    }

    fn visit_one(&mut self, name: HolderName, unit: &HolderName, value: &Value) {
        match value {
            Value::Tensor(tensor) => {
                self.found.push(Holder { name, unit: unit.clone(), tensor: tensor.clone() });
            }
            Value::Tuple(items) => {
                let base = name.text();
                for (at, item) in items.iter().enumerate() {
                    if self.is_stopped() {
                        return;
                    }
                    self.visit(HolderName::item(&base, at), unit, item);
                }
            }
            Value::List(items) if !self.open.contains(&List::as_ptr(items).cast()) => {
                let (base, first) = self.enter(List::as_ptr(items).cast(), &name);
                for (at, item) in items.borrow().iter().enumerate() {
                    if self.is_stopped() {
                        break;
                    }
                    if item.identity().is_some() {
                        let unit = HolderName::item(&first, at);
                        self.visit(HolderName::item(&base, at), &unit, item);
                    }
                }
                self.open.pop();
            }
            Value::Dict(entries) if !self.open.contains(&Dict::as_ptr(entries).cast()) => {
                let (base, first) = self.enter(Dict::as_ptr(entries).cast(), &name);
                for (key, item) in entries.borrow().iter() {
                    if self.is_stopped() {
                        break;
                    }
                    let key = self.session.repr(key.value());
                    let named = |base: &Arc<str>| HolderName::from(format!("{base}[{key}]"));
                    self.visit(named(&base), &named(&first), item);
                }
                self.open.pop();
            }
            Value::Object(object) if !self.open.contains(&Rc::as_ptr(object).cast()) => {
                let (base, first) = self.enter(Rc::as_ptr(object).cast(), &name);
                for (key, item) in object.fields().borrow().iter() {
                    if let Value::Str(field) = key.value() {
                        let named = |base: &Arc<str>| HolderName::from(format!("{base}.{field}"));
                        self.visit(named(&base), &named(&first), item);
                    }
                }
                match object.plain() {
                    Some(plain) => self.visit(name, unit, plain),
                    // The arguments of an exception.
                    None => object.visit(&mut |part| match part {
                        Value::Dict(_) => {}
                        part => self.visit_all(&name, unit, part),
                    }),
                }
                self.open.pop();
            }
            Value::Opaque(opaque) if opaque.part().dict().is_some() => {
                if let Some(dict) = opaque.part().dict() {
                    self.visit(name, unit, &Value::Dict(dict.clone()));
                }
            }
            Value::View(view) => self.visit(name, unit, &Value::Dict(view.dict.clone())),
            // Those inside themselves.
            Value::List(_) | Value::Dict(_) | Value::Object(_) => {}
            other => self.visit_all(&name, unit, other),
        }
    }
}
