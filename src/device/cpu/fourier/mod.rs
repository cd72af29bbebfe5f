//! Fourier transforms, by the crates `rustfft` and `realfft`.
//!
//! Lines are taken in pieces by threads, each with memory from the device's allocator. One long line is
//! cut in short ones (`whole.rs`, `long.rs`, `chirp.rs`), so that all threads have work and Ctrl-C is heard.
//! Nothing depends on the number of threads.

mod angles;
mod chirp;
mod line;
mod long;
mod number;
mod plans;
mod whole;

pub use plans::Plans;

use num_complex::Complex;

use self::line::{Line, Work, gather, scatter};
use self::long::Means;
use self::number::Number;
use self::whole::Whole;
use super::elements::{Elements, INLINE, Ptr, for_pieces};
use super::scratch::Scratch;
use crate::device::{Error, Fourier, Interrupt, Rows, View};
use crate::dtype::DType;

/// How many lines of `n` numbers that do not lie along the last axis are read at once. The more there are, the longer
/// are the stretches of memory that are read; all of them should stay in the cache next to a core.
fn together(n: usize) -> usize {
    (INLINE / n).clamp(8, 64)
}

/// Lengths of lines at which another way is taken.
#[cfg(test)]
pub const THRESHOLDS: &[usize] = &[long::LONG, 2 * long::LONG, whole::APART];

/// See [`Transformer::transform`](crate::device::Transformer::transform).
pub fn transform(
    plans: &Plans,
    what: Fourier,
    rows: Rows,
    scale: f64,
    [input, output]: [View<'_>; 2],
    interrupt: &Interrupt,
) -> Result<(), Error> {
    if rows.count() == 0 {
        return Ok(());
    }
    let job = Job { plans, what, rows, scale, input, output, interrupt };
    match input.dtype() {
        DType::F32 => job.run::<f32>(),
        DType::F64 => job.run::<f64>(),
        other => Err(Error::Driver(format!("lines of {other} are not transformed"))),
    }
}

struct Job<'a> {
    plans: &'a Plans,
    what: Fourier,
    rows: Rows,
    scale: f64,
    input: View<'a>,
    output: View<'a>,
    interrupt: &'a Interrupt,
}

impl Job<'_> {
    fn run<T: Number>(&self) -> Result<(), Error> {
        let scratch = Scratch::new(self.output.storage.device(), self.what.name());
        let [from, to] = [self.input, self.output].map(|view| Elements::from(view).start::<T>());
        let n = self.rows.n;
        if let Some(length) = whole::length(self.what, self.rows) {
            let means = Means { plans: self.plans, scratch, interrupt: self.interrupt };
            let lines = Whole::<T>::new(means, self.what, self.rows, length, self.scale)?;
            // SAFETY: the views hold these lines.
            return unsafe { lines.run(from, to) };
        }
        let line = Line::new(self.plans, self.what, n);
        let together = if self.rows.after == 1 { 1 } else { together(n) };
        let groups = self.rows.before * self.rows.after.div_ceil(together);
        let piece = INLINE / 4 / (n * together);
        for_pieces(groups, piece, self.interrupt, &|_, mut range| {
            if self.rows.after == 1 {
                let mut work = Work::new(&line, 0, scratch)?;
                return range.try_for_each(|number| {
                    self.interrupt.heed()?;
                    self.line(&mut work, number, [from, to]);
                    Ok(())
                });
            }
            let mut work = Work::new(&line, together, scratch)?;
            range.try_for_each(|group| {
                self.interrupt.heed()?;
                self.side_by_side(&mut work, group, [from, to])
            })
        })
    }

    /// A line that lies behind others.
    fn line<T: Number>(&self, work: &mut Work<'_, T>, number: usize, [from, to]: [Ptr<T>; 2]) {
        let [input, output] = self.what.widths(self.rows.n);
        // SAFETY: the views hold that many lines behind each other, and this one is this thread's alone.
        let (input, output) = unsafe {
            (
                std::slice::from_raw_parts(from.at((number * input) as isize), input),
                std::slice::from_raw_parts_mut(to.at((number * output) as isize), output),
            )
        };
        work.line(input, output, self.scale);
    }

    /// Some lines that lie side by side.
    fn side_by_side<T: Number>(
        &self,
        work: &mut Work<'_, T>,
        group: usize,
        [from, to]: [Ptr<T>; 2],
    ) -> Result<(), Error> {
        let Rows { n, after, .. } = self.rows;
        let together = together(n);
        let groups = after.div_ceil(together);
        let (before, first) = (group / groups, group % groups * together);
        let count = together.min(after - first);
        let widths = self.what.widths(n);
        let complex_at = |ptr: Ptr<T>, width: usize| -> Ptr<Complex<T>> {
            let start = before * after * width + 2 * first;
            Ptr(ptr.at(start as isize).cast())
        };
        let real_at = |ptr: Ptr<T>| ptr.shifted((before * after * n + first) as isize);
        let [input, output] = widths.map(|width| width / 2);
        // SAFETY: the views hold `after` lines side by side, `before` times, and these are this thread's
        // alone.
        unsafe {
            match self.what {
                Fourier::Real => gather(work.before(), n, real_at(from), after, count),
                _ => {
                    let from = complex_at(from, widths[0]);
                    gather(complex_mut(work.before()), input, from, after, count);
                }
            }
            let lines = work.transform(count, self.scale, self.interrupt)?;
            match self.what {
                Fourier::Conjugate => scatter(lines, n, real_at(to), after, count),
                _ => scatter(complex(lines), output, complex_at(to, widths[1]), after, count),
            }
        }
        Ok(())
    }
}

/// Real elements as the complex numbers that they are.
fn complex<T: Number>(parts: &[T]) -> &[Complex<T>] {
    // SAFETY: a complex number is two such parts, one behind the other, and aligned as they are.
    unsafe { std::slice::from_raw_parts(parts.as_ptr().cast(), parts.len() / 2) }
}

/// The same to write to.
fn complex_mut<T: Number>(parts: &mut [T]) -> &mut [Complex<T>] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(parts.as_mut_ptr().cast(), parts.len() / 2) }
}
