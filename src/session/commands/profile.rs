//! `:profile`.

use super::arguments::Word;
use super::{Call, with_file};
use crate::diag::{Diagnostic, ErrorKind, SourceResult, did_you_mean};
use crate::io::path_of;
use crate::report::{Markup, Report, counted, human_bytes, human_duration};
use crate::session::write_whole;

/// What it takes first, with a few words about each.
pub const WORDS: [(&str, &str); 3] = [
    ("start", "begins to note what runs"),
    ("stop", "ends it, and writes a trace for ui.perfetto.dev where a file follows"),
    ("show", "statements by their time, so far or of what was stopped last"),
];

/// How names of traces end.
const ENDINGS: [&str; 2] = [".json", ".trace"];

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let words = call.words();
    call.settle()?;
    match words.as_slice() {
        [] => Err(call.misuse(call.place(), "expected `start`, `stop` or `show`")),
        [word] if word.text == "start" => start(call, *word),
        [word] if word.text == "show" => show(call, *word),
        [word] if word.text == "stop" => stop(call, *word, None),
        [word, file] if word.text == "stop" => stop(call, *word, Some(*file)),
        [word, more, ..] if WORDS.iter().any(|(name, _)| *name == word.text) => {
            Err(call.misuse(more.span, "expected nothing more"))
        }
        [word, ..] => {
            let message = format!("`:profile` knows no `{}`", word.text);
            let diagnostic = Diagnostic::new(ErrorKind::Value, word.span, message);
            let near = did_you_mean(word.text, WORDS.iter().map(|(name, _)| *name));
            Err(Box::new(match near {
                Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
                None => diagnostic.with_hint("it knows `start`, `stop [FILE]` and `show`"),
            }))
        }
    }
}

fn start(call: &mut Call<'_>, word: Word<'_>) -> SourceResult<()> {
    if !call.session.start_profile() {
        let error = Diagnostic::new(ErrorKind::Value, word.span, "it is being profiled already");
        let hint = "`:profile show` shows what there is so far, `:profile stop FILE` ends it";
        return Err(Box::new(error.with_hint(hint)));
    }
    call.session.desk.profiled = None;
    let text = "what runs from here on is noted: `:profile show`, `:profile stop FILE`";
    call.show(Markup::new().dim(text));
    Ok(())
}

/// That nothing goes on that could be shown or stopped.
fn nothing(word: Word<'_>) -> Box<Diagnostic> {
    let error = Diagnostic::new(ErrorKind::Value, word.span, "nothing is being profiled");
    Box::new(error.with_hint("`:profile start` begins"))
}

fn show(call: &mut Call<'_>, word: Word<'_>) -> SourceResult<()> {
    let report = match (call.session.profiled(), &call.session.desk.profiled) {
        (Some(profiled), _) => profiled.report(),
        (None, Some(profiled)) => profiled.report(),
        (None, None) => return Err(nothing(word)),
    };
    call.show(report);
    Ok(())
}

fn stop(call: &mut Call<'_>, word: Word<'_>, file: Option<Word<'_>>) -> SourceResult<()> {
    if let Some(file) = file.filter(|file| !ENDINGS.iter().any(|end| file.text.ends_with(end))) {
        let message =
            format!("expected a file ending in `.json` or `.trace`, found `{}`", file.text);
        let error = call.misuse(file.span, message);
        return Err(Box::new(error.with_hint("it goes on: nothing has been stopped")));
    }
    let Some(profiled) = call.session.profiled() else { return Err(nothing(word)) };
    let mut said = Vec::new();
    // A file that can't be written loses nothing: it goes on.
    if let Some(file) = file {
        let bytes = profiled.trace();
        with_file(write_whole(&path_of(file.text), &bytes), file.text, file.span)?;
        said.push(format!(
            "{} written to {}, {}: ui.perfetto.dev opens it",
            counted(profiled.statements(), "statement"),
            file.text,
            human_bytes(bytes.len() as u64)
        ));
    }
    call.session.stop_profile();
    let mut reports: Vec<Report> = Vec::new();
    match said.is_empty() {
        true => reports.push(profiled.report()),
        false => {
            let length = human_duration(profiled.length());
            said.push(format!("{length} in all; `:profile show` has the table"));
        }
    }
    call.session.desk.profiled = Some(profiled);
    reports.extend(said.iter().map(|line| Markup::new().dim(line.clone()).into()));
    call.show(Report::Stack(reports));
    Ok(())
}
