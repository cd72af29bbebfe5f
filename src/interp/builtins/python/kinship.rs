//! `isinstance` and `issubclass`: what is of a class.

use super::super::{Call, class_of_form, members_of};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::object::class::ClassRef;
use crate::interp::value::{Type, Value};

pub fn isinstance(call: &mut Call<'_>) -> Result<Value, Fault> {
    // What an error of the library is beside its public class counts here.
    let class = match call.value(0) {
        Value::Object(object) => object.class.clone(),
        value => call.evaluator.class_of(value),
    };
    let words = "isinstance() arg 2 must be a type, a tuple of types, or a union";
    let instance = Some(call.value(0));
    is_one_of(call, (&class, instance), &call.value(1).clone(), words).map(Value::Bool)
}

pub fn issubclass(call: &mut Call<'_>) -> Result<Value, Fault> {
    let classes = call.value(1).clone();
    is_subclass(call, 0, &classes).map(Value::Bool)
}

pub fn is_subclass(call: &Call<'_>, at: usize, classes: &Value) -> Result<bool, Fault> {
    let Some(class) = call.evaluator.as_class(call.value(at)) else {
        let fault = Fault::type_error("issubclass() arg 1 must be a class");
        return Err(call.fault_at(at, fault));
    };
    let words = "issubclass() arg 2 must be a class, a tuple of classes, or a union";
    is_one_of(call, (&class, None), classes, words)
}

/// Whether a class is one of others, or an instance of it is one of theirs.
fn is_one_of(
    call: &Call<'_>,
    (class, instance): (&ClassRef, Option<&Value>),
    classes: &Value,
    words: &str,
) -> Result<bool, Fault> {
    if let Some(members) = members_of(classes) {
        return is_one_of(call, (class, instance), &Value::tuple(members.to_vec()), words);
    }
    if let Some(class_of) = class_of_form(&call.evaluator, classes) {
        return is_one_of(call, (class, instance), &class_of, words);
    }
    match classes {
        _ if let Value::Tuple(classes) = classes.plain() => {
            let evaluator = call.evaluator;
            for other in classes.iter() {
                if evaluator.deeper("", || is_one_of(call, (class, instance), other, words))? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        // A union, `int | None`, may name it.
        Value::None => Ok(*class == ClassRef::Native(Type::None)),
        Value::DType(dtype) => Ok(scalar_type(instance) == Some(*dtype)),
        // NumPy's scalars of these two types are Python's numbers as well.
        Value::Type(Type::Float) if scalar_type(instance) == Some(DType::F64) => Ok(true),
        Value::Type(Type::Complex) if scalar_type(instance) == Some(DType::C128) => Ok(true),
        Value::Type(Type::Scalars(scalars)) if instance.is_some() => {
            Ok(scalar_type(instance).is_some_and(|dtype| scalars.holds(dtype)))
        }
        Value::Function(function) if let Some(walker) = function.walker() => {
            Ok(*class == ClassRef::Native(Type::Iterator(walker)))
        }
        _ => match call.evaluator.as_class(classes) {
            Some(other) if class.is_a(&other) => Ok(true),
            Some(ClassRef::Program(other)) if other.meta.is_some() => {
                // NumPy's scalars are of Python's tower of numbers.
                let number = scalar_type(instance).and_then(number_type);
                let number = number.filter(|_| TOWER.contains(&&*other.name)).map(ClassRef::Native);
                let is_said = says_so(call, (class, instance), Value::Class(other.clone()))?;
                match number {
                    Some(number) if !is_said => says_so(call, (&number, None), Value::Class(other)),
                    _ => Ok(is_said),
                }
            }
            Some(_) => Ok(false),
            None => Err(call.fault_at(1, Fault::type_error(words))),
        },
    }
}

/// The classes of `numbers`.
const TOWER: [&str; 5] = ["Number", "Complex", "Real", "Rational", "Integral"];

/// Python's type of numbers like those of a type of elements. Bools are none in NumPy.
fn number_type(dtype: DType) -> Option<Type> {
    match dtype {
        DType::Bool => None,
        _ if dtype.is_complex() => Some(Type::Complex),
        _ if dtype.is_float() => Some(Type::Float),
        _ => Some(Type::Int),
    }
}

/// The type of what NumPy would have a scalar for.
fn scalar_type(value: Option<&Value>) -> Option<DType> {
    match value {
        Some(Value::Tensor(number)) if number.is_scalar() => Some(number.dtype()),
        _ => None,
    }
}

/// What the class's metaclass says of a class that is not derived from it.
fn says_so(
    call: &Call<'_>,
    (class, instance): (&ClassRef, Option<&Value>),
    other: Value,
) -> Result<bool, Fault> {
    let evaluator = call.evaluator;
    let of_instance = instance
        .and_then(|instance| evaluator.call_special(&other, "__instancecheck__", [instance]));
    let answer = match of_instance {
        Some(answer) => Some(answer),
        None => evaluator.call_special(&other, "__subclasscheck__", [&class.value()]),
    };
    match answer {
        Some(answer) => Ok(evaluator.truth(&answer?)?),
        None => Ok(false),
    }
}
