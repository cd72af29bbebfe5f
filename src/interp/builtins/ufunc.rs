//! The methods of NumPy's functions of two numbers: `add.reduce`, `add.accumulate`, `add.outer`,
//! `add.at` and their kin.

use super::forms::{Made, Outcome, concatenate};
use super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::dtype::DType;
use crate::interp::room;
use crate::interp::value::Value;
use crate::tensor::{BinaryOp, Engine, Operand, Reduction, ScanOp, ScatterOp, Tensor};

/// The rows of one function: what it is called, its operation, its fold, its scan.
macro_rules! methods {
    ($($name:literal $op:ident [$fold:expr] [$scan:expr];)*) => {
        &[$(
            Builtin::new(concat!($name, ".reduce(x, axis=0, dtype=None, out=None, keepdims=False)"), |call| {
                reduce(call, BinaryOp::$op, $fold)
            })
            .homes(HOMES)
            .doc("The operation between all elements along `axis`, from the first on; None takes all axes.")
            .example(concat!($name, ".reduce(array([[12, 2], [7, 3]]))")),
            Builtin::new(concat!($name, ".accumulate(x, axis=0)"), |call| {
                accumulate(call, BinaryOp::$op, $scan)
            })
            .homes(HOMES)
            .doc("Every step of the operation between the elements along an axis.")
            .example(concat!($name, ".accumulate(array([12, 2, 3]))")),
            Builtin::new(concat!($name, ".outer(x, y)"), |call| outer(call, BinaryOp::$op))
                .homes(HOMES)
                .doc("The operation between every pair: x's axes, then y's.")
                .example(concat!($name, ".outer(array([5, 6]), array([1, 2]))")),
        )*]
    };
}

const HOMES: Homes = Homes::LIBRARY;

pub const BUILTINS: &[Builtin] = methods! {
    "add" Add [Some(Reduction::Sum)] [Some(ScanOp::Sum)];
    "multiply" Mul [Some(Reduction::Prod)] [Some(ScanOp::Prod)];
    "maximum" Max [Some(Reduction::Max)] [Some(ScanOp::Max)];
    "minimum" Min [Some(Reduction::Min)] [Some(ScanOp::Min)];
    "subtract" Sub [None] [None];
    "bitwise_and" BitAnd [None] [None];
    "bitwise_or" BitOr [None] [None];
    "bitwise_xor" BitXor [None] [None];
    "power" Pow [None] [None];
    "floor_divide" FloorDiv [None] [None];
    "remainder" Mod [None] [None];
    "gcd" Gcd [None] [None];
    "lcm" Lcm [None] [None];
};

pub const AT: &[Builtin] = &[
    Builtin::new("add.at(x, indices, values)", |call| at(call, ScatterOp::Add, None))
        .homes(HOMES)
        .doc(
            "x[indices] += values, where a place that comes often is added to as often. Changes x.",
        )
        .example("x = zeros(3)\nadd.at(x, [0, 2, 2], 1)\nx"),
    Builtin::new("subtract.at(x, indices, values)", |call| {
        at(call, ScatterOp::Add, Some(crate::tensor::UnaryOp::Neg))
    })
    .homes(HOMES)
    .doc("x[indices] -= values, counting places that come often. Changes x.")
    .example("x = zeros(3)\nsubtract.at(x, [0, 2, 2], 1)\nx"),
    Builtin::new("multiply.at(x, indices, values)", |call| at(call, ScatterOp::Multiply, None))
        .homes(HOMES)
        .doc("x[indices] *= values, counting places that come often. Changes x.")
        .example("x = ones(3)\nmultiply.at(x, [0, 2, 2], 2)\nx"),
    Builtin::new("maximum.at(x, indices, values)", |call| at(call, ScatterOp::Max, None))
        .homes(HOMES)
        .doc("The larger of x[indices] and the values, counting places that come often. Changes x.")
        .example("x = zeros(3)\nmaximum.at(x, [0, 2, 2], array([1, 2, 1]))\nx"),
    Builtin::new("minimum.at(x, indices, values)", |call| at(call, ScatterOp::Min, None))
        .homes(HOMES)
        .doc(
            "The smaller of x[indices] and the values, counting places that come often. Changes x.",
        )
        .example("x = zeros(3)\nminimum.at(x, [0, 2, 2], -1)\nx"),
    Builtin::new("logical_and.reduce(x, axis=0, dtype=None, out=None, keepdims=False)", |call| {
        reduce(call, BinaryOp::BitAnd, Some(Reduction::All))
    })
    .homes(HOMES)
    .doc("Whether all elements along `axis` are nonzero.")
    .example("logical_and.reduce(array([[1, 0], [1, 1]]))"),
    Builtin::new("logical_or.reduce(x, axis=0, dtype=None, out=None, keepdims=False)", |call| {
        reduce(call, BinaryOp::BitOr, Some(Reduction::Any))
    })
    .homes(HOMES)
    .doc("Whether any element along `axis` is nonzero.")
    .example("logical_or.reduce(array([[1, 0], [1, 0]]))"),
];

fn reduce(call: &mut Call<'_>, op: BinaryOp, fold: Option<Reduction>) -> Outcome {
    if let Some(fold) = fold {
        return super::reduce::fold(call, fold);
    }
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let Some(axis) = call.axis("axis")? else {
        let flat = engine.ravel(&x)?;
        return Ok(engine.reshape(&along(engine, op, &flat, 0)?, &[])?.into());
    };
    let folded = along(engine, op, &x, x.shape().axis(axis)?)?;
    Ok(if call.bool("keepdims")? { folded } else { engine.squeeze(&folded, Some(&[axis]))? }.into())
}

/// The operation along an axis, which stays with length one: halves are combined, so that the
/// number of steps grows with the logarithm of the length. Only for operations whose order does
/// not matter; the others go one by one.
fn along(engine: &Engine, op: BinaryOp, x: &Tensor, axis: usize) -> Result<Tensor, Fault> {
    let mut x = x.clone();
    if x.shape()[axis] == 0 {
        let words =
            format!("zero-size array to reduction operation {} which has no identity", op.name());
        return Err(Fault::value_error(words));
    }
    let is_free = matches!(
        op,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Gcd | BinaryOp::Lcm
    );
    while is_free && x.shape()[axis] > 1 {
        let length = x.shape()[axis];
        let half = length / 2;
        let low = engine.narrow(&x, axis, 0, half, 1)?;
        let high = engine.narrow(&x, axis, half, half, 1)?;
        let rest = engine.narrow(&x, axis, 2 * half, length - 2 * half, 1)?;
        let both = engine.binary(op, &low, &high)?;
        x = if length % 2 == 1 {
            concatenate(engine, &[both, rest], Some(axis as i64))?
        } else {
            both
        };
    }
    let mut result = engine.narrow(&x, axis, 0, 1, 1)?;
    for place in 1..x.shape()[axis] {
        result = engine.binary(op, &result, &engine.narrow(&x, axis, place, 1, 1)?)?;
    }
    Ok(result)
}

fn accumulate(call: &mut Call<'_>, op: BinaryOp, scan: Option<ScanOp>) -> Outcome {
    let (engine, x, axis) = (call.engine(), call.tensor("x")?, call.int("axis")?);
    let place = x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
    if let Some(scan) = scan {
        return Ok(engine.scan(scan, &x, Some(axis), None)?.into());
    }
    room::things(engine, x.shape()[place], 2 * room::TENSOR)?;
    let mut steps: Vec<Tensor> = Vec::with_capacity(x.shape()[place]);
    let mut pace = room::Pace::new(engine);
    for at in 0..x.shape()[place] {
        pace.step(0)?;
        let part = engine.narrow(&x, place, at, 1, 1)?;
        steps.push(match steps.last() {
            Some(last) => engine.binary(op, last, &part)?,
            None => part,
        });
    }
    if steps.is_empty() {
        return Ok(engine.copy(&x)?.into());
    }
    Ok(concatenate(engine, &steps, Some(axis))?.into())
}

fn outer(call: &mut Call<'_>, op: BinaryOp) -> Outcome {
    let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
    let axes: Vec<i64> = (0..y.rank() as i64).map(|axis| axis + x.rank() as i64).collect();
    let made: Made = engine.binary(op, &engine.expand_dims(&x, &axes)?, &y);
    Ok(made?.into())
}

fn at(call: &mut Call<'_>, op: ScatterOp, first: Option<crate::tensor::UnaryOp>) -> Outcome {
    let (engine, x) = (call.engine(), super::pick::target(call)?);
    let items = match call.value("indices") {
        Value::Tuple(parts) => parts
            .iter()
            .map(|part| call.evaluator.index_item(part))
            .collect::<Result<Vec<_>, _>>()?,
        value => vec![call.evaluator.index_item(value)?],
    };
    let mut values = call.operand_beside("values", &x)?;
    if let Some(first) = first {
        let dtype = super::forms::common(engine, &[values.clone(), x.clone().into()]);
        let dtype = if let Operand::Tensor(values) = &values { values.dtype() } else { dtype };
        values = engine.unary(first, &super::forms::as_type(engine, values, dtype)?)?.into();
    }
    if x.dtype() != DType::Bool
        && let Operand::Tensor(tensor) = &values
        && !super::forms::same_kind(tensor.dtype(), x.dtype())
    {
        let words = format!(
            "Cannot cast ufunc 'at' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
            tensor.dtype(),
            x.dtype()
        );
        return Err(call.fault_at("values", Fault::type_error(words)));
    }
    call.last_write(|| engine.scatter(op, &x, &items, values))?;
    Ok(Value::None)
}
