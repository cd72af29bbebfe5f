//! How a value reaches a Rust notebook: evcxr reads marked parts of standard output, one for each form.
//! A part of JSON would stand before the page in JupyterLab, so there is none.

use std::io::Write;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::{Chart, Report};

/// Lines that would end a part too early are broken by a character that takes no room.
const END: &str = "EVCXR_END_CONTENT";
const BROKEN_END: &str = "EVCXR_END\u{2060}_CONTENT";

/// The lines that carry a report.
pub fn parts(report: &Report) -> String {
    part("text/plain", &report.to_plain()) + &part("text/html", &report.to_html())
}

fn part(mime: &str, content: &str) -> String {
    let content = content.replace(END, BROKEN_END);
    format!("EVCXR_BEGIN_CONTENT {mime}\n{content}\n{END}\n")
}

/// The lines that carry a picture: a figure for pages, and by itself, a heat map as PNG, what is drawn
/// as SVG.
pub fn picture(chart: &Chart) -> String {
    let mut parts = self::parts(&Report::Chart(chart.clone()));
    if let Some(png) = chart.to_png() {
        parts += &part("image/png", &BASE64_STANDARD.encode(png));
    }
    if let Some(svg) = chart.to_svg() {
        parts += &part("image/svg+xml", &svg);
    }
    parts
}

fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    // Where nobody reads, there is nobody to tell.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl Report {
    /// Shows the report at the end of a notebook's cell.
    pub fn evcxr_display(&self) {
        write(&parts(self));
    }
}

impl Chart {
    /// Shows the chart as a picture at the end of a notebook's cell.
    pub fn evcxr_display(&self) {
        write(&picture(self));
    }
}
