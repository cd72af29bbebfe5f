//! What values are, and the fields of objects.

use crate::diag::ErrorKind;
use crate::interp::Evaluator;
use crate::interp::hash;
use crate::interp::object::class::{Class, ClassRef};
use crate::interp::object::instance::Instance;
use crate::interp::object::member::Member;
use crate::interp::value::{Sought, Type, Value};
use crate::interp::vm::register::{put, put_bool, put_copy, put_int};

/// `isinstance(value, class)`, or of one of several
pub fn isinstance(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let is_one = match arguments {
        [value, Value::Tuple(classes)] => {
            let mut answers = classes.iter().map(|class| is_of(value, class));
            answers.try_fold(false, |is_one, answer| Some(is_one | answer?))?
        }
        [value, class] => is_of(value, class)?,
        _ => return None,
    };
    put_bool(to, is_one);
    Some(())
}

fn is_of(value: &Value, class: &Value) -> Option<bool> {
    Some(match (value, class) {
        (Value::Object(object), Value::Class(class)) if class.meta.is_none() => {
            object.class.is_a(&ClassRef::Program(class.clone()))
        }
        (Value::Object(_), _) => return None,
        (_, Value::Type(Type::Scalars(_))) => return None,
        (Value::Tensor(_), Value::Type(Type::Float | Type::Complex)) => return None,
        (value, Value::Type(of)) => value.type_of().is_a(*of),
        _ => return None,
    })
}

/// `type(value)`
pub fn type_of(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [value] = arguments else { return None };
    put(to, evaluator.class_of(value).value());
    Some(())
}

/// `hash(value)` of a number, a text, or a tuple of some
pub fn hash_of(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let hash = match arguments {
        [value @ (Value::Int(_) | Value::Float(_) | Value::Str(_))] => hash::of(value),
        [value @ Value::Tuple(items)] if Sought::of_items(items).is_some() => hash::of(value),
        _ => return None,
    };
    put_int(to, hash);
    Some(())
}

/// `getattr(object, name, default)` of a field
pub fn getattr(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let (object, name, default) = match arguments {
        [Value::Object(object), Value::Str(name)] => (object, name, None),
        [Value::Object(object), Value::Str(name), default] => (object, name, Some(default)),
        _ => return None,
    };
    match field(evaluator, object, name)? {
        Some(value) => put(to, value),
        None => put_copy(to, default?),
    }
    Some(())
}

/// `hasattr(object, name)`
pub fn hasattr(evaluator: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let [Value::Object(object), Value::Str(name)] = arguments else { return None };
    let is_there = field(evaluator, object, name)?.is_some();
    put_bool(to, is_there);
    Some(())
}

/// `setattr(object, name, value)` of a field
pub fn setattr(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let member = |class: &Class, name: &str| evaluator.member_to_set(class, name);
    set(evaluator, arguments, to, is_last, member)
}

/// `object.__setattr__(name, value)` of a field
pub fn object_setattr(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
) -> Option<()> {
    let member = |class: &Class, name: &str| evaluator.member_to_store(class, name);
    set(evaluator, arguments, to, is_last, member)
}

fn set(
    evaluator: Evaluator<'_>,
    arguments: &[Value],
    to: &mut Value,
    is_last: bool,
    member: impl FnOnce(&Class, &str) -> Option<Member>,
) -> Option<()> {
    let [Value::Object(object), Value::Str(name), value] = arguments else { return None };
    let Member::Field(field) = member(object.class.program()?, name)? else { return None };
    let before = |fields: &_| field.step(fields);
    let mut fields = evaluator.step_at_once(object.fields(), value, is_last, before);
    field.add(&mut fields, value.clone());
    put(to, Value::None);
    Some(())
}

/// What an object holds under a name; nothing where neither it nor its class has anything there. `None` where
/// only a lookup tells.
fn field(evaluator: Evaluator<'_>, object: &Instance, name: &str) -> Option<Option<Value>> {
    let class = object.class.program()?;
    let changes = evaluator.interp.class_changes.get();
    let has = |name: &str| class.find(name, changes).is_some();
    if has(name) || has("__getattribute__") {
        return None;
    }
    match object.field(name) {
        Some(value) => Some(Some(value)),
        None if class.native != Type::Object || name.starts_with("__") || has("__getattr__") => {
            None
        }
        None => Some(None),
    }
}

/// `str(exception)` of one that says but a text
pub fn str_of_exception(object: &Instance, to: &mut Value) -> Option<()> {
    let ClassRef::Native(_) = object.class else { return None };
    let state = object.exception()?.borrow();
    match &*state.args {
        [text @ Value::Str(_)] if !state.kind.is_a(ErrorKind::Key) => put_copy(to, text),
        _ => return None,
    }
    Some(())
}
