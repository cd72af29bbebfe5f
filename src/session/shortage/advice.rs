//! Advice that is tried before it is given: the statement is rehearsed on a copy of the memory in which what
//! would be deleted is gone.

use std::cell::Cell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::{Refused, search};
use crate::device::{Device, Interrupt};
use crate::interp::Rehearsed;
use crate::memory::{Allocator, Provenance, StreamId};
use crate::report::human_bytes;
use crate::session::Session;
use crate::session::memory_view::Share;

/// So many ways to make room are named.
const NAMED: usize = 3;

/// How long a search may take: an error is waited for.
const PATIENCE: Duration = Duration::from_millis(300);

/// What `del` takes, and the variable that it is in.
struct Unit {
    text: String,
    variable: String,
}

/// A storage, and the units that hold it, by their positions.
struct Kept {
    address: u64,
    bytes: u64,
    units: Vec<usize>,
}

/// What could be deleted.
#[derive(Default)]
struct Choice {
    units: Vec<Unit>,
    storages: Vec<Kept>,
}

impl Choice {
    /// All that is held but what the statement reads, which must be there when it runs again.
    fn of(shares: &[Share], read: &[String]) -> Choice {
        let mut choice = Choice::default();
        let mut fixed = Vec::new();
        for share in shares.iter().filter(|share| share.bytes > 0) {
            let (variable, text) = (share.holder.variable(), &share.holder.unit);
            let is_read =
                |name: &String| name == variable || name == "Out" && text.starts_with("Out[");
            if read.iter().any(is_read) {
                fixed.push(share.address);
                continue;
            }
            let unit = choice.units.iter().position(|unit| unit.text == *text);
            let unit = unit.unwrap_or_else(|| {
                let (text, variable) = (text.clone(), variable.to_string());
                choice.units.push(Unit { text, variable });
                choice.units.len() - 1
            });
            let (address, bytes) = (share.address, share.storage_bytes);
            let storages = &mut choice.storages;
            let kept = storages.iter().position(|kept| kept.address == address);
            let kept = kept.unwrap_or_else(|| {
                storages.push(Kept { address, bytes, units: Vec::new() });
                storages.len() - 1
            });
            if !storages[kept].units.contains(&unit) {
                storages[kept].units.push(unit);
            }
        }
        choice.storages.retain(|kept| !fixed.contains(&kept.address));
        choice
    }

    /// The groups of units that go together: those that hold one storage.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for kept in &self.storages {
            let mut units = kept.units.clone();
            units.sort_unstable();
            if !groups.contains(&units) {
                groups.push(units);
            }
        }
        groups
    }

    /// The storages that go with these units.
    fn gone<'a>(&'a self, units: &'a [usize]) -> impl Iterator<Item = &'a Kept> {
        self.storages.iter().filter(|kept| kept.units.iter().all(|unit| units.contains(unit)))
    }

    fn bytes(&self, units: &[usize]) -> u64 {
        self.gone(units).map(|kept| kept.bytes).sum()
    }

    /// `del a, l[1], l[0]`: what comes later in a list goes first, and moves nothing before it.
    fn delete(&self, units: &[usize]) -> String {
        let mut texts: Vec<&str> = units.iter().map(|unit| &*self.units[*unit].text).collect();
        texts.sort_by_cached_key(|text| std::cmp::Reverse(steps(text)));
        format!("`del {}`", texts.join(", "))
    }
}

/// The way to an item: texts and numbers, so that `l[10]` comes behind `l[9]`.
fn steps(path: &str) -> Vec<(usize, &str)> {
    let parts = path.split(['[', ']', '.']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_or((usize::MAX, part), |at| (at, ""))).collect()
}

impl Session {
    /// What would let the statement through that memory ran out for; or that nothing would.
    pub(super) fn advice(&self, device: &Device, refused: Option<&Refused>) -> Option<String> {
        let begun = Instant::now();
        let mut read = refused.map_or(Vec::new(), |refused| refused.names.clone());
        let shares = self.shares(device);
        let mut choice = Choice::of(&shares, &read);
        // What functions read shows when it is not there.
        while let Some(name) = refused.and_then(|refused| self.missed(refused, &choice)) {
            read.push(name);
            choice = Choice::of(&shares, &read);
        }
        let groups = choice.groups();
        let stats = device.allocator().stats();
        let past_limit = self.engine().attic().limit(device);
        let is_certain = Cell::new(refused.is_some());
        let units_of = |set: &[usize]| -> Vec<usize> {
            let mut units: Vec<usize> = set.iter().flat_map(|at| groups[*at].clone()).collect();
            units.sort_unstable();
            units.dedup();
            units
        };
        let mut is_enough = |set: &[usize]| {
            if begun.elapsed() > PATIENCE || self.interrupt().is_raised() {
                return None;
            }
            let units = units_of(set);
            let gone: Vec<u64> = choice.gone(&units).map(|kept| kept.address).collect();
            if let Some(refused) = refused.filter(|_| is_certain.get()) {
                let names: Vec<&str> =
                    units.iter().map(|unit| &*choice.units[*unit].variable).collect();
                let memory = |of: &Device| match of == device {
                    true => device.allocator().rehearsal_without(&gone, past_limit),
                    false => of.allocator().rehearsal(),
                };
                let rehearse = || self.quiet().rehearse(&refused.statement, memory, &names);
                match within(&self.interrupt(), PATIENCE.saturating_sub(begun.elapsed()), rehearse)
                {
                    Rehearsed::Fits => return Some(true),
                    Rehearsed::Short | Rehearsed::Misses(_) => return Some(false),
                    Rehearsed::Unknown => is_certain.set(false),
                }
            }
            let rehearsal = device.allocator().rehearsal_without(&gone, past_limit);
            let own = stats.live_at_refusal.saturating_sub(stats.now.allocated);
            let ask = |bytes| rehearsal.allocate(bytes, StreamId::DEFAULT, Provenance::TEMPORARY);
            let own = ask(own);
            Some(own.is_ok() && ask(stats.refused).is_ok())
        };
        let weights: Vec<u64> = groups.iter().map(|units| choice.bytes(units)).collect();
        let sets = search::enough(&weights, stats.shortfall as u64, NAMED, &mut is_enough);
        let named: Vec<String> = sets
            .iter()
            .map(|set| {
                let units = units_of(set);
                format!("{} ({})", choice.delete(&units), human_bytes(choice.bytes(&units)))
            })
            .collect();
        match named.as_slice() {
            [] if is_certain.get() => self.why_none(device, refused?, &choice),
            [] => None,
            [only] if is_certain.get() => Some(format!("{only} would make room for it")),
            all if is_certain.get() => {
                Some(format!("any of {} would make room for it", all.join(", ")))
            }
            all => {
                let asked = human_bytes(stats.refused as u64);
                Some(format!("{} would make room for these {asked}", all.join(" or ")))
            }
        }
    }
    /// A variable among those that could go that the statement needs all the same.
    fn missed(&self, refused: &Refused, choice: &Choice) -> Option<String> {
        let names: Vec<&str> = choice.units.iter().map(|unit| &*unit.variable).collect();
        let rehearse =
            || self.quiet().rehearse(&refused.statement, |_| Allocator::on_paper(), &names);
        match within(&self.interrupt(), PATIENCE, rehearse) {
            Rehearsed::Misses(name) => Some(name),
            _ => None,
        }
    }

    /// Why no `del` helps, where the sum of what is needed tells.
    fn why_none(&self, device: &Device, refused: &Refused, choice: &Choice) -> Option<String> {
        let run = || self.quiet().explain(&refused.statement);
        let explained = within(&self.interrupt(), PATIENCE, run).ok()?;
        let plan = explained.work.devices.iter().find(|(of, _)| of == device);
        let takes = plan.map_or(0, |(_, plan)| plan.peak_bytes);
        let gone: Vec<u64> = choice.storages.iter().map(|kept| kept.address).collect();
        let stays = device.allocator().rehearsal_without(&gone, 0).stats().now.allocated;
        let total = device.allocator().limit();
        if takes.saturating_add(stays) <= total {
            return None;
        }
        let bytes = |bytes: usize| human_bytes(bytes as u64);
        let beside = match stays {
            0 => String::new(),
            stays => format!(" beside {} that stay", bytes(stays)),
        };
        let (takes, total) = (bytes(takes), bytes(total));
        Some(format!(
            "no `del` makes room: it takes {takes} at once{beside}, and there are {total}"
        ))
    }
}

/// Runs something that ends as if by Ctrl-C where it takes longer.
fn within<T>(interrupt: &Interrupt, limit: Duration, run: impl FnOnce() -> T) -> T {
    let (end, ended) = mpsc::channel::<()>();
    let alarm = interrupt.clone();
    let watch = std::thread::spawn(move || {
        let is_late = ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if is_late {
            alarm.raise();
        }
        is_late
    });
    let result = run();
    drop(end);
    if watch.join().unwrap_or(false) {
        interrupt.clear();
    }
    result
}
