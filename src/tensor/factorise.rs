//! Dense linear algebra by the device that has the matrices, where its back end takes them apart
//! ([`Factoriser`]). Matrices are the last two axes; the axes before are a
//! stack. All of it runs at once.

use super::leaf::Leaf;
use super::{Engine, Error, Tensor};
use crate::device::{Factorisation, Factoriser, View};
use crate::diag::ErrorKind;
use crate::dtype::DType;
use crate::layout::{Shape, broadcast_shapes};
use crate::memory::Provenance;

/// What an LU factorisation gives.
#[derive(Debug, Clone)]
pub struct Lu {
    /// Both triangles in one: ones on the lower one's diagonal are left out.
    pub lu: Tensor,
    /// The matrix's rows in the order in which they stand in the product: int64.
    pub order: Tensor,
    /// How many pairs of rows were exchanged for that: int64.
    pub swaps: Tensor,
}

/// What is computed, and of what.
struct Request<'a> {
    what: Factorisation,
    inputs: &'a [&'a Tensor],
    /// Of each result the axes behind the stack's.
    outputs: &'a [&'a [usize]],
    /// How many of the results, the last ones, are int64.
    counts: usize,
}

impl Engine {
    /// Whether a tensor's device takes its matrices apart itself. Else the function that does it is an
    /// error.
    pub fn factorises(&self, what: Factorisation, x: &Tensor) -> bool {
        let factoriser = x.device().backend().factoriser();
        let takes = |it: &dyn Factoriser| {
            let count = x.shape().iter().rev().skip(2).product();
            sides(x).is_ok_and(|sides| it.takes(what, sides, count))
        };
        !x.dtype().is_complex() && factoriser.is_some_and(takes)
    }

    /// `x` of `a @ x = b`, for `a` (…, n, n) and `b` (…, n, k) of one type.
    ///
    /// # Errors
    /// LinAlgError where a matrix is singular, or none; ValueError where shapes do not fit.
    pub fn solve(&self, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
        let (x, flaws) = self.system(Factorisation::Solve, a, b)?;
        self.refuse_flaws(&flaws, "Singular matrix")?;
        Ok(x)
    }

    /// The same for one triangle of `a`, which is all that is read, with ones on its diagonal if `unit`.
    /// What is divided by a zero there is infinite or NaN.
    ///
    /// # Errors
    /// As [`Engine::solve`], but for singular matrices.
    pub fn solve_triangular(
        &self,
        a: &Tensor,
        b: &Tensor,
        upper: bool,
        unit: bool,
    ) -> Result<Tensor, Error> {
        Ok(self.system(Factorisation::Triangular { upper, unit }, a, b)?.0)
    }

    /// Triangles of which `a` (…, m, n) is the product, with its rows in another order.
    ///
    /// # Errors
    /// LinAlgError where `a` is no matrix; MemoryError.
    pub fn lu(&self, a: &Tensor) -> Result<Lu, Error> {
        let [m, n] = sides(a)?;
        let what = Factorisation::Lu;
        let outputs: &[&[usize]] = &[&[m, n], &[m], &[]];
        let (mut parts, _) = self.factorised(Request { what, inputs: &[a], outputs, counts: 2 })?;
        let (swaps, order) = (parts.remove(2), parts.remove(1));
        Ok(Lu { lu: parts.remove(0), order, swaps })
    }

    /// The lower triangle `l` of `l @ l.T = a`, or the upper one, for `a` (…, n, n), of which that
    /// triangle is read.
    ///
    /// # Errors
    /// LinAlgError where a matrix is not positive definite, or none.
    pub fn cholesky(&self, a: &Tensor, upper: bool) -> Result<Tensor, Error> {
        let n = square(a)?;
        let what = Factorisation::Cholesky { upper };
        let outputs: &[&[usize]] = &[&[n, n]];
        let (mut parts, flaws) =
            self.factorised(Request { what, inputs: &[a], outputs, counts: 0 })?;
        self.refuse_flaws(&flaws, "Matrix is not positive definite")?;
        Ok(parts.remove(0))
    }

    /// Orthonormal columns, if `with_q`, and an upper triangle, whose product is `a` (…, m, n): as many
    /// columns as the smaller of m and n, or m if `complete`.
    ///
    /// # Errors
    /// LinAlgError where `a` is no matrix; MemoryError.
    pub fn qr(&self, a: &Tensor, complete: bool, with_q: bool) -> Result<Vec<Tensor>, Error> {
        let [m, n] = sides(a)?;
        let k = if complete { m } else { m.min(n) };
        let what = Factorisation::Qr { complete };
        let outputs: [&[usize]; 2] = [&[m, k], &[k, n]];
        let outputs = if with_q { &outputs } else { &outputs[1..] };
        Ok(self.factorised(Request { what, inputs: &[a], outputs, counts: 0 })?.0)
    }

    /// Rising eigenvalues (…, n) of symmetric matrices, of which one triangle is read, and their
    /// vectors as columns, if `vectors`.
    ///
    /// # Errors
    /// LinAlgError where the method does not come to an end, or for what is no matrix.
    pub fn eigh(&self, a: &Tensor, upper: bool, vectors: bool) -> Result<Vec<Tensor>, Error> {
        let n = square(a)?;
        let what = Factorisation::Eigh { upper };
        let outputs: [&[usize]; 2] = [&[n], &[n, n]];
        let outputs = if vectors { &outputs } else { &outputs[..1] };
        self.eigen(Request { what, inputs: &[a], outputs, counts: 0 })
    }

    /// Falling singular values (…, k), k the smaller of m and n; if `vectors` is said, between `u` and
    /// `vh` of `u * s @ vh = a`: square ones if it is true, else with k columns and rows.
    ///
    /// # Errors
    /// LinAlgError where the method does not come to an end, for a NaN above all.
    pub fn svd(&self, a: &Tensor, vectors: Option<bool>) -> Result<Vec<Tensor>, Error> {
        let [m, n] = sides(a)?;
        let k = m.min(n);
        let full = vectors.unwrap_or(false);
        let [of_u, of_vh] = if full { [m, n] } else { [k, k] };
        let outputs: [&[usize]; 3] = [&[k], &[m, of_u], &[of_vh, n]];
        let outputs = if vectors.is_some() { &outputs } else { &outputs[..1] };
        let what = Factorisation::Svd { full };
        let (mut parts, flaws) =
            self.factorised(Request { what, inputs: &[a], outputs, counts: 0 })?;
        self.refuse_flaws(&flaws, "SVD did not converge")?;
        if vectors.is_some() {
            parts.swap(0, 1);
        }
        Ok(parts)
    }

    /// Real and imaginary parts of eigenvalues (…, n) and, if `vectors`, their vectors as columns: of a
    /// complex pair the real parts in the first column, the imaginary ones in the second.
    ///
    /// # Errors
    /// LinAlgError where the method does not come to an end, or for what is no matrix.
    pub fn eig(&self, a: &Tensor, vectors: bool) -> Result<Vec<Tensor>, Error> {
        let n = square(a)?;
        let outputs: [&[usize]; 3] = [&[n], &[n], &[n, n]];
        let outputs = if vectors { &outputs } else { &outputs[..2] };
        self.eigen(Request { what: Factorisation::Eig, inputs: &[a], outputs, counts: 0 })
    }

    fn eigen(&self, request: Request<'_>) -> Result<Vec<Tensor>, Error> {
        let (parts, flaws) = self.factorised(request)?;
        self.refuse_flaws(&flaws, "Eigenvalues did not converge")?;
        Ok(parts)
    }

    fn system(
        &self,
        what: Factorisation,
        a: &Tensor,
        b: &Tensor,
    ) -> Result<(Tensor, Tensor), Error> {
        let n = square(a)?;
        let [rows, columns] = sides(b)?;
        if rows != n || a.dtype() != b.dtype() {
            let words = format!("{}: {} does not fit {}", what.name(), b.shape(), a.shape());
            return Err(Error::shape_error(words));
        }
        super::graph::same_device(&[a, b])?;
        let outputs: &[&[usize]] = &[&[n, columns]];
        let (mut parts, flaws) =
            self.factorised(Request { what, inputs: &[a, b], outputs, counts: 0 })?;
        Ok((parts.remove(0), flaws))
    }

    /// Results, and what is wrong with which matrix of the stack.
    fn factorised(&self, request: Request<'_>) -> Result<(Vec<Tensor>, Tensor), Error> {
        let Request { what, inputs, outputs, counts } = request;
        let first = inputs[0];
        let dtype = first.dtype();
        if !matches!(dtype, DType::F32 | DType::F64) {
            return Err(Error::type_error(format!("array type {dtype} is unsupported in linalg")));
        }
        let stack = |x: &Tensor| Shape::from(&x.shape()[..x.rank() - 2]);
        let stacks: Vec<Shape> = inputs.iter().map(|x| stack(x)).collect();
        let stack = broadcast_shapes(&stacks.iter().collect::<Vec<_>>())?;
        let with = |axes: &[usize]| -> Shape { stack.iter().chain(axes).copied().collect() };
        let mut operands = Vec::with_capacity(inputs.len());
        for input in inputs {
            let leaf = self.leaf_of(input)?;
            let layout = leaf.layout.broadcast_to(&with(&sides(input)?))?;
            operands.push(Leaf { layout, ..leaf });
        }
        let provenance = Provenance::TEMPORARY.by(what.name());
        let mut results = Vec::with_capacity(outputs.len());
        for (at, axes) in outputs.iter().enumerate() {
            let dtype = if at + counts >= outputs.len() { DType::I64 } else { dtype };
            results.push(self.fresh(first, &with(axes), dtype, provenance)?);
        }
        let flaws = self.fresh(first, &stack, DType::I64, provenance)?;
        let backend = first.device().backend();
        let Some(factoriser) = backend.factoriser().filter(|_| self.factorises(what, first)) else {
            let words = format!("{} has no {} of its own", first.device().id(), what.name());
            return Err(Error::new(ErrorKind::Runtime, words));
        };
        self.with_relief(first.device(), || {
            factoriser.factorise(what, &views(&operands), &views(&results), flaws.view())
        })?;
        let results = results.into_iter().map(Tensor::from_leaf).collect();
        Ok((results, Tensor::from_leaf(flaws)))
    }

    /// # Errors
    /// LinAlgError that says which matrix of a stack has a flaw.
    fn refuse_flaws(&self, flaws: &Tensor, words: &str) -> Result<(), Error> {
        if flaws.device().is_modelled() {
            return Ok(());
        }
        let found = self.read(&[flaws])?.remove(0);
        let mut numbers = found.bytes.chunks_exact(8);
        let Some(at) = numbers.position(|flaw| flaw != [0; 8]) else { return Ok(()) };
        let mut rest = at;
        let mut place: Vec<String> = flaws
            .shape()
            .iter()
            .rev()
            .map(|extent| {
                let index = rest % extent;
                rest /= extent;
                index.to_string()
            })
            .collect();
        place.reverse();
        let which = match &place[..] {
            [] => String::new(),
            [only] => format!(" ({only},) of the stack"),
            _ => format!(" ({}) of the stack", place.join(", ")),
        };
        Err(Error::new(ErrorKind::LinAlg, format!("{words}{which}")))
    }
}

fn views(leaves: &[Leaf]) -> Vec<View<'_>> {
    leaves.iter().map(Leaf::view).collect()
}

/// Rows and columns of each matrix.
fn sides(a: &Tensor) -> Result<[usize; 2], Error> {
    match a.shape()[..] {
        [.., rows, columns] => Ok([rows, columns]),
        _ => {
            let words = format!(
                "{}-dimensional array given. Array must be at least two-dimensional",
                a.rank()
            );
            Err(Error::new(ErrorKind::LinAlg, words))
        }
    }
}

/// Rows of each matrix, which has as many columns.
fn square(a: &Tensor) -> Result<usize, Error> {
    let [rows, columns] = sides(a)?;
    if rows == columns {
        return Ok(rows);
    }
    Err(Error::new(ErrorKind::LinAlg, "Last 2 dimensions of the array must be square"))
}

#[cfg(all(test, feature = "linalg"))]
mod tests;
