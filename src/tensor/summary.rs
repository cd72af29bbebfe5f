//! A tensor's values in a few numbers, for the line above its elements: one lazy program of two
//! passes over the data, whose results nobody waits for between them.

use super::host::HostArray;
use super::{BinaryOp, CompareOp, Engine, Error, Operand, Reduction, Tensor, UnaryOp};
use crate::dtype::{DType, Scalar};
use crate::layout::Shape;
use crate::report::Summary;

/// Bins of the histogram: as many characters as its picture has.
const BINS: usize = 10;

/// The nodes behind a [`Summary`], each without axes.
#[derive(Debug)]
pub(super) struct Statistics {
    shape: Shape,
    /// Smallest, largest, squared distances from the mean, sum; for floats how many NaN and
    /// infinities and the first of each; finite elements below each inner edge of the bins.
    nodes: Vec<Tensor>,
    is_float: bool,
}

impl Engine {
    /// Range, mean, standard deviation and histogram of the finite elements, and where the others
    /// are. `None` for a tensor without elements.
    ///
    /// # Errors
    /// What computing the tensor may bring up; MemoryError for a few scalars.
    pub fn summary(&self, x: &Tensor) -> Result<Option<Summary>, Error> {
        self.realize(&[x])?;
        let Some(statistics) = self.statistics(x)? else { return Ok(None) };
        let found = self.read(&statistics.nodes().iter().collect::<Vec<_>>())?;
        Ok(Some(statistics.summary(&found)))
    }

    /// What [`Engine::summary`] reads, lazily. `x` should be realized.
    pub(super) fn statistics(&self, x: &Tensor) -> Result<Option<Statistics>, Error> {
        if x.elem_count() == 0 {
            return Ok(None);
        }
        let number = |value: f64| {
            self.constant_on(x.device().clone(), Shape::scalar(), Scalar::Float(value), DType::F64)
        };
        let whole = |reduction: Reduction, x: &Tensor| self.reduce(reduction, x, None, false);
        let is_float = x.dtype().is_float();
        let wide = self.cast(x, DType::F64)?;
        let finite = self.unary(UnaryOp::IsFinite, &wide)?;
        let or_else = |x: &Tensor, value: &Tensor| match is_float {
            true => self.select(&finite, x, value),
            false => Ok(x.clone()),
        };
        let zero = number(0.0);
        // What is no number lies above every edge of the bins, too.
        let bounded = or_else(&wide, &number(f64::INFINITY))?;
        let min = whole(Reduction::Min, &bounded)?;
        let max = whole(Reduction::Max, &or_else(&wide, &number(f64::NEG_INFINITY))?)?;
        let sum = whole(Reduction::Sum, &or_else(&wide, &zero)?)?;
        let mut count: Operand = Scalar::Int(x.elem_count() as i64).into();
        let mut odd = Vec::new();
        if is_float {
            for test in [UnaryOp::IsNan, UnaryOp::IsInf] {
                let is_odd = self.unary(test, &wide)?;
                let odd_count = whole(Reduction::CountNonzero, &is_odd)?;
                count = self.binary(BinaryOp::Sub, count, &odd_count)?.into();
                odd.extend([odd_count, whole(Reduction::ArgMax, &is_odd)?]);
            }
        }
        let count = self.operand_as(count, DType::F64, x.device())?;
        let mean = self.binary(BinaryOp::Div, &sum, &count)?;
        let square = self.unary(UnaryOp::Square, &self.binary(BinaryOp::Sub, &wide, &mean)?)?;
        let squares = whole(Reduction::Sum, &or_else(&square, &zero)?)?;
        let (width, bins) = (self.binary(BinaryOp::Sub, &max, &min)?, number(BINS as f64));
        let mut below = Vec::new();
        for bin in 1..BINS {
            let share = self.binary(BinaryOp::Mul, &width, number(bin as f64))?;
            let share = self.binary(BinaryOp::Div, &share, &bins)?;
            let edge = self.binary(BinaryOp::Add, &min, &share)?;
            let is_below = self.compare(CompareOp::Lt, &bounded, &edge)?;
            below.push(whole(Reduction::CountNonzero, &is_below)?);
        }
        let nodes = [min, max, squares, sum].into_iter().chain(odd).chain(below).collect();
        Ok(Some(Statistics { shape: x.shape().clone(), nodes, is_float }))
    }
}

impl Statistics {
    pub fn nodes(&self) -> &[Tensor] {
        &self.nodes
    }

    /// From the values of the nodes.
    pub fn summary(&self, found: &[HostArray]) -> Summary {
        let float = |at: usize| found[at].scalar(0).as_f64();
        let places = |at: usize| found[at].scalar(0).as_i64() as usize;
        let mut summary = Summary { min: float(0), max: float(1), ..Summary::default() };
        let mut finite = self.shape.elem_count();
        if self.is_float {
            let (nan_count, inf_count) = (places(4), places(6));
            if nan_count > 0 {
                summary.first_nan = coordinates(places(5), &self.shape);
            }
            if inf_count > 0 {
                summary.first_inf = coordinates(places(7), &self.shape);
            }
            (summary.nan_count, summary.inf_count) = (nan_count as u64, inf_count as u64);
            finite -= nan_count + inf_count;
        }
        if finite == 0 {
            let nan = f64::NAN;
            return Summary { min: nan, max: nan, mean: nan, sd: nan, ..summary };
        }
        summary.mean = float(3) / finite as f64;
        summary.sd = (float(2) / finite as f64).sqrt();
        let below = (self.nodes.len() + 1 - BINS..self.nodes.len()).map(|at| places(at) as u64);
        let mut before = 0;
        summary.histogram = below
            .chain([finite as u64])
            .map(|below| below.saturating_sub(std::mem::replace(&mut before, below)))
            .collect();
        summary
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
