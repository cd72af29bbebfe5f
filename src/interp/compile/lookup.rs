//! What stood behind a dot when its place was met last, so that the next time need not look.

use std::cell::{Cell, Ref, RefCell};
use std::fmt;
use std::mem::{Discriminant, discriminant};
use std::rc::{Rc, Weak};

use crate::interp::builtins::{Builtin, Function};
use crate::interp::entries::NameBit;
use crate::interp::object::class::Class;
use crate::interp::object::function::Closure;
use crate::interp::object::member::Member;
use crate::interp::value::{Module, Type, Value};

/// What one place knows.
#[derive(Debug, Default)]
pub struct Lookup {
    found: RefCell<Option<Found>>,
    there: Cell<Option<There>>,
    seen: Cell<Seen>,
}

impl Lookup {
    #[inline(always)]
    pub fn found(&self) -> Ref<'_, Option<Found>> {
        self.found.borrow()
    }

    /// Of what was found, the method that may answer at once.
    #[inline(always)]
    pub fn there(&self) -> Option<There> {
        self.there.get()
    }

    #[inline(always)]
    pub fn seen(&self) -> Seen {
        self.seen.get()
    }

    pub fn find(&self, found: Found) {
        self.seen.set(Seen::Nothing);
        self.found.replace(Some(found));
    }

    pub fn find_there(&self, there: Option<There>) {
        self.there.set(there);
    }

    /// What it saw of the class that it has found.
    pub fn see(&self, seen: Seen) {
        self.seen.set(seen);
    }
}

/// What a place saw of the last object, in a form that nobody borrows or lets go of. Its class is the one
/// that was found, which keeps the address from being another's.
#[derive(Debug, Clone, Copy, Default)]
pub enum Seen {
    #[default]
    Nothing,
    /// A field of this name, and where it stood among the fields.
    Field { class: *const Class, changes: u64, name: *const (), at: usize },
    /// This function, where no field has a name with this bit.
    Method { class: *const Class, changes: u64, function: *const Closure, bit: NameBit },
}

/// What was found under a name behind a dot.
#[derive(Debug)]
pub enum Found {
    /// A method of a built-in type.
    Method(Type, Rc<Function>),
    /// A built-in function of a module.
    OfModule(Module, Rc<Function>),
    /// What a class of the program has to say, while classes are as they were at `changes`.
    Member { class: Weak<Class>, changes: u64, member: Member },
}

/// A method that loops call most often, which has a way of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// `list.append`, of loops that build something.
    Append,
    /// `dict.get`, of loops that count.
    Get,
}

/// A method of a built-in type that may answer at once.
#[derive(Clone, Copy)]
pub struct There {
    kind: Discriminant<Value>,
    of: Type,
    /// Whether all values of the kind are of that type.
    is_kind: bool,
    /// The way of its own that it has.
    pub leaf: Option<Leaf>,
    pub builtin: &'static Builtin,
}

impl There {
    /// That of a receiver, where it is one.
    pub fn of(receiver: &Value, builtin: &'static Builtin) -> Option<There> {
        let is_kind = matches!(
            receiver,
            Value::Str(_) | Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Tuple(_)
        );
        let is_one = builtin.quick.is_some() || builtin.quick_change.is_some();
        let is_one = is_one && !matches!(receiver, Value::Object(_));
        let (kind, of) = (discriminant(receiver), receiver.type_of());
        let leaf = match (receiver, builtin.name) {
            (Value::List(_), "append") => Some(Leaf::Append),
            (Value::Dict(_), "get") => Some(Leaf::Get),
            _ => None,
        };
        is_one.then_some(There { kind, of, is_kind, leaf, builtin })
    }

    /// Whether it is a method of this value, too.
    #[inline(always)]
    pub fn is_of(&self, value: &Value) -> bool {
        discriminant(value) == self.kind && (self.is_kind || has_type(value, self.of))
    }
}

/// A function of its own, to which nothing is lent: what is known of a place need not be in memory twice.
#[inline(never)]
fn has_type(value: &Value, of: Type) -> bool {
    match value {
        Value::Opaque(opaque) => opaque.of == of,
        other => other.type_of() == of,
    }
}

impl fmt::Debug for There {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<method {} of {}>", self.builtin.name, self.of.name())
    }
}
