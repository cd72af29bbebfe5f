//! What an allocation costs: warm pairs of one size, the five traces, and the upstream underneath
//! for comparison. `cargo bench --bench allocator`; the time of a trace is that of its every pair
//! together, and the throughput line counts pairs.

mod traces;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use genesis_repl::memory::{
    Allocator, AllocatorConfig, HostUpstream, Mode, Provenance, SimUpstream, StreamId, Upstream,
};

fn allocator(upstream: Box<dyn Upstream>, config: AllocatorConfig) -> Allocator {
    Allocator::new(upstream, config).expect("the mode suits the upstream")
}

fn simulated(config: AllocatorConfig) -> Allocator {
    allocator(Box::new(SimUpstream::unbacked("simulated", 139 << 30)), config)
}

fn warm_pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("warm_pair");
    let history = AllocatorConfig::default().with_history(10_000);
    let cases = [("default", AllocatorConfig::default()), ("history", history)];
    for (name, config) in cases {
        for bytes in [64, 4096, 1 << 20, 4 << 20, 1 << 30] {
            let allocator = simulated(config.clone());
            let pair = || allocator.allocate(bytes, StreamId::DEFAULT, Provenance::TEMPORARY);
            drop(pair());
            group.bench_function(BenchmarkId::new(name, bytes), |b| b.iter(pair));
        }
    }
    group.finish();
}

/// What caching saves on a machine without a GPU: the same pair from the system allocator.
fn direct_pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("direct_pair");
    for bytes in [64, 4096, 1 << 20, 4 << 20] {
        let config = AllocatorConfig::default().with_mode(Mode::Direct);
        let allocator = allocator(Box::new(HostUpstream::new()), config);
        let pair = || allocator.allocate(bytes, StreamId::DEFAULT, Provenance::TEMPORARY);
        group.bench_function(BenchmarkId::new("host", bytes), |b| b.iter(pair));
    }
    group.finish();
}

fn replays(c: &mut Criterion) {
    let mut group = c.benchmark_group("replay");
    group.sample_size(20);
    for (name, trace) in traces::all() {
        let allocator = simulated(AllocatorConfig::default());
        traces::play(&allocator, &trace);
        group.throughput(Throughput::Elements(trace.len() as u64 / 2));
        group.bench_function(name, |b| b.iter(|| traces::play(&allocator, &trace)));
    }
    group.finish();
}

criterion_group!(benches, warm_pairs, direct_pairs, replays);
criterion_main!(benches);
