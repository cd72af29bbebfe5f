//! Traces for ui.perfetto.dev and chrome://tracing: levels as counters, blocks as what begins and ends.

use rustc_hash::FxHashMap;

use super::recording::{Recording, StackId, Tape, What};
use super::sums::{Level, levels};
use crate::io::chrome::{Note, Trace, Track};

pub(super) fn write(recording: &Recording) -> Vec<u8> {
    let mut trace = Trace::default();
    let firsts = recording.tapes.iter().filter_map(|tape| tape.events.first());
    let origin = firsts.map(|event| event.time).min().unwrap_or(0);
    for at in 0..recording.tapes.len() {
        add(&mut trace, at as u32 + 1, recording, at, origin);
    }
    trace.finish()
}

/// The words and the place of a chain of callers.
fn place(recording: &Recording, stack: StackId) -> (String, String) {
    let frames = recording.stacks.frames(stack);
    let lines = frames.iter().filter(|frame| !frame.file.is_empty()).rev();
    let lines: Vec<String> =
        lines.map(|frame| format!("{} ({}:{})", frame.name, frame.file, frame.line)).collect();
    (recording.stacks.label(stack).to_owned(), lines.join(" < "))
}

/// Adds the memory of a device, by its number, to a trace whose times begin at `origin`.
pub fn add(trace: &mut Trace, group: u32, recording: &Recording, device: usize, origin: u64) {
    let tape: &Tape = &recording.tapes[device];
    let place = |stack| place(recording, stack);
    trace.name_group(group, &format!("memory of {}", tape.device));
    let track = Track(group, 1);
    trace.name_track(track, "blocks");
    let mut known: FxHashMap<StackId, (String, String)> = FxHashMap::default();
    let mut open: FxHashMap<u64, (u64, StackId)> = FxHashMap::default();
    let mut number = u64::from(group) << 40;
    let mut begin = |trace: &mut Trace,
                     open: &mut FxHashMap<u64, (u64, StackId)>,
                     known: &mut FxHashMap<StackId, (String, String)>,
                     (at, address, bytes, stack): (f64, u64, u64, StackId)| {
        number += 1;
        open.insert(address, (number, stack));
        let (name, from) = known.entry(stack).or_insert_with(|| place(stack));
        let args = [("bytes", Note::Count(bytes)), ("from", Note::Text(from))];
        trace.overlapping(name, track, (true, number), at, &args);
    };
    let levels = levels(tape);
    let counter = |trace: &mut Trace, at: f64, Level { live, reserved }: Level| {
        let values = [("live", Note::Count(live)), ("reserved", Note::Count(reserved))];
        let told = if tape.tells_reserved { 2 } else { 1 };
        trace.counter("bytes", Track(group, 0), at, &values[..told]);
    };
    let since = |time: u64| time.saturating_sub(origin) as f64;
    let first = tape.events.first().map_or(0.0, |event| since(event.time));
    counter(trace, first, levels.before);
    for (address, bytes, stack) in tape.before() {
        begin(trace, &mut open, &mut known, (first, address, bytes, stack));
    }
    for (at, event) in tape.events.iter().enumerate() {
        let time = since(event.time);
        match event.what {
            What::Allocate => {
                let block = (time, event.address, event.bytes, event.stack);
                begin(trace, &mut open, &mut known, block);
            }
            What::Free => {
                if let Some((number, stack)) = open.remove(&event.address) {
                    let (name, _) = known.entry(stack).or_insert_with(|| place(stack));
                    trace.overlapping(name, track, (false, number), time, &[]);
                }
            }
            What::Refused => {
                let (name, from) = known.entry(event.stack).or_insert_with(|| place(event.stack));
                let args = [("bytes", Note::Count(event.bytes)), ("from", Note::Text(from))];
                trace.instant(&format!("out of memory: {name}"), track, time, &args);
            }
            What::Reserve | What::Release => {}
        }
        // What happens at one moment is one step of the curve.
        if tape.events.get(at + 1).is_none_or(|next| next.time != event.time) {
            counter(trace, time, levels.behind[at]);
        }
    }
    // What is live as the recording ends.
    let end = tape.events.last().map_or(first, |event| since(event.time));
    let mut left: Vec<(u64, StackId)> = open.into_values().collect();
    left.sort_unstable();
    for (number, stack) in left {
        let (name, _) = known.entry(stack).or_insert_with(|| place(stack));
        trace.overlapping(name, track, (false, number), end, &[]);
    }
}
