//! The allocator against random traces: after every step the blocks, the streams and the counters
//! are held against a model.

use std::collections::{HashMap, HashSet};

use genesis_repl::memory::*;
use proptest::prelude::*;

use super::{MIB, sim_allocator};

const STREAMS: u32 = 3;
const PAGE: u64 = 2 << 20;

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
        1 => prop::sample::select(vec![SegmentKind::Plain, SegmentKind::Paged, SegmentKind::Auto])
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
                // Every other allocation may move; what works on it is waited for.
                let movable: Vec<&Allocation> =
                    self.held.iter().map(|(held, _)| held).step_by(2).collect();
                let promised = self.allocator.rehearse_compaction(&movable);
                let done = self.allocator.compact(&movable);
                let after = self.allocator.stats();
                let is_as_said =
                    (done, after.largest_free) == (promised.0, promised.1.largest_free);
                assert!(self.has_refused() || is_as_said, "{done:?}, {promised:?}");
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
        segments in prop::sample::select(vec![SegmentKind::Plain, SegmentKind::Paged, SegmentKind::Auto]),
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
