//! One long line, as a matrix: its columns are transformed, turned by an angle that depends on row and
//! column, and then its rows. So it goes through memory twice, in pieces that all threads share, and
//! Ctrl-C is heard between them. (D. H. Bailey, "FFTs in external or hierarchical memory", 1990.)

use std::ops::Range;

use num_complex::Complex;

use super::angles::Angles;
use super::line::{Line, Work, gather, scatter};
use super::number::Number;
use super::plans::Plans;
use super::{complex, complex_mut, together};
use crate::device::cpu::elements::{Ptr, for_pieces};
use crate::device::cpu::scratch::{Buffer, Scratch};
use crate::device::{Error, Fourier, Interrupt};

/// Lines of so many complex numbers are cut, if they can be: they leave the caches next to a core.
pub const LONG: usize = 1 << 17;
/// The least that either side of the matrix must have.
const SIDE: usize = 1 << 6;
/// Rows or columns that a thread takes at once, or more.
const PIECE: usize = 32;

/// The rows and columns of the matrix that a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    rows: usize,
    columns: usize,
}

impl Cut {
    /// Sides as near to each other as they can be; `None` for lines that are better left whole, and
    /// where one side would be a long line again.
    pub fn of(n: usize) -> Option<Cut> {
        if n < LONG {
            return None;
        }
        let rows = (SIDE..=n.isqrt()).rev().find(|side| n.is_multiple_of(*side))?;
        let cut = Cut { rows, columns: n / rows };
        (cut.columns <= LONG || n.is_power_of_two()).then_some(cut)
    }
}

/// What the transform of a long line needs besides the line.
pub struct Means<'a> {
    pub plans: &'a Plans,
    pub scratch: Scratch<'a>,
    pub interrupt: &'a Interrupt,
}

impl Means<'_> {
    /// Room for complex numbers.
    pub fn numbers<T: Number>(&self, len: usize) -> Result<Buffer<T>, Error> {
        self.scratch.buffer(2 * len)
    }
}

/// A line of complex numbers in memory, and where its transform goes, which may be the same place.
pub struct LongLine<T> {
    pub cut: Cut,
    pub inverse: bool,
    pub scale: f64,
    pub from: Ptr<Complex<T>>,
    pub to: Ptr<Complex<T>>,
}

impl<T: Number> LongLine<T> {
    /// # Errors
    /// As [`Transformer::transform`](crate::device::Transformer::transform).
    ///
    /// # Safety
    /// Both lines have as many numbers as the cut says, and nobody else writes them meanwhile.
    pub unsafe fn run(&self, means: &Means<'_>) -> Result<(), Error> {
        let Cut { rows, columns } = self.cut;
        let what = Fourier::Complex { inverse: self.inverse };
        let angles = Angles::new(rows * columns, self.inverse, means.scratch)?;
        let between = means.numbers::<T>(rows * columns)?;
        let middle: Ptr<Complex<T>> = Ptr(between.start().0.cast());
        let down = Line::new(means.plans, what, rows);
        pieces(means, columns, &down, &|work, range| {
            let (first, count) = (range.start as isize, range.len());
            let before = complex_mut(work.before());
            // SAFETY: the numbers are there, as the caller says.
            unsafe { gather(before, rows, self.from.shifted(first), columns, count) };
            let after = complex_mut(work.transform(count, 1.0, means.interrupt)?);
            for (column, line) in range.zip(after.chunks_exact_mut(rows)) {
                for (row, number) in line.iter_mut().enumerate() {
                    *number = *number * angles.at(row * column);
                }
            }
            // SAFETY: these columns are this piece's alone.
            unsafe { scatter(after, rows, middle.shifted(first), columns, count) };
            Ok(())
        })?;
        let along = Line::new(means.plans, what, columns);
        pieces(means, rows, &along, &|work, range| {
            let (first, count) = (range.start, range.len());
            // SAFETY: all of the matrix has been written, and nobody writes it any more.
            let lines = unsafe {
                std::slice::from_raw_parts(middle.at((first * columns) as isize), count * columns)
            };
            complex_mut(work.before())[..lines.len()].copy_from_slice(lines);
            let after = complex(work.transform(count, self.scale, means.interrupt)?);
            // SAFETY: these places are this piece's alone.
            unsafe { scatter(after, columns, self.to.shifted(first as isize), rows, count) };
            Ok(())
        })
    }
}

/// What is done with some lines in the room of a thread.
type Step<'a, T> = dyn Fn(&mut Work<'_, T>, Range<usize>) -> Result<(), Error> + Sync + 'a;

/// Lines side by side, so many at once.
fn pieces<T: Number>(
    means: &Means<'_>,
    count: usize,
    line: &Line<T>,
    run: &Step<'_, T>,
) -> Result<(), Error> {
    let together = together(line.len());
    for_pieces(count, PIECE.max(together), means.interrupt, &|_, range| {
        let mut work = Work::new(line, together, means.scratch)?;
        for first in range.clone().step_by(together) {
            run(&mut work, first..range.end.min(first + together))?;
        }
        Ok(())
    })
}
