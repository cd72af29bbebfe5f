//! A recording of traces that came from a file: they have steps in place of times, and say nothing of where
//! blocks lay, which are numbered through here.

use rustc_hash::FxHashMap;

use super::own::frame;
use super::recording::{
    Block, Event, Frame, Recording, Segment, StackId, Stacks, State, Tape, What,
};
use crate::memory::ALIGNMENT;
use crate::replay::trace::{Op, Site, Sites, Trace};

/// Where the first block is said to lie: what no tool takes for nothing.
const BEGIN: u64 = 0x7f00_0000_0000;

/// What these traces tell.
pub fn of_traces(title: &str, traces: &[&Trace]) -> Recording {
    let mut recording = Recording { title: title.to_owned(), ..Recording::default() };
    for trace in traces {
        let tape = tape(trace, &mut recording.stacks);
        recording.tapes.push(tape);
    }
    recording
}

fn tape(trace: &Trace, stacks: &mut Stacks) -> Tape {
    let mut known: FxHashMap<Site, StackId> = FxHashMap::default();
    let mut stack = |site: Site| {
        *known.entry(site).or_insert_with(|| stacks.number(vec![of_site(&trace.sites, site)]))
    };
    let mut next = BEGIN;
    let mut place = |bytes: u64| {
        let address = next;
        // As many as they ask for may be more than there are addresses.
        next = next.wrapping_add(bytes.max(1).next_multiple_of(ALIGNMENT as u64));
        address
    };
    let mut blocks: Vec<(u64, u64, u32, StackId)> = Vec::with_capacity(trace.blocks as usize);
    let mut events = Vec::with_capacity(trace.ops.len());
    for (step, op) in trace.ops.iter().enumerate() {
        let time = (step + 1).saturating_sub(trace.before) as u64;
        let event = match *op {
            Op::Allocate { bytes, stream, site, .. } => {
                let (address, stack) = (place(bytes), stack(site));
                blocks.push((address, bytes, stream, stack));
                Event { what: What::Allocate, time, address, bytes, stream, stack }
            }
            Op::Free { id } => {
                let (address, bytes, stream, stack) = blocks[id as usize];
                Event { what: What::Free, time, address, bytes, stream, stack }
            }
            Op::Refused { bytes, stream, site } => {
                let stack = stack(site);
                Event { what: What::Refused, time, address: 0, bytes, stream, stack }
            }
        };
        events.push(event);
    }
    // The layout at the end is told beside the events, and its blocks are others to a reader.
    let segments = trace.segments.iter().map(|segment| {
        let address = place(segment.bytes);
        let mut at = address;
        let blocks = segment.blocks.iter().map(|piece| {
            let begin = at;
            at = at.wrapping_add(piece.bytes);
            Block {
                address: begin,
                bytes: piece.bytes,
                requested: 0,
                state: if piece.holder.is_some() { State::Live } else { State::Free },
                stack: stack(piece.holder.unwrap_or_default()),
                holders: String::new(),
            }
        });
        Segment { address, bytes: segment.bytes, stream: 0, blocks: blocks.collect() }
    });
    let device = match trace.device.as_str() {
        "" => "memory".to_owned(),
        device => device.to_owned(),
    };
    Tape {
        name: trace.origin.words().to_owned(),
        device,
        total: trace.recorded.and_then(|recorded| recorded.capacity),
        segments: segments.collect(),
        events,
        variables: Vec::new(),
        tells_reserved: false,
    }
}

/// `a/train.py:31 step` taken apart again.
fn of_site(sites: &Sites, site: Site) -> Frame {
    let label = sites.name(site);
    if label.is_empty() {
        return frame("unknown", "", 0);
    }
    if let Some((number, text)) = label.strip_prefix('[').and_then(|rest| rest.split_once("] "))
        && number.parse::<u32>().is_ok()
    {
        return frame(text, &format!("<In {number}>"), 1);
    }
    let (file, name) = label.split_once(' ').unwrap_or((label, ""));
    match file.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) if !name.is_empty() => frame(name, file, line),
        _ => frame(label, "", 0),
    }
}
