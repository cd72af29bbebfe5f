//! Order along an axis: sorting, searching, running folds, differences, positions of what is true.

use super::forms::{Made, Outcome, argsort, concatenate, give, sort, tuple};
use super::{Builtin, Call, Homes};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::value::Value;
use crate::tensor::{BinaryOp, CompareOp, Distinct, Engine, Error, Reduction, ScanOp, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("sort(x, axis=-1, kind=None, order=None, *, descending=False, stable=True)", |call| {
        if call.spelled("axis", "dim") {
            return sorted_pair(call);
        }
        check_kind(call)?;
        let x = call.tensor("x")?;
        Ok(sort(call.engine(), &x, checked_axis(call, &x)?, call.bool("descending")?)?.into())
    })
    .doc("The elements in rising order along an axis, or flattened for None; NaN comes last.\nWith `dim=`, and always in `torch`, PyTorch's (values, indices).")
    .example("sort(array([3, 1, 2]))"),
    Builtin::new("sort(x, axis=-1, descending=False, *, stable=True)", |call| sorted_pair(call))
        .homes(Homes::TORCH)
        .doc("PyTorch's: (values, indices) in rising order along an axis, in falling if `descending`.")
        .example("torch.sort(array([3, 1, 2]))"),
    Builtin::new("sort(x, axis=-1, kind=None, order=None, *, descending=False, stable=True)", |call| {
        if call.spelled("axis", "dim") || call.given("descending") {
            return sorted_pair(call);
        }
        check_kind(call)?;
        let (engine, x) = (call.engine(), super::pick::target(call)?);
        let axis = checked_axis(call, &x)?.unwrap_or(-1);
        let sorted = sort(engine, &x, Some(axis), false)?;
        call.last_write(|| engine.assign_all(&x, sorted))?;
        Ok(Value::None)
    })
    .doc("Sorts the tensor itself along an axis, as NumPy's method does.\nWith `dim=` or `descending=`, PyTorch's (values, indices), and the tensor stays.")
    .example("x = array([3, 1, 2])\nx.sort()\nx")
    .only_method(),
    Builtin::new("argsort(x, axis=-1, kind=None, order=None, *, descending=False, stable=True)", |call| {
        check_kind(call)?;
        let x = as_row(call, call.tensor("x")?)?;
        let axis = checked_axis(call, &x)?;
        let descending = call.bool("descending")?;
        Ok(argsort(call.engine(), &x, axis, descending)?.into())
    })
    .doc("The places of the elements in rising order along an axis; equal ones stay in order.")
    .example("argsort(array([3, 1, 2]))")
    .method(),
    Builtin::new("msort(x)", |call| Ok(sort(call.engine(), &call.tensor("x")?, Some(0), false)?.into()))
        .doc("Sorted along the first axis.")
        .example("msort(array([3, 1, 2]))"),
    Builtin::new("lexsort(keys, axis=-1)", |call| {
        let (engine, keys, axis) = (call.engine(), call.tensors("keys")?, call.int("axis")?);
        if keys.iter().any(|key| key.shape() != keys[0].shape()) {
            let words = "all keys need to be the same shape";
            return Err(call.fault_at("keys", Fault::value_error(words)));
        }
        if let Some(key) = keys.first() && super::reduce::is_row_of_one(key, &[axis]) {
            return Ok(engine.full(key.shape(), Scalar::Int(0), DType::I64)?.into());
        }
        let mut order: Option<Tensor> = None;
        for key in &keys {
            key.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
            let sorted = match &order {
                None => argsort(engine, key, Some(axis), false)?,
                Some(order) => {
                    let key = super::pick::along(engine, key, order, axis)?;
                    super::pick::along(engine, order, &argsort(engine, &key, Some(axis), false)?, axis)?
                }
            };
            order = Some(sorted);
        }
        order.map(Value::from).ok_or_else(|| Fault::type_error("need sequence of keys with len > 0 in lexsort"))
    })
    .doc("The order by several keys; the last one counts most.")
    .example("lexsort((array([1, 0, 1]), array([2, 2, 1])))"),
    Builtin::new("unique(x, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True)", unique)
        .doc("The distinct elements in order; on request their first places, how to rebuild x, and counts.\nAll NaN count as one, unless `equal_nan` is False.")
        .example("unique(array([2, 1, 2]), return_counts=True)")
        .method(),
    Builtin::new("unique_values(x)", |call| {
        Ok(call.engine().unique(&call.tensor("x")?, false)?.into())
    })
    .doc("The array API's `unique`: the distinct elements; every NaN counts.")
    .example("unique_values(array([2, 1, 2]))"),
    Builtin::new("unique_counts(x)", |call| {
        let engine = call.engine();
        let distinct = engine.distinct(&call.tensor("x")?, false, false)?;
        let counts = distinct.counts(engine)?;
        call.evaluator.call_written("_unique_counts", [distinct.values, counts].map(Value::from))
    })
    .doc("(distinct elements, how often each occurs), the array API's; every NaN counts.")
    .example("unique_counts(array([2, 1, 2]))"),
    Builtin::new("unique_inverse(x)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let distinct = engine.distinct(&x, false, true)?;
        let inverse = inverse_of(engine, &x, &distinct)?;
        call.evaluator.call_written("_unique_inverse", [distinct.values, inverse].map(Value::from))
    })
    .doc("(distinct elements, the place of each element of x among them), the array API's.")
    .example("unique_inverse(array([2, 1, 2]))"),
    Builtin::new("unique_all(x)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        let distinct = engine.distinct(&x, false, true)?;
        let (first, counts) = (distinct.first(engine)?, distinct.counts(engine)?);
        let inverse = inverse_of(engine, &x, &distinct)?;
        let parts = [distinct.values, first, inverse, counts].map(Value::from);
        call.evaluator.call_written("_unique_all", parts)
    })
    .doc("(distinct elements, first places, inverse places, counts), the array API's.")
    .example("unique_all(array([2, 1, 2]))"),
    Builtin::new("nonzero(x)", |call| {
        let x = call.tensor("x")?;
        Ok(tuple(call.engine().nonzero(&x).map_err(|e| call.fault_at("x", e))?))
    })
    .doc("The coordinates of the nonzero elements: a tuple with one tensor for each axis.")
    .example("nonzero(array([0, 3, 4]))")
    .method(),
    Builtin::new("argwhere(x)", |call| Ok(call.engine().argwhere(&call.tensor("x")?)?.into()))
        .doc("The coordinates of the nonzero elements: one row for each.")
        .example("argwhere(array([0, 3, 4]))")
        .method(),
    Builtin::new("flatnonzero(x)", |call| {
        let flat = call.engine().ravel(&call.tensor("x")?)?;
        Ok(call.engine().nonzero(&flat)?.swap_remove(0).into())
    })
    .doc("The places of the nonzero elements in the flattened tensor.")
    .example("flatnonzero(array([[0, 3], [4, 0]]))"),
    Builtin::new("searchsorted(x, values, side='left', sorter=None, *, right=False)", |call| {
        let (engine, [mut x, values]) = (call.engine(), call.compared(["x", "values"])?);
        let right = match call.str("side")? {
            "left" => call.bool("right")?,
            "right" => true,
            found => {
                let words = format!("search side must be 'left' or 'right' (got '{found}')");
                return Err(call.fault_at("side", Fault::value_error(words)));
            }
        };
        if let Some(sorter) = call.optional_tensor("sorter")? {
            x = super::pick::select(engine, &x, &sorter, 0)?;
        }
        if x.rank() != 1 {
            let fault = super::bins::wrong_depth(x.rank());
            return Err(call.fault_at("x", fault));
        }
        Ok(engine.searchsorted(&x, &values, right)?.into())
    })
    .doc("Where each value would go in a sorted row: before equal elements, or behind for 'right'.")
    .example("searchsorted(array([1, 3, 5]), 3)")
    .method(),
    Builtin::new("bucketize(x, boundaries, *, right=False)", |call| {
        let (engine, [x, bounds]) = (call.engine(), call.compared(["x", "boundaries"])?);
        Ok(engine.searchsorted(&bounds, &x, call.bool("right")?)?.into())
    })
    .doc("PyTorch's `searchsorted` with the arguments turned round.")
    .example("bucketize(array([2, 6]), array([1, 3, 5]))"),
    Builtin::new("cumsum(x, axis=None, dtype=None, out=None)", |call| running(call, cast(call)?, ScanOp::Sum))
        .doc("Running sums along an axis, or of the flattened tensor. Integers sum to int64.")
        .example("cumsum(array([1, 2, 3]))")
        .method(),
    Builtin::new("cumprod(x, axis=None, dtype=None, out=None)", |call| running(call, cast(call)?, ScanOp::Prod))
        .doc("Running products along an axis, or of the flattened tensor.")
        .example("cumprod(array([1, 2, 3]))")
        .method(),
    Builtin::new("cumulative_sum(x, *, axis=None, dtype=None, out=None, include_initial=False)", |call| {
        cumulative(call, ScanOp::Sum, Scalar::Int(0))
    })
    .doc("The array API's `cumsum`: `axis` may be left out for a row only.\n`include_initial` puts the 0 before the first sum in front.")
    .example("cumulative_sum(array([1, 2, 3]), include_initial=True)"),
    Builtin::new("cumulative_prod(x, *, axis=None, dtype=None, out=None, include_initial=False)", |call| {
        cumulative(call, ScanOp::Prod, Scalar::Int(1))
    })
    .doc("The array API's `cumprod`: `axis` may be left out for a row only.\n`include_initial` puts the 1 before the first product in front.")
    .example("cumulative_prod(array([1, 2, 3]))"),
    Builtin::new("cummax(x, axis)", |call| extremes(call, ScanOp::Max))
        .doc("PyTorch's (values, indices) of the largest element so far along an axis.")
        .example("cummax(array([1, 3, 2]), 0)")
        .method(),
    Builtin::new("cummin(x, axis)", |call| extremes(call, ScanOp::Min))
        .doc("PyTorch's (values, indices) of the smallest element so far along an axis.")
        .example("cummin(array([3, 1, 2]), 0)")
        .method(),
    Builtin::new("nancumsum(x, axis=None, dtype=None, out=None)", |call| {
        let x = call.tensor("x")?;
        let x = super::stats::without_nan(call.engine(), &x, Scalar::Int(0))?;
        running(call, x, ScanOp::Sum)
    })
    .doc("Running sums, NaN counted as 0.")
    .example("nancumsum(array([1.0, nan, 2.0]))"),
    Builtin::new("diff(x, n=1, axis=-1, prepend=None, append=None, *, rank=False)", diff)
        .doc(
            "Each element less the one before it along an axis, `n` times. Bools differ by xor. `diff(a, b)` of two \
             checkpoints, or of two paths, is `compare(a, b)`, with `rank` the rank of changes as well.",
        )
        .example("diff(array([1, 4, 9]))")
        .method(),
    Builtin::new("ediff1d(x, to_end=None, to_begin=None)", |call| {
        let keys = ["x", "to_end", "to_begin"];
        call.evaluator.call_written("_ediff1d", keys.map(|key| call.value(key).clone()))
    })
    .doc("The differences of neighbours in the flattened tensor.")
    .example("ediff1d(array([1, 4, 9]))"),
    Builtin::new("trapezoid(y, x=None, dx=1.0, axis=-1)", |call| {
        let engine = call.engine();
        let (y, x) = if call.is_none("x") {
            (call.tensor("y")?, None)
        } else {
            let [y, x] = call.meeting(["y", "x"])?;
            (y, Some(x))
        };
        let axis = y.shape().axis(call.int("axis")?)?;
        let count = y.shape()[axis].saturating_sub(1);
        let after = engine.narrow(&y, axis, 1.min(y.shape()[axis]), count, 1)?;
        let before = engine.narrow(&y, axis, 0, count, 1)?;
        let sum = engine.binary(BinaryOp::Add, &after, &before)?;
        let sum = match x {
            Some(x) if x.rank() == 1 => {
                let mut extents = vec![1; y.rank()];
                extents[axis] = -1;
                let steps = engine.reshape(&step(engine, &x, 0)?, &extents)?;
                engine.binary(BinaryOp::Mul, &sum, &steps)?
            }
            Some(x) => {
                let axis = x.shape().axis(call.int("axis")?).map_err(|e| call.fault_at("axis", e))?;
                engine.binary(BinaryOp::Mul, &sum, &step(engine, &x, axis)?)?
            }
            None => engine.binary(BinaryOp::Mul, &sum, call.operand_beside("dx", &y)?)?,
        };
        let half = engine.binary(BinaryOp::Div, &sum, Scalar::Int(2))?;
        // Steps of more axes than y are summed along their own.
        Ok(engine.reduce(Reduction::Sum, &half, Some(&[call.int("axis")?]), false)?.into())
    })
    .aliases(&["trapz"])
    .doc("The integral along an axis by the trapezoidal rule.")
    .example("trapezoid(array([1.0, 2.0, 3.0]))"),
];

/// NumPy takes a single number for a row of one here.
fn as_row(call: &Call<'_>, x: Tensor) -> Result<Tensor, Fault> {
    Ok(if x.rank() == 0 { call.engine().ravel(&x)? } else { x })
}

/// The axis of the call, checked, with the caret under it.
/// # Errors
/// ValueError for a way to sort that NumPy does not have, and for two ways at once.
fn check_kind(call: &Call<'_>) -> Result<(), Fault> {
    let Value::Str(kind) = call.value("kind") else {
        return if call.is_none("kind") {
            Ok(())
        } else {
            Err(call.wrong_type("kind", "a string"))
        };
    };
    if call.given("stable") && !call.is_none("stable") {
        let words = "`kind` and keyword parameters can't be provided at the same time. Use only one of them.";
        return Err(call.fault_at("kind", Fault::value_error(words)));
    }
    let first = kind.chars().next().map(|letter| letter.to_ascii_lowercase());
    if matches!(first, Some('q' | 'h' | 'm' | 's')) {
        return Ok(());
    }
    let words = format!("sort kind must be one of 'quick', 'heap', or 'stable' (got '{kind}')");
    Err(call.fault_at("kind", Fault::value_error(words)))
}

/// The axis that a call names, if the tensor has it.
///
/// # Errors
/// AxisError for an axis that the tensor does not have.
pub fn checked_axis(call: &Call<'_>, x: &Tensor) -> Result<Option<i64>, Fault> {
    let axis = call.axis("axis")?;
    if let Some(axis) = axis {
        x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
    }
    Ok(axis)
}

fn sorted_pair(call: &Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let axis = checked_axis(call, &x)?.unwrap_or(-1);
    let places = argsort(engine, &x, Some(axis), call.bool("descending")?)?;
    let values = super::pick::along(engine, &x, &places, axis)?;
    Ok(tuple([values, places]))
}

fn unique(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    checked_axis(call, &x)?;
    if !call.is_none("axis") && x.rank() != 1 {
        let keys = ["x", "axis", "return_index", "return_inverse", "return_counts"];
        return call
            .evaluator
            .call_written("_unique_slices", keys.map(|key| call.value(key).clone()));
    }
    let asked = |key| call.bool(key);
    let (first, inverse, counts) =
        (asked("return_index")?, asked("return_inverse")?, asked("return_counts")?);
    let equal_nan = call.bool("equal_nan")?;
    if !(first || inverse || counts) {
        return Ok(engine.unique(&x, equal_nan)?.into());
    }
    let distinct = engine.distinct(&x, equal_nan, first || inverse)?;
    let parts = [
        Some(distinct.values.clone()),
        first.then(|| distinct.first(engine)).transpose()?,
        inverse.then(|| inverse_of(engine, &x, &distinct)).transpose()?,
        counts.then(|| distinct.counts(engine)).transpose()?,
    ];
    Ok(tuple(parts.into_iter().flatten()))
}

/// Of each element of `x`, the place of its value among the distinct ones, in the shape of `x`.
fn inverse_of(engine: &Engine, x: &Tensor, distinct: &Distinct) -> Made {
    engine.reshape(&distinct.inverse(engine)?, &super::forms::lengths(x.shape()))
}

fn running(call: &mut Call<'_>, x: Tensor, op: ScanOp) -> Outcome {
    let x = as_row(call, x)?;
    let axis = checked_axis(call, &x)?;
    let dtype = call.dtype("dtype")?;
    let x = super::out::widened(call, x)?;
    give(call, call.engine().scan(op, &x, axis, dtype)?)
}

/// `x` in the type that the call names.
fn cast(call: &Call<'_>) -> Result<Tensor, Fault> {
    call.dtype("dtype")?.map_or_else(|| call.tensor("x"), |dtype| call.tensor_cast("x", dtype))
}

fn cumulative(call: &mut Call<'_>, op: ScanOp, initial: Scalar) -> Outcome {
    let (engine, dtype) = (call.engine(), call.dtype("dtype")?);
    let x = as_row(call, cast(call)?)?;
    let axis = match checked_axis(call, &x)? {
        Some(axis) => axis,
        None if x.rank() == 1 => 0,
        None => {
            let words =
                "For arrays which have more than one dimension ``axis`` argument is required.";
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
    };
    let mut sums = engine.scan(op, &x, Some(axis), dtype)?;
    if call.bool("include_initial")? {
        let mut shape = sums.shape().clone();
        shape[x.shape().axis(axis)?] = 1;
        let first = engine.full(&shape, initial, sums.dtype())?;
        let first = engine.to_device(&first, sums.device())?;
        sums = concatenate(engine, &[first, sums], Some(axis))?;
    }
    give(call, sums)
}

/// A place is the last at which the element equals what is the largest so far: its running maximum.
fn extremes(call: &mut Call<'_>, op: ScanOp) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let Some(axis) = checked_axis(call, &x)? else {
        return Err(call.wrong_type("axis", "an integer"));
    };
    let values = engine.scan(op, &x, Some(axis), None)?;
    let same = engine.compare(CompareOp::Eq, &x, &values)?;
    let row = engine.iota(x.shape(), x.shape().axis(axis)? as _)?;
    let places = engine.select(&same, &row, Scalar::Int(0))?;
    Ok(tuple([values, engine.scan(ScanOp::Max, &places, Some(axis), None)?]))
}

/// Neighbours' differences along one axis.
pub fn step(engine: &Engine, x: &Tensor, axis: usize) -> Result<Tensor, Error> {
    let length = x.shape()[axis];
    let after = engine.narrow(x, axis, 1.min(length), length.saturating_sub(1), 1)?;
    let before = engine.narrow(x, axis, 0, length.saturating_sub(1), 1)?;
    if x.dtype() == DType::Bool {
        return engine.compare(CompareOp::Ne, &after, &before);
    }
    engine.binary(BinaryOp::Sub, &after, &before)
}

fn diff(call: &mut Call<'_>) -> Outcome {
    // Of checkpoints it is what differs between them.
    let is_checkpoint = |value: &Value| match value {
        Value::Object(object) => {
            let name = object.class.name();
            name.ends_with("Checkpoint")
                || name.ends_with("Path")
                || ["Table", "_NpzFile"].contains(&name)
        }
        Value::Dict(_) | Value::Str(_) => true,
        _ => false,
    };
    if is_checkpoint(call.value(0)) && is_checkpoint(call.value(1)) {
        let both = [call.value(0).clone(), call.value(1).clone(), call.value("rank").clone()];
        return call.evaluator.call_written("compare", both);
    }
    if is_checkpoint(call.value(0)) {
        let fault = Fault::type_error("what differs is told of two checkpoints, found one");
        return Err(call.fault_at("x", fault.with_hint("`diff(a, b)` compares two of them")));
    }
    if call.bool("rank")? {
        let fault = Fault::type_error("`rank` is of what differs between two checkpoints");
        return Err(
            call.fault_at("rank", fault.with_hint("`linalg.matrix_rank` is that of a matrix"))
        );
    }
    let (engine, mut x, times) = (call.engine(), call.tensor("x")?, call.int("n")?);
    if times < 0 {
        let fault = Fault::value_error(format!("order must be non-negative but got {times}"));
        return Err(call.fault_at("n", fault));
    }
    if times == 0 {
        return Ok(call.value("x").clone());
    }
    if x.rank() == 0 {
        let fault = Fault::value_error("diff requires input that is at least one dimensional");
        return Err(call.fault_at("x", fault));
    }
    let axis = x.shape().axis(call.int("axis")?).map_err(|e| call.fault_at("axis", e))?;
    for (key, first) in [("prepend", true), ("append", false)] {
        if call.is_none(key) {
            continue;
        }
        let mut end = call.tensor_beside(key, &x)?;
        if end.rank() == 0 {
            let mut shape = x.shape().clone();
            shape[axis] = 1;
            end = engine.broadcast_to(&end, &shape)?;
        }
        let parts = if first { [end, x] } else { [x, end] };
        x = concatenate(engine, &parts, Some(axis as i64))?;
    }
    for _ in 0..times.min(x.shape()[axis] as i64) {
        x = step(engine, &x, axis)?;
    }
    Ok(x.into())
}
