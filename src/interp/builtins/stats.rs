//! Statistics: what ignores NaN, orders, weighs and counts.

use super::forms::{Made, Outcome, as_float, numbers, sort, tuple};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{
    BinaryOp, CompareOp, Engine, Error, IndexItem, Reduction, ScatterOp, Tensor, UnaryOp,
};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("nansum(x, axis=None, dtype=None, out=None, keepdims=False)", |call| {
        ignoring(call, Scalar::Int(0), Reduction::Sum)
    })
    .doc("The sum over `axis`, NaN counted as 0.")
    .example("nansum(array([1.0, nan, 2.0]))")
    .method(),
    Builtin::new("nanprod(x, axis=None, dtype=None, out=None, keepdims=False)", |call| {
        ignoring(call, Scalar::Int(1), Reduction::Prod)
    })
    .doc("The product over `axis`, NaN counted as 1.")
    .example("nanprod(array([3.0, nan, 2.0]))"),
    Builtin::new("nanmax(x, axis=None, out=None, keepdims=False)", |call| {
        nan_extreme(call, f64::NEG_INFINITY, Reduction::Max)
    })
    .doc("The largest element over `axis` that is not NaN; NaN if all are.")
    .example("nanmax(array([1.0, nan, 2.0]))"),
    Builtin::new("nanmin(x, axis=None, out=None, keepdims=False)", |call| {
        nan_extreme(call, f64::INFINITY, Reduction::Min)
    })
    .doc("The smallest element over `axis` that is not NaN; NaN if all are.")
    .example("nanmin(array([1.0, nan, 2.0]))"),
    Builtin::new("nanmean(x, axis=None, dtype=None, out=None, keepdims=False)", |call| {
        let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
        Ok(nan_mean(engine, &x, axes.as_deref(), call.bool("keepdims")?)?.into())
    })
    .doc("The mean over `axis` of what is not NaN.")
    .example("nanmean(array([1.0, nan, 2.0]))")
    .method(),
    Builtin::new("nanvar(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False)", |call| {
        Ok(nan_var(call)?.into())
    })
    .doc("The variance over `axis` of what is not NaN.")
    .example("nanvar(array([1.0, nan, 3.0]))"),
    Builtin::new("nanstd(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False)", |call| {
        let variance = nan_var(call)?;
        Ok(call.engine().unary(UnaryOp::Sqrt, &variance)?.into())
    })
    .doc("The standard deviation over `axis` of what is not NaN.")
    .example("nanstd(array([1.0, nan, 3.0]))"),
    Builtin::new("nanargmax(x, axis=None)", |call| nan_place(call, f64::NEG_INFINITY, Reduction::ArgMax))
        .doc("The position of the largest element that is not NaN.")
        .example("nanargmax(array([1.0, nan, 2.0]))"),
    Builtin::new("nanargmin(x, axis=None)", |call| nan_place(call, f64::INFINITY, Reduction::ArgMin))
        .doc("The position of the smallest element that is not NaN.")
        .example("nanargmin(array([1.0, nan, 2.0]))"),
    Builtin::new("median(x, axis=None, keepdims=False)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let keepdims = call.bool("keepdims")?;
        let axes = call.axes("axis")?;
        let (x, shape) = gathered(engine, &x, axes.as_deref(), keepdims)?;
        let median = median(engine, &x)?;
        Ok(engine.reshape(&median, &super::forms::lengths(&shape))?.into())
    })
    .doc("The middle element over `axis`, or the mean of the middle two.")
    .example("median(array([3, 1, 4, 2]))")
    .method(),
    Builtin::new("nanmedian(x, axis=None, keepdims=False)", nan_median)
        .doc("The middle element over `axis` of what is not NaN.")
        .example("nanmedian(array([3.0, nan, 1.0]))"),
    Builtin::new("quantile(x, q, axis=None, keepdims=False)", |call| quantile(call, 1.0))
        .doc("The value below which the part `q` (0 to 1) of the elements lies, between neighbours linearly.\nSeveral `q` give a leading axis.")
        .example("quantile(array([1.0, 2.0, 3.0, 4.0]), 0.5)")
        .method(),
    Builtin::new("percentile(x, q, axis=None, keepdims=False)", |call| quantile(call, 100.0))
        .doc("As `quantile`, with `q` from 0 to 100.")
        .example("percentile(array([1.0, 2.0, 3.0, 4.0]), 75)"),
    Builtin::new("average(x, axis=None, weights=None, *, keepdims=False)", average)
        .doc("The mean over `axis`, weighed by `weights`, which have x's shape or the axis's length.")
        .example("average(array([1.0, 2.0, 3.0]), weights=array([3, 1, 0]))"),
    Builtin::new("bincount(x, weights=None, minlength=0)", bincount)
        .doc("How often each of 0, 1, 2 … occurs in a row of integers, or the sum of its weights.")
        .example("bincount(array([0, 1, 1, 3]))")
        .method(),
    Builtin::new("histogram(x, bins=10, range=None, *, weights=None)", histogram)
        .doc("(counts, edges): how many elements lie in each of `bins` equal parts of `range`,\nor between the given edges. The last bin holds its right edge too.")
        .example("histogram(array([1, 2, 2, 3]), bins=2)"),
    Builtin::new("digitize(x, bins, right=False)", |call| {
        let (engine, x, bins) = (call.engine(), call.tensor("x")?, call.tensor("bins")?);
        let right = call.bool("right")?;
        Ok(engine.searchsorted(&bins, &x, !right)?.into())
    })
    .doc("The number of the bin of each element; `bins` are rising edges.")
    .example("digitize(array([0.5, 1.5]), array([0.0, 1.0, 2.0]))"),
    Builtin::new("interp(x, xp, fp)", interp)
        .doc("Between the points (xp, fp) linearly; xp rises. Beyond them the first and last value.")
        .example("interp(array([0.5, 3.0]), array([0.0, 1.0]), array([10.0, 20.0]))"),
    Builtin::new("cov(x)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let x = as_float(engine, &x)?;
        let x = if x.rank() == 1 { engine.expand_dims(&x, &[0])? } else { x };
        let mean = engine.reduce(Reduction::Mean, &x, Some(&[1]), true)?;
        let x = engine.binary(BinaryOp::Sub, &x, &mean)?;
        let product = engine.matmul(&x, &engine.transpose(&x)?)?;
        let count = x.shape()[1] as f64 - 1.0;
        let cov = engine.binary(BinaryOp::Div, &product, Scalar::Float(count))?;
        Ok(engine.squeeze(&cov, None)?.into())
    })
    .doc("The covariance matrix of the rows.")
    .example("cov(array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))"),
];

/// The reduced axes moved to the end and joined into one, and the result's shape.
pub fn gathered(
    engine: &Engine,
    x: &Tensor,
    axes: Option<&[i64]>,
    keepdims: bool,
) -> Result<(Tensor, Shape), Error> {
    let rank = x.rank();
    let reduced: Vec<usize> = match axes {
        None => (0..rank).collect(),
        Some(axes) => axes.iter().map(|axis| x.shape().axis(*axis)).collect::<Result<_, _>>()?,
    };
    let kept: Vec<usize> = (0..rank).filter(|axis| !reduced.contains(axis)).collect();
    let order: Vec<i64> = kept.iter().chain(&reduced).map(|axis| *axis as i64).collect();
    let mut flat: Vec<i64> = kept.iter().map(|axis| x.shape()[*axis] as i64).collect();
    let length: usize = reduced.iter().map(|axis| x.shape()[*axis]).product();
    flat.push(length as i64);
    let joined = engine.reshape(&engine.permute(x, &order)?, &flat)?;
    let shape = (0..rank)
        .filter(|axis| keepdims || kept.contains(axis))
        .map(|axis| if kept.contains(&axis) { x.shape()[axis] } else { 1 })
        .collect();
    Ok((joined, shape))
}

/// The middle of each row. NaN sorts last, so a row's last element tells of any.
fn median(engine: &Engine, x: &Tensor) -> Made {
    let axis = x.rank() - 1;
    let length = x.shape()[axis];
    if length == 0 {
        return engine.reduce(Reduction::Mean, x, Some(&[-1]), false);
    }
    let sorted = sort(engine, x, Some(-1), false)?;
    let at = |place| as_float(engine, &engine.narrow(&sorted, axis, place, 1, 1)?);
    let (low, high, last) = (at((length - 1) / 2)?, at(length / 2)?, at(length - 1)?);
    let sum = engine.binary(BinaryOp::Add, &low, &high)?;
    let middle = engine.binary(BinaryOp::Mul, &sum, Scalar::Float(0.5))?;
    let nan = engine.unary(UnaryOp::IsNan, &last)?;
    engine.squeeze(&engine.select(&nan, &last, &middle)?, Some(&[-1]))
}

fn without_nan(engine: &Engine, x: &Tensor, instead: Scalar) -> Made {
    if !x.dtype().is_float() {
        return Ok(x.clone());
    }
    engine.select(&engine.unary(UnaryOp::IsNan, x)?, instead, x)
}

fn ignoring(call: &mut Call<'_>, instead: Scalar, op: Reduction) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let x = without_nan(engine, &x, instead)?;
    super::forms::give(call, engine.reduce(op, &x, axes.as_deref(), call.bool("keepdims")?)?)
}

fn nan_extreme(call: &mut Call<'_>, worst: f64, op: Reduction) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let keepdims = call.bool("keepdims")?;
    if !x.dtype().is_float() {
        return super::reduce::fold(call, op);
    }
    let nan = engine.unary(UnaryOp::IsNan, &x)?;
    let filled = engine.select(&nan, Scalar::Float(worst), &x)?;
    let found = engine.reduce(op, &filled, axes.as_deref(), keepdims)?;
    let none = engine.reduce(Reduction::All, &nan, axes.as_deref(), keepdims)?;
    super::forms::give(call, engine.select(&none, Scalar::Float(f64::NAN), &found)?)
}

fn nan_place(call: &mut Call<'_>, worst: f64, op: Reduction) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    if x.dtype().is_float() {
        let nan = engine.unary(UnaryOp::IsNan, &x)?;
        let none = engine.reduce(Reduction::All, &nan, axes.as_deref(), false)?;
        let any = engine.reduce(Reduction::Any, &none, None, false)?;
        if engine.item(&any)?.as_bool() {
            return Err(Fault::value_error("All-NaN slice encountered"));
        }
    }
    let x = without_nan(engine, &x, Scalar::Float(worst))?;
    Ok(engine.reduce(op, &x, axes.as_deref(), false)?.into())
}

fn nan_mean(engine: &Engine, x: &Tensor, axes: Option<&[i64]>, keepdims: bool) -> Made {
    let x = as_float(engine, x)?;
    let real = engine.compare(CompareOp::Eq, &x, &x)?;
    let count = engine.reduce(Reduction::Sum, &real, axes, keepdims)?;
    let filled = without_nan(engine, &x, Scalar::Int(0))?;
    let sum = engine.reduce(Reduction::Sum, &filled, axes, keepdims)?;
    engine.binary(BinaryOp::Div, &sum, &count)
}

fn nan_var(call: &Call<'_>) -> Result<Tensor, Fault> {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let (ddof, keepdims) = (call.float("ddof")?, call.bool("keepdims")?);
    let x = as_float(engine, &x)?;
    let mean = nan_mean(engine, &x, axes.as_deref(), true)?;
    let away = engine.binary(BinaryOp::Sub, &x, &mean)?;
    let squares = without_nan(engine, &engine.unary(UnaryOp::Square, &away)?, Scalar::Int(0))?;
    let real = engine.compare(CompareOp::Eq, &x, &x)?;
    let count = engine.reduce(Reduction::Sum, &real, axes.as_deref(), keepdims)?;
    let count = engine.binary(BinaryOp::Sub, &count, Scalar::Float(ddof))?;
    let sum = engine.reduce(Reduction::Sum, &squares, axes.as_deref(), keepdims)?;
    let variance = engine.binary(BinaryOp::Div, &sum, &engine.cast(&count, x.dtype())?)?;
    let defined = engine.compare(CompareOp::Gt, &count, Scalar::Int(0))?;
    Ok(engine.select(&defined, &variance, Scalar::Float(f64::NAN))?)
}

/// NaN sorts last, so the middle of the first `count` elements of each row is the median.
fn nan_median(call: &mut Call<'_>) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let (x, shape) =
        gathered(engine, &as_float(engine, &x)?, axes.as_deref(), call.bool("keepdims")?)?;
    let sorted = sort(engine, &x, Some(-1), false)?;
    let real = engine.compare(CompareOp::Eq, &x, &x)?;
    let count = engine.reduce(Reduction::Sum, &real, Some(&[-1]), true)?;
    let before = engine.binary(BinaryOp::Sub, &count, Scalar::Int(1))?;
    let before = engine.binary(BinaryOp::Max, &before, Scalar::Int(0))?;
    let low = engine.binary(BinaryOp::FloorDiv, &before, Scalar::Int(2))?;
    let last = Scalar::Int(x.shape()[x.rank() - 1].max(1) as i64 - 1);
    let high = engine.binary(BinaryOp::FloorDiv, &count, Scalar::Int(2))?;
    let high = engine.binary(BinaryOp::Min, &high, last)?;
    let low = super::pick::along(engine, &sorted, &low, -1)?;
    let high = super::pick::along(engine, &sorted, &high, -1)?;
    let sum = engine.binary(BinaryOp::Add, &low, &high)?;
    let middle = engine.binary(BinaryOp::Mul, &sum, Scalar::Float(0.5))?;
    Ok(engine.reshape(&middle, &super::forms::lengths(&shape))?.into())
}

fn quantile(call: &mut Call<'_>, whole: f64) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let q = call.tensor_of("q", DType::F64)?;
    let (x, shape) =
        gathered(engine, &as_float(engine, &x)?, axes.as_deref(), call.bool("keepdims")?)?;
    let length = x.shape()[x.rank() - 1];
    if length == 0 {
        return Err(call.fault_at("x", Fault::value_error("expected at least one element")));
    }
    let parts: Vec<f64> = numbers(engine, &q)?.into_iter().map(|part| part / whole).collect();
    if parts.iter().any(|part| !(0.0..=1.0).contains(part)) {
        let words = if whole == 1.0 {
            "Quantiles must be in the range [0, 1]"
        } else {
            "Percentiles must be in the range [0, 100]"
        };
        return Err(call.fault_at("q", Fault::value_error(words)));
    }
    let sorted = sort(engine, &x, Some(-1), false)?;
    let axis = sorted.rank() - 1;
    let end = engine.narrow(&sorted, axis, length - 1, 1, 1)?;
    let nan = engine.unary(UnaryOp::IsNan, &end)?;
    let mut rows = Vec::new();
    for part in parts {
        let place = part * (length - 1) as f64;
        let (low, weight) = (place.floor() as usize, place.fract());
        let high = (low + 1).min(length - 1);
        let a = engine.narrow(&sorted, axis, low, 1, 1)?;
        let b = engine.narrow(&sorted, axis, high, 1, 1)?;
        let span = engine.binary(BinaryOp::Sub, &b, &a)?;
        let value = if weight < 0.5 {
            engine.binary(
                BinaryOp::Add,
                &a,
                &engine.binary(BinaryOp::Mul, &span, Scalar::Float(weight))?,
            )?
        } else {
            let back = engine.binary(BinaryOp::Mul, &span, Scalar::Float(1.0 - weight))?;
            engine.binary(BinaryOp::Sub, &b, &back)?
        };
        let value = engine.select(&nan, Scalar::Float(f64::NAN), &value)?;
        rows.push(engine.reshape(&value, &super::forms::lengths(&shape))?);
    }
    if q.rank() == 0 {
        return Ok(rows.swap_remove(0).into());
    }
    let stacked = engine.stack(&rows, 0)?;
    let full: Vec<usize> = q.shape().iter().chain(shape.iter()).copied().collect();
    Ok(engine.reshape(&stacked, &super::forms::lengths(&full))?.into())
}

fn average(call: &mut Call<'_>) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let keepdims = call.bool("keepdims")?;
    let Some(mut weights) = call.optional_tensor("weights")? else {
        return Ok(engine.reduce(Reduction::Mean, &x, axes.as_deref(), keepdims)?.into());
    };
    if weights.shape() != x.shape() {
        let Some([axis]) = axes.as_deref() else {
            let fault =
                Fault::type_error("Axis must be specified when shapes of a and weights differ.");
            return Err(call.fault_at("weights", fault));
        };
        let axis = x.shape().axis(*axis)?;
        if weights.rank() != 1 || weights.shape()[0] != x.shape()[axis] {
            let fault = Fault::value_error(
                "Shape of weights must be consistent with shape of a along specified axis.",
            );
            return Err(call.fault_at("weights", fault));
        }
        let mut shape = vec![1; x.rank()];
        shape[axis] = -1;
        weights = engine.reshape(&weights, &shape)?;
        weights = engine.broadcast_to(&weights, x.shape())?;
    }
    let scaled = engine.binary(BinaryOp::Mul, &x, &weights)?;
    let sum = engine.reduce(Reduction::Sum, &scaled, axes.as_deref(), keepdims)?;
    let weight = engine.reduce(Reduction::Sum, &weights, axes.as_deref(), keepdims)?;
    let zero = engine.compare(CompareOp::Eq, &weight, Scalar::Int(0))?;
    let zero = engine.reduce(Reduction::Any, &zero, None, false)?;
    if engine.item(&zero)?.as_bool() {
        let words = "Weights sum to zero, can't be normalized";
        let fault = Fault::new(crate::diag::ErrorKind::ZeroDivision, words);
        return Err(call.fault_at("weights", fault));
    }
    Ok(engine.binary(BinaryOp::Div, &sum, &weight)?.into())
}

fn bincount(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let least = call.int("minlength")?;
    if x.rank() != 1 {
        let words = if x.rank() == 0 {
            "object of too small depth for desired array"
        } else {
            "object too deep for desired array"
        };
        return Err(call.fault_at("x", Fault::value_error(words)));
    }
    if x.dtype().is_float() && x.elem_count() > 0 {
        let words = format!(
            "Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'",
            x.dtype()
        );
        return Err(call.fault_at("x", Fault::type_error(words)));
    }
    if least < 0 {
        return Err(
            call.fault_at("minlength", Fault::value_error("'minlength' must not be negative"))
        );
    }
    let x = engine.cast(&x, DType::I64)?;
    let mut length = least as usize;
    if x.elem_count() > 0 {
        let (low, high) = engine.range_of(&x)?;
        if low.as_i64() < 0 {
            let words = "'list' argument must have no negative elements";
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
        length = length.max(high.as_i64() as usize + 1);
    }
    let shape = Shape::from([length]);
    shape.checked_elem_count()?;
    let weights = call.optional_tensor("weights")?;
    let dtype = if weights.is_some() { engine.default_float() } else { DType::I64 };
    let counts = engine.copy(&engine.full(&shape, Scalar::Int(0), dtype)?)?;
    let value = match weights {
        Some(weights) if weights.shape() != x.shape() => {
            let words = "The weights and list don't have the same length.";
            return Err(call.fault_at("weights", Fault::value_error(words)));
        }
        Some(weights) => engine.cast(&weights, dtype)?.into(),
        None => crate::tensor::Operand::from(Scalar::Int(1)),
    };
    engine.scatter(ScatterOp::Add, &counts, &[IndexItem::Tensor(x)], value)?;
    Ok(counts.into())
}

fn histogram(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let x = as_float(engine, &engine.ravel(&x)?)?;
    let edges = match call.value("bins") {
        Value::Int(bins) if *bins < 1 => {
            let fault = Fault::value_error("`bins` must be positive, when an integer");
            return Err(call.fault_at("bins", fault));
        }
        Value::Int(bins) => {
            let bins = *bins as usize;
            let (mut low, mut high) = (0.0, 1.0);
            if !call.is_none("range") {
                let range = call.tensor_of("range", DType::F64)?;
                let ends: Vec<f64> = numbers(engine, &range)?;
                let [first, second] = ends[..] else {
                    return Err(call.wrong_type("range", "a pair of numbers"));
                };
                (low, high) = (first, second);
            } else if x.elem_count() > 0 {
                let found = engine.range_of(&x)?;
                (low, high) = (found.0.as_f64(), found.1.as_f64());
            }
            if !(low.is_finite() && high.is_finite()) {
                let words = format!("autodetected range of [{low}, {high}] is not finite");
                return Err(call.fault_at("x", Fault::value_error(words)));
            }
            if low > high {
                let words = "max must be larger than min in range parameter.";
                return Err(call.fault_at("range", Fault::value_error(words)));
            }
            if low == high {
                (low, high) = (low - 0.5, high + 0.5);
            }
            engine.linspace(low, high, bins + 1, true, x.dtype())?
        }
        _ => call.tensor("bins")?,
    };
    let bins = edges.elem_count() as i64 - 1;
    let (place, inside) = engine.bins_of(&x, &edges)?;
    let place = engine.index(&place, &[IndexItem::Tensor(inside.clone())])?;
    let shape = Shape::from([bins.max(0) as usize]);
    let weights = call.optional_tensor("weights")?;
    let (dtype, value) = match weights {
        Some(weights) => {
            let weights = engine.index(&engine.ravel(&weights)?, &[IndexItem::Tensor(inside)])?;
            (weights.dtype(), crate::tensor::Operand::from(weights))
        }
        None => (DType::I64, crate::tensor::Operand::from(Scalar::Int(1))),
    };
    let counts = engine.copy(&engine.full(&shape, Scalar::Int(0), dtype)?)?;
    engine.scatter(ScatterOp::Add, &counts, &[IndexItem::Tensor(place)], value)?;
    Ok(tuple([counts, edges]))
}

fn interp(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    let (x, xp, fp) = (call.tensor("x")?, call.tensor("xp")?, call.tensor("fp")?);
    let (x, xp, fp) = (as_float(engine, &x)?, as_float(engine, &xp)?, as_float(engine, &fp)?);
    if xp.rank() != 1 || xp.shape() != fp.shape() {
        let fault = Fault::value_error("fp and xp are not of the same length.");
        return Err(call.fault_at("fp", fault));
    }
    let count = xp.elem_count() as i64;
    if count == 0 {
        return Err(call.fault_at("xp", Fault::value_error("array of sample points is empty")));
    }
    let take = |x: &Tensor, place: &Tensor| engine.index(x, &[IndexItem::Tensor(place.clone())]);
    let right = engine.searchsorted(&xp, &x, true)?;
    let low = engine.binary(BinaryOp::Sub, &right, Scalar::Int(1))?;
    let low = engine.binary(BinaryOp::Max, &low, Scalar::Int(0))?;
    let high = engine.binary(BinaryOp::Min, &right, Scalar::Int(count - 1))?;
    let (x0, x1, y0, y1) =
        (take(&xp, &low)?, take(&xp, &high)?, take(&fp, &low)?, take(&fp, &high)?);
    let rise = engine.binary(BinaryOp::Sub, &y1, &y0)?;
    let run = engine.binary(BinaryOp::Sub, &x1, &x0)?;
    let slope = engine.binary(BinaryOp::Div, &rise, &run)?;
    let along = engine.binary(BinaryOp::Mul, &slope, &engine.binary(BinaryOp::Sub, &x, &x0)?)?;
    let between = engine.binary(BinaryOp::Add, &along, &y0)?;
    // At one point twice there is no slope: before the first, behind the last.
    let flat = engine.compare(CompareOp::Eq, &low, &high)?;
    Ok(engine.select(&flat, &y0, &between)?.into())
}
