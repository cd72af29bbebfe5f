//! Values that stand in the text.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::rc::Rc;

use crate::interp::complex;
use crate::interp::object::bytes::Bytes;
use crate::interp::value::{Slice, Value};
use crate::syntax::ast::{BinaryOp, CompareOp, Expr, ExprKind, UnaryOp};

/// A number, a text, bytes, one of Python's few constants, or a built-in function. Two of one type that no program can tell apart
/// are equal: `1` is not `1.0`, and `0.0` is not `-0.0`.
#[derive(Debug, Clone)]
pub struct Constant(pub Value);

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        match (&self.0, &other.0) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Wide(a), Value::Wide(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Complex(a), Value::Complex(b)) => complex::bits(**a) == complex::bits(**b),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Slice(a), Value::Slice(b)) => parts(a) == parts(b),
            (Value::Tuple(a), Value::Tuple(b)) => items(a).eq(items(b)),
            (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
            (Value::Opaque(a), Value::Opaque(b)) => a.inside::<Bytes>() == b.inside::<Bytes>(),
            (a, b) => {
                debug_assert!(
                    matches!(a, Value::None | Value::Ellipsis)
                        || discriminant(a) != discriminant(b)
                );
                discriminant(a) == discriminant(b)
            }
        }
    }
}

/// The bounds of a slice and its step.
fn parts(slice: &Slice) -> [Constant; 3] {
    [&slice.start, &slice.stop, &slice.step].map(|part| Constant(part.clone()))
}

fn items(tuple: &[Value]) -> impl Iterator<Item = Constant> {
    tuple.iter().map(|item| Constant(item.clone()))
}

impl Eq for Constant {}

/// The number that an expression writes, or one of Python's few constants.
pub fn number(expr: &Expr) -> Option<Value> {
    Some(match &expr.node {
        ExprKind::Int(number) => Value::Int(*number),
        ExprKind::Float(number) => Value::Float(*number),
        ExprKind::Bool(truth) => Value::Bool(*truth),
        ExprKind::None => Value::None,
        ExprKind::Unary { op: UnaryOp::Neg, operand } => negated(operand)?,
        _ => return None,
    })
}

/// A number behind a minus.
pub fn negated(operand: &Expr) -> Option<Value> {
    match operand.node {
        ExprKind::Int(number) => Some(Value::Int(-number)),
        ExprKind::Float(number) => Some(Value::Float(-number)),
        _ => None,
    }
}

/// The right operand of an operator, where the operation itself has room for it.
pub fn beside_operator(op: BinaryOp, right: &Expr) -> Option<i16> {
    matches!(op, BinaryOp::Add | BinaryOp::Sub).then(|| small(right)).flatten()
}

/// The same of a comparison.
pub fn beside_comparison(op: CompareOp, right: &Expr) -> Option<i16> {
    let is_of_order = match op {
        CompareOp::Eq | CompareOp::Ne => true,
        CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => true,
        CompareOp::In | CompareOp::NotIn | CompareOp::Is | CompareOp::IsNot => false,
    };
    is_of_order.then(|| small(right)).flatten()
}

fn small(expr: &Expr) -> Option<i16> {
    match &expr.node {
        ExprKind::Int(number) => i16::try_from(*number).ok(),
        _ => None,
    }
}

impl Hash for Constant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(&self.0).hash(state);
        match &self.0 {
            Value::Bool(value) => value.hash(state),
            Value::Int(value) => value.hash(state),
            Value::Wide(value) => value.hash(state),
            Value::Float(value) => value.to_bits().hash(state),
            Value::Complex(value) => complex::bits(**value).hash(state),
            Value::Str(value) => value.hash(state),
            Value::Slice(slice) => parts(slice).hash(state),
            Value::Tuple(tuple) => items(tuple).for_each(|item| item.hash(state)),
            Value::Opaque(opaque) => opaque.inside::<Bytes>().hash(state),
            _ => {}
        }
    }
}
