//! What a rehearsal says of several blocks that work needs at once, against the work itself.

use std::collections::HashSet;

use genesis_repl::memory::*;

use super::dice::Dice;
use super::{MIB, sim_allocator};

fn ask(allocator: &Allocator, bytes: usize) -> Result<Allocation, OutOfMemory> {
    allocator.allocate(bytes, StreamId::DEFAULT, Provenance::WORKSPACE)
}

/// Blocks of 24 MiB in random places, some of which may move, and some that may not.
fn filled(dice: &mut Dice) -> (Allocator, Vec<Allocation>, Vec<Allocation>) {
    let (_, allocator) = sim_allocator(24 * MIB, AllocatorConfig::default());
    let mut held: [Vec<Allocation>; 2] = Default::default();
    for _ in 0..40 {
        let kind = usize::from(dice.below(4) == 0);
        if dice.one(&["take", "take", "free"]) == "free" && !held[kind].is_empty() {
            let gone = dice.below(held[kind].len());
            drop(held[kind].swap_remove(gone));
        } else if let Ok(made) = ask(&allocator, (dice.below(40) + 3) * MIB / 10) {
            held[kind].push(made);
        }
    }
    let [movable, fixed] = held;
    (allocator, movable, fixed)
}

/// As the engine does it: all goes back where one is refused, and what may move is moved together.
fn take(allocator: &Allocator, sizes: &[usize], movable: &[&Allocation]) -> bool {
    loop {
        let mut held = Vec::new();
        let refused = sizes.iter().find(|bytes| match ask(allocator, **bytes) {
            Ok(made) => {
                held.push(made);
                false
            }
            Err(_) => true,
        });
        let Some(bytes) = refused else { return true };
        drop(held);
        if allocator.compact_for(*bytes, StreamId::DEFAULT, movable).is_none() {
            return false;
        }
    }
}

#[test]
fn a_rehearsal_of_several_blocks_comes_true() {
    // How often it was granted, refused, and granted where blocks one by one, between which others move, would have
    // been told the other way.
    let (mut granted, mut refused, mut told_apart) = (0, 0, 0);
    for seed in 0..600 {
        let dice = &mut Dice(seed);
        dice.below(2);
        let (allocator, movable, fixed) = filled(dice);
        let size = (dice.below(40) + 3) * MIB / 10;
        let sizes = [size, size, (dice.below(20) + 3) * MIB / 10];
        let sizes = &sizes[..2 + dice.below(2)];
        let places: HashSet<u64> = movable.iter().map(Allocation::address).collect();
        let rehearsal = || allocator.rehearsal_without(&HashSet::new(), 0, &places);
        let told = rehearsal().rehearse_together(sizes, StreamId::DEFAULT, Provenance::WORKSPACE);
        let beside = rehearsal();
        let one_by_one: Result<Vec<Allocation>, OutOfMemory> =
            sizes.iter().map(|bytes| ask(&beside, *bytes)).collect();
        let movable: Vec<&Allocation> = movable.iter().collect();
        let is_taken = take(&allocator, sizes, &movable);
        assert_eq!(told.is_ok(), is_taken, "seed {seed}: {sizes:?}, {told:?}");
        *(if is_taken { &mut granted } else { &mut refused }) += 1;
        told_apart += usize::from(one_by_one.is_ok() != is_taken);
        drop(fixed);
    }
    assert!(granted > 50 && refused > 50 && told_apart > 0, "{granted} {refused} {told_apart}");
}
