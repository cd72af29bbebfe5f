//! One long line of a length that has no matrix of moderate sides, a prime for one, as a convolution with
//! a chirp, whose transforms are of a length that has. (L. Bluestein, "A linear filtering approach to
//! the computation of discrete Fourier transform", 1970.)

use num_complex::Complex;

use super::angles::Angles;
use super::complex;
use super::long::{Cut, LongLine, Means};
use super::number::Number;
use crate::device::Error;
use crate::device::cpu::elements::{INLINE, Ptr, for_pieces};
use crate::device::cpu::scratch::Buffer;

/// What all lines of one length need.
pub struct Chirp<T> {
    n: usize,
    /// The length of the convolution, and its matrix.
    m: usize,
    cut: Cut,
    angles: Angles,
    /// The transform of the chirp.
    filter: Buffer<T>,
}

impl<T: Number> Chirp<T> {
    /// # Errors
    /// As [`Transformer::transform`](crate::device::Transformer::transform).
    pub fn new(n: usize, inverse: bool, means: &Means<'_>) -> Result<Chirp<T>, Error> {
        let (m, cut) = room(2 * n - 1);
        let angles = Angles::new(2 * n, inverse, means.scratch)?;
        let filter = means.numbers::<T>(m)?;
        let start = numbers(&filter);
        let chirp = Chirp { n, m, cut, angles, filter };
        for_pieces(m, INLINE, means.interrupt, &|_, range| {
            for at in range {
                let near = at.min(m - at);
                let value = if near < n { chirp.angle(near).conj() } else { zero() };
                // SAFETY: there is room for `m` numbers, and this one is this piece's alone.
                unsafe { *start.at(at as isize) = value };
            }
            Ok(())
        })?;
        let line = LongLine { cut, inverse: false, scale: 1.0, from: start, to: start };
        // SAFETY: the filter has `m` numbers.
        unsafe { line.run(means)? };
        Ok(chirp)
    }

    /// Half the angle between a number's place and its square.
    fn angle(&self, at: usize) -> Complex<T> {
        let turn = 2 * self.n as u128;
        self.angles.at((at as u128 * at as u128 % turn) as usize)
    }

    /// # Errors
    /// As [`Transformer::transform`](crate::device::Transformer::transform).
    ///
    /// # Safety
    /// Both lines, which may be the same, have as many numbers as the chirp is for, and nobody else
    /// writes them meanwhile.
    pub unsafe fn run(
        &self,
        from: Ptr<Complex<T>>,
        to: Ptr<Complex<T>>,
        scale: f64,
        means: &Means<'_>,
    ) -> Result<(), Error> {
        let Chirp { n, m, cut, .. } = *self;
        let work = means.numbers::<T>(m)?;
        let place = numbers(&work);
        for_pieces(m, INLINE, means.interrupt, &|_, range| {
            for at in range {
                // SAFETY: the line has `n` numbers, the room `m`, and each is one piece's alone.
                unsafe {
                    let value =
                        if at < n { *from.at(at as isize) * self.angle(at) } else { zero() };
                    *place.at(at as isize) = value;
                }
            }
            Ok(())
        })?;
        let mut line = LongLine { cut, inverse: false, scale: 1.0, from: place, to: place };
        // SAFETY: the room has `m` numbers.
        unsafe { line.run(means)? };
        let filter = complex(&self.filter);
        for_pieces(m, INLINE, means.interrupt, &|_, range| {
            for at in range {
                // SAFETY: as above.
                unsafe { *place.at(at as isize) = *place.at(at as isize) * filter[at] };
            }
            Ok(())
        })?;
        (line.inverse, line.scale) = (true, 1.0 / m as f64);
        // SAFETY: as above.
        unsafe { line.run(means)? };
        let scale = T::of(scale);
        for_pieces(n, INLINE, means.interrupt, &|_, range| {
            for at in range {
                // SAFETY: as above.
                unsafe {
                    let value = (*place.at(at as isize) * self.angle(at)).scale(scale);
                    *to.at(at as isize) = value;
                }
            }
            Ok(())
        })
    }
}

/// The least length with a good matrix that is no shorter.
fn room(least: usize) -> (usize, Cut) {
    let power = least.next_power_of_two();
    [power / 16 * 9, power / 8 * 5, power / 4 * 3, power / 16 * 15, power]
        .into_iter()
        .filter(|length| *length >= least)
        .find_map(|length| Some((length, Cut::of(length)?)))
        .expect("powers of two that are long have a matrix")
}

fn numbers<T: Number>(buffer: &Buffer<T>) -> Ptr<Complex<T>> {
    Ptr(buffer.start().0.cast())
}

fn zero<T: Number>() -> Complex<T> {
    Complex::new(T::default(), T::default())
}
