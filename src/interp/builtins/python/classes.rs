//! What classes are made of: `object`, `property` and its kin, `super`, and the questions about
//! classes.

use std::rc::Rc;

use super::super::{Builtin, Call, Homes, Run};
use super::kinship::{is_subclass, isinstance, issubclass};
use crate::diag::{ErrorKind, Fault};
use crate::interp::object::about_of;
use crate::interp::object::class::ClassRef;
use crate::interp::object::instance::{Descriptor, Inner, Instance};
use crate::interp::value::{Type, Value};
use crate::interp::{Evaluator, hash};
use crate::syntax::ast::Ident;

const fn python(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::PYTHON)
}

const fn constructor(signature: &'static str, run: Run) -> Builtin {
    Builtin::new(signature, run).homes(Homes::CONSTRUCTOR)
}

const fn of(receiver: Type, signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    Builtin::new(signature, run).homes(Homes::NONE).method_of(receiver).doc(doc)
}

const fn of_object(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    of(Type::Object, signature, run, doc)
}

const fn of_property(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    of(Type::Property, signature, run, doc)
}

const fn of_exception(signature: &'static str, run: Run, doc: &'static str) -> Builtin {
    of(Type::Error(ErrorKind::BaseException), signature, run, doc)
}

pub const BUILTINS: &[Builtin] = &[
    constructor("object()", object)
        .doc("What every class is derived from; an object of its own without fields.")
        .example("object() == object()"),
    constructor("property(fget=None, fset=None, fdel=None, doc=None)", property)
        .doc("An attribute that functions get, set and delete. It decorates the first in a class.")
        .example("class A:\n    @property\n    def b(self):\n        return 3\nA().b"),
    constructor("staticmethod(function, /)", |call| {
        Ok(descriptor(Descriptor::StaticMethod(call.value(0).clone())))
    })
    .doc("A function in a class that takes no object.")
    .example("class A:\n    @staticmethod\n    def f(x):\n        return x + 1\nA.f(1)"),
    constructor("classmethod(function, /)", |call| {
        Ok(descriptor(Descriptor::ClassMethod(call.value(0).clone())))
    })
    .doc("A function in a class that takes the class in the place of an object.")
    .example("class A:\n    @classmethod\n    def f(cls):\n        return cls.__name__\nA.f()"),
    constructor("super(type=..., object_or_type=..., /)", super_of)
        .doc("The methods of what a class is derived from. In a method it needs no arguments.")
        .example("class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n        return super().f() + 1\nB().f()"),
    python("isinstance(obj, classinfo, /)", isinstance)
        .quick(super::quick::objects::isinstance)
        .doc("Whether a value is of a type or class, or of one of a tuple of them.")
        .example("isinstance(3, (int, float))"),
    python("issubclass(cls, classinfo, /)", issubclass)
        .doc("Whether a class is another, or derived from it, or from one of a tuple of them.")
        .example("issubclass(KeyError, LookupError)"),
    python("setattr(obj, name, value, /)", setattr)
        .quick_change(super::quick::objects::setattr)
        .doc("Sets an attribute by its name.")
        .example("class A:\n    pass\na = A()\nsetattr(a, \"b\", 3)\na.b"),
    python("delattr(obj, name, /)", delattr)
        .doc("Deletes an attribute by its name.")
        .example("class A:\n    b = 3\ndelattr(A, \"b\")\nhasattr(A, \"b\")"),
    python("globals()", |call| variables(&call.evaluator))
        .doc("The variables of the session as a dictionary, which is a copy.")
        .example("x = 3\n\"x\" in globals()"),
    python("locals()", |call| variables(&call.evaluator))
        .doc("The variables of the function that asks as a dictionary, which is a copy; at the level of a cell the session's.")
        .example("def f(a):\n    b = 2\n    return locals()\nf(1)"),
    python("vars(obj=..., /)", vars)
        .doc("The fields of an object as a dictionary; without one, the variables.")
        .example("class A:\n    pass\na = A()\na.b = 3\nvars(a)"),
];

pub const METHODS: &[Builtin] = &[
    of_object("__init__(self, /, *args, **kwargs)", init, "What makes a new object ready."),
    of_object("__new__(cls, /, *args, **kwargs)", new, "A new object, before it is made ready."),
    of_object(
        "__repr__(self, /)",
        |call| match call.value(0) {
            Value::Object(object) => Ok(Value::str(call.evaluator.plain_repr(object)?)),
            other => Ok(Value::str(call.evaluator.try_repr(other)?)),
        },
        "The object as a text for programmers.",
    ),
    of_object(
        "__str__(self, /)",
        |call| match call.value(0) {
            Value::Object(object) if object.exception().is_some() => {
                Ok(Value::str(call.evaluator.plain_str(object)?))
            }
            other => Ok(Value::str(call.evaluator.try_repr(other)?)),
        },
        "The object as a text.",
    ),
    of_object(
        "__format__(self, format_spec, /)",
        |call| {
            let Value::Object(object) = call.value(0) else {
                return Ok(Value::str(call.evaluator.format(call.value(0), call.str(1)?)?));
            };
            match call.str(1)? {
                "" => Ok(Value::str(call.evaluator.object_str(object)?)),
                _ => Err(Fault::type_error(format!(
                    "unsupported format string passed to {}.__format__",
                    object.class.name()
                ))),
            }
        },
        "The object as a text under a specification.",
    ),
    of_object(
        "__eq__(self, other, /)",
        |call| Ok(same(call).unwrap_or(Value::NotImplemented)),
        "Whether both are one object.",
    ),
    of_object(
        "__ne__(self, other, /)",
        |call| Ok(same(call).map_or(Value::NotImplemented, |_| Value::Bool(false))),
        "Whether they are not one object.",
    ),
    of_object(
        "__hash__(self, /)",
        |call| match call.value(0) {
            Value::Object(object) => {
                Ok(Value::Int((Rc::as_ptr(object).cast::<()>() as usize >> 4) as i64))
            }
            other => Ok(Value::Int(hash::of(call.evaluator.key(other)?.value()))),
        },
        "A number for the object itself.",
    ),
    of_object(
        "__getattribute__(self, name, /)",
        |call| match call.value(0) {
            Value::Object(object) => call.evaluator.stored_attribute(object, call.str(1)?),
            other => Ok(call.evaluator.attribute(other, call.str(1)?)?),
        },
        "An attribute by its name.",
    ),
    of_object(
        "__setattr__(self, name, value, /)",
        |call| {
            let value = call.value(2).clone();
            match call.value(0) {
                Value::Object(object) => {
                    call.evaluator.store_attribute(object, call.str(1)?, value)?;
                }
                other => call.evaluator.set_attribute(other, call.str(1)?, value)?,
            }
            Ok(Value::None)
        },
        "Sets an attribute by its name.",
    )
    .quick_change(super::quick::objects::object_setattr),
    of_object(
        "__delattr__(self, name, /)",
        |call| {
            match call.value(0) {
                Value::Object(object) => {
                    call.evaluator.remove_attribute(object, call.str(1)?)?;
                }
                other => call.evaluator.delete_attribute(other, &Ident::from(call.str(1)?))?,
            }
            Ok(Value::None)
        },
        "Deletes an attribute by its name.",
    ),
    of_object(
        "__dir__(self, /)",
        |call| {
            let names = call.evaluator.attributes_of(call.value(0));
            Ok(Value::list(names.iter().map(Value::str).collect()))
        },
        "The names that may follow its dot.",
    ),
    of_object(
        "__init_subclass__(cls, /)",
        |_| Ok(Value::None),
        "Is called for every class that is derived.",
    ),
    of_exception("add_note(self, note, /)", add_note, "Adds a line to what the exception says."),
    of_exception(
        "with_traceback(self, tb, /)",
        |call| Ok(call.value(0).clone()),
        "The exception itself: it keeps its place.",
    ),
    of(
        Type::Type,
        "mro(self, /)",
        mro,
        "The classes in which names are looked up, in their order.",
    ),
    of(
        Type::Type,
        "__subclasscheck__(self, cls, /)",
        |call| {
            let class = call.value(0).clone();
            is_subclass(call, 1, &class).map(Value::Bool)
        },
        "Whether a class is derived from this one.",
    ),
    of_property(
        "getter(self, fget, /)",
        |call| with(call, 0),
        "The property with another function that gets it.",
    ),
    of_property(
        "setter(self, fset, /)",
        |call| with(call, 1),
        "The property with a function that sets it.",
    ),
    of_property(
        "deleter(self, fdel, /)",
        |call| with(call, 2),
        "The property with a function that deletes it.",
    ),
];

fn descriptor(descriptor: Descriptor) -> Value {
    Value::Descriptor(Rc::new(descriptor))
}

fn own(call: &Call<'_>) -> Result<Rc<Instance>, Fault> {
    match call.value(0) {
        Value::Object(object) => Ok(object.clone()),
        _ => Err(call.wrong_type(0, "an object of a class")),
    }
}

fn same(call: &Call<'_>) -> Option<Value> {
    call.value(0).is_same(call.value(1)).then_some(Value::Bool(true))
}

fn object(_: &mut Call<'_>) -> Result<Value, Fault> {
    Ok(Value::Object(Rc::new(Instance::new(ClassRef::Native(Type::Object), Inner::None))))
}

fn property(call: &mut Call<'_>) -> Result<Value, Fault> {
    let part = |at: usize| call.value(at).clone();
    Ok(descriptor(Descriptor::Property {
        get: part(0),
        set: part(1),
        delete: part(2),
        doc: match (call.value(0), call.value(3)) {
            (Value::Closure(get), Value::None) => get.doc(),
            (_, doc) => doc.clone(),
        },
    }))
}

fn with(call: &mut Call<'_>, part: usize) -> Result<Value, Fault> {
    let given = call.value(1).clone();
    let Value::Descriptor(property) = call.value(0) else {
        return Err(call.wrong_type(0, "a property"));
    };
    let Descriptor::Property { get, set, delete, doc } = &**property else {
        return Err(call.wrong_type(0, "a property"));
    };
    let mut parts = [get.clone(), set.clone(), delete.clone()];
    parts[part] = given;
    let [get, set, delete] = parts;
    Ok(descriptor(Descriptor::Property { get, set, delete, doc: doc.clone() }))
}

fn super_of(call: &mut Call<'_>) -> Result<Value, Fault> {
    if !call.given(0) {
        return Err(Fault::new(ErrorKind::Runtime, "super(): no arguments")
            .with_hint("without arguments it stands in a method of a class"));
    }
    let Value::Class(class) = call.value(0) else {
        return Err(call.wrong_type(0, "a class of the program"));
    };
    let object = if call.given(1) { call.value(1).clone() } else { Value::None };
    let fits = match &object {
        Value::None => true,
        Value::Class(of) => ClassRef::Program(of.clone()).is_a(&ClassRef::Program(class.clone())),
        _ => call.evaluator.class_of(&object).is_a(&ClassRef::Program(class.clone())),
    };
    if !fits {
        let message = "super(type, obj): obj must be an instance or subtype of type";
        return Err(call.fault_at(1, Fault::type_error(message)));
    }
    Ok(descriptor(Descriptor::Super { class: class.clone(), object }))
}

fn setattr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let (name, value) = (Ident::from(call.str(1)?), call.value(2).clone());
    call.evaluator.set_attribute(call.value(0), &name, value)?;
    Ok(Value::None)
}

fn delattr(call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = Ident::from(call.str(1)?);
    call.evaluator.delete_attribute(call.value(0), &name)?;
    Ok(Value::None)
}

fn variables(evaluator: &Evaluator<'_>) -> Result<Value, Fault> {
    let scope = evaluator.interp.scope.borrow();
    let mut names: Vec<(Ident, Value)> =
        scope.iter().map(|(name, value)| (name.clone(), value)).collect();
    names.sort_by(|a, b| a.0.cmp(&b.0));
    let entries =
        names.into_iter().map(|(name, value)| Ok((evaluator.key(&Value::str(&name))?, value)));
    let entries = entries.collect::<Result<crate::interp::value::Entries, Fault>>()?;
    Ok(Value::Dict(Rc::new(entries.into())))
}

fn vars(call: &mut Call<'_>) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    if !call.given(0) {
        return variables(&evaluator);
    }
    match evaluator.attribute(call.value(0), "__dict__") {
        Ok(fields) => Ok(fields),
        Err(_) => {
            let fault = Fault::type_error("vars() argument must have __dict__ attribute");
            Err(call.fault_at(0, fault))
        }
    }
}

fn init(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Value::Object(object) = call.value(0) else {
        let plain = call.value(0).clone();
        return fill(call, &plain);
    };
    let object = object.clone();
    match &object.inner {
        Inner::Exception(state) => {
            let given = call.rest().iter().map(|argument| argument.value.clone());
            let given: Vec<Value> = given.collect();
            let mut state = state.change(&call.evaluator.interp.journal);
            state.args = given.into();
            if let Some(about) = about_of(state.kind, call.extra()) {
                state.about = Some(about);
            }
        }
        Inner::Value(plain) => return fill(call, plain),
        Inner::None if call.rest().is_empty() && call.extra().is_empty() => {}
        Inner::None => {
            let has = |method| call.evaluator.find_in(&object.class, method).is_some();
            let of = match (has("__init__"), has("__new__")) {
                (true, _) => "object",
                (false, false) => object.class.name(),
                // They were its `__new__`'s.
                (false, true) => return Ok(Value::None),
            };
            let words = "takes exactly one argument (the instance to initialize)";
            return Err(Fault::type_error(format!("{of}.__init__() {words}")));
        }
    }
    Ok(Value::None)
}

/// Puts into a container what its class makes of the arguments.
fn fill(call: &mut Call<'_>, plain: &Value) -> Result<Value, Fault> {
    let evaluator = call.evaluator;
    let journal = &evaluator.interp.journal;
    let given: Vec<Value> = call.rest().iter().map(|argument| argument.value.clone()).collect();
    let named = call.extra().iter();
    let named = named.filter_map(|argument| Some((argument.name.clone()?, argument.value.clone())));
    match plain {
        // What a dictionary has stays.
        _ if matches!(plain.type_of(), Type::Dict | Type::OrderedDict | Type::Counter) => {
            let update = evaluator.attribute(plain, "update")?;
            evaluator.call_value(&update, given, named)?;
        }
        _ if plain.type_of().is_filled_by_init() => {
            let filled = evaluator.call_value(&Value::Type(plain.type_of()), given, named)?;
            match (plain, &filled) {
                (Value::List(list), Value::List(filled)) => {
                    let items = filled.borrow().clone();
                    *list.change(journal) = items;
                }
                (Value::Set(set), Value::Set(filled)) => {
                    let members = filled.borrow().clone();
                    *set.change(journal) = members;
                }
                (Value::Opaque(own), _) => own.part().fill(&evaluator, &filled),
                _ => {}
            }
        }
        _ => {}
    }
    Ok(Value::None)
}

fn new(call: &mut Call<'_>) -> Result<Value, Fault> {
    let Some(class) = call.evaluator.as_class(call.value(0)) else {
        return Err(
            call.fault_at(0, Fault::type_error("object.__new__(X): X is not a type object"))
        );
    };
    let arguments = call.rest().to_vec();
    if class.native() == Type::Object && !(arguments.is_empty() && call.extra().is_empty()) {
        let has = |method| call.evaluator.find_in(&class, method).is_some();
        if has("__new__") {
            let words = "object.__new__() takes exactly one argument (the type to instantiate)";
            return Err(Fault::type_error(words));
        }
        if !has("__init__") {
            return Err(Fault::type_error(format!("{}() takes no arguments", class.name())));
        }
    }
    Ok(call.evaluator.new_instance(class, Some(&arguments), true, call.span_of(0))?)
}

fn add_note(call: &mut Call<'_>) -> Result<Value, Fault> {
    let object = own(call)?;
    let note = call.value(1).clone();
    if !matches!(note.plain(), Value::Str(_)) {
        let message = format!("note must be a str, not '{}'", note.type_name());
        return Err(call.fault_at(1, Fault::type_error(message)));
    }
    let journal = &call.evaluator.interp.journal;
    match object.field("__notes__") {
        Some(Value::List(notes)) => notes.change(journal).push(note),
        _ => {
            let notes = Value::list(vec![note]);
            call.evaluator.store_attribute(&object, "__notes__", notes)?;
        }
    }
    Ok(Value::None)
}

fn mro(call: &mut Call<'_>) -> Result<Value, Fault> {
    let class = call.evaluator.as_class(call.value(0));
    let line = class.map(|class| class.line()).unwrap_or_default();
    Ok(Value::list(line.iter().map(ClassRef::value).collect()))
}
