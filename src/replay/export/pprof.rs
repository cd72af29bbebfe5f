//! Profiles for `go tool pprof` and whatever else reads its format: what was allocated, and what is live.

use super::recording::Recording;
use super::sums::all_sums;
use crate::io::pprof::{Line, Profile};

/// As Go's heap profiles have them, so that tools know their names.
const KINDS: [(&str, &str); 4] = [
    ("alloc_objects", "count"),
    ("alloc_space", "bytes"),
    ("inuse_objects", "count"),
    ("inuse_space", "bytes"),
];

pub(super) fn write(recording: &Recording) -> Vec<u8> {
    let mut profile = Profile::new(&KINDS, "inuse_space");
    let times = recording.tapes.iter().flat_map(|tape| &tape.events).map(|event| event.time);
    if let (true, Some(first), Some(last)) =
        (recording.has_times, times.clone().min(), times.clone().max())
    {
        profile.set_time(first.saturating_mul(1000), (last - first).saturating_mul(1000));
    }
    for (at, stack, sum) in all_sums(recording) {
        let frames = recording.stacks.frames(stack).iter().rev();
        let lines: Vec<Line<'_>> = frames
            .map(|frame| Line { function: &frame.name, file: &frame.file, line: frame.line })
            .collect();
        let values = [sum.requests, sum.bytes, sum.live_blocks, sum.live_bytes];
        profile.sample(&lines, &values, &[("device", &recording.tapes[at].device)]);
    }
    profile.finish()
}
