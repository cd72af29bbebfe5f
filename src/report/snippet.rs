//! A diagnostic with the text that it is about: the line, and carets right under the place. Columns
//! are counted as a terminal shows them, so that wide characters and tabs before the place do no
//! harm, and a line too long for a screen is cropped around it.

use std::collections::BTreeMap;
use std::rc::Rc;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::diag::{Diagnostic, Source, Span, escape, is_harmless};

use super::{Markup, Style};

/// Columns that the text of a line may take.
const MAX_COLUMNS: usize = 96;
/// Columns that a tab becomes.
const TAB: &str = "    ";
/// Lines shown of a place that reaches over more of them: these at its beginning, and the last.
const HEAD_LINES: usize = 2;

/// The message, the lines with their marks, the hints. Ends without a line break. The first of
/// `sources` is the text that was run; what lies in another is shown under its name, and what lies
/// in none of them without its place. An error that came before it stands above it, and so do the
/// calls that led to it, the outermost first.
pub fn excerpt(diagnostic: &Diagnostic, sources: &[Rc<Source>]) -> Markup {
    let mut markup = Markup::new();
    if let Some(earlier) = &diagnostic.earlier {
        markup = excerpt(&earlier.error, sources).dim(format!("\n\n{}\n\n", earlier.words()));
    }
    markup = calls::lead(markup, diagnostic, sources).error(diagnostic.name());
    if !diagnostic.message.is_empty() {
        markup = markup.plain(format!(": {}", diagnostic.message));
    }
    for id in diagnostic.own_sources() {
        let Some(source) = sources.iter().find(|source| source.id == id) else { continue };
        if !source.text.is_empty() {
            let is_own =
                sources.first().is_some_and(|own| own.id == id) && diagnostic.calls.is_empty();
            markup = lines_of(markup, diagnostic, source, is_own);
        }
    }
    for hint in &diagnostic.hints {
        markup = markup.hint("\n  hint: ").plain(hint.clone());
    }
    markup
}

/// The lines of one text with their marks. Under what the user has just typed stands no name.
fn lines_of(mut markup: Markup, diagnostic: &Diagnostic, source: &Source, is_own: bool) -> Markup {
    let mut lines: BTreeMap<usize, Vec<Mark<'_>>> = BTreeMap::new();
    let places = diagnostic.labels.iter().map(|(span, text)| (*span, Some(text.as_str())));
    let places = std::iter::once((diagnostic.span, None)).chain(places);
    let mut first = None;
    for (span, label) in places.filter(|(span, _)| span.source == source.id) {
        first = first.or(Some(span));
        place(span, label, source, &mut lines);
    }
    let digits = lines.keys().last().map_or(1, |last| (last + 1).to_string().len());
    if let Some(span) = first
        && !(is_own && source.name.starts_with('<'))
    {
        let (line, start) = source.line_of(span.start as usize);
        let before = floor(&source.text, span.start as usize).max(start);
        let column = source.text[start..before].chars().count() + 1;
        let function = diagnostic.calls.first().filter(|_| span == diagnostic.span);
        let function = function.map_or(String::new(), |call| format!(", in {}", call.function));
        markup = markup.dim(format!("\n  --> {}:{}:{column}{function}", source.name, line + 1));
    }
    let mut previous = None;
    for (line, marks) in &lines {
        if previous.is_some_and(|previous| previous + 1 < *line) {
            markup = markup.dim(format!("\n  {:>digits$} ⋮", ""));
        }
        previous = Some(*line);
        let window = crop(source.line(*line), marks[0].start);
        markup = markup.dim(format!("\n  {:>digits$} | ", line + 1)).plain(window.shown.clone());
        for mark in marks {
            push_mark(&mut markup, mark, &window, source.line(*line), digits);
        }
    }
    markup
}

/// A part of one line that carets go under; bytes from the line's beginning.
struct Mark<'a> {
    start: usize,
    end: usize,
    label: Option<&'a str>,
    is_primary: bool,
}

/// The part of a line that is shown.
struct Window {
    /// The first byte shown and the one after the last.
    start: usize,
    end: usize,
    shown: String,
    /// Columns of the ellipsis before the first byte.
    indent: usize,
}

/// Cuts a span into marks of single lines.
fn place<'a>(
    span: Span,
    label: Option<&'a str>,
    source: &Source,
    lines: &mut BTreeMap<usize, Vec<Mark<'a>>>,
) {
    let start = floor(&source.text, span.start as usize);
    let end = floor(&source.text, span.end as usize).max(start);
    let (mut first, mut first_start) = source.line_of(start);
    let mut start = start;
    // The end of the input, after its last line break, is shown behind the last line.
    if start == source.text.len() && start == first_start && first > 0 {
        start = first_start - 1;
        (first, first_start) = source.line_of(start);
    }
    let (last, last_start) = source.line_of(end.max(start + 1).min(source.text.len()) - 1);
    let last = last.max(first);
    for line in first..=last {
        if line >= first + HEAD_LINES && line < last {
            continue;
        }
        let text = source.line(line);
        let indent = text.len() - text.trim_start().len();
        let from = if line == first { start - first_start } else { indent };
        let to = if line == last && last_start <= end { end - last_start } else { text.len() };
        let from = from.min(text.len());
        let mark = Mark {
            start: from,
            end: to.clamp(from, text.len()),
            label: if line == last { label } else { None },
            is_primary: label.is_none(),
        };
        lines.entry(line).or_default().push(mark);
    }
}

fn push_mark(markup: &mut Markup, mark: &Mark<'_>, window: &Window, line: &str, digits: usize) {
    markup.push(Style::Dim, format!("\n  {:>digits$} |", ""));
    let (style, caret) = if mark.is_primary { (Style::Error, "^") } else { (Style::Hint, "-") };
    let is_visible = mark.start >= window.start && mark.start <= window.end;
    if is_visible {
        let before = columns(&line[window.start..mark.start]) + window.indent;
        let under = columns(&line[mark.start..mark.end.min(window.end).max(mark.start)]);
        markup.push(Style::Plain, " ".repeat(before + 1));
        markup.push(style, caret.repeat(under.max(1)));
    }
    if let Some(label) = mark.label {
        markup.push(style, format!(" {label}"));
    }
}

/// The part of a line around byte `at` that fits the screen, made visible. Looks at no more of the
/// line than that: it may be megabytes long.
fn crop(line: &str, at: usize) -> Window {
    let reach = |chars: &mut dyn Iterator<Item = char>, limit: usize| {
        let (mut width, mut bytes) = (0, 0);
        for c in chars {
            let columns = char_columns(c);
            if width + columns > limit {
                break;
            }
            width += columns;
            bytes += c.len_utf8();
        }
        (width, bytes)
    };
    let (before, after) = line.split_at(at);
    let (left, left_bytes) = reach(&mut before.chars().rev(), MAX_COLUMNS);
    let (right, right_bytes) = reach(&mut after.chars(), MAX_COLUMNS);
    let is_whole = left_bytes == before.len() && right_bytes == after.len();
    let (start, end) = if is_whole && left + right <= MAX_COLUMNS {
        (0, line.len())
    } else {
        let left = left.min((MAX_COLUMNS / 3).max(MAX_COLUMNS - right));
        let start = at - reach(&mut before.chars().rev(), left).1;
        (start, at + reach(&mut after.chars(), MAX_COLUMNS - left).1)
    };
    let (head, tail) = (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    let shown = format!("{head}{}{tail}", visible(&line[start..end]));
    Window { start, end, shown, indent: head.width() }
}

/// Tabs as blanks, control characters as their pictures, others that don't show as escapes: a message
/// must not move the cursor, nor turn a line around.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown += TAB,
            '\u{7f}' => shown.push('␡'),
            c if c < ' ' => shown.push(char::from_u32(0x2400 + c as u32).unwrap_or('�')),
            c if is_harmless(c) => shown.push(c),
            c => escape(c, &mut shown),
        }
    }
    shown
}

fn columns(text: &str) -> usize {
    visible(text).width()
}

fn char_columns(c: char) -> usize {
    match c {
        '\t' => TAB.len(),
        c if c < ' ' || c == '\u{7f}' || is_harmless(c) => c.width().unwrap_or(1),
        c => columns(c.encode_utf8(&mut [0; 4])),
    }
}

/// The nearest boundary of a character at or before byte `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

mod calls;
#[cfg(test)]
mod tests;
