//! Sets: of values that are equal each one holds the first. They keep the order in which their
//! elements came.

use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::view::{Shown, View};
use crate::diag::Fault;
use crate::interp::room::Pace;
use crate::interp::shared::Shared;
use crate::interp::value::{Key, Value};
use crate::interp::{Evaluator, index};
use crate::syntax::ast::BinaryOp;
use crate::tensor::Error;

/// What a set holds, in the order in which it came.
pub type Members = IndexSet<Key, FxBuildHasher>;
/// A set that several names may share.
pub type Set = Rc<Shared<Members>>;

/// From this size on, taking an element out moves the last one into its place.
const ORDERED: usize = 1 << 12;

/// Takes an element out; whether it was there.
pub fn discard(elements: &mut Members, key: &Key) -> bool {
    if elements.len() < ORDERED { elements.shift_remove(key) } else { elements.swap_remove(key) }
}

/// Takes some element out: the first, of a large set the last.
pub fn pop(elements: &mut Members) -> Option<Key> {
    if elements.len() < ORDERED { elements.shift_remove_index(0) } else { elements.pop() }
}

/// Whether every element of `a` is in `b`.
pub fn is_subset(a: &Members, b: &Members) -> bool {
    a.len() <= b.len() && a.iter().all(|key| b.contains(key))
}

/// Whether an element is in both.
pub fn share(a: &Members, b: &Members) -> bool {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    small.iter().any(|key| large.contains(key))
}

/// How `a` stands to `b`: less where it is a part of it; none where each has what the other lacks.
pub fn order(a: &Members, b: &Members) -> Option<Ordering> {
    match a.len().cmp(&b.len()) {
        order @ (Ordering::Less | Ordering::Equal) => is_subset(a, b).then_some(order),
        Ordering::Greater => is_subset(b, a).then_some(Ordering::Greater),
    }
}

/// What `op` makes of two sets: `|`, `&`, `-` or `^`.
pub fn combined(op: BinaryOp, mut a: Members, b: Members) -> Members {
    match op {
        BinaryOp::BitOr => a.extend(b),
        BinaryOp::BitAnd => a.retain(|key| b.contains(key)),
        BinaryOp::Sub => a.retain(|key| !b.contains(key)),
        _ => {
            let only_b: Vec<Key> = b.iter().filter(|key| !a.contains(*key)).cloned().collect();
            a.retain(|key| !b.contains(key));
            a.extend(only_b);
        }
    }
    a
}

impl Value {
    pub fn set(elements: Members) -> Value {
        Value::Set(Rc::new(elements.into()))
    }

    /// A copy of what a set or a frozenset holds.
    pub fn elements(&self) -> Option<Members> {
        match self {
            Value::Set(set) => Some(set.borrow().clone()),
            Value::FrozenSet(set) => Some((**set).clone()),
            _ => None,
        }
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

    /// The items of anything that can be iterated, as a set.
    ///
    /// # Errors
    /// TypeError for what can't be iterated, or holds what can change; Ctrl-C.
    pub fn elements_of(&self, value: &Value) -> Result<Members, Fault> {
        if let Some(elements) = value.elements() {
            return Ok(elements);
        }
        let mut elements = Members::default();
        let mut pace = Pace::new(&self.interp.engine);
        self.each(value, |item| {
            pace.step(3 * size_of::<Value>())?;
            let key = self.key_among(&elements, &item)?;
            elements.insert(key);
            Ok(true)
        })?;
        Ok(elements)
    }

    /// An element to look for: a set stands for the frozenset of its elements.
    ///
    /// # Errors
    /// TypeError for a value that can change.
    pub fn element_key(&self, value: &Value) -> Result<Key, Error> {
        match value {
            Value::Set(set) => index::hashable(&Value::FrozenSet(Rc::new(set.borrow().clone()))),
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
        let result = combined(op, self.elements_of(lhs)?, self.elements_of(rhs)?);
        Ok(Some(match lhs {
            Value::FrozenSet(_) if is_set(rhs) => Value::FrozenSet(Rc::new(result)),
            _ => Value::set(result),
        }))
    }

    /// The elements of a set, or of a view of keys or items, to be compared with another's.
    pub(in crate::interp) fn compared_elements(
        &self,
        value: &Value,
    ) -> Option<Result<Members, Error>> {
        match value {
            Value::View(view) if view.shown != Shown::Values => {
                Some(self.elements_of(value).map_err(Error::from))
            }
            _ => value.elements().map(Ok),
        }
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
            _ => match (self.compared_elements(a), self.compared_elements(b)) {
                (Some(a), Some(b)) => {
                    let (a, b) = (a?, b?);
                    Ok(Some(a.len() == b.len() && is_subset(&a, &b)))
                }
                _ => Ok(None),
            },
        }
    }

    /// Values in a view of items need not be hashable, so each pair is looked for.
    fn equal_items_view(&self, view: &Rc<View>, other: &Value) -> Result<Option<bool>, Error> {
        let is_set = matches!(other, Value::Set(_) | Value::FrozenSet(_))
            || matches!(other, Value::View(other) if other.shown != Shown::Values);
        if !is_set {
            return Ok(None);
        }
        let others = self.iterate(other)?;
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
