//! What only the past holds.
//!
//! States of the past hold values that may be alive as well. For each value that they hold, and for
//! what only such values hold, it is counted how often; where that is as often as anybody holds it,
//! nobody alive does. The memory of tensors that only the past holds goes to the attic.
//!
//! What has one holder, which is of the past, is of the past as well, without a count: what it holds
//! is looked at in its place. What holds numbers and texts alone does not matter here. So a list of
//! a million small lists takes one walk over it, and nothing that every later input would look at.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::device::Storage;
use crate::interp::Value;
use crate::interp::object::ends::Forgotten;
use crate::interp::value::Key;
use crate::tensor::{Attic, Interrupt, Tensor};

/// So many are looked at before Ctrl-C is heard.
const A_WHILE: usize = 4096;

#[derive(Debug, Default)]
pub struct Reach {
    entries: FxHashMap<*const (), Entry>,
    /// Those that somebody alive holds as well, in the order in which they were looked at: few as a rule,
    /// however long the past is.
    alive: VecDeque<*const ()>,
    /// Those that may belong to the past now and did not, or the other way round.
    doubtful: Vec<*const ()>,
    /// What came to belong to the past, and whose end matters.
    forgotten: Vec<Forgotten>,
    /// What came to belong to the past and nobody has looked into yet, from one of its items on.
    open: Vec<(Value, usize)>,
}

#[derive(Debug)]
struct Entry {
    held: Held,
    /// How often the past holds it.
    count: usize,
    is_past: bool,
    /// Whether it is among the alive.
    is_listed: bool,
}

/// The entry itself is one holder more.
#[derive(Debug)]
enum Held {
    Value(Value),
    Storage(Arc<Storage>),
}

impl Held {
    fn holders(&self) -> usize {
        match self {
            Held::Value(value) => value.identity().map_or(1, |(_, holders)| holders),
            Held::Storage(storage) => Arc::strong_count(storage),
        }
    }
}

impl Reach {
    /// The past holds a value, once more. What that holds in turn is left for [`Reach::settle`] where the
    /// user does not want to wait.
    pub fn gain(&mut self, value: &Value, interrupt: Option<&Interrupt>) {
        let mut open = std::mem::take(&mut self.open);
        self.meet(value, 0, true, &mut open);
        self.open = open;
        self.look_into_open(interrupt);
    }

    /// The past holds a storage, once more.
    pub fn gain_storage(&mut self, storage: &Arc<Storage>) {
        self.count_up(Arc::as_ptr(storage).cast(), || Held::Storage(storage.clone()));
    }

    /// The past holds a value once less, or is about to.
    pub fn lose(&mut self, value: &Value) {
        self.look_into_open(None);
        let mut open = Vec::new();
        self.meet(value, 0, false, &mut open);
        self.lose_open(open);
    }

    /// The past holds a storage once less, or is about to.
    pub fn lose_storage(&mut self, storage: &Arc<Storage>) {
        self.count_down(Arc::as_ptr(storage).cast());
    }

    /// What came to belong to the past since the last look, and whose end matters.
    pub fn take_forgotten(&mut self) -> Vec<Forgotten> {
        std::mem::take(&mut self.forgotten)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How often the past holds what lies there, if it does.
    pub fn count(&self, at: *const ()) -> Option<usize> {
        self.entries.get(&at).map(|entry| entry.count)
    }

    /// How often the past holds each value that it does not count; `show` shows what its states hold.
    pub fn uncounted(
        &self,
        show: impl FnOnce(&mut dyn FnMut(&Value)),
    ) -> FxHashMap<*const (), usize> {
        let mut found: FxHashMap<*const (), usize> = FxHashMap::default();
        let mut open: Vec<Value> = Vec::new();
        let mut look = |value: &Value, shown: usize, open: &mut Vec<Value>| {
            let Some((at, holders)) = value.identity() else { return };
            if self.entries.contains_key(&at) {
                return;
            }
            *found.entry(at).or_default() += 1;
            if holders == shown + 1 && needs_no_count(value) {
                open.push(value.clone());
            }
        };
        show(&mut |value| look(value, 0, &mut open));
        let past = self.entries.values().filter(|entry| entry.is_past);
        for entry in past {
            if let Held::Value(value) = &entry.held {
                value.visit(&mut |part| look(part, shown(value, part), &mut open));
            }
        }
        while let Some(value) = open.pop() {
            value.visit(&mut |part| look(part, shown(&value, part), &mut open));
        }
        found
    }

    /// Whether only the past holds it, as far as it is known.
    pub fn is_past(&self, at: *const ()) -> bool {
        self.entries.get(&at).is_some_and(|entry| entry.is_past)
    }

    /// How many views of a tensor only the past holds.
    pub fn past_views(&self, owner: &Tensor) -> usize {
        let is_view = |entry: &&Entry| match &entry.held {
            Held::Value(Value::Tensor(view)) => {
                entry.is_past && view.owner().is_some_and(|of| of.is_same(owner))
            }
            _ => false,
        };
        self.entries.values().filter(is_view).count()
    }

    /// Looks again at so much of what the past holds: whoever else held it may have let go.
    pub fn doubt(&mut self, most: usize) {
        for _ in 0..most.min(self.alive.len()) {
            let Some(at) = self.alive.pop_front() else { break };
            if let Some(entry) = self.entries.get_mut(&at) {
                entry.is_listed = false;
                self.doubtful.push(at);
            }
        }
    }

    /// Brings the attic up to date; what goes there is marked so. What Ctrl-C leaves is done the next time.
    pub fn settle(&mut self, attic: &Attic, mark: u64, interrupt: Option<&Interrupt>) {
        let mut steps = 0usize;
        self.look_into_open(interrupt);
        // What is open is held once more, and would look alive.
        while self.open.is_empty()
            && let Some(at) = self.doubtful.pop()
        {
            let Some(entry) = self.entries.get_mut(&at) else { continue };
            let is_past = entry.held.holders() == entry.count + 1;
            let was_past = std::mem::replace(&mut entry.is_past, is_past && entry.count > 0);
            let (count, is_past) = (entry.count, entry.is_past);
            if !is_past && count > 0 && !std::mem::replace(&mut entry.is_listed, true) {
                self.alive.push_back(at);
            }
            if is_past != was_past {
                // A handle keeps what it holds while it is looked at.
                let held = match &entry.held {
                    Held::Value(value) => Held::Value(value.clone()),
                    Held::Storage(storage) => Held::Storage(storage.clone()),
                };
                self.pass_on(&held, is_past, attic, mark);
            }
            if count == 0 {
                self.entries.remove(&at);
            }
            steps += 1;
            if steps.is_multiple_of(A_WHILE) && interrupt.is_some_and(Interrupt::is_raised) {
                return;
            }
            self.look_into_open(interrupt);
        }
        // Those that are past meanwhile, or gone.
        if self.alive.len() > 64 && self.alive.len() > 2 * self.entries.len() {
            let entries = &self.entries;
            self.alive.retain(|at| entries.contains_key(at));
        }
    }

    fn pass_on(&mut self, held: &Held, is_past: bool, attic: &Attic, mark: u64) {
        match held {
            // Another type's view of memory holds the storage that has it.
            Held::Storage(storage) if !storage.is_origin() => match is_past {
                true => self.gain_storage(storage.origin()),
                false => self.lose_storage(storage.origin()),
            },
            Held::Storage(storage) if is_past => attic.put(storage, mark),
            Held::Storage(storage) => attic.take(storage),
            Held::Value(Value::Tensor(tensor)) => {
                let Some((storage, _)) = tensor.storage_and_layout() else { return };
                match is_past {
                    true => self.gain_storage(&storage),
                    false => self.lose_storage(&storage),
                }
            }
            Held::Value(value) if is_past => {
                self.forgotten.extend(Forgotten::of(value));
                self.open.push((value.clone(), 0));
            }
            Held::Value(value) => {
                self.look_into_open(None);
                self.lose_open(vec![(value.clone(), 0)]);
            }
        }
    }

    fn lose_open(&mut self, mut open: Vec<(Value, usize)>) {
        while let Some((value, start)) = open.pop() {
            self.look_into(&value, start, false, &mut open);
        }
    }

    /// Looks into what came to belong to the past, until the user does not want to wait for it.
    fn look_into_open(&mut self, interrupt: Option<&Interrupt>) {
        let mut open = std::mem::take(&mut self.open);
        let mut steps = 0;
        while let Some((value, start)) = open.pop() {
            steps += self.look_into(&value, start, true, &mut open);
            if steps > A_WHILE {
                steps = 0;
                if interrupt.is_some_and(Interrupt::is_raised) {
                    break;
                }
            }
        }
        self.open = open;
    }

    /// Looks at what a value holds, of a long one at a part: the rest is left open. About how many it saw.
    fn look_into(
        &mut self,
        value: &Value,
        start: usize,
        is_past: bool,
        open: &mut Vec<(Value, usize)>,
    ) -> usize {
        let end = match value {
            Value::List(list) => list
                .try_borrow()
                .map_or(start, |items| self.look_at(value, &items, start, is_past, open)),
            Value::Tuple(items) => self.look_at(value, items, start, is_past, open),
            Value::Dict(dict) => dict.try_borrow().map_or(start, |entries| {
                let mut next = start;
                for _ in 0..A_WHILE {
                    let Some((place, key, item)) = entries.first_from(next) else { return next };
                    self.meet(key.value(), 0, is_past, open);
                    self.meet(item, 0, is_past, open);
                    next = place + 1;
                }
                open.push((value.clone(), next));
                next
            }),
            value => {
                value.visit(&mut |part| self.meet(part, shown(value, part), is_past, open));
                start
            }
        };
        end - start + 1
    }

    /// Looks at items from one on; gives where it stopped.
    fn look_at(
        &mut self,
        owner: &Value,
        items: &[Value],
        start: usize,
        is_past: bool,
        open: &mut Vec<(Value, usize)>,
    ) -> usize {
        let end = items.len().min(start + A_WHILE);
        if end < items.len() {
            open.push((owner.clone(), end));
        }
        let part = items.get(start..end).unwrap_or_default();
        part.iter().for_each(|item| self.meet(item, 0, is_past, open));
        end.max(start)
    }

    /// The past holds a value once more, or once less; of its holders `shown` are those that show it.
    fn meet(&mut self, value: &Value, shown: usize, is_past: bool, open: &mut Vec<(Value, usize)>) {
        let Some((at, holders)) = value.identity() else { return };
        if let Some(entry) = self.entries.get_mut(&at) {
            entry.count = match is_past {
                true => entry.count + 1,
                false => entry.count.saturating_sub(1),
            };
            self.doubtful.push(at);
        } else if is_flat(value) {
            // It may come to hold others, of which the past knows nothing then: what is counted too
            // seldom looks alive, and stays.
        } else if holders == shown + 1 && needs_no_count(value) {
            open.push((value.clone(), 0));
        } else if is_past {
            self.count_up(at, || Held::Value(value.clone()));
        }
    }

    fn count_up(&mut self, at: *const (), held: impl FnOnce() -> Held) {
        let new = || Entry { held: held(), count: 0, is_past: false, is_listed: false };
        self.entries.entry(at).or_insert_with(new).count += 1;
        self.doubtful.push(at);
    }

    fn count_down(&mut self, at: *const ()) {
        if let Some(entry) = self.entries.get_mut(&at) {
            entry.count = entry.count.saturating_sub(1);
            self.doubtful.push(at);
        }
    }
}

/// How many of a part's holders are there to show it: an object shows its fields by a handle of its own.
fn shown(value: &Value, part: &Value) -> usize {
    match (value, part) {
        (Value::Object(object), Value::Dict(dict)) => usize::from(object.has_fields(dict)),
        _ => 0,
    }
}

/// Whether it is a container of numbers and texts alone.
fn is_flat(value: &Value) -> bool {
    match value {
        Value::Tuple(items) => items.iter().all(Value::holds_nothing),
        Value::List(list) => {
            list.try_borrow().is_some_and(|items| items.iter().all(Value::holds_nothing))
        }
        Value::Dict(dict) => dict.try_borrow().is_some_and(|entries| {
            let is_plain =
                |(key, value): (&Key, &Value)| key.value().holds_nothing() && value.holds_nothing();
            entries.iter().all(is_plain)
        }),
        Value::Set(set) => set
            .try_borrow()
            .is_some_and(|members| members.iter().all(|key| key.value().holds_nothing())),
        Value::FrozenSet(set) => set.iter().all(|key| key.value().holds_nothing()),
        _ => false,
    }
}

/// Whether nobody but its holder reaches it, and nobody asks whether the past has it.
fn needs_no_count(value: &Value) -> bool {
    match value {
        Value::Tuple(_) | Value::List(_) | Value::Dict(_) => true,
        Value::Set(_) | Value::FrozenSet(_) => true,
        Value::Object(object) => Rc::weak_count(object) == 0 && Forgotten::of(value).is_none(),
        _ => false,
    }
}
