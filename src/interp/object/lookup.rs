//! Names behind the dot of objects, classes and `super()`.

use std::rc::Rc;

use super::class::{Class, ClassRef};
use super::exception::attribute_error;
use super::function::Closure;
use super::instance::{Bound, Descriptor, Instance};
use crate::diag::{ErrorKind, Fault, Span, did_you_mean};
use crate::interp::Evaluator;
use crate::interp::value::{Entries, Key, Method, Module, Type, Value};

/// Most special methods take fewer values than this.
const MOST: usize = 3;

impl Evaluator<'_> {
    /// What the program has put under a name in the class of a value: how operators and built-in
    /// functions find their methods.
    pub fn special(&self, value: &Value, name: &str) -> Option<Value> {
        match value {
            Value::Object(object) => self.find_in(&object.class, name),
            Value::Class(class) => class.meta.as_ref()?.find(name, self.interp.class_changes.get()),
            _ => None,
        }
    }

    /// Calls such a method; `None` where there is none.
    pub fn call_special<const N: usize>(
        &self,
        value: &Value,
        name: &str,
        arguments: [&Value; N],
    ) -> Option<Result<Value, Fault>> {
        self.special(value, name).map(|method| self.call_found(method, value, arguments))
    }

    /// Calls such a method, which was found in the class of `value`.
    pub fn call_found<const N: usize>(
        &self,
        method: Value,
        value: &Value,
        arguments: [&Value; N],
    ) -> Result<Value, Fault> {
        if let Value::Closure(method) = &method
            && method.takes_plainly(1 + N)
            && let Some(values) = [const { Value::None }; MOST].get_mut(..1 + N)
        {
            values[0] = value.clone();
            values[1..].iter_mut().zip(arguments).for_each(|(to, value)| *to = value.clone());
            return self.call_plainly(method, values, Span::default()).map_err(Fault::from);
        }
        if matches!(method, Value::Closure(_)) {
            let arguments = std::iter::once(value).chain(arguments).cloned();
            return self.call_value(&method, arguments, []);
        }
        let method = self.bind(method, Some(value), &self.class_of(value))?;
        self.call_value(&method, arguments.map(Value::clone), [])
    }

    /// What the program has put under a name in a class or in what it is derived from.
    pub fn find_in(&self, class: &ClassRef, name: &str) -> Option<Value> {
        class.program()?.find(name, self.interp.class_changes.get())
    }

    /// `type(value)`
    pub fn class_of(&self, value: &Value) -> ClassRef {
        match value {
            Value::Object(object) => match &object.class {
                ClassRef::Native(Type::Error(kind)) => ClassRef::Native(Type::Error(kind.public())),
                class => class.clone(),
            },
            _ => ClassRef::Native(value.type_of()),
        }
    }

    /// A value as a class; `None` for what is none.
    pub fn as_class(&self, value: &Value) -> Option<ClassRef> {
        match value {
            Value::Class(class) => Some(ClassRef::Program(class.clone())),
            Value::Type(of) => Some(ClassRef::Native(*of)),
            _ => None,
        }
    }

    /// `object.name`
    pub(crate) fn object_attribute(
        &self,
        object: &Rc<Instance>,
        name: &str,
    ) -> Result<Value, Fault> {
        let found = self.sought_attribute(object, name)?;
        found.ok_or_else(|| self.no_attribute(&Value::Object(object.clone()), name))
    }

    /// An attribute; `None` where there is none. The words of an error are not looked for where nobody sees them.
    pub(crate) fn attribute_if_any(
        &self,
        value: &Value,
        name: &str,
    ) -> Result<Option<Value>, Fault> {
        let found = match value {
            Value::Object(object) => self.sought_attribute(object, name),
            _ => self.attribute(value, name).map(Some).map_err(Fault::from),
        };
        match found {
            Err(fault) if fault.kind.is_a(ErrorKind::Attribute) => Ok(None),
            found => found,
        }
    }

    /// What the methods of an object say that are asked for attributes; `None` where there is nothing under a name, and
    /// nothing of the program says so.
    fn sought_attribute(&self, object: &Rc<Instance>, name: &str) -> Result<Option<Value>, Fault> {
        let value = Value::Object(object.clone());
        let found = match self.call_special(&value, "__getattribute__", [&Value::str(name)]) {
            Some(found) => found.map(Some),
            None => self.own_attribute(object, name),
        };
        let is_missing = match &found {
            Ok(found) => found.is_none(),
            Err(fault) => fault.kind.is_a(ErrorKind::Attribute),
        };
        let said = match is_missing {
            true => self.call_special(&value, "__getattr__", [&Value::str(name)]),
            false => None,
        };
        said.map_or(found, |said| said.map(Some))
    }

    /// `object.__getattribute__(name)`: what the class and the object hold.
    pub(crate) fn stored_attribute(
        &self,
        object: &Rc<Instance>,
        name: &str,
    ) -> Result<Value, Fault> {
        let found = self.own_attribute(object, name)?;
        found.ok_or_else(|| self.no_attribute(&Value::Object(object.clone()), name))
    }

    /// What the class and the object hold under a name; `None` where that is nothing.
    fn own_attribute(&self, object: &Rc<Instance>, name: &str) -> Result<Option<Value>, Fault> {
        let value = Value::Object(object.clone());
        let in_class = self.find_in(&object.class, name);
        if let Some(found) = &in_class
            && self.is_data(found)
        {
            return self.bind(found.clone(), Some(&value), &object.class).map(Some);
        }
        if let Some(field) = object.field(name) {
            return Ok(Some(field));
        }
        if let Some(found) = in_class {
            return self.bind(found, Some(&value), &object.class).map(Some);
        }
        match name {
            "__class__" => return Ok(Some(self.class_of(&value).value())),
            "__dict__" if self.takes_fields(object, name) => {
                return Ok(Some(Value::Dict(object.fields().clone())));
            }
            "__doc__" => return Ok(Some(self.doc_of(&object.class))),
            "__module__" => return Ok(Some(Value::str("__main__"))),
            _ => {}
        }
        if let Some(state) = object.exception() {
            let state = state.borrow().clone();
            if let Some(found) = self.exception_attribute(&state, name) {
                return Ok(Some(found));
            }
        }
        // The parts of a number that an object extends, and what a queue or a dictionary shows.
        let has_parts =
            |plain: &&Value| plain.number().is_some() || matches!(plain, Value::Opaque(_));
        let plain = object.plain().filter(has_parts);
        if let Some(part) = plain.and_then(|plain| self.plain_attribute(plain, name)) {
            return Ok(Some(part));
        }
        match self.native_method(object, name) {
            Some(method) => Ok(Some(method)),
            None => match object.class.program() {
                // A function of the built-in type, asked of an object: `counts.fromkeys`.
                Some(class) if self.interp.registry.static_of(class.native, name).is_some() => {
                    self.class_attribute(class, name).map(Some)
                }
                _ => Ok(None),
            },
        }
    }

    /// A method of the built-in type that an object extends.
    fn native_method(&self, object: &Rc<Instance>, name: &str) -> Option<Value> {
        let registry = &self.interp.registry;
        if let Some(plain) = object.plain()
            && let Some(function) = registry.method(plain.type_of(), name)
        {
            let is_copy = name == "copy" && matches!(plain, Value::Opaque(_));
            if is_copy && let Some(callable) = registry.hidden("copied_in_class").cloned() {
                let receiver = Value::Object(object.clone());
                return Some(Value::Bound(Rc::new(Bound { receiver, callable })));
            }
            let method =
                Method { receiver: native_receiver(object, name), function: function.clone() };
            return Some(Value::Method(Rc::new(method)));
        }
        let function =
            object.class.native().line().into_iter().find_map(|of| registry.method(of, name))?;
        let receiver = Value::Object(object.clone());
        Some(Value::Method(Rc::new(Method { receiver, function: function.clone() })))
    }

    /// An attribute that can be had without running anything of the program.
    pub(crate) fn peek_in_object(&self, object: &Rc<Instance>, name: &str) -> Option<Value> {
        let found = self.find_in(&object.class, name);
        match found {
            Some(Value::Closure(_)) | None => {}
            Some(Value::Descriptor(_) | Value::Object(_) | Value::Function(_)) => return None,
            Some(found) => return Some(object.field(name).unwrap_or(found)),
        }
        object.field(name).or_else(|| match found {
            Some(callable) => {
                let receiver = Value::Object(object.clone());
                Some(Value::Bound(Rc::new(Bound { receiver, callable })))
            }
            None => self.native_method(object, name),
        })
    }

    /// Whether something in a class goes before the fields of its objects.
    fn is_data(&self, found: &Value) -> bool {
        match found {
            Value::Descriptor(descriptor) => matches!(**descriptor, Descriptor::Property { .. }),
            Value::Object(_) => {
                self.special(found, "__set__").is_some()
                    || self.special(found, "__delete__").is_some()
            }
            _ => false,
        }
    }

    /// What a lookup gives of something that stands in a class: functions become methods, properties
    /// are asked. Without an instance the class itself was asked.
    pub(crate) fn bind(
        &self,
        found: Value,
        instance: Option<&Value>,
        class: &ClassRef,
    ) -> Result<Value, Fault> {
        let bound = |receiver: Value, callable: Value| {
            Ok(Value::Bound(Rc::new(Bound { receiver, callable })))
        };
        match (&found, instance) {
            (Value::Closure(_), Some(instance)) => bound(instance.clone(), found),
            (Value::Function(function), Some(Value::Object(object))) if function.is_method() => {
                let receiver = match function.builtin.method_of {
                    Some(Type::Object | Type::Error(_)) => Value::Object(object.clone()),
                    _ => native_receiver(object, &function.name),
                };
                // Asked of an object of another type it is an error before it is called.
                match function.refusal_of(&receiver) {
                    Some(fault) => Err(fault),
                    None => {
                        Ok(Value::Method(Rc::new(Method { receiver, function: function.clone() })))
                    }
                }
            }
            (Value::Descriptor(descriptor), _) => match (&**descriptor, instance) {
                (Descriptor::StaticMethod(callable), _) => Ok(callable.clone()),
                (Descriptor::ClassMethod(callable), _) => match callable {
                    Value::Descriptor(_) => {
                        self.bind(callable.clone(), Some(&class.value()), class)
                    }
                    _ => bound(class.value(), callable.clone()),
                },
                (Descriptor::Property { get: Value::None, .. }, Some(_)) => {
                    Err(no_getter(&found, class))
                }
                (Descriptor::Property { get, .. }, Some(instance)) => {
                    self.call_value(get, [instance.clone()], [])
                }
                _ => Ok(found),
            },
            (Value::Object(_), _) if self.special(&found, "__get__").is_some() => {
                let arguments = [instance.unwrap_or(&Value::None), &class.value()];
                self.call_special(&found, "__get__", arguments).unwrap_or(Ok(found.clone()))
            }
            _ => Ok(found),
        }
    }

    /// `Class.name`
    pub(crate) fn class_attribute(&self, class: &Rc<Class>, name: &str) -> Result<Value, Fault> {
        let own = ClassRef::Program(class.clone());
        if let Some(found) = self.find_in(&own, name) {
            return self.bind(found, None, &own);
        }
        if let Some(meta) = &class.meta
            && let Some(found) = meta.find(name, self.interp.class_changes.get())
        {
            let value = Value::Class(class.clone());
            return self.bind(found, Some(&value), &ClassRef::Program(meta.clone()));
        }
        Ok(match name {
            "__name__" => Value::str(&class.name),
            "__qualname__" => Value::str(&class.qualified_name),
            "__module__" => Value::str("__main__"),
            "__doc__" => self.doc_of(&own),
            "__class__" => Value::Type(Type::Type),
            "__base__" => class.bases[0].value(),
            "__bases__" => {
                Value::tuple(class.bases.iter().map(ClassRef::value).collect::<Vec<_>>())
            }
            "__mro__" => Value::tuple(own.line().iter().map(ClassRef::value).collect::<Vec<_>>()),
            "__dict__" => {
                let names = class.namespace().into_iter();
                let entries = names
                    .filter_map(|(name, value)| Some((Key::new(Value::str(&name)).ok()?, value)));
                Value::Dict(Rc::new(entries.collect::<Entries>().into()))
            }
            "__annotations__" => Value::dict([]),
            _ => {
                let registry = &self.interp.registry;
                let natives = class.native.line().into_iter().chain([Type::Type]);
                match natives.into_iter().find_map(|of| Some((of, registry.method(of, name)?))) {
                    Some((Type::Type, function)) => {
                        let receiver = Value::Class(class.clone());
                        Value::Method(Rc::new(Method { receiver, function: function.clone() }))
                    }
                    Some((_, function)) => Value::Function(function.clone()),
                    None if registry.static_of(class.native, name).is_some() => {
                        let parts = [own.value(), Value::Type(class.native), Value::str(name)];
                        self.call_text(Module::Builtins, "_made_by", parts)?
                    }
                    None => match self.slot_owner(class, name) {
                        Some(owner) => {
                            let parts = [Value::Class(owner), Value::str(name)];
                            self.call_text(Module::Builtins, "_member_of", parts)?
                        }
                        None => return Err(self.no_attribute(&Value::Class(class.clone()), name)),
                    },
                }
            }
        })
    }

    /// The words of a class for help: its docstring, or None.
    fn doc_of(&self, class: &ClassRef) -> Value {
        class.program().and_then(|class| class.own("__doc__")).unwrap_or(Value::None)
    }

    /// The function of the program that `super(class, object).name()` calls with the object; nothing where something
    /// else stands there.
    pub(crate) fn super_method(
        &self,
        class: &Rc<Class>,
        object: &Value,
        name: &str,
    ) -> Option<Rc<Closure>> {
        let Value::Object(held) = object else { return None };
        let own = held.class.program()?;
        let behind = own.line.iter().filter_map(ClassRef::program);
        let mut line = std::iter::once(own).chain(behind);
        line.find(|at| Rc::ptr_eq(at, class))?;
        match line.find_map(|class| class.own(name))? {
            Value::Closure(function) => Some(function),
            _ => None,
        }
    }

    /// `super().name`
    pub(crate) fn super_attribute(
        &self,
        class: &Rc<Class>,
        object: &Value,
        name: &str,
    ) -> Result<Value, Fault> {
        let (line, of, instance) = match object {
            Value::Class(of) => (of.whole_line().collect(), ClassRef::Program(of.clone()), None),
            _ => {
                let of = self.class_of(object);
                (of.line(), of, Some(object))
            }
        };
        let start = ClassRef::Program(class.clone());
        let behind: Vec<ClassRef> =
            line.into_iter().skip_while(|at| *at != start).skip(1).collect();
        for class in behind.iter().filter_map(ClassRef::program) {
            if let Some(found) = class.own(name) {
                return match (&found, instance) {
                    // `__new__` takes the class that it is called with.
                    (_, None) => self.bind(found, None, &of),
                    _ => self.bind(found, instance, &of),
                };
            }
        }
        let registry = &self.interp.registry;
        let natives = behind.iter().filter(|class| class.program().is_none());
        for native in natives {
            if let Some(function) = registry.method(native.native(), name) {
                let receiver = match (native.native(), object) {
                    (Type::Object | Type::Error(_), _) => object.clone(),
                    (_, Value::Object(instance)) => native_receiver(instance, name),
                    _ => object.clone(),
                };
                if name == "__new__" {
                    return Ok(Value::Function(function.clone()));
                }
                let function = function.clone();
                return Ok(Value::Method(Rc::new(Method { receiver, function })));
            }
        }
        let message = format!("'super' object has no attribute '{name}'");
        Err(Fault::new(ErrorKind::Attribute, message))
    }

    #[cold]
    pub(crate) fn no_attribute(&self, value: &Value, name: &str) -> Fault {
        let message = match value {
            Value::Class(class) => {
                format!("type object '{}' has no attribute '{name}'", class.name)
            }
            Value::Type(of) => format!("type object '{}' has no attribute '{name}'", of.name()),
            _ => format!("'{}' object has no attribute '{name}'", value.type_name()),
        };
        let fault = attribute_error(message, value, name);
        let names = self.names_of_object(value);
        match did_you_mean(name, names.iter().map(String::as_str)) {
            Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    }

    /// The names that may follow the dot of an object or a class, but those with underscores around.
    pub(crate) fn names_of_object(&self, value: &Value) -> Vec<String> {
        let mut names = Vec::new();
        let class = match value {
            Value::Object(object) => {
                let fields = object.fields().borrow();
                names.extend(fields.keys().filter_map(|key| match key.value() {
                    Value::Str(name) => Some(name.to_string()),
                    _ => None,
                }));
                object.class.clone()
            }
            Value::Class(class) => ClassRef::Program(class.clone()),
            _ => return names,
        };
        for class in class.line() {
            match class {
                ClassRef::Program(class) => {
                    names.extend(class.namespace().keys().map(|name| name.to_string()));
                }
                ClassRef::Native(of) => {
                    names.extend(self.interp.registry.methods_of(of).map(str::to_owned));
                    if matches!(of, Type::Error(kind) if kind == ErrorKind::BaseException) {
                        names.push("args".to_owned());
                    }
                }
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// What a function or something else that can be called is called.
    pub(crate) fn name_of(&self, callable: &Value) -> String {
        match callable {
            Value::Closure(function) => function.code.qualified_name.to_string(),
            Value::Function(function) => function.name.clone(),
            Value::Class(class) => class.name.to_string(),
            other => other.type_name().to_owned(),
        }
    }

    /// What was found in classes before counts no more.
    pub(crate) fn note_class_change(&self) {
        let changes = &self.interp.class_changes;
        changes.set(changes.get() + 1);
    }
}

/// What a method of a built-in type is called with, of an object that extends it: the value of that type, but where
/// the class has a say about missing keys, or its name is shown.
fn native_receiver(object: &Rc<Instance>, name: &str) -> Value {
    match object.plain() {
        Some(plain) if !matches!(name, "__getitem__" | "__repr__") => plain.clone(),
        _ => Value::Object(object.clone()),
    }
}

/// The error of a property that is found in a class and only set.
#[cold]
fn no_getter(property: &Value, class: &ClassRef) -> Fault {
    let mut names = class.line().into_iter().filter_map(|class| {
        let names = class.program()?.namespace();
        names.iter().find(|(_, held)| held.is_same(property)).map(|(name, _)| format!("'{name}' "))
    });
    let (name, of) = (names.next().unwrap_or_default(), class.qualified_name());
    Fault::new(ErrorKind::Attribute, format!("property {name}of '{of}' object has no getter"))
}
