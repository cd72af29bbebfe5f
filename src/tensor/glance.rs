//! What printing shows of tensors. However many tensors there are, and whatever is computed for
//! their headers, a device that works behind the host's back is waited for once.

use super::host::HostArray;
use super::{CompareOp, Engine, Error, Tensor};
use crate::dtype::Scalar;
use crate::layout::Shape;
use crate::report::{Summary, Window};

/// A tensor to look at.
#[derive(Debug)]
pub struct Sight<'a> {
    pub tensor: &'a Tensor,
    /// The part to read back.
    pub window: Window,
    /// Whether its summary is wanted.
    pub is_pictured: bool,
}

/// What is seen of it.
#[derive(Debug)]
pub struct Glance {
    /// The window's elements.
    pub elements: HostArray,
    pub summary: Option<Summary>,
}

impl Engine {
    /// Computes what is shown of tensors, and reads it back all together.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError for what is shown.
    pub fn glance(&self, sights: &[Sight<'_>]) -> Result<Vec<Glance>, Error> {
        self.realize(&sights.iter().map(|sight| sight.tensor).collect::<Vec<_>>())?;
        let mut wanted = Vec::with_capacity(sights.len());
        let mut statistics = Vec::with_capacity(sights.len());
        for sight in sights {
            wanted.push(self.window(sight.tensor, &sight.window)?);
        }
        for sight in sights {
            let pictured = sight.is_pictured.then(|| self.statistics(sight.tensor));
            statistics.push(pictured.transpose()?.flatten());
        }
        let nodes = statistics.iter().flatten().flat_map(|statistics| statistics.nodes());
        let all: Vec<&Tensor> = wanted.iter().chain(nodes).collect();
        let mut found = self.read(&all)?;
        let mut numbers = found.split_off(sights.len()).into_iter();
        let pair = |(elements, statistics): (HostArray, Option<super::summary::Statistics>)| {
            let summary = statistics.map(|statistics| {
                let own: Vec<HostArray> = numbers.by_ref().take(statistics.nodes().len()).collect();
                statistics.summary(&own)
            });
            Glance { elements, summary }
        };
        Ok(found.into_iter().zip(statistics).map(pair).collect())
    }

    /// The window's part of a realized tensor, lazily: each long axis is its head and its tail,
    /// chosen by the coordinate, so that one program reads all corners.
    fn window(&self, x: &Tensor, window: &Window) -> Result<Tensor, Error> {
        let mut tests = Vec::new();
        for axis in (0..x.rank()).filter(|axis| window.is_cut(*axis)) {
            let mut line: Shape = std::iter::repeat_n(1, x.rank()).collect();
            line[axis] = 2 * window.edge();
            let place = self.iota_on(x.device().clone(), line, axis as u8);
            let edge = Scalar::Int(window.edge() as i64);
            tests.push((axis, self.compare(CompareOp::Lt, &place, edge)?));
        }
        self.corners(x, &tests, 2 * window.edge())
    }

    fn corners(&self, x: &Tensor, tests: &[(usize, Tensor)], len: usize) -> Result<Tensor, Error> {
        let Some(((axis, is_head), tests)) = tests.split_first() else { return Ok(x.clone()) };
        let head = self.narrow(x, *axis, 0, len, 1)?;
        let tail = self.narrow(x, *axis, x.shape()[*axis] - len, len, 1)?;
        let (head, tail) = (self.corners(&head, tests, len)?, self.corners(&tail, tests, len)?);
        self.select(is_head, &head, &tail)
    }
}
