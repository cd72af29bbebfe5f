//! A scene as pixels.

use super::raster::{Canvas, Point, Rect};
use super::scene::{Item, Scene};
use super::{Dash, Stroke, font};

/// The longest side of a picture.
const MOST: f64 = 16_384.0;

/// The scene as a PNG's bytes, so many times as large.
pub fn bytes(scene: &Scene, zoom: f64) -> Vec<u8> {
    let canvas = canvas(scene, zoom);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width as u32, canvas.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Writing to memory can't fail, and an empty picture is no picture.
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&canvas.bytes())?;
        writer.finish()
    });
    if written.is_ok() { bytes } else { Vec::new() }
}

/// The scene drawn.
pub fn canvas(scene: &Scene, zoom: f64) -> Canvas {
    let side = |length: f64| (length * zoom).round().clamp(1.0, MOST) as usize;
    let mut canvas = Canvas::new(side(scene.width), side(scene.height));
    let place = |(x, y): Point| (x * zoom, y * zoom);
    let rect = |rect: Rect| rect.map(|end| end * zoom);
    for item in &scene.items {
        match item {
            Item::Path { lines, fill, stroke, clip } => {
                let lines: Vec<Vec<Point>> =
                    lines.iter().map(|line| line.iter().copied().map(place).collect()).collect();
                let clip = clip.map(rect);
                if let Some(color) = fill {
                    canvas.fill(&lines, *color, clip);
                }
                if let Some((color, stroke)) = stroke {
                    let stroke = Stroke { width: stroke.width * zoom, ..*stroke };
                    canvas.stroke(&dashed(lines, stroke), stroke.width, *color, clip);
                }
            }
            Item::Discs { centres, size, color, clip } => {
                let dots: Vec<Vec<Point>> = centres.iter().map(|at| vec![place(*at)]).collect();
                canvas.stroke(&dots, size * zoom, *color, clip.map(rect));
            }
            Item::Text(text) => {
                let size = text.size * zoom;
                let (x, y) = place(text.start());
                let turn = |(right, down): Point| match text.is_turned {
                    true => (x + down, y - right),
                    false => (x + right, y + down),
                };
                let strokes = font::strokes(&text.text, size).into_iter();
                let strokes: Vec<Vec<Point>> =
                    strokes.map(|line| line.into_iter().map(turn).collect()).collect();
                let width = size * if text.is_bold { 0.14 } else { 0.1 };
                canvas.stroke(&strokes, width, text.color, None);
            }
            Item::Picture { place, rows, colors, clip } => {
                canvas.picture(rect(*place), *rows, colors, rect(*clip));
            }
        }
    }
    canvas
}

/// Lines cut where a stroke has gaps.
fn dashed(lines: Vec<Vec<Point>>, stroke: Stroke) -> Vec<Vec<Point>> {
    if stroke.dash == Dash::Solid {
        return lines;
    }
    let pattern = stroke.dash.pattern();
    // Ends are round, and take a part of the gap.
    let step = |at: usize| {
        let length = pattern[at % pattern.len()] * stroke.width;
        if at.is_multiple_of(2) { (length - stroke.width).max(0.01) } else { length + stroke.width }
    };
    let mut parts = Vec::new();
    for line in lines {
        let (mut at, mut left) = (0, step(0));
        let mut part: Vec<Point> = line.first().copied().into_iter().collect();
        for two in line.windows(2) {
            let (from, to) = (two[0], two[1]);
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let mut done = 0.0;
            while length - done > left {
                done += left;
                let share = done / length;
                let here = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
                if at % 2 == 0 {
                    part.push(here);
                    parts.push(std::mem::take(&mut part));
                } else {
                    part = vec![here];
                }
                at += 1;
                left = step(at);
            }
            left -= length - done;
            if at % 2 == 0 {
                part.push(to);
            }
        }
        if at % 2 == 0 && !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}
