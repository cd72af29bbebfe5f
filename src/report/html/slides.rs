//! A view on a page: sliders over the slices of a small tensor, which need no kernel, over the text that is there
//! without them.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::report::heat::ODD;
use crate::report::view::{Deck, Slides};

use super::array::tinted;
use super::text::{DIM, escape, spans};

/// Colours between the ends of a scale.
const COLOURS: usize = 64;

/// What builds the sliders: a function of the elements.
const SCRIPT: &str = include_str!("slides.js");

pub fn slides(slides: &Slides) -> String {
    let text = format!("<pre>{}</pre>", spans(&slides.text));
    let subject = &slides.subject;
    let Some(deck) = &slides.deck else {
        let count: usize = subject.shape.iter().product();
        let note = match count {
            0 | 1 => String::new(),
            _ if slides.has_controls => format!(
                "<div style=\"{DIM}\">Where this stands, the front end has no controls for it: <code>pip install \
                 anywidget</code> beside JupyterLab or Notebook, then reload the page and run the cell again.</div>"
            ),
            _ => format!(
                "<div style=\"{DIM}\">Too large for sliders on a page: <code>:view</code> of a part, such as <code>{}</code>, \
                 has them.</div>",
                escape(&part(&subject.title, subject.shape.len()))
            ),
        };
        return text + &note;
    };
    let data = literal(slides, deck);
    // Of the same tensor the same, and no other view's.
    let mut hasher = FxHasher::default();
    data.hash(&mut hasher);
    let name = format!("genesis-view-{:016x}", hasher.finish());
    let shape: Vec<String> = subject.shape.iter().map(usize::to_string).collect();
    format!(
        "<div><b>{}</b> {} ({})</div>\
         <div class=\"{name}\">{text}<div style=\"{DIM}\">Sliders over all slices appear where the notebook is \
         trusted and scripts run.</div></div>\
         <script>{SCRIPT}({{name:\"{name}\",{data}}});</script>",
        escape(&subject.title),
        subject.dtype,
        shape.join(", "),
    )
}

/// An expression for a part that is smaller.
fn part(title: &str, rank: usize) -> String {
    let is_name = title.chars().all(|c| c.is_alphanumeric() || c == '_');
    let title = if is_name { title.to_string() } else { format!("({title})") };
    match rank {
        1 => format!(":view {title}[:1000]"),
        2 => format!(":view {title}[:100, :100]"),
        _ => format!(":view {title}[0]"),
    }
}

/// The elements as fields of an object in JavaScript. Words are of digits and letters: nothing in them ends a text or
/// a script.
fn literal(slides: &Slides, deck: &Deck) -> String {
    let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(",");
    let shape = list(&mut slides.subject.shape.iter().map(usize::to_string));
    let words = list(&mut deck.words.iter().map(|word| format!("\"{word}\"")));
    let number = |value: &f64| match *value {
        value if value.is_nan() => "NaN".to_string(),
        f64::INFINITY => "1/0".to_string(),
        f64::NEG_INFINITY => "-1/0".to_string(),
        value => format!("{value:e}"),
    };
    let values = list(&mut deck.values.iter().map(number));
    let scale = deck.scale();
    let colours = (0..=COLOURS).map(|at| at as f64 / COLOURS as f64);
    let palette = scale.map_or(String::new(), |scale| {
        list(&mut colours.map(|place| format!("\"{}\"", tinted(scale.color_at(place)))))
    });
    let (low, high) = scale.map_or((0.0, 0.0), |scale| scale.ends());
    format!(
        "shape:[{shape}],low:{low:e},high:{high:e},odd:\"{}\",palette:[{palette}],words:[{words}],values:[{values}]",
        tinted(ODD)
    )
}
