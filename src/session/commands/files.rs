//! `:load`, `:save`, `:history` and `:reset`.

use super::{Call, is_input, with_file};
use crate::diag::{Diagnostic, ErrorKind, SourceResult, Span};
use crate::io::path_of;
use crate::report::{Markup, Style, counted, human_bytes};
use crate::session::{read_heeding, write_whole};

/// A file that loads itself would go on for ever.
const MAX_LOADING: usize = 16;

pub fn load(call: &mut Call<'_>) -> SourceResult<()> {
    let (_, name, span) = file(call, false)?;
    if call.session.desk.loading >= MAX_LOADING {
        let message = format!("files load each other more than {MAX_LOADING} deep");
        return Err(Box::new(Diagnostic::new(ErrorKind::Runtime, span, message)));
    }
    let (limit, interrupt) = (call.session.engine().budget().limit(), call.session.interrupt());
    let bytes = with_file(read_heeding(&path_of(&name), limit, &interrupt), &name, span)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = format!("expected UTF-8 in `{name}`, found something else in line {line}");
        Box::new(Diagnostic::new(ErrorKind::Value, span, message))
    })?;
    call.session.desk.loading += 1;
    let outcome = call.session.run_named(&name, &text, call.sink);
    call.session.desk.loading -= 1;
    if outcome.quit {
        call.quit = Some(outcome.status);
    }
    match outcome.error {
        None => Ok(()),
        Some(error) => {
            call.session.desk.loaded = outcome.sources;
            Err(Box::new(error))
        }
    }
}

pub fn save(call: &mut Call<'_>) -> SourceResult<()> {
    let (is_forced, name, span) = file(call, true)?;
    let path = path_of(&name);
    if !is_forced && path.exists() {
        let message = format!("`{name}` exists already");
        let hint = format!("`:save -f {name}` overwrites it");
        return Err(Box::new(Diagnostic::new(ErrorKind::Os, span, message).with_hint(hint)));
    }
    with_file(write_whole(&path, call.session.to_program().as_bytes()), &name, span)?;
    let count = call.session.executed().len();
    let statements = counted(count, "statement");
    call.show(Markup::new().dim(format!("{statements} saved to ")).plain(name));
    Ok(())
}

pub fn history(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    let last = match words.as_slice() {
        [] => usize::MAX,
        [word] if word.text == "states" => {
            super::past::states(call);
            return Ok(());
        }
        [count] => call.count(*count, 1)?,
        [_, more, ..] => return Err(call.misuse(more.span, "expected one number, found more")),
    };
    let executed = call.session.executed();
    let shown = &executed[executed.len().saturating_sub(last)..];
    if shown.is_empty() {
        call.show(Markup::new().dim("nothing has run yet"));
        return Ok(());
    }
    let width = shown.last().map_or(1, |entry| entry.number.to_string().len());
    let mut page = Markup::new();
    for entry in shown {
        for (at, line) in entry.text.lines().enumerate() {
            let number = if at == 0 { entry.number.to_string() } else { String::new() };
            page.push(Style::Dim, format!("{number:>width$}  "));
            page.push(Style::Plain, format!("{line}\n"));
        }
    }
    call.show(page);
    Ok(())
}

pub fn reset(call: &mut Call<'_>) -> SourceResult<()> {
    if let Some(word) = call.words().into_iter().find(|word| word.text != "-f") {
        return Err(
            call.misuse(word.span, format!("expected nothing or `-f`, found `{}`", word.text))
        );
    }
    let live = |call: &Call<'_>| -> usize {
        let devices = call.session.engine().devices();
        devices.map(|device| device.allocator().stats().now.allocated).sum()
    };
    let count = call.session.interp.scope.borrow().names().filter(|n| !is_input(n)).count();
    let before = live(call);
    call.session.reset();
    let freed = before.saturating_sub(live(call));
    let names = counted(count, "name");
    call.show(Markup::new().dim(format!("{names} forgotten, {} freed", human_bytes(freed as u64))));
    Ok(())
}

/// The one file of a command, and whether `-f` stands before or behind it.
fn file(call: &Call<'_>, takes_force: bool) -> SourceResult<(bool, String, Span)> {
    let (flags, files): (Vec<_>, Vec<_>) =
        call.words().into_iter().partition(|word| takes_force && word.text == "-f");
    match files.as_slice() {
        [file] if !file.text.is_empty() => {
            Ok((!flags.is_empty(), file.text.to_string(), file.span))
        }
        [] | [_] => Err(call.misuse(call.place(), "expected a file")),
        [_, more, ..] => {
            let error = call.misuse(more.span, "expected one file, found more");
            Err(Box::new(error.with_hint("quotes keep a name with blanks together")))
        }
    }
}
