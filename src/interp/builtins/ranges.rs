//! Numbers in steps: ranges, and so many numbers between two ends.

use super::forms::{Made, Outcome, on_device, written};
use super::{Builtin, Call};
use crate::diag::{Fault, NoAxis};
use crate::dtype::{DType, Scalar, promote};
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{BinaryOp, CompareOp, Engine, Tensor, UnaryOp};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("arange(start, stop=None, step=1, dtype=None, *, device=None, like=None, requires_grad=False)", arange)
        .doc("start, start + step, … before stop; `arange(n)` counts from 0. ZeroDivisionError for step 0.")
        .example("arange(1, 10, 3)"),
    Builtin::new("linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)", |call| {
        if has_ends_of_several(call) {
            return written(call, "_linspace");
        }
        let (start, stop) = (call.float("start")?, call.float("stop")?);
        let (count, endpoint) = (spaced_count(call)?, call.bool("endpoint")?);
        let made = spaced(call, type_of_ends(call), |engine, dtype| engine.linspace(start, stop, count, endpoint, dtype))?;
        if call.bool("retstep")? {
            let parts = if endpoint { count as f64 - 1.0 } else { count as f64 };
            return Ok(Value::tuple(vec![made.into(), Value::Float((stop - start) / parts)]));
        }
        Ok(made.into())
    })
    .doc("`num` numbers from start to stop in equal steps; without the end if `endpoint` is False.\nBetween tensors, the steps go along `axis`.")
    .example("linspace(0, 1, 5)"),
    Builtin::new("logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, *, device=None)", |call| {
        if has_ends_of_several(call) || is_several(call.value("base")) {
            return written(call, "_logspace");
        }
        let (start, stop, base) = (call.float("start")?, call.float("stop")?, call.float("base")?);
        let (count, endpoint) = (spaced_count(call)?, call.bool("endpoint")?);
        let made = spaced(call, type_of_ends(call), |engine, dtype| {
            let powers = engine.linspace(start, stop, count, endpoint, DType::F64)?;
            engine.cast(&engine.binary(BinaryOp::Pow, Scalar::Float(base), &powers)?, dtype)
        });
        Ok(made?.into())
    })
    .doc("`base` to the power of `num` numbers from start to stop in equal steps.")
    .example("logspace(0, 2, 3)"),
    Builtin::new("geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0, *, device=None)", |call| {
        let is_complex = call.dtype("dtype")?.is_some_and(DType::is_complex);
        if is_complex || has_ends_of_several(call) {
            return written(call, "_geomspace");
        }
        let (start, stop) = (call.float("start")?, call.float("stop")?);
        if start == 0.0 || stop == 0.0 {
            return Err(Fault::value_error("Geometric sequence cannot include zero"));
        }
        let (count, endpoint) = (spaced_count(call)?, call.bool("endpoint")?);
        // At least the default float's digits.
        let least = promote(type_of_ends(call), call.engine().default_float());
        let made = spaced(call, least, |engine, dtype| {
            let powers = engine.linspace(0.0, (stop / start).log10(), count, endpoint, DType::F64)?;
            let ratios = engine.binary(BinaryOp::Pow, Scalar::Float(10.0), &powers)?;
            let values = engine.binary(BinaryOp::Mul, &ratios, Scalar::Float(start))?;
            let place = engine.iota(values.shape(), 0)?;
            // The ends are exact, also where their signs differ and nothing lies between them.
            let at = |end: usize| engine.compare(CompareOp::Eq, &place, Scalar::Int(end as i64));
            let mut values = engine.select(&at(0)?, Scalar::Float(start), &values)?;
            if endpoint && count > 1 {
                // A start that is NaN makes NaN of all.
                let last = if start.is_nan() { start } else { stop };
                values = engine.select(&at(count - 1)?, Scalar::Float(last), &values)?;
            }
            engine.cast(&values, dtype)
        });
        Ok(made?.into())
    })
    .doc("`num` numbers from start to stop in equal ratios.")
    .example("geomspace(1, 8, 4)"),
];

fn arange(call: &mut Call<'_>) -> Outcome {
    let (mut start, mut stop) = (Scalar::Int(0), number(call, "start")?);
    if !call.is_none("stop") {
        (start, stop) = (stop, number(call, "stop")?);
    }
    let step = number(call, "step")?;
    if step.as_f64() == 0.0 {
        let fault = Fault::new(crate::diag::ErrorKind::ZeroDivision, "division by zero");
        return Err(call.fault_at("step", fault.with_hint("`step` must not be 0")));
    }
    let dtype = call.dtype("dtype")?;
    if let Some(dtype) = dtype.filter(|dtype| dtype.is_integer())
        && !(start.is_whole() && step.is_whole())
    {
        return whole_steps(call, [start, stop, step].map(Scalar::as_f64), dtype);
    }
    Ok(on_device(call, |engine| engine.arange(start, stop, step, dtype))?.into())
}

/// NumPy's rule for integers by a step that is none: as many as there would be floats, at the distance that the
/// first two have once they are cut to integers.
fn whole_steps(call: &Call<'_>, [start, stop, step]: [f64; 3], dtype: DType) -> Outcome {
    let count = ((stop - start) / step).ceil().max(0.0);
    if !count.is_finite() || count > i64::MAX as f64 {
        return Err(Fault::value_error("Maximum allowed size exceeded"));
    }
    let first = start as i64;
    let delta = ((start + step) as i64).wrapping_sub(first);
    let shape = Shape::from([count as usize]);
    shape.checked_elem_count()?;
    let made = on_device(call, |engine| {
        let steps = engine.binary(BinaryOp::Mul, &engine.iota(&shape, 0)?, Scalar::Int(delta))?;
        engine.cast(&engine.binary(BinaryOp::Add, &steps, Scalar::Int(first))?, dtype)
    });
    Ok(made?.into())
}

/// A Python number, or a tensor of one element.
fn number(call: &Call<'_>, key: &'static str) -> Result<Scalar, Fault> {
    if let Some(value) = call.value(key).scalar() {
        return Ok(value);
    }
    let tensor = call.tensor(key)?;
    if tensor.elem_count() != 1 {
        return Err(call.wrong_type(key, "a number"));
    }
    Ok(call.engine().item(&tensor)?)
}

fn spaced_count(call: &Call<'_>) -> Result<usize, Fault> {
    let count = call.int("num")?;
    if count < 0 {
        let words = format!("Number of samples, {count}, must be non-negative.");
        return Err(call.fault_at("num", Fault::value_error(words)));
    }
    let axis = call.int("axis")?;
    if !matches!(axis, 0 | -1) {
        let fault = NoAxis { axis, rank: 1, argument: Some("destination") };
        return Err(call.fault_at("axis", fault));
    }
    Ok(count as usize)
}

/// Whether the text of `library/numpy/spaces.py` has to see to it.
fn is_several(value: &Value) -> bool {
    match value {
        Value::Tensor(tensor) => tensor.rank() > 0 || tensor.dtype().is_complex(),
        Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Complex(_) => true,
        _ => false,
    }
}

/// Whether numbers lie between tensors, or complex numbers, and not between two real ones.
fn has_ends_of_several(call: &Call<'_>) -> bool {
    is_several(call.value("start")) || is_several(call.value("stop"))
}

/// The type of floats that the ends are, where they are no plain numbers.
fn type_of_ends(call: &Call<'_>) -> DType {
    let float = |key: &&str| match call.value(*key) {
        Value::Tensor(tensor) => Some(tensor.dtype()).filter(|dtype| dtype.is_float()),
        _ => None,
    };
    let floats = ["start", "stop"].iter().filter_map(float).reduce(promote);
    floats.unwrap_or_else(|| call.engine().default_float())
}

/// Numbers made in float64 and then cast; whole types round down, as NumPy's do.
fn spaced(
    call: &Call<'_>,
    usual: DType,
    run: impl FnOnce(&Engine, DType) -> Made,
) -> Result<Tensor, Fault> {
    let dtype = call.dtype("dtype")?.unwrap_or(usual);
    let made = on_device(call, |engine| {
        if dtype.is_float() {
            return run(engine, dtype);
        }
        let made = run(engine, DType::F64)?;
        if dtype.is_complex() || dtype == DType::Bool {
            return engine.cast(&made, dtype);
        }
        engine.cast(&engine.unary(UnaryOp::Floor, &made)?, dtype)
    });
    Ok(made?)
}
