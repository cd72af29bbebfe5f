//! Sines and cosines of multiples of a part of a circle.

use std::f64::consts::TAU;

use num_complex::{Complex, Complex64};

use super::number::Number;
use super::{complex, complex_mut};
use crate::device::Error;
use crate::device::cpu::scratch::{Buffer, Scratch};

/// Each is a product of two that are kept, so that few are.
pub struct Angles {
    /// Of the multiples of the part below the length of this table, which is a power of two.
    fine: Buffer<f64>,
    /// Of the multiples of that many parts.
    coarse: Buffer<f64>,
    bits: u32,
}

impl Angles {
    /// For multiples, below `n`, of the `n`th part of a circle, the way of a transform.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(n: usize, inverse: bool, scratch: Scratch<'_>) -> Result<Angles, Error> {
        let bits = n.isqrt().next_power_of_two().trailing_zeros();
        let sign = if inverse { 1.0 } else { -1.0 };
        let filled = |len: usize, step: usize| -> Result<Buffer<f64>, Error> {
            let mut table = scratch.buffer::<f64>(2 * len)?;
            for (at, place) in complex_mut(&mut table).iter_mut().enumerate() {
                // Whole turns are left out before anything is rounded.
                let turn = (at * step % n) as f64 / n as f64;
                let (sine, cosine) = (TAU * turn).sin_cos();
                *place = Complex64::new(cosine, sign * sine);
            }
            Ok(table)
        };
        Ok(Angles {
            fine: filled(1 << bits, 1)?,
            coarse: filled((n >> bits) + 1, 1 << bits)?,
            bits,
        })
    }

    pub fn at<T: Number>(&self, multiple: usize) -> Complex<T> {
        let fine = complex(&self.fine)[multiple & ((1 << self.bits) - 1)];
        let angle = complex(&self.coarse)[multiple >> self.bits] * fine;
        Complex::new(T::of(angle.re), T::of(angle.im))
    }
}
