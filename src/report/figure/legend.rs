//! What the marks of a pair of axes are called.

use super::raster::{Point, Rect};
use super::scene::{Item, SMALL, Scene, View, width_of};
use super::{Anchor, Mark, Shape};

/// The frame around the letters, and how long the samples are.
const ROOM: f64 = 7.0;
const SAMPLE: f64 = 22.0;

impl Scene {
    /// In the corner where it hides least.
    pub(super) fn legend(&mut self, view: &View<'_>) {
        let named: Vec<&Mark> =
            view.axes.marks.iter().filter(|mark| !mark.name.is_empty()).collect();
        if named.is_empty() {
            return;
        }
        let [left, top, right, bottom] = view.frame;
        let widest = named.iter().map(|mark| width_of(&mark.name, SMALL)).fold(0.0, f64::max);
        let (wide, high) = (widest + SAMPLE + 3.0 * ROOM, named.len() as f64 * 16.0 + ROOM);
        let corner = |is_left: bool, is_low: bool| {
            let x = if is_left { left + 6.0 } else { right - 6.0 - wide };
            let y = if is_low { bottom - 6.0 - high } else { top + 6.0 };
            [x, y, x + wide, y + high]
        };
        let corners =
            [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
        let hidden = |place: &Rect| {
            let marks = view.axes.marks.iter();
            marks.map(|mark| inside(mark, view, *place)).sum::<usize>()
        };
        let Some(place) = corners.into_iter().min_by_key(hidden) else { return };
        self.outline(place, Some([255, 255, 255, 204]), [31, 35, 40, 60]);
        for (at, mark) in named.into_iter().enumerate() {
            let y = place[1] + ROOM / 2.0 + 16.0 * at as f64 + 8.0;
            let (from, to) = (place[0] + ROOM, place[0] + ROOM + SAMPLE);
            let middle = ((from + to) / 2.0, y);
            match &mark.shape {
                Shape::Curve(curve) => {
                    if let Some(stroke) = curve.stroke {
                        let (lines, stroke) =
                            (vec![vec![(from, y), (to, y)]], Some((mark.color, stroke)));
                        self.items.push(Item::Path { lines, fill: None, stroke, clip: None });
                    }
                    if let Some(sign) = curve.sign {
                        self.signs(&[middle], sign, curve.size, mark.color, None);
                    }
                }
                Shape::Dots(dots) => self.signs(&[middle], dots.sign, 6.0, mark.color, None),
                Shape::Segments { stroke, .. } => {
                    let (lines, stroke) =
                        (vec![vec![(from, y), (to, y)]], Some((mark.color, *stroke)));
                    self.items.push(Item::Path { lines, fill: None, stroke, clip: None });
                }
                _ => self.outline([from, y - 4.0, to, y + 4.0], Some(mark.color), mark.color),
            }
            self.text((to + ROOM, y + 4.0), &mark.name, SMALL, Anchor::Start);
        }
    }
}

/// How many points of a mark lie in a rectangle.
fn inside(mark: &Mark, view: &View<'_>, [left, top, right, bottom]: Rect) -> usize {
    let is_inside = |(x, y): Point| x >= left && x <= right && y >= top && y <= bottom;
    let count = |x: &[f64], y: &[f64]| {
        x.iter().zip(y).filter(|(x, y)| is_inside(view.point(**x, **y))).count()
    };
    match &mark.shape {
        Shape::Curve(curve) => count(&curve.x, &curve.y),
        Shape::Dots(dots) => count(&dots.x, &dots.y),
        Shape::Area { x, low, high } => count(x, low) + count(x, high),
        Shape::Boxes { boxes, .. } => {
            let meets = |b: &&[f64; 4]| {
                let (x, y) = ((view.x(b[0]), view.x(b[2])), (view.y(b[3]), view.y(b[1])));
                x.1 >= left && x.0 <= right && y.1 >= top && y.0 <= bottom
            };
            boxes.iter().filter(meets).count()
        }
        _ => 0,
    }
}
