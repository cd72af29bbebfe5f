//! Values of the language as types of Rust, and back.

use std::collections::BTreeMap;

use super::element::{number, numbers_of};
use super::rows::{FromRows, ToRows};
use super::{Element, Tensor};
use crate::diag::{ErrorKind, Fault};
use crate::interp::value::Key;
use crate::interp::{Value, array_like};
use crate::layout::{MAX_RANK, Shape};
use crate::session::Session;
use crate::tensor::{Device, Engine, HostArray, Interrupt};

/// What a value of the language can become in Rust: numbers, `String`, [`Tensor`], vectors nested
/// as deep as the tensor has axes, ndarray's arrays, and a `BTreeMap<String, …>` for a dictionary.
pub trait FromValue: Sized {
    /// # Errors
    /// TypeError or OverflowError for a value that is no such thing.
    fn from_value(engine: &Engine, value: &Value) -> Result<Self, Fault>;
}

/// What can become a value of the language: the same, references to them, `&str`, and a `Result`
/// of them, whose error becomes the language's.
pub trait IntoValue {
    /// # Errors
    /// What can't be: rows of different lengths, a number that does not fit.
    fn into_value(self, engine: &Engine) -> Result<Value, Fault>;
}

/// A value in the hands of Rust, whatever it is.
#[derive(Debug, Clone)]
pub struct Kept {
    value: Value,
    device: Device,
}

impl Kept {
    pub fn new(session: &Session, value: &Value) -> Kept {
        Kept { value: value.clone(), device: session.engine().device() }
    }

    /// The value as a type of Rust.
    ///
    /// # Errors
    /// TypeError or OverflowError for a value that is no such thing.
    pub fn get<T: FromValue>(&self) -> Result<T, Fault> {
        // The session's own engine may be at work.
        let engine = Engine::new(vec![self.device.clone()], Interrupt::default());
        T::from_value(&engine, &self.value)
    }
}

impl<R: FromRows> FromValue for R {
    fn from_value(engine: &Engine, value: &Value) -> Result<R, Fault> {
        if let (Some(0), Some(scalar)) = (R::RANK, value.number()) {
            return Ok(R::from_rows(&[], vec![number(scalar)?]));
        }
        let tensor = match value {
            Value::Tensor(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
                array_like::beside(engine, value, crate::dtype::DType::F64)?
            }
            _ => {
                let (wanted, found) = (R::Item::DTYPE, value.type_name());
                return Err(Fault::type_error(format!("expected {wanted}, found {found}")));
            }
        };
        if let Some(rank) = R::RANK
            && rank != tensor.rank()
        {
            let shape = tensor.shape();
            let axes = if rank == 1 { "1 axis".to_string() } else { format!("{rank} axes") };
            let fault = Fault::type_error(format!("expected {axes}, found shape {shape}"));
            return Err(match rank {
                0 => fault.with_hint("`.item()` is the one element of a tensor"),
                1 => fault.with_hint("`.ravel()` is all elements along one axis"),
                _ => fault,
            });
        }
        let array = engine.to_host(&tensor)?;
        Ok(R::from_rows(&array.shape, numbers_of(&array)?))
    }
}

impl FromValue for Tensor {
    fn from_value(engine: &Engine, value: &Value) -> Result<Tensor, Fault> {
        match value {
            Value::Tensor(tensor) => {
                engine.realize(&[tensor])?;
                tensor.keep();
                Ok(Tensor::of(tensor.clone()))
            }
            _ => Err(Fault::type_error(format!("expected a tensor, found {}", value.type_name()))),
        }
    }
}

impl FromValue for String {
    fn from_value(_: &Engine, value: &Value) -> Result<String, Fault> {
        match value {
            Value::Str(text) => Ok(text.to_string()),
            _ => Err(Fault::type_error(format!("expected str, found {}", value.type_name()))),
        }
    }
}

/// A dictionary whose keys are texts: `memory_stats()`, say.
impl<T: FromValue> FromValue for BTreeMap<String, T> {
    fn from_value(engine: &Engine, value: &Value) -> Result<BTreeMap<String, T>, Fault> {
        let Value::Dict(entries) = value else {
            return Err(Fault::type_error(format!("expected dict, found {}", value.type_name())));
        };
        let entry = |(key, value): (&Key, &Value)| {
            let key = String::from_value(engine, key.value())
                .map_err(|fault| Fault { message: format!("a key: {}", fault.message), ..fault })?;
            let value = T::from_value(engine, value).map_err(|fault| Fault {
                message: format!("the value of '{key}': {}", fault.message),
                ..fault
            })?;
            Ok((key, value))
        };
        entries.borrow().iter().map(entry).collect()
    }
}

impl<R: ToRows> IntoValue for R {
    fn into_value(self, engine: &Engine) -> Result<Value, Fault> {
        if let Some(number) = self.single() {
            return Ok(number.scalar().into());
        }
        let mut extents = Vec::new();
        self.extents(&mut extents);
        let mut bytes = Vec::new();
        self.push(&extents, &mut bytes)?;
        if extents.len() > MAX_RANK {
            let axes = extents.len();
            return Err(Fault::value_error(format!(
                "expected at most {MAX_RANK} axes, found {axes}"
            )));
        }
        let shape = Shape::from(&extents[..]);
        let array = HostArray { dtype: R::Item::DTYPE, shape, bytes };
        Ok(engine.from_host(&array)?.into())
    }
}

impl IntoValue for Tensor {
    fn into_value(self, _: &Engine) -> Result<Value, Fault> {
        Ok(self.inner().clone().into())
    }
}

impl IntoValue for &Tensor {
    fn into_value(self, _: &Engine) -> Result<Value, Fault> {
        Ok(self.inner().clone().into())
    }
}

impl IntoValue for &str {
    fn into_value(self, _: &Engine) -> Result<Value, Fault> {
        Ok(Value::str(self))
    }
}

impl IntoValue for String {
    fn into_value(self, _: &Engine) -> Result<Value, Fault> {
        Ok(Value::str(self))
    }
}

impl IntoValue for () {
    fn into_value(self, _: &Engine) -> Result<Value, Fault> {
        Ok(Value::None)
    }
}

impl<T: IntoValue, E: std::fmt::Display> IntoValue for Result<T, E> {
    fn into_value(self, engine: &Engine) -> Result<Value, Fault> {
        let value = self.map_err(|error| Fault::new(ErrorKind::Runtime, error.to_string()))?;
        value.into_value(engine)
    }
}

/// Lengths and counts of Rust.
impl FromValue for usize {
    fn from_value(engine: &Engine, value: &Value) -> Result<usize, Fault> {
        let number = u64::from_value(engine, value)?;
        usize::try_from(number)
            .map_err(|_| Fault::new(ErrorKind::Overflow, format!("{number} does not fit usize")))
    }
}

impl IntoValue for usize {
    fn into_value(self, engine: &Engine) -> Result<Value, Fault> {
        (self as u64).into_value(engine)
    }
}
