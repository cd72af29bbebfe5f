//! Objects of classes, and what stands in a class and acts when it is looked up.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use indexmap::Equivalent;

use super::class::{Class, ClassRef};
use super::ends::{Ending, Watch};
use super::exception::Exception;
use crate::interp::entries::NameBit;
use crate::interp::hash;
use crate::interp::letting_go::let_go;
use crate::interp::shared::{Contents, Shared};
use crate::interp::undo::Journal;
use crate::interp::value::{Dict, Entries, Key, Type, Value};

/// An object of a class of the program, an exception, or a bare `object()`.
pub struct Instance {
    pub class: ClassRef,
    /// `__dict__`, which exceptions have only where somebody asks for it.
    fields: OnceCell<Dict>,
    pub inner: Inner,
    /// What its `__hash__` gave last.
    hash: Cell<Option<i64>>,
    /// Where its class has a `__del__` that has not run.
    watch: Cell<Option<Watch>>,
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some(watch) = self.watch.take() {
            let inner = std::mem::replace(&mut self.inner, Inner::None);
            let mut again = Instance::new(self.class.clone(), inner);
            (again.fields, again.hash) = (self.fields.clone(), self.hash.clone());
            watch.note(|| Ending::Object(Rc::new(again)));
        }
    }
}

/// What a built-in base keeps in an object.
#[derive(Debug)]
pub enum Inner {
    None,
    Exception(Rc<Shared<Exception>>),
    /// The list, dictionary, number … that the object is as well.
    Value(Value),
}

/// A callable that already has its first argument.
#[derive(Debug)]
pub struct Bound {
    pub receiver: Value,
    pub callable: Value,
}

impl Drop for Bound {
    fn drop(&mut self) {
        let receiver = std::mem::replace(&mut self.receiver, Value::None);
        let_go((receiver, std::mem::replace(&mut self.callable, Value::None)));
    }
}

/// What a class holds and what acts when it is looked up, and `super()`.
pub enum Descriptor {
    Property {
        get: Value,
        set: Value,
        delete: Value,
        doc: Value,
    },
    StaticMethod(Value),
    ClassMethod(Value),
    /// Names are looked up behind `class` in the line of the object's, and bound to the object.
    Super {
        class: Rc<Class>,
        object: Value,
    },
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        let take = |held: &mut Value| std::mem::replace(held, Value::None);
        match self {
            Descriptor::Property { get, set, delete, doc } => {
                let_go([get, set, delete, doc].map(take));
            }
            Descriptor::StaticMethod(held)
            | Descriptor::ClassMethod(held)
            | Descriptor::Super { object: held, .. } => let_go(take(held)),
        }
    }
}

/// A text as a key of a dictionary, without making a value of it.
#[derive(Debug)]
pub struct Name<'a>(pub &'a str);

impl Instance {
    pub fn new(class: ClassRef, inner: Inner) -> Instance {
        let fields = OnceCell::new();
        Instance { class, fields, inner, hash: Cell::new(None), watch: Cell::new(None) }
    }

    /// `__dict__`
    #[inline]
    pub fn fields(&self) -> &Dict {
        self.fields.get_or_init(|| Rc::new(Shared::from(Entries::default())))
    }

    /// The same, if it has ever been asked for.
    #[inline(always)]
    pub fn known_fields(&self) -> Option<&Dict> {
        self.fields.get()
    }

    /// Whether a dictionary is what has its fields.
    pub fn has_fields(&self, dict: &Dict) -> bool {
        self.fields.get().is_some_and(|fields| Rc::ptr_eq(fields, dict))
    }

    /// The fields of an object that nobody else has seen.
    pub fn set_fields(&mut self, fields: Dict) {
        self.fields = fields.into();
    }

    /// Says whether its end matters.
    pub fn watch(&self, watch: Option<Watch>) {
        self.watch.set(watch);
    }

    pub fn is_watched(&self) -> bool {
        let watch = self.watch.take();
        let is_watched = watch.is_some();
        self.watch.set(watch);
        is_watched
    }

    /// As [`Instance::new`], made in the transaction that `journal` is open for.
    pub fn made_in(journal: &Journal, class: ClassRef, inner: Inner) -> Instance {
        let fields = OnceCell::from(Rc::new(Shared::made_in(journal, Entries::default())));
        Instance { class, fields, inner, hash: Cell::new(None), watch: Cell::default() }
    }

    /// A field's value.
    pub fn field(&self, name: &str) -> Option<Value> {
        self.fields.get()?.borrow().get(&Name(name)).cloned()
    }

    /// Whether it has such a field.
    #[inline]
    pub fn has_field(&self, name: &str, bit: NameBit) -> bool {
        let has_it = |fields: &Entries| fields.may_have(bit) && fields.contains_key(&Name(name));
        self.fields.get().is_some_and(|fields| has_it(&fields.borrow()))
    }

    /// An object of the same class that extends another value.
    pub fn with_inner(&self, value: Value) -> Value {
        Value::Object(Rc::new(Instance::new(self.class.clone(), Inner::Value(value))))
    }

    pub fn exception(&self) -> Option<&Rc<Shared<Exception>>> {
        match &self.inner {
            Inner::Exception(exception) => Some(exception),
            _ => None,
        }
    }

    /// The value of the built-in type that its class extends.
    pub fn plain(&self) -> Option<&Value> {
        match &self.inner {
            Inner::Value(value) => Some(value),
            _ => None,
        }
    }

    /// What its `__hash__` gave last.
    pub fn hash(&self) -> Option<i64> {
        self.hash.get()
    }

    /// What tables go by from now on.
    pub fn set_hash(&self, hash: i64) {
        self.hash.set(Some(hash));
    }

    /// The hash of an object that is equal to itself only.
    pub fn hash_of_place(&self) -> i64 {
        (std::ptr::from_ref(self) as usize >> 4) as i64
    }

    /// Shows the values that it holds.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        if let Some(fields) = self.fields.get() {
            look(&Value::Dict(fields.clone()));
        }
        match &self.inner {
            Inner::Value(value) => look(value),
            Inner::Exception(exception) => {
                if let Some(exception) = exception.try_borrow() {
                    exception.visit(look);
                }
            }
            Inner::None => {}
        }
    }
}

impl Descriptor {
    pub fn type_of(&self) -> Type {
        match self {
            Descriptor::Property { .. } => Type::Property,
            Descriptor::StaticMethod(_) => Type::StaticMethod,
            Descriptor::ClassMethod(_) => Type::ClassMethod,
            Descriptor::Super { .. } => Type::Super,
        }
    }

    /// What a call of it calls: a static method is a function as well.
    pub fn callable(&self) -> Option<&Value> {
        match self {
            Descriptor::StaticMethod(function) => Some(function),
            _ => None,
        }
    }

    /// What `property.fget` and its kin are.
    pub fn part(&self, name: &str) -> Option<Value> {
        Some(match (self, name) {
            (Descriptor::Property { get, .. }, "fget") => get.clone(),
            (Descriptor::Property { set, .. }, "fset") => set.clone(),
            (Descriptor::Property { delete, .. }, "fdel") => delete.clone(),
            (Descriptor::Property { doc, .. }, "__doc__") => doc.clone(),
            (
                Descriptor::StaticMethod(function) | Descriptor::ClassMethod(function),
                "__func__" | "__wrapped__",
            ) => function.clone(),
            _ => return None,
        })
    }

    /// Shows the values that it holds.
    pub fn visit(&self, look: &mut dyn FnMut(&Value)) {
        match self {
            Descriptor::Property { get, set, delete, doc } => {
                [get, set, delete, doc].into_iter().for_each(look)
            }
            Descriptor::StaticMethod(value) | Descriptor::ClassMethod(value) => look(value),
            Descriptor::Super { object, .. } => look(object),
        }
    }
}

impl Hash for Name<'_> {
    /// As a key's hash.
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash::of_text(self.0).hash(state);
    }
}

impl Equivalent<Key> for Name<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        matches!(key.value(), Value::Str(text) if **text == *self.0)
    }
}

/// Whether the built-in type that an object extends says what is in it.
pub(super) fn extends_container(value: &Value) -> bool {
    match value.plain() {
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Str(_) => true,
        Value::Set(_) | Value::FrozenSet(_) => true,
        Value::Opaque(opaque) => opaque.part().is_container(),
        _ => false,
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} object>", self.class.name())
    }
}

impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} object>", self.type_of().name())
    }
}
