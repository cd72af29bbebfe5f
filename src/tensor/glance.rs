//! What printing shows of tensors. However many tensors there are, and whatever is computed for
//! their headers, a device that works behind the host's back is waited for once.

use super::host::HostArray;
use super::{CompareOp, Engine, Error, Tensor};
use crate::dtype::Scalar;
use crate::layout::Shape;
use crate::report::{Chart, Summary, Window};

/// A tensor to look at.
#[derive(Debug)]
pub struct Sight<'a> {
    pub tensor: &'a Tensor,
    /// The part to read back.
    pub window: Window,
    /// Whether its summary is wanted.
    pub is_pictured: bool,
    /// Whether a chart of the whole is wanted.
    pub is_drawn: bool,
}

/// What is seen of it.
#[derive(Debug)]
pub struct Glance {
    /// The window's elements.
    pub elements: HostArray,
    pub summary: Option<Summary>,
    pub chart: Option<Chart>,
}

impl Engine {
    /// Computes what is shown of tensors, and reads it back all together.
    ///
    /// # Errors
    /// What computing them may bring up; MemoryError for what is shown.
    pub fn glance(&self, sights: &[Sight<'_>]) -> Result<Vec<Glance>, Error> {
        self.realize(&sights.iter().map(|sight| sight.tensor).collect::<Vec<_>>())?;
        let mut wanted = Vec::with_capacity(sights.len());
        let mut behind = Vec::with_capacity(sights.len());
        for sight in sights {
            self.interrupt.heed()?;
            wanted.push(self.window(sight.tensor, &sight.window)?);
        }
        for sight in sights {
            self.interrupt.heed()?;
            let pictured = sight.is_pictured.then(|| self.statistics(sight.tensor));
            let drawn = sight.is_drawn.then(|| self.picture(sight.tensor));
            behind.push((pictured.transpose()?.flatten(), drawn.transpose()?.flatten()));
        }
        let nodes = behind.iter().flat_map(|(statistics, picture)| {
            let statistics = statistics.iter().flat_map(|statistics| statistics.nodes());
            statistics.chain(picture.iter().flat_map(|picture| picture.nodes()))
        });
        let all: Vec<&Tensor> = wanted.iter().chain(nodes).collect();
        let mut found = self.read(&all)?;
        let mut rest = found.split_off(sights.len()).into_iter();
        let mut own =
            |nodes: &[Tensor]| -> Vec<HostArray> { rest.by_ref().take(nodes.len()).collect() };
        let glances = found.into_iter().zip(&behind).map(|(elements, (statistics, picture))| {
            let summary = statistics.as_ref().map(|it| it.summary(&own(it.nodes())));
            let chart = picture.as_ref().map(|it| it.chart(&own(it.nodes())));
            Glance { elements, summary, chart }
        });
        Ok(glances.collect())
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
