//! Texts and tuples, shared by pointers of one word, so that a [`Value`] takes 16 bytes.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
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
pub type Items = SmallVec<[Value; IN_PLACE]>;

const IN_PLACE: usize = 3;

/// Shorter texts are looked through where somebody asks for a character by its position, bytes; so are longer ones.
const MARKED: Range<usize> = 256..64 << 20;
/// Characters from one mark to the next.
const STRIDE: usize = 64;

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
    /// Of others, where some characters begin, once somebody has asked for one.
    marks: OnceCell<Box<Marks>>,
}

/// Where characters of several bytes begin: so that one of them, or where a part is, takes as long in a long text as in
/// a short one.
struct Marks {
    /// The byte at which every [`STRIDE`]th begins.
    bytes: Vec<u32>,
    count: usize,
}

impl Marks {
    fn of(text: &str) -> Marks {
        let (mut bytes, mut count) = (Vec::with_capacity(text.len() / STRIDE), 0);
        for (byte, _) in text.char_indices() {
            if count % STRIDE == 0 {
                bytes.push(byte as u32);
            }
            count += 1;
        }
        Marks { bytes, count }
    }
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
            // As in CPython the last item goes first.
            items.reverse();
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
        let Some(Text { text, is_ascii, marks }) = Rc::get_mut(&mut self.0) else {
            return Ok(false);
        };
        marks.take();
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
        if self.is_all_ascii() {
            return self.len();
        }
        self.marks().map_or_else(|| self.chars().count(), |marks| marks.count)
    }

    /// The character at a position.
    #[inline]
    pub fn nth(&self, at: usize) -> Option<char> {
        match self.is_all_ascii() {
            true => self.as_bytes().get(at).map(|byte| char::from(*byte)),
            false => self[self.byte_of(at)..].chars().next(),
        }
    }

    /// The byte at which the character at a position begins; behind the last one that at which the text ends.
    pub fn byte_of(&self, at: usize) -> usize {
        if self.is_all_ascii() {
            return at.min(self.len());
        }
        let (mark, ahead) = match self.marks() {
            Some(marks) => match marks.bytes.get(at / STRIDE) {
                Some(mark) => (*mark as usize, at % STRIDE),
                None => return self.len(),
            },
            None => (0, at),
        };
        self[mark..].char_indices().nth(ahead).map_or(self.len(), |(byte, _)| mark + byte)
    }

    /// How many characters stand before a byte at which one begins.
    pub fn position_of(&self, byte: usize) -> usize {
        if self.is_all_ascii() {
            return byte;
        }
        let Some(marks) = self.marks() else { return self[..byte].chars().count() };
        let before = marks.bytes.partition_point(|mark| *mark as usize <= byte).max(1) - 1;
        let mark = marks.bytes.get(before).map_or(0, |mark| *mark as usize);
        before * STRIDE + self[mark..byte].chars().count()
    }

    fn marks(&self) -> Option<&Marks> {
        let Text { text, marks, .. } = &*self.0;
        MARKED.contains(&text.len()).then(|| &**marks.get_or_init(|| Box::new(Marks::of(text))))
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
        Thin(Rc::new(Text { text, is_ascii: Cell::new(None), marks: OnceCell::new() }))
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

impl From<Items> for Tuple {
    fn from(mut items: Items) -> Tuple {
        items.shrink_to_fit();
        Thin(Rc::new(items))
    }
}

impl FromIterator<Value> for Tuple {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        items.into_iter().collect::<Items>().into()
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
