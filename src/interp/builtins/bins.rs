//! Places between edges: counts by number and by bin, and values between points.

use super::forms::{Outcome, as_float, as_floats, numbers, tuple};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::value::Value;
use crate::layout::Shape;
use crate::tensor::{BinaryOp, CompareOp, Engine, IndexItem, ScatterOp, Tensor, UnaryOp};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("bincount(x, weights=None, minlength=0)", bincount)
        .doc("How often each of 0, 1, 2 … occurs in a row of integers, or the sum of its weights.")
        .example("bincount(array([0, 1, 1, 3]))")
        .method(),
    Builtin::new("histogram(x, bins=10, range=None, density=None, weights=None)", histogram)
        .doc("(counts, edges): how many elements lie in each of `bins` equal parts of `range`,\nor between the given edges, or in as many bins as the rule of a name asks for (`histogram_bin_edges`).\nThe last bin holds its right edge too. With `density` the bins' areas sum to one.")
        .example("histogram(array([1, 2, 2, 3]), bins=2)"),
    Builtin::new("digitize(x, bins, right=False)", digitize)
        .doc("The number of the bin of each element; `bins` are edges that rise, or that fall.")
        .example("digitize(array([0.5, 1.5]), array([0.0, 1.0, 2.0]))"),
    Builtin::new("interp(x, xp, fp, left=None, right=None, period=None)", |call| {
        if !call.is_none("period") {
            return super::forms::written(call, "_interp_periodic");
        }
        let engine = call.engine();
        engine.unheard(|| interp(call))
    })
        .doc("Between the points (xp, fp) linearly; xp rises. Beyond them `left` and `right`,\nor the first and last value. With `period` the points repeat, and need no order.")
        .example("interp(array([0.5, 3.0]), array([0.0, 1.0]), array([10.0, 20.0]))"),
];

fn bincount(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let least = call.int("minlength")?;
    if x.rank() != 1 {
        return Err(call.fault_at("x", wrong_depth(x.rank())));
    }
    // A list without numbers is none of floats.
    let is_given = matches!(call.value("x"), Value::Tensor(_)) || x.elem_count() > 0;
    if x.dtype().is_inexact() && is_given {
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
    let weights = if x.elem_count() > 0 { call.optional_tensor("weights")? } else { None };
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
    let dtype = match &weights {
        Some(weights) if weights.dtype().is_complex() => {
            return Err(call.fault_at("weights", not_real(weights.dtype())));
        }
        Some(weights) if weights.dtype() == DType::F64 => DType::F64,
        Some(_) => engine.default_float(),
        None => DType::I64,
    };
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

fn not_real(dtype: DType) -> Fault {
    Fault::type_error(format!(
        "Cannot cast array data from dtype('{dtype}') to dtype('float64') according to the rule 'safe'"
    ))
}

fn histogram(call: &mut Call<'_>) -> Outcome {
    let has_density = !call.is_none("density") && call.bool("density")?;
    if has_density || matches!(call.value("bins"), Value::Str(_)) {
        let keys = ["x", "bins", "range", "weights", "density"];
        let arguments = keys.map(|key| call.value(key).clone());
        return call.evaluator.call_written("_histogram", arguments);
    }
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let bins = call.count("bins")?;
    let has_edges = bins.is_none();
    if has_edges && call.tensor("bins")?.rank() == 0 {
        let words = "`bins` must be an integer, a string, or an array";
        return Err(call.fault_at("bins", Fault::type_error(words)));
    }
    for (key, is_looked_at) in [("x", true), ("bins", has_edges)] {
        let dtype = if is_looked_at { call.tensor(key)?.dtype() } else { x.dtype() };
        if dtype.is_complex() {
            // NumPy puts them in the order of their real parts first, and counts what is in it.
            return Err(call.fault_at(key, not_real(dtype)));
        }
    }
    let x = as_float(engine, &engine.ravel(&x)?)?;
    // The elements' own ends, if edges cut what is between them in equal parts.
    let mut ends = None;
    let edges = match bins {
        Some(bins) if bins < 1 => {
            let fault = Fault::value_error("`bins` must be positive, when an integer");
            return Err(call.fault_at("bins", fault));
        }
        Some(bins) => {
            let bins = bins as usize;
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
                let [low, high] = [low, high].map(|end| end.to_string().to_lowercase());
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
            if call.is_none("range") {
                ends = Some((low, high));
            }
            let edges = engine.linspace(low, high, bins + 1, true, x.dtype())?;
            let width = (high - low) / bins as f64;
            let step = x.dtype().format().map_or(0.0, |format| 2f64.powi(-format.fraction));
            // Only edges that are next to each other, or too far apart, need to be looked at.
            let is_wide = width.is_finite() && width > 4.0 * step * low.abs().max(high.abs());
            if !is_wide && !rises(engine, &edges)? {
                let words = format!(
                    "Too many bins for data range. Cannot create {bins} finite-sized bins."
                );
                return Err(call.fault_at("bins", Fault::value_error(words)));
            }
            edges
        }
        None => {
            let edges = call.tensor_beside("bins", &x)?;
            let wrong = |words: &str| call.fault_at("bins", Fault::value_error(words));
            if edges.rank() != 1 {
                return Err(wrong("`bins` must be 1d, when an array"));
            }
            let found: Vec<f64> = numbers(engine, &edges)?;
            if found.windows(2).any(|pair| pair[0] > pair[1]) {
                return Err(wrong("`bins` must increase monotonically, when an array"));
            }
            edges
        }
    };
    let bins = edges.elem_count().saturating_sub(1);
    let (place, inside) = match ends {
        // Where the ends are those of the elements, all of them lie inside.
        Some(ends) => (engine.equal_bins_of(&x, &edges, ends)?, None),
        None => {
            let (place, inside) = engine.bins_of(&x, &edges)?;
            (engine.index(&place, &[IndexItem::Tensor(inside.clone())])?, Some(inside))
        }
    };
    let shape = Shape::from([bins]);
    let weights = call.optional_tensor("weights")?;
    let (dtype, value) = match weights {
        Some(weights) if weights.elem_count() != x.elem_count() => {
            let fault = Fault::value_error("weights should have the same shape as a.");
            return Err(call.fault_at("weights", fault));
        }
        Some(weights) => {
            let mut weights = engine.ravel(&weights)?;
            if let Some(inside) = inside {
                weights = engine.index(&weights, &[IndexItem::Tensor(inside)])?;
            }
            (weights.dtype(), crate::tensor::Operand::from(weights))
        }
        None => (DType::I64, crate::tensor::Operand::from(Scalar::Int(1))),
    };
    let counts = engine.copy(&engine.full(&shape, Scalar::Int(0), dtype)?)?;
    engine.scatter(ScatterOp::Add, &counts, &[IndexItem::Tensor(place)], value)?;
    Ok(tuple([counts, edges]))
}

fn digitize(call: &mut Call<'_>) -> Outcome {
    let (engine, [x, bins]) = (call.engine(), call.compared(["x", "bins"])?);
    let right = call.bool("right")?;
    if x.dtype().is_complex() {
        return Err(call.fault_at("x", Fault::type_error("x may not be complex")));
    }
    if bins.dtype().is_complex() {
        return Err(call.fault_at("bins", not_real(bins.dtype())));
    }
    if bins.rank() != 1 {
        return Err(call.fault_at("bins", wrong_depth(bins.rank())));
    }
    // Falling edges are counted from the other end.
    let count = bins.elem_count();
    let part = |start| engine.narrow(&bins, 0, start, count.saturating_sub(1), 1);
    let ends = (part(0)?, part(count.min(1))?);
    let rises = engine.compare(CompareOp::Gt, &ends.0, &ends.1)?;
    let falls = engine.compare(CompareOp::Lt, &ends.0, &ends.1)?;
    // NaN is neither less nor more than what follows: edges that begin with it fall, or are none.
    let begins_with_nan = count > 1 && bins.dtype().is_inexact() && {
        let first = engine.item(&engine.index(&bins, &[IndexItem::Int(0)])?)?;
        first.as_f64().is_nan()
    };
    let (rises, falls) =
        (super::logic::is_all_false(engine, &rises)?, super::logic::is_all_false(engine, &falls)?);
    if rises && !begins_with_nan {
        return Ok(engine.searchsorted(&bins, &x, !right)?.into());
    }
    if !falls {
        let fault = Fault::value_error("bins must be monotonically increasing or decreasing");
        return Err(call.fault_at("bins", fault));
    }
    let place = engine.searchsorted(&engine.flip(&bins, None)?, &x, !right)?;
    Ok(engine.binary(BinaryOp::Sub, Scalar::Int(count as i64), &place)?.into())
}

fn interp(call: &mut Call<'_>) -> Outcome {
    let engine = call.engine();
    for key in ["x", "xp"] {
        let dtype = call.tensor(key)?.dtype();
        if dtype.is_complex() {
            return Err(call.fault_at(key, not_real(dtype)));
        }
    }
    let [x, xp, fp] = as_floats(engine, call.meeting(["x", "xp", "fp"])?)?;
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
    let mut between = engine.binary(BinaryOp::Add, &along, &y0)?;
    // From an infinite end there is no way on: from the other one, or between two of one kind.
    let back = engine.binary(BinaryOp::Mul, &slope, &engine.binary(BinaryOp::Sub, &x, &x1)?)?;
    let back = engine.binary(BinaryOp::Add, &back, &y1)?;
    let level = engine.compare(CompareOp::Eq, &y0, &y1)?;
    let back = engine.select(&level, &y0, &back)?;
    between = engine.select(&engine.unary(UnaryOp::IsNan, &between)?, &back, &between)?;
    // At one point twice there is no slope: before the first, behind the last.
    let flat = engine.compare(CompareOp::Eq, &low, &high)?;
    let mut found = engine.select(&flat, &y0, &between)?;
    // At a point its value, where a neighbour that is infinite would make a NaN of it.
    let at_point = engine.compare(CompareOp::Eq, &x, &x0)?;
    found = engine.select(&at_point, &y0, &found)?;
    for (key, op, end) in [("left", CompareOp::Lt, 0), ("right", CompareOp::Gt, count - 1)] {
        if !call.is_none(key) {
            let end = engine.index(&xp, &[IndexItem::Int(end)])?;
            let beyond = engine.compare(op, &x, &end)?;
            let chosen = engine.select(&beyond, call.operand_beside(key, &found)?, &found)?;
            if chosen.dtype().is_complex() && !found.dtype().is_complex() {
                let fault = Fault::type_error("must be real number, not complex");
                return Err(call.fault_at(key, fault));
            }
            found = chosen;
        }
    }
    // NaN lies nowhere, except that a single point answers for all.
    if count > 1 {
        let nan = engine.unary(UnaryOp::IsNan, &x)?;
        found = engine.select(&nan, &x, &found)?;
    }
    Ok(found.into())
}

/// NumPy's words for what should have one axis.
pub(super) fn wrong_depth(rank: usize) -> Fault {
    Fault::value_error(match rank {
        0 => "object of too small depth for desired array",
        _ => "object too deep for desired array",
    })
}

/// Whether each element of a row is larger than the one before it.
fn rises(engine: &Engine, row: &Tensor) -> Result<bool, Fault> {
    let count = row.elem_count().saturating_sub(1);
    let (before, behind) =
        (engine.narrow(row, 0, 0, count, 1)?, engine.narrow(row, 0, 1, count, 1)?);
    Ok(engine.all_true(&engine.compare(CompareOp::Lt, &before, &behind)?)?)
}
