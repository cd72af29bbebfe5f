//! `gradient`: a derivative from the elements and the places where they were taken.

use super::forms::{Outcome, as_float, concatenate, tuple};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::array_like;
use crate::tensor::{BinaryOp, Engine, Error, Operand, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("gradient(f, *spacing, axis=None, edge_order=1)", gradient)
        .doc("Differences of second order along each axis, or the given ones; a tuple of tensors where it is more than one.\n`spacing` is one distance for all of them, or for each a distance or the places of the elements along it.\nAt both ends differences are one-sided, of order `edge_order`, 1 or 2.")
        .example("gradient(array([1.0, 4.0, 9.0]), array([0.0, 1.0, 3.0]))"),
];

/// What lies between the elements along an axis.
enum Spacing {
    Even(Operand),
    /// The distances of neighbours, in a shape that broadcasts along the axis.
    Uneven(Tensor),
}

fn gradient(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    let given = call.rest().iter().map(|argument| &argument.value);
    let met = array_like::meeting(engine, given.chain([call.value("f")]));
    let f = array_like::beside(engine, call.value("f"), met).map_err(|e| call.fault_at("f", e))?;
    if f.dtype() == DType::Bool && f.rank() > 0 {
        // The error of a difference of bools, and where it is.
        engine.binary(BinaryOp::Sub, &f, &f).map_err(|error| call.fault_at("f", error))?;
    }
    let f = as_float(engine, &f)?;
    let rank = f.rank();
    let axes: Vec<usize> = match call.axes("axis")? {
        None => (0..rank).collect(),
        Some(axes) => axes
            .iter()
            .map(|axis| f.shape().axis(*axis).map_err(|error| call.fault_at("axis", error)))
            .collect::<Result<_, _>>()?,
    };
    if (1..axes.len()).any(|at| axes[..at].contains(&axes[at])) {
        return Err(call.fault_at("axis", Fault::value_error("repeated axis")));
    }
    let order = call.int("edge_order")?;
    if !matches!(order, 1 | 2) {
        let words = format!("expected edge_order 1 or 2, found {order}");
        return Err(call.fault_at("edge_order", Fault::value_error(words)));
    }
    let spacings = spacings(call, &f, &axes)?;
    let mut parts = Vec::with_capacity(axes.len());
    for (axis, spacing) in axes.iter().zip(&spacings) {
        if f.shape()[*axis] < order as usize + 1 {
            let words = "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.";
            return Err(call.fault_at("f", Fault::value_error(words)));
        }
        parts.push(along(engine, &f, *axis, spacing, order == 2)?);
    }
    match <[Tensor; 1]>::try_from(parts) {
        Ok([part]) => Ok(part.into()),
        Err(parts) => Ok(tuple(parts)),
    }
}

fn spacings(call: &Call<'_>, f: &Tensor, axes: &[usize]) -> Result<Vec<Spacing>, Fault> {
    let (engine, given) = (call.engine(), call.rest());
    let mut spacings = Vec::with_capacity(axes.len());
    for (at, axis) in axes.iter().enumerate() {
        let argument = match given {
            [] => {
                spacings.push(Spacing::Even(Scalar::Int(1).into()));
                continue;
            }
            [one] => one,
            all if all.len() == axes.len() => &all[at],
            all => {
                let message = format!(
                    "invalid number of arguments: expected no spacing, one, or one for each of {} axes, found {}",
                    axes.len(),
                    all.len()
                );
                return Err(call.fault_of(&all[0], Fault::type_error(message)));
            }
        };
        let places = array_like::operand_beside(engine, &argument.value, f.dtype())
            .map_err(|fault| call.fault_of(argument, fault))?;
        let places = match places {
            Operand::Scalar(_) => {
                spacings.push(Spacing::Even(places));
                continue;
            }
            Operand::Tensor(places) => places,
        };
        let fault = match (places.rank(), f.shape()[*axis]) {
            (0, _) => {
                spacings.push(Spacing::Even(places.into()));
                continue;
            }
            (1, _) if given.len() < axes.len() => {
                let message =
                    "one distance for all axes is a number; for each axis it is one argument";
                return Err(call.fault_of(argument, Fault::type_error(message)));
            }
            (1, count) if places.shape()[0] == count => {
                let distances = as_float(engine, &super::order::step(engine, &places, 0)?)?;
                let mut extents = vec![1; f.rank()];
                extents[*axis] = -1;
                spacings.push(Spacing::Uneven(engine.reshape(&distances, &extents)?));
                continue;
            }
            (1, _) => "when 1d, distances must match the length of the corresponding dimension",
            _ => "distances must be either scalars or 1d",
        };
        return Err(call.fault_of(argument, Fault::value_error(fault)));
    }
    Ok(spacings)
}

/// The derivative along one axis, of Taylor expansions as NumPy writes them down.
fn along(
    engine: &Engine,
    f: &Tensor,
    axis: usize,
    spacing: &Spacing,
    is_second_order: bool,
) -> Result<Tensor, Error> {
    let sub = |a: &Tensor, b: &Tensor| engine.binary(BinaryOp::Sub, a, b);
    let count = f.shape()[axis];
    let elements = |start: usize, len: usize| engine.narrow(f, axis, start, len, 1);
    let (inner, first, last) = match spacing {
        Spacing::Even(h) => {
            let rise = sub(&elements(2.min(count), count - 2)?, &elements(0, count - 2)?)?;
            let inner = engine.binary(BinaryOp::Div, &rise, Scalar::Int(2))?;
            let ends = |at: usize, factors: [f64; 3]| -> Result<Tensor, Error> {
                if !is_second_order {
                    return sub(&elements(at + 1, 1)?, &elements(at, 1)?);
                }
                let factors = factors.map(|factor| Operand::from(Scalar::Float(factor)));
                weighted(engine, f, axis, at, 1, factors)
            };
            let first = ends(0, [-1.5, 2.0, -0.5])?;
            let last = ends(count - 2 - usize::from(is_second_order), [0.5, -2.0, 1.5])?;
            let over = |part: &Tensor| engine.binary(BinaryOp::Div, part, h.clone());
            (over(&inner)?, over(&first)?, over(&last)?)
        }
        Spacing::Uneven(distances) => {
            let uneven = |at: usize, len: usize, point: usize| {
                let before = engine.narrow(distances, axis, at, len, 1)?;
                let after = engine.narrow(distances, axis, at + 1, len, 1)?;
                let factors = factors(engine, &before, &after, point)?.map(Operand::from);
                weighted(engine, f, axis, at, len, factors)
            };
            let simple = |at: usize| {
                let rise = sub(&elements(at + 1, 1)?, &elements(at, 1)?)?;
                engine.binary(BinaryOp::Div, &rise, &engine.narrow(distances, axis, at, 1, 1)?)
            };
            let inner = match count {
                2 => elements(0, 0)?,
                _ => uneven(0, count - 2, 1)?,
            };
            match is_second_order {
                true => (inner, uneven(0, 1, 0)?, uneven(count - 3, 1, 2)?),
                false => (inner, simple(0)?, simple(count - 2)?),
            }
        }
    };
    concatenate(engine, &[first, inner, last], Some(axis as i64))
}

/// Three neighbours from `at` on, each by its factor, for `len` places.
fn weighted(
    engine: &Engine,
    f: &Tensor,
    axis: usize,
    at: usize,
    len: usize,
    factors: [Operand; 3],
) -> Result<Tensor, Error> {
    let [a, b, c] = factors;
    let part = |offset: usize, factor: Operand| {
        engine.binary(BinaryOp::Mul, factor, &engine.narrow(f, axis, at + offset, len, 1)?)
    };
    let sum = engine.binary(BinaryOp::Add, &part(0, a)?, &part(1, b)?)?;
    engine.binary(BinaryOp::Add, &sum, &part(2, c)?)
}

/// What three neighbours weigh in the derivative at one of them, `point`, by the distances between them.
fn factors(
    engine: &Engine,
    before: &Tensor,
    after: &Tensor,
    point: usize,
) -> Result<[Tensor; 3], Error> {
    let op = |op, a: &Tensor, b: &Tensor| engine.binary(op, a, b);
    let twice = |x: &Tensor| engine.binary(BinaryOp::Mul, x, Scalar::Int(2));
    let minus = |x: &Tensor| engine.binary(BinaryOp::Mul, x, Scalar::Int(-1));
    let whole = op(BinaryOp::Add, before, after)?;
    let rises = match point {
        0 => [minus(&op(BinaryOp::Add, &twice(before)?, after)?)?, whole.clone(), minus(before)?],
        1 => [minus(after)?, op(BinaryOp::Sub, after, before)?, before.clone()],
        _ => [after.clone(), minus(&whole)?, op(BinaryOp::Add, &twice(after)?, before)?],
    };
    let runs = [
        op(BinaryOp::Mul, before, &whole)?,
        op(BinaryOp::Mul, before, after)?,
        op(BinaryOp::Mul, after, &whole)?,
    ];
    let [a, b, c] = rises;
    let [x, y, z] = runs;
    Ok([op(BinaryOp::Div, &a, &x)?, op(BinaryOp::Div, &b, &y)?, op(BinaryOp::Div, &c, &z)?])
}
