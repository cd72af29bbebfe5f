//! Folds and scans of complex numbers. Sums are sums of the parts; products and extremes are not.

use smallvec::SmallVec;

use crate::dtype::{DType, Scalar};
use crate::ir::{BinaryOp, CompareOp, ReduceOp, ScanOp, UnaryOp};
use crate::layout::Shape;
use crate::tensor::{Engine, Error, Tensor};

/// Parts of a row whose product is one statement.
const WAYS: usize = 8;

impl Engine {
    /// The product along axes, which stay with length one: the eighths of the row by each other, until one
    /// element is left. The order does not depend on the device.
    pub(in crate::tensor) fn complex_product(
        &self,
        x: &Tensor,
        axes: &[u8],
    ) -> Result<Tensor, Error> {
        let mut folded = x.clone();
        for axis in axes.iter().map(|axis| usize::from(*axis)) {
            if folded.shape()[axis] == 0 {
                let mut shape = folded.shape().clone();
                shape[axis] = 1;
                folded = self.constant_on(x.device().clone(), shape, Scalar::Int(1), x.dtype());
            }
            while folded.shape()[axis] > 1 {
                let len = folded.shape()[axis];
                let ways = len.min(WAYS);
                let width = len / ways;
                let part = |at: usize, len| self.narrow(&folded, axis, at, len, 1);
                let mut parts: SmallVec<[Tensor; WAYS]> =
                    (0..ways).map(|way| part(way * width, width)).collect::<Result<_, _>>()?;
                while parts.len() > 1 {
                    parts = parts
                        .chunks(2)
                        .map(|pair| match pair {
                            [a, b] => self.binary(BinaryOp::Mul, a, b),
                            one => Ok(one[0].clone()),
                        })
                        .collect::<Result<_, _>>()?;
                }
                let mut product = parts.remove(0);
                if ways * width < len {
                    let rest = part(ways * width, len - ways * width)?;
                    product = self.concatenate(&[product, rest], axis as i64)?;
                }
                self.realize_node(&product)?;
                folded = product;
            }
        }
        // What was folded along axes of length one is the tensor itself.
        if folded.is_same(x) { self.as_it_is(x) } else { Ok(folded) }
    }

    /// The position of the largest or smallest element along axes, or of the first NaN; int64.
    pub(in crate::tensor) fn complex_position(
        &self,
        fold: ReduceOp,
        x: &Tensor,
        axes: &[u8],
    ) -> Result<Tensor, Error> {
        let chosen = self.is_extreme(fold, x, axes)?;
        self.fold(ReduceOp::ArgMax, &chosen, axes, DType::I64)
    }

    /// The largest or smallest element along axes, or the first NaN.
    pub(in crate::tensor) fn complex_extreme(
        &self,
        fold: ReduceOp,
        x: &Tensor,
        axes: &[u8],
    ) -> Result<Tensor, Error> {
        let (row, shape) = self.as_rows(x, axes)?;
        let last = [row.rank() as u8 - 1];
        let chosen = self.is_extreme(fold, &row, &last)?;
        let first = self.fold(ReduceOp::ArgMax, &chosen, &last, DType::I64)?;
        let place = self.iota_on(x.device().clone(), row.shape().clone(), last[0]);
        let is_first = self.compare(CompareOp::Eq, &place, &first)?;
        // Every other element gives way to the one.
        let nothing = Scalar::Float(f64::NEG_INFINITY);
        let [re, im] = self.parts(&row)?;
        let pick = |part: &Tensor| {
            let rest = self.select(&is_first, part, nothing)?;
            self.fold(ReduceOp::Max, &rest, &last, part.dtype())
        };
        let value = self.pair(&pick(&re)?, &pick(&im)?)?;
        let shape: Vec<i64> = shape.iter().map(|extent| *extent as i64).collect();
        self.reshape(&value, &shape)
    }

    /// `x` with the folded axes as one, the last; and the shape in which they stay with length one.
    fn as_rows(&self, x: &Tensor, axes: &[u8]) -> Result<(Tensor, Shape), Error> {
        let is_folded = |axis: &usize| axes.contains(&(*axis as u8));
        let mut kept_shape = x.shape().clone();
        axes.iter().for_each(|axis| kept_shape[usize::from(*axis)] = 1);
        let kept: SmallVec<[usize; 6]> = (0..x.rank()).filter(|axis| !is_folded(axis)).collect();
        let order: Vec<i64> = kept
            .iter()
            .copied()
            .chain((0..x.rank()).filter(is_folded))
            .map(|it| it as i64)
            .collect();
        let moved = self.permute(x, &order)?;
        let count: usize = axes.iter().map(|axis| x.shape()[usize::from(*axis)]).product();
        let extents = kept.iter().map(|axis| x.shape()[*axis]).chain([count]);
        let extents: Vec<i64> = extents.map(|extent| extent as i64).collect();
        Ok((self.reshape(&moved, &extents)?, kept_shape))
    }

    /// Which elements of each row are the extreme ones: by the real parts, then by the imaginary ones. Of a
    /// row with NaN, those.
    fn is_extreme(&self, fold: ReduceOp, x: &Tensor, axes: &[u8]) -> Result<Tensor, Error> {
        let (fold, far) = match fold {
            ReduceOp::Max | ReduceOp::ArgMax => (ReduceOp::Max, f64::NEG_INFINITY),
            _ => (ReduceOp::Min, f64::INFINITY),
        };
        let [re, im] = self.parts(x)?;
        let nan = self.unary(UnaryOp::IsNan, x)?;
        let any_nan = self.fold(ReduceOp::Max, &nan, axes, DType::Bool)?;
        let best = self.fold(fold, &re, axes, re.dtype())?;
        let is_best = self.compare(CompareOp::Eq, &re, &best)?;
        let rest = self.select(&is_best, &im, Scalar::Float(far))?;
        let second = self.fold(fold, &rest, axes, im.dtype())?;
        let is_second = self.compare(CompareOp::Eq, &im, &second)?;
        let is_extreme = self.binary(BinaryOp::BitAnd, &is_best, &is_second)?;
        self.select(&any_nan, &nan, &is_extreme)
    }

    /// Folds along one axis and keeps every step: sums by their parts, products one after the other where a launch costs
    /// nothing, others by doubling the distance of what is joined.
    pub(in crate::tensor) fn complex_scan(
        &self,
        op: ScanOp,
        x: &Tensor,
        axis: usize,
    ) -> Result<Tensor, Error> {
        let join = match op {
            ScanOp::Sum => {
                let [re, im] = self.parts(x)?;
                let along = Some(axis as i64);
                let sum = |part| self.scan(ScanOp::Sum, part, along, None);
                let whole = self.pair(&sum(&re)?, &sum(&im)?)?;
                self.realize_node(&whole)?;
                return Ok(whole);
            }
            ScanOp::Prod if !x.device().backend().launches_cost() => {
                return self.join_in_turn(BinaryOp::Mul, x, axis, None, true);
            }
            ScanOp::Prod => BinaryOp::Mul,
            ScanOp::Max => BinaryOp::Max,
            ScanOp::Min => BinaryOp::Min,
        };
        let len = x.shape()[axis];
        let mut steps = self.copy(x)?;
        let mut distance = 1;
        while distance < len {
            let head = self.narrow(&steps, axis, 0, distance, 1)?;
            let before = self.narrow(&steps, axis, 0, len - distance, 1)?;
            let after = self.narrow(&steps, axis, distance, len - distance, 1)?;
            let joined = self.binary(join, &before, &after)?;
            steps = self.concatenate(&[head, joined], axis as i64)?;
            distance *= 2;
        }
        self.realize_node(&steps)?;
        Ok(steps)
    }
}
