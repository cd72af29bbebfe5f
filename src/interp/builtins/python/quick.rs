//! Ways around binding arguments, for what loops call most.

pub mod containers;
pub mod text;

use std::rc::Rc;

use crate::dtype::Scalar;
use crate::interp::Evaluator;
use crate::interp::object::class::ClassRef;
use crate::interp::scalar::push_int;
use crate::interp::value::{Range, Type, Value};

/// Begins the transaction of a simple statement that has changed nothing so far.
#[inline]
fn begin(evaluator: Evaluator<'_>) {
    if !evaluator.interp.is_in_transaction() {
        evaluator.interp.begin();
    }
}

/// `len(container)`
pub fn len(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let count = match arguments {
        [Value::List(items)] => items.borrow().len(),
        [Value::Tuple(items)] => items.len(),
        [Value::Dict(entries)] => entries.borrow().len(),
        [Value::Str(text)] => text.count(),
        [Value::Tensor(tensor)] => *tensor.shape().first()?,
        _ => return None,
    };
    Some(Value::Int(count as i64))
}

/// `abs(number)`
pub fn abs(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Int(number)] => number.checked_abs().map(Value::Int),
        [Value::Float(number)] => Some(Value::Float(number.abs())),
        _ => None,
    }
}

/// `range(stop)` and its kin
pub fn range(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let (start, stop, step) = match arguments {
        [Value::Int(stop)] => (0, *stop, 1),
        [Value::Int(start), Value::Int(stop)] => (*start, *stop, 1),
        [Value::Int(start), Value::Int(stop), Value::Int(step)] if *step != 0 => {
            (*start, *stop, *step)
        }
        _ => return None,
    };
    Some(Value::Range(Rc::new(Range { start, stop, step })))
}

/// `float(number)`
pub fn float(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Float(number)] => Some(Value::Float(*number)),
        [Value::Int(number)] => Some(Value::Float(*number as f64)),
        [Value::Tensor(tensor)] => tensor.number().map(|number| Value::Float(number.as_f64())),
        _ => None,
    }
}

/// `int(number)`
pub fn int(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let number = match arguments {
        [Value::Tensor(tensor)] => tensor.number()?,
        [number] => number.scalar()?,
        _ => return None,
    };
    match number {
        // Every float below has an integer of 64 bits.
        Scalar::Float(number) if number.abs() < 9e18 => Some(Value::Int(number as i64)),
        Scalar::Float(_) => None,
        Scalar::Wide(number) => Some(Value::Wide(number)),
        number => Some(Value::Int(number.as_i64())),
    }
}

/// `tensor.item()`
pub fn item(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Tensor(tensor)] => tensor.number().map(Value::from),
        _ => None,
    }
}

/// `min(a, b)` of numbers of one type
pub fn min(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Int(a), Value::Int(b)] => Some(Value::Int(*a.min(b))),
        [Value::Float(a), Value::Float(b)] => Some(Value::Float(if b < a { *b } else { *a })),
        _ => None,
    }
}

/// `max(a, b)` of numbers of one type
pub fn max(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Int(a), Value::Int(b)] => Some(Value::Int(*a.max(b))),
        [Value::Float(a), Value::Float(b)] => Some(Value::Float(if b > a { *b } else { *a })),
        _ => None,
    }
}

/// `isinstance(value, class)`
pub fn isinstance(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    let is_one = match arguments {
        [Value::Object(object), Value::Class(class)] if class.meta.is_none() => {
            object.class.is_a(&ClassRef::Program(class.clone()))
        }
        [Value::Object(_), _] => return None,
        [_, Value::Type(Type::Scalars(_))] => return None,
        [value, Value::Type(of)] => value.type_of().is_a(*of),
        _ => return None,
    };
    Some(Value::Bool(is_one))
}

/// `str(value)` of a number or a text
pub fn str(_: Evaluator<'_>, arguments: &[Value]) -> Option<Value> {
    match arguments {
        [Value::Int(number)] => {
            let mut text = String::with_capacity(20);
            push_int(&mut text, *number);
            Some(Value::Str(text.into()))
        }
        [Value::Str(text)] => Some(Value::Str(text.clone())),
        _ => None,
    }
}
