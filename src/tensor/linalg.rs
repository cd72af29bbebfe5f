//! Matrix products and what is made of them. The products run at once, but for those that add nothing up;
//! transposed operands are read where they lie.

use smallvec::SmallVec;

use super::float_errors::{Along, Suspect};
use super::view::Rearrange;
use super::{BinaryOp, Engine, Error, Reduction, Tensor};
use crate::dtype::{Scalar, promote};
use crate::layout::{Shape, broadcast_shapes};
use crate::memory::Provenance;

/// Results of a column by a row up to which a product is made at once where launches cost nothing: a map of its own would
/// be planned for longer than it runs.
const FEW_RESULTS: usize = 2048;

impl Engine {
    /// NumPy's `@`: the last two axes are matrices, the others broadcast; a tensor of one axis is a
    /// row on the left and a column on the right. Products of numbers of eight bits are float32, as those of
    /// `ml_dtypes`.
    ///
    /// # Errors
    /// ValueError where the shapes do not fit or an operand has no axes; MemoryError.
    pub fn matmul(&self, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
        if a.rank() == 0 || b.rank() == 0 {
            let at = usize::from(a.rank() > 0);
            return Err(Error::shape_error(format!(
                "matmul: Input operand {at} does not have enough dimensions (has 0, gufunc core with \
                 signature (n?,k),(k,m?)->(n?,m?) requires 1)",
            ))
            .with_hint("use `*` for a product with a scalar"));
        }
        super::graph::same_device(&[a, b])?;
        let dtype = promote(a.dtype(), b.dtype()).carrier();
        let rows = if a.rank() == 1 { self.expand_dims(a, &[0])? } else { a.clone() };
        let columns = if b.rank() == 1 { self.expand_dims(b, &[1])? } else { b.clone() };
        let (rows, columns) = (self.cast(&rows, dtype)?, self.cast(&columns, dtype)?);
        let (m, k) = (rows.shape()[rows.rank() - 2], rows.shape()[rows.rank() - 1]);
        let (k2, n) = (columns.shape()[columns.rank() - 2], columns.shape()[columns.rank() - 1]);
        if k != k2 {
            return Err(Error::shape_error(format!(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
                 (n?,k),(k,m?)->(n?,m?) (size {k2} is different from {k})",
            ))
            .with_hint(format!("the shapes are {} and {}", a.shape(), b.shape())));
        }
        let lead = |t: &Tensor| Shape::from(&t.shape()[..t.rank() - 2]);
        let batch = broadcast_shapes(&[&lead(&rows), &lead(&columns)])?;
        let results = batch.elem_count().saturating_mul(m.saturating_mul(n));
        let is_worth_fusing = a.device().backend().launches_cost() || results > FEW_RESULTS;
        let is_outer = k == 1 && is_worth_fusing && !self.float_errors.matter();
        // The kernels make each product of a stack by itself, and a complex one of copies.
        let are_dots = (m, n) == (1, 1)
            && (dtype.is_complex() || batch.iter().any(|extent| *extent > 1))
            && !self.float_errors.matter();
        let mut result = match is_outer {
            true => self.outer_matmul(&rows, &columns)?,
            false if are_dots => {
                self.sum_of_products(&rows, &self.moveaxis(&columns, &[-1], &[-2])?, &[-1], true)?
            }
            false => {
                let product = match dtype.is_complex() {
                    true => self.unheard(|| self.complex_matmul(&rows, &columns, &batch))?,
                    false => self.real_matmul(&rows, &columns, &batch)?,
                };
                let operands = [a, b];
                self.hear(&product, || Some(Suspect::plain("matmul", &operands, Along::All)))?;
                product
            }
        };
        if b.rank() == 1 {
            result = self.squeeze(&result, Some(&[-1]))?;
        }
        if a.rank() == 1 {
            let axis = if b.rank() == 1 { -1 } else { -2 };
            result = self.squeeze(&result, Some(&[axis]))?;
        }
        let result = result.as_scalar(true);
        result.forget_owner();
        Ok(result)
    }

    /// A column by a row, with nothing to add up: a map like any other, which fuses. A sum begins with zero, and
    /// of that nothing makes a negative one.
    fn outer_matmul(&self, rows: &Tensor, columns: &Tensor) -> Result<Tensor, Error> {
        let product = self.binary(BinaryOp::Mul, rows, columns)?;
        let dtype = product.dtype();
        match dtype.is_float() || dtype.is_complex() {
            true => self.binary(BinaryOp::Add, &product, Scalar::Float(0.0)),
            false => Ok(product),
        }
    }

    /// The products of two operands' elements, summed along `axes` in one pass over both, in their common type. Those of
    /// narrow floats are not rounded before they are summed.
    ///
    /// # Errors
    /// ValueError where the operands do not broadcast, or have no such axes; MemoryError.
    pub fn sum_of_products(
        &self,
        a: &Tensor,
        b: &Tensor,
        axes: &[i64],
        keepdims: bool,
    ) -> Result<Tensor, Error> {
        let dtype = promote(a.dtype(), b.dtype()).carrier();
        let wide = |x: &Tensor| self.cast(x, dtype.compute());
        let products = self.binary(BinaryOp::Mul, &wide(a)?, &wide(b)?)?;
        self.cast(&self.reduce(Reduction::Sum, &products, Some(axes), keepdims)?, dtype)
    }

    /// The product of stacks of (m, k) and of (k, n) matrices of one type, which is not complex, by the device's kernels.
    /// Their leading axes broadcast to `batch`.
    pub(super) fn real_matmul(
        &self,
        rows: &Tensor,
        columns: &Tensor,
        batch: &Shape,
    ) -> Result<Tensor, Error> {
        let [m, k] = [rows.shape()[rows.rank() - 2], rows.shape()[rows.rank() - 1]];
        let n = columns.shape()[columns.rank() - 1];
        let with =
            |extents: [usize; 2]| -> Shape { batch.iter().copied().chain(extents).collect() };
        let operands = [rows, columns];
        let mut leaves = [self.leaf_of(rows)?, self.leaf_of(columns)?];
        let device = rows.device();
        let wants_rows = device.backend().matmul_wants_rows(leaves[0].view(), leaves[1].view());
        for (at, _) in wants_rows.into_iter().enumerate().filter(|(_, wants)| *wants) {
            leaves[at] = self.contiguous_leaf(operands[at])?;
        }
        let [lhs, rhs] = leaves;
        let lhs = lhs.with(lhs.layout.broadcast_to(&with([m, k]))?);
        let rhs = rhs.with(rhs.layout.broadcast_to(&with([k, n]))?);
        let provenance = Provenance::TEMPORARY.by("matmul");
        let out = self.fresh(rows, &with([m, n]), rows.dtype(), provenance)?;
        let (views, precision) = ([lhs.view(), rhs.view()], self.matmul_precision());
        self.with_relief(device, || {
            device.backend().matmul(views[0], views[1], out.view(), precision)
        })?;
        Ok(Tensor::from_leaf(out))
    }

    /// NumPy's `dot`: a product with a scalar, the inner product of the last axis with the last but
    /// one, and `@` for matrices.
    ///
    /// # Errors
    /// ValueError where the shapes do not fit; MemoryError.
    pub fn dot(&self, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
        if a.rank() == 0 || b.rank() == 0 {
            return self.binary(BinaryOp::Mul, a, b);
        }
        if a.rank() <= 2 && b.rank() <= 2 {
            return self
                .matmul(a, b)
                .map_err(|_| misaligned(a, b, a.rank() - 1, b.rank().saturating_sub(2)));
        }
        self.tensordot(a, b, &[-1], &[if b.rank() == 1 { -1 } else { -2 }])
    }

    /// Every element of `a` by every element of `b`, both flattened.
    ///
    /// # Errors
    /// TypeError where the type has no product.
    pub fn outer(&self, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
        let column = self.reshape(a, &[-1, 1])?;
        let row = self.reshape(b, &[1, -1])?;
        self.binary(BinaryOp::Mul, &column, &row)
    }

    /// Sums products over the last axis of both.
    ///
    /// # Errors
    /// ValueError where the last axes differ; MemoryError.
    pub fn inner(&self, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
        if a.rank() == 0 || b.rank() == 0 {
            return self.binary(BinaryOp::Mul, a, b);
        }
        if a.shape().last() != b.shape().last() {
            return Err(misaligned(a, b, a.rank() - 1, b.rank() - 1));
        }
        self.tensordot(a, b, &[-1], &[-1])
    }

    /// Sums products over `axes_a` of `a` and `axes_b` of `b`; the other axes of `a` stand before
    /// those of `b`.
    ///
    /// # Errors
    /// ValueError where the axes differ in number or length; MemoryError.
    pub fn tensordot(
        &self,
        a: &Tensor,
        b: &Tensor,
        axes_a: &[i64],
        axes_b: &[i64],
    ) -> Result<Tensor, Error> {
        let mismatch = || Error::shape_error("shape-mismatch for sum");
        if axes_a.len() != axes_b.len() {
            return Err(mismatch());
        }
        let axes = |t: &Tensor, axes: &[i64]| {
            axes.iter()
                .map(|axis| t.shape().axis(*axis))
                .collect::<Result<SmallVec<[usize; 6]>, _>>()
        };
        let (folded_a, folded_b) = (axes(a, axes_a)?, axes(b, axes_b)?);
        if folded_a.iter().zip(&folded_b).any(|(x, y)| a.shape()[*x] != b.shape()[*y]) {
            return Err(mismatch());
        }
        let free_a: SmallVec<[usize; 6]> =
            (0..a.rank()).filter(|axis| !folded_a.contains(axis)).collect();
        let free_b: SmallVec<[usize; 6]> =
            (0..b.rank()).filter(|axis| !folded_b.contains(axis)).collect();
        let extent = |t: &Tensor, axes: &[usize]| {
            axes.iter().map(|axis| t.shape()[*axis] as i64).product::<i64>()
        };
        let order = |first: &[usize], second: &[usize]| -> SmallVec<[usize; 6]> {
            first.iter().chain(second).copied().collect()
        };
        let rows = self.rearrange(a, Rearrange::Permute(order(&free_a, &folded_a)))?;
        let rows = self.reshape(&rows, &[extent(a, &free_a), extent(a, &folded_a)])?;
        let columns = self.rearrange(b, Rearrange::Permute(order(&folded_b, &free_b)))?;
        let columns = self.reshape(&columns, &[extent(b, &folded_b), extent(b, &free_b)])?;
        let product = self.matmul(&rows, &columns)?;
        let shape: Vec<i64> = free_a
            .iter()
            .map(|axis| a.shape()[*axis] as i64)
            .chain(free_b.iter().map(|axis| b.shape()[*axis] as i64))
            .collect();
        self.reshape(&product, &shape)
    }

    /// Einstein's sum: `ij,jk->ik`, with implicit output, repeated labels (diagonals) and `...`.
    /// Operands are contracted from the left, each pair as one matrix product or, where it has none, as products of
    /// elements that are summed.
    ///
    /// # Errors
    /// ValueError where the subscripts do not fit the operands; MemoryError.
    pub fn einsum(&self, subscripts: &str, operands: &[Tensor]) -> Result<Tensor, Error> {
        let spec = super::einsum::Spec::parse(subscripts, operands)?;
        let mut terms = Vec::new();
        for (operand, labels) in operands.iter().zip(&spec.inputs) {
            let term = self.take_diagonals(operand, labels.clone())?;
            terms.push(self.without_broadcast(term, &spec.extents)?);
        }
        let mut terms = terms.into_iter();
        let Some(mut left) = terms.next() else {
            return Err(Error::shape_error("einsum: expected at least one operand"));
        };
        let mut rest: Vec<(Tensor, Vec<u32>)> = terms.collect();
        while !rest.is_empty() {
            let right = rest.remove(0);
            let is_needed = |label: &u32| {
                spec.output.contains(label) || rest.iter().any(|(_, labels)| labels.contains(label))
            };
            let needed: Vec<u32> =
                left.1.iter().chain(&right.1).copied().filter(is_needed).collect();
            left = self.contract(left, right, &needed)?;
        }
        let (mut result, mut labels) = left;
        let folded: Vec<i64> = (0..labels.len())
            .filter(|at| !spec.output.contains(&labels[*at]))
            .map(|at| at as i64)
            .collect();
        if !folded.is_empty() {
            let dtype = result.dtype();
            result =
                self.cast(&self.reduce(Reduction::Sum, &result, Some(&folded), false)?, dtype)?;
            labels.retain(|label| spec.output.contains(label));
        }
        let order = spec
            .output
            .iter()
            .map(|label| {
                labels
                    .iter()
                    .position(|known| known == label)
                    .expect("every output label is in an input")
            })
            .collect();
        self.rearrange(&result, Rearrange::Permute(order))
    }

    /// Gives every label of a term one axis.
    fn take_diagonals(
        &self,
        operand: &Tensor,
        mut labels: Vec<u32>,
    ) -> Result<(Tensor, Vec<u32>), Error> {
        let mut operand = operand.clone();
        while let Some((first, second)) = repeated(&labels) {
            operand = self.diagonal(&operand, 0, first as i64, second as i64)?;
            let label = labels[first];
            labels.remove(second);
            labels.remove(first);
            labels.push(label);
        }
        Ok((operand, labels))
    }

    /// The term without axes of length one that are longer in another: without the label it is the
    /// same number for all of them.
    fn without_broadcast(
        &self,
        (operand, mut labels): (Tensor, Vec<u32>),
        extents: &[(u32, usize)],
    ) -> Result<(Tensor, Vec<u32>), Error> {
        let is_broadcast =
            |label: &u32| extents.iter().any(|(known, extent)| known == label && *extent != 1);
        let gone: Vec<i64> = (0..labels.len())
            .filter(|at| operand.shape()[*at] == 1 && is_broadcast(&labels[*at]))
            .map(|at| at as i64)
            .collect();
        if gone.is_empty() {
            return Ok((operand, labels));
        }
        let mut at = -1;
        labels.retain(|_| {
            at += 1;
            !gone.contains(&at)
        });
        Ok((self.squeeze(&operand, Some(&gone))?, labels))
    }

    /// Two terms as one that keeps the labels in `needed`.
    fn contract(
        &self,
        left: (Tensor, Vec<u32>),
        right: (Tensor, Vec<u32>),
        needed: &[u32],
    ) -> Result<(Tensor, Vec<u32>), Error> {
        let left = self.sum_lonely(left, &right.1, needed)?;
        let right = self.sum_lonely(right, &left.1, needed)?;
        let in_both = |label: &&u32| left.1.contains(label) && right.1.contains(label);
        let all = || left.1.iter().filter(in_both);
        let batch: Vec<u32> = all().filter(|label| needed.contains(label)).copied().collect();
        let folded: Vec<u32> = all().filter(|label| !needed.contains(label)).copied().collect();
        let only = |a: &[u32], b: &[u32]| -> Vec<u32> {
            a.iter().filter(|label| !b.contains(label)).copied().collect()
        };
        let (rows, columns) = (only(&left.1, &right.1), only(&right.1, &left.1));
        let is_product = match (rows.is_empty(), columns.is_empty()) {
            (false, false) => !folded.is_empty(),
            // A matrix by a vector, whose axes lie as the product takes them.
            (_, is_left) => {
                let matrix = if is_left { &left.1 } else { &right.1 };
                let own = if is_left { &rows } else { &columns };
                let is_in_order = *matrix == [&own[..], &folded].concat()
                    || *matrix == [&folded[..], own].concat();
                batch.is_empty() && is_in_order
            }
        };
        if !is_product {
            return self.products_summed(
                (left, right),
                [&batch, &rows, &columns].map(|x| &x[..]),
                &folded,
            );
        }
        let a = self.grouped(&left, [&batch, &rows, &folded])?;
        let b = self.grouped(&right, [&batch, &folded, &columns])?;
        let product = self.matmul(&a, &b)?;
        let extent = |label: &u32| -> i64 {
            let find = |term: &(Tensor, Vec<u32>)| {
                term.1.iter().position(|known| known == label).map(|axis| term.0.shape()[axis])
            };
            find(&left)
                .filter(|extent| *extent != 1)
                .or_else(|| find(&right))
                .or_else(|| find(&left))
                .unwrap_or(1) as i64
        };
        let labels: Vec<u32> = batch.iter().chain(&rows).chain(&columns).copied().collect();
        let shape: Vec<i64> = labels.iter().map(extent).collect();
        Ok((self.reshape(&product, &shape)?, labels))
    }

    /// Two terms with no matrix product in them: the products of their elements, summed along the last labels.
    fn products_summed(
        &self,
        (left, right): ((Tensor, Vec<u32>), (Tensor, Vec<u32>)),
        kept: [&[u32]; 3],
        folded: &[u32],
    ) -> Result<(Tensor, Vec<u32>), Error> {
        let kept = kept.concat();
        let aligned = |(term, own): (Tensor, Vec<u32>)| -> Result<Tensor, Error> {
            let labels = || kept.iter().chain(folded);
            let place = |label: &u32| own.iter().position(|known| known == label);
            let order = labels().filter_map(place).collect();
            let missing = labels().enumerate().filter(|(_, label)| place(label).is_none());
            let missing: Vec<i64> = missing.map(|(at, _)| at as i64).collect();
            self.expand_dims(&self.rearrange(&term, Rearrange::Permute(order))?, &missing)
        };
        let (left, right) = (aligned(left)?, aligned(right)?);
        let axes: Vec<i64> = (kept.len()..left.rank()).map(|at| at as i64).collect();
        let made = match axes.is_empty() {
            true => self.binary(BinaryOp::Mul, &left, &right)?,
            false => self.sum_of_products(&left, &right, &axes, false)?,
        };
        Ok((made, kept))
    }

    /// Sums the axes that neither the other term nor the result has.
    fn sum_lonely(
        &self,
        term: (Tensor, Vec<u32>),
        other: &[u32],
        needed: &[u32],
    ) -> Result<(Tensor, Vec<u32>), Error> {
        let is_lonely = |label: &u32| !other.contains(label) && !needed.contains(label);
        let axes: Vec<i64> =
            (0..term.1.len()).filter(|at| is_lonely(&term.1[*at])).map(|at| at as i64).collect();
        if axes.is_empty() {
            return Ok(term);
        }
        let summed = self.reduce(Reduction::Sum, &term.0, Some(&axes), false)?;
        let summed = self.cast(&summed, term.0.dtype())?;
        Ok((summed, term.1.into_iter().filter(|label| !is_lonely(label)).collect()))
    }

    /// The term with its axes in this order, each group as one axis.
    fn grouped(&self, term: &(Tensor, Vec<u32>), groups: [&[u32]; 3]) -> Result<Tensor, Error> {
        let place = |label: &u32| {
            term.1
                .iter()
                .position(|known| known == label)
                .expect("the groups hold the term's labels")
        };
        let order = groups.iter().flat_map(|group| group.iter().map(place)).collect();
        let moved = self.rearrange(&term.0, Rearrange::Permute(order))?;
        let extent = |group: &[u32]| {
            group.iter().map(|label| term.0.shape()[place(label)] as i64).product::<i64>()
        };
        self.reshape(&moved, &groups.map(extent))
    }
}

fn repeated(labels: &[u32]) -> Option<(usize, usize)> {
    (0..labels.len()).find_map(|first| {
        let second = (first + 1..labels.len()).find(|second| labels[*second] == labels[first])?;
        Some((first, second))
    })
}

#[cold]
fn misaligned(a: &Tensor, b: &Tensor, axis_a: usize, axis_b: usize) -> Error {
    Error::shape_error(format!(
        "shapes {:#} and {:#} not aligned: {} (dim {axis_a}) != {} (dim {axis_b})",
        a.shape(),
        b.shape(),
        a.shape()[axis_a],
        b.shape()[axis_b],
    ))
}
