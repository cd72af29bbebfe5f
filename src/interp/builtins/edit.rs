//! Elements put between others, and taken out.

use super::forms::{Outcome, concatenate, lengths};
use super::{Builtin, Call};
use crate::diag::{ErrorKind, Fault};
use crate::dtype::{DType, Scalar};
use crate::interp::value::Value;
use crate::layout::{Shape, Slice};
use crate::tensor::{BinaryOp, CompareOp, IndexItem, Tensor};

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("insert(x, index, values, axis=None)", insert)
        .doc("A new tensor with the values before the given places, flattened unless `axis` is given.")
        .example("insert(array([1, 2, 3]), 1, 9)"),
    Builtin::new("delete(x, obj, axis=None)", delete)
        .doc("A new tensor without the given places, flattened unless `axis` is given.")
        .example("delete(array([1, 2, 3]), 1)"),
];

/// Where an insertion or deletion happens: the tensor, flattened for no axis, and the axis.
fn along(call: &Call<'_>) -> Result<(Tensor, usize), Fault> {
    let x = call.tensor("x")?;
    match call.axis("axis")? {
        Some(axis) => {
            let place = x.shape().axis(axis).map_err(|error| call.fault_at("axis", error))?;
            Ok((x, place))
        }
        None => Ok((call.engine().ravel(&x)?, 0)),
    }
}

/// An index of one axis of `length`, as `insert` and `delete` take it.
fn axis_index(call: &Call<'_>, key: &'static str, length: usize) -> Result<IndexItem, Fault> {
    let engine = call.engine();
    match call.value(key) {
        Value::Slice(slice) => {
            let bound = |value: &Value| match value {
                Value::None => Ok(None),
                value => crate::interp::convert::integer(engine, value).map(Some),
            };
            let (start, stop, step) =
                (bound(&slice.start)?, bound(&slice.stop)?, bound(&slice.step)?);
            if step == Some(0) {
                return Err(call.fault_at(key, Fault::value_error("slice step cannot be zero")));
            }
            Ok(IndexItem::Slice(Slice { start, stop, step }))
        }
        Value::Int(place) => Ok(IndexItem::Int(*place)),
        _ => {
            let index = call.tensor(key)?;
            let is_mask = index.dtype() == DType::Bool;
            if is_mask && **index.shape() != [length] {
                let words = format!(
                    "boolean array argument {key} to {} must be one dimensional and match the axis length of {length}",
                    call.name()
                );
                return Err(call.fault_at(key, Fault::value_error(words)));
            }
            let is_empty = index.elem_count() == 0 && !is_mask;
            let index = if is_empty && !matches!(call.value(key), Value::Tensor(_)) {
                engine.cast(&index, DType::I64)?
            } else {
                index
            };
            Ok(IndexItem::Tensor(index))
        }
    }
}

#[cold]
fn out_of_bounds(
    call: &Call<'_>,
    key: &'static str,
    place: i64,
    axis: usize,
    length: usize,
) -> Fault {
    let words = format!("index {place} is out of bounds for axis {axis} with size {length}");
    call.fault_at(key, Fault::new(ErrorKind::Index, words))
}

fn delete(call: &mut Call<'_>) -> Outcome {
    let (engine, (x, axis)) = (call.engine(), along(call)?);
    let length = x.shape()[axis];
    let gone = axis_index(call, "obj", length)?;
    if let IndexItem::Int(place) = gone
        && !(-(length as i64)..length as i64).contains(&place)
    {
        return Err(out_of_bounds(call, "obj", place, axis, length));
    }
    let all = engine.full(&Shape::from([length]), Scalar::Bool(true), DType::Bool)?;
    let kept = engine.copy(&engine.to_device(&all, x.device())?)?;
    engine
        .assign(&kept, &[gone], Scalar::Bool(false))
        .map_err(|error| call.fault_at("obj", error))?;
    Ok(super::pick::select(engine, &x, &kept, axis)?.into())
}

/// Slices of `values` between those of `x` before a place and those from there on.
fn insert_block(
    call: &Call<'_>,
    (x, axis): (&Tensor, usize),
    place: i64,
    values: &Tensor,
) -> Outcome {
    let (engine, length) = (call.engine(), x.shape()[axis]);
    let start = if place < 0 { place + length as i64 } else { place };
    let Some(start) = usize::try_from(start).ok().filter(|start| *start <= length) else {
        return Err(out_of_bounds(call, "index", place, axis, length));
    };
    let mut shape = x.shape().clone();
    shape[axis] = values.shape()[axis];
    let values = engine.broadcast_to(values, &shape).map_err(|e| call.fault_at("values", e))?;
    let before = engine.narrow(x, axis, 0, start, 1)?;
    let behind = engine.narrow(x, axis, start, length - start, 1)?;
    Ok(concatenate(engine, &[before, values, behind], Some(axis as i64))?.into())
}

fn insert(call: &mut Call<'_>) -> Outcome {
    let (engine, (x, axis)) = (call.engine(), along(call)?);
    let length = x.shape()[axis];
    let index = axis_index(call, "index", length)?;
    let mut values = call.tensor_of("values", x.dtype())?;
    let at = match &index {
        IndexItem::Int(place) => {
            // One place takes a whole block: its first axis goes along the axis.
            let mut extents = vec![1; x.rank().saturating_sub(values.rank())];
            extents.extend(lengths(values.shape()));
            values = engine.moveaxis(&engine.reshape(&values, &extents)?, &[0], &[axis as i64])?;
            return insert_block(call, (&x, axis), *place, &values);
        }
        IndexItem::Tensor(places) if places.dtype().is_inexact() && places.elem_count() > 0 => {
            let words = "arrays used as indices must be of integer (or boolean) type";
            return Err(call.fault_at("index", Fault::new(ErrorKind::Index, words)));
        }
        IndexItem::Tensor(places) if places.dtype() != DType::Bool => {
            engine.ravel(&engine.cast(places, DType::I64)?)?
        }
        item => {
            let row = engine.iota(&Shape::from([length]), 0)?;
            engine.index(&row, std::slice::from_ref(item))?
        }
    };
    if at.elem_count() > 0 {
        let (low, high) = engine.range_of(&at)?;
        let is_outside = |place: &i64| !(-(length as i64)..=length as i64).contains(place);
        if let Some(place) = [low.as_i64(), high.as_i64()].into_iter().find(is_outside) {
            return Err(out_of_bounds(call, "index", place, axis, length));
        }
    }
    let mut shape = x.shape().clone();
    shape[axis] = at.elem_count();
    let values = engine.broadcast_to(&values, &shape).map_err(|e| call.fault_at("values", e))?;
    // Old elements come first, then the new ones; a stable order by place puts them together.
    let is_behind = engine.compare(CompareOp::Lt, &at, Scalar::Int(0))?;
    let from_end = engine.binary(BinaryOp::Add, &at, Scalar::Int(length as i64))?;
    let before = engine.select(&is_behind, &from_end, &at)?;
    let new = engine.binary(BinaryOp::Mul, &before, Scalar::Int(2))?;
    let row = engine.iota(&Shape::from([length]), 0)?;
    let old = engine.binary(BinaryOp::Mul, &row, Scalar::Int(2))?;
    let old = engine.binary(BinaryOp::Add, &old, Scalar::Int(1))?;
    let keys = concatenate(engine, &[old, engine.to_device(&new, &engine.device())?], Some(0))?;
    let order = engine.argsort(&keys, 0, false)?;
    let both = concatenate(engine, &[x, values], Some(axis as i64))?;
    Ok(super::pick::select(engine, &both, &order, axis)?.into())
}
