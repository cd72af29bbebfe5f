//! What `keys()`, `values()` and `items()` give: views, which show a dictionary as it is.

use std::rc::Rc;

use crate::diag::ErrorKind;
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
    pub(in crate::interp) fn of(self, (key, value): (&Key, &Value)) -> Value {
        match self {
            Shown::Keys => key.value().clone(),
            Shown::Values => value.clone(),
            Shown::Items => Value::tuple([key.value().clone(), value.clone()]),
        }
    }
}

/// A way through the entries of a dictionary, whose keys must stay meanwhile.
#[derive(Debug, Clone, Copy)]
pub(in crate::interp) struct Walk {
    /// The next place, or the last one backwards.
    at: usize,
    /// Of the last key, where other entries move up when that is taken out; else nothing.
    mark: u32,
    len: usize,
    /// How many of the entries that were there at the beginning are still to come.
    left: usize,
    is_backwards: bool,
}

/// Half of a number.
const HALF: u32 = 32;
const LOWER: u64 = (1 << HALF) - 1;

impl Walk {
    pub fn new(entries: &Entries, is_backwards: bool) -> Walk {
        let at = if is_backwards { usize::MAX } else { 0 };
        let len = entries.len();
        Walk { at, mark: 0, len, left: len, is_backwards }
    }

    /// A way forward as two numbers: the place with the mark above it, and what is left with the length above it. No memory
    /// holds as many entries as half a number counts.
    #[inline]
    pub fn packed(self) -> [i64; 2] {
        let marked = u64::from(self.mark) << HALF | self.at as u64;
        [marked, (self.len as u64) << HALF | self.left as u64].map(|number| number as i64)
    }

    #[inline]
    pub fn unpacked(numbers: [i64; 2]) -> Walk {
        let [marked, counts] = numbers.map(|number| number as u64);
        let [at, left] = [marked, counts].map(|number| (number & LOWER) as usize);
        let (mark, len) = ((marked >> HALF) as u32, (counts >> HALF) as usize);
        Walk { at, mark, len, left, is_backwards: false }
    }

    /// How many entries are to come.
    pub fn left(&self, entries: &Entries) -> usize {
        if entries.len() == self.len { self.left } else { 0 }
    }

    /// Whether the next step can't fail.
    pub fn is_plain(&self, entries: &Entries) -> bool {
        entries.len() == self.len && self.left > 0 && !self.has_moved(entries)
    }

    /// The next entry. An error moves nothing.
    ///
    /// # Errors
    /// RuntimeError: the keys are others.
    #[inline]
    pub fn step<'e>(
        &mut self,
        entries: &'e Entries,
    ) -> Result<Option<(&'e Key, &'e Value)>, Error> {
        if entries.len() != self.len {
            return Err(changed("changed size"));
        }
        if self.has_moved(entries) {
            return Err(changed("keys changed"));
        }
        let found = match self.is_backwards {
            true => entries.last_before(self.at),
            false => entries.first_from(self.at),
        };
        let Some((at, key, value)) = found else { return Ok(None) };
        // As many as before, but others.
        let Some(left) = self.left.checked_sub(1) else { return Err(changed("keys changed")) };
        self.left = left;
        self.at = if self.is_backwards { at } else { at + 1 };
        self.mark = if entries.key_that_moves(at).is_some() { mark_of(key) } else { 0 };
        Ok(Some((key, value)))
    }

    /// Whether an entry was taken out, so that others stand where they did not.
    #[inline]
    fn has_moved(&self, entries: &Entries) -> bool {
        let at = if self.is_backwards { self.at } else { self.at.wrapping_sub(1) };
        let is_other = |key: &Key| mark_of(key) != self.mark;
        self.mark != 0 && entries.key_that_moves(at).is_some_and(is_other)
    }
}

/// What tells a key from another one, and is not zero.
#[inline]
fn mark_of(key: &Key) -> u32 {
    let mark = match key.value() {
        Value::Int(number) => *number as u32,
        Value::Str(text) => (text.as_ptr().addr() >> 3) as u32,
        other => other.identity().map_or(0, |(place, _)| (place.addr() >> 3) as u32),
    };
    (mark & (u32::MAX >> 2)) << 1 | 1
}

/// The error of a dictionary that was changed while something went through it.
#[cold]
fn changed(what: &str) -> Error {
    Error::new(ErrorKind::Runtime, format!("dictionary {what} during iteration"))
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
