//! What each of those who asked had, and how the levels went.

use rustc_hash::FxHashMap;

use super::recording::{Event, Recording, StackId, State, Tape, What};

/// Of one chain of callers on one device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    pub requests: u64,
    pub bytes: u64,
    pub live_blocks: u64,
    pub live_bytes: u64,
    /// At the highest moment.
    pub peak_blocks: u64,
    pub peak_bytes: u64,
    /// The most at once.
    pub at_once: u64,
}

/// Bytes that were asked for and live, and bytes in segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Level {
    pub live: u64,
    pub reserved: u64,
}

/// How the levels of a device went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Levels {
    /// Before the first event.
    pub before: Level,
    /// Behind each event.
    pub behind: Vec<Level>,
}

impl Levels {
    /// The event behind which most is live; none where that is so before all of them.
    pub fn highest(&self) -> Option<usize> {
        let (mut most, mut found) = (self.before.live, None);
        for (at, level) in self.behind.iter().enumerate() {
            if level.live > most {
                (most, found) = (level.live, Some(at));
            }
        }
        found
    }
}

/// The sums of a device, those of the earliest callers first.
pub fn sums(tape: &Tape) -> Vec<(StackId, Sum)> {
    let before = tape.before();
    let highest = levels(tape).highest();
    let mut of: FxHashMap<StackId, Sum> = FxHashMap::default();
    let mut live: FxHashMap<u64, (u64, StackId)> = FxHashMap::default();
    let take_in = |of: &mut FxHashMap<StackId, Sum>, stack: StackId, bytes: u64| {
        let sum = of.entry(stack).or_default();
        sum.requests += 1;
        sum.bytes += bytes;
        sum.live_blocks += 1;
        sum.live_bytes += bytes;
        sum.at_once = sum.at_once.max(sum.live_bytes);
    };
    let note_peak = |of: &mut FxHashMap<StackId, Sum>| {
        for sum in of.values_mut() {
            (sum.peak_blocks, sum.peak_bytes) = (sum.live_blocks, sum.live_bytes);
        }
    };
    for (address, bytes, stack) in before {
        live.insert(address, (bytes, stack));
        take_in(&mut of, stack, bytes);
    }
    note_peak(&mut of);
    for (at, event) in tape.events.iter().enumerate() {
        match event.what {
            What::Allocate => {
                live.insert(event.address, (event.bytes, event.stack));
                take_in(&mut of, event.stack, event.bytes);
            }
            What::Free => {
                if let Some((bytes, stack)) = live.remove(&event.address)
                    && let Some(sum) = of.get_mut(&stack)
                {
                    sum.live_blocks -= 1;
                    sum.live_bytes -= bytes;
                }
            }
            _ => {}
        }
        if highest == Some(at) {
            note_peak(&mut of);
        }
    }
    let mut sums: Vec<_> = of.into_iter().collect();
    sums.sort_by_key(|(stack, _)| *stack);
    sums
}

/// The sums of each device of a recording, without those of nothing.
pub fn all_sums(recording: &Recording) -> Vec<(usize, StackId, Sum)> {
    let of = |(at, tape): (usize, &Tape)| {
        sums(tape).into_iter().map(move |(stack, sum)| (at, stack, sum)).collect::<Vec<_>>()
    };
    recording.tapes.iter().enumerate().flat_map(of).collect()
}

/// The levels of a device, from before the first event on.
pub fn levels(tape: &Tape) -> Levels {
    let live = tape.before().iter().map(|(_, bytes, _)| bytes).sum();
    let now: u64 = tape.segments.iter().map(|segment| segment.bytes).sum();
    let sum = |what: What| -> u64 {
        tape.events.iter().filter(|event| event.what == what).map(|event| event.bytes).sum()
    };
    let reserved = (now + sum(What::Release)).saturating_sub(sum(What::Reserve));
    let before = Level { live, reserved };
    let mut level = before;
    let step = |event: &Event| {
        let Level { live, reserved } = &mut level;
        match event.what {
            What::Allocate => *live += event.bytes,
            What::Free => *live = live.saturating_sub(event.bytes),
            What::Reserve => *reserved += event.bytes,
            What::Release => *reserved = reserved.saturating_sub(event.bytes),
            What::Refused => {}
        }
        level
    };
    Levels { before, behind: tape.events.iter().map(step).collect() }
}

/// Bytes in live blocks now, padding and all, and in segments.
pub fn now(tape: &Tape) -> Level {
    let live = tape.blocks().filter(|block| block.state == State::Live);
    Level {
        live: live.map(|block| block.bytes).sum(),
        reserved: tape.segments.iter().map(|segment| segment.bytes).sum(),
    }
}
