//! Charts made of characters: dots of Braille for a line, bars of eighths, shades for a heat map.

use crate::report::heat::{Scale, range};
use crate::report::{Markup, Style, bar, header::brief, human_count};

use super::frame::Frame;
use super::{Bars, Chart, Heat, Line, Ticks};

/// Columns that the picture takes where there is room, and at least; rows of a line chart.
const WIDTH: usize = 64;
const LEAST: usize = 6;
pub(super) const HEIGHT: usize = 10;

/// Rows of a heat map; its cells are two columns wide, so that they are about square.
const HEAT_ROWS: usize = 24;
const HEAT_COLS: usize = 36;

/// Columns of a picture beside labels of `margin` columns and the axis.
pub(super) fn picture_width(columns: usize, margin: usize) -> usize {
    columns.saturating_sub(margin + 2).clamp(LEAST, WIDTH)
}

/// The ends of a scale are told to a tenth of this part of it.
const TENTHS: i32 = 10;

/// Cells from the smallest to the largest, which read without colours too.
const SHADES: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];

/// Dots of a Braille character by column and row, as its bits have them.
pub(in crate::report) const DOTS: [[u32; 4]; 2] =
    [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

impl Chart {
    /// The chart in lines of text of at most so many columns.
    pub fn to_markup(&self, columns: usize) -> Markup {
        let mut markup = Markup::new();
        if !self.title().is_empty() {
            markup = markup.heading(self.title());
        }
        if let Some(note) = self.note() {
            let gap = if markup.is_empty() { "" } else { "  " };
            markup = markup.dim(format!("{gap}{note}"));
        }
        if !markup.is_empty() {
            markup = markup.wrapped(columns).newline();
        }
        markup.append(match self {
            Chart::Line(line) => line.to_markup(columns),
            Chart::Plot(plot) => plot.to_markup(columns),
            Chart::Bars(bars) => bars.to_markup(columns),
            Chart::Heat(heat) => heat.to_markup(columns),
        });
        markup
    }
}

impl Line {
    fn to_markup(&self, columns: usize) -> Markup {
        let (low, high) = range(self.low.iter().chain(&self.high).copied());
        if low > high {
            return Markup::new().dim("no finite number to draw");
        }
        let last = self.len.saturating_sub(1) as f64;
        let frame = Frame::new((0.0, last), (low, high), true, columns);
        let (wide, width) = (2 * frame.width, frame.width);
        let mut dots = vec![0u32; width * HEIGHT];
        let count = self.mean.len();
        let mut before: Option<usize> = None;
        for x in 0..wide {
            // Which points share this column; a short line has columns between its points.
            let first = x * count / wide;
            let last = ((x + 1) * count).div_ceil(wide).min(count).max(first + 1);
            let (low, high) = range((first..last).flat_map(|at| [self.low[at], self.high[at]]));
            if low > high {
                before = None;
                continue;
            }
            let (mut top, mut bottom) = (frame.dot_row(high), frame.dot_row(low));
            // Neighbouring columns touch, as a line does.
            if let Some(before) = before {
                (top, bottom) = (top.min(before), bottom.max(before));
            }
            before = Some(frame.dot_row(self.mean[last - 1]));
            for y in top..=bottom {
                dots[y / 4 * width + x / 2] |= DOTS[x % 2][y % 4];
            }
        }
        frame.around(dots.chunks(width).map(|line| {
            let text: String =
                line.iter().filter_map(|bits| char::from_u32(0x2800 + bits)).collect();
            Markup::new().good(text)
        }))
    }
}

impl Bars {
    /// The ends of a bin.
    pub fn bin(&self, at: usize) -> (f64, f64) {
        let width = (self.high - self.low) / self.counts.len().max(1) as f64;
        (self.low + width * at as f64, self.low + width * (at + 1) as f64)
    }

    fn to_markup(&self, columns: usize) -> Markup {
        let most = self.counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Markup::new().dim("no finite number to count");
        }
        let edges: Vec<f64> = (0..=self.counts.len()).map(|at| self.bin(at).0).collect();
        let Ticks { marks: edges, note } = Ticks::at(&edges);
        let margin = edges.iter().map(|(_, label)| label.len()).max().unwrap_or(0);
        let count_width = human_count(most).len() + 1;
        let width = picture_width(columns, margin + count_width).min(WIDTH - 16);
        let mut markup = Markup::new();
        if !note.is_empty() {
            markup = markup.dim(format!("{:margin$} {note}", "")).newline();
        }
        for ((_, edge), count) in edges.iter().zip(&self.counts) {
            let bar = bar(*count, most, width);
            markup = markup
                .dim(format!("{edge:>margin$} ┤"))
                .good(bar)
                .dim(format!(" {}", human_count(*count)))
                .newline();
        }
        markup.dim(format!("{:>margin$} ┘", edges.last().map_or("", |(_, label)| label)))
    }
}

impl Heat {
    fn to_markup(&self, columns: usize) -> Markup {
        let small = self.within(HEAT_ROWS, HEAT_COLS.min(columns / 2).max(1));
        let scale = Scale::of(small.values.iter().copied());
        let mut markup = Markup::new();
        for row in small.values.chunks(small.cols.max(1)) {
            for value in row {
                match scale {
                    _ if !value.is_finite() => markup.push(Style::Error, "??"),
                    None => markup.push(Style::Heat(128), SHADES[2]),
                    Some(scale) => {
                        let place = scale.place(*value);
                        let shade = (place * SHADES.len() as f64) as usize;
                        let heat = Style::Heat((place * 255.0).round() as u8);
                        markup.push(heat, SHADES[shade.min(SHADES.len() - 1)]);
                    }
                }
            }
            markup = markup.newline();
        }
        let Some(scale) = scale else {
            let (low, high) = range(small.values.iter().copied());
            let all = if low <= high { brief(low) } else { "no finite number".to_string() };
            return markup.dim(format!("everywhere {all}"));
        };
        let (low, high) = scale.ends();
        let places: Vec<f64> = (0..=TENTHS)
            .map(|at| low + (high / f64::from(TENTHS) - low / f64::from(TENTHS)) * f64::from(at))
            .collect();
        let Ticks { marks, note } = Ticks::at(&places);
        let ends = [marks.first(), marks.last()].map(|mark| mark.map_or("", |(_, label)| label));
        markup = markup.dim(format!("{} ", ends[0]));
        let is_wide = ends[0].len() + ends[1].len() + 2 * SHADES.len() + 2 <= columns;
        for (at, shade) in SHADES.iter().enumerate() {
            let heat = 255 * at / (SHADES.len() - 1);
            let shade = shade.chars().take(if is_wide { 2 } else { 1 });
            markup.push(Style::Heat(heat as u8), shade.collect::<String>());
        }
        markup.dim(format!(" {} {note}", ends[1]).trim_end().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn line(values: Vec<f64>) -> Chart {
        Chart::Line(Line {
            title: "y".to_string(),
            step: 1,
            len: values.len(),
            x: Vec::new(),
            low: values.clone(),
            high: values.clone(),
            mean: values,
        })
    }

    #[test]
    fn a_line_of_dots() {
        let wave = (0..100).map(|at| (f64::from(at) / 8.0).sin()).collect();
        expect![[r#"
            y
                 │⠀⠀⠀⠀⠀⣠⠖⠋⠉⠙⢦⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣠⠖⠚⠉⠙⢦⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⢠⠖⠃⠀⠀⠀⠀⠀⠈⢧⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡖⠃⠀⠀⠀⠀⠀⠈⢧⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
             0.5 ┤⠀⠀⢠⠏⠀⠀⠀⠀⠀⠀⠀⠀⠈⠧⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡞⠀⠀⠀⠀⠀⠀⠀⠀⠀⠓⣆⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⣸⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠹⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣰⠚⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠸⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
             0.0 ┤⣰⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠓⣆⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢠⠇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⣇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠸⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⡏⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⣆⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠹⢤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣰⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠸⢤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢠⠇
            -0.5 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⣆⠀⠀⠀⠀⠀⠀⠀⠀⢀⡖⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⢧⠀⠀⠀⠀⠀⠀⠀⠀⠀⡤⠏⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⠦⡄⠀⠀⠀⠀⠀⢀⡞⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠧⣄⠀⠀⠀⠀⠀⢀⡼⠁⠀⠀
                 │⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠙⠦⣄⣀⣠⠞⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⠦⢤⣀⣠⠴⠚⠀⠀⠀⠀
                 └┬────────────┬───────────┬────────────┬────────────┬────────────
                  0           20          40           60           80"#]]
        .assert_eq(&line(wave).to_markup(80).to_plain());
    }

    #[test]
    fn a_line_with_gaps_and_extremes_is_drawn() {
        line(vec![f64::NAN, 1.0, f64::INFINITY, -f64::MAX, f64::MAX]).to_markup(80);
        line(vec![2.0]).to_markup(80);
        let flat = line(vec![0.0; 5]).to_markup(80).to_plain();
        let rows: Vec<&str> = flat.lines().collect();
        assert!(rows[1].starts_with(" 1.0 ┤") && rows[10].starts_with("-1.0 ┤"), "{flat}");
        assert!(line(vec![f64::NAN]).to_markup(80).to_plain().contains("no finite number"));
        assert!(line(Vec::new()).to_markup(80).to_plain().contains("no finite number"));
    }

    #[test]
    fn charts_keep_to_their_columns() {
        let wave: Vec<f64> = (0..100).map(|at| 1e6 + (f64::from(at) / 8.0).sin()).collect();
        let bars = Bars { low: -1.0, high: 2.0, counts: vec![1, 1500, 0, 700], ..Bars::default() };
        let heat = Heat {
            title: String::new(),
            rows: 1,
            cols: 100,
            values: wave.clone(),
            block: (1, 1),
            extent: (1, 100),
        };
        for chart in [line(wave), Chart::Bars(bars), Chart::Heat(heat)] {
            for columns in [30, 60, 80, 200] {
                let width = chart.to_markup(columns).width();
                assert!(width <= columns.min(80), "{width} of {columns}: {chart:?}");
            }
        }
    }

    #[test]
    fn bars_side_by_side() {
        let bars = Bars { low: -1.0, high: 2.0, counts: vec![1, 1500, 0, 700], ..Bars::default() };
        expect![[r#"
            -1.00 ┤▏                                                1
            -0.25 ┤████████████████████████████████████████████████ 1,500
             0.50 ┤                                                 0
             1.25 ┤██████████████████████▍                          700
             2.00 ┘"#]]
        .assert_eq(&Chart::Bars(bars).to_markup(80).to_plain());
    }

    #[test]
    fn a_heat_map_of_shades() {
        let values = (0..12).map(f64::from).chain([f64::NAN, 1.0, 2.0, 3.0]).collect();
        let heat = Heat {
            title: "m".to_string(),
            rows: 4,
            cols: 4,
            values,
            block: (2, 3),
            extent: (8, 12),
        };
        expect![[r#"
            m  means of blocks of 2 × 3
                  ░░
            ░░▒▒▒▒▓▓
            ▓▓██████
            ??    ░░
            0.0   ░░▒▒▓▓██ 11.0"#]]
        .assert_eq(&Chart::Heat(heat).to_markup(80).to_plain());
    }
}
