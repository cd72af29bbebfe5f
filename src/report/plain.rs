//! Reports as plain text: for pipes, files, dumb terminals and tests.

use unicode_width::UnicodeWidthStr;

use super::{Align, Markup, Report, Table};

/// Columns of a chart drawn in plain text.
const PLAIN_WIDTH: usize = 80;

/// Cells of the widest row of a memory map drawn in plain text.
const MAP_WIDTH: usize = 60;

impl Markup {
    /// The text alone.
    pub fn to_plain(&self) -> String {
        self.pieces().iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Columns that the widest line takes on a screen.
    pub fn width(&self) -> usize {
        self.to_plain().lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
    }
}

impl Report {
    /// The report without colours; lines carry no trailing blanks and the text ends without a
    /// line break.
    pub fn to_plain(&self) -> String {
        let mut text = match self {
            Report::Text(markup) => markup.to_plain(),
            Report::Table(table) => table.to_plain(),
            Report::Array(array) => format!("{}\n{}", array.header().to_plain(), array.text),
            Report::Map(map) => map.to_markup(MAP_WIDTH).to_plain(),
            Report::Gauge(gauge) => gauge.to_markup().to_plain(),
            Report::Chart(chart) => chart.to_markup(PLAIN_WIDTH).to_plain(),
            Report::Figure(figure) => figure.to_markup(PLAIN_WIDTH).to_plain(),
            Report::Page(page) => page.to_markup().to_plain(),
            Report::Group(group) => group.text.clone(),
            Report::Rich(rich) => rich.text.clone(),
            Report::Slides(slides) => slides.text.to_plain(),
            Report::Stack(reports) => {
                reports.iter().map(Report::to_plain).collect::<Vec<_>>().join("\n")
            }
        };
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

impl Table {
    /// Columns side by side, two blanks between them, a rule under the headers.
    pub fn to_plain(&self) -> String {
        let titles: Vec<Markup> = self.columns.iter().map(|c| c.title.as_str().into()).collect();
        let cells = || std::iter::once(&titles).chain(&self.rows);
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|at| cells().map(|row| row[at].width()).max().unwrap_or(0))
            .collect();
        let line = |row: &[Markup]| {
            let padded: Vec<String> = (row.iter().zip(&widths).zip(&self.columns))
                .map(|((cell, width), column)| pad(&cell.to_plain(), *width, column.align))
                .collect();
            padded.join("  ").trim_end().to_string() + "\n"
        };
        let mut text = String::new();
        if let Some(title) = &self.title {
            text = title.to_plain() + "\n";
        }
        if self.has_header() {
            let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            text += &line(&titles);
            text += &(rules.join("  ") + "\n");
        }
        text.extend(self.rows.iter().map(|row| line(row)));
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

fn pad(text: &str, width: usize, align: Align) -> String {
    let blanks = " ".repeat(width.saturating_sub(text.width()));
    match align {
        Align::Left => format!("{text}{blanks}"),
        Align::Right => format!("{blanks}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Column;

    #[test]
    fn table_aligns_by_screen_columns() {
        let mut table = Table::new([Column::left("name"), Column::right("bytes")]);
        table.row(["x".into(), "1.0 KiB".into()]);
        table.row(["名前".into(), "512 B".into()]);
        table.row([Markup::from("only")]);
        let expected = "name    bytes\n────  ───────\nx     1.0 KiB\n名前    512 B\nonly";
        assert_eq!(table.to_plain(), expected);
    }
}
