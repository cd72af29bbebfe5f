//! A tensor's values in a few numbers, for the line above its elements. Two passes over the data.

use super::{BinaryOp, CompareOp, Engine, Error, Reduction, Tensor, UnaryOp};
use crate::dtype::{DType, Scalar};
use crate::layout::Shape;
use crate::report::Summary;

/// Bins of the histogram: as many characters as its picture has.
const BINS: usize = 10;

impl Engine {
    /// Range, mean, standard deviation and histogram of the finite elements, and where the others
    /// are. `None` for a tensor without elements.
    ///
    /// # Errors
    /// What computing the tensor may bring up; MemoryError for a few scalars.
    pub fn summary(&self, x: &Tensor) -> Result<Option<Summary>, Error> {
        self.realize(&[x])?;
        if x.elem_count() == 0 {
            return Ok(None);
        }
        let wide = self.cast(x, DType::F64)?;
        let finite = self.unary(UnaryOp::IsFinite, &wide)?;
        let nan = self.unary(UnaryOp::IsNan, &wide)?;
        let infinite = self.unary(UnaryOp::IsInf, &wide)?;
        let or_else = |value: f64| self.select(&finite, &wide, Scalar::Float(value));
        let mut firsts = vec![
            self.whole(Reduction::Min, &or_else(f64::INFINITY)?)?,
            self.whole(Reduction::Max, &or_else(f64::NEG_INFINITY)?)?,
            self.whole(Reduction::Sum, &or_else(0.0)?)?,
        ];
        if x.dtype().is_float() {
            for test in [&nan, &infinite] {
                firsts.push(self.whole(Reduction::CountNonzero, test)?);
                firsts.push(self.whole(Reduction::ArgMax, test)?);
            }
        }
        let found = self.read_all(&firsts)?;
        let odd = |at: usize| found.get(at).map_or(0, |value| value.as_i64() as usize);
        let (nan_count, inf_count) = (odd(3), odd(5));
        let mut summary = Summary {
            min: found[0].as_f64(),
            max: found[1].as_f64(),
            nan_count: nan_count as u64,
            inf_count: inf_count as u64,
            ..Summary::default()
        };
        if nan_count > 0 {
            summary.first_nan = coordinates(odd(4), x.shape());
        }
        if inf_count > 0 {
            summary.first_inf = coordinates(odd(6), x.shape());
        }
        let finite_count = x.elem_count() - nan_count - inf_count;
        if finite_count == 0 {
            return Ok(Some(Summary {
                min: f64::NAN,
                max: f64::NAN,
                mean: f64::NAN,
                sd: f64::NAN,
                ..summary
            }));
        }
        summary.mean = found[2].as_f64() / finite_count as f64;
        self.spread_of(&wide, &finite, finite_count, &mut summary)?;
        Ok(Some(summary))
    }

    /// The second pass: what needs the mean and the range.
    fn spread_of(
        &self,
        x: &Tensor,
        finite: &Tensor,
        count: usize,
        summary: &mut Summary,
    ) -> Result<(), Error> {
        let distance = self.binary(BinaryOp::Sub, x, Scalar::Float(summary.mean))?;
        let square = self.unary(UnaryOp::Square, &distance)?;
        let square = self.select(finite, &square, Scalar::Float(0.0))?;
        let mut roots = vec![self.whole(Reduction::Sum, &square)?];
        let width = summary.max - summary.min;
        for bin in 1..BINS {
            let edge = summary.min + width * bin as f64 / BINS as f64;
            let below = self.compare(CompareOp::Lt, x, Scalar::Float(edge))?;
            let below = self.binary(BinaryOp::BitAnd, &below, finite)?;
            roots.push(self.whole(Reduction::CountNonzero, &below)?);
        }
        let found = self.read_all(&roots)?;
        summary.sd = (found[0].as_f64() / count as f64).sqrt();
        let below = found[1..].iter().map(|value| value.as_i64() as u64).chain([count as u64]);
        let mut before = 0;
        summary.histogram = below
            .map(|below| below.saturating_sub(std::mem::replace(&mut before, below)))
            .collect();
        Ok(())
    }

    fn whole(&self, reduction: Reduction, x: &Tensor) -> Result<Tensor, Error> {
        self.reduce(reduction, x, None, false)
    }

    fn read_all(&self, scalars: &[Tensor]) -> Result<Vec<Scalar>, Error> {
        self.realize(&scalars.iter().collect::<Vec<_>>())?;
        scalars.iter().map(|scalar| self.item(scalar)).collect()
    }
}

fn coordinates(mut place: usize, shape: &Shape) -> Vec<usize> {
    let mut found = vec![0; shape.rank()];
    for axis in (0..shape.rank()).rev() {
        found[axis] = place % shape[axis];
        place /= shape[axis];
    }
    found
}
