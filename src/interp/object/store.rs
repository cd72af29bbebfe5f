//! Setting and deleting names behind the dot of objects and classes.

use std::rc::Rc;

use super::class::{Class, ClassRef};
use super::instance::{Descriptor, Instance, Name};
use crate::diag::{ErrorKind, Fault};
use crate::interp::Evaluator;
use crate::interp::value::{Key, Type, Value};

impl Evaluator<'_> {
    /// `target.name = value`
    ///
    /// # Errors
    /// AttributeError where it can't be set, and whatever a setter brings up.
    pub(crate) fn set_attribute(
        &self,
        target: &Value,
        name: &str,
        value: Value,
    ) -> Result<(), Fault> {
        match target {
            Value::Object(object) => {
                let key = Value::str(name);
                if let Some(done) = self.call_special(target, "__setattr__", [&key, &value]) {
                    return done.map(drop);
                }
                self.store_attribute(object, name, value)
            }
            Value::Class(class) => {
                let key = Value::str(name);
                if let Some(done) = self.call_special(target, "__setattr__", [&key, &value]) {
                    return done.map(drop);
                }
                if class.exchange(&self.interp.journal, name, &value) {
                    return Ok(());
                }
                self.note_class_change();
                class.set(&self.interp.journal, name.into(), value);
                Ok(())
            }
            _ => self.assign_attribute(target, name, value),
        }
    }

    /// `object.__setattr__(name, value)`
    pub(crate) fn store_attribute(
        &self,
        object: &Rc<Instance>,
        name: &str,
        value: Value,
    ) -> Result<(), Fault> {
        let target = Value::Object(object.clone());
        if let Some(found) = self.find_in(&object.class, name) {
            match &found {
                Value::Descriptor(descriptor) => {
                    if let Descriptor::Property { set, .. } = &**descriptor {
                        if matches!(set, Value::None) {
                            let of = object.class.qualified_name();
                            let message =
                                format!("property '{name}' of '{of}' object has no setter");
                            return Err(Fault::new(ErrorKind::Attribute, message));
                        }
                        return self.call_value(set, [target.clone(), value], []).map(drop);
                    }
                }
                Value::Object(_) => {
                    if let Some(done) = self.call_special(&found, "__set__", [&target, &value]) {
                        return done.map(drop);
                    }
                    if self.special(&found, "__delete__").is_some() {
                        return Err(Fault::new(ErrorKind::Attribute, "__set__"));
                    }
                }
                _ => {}
            }
        }
        if self.set_in_exception(object, name, &value)? {
            return Ok(());
        }
        if let Some(Value::Opaque(plain)) = object.plain()
            && let Some(done) = plain.part().set_attribute(self, name, &value)
        {
            return done;
        }
        if name == "__class__" {
            let message = "an object keeps its class: make a new one of the other class, and give it the fields";
            return Err(Fault::type_error(message));
        }
        if !self.takes_fields(object, name) {
            return Err(self.no_attribute(&target, name));
        }
        self.put_field(object, name, value);
        Ok(())
    }

    fn put_field(&self, object: &Instance, name: &str, value: Value) {
        let journal = &self.interp.journal;
        let mut fields = object.fields().step(journal, |fields| fields.step(&Name(name)));
        match fields.get_mut(&Name(name)) {
            Some(field) => *field = value,
            None => _ = fields.insert(Key::of_name(name), value),
        }
    }

    /// Whether an object may have a field of this name: `__slots__` may forbid it, and built-in
    /// objects have none.
    pub(super) fn takes_fields(&self, object: &Instance, name: &str) -> bool {
        let ClassRef::Program(class) = &object.class else {
            return matches!(object.class, ClassRef::Native(Type::Error(_)));
        };
        self.class_takes_fields(class, name)
    }

    /// As [`Evaluator::takes_fields`], of objects of a class.
    pub(super) fn class_takes_fields(&self, class: &Class, name: &str) -> bool {
        if class.find("__slots__", self.interp.class_changes.get()).is_none() {
            return true;
        }
        let takes = |class: &Class| {
            let slots = class.own("__slots__");
            slots.is_none_or(|slots| ["__dict__", name].iter().any(|name| names(&slots, name)))
        };
        takes(class) || class.line.iter().filter_map(ClassRef::program).any(|class| takes(class))
    }

    /// The class in a class's line whose `__slots__` name a field.
    pub(super) fn slot_owner(&self, class: &Rc<Class>, name: &str) -> Option<Rc<Class>> {
        let mut line = class.whole_line();
        let names_it =
            |class: &Class| class.own("__slots__").is_some_and(|slots| names(&slots, name));
        line.find_map(|class| class.program().filter(|class| names_it(class)).cloned())
    }

    fn set_in_exception(
        &self,
        object: &Instance,
        name: &str,
        value: &Value,
    ) -> Result<bool, Fault> {
        let Some(state) = object.exception() else { return Ok(false) };
        match name {
            "args" => {
                let args = self.iterate(value)?;
                state.change(&self.interp.journal).args = args.into();
            }
            "__cause__" => {
                let mut state = state.change(&self.interp.journal);
                state.cause = value.clone();
                state.hides_context = true;
            }
            "__context__" => state.change(&self.interp.journal).context = value.clone(),
            "__suppress_context__" => {
                let hides = self.truth(value)?;
                state.change(&self.interp.journal).hides_context = hides;
            }
            "__traceback__" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `del target.name`
    ///
    /// # Errors
    /// AttributeError where there is nothing to delete, and whatever a deleter brings up.
    pub(crate) fn delete_object_attribute(&self, target: &Value, name: &str) -> Result<(), Fault> {
        match target {
            Value::Object(object) => {
                if let Some(done) = self.call_special(target, "__delattr__", [&Value::str(name)]) {
                    return done.map(drop);
                }
                self.remove_attribute(object, name)
            }
            Value::Class(class) => {
                self.note_class_change();
                match class.remove(&self.interp.journal, name) {
                    true => Ok(()),
                    false => Err(self.no_attribute(target, name)),
                }
            }
            _ => Err(self.no_attribute(target, name)),
        }
    }

    /// `object.__delattr__(name)`
    pub(crate) fn remove_attribute(&self, object: &Rc<Instance>, name: &str) -> Result<(), Fault> {
        let target = Value::Object(object.clone());
        if let Some(found) = self.find_in(&object.class, name) {
            if let Value::Descriptor(descriptor) = &found
                && let Descriptor::Property { delete, .. } = &**descriptor
            {
                if matches!(delete, Value::None) {
                    let of = object.class.qualified_name();
                    let message = format!("property '{name}' of '{of}' object has no deleter");
                    return Err(Fault::new(ErrorKind::Attribute, message));
                }
                return self.call_value(delete, [target.clone()], []).map(drop);
            }
            if let Some(done) = self.call_special(&found, "__delete__", [&target]) {
                return done.map(drop);
            }
            if self.special(&found, "__set__").is_some() {
                return Err(Fault::new(ErrorKind::Attribute, "__delete__"));
            }
        }
        let journal = &self.interp.journal;
        let mut fields = object.fields().step(journal, |fields| fields.step_out(&Name(name)));
        let removed = fields.shift_remove(&Name(name));
        drop(fields);
        match removed {
            Some(_) => Ok(()),
            None => Err(self.no_attribute(&target, name)),
        }
    }
}

/// Whether a class's `__slots__` hold a name.
fn names(slots: &Value, name: &str) -> bool {
    let is_it = |slot: &Value| matches!(slot, Value::Str(text) if **text == *name);
    match slots {
        Value::Tuple(slots) => slots.iter().any(is_it),
        Value::List(slots) => slots.borrow().iter().any(is_it),
        slot => is_it(slot),
    }
}
