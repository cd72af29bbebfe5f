//! Curves over one pair of axes, made of Braille dots. A cell has the colour of the curve that went
//! through it last; the legend names them in that order.

use crate::report::heat::range;
use crate::report::{Markup, Style};

use super::frame::Frame;
use super::plain::{DOTS, HEIGHT};
use super::{Line, Plot, reach};

/// A style for each curve; more begin again.
const STYLES: [Style; 6] =
    [Style::Good, Style::Warn, Style::Hint, Style::Error, Style::Keyword, Style::Number];

/// The dots of the picture, and whose each cell is.
struct Grid {
    cells: Vec<(u32, usize)>,
    frame: Frame,
}

impl Grid {
    /// The column and the row of a point, in dots.
    fn place(&self, x: f64, y: f64) -> (i64, i64) {
        (self.frame.dot_column(x) as i64, self.frame.dot_row(y) as i64)
    }

    fn dot(&mut self, (column, row): (i64, i64), curve: usize) {
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else { return };
        let width = self.frame.width;
        if column < 2 * width && row < 4 * HEIGHT {
            let cell = &mut self.cells[row / 4 * width + column / 2];
            *cell = (cell.0 | DOTS[column % 2][row % 4], curve);
        }
    }

    /// The straight line between two points.
    fn join(&mut self, from: (i64, i64), to: (i64, i64), curve: usize) {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let steps = across.abs().max(down.abs()).max(1);
        for step in 0..=steps {
            let along = |start: i64, span: i64| {
                start + (span as f64 * step as f64 / steps as f64).round() as i64
            };
            self.dot((along(from.0, across), along(from.1, down)), curve);
        }
    }

    fn draw(&mut self, line: &Line, curve: usize) {
        let mut before = None;
        for at in 0..line.mean.len() {
            let (x, y) = (line.at(at), line.mean[at]);
            if !(x.is_finite() && y.is_finite()) {
                before = None;
                continue;
            }
            let here = self.place(x, y);
            if line.step > 1 && line.low[at].is_finite() && line.high[at].is_finite() {
                let (low, high) = (self.place(x, line.low[at]), self.place(x, line.high[at]));
                self.join(low, high, curve);
            }
            self.join(before.unwrap_or(here), here, curve);
            before = Some(here);
        }
    }
}

impl Plot {
    pub(super) fn to_markup(&self, columns: usize) -> Markup {
        let (low, high) =
            range(self.lines.iter().flat_map(|l| l.low.iter().chain(&l.high)).copied());
        let (left, right) = reach(&self.lines);
        if low > high || left > right {
            return Markup::new().dim("no finite number to draw");
        }
        let is_counted = self.lines.iter().all(|line| line.x.is_empty());
        let frame = Frame::new((left, right), (low, high), is_counted, columns);
        let width = frame.width;
        let mut grid = Grid { cells: vec![(0, 0); width * HEIGHT], frame };
        for (at, line) in self.lines.iter().enumerate() {
            grid.draw(line, at);
        }
        let mut markup = Markup::new();
        if self.lines.len() > 1 {
            let mut used = 0;
            for (at, line) in self.lines.iter().enumerate() {
                let entry = line.title.chars().count() + 3;
                if used > 0 {
                    let is_full = used + 2 + entry > columns;
                    markup.push(Style::Plain, if is_full { "\n" } else { "  " });
                    used = if is_full { 0 } else { used + 2 };
                }
                markup.push(STYLES[at % STYLES.len()], "━━ ");
                markup.push(Style::Plain, line.title.as_str());
                used += entry;
            }
            markup = markup.newline();
        }
        let row = |cells: &[(u32, usize)]| {
            let mut markup = Markup::new();
            for (bits, curve) in cells {
                let dots = char::from_u32(0x2800 + bits).unwrap_or(' ');
                markup.push(STYLES[curve % STYLES.len()], dots.to_string());
            }
            markup
        };
        markup.append(grid.frame.around(grid.cells.chunks(width).map(row)));
        markup
    }
}

#[cfg(test)]
mod tests {
    use crate::report::{Chart, Line, Plot};
    use expect_test::expect;
    use std::f64::consts::TAU;

    #[test]
    fn a_circle_and_what_crosses_it() {
        let curve = |title: &str, of: fn(f64) -> (f64, f64)| {
            let points = (0..=60).map(|at| of(f64::from(at) / 60.0));
            let (x, y): (Vec<f64>, Vec<f64>) = points.unzip();
            let title = title.to_string();
            Line { title, step: 1, len: 61, x, low: y.clone(), high: y.clone(), mean: y }
        };
        let plot = Plot {
            title: "two".to_string(),
            lines: vec![
                curve("circle", |t| ((t * TAU).cos(), (t * TAU).sin())),
                curve("line", |t| (t * 2.0 - 1.0, t - 0.5)),
            ],
        };
        expect![[r#"
            two
            ━━ circle  ━━ line
             1.0 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀⣀⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⣀⠤⠔⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠉⠉⠒⠒⠢⠤⢄⡀⠀⠀⠀⠀⠀⠀
             0.5 ┤⠀⠀⠀⢀⡠⠒⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢈⣒⣤⣀⠤⠤⠤
                 │⢀⠔⠊⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⠤⠤⠤⠔⠒⠒⠊⠉⠉⠁⠀⠀⠀⠉⠢⡀
                 │⡇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⣀⡠⠤⠤⠔⠒⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢱
             0.0 ┤⢇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⣀⡠⠤⠤⠤⠒⠒⠒⠉⠉⠉⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢸
                 │⠈⠢⣀⠀⠀⠀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠊⠉⠉⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡠⠔⠁
            -0.5 ┤⠒⠒⠊⠉⠛⠭⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⠤⠊⠁⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠈⠑⠒⠢⠤⠤⣀⣀⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⣀⣀⠤⠤⠔⠒⠉⠀⠀⠀⠀⠀⠀⠀
            -1.0 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠉⠉⠑⠒⠒⠢⠤⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 └┬───────┬───────┬───────┬───────┬──────┬───────┬───────┬───────┬
                -1.00   -0.75   -0.50   -0.25   0.00   0.25    0.50    0.75   1.00"#]]
        .assert_eq(&Chart::Plot(plot).to_markup(80).to_plain());
        let nothing = Plot { title: String::new(), lines: Vec::new() };
        assert_eq!(nothing.to_markup(80).to_plain(), "no finite number to draw");
    }
}
