//! The few shapes that drawings need. Sizes are attributes, so that a host which strips styles
//! still draws them; text has the page's own colour.

use super::text::escape;

/// A drawing in the making.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
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
        Svg { width, height, body: String::new() }
    }

    /// A filled rectangle; `title` is shown while the pointer is over it.
    pub fn rect(&mut self, x: f64, y: f64, w: f64, h: f64, fill: &str, title: &str) {
        let (x, y, w, h) = (length(x), length(y), length(w), length(h));
        let shape = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {fill}");
        self.body += &match title {
            "" => shape + "/>",
            title => format!("{shape} data-b=\"\"><title>{}</title></rect>", escape(title)),
        };
    }

    /// A path with these attributes.
    pub fn path(&mut self, path: &str, attributes: &str) {
        self.body += &format!("<path d=\"{path}\" {attributes}/>");
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), opacity: f64) {
        let path =
            format!("M{} {}L{} {}", length(from.0), length(from.1), length(to.0), length(to.1));
        let opacity = length(opacity);
        self.path(&path, &format!("stroke=\"currentColor\" stroke-opacity=\"{opacity}\""));
    }

    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, opacity: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, opacity) = (length(x), length(y), length(opacity));
        // A text would otherwise take the pointer from what it stands on.
        self.body += &format!(
            "<text x=\"{x}\" y=\"{y}\"{anchor} fill-opacity=\"{opacity}\" pointer-events=\"none\">\
             {}</text>",
            escape(text)
        );
    }

    /// A name on something coloured.
    pub fn white_text(&mut self, x: f64, y: f64, text: &str) {
        let (x, y) = (length(x), length(y));
        self.body += &format!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"#fff\" pointer-events=\"none\">{}</text>",
            escape(text)
        );
    }

    /// The drawing, with words for those who can't see it.
    pub fn finish(self, class: &str, words: &str) -> String {
        let (width, height) = (length(self.width), length(self.height));
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"{class} width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" fill=\"currentColor\" \
             font-family=\"ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace\" \
             font-size=\"11\">{}</svg>",
            escape(words),
            self.body
        )
    }
}
