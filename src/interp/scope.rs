//! The variables.

use rustc_hash::FxHashMap;

use super::shared::Slot;
use super::undo::Journal;
use super::value::Value;
use crate::syntax::ast::Ident;

/// Names and what they hold. A name keeps its slot while anybody has it, also while it holds
/// nothing.
#[derive(Debug, Default)]
pub struct Scope {
    slots: FxHashMap<Ident, Slot>,
}

impl Scope {
    pub fn get(&self, name: &str) -> Option<Value> {
        self.slots.get(name).and_then(|slot| slot.borrow().clone())
    }

    /// The variable of this name, which may hold nothing yet.
    pub fn slot(&mut self, name: &Ident) -> Slot {
        if let Some(slot) = self.slots.get(name) {
            return slot.clone();
        }
        self.slots.entry(name.clone()).or_default().clone()
    }

    /// Binds a name; gives back what it held.
    pub fn set(&mut self, journal: &Journal, name: Ident, value: Value) -> Option<Value> {
        self.slot(&name).replace(journal, Some(value))
    }

    pub fn remove(&mut self, journal: &Journal, name: &str) -> Option<Value> {
        self.slots.get(name).and_then(|slot| slot.replace(journal, None))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Ident, Value)> {
        self.slots.iter().filter_map(|(name, slot)| Some((name, slot.borrow().clone()?)))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        let bound = self.slots.iter().filter(|(_, slot)| slot.borrow().is_some());
        bound.map(|(name, _)| &**name)
    }

    pub fn clear(&mut self, journal: &Journal) {
        self.slots.values().for_each(|slot| _ = slot.replace(journal, None));
    }
}
