//! What a class has to say about a name behind the dot of its objects, found once until any class
//! changes.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use super::class::Class;
use super::function::Closure;
use super::instance::{Descriptor, Instance, Name};
use crate::interp::Evaluator;
use crate::interp::builtins::item_of;
use crate::interp::entries::NameBit;
use crate::interp::shared::EntryStep;
use crate::interp::undo::Journal;
use crate::interp::value::{Entries, Str, Type, Value};

/// What a class has to say about a name.
#[derive(Debug)]
pub enum Member {
    /// Nothing in it goes before the objects' fields.
    Field(Field),
    /// A function, which is a method of objects without such a field. The class keeps it.
    Method(Weak<Closure>, NameBit),
    /// A property, which this function gets.
    Property(Weak<Closure>),
    /// A name of an item: of a tuple that has such names.
    Item(usize),
    /// `__class__`
    Class,
}

/// A field of objects that are made in the same way.
#[derive(Debug)]
pub struct Field {
    name: Str,
    bit: NameBit,
    /// Where it stood last.
    at: Cell<usize>,
}

impl Field {
    pub fn new(name: Str) -> Field {
        Field { bit: NameBit::of(&name), name, at: Cell::new(0) }
    }

    /// The text of its name, and where it stood last.
    pub fn place_seen(&self) -> (*const (), usize) {
        (self.name.as_ptr(), self.at.get())
    }

    /// What stands there, if anything does.
    #[inline(always)]
    pub fn get<'e>(&self, fields: &'e Entries) -> Option<&'e Value> {
        if let Some((key, value)) = fields.get_index(self.at.get())
            && key.is_text(&self.name)
        {
            return Some(value);
        }
        self.look(fields)
    }

    #[cold]
    #[inline(never)]
    fn look<'e>(&self, fields: &'e Entries) -> Option<&'e Value> {
        let (at, _, value) = fields.get_full(&Name(&self.name))?;
        self.at.set(at);
        Some(value)
    }

    /// Where it stands, if it stands where it stood last.
    #[inline]
    pub fn place<'e>(&self, fields: &'e mut Entries) -> Option<&'e mut Value> {
        let (key, value) = fields.get_index_mut(self.at.get())?;
        key.is_text(&self.name).then_some(value)
    }

    /// What putting something there changes.
    pub fn step(&self, fields: &Entries) -> EntryStep {
        fields.step(&Name(&self.name))
    }

    /// Puts something there; gives back what stood there.
    pub fn set(&self, object: &Instance, journal: &Journal, value: Value) -> Option<Value> {
        let mut fields = object.fields().step_to_hold(journal, &value, |fields| self.step(fields));
        if let Some(known) = self.place(&mut fields) {
            return Some(std::mem::replace(known, value));
        }
        self.add(&mut fields, value)
    }

    /// Puts a value there, where it does not stand where it stood last; gives back what stood there.
    pub fn add(&self, fields: &mut Entries, value: Value) -> Option<Value> {
        let (at, before) = fields.insert_name(&self.name, self.bit, value);
        self.at.set(at);
        before
    }
}

impl Evaluator<'_> {
    /// What a class has to say where a name of its objects is read; `None` where only a lookup tells.
    pub(crate) fn member_to_read(&self, class: &Class, name: &str) -> Option<Member> {
        let changes = self.interp.class_changes.get();
        if class.find("__getattribute__", changes).is_some() {
            return None;
        }
        match class.find(name, changes) {
            None if name == "__class__" => Some(Member::Class),
            Some(Value::Closure(function)) => {
                Some(Member::Method(Rc::downgrade(&function), NameBit::of(name)))
            }
            Some(Value::Descriptor(descriptor)) => match &*descriptor {
                Descriptor::Property { get: Value::Closure(get), .. } => {
                    Some(Member::Property(Rc::downgrade(get)))
                }
                Descriptor::Property { get, .. } if class.native == Type::Tuple => {
                    item_of(get).map(Member::Item)
                }
                Descriptor::Property { .. } => None,
                _ => Some(Member::Field(Field::new(self.interp.field_name(name)))),
            },
            // It may be a descriptor of the program's.
            Some(Value::Object(_)) => None,
            _ => Some(Member::Field(Field::new(self.interp.field_name(name)))),
        }
    }

    /// The same where it is set: a field, where nothing in the class has a say in that.
    pub(crate) fn member_to_set(&self, class: &Class, name: &str) -> Option<Member> {
        match class.find("__setattr__", self.interp.class_changes.get()) {
            None => self.member_to_store(class, name),
            Some(_) => None,
        }
    }

    /// The same where `object.__setattr__` sets it.
    pub(crate) fn member_to_store(&self, class: &Class, name: &str) -> Option<Member> {
        let changes = self.interp.class_changes.get();
        let is_free = self.class_takes_fields(class, name)
            && name != "__class__"
            && !class.native.has_parts();
        match class.find(name, changes) {
            _ if !is_free => None,
            Some(Value::Descriptor(_) | Value::Object(_)) => None,
            _ => Some(Member::Field(Field::new(self.interp.field_name(name)))),
        }
    }
}
