//! Entries under each other: a label, and lines beside it.

use super::{Markup, Style};

/// Columns that a label takes in plain text.
const LABEL: usize = 10;

/// What a thing consists of, entry by entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    pub entries: Vec<(String, Markup)>,
}

impl Page {
    pub fn entry(&mut self, label: impl Into<String>, lines: Markup) {
        self.entries.push((label.into(), lines));
    }

    /// The labels on the left, each beside the first of its lines.
    pub fn to_markup(&self) -> Markup {
        let mut markup = Markup::new();
        for (label, lines) in &self.entries {
            for (at, line) in lines.lines().into_iter().enumerate() {
                if !markup.is_empty() {
                    markup.push(Style::Plain, "\n");
                }
                let label = if at == 0 { label } else { "" };
                markup.push(Style::Dim, format!("{label:LABEL$}"));
                markup.append(line);
            }
        }
        markup
    }
}
