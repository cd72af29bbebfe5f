//! Whether indices and masks fit the array that they are for.

use super::Call;
use super::forms::lengths;
use crate::diag::{ErrorKind, Fault};
use crate::tensor::Tensor;

/// # Errors
/// NumPy's for indices along an axis of another rank, ValueError, or that do not broadcast with the other axes,
/// IndexError.
pub fn check_along(call: &Call<'_>, x: &Tensor, at: &Tensor, axis: i64) -> Result<(), Fault> {
    if at.rank() != x.rank() {
        let words = "`indices` and `arr` must have the same number of dimensions";
        return Err(call.fault_at("indices", Fault::value_error(words)));
    }
    let axis = x.shape().axis(axis)?;
    let fits = |other: usize| {
        let (have, given) = (x.shape()[other], at.shape()[other]);
        other == axis || have == given || have == 1 || given == 1
    };
    if (0..x.rank()).all(fits) {
        return Ok(());
    }
    // Every other axis is an index of its own, along itself.
    let index = |place: usize| {
        let extent = |of: usize| {
            let extent = if of == place { x.shape()[of] } else { 1 };
            extent.to_string()
        };
        match place == axis {
            true => format!("{:#} ", at.shape()),
            false => format!("({}) ", (0..x.rank()).map(extent).collect::<Vec<_>>().join(",")),
        }
    };
    let words = "shape mismatch: indexing arrays could not be broadcast together with shapes";
    let shapes: String = (0..x.rank()).map(index).collect();
    let fault = Fault::new(ErrorKind::Index, format!("{words} {shapes}"));
    Err(call.fault_at("indices", fault))
}

/// A mask in the shape of the array that it is for.
///
/// # Errors
/// ValueError for another number of elements.
pub fn mask_of_size(call: &Call<'_>, x: &Tensor, mask: &Tensor) -> Result<Tensor, Fault> {
    if mask.elem_count() != x.elem_count() {
        let words = format!("{}: mask and data must be the same size", call.name());
        return Err(call.fault_at("mask", Fault::value_error(words)));
    }
    Ok(call.engine().reshape(mask, &lengths(x.shape()))?)
}
