//! What the documents of Genesis promise of an allocator, measured: a pair of an allocation and its free in
//! every mode, requests in one batch, and a program's first pass with and without warming up.
//!
//! `cargo run --release --example headlines -- [--cuda]`: on a simulated GPU, or on the first real one. One JSON
//! object a line; `benches/headlines.py` puts them beside the driver and PyTorch.

#[path = "../benches/traces/mod.rs"]
mod traces;

use std::collections::HashMap;
use std::error::Error;
use std::time::Instant;

use genesis_repl::device::Interrupt;
use genesis_repl::device::cuda::Gpus;
use genesis_repl::memory::{Allocator, AllocatorConfig, Mode, Provenance, SimUpstream, StreamId};
use serde_json::json;
use traces::{Op, ns_per_pair, play};

const SIZES: [usize; 4] = [4 << 10, 1 << 20, 64 << 20, 1 << 30];

/// A program with more has none that one could make ready.
const FEW_SIZES: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let on_cuda = std::env::args().any(|argument| argument == "--cuda");
    for (mode, name) in
        [(Mode::Direct, "direct"), (Mode::Async, "async"), (Mode::Caching, "caching")]
    {
        for bytes in SIZES {
            let Ok(allocator) = fresh(on_cuda, mode) else {
                println!("{}", json!({ "figure": "pair", "mode": name, "left_out": "not here" }));
                break;
            };
            let times = if mode == Mode::Caching { 100_000 } else { 300 };
            let ns = pairs(&allocator, bytes, times)?;
            println!("{}", json!({ "figure": "pair", "mode": name, "bytes": bytes, "ns": ns }));
        }
    }
    let traces = traces::all();
    let transformer =
        &traces.iter().find(|(name, _)| *name == "transformer").ok_or("no such trace")?.1;
    for (name, trace) in &traces {
        let first = fresh(on_cuda, Mode::Caching)?;
        let cold = ns_per_pair(play(&first, trace), trace);
        drop(first);
        let sizes = wanted(trace);
        if sizes.len() > FEW_SIZES {
            println!(
                "{}",
                json!({ "figure": "first pass", "trace": name, "cold_ns": cold.round() })
            );
            continue;
        }
        let warmed = fresh(on_cuda, Mode::Caching)?;
        let start = Instant::now();
        warmed.warm_up(&sizes)?;
        let spent = start.elapsed().as_secs_f64();
        let warm = ns_per_pair(play(&warmed, trace), trace);
        let line = json!({
            "figure": "first pass", "trace": name, "cold_ns": cold.round(), "warmed_ns": warm.round(),
            "warming_s": spent,
        });
        println!("{line}");
    }
    let sizes: Vec<usize> = transformer.iter().filter_map(bytes_of).take(100).collect();
    let allocator = fresh(on_cuda, Mode::Caching)?;
    let (mut single, mut batch) = (Vec::new(), Vec::new());
    for _ in 0..1000 {
        let start = Instant::now();
        let held: Result<Vec<_>, _> = sizes
            .iter()
            .map(|bytes| allocator.allocate(*bytes, StreamId::DEFAULT, Provenance::TEMPORARY))
            .collect();
        single.push(start.elapsed().as_nanos());
        drop(held?);
        let start = Instant::now();
        let held = allocator.allocate_batch(&sizes, StreamId::DEFAULT, Provenance::TEMPORARY);
        batch.push(start.elapsed().as_nanos());
        drop(held?);
    }
    let each = |times: Vec<u128>| median(times) / sizes.len() as f64;
    println!(
        "{}",
        json!({ "figure": "batch", "single_ns": each(single), "batch_ns": each(batch) })
    );
    Ok(())
}

/// An allocator that has served nobody.
fn fresh(on_cuda: bool, mode: Mode) -> Result<Allocator, Box<dyn Error>> {
    let config = AllocatorConfig::default().with_mode(mode);
    if !on_cuda {
        return Ok(Allocator::new(
            Box::new(SimUpstream::unbacked("simulated", 139 << 30)),
            config,
        )?);
    }
    let gpus = Gpus::new(config, Interrupt::default());
    let first = gpus.open(0).map_err(|error| error.to_string())?;
    Ok(first.ok_or("there is no GPU")?.allocator().clone())
}

/// The median of the times of a pair, in ns.
fn pairs(allocator: &Allocator, bytes: usize, times: usize) -> Result<f64, Box<dyn Error>> {
    const AT_ONCE: usize = 10;
    let mut found = Vec::new();
    for _ in 0..times / AT_ONCE {
        let start = Instant::now();
        for _ in 0..AT_ONCE {
            drop(allocator.allocate(bytes, StreamId::DEFAULT, Provenance::TEMPORARY)?);
        }
        found.push(start.elapsed().as_nanos());
    }
    Ok(median(found) / AT_ONCE as f64)
}

fn median(mut times: Vec<u128>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2] as f64
}

fn bytes_of(op: &Op) -> Option<usize> {
    match op {
        Op::Allocate { bytes, .. } => Some(*bytes),
        Op::Free { .. } => None,
    }
}

/// How many blocks of each size a program holds at once.
fn wanted(trace: &[Op]) -> Vec<(usize, usize)> {
    let mut held: HashMap<usize, usize> = HashMap::new();
    let mut live: HashMap<usize, usize> = HashMap::new();
    let mut most: HashMap<usize, usize> = HashMap::new();
    for op in trace {
        match *op {
            Op::Allocate { id, bytes } => {
                held.insert(id, bytes);
                let live = live.entry(bytes).or_default();
                *live += 1;
                let most = most.entry(bytes).or_default();
                *most = (*most).max(*live);
            }
            Op::Free { id } => {
                let bytes = held.remove(&id).unwrap_or_default();
                *live.entry(bytes).or_default() -= 1;
            }
        }
    }
    let mut sizes: Vec<_> = most.into_iter().collect();
    sizes.sort_unstable();
    sizes
}
