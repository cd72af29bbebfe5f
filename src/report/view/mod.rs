//! A tensor seen slice by slice: what a user moves with keys, as data.
//!
//! A [`View`] is a place in a tensor and a choice of what is shown of it. Keys change it, and say what work they
//! wish for ([`View::press`]); the work asks [`Data`], which is all that is known of the tensor
//! ([`View::fulfil`], [`View::refresh`]); and a view becomes the lines of a screen ([`View::lines`]). Nothing
//! here knows a terminal or a device: of the tensor only the cells that a screen shows are asked for.

mod axes;
mod cells;
mod keys;
mod page;
mod panels;
mod place;
mod screen;
mod slides;
mod test;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::diag::{ErrorKind, Fault};
use crate::dtype::DType;

use super::{Bars, Elements, Heat, Markup, Summary};
use axes::Axes;
use cells::Seen;
use panels::Panel;

pub use keys::{Key, Wish};
pub use page::{Below, COLS, Cell, Errand, Page, Place, ROWS, Sheet};
pub use slides::{Deck, Slides};
pub use test::{Relation, Test};

/// Slices with more elements than this have their statistics when a user asks for them.
const LIGHT: usize = 1 << 20;

/// Ranges of indices, one for each axis.
pub type Part = [Range<usize>];

/// Told now and then how many elements long work has been through, and how many there are.
pub type Tell<'a> = dyn FnMut(usize, usize) + 'a;

/// What a view asks of its tensor. Each call hears Ctrl-C.
pub trait Data {
    /// The elements of a part, in row-major order.
    ///
    /// # Errors
    /// What reading brings up.
    fn elements(&mut self, part: &Part) -> Result<Elements, Fault>;

    /// The values of a part in a few numbers, of complex numbers those of their magnitudes; `None` of no elements. The
    /// first NaN and the first infinity have an index in the whole tensor.
    ///
    /// # Errors
    /// What reading brings up.
    fn summary(&mut self, part: &Part, tell: &mut Tell<'_>) -> Result<Option<Summary>, Fault>;

    /// How many of a part's finite elements fall in each of so many bins, over the range that its summary says.
    ///
    /// # Errors
    /// What reading brings up.
    fn bars(
        &mut self,
        part: &Part,
        bins: usize,
        summary: &Summary,
        tell: &mut Tell<'_>,
    ) -> Result<Bars, Fault>;

    /// Means of blocks of a part that is more than one element long along these two axes at most, rows and
    /// columns, at most so many of them either way.
    ///
    /// # Errors
    /// What reading brings up.
    fn means(
        &mut self,
        part: &Part,
        axes: (Option<usize>, Option<usize>),
        most: usize,
    ) -> Result<Heat, Fault>;

    /// The first element in row-major order that passes a test, behind an index if there is one; or the last, before
    /// it.
    ///
    /// # Errors
    /// What reading brings up.
    fn find(
        &mut self,
        test: Test,
        from: Option<&[usize]>,
        is_forward: bool,
        tell: &mut Tell<'_>,
    ) -> Result<Option<Vec<usize>>, Fault>;
}

/// What is viewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The expression.
    pub title: String,
    pub dtype: DType,
    pub shape: Vec<usize>,
    /// Where it lies: `cpu`, `cuda:0`, a file.
    pub place: String,
    pub bytes: u64,
}

/// What the line at the bottom takes down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prompt {
    Index,
    Value,
}

/// A place in a tensor, and what is shown of it.
#[derive(Debug)]
pub struct View {
    subject: Subject,
    /// Columns and rows of the screen.
    width: usize,
    height: usize,
    axes: Axes,
    /// The cursor's index.
    at: Vec<usize>,
    /// The first row and column that are seen.
    corner: (usize, usize),
    is_heat: bool,
    /// Whether somebody moves a cursor; a still view has none, and no line at the bottom.
    has_cursor: bool,
    panel: Panel,
    /// Lines of a panel above the screen.
    scrolled: usize,
    prompt: Option<(Prompt, String)>,
    /// Told once, in the place of the hints.
    message: Option<Markup>,
    /// What `n` and `N` look for, and its text.
    test: (Test, String),
    seen: Option<Seen>,
    /// The slice whose statistics are known, and they.
    known: Option<(Vec<Range<usize>>, Option<Summary>)>,
}

impl View {
    pub fn new(subject: Subject) -> View {
        let rank = subject.shape.len();
        View {
            axes: Axes::of(rank),
            at: vec![0; rank],
            subject,
            width: 80,
            height: 24,
            corner: (0, 0),
            is_heat: false,
            has_cursor: true,
            panel: Panel::Cells,
            scrolled: 0,
            prompt: None,
            message: None,
            test: (Test::Odd, "nan or inf".to_string()),
            seen: None,
            known: None,
        }
    }

    /// The screen has so many columns and rows.
    pub fn resize(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width.max(1), height.max(1));
    }

    /// The cursor's index.
    pub fn index(&self) -> &[usize] {
        &self.at
    }

    /// What the line at the bottom says for once.
    pub fn tell(&mut self, message: Markup) {
        self.message = Some(message);
    }

    fn is_empty(&self) -> bool {
        self.subject.shape.contains(&0)
    }

    /// Elements along an axis; one where there is none.
    fn extent(&self, axis: Option<usize>) -> usize {
        axis.map_or(1, |axis| self.subject.shape[axis])
    }

    /// The slice that is seen: whole along the two axes.
    fn slice(&self) -> Vec<Range<usize>> {
        self.part(0..self.extent(self.axes.row), 0..self.extent(self.axes.col))
    }

    /// Rows and columns of the slice.
    fn part(&self, rows: Range<usize>, cols: Range<usize>) -> Vec<Range<usize>> {
        let mut part: Vec<Range<usize>> = self.at.iter().map(|at| *at..at + 1).collect();
        for (axis, range) in [(self.axes.row, rows), (self.axes.col, cols)] {
            if let Some(axis) = axis {
                part[axis] = range;
            }
        }
        part
    }

    fn whole(&self) -> Vec<Range<usize>> {
        self.subject.shape.iter().map(|len| 0..*len).collect()
    }

    /// Reads what the screen shows and is not there yet.
    pub fn refresh(&mut self, data: &mut dyn Data) {
        if let Err(fault) = self.try_refresh(data) {
            self.complain(&fault);
        }
    }

    fn try_refresh(&mut self, data: &mut dyn Data) -> Result<(), Fault> {
        if self.is_empty() {
            return Ok(());
        }
        self.know_slice(data)?;
        self.read_cells(data)?;
        self.read_panel(data)
    }

    /// Takes the statistics of a small slice.
    fn know_slice(&mut self, data: &mut dyn Data) -> Result<(), Fault> {
        let slice = self.slice();
        let is_known = self.known.as_ref().is_some_and(|(known, _)| *known == slice);
        if !is_known && slice.iter().map(Range::len).product::<usize>() <= LIGHT {
            let summary = data.summary(&slice, &mut |_, _| {})?;
            self.known = Some((slice, summary));
        }
        Ok(())
    }

    /// Does what a key wished for.
    pub fn fulfil(&mut self, wish: Wish, data: &mut dyn Data, tell: &mut Tell<'_>) {
        self.message = None;
        let result = match wish {
            Wish::Nothing | Wish::Leave | Wish::Redraw | Wish::Refresh => Ok(()),
            Wish::Find { is_forward } => {
                self.find(data, Some(self.at.clone()), is_forward, tell).map(drop)
            }
            Wish::Statistics { is_whole } => self.take_statistics(data, is_whole, tell),
        };
        if let Err(fault) = result {
            self.complain(&fault);
        }
    }

    fn complain(&mut self, fault: &Fault) {
        self.message = Some(match fault.kind {
            ErrorKind::KeyboardInterrupt => Markup::new().warn("stopped"),
            _ => Markup::new().error("error").plain(format!(": {}", fault.message)),
        });
    }

    /// The next element that passes the test, behind an index and then from the other end; whether there is one.
    fn find(
        &mut self,
        data: &mut dyn Data,
        from: Option<Vec<usize>>,
        is_forward: bool,
        tell: &mut Tell<'_>,
    ) -> Result<bool, Fault> {
        let (test, text) = self.test.clone();
        let mut found = match self.is_empty() {
            true => None,
            false => data.find(test, from.as_deref(), is_forward, tell)?,
        };
        let mut is_again = false;
        if found.is_none() && from.is_some() && !self.is_empty() {
            found = data.find(test, None, is_forward, tell)?;
            is_again = true;
        }
        self.message = match &found {
            None => Some(Markup::new().warn(format!("no element is {text}"))),
            Some(_) if is_again && is_forward => Some(Markup::new().dim("on from the beginning")),
            Some(_) if is_again => Some(Markup::new().dim("on from the end")),
            Some(_) => None,
        };
        let is_found = found.is_some();
        if let Some(found) = found {
            self.panel = Panel::Cells;
            self.at = found;
        }
        Ok(is_found)
    }
}
