//! Tensors as charts that a user asks for: vectors as curves, elements as bars, a matrix as a heat
//! map. What is drawn is reduced where the tensor lies; only what is seen is read back.

use super::picture::Axis;
use super::{Engine, Error, IndexItem, Reduction, ScatterOp, Tensor};
use super::{Operand, UnaryOp};
use crate::dtype::{DType, Scalar};
use crate::layout::Shape;
use crate::report::{Bars, Chart, Line};

/// The most points of a curve: more than a page has columns for.
const MAX_POINTS: usize = 1024;

impl Engine {
    /// Vectors of one length as curves over another of that length, or over their places.
    ///
    /// # Errors
    /// What computing them may bring up.
    pub fn curves(&self, x: Option<&Tensor>, ys: &[Tensor]) -> Result<Vec<Line>, Error> {
        self.realize(&x.into_iter().chain(ys).collect::<Vec<_>>())?;
        let mut nodes = Vec::new();
        let mut lengths = Vec::new();
        let x = x.map(|x| (x, &[Reduction::Mean][..]));
        let whole = [Reduction::Mean, Reduction::Min, Reduction::Max];
        for (tensor, reductions) in x.into_iter().chain(ys.iter().map(|y| (y, &whole[..]))) {
            // Float64 holds every element, and what a block of them adds up to.
            let wide = self.cast(tensor, DType::F64)?;
            let axis = Axis::new(wide.shape()[0], MAX_POINTS);
            for reduction in reductions {
                let before = nodes.len();
                for part in axis.parts() {
                    let blocks = self.blocks(&wide, &[part])?;
                    nodes.push(self.reduce(*reduction, &blocks, Some(&[1]), false)?);
                }
                lengths.push(nodes.len() - before);
            }
        }
        let mut found = self.read(&nodes.iter().collect::<Vec<_>>())?.into_iter();
        let mut columns = lengths.into_iter().map(|count| -> Vec<f64> {
            let parts = found.by_ref().take(count).collect::<Vec<_>>();
            parts.iter().flat_map(|part| part.to_scalars()).map(|value| value.as_f64()).collect()
        });
        let x = x.and_then(|_| columns.next());
        let is_rising = x.as_ref().is_none_or(|x| x.windows(2).all(|pair| pair[0] <= pair[1]));
        let mut next = || columns.next().unwrap_or_default();
        let lines = ys.iter().map(|y| {
            let len = y.shape()[0];
            let (mean, low, high) = (next(), next(), next());
            // The extremes say something of a curve that goes one way only.
            let (low, high) = if is_rising { (low, high) } else { (mean.clone(), mean.clone()) };
            let (title, step) = (String::new(), Axis::new(len, MAX_POINTS).block);
            Line { title, step, len, x: x.clone().unwrap_or_default(), mean, low, high }
        });
        Ok(lines.collect())
    }

    /// The finite elements in so many bins of one width, and how many others there are. None of no
    /// elements.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError.
    pub fn bars(&self, x: &Tensor, bins: usize) -> Result<Option<Bars>, Error> {
        if x.elem_count() == 0 {
            return Ok(None);
        }
        let wide = self.cast(&self.ravel(x)?, DType::F64)?;
        self.realize(&[&wide])?;
        let finite = self.unary(UnaryOp::IsFinite, &wide)?;
        let end = |reduction: Reduction, none: f64| {
            let bounded = self.select(&finite, &wide, Scalar::Float(none))?;
            self.reduce(reduction, &bounded, None, false)
        };
        let count = |test: UnaryOp| {
            self.reduce(Reduction::CountNonzero, &self.unary(test, &wide)?, None, false)
        };
        let nodes = [
            end(Reduction::Min, f64::INFINITY)?,
            end(Reduction::Max, f64::NEG_INFINITY)?,
            count(UnaryOp::IsNan)?,
            count(UnaryOp::IsInf)?,
        ];
        let found = self.read(&nodes.iter().collect::<Vec<_>>())?;
        let (mut low, mut high) = (found[0].scalar(0).as_f64(), found[1].scalar(0).as_f64());
        let [nan, inf] = [2, 3].map(|at| found[at].scalar(0).as_i64() as u64);
        if low > high {
            return Ok(Some(Bars { counts: vec![0; bins], nan, inf, ..Bars::default() }));
        }
        if low == high {
            (low, high) = (low - 0.5, high + 0.5);
        }
        // What has no place among the bins takes no part in finding them.
        let wide = if nan + inf > 0 { self.compress(&wide, &finite)? } else { wide };
        let counts = self.counts_of_finite(&wide, bins, (low, high))?;
        Ok(Some(Bars { title: String::new(), low, high, counts, nan, inf }))
    }

    /// How many finite elements fall in each of so many bins of one width between two ends, where all of them lie.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError.
    pub fn counts_between(
        &self,
        x: &Tensor,
        bins: usize,
        ends: (f64, f64),
    ) -> Result<Vec<u64>, Error> {
        let wide = self.cast(&self.ravel(x)?, DType::F64)?;
        self.realize(&[&wide])?;
        let finite = self.unary(UnaryOp::IsFinite, &wide)?;
        let wide = match x.dtype().is_float() && !self.all_true(&finite)? {
            true => self.compress(&wide, &finite)?,
            false => wide,
        };
        self.counts_of_finite(&wide, bins, ends)
    }

    fn counts_of_finite(
        &self,
        wide: &Tensor,
        bins: usize,
        (low, high): (f64, f64),
    ) -> Result<Vec<u64>, Error> {
        let edges = self.linspace(low, high, bins + 1, true, DType::F64)?;
        let place = self.equal_bins_of(wide, &edges, (low, high))?;
        let counts = self.copy(&self.full(&Shape::from([bins]), Scalar::Int(0), DType::I64)?)?;
        let one = Operand::from(Scalar::Int(1));
        self.scatter(ScatterOp::Add, &counts, &[IndexItem::Tensor(place)], one)?;
        let counts = self.read(&[&counts])?.remove(0).to_scalars();
        Ok(counts.into_iter().map(|count| count.as_i64() as u64).collect())
    }

    /// The last two axes as a heat map; a vector is one row. None where there is no element.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn heat(&self, x: &Tensor) -> Result<Option<Chart>, Error> {
        let sheet = match x.rank() {
            0 | 1 => self.reshape(x, &[1, -1])?,
            _ => x.clone(),
        };
        self.realize(&[&sheet])?;
        let Some(picture) = self.picture(&sheet)? else { return Ok(None) };
        let found = self.read(&picture.nodes().iter().collect::<Vec<_>>())?;
        Ok(Some(picture.chart(&found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::BinaryOp;
    use crate::tensor::tests::{engine, ramp};

    #[test]
    fn long_curves_are_drawn_by_blocks() {
        let engine = engine();
        let y = ramp(&engine, &[2500]);
        let [line] = &engine.curves(None, std::slice::from_ref(&y)).unwrap()[..] else { panic!() };
        assert_eq!((line.step, line.len, line.mean.len()), (3, 2500, 834));
        assert_eq!((line.mean[1], line.low[1], line.high[1]), (4.0, 3.0, 5.0));
        assert_eq!((line.mean[833], line.x.len()), (2499.0, 0));
        let x = engine.binary(BinaryOp::Mul, &y, Scalar::Float(-2.0)).unwrap();
        let lines = engine.curves(Some(&x), &[y.clone(), y]).unwrap();
        assert_eq!((lines.len(), lines[1].x[1]), (2, -8.0));
        // It goes backwards: a band of extremes would say nothing.
        assert_eq!(lines[1].low, lines[1].mean);
    }

    #[test]
    fn bars_count_finite_elements() {
        let engine = engine();
        let x = ramp(&engine, &[10]);
        let bars = engine.bars(&x, 3).unwrap().unwrap();
        assert_eq!((bars.low, bars.high, &bars.counts[..]), (0.0, 9.0, &[3, 3, 4][..]));
        let odd = engine.binary(BinaryOp::Div, &x, Scalar::Float(0.0)).unwrap();
        let bars = engine.bars(&odd, 3).unwrap().unwrap();
        assert_eq!((&bars.counts[..], bars.nan, bars.inf), (&[0; 3][..], 1, 9));
        let values = [f64::NAN, 1.0, 2.0, f64::INFINITY, 3.0, f64::NAN, 2.5, f64::NEG_INFINITY];
        let some =
            engine.from_values(&values.map(Scalar::Float), &Shape::from([8]), DType::F32).unwrap();
        let bars = engine.bars(&some, 2).unwrap().unwrap();
        assert_eq!((bars.low, bars.high, &bars.counts[..]), (1.0, 3.0, &[1, 3][..]));
        assert_eq!((bars.nan, bars.inf), (2, 2));
        let same = engine.full(&Shape::from([4]), Scalar::Float(2.0), DType::F32).unwrap();
        let bars = engine.bars(&same, 2).unwrap().unwrap();
        assert_eq!((bars.low, bars.high, &bars.counts[..]), (1.5, 2.5, &[0, 4][..]));
    }
}
