//! Containers that hold themselves are let go of when nobody else holds them.
//!
//! A cycle needs a container, or a variable that functions share, that was changed after it was made, so those are remembered when they
//! change. To collect is to count, from them on, how often containers hold each other: what is held
//! more often than that is held by a name, a statement or the past, and so is what it reaches. The
//! rest is emptied. Whoever is overlooked only counts as one holder more.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::class::{ClassRef, Namespace};
use super::object::ends::Ending;
use super::object::exception::Exception;
use super::object::generator::State;
use super::object::instance::Inner;
use super::shared::{Contents, Shared, Slot};
use super::value::{Entries, Key, Members, Tuple};
use super::{Interp, Value};

/// So many must have been noted before somebody looks for cycles without being asked.
const MANY: usize = 20_000;

/// A container that may be a part of a cycle, which this does not keep.
#[derive(Debug, Clone)]
pub enum Container {
    List(Weak<Shared<Vec<Value>>>),
    Dict(Weak<Shared<Entries>>),
    Set(Weak<Shared<Members>>),
    Slot(Weak<Shared<Option<Value>>>),
    Part(Weak<dyn Part>),
}

/// What holds others: a value, a variable that functions share, or what changes in a value.
#[derive(Debug, Clone)]
pub enum Node {
    Value(Value),
    Slot(Slot),
    Part(Rc<dyn Part>),
}

/// What changes in a value and is no value itself: a class's names, a queue's items.
pub trait Part: std::fmt::Debug {
    /// Shows what it holds, each as often as it holds it.
    fn visit(&self, look: &mut dyn FnMut(Node));

    /// What it held, which nobody looks for any more.
    fn empty(&self) -> Vec<Value>;
}

/// Contents that hold nothing but values.
trait Plain: Contents {
    fn take(&mut self) -> Vec<Value>;
}

impl<T: Plain> Part for Shared<T> {
    fn visit(&self, look: &mut dyn FnMut(Node)) {
        let Some(contents) = self.try_borrow() else { return };
        contents.visit(&mut |value| look(Node::Value(value.clone())));
    }

    fn empty(&self) -> Vec<Value> {
        self.try_borrow_mut().map(|mut contents| contents.take()).unwrap_or_default()
    }
}

impl Plain for Namespace {
    fn take(&mut self) -> Vec<Value> {
        std::mem::take(self).into_values().collect()
    }
}

impl Plain for VecDeque<Value> {
    fn take(&mut self) -> Vec<Value> {
        std::mem::take(self).into()
    }
}

impl Plain for Exception {
    fn take(&mut self) -> Vec<Value> {
        let take = |value: &mut Value| std::mem::replace(value, Value::None);
        let args = std::mem::replace(&mut self.args, Tuple::from(Vec::new()));
        vec![Value::Tuple(args), take(&mut self.cause), take(&mut self.context)]
    }
}

impl Part for Shared<State> {
    fn visit(&self, look: &mut dyn FnMut(Node)) {
        let Some(state) = self.try_borrow() else { return };
        let State::Waiting(waiting) = &*state else { return };
        waiting.kept.iter().for_each(|value| look(Node::Value(value.clone())));
        waiting.cells.iter().for_each(|slot| look(Node::Slot(slot.clone())));
    }

    fn empty(&self) -> Vec<Value> {
        let Some(mut state) = self.try_borrow_mut() else { return Vec::new() };
        match std::mem::replace(&mut *state, State::Done) {
            State::Waiting(waiting) => waiting.kept,
            State::Running | State::Done => Vec::new(),
        }
    }
}

/// The containers that were changed so far.
#[derive(Debug, Default)]
pub struct Changed {
    containers: RefCell<Vec<Container>>,
    /// Whether some can go when the past has gone.
    is_waiting: Cell<bool>,
    /// So many may be noted before somebody looks.
    limit: Cell<usize>,
    /// Whether there are more.
    pub(super) is_crowded: Cell<bool>,
}

/// What is there, and how often others that were met hold it.
struct Met {
    node: Node,
    held: usize,
}

impl Node {
    /// Where it lies, and how many hold it; none for what holds no others.
    fn identity(&self) -> Option<(*const (), usize)> {
        match self {
            Node::Value(Value::Tensor(_)) => None,
            Node::Value(value) => value.identity(),
            Node::Slot(slot) => Some((Rc::as_ptr(slot).cast(), Rc::strong_count(slot))),
            Node::Part(part) => Some((Rc::as_ptr(part).cast(), Rc::strong_count(part))),
        }
    }

    /// Shows what it holds itself, each as often as it holds it.
    fn visit(&self, look: &mut dyn FnMut(Node)) {
        match self {
            Node::Value(Value::Closure(closure)) => {
                closure.visit_values(&mut |value| look(Node::Value(value.clone())));
                closure.captured.iter().for_each(|slot| look(Node::Slot(slot.clone())));
            }
            Node::Value(Value::Generator(generator)) => {
                look(Node::Value(Value::Closure(generator.function.clone())));
                look(Node::Part(generator.state.clone()));
            }
            Node::Value(Value::Class(class)) => {
                class.forget_found();
                look(Node::Part(class.names().clone()));
                let others = class.bases.iter().chain(&class.line).filter_map(ClassRef::program);
                others
                    .chain(&class.meta)
                    .for_each(|class| look(Node::Value(Value::Class(class.clone()))));
            }
            Node::Value(Value::Object(object)) => {
                look(Node::Value(Value::Dict(object.fields().clone())));
                if let ClassRef::Program(class) = &object.class {
                    look(Node::Value(Value::Class(class.clone())));
                }
                match &object.inner {
                    Inner::Value(value) => look(Node::Value(value.clone())),
                    Inner::Exception(exception) => look(Node::Part(exception.clone())),
                    Inner::None => {}
                }
            }
            Node::Value(Value::Opaque(opaque)) if let Some(part) = opaque.part().shared() => {
                look(Node::Part(part));
            }
            Node::Part(part) => part.visit(look),
            Node::Value(value) => value.visit(&mut |part| look(Node::Value(part.clone()))),
            Node::Slot(slot) => {
                let held = slot.try_borrow();
                held.iter().flat_map(|held| held.iter()).for_each(|value| {
                    look(Node::Value(value.clone()));
                });
            }
        }
    }
}

impl Container {
    fn is_alive(&self) -> bool {
        match self {
            Container::List(list) => list.strong_count() > 0,
            Container::Dict(dict) => dict.strong_count() > 0,
            Container::Set(set) => set.strong_count() > 0,
            Container::Slot(slot) => slot.strong_count() > 0,
            Container::Part(part) => part.strong_count() > 0,
        }
    }

    fn node(&self) -> Option<Node> {
        match self {
            Container::List(list) => list.upgrade().map(Value::List).map(Node::Value),
            Container::Dict(dict) => dict.upgrade().map(Value::Dict).map(Node::Value),
            Container::Set(set) => set.upgrade().map(Value::Set).map(Node::Value),
            Container::Slot(slot) => slot.upgrade().map(Node::Slot),
            Container::Part(part) => part.upgrade().map(Node::Part),
        }
    }
}

impl Changed {
    /// A container changes for the first time.
    pub fn note(&self, container: Container) {
        let mut containers = self.containers.borrow_mut();
        if containers.len() == containers.capacity() && containers.len() >= 64 {
            containers.retain(Container::is_alive);
            self.is_crowded.set(containers.len() >= self.limit.get().max(MANY));
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
        for node in containers.iter().filter_map(Container::node) {
            let Some((at, _)) = node.identity() else { continue };
            met.insert(at, Met { node, held: 0 });
            open.push(at);
        }
        while let Some(at) = open.pop() {
            let Some(node) = met.get(&at).map(|met| met.node.clone()) else { continue };
            node.visit(&mut |part| {
                let Some((at, _)) = part.identity() else { return };
                let new = || {
                    open.push(at);
                    Met { node: part, held: 0 }
                };
                met.entry(at).or_insert_with(new).held += 1;
            });
        }
        self.limit.set(MANY.max(2 * containers.len()));
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

    /// As [`Interp::collect_cycles`], at once, also what only the past holds: it goes with all of the past.
    /// Whether there were some.
    pub fn collect_at_once(&self) -> bool {
        let count = self.collect_unheld();
        let is_past = self.has_past_cycles();
        if is_past {
            self.forget_all_changes();
            self.collect_unheld();
        }
        count > 0 || is_past
    }

    /// Empties the containers of the past that [`Interp::collect_cycles`] found, once the past has
    /// been forgotten.
    pub fn collect_lost(&self) {
        if self.journal.changed.is_waiting.take() {
            self.collect_unheld();
        }
    }

    /// The same where so many containers have changed that there may be many such, and not too many
    /// that live.
    #[cold]
    pub fn collect_crowd(&self) {
        self.journal.changed.is_crowded.set(false);
        self.collect_unheld();
    }

    /// What holds itself and nobody else holds, and whose end is due.
    pub fn unheld_endings(&self) -> Vec<Ending> {
        if !self.ends.is_watching() {
            return Vec::new();
        }
        let met = self.journal.changed.meet();
        let alive = reached(&met, |_| 0, false);
        let unheld = met.iter().filter(|(at, _)| !alive.contains(at));
        unheld.filter_map(|(_, met)| ending(&met.node)).collect()
    }

    /// Empties the containers that hold each other and that nobody else holds, not even the past. What
    /// has an end that is due stays.
    fn collect_unheld(&self) -> usize {
        let mut met = self.journal.changed.meet();
        let alive = reached(&met, |_| 0, true);
        met.retain(|at, _| !alive.contains(at));
        let count = met.len();
        let contents: Vec<Value> = met.values().flat_map(|met| emptied(&met.node)).collect();
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
        let uncounted = self.uncounted();
        let reach = self.journal.reach.borrow();
        // What the past counts it holds, and its count keeps each once more.
        let beside = |at| match reach.count(at) {
            Some(count) => count + 1,
            None => uncounted.get(&at).copied().unwrap_or_default(),
        };
        let alive = reached(&met, beside, true);
        met.iter().any(|(at, met)| {
            !alive.contains(at)
                && !reach.is_past(*at)
                && !uncounted.contains_key(at)
                && met.held > 0
        })
    }
}

/// What somebody holds who was not met, and all that it reaches; `beside` says how many holders of
/// each do not count, `ends_live` whether what must be ended first counts as held.
fn reached(
    met: &FxHashMap<*const (), Met>,
    beside: impl Fn(*const ()) -> usize,
    ends_live: bool,
) -> FxHashSet<*const ()> {
    let mut alive = FxHashSet::default();
    let mut open: Vec<*const ()> = Vec::new();
    for (at, Met { node, held }) in met {
        let holders = node.identity().map_or(0, |(_, holders)| holders);
        // One holder is `met` itself.
        let is_held = holders > held + 1 + beside(*at);
        if (is_held || ends_live && ending(node).is_some()) && alive.insert(*at) {
            open.push(*at);
        }
    }
    while let Some(at) = open.pop() {
        met[&at].node.visit(&mut |part| {
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
fn emptied(node: &Node) -> Vec<Value> {
    match node {
        Node::Slot(slot) => slot.empty().into_iter().collect(),
        Node::Part(part) => part.empty(),
        Node::Value(Value::List(list)) => list.empty(),
        Node::Value(Value::Dict(dict)) => {
            let parts = dict.empty().into_iter().flat_map(|(key, part)| [key.into_value(), part]);
            parts.collect()
        }
        Node::Value(Value::Set(set)) => set.empty().into_iter().map(Key::into_value).collect(),
        _ => Vec::new(),
    }
}

/// Of what must be ended before it can go.
fn ending(node: &Node) -> Option<Ending> {
    match node {
        Node::Value(value) => Ending::of(value),
        Node::Slot(_) | Node::Part(_) => None,
    }
}
