//! The allocator against random traces: after every step the blocks, the streams and the counters
//! are held against a model. Then the contract that every upstream runs through, the steps of the
//! retry order, and the five traces by which allocators are compared.

#[path = "../benches/traces/mod.rs"]
mod traces;

mod dice;

#[path = "allocator/gather.rs"]
mod gather;
#[path = "allocator/model.rs"]
mod model;
#[path = "allocator/pages.rs"]
mod pages;
#[path = "allocator/together.rs"]
mod together;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use genesis_repl::memory::*;

const MIB: usize = 1 << 20;

fn sim_allocator(capacity: usize, config: AllocatorConfig) -> (SimUpstream, Allocator) {
    let sim = SimUpstream::unbacked("sim", capacity);
    let allocator = Allocator::new(Box::new(sim.clone()), config).unwrap();
    (sim, allocator)
}

fn json(snapshot: &Snapshot) -> serde_json::Value {
    serde_json::from_slice(&Snapshot::to_json(std::slice::from_ref(snapshot))).unwrap()
}

/// What every upstream must do, seen through an allocator in both modes.
fn contract(make: impl Fn() -> Box<dyn Upstream>) {
    for mode in [Mode::Caching, Mode::Direct] {
        let allocator = Allocator::new(make(), AllocatorConfig::default().with_mode(mode)).unwrap();
        let allocate = |bytes| allocator.allocate(bytes, StreamId::DEFAULT, Provenance::VARIABLE);
        let sizes = [0, 1, 511, 512, 513, MIB, MIB + 1, 40 * MIB];
        let held: Vec<Allocation> = sizes.iter().map(|bytes| allocate(*bytes).unwrap()).collect();
        let mut ranges: Vec<(u64, u64)> =
            held.iter().map(|a| (a.address(), a.size_bytes() as u64)).collect();
        assert!(ranges.iter().all(|(address, _)| *address != 0 && address % 512 == 0));
        ranges.retain(|(_, bytes)| *bytes > 0);
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
        let error = allocate(10 << 40).unwrap_err();
        assert_eq!(error.requested, 10 << 40);
        assert!(error.to_string().starts_with("out of memory on"), "{error}");
        assert!(allocate(usize::MAX).is_err());
        assert_eq!(allocator.stats().live_blocks, 7);
        drop(held);
        allocator.empty_cache();
        let stats = allocator.stats();
        assert_eq!((stats.now, stats.segments), (Levels::default(), 0));
        assert_eq!((stats.allocations, stats.frees, stats.out_of_memory), (7, 7, 2));
    }
}

#[test]
fn the_host_keeps_the_contract() {
    contract(|| Box::new(HostUpstream::new()));
}

#[test]
fn the_simulated_device_keeps_the_contract() {
    contract(|| Box::new(SimUpstream::new("cuda:0 (simulated)", 256 * MIB)));
    contract(|| Box::new(SimUpstream::unbacked("sim", 256 * MIB)));
}

#[test]
fn fragmentation_stays_below_that_of_pytorch() {
    let pytorch = [
        ("same_size", 0.80),
        ("large", 0.43),
        ("variable", 0.27),
        ("transformer", 0.22),
        ("pressure", 0.28),
    ];
    for ((name, trace), (expected, bound)) in traces::all().into_iter().zip(pytorch) {
        assert_eq!(name, expected);
        for (kind, bound) in [(SegmentKind::Plain, bound), (SegmentKind::Paged, 0.03)] {
            let config = AllocatorConfig::default().with_segments(kind);
            let (_, allocator) = sim_allocator(139 << 30, config);
            let failed: usize = (0..3).map(|_| traces::play(&allocator, &trace).failed).sum();
            let stats = allocator.stats();
            let fragmentation = stats.peak_fragmentation();
            assert_eq!(failed, 0, "{name}");
            println!(
                "{name} {kind:?}: {fragmentation:.4}, {} calls, {} moved",
                stats.upstream_calls,
                format_bytes(stats.bytes_moved as usize)
            );
            assert!(fragmentation < bound, "{name}: {fragmentation}");
        }
    }
}

#[test]
fn a_block_freed_under_pressure_is_found_in_the_pool() {
    let (sim, allocator) = sim_allocator(64 * MIB, AllocatorConfig::default());
    let allocate = |bytes| allocator.allocate(bytes, StreamId(0), Provenance::TEMPORARY);
    drop(allocate(64 * MIB).unwrap());
    // One segment, two blocks. It can't go back while the lower is held: only the pool can help.
    let (lower, upper) = (allocate(MIB * 24).unwrap(), allocate(MIB * 40).unwrap());
    sim.submit(StreamId(1));
    allocator.record_stream(&upper, StreamId(1));
    let address = upper.address();
    drop(upper);
    assert_eq!(allocator.stats().now.active, 64 * MIB);
    assert_eq!(allocate(MIB * 30).unwrap().address(), address);
    assert_eq!((allocator.stats().retries, allocator.stats().out_of_memory), (1, 0));
    assert!(lower.address() < address);
}

#[test]
fn the_collector_runs_before_a_request_fails_and_observers_see_the_failure() {
    let (_, allocator) = sim_allocator(16 * MIB, AllocatorConfig::default());
    let hoard = Arc::new(Mutex::new(vec![
        allocator.allocate(10 * MIB, StreamId(0), Provenance::VARIABLE).unwrap(),
    ]));
    let seen = Arc::new(AtomicUsize::new(0));
    let (shelf, count) = (hoard.clone(), seen.clone());
    allocator.set_collector(move |_| !std::mem::take(&mut *shelf.lock().unwrap()).is_empty());
    allocator.observe_out_of_memory(move |error| {
        count.fetch_add(error.requested, Ordering::Relaxed);
    });
    let allocate = |bytes| allocator.allocate(bytes, StreamId(0), Provenance::VARIABLE);
    let held = allocate(12 * MIB).unwrap();
    assert!(hoard.lock().unwrap().is_empty());
    assert_eq!(seen.load(Ordering::Relaxed), 0);
    let error = allocate(8 * MIB).unwrap_err();
    assert_eq!((error.allocated, error.device_free), (12 * MIB, 4 * MIB));
    assert_eq!(seen.load(Ordering::Relaxed), 8 * MIB);
    drop(held);
}

#[test]
fn limits_hold_and_a_driver_error_is_told_in_its_own_words() {
    let (sim, allocator) = sim_allocator(64 * MIB, AllocatorConfig::default());
    let allocate = |bytes| allocator.allocate(bytes, StreamId(0), Provenance::VARIABLE);
    allocator.set_memory_fraction(0.5).unwrap();
    assert_eq!(allocate(33 * MIB).unwrap_err().limit, Some(32 * MIB));
    assert!(allocate(32 * MIB).is_ok());
    allocator.set_limit(None);
    assert!(allocate(64 * MIB).is_ok());
    for fraction in [0.0, -1.0, 1.5, f64::NAN] {
        assert!(allocator.set_memory_fraction(fraction).is_err());
    }
    allocator.empty_cache();
    sim.fail_next("the device is gone");
    let error = allocate(MIB).unwrap_err();
    assert_eq!(error.to_string(), "sim can't allocate 1 MiB: the device is gone");
}

#[test]
fn modes_that_an_upstream_lacks_are_refused() {
    let async_mode = AllocatorConfig::default().with_mode(Mode::Async);
    let error = Allocator::new(Box::new(HostUpstream::new()), async_mode.clone()).unwrap_err();
    assert_eq!(error, ConfigError::NoAsyncPool { device: "host".to_string() });
    let sim = SimUpstream::unbacked("sim", 64 * MIB).with_async_pool();
    let allocator = Allocator::new(Box::new(sim.clone()), async_mode).unwrap();
    let held = allocator.allocate(5 * MIB, StreamId(1), Provenance::TEMPORARY).unwrap();
    assert_eq!(sim.used(), 5 * MIB);
    drop(held);
    assert_eq!(sim.used(), 0);
}

#[test]
fn warm_up_spares_the_upstream() {
    let (sim, allocator) = sim_allocator(256 * MIB, AllocatorConfig::default());
    let reserved = allocator.warm_up(&[(4096, 50), (65_536, 20), (10 * MIB, 4)]).unwrap();
    assert_eq!(reserved, sim.used());
    let calls = sim.calls();
    let allocate = |bytes| allocator.allocate(bytes, StreamId(0), Provenance::VARIABLE).unwrap();
    let held: Vec<Allocation> =
        [4096; 50].into_iter().chain([65_536; 20]).chain([10 * MIB; 4]).map(allocate).collect();
    assert_eq!(sim.calls(), calls);
    drop(held);
    allocator.empty_cache();
    let off = AllocatorConfig { warmup_enabled: false, ..Default::default() };
    assert_eq!(sim_allocator(MIB, off).1.warm_up(&[(4096, 1)]), Ok(0));
}

#[test]
fn requests_filled_ahead_come_or_fail_where_they_are_awaited() {
    let (sim, allocator) = sim_allocator(64 * MIB, AllocatorConfig::default());
    let request = |bytes| allocator.allocate_async(bytes, StreamId(0), Provenance::WORKSPACE);
    let first = request(20 * MIB);
    assert_eq!(first.wait().unwrap().size_bytes(), 20 * MIB);
    let again = request(20 * MIB);
    assert!(again.is_ready(), "the pool has it");
    drop(again);
    assert_eq!(request(100 * MIB).wait().unwrap_err().requested, 100 * MIB);
    let unwanted = request(30 * MIB);
    drop(unwanted.wait().unwrap());
    drop(allocator);
    assert_eq!(sim.used(), 0, "the last handle gives everything back");
}

#[test]
fn blocks_know_their_statement_and_their_holders() {
    let (_, allocator) = sim_allocator(64 * MIB, AllocatorConfig::default());
    allocator.set_statement(StatementId(7), Arc::from("x = randn(1000)"));
    let x = allocator.allocate(4000, StreamId(0), Provenance::TEMPORARY.by("randn")).unwrap();
    allocator.set_statement(StatementId(8), Arc::from("y = x[1:]"));
    x.set_kind(BlockKind::Variable);
    let mut snapshot = allocator.snapshot();
    let view = x.address() + 4;
    snapshot.set_holders([(x.address(), "x".into()), (view, "y".into()), (3, "z".into())]);
    let block = snapshot.block_at(view).unwrap();
    assert_eq!((block.kind, block.operation), (BlockKind::Variable, "randn"));
    assert_eq!(snapshot.statement_text(block.statement), "x = randn(1000)");
    assert_eq!(block.names(), "x, y");
    assert_eq!(json(&snapshot)["segments"][0]["blocks"][0]["holders"][1], "y");
}

#[test]
fn switched_off_statistics_keep_the_bytes_and_drop_the_counts() {
    let off = AllocatorConfig { stats_enabled: false, ..Default::default() };
    let (sim, allocator) = sim_allocator(64 * MIB, off);
    drop(allocator.allocate(5 * MIB, StreamId(0), Provenance::TEMPORARY));
    let stats = allocator.stats();
    assert_eq!((stats.allocations, stats.frees, stats.misses), (0, 0, 0));
    assert_eq!((stats.now.reserved, stats.peak.allocated), (sim.used(), 5 * MIB));
}

#[test]
fn threads_share_an_allocator() {
    let (sim, allocator) = sim_allocator(1 << 30, AllocatorConfig::default());
    std::thread::scope(|scope| {
        for thread in 0..4usize {
            let allocator = allocator.clone();
            scope.spawn(move || {
                let stream = StreamId(thread as u32);
                let sizes = (1..400).map(|n| n * 997 * (thread + 1));
                let held: Vec<Allocation> = sizes
                    .map(|bytes| allocator.allocate(bytes, stream, Provenance::TEMPORARY).unwrap())
                    .collect();
                held.into_iter().rev().for_each(drop);
            });
        }
    });
    allocator.empty_cache();
    assert_eq!(sim.used(), 0);
}
