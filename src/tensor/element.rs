//! Single elements where the device's memory is the host's: read and written without a program. Where
//! one of these says nothing, the general way gives the same result or the error.

use super::leaf::{Leaf, width};
use super::node::{Lazy, State};
use super::ops::{beyond_integers, check_fits};
use super::{Engine, Error, Tensor};
use crate::dtype::{DType, Kind, Scalar, WIDEST};

/// Lazy tensors of so many elements are computed as a whole as soon as one element is asked for.
pub(super) const SMALL: usize = 1 << 14;

impl Engine {
    /// The element at `at`, one integer for each axis, as a number.
    pub fn element(&self, x: &Tensor, at: &[i64]) -> Option<Tensor> {
        let value = self.element_value(x, at)?;
        Some(self.number_on(x.device().clone(), value, x.dtype()))
    }

    /// The element at `at`, one integer for each axis. Of a lazy tensor more than the element is computed if others
    /// are about to be asked for: where it is small, or one was asked for already.
    #[inline]
    pub fn element_value(&self, x: &Tensor, at: &[i64]) -> Option<Scalar> {
        if !x.device().is_host() {
            return None;
        }
        let value = match &*x.0.state.borrow() {
            State::Real(leaf) => return value_at(leaf, x.dtype(), at),
            State::Lazy(Lazy::Const(value)) => Some(*value),
            State::Lazy(_) => None,
        };
        if let Some(value) = value {
            let is_there =
                |(at, extent): (&i64, &usize)| (-(*extent as i64)..*extent as i64).contains(at);
            let is_element = at.len() == x.rank() && !at.is_empty();
            let is_there = is_element && at.iter().zip(x.shape().iter()).all(is_there);
            return is_there.then(|| value.held_as(x.dtype()));
        }
        self.lazy_element(x, at)
    }

    #[cold]
    fn lazy_element(&self, x: &Tensor, at: &[i64]) -> Option<Scalar> {
        let was_asked = x.0.is_asked.replace(true);
        if at.len() != x.rank() || !was_asked && x.elem_count() > SMALL {
            return None;
        }
        // What fails says so where the element is computed.
        self.realize(&[x]).ok()?;
        match &*x.0.state.borrow() {
            State::Real(leaf) => value_at(leaf, x.dtype(), at),
            State::Lazy(_) => None,
        }
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
        let State::Real(leaf) = &*x.0.state.borrow() else { return false };
        let Some(place) = place(leaf, at) else { return false };
        if self.pending() > 0 || x.is_read_only() || self.interrupt.is_raised() {
            return false;
        }
        let is_kept =
            self.is_kept(&leaf.storage, place) || is_last && self.is_kept_for_input(&leaf.storage);
        if !is_kept {
            return false;
        }
        let bits = match (x.dtype(), value) {
            (DType::F64, Scalar::Float(value)) => value.to_bits(),
            (DType::F32, Scalar::Float(value)) => u64::from((value as f32).to_bits()),
            (DType::I64, Scalar::Int(value)) => value as u64,
            (dtype, value) => match converted(value, dtype) {
                Some(bits) => bits,
                None => return false,
            },
        };
        leaf.storage.put(place, bits)
    }

    /// Whether an element of `dtype` can take a scalar, which is computed for that: NumPy asks it for a Python number there
    /// if the integers have a sign, and cuts it everywhere else.
    ///
    /// # Errors
    /// OverflowError, and ValueError for a NaN; what computing the scalar brings up.
    pub fn check_element(&self, scalar: &Tensor, dtype: DType) -> Result<(), Error> {
        let is_asked = dtype.kind() == Kind::Signed && scalar.dtype() != dtype;
        if !is_asked || !scalar.is_scalar() || scalar.dtype().is_complex() {
            return Ok(());
        }
        let value = match scalar.number() {
            Some(value) => Some(value),
            None if scalar.device().is_host() => {
                let leaf = self.leaf_of(scalar)?;
                let bits = leaf.storage.element(leaf.layout.offset);
                bits.map(|bits| of_bits(bits, scalar.dtype()))
            }
            None => None,
        };
        match value {
            // No number of the kind that such an element asks for.
            Some(Scalar::Wide(_)) => Err(beyond_integers()),
            value => value.map_or(Ok(()), |value| check_fits(value, dtype)),
        }
    }

    fn find_place(&self, x: &Tensor, at: &[i64]) -> Option<usize> {
        match &*x.0.state.borrow() {
            State::Real(leaf) => place(leaf, at),
            State::Lazy(_) => None,
        }
    }
}

/// The element there, where the host reads it.
#[inline]
fn value_at(leaf: &Leaf, dtype: DType, at: &[i64]) -> Option<Scalar> {
    let place = place(leaf, at)?;
    if dtype.is_complex() {
        return complex_at(leaf, dtype, place);
    }
    let bits = leaf.storage.element(place)?;
    Some(match dtype {
        DType::F64 => Scalar::Float(f64::from_bits(bits)),
        DType::F32 => Scalar::Float(f64::from(f32::from_bits(bits as u32))),
        DType::I64 => Scalar::Int(bits as i64),
        dtype => of_bits(bits, dtype),
    })
}

#[inline(never)]
fn of_bits(bits: u64, dtype: DType) -> Scalar {
    // Its bytes come first in either order of bytes.
    let bits = if cfg!(target_endian = "big") { bits << (64 - 8 * dtype.size()) } else { bits };
    Scalar::from_bits(&bits.to_ne_bytes(), dtype)
}

fn complex_at(leaf: &Leaf, dtype: DType, place: usize) -> Option<Scalar> {
    let mut bytes = [0; WIDEST];
    let bytes = &mut bytes[..dtype.size()];
    let backend = leaf.storage.device().backend();
    backend.copy_to_host(&leaf.storage, place * dtype.size(), bytes).ok()?;
    Some(Scalar::from_bits(bytes, dtype))
}

/// The bits of a number as an element, if the type is real and has it.
#[inline(never)]
fn converted(value: Scalar, dtype: DType) -> Option<u64> {
    if dtype.is_complex() || check_fits(value, dtype).is_err() {
        return None;
    }
    let (bytes, size) = value.to_bits(dtype);
    let mut bits = [0; 8];
    bits[..size].copy_from_slice(&bytes[..size]);
    let bits = u64::from_ne_bytes(bits);
    Some(if cfg!(target_endian = "big") { bits >> (64 - 8 * size) } else { bits })
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
