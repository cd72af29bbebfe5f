//! The allocator against random traces: after every step the blocks, the streams and the counters
//! are held against a model. Then the contract that every upstream runs through, the steps of the
//! retry order, and the five traces by which allocators are compared.

#[path = "../benches/traces/mod.rs"]
mod traces;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use genesis_repl::memory::*;
use proptest::prelude::*;

const MIB: usize = 1 << 20;
const STREAMS: u32 = 3;
const PAGE: u64 = 2 << 20;

fn sim_allocator(capacity: usize, config: AllocatorConfig) -> (SimUpstream, Allocator) {
    let sim = SimUpstream::unbacked("sim", capacity);
    let allocator = Allocator::new(Box::new(sim.clone()), config).unwrap();
    (sim, allocator)
}

#[derive(Debug, Clone)]
enum Step {
    Allocate { bytes: usize, stream: u32 },
    Batch { sizes: Vec<usize>, stream: u32 },
    Free { pick: usize },
    Use { pick: usize, stream: u32 },
    Submit { stream: u32 },
    Advance { stream: u32, units: u64 },
    Coalesce,
    Trim { bytes: usize },
    EmptyCache,
    Mode { mode: Mode },
    CacheSize { blocks: usize },
    SegmentSize { bytes: usize },
    Segments { kind: SegmentKind },
    Compact,
    Refuse { calls: u64 },
}

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![
        3 => 0..5_000usize,
        2 => 0..2 * MIB,
        2 => MIB..20 * MIB,
        1 => prop::sample::select(vec![512, 513, 4096, MIB - 1, MIB, MIB + 1, 2 * MIB, 90 * MIB]),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let stream = 0..STREAMS;
    prop_oneof![
        10 => (size(), stream.clone()).prop_map(|(bytes, stream)| Step::Allocate { bytes, stream }),
        1 => (prop::collection::vec(size(), 0..5), stream.clone())
            .prop_map(|(sizes, stream)| Step::Batch { sizes, stream }),
        9 => any::<usize>().prop_map(|pick| Step::Free { pick }),
        3 => (any::<usize>(), stream.clone()).prop_map(|(pick, stream)| Step::Use { pick, stream }),
        4 => stream.clone().prop_map(|stream| Step::Submit { stream }),
        3 => (stream, 1..4u64).prop_map(|(stream, units)| Step::Advance { stream, units }),
        1 => Just(Step::Coalesce),
        1 => (0..40 * MIB).prop_map(|bytes| Step::Trim { bytes }),
        1 => Just(Step::EmptyCache),
        1 => prop::sample::select(vec![Mode::Caching, Mode::Caching, Mode::Direct])
            .prop_map(|mode| Step::Mode { mode }),
        1 => prop::sample::select(vec![0, 1, 5, 1000])
            .prop_map(|blocks| Step::CacheSize { blocks }),
        1 => prop::sample::select(vec![0, 4 * MIB, 32 * MIB])
            .prop_map(|bytes| Step::SegmentSize { bytes }),
        1 => prop::sample::select(vec![SegmentKind::Plain, SegmentKind::Paged, SegmentKind::Paged])
            .prop_map(|kind| Step::Segments { kind }),
        1 => Just(Step::Compact),
        1 => (0..12u64).prop_map(|calls| Step::Refuse { calls }),
    ]
}

/// Bytes that work on a stream may still touch, until the stream has done `until` units.
struct Busy {
    address: u64,
    bytes: usize,
    /// What lay behind the addresses, if that is pages.
    pieces: Vec<(u64, Piece)>,
    stream: StreamId,
    until: u64,
}

struct Model {
    sim: SimUpstream,
    allocator: Allocator,
    held: Vec<(Allocation, Vec<StreamId>)>,
    busy: Vec<Busy>,
    /// Whether the device was about to refuse a call before this step.
    will_refuse: bool,
}

impl Model {
    fn run(&mut self, step: Step) {
        self.will_refuse = self.sim.will_refuse_paging();
        let kind = Provenance::TEMPORARY;
        match step {
            Step::Allocate { bytes, stream } => {
                let got = self.allocator.allocate(bytes, StreamId(stream), kind);
                match got {
                    Ok(allocation) => self.take(allocation, bytes),
                    Err(error) => self.check_error(&error, bytes),
                }
            }
            Step::Batch { sizes, stream } => {
                let before = self.allocator.stats().live_blocks;
                match self.allocator.allocate_batch(&sizes, StreamId(stream), kind) {
                    Ok(batch) => {
                        assert_eq!(batch.len(), sizes.len());
                        for (allocation, bytes) in batch.into_iter().zip(sizes) {
                            self.take(allocation, bytes);
                        }
                    }
                    Err(_) => assert_eq!(self.allocator.stats().live_blocks, before),
                }
            }
            Step::Free { pick } if !self.held.is_empty() => {
                let (allocation, mut streams) = self.held.swap_remove(pick % self.held.len());
                streams.push(allocation.stream());
                for stream in streams {
                    let (address, bytes) = (allocation.address(), allocation.size_bytes());
                    let until = self.sim.progress(stream).0;
                    let pieces = self.sim.pieces_behind(address, bytes);
                    self.busy.push(Busy { address, bytes, pieces, stream, until });
                }
            }
            Step::Use { pick, stream } if !self.held.is_empty() => {
                let at = pick % self.held.len();
                self.allocator.record_stream(&self.held[at].0, StreamId(stream));
                self.held[at].1.push(StreamId(stream));
            }
            Step::Free { .. } | Step::Use { .. } => {}
            Step::Submit { stream } => self.sim.submit(StreamId(stream)),
            Step::Advance { stream, units } => self.sim.advance(StreamId(stream), units),
            Step::Coalesce => {
                self.allocator.coalesce();
                let snapshot = self.allocator.snapshot();
                assert!(snapshot.blocks().all(|block| block.state != BlockState::Cached));
            }
            Step::Trim { bytes } => {
                let before = self.sim.used();
                assert_eq!(self.allocator.trim(bytes), before - self.sim.used());
            }
            Step::EmptyCache => {
                self.allocator.empty_cache();
                for segment in self.allocator.snapshot().segments {
                    let has_live =
                        segment.blocks.iter().any(|block| block.state == BlockState::Live);
                    assert!(self.has_refused() || has_live);
                }
            }
            Step::Mode { mode } => self.allocator.set_mode(mode).unwrap(),
            Step::CacheSize { blocks } => {
                self.allocator.set_cache_size(blocks);
                let snapshot = self.allocator.snapshot();
                assert!(snapshot.blocks().all(|block| block.state != BlockState::Cached));
            }
            Step::SegmentSize { bytes } => self.allocator.set_segment_size(bytes),
            Step::Segments { kind } => self.allocator.set_segments(kind),
            Step::Compact => {
                let before = self.allocator.stats();
                self.allocator.compact();
                let after = self.allocator.stats();
                assert!(self.has_refused() || after.largest_free >= before.largest_free);
                assert!(after.now.allocated == before.now.allocated);
                assert!(after.now.reserved <= before.now.reserved);
            }
            Step::Refuse { calls } => self.sim.refuse_paging_after(calls),
        }
    }

    /// Nobody may get memory that work on another stream may still touch.
    fn take(&mut self, allocation: Allocation, bytes: usize) {
        assert_eq!(allocation.size_bytes(), bytes);
        assert_eq!(allocation.address() % ALIGNMENT as u64, 0);
        self.busy.retain(|busy| self.sim.progress(busy.stream).1 < busy.until);
        let end = |address: u64, bytes: usize| address + bytes as u64;
        for busy in &self.busy {
            let is_apart = end(busy.address, busy.bytes) <= allocation.address()
                || end(allocation.address(), bytes) <= busy.address;
            assert!(
                is_apart || busy.stream == allocation.stream() || bytes == 0,
                "{allocation:?} on {:?} is still used on {:?}",
                allocation.stream(),
                busy.stream
            );
        }
        self.held.push((allocation, Vec::new()));
    }

    /// Whether the device refused a call during this step that it could have obeyed.
    fn has_refused(&self) -> bool {
        self.will_refuse && !self.sim.will_refuse_paging()
    }

    /// A request fails only when nothing that is free would have served it.
    fn check_error(&self, error: &OutOfMemory, bytes: usize) {
        assert_eq!(error.requested, bytes);
        assert!(error.largest_free < bytes, "{error}");
        assert_eq!(error.pending, 0, "every event was waited for");
        assert!(
            self.has_refused() || error.device_free < bytes.next_multiple_of(2 * MIB),
            "{error}"
        );
    }

    /// Memory that work may still touch lies where it lay.
    fn check_pages(&self) {
        let is_at_work = |busy: &&Busy| self.sim.progress(busy.stream).1 < busy.until;
        for busy in self.busy.iter().filter(is_at_work) {
            let behind = self.sim.pieces_behind(busy.address, busy.bytes);
            assert_eq!(behind, busy.pieces, "pages moved under work");
        }
    }

    /// Tiling, overlap, merging, and a recount of every counter.
    fn check(&self) {
        let mut snapshot = self.allocator.snapshot();
        snapshot.segments.sort_by_key(|segment| segment.address);
        let stats = snapshot.stats;
        let mut live = HashMap::new();
        let (mut allocated, mut requested, mut active, mut cached, mut reserved) = (0, 0, 0, 0, 0);
        let mut past = 0;
        let (mut largest, mut end_of_last) = (0, 0);
        for segment in &snapshot.segments {
            assert!(segment.address >= end_of_last, "segments overlap");
            let mut next = segment.address;
            for block in &segment.blocks {
                assert_eq!(block.address, next, "a hole or an overlap inside a segment");
                assert!(block.bytes > 0 && block.bytes.is_multiple_of(ALIGNMENT));
                next += block.bytes as u64;
                match block.state {
                    BlockState::Live => {
                        live.insert(block.address, block.requested);
                        allocated += block.bytes;
                        requested += block.requested;
                        active += block.bytes;
                    }
                    BlockState::Past => past += block.bytes,
                    BlockState::Pending => active += block.bytes,
                    BlockState::Cached => cached += block.bytes,
                    BlockState::Free => largest = largest.max(block.bytes),
                    BlockState::Unbacked => panic!("a block without memory in a segment"),
                }
            }
            for pair in segment.blocks.windows(2) {
                let are_free = pair.iter().all(|block| block.state == BlockState::Free);
                assert!(!are_free || pair[0].stream != pair[1].stream, "neighbours not merged");
            }
            end_of_last = segment.address + segment.bytes as u64;
            assert_eq!(next, end_of_last, "blocks do not tile their segment");
            reserved += segment.bytes;
        }
        let held = self.held.iter().map(|(held, _)| (held.address(), held.size_bytes()));
        let held: HashMap<u64, usize> = held.filter(|(_, bytes)| *bytes > 0).collect();
        assert_eq!((&live, past), (&held, snapshot.stats.past));
        let recount = Levels { requested, allocated, active, reserved };
        assert_eq!(stats.now, recount);
        assert_eq!((stats.cached, stats.largest_free), (cached, largest));
        assert_eq!((stats.segments, stats.live_blocks), (snapshot.segments.len(), held.len()));
        assert_eq!(self.sim.used(), reserved);
        assert!(stats.peak.allocated >= allocated && stats.peak.reserved >= reserved);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_traces_keep_every_invariant(
        steps in prop::collection::vec(step(), 1..120),
        cache_size in prop::sample::select(vec![0, 3, 1000]),
        segment_size in prop::sample::select(vec![0, 16 * MIB]),
        segments in prop::sample::select(vec![SegmentKind::Plain, SegmentKind::Paged]),
    ) {
        let config = AllocatorConfig { cache_size, segment_size, segments, history_len: 64, ..Default::default() };
        let (sim, allocator) = sim_allocator(96 * MIB, config);
        let mut model = Model { sim, allocator, held: Vec::new(), busy: Vec::new(), will_refuse: false };
        for step in steps {
            model.run(step);
            model.check();
            model.check_pages();
            replay_backwards(&model.allocator.snapshot());
        }
        model.held.clear();
        model.check();
        model.allocator.empty_cache();
        // A call may have been refused then.
        model.allocator.empty_cache();
        prop_assert_eq!(model.sim.used(), 0);
        prop_assert_eq!(model.allocator.stats().now, Levels::default());
    }
}

/// What a viewer does with a snapshot: it undoes the events one by one, the last first, and every
/// block must lie in a segment at every moment.
fn replay_backwards(snapshot: &Snapshot) {
    let (paged, plain): (Vec<_>, Vec<_>) =
        snapshot.segments.iter().partition(|segment| segment.is_paged);
    let mut segments: HashMap<u64, usize> =
        plain.into_iter().map(|segment| (segment.address, segment.bytes)).collect();
    let pages_of = |address: u64, bytes: usize| {
        assert!(address.is_multiple_of(PAGE) && (bytes as u64).is_multiple_of(PAGE));
        (address..address + bytes as u64).step_by(PAGE as usize)
    };
    let mut pages: HashSet<u64> =
        paged.into_iter().flat_map(|segment| pages_of(segment.address, segment.bytes)).collect();
    let active = snapshot.blocks().filter(|block| block.is_active());
    let mut blocks: HashMap<u64, BlockState> =
        active.map(|block| (block.address, block.state)).collect();
    for event in snapshot.history.iter().rev() {
        match event.action {
            Action::Allocate => assert_eq!(blocks.remove(&event.address), Some(BlockState::Live)),
            Action::FreeCompleted => {
                assert_eq!(blocks.insert(event.address, BlockState::Pending), None);
            }
            Action::FreeRequested => {
                let was = blocks.insert(event.address, BlockState::Live);
                assert_eq!(was, Some(BlockState::Pending));
            }
            Action::SegmentAllocate => {
                assert_eq!(segments.remove(&event.address), Some(event.bytes));
            }
            Action::SegmentFree => {
                assert_eq!(segments.insert(event.address, event.bytes), None);
            }
            Action::SegmentMap => {
                assert!(pages_of(event.address, event.bytes).all(|page| pages.remove(&page)));
            }
            Action::SegmentUnmap => {
                assert!(pages_of(event.address, event.bytes).all(|page| pages.insert(page)));
            }
            Action::OutOfMemory => {}
        }
        for address in blocks.keys() {
            let is_in =
                |(start, bytes): (&u64, &usize)| (*start..start + *bytes as u64).contains(address);
            let is_paged = pages.contains(&(address / PAGE * PAGE));
            assert!(is_paged || segments.iter().any(is_in), "a block outside every segment");
        }
    }
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
    snapshot.set_holders([
        (x.address(), "x".to_string()),
        (view, "y".to_string()),
        (3, "z".into()),
    ]);
    let block = snapshot.block_at(view).unwrap();
    assert_eq!((block.kind, block.operation), (BlockKind::Variable, "randn"));
    assert_eq!(snapshot.statement_text(block.statement), "x = randn(1000)");
    assert_eq!(block.holders, ["x", "y"]);
    assert_eq!(snapshot.to_json()["segments"][0]["blocks"][0]["holders"][1], "y");
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
