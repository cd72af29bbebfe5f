//! `:mem export`: what happened to the memory, in the formats of tools that people have.

use super::events::all_devices;
use crate::device::{Device, DeviceId};
use crate::diag::{At, SourceResult};
use crate::io::path_of;
use crate::replay::export::{FORMATS, Format, Recording, Subject, Variable, of_session};
use crate::report::{Markup, counted, human_bytes};
use crate::session::commands::arguments::Word;
use crate::session::commands::{Call, with_file};
use crate::session::{Session, write_whole};

pub(super) fn export(call: &mut Call<'_>, device: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let (file, format) = match rest {
        [file] => (*file, Format::of_file(file.text).at(file.span)?),
        [file, word] => (*file, Format::of_name(word.text).at(word.span)?),
        [] => return Err(call.misuse(call.args, "expected a file behind `export`")),
        [_, _, more, ..] => return Err(call.misuse(more.span, "expected nothing more")),
    };
    let is_named = call.words().iter().skip(2).any(|w| DeviceId::from_name(w.text).is_some());
    let devices = match is_named || format.is_of_one_device {
        true => vec![device.clone()],
        false => all_devices(call),
    };
    let recording = call.session.recording(&devices);
    let bytes = format.write(&recording);
    with_file(write_whole(&path_of(file.text), &bytes), file.text, file.span)?;
    let events: usize = recording.tapes.iter().map(|tape| tape.events.len()).sum();
    let of: Vec<&str> = recording.tapes.iter().map(|tape| tape.device.as_str()).collect();
    let mut said = Markup::new().dim(format!(
        "{} of {} written to {} as {}, {}",
        counted(events, "event"),
        of.join(", "),
        file.text,
        format.name,
        human_bytes(bytes.len() as u64)
    ));
    if devices.iter().any(|device| device.allocator().config().history_len == 0) {
        let hint = "the history is off: `:set history 100000` keeps events from here on";
        said = said.newline().hint(hint);
    }
    call.show(said);
    Ok(())
}

/// Words for a format, for completion.
pub(in crate::session) fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
    FORMATS.iter().map(|format| (format.name, format.summary))
}

impl Session {
    /// What is known of the memory of these devices.
    pub(in crate::session) fn recording(&self, devices: &[Device]) -> Recording {
        let subject = |device: &Device| Subject {
            device: device.id().to_string(),
            snapshot: self.memory_snapshot(device),
            variables: self
                .shares(device)
                .iter()
                .map(|share| Variable {
                    name: share.holder.name.to_string(),
                    what: format!(
                        "{} {}",
                        share.holder.tensor.dtype(),
                        share.holder.tensor.shape()
                    ),
                    bytes: share.bytes,
                    storage_bytes: share.storage_bytes,
                })
                .collect(),
        };
        let subjects: Vec<Subject> = devices.iter().map(subject).collect();
        of_session("Memory of a genesis-repl session", &subjects)
    }
}
