//! `:undo`, `:redo` and `:history states`.

use super::Call;
use crate::diag::{Diagnostic, ErrorKind, SourceResult};
use crate::report::{Column, Markup, Table, human_bytes};
use crate::session::Step;
use crate::session::memory_view::brief;

/// Columns of an input's text.
const TEXT: usize = 60;

pub fn undo(call: &mut Call<'_>) -> SourceResult<()> {
    run(call, false)
}

pub fn redo(call: &mut Call<'_>) -> SourceResult<()> {
    run(call, true)
}

fn run(call: &mut Call<'_>, is_forward: bool) -> SourceResult<()> {
    let count = match call.words().as_slice() {
        [] => 1,
        [count] => call.count(*count, 1)?,
        [_, more, ..] => return Err(call.misuse(more.span, "expected one number, found more")),
    };
    if !call.session.engine().attic().is_open() {
        let error = refusal(call, "no state is kept, because `undo_memory` is 0");
        return Err(Box::new(
            error.with_hint("`:set undo_memory default` keeps them from here on"),
        ));
    }
    if call.session.desk.loading > 0 || call.session.step_has_changed() {
        let name = call.command.name;
        let error = refusal(call, "the input that is running has changed something already");
        let hint = format!("whole inputs are taken back: `:{name}` needs one of its own");
        return Err(Box::new(error.with_hint(hint)));
    }
    let past = call.session.past();
    let there = if is_forward { past.undone().len() } else { past.done().len() };
    if there < count {
        return Err(too_few(call, there, is_forward));
    }
    let mut page = Markup::new();
    for at in 0..count {
        let Some(step) = call.session.step(is_forward) else {
            return Err(too_few(call, 0, is_forward));
        };
        let words = if is_forward { "done again " } else { "undone " };
        page = if at > 0 { page.newline() } else { page };
        page = page.dim(words).dim(format!("[{}] ", step.number)).plain(brief(&step.text, TEXT));
    }
    call.show(page);
    Ok(())
}

fn refusal(call: &Call<'_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(ErrorKind::Runtime, call.name, message)
}

#[cold]
fn too_few(call: &Call<'_>, there: usize, is_forward: bool) -> Box<Diagnostic> {
    let past = call.session.past();
    let message = match (there, is_forward) {
        (0, true) => "nothing to be done again".to_string(),
        (0, false) => "nothing to undo".to_string(),
        (1, true) => "only one input can be done again".to_string(),
        (1, false) => "only one input can be undone".to_string(),
        (count, true) => format!("only {count} inputs can be done again"),
        (count, false) => format!("only {count} inputs can be undone"),
    };
    let hint = match (is_forward, past.unkept()) {
        (true, _) => "only inputs that `:undo` took back, until another changes something".into(),
        (false, Some(unkept)) => format!("{unkept}: {}", past.reason()),
        (false, None) => past.reason().to_string(),
    };
    Box::new(refusal(call, message).with_hint(hint))
}

/// The inputs that can be taken back or done again.
pub fn states(call: &mut Call<'_>) {
    let past = call.session.past();
    if past.done().is_empty() && past.undone().is_empty() {
        let mut page = Markup::new().dim("nothing can be undone: ");
        if let Some(unkept) = past.unkept() {
            page = page.dim(format!("{unkept}: "));
        }
        let page = page.dim(past.reason());
        call.show(page);
        return;
    }
    let mut table = Table::new([
        Column::right("undo"),
        Column::right("input"),
        Column::left("statements"),
        Column::right("keeps"),
    ]);
    let mut row = |times: String, step: &Step| {
        table.row([
            Markup::new().dim(times),
            Markup::new().number(step.number.to_string()),
            Markup::from(brief(&step.text, TEXT)),
            Markup::new().number(human_bytes(step.bytes(call.session) as u64)),
        ]);
    };
    for (at, step) in past.done().iter().enumerate() {
        let times = past.done().len() - at;
        row(if times == 1 { ":undo".into() } else { format!(":undo {times}") }, step);
    }
    for (at, step) in past.undone().iter().rev().enumerate() {
        row(if at == 0 { ":redo".into() } else { format!(":redo {}", at + 1) }, step);
    }
    call.show(table);
}
