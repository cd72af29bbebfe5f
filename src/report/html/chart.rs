//! Charts as SVG; a heat map is a PNG between its axes.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::report::chart::{reach, tick_text, ticks};
use crate::report::heat::{Scale, range};
use crate::report::{Bars, Chart, Heat, Line, header::brief, human_count};

use super::picture::png;
use super::svg::{Anchor, Svg, length};
use super::text::escape;

/// The drawing, and the margins that numbers stand in.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 62.0;
const BOTTOM: f64 = 22.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = 12.0;

const BLUE: &str = "#2f7fd6";

/// Of text and axes where the page's colour is not known: seen on light pages and on dark ones.
const GREY: &str = "#808080";

/// Of the lines, in their order: of a middle tone, for light pages and for dark ones.
const COLORS: [&str; 6] = [BLUE, "#d07a1c", "#2b9a52", "#d8434a", "#a35bd6", "#16848f"];

/// The longer side of a heat map, and the least length of the shorter one.
const HEAT: f64 = 256.0;
const HEAT_LEAST: f64 = 48.0;

impl Chart {
    /// A line or bars as an SVG that can stand alone; a heat map is no drawing.
    pub fn to_svg(&self) -> Option<String> {
        let svg = match self {
            Chart::Line(line) => lines_svg(std::slice::from_ref(line)),
            Chart::Plot(plot) => lines_svg(&plot.lines),
            Chart::Bars(bars) => bars_svg(bars),
            Chart::Heat(_) => return None,
        };
        // Shown as a picture it does not know the page's colour, and would take black.
        Some(svg.replace("currentColor", GREY))
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
    let picture = match chart {
        Chart::Line(line) => lines_svg(std::slice::from_ref(line)),
        Chart::Plot(plot) => lines_svg(&plot.lines),
        Chart::Bars(bars) => bars_svg(bars),
        Chart::Heat(heat) => heat_html(heat),
    };
    let mut html = String::from("<figure>");
    if !chart.title().is_empty() {
        html += &format!("<div><b>{}</b></div>", escape(chart.title()));
    }
    html += &picture;
    if let Some(note) = chart.note() {
        html += &format!("<figcaption>{}</figcaption>", escape(&note));
    }
    html + "</figure>"
}

/// The place of the axes, and what they measure.
struct Axes {
    x: (f64, f64),
    y: (f64, f64),
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
        let (marks, decimals) = ticks(self.y.0, self.y.1, 4);
        for mark in marks {
            let y = self.y(mark);
            svg.line((LEFT, y), (WIDTH - RIGHT, y), if mark == 0.0 { 0.45 } else { 0.14 });
            svg.text(LEFT - 6.0, y + 3.5, Anchor::End, 0.7, &tick_text(mark, decimals));
        }
        let (marks, decimals) = ticks(self.x.0, self.x.1, 7);
        for mark in marks {
            let x = self.x(mark);
            let y = HEIGHT - BOTTOM;
            svg.line((x, y), (x, y + 4.0), 0.45);
            svg.text(x, HEIGHT - 5.0, Anchor::Middle, 0.7, &tick_text(mark, decimals));
        }
    }
}

fn share(value: f64, (low, high): (f64, f64)) -> f64 {
    // Halves, because the distance of two finite numbers may not be one.
    let span = high / 2.0 - low / 2.0;
    if span > 0.0 { (value / 2.0 - low / 2.0) / span } else { 0.5 }
}

/// One line, or several with a legend above them.
fn lines_svg(lines: &[Line]) -> String {
    let (low, high) = range(lines.iter().flat_map(|l| l.low.iter().chain(&l.high)).copied());
    let (left, right) = reach(lines);
    if low > high || left > right {
        return "<pre>no finite number to draw</pre>".to_string();
    }
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let axes = Axes { x: (left, right), y: (low, high) };
    axes.draw(&mut svg);
    for (line, color) in lines.iter().zip(COLORS.iter().cycle()) {
        line_path(&mut svg, &axes, line, color);
    }
    let count: usize = lines.iter().map(|line| line.len).sum();
    let words = format!("{count} numbers from {} to {}", brief(low), brief(high));
    let mut html = String::new();
    if lines.len() > 1 {
        html += "<div>";
        for (line, color) in lines.iter().zip(COLORS.iter().cycle()) {
            let title = escape(&line.title);
            html += &format!("<span style=\"color:{color}\">━━</span> {title}&emsp;");
        }
        html += "</div>";
    }
    html + &svg.finish("", &words)
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

fn bars_svg(bars: &Bars) -> String {
    let most = bars.counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return "<pre>no finite number to count</pre>".to_string();
    }
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let axes = Axes { x: (bars.low, bars.high), y: (0.0, most as f64) };
    axes.draw(&mut svg);
    let width = (WIDTH - LEFT - RIGHT) / bars.counts.len() as f64;
    for (at, count) in bars.counts.iter().enumerate() {
        let (from, to) = bars.bin(at);
        let (x, y) = (LEFT + width * at as f64, axes.y(*count as f64));
        let title = format!("{} … {}: {}", brief(from), brief(to), human_count(*count));
        let fill = format!("fill=\"{BLUE}\" fill-opacity=\".8\"");
        svg.rect(x + 0.75, y, (width - 1.5).max(0.5), HEIGHT - BOTTOM - y, &fill, &title);
    }
    let words = format!("histogram from {} to {}", brief(bars.low), brief(bars.high));
    svg.finish("", &words)
}

/// A histogram so small that it stands in a line of text.
pub fn small_bars(bars: &Bars) -> String {
    const BAR: f64 = 9.0;
    const HIGH: f64 = 16.0;
    let most = bars.counts.iter().copied().max().unwrap_or(0).max(1);
    let mut svg = Svg::new(BAR * bars.counts.len() as f64, HIGH);
    for (at, count) in bars.counts.iter().enumerate() {
        let (from, to) = bars.bin(at);
        let tall = match count {
            0 => 0.0,
            count => (*count as f64 / most as f64 * HIGH).max(1.0),
        };
        let title = format!("{} … {}: {}", brief(from), brief(to), human_count(*count));
        let x = BAR * at as f64;
        svg.rect(x, HIGH - tall, BAR - 1.0, tall, "fill=\"#2f7fd6\"", &title);
    }
    let words = format!("histogram from {} to {}", brief(bars.low), brief(bars.high));
    svg.finish("in", &words)
}

/// The width and height of a heat map on a page: in proportion to the tensor, neither side too long
/// nor too short.
fn heat_size(heat: &Heat) -> (f64, f64) {
    let (tall, wide) = (heat.extent.0.max(1) as f64, heat.extent.1.max(1) as f64);
    // Cells of a small map need not fill the page.
    let most = HEAT.min(24.0 * heat.rows.max(heat.cols) as f64);
    let fit = most / tall.max(wide);
    let side = |extent: f64| (extent * fit).max(HEAT_LEAST.min(most)).round();
    (side(wide), side(tall))
}

/// The picture, and under it what its colours mean.
fn heat_html(heat: &Heat) -> String {
    let (width, height) = heat_size(heat);
    let (rows, cols) = heat.extent;
    let alt = format!("heat map of {rows} × {cols} numbers");
    // Hosts that overrule the height keep the picture's own proportions, so they must be right.
    let share = width / heat.cols.max(1) as f64 / (height / heat.rows.max(1) as f64);
    let zoom = |share: f64| (share.max(1.0) * 3.0).round() as usize;
    let picture = BASE64_STANDARD.encode(png(heat, (zoom(share), zoom(1.0 / share))));
    let (width, height) = (length(width), length(height));
    let mut html = format!(
        "<img alt=\"{alt}\" title=\"{alt}\" width=\"{width}\" height=\"{height}\" \
         src=\"data:image/png;base64,{picture}\">"
    );
    let scale = Scale::of(heat.values.iter().copied());
    let odd = heat.values.iter().filter(|value| !value.is_finite()).count();
    html += "<div>";
    match scale {
        Some(scale) => html += &legend(scale),
        None => {
            let (low, high) = range(heat.values.iter().copied());
            if low <= high {
                html += &format!("<span style=\"opacity:.7\">everywhere {}</span>", brief(low));
            }
        }
    }
    if odd > 0 {
        html += " <span style=\"color:#d61fb3\">■</span> nan, inf";
    }
    html + "</div>"
}

/// A strip of the scale's colours between the numbers at its ends.
fn legend(scale: Scale) -> String {
    const STEPS: usize = 24;
    const STEP: f64 = 4.0;
    let mut svg = Svg::new(STEPS as f64 * STEP, 10.0);
    for at in 0..STEPS {
        let color = scale.color_at(at as f64 / (STEPS - 1) as f64);
        let [r, g, b] = color.rgb;
        let fill = format!(
            "fill=\"#{r:02x}{g:02x}{b:02x}\" fill-opacity=\"{}\"",
            length(f64::from(color.alpha) / 255.0)
        );
        svg.rect(at as f64 * STEP, 0.0, STEP, 10.0, &fill, "");
    }
    let (low, high) = scale.ends();
    let strip = svg.finish("in", "scale of colours");
    let dim = |text: String| format!("<span style=\"opacity:.7\">{text}</span>");
    format!("{} {strip} {}", dim(brief(low)), dim(brief(high)))
}
