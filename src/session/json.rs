//! Values in the line protocol.

use serde_json::{Value as Json, json};

use super::{Outcome, Session, Value};
use crate::dtype::{DType, Scalar};
use crate::interp::room::{self, Pace};
use crate::interp::value::Key;
use crate::tensor::{Error, Tensor};

/// What containers nested deeper than this hold, as what holds itself, is written as `...`.
const MAX_DEPTH: usize = 64;

/// About how many bytes a value takes as JSON.
const NODE: usize = 160;

impl Session {
    /// As [`Session::show`], as the line protocol writes it: with the elements of tensors that have
    /// no more than `limit`.
    pub fn show_json(&mut self, outcome: &mut Outcome, limit: usize) -> Option<Json> {
        let json = self.to_json(outcome.value.as_ref()?, limit);
        self.shown_or_failed(json, outcome)
    }

    /// A value as the line protocol writes it. Tensors of more than `limit` elements come without
    /// their data.
    ///
    /// # Errors
    /// What comes up where a tensor's elements are waited for and read.
    pub fn to_json(&self, value: &Value, limit: usize) -> Result<Json, Error> {
        self.json_at(value, limit, &mut Vec::new(), &mut Pace::new(self.engine()))
    }

    /// `open` are the containers that are being written, which `value` stands in.
    fn json_at(
        &self,
        value: &Value,
        limit: usize,
        open: &mut Vec<*const ()>,
        pace: &mut Pace<'_>,
    ) -> Result<Json, Error> {
        pace.step(NODE)?;
        let place = value.identity().map(|(place, _)| place);
        if open.len() > MAX_DEPTH || place.is_some_and(|place| open.contains(&place)) {
            return Ok(json!({"type": value.type_name(), "repr": "..."}));
        }
        open.push(place.unwrap_or(std::ptr::null()));
        let json = self.json_within(value, limit, open, pace);
        open.pop();
        json
    }

    fn json_within(
        &self,
        value: &Value,
        limit: usize,
        open: &mut Vec<*const ()>,
        pace: &mut Pace<'_>,
    ) -> Result<Json, Error> {
        let mut items = |values: &[Value]| -> Result<Vec<Json>, Error> {
            values.iter().map(|value| self.json_at(value, limit, open, pace)).collect()
        };
        Ok(match value {
            Value::None => json!({"type": "none"}),
            Value::Bool(value) => json!({"type": "bool", "value": value}),
            Value::Int(value) => json!({"type": "int", "value": value}),
            Value::Wide(value) => json!({"type": "int", "value": value}),
            Value::Float(value) => json!({"type": "float", "value": float(*value)}),
            Value::Complex(value) => {
                json!({"type": "complex", "value": [float(value.re), float(value.im)]})
            }
            Value::Str(text) => {
                room::text(self.engine(), text.len())?;
                json!({"type": "str", "value": &**text})
            }
            Value::Tuple(values) => json!({"type": "tuple", "items": items(values)?}),
            Value::List(values) => {
                let values = values.borrow().clone();
                json!({"type": "list", "items": items(&values)?})
            }
            Value::Dict(entries) => {
                let entries = entries.borrow().clone();
                let pair = |(key, value): (&Key, &Value)| {
                    let key = self.json_at(key.value(), limit, open, pace)?;
                    Ok(json!([key, self.json_at(value, limit, open, pace)?]))
                };
                let pairs = entries.iter().map(pair).collect::<Result<Vec<Json>, Error>>()?;
                json!({"type": "dict", "items": pairs})
            }
            Value::Tensor(tensor) => json!({
                "type": "tensor",
                "dtype": tensor.dtype().name(),
                "shape": tensor.shape().to_vec(),
                "device": tensor.device().id().to_string(),
                "data": self.data(tensor, limit)?,
            }),
            _ => json!({"type": value.type_name(), "repr": self.quiet().try_repr(value)?}),
        })
    }

    /// A tensor's elements in nested arrays; null where they, or the arrays, are more than the limit.
    fn data(&self, tensor: &Tensor, limit: usize) -> Result<Json, Error> {
        // Without elements there may still be any number of empty arrays.
        let extents = tensor.shape().iter().take_while(|extent| **extent > 0);
        let arrays = extents.fold(1usize, |count, extent| count.saturating_mul(*extent));
        let count = tensor.elem_count();
        if count > limit || count == 0 && arrays > limit.max(1) {
            return Ok(Json::Null);
        }
        room::things(self.engine(), count, NODE)?;
        let host = self.engine().to_host(tensor)?;
        let dtype = tensor.dtype();
        let mut scalars = host.to_scalars().into_iter().map(|scalar| match scalar {
            Scalar::Bool(value) => json!(value),
            Scalar::Int(value) => json!(value),
            Scalar::Wide(value) => json!(value),
            Scalar::Float(value) => element(value, dtype),
            Scalar::Complex(value) => {
                json!([element(value.re, dtype.part()), element(value.im, dtype.part())])
            }
        });
        Ok(nest(tensor.shape(), &mut scalars))
    }
}

fn nest(shape: &[usize], elements: &mut impl Iterator<Item = Json>) -> Json {
    match shape {
        [] => elements.next().unwrap_or(Json::Null),
        [extent, rest @ ..] => (0..*extent).map(|_| nest(rest, elements)).collect(),
    }
}

/// A float as a number, or as a word where JSON has no number for it.
fn float(value: f64) -> Json {
    serde_json::Number::from_f64(value).map_or_else(
        || {
            json!(if value.is_nan() {
                "nan"
            } else if value > 0.0 {
                "inf"
            } else {
                "-inf"
            })
        },
        Json::Number,
    )
}

/// An element with as few digits as its own type needs.
fn element(value: f64, dtype: DType) -> Json {
    match dtype {
        DType::F32 if value.is_finite() => {
            float((value as f32).to_string().parse().unwrap_or(value))
        }
        _ => float(value),
    }
}
