//! Statistics: what ignores NaN, orders, weighs and counts.

use super::forms::{Made, Outcome, as_float, give, numbers, sort, tuple, written};
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault, NoAxis};
use crate::dtype::{DType, Scalar, promote};
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{BinaryOp, CompareOp, Engine, Error, Reduction, Tensor, UnaryOp};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("nansum(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        if super::reduce::lacks_begin(call) {
            return super::reduce::fold(call, Reduction::Sum);
        }
        if is_partial(call) {
            return written(call, "_nansum");
        }
        ignoring(call, Scalar::Int(0), Reduction::Sum)
    })
    .doc("The sum over `axis`, NaN counted as 0.")
    .example("nansum(array([1.0, nan, 2.0]))")
    .method(),
    Builtin::new("nanprod(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        if super::reduce::lacks_begin(call) {
            return super::reduce::fold(call, Reduction::Prod);
        }
        if is_partial(call) {
            return written(call, "_nanprod");
        }
        ignoring(call, Scalar::Int(1), Reduction::Prod)
    })
    .doc("The product over `axis`, NaN counted as 1.")
    .example("nanprod(array([3.0, nan, 2.0]))"),
    Builtin::new("nanmax(x, axis=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        if is_partial(call) {
            return written(call, "_nanmax");
        }
        nan_extreme(call, f64::NEG_INFINITY, Reduction::Max)
    })
    .doc("The largest element over `axis` that is not NaN; NaN if all are.")
    .example("nanmax(array([1.0, nan, 2.0]))"),
    Builtin::new("nanmin(x, axis=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        if is_partial(call) {
            return written(call, "_nanmin");
        }
        nan_extreme(call, f64::INFINITY, Reduction::Min)
    })
    .doc("The smallest element over `axis` that is not NaN; NaN if all are.")
    .example("nanmin(array([1.0, nan, 2.0]))"),
    Builtin::new("nanmean(x, axis=None, dtype=None, out=None, keepdims=False, *, where=True)", |call| {
        if is_partial(call) {
            return written(call, "_nanmean");
        }
        let Some(x) = inexact(call)? else { return super::reduce::fold(call, Reduction::Mean) };
        let axes = super::reduce::axes_of(call, &x)?;
        let (engine, keepdims) = (call.engine(), call.bool("keepdims")?);
        let wide = engine.cast(&x, x.dtype().compute())?;
        let (mean, count) = engine.unheard(|| nan_mean(engine, &wide, axes.as_deref(), keepdims))?;
        let mean = engine.cast(&mean, x.dtype())?;
        let none = call.engine().compare(CompareOp::Eq, &count, Scalar::Int(0))?;
        call.warn_where(&none, &mean, "Mean of empty slice")?;
        give(call, mean)
    })
    .doc("The mean over `axis` of what is not NaN.")
    .example("nanmean(array([1.0, nan, 2.0]))")
    .method(),
    Builtin::new("nanvar(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", |call| {
        if is_partial(call) {
            return written(call, "_nanvar");
        }
        let Some(x) = inexact(call)? else {
            let ddof = call.float("ddof")?;
            return super::reduce::fold(call, Reduction::Var { ddof });
        };
        give(call, nan_var(call, &x)?)
    })
    .doc("The variance over `axis` of what is not NaN.")
    .example("nanvar(array([1.0, nan, 3.0]))"),
    Builtin::new("nanstd(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", |call| {
        if is_partial(call) {
            return written(call, "_nanstd");
        }
        let Some(x) = inexact(call)? else {
            let ddof = call.float("ddof")?;
            return super::reduce::fold(call, Reduction::Std { ddof });
        };
        let variance = nan_var(call, &x)?;
        give(call, call.engine().unary(UnaryOp::Sqrt, &variance)?)
    })
    .doc("The standard deviation over `axis` of what is not NaN.")
    .example("nanstd(array([1.0, nan, 3.0]))"),
    Builtin::new("nanargmax(x, axis=None, out=None, keepdims=False)", |call| nan_place(call, f64::NEG_INFINITY, Reduction::ArgMax))
        .doc("The position of the largest element that is not NaN.")
        .example("nanargmax(array([1.0, nan, 2.0]))"),
    Builtin::new("nanargmin(x, axis=None, out=None, keepdims=False)", |call| nan_place(call, f64::INFINITY, Reduction::ArgMin))
        .doc("The position of the smallest element that is not NaN.")
        .example("nanargmin(array([1.0, nan, 2.0]))"),
    Builtin::new("median(x, axis=None, out=None, overwrite_input=False, keepdims=False)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let keepdims = call.bool("keepdims")?;
        let axes = call.axes("axis")?;
        let (x, shape) = gathered(engine, &x, axes.as_deref(), keepdims)?;
        warn_of_none(call, &x)?;
        let median = engine.median(&x, Some(-1), false)?;
        give(call, engine.reshape(&median, &super::forms::lengths(&shape))?)
    })
    .doc("The middle element over `axis`, or the mean of the middle two.")
    .example("median(array([3, 1, 4, 2]))")
    .method(),
    Builtin::new("nanmedian(x, axis=None, out=None, overwrite_input=False, keepdims=False)", nan_median)
        .doc("The middle element over `axis` of what is not NaN.")
        .example("nanmedian(array([3.0, nan, 1.0]))"),
    Builtin::new("quantile(x, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)", |call| {
        quantile(call, "_any_quantile", 1.0)
    })
        .doc("The value below which the part `q` (0 to 1) of the elements lies, between neighbours linearly.\nSeveral `q` give a leading axis. `method` is one of NumPy's; with 'inverted_cdf' values may have `weights`.")
        .example("quantile(array([1.0, 2.0, 3.0, 4.0]), 0.5)")
        .method(),
    Builtin::new("percentile(x, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None)", |call| {
        quantile(call, "_any_percentile", 100.0)
    })
        .doc("As `quantile`, with `q` from 0 to 100.")
        .example("percentile(array([1.0, 2.0, 3.0, 4.0]), 75)"),
    Builtin::new("average(x, axis=None, weights=None, returned=False, *, keepdims=False)", average)
        .doc("The mean over `axis`, weighed by `weights`, which have x's shape or the axis's length.\nWith `returned`, the sum of the weights, too.")
        .example("average(array([1.0, 2.0, 3.0]), weights=array([3, 1, 0]))"),
    Builtin::new(COV, |call| {
        let keys = ["x", "y", "rowvar", "bias", "ddof", "fweights", "aweights", "dtype"];
        call.evaluator.call_written("_cov", keys.map(|key| call.value(key).clone()))
    })
    .doc("The covariance of each two variables: x's rows, and y's, or the columns if not `rowvar`.\nDivided by n - 1, by n with `bias`, else by n - ddof; observations count `fweights` times and weigh `aweights`.")
    .example("cov(array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))"),
];

const COV: &str = "cov(x, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None)";

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
    if reduced.iter().enumerate().any(|(at, axis)| reduced[..at].contains(axis)) {
        return Err(Error::value_error("repeated axis"));
    }
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

pub fn without_nan(engine: &Engine, x: &Tensor, instead: Scalar) -> Made {
    if !x.dtype().is_inexact() {
        return Ok(x.clone());
    }
    engine.select(&engine.unary(UnaryOp::IsNan, x)?, instead, x)
}

fn ignoring(call: &mut Call<'_>, instead: Scalar, op: Reduction) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let axes = super::reduce::axes_of(call, &x)?;
    super::reduce::check_identity(call, op, &x, axes.as_deref())?;
    let x = without_nan(engine, &x, instead)?;
    super::reduce::typed(call, op, &x, axes, call.bool("keepdims")?, call.dtype("dtype")?)
}

fn nan_extreme(call: &mut Call<'_>, worst: f64, op: Reduction) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let axes = super::reduce::axes_of(call, &x)?;
    let keepdims = call.bool("keepdims")?;
    if !x.dtype().is_inexact() {
        return super::reduce::fold(call, op);
    }
    if super::reduce::folds_nothing(&x, axes.as_deref()) {
        let name = if op == Reduction::Max { "fmax" } else { "fmin" };
        return Err(call.fault_at("x", super::reduce::no_identity(name)));
    }
    let nan = engine.unary(UnaryOp::IsNan, &x)?;
    let filled = engine.select(&nan, Scalar::Float(worst), &x)?;
    let found = engine.reduce(op, &filled, axes.as_deref(), keepdims)?;
    let none = engine.reduce(Reduction::All, &nan, axes.as_deref(), keepdims)?;
    let found = engine.select(&none, Scalar::Float(f64::NAN), &found)?;
    // Both by the pass that reads the elements.
    engine.realize(&[&none, &found])?;
    let words = match call.value("x") {
        Value::Tensor(_) => "All-NaN slice encountered",
        _ => "All-NaN axis encountered",
    };
    call.warn_where(&none, &found, words)?;
    super::forms::give(call, found)
}

fn nan_place(call: &mut Call<'_>, worst: f64, op: Reduction) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    super::reduce::check_one_axis(call, usize::from(!x.dtype().is_inexact()))?;
    let axes = super::reduce::axes_of(call, &x)?;
    let keepdims = call.bool("keepdims")?;
    if x.elem_count() == 0 && axes.is_none() {
        let which = if op == Reduction::ArgMax { "argmax" } else { "argmin" };
        let words = format!("attempt to get {which} of an empty sequence");
        return Err(call.fault_at("x", Fault::value_error(words)));
    }
    if x.dtype().is_inexact() {
        let nan = engine.unary(UnaryOp::IsNan, &x)?;
        let none = engine.reduce(Reduction::All, &nan, axes.as_deref(), false)?;
        let any = engine.reduce(Reduction::Any, &none, None, false)?;
        if engine.item(&any)?.as_bool() {
            return Err(Fault::value_error("All-NaN slice encountered"));
        }
    }
    let x = without_nan(engine, &x, Scalar::Float(worst))?;
    super::forms::give(call, engine.reduce(op, &x, axes.as_deref(), keepdims)?)
}

/// Whether only some elements count, or other figures than the elements' own.
fn is_partial(call: &Call<'_>) -> bool {
    let signature = call.function.signature();
    let is_given =
        |key: &str| signature.position(key).is_some_and(|at| call.given(at) && !call.is_none(at));
    is_given("where") && !matches!(call.value("where"), Value::Bool(true))
        || ["initial", "mean", "correction"].into_iter().any(is_given)
}

/// The operand in the type that the call names; `None` where it has no NaN, and is folded as any other.
///
/// # Errors
/// TypeError where floats are asked to be integers.
fn inexact(call: &Call<'_>) -> Result<Option<Tensor>, Fault> {
    let x = call.tensor("x")?;
    if !x.dtype().is_inexact() {
        return Ok(None);
    }
    match call.dtype("dtype")? {
        None => Ok(Some(x)),
        Some(dtype) if dtype.is_inexact() => Ok(Some(call.engine().cast(&x, dtype)?)),
        Some(_) => {
            let words = "If a is inexact, then dtype must be inexact";
            Err(call.fault_at("dtype", Fault::type_error(words)))
        }
    }
}

/// A warning where rows have no elements.
fn warn_of_none(call: &Call<'_>, rows: &Tensor) -> Result<(), Fault> {
    if rows.shape()[rows.rank() - 1] > 0 { Ok(()) } else { call.warn("Mean of empty slice") }
}

/// The mean of what is not NaN, and how much that is, of an `x` in whose type sums are kept.
fn nan_mean(
    engine: &Engine,
    x: &Tensor,
    axes: Option<&[i64]>,
    keepdims: bool,
) -> Result<(Tensor, Tensor), Error> {
    let real = engine.compare(CompareOp::Eq, x, x)?;
    let count = engine.reduce(Reduction::Sum, &real, axes, keepdims)?;
    let filled = without_nan(engine, x, Scalar::Int(0))?;
    let sum = engine.reduce(Reduction::Sum, &filled, axes, keepdims)?;
    Ok((engine.binary(BinaryOp::Div, &sum, &count)?, count))
}

fn nan_var(call: &Call<'_>, x: &Tensor) -> Result<Tensor, Fault> {
    let (engine, axes) = (call.engine(), super::reduce::axes_of(call, x)?);
    let (ddof, keepdims) = (call.float("ddof")?, call.bool("keepdims")?);
    let (part, x) = (x.dtype().part(), &engine.cast(x, x.dtype().compute())?);
    let (mean, _) = engine.unheard(|| nan_mean(engine, x, axes.as_deref(), true))?;
    let away = engine.binary(BinaryOp::Sub, x, &mean)?;
    let real = engine.compare(CompareOp::Eq, x, x)?;
    let squares = match x.dtype().is_complex() {
        true => engine.real(&engine.binary(BinaryOp::Mul, &away, &engine.conjugate(&away)?)?)?,
        // NumPy's word for it: no `square`.
        false => engine.binary(BinaryOp::Mul, &away, &away)?,
    };
    // Only what is NaN itself is left out, not what an infinity less an infinity gives.
    let squares = engine.select(&real, &squares, Scalar::Int(0))?;
    let count = engine.reduce(Reduction::Sum, &real, axes.as_deref(), keepdims)?;
    let count = engine.binary(BinaryOp::Sub, &count, Scalar::Float(ddof))?;
    let sum = engine.reduce(Reduction::Sum, &squares, axes.as_deref(), keepdims)?;
    let divisor = engine.cast(&count, x.dtype().part())?;
    let variance = engine.unheard(|| engine.binary(BinaryOp::Div, &sum, &divisor))?;
    let undefined = engine.compare(CompareOp::Le, &count, Scalar::Int(0))?;
    let variance = engine.select(&undefined, Scalar::Float(f64::NAN), &variance)?;
    let variance = engine.cast(&variance, part)?;
    call.warn_where(&undefined, &variance, "Degrees of freedom <= 0 for slice.")?;
    Ok(variance)
}

/// NaN sorts last, so the middle of the first `count` elements of each row is the median.
fn nan_median(call: &mut Call<'_>) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    let (x, shape) =
        gathered(engine, &as_float(engine, &x)?, axes.as_deref(), call.bool("keepdims")?)?;
    if x.shape()[x.rank() - 1] == 0 {
        // The mean of nothing is NaN.
        warn_of_none(call, &x)?;
        let nothing = engine.unheard(|| engine.reduce(Reduction::Mean, &x, Some(&[-1]), false))?;
        return give(call, engine.reshape(&nothing, &super::forms::lengths(&shape))?);
    }
    if !engine.any_true(&engine.unary(UnaryOp::IsNan, &x)?)? {
        // A sum that begins with zero, of which no other zero is left.
        let median = engine.binary(
            BinaryOp::Add,
            &engine.median(&x, Some(-1), false)?,
            Scalar::Float(0.0),
        )?;
        return give(call, engine.reshape(&median, &super::forms::lengths(&shape))?);
    }
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
    // Where there is one in the middle, it is added to nothing, as its double may be infinite.
    let odd = engine.binary(BinaryOp::Mod, &count, Scalar::Int(2))?;
    let is_one = engine.compare(CompareOp::Eq, &odd, Scalar::Int(1))?;
    let sum =
        engine.binary(BinaryOp::Add, &low, &engine.select(&is_one, Scalar::Float(0.0), &high)?)?;
    let part = engine.select(&is_one, Scalar::Float(1.0), Scalar::Float(0.5))?;
    let middle = engine.binary(BinaryOp::Mul, &sum, &engine.cast(&part, sum.dtype())?)?;
    let none = engine.compare(CompareOp::Eq, &count, Scalar::Int(0))?;
    call.warn_where(&none, &middle, "All-NaN slice encountered")?;
    give(call, engine.reshape(&middle, &super::forms::lengths(&shape))?)
}

fn quantile(call: &mut Call<'_>, written: &str, whole: f64) -> Outcome {
    let is_bool = call.tensor("x")?.dtype() == DType::Bool;
    if is_bool || !call.is_none("weights") || call.str("method")? != "linear" {
        return super::forms::written(call, written);
    }
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    for (key, words) in [("x", "a"), ("q", "q")] {
        if call.tensor(key)?.dtype().is_complex() {
            let fault = Fault::type_error(format!("{words} must be an array of real numbers"));
            return Err(call.fault_at(key, fault));
        }
    }
    // The least and the greatest, where whole numbers ask for them, are elements as they are.
    let is_end = whole == 1.0 && !call.tensor("q")?.dtype().is_inexact();
    let q = call.tensor_of("q", DType::F64)?;
    if q.rank() > 2 {
        return Err(call.fault_at("q", Fault::value_error("q must be a scalar or 1d")));
    }
    let mut x = if is_end { x } else { as_float(engine, &x)? };
    if q.rank() > 0 && !is_end {
        // What a list holds is float32, which a half type meets.
        x = engine.cast(&x, promote(x.dtype(), DType::F32))?;
    }
    let (x, shape) = gathered(engine, &x, axes.as_deref(), call.bool("keepdims")?)?;
    let length = x.shape()[x.rank() - 1];
    if length == 0 {
        let words = "index -1 is out of bounds for axis 0 with size 0";
        return Err(call.fault_at("x", Fault::new(ErrorKind::Index, words)));
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
    let place = |part: f64| {
        let place = part * (length - 1) as f64;
        let low = place.floor() as usize;
        (low, (low + 1).min(length - 1), place.fract())
    };
    let places = parts.iter().flat_map(|part| [place(*part).0, place(*part).1]);
    let sorted = engine.partition(&x, &places.collect::<Vec<_>>(), -1)?;
    let axis = sorted.rank() - 1;
    // NaN where there is one.
    let end = engine.reduce(Reduction::Max, &x, Some(&[-1]), true)?;
    let nan = engine.unary(UnaryOp::IsNan, &end)?;
    let mut rows = Vec::new();
    for part in parts {
        let (low, high, weight) = place(part);
        let a = engine.narrow(&sorted, axis, low, 1, 1)?;
        if is_end {
            let value = if a.dtype().is_inexact() { engine.select(&nan, &end, &a)? } else { a };
            rows.push(engine.reshape(&value, &super::forms::lengths(&shape))?);
            continue;
        }
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
        return give(call, rows.swap_remove(0));
    }
    let full: Vec<usize> = q.shape().iter().chain(shape.iter()).copied().collect();
    if rows.is_empty() {
        let shape = Shape::from(&full[..]);
        return give(call, engine.full(&shape, Scalar::Int(0), x.dtype())?);
    }
    let stacked = engine.stack(&rows, 0)?;
    give(call, engine.reshape(&stacked, &super::forms::lengths(&full))?)
}

fn average(call: &mut Call<'_>) -> Outcome {
    let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
    for axis in axes.as_deref().unwrap_or_default() {
        if x.shape().axis(*axis).is_err() {
            let fault = NoAxis { axis: *axis, rank: x.rank(), argument: Some("axis") };
            return Err(call.fault_at("axis", fault));
        }
    }
    let keepdims = call.bool("keepdims")?;
    if call.is_none("weights") {
        super::reduce::warn_of_few(call, Reduction::Mean, &x, axes.as_deref())?;
        let mean = engine.reduce(Reduction::Mean, &x, axes.as_deref(), keepdims)?;
        let count = x.elem_count() as f64 / mean.elem_count().max(1) as f64;
        let counts = engine.full(mean.shape(), Scalar::Float(count), mean.dtype())?;
        return Ok(if call.bool("returned")? { tuple([mean, counts]) } else { mean.into() });
    }
    let [x, mut weights] = call.meeting(["x", "weights"])?;
    if weights.shape() != x.shape() {
        let Some([axis]) = axes.as_deref() else {
            if axes.is_some() {
                return written(call, "_average_over_axes");
            }
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
    // Whole numbers are weighed as floats, where no product overflows.
    let met = promote(x.dtype(), weights.dtype());
    let dtype = if met.is_inexact() { met } else { engine.default_float() };
    let wide = dtype.compute();
    let (x, weights) = (engine.cast(&x, wide)?, engine.cast(&weights, wide)?);
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
    let average = engine.cast(&engine.binary(BinaryOp::Div, &sum, &weight)?, dtype)?;
    if call.bool("returned")? {
        let weight = engine.broadcast_to(&weight, average.shape())?;
        return Ok(tuple([average.clone(), engine.cast(&weight, average.dtype())?]));
    }
    Ok(average.into())
}
