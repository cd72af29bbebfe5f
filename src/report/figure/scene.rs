//! A figure as outlines, letters and pixels at places of a sheet, in the order in which they lie over
//! each other.

use super::raster::{Point, Rect};
use super::{Anchor, Axes, Curve, Dash, Dots, Figure, Mark, Rgba, Shape, Sign, Stroke, font};

const INK: Rgba = [31, 35, 40, 255];
const PALE: Rgba = [31, 35, 40, 36];

/// Sizes of letters: along axes, and in titles.
pub(super) const SMALL: f64 = 11.0;
const LARGE: f64 = 13.0;

pub struct Scene {
    pub width: f64,
    pub height: f64,
    pub items: Vec<Item>,
}

pub enum Item {
    Path {
        lines: Vec<Vec<Point>>,
        fill: Option<Rgba>,
        stroke: Option<(Rgba, Stroke)>,
        clip: Option<Rect>,
    },
    Discs {
        centres: Vec<Point>,
        size: f64,
        color: Rgba,
        clip: Option<Rect>,
    },
    Text(Text),
    Picture {
        place: Rect,
        rows: usize,
        colors: Vec<Rgba>,
        clip: Rect,
    },
}

pub struct Text {
    pub at: Point,
    pub text: String,
    pub size: f64,
    pub anchor: Anchor,
    pub color: Rgba,
    pub is_bold: bool,
    /// Whether it is read from below.
    pub is_turned: bool,
}

impl Text {
    /// Where its first letter begins.
    pub fn start(&self) -> Point {
        let length = width_of(&self.text, self.size);
        let back = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => length / 2.0,
            Anchor::End => length,
        };
        if self.is_turned { (self.at.0, self.at.1 + back) } else { (self.at.0 - back, self.at.1) }
    }
}

pub(super) fn width_of(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * font::ADVANCE * size
}

pub fn of(figure: &Figure) -> Scene {
    let mut scene = Scene { width: figure.width, height: figure.height, items: Vec::new() };
    let top = if figure.title.is_empty() { 0.0 } else { 24.0 };
    if !figure.title.is_empty() {
        scene.text((figure.width / 2.0, 17.0), &figure.title, LARGE, Anchor::Middle).is_bold = true;
    }
    for axes in &figure.axes {
        let [left, above, right, below] = axes.place;
        let (wide, high) = (figure.width, figure.height - top);
        scene.axes(axes, [left * wide, top + above * high, right * wide, top + below * high]);
    }
    scene
}

/// Where the numbers of a pair of axes stand.
pub(super) struct View<'a> {
    pub axes: &'a Axes,
    pub frame: Rect,
}

impl View<'_> {
    pub(super) fn x(&self, value: f64) -> f64 {
        let [left, _, right, _] = self.frame;
        (left + self.axes.x.place(value) * (right - left)).clamp(-1e5, 1e5)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        let [_, top, _, bottom] = self.frame;
        (bottom - self.axes.y.place(value) * (bottom - top)).clamp(-1e5, 1e5)
    }

    pub(super) fn point(&self, x: f64, y: f64) -> Point {
        (self.x(x), self.y(y))
    }
}

/// How many numbers there is room for along so many pixels, as matplotlib counts it: `lines` times a
/// letter's height for each.
fn most(length: f64, lines: f64) -> usize {
    ((length * 0.72 / (10.0 * lines)) as usize).clamp(1, 9)
}

impl Scene {
    pub(super) fn text(&mut self, at: Point, text: &str, size: f64, anchor: Anchor) -> &mut Text {
        let (text, color) = (text.to_string(), INK);
        self.items.push(Item::Text(Text {
            at,
            text,
            size,
            anchor,
            color,
            is_bold: false,
            is_turned: false,
        }));
        match self.items.last_mut() {
            Some(Item::Text(text)) => text,
            _ => unreachable!("it was put there"),
        }
    }

    fn line(&mut self, from: Point, to: Point, width: f64, color: Rgba) {
        let stroke = Some((color, Stroke { width, dash: Dash::Solid }));
        self.items.push(Item::Path { lines: vec![vec![from, to]], fill: None, stroke, clip: None });
    }

    pub(super) fn outline(
        &mut self,
        [left, top, right, bottom]: Rect,
        fill: Option<Rgba>,
        ink: Rgba,
    ) {
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        let lines = vec![[corners.clone(), vec![corners[0]]].concat()];
        let stroke = Some((ink, Stroke { width: 1.0, dash: Dash::Solid }));
        self.items.push(Item::Path { lines, fill, stroke, clip: None });
    }

    fn axes(&mut self, axes: &Axes, cell: Rect) {
        let high = cell[3] - cell[1];
        let (y_marks, y_note) = axes.y.marks(most(high * 0.77, 2.0));
        let shown = if axes.has_frame { y_marks.as_slice() } else { &[] };
        let widest = shown.iter().map(|mark| width_of(&mark.1, SMALL)).fold(0.0, f64::max);
        let label = |text: &str| if text.is_empty() { 0.0 } else { 17.0 };
        let mut frame = [
            cell[0] + widest + 14.0 + label(&axes.y.label),
            cell[1] + 10.0 + if axes.title.is_empty() { 0.0 } else { 18.0 },
            cell[2] - 16.0,
            cell[3] - 24.0 - label(&axes.x.label) - if axes.note.is_empty() { 0.0 } else { 14.0 },
        ];
        if !y_note.is_empty() && axes.title.is_empty() {
            frame[1] += 10.0;
        }
        if let Some(bar) = &axes.bar {
            frame[2] -= 66.0 + label(&bar.label);
        }
        (frame[2], frame[3]) = (frame[2].max(frame[0] + 8.0), frame[3].max(frame[1] + 8.0));
        if axes.is_equal {
            frame = squared(axes, frame);
        }
        let view = View { axes, frame };
        let [left, top, right, bottom] = frame;
        let (x_marks, x_note) = axes.x.marks(most(right - left, 3.0));
        if axes.has_grid {
            for (value, _) in &x_marks {
                self.line((view.x(*value), top), (view.x(*value), bottom), 0.8, PALE);
            }
            for (value, _) in &y_marks {
                self.line((left, view.y(*value)), (right, view.y(*value)), 0.8, PALE);
            }
        }
        for mark in &axes.marks {
            self.mark(mark, &view);
        }
        if axes.has_frame {
            self.outline(frame, None, INK);
            for value in axes.x.minor() {
                self.line((view.x(value), bottom), (view.x(value), bottom + 2.0), 0.6, INK);
            }
            for value in axes.y.minor() {
                self.line((left, view.y(value)), (left - 2.0, view.y(value)), 0.6, INK);
            }
            let mut free = f64::NEG_INFINITY;
            let mut marks: Vec<(f64, &String)> =
                x_marks.iter().map(|(value, text)| (view.x(*value), text)).collect();
            marks.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (x, text) in marks {
                self.line((x, bottom), (x, bottom + 4.0), 0.8, INK);
                let half = width_of(text, SMALL) / 2.0;
                // What would touch its neighbour is left out.
                if x - half > free {
                    self.text((x, bottom + 15.0), text, SMALL, Anchor::Middle);
                    free = x + half + 4.0;
                }
            }
            for (value, text) in &y_marks {
                let y = view.y(*value);
                self.line((left - 4.0, y), (left, y), 0.8, INK);
                self.text((left - 7.0, y + 4.0), text, SMALL, Anchor::End);
            }
            self.text((left, top - 5.0), &y_note, SMALL, Anchor::Start);
            self.text((right, bottom - 5.0), &x_note, SMALL, Anchor::End);
        }
        let middle = (left + right) / 2.0;
        self.text((middle, top - 7.0), &axes.title, LARGE, Anchor::Middle);
        self.text((middle, bottom + 31.0), &axes.x.label, SMALL, Anchor::Middle);
        let turned = (cell[0] + 13.0, (top + bottom) / 2.0);
        self.text(turned, &axes.y.label, SMALL, Anchor::Middle).is_turned = true;
        let below = bottom + 29.0 + label(&axes.x.label);
        self.text((right, below), &axes.note, 10.0, Anchor::End);
        if axes.bar.is_some() {
            self.bar(axes, [right + 14.0, top, right + 28.0, bottom]);
        }
        if axes.has_legend {
            self.legend(&view);
        }
        self.items.retain(|item| !matches!(item, Item::Text(text) if text.text.is_empty()));
    }

    fn mark(&mut self, mark: &Mark, view: &View<'_>) {
        let (color, clip) = (mark.color, Some(view.frame));
        match &mark.shape {
            Shape::Curve(curve) => self.curve(curve, color, view),
            Shape::Dots(dots) => self.dots(dots, color, view),
            Shape::Boxes { boxes, edge, .. } => {
                let corners = |[left, low, right, high]: &[f64; 4]| {
                    let (left, right) = (view.x(*left), view.x(*right));
                    // On a scale of factors a box begins at the frame.
                    let bound = |y: f64| if y.is_nan() { 1e5 } else { y };
                    let (low, high) = (bound(view.y(*low)), bound(view.y(*high)));
                    vec![(left, low), (right, low), (right, high), (left, high), (left, low)]
                };
                let lines: Vec<Vec<Point>> = boxes.iter().map(corners).collect();
                let lines: Vec<_> = lines.into_iter().filter(|line| is_finite(line)).collect();
                let stroke = edge.map(|edge| (edge, Stroke { width: 1.0, dash: Dash::Solid }));
                self.items.push(Item::Path { lines, fill: Some(color), stroke, clip });
            }
            Shape::Area { x, low, high } => {
                let mut lines = Vec::new();
                let is_seen = |at: &usize| {
                    let (x, y) = (view.x(x[*at]), view.y(low[*at]) + view.y(high[*at]));
                    x.is_finite() && y.is_finite()
                };
                for run in runs(x.len(), is_seen) {
                    let above = run.clone().map(|at| view.point(x[at], high[at]));
                    let below = run.clone().rev().map(|at| view.point(x[at], low[at]));
                    lines.push(above.chain(below).collect());
                }
                self.items.push(Item::Path { lines, fill: Some(color), stroke: None, clip });
            }
            Shape::Segments { ends, stroke } => {
                let line =
                    |[x0, y0, x1, y1]: &[f64; 4]| vec![view.point(*x0, *y0), view.point(*x1, *y1)];
                let lines: Vec<Vec<Point>> = ends.iter().map(line).collect();
                let lines = lines.into_iter().filter(|line| is_finite(line));
                // What comes from far outside would be dashed from there on.
                let lines = lines.map(|line| cut(&line, view.frame)).collect();
                let stroke = Some((color, *stroke));
                self.items.push(Item::Path { lines, fill: None, stroke, clip });
            }
            Shape::Image(image) => {
                let [left, low, right, high] = image.extent;
                let place = [view.x(left), view.y(high), view.x(right), view.y(low)];
                let (rows, colors) = (image.rows, image.colors.clone());
                self.items.push(Item::Picture { place, rows, colors, clip: view.frame });
            }
            Shape::Label(label) => {
                let (x, y) = view.point(label.x, label.y);
                if x.is_finite() && y.is_finite() {
                    let at = (x, y + label.size * 0.72 * label.drop);
                    self.text(at, &label.text, label.size, label.anchor).color = color;
                }
            }
        }
    }

    fn curve(&mut self, curve: &Curve, color: Rgba, view: &View<'_>) {
        let clip = Some(view.frame);
        let points: Vec<Point> =
            curve.x.iter().zip(&curve.y).map(|(x, y)| view.point(*x, *y)).collect();
        let is_seen = |at: &usize| points[*at].0.is_finite() && points[*at].1.is_finite();
        if let Some(stroke) = curve.stroke {
            let (mut lines, mut bands) = (Vec::new(), Vec::new());
            for run in runs(points.len(), is_seen) {
                if !curve.low.is_empty() && run.len() > 1 {
                    let side = |values: &[f64], at: usize| (points[at].0, view.y(values[at]));
                    let above = run.clone().map(|at| side(&curve.high, at));
                    let below = run.clone().rev().map(|at| side(&curve.low, at));
                    bands.push(above.chain(below).collect());
                }
                lines.push(points[run].to_vec());
            }
            if !bands.is_empty() {
                let fill = Some([color[0], color[1], color[2], color[3] / 3]);
                self.items.push(Item::Path { lines: bands, fill, stroke: None, clip });
            }
            self.items.push(Item::Path { lines, fill: None, stroke: Some((color, stroke)), clip });
        }
        if let Some(sign) = curve.sign {
            let seen: Vec<Point> =
                points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
            self.signs(&seen, sign, curve.size, color, clip);
        }
    }

    fn dots(&mut self, dots: &Dots, color: Rgba, view: &View<'_>) {
        let points: Vec<Point> =
            dots.x.iter().zip(&dots.y).map(|(x, y)| view.point(*x, *y)).collect();
        // Those of one look together.
        let mut groups: Vec<((u64, Rgba), Vec<Point>)> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        for (at, point) in points.into_iter().enumerate() {
            let size = dots.sizes.get(at).or(dots.sizes.first()).copied().unwrap_or(6.0);
            let look = (size.to_bits(), dots.colors.get(at).copied().unwrap_or(color));
            if point.0.is_finite() && point.1.is_finite() && size > 0.0 {
                let group = *known.entry(look).or_insert_with(|| {
                    groups.push((look, Vec::new()));
                    groups.len() - 1
                });
                groups[group].1.push(point);
            }
        }
        for ((size, color), points) in groups {
            self.signs(&points, dots.sign, f64::from_bits(size), color, Some(view.frame));
        }
    }

    pub(super) fn signs(
        &mut self,
        points: &[Point],
        sign: Sign,
        size: f64,
        color: Rgba,
        clip: Option<Rect>,
    ) {
        let h = size / 2.0;
        let (outline, is_closed): (&[&[Point]], bool) = match sign {
            Sign::Disc | Sign::Point => {
                let size = if sign == Sign::Point { size / 2.0 } else { size };
                self.items.push(Item::Discs { centres: points.to_vec(), size, color, clip });
                return;
            }
            Sign::Square => (&[&[(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)]], true),
            Sign::Diamond => (&[&[(0., -1.3), (1.3, 0.), (0., 1.3), (-1.3, 0.)]], true),
            Sign::Up => (&[&[(0., -1.), (1., 1.), (-1., 1.)]], true),
            Sign::Down => (&[&[(0., 1.), (1., -1.), (-1., -1.)]], true),
            Sign::Left => (&[&[(-1., 0.), (1., -1.), (1., 1.)]], true),
            Sign::Right => (&[&[(1., 0.), (-1., -1.), (-1., 1.)]], true),
            Sign::Plus => (&[&[(-1., 0.), (1., 0.)], &[(0., -1.), (0., 1.)]], false),
            Sign::Cross => (&[&[(-1., -1.), (1., 1.)], &[(-1., 1.), (1., -1.)]], false),
            Sign::Star => (
                &[
                    &[(0., -1.), (0., 1.)],
                    &[(-0.87, -0.5), (0.87, 0.5)],
                    &[(-0.87, 0.5), (0.87, -0.5)],
                ],
                false,
            ),
            Sign::Across => (&[&[(-1., 0.), (1., 0.)]], false),
            Sign::Upright => (&[&[(0., -1.), (0., 1.)]], false),
        };
        let lines = points.iter().flat_map(|(x, y)| {
            outline.iter().map(move |line| {
                line.iter().map(|(right, down)| (x + right * h, y + down * h)).collect()
            })
        });
        let lines: Vec<Vec<Point>> = lines.collect();
        let stroke = Stroke { width: 1.3, dash: Dash::Solid };
        let (fill, stroke) =
            if is_closed { (Some(color), None) } else { (None, Some((color, stroke))) };
        self.items.push(Item::Path { lines, fill, stroke, clip });
    }

    fn bar(&mut self, axes: &Axes, place: Rect) {
        let Some(bar) = &axes.bar else { return };
        let [_, top, right, bottom] = place;
        let colors: Vec<Rgba> =
            (0..128).map(|at| bar.map.color(1.0 - f64::from(at) / 127.0)).collect();
        self.items.push(Item::Picture { place, rows: 128, colors, clip: place });
        self.outline(place, None, INK);
        let ends = super::Scale::Linear.around(bar.low, bar.high, (0.0, 0.0));
        let axis = super::Axis::new(super::Scale::Linear, ends);
        let (marks, note) = axis.marks(most(bottom - top, 2.0));
        for (value, text) in marks {
            let y = bottom - axis.place(value) * (bottom - top);
            self.line((right, y), (right + 3.0, y), 0.8, INK);
            self.text((right + 6.0, y + 4.0), &text, SMALL, Anchor::Start);
        }
        self.text((right + 6.0, top - 5.0), &note, SMALL, Anchor::Middle);
        let turned = (right + 60.0, (top + bottom) / 2.0);
        self.text(turned, &bar.label, SMALL, Anchor::Middle).is_turned = true;
    }
}

fn is_finite(line: &[Point]) -> bool {
    line.iter().all(|(x, y)| x.is_finite() && y.is_finite())
}

/// A straight line without what lies far outside of a rectangle.
fn cut(line: &[Point], [left, top, right, bottom]: Rect) -> Vec<Point> {
    let (from, to) = (line[0], line[1]);
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for (start, end, least, most) in
        [(from.0, to.0, left - 9.0, right + 9.0), (from.1, to.1, top - 9.0, bottom + 9.0)]
    {
        let span = end - start;
        if span.abs() > 1e-12 {
            let (a, b) = ((least - start) / span, (most - start) / span);
            (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
        }
    }
    let at = |share: f64| (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
    if low <= high { vec![at(low), at(high)] } else { vec![from] }
}

/// Where points that are seen follow one another.
fn runs(len: usize, is_seen: impl Fn(&usize) -> bool) -> Vec<std::ops::Range<usize>> {
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < len {
        let end = (at..len).find(|at| !is_seen(at)).unwrap_or(len);
        if end > at {
            runs.push(at..end);
        }
        at = end.max(at) + 1;
    }
    runs
}

/// The largest part of a frame on which a step is as long on both axes.
fn squared(axes: &Axes, [left, top, right, bottom]: Rect) -> Rect {
    let span = |ends: (f64, f64)| (ends.1 - ends.0).abs();
    let (wide, high) = (span(axes.x.ends), span(axes.y.ends));
    let unit = ((right - left) / wide).min((bottom - top) / high);
    let (wide, high) = (wide * unit, high * unit);
    if !(wide >= 4.0 && high >= 4.0 && wide.is_finite() && high.is_finite()) {
        return [left, top, right, bottom];
    }
    let (x, y) = ((left + right - wide) / 2.0, (top + bottom - high) / 2.0);
    [x, y, x + wide, y + high]
}
