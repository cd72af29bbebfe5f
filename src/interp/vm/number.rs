//! Elements of tensors that lie in the host's memory, and the numbers that they are: what loops over elements do. Where
//! one of these says that it was not done, nothing has happened, and the operation goes the general way.

use super::index::{AXES, all_integers, integers};
use super::quick::Next;
use super::register::{forget, put, put_int};
use crate::dtype::{DType, Scalar};
use crate::interp::Evaluator;
use crate::interp::compare::elementwise;
use crate::interp::compile::{Code, Op, Reg};
use crate::interp::value::Value;
use crate::syntax::ast::{BinaryOp, CompareOp};
use crate::tensor::plain::{self, Side};
use crate::tensor::{self, Tensor};

/// A number that takes part in a tensor's arithmetic.
#[inline(always)]
fn side(value: &Value) -> Option<Side<'_>> {
    match value {
        Value::Tensor(tensor) => Some(Side::Tensor(tensor)),
        Value::Float(number) => Some(Side::Float(*number)),
        Value::Int(number) => Some(Side::Int(*number)),
        _ => None,
    }
}

/// Puts a number into a register, where the tensor that `beside` holds lies.
#[inline(always)]
fn put_number(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    (to, beside): (Reg, Reg),
    (value, dtype): (Scalar, DType),
) {
    let engine = &evaluator.interp.engine;
    // What a loop made in its last turn is there most often, and nobody else has it.
    if let Value::Tensor(number) = &mut registers[usize::from(to)]
        && engine.renew_number(number, dtype, value)
    {
        return;
    }
    let Value::Tensor(other) = &registers[usize::from(beside)] else { return };
    let number = engine.number_beside(other, dtype, value);
    put(&mut registers[usize::from(to)], Value::Tensor(number));
}

/// Puts a row of the tensor that `base` holds into a register; whether it was done.
#[inline(never)]
fn put_row(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    (to, base): (Reg, Reg),
    at: i64,
) -> bool {
    let engine = &evaluator.interp.engine;
    let places = [usize::from(to), usize::from(base)];
    let Ok([place, Value::Tensor(tensor)]) = registers.get_disjoint_mut(places) else {
        return false;
    };
    if let Value::Tensor(view) = place
        && engine.renew_row(view, tensor, at)
    {
        return true;
    }
    if evaluator.is_explaining() {
        return false;
    }
    let Some(row) = engine.row(tensor, at) else { return false };
    put(place, Value::Tensor(row));
    true
}

/// `to = tensor[index]` of an element, or of a row; whether it was done.
#[inline(never)]
pub(super) fn element(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    to: Reg,
    (base, index): (Reg, Reg),
) -> bool {
    let Value::Tensor(tensor) = &registers[usize::from(base)] else { return false };
    let engine = &evaluator.interp.engine;
    let index = &registers[usize::from(index)];
    if let Value::Int(at) = *index
        && tensor.rank() > 1
    {
        return put_row(evaluator, registers, (to, base), at);
    }
    let mut room = [0; AXES];
    let Some(at) = integers(index, &mut room) else { return false };
    let Some(value) = engine.element_value(tensor, at) else { return false };
    let dtype = tensor.dtype();
    put_number(evaluator, registers, (to, base), (value, dtype));
    true
}

/// `to = tensor[i, j]` or `tensor[i, j] = number` of an element, before the operation at `pc` has made a tuple of the
/// integers; whether it was done.
#[inline(never)]
pub(super) fn element_at_once(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    pc: usize,
) -> bool {
    let Some(&Op::Tuple { first, count, .. }) = code.ops.get(pc) else { return false };
    let (first, count) = (usize::from(first), usize::from(count));
    let mut room = [0; AXES];
    let Some(at) = all_integers(&registers[first..first + count], &mut room) else { return false };
    let engine = &evaluator.interp.engine;
    let base = match code.ops.get(pc + 1) {
        Some(&Op::Subscript { to, base, .. }) => {
            let Value::Tensor(tensor) = &registers[usize::from(base)] else { return false };
            let Some(value) = engine.element_value(tensor, at) else { return false };
            let dtype = tensor.dtype();
            put_number(evaluator, registers, (to, base), (value, dtype));
            base
        }
        Some(&Op::SetSubscript { base, from, is_last, .. }) => {
            let Value::Tensor(tensor) = &registers[usize::from(base)] else { return false };
            let number = stored(tensor, &registers[usize::from(from)]);
            if !number.is_some_and(|number| engine.put_element(tensor, at, number, is_last)) {
                return false;
            }
            base
        }
        _ => return false,
    };
    forget(registers, code.first_temporary, base);
    true
}

/// Whether a loop over a tensor comes by rows, or by elements that stand there.
pub(super) fn is_sequence(tensor: &Tensor) -> bool {
    tensor.rank() > 1 || tensor.rank() == 1 && tensor.device().is_host()
}

/// The next element or row of a tensor that a loop goes through: its position stands behind it.
#[inline(never)]
pub(super) fn next(evaluator: Evaluator<'_>, registers: &mut [Value], to: Reg, iter: Reg) -> Next {
    let (row, behind) = (usize::from(iter), usize::from(iter) + 1);
    let (Value::Tensor(tensor), Value::Int(at)) = (&registers[row], &registers[behind]) else {
        return Next::Unknown;
    };
    let at = *at;
    if tensor.shape().first().is_some_and(|len| at >= *len as i64) {
        return Next::End;
    }
    if tensor.rank() > 1 {
        if !put_row(evaluator, registers, (to, iter), at) {
            return Next::Unknown;
        }
    } else {
        let Some(value) = evaluator.interp.engine.element_value(tensor, &[at]) else {
            return Next::Unknown;
        };
        let dtype = tensor.dtype();
        put_number(evaluator, registers, (to, iter), (value, dtype));
    }
    put_int(&mut registers[behind], at + 1);
    Next::Item
}

/// Writes an element, if that is all that there is to do; whether it did.
#[inline(always)]
fn write(
    evaluator: Evaluator<'_>,
    tensor: &Tensor,
    index: &Value,
    value: Scalar,
    is_last: bool,
) -> bool {
    let mut room = [0; AXES];
    let at = integers(index, &mut room);
    at.is_some_and(|at| evaluator.interp.engine.put_element(tensor, at, value, is_last))
}

/// The number that is to be an element of a tensor.
#[inline(always)]
fn stored(tensor: &Tensor, value: &Value) -> Option<Scalar> {
    match value {
        Value::Float(number) => Some(Scalar::Float(*number)),
        Value::Int(number) => Some(Scalar::Int(*number)),
        Value::Tensor(number) if number.dtype() == tensor.dtype() => number.number(),
        _ => None,
    }
}

/// `tensor[index] = number`; whether it was done.
#[inline(never)]
pub(super) fn store(
    evaluator: Evaluator<'_>,
    code: &Code,
    registers: &mut [Value],
    (base, index): (Reg, Reg),
    from: Reg,
    is_last: bool,
) -> bool {
    let Value::Tensor(tensor) = &registers[usize::from(base)] else { return false };
    let Some(number) = stored(tensor, &registers[usize::from(from)]) else { return false };
    let is_done = write(evaluator, tensor, &registers[usize::from(index)], number, is_last);
    if is_done {
        [base, index].into_iter().for_each(|at| forget(registers, code.first_temporary, at));
    }
    is_done
}

/// `tensor[index] op= operand` of numbers of one type, which stand as for [`update`](super::quick::update); whether it
/// was done.
#[inline(never)]
pub(super) fn update(
    evaluator: Evaluator<'_>,
    registers: &[Value],
    op: BinaryOp,
    first: Reg,
    is_last: bool,
) -> bool {
    let [Value::Tensor(tensor), index, before, operand] = &registers[usize::from(first)..][..4]
    else {
        return false;
    };
    let Some((after, dtype)) = arithmetic(op, before, operand) else { return false };
    dtype == tensor.dtype() && write(evaluator, tensor, index, after, is_last)
}

#[inline(always)]
fn arithmetic(op: BinaryOp, a: &Value, b: &Value) -> Option<(Scalar, DType)> {
    let op = match op {
        BinaryOp::Add => tensor::BinaryOp::Add,
        BinaryOp::Sub => tensor::BinaryOp::Sub,
        BinaryOp::Mul => tensor::BinaryOp::Mul,
        BinaryOp::Div => tensor::BinaryOp::Div,
        _ => return None,
    };
    plain::arithmetic(op, side(a)?, side(b)?)
}

/// `to = a op b` where one of them is a tensor's number; whether it was done.
#[inline(never)]
pub(super) fn binary(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    op: BinaryOp,
    to: Reg,
    (a, b): (Reg, Reg),
) -> bool {
    let (left, right) = (&registers[usize::from(a)], &registers[usize::from(b)]);
    let Some(number) = arithmetic(op, left, right) else { return false };
    let beside = if matches!(left, Value::Tensor(_)) { a } else { b };
    put_number(evaluator, registers, (to, beside), number);
    true
}

/// `to = a + number`, or minus it, of a tensor's number; whether it was done.
#[inline(never)]
pub(super) fn add(
    evaluator: Evaluator<'_>,
    registers: &mut [Value],
    (to, a): (Reg, Reg),
    number: i16,
    sign: i16,
) -> bool {
    let op = if sign < 0 { tensor::BinaryOp::Sub } else { tensor::BinaryOp::Add };
    let Value::Tensor(tensor) = &registers[usize::from(a)] else { return false };
    let sides = (Side::Tensor(tensor), Side::Int(number.into()));
    let Some(number) = plain::arithmetic(op, sides.0, sides.1) else { return false };
    put_number(evaluator, registers, (to, a), number);
    true
}

/// Whether a comparison holds where one side is a tensor's number.
#[inline(never)]
pub(super) fn holds(op: CompareOp, a: &Value, b: &Value) -> Option<bool> {
    plain::holds(elementwise(op)?, side(a)?, side(b)?)
}

/// The same beside a small number.
#[inline(never)]
pub(super) fn holds_with(op: CompareOp, value: &Value, number: i16) -> Option<bool> {
    plain::holds(elementwise(op)?, side(value)?, Side::Int(number.into()))
}
