//! A tensor as a picture: means of blocks of its last two axes, or means and extremes of pieces of
//! its only one. Lazy nodes, so that a glance reads them with everything else.

use super::host::HostArray;
use super::{Engine, Error, Reduction, Tensor};
use crate::dtype::DType;
use crate::report::{Chart, Heat, Line};

/// The most rows and columns of a heat map, and points of a line.
const MAX_CELLS: usize = 64;
const MAX_POINTS: usize = 256;

/// The nodes behind a [`Chart`].
#[derive(Debug)]
pub(super) struct Picture {
    /// For a line means, smallest and largest of each part; for a heat map its parts' means.
    nodes: Vec<Tensor>,
    rows: Axis,
    cols: Axis,
    is_line: bool,
    title: String,
}

/// An axis cut in blocks; the last one may be shorter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub len: usize,
    pub block: usize,
}

/// Blocks of one length: where they begin, how many there are, how long each is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    start: usize,
    count: usize,
    block: usize,
}

impl Axis {
    pub fn new(len: usize, most: usize) -> Axis {
        Axis { len, block: len.div_ceil(most).max(1) }
    }

    fn count(self) -> usize {
        self.len.div_ceil(self.block)
    }

    /// The whole blocks, and the rest.
    pub fn parts(self) -> Vec<Part> {
        let whole = self.len / self.block;
        let rest = self.len % self.block;
        let parts = [
            Part { start: 0, count: whole, block: self.block },
            Part { start: whole * self.block, count: 1, block: rest },
        ];
        parts.into_iter().filter(|part| part.count * part.block > 0).collect()
    }
}

impl Engine {
    /// What a picture of a realized tensor reads; `None` where it has no axis or no element. Of
    /// more than two axes the last two are drawn, at the beginning of the others.
    pub(super) fn picture(&self, x: &Tensor) -> Result<Option<Picture>, Error> {
        self.picture_within(x, MAX_CELLS)
    }

    /// A matrix as means of blocks, so that neither side has more cells than `most`.
    ///
    /// # Errors
    /// What computing it may bring up; MemoryError.
    pub fn sheet(&self, x: &Tensor, most: usize) -> Result<Heat, Error> {
        let (rows, cols) = (x.shape()[0], x.shape()[1]);
        self.realize(&[x])?;
        if let Some(picture) = self.picture_within(x, most)? {
            let found = self.read(&picture.nodes().iter().collect::<Vec<_>>())?;
            if let Chart::Heat(heat) = picture.chart(&found) {
                return Ok(heat);
            }
        }
        let (title, values, block) = (String::new(), Vec::new(), (1, 1));
        Ok(Heat { title, rows: 0, cols: 0, values, block, extent: (rows, cols) })
    }

    fn picture_within(&self, x: &Tensor, most: usize) -> Result<Option<Picture>, Error> {
        let rank = x.rank();
        if rank == 0 || x.elem_count() == 0 {
            return Ok(None);
        }
        let mut sheet = x.clone();
        for _ in 2..rank {
            sheet = self.narrow(&sheet, 0, 0, 1, 1)?;
            sheet = self.squeeze(&sheet, Some(&[0]))?;
        }
        let title = match rank {
            0..=2 => String::new(),
            _ => format!("[{}:, :]", "0, ".repeat(rank - 2)),
        };
        // Float64 holds every element, and what a block of them adds up to.
        let sheet = self.cast(&sheet, DType::F64)?;
        let is_line = rank == 1;
        let (rows, cols) = match is_line {
            true => (Axis::new(1, 1), Axis::new(sheet.shape()[0], MAX_POINTS)),
            false => {
                let shape = sheet.shape();
                (Axis::new(shape[0], most), Axis::new(shape[1], most))
            }
        };
        let mut nodes = Vec::new();
        if is_line {
            for op in [Reduction::Mean, Reduction::Min, Reduction::Max] {
                for part in cols.parts() {
                    let blocks = self.blocks(&sheet, &[part])?;
                    nodes.push(self.reduce(op, &blocks, Some(&[1]), false)?);
                }
            }
        } else {
            for row in rows.parts() {
                for col in cols.parts() {
                    let blocks = self.blocks(&sheet, &[row, col])?;
                    nodes.push(self.reduce(Reduction::Mean, &blocks, Some(&[1, 3]), false)?);
                }
            }
        }
        Ok(Some(Picture { nodes, rows, cols, is_line, title }))
    }

    /// A part of each axis, as two axes: which block, and the place in it.
    pub(super) fn blocks(&self, x: &Tensor, parts: &[Part]) -> Result<Tensor, Error> {
        let mut part = x.clone();
        let mut extents = Vec::new();
        for (axis, Part { start, count, block }) in parts.iter().enumerate() {
            part = self.narrow(&part, axis, *start, count * block, 1)?;
            extents.extend([*count as i64, *block as i64]);
        }
        self.reshape(&part, &extents)
    }
}

impl Picture {
    pub fn nodes(&self) -> &[Tensor] {
        &self.nodes
    }

    /// From the values of the nodes.
    pub fn chart(&self, found: &[HostArray]) -> Chart {
        let floats = |array: &HostArray| -> Vec<f64> {
            array.to_scalars().into_iter().map(|value| value.as_f64()).collect()
        };
        if self.is_line {
            let parts = found.len() / 3;
            let all = |at: usize| found[at * parts..(at + 1) * parts].iter().flat_map(floats);
            return Chart::Line(Line {
                title: self.title.clone(),
                step: self.cols.block,
                len: self.cols.len,
                x: Vec::new(),
                mean: all(0).collect(),
                low: all(1).collect(),
                high: all(2).collect(),
            });
        }
        let (rows, cols) = (self.rows.count(), self.cols.count());
        let mut values = vec![0.0; rows * cols];
        let mut arrays = found.iter();
        let mut top = 0;
        for row in self.rows.parts() {
            let mut left = 0;
            for (col, array) in self.cols.parts().iter().zip(arrays.by_ref()) {
                for (at, value) in floats(array).into_iter().enumerate() {
                    let (down, along) = (top + at / col.count, left + at % col.count);
                    values[down * cols + along] = value;
                }
                left += col.count;
            }
            top += row.count;
        }
        Chart::Heat(Heat {
            title: self.title.clone(),
            rows,
            cols,
            values,
            block: (self.rows.block, self.cols.block),
            extent: (self.rows.len, self.cols.len),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{PrintOptions, Window};
    use crate::tensor::{
        Sight,
        tests::{engine, ramp},
    };

    fn chart(engine: &Engine, x: &Tensor) -> Chart {
        let window = Window::of(x.shape(), &PrintOptions::default());
        let sight = Sight { tensor: x, window, is_pictured: false, is_drawn: true };
        engine.glance(&[sight]).unwrap().remove(0).chart.unwrap()
    }

    #[test]
    fn blocks_at_the_edges_are_means_of_what_is_there() {
        let engine = engine();
        let Chart::Heat(heat) = chart(&engine, &ramp(&engine, &[130, 65])) else { panic!() };
        assert_eq!((heat.rows, heat.cols, heat.block), (44, 33, (3, 2)));
        let mean = |rows: std::ops::Range<usize>, cols: std::ops::Range<usize>| {
            let count = (rows.len() * cols.len()) as f64;
            let all = rows.flat_map(|row| cols.clone().map(move |col| (row * 65 + col) as f64));
            all.sum::<f64>() / count
        };
        assert_eq!(heat.values[0], mean(0..3, 0..2));
        assert_eq!(heat.values[32], mean(0..3, 64..65));
        assert_eq!(heat.values[43 * 33 + 1], mean(129..130, 2..4));
        assert_eq!(heat.values[44 * 33 - 1], mean(129..130, 64..65));
    }

    #[test]
    fn a_line_knows_its_extremes() {
        let engine = engine();
        let Chart::Line(line) = chart(&engine, &ramp(&engine, &[1000])) else { panic!() };
        assert_eq!((line.step, line.len, line.mean.len()), (4, 1000, 250));
        assert_eq!((line.mean[1], line.low[1], line.high[1]), (5.5, 4.0, 7.0));
        let Chart::Line(line) = chart(&engine, &ramp(&engine, &[513])) else { panic!() };
        assert_eq!((line.step, line.mean.len(), line.mean[170]), (3, 171, 511.0));
    }

    #[test]
    fn more_axes_show_their_last_two() {
        let engine = engine();
        let x = ramp(&engine, &[2, 3, 4]);
        let Chart::Heat(heat) = chart(&engine, &engine.transpose(&x).unwrap()) else { panic!() };
        assert_eq!(heat.title, "[0, :, :]");
        assert_eq!(heat.values, [0.0, 12.0, 4.0, 16.0, 8.0, 20.0]);
    }
}
