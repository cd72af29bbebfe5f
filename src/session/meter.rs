//! The memory of a device for whoever watches it, also from a thread beside the session's.

use std::collections::HashMap;

use super::Session;
use super::commands::is_result;
use super::memory_view::{brief, device_label};
use crate::memory::Allocator;
use crate::report::Holding;

/// Columns of the names that share a storage.
const NAMES: usize = 32;

/// Stands before what shows only a part of the memory that it holds.
const PART: &str = "a part: ";

/// Reads the levels of one device's memory, from any thread and while a statement runs. It takes
/// the allocator's lock for as long as copying its counters takes.
#[derive(Debug, Clone)]
pub struct Meter {
    /// What the device is called.
    pub device: String,
    allocator: Allocator,
}

/// The memory of a device at one moment, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    pub live: u64,
    pub reserved: u64,
    pub peak: u64,
}

impl Meter {
    pub fn read(&self) -> Reading {
        let stats = self.allocator.stats();
        Reading {
            live: stats.now.allocated as u64,
            reserved: stats.now.reserved as u64,
            peak: stats.peak.allocated as u64,
        }
    }
}

impl Session {
    /// A meter of the current device.
    pub fn meter(&self) -> Meter {
        let device = self.engine().device();
        Meter { device: device_label(&device), allocator: device.allocator().clone() }
    }

    /// The variables behind the largest storages of the current device, the largest first; and of
    /// the other storages, how many there are and their bytes.
    pub fn largest(&self, count: usize) -> (Vec<Holding>, (usize, u64)) {
        let device = self.engine().device();
        let mut places: HashMap<u64, usize> = HashMap::new();
        let mut all: Vec<(Vec<String>, Holding)> = Vec::new();
        for holder in self.holders() {
            let Some((storage, _)) = holder.tensor.storage_and_layout() else { continue };
            if holder.tensor.device() != &device || storage.size_bytes() == 0 {
                continue;
            }
            let is_part = holder.tensor.size_bytes() < storage.size_bytes();
            let place = *places.entry(storage.address()).or_insert_with(|| {
                let bytes = storage.size_bytes() as u64;
                let (names, what) = Default::default();
                all.push((Vec::new(), Holding { names, what, bytes }));
                all.len() - 1
            });
            // What holds all of it says best what it is.
            let what = &mut all[place].1.what;
            if what.is_empty() || (!is_part && what.starts_with(PART)) {
                let prefix = if is_part { PART } else { "" };
                *what = format!("{prefix}{} {}", holder.tensor.dtype(), holder.tensor.shape());
            }
            all[place].0.push(holder.name.to_string());
        }
        // Stable, so that equals stay in the order of their names.
        all.sort_by_key(|(_, holding)| std::cmp::Reverse(holding.bytes));
        let others = all.split_off(count.min(all.len()));
        let others = (others.len(), others.iter().map(|(_, holding)| holding.bytes).sum());
        let named = all.into_iter().map(|(mut names, holding)| {
            // Names that the user gave stand before those of results.
            names.sort_by_key(|name| is_result(name.split('[').next().unwrap_or_default()));
            Holding { names: brief(&names.join(", "), NAMES), ..holding }
        });
        (named.collect(), others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Config, Nobody};

    #[test]
    fn another_thread_reads_what_a_statement_left() {
        let config = Config::default().with_device("cpu").unwrap();
        let mut session = Session::new(config).unwrap();
        let meter = session.meter();
        let before = meter.read();
        session
            .run("x = zeros(1000, 1000); a = x[1:]; b = ones(10); z = [b[:4]]; del b", &mut Nobody);
        session.run("x", &mut Nobody);
        let after = std::thread::spawn(move || meter.read()).join().unwrap();
        assert!(after.live >= before.live + 4_000_000, "{before:?} {after:?}");
        let (held, others) = session.largest(5);
        assert_eq!(others, (0, 0));
        let held: Vec<_> = held.iter().map(|h| (&*h.names, &*h.what, h.bytes)).collect();
        let large = ("a, x, _, _2", "float32 (1000, 1000)", 4_000_000);
        assert_eq!(held, [large, ("z[0]", "a part: float32 (4,)", 40)]);
        let (held, others) = session.largest(1);
        assert_eq!((held.len(), others), (1, (1, 40)));
    }
}
