//! Tensors joined, cut, repeated, rolled: the results are new tensors, but for cuts.

use smallvec::SmallVec;

use super::forms::{Made, Outcome, as_type, common, concatenate, lengths, list, tuple, turns};
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::DType;
use crate::interp::array_like::{nested_too_deep, to_operands};
use crate::interp::room;
use crate::interp::value::Value;
use crate::layout::{MAX_RANK, Shape};
use crate::tensor::{Engine, Operand, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("concatenate(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')", |call| {
        let is_flat = call.is_none("axis") && call.is_none("dtype");
        let (engine, parts) = (call.engine(), if is_flat { met(call)? } else { parts(call)? });
        if parts.is_empty() {
            let fault = Fault::value_error("need at least one array to concatenate");
            return Err(call.fault_at("arrays", fault));
        }
        super::forms::give(call, concatenate(engine, &parts, call.axis("axis")?)?)
    })
    .aliases(&["cat", "concat"])
    .about("arrays")
    .doc("Joined along an axis that exists; all other lengths must agree. `axis=None` flattens first.")
    .example("concatenate([array([1, 2]), array([3])])"),
    Builtin::new("stack(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')", |call| {
        let (engine, parts) = (call.engine(), parts(call)?);
        if parts.is_empty() {
            let fault = Fault::value_error("need at least one array to stack");
            return Err(call.fault_at("arrays", fault));
        }
        super::forms::give(call, engine.stack(&parts, call.int("axis")?)?)
    })
    .about("arrays")
    .doc("Joined along a new axis; all shapes must be equal.")
    .example("stack([array([1, 2]), array([3, 4])], axis=1)"),
    Builtin::new("vstack(arrays, *, dtype=None, casting='same_kind')", |call| joined(call, |_| 0, &[&[0, 1], &[0]]))
        .aliases(&["row_stack"])
        .doc("Joined along the first axis; a row counts as a matrix of one row.")
        .example("vstack([array([1, 2]), array([3, 4])])"),
    Builtin::new("hstack(arrays, *, dtype=None, casting='same_kind')", |call| joined(call, |rank| i64::from(rank > 1), &[&[0]]))
        .doc("Joined along the second axis, rows along their only one.")
        .example("hstack([array([1, 2]), array([3])])"),
    Builtin::new("dstack(arrays)", |call| joined(call, |_| 2, &[&[0, 1, 2], &[0, 2], &[2]]))
        .doc("Joined along the third axis.")
        .example("dstack([array([1, 2]), array([3, 4])])"),
    Builtin::new("column_stack(arrays)", |call| joined(call, |_| 1, &[&[0, 1], &[1]]))
        .doc("Rows as the columns of a matrix; matrices side by side.")
        .example("column_stack([array([1, 2]), array([3, 4])])"),
    Builtin::new("block(arrays)", |call| {
        let blocks = call.value("arrays").clone();
        let depth = depth_of(&blocks)?;
        let dtype = crate::interp::array_like::meeting(call.engine(), [&blocks]);
        Ok(block(call.engine(), &blocks, dtype, depth, 0)?.into())
    })
    .doc("A tensor built of nested lists of blocks; the innermost lists join along the last axis.")
    .example("block([[ones((2, 2)), zeros((2, 1))]])"),
    Builtin::new("append(x, values, axis=None)", |call| {
        let (engine, [x, values]) = (call.engine(), call.meeting(["x", "values"])?);
        Ok(concatenate(engine, &[x, values], call.axis("axis")?)?.into())
    })
    .doc("A new tensor with the values behind, flattened unless `axis` is given.")
    .example("append(array([1, 2]), [3])"),
    Builtin::new("split(x, indices_or_sections, axis=0)", |call| {
        let axis = call.int("axis")?;
        if call.spelled("axis", "dim") && let Value::Int(size) = *call.value(1usize) {
            return sized(call, size, axis);
        }
        split(call, axis, true)
    })
    .doc("Cut along an axis into equal parts, or at the given places: a list of views.\nValueError where the length does not divide. With `dim=`, PyTorch's parts of this size.")
    .example("split(arange(6), 3)"),
    Builtin::new("split(x, split_size, axis=0)", |call| {
        let axis = call.int("axis")?;
        match call.value("split_size") {
            Value::Int(size) => sized(call, *size, axis),
            _ => {
                let sizes = call.ints("split_size")?;
                let mut ends = Vec::new();
                let mut end = 0;
                for size in &sizes {
                    end += size;
                    ends.push(end);
                }
                let total = ends.pop().unwrap_or(0);
                let x = call.tensor("x")?;
                let axis = x.shape().axis(axis)?;
                if total != x.shape()[axis] as i64 {
                    let words = format!("split_with_sizes expects split_sizes to sum exactly to {}, found {total}", x.shape()[axis]);
                    return Err(call.fault_at("split_size", Fault::new(ErrorKind::Runtime, words)));
                }
                Ok(tuple(cut(call.engine(), &x, axis, &ends)?))
            }
        }
    })
    .doc("PyTorch's: parts of this size along an axis, the last perhaps smaller; or of these sizes.")
    .example("arange(5).split(2)")
    .only_method(),
    Builtin::new("array_split(x, indices_or_sections, axis=0)", |call| {
        let axis = call.int("axis")?;
        split(call, axis, false)
    })
    .aliases(&["tensor_split"])
    .doc("As `split`, but the parts need not be equal: the first ones are longer by one.")
    .example("array_split(arange(5), 2)"),
    Builtin::new("hsplit(x, indices_or_sections)", |call| {
        let rank = call.tensor("x")?.rank();
        if rank == 0 {
            let words = "hsplit only works on arrays of 1 or more dimensions";
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
        split(call, i64::from(rank > 1), true)
    })
    .doc("`split` along the second axis, or the only one.")
    .example("hsplit(array([[1, 2], [3, 4]]), 2)"),
    Builtin::new("vsplit(x, indices_or_sections)", |call| {
        if call.tensor("x")?.rank() < 2 {
            let words = "vsplit only works on arrays of 2 or more dimensions";
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
        split(call, 0, true)
    })
    .doc("`split` along the first axis.")
    .example("vsplit(array([[1, 2], [3, 4]]), 2)"),
    Builtin::new("dsplit(x, indices_or_sections)", |call| {
        if call.tensor("x")?.rank() < 3 {
            let words = "dsplit only works on arrays of 3 or more dimensions";
            return Err(call.fault_at("x", Fault::value_error(words)));
        }
        split(call, 2, true)
    })
    .doc("`split` along the third axis.")
    .example("dsplit(zeros((1, 1, 2)), 2)"),
    Builtin::new("chunk(x, chunks, axis=0)", |call| {
        let (x, count) = (call.tensor("x")?, call.int("chunks")?);
        if count < 1 {
            let words = format!("chunk expects `chunks` to be greater than 0, got: {count}");
            return Err(call.fault_at("chunks", Fault::new(ErrorKind::Runtime, words)));
        }
        let axis = call.int("axis")?;
        let length = x.shape()[x.shape().axis(axis)?] as i64;
        sized(call, (length + count - 1) / count, axis)
    })
    .doc("PyTorch's: at most `chunks` parts of one size along an axis, the last perhaps smaller.")
    .example("chunk(arange(5), 2)")
    .method(),
    Builtin::new("tile(x, *reps)", |call| match call.rest() {
        [] => Err(Fault::type_error("tile() missing 1 required positional argument: 'reps'")),
        _ => Ok(tile(call.engine(), &call.tensor("x")?, &call.sizes()?)?.into()),
    })
    .about("reps")
    .doc("x repeated as a whole, this often along each axis.")
    .example("tile(array([1, 2]), (2, 2))")
    .method(),
    Builtin::new("repeat(x, repeats, axis=None)", |call| {
        let x = call.tensor("x")?;
        let counts = counts_of(call.engine(), call.value("repeats"));
        let counts = counts.map_err(|fault| call.fault_at("repeats", fault))?;
        repeat(call, &x, &counts, call.axis("axis")?)
    })
    .aliases(&["repeat_interleave"])
    .about("repeats")
    .doc("Each element this often, along an axis or flattened; or as often as its own count says.")
    .example("repeat(array([[1, 2]]), 2, axis=1)")
    .method(),
    Builtin::new("repeat(x, *repeats, axis=None)", |call| {
        let (engine, x) = (call.engine(), call.tensor("x")?);
        match call.rest() {
            [] => Err(Fault::type_error("repeat() missing 1 required argument: 'repeats'")),
            [counts] => {
                let counts = counts_of(engine, &counts.value)?;
                repeat(call, &x, &counts, call.axis("axis")?)
            }
            // NumPy's second parameter is the axis; what is none of the tensor's is a count of PyTorch's.
            [counts, axis] if call.is_none("axis") && is_axis(engine, &x, &axis.value) => {
                let counts = counts_of(engine, &counts.value)?;
                let axis = crate::interp::convert::integer(engine, &axis.value)?;
                repeat(call, &x, &counts, Some(axis))
            }
            _ => Ok(tile(engine, &x, &call.sizes()?)?.into()),
        }
    })
    .about("repeats")
    .doc("As the function. Several counts, of which a second is no axis, repeat the whole tensor, as PyTorch's method does.")
    .example("array([1, 2]).repeat(2)")
    .only_method(),
    Builtin::new("roll(x, shift, axis=None)", roll)
        .doc("Shifted along axes; what leaves at one end comes back at the other. Flattened for None.")
        .example("roll(arange(5), 2)")
        .method(),
];

/// Joins tensors that first get new axes: `axes[r]` for one of rank r.
fn joined(call: &mut Call<'_>, along: fn(usize) -> i64, axes: &[&[i64]]) -> Outcome {
    let (engine, parts) = (call.engine(), parts(call)?);
    if parts.is_empty() {
        let fault = Fault::value_error("need at least one array to concatenate");
        return Err(call.fault_at("arrays", fault));
    }
    let raised = parts.iter().map(|part| match axes.get(part.rank()) {
        Some(axes) => engine.expand_dims(part, axes),
        None => Ok(part.clone()),
    });
    let raised = raised.collect::<Result<Vec<_>, _>>()?;
    Ok(concatenate(engine, &raised, Some(along(raised[0].rank())))?.into())
}

/// The tensors that are joined whatever their shapes are; Python numbers among them take the others' type.
fn met(call: &Call<'_>) -> Result<Vec<Tensor>, Fault> {
    let (engine, value) = (call.engine(), call.value("arrays"));
    let operands = to_operands(engine, value, &[])?;
    if !operands.iter().any(|operand| matches!(operand, Operand::Scalar(_))) {
        return parts(call);
    }
    let dtype = common(engine, &operands);
    let made = operands.into_iter().map(|operand| Ok(as_type(engine, operand, dtype)?));
    made.collect()
}

fn parts(call: &Call<'_>) -> Result<Vec<Tensor>, Fault> {
    let is_number = |value: &Value| value.number().is_some() || matches!(value, Value::None);
    if call.function.builtin.name != "concatenate" && is_number(call.value("arrays")) {
        let words = "arrays to stack must be passed as a \"sequence\" type such as list or tuple.";
        return Err(call.fault_at("arrays", Fault::type_error(words)));
    }
    let has_dtype = call.function.signature().position("dtype").is_some();
    let Some(dtype) = (if has_dtype { call.dtype("dtype")? } else { None }) else {
        return call.tensors("arrays");
    };
    let (rule, parts) = (call.casting()?, call.tensors("arrays")?);
    if let Some(part) = parts.iter().find(|part| !rule.allows(part.dtype(), dtype)) {
        let words = format!(
            "Cannot cast array data from dtype('{}') to dtype('{dtype}') according to the rule '{}'",
            part.dtype(),
            rule.name()
        );
        return Err(call.fault_at("arrays", Fault::type_error(words)));
    }
    call.tensors_in("arrays", Some(dtype))
}

/// How deep lists hold each other, by the first of each.
fn depth_of(value: &Value) -> Result<usize, Fault> {
    let (mut depth, mut value) = (0, value.clone());
    while let Value::List(items) = &value {
        depth += 1;
        if depth > MAX_RANK {
            return Err(nested_too_deep());
        }
        let first = items.borrow().first().cloned();
        let Some(first) = first else { break };
        value = first;
    }
    Ok(depth)
}

/// Blocks at `level` join along the axis that is as far from the last as the level from the depth.
fn block(
    engine: &Engine,
    value: &Value,
    dtype: DType,
    depth: usize,
    level: usize,
) -> Result<Tensor, Fault> {
    let Value::List(items) = value else {
        if level != depth {
            return Err(Fault::value_error(format!(
                "List depths are mismatched. First element was at depth {depth}, but there is an element at depth {level}"
            )));
        }
        let x = crate::interp::array_like::beside(engine, value, dtype)?;
        let missing = depth.saturating_sub(x.rank()) as i64;
        return Ok(engine.expand_dims(&x, &(0..missing).collect::<Vec<_>>())?);
    };
    if level == MAX_RANK {
        return Err(nested_too_deep());
    }
    let parts = items
        .borrow()
        .iter()
        .map(|item| block(engine, item, dtype, depth, level + 1))
        .collect::<Result<Vec<_>, _>>()?;
    if parts.is_empty() {
        return Err(Fault::value_error("List at arrays cannot be empty"));
    }
    let rank = parts.iter().map(Tensor::rank).max().unwrap_or(0);
    let parts = parts.iter().map(|part| {
        let missing = (rank - part.rank()) as i64;
        engine.expand_dims(part, &(0..missing).collect::<Vec<_>>())
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(concatenate(engine, &parts, Some(level as i64 - depth as i64))?)
}

/// The parts between the places `ends`, which are cut to the length; a part may be empty.
fn cut(engine: &Engine, x: &Tensor, axis: usize, ends: &[i64]) -> Result<Vec<Tensor>, Fault> {
    let length = x.shape()[axis] as i64;
    let inside = |place: i64| if place < 0 { (place + length).max(0) } else { place.min(length) };
    let mut start = 0;
    room::things(engine, ends.len(), room::TENSOR)?;
    let parts = ends.iter().map(|end| inside(*end)).chain([length]).map(|end| {
        let count = (end - start).max(0) as usize;
        let part = engine.narrow(x, axis, start as usize, count, 1);
        start = end;
        part.map_err(Fault::from)
    });
    room::gather(engine, room::TENSOR, parts)
}

fn split(call: &Call<'_>, axis: i64, equal: bool) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    let axis = x.shape().axis(axis)?;
    let length = x.shape()[axis] as i64;
    let ends: Vec<i64> = match call.count(1usize)? {
        Some(count) => {
            if equal && count == 0 {
                let fault = Fault::new(ErrorKind::ZeroDivision, "integer modulo by zero");
                return Err(call.fault_at(1usize, fault));
            }
            if count < 1 {
                let words = "number sections must be larger than 0.";
                return Err(call.fault_at(1usize, Fault::value_error(words)));
            }
            if equal && length % count != 0 {
                let words = "array split does not result in an equal division";
                return Err(call.fault_at(1usize, Fault::value_error(words)));
            }
            let (size, longer) = (length / count, length % count);
            room::things(engine, count as usize, room::TENSOR)
                .map_err(|fault| call.fault_at(1usize, fault))?;
            (1..count).map(|part| part * size + part.min(longer)).collect()
        }
        None => call.ints(1usize)?.to_vec(),
    };
    Ok(list(cut(engine, &x, axis, &ends)?))
}

/// Parts of `size` along an axis, the last perhaps smaller.
fn sized(call: &Call<'_>, size: i64, axis: i64) -> Outcome {
    let x = call.tensor("x")?;
    let axis = x.shape().axis(axis)?;
    let length = x.shape()[axis] as i64;
    if size < 0 || (size == 0 && length > 0) {
        let words = format!("split expects a positive size, found {size}");
        return Err(call.fault_at(1usize, Fault::new(ErrorKind::Runtime, words)));
    }
    let count = length.checked_div(size).unwrap_or(0).max(0);
    room::things(call.engine(), count as usize, room::TENSOR)?;
    let ends: Vec<i64> = (1..=count).map(|part| part * size).filter(|end| *end < length).collect();
    Ok(tuple(cut(call.engine(), &x, axis, &ends)?))
}

fn tile(engine: &Engine, x: &Tensor, reps: &[i64]) -> Result<Tensor, Fault> {
    let extents = x.shape().iter().rev().map(|extent| *extent as i64);
    let sides = reps.iter().rev().zip(extents.chain(std::iter::repeat(1)));
    if sides.into_iter().any(|(count, extent)| *count < 0 && extent > 0) {
        return Err(Fault::value_error("negative dimensions are not allowed"));
    }
    let rank = x.rank().max(reps.len());
    let mut shape = vec![1; rank - x.rank()];
    shape.extend_from_slice(x.shape());
    let mut counts = vec![1; rank - reps.len()];
    counts.extend(reps.iter().map(|count| usize::try_from(*count).unwrap_or(0)));
    // Every axis is a pair: the repetition, of length one, and the axis itself.
    let pairs: Vec<i64> = shape.iter().flat_map(|extent| [1, *extent as i64]).collect();
    let wide: Shape =
        counts.iter().zip(&shape).flat_map(|(count, extent)| [*count, *extent]).collect();
    let full = Shape::scaled(&shape, &counts)?;
    wide.checked_elem_count()?;
    let spread = engine.broadcast_to(&engine.reshape(x, &pairs)?, &wide)?;
    let made = engine.reshape(&engine.copy(&spread)?, &lengths(&full))?;
    Ok(made)
}

/// Whether a number is an axis of a tensor.
fn is_axis(engine: &Engine, x: &Tensor, value: &Value) -> bool {
    crate::interp::convert::integer(engine, value).is_ok_and(|axis| x.shape().axis(axis).is_ok())
}

/// How often elements are repeated.
fn counts_of(engine: &Engine, value: &Value) -> Result<SmallVec<[i64; 4]>, Fault> {
    let is_row = |item: &Value| matches!(item, Value::List(_) | Value::Tuple(_));
    let holds_rows = match value {
        Value::Tensor(counts) if counts.rank() > 1 => {
            return Err(Fault::value_error("object too deep for desired array"));
        }
        Value::Tensor(counts) if counts.rank() == 1 && counts.dtype() == DType::Bool => {
            let counts = Value::from(engine.cast(counts, DType::I64)?);
            return crate::interp::convert::integers(engine, &counts);
        }
        Value::Tensor(counts) if counts.rank() == 1 && !counts.dtype().is_safe_in(DType::I64) => {
            return Err(Fault::type_error(format!(
                "Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'",
                counts.dtype()
            )));
        }
        Value::List(items) => items.borrow().iter().any(is_row),
        Value::Tuple(items) => items.iter().any(is_row),
        _ => false,
    };
    if holds_rows {
        let words = "setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 1.";
        return Err(Fault::value_error(words));
    }
    crate::interp::convert::integers(engine, value)
}

fn repeat(call: &Call<'_>, x: &Tensor, counts: &[i64], axis: Option<i64>) -> Outcome {
    let engine = call.engine();
    // NumPy takes a single number for a row of one.
    let x = &if x.rank() == 0 { engine.ravel(x)? } else { x.clone() };
    let (x, axis) = match axis {
        Some(axis) => {
            let place = x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
            (x.clone(), place)
        }
        None => (engine.ravel(x)?, 0),
    };
    let length = x.shape()[axis];
    if counts.iter().any(|count| *count < 0) {
        return Err(Fault::value_error(match counts.len() {
            1 => "negative dimensions are not allowed",
            _ => "repeats may not contain negative values.",
        }));
    }
    let total = counts.iter().try_fold(0usize, |total, count| total.checked_add(*count as usize));
    match (counts, total) {
        ([count], _) => {
            let shape: Shape = [&x.shape()[..=axis], &[*count as usize], &x.shape()[axis + 1..]]
                .concat()
                .as_slice()
                .into();
            shape.checked_elem_count()?;
            let mut times = vec![1; x.rank()];
            times[axis] = *count as usize;
            let full = Shape::scaled(x.shape(), &times)?;
            let spread =
                engine.broadcast_to(&engine.expand_dims(&x, &[axis as i64 + 1])?, &shape)?;
            Ok(engine.reshape(&engine.copy(&spread)?, &lengths(&full))?.into())
        }
        (_, Some(total)) if counts.len() == length => {
            let places = turns(engine, counts, total)?;
            Ok(super::pick::select(engine, &x, &places, axis)?.into())
        }
        _ => {
            let words = format!(
                "operands could not be broadcast together with shape ({length},) ({},)",
                counts.len()
            );
            Err(Fault::value_error(words))
        }
    }
}

fn roll(call: &mut Call<'_>) -> Outcome {
    let (engine, x) = (call.engine(), call.tensor("x")?);
    if matches!(call.value("shift"), Value::Tensor(shift) if shift.rank() > 1) {
        let words = "'shift' and 'axis' should be scalars or 1D sequences";
        return Err(call.fault_at("shift", Fault::value_error(words)));
    }
    let shifts = call.ints("shift")?;
    let Some(axes) = call.axes("axis")? else {
        let flat = roll_axis(engine, &engine.ravel(&x)?, 0, shifts.iter().sum())?;
        return Ok(engine.reshape(&flat, &lengths(x.shape()))?.into());
    };
    // One of them without entries meets a single other one as no entries.
    let none = shifts.is_empty() || axes.is_empty();
    let count = if none { 0 } else { shifts.len().max(axes.len()) };
    let one = |list: &[i64], place: usize| if list.len() == 1 { list[0] } else { list[place] };
    if (shifts.len() != count && shifts.len() != 1) || (axes.len() != count && axes.len() != 1) {
        let words = "'shift' and 'axis' should be scalars or 1D sequences";
        return Err(call.fault_at("shift", Fault::value_error(words)));
    }
    for axis in &axes {
        x.shape().axis(*axis).map_err(|e| call.fault_at("axis", e))?;
    }
    let mut rolled = x.clone();
    for place in 0..count {
        let axis = x.shape().axis(one(&axes, place)).map_err(|e| call.fault_at("axis", e))?;
        rolled = roll_axis(engine, &rolled, axis, one(&shifts, place))?;
    }
    if rolled.is_same(&x) {
        rolled = engine.copy(&x)?;
    }
    Ok(rolled.into())
}

fn roll_axis(engine: &Engine, x: &Tensor, axis: usize, shift: i64) -> Made {
    let length = x.shape()[axis];
    if length == 0 {
        return Ok(x.clone());
    }
    let shift = shift.rem_euclid(length as i64) as usize;
    let tail = engine.narrow(x, axis, length - shift, shift, 1)?;
    let head = engine.narrow(x, axis, 0, length - shift, 1)?;
    concatenate(engine, &[tail, head], Some(axis as i64))
}
