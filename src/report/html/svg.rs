//! Drawings. Each is an SVG inside of an `<img>`: where a page's markup is not trusted, drawings among
//! it are taken out and their words left behind, pictures stay. A picture does not know the page's
//! colours, so it has a white plate of its own, which the style sheet turns dark on dark pages. What
//! stands under the pointer says so through an image map.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::text::escape;

/// Of text and axes, on the plate.
const INK: &str = "#1f2328";

/// A drawing in the making.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
    /// Rectangles that say something while the pointer is over them.
    areas: Vec<([f64; 4], String)>,
}

/// Where a text stands to its point.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A length to a hundredth, without idle zeros.
pub fn length(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new(), areas: Vec::new() }
    }

    /// A filled rectangle; `title` is shown while the pointer is over it.
    pub fn rect(&mut self, [x, y, w, h]: [f64; 4], fill: &str, title: &str) {
        self.say([x, y, w, h], title);
        let (x, y, w, h) = (length(x), length(y), length(w), length(h));
        self.body +=
            &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"/>");
    }

    /// What is shown while the pointer is over a rectangle: at least a pixel of it, and the first of
    /// several that lie over each other.
    pub fn say(&mut self, [x, y, w, h]: [f64; 4], title: &str) {
        if !title.is_empty() {
            let ends = [x, y, x + w, y + h].map(f64::round);
            let ends = [ends[0], ends[1], ends[2].max(ends[0] + 1.0), ends[3].max(ends[1] + 1.0)];
            self.areas.push((ends, title.to_string()));
        }
    }

    /// A path with these attributes.
    pub fn path(&mut self, path: &str, attributes: &str) {
        self.body += &format!("<path d=\"{path}\" {attributes}/>");
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), opacity: f64) {
        let path =
            format!("M{} {}L{} {}", length(from.0), length(from.1), length(to.0), length(to.1));
        let opacity = length(opacity);
        self.path(&path, &format!("stroke=\"{INK}\" stroke-opacity=\"{opacity}\""));
    }

    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (length(x), length(y));
        self.body += &format!("<text x=\"{x}\" y=\"{y}\"{anchor}>{}</text>", escape(text));
    }

    /// A name on something coloured.
    pub fn white_text(&mut self, x: f64, y: f64, text: &str) {
        let (x, y) = (length(x), length(y));
        self.body += &format!("<text x=\"{x}\" y=\"{y}\" fill=\"#fff\">{}</text>", escape(text));
    }

    /// The drawing by itself.
    pub fn drawing(&self) -> String {
        let (width, height) = (length(self.width), length(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" fill=\"{INK}\" \
             font-family=\"ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace\" \
             font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{}</svg>",
            self.body
        )
    }

    /// The drawing as a picture in a page, with words for those who can't see it.
    pub fn picture(&self, words: &str) -> String {
        let img = picture_of(&self.drawing(), (self.width, self.height), words);
        if self.areas.is_empty() {
            return img;
        }
        let img = img.trim_end_matches('>');
        let mut areas = String::new();
        for ([left, top, right, bottom], title) in &self.areas {
            areas += &format!(
                "<area shape=\"rect\" coords=\"{left},{top},{right},{bottom}\" title=\"{0}\" \
                 alt=\"{0}\">",
                escape(title)
            );
        }
        // Maps of a page are known by their names, and a page may have many.
        let name = fingerprint(&areas);
        format!("{img} usemap=\"#{name}\"><map name=\"{name}\">{areas}</map>")
    }
}

/// A drawing as a picture in a page.
pub fn picture_of(drawing: &str, (width, height): (f64, f64), words: &str) -> String {
    let (width, height) = (length(width), length(height));
    let data = BASE64_STANDARD.encode(drawing);
    format!(
        "<img class=\"plate\" width=\"{width}\" height=\"{height}\" alt=\"{}\" \
         src=\"data:image/svg+xml;base64,{data}\">",
        escape(words)
    )
}

/// A name that nothing else has (FNV-1a).
fn fingerprint(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("genesis-{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}
