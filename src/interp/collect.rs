//! Containers that hold themselves are let go of when nobody else holds them.
//!
//! A cycle needs a container that was changed after it was made, so those are remembered when they
//! change. To collect is to count, from them on, how often containers hold each other: what is held
//! more often than that is held by a name, a statement or the past, and so is what it reaches. The
//! rest is emptied. Whoever is overlooked only counts as one holder more.

use std::cell::{Cell, RefCell};
use std::rc::Weak;

use rustc_hash::{FxHashMap, FxHashSet};

use super::shared::Shared;
use super::value::{Entries, Key, Members};
use super::{Interp, Value};

/// A container that may be a part of a cycle, which this does not keep.
#[derive(Debug, Clone)]
pub enum Container {
    List(Weak<Shared<Vec<Value>>>),
    Dict(Weak<Shared<Entries>>),
    Set(Weak<Shared<Members>>),
}

/// The containers that were changed so far.
#[derive(Debug, Default)]
pub struct Changed {
    containers: RefCell<Vec<Container>>,
    /// Whether some can go when the past has gone.
    is_waiting: Cell<bool>,
}

/// A container that is there, and how often others that were met hold it.
struct Met {
    value: Value,
    held: usize,
}

impl Container {
    fn is_alive(&self) -> bool {
        match self {
            Container::List(list) => list.strong_count() > 0,
            Container::Dict(dict) => dict.strong_count() > 0,
            Container::Set(set) => set.strong_count() > 0,
        }
    }

    fn value(&self) -> Option<Value> {
        match self {
            Container::List(list) => list.upgrade().map(Value::List),
            Container::Dict(dict) => dict.upgrade().map(Value::Dict),
            Container::Set(set) => set.upgrade().map(Value::Set),
        }
    }
}

impl Changed {
    /// A container changes for the first time.
    pub fn note(&self, container: Container) {
        let mut containers = self.containers.borrow_mut();
        if containers.len() == containers.capacity() && containers.len() >= 64 {
            containers.retain(Container::is_alive);
            if containers.len() * 2 > containers.capacity() {
                let more = containers.capacity();
                containers.reserve(more);
            }
        }
        containers.push(container);
    }

    /// Those that are there, by where they lie, with all that they reach.
    fn meet(&self) -> FxHashMap<*const (), Met> {
        let mut containers = self.containers.borrow_mut();
        containers.retain(Container::is_alive);
        let mut met: FxHashMap<*const (), Met> = FxHashMap::default();
        let mut open: Vec<*const ()> = Vec::new();
        for value in containers.iter().filter_map(Container::value) {
            let Some((at, _)) = value.identity() else { continue };
            met.insert(at, Met { value, held: 0 });
            open.push(at);
        }
        while let Some(at) = open.pop() {
            let Some(value) = met.get(&at).map(|met| met.value.clone()) else { continue };
            value.visit(&mut |part| {
                let Some((at, _)) = part.identity().filter(|_| !is_tensor(part)) else { return };
                let new = || {
                    open.push(at);
                    Met { value: part.clone(), held: 0 }
                };
                met.entry(at).or_insert_with(new).held += 1;
            });
        }
        met
    }
}

impl Interp {
    /// Empties the containers that hold each other and that nobody else holds; how many there were.
    /// Where only the past holds some, nothing can be taken back any more, and they go when the
    /// input has ended: see [`Interp::collect_lost`].
    pub fn collect_cycles(&self) -> usize {
        let count = self.collect_unheld();
        if self.has_past_cycles() {
            self.lose_input();
            self.journal.changed.is_waiting.set(true);
        }
        count
    }

    /// Empties the containers of the past that [`Interp::collect_cycles`] found, once the past has
    /// been forgotten.
    pub fn collect_lost(&self) {
        if self.journal.changed.is_waiting.take() {
            self.collect_unheld();
        }
    }

    /// Empties the containers that hold each other and that nobody else holds, not even the past.
    fn collect_unheld(&self) -> usize {
        let mut met = self.journal.changed.meet();
        let alive = reached(&met, |_| 0);
        met.retain(|at, _| !alive.contains(at));
        let count = met.len();
        let contents: Vec<Value> = met.values().flat_map(|met| emptied(&met.value)).collect();
        drop(met);
        // Deep structures are no deep recursion: each part has been taken out of its container.
        drop(contents);
        count
    }

    /// Whether the past holds containers that hold each other, and nobody else does.
    fn has_past_cycles(&self) -> bool {
        if self.journal.reach.borrow().is_empty() {
            return false;
        }
        let met = self.journal.changed.meet();
        let reach = self.journal.reach.borrow();
        // What the past counts it holds, and its count keeps each once more.
        let alive = reached(&met, |at| reach.count(at).map_or(0, |count| count + 1));
        met.iter().any(|(at, met)| !alive.contains(at) && !reach.is_past(*at) && met.held > 0)
    }
}

/// What somebody holds who was not met, and all that it reaches; `beside` says how many holders of
/// each do not count.
fn reached(
    met: &FxHashMap<*const (), Met>,
    beside: impl Fn(*const ()) -> usize,
) -> FxHashSet<*const ()> {
    let mut alive = FxHashSet::default();
    let mut open: Vec<*const ()> = Vec::new();
    for (at, Met { value, held }) in met {
        let holders = value.identity().map_or(0, |(_, holders)| holders);
        // One holder is `met` itself.
        if holders > held + 1 + beside(*at) && alive.insert(*at) {
            open.push(*at);
        }
    }
    while let Some(at) = open.pop() {
        met[&at].value.visit(&mut |part| {
            if let Some((at, _)) = part.identity()
                && met.contains_key(&at)
                && alive.insert(at)
            {
                open.push(at);
            }
        });
    }
    alive
}

/// What a container held, which is empty now.
fn emptied(value: &Value) -> Vec<Value> {
    match value {
        Value::List(list) => list.empty(),
        Value::Dict(dict) => {
            let parts = dict.empty().into_iter().flat_map(|(key, part)| [key.into_value(), part]);
            parts.collect()
        }
        Value::Set(set) => set.empty().into_iter().map(Key::into_value).collect(),
        _ => Vec::new(),
    }
}

fn is_tensor(value: &Value) -> bool {
    matches!(value, Value::Tensor(_))
}
