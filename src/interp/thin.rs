//! Texts and tuples, shared by pointers of one word, so that a [`Value`] takes 16 bytes.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use super::Value;
use crate::syntax::ast::Ident;

/// A text that never changes.
pub type Str = Thin<str>;
/// A tuple's items.
pub type Tuple = Thin<[Value]>;

/// Something of any length that never changes, and that several values may share.
pub struct Thin<T: ?Sized>(Rc<Box<T>>);

impl<T: ?Sized> Thin<T> {
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

impl<T: ?Sized> Clone for Thin<T> {
    fn clone(&self) -> Self {
        Thin(self.0.clone())
    }
}

impl<T: ?Sized> Deref for Thin<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl Str {
    /// Adds to the text where nobody else has it; else nothing happens, and the answer is false.
    pub fn append(&mut self, more: &str) -> bool {
        let Some(text) = Rc::get_mut(&mut self.0) else { return false };
        let mut whole = std::mem::take(text).into_string();
        whole.reserve_exact(more.len());
        whole.push_str(more);
        *text = whole.into_boxed_str();
        true
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for Str {
    fn from(text: &T) -> Str {
        Thin(Rc::new(text.as_ref().into()))
    }
}

impl From<String> for Str {
    fn from(text: String) -> Str {
        Thin(Rc::new(text.into()))
    }
}

impl From<Vec<Value>> for Tuple {
    fn from(items: Vec<Value>) -> Tuple {
        Thin(Rc::new(items.into()))
    }
}

impl<const N: usize> From<[Value; N]> for Tuple {
    fn from(items: [Value; N]) -> Tuple {
        Thin(Rc::new(items.into()))
    }
}

impl FromIterator<Value> for Tuple {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Thin(Rc::new(items.into_iter().collect()))
    }
}

impl From<&Str> for Ident {
    fn from(text: &Str) -> Ident {
        Ident::from(&**text)
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Thin<T> {
    fn eq(&self, other: &Self) -> bool {
        Thin::ptr_eq(self, other) || **self == **other
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Thin<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Thin<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
