//! What a dictionary holds: keys and their values, in the order of insertion.
//!
//! Most dictionaries have few entries, the fields of objects above all. These are looked through one
//! after the other, in one place with the count of those that share them; a table is made when there
//! are more.

mod name_bit;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

use indexmap::{Equivalent, map};
use smallvec::SmallVec;

use super::key::Key;
use super::value::{Str, Value};
pub use name_bit::NameBit;
use name_bit::bit_of;
use table::Table;

/// More entries than these have a table.
const FEW: usize = 8;
/// As many need no place of their own.
const IN_PLACE: usize = 3;

type Few = SmallVec<[(Key, Value); IN_PLACE]>;

/// Keys and their values.
#[derive(Clone)]
pub struct Entries {
    form: Form,
    /// A bit for each name among a few keys, and for names that have been there: see [`Entries::may_have`].
    names: u64,
}

#[derive(Clone)]
enum Form {
    Few(Few),
    Many(Table),
}

use Form::{Few as F, Many as M};

impl Entries {
    pub fn len(&self) -> usize {
        match &self.form {
            F(few) => few.len(),
            M(table) => table.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many have room.
    pub fn capacity(&self) -> usize {
        match &self.form {
            F(_) => FEW,
            M(table) => table.capacity(),
        }
    }

    pub fn reserve(&mut self, more: usize) {
        if self.len() + more > FEW {
            self.table().reserve(more);
        }
    }

    /// With a table.
    fn table(&mut self) -> &mut Table {
        if let F(few) = &mut self.form {
            let speaks = few.iter().any(|(key, _)| key.speaks());
            self.form = M(Table::new(few.drain(..), speaks));
        }
        match &mut self.form {
            M(table) => table,
            F(_) => unreachable!("it has just got one"),
        }
    }

    /// The place of a key. Entries that are taken out may leave their places empty for a while.
    #[inline]
    pub fn get_index_of<Q: ?Sized + Hash + Equivalent<Key>>(&self, key: &Q) -> Option<usize> {
        match &self.form {
            F(few) => few.iter().position(|(known, _)| key.equivalent(known)),
            M(table) => table.map().get_index_of(key),
        }
    }

    #[inline]
    pub fn get<Q: ?Sized + Hash + Equivalent<Key>>(&self, key: &Q) -> Option<&Value> {
        match &self.form {
            F(few) => few.iter().find(|(known, _)| key.equivalent(known)).map(|(_, value)| value),
            M(table) => table.map().get(key),
        }
    }

    #[inline]
    pub fn get_mut<Q: ?Sized + Hash + Equivalent<Key>>(&mut self, key: &Q) -> Option<&mut Value> {
        match &mut self.form {
            F(few) => {
                few.iter_mut().find(|(known, _)| key.equivalent(known)).map(|(_, value)| value)
            }
            M(table) => table.map_mut().get_mut(key),
        }
    }

    /// What stands under a number, where it stands at that place: a program that counts from zero has filled the
    /// dictionary so, and nobody need look for it.
    #[inline(always)]
    pub fn counted(&self, number: i64) -> Option<&Value> {
        let at = usize::try_from(number).ok()?;
        let (key, value) = match &self.form {
            F(few) => few.get(at).map(|(key, value)| (key, value))?,
            M(table) => table.map().get_index(at)?,
        };
        key.is_int(number).then_some(value)
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn counted_mut(&mut self, number: i64) -> Option<&mut Value> {
        let at = usize::try_from(number).ok()?;
        let (key, value) = match &mut self.form {
            F(few) => few.get_mut(at).map(|(key, value)| (&*key, value))?,
            M(table) => table.map_mut().get_index_mut(at)?,
        };
        key.is_int(number).then_some(value)
    }

    /// False where no key is this name for certain.
    #[inline]
    pub fn may_have(&self, name: NameBit) -> bool {
        matches!(self.form, M(_)) || self.names & name.0 != 0
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

    /// What stands at a place, where they are few.
    #[inline(always)]
    pub fn few_at(&self, at: usize) -> Option<&(Key, Value)> {
        match &self.form {
            F(few) => few.get(at),
            M(_) => None,
        }
    }

    #[inline(always)]
    pub fn few_at_mut(&mut self, at: usize) -> Option<&mut (Key, Value)> {
        match &mut self.form {
            F(few) => few.get_mut(at),
            M(_) => None,
        }
    }

    /// What stands at a place.
    #[inline]
    pub fn get_index(&self, at: usize) -> Option<(&Key, &Value)> {
        match &self.form {
            F(few) => few.get(at).map(|(key, value)| (key, value)),
            M(table) => table.at(at),
        }
    }

    #[inline]
    pub fn get_index_mut(&mut self, at: usize) -> Option<(&Key, &mut Value)> {
        match &mut self.form {
            F(few) => few.get_mut(at).map(|(key, value)| (&*key, value)),
            M(table) => table.at_mut(at),
        }
    }

    pub fn insert(&mut self, key: Key, value: Value) -> Option<Value> {
        self.insert_full(key, value).1
    }

    /// As [`Entries::insert`]; says where it stands, too.
    pub fn insert_full(&mut self, key: Key, value: Value) -> (usize, Option<Value>) {
        if let F(few) = &mut self.form {
            if let Some(at) = few.iter().position(|(known, _)| *known == key) {
                return (at, Some(std::mem::replace(&mut few[at].1, value)));
            }
            if few.len() < FEW {
                self.names |= bit_of(&key);
                few.push((key, value));
                return (few.len() - 1, None);
            }
        }
        let is_told = key.speaks();
        let table = self.table();
        table.speaks |= is_told;
        table.map_mut().insert_full(key, value)
    }

    /// As [`Entries::insert_full`], of a name and its bit. Where no key has the bit, nobody looks through them.
    pub fn insert_name(
        &mut self,
        name: &Str,
        bit: NameBit,
        value: Value,
    ) -> (usize, Option<Value>) {
        let is_new = !self.may_have(bit);
        match &mut self.form {
            F(few) if is_new && few.len() < FEW => {
                self.names |= bit.0;
                few.push((Key::of_text(name.clone()), value));
                (few.len() - 1, None)
            }
            _ => self.insert_full(Key::of_text(name.clone()), value),
        }
    }

    /// The first entry that stands at a place or behind it, and its place.
    pub fn first_from(&self, at: usize) -> Option<(usize, &Key, &Value)> {
        match &self.form {
            F(few) => few.get(at).map(|(key, value)| (at, key, value)),
            M(table) => table.from(at),
        }
    }

    /// The key at a place, where entries behind one that is taken out move up.
    pub fn key_that_moves(&self, at: usize) -> Option<&Key> {
        match &self.form {
            F(few) => few.get(at).map(|(key, _)| key),
            M(_) => None,
        }
    }

    /// The last entry that stands before a place, and its place.
    pub fn last_before(&self, at: usize) -> Option<(usize, &Key, &Value)> {
        match &self.form {
            F(few) => {
                let at = at.min(few.len()).checked_sub(1)?;
                Some((at, &few[at].0, &few[at].1))
            }
            M(table) => table.before(at),
        }
    }

    /// Whether a key says itself what it equals, or one did that has gone.
    pub fn speaks(&self) -> bool {
        match &self.form {
            F(few) => few.iter().any(|(key, _)| key.speaks()),
            M(table) => table.speaks,
        }
    }

    /// Whether they are few, and none of them holds anything else.
    pub fn holds_little(&self) -> bool {
        match &self.form {
            F(few) => few.iter().all(|(key, value)| {
                matches!(key.value(), Value::Str(_) | Value::Int(_)) && value.holds_nothing()
            }),
            M(..) => false,
        }
    }

    /// Takes an entry out; the others keep their order.
    pub fn shift_remove<Q: ?Sized + Hash + Equivalent<Key>>(&mut self, key: &Q) -> Option<Value> {
        self.take_at(self.get_index_of(key)?).map(|(_, value)| value)
    }

    /// Takes the entry out that stands at a place.
    pub fn take_at(&mut self, place: usize) -> Option<(Key, Value)> {
        match &mut self.form {
            F(few) => (place < few.len()).then(|| few.remove(place)),
            M(table) => table.take(place),
        }
    }

    /// Takes the first entry out.
    pub fn pop_first(&mut self) -> Option<(Key, Value)> {
        let (place, ..) = self.first_from(0)?;
        self.take_at(place)
    }

    /// Takes the last entry out.
    pub fn pop(&mut self) -> Option<(Key, Value)> {
        match &mut self.form {
            F(few) => few.pop(),
            M(table) => table.pop(),
        }
    }

    pub fn clear(&mut self) {
        *self = Entries::default();
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&Key, &mut Value) -> bool) {
        match &mut self.form {
            F(few) => few.retain(|(key, value)| keep(key, value)),
            M(table) => table.retain(keep),
        }
    }

    /// Moves the last entry in front of the one of this key.
    pub fn move_last_before<Q: ?Sized + Hash + Equivalent<Key>>(&mut self, key: &Q) {
        let Some(to) = self.get_index_of(key) else { return };
        match &mut self.form {
            F(few) => few[to..].rotate_right(1),
            M(table) => table.move_to(table.map().len() - 1, to),
        }
    }

    /// The key of the entry behind this one.
    pub fn key_behind<Q: ?Sized + Hash + Equivalent<Key>>(&self, key: &Q) -> Option<&Key> {
        self.first_from(self.get_index_of(key)? + 1).map(|(_, key, _)| key)
    }

    #[inline]
    pub fn iter(&self) -> Iter<'_> {
        match &self.form {
            F(few) => Iter::Few(few.iter()),
            M(table) => Iter::Many(table.iter(), table.len()),
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
        let (few, many) = match &mut self.form {
            F(few) => (Some(few.iter_mut()), None),
            M(table) => (None, Some(table.values_mut())),
        };
        let few = few.into_iter().flatten().map(|(_, value)| value);
        few.chain(many.into_iter().flatten())
    }
}

impl Default for Entries {
    #[inline]
    fn default() -> Entries {
        Entries { form: F(Few::new()), names: 0 }
    }
}

/// Goes through entries.
#[derive(Debug, Clone)]
pub enum Iter<'a> {
    Few(std::slice::Iter<'a, (Key, Value)>),
    /// With holes between them, and how many are left.
    Many(map::Iter<'a, Key, Value>, usize),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Key, &'a Value);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(few) => few.next().map(|(key, value)| (key, value)),
            Iter::Many(many, left) => {
                let next = many.find(|(_, value)| !matches!(value, Value::Unbound));
                *left -= usize::from(next.is_some());
                next
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Iter::Few(few) => few.size_hint(),
            Iter::Many(_, left) => (*left, Some(*left)),
        }
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(few) => few.next_back().map(|(key, value)| (key, value)),
            Iter::Many(many, left) => {
                let next = many.rfind(|(_, value)| !matches!(value, Value::Unbound));
                *left -= usize::from(next.is_some());
                next
            }
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
        match self.form {
            F(few) => IntoIter::Few(few.into_iter()),
            M(table) => IntoIter::Many(table.into_entries().into_iter()),
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
