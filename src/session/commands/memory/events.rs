//! What has happened: the list of events, and a file of it.

use super::one;
use crate::device::Device;
use crate::diag::SourceResult;
use crate::io::path_of;
use crate::memory::{Action, Snapshot};
use crate::report::{Column, Markup, Table, counted, human_bytes};
use crate::session::commands::arguments::Word;
use crate::session::commands::{Call, with_file};
use crate::session::memory_view::brief;

/// Events that `:mem history` shows unless told otherwise.
const EVENTS: usize = 20;

pub(super) fn history(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let last = match one(call, rest)? {
        Some(word) => call.count(word, 1)?,
        None => EVENTS,
    };
    let snapshot = device.allocator().snapshot();
    let events = &snapshot.history;
    if events.is_empty() {
        let text = match device.allocator().config().history_len {
            0 => "the history is off: `:set history 1000` keeps the last thousand events",
            _ => "nothing has happened yet",
        };
        call.show(Markup::new().dim(text));
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("event"),
        Column::right("bytes"),
        Column::left("address"),
        Column::left("for"),
        Column::left("statement"),
    ]);
    for event in &events[events.len().saturating_sub(last)..] {
        let number = match call.session.input_of(event.statement) {
            Some(number) => format!("[{number}] "),
            None => String::new(),
        };
        let text = snapshot.statements.get(&event.statement);
        let purpose = match event.operation {
            "" => event.kind.name(),
            operation => operation,
        };
        table.row([
            Markup::new().keyword(event.action.name()),
            Markup::new().number(human_bytes(event.bytes as u64)),
            match event.action {
                Action::OutOfMemory => {
                    Markup::new().warn(format!("{} free", human_bytes(event.address)))
                }
                _ => Markup::new().dim(format!("{:#x}", event.address)),
            },
            Markup::from(purpose),
            Markup::new().dim(number).plain(text.map_or(String::new(), |text| brief(text, 50))),
        ]);
    }
    call.show(table);
    Ok(())
}

pub(super) fn save(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let (file, last) = match rest {
        [file] => (*file, None),
        [file, flag, count] if flag.text == "--last" => (*file, Some(call.count(*count, 0)?)),
        [] => return Err(call.misuse(call.args, "expected a file behind `save`")),
        [_, flag] if flag.text == "--last" => {
            return Err(call.misuse(flag.span, "expected a number after `--last`"));
        }
        [_, more, ..] => {
            return Err(call.misuse(more.span, "expected nothing more than `--last N`"));
        }
    };
    let mut snapshot: Snapshot = call.session.memory_snapshot(device);
    if let Some(last) = last {
        snapshot.history.drain(..snapshot.history.len().saturating_sub(last));
    }
    let path = path_of(file.text);
    let bytes = match path.extension().and_then(|extension| extension.to_str()) {
        Some("pickle" | "pkl") => snapshot.to_pickle(),
        #[cfg(feature = "json")]
        Some("json") => snapshot.to_json().to_string().into_bytes(),
        #[cfg(not(feature = "json"))]
        Some("json") => {
            let hint = "save a `.pickle`, or build genesis-repl with the feature `json`";
            let fault = call.misuse(file.span, "this build writes no JSON");
            return Err(Box::new(fault.with_hint(hint)));
        }
        _ => {
            let message =
                format!("expected a file ending in `.pickle` or `.json`, found `{}`", file.text);
            let hint = "a `.pickle` opens in pytorch.org/memory_viz";
            return Err(Box::new(call.misuse(file.span, message).with_hint(hint)));
        }
    };
    with_file(crate::session::write_whole(&path, &bytes), file.text, file.span)?;
    let (segments, events) = (snapshot.segments.len(), snapshot.history.len());
    let what = format!("{} and {}", counted(segments, "segment"), counted(events, "event"));
    call.show(Markup::new().dim(format!("{what} saved to {}", file.text)));
    Ok(())
}
