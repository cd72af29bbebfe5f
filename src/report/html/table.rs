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
            "<tr><th{0}>{1}</th><td{0}><pre class=\"wrap\">{2}</pre></td></tr>",
            LEFT_SIDE,
            escape(label),
            spans(lines)
        );
    }
    html + "</tbody></table>"
}

/// Notebooks put the text of tables on the right, and heed a style before an attribute; other hosts
/// strip styles.
pub const LEFT_SIDE: &str = " align=\"left\" style=\"text-align:left\"";

fn align(column: &Column) -> &'static str {
    match column.align {
        Align::Left => LEFT_SIDE,
        Align::Right => " align=\"right\"",
    }
}
