//! Paged segments: what they are for, and what happens when the device refuses a call.

use std::collections::HashSet;

use genesis_repl::memory::*;

use super::{MIB, json, sim_allocator};

fn paged(capacity: usize) -> (SimUpstream, Allocator) {
    let config = AllocatorConfig::default().with_segments(SegmentKind::Paged);
    sim_allocator(capacity, config.with_history(1000))
}

pub fn ask(allocator: &Allocator, mib: usize) -> Result<Allocation, OutOfMemory> {
    allocator.allocate(mib * MIB, StreamId(0), Provenance::VARIABLE)
}

/// `count` blocks of `mib` MiB, every other of which is let go of.
fn holes(allocator: &Allocator, mib: usize, count: usize) -> Vec<Allocation> {
    let all: Vec<Allocation> = (0..count).map(|_| ask(allocator, mib).unwrap()).collect();
    all.into_iter().enumerate().filter(|(at, _)| at % 2 == 0).map(|(_, it)| it).collect()
}

#[test]
fn free_pages_of_several_places_serve_one_request() {
    let (sim, allocator) = paged(64 * MIB);
    let held = holes(&allocator, 4, 16);
    assert_eq!(sim.used(), 64 * MIB);
    let addresses: Vec<u64> = held.iter().map(Allocation::address).collect();
    let large = ask(&allocator, 32).unwrap();
    assert_eq!((sim.used(), allocator.stats().bytes_moved), (64 * MIB, 32 << 20));
    assert_eq!(held.iter().map(Allocation::address).collect::<Vec<_>>(), addresses);
    assert!(ask(&allocator, 2).is_err());
    drop(large);
    // It stays as it is for the next one.
    let calls = sim.calls();
    assert!(ask(&allocator, 32).is_ok());
    assert_eq!(sim.calls(), calls);
    let plain = AllocatorConfig::default().with_segments(SegmentKind::Plain);
    let (_, plain) = sim_allocator(64 * MIB, plain);
    drop(ask(&plain, 64));
    let held = holes(&plain, 4, 16);
    assert!(ask(&plain, 32).is_err());
    drop(held);
}

#[test]
fn segments_grow_where_they_are_and_shrink() {
    let (sim, allocator) = paged(256 * MIB);
    let first = ask(&allocator, 20).unwrap();
    let address = first.address();
    drop(first);
    let grown = ask(&allocator, 30).unwrap();
    let stats = allocator.stats();
    assert_eq!((grown.address(), sim.used(), stats.segments), (address, 30 * MIB, 1));
    assert_eq!(stats.bytes_moved, 0);
    let kept = ask(&allocator, 2).unwrap();
    drop(grown);
    assert_eq!(allocator.trim(usize::MAX), 30 * MIB);
    let snapshot = allocator.snapshot();
    let [segment] = snapshot.segments.as_slice() else { panic!("one segment is left") };
    assert_eq!((segment.address, segment.bytes), (kept.address(), 2 * MIB));
    assert!(segment.is_paged && json(&snapshot)["segments"][0]["paged"] == true);
}

#[test]
fn work_under_way_is_waited_for_before_pages_move() {
    let (sim, allocator) = paged(32 * MIB);
    sim.submit(StreamId(0));
    let held = holes(&allocator, 4, 8);
    assert!(!sim.is_stream_idle(StreamId(0)));
    assert!(ask(&allocator, 16).is_ok());
    assert!(sim.is_stream_idle(StreamId(0)));
    drop(held);
}

#[test]
fn compaction_makes_one_piece_of_what_is_free() {
    let (sim, allocator) = paged(64 * MIB);
    let held = holes(&allocator, 4, 16);
    assert_eq!(allocator.stats().largest_free, 4 * MIB);
    assert!(allocator.compact(&[]).pages >= 28 * MIB);
    assert_eq!((allocator.stats().largest_free, sim.used()), (32 * MIB, 64 * MIB));
    assert_eq!(allocator.compact(&[]).pages, 0, "it is one piece already");
    drop(held);
    let plain = AllocatorConfig::default().with_segments(SegmentKind::Plain);
    let (_, plain) = sim_allocator(64 * MIB, plain);
    assert_eq!(plain.compact(&[]).pages, 0);
}

/// Each call that a request of so many MiB needs is refused once: it may fail or be served in another way,
/// and afterwards all is as the counters say, and the same request is served. How many calls there were.
pub fn refuse_each_call(
    make: impl Fn() -> (SimUpstream, Allocator, Vec<Allocation>),
    mib: usize,
    emptied: usize,
) -> u64 {
    for calls in 0.. {
        let (sim, allocator, held) = make();
        sim.refuse_paging_after(calls);
        let large = ask(&allocator, mib);
        let is_over = sim.will_refuse_paging();
        sim.refuse_paging_after(u64::MAX);
        let snapshot = allocator.snapshot();
        let backed: usize = snapshot.segments.iter().map(|segment| segment.bytes).sum();
        assert_eq!((backed, snapshot.stats.now.reserved), (sim.used(), sim.used()), "{calls}");
        assert_eq!(snapshot.stats.segments, snapshot.segments.len());
        let live: usize = held.iter().chain(&large).map(Allocation::size_bytes).sum();
        assert_eq!(snapshot.stats.now.allocated, live);
        for block in snapshot.blocks() {
            assert!(!sim.pieces_behind(block.address, block.bytes).is_empty(), "{calls}");
        }
        drop(large);
        assert!(ask(&allocator, mib).is_ok(), "refused after {calls} calls");
        drop(held);
        (0..emptied).for_each(|_| _ = allocator.empty_cache());
        assert_eq!((sim.used(), allocator.stats().now), (0, Levels::default()), "{calls}");
        if is_over {
            return calls;
        }
    }
    unreachable!("a request needs a finite number of calls")
}

#[test]
fn a_refused_call_leaves_everything_consistent() {
    let make = || {
        let (sim, allocator) = paged(68 * MIB);
        let held = holes(&allocator, 4, 16);
        (sim, allocator, held)
    };
    let calls = refuse_each_call(make, 36, 1);
    assert!(calls > 30, "pages were unmapped, made, mapped and allowed: {calls}");
}

#[test]
fn a_rehearsal_answers_as_pages_do() {
    let (sim, allocator) = paged(64 * MIB);
    let held = holes(&allocator, 4, 16);
    let before = (allocator.stats(), sim.used(), sim.calls());
    assert!(ask(&allocator.rehearsal(), 32).is_ok());
    assert!(ask(&allocator.rehearsal(), 34).is_err());
    let gone = held[..1].iter().map(Allocation::address).collect();
    assert!(ask(&allocator.rehearsal_without(&gone, 0, &HashSet::new()), 36).is_ok());
    assert_eq!((allocator.stats(), sim.used(), sim.calls()), before);
}

#[test]
fn another_kind_can_be_chosen_at_any_time() {
    let (sim, allocator) = paged(64 * MIB);
    let pages = ask(&allocator, 10).unwrap();
    allocator.set_segments(SegmentKind::Plain);
    let plain = ask(&allocator, 10).unwrap();
    allocator.set_segments(SegmentKind::Paged);
    let again = ask(&allocator, 10).unwrap();
    let kinds: Vec<bool> = allocator.snapshot().segments.iter().map(|it| it.is_paged).collect();
    assert_eq!(kinds, [true, false]);
    drop((pages, plain, again));
    assert_eq!(allocator.empty_cache(), 30 * MIB);
    assert_eq!(sim.used(), 0);
    // What can't be paged is had plain.
    sim.fail_next("no such call");
    assert!(ask(&allocator, 10).is_ok() && allocator.snapshot().segments.len() == 1);
    allocator.set_limit(Some(8 * MIB));
    allocator.empty_cache();
    assert!(ask(&allocator, 10).is_err() && ask(&allocator, 8).is_ok());
}
