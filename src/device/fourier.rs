//! Fourier transforms of lines of numbers.

use super::{Error, View};

/// What a line of n numbers becomes. A complex number is two real elements next to each other, the real
/// part first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fourier {
    /// n complex numbers of as many: with the exponent's sign turned if `inverse`.
    Complex { inverse: bool },
    /// The first n // 2 + 1 complex numbers of what n real ones become; the others are conjugate to them.
    Real,
    /// n real numbers of the first n // 2 + 1 complex ones, with the exponent's sign turned: the line goes on
    /// with what is conjugate to them. Imaginary parts that such a line can't have are not looked at.
    Conjugate,
}

impl Fourier {
    pub fn name(self) -> &'static str {
        match self {
            Fourier::Complex { inverse: false } => "fft",
            Fourier::Complex { inverse: true } => "ifft",
            Fourier::Real => "rfft",
            Fourier::Conjugate => "irfft",
        }
    }

    /// How many real elements a line of `n` takes before and after.
    pub fn widths(self, n: usize) -> [usize; 2] {
        let half = 2 * (n / 2 + 1);
        match self {
            Fourier::Complex { .. } => [2 * n, 2 * n],
            Fourier::Real => [n, half],
            Fourier::Conjugate => [half, n],
        }
    }
}

/// Lines along the middle one of three axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The extents of the axes before it, multiplied.
    pub before: usize,
    /// The longer side of a line: how many numbers a transform of it has.
    pub n: usize,
    /// The extents of the axes behind it, multiplied.
    pub after: usize,
}

impl Rows {
    pub fn count(&self) -> usize {
        self.before * self.after
    }

    /// About how many operations they take, as people count them for powers of two.
    pub fn flops(&self) -> f64 {
        let n = self.n as f64;
        self.count() as f64 * 5.0 * n * n.log2().max(1.0)
    }
}

/// A back end that transforms lines.
pub trait Transformer {
    /// Whether it takes lines along the first and the last axis only, whose starts are aligned as complex
    /// numbers are, leaves their results unscaled, and writes over the input of [`Fourier::Conjugate`].
    fn is_limited(&self) -> bool;

    /// Writes what lines of `input` become, times `scale`, to `output`. Both are contiguous, of one real
    /// type, and do not overlap; `input` keeps what it holds.
    ///
    /// # Errors
    /// [`Error::Interrupted`] between two parts of the work; [`Error::OutOfMemory`] for what is needed
    /// besides operands and results; that a library is missing, and how to get it.
    fn transform(
        &self,
        what: Fourier,
        rows: Rows,
        scale: f64,
        input: View<'_>,
        output: View<'_>,
    ) -> Result<(), Error>;
}
