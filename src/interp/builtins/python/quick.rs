//! Ways around binding arguments, for what loops call most.

pub mod containers;
pub mod iterators;
pub mod numbers;
pub mod objects;
pub mod substitute;
pub mod text;

use std::rc::Rc;

use crate::dtype::Scalar;
use crate::interp::Evaluator;
use crate::interp::value::{Range, Value};
use crate::interp::vm::register::{put, put_copy, put_float, put_int};

/// `len(container)`
pub fn len(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let count = match arguments {
        [Value::List(items)] => items.borrow().len(),
        [Value::Tuple(items)] => items.len(),
        [Value::Dict(entries)] => entries.borrow().len(),
        [Value::Str(text)] => text.count(),
        [Value::Tensor(tensor)] => *tensor.shape().first()?,
        _ => return None,
    };
    put_int(to, count as i64);
    Some(())
}

/// `abs(number)`
pub fn abs(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    match arguments {
        [Value::Int(number)] => put_int(to, number.checked_abs()?),
        [Value::Float(number)] => put_float(to, number.abs()),
        _ => return None,
    }
    Some(())
}

/// `range(stop)` and its kin
pub fn range(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let (start, stop, step) = match arguments {
        [Value::Int(stop)] => (0, *stop, 1),
        [Value::Int(start), Value::Int(stop)] => (*start, *stop, 1),
        [Value::Int(start), Value::Int(stop), Value::Int(step)] if *step != 0 => {
            (*start, *stop, *step)
        }
        _ => return None,
    };
    put(to, Value::Range(Rc::new(Range { start, stop, step })));
    Some(())
}

/// `float(number)`
pub fn float(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    match arguments {
        [Value::Float(number)] => put_float(to, *number),
        [Value::Int(number)] => put_float(to, *number as f64),
        [Value::Str(text)] => put_float(to, numbers::read_float(text)?),
        [Value::Tensor(tensor)] => put_float(to, tensor.number()?.as_f64()),
        _ => return None,
    }
    Some(())
}

/// `int(number)`
pub fn int(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    let number = match arguments {
        [Value::Str(text)] => Scalar::Int(numbers::read_int(text)?),
        [Value::Tensor(tensor)] => tensor.number()?,
        [number] => number.scalar()?,
        _ => return None,
    };
    match number {
        // Every float below has an integer of 64 bits.
        Scalar::Float(number) if number.abs() < 9e18 => put_int(to, number as i64),
        Scalar::Float(_) => return None,
        Scalar::Wide(number) => put(to, Value::Wide(number)),
        number => put_int(to, number.as_i64()),
    }
    Some(())
}

/// `tensor.item()`
pub fn item(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    match arguments {
        [Value::Tensor(tensor)] => put(to, tensor.number()?.into()),
        _ => return None,
    }
    Some(())
}

/// `str(value)` of a number or a text
pub fn str(_: Evaluator<'_>, arguments: &[Value], to: &mut Value) -> Option<()> {
    match arguments {
        [Value::Int(number)] => {
            put(to, Value::str(itoa::Buffer::new().format(*number)));
        }
        [text @ Value::Str(_)] => put_copy(to, text),
        [Value::Object(object)] => return objects::str_of_exception(object, to),
        _ => return None,
    }
    Some(())
}
