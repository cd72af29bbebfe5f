//! Keys that know of blocks: Enter, Tab, Shift-Tab and Backspace where lines are indented.

use rustyline::{Cmd, ConditionalEventHandler, Event, EventContext, Movement, RepeatCount};

use crate::session::{Completeness, as_typed, completeness, indentation};

/// How many blanks a block is indented by.
const STEP: usize = 4;

/// Enter: a new line where the input is incomplete or the cursor is inside of a block, indented for what
/// is open. Everything else is left to the validator.
pub struct Enter;

impl ConditionalEventHandler for Enter {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let (line, at) = (ctx.line(), ctx.pos());
        if is_too_deep(line, at) {
            return outdent(line, at);
        }
        new_line(line, at).map(|text| Cmd::Insert(1, text))
    }
}

/// What begins a part of a statement whose head stands further to the left.
const CLAUSES: [&str; 4] = ["else", "elif", "except", "finally"];

/// Whether an `else:` or its like was left as deep as the block above it, and a head stands further to the
/// left: then Enter moves it there, a step each time, instead of running what is an error.
fn is_too_deep(line: &str, at: usize) -> bool {
    let (before, after) = line.split_at(at);
    let here = last_line(before);
    let typed = here.trim_start();
    let begins = |word: &str| {
        let rest = typed.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with([' ', ':', '(']))
    };
    if !after.is_empty() || !typed.trim_end().ends_with(':') || !CLAUSES.into_iter().any(begins) {
        return false;
    }
    let goes_on =
        |text: &str| matches!(completeness(&as_typed(text)), Completeness::Incomplete { .. });
    if goes_on(before) {
        return false;
    }
    let above = &before[..before.len() - here.len()];
    let margin = |line: &str| line.len() - line.trim_start().len();
    let fits = |head: &str| {
        margin(head) < margin(here) && goes_on(&format!("{above}{}{typed}", &head[..margin(head)]))
    };
    above.lines().any(fits)
}

/// What Enter puts in; none where the input may be submitted.
fn new_line(line: &str, at: usize) -> Option<String> {
    let (before, after) = line.split_at(at);
    let is_inside = line.contains('\n') && !after.trim().is_empty();
    if !is_inside && (!after.is_empty() || last_line(before).trim().is_empty()) {
        return None;
    }
    let typed = as_typed(before);
    match completeness(&typed) {
        Completeness::Incomplete { indent } => Some(format!("\n{}", indentation(&typed, indent))),
        _ if is_inside => {
            let here = last_line(before);
            let blanks = here.len() - here.trim_start_matches([' ', '\t']).len();
            Some(format!("\n{}", &here[..blanks]))
        }
        _ => None,
    }
}

/// Tab in front of a line of a block: blanks up to the next step. Elsewhere it completes.
pub struct Tab;

impl ConditionalEventHandler for Tab {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let blanks = margin(ctx.line(), ctx.pos())?;
        let more = STEP - blanks.chars().count() % STEP;
        Some(Cmd::Insert(1, " ".repeat(more)))
    }
}

/// Shift-Tab: the line of the cursor moves one step to the left.
pub struct ShiftTab;

impl ConditionalEventHandler for ShiftTab {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        Some(outdent(ctx.line(), ctx.pos()).unwrap_or(Cmd::Noop))
    }
}

/// Backspace behind the blanks of a line of a block: one step to the left. Elsewhere it is itself.
pub struct Backspace;

impl ConditionalEventHandler for Backspace {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let blanks = margin(ctx.line(), ctx.pos())?;
        let is_step = !blanks.is_empty() && blanks.bytes().all(|byte| byte == b' ');
        match is_step && blanks.len() % STEP == 0 {
            true => outdent(ctx.line(), ctx.pos()),
            false => None,
        }
    }
}

/// Moves the line of the cursor one step to the left; none where it begins at the margin.
fn outdent(line: &str, at: usize) -> Option<Cmd> {
    let (before, after) = line.split_at(at);
    let here = last_line(before);
    let less = match here.strip_prefix('\t') {
        Some(_) => 1,
        None => here.bytes().take(STEP).take_while(|byte| *byte == b' ').count(),
    };
    // The editor's own command would move the lines below as well.
    let is_last = !after.contains('\n') && !here.starts_with('\t');
    match less {
        0 => None,
        _ if is_last => Some(Cmd::Dedent(Movement::WholeLine)),
        _ => Some(Cmd::Replace(Movement::BeginningOfLine, Some(here[less..].to_owned()))),
    }
}

/// The blanks between the beginning of a line and the cursor, where nothing else stands and the line is
/// not the first.
fn margin(line: &str, at: usize) -> Option<&str> {
    let before = &line[..at];
    let here = last_line(before);
    (before.contains('\n') && here.trim().is_empty()).then_some(here)
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_indents() {
        let enter = |text: &str| {
            let at = text.find('|').unwrap();
            new_line(&text.replace('|', ""), at)
        };
        for (text, expected) in [
            ("for i in x:|", "\n    "),
            ("def f(x):\n    return x|", "\n"),
            ("f(|", "\n    "),
            ("if x:\n\ty|", "\n\t"),
            ("if x:\n\tif y:|", "\n\t\t"),
            // In the middle of a block a line is a line.
            ("if x:|\n    y\n    z", "\n    "),
            ("if x:\n    y|\n    z", "\n    "),
            ("if x:\n    f(a,| b)", "\n        "),
            ("x = 1|\ny = 2", "\n"),
        ] {
            assert_eq!(enter(text).as_deref(), Some(expected), "{text:?}");
        }
        for text in ["x = 1|", "if x:\n    y\n    |", "x =| 1", "x = (\n|", "x = )|"] {
            assert_eq!(enter(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_clause_goes_to_its_head() {
        for text in [
            "if x:\n    y\n    else:",
            "if x:\n    y\n    elif z > (1):",
            "for i in x:\n    if i:\n        y\n        else:",
            "for i in x:\n    if i:\n        y\n    z\n    else:",
            "try:\n\ty\n\texcept (A, B):",
            "try:\n    y\n    finally:",
        ] {
            assert!(is_too_deep(text, text.len()), "{text:?}");
        }
        for text in [
            "if x:\n    y\nelse:",
            "if x:\n    if z:\n        y\n    else:",
            "x\n    else:",
            "if x:\n    elsewhere:",
            "if x:\n    y\n    else",
            "else:",
        ] {
            assert!(!is_too_deep(text, text.len()), "{text:?}");
        }
    }

    #[test]
    fn blanks_in_front_of_a_line() {
        assert_eq!(margin("if x:\n    ", 10), Some("    "));
        assert_eq!(margin("if x:\n    y", 11), None);
        assert_eq!(margin("    ", 4), None);
    }
}
