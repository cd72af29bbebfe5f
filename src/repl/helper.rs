//! What rustyline asks while a line is typed, answered by the session. Adapters only.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use owo_colors::OwoColorize;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Context, Helper, Result};
use unicode_width::UnicodeWidthStr;

use crate::report::Style;
use crate::session::{Completeness, Session, TokenClass, as_typed, completeness, ends_in_string};

use super::ansi::paint;
use super::recall::SharedPlace;

/// So many candidates are listed with what they are; more, by name alone.
const MAX_DETAILED: usize = 24;
/// A longer input is neither coloured nor hinted at while it is typed.
const MAX_LIVELY: usize = 20_000;

/// The session, as a line editor sees it.
pub struct LineHelper {
    session: Rc<RefCell<Session>>,
    history: HistoryHinter,
    place: SharedPlace,
    color: bool,
    /// Whether the line is being drawn for the last time, when no cursor is in it any more.
    is_last: Cell<bool>,
    /// Columns of the screen behind the prompt: a hint that would wrap is cut.
    columns: Cell<usize>,
}

impl LineHelper {
    pub fn new(session: Rc<RefCell<Session>>, place: SharedPlace, color: bool) -> LineHelper {
        let (is_last, columns) = (Cell::new(false), Cell::new(72));
        LineHelper { session, history: HistoryHinter::new(), place, color, is_last, columns }
    }

    /// Says how wide the screen is behind the prompt.
    pub fn fit(&self, columns: usize) {
        self.columns.set(columns);
    }

    /// The part of a hint that fits behind the line.
    fn cut(&self, hint: &str, line: &str) -> String {
        let used = line.rsplit('\n').next().map_or(0, UnicodeWidthStr::width);
        let room = self.columns.get().saturating_sub(used + 1);
        let hint = hint.lines().next().unwrap_or("");
        if hint.width() <= room {
            return hint.to_string();
        }
        let mut cut = String::new();
        for c in hint.chars() {
            if cut.width() + 2 > room {
                break;
            }
            cut.push(c);
        }
        if cut.trim().is_empty() { String::new() } else { cut + "…" }
    }
}

impl Helper for LineHelper {}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let completions = self.session.borrow().complete(line, at);
        let is_detailed = completions.items.len() <= MAX_DETAILED;
        let widest = completions.items.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
        let pairs = completions.items.into_iter().map(|(text, detail)| {
            let display = match is_detailed && !detail.is_empty() {
                true => format!("{text:<widest$}  {detail}"),
                false => text.clone(),
            };
            Pair { display, replacement: text }
        });
        Ok((completions.start, pairs.collect()))
    }
}

impl Validator for LineHelper {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let text = ctx.input();
        let has_empty_line = text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty());
        let incomplete = matches!(completeness(&as_typed(text)), Completeness::Incomplete { .. });
        // An empty line is a part of a text in three quotes.
        if incomplete && (!has_empty_line || ends_in_string(text)) {
            return Ok(ValidationResult::Incomplete);
        }
        Ok(ValidationResult::Valid(None))
    }
}

/// Grey text behind the cursor: the rest of an earlier input, which the right arrow takes over, or
/// the signature of the function that is being called.
pub struct LineHint {
    shown: String,
    completion: Option<String>,
}

impl Hint for LineHint {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        self.completion.as_deref()
    }
}

impl Hinter for LineHelper {
    type Hint = LineHint;

    fn hint(&self, line: &str, at: usize, ctx: &Context<'_>) -> Option<LineHint> {
        if line.len() > MAX_LIVELY || at < line.len() {
            return None;
        }
        // Behind an open bracket the signature says more than a former input.
        if let Some(text) = self.session.borrow().signature_hint(line, at) {
            let shown = self.cut(&format!("   {text}"), line);
            return Some(LineHint { shown, completion: None });
        }
        self.place.forget_step();
        let rest = self.history.hint(line, at, ctx).filter(|rest| !rest.is_empty())?;
        Some(LineHint { shown: self.cut(&rest, line), completion: Some(rest) })
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        if !self.color || line.len() > MAX_LIVELY {
            return Cow::Borrowed(line);
        }
        let pieces = self.session.borrow().highlight(line);
        let brackets: Vec<usize> = (pieces.iter())
            .filter(|(_, class)| *class == TokenClass::Bracket)
            .map(|(range, _)| range.start)
            .collect();
        let pair = matching_pair(line, &brackets, at).filter(|_| !self.is_last.get());
        let mut painted = String::with_capacity(line.len() * 2);
        let mut done = 0;
        for (range, class) in pieces {
            painted += &line[done..range.start];
            let text = &line[range.clone()];
            if pair.is_some_and(|(one, other)| range.start == one || range.start == other) {
                painted += &text.bold().underline().to_string();
            } else {
                painted += &paint(text, style(class), true);
            }
            done = range.end;
        }
        painted += &line[done..];
        Cow::Owned(painted)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(paint(hint, Style::Dim, self.color))
    }

    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        match candidate.find("  ") {
            Some(at) => {
                let (text, detail) = candidate.split_at(at);
                Cow::Owned(format!("{text}{}", paint(detail, Style::Dim, self.color)))
            }
            None => Cow::Borrowed(candidate),
        }
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.is_last.set(kind == CmdKind::ForcedRefresh);
        self.color && line.len() <= MAX_LIVELY
    }
}

/// The two ends of the brackets at or just before the cursor, if both are there.
fn matching_pair(line: &str, brackets: &[usize], at: usize) -> Option<(usize, usize)> {
    let here = brackets
        .iter()
        .position(|bracket| *bracket == at)
        .or_else(|| brackets.iter().position(|bracket| *bracket + 1 == at))?;
    let opens = |bracket: &usize| matches!(line.as_bytes()[*bracket], b'(' | b'[' | b'{');
    let mut depth = 0i64;
    let mut seek = |bracket: &&usize| {
        depth += if opens(bracket) { 1 } else { -1 };
        depth == 0
    };
    let other = if opens(&brackets[here]) {
        brackets[here..].iter().find(&mut seek)
    } else {
        brackets[..=here].iter().rev().find(&mut seek)
    };
    other.map(|other| (brackets[here], *other))
}

fn style(class: TokenClass) -> Style {
    match class {
        TokenClass::Keyword | TokenClass::Constant => Style::Keyword,
        TokenClass::Function => Style::Hint,
        TokenClass::Number => Style::Number,
        TokenClass::String => Style::Str,
        TokenClass::Comment => Style::Comment,
        TokenClass::Command => Style::Command,
        TokenClass::Error => Style::Error,
        TokenClass::Argument | TokenClass::Parameter => Style::Warn,
        TokenClass::Name | TokenClass::Attribute | TokenClass::Operator | TokenClass::Bracket => {
            Style::Plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_brackets() {
        let line = "f(a[1])";
        let brackets = [1, 3, 5, 6];
        assert_eq!(matching_pair(line, &brackets, 7), Some((6, 1)));
        assert_eq!(matching_pair(line, &brackets, 1), Some((1, 6)));
        assert_eq!(matching_pair(line, &brackets, 4), Some((3, 5)));
        assert_eq!(matching_pair(line, &brackets, 0), None);
        assert_eq!(matching_pair("f(a", &[1], 2), None);
    }
}
