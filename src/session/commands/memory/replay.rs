//! `:mem replay`: the history, or a file's trace, under other allocators.

use super::has_history;
use crate::device::Device;
use crate::diag::{At, ErrorKind, Fault, SourceResult};
use crate::io::{Error, path_of};
use crate::memory::parse_size;
use crate::replay::{Choice, Question, Trace, compare, of_snapshot, open, report};
use crate::session::commands::arguments::Word;
use crate::session::commands::{Call, with_file};

/// How names of files end that hold traces.
const ENDINGS: [&str; 5] = [".pickle", ".pkl", ".json", ".trace", ".txt"];

pub(super) fn replay(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let (mut question, mut file) = (Question::default(), None);
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        if word.text == "--limit" {
            let Some(size) = words.next() else {
                return Err(call.misuse(word.span, "expected a size after `--limit`"));
            };
            question.limit = Some(parse_size(size.text).at(size.span)? as u64);
        } else if file.is_none() && is_file(word.text) {
            file = Some(word);
        } else {
            question.policies.push(Choice::parse(word.text).at(word.span)?);
        }
    }
    let traces = match file {
        Some(file) => read(file)?,
        None => {
            let snapshot = call.session.memory_snapshot(device);
            if !has_history(call, &snapshot, device) {
                return Ok(());
            }
            vec![of_snapshot(&snapshot, &|id| call.session.input_of(id))]
        }
    };
    let interrupt = call.session.engine().interrupt().clone();
    for trace in &traces {
        // What was interrupted ends with an error once this has returned.
        let Some(comparison) = compare(trace, &question, &|| interrupt.is_raised()) else { break };
        call.show(report(trace, &comparison));
    }
    Ok(())
}

fn is_file(text: &str) -> bool {
    text.contains(['/', '\\']) || ENDINGS.iter().any(|ending| text.ends_with(ending))
}

fn read(file: Word<'_>) -> SourceResult<Vec<Trace>> {
    match open(&path_of(file.text)) {
        Ok(traces) => Ok(traces),
        Err(Error::System(error)) => with_file(Err(error), file.text, file.span),
        Err(Error::Format(words)) => {
            let fault = Fault::new(ErrorKind::Value, format!("`{}`: {words}", file.text));
            Err(fault.placed(file.span))
        }
    }
}
