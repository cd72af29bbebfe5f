//! Nodes of complex numbers, as instructions on their parts.

use crate::dtype::{DType, Scalar};
use crate::ir::complex::{Formulas, Value};
use crate::ir::{Builder, MapOp, Op, Reg};
use crate::tensor::Tensor;
use crate::tensor::anchor::Per;
use crate::tensor::leaf::Part;
use crate::tensor::node::Lazy;
use crate::tensor::schedule::Walk;

/// Whether a program does the same to both parts of complex numbers, and nothing else: moves, casts,
/// sums and differences.
pub(super) fn is_alike_for_parts(walk: &Walk<'_>, roots: &[&Tensor]) -> bool {
    let is_alike = |(tensor, _): &(Tensor, Per)| {
        let is_complex = tensor.dtype().is_complex();
        match tensor.lazy() {
            Some(Lazy::Map { op, operands }) => {
                let are_alike = operands.iter().all(|it| it.dtype().is_complex() == is_complex);
                are_alike && (op.is_alike_for_parts() || !is_complex)
            }
            Some(Lazy::Const(_)) => !is_complex,
            _ => true,
        }
    };
    walk.anchor.is_none()
        && roots.iter().all(|root| root.dtype().is_complex())
        && walk.nodes.iter().all(is_alike)
}

/// The parts of a value, each with the register that holds it.
pub(super) fn parts(value: Value) -> impl Iterator<Item = (Part, Reg)> {
    let (first, second) = match value {
        Value::Real(reg) => ((Part::Whole, reg), None),
        Value::Complex { re, im } => ((Part::Real, re), Some((Part::Imag, im))),
    };
    std::iter::once(first).chain(second)
}

pub(super) fn constant(builder: &mut Builder, value: Scalar, dtype: DType) -> Value {
    if !dtype.is_complex() {
        return Value::Real(builder.constant(value, dtype));
    }
    let value = value.as_complex();
    let mut part = |part: f64| builder.constant(Scalar::Float(part), dtype.part());
    Value::complex(part(value.re), part(value.im))
}

/// A node of type `dtype`, which it or an operand's type makes one of complex numbers.
pub(super) fn map(builder: &mut Builder, op: MapOp, values: &[Value], dtype: DType) -> Value {
    match (op, values) {
        (MapOp::Cast, [Value::Complex { re, .. }]) if !dtype.is_complex() => {
            Value::Real(builder.cast(*re, dtype))
        }
        (MapOp::Cast, [value]) => {
            let (re, im) = value.to_parts(builder, dtype.part());
            Value::complex(builder.cast(re, dtype.part()), builder.cast(im, dtype.part()))
        }
        (MapOp::Imag, [Value::Complex { im, .. }]) => Value::Real(*im),
        (MapOp::Pair, [re, im]) => Value::complex(re.real(), im.real()),
        (MapOp::Select, [condition, then, otherwise]) => {
            let part = dtype.part();
            let (then, otherwise) =
                (then.to_parts(builder, part), otherwise.to_parts(builder, part));
            let mut select = |a, b| builder.push(Op::Select(condition.real(), a, b), part);
            Value::complex(select(then.0, otherwise.0), select(then.1, otherwise.1))
        }
        (MapOp::Unary(op), [z]) => Formulas::new(builder, z).unary(op, *z),
        (MapOp::Binary(op), [a, b]) => Formulas::new(builder, a).binary(op, *a, *b),
        (MapOp::Compare(op), [a, b]) => Value::Real(Formulas::new(builder, a).compare(op, *a, *b)),
        _ => unreachable!("a map has as many operands as its operation takes"),
    }
}
