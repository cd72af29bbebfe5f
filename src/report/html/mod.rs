//! Reports as HTML for notebooks: self-contained, readable without JavaScript, on light pages and
//! on dark ones. What carries meaning is text, tables and attributes; pictures are images with words
//! for those who can't see them, on a plate of their own; text has the page's own colour, or one that
//! fits what it stands on. The one style sheet sets distances, and colours of text where it knows
//! whether the page is light or dark: where a notebook is not trusted it is stripped, and drawings
//! with it, and everything still reads. The same report always gives the same bytes.

mod array;
mod chart;
mod gauge;
mod map;
mod picture;
mod sheet;
mod slides;
mod svg;
mod table;
mod text;

use array::Colours;
pub use sheet::{SCRIPT as VIEW_SCRIPT, rules};
pub(super) use svg::{length, picture_of};
pub use text::escape;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::heat::Scale;
use super::{Report, Style};

/// Distances, edges and colours of text, for elements inside ours only.
const STYLE: &str = "<style>\
.genesis{font:12.5px/1.5 var(--jp-code-font-family,ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace);margin:.2em 0}\
.genesis pre{font:inherit;margin:0;padding:0;border:0;background:none!important;color:inherit;white-space:pre;word-break:normal;overflow-x:auto}\
.genesis pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}\
.genesis table{border-collapse:collapse;border:0;margin:.35em 0!important;font:inherit;width:auto;table-layout:auto!important;display:table}\
.genesis tr{background:none!important;border:0}\
.genesis th,.genesis td{border:0;padding:.1em .7em!important;vertical-align:top!important;white-space:pre;text-align:left!important;max-width:none}\
.genesis [align=right]{text-align:right!important}.genesis [align=center]{text-align:center!important}\
.genesis th{font-weight:normal;opacity:.66}\
.genesis thead th{border-bottom:1px solid rgba(128,128,128,.45)}\
.genesis .cells td{padding:.1em .55em!important}.genesis .cells th{font-size:.9em}\
.genesis .side{display:flex;flex-wrap:wrap;gap:.3em 1.6em;align-items:flex-start}\
.genesis figure{margin:.35em 0!important}.genesis figcaption{font-size:.9em}\
.genesis img{display:block;margin:0;max-width:none}.genesis img.heat{image-rendering:pixelated;border:1px solid rgba(128,128,128,.35)}\
.genesis img.scale{display:inline-block;vertical-align:-.1em}\
[data-jp-theme-light=false] .genesis img.plate,.vscode-dark .genesis img.plate{filter:invert(.93) hue-rotate(180deg)}\
[data-jp-theme-light=true] .genesis,.vscode-light .genesis{--ink-keyword:#8250df;--ink-hint:#0969da;--ink-number:#0f6b75;--ink-good:#1a7f37;--ink-error:#cf222e;--ink-warn:#8a5a00}\
[data-jp-theme-light=false] .genesis,.vscode-dark .genesis{--ink-keyword:#d2a8ff;--ink-hint:#79c0ff;--ink-number:#56d4dd;--ink-good:#56d364;--ink-error:#ff7b72;--ink-warn:#e3b341}\
.genesis .ink-keyword{color:var(--ink-keyword,inherit)}.genesis .ink-hint{color:var(--ink-hint,inherit)}.genesis .ink-number{color:var(--ink-number,inherit)}.genesis .ink-good{color:var(--ink-good,inherit)}.genesis .ink-error{color:var(--ink-error,inherit)}.genesis .ink-warn{color:var(--ink-warn,inherit)}\
.genesis .late{animation:genesis-late 0s 10s forwards}@keyframes genesis-late{to{visibility:visible}}\
</style>";

/// Hidden where there is no style sheet.
const LATE: &str = "<div class=\"late\" style=\"visibility:hidden\">nothing new for 10 s: the kernel is \
busy, or has ended or begun anew</div>";

/// A file's bytes as pages hold them, in base64.
pub fn embedded(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

impl Report {
    /// The report as one HTML element.
    pub fn to_html(&self) -> String {
        let mut html = String::from("<div class=\"genesis\">");
        html += STYLE;
        self.write_html(&mut html, Colours::Own);
        html + "</div>"
    }

    /// The same for what is replaced by something newer now and then. A line at its end appears by
    /// itself when that has not come for ten seconds, while it `is_running`.
    pub fn to_passing_html(&self, is_running: bool) -> String {
        let mut html = self.to_html();
        html.truncate(html.len() - "</div>".len());
        html += match is_running {
            true => LATE,
            // As high.
            false => "<div>&nbsp;</div>",
        };
        html + "</div>"
    }

    /// The least and the greatest number of the tensors in a container.
    fn range(&self) -> Option<(f64, f64)> {
        match self {
            Report::Array(array) => array::range(array),
            Report::Group(group) => {
                let ranges = group.entries.iter().filter_map(|(_, report)| report.range());
                ranges.reduce(|(a, b), (low, high)| (a.min(low), b.max(high)))
            }
            _ => None,
        }
    }

    fn write_html(&self, html: &mut String, colours: Colours) {
        match self {
            Report::Text(markup) if markup.is_empty() => {}
            Report::Text(markup) => {
                // A message of something that went wrong begins with its kind; its carets stand under
                // a line. Other text wraps.
                let is_error = markup.pieces().first().is_some_and(|p| p.0 == Style::Error);
                let look = match is_error {
                    true => " style=\"border-left:3px solid #d8434a;padding-left:.8em!important\"",
                    false => " class=\"wrap\"",
                };
                *html += &format!("<pre{look}>{}</pre>", text::beginning(markup));
            }
            Report::Table(table) => *html += &table::table(table),
            Report::Array(array) => *html += &array::array(array, colours),
            Report::Map(map) => *html += &map::map(map),
            Report::Gauge(gauge) => *html += &gauge::gauge(gauge),
            Report::Chart(chart) => *html += &chart::figure(chart),
            Report::Figure(figure) => {
                let size = (figure.width, figure.height);
                *html += &picture_of(&figure.to_svg(), size, &figure.words());
            }
            Report::Page(page) => *html += &table::page(page),
            Report::Rich(rich) => match rich.element() {
                Some(element) => *html += &element,
                None => *html += &format!("<pre class=\"wrap\">{}</pre>", escape(&rich.text)),
            },
            Report::Slides(it) => *html += &slides::slides(it),
            Report::Stack(reports) => {
                reports.iter().for_each(|report| report.write_html(html, colours));
            }
            Report::Group(group) => {
                // What stands in one container is compared: a colour means one number in all of it.
                let (inner, scale) = match colours {
                    Colours::Own => {
                        let scale = self.range().and_then(|(low, high)| Scale::over(low, high));
                        (Colours::Shared(scale), scale)
                    }
                    Colours::Shared(_) => (colours, None),
                };
                for (label, report) in &group.entries {
                    *html += &format!("<div><b>{}</b></div>", text::escape(label));
                    report.write_html(html, inner);
                }
                if group.more > 0 {
                    *html +=
                        &format!("<div style=\"{}\">…and {} more</div>", text::DIM, group.more);
                }
                *html += &array::legend_below(scale);
            }
        }
    }
}

#[cfg(test)]
mod tests;
