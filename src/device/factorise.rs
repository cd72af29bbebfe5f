//! Factorisations of dense matrices, and the systems that they solve.

use super::{Error, View};

/// What is made of matrices, the last two axes of each operand; the axes before are equal in all of
/// them. Operands are of one float type and results too, but for those said to be int64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Factorisation {
    /// `x` (n, k) of `a @ x = b`, from `a` (n, n) and `b` (n, k), by rows in the order of partial
    /// pivoting. A flaw is the number of a pivot that is zero, and `x` then means nothing.
    Solve,
    /// The same where one triangle of `a` is all that is read, with ones on its diagonal if `unit`.
    Triangular { upper: bool, unit: bool },
    /// Of `a` (m, n) a lower triangle with ones on its diagonal and an upper one, both in one (m, n),
    /// whose product is `a` with its rows in another order; that order, int64 (m); and how many pairs
    /// of rows were exchanged for it, int64 (). A flaw is the number of a pivot that is zero.
    Lu,
    /// Of the symmetric `a` (n, n), of which one triangle is read, that triangle: lower `l` of
    /// `l @ l.T = a`, or upper `u` of `u.T @ u = a`, with zeros in the other one. A flaw is the number
    /// of a pivot that is not positive.
    Cholesky { upper: bool },
    /// Of `a` (m, n) an upper triangle `r` (k, n), and before it, if two results are asked for, the
    /// orthonormal columns `q` (m, k) of `q @ r = a`. Here k is the smaller of m and n, or m if
    /// `complete`.
    Qr { complete: bool },
    /// Of the symmetric `a` (n, n), of which one triangle is read, the rising eigenvalues (n) and, if
    /// two results are asked for, orthonormal vectors (n, n) in columns. A flaw is a matrix that the
    /// method did not come to an end with.
    Eigh { upper: bool },
    /// Of `a` (m, n) the falling singular values (k), k the smaller of m and n, and, if three results
    /// are asked for, `u` (m, k) and `vh` (k, n) of `u * s @ vh = a`; if `full`, u is (m, m) and vh is
    /// (n, n). A flaw as for `Eigh`.
    Svd { full: bool },
    /// Of `a` (n, n) the real and the imaginary parts of its eigenvalues (n) each and, if three results
    /// are asked for, vectors (n, n) in columns: of a pair of complex eigenvalues, the positive
    /// imaginary part first, the real parts of its vector and then the imaginary ones. A flaw as for
    /// `Eigh`.
    Eig,
}

impl Factorisation {
    pub fn name(self) -> &'static str {
        match self {
            Factorisation::Solve => "solve",
            Factorisation::Triangular { .. } => "triangular solve",
            Factorisation::Lu => "lu",
            Factorisation::Cholesky { .. } => "cholesky",
            Factorisation::Qr { .. } => "qr",
            Factorisation::Eigh { .. } => "eigh",
            Factorisation::Svd { .. } => "svd",
            Factorisation::Eig => "eig",
        }
    }

    /// About how many operations a matrix of (rows, columns) takes, as LAPACK's working notes count
    /// them, with as many results and right-hand sides.
    pub fn flops(self, [rows, columns]: [usize; 2], results: usize, sides: usize) -> f64 {
        let (m, n, k) = (rows as f64, columns as f64, sides as f64);
        let (long, short) = (m.max(n), m.min(n));
        let lu = long * short * short - short.powi(3) / 3.0;
        let with = |alone: f64, more: f64| if results > 1 { alone + more } else { alone };
        match self {
            Factorisation::Solve => 2.0 / 3.0 * n.powi(3) + 2.0 * n * n * k,
            Factorisation::Triangular { .. } => n * n * k,
            Factorisation::Lu => lu,
            Factorisation::Cholesky { .. } => n.powi(3) / 3.0,
            Factorisation::Qr { complete: false } => with(2.0 * lu, 2.0 * lu),
            Factorisation::Qr { complete: true } => with(
                2.0 * lu,
                4.0 * (m * m * short - m * short * short) + 4.0 / 3.0 * short.powi(3),
            ),
            Factorisation::Eigh { .. } => with(4.0 / 3.0 * n.powi(3), 23.0 / 3.0 * n.powi(3)),
            Factorisation::Svd { .. } => {
                let alone = 4.0 * long * short * short - 4.0 / 3.0 * short.powi(3);
                with(alone, alone + 12.0 * short.powi(3))
            }
            Factorisation::Eig => with(10.0 * n.powi(3), 15.0 * n.powi(3)),
        }
    }
}

/// A back end that takes matrices apart.
pub trait Factoriser {
    /// Whether it does this to a stack of so many matrices of (rows, columns).
    fn takes(&self, what: Factorisation, sides: [usize; 2], count: usize) -> bool {
        let _ = (what, sides, count);
        true
    }

    /// Makes the results in `outputs`, which are contiguous. `flaws`, contiguous int64 of the leading
    /// axes, gets a zero for each matrix that nothing is wrong with, else the number, from one, that
    /// its factorisation tells of.
    ///
    /// # Errors
    /// [`Error::Interrupted`] between two matrices; [`Error::OutOfMemory`] for what is needed besides
    /// operands and results.
    fn factorise(
        &self,
        what: Factorisation,
        inputs: &[View<'_>],
        outputs: &[View<'_>],
        flaws: View<'_>,
    ) -> Result<(), Error>;
}
