//! Charts as data: a line, bars, a heat map. Each can be drawn with characters (`plain.rs`); pages
//! draw them as pictures (`html/`). Which numbers stand along an axis is chosen once (`ticks.rs`).

mod frame;
mod plain;
mod plot;
mod ticks;

pub(super) use plain::DOTS;
pub(super) use ticks::{Ticks, widened};

/// Something drawn to scale.
#[derive(Debug, Clone, PartialEq)]
pub enum Chart {
    Line(Line),
    Plot(Plot),
    Bars(Bars),
    Heat(Heat),
}

/// Numbers along one axis. Where there are more than can be seen, a point stands for several.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub title: String,
    /// How many elements a point stands for; the last one may stand for fewer.
    pub step: usize,
    /// How many elements there are.
    pub len: usize,
    /// Where the points stand; empty for their elements' places.
    pub x: Vec<f64>,
    /// The mean of each point's elements.
    pub mean: Vec<f64>,
    /// The smallest and the largest of them; as long as `mean`.
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

/// Curves over one pair of axes; their titles are the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    pub title: String,
    pub lines: Vec<Line>,
}

/// How many numbers fall in each of equally wide bins.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    pub title: String,
    /// Where the first bin begins and the last one ends.
    pub low: f64,
    pub high: f64,
    pub counts: Vec<u64>,
    /// Numbers that are in no bin, because they are none or lie beyond every bound.
    pub nan: u64,
    pub inf: u64,
}

/// Numbers over two axes. Where there are more than can be seen, a cell stands for a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    pub title: String,
    pub rows: usize,
    pub cols: usize,
    /// The mean of each block, in row-major order; not a number where one of its elements is not.
    pub values: Vec<f64>,
    /// Rows and columns of a block; the last ones may be smaller.
    pub block: (usize, usize),
    /// Rows and columns of the whole.
    pub extent: (usize, usize),
}

impl Chart {
    pub fn title(&self) -> &str {
        match self {
            Chart::Line(line) => &line.title,
            Chart::Plot(plot) => &plot.title,
            Chart::Bars(bars) => &bars.title,
            Chart::Heat(heat) => &heat.title,
        }
    }

    /// What a point, a bin or a cell stands for, if that is not one element.
    pub fn note(&self) -> Option<String> {
        match self {
            Chart::Line(Line { step: 1, .. }) | Chart::Heat(Heat { block: (1, 1), .. }) => None,
            Chart::Line(line) => Some(line.note()),
            Chart::Plot(plot) => plot.lines.iter().find(|line| line.step > 1).map(Line::note),
            Chart::Bars(bars) => bars.left_out().map(|odd| format!("without {odd}")),
            Chart::Heat(heat) => {
                Some(format!("means of blocks of {} × {}", heat.block.0, heat.block.1))
            }
        }
    }
}

impl Bars {
    /// `3 nan and 1 inf`, if there are any.
    pub fn left_out(&self) -> Option<String> {
        let odd = [(self.nan, "nan"), (self.inf, "inf")];
        let odd: Vec<String> = odd
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{} {name}", super::human_count(*count)))
            .collect();
        (!odd.is_empty()).then(|| odd.join(" and "))
    }
}

impl Line {
    fn note(&self) -> String {
        // A curve that goes back and forth has no band.
        let what = if self.low == self.high { "means" } else { "mean, smallest and largest" };
        format!("{what} of each {} elements", self.step)
    }

    /// Where a point stands; without numbers for that, in the middle of its elements.
    pub fn at(&self, point: usize) -> f64 {
        if let Some(x) = self.x.get(point) {
            return *x;
        }
        let first = point * self.step;
        let last = (first + self.step).min(self.len).max(first + 1) - 1;
        (first + last) as f64 / 2.0
    }
}

/// From the first place of lines to the last; the wrong way round where none is finite.
pub(super) fn reach(lines: &[Line]) -> (f64, f64) {
    super::heat::range(lines.iter().flat_map(|line| match line.x.is_empty() {
        true => vec![0.0, line.len.saturating_sub(1).max(1) as f64],
        false => line.x.clone(),
    }))
}

impl Heat {
    /// The same with no more rows and columns than these, by means of means. A block that is cut
    /// off at the edge counts as much as a whole one: it is a picture.
    pub fn within(&self, rows: usize, cols: usize) -> Heat {
        let (tall, wide) = (self.rows.div_ceil(rows.max(1)), self.cols.div_ceil(cols.max(1)));
        if tall <= 1 && wide <= 1 {
            return self.clone();
        }
        let (rows, cols) = (self.rows.div_ceil(tall), self.cols.div_ceil(wide));
        let mean = |at: usize| {
            let (top, left) = (at / cols * tall, at % cols * wide);
            let (bottom, right) = ((top + tall).min(self.rows), (left + wide).min(self.cols));
            let cells = (top..bottom).flat_map(|row| (left..right).map(move |col| (row, col)));
            let count = ((bottom - top) * (right - left)) as f64;
            cells.map(|(row, col)| self.values[row * self.cols + col] / count).sum()
        };
        Heat {
            rows,
            cols,
            values: (0..rows * cols).map(mean).collect(),
            block: (self.block.0 * tall, self.block.1 * wide),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heat_map_shrinks_by_means() {
        let heat = Heat {
            title: String::new(),
            rows: 3,
            cols: 2,
            values: vec![1.0, 3.0, 5.0, 7.0, 10.0, 20.0],
            block: (1, 1),
            extent: (3, 2),
        };
        let small = heat.within(2, 1);
        assert_eq!((small.rows, small.cols, small.block), (2, 1, (2, 2)));
        assert_eq!(small.values, [4.0, 15.0]);
        assert_eq!(heat.within(8, 8), heat);
    }
}
