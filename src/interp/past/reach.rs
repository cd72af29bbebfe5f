//! What only the past holds.
//!
//! States of the past hold values that may be alive as well. For each value that they hold, and for
//! what only such values hold, it is counted how often; where that is as often as anybody holds it,
//! nobody alive does. The memory of tensors that only the past holds goes to the attic.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::device::Storage;
use crate::interp::Value;
use crate::interp::object::ends::Forgotten;
use crate::tensor::{Attic, Tensor};

#[derive(Debug, Default)]
pub struct Reach {
    entries: FxHashMap<*const (), Entry>,
    /// Those that somebody alive holds as well: few, however long the past is.
    alive: FxHashSet<*const ()>,
    /// Those that may belong to the past now and did not, or the other way round.
    doubtful: Vec<*const ()>,
    /// What came to belong to the past, and whose end matters.
    forgotten: Vec<Forgotten>,
}

#[derive(Debug)]
struct Entry {
    held: Held,
    /// How often the past holds it.
    count: usize,
    is_past: bool,
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
    /// The past holds a value, once more.
    pub fn gain(&mut self, value: &Value) {
        if let Some((at, _)) = value.identity() {
            self.count_up(at, || Held::Value(value.clone()));
        }
    }

    /// The past holds a storage, once more.
    pub fn gain_storage(&mut self, storage: &Arc<Storage>) {
        self.count_up(Arc::as_ptr(storage).cast(), || Held::Storage(storage.clone()));
    }

    /// The past holds a value once less, or is about to.
    pub fn lose(&mut self, value: &Value) {
        if let Some((at, _)) = value.identity() {
            self.count_down(at);
        }
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

    /// Looks again at everything that the past holds: whoever else held it may have let go.
    pub fn doubt_all(&mut self) {
        self.doubtful.extend(&self.alive);
    }

    /// Brings the attic up to date; what goes there is marked so.
    pub fn settle(&mut self, attic: &Attic, mark: u64) {
        while let Some(at) = self.doubtful.pop() {
            let Some(entry) = self.entries.get_mut(&at) else { continue };
            let is_past = entry.held.holders() == entry.count + 1;
            let was_past = std::mem::replace(&mut entry.is_past, is_past && entry.count > 0);
            let (count, is_past) = (entry.count, entry.is_past);
            if is_past || count == 0 {
                self.alive.remove(&at);
            } else {
                self.alive.insert(at);
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
            Held::Value(value) => {
                if is_past {
                    self.forgotten.extend(Forgotten::of(value));
                }
                value.visit(&mut |part| match is_past {
                    true => self.gain(part),
                    false => self.lose(part),
                });
            }
        }
    }

    fn count_up(&mut self, at: *const (), held: impl FnOnce() -> Held) {
        let new = || Entry { held: held(), count: 0, is_past: false };
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
