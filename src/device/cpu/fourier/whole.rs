//! Long lines that one call of the library would take too long for: each is one long line of complex
//! numbers here, all of whose steps are pieces that threads share and between which Ctrl-C is heard.
//! A line of an even number of real numbers has half as many complex ones.

use num_complex::Complex;

use super::angles::Angles;
use super::chirp::Chirp;
use super::long::{Cut, LONG, LongLine, Means};
use super::number::Number;
use crate::device::cpu::elements::{INLINE, Ptr, for_pieces};
use crate::device::{Error, Fourier, Rows};

/// Lines side by side are read together up to this length: alone each of their numbers would lie in
/// another part of memory.
pub const APART: usize = 4 * LONG;

/// How many complex numbers a line has here; `None` if the library takes it.
pub fn length(what: Fourier, rows: Rows) -> Option<usize> {
    let n = rows.n;
    let is_halved = !matches!(what, Fourier::Complex { .. }) && n.is_multiple_of(2);
    let length = if is_halved { n / 2 } else { n };
    (length >= if rows.after == 1 { LONG } else { APART }).then_some(length)
}

/// How a line of complex numbers is transformed.
enum Way<T> {
    Matrix(Cut),
    Chirp(Chirp<T>),
}

/// Lines of one length.
pub struct Whole<'a, T> {
    pub means: Means<'a>,
    what: Fourier,
    rows: Rows,
    /// How many complex numbers a line has.
    length: usize,
    inverse: bool,
    scale: f64,
    way: Way<T>,
}

/// Where a line begins and how far apart its elements are.
#[derive(Clone, Copy)]
struct Place<E> {
    start: Ptr<E>,
    step: usize,
}

impl<E: Copy> Place<E> {
    /// # Safety
    /// There is such an element, which nobody writes.
    unsafe fn read(self, at: usize) -> E {
        // SAFETY: as the caller says.
        unsafe { *self.start.at((at * self.step) as isize) }
    }

    /// # Safety
    /// There is such an element, and it is the caller's.
    unsafe fn write(self, at: usize, value: E) {
        // SAFETY: as the caller says.
        unsafe { *self.start.at((at * self.step) as isize) = value }
    }
}

impl<'a, T: Number> Whole<'a, T> {
    /// # Errors
    /// As [`Transformer::transform`](crate::device::Transformer::transform).
    pub fn new(
        means: Means<'a>,
        what: Fourier,
        rows: Rows,
        length: usize,
        scale: f64,
    ) -> Result<Whole<'a, T>, Error> {
        let inverse = match what {
            Fourier::Complex { inverse } => inverse,
            Fourier::Real => false,
            Fourier::Conjugate => true,
        };
        let way = match Cut::of(length) {
            Some(cut) => Way::Matrix(cut),
            None => Way::Chirp(Chirp::new(length, inverse, &means)?),
        };
        Ok(Whole { means, what, rows, length, inverse, scale, way })
    }

    /// Line after line.
    ///
    /// # Errors
    /// As [`Transformer::transform`](crate::device::Transformer::transform).
    ///
    /// # Safety
    /// The lines are there, and nobody else writes them meanwhile.
    pub unsafe fn run(&self, from: Ptr<T>, to: Ptr<T>) -> Result<(), Error> {
        let Rows { before, after, .. } = self.rows;
        let [input, output] = self.what.widths(self.rows.n);
        for (row, column) in (0..before).flat_map(|row| (0..after).map(move |c| (row, c))) {
            let real = |ptr: Ptr<T>, width: usize| Place {
                start: ptr.shifted((row * after * width + column) as isize),
                step: after,
            };
            let complex = |ptr: Ptr<T>, width: usize| Place {
                start: Ptr(ptr.at((row * after * width + 2 * column) as isize).cast()),
                step: after,
            };
            // SAFETY: the places are those of this line.
            unsafe {
                match self.what {
                    Fourier::Complex { .. } => {
                        self.complex(complex(from, input), complex(to, output))?;
                    }
                    Fourier::Real => self.real(real(from, input), complex(to, output))?,
                    Fourier::Conjugate => self.conjugate(complex(from, input), real(to, output))?,
                }
            }
        }
        Ok(())
    }

    /// A transform to another place or in the same.
    unsafe fn transform(&self, from: Ptr<Complex<T>>, to: Ptr<Complex<T>>) -> Result<(), Error> {
        let (inverse, scale) = (self.inverse, self.scale);
        // SAFETY: as the callers say.
        unsafe {
            match &self.way {
                Way::Matrix(cut) => {
                    LongLine { cut: *cut, inverse, scale, from, to }.run(&self.means)
                }
                Way::Chirp(chirp) => chirp.run(from, to, scale, &self.means),
            }
        }
    }

    unsafe fn complex(&self, from: Place<Complex<T>>, to: Place<Complex<T>>) -> Result<(), Error> {
        if self.rows.after == 1 {
            // SAFETY: as the caller says.
            return unsafe { self.transform(from.start, to.start) };
        }
        let room = self.means.numbers::<T>(self.length)?;
        let line = Place { start: Ptr(room.start().0.cast::<Complex<T>>()), step: 1 };
        // SAFETY: the room has as many numbers as the lines, and each is one piece's alone.
        unsafe {
            self.each(self.length, &|at| line.write(at, from.read(at)))?;
            self.transform(line.start, line.start)?;
            self.each(self.length, &|at| to.write(at, line.read(at)))
        }
    }

    /// Where pairs of neighbours are the complex numbers, the transform of either half follows from
    /// what is even and odd in the transform of them.
    unsafe fn real(&self, from: Place<T>, to: Place<Complex<T>>) -> Result<(), Error> {
        let (n, length) = (self.rows.n, self.length);
        let room = self.means.numbers::<T>(length)?;
        let line = Place { start: Ptr(room.start().0.cast::<Complex<T>>()), step: 1 };
        let zero = T::default();
        // SAFETY: as above.
        unsafe {
            if length == n {
                self.each(n, &|at| line.write(at, Complex::new(from.read(at), zero)))?;
                self.transform(line.start, line.start)?;
                return self.each(n / 2 + 1, &|at| {
                    let value = line.read(at);
                    to.write(at, if at == 0 { Complex::new(value.re, zero) } else { value });
                });
            }
            self.each(length, &|at| {
                line.write(at, Complex::new(from.read(2 * at), from.read(2 * at + 1)));
            })?;
            self.transform(line.start, line.start)?;
            let angles = Angles::new(n, false, self.means.scratch)?;
            let half = T::of(0.5);
            self.each(length + 1, &|at| {
                let value = line.read(at % length);
                let mirrored = line.read((length - at) % length).conj();
                let even = (value + mirrored).scale(half);
                let odd = (value - mirrored).scale(half);
                let odd = Complex::new(odd.im, zero - odd.re);
                let sum = match at {
                    0 => Complex::new(even.re + odd.re, zero),
                    _ if at == length => Complex::new(even.re - odd.re, zero),
                    _ => even + odd * angles.at::<T>(at),
                };
                to.write(at, sum);
            })
        }
    }

    /// The other way.
    unsafe fn conjugate(&self, from: Place<Complex<T>>, to: Place<T>) -> Result<(), Error> {
        let (n, length) = (self.rows.n, self.length);
        let room = self.means.numbers::<T>(length)?;
        let line = Place { start: Ptr(room.start().0.cast::<Complex<T>>()), step: 1 };
        let zero = T::default();
        // The first and the middle one of an even length are real whatever stands there.
        let number = |at: usize| {
            // SAFETY: as above.
            let value = unsafe { from.read(at) };
            if at == 0 || 2 * at == n { Complex::new(value.re, zero) } else { value }
        };
        // SAFETY: as above.
        unsafe {
            if length == n {
                self.each(n, &|at| {
                    let value = if at <= n / 2 { number(at) } else { number(n - at).conj() };
                    line.write(at, value);
                })?;
                self.transform(line.start, line.start)?;
                return self.each(n, &|at| to.write(at, line.read(at).re));
            }
            let angles = Angles::new(n, true, self.means.scratch)?;
            self.each(length, &|at| {
                let (value, mirrored) = (number(at), number(length - at).conj());
                let odd = (value - mirrored) * angles.at::<T>(at);
                line.write(at, value + mirrored + Complex::new(zero - odd.im, odd.re));
            })?;
            self.transform(line.start, line.start)?;
            self.each(length, &|at| {
                let value = line.read(at);
                to.write(2 * at, value.re);
                to.write(2 * at + 1, value.im);
            })
        }
    }

    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) -> Result<(), Error> {
        for_pieces(count, INLINE, self.means.interrupt, &|_, range| {
            range.for_each(work);
            Ok(())
        })
    }
}
