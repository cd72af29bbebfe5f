//! Charts made of characters: dots of Braille for a line, bars of eighths, shades for a heat map.

use crate::report::heat::{Scale, range};
use crate::report::{Markup, Style, bar, header::brief, human_count};

use super::{Bars, Chart, Heat, Line};

/// Columns that the picture takes, and rows of a line chart.
pub(super) const WIDTH: usize = 64;
pub(super) const HEIGHT: usize = 10;

/// Rows of a heat map; its cells are two columns wide, so that they are about square.
const HEAT_ROWS: usize = 24;
const HEAT_COLS: usize = 36;

/// Cells from the smallest to the largest, which read without colours too.
const SHADES: [&str; 5] = ["  ", "░░", "▒▒", "▓▓", "██"];

/// Dots of a Braille character by column and row, as its bits have them.
pub(super) const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

impl Chart {
    /// The chart in lines of text.
    pub fn to_markup(&self) -> Markup {
        let mut markup = Markup::new();
        if !self.title().is_empty() {
            markup = markup.heading(self.title());
        }
        if let Some(note) = self.note() {
            let gap = if markup.is_empty() { "" } else { "  " };
            markup = markup.dim(format!("{gap}{note}"));
        }
        if !markup.is_empty() {
            markup = markup.newline();
        }
        markup.append(match self {
            Chart::Line(line) => line.to_markup(),
            Chart::Plot(plot) => plot.to_markup(),
            Chart::Bars(bars) => bars.to_markup(),
            Chart::Heat(heat) => heat.to_markup(),
        });
        markup
    }
}

impl Line {
    fn to_markup(&self) -> Markup {
        let (low, high) = range(self.low.iter().chain(&self.high).copied());
        if low > high {
            return Markup::new().dim("no finite number to draw");
        }
        let (wide, tall) = (2 * WIDTH, 4 * HEIGHT);
        let mut dots = vec![0u32; WIDTH * HEIGHT];
        let count = self.mean.len();
        let half = (high / 2.0 - low / 2.0).max(f64::MIN_POSITIVE);
        let row = |value: f64| {
            let up = (value / 2.0 - low / 2.0) / half * (tall - 1) as f64;
            tall - 1 - (up.round() as usize).min(tall - 1)
        };
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
            let (mut top, mut bottom) = (row(high), row(low));
            // Neighbouring columns touch, as a line does.
            if let Some(before) = before {
                (top, bottom) = (top.min(before), bottom.max(before));
            }
            before = Some(row(self.mean[last - 1]));
            for y in top..=bottom {
                dots[y / 4 * WIDTH + x / 2] |= DOTS[x % 2][y % 4];
            }
        }
        let labels: Vec<String> = (0..HEIGHT)
            .map(|at| match at {
                0 => brief(high),
                at if at + 1 == HEIGHT => brief(low),
                _ => String::new(),
            })
            .collect();
        let margin = labels.iter().map(String::len).max().unwrap_or(0);
        let mut markup = Markup::new();
        for (label, line) in labels.iter().zip(dots.chunks(WIDTH)) {
            let text: String =
                line.iter().filter_map(|bits| char::from_u32(0x2800 + bits)).collect();
            markup = markup.dim(format!("{label:>margin$} ┤")).good(text).newline();
        }
        let end = human_count(self.len.saturating_sub(1) as u64);
        let pad = WIDTH.saturating_sub(1);
        markup.dim(format!("{:margin$}  0{end:>pad$}", ""))
    }
}

impl Bars {
    /// The ends of a bin.
    pub fn bin(&self, at: usize) -> (f64, f64) {
        let width = (self.high - self.low) / self.counts.len().max(1) as f64;
        (self.low + width * at as f64, self.low + width * (at + 1) as f64)
    }

    fn to_markup(&self) -> Markup {
        let most = self.counts.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Markup::new().dim("no finite number to count");
        }
        let edges: Vec<String> = (0..self.counts.len()).map(|at| brief(self.bin(at).0)).collect();
        let margin = edges.iter().map(String::len).max().unwrap_or(0);
        let mut markup = Markup::new();
        for (edge, count) in edges.iter().zip(&self.counts) {
            let bar = bar(*count, most, WIDTH - 16);
            markup = markup
                .dim(format!("{edge:>margin$} ┤"))
                .good(bar)
                .dim(format!(" {}", human_count(*count)))
                .newline();
        }
        markup.dim(format!("{:>margin$} ┘", brief(self.high)))
    }
}

impl Heat {
    fn to_markup(&self) -> Markup {
        let small = self.within(HEAT_ROWS, HEAT_COLS);
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
        markup = markup.dim(format!("{} ", brief(low)));
        for (at, shade) in SHADES.iter().enumerate() {
            let heat = 255 * at / (SHADES.len() - 1);
            markup.push(Style::Heat(heat as u8), *shade);
        }
        markup.dim(format!(" {}", brief(high)))
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
             1 ┤⠀⠀⠀⠀⠀⣠⠖⠋⠉⠙⢦⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣠⠖⠚⠉⠙⢦⣀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
               ┤⠀⠀⠀⢠⠖⠃⠀⠀⠀⠀⠀⠈⢧⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡖⠃⠀⠀⠀⠀⠀⠈⢧⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
               ┤⠀⠀⢠⠏⠀⠀⠀⠀⠀⠀⠀⠀⠈⠧⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⡞⠀⠀⠀⠀⠀⠀⠀⠀⠀⠓⣆⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
               ┤⠀⣸⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠹⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣰⠚⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠸⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
               ┤⣰⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠓⣆⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢠⠇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠉⣇⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀
               ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠸⡄⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀⡏⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⣆⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣀
               ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠹⢤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⣰⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠸⢤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢠⠇
               ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⣆⠀⠀⠀⠀⠀⠀⠀⠀⢀⡖⠃⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⢧⠀⠀⠀⠀⠀⠀⠀⠀⠀⡤⠏⠀
               ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⠦⡄⠀⠀⠀⠀⠀⢀⡞⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠧⣄⠀⠀⠀⠀⠀⢀⡼⠁⠀⠀
            -1 ┤⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠙⠦⣄⣀⣠⠞⠉⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠘⠦⢤⣀⣠⠴⠚⠀⠀⠀⠀
                0                                                             99"#]]
        .assert_eq(&line(wave).to_markup().to_plain());
    }

    #[test]
    fn a_line_with_gaps_and_extremes_is_drawn() {
        line(vec![f64::NAN, 1.0, f64::INFINITY, -f64::MAX, f64::MAX]).to_markup();
        line(vec![2.0]).to_markup();
        assert!(line(vec![f64::NAN]).to_markup().to_plain().contains("no finite number"));
        assert!(line(Vec::new()).to_markup().to_plain().contains("no finite number"));
    }

    #[test]
    fn bars_side_by_side() {
        let bars =
            Bars { title: String::new(), low: -1.0, high: 2.0, counts: vec![1, 1500, 0, 700] };
        expect![[r#"
               -1 ┤▏                                                1
            -0.25 ┤████████████████████████████████████████████████ 1,500
              0.5 ┤                                                 0
             1.25 ┤██████████████████████▍                          700
                2 ┘"#]]
        .assert_eq(&Chart::Bars(bars).to_markup().to_plain());
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
            0   ░░▒▒▓▓██ 11"#]]
        .assert_eq(&Chart::Heat(heat).to_markup().to_plain());
    }
}
