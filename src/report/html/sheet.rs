//! What a page shows of a view that a kernel moves: the cells, and what stands above and below them. The controls are
//! made by a script (`view.js`), which gets this text whenever it has asked for another place.

use crate::report::view::{Cell, Sheet};

use super::STYLE;
use super::array::{Colours, legend_below, tinted};
use super::text::{DIM, escape, spans};

/// The script of the controls, a module for anywidget.
pub const SCRIPT: &str = include_str!("view.js");

/// The rules of style for what is inside ours.
pub fn rules() -> &'static str {
    STYLE.trim_start_matches("<style>").trim_end_matches("</style>")
}

impl Sheet {
    /// What stands between the controls and the end.
    pub fn to_html(&self) -> String {
        let mut html = format!("<div style=\"white-space:pre-wrap\">{}</div>", spans(&self.head));
        html += &match (self.cells.is_empty(), &self.message) {
            (true, None) => format!("<div style=\"{DIM}\">no elements</div>"),
            // What could not be read is told of.
            (true, Some(_)) => String::new(),
            (false, _) => self.table(),
        };
        html += &legend_below(self.scale);
        self.below.iter().for_each(|report| report.write_html(&mut html, Colours::Own));
        html
    }

    fn table(&self) -> String {
        let wide = self.cols.as_ref().map_or(1, |cols| cols.len()).max(1);
        let mut html = String::from("<table class=\"cells\">");
        if let Some(cols) = &self.cols {
            html += "<thead><tr><th></th>";
            cols.clone().for_each(|col| {
                html += &format!("<th scope=\"col\" align=\"right\">{col}</th>");
            });
            html += "</tr></thead>";
        }
        html += "<tbody>";
        for (at, cells) in self.cells.chunks(wide).enumerate() {
            html += "<tr>";
            if let Some(rows) = &self.rows {
                html += &format!("<th scope=\"row\" align=\"right\">{}</th>", rows.start + at);
            }
            cells.iter().for_each(|it| html += &cell(it));
            html += "</tr>";
        }
        html + "</tbody></table>"
    }
}

fn cell(cell: &Cell) -> String {
    let mut look = cell.color.filter(|color| color.alpha > 7).map_or(String::new(), tinted);
    let mut word = escape(&cell.word);
    if cell.is_marked {
        look += if look.is_empty() { "" } else { ";" };
        look += "outline:2px solid";
        // Also where nobody sees outlines.
        word = format!("<mark style=\"all:unset;font-weight:bold\">{word}</mark>");
    }
    let style = if look.is_empty() { String::new() } else { format!(" style=\"{look}\"") };
    format!("<td align=\"right\"{style} title=\"{}\">{word}</td>", escape(&cell.title))
}
