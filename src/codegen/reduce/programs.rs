//! Programs that people run, for the tests.

use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, Builder, Domain, Op, Program, ReduceOp, Reg, UnaryOp, Way};

pub fn reduce(op: ReduceOp, dtype: DType) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let result = b.push(Op::Reduce(op, x), if op.is_arg() { DType::I64 } else { dtype });
    b.output(result, Domain::Row);
    b.finish()
}

/// Every reduction that suits the type and whose result is exact where sums and products are, of one
/// operand: a result a row each.
pub fn all_reductions(dtype: DType) -> Program {
    let is_rounded = |op: &ReduceOp| matches!(op.way(), Way::Joined(_)) && dtype.is_float();
    reductions(dtype, |op| op.takes(dtype) && !is_rounded(op))
}

/// The others.
pub fn rounded_reductions(dtype: DType) -> Program {
    reductions(dtype, |op| op.takes(dtype) && matches!(op.way(), Way::Joined(_)))
}

/// Some reductions of one operand.
pub fn reductions(dtype: DType, wanted: impl Fn(&ReduceOp) -> bool) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    for op in ReduceOp::ALL.iter().filter(|op| wanted(op)) {
        let result = b.push(Op::Reduce(*op, x), if op.is_arg() { DType::I64 } else { dtype });
        b.output(result, Domain::Row);
    }
    b.finish()
}

pub fn softmax(dtype: DType) -> Program {
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let max = b.push(Op::Reduce(ReduceOp::Max, x), dtype);
    let shifted = b.push(Op::Binary(BinaryOp::Sub, x, max), dtype);
    let e = b.push(Op::Unary(UnaryOp::Exp, shifted), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, e), dtype);
    let y = b.push(Op::Binary(BinaryOp::Div, e, sum), dtype);
    b.output(y, Domain::Element);
    b.finish()
}

/// The mean of `count` elements of a row, how far they are from it, and their variance.
fn push_moments(b: &mut Builder, x: Reg, count: usize) -> [Reg; 3] {
    let dtype = DType::F32;
    let count = b.constant(Scalar::Int(count as i64), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, x), dtype);
    let mean = b.push(Op::Binary(BinaryOp::Div, sum, count), dtype);
    let distance = b.push(Op::Binary(BinaryOp::Sub, x, mean), dtype);
    let square = b.push(Op::Unary(UnaryOp::Square, distance), dtype);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, square), dtype);
    let variance = b.push(Op::Binary(BinaryOp::Div, sum, count), dtype);
    [mean, distance, variance]
}

/// The mean and the variance of rows of `count` elements.
pub fn moments(count: usize) -> Program {
    let dtype = DType::F32;
    let mut b = Builder::new();
    let input = b.input(dtype);
    let x = b.load(input, Domain::Element);
    let [mean, _, variance] = push_moments(&mut b, x, count);
    b.output(mean, Domain::Row);
    b.output(variance, Domain::Row);
    b.finish()
}

/// `(x - mean) * rsqrt(variance) * w`
pub fn layer_norm(count: usize) -> Program {
    let dtype = DType::F32;
    let mut b = Builder::new();
    let (input, weight) = (b.input(dtype), b.input(dtype));
    let x = b.load(input, Domain::Element);
    let [_, distance, variance] = push_moments(&mut b, x, count);
    let scale = b.push(Op::Unary(UnaryOp::Rsqrt, variance), dtype);
    let normal = b.push(Op::Binary(BinaryOp::Mul, distance, scale), dtype);
    let weight = b.load(weight, Domain::Element);
    let y = b.push(Op::Binary(BinaryOp::Mul, normal, weight), dtype);
    b.output(y, Domain::Element);
    b.finish()
}

/// `x[index].sum()` with an integer division on the way: both may fail.
pub fn fallible() -> Program {
    let mut b = Builder::new();
    let (table, index) = (b.input(DType::I64), b.input(DType::I64));
    let at = b.load(index, Domain::Element);
    let x = b.gather(table, &[at], Domain::Element);
    let quotient = b.push(Op::Binary(BinaryOp::FloorDiv, x, at), DType::I64);
    let sum = b.push(Op::Reduce(ReduceOp::Sum, quotient), DType::I64);
    b.output(sum, Domain::Row);
    b.finish()
}

/// The position of the largest of `x + y`, at each element less its coordinate.
pub fn distance_to_largest() -> Program {
    let mut b = Builder::new();
    let (left, right) = (b.input(DType::F16), b.input(DType::F16));
    let (x, y) = (b.load(left, Domain::Element), b.load(right, Domain::Element));
    let sum = b.push(Op::Binary(BinaryOp::Add, x, y), DType::F16);
    let largest = b.push(Op::Reduce(ReduceOp::ArgMax, sum), DType::I64);
    let here = b.iota(1, Domain::Element);
    let distance = b.push(Op::Binary(BinaryOp::Sub, largest, here), DType::I64);
    b.output(distance, Domain::Element);
    b.output(sum, Domain::Element);
    b.finish()
}
