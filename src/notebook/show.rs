//! How a value reaches a notebook: evcxr reads marked parts of standard output, one for each form.
//! A part of JSON would stand before the page in JupyterLab, so there is none.

use std::io::Write;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::{Chart, Failure, FromValue, Report, Tensor};

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

pub fn report(report: &Report) {
    write(&parts(report));
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
        report(self);
    }
}

impl Chart {
    /// Shows the chart as a picture at the end of a notebook's cell.
    pub fn evcxr_display(&self) {
        write(&picture(self));
    }
}

impl Tensor {
    /// Its elements in Rust: `to::<Vec<Vec<f32>>>()`, `to::<f64>()` of a tensor without axes, an
    /// array of ndarray's.
    ///
    /// # Errors
    /// Another number of axes, or elements of another kind.
    pub fn to<T: FromValue>(&self) -> Result<T, Failure> {
        Ok(self.to_rust()?)
    }

    /// A picture of the whole: a heat map of its last two axes, or a line along its only one.
    ///
    /// # Errors
    /// A tensor without axes or without elements.
    pub fn picture(&self) -> Result<Chart, Failure> {
        Ok(self.to_chart()?)
    }

    /// Shows the tensor at the end of a notebook's cell.
    pub fn evcxr_display(&self) {
        report(&self.to_report());
    }
}
