//! The calls that led to an error, as Python's traceback tells them.

use std::rc::Rc;

use super::{MAX_COLUMNS, crop, floor, visible};
use crate::diag::{Diagnostic, Source, Span};
use crate::report::{Markup, counted};

/// Calls that are told of each end of a long chain.
const TOLD: usize = 8;

/// Calls from one place, one inside the other.
struct Repeated<'a> {
    span: Span,
    /// The function that the place is in.
    holder: &'a str,
    times: usize,
}

/// Two lines for each call, the outermost first; nothing where the error arose outside functions.
pub fn lead(markup: Markup, diagnostic: &Diagnostic, sources: &[Rc<Source>]) -> Markup {
    let calls = &diagnostic.calls;
    if calls.is_empty() {
        return markup;
    }
    // Each call stands in the function that the one around it called.
    let mut chain: Vec<Repeated<'_>> = Vec::new();
    for (at, call) in calls.iter().enumerate().rev() {
        let holder = calls.get(at + 1).map_or("<module>", |around| &around.function);
        match chain.last_mut() {
            Some(last) if last.span == call.span && last.holder == holder => last.times += 1,
            _ => chain.push(Repeated { span: call.span, holder, times: 1 }),
        }
    }
    let mut markup = markup.plain("Traceback (most recent call last):\n");
    let hidden = TOLD..chain.len().saturating_sub(TOLD).max(TOLD);
    for (at, calls) in chain.iter().enumerate() {
        if hidden.contains(&at) {
            if at == hidden.start {
                let left: usize = chain[hidden.clone()].iter().map(|calls| calls.times).sum();
                markup = markup.dim(format!("  [{} between]\n", counted(left, "call")));
            }
            continue;
        }
        markup = line(markup, calls, sources);
    }
    markup
}

/// `  <In 3>:5, in f`, and the text of the line.
fn line(markup: Markup, calls: &Repeated<'_>, sources: &[Rc<Source>]) -> Markup {
    let Repeated { span, holder, times } = calls;
    let markup = match sources.iter().find(|source| source.id == span.source) {
        None => markup.dim(format!("  in {holder}\n")),
        Some(source) => {
            let (line, start) = source.line_of(span.start as usize);
            let text = source.line(line);
            let at = floor(&source.text, span.start as usize).saturating_sub(start);
            let shown = match text.len() > MAX_COLUMNS {
                true => crop(text, at.min(text.len())).shown,
                false => visible(text),
            };
            let place = format!("  {}:{}, in {holder}\n", source.name, line + 1);
            markup.dim(place).plain(format!("    {}\n", shown.trim()))
        }
    };
    match times {
        1 => markup,
        2 => markup.dim("  [repeated once more]\n"),
        times => markup.dim(format!("  [repeated {} more times]\n", times - 1)),
    }
}
