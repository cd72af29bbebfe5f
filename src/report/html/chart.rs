//! Charts as drawings; a heat map is a PNG, and so is the scale of its colours.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::report::chart::{Ticks, reach, widened};
use crate::report::heat::{Scale, range};
use crate::report::{Bars, Chart, Heat, Line, counted, header::brief, human_count};

use super::picture::{png, strip};
use super::svg::{Anchor, Svg, length};
use super::text::{DIM, escape};

/// The drawing, and the margins that numbers stand in.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 208.0;
const LEFT: f64 = 62.0;
const BOTTOM: f64 = 22.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 30.0;

const BLUE: &str = "#2f7fd6";

/// Of the lines, in their order: of a middle tone, for light plates and for dark ones.
const COLORS: [&str; 6] = [BLUE, "#d07a1c", "#2b9a52", "#d8434a", "#a35bd6", "#16848f"];

/// The longer side of a heat map, and about the least length of the shorter one.
const HEAT: f64 = 256.0;
const HEAT_LEAST: f64 = 48.0;

impl Chart {
    /// A line or bars as an SVG that can stand alone; a heat map is no drawing.
    pub fn to_svg(&self) -> Option<String> {
        let (svg, _) = drawing(self)?;
        Some(svg.drawing())
    }

    /// A heat map as the bytes of a PNG that needs no enlarging.
    pub fn to_png(&self) -> Option<Vec<u8>> {
        let Chart::Heat(heat) = self else { return None };
        let zoom = (384 / heat.rows.max(heat.cols).max(1)).clamp(1, 24);
        Some(png(heat, (zoom, zoom))).filter(|bytes| !bytes.is_empty())
    }
}

/// A chart with its title and its note.
pub fn figure(chart: &Chart) -> String {
    let mut html = String::from("<figure style=\"margin:0\">");
    if !chart.title().is_empty() {
        html += &format!("<div><b>{}</b></div>", escape(chart.title()));
    }
    if let Chart::Plot(plot) = chart {
        html += &names(&plot.lines);
    }
    html += &match (chart, drawing(chart)) {
        (Chart::Heat(heat), _) => heat_html(heat),
        (_, Some((svg, words))) => svg.picture(&words),
        (Chart::Bars(_), None) => "<pre>no finite number to count</pre>".to_string(),
        (_, None) => "<pre>no finite number to draw</pre>".to_string(),
    };
    if let Some(note) = chart.note() {
        html += &format!("<figcaption style=\"{DIM}\">{}</figcaption>", escape(&note));
    }
    html + "</figure>"
}

/// What is drawn, and the same in words; nothing where no number is finite, and for a heat map.
fn drawing(chart: &Chart) -> Option<(Svg, String)> {
    match chart {
        Chart::Line(line) => lines_svg(std::slice::from_ref(line)),
        Chart::Plot(plot) => lines_svg(&plot.lines),
        Chart::Bars(bars) => bars_svg(bars),
        Chart::Heat(_) => None,
    }
}

/// The place of the axes, and what they measure.
struct Axes {
    x: (f64, f64),
    y: (f64, f64),
    /// Whether these count elements.
    is_counted: (bool, bool),
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        LEFT + share(value, self.x) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - share(value, self.y) * (HEIGHT - BOTTOM - TOP)
    }

    /// Lines across and numbers along both axes.
    fn draw(&self, svg: &mut Svg) {
        let ticks = |(low, high), about, is_counted| match is_counted {
            true => Ticks::whole(low, high, about),
            false => Ticks::new(low, high, about),
        };
        let Ticks { marks, note } = ticks(self.y, 4, self.is_counted.1);
        for (mark, label) in marks {
            let y = self.y(mark);
            svg.line((LEFT, y), (WIDTH - RIGHT, y), if mark == 0.0 { 0.45 } else { 0.14 });
            svg.text(LEFT - 6.0, y + 3.5, Anchor::End, &label);
        }
        svg.text(LEFT, 10.0, Anchor::Start, &note);
        let Ticks { marks, note } = ticks(self.x, 7, self.is_counted.0);
        let y = HEIGHT - BOTTOM;
        for (mark, label) in marks {
            let x = self.x(mark);
            svg.line((x, y), (x, y + 4.0), 0.45);
            svg.text(x, HEIGHT - 5.0, Anchor::Middle, &label);
        }
        svg.text(WIDTH - 2.0, y - 5.0, Anchor::End, &note);
    }
}

fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    // Halves, because the distance of two finite numbers may not be one.
    let span = high / 2.0 - low / 2.0;
    if span > 0.0 { (value / 2.0 - low / 2.0) / span } else { 0.5 }
}

/// One line, or several.
fn lines_svg(lines: &[Line]) -> Option<(Svg, String)> {
    let (low, high) = range(lines.iter().flat_map(|l| l.low.iter().chain(&l.high)).copied());
    let (left, right) = reach(lines);
    if low > high || left > right {
        return None;
    }
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let is_counted = (lines.iter().all(|line| line.x.is_empty()), false);
    let axes = Axes { x: widened(left, right), y: widened(low, high), is_counted };
    axes.draw(&mut svg);
    for (line, color) in lines.iter().zip(COLORS.iter().cycle()) {
        line_path(&mut svg, &axes, line, color);
    }
    let count: usize = lines.iter().map(|line| line.len).sum();
    let words = match lines.len() {
        1 => {
            format!("a line of {} from {} to {}", counted(count, "number"), brief(low), brief(high))
        }
        lines => format!(
            "{lines} lines of {} from {} to {}",
            counted(count, "number"),
            brief(low),
            brief(high)
        ),
    };
    Some((svg, words))
}

/// What the lines of a plot are called, with their colours.
fn names(lines: &[Line]) -> String {
    if lines.len() < 2 {
        return String::new();
    }
    let name = |(line, color): (&Line, &&str)| {
        format!("<span style=\"color:{color}\">━━</span> {}&emsp;", escape(&line.title))
    };
    let all: String = lines.iter().zip(COLORS.iter().cycle()).map(name).collect();
    format!("<div>{all}</div>")
}

fn line_path(svg: &mut Svg, axes: &Axes, line: &Line, color: &str) {
    let is_seen = |at: &usize| line.mean[*at].is_finite() && line.at(*at).is_finite();
    let mut at = 0;
    let (mut path, mut band, mut dots) = (String::new(), String::new(), String::new());
    while at < line.mean.len() {
        let run: Vec<usize> = (at..line.mean.len()).take_while(is_seen).collect();
        at += run.len().max(1);
        let point = |at: usize, values: &[f64]| {
            format!("{} {}", length(axes.x(line.at(at))), length(axes.y(values[at])))
        };
        let join = |points: Vec<String>| points.join("L");
        match run.as_slice() {
            [] => {}
            [one] => dots += &format!("M{}h0", point(*one, &line.mean)),
            run => {
                let points = run.iter().map(|at| point(*at, &line.mean)).collect();
                path += &format!("M{}", join(points));
            }
        }
        if line.step > 1 && run.len() > 1 {
            let above = run.iter().map(|at| point(*at, &line.high));
            let below = run.iter().rev().map(|at| point(*at, &line.low));
            band += &format!("M{}Z", join(above.chain(below).collect()));
        }
    }
    if !band.is_empty() {
        svg.path(&band, &format!("fill=\"{color}\" fill-opacity=\".28\""));
    }
    let stroke = format!("fill=\"none\" stroke=\"{color}\"");
    if !path.is_empty() {
        svg.path(&path, &format!("{stroke} stroke-width=\"1.5\" stroke-linejoin=\"round\""));
    }
    if !dots.is_empty() {
        svg.path(&dots, &format!("{stroke} stroke-width=\"4\" stroke-linecap=\"round\""));
    }
}

/// A bin and how many numbers are in it, in words.
pub fn bin_text(bars: &Bars, at: usize) -> String {
    let (from, to) = bars.bin(at);
    format!("{} … {}: {}", brief(from), brief(to), human_count(bars.counts[at]))
}

fn bars_svg(bars: &Bars) -> Option<(Svg, String)> {
    let most = bars.counts.iter().copied().max().filter(|most| *most > 0)?;
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let axes =
        Axes { x: widened(bars.low, bars.high), y: (0.0, most as f64), is_counted: (false, true) };
    axes.draw(&mut svg);
    let width = (WIDTH - LEFT - RIGHT) / bars.counts.len() as f64;
    for (at, count) in bars.counts.iter().enumerate() {
        let (x, y) = (LEFT + width * at as f64, axes.y(*count as f64));
        let place = [x + 0.75, y, (width - 1.5).max(0.5), HEIGHT - BOTTOM - y];
        svg.rect(place, BLUE, "");
        // Also above a low bar.
        svg.say([x, TOP, width, HEIGHT - BOTTOM - TOP], &bin_text(bars, at));
    }
    let total: u64 = bars.counts.iter().sum();
    let words = format!(
        "a histogram of {} from {} to {}, at most {} in a bin",
        counted(total, "number"),
        brief(bars.low),
        brief(bars.high),
        human_count(most)
    );
    Some((svg, words))
}

/// How many times as wide and as high as its numbers of columns and rows a heat map is on a page: in
/// proportion to the tensor, neither side too long nor too short, and whole pixels for each cell.
fn heat_zoom(heat: &Heat) -> (usize, usize) {
    let (tall, wide) = (heat.extent.0.max(1) as f64, heat.extent.1.max(1) as f64);
    // Cells of a small map need not fill the page.
    let most = HEAT.min(24.0 * heat.rows.max(heat.cols) as f64);
    let fit = most / tall.max(wide);
    let zoom = |extent: f64, cells: usize| {
        let side = (extent * fit).max(HEAT_LEAST.min(most));
        ((side / cells.max(1) as f64 + 0.01).floor() as usize).max(1)
    };
    (zoom(wide, heat.cols), zoom(tall, heat.rows))
}

/// The picture, and under it what its colours mean.
fn heat_html(heat: &Heat) -> String {
    let zoom = heat_zoom(heat);
    let (rows, cols) = heat.extent;
    let (low, high) = range(heat.values.iter().copied());
    let numbers = if rows * cols == 1 { "number" } else { "numbers" };
    let mut words = format!("a heat map of {rows} × {cols} {numbers}");
    if low <= high {
        words += &format!(" from {} to {}", brief(low), brief(high));
    }
    let picture = BASE64_STANDARD.encode(png(heat, zoom));
    let (width, height) = (heat.cols * zoom.0, heat.rows * zoom.1);
    let mut html = format!(
        "<img class=\"heat\" width=\"{width}\" height=\"{height}\" alt=\"{words}\" \
         title=\"{words}\" src=\"data:image/png;base64,{picture}\"><div>"
    );
    match Scale::over(low, high) {
        Some(scale) => html += &legend(scale),
        None if low <= high => {
            html += &format!("<span style=\"{DIM}\">everywhere {}</span>", brief(low));
        }
        None => {}
    }
    if heat.values.iter().any(|value| !value.is_finite()) {
        html += " <span style=\"color:#d61fb3\">■</span> nan, inf";
    }
    html + "</div>"
}

/// A strip of the scale's colours between the numbers at its ends.
pub fn legend(scale: Scale) -> String {
    let (low, high) = scale.ends();
    let (low, high) = (brief(low), brief(high));
    let (bytes, (width, height)) = strip(scale);
    let picture = BASE64_STANDARD.encode(bytes);
    format!(
        "<span style=\"{DIM}\">{low}</span> <img class=\"scale\" width=\"{width}\" \
         height=\"{height}\" alt=\"colours from {low} to {high}\" \
         src=\"data:image/png;base64,{picture}\"> <span style=\"{DIM}\">{high}</span>"
    )
}
