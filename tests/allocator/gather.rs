//! Segments of the usual kind, whose pages are gathered when memory is short: what they cost until then,
//! what they are for, and what happens when the device refuses a call.

use std::collections::HashSet;

use genesis_repl::memory::*;

use super::pages::{ask, refuse_each_call};
use super::{MIB, sim_allocator};

fn usual(capacity: usize) -> (SimUpstream, Allocator) {
    sim_allocator(capacity, AllocatorConfig::default().with_history(1000))
}

/// A segment of 60 MiB, of which a block of 4 MiB is held, and four times 40 MiB that are held; of 2 GiB
/// 1,788 MiB are left to the device.
fn pinned() -> (SimUpstream, Allocator, Vec<Allocation>) {
    let (sim, allocator) = usual(2048 * MIB);
    let whole = ask(&allocator, 60).unwrap();
    let mut held: Vec<Allocation> = (0..4).map(|_| ask(&allocator, 40).unwrap()).collect();
    drop(whole);
    let first = ask(&allocator, 28).unwrap();
    held.push(ask(&allocator, 4).unwrap());
    drop(first);
    assert_eq!(sim.used(), 220 * MIB);
    (sim, allocator, held)
}

#[test]
fn until_memory_is_short_all_is_as_with_plain_segments() {
    let play = |segments| {
        let config = AllocatorConfig::default().with_segments(segments);
        let (sim, allocator) = sim_allocator(256 * MIB, config);
        let mut held = Vec::new();
        let mut used = Vec::new();
        for mib in [3, 20, 7, 50, 2, 9, 31] {
            held.push(ask(&allocator, mib).unwrap());
            if mib % 2 == 1 {
                held.remove(0);
            }
            used.push((sim.used(), allocator.stats().largest_free, allocator.stats().segments));
        }
        used
    };
    assert_eq!(play(SegmentKind::Auto), play(SegmentKind::Plain));
    let (sim, allocator) = usual(2048 * MIB);
    let held = ask(&allocator, 8).unwrap();
    // Addresses, a piece, its mapping and the access to it.
    assert_eq!((sim.calls().pagings, sim.calls().allocations), (4, 0));
    drop(held);
    let calls = sim.calls();
    assert!(ask(&allocator, 8).is_ok());
    assert_eq!(sim.calls(), calls, "a warm pair asks nobody");
}

#[test]
fn what_a_block_pins_serves_a_request_and_the_block_stays_where_it_is() {
    let (sim, allocator, held) = pinned();
    let places: Vec<u64> = held.iter().map(Allocation::address).collect();
    let largest = ask(&allocator, 1884).unwrap();
    assert_eq!(held.iter().map(Allocation::address).collect::<Vec<_>>(), places);
    let stats = allocator.stats();
    // The pages of the block of 4 MiB are copied, and its neighbours are gone.
    assert_eq!((stats.bytes_moved, stats.now.reserved), (4 << 20, sim.used()));
    assert_eq!(sim.pieces_behind(places[4], 4 * MIB).len(), 1);
    drop((largest, held));
    allocator.empty_cache();
    assert_eq!((sim.used(), allocator.stats().now), (0, Levels::default()));
}

#[test]
fn a_limit_is_kept_and_what_does_not_fit_is_refused() {
    let (sim, allocator, held) = pinned();
    assert!(ask(&allocator, 1886).is_err());
    allocator.set_limit(Some(300 * MIB));
    assert!(ask(&allocator, 137).is_err());
    let most = ask(&allocator, 136).unwrap();
    assert!(sim.used() <= 300 * MIB);
    drop((most, held));
}

#[test]
fn a_rehearsal_answers_as_gathering_does() {
    let (sim, allocator, held) = pinned();
    let before = (allocator.stats(), sim.used(), sim.calls());
    assert!(ask(&allocator.rehearsal(), 1884).is_ok());
    assert!(ask(&allocator.rehearsal(), 1886).is_err());
    let gone = held[..1].iter().map(Allocation::address).collect();
    assert!(ask(&allocator.rehearsal_without(&gone, 0, &HashSet::new()), 1924).is_ok());
    assert_eq!((allocator.stats(), sim.used(), sim.calls()), before);
}

#[test]
fn work_under_way_is_waited_for_before_pages_change_places() {
    let (sim, allocator, held) = pinned();
    sim.submit(StreamId(0));
    sim.submit(StreamId(7));
    assert!(ask(&allocator, 1884).is_ok());
    assert!(sim.is_stream_idle(StreamId(0)) && sim.is_stream_idle(StreamId(7)));
    drop(held);
}

#[test]
fn a_refused_call_leaves_everything_consistent() {
    let calls = refuse_each_call(pinned, 1884, 2);
    assert!(calls > 10, "pages were made, mapped, unmapped and allowed: {calls}");
}
