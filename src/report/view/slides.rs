//! A view that nobody moves: what a pipe, a program or a notebook is shown.

use std::ops::Range;

use crate::diag::Fault;
use crate::report::heat::{Scale, range};
use crate::report::{Markup, Report};

use super::cells::words;
use super::{Data, Subject, View};

/// Rows of the slice in the text, at most, and columns of the screen.
const ROWS: usize = 16;
const WIDTH: usize = 80;

/// A page has all elements of tensors with no more of them.
const MAX_EMBEDDED: usize = 20_000;

/// The first slice as text, and for pages all slices of a small tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Slides {
    pub subject: Subject,
    pub text: Markup,
    /// None where there are too many elements, or no axis to walk along.
    pub deck: Option<Deck>,
    /// Whether a front end that knows anywidget has controls in its place.
    pub has_controls: bool,
}

impl Slides {
    /// Whether a page shows less than there is.
    pub fn is_cut(&self) -> bool {
        self.deck.is_none() && self.subject.shape.iter().product::<usize>() > 1
    }
}

/// All elements of a tensor, in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub struct Deck {
    pub words: Vec<String>,
    pub values: Vec<f64>,
}

impl Deck {
    pub fn scale(&self) -> Option<Scale> {
        let (low, high) = range(self.values.iter().copied());
        Scale::over(low, high)
    }
}

impl From<Slides> for Report {
    fn from(slides: Slides) -> Report {
        Report::Slides(Box::new(slides))
    }
}

impl View {
    /// The view where nobody can move it; `is_page` where sliders may be shown.
    ///
    /// # Errors
    /// What reading brings up.
    pub fn slides(mut self, data: &mut dyn Data, is_page: bool) -> Result<Slides, Fault> {
        self.has_cursor = false;
        let rows = self.extent(self.axes.row).min(ROWS);
        // The head, the numbers of the columns, the rows.
        self.resize(WIDTH, 3 + 1 + rows.max(4));
        self.try_refresh(data)?;
        let mut text = Markup::new();
        let lines = self.lines();
        for line in lines.iter().filter(|line| !line.to_plain().trim().is_empty()) {
            text = if text.is_empty() { text } else { text.newline() };
            text.append(trimmed(line));
        }
        if let Some(rest) = self.rest() {
            text = text.newline().dim(rest);
        }
        let count: usize = self.subject.shape.iter().product();
        let has_deck = is_page && (1..=MAX_EMBEDDED).contains(&count) && !self.at.is_empty();
        let deck = match has_deck {
            true => {
                let elements = data.elements(&self.whole())?;
                let values: Vec<f64> = (0..elements.len()).map(|at| elements.value(at)).collect();
                Some(Deck { words: words(&elements, &values), values })
            }
            false => None,
        };
        Ok(Slides { subject: self.subject, text, deck, has_controls: false })
    }

    /// What the text leaves out, and how to see it.
    fn rest(&self) -> Option<String> {
        let seen = self.seen.as_ref()?;
        let slice = self.slice();
        let shown: usize = slice.iter().map(Range::len).product();
        let slices = self.subject.shape.iter().product::<usize>() / shown.max(1);
        let (rows, cols) = seen.extents();
        let (tall, wide) = (self.extent(self.axes.row), self.extent(self.axes.col));
        let mut parts = Vec::new();
        if (rows, cols) != (tall, wide) {
            parts.push(match self.axes.col {
                Some(_) => format!("the first {rows} × {cols} of {tall} × {wide}"),
                None => format!("the first {rows} of {tall}"),
            });
        }
        if slices > 1 {
            parts.push(format!("the first of {slices} slices"));
        }
        let name = &self.subject.title;
        (!parts.is_empty()).then(|| {
            format!("{}; `:view {name}` in a terminal walks through all of it", parts.join(" of "))
        })
    }
}

/// A line without the blanks at its end.
fn trimmed(line: &Markup) -> Markup {
    let mut rest = line.to_plain().trim_end().len();
    let mut trimmed = Markup::new();
    for (style, text) in line.pieces() {
        let kept = text.len().min(rest);
        trimmed.push(*style, &text[..kept]);
        rest -= kept;
    }
    trimmed
}
