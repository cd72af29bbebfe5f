//! The log of RMM's `logging_resource_adaptor`, which its replay benchmark reads.
//!
//! RMM has a log for each device. What was there before the first event is asked for at its moment, because
//! a replay knows no other way to have it.

use std::fmt::Write as _;

use super::recording::{Event, Recording, What};

pub(super) fn write(recording: &Recording) -> Vec<u8> {
    let mut csv = String::from("Thread,Time,Action,Pointer,Size,Stream\n");
    for tape in &recording.tapes {
        let begin = tape.events.first().map_or(0, |event| event.time);
        let before = tape.before();
        let before = before.iter().map(|(address, bytes, stack)| {
            let (what, address, bytes, stack) = (What::Allocate, *address, *bytes, *stack);
            Event { what, time: begin, address, bytes, stream: 0, stack }
        });
        for event in before.chain(tape.events.iter().copied()) {
            let (action, address) = match event.what {
                What::Allocate => ("allocate", event.address),
                What::Free => ("free", event.address),
                What::Refused => ("allocate failure", 0),
                What::Reserve | What::Release => continue,
            };
            let (seconds, micros) = (event.time / 1_000_000, event.time % 1_000_000);
            let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
            let _ = writeln!(
                csv,
                "1,{hours:02}:{minutes:02}:{:02}.{micros:06},{action},{address:#x},{},{:#x}",
                seconds % 60,
                event.bytes,
                event.stream,
            );
        }
    }
    csv.into_bytes()
}
