//! `value.name`: what is read, set, deleted and called there.
//!
//! Each place in the code remembers what the class of the last object had to say about the name.

use std::rc::Rc;

use super::Machine;
use super::frame::{Frame, Then};
use super::op::Context;
use super::register::{copy, forget, put, put_copy};
use crate::diag::SourceResult;
use crate::interp::builtins::Function;
use crate::interp::compile::{Code, Found, Reg, Seen, There};
use crate::interp::object::class::Class;
use crate::interp::object::function::Closure;
use crate::interp::object::instance::{Bound, Descriptor, Instance};
use crate::interp::object::member::{Field, Member};
use crate::interp::value::{Method, Value};
use crate::interp::{Evaluator, eval};

impl Context<'_, '_> {
    /// Does something with what the class of an object has to say about a name; `find` says it where
    /// it is not known yet.
    #[inline]
    fn with_member<T>(
        &self,
        object: &Instance,
        name: u16,
        find: impl FnOnce(&Class, &str) -> Option<Member>,
        act: impl FnOnce(&Member) -> Option<T>,
    ) -> Option<T> {
        let class = object.class.program()?;
        let changes = self.evaluator.interp.class_changes.get();
        let lookup = &self.code.lookups[usize::from(name)];
        if let Some(member) = known_member(&lookup.found(), object, changes) {
            return act(member);
        }
        let member = find(class, &self.code.names[usize::from(name)].node)?;
        let result = act(&member);
        lookup.find(Found::Member { class: Rc::downgrade(class), changes, member });
        result
    }

    /// `to = object.name`. Gives the function back that gets a property, which the machine calls.
    pub fn attribute(
        &mut self,
        to: Reg,
        object: Reg,
        name: u16,
    ) -> SourceResult<Option<Rc<Closure>>> {
        let mut getter = None;
        if let Value::Object(held) = self.get(object) {
            let find = |class: &Class, name: &str| self.evaluator.member_to_read(class, name);
            let held = held.clone();
            let mut register = Value::None;
            let is_read = self.with_member(&held, name, find, |member| match member {
                Member::Field(field) => {
                    put_copy(&mut register, field.get(&held.fields().borrow())?);
                    Some(())
                }
                Member::Property(get) => {
                    getter = Some(get.upgrade().filter(|get| get.takes_plainly(1))?);
                    Some(())
                }
                Member::Item(at) => {
                    put_copy(&mut register, item(&held, *at)?);
                    Some(())
                }
                Member::Class => {
                    put(&mut register, held.class.value());
                    Some(())
                }
                Member::Method(..) => None,
            });
            if getter.is_some() {
                return Ok(getter);
            }
            if is_read.is_some() {
                forget(self.registers, self.code.first_temporary, object);
                put(&mut self.registers[usize::from(to)], register);
                return Ok(None);
            }
        }
        self.begin();
        let lookup = &self.code.lookups[usize::from(name)];
        let name = &self.code.names[usize::from(name)];
        let object = self.take(object);
        let result = self.evaluator.attribute(&object, &name.node);
        let result = self.evaluator.place(result, name.span)?;
        if let Value::Method(method) = &result
            && has_methods(&object)
            && method.receiver.is_same(&object)
        {
            lookup.find(Found::Method(object.type_of(), method.function.clone()));
        }
        self.set(to, result);
        Ok(None)
    }

    pub fn set_attribute(&mut self, object: Reg, from: Reg, name: u16) -> SourceResult<()> {
        self.begin();
        let (value, object) = (self.take(from), self.take(object));
        if let Value::Object(held) = &object {
            let find = |class: &Class, name: &str| self.evaluator.member_to_set(class, name);
            let journal = &self.evaluator.interp.journal;
            let mut value = Some(value);
            self.with_member(held, name, find, |member| match member {
                Member::Field(field) => value.take().map(|value| field.set(held, journal, value)),
                _ => None,
            });
            let Some(value) = value else { return Ok(()) };
            return self.store_attribute(&object, name, value);
        }
        self.store_attribute(&object, name, value)
    }

    fn store_attribute(&self, object: &Value, name: u16, value: Value) -> SourceResult<()> {
        let name = &self.code.names[usize::from(name)];
        let stored = self.evaluator.assign_attribute(object, &name.node, value);
        stored.map_err(|fault| eval::placed(fault, name.span))
    }

    pub fn delete_attribute(&mut self, object: Reg, name: u16) -> SourceResult<()> {
        self.begin();
        let name = &self.code.names[usize::from(name)];
        let object = self.take(object);
        let deleted = self.evaluator.delete_attribute(&object, &name.node);
        deleted.map_err(|fault| eval::placed(fault, name.span))
    }

    /// The function that a class has under a name, and whether it takes the class in the place of an object.
    fn function_in(&self, class: &Class, name: &str) -> Option<(Rc<Closure>, bool)> {
        match class.find(name, self.evaluator.interp.class_changes.get())? {
            Value::Closure(function) => Some((function, false)),
            Value::Descriptor(descriptor) => match &*descriptor {
                Descriptor::StaticMethod(Value::Closure(function)) => {
                    Some((function.clone(), false))
                }
                Descriptor::ClassMethod(Value::Closure(function)) => Some((function.clone(), true)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A method and its receiver, or what else stands behind the dot and nothing.
    pub fn method(&mut self, to: Reg, object: Reg, name: u16) -> SourceResult<()> {
        let receiver = self.take(object);
        let text = &self.code.names[usize::from(name)];
        if let Value::Object(held) = &receiver {
            let find = |class: &Class, name: &str| self.evaluator.member_to_read(class, name);
            let function = self.with_member(held, name, find, |member| match member {
                Member::Method(function, bit) if !held.has_field(&text.node, *bit) => {
                    function.upgrade()
                }
                _ => None,
            });
            if let Some(function) = function {
                self.set(to, Value::Closure(function));
                self.set(to + 1, receiver);
                return Ok(());
            }
        }
        if let Value::Descriptor(descriptor) = &receiver
            && let Descriptor::Super { class, object } = &**descriptor
            && let Some(function) = self.evaluator.super_method(class, object, &text.node)
        {
            self.set(to, Value::Closure(function));
            self.set(to + 1, object.clone());
            return Ok(());
        }
        if let Value::Class(class) = &receiver
            && class.meta.is_none()
            && let Some((function, is_bound)) = self.function_in(class, &text.node)
        {
            self.set(to, Value::Closure(function));
            self.set(to + 1, if is_bound { receiver } else { Value::Unbound });
            return Ok(());
        }
        if let Value::Module(module) = receiver {
            let registry = &self.evaluator.interp.registry;
            let known = registry.attribute_of_module(module, &text.node);
            if let Some(Value::Function(function)) = known {
                let function = function.clone();
                self.code.lookups[usize::from(name)]
                    .find(Found::OfModule(module, function.clone()));
                self.set(to, Value::Function(function));
                self.set(to + 1, Value::Unbound);
                return Ok(());
            }
        }
        let of = receiver.type_of();
        if let Some(function) = self.evaluator.interp.registry.method(of, &text.node).cloned() {
            let lookup = &self.code.lookups[usize::from(name)];
            lookup.find_there(There::of(&receiver, function.builtin));
            lookup.find(Found::Method(of, function.clone()));
            self.set(to, Value::Function(function));
            self.set(to + 1, receiver);
            return Ok(());
        }
        self.begin();
        let found = self.evaluator.attribute(&receiver, &text.node);
        let found = self.evaluator.place(found, text.span)?;
        self.set(to, found);
        self.set(to + 1, Value::Unbound);
        Ok(())
    }
}

/// What a place knows of the object's class, while classes are as they are now.
#[inline(always)]
fn known_member<'f>(
    found: &'f Option<Found>,
    object: &Instance,
    changes: u64,
) -> Option<&'f Member> {
    let Some(Found::Member { class, changes: at, member }) = found else { return None };
    let own = object.class.program()?;
    (*at == changes && std::ptr::eq(class.as_ptr(), Rc::as_ptr(own))).then_some(member)
}

/// An item of an object that is a tuple.
fn item(object: &Instance, at: usize) -> Option<&Value> {
    match object.plain()? {
        Value::Tuple(items) => items.get(at),
        _ => None,
    }
}

/// What a place sees of an object's class that has found such a field.
#[inline(always)]
fn field_seen(object: &Instance, changes: u64, field: &Field) -> Seen {
    let (name, at) = field.place_seen();
    Seen::Field { class: object.class.address(), changes, name, at }
}

/// As [`Context::attribute`], where this place found such a field before; whether it was done.
#[inline]
pub(super) fn known_field(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (to, object): (Reg, Reg),
    name: u16,
) -> bool {
    if to == object {
        // It makes room for what it has.
        let receiver = registers[usize::from(object)].clone();
        return read_known(evaluator, code, &receiver, &mut registers[usize::from(to)], name);
    }
    let places = [usize::from(to), usize::from(object)];
    let Ok([to, receiver]) = registers.get_disjoint_mut(places) else { return false };
    let is_read = read_known(evaluator, code, receiver, to, name);
    if is_read {
        forget(registers, code.first_temporary, object);
    }
    is_read
}

/// Puts what an object has under a name where this place found such a field before; whether it was done.
fn read_known(
    evaluator: Evaluator<'_>,
    code: &Code,
    receiver: &Value,
    to: &mut Value,
    name: u16,
) -> bool {
    let lookup = &code.lookups[usize::from(name)];
    let found = lookup.found();
    let Value::Object(held) = receiver else {
        let Some(Found::Method(of, function)) = &*found else { return false };
        if receiver.type_of() != *of || !has_methods(receiver) {
            return false;
        }
        let (receiver, function) = (receiver.clone(), function.clone());
        put(to, Value::Method(Rc::new(Method { receiver, function })));
        return true;
    };
    let changes = evaluator.interp.class_changes.get();
    match known_member(&found, held, changes) {
        Some(Member::Field(field)) => {
            match field.get(&held.fields().borrow()) {
                Some(value) => put_copy(to, value),
                None => return false,
            }
            lookup.see(field_seen(held, changes, field));
        }
        Some(Member::Item(at)) => match item(held, *at) {
            Some(value) => put_copy(to, value),
            None => return false,
        },
        Some(Member::Class) => put(to, held.class.value()),
        Some(Member::Method(function, bit))
            if !held.has_field(&code.names[usize::from(name)].node, *bit) =>
        {
            let Some(callable) = function.upgrade().map(Value::Closure) else { return false };
            put(to, Value::Bound(Rc::new(Bound { receiver: receiver.clone(), callable })));
        }
        _ => return false,
    }
    true
}

/// Whether a method that one value of its type has, all have.
fn has_methods(value: &Value) -> bool {
    matches!(
        value,
        Value::List(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::FrozenSet(_)
            | Value::Str(_)
            | Value::Tuple(_)
            | Value::Opaque(_)
    )
}

/// As [`Context::set_attribute`], where this place found such a field before; whether it was done.
#[inline]
pub(super) fn set_known_field(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (object, from): (Reg, Reg),
    name: u16,
    is_last: bool,
) -> bool {
    let Value::Object(held) = &registers[usize::from(object)] else { return false };
    let lookup = &code.lookups[usize::from(name)];
    let found = lookup.found();
    let changes = evaluator.interp.class_changes.get();
    let Some(Member::Field(field)) = known_member(&found, held, changes) else { return false };
    let value = &registers[usize::from(from)];
    let step = |fields: &_| field.step(fields);
    let mut fields = evaluator.step_at_once(held.fields(), value, is_last, step);
    match field.place(&mut fields) {
        Some(place) => put_copy(place, value),
        None => _ = field.add(&mut fields, value.clone()),
    }
    drop(fields);
    lookup.see(field_seen(held, changes, field));
    forget(registers, code.first_temporary, from);
    forget(registers, code.first_temporary, object);
    true
}

/// As [`Context::method`], where this place found the same method before; whether it was done.
#[inline]
pub(super) fn known_method(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (to, object): (Reg, Reg),
    name: u16,
) -> bool {
    let receiver = &registers[usize::from(object)];
    let lookup = &code.lookups[usize::from(name)];
    let found = lookup.found();
    match (&*found, receiver) {
        (Some(Found::Member { .. }), Value::Object(held)) => {
            let changes = evaluator.interp.class_changes.get();
            let Some(Member::Method(function, bit)) = known_member(&found, held, changes) else {
                return false;
            };
            if held.has_field(&code.names[usize::from(name)].node, *bit) {
                return false;
            }
            let class = held.class.address();
            lookup.see(Seen::Method { class, changes, function: function.as_ptr(), bit: *bit });
            match &mut registers[usize::from(to)] {
                Value::Closure(known) if std::ptr::eq(Rc::as_ptr(known), function.as_ptr()) => {}
                register => {
                    let Some(function) = function.upgrade() else { return false };
                    put(register, Value::Closure(function));
                }
            }
        }
        (Some(Found::OfModule(module, function)), Value::Module(of)) if module == of => {
            put_function(&mut registers[usize::from(to)], function);
            put(&mut registers[usize::from(to) + 1], Value::Unbound);
            return true;
        }
        (Some(Found::Method(..)), Value::Object(_)) => return false,
        (Some(Found::Method(of, function)), receiver) if receiver.type_of() == *of => {
            put_function(&mut registers[usize::from(to)], function);
        }
        _ => return false,
    }
    if object != to + 1 {
        copy(registers, to + 1, object);
        forget(registers, code.first_temporary, object);
    }
    true
}

/// Puts a built-in function where it may stand already.
#[inline]
fn put_function(register: &mut Value, function: &Rc<Function>) {
    match register {
        Value::Function(known) if Rc::ptr_eq(known, function) => {}
        _ => put(register, Value::Function(function.clone())),
    }
}

impl Machine<'_> {
    /// As [`Context::attribute`], where this place found a property before; whether its function runs.
    #[inline(never)]
    pub(super) fn get_at_once(&mut self, (to, object): (Reg, Reg), name: u16) -> bool {
        let own = self.frames.top().function().clone();
        let code = &*own.code;
        let at = self.frames.top().base + usize::from(object);
        let Value::Object(held) = &self.stack[at] else { return false };
        let found = code.lookups[usize::from(name)].found();
        let changes = self.evaluator.interp.class_changes.get();
        let Some(Member::Property(get)) = known_member(&found, held, changes) else { return false };
        let getter = get.upgrade().filter(|get| get.takes_plainly(1) && self.can_push());
        drop(found);
        let Some(getter) = getter else { return false };
        self.call_getter(getter, to, object, code.first_temporary).is_ok()
    }

    /// A frame for the function that gets a property of what stands in `object`.
    pub(super) fn call_getter(
        &mut self,
        getter: Rc<Closure>,
        to: Reg,
        object: Reg,
        first_temporary: Reg,
    ) -> SourceResult<()> {
        let (at, base) = (self.frames.top().base + usize::from(object), self.frames.top().end());
        self.push(Frame::new(getter, base, Then::Store(to)))?;
        let (before, own) = self.stack.split_at_mut(base);
        put_copy(&mut own[0], &before[at]);
        if object >= first_temporary {
            before[at] = Value::None;
        }
        self.fill_defaults(1);
        self.fill();
        Ok(())
    }
}
