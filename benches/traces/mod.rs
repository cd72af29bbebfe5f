//! Allocation traces: made here from a seed, or read from a file.
//!
//! Five kinds that allocators are compared by: one size over and over, random large sizes, sizes
//! over six orders of magnitude, the activations of a transformer's training steps, and a device
//! filled to the brim. A file holds a line `a ID BYTES` for each allocation and `f ID` for each free.

#![allow(dead_code)] // The test, the bench and the example each use a part.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use genesis_repl::memory::{Allocation, Allocator, AllocatorStats, Provenance, StreamId};

/// One step of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Allocate { id: usize, bytes: usize },
    Free { id: usize },
}

/// What a pass over a trace took.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    pub elapsed: Duration,
    /// Requests that failed.
    pub failed: usize,
}

/// The five kinds, by name.
pub fn all() -> Vec<(&'static str, Vec<Op>)> {
    let traces = vec![
        ("same_size", same_size()),
        ("large", random_live(1, 4_000, 24, |r| r.between(1 << 20, 256 << 20))),
        ("variable", random_live(2, 40_000, 200, |r| r.power_of_two(8.0, 27.0))),
        ("transformer", transformer()),
        ("pressure", pressure()),
    ];
    traces.into_iter().map(|(name, trace)| (name, reuse_ids(trace))).collect()
}

/// A trace from the text of a file.
pub fn parse(text: &str) -> Result<Vec<Op>, String> {
    let number = |word: Option<&str>, line: &str| {
        let parsed = word.and_then(|word| word.parse::<usize>().ok());
        parsed.ok_or_else(|| format!("expected `a ID BYTES` or `f ID`, found `{line}`"))
    };
    let op = |line: &str| {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("a") => Ok(Op::Allocate {
                id: number(words.next(), line)?,
                bytes: number(words.next(), line)?,
            }),
            Some("f") => Ok(Op::Free { id: number(words.next(), line)? }),
            _ => Err(format!("expected `a ID BYTES` or `f ID`, found `{line}`")),
        }
    };
    let trace: Result<Vec<Op>, String> =
        text.lines().filter(|line| !line.trim().is_empty()).map(op).collect();
    trace.map(reuse_ids)
}

/// A trace as a file has it.
pub fn text(trace: &[Op]) -> String {
    let line = |op: &Op| match op {
        Op::Allocate { id, bytes } => format!("a {id} {bytes}\n"),
        Op::Free { id } => format!("f {id}\n"),
    };
    trace.iter().map(line).collect()
}

/// Plays a trace once.
pub fn play(allocator: &Allocator, trace: &[Op]) -> Pass {
    let ids = trace.iter().map(|op| match op {
        Op::Allocate { id, .. } | Op::Free { id } => *id,
    });
    let mut held: Vec<Option<Allocation>> = Vec::new();
    held.resize_with(ids.max().map_or(0, |id| id + 1), || None);
    let mut failed = 0;
    let start = Instant::now();
    for op in trace {
        match *op {
            Op::Allocate { id, bytes } => {
                held[id] = allocator.allocate(bytes, StreamId::DEFAULT, Provenance::TEMPORARY).ok();
                failed += usize::from(held[id].is_none());
            }
            Op::Free { id } => drop(held[id].take()),
        }
    }
    Pass { elapsed: start.elapsed(), failed }
}

/// Nanoseconds for an allocation and its free.
pub fn ns_per_pair(pass: Pass, trace: &[Op]) -> f64 {
    pass.elapsed.as_nanos() as f64 / (trace.len() as f64 / 2.0)
}

/// Calls of the upstream between two readings of the counters.
pub fn upstream_calls(before: &AllocatorStats, after: &AllocatorStats) -> u64 {
    after.upstream_calls - before.upstream_calls
}

/// The same trace with as few ids as blocks are held at once, so that a player's own table stays
/// in the cache and what is timed is the allocator.
fn reuse_ids(trace: Vec<Op>) -> Vec<Op> {
    let (mut slots, mut vacant, mut next) = (HashMap::new(), Vec::new(), 0);
    let rename = |op| match op {
        Op::Allocate { id, bytes } => {
            let slot = vacant.pop().unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            slots.insert(id, slot);
            Op::Allocate { id: slot, bytes }
        }
        Op::Free { id } => {
            let slot = slots.remove(&id).unwrap_or(0);
            vacant.push(slot);
            Op::Free { id: slot }
        }
    };
    trace.into_iter().map(rename).collect()
}

fn same_size() -> Vec<Op> {
    (0..20_000).flat_map(|id| [Op::Allocate { id, bytes: 4 << 20 }, Op::Free { id }]).collect()
}

/// Random sizes, of which up to `live` are held at a time and a random one goes.
fn random_live(seed: u64, n: usize, live: usize, size: impl Fn(&mut Random) -> usize) -> Vec<Op> {
    let (mut random, mut held, mut trace) = (Random(seed), Vec::new(), Vec::new());
    for id in 0..n {
        trace.push(Op::Allocate { id, bytes: size(&mut random) });
        held.push(id);
        if held.len() > live {
            trace.push(Op::Free { id: held.remove(random.below(held.len())) });
        }
    }
    trace.extend(held.into_iter().map(|id| Op::Free { id }));
    trace
}

/// Twenty training steps of 24 layers in half precision, with sequences of varying length.
fn transformer() -> Vec<Op> {
    let (batch, sequence, hidden) = (8, 1024, 2048);
    let (mut trace, mut next) = (Vec::new(), 0);
    for step in 0..20 {
        let s = if step % 4 != 0 { sequence } else { sequence / 2 + 64 * (step % 7) };
        let (states, scores) = (batch * s * hidden, batch * 16 * s * s);
        let mut activations = Vec::new();
        let mut allocate = |trace: &mut Vec<Op>, elements: usize| {
            trace.push(Op::Allocate { id: next, bytes: 2 * elements });
            next += 1;
            next - 1
        };
        for _ in 0..24 {
            let kept = [(states, true), (3 * states, true), (scores, true), (scores, false)];
            let rest = [(states, true), (4 * states, true), (4 * states, false), (states, true)];
            for (elements, is_kept) in kept.into_iter().chain(rest) {
                let id = allocate(&mut trace, elements);
                if is_kept {
                    activations.push(id);
                } else {
                    trace.push(Op::Free { id });
                }
            }
        }
        for activation in activations.into_iter().rev() {
            for elements in [states, 4 * hidden * hidden] {
                let id = allocate(&mut trace, elements);
                trace.push(Op::Free { id });
            }
            trace.push(Op::Free { id: activation });
        }
    }
    trace
}

/// Blocks of 64 MiB to 3 GiB, always as many as fit into 100 GiB.
fn pressure() -> Vec<Op> {
    let (mut random, mut held, mut trace, mut used) = (Random(3), Vec::new(), Vec::new(), 0);
    for id in 0..3_000 {
        let bytes = random.between(64 << 20, 3 << 30);
        while used + bytes > 100 << 30 {
            let (freed, size) = held.remove(random.below(held.len()));
            trace.push(Op::Free { id: freed });
            used -= size;
        }
        trace.push(Op::Allocate { id, bytes });
        held.push((id, bytes));
        used += bytes;
    }
    trace.extend(held.into_iter().map(|(id, _)| Op::Free { id }));
    trace
}

/// SplitMix64: small, and good enough to draw sizes.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low)
    }

    /// 2^x for a uniform x.
    fn power_of_two(&mut self, low: f64, high: f64) -> usize {
        let unit = self.next() as f64 / u64::MAX as f64;
        (low + (high - low) * unit).exp2() as usize
    }
}
