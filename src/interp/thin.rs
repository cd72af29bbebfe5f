//! Texts and tuples, shared by pointers of one word, so that a [`Value`] takes 16 bytes.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

use compact_str::CompactString;
use smallvec::SmallVec;

use super::Value;
use super::letting_go::let_go;
use crate::syntax::ast::Ident;

/// A text that never changes.
pub type Str = Thin<Text>;
/// A tuple's items.
pub type Tuple = Thin<Items>;
/// A few items lie in the same place as the count of those that share them.
type Items = SmallVec<[Value; IN_PLACE]>;

const IN_PLACE: usize = 3;

/// Something of any length that never changes, and that several values may share.
pub struct Thin<T: Held>(Rc<T>);

/// What can be shared so.
pub trait Held: Sized {
    /// Drops what it holds, where that may hold others in turn, one after the other.
    fn let_go(held: &mut Rc<Self>);
}

/// Characters, and what is known of them. A short text lies here as well.
pub struct Text {
    text: CompactString,
    /// Whether all are in ASCII, once somebody has asked.
    is_ascii: Cell<Option<bool>>,
}

impl Held for Text {
    #[inline]
    fn let_go(_: &mut Rc<Text>) {}
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Held for Items {
    #[inline]
    fn let_go(held: &mut Rc<Items>) {
        if let Some(items) = Rc::get_mut(held)
            && !items.iter().all(Value::holds_nothing)
        {
            let_go(std::mem::take(items));
        }
    }
}

impl<T: Held> Drop for Thin<T> {
    #[inline]
    fn drop(&mut self) {
        T::let_go(&mut self.0);
    }
}

impl<T: Held> Thin<T> {
    /// Whether both are one object.
    pub fn ptr_eq(a: &Self, b: &Self) -> bool {
        Rc::ptr_eq(&a.0, &b.0)
    }

    /// How many share it.
    pub fn holders(this: &Self) -> usize {
        Rc::strong_count(&this.0)
    }

    /// Where it lies, the same for all that share it.
    pub fn as_ptr(&self) -> *const () {
        Rc::as_ptr(&self.0).cast()
    }
}

impl std::borrow::Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self
    }
}

impl<T: Held> Clone for Thin<T> {
    fn clone(&self) -> Self {
        Thin(self.0.clone())
    }
}

impl<T: Held + Deref> Deref for Thin<T> {
    type Target = T::Target;

    fn deref(&self) -> &T::Target {
        &self.0
    }
}

impl Str {
    /// A text that is short as a rule: while it is, it takes no room beside its place.
    pub fn built(write: impl FnOnce(&mut CompactString)) -> Str {
        let mut text = CompactString::default();
        write(&mut text);
        text.into()
    }

    /// Adds to the text where nobody else has it; else nothing happens, and the answer is false.
    /// `room` is asked for bytes where it must grow, which it does by half, so that a text that is
    /// built from pieces is copied a few times only.
    ///
    /// # Errors
    /// Those of `room`.
    pub fn append<E>(
        &mut self,
        more: &str,
        room: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<bool, E> {
        let Some(Text { text, is_ascii }) = Rc::get_mut(&mut self.0) else { return Ok(false) };
        let len = text.len() + more.len();
        if len > text.capacity() {
            let wanted = len + text.len() / 2;
            room(wanted)?;
            text.reserve(wanted - text.len());
        }
        text.push_str(more);
        if is_ascii.get() == Some(true) {
            is_ascii.set(Some(more.is_ascii()));
        }
        Ok(true)
    }

    /// Whether all characters are in ASCII, where positions are those of bytes. It looks through the
    /// text once.
    #[inline]
    pub fn is_all_ascii(&self) -> bool {
        let known = &self.0.is_ascii;
        known.get().unwrap_or_else(|| {
            let is_ascii = self.0.text.is_ascii();
            known.set(Some(is_ascii));
            is_ascii
        })
    }

    /// How many characters it has.
    #[inline]
    pub fn count(&self) -> usize {
        if self.is_all_ascii() { self.len() } else { self.chars().count() }
    }

    /// The character at a position.
    #[inline]
    pub fn nth(&self, at: usize) -> Option<char> {
        match self.is_all_ascii() {
            true => self.as_bytes().get(at).map(|byte| char::from(*byte)),
            false => self.chars().nth(at),
        }
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for Str {
    fn from(text: &T) -> Str {
        CompactString::new(text).into()
    }
}

impl From<String> for Str {
    fn from(text: String) -> Str {
        CompactString::from(text).into()
    }
}

impl From<CompactString> for Str {
    fn from(text: CompactString) -> Str {
        Thin(Rc::new(Text { text, is_ascii: Cell::new(None) }))
    }
}

impl Tuple {
    /// Of what stands in registers, which nobody reads again.
    pub fn taking(registers: &mut [Value]) -> Tuple {
        let mut items = Items::with_capacity(registers.len());
        for register in registers {
            items.push(std::mem::replace(register, Value::None));
        }
        Thin(Rc::new(items))
    }
}

impl From<Vec<Value>> for Tuple {
    fn from(mut items: Vec<Value>) -> Tuple {
        if items.len() <= IN_PLACE {
            return items.into_iter().collect();
        }
        items.shrink_to_fit();
        Thin(Rc::new(items.into()))
    }
}

impl<const N: usize> From<[Value; N]> for Tuple {
    fn from(items: [Value; N]) -> Tuple {
        items.into_iter().collect()
    }
}

impl FromIterator<Value> for Tuple {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        let mut items: Items = items.into_iter().collect();
        items.shrink_to_fit();
        Thin(Rc::new(items))
    }
}

impl From<&Str> for Ident {
    fn from(text: &Str) -> Ident {
        Ident::from(&**text)
    }
}

impl<T: Held + PartialEq> PartialEq for Thin<T> {
    fn eq(&self, other: &Self) -> bool {
        Thin::ptr_eq(self, other) || self.0 == other.0
    }
}

impl<T: Held + Eq> Eq for Thin<T> {}

impl<T: Held + Hash> Hash for Thin<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T: Held + fmt::Debug> fmt::Debug for Thin<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Held + fmt::Display> fmt::Display for Thin<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
