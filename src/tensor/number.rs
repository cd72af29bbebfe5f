//! Numbers: tensors without axes whose value is known. They wait for nothing and need no memory until
//! somebody asks where they lie. What plain arithmetic makes of numbers is a number again.

use std::cmp::Ordering;

use num_complex::Complex64;

use super::leaf::Leaf;
use super::node::{Lazy, State};
use super::ops::check_fits;
use super::{BinaryOp, CompareOp, Device, Engine, Error, Operand, Tensor, UnaryOp};
use crate::dtype::{DType, Kind, Scalar};
use crate::ir::MapOp;
use crate::layout::Shape;
use crate::memory::Provenance;

impl Tensor {
    /// The value, as its type holds it, if the tensor is a number.
    #[inline]
    pub fn number(&self) -> Option<Scalar> {
        if self.rank() > 0 {
            return None;
        }
        match &*self.0.state.borrow() {
            State::Lazy(Lazy::Const(value)) => Some(value.held_as(self.dtype())),
            _ => None,
        }
    }

    /// The value as another type holds it, if the tensor is a number and the cast loses no more than
    /// precision.
    pub fn number_as(&self, dtype: DType) -> Option<Scalar> {
        let value = self.number()?;
        if self.dtype() == dtype { Some(value) } else { cast(value, self.dtype(), dtype) }
    }
}

impl Operand {
    /// The value as `dtype` holds it, if the operand is a number that fits.
    pub(super) fn number_as(&self, dtype: DType) -> Option<Scalar> {
        match self {
            Operand::Tensor(tensor) => tensor.number_as(dtype),
            Operand::Scalar(value) => check_fits(*value, dtype).ok().map(|()| value.held_as(dtype)),
        }
    }
}

impl Engine {
    /// A number, which nobody needs to compute before a write: it reads nothing.
    pub(super) fn number_on(&self, device: Device, value: Scalar, dtype: DType) -> Tensor {
        let number = self.node(Lazy::Const(value), Shape::scalar(), dtype, device, 0);
        number.as_scalar(true)
    }

    /// A number's element, in memory.
    pub(super) fn leaf_of_number(&self, number: &Tensor) -> Result<Leaf, Error> {
        if let Some(value) = number.number() {
            let leaf =
                self.fresh_for(number, number.shape(), number.dtype(), Provenance::TEMPORARY)?;
            let (bytes, size) = value.to_bits(number.dtype());
            number.device().backend().copy_from_host(&bytes[..size], &leaf.storage, 0)?;
            self.settle_as(number, leaf);
        }
        self.leaf_of(number)
    }

    /// What an operation makes of two numbers that meet in `dtype`.
    pub(super) fn of_numbers(
        &self,
        op: MapOp,
        lhs: &Operand,
        rhs: &Operand,
        dtype: DType,
    ) -> Option<Tensor> {
        let device = match (lhs, rhs) {
            (Operand::Tensor(a), Operand::Tensor(b)) if a.device() == b.device() => a.device(),
            (Operand::Tensor(_), Operand::Tensor(_)) => return None,
            (Operand::Tensor(a), _) | (_, Operand::Tensor(a)) => a.device(),
            _ => return None,
        };
        let (a, b) = (lhs.number_as(dtype)?, rhs.number_as(dtype)?);
        let (value, dtype) = match op {
            MapOp::Binary(op) => {
                let value = binary(op, a, b, dtype)?;
                if self.float_errors.matter() && !has_met_nothing(op, a, b, value, dtype) {
                    return None;
                }
                (value, dtype)
            }
            MapOp::Compare(op) => (compare(op, a, b), DType::Bool),
            _ => return None,
        };
        Some(self.number_on(device.clone(), value, dtype))
    }
}

/// Whether arithmetic of floats met no error, `least` being the least normal number of their type.
#[inline]
pub(super) fn is_quiet(op: BinaryOp, a: f64, b: f64, value: f64, least: f64) -> bool {
    let is_exact = match op {
        BinaryOp::Add | BinaryOp::Sub => true,
        BinaryOp::Mul => a == 0.0 || b == 0.0,
        _ => a == 0.0,
    };
    let is_finite = a.is_finite() && b.is_finite() && value.is_finite();
    is_finite && (is_exact || value.abs() >= least)
}

/// Whether arithmetic of numbers of `dtype` met nothing that somebody could want to hear of: no error of
/// floats, and no integer that wrapped.
fn has_met_nothing(op: BinaryOp, a: Scalar, b: Scalar, value: Scalar, dtype: DType) -> bool {
    match (value, dtype.format()) {
        (Scalar::Float(value), Some(format)) => {
            is_quiet(op, a.as_f64(), b.as_f64(), value, f64::from(format.least()).exp2())
        }
        (Scalar::Int(_) | Scalar::Wide(_), _) => {
            let (a, b) = (a.as_i128(), b.as_i128());
            let exact = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            };
            exact == Some(value.as_i128())
        }
        _ => false,
    }
}

/// What `op` makes of numbers, to the last bit what a device computes. `None` where an operand is no
/// number, and for operations that are left to devices.
pub(super) fn fold(op: MapOp, operands: &[&Tensor], dtype: DType) -> Option<Scalar> {
    match (op, operands) {
        (MapOp::Binary(op), [a, b]) => binary(op, a.number()?, b.number()?, dtype),
        (MapOp::Compare(op), [a, b]) => Some(compare(op, a.number()?, b.number()?)),
        (MapOp::Cast, [a]) => cast(a.number()?, a.dtype(), dtype),
        (MapOp::Unary(op), [a]) => unary(op, a.number()?, dtype),
        _ => None,
    }
}

fn binary(op: BinaryOp, a: Scalar, b: Scalar, dtype: DType) -> Option<Scalar> {
    use BinaryOp::{Add, Div, Mul, Sub};
    let result = match dtype.kind() {
        Kind::Bool => return None,
        Kind::Complex => {
            let (a, b) = (a.as_complex(), b.as_complex());
            return complex(op, a, b, dtype).map(|value| value.held_as(dtype));
        }
        Kind::Unsigned | Kind::Signed => {
            let (a, b) = (a.as_i64(), b.as_i64());
            Scalar::Int(match op {
                Add => a.wrapping_add(b),
                Sub => a.wrapping_sub(b),
                Mul => a.wrapping_mul(b),
                _ => return None,
            })
        }
        Kind::Float if dtype == DType::F64 => {
            let (a, b) = (a.as_f64(), b.as_f64());
            Scalar::Float(match op {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                Div => a / b,
                _ => return None,
            })
        }
        // Half types are computed in single precision as well.
        Kind::Float => {
            let (a, b) = (a.as_f64() as f32, b.as_f64() as f32);
            Scalar::Float(f64::from(match op {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                Div => a / b,
                _ => return None,
            }))
        }
    };
    Some(result.held_as(dtype))
}

/// As programs compute it: in the type of the parts.
fn complex(op: BinaryOp, a: Complex64, b: Complex64, dtype: DType) -> Option<Scalar> {
    use BinaryOp::{Add, Mul, Sub};
    let part = |op: BinaryOp, a: f64, b: f64| {
        let value = binary(op, Scalar::Float(a), Scalar::Float(b), dtype.part());
        value.map(Scalar::as_f64)
    };
    let value = match op {
        Add | Sub => Complex64::new(part(op, a.re, b.re)?, part(op, a.im, b.im)?),
        Mul => {
            let re = part(Sub, part(Mul, a.re, b.re)?, part(Mul, a.im, b.im)?)?;
            Complex64::new(re, part(Add, part(Mul, a.re, b.im)?, part(Mul, a.im, b.re)?)?)
        }
        _ => return None,
    };
    Some(Scalar::Complex(value))
}

fn compare(op: CompareOp, a: Scalar, b: Scalar) -> Scalar {
    let order = match (a, b) {
        (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => {
            let (a, b) = (a.as_complex(), b.as_complex());
            let order = a.re.partial_cmp(&b.re).zip(a.im.partial_cmp(&b.im));
            order.map(|(re, im)| re.then(im))
        }
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        (Scalar::Int(a), Scalar::Int(b)) => Some(a.cmp(&b)),
        _ => Some(a.as_i128().cmp(&b.as_i128())),
    };
    Scalar::Bool(accepts(op, order))
}

/// Whether a comparison holds of numbers in this order; of what has none, only that they differ.
#[inline]
pub(super) fn accepts(op: CompareOp, order: Option<Ordering>) -> bool {
    match op {
        CompareOp::Eq => order.is_some_and(Ordering::is_eq),
        CompareOp::Ne => order.is_none_or(Ordering::is_ne),
        CompareOp::Lt => order.is_some_and(Ordering::is_lt),
        CompareOp::Le => order.is_some_and(Ordering::is_le),
        CompareOp::Gt => order.is_some_and(Ordering::is_gt),
        CompareOp::Ge => order.is_some_and(Ordering::is_ge),
    }
}

/// Casts that lose at most precision, but for those to half types.
fn cast(value: Scalar, from: DType, to: DType) -> Option<Scalar> {
    match (value, to) {
        (_, DType::C64 | DType::C128) => Some(value.held_as(to)),
        (Scalar::Complex(_), _) => None,
        (_, DType::F64) => Some(Scalar::Float(value.as_f64())),
        (_, DType::F32) => Some(value.held_as(to)),
        _ if value.is_whole() && to.is_integer() && to.size() >= from.size() => {
            Some(value.held_as(to))
        }
        _ => None,
    }
}

fn unary(op: UnaryOp, value: Scalar, dtype: DType) -> Option<Scalar> {
    match (op, value) {
        (UnaryOp::Neg, Scalar::Float(value)) => Some(Scalar::Float(-value)),
        (UnaryOp::Neg, Scalar::Complex(value)) => Some(Scalar::Complex(-value)),
        (UnaryOp::Neg, Scalar::Int(_) | Scalar::Wide(_)) => {
            Some(Scalar::Int(value.as_i64().wrapping_neg()).held_as(dtype))
        }
        (UnaryOp::Abs, Scalar::Float(value)) => Some(Scalar::Float(value.abs())),
        _ => None,
    }
}
