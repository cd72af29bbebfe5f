//! Values to what Rust computes with, by Python's rules of what may stand for what.

use smallvec::SmallVec;

use super::Evaluator;
use super::value::{Type, Value};
use crate::diag::{ErrorKind, Fault, did_you_mean};
use crate::dtype::{DType, Scalar, complex_of};
use crate::tensor::{Device, DeviceId, Engine, Tensor};

/// What Python's `__index__` gives: an int, a bool, an integer tensor of one element.
pub fn integer(engine: &Engine, value: &Value) -> Result<i64, Fault> {
    match value.plain() {
        Value::Int(value) => Ok(*value),
        Value::Bool(value) => Ok(i64::from(*value)),
        Value::Wide(_) => Err(too_large_for_index()),
        Value::Tensor(tensor) if tensor.rank() == 0 && tensor.dtype().is_integer() => {
            narrow(engine.item(tensor)?)
        }
        Value::Tensor(tensor) => {
            let words = "only integer scalar arrays can be converted to a scalar index";
            let found = format!("found {} of shape {}", tensor.dtype(), tensor.shape());
            Err(Fault::type_error(words).with_hint(found))
        }
        _ => Err(Fault::type_error(format!(
            "'{}' object cannot be interpreted as an integer",
            value.type_name()
        ))),
    }
}

/// An integer that fits an index.
pub fn narrow(integer: Scalar) -> Result<i64, Fault> {
    match integer {
        Scalar::Wide(_) => Err(too_large_for_index()),
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) | Scalar::Complex(_) => {
            Ok(integer.as_i64())
        }
    }
}

#[cold]
fn too_large_for_index() -> Fault {
    Fault::new(ErrorKind::Overflow, "Python int too large to convert to C long")
}

/// One integer, or a sequence or 1-D tensor of them.
pub fn integers(engine: &Engine, value: &Value) -> Result<SmallVec<[i64; 4]>, Fault> {
    match value {
        Value::Tuple(items) => items.iter().map(|item| integer(engine, item)).collect(),
        Value::List(items) => items.borrow().iter().map(|item| integer(engine, item)).collect(),
        Value::Range(range) => {
            let numbers = range.iter().map(Ok::<i64, Fault>);
            Ok(SmallVec::from_vec(super::room::gather(engine, 8, numbers)?))
        }
        Value::Tensor(tensor) if tensor.rank() == 1 && tensor.dtype() == DType::U64 => {
            engine.to_host(tensor)?.scalars().map(narrow).collect()
        }
        Value::Tensor(tensor) if tensor.rank() == 1 && tensor.dtype().is_integer() => {
            let host = engine.to_host(&engine.cast(tensor, DType::I64)?)?;
            let (numbers, _) = host.bytes.as_chunks();
            Ok(numbers.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
        }
        // Of any type: NumPy's empty arrays are of floats.
        Value::Tensor(tensor) if tensor.elem_count() == 0 => Ok(SmallVec::new()),
        _ => integer(engine, value).map(|value| SmallVec::from_elem(value, 1)),
    }
}

/// A number as a float.
pub fn float(engine: &Engine, value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Tensor(tensor) => real(single(engine, tensor)?).map(Scalar::as_f64),
        _ => value.plain().scalar().map(Scalar::as_f64).ok_or_else(|| {
            Fault::type_error(format!("must be real number, not {}", value.type_name()))
        }),
    }
}

/// A number without an imaginary part, which nobody drops unasked.
pub fn real(number: Scalar) -> Result<Scalar, Fault> {
    match number {
        Scalar::Complex(_) => Err(Fault::type_error("must be real number, not complex")
            .with_hint("`x.real` has a complex tensor's real parts")),
        _ => Ok(number),
    }
}

/// The only element of a tensor.
pub fn single(engine: &Engine, tensor: &Tensor) -> Result<Scalar, Fault> {
    if tensor.elem_count() != 1 {
        return Err(Fault::type_error(
            "only 0-dimensional arrays can be converted to Python scalars",
        )
        .with_hint(format!("the tensor has shape {}", tensor.shape())));
    }
    Ok(engine.item(tensor)?)
}

/// Python's truth.
pub fn truth(engine: &Engine, value: &Value) -> Result<bool, Fault> {
    Ok(match value.plain() {
        Value::None => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Wide(_) => true,
        Value::Float(value) => *value != 0.0,
        Value::Complex(value) => super::complex::is_true(**value),
        Value::Str(text) => !text.is_empty(),
        Value::Tuple(items) => !items.is_empty(),
        Value::List(items) => !items.borrow().is_empty(),
        Value::Dict(entries) => !entries.borrow().is_empty(),
        Value::Range(range) => !range.is_empty(),
        Value::Set(set) => !set.borrow().is_empty(),
        Value::FrozenSet(set) => !set.is_empty(),
        Value::View(view) => !view.is_empty(),
        Value::Opaque(opaque) => match value.as_dict() {
            Some(dict) => !dict.borrow().is_empty(),
            None => opaque.part().count() != Some(0),
        },
        Value::Tensor(tensor) => match tensor.elem_count() {
            1 => engine.item(tensor)?.as_bool(),
            0 => {
                return Err(Fault::value_error(
                    "The truth value of an empty array is ambiguous. \
                     Use `array.size > 0` to check that an array is not empty.",
                ));
            }
            _ => {
                return Err(Fault::value_error(
                    "The truth value of an array with more than one element is ambiguous. \
                     Use a.any() or a.all()",
                ));
            }
        },
        _ => true,
    })
}

/// Whether a value can be called.
pub fn is_callable(evaluator: &Evaluator<'_>, value: &Value) -> bool {
    match value {
        Value::Object(_) => evaluator.special(value, "__call__").is_some(),
        Value::Function(_) | Value::Method(_) | Value::Native(_) | Value::Closure(_) => true,
        Value::Class(_) | Value::Bound(_) | Value::Type(_) | Value::DType(_) => true,
        Value::Opaque(opaque) => opaque.part().is_callable(),
        Value::Descriptor(descriptor) => descriptor.callable().is_some(),
        _ => false,
    }
}

#[cold]
fn no_dtype(value: &Value) -> Fault {
    Fault::type_error(format!("Cannot interpret '{}' as a data type", plain_repr(value)))
}

/// `repr(value)` of numbers and of short lists of them, else the kind.
fn plain_repr(value: &Value) -> String {
    let joined = |items: &[Value]| items.iter().map(plain_repr).collect::<Vec<_>>().join(", ");
    match value {
        Value::Bool(flag) => (if *flag { "True" } else { "False" }).to_owned(),
        Value::Type(of) => of.name().to_owned(),
        Value::List(items) if items.borrow().len() <= SHORT => {
            format!("[{}]", joined(&items.borrow()))
        }
        _ => super::repr::number(value).unwrap_or_else(|| value.type_name().to_owned()),
    }
}

/// Items that a message shows.
const SHORT: usize = 8;

/// A dtype, its name, or one of Python's types.
pub fn dtype(engine: &Engine, value: &Value) -> Result<DType, Fault> {
    match value {
        Value::DType(dtype) => Ok(*dtype),
        Value::Type(Type::Float) => Ok(engine.default_float()),
        Value::Type(Type::Complex) => {
            Ok(complex_of(engine.default_float(), engine.default_float()))
        }
        Value::Type(Type::Int) => Ok(DType::I64),
        Value::Type(Type::Bool) => Ok(DType::Bool),
        Value::Str(name) => match &**name {
            "float" => Ok(engine.default_float()),
            "int" => Ok(DType::I64),
            "complex" => Ok(complex_of(engine.default_float(), engine.default_float())),
            name => DType::from_name(name).ok_or_else(|| unknown_dtype(name)),
        },
        Value::Tensor(_) => Err(Fault::type_error("Cannot construct a dtype from an array")),
        // Lists are records to NumPy, of a name and a type each.
        Value::List(items) if !items.borrow().is_empty() => {
            let shown = plain_repr(&items.borrow()[0]);
            let words = format!("Field elements must be 2- or 3-tuples, got '{shown}'");
            Err(Fault::type_error(words))
        }
        Value::Tuple(items) if items.len() == 2 => {
            dtype(engine, &items[0]).and(Err(no_dtype(value)))
        }
        _ => Err(no_dtype(value)),
    }
}

/// A device, its name, or the number of a GPU.
pub fn device(engine: &Engine, value: &Value) -> Result<Device, Fault> {
    let id = match value {
        Value::Device(id) => Some(*id),
        Value::Str(name) => DeviceId::from_name(name),
        Value::Int(ordinal) => u16::try_from(*ordinal).ok().map(DeviceId::Cuda),
        _ => {
            let message = format!("expected a device or its name, found {}", value.type_name());
            return Err(Fault::type_error(message));
        }
    };
    let Some(id) = id else {
        let found = match value {
            Value::Str(name) => name.to_string(),
            Value::Int(ordinal) => ordinal.to_string(),
            _ => value.type_name().to_string(),
        };
        let message =
            format!("expected a device such as `cpu`, `cuda` or `cuda:1`, found `{found}`");
        return Err(Fault::new(ErrorKind::Runtime, message));
    };
    Ok(engine.find_device(id)?)
}

#[cold]
fn unknown_dtype(name: &str) -> Fault {
    let fault = Fault::type_error(format!("data type '{name}' not understood"));
    if matches!(name, "longdouble" | "float96" | "float128" | "g" | "f12" | "f16") {
        return fault.with_hint(super::missing::WIDEST_FLOAT);
    }
    let foreign = if cfg!(target_endian = "little") { '>' } else { '<' };
    if name.strip_prefix(foreign).is_some_and(|code| DType::from_name(code).is_some()) {
        return fault.with_hint("elements have this machine's order of bytes");
    }
    let names = DType::ALL.iter().map(|dtype| dtype.name());
    match did_you_mean(name, names) {
        Some(near) => fault.with_hint(format!("did you mean `{near}`?")),
        None => fault,
    }
}
