//! Classes where a `class` makes them, and calls of them.

use std::rc::Rc;

use super::Machine;
use super::bind::placed;
use super::frame::Then;
use super::op::{Context, ensure};
use crate::diag::{Fault, SourceResult, Span};
use crate::interp::Evaluator;
use crate::interp::builtins::{Argument, Arguments};
use crate::interp::compile::{CallSite, Reg};
use crate::interp::object::class::{Class, ClassRef, Namespace};
use crate::interp::object::function::Closure;
use crate::interp::object::instance::{Descriptor, Inner, Instance};
use crate::interp::object::not_none;
use crate::interp::shared::Slot;
use crate::interp::value::{Tuple, Type, Value};
use crate::syntax::ast::Ident;

impl Evaluator<'_> {
    /// An object of a class that extends no built-in type, without fields.
    pub(super) fn bare_instance(&self, class: &Rc<Class>) -> Value {
        ensure(*self);
        let class = ClassRef::Program(class.clone());
        Value::Object(Rc::new(Instance::made_in(&self.interp.journal, class, Inner::None)))
    }
}

impl Machine<'_> {
    /// Calls a class, a method of an object, or an object that can be called. A function of the program
    /// behind it gets a frame.
    pub(super) fn call_object(
        &mut self,
        to: Reg,
        target: &Value,
        mut arguments: Arguments,
        span: Span,
    ) -> SourceResult<()> {
        let evaluator = self.evaluator;
        let receiver = |value: &Value| Argument { name: None, value: value.clone(), span };
        match target {
            Value::Bound(bound) => {
                if let Value::Closure(function) = &bound.callable {
                    arguments.insert(0, receiver(&bound.receiver));
                    return self.call_closure(function, arguments, Then::Store(to), span);
                }
            }
            Value::Object(_) => {
                if let Some(Value::Closure(function)) = evaluator.special(target, "__call__") {
                    arguments.insert(0, receiver(target));
                    return self.call_closure(&function, arguments, Then::Store(to), span);
                }
            }
            Value::Class(class) => {
                let own = ClassRef::Program(class.clone());
                let init = evaluator.find_in(&own, "__init__");
                if let (Some(Value::Closure(init)), None, None) = (
                    init,
                    evaluator.find_in(&own, "__new__"),
                    evaluator.special(target, "__call__"),
                ) {
                    let given = evaluator.given_to_base(class, &arguments);
                    let object = evaluator.new_instance(own, given, true, span)?;
                    arguments.insert(0, receiver(&object));
                    let before = self.made.len();
                    self.made.push(object);
                    let called = self.call_closure(&init, arguments, Then::Made(to), span);
                    if called.is_err() {
                        self.made.truncate(before);
                    }
                    return called;
                }
            }
            _ => {}
        }
        let result = evaluator.call_object(target, arguments, span)?;
        self.stack[self.frames.top().base + usize::from(to)] = result;
        Ok(())
    }

    /// As [`Machine::call`] of a function, of a class whose calls only make an object and run its `__init__`, or of a
    /// method that was taken out of its object; whether it was done.
    #[inline(never)]
    pub(super) fn begin_at_once(&mut self, callee: Reg, to: Reg, site: u16) -> bool {
        if let Value::Closure(_) = self.stack[self.frames.top().base + usize::from(callee)] {
            return self.call_at_once(callee, callee + 1, to, site);
        }
        let own = self.frames.top().function().clone();
        let site = &own.code.sites[usize::from(site)];
        let at = self.frames.top().base + usize::from(callee);
        let Value::Class(class) = &self.stack[at] else {
            let is_called =
                self.can_push().then(|| self.call_receiver(to, callee, callee + 1, site));
            return matches!(is_called, Some(Ok(true)));
        };
        let changes = self.evaluator.interp.class_changes.get();
        if class.native == Type::Tuple {
            let count = site.arguments.len() + 1;
            let new = class.plain_new(changes).filter(|new| new.takes_plainly(count));
            let Some(new) = new.filter(|_| site.is_plain && self.can_push()) else { return false };
            if new.code.parameters.positional == count && !class.has_end(changes) {
                self.put_tuple_of(class.clone(), callee, count, to);
                return true;
            }
            // The class stands where its function wants it.
            return self.call_plain(new, callee, count, Then::Store(to)).is_ok();
        }
        let init = class.plain_init(changes);
        let Some(init) = init.filter(|_| self.can_push()) else { return false };
        let class = class.clone();
        matches!(self.make_object(&class, &init, to, callee + 1, site), Ok(Some(())))
    }

    /// What `__new__` of a class of tuples makes of the values behind the class: one of them.
    fn put_tuple_of(&mut self, class: Rc<Class>, callee: Reg, count: usize, to: Reg) {
        ensure(self.evaluator);
        let registers = &mut self.stack[self.frames.top().base..];
        let at = usize::from(callee);
        let items = Tuple::taking(&mut registers[at + 1..at + count]);
        let inner = Inner::Value(Value::Tuple(items));
        let object = Instance::new(ClassRef::Program(class), inner);
        registers[at] = Value::None;
        registers[usize::from(to)] = Value::Object(Rc::new(object));
    }

    /// An object of a class whose `__init__` takes the arguments of a call as they stand there, and that
    /// call; nothing where it does not.
    pub(super) fn make_object(
        &mut self,
        class: &Rc<Class>,
        init: &Rc<Closure>,
        to: Reg,
        first: Reg,
        site: &CallSite,
    ) -> SourceResult<Option<()>> {
        let count = site.arguments.len() + 1;
        let is_plain = site.is_plain && init.takes_plainly(count);
        let placed = match is_plain {
            true => None,
            false => match placed(init, site, 1) {
                Some(placed) => Some(placed),
                None => return Ok(None),
            },
        };
        let object = self.evaluator.bare_instance(class);
        let then = Then::Made(to);
        match placed {
            None => {
                // It stands before the arguments, where the class stood or a receiver could.
                let own = first - 1;
                self.stack[self.frames.top().base + usize::from(own)] = object.clone();
                self.call_plain(init.clone(), own, count, then)?;
            }
            Some(placed) => {
                self.call_placed(init, Some(object.clone()), first, &placed, then)?;
            }
        }
        self.made.push(object);
        Ok(Some(()))
    }

    /// An `__init__` has returned.
    pub(super) fn object_made(&mut self, to: Reg, result: &Value) -> SourceResult<()> {
        let object = self.made.pop().unwrap_or(Value::None);
        if !matches!(result, Value::None) {
            return Err(not_none(result).placed(self.frames.top().span()));
        }
        self.stack[self.frames.top().base + usize::from(to)] = object;
        Ok(())
    }
}

impl Context<'_, '_> {
    /// The class whose body has just run: its bases and keywords are the first two registers, its
    /// names those up to `count`.
    pub fn class(&mut self, to: Reg, count: u16, cells: &[Slot]) -> SourceResult<()> {
        ensure(self.evaluator);
        let mut namespace = Namespace::default();
        if let Some(module) = self.code.module {
            namespace.insert("__module__".into(), Value::str(module.name()));
        }
        if let Some(doc) = &self.code.doc {
            namespace.insert("__doc__".into(), Value::str(doc));
        }
        let class_name = self.code.name.trim_start_matches('_').to_owned();
        for at in 2..usize::from(count) {
            let value = std::mem::replace(&mut self.registers[at], Value::Unbound);
            if let Value::Unbound = value {
                continue;
            }
            let name = &self.code.locals[at].name;
            let is_own = name.starts_with("__") && !name.ends_with("__") && !class_name.is_empty();
            let name = if is_own { format!("_{class_name}{name}").into() } else { name.clone() };
            namespace.insert(name, value);
        }
        let bases = match self.get(0) {
            Value::List(bases) => bases.borrow().clone(),
            _ => Vec::new(),
        };
        let keywords: Vec<(Ident, Value)> = match self.get(1) {
            Value::Dict(entries) => {
                let entries = entries.borrow();
                let named = entries.iter().filter_map(|(key, value)| match key.value() {
                    Value::Str(name) => Some((Ident::from(name), value.clone())),
                    _ => None,
                });
                named.collect()
            }
            _ => Vec::new(),
        };
        let cell = cells.first();
        let journal = &self.evaluator.interp.journal;
        let fill = |class: &Value| {
            if let Some(cell) = cell {
                cell.note_change(journal);
                cell.replace(journal, Some(class.clone()));
            }
        };
        let names = (&self.code.name.0, &self.code.qualified_name.0);
        let class = self.evaluator.make_class(names, &bases, keywords, namespace, fill);
        let class = class.map_err(|fault| fault.placed(self.span()))?;
        if let (Value::Class(class), Some(source)) = (&class, &self.code.source) {
            class.set_place(source, self.code.span);
        }
        self.set(to, class);
        Ok(())
    }

    /// `super()`, the class in `first` and the object behind it.
    pub fn super_of(&mut self, to: Reg, first: Reg) -> SourceResult<()> {
        let (class, object) = (self.take(first), self.take(first + 1));
        let Value::Class(class) = class else {
            let fault =
                Fault::type_error("super(type, obj): obj must be an instance or subtype of type");
            return Err(fault.placed(self.span()));
        };
        self.set(to, Value::Descriptor(Rc::new(Descriptor::Super { class, object })));
        Ok(())
    }
}
