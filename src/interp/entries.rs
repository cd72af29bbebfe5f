//! What a dictionary holds: keys and their values, in the order of insertion.
//!
//! Most dictionaries have few entries, the fields of objects above all. These are looked through one
//! after the other, in one place with the count of those that share them; a table is made when there
//! are more.

use std::fmt;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

use indexmap::{Equivalent, IndexMap, map};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::key::Key;
use super::value::Value;

/// More entries than these have a table.
const FEW: usize = 8;
/// As many need no place of their own.
const IN_PLACE: usize = 3;

type Few = SmallVec<[(Key, Value); IN_PLACE]>;
type Many = IndexMap<Key, Value, FxBuildHasher>;

/// Keys and their values.
#[derive(Clone)]
pub struct Entries(Form);

#[derive(Clone)]
enum Form {
    Few(Few),
    /// And whether a key says itself what it equals.
    Many(Many, bool),
}

use Form::{Few as F, Many as M};

impl Entries {
    pub fn len(&self) -> usize {
        match &self.0 {
            F(few) => few.len(),
            M(many, _) => many.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many have room.
    pub fn capacity(&self) -> usize {
        match &self.0 {
            F(_) => FEW,
            M(many, _) => many.capacity(),
        }
    }

    pub fn reserve(&mut self, more: usize) {
        if self.len() + more > FEW {
            self.many().reserve(more);
        }
    }

    /// With a table.
    fn many(&mut self) -> &mut Many {
        if let F(few) = &mut self.0 {
            let speaks = few.iter().any(|(key, _)| key.speaks());
            self.0 = M(few.drain(..).collect(), speaks);
        }
        match &mut self.0 {
            M(many, _) => many,
            F(_) => unreachable!("it has just got one"),
        }
    }

    #[inline]
    pub fn get_index_of<Q: ?Sized + Hash + Equivalent<Key>>(&self, key: &Q) -> Option<usize> {
        match &self.0 {
            F(few) => few.iter().position(|(known, _)| key.equivalent(known)),
            M(many, _) => many.get_index_of(key),
        }
    }

    #[inline]
    pub fn get<Q: ?Sized + Hash + Equivalent<Key>>(&self, key: &Q) -> Option<&Value> {
        match &self.0 {
            F(few) => few.iter().find(|(known, _)| key.equivalent(known)).map(|(_, value)| value),
            M(many, _) => many.get(key),
        }
    }

    #[inline]
    pub fn get_mut<Q: ?Sized + Hash + Equivalent<Key>>(&mut self, key: &Q) -> Option<&mut Value> {
        match &mut self.0 {
            F(few) => {
                few.iter_mut().find(|(known, _)| key.equivalent(known)).map(|(_, value)| value)
            }
            M(many, _) => many.get_mut(key),
        }
    }

    pub fn get_key_value<Q: ?Sized + Hash + Equivalent<Key>>(
        &self,
        key: &Q,
    ) -> Option<(&Key, &Value)> {
        self.get_index(self.get_index_of(key)?)
    }

    pub fn get_full<Q: ?Sized + Hash + Equivalent<Key>>(
        &self,
        key: &Q,
    ) -> Option<(usize, &Key, &Value)> {
        let at = self.get_index_of(key)?;
        self.get_index(at).map(|(key, value)| (at, key, value))
    }

    #[inline]
    pub fn contains_key<Q: ?Sized + Hash + Equivalent<Key>>(&self, key: &Q) -> bool {
        self.get_index_of(key).is_some()
    }

    #[inline]
    pub fn get_index(&self, at: usize) -> Option<(&Key, &Value)> {
        match &self.0 {
            F(few) => few.get(at).map(|(key, value)| (key, value)),
            M(many, _) => many.get_index(at),
        }
    }

    #[inline]
    pub fn get_index_mut(&mut self, at: usize) -> Option<(&Key, &mut Value)> {
        match &mut self.0 {
            F(few) => few.get_mut(at).map(|(key, value)| (&*key, value)),
            M(many, _) => many.get_index_mut(at),
        }
    }

    pub fn insert(&mut self, key: Key, value: Value) -> Option<Value> {
        self.insert_full(key, value).1
    }

    /// As [`Entries::insert`]; says where it stands, too.
    pub fn insert_full(&mut self, key: Key, value: Value) -> (usize, Option<Value>) {
        if let F(few) = &mut self.0 {
            if let Some(at) = few.iter().position(|(known, _)| *known == key) {
                return (at, Some(std::mem::replace(&mut few[at].1, value)));
            }
            if few.len() < FEW {
                few.push((key, value));
                return (few.len() - 1, None);
            }
        }
        let is_told = key.speaks();
        self.many();
        if let M(_, speaks) = &mut self.0 {
            *speaks |= is_told;
        }
        self.many().insert_full(key, value)
    }

    /// Whether a key says itself what it equals, or one did that has gone.
    pub fn speaks(&self) -> bool {
        match &self.0 {
            F(few) => few.iter().any(|(key, _)| key.speaks()),
            M(_, speaks) => *speaks,
        }
    }

    /// Whether they are few, and none of them holds anything else.
    pub fn holds_little(&self) -> bool {
        match &self.0 {
            F(few) => few.iter().all(|(key, value)| {
                matches!(key.value(), Value::Str(_) | Value::Int(_)) && value.holds_nothing()
            }),
            M(..) => false,
        }
    }

    /// Takes an entry out; those behind it move up.
    pub fn shift_remove<Q: ?Sized + Hash + Equivalent<Key>>(&mut self, key: &Q) -> Option<Value> {
        self.shift_remove_index(self.get_index_of(key)?).map(|(_, value)| value)
    }

    pub fn shift_remove_index(&mut self, at: usize) -> Option<(Key, Value)> {
        match &mut self.0 {
            F(few) => (at < few.len()).then(|| few.remove(at)),
            M(many, _) => many.shift_remove_index(at),
        }
    }

    pub fn pop(&mut self) -> Option<(Key, Value)> {
        match &mut self.0 {
            F(few) => few.pop(),
            M(many, _) => many.pop(),
        }
    }

    pub fn clear(&mut self) {
        *self = Entries::default();
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Value) -> bool) {
        match &mut self.0 {
            F(few) => few.retain(|(key, value)| keep(key, value)),
            M(many, _) => many.retain(keep),
        }
    }

    pub fn move_index(&mut self, from: usize, to: usize) {
        self.many().move_index(from, to);
    }

    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        match &self.0 {
            F(few) => Iter::Few(few.iter()),
            M(many, _) => Iter::Many(many.iter()),
        }
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Key> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    pub fn into_values(self) -> impl Iterator<Item = Value> {
        self.into_iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        let (few, many) = match &mut self.0 {
            F(few) => (Some(few.iter_mut()), None),
            M(many, _) => (None, Some(many.values_mut())),
        };
        let few = few.into_iter().flatten().map(|(_, value)| value);
        few.chain(many.into_iter().flatten())
    }
}

impl Default for Entries {
    #[inline]
    fn default() -> Entries {
        Entries(F(Few::new()))
    }
}

/// Goes through entries.
#[derive(Debug, Clone)]
pub enum Iter<'a> {
    Few(std::slice::Iter<'a, (Key, Value)>),
    Many(map::Iter<'a, Key, Value>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Key, &'a Value);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(few) => few.next().map(|(key, value)| (key, value)),
            Iter::Many(many) => many.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Iter::Few(few) => few.size_hint(),
            Iter::Many(many) => many.size_hint(),
        }
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(few) => few.next_back().map(|(key, value)| (key, value)),
            Iter::Many(many) => many.next_back(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Entries {
    type Item = (&'a Key, &'a Value);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Gives entries away.
#[derive(Debug)]
pub enum IntoIter {
    Few(smallvec::IntoIter<[(Key, Value); IN_PLACE]>),
    Many(map::IntoIter<Key, Value>),
}

impl Iterator for IntoIter {
    type Item = (Key, Value);

    fn next(&mut self) -> Option<(Key, Value)> {
        match self {
            IntoIter::Few(few) => few.next(),
            IntoIter::Many(many) => many.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            IntoIter::Few(few) => few.size_hint(),
            IntoIter::Many(many) => many.size_hint(),
        }
    }
}

impl IntoIterator for Entries {
    type Item = (Key, Value);
    type IntoIter = IntoIter;

    fn into_iter(self) -> IntoIter {
        match self.0 {
            F(few) => IntoIter::Few(few.into_iter()),
            M(many, _) => IntoIter::Many(many.into_iter()),
        }
    }
}

impl Extend<(Key, Value)> for Entries {
    fn extend<I: IntoIterator<Item = (Key, Value)>>(&mut self, more: I) {
        let more = more.into_iter();
        self.reserve(more.size_hint().0);
        more.for_each(|(key, value)| _ = self.insert(key, value));
    }
}

impl FromIterator<(Key, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(entries: I) -> Entries {
        let mut made = Entries::default();
        made.extend(entries);
        made
    }
}

impl<Q: ?Sized + Hash + Equivalent<Key>> Index<&Q> for Entries {
    type Output = Value;

    fn index(&self, key: &Q) -> &Value {
        self.get(key).expect("the key is there")
    }
}

impl<Q: ?Sized + Hash + Equivalent<Key>> IndexMut<&Q> for Entries {
    fn index_mut(&mut self, key: &Q) -> &mut Value {
        self.get_mut(key).expect("the key is there")
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(at: i64) -> Key {
        Key::of_int(at)
    }

    fn content(entries: &Entries) -> Vec<(i64, i64)> {
        let int = |value: &Value| match value {
            Value::Int(number) => *number,
            _ => panic!("a number"),
        };
        entries.iter().map(|(key, value)| (int(key.value()), int(value))).collect()
    }

    /// The same steps with and without a table give the same, also where one is made on the way.
    #[test]
    fn few_and_many_are_alike() {
        for size in [0, 1, 3, 4, 7, 8, 9, 20] {
            let (mut few, mut many) = (Entries::default(), Entries::default());
            many.many();
            let mut state = 7_u64;
            for step in 0..400 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let key = number(((state >> 33) % (size + 1)) as i64);
                for entries in [&mut few, &mut many] {
                    match state >> 60 {
                        0..8 => _ = entries.insert(key.clone(), Value::Int(step)),
                        8..11 => _ = entries.shift_remove(&key),
                        11 => _ = entries.pop(),
                        12 => entries.retain(|known, _| *known != key),
                        13 => _ = entries.shift_remove_index(0),
                        14 => entries.values_mut().for_each(|value| *value = Value::Int(step)),
                        _ => entries.extend([(key.clone(), Value::Int(-step))]),
                    }
                }
                assert_eq!(content(&few), content(&many));
                assert_eq!(few.get_index_of(&key), many.get_index_of(&key));
                assert_eq!(few.contains_key(&key), many.contains_key(&key));
                let ends = |entries: &Entries| content(&entries.clone().into_iter().collect());
                assert_eq!(ends(&few), ends(&many));
            }
        }
    }
}
