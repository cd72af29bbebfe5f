//! `:mem`.

mod devices;
mod events;
mod export;
mod marks;
mod replay;
mod steer;
mod usage;
mod view;

pub use events::SnapshotFile;
pub(super) use export::words as export_words;
pub(super) use usage::RANKS;
use usage::has_history;

use super::Call;
use super::arguments::Word;
use crate::device::Device;
use crate::diag::{At, Diagnostic, ErrorKind, Fault, SourceResult, did_you_mean};
use crate::session::settings::parse_device;
use crate::tensor::DeviceId;

/// A word that `:mem` takes first.
pub struct What {
    pub usage: &'static str,
    pub summary: &'static str,
    run: Run,
}

type Run = fn(&mut Call<'_>, &Device, &[Word<'_>]) -> SourceResult<()>;

const fn what(usage: &'static str, summary: &'static str, run: Run) -> What {
    What { usage, summary, run }
}

/// All of them, as `:help mem` lists and completion offers them.
pub const WHATS: &[What] = &[
    what(
        ":mem segments [DEVICE]",
        "every segment of the allocator and what lies in it",
        view::segments,
    ),
    what(":mem vars [DEVICE]", "what each variable holds, shares and keeps alive", view::vars),
    what(":mem stats [DEVICE]", "every counter", view::stats),
    what(
        ":mem devices",
        "every device, and what its driver says that others use",
        devices::devices,
    ),
    what(
        ":mem top [N] [bytes|peak|time] [DEVICE]",
        "statements and lines that asked for most, as far as the history goes back, and how long each ran",
        usage::top,
    ),
    what(
        ":mem peak [reset] [DEVICE]",
        "the highest level, and what was live then; `reset` begins anew",
        usage::peak,
    ),
    what(
        ":mem leak [N] [DEVICE]",
        "what the last N inputs made that is still live, the most first",
        usage::leak,
    ),
    what(
        ":mem fragmentation [DEVICE]",
        "free pieces, and which blocks keep them apart",
        usage::fragmentation,
    ),
    what(
        ":mem history [N] [DEVICE]",
        "the last N events, each with its statement",
        events::history,
    ),
    what(
        ":mem trim [SIZE] [DEVICE]",
        "gives idle segments back to the device, and what `:undo` keeps there",
        steer::trim,
    ),
    what(
        ":mem compact [DEVICE]",
        "moves what is held together, so that what is free is in long pieces",
        steer::compact,
    ),
    what(
        ":mem warmup SIZE COUNT… [DEVICE]",
        "reserves COUNT blocks of SIZE ahead; more pairs may follow",
        steer::warm_up,
    ),
    what(":mem mark [NAME]", "remembers the present state", marks::mark),
    what(":mem diff [NAME]", "what changed since the last `:mem`, or since the mark", marks::diff),
    what(
        ":mem save FILE [--last N] [DEVICE]",
        "a snapshot of all devices or one: .pickle for pytorch.org/memory_viz, or .json",
        events::save,
    ),
    what(
        ":mem export FILE [FORMAT] [DEVICE]",
        "for other tools, by the file's ending: .pprof, .csv (RMM), .folded, .flame.html, .html, .json (Perfetto)",
        export::export,
    ),
    what(
        ":mem snapshot on oom FILE|off",
        "writes such a file by itself, as the memory was when it ran out",
        events::snapshot,
    ),
    what(
        ":mem replay [FILE] [POLICY…] [--limit SIZE] [DEVICE]",
        "the history, or a file's trace, under other allocators side by side",
        replay::replay,
    ),
    what(":mem watch", "the map, drawn anew until a key is pressed (in a terminal)", steer::watch),
    what(
        ":mem live [off]",
        "a panel that is kept up to date while cells run (in a notebook)",
        steer::live,
    ),
];

impl What {
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').nth(1).unwrap_or_default()
    }
}

pub fn run(call: &mut Call<'_>) -> SourceResult<()> {
    let mut words = call.words();
    call.settle()?;
    let mut device = call.session.engine().device();
    // A file may be called anything, so only what is no file's name can be a device.
    let is_save = words.first().is_some_and(|word| matches!(word.text, "save" | "export"));
    let named = words.iter().skip(if is_save { 2 } else { 0 });
    if let Some(word) = named.copied().find(|word| DeviceId::from_name(word.text).is_some()) {
        let id = parse_device(word.text).at(word.span)?;
        device = call.session.engine().find_device(id).map_err(Fault::from).at(word.span)?;
        words.retain(|other| other.span != word.span);
    }
    let Some((word, rest)) = words.split_first() else {
        let (report, mark) = call.session.memory_overview_and_mark(&device);
        call.show(report);
        marks::set(call, "", mark);
        return Ok(());
    };
    let Some(what) = WHATS.iter().find(|what| what.name() == word.text) else {
        let message = format!("`:mem` knows no `{}`", word.text);
        let diagnostic = Diagnostic::new(ErrorKind::Value, word.span, message);
        return Err(Box::new(match did_you_mean(word.text, WHATS.iter().map(What::name)) {
            Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
            None => diagnostic.with_hint("`:help mem` lists what it knows"),
        }));
    };
    call.usage = what.usage;
    (what.run)(call, &device, rest)?;
    // One that only shows something has shown nothing, or the last part of it not.
    let acts =
        ["trim", "compact", "warmup", "save", "export", "watch", "live"].contains(&what.name());
    match acts {
        true => Ok(()),
        false => call.session.engine().interrupt().heed().map_err(Fault::from).at(call.name),
    }
}

fn nothing(call: &Call<'_>, rest: &[Word<'_>]) -> SourceResult<()> {
    match rest.first() {
        None => Ok(()),
        Some(word) => Err(call.misuse(word.span, "expected nothing more")),
    }
}

fn one<'a>(call: &Call<'_>, rest: &[Word<'a>]) -> SourceResult<Option<Word<'a>>> {
    match rest {
        [] => Ok(None),
        [word] => Ok(Some(*word)),
        [_, more, ..] => Err(call.misuse(more.span, "expected nothing more")),
    }
}
