//! Figures as data: axes on a sheet, and what is drawn in them. What a mark consists of, where axes end and
//! which numbers stand along them is decided here; `scene.rs` turns that into outlines, letters and
//! pixels at places of a sheet, which `svg.rs` and `png.rs` put down, each in its way. A terminal has
//! cells instead of places, so `unicode.rs` begins at the figure.

mod axis;
mod color;
mod font;
mod legend;
mod locate;
mod png;
mod raster;
mod scene;
mod svg;
mod unicode;
mod words;

pub use axis::{Axis, Scale};
pub use color::{Map, Rgba, named};

/// A sheet, in pixels, of which a hundred are an inch.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub width: f64,
    pub height: f64,
    pub title: String,
    pub axes: Vec<Axes>,
}

/// One pair of axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Axes {
    /// Left, top, right and bottom of its part of the sheet, each from 0 to 1.
    pub place: [f64; 4],
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    /// One behind the other; later ones lie over earlier ones.
    pub marks: Vec<Mark>,
    pub has_legend: bool,
    pub has_grid: bool,
    /// Whether the frame and the numbers are drawn.
    pub has_frame: bool,
    /// Whether a step is as long on both axes.
    pub is_equal: bool,
    pub bar: Option<ColorBar>,
    /// What is not drawn: numbers that are none.
    pub note: String,
}

/// What colours mean.
#[derive(Debug, Clone, PartialEq)]
pub struct ColorBar {
    pub label: String,
    pub low: f64,
    pub high: f64,
    pub map: Map,
}

/// Something in the axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What the legend calls it; nothing there without one.
    pub name: String,
    pub color: Rgba,
    pub shape: Shape,
}

/// Places are in the axes' own numbers. One that is infinite means the axes' end.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Curve(Curve),
    Dots(Dots),
    /// Left, bottom, right and top of each, and the colour of their edges; those that are flat stand on
    /// the axis on the left.
    Boxes {
        boxes: Vec<[f64; 4]>,
        is_flat: bool,
        edge: Option<Rgba>,
    },
    /// What lies between two curves.
    Area {
        x: Vec<f64>,
        low: Vec<f64>,
        high: Vec<f64>,
    },
    /// From x and y, to x and y.
    Segments {
        ends: Vec<[f64; 4]>,
        stroke: Stroke,
    },
    Image(Image),
    Label(Label),
}

/// Points, joined or marked or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// The least and the greatest of the elements that a point stands for; empty where it is one.
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    pub stroke: Option<Stroke>,
    pub sign: Option<Sign>,
    /// How wide a sign is, in pixels.
    pub size: f64,
}

/// Points of a size and a colour each.
#[derive(Debug, Clone, PartialEq)]
pub struct Dots {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    /// One for all, or one for each; pixels across.
    pub sizes: Vec<f64>,
    /// One for each, or none.
    pub colors: Vec<Rgba>,
    pub sign: Sign,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    pub rows: usize,
    pub cols: usize,
    /// From the top left on.
    pub colors: Vec<Rgba>,
    /// How much there is, from 0 to 1, where there are no colours.
    pub shades: Vec<f64>,
    /// Left, bottom, right and top.
    pub extent: [f64; 4],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub x: f64,
    pub y: f64,
    pub text: String,
    pub size: f64,
    pub anchor: Anchor,
    /// How much of its height lies below the place.
    pub drop: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub width: f64,
    pub dash: Dash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    Solid,
    Dashed,
    Dotted,
    Mixed,
}

/// What stands at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Disc,
    Point,
    Square,
    Diamond,
    Up,
    Down,
    Left,
    Right,
    Plus,
    Cross,
    Star,
    Across,
    Upright,
}

impl Sign {
    /// By the letter that format strings have.
    pub fn of(letter: &str) -> Option<Sign> {
        Some(match letter {
            "o" | "8" | "h" | "H" | "p" => Sign::Disc,
            "." | "," => Sign::Point,
            "s" => Sign::Square,
            "D" | "d" => Sign::Diamond,
            "^" | "2" => Sign::Up,
            "v" | "1" => Sign::Down,
            "<" | "3" => Sign::Left,
            ">" | "4" => Sign::Right,
            "+" | "P" => Sign::Plus,
            "x" | "X" => Sign::Cross,
            "*" => Sign::Star,
            "_" => Sign::Across,
            "|" => Sign::Upright,
            _ => return None,
        })
    }
}

impl Dash {
    pub fn of(text: &str) -> Option<Dash> {
        Some(match text {
            "-" | "solid" => Dash::Solid,
            "--" | "dashed" => Dash::Dashed,
            ":" | "dotted" => Dash::Dotted,
            "-." | "dashdot" => Dash::Mixed,
            _ => return None,
        })
    }

    /// Pixels with and without ink, in turn, for a line of one pixel.
    pub fn pattern(self) -> &'static [f64] {
        match self {
            Dash::Solid => &[],
            Dash::Dashed => &[3.7, 1.6],
            Dash::Dotted => &[1.0, 1.65],
            Dash::Mixed => &[6.4, 1.6, 1.0, 1.6],
        }
    }
}

impl Figure {
    /// The figure as the text of an SVG.
    pub fn to_svg(&self) -> String {
        svg::text(&scene::of(self))
    }

    /// The figure as the bytes of a PNG, so many times as large as the sheet.
    pub fn to_png(&self, zoom: f64) -> Vec<u8> {
        png::bytes(&scene::of(self), zoom)
    }

    /// The figure as rows of red, green and blue, and how many pixels a row has.
    pub fn to_pixels(&self, zoom: f64) -> (usize, Vec<u8>) {
        let canvas = png::canvas(&scene::of(self), zoom);
        (canvas.width, canvas.bytes())
    }
}
