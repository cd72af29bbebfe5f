//! Elements as a program's own functions write them: `set_printoptions(formatter=…)`.

use super::value::Key;
use super::{Evaluator, Value};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::layout::Shape;
use crate::report::Elements;
use crate::tensor::{Error, Tensor};

/// The keys that a formatter may have, and no others: NumPy's, of which some stand for types that no tensor has.
pub const KEYS: [&str; 17] = [
    "all",
    "bool",
    "int",
    "int_kind",
    "float",
    "float_kind",
    "complexfloat",
    "complex_kind",
    "longfloat",
    "longcomplexfloat",
    "str_kind",
    "numpystr",
    "datetime",
    "timedelta",
    "object",
    "void",
    "str",
];

/// The keys whose functions write a type's elements, the first of them that is there.
fn keys_of(dtype: DType) -> &'static [&'static str] {
    match dtype {
        DType::Bool => &["bool", "all"],
        _ if dtype.is_complex() => &["complexfloat", "complex_kind", "all"],
        _ if dtype.is_float() => &["float", "float_kind", "all"],
        _ => &["int", "int_kind", "all"],
    }
}

impl Evaluator<'_> {
    /// What a program's function makes of each element, where it has set one for their type.
    ///
    /// # Errors
    /// Those of the function; AttributeError where it gives no text.
    pub fn words_of(&self, elements: &Elements) -> Result<Option<Vec<String>>, Error> {
        let formatter = self.interp.formatter.borrow().clone();
        let Some(functions) = formatter.as_ref().and_then(Value::as_dict) else { return Ok(None) };
        let function = |key: &&str| match functions.borrow().get(&Key::of_name(key)) {
            None | Some(Value::None) => None,
            Some(function) => Some(function.clone()),
        };
        let Some(function) = keys_of(elements.dtype()).iter().find_map(function) else {
            return Ok(None);
        };
        let word = |at: usize| {
            let element = self.scalar_of(elements, at)?;
            let word = self.call_value(&function, [element.into()], [])?;
            match word.plain() {
                Value::Str(word) => Ok(word.to_string()),
                other => {
                    let words =
                        format!("'{}' object has no attribute 'splitlines'", other.type_name());
                    let fault = Fault::new(ErrorKind::Attribute, words);
                    Err(fault
                        .with_hint("a function of `formatter` gives a text for each element")
                        .into())
                }
            }
        };
        (0..elements.len()).map(word).collect::<Result<Vec<String>, Error>>().map(Some)
    }

    /// One of the elements, as an index gives it.
    fn scalar_of(&self, elements: &Elements, at: usize) -> Result<Tensor, Error> {
        let scalar = match elements {
            Elements::Bool(values) => Scalar::Bool(values[at]),
            Elements::Int(values, _) => match i64::try_from(values[at]) {
                Ok(value) => Scalar::Int(value),
                Err(_) => Scalar::Wide(values[at] as u64),
            },
            Elements::Float(values, _) => Scalar::Float(values[at]),
            Elements::Complex(values, _) => Scalar::Complex(values[at]),
        };
        Ok(self.interp.engine.full(&Shape::scalar(), scalar, elements.dtype())?.as_scalar(true))
    }
}
