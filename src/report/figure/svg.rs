//! A scene as the text of an SVG.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::raster::{Point, Rect};
use super::scene::{Item, Scene, Text};
use super::{Anchor, Rgba};
use crate::report::html::{escape, length};

const FONT: &str = "ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace";

pub fn text(scene: &Scene) -> String {
    let (width, height) = (length(scene.width), length(scene.height));
    let mut clips: Vec<Rect> = Vec::new();
    let body: String = scene.items.iter().map(|item| element(item, &mut clips)).collect();
    let mut frames = String::new();
    for (at, clip) in clips.iter().enumerate() {
        frames += &format!("<clipPath id=\"c{at}\">{}</clipPath>", rect(*clip));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\"><defs>{frames}</defs>\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{body}</svg>"
    )
}

fn rect([left, top, right, bottom]: Rect) -> String {
    let (x, y) = (length(left), length(top));
    let (width, height) = (length(right - left), length(bottom - top));
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
}

fn color(name: &str, [red, green, blue, alpha]: Rgba) -> String {
    let opacity = match alpha {
        255 => String::new(),
        alpha => format!(" {name}-opacity=\"{}\"", length(f64::from(alpha) / 255.0)),
    };
    format!(" {name}=\"#{red:02x}{green:02x}{blue:02x}\"{opacity}")
}

/// The reference to a frame that cuts something off.
fn clipped(clip: Option<Rect>, clips: &mut Vec<Rect>) -> String {
    let Some(clip) = clip else { return String::new() };
    let at = clips.iter().position(|known| *known == clip).unwrap_or_else(|| {
        clips.push(clip);
        clips.len() - 1
    });
    format!(" clip-path=\"url(#c{at})\"")
}

fn path(lines: &[Vec<Point>], is_closed: bool) -> String {
    let line = |line: &Vec<Point>| {
        let point = |(x, y): &Point| format!("{} {}", length(*x), length(*y));
        let points: Vec<String> = line.iter().map(point).collect();
        let end = match (is_closed, line.len()) {
            (_, 1) => "h0",
            (true, _) => "Z",
            (false, _) => "",
        };
        format!("M{}{end}", points.join("L"))
    };
    lines.iter().map(line).collect()
}

fn element(item: &Item, clips: &mut Vec<Rect>) -> String {
    match item {
        Item::Path { lines, fill, stroke, clip } => {
            let inside = fill.map_or(" fill=\"none\"".to_string(), |fill| color("fill", fill));
            let mut line = String::new();
            if let Some((ink, stroke)) = stroke {
                let pattern = stroke.dash.pattern().iter();
                let dashes: Vec<String> = pattern.map(|part| length(part * stroke.width)).collect();
                line = color("stroke", *ink);
                line += &format!(
                    " stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    length(stroke.width)
                );
                match dashes.is_empty() {
                    true => line += " stroke-linecap=\"round\"",
                    false => line += &format!(" stroke-dasharray=\"{}\"", dashes.join(" ")),
                }
            }
            let clip = clipped(*clip, clips);
            format!("<path d=\"{}\"{inside}{line}{clip}/>", path(lines, fill.is_some()))
        }
        Item::Discs { centres, size, color: ink, clip } => {
            let dots: Vec<Vec<Point>> = centres.iter().map(|at| vec![*at]).collect();
            let (ink, size, clip) = (color("stroke", *ink), length(*size), clipped(*clip, clips));
            format!(
                "<path d=\"{}\" fill=\"none\"{ink} stroke-width=\"{size}\" stroke-linecap=\"round\"{clip}/>",
                path(&dots, false)
            )
        }
        Item::Text(text) => letters(text),
        Item::Picture { place, rows, colors, clip } => {
            let [left, top, right, bottom] = *place;
            let cols = colors.len() / (*rows).max(1);
            let bytes = picture(cols, *rows, colors, right < left, bottom < top);
            let (x, y) = (length(left.min(right)), length(top.min(bottom)));
            let (wide, high) = (length((right - left).abs()), length((bottom - top).abs()));
            format!(
                "<image x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" \
                 preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" \
                 href=\"data:image/png;base64,{}\"{}/>",
                BASE64_STANDARD.encode(bytes),
                clipped(Some(*clip), clips)
            )
        }
    }
}

fn letters(text: &Text) -> String {
    let (x, y) = (length(text.at.0), length(text.at.1));
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let turn = match text.is_turned {
        true => format!(" transform=\"rotate(-90 {x} {y})\""),
        false => String::new(),
    };
    let bold = if text.is_bold { " font-weight=\"bold\"" } else { "" };
    let (ink, size, words) = (color("fill", text.color), length(text.size), escape(&text.text));
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{ink}{anchor}{bold}{turn}>{words}</text>"
    )
}

/// Cells as a PNG, turned around where an axis is.
fn picture(cols: usize, rows: usize, colors: &[Rgba], is_left: bool, is_up: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, cols as u32, rows as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut pixels = Vec::with_capacity(colors.len() * 4);
    for row in 0..rows {
        let row = if is_up { rows - 1 - row } else { row };
        let line = &colors[row * cols..(row + 1) * cols];
        match is_left {
            true => pixels.extend(line.iter().rev().flatten()),
            false => pixels.extend(line.iter().flatten()),
        }
    }
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&pixels)?;
        writer.finish()
    });
    if written.is_ok() { bytes } else { Vec::new() }
}
