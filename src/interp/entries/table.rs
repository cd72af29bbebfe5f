//! The table of a large dictionary. What is taken out leaves a hole, so that it costs the same wherever it
//! stood; the holes go when there are more of them than entries.

use indexmap::IndexMap;

use crate::interp::hash::Neighbourhood;
use crate::interp::key::Key;
use crate::interp::value::Value;

pub(super) type Many = IndexMap<Key, Value, Neighbourhood>;

/// Fewer holes are not worth the work.
const FEW_HOLES: usize = 32;

#[derive(Clone, Default)]
pub(super) struct Table {
    /// Entries, and holes, whose value is [`Value::Unbound`]. The last is an entry.
    map: Many,
    holes: usize,
    /// All before this one are holes.
    first: usize,
    /// How many holes there ever were: each has a key of its own.
    made: i64,
    /// Whether a key says itself what it equals, or one did that has gone.
    pub speaks: bool,
}

fn is_hole(value: &Value) -> bool {
    matches!(value, Value::Unbound)
}

impl Table {
    pub fn new(entries: impl Iterator<Item = (Key, Value)>, speaks: bool) -> Table {
        Table { map: entries.collect(), speaks, ..Table::default() }
    }

    pub fn len(&self) -> usize {
        self.map.len() - self.holes
    }

    pub fn capacity(&self) -> usize {
        self.map.capacity() - self.holes
    }

    pub fn reserve(&mut self, more: usize) {
        self.map.reserve(more);
    }

    /// What looks entries up: no key finds a hole.
    #[inline]
    pub fn map(&self) -> &Many {
        &self.map
    }

    #[inline]
    pub fn map_mut(&mut self) -> &mut Many {
        &mut self.map
    }

    #[inline]
    pub fn at(&self, place: usize) -> Option<(&Key, &Value)> {
        self.map.get_index(place).filter(|(_, value)| !is_hole(value))
    }

    #[inline]
    pub fn at_mut(&mut self, place: usize) -> Option<(&Key, &mut Value)> {
        self.map.get_index_mut(place).filter(|(_, value)| !is_hole(value))
    }

    /// The first entry that stands at a place or behind it.
    pub fn from(&self, place: usize) -> Option<(usize, &Key, &Value)> {
        if let Some((key, value)) = self.at(place) {
            return Some((place, key, value));
        }
        let place = place.max(self.first);
        let entries = self.map.get_range(place..)?.iter().enumerate();
        let mut entries = entries.filter(|(_, (_, value))| !is_hole(value));
        entries.next().map(|(at, (key, value))| (place + at, key, value))
    }

    /// The last entry that stands before a place.
    pub fn before(&self, place: usize) -> Option<(usize, &Key, &Value)> {
        let entries = self.map.get_range(..place.min(self.map.len()))?.iter().enumerate();
        let mut entries = entries.rev().filter(|(_, (_, value))| !is_hole(value));
        entries.next().map(|(at, (key, value))| (at, key, value))
    }

    /// The entries, and holes between them.
    pub fn iter(&self) -> indexmap::map::Iter<'_, Key, Value> {
        self.map.get_range(self.first..).map(|entries| entries.iter()).unwrap_or_default()
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.map.values_mut().filter(|value| !is_hole(value))
    }

    pub fn take(&mut self, place: usize) -> Option<(Key, Value)> {
        if place + 1 == self.map.len() {
            return self.pop();
        }
        // No program has a tuple of such items.
        let key = Key::new(Value::tuple([Value::Unbound, Value::Int(self.made)])).ok()?;
        let (_, value) = self.map.get_index_mut(place).filter(|(_, value)| !is_hole(value))?;
        let value = std::mem::replace(value, Value::Unbound);
        let key = self.map.replace_index(place, key).ok()?;
        self.made += 1;
        self.holes += 1;
        if place == self.first {
            self.first = place + 1;
            self.first = self.from(0).map_or(0, |(place, ..)| place);
        }
        if self.holes > FEW_HOLES && self.holes > self.len() {
            self.close();
        }
        Some((key, value))
    }

    pub fn pop(&mut self) -> Option<(Key, Value)> {
        let gone = self.map.pop();
        while self.map.last().is_some_and(|(_, value)| is_hole(value)) {
            self.map.pop();
            self.holes -= 1;
        }
        if self.map.is_empty() {
            self.first = 0;
        }
        gone
    }

    /// Takes the holes out.
    fn close(&mut self) {
        if self.holes > 0 {
            self.map.retain(|_, value| !is_hole(value));
        }
        (self.holes, self.first) = (0, 0);
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Value) -> bool) {
        self.close();
        self.map.retain(|key, value| keep(key, value));
    }

    /// Moves an entry to another's place; those between move up.
    pub fn move_to(&mut self, from: usize, to: usize) {
        self.map.move_index(from, to);
        self.first = self.first.min(to);
    }

    pub fn into_entries(mut self) -> Many {
        self.close();
        self.map
    }
}
