//! Keys that are equal because the program says so: its `__eq__` and `__hash__` are asked before a table
//! is, which knows but identity and the equality of built-in values.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

use indexmap::Equivalent;

use super::instance::Instance;
use crate::diag::Fault;
use crate::interp::value::{Dict, Entries, Key, Members, Value};
use crate::interp::{Evaluator, Interp, hash, index};

impl Evaluator<'_> {
    /// A value as a key of dictionaries and sets, with the hash that its class gives it.
    ///
    /// # Errors
    /// TypeError for what has none.
    pub fn key(&self, value: &Value) -> Result<Key, Fault> {
        if let Some(key) = Key::plain(value) {
            return Ok(key);
        }
        self.hash_inside(value)?;
        let plain = self.without_scalars(value)?;
        index::hashable(plain.as_ref().unwrap_or(value)).map_err(Fault::from)
    }

    /// A value with Python's numbers in the place of NumPy's scalars, which they equal: a table must not
    /// wait for a device. `None` where there are no scalars.
    fn without_scalars(&self, value: &Value) -> Result<Option<Value>, Fault> {
        match value {
            Value::Tensor(number) if number.is_scalar() => {
                Ok(Some(self.interp.engine.item(number)?.into()))
            }
            Value::Tuple(items) if items.iter().any(may_hold_scalars) => self.deeper("", || {
                let plain = |item| Ok(self.without_scalars(item)?.unwrap_or_else(|| item.clone()));
                Ok(Some(Value::tuple(items.iter().map(plain).collect::<Result<Vec<_>, Fault>>()?)))
            }),
            _ => Ok(None),
        }
    }

    /// The key among `entries` that equals a value, or the value as a key: what its class says of
    /// equality counts.
    ///
    /// # Errors
    /// As [`Evaluator::key`], and what comparing brings up.
    pub fn key_in(&self, dict: &Dict, value: &Value) -> Result<Key, Fault> {
        let key = self.key(value)?;
        self.known_key(key, || dict.borrow())
    }

    /// As [`Evaluator::key_in`], among the elements of a set.
    ///
    /// # Errors
    /// As there.
    pub fn key_among(&self, elements: &Members, value: &Value) -> Result<Key, Fault> {
        let key = self.key(value)?;
        self.known_key(key, || elements)
    }

    /// As [`Evaluator::key_in`] for whatever keeps its keys in a table.
    pub(crate) fn known_key<K: Keyed, R: Deref<Target = K>>(
        &self,
        key: Key,
        entries: impl Fn() -> R,
    ) -> Result<Key, Fault> {
        // Comparing may run the program, which may change the entries: they are not held meanwhile.
        if !key.speaks() && !entries().speaks() {
            return Ok(key);
        }
        // What the program has said is used up, also where nobody needs it: it was said of these entries.
        let told = self.interp.told_key(&key);
        if let Some(known) = entries().known(&key) {
            return Ok(known);
        }
        if let Some(known) = told {
            return Ok(known.unwrap_or(key));
        }
        let candidates: Vec<Key> = candidates(&*entries(), &key);
        for candidate in candidates {
            if self.equal(candidate.value(), key.value())? {
                return Ok(candidate);
            }
        }
        Ok(key)
    }

    /// Elements with those of `known` in the place of equal ones; `None` where nobody need be asked.
    ///
    /// # Errors
    /// What comparing brings up.
    pub(crate) fn aligned_members(
        &self,
        known: &Members,
        members: &Members,
    ) -> Result<Option<Members>, Fault> {
        if !known.speaks() && !members.speaks() {
            return Ok(None);
        }
        let aligned = members.iter().map(|key| self.known_key(key.clone(), || known));
        aligned.collect::<Result<_, _>>().map(Some)
    }

    /// Entries with the keys of `known` in the place of equal ones.
    ///
    /// # Errors
    /// What comparing brings up.
    pub(crate) fn aligned_entries(&self, known: &Dict, entries: Entries) -> Result<Entries, Fault> {
        if !known.borrow().speaks() && !entries.speaks() {
            return Ok(entries);
        }
        let aligned = entries
            .into_iter()
            .map(|(key, value)| Ok((self.known_key(key, || known.borrow())?, value)));
        aligned.collect()
    }

    fn hash_inside(&self, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Object(object) => self.object_hash(object).map(drop),
            Value::Tuple(items) => {
                self.deeper("", || items.iter().try_for_each(|item| self.hash_inside(item)))
            }
            _ => Ok(()),
        }
    }
}

/// What the program has said of a key before the operation runs that looks for it.
#[derive(Debug)]
pub(crate) struct Told {
    key: Rc<Instance>,
    /// Whether its hash still counts, which whoever asks for it takes.
    has_hash: bool,
    /// The key that is there and equals it.
    known: Option<Key>,
}

impl Told {
    pub fn of(key: Rc<Instance>, known: Option<Key>) -> Told {
        Told { key, has_hash: true, known }
    }
}

impl Interp {
    /// Takes what the program has said of an object's hash; whether it has. Whoever must ask anew does not rely on
    /// what was said of its equals either.
    pub(super) fn is_told_hash(&self, object: &Rc<Instance>) -> bool {
        let mut told = self.told.borrow_mut();
        let is_told = match &mut *told {
            Some(told) if Rc::ptr_eq(&told.key, object) => std::mem::take(&mut told.has_hash),
            _ => return false,
        };
        if !is_told {
            *told = None;
        }
        is_told
    }

    /// Takes what it has said of the keys that equal this one, if it has.
    fn told_key(&self, key: &Key) -> Option<Option<Key>> {
        let Value::Object(object) = key.value() else { return None };
        let told = self.told.borrow_mut().take_if(|told| Rc::ptr_eq(&told.key, object))?;
        Some(told.known)
    }
}

fn may_hold_scalars(value: &Value) -> bool {
    matches!(value, Value::Tensor(_) | Value::Tuple(_))
}

/// What has keys.
pub(crate) trait Keyed {
    fn known(&self, key: &Key) -> Option<Key>;
    fn look(&self, candidates: &Candidates<'_>);
    /// Where a key stands that is there.
    fn place(&self, key: &Key) -> Option<usize>;
    /// Whether it has keys that say themselves what they equal.
    fn speaks(&self) -> bool;
}

impl Keyed for Entries {
    fn known(&self, key: &Key) -> Option<Key> {
        self.get_key_value(key).map(|(known, _)| known.clone())
    }

    fn look(&self, candidates: &Candidates<'_>) {
        self.get(candidates);
    }

    fn place(&self, key: &Key) -> Option<usize> {
        self.get_index_of(key)
    }

    fn speaks(&self) -> bool {
        Entries::speaks(self)
    }
}

impl Keyed for Members {
    fn known(&self, key: &Key) -> Option<Key> {
        self.get(key).cloned()
    }

    fn look(&self, candidates: &Candidates<'_>) {
        self.get(candidates);
    }

    fn place(&self, key: &Key) -> Option<usize> {
        self.get_index_of(key)
    }

    fn speaks(&self) -> bool {
        Members::speaks(self)
    }
}

/// The keys with the hash of one that is none of them.
pub(crate) fn candidates<C: FromIterator<Key>>(keys: &(impl Keyed + ?Sized), key: &Key) -> C {
    let candidates = Candidates { key, found: RefCell::default() };
    keys.look(&candidates);
    let mut found = candidates.found.into_inner();
    // They are asked in the order in which they came.
    if found.len() > 1 {
        found.sort_by_key(|key| keys.place(key));
    }
    found.into_iter().collect()
}

/// Notes the keys of the same hash, and takes none.
pub(crate) struct Candidates<'a> {
    key: &'a Key,
    found: RefCell<Vec<Key>>,
}

impl Hash for Candidates<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Equivalent<Key> for Candidates<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        if hash::of(key.value()) == hash::of(self.key.value()) {
            self.found.borrow_mut().push(key.clone());
        }
        false
    }
}
