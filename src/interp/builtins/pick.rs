//! Picking elements by position or mask, and putting them back.

use super::forms::{Made, Outcome, as_type, common, give, lengths};
use super::places::{check_along, mask_of_size};
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar, common_type};
use crate::interp::value::Value;
use crate::layout::{Shape, Slice};
use crate::tensor::{BinaryOp, CompareOp, Engine, Error, IndexItem, Operand, ScatterOp, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("take(x, indices, axis=None, out=None, mode='raise')", take)
        .about("indices")
    .doc("The elements at `indices` along `axis`, or of the flattened tensor.\nOut of range is an IndexError; `mode` 'wrap' or 'clip' brings indices back in.")
        .example("take(array([10, 20, 30]), [2, 0, 2])")
        .method(),
    Builtin::new("index_select(x, axis, indices)", |call| {
        let (engine, x, at) = (call.engine(), call.tensor("x")?, call.tensor("indices")?);
        let axis = x.shape().axis(call.int("axis")?).map_err(|e| call.fault_at("axis", e))?;
        Ok(select(engine, &x, &at, axis)?.into())
    })
    .doc("The slices at `indices` along `axis`: PyTorch's `take` along an axis.")
    .example("index_select(array([[1, 2], [3, 4]]), 1, array([1, 0]))")
    .method(),
    Builtin::new("take_along_axis(x, indices, axis=-1)", |call| {
        let (engine, x, at) = (call.engine(), call.tensor("x")?, call.tensor("indices")?);
        match call.axis("axis")? {
            Some(axis) => {
                x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
                check_along(call, &x, &at, axis)?;
                Ok(along(engine, &x, &at, axis)?.into())
            }
            None if at.rank() != 1 => {
                let words = "when axis=None, `indices` must have a single dimension.";
                Err(call.fault_at("indices", Fault::value_error(words)))
            }
            None => Ok(along(engine, &engine.ravel(&x)?, &at, 0)?.into()),
        }
    })
    .doc("For each place of `indices` the element at that index along `axis`, the other coordinates kept.\nWhat `argsort` gives, applied.")
    .example("x = array([[3, 1, 2]])\ntake_along_axis(x, argsort(x, axis=1), axis=1)"),
    Builtin::new("gather(x, axis, indices)", |call| {
        let (engine, x, at) = (call.engine(), call.tensor("x")?, call.tensor("indices")?);
        let axis = call.int("axis")?;
        Ok(along(engine, &cut(engine, &x, &at, axis)?, &at, axis)?.into())
    })
    .doc("PyTorch's `take_along_axis`: out[i][j] = x[index[i][j]][j] for axis 0.")
    .example("gather(array([[1, 2], [3, 4]]), 1, array([[0, 0], [1, 0]]))")
    .method(),
    Builtin::new("put(x, indices, values, mode='raise')", |call| {
        let (engine, x) = (call.engine(), target(call)?);
        // Bools are the numbers 0 and 1 here, and pick nothing.
        let at = match call.tensor("indices")? {
            at if at.dtype() == DType::Bool => engine.cast(&at, DType::I64)?,
            at => at,
        };
        let at = bounded(call, &at, x.elem_count())?;
        write_cycled(call, &x, &engine.ravel(&at)?)
    })
    .doc("Writes `values`, repeated as needed, at `indices` of the flattened tensor. Changes x.")
    .example("x = zeros(4)\nput(x, [0, 2], [1, 9])\nx")
    .method(),
    Builtin::new("put_along_axis(x, indices, values, axis)", |call| {
        let (engine, x, at) = (call.engine(), target(call)?, call.tensor("indices")?);
        let axis = call.int("axis")?;
        x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
        check_along(call, &x, &at, axis)?;
        let items = along_items(engine, &x, &at, axis)?;
        let values = call.stored_in("values", &x)?;
        call.last_write(|| engine.assign(&x, &items, values))?;
        Ok(Value::None)
    })
    .doc("Writes `values` where `take_along_axis` would read. Changes x.")
    .example("x = zeros((2, 2))\nput_along_axis(x, array([[1], [0]]), 5, axis=1)\nx"),
    Builtin::new("scatter(x, axis, indices, values)", |call| {
        let copy = call.engine().copy(&call.tensor("x")?)?;
        scattered(call, copy, ScatterOp::Write)
    })
    .doc("A copy with `values` written at `indices` along `axis`; PyTorch's.")
    .example("scatter(zeros((2, 2)), 1, array([[1], [0]]), 5)")
    .method()
    .in_place(),
    Builtin::new("scatter_add(x, axis, indices, values)", |call| {
        let copy = call.engine().copy(&call.tensor("x")?)?;
        scattered(call, copy, ScatterOp::Add)
    })
    .doc("A copy with `values` added at `indices` along `axis`; one place may come often.")
    .example("scatter_add(zeros(3), 0, array([0, 2, 2]), ones(3))")
    .method()
    .in_place(),
    Builtin::new("index_add(x, axis, indices, values)", |call| {
        let engine = call.engine();
        let copy = engine.copy(&call.tensor("x")?)?;
        let axis = copy.shape().axis(call.int("axis")?).map_err(|e| call.fault_at("axis", e))?;
        let items = axis_items(axis, call.tensor("indices")?);
        engine.scatter(ScatterOp::Add, &copy, &items, call.stored_in("values", &copy)?)?;
        Ok(copy.into())
    })
    .doc("A copy with slices of `values` added at `indices` along `axis`.")
    .example("index_add(zeros((3, 2)), 0, array([0, 2]), ones((2, 2)))")
    .method()
    .in_place(),
    Builtin::new("masked_fill(x, mask, fill_value)", |call| {
        let (engine, x, mask) = (call.engine(), call.tensor("x")?, call.tensor("mask")?);
        let value = call.tensor_of("fill_value", x.dtype())?;
        Ok(engine.select(&mask, &value, &x)?.into())
    })
    .doc("x with `value` where the mask is true.")
    .example("masked_fill(array([1.0, 2.0]), array([True, False]), -1)")
    .method()
    .in_place(),
    Builtin::new("masked_select(x, mask)", |call| {
        let (engine, x, mask) = (call.engine(), call.tensor("x")?, call.tensor("mask")?);
        let pair = engine.broadcast_tensors(&[x, engine.cast(&mask, DType::Bool)?])?;
        super::logic::keep(engine, &pair[0], &pair[1])
    })
    .doc("The elements under the mask, in one row.")
    .example("masked_select(array([1, 2, 3]), array([True, False, True]))")
    .method(),
    Builtin::new("compress(condition, x, axis=None, out=None)", |call| {
        let (engine, mask, x) = (call.engine(), call.tensor("condition")?, call.tensor("x")?);
        if mask.rank() != 1 {
            let fault = Fault::value_error("condition must be a 1-d array");
            return Err(call.fault_at("condition", fault));
        }
        let places = engine.nonzero(&engine.cast(&mask, DType::Bool)?)?.swap_remove(0);
        let (x, axis) = match call.axis("axis")? {
            // NumPy takes a single number for a row of one here.
            Some(axis) => {
                let x = if x.rank() == 0 { engine.ravel(&x)? } else { x.clone() };
                let axis = x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
                (x, axis)
            }
            None => (engine.ravel(&x)?, 0),
        };
        give(call, select(engine, &x, &places, axis)?)
    })
    .doc("The slices along `axis`, or elements of the flattened tensor, where the condition is true.")
    .example("compress([True, False, True], array([1, 2, 3]))"),
    Builtin::new("extract(condition, x)", |call| {
        let (engine, mask, x) = (call.engine(), call.tensor("condition")?, call.tensor("x")?);
        let mask = engine.ravel(&engine.cast(&mask, DType::Bool)?)?;
        let x = engine.ravel(&x)?;
        if mask.elem_count() != x.elem_count() {
            // As NumPy has it: a mask that is shorter means the first elements.
            let places = engine.nonzero(&mask)?.swap_remove(0);
            return Ok(select(engine, &x, &places, 0)?.into());
        }
        super::logic::keep(engine, &x, &mask)
    })
    .doc("The elements of the flattened tensor where the condition is true.")
    .example("extract(array([True, False, True]), array([1, 2, 3]))"),
    Builtin::new("choose(x, choices, out=None, mode='raise')", |call| {
        if !call.is_none("out") || call.str("mode")? != "raise" {
            let keys = ["x", "choices", "out", "mode"];
            return call.evaluator.call_written("_choose", keys.map(|key| call.value(key).clone()));
        }
        let (engine, x, choices) = (call.engine(), call.tensor("x")?, call.operands_in("choices", &[])?);
        if choices.is_empty() {
            return Err(call.fault_at("choices", Fault::value_error("0-length sequence.")));
        }
        if !x.dtype().is_safe_in(DType::I64) {
            let words = format!("Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'", x.dtype());
            return Err(call.fault_at("x", Fault::type_error(words)));
        }
        let below = engine.compare(CompareOp::Lt, &x, Scalar::Int(0))?;
        let above = engine.compare(CompareOp::Ge, &x, Scalar::Int(choices.len() as i64))?;
        let outside = engine.binary(BinaryOp::BitOr, &below, &above)?;
        if !super::logic::is_all_false(engine, &outside)? {
            return Err(call.fault_at("x", Fault::value_error("invalid entry in choice array")));
        }
        let dtype = common(engine, &choices);
        let mut result: Option<Tensor> = None;
        for (number, choice) in choices.into_iter().enumerate().rev() {
            let here = engine.compare(CompareOp::Eq, &x, Scalar::Int(number as i64))?;
            let choice = as_type(engine, choice, dtype)?;
            let rest = result.unwrap_or_else(|| choice.clone());
            result = Some(engine.select(&here, choice, rest)?);
        }
        Ok(result.expect("a choice").into())
    })
    .about("choices")
    .doc("For each place the element of the choice whose number stands in x.\nOther numbers are a ValueError; `mode` 'wrap' takes remainders, 'clip' the nearest choice.")
    .example("choose(array([0, 1, 0]), [array([1, 2, 3]), array([10, 20, 30])])"),
    Builtin::new("place(x, mask, values)", |call| {
        let (engine, x, mask) = (call.engine(), target(call)?, call.tensor("mask")?);
        let mask = engine.cast(&mask_of_size(call, &x, &mask)?, DType::Bool)?;
        let places = engine.nonzero(&engine.ravel(&mask)?)?.swap_remove(0);
        if places.elem_count() > 0 && call.tensor("values")?.elem_count() == 0 {
            let words = "Cannot insert from an empty array!";
            return Err(call.fault_at("values", Fault::value_error(words)));
        }
        write_cycled(call, &x, &places)
    })
    .doc("Writes `values`, one after the other and repeated, where the mask is true. Changes x.")
    .example("x = arange(4)\nplace(x, x > 1, [7, 8])\nx"),
    Builtin::new("putmask(x, mask, values)", |call| {
        let (engine, x, mask) = (call.engine(), target(call)?, call.tensor("mask")?);
        let mask = mask_of_size(call, &x, &mask)?;
        let values = call.tensor_of("values", x.dtype())?;
        let values = if values.shape() == x.shape() {
            values
        } else {
            match cycled(engine, &values, x.elem_count())? {
                Some(row) => engine.reshape(&row, &lengths(x.shape()))?,
                None => return Ok(Value::None),
            }
        };
        let result = engine.select(&mask, &values, &x)?;
        call.last_write(|| engine.assign_all(&x, result))?;
        Ok(Value::None)
    })
    .doc("Writes the values at the same places where the mask is true. Changes x.")
    .example("x = arange(4)\nputmask(x, x > 1, -x)\nx"),
    Builtin::new("copyto(x, values, casting='same_kind', where=True)", |call| {
        let (engine, x, mask) = (call.engine(), target(call)?, call.tensor("where")?);
        let from = match call.operand("values")? {
            Operand::Tensor(values) => values.dtype(),
            Operand::Scalar(value) => common_type(x.dtype(), value, engine.default_float()),
        };
        let rule = call.casting()?;
        if !rule.allows(from, x.dtype()) {
            let words = format!(
                "Cannot cast array data from dtype('{from}') to dtype('{}') according to the rule '{}'",
                x.dtype(),
                rule.name()
            );
            let fault = Fault::type_error(words).with_hint("`x[:] = values` casts");
            return Err(call.fault_at("values", fault));
        }
        let values = call.tensor_of("values", x.dtype())?;
        let values =
            engine.spread_into(values, x.shape()).map_err(|e| call.fault_at("values", e))?;
        let result = engine.select(&mask, &values, &x)?;
        call.last_write(|| engine.assign_all(&x, result))?;
        Ok(Value::None)
    })
    .doc("Writes the values, broadcast, into x where `where` is true.")
    .example("x = zeros(3)\ncopyto(x, 5)\nx"),
    Builtin::new("fill_diagonal(x, val, wrap=False)", fill_diagonal)
    .doc("Writes `val` where all indices are the same; of several values, one after the other, from the first again.\nWith `wrap` the diagonal of a tall matrix begins again below its end. Changes x.")
    .example("x = zeros((2, 2))\nfill_diagonal(x, 7)\nx"),
];

fn fill_diagonal(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), target(call)?);
    let (rows, columns) = match **x.shape() {
        [rows, columns] => (rows, columns),
        [] | [_] => {
            return Err(call.fault_at("x", Fault::value_error("array must be at least 2-d")));
        }
        [first, ..] if x.shape().iter().all(|extent| *extent == first) => (first, first),
        _ => {
            let words = "All dimensions of input must be of equal length";
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
    };
    let value = call.stored_in("val", &x)?;
    // Behind each whole turn of the diagonal a row stays as it is.
    let count = match call.bool("wrap")? && x.rank() == 2 && columns > 0 {
        true => (rows * columns).div_ceil(columns + 1),
        false => rows.min(columns),
    };
    let line = engine.iota(&Shape::from([count]), 0)?;
    let value = match value {
        Operand::Tensor(values) if values.elem_count() > 0 => {
            let values = engine.ravel(&values)?;
            let turn = Scalar::Int(values.elem_count() as i64);
            let at = engine.binary(BinaryOp::Mod, &line, turn)?;
            Operand::Tensor(engine.index(&values, &[IndexItem::Tensor(at)])?)
        }
        value => value,
    };
    let (row, column) = match count > rows.min(columns) {
        true => {
            let place = engine.binary(BinaryOp::Mul, &line, Scalar::Int(columns as i64 + 1))?;
            let width = Scalar::Int(columns as i64);
            let row = engine.binary(BinaryOp::FloorDiv, &place, width)?;
            (row, engine.binary(BinaryOp::Mod, &place, width)?)
        }
        false => (line.clone(), line),
    };
    let mut items = vec![IndexItem::Tensor(column); x.rank()];
    items[0] = IndexItem::Tensor(row);
    call.last_write(|| engine.assign(&x, &items, value))?;
    Ok(Value::None)
}

/// The tensor that the call changes: nothing else can be changed.
pub fn target(call: &Call<'_>) -> Result<Tensor, Fault> {
    match call.value("x") {
        Value::Tensor(tensor) if !tensor.is_scalar() => {
            tensor.check_writable().map_err(|error| call.fault_at("x", error))?;
            Ok(tensor.clone())
        }
        Value::Tensor(_) => {
            let words = format!("{}() argument 1 must be an array, not a scalar", call.name());
            let hint = "a scalar does not change: `array(x)` makes an array of it";
            Err(call.fault_at("x", Fault::type_error(words).with_hint(hint)))
        }
        _ => Err(call.wrong_type("x", "a tensor to write to")),
    }
}

/// Indices along one axis, everything along the axes before it.
pub fn axis_items(axis: usize, indices: Tensor) -> Vec<IndexItem> {
    let mut items = vec![IndexItem::Slice(Slice::default()); axis];
    items.push(IndexItem::Tensor(indices));
    items
}

/// The slices of `x` at `indices` along `axis`.
pub fn select(engine: &Engine, x: &Tensor, indices: &Tensor, axis: usize) -> Made {
    engine.index(x, &axis_items(axis, indices.clone()))
}

/// For each place of `indices` the element of `x` there along `axis`, the other coordinates kept.
pub fn along(engine: &Engine, x: &Tensor, indices: &Tensor, axis: i64) -> Made {
    engine.index(x, &along_items(engine, x, indices, axis)?)
}

fn along_items(
    engine: &Engine,
    x: &Tensor,
    at: &Tensor,
    axis: i64,
) -> Result<Vec<IndexItem>, Error> {
    let axis = x.shape().axis(axis)?;
    if at.dtype().is_float() || at.dtype() == DType::Bool {
        return Err(Error::index_error("`indices` must be an integer array"));
    }
    let mut items = Vec::with_capacity(x.rank());
    for other in 0..x.rank() {
        if other == axis {
            items.push(IndexItem::Tensor(at.clone()));
        } else {
            let mut shape = Shape::from(vec![1; x.rank()].as_slice());
            let shared = at.rank() == x.rank() && at.shape()[other] != 1;
            shape[other] = if shared { at.shape()[other] } else { x.shape()[other] };
            items.push(IndexItem::Tensor(engine.iota(&shape, other as _)?));
        }
    }
    Ok(items)
}

/// The part of `x` whose other axes are as long as those of `at`, as PyTorch's gather reads it.
fn cut(engine: &Engine, x: &Tensor, at: &Tensor, axis: i64) -> Made {
    let axis = x.shape().axis(axis)?;
    if at.rank() != x.rank() {
        return Err(Error::new(
            ErrorKind::Runtime,
            "Index tensor must have the same number of dimensions as input tensor",
        ));
    }
    let mut part = x.clone();
    for other in (0..x.rank()).filter(|other| *other != axis) {
        let wanted = at.shape()[other];
        if wanted > x.shape()[other] {
            return Err(Error::new(
                ErrorKind::Runtime,
                format!(
                    "Size does not match at dimension {other} expected index {} to be no larger than self {} apart from dimension {axis}",
                    at.shape(),
                    x.shape()
                ),
            ));
        }
        part = engine.narrow(&part, other, 0, wanted, 1)?;
    }
    Ok(part)
}

fn scattered(call: &Call<'_>, copy: Tensor, op: ScatterOp) -> Outcome {
    let (engine, at, axis) = (call.engine(), call.tensor("indices")?, call.int("axis")?);
    let part = cut(engine, &copy, &at, axis)?;
    let items = along_items(engine, &part, &at, axis)?;
    let mut values = call.stored_in("values", &copy)?;
    if let Operand::Tensor(source) = &values
        && source.rank() == at.rank()
    {
        let mut source = source.clone();
        for other in 0..at.rank() {
            let wanted = at.shape()[other].min(source.shape()[other]);
            source = engine.narrow(&source, other, 0, wanted, 1)?;
        }
        values = source.into();
    }
    engine.scatter(op, &copy, &items, values)?;
    Ok(copy.into())
}

fn take(call: &mut Call<'_>) -> Outcome {
    let (engine, mut x, at) = (call.engine(), call.tensor("x")?, call.tensor("indices")?);
    if x.rank() == 0 {
        // NumPy takes a single number for a row of one.
        x = engine.ravel(&x)?;
    }
    let (x, axis) = match call.axis("axis")? {
        Some(axis) => {
            let place = x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
            (x, place)
        }
        None => (engine.ravel(&x)?, 0),
    };
    let at = if at.elem_count() == 0 && at.dtype().is_float() {
        engine.cast(&at, DType::I64)?
    } else {
        at
    };
    if at.dtype().is_float() {
        let words = format!(
            "Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'",
            at.dtype()
        );
        return Err(call.fault_at("indices", Fault::type_error(words)));
    }
    let at = if at.dtype() == DType::Bool { engine.cast(&at, DType::I64)? } else { at };
    let at = bounded(call, &at, x.shape()[axis])?;
    // NumPy looks at no index where the axes before have no elements.
    let before: usize = x.shape()[..axis].iter().product();
    let behind: usize = x.shape()[axis + 1..].iter().product();
    if before == 0 || (behind == 0 && x.shape()[axis] > 0) {
        if before > 0 {
            // A read that yields nothing would not find what is out of range.
            let plain = engine.iota(&Shape::from([x.shape()[axis]]), 0)?;
            engine.realize(&[&engine.index(&plain, &[IndexItem::Tensor(at.clone())])?])?;
        }
        let (before, behind) = (&x.shape()[..axis], &x.shape()[axis + 1..]);
        let shape: Shape = [before, at.shape(), behind].concat().as_slice().into();
        return give(call, engine.full(&shape, Scalar::Int(0), x.dtype())?);
    }
    if x.shape()[axis] == 0 && at.elem_count() > 0 {
        let words = "cannot do a non-empty take from an empty axes.";
        return Err(call.fault_at("indices", Fault::new(ErrorKind::Index, words)));
    }
    // Where indices lie outside shows when they are read.
    call.evaluator.set_place(call.span_of("indices"));
    give(call, select(engine, &x, &at, axis)?)
}

/// Indices brought into range as `mode` says.
fn bounded(call: &Call<'_>, at: &Tensor, length: usize) -> Result<Tensor, Fault> {
    let engine = call.engine();
    let length = Scalar::Int(length as i64);
    match call.str("mode")? {
        "raise" => Ok(at.clone()),
        _ if length.as_i64() == 0 => Ok(at.clone()),
        "wrap" => Ok(engine.binary(BinaryOp::Mod, &engine.cast(at, DType::I64)?, length)?),
        "clip" => {
            let at = engine.binary(BinaryOp::Max, &engine.cast(at, DType::I64)?, Scalar::Int(0))?;
            Ok(engine.binary(BinaryOp::Min, &at, Scalar::Int(length.as_i64() - 1))?)
        }
        found => {
            let words =
                format!("clipmode must be one of 'clip', 'raise', or 'wrap' (got '{found}')");
            Err(call.fault_at("mode", Fault::value_error(words)))
        }
    }
}

/// A row of `count` values, repeated from the beginning; `None` where there are none to write.
fn cycled(engine: &Engine, values: &Tensor, count: usize) -> Result<Option<Tensor>, Fault> {
    let row = engine.ravel(values)?;
    if row.elem_count() == 0 || count == 0 {
        return Ok(None);
    }
    let places = engine.iota(&Shape::from([count]), 0)?;
    let places = engine.binary(BinaryOp::Mod, &places, Scalar::Int(row.elem_count() as i64))?;
    Ok(Some(select(engine, &row, &places, 0)?))
}

/// Writes the call's `values`, repeated as needed, to these places of `x` in row-major order.
fn write_cycled(call: &Call<'_>, x: &Tensor, places: &Tensor) -> Outcome {
    let engine = call.engine();
    // What has no axis has one place.
    let x = if x.rank() == 0 { engine.reshape(x, &[1])? } else { x.clone() };
    let values = cycled(engine, &call.tensor_of("values", x.dtype())?, places.elem_count())?;
    let Some(values) = values else { return Ok(Value::None) };
    let items = coordinates(engine, places, x.shape())?;
    call.last_write(|| engine.assign(&x, &items, values))?;
    Ok(Value::None)
}

/// Positions in row-major order as one index for each axis, checked for their range.
fn coordinates(engine: &Engine, at: &Tensor, shape: &Shape) -> Result<Vec<IndexItem>, Error> {
    let count = shape.elem_count();
    // A read of the plain numbers at these places finds what lies outside.
    let plain = engine.iota(&Shape::from([count]), 0)?;
    let mut rest = engine.index(&plain, &[IndexItem::Tensor(at.clone())])?;
    engine.realize(&[&rest])?;
    let mut items = Vec::with_capacity(shape.rank());
    for extent in shape.iter().rev() {
        let length = Scalar::Int((*extent).max(1) as i64);
        items.push(IndexItem::Tensor(engine.binary(BinaryOp::Mod, &rest, length)?));
        rest = engine.binary(BinaryOp::FloorDiv, &rest, length)?;
    }
    items.reverse();
    Ok(items)
}
