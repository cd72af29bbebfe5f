//! Functions that fold axes: sums, extremes, means, truth, positions.

use smallvec::{SmallVec, smallvec};

use super::forms::{Outcome, give, tuple};
use super::{Builtin, Call};
use crate::diag::{Fault, NoAxis};
use crate::dtype::DType;
use crate::interp::value::Value;
use crate::tensor::{BinaryOp, Engine, Error, Reduction, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("sum(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        fold(call, Reduction::Sum)
    })
    .doc("The sum over `axis` (one, several, or all). Integers and bools sum to int64.")
    .example("sum(array([[1, 2], [3, 4]]), axis=0)")
    .method(),
    Builtin::new("prod(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        fold(call, Reduction::Prod)
    })
    .doc("The product over `axis`. Integers multiply in int64, and wrap.")
    .example("prod(array([[1, 2], [3, 4]]), axis=1)")
    .method(),
    Builtin::new("mean(x, axis=None, dtype=None, out=None, keepdims=False, *, where=True)", |call| {
        fold(call, Reduction::Mean)
    })
    .doc("The mean over `axis`, as a float; NaN of no elements.")
    .example("mean(array([[1, 2], [3, 4]]), axis=1)")
    .method(),
    Builtin::new(VAR, |call| {
        let ddof = ddof(call)?;
        fold(call, Reduction::Var { ddof })
    })
    .doc("The variance over `axis`: the mean of squared distances from the mean.\nThe divisor is n - ddof; `correction` is the array API's and PyTorch's name for it.")
    .example("var(array([1.0, 2.0, 3.0, 4.0]))")
    .method(),
    Builtin::new(STD, |call| {
        let ddof = ddof(call)?;
        fold(call, Reduction::Std { ddof })
    })
    .doc("The standard deviation over `axis`: the square root of `var`.")
    .example("std(array([1.0, 2.0, 3.0, 4.0]))")
    .method(),
    Builtin::new("var_mean(x, axis=None, *, ddof=1, keepdims=False)", |call| {
        let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
        let (keepdims, ddof) = (call.bool("keepdims")?, call.float("ddof")?);
        let variance = engine.reduce(Reduction::Var { ddof }, &x, axes.as_deref(), keepdims)?;
        let mean = engine.reduce(Reduction::Mean, &x, axes.as_deref(), keepdims)?;
        Ok(tuple([variance, mean]))
    })
    .doc("(variance, mean) over `axis`, PyTorch's; the variance is divided by n - 1.")
    .example("var_mean(array([1.0, 2.0, 3.0]))"),
    Builtin::new("max(x, axis=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        extreme(call, Reduction::Max, Reduction::ArgMax, BinaryOp::Max)
    })
    .doc("The largest element over `axis`; NaN if any is. ValueError of no elements.\nWith `dim=`, PyTorch's (values, indices); of two tensors, the larger of each pair.")
    .example("max(array([[1, 5], [7, 2]]), axis=1)")
    .method(),
    Builtin::new("min(x, axis=None, out=None, keepdims=False, initial=None, where=True)", |call| {
        extreme(call, Reduction::Min, Reduction::ArgMin, BinaryOp::Min)
    })
    .doc("The smallest element over `axis`; NaN if any is. ValueError of no elements.\nWith `dim=`, PyTorch's (values, indices); of two tensors, the smaller of each pair.")
    .example("min(array([[1, 5], [7, 2]]), axis=1)")
    .method(),
    Builtin::new("amax(x, axis=None, out=None, keepdims=False, initial=None, where=True)", |call| fold(call, Reduction::Max))
        .doc("The largest element over `axis`.")
        .example("amax(array([[1, 5], [7, 2]]), axis=0)")
        .method(),
    Builtin::new("amin(x, axis=None, out=None, keepdims=False, initial=None, where=True)", |call| fold(call, Reduction::Min))
        .doc("The smallest element over `axis`.")
        .example("amin(array([[1, 5], [7, 2]]), axis=0)")
        .method(),
    Builtin::new("aminmax(x, axis=None, keepdims=False)", |call| {
        let (engine, x, axes) = (call.engine(), call.tensor("x")?, call.axes("axis")?);
        let keepdims = call.bool("keepdims")?;
        let low = engine.reduce(Reduction::Min, &x, axes.as_deref(), keepdims)?;
        let high = engine.reduce(Reduction::Max, &x, axes.as_deref(), keepdims)?;
        Ok(tuple([low, high]))
    })
    .doc("(smallest, largest) over `axis`.")
    .example("aminmax(array([3, 1, 2]))")
    .method(),
    Builtin::new("any(x, axis=None, out=None, keepdims=False, *, where=True)", |call| fold(call, Reduction::Any))
        .doc("Whether any element over `axis` is nonzero.")
        .example("any(array([[0, 1], [0, 0]]), axis=1)")
        .method(),
    Builtin::new("all(x, axis=None, out=None, keepdims=False, *, where=True)", |call| fold(call, Reduction::All))
        .doc("Whether all elements over `axis` are nonzero.")
        .example("all(array([[0, 1], [1, 1]]), axis=1)")
        .method(),
    Builtin::new("argmax(x, axis=None, out=None, keepdims=False)", |call| {
        fold(call, Reduction::ArgMax)
    })
    .doc("The first position of the largest element along `axis`, or in the flattened tensor.")
    .example("argmax(array([3, 9, 9]))")
    .method(),
    Builtin::new("argmin(x, axis=None, out=None, keepdims=False)", |call| {
        fold(call, Reduction::ArgMin)
    })
    .doc("The first position of the smallest element along `axis`, or in the flattened tensor.")
    .example("argmin(array([3, 1, 1]))")
    .method(),
    Builtin::new("count_nonzero(x, axis=None, *, keepdims=False)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let axes = axes_of(call, &x)?;
        let keepdims = call.bool("keepdims")?;
        Ok(engine.reduce(Reduction::CountNonzero, &x, axes.as_deref(), keepdims)?.into())
    })
    .doc("How many elements over `axis` are nonzero: int64.")
    .example("count_nonzero(array([[0, 1], [2, 3]]), axis=0)")
    .method(),
    Builtin::new("ptp(x, axis=None, out=None, keepdims=False)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let axes = axes_of(call, &x)?;
        let keepdims = call.bool("keepdims")?;
        let high = engine.reduce(Reduction::Max, &x, axes.as_deref(), keepdims)?;
        let low = engine.reduce(Reduction::Min, &x, axes.as_deref(), keepdims)?;
        give(call, engine.binary(BinaryOp::Sub, &high, &low)?)
    })
    .doc("Peak to peak: the largest less the smallest over `axis`.")
    .example("ptp(array([[1, 5], [7, 2]]), axis=1)"),
    Builtin::new("trace(x, offset=0, axis1=0, axis2=1, dtype=None, out=None)", |call| {
        let diagonal = super::shape::diagonal(call)?;
        typed(call, Reduction::Sum, &diagonal, Some(smallvec![-1]), false, call.dtype("dtype")?)
    })
    .doc("The sum along a diagonal.")
    .example("trace(array([[1, 2], [3, 4]]))")
    .method(),
];

const VAR: &str = "var(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None, unbiased=False)";
const STD: &str = "std(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None, unbiased=False)";

/// # Errors
/// TypeError for several axes, where NumPy takes one.
pub fn check_one_axis(call: &Call<'_>, rank: usize) -> Result<(), Fault> {
    match call.value("axis") {
        value @ (Value::Tuple(_) | Value::List(_) | Value::Range(_)) => {
            let found = value.type_name();
            let words = format!("'{found}' object cannot be interpreted as an integer");
            Err(call.fault_at("axis", Fault::type_error(words)))
        }
        Value::Tensor(axis) if axis.rank() > 0 => call.int("axis").map(drop),
        Value::None => Ok(()),
        // A number is searched as a row of one, and said to have so many axes.
        _ if call.tensor("x")?.rank() == 0 => match call.int("axis")? {
            0 | -1 => Ok(()),
            axis => Err(call.fault_at("axis", NoAxis { axis, rank, argument: None })),
        },
        _ => Ok(()),
    }
}

/// One reduction, by the parameters that all of them share.
pub fn fold(call: &mut Call<'_>, op: Reduction) -> Outcome {
    // As most often: nothing more has to be looked up.
    if call.bound.is_bare() && call.is_none("axis") {
        let x = call.tensor(0usize)?;
        warn_of_few(call, op, &x, None)?;
        return Ok(call.engine().reduce(op, &x, None, false)?.into());
    }
    if let Reduction::ArgMax | Reduction::ArgMin = op {
        check_one_axis(call, 1)?;
    }
    check_loop(call, op)?;
    if let Some(name) = partial(call, op) {
        return fold_part(call, op, name);
    }
    let engine = call.engine();
    let mut x = call.tensor("x")?;
    let mut axes = call.axes("axis")?;
    check_identity(call, op, &x, axes.as_deref())?;
    warn_of_few(call, op, &x, axes.as_deref())?;
    if !matches!(op, Reduction::Mean | Reduction::Var { .. } | Reduction::Std { .. }) {
        axes = axes.filter(|axes| !is_row_of_one(&x, axes));
    }
    let mut keepdims = call.bool("keepdims")?;
    let signature = call.function.signature();
    if signature.position("dtype").is_some() {
        // PyTorch's `x.sum(0, True)`: its second argument keeps the axes.
        if let Value::Bool(flag) = call.value("dtype") {
            keepdims |= *flag;
        } else if let Some(dtype) = call.dtype("dtype")? {
            call.warn_of_parts(&x, dtype)?;
            let name = match op {
                Reduction::Mean => Some("mean"),
                Reduction::Var { .. } => Some("var"),
                Reduction::Std { .. } => Some("std"),
                _ => None,
            };
            if let Some(name) = name.filter(|_| !dtype.is_inexact()) {
                return fold_by(call, op, name, "_integer_moments");
            }
            return typed(call, op, &call.tensor_cast("x", dtype)?, axes, keepdims, Some(dtype));
        }
    }
    if let Value::Bool(flag) = call.value("out") {
        let flag = *flag;
        return Ok(engine.reduce(op, &x, axes.as_deref(), keepdims | flag)?.into());
    }
    if matches!(op, Reduction::Any | Reduction::All) && x.dtype() != DType::Bool {
        x = engine.cast(&x, DType::Bool)?;
    }
    let x = super::out::widened(call, x)?;
    give(call, engine.reduce(op, &x, axes.as_deref(), keepdims)?)
}

/// # Errors
/// TypeError where truth is asked for in another type than bool.
fn check_loop(call: &Call<'_>, op: Reduction) -> Result<(), Fault> {
    let is_of_truth = matches!(op, Reduction::Any | Reduction::All);
    match is_of_truth && call.function.signature().position("dtype").is_some() {
        true if call.dtype("dtype")?.is_some_and(|dtype| dtype != DType::Bool) => {
            Err(super::forms::no_loop(call, "dtype"))
        }
        _ => Ok(()),
    }
}

/// A warning where there are too few elements for a mean, or for a variance.
pub fn warn_of_few(
    call: &Call<'_>,
    op: Reduction,
    x: &Tensor,
    axes: Option<&[i64]>,
) -> Result<(), Fault> {
    let (least, words) = match op {
        Reduction::Mean => (0.0, "Mean of empty slice"),
        Reduction::Var { ddof } | Reduction::Std { ddof } => {
            (ddof, "Degrees of freedom <= 0 for slice")
        }
        _ => return Ok(()),
    };
    let extent = |axis: &i64| x.shape().axis(*axis).ok().map(|axis| x.shape()[axis]);
    let count = match axes {
        None => Some(x.elem_count()),
        Some(axes) => axes.iter().map(extent).product(),
    };
    match count {
        Some(count) if count as f64 <= least => call.warn(words),
        _ => Ok(()),
    }
}

/// Whether None is said to be what begins a reduction.
fn is_unbegun(call: &Call<'_>) -> bool {
    call.function.signature().position("initial").is_some()
        && call.given("initial")
        && call.is_none("initial")
}

/// # Errors
/// ValueError for nothing to add up, or to multiply, where None is said to be what that begins with.
pub fn check_identity(
    call: &Call<'_>,
    op: Reduction,
    x: &Tensor,
    axes: Option<&[i64]>,
) -> Result<(), Fault> {
    let name = match op {
        Reduction::Sum => "add",
        Reduction::Prod => "multiply",
        _ => return Ok(()),
    };
    if is_unbegun(call) && folds_nothing(x, axes) { Err(no_identity(name)) } else { Ok(()) }
}

/// Whether an axis that is folded has no elements.
pub fn folds_nothing(x: &Tensor, axes: Option<&[i64]>) -> bool {
    let is_empty = |axis: &i64| x.shape().axis(*axis).is_ok_and(|axis| x.shape()[axis] == 0);
    x.elem_count() == 0 && axes.is_none_or(|axes| axes.iter().any(is_empty))
}

/// Of a fold, by NumPy's name of the operation, that has nothing to begin with.
pub fn no_identity(name: &str) -> Fault {
    let words = format!("zero-size array to reduction operation {name} which has no identity");
    Fault::value_error(words)
}

fn is_masked(call: &Call<'_>) -> bool {
    call.function.signature().position("where").is_some()
        && !matches!(call.value("where"), Value::Bool(true))
}

/// Whether a row of which nothing is left would have nothing to be, which is an error whatever is left.
pub fn lacks_begin(call: &Call<'_>) -> bool {
    is_masked(call) && is_unbegun(call)
}

/// The name of a reduction that leaves elements out, or begins with a number.
fn partial(call: &Call<'_>, op: Reduction) -> Option<&'static str> {
    let has = |name: &str| call.function.signature().position(name).is_some();
    let is_masked = is_masked(call);
    let is_given = |name: &str| has(name) && !call.is_none(name);
    if !is_masked && !is_given("initial") && !is_given("mean") {
        return None;
    }
    Some(match op {
        Reduction::Sum if is_unbegun(call) => "add",
        Reduction::Sum => "sum",
        Reduction::Prod if is_unbegun(call) => "multiply",
        Reduction::Prod => "prod",
        Reduction::Mean => "mean",
        Reduction::Var { .. } => "var",
        Reduction::Std { .. } => "std",
        Reduction::Max => "max",
        Reduction::Min => "min",
        Reduction::Any => "any",
        Reduction::All => "all",
        Reduction::ArgMax | Reduction::ArgMin | Reduction::CountNonzero | Reduction::Joined(_) => {
            return None;
        }
    })
}

fn fold_part(call: &Call<'_>, op: Reduction, name: &str) -> Outcome {
    fold_by(call, op, name, "_fold")
}

/// A reduction by a function that is written in the language.
fn fold_by(call: &Call<'_>, op: Reduction, name: &str, written: &str) -> Outcome {
    let given = |key: &str| match call.function.signature().position(key) {
        Some(_) => call.value(key).clone(),
        None => Value::None,
    };
    let ddof = match op {
        Reduction::Var { ddof } | Reduction::Std { ddof } => ddof,
        _ => 0.0,
    };
    if call.function.signature().position("where").is_some() {
        super::forms::mask(call)?;
    }
    let keys = ["x", "axis", "dtype", "keepdims", "initial", "where", "mean"];
    let mut arguments = vec![Value::str(name)];
    arguments.extend(keys.map(given));
    arguments.push(Value::Float(ddof));
    match call.evaluator.call_written(written, arguments)? {
        Value::Tensor(result) => give(call, result),
        other => Ok(other),
    }
}

/// Whether a reduction takes a single number for a row of one, as most of NumPy's do.
pub fn is_row_of_one(x: &Tensor, axes: &[i64]) -> bool {
    x.rank() == 0 && matches!(axes, [0 | -1])
}

/// The axes that a reduction of `x` is asked for; none where that is all that a single number has.
pub fn axes_of(call: &Call<'_>, x: &Tensor) -> Result<Option<SmallVec<[i64; 4]>>, Fault> {
    Ok(call.axes("axis")?.filter(|axes| !is_row_of_one(x, axes)))
}

/// A reduction done in the type that the call names, if it names one.
pub fn typed(
    call: &Call<'_>,
    op: Reduction,
    x: &Tensor,
    axes: Option<SmallVec<[i64; 4]>>,
    keepdims: bool,
    dtype: Option<DType>,
) -> Outcome {
    let engine = call.engine();
    let x = engine.cast(x, dtype.unwrap_or(x.dtype()))?;
    let result = engine.reduce(op, &x, axes.as_deref(), keepdims)?;
    give(call, engine.cast(&result, dtype.unwrap_or(result.dtype()))?)
}

fn ddof(call: &Call<'_>) -> Result<f64, Fault> {
    if call.bool("unbiased")? {
        return Ok(1.0);
    }
    if call.is_none("correction") {
        return call.float("ddof");
    }
    check_divisor(call)?;
    call.float("correction")
}

/// # Errors
/// ValueError where both names of what is taken from the divisor are given.
pub fn check_divisor(call: &Call<'_>) -> Result<(), Fault> {
    if !call.is_none("correction") && call.float("ddof")? != 0.0 {
        let words = "ddof and correction can't be provided simultaneously.";
        return Err(call.fault_at("correction", Fault::value_error(words)));
    }
    Ok(())
}

fn extreme(call: &mut Call<'_>, op: Reduction, place: Reduction, pair: BinaryOp) -> Outcome {
    let engine = call.engine();
    if let Value::Tensor(other) = call.value("axis")
        && (other.rank() > 0 || other.dtype().is_float())
    {
        let [x, y] = call.operands(["x", "axis"])?;
        return Ok(engine.binary(pair, x, y)?.into());
    }
    if call.spelled("axis", "dim") && !call.is_none("axis") {
        let (x, axis, keepdims) = (call.tensor("x")?, call.int("axis")?, call.bool("keepdims")?);
        let (values, places) = with_places(engine, &x, op, place, axis, keepdims)?;
        return Ok(tuple([values, places]));
    }
    fold(call, op)
}

/// Extreme values along an axis, and where they are.
pub fn with_places(
    engine: &Engine,
    x: &Tensor,
    op: Reduction,
    place: Reduction,
    axis: i64,
    keepdims: bool,
) -> Result<(Tensor, Tensor), Error> {
    let values = engine.reduce(op, x, Some(&[axis]), keepdims)?;
    let places = engine.reduce(place, x, Some(&[axis]), keepdims)?;
    Ok((values, places))
}
