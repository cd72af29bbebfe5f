//! The axes of a picture made of characters: numbers beside its rows and below its columns.

use crate::report::Markup;

use super::plain::{HEIGHT, picture_width};
use super::{Ticks, widened};

/// Marks beside the picture, where their rows can be told apart.
const BESIDE: usize = 4;

/// Columns that a mark below the picture should have, and how many marks there are at most.
const MARK_COLUMNS: usize = 10;
const BELOW: usize = 7;

/// Blanks between two labels.
const GAP: usize = 2;

/// What stands around a picture of `width` columns and [`HEIGHT`] rows. It shows what lies between the
/// ends of `x` and of `y`.
#[derive(Debug)]
pub struct Frame {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub width: usize,
    /// The columns left of the axis, and what stands there by row.
    margin: usize,
    labels: Vec<String>,
    note: String,
    /// The columns with marks, their labels, and what those share.
    columns: Vec<usize>,
    below: String,
    below_note: String,
}

impl Frame {
    /// A frame of at most so many columns. `is_counted` says that `x` numbers elements.
    pub fn new(x: (f64, f64), y: (f64, f64), is_counted: bool, columns: usize) -> Frame {
        let (x, y) = (widened(x.0, x.1), widened(y.0, y.1));
        let (labels, note) = beside(y);
        let margin = labels.iter().map(String::len).max().unwrap_or(0);
        let width = picture_width(columns, margin);
        let (columns, below, below_note) = below(x, is_counted, width, margin);
        Frame { x, y, width, margin, labels, note, columns, below, below_note }
    }

    /// The row of a dot, of which a character has four, from above.
    pub fn dot_row(&self, value: f64) -> usize {
        dot_row(value, self.y)
    }

    /// The column of a dot, of which a character has two.
    pub fn dot_column(&self, value: f64) -> usize {
        dot_column(value, self.x, self.width)
    }

    /// The picture's rows with everything around them.
    pub fn around(&self, rows: impl IntoIterator<Item = Markup>) -> Markup {
        let margin = self.margin;
        let mut markup = Markup::new();
        if !self.note.is_empty() {
            markup = markup.dim(format!("{:margin$} {}", "", self.note)).newline();
        }
        for (label, row) in self.labels.iter().zip(rows) {
            let axis = if label.is_empty() { '│' } else { '┤' };
            markup = markup.dim(format!("{label:>margin$} {axis}"));
            markup.append(row);
            markup = markup.newline();
        }
        let line = (0..self.width).map(|at| if self.columns.contains(&at) { '┬' } else { '─' });
        markup = markup.dim(format!("{:margin$} └{}", "", line.collect::<String>())).newline();
        markup = markup.dim(self.below.as_str());
        if !self.below_note.is_empty() {
            let end = margin + 2 + self.width;
            markup = markup.newline().dim(format!("{:>end$}", self.below_note));
        }
        markup
    }
}

/// Where a value stands between two ends, from 0 to 1.
fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    // Halves, because the distance of two finite numbers may not be one.
    let half = high / 2.0 - low / 2.0;
    if half > 0.0 { ((value / 2.0 - low / 2.0) / half).clamp(0.0, 1.0) } else { 0.5 }
}

fn dot_row(value: f64, y: (f64, f64)) -> usize {
    ((1.0 - share(value, y)) * (4 * HEIGHT - 1) as f64).round() as usize
}

fn dot_column(value: f64, x: (f64, f64), width: usize) -> usize {
    (share(value, x) * (2 * width - 1) as f64).round() as usize
}

/// The labels of the rows, and what they share.
fn beside(y: (f64, f64)) -> (Vec<String>, String) {
    for about in (2..=BESIDE).rev() {
        let Ticks { marks, note } = Ticks::new(y.0, y.1, about);
        let mut labels = vec![String::new(); HEIGHT];
        let count = marks.len();
        for (value, label) in marks {
            labels[dot_row(value, y) / 4] = label;
        }
        let seen = labels.iter().filter(|label| !label.is_empty()).count();
        if seen == count || about == 2 {
            return (labels, note);
        }
    }
    unreachable!("the fewest marks are taken as they are")
}

/// The columns with marks, the line of their labels, and what those share.
fn below(
    x: (f64, f64),
    is_counted: bool,
    width: usize,
    margin: usize,
) -> (Vec<usize>, String, String) {
    let usual = (2..=(width / MARK_COLUMNS).clamp(2, BELOW)).rev().map(|about| match is_counted {
        true => Ticks::whole(x.0, x.1, about),
        false => Ticks::new(x.0, x.1, about),
    });
    let mut most = (Vec::new(), String::new(), String::new());
    // Where little room is left, one blank has to do between labels.
    let threes = Ticks::threes(x.0, x.1, is_counted).map(|ticks| (ticks, 1));
    for (Ticks { marks, note }, least) in usual.map(|ticks| (ticks, GAP)).chain(threes) {
        let count = marks.len();
        let (mut columns, mut line, end) = (Vec::new(), String::new(), margin + 2 + width);
        for (value, label) in marks {
            let column = dot_column(value, x, width) / 2;
            let middle = margin + 2 + column;
            let start = (middle - label.len() / 2).min(end.saturating_sub(label.len()));
            if !line.is_empty() && start < line.len() + least {
                continue;
            }
            line += &format!("{:gap$}{label}", "", gap = start.saturating_sub(line.len()));
            columns.push(column);
        }
        if columns.len() == count {
            return (columns, line, note);
        }
        if columns.len() > most.0.len() {
            most = (columns, line, note);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At least three numbers on each axis, no two alike, in rows and columns of their own, at every
    /// width and for every range.
    #[test]
    fn axes_have_numbers_that_differ() {
        let ranges = [
            (0.0, 399.0),
            (-1.0, 1.0),
            (0.0, 1e-7),
            (1e6, 1e6 + 1.0),
            (-1e6 - 1.0, -1e6),
            (0.0, 0.0),
            (7.0, 7.0),
            (0.5, 0.5 + 1e-9),
            (-3.2e5, 9.7e8),
            (f64::MIN, f64::MAX),
        ];
        for x in ranges {
            for y in ranges {
                for columns in [20, 24, 40, 60, 80, 120] {
                    let frame = Frame::new(x, y, false, columns);
                    let around = format!("{x:?} {y:?} {columns}: {frame:?}");
                    let mut seen: Vec<&String> =
                        frame.labels.iter().filter(|label| !label.is_empty()).collect();
                    assert!(seen.len() >= 3, "{around}");
                    seen.sort();
                    seen.dedup();
                    assert!(seen.len() >= 3, "{around}");
                    let below: Vec<&str> = frame.below.split_whitespace().collect();
                    // Long labels do not fit three times into what is left of 20 columns.
                    let least = if columns > 20 { 3 } else { 2 };
                    assert!(below.len() >= least && below.len() == frame.columns.len(), "{around}");
                    assert!(below.windows(2).all(|two| two[0] != two[1]), "{around}");
                    let picture = frame.around(vec![Markup::new(); HEIGHT]);
                    assert!(picture.width() <= columns, "{around}");
                }
            }
        }
    }

    #[test]
    fn counted_elements_have_three_numbers_in_twenty_columns() {
        let frame = Frame::new((0.0, 399.0), (0.0, 1.0), true, 20);
        let below: Vec<&str> = frame.below.split_whitespace().collect();
        assert_eq!(below, ["0", "150", "300"]);
    }
}
