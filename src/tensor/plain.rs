//! Arithmetic and comparisons of single numbers in the types that programs have most, without a graph: what loops
//! over elements do. Where one of these says nothing, the general way gives the same result or the error.

use std::rc::Rc;

use super::node::{Lazy, State};
use super::number::{accepts, is_quiet};
use super::{BinaryOp, CompareOp, Engine, Tensor};
use crate::dtype::{DType, Scalar};

/// One side of an operation.
#[derive(Debug, Clone, Copy)]
pub enum Side<'a> {
    Tensor(&'a Tensor),
    /// Python's numbers take the type of the tensor that they meet.
    Int(i64),
    Float(f64),
}

/// A number as a processor has it.
#[derive(Clone, Copy)]
enum Held {
    F64(f64),
    F32(f32),
    I64(i64),
}

/// Integers below this are floats of 64 bits exactly, so that they are rounded once on the way to 32.
const EXACT: u64 = 1 << 53;

impl Held {
    /// The number that a tensor of the host's is, if NumPy calls it a scalar.
    #[inline]
    fn of(tensor: &Tensor) -> Option<Held> {
        let node = &*tensor.0;
        if !node.is_scalar.get() || !node.device.is_host() || tensor.rank() > 0 {
            return None;
        }
        match (node.dtype, &*node.state.borrow()) {
            (DType::F64, State::Lazy(Lazy::Const(Scalar::Float(value)))) => Some(Held::F64(*value)),
            (DType::F32, State::Lazy(Lazy::Const(Scalar::Float(value)))) => {
                Some(Held::F32(*value as f32))
            }
            (DType::I64, State::Lazy(Lazy::Const(Scalar::Int(value)))) => Some(Held::I64(*value)),
            _ => None,
        }
    }

    /// The other side in this one's type.
    #[inline]
    fn meets(self, other: Side<'_>) -> Option<Held> {
        match (self, other) {
            (_, Side::Tensor(other)) => Held::of(other),
            (Held::I64(_), Side::Int(value)) => Some(Held::I64(value)),
            (Held::F64(_), Side::Float(value)) => Some(Held::F64(value)),
            (Held::F64(_), Side::Int(value)) => Some(Held::F64(value as f64)),
            (Held::F32(_), Side::Float(value)) => {
                Some(Held::F32(value as f32)).filter(|_| (value as f32).is_finite())
            }
            (Held::F32(_), Side::Int(value)) if value.unsigned_abs() < EXACT => {
                Some(Held::F32(value as f32))
            }
            _ => None,
        }
    }

    #[inline]
    fn pair(a: Side<'_>, b: Side<'_>) -> Option<(Held, Held)> {
        match (a, b) {
            (Side::Tensor(tensor), _) => {
                let a = Held::of(tensor)?;
                Some((a, a.meets(b)?))
            }
            (_, Side::Tensor(tensor)) => {
                let b = Held::of(tensor)?;
                Some((b.meets(a)?, b))
            }
            _ => None,
        }
    }
}

macro_rules! float {
    ($of:ty, $op:expr, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        let value = match $op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        };
        let [a, b, value] = [a, b, value].map(f64::from);
        is_quiet($op, a, b, value, f64::from(<$of>::MIN_POSITIVE))
            .then_some(Scalar::Float(value))?
    }};
}

/// What an operation makes of two numbers, and its type, where that is no error that anybody could want to hear of.
#[inline]
pub fn arithmetic(op: BinaryOp, a: Side<'_>, b: Side<'_>) -> Option<(Scalar, DType)> {
    Some(match Held::pair(a, b)? {
        (Held::F64(a), Held::F64(b)) => (float!(f64, op, a, b), DType::F64),
        (Held::F32(a), Held::F32(b)) => (float!(f32, op, a, b), DType::F32),
        (Held::I64(a), Held::I64(b)) => {
            let value = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            };
            (Scalar::Int(value?), DType::I64)
        }
        _ => return None,
    })
}

/// Whether a comparison of two numbers holds.
#[inline]
pub fn holds(op: CompareOp, a: Side<'_>, b: Side<'_>) -> Option<bool> {
    let order = match Held::pair(a, b)? {
        (Held::F64(a), Held::F64(b)) => a.partial_cmp(&b),
        (Held::F32(a), Held::F32(b)) => a.partial_cmp(&b),
        (Held::I64(a), Held::I64(b)) => Some(a.cmp(&b)),
        _ => return None,
    };
    Some(accepts(op, order))
}

impl Engine {
    /// Makes a number of a number that nobody else holds, and has the same type; whether it was one.
    #[inline]
    pub fn renew_number(&self, number: &mut Tensor, dtype: DType, value: Scalar) -> bool {
        let origin = self.origin.get();
        let Some(node) = Rc::get_mut(&mut number.0) else { return false };
        if node.dtype != dtype || !node.is_scalar.get() || !node.device.is_host() {
            return false;
        }
        let State::Lazy(Lazy::Const(held)) = node.state.get_mut() else { return false };
        if node.shape.get().rank() > 0 || node.watch.get_mut().is_some() {
            return false;
        }
        *held = value;
        node.origin = origin;
        true
    }

    /// A number of a type, where another tensor lies.
    pub fn number_beside(&self, other: &Tensor, dtype: DType, value: Scalar) -> Tensor {
        self.number_on(other.device().clone(), value, dtype)
    }
}
