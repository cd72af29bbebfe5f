//! Whatever a page shows reads on light pages and on dark ones, with the style sheet and without: text
//! has a contrast of 4.5 to what it stands on, glyphs that are drawings one of 3 (WCAG 2, 1.4.3 and
//! 1.4.11).

use super::super::STYLE;
use super::super::text;
use super::drawing;

type Rgb = [f64; 3];

const TEXT: f64 = 4.5;
const GRAPHICS: f64 = 3.0;

/// A page and its text, which may be a little transparent, and how its kind is called.
const PAGES: [(Rgb, Rgb, &str); 5] = [
    ([255.0; 3], [33.0; 3], "true"),
    // GitHub's.
    ([255.0; 3], [31.0, 35.0, 40.0], "true"),
    ([13.0, 17.0, 23.0], [230.0, 237.0, 243.0], "false"),
    // JupyterLab's and Visual Studio Code's dark ones.
    ([17.0; 3], [224.0; 3], "false"),
    ([31.0; 3], [204.0; 3], "false"),
];

fn over(top: Rgb, share: f64, below: Rgb) -> Rgb {
    [0, 1, 2].map(|at| top[at] * share + below[at] * (1.0 - share))
}

fn ratio(a: Rgb, b: Rgb) -> f64 {
    let [a, b] = [a, b].map(|color| color.map(|part| part.round() as u8));
    text::contrast(a, b)
}

/// A colour and its share: `#abc`, `#aabbcc`, `rgba(1,2,3,.5)`.
fn color(text: &str) -> (Rgb, f64) {
    if let Some(parts) = text.strip_prefix("rgba(") {
        let parts: Vec<f64> =
            parts.trim_end_matches(')').split(',').map(|part| part.parse().unwrap()).collect();
        return ([parts[0], parts[1], parts[2]], parts[3]);
    }
    let digits = text.strip_prefix('#').unwrap_or_else(|| panic!("a colour: {text:?}"));
    let digits: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_string(),
    };
    let part = |at: usize| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
    ([part(0), part(2), part(4)], 1.0)
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let value = tag.split_once(&format!(" {name}=\""))?.1;
    value.split_once('"').map(|(value, _)| value)
}

/// The value of a property in a style or in a rule's body.
fn property<'a>(style: &'a str, name: &str) -> Option<&'a str> {
    let pair = |declaration: &'a str| declaration.split_once(':');
    style.split(';').filter_map(pair).find(|(property, _)| property.trim() == name).map(|p| p.1)
}

/// What the style sheet gives a class of text on light (`true`) or dark (`false`) pages.
fn ink(class: &str, theme: &str) -> Option<Rgb> {
    let uses = format!(".genesis .{class}{{color:var(--{class},inherit)}}");
    assert!(STYLE.contains(&uses), "{uses}");
    let rules = STYLE.split_once(&format!("[data-jp-theme-light={theme}] .genesis,")).unwrap().1;
    let rule = rules.split_once('{').unwrap().1.split_once('}').unwrap().0;
    Some(color(property(rule, &format!("--{class}"))?).0)
}

/// The look that a tag's content has.
#[derive(Clone)]
struct Look {
    ink: Rgb,
    below: Rgb,
    /// Of the element and of all around it.
    opacity: f64,
}

impl Look {
    /// Of what stands inside a tag; `theme` is known where there is a style sheet.
    fn inside(&self, tag: &str, theme: Option<&str>) -> Look {
        let mut look = self.clone();
        let style = attribute(tag, "style").unwrap_or_default();
        if let Some(theme) = theme {
            for class in attribute(tag, "class").unwrap_or_default().split(' ') {
                if class.starts_with("ink-") {
                    look.ink = ink(class, theme).unwrap_or_else(|| panic!("no rule for {class}"));
                }
            }
            if tag.starts_with("th ") || tag == "th" {
                look.opacity *= 0.66;
            }
        }
        if let Some(value) = property(style, "background") {
            let (top, share) = color(value);
            look.below = over(top, share, look.below);
        }
        if let Some(value) = property(style, "color") {
            look.ink = color(value).0;
        }
        if let Some(value) = property(style, "opacity") {
            look.opacity *= value.parse::<f64>().unwrap();
        }
        look
    }

    fn check(&self, text: &str, context: &dyn Fn() -> String) {
        let is_drawn = |c: char| c.is_whitespace() || "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▕■━\u{2007}".contains(c);
        let least = if text.chars().all(is_drawn) { GRAPHICS } else { TEXT };
        let contrast = ratio(over(self.ink, self.opacity, self.below), self.below);
        assert!(contrast >= least, "{contrast:.2} for {text:?} {}", context());
    }
}

/// Every text and every drawing of a page.
pub fn check(html: &str) {
    for (page, text, theme) in PAGES {
        let whole = Look { ink: text, below: page, opacity: 1.0 };
        check_markup(html, &whole, None);
        check_markup(html, &whole, Some(theme));
    }
    let drawn = drawing(html);
    for svg in drawn.split_inclusive("</svg>") {
        check_drawing(svg, |color| color);
        check_drawing(svg, on_dark_plate);
    }
}

fn check_markup(html: &str, page: &Look, theme: Option<&str>) {
    let mut open = vec![page.clone()];
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag's end");
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            open.pop();
        } else if !tag.ends_with('/') && !["img", "area"].contains(&name) {
            let look = open.last().unwrap_or(page).inside(tag, theme);
            open.push(look);
        }
        if !text.trim().is_empty() {
            let look = open.last().unwrap_or(page);
            look.check(text.trim(), &|| format!("on {:?}, theme {theme:?}, in {html}", page.below));
        }
    }
}

/// What the style sheet's filter makes of a plate's colours: inverted to 0.93, hues turned by half a
/// circle (Filter Effects 1).
fn on_dark_plate(color: Rgb) -> Rgb {
    assert!(STYLE.contains("img.plate{filter:invert(.93) hue-rotate(180deg)}"));
    let [r, g, b] = color.map(|part| 0.93 * (255.0 - part) + 0.07 * part);
    let turned = [
        -0.574 * r + 1.43 * g + 0.144 * b,
        0.426 * r + 0.43 * g + 0.144 * b,
        0.426 * r + 1.43 * g - 0.856 * b,
    ];
    turned.map(|part| part.clamp(0.0, 255.0))
}

/// Text on the plate or on the last rectangle below it, and lines on the plate.
fn check_drawing(svg: &str, shown: fn(Rgb) -> Rgb) {
    const PLATE: Rgb = [255.0; 3];
    let mut rects: Vec<([f64; 4], Rgb)> = Vec::new();
    let mut own_ink = [0.0; 3];
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag's end");
        let number = |name: &str| attribute(tag, name).and_then(|value| value.parse().ok());
        let fill = attribute(tag, "fill").filter(|fill| *fill != "none").map(|fill| color(fill).0);
        match tag.split(' ').next().unwrap_or_default() {
            "svg" => own_ink = fill.unwrap_or_default(),
            "rect" => {
                let place = ["x", "y", "width", "height"].map(number);
                if let ([Some(x), Some(y), Some(w), Some(h)], Some(fill)) = (place, fill) {
                    rects.push(([x, y, x + w, y + h], fill));
                }
            }
            "text" => {
                let (x, y) = (number("x").unwrap(), number("y").unwrap());
                let holds = |r: &[f64; 4]| r[0] <= x && x <= r[2] && r[1] <= y && y <= r[3];
                let below = rects.iter().rev().find(|(rect, _)| holds(rect));
                let below = below.map_or(PLATE, |(_, fill)| *fill);
                let contrast = ratio(shown(fill.unwrap_or(own_ink)), shown(below));
                assert!(contrast >= TEXT, "{contrast:.2} for {text:?} in {svg}");
            }
            "path" if attribute(tag, "stroke-opacity").is_none() => {
                if let Some(stroke) = attribute(tag, "stroke") {
                    let contrast = ratio(shown(color(stroke).0), shown(PLATE));
                    assert!(contrast >= GRAPHICS, "{contrast:.2} for {tag} in {svg}");
                }
            }
            _ => {}
        }
    }
}

#[test]
fn text_that_does_not_read_is_found() {
    let fails = |html: &str| std::panic::catch_unwind(|| check(html)).is_err();
    assert!(!fails("<b>seen</b>"));
    // A middle tone reads on one kind of page only.
    assert!(fails("<span style=\"color:#2b8a4b\">seen</span>"));
    assert!(!fails("<span style=\"color:#2b8a4b\">━━</span>"));
    assert!(fails("<span style=\"color:#c0c0c0\">━━</span>"));
    assert!(fails("<span style=\"opacity:.66\"><i style=\"opacity:.66\">seen</i></span>"));
    assert!(fails("<th><i style=\"opacity:.66\">seen</i></th>"));
    assert!(fails("<td style=\"background:#fde725;color:#fff\">2.</td>"));
}
