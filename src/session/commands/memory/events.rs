//! What has happened: the list of events, and a file of it.

use std::io;
use std::path::PathBuf;

use super::one;
use crate::device::{Device, DeviceId};
use crate::diag::SourceResult;
use crate::io::path_of;
use crate::memory::{Action, Snapshot};
use crate::report::{Column, Markup, Table, counted, human_bytes};
use crate::session::Session;
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
    let is_named = call.words().iter().skip(2).any(|w| DeviceId::from_name(w.text).is_some());
    let devices = if is_named { vec![device.clone()] } else { all_devices(call) };
    let mut snapshots: Vec<Snapshot> =
        devices.iter().map(|device| call.session.memory_snapshot(device)).collect();
    for history in snapshots.iter_mut().map(|snapshot| &mut snapshot.history) {
        let last = last.unwrap_or(history.len());
        history.drain(..history.len().saturating_sub(last));
    }
    let way = way(call, file)?;
    with_file(way.write(&snapshots), file.text, file.span)?;
    let count = |of: fn(&Snapshot) -> usize| snapshots.iter().map(of).sum::<usize>();
    let (segments, events) = (count(|it| it.segments.len()), count(|it| it.history.len()));
    let what = format!("{} and {}", counted(segments, "segment"), counted(events, "event"));
    let what = match snapshots.len() {
        1 => what,
        devices => format!("{what} of {}", counted(devices, "device")),
    };
    call.show(Markup::new().dim(format!("{what} saved to {}", file.text)));
    Ok(())
}

/// Every device that has seen memory come or go, or the one that there is: GPUs by their numbers, for
/// those are the numbers in PyTorch's files, then the CPU.
pub(super) fn all_devices(call: &Call<'_>) -> Vec<Device> {
    let engine = call.session.engine();
    let current = engine.device();
    let is_used = |device: &Device| {
        let allocator = device.allocator();
        device.id() == current.id() || allocator.stats().peak.reserved > 0
    };
    let used = engine.devices().filter(|device| device.id() != DeviceId::Cpu || is_used(device));
    let mut devices: Vec<Device> = used.cloned().collect();
    devices.sort_by_key(|device| match device.id() {
        DeviceId::Cuda(number) => usize::from(number),
        DeviceId::Cpu => usize::MAX,
    });
    devices
}

/// Writes a snapshot by itself where memory runs out, or does so no more.
pub(super) fn snapshot(call: &mut Call<'_>, _: &Device, rest: &[Word<'_>]) -> SourceResult<()> {
    let way = match rest {
        [word] if word.text == "off" => None,
        [on, oom, file] if on.text == "on" && oom.text == "oom" => Some(way(call, *file)?),
        [] => return Err(call.misuse(call.args, "expected `on oom FILE` or `off`")),
        [.., word] => return Err(call.misuse(word.span, "expected `on oom FILE` or `off`")),
    };
    call.session.room.keep_snapshots(way.is_some());
    call.session.desk.snapshot_file = way;
    Ok(())
}

/// How a file's name says that a snapshot is written to it.
fn way(call: &Call<'_>, file: Word<'_>) -> SourceResult<SnapshotFile> {
    let path = path_of(file.text);
    let form = match path.extension().and_then(|extension| extension.to_str()) {
        Some("pickle" | "pkl") => Snapshot::to_pickle,
        #[cfg(feature = "json")]
        Some("json") => Snapshot::to_json,
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
    Ok(SnapshotFile { path, form })
}

/// A file for snapshots, and its form.
#[derive(Debug, Clone)]
pub struct SnapshotFile {
    path: PathBuf,
    form: fn(&[Snapshot]) -> Vec<u8>,
}

impl SnapshotFile {
    /// Puts snapshots, one of each device, in the place of what the file holds.
    ///
    /// # Errors
    /// The system's.
    pub fn write(&self, snapshots: &[Snapshot]) -> io::Result<()> {
        crate::session::write_whole(&self.path, &(self.form)(snapshots))
    }
}

impl Session {
    /// Writes how the memory was when it ran out, if that is wanted; what there is to say about it.
    pub(in crate::session) fn save_shortage(&self) -> Option<String> {
        let file = self.desk.snapshot_file.as_ref()?;
        let (device, mut snapshot) = self.room.take_snapshot()?;
        self.name_all(&device, &self.holders(), &mut snapshot);
        let path = file.path.display();
        Some(match file.write(&[snapshot]) {
            Ok(()) => format!("{path} shows the memory as it was then"),
            Err(error) => format!("no snapshot was written to {path}: {error}"),
        })
    }
}
