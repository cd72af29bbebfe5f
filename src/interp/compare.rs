//! Comparisons: chains, identity and the order of Python's own types.

mod membership;
mod plain;

use std::cmp::Ordering;

use super::object::set;
use super::room::Pace;
use super::value::{Dict, List};
use super::{Evaluator, Value, complex, convert, ops, scalar};
use crate::dtype::Scalar;
use crate::syntax::ast::CompareOp;
use crate::tensor::{self, Error};
pub(super) use plain::plain_order;
use plain::{PLAIN_ITEMS, plain_equal};

/// How an error ends that comes up too deep in values.
const COMPARING: &str = "in comparison";

/// What a comparison is between elements, if it is one.
pub(super) fn elementwise(op: CompareOp) -> Option<tensor::CompareOp> {
    Some(match op {
        CompareOp::Eq => tensor::CompareOp::Eq,
        CompareOp::Ne => tensor::CompareOp::Ne,
        CompareOp::Lt => tensor::CompareOp::Lt,
        CompareOp::Le => tensor::CompareOp::Le,
        CompareOp::Gt => tensor::CompareOp::Gt,
        CompareOp::Ge => tensor::CompareOp::Ge,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => return None,
    })
}

impl Evaluator<'_> {
    pub(super) fn compare(&self, op: CompareOp, lhs: &Value, rhs: &Value) -> Result<Value, Error> {
        match op {
            CompareOp::Is => return Ok(Value::Bool(lhs.is_same(rhs))),
            CompareOp::IsNot => return Ok(Value::Bool(!lhs.is_same(rhs))),
            CompareOp::In => return self.contains(rhs, lhs).map(Value::Bool),
            CompareOp::NotIn => return self.contains(rhs, lhs).map(|found| Value::Bool(!found)),
            _ => {}
        }
        if matches!(lhs, Value::Object(_)) || matches!(rhs, Value::Object(_)) {
            return self.compare_object(op, lhs, rhs);
        }
        if matches!(lhs, Value::Tensor(_)) || matches!(rhs, Value::Tensor(_)) {
            return self.compare_tensors(op, lhs, rhs);
        }
        match op {
            CompareOp::Eq => self.equal(lhs, rhs).map(Value::Bool),
            CompareOp::Ne => self.equal(lhs, rhs).map(|equal| Value::Bool(!equal)),
            _ => match self.compare_items(op, lhs, rhs)? {
                Some(answer) => Ok(answer),
                None => Ok(Value::Bool(says(op, self.order(op.symbol(), lhs, rhs)?))),
            },
        }
    }

    /// Tuples and lists by their first items that differ: what these say is the answer, whatever it is.
    fn compare_items(
        &self,
        op: CompareOp,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Value>, Error> {
        let (other, order) = match (lhs, rhs) {
            (Value::Tuple(a), Value::Tuple(b)) => {
                let other = self.first_other(a.iter().zip(b.iter()))?;
                (other.map(|(a, b)| (a.clone(), b.clone())), a.len().cmp(&b.len()))
            }
            (Value::List(a), Value::List(b)) => {
                let other = self.first_other(pairs(a, b))?;
                (other, a.borrow().len().cmp(&b.borrow().len()))
            }
            _ => return Ok(None),
        };
        match other {
            Some((a, b)) => self.deeper(COMPARING, || self.compare(op, &a, &b)).map(Some),
            None => Ok(Some(Value::Bool(says(op, Some(order))))),
        }
    }

    /// Python's `==` as one truth, for containers and `in`: identical values are equal.
    #[inline(never)]
    pub(in crate::interp) fn equal(&self, a: &Value, b: &Value) -> Result<bool, Error> {
        if let Some(equal) = complex::equal(a, b) {
            return Ok(equal);
        }
        if let (Some(a), Some(b)) = (a.scalar(), b.scalar()) {
            return Ok(scalar::compare(a, b) == Some(Ordering::Equal));
        }
        match (a, b) {
            (Value::Object(_), _) | (_, Value::Object(_)) => {
                let equal = self.compare_object(CompareOp::Eq, a, b)?;
                self.truth(&equal)
            }
            (Value::Tensor(_), _) | (_, Value::Tensor(_)) => {
                let equal = self.compare_tensors(CompareOp::Eq, a, b)?;
                self.truth(&equal)
            }
            (Value::Tuple(a), Value::Tuple(b)) => self.equal_items(a, b),
            (Value::List(a), Value::List(b)) => self.equal_lists(a, b),
            (Value::Dict(a), Value::Dict(b)) => self.equal_entries(a, b),
            (Value::Range(a), Value::Range(b)) => Ok(a == b),
            (Value::Opaque(one), other) | (other, Value::Opaque(one))
                if let Some(equal) = one.part().equals(self, other)? =>
            {
                Ok(equal)
            }
            (Value::Opaque(_), _) | (_, Value::Opaque(_)) => match (a.as_dict(), b.as_dict()) {
                (Some(a), Some(b)) => self.equal(&Value::Dict(a.clone()), &Value::Dict(b.clone())),
                _ => match (items_of(a), items_of(b)) {
                    (Some(a), Some(b)) => Ok(a.len() == b.len() && self.equal_items(&a, &b)?),
                    _ => Ok(a.is_same(b)),
                },
            },
            (Value::Set(_) | Value::FrozenSet(_) | Value::View(_), _)
            | (_, Value::Set(_) | Value::FrozenSet(_) | Value::View(_)) => {
                Ok(self.equal_sets(a, b)?.unwrap_or_else(|| a.is_same(b)))
            }
            (Value::Slice(a), Value::Slice(b)) => self.deeper(COMPARING, || {
                Ok(self.same_or_equal(&a.start, &b.start)?
                    && self.same_or_equal(&a.stop, &b.stop)?
                    && self.same_or_equal(&a.step, &b.step)?)
            }),
            // `x.dtype == "float32"` and `x.dtype == float`, as NumPy has it.
            (Value::DType(dtype), other @ (Value::Str(_) | Value::Type(_)))
            | (other @ (Value::Str(_) | Value::Type(_)), Value::DType(dtype)) => {
                let other = super::convert::dtype(&self.interp.engine, other);
                Ok(other.is_ok_and(|other| other == *dtype))
            }
            (Value::Device(id), Value::Str(name)) | (Value::Str(name), Value::Device(id)) => {
                Ok(crate::tensor::DeviceId::from_name(name) == Some(*id))
            }
            _ => Ok(a.is_same_or_method(b)),
        }
    }

    pub(in crate::interp) fn same_or_equal(&self, a: &Value, b: &Value) -> Result<bool, Error> {
        // Numbers have no identity: a NaN is every NaN.
        let is_nan = match (a, b) {
            (Value::Float(a), Value::Float(b)) => a.is_nan() && b.is_nan(),
            (Value::Complex(a), Value::Complex(b)) => complex::is_same(**a, **b),
            _ => false,
        };
        Ok(a.is_same(b) || is_nan || self.equal(a, b)?)
    }

    pub(in crate::interp) fn equal_items(&self, a: &[Value], b: &[Value]) -> Result<bool, Error> {
        // What a longer tuple begins with is asked, too.
        Ok(self.first_other(a.iter().zip(b))?.is_none() && a.len() == b.len())
    }

    /// The first of several pairs whose values differ.
    fn first_other<V: std::borrow::Borrow<Value>>(
        &self,
        pairs: impl Iterator<Item = (V, V)>,
    ) -> Result<Option<(V, V)>, Error> {
        let mut pace = Pace::new(&self.interp.engine);
        self.deeper(COMPARING, || {
            for (a, b) in pairs {
                pace.step(0)?;
                let equal = match plain_equal(a.borrow(), b.borrow()) {
                    Some(equal) => equal,
                    None => self.same_or_equal(a.borrow(), b.borrow())?,
                };
                if !equal {
                    return Ok(Some((a, b)));
                }
            }
            Ok(None)
        })
    }

    #[inline(never)]
    fn equal_lists(&self, a: &List, b: &List) -> Result<bool, Error> {
        let is_as_long = || a.borrow().len() == b.borrow().len();
        Ok(is_as_long() && self.first_other(pairs(a, b))?.is_none() && is_as_long())
    }

    #[inline(never)]
    fn equal_entries(&self, a: &Dict, b: &Dict) -> Result<bool, Error> {
        if a.borrow().len() != b.borrow().len() {
            return Ok(false);
        }
        let mut pace = Pace::new(&self.interp.engine);
        let speaks = a.borrow().speaks() || b.borrow().speaks();
        // A value's own `==` may change either of them.
        let mut place = 0;
        let mut entry = || {
            let entries = a.borrow();
            let (at, key, value) = entries.first_from(place)?;
            place = at + 1;
            Some((key.clone(), value.clone()))
        };
        self.deeper(COMPARING, || {
            while let Some((key, value)) = entry() {
                pace.step(0)?;
                let key = if speaks { self.known_key(key, || b.borrow())? } else { key };
                let other = b.borrow().get(&key).cloned();
                let Some(other) = other else { return Ok(false) };
                if !self.same_or_equal(&value, &other)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The order of two values, `None` with NaN.
    ///
    /// # Errors
    /// Python's TypeError for types without an order.
    #[inline(never)]
    pub(in crate::interp) fn order(
        &self,
        symbol: &str,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Ordering>, Error> {
        if let Some(order) = plain_order(lhs, rhs) {
            return Ok(Some(order));
        }
        let engine = &self.interp.engine;
        let is_tensors = || [lhs, rhs].iter().any(|value| matches!(value, Value::Tensor(_)));
        if let (Some(a), Some(b)) = (ops::as_scalar(engine, lhs), ops::as_scalar(engine, rhs)) {
            return match (a?, b?) {
                (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) if !is_tensors() => {
                    Err(not_ordered(symbol, lhs, rhs))
                }
                (a, b) => Ok(complex::compare(a, b)),
            };
        }
        if let Some(order) = self.order_of_keys(lhs, rhs) {
            return Ok(Some(order?));
        }
        match (lhs, rhs) {
            (Value::Object(_), _) | (_, Value::Object(_)) => self.object_order(symbol, lhs, rhs),
            (Value::Tuple(a), Value::Tuple(b)) => match self.first_other(a.iter().zip(b.iter()))? {
                Some((a, b)) => self.deeper(COMPARING, || self.order(symbol, a, b)),
                None => Ok(Some(a.len().cmp(&b.len()))),
            },
            (Value::List(a), Value::List(b)) => match self.first_other(pairs(a, b))? {
                Some((a, b)) => self.deeper(COMPARING, || self.order(symbol, &a, &b)),
                None => Ok(Some(a.borrow().len().cmp(&b.borrow().len()))),
            },
            (Value::Opaque(opaque), _)
                if let Some(order) = opaque.part().order(self, symbol, rhs)? =>
            {
                Ok(order)
            }
            (Value::Tensor(_), _) | (_, Value::Tensor(_)) => self.order_of_single(symbol, lhs, rhs),
            (Value::DType(_), _) | (_, Value::DType(_)) => self.order_of_types(symbol, lhs, rhs),
            _ => match self.compared_sets(lhs, rhs, set::order)? {
                Some(order) => Ok(order),
                None => Err(not_ordered(symbol, lhs, rhs)),
            },
        }
    }

    /// As NumPy has it: a type lies below those that it may be cast to and lose nothing.
    fn order_of_types(
        &self,
        symbol: &str,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Ordering>, Error> {
        let engine = &self.interp.engine;
        let dtype = |value| convert::dtype(engine, value);
        let (Ok(a), Ok(b)) = (dtype(lhs), dtype(rhs)) else {
            return Err(not_ordered(symbol, lhs, rhs));
        };
        Ok(match (a.is_safe_in(b), b.is_safe_in(a)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }

    fn compare_tensors(&self, op: CompareOp, lhs: &Value, rhs: &Value) -> Result<Value, Error> {
        let engine = &self.interp.engine;
        let is_operand = |value: &Value| {
            matches!(value, Value::Tensor(_)) || value.number().is_some() || value.is_sequence()
        };
        let (Value::Tensor(tensor), other) = (match (lhs, rhs) {
            (Value::Tensor(_), _) => (lhs, rhs),
            _ => (rhs, lhs),
        }) else {
            return Ok(Value::Bool(false));
        };
        if !is_operand(other) {
            // Nothing that is no number equals an element.
            let answer = match op {
                CompareOp::Eq => false,
                CompareOp::Ne => true,
                _ => return Err(ops::unsupported(op.symbol(), lhs, rhs)),
            };
            let dtype = crate::dtype::DType::Bool;
            let full = || engine.full(tensor.shape(), Scalar::Bool(answer), dtype);
            let all = engine.on_device(tensor.device().clone(), full)?;
            return Ok(Value::Tensor(all));
        }
        let Some(op) = elementwise(op) else { return Err(ops::unsupported(op.symbol(), lhs, rhs)) };
        let left = ops::operand(engine, lhs, rhs)?;
        let right = ops::operand(engine, rhs, lhs)?;
        Ok(Value::Tensor(engine.compare(op, left, right)?))
    }

    /// The order of a tensor with axes and what it is compared with: that of its only element.
    ///
    /// # Errors
    /// ValueError where the comparison has several answers or none, TypeError for what has no order.
    #[cold]
    fn order_of_single(
        &self,
        symbol: &str,
        lhs: &Value,
        rhs: &Value,
    ) -> Result<Option<Ordering>, Error> {
        let engine = &self.interp.engine;
        let single = |value: &Value| match value {
            Value::Tensor(tensor) => {
                self.truth(value)?;
                Ok(engine.item(tensor)?)
            }
            _ => match ops::as_scalar(engine, value) {
                Some(number) => number,
                None => Err(not_ordered(symbol, lhs, rhs)),
            },
        };
        Ok(complex::compare(single(lhs)?, single(rhs)?))
    }
}

#[cold]
fn not_ordered(symbol: &str, lhs: &Value, rhs: &Value) -> Error {
    Error::type_error(format!(
        "'{symbol}' not supported between instances of '{}' and '{}'",
        lhs.type_name(),
        rhs.type_name()
    ))
}

/// Whether a comparison is true of this order.
fn says(op: CompareOp, order: Option<Ordering>) -> bool {
    match op {
        CompareOp::Lt => order == Some(Ordering::Less),
        CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Gt => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// The items of two lists that stand at the same places, past some at the beginning that are equal; they may change
/// meanwhile.
fn pairs(a: &List, b: &List) -> impl Iterator<Item = (Value, Value)> {
    let same = a
        .borrow()
        .iter()
        .zip(&*b.borrow())
        .take(PLAIN_ITEMS)
        .take_while(|(a, b)| plain_equal(a, b) == Some(true))
        .count();
    (same..).map_while(|at| Some((a.borrow().get(at)?.clone(), b.borrow().get(at)?.clone())))
}

/// What a queue holds.
fn items_of(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Opaque(opaque) => opaque.part().items(),
        _ => None,
    }
}
