//! What to do when memory has run out: which variables are the largest, and what `del` would free.

use super::Session;
use super::commands::is_result;
use super::memory_view::Share;
use crate::device::Device;
use crate::diag::{Diagnostic, ErrorKind};
use crate::report::human_bytes;

/// Storages that are named.
const NAMED: usize = 3;

/// A storage and all that hold it.
struct Held {
    bytes: u64,
    /// What `del` takes to free it.
    units: Vec<String>,
    /// Whether a result of an earlier input holds it, too: then no `del` frees it.
    is_result: bool,
}

impl Session {
    /// The error, with a hint if memory ran out and what variables hold would have been enough.
    pub(super) fn with_remedy(&mut self, mut error: Box<Diagnostic>) -> Box<Diagnostic> {
        if error.kind == ErrorKind::Memory
            && let Some(device) = self.newly_short_device()
        {
            let stats = device.allocator().stats();
            // What is live now outlived the statement; without all of it there must be enough.
            if stats.shortfall > stats.now.allocated {
                return error;
            }
            let held = held(&self.shares(&device));
            error.hints.extend(remedies(&held, device.allocator().mem_info().total as u64));
        }
        error
    }

    /// The device that ran out of memory since this was asked last.
    fn newly_short_device(&mut self) -> Option<Device> {
        let now = self.shortages();
        let before = std::mem::replace(&mut self.desk.shortages, now);
        self.short_device(&before)
    }
}

/// What would free the most. Storages that are small beside the device's memory would not help.
fn remedies(held: &[Held], total: u64) -> Vec<String> {
    let worth = || held.iter().filter(|held| held.bytes >= total / 1024).take(NAMED);
    let mut hints: Vec<String> = Vec::new();
    for held in worth().filter(|held| !held.is_result) {
        let (names, bytes) = (held.units.join(", "), human_bytes(held.bytes));
        match hints.last_mut() {
            None => hints.push(format!("`del {names}` would free {bytes}")),
            Some(hint) => *hint += &format!(", `del {names}` {bytes}"),
        }
    }
    let results: u64 = worth().filter(|held| held.is_result).map(|held| held.bytes).sum();
    if results > 0 {
        hints.push(format!(
            "results of earlier inputs keep {}: `:set outputs 0` keeps only the last",
            human_bytes(results)
        ));
    }
    hints
}

/// The storages, the largest first, as `shares` are.
fn held(shares: &[Share]) -> Vec<Held> {
    let mut all: Vec<(u64, Held)> = Vec::new();
    for share in shares.iter().filter(|share| share.bytes > 0) {
        let variable = share.holder.name.split('[').next().unwrap_or_default();
        let result = is_result(variable);
        let unit = share.holder.unit.clone();
        match all.iter_mut().find(|(address, _)| *address == share.address) {
            Some((_, held)) => {
                held.is_result |= result;
                if !held.units.contains(&unit) {
                    // What comes later in a list is deleted first, and moves nothing before it.
                    held.units.insert(0, unit);
                }
            }
            None => {
                let (bytes, units) = (share.storage_bytes, vec![unit]);
                all.push((share.address, Held { bytes, units, is_result: result }));
            }
        }
    }
    all.into_iter().map(|(_, held)| held).collect()
}
