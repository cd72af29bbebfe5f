//! Making classes, and objects of them.

use std::rc::Rc;

use super::class::{Class, ClassRef, Namespace};
use super::ends::Watch;
use super::exception::{Exception, json_parts};
use super::instance::{Inner, Instance};
use crate::diag::{ErrorKind, Fault, SourceResult, Span};
use crate::interp::builtins::{Argument, Arguments};
use crate::interp::value::{Type, Value};
use crate::interp::{Evaluator, eval};
use crate::syntax::ast::Ident;

impl Evaluator<'_> {
    /// What a `class` statement makes of its bases and of what stands in it. `made` is told of the
    /// class before anything of the program is called.
    ///
    /// # Errors
    /// TypeError for bases that are none or do not go together, and what `__init_subclass__` and
    /// `__set_name__` bring up.
    pub fn make_class(
        &self,
        (name, qualified_name): (&Ident, &Ident),
        bases: &[Value],
        mut keywords: Vec<(Ident, Value)>,
        mut namespace: Namespace,
        made: impl FnOnce(&Value),
    ) -> Result<Value, Fault> {
        let mut parents = Vec::new();
        for base in bases {
            // `list[int]` is a base as `list` is.
            let of_alias = match base {
                Value::Opaque(alias) => alias.part().attribute("__origin__"),
                _ => None,
            };
            match self.as_class(of_alias.as_ref().unwrap_or(base)) {
                Some(ClassRef::Native(Type::Type)) => return Err(no_metaclasses()),
                Some(class) if parents.contains(&class) => {
                    let message = format!("duplicate base class {}", class.name());
                    return Err(Fault::type_error(message));
                }
                Some(class) => parents.push(class),
                None => {
                    let found = base.type_name();
                    let message =
                        format!("a base of class '{name}' must be a class, found {found}");
                    return Err(Fault::type_error(message));
                }
            }
        }
        let mut meta = None;
        if let Some(at) = keywords.iter().position(|(name, _)| &**name == "metaclass") {
            meta = Some(as_metaclass(&keywords.remove(at).1).ok_or_else(no_metaclasses)?);
        }
        // What compares by value is found by it, or not at all.
        if namespace.contains_key("__eq__") && !namespace.contains_key("__hash__") {
            namespace.insert("__hash__".into(), Value::None);
        }
        for name in ["__init_subclass__", "__class_getitem__"] {
            if let Some(function @ Value::Closure(_)) = namespace.get(name).cloned() {
                let method = super::instance::Descriptor::ClassMethod(function);
                namespace.insert(name.into(), Value::Descriptor(Rc::new(method)));
            }
        }
        let named: Vec<(Ident, Value)> = namespace
            .iter()
            .filter(|(_, value)| self.special(value, "__set_name__").is_some())
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let class = Class::new(name.clone(), qualified_name.clone(), parents, namespace, meta)?;
        self.interp.has_classes.set(true);
        let value = Value::Class(class.clone());
        made(&value);
        for (name, held) in named {
            if let Some(done) =
                self.call_special(&held, "__set_name__", [&value, &Value::str(&name)])
            {
                done?;
            }
        }
        self.tell_bases(&class, &value, keywords)?;
        self.call_special(&value, "__init__", []).transpose()?;
        Ok(value)
    }

    /// Calls the `__init_subclass__` of what a class is derived from.
    fn tell_bases(
        &self,
        class: &Class,
        value: &Value,
        keywords: Vec<(Ident, Value)>,
    ) -> Result<(), Fault> {
        let programs = class.line.iter().filter_map(ClassRef::program);
        let found = programs.into_iter().find_map(|class| class.own("__init_subclass__"));
        let Some(method) = found else {
            return match keywords.first() {
                None => Ok(()),
                Some((name, _)) => Err(Fault::type_error(format!(
                    "{}.__init_subclass__() takes no keyword arguments (got '{name}')",
                    class.name
                ))),
            };
        };
        let Some(own) = self.as_class(value) else { return Ok(()) };
        let method = self.bind(method, None, &own)?;
        self.call_value(&method, [], keywords).map(drop)
    }

    /// Calls a class, a method of an object, or an object that can be called.
    pub(crate) fn call_object(
        &self,
        callee: &Value,
        mut arguments: Arguments,
        span: Span,
    ) -> SourceResult<Value> {
        match callee {
            Value::Class(class) => self.construct(class, arguments, span),
            Value::Type(of) => {
                self.new_instance(ClassRef::Native(*of), Some(&arguments), false, span)
            }
            Value::Bound(bound) => {
                let value = bound.receiver.clone();
                arguments.insert(0, Argument { name: None, value, span });
                self.call_ready(&bound.callable, arguments, span)
            }
            _ => {
                let Some(method) = self.special(callee, "__call__") else {
                    let message = format!("'{}' object is not callable", callee.type_name());
                    return Err(Fault::type_error(message).placed(span));
                };
                let method = self.bind(method, Some(callee), &self.class_of(callee));
                let method = method.map_err(|fault| fault.placed(span))?;
                self.call_ready(&method, arguments, span)
            }
        }
    }

    /// `Class(arguments)`
    pub(crate) fn construct(
        &self,
        class: &Rc<Class>,
        arguments: Arguments,
        span: Span,
    ) -> SourceResult<Value> {
        let own = ClassRef::Program(class.clone());
        let target = Value::Class(class.clone());
        if let Some(call) = self.special(&target, "__call__") {
            let call = self.bind(call, Some(&target), &own).map_err(|fault| fault.placed(span))?;
            return self.call_ready(&call, arguments, span);
        }
        let init = self.find_in(&own, "__init__");
        let made = match self.find_in(&own, "__new__") {
            Some(new) => {
                let new = self.bind(new, None, &own).map_err(|fault| fault.placed(span))?;
                let mut all = arguments.clone();
                all.insert(0, Argument { name: None, value: Value::Class(class.clone()), span });
                let made = self.call_ready(&new, all, span)?;
                match self.class_of(&made).is_a(&own) {
                    true => made,
                    false => return Ok(made),
                }
            }
            None => {
                let given = if init.is_some() {
                    self.given_to_base(class, &arguments)
                } else {
                    Some(&arguments)
                };
                self.new_instance(own.clone(), given, init.is_some(), span)?
            }
        };
        if let Some(init) = init {
            let init = self.bind(init, Some(&made), &own).map_err(|fault| fault.placed(span))?;
            let result = self.call_ready(&init, arguments, span)?;
            if !matches!(result, Value::None) {
                return Err(not_none(&result).placed(span));
            }
        }
        Ok(made)
    }

    /// The arguments of a class with an `__init__` that its built-in base takes: a number or a text
    /// takes them where it is made, a container when its own `__init__` is called.
    pub(crate) fn given_to_base<'g>(
        &self,
        class: &Class,
        arguments: &'g Arguments,
    ) -> Option<&'g Arguments> {
        (!class.native.is_filled_by_init()).then_some(arguments)
    }

    /// Why there are no objects of a class: it leaves methods to the classes derived from it.
    fn is_abstract(&self, class: &ClassRef) -> Option<Fault> {
        class.program()?.meta.as_ref()?;
        let Some(Value::Tuple(names)) = self.find_in(class, "__abstractmethods__") else {
            return None;
        };
        let names: Vec<String> = names.iter().filter_map(|name| self.try_str(name).ok()).collect();
        let many = if names.len() == 1 { "" } else { "s" };
        let message = format!(
            "Can't instantiate abstract class {} with abstract method{many} {}",
            class.name(),
            names.join(", ")
        );
        (!names.is_empty()).then(|| Fault::type_error(message))
    }

    /// An object of a class before its `__init__`. `given` are the arguments for a built-in base;
    /// `takes_any` says that they are for an `__init__` of the program's.
    pub(crate) fn new_instance(
        &self,
        mut class: ClassRef,
        given: Option<&Arguments>,
        takes_any: bool,
        span: Span,
    ) -> SourceResult<Value> {
        if let Some(fault) = self.is_abstract(&class) {
            return Err(fault.placed(span));
        }
        let none = Arguments::new();
        let given = given.unwrap_or(&none);
        let mut fields = None;
        let inner = match class.native() {
            Type::Error(kind) => {
                let args = given.iter().filter(|argument| argument.name.is_none());
                let args: Vec<Value> = args.map(|argument| argument.value.clone()).collect();
                let about = if takes_any { None } else { about_of(kind, given) };
                let named = given.iter().find(|argument| argument.name.is_some());
                if let Some(argument) = named.filter(|_| !takes_any && about.is_none()) {
                    let message = format!("{}() takes no keyword arguments", class.name());
                    return Err(eval::placed(Fault::type_error(message), argument.span));
                }
                let mut kind = kind;
                if let (ClassRef::Native(_), ErrorKind::Os, [Value::Int(number), _, ..]) =
                    (&class, kind, &args[..])
                {
                    kind = ErrorKind::of_errno(*number);
                    class = ClassRef::Native(Type::Error(kind));
                }
                if kind.is_a(ErrorKind::BaseExceptionGroup) {
                    let made = self.group_of(class, &args);
                    let (of, parts) = made.map_err(|fault| eval::placed(fault, span))?;
                    if let Type::Error(of) = of.native() {
                        kind = of;
                    }
                    (class, fields) = (of, Some(parts));
                }
                let args = match (&args[..], kind) {
                    (
                        [Value::Str(words), Value::Str(text), Value::Int(at)],
                        ErrorKind::JsonDecode,
                    ) => {
                        let at = usize::try_from(*at).unwrap_or(0);
                        let (message, parts) = json_parts(words, text, at);
                        fields = Some(parts);
                        vec![Value::str(message)]
                    }
                    _ => args,
                };
                let made = Exception { about, ..Exception::new(kind, args.into()) };
                Inner::Exception(Rc::new(self.made(made)))
            }
            Type::Object => {
                if let Some(first) = given.first().filter(|_| !takes_any) {
                    let message = format!("{}() takes no arguments", class.name());
                    return Err(eval::placed(Fault::type_error(message), first.span));
                }
                Inner::None
            }
            native => {
                let value = self.call_ready(&Value::Type(native), given.clone(), span)?;
                Inner::Value(value)
            }
        };
        let mut object = Instance::made_in(&self.interp.journal, class, inner);
        if let Some(fields) = fields {
            object.set_fields(Rc::new(fields.into()));
        }
        if let ClassRef::Program(class) = &object.class
            && class.has_end(self.interp.class_changes.get())
        {
            object.watch(Some(Watch::new(&self.interp.ends)));
        }
        Ok(Value::Object(Rc::new(object)))
    }
}

/// What an AttributeError, an ImportError or a NameError is told to be about; `None` of any other argument by name.
pub fn about_of(kind: ErrorKind, given: &[Argument]) -> Option<Box<[Value; 2]>> {
    let second = match kind {
        _ if kind.is_a(ErrorKind::Attribute) => "obj",
        _ if kind.is_a(ErrorKind::Import) => "path",
        _ if kind.is_a(ErrorKind::Name) => "",
        _ => return None,
    };
    let mut about = None;
    for argument in given {
        let Some(name) = &argument.name else { continue };
        let at = ["name", second].iter().position(|known| **known == **name)?;
        about.get_or_insert_with(|| Box::new([Value::None, Value::None]))[at] =
            argument.value.clone();
    }
    about
}

/// A class as the `metaclass` of others: some of the library's are made for it.
fn as_metaclass(value: &Value) -> Option<Rc<Class>> {
    match value {
        Value::Class(class) if class.own("__is_metaclass__").is_some() => Some(class.clone()),
        _ => None,
    }
}

#[cold]
pub fn not_none(result: &Value) -> Fault {
    let found = result.type_name();
    Fault::type_error(format!("__init__() should return None, not '{found}'"))
}

#[cold]
fn no_metaclasses() -> Fault {
    Fault::type_error("metaclasses are not in the language")
        .with_hint("a class decorator or `__init_subclass__` can change a class when it is made")
}
