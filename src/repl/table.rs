//! Tables by prettytable, which this file alone names.
//!
//! prettytable miscounts coloured cells, so colours go in after it has aligned everything: a piece
//! of text is put between two characters that take no column, which are replaced at the end.

use prettytable::format::{Alignment, FormatBuilder, LinePosition, LineSeparator};
use prettytable::{Cell, Row};

use crate::report::{Align, Markup, Style, Table};

use super::ansi::{paint, render};

/// Variation selectors of the supplementary plane: the first ones open a piece, the last closes.
const OPEN: u32 = 0xE0100;
const CLOSE: char = '\u{E01EF}';
/// As many pieces with a style of their own as there are selectors to open them.
const MAX_STYLES: usize = (CLOSE as u32 - OPEN) as usize;

/// Draws a table: a rule under the headers, two blanks between columns, no frame.
pub fn draw(table: &Table, color: bool) -> String {
    let mut styles: Vec<Style> = Vec::new();
    let mut pretty = prettytable::Table::new();
    let rule = LineSeparator::new('─', '─', '─', '─');
    let format = FormatBuilder::new().padding(0, 2).separator(LinePosition::Title, rule).build();
    pretty.set_format(format);
    let alignment = |align| match align {
        Align::Left => Alignment::LEFT,
        Align::Right => Alignment::RIGHT,
    };
    if table.has_header() {
        let titles = table.columns.iter().map(|column| {
            let title = Markup::new().dim(column.title.as_str());
            Cell::new_align(&mark(&title, &mut styles), alignment(column.align))
        });
        pretty.set_titles(Row::new(titles.collect()));
    }
    for row in &table.rows {
        let cells = row.iter().zip(&table.columns);
        let cells = cells.map(|(cell, column)| {
            Cell::new_align(&mark(cell, &mut styles), alignment(column.align))
        });
        pretty.add_row(Row::new(cells.collect()));
    }
    let mut drawn = String::new();
    if let Some(title) = &table.title {
        drawn = render(title, color) + "\n";
    }
    for line in pretty.to_string().lines() {
        let line = line.trim_end();
        let is_rule = !line.is_empty() && line.chars().all(|c| c == '─');
        if is_rule {
            // Without the padding behind the last column.
            let width = line.chars().count().saturating_sub(2);
            drawn += &paint(&"─".repeat(width), Style::Dim, color);
        } else {
            drawn += &unmark(line, &styles, color);
        }
        drawn.push('\n');
    }
    drawn.truncate(drawn.trim_end_matches('\n').len());
    drawn
}

fn mark(markup: &Markup, styles: &mut Vec<Style>) -> String {
    let mut text = String::new();
    for (style, piece) in markup.pieces() {
        let piece = piece.replace(|c| opens(c).is_some() || c == CLOSE, "");
        // A piece that goes on in the next line of its cell has the style there again.
        let lines = piece.matches('\n').count();
        if lines > 0 {
            for (at, line) in piece.split('\n').enumerate() {
                text += if at > 0 { "\n" } else { "" };
                text += &mark(&Markup::of(*style, line), styles);
            }
            continue;
        }
        let known = styles.iter().position(|known| known == style);
        let index = known.unwrap_or_else(|| {
            styles.push(*style);
            styles.len() - 1
        });
        match char::from_u32(OPEN + index as u32).filter(|_| index < MAX_STYLES) {
            Some(open) => text.extend([open].into_iter().chain(piece.chars()).chain([CLOSE])),
            None => text += &piece,
        }
    }
    text
}

fn unmark(line: &str, styles: &[Style], color: bool) -> String {
    let mut text = String::new();
    let (mut piece, mut style) = (String::new(), Style::Plain);
    for c in line.chars() {
        let next = match opens(c) {
            Some(index) => styles.get(index).copied().unwrap_or_default(),
            None if c == CLOSE => Style::Plain,
            None => {
                piece.push(c);
                continue;
            }
        };
        text += &paint(&piece, style, color);
        piece.clear();
        style = next;
    }
    text + &paint(piece.trim_end(), style, color)
}

fn opens(c: char) -> Option<usize> {
    let index = (c as u32).checked_sub(OPEN)? as usize;
    (index < MAX_STYLES).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Column;

    fn table() -> Table {
        let mut table = Table::new([Column::left("name"), Column::right("bytes")]);
        table.row([Markup::new().name("x"), Markup::new().number("1.0").dim(" KiB")]);
        table.row([Markup::new().name("名前"), Markup::new().number("512").dim(" B")]);
        table
    }

    #[test]
    fn columns_align() {
        let expected = "name    bytes\n─────────────\nx     1.0 KiB\n名前    512 B";
        assert_eq!(draw(&table(), false), expected);
    }

    #[test]
    fn colours_take_no_columns() {
        let drawn = draw(&table(), true);
        let mut plain = String::new();
        let mut is_escape = false;
        for c in drawn.chars() {
            is_escape |= c == '\u{1b}';
            if !is_escape {
                plain.push(c);
            }
            is_escape &= c != 'm';
        }
        assert_eq!(plain, draw(&table(), false));
        assert!(drawn.contains("\u{1b}[36m1.0\u{1b}[0m"));
    }
}
