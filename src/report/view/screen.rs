//! A view as the lines of a screen.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::report::{Markup, Style, human_bytes};

use super::panels::Panel;
use super::{Prompt, View};

/// A screen with fewer rows keeps them for the cells.
const ROOMY: usize = 8;

/// On a screen with fewer columns only the cursor's element is told.
const WIDE: usize = 40;

impl View {
    pub(super) fn has_room(&self) -> bool {
        self.height >= ROOMY
    }

    fn head_rows(&self) -> usize {
        match self.has_room() {
            true => 3,
            false => 1,
        }
    }

    /// Rows between the head and the line at the bottom.
    pub(super) fn body_rows(&self) -> usize {
        self.height.saturating_sub(self.head_rows() + usize::from(self.has_cursor))
    }

    /// The screen, a line for each row, none wider than it.
    pub fn lines(&self) -> Vec<Markup> {
        let mut lines = Vec::with_capacity(self.height);
        if self.has_room() {
            lines.push(self.title_line());
        }
        lines.push(self.slice_line());
        if self.has_room() {
            lines.push(self.summary_line());
        }
        let mut body = self.panel_lines();
        if let Some(overflow) = self.overflow() {
            body.drain(..self.scrolled.min(overflow));
        }
        body.resize(self.body_rows(), Markup::new());
        lines.append(&mut body);
        if self.has_cursor {
            lines.push(self.foot_line());
        }
        lines.truncate(self.height);
        lines.into_iter().map(|line| fitted(&line, self.width)).collect()
    }

    fn title_line(&self) -> Markup {
        let subject = &self.subject;
        let shape: Vec<String> = subject.shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        Markup::new()
            .heading(subject.title.as_str())
            .plain("  ")
            .keyword(subject.dtype.to_string())
            .plain(format!(" ({}{comma})", shape.join(", ")))
            .dim(format!("  {}  {}", subject.place, human_bytes(subject.bytes)))
    }

    /// The slice's index: numbers, and arrows for the axes that are shown.
    pub(super) fn slice_words(&self) -> Vec<(Style, String)> {
        let word = |(axis, at): (usize, &usize)| match axis {
            axis if self.axes.row == Some(axis) => (Style::Keyword, "↓".to_string()),
            axis if self.axes.col == Some(axis) => (Style::Keyword, "→".to_string()),
            axis if self.axes.stepped == Some(axis) => (Style::Heading, at.to_string()),
            _ => (Style::Plain, at.to_string()),
        };
        self.at.iter().enumerate().map(word).collect()
    }

    fn slice_line(&self) -> Markup {
        let mut line = Markup::new();
        let is_one = self.at.len() < 3;
        let has_slice = !is_one && (self.width >= WIDE || !self.has_cursor);
        if has_slice {
            line.push(Style::Dim, if self.has_room() { "slice " } else { "" });
            line.append(subscript_markup(&self.slice_words()));
            line.push(Style::Plain, "  ");
        }
        if !self.has_cursor || self.is_empty() {
            return line;
        }
        let at: Vec<String> = self.at.iter().map(usize::to_string).collect();
        line.push(Style::Plain, format!("[{}]", at.join(", ")));
        if let Some(value) = self.current() {
            line = line.dim(" = ").number(value);
        }
        line
    }

    fn summary_line(&self) -> Markup {
        let slice = self.slice();
        let known = self.known.as_ref().filter(|(known, _)| *known == slice);
        match known {
            Some((_, Some(summary))) => summary.to_markup(),
            Some((_, None)) => Markup::new(),
            None if self.is_empty() || !self.has_cursor => Markup::new(),
            None => Markup::new().dim("a large slice: `s` computes its statistics"),
        }
    }

    fn foot_line(&self) -> Markup {
        if let Some((prompt, text)) = &self.prompt {
            let label = match prompt {
                Prompt::Index => "go to: ",
                Prompt::Value => "search: ",
            };
            // The end of what is typed is seen, whatever its length.
            let room = self.width.saturating_sub(label.len() + 1);
            let cut: usize = text.chars().count().saturating_sub(room);
            let text: String = text.chars().skip(cut).collect();
            return Markup::new().hint(label).plain(text).with(Style::Cursor, "_");
        }
        if let Some(message) = &self.message {
            return message.clone();
        }
        if self.is_heat && !self.has_room() && matches!(self.panel, Panel::Cells) {
            return self.cell_legend();
        }
        let mut line = Markup::new();
        let has_slices = self.axes.stepped.is_some();
        let hints = [
            ("?", "help", true),
            ("q", "leave", true),
            ("[ ]", "slices", has_slices),
            ("h", "heat map", true),
            ("s", "statistics", true),
            ("a", "along", true),
            ("g", "go to", true),
            ("/", "search", true),
            ("n", "next", true),
            ("o", "overview", true),
            ("r c", "axes", self.at.len() > 2),
        ];
        for (key, text, is_useful) in hints {
            let hint = Markup::new().number(key).dim(format!(" {text}"));
            let gap = if line.is_empty() { 0 } else { 2 };
            if is_useful && line.width() + gap + hint.width() <= self.width {
                line.push(Style::Plain, " ".repeat(gap));
                line.append(hint);
            }
        }
        line
    }
}

/// `[2, ↓, →]`
pub(super) fn subscript(words: &[(Style, String)]) -> String {
    subscript_markup(words).to_plain()
}

fn subscript_markup(words: &[(Style, String)]) -> Markup {
    let mut markup = Markup::new().plain("[");
    for (at, (style, word)) in words.iter().enumerate() {
        markup.push(Style::Plain, if at > 0 { ", " } else { "" });
        markup.push(*style, word.as_str());
    }
    markup.plain("]")
}

pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// The beginning of a line, as far as so many columns go.
fn fitted(line: &Markup, width: usize) -> Markup {
    if line.width() <= width {
        return line.clone();
    }
    let mut fitted = Markup::new();
    let mut room = width.saturating_sub(1);
    for (style, text) in line.pieces() {
        for c in text.chars() {
            let wide = c.width().unwrap_or(0);
            if wide > room {
                return fitted.dim("…");
            }
            room -= wide;
            fitted.push(*style, c.to_string());
        }
    }
    fitted
}
