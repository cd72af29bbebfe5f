//! Lines that are too long for a screen, broken between words.

use unicode_width::UnicodeWidthStr;

use super::{Align, Markup, Report, Style, Table};

/// The least that a column of text gets; where there is less, its rows stand one below the other.
const LEAST: usize = 16;

impl Markup {
    /// The same with no line of more columns than these, where its words allow that. What goes to
    /// the next line is indented as the line is.
    pub fn wrapped(&self, columns: usize) -> Markup {
        let mut wrapped = Markup::new();
        for (at, line) in self.lines().into_iter().enumerate() {
            if at > 0 {
                wrapped = wrapped.newline();
            }
            if line.width() <= columns {
                wrapped.append(line)
            } else {
                fill(&mut wrapped, &line, columns)
            }
        }
        wrapped
    }
}

/// A word, in one style or several, and the blanks before it.
#[derive(Default)]
struct Word {
    gap: Vec<(Style, usize)>,
    text: Vec<(Style, String)>,
}

impl Word {
    fn gap_width(&self) -> usize {
        self.gap.iter().map(|(_, blanks)| blanks).sum()
    }

    fn width(&self) -> usize {
        self.text.iter().map(|(_, text)| text.width()).sum()
    }
}

/// The words of a line.
fn words(line: &Markup) -> Vec<Word> {
    let mut words = vec![Word::default()];
    for (style, piece) in line.pieces() {
        let mut rest = piece.as_str();
        while !rest.is_empty() {
            let tail = rest.trim_start_matches(' ');
            let blanks = rest.len() - tail.len();
            if blanks > 0 && words.last().is_some_and(|word| !word.text.is_empty()) {
                words.push(Word::default());
            }
            let end = tail.find(' ').unwrap_or(tail.len());
            if let Some(word) = words.last_mut() {
                word.gap.extend((blanks > 0).then_some((*style, blanks)));
                word.text.extend((end > 0).then(|| (*style, tail[..end].to_string())));
            }
            rest = &tail[end..];
        }
    }
    words
}

/// Appends the words of a line that is too long.
fn fill(wrapped: &mut Markup, line: &Markup, columns: usize) {
    let words = words(line);
    let indent = words.first().map_or(0, Word::gap_width);
    let indent = if indent < columns / 2 { indent } else { 0 };
    let mut used = 0;
    for (at, word) in words.iter().enumerate() {
        if at > 0 && used + word.gap_width() + word.width() > columns {
            wrapped.push(Style::Plain, format!("\n{:indent$}", ""));
            used = indent;
        } else {
            for (style, blanks) in &word.gap {
                wrapped.push(*style, " ".repeat(*blanks));
            }
            used += word.gap_width();
        }
        word.text.iter().for_each(|(style, text)| wrapped.push(*style, text.as_str()));
        used += word.width();
    }
}

impl Report {
    /// The same with text that fits so many columns. Arrays, maps and charts are drawn to fit.
    pub fn wrapped(&self, columns: usize) -> Report {
        match self {
            Report::Text(markup) => Report::Text(markup.wrapped(columns)),
            Report::Table(table) => table.wrapped(columns),
            Report::Stack(reports) => {
                Report::Stack(reports.iter().map(|report| report.wrapped(columns)).collect())
            }
            other => other.clone(),
        }
    }
}

impl Table {
    /// The same with the last column's text in several lines where the table is too wide, or with a line
    /// for each cell where that is not enough.
    fn wrapped(&self, columns: usize) -> Report {
        let Some((last, before)) = self.columns.split_last() else {
            return Report::Table(self.clone());
        };
        let width = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at)).map(Markup::width);
            cells.chain([self.columns[at].title.width()]).max().unwrap_or(0)
        };
        let used: usize = (0..before.len()).map(|at| width(at) + 2).sum();
        let room = columns.saturating_sub(used);
        if width(before.len()) > room && (last.align != Align::Left || room < LEAST) {
            return Report::Text(self.stacked().wrapped(columns));
        }
        let mut table = self.clone();
        for row in &mut table.rows {
            if let Some(cell) = row.get_mut(before.len()).filter(|cell| cell.width() > room) {
                *cell = cell.wrapped(room);
            }
        }
        Report::Table(table)
    }

    /// A line for each cell: the first of a row, and below it the others with the names of their columns.
    fn stacked(&self) -> Markup {
        let mut markup = self.title.clone().unwrap_or_default();
        for row in &self.rows {
            let mut is_begun = false;
            for (cell, column) in row.iter().zip(&self.columns) {
                if cell.to_plain().trim().is_empty() {
                    continue;
                }
                for (at, line) in cell.lines().into_iter().enumerate() {
                    markup = if markup.is_empty() { markup } else { markup.newline() };
                    if is_begun {
                        let is_named = at == 0 && !column.title.is_empty();
                        let name =
                            if is_named { format!("{} ", column.title) } else { String::new() };
                        markup = markup.plain("  ").dim(name);
                    }
                    markup.append(line);
                }
                is_begun = true;
            }
        }
        markup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Column;

    #[test]
    fn words_stay_whole() {
        let markup = Markup::new().dim("  one two ").name("three").plain(" four\nfive");
        assert_eq!(markup.wrapped(80), markup);
        assert_eq!(markup.wrapped(12).to_plain(), "  one two\n  three four\nfive");
        assert_eq!(markup.wrapped(12).pieces()[2].1, "three");
        let long = Markup::from("a_word_that_is_longer_than_that and more");
        assert_eq!(long.wrapped(10).to_plain(), "a_word_that_is_longer_than_that\nand more");
        for columns in 0..30 {
            let text = markup.wrapped(columns).to_plain();
            let words =
                |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
            assert_eq!(words(&text), words(&markup.to_plain()), "{columns}");
        }
    }

    #[test]
    fn narrow_screens_have_a_line_for_each_cell() {
        let columns = [Column::left("name"), Column::right("bytes"), Column::left("made by")];
        let mut table = Table::new(columns);
        table.row([Markup::from("x"), "512 B".into(), "x = ones(3) + ones(3)".into()]);
        table.row([Markup::from("y"), "1 KiB".into(), Markup::new()]);
        let Report::Text(text) = table.wrapped(20) else { panic!("it does not fit") };
        let expected = "x\n  bytes 512 B\n  made by x =\n  ones(3) + ones(3)\ny\n  bytes 1 KiB";
        assert_eq!(text.to_plain(), expected);
        assert!(matches!(table.wrapped(40), Report::Table(_)));
    }

    #[test]
    fn the_last_column_takes_what_is_left() {
        let mut table = Table::new([Column::left("name"), Column::left("what it does")]);
        table.row([Markup::from("x"), "a text that is too long for one line of so few".into()]);
        let text = |columns| match table.wrapped(columns) {
            Report::Table(table) => table.rows[0][1].to_plain(),
            Report::Text(text) => text.to_plain(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(34), "a text that is too long for\none line of so few");
        assert_eq!(text(80), table.rows[0][1].to_plain());
    }
}
