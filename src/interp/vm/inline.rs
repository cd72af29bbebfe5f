//! What the loop over what is frequent does with numbers, in line.

use super::arithmetic::{self, Plain};
use super::register::{become_none, is_plain, put_float, put_int};
use super::window::Registers;
use super::{number, steps};
use crate::interp::Evaluator;
use crate::interp::compile::Reg;
use crate::interp::value::Value;
use crate::syntax::ast::CompareOp;

/// The operations that this loop never does.
macro_rules! rare {
    () => {
        Op::DeleteGlobal { .. }
            | Op::DeleteCell { .. }
            | Op::FreshCell { .. }
            | Op::DeleteFree { .. }
            | Op::DeleteLocal { .. }
            | Op::Unary { .. }
            | Op::DeleteSubscript { .. }
            | Op::DeleteAttribute { .. }
            | Op::Set { .. }
            | Op::Dict { .. }
            | Op::Extend { .. }
            | Op::SetExtend { .. }
            | Op::Merge { .. }
            | Op::ListToTuple { .. }
            | Op::Format { .. }
            | Op::Iterable { .. }
            | Op::UnpackStar { .. }
            | Op::SpreadMapping { .. }
            | Op::YieldFrom { .. }
            | Op::Import { .. }
            | Op::ImportFrom { .. }
            | Op::ImportAll { .. }
            | Op::Class { .. }
            | Op::Super { .. }
            | Op::Locals { .. }
            | Op::Raise { .. }
            | Op::Reraise
            | Op::RaiseAgain { .. }
            | Op::Enter { .. }
            | Op::Leave { .. }
            | Op::Swallow { .. }
            | Op::Settle
            | Op::CatchesPart { .. }
            | Op::Regroup { .. }
            | Op::Stand
            | Op::AssertionFailed { .. }
            | Op::Fail { .. }
    };
}
pub(super) use rare;

/// A temporary that nobody reads again.
#[inline(always)]
pub(super) fn let_go(register: &mut Value) {
    if !is_plain(register) {
        become_none(register);
    }
}

/// Puts a number where another value was.
#[inline(always)]
pub(super) fn put_number(register: &mut Value, number: &Plain) {
    match *number {
        Plain::Int(number) => put_int(register, number),
        Plain::Float(number) => put_float(register, number),
    }
}

/// Whether a comparison holds, where numbers are compared.
#[inline(always)]
pub(super) fn compared<R: Registers + ?Sized>(
    registers: &R,
    op: CompareOp,
    a: Reg,
    b: Reg,
) -> Option<bool> {
    match (registers.get(a), registers.get(b)) {
        (Value::Int(a), Value::Int(b)) => arithmetic::ints_hold(op, *a, *b),
        (a, b) => steps::compared_otherwise(op, a, b),
    }
}

/// Whether a comparison with a small number holds, where a number is compared.
#[inline(always)]
pub(super) fn compared_with(op: CompareOp, value: &Value, number: i16) -> Option<bool> {
    match value {
        Value::Int(value) => arithmetic::ints_hold(op, *value, i64::from(number)),
        Value::Float(value) => arithmetic::float_holds(op, *value, f64::from(number)),
        _ => None,
    }
}

/// As [`compared`], of a comparison that only decides where to go on: of tensors' numbers it is a number in turn.
#[inline(always)]
pub(super) fn holds<R: Registers + ?Sized>(
    registers: &R,
    op: CompareOp,
    a: Reg,
    b: Reg,
) -> Option<bool> {
    compared(registers, op, a, b).or_else(|| number::holds(op, registers.get(a), registers.get(b)))
}

/// As [`compared_with`], of a comparison that only decides where to go on.
#[inline(always)]
pub(super) fn holds_with(op: CompareOp, value: &Value, number: i16) -> Option<bool> {
    compared_with(op, value, number).or_else(|| number::holds_with(op, value, number))
}

/// `to = a + number`, or minus it, of an integer or a float; whether it was done.
#[inline(always)]
pub(super) fn add_number<R: Registers + ?Sized>(
    evaluator: Evaluator<'_>,
    registers: &mut R,
    (to, a): (Reg, Reg),
    number: i16,
    sign: i16,
) -> bool {
    match *registers.get(a) {
        Value::Int(a) => match a.checked_add(i64::from(number) * i64::from(sign)) {
            Some(sum) => put_int(registers.at(to), sum),
            None => return false,
        },
        // By the sign of the float: minus nothing is not plus nothing.
        Value::Float(a) => {
            put_float(registers.at(to), a + f64::from(number) * f64::from(sign));
        }
        _ => return number::add(evaluator, registers.all(), (to, a), number, sign),
    }
    true
}

/// `to = a % b` of integers, the second above zero; whether it was done.
#[inline(always)]
pub(super) fn remainder<R: Registers + ?Sized>(registers: &mut R, to: Reg, a: Reg, b: Reg) -> bool {
    let (Value::Int(a), Value::Int(b @ 1..)) = (registers.get(a), registers.get(b)) else {
        return false;
    };
    // A division of 32 bits takes half the time of one of 64.
    let rest = match (u32::try_from(*a), u32::try_from(*b)) {
        (Ok(a), Ok(b)) => i64::from(a % b),
        _ => a.rem_euclid(*b),
    };
    put_int(registers.at(to), rest);
    true
}

/// Whether a value is true, of those that need nobody to say so.
#[inline(always)]
pub(in crate::interp) fn plain_truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Int(number) => Some(*number != 0),
        Value::None => Some(false),
        other => steps::other_truth(other),
    }
}

/// What a loop over a range comes to.
pub(super) enum Ranged {
    Item(i64),
    End,
    /// It goes through something else.
    Unknown,
}

/// The next number of a range: three registers hold it, the one behind the last, and the step.
#[inline(always)]
pub(super) fn next_of_range<R: Registers + ?Sized>(registers: &mut R, iter: Reg) -> Ranged {
    let Some([Value::Int(next), Value::Int(end), Value::Int(step)]) = registers.three(iter) else {
        return Ranged::Unknown;
    };
    let item = *next;
    if item == *end {
        return Ranged::End;
    }
    *next = item.wrapping_add(*step);
    Ranged::Item(item)
}
