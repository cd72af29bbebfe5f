//! Outlines as pixels with smooth edges, on white.

use super::Rgba;

/// Lines of a pixel's row that are looked at on their own.
const PARTS: usize = 4;

/// A place on the canvas, in pixels.
pub type Point = (f64, f64);

/// A rectangle: left, top, right, bottom.
pub type Rect = [f64; 4];

pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pixels: Vec<[f32; 3]>,
}

/// How much of each pixel of a rectangle is covered.
struct Mask {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    cover: Vec<f32>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, pixels: vec![[255.0; 3]; width * height] }
    }

    /// The pixels as bytes, red, green and blue of each.
    pub fn bytes(&self) -> Vec<u8> {
        self.pixels.iter().flatten().map(|part| part.round() as u8).collect()
    }

    fn mask(&self, points: impl Iterator<Item = Point>, room: f64, clip: Option<Rect>) -> Mask {
        let mut ends = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        for (x, y) in points {
            ends = [ends[0].min(x), ends[1].min(y), ends[2].max(x), ends[3].max(y)];
        }
        let (right, bottom) = (self.width as f64, self.height as f64);
        let clip = clip.unwrap_or([0.0, 0.0, right, bottom]);
        let low = |end: f64, clip: f64| (end - room).max(clip).max(0.0).floor();
        let high = |end: f64, clip: f64, most: f64| (end + room).min(clip).min(most).ceil();
        let (left, top) = (low(ends[0], clip[0]), low(ends[1], clip[1]));
        let width = (high(ends[2], clip[2], right) - left).max(0.0) as usize;
        let height = (high(ends[3], clip[3], bottom) - top).max(0.0) as usize;
        let cover = vec![0.0; width * height];
        Mask { left: left as usize, top: top as usize, width, height, cover }
    }

    fn blend(&mut self, mask: &Mask, color: Rgba, clip: Option<Rect>) {
        let alpha = f32::from(color[3]) / 255.0;
        for (at, cover) in mask.cover.iter().enumerate().filter(|(_, cover)| **cover > 0.0) {
            let (x, y) = (mask.left + at % mask.width, mask.top + at / mask.width);
            let inside = clip.map_or(1.0, |clip| {
                let along = |at: usize, low: f64, high: f64| {
                    ((at as f64 + 1.0).min(high) - (at as f64).max(low)).clamp(0.0, 1.0)
                };
                (along(x, clip[0], clip[2]) * along(y, clip[1], clip[3])) as f32
            });
            let share = cover.min(1.0) * alpha * inside;
            let pixel = &mut self.pixels[y * self.width + x];
            for (part, new) in pixel.iter_mut().zip(color) {
                *part += (f32::from(new) - *part) * share;
            }
        }
    }

    /// Fills what lies inside of outlines, each closed; where they turn around a place, that is inside.
    pub fn fill(&mut self, outlines: &[Vec<Point>], color: Rgba, clip: Option<Rect>) {
        let mut mask = self.mask(outlines.iter().flatten().copied(), 1.0, clip);
        let mut crossings: Vec<(f64, i32)> = Vec::new();
        for part in 0..mask.height * PARTS {
            let y = mask.top as f64 + (part as f64 + 0.5) / PARTS as f64;
            crossings.clear();
            for outline in outlines {
                let ends = outline.iter().zip(outline.iter().cycle().skip(1));
                for (&(x0, y0), &(x1, y1)) in ends.filter(|(a, b)| (a.1 <= y) != (b.1 <= y)) {
                    let x = x0 + (y - y0) / (y1 - y0) * (x1 - x0);
                    crossings.push((x, if y1 > y0 { 1 } else { -1 }));
                }
            }
            crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut turns = 0;
            for pair in crossings.windows(2) {
                turns += pair[0].1;
                if turns != 0 {
                    mask.span(part / PARTS, pair[0].0, pair[1].0);
                }
            }
        }
        self.blend(&mask, color, clip);
    }

    /// Draws along points; a single one is a dot.
    pub fn stroke(&mut self, lines: &[Vec<Point>], width: f64, color: Rgba, clip: Option<Rect>) {
        // A line thinner than a pixel is a paler one.
        let (width, alpha) = if width < 1.0 { (1.0, width) } else { (width, 1.0) };
        let color = [color[0], color[1], color[2], (f64::from(color[3]) * alpha).round() as u8];
        let half = width / 2.0;
        let mut mask = self.mask(lines.iter().flatten().copied(), half + 1.0, clip);
        for line in lines {
            match line.as_slice() {
                [one] => mask.near(*one, *one, half),
                points => points.windows(2).for_each(|two| mask.near(two[0], two[1], half)),
            }
        }
        self.blend(&mask, color, clip);
    }

    /// Puts a picture of cells into a rectangle.
    pub fn picture(&mut self, place: Rect, rows: usize, colors: &[Rgba], clip: Rect) {
        let cols = colors.len() / rows.max(1);
        let (wide, high) = (place[2] - place[0], place[3] - place[1]);
        if cols == 0 || wide == 0.0 || high == 0.0 {
            return;
        }
        let first = |end: f64| end.round().max(0.0) as usize;
        for y in first(clip[1])..first(clip[3]).min(self.height) {
            for x in first(clip[0])..first(clip[2]).min(self.width) {
                let across = (x as f64 + 0.5 - place[0]) / wide;
                let down = (y as f64 + 0.5 - place[1]) / high;
                if !(0.0..1.0).contains(&across) || !(0.0..1.0).contains(&down) {
                    continue;
                }
                let at = (down * rows as f64) as usize * cols + (across * cols as f64) as usize;
                let color = colors[at];
                let pixel = &mut self.pixels[y * self.width + x];
                for (part, new) in pixel.iter_mut().zip(color) {
                    *part += (f32::from(new) - *part) * f32::from(color[3]) / 255.0;
                }
            }
        }
    }
}

impl Mask {
    /// Covers a part of a row.
    fn span(&mut self, row: usize, from: f64, to: f64) {
        let (from, to) = (from - self.left as f64, to - self.left as f64);
        let last = (to.ceil().max(0.0) as usize).min(self.width);
        for x in (from.floor().max(0.0) as usize).min(last)..last {
            let cover = (x as f64 + 1.0).min(to) - (x as f64).max(from);
            self.cover[row * self.width + x] += (cover.clamp(0.0, 1.0) / PARTS as f64) as f32;
        }
    }

    /// Covers what is no farther than `half` from the line between two points.
    fn near(&mut self, from: Point, to: Point, half: f64) {
        let reach = half + 1.0;
        let rows = self.within(from.1.min(to.1) - reach, from.1.max(to.1) + reach, false);
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let length = across * across + down * down;
        for y in rows {
            let py = (self.top + y) as f64 + 0.5;
            // The part of a flat line that is near this row; a steep one is near its own columns.
            let (mut low, mut high) = (from.0.min(to.0), from.0.max(to.0));
            if down.abs() > 1e-9 && across.abs() > 1e-9 {
                let slant = reach * (1.0 + (across / down).abs());
                let middle = from.0 + (py - from.1) / down * across;
                (low, high) = (low.max(middle - slant), high.min(middle + slant));
            }
            for x in self.within(low - reach, high + reach, true) {
                let px = (self.left + x) as f64 + 0.5;
                let along = ((px - from.0) * across + (py - from.1) * down) / length;
                let along = if length > 0.0 { along.clamp(0.0, 1.0) } else { 0.0 };
                let away = (px - from.0 - along * across).hypot(py - from.1 - along * down);
                let cover = (half + 0.5 - away).clamp(0.0, 1.0) as f32;
                let cell = &mut self.cover[y * self.width + x];
                *cell = cell.max(cover);
            }
        }
    }

    fn within(&self, from: f64, to: f64, is_across: bool) -> std::ops::Range<usize> {
        let (first, count) =
            if is_across { (self.left, self.width) } else { (self.top, self.height) };
        let at = |end: f64| ((end - first as f64).max(0.0) as usize).min(count);
        at(from.floor())..at(to.ceil())
    }
}
