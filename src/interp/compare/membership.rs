//! Membership: `value in container`.

use std::cmp::Ordering;

use crate::diag::Fault;
use crate::dtype::Scalar;
use crate::interp::room::Pace;
use crate::interp::{Evaluator, Value, ops, scalar};
use crate::syntax::ast::CompareOp;
use crate::tensor::{self, Error, Reduction};

impl Evaluator<'_> {
    /// `value in container`.
    #[inline(never)]
    pub(in crate::interp) fn contains(
        &self,
        container: &Value,
        value: &Value,
    ) -> Result<bool, Error> {
        let engine = &self.interp.engine;
        match container {
            Value::Str(text) => match value.plain() {
                Value::Str(part) => Ok(text.contains(&**part)),
                _ => Err(Error::type_error(format!(
                    "'in <string>' requires string as left operand, not {}",
                    value.type_name()
                ))),
            },
            Value::Tuple(items) => self.any_equal(items, value),
            Value::List(items) => {
                let mut pace = Pace::new(engine);
                let item = |at| items.borrow().get(at).cloned();
                if let Value::Object(_) = value {
                    let others = (0..).map_while(item);
                    return Ok(self.object_among(others, value)?);
                }
                for item in (0..).map_while(item) {
                    pace.step(0)?;
                    if self.same_or_equal(&item, value)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Dict(entries) => {
                let key = self.key_in(entries, value)?;
                Ok(entries.borrow().contains_key(&key))
            }
            Value::Set(set) => {
                let key = self.element_key(value)?;
                let key = self.known_key(key, || set.borrow())?;
                Ok(set.borrow().contains(&key))
            }
            Value::FrozenSet(set) => {
                let key = self.known_key(self.element_key(value)?, || &**set)?;
                Ok(set.contains(&key))
            }
            Value::View(view) => self.view_contains(view, value),
            Value::Object(_) => Ok(self.object_contains(container, value)?),
            Value::Class(_) if self.special(container, "__contains__").is_some() => {
                Ok(self.object_contains(container, value)?)
            }
            Value::Opaque(opaque) if opaque.part().is_container() => match container.as_dict() {
                Some(dict) => self.contains(&Value::Dict(dict.clone()), value),
                None if let Some(found) = opaque.part().contains(self, value) => found,
                None => self.any_equal(&opaque.part().items().unwrap_or_default(), value),
            },
            Value::Range(range) => match value.scalar() {
                Some(Scalar::Float(number)) => {
                    // Floats beyond the integers are no integer, though they become the last one.
                    let whole = number as i64;
                    Ok(scalar::compare(Scalar::Int(whole), Scalar::Float(number))
                        == Some(Ordering::Equal)
                        && range.contains(whole))
                }
                Some(Scalar::Wide(_)) => Ok(false),
                Some(number) => Ok(range.contains(number.as_i64())),
                None => match value {
                    Value::Tensor(tensor) if tensor.rank() == 0 => {
                        self.contains(container, &engine.item(tensor)?.into())
                    }
                    Value::Complex(number) if number.im == 0.0 => {
                        self.contains(container, &Value::Float(number.re))
                    }
                    // Whatever says of itself what it equals.
                    Value::Tensor(_) | Value::Object(_) | Value::Opaque(_) => {
                        let mut found = false;
                        self.each(container, |item| {
                            found = self.same_or_equal(&item, value)?;
                            Ok(!found)
                        })?;
                        Ok(found)
                    }
                    _ => Ok(false),
                },
            },
            Value::Tensor(tensor) => {
                let other = ops::operand(engine, value, container)?;
                let equal = engine.compare(tensor::CompareOp::Eq, tensor, other)?;
                let any = engine.reduce(Reduction::Any, &equal, None, false)?;
                Ok(engine.item(&any)?.as_bool())
            }
            _ => match self.iter(container) {
                Ok(iter) => {
                    let mut pace = Pace::new(engine);
                    while let Some(item) = self.next(&iter)? {
                        pace.step(0)?;
                        if self.same_or_equal(&item, value)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                Err(_) => Err(Error::type_error(format!(
                    "argument of type '{}' is not iterable",
                    container.type_name()
                ))),
            },
        }
    }

    /// Whether an object is among items.
    fn object_among(
        &self,
        items: impl Iterator<Item = Value>,
        object: &Value,
    ) -> Result<bool, Fault> {
        let mut pace = Pace::new(&self.interp.engine);
        self.comparing(CompareOp::Eq, object, |equal| {
            for item in items {
                pace.step(0)?;
                if item.is_same(object) || equal(&item, object)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    pub(in crate::interp) fn any_equal(
        &self,
        items: &[Value],
        value: &Value,
    ) -> Result<bool, Error> {
        if let Value::Object(_) = value {
            return Ok(self.object_among(items.iter().cloned(), value)?);
        }
        let mut pace = Pace::new(&self.interp.engine);
        for item in items {
            pace.step(0)?;
            if self.same_or_equal(item, value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
