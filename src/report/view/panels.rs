//! What stands in the place of a view's cells: statistics, the whole slice, help.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diag::Fault;
use crate::report::header::brief;
use crate::report::heat::Scale;
use crate::report::{Bars, Chart, Heat, Markup, Style, Summary, human_count, python_float, spark};

use super::cells::{Cell, legend};
use super::screen::subscript;
use super::{Data, Tell, View, keys};

/// The most rows and columns of blocks that the whole slice is cut into.
const MAX_BLOCKS: usize = 256;

/// Bins of a histogram on a screen with room, and on a small one.
const BINS: usize = 20;
const FEW_BINS: usize = 8;

#[derive(Debug)]
pub(super) enum Panel {
    Cells,
    /// The whole slice as means of blocks.
    Overview(Option<Heat>),
    Statistics(Box<Shown>),
    /// The statistics of each row or column, by its place.
    Along(Side, BTreeMap<usize, Option<Summary>>),
    Help,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Rows,
    Cols,
}

/// Statistics that were asked for.
#[derive(Debug)]
pub(super) struct Shown {
    /// Of the whole tensor, not only of the slice.
    pub is_whole: bool,
    /// Elements, whatever they are.
    pub count: usize,
    pub summary: Option<Summary>,
    pub bars: Option<Bars>,
}

impl Panel {
    /// Of another slice nothing is known.
    pub fn forget(&mut self) {
        match self {
            Panel::Overview(heat) => *heat = None,
            Panel::Along(_, found) => found.clear(),
            Panel::Cells | Panel::Statistics(_) | Panel::Help => {}
        }
    }
}

impl View {
    /// Reads what a panel shows; what fails or is stopped leaves the cells.
    pub(super) fn read_panel(&mut self, data: &mut dyn Data) -> Result<(), Fault> {
        let slice = self.slice();
        let lines = self.along_lines();
        let (row, col) = (self.axes.row, self.axes.col);
        let result = match &mut self.panel {
            Panel::Overview(heat @ None) => {
                data.means(&slice, (row, col), MAX_BLOCKS).map(|found| *heat = Some(found))
            }
            Panel::Along(side, found) => {
                let axis = if *side == Side::Rows { row } else { col };
                let missing = lines.filter(|at| !found.contains_key(at)).collect::<Vec<_>>();
                missing.into_iter().try_for_each(|at| {
                    let mut part = slice.clone();
                    if let Some(axis) = axis {
                        part[axis] = at..at + 1;
                    }
                    found.insert(at, data.summary(&part, &mut |_, _| {})?);
                    Ok(())
                })
            }
            _ => Ok(()),
        };
        if result.is_err() {
            self.panel = Panel::Cells;
        }
        result
    }

    pub(super) fn take_statistics(
        &mut self,
        data: &mut dyn Data,
        is_whole: bool,
        tell: &mut Tell<'_>,
    ) -> Result<(), Fault> {
        let part = if is_whole { self.whole() } else { self.slice() };
        let bins = if self.height >= 2 * BINS { BINS } else { FEW_BINS };
        let count = part.iter().map(Range::len).product();
        let known = self.known.as_ref().filter(|(known, _)| *known == part);
        let summary = match known {
            Some((_, summary)) => summary.clone(),
            None => data.summary(&part, tell)?,
        };
        let bars = match &summary {
            // Of the widest floats the range is none itself.
            Some(summary) if (summary.max - summary.min).is_finite() => {
                Some(data.bars(&part, bins, summary, tell)?)
            }
            _ => None,
        };
        if !is_whole {
            self.known = Some((part, summary.clone()));
        }
        self.scrolled = 0;
        self.panel = Panel::Statistics(Box::new(Shown { is_whole, count, summary, bars }));
        Ok(())
    }

    /// The rows or columns whose statistics fit the screen: those of the cursor's page.
    fn along_lines(&self) -> Range<usize> {
        let axis = match self.panel {
            Panel::Along(Side::Cols, _) => self.axes.col,
            _ => self.axes.row,
        };
        let at = axis.map_or(0, |axis| self.at[axis]);
        let page = self.body_rows().saturating_sub(1).max(1);
        let first = at / page * page;
        first..(first + page).min(self.extent(axis))
    }

    /// Rows and columns that one step of the cursor goes.
    pub(super) fn stride(&self) -> (usize, usize) {
        match &self.panel {
            Panel::Overview(Some(heat)) => self.overview(heat).block,
            _ => (1, 1),
        }
    }

    fn overview(&self, heat: &Heat) -> Heat {
        heat.within(self.body_rows().saturating_sub(1).max(1), (self.width / 2).max(1))
    }

    /// Lines of a panel that the screen has no room for, where keys move the panel and not the cursor.
    pub(super) fn overflow(&self) -> Option<usize> {
        let is_text = matches!(self.panel, Panel::Help | Panel::Statistics(_));
        is_text.then(|| self.panel_lines().len().saturating_sub(self.body_rows()))
    }

    /// The panel's lines, also those that the screen has no room for.
    pub(super) fn panel_lines(&self) -> Vec<Markup> {
        match &self.panel {
            Panel::Cells => self.cell_lines(),
            Panel::Help => keys::help().collect(),
            Panel::Overview(None) => Vec::new(),
            Panel::Overview(Some(heat)) => self.overview_lines(&self.overview(heat)),
            Panel::Statistics(shown) => self.statistics_lines(shown),
            Panel::Along(side, found) => self.along(*side, found),
        }
    }

    fn overview_lines(&self, heat: &Heat) -> Vec<Markup> {
        let scale = Scale::of(heat.values.iter().copied());
        let at =
            |axis: Option<usize>, block: usize| axis.map_or(0, |axis| self.at[axis] / block.max(1));
        let cursor = (at(self.axes.row, heat.block.0), at(self.axes.col, heat.block.1));
        let rows = heat.values.chunks(heat.cols.max(1)).enumerate().map(|(row, values)| {
            let mut line = Markup::new();
            for (col, value) in values.iter().enumerate() {
                match (row, col) == cursor {
                    true => line.push(Style::Cursor, "[]"),
                    false => Cell::of(*value, scale).draw(&mut line),
                }
            }
            line
        });
        let mut lines: Vec<Markup> = rows.collect();
        let (tall, wide) = heat.block;
        let note = match (tall, wide) {
            (1, 1) => String::new(),
            _ => format!("  means of blocks of {tall} × {wide}"),
        };
        lines.push(legend(scale, &heat.values, self.width).dim(note));
        lines
    }

    pub(super) fn statistics_lines(&self, shown: &Shown) -> Vec<Markup> {
        let what = match shown.is_whole {
            true => "the whole tensor".to_string(),
            false => format!("the slice {}", subscript(&self.slice_words())),
        };
        let mut lines = vec![Markup::new().heading(format!("statistics of {what}"))];
        let mut entry = |label: &str, value: Markup| {
            let mut line = Markup::new().dim(format!("{label:<10}"));
            line.append(value);
            lines.push(line);
        };
        entry("elements", Markup::new().number(human_count(shown.count as u64)));
        let Some(summary) = &shown.summary else { return lines };
        if summary.min <= summary.max {
            for (label, value) in [
                ("least", summary.min),
                ("greatest", summary.max),
                ("mean", summary.mean),
                ("sd", summary.sd),
            ] {
                entry(label, Markup::new().number(python_float(value)));
            }
        }
        for (label, count, first) in [
            ("nan", summary.nan_count, &summary.first_nan),
            ("inf", summary.inf_count, &summary.first_inf),
        ] {
            if count > 0 {
                let count = Markup::new().warn(human_count(count));
                entry(label, count.dim(format!(", first at {first:?}")));
            }
        }
        if self.subject.dtype.is_complex() {
            entry("", Markup::new().dim("of the magnitudes"));
        }
        if let Some(bars) = &shown.bars
            && bars.counts.iter().any(|count| *count > 0)
        {
            let bars = Bars { title: String::new(), nan: 0, inf: 0, ..bars.clone() };
            lines.extend(Chart::Bars(bars).to_markup(self.width).lines());
        }
        lines
    }

    fn along(&self, side: Side, found: &BTreeMap<usize, Option<Summary>>) -> Vec<Markup> {
        let (name, axis) = match side {
            Side::Rows => ("row", self.axes.row),
            Side::Cols => ("column", self.axes.col),
        };
        let at = axis.map_or(0, |axis| self.at[axis]);
        let margin = self.extent(axis).saturating_sub(1).to_string().len().max(name.len());
        let mut lines = vec![Markup::new().dim(format!(
            "{name:>margin$} {:>9} {:10} {:>9} {:>9} {:>9} {:>6} {:>6}",
            "least", "", "greatest", "mean", "sd", "nan", "inf"
        ))];
        lines.extend(self.along_lines().map(|place| {
            let style = if place == at { Style::Heading } else { Style::Dim };
            let line = Markup::of(style, format!("{place:>margin$} "));
            let Some(Some(summary)) = found.get(&place) else { return line };
            let number = |value: f64| format!("{:>9}", brief(value));
            let line = match summary.min <= summary.max {
                true => line
                    .plain(number(summary.min))
                    .good(format!(" {:10} ", spark(&summary.histogram)))
                    .plain([summary.max, summary.mean, summary.sd].map(number).join(" ")),
                false => line.dim(format!("{:50}", "  no finite number")),
            };
            [summary.nan_count, summary.inf_count].iter().fold(line, |line, count| match count {
                0 => line.dim(format!(" {:>6}", 0)),
                count => line.warn(format!(" {:>6}", human_count(*count))),
            })
        }));
        lines
    }
}
