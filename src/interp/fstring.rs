//! f-strings, and `format` of any value.

use super::quote::ascii;
use super::{Evaluator, Value, format};
use crate::tensor::Error;

impl Evaluator<'_> {
    /// `format(value, spec)`. A tensor of no axes formats as its number.
    ///
    /// # Errors
    /// Python's ValueErrors about the specification.
    pub fn format(&self, value: &Value, spec: &str) -> Result<String, Error> {
        if let Value::Object(object) = value {
            return Ok(self.object_format(object, spec)?);
        }
        let scalar = match value {
            Value::Tensor(tensor) if tensor.rank() == 0 => Some(self.interp.engine.item(tensor)?),
            _ => value.number(),
        };
        if spec.is_empty() {
            // What is formatted is Python's number, with all digits of a float32 that it has as a double.
            return match (value, scalar) {
                (Value::Tensor(_), Some(scalar)) => self.try_str(&scalar.into()),
                _ => self.try_str(value),
            };
        }
        match (scalar, value) {
            (Some(scalar), _) => Ok(format::number(scalar, spec)?),
            (None, Value::Str(text)) => Ok(format::text(text, spec)?),
            _ => Err(Error::type_error(format!(
                "unsupported format string passed to {}.__format__",
                value.type_name()
            ))),
        }
    }
}

/// A field of an f-string under its specification; the conversion is `r`, `s`, `a` or 0.
pub(super) fn converted(
    evaluator: &Evaluator<'_>,
    value: &Value,
    conversion: u8,
    spec: &Value,
) -> Result<String, Error> {
    let spec = match spec {
        Value::Str(spec) => &**spec,
        _ => "",
    };
    let text = match conversion {
        b's' => evaluator.try_str(value)?,
        b'r' => evaluator.try_repr(value)?,
        b'a' => ascii(&evaluator.interp.engine, &evaluator.try_repr(value)?)?,
        _ => return evaluator.format(value, spec),
    };
    if spec.is_empty() { Ok(text) } else { Ok(format::text(&text, spec)?) }
}
