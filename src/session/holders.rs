//! Which variables hold which memory.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::commands::is_result;
use super::{Session, Value};
use crate::interp::value::{Dict, List};
use crate::tensor::Tensor;

/// Containers inside each other that names tell apart.
const DEEP: usize = 64;

/// A tensor that a name reaches.
#[derive(Debug, Clone)]
pub struct Holder {
    /// The variable, with the way to the tensor inside it: `x`, `params['w']`, `pair[1]`.
    pub name: Rc<str>,
    /// What `del` takes to let go of it: the same, or the variable or item whose tuple it is in.
    pub unit: Rc<str>,
    pub tensor: Tensor,
}

impl Holder {
    /// Whether it is one of the names of an earlier result.
    pub fn is_result(&self) -> bool {
        is_result(self.variable())
    }

    /// The variable without the way inside it.
    pub fn variable(&self) -> &str {
        self.name.split(['[', '.']).next().unwrap_or_default()
    }
}

impl Session {
    /// Every tensor that the variables and the results hold, also inside containers. Sorted by name.
    pub fn holders(&self) -> Vec<Holder> {
        let scope = self.interp.scope.borrow();
        let mut names: Vec<_> = scope.iter().filter(|(name, _)| &***name != "Out").collect();
        names.sort_by(|a, b| a.0.cmp(b.0));
        let (found, open, units) = Default::default();
        let mut walk = Walk { session: self, found, open, depth: 0, units };
        for (name, value) in names {
            let before = walk.found.len();
            let called: Rc<str> = Rc::from(&**name);
            walk.visit(called.clone(), &called, &value);
            if is_result(name) {
                // A part of a result can't be let go of by itself: `Out` holds all of it.
                let unit: Rc<str> = self.unit_of_result(name).into();
                walk.found[before..].iter_mut().for_each(|holder| holder.unit.clone_from(&unit));
            }
        }
        // A result that `_3` holds has been named.
        for (number, value) in self.outputs.borrow().iter() {
            let named = scope.get(&format!("_{number}")).is_some_and(|held| held.is_same(value));
            if !named {
                let before = walk.found.len();
                let name: Rc<str> = format!("Out[{number}]").into();
                walk.visit(name.clone(), &name, value);
                walk.found[before..].iter_mut().for_each(|holder| holder.unit.clone_from(&name));
            }
        }
        walk.found
    }

    /// For each tensor in memory the address it begins at and the name that holds it, as
    /// [`Snapshot::set_holders`](crate::memory::Snapshot::set_holders) takes them.
    pub fn held_addresses(&self) -> Vec<(u64, String)> {
        let address = |holder: Holder| {
            let (storage, _) = holder.tensor.storage_and_layout()?;
            Some((storage.address(), holder.name.to_string()))
        };
        self.holders().into_iter().filter_map(address).collect()
    }
}

struct Walk<'a> {
    session: &'a Session,
    found: Vec<Holder>,
    /// Containers on the way, because they may hold themselves.
    open: Vec<*const ()>,
    depth: usize,
    /// What was called an item of a container, by where that lies and the item's place.
    units: FxHashMap<(*const (), usize), Rc<str>>,
}

impl Walk<'_> {
    /// After Ctrl-C nothing more is found.
    fn is_stopped(&self) -> bool {
        self.session.engine().interrupt().is_raised()
    }

    /// What `del` takes to let go of an item: of the names by which it is reached, the first.
    fn unit_of(&mut self, container: *const (), at: usize, name: &Rc<str>) -> Rc<str> {
        self.units.entry((container, at)).or_insert_with(|| name.clone()).clone()
    }

    fn visit(&mut self, name: Rc<str>, unit: &Rc<str>, value: &Value) {
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
    fn visit_all(&mut self, name: &str, unit: &Rc<str>, value: &Value) {
        let (mut seen, mut open) = (FxHashSet::default(), vec![value.clone()]);
        while !self.is_stopped()
            && let Some(value) = open.pop()
        {
            match value {
                Value::Tensor(tensor) if seen.insert(tensor.identity().0) => {
                    let (name, unit) = (format!("{name}…").into(), unit.clone());
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

    fn visit_one(&mut self, name: Rc<str>, unit: &Rc<str>, value: &Value) {
        match value {
            Value::Tensor(tensor) => {
                self.found.push(Holder { name, unit: unit.clone(), tensor: tensor.clone() });
            }
            Value::Tuple(items) => {
                for (at, item) in items.iter().enumerate() {
                    if self.is_stopped() {
                        return;
                    }
                    self.visit(format!("{name}[{at}]").into(), unit, item);
                }
            }
            Value::List(items) if !self.open.contains(&List::as_ptr(items).cast()) => {
                self.open.push(List::as_ptr(items).cast());
                for (at, item) in items.borrow().iter().enumerate() {
                    if self.is_stopped() {
                        break;
                    }
                    if item.identity().is_some() {
                        let name: Rc<str> = format!("{name}[{at}]").into();
                        let unit = self.unit_of(List::as_ptr(items).cast(), at, &name);
                        self.visit(name, &unit, item);
                    }
                }
                self.open.pop();
            }
            Value::Dict(entries) if !self.open.contains(&Dict::as_ptr(entries).cast()) => {
                self.open.push(Dict::as_ptr(entries).cast());
                for (at, (key, item)) in entries.borrow().iter().enumerate() {
                    if self.is_stopped() {
                        break;
                    }
                    let key = self.session.repr(key.value());
                    let name: Rc<str> = format!("{name}[{key}]").into();
                    let unit = self.unit_of(Dict::as_ptr(entries).cast(), at, &name);
                    self.visit(name, &unit, item);
                }
                self.open.pop();
            }
            Value::Object(object) if !self.open.contains(&Rc::as_ptr(object).cast()) => {
                self.open.push(Rc::as_ptr(object).cast());
                for (at, (key, item)) in object.fields().borrow().iter().enumerate() {
                    if let Value::Str(field) = key.value() {
                        let name: Rc<str> = format!("{name}.{field}").into();
                        let unit = self.unit_of(Rc::as_ptr(object).cast(), at, &name);
                        self.visit(name, &unit, item);
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
