//! Tables and pages.

use crate::report::{Align, Column, Page, Table};

use super::text::{escape, spans};

/// Rows under headers.
pub fn table(table: &Table) -> String {
    let mut html = String::new();
    if let Some(title) = &table.title {
        html += &format!("<div>{}</div>", spans(title));
    }
    html += "<table>";
    if table.has_header() {
        html += "<thead><tr>";
        for column in &table.columns {
            html += &format!("<th{}>{}</th>", align(column), escape(&column.title));
        }
        html += "</tr></thead>";
    }
    html += "<tbody>";
    for row in &table.rows {
        html += "<tr>";
        for (cell, column) in row.iter().zip(&table.columns) {
            html += &format!("<td{}>{}</td>", align(column), spans(cell));
        }
        html += "</tr>";
    }
    html + "</tbody></table>"
}

/// Labels with lines beside them.
pub fn page(page: &Page) -> String {
    let mut html = String::from("<table><tbody>");
    for (label, lines) in &page.entries {
        html += &format!(
            "<tr><th align=\"left\">{}</th><td align=\"left\"><pre class=\"wrap\">{}</pre></td></tr>",
            escape(label),
            spans(lines)
        );
    }
    html + "</tbody></table>"
}

fn align(column: &Column) -> &'static str {
    match column.align {
        Align::Left => " align=\"left\"",
        Align::Right => " align=\"right\"",
    }
}
