//! The methods of NumPy's functions of two numbers, `add.reduce`, `add.accumulate`, `add.outer`, `add.at`, for
//! those that have kernels for them. The others' are written in the language (`library/numpy/ufuncs.py`).

use super::forms::{Made, Outcome};
use super::{Builtin, Call, Homes};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::array_like;
use crate::interp::value::Value;
use crate::tensor::{
    BinaryOp, Engine, Operand, Reduction, ScanOp, ScatterOp, Tensor, joins_in_turn, total_type,
};

/// The rows of one function: what it is called, its operation, its fold, its scan.
macro_rules! methods {
    ($($name:literal $op:ident $fold:expr, $scan:expr;)*) => {
        &[$(
            Builtin::new(
                concat!($name, ".reduce(x, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)"),
                |call| super::reduce::fold(call, $fold),
            )
            .homes(HOMES)
            .doc("The operation between all elements along `axis`, from the first on; None takes all axes.")
            .example(concat!($name, ".reduce(array([[12, 2], [7, 3]]))")),
            Builtin::new(concat!($name, ".accumulate(x, axis=0, dtype=None, out=None)"), |call| {
                accumulate(call, $scan)
            })
            .homes(HOMES)
            .doc("Every step of the operation between the elements along an axis.")
            .example(concat!($name, ".accumulate(array([12, 2, 3]))")),
            Builtin::new(
                concat!($name, ".outer(x, y, out=None, *, where=True, casting='same_kind', order='K', dtype=None)"),
                |call| outer(call, BinaryOp::$op),
            )
                .homes(HOMES)
                .doc("The operation between every pair: x's axes, then y's.")
                .example(concat!($name, ".outer(array([5, 6]), array([1, 2]))")),
        )*]
    };
}

const HOMES: Homes = Homes::LIBRARY;

/// What functions that are written in the language are made of.
pub const HIDDEN: &[Builtin] = &[
    Builtin::new("reduced_plainly(name, x, axis, dtype, keepdims, is_free, /)", reduced_plainly)
        .homes(Homes::NONE)
        .doc("A function's `reduce` as most calls ask for it; None where there is more to it."),
    Builtin::new("joined_along(name, x, axis, is_free, /)", |call| {
        let (x, axis) = (call.tensor(1)?, call.int(2)?);
        match kernel(call.str(0)?, &x) {
            Some(op) => Ok(joined(call.engine(), op, &x, axis, call.bool(3)?)?.into()),
            None => Ok(Value::None),
        }
    })
    .homes(Homes::NONE)
    .doc("The elements along an axis joined by a function's kernel; None where it has none for this type."),
    Builtin::new("steps_along(name, x, axis, is_free, /)", |call| {
        let (x, axis) = (call.tensor(1)?, call.int(2)?);
        match kernel(call.str(0)?, &x) {
            Some(op) => steps(call.engine(), op, &x, axis, call.bool(3)?),
            None => Ok(Value::None),
        }
    })
    .homes(Homes::NONE)
    .doc("Every step of a function's kernel between the elements along an axis; None where it has none for this type, or\nwhere steps whose order is free are rather joined in runs."),
    Builtin::new("steps_plainly(name, x, axis, dtype, is_free, /)", |call| {
        let (engine, Value::Int(axis)) = (call.engine(), call.value(2)) else { return Ok(Value::None) };
        let axis = *axis;
        match taken_plainly(call, 3)? {
            Some((op, x)) if x.shape().axis(axis).is_ok() => steps(engine, op, &x, axis, call.bool(4)?),
            _ => Ok(Value::None),
        }
    })
    .homes(Homes::NONE)
    .doc("A function's `accumulate` as most calls ask for it; None where there is more to it."),
    Builtin::new("sections_plainly(name, x, starts, axis, dtype, /)", sections_plainly)
        .homes(Homes::NONE)
        .doc("A function's `reduceat` as most calls ask for it; None where there is more to it."),
    Builtin::new("joined_onto(name, first, x, starts, ends, /)", |call| {
        let engine = call.engine();
        let [first, x, starts, ends] = [call.tensor(1)?, call.tensor(2)?, call.tensor(3)?, call.tensor(4)?];
        match kernel(call.str(0)?, &x).filter(|_| !engine.hears_float_errors()) {
            Some(op) => Ok(engine.fold_onto(op, &first, &x, [&starts, &ends])?.into()),
            None => Ok(Value::None),
        }
    })
    .homes(Homes::NONE)
    .doc("What stands first joined with the elements of each section, by a function's kernel; None where it has none."),
    Builtin::new("arrays_of(*values)", |call| {
        let is_there = |value: &&Value| !matches!(value, Value::None);
        let given = call.rest().iter().map(|argument| &argument.value);
        let (engine, met) = (call.engine(), array_like::meeting(call.engine(), given.filter(is_there)));
        let made = call.rest().iter().map(|argument| match &argument.value {
            Value::None => Ok(Value::None),
            value => {
                let made = array_like::beside(engine, value, met);
                Ok(made.map_err(|fault| call.fault_of(argument, fault))?.into())
            }
        });
        Ok(Value::Tuple(made.collect::<Result<Vec<Value>, Fault>>()?.into()))
    })
    .homes(Homes::NONE)
    .doc("Each value as an array, None as it is: Python's floats are as wide as the arrays beside them."),
];

pub const BUILTINS: &[Builtin] = methods! {
    "add" Add Reduction::Sum, ScanOp::Sum;
    "multiply" Mul Reduction::Prod, ScanOp::Prod;
    "maximum" Max Reduction::Max, ScanOp::Max;
    "minimum" Min Reduction::Min, ScanOp::Min;
};

pub const AT: &[Builtin] = &[
    Builtin::new("add.at(x, indices, values)", |call| at(call, ScatterOp::Add, None))
        .homes(HOMES)
        .about("values")
        .doc(
            "x[indices] += values, where a place that comes often is added to as often. Changes x.",
        )
        .example("x = zeros(3)\nadd.at(x, [0, 2, 2], 1)\nx"),
    Builtin::new("subtract.at(x, indices, values)", |call| {
        at(call, ScatterOp::Add, Some(crate::tensor::UnaryOp::Neg))
    })
    .homes(HOMES)
    .about("values")
    .doc("x[indices] -= values, counting places that come often. Changes x.")
    .example("x = zeros(3)\nsubtract.at(x, [0, 2, 2], 1)\nx"),
    Builtin::new("multiply.at(x, indices, values)", |call| at(call, ScatterOp::Multiply, None))
        .homes(HOMES)
        .about("values")
        .doc("x[indices] *= values, counting places that come often. Changes x.")
        .example("x = ones(3)\nmultiply.at(x, [0, 2, 2], 2)\nx"),
    Builtin::new("maximum.at(x, indices, values)", |call| at(call, ScatterOp::Max, None))
        .homes(HOMES)
        .about("values")
        .doc("The larger of x[indices] and the values, counting places that come often. Changes x.")
        .example("x = zeros(3)\nmaximum.at(x, [0, 2, 2], array([1, 2, 1]))\nx"),
    Builtin::new("minimum.at(x, indices, values)", |call| at(call, ScatterOp::Min, None))
        .homes(HOMES)
        .about("values")
        .doc(
            "The smaller of x[indices] and the values, counting places that come often. Changes x.",
        )
        .example("x = zeros(3)\nminimum.at(x, [0, 2, 2], -1)\nx"),
    Builtin::new("logical_and.reduce(x, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        super::reduce::fold(call, Reduction::All)
    })
    .homes(HOMES)
    .doc("Whether all elements along `axis` are nonzero.")
    .example("logical_and.reduce(array([[1, 0], [1, 1]]))"),
    Builtin::new("logical_or.reduce(x, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        super::reduce::fold(call, Reduction::Any)
    })
    .homes(HOMES)
    .doc("Whether any element along `axis` is nonzero.")
    .example("logical_or.reduce(array([[1, 0], [1, 0]]))"),
];

/// Elements that are joined one after the other though their order is free.
const FEW: usize = 4096;
/// Elements of which each is joined to one, where there are more.
const DEPTH: usize = 64;

/// The operation of a function, by NumPy's name, if it has a kernel that joins elements of this type.
fn kernel(name: &str, x: &Tensor) -> Option<BinaryOp> {
    let op = match name {
        "logical_and" if x.dtype() == DType::Bool => BinaryOp::BitAnd,
        "logical_or" if x.dtype() == DType::Bool => BinaryOp::BitOr,
        "logical_xor" if x.dtype() == DType::Bool => BinaryOp::BitXor,
        name => BinaryOp::ALL.iter().copied().find(|op| op.row().ufunc == name)?,
    };
    joins_in_turn(op, x.dtype()).then_some(op)
}

/// The elements along an axis joined by an operation that has a loop for them. Where their order is free, many are joined
/// with those far behind them first, which lie side by side.
fn joined(engine: &Engine, op: BinaryOp, x: &Tensor, axis: i64, is_free: bool) -> Made {
    if let Some(fold) = Reduction::joined(op, x.dtype()) {
        return engine.reduce(fold, x, Some(&[axis]), false);
    }
    let at = x.shape().axis(axis)?;
    let mut x = x.clone();
    while is_free && x.shape()[at] > FEW {
        let (count, width) = (x.shape()[at], x.shape()[at] / DEPTH);
        let mut shape = super::forms::lengths(x.shape());
        shape[at] = width as i64;
        shape.insert(at, DEPTH as i64);
        let whole = engine.reshape(&engine.narrow(&x, at, 0, DEPTH * width, 1)?, &shape)?;
        let made = engine.fold_left(op, &whole, at as i64)?;
        x = match count - DEPTH * width {
            0 => made,
            left => {
                let left = engine.narrow(&x, at, count - left, left, 1)?;
                engine.concatenate(&[made, left], at as i64)?
            }
        };
    }
    engine.fold_left(op, &x, axis)
}

/// Every step of an operation along an axis; None where steps whose order is free are rather joined in runs.
fn steps(engine: &Engine, op: BinaryOp, x: &Tensor, axis: i64, is_free: bool) -> Outcome {
    let is_long = x.shape()[x.shape().axis(axis)?] > FEW;
    if is_free && is_long && x.device().backend().launches_cost() {
        return Ok(Value::None);
    }
    Ok(engine.steps_left(op, x, axis)?.into())
}

fn reduced_plainly(call: &mut Call<'_>) -> Outcome {
    let (engine, Value::Int(axis)) = (call.engine(), call.value(2)) else { return Ok(Value::None) };
    let axis = *axis;
    let Some((op, x)) = taken_plainly(call, 3)? else { return Ok(Value::None) };
    if x.shape().axis(axis).is_ok_and(|axis| x.shape()[axis] == 0) {
        return Ok(Value::None);
    }
    let made = joined(engine, op, &x, axis, call.bool(5)?)?;
    let axis = x.shape().axis(axis)? as i64;
    let made = if call.bool(4)? { engine.expand_dims(&made, &[axis])? } else { made };
    Ok(made.into())
}

fn sections_plainly(call: &mut Call<'_>) -> Outcome {
    let (engine, Value::Int(axis)) = (call.engine(), call.value(3)) else { return Ok(Value::None) };
    let axis = *axis;
    match call.value(2) {
        Value::Tensor(places) if places.dtype() == DType::U64 => {
            let words = "Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'";
            return Err(call.fault_at(2usize, Fault::type_error(words)));
        }
        places if places.number().is_some() => {
            let words = "object of too small depth for desired array";
            return Err(call.fault_at(2usize, Fault::value_error(words)));
        }
        _ => {}
    }
    match taken_plainly(call, 4)? {
        Some((op, x)) if !engine.hears_float_errors() => {
            let x = match op {
                BinaryOp::Add | BinaryOp::Mul if call.is_none(4usize) => {
                    engine.cast(&x, total_type(x.dtype()))?
                }
                _ => x,
            };
            let made = engine.fold_sections(op, &x, axis, &call.ints(2)?).map_err(Fault::from);
            let made = made.map_err(|fault| match fault.kind {
                ErrorKind::Index => call.fault_at(2usize, fault),
                _ => fault,
            });
            Ok(made?.into())
        }
        _ => Ok(Value::None),
    }
}

/// The operation of the function that a call names first, and the array that follows it, as the function takes it: in the
/// type at a place, if one stands there. Nothing where there is more to it than that.
fn taken_plainly(call: &Call<'_>, dtype: usize) -> Result<Option<(BinaryOp, Tensor)>, Fault> {
    let (name, Value::Tensor(x)) = (call.str(0)?, call.value(1)) else { return Ok(None) };
    let x = match call.dtype(dtype)? {
        Some(dtype) => call.engine().cast(x, dtype)?,
        None if name.starts_with("logical_") => call.engine().cast(x, DType::Bool)?,
        None => x.clone(),
    };
    Ok(kernel(name, &x).filter(|_| x.rank() > 0).map(|op| (op, x)))
}

/// The function whose method is called.
fn ufunc(call: &Call<'_>) -> Value {
    let name = call.function.builtin.name.split('.').next().unwrap_or_default();
    call.evaluator.interp.registry.name(name).cloned().unwrap_or(Value::None)
}

fn accumulate(call: &mut Call<'_>, scan: ScanOp) -> Outcome {
    let is_plain = !matches!(call.value("axis"), Value::None | Value::Tuple(_));
    if !is_plain || call.tensor("x")?.rank() == 0 {
        let rest = ["x", "axis", "dtype", "out"].map(|key| call.value(key).clone());
        let arguments = [ufunc(call)].into_iter().chain(rest);
        return call.evaluator.call_written("_accumulate_several", arguments);
    }
    let (engine, axis) = (call.engine(), call.int("axis")?);
    let (x, dtype) = (super::out::widened(call, call.tensor("x")?)?, call.dtype("dtype")?);
    x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
    super::forms::give(call, engine.scan(scan, &x, Some(axis), dtype)?)
}

fn outer(call: &mut Call<'_>, op: BinaryOp) -> Outcome {
    if call.arguments() > 2 {
        let keys = ["x", "y", "out", "where", "casting", "order", "dtype"];
        let rest = keys.map(|key| call.value(key).clone());
        let arguments = [ufunc(call)].into_iter().chain(rest);
        return call.evaluator.call_written("_outer_with", arguments);
    }
    let (engine, [x, y]) = (call.engine(), call.meeting(["x", "y"])?);
    let axes: Vec<i64> = (0..y.rank() as i64).map(|axis| axis + x.rank() as i64).collect();
    let made: Made = engine.binary(op, &engine.expand_dims(&x, &axes)?, &y);
    Ok(made?.into())
}

fn at(call: &mut Call<'_>, op: ScatterOp, first: Option<crate::tensor::UnaryOp>) -> Outcome {
    let (engine, x) = (call.engine(), super::pick::target(call)?);
    let is_bool = |value: &Value| match value {
        Value::Bool(_) => true,
        Value::Tensor(tensor) => tensor.dtype() == DType::Bool,
        _ => false,
    };
    // What bools and numbers make is a bool again after each turn.
    let is_mixed = x.dtype() == DType::Bool && first.is_none() && !is_bool(call.value("values"));
    if is_mixed || x.dtype().is_complex() && op != ScatterOp::Add {
        let rest = ["x", "indices", "values"].map(|key| call.value(key).clone());
        let arguments = [ufunc(call)].into_iter().chain(rest);
        return call.evaluator.call_written("_ufunc_method_at", arguments);
    }
    let items = match call.value("indices") {
        Value::Tuple(parts) => parts
            .iter()
            .map(|part| call.evaluator.index_item(part))
            .collect::<Result<Vec<_>, _>>()?,
        value => vec![call.evaluator.index_item(value)?],
    };
    let mut values = call.operand_beside("values", &x)?;
    if let Some(first) = first {
        // In a type that has what numbers without a sign become, too.
        let dtype = super::forms::common(engine, &[values.clone(), x.clone().into()]);
        values = engine.unary(first, &super::forms::as_type(engine, values, dtype)?)?.into();
    }
    let made = match &values {
        Operand::Tensor(tensor) => Some(tensor.dtype()),
        // A float that is no whole number takes the operation to floats.
        Operand::Scalar(Scalar::Float(value)) if value.fract() != 0.0 => Some(DType::F64),
        Operand::Scalar(_) => None,
    };
    if let Some(made) = made
        && x.dtype() != DType::Bool
        && !super::forms::same_kind(made, x.dtype())
    {
        let words = format!(
            "Cannot cast ufunc 'at' output from dtype('{made}') to dtype('{}') with casting rule 'same_kind'",
            x.dtype()
        );
        return Err(call.fault_at("values", Fault::type_error(words)));
    }
    call.last_write(|| engine.scatter(op, &x, &items, values))?;
    Ok(Value::None)
}
