//! What `keys()`, `values()` and `items()` give: views, which show a dictionary as it is.

use std::rc::Rc;

use crate::interp::Evaluator;
use crate::interp::value::{Dict, Entries, Key, Value};
use crate::tensor::Error;

/// A view of a dictionary.
#[derive(Debug)]
pub struct View {
    pub dict: Dict,
    pub shown: Shown,
}

/// What a view shows of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shown {
    Keys,
    Values,
    Items,
}

impl Shown {
    /// The name of the view's type.
    pub fn name(self) -> &'static str {
        match self {
            Shown::Keys => "dict_keys",
            Shown::Values => "dict_values",
            Shown::Items => "dict_items",
        }
    }

    /// The name of its iterator's type.
    pub fn iterator(self, is_backwards: bool) -> &'static str {
        match (self, is_backwards) {
            (Shown::Keys, false) => "dict_keyiterator",
            (Shown::Values, false) => "dict_valueiterator",
            (Shown::Items, false) => "dict_itemiterator",
            (Shown::Keys, true) => "dict_reversekeyiterator",
            (Shown::Values, true) => "dict_reversevalueiterator",
            (Shown::Items, true) => "dict_reverseitemiterator",
        }
    }

    /// What it shows of an entry.
    fn of(self, (key, value): (&Key, &Value)) -> Value {
        match self {
            Shown::Keys => key.value().clone(),
            Shown::Values => value.clone(),
            Shown::Items => Value::tuple([key.value().clone(), value.clone()]),
        }
    }

    /// What it shows of the first entry from a place on, or of the last one before it; the place moves on.
    pub fn step(self, dict: &Dict, place: &mut usize, is_backwards: bool) -> Option<Value> {
        entry(&dict.borrow(), place, is_backwards).map(|entry| self.of(entry))
    }
}

/// The first entry from a place on, or the last one before it; the place moves on.
#[inline]
pub(super) fn entry<'e>(
    entries: &'e Entries,
    place: &mut usize,
    is_backwards: bool,
) -> Option<(&'e Key, &'e Value)> {
    let (at, key, value) = match is_backwards {
        true => entries.last_before(*place)?,
        false => entries.first_from(*place)?,
    };
    *place = if is_backwards { at } else { at + 1 };
    Some((key, value))
}

impl View {
    pub fn value(dict: &Dict, shown: Shown) -> Value {
        Value::View(Rc::new(View { dict: dict.clone(), shown }))
    }

    pub fn len(&self) -> usize {
        self.dict.borrow().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it shows at present.
    pub fn items(&self) -> Vec<Value> {
        self.dict.borrow().iter().map(|entry| self.shown.of(entry)).collect()
    }
}

impl Evaluator<'_> {
    /// `value in view`.
    pub(in crate::interp) fn view_contains(
        &self,
        view: &View,
        value: &Value,
    ) -> Result<bool, Error> {
        match (view.shown, value) {
            (Shown::Keys, _) => {
                let key = self.key_in(&view.dict, value)?;
                Ok(view.dict.borrow().contains_key(&key))
            }
            (Shown::Values, _) => self.any_equal(&view.items(), value),
            (Shown::Items, Value::Tuple(pair)) if pair.len() == 2 => {
                let key = self.key_in(&view.dict, &pair[0])?;
                let found = view.dict.borrow().get(&key).cloned();
                found.map_or(Ok(false), |found| self.same_or_equal(&found, &pair[1]))
            }
            (Shown::Items, _) => Ok(false),
        }
    }
}
