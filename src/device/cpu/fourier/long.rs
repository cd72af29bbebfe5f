//! One long line, as a matrix: its columns are transformed, turned by an angle that depends on row and
//! column, and then its rows. So it goes through memory twice, in pieces that all threads share, and
//! Ctrl-C is heard between them. (D. H. Bailey, "FFTs in external or hierarchical memory", 1990.)

use std::f64::consts::TAU;
use std::ops::Range;

use num_complex::{Complex, Complex64};

use super::line::{Line, Work, gather, scatter};
use super::number::Number;
use super::plans::Plans;
use super::{TOGETHER, complex, complex_mut};
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::cpu::scratch::{Buffer, Scratch};
use crate::device::{Error, Fourier, Interrupt};

/// Lines of so many complex numbers are cut, if they can be: they leave the caches next to a core.
pub const LONG: usize = 1 << 17;
/// The least that either side of the matrix must have.
const SIDE: usize = 1 << 6;
/// Rows or columns that a thread takes at once.
const PIECE: usize = 4 * TOGETHER;

/// The rows and columns of the matrix that a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    rows: usize,
    columns: usize,
}

impl Cut {
    /// Sides as near to each other as they can be; `None` for lines that are better left whole.
    pub fn of(n: usize) -> Option<Cut> {
        if n < LONG {
            return None;
        }
        let rows = (SIDE..=n.isqrt()).rev().find(|side| n.is_multiple_of(*side))?;
        Some(Cut { rows, columns: n / rows })
    }
}

/// Sines and cosines of multiples of a part of a circle, as products of two of them, so that few are kept.
struct Angles {
    /// Of the multiples of the part below the length of this table, which is a power of two.
    fine: Buffer<f64>,
    /// Of the multiples of that many parts.
    coarse: Buffer<f64>,
    bits: u32,
}

impl Angles {
    fn new(n: usize, inverse: bool, scratch: Scratch<'_>) -> Result<Angles, Error> {
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

    fn at(&self, multiple: usize) -> Complex64 {
        let fine = complex(&self.fine)[multiple & ((1 << self.bits) - 1)];
        complex(&self.coarse)[multiple >> self.bits] * fine
    }
}

/// A line of complex numbers in memory, and where its transform goes.
pub struct LongLine<'a, T> {
    pub cut: Cut,
    pub inverse: bool,
    pub scale: f64,
    pub from: Ptr<Complex<T>>,
    pub to: Ptr<Complex<T>>,
    pub scratch: Scratch<'a>,
    pub interrupt: &'a Interrupt,
}

impl<T: Number> LongLine<'_, T> {
    /// # Errors
    /// As [`Transformer::transform`](crate::device::Transformer::transform).
    ///
    /// # Safety
    /// Both lines have as many numbers as the cut says, and nobody else writes them meanwhile.
    pub unsafe fn run(&self, plans: &Plans) -> Result<(), Error> {
        let Cut { rows, columns } = self.cut;
        let what = Fourier::Complex { inverse: self.inverse };
        let angles = Angles::new(rows * columns, self.inverse, self.scratch)?;
        let between = self.scratch.buffer::<T>(2 * rows * columns)?;
        let middle: Ptr<Complex<T>> = Ptr(between.start().0.cast());
        let down = Line::new(plans, what, rows);
        self.pieces(columns, &down, &|work, range| {
            let (first, count) = (range.start as isize, range.len());
            let before = complex_mut(work.before());
            // SAFETY: the numbers are there, as the caller says.
            unsafe { gather(before, rows, self.from.shifted(first), columns, count) };
            let after = complex_mut(work.transform(count, 1.0));
            for (column, line) in range.zip(after.chunks_exact_mut(rows)) {
                for (row, number) in line.iter_mut().enumerate() {
                    let angle = angles.at(row * column);
                    *number = *number * Complex::new(T::of(angle.re), T::of(angle.im));
                }
            }
            // SAFETY: these columns are this piece's alone.
            unsafe { scatter(after, rows, middle.shifted(first), columns, count) };
        })?;
        let along = Line::new(plans, what, columns);
        self.pieces(rows, &along, &|work, range| {
            let (first, count) = (range.start, range.len());
            // SAFETY: all of the matrix has been written, and nobody writes it any more.
            let lines = unsafe {
                std::slice::from_raw_parts(middle.at((first * columns) as isize), count * columns)
            };
            complex_mut(work.before())[..lines.len()].copy_from_slice(lines);
            let after = complex(work.transform(count, self.scale));
            // SAFETY: these places are this piece's alone.
            unsafe { scatter(after, columns, self.to.shifted(first as isize), rows, count) };
        })
    }

    /// Lines side by side, so many at once.
    fn pieces(
        &self,
        count: usize,
        line: &Line<T>,
        run: &(dyn Fn(&mut Work<'_, T>, Range<usize>) + Sync),
    ) -> Result<(), Error> {
        for_pieces(count, PIECE, self.interrupt, &|_, range| {
            let mut work = Work::new(line, TOGETHER, self.scratch)?;
            for first in range.clone().step_by(TOGETHER) {
                self.interrupt.heed()?;
                run(&mut work, first..range.end.min(first + TOGETHER));
            }
            Ok(())
        })
    }
}
