//! Folded stacks, `a;b;c N`, for flamegraph.pl and speedscope: bytes that were live at the highest moment.

use std::fmt::Write as _;

use super::recording::{Frame, Recording};
use super::sums::all_sums;

pub(super) fn write(recording: &Recording) -> Vec<u8> {
    let mut text = String::new();
    for (at, stack, sum) in all_sums(recording).iter().filter(|(.., sum)| sum.peak_bytes > 0) {
        let frames = recording.stacks.frames(*stack).iter().map(label);
        let device = recording.tapes[*at].device.clone();
        let line: Vec<String> = std::iter::once(device).chain(frames).collect();
        let _ = writeln!(text, "{} {}", line.join(";"), sum.peak_bytes);
    }
    text.into_bytes()
}

/// What a frame is called; a semicolon would end it.
fn label(frame: &Frame) -> String {
    let name = frame.name.replace(';', ",");
    match (&*frame.file, frame.line) {
        ("", _) => name,
        (file, line) => format!("{name} ({}:{line})", file.replace([';', '\n'], ",")),
    }
}
