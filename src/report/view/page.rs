//! A view that a page moves: controls say what is to be shown, and get a sheet of it.

use std::ops::Range;

use crate::diag::Fault;
use crate::report::heat::{Color, ODD, Scale};
use crate::report::{Chart, Markup, Report};

use super::panels::{Panel, Side};
use super::screen::subscript;
use super::{Data, Subject, Tell, Test, View, place};

/// Rows and columns of cells on a page, at most.
pub const ROWS: usize = 20;
pub const COLS: usize = 12;

/// Columns of a line of text, and rows, which leave room for a long histogram.
const WIDTH: usize = 100;
const HEIGHT: usize = 44;

/// What stands below the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Below {
    #[default]
    Nothing,
    /// The whole slice as a picture.
    Overview,
    SliceStatistics,
    WholeStatistics,
    RowStatistics,
    ColStatistics,
}

impl Below {
    /// Each with its name in messages, and what a user reads.
    pub const ALL: [(Below, &'static str, &'static str); 6] = [
        (Below::Nothing, "nothing", "nothing else"),
        (Below::Overview, "overview", "the whole slice as a picture"),
        (Below::SliceStatistics, "slice", "statistics of the slice"),
        (Below::WholeStatistics, "whole", "statistics of the whole tensor"),
        (Below::RowStatistics, "rows", "statistics of each row"),
        (Below::ColStatistics, "columns", "statistics of each column"),
    ];
}

/// What controls say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// An index: of rows and columns that are shown, of the first ones.
    pub at: Vec<usize>,
    pub row: Option<usize>,
    pub col: Option<usize>,
    pub is_colored: bool,
    pub below: Below,
}

/// Something to be done once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// The next element that passes a test, or the one before; an empty text means NaN and infinities.
    Find { text: String, is_forward: bool },
    /// To an index, as a user types it.
    GoTo(String),
}

/// What is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// `slice [2, ↓, →]` and its values in a line.
    pub head: Markup,
    /// The numbers of the rows and columns, where there are such.
    pub rows: Option<Range<usize>>,
    pub cols: Option<Range<usize>>,
    /// The cells in row-major order.
    pub cells: Vec<Cell>,
    pub scale: Option<Scale>,
    pub below: Vec<Report>,
    /// What the user should know, said once.
    pub message: Option<Markup>,
}

/// An element.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub word: String,
    /// Its index and all its digits.
    pub title: String,
    pub color: Option<Color>,
    /// Whether it is what was looked for.
    pub is_marked: bool,
}

/// A view, moved by [`Place`]s and [`Errand`]s.
#[derive(Debug)]
pub struct Page {
    view: View,
    is_colored: bool,
    below: Below,
    /// What was found last.
    mark: Option<Vec<usize>>,
}

impl Page {
    pub fn new(subject: Subject) -> Page {
        let mut view = View::new(subject);
        view.resize(WIDTH, HEIGHT);
        view.has_cursor = false;
        Page { view, is_colored: false, below: Below::Nothing, mark: None }
    }

    pub fn subject(&self) -> &Subject {
        &self.view.subject
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        let mut at = self.view.at.clone();
        let (top, left) = self.view.corner;
        for (axis, from) in [(self.view.axes.row, top), (self.view.axes.col, left)] {
            if let Some(axis) = axis {
                at[axis] = from;
            }
        }
        let (row, col) = (self.view.axes.row, self.view.axes.col);
        Place { at, row, col, is_colored: self.is_colored, below: self.below }
    }

    /// The elements may be others than they were.
    pub fn forget(&mut self) {
        self.view.known = None;
        self.view.seen = None;
        self.view.panel = Panel::Cells;
    }

    /// What the next sheet says once.
    pub fn tell(&mut self, message: Markup) {
        self.view.message = Some(message);
    }

    /// Goes where controls say.
    ///
    /// # Errors
    /// What is wrong with the place, in a sentence; the page is where it was.
    pub fn go(&mut self, place: &Place) -> Result<(), String> {
        let shape = self.view.subject.shape.clone();
        let rank = shape.len();
        if place.at.len() != rank {
            return Err(format!("expected an index of {rank} numbers, found {}", place.at.len()));
        }
        for (axis, (at, len)) in place.at.iter().zip(&shape).enumerate() {
            if at >= len && *len > 0 {
                return Err(format!("index {at} is out of bounds for axis {axis} with size {len}"));
            }
        }
        if let Some(axis) = [place.row, place.col].into_iter().flatten().find(|axis| *axis >= rank)
        {
            return Err(format!("expected an axis below {rank}, found {axis}"));
        }
        let shown = usize::from(place.row.is_some()) + usize::from(place.col.is_some());
        if shown != rank.min(2) || (rank > 1 && place.row == place.col) {
            return Err("expected one axis as rows and another as columns".to_string());
        }
        let before = self.view.slice();
        (self.view.axes.row, self.view.axes.col) = (place.row, place.col);
        self.view.at.clone_from(&place.at);
        self.view.corner = (self.from(place.row, ROWS), self.from(place.col, COLS));
        self.is_colored = place.is_colored;
        if place.below != self.below || before != self.view.slice() {
            let is_of_all = place.below == Below::WholeStatistics && place.below == self.below;
            self.view.panel = match std::mem::replace(&mut self.view.panel, Panel::Cells) {
                panel @ Panel::Statistics(_) if is_of_all => panel,
                _ => Panel::Cells,
            };
        }
        self.below = place.below;
        Ok(())
    }

    /// The first row or column that is shown: as many as there is room for, where there are so many.
    fn from(&self, axis: Option<usize>, room: usize) -> usize {
        axis.map_or(0, |axis| {
            self.view.at[axis].min(self.view.extent(Some(axis)).saturating_sub(room))
        })
    }

    /// Does something once.
    pub fn run(&mut self, errand: &Errand, data: &mut dyn Data, tell: &mut Tell<'_>) {
        let found = match errand {
            Errand::GoTo(text) => place::parse(text, &self.view.subject.shape).map(|items| {
                self.view.go_to(&items);
                true
            }),
            Errand::Find { text, is_forward } => {
                let test = Test::parse(text, self.view.subject.dtype);
                test.map(|test| {
                    let name = if test == Test::Odd { "nan or inf" } else { text.trim() };
                    self.view.test = (test, name.to_string());
                    self.find(*is_forward, data, tell)
                })
            }
        };
        match found {
            Ok(true) => {
                self.mark = Some(self.view.at.clone());
                self.view.panel = Panel::Cells;
                let (row, col) = (self.view.axes.row, self.view.axes.col);
                let (top, left) = self.view.corner;
                self.view.corner = (self.around(row, ROWS, top), self.around(col, COLS, left));
            }
            Ok(false) => {}
            Err(message) => self.view.message = Some(Markup::new().warn(message)),
        }
    }

    /// Whether there is such an element: the view's cursor is there then. Where nothing was found before that is
    /// still seen, the first cell that is seen is the first that is looked at.
    fn find(&mut self, is_forward: bool, data: &mut dyn Data, tell: &mut Tell<'_>) -> bool {
        let (rows, cols) = self.window();
        let here = self.place().at;
        let is_seen = |mark: &&Vec<usize>| {
            mark.iter().enumerate().all(|(axis, at)| match Some(axis) {
                axis if self.view.axes.row == axis => rows.contains(at),
                axis if self.view.axes.col == axis => cols.contains(at),
                _ => *at == here[axis],
            })
        };
        let from = match self.mark.as_ref().filter(is_seen) {
            Some(mark) => Some(mark.clone()),
            None if is_forward => before(&here, &self.view.subject.shape),
            None => Some(here),
        };
        self.view.find(data, from, is_forward, tell).unwrap_or_else(|fault| {
            self.view.complain(&fault);
            false
        })
    }

    /// Where rows or columns begin so that the cursor is seen: as they do, if it is.
    fn around(&self, axis: Option<usize>, room: usize, from: usize) -> usize {
        let Some(axis) = axis else { return 0 };
        let (at, last) = (self.view.at[axis], self.view.extent(Some(axis)).saturating_sub(room));
        if (from..from + room).contains(&at) { from.min(last) } else { at.min(last) }
    }

    /// Reads what is not there yet, and shows it. What was said before is said no more.
    pub fn sheet(&mut self, data: &mut dyn Data, tell: &mut Tell<'_>) -> Sheet {
        if let Err(fault) = self.read(data, tell) {
            self.view.complain(&fault);
        }
        let view = &mut self.view;
        let message = view.message.take();
        let mut head = Markup::new();
        if view.at.len() > 2 {
            head = head.dim("slice ").plain(subscript(&view.slice_words())).plain("  ");
        }
        let slice = view.slice();
        match view.known.as_ref().filter(|(known, _)| *known == slice) {
            Some((_, Some(summary))) => head.append(summary.to_markup()),
            None if !view.is_empty() => {
                head =
                    head.dim("a large slice: its statistics are computed when they are asked for");
            }
            _ => {}
        }
        let scale = view.scale();
        let (rows, cols) = self.window();
        Sheet {
            head,
            rows: self.view.axes.row.map(|_| rows),
            cols: self.view.axes.col.map(|_| cols),
            cells: self.cells(scale),
            scale: scale.filter(|_| self.is_colored),
            below: self.below(),
            message,
        }
    }

    fn window(&self) -> (Range<usize>, Range<usize>) {
        let (top, left) = self.view.corner;
        let (tall, wide) =
            (self.view.extent(self.view.axes.row), self.view.extent(self.view.axes.col));
        (top..(top + ROWS).min(tall), left..(left + COLS).min(wide))
    }

    fn read(&mut self, data: &mut dyn Data, tell: &mut Tell<'_>) -> Result<(), Fault> {
        let result = self.try_read(data, tell);
        if result.is_err() {
            self.below = Below::Nothing;
            self.view.panel = Panel::Cells;
        }
        result
    }

    fn try_read(&mut self, data: &mut dyn Data, tell: &mut Tell<'_>) -> Result<(), Fault> {
        if self.view.is_empty() {
            return Ok(());
        }
        self.view.know_slice(data)?;
        let (rows, cols) = self.window();
        let seen = self.view.seen_of(data, rows, cols)?;
        self.view.seen = Some(seen);
        match (self.below, &self.view.panel) {
            (Below::Nothing, _) => {
                self.view.panel = Panel::Cells;
                Ok(())
            }
            (_, Panel::Statistics(_)) => Ok(()),
            (Below::Overview, _) => {
                self.view.panel = Panel::Overview(None);
                self.view.read_panel(data)
            }
            (Below::SliceStatistics, _) => self.view.take_statistics(data, false, tell),
            (Below::WholeStatistics, _) => self.view.take_statistics(data, true, tell),
            (Below::RowStatistics | Below::ColStatistics, panel) => {
                let side = if self.below == Below::RowStatistics { Side::Rows } else { Side::Cols };
                if !matches!(panel, Panel::Along(known, _) if *known == side) {
                    self.view.panel = Panel::Along(side, Default::default());
                }
                self.view.read_panel(data)
            }
        }
    }

    fn cells(&self, scale: Option<Scale>) -> Vec<Cell> {
        let Some(seen) = &self.view.seen else { return Vec::new() };
        let (rows, cols) = self.window();
        let mut index = self.view.at.clone();
        let mut cells = Vec::with_capacity(rows.len() * cols.len());
        for row in rows {
            for col in cols.clone() {
                for (axis, at) in [(self.view.axes.row, row), (self.view.axes.col, col)] {
                    if let Some(axis) = axis {
                        index[axis] = at;
                    }
                }
                let Some((word, value, exact)) = seen.element(row, col) else { continue };
                let color = match value.is_finite() {
                    false => Some(ODD),
                    true => scale.filter(|_| self.is_colored).map(|scale| scale.color(value)),
                };
                cells.push(Cell {
                    word: word.trim_start().to_string(),
                    title: format!("{index:?} = {exact}"),
                    color,
                    is_marked: self.mark.as_ref() == Some(&index),
                });
            }
        }
        cells
    }

    fn below(&self) -> Vec<Report> {
        let text = |lines: &[Markup]| {
            let mut text = Markup::new();
            for (at, line) in lines.iter().enumerate() {
                text = if at > 0 { text.newline() } else { text };
                text.append(line.clone());
            }
            Report::Text(text)
        };
        match &self.view.panel {
            Panel::Overview(Some(heat)) => vec![Chart::Heat(heat.clone()).into()],
            Panel::Statistics(shown) => {
                let lines = self.view.statistics_lines(&super::panels::Shown {
                    bars: None,
                    summary: shown.summary.clone(),
                    ..**shown
                });
                let bars = shown.bars.iter().map(|bars| Report::from(Chart::Bars(bars.clone())));
                std::iter::once(text(&lines)).chain(bars).collect()
            }
            Panel::Along(..) => vec![text(&self.view.panel_lines())],
            Panel::Cells | Panel::Overview(None) | Panel::Help => Vec::new(),
        }
    }
}

/// The index before one, in row-major order; none before the first.
fn before(at: &[usize], shape: &[usize]) -> Option<Vec<usize>> {
    let axis = at.iter().rposition(|at| *at > 0)?;
    let mut found = at.to_vec();
    found[axis] -= 1;
    for (at, len) in found.iter_mut().zip(shape).skip(axis + 1) {
        *at = len.saturating_sub(1);
    }
    Some(found)
}
