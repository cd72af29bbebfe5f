//! Padding: NumPy's `pad`, by a constant, the edge, reflections, or the other end.

use std::rc::Rc;

use super::forms::{Outcome, concatenate};
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::interp::array_like;
use crate::interp::value::{Entries, Key, Value};
use crate::layout::Shape;
use crate::tensor::{BinaryOp, CompareOp, Engine, Error, Tensor};

pub const BUILTINS: &[Builtin] = &[Builtin::new("pad(x, pad_width, mode='constant', *, constant_values=0, **options)", pad)
    .about("pad_width")
    .doc("x with `pad_width` elements more at each end: one number, (before, after), a pair for each axis, or a dictionary of axes.\nModes: constant (constant_values), edge, reflect and symmetric (reflect_type 'even' or 'odd'), wrap, linear_ramp (end_values),\nmaximum, mean, median and minimum (stat_length), empty, or a function of a row, its widths, the axis and the options.")
    .example("pad(array([1, 2, 3]), 1)")];

/// The modes that move elements only.
const MOVING: [&str; 5] = ["constant", "edge", "reflect", "symmetric", "wrap"];

/// Those that compute what they put at the ends, which are written in the language.
const COMPUTING: [&str; 6] = ["empty", "linear_ramp", "maximum", "mean", "median", "minimum"];

/// Whether elements only move, by widths that are numbers.
fn is_plain(call: &Call<'_>) -> bool {
    let is_moving = match call.value("mode") {
        Value::Str(mode) => !COMPUTING.contains(&&**mode),
        _ => false,
    };
    is_moving && !matches!(call.value("pad_width"), Value::Dict(_))
}

fn written(call: &Call<'_>) -> Outcome {
    let option = |name: &str| Key::new(Value::str(name)).map_err(Fault::type_error);
    let mut options = Entries::default();
    if call.given("constant_values") {
        options.insert(option("constant_values")?, call.value("constant_values").clone());
    }
    for argument in call.extra() {
        let name = argument.name.as_deref().unwrap_or_default();
        options.insert(option(name)?, argument.value.clone());
    }
    let [x, widths, mode] = ["x", "pad_width", "mode"].map(|key| call.value(key).clone());
    let options = Value::Dict(Rc::new(options.into()));
    call.evaluator.call_written("_pad", [x, widths, mode, options])
}

fn pad(call: &mut Call<'_>) -> Outcome {
    let is_constant = matches!(call.value("mode"), Value::Str(mode) if &**mode == "constant");
    let is_odd = call.given("constant_values") && !is_constant;
    if is_odd || !call.extra().is_empty() || !is_plain(call) {
        return written(call);
    }
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let widths: Vec<[Scalar; 2]> = pairs(call, "pad_width", x.rank())?.collect();
    if widths.iter().flatten().any(|width| width.as_f64().fract() != 0.0) {
        let fault = Fault::type_error("`pad_width` must be of integral type.");
        return Err(call.fault_at("pad_width", fault));
    }
    let widths = widths.into_iter().map(|[a, b]| [a.as_i64(), b.as_i64()]);
    let widths: Vec<[i64; 2]> = widths.collect();
    if widths.iter().flatten().any(|width| *width < 0) {
        let fault = Fault::value_error("index can't contain negative values");
        return Err(call.fault_at("pad_width", fault));
    }
    let mode = call.str("mode")?.to_owned();
    if !MOVING.contains(&mode.as_str()) {
        let fault = Fault::value_error(format!("mode '{mode}' is not supported"));
        let known = [&MOVING[..], &COMPUTING[..]].concat().join(", ");
        return Err(call.fault_at("mode", fault.with_hint(format!("the modes are {known}"))));
    }
    if mode == "constant" {
        let constants: Vec<[Scalar; 2]> = pairs(call, "constant_values", x.rank())?.collect();
        return Ok(framed(engine, &x, &widths, &constants)?.into());
    }
    let mut padded = x.clone();
    for (axis, width) in widths.iter().enumerate() {
        let (before, after) = (width[0] as usize, width[1] as usize);
        if (before, after) == (0, 0) {
            continue;
        }
        let length = padded.shape()[axis] as i64;
        if length == 0 {
            let words = format!(
                "can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            );
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
        if let Some([first, last]) = ends(engine, &padded, axis, (before, after), &mode)? {
            padded = concatenate(engine, &[first, padded, last], Some(axis as i64))?;
            continue;
        }
        let shape = Shape::of_sums(&[before as u128 + length as u128 + after as u128])?;
        let row = engine.iota(&shape, 0)?;
        let places = engine.binary(BinaryOp::Sub, &row, Scalar::Int(before as i64))?;
        let places = source(engine, &places, length, &mode)?;
        // Once for all slices along the axis.
        engine.realize(&[&places])?;
        padded = super::pick::select(engine, &padded, &places, axis)?;
    }
    if padded.is_same(&x) {
        padded = engine.copy(&x)?;
    }
    Ok(padded.into())
}

/// (before, after) for each axis.
fn pairs(
    call: &Call<'_>,
    key: &'static str,
    rank: usize,
) -> Result<impl Iterator<Item = [Scalar; 2]>, Fault> {
    let engine = call.engine();
    let given = array_like::beside(engine, call.value(key), DType::F64);
    let given = given.map_err(|fault| call.fault_at(key, fault))?;
    let whole = Shape::from([rank, 2]);
    // One pair serves all axes; a column has one width for both ends of each.
    let wide = engine.broadcast_to(&given, &whole).map_err(|error| call.fault_at(key, error))?;
    let mut numbers = engine.to_host(&wide)?.to_scalars().into_iter();
    Ok((0..rank).map_while(move |_| Some([numbers.next()?, numbers.next()?])))
}

/// `x` in the middle of a new tensor, and a constant at both ends of each axis: the later axes have the corners.
fn framed(
    engine: &Engine,
    x: &Tensor,
    widths: &[[i64; 2]],
    constants: &[[Scalar; 2]],
) -> Result<Tensor, Fault> {
    let Some([first, _]) = constants.first() else { return Ok(engine.copy(x)?) };
    let extents = x.shape().iter().zip(widths);
    let extents =
        extents.map(|(extent, [before, after])| *extent as u128 + *before as u128 + *after as u128);
    let shape = Shape::of_sums(&extents.collect::<Vec<_>>())?;
    let constant = |value: Scalar| {
        engine.to_device(&engine.full(&Shape::scalar(), value, x.dtype())?, x.device())
    };
    let frame = engine.copy(&engine.broadcast_to(&constant(*first)?, &shape)?)?;
    let mut middle = frame.clone();
    for (axis, (extent, [before, _])) in x.shape().iter().zip(widths).enumerate() {
        middle = engine.narrow(&middle, axis, *before as usize, *extent, 1)?;
    }
    engine.assign_all(&middle, x)?;
    let is_negative = |value: &Scalar| value.as_f64().is_sign_negative();
    let is_first = |value: &Scalar| value == first && is_negative(value) == is_negative(first);
    if constants.iter().flatten().all(is_first) {
        return Ok(frame);
    }
    for (axis, ([before, after], values)) in widths.iter().zip(constants).enumerate() {
        let behind = *before as usize + x.shape()[axis];
        for (start, count, value) in [(0, *before, values[0]), (behind, *after, values[1])] {
            let end = engine.narrow(&frame, axis, start, count as usize, 1)?;
            engine.assign_all(&end, &constant(value)?)?;
        }
    }
    Ok(frame)
}

/// What goes before and behind, as views, where it is all in `x` once; none where a launch for each costs more than the
/// places of all elements.
fn ends(
    engine: &Engine,
    x: &Tensor,
    axis: usize,
    (before, after): (usize, usize),
    mode: &str,
) -> Result<Option<[Tensor; 2]>, Error> {
    let length = x.shape()[axis];
    let part = |start: usize, count: usize| engine.narrow(x, axis, start, count, 1);
    let turned =
        |start: usize, count: usize| engine.flip(&part(start, count)?, Some(&[axis as i64]));
    let alike = |start: usize, count: usize| {
        let mut shape = x.shape().clone();
        shape[axis] = count;
        shape.checked_elem_count()?;
        engine.broadcast_to(&part(start, 1)?, &shape)
    };
    // The ends' own elements are not repeated by a reflection.
    let own = usize::from(mode == "reflect");
    if x.device().backend().launches_cost() || mode != "edge" && before.max(after) + own > length {
        return Ok(None);
    }
    Ok(Some(match mode {
        "edge" => [alike(0, before)?, alike(length - 1, after)?],
        "wrap" => [part(length - before, before)?, part(0, after)?],
        _ => [turned(own, before)?, turned(length - own - after, after)?],
    }))
}

/// The elements that stand at `places`, which may lie outside, of an axis of `length`.
fn source(engine: &Engine, places: &Tensor, length: i64, mode: &str) -> Result<Tensor, Error> {
    let last = Scalar::Int(length - 1);
    let within = |period: i64| engine.binary(BinaryOp::Mod, places, Scalar::Int(period));
    // There and back again: `turn` is the place after which it goes back.
    let mirrored = |period: i64, turn: i64| {
        let place = within(period)?;
        let back = engine.binary(BinaryOp::Sub, Scalar::Int(turn), &place)?;
        let is_forth = engine.compare(CompareOp::Le, &place, last)?;
        engine.select(&is_forth, &place, &back)
    };
    match mode {
        "wrap" => within(length),
        "symmetric" => mirrored(2 * length, 2 * length - 1),
        "reflect" if length > 1 => mirrored(2 * length - 2, 2 * length - 2),
        _ => {
            let place = engine.binary(BinaryOp::Max, places, Scalar::Int(0))?;
            engine.binary(BinaryOp::Min, &place, last)
        }
    }
}
