//! The elements of a slice that are seen, as words or as colours.

use std::ops::Range;

use crate::diag::Fault;
use crate::dtype::{DType, Scalar};
use crate::report::header::brief;
use crate::report::heat::Scale;
use crate::report::{Elements, Markup, Style, digits, scalar_str};

use super::screen::columns;
use super::{Data, View};

/// From the smallest to the largest, which read without colours too.
const SHADES: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];

/// Cells of a legend's ramp where there is room, and at least.
const RAMP: usize = 20;
const SHORT_RAMP: usize = 6;

/// Columns around a word: brackets stand there where the cursor is.
const AROUND: usize = 2;

/// No word takes more columns than this part of a screen.
const WIDEST: usize = 2;

/// What was read for the screen.
#[derive(Debug)]
pub(super) struct Seen {
    /// What was asked for.
    part: Vec<Range<usize>>,
    /// Rows of the slice, and those columns of it that are shown.
    rows: Range<usize>,
    cols: Range<usize>,
    /// How many columns were read.
    wide: usize,
    /// Columns of the screen that a cell takes.
    cell: usize,
    words: Vec<String>,
    values: Vec<f64>,
    elements: Elements,
    /// Whether columns come before rows in what was read.
    is_turned: bool,
}

impl Seen {
    /// Rows and columns that are shown.
    pub fn extents(&self) -> (usize, usize) {
        (self.rows.len(), self.cols.len())
    }

    /// An element that was read: as a cell shows it, as a number, and with all its digits.
    pub fn element(&self, row: usize, col: usize) -> Option<(&str, f64, String)> {
        let at = self.place(row, col)?;
        let whole = match &self.elements {
            Elements::Bool(values) => scalar_str(Scalar::Bool(values[at]), DType::Bool),
            Elements::Int(values, _) => values[at].to_string(),
            Elements::Float(values, dtype) => scalar_str(Scalar::Float(values[at]), *dtype),
            Elements::Complex(values, dtype) => scalar_str(Scalar::Complex(values[at]), *dtype),
        };
        Some((&self.words[at], self.values[at], whole))
    }

    fn place(&self, row: usize, col: usize) -> Option<usize> {
        let wide = self.wide;
        let (row, col) = (row.checked_sub(self.rows.start)?, col.checked_sub(self.cols.start)?);
        let is_there = row < self.rows.len() && col < wide;
        is_there
            .then(|| if self.is_turned { col * self.rows.len() + row } else { row * wide + col })
    }
}

/// A cell of a heat map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    text: &'static str,
    style: Style,
}

impl Cell {
    pub fn of(value: f64, scale: Option<Scale>) -> Cell {
        let odd = |text| Cell { text, style: Style::Odd };
        match scale {
            _ if value.is_nan() => odd("??"),
            _ if value == f64::INFINITY => odd("+∞"),
            _ if value == f64::NEG_INFINITY => odd("-∞"),
            None => Cell { text: SHADES[2], style: Style::Plain },
            Some(scale) => Cell::at(scale, scale.place(value)),
        }
    }

    /// At a place of a scale, from 0 to 1. On a scale around zero what is far from it is dense.
    fn at(scale: Scale, place: f64) -> Cell {
        let dense = match scale {
            Scale::Around(_) => (place - 0.5).abs() * 2.0,
            Scale::Between(..) => place,
        };
        let text = SHADES[((dense * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
        Cell { text, style: Style::Tint(scale.color_at(place)) }
    }

    pub fn draw(self, line: &mut Markup) {
        line.push(self.style, self.text);
    }
}

/// `-4.2 ██▓▓░░  ░░▓▓██ 4.2`, and what is marked among these values.
pub(super) fn legend(scale: Option<Scale>, values: &[f64], columns: usize) -> Markup {
    let mut line = Markup::new();
    match scale {
        None => match values.iter().find(|value| value.is_finite()) {
            Some(value) => line = line.dim(format!("all {}", brief(*value))),
            None => line = line.dim("no finite number"),
        },
        Some(scale) => {
            let (low, high) = scale.ends();
            let middle = low / 2.0 + high / 2.0;
            let cells = if columns >= 60 { RAMP } else { SHORT_RAMP };
            line = line.number(brief(low)).plain(" ");
            for at in 0..cells {
                if at == cells / 2 && columns >= 60 {
                    line = line.plain(" ").number(brief(middle)).plain(" ");
                }
                Cell::at(scale, (at as f64 + 0.5) / cells as f64).draw(&mut line);
            }
            line = line.plain(" ").number(brief(high));
        }
    }
    for (text, is_there) in [
        ("nan", values.iter().any(|value| value.is_nan())),
        ("inf", values.iter().any(|value| value.is_infinite())),
    ] {
        if is_there {
            line.push(Style::Plain, "  ");
            line.push(Style::Odd, if text == "nan" { "??" } else { "±∞" });
            line.push(Style::Plain, format!(" {text}"));
        }
    }
    line
}

impl View {
    /// Rows of cells that the screen has room for.
    fn cell_rows(&self) -> usize {
        let legend = usize::from(self.is_heat && self.has_room());
        self.body_rows().saturating_sub(1 + legend).max(1)
    }

    /// Columns in front of the cells.
    fn margin(&self) -> usize {
        // Colours have no blank around them.
        let gap = usize::from(self.is_heat);
        let digits = self.extent(self.axes.row).saturating_sub(1).to_string().len();
        self.axes.row.map_or(0, |_| digits + gap)
    }

    /// Rows and columns that a page has.
    pub(super) fn page(&self) -> (usize, usize) {
        let wide = self.seen.as_ref().map_or(1, |seen| seen.cols.len());
        (self.cell_rows(), wide.max(1))
    }

    /// Reads the cells around the cursor, if others were read before.
    pub(super) fn read_cells(&mut self, data: &mut dyn Data) -> Result<(), Fault> {
        let (tall, wide) = (self.extent(self.axes.row), self.extent(self.axes.col));
        let place = |axis: Option<usize>| axis.map_or(0, |axis| self.at[axis]);
        let (row, col) = (place(self.axes.row), place(self.axes.col));
        let room = self.cell_rows();
        let (top, mut left) = self.corner;
        let top = top.clamp((row + 1).saturating_sub(room), row).min(tall.saturating_sub(room));
        left = left.min(col);
        let rows = top..(top + room).min(tall);
        let room = self.width.saturating_sub(self.margin()).max(1);
        let most = (room / if self.is_heat { 2 } else { AROUND + 1 }).max(1);
        // How many columns fit depends on their words, which depend on where they begin.
        for last in [false, false, false, false, false, true] {
            let cols = left..(left + most).min(wide);
            let mut seen = self.seen_of(data, rows.clone(), cols)?;
            let longest = seen.words.iter().map(|word| columns(word)).max().unwrap_or(1);
            let word =
                longest.min((self.width / WIDEST).max(4)).min(room.saturating_sub(AROUND).max(1));
            seen.cell = if self.is_heat { 2 } else { word + AROUND };
            let fit = (room / seen.cell).max(1);
            let begin = match () {
                () if last && !(left..left + fit).contains(&col) => col,
                () if last => left,
                () if col >= left + fit => col + 1 - fit,
                () if left > 0 && left + fit > wide => wide.saturating_sub(fit).min(col),
                () => left,
            };
            if begin == left {
                seen.cols.end = (left + fit).min(wide);
                self.seen = Some(seen);
                break;
            }
            left = begin;
        }
        self.corner = (top, left);
        Ok(())
    }

    pub(super) fn seen_of(
        &mut self,
        data: &mut dyn Data,
        rows: Range<usize>,
        cols: Range<usize>,
    ) -> Result<Seen, Fault> {
        let part = self.part(rows.clone(), cols.clone());
        let is_turned = self.axes.row > self.axes.col && self.axes.col.is_some();
        let is_same = |seen: &mut Seen| {
            let lies_alike = seen.is_turned == is_turned && seen.rows == rows;
            lies_alike && seen.wide == cols.len() && seen.part == part
        };
        if let Some(seen) = self.seen.take_if(is_same) {
            return Ok(Seen { rows, cols, ..seen });
        }
        let elements = data.elements(&part)?;
        let values: Vec<f64> = (0..elements.len()).map(|at| elements.value(at)).collect();
        let words = words(&elements, &values);
        let wide = cols.len();
        Ok(Seen { part, rows, cols, wide, cell: 0, words, values, elements, is_turned })
    }

    /// The element under the cursor, whole.
    pub(super) fn current(&self) -> Option<String> {
        let seen = self.seen.as_ref()?;
        let place = |axis: Option<usize>| axis.map_or(0, |axis| self.at[axis]);
        if seen.part != self.part(seen.rows.clone(), seen.cols.start..seen.cols.start + seen.wide) {
            return None;
        }
        seen.element(place(self.axes.row), place(self.axes.col)).map(|(.., whole)| whole)
    }

    /// The scale of a heat map: the slice's where it is known, else that of what is seen.
    pub(super) fn scale(&self) -> Option<Scale> {
        let slice = self.slice();
        let known = self.known.as_ref().filter(|(known, _)| *known == slice);
        match known {
            Some((_, Some(summary))) => Scale::over(summary.min, summary.max),
            _ => Scale::of(self.seen.iter().flat_map(|seen| seen.values.iter().copied())),
        }
    }

    pub(super) fn cell_legend(&self) -> Markup {
        let values = self.seen.as_ref().map_or(&[][..], |seen| &seen.values);
        legend(self.scale(), values, self.width)
    }

    /// Labels, the cells, and a heat map's legend.
    pub(super) fn cell_lines(&self) -> Vec<Markup> {
        if self.is_empty() {
            return vec![Markup::new().dim("no elements")];
        }
        let Some(seen) = &self.seen else { return Vec::new() };
        let margin = self.margin();
        let place = |axis: Option<usize>| axis.map_or(0, |axis| self.at[axis]);
        let (row, col) = (place(self.axes.row), place(self.axes.col));
        let mut lines = vec![self.label_line(seen, margin, col)];
        let scale = self.scale();
        for at in seen.rows.clone() {
            let mut line = Markup::new();
            if self.axes.row.is_some() {
                let gap = usize::from(self.is_heat);
                line.push(emphasis(at == row), format!("{at:>0$}{1:2$}", margin - gap, "", gap));
            }
            for column in seen.cols.clone() {
                let Some(place) = seen.place(at, column) else { continue };
                let is_cursor = self.has_cursor && (at, column) == (row, col);
                match self.is_heat {
                    true if is_cursor => line.push(Style::Cursor, "[]"),
                    true => Cell::of(seen.values[place], scale).draw(&mut line),
                    false => draw_word(&mut line, &seen.words[place], seen, place, is_cursor),
                }
            }
            lines.push(line);
        }
        if self.is_heat && self.has_room() {
            lines.push(self.cell_legend());
        }
        lines
    }

    /// The numbers of the columns; over the narrow ones of a heat map those that fit.
    fn label_line(&self, seen: &Seen, margin: usize, col: usize) -> Markup {
        let mut line = Markup::new().plain(" ".repeat(margin));
        if self.axes.col.is_none() {
            return line;
        }
        let cell = seen.cell;
        if !self.is_heat {
            for at in seen.cols.clone() {
                let label = shortened(&at.to_string(), cell - 1);
                line.push(emphasis(at == col), format!("{label:>0$} ", cell - 1));
            }
            return line;
        }
        let longest = seen.cols.end.to_string().len();
        let step =
            [5, 10, 20, 50].into_iter().find(|step| step * cell > longest + 1).unwrap_or(100);
        let mut at = seen.cols.start;
        while at < seen.cols.end {
            let label = at.to_string();
            let next = (at / step + 1) * step;
            let gap = (next.min(seen.cols.end) - at) * cell;
            let label = if label.len() < gap { label } else { String::new() };
            line.push(Style::Dim, format!("{label:<gap$}"));
            at = next;
        }
        line
    }
}

fn draw_word(line: &mut Markup, word: &str, seen: &Seen, place: usize, is_cursor: bool) {
    let wide = seen.cell - AROUND;
    let word = shortened(word, wide);
    let padded = format!("{}{word}", " ".repeat(wide.saturating_sub(columns(&word))));
    let style = match seen.values[place].is_finite() {
        _ if is_cursor => Style::Cursor,
        true => Style::Plain,
        false => Style::Odd,
    };
    if is_cursor {
        line.push(style, format!("[{padded}]"));
    } else {
        let blanks = padded.len() - padded.trim_start().len();
        line.push(Style::Plain, format!(" {}", &padded[..blanks]));
        line.push(style, &padded[blanks..]);
        line.push(Style::Plain, " ");
    }
}

/// Each element as a cell shows it, as wide as its neighbours need.
pub(super) fn words(elements: &Elements, values: &[f64]) -> Vec<String> {
    let words = match elements {
        Elements::Bool(values) => {
            values.iter().map(|value| if *value { "True" } else { "False" }.to_string()).collect()
        }
        Elements::Int(values, _) => values.iter().map(i128::to_string).collect(),
        Elements::Float(..) => digits::short(values),
        Elements::Complex(values, dtype) => digits::short_complex(values, dtype.part()).0,
    };
    words.into_iter().map(|word| word.replace(digits::BLANK, " ")).collect()
}

fn emphasis(is_here: bool) -> Style {
    if is_here { Style::Heading } else { Style::Dim }
}

/// A word cut to so many columns.
fn shortened(word: &str, wide: usize) -> String {
    if columns(word) <= wide {
        return word.to_string();
    }
    word.chars().take(wide.saturating_sub(1)).chain(['…']).collect()
}
