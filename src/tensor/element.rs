//! Single elements where the device's memory is the host's: read and written without a program. Where
//! one of these says nothing, the general way gives the same result or the error.

use super::leaf::{Leaf, width};
use super::node::State;
use super::ops::check_fits;
use super::{Engine, Error, Tensor};
use crate::dtype::{Scalar, WIDEST};

impl Engine {
    /// The element at `at`, one integer for each axis, as a number.
    pub fn element(&self, x: &Tensor, at: &[i64]) -> Option<Tensor> {
        let (device, dtype) = (x.device(), x.dtype());
        if !device.is_host() {
            return None;
        }
        let state = x.0.state.borrow();
        let State::Real(leaf) = &*state else { return None };
        let start = place(leaf, at)? * dtype.size();
        let mut bytes = [0; WIDEST];
        let bytes = &mut bytes[..dtype.size()];
        device.backend().copy_to_host(&leaf.storage, start, bytes).ok()?;
        Some(self.number_on(device.clone(), Scalar::from_bits(bytes, dtype), dtype))
    }

    /// `x[at] = value`, `at` being one integer for each axis. False where the general way must go, and
    /// then nothing has changed.
    ///
    /// # Errors
    /// What computing those that still want to read the old element brings up; MemoryError.
    pub fn store_element(&self, x: &Tensor, at: &[i64], value: Scalar) -> Result<bool, Error> {
        let (device, dtype) = (x.device(), x.dtype());
        if check_fits(value, dtype).is_err() {
            return Ok(false);
        }
        if !device.is_host() || x.is_read_only() {
            return Ok(false);
        }
        if self.pending() > 0 && self.find_place(x, at).is_some() {
            self.settle_others(&[])?;
        }
        let state = x.0.state.borrow();
        let State::Real(leaf) = &*state else { return Ok(false) };
        let Some(place) = place(leaf, at) else { return Ok(false) };
        let width = width(dtype);
        self.before_write(&leaf.storage, place * width..(place + 1) * width)?;
        let (bytes, size) = value.to_bits(dtype);
        device.backend().copy_from_host(&bytes[..size], &leaf.storage, place * size)?;
        Ok(true)
    }

    /// As [`Engine::store_element`], where nothing comes before the write: the transaction has kept the
    /// old element or need not, and nobody waits to read it. With `is_last` nothing fails after it, so that it
    /// needs no transaction.
    #[inline]
    pub fn put_element(&self, x: &Tensor, at: &[i64], value: Scalar, is_last: bool) -> bool {
        let state = x.0.state.borrow();
        let State::Real(leaf) = &*state else { return false };
        let Some(place) = place(leaf, at) else { return false };
        let dtype = x.dtype();
        self.pending() == 0
            && !x.is_read_only()
            && !dtype.is_complex()
            && !self.interrupt.is_raised()
            && (self.is_kept(&leaf.storage, place)
                || is_last && self.is_kept_for_input(&leaf.storage))
            && (dtype.is_float() || check_fits(value, dtype).is_ok())
            && leaf.storage.put(place, value.to_bits(dtype).0)
    }

    fn find_place(&self, x: &Tensor, at: &[i64]) -> Option<usize> {
        match &*x.0.state.borrow() {
            State::Real(leaf) => place(leaf, at),
            State::Lazy(_) => None,
        }
    }
}

/// Where the element stands in the storage.
#[inline]
fn place(leaf: &Leaf, at: &[i64]) -> Option<usize> {
    let (extents, strides) = (&*leaf.layout.shape, leaf.layout.strides.as_slice());
    if at.is_empty() || at.len() != extents.len() || at.len() != strides.len() {
        return None;
    }
    let mut place = leaf.layout.offset as isize;
    for axis in 0..at.len() {
        let extent = extents[axis] as i64;
        let at = if at[axis] < 0 { at[axis] + extent } else { at[axis] };
        if !(0..extent).contains(&at) {
            return None;
        }
        place += at as isize * strides[axis];
    }
    Some(place as usize)
}
