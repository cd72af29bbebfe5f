//! Sets: of values that are equal each one holds the first. They keep the order in which their
//! elements came.

mod combine;

use std::cell::Ref;
use std::cmp::Ordering;
use std::ops::Deref;
use std::rc::Rc;

use indexmap::IndexSet;

use super::view::{Shown, View};
use crate::diag::Fault;
use crate::interp::hash::Neighbourhood;
use crate::interp::room::{Pace, copied_members, things};
use crate::interp::shared::{MemberStep, Shared};
use crate::interp::value::{Key, Value};
use crate::interp::{Evaluator, index};
use crate::syntax::ast::BinaryOp;
use crate::tensor::{Engine, Error};
pub use combine::combined;
use combine::{changes, common};

/// What a set holds, in the order in which it came.
#[derive(Debug, Clone, Default)]
pub struct Members {
    set: IndexSet<Key, Neighbourhood>,
    speaks: bool,
}

impl Members {
    /// Takes an element in; whether it is new.
    pub fn insert(&mut self, key: Key) -> bool {
        self.speaks |= key.speaks();
        self.set.insert(key)
    }

    pub fn reserve(&mut self, more: usize) {
        self.set.reserve(more);
    }

    /// Takes out what came behind so many elements.
    pub fn truncate(&mut self, len: usize) {
        self.set.truncate(len);
    }

    /// Puts an element back that stood at a position, where the last one stands now, or those behind it
    /// have moved up.
    pub fn put_back(&mut self, at: usize, key: Key, is_swapped: bool) {
        if is_swapped {
            let (last, _) = self.set.insert_full(key);
            self.set.swap_indices(at.min(last), last);
        } else {
            self.set.shift_insert(at.min(self.set.len()), key);
        }
    }

    /// What taking an element out changes.
    pub fn step_out(&self, key: &Key) -> MemberStep {
        match self.set.get_full(key) {
            Some((at, known)) => MemberStep::Gone(at, known.clone(), self.set.len() >= ORDERED),
            None => MemberStep::Len(self.set.len()),
        }
    }

    /// What taking some element out changes.
    pub fn step_of_pop(&self) -> MemberStep {
        let gone = if self.set.len() < ORDERED { self.set.first() } else { self.set.last() };
        gone.map_or(MemberStep::Len(0), |key| self.step_out(key))
    }

    /// Whether an element says itself what it equals, or one did that has gone.
    pub fn speaks(&self) -> bool {
        self.speaks
    }
}

impl Deref for Members {
    type Target = IndexSet<Key, Neighbourhood>;

    fn deref(&self) -> &Self::Target {
        &self.set
    }
}

impl Extend<Key> for Members {
    fn extend<I: IntoIterator<Item = Key>>(&mut self, keys: I) {
        keys.into_iter().for_each(|key| _ = self.insert(key));
    }
}

impl FromIterator<Key> for Members {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Members {
        let mut members = Members::default();
        members.extend(keys);
        members
    }
}

impl IntoIterator for Members {
    type Item = Key;
    type IntoIter = indexmap::set::IntoIter<Key>;

    fn into_iter(self) -> Self::IntoIter {
        self.set.into_iter()
    }
}

impl<'a> IntoIterator for &'a Members {
    type Item = &'a Key;
    type IntoIter = indexmap::set::Iter<'a, Key>;

    fn into_iter(self) -> Self::IntoIter {
        self.set.iter()
    }
}

/// A set that several names may share.
pub type Set = Rc<Shared<Members>>;

/// From this size on, taking an element out moves the last one into its place.
const ORDERED: usize = 1 << 12;

/// Takes an element out; whether it was there.
pub fn discard(elements: &mut Members, key: &Key) -> bool {
    let elements = &mut elements.set;
    if elements.len() < ORDERED { elements.shift_remove(key) } else { elements.swap_remove(key) }
}

/// Takes some element out: the first, of a large set the last.
pub fn pop(elements: &mut Members) -> Option<Key> {
    let elements = &mut elements.set;
    if elements.len() < ORDERED { elements.shift_remove_index(0) } else { elements.pop() }
}

/// Whether every element of `a` is in `b`.
///
/// # Errors
/// Ctrl-C.
pub fn is_subset(engine: &Engine, a: &Members, b: &Members) -> Result<bool, Fault> {
    if a.len() > b.len() {
        return Ok(false);
    }
    let mut pace = Pace::new(engine);
    for key in a {
        pace.step(0)?;
        if !b.contains(key) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether an element is in both.
///
/// # Errors
/// Ctrl-C.
pub fn share(engine: &Engine, a: &Members, b: &Members) -> Result<bool, Fault> {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut pace = Pace::new(engine);
    for key in small {
        pace.step(0)?;
        if large.contains(key) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How `a` stands to `b`: less where it is a part of it; none where each has what the other lacks.
///
/// # Errors
/// Ctrl-C.
pub fn order(engine: &Engine, a: &Members, b: &Members) -> Result<Option<Ordering>, Fault> {
    Ok(match a.len().cmp(&b.len()) {
        order @ (Ordering::Less | Ordering::Equal) => is_subset(engine, a, b)?.then_some(order),
        Ordering::Greater => is_subset(engine, b, a)?.then_some(Ordering::Greater),
    })
}

/// A set's members while somebody looks at them.
enum Held<'v> {
    Shared(Ref<'v, Members>),
    Plain(&'v Members),
}

impl<'v> Held<'v> {
    /// Those of a set, else what was made of the value.
    fn of(value: &'v Value, made: &'v Members) -> Held<'v> {
        match value {
            Value::Set(set) => Held::Shared(set.borrow()),
            Value::FrozenSet(set) => Held::Plain(set),
            _ => Held::Plain(made),
        }
    }

    fn members(&self) -> &Members {
        match self {
            Held::Shared(members) => members,
            Held::Plain(members) => members,
        }
    }
}

impl Value {
    pub fn set(elements: Members) -> Value {
        Value::Set(Rc::new(elements.into()))
    }
}

impl Evaluator<'_> {
    /// A set of these values, `{a, b}`.
    ///
    /// # Errors
    /// TypeError for a value that can change; Ctrl-C.
    pub fn set_of(&self, values: impl IntoIterator<Item = Value>) -> Result<Members, Fault> {
        let mut elements = Members::default();
        let mut pace = Pace::new(&self.interp.engine);
        for value in values {
            pace.step(3 * size_of::<Value>())?;
            let key = self.key_among(&elements, &value)?;
            elements.insert(key);
        }
        Ok(elements)
    }

    /// The items of anything that can be iterated, as a set; of a set what it holds, whatever its class says.
    ///
    /// # Errors
    /// TypeError for what can't be iterated, or holds what can change; Ctrl-C.
    pub fn elements_of(&self, value: &Value) -> Result<Members, Fault> {
        match value.plain() {
            set @ (Value::Set(_) | Value::FrozenSet(_)) => self.gathered(set),
            _ => self.gathered(value),
        }
    }

    /// As [`Evaluator::elements_of`], where the class of a set is asked, too.
    ///
    /// # Errors
    /// As there.
    pub fn gathered(&self, value: &Value) -> Result<Members, Fault> {
        let engine = &self.interp.engine;
        let mut elements = Members::default();
        match value {
            Value::Set(set) => return copied_members(engine, &set.borrow()),
            Value::FrozenSet(set) => return copied_members(engine, set),
            // No two of them are equal, so the room for all can be asked for at once.
            Value::Range(range) => {
                things(engine, range.len(), 3 * size_of::<Value>())?;
                elements.reserve(range.len());
            }
            _ => {}
        }
        let mut pace = Pace::new(engine);
        self.each(value, |item| {
            pace.step(3 * size_of::<Value>())?;
            let key = self.key_among(&elements, &item)?;
            elements.insert(key);
            Ok(true)
        })?;
        Ok(elements)
    }

    /// Calls `look` with the items of two iterables, as sets: sets are not copied.
    ///
    /// # Errors
    /// As [`Evaluator::elements_of`], and those of `look`.
    pub fn with_both<R>(
        &self,
        a: &Value,
        b: &Value,
        look: impl FnOnce(&Engine, &Members, &Members) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        // What the program's own iterators do comes before anybody looks into a set.
        let (a_made, b_made) = (self.made_elements(a)?, self.made_elements(b)?);
        let (a, b) = (Held::of(a, &a_made), Held::of(b, &b_made));
        let engine = &self.interp.engine;
        if !a.members().speaks() && !b.members().speaks() {
            return look(engine, a.members(), b.members());
        }
        // Comparing may run the program, which may change the sets.
        let [first, second] = [&a, &b].map(|held| held.members().clone());
        drop((a, b));
        let aligned = self.aligned_members(&first, &second)?;
        look(engine, &first, aligned.as_ref().unwrap_or(&second))
    }

    /// `set |= other`, `-=` or `^=`, whatever `other` is: the more it holds, the longer it takes, however large the set
    /// is. `is_last` says that nothing can fail afterwards.
    ///
    /// # Errors
    /// As [`Evaluator::elements_of`].
    pub fn update_set(
        &self,
        set: &Rc<Shared<Members>>,
        op: BinaryOp,
        other: &Value,
        is_last: bool,
    ) -> Result<(), Fault> {
        let look = |engine: &Engine, a: &Members, b: &Members| changes(engine, op, a, b);
        let (gone, come) = self.with_both(&Value::Set(set.clone()), other, look)?;
        for key in gone {
            discard(&mut *self.step(set, is_last, |elements| elements.step_out(&key))?, &key);
        }
        if !come.is_empty() {
            let before = |elements: &Members| MemberStep::Len(elements.len());
            self.step(set, is_last, before)?.extend(come);
        }
        Ok(())
    }

    /// The items of what is no set itself.
    fn made_elements(&self, value: &Value) -> Result<Members, Fault> {
        match value {
            Value::Set(_) | Value::FrozenSet(_) => Ok(Members::default()),
            _ => self.elements_of(value),
        }
    }

    /// An element to look for: a set stands for the frozenset of its elements.
    ///
    /// # Errors
    /// TypeError for a value that can change.
    pub fn element_key(&self, value: &Value) -> Result<Key, Error> {
        match value.plain() {
            Value::Set(set)
                if matches!(self.special(value, "__hash__"), None | Some(Value::None)) =>
            {
                index::hashable(&Value::FrozenSet(Rc::new(set.borrow().clone())))
            }
            _ => Ok(self.key(value)?),
        }
    }

    /// `a | b` and its kin, where one of the two is a set or a view of keys or items; `None` where
    /// Python has no such operation.
    ///
    /// # Errors
    /// As [`Evaluator::elements_of`].
    pub(in crate::interp) fn set_binary(
        &self,
        op: BinaryOp,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Value>, Error> {
        let is_operator =
            matches!(op, BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::Sub | BinaryOp::BitXor);
        let is_set = |value: &Value| matches!(value, Value::Set(_) | Value::FrozenSet(_));
        let is_view =
            |value: &Value| matches!(value, Value::View(view) if view.shown != Shown::Values);
        let is_known = is_view(lhs) || is_view(rhs) || is_set(lhs) && is_set(rhs);
        if !is_operator || !is_known {
            return Ok(None);
        }
        let few =
            if op == BinaryOp::BitAnd { common(&self.interp.engine, lhs, rhs)? } else { None };
        let result = match few {
            Some(few) => few,
            None => self.with_both(lhs, rhs, |engine, a, b| combined(engine, op, a, b))?,
        };
        Ok(Some(match lhs {
            Value::FrozenSet(_) if is_set(rhs) => Value::FrozenSet(Rc::new(result)),
            _ => Value::set(result),
        }))
    }

    /// What `compare` says of two sets, or views of keys or items; `None` where one of the two is
    /// neither.
    pub(in crate::interp) fn compared_sets<R>(
        &self,
        a: &Value,
        b: &Value,
        compare: impl FnOnce(&Engine, &Members, &Members) -> Result<R, Fault>,
    ) -> Result<Option<R>, Error> {
        let is_set = |value: &Value| match value {
            Value::View(view) => view.shown != Shown::Values,
            value => matches!(value, Value::Set(_) | Value::FrozenSet(_)),
        };
        if !is_set(a) || !is_set(b) {
            return Ok(None);
        }
        let compared = self.with_both(a, b, compare)?;
        Ok(Some(compared))
    }

    /// Whether two sets hold the same; `None` where one of the two is no set.
    pub(in crate::interp) fn equal_sets(
        &self,
        a: &Value,
        b: &Value,
    ) -> Result<Option<bool>, Error> {
        match (a, b) {
            (Value::View(a), _) if a.shown == Shown::Items => self.equal_items_view(a, b),
            (_, Value::View(b)) if b.shown == Shown::Items => self.equal_items_view(b, a),
            _ => self.compared_sets(a, b, |engine, a, b| {
                Ok(a.len() == b.len() && is_subset(engine, a, b)?)
            }),
        }
    }

    /// Values in a view of items need not be hashable, so each pair is looked for.
    fn equal_items_view(&self, view: &Rc<View>, other: &Value) -> Result<Option<bool>, Error> {
        let is_set = matches!(other, Value::Set(_) | Value::FrozenSet(_))
            || matches!(other, Value::View(other) if other.shown != Shown::Values);
        if !is_set {
            return Ok(None);
        }
        let others = self.first_items(other, usize::MAX)?;
        if others.len() != view.dict.borrow().len() {
            return Ok(Some(false));
        }
        for pair in &others {
            if !self.view_contains(view, pair)? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }
}
