//! Replays allocation traces on a simulated GPU, or with `--cuda` on the first real one, and prints
//! what they cost.
//!
//! `cargo run --release --example replay -- [--cuda] [--paged|--auto] FILE…` reads text files with a line
//! `a ID BYTES` or `f ID` for each step; without arguments it makes the five traces of the benchmark, and
//! `--dump FOLDER` writes them there. One JSON object a line: fragmentation is 1 − peak allocated / peak reserved over all passes.

#[path = "../benches/traces/mod.rs"]
mod traces;

use std::error::Error;

use genesis_repl::device::Interrupt;
use genesis_repl::device::cuda::Gpus;
use genesis_repl::memory::{Allocator, AllocatorConfig, SegmentKind, SimUpstream, format_bytes};
use serde_json::json;
use traces::{Op, ns_per_pair, play, upstream_calls};

/// What an H200 has for programs.
const CAPACITY: usize = 139 << 30;
const WARM_PASSES: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |name: &str| options.iter().any(|option| option == name);
    let kind = match (has("--paged"), has("--auto")) {
        (true, _) => SegmentKind::Paged,
        (_, true) => SegmentKind::Auto,
        _ => SegmentKind::Plain,
    };
    if has("--dump") {
        let folder = files.first().ok_or("expected a folder behind --dump")?;
        for (name, trace) in traces::all() {
            std::fs::write(format!("{folder}/{name}.txt"), traces::text(&trace))?;
        }
        return Ok(());
    }
    let way = Way { on_cuda: has("--cuda"), kind };
    if files.is_empty() {
        for (name, trace) in traces::all() {
            replay(name, &trace, way)?;
        }
    }
    for file in files {
        replay(&file, &traces::parse(&std::fs::read_to_string(&file)?)?, way)?;
    }
    Ok(())
}

/// Where traces are replayed, and over what.
#[derive(Clone, Copy)]
struct Way {
    on_cuda: bool,
    kind: SegmentKind,
}

/// An allocator that has served nobody.
fn fresh(way: Way) -> Result<Allocator, Box<dyn Error>> {
    let config = AllocatorConfig::default().with_segments(way.kind);
    if !way.on_cuda {
        let upstream = SimUpstream::unbacked("simulated", CAPACITY);
        return Ok(Allocator::new(Box::new(upstream), config)?);
    }
    let gpus = Gpus::new(config, Interrupt::default());
    let first = gpus.open(0).map_err(|error| error.to_string())?;
    Ok(first.ok_or("there is no GPU")?.allocator().clone())
}

fn replay(name: &str, trace: &[Op], way: Way) -> Result<(), Box<dyn Error>> {
    let allocator = fresh(way)?;
    let cold = play(&allocator, trace);
    let after_cold = allocator.stats();
    let warm: Vec<_> = (0..WARM_PASSES).map(|_| play(&allocator, trace)).collect();
    let stats = allocator.stats();
    let best = warm.iter().map(|pass| ns_per_pair(*pass, trace)).fold(f64::INFINITY, f64::min);
    let failed = cold.failed + warm.iter().map(|pass| pass.failed).sum::<usize>();
    let calls = upstream_calls(&after_cold, &stats) as f64 / (WARM_PASSES * trace.len() / 2) as f64;
    let line = json!({
        "trace": name,
        "segments": way.kind.name(),
        "pairs": trace.len() / 2,
        "cold_ns_per_pair": ns_per_pair(cold, trace).round(),
        "warm_ns_per_pair": (best * 10.0).round() / 10.0,
        "cold_fragmentation": (after_cold.peak_fragmentation() * 1e4).round() / 1e4,
        "fragmentation": (stats.peak_fragmentation() * 1e4).round() / 1e4,
        "peak_allocated": format_bytes(stats.peak.allocated),
        "peak_reserved": format_bytes(stats.peak.reserved),
        "cold_upstream_calls": after_cold.upstream_calls,
        "moved": format_bytes(stats.bytes_moved as usize),
        "warm_upstream_calls_per_pair": (calls * 1e4).round() / 1e4,
        "retries": stats.retries,
        "failed": failed,
    });
    println!("{line}");
    Ok(())
}
