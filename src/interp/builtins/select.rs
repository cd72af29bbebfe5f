//! Some elements at their sorted places, and the largest ones.

use super::forms::{Outcome, argsort, sort, tuple};
use super::order::checked_axis;
use super::{Builtin, Call};
use crate::diag::Fault;
use crate::dtype::DType;

pub const BUILTINS: &[Builtin] = &[
    Builtin::new("partition(x, kth, axis=-1, kind='introselect', order=None)", partition)
    .about("kth")
    .doc("The element `kth`, or each of several, at its sorted place, smaller ones before it and larger ones behind.")
    .example("partition(array([3, 1, 2]), 1)"),
    Builtin::new("topk(x, k, axis=-1, largest=True, sorted=True)", |call| {
        let (x, count) = (call.tensor("x")?, call.int("k")?);
        let axis = call.int("axis")?;
        let length = x.shape()[x.shape().axis(axis)?];
        if count < 0 || count as usize > length {
            let fault = Fault::new(crate::diag::ErrorKind::Runtime, "selected index k out of range");
            return Err(call.fault_at("k", fault));
        }
        let (values, places) = call.engine().topk(&x, count as usize, axis, call.bool("largest")?)?;
        Ok(tuple([values, places]))
    })
    .doc("(values, indices) of the k largest elements along an axis, or smallest, in order.")
    .example("topk(array([3, 9, 5]), 2)")
    .method(),
    Builtin::new("kthvalue(x, k, axis=-1, keepdims=False)", |call| {
        let (engine, x, k, axis) = (call.engine(), call.tensor("x")?, call.int("k")?, call.int("axis")?);
        let place = x.shape().axis(axis)?;
        if k < 1 || k as usize > x.shape()[place] {
            let fault = Fault::new(crate::diag::ErrorKind::Runtime, "kthvalue(): selected number k out of range for dimension");
            return Err(call.fault_at("k", fault));
        }
        let order = argsort(engine, &x, Some(axis), false)?;
        let mut at = engine.narrow(&order, place, k as usize - 1, 1, 1)?;
        let mut value = super::pick::along(engine, &x, &at, axis)?;
        if !call.bool("keepdims")? {
            value = engine.squeeze(&value, Some(&[axis]))?;
            at = engine.squeeze(&at, Some(&[axis]))?;
        }
        Ok(tuple([value, at]))
    })
    .doc("(value, index) of the k-th smallest element along an axis, counted from 1.")
    .example("kthvalue(array([3, 9, 5]), 2)")
    .method(),
];

fn partition(call: &mut Call<'_>) -> Outcome {
    check_selection(call)?;
    let x = call.tensor("x")?;
    check_places(call)?;
    let axis = checked_axis(call, &x)?;
    let length =
        axis.map_or(Ok(x.elem_count()), |axis| x.shape().axis(axis).map(|axis| x.shape()[axis]))?;
    let range = -(length as i64)..length as i64;
    let places = call.ints("kth")?;
    if x.elem_count() == 0 {
        return Ok(sort(call.engine(), &x, axis, false)?.into());
    }
    if let Some(kth) = places.iter().find(|kth| !range.contains(kth)) {
        let words = format!("kth(={kth}) out of bounds ({length})");
        return Err(call.fault_at("kth", Fault::value_error(words)));
    }
    let places: Vec<usize> =
        places.iter().map(|kth| kth.rem_euclid(length as i64) as usize).collect();
    let row = if axis.is_none() || x.rank() == 0 { call.engine().ravel(&x)? } else { x.clone() };
    let parted = call.engine().partition(&row, &places, axis.unwrap_or(-1))?;
    // A number is a row of one, and stays a number.
    let is_number = axis.is_some() && x.rank() == 0;
    Ok(if is_number { call.engine().reshape(&parted, &[])? } else { parted }.into())
}

/// # Errors
/// ValueError for a way to select that NumPy does not have.
fn check_selection(call: &Call<'_>) -> Result<(), Fault> {
    let kind = call.str("kind")?;
    if kind == "introselect" {
        return Ok(());
    }
    let words = format!("select kind must be 'introselect' (got '{kind}')");
    Err(call.fault_at("kind", Fault::value_error(words)))
}

/// Whether `kth` is an integer, or a row of some.
fn check_places(call: &Call<'_>) -> Result<(), Fault> {
    let places = call.tensor("kth")?;
    let fault = match places.dtype() {
        DType::Bool => Fault::value_error("Booleans unacceptable as partition index"),
        dtype if !dtype.is_integer() => Fault::type_error("Partition index must be integer"),
        _ if places.rank() > 1 => Fault::value_error("object too deep for desired array"),
        _ => return Ok(()),
    };
    Err(call.fault_at("kth", fault))
}
